//! Commands of games in episodes.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::{Error, Ticker, emit};
use rulec_search::episode::analyse::{self, AnalyseJob};
use rulec_search::episode::attempts::{AttemptJob, AttemptTally};
use rulec_search::episode::captive::{self, Program};
use rulec_search::episode::learn::{self, Curve, LearnJob, Learner};
use rulec_search::episode::request::{Request, USAGE};
use rulec_search::files::NewFile;
use rulec_search::{AnyState, Stopwatch, parse_count};

/// Arguments of `captive`.
#[derive(Args, Clone, Debug)]
#[command(after_help = USAGE)]
pub struct CaptiveArgs {
    /// What to play, and options as `name=value`
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub args: Vec<String>,
}

pub(super) fn captive<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &CaptiveArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let request =
        Request::parse(&args.args).map_err(|text| Error::User(format!("{text}\n{USAGE}")))?;
    let served = captive::run(&[Program::endless(start)], &request, out);
    served.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => Error::User(error.to_string()),
        _ => Error::Io(error),
    })
}

/// Arguments of `attempts`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  attempts\n  attempts --episodes 1M --seed 7 --json")]
pub struct AttemptsArgs {
    /// Episodes to play
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_count)]
    pub episodes: u64,
    /// Seed of the boards and of the player, not 0
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: i64,
    /// Most attempts of one episode
    #[arg(long, value_name = "N", default_value = "100000", value_parser = parse_count)]
    pub limit: u64,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn attempts<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &AttemptsArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let job = AttemptJob {
        source: None,
        seed: args.seed,
        episodes: args.episodes,
        limit: args.limit,
    };
    let mut tally = AttemptTally::default();
    let watch = Stopwatch::start();
    start.attempts(&job, &mut tally);
    let spent = watch.spent();
    if let Some(failure) = tally.failure {
        return Err(Error::User(failure));
    }
    let seconds = spent.seconds().max(1e-9);
    let per = |n: u64| n as f64 / seconds;
    let episodes = tally.episodes.max(1) as f64;
    let errors = tally.errors.0 as f64 / episodes;
    let value = || {
        json!({
            "episodes": tally.episodes,
            "attempts": tally.attempts,
            "accepted": tally.accepted,
            "cleared": tally.cleared,
            "stalemates": tally.stalemates,
            "errors_per_episode": errors,
            "seconds": seconds,
            "clock": spent.clock(),
            "episodes_per_second": per(tally.episodes),
            "attempts_per_second": per(tally.attempts),
            "accepted_per_second": per(tally.accepted),
        })
    };
    let text = || {
        format!(
            "{} episodes, {:.1} attempts each, {:.1} % cleared, {:.1} % stalemates\n\
             {:.0} episodes/s, {:.0} attempts/s, {:.0} accepted moves/s (per second of {} time)\n",
            tally.episodes,
            tally.attempts as f64 / episodes,
            100.0 * tally.cleared as f64 / episodes,
            100.0 * tally.stalemates as f64 / episodes,
            per(tally.episodes),
            per(tally.attempts),
            per(tally.accepted),
            spent.clock(),
        )
    };
    emit(out, args.json, value, text)
}

/// A learner, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LearnerName {
    /// Tries anything
    Random,
    /// Repeats nothing that failed on the board
    Remembering,
    /// Weighs hypotheses of a small grammar of rules
    Bayes,
    /// All three, to compare
    All,
}

/// Arguments of `learn`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  learn\n  learn --learner bayes --episodes 30 --runs 50 --svg curve.svg"
)]
pub struct LearnArgs {
    /// Who learns
    #[arg(long, value_enum, default_value_t = LearnerName::All)]
    pub learner: LearnerName,
    /// Episodes of a run
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub episodes: usize,
    /// Runs, each by a learner that knows nothing
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub runs: usize,
    /// Seed of boards and learners
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Most attempts of an episode
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub limit: u64,
    /// Draw the learning curve to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn learn<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &LearnArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let all = [
        (LearnerName::Random, "random", Learner::Random),
        (
            LearnerName::Remembering,
            "remembering",
            Learner::Remembering,
        ),
        (LearnerName::Bayes, "bayes", Learner::Bayes),
    ];
    let wanted = |name: LearnerName| args.learner == LearnerName::All || args.learner == name;
    let mut curves: Vec<(&str, Curve)> = Vec::new();
    let mut ticker = Ticker::new();
    for (_, name, learner) in all.into_iter().filter(|(own, ..)| wanted(*own)) {
        let job = LearnJob {
            learner,
            episodes: args.episodes.max(1),
            runs: args.runs.max(1),
            seed: args.seed,
            limit: args.limit,
        };
        let mut tell = |run: usize| ticker.tell(|| format!("{name}: run {run} of {}", job.runs));
        let curve = learn::learn(start, &job, &mut tell).map_err(Error::User)?;
        curves.push((name, curve));
    }
    if let Some(path) = &args.svg {
        let shown: Vec<(&str, &Curve)> =
            curves.iter().map(|(name, curve)| (*name, curve)).collect();
        let title = format!(
            "{}: errors by episode, {} runs",
            start.info().name,
            args.runs
        );
        let wrong = |e| Error::User(format!("cannot write {}: {e}", path.display()));
        let mut file = NewFile::create(path).map_err(wrong)?;
        file.write_all(learn::picture(&title, &shown).as_bytes())
            .map_err(wrong)?;
        file.finish().map_err(wrong)?;
    }
    let value = || {
        let one = |(name, curve): &(&str, Curve)| {
            json!({
                "learner": name,
                "errors": curve.errors,
                "margins": curve.margins,
                "cleared": curve.cleared,
            })
        };
        json!({ "runs": args.runs, "curves": curves.iter().map(one).collect::<Vec<_>>() })
    };
    emit(out, args.json, value, || table(&curves))
}

