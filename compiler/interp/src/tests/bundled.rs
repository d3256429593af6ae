//! The bundled games against their perft tables.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::*;
use crate::source::SourceMap;
use rulec_ir::diag::Diagnostics;
use rulec_ir::front::Options;
use rulec_s3 as s3;

/// Counts above this are left to compiled games.
const LIMIT: u64 = 300;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3")
}

fn load_file(path: &Path) -> Interp {
    let mut sources = SourceMap::new();
    let text = std::fs::read(path).expect("a readable file");
    let id = sources.add("game.s3", &text).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let file = sources.get(id).expect("it was added");
    let tree = s3::load(file, &options, &mut diagnostics).expect("a sound game");
    let game = s3::lower(&tree, &sources, &mut diagnostics).expect("a game that lowers");
    interp(&path.to_string_lossy(), game)
}

/// Number of sequences of moves, or of classes of equal moves, of a length.
fn count(interp: &Interp, state: &State, depth: usize, distinct: bool) -> u64 {
    if interp.outcome(state).is_some() {
        return 0;
    }
    let moves = match distinct {
        true => interp.distinct_moves(state),
        false => interp
            .legal_moves(state)
            .map(<[Move]>::to_vec)
            .map_err(Clone::clone),
    };
    let moves = moves.expect("no fault");
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv: Move| {
        let mut next = state.clone();
        assert!(interp.play(&mut next, mv));
        count(interp, &next, depth - 1, distinct)
    };
    moves.into_iter().map(after).sum()
}

/// Compares all counts up to a limit; gives how many nodes were counted.
fn check(table: &Path, limit: u64) -> u64 {
    let interp = load_file(&table.with_extension("s3"));
    let text = std::fs::read_to_string(table).expect("a readable table");
    let start = interp.initial();
    let mut nodes = 0;
    for line in text.lines() {
        let mut words = line.split(' ');
        let distinct = match words.next() {
            Some("distinct") => true,
            Some("all") => false,
            _ => continue,
        };
        for (depth, word) in words.enumerate() {
            let expected: u64 = word.parse().expect("a count");
            if expected <= limit {
                let found = count(&interp, &start, depth + 1, distinct);
                assert_eq!(found, expected, "{} {line}", table.display());
                nodes += found;
            }
        }
    }
    nodes
}

fn tables() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder()).expect("a folder of games");
    let mut tables: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    tables.retain(|path| path.extension().is_some_and(|ending| ending == "perft"));
    tables.sort();
    assert!(!tables.is_empty());
    tables
}

#[test]
fn counts_are_those_of_the_tables() {
    for table in tables() {
        check(&table, LIMIT);
    }
}

#[test]
fn questions_are_answered_as_the_guard_is() {
    for table in tables() {
        let interp = load_file(&table.with_extension("s3"));
        guards_are_what_they_were(&interp, 1, 6);
    }
}

#[test]
#[ignore = "a measurement, for release builds"]
fn speed() {
    for table in tables() {
        let start = Instant::now();
        let nodes = check(&table, 100_000) as f64;
        let speed = nodes / start.elapsed().as_secs_f64();
        eprintln!(
            "{:>20} {speed:>9.0} nodes/s",
            table.file_stem().unwrap_or_default().display()
        );
    }
}
