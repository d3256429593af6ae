//! Ten mistakes that people make in each language, and what they are told.
//!
//! `mistakes/LANGUAGE.toml` says what is changed in which bundled game, `mistakes/LANGUAGE.txt` shows what `rulec check` then
//! says; `UPDATE_EXPECT=1` writes it anew. Read it as somebody who made the mistake: what is wrong, where, and what to do.

use std::path::Path;
use std::process::Command;

use toml::{Table, Value};

use crate::corpus;

const LANGUAGES: &[&str] = &["s3", "bgm", "bbgel", "bgc", "gs5"];

/// What each language has an example of.
const KINDS: &[&str] = &[
    "typo",
    "bracket",
    "type",
    "wrong player",
    "unreachable end",
    "wrong count",
    "unknown place",
    "missing turn change",
    "duplicate name",
    "wrong section",
];

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

/// What is said of a game after a change.
fn said(language: &str, mistake: &Table, usual: &str, kind: &str) -> String {
    let game = text(mistake, "game").unwrap_or(usual);
    let rules = std::fs::read_to_string(corpus::root().join(game)).expect("a bundled game");
    let (find, put) = (text(mistake, "find"), text(mistake, "put"));
    let (find, put) = (find.expect("a text to find"), put.expect("what it becomes"));
    let every = mistake.get("every").and_then(Value::as_bool) == Some(true);
    let times = rules.matches(find).count();
    assert!(
        times == 1 || (every && times > 1),
        "{language}, {kind}: stands {times} times in {game}"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("mistakes")
        .join(language);
    std::fs::create_dir_all(&folder).expect("a folder");
    let ending = game.rsplit('.').next().expect("an ending");
    let name = format!("{}.{ending}", kind.replace(' ', "_"));
    std::fs::write(folder.join(&name), rules.replace(find, put)).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["check", &name, "--games", "200", "--warnings", "always"])
        .current_dir(&folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("rulec starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.trim_end().lines().map(str::trim_end).collect();
    let code = output.status.code().unwrap_or(-1);
    format!("## {kind} (exit code {code})\n\n{}\n\n", lines.join("\n"))
}

#[test]
fn typical_mistakes_are_told_with_their_cure() {
    let folder = corpus::root().join("compiler/cli/tests/mistakes");
    let mut old = Vec::new();
    for language in LANGUAGES {
        let data = std::fs::read_to_string(folder.join(format!("{language}.toml")));
        let data: Table = data.expect("a file").parse().expect("TOML");
        let usual = text(&data, "game").expect("a game");
        let mistakes = data["mistake"].as_array().expect("mistakes");
        let mistakes = mistakes.iter().map(|one| one.as_table().expect("a table"));
        let kinds: Vec<&str> = mistakes
            .clone()
            .filter_map(|one| text(one, "kind"))
            .collect();
        assert_eq!(kinds, KINDS, "{language}");
        let all: String = mistakes
            .zip(kinds)
            .map(|(mistake, kind)| said(language, mistake, usual, kind))
            .collect();
        assert!(
            !all.contains(")\n\n\n"),
            "{language}: nothing is said:\n{all}"
        );
        let shown = folder.join(format!("{language}.txt"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&shown, &all).expect("a file");
        }
        if std::fs::read_to_string(&shown).ok().as_ref() != Some(&all) {
            old.push(format!("{language}:\n{all}"));
        }
    }
    assert!(
        old.is_empty(),
        "UPDATE_EXPECT=1 writes them anew; now it is\n{}",
        old.join("\n")
    );
}
