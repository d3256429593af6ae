//! Play on the terminal with a coloured board, reasons, and completion of what is typed.

use std::io::{self, IsTerminal, Write};

use rulec_command::{self as command, Asker, Lines, PlayArgs, Scenery, completions, play_in};
use rulec_core::{Reasons, Refusal, Wish};
use rulec_render::{Ink, Look, Position};
use rulec_search::AnyState;
use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

/// Plays a game on the terminal of the process: with line editing and completion where it is one, else line by line.
///
/// `reasons` tells why a move is not legal where the game itself does not know.
///
/// # Errors
/// When the arguments do not fit the game, or reading or writing fails.
pub fn play<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &PlayArgs,
    look: &Look,
    reasons: Option<&Reasons>,
) -> Result<(), command::Error> {
    let scenery = Board {
        look,
        reasons,
        symbols: has_symbols(),
    };
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let edits = stdin.is_terminal() && stdout.is_terminal() && !args.json;
    let out = &mut stdout.lock();
    match Typed::new().filter(|_| edits) {
        Some(mut typed) => play_in(start, args, (&mut typed, out), &scenery),
        None => play_in(start, args, (&mut Lines(stdin.lock()), out), &scenery),
    }
}

/// A board from the looks of a game.
struct Board<'b> {
    look: &'b Look,
    reasons: Option<&'b Reasons>,
    /// Whether the font of the terminal may have more than letters.
    symbols: bool,
}

/// Whether the terminal shows texts in UTF-8, by the environment; the one of a Linux console has few letters.
fn has_symbols() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let wide = locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    wide && set("TERM").is_none_or(|terminal| !matches!(terminal.as_str(), "linux" | "dumb"))
}

impl Scenery for Board<'_> {
    fn drawing(&self, state: &dyn AnyState<'_>, colours: bool) -> Option<String> {
        let (text, observed) = (state.text(), state.appearance());
        let position = Position::new(self.look, state.about(), state.turn(), &text, &observed);
        let symbols = colours && self.symbols;
        rulec_render::terminal(&position, Ink { colours, symbols })
    }

    fn reason(&self, state: &dyn AnyState<'_>, wish: Wish<'_>) -> Option<Refusal> {
        (self.reasons?.tell)(&state.text(), wish)
    }

    fn words(&self, state: &dyn AnyState<'_>, refusal: &Refusal) -> String {
        crate::plain_reason(self.look, state, refusal)
    }

    fn names(&self, state: &dyn AnyState<'_>, moves: &[u64]) -> Vec<String> {
        let observed = state.appearance();
        let position = Position::new(self.look, state.about(), state.turn(), "", &observed);
        crate::view::names(&position, state, moves)
    }
}

/// Lines that are edited.
struct Typed {
    editor: Editor<Words, MemHistory>,
}

impl Typed {
    /// Nothing where the terminal cannot do it.
    fn new() -> Option<Typed> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        editor.set_helper(Some(Words(Vec::new())));
        Some(Typed { editor })
    }
}

impl Asker for Typed {
    fn ask(
        &mut self,
        out: &mut dyn Write,
        prompt: &str,
        words: &dyn Fn() -> Vec<String>,
    ) -> io::Result<Option<String>> {
        out.flush()?;
        if let Some(helper) = self.editor.helper_mut() {
            helper.0 = words();
        }
        match self.editor.readline(prompt) {
            Ok(line) => {
                // A line that is not kept is only not brought back.
                let _ = self.editor.add_history_entry(&line);
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// What can be answered.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        let begun = completions(&self.0, typed);
        Ok((0, begun.into_iter().map(str::to_owned).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
