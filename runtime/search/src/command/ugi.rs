//! `ugi`: the Universal Game Interface, by which tournament managers and boards talk to engines.
//!
//! The protocol is UCI with general names: `ugi`, `isready`, `uginewgame`, `position`, `go`, `stop`, `quit`, and the queries `query p1turn`,
//! `query gameover`, `query result`. Move texts are those of the game with blanks made `_`, because moves of a list are separated by blanks.
//! A position is `startpos`, or `fen` and the canonical text of a state in the same way, then `moves` and a list.
//!
//! Results of draws stand among the moves: `query chance` says whether one is due, and a manager that does not know it lets this program
//! draw by `go`, whose best move is then the result.

use std::{
    fmt::Write as _,
    io::{BufRead, Write},
    time::Instant,
};

use clap::Args;
use rulec_core::{ChoiceSet, Rng, Turn};

use super::{Error, StartArgs};
use crate::{AnyState, Bot, Order, State, ordered, view};

/// Arguments of `ugi`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  ugi\n  ugi --bot uct:20000\n\n\
    `go nodes N` and `go movetime MS` bound a search of their own; with clocks (p1time, p2time, p1inc, p2inc, movestogo) a share of the time that\n\
    is left is used. A plain `go` plays as --bot says. Blanks in texts of moves and positions are written `_`.")]
pub struct UgiArgs {
    /// Who plays where `go` sets no bounds
    #[arg(long, value_name = "BOT", default_value = "uct:10000")]
    pub bot: Bot,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where games begin.
    #[command(flatten)]
    pub start: StartArgs,
}

/// Answers the lines of a manager until it says `quit` or there are no more.
///
/// # Errors
/// When the start cannot be reached, or reading or writing fails.
pub fn ugi<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &UgiArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Error> {
    args.bot.ready(start.info()).map_err(Error::User)?;
    let begin = ordered(&*args.start.reach(start)?, Order::RoundRobin, false);
    let mut engine = Engine {
        state: begin.fork(),
        begin,
        bot: args.bot.clone(),
        seed: args.seed,
        searches: 0,
        lost: false,
    };
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match engine.answer(&words) {
            Some(answer) => out.write_all(answer.as_bytes())?,
            None => return Ok(()),
        }
        out.flush()?;
    }
}

/// Most seconds that a search without another bound takes of a clock: one of so many parts.
const PARTS: u64 = 30;

struct Engine<'g> {
    begin: State<'g>,
    state: State<'g>,
    bot: Bot,
    seed: u64,
    searches: u64,
    /// Whether the latest position could not be set: then there is none to answer about.
    lost: bool,
}

impl<'g> Engine<'g> {
    /// What to write for a line; nothing to stop.
    fn answer(&mut self, words: &[&str]) -> Option<String> {
        let Some((first, rest)) = words.split_first() else {
            return Some(String::new());
        };
        let answer = match *first {
            "quit" => return None,
            "ugi" | "uci" => self.hello(first),
            "isready" => "readyok\n".to_owned(),
            "uginewgame" | "ucinewgame" => {
                self.state = self.begin.fork();
                self.searches = 0;
                self.lost = false;
                String::new()
            }
            "setoption" => self.set(rest),
            "position" => match self.position(rest) {
                Ok(state) => {
                    self.state = state;
                    self.lost = false;
                    String::new()
                }
                Err(wrong) => {
                    self.lost = true;
                    complain(&wrong)
                }
            },
            "go" | "query" if self.lost => complain(
                "there is no position: the latest one could not be set; send another `position`, or `uginewgame`",
            ),
            "go" => self.go(rest),
            "query" => self.query(rest),
            // A search is over before the next line is read.
            "stop" | "ponderhit" | "debug" => String::new(),
            other => complain(&format!("unknown command: {other}")),
        };
        Some(answer)
    }

    fn hello(&self, word: &str) -> String {
        let info = self.begin.info();
        let name = info.name.replace(char::is_whitespace, "_");
        format!(
            "id name {name} {}\nid author rulec\noption name Bot type string default {}\noption name Seed type string default {}\n{word}ok\n",
            &info.rules_sha256.get(..12).unwrap_or_default(),
            self.bot,
            self.seed,
        )
    }

    fn set(&mut self, words: &[&str]) -> String {
        let wrong = match words {
            ["name", name, "value", value] if name.eq_ignore_ascii_case("bot") => {
                value.parse().map(|bot| self.bot = bot).err()
            }
            ["name", name, "value", value] if name.eq_ignore_ascii_case("seed") => {
                let parsed = value.parse().map(|seed| self.seed = seed);
                parsed.map_err(|_| format!("`{value}` is no seed")).err()
            }
            _ => Some("the options are Bot and Seed".to_owned()),
        };
        wrong.map_or(String::new(), |wrong| complain(&wrong))
    }

