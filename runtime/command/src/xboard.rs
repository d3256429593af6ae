//! The Chess Engine Communication Protocol of xboard, version 2 (T. Mann and H. G. Muller, 2009), spoken by a manager whose first line is `xboard`.
//!
//! Moves are those of [`super::squares`], positions those of [`super::fen`]; a variant other than the usual one is called by the name of
//! the game. The program keeps a position and the player whom it plays, and moves without being asked when that one is on turn.
//!
//! Lines are read while it thinks: `?` lets it move at once, what changes the position stops it without a move, and all else waits.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    io::Write,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::Receiver,
    },
    time::Instant,
};

use rulec_core::Turn;

use super::{
    Error,
    engine::{Engine, News, Plan, centipawns, next_line},
};
use rulec_search::{State, search::SearchReport};

/// The first position of the variant that needs no name.
const NORMAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ";
/// Lines that say nothing to this program.
const IGNORED: [&str; 17] = [
    "accepted", "rejected", "random", "computer", "name", "rating", "ics", "hard", "easy", "bk",
    "hint", "draw", "white", "black", "variant", ".", "xboard",
];
/// Lines that end a search without a move.
const ENDING: [&str; 9] = [
    "quit", "force", "new", "setboard", "result", "exit", "undo", "remove", "analyze",
];
/// What the score of a forced end is called, to which the moves up to it are added.
const FORCED: i64 = 100_000;

/// What is kept between lines.
pub(super) struct Talk<'g> {
    engine: Engine<'g>,
    /// The positions before each move.
    before: Vec<State<'g>>,
    /// The player whom the program plays.
    plays: Option<usize>,
    analysing: bool,
    posting: bool,
    bounds: Bounds,
    /// Whether nothing is to be thought about until something changes.
    idle: bool,
}

/// How long it may think.
#[derive(Default)]
struct Bounds {
    depth: Option<u64>,
    /// Milliseconds for each move.
    each: Option<u64>,
    /// Moves of a session, none for the whole game, and milliseconds that each move adds.
    level: Option<(u64, u64)>,
    /// Milliseconds on the clock.
    left: Option<u64>,
    /// Moves of the session that were made.
    made: u64,
}

/// What a line asks for.
enum Answer {
    Text(String),
    Quit,
}

impl<'g> Talk<'g> {
    pub(super) fn new(mut engine: Engine<'g>) -> Self {
        engine.chess = true;
        Talk {
            engine,
            before: Vec::new(),
            plays: None,
            analysing: false,
            posting: false,
            bounds: Bounds::default(),
            idle: true,
        }
    }

