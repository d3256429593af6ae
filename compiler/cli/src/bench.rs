//! Random games a second of rule files, on every engine in one run.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use rulec_core::ChoiceSet;
use rulec_quick::QuickGame;
use rulec_search::playout::{PlayoutJob, Until, playouts};
use rulec_search::{Order, ordered};
use serde_json::{Value, json};

use crate::args::{BenchArgs, Engine};
use crate::rules::{self, Rules};
use crate::runner::Runner;
use crate::{Verdict, say};

/// Plies of a game at most.
const LIMIT: u32 = 10_000;

/// Rounds of all engines by turns, the median of which counts.
const ROUNDS: usize = 3;

/// Measures all files. What is wrong with one keeps no other from being measured.
pub(crate) fn bench(args: &BenchArgs) -> Result<Verdict> {
    let files = std::iter::once(&args.rules.file).chain(&args.more);
    let mut verdict = Verdict::Good;
    if !args.json {
        say(&heading(args))?;
    }
    for file in files {
        let name = file.to_string_lossy();
        let told = match measured(args, file) {
            Ok(row) if args.json => format!("{row}\n"),
            Ok(row) => line(args, &name, &row),
            Err(error) => {
                verdict = Verdict::Bad;
                match args.json {
                    true => format!("{}\n", json!({ "file": name, "error": error.to_string() })),
                    false => format!("{name}: error: {error}\n"),
                }
            }
        };
        say(&told)?;
    }
    Ok(verdict)
}

/// The name by which the command line knows an engine.
fn name(engine: Engine) -> String {
    let value = engine.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn heading(args: &BenchArgs) -> String {
    let mut text = format!("{:44}", "games/s");
    for engine in &args.engines {
        let _ = write!(text, " {:>12}", name(*engine));
    }
    for (fast, slow) in pairs(args) {
        let _ = write!(text, " {:>13}", format!("{}/{}", name(fast), name(slow)));
    }
    text + "\n"
}

/// Engines beside each other, of which the one that is meant to be faster comes first, in whatever order they are named: so many
/// times as many games.
fn pairs(args: &BenchArgs) -> impl Iterator<Item = (Engine, Engine)> {
    let rank = |engine| match engine {
        Engine::Interp => 0,
        Engine::Quick => 1,
        Engine::Native => 2,
    };
    args.engines.windows(2).map(move |pair| {
        let [one, other] = [pair[0], pair[1]];
        match rank(one) > rank(other) {
            true => (one, other),
            false => (other, one),
        }
    })
}

/// A ratio with three digits that count, at least.
fn ratio(value: f64) -> String {
    let places = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        0.1.. => 3,
        _ => 4,
    };
    format!("{value:.places$}")
}

fn line(args: &BenchArgs, file: &str, row: &Value) -> String {
    let speed = |engine: &Engine| row["games_per_second"][name(*engine)].as_f64();
    let mut text = format!("{file:44}");
    for engine in &args.engines {
        let _ = match speed(engine) {
            Some(speed) => write!(text, " {speed:>12.1}"),
            None => write!(text, " {:>12}", "-"),
        };
    }
    for (fast, slow) in pairs(args) {
        let _ = match (speed(&fast), speed(&slow)) {
            (Some(fast), Some(slow)) => write!(text, " {:>13}", ratio(fast / slow.max(1e-9))),
            _ => write!(text, " {:>13}", "-"),
        };
    }
    text + "\n"
}

/// An engine that is ready to play.
enum Player {
    Here(Runner),
    Program(std::path::PathBuf),
}

fn measured(args: &BenchArgs, file: &Path) -> Result<Value> {
    let rules = Rules::load_also(&args.rules, file, "all")?;
    rules.show_diagnostics()?;
    let output = rules.output.as_ref().context("the rules have errors")?;
    let mut players = Vec::new();
    for engine in &args.engines {
        players.push(match engine {
            Engine::Native => Player::Program(rules.program(&rules::toolchain(&args.tools)?)?),
            // An error says why, where others would interpret it.
            Engine::Quick => {
                let game = QuickGame::new(output.game.clone())?;
                Player::Here(Runner::Quick(Box::new(game)))
            }
            Engine::Interp => Player::Here(Runner::new(&output.lowered, Engine::Interp)?),
        });
    }
    let mut speeds = vec![Vec::new(); players.len()];
    for _ in 0..ROUNDS {
        for (player, speeds) in players.iter().zip(&mut speeds) {
            speeds.push(player.speed(args)?);
        }
    }
    let mut row =
        json!({ "file": file.to_string_lossy(), "seed": args.seed, "games_per_second": {} });
    for (engine, mut speeds) in args.engines.iter().zip(speeds) {
        speeds.sort_by(f64::total_cmp);
        row["games_per_second"][name(*engine)] = json!(speeds[ROUNDS / 2]);
    }
    Ok(row)
}

impl Player {
    /// Random games per second of processor time.
    fn speed(&self, args: &BenchArgs) -> Result<f64> {
        match self {
            Player::Here(runner) => {
                let job = PlayoutJob {
                    seed: args.seed,
                    limit: LIMIT,
                    choices: ChoiceSet::All,
                };
                // The compiled program draws who acts first in the same way.
                let start = runner.start();
                let start = ordered(&*start, Order::Uniform, false);
                let tally = playouts(&*start, &job, Until::Time(args.seconds), 1, &mut |_| true);
                Ok(tally.games() as f64 / tally.spent.seconds().max(1e-9))
            }
            Player::Program(program) => {
                let seconds = format!("{}ms", args.seconds.as_millis());
                let told = Command::new(program)
                    .args(["bench", "--json", "--seconds", &seconds])
                    .args(["--seed", &args.seed.to_string()])
                    .output()
                    .with_context(|| format!("cannot start {}", program.display()))?;
                io::stderr().write_all(&told.stderr)?;
                let row: Value = serde_json::from_slice(&told.stdout)
                    .with_context(|| format!("{} tells no speed", program.display()))?;
                let speed = row["playouts_per_second"].as_f64();
                speed.ok_or_else(|| anyhow!("{} tells no speed", program.display()))
            }
        }
    }
}
