//! Perft, random games and exploration against known numbers.

#[path = "common/mod.rs"]
mod common;
#[path = "../examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use std::{collections::BTreeMap, time::Duration};

use common::{Puzzle, Race};
use rulec_core::{
    ChanceList, ChoiceSet, Game, MoveList, Playout, Reason, Rng, Silent, StateText, listed_playout,
};
use rulec_search::{
    AnyState, ResultCounts,
    explore::{Exploration, ExploreLimits, Graph, Keep, explore},
    perft::{Task, Unit, count, divide},
    playout::{PlayoutJob, Tally, Until, playouts},
    selfplay::{Place, SelfplayJob, Temperature, play_to_files, rotated_seats},
    solve::{Value, line, values},
    start,
};
use tic_tac_toe::TicTacToe;

const GAMES: [u64; 10] = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];

fn labels(counts: &ResultCounts) -> Vec<(String, u64)> {
    counts.by_label().into_iter().collect()
}

/// All moves, one by one.
fn moves(depth: u32) -> Task {
    Task {
        depth,
        unit: Unit::Move,
        choices: ChoiceSet::All,
        one_by_one: true,
    }
}

#[test]
fn perft_counts_every_game_of_tic_tac_toe() {
    let game = TicTacToe;
    let perft = count(&game, &game.initial(), 10, ChoiceSet::All);
    assert_eq!(perft.depths[..10], GAMES);
    assert_eq!(perft.depths[10], 0);
    let ended: u64 = perft.ended.iter().map(ResultCounts::total).sum();
    assert_eq!(ended, 255_168);
    let by_label = perft.ended_by_label();
    assert_eq!(by_label["5:1"], 1440);
    assert_eq!(by_label["6:2"], 5328);
    assert_eq!(by_label["9:stuck"], 46_080);
}

#[test]
fn perft_does_not_depend_on_threads_and_divides() {
    let game = TicTacToe;
    for depth in 0..=7 {
        let whole = count(&game, &game.initial(), depth, ChoiceSet::All);
        for threads in 1..=3 {
            let (perft, parts) = divide(&*start(&game), &moves(depth), threads, &mut |_| true);
            assert_eq!(perft, whole);
            let sum: u64 = parts.iter().map(|(_, n)| n).sum();
            assert_eq!(
                sum,
                if depth == 0 {
                    0
                } else {
                    whole.depths[depth as usize]
                }
            );
            assert_eq!(parts.len(), if depth == 0 { 0 } else { 9 });
        }
    }
}

#[test]
fn perft_counts_results_of_draws_as_moves() {
    let perft = count(&Race, &Race.initial(), 3, ChoiceSet::All);
    // take | roll, then 2 moves or 3 results, then after take take|roll, after roll 2 moves each.
    assert_eq!(perft.depths, [1, 2, 5, 2 + 3 + 3 * 2]);
    let (threaded, _) = divide(&*start(&Race), &moves(9), 2, &mut |_| true);
    assert_eq!(threaded, count(&Race, &Race.initial(), 9, ChoiceSet::All));
}

#[test]
fn perft_knows_distinct_moves_and_faults() {
    let all = count(&Puzzle, &6, 2, ChoiceSet::All);
    assert_eq!(all.depths, [1, 3, 0]);
    assert_eq!(
        all.ended_by_label(),
        BTreeMap::from([("1:fault".into(), 1), ("1:stuck".into(), 2)])
    );
    let distinct = count(&Puzzle, &4, 2, ChoiceSet::Distinct);
    assert_eq!(distinct.depths, [1, 2, 4]);
}

#[test]
fn perft_stops_when_told() {
    let (perft, _) = divide(&*start(&TicTacToe), &moves(9), 1, &mut |_| false);
    assert!(perft.depths[9] < GAMES[9]);
}

fn limits(identity: usize) -> ExploreLimits {
    ExploreLimits {
        identity,
        choices: ChoiceSet::Distinct,
        depth: None,
        states: 1_000_000,
        keep: Keep::Nothing,
        orbits: rulec_search::orbit::Orbits::Off,
    }
}

