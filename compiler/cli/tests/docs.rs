//! The manual: every block of rules is read, every command runs, what it shows is what comes out, and links lead somewhere.
//!
//! What is done with a block stands behind the language of its fence; `docs/README.md` has the list. `RULEC_DOCS=s3/`
//! takes only the pages whose names contain this text, `UPDATE_EXPECT=1` writes the pictures anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::corpus;

/// A fenced block.
struct Block {
    line: usize,
    language: String,
    marks: Vec<String>,
    text: String,
}

impl Block {
    /// The value of the mark `name=value`.
    fn mark(&self, name: &str) -> Option<&str> {
        let marks = self.marks.iter();
        let mut values = marks.filter_map(|mark| mark.strip_prefix(name)?.strip_prefix('='));
        values.next()
    }

    fn is(&self, name: &str) -> bool {
        self.marks.iter().any(|mark| mark == name)
    }

    /// A mark that nothing knows, which would be a block that is not tested as its author thinks.
    fn unknown_mark(&self) -> Option<&str> {
        let known = MARKS.iter().filter(|(language, _)| {
            *language == self.language || (*language == "rules" && self.extension().is_some())
        });
        let known: Vec<&str> = known.flat_map(|(_, marks)| marks.iter().copied()).collect();
        let mut names = self.marks.iter().map(|mark| match mark.split_once('=') {
            Some((name, _)) => &mark[..=name.len()],
            None => mark.as_str(),
        });
        names.find(|name| !known.contains(name))
    }

    /// The extension of a rule file, if it is a block of rules.
    fn extension(&self) -> Option<&'static str> {
        let found = RULES.iter().find(|(name, _)| *name == self.language);
        found.map(|(_, extension)| *extension)
    }
}

/// What a command wrote, and whether it succeeded.
struct Ran {
    text: String,
    succeeded: bool,
}

/// The languages of rules with the extension of a file of each.
const RULES: &[(&str, &str)] = &[
    ("s3", "s3"),
    ("bgm", "bgm"),
    ("bbgel", "bbgel"),
    ("bgc", "json"),
    ("gs5", "txt"),
];

/// The marks of blocks, by their languages.
const MARKS: &[(&str, &[&str])] = &[
    (
        "rules",
        &["file=", "add=", "in=", "fails=", "warns=", "unread", "part"],
    ),
    ("diff", &["file=", "fails=", "warns=", "unread"]),
    ("sh", &["fails", "elsewhere", "picture="]),
    ("text", &["output"]),
    ("json", &["file="]),
    ("toml", &["file="]),
    ("csv", &["file="]),
    ("rust", &[]),
    ("python", &[]),
    ("", &[]),
];

fn manual() -> PathBuf {
    corpus::root().join("docs")
}

/// The name of a page, relative to the sources of the manual.
fn name_of(page: &Path) -> String {
    let source = manual().join("src");
    let name = page.strip_prefix(source).expect("a page of the manual");
    name.to_string_lossy().into_owned()
}

/// All pages, in the order of their names.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![manual().join("src")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the manual is there") {
            let path = entry.expect("a readable folder").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "md" => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort();
    assert!(pages.len() > 4, "a manual has pages");
    pages
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (line, content) in (1..).zip(text.lines()) {
        match (content.strip_prefix("```"), open) {
            (Some(_), true) => open = false,
            (Some(fence), false) => {
                open = true;
                let mut marks = fence.split(',').map(|mark| mark.trim().to_owned());
                blocks.push(Block {
                    line,
                    language: marks.next().unwrap_or_default(),
                    marks: marks.collect(),
                    text: String::new(),
                });
            }
            (None, true) => {
                let text = &mut blocks.last_mut().expect("an open block").text;
                text.push_str(content);
                text.push('\n');
            }
            (None, false) => {
                let fenced = content.trim_start().starts_with("```");
                assert!(!fenced, "line {line}: fences begin their lines");
            }
        }
    }
    assert!(!open, "the last block is not closed");
    blocks
}

/// A folder for the files of a page, with the bundled games in it.
fn folder(page: &Path) -> PathBuf {
    let name = name_of(page).replace(['/', '.'], "_");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("docs")
        .join(name);
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::os::unix::fs::symlink(corpus::root().join("games"), folder.join("games"))
        .expect("a link can be made");
    folder
}

fn run(folder: &Path, command: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_rulec"));
    let beside = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("PATH", format!("{beside}:{path}"))
        .env("RULEC_CACHE", folder.join("cache"))
        .env("NO_COLOR", "1")
        .output()
        .expect("a shell starts");
    Ran {
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        succeeded: output.status.success(),
    }
}

/// Whether a text is what a block shows; `...` stands for any lines, or for the rest of a line.
fn shows(shown: &str, text: &str) -> bool {
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines_match(&shown, &text)
}

