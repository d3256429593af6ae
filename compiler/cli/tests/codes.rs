//! The pages of the manual about diagnostics: every code with its explanation and an example that causes it.
//!
//! They are made of the tables of codes and of what the tests of mistakes show. `UPDATE_EXPECT=1` writes them anew.

use std::path::Path;

use rulec_compiler::diag::{CodeInfo, command, general};
use rulec_compiler::lang::{LANGUAGES, Language};

use crate::corpus;

/// Examples that no test of a single file can show.
const OTHER: &[&str] = &[
    "error[GS5-E0132]: the rule set `rules/halves.txt` is not there
 --> training.csv:2:1
  |
2 | halves,5,6,6,left_half
  | ^^^^^^",
];

/// The diagnostics that the tests of a language show, each a text.
fn shown(language: &Language) -> Vec<String> {
    let folder = corpus::root().join(format!("compiler/lang/{}/fail", language.name));
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("there are tests of mistakes")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "stderr"))
        .collect();
    files.sort();
    let texts = files.iter().map(|path| read(path));
    let all = texts.flat_map(|text| diagnostics(&text));
    all.chain(OTHER.iter().map(|&one| one.to_owned())).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The diagnostics of an output.
fn diagnostics(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("error[") || line.starts_with("warning[") {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut() {
            last.push_str(line.trim_end());
            last.push('\n');
        }
    }
    all.iter().map(|one| one.trim_end().to_owned()).collect()
}

/// The example of a code: the shortest that shows a line of rules.
fn example<'a>(info: &CodeInfo, shown: &'a [String]) -> Option<&'a String> {
    let start = format!("[{}]", info.code);
    let its = |one: &&String| one.lines().next().is_some_and(|line| line.contains(&start));
    let fit = |one: &&String| one.lines().all(|line| line.len() <= 160);
    let bare = |one: &&String| !one.contains(" | ");
    shown
        .iter()
        .filter(its)
        .min_by_key(|one| (!fit(one), bare(one), one.len()))
}

/// The page of a language.
fn page(language: &Language) -> String {
    let shown = shown(language);
    let name = language.name;
    let mut page = format!(
        "# Diagnostics of {name}\n\nEvery code of {name}: what it means and what to do, and a mistake that causes it, as rulec shows it.\n"
    );
    for info in language.codes {
        let example = example(info, &shown);
        let example = example.unwrap_or_else(|| panic!("no test shows {}", info.code));
        page.push_str(&format!(
            "\n## {}: {}\n\n{}\n\n```text\n{example}\n```\n",
            info.code,
            info.title,
            escaped(info.explanation)
        ));
    }
    page
}

/// A text in which nothing but what stands between backticks means something to Markdown.
fn escaped(text: &str) -> String {
    let mut spoken = false;
    let mut all = String::new();
    for c in text.chars() {
        spoken ^= c == '`';
        if !spoken && "*_[]<>$".contains(c) {
            all.push('\\');
        }
        all.push(c);
    }
    all
}

#[test]
fn pages_about_diagnostics_are_up_to_date() {
    let folder = corpus::root().join("docs/src/diagnostics");
    let mut old = Vec::new();
    for language in LANGUAGES {
        let path = folder.join(format!("{}.md", language.name));
        let page = page(language);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &page).expect("a page can be written");
        }
        if std::fs::read_to_string(&path).ok() != Some(page) {
            old.push(path.display().to_string());
        }
    }
    assert!(
        old.is_empty(),
        "UPDATE_EXPECT=1 writes them anew: {}",
        old.join(", ")
    );
}

#[test]
fn codes_that_no_language_owns_have_their_page() {
    let page = read(&corpus::root().join("docs/src/diagnostics.md"));
    for info in [general::CODES, command::CODES].concat() {
        let heading = format!("## {}: {}", info.code, info.title);
        assert!(page.contains(&heading), "{heading}");
    }
}

#[test]
fn an_example_is_the_shortest_that_shows_a_line() {
    let text = "error[X-E0001]: a\n\nwarning[X-W0002]: b\n | x\n\nerror[X-E0001]: longer\n | y\n";
    let all = diagnostics(text);
    assert_eq!(all.len(), 3);
    let found = example(LANGUAGES[0].codes[0], &all);
    assert_eq!(found, None);
}
