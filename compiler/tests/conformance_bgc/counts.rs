//! Recorded positions and counts.

use std::path::Path;

use rulec_compiler::ir::{Const, Game};
use rulec_interp::{Interp, State, Turn};
use serde_json::Value as Json;

use crate::corpus::{
    after, along, board, expected_board, folder, json, legal, listed, long, lower, move_text, rules,
};
use crate::stages::Stage;

/// Sequences of moves of a length, the hops of one player's chain counted as one.
pub(crate) fn perft(game: &Interp, state: &State, depth: u32, turns: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome(state).is_some() {
        return 0;
    }
    let moves = listed(game, state);
    if depth == 1 && !turns {
        return moves.len() as u64;
    }
    let mover = game.turn(state);
    let mut count = 0;
    for &mv in moves {
        let next = after(game, state, mv);
        let hop = turns && game.turn(&next) == mover && mover != Turn::Over;
        count += perft(game, &next, if hop { depth } else { depth - 1 }, turns);
    }
    count
}

fn check_legal(game: &Interp, state: &State, expected: &Json, what: &str) {
    let found = legal(game, state);
    let pair = |mv: &Json| move_text(&Json::Array(vec![mv["from"].clone(), mv["to"].clone()]));
    let expected = expected.as_array().expect("legal moves");
    let mut texts: Vec<String> = expected.iter().map(pair).collect();
    texts.sort();
    let own: Vec<&String> = found.iter().map(|(text, _)| text).collect();
    assert_eq!(own, texts.iter().collect::<Vec<_>>(), "{what}");
    let before = board(game, state);
    for case in expected {
        let text = pair(case);
        let (_, mv) = found
            .iter()
            .find(|(other, _)| *other == text)
            .expect("it is legal");
        let mut wanted = before.clone();
        let cells = game
            .game()
            .domains
            .iter()
            .find(|d| d.name == "Cell")
            .expect("cells");
        for change in case["changed"].as_array().expect("changes") {
            let at = move_text(&Json::Array(vec![
                change["at"].clone(),
                change["at"].clone(),
            ]));
            let at = at.split(' ').next().unwrap_or_default();
            let cell = (0..cells.len()).find(|cell| cells.member(*cell as u32) == at);
            let name = |key: &str| change[key].as_str().map(str::to_owned);
            let kind = name("player").zip(name("figure"));
            wanted[cell.expect("the cell exists")] = kind.map(|(p, f)| format!("{p} {f}"));
        }
        assert_eq!(
            board(game, &after(game, state, *mv)),
            wanted,
            "{what}: {text}"
        );
    }
}

fn check_counts(game: &Interp, state: &State, expected: &Json, turns: bool, what: &str) {
    let most = if long() { u64::MAX } else { 20_000 };
    for (depth, count) in (1..).zip(expected.as_array().expect("counts")) {
        let count = count.as_u64().expect("a count");
        if count <= most {
            assert_eq!(
                perft(game, state, depth, turns),
                count,
                "{what}, depth {depth}"
            );
        }
    }
}

#[test]
fn recorded_positions_are_those_of_the_original() {
    let Some(folder) = folder() else { return };
    let mut seen = 0;
    for (stage, path) in Stage::each(|| rules(&folder.join("oracle")), 1) {
        let oracle = json(&path);
        if oracle["format"] != "bgc-oracle-1" {
            continue;
        }
        let name = oracle["game"].as_str().expect("a game");
        let game = stage.interpreter(lower(&folder.join(format!("{name}.json"))));
        let single = [oracle.clone()];
        let positions = oracle["positions"]
            .as_array()
            .map_or(&single[..], |list| list);
        for position in positions {
            let empty = Vec::new();
            let path: Vec<String> = position["path"]
                .as_array()
                .unwrap_or(&empty)
                .iter()
                .map(move_text)
                .collect();
            let state = along(&game, &path);
            let what = format!("{name} after {path:?}");
            assert_eq!(
                board(&game, &state),
                expected_board(&game, &position["state"]),
                "{what}"
            );
            check_legal(&game, &state, &position["legal"], &what);
            check_counts(&game, &state, &position["perft"], false, &what);
            seen += 1;
        }
    }
    assert!(seen > 0, "there are positions");
}

#[test]
fn extended_games_have_the_published_counts() {
    let Some(folder) = folder() else { return };
    let oracle = json(&folder.join("oracle/extended_perft.json"));
    for (stage, path) in Stage::each(|| rules(&folder.join("extended")), 1) {
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let counts = &oracle[name]["perft"];
        assert!(counts.is_array(), "{name} has counts");
        let game = stage.interpreter(lower(&path));
        check_counts(&game, &game.initial(), counts, true, name);
    }
}

/// The game that starts from a position in Forsyth-Edwards notation, white to move.
fn from_fen(path: &Path, fen: &str) -> Game {
    let mut game = lower(path);
    let fields: Vec<&str> = fen.split(' ').collect();
    let (cells, kinds) = (game.domains[1].clone(), game.domains[2].clone());
    let mut init = vec![None; cells.len()];
    let mut fresh = Vec::new();
    let number = |domain: &rulec_compiler::ir::Domain, name: &str| {
        (0..domain.len() as u32).find(|member| domain.member(*member) == name)
    };
    for (row, rank) in fields[0].split('/').enumerate() {
        let mut file = 0;
        for c in rank.chars() {
            if let Some(skip) = c.to_digit(10) {
                file += skip as usize;
                continue;
            }
            let (x, y) = (7 - file, 7 - row);
            let cell = number(&cells, &format!("{x},{y}")).expect("a cell");
            let white = c.is_uppercase();
            let (owner, home) = if white { ("white", 0) } else { ("black", 7) };
            let (figure, rights) = match c.to_ascii_lowercase() {
                'p' => ("pawn", y == if white { 1 } else { 6 }),
                'n' => ("knight", false),
                'b' => ("bishop", false),
                'r' => {
                    let side = if x == 0 { 'k' } else { 'q' };
                    let side = if white {
                        side.to_ascii_uppercase()
                    } else {
                        side
                    };
                    (
                        "rook",
                        y == home && (x == 0 || x == 7) && fields[2].contains(side),
                    )
                }
                'q' => ("queen", false),
                _ => {
                    let any = if white { ['K', 'Q'] } else { ['k', 'q'] };
                    ("king", fields[2].contains(any))
                }
            };
            init[cell as usize] = number(&kinds, &format!("{owner} {figure}"));
            if rights {
                fresh.push(cell);
            }
            file += 1;
        }
    }
    fresh.sort_unstable();
    game.placements[0].init = init;
    for var in &mut game.vars {
        match var.name.as_str() {
            "moved 0" => var.init = vec![Const::Set(fresh.clone())],
            name if name.starts_with("age ") => var.init = vec![Const::Set(Vec::new())],
            _ => {}
        }
    }
    game
}

#[test]
fn chess_positions_have_the_published_counts() {
    let Some(folder) = folder() else { return };
    let oracle = json(&folder.join("oracle/extended_perft.json"));
    let path = folder.join("extended/chess_fide.json");
    let positions = oracle["chess_fide_positions"]
        .as_array()
        .expect("positions");
    assert!(!positions.is_empty(), "there are positions");
    for (stage, position) in &Stage::each(|| positions.clone(), 3) {
        let fen = position["fen"].as_str().expect("a position");
        let game = stage.interpreter(from_fen(&path, fen));
        check_counts(&game, &game.initial(), &position["perft"], true, fen);
    }
}
