//! Where games begin: opening books.

use rulec_core::Turn;

use crate::{
    AnyState, State,
    notation::{find_move, split_moves},
};

/// A position that games begin with.
pub struct Opening<'g> {
    /// The position as the book gives it, if it is not the start of the game.
    pub(super) given: Option<String>,
    /// Texts of the moves that are played from there.
    pub(super) moves: Vec<String>,
    /// The position after them.
    pub(super) state: State<'g>,
}

/// Reads a book: each line is an opening, moves separated by semicolons or `state: ` and the text of a position.
///
/// Empty lines and what follows a `#` at the start of a line are left out.
///
/// # Errors
/// Every line that is no opening of the game, with its number and what is wrong.
pub fn read_book<'g>(
    start: &(dyn AnyState<'g> + 'g),
    text: &str,
) -> Result<Vec<Opening<'g>>, String> {
    let mut openings = Vec::new();
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match opening(start, line) {
            Ok(opening) => openings.push(opening),
            Err(error) => wrong.push(format!("line {number}: {error}")),
        }
    }
    match (wrong.is_empty(), openings.is_empty()) {
        (true, false) => Ok(openings),
        (true, true) => Err("there is no opening in it".to_owned()),
        _ => Err(wrong.join("\n")),
    }
}

fn opening<'g>(start: &(dyn AnyState<'g> + 'g), line: &str) -> Result<Opening<'g>, String> {
    let mut opening = Opening {
        given: None,
        moves: Vec::new(),
        state: start.fork(),
    };
    match line.strip_prefix("state:").map(str::trim) {
        Some(text) => {
            opening.state = start.read(text).map_err(|error| error.to_string())?;
            opening.given = Some(text.to_owned());
        }
        None => {
            for text in split_moves(line) {
                let code = find_move(&*opening.state, text).map_err(|e| e.to_string())?;
                opening.moves.push(opening.state.move_text(code));
                opening.state.play(code, None);
            }
        }
    }
    match opening.state.turn() {
        Turn::Over => Err("the game is over after it".to_owned()),
        _ => Ok(opening),
    }
}
