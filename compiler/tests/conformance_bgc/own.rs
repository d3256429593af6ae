//! Our own games: the counts of their tables.

use std::path::Path;

use rulec_interp::Interp;

use crate::corpus::{long, lower, rules};
use crate::counts::perft;
use crate::stages::Stage;

/// Checks a line `all 1 2 3` (plies) or `turns 1 2 3` (chains counted as one).
fn check_line(game: &Interp, line: &str, what: &str) {
    let most = if long() { 2_000_000 } else { 12_000 };
    let mut words = line.split_whitespace();
    let turns = match words.next() {
        Some("all") => false,
        Some("turns") => true,
        other => panic!("{what}: {other:?}"),
    };
    let counts = words.map(|word| word.parse::<u64>().expect("a count"));
    for (depth, count) in (1..).zip(counts) {
        if count <= most {
            let found = perft(game, &game.initial(), depth, turns);
            assert_eq!(found, count, "{what}, {line}, depth {depth}");
        }
    }
}

#[test]
fn our_games_have_the_counts_of_their_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/bgc");
    for (stage, path) in Stage::each(|| rules(&folder), 1) {
        let table = std::fs::read_to_string(path.with_extension("perft"));
        let table = table.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let game = stage.interpreter(lower(&path));
        let what = path.display().to_string();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let line = line.strip_prefix("long ").unwrap_or(line);
            check_line(&game, line, &what);
        }
    }
}
