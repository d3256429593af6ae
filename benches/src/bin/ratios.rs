//! Compiled games beside games written by hand, in one run on one thread: a table of ratios.
//!
//! Usage: `cargo run --release -p rulec-benches --bin ratios -- [--seconds S] [--rounds N] [--json FILE] [--build yes] [--newer yes]`.
//!
//! Of each game two ways to play at random are measured: `free` draws a move without a list where it can, `list` lists the
//! moves of each ply and picks one. Each is compared with the loop by hand that does the same. The programs take turns,
//! and the median round counts. Both sides are the versions for any processor, or with `--newer yes` those for processors that count
//! bits in one instruction, where the loop has such a version. With `--build yes` it is measured too what each game costs to compile. Nothing is judged.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rulec_benches::{
    breakthrough, building, connect_four, frogs, gomoku, hand, knightthrough, morris,
    nine_mens_morris, reversi, tic_tac_toe,
};
use rulec_runtime::search::Stopwatch;
use rulec_runtime::{ChoiceSet, MoveList, OpenPlay, Rng, cpu, listed_playout};
use serde_json::{Value, json};

/// Plies after which a game would be stopped.
const LIMIT: u32 = 10_000;

/// Games between two looks at the clock.
const BATCH: u64 = 64;

/// Plays so many games of a round from a number on, and tells their plies.
type Batch = fn(u64, u64) -> u64;

/// A game, compiled and by hand.
struct Entry {
    game: &'static str,
    way: &'static str,
    compiled: Batch,
    by_hand: Batch,
}

/// A batch of games by hand: compiled for newer processors, too, as compiled games are.
macro_rules! by_hand {
    ($hand:path) => {
        |round, first| {
            struct ByHand(u64, u64);
            impl cpu::Job for ByHand {
                type Output = u64;

                #[inline(always)]
                fn run(self) -> u64 {
                    let ByHand(round, first) = self;
                    let (mut rng, mut plies) = (Rng::new(round, first), 0);
                    for _ in 0..BATCH {
                        plies += u64::from($hand(&mut rng).plies);
                    }
                    plies
                }
            }
            cpu::run(ByHand(round, first))
        }
    };
}

macro_rules! entry {
    ($game:ident free $hand:path) => {
        Entry {
            game: stringify!($game),
            way: "free",
            compiled: |round, first| compiled(&$game::Game, round, first),
            by_hand: by_hand!($hand),
        }
    };
    ($game:ident list $hand:path) => {
        Entry {
            game: stringify!($game),
            way: "list",
            compiled: |round, first| listed(&$game::Game, round, first),
            by_hand: |round, first| batch(round, first, |rng| $hand(rng).plies),
        }
    };
}

const ENTRIES: &[Entry] = &[
    entry!(tic_tac_toe free hand::tic_tac_toe),
    entry!(tic_tac_toe list hand::tic_tac_toe_listed),
    entry!(connect_four free hand::connect_four),
    entry!(connect_four list hand::connect_four_listed),
    entry!(breakthrough free hand::breakthrough),
    entry!(breakthrough list hand::breakthrough_listed),
    entry!(knightthrough free hand::knightthrough),
    entry!(reversi free hand::reversi),
    entry!(gomoku free hand::gomoku),
    entry!(nine_mens_morris free morris::nine_mens_morris),
    entry!(frogs free hand::frogs),
];

/// The plies of a batch of games.
#[inline(always)]
fn batch(round: u64, first: u64, mut game: impl FnMut(&mut Rng) -> u32) -> u64 {
    let mut rng = Rng::new(round, first);
    (0..BATCH).map(|_| u64::from(game(&mut rng))).sum()
}

/// The plies of random games the way the game plays them itself.
fn compiled<G: OpenPlay>(game: &G, round: u64, first: u64) -> u64 {
    let mut moves = MoveList::new();
    batch(round, first, |rng| {
        let mut state = game.initial();
        let set = ChoiceSet::Distinct;
        let playout = game.random_playout(&mut state, rng, LIMIT, set, &mut moves);
        playout.plies
    })
}

