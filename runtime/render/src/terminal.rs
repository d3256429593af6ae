//! Boards as coloured text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::ansi::{INK, PAPER, owned};
use crate::dress::Dress;
use crate::labels::{labels, lines, near};
use crate::look::{Look, Position};
use crate::plan::{Ground, Plan, Spot, is_on_its_head};

/// The most columns and rows of a board that is drawn; others are lists.
const COLUMNS: usize = 40;
const ROWS: usize = 40;

/// The colours of sides: the paper of their pieces and the ink on it.
const SIDES: [(&str, u8, u8); 10] = [
    ("white", 255, 16),
    ("black", 236, 255),
    ("red", 160, 255),
    ("green", 29, 255),
    ("blue", 25, 255),
    ("yellow", 220, 16),
    ("purple", 177, 16),
    ("orange", 208, 16),
    ("sky", 117, 16),
    ("grey", 243, 255),
];
/// Light and dark squares of a checkered board.
const SQUARES: [u8; 2] = [180, 137];
/// What drawings are as one letter of many fonts, and as the letter of score sheets.
const SYMBOLS: [(&str, char, &str); 14] = [
    ("king", '\u{265a}', "K"),
    ("queen", '\u{265b}', "Q"),
    ("rook", '\u{265c}', "R"),
    ("bishop", '\u{265d}', "B"),
    ("knight", '\u{265e}', "N"),
    ("pawn", '\u{265f}', "P"),
    ("disc", '\u{25cf}', ""),
    ("stone", '\u{25cf}', ""),
    ("man", '\u{25cf}', ""),
    ("mill-man", '\u{25cf}', ""),
    ("draughts-king", '\u{265b}', "K"),
    ("ring", '\u{25cb}', "O"),
    ("saltire", '\u{2715}', "X"),
    ("star", '\u{2605}', ""),
];

/// How a board is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    /// Colours of sides; without them small letters tell the second player from the first.
    pub colours: bool,
    /// Pieces as symbols where there is one for each kind, instead of letters; only with colours.
    pub symbols: bool,
}

