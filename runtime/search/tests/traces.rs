//! Traces: the same for the same rules, and the protocol tells what the functions tell.

#[path = "common/mod.rs"]
mod common;
#[path = "../examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use common::{Puzzle, Race};
use rulec_core::FullGame;
use rulec_search::{
    start,
    trace::{TraceJob, describe, moves_of, path, serve, trace},
};
use tic_tac_toe::TicTacToe;

const JOB: TraceJob = TraceJob {
    seed: 3,
    first: 5,
    games: 20,
    plies: 40,
    deep: 1,
};

fn served<G: FullGame>(game: &G, requests: &str) -> Vec<String> {
    let mut out = Vec::new();
    serve(&start(game), requests.as_bytes(), &mut out).expect("writing to memory works");
    let text = String::from_utf8(out).expect("texts are UTF-8");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_trace_has_a_number_for_each_position() {
    let games = trace(&start(&TicTacToe), &JOB);
    assert_eq!(games.len(), 20);
    assert!(games.iter().all(|g| (6..=10).contains(&g.len())));
    assert!(
        games.iter().all(|g| g[0] == games[0][0]),
        "all begin in one position"
    );
    assert_eq!(games, trace(&start(&TicTacToe), &JOB));
    let later = TraceJob {
        first: 7,
        games: 1,
        ..JOB
    };
    assert_eq!(
        trace(&start(&TicTacToe), &later),
        games[2..3],
        "a game depends on its own number only"
    );
}

#[test]
fn a_path_leads_to_the_position_that_is_described() {
    let state = start(&TicTacToe);
    let moves = path(&state, &JOB, 6, 4);
    assert_eq!(moves.len(), 4);
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let description = describe(&state, &moves).expect("the moves are legal");
    assert_eq!(moves_of(&description).count(), 5);
    assert_eq!(
        description
            .iter()
            .filter(|l| l.starts_with("after "))
            .count(),
        5
    );
    assert_eq!(describe(&state, &["nonsense"]), None);
}

#[test]
fn draws_and_faults_are_part_of_a_trace() {
    for games in [trace(&start(&Race), &JOB), trace(&start(&Puzzle), &JOB)] {
        assert!(games.iter().any(|g| g != &games[0]));
    }
    let mut seen = Vec::new();
    for game in 0..20 {
        let state = start(&Puzzle);
        let moves = path(&state, &JOB, game, 100);
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        seen.extend(describe(&state, &moves).expect("the moves are legal"));
    }
    assert!(seen.iter().any(|line| line.contains("fault ")));
}

#[test]
fn the_protocol_tells_the_same() {
    let state = start(&Race);
    let numbers = "3 5 20 40 1";
    let lines = served(&Race, &format!("trace {numbers}\n"));
    let expected: Vec<String> = trace(&state, &JOB)
        .iter()
        .map(|game| {
            game.iter()
                .map(|n| format!("{n:x}"))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(lines, expected);
    let moves = served(&Race, &format!("path 9 3 {numbers}")).concat();
    assert_eq!(moves, path(&state, &JOB, 9, 3).join("; "));
    let lines = served(&Race, &format!("describe {moves}"));
    let moves: Vec<&str> = moves.split("; ").collect();
    let expected = describe(&state, &moves).expect("the moves are legal");
    assert_eq!(lines[0], expected.len().to_string());
    assert_eq!(lines[1..], expected);
    assert_eq!(
        served(&Race, "describe x\ndance\n"),
        ["none", "unknown request"]
    );
}
