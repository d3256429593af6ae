//! The command line that every game has, compiled or interpreted.
//!
//! Each command is a struct of arguments, so that another program can offer the same commands for a game
//! that it loads itself: it parses [`Command`] or single structs and calls [`run`].
//! With `--json` every command writes one object on one line (`play` one line a position).

mod analyse;
mod analysis;
mod basic;
mod duel;
mod endgames;
mod engine;
mod episodes;
mod evaluate;
mod expectimax;
mod fen;
mod host;
mod judge;
mod learners;
mod play;
mod selfplay;
mod simulate;
mod solve;
mod squares;
mod start;
mod ugi;
mod verify;
mod xboard;

use std::{
    ffi::OsString,
    fmt,
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rulec_core::FullGame;
use rulec_search::Bot;
use rulec_search::{AnyState, notation::NoMove, trace};
use serde_json::Value;

pub use analyse::{AnalyseArgs, analysis, analysis_text};
pub use analysis::{BenchArgs, ExploreArgs, PerftArgs, SearchArgs};
pub use basic::{InfoArgs, MovesArgs, ReplayArgs, moves_text};
pub use duel::MatchArgs;
pub use endgames::EndgamesArgs;
pub use episodes::{AttemptsArgs, CaptiveArgs};
pub use evaluate::EvaluateArgs;
pub use expectimax::ExpectimaxArgs;
pub use host::{HostArgs, Players, host};
pub use judge::{VARIABLE as NETWORKS_VARIABLE, companion};
pub use learners::{LearnArgs, LearnerName, learn};
pub use play::{Asker, Lines, PlayArgs, Scenery, completions, how_to_explain, play, play_in};
pub use selfplay::{PlayersArgs, SelfplayArgs, parse_range};
pub use simulate::{DiceArg, SimulateArgs, simulation, simulation_text};
pub use solve::{BotsArgs, CostArg, SolveArgs, SolveMethod, bots};
pub use start::StartArgs;
pub use ugi::{UgiArgs, ugi};
pub use verify::VerifyArgs;

/// Everything that can be done with a game.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play on the terminal, alone, with others or against the computer
    Play(PlayArgs),
    /// Show a position and its legal moves
    Moves(MovesArgs),
    /// Play given moves and show who was on turn and how many moves were legal
    Replay(ReplayArgs),
    /// Look for the best move
    Search(SearchArgs),
    /// Find a shortest win, or what perfect play of two players leads to
    Solve(SolveArgs),
    /// Check a certificate of `solve` without solving
    Verify(VerifyArgs),
    /// List the players that the computer plays, and their options
    Bots(BotsArgs),
    /// Work out exact values of a game with draws of chance
    Expectimax(ExpectimaxArgs),
    /// Let computer players play many games, for statistics and records
    Selfplay(SelfplayArgs),
    /// Play many random games and count what happens in them
    Simulate(SimulateArgs),
    /// Count the sequences of moves of each length
    Perft(PerftArgs),
    /// Visit every position that can be reached
    Explore(ExploreArgs),
    /// Measure the speed of random games
    Bench(BenchArgs),
    /// Offer episodes to a learning program, in the protocol of the Captive Game Server
    Captive(CaptiveArgs),
    /// Host episodes for people: attempts, picks, points, one player or two
    Host(HostArgs),
    /// Let a learner play episodes that it knows nothing of, and show how its errors fall
    Learn(LearnArgs),
    /// Say what the game is like: who wins, how long it takes, how much there is to choose from
    Analyse(AnalyseArgs),
    /// Let bots play against each other and say which is stronger
    Match(MatchArgs),
    /// Learn what things are worth in a game of two players or more, for players who look ahead
    Evaluate(EvaluateArgs),
    /// Work out tables of endgames backwards from the ends, or check them
    Endgames(EndgamesArgs),
    /// Play as tournament managers, boards and chess programs ask, in the Universal Game Interface, UCI or the protocol of xboard
    #[command(visible_aliases = ["uci", "xboard"])]
    Ugi(UgiArgs),
    /// Play episodes with a player who tries at random, and measure the speed
    Attempts(AttemptsArgs),
    /// Show what is known of the game
    Info(InfoArgs),
    /// Answer requests about random games, for comparison with another machine
    #[command(hide = true)]
    Oracle,
}