fn explored(limits: ExploreLimits) -> Exploration {
    explore(&TicTacToe, &TicTacToe.initial(), &limits, &mut |_| true)
}

const STATES: [u64; 10] = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78];

#[test]
fn exploration_finds_every_position_of_tic_tac_toe() {
    let found = explored(limits(0));
    assert!(found.complete);
    assert_eq!(found.new_states, STATES);
    assert_eq!(found.states(), 5478);
    let ends: Vec<_> = found.terminals.iter().map(labels).collect();
    let pair = |label: &str, n| (label.to_owned(), n);
    assert!(ends[..5].iter().all(Vec::is_empty));
    assert_eq!(
        ends[5..],
        [
            vec![pair("1", 120)],
            vec![pair("2", 148)],
            vec![pair("1", 444)],
            vec![pair("2", 168)],
            vec![pair("1", 62), pair("stuck", 16)],
        ]
    );
}

#[test]
fn limits_of_exploration_leave_whole_layers() {
    let to_depth = |depth| {
        explored(ExploreLimits {
            depth: Some(depth),
            ..limits(0)
        })
    };
    let found = to_depth(6);
    assert_eq!(
        (&found.new_states[..], found.terminals.len(), found.complete),
        (&STATES[..7], 6, false)
    );
    let found = to_depth(9);
    assert_eq!(
        (
            found.new_states.len(),
            found.terminals.len(),
            found.complete
        ),
        (10, 10, true)
    );
    let found = to_depth(0);
    assert_eq!(
        (
            found.new_states.len(),
            found.terminals.len(),
            found.complete
        ),
        (1, 0, false)
    );
    let found = explored(ExploreLimits {
        states: 2000,
        ..limits(0)
    });
    assert_eq!(
        (&found.new_states[..], found.complete),
        (&STATES[..5], false)
    );
    let exact = explored(ExploreLimits {
        states: 5478,
        ..limits(0)
    });
    assert!(exact.complete);
}

#[test]
fn a_last_layer_without_new_positions_is_complete() {
    let found = explore(
        &Puzzle,
        &9,
        &ExploreLimits {
            depth: Some(1),
            ..limits(0)
        },
        &mut |_| true,
    );
    assert!(found.complete);
    assert_eq!(found.new_states, [1, 2]);
    assert_eq!(
        labels(&found.terminals[1]),
        [("1".to_owned(), 1), ("stuck".to_owned(), 1)]
    );
}

#[test]
fn identities_merge_what_they_ignore() {
    let run = |identity| explore(&Race, &Race.initial(), &limits(identity), &mut |_| true);
    let (with, without) = (run(0), run(1));
    assert!(with.complete && without.complete);
    assert!(without.states() < with.states());
}

#[test]
fn the_way_to_a_win_is_shortest_and_wins() {
    let to_win = ExploreLimits {
        keep: Keep::WayToWin,
        ..limits(0)
    };
    let found = explore(&Puzzle, &0, &to_win, &mut |_| true);
    let way = found.way.expect("there is a way");
    assert_eq!(way.len(), 5);
    let mut state = 0;
    for code in way {
        let mv = Puzzle.move_from_code(code).expect("codes are of moves");
        Puzzle.play(&mut state, mv, &mut Silent);
    }
    assert_eq!(state, 10);
    assert_eq!(
        explore(&Puzzle, &10, &to_win, &mut |_| true).way,
        Some(vec![])
    );
    assert_eq!(explore(&Puzzle, &11, &to_win, &mut |_| true).way, None);
}

fn graph(text: &str) -> Graph {
    let state = TicTacToe
        .parse_state(text)
        .expect("the tests know the form");
    let keep = ExploreLimits {
        keep: Keep::Graph,
        ..limits(0)
    };
    let found = explore(&TicTacToe, &state, &keep, &mut |_| true);
    assert!(found.complete);
    assert_eq!(found.states(), found.graph.states.len() as u64);
    found.graph
}