/// A position as text: places in their rows and columns, pieces by letters or symbols. Nothing where the rules give places
/// no coordinates and there is nothing to show.
pub fn board(position: &Position<'_>, ink: Ink) -> Option<String> {
    let look = position.look;
    let colours = ink.colours;
    if let Some(nest) = &look.nest {
        return Some(crate::nests::text(position, nest, colours));
    }
    if let Some(episode) = &look.episode {
        return Some(grid_of_episode(position, episode, colours));
    }
    let places = &look.presentation.places;
    if places.iter().any(|place| place.at.is_none()) {
        return None;
    }
    let plan = Plan::of(look, look.presentation.board.is_some());
    let mut spots: Vec<Spot<'_>> = match places.is_empty() {
        true => Vec::new(),
        false => plan.spots.clone(),
    };
    let turned = look.presentation.turned.first().copied().unwrap_or(0.0);
    if is_on_its_head(turned) {
        for Spot { at: (x, y), .. } in &mut spots {
            (*x, *y) = (-*x, -*y);
        }
    }
    let columns = lines(spots.iter().map(|spot| spot.at.0));
    let rows = lines(spots.iter().map(|spot| spot.at.1));
    if spots.is_empty() || columns.len() > COLUMNS || rows.len() > ROWS {
        return Some(list(position, colours)).filter(|text| !text.is_empty());
    }
    let board = Drawn {
        position,
        ink,
        letters: letters(look),
        checkered: matches!(plan.ground, Ground::Squares { checkered: true }),
    };
    let (above, beside) = sides(look, &spots, (&columns, &rows));
    let margin = if beside.is_empty() { "" } else { "    " };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        if let Some(label) = beside.get(number) {
            faint(&format!("{label:>3} "), colours, &mut text);
        }
        for (file, column) in columns.iter().enumerate() {
            let here = spots
                .iter()
                .find(|s| near(s.at.0, *column) && near(s.at.1, *row));
            match here {
                Some(spot) => board.cell(spot, (file + rows.len() - number) % 2, &mut text),
                None => board.gap((file + rows.len() - number) % 2, &mut text),
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    if !above.is_empty() {
        let line: String = above.iter().map(|label| centred(label)).collect();
        faint(&format!("{margin}{}", line.trim_end()), colours, &mut text);
        text.push('\n');
    }
    board.stores(&plan.stores, &mut text);
    Some(text)
}

/// What stands below columns and beside rows: files and ranks, or what the names of the rules have in common.
fn sides(
    look: &Look,
    spots: &[Spot<'_>],
    (columns, rows): (&[f64], &[f64]),
) -> (Vec<String>, Vec<String>) {
    let coordinate = |line: &f64, along: fn(&Spot<'_>) -> f64, part: fn(&str) -> String| {
        let mut here = spots.iter().filter(|spot| near(along(spot), *line));
        here.find_map(|spot| look.coordinate((spot.domain, spot.member)))
            .filter(|name| name.starts_with(char::is_alphabetic))
            .map(part)
    };
    let file = |name: &str| name.chars().take(1).collect();
    let rank = |name: &str| name.chars().skip(1).collect();
    let files: Option<Vec<String>> = columns
        .iter()
        .map(|line| coordinate(line, |spot| spot.at.0, file))
        .collect();
    let ranks: Option<Vec<String>> = rows
        .iter()
        .map(|line| coordinate(line, |spot| spot.at.1, rank))
        .collect();
    if let (Some(files), Some(ranks)) = (files, ranks) {
        return (files, ranks);
    }
    let first = spots.first();
    if first.is_some_and(|spot| look.coordinate((spot.domain, spot.member)).is_some()) {
        return Default::default();
    }
    let named = |along: fn(&Spot<'_>) -> f64| -> Vec<(f64, &str)> {
        let all = spots.iter();
        all.map(|spot| (along(spot), look.name(spot.domain, spot.member)))
            .collect()
    };
    (
        labels(&named(|spot| spot.at.0), columns),
        labels(&named(|spot| spot.at.1), rows),
    )
}

/// The letters of drawings and the symbols of those that have one; all drawings of a game differ.
fn letters(look: &Look) -> Vec<(String, String, Option<char>)> {
    let mut looks: Vec<String> = look.wardrobe().shown().map(str::to_owned).collect();
    looks.sort();
    looks.dedup();
    let all: Vec<&str> = looks.iter().map(String::as_str).collect();
    let known = |name: &str| SYMBOLS.iter().find(|(look, ..)| *look == name);
    let mut letters: Vec<(String, String, Option<char>)> = Vec::new();
    for name in &looks {
        let usual = known(name).map_or("", |(.., letter)| *letter);
        let free = |letter: &str| letters.iter().all(|(_, other, _)| other != letter);
        let letter = match usual {
            letter if !letter.is_empty() && free(letter) => letter.to_owned(),
            _ => short(name, &all),
        };
        let symbol = known(name).map(|(_, symbol, _)| *symbol);
        letters.push((name.clone(), letter, symbol));
    }
    // Two drawings with one symbol would look alike.
    let symbols: Vec<Option<char>> = letters.iter().map(|(.., symbol)| *symbol).collect();
    for (.., symbol) in &mut letters {
        if symbols.iter().filter(|other| *other == symbol).count() > 1 {
            *symbol = None;
        }
    }
    letters
}

struct Drawn<'d, 'p> {
    position: &'d Position<'p>,
    ink: Ink,
    letters: Vec<(String, String, Option<char>)>,
    checkered: bool,
}

impl Drawn<'_, '_> {
    /// What stands on a place, in three columns.
    fn cell(&self, spot: &Spot<'_>, square: usize, text: &mut String) {
        let (dress, count) = self.on(spot);
        let Some(dress) = dress else {
            // Squares of draughts have numbers.
            let coordinate = self.position.look.coordinate((spot.domain, spot.member));
            let number = coordinate.filter(|name| name.starts_with(|c: char| c.is_ascii_digit()));
            let shown = number.map_or(" \u{b7} ".to_owned(), |number| format!("{number:>2} "));
            return match self.paper(square) {
                Some(paper) => {
                    let _ = write!(text, "\x1b[48;5;{paper};38;5;94m{shown}\x1b[0m");
                }
                None => faint(&shown, self.ink.colours, text),
            };
        };
        let mut word = self.word(&dress);
        if count > 1 {
            // Others are below it.
            word.push('+');
        }
        let (paper, ink) = colours(&dress.side);
        match self.paper(square) {
            // The symbols have the colour of their side, as on a board.
            Some(square) if self.symbol(&dress).is_some() && !dress.side.is_empty() => {
                let own = match dress.side.as_str() {
                    "black" => 16,
                    _ => paper,
                };
                print(&word, square, own, true, text);
            }
            _ => print(&word, paper, ink, self.ink.colours, text),
        }
    }

    /// A square that is no place of the game.
    fn gap(&self, square: usize, text: &mut String) {
        match self.paper(square) {
            Some(paper) => {
                let _ = write!(text, "\x1b[48;5;{paper}m   \x1b[0m");
            }
            None => text.push_str("   "),
        }
    }

    /// The colour of a square.
    fn paper(&self, square: usize) -> Option<u8> {
        (self.checkered && self.ink.colours).then_some(SQUARES[usize::from(square == 1)])
    }

    /// What stands on top of a place, and how much stands there.
    fn on(&self, spot: &Spot<'_>) -> (Option<Dress>, usize) {
        let placements = self.position.look.placements.iter().enumerate();
        let mut count = 0;
        for (index, _) in placements.filter(|(_, p)| p.places == spot.domain) {
            count += self.position.on_place(index, spot.member).len();
        }
        (self.position.top((spot.domain, spot.member)), count)
    }

    fn symbol(&self, dress: &Dress) -> Option<char> {
        let known = self.letters.iter().find(|(look, ..)| *look == dress.look);
        let symbol = known.and_then(|(.., symbol)| *symbol);
        symbol.filter(|_| self.ink.symbols && self.ink.colours)
    }

    /// A piece in letters or as a symbol, with its number.
    fn word(&self, dress: &Dress) -> String {
        let known = self.letters.iter().find(|(look, ..)| *look == dress.look);
        let letter = known.map_or_else(|| short(&dress.look, &[]), |(_, letter, _)| letter.clone());
        let mut word = match self.symbol(dress) {
            Some(symbol) => symbol.to_string(),
            None if self.ink.colours => letter,
            None => self.without_colours(letter, dress),
        };
        word.push_str(&dress.badge);
        word
    }

    /// Letters that tell sides where colours do not: capitals and small ones for two players, numbers for more and for the
    /// tokens of players, and the first letters of sides that are nobody's where all pieces look the same.
    fn without_colours(&self, letter: String, dress: &Dress) -> String {
        let sides = &self.position.look.wardrobe().players;
        let side = dress.side.as_str();
        let seat = sides.iter().position(|own| own == side);
        match seat {
            Some(seat) if dress.look == "token" => format!("P{}", seat + 1),
            Some(0) => letter,
            Some(1) => letter.to_lowercase(),
            Some(seat) => format!("{letter}{}", seat + 1),
            None => {
                let first = side.chars().take(1).flat_map(char::to_uppercase);
                match self.letters.len() {
                    1 => first.collect(),
                    _ => letter,
                }
            }
        }
    }

    /// What lies beside the board, with counts.
    fn stores(&self, stores: &[Spot<'_>], text: &mut String) {
        let mut kept: Vec<(String, Dress, usize)> = Vec::new();
        for spot in stores {
            let (Some(dress), count) = self.on(spot) else {
                continue;
            };
            match kept.iter_mut().find(|(_, known, _)| *known == dress) {
                Some((.., sum)) => *sum += count,
                None => kept.push((self.word(&dress), dress, count)),
            }
        }
        if kept.is_empty() {
            return;
        }
        faint("beside the board: ", self.ink.colours, text);
        for (word, dress, count) in kept {
            let (paper, ink) = colours(&dress.side);
            print(&word, paper, ink, self.ink.colours, text);
            let _ = write!(text, " \u{d7}{count} ");
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
}

/// The paper of a side's pieces and the ink on it.
fn colours(side: &str) -> (u8, u8) {
    let known = SIDES.iter().find(|(name, ..)| *name == side);
    known.map_or((PAPER[7], INK[7]), |(_, paper, ink)| (*paper, *ink))
}

/// A label in three columns.
fn centred(label: &str) -> String {
    match label.chars().count() {
        1 => format!(" {label} "),
        _ => format!("{label:>3}"),
    }
}

fn faint(words: &str, colours: bool, text: &mut String) {
    match colours {
        true => {
            let _ = write!(text, "\x1b[38;5;245m{words}\x1b[0m");
        }
        false => text.push_str(words),
    }
}

/// The first letters of a kind, two at most, that tell it from the others.
fn short(kind: &str, kinds: &[&str]) -> String {
    let start = |name: &str, count: usize| -> String { name.chars().take(count).collect() };
    let unclear = kinds
        .iter()
        .any(|other| *other != kind && start(other, 1) == start(kind, 1));
    let count = if unclear { 2 } else { 1 };
    let first = kind.chars().take(1).flat_map(char::to_uppercase);
    first.chain(kind.chars().take(count).skip(1)).collect()
}

/// Letters in three columns on the colour of a number.
fn paint(letters: &str, colour: usize, colours: bool, text: &mut String) {
    print(letters, PAPER[colour], INK[colour], colours, text);
}

/// Letters in three columns.
fn print(letters: &str, paper: u8, ink: u8, colours: bool, text: &mut String) {
    let letters: String = letters.chars().take(3).collect();
    let padded = match letters.chars().count() {
        1 => format!(" {letters} "),
        2 => format!(" {letters}"),
        _ => letters,
    };
    match colours {
        true => {
            let _ = write!(text, "\x1b[48;5;{paper};38;5;{ink};1m{padded}\x1b[0m");
        }
        false => text.push_str(&padded),
    }
}

/// The places on which something stands, a line each.
fn list(position: &Position<'_>, colours: bool) -> String {
    let look = position.look;
    let mut text = String::new();
    for (index, placement) in look.placements.iter().enumerate() {
        for place in 0..look.len(placement.places) as u32 {
            let here = position.on_place(index, place);
            if here.is_empty() {
                continue;
            }
            let _ = write!(text, "{:>12}  ", look.name(placement.places, place));
            for piece in here {
                let seat = look.is_players(placement.pieces).then_some(piece as usize);
                let name = look.name(placement.pieces, piece);
                match seat {
                    Some(seat) => text.push_str(&owned(name, seat, colours)),
                    None => text.push_str(name),
                }
                text.push(' ');
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
    }
    text
}

fn grid_of_episode(
    position: &Position<'_>,
    episode: &crate::look::Episode,
    colours: bool,
) -> String {
    let columns = episode.columns.max(1);
    let places = position.info.episode.map_or(36, |episode| episode.places) as u32;
    let rows = places.div_ceil(columns);
    let kinds = position
        .info
        .episode
        .map_or(&[][..], |episode| episode.kinds);
    let labels = rulec_core::kinds::labels(kinds);
    let mut shown: BTreeMap<usize, &str> = BTreeMap::new();
    let mut text = format!(" 0{}1\n", " ".repeat(columns as usize * 3));
    for row in (0..rows).rev() {
        text.push_str("   ");
        for column in 0..columns {
            let place = row * columns + column;
            let present = position.set(episode.present, 0).iter();
            let mut units = present
                .map(|&unit| unit as u32)
                .filter(|&unit| match episode.places {
                    Some(places) => {
                        position.number(places, unit as usize) == Some(i64::from(place))
                    }
                    None => unit == place,
                });
            let Some(unit) = units.next() else {
                let dot = format!("{:>2} ", place + 1);
                match colours {
                    true => faint(&dot, colours, &mut text),
                    false => text.push_str(" \u{b7} "),
                }
                continue;
            };
            let kind = position.number(episode.kinds, unit as usize).unwrap_or(0) as usize;
            let label = labels.get(kind).map_or("?", String::as_str);
            shown.insert(kind, label);
            piece(position, kind, label, colours, &mut text);
        }
        text.push('\n');
    }
    let _ = writeln!(text, " 3{}2", " ".repeat(columns as usize * 3));
    let known = shown
        .iter()
        .filter_map(|(kind, label)| Some((kinds.get(*kind)?, label)));
    let legend: Vec<String> = known
        .map(|(kind, label)| format!("{label} {}", rulec_core::kinds::in_words(kind)))
        .collect();
    if !legend.is_empty() {
        faint(&legend.join(", "), colours, &mut text);
        text.push('\n');
    }
    text
}

/// The label of a piece, on its own color where it has a usual one.
fn piece(position: &Position<'_>, kind: usize, label: &str, colours: bool, text: &mut String) {
    let kinds = position
        .info
        .episode
        .map_or(&[][..], |episode| episode.kinds);
    let color = kinds.get(kind).and_then(|kind| kind.property("color"));
    let side = SIDES
        .iter()
        .find(|(name, ..)| color.is_some_and(|own| own.eq_ignore_ascii_case(name)));
    match side {
        Some((_, paper, ink)) => print(label, *paper, *ink, colours, text),
        None => paint(label, kind % 6 + 2, colours, text),
    }
}