    /// The position that a line describes.
    fn position(&self, words: &[&str]) -> Result<State<'g>, String> {
        let at = words.iter().position(|word| *word == "moves");
        let (place, moves) = words.split_at(at.unwrap_or(words.len()));
        let mut state = match place {
            ["startpos"] => self.begin.fork(),
            ["fen", text @ ..] => self.read(&text.join("_"))?,
            _ => {
                return Err(
                    "position is `startpos` or `fen TEXT`, then `moves` and a list".to_owned(),
                );
            }
        };
        for word in moves.iter().skip(1) {
            let code = named(&*state, word)?;
            state.play(code, None);
        }
        Ok(state)
    }

    /// The position of a text in which blanks are `_`: as it is, or with blanks again.
    fn read(&self, text: &str) -> Result<State<'g>, String> {
        let plain = self.begin.read(text);
        plain.or_else(|_| self.begin.read(&text.replace('_', " ")))
    }

    fn go(&mut self, words: &[&str]) -> String {
        let bot = match self.bounded(words) {
            Ok(bot) => bot,
            Err(wrong) => return complain(&wrong),
        };
        self.searches += 1;
        let mut rng = Rng::new(self.seed, self.searches);
        let begun = Instant::now();
        let mut told = String::new();
        let code = match self.state.turn() {
            Turn::Over => None,
            Turn::Chance => self.state.results().draw(&mut rng),
            Turn::Decide(_) => self.chosen(&bot, &mut rng, begun, &mut told),
        };
        let best = code.map_or("(none)".to_owned(), |code| word_of(&*self.state, code));
        // Writing to a string does not fail.
        let _ = writeln!(told, "bestmove {best}");
        told
    }
}

fn complain(what: &str) -> String {
    format!("info string error: {}\n", what.replace('\n', " "))
}

/// The text of a move as one word.
fn word_of<'g>(state: &(dyn AnyState<'g> + 'g), code: u64) -> String {
    state.move_text(code).replace(char::is_whitespace, "_")
}

/// The move, or result of a draw, that a word names.
fn named<'g>(state: &(dyn AnyState<'g> + 'g), word: &str) -> Result<u64, String> {
    let options = view::options(state, ChoiceSet::All)
        .map_err(|fault| rulec_core::Outcome::fault(fault).text(state.info()))?;
    let found = options
        .into_iter()
        .find(|code| word_of(state, *code) == word);
    found.ok_or_else(|| format!("`{word}` is not legal here"))
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

impl<'g> Engine<'g> {
    /// The bot with the bounds of a line.
    fn bounded(&self, words: &[&str]) -> Result<Bot, String> {
        let millis = |ms: u64| format!("uct:{}ms", ms.max(1)).parse::<Bot>();
        if let Some(nodes) = number(words, "nodes")? {
            return format!("uct:{}", nodes.max(1)).parse();
        }
        if let Some(time) = number(words, "movetime")? {
            return millis(time);
        }
        let player = self.state.player().unwrap_or(0) + 1;
        // Some managers speak of the first player as white.
        let other = ["w", "b"].get(player - 1).copied().unwrap_or("-");
        let of = |what: &str| -> Result<Option<u64>, String> {
            let own = number(words, &format!("p{player}{what}"))?;
            own.map_or_else(|| number(words, &format!("{other}{what}")), |n| Ok(Some(n)))
        };
        match of("time")? {
            Some(left) => {
                let parts = number(words, "movestogo")?.unwrap_or(PARTS).clamp(1, PARTS);
                let share = left / (parts + 1) + of("inc")?.unwrap_or(0) * 3 / 4;
                millis(share.min(left / 2))
            }
            None => Ok(self.bot.clone()),
        }
    }

    fn chosen(&self, bot: &Bot, rng: &mut Rng, begun: Instant, told: &mut String) -> Option<u64> {
        let report = bot.search(&*self.state, rng.u64());
        if let Some(best) = report.moves.first() {
            // Writing to a string does not fail.
            let _ = writeln!(
                told,
                "info nodes {} time {} score value {:.3} pv {}",
                report.games,
                begun.elapsed().as_millis(),
                best.value,
                word_of(&*self.state, best.code)
            );
        }
        report.best().or_else(|| bot.choose(&*self.state, rng))
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
            ["fen"] => self.state.text().replace(char::is_whitespace, "_"),
            ["moves"] => {
                let codes = view::options(&*self.state, ChoiceSet::All).unwrap_or_default();
                let words: Vec<String> = codes
                    .iter()
                    .map(|code| word_of(&*self.state, *code))
                    .collect();
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