#[test]
fn perfect_play_of_tic_tac_toe() {
    let whole = graph(".../.../...");
    let all = values(&whole);
    assert_eq!((all[0], line(&whole, &all).len()), (Value::Draw, 9));
    let wins = |player| {
        all.iter()
            .filter(|v| matches!(v, Value::Win { player: p, .. } if *p == player))
            .count()
    };
    assert_eq!((wins(0), wins(1), all.len()), by_minimax(&whole));
    let lost = graph("x../.o./..x");
    let after_corner = graph("xo./.../...");
    assert_eq!(values(&lost)[0], Value::Draw);
    assert_eq!(
        values(&after_corner)[0],
        Value::Win {
            player: 0,
            moves: 5
        }
    );
    assert_eq!(line(&after_corner, &values(&after_corner)).len(), 5);
}

/// Counts the states that are won for each player, worked out forwards: states of a later layer have greater numbers.
fn by_minimax(graph: &Graph) -> (usize, usize, usize) {
    let mut winners: Vec<Option<usize>> = vec![None; graph.states.len()];
    for state in (0..graph.states.len()).rev() {
        winners[state] = match graph.states[state] {
            Err(outcome) => outcome.winner(),
            Ok(mover) => {
                let mut children = graph
                    .moves(state)
                    .iter()
                    .map(|(_, child)| winners[*child as usize]);
                let rank =
                    |winner: &Option<usize>| winner.map_or(1, |w| if w == mover { 2 } else { 0 });
                children.by_ref().max_by_key(rank).flatten()
            }
        };
    }
    let count = |player| winners.iter().filter(|w| **w == Some(player)).count();
    (count(0), count(1), winners.len())
}

fn job(seed: u64) -> PlayoutJob {
    PlayoutJob {
        seed,
        limit: 100,
        choices: ChoiceSet::All,
    }
}

fn without_times(mut tally: Tally) -> Tally {
    tally.spent = Default::default();
    tally
}

#[test]
fn random_games_do_not_depend_on_threads() {
    let tallies: Vec<Tally> = (1..=3)
        .map(|threads| {
            playouts(
                &*start(&Race),
                &job(5),
                Until::Games(3000),
                threads,
                &mut |_| true,
            )
        })
        .map(without_times)
        .collect();
    assert_eq!(tallies[0].games(), 3000);
    assert!(tallies.iter().all(|tally| *tally == tallies[0]));
    let other = playouts(&*start(&Race), &job(6), Until::Games(3000), 1, &mut |_| {
        true
    });
    assert_ne!(without_times(other), tallies[0]);
}

#[test]
fn random_games_are_uniform_over_moves() {
    let tally = playouts(
        &*start(&TicTacToe),
        &job(1),
        Until::Games(100_000),
        2,
        &mut |_| true,
    );
    // Exact chances of uniform play: cross wins 737/1260, nought 121/420, nobody 8/63.
    let share = |label: &str| tally.results.by_label()[label] as f64 / 100_000.0;
    assert!((share("1") - 737.0 / 1260.0).abs() < 0.005);
    assert!((share("2") - 121.0 / 420.0).abs() < 0.005);
    assert!((share("stuck") - 8.0 / 63.0).abs() < 0.005);
    assert_eq!((tally.shortest, tally.longest), (Some(5), 9));
}

#[test]
fn timed_random_games_stop() {
    let until = Until::Time(Duration::from_millis(30));
    let tally = playouts(&*start(&TicTacToe), &job(1), until, 2, &mut |_| true);
    assert!(tally.games() > 0 && tally.spent.seconds() > 0.0);
    // On a busy machine all the time may be gone before a thread begins.
    let none = Until::Time(Duration::ZERO);
    for threads in [1, 2] {
        let tally = playouts(&*start(&TicTacToe), &job(1), none, threads, &mut |_| true);
        assert_eq!(tally.games(), 1);
    }
}