/// The plies of random games whose moves are listed at each ply.
fn listed<G: OpenPlay>(game: &G, round: u64, first: u64) -> u64 {
    let mut moves = MoveList::new();
    batch(round, first, |rng| {
        let mut state = game.initial();
        let set = ChoiceSet::Distinct;
        listed_playout(game, &mut state, rng, LIMIT, set, &mut moves).plies
    })
}

struct Settings {
    seconds: f64,
    rounds: usize,
    json: Option<PathBuf>,
    build: bool,
    newer: bool,
}

fn settings() -> Result<Settings, String> {
    let mut settings = Settings {
        seconds: 0.5,
        rounds: 5,
        json: None,
        build: false,
        newer: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let wrong = |_| format!("{word} cannot be {value}");
        match word.as_str() {
            "--seconds" => {
                settings.seconds = value
                    .parse()
                    .map_err(|e: std::num::ParseFloatError| wrong(e.to_string()))?
            }
            "--rounds" => {
                settings.rounds = value
                    .parse()
                    .map_err(|e: std::num::ParseIntError| wrong(e.to_string()))?
            }
            "--build" => settings.build = value == "yes",
            "--newer" => settings.newer = value == "yes",
            "--json" => settings.json = Some(value.into()),
            _ => return Err(format!("there is no option {word}")),
        }
    }
    Ok(settings)
}

/// Games and plies a second of processor time.
fn speed(game: Batch, round: usize, seconds: f64) -> (f64, f64) {
    let (watch, begin) = (Stopwatch::start(), Instant::now());
    let (mut games, mut plies) = (0u64, 0u64);
    // Processor time costs a look at a file, as much as many games: it is asked for once.
    while begin.elapsed().as_secs_f64() < seconds {
        plies += game(round as u64, games);
        games += BATCH;
    }
    let spent = watch.spent().seconds().max(1e-9);
    (games as f64 / spent, plies as f64 / spent)
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

fn measure(entry: &Entry, settings: &Settings) -> Value {
    let rounds: Vec<[(f64, f64); 2]> = (0..settings.rounds.max(1))
        .map(|round| {
            let of = |game| speed(game, round, settings.seconds);
            [of(entry.compiled), of(entry.by_hand)]
        })
        .collect();
    let ratio = median(rounds.iter().map(|[ours, hand]| ours.0 / hand.0));
    let middle = |which: usize| median(rounds.iter().map(|round| round[which].0));
    json!({
        "game": entry.game,
        "way": entry.way,
        "compiled_games_per_second": middle(0).round(),
        "by_hand_games_per_second": middle(1).round(),
        "plies_per_game": median(rounds.iter().map(|[ours, _]| ours.1 / ours.0)),
        "ratio": ratio,
    })
}

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    if cpu::choose(settings.newer) != settings.newer {
        eprintln!("error: this processor has nothing that the newer versions need");
        return ExitCode::FAILURE;
    }
    println!(
        "{:14} {:5} {:>14} {:>14} {:>9} {:>7}",
        "game", "way", "compiled /s", "by hand /s", "plies", "ratio"
    );
    let mut rows = Vec::new();
    for entry in ENTRIES {
        let row = measure(entry, &settings);
        let number = |key: &str| row[key].as_f64().unwrap_or(0.0);
        println!(
            "{:14} {:5} {:>14.0} {:>14.0} {:>9.1} {:>7.3}",
            entry.game,
            entry.way,
            number("compiled_games_per_second"),
            number("by_hand_games_per_second"),
            number("plies_per_game"),
            number("ratio"),
        );
        rows.push(row);
    }
    let builds = match settings.build {
        true => building::all(),
        false => Ok(Vec::new()),
    };
    let builds = match builds {
        Ok(builds) => builds,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(file) = &settings.json {
        let text = format!("{:#}\n", json!({ "speed": rows, "build": builds }));
        if let Err(error) = rulec_benches::write_whole(file, &text) {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
