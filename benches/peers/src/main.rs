//! Speed of chess compiled from rules, beside crates that know chess, measured in the same run on one thread.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [--seconds S] [--rounds N] [--json FILE]`
//!
//! - perft: positions per second, every last position made;
//! - games: random games per second, to the end or to fifty moves without progress; repetition is off for all.
//!
//! The programs take turns, and of each the median round counts. Nothing is judged.

mod peers;

use std::process::ExitCode;
use std::time::Instant;

use rulec_runtime::search::Stopwatch;
use rulec_runtime::{ChoiceSet, Game, MoveList, OpenPlay, Rng};
use serde_json::{Value, json};

rulec_runtime::game!("../../../games/bgc/chess.json", without = "repetition");

/// Sequences of moves of this length from the start, to check what is measured.
const COUNTS: [u64; 6] = [20, 400, 8902, 197_281, 4_865_609, 119_060_324];
const DEPTH: u32 = 4;

/// One of the programs that are compared.
struct Entry {
    name: &'static str,
    perft: fn(u32) -> u64,
    /// Plies of a random game.
    game: fn(&mut Rng) -> u32,
}

const ENTRIES: [Entry; 3] = [
    Entry {
        name: "rulec",
        perft: |depth| {
            let mut lists = Vec::new();
            lists.resize_with(depth as usize, MoveList::new);
            count(&chess::Game.initial(), &mut lists)
        },
        game: |rng| {
            let mut state = chess::Game.initial();
            let mut moves = MoveList::new();
            let limit = 100_000;
            let all = ChoiceSet::All;
            chess::Game
                .random_playout(&mut state, rng, limit, all, &mut moves)
                .plies
        },
    },
    Entry {
        name: "shakmaty",
        perft: peers::shakmaty_perft,
        game: peers::shakmaty_game,
    },
    Entry {
        name: "cozy-chess",
        perft: peers::cozy_perft,
        game: peers::cozy_game,
    },
];

/// The sequences of moves of the length of `lists`, each with a list for the moves of a ply.
fn count(state: &chess::State, lists: &mut [MoveList<chess::Move>]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    moves.clear();
    if chess::Game.legal_moves(state, moves).is_err() {
        return 0;
    }
    let after = |mv: &chess::Move| {
        let mut next = state.clone();
        chess::Game.play_open(&mut next, *mv);
        count(&next, deeper)
    };
    moves.iter().map(after).sum()
}

struct Settings {
    seconds: f64,
    rounds: usize,
    json: Option<String>,
}

fn settings() -> Result<Settings, String> {
    let mut settings = Settings {
        seconds: 1.0,
        rounds: 5,
        json: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let wrong = || format!("{word} cannot be {value}");
        match word.as_str() {
            "--seconds" => settings.seconds = value.parse().map_err(|_| wrong())?,
            "--rounds" => settings.rounds = value.parse().map_err(|_| wrong())?,
            "--json" => settings.json = Some(value),
            _ => return Err(format!("there is no option {word}")),
        }
    }
    Ok(settings)
}

/// Calls `work` again and again for about so long: how much it did a second, and how often it was called a second.
fn speed(seconds: f64, mut work: impl FnMut() -> u64) -> (f64, f64) {
    let (watch, begin) = (Stopwatch::start(), Instant::now());
    let (mut done, mut calls) = (0, 0u32);
    loop {
        done += work();
        calls += 1;
        // Processor time costs a look at a file: it is asked for once.
        if begin.elapsed().as_secs_f64() >= seconds {
            let spent = watch.spent().seconds();
            return (done as f64 / spent, f64::from(calls) / spent);
        }
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

/// What a program did in one round: positions, games and plies of games a second.
fn round(entry: &Entry, number: usize, settings: &Settings) -> [f64; 3] {
    let (positions, _) = speed(settings.seconds, || (entry.perft)(DEPTH));
    let mut stream = (number as u64) << 32;
    let (plies, games) = speed(settings.seconds, || {
        stream += 1;
        (entry.game)(&mut Rng::new(1, stream)).into()
    });
    [positions, games, plies]
}

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    for entry in &ENTRIES {
        assert_eq!(
            (entry.perft)(DEPTH),
            COUNTS[DEPTH as usize - 1],
            "{}",
            entry.name
        );
    }
    let mut rounds = ENTRIES.each_ref().map(|_| Vec::new());
    for number in 0..settings.rounds.max(1) {
        for (entry, found) in ENTRIES.iter().zip(&mut rounds) {
            found.push(round(entry, number, &settings));
        }
    }
    let middle = |found: &Vec<[f64; 3]>, at: usize| median(found.iter().map(|r| r[at]).collect());
    let medians: Vec<[f64; 3]> = rounds
        .iter()
        .map(|found| [0, 1, 2].map(|at| middle(found, at)))
        .collect();
    println!(
        "{:12} {:>16} {:>12} {:>14}",
        "", "positions/s", "games/s", "plies/s"
    );
    for (entry, [positions, games, plies]) in ENTRIES.iter().zip(&medians) {
        println!(
            "{:12} {positions:>16.0} {games:>12.1} {plies:>14.0}",
            entry.name
        );
    }
    let perft = medians[0][0] / medians[1][0];
    let games = medians[0][1] / medians[2][1];
    println!("perft {perft:.4} of shakmaty, games {games:.4} of cozy-chess");
    let programs = ENTRIES.iter().zip(&medians).zip(&rounds);
    let programs: Vec<Value> = programs
        .map(|((entry, [positions, games, plies]), all)| {
            json!({
                "name": entry.name,
                "positions_per_second": positions,
                "games_per_second": games,
                "plies_per_second": plies,
                "rounds": all,
            })
        })
        .collect();
    let report = json!({
        "perft_depth": DEPTH,
        "seconds": settings.seconds,
        "perft_to_shakmaty": perft,
        "games_to_cozy_chess": games,
        "programs": programs,
    });
    match settings
        .json
        .map(|file| std::fs::write(file, format!("{report:#}\n")))
    {
        Some(Err(error)) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
