//! How many instructions a random game of some compiled games takes, counted by callgrind and compared with a baseline.
//!
//! Usage: `cargo run --release -p rulec-benches --bin instructions -- [--update] [FILE]`; the file is
//! `benches/results/instructions.json` unless another one is given. Needs valgrind.
//!
//! The games are seeded, so the counts are steady where times are not: they change with the rules, the compilers and the
//! runtime. Each is the difference between a long and a short run, so that starting costs nothing. The program ends with 1
//! if a count is more than 3 % above the baseline.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use rulec_benches::{breakthrough, connect_four, gomoku, nine_mens_morris, reversi, tic_tac_toe};
use rulec_runtime::{ChoiceSet, MoveList, OpenPlay, Rng, listed_playout};
use serde_json::{Map, Value, json};

/// Games of the short run and of the long one.
const GAMES: [u64; 2] = [20, 120];
/// Growth of a count that is reported.
const GROWTH: f64 = 1.03;

const NAMES: &[&str] = &[
    "tic_tac_toe free",
    "tic_tac_toe list",
    "connect_four free",
    "connect_four list",
    "breakthrough free",
    "reversi free",
    "gomoku free",
    "nine_mens_morris free",
];

fn play<G: OpenPlay>(game: &G, listed: bool, games: u64) -> u64 {
    let mut moves = MoveList::new();
    let mut plies = 0;
    for number in 0..games {
        let (mut state, mut rng) = (game.initial(), Rng::new(1, number));
        let set = ChoiceSet::Distinct;
        let played = match listed {
            true => listed_playout(game, &mut state, &mut rng, 10_000, set, &mut moves),
            false => game.random_playout(&mut state, &mut rng, 10_000, set, &mut moves),
        };
        plies += u64::from(played.plies);
    }
    plies
}

fn play_named(name: &str, games: u64) -> Option<u64> {
    let (game, way) = name.split_once(' ')?;
    let listed = way == "list";
    Some(match game {
        "tic_tac_toe" => play(&tic_tac_toe::Game, listed, games),
        "connect_four" => play(&connect_four::Game, listed, games),
        "breakthrough" => play(&breakthrough::Game, listed, games),
        "reversi" => play(&reversi::Game, listed, games),
        "gomoku" => play(&gomoku::Game, listed, games),
        "nine_mens_morris" => play(&nine_mens_morris::Game, listed, games),
        _ => return None,
    })
}

/// The instructions of a run, as callgrind counts them.
fn counted(name: &str, games: u64) -> Result<u64, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["--play", name, &games.to_string()])
        .output()
        .map_err(|error| format!("cannot start valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind tells no count: {text}"))
}

fn counts() -> Result<Map<String, Value>, String> {
    let mut all = Map::new();
    for name in NAMES {
        let [short, long] = GAMES;
        let spent = counted(name, long)?.saturating_sub(counted(name, short)?);
        all.insert((*name).to_owned(), json!(spent / (long - short)));
    }
    Ok(all)
}

/// Prints the counts beside the baseline; whether none grew.
fn compare(counts: &Map<String, Value>, baseline: &Value) -> bool {
    println!(
        "{:24} {:>12} {:>12} {:>7}",
        "instructions a game", "baseline", "now", "ratio"
    );
    let mut good = true;
    for (name, now) in counts {
        let now = now.as_f64().unwrap_or(0.0);
        let before = baseline[name].as_f64().unwrap_or(now);
        let ratio = now / before.max(1.0);
        good &= ratio <= GROWTH;
        println!("{name:24} {before:12.0} {now:12.0} {ratio:7.3}");
    }
    good
}

fn run() -> Result<bool, String> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, games] = &words[..]
        && flag == "--play"
    {
        let games = games
            .parse()
            .map_err(|_| "--play needs a number of games")?;
        let plies = play_named(name, games).ok_or("there is no such game")?;
        println!("{plies} plies");
        return Ok(true);
    }
    let update = words.first().is_some_and(|word| word == "--update");
    words.drain(..usize::from(update));
    let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/results/instructions.json");
    let file = PathBuf::from(words.first().map_or(usual, String::as_str));
    let counts = counts()?;
    if update {
        let text = format!("{:#}\n", Value::Object(counts));
        rulec_benches::write_whole(&file, &text)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        return Ok(true);
    }
    let text =
        std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let baseline = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(compare(&counts, &baseline))
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