/// Errors by episode, a column a learner.
fn table(curves: &[(&str, Curve)]) -> String {
    let mut text = String::from("mean errors (95 % interval) by episode\n  episode");
    // Writing to a string does not fail.
    for (name, _) in curves {
        let _ = write!(text, " {name:>18}");
    }
    text.push('\n');
    let episodes = curves
        .iter()
        .map(|(_, curve)| curve.errors.len())
        .max()
        .unwrap_or(0);
    for episode in 0..episodes {
        let _ = write!(text, "  {:>7}", episode + 1);
        for (_, curve) in curves {
            let shown = format!(
                "{:.1} ± {:.1}",
                curve.errors[episode], curve.margins[episode]
            );
            let _ = write!(text, " {shown:>18}");
        }
        text.push('\n');
    }
    text
}

pub(super) fn analyse<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &super::AnalyseArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    // Boards take any number but 0.
    let seed = (args.players.seed as i64 & i64::MAX).max(1);
    let job = AnalyseJob {
        boards: args.boards.max(1),
        positions: args.positions as usize,
        seed,
    };
    let mut ticker = Ticker::new();
    let mut tell = |board: usize| ticker.tell(|| format!("board {board} of {}", job.boards));
    let found = analyse::analyse(start, &job, &mut tell).map_err(Error::User)?;
    // Without exact numbers a player who tries at random gives them, with intervals.
    let mut tally = AttemptTally::default();
    let sample = AttemptJob {
        source: None,
        seed,
        episodes: (job.boards as u64).max(1000),
        limit: 100_000,
    };
    start.attempts(&sample, &mut tally);
    let n = tally.episodes.max(1) as f64;
    let errors = tally.errors.0 as f64 / n;
    let variance = (tally.errors.1 / n - errors * errors).max(0.0);
    let margin = 1.96 * (variance / n).sqrt();
    let value = || {
        json!({
            "boards": found.boards,
            "searched_completely": found.complete,
            "positions": found.positions,
            "can_get_stuck": found.can_get_stuck,
            "must_get_stuck": found.must_get_stuck,
            "stuck_at_once": found.stuck_at_once,
            "first_right": { "mean": found.first_right.mean(), "margin": finite(found.first_right.margin()) },
            "errors": { "mean": found.errors.mean(), "margin": finite(found.errors.margin()), "boards": found.errors.count },
            "clears": { "mean": found.clears.mean(), "margin": finite(found.clears.margin()), "boards": found.clears.count },
            "sampled": { "episodes": tally.episodes, "errors": errors, "margin": margin,
                         "stalemates": tally.stalemates, "cleared": tally.cleared },
        })
    };
    let text = || {
        let mut text = String::new();
        let share = |n: usize| format!("{n} of {} boards", found.boards);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} searched to the end, {} positions",
            share(found.complete),
            found.positions
        );
        let verdict = match (found.can_get_stuck, found.complete == found.boards) {
            (0, true) => format!(
                "no way of playing gets stuck on any of them; with 95 % confidence that is true of more than {:.1} % of all boards",
                100.0 * (1.0 - (3.0 / found.boards as f64).min(1.0))
            ),
            (0, false) => {
                "no way of playing was found that gets stuck; not all was searched".to_owned()
            }
            (n, _) => format!(
                "some way of playing gets stuck on {}, every way on {}",
                share(n),
                share(found.must_get_stuck)
            ),
        };
        let _ = writeln!(text, "{verdict}");
        if found.stuck_at_once > 0 {
            let _ = writeln!(text, "{} are stuck at once", share(found.stuck_at_once));
        }
        let _ = writeln!(
            text,
            "first attempts that are right: {:.1} % ± {:.1}",
            100.0 * found.first_right.mean(),
            100.0 * found.first_right.margin()
        );
        if found.errors.count > 0 {
            let _ = writeln!(
                text,
                "a random player, exact for each of {} boards: {:.2} ± {:.2} errors, clears {:.1} %",
                found.errors.count,
                found.errors.mean(),
                found.errors.margin(),
                100.0 * found.clears.mean()
            );
        }
        let _ = writeln!(
            text,
            "a random player, {} episodes played: {errors:.2} ± {margin:.2} errors, clears {:.1} %",
            tally.episodes,
            100.0 * tally.cleared as f64 / n
        );
        text
    };
    emit(out, args.json, value, text)
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
