//! Moves as people write them: squares by files and ranks, chess with letters of pieces, and nothing that tells no moves
//! apart, such as which disc of a pool is taken.

use std::cmp::Ordering;

use rulec_core::Turn;

use crate::art::art;
use crate::look::Position;

/// Letters of chess pieces, by their looks.
const LETTERS: [(&str, &str); 6] = [
    ("king", "K"),
    ("queen", "Q"),
    ("rook", "R"),
    ("bishop", "B"),
    ("knight", "N"),
    ("pawn", ""),
];

/// How long the name of a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As short as a score sheet has it.
    Short,
    /// With the square that a piece comes from.
    Long,
}

/// The name of a move: by its family, its arguments and its text in the words of the rules, which is what it is called
/// where the board has no files and ranks.
pub fn move_name(
    position: &Position<'_>,
    family: usize,
    args: &[i64],
    text: &str,
    length: Length,
) -> String {
    let look = position.look;
    let mut squares: Vec<((u32, u32), &str)> = Vec::new();
    let mut rest: Vec<(u32, u32)> = Vec::new();
    let mut stored = None;
    for thing in look.named_by(family, args) {
        let Some(place) = position.spot(thing) else {
            rest.push(thing);
            continue;
        };
        stored = look.is_store(place).then_some(place);
        match look.coordinate(place) {
            Some(name) if squares.iter().all(|(known, _)| *known != place) => {
                squares.push((place, name));
            }
            _ => {}
        }
    }
    let (Some(first), Some(last)) = (squares.first(), squares.last()) else {
        return without_stores(position, family, args, text);
    };
    let stands = |place: (u32, u32)| position.top(place).map(|dress| dress.look);
    let mover = stands(first.0);
    let is_chess = look.is_chess();
    let letter = |name: &str| {
        let mut all = LETTERS.iter();
        let known = all.find(|(look, _)| *look == name && is_chess);
        known.map(|(_, letter)| *letter)
    };
    let cells = look.cell(first.0).zip(look.cell(last.0));
    let across = cells.map_or(0, |(from, to)| from.0.abs_diff(to.0));
    let mut name = match squares.len() {
        // What ends in a store leaves the board.
        1 if stored.is_some() && is_enemy(position, first.0) => format!("x{}", first.1),
        1 => first.1.to_owned(),
        _ => {
            let own = mover.as_deref().unwrap_or_default();
            let leaps = matches!(own, "man" | "draughts-king")
                && cells.is_some_and(|(from, to)| leaps(position, from, to));
            let aslant = own == "pawn" && across == 1;
            let takes = stands(last.0).is_some() || leaps || aslant;
            match letter(own) {
                Some("K") if across == 2 && !takes => {
                    let short = cells.is_some_and(|(from, to)| to.0 > from.0);
                    if short { "O-O" } else { "O-O-O" }.to_owned()
                }
                Some(letter) => {
                    let from = match (length, own, takes) {
                        (Length::Long, ..) => first.1,
                        (Length::Short, "pawn", true) => &first.1[..1],
                        _ => "",
                    };
                    let sign = if takes { "x" } else { "" };
                    format!("{letter}{from}{sign}{}", last.1)
                }
                None => {
                    let sign = if takes { "x" } else { "-" };
                    let names: Vec<&str> = squares.iter().map(|(_, name)| *name).collect();
                    names.join(sign)
                }
            }
        }
    };
    for (domain, member) in rest {
        if look.is_players(domain) {
            continue;
        }
        let dress = position.dress(domain, member, false);
        let named = art().look(look.name(domain, member)).unwrap_or(&dress.look);
        let known = letter(named).filter(|letter| !letter.is_empty());
        name.push('=');
        name.push_str(known.unwrap_or(look.name(domain, member)));
    }
    name
}

/// Whether what stands on a place is of the side of another player than the one who decides.
fn is_enemy(position: &Position<'_>, place: (u32, u32)) -> bool {
    let sides = position.look.sides();
    let Some(dress) = position.top(place) else {
        return false;
    };
    let side = sides.iter().position(|(side, ..)| *side == dress.side);
    match (position.turn, side) {
        (Turn::Decide(players), Some(side)) => players >> (side & 63) & 1 == 0,
        _ => false,
    }
}

/// Whether a piece of draughts gets from one cell to another only by taking: else it goes along a line on which nothing stands.
fn leaps(position: &Position<'_>, from: (usize, usize), to: (usize, usize)) -> bool {
    let (across, along) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    if across != along && across != 0 && along != 0 {
        return true;
    }
    let between = |from: usize, to: usize, step: usize| match from.cmp(&to) {
        Ordering::Less => from + step,
        Ordering::Equal => from,
        Ordering::Greater => from - step,
    };
    (1..across.max(along)).any(|step| {
        let cell = (between(from.0, to.0, step), between(from.1, to.1, step));
        let place = position.look.place_at(cell);
        place.is_some_and(|place| position.top(place).is_some())
    })
}

/// The text of a move without the stores that it names, and what comes from them: which piece of a pool is taken makes no
/// difference.
fn without_stores(position: &Position<'_>, family: usize, args: &[i64], text: &str) -> String {
    let look = position.look;
    let named = look.named_by(family, args);
    let kept_in = |thing: &(u32, u32)| {
        let place = position.spot(*thing);
        place.is_some_and(|place| look.is_store(place))
    };
    let mut words: Vec<&str> = text.split(' ').collect();
    for thing in named.iter().filter(|thing| kept_in(thing)) {
        let name = look.name(thing.0, thing.1);
        if let Some(at) = words.iter().position(|word| *word == name) {
            words.remove(at);
        }
    }
    match words.is_empty() {
        true => text.to_owned(),
        false => words.join(" "),
    }
}
