//! What answers the lines of a manager: the position, the options, and searches that are listened to while they go on.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    io::{self, BufRead, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender},
    },
    time::{Duration, Instant},
};

use rulec_core::{ChoiceSet, Outcome, Rng, Turn};

use super::{Error, fen::Fen, squares::Squares};
use rulec_search::{
    AnyState, Bot, Seat, State, Watch, alphabeta, lock,
    search::{Method, MoveReport, SearchReport, SearchSettings},
    view,
};

/// What the main thread hears.
pub(super) enum News {
    /// A line of the manager.
    Line(String),
    /// There are no more lines.
    Ended(Option<io::Error>),
    /// What a search has found so far, or, at intervals, only how far it has come.
    Found(SearchReport),
    /// How far it has come.
    Far(u64),
    /// The search is over.
    Done(Option<u64>, SearchReport),
}

/// The next line of a client: one that came while something else was going on, or a new one; nothing at the end.
pub(super) fn next_line(
    waiting: &mut VecDeque<String>,
    news: &Receiver<News>,
) -> Result<Option<String>, Error> {
    if let Some(line) = waiting.pop_front() {
        return Ok(Some(line));
    }
    match news.recv() {
        Ok(News::Line(line)) => Ok(Some(line)),
        Ok(News::Ended(Some(error))) => Err(error.into()),
        _ => Ok(None),
    }
}

/// Sends on the lines of a manager, up to `quit`.
pub(super) fn read_lines(input: &mut (dyn BufRead + Send), lines: &Sender<News>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let news = match input.read_until(b'\n', &mut bytes) {
            Ok(0) => News::Ended(None),
            Ok(_) => News::Line(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Err(error) => News::Ended(Some(error)),
        };
        let last = match &news {
            News::Line(line) => line == "quit",
            _ => true,
        };
        if lines.send(news).is_err() || last {
            return;
        }
    }
}

/// A search as it was asked for.
pub(super) struct Plan {
    pub(super) bot: Bot,
    pub(super) seed: u64,
    /// Whether only `stop` ends it.
    pub(super) endless: bool,
}

/// Looks for a move and tells the main thread.
pub(super) fn think<'g>(
    state: &(dyn AnyState<'g> + 'g),
    plan: &Plan,
    seat: &Mutex<Seat<'g>>,
    stop: &AtomicBool,
    told: &Sender<News>,
) {
    let mut seat = lock(seat);
    seat.give_to(&plan.bot);
    let mut rng = Rng::new(plan.seed, 0);
    let mut watcher = Watcher {
        stop,
        told,
        next: Instant::now() + TICK,
    };
    let mut report = SearchReport::default();
    let code = match state.turn() {
        Turn::Over => None,
        Turn::Chance => state.results().draw(&mut rng),
        Turn::Decide(_) => {
            report = seat.search_told(state, rng.u64(), &mut watcher);
            report.best().or_else(|| seat.choose(state, &mut rng))
        }
    };
    // Nobody hears it only after `quit`.
    let _ = told.send(News::Done(code, report));
}

/// Time between lines that say how far a search has come.
const TICK: Duration = Duration::from_secs(1);

/// Tells the main thread what a search finds, and the search when to stop.
struct Watcher<'s> {
    stop: &'s AtomicBool,
    told: &'s Sender<News>,
    next: Instant,
}

impl Watch for Watcher<'_> {
    fn go_on(&mut self, done: u64) -> bool {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK;
            // Nobody hears it only after `quit`.
            let _ = self.told.send(News::Far(done));
        }
        !self.stop.load(Ordering::Relaxed)
    }

    fn found(&mut self, report: &SearchReport) {
        let _ = self.told.send(News::Found(report.clone()));
    }
}

/// The main thread while a search goes on.
pub(super) struct Searching<'e, 'g> {
    pub(super) engine: &'e Engine<'g>,
    pub(super) stop: &'e AtomicBool,
    pub(super) endless: bool,
    pub(super) begun: Instant,
}

