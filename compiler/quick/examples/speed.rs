//! Random games per second of processor time of rule files, by the reference interpreter and quickly, and how long it takes
//! from the text of the rules to the first move.
//!
//! `cargo run --release -p rulec-quick --example speed -- SECONDS FILE...`; with 0 seconds so many games as `GAMES` says
//! (100) are played quickly, for profiles.

use std::ops::Range;
use std::time::Instant;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use rulec_compiler::pipeline::{Options, Output, compile_text};
use rulec_core::{ChoiceSet, Game, MoveList, PlayoutSums, RandomStreams};
use rulec_interpreted::InterpretedGame;
use rulec_quick::QuickGame;

/// Seconds of processor time of this thread where the system tells, else of the clock.
fn now(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| start.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

struct Rate {
    games: f64,
    plies: f64,
}

fn rate<G: Game>(game: &G, seconds: f64, choices: ChoiceSet) -> Rate {
    let clock = Instant::now();
    let first = game.initial();
    let begin = now(clock);
    let (mut games, mut plies, mut batch) = (0_u64, 0_u64, 1);
    loop {
        plies += play(game, &first, games..games + batch, choices);
        games += batch;
        let spent = now(clock) - begin;
        if spent >= seconds {
            return Rate {
                games: games as f64 / spent,
                plies: plies as f64 / spent,
            };
        }
        batch = if spent < seconds / 50.0 {
            batch * 2
        } else {
            batch
        };
    }
}

/// Plays games of some streams: plies.
fn play<G: Game>(game: &G, first: &G::State, streams: Range<u64>, choices: ChoiceSet) -> u64 {
    let (mut sums, mut buffer) = (PlayoutSums::default(), MoveList::new());
    let games = RandomStreams {
        seed: 1,
        streams,
        limit: 2000,
        choices,
    };
    game.random_playouts(first, &games, &mut buffer, &mut sums);
    sums.plies
}

fn compiled(name: &str, text: &[u8]) -> Result<Output, String> {
    let options = Options::default();
    compile_text(name, text, &options)
}

fn measure(file: &str, seconds: f64) -> Result<(), String> {
    let text = std::fs::read(file).map_err(|error| error.to_string())?;
    let name = file.rsplit('/').next().unwrap_or(file);
    let clock = Instant::now();
    let begin = now(clock);
    let output = compiled(name, &text)?;
    let passed = now(clock);
    let quick = QuickGame::new(output.game).map_err(|error| error.to_string())?;
    let (first, mut moves) = (quick.initial(), MoveList::new());
    let _ = quick.legal_moves(&first, &mut moves);
    let ready = now(clock);
    if seconds == 0.0 {
        let games = std::env::var("GAMES").ok();
        let games = games.and_then(|text| text.parse().ok()).unwrap_or(100);
        println!("{} plies", play(&quick, &first, 0..games, ChoiceSet::All));
        return Ok(());
    }
    let slow = InterpretedGame::new(output.lowered).map_err(|error| error.to_string())?;
    let mut ratios = Vec::new();
    let mut last = None;
    for _ in 0..3 {
        let reference = rate(&slow, seconds, ChoiceSet::All);
        let all = rate(&quick, seconds, ChoiceSet::All);
        ratios.push(all.games / reference.games);
        last = Some((reference, all));
    }
    ratios.sort_by(f64::total_cmp);
    let distinct = rate(&quick, seconds, ChoiceSet::Distinct);
    if let Some((reference, all)) = last {
        println!(
            "{name:28} reference {:9.1} quick {:10.1} games/s {:10.0} plies/s, distinct {:10.1}, ratio {:6.1}, state {} B, \
             compiled in {:.1} ms, made in {:.1} ms",
            reference.games,
            all.games,
            all.plies,
            distinct.games,
            ratios[1],
            quick.info().state_bytes,
            (passed - begin) * 1e3,
            (ready - passed) * 1e3,
        );
    }
    Ok(())
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(0.3);
    for file in args {
        if let Err(error) = measure(&file, seconds) {
            println!("{file}: {}", error.lines().next().unwrap_or_default());
        }
    }
}
