//! Score sheets: games of chess in PGN, games of draughts in PDN, where the names of the pieces say that it is one of these.
//!
//! Both are text with tags in square brackets and moves behind them (PGN: Edwards, *Portable Game Notation Specification*,
//! 1994; PDN 3.0 differs in squares and signs). Games are those from the start of the rules.

use std::fmt::Write as _;
use std::sync::Arc;

use rulec_core::{ChoiceSet, Turn};
use rulec_render::Position;
use rulec_search::{AnyState, view as listed};

use crate::contest::{Ended, Why};
use crate::loaded::Loaded;
use crate::played::{Made, Ply};
use crate::view;

/// Most letters of a line of moves.
const WIDTH: usize = 79;
/// Most hops of a move of draughts.
const HOPS: usize = 32;

/// The sheet of a game; nothing if its rules have no such form.
pub(crate) fn write(loaded: &Loaded, plies: &[Arc<Ply>], ended: Option<Ended>) -> Option<String> {
    let form = loaded.form()?;
    let info = loaded.start.about();
    let result = result(loaded, plies, ended);
    let mut text = String::new();
    for (tag, value) in [
        ("Event", info.name),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", result),
    ] {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    if let Some(Ended { why: Why::Time, .. }) = ended {
        text.push_str("[Termination \"time forfeit\"]\n");
    }
    text.push('\n');
    let made: Vec<&Made> = plies.iter().filter_map(|ply| ply.made.as_ref()).collect();
    let mut words = Vec::new();
    let (mut turns, mut before) = (0, 0);
    for made in made {
        let goes_on = form == "pdn" && before == made.player;
        match (words.last_mut(), made.name.split_once('x')) {
            // One move of several hops.
            (Some(last), Some((_, to))) if goes_on => {
                let last: &mut String = last;
                last.push('x');
                last.push_str(to);
                continue;
            }
            _ => {}
        }
        if turns % 2 == 0 {
            words.push(format!("{}.", turns / 2 + 1));
        }
        words.push(made.name.clone());
        turns += 1;
        before = made.player;
    }
    words.push(result.to_owned());
    let mut used = 0;
    for word in words {
        if used > 0 && used + 1 + word.len() > WIDTH {
            text.push('\n');
            used = 0;
        }
        if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(&word);
        used += word.len();
    }
    text.push('\n');
    Some(text)
}

/// The result as tags have it: white's part first.
fn result(loaded: &Loaded, plies: &[Arc<Ply>], ended: Option<Ended>) -> &'static str {
    let sides = loaded.look.sides();
    let won = |winner: usize| match sides.get(winner) {
        Some(("white", ..)) => "1-0",
        _ => "0-1",
    };
    if let Some(ended) = ended {
        return ended.winner(sides.len()).map_or("1/2-1/2", won);
    }
    let outcome = plies.last().and_then(|ply| match ply.state.turn() {
        Turn::Over => ply.state.outcome(),
        _ => None,
    });
    let Some(outcome) = outcome else {
        return "*";
    };
    match outcome.winner() {
        Some(winner) => won(winner),
        None => "1/2-1/2",
    }
}

/// How a game ended beside its rules by its sheet: where the moves do not end it and the result says that it is over.
pub(crate) fn ended(
    loaded: &Loaded,
    last: &(dyn AnyState<'static> + 'static),
    text: &str,
) -> Option<Ended> {
    let sides = loaded.look.sides();
    if last.turn() == Turn::Over || sides.len() != 2 {
        return None;
    }
    let white = sides.iter().position(|(name, ..)| *name == "white")?;
    let (player, why) = match text.split_whitespace().next_back()? {
        "1/2-1/2" | "1-1" => (white, Why::Agreed),
        "1-0" | "2-0" => (1 - white, Why::Resigned),
        "0-1" | "0-2" => (white, Why::Resigned),
        _ => return None,
    };
    let timed = text.contains("[Termination \"time forfeit\"]");
    Some(match why {
        Why::Resigned if timed => Ended {
            player,
            why: Why::Time,
        },
        _ => Ended { player, why },
    })
}

/// The words of a sheet that are moves, without tags, comments, variations, numbers, signs of judgement and the result.
///
/// # Errors
/// What is not read.
pub(crate) fn moves(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut depth, mut letters) = (0usize, text.chars().peekable());
    let mut end = |word: &mut String, depth: usize| {
        let found = std::mem::take(word);
        if depth == 0 && is_move(&found) {
            let plain = found.trim_start_matches(|c: char| c.is_ascii_digit());
            // `1.e4` is a number and a move.
            let plain = match plain.strip_prefix('.') {
                Some(rest) => rest.trim_start_matches('.'),
                None => found.as_str(),
            };
            if is_move(plain) {
                words.push(plain.trim_end_matches(['!', '?', '+', '#']).to_owned());
            }
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            '{' => {
                end(&mut word, depth);
                letters.by_ref().take_while(|c| *c != '}').for_each(drop);
            }
            '[' => {
                end(&mut word, depth);
                let (mut quoted, mut tag) = (false, String::new());
                for letter in letters.by_ref() {
                    quoted ^= letter == '"' && !tag.ends_with('\\');
                    if letter == ']' && !quoted {
                        break;
                    }
                    tag.push(letter);
                }
                if tag.starts_with("FEN ") {
                    let why = "it begins in a position of its own (FEN), which is not read";
                    return Err(why.to_owned());
                }
            }
            ';' | '%' => {
                end(&mut word, depth);
                letters.by_ref().take_while(|c| *c != '\n').for_each(drop);
            }
            '(' => {
                end(&mut word, depth);
                depth += 1;
            }
            ')' => {
                end(&mut word, depth);
                depth = depth.saturating_sub(1);
            }
            letter if letter.is_whitespace() => end(&mut word, depth),
            letter => word.push(letter),
        }
    }
    end(&mut word, depth);
    Ok(words)
}