impl Searching<'_, '_> {
    /// Waits for the end of the search and answers what cannot wait; whether to go on after it.
    pub(super) fn listen(
        &self,
        news: &Receiver<News>,
        waiting: &mut VecDeque<String>,
        out: &mut dyn Write,
    ) -> Result<bool, Error> {
        let mut done = None;
        let (mut stopped, mut quit) = (!self.endless, false);
        while done.is_none() || !(stopped || quit) {
            let text = match news.recv() {
                Ok(News::Line(line)) => match line.as_str() {
                    "isready" => "readyok\n".to_owned(),
                    "stop" | "quit" => {
                        stopped = true;
                        quit |= line == "quit";
                        self.stop.store(true, Ordering::Relaxed);
                        continue;
                    }
                    // The time of the other was enough for a move.
                    "ponderhit" => {
                        stopped = true;
                        self.stop.store(true, Ordering::Relaxed);
                        continue;
                    }
                    _ => {
                        waiting.push_back(line);
                        continue;
                    }
                },
                // A search with bounds is finished for a manager that only writes a list of commands.
                Ok(News::Ended(_)) | Err(_) => {
                    stopped = true;
                    if self.endless {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                    waiting.push_back("quit".to_owned());
                    continue;
                }
                Ok(News::Far(games)) => self.pace(games),
                Ok(News::Found(report)) => self.info(&report),
                Ok(News::Done(code, report)) => {
                    let told = self.info(&report);
                    done = Some(code);
                    told
                }
            };
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        let best = done.flatten().map_or("(none)".to_owned(), |code| {
            self.engine.name(&*self.engine.state, code)
        });
        writeln!(out, "bestmove {best}")?;
        out.flush()?;
        Ok(!quit)
    }

    fn pace(&self, games: u64) -> String {
        let millis = self.begun.elapsed().as_millis().max(1);
        let speed = u128::from(games) * 1000 / millis;
        format!("info nodes {games} time {millis} nps {speed}\n")
    }

    /// The line that tells what a search found.
    fn info(&self, report: &SearchReport) -> String {
        let Some(best) = report.moves.first() else {
            return String::new();
        };
        let depth = report.depth.unwrap_or(report.line.len() as u32).max(1);
        let millis = self.begun.elapsed().as_millis().max(1);
        let speed = u128::from(report.games) * 1000 / millis;
        let me = self.engine.state.mover(best.code);
        let mut line = format!(
            "info depth {depth} score {} nodes {} nps {speed}{} time {millis} pv",
            score(best, report, me),
            report.games,
            report
                .fullness
                .map_or(String::new(), |n| format!(" hashfull {n}")),
        );
        for word in self.engine.line(report) {
            // Writing to a string does not fail.
            let _ = write!(line, " {word}");
        }
        line.push('\n');
        line
    }
}

/// A value as chess programs tell it: in hundredths of a unit by which one wins ten times as often as not, or in moves to
/// the end.
fn score(best: &MoveReport, report: &SearchReport, me: usize) -> String {
    if let Some((won, plies)) = report.end {
        let moves = i64::from(plies.div_ceil(2).max(1));
        return format!("mate {}", if won { moves } else { -i64::from(plies / 2) });
    }
    let moves = report.line.len().max(1) as i64;
    match best.proof.as_ref().and_then(Outcome::winner) {
        Some(winner) if winner == me => format!("mate {}", (moves + 1) / 2),
        Some(_) => format!("mate -{}", moves / 2),
        None => format!("cp {}", centipawns(best.value)),
    }
}

/// The share of games that are won, from 0 to 1, on the scale of Elo: 400 for ten to one.
pub(super) fn centipawns(share: f64) -> i64 {
    let share = share.clamp(1e-4, 1.0 - 1e-4);
    (400.0 * (share / (1.0 - share)).log10()).round() as i64
}

/// What to do about a line.
pub(super) enum Answer {
    Nothing,
    Text(String),
    Search(Plan),
    Quit,
}

pub(super) struct Engine<'g> {
    pub(super) begin: State<'g>,
    pub(super) state: State<'g>,
    pub(super) squares: Squares,
    /// How positions are written in Forsyth-Edwards notation.
    pub(super) fen: Option<Fen>,
    pub(super) bot: Bot,
    /// Who plays, with what was learnt in the game so far.
    pub(super) seat: Arc<Mutex<Seat<'g>>>,
    pub(super) seed: u64,
    /// Milliseconds of a clock that are not ours.
    pub(super) overhead: u64,
    pub(super) searches: u64,
    /// Whether moves are written as chess programs do.
    pub(super) chess: bool,
    /// Whether the latest position could not be set: then there is none to answer about.
    pub(super) lost: bool,
}

/// How many times its share a move may take that is hard to find.
const MORE: u64 = 3;
/// Most parts of a clock that one search takes without another bound.
const PARTS: u64 = 30;

impl<'g> Engine<'g> {
    pub(super) fn answer(&mut self, words: &[&str]) -> Answer {
        let Some((first, rest)) = words.split_first() else {
            return Answer::Nothing;
        };
        match *first {
            "quit" => return Answer::Quit,
            "go" if !self.lost => match self.plan(rest) {
                Ok(plan) => return Answer::Search(plan),
                Err(wrong) => return Answer::Text(complain(&wrong)),
            },
            _ => {}
        }
        let text = match *first {
            "ugi" | "uci" => {
                self.chess = *first == "uci";
                self.hello(first)
            }
            "isready" => "readyok\n".to_owned(),
            "uginewgame" | "ucinewgame" => {
                self.begin_anew();
                String::new()
            }
            "setoption" => self.set(rest).err().map_or(String::new(), |w| complain(&w)),
            "position" => {
                let found = self.position(rest);
                self.lost = found.is_err();
                match found {
                    Ok(state) => {
                        self.state = state;
                        String::new()
                    }
                    Err(wrong) => complain(&wrong),
                }
            }
            "query" if !self.lost => self.query(rest),
            "go" | "query" => {
                let mut text = complain(
                    "there is no position: the latest one could not be set; send another `position`, or `uginewgame`",
                );
                // Chess programs wait for one.
                if self.chess && *first == "go" {
                    text.push_str("bestmove (none)\n");
                }
                text
            }
            "stop" | "ponderhit" | "debug" => String::new(),
            other => complain(&format!("unknown command: {other}")),
        };
        match text.is_empty() {
            true => Answer::Nothing,
            false => Answer::Text(text),
        }
    }