fn lines_match(shown: &[&str], text: &[&str]) -> bool {
    match (shown, text) {
        ([], []) => true,
        ([first, rest @ ..], _) if first.trim() == "..." => {
            (0..=text.len()).any(|skipped| lines_match(rest, &text[skipped..]))
        }
        ([first, shown @ ..], [line, text @ ..]) => {
            let same = match first.strip_suffix("...") {
                Some(start) => line.starts_with(start),
                None => first == line,
            };
            same && lines_match(shown, text)
        }
        _ => false,
    }
}

/// The whole file that a part of rules stands for: the part at the mark `HERE` of a file of `docs/frames`.
fn framed(name: &str, extension: &str, part: &str) -> String {
    let path = manual().join("frames").join(format!("{name}.{extension}"));
    let frame = read(&path);
    assert!(frame.contains("HERE"), "{}: no mark", path.display());
    frame.replacen("HERE", part.trim_end(), 1)
}

/// A text with the lines of a block added, after an empty line.
fn added(text: &str, block: &str) -> String {
    format!("{text}\n{block}")
}

/// A text after the change that a block shows: its lines without `+` stand there once, those without `-` are there afterwards.
fn changed(text: &str, change: &str) -> Result<String, String> {
    let side = |other: char| -> Vec<&str> {
        let lines = change.lines().filter(|line| !line.starts_with(other));
        lines
            .map(|line| line.strip_prefix([' ', '+', '-']).unwrap_or(line))
            .collect()
    };
    let (before, after) = (side('+'), side('-'));
    let lines: Vec<&str> = text.lines().collect();
    let mut found = lines.windows(before.len().max(1)).enumerate();
    let places: Vec<usize> = found
        .by_ref()
        .filter(|(_, window)| *window == before)
        .map(|(at, _)| at)
        .collect();
    let [at] = places[..] else {
        return Err(format!(
            "the lines of the change stand {} times in the file:\n{text}",
            places.len()
        ));
    };
    let whole = [&lines[..at], &after, &lines[at + before.len()..]].concat();
    Ok(whole.join("\n") + "\n")
}

/// What the rules that a block is, or changes, are called, and their text.
fn rules(block: &Block, folder: &Path) -> Result<(String, String), String> {
    let before = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    if block.language == "diff" {
        let name = block.mark("file").ok_or("a change of no file")?;
        return Ok((name.to_owned(), changed(&before(name)?, &block.text)?));
    }
    if let Some(name) = block.mark("add") {
        return Ok((name.to_owned(), added(&before(name)?, &block.text)));
    }
    let extension = block.extension().expect("a block of rules");
    let text = match block.mark("in") {
        Some(frame) => framed(frame, extension, &block.text),
        None => block.text.clone(),
    };
    let unnamed = format!("at_line_{}.{extension}", block.line);
    Ok((block.mark("file").unwrap_or(&unnamed).to_owned(), text))
}

/// What a command says of the whole of a page's blocks so far.
type Checked = Result<Option<String>, String>;

/// Reads rules as a block marks them, and gives what `check` says; an error tells what is wrong.
fn read_rules(block: &Block, folder: &Path) -> Checked {
    if block.is("part") {
        return Ok(None);
    }
    let (name, text) = rules(block, folder)?;
    std::fs::write(folder.join(&name), text).expect("a file can be written");
    if block.is("unread") {
        return Ok(None);
    }
    let ran = run(folder, &format!("rulec check --warnings always '{name}'"));
    let fine = match block.mark("fails").or(block.mark("warns")) {
        Some(code) => {
            let told = ran.text.contains(&format!("[{code}]"));
            told && ran.succeeded != block.mark("fails").is_some()
        }
        None => ran.succeeded && !ran.text.contains("warning["),
    };
    if fine {
        Ok(Some(ran.text))
    } else {
        Err(ran.text)
    }
}

/// Runs the commands of a block, and gives what they write; an error tells what is wrong.
fn run_commands(block: &Block, folder: &Path) -> Checked {
    if block.is("elsewhere") {
        return Ok(None);
    }
    let ran = run(folder, &format!("set -e\n{}", block.text));
    if ran.succeeded == block.is("fails") {
        return Err(ran.text);
    }
    if let Some(name) = block.mark("picture") {
        let made = std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let kept = manual().join("src/pictures").join(name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&kept, &made).expect("a picture can be written");
        }
        if std::fs::read(&kept).ok() != Some(made) {
            return Err(format!("src/pictures/{name} is another picture"));
        }
    }
    Ok(Some(ran.text))
}