fn is_move(word: &str) -> bool {
    let result = ["1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1", "0-0"];
    let number = word.chars().all(|c| c.is_ascii_digit() || c == '.');
    !(word.is_empty() || number || result.contains(&word) || word.starts_with('$'))
}

/// The legal moves that a word of a sheet stands for, one after the other; nothing if there are none.
pub(crate) fn find(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    word: &str,
) -> Option<Vec<u64>> {
    let wanted = word.replace('0', "O");
    let wanted = if wanted.starts_with("O-O") {
        wanted.as_str()
    } else {
        word
    };
    let all = listed::options(state, ChoiceSet::Distinct).ok()?;
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    let short = view::names(&position, state, &all);
    if let Some(at) = short.iter().position(|name| name == wanted) {
        return Some(vec![all[at]]);
    }
    if loaded.look.is_chess() {
        let long = view::long_names(&position, state, &all);
        let mut fits = all
            .iter()
            .zip(&long)
            .filter(|(_, long)| stands_for(wanted, long));
        let (code, _) = fits.next()?;
        return fits.next().is_none().then(|| vec![*code]);
    }
    hops(loaded, state, wanted)
}

/// Whether a word of chess stands for a move whose long name has the whole square it comes from.
fn stands_for(word: &str, long: &str) -> bool {
    let split = |text: &str| -> Option<(String, String, String, String)> {
        let text = text.replace(['x', '-'], "");
        let (text, becomes) = text.split_once('=').unwrap_or((text.as_str(), ""));
        let piece: String = text.chars().take_while(char::is_ascii_uppercase).collect();
        let rest = text.get(piece.len()..)?;
        let to = rest.get(rest.len().checked_sub(2)?..)?;
        let from = rest.get(..rest.len() - 2)?;
        Some((piece, from.to_owned(), to.to_owned(), becomes.to_owned()))
    };
    let (Some(word), Some(long)) = (split(word), split(long)) else {
        return false;
    };
    let from = word.1.chars().all(|letter| long.1.contains(letter));
    from && (word.0, word.2, word.3) == (long.0, long.2, long.3)
}

/// The hops of a move of draughts that is written as a whole, such as `22x15x8`, or by its ends only.
fn hops(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    word: &str,
) -> Option<Vec<u64>> {
    let squares: Vec<&str> = word.split(['x', '-', ':']).collect();
    let (first, last) = (squares.first()?, squares.last()?);
    let mut here = state.fork();
    let mut found = Vec::new();
    let mut at = (*first).to_owned();
    for hop in 1..=HOPS {
        let observed = here.appearance();
        let position = Position::new(&loaded.look, here.about(), here.turn(), "", &observed);
        let all = listed::options(&*here, ChoiceSet::Distinct).ok()?;
        let names = view::names(&position, &*here, &all);
        let ends = |name: &str| {
            let (from, to) = name.split_once(['x', '-'])?;
            (from == at).then(|| to.to_owned())
        };
        let ways: Vec<(u64, String)> = all
            .iter()
            .zip(&names)
            .filter_map(|(code, name)| Some((*code, ends(name)?)))
            .collect();
        let next = squares.get(hop).filter(|_| squares.len() > 2);
        let (code, to) = ways
            .iter()
            .find(|(_, to)| Some(&to.as_str()) == next || to == last)
            .or_else(|| ways.first().filter(|_| ways.len() == 1 && next.is_none()))?;
        let mover = here.mover(*code);
        found.push(*code);
        at.clone_from(to);
        if !here.play(*code, None) {
            return None;
        }
        let done = at == *last && hop + 1 >= squares.len();
        let goes_on = matches!(here.turn(), Turn::Decide(players) if players >> mover & 1 == 1);
        if done || !goes_on {
            return (at == *last).then_some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_moves_are_kept_of_a_sheet() {
        let text = "[Event \"a [b] c\"]\n[White \"?\"]\n\n1.e4 {the king's pawn} e5 2. Nf3! (2. f4 exf4 (2... d5)) 2... Nc6 $1\n\
                    ; a line\n3. O-O Bxc3+ 4. bxc3 1/2-1/2";
        let found = moves(text).expect("a sheet");
        assert_eq!(found, ["e4", "e5", "Nf3", "Nc6", "O-O", "Bxc3", "bxc3"]);
        assert!(moves("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]").is_err());
        assert_eq!(
            moves("1. 11-15 22x15 2-0").expect("a sheet"),
            ["11-15", "22x15"]
        );
    }

    #[test]
    fn shortened_squares_stand_for_whole_ones() {
        for (word, long) in [
            ("Ngf3", "Ng1f3"),
            ("N1f3", "Ng1f3"),
            ("exd5", "e4xd5"),
            ("e8=Q", "e7e8=Q"),
            ("Qh4xe1", "Qh4xe1"),
        ] {
            assert!(stands_for(word, long), "{word} {long}");
        }
        for (word, long) in [("Nbf3", "Ng1f3"), ("Bf3", "Ng1f3"), ("e8=R", "e7e8=Q")] {
            assert!(!stands_for(word, long), "{word} {long}");
        }
    }
}
