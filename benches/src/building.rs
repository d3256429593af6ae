//! What it costs to compile games: the time from rules to Rust, the time to build, the size.

use std::path::{Path, PathBuf};

use anyhow::Result;
use rulec_cli::{Rules, Toolchain};
use rulec_runtime::search::Stopwatch;
use serde_json::{Value, json};

use crate::watch;

/// The rule files of the games in the table of speeds.
const FILES: &[&str] = &[
    "s3/tic_tac_toe.s3",
    "s3/connect_four.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "s3/reversi.s3",
    "s3/gomoku.s3",
    "s3/nine_mens_morris.s3",
    "s3/frogs.s3",
];

/// How often rules are compiled to Rust; the quickest counts.
const TRIES: usize = 3;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")
}

/// The games of the table of speeds, with their programs; see [`measure`].
///
/// # Errors
/// Where a game does not compile or the toolchain is not there.
pub fn all() -> Result<Vec<Value>> {
    let files: Vec<PathBuf> = FILES.iter().map(|file| games().join(file)).collect();
    measure(&files, true)
}

/// All rule files of our own and, where it is there, of the corpus of original games.
///
/// # Errors
/// Where a folder cannot be read.
pub fn every_game(corpus: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (folder, ending) in [
        ("s3", "s3"),
        ("bgm", "bgm"),
        ("bgc", "json"),
        ("bbgel", "bbgel"),
        ("gs5", "txt"),
        ("gs5", "csv"),
    ] {
        files.extend(rule_files(&games().join(folder), ending)?);
    }
    let mut folders = vec![
        (corpus.join("bgm"), "bgm"),
        (corpus.join("bgc"), "json"),
        (corpus.join("bgc/extended"), "json"),
        (corpus.join("bbgel/worlds"), "world"),
        (corpus.join("bbgel/worlds"), "tile"),
        (corpus.join("gs5/rules"), "txt"),
    ];
    let s3 = corpus.join("s3");
    if s3.is_dir() {
        let inner = std::fs::read_dir(&s3)?.map(|entry| Ok(entry?.path()));
        let inner: Vec<PathBuf> = inner.collect::<Result<_>>()?;
        folders.extend(inner.into_iter().map(|folder| (folder, "s3")));
    }
    folders.sort();
    for (folder, ending) in folders.into_iter().filter(|(folder, _)| folder.is_dir()) {
        files.extend(rule_files(&folder, ending)?);
    }
    Ok(files)
}

fn rule_files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files: Vec<PathBuf> = files.collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|other| other == ending));
    files.sort();
    Ok(files)
}

/// Compiles games, prints a table of what it took and gives it as JSON.
///
/// Seconds are of processor time, those of building without what all games share, and the latter only where programs are
/// wanted; sizes are of the program and of its longest function in lines.
///
/// # Errors
/// Where a game does not compile or the toolchain is not there.
pub fn measure(files: &[PathBuf], programs: bool) -> Result<Vec<Value>> {
    let tools = match programs {
        true => Some(Toolchain::find(None, None, false)?),
        false => None,
    };
    if let (Some(tools), Some(first)) = (&tools, files.first()) {
        // The first game builds the runtime too.
        one(Some(tools), first)?;
    }
    println!(
        "{:34} {:>9} {:>9} {:>12} {:>10}",
        "game", "Rust s", "longest", "build CPU s", "bytes"
    );
    let mut rows = Vec::new();
    for file in files {
        let row = match one(tools.as_ref(), file) {
            Ok(row) => row,
            // Some original files are wrong, and some are parts of others.
            Err(error) => {
                println!("{:34} {error}", name(file));
                continue;
            }
        };
        let number = |key: &str| row[key].as_f64().unwrap_or(0.0);
        println!(
            "{:34} {:>9.3} {:>9} {:>12.2} {:>10}",
            row["game"].as_str().unwrap_or_default(),
            number("rust_seconds"),
            number("longest_function_lines"),
            number("build_cpu_seconds"),
            number("program_bytes"),
        );
        rows.push(row);
    }
    Ok(rows)
}

/// A file and its folder, which tells the language.
fn name(file: &Path) -> String {
    let parts: Vec<_> = file.components().rev().take(2).collect();
    let parts = parts
        .iter()
        .rev()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

fn one(tools: Option<&Toolchain>, file: &Path) -> Result<Value> {
    let mut rust = f64::INFINITY;
    let mut text = String::new();
    for _ in 0..TRIES {
        let watch = Stopwatch::start();
        text = Rules::open(file, "all")?.rust()?;
        rust = rust.min(watch.spent().seconds());
    }
    let mut row = json!({
        "game": name(file),
        "rust_seconds": rust,
        "longest_function_lines": longest_function(&text),
    });
    let (Some(tools), Some(row_of)) = (tools, row.as_object_mut()) else {
        return Ok(row);
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    // A name of its own, so that nothing of the game is built yet.
    let name = format!("built-{stem}-{}", std::process::id()).replace('_', "-");
    let folder = tools.cache.join("crates").join(&name);
    let runtime = tools.runtime.to_string_lossy();
    let rules = Rules::open(file, "all")?;
    tools.write_crate(&folder, &rules.crate_files(&name, &runtime)?)?;
    let (program, build) = watch::children(|| tools.build(&folder, &name))?;
    let bytes = std::fs::metadata(&program)?.len();
    std::fs::remove_dir_all(&folder)?;
    std::fs::remove_file(&program)?;
    row_of.insert("build_cpu_seconds".to_owned(), json!(build.cpu_seconds));
    row_of.insert("build_peak_bytes".to_owned(), json!(build.peak_bytes));
    row_of.insert("program_bytes".to_owned(), json!(bytes));
    Ok(row)
}

/// The lines of the longest function, as rustfmt lays them out.
fn longest_function(text: &str) -> usize {
    let mut longest = 0;
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let begins = ["fn ", "pub fn ", "const fn ", "pub const fn "];
        match open {
            // What stands on one line is not long.
            None if line.ends_with('}') => {}
            None if begins
                .iter()
                .any(|word| line.trim_start().starts_with(word)) =>
            {
                open = Some((number, indent));
            }
            Some((first, depth)) if line.trim_start().starts_with('}') && indent == depth => {
                longest = longest.max(number - first + 1);
                open = None;
            }
            _ => {}
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_are_measured() {
        let text = "struct A {\n}\nimpl A {\n    fn a() {\n        b();\n    }\n}\nfn c() {}\nfn d(\n) {\n}\n";
        assert_eq!(super::longest_function(text), 3);
    }
}
