//! The reference of a language has every word of the language.
//!
//! The words are what the code of a front end compares with: its string literals that are words, and those of its
//! grammar. So a new word of a language fails here until its reference has it, between backticks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::corpus;

/// A language, and the literals of its front end that no rule file contains.
const LANGUAGES: &[(&str, &[&str])] = &[
    // Parts of messages: servos, poses, kinds of records; operators of other languages that are guessed.
    (
        "s3",
        &[
            "disc",
            "base",
            "shoulder",
            "keys",
            "lines",
            "elbow",
            "wrist",
            "hand",
            "above",
            "at",
            "expression",
            "rule",
            "rules",
            "MOD",
            "DIV",
        ],
    ),
    // Parts of messages, the exponent of numbers, what JSON Schema says.
    (
        "bgc",
        &[
            "yes",
            "no",
            "angles",
            "places",
            "e",
            "Down.",
            "Pictures.",
            "additionalProperties",
            "allOf",
            "anyOf",
            "array",
            "boolean",
            "definitions",
            "enum",
            "integer",
            "items",
            "minimum",
            "number",
            "object",
            "properties",
            "required",
            "string",
            "title",
        ],
    ),
    // Parts of messages, names that are made up, words of other languages that are guessed.
    (
        "bgm",
        &[
            "a",
            "are",
            "at",
            "from",
            "into",
            "of",
            "on",
            "onto",
            "the",
            "to",
            "with",
            "x",
            "requirement",
            "here",
            "p1",
            "p2",
            "TYPE",
            "and",
            "or",
            "container",
            "holder",
            "parent",
            "place",
            "content",
            "contents",
            "inner",
        ],
    ),
    // Names of nodes in printed trees, kinds of findings.
    (
        "bbgel",
        &[
            "elif",
            "elsif",
            "pre",
            "post",
            "u-",
            "unot",
            "world",
            "result",
            "target_not_found",
            "border_target_not_found",
            "no_neighbour_tile",
            "no_matching_border_point",
            "border_point_without_next",
            "border_loop",
        ],
    ),
    // Parts of file names and of messages, abbreviations in composite objects that are read letter by letter.
    (
        "gs5",
        &[
            "cond", "rules", "xx", "among", "id", "value", "and", "or", "AND", "OR",
        ],
    ),
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a front end that read and check rules.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = vec![];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the front end is there") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match name.as_ref() {
                "tests.rs" | "codes.rs" | "fail" => {}
                // What editors are told and what is offered, made of the words of the others.
                "editing.rs" | "words.rs" | "missing.rs" => {}
                // Lowering knows no words of its own but the orders of gs5.
                "lower" => files.extend(Some(path.join("orders.rs")).filter(|path| path.exists())),
                _ if path.is_dir() => folders.push(path),
                name if name.ends_with(".rs") || name.ends_with(".pest") => files.push(path),
                _ => {}
            }
        }
    }
    files
}

fn is_word(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let title = |c: char| c.is_ascii_uppercase() || c == ' ';
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && (text.chars().all(letters) || text.chars().all(title))
}

/// The string literals of a file, without those of comments and of tests.
fn literals(text: &str) -> Vec<&str> {
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        // Attributes speak of features and reasons.
        if code.starts_with("#[") || code.starts_with("#![") {
            continue;
        }
        found.extend(code.split('"').skip(1).step_by(2));
    }
    found
}

fn words(language: &str) -> BTreeSet<String> {
    let folder = corpus::root()
        .join("compiler/lang")
        .join(language)
        .join("src");
    let mut words = BTreeSet::new();
    for file in files(&folder) {
        let text = read(&file);
        let found = literals(&text).into_iter().filter(|word| is_word(word));
        words.extend(found.map(str::to_owned));
    }
    words
}

/// What stands between backticks in the prose of a page.
fn spoken(page: &str) -> String {
    let mut open = false;
    let mut all = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            open = !open;
        } else if !open {
            for span in line.split('`').skip(1).step_by(2) {
                all.push_str(span);
                all.push('\n');
            }
        }
    }
    all
}

/// Whether a word occurs in a text, not as a part of another word.
fn has(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

#[test]
fn references_have_every_word_of_their_languages() {
    let mut missing = Vec::new();
    for (language, other) in LANGUAGES {
        let page = corpus::root().join(format!("docs/src/{language}/reference.md"));
        let spoken = spoken(&read(&page));
        let words = words(language);
        assert!(words.len() > 30, "{language} has words");
        for word in other.iter().filter(|word| !words.contains(**word)) {
            missing.push(format!("{language}: `{word}` is in no front end any more"));
        }
        let lost = words
            .iter()
            .filter(|word| !other.contains(&word.as_str()) && !has(&spoken, word));
        missing.extend(lost.map(|word| format!("{language}: the reference lacks `{word}`")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_word_is_found_between_backticks_only() {
    let page = "plain `IF(c, a)`\n```s3\nELSE\n```\n";
    assert!(has(&spoken(page), "IF"));
    assert!(!has(&spoken(page), "plain"));
    assert!(!has(&spoken(page), "ELSE"));
    assert!(!has("INDEXA", "INDEX"));
}

#[test]
fn words_come_from_code_and_grammars() {
    let s3 = words("s3");
    for word in ["END OF GAME", "hueMin", "SETZINDEX", "THEN"] {
        assert!(s3.contains(word), "{word}");
    }
    assert!(words("bgc").contains("moves_after_last_move"));
}
