//! Random games of the reference interpreter, position by position.

use std::path::{Path, PathBuf};
use std::process::Command;

use rulec_interp::{Interp, State};
use serde_json::Value as Json;

use crate::corpus::{
    after, board, ending, expected_board, folder, legal, long, lower, move_text, needed, rules,
};
use crate::stages::Stage;

/// Moves of a random game at most.
const PLIES: &str = "60";

/// The reference interpreter beside the corpus.
pub(crate) fn reference(folder: &Path) -> Option<PathBuf> {
    let path = folder.join("../../reference/bgc_ref.py");
    if path.is_file() {
        return Some(path);
    }
    needed(&format!("there is no interpreter at {}", path.display()));
    None
}

fn walk(script: &Path, rules: &Path, seed: u64) -> Option<Json> {
    let output = Command::new("python3")
        .arg(script)
        .arg("walk")
        .arg(rules)
        .args([&seed.to_string(), PLIES])
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            needed(&format!("python3 does not run: {error}"));
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(serde_json::from_slice(&output.stdout).expect("the interpreter writes JSON"))
}

fn compare(game: &Interp, state: &State, expected: &Json, what: &str) {
    assert_eq!(
        board(game, state),
        expected_board(game, &expected["state"]),
        "{what}"
    );
    let moves = expected["legal"].as_array().expect("legal moves");
    let mut texts: Vec<String> = moves.iter().map(move_text).collect();
    texts.sort();
    let found = legal(game, state);
    let found: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    let over = ending(game, state);
    match (&over, expected["over"].as_str()) {
        // Draws by rule are not known to the reference.
        (Some(("end", winners)), None) if winners.is_empty() => return,
        (found, wanted) => assert_eq!(found.as_ref().map(|(word, _)| *word), wanted, "{what}"),
    }
    assert_eq!(found, texts, "{what}");
    if let (Some(("end", winners)), Some(_)) = (&over, expected["over"].as_str()) {
        let wanted: Vec<&str> = match &expected["winner"] {
            Json::String(name) => vec![name],
            Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        assert_eq!(*winners, wanted, "{what}");
    }
}

pub(crate) fn check_walk(game: &Interp, walk: &Json, what: &str) {
    let mut state = game.initial();
    for (ply, expected) in walk["plies"].as_array().expect("plies").iter().enumerate() {
        let what = format!("{what}, ply {ply}");
        compare(game, &state, expected, &what);
        if game.outcome(&state).is_some() {
            return;
        }
        let chosen = expected["chosen"].as_u64().expect("a number") as usize;
        let text = move_text(&expected["legal"][chosen]);
        let legal = legal(game, &state);
        let (_, mv) = legal
            .iter()
            .find(|(other, _)| *other == text)
            .expect("it is legal");
        state = after(game, &state, *mv);
    }
    compare(game, &state, &walk["final"], what);
}

#[test]
fn random_games_are_those_of_the_reference() {
    let Some(folder) = folder() else { return };
    let Some(script) = reference(&folder) else {
        return;
    };
    let games = if long() { 500 } else { 4 };
    let mut files = rules(&folder);
    files.extend(rules(&folder.join("extended")));
    for path in files {
        let games_of = Stage::ALL.map(|stage| stage.interpreter(lower(&path)));
        for seed in 0..games {
            let Some(walk) = walk(&script, &path, seed) else {
                return;
            };
            // The first of them after the passes, too.
            let stages = if seed == 0 || long() { 2 } else { 1 };
            for (stage, game) in Stage::ALL.iter().zip(&games_of).take(stages) {
                let what = format!("{}, seed {seed}, {stage:?}", path.display());
                check_walk(game, &walk, &what);
            }
        }
    }
}
