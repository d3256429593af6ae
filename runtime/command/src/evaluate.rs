//! `evaluate`: learning what things are worth in a game.

use std::{
    fmt::Write as _,
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use rulec_core::GameInfo;
use serde_json::{Value, json};

use super::{Error, StartArgs, Ticker, emit};
use rulec_search::{
    AnyState, Order, available_threads,
    evaluation::{
        ENDING,
        learn::{Change, Learning, Settings, Worth, learn},
    },
    files::NewFile,
    numbers::parse_count,
    ordered,
};

/// Arguments of `evaluate`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  evaluate --out chess.eval.json\n  evaluate --games 5000 --rounds 4 --json\n\n\
    For games of two players and more. An evaluation counts what stands in a position and where, and says how likely a player is to win; it is\n\
    learnt from random games, then from games of the program against itself, each round of which is kept only if it is no worse than the last.\n\
    At last what each thing is worth is changed for as long as that wins games.\n\
    Players use the file: alphabeta:eval=chess.eval.json, or with more than two players paranoid:eval=FILE. A weight is the logarithm of the odds that one thing more is worth."
)]
pub struct EvaluateArgs {
    /// Write the evaluation to a file, whose name ends in .eval.json
    #[arg(long, value_name = "FILE", value_parser = ends_well)]
    pub out: Option<PathBuf>,
    /// Random games to begin with
    #[arg(long, value_name = "N", default_value = "2000", value_parser = parse_count)]
    pub games: u64,
    /// Rounds of games against itself after them
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u32,
    /// Games of a round
    #[arg(long, value_name = "N", default_value = "600", value_parser = parse_count)]
    pub each: u64,
    /// Moves that players look ahead in these games, not counting exchanges
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub depth: u32,
    /// Games by which each change of what things are worth is tried in the end; 0 leaves weights as games told them
    #[arg(long, value_name = "N", default_value = "200", value_parser = parse_count)]
    pub trials: u64,
    /// Plies after which a game is given up, and teaches nothing
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub limit: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; all that the machine has if not given
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Where games begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

fn ends_well(name: &str) -> Result<PathBuf, String> {
    match name.ends_with(ENDING) {
        true => Ok(PathBuf::from(name)),
        false => Err(format!(
            "the name must end in {ENDING}, by which players know it"
        )),
    }
}

pub(super) fn evaluate<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &EvaluateArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = ordered(&*args.start.reach(start)?, Order::RoundRobin, false);
    let settings = Settings {
        games: args.games.max(1),
        rounds: args.rounds,
        trials: args.trials,
        each: args.each.max(1),
        depth: args.depth,
        limit: args.limit,
        seed: args.seed,
        threads: args.threads.unwrap_or_else(available_threads),
    };
    let mut ticker = Ticker::new();
    let learning = learn(&state, &settings, &mut |what, done, all| {
        ticker.tell(|| format!("{what}: {done} of {all}"));
        true
    });
    let learning = learning.map_err(Error::User)?;
    if let Some(path) = &args.out {
        let text = serde_json::to_string(&learning.evaluation.to_json());
        write(path, &text.map_err(std::io::Error::from)?)?;
    }
    let about = || json(state.info().name, &learning);
    emit(out, args.json, about, || {
        text(state.info(), &learning, args.out.as_deref())
    })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    Ok(file.finish()?)
}

fn json(name: &str, learning: &Learning) -> Value {
    let worth = |w: &Worth| json!({ "plane": w.plane, "name": w.name, "weight": w.weight, "error": w.error, "units": w.units });
    let rounds = learning.rounds.iter().map(|round| {
        json!({
            "games": round.games,
            "positions": round.positions,
            "score": round.score,
            "kept": round.kept,
        })
    });
    let changes = learning.changes.iter().map(
        |change| json!({ "name": change.name, "factor": change.factor, "score": change.score }),
    );
    json!({
        "game": name,
        "worth": learning.worth.iter().map(worth).collect::<Vec<_>>(),
        "rounds": rounds.collect::<Vec<_>>(),
        "changes": changes.collect::<Vec<_>>(),
        "against_random": { "score": learning.against_random.0, "games": learning.against_random.1 },
    })
}

/// Things that are listed at most.
const LISTED: usize = 40;
/// Characters of the longest bar.
const BAR: f64 = 30.0;

fn text(info: &GameInfo, learning: &Learning, path: Option<&Path>) -> String {
    let (name, players) = (info.name, info.players.len());
    let mut text = format!("{name}\n\n");
    for (number, round) in learning.rounds.iter().enumerate() {
        let verdict = match (round.score, round.kept) {
            (None, _) => String::new(),
            (Some(score), true) => {
                format!(", scored {:.0} % against the last: kept", 100.0 * score)
            }
            (Some(score), false) => {
                format!(", scored {:.0} % against the last: left", 100.0 * score)
            }
        };
        let what = match number {
            0 => "random games".to_owned(),
            _ => format!("games of round {number}"),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} {what}, {} positions{verdict}",
            round.games, round.positions
        );
    }
    for Change {
        name,
        factor,
        score,
    } in &learning.changes
    {
        let percent = 100.0 * score;
        let _ = writeln!(
            text,
            "{name} times {factor:.2}, scored {percent:.0} %: kept"
        );
    }
    let _ = writeln!(
        text,
        "against random moves: {:.0} % of the points in {} games\n",
        100.0 * learning.against_random.0,
        learning.against_random.1
    );
    let shown: Vec<&Worth> = learning.worth.iter().take(LISTED).collect();
    if shown.is_empty() {
        text.push_str("moves change what is there all the time, so nothing has a worth of its own: only where things stand was learnt\n");
    }
    let width = shown
        .iter()
        .map(|w| w.name.chars().count())
        .max()
        .unwrap_or(0);
    let most = shown.iter().map(|w| w.weight.abs()).fold(1e-9, f64::max);
    for one in shown {
        let error = one
            .error
            .map_or(String::new(), |error| format!(" +- {:.2}", 1.96 * error));
        let units = one
            .units
            .map_or(String::new(), |units| format!("  {units:5.1}"));
        let bar = "#".repeat((BAR * one.weight.abs() / most).round() as usize);
        let _ = writeln!(
            text,
            "{:width$}  {:+.2}{error:9}{units}  {bar}",
            one.name, one.weight
        );
    }
    if let Some(path) = path {
        let player = match players {
            2 => "alphabeta",
            _ => "paranoid",
        };
        let path = path.display();
        let _ = writeln!(
            text,
            "\nwritten to {path}; play with it: --bot {player}:2s:eval={path}"
        );
    }
    text
}
