//! Our own games: counts of their tables, interpreted.

use std::path::Path;

use rulec_interp::{Interp, State, Turn};

use crate::cases::compile;
use crate::corpus::files;
use crate::stages::Stage;

/// Sequences of decisions and results of draws of each length.
fn perft(game: &Interp, state: &State, depth: usize, counts: &mut [u64]) {
    if depth == counts.len() {
        return;
    }
    let moves = match game.turn(state) {
        Turn::Over => return,
        Turn::Chance => game
            .chance_outcomes(state)
            .iter()
            .map(|(mv, _)| *mv)
            .collect(),
        Turn::Decide(_) => game.legal_moves(state).expect("no fault").to_vec(),
    };
    counts[depth] += moves.len() as u64;
    for mv in moves {
        let mut next = state.clone();
        assert!(game.play(&mut next, mv));
        perft(game, &next, depth + 1, counts);
    }
}

#[test]
fn own_games_have_the_counts_of_their_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/bbgel");
    for (stage, path) in Stage::each(|| files(&folder, "bbgel"), 1) {
        let name = path.file_name().expect("a file").to_string_lossy();
        let bytes = std::fs::read(&path).expect("the board");
        let front = compile(&name, &bytes, false).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let game = stage.interpreter(front.game);
        let table = std::fs::read_to_string(path.with_extension("perft"));
        let table = table.unwrap_or_else(|_| panic!("{name} has a table"));
        let line = table.lines().find_map(|line| line.strip_prefix("all "));
        let expected: Vec<u64> = line
            .unwrap_or_else(|| panic!("{name} has counts"))
            .split(' ')
            .map(|count| count.parse().expect("a count"))
            .collect();
        let mut counts = vec![0; expected.len()];
        perft(&game, &game.initial(), 0, &mut counts);
        assert_eq!(counts, expected, "{name}");
    }
}
