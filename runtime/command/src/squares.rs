//! Moves as chess programs write them: `e2e4`, `e7e8q`.
//!
//! A place whose name ends in two numbers, such as `4,1` or `b(4,1)`, is a square: the first number is the file, counted from
//! `a`, the second the rank, counted from 1. A move is the squares that its text names, and the letter of what it makes.

use std::collections::BTreeMap;

use rulec_core::{ChoiceSet, Fault, GameInfo};

use rulec_search::{AnyState, view};

/// Files that letters suffice for.
const FILES: i64 = 26;

/// The squares of a game by the names of its places.
pub(super) struct Squares(BTreeMap<String, String>);

impl Squares {
    /// The squares of a game; none where several boards have places of two numbers, or there are more files than letters.
    pub(super) fn of(info: &GameInfo) -> Squares {
        let places: Vec<(&str, &str, (i64, i64))> = info
            .places
            .iter()
            .filter_map(|name| two_numbers(name).map(|(board, at)| (*name, board, at)))
            .collect();
        let Some((board, least)) = places
            .iter()
            .map(|(_, board, at)| (*board, *at))
            .reduce(|(board, (file, rank)), (_, at)| (board, (file.min(at.0), rank.min(at.1))))
        else {
            return Squares(BTreeMap::new());
        };
        let fits = |(_, of, at): &(&str, &str, (i64, i64))| *of == board && at.0 - least.0 < FILES;
        if !places.iter().all(fits) {
            return Squares(BTreeMap::new());
        }
        let square = |(file, rank): (i64, i64)| {
            let letter = char::from(b'a' + (file - least.0) as u8);
            format!("{letter}{}", rank - least.1 + 1)
        };
        let named = places
            .into_iter()
            .map(|(name, _, at)| (name.to_owned(), square(at)));
        Squares(named.collect())
    }

    /// The names of the moves that can be made, each another one.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    pub(super) fn moves<'g>(
        &self,
        state: &(dyn AnyState<'g> + 'g),
    ) -> Result<Vec<(String, u64)>, Fault> {
        let codes = view::options(state, ChoiceSet::Distinct)?;
        let texts: Vec<(String, u64)> = codes
            .into_iter()
            .map(|code| (state.move_text(code), code))
            .collect();
        let mut shared: BTreeMap<String, u32> = BTreeMap::new();
        for (text, _) in &texts {
            *shared.entry(self.short(text)).or_default() += 1;
        }
        let named = texts.into_iter().map(|(text, code)| {
            let short = self.short(&text);
            match shared.get(&short) {
                Some(1) => (short, code),
                _ => (text.replace(char::is_whitespace, "_"), code),
            }
        });
        Ok(named.collect())
    }

    /// The squares of a text and the letter of what the move makes; the whole text where it names none.
    fn short(&self, text: &str) -> String {
        let words = || text.split_whitespace();
        let mut short: String = words()
            .filter_map(|word| self.0.get(word))
            .map(String::as_str)
            .collect();
        if short.is_empty() {
            return text.replace(char::is_whitespace, "_");
        }
        let made = words().filter_map(|word| word.strip_prefix('='));
        short.extend(made.filter_map(letter));
        short
    }
}

/// The letter of a piece: the first one of its name, but `n` for a knight, which is no king.
pub(super) fn letter(piece: &str) -> Option<char> {
    match piece.eq_ignore_ascii_case("knight") {
        true => Some('n'),
        false => piece.chars().next().map(|c| c.to_ascii_lowercase()),
    }
}

/// The name of a board and the two numbers of a place on it: `4,1`, `b(4,1)`.
pub(super) fn two_numbers(name: &str) -> Option<(&str, (i64, i64))> {
    let (board, numbers) = match name.split_once('(') {
        Some((board, rest)) => (board, rest.strip_suffix(')')?),
        None => ("", name),
    };
    let (file, rank) = numbers.split_once(',')?;
    Some((
        board,
        (file.trim().parse().ok()?, rank.trim().parse().ok()?),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &'static [&'static str]) -> Squares {
        Squares::of(&GameInfo {
            places,
            ..GameInfo::EMPTY
        })
    }

    #[test]
    fn squares_are_named_by_file_and_rank() {
        let chess = of(&["0,0", "4,1", "4,3", "7,7", "elsewhere"]);
        assert_eq!(chess.short("4,1 4,3"), "e2e4");
        assert_eq!(chess.short("4,1 7,7 =queen"), "e2h8q");
        assert_eq!(chess.short("4,1 7,7 =Knight"), "e2h8n");
        assert_eq!(chess.short("no square"), "no_square");
        let board = of(&["b(1,1)", "b(3,2)", "pool(7)"]);
        assert_eq!(board.short("d(4) pool(7) b(3,2)"), "c2");
    }

    #[test]
    fn places_that_letters_do_not_suffice_for_have_no_squares() {
        let words = |squares: Squares| squares.short("0,0 0,1");
        assert_eq!(words(of(&["0,0", "0,1", "x(2,2)"])), "0,0_0,1");
        assert_eq!(words(of(&["0,0", "0,1", "26,0"])), "0,0_0,1");
        assert_eq!(words(of(&[])), "0,0_0,1");
    }
}