    /// Begins with another game.
    pub(super) fn begin_anew(&mut self) {
        self.state = self.begin.fork();
        *lock(&self.seat) = self.bot.seat();
        self.searches = 0;
        self.lost = false;
    }

    /// The words for the moves that a search expects.
    pub(super) fn line(&self, report: &SearchReport) -> Vec<String> {
        let best = report.moves.first().map(|best| best.code);
        let moves: Vec<u64> = match report.line.is_empty() {
            true => best.into_iter().collect(),
            false => report.line.clone(),
        };
        let mut state = self.state.fork();
        let mut words = Vec::new();
        for code in moves {
            words.push(self.name(&*state, code));
            if !state.play(code, None) {
                break;
            }
        }
        words
    }

    /// A position in Forsyth-Edwards notation, if it can be written so.
    pub(super) fn fen_of(&self, state: &(dyn AnyState<'g> + 'g)) -> Option<String> {
        self.fen.as_ref()?.write(&state.text())
    }

    fn hello(&self, word: &str) -> String {
        let info = self.begin.info();
        let name = info.name.replace(char::is_whitespace, "_");
        format!(
            "id name {name} {}\nid author rulec\n\
             option name Hash type spin default {HASH} min 1 max {MOST_HASH}\n\
             option name Clear Hash type button\n\
             option name Threads type spin default 1 min 1 max {MOST_THREADS}\n\
             option name Move Overhead type spin default 10 min 0 max 10000\n\
             option name Bot type string default {}\n\
             option name Seed type string default {}\n{word}ok\n",
            &info.rules_sha256.get(..12).unwrap_or_default(),
            self.bot,
            self.seed,
        )
    }

