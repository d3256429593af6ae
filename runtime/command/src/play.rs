//! Playing on the terminal.

use std::{
    hash::{BuildHasher, RandomState},
    io::{self, BufRead, IsTerminal, Write},
    time::Duration,
};

use clap::Args;
use rulec_core::{ChoiceSet, Outcome, Reason, Refusal, Rng, Turn, Wish};
use serde_json::json;

use super::{Error, StartArgs, basic::Options};
use rulec_search::{
    AnyState, Bot, State,
    notation::find_move,
    search::{Method, SearchSettings},
    view,
};

/// Arguments of `play`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  play\n  play --as 2 --bot uct:5s\n  play --as none --bot random --seed 1\n\n\
    Without --bot, everybody sits at this terminal. Draws are made by the program.\n\
    While playing: the number or the text of a move, or its beginning; or undo, redo, hint, why, moves, quit, help.\n    \
    With the coloured board, Tab completes what is typed and the arrow keys bring back earlier answers."
)]
pub struct PlayArgs {
    /// The players at this terminal by number, several with commas, or none
    #[arg(long = "as", value_name = "PLAYERS")]
    pub seats: Option<String>,
    /// Who plays the other side: random, mc:GAMES, uct:GAMES, or with a time such as uct:2s
    #[arg(long, value_name = "BOT")]
    pub bot: Option<Bot>,
    /// Seed of draws and of the bot; a new one each time if not given
    #[arg(long)]
    pub seed: Option<u64>,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write positions and moves as lines of JSON
    #[arg(long)]
    pub json: bool,
}

const HINT_GAMES: u64 = 10_000;
const HINT_TIME: Duration = Duration::from_secs(3);
const LISTED_MOVES: usize = 60;
/// Moves that a beginning may mean and that are listed.
const LISTED_ENDINGS: usize = 12;
const COMMANDS: &str = "the number or the text of a move, or as much of its beginning as no other move has, or:\n  \
    BEGINNING ?  list the moves that begin so\n  undo         take back to your last decision\n  \
    redo         play again what was taken back\n  hint         ask the computer for a move\n  \
    why MOVE     say why a move is not legal\n  moves        list all legal moves\n  quit         end\n";

/// Words that are commands, for completion.
const WORDS: [&str; 7] = ["undo", "redo", "hint", "why ", "moves", "quit", "help"];

/// Where answers come from.
pub trait Asker {
    /// An answer, without the end of its line; nothing when there are no more.
    ///
    /// `words` are the answers that can be given as a whole, for those who complete what is typed.
    ///
    /// # Errors
    /// When reading or writing fails.
    fn ask(
        &mut self,
        out: &mut dyn Write,
        prompt: &str,
        words: &dyn Fn() -> Vec<String>,
    ) -> io::Result<Option<String>>;
}

/// Lines of a text or of a pipe.
pub struct Lines<R>(pub R);

impl<R: BufRead> Asker for Lines<R> {
    fn ask(
        &mut self,
        out: &mut dyn Write,
        prompt: &str,
        _: &dyn Fn() -> Vec<String>,
    ) -> io::Result<Option<String>> {
        out.write_all(prompt.as_bytes())?;
        out.flush()?;
        let mut line = Vec::new();
        match self.0.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        }
    }
}

/// What play on the terminal looks like: what a game cannot know by itself.
pub trait Scenery {
    /// Draws a position, in colours or without; nothing where there is nothing to draw.
    fn drawing(&self, state: &dyn AnyState<'_>, colours: bool) -> Option<String>;

    /// Why a move is not legal, where the game itself does not know; nothing if this does not know either.
    fn reason(&self, state: &dyn AnyState<'_>, wish: Wish<'_>) -> Option<Refusal>;

    /// A reason in words for people.
    fn words(&self, _: &dyn AnyState<'_>, refusal: &Refusal) -> String {
        refusal.sentence()
    }

    /// What moves of a position are called, such as by files and ranks. Moves that differ are called the same only where the
    /// rules call them equal. They are always understood by their texts, too.
    fn names(&self, state: &dyn AnyState<'_>, moves: &[u64]) -> Vec<String> {
        moves.iter().map(|&code| state.move_text(code)).collect()
    }
}

/// Texts of positions, and no reasons.
struct Plain;

impl Scenery for Plain {
    fn drawing(&self, _: &dyn AnyState<'_>, _: bool) -> Option<String> {
        None
    }