    /// Answers lines until there are no more; `launch` begins a search, of which `news` tells.
    pub(super) fn go_on(
        mut self,
        news: &Receiver<News>,
        stop: &AtomicBool,
        launch: &mut dyn FnMut(&Engine<'g>, Plan),
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let mut waiting = VecDeque::new();
        loop {
            match self.plan(&waiting) {
                Some(Ok(plan)) => {
                    stop.store(false, Ordering::Relaxed);
                    launch(&self.engine, plan);
                    self.listen(news, stop, &mut waiting, out)?;
                    continue;
                }
                Some(Err(wrong)) => {
                    self.idle = true;
                    writeln!(out, "Error ({}): go", wrong.replace('\n', " "))?;
                    out.flush()?;
                    continue;
                }
                None => {}
            }
            let Some(line) = next_line(&mut waiting, news)? else {
                return Ok(());
            };
            match self.answer(&line) {
                Answer::Text(text) => {
                    out.write_all(text.as_bytes())?;
                    out.flush()?;
                }
                Answer::Quit => return Ok(()),
            }
        }
    }

    /// The search that is due: analysis goes on where no line waits, and a move of its own comes before all other lines.
    fn plan(&mut self, waiting: &VecDeque<String>) -> Option<Result<Plan, String>> {
        let turn = self.engine.state.turn();
        let due = match turn {
            Turn::Over => false,
            Turn::Chance => self.plays.is_some(),
            Turn::Decide(_) if self.analysing => waiting.is_empty(),
            Turn::Decide(_) => self.plays.is_some() && self.engine.state.player() == self.plays,
        };
        if self.idle || !due {
            return None;
        }
        let words = match self.analysing {
            true => vec!["infinite".to_owned()],
            false => self.bounds.words(self.plays.unwrap_or(0)),
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Some(self.engine.plan(&words))
    }

    /// Waits for the end of a search and makes the move that it found.
    fn listen(
        &mut self,
        news: &Receiver<News>,
        stop: &AtomicBool,
        waiting: &mut VecDeque<String>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let begun = Instant::now();
        let mut dropped = self.analysing;
        loop {
            let text = match news.recv() {
                Ok(News::Line(line)) => {
                    let first = line.split_ascii_whitespace().next().unwrap_or_default();
                    let ends = ENDING.contains(&first) || self.analysing && first != ".";
                    dropped |= ends;
                    if ends || first == "?" {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if first != "?" {
                        waiting.push_back(line);
                    }
                    continue;
                }
                // A move that was asked for is made for a manager that only writes a list of lines.
                Ok(News::Ended(_)) | Err(_) => {
                    if self.analysing {
                        stop.store(true, Ordering::Relaxed);
                    }
                    waiting.push_back("quit".to_owned());
                    continue;
                }
                Ok(News::Far(_)) => continue,
                Ok(News::Found(report)) => self.thinking(&report, begun),
                Ok(News::Done(code, report)) => {
                    let mut text = self.thinking(&report, begun);
                    // What ended a search is read before another one begins; analysis that has ended by itself has nothing more
                    // to say, and where a rule fails there is nothing to find.
                    let waits = match self.analysing {
                        true => waiting.is_empty(),
                        false => dropped,
                    };
                    self.idle = waits || code.is_none();
                    if let Some(code) = code.filter(|_| !dropped) {
                        let name = self.engine.name(&*self.engine.state, code);
                        self.make(code);
                        // Writing to a string does not fail.
                        let _ = writeln!(text, "move {name}");
                        text.push_str(&self.result());
                    }
                    out.write_all(text.as_bytes())?;
                    out.flush()?;
                    return Ok(());
                }
            };
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }

    /// The line that tells what a search found: depth, hundredths, hundredths of seconds, positions, and the line that it expects.
    fn thinking(&self, report: &SearchReport, begun: Instant) -> String {
        let Some(best) = report
            .moves
            .first()
            .filter(|_| self.posting || self.analysing)
        else {
            return String::new();
        };
        let depth = report.depth.unwrap_or(report.line.len() as u32).max(1);
        let score = match report.end {
            Some((true, plies)) => FORCED + i64::from(plies.div_ceil(2)),
            Some((false, plies)) => -FORCED - i64::from(plies / 2),
            None => centipawns(best.value),
        };
        let time = begun.elapsed().as_millis() / 10;
        let pv = self.engine.line(report).join(" ");
        format!("{depth} {score} {time} {} {pv}\n", report.games)
    }

    fn make(&mut self, code: u64) {
        self.before.push(self.engine.state.fork());
        self.engine.state.play(code, None);
        self.bounds.made += 1;
        self.idle = false;
    }

    /// The line that says how the game ended; nothing while it goes on.
    fn result(&self) -> String {
        let state = &self.engine.state;
        let Some(outcome) = state.outcome().filter(|_| state.turn() == Turn::Over) else {
            return String::new();
        };
        let text = outcome.text(state.info());
        match outcome.winner() {
            Some(0) => format!("1-0 {{{text}}}\n"),
            Some(_) => format!("0-1 {{{text}}}\n"),
            None => format!("1/2-1/2 {{{text}}}\n"),
        }
    }

    fn answer(&mut self, line: &str) -> Answer {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else {
            return Answer::Text(String::new());
        };
        self.idle &= self.plays.is_none() && !self.analysing;
        let text = match first {
            "quit" => return Answer::Quit,
            "protover" => self.features(),
            "ping" => format!("pong {}\n", rest.join(" ")),
            "usermove" => self.usermove(rest.first().unwrap_or(&"")),
            "setboard" => self.setboard(&rest.join(" ")),
            "option" => {
                let text = rest.join(" ");
                let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                self.set(&format!("name {name} value {value}"), line)
            }
            "memory" => self.set(&format!("name Hash value {}", rest.join(" ")), line),
            "cores" => self.set(&format!("name Threads value {}", rest.join(" ")), line),
            "level" | "st" | "sd" | "time" => match self.bounds.set(first, rest) {
                Some(()) => String::new(),
                None => format!("Error (wrong number): {line}\n"),
            },
            "otim" => String::new(),
            _ if self.command(first) => String::new(),
            _ if IGNORED.contains(&first) => String::new(),
            // Managers that were not told of `usermove` write moves bare.
            _ if self.engine.named(&*self.engine.state, first).is_ok() => self.usermove(first),
            _ => format!("Error (unknown command): {line}\n"),
        };
        Answer::Text(text)
    }

    /// Does what a word without arguments asks for; whether it is one.
    fn command(&mut self, word: &str) -> bool {
        match word {
            "new" => {
                self.engine.begin_anew();
                self.before.clear();
                // The program plays the second player.
                self.plays = Some(1);
                self.analysing = false;
                // Clocks and the time of a move stay as they are; only the depth is forgotten.
                (self.bounds.depth, self.bounds.made) = (None, 0);
            }
            "force" | "result" => self.plays = None,
            "go" => self.plays = self.engine.state.player(),
            "playother" => self.plays = self.engine.state.player().map(|player| 1 - player.min(1)),
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            "post" => self.posting = true,
            "nopost" => self.posting = false,
            "analyze" => (self.analysing, self.plays) = (true, None),
            "exit" => self.analysing = false,
            "?" => {}
            _ => return false,
        }
        self.idle = self.plays.is_none() && !self.analysing;
        true
    }

    fn take_back(&mut self, moves: usize) {
        for _ in 0..moves {
            if let Some(state) = self.before.pop() {
                self.engine.state = state;
                self.bounds.made = self.bounds.made.saturating_sub(1);
            }
        }
    }

    fn usermove(&mut self, word: &str) -> String {
        match self.engine.named(&*self.engine.state, word) {
            Ok(code) => {
                self.make(code);
                self.idle = self.plays.is_none() && !self.analysing;
                self.result()
            }
            Err(_) => format!("Illegal move: {word}\n"),
        }
    }

    fn setboard(&mut self, fen: &str) -> String {
        let words: Vec<&str> = ["fen"]
            .into_iter()
            .chain(fen.split_ascii_whitespace())
            .collect();
        match self.engine.position(&words) {
            Ok(state) => {
                self.engine.state = state;
                self.before.clear();
                self.bounds.made = 0;
                String::new()
            }
            Err(wrong) => format!(
                "tellusererror Illegal position: {}\n",
                wrong.replace('\n', " ")
            ),
        }
    }

    fn set(&mut self, words: &str, line: &str) -> String {
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        match self.engine.set(&words) {
            Ok(()) => String::new(),
            Err(wrong) => format!("Error ({}): {line}\n", wrong.replace('\n', " ")),
        }
    }

    fn features(&self) -> String {
        let info = self.engine.begin.info();
        let fen = self.engine.fen_of(&*self.engine.begin);
        let variant = match &fen {
            Some(fen) if fen.starts_with(NORMAL) => "normal".to_owned(),
            _ => info
                .name
                .replace(|c: char| !c.is_ascii_alphanumeric(), "_")
                .to_lowercase(),
        };
        format!(
            "feature done=0\nfeature myname=\"{} {}\" setboard={} usermove=1 ping=1 playother=1 colors=0 sigint=0 sigterm=0 reuse=1 \
             analyze=1 memory=1 smp=1 debug=0\nfeature variants=\"{variant}\"\n\
             feature option=\"Bot -string {}\"\nfeature option=\"Seed -string {}\"\nfeature done=1\n",
            info.name.replace('"', "'"),
            info.rules_sha256.get(..12).unwrap_or_default(),
            u8::from(fen.is_some()),
            self.engine.bot,
            self.engine.seed,
        )
    }
}

/// The most milliseconds and the greatest depth that lines can say.
const LONGEST: u64 = 1_000_000_000;
const DEEPEST: u64 = 1_000;

impl Bounds {
    /// Takes what a line says; nothing where a number is missing or wrong.
    fn set(&mut self, word: &str, rest: &[&str]) -> Option<()> {
        match (word, rest) {
            ("sd", [depth]) => self.depth = Some(depth.parse::<u64>().ok()?.min(DEEPEST)),
            ("st", [seconds]) => {
                let seconds: f64 = seconds.parse().ok()?;
                (self.each, self.level) = (Some((seconds.clamp(0.0, 1e6) * 1e3) as u64), None);
            }
            ("time", [hundredths]) => {
                let hundredths: i64 = hundredths.parse().ok()?;
                self.left = Some((hundredths.max(0) as u64).saturating_mul(10).min(LONGEST));
            }
            ("level", [moves, base, each]) => {
                let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
                let (minutes, seconds): (u64, u64) = (minutes.parse().ok()?, seconds.parse().ok()?);
                let each: f64 = each.parse().ok()?;
                self.left = Some(
                    minutes
                        .saturating_mul(60)
                        .saturating_add(seconds)
                        .saturating_mul(1_000)
                        .min(LONGEST),
                );
                self.level = Some((moves.parse().ok()?, (each.clamp(0.0, 1e6) * 1e3) as u64));
                (self.each, self.made) = (None, 0);
            }
            _ => return None,
        }
        Some(())
    }

    /// The words of [`super::ugi`] for the bounds of a player.
    fn words(&self, player: usize) -> Vec<String> {
        let mut words = Vec::new();
        let mut say = |name: String, number: u64| words.extend([name, number.to_string()]);
        if let Some(depth) = self.depth {
            say("depth".to_owned(), depth);
        }
        if let Some(each) = self.each {
            say("movetime".to_owned(), each);
        } else if let Some(left) = self.left {
            let (moves, each) = self.level.unwrap_or((0, 0));
            say(format!("p{}time", player + 1), left);
            say(format!("p{}inc", player + 1), each);
            if moves > 0 {
                // Both players move.
                say("movestogo".to_owned(), moves - (self.made / 2) % moves);
            }
        }
        words
    }
}