    /// Sets an option: `name N` and `value V`, both of which may hold blanks.
    pub(super) fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| *word == "value");
        let (name, value) = words.split_at(at.unwrap_or(words.len()));
        let name = name.get(1..).unwrap_or_default().join(" ").to_lowercase();
        let value = value.get(1..).unwrap_or_default().join(" ");
        let number = |least: u64, most: u64| {
            let found = value.parse().ok().filter(|n| (least..=most).contains(n));
            found.ok_or_else(|| format!("`{name}` wants a number from {least} to {most}"))
        };
        match name.as_str() {
            "bot" => {
                let bot: Bot = value.parse()?;
                bot.ready(self.begin.info())?;
                self.bot = bot;
            }
            "seed" => self.seed = number(0, u64::MAX)?,
            "move overhead" => self.overhead = number(0, 10_000)?,
            "clear hash" => *lock(&self.seat) = self.bot.seat(),
            "hash" => {
                let bytes = number(1, MOST_HASH)? << 20;
                if let Bot::Search(settings) = &mut self.bot {
                    settings.table = bytes as usize / alphabeta::ENTRY_BYTES;
                    settings.nodes = bytes as usize / NODE_BYTES;
                }
            }
            "threads" => {
                let threads = number(1, MOST_THREADS)? as u32;
                if let Bot::Search(settings) = &mut self.bot {
                    settings.threads = threads;
                }
            }
            _ => {
                return Err(
                    "the options are Bot, Seed, Hash, Clear Hash, Threads and Move Overhead"
                        .to_owned(),
                );
            }
        }
        Ok(())
    }

    /// The position that a line describes.
    pub(super) fn position(&self, words: &[&str]) -> Result<State<'g>, String> {
        let at = words.iter().position(|word| *word == "moves");
        let (place, moves) = words.split_at(at.unwrap_or(words.len()));
        let mut state = match place {
            ["startpos"] => self.begin.fork(),
            ["fen", text @ ..] => self
                .read(&text.join("_"))
                .or_else(|wrong| match &self.fen {
                    Some(fen) if self.chess => {
                        let read = self.begin.read(&fen.read(&text.join(" "))?);
                        read.map_err(|error| error.to_string())
                    }
                    _ => Err(wrong),
                })?,
            _ => {
                return Err(
                    "position is `startpos` or `fen TEXT`, then `moves` and a list".to_owned(),
                );
            }
        };
        for word in moves.iter().skip(1) {
            let code = self.named(&*state, word)?;
            state.play(code, None);
        }
        Ok(state)
    }

    /// The position of a text in which blanks are `_`: as it is, or with blanks again.
    fn read(&self, text: &str) -> Result<State<'g>, String> {
        let plain = self.begin.read(text);
        let read = plain.or_else(|_| self.begin.read(&text.replace('_', " ")));
        read.map_err(|error| error.to_string())
    }

    /// The moves, or results of a draw, with the words that name them.
    fn moves(&self, state: &(dyn AnyState<'g> + 'g)) -> Result<Vec<(String, u64)>, String> {
        let named = match self.chess {
            true => self.squares.moves(state),
            false => view::options(state, ChoiceSet::All).map(|codes| {
                let word = |code| state.move_text(code).replace(char::is_whitespace, "_");
                codes.into_iter().map(|code| (word(code), code)).collect()
            }),
        };
        named.map_err(|fault| Outcome::fault(fault).text(state.info()))
    }

    /// The word for a move that can be made.
    pub(super) fn name(&self, state: &(dyn AnyState<'g> + 'g), code: u64) -> String {
        let mut moves = self.moves(state).unwrap_or_default().into_iter();
        let found = moves.find(|(_, known)| *known == code);
        let text = || state.move_text(code).replace(char::is_whitespace, "_");
        found.map_or_else(text, |(word, _)| word)
    }

    /// The move, or result of a draw, that a word names.
    pub(super) fn named(&self, state: &(dyn AnyState<'g> + 'g), word: &str) -> Result<u64, String> {
        let moves = self.moves(state)?;
        if let Some((_, code)) = moves.iter().find(|(name, _)| name == word) {
            return Ok(*code);
        }
        // Rules that know one promotion only do not name it.
        let short = word.get(..word.len().saturating_sub(1)).unwrap_or_default();
        let found = moves.iter().find(|(name, _)| self.chess && name == short);
        found
            .map(|(_, code)| *code)
            .ok_or_else(|| format!("`{word}` is not legal here"))
    }

    /// The search that a line asks for.
    pub(super) fn plan(&mut self, words: &[&str]) -> Result<Plan, String> {
        let bot = self.bounded(words)?;
        self.searches += 1;
        Ok(Plan {
            bot,
            seed: Rng::new(self.seed, self.searches).u64(),
            endless: words.contains(&"infinite") || words.contains(&"ponder"),
        })
    }

    /// The bot with the bounds of a line.
    fn bounded(&self, words: &[&str]) -> Result<Bot, String> {
        let free = match &self.bot {
            Bot::Search(settings) => SearchSettings {
                games: None,
                time: None,
                depth: None,
                ..*settings
            },
            Bot::Random => SearchSettings::of(Method::Uct),
        };
        let mut own = free;
        own.games = number(words, "nodes")?.map(|nodes| nodes.max(1));
        own.time = number(words, "movetime")?.map(|time| self.millis(time));
        if let Some(depth) = number(words, "depth")? {
            own.depth = Some(depth.clamp(1, 1_000) as u32);
            // The others do not look ahead by moves.
            if matches!(own.method, Method::Uct | Method::Flat | Method::Puct) {
                own.method = Method::AlphaBeta;
            }
        }
        if own.time.is_none()
            && let Some((aim, most)) = self.share(words)?
        {
            (own.aim, own.time) = (Some(aim), Some(most));
        }
        if words.contains(&"infinite") || words.contains(&"ponder") {
            own = SearchSettings {
                games: Some(u64::MAX),
                ..free
            };
        }
        match own == free {
            true => Ok(self.bot.clone()),
            false => Ok(Bot::Search(own)),
        }
    }

    fn millis(&self, time: u64) -> Duration {
        Duration::from_millis(time.saturating_sub(self.overhead).max(1))
    }

    /// The part of a clock that this move should take, and the most that it may; nothing without a clock.
    fn share(&self, words: &[&str]) -> Result<Option<(Duration, Duration)>, String> {
        let player = self.state.player().unwrap_or(0) + 1;
        // Some managers speak of the first player as white.
        let other = ["w", "b"].get(player - 1).copied().unwrap_or("-");
        let of = |what: &str| -> Result<Option<u64>, String> {
            let own = number(words, &format!("p{player}{what}"))?;
            own.map_or_else(|| number(words, &format!("{other}{what}")), |n| Ok(Some(n)))
        };
        let Some(left) = of("time")? else {
            return Ok(None);
        };
        let parts = number(words, "movestogo")?.unwrap_or(PARTS).clamp(1, PARTS);
        let share = left / (parts + 1) + of("inc")?.unwrap_or(0) * 3 / 4;
        let most = (share * MORE).min(left / 3).max(share.min(left / 2));
        Ok(Some((self.millis(share.min(left / 2)), self.millis(most))))
    }

    fn query(&self, words: &[&str]) -> String {
        let over = self.state.turn() == Turn::Over;
        let answer = match words {
            ["p1turn"] => (!over && self.state.player() == Some(0)).to_string(),
            ["turn"] => match self.state.turn() {
                Turn::Decide(_) => self.state.player().map_or(0, |p| p + 1).to_string(),
                _ => "0".to_owned(),
            },
            ["chance"] => (self.state.turn() == Turn::Chance).to_string(),
            ["gameover"] => over.to_string(),
            ["result"] => match self.state.outcome().filter(|_| over) {
                None => "none".to_owned(),
                Some(outcome) => match outcome.winner() {
                    Some(0) => "p1win".to_owned(),
                    Some(1) => "p2win".to_owned(),
                    Some(other) => format!("p{}win", other + 1),
                    None => "draw".to_owned(),
                },
            },
            ["fen"] => {
                let text = self.state.text();
                let fen = self.fen.as_ref().filter(|_| self.chess);
                let fen = fen.and_then(|fen| fen.write(&text));
                fen.unwrap_or_else(|| text.replace(char::is_whitespace, "_"))
            }
            ["moves"] => {
                let moves = self.moves(&*self.state).unwrap_or_default();
                let words: Vec<String> = moves.into_iter().map(|(word, _)| word).collect();
                words.join(" ")
            }
            _ => {
                return complain(
                    "the queries are p1turn, turn, chance, gameover, result, fen and moves",
                );
            }
        };
        format!("response {answer}\n")
    }
}

/// Mebibytes of a table where nobody says.
const HASH: u64 = 48;
/// Mebibytes of a table at most.
const MOST_HASH: u64 = 1 << 16;
/// Threads of a search at most.
const MOST_THREADS: u64 = 1024;
/// Bytes of a node of a tree, with the position where that is kept.
const NODE_BYTES: usize = 96;

fn complain(what: &str) -> String {
    format!("info string error: {}\n", what.replace('\n', " "))
}

/// The number after a word.
fn number(words: &[&str], name: &str) -> Result<Option<u64>, String> {
    let Some(at) = words.iter().position(|word| *word == name) else {
        return Ok(None);
    };
    let value = words.get(at + 1).and_then(|word| word.parse::<i64>().ok());
    let wrong = || format!("`{name}` wants a number");
    Ok(Some(value.ok_or_else(wrong)?.max(0) as u64))
}