#[test]
fn a_playout_reports_limits_and_faults() {
    let run = |state: &mut u8, limit, stream| {
        let mut buffer = MoveList::new();
        listed_playout(
            &Puzzle,
            state,
            &mut Rng::new(1, stream),
            limit,
            ChoiceSet::All,
            &mut buffer,
        )
    };
    let stopped = Playout {
        plies: 2,
        moves: 6,
        counted: 2,
        outcome: None,
    };
    assert_eq!(run(&mut 0, 2, 0), stopped);
    let faulty = run(&mut 7, 9, 0).outcome.map(|o| o.reason.word());
    assert_eq!(faulty, Some("fault"));
    assert_eq!(
        run(&mut 11, 9, 0).outcome.map(|o| o.reason),
        Some(Reason::Stuck)
    );
}

#[test]
fn weights_of_draws_are_exact() {
    let mut rolling = Race.initial();
    Race.play(&mut rolling, 1, &mut Silent);
    let mut list = ChanceList::new();
    Race.chance_outcomes(&rolling, &mut list);
    assert_eq!(
        (list.as_slice(), list.total()),
        (&[(2, 3), (3, 2), (4, 1)][..], 6)
    );
    let mut rng = Rng::new(3, 0);
    let mut hits = [0; 5];
    for _ in 0..60_000 {
        hits[usize::from(list.draw(&mut rng).unwrap_or(0))] += 1;
    }
    let expected = [0, 0, 30_000, 20_000, 10_000];
    assert!(
        hits.iter()
            .zip(expected)
            .all(|(n, e): (&i32, i32)| (n - e).abs() < 600),
        "{hits:?}"
    );
}

#[test]
fn selfplay_does_not_depend_on_threads() {
    let job = SelfplayJob {
        seed: 9,
        limit: 100,
        bots: vec![
            "uct:30".parse().expect("a bot"),
            "random".parse().expect("a bot"),
        ],
        seats: rotated_seats(2, 2),
        temperature: Temperature::default(),
        noise: None,
        openings: Vec::new(),
        random_plies: (0, 0),
    };
    let path = std::env::temp_dir().join(format!("rulec-threads-{}.jsonl", std::process::id()));
    let place = Place::File {
        records: path.clone(),
        samples: None,
        augment: false,
        games: 0..40,
    };
    let runs: Vec<(Vec<u8>, _)> = (1..=3)
        .map(|threads| {
            let settings = serde_json::Value::Null;
            let (race, tell) = (start(&Race), &mut |_| true);
            let report = play_to_files(&*race, &job, &place, &settings, threads, tell);
            let (report, _) = report.expect("the file can be written");
            let file = std::fs::read(&path).expect("the file is there");
            (
                file,
                (
                    without_times(report.tally.clone()),
                    report.mean_payoff(0),
                    report.mean_payoff(1),
                ),
            )
        })
        .collect();
    std::fs::remove_file(&path).expect("the file is there");
    assert!(runs.iter().all(|run| *run == runs[0]));
    let text = String::from_utf8(runs[0].0.clone()).expect("JSON is UTF-8");
    assert_eq!(text.lines().count(), 41);
    let (_, uct, random) = runs[0].1.clone();
    assert!(uct > random, "{uct} {random}");
    for (index, line) in text.lines().take(40).enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        assert_eq!(record["index"], index);
        replays(&*start(&Race), &record);
    }
}

/// A record leads to the result that it states.
fn replays<'g>(state: &(dyn AnyState<'g> + 'g), record: &serde_json::Value) {
    let mut state = state.fork();
    for text in record["moves"].as_array().expect("moves are a list") {
        let code = rulec_search::notation::find_move(&*state, text.as_str().expect("a text"));
        assert!(state.play(code.expect("recorded moves are legal"), None));
    }
    assert_eq!(
        state.outcome().map(|o| o.label()).as_deref(),
        record["result"].as_str()
    );
}
