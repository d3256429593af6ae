//! Commands of games in episodes; `learn` has a module of its own.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use rulec_core::Board;
use rulec_core::episode::BoardSource;
use rulec_report::stats::{Mean, Z95};
use serde_json::{Value, json};

use super::{Error, Ticker, emit};
use rulec_search::episode::analyse::{self, AnalyseJob, Analysis};
use rulec_search::episode::attempts::{AttemptJob, AttemptTally};
use rulec_search::episode::boards::Boards;
use rulec_search::episode::captive::{self, Program};
use rulec_search::episode::request::{Request, USAGE};
use rulec_search::notation::split_moves;
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

pub(super) fn analyse<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &super::AnalyseArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    // Boards take any number but 0.
    let seed = (args.players.seed as i64 & i64::MAX).max(1);
    let given = &args.players.start;
    if given.state.is_some() || (given.board.is_none() && given.after.is_some()) {
        let how = "a game of episodes is looked at board by board: name one with --board";
        return Err(Error::User(how.to_owned()));
    }
    let positions = args.positions as usize;
    let (found, sampled) = match &given.board {
        None => {
            let job = AnalyseJob {
                boards: args.boards.max(1),
                positions,
                seed,
            };
            let mut ticker = Ticker::new();
            let mut tell =
                |board: usize| ticker.tell(|| format!("board {board} of {}", job.boards));
            let found = analyse::analyse(start, &job, &mut tell).map_err(Error::User)?;
            (
                found,
                Some(sample(start, None, (job.boards as u64).max(1000), seed)),
            )
        }
        Some(text) => one_board(start, given, text, positions, seed)?,
    };
    let value = || analysis_json(&found, sampled.as_ref());
    emit(out, args.json, value, || {
        analysis_text(&found, sampled.as_ref(), given.board.is_some())
    })
}

/// Looks at one board, from the position after the moves that are given.
fn one_board<'g>(
    start: &(dyn AnyState<'g> + 'g),
    given: &super::StartArgs,
    text: &str,
    positions: usize,
    seed: i64,
) -> Result<(Analysis, Option<AttemptTally>), Error> {
    let (info, source, own_seed) =
        super::start::source_of_board(start.info(), text).map_err(Error::User)?;
    let mut board = Board::EMPTY;
    let mut boards = Boards::new(info, source, own_seed).map_err(Error::User)?;
    boards.draw(&mut board).map_err(Error::User)?;
    let moves = split_moves(given.after.as_deref().unwrap_or_default()).count();
    let pieces = (board.present.count_ones() as usize).saturating_sub(moves);
    let mut found = Analysis::default();
    let state = given.reach(start)?;
    found.look(&state, pieces, positions).map_err(Error::User)?;
    // A file is one board; boards of a seed are others each time, and those after moves cannot be set up.
    let again = matches!(source, BoardSource::Fixed { boards, .. } if boards.len() == 1);
    let sampled = (again && moves == 0).then(|| sample(start, Some(source), 1000, seed));
    Ok((found, sampled))
}

/// What a player comes to who tries at random, as far as it was played.
fn sample<'g>(
    start: &(dyn AnyState<'g> + 'g),
    source: Option<BoardSource>,
    episodes: u64,
    seed: i64,
) -> AttemptTally {
    let mut tally = AttemptTally::default();
    let job = AttemptJob {
        source,
        seed,
        episodes,
        limit: 100_000,
    };
    start.attempts(&job, &mut tally);
    tally
}

/// Mean and half of its interval of the errors of a random player.
fn sampled_errors(tally: &AttemptTally) -> (f64, f64) {
    let n = tally.episodes.max(1) as f64;
    let errors = tally.errors.0 as f64 / n;
    let variance = (tally.errors.1 / n - errors * errors).max(0.0);
    (errors, Z95 * (variance / n).sqrt())
}

fn mean_of(numbers: &[f64]) -> Mean {
    let mut mean = Mean::default();
    numbers.iter().for_each(|x| mean.add(*x));
    mean
}

