//! From the text of moves to moves.

use std::fmt;

use rulec_core::{ChoiceSet, Turn};

use crate::{AnyState, view};

/// Why a text is no move of a position; the texts are for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// The game is over.
    Over(String),
    /// The rules run into a fault while moves are tried.
    Fault(String),
    /// It means no legal move; near ones are named.
    NotLegal(String),
    /// It means several with different results.
    Ambiguous(String),
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (NoMove::Over(text)
        | NoMove::Fault(text)
        | NoMove::NotLegal(text)
        | NoMove::Ambiguous(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for NoMove {}

/// The single moves of a text that separates them by semicolons.
pub fn split_moves(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// The legal move, or the result of the draw that is due, that a text means.
///
/// The text is that of the move, exactly or apart from letter case and blanks; ` @family` after it chooses among
/// moves of the same text.
///
/// # Errors
/// When it means none, or several with different results; the message names near ones.
pub fn find_move<'g>(state: &(dyn AnyState<'g> + 'g), text: &str) -> Result<u64, NoMove> {
    if state.turn() == Turn::Over {
        let how = state
            .outcome()
            .map_or("over".to_owned(), |o| o.text(state.about()));
        let text = shortened(text);
        return Err(NoMove::Over(format!(
            "`{text}` cannot be played: the game has ended ({how})"
        )));
    }
    let mut legal = view::options(state, ChoiceSet::All)
        .map_err(|f| NoMove::Fault(rulec_core::Outcome::fault(f).text(state.about())))?;
    legal.extend(state.host_moves());
    let (name, family) = match text.rsplit_once(" @") {
        Some((name, family)) => (name.trim_end(), Some(family)),
        None => (text, None),
    };
    let of_family = |code: &u64| {
        let index = state.move_args(*code).0;
        let name = state.about().families.get(index).map(|f| f.name);
        family.is_none_or(|family| name == Some(family))
    };
    let mut named = state.parse_move(name);
    let host = state.host_moves();
    named.extend(
        host.into_iter()
            .filter(|&code| state.move_text(code) == name),
    );
    let mut meant: Vec<u64> = legal
        .iter()
        .copied()
        .filter(|code| named.contains(code))
        .collect();
    if meant.is_empty() {
        let plain = simplified(name);
        meant = legal.clone();
        meant.retain(|code| simplified(&state.move_text(*code)) == plain);
    }
    meant.retain(of_family);
    match meant[..] {
        [] => Err(NoMove::NotLegal(not_legal(
            state,
            name,
            !named.is_empty(),
            &legal,
        ))),
        [code] => Ok(code),
        [code, ref others @ ..] if others.iter().all(|other| same_result(state, code, *other)) => {
            Ok(code)
        }
        _ => Err(NoMove::Ambiguous(ambiguous(state, name, &meant))),
    }
}

fn simplified(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_whitespace());
    kept.flat_map(char::to_lowercase).collect()
}

fn same_result<'g>(state: &(dyn AnyState<'g> + 'g), a: u64, b: u64) -> bool {
    let after = |code| {
        let mut next = state.fork();
        next.play(code, None);
        next.text()
    };
    after(a) == after(b)
}

const NEAR: usize = 6;

/// The longest text, and the most letters of all legal moves, for which the nearest moves are compared.
const MOST_LETTERS: usize = 200;
const MOST_LETTERS_OF_MOVES: usize = 20_000;

/// Moves with how far their texts are from a text, the nearest first: of very many moves the first ones, by the beginning of
/// a text that is longer than any move.
fn nearest<'g>(state: &(dyn AnyState<'g> + 'g), name: &str, legal: &[u64]) -> Vec<(usize, String)> {
    let mut letters = 0;
    let texts = legal.iter().map(|code| state.move_text(*code));
    let texts = texts.take_while(|text| {
        letters += text.len();
        letters <= MOST_LETTERS_OF_MOVES
    });
    let plain: String = simplified(name).chars().take(MOST_LETTERS).collect();
    let mut near: Vec<(usize, String)> = texts
        .map(|text| (distance(&plain, &simplified(&text)), text))
        .collect();
    near.sort();
    near.dedup();
    near
}

/// A text that is quoted in a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn not_legal<'g>(
    state: &(dyn AnyState<'g> + 'g),
    name: &str,
    is_move: bool,
    legal: &[u64],
) -> String {
    let what = match (is_move, state.turn()) {
        (_, Turn::Chance) => "is no result of the draw that is due",
        (true, _) => "is not legal here",
        (false, _) => "is no move of this position",
    };
    let near = nearest(state, name, legal);
    let name = shortened(name);
    let shown: Vec<String> = near
        .iter()
        .take(NEAR)
        .map(|(_, text)| format!("`{text}`"))
        .collect();
    let nearest = if near.len() > NEAR {
        "the nearest are"
    } else {
        "there are"
    };
    format!(
        "`{name}` {what}; of {} {nearest} {}",
        match legal.len() {
            1 => "1 legal move".to_owned(),
            n => format!("{n} legal moves"),
        },
        match shown.is_empty() {
            true => "none".to_owned(),
            false => shown.join(", "),
        }
    )
}

fn ambiguous<'g>(state: &(dyn AnyState<'g> + 'g), name: &str, meant: &[u64]) -> String {
    let families = state.about().families;
    let mut ways: Vec<String> = meant
        .iter()
        .map(|code| {
            families
                .get(state.move_args(*code).0)
                .map_or("", |f| f.name)
        })
        .map(|family| format!("`{name} @{family}`"))
        .collect();
    ways.sort();
    ways.dedup();
    format!(
        "`{name}` can mean {} legal moves with different results; say {}",
        meant.len(),
        ways.join(" or ")
    )
}

/// Number of characters to insert, remove or replace to make one text of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases = [
            ("", "", 0),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("", "xy", 2),
        ];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }

    #[test]
    fn moves_are_split_at_semicolons() {
        let parts: Vec<&str> = split_moves(" a b ;c;; ").collect();
        assert_eq!(parts, ["a b", "c"]);
    }
}
