//! Random games per second of processor time of rule files, by the reference interpreter and quickly.
//!
//! `cargo run --release -p rulec-quick --example speed -- SECONDS FILE...`

use std::time::Instant;

use rulec_compiler::pipeline::{Options, Passes, Without, compile_text};
use rulec_core::{ChoiceSet, Game, MoveList, Rng};
use rulec_interpreted::InterpretedGame;
use rulec_quick::QuickGame;

fn rate<G: Game>(game: &G, seconds: f64, choices: ChoiceSet) -> (f64, f64) {
    let mut rng = Rng::new(1, 0);
    let mut buffer = MoveList::new();
    let start = Instant::now();
    let (mut games, mut plies) = (0_u64, 0_u64);
    let first = game.initial();
    while games == 0 || start.elapsed().as_secs_f64() < seconds {
        let mut state = first.clone();
        let playout = game.random_playout(&mut state, &mut rng, 2000, choices, &mut buffer);
        plies += u64::from(playout.plies);
        games += 1;
    }
    let spent = start.elapsed().as_secs_f64();
    (games as f64 / spent, plies as f64 / spent)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(0.3);
    for file in args {
        let text = std::fs::read(&file).expect("the file is there");
        let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
        let options = Options {
            language: None,
            passes: Passes::all(),
            image_folder: None,
            without: Without::Nothing,
            settings: Vec::new(),
            limit: None,
        };
        let output = match compile_text(&name, &text, &options) {
            Ok(output) => output,
            Err(error) => {
                println!("{name}: {}", error.lines().next().unwrap_or(""));
                continue;
            }
        };
        let start = Instant::now();
        let quick = match QuickGame::new(output.game) {
            Ok(quick) => quick,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let made = start.elapsed().as_secs_f64() * 1000.0;
        let slow = InterpretedGame::new(output.lowered).expect("it is sound");
        let (reference, _) = rate(&slow, seconds, ChoiceSet::All);
        let (games, plies) = rate(&quick, seconds, ChoiceSet::All);
        let (distinct, _) = rate(&quick, seconds, ChoiceSet::Distinct);
        println!(
            "{name:28} reference {reference:10.1} quick {games:11.1} games/s {plies:11.0} plies/s, \
             distinct {distinct:10.1}, ratio {:7.1}, state {} B, made in {made:.1} ms",
            games / reference,
            quick.info().state_bytes,
        );
    }
}