    fn reason(&self, _: &dyn AnyState<'_>, _: Wish<'_>) -> Option<Refusal> {
        None
    }
}

/// Plays a game: people's moves come from `input`, one a line; the end of the input ends the game.
///
/// # Errors
/// When the arguments do not fit the game, or reading or writing fails. A wrong move is not an error, it is asked for again.
pub fn play<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &PlayArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Error> {
    play_in(start, args, (&mut Lines(input), out), &Plain)
}

/// As [`play`], with answers from somewhere and the board drawn above the text of the position.
///
/// # Errors
/// As [`play`].
pub fn play_in<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &PlayArgs,
    (asker, out): (&mut dyn Asker, &mut dyn Write),
    scenery: &dyn Scenery,
) -> Result<(), Error> {
    if let Some(bot) = &args.bot {
        bot.ready(start.info()).map_err(Error::User)?;
    }
    let humans = humans(args, start.about().players.len())?;
    let seed = args
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);
    let mut table = Table {
        states: vec![args.start.reach(start)?],
        humans,
        bot: args.bot.clone().unwrap_or(Bot::Random),
        rng: Rng::new(seed, 0),
        json: args.json,
        colours: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        taken_back: Vec::new(),
        scenery,
        asker,
        out,
    };
    if !args.json {
        writeln!(
            table.out,
            "{}, seed {seed}; `help` lists what you can type",
            start.about().name
        )?;
    }
    while table.step()? {}
    Ok(())
}

/// The players at the terminal, a bit each.
fn humans(args: &PlayArgs, players: usize) -> Result<u64, Error> {
    let wrong = |text: &str| {
        Error::User(format!(
            "`--as {text}`: name players from 1 to {players}, separated by commas, or `none`"
        ))
    };
    let text = match (&args.seats, &args.bot) {
        (None, None) => return Ok(u64::MAX),
        (None, Some(_)) => "1",
        (Some(text), _) => text,
    };
    if text == "none" {
        return Ok(0);
    }
    let numbers = text.split(',').map(|part| part.trim().parse::<usize>());
    numbers.into_iter().try_fold(0, |set, number| match number {
        Ok(n) if (1..=players).contains(&n) => Ok(set | 1 << ((n - 1) & 63)),
        _ => Err(wrong(text)),
    })
}

/// A game under way.
struct Table<'a, 'g> {
    /// Every position from the start on; the last one is the present.
    states: Vec<State<'g>>,
    humans: u64,
    bot: Bot,
    rng: Rng,
    json: bool,
    colours: bool,
    /// What was taken back, the latest last: the positions up to there.
    taken_back: Vec<Vec<State<'g>>>,
    scenery: &'a dyn Scenery,
    asker: &'a mut dyn Asker,
    out: &'a mut dyn Write,
}

/// What somebody typed.
enum Answer {
    Move(u64),
    Again,
    Undo,
    Redo,
    Quit,
}

