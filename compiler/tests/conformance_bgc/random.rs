//! Random rules, played as the reference interpreter plays them.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use rulec_interp::Interp;
use rulec_random_rules::language;
use serde_json::Value as Json;

use crate::corpus::{after, board, expected_board, folder, legal, long, lower, move_text, needed};
use crate::stages::Stage;
use crate::walks::{check_walk, reference};

/// Moves of a random game at most.
const PLIES: &str = "10";

/// Games that are compared; that many with `RULEC_LONG`.
const GAMES: u64 = 200;
const MANY: u64 = 10_000;

/// Differences after which no more are looked for.
const ENOUGH: usize = 4;

/// The games of some seeds, of those that the reference knows, as files.
fn files(folder: &Path, seeds: Range<u64>) -> Vec<PathBuf> {
    std::fs::create_dir_all(folder).expect("a folder");
    let bgc = language("bgc").expect("bgc has a generator");
    let mut all = Vec::new();
    for seed in seeds {
        let (name, text) = bgc.rules(seed).files.swap_remove(0);
        if name == "plain.json" {
            let path = folder.join(format!("game{seed}.json"));
            std::fs::write(&path, text).expect("a file");
            all.push(path);
        }
    }
    all
}

/// What the reference does with these files.
fn walks(script: &Path, folder: &Path, files: &[PathBuf]) -> Option<Vec<Json>> {
    let list = folder.join(format!("files{}.txt", files.len()));
    let names: Vec<String> = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    std::fs::write(&list, names.join("\n")).expect("a file");
    let many = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance_bgc/many.py");
    let output = Command::new("python3")
        .arg(many)
        .arg(script)
        .arg(PLIES)
        .arg(&list)
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
    let text = String::from_utf8(output.stdout).expect("text");
    let parse = |line: &str| serde_json::from_str(line).expect("the interpreter writes JSON");
    Some(text.lines().map(parse).collect())
}

/// Compares what each legal move of each position leads to, then the walk.
fn check(game: &Interp, walk: &Json) {
    let mut state = game.initial();
    for (ply, expected) in walk["plies"].as_array().expect("plies").iter().enumerate() {
        let moves = expected["legal"].as_array().expect("legal moves");
        let found = legal(game, &state);
        let mut texts: Vec<String> = moves.iter().map(move_text).collect();
        let next = expected["next"].as_array().expect("what comes of them");
        let mut played = None;
        for (number, (text, next)) in texts.iter().zip(next).enumerate() {
            let known = found.iter().find(|(other, _)| other == text);
            let what = format!("ply {ply}: `{text}`");
            let (_, mv) = known.unwrap_or_else(|| panic!("{what} is not legal"));
            let reached = after(game, &state, *mv);
            assert_eq!(board(game, &reached), expected_board(game, next), "{what}");
            if Some(number as u64) == expected["chosen"].as_u64() {
                played = Some(reached);
            }
        }
        texts.sort();
        let found: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(found, texts, "ply {ply}");
        state = played.expect("a move is chosen");
    }
    check_walk(game, walk, "the walk");
}

/// What differs in the games of some seeds; how many were compared, and on how many the reference gave up.
fn compare(script: &Path, seeds: Range<u64>) -> Option<(u64, u64, Vec<String>)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bgc-random-{}", seeds.start));
    let files = files(&folder, seeds);
    let (mut compared, mut given_up, mut differences) = (0_u64, 0_u64, Vec::new());
    for (path, walk) in files.iter().zip(walks(script, &folder, &files)?) {
        let what = path.display();
        match walk["error"].as_str() {
            // Attacks that ask each other for ever.
            Some("recursion") => given_up += 1,
            Some(other) => differences.push(format!("{what}: the reference breaks: {other}")),
            None => compared += 1,
        }
        if walk["error"].is_string() {
            continue;
        }
        let judged = catch_unwind(AssertUnwindSafe(|| {
            check(&Stage::Lowered.interpreter(lower(path)), &walk);
            // What the passes do is compared with the rules elsewhere, on all of them.
            if long() || compared.is_multiple_of(8) {
                check(&Stage::Passed.interpreter(lower(path)), &walk);
            }
        }));
        if let Err(told) = judged {
            let text = told.downcast_ref::<String>().cloned();
            differences.push(format!("{what}: {}", text.unwrap_or_default()));
        }
        if differences.len() >= ENOUGH {
            break;
        }
    }
    Some((compared, given_up, differences))
}

#[test]
fn random_rules_are_played_as_by_the_reference() {
    let Some(script) = folder().and_then(|folder| reference(&folder)) else {
        return;
    };
    let count = if long() { MANY } else { GAMES };
    // Some of the seeds make games that the reference does not know.
    let asked = std::env::var("RULEC_RANDOM").ok();
    let asked = asked.as_deref().and_then(|text| text.strip_prefix("bgc:"));
    let asked = asked.and_then(|text| text.split_once(".."));
    let seeds = match asked {
        Some((from, to)) => from.parse().expect("a number")..to.parse().expect("a number"),
        None => 0..count * 5 / 4 + 20,
    };
    let Some((compared, given_up, differences)) = compare(&script, seeds) else {
        return;
    };
    eprintln!("{compared} games compared, the reference gave {given_up} up");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert!(
        asked.is_some() || compared >= count * 9 / 10,
        "{compared} games"
    );
}