impl Command {
    /// The bots that take part.
    fn bots(&self) -> Vec<&Bot> {
        match self {
            Command::Play(args) => args.bot.iter().collect(),
            Command::Search(args) => args.bot.iter().collect(),
            Command::Selfplay(args) => args.bots.iter().collect(),
            Command::Bench(args) => args.bot.iter().collect(),
            Command::Analyse(args) => args.bots.iter().collect(),
            Command::Match(args) => args.bots.iter().collect(),
            Command::Ugi(args) => args.bot.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Error {
    /// The user asked for something that cannot be done; the text says what and what can.
    User(String),
    /// What was to be checked does not hold; the text says why.
    Refuted(String),
    /// Reading or writing failed.
    Io(io::Error),
}

impl Error {
    /// 1, or 0 when only the reader of the output went away.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Io(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            _ => 1,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::User(message) | Error::Refuted(message) => f.write_str(message),
            Error::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::User(_) | Error::Refuted(_) => None,
            Error::Io(error) => Some(error),
        }
    }
}

impl From<NoMove> for Error {
    fn from(error: NoMove) -> Self {
        Error::User(error.to_string())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

/// Runs a command on a game and writes what it finds to `out`.
///
/// # Errors
/// When the user asks for the impossible, or writing fails.
pub fn run<G: FullGame>(game: &G, command: &Command, out: &mut dyn Write) -> Result<(), Error> {
    run_on(&*rulec_search::start(game), command, out)
}

/// [`run`] on a start state with the type of its game hidden.
///
/// # Errors
/// When the user asks for the impossible, or writing fails.
pub fn run_on<'g>(
    start: &(dyn AnyState<'g> + 'g),
    command: &Command,
    out: &mut dyn Write,
) -> Result<(), Error> {
    for bot in command.bots() {
        bot.ready(start.info()).map_err(Error::User)?;
    }
    match command {
        Command::Play(args) => play(start, args, &mut io::stdin().lock(), out),
        Command::Moves(args) => basic::moves(start, args, out),
        Command::Replay(args) => basic::replay(start, args, out),
        Command::Search(args) => analysis::search(start, args, out),
        Command::Expectimax(args) => expectimax::run(start, args, out),
        Command::Solve(args) => solve::solve(start, args, out),
        Command::Verify(args) => verify::verify(start, args, out),
        Command::Bots(args) => bots(args, out),
        Command::Selfplay(args) => selfplay::selfplay(start, args, out),
        Command::Simulate(args) => simulate::simulate(start, args, out),
        Command::Perft(args) => analysis::perft(start, args, out),
        Command::Explore(args) => analysis::explore(start, args, out),
        Command::Bench(args) => analysis::bench(start, args, out),
        Command::Captive(args) => episodes::captive(start, args, out),
        Command::Host(args) => host::own(start, args, out),
        Command::Learn(args) => learn(&[start], args, out),
        Command::Analyse(args) => analyse::analyse(start, args, out),
        Command::Match(args) => duel::duel(start, args, out),
        Command::Evaluate(args) => evaluate::evaluate(start, args, out),
        Command::Endgames(args) => endgames::endgames(start, args, out),
        Command::Ugi(args) => ugi(start, args, &mut io::BufReader::new(io::stdin()), out),
        Command::Attempts(args) => episodes::attempts(start, args, out),
        Command::Info(args) => basic::info(start, args, out),
        Command::Oracle => Ok(trace::serve(&start.fork(), io::stdin().lock(), out)?),
    }
}

#[derive(Parser)]
#[command(
    after_help = "Moves are written as `moves` shows them; several are separated by semicolons.\n\
    Exit codes: 0 for success, 1 when something asked for cannot be done, 2 for a wrong command line."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The main function of a game: reads the command line of the process, runs the command, and says how it went.
pub fn game_main<G: FullGame>(game: &G) -> ExitCode {
    game_main_from(game, std::env::args_os())
}

/// [`game_main`] with the arguments of another command line, the name of the program first.
pub fn game_main_from<G: FullGame>(game: &G, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_on(&*rulec_search::start(game), args.into_iter().collect())
}

fn main_on<'g>(start: &(dyn AnyState<'g> + 'g), args: Vec<OsString>) -> ExitCode {
    rulec_search::network::enable(judge::open);
    let info = start.info();
    let about = format!(
        "{}: a game for {}, compiled from {} rules",
        info.name,
        match info.players.len() {
            1 => "one player".to_owned(),
            n => format!("{n} players"),
        },
        info.language,
    );
    let mut line = CommandLine::command().about(about);
    if !info.compiler.is_empty() {
        line = line.version(info.compiler);
    }
    let parsed = line
        .try_get_matches_from(args)
        .and_then(|matches| CommandLine::from_arg_matches(&matches));
    let result = match parsed {
        Ok(line) => run_on(start, &line.command, &mut io::stdout().lock()),
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()) * 2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.exit_code() != 0 {
                let _ = writeln!(io::stderr(), "error: {error}");
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Writes the result of a command in the form that was asked for.
fn emit(
    out: &mut dyn Write,
    json: bool,
    value: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    match json {
        true => writeln!(out, "{}", value())?,
        false => out.write_all(text().as_bytes())?,
    }
    Ok(out.flush()?)
}

/// Tells people how far long work has come, once a second, on a terminal only.
struct Ticker {
    next: Option<Instant>,
}

const TICK: Duration = Duration::from_secs(1);

impl Ticker {
    fn new() -> Self {
        Self {
            next: io::stderr().is_terminal().then(|| Instant::now() + TICK),
        }
    }

    /// A bar with the speed and the time that is left, in place of the one before.
    fn bar(&mut self, bar: &Bar, done: u64) {
        if let Some(next) = self.next
            && (Instant::now() >= next || done >= bar.total)
        {
            self.next = Some(Instant::now() + TICK);
            // Progress is not worth an error.
            let _ = write!(io::stderr(), "\r{}\x1b[K", bar.text(done));
            if done >= bar.total {
                let _ = writeln!(io::stderr());
            }
        }
    }

    fn tell(&mut self, text: impl FnOnce() -> String) {
        if let Some(next) = self.next
            && Instant::now() >= next
        {
            self.next = Some(Instant::now() + TICK);
            // Progress is not worth an error.
            let _ = writeln!(io::stderr(), "{}", text());
        }
    }
}

/// How far a number of equal pieces of work has come.
struct Bar {
    begun: Instant,
    /// Pieces that were done before it began.
    before: u64,
    total: u64,
    what: &'static str,
}

impl Bar {
    fn new(before: u64, total: u64, what: &'static str) -> Self {
        Self {
            begun: Instant::now(),
            before,
            total,
            what,
        }
    }

    fn text(&self, done: u64) -> String {
        const WIDTH: u64 = 24;
        let total = self.total.max(1);
        let full = (WIDTH * done.min(total) / total) as usize;
        let bar = "#".repeat(full) + &"-".repeat(WIDTH as usize - full);
        let seconds = self.begun.elapsed().as_secs_f64();
        let speed = done.saturating_sub(self.before) as f64 / seconds.max(1e-9);
        let left = total.saturating_sub(done) as f64 / speed.max(1e-9);
        let left = match left < 1e7 {
            true => clock(left.ceil() as u64),
            false => "?".to_owned(),
        };
        format!(
            "[{bar}] {done} of {} {}, {}/s, {left} left",
            self.total,
            self.what,
            rulec_search::numbers::short(speed),
        )
    }
}

/// Seconds as `m:ss` or `h:mm:ss`.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_and_clocks_run() {
        let bar = Bar::new(0, 8, "games");
        assert!(
            bar.text(0)
                .starts_with("[------------------------] 0 of 8 games")
        );
        assert!(
            bar.text(4)
                .starts_with("[############------------] 4 of 8 games")
        );
        assert!(bar.text(8).ends_with("/s, 0:00 left"));
        assert_eq!(
            [clock(59), clock(61), clock(3723)],
            ["0:59", "1:01", "1:02:03"]
        );
    }
}