/// What is wrong with the blocks of a page.
fn faults(page: &Path) -> Vec<String> {
    let folder = folder(page);
    let mut faults = Vec::new();
    let mut last = String::new();
    for block in blocks(&read(page)) {
        let place = format!("docs/src/{}:{}", name_of(page), block.line);
        if !MARKS.iter().any(|(name, _)| *name == block.language) && block.extension().is_none() {
            faults.push(format!("{place}: a block of `{}`", block.language));
            continue;
        }
        if let Some(mark) = block.unknown_mark() {
            faults.push(format!("{place}: an unknown mark `{mark}`"));
        }
        let checked = match block.language.as_str() {
            "sh" => run_commands(&block, &folder),
            "text" if block.is("output") => match shows(&block.text, &last) {
                true => Ok(None),
                false => Err(format!("what came out:\n{last}")),
            },
            "diff" => read_rules(&block, &folder),
            _ if block.extension().is_some() => read_rules(&block, &folder),
            _ => {
                if let Some(name) = block.mark("file") {
                    std::fs::write(folder.join(name), &block.text).expect("a file can be written");
                }
                Ok(None)
            }
        };
        match checked {
            Ok(Some(text)) => last = text,
            Ok(None) => {}
            Err(wrong) => faults.push(format!("{place}: {wrong}")),
        }
    }
    faults
}

#[test]
fn every_block_of_the_manual_does_what_it_says() {
    let wanted = std::env::var("RULEC_DOCS").unwrap_or_default();
    let pages: Vec<PathBuf> = pages()
        .into_iter()
        .filter(|page| name_of(page).contains(&wanted))
        .collect();
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let faults = faults(page);
            all.lock().expect("no page panics").extend(faults);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut faults = all.into_inner().expect("no page panics");
    faults.sort();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// What the heading of a section is called in links.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// The lines of a page that are not in blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut open = false;
    let mut outside = |line: &&str| {
        let fence = line.starts_with("```");
        open ^= fence;
        !open && !fence
    };
    text.lines().filter(|line| outside(line)).collect()
}

fn anchors(page: &Path) -> Vec<String> {
    let text = read(page);
    let headings = prose(&text)
        .into_iter()
        .filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// Targets of links and pictures in a line, without what stands between backticks.
fn targets(line: &str) -> Vec<String> {
    let spoken: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let after = spoken.split("](").skip(1);
    after
        .map(|rest| rest.split([')', ' ']).next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn links_of_the_manual_lead_to_pages_and_sections() {
    let source = manual().join("src");
    let mut lost = Vec::new();
    for page in pages() {
        let text = read(&page);
        for target in prose(&text).into_iter().flat_map(targets) {
            if target.contains("://") {
                continue;
            }
            let (file, section) = target.split_once('#').unwrap_or((&target, ""));
            let near = match file {
                "" => page.clone(),
                _ => clean(&page.parent().expect("a folder").join(file)),
            };
            let inside = near.strip_prefix(&source).is_ok();
            let found = near.exists()
                && (section.is_empty() || anchors(&near).contains(&section.to_owned()));
            if !inside || !found {
                lost.push(format!("{}: {target}", name_of(&page)));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// A path without `..`.
fn clean(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

#[test]
fn the_rules_in_the_readme_are_those_of_its_game() {
    let readme = read(&corpus::root().join("README.md"));
    let (_, after) = readme.split_once("```text\n").expect("rules are shown");
    let (shown, _) = after.split_once("\n```").expect("the block ends");
    let game = read(&corpus::root().join("games/s3/connect_four.s3"));
    let lost: Vec<&str> = shown
        .split("\n\n")
        .filter(|part| !game.contains(part.trim()))
        .collect();
    assert!(
        lost.is_empty(),
        "not in games/s3/connect_four.s3:\n{}",
        lost.join("\n\n")
    );
    assert!(readme.contains("docs/src/pictures/connect_four.svg"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read(&manual().join("src/SUMMARY.md"));
    for page in pages() {
        let name = name_of(&page);
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in the summary"
        );
    }
}

#[test]
fn output_may_leave_out_lines_and_ends_of_lines() {
    assert!(shows("a\n...\nd 1...\n", "a\nb\nc\nd 12\n"));
    assert!(shows("...\n", ""));
    assert!(!shows("a\n...\nd\n", "a\nb\n"));
    assert!(!shows("a\n", "a\nb\n"));
}

#[test]
fn a_change_stands_once_in_the_file() {
    let text = "a\nb\nc\nb\n";
    assert_eq!(
        changed(text, " a\n-b\n+x\n+y\n"),
        Ok("a\nx\ny\nc\nb\n".to_owned())
    );
    assert!(changed(text, "-b\n+x\n").is_err());
    assert!(changed(text, "-d\n").is_err());
}

#[test]
fn unknown_marks_are_found() {
    let block = |fence: &str| blocks(&format!("```{fence}\n```\n")).remove(0);
    assert_eq!(block("s3,fails=S3-E0101").unknown_mark(), None);
    assert_eq!(block("s3,output").unknown_mark(), Some("output"));
    assert_eq!(block("sh,fail").unknown_mark(), Some("fail"));
    assert_eq!(block("sh,fails=X").unknown_mark(), Some("fails="));
}
