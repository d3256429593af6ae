//! Random games of the reference, position by position: moves, weights of draws, choices, successors, results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rulec_interp::{Reason, State, Turn};
use serde_json::Value as Json;

use crate::canon::{key, label, player, result};
use crate::corpus::{Case, cases, features, folder, long, reference, side_by_side};
use crate::games::{after_draw, is_choosing};
use crate::stages::Stage;

/// A probability.
type Share = (u128, u128);

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn reduced((a, b): Share) -> Share {
    let by = gcd(a, b).max(1);
    (a / by, b / by)
}

fn sum((a, b): Share, (c, d): Share) -> Share {
    reduced((a * d + c * b, b * d))
}

/// The positions that a move may lead to, by their keys.
type Leaves = BTreeMap<String, State>;

fn spread(
    case: &Case,
    state: &State,
    share: Share,
    leaves: &mut Leaves,
    out: &mut BTreeMap<String, Share>,
) {
    if case.interp.turn(state) == Turn::Chance {
        let results = after_draw(case, state);
        texts_of_results_are_different(case, state);
        let total: u64 = results.iter().map(|(_, weight)| weight).sum();
        for (next, weight) in &results {
            let share = reduced((share.0 * u128::from(*weight), share.1 * u128::from(total)));
            spread(case, next, share, leaves, out);
        }
        return;
    }
    let text = shown(case, state, leaves);
    let before = out.get(&text).copied().unwrap_or((0, 1));
    out.insert(text, sum(before, share));
}

fn texts_of_results_are_different(case: &Case, state: &State) {
    let results = case.interp.chance_outcomes(state);
    let text = |mv| case.interp.move_text_in(state, mv);
    let texts: BTreeSet<String> = results.iter().map(|&(mv, _)| text(mv)).collect();
    assert_eq!(texts.len(), results.len(), "{texts:?}");
}

fn is_fault(case: &Case, state: &State) -> bool {
    let outcome = case.interp.outcome(state);
    outcome.is_some_and(|outcome| matches!(outcome.reason, Reason::Fault(_)))
}

fn shown(case: &Case, state: &State, leaves: &mut Leaves) -> String {
    if is_fault(case, state) {
        return "fault".to_owned();
    }
    if !is_choosing(case, state) {
        let key = key(case, state);
        leaves.insert(key.clone(), state.clone());
        return key;
    }
    let moves = case.interp.legal_moves(state).expect("no fault");
    let mut options: Vec<String> = Vec::new();
    for &mv in moves {
        let text = case.interp.move_text_in(state, mv);
        let read = case.interp.parse_move_in(state, &text);
        assert_eq!(read, [mv], "`{text}`");
        let mut next = state.clone();
        assert!(case.interp.play(&mut next, mv), "the choice is possible");
        options.push(told(case, &next, leaves));
    }
    options.sort();
    format!(
        "choice of {} [{}]",
        player(case, moves[0]),
        options.join(" ; ")
    )
}

fn told(case: &Case, state: &State, leaves: &mut Leaves) -> String {
    let mut out = BTreeMap::new();
    spread(case, state, (1, 1), leaves, &mut out);
    if out.len() == 1 {
        return out.into_keys().next().unwrap_or_default();
    }
    let mut parts: Vec<String> = out
        .iter()
        .map(|(text, (a, b))| format!("{a}/{b} {text}"))
        .collect();
    parts.sort();
    format!("draw [{}]", parts.join(" ; "))
}

/// Texts of moves of a position that are read again, all of them with `RULEC_LONG=1`: reading one lists all moves. That no two moves have
/// one text is checked of all.
const READ: usize = 4;

/// Compares a position with its record, and gives the positions that come next.
fn compare(case: &Case, state: &State, record: &Json) -> Leaves {
    let place = || format!("{}: {}", case.name, key(case, state));
    let expected = record["result"].as_array();
    let expected: Option<Vec<i64>> =
        expected.map(|list| list.iter().filter_map(Json::as_i64).collect());
    assert_eq!(result(case, state), expected, "{}", place());
    let mut leaves = Leaves::new();
    let mut moves = Vec::new();
    if case.interp.turn(state) != Turn::Over {
        let legal = case.interp.legal_moves(state).expect("no fault");
        let every = if long() {
            1
        } else {
            legal.len().div_ceil(READ)
        };
        let mut texts = BTreeSet::new();
        for (at, &mv) in legal.iter().enumerate() {
            let mut next = state.clone();
            assert!(case.interp.play(&mut next, mv), "the move is possible");
            let text = told(case, &next, &mut leaves);
            moves.push(format!("{} -> {text}", label(case, state, mv)));
            let shown = case.interp.move_text_in(state, mv);
            if at.is_multiple_of(every) {
                let read = case.interp.parse_move_in(state, &shown);
                assert_eq!(read, [mv], "`{shown}`, {}", place());
            }
            assert!(!shown.contains('?'), "`{shown}`, {}", place());
            assert_eq!(texts.replace(shown), None, "{}", place());
        }
    }
    moves.sort();
    let known = record["moves"].as_array().expect("a list");
    let known: Vec<&str> = known.iter().filter_map(Json::as_str).collect();
    assert_eq!(moves, known, "{}", place());
    leaves
}

/// What the reference says of rule files, in their order; nothing without Python.
pub(crate) fn records(
    reference: &Path,
    files: &[PathBuf],
    games: u32,
    actions: u32,
) -> Option<Vec<Json>> {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/conformance_bgm/records.py"
    );
    let output = Command::new("python3")
        .args(["-B", script])
        .arg(reference)
        .args([games.to_string(), actions.to_string()])
        .args(files)
        .output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: there is no python3");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{files:?}: {errors}");
    let lines = output.stdout.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let records = lines.map(|line| serde_json::from_slice(line).expect("records are JSON"));
    Some(records.collect())
}

#[test]
fn random_games_run_as_in_the_reference() {
    let Some(folder) = folder() else { return };
    let Some(reference) = reference(&folder) else {
        return;
    };
    let games = if long() { 500 } else { 60 };
    let all = |stage| cases(stage).into_iter().chain(features(stage));
    let pairs: Vec<_> = all(Stage::Lowered).zip(all(Stage::Passed)).collect();
    side_by_side(&pairs, |(case, after)| {
        let files = std::slice::from_ref(&case.path);
        if let Some(records) = records(&reference, files, games, 60) {
            check(case, &records[0]);
            check(after, &records[0]);
        }
    });
}

/// Plays the recorded games; every position is compared when it first comes up.
pub(crate) fn check(case: &Case, records: &Json) {
    let mut known: BTreeMap<String, Leaves> = BTreeMap::new();
    for game in records["games"].as_array().expect("a list") {
        let path = game.as_array().expect("a list");
        let mut state = case.interp.initial();
        for (at, text) in path.iter().enumerate() {
            let text = text.as_str().expect("a text");
            assert_eq!(key(case, &state), text, "{}", case.name);
            let leaves = known
                .entry(text.to_owned())
                .or_insert_with(|| compare(case, &state, &records["positions"][text]));
            if let Some(next) = path.get(at + 1).and_then(Json::as_str) {
                state = leaves[next].clone();
            }
        }
    }
}
