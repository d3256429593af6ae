//! Reasons in plain words: fifty and more of ten games and more, each read by a person, in `reasons.txt`.
//!
//! A line of the file is a rule file, moves from the start with semicolons between them, a move that is not legal then, the
//! condition in the words of the program, and the sentence. `UPDATE_EXPECT=1` writes the last two anew, to be read again.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::server::Server;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The condition and the sentence for a move.
fn reason(server: &Server, after: &str, wish: &str) -> (String, String) {
    let made = server.post("/api/games", &json!({ "seed": 1 })).1;
    let game = format!("/api/games/{}", made["id"].as_str().expect("a game"));
    for mv in after.split(';').map(str::trim).filter(|mv| !mv.is_empty()) {
        let (status, answer) = server.post(&format!("{game}/move"), &json!({ "text": mv }));
        assert_eq!(status, 200, "{mv}: {answer}");
    }
    let (status, told) = server.post(&format!("{game}/explain"), &json!({ "text": wish }));
    assert_eq!(status, 200, "{wish}: {told}");
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    (text("sentence"), text("plain"))
}

#[test]
fn reasons_are_said_as_a_person_would() {
    let path = root().join("compiler/cli/tests/reasons.txt");
    let text = std::fs::read_to_string(&path).expect("the list");
    let mut lines = Vec::new();
    let mut served: Option<(String, Server)> = None;
    let mut bare = 0;
    for line in text.lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [file, after, wish, ..] = parts[..] else {
            panic!("a file, moves and a wish: {line}");
        };
        let known = served.as_ref().is_some_and(|(name, _)| name == file);
        if !known {
            let server = Server::start(&root().join("games").join(file), &[]);
            served = Some((file.to_owned(), server));
        }
        let (_, server) = served.as_ref().expect("it was started");
        let (sentence, plain) = reason(server, after, wish);
        bare += usize::from(plain.starts_with("The rule for "));
        lines.push(format!("{file} | {after} | {wish} | {sentence} | {plain}"));
    }
    assert!(lines.len() >= 50, "{}", lines.len());
    let now = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
    }
    for (before, now) in text.lines().zip(now.lines()) {
        if std::env::var_os("UPDATE_EXPECT").is_none() {
            assert_eq!(before, now);
        }
    }
    assert_eq!(bare, 0, "reasons say nothing");
}

/// Things that somebody names with `rulec explain`, over games of all languages: a rule file, moves from the start, what is named, and
/// the sentence, in `things.txt`.
#[test]
fn things_that_are_named_have_reasons_too() {
    let path = root().join("compiler/cli/tests/things.txt");
    let text = std::fs::read_to_string(&path).expect("the list");
    let mut lines = Vec::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [file, after, wish, ..] = parts[..] else {
            panic!("a file, moves and things: {line}");
        };
        let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["explain", &format!("games/{file}"), wish, "--json"])
            .args(["--warnings", "never", "--after", after])
            .current_dir(root())
            .output()
            .expect("the program starts");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            let errors = String::from_utf8_lossy(&output.stderr);
            panic!("{line}: {error}: {errors}")
        });
        let plain = told["plain"].as_str().expect("a sentence");
        assert!(!plain.starts_with("The rule for "), "{line}: {plain}");
        lines.push(format!("{file} | {after} | {wish} | {plain}"));
    }
    let now = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
    } else {
        for (before, now) in text.lines().zip(now.lines()) {
            assert_eq!(before, now);
        }
    }
}

#[test]
fn who_drags_a_piece_to_another_hears_of_the_one_that_was_dragged() {
    let server = Server::start(&root().join("games/bgc/chess.json"), &[]);
    let made = server.post("/api/games", &json!({ "seed": 1 })).1;
    let game = format!("/api/games/{}", made["id"].as_str().expect("a game"));
    server.post(&format!("{game}/move"), &json!({ "text": "4,1 4,3" }));
    let told = |from: &str, to: &str| {
        let wish = json!({ "naming": [from, to] });
        server.post(&format!("{game}/explain"), &wish).1["plain"].clone()
    };
    // The pawn on g7 and the king on e8.
    assert_eq!(
        told("1.54", "1.60"),
        "The black pawn on g7 cannot go to e8, where a black king stands, but to g5, g6."
    );
    assert_eq!(
        told("1.60", "1.54"),
        "The black king on e8 cannot go to g7, where a black pawn stands, nor anywhere else now."
    );
}