fn analysis_json(found: &Analysis, sampled: Option<&AttemptTally>) -> Value {
    let told = |numbers: &[f64]| {
        let mean = mean_of(numbers);
        json!({ "mean": mean.mean(), "margin": mean.small_margin(), "boards": mean.count })
    };
    let sampled = sampled.map(|tally| {
        let (errors, margin) = sampled_errors(tally);
        json!({ "episodes": tally.episodes, "errors": errors, "margin": margin,
                "stalemates": tally.stalemates, "cleared": tally.cleared })
    });
    json!({
        "boards": found.boards,
        "searched_completely": found.complete,
        "positions": found.positions,
        "can_get_stuck": found.can_get_stuck,
        "must_get_stuck": found.must_get_stuck,
        "stuck_at_once": found.stuck_at_once,
        "first_right": told(&found.first_right),
        "errors": told(&found.errors),
        "clears": told(&found.clears),
        "sampled": sampled,
    })
}

fn analysis_text(found: &Analysis, sampled: Option<&AttemptTally>, given: bool) -> String {
    let mut text = String::new();
    let one = found.boards == 1;
    let share = |n: usize| match one {
        true => "the board".to_owned(),
        false => format!("{n} of {} boards", found.boards),
    };
    // Writing to a string does not fail.
    let _ = match (one, found.complete) {
        (true, 0) => writeln!(
            text,
            "the board was not searched to the end, {} positions",
            found.positions
        ),
        (_, n) => writeln!(
            text,
            "{} searched to the end, {} positions",
            share(n),
            found.positions
        ),
    };
    let _ = writeln!(text, "{}", verdict(found, given));
    if found.stuck_at_once > 0 {
        let verb = if one { "is" } else { "are" };
        let _ = writeln!(text, "{} {verb} stuck at once", share(found.stuck_at_once));
    }
    let right: Vec<f64> = found.first_right.iter().map(|x| 100.0 * x).collect();
    let right = mean_of(&right);
    let _ = writeln!(
        text,
        "first attempts that are right: {:.1} %{}",
        right.mean(),
        plus_minus(right.small_margin(), 1)
    );
    let (errors, clears) = (mean_of(&found.errors), mean_of(&found.clears));
    if errors.count > 0 {
        let of = match one {
            true => "for it".to_owned(),
            false => format!("for each of {} boards", errors.count),
        };
        let _ = writeln!(
            text,
            "a random player, exact {of}: {:.2}{} errors, clears {:.1} %",
            errors.mean(),
            plus_minus(errors.small_margin(), 2),
            100.0 * clears.mean()
        );
    }
    if let Some(tally) = sampled {
        let (errors, margin) = sampled_errors(tally);
        let _ = writeln!(
            text,
            "a random player, {} episodes played: {errors:.2} \u{b1} {margin:.2} errors, clears {:.1} %",
            tally.episodes,
            100.0 * tally.cleared as f64 / tally.episodes.max(1) as f64
        );
    }
    text
}

/// Whether one can get stuck; `given` boards say nothing of others.
fn verdict(found: &Analysis, given: bool) -> String {
    let one = found.boards == 1;
    match (found.can_get_stuck, found.complete == found.boards) {
        (0, true) if one || given => "no way of playing gets stuck on it".to_owned(),
        // All of n boards are free of it with a chance of 5 % where that is the share of such boards.
        (0, true) => format!(
            "no way of playing gets stuck on any of them; with 95 % confidence that is true of more than {:.1} % of all boards",
            100.0 * 0.05_f64.powf(1.0 / found.boards as f64)
        ),
        (0, false) => {
            "no way of playing was found that gets stuck; not all was searched".to_owned()
        }
        (_, _) if one && found.must_get_stuck > 0 => {
            "every way of playing gets stuck on it".to_owned()
        }
        (_, _) if one => "some way of playing gets stuck on it, not every way".to_owned(),
        (n, _) => format!(
            "some way of playing gets stuck on {n} of {all} boards, every way on {} of {all} boards",
            found.must_get_stuck,
            all = found.boards
        ),
    }
}

/// An interval behind a mean; nothing where nothing can be said.
pub(super) fn plus_minus(margin: Option<f64>, digits: usize) -> String {
    margin.map_or(String::new(), |margin| format!(" \u{b1} {margin:.digits$}"))
}
