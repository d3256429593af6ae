//! `ugi`: the protocols by which tournament managers, boards and chess programs talk to engines.
//!
//! A manager that says `ugi` speaks the Universal Game Interface (cutegames), which is the Universal Chess Interface with general
//! names: move texts are those of the game with blanks made `_`, because moves of a list are separated by blanks. One that says
//! `uci` speaks that of chess programs (R. Huber and S. Meyer-Kahlen, 2004): moves are `e2e4` and `e7e8q` where places have two
//! numbers. A position is `startpos`, or `fen` and the canonical text of a state with `_` for blanks, then `moves` and a list.
//!
//! Lines are read while a search goes on: `isready` is answered, `stop` and `quit` end the search, all else waits for its end.
//!
//! Results of draws stand among the moves: `query chance` says whether one is due, and a manager that does not know it lets this program
//! draw by `go`, whose best move is then the result.

use std::{
    collections::VecDeque,
    io::{BufRead, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::channel,
    },
    thread,
    time::Instant,
};

use clap::Args;
use rulec_core::GameInfo;

use super::{
    Error, StartArgs,
    engine::{Answer, Engine, Plan, Searching, next_line, read_lines, think},
    fen::Fen,
    squares::Squares,
    xboard::Talk,
};
use rulec_search::{
    AnyState, Bot, Order,
    evaluation::{BUILT_IN, is_built_in},
    ordered,
};

/// Arguments of `ugi`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  ugi\n  ugi --bot uct:20000\n  uci --bot alphabeta:2s\n  xboard --bot alphabeta:2s\n\n\
    A manager that begins with `uci` is answered as chess programs are, with moves like e2e4; one that begins with `ugi` in the words of the rules,\n\
    with blanks in texts of moves and positions written `_`; one that begins with `xboard` in the protocol of xboard. `go nodes N`, `go movetime MS`, `go depth N` and `go infinite` bound a search of\n\
    their own; with clocks (p1time, p2time, p1inc, p2inc, movestogo, or wtime and so on) a share of the time that is left is used. A plain\n\
    `go` plays as --bot says. The options are Bot, Seed, Hash (MiB), Threads, Move Overhead (ms) and Clear Hash."
)]
pub struct UgiArgs {
    /// Who plays where `go` sets no bounds, and how it searches where it does [default: uct:10000, or alphabeta:2s with the evaluation that the
    /// program was built with]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<Bot>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where games begin.
    #[command(flatten)]
    pub start: StartArgs,
}

/// Who plays where nobody is named.
fn usual_bot(info: &GameInfo) -> Result<Bot, Error> {
    let player = match (is_built_in(), info.players.len()) {
        (false, _) => "uct:10000".to_owned(),
        (true, 2) => format!("alphabeta:2s:eval={BUILT_IN}"),
        (true, _) => format!("paranoid:2s:eval={BUILT_IN}"),
    };
    let bot: Bot = player.parse().map_err(Error::User)?;
    bot.ready(info).map_err(Error::User)?;
    Ok(bot)
}

/// Answers the lines of a manager until it says `quit` or there are no more.
///
/// # Errors
/// When the start cannot be reached, or reading or writing fails.
pub fn ugi<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &UgiArgs,
    input: &mut (dyn BufRead + Send),
    out: &mut dyn Write,
) -> Result<(), Error> {
    let begin = ordered(&*args.start.reach(start)?, Order::RoundRobin, false);
    let bot = args
        .bot
        .clone()
        .map_or_else(|| usual_bot(begin.info()), Ok)?;
    let mut engine = Engine {
        state: begin.fork(),
        squares: Squares::of(begin.info()),
        fen: Fen::of(&*begin),
        begin,
        seat: Arc::new(Mutex::new(bot.seat())),
        bot,
        seed: args.seed,
        overhead: 10,
        searches: 0,
        chess: false,
        lost: false,
    };
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // However this ends, no search goes on.
        let _guard = Stop(&stop);
        let (sender, news) = channel();
        let lines = sender.clone();
        scope.spawn(move || read_lines(input, &lines));
        let mut waiting = VecDeque::new();
        loop {
            let Some(line) = next_line(&mut waiting, &news)? else {
                return Ok(());
            };
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if words == ["xboard"] {
                let mut launch = |engine: &Engine<'g>, plan: Plan| {
                    let (state, told, stop) = (engine.state.fork(), sender.clone(), &stop);
                    let seat = Arc::clone(&engine.seat);
                    scope.spawn(move || think(&*state, &plan, &seat, stop, &told));
                };
                return Talk::new(engine).go_on(&news, &stop, &mut launch, out);
            }
            match engine.answer(&words) {
                Answer::Nothing => {}
                Answer::Text(text) => {
                    out.write_all(text.as_bytes())?;
                    out.flush()?;
                }
                Answer::Quit => return Ok(()),
                Answer::Search(plan) => {
                    stop.store(false, Ordering::Relaxed);
                    let search = Searching {
                        engine: &engine,
                        stop: &stop,
                        endless: plan.endless,
                        begun: Instant::now(),
                    };
                    let (state, told, stop) = (engine.state.fork(), sender.clone(), &stop);
                    let seat = Arc::clone(&engine.seat);
                    scope.spawn(move || think(&*state, &plan, &seat, stop, &told));
                    if !search.listen(&news, &mut waiting, out)? {
                        return Ok(());
                    }
                }
            }
        }
    })
}

/// Stops a search when it goes out of scope.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