impl<'g> Table<'_, 'g> {
    /// Plays one move or draw; false when the game or the session is over.
    fn step(&mut self) -> Result<bool, Error> {
        let Some(state) = self.states.last().map(|s| s.fork()) else {
            return Ok(false);
        };
        let options = Options::of(&*state);
        match options.turn {
            Turn::Over => {
                self.show_end(&*state, options.outcome)?;
                Ok(false)
            }
            Turn::Chance => {
                let drawn = state.results().draw(&mut self.rng);
                self.commit(state, drawn, "drawn")
            }
            Turn::Decide(players) if players & self.humans == 0 => {
                let who = view::player_text(state.about(), players.trailing_zeros() as usize);
                let choice = self.bot.choose(&*state, &mut self.rng);
                self.commit(
                    state,
                    choice,
                    &format!("{who}, {}, plays", self.bot.clone()),
                )
            }
            Turn::Decide(_) => {
                self.show(&*state, &options, LISTED_MOVES)?;
                self.ask(state, &options)
            }
        }
    }

    fn ask(&mut self, state: State<'g>, options: &Options) -> Result<bool, Error> {
        loop {
            match self.answer(&*state, options)? {
                Answer::Move(code) => return self.commit(state, Some(code), "played"),
                Answer::Again => {}
                Answer::Quit => return Ok(false),
                Answer::Undo => {
                    if self.undo() {
                        return Ok(true);
                    }
                    writeln!(self.out, "there is nothing to take back")?;
                }
                Answer::Redo => match self.taken_back.pop() {
                    Some(later) => {
                        self.states.extend(later);
                        return Ok(true);
                    }
                    None => writeln!(self.out, "there is nothing to play again")?,
                },
            }
        }
    }

    fn answer(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        options: &Options,
    ) -> Result<Answer, Error> {
        let prompt = if self.json { "" } else { "> " };
        self.out.flush()?;
        let names = self.scenery.names(state, &options.distinct);
        let words = || answers(&names);
        let Some(line) = self.asker.ask(self.out, prompt, &words)? else {
            return Ok(Answer::Quit);
        };
        match line.trim() {
            "" => Ok(Answer::Again),
            "quit" | "exit" | "q" => Ok(Answer::Quit),
            "undo" | "u" => Ok(Answer::Undo),
            "redo" | "r" => Ok(Answer::Redo),
            "help" | "?" => {
                write!(self.out, "{COMMANDS}")?;
                Ok(Answer::Again)
            }
            "moves" => {
                self.show(state, options, usize::MAX)?;
                Ok(Answer::Again)
            }
            "hint" => {
                self.hint(state)?;
                Ok(Answer::Again)
            }
            text => match (text.strip_prefix("why "), text.strip_suffix('?')) {
                (Some(mv), _) => {
                    self.reason(state, mv.trim())?;
                    Ok(Answer::Again)
                }
                (None, Some(beginning)) => {
                    let begun = self.beginnings(state, options, beginning.trim());
                    self.list(state, options, &begun)?;
                    Ok(Answer::Again)
                }
                _ => self.move_of(state, options, text),
            },
        }
    }

    /// The move of a text that is its number in the list or its name.
    fn move_of(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        options: &Options,
        text: &str,
    ) -> Result<Answer, Error> {
        let numbered = text
            .parse::<usize>()
            .ok()
            .and_then(|n| options.distinct.get(n.checked_sub(1)?));
        let names = self.scenery.names(state, &options.distinct);
        let named = names.iter().position(|name| name == text);
        let named = named.map(|at| options.distinct[at]);
        let found = named.map_or_else(|| find_move(state, text), Ok);
        match (found, numbered) {
            (Ok(code), _) | (Err(_), Some(&code)) => Ok(Answer::Move(code)),
            (Err(error), None) => {
                let begun = self.beginnings(state, options, text);
                match begun[..] {
                    [code] => return Ok(Answer::Move(code)),
                    [] => {
                        writeln!(self.out, "{error}")?;
                        if !state.parse_move(text).is_empty() {
                            self.reason(state, text)?;
                        }
                    }
                    _ => self.list(state, options, &begun)?,
                }
                Ok(Answer::Again)
            }
        }
    }

    /// Why a move is not legal, if the engine knows.
    fn reason(&mut self, state: &(dyn AnyState<'g> + 'g), text: &str) -> Result<(), Error> {
        if state.parse_move(text).is_empty() && state.host_moves().is_empty() {
            return Ok(writeln!(self.out, "`{text}` is no move of this game")?);
        }
        let wish = Wish::Text(text);
        let refusal = state
            .explain(wish)
            .or_else(|| self.scenery.reason(state, wish));
        match refusal {
            Some(refusal) => {
                writeln!(self.out, "{}", self.scenery.words(state, &refusal))?;
                if !refusal.origin.is_empty() {
                    writeln!(self.out, "  --> {}", refusal.origin)?;
                }
            }
            None => writeln!(self.out, "{}", how_to_explain(state, text))?,
        }
        Ok(())
    }

    /// The moves, one of each class, whose names or texts begin so; letter case and blanks count for nothing.
    fn beginnings(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        options: &Options,
        text: &str,
    ) -> Vec<u64> {
        let wanted = plain(text);
        let begins = |text: &str| plain(text).starts_with(&wanted);
        let names = self.scenery.names(state, &options.distinct);
        let all = options.distinct.iter().copied().zip(&names);
        all.filter(|(code, name)| begins(name) || begins(&state.move_text(*code)))
            .map(|(code, _)| code)
            .collect()
    }

    fn list(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        options: &Options,
        codes: &[u64],
    ) -> Result<(), Error> {
        let names = self.scenery.names(state, &options.distinct);
        let named = |code: &u64| options.distinct.iter().position(|other| other == code);
        for at in codes.iter().filter_map(named).take(LISTED_ENDINGS) {
            writeln!(self.out, "  {}", names[at])?;
        }
        match codes.len() {
            0 => writeln!(self.out, "no legal move begins so")?,
            many if many > LISTED_ENDINGS => {
                writeln!(self.out, "  … and {} more", many - LISTED_ENDINGS)?
            }
            _ => {}
        }
        Ok(())
    }

    fn commit(
        &mut self,
        mut state: State<'g>,
        code: Option<u64>,
        how: &str,
    ) -> Result<bool, Error> {
        let Some(code) = code else {
            self.show_end(&*state, Some(Outcome::nobody(Reason::Stuck)))?;
            return Ok(false);
        };
        match self.json {
            true => writeln!(self.out, "{}", json!({ "played": state.move_text(code) }))?,
            false => writeln!(self.out, "{how} {}", self.name(&*state, code))?,
        }
        state.play(code, None);
        self.states.push(state);
        self.taken_back.clear();
        Ok(true)
    }

    /// What a move is called.
    fn name(&self, state: &(dyn AnyState<'g> + 'g), code: u64) -> String {
        let mut all = match state.turn() {
            Turn::Decide(_) => view::options(state, ChoiceSet::Distinct).unwrap_or_default(),
            _ => return state.move_text(code),
        };
        let at = all.iter().position(|other| *other == code);
        let at = at.unwrap_or_else(|| {
            all.push(code);
            all.len() - 1
        });
        self.scenery.names(state, &all).swap_remove(at)
    }

    /// Goes back to the last position in which somebody at the terminal decided.
    fn undo(&mut self) -> bool {
        let earlier = &self.states[..self.states.len() - 1];
        let decided =
            |state: &State<'g>| matches!(state.turn(), Turn::Decide(p) if p & self.humans != 0);
        match earlier.iter().rposition(decided) {
            Some(index) => {
                let later = self.states.split_off(index + 1);
                self.taken_back.push(later);
                true
            }
            None => false,
        }
    }

    fn hint(&mut self, state: &(dyn AnyState<'g> + 'g)) -> Result<(), Error> {
        let adviser = match &self.bot {
            Bot::Random => Bot::Search(SearchSettings {
                time: Some(HINT_TIME),
                ..SearchSettings::games(Method::Uct, HINT_GAMES, 0)
            }),
            bot => bot.clone(),
        };
        let report = adviser.search(state, self.rng.clone().u64());
        if let Some(best) = report.moves.first() {
            let name = self.name(state, best.code);
            writeln!(
                self.out,
                "{name} (value {:.3} after {} games)",
                best.value, report.games
            )?;
        }
        Ok(())
    }

    fn show(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        options: &Options,
        most: usize,
    ) -> Result<(), Error> {
        if self.json {
            writeln!(self.out, "{}", options.json(state))?;
            return Ok(());
        }
        self.draw(state)?;
        writeln!(self.out, "{}", options.headline(state))?;
        let names = self.scenery.names(state, &options.distinct);
        for (number, name) in (1..).zip(names.iter().take(most)) {
            writeln!(self.out, "{number:4}  {name}")?;
        }
        if options.distinct.len() > most {
            writeln!(
                self.out,
                "   …  `moves` lists the other {}",
                options.distinct.len() - most
            )?;
        }
        Ok(())
    }

    /// The board, if there is a drawing of it, else the text of the position.
    fn draw(&mut self, state: &(dyn AnyState<'g> + 'g)) -> Result<(), Error> {
        match self.scenery.drawing(state, self.colours) {
            Some(board) => write!(self.out, "\n{board}")?,
            None => writeln!(self.out, "\n{}", state.text())?,
        }
        Ok(())
    }

    fn show_end(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        outcome: Option<Outcome>,
    ) -> Result<(), Error> {
        let info = state.about();
        if self.json {
            let outcome = view::outcome_json(info, outcome, &state.scores());
            writeln!(
                self.out,
                "{}",
                json!({ "outcome": outcome, "state": state.text() })
            )?;
            return Ok(());
        }
        let how = outcome.map_or("the game is over".to_owned(), |o| o.text(info));
        self.draw(state)?;
        writeln!(self.out, "{how}")?;
        if info.has_scores {
            let scores: Vec<String> = state.scores().iter().map(i64::to_string).collect();
            writeln!(self.out, "scores: {}", scores.join(", "))?;
        }
        Ok(self.out.flush()?)
    }
}

/// What to do about a reason that a compiled game does not know: the command that tells it.
pub fn how_to_explain(state: &dyn AnyState<'_>, text: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    format!(
        "this program was compiled without reasons (`rulec build --reasons` builds them in); the rule file of {} tells them: \
         rulec explain RULE_FILE --state {} {}",
        state.about().name,
        quoted(&state.text()),
        quoted(text)
    )
}

/// Everything that can be answered as a whole: moves, one of each class, by their names, and commands.
fn answers(names: &[String]) -> Vec<String> {
    let moves = names.iter().cloned();
    moves.chain(WORDS.map(str::to_owned)).collect()
}

/// The answers that begin as a text does; letter case and blanks count for nothing.
pub fn completions<'w>(words: &'w [String], text: &str) -> Vec<&'w str> {
    let wanted = plain(text);
    let begun = words.iter().filter(|word| plain(word).starts_with(&wanted));
    begun.map(String::as_str).collect()
}

/// A text without blanks and capitals.
fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}
