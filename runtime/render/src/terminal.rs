//! Boards as coloured text.

use std::fmt::Write as _;

use crate::labels::{labels, lines, near};
use crate::look::Position;

/// The most columns and rows of a board that is drawn; others are lists.
const COLUMNS: usize = 40;
const ROWS: usize = 40;
/// Background colours of players' pieces and of others, of the 256 of terminals.
const PAPER: [u8; 8] = [255, 236, 130, 31, 29, 179, 96, 244];
const INK: [u8; 8] = [16, 255, 16, 255, 255, 16, 255, 16];

/// A position as text: places in their rows and columns, pieces by their letters. With `colours`, the letters have the
/// colours of owners. Nothing where the rules give places no coordinates and there is nothing to show.
pub fn board(position: &Position<'_>, colours: bool) -> Option<String> {
    let look = position.look;
    if let Some(nest) = &look.nest {
        return Some(crate::nests::text(position, nest, colours));
    }
    if let Some(episode) = &look.episode {
        return Some(grid_of_episode(position, episode, colours));
    }
    let mut spots: Vec<Spot> = Vec::new();
    for place in &look.presentation.places {
        let (x, y) = place.at?;
        spots.push(Spot {
            x,
            y,
            domain: place.domain,
            member: place.member,
        });
    }
    if spots.is_empty() {
        return Some(list(position, colours)).filter(|text| !text.is_empty());
    }
    let columns = lines(spots.iter().map(|spot| spot.x));
    let rows = lines(spots.iter().map(|spot| spot.y));
    if columns.len() > COLUMNS || rows.len() > ROWS {
        return Some(list(position, colours)).filter(|text| !text.is_empty());
    }
    let named = |along: fn(&Spot) -> f64| -> Vec<(f64, &str)> {
        let all = spots.iter();
        all.map(|spot| (along(spot), look.name(spot.domain, spot.member)))
            .collect()
    };
    let above = labels(&named(|spot| spot.x), &columns);
    let beside = labels(&named(|spot| spot.y), &rows);
    let margin = if beside.is_empty() { "" } else { "    " };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        if let Some(label) = beside.get(number) {
            faint(&format!("{label:>3} "), colours, &mut text);
        }
        for column in &columns {
            let here = spots.iter().find(|s| near(s.x, *column) && near(s.y, *row));
            match here {
                Some(spot) => cell(position, spot, colours, &mut text),
                None => text.push_str("   "),
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
    Some(text)
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

struct Spot {
    x: f64,
    y: f64,
    domain: u32,
    member: u32,
}

fn cell(position: &Position<'_>, spot: &Spot, colours: bool, text: &mut String) {
    let look = position.look;
    let (mut found, mut count) = (None, 0);
    for (index, placement) in look.placements.iter().enumerate() {
        if placement.places == spot.domain {
            let here = position.on_place(index, spot.member);
            count += here.len();
            found = here
                .last()
                .map(|piece| (placement.pieces, *piece))
                .or(found);
        }
    }
    let Some((domain, piece)) = found else {
        return faint(" · ", colours, text);
    };
    let looks = &look.presentation.pieces;
    let own = looks
        .iter()
        .find(|l| l.domain == domain && l.member == piece);
    let name = look.name(domain, piece);
    let kind = own.map_or(name, |own| own.kind.as_str());
    let state = own
        .and_then(|own| own.state)
        .and_then(|var| position.nth(var, piece as usize));
    let states = own.is_some_and(|own| own.pictures.len() > 1);
    let state = state.filter(|_| states).unwrap_or(0);
    let owner = look.presentation.owners.iter();
    let owner = owner
        .clone()
        .find(|o| o.domain == domain && o.member == piece)
        .map(|o| o.player as usize)
        .or(look.is_players(domain).then_some(piece as usize));
    let mut kinds: Vec<&str> = Vec::new();
    for look in looks {
        if !kinds.contains(&look.kind.as_str()) {
            kinds.push(&look.kind);
        }
    }
    let number = kinds.iter().position(|known| *known == kind).unwrap_or(0);
    let colour = owner.unwrap_or(number + state + 2) % PAPER.len();
    let mut letters = short(kind, &kinds);
    if states {
        let _ = write!(letters, "{}", state + 1);
    } else if looks.is_empty() {
        letters.extend(kind.chars().rev().take_while(char::is_ascii_digit).take(1));
    }
    if !colours {
        letters = of_player(letters, owner.unwrap_or(0));
    }
    if count > 1 {
        // Others are below it.
        letters.push('+');
    }
    paint(&letters, colour, colours, text);
}

/// Letters that tell whose a piece is where colours do not: small ones for the second player, a number from the third on.
fn of_player(letters: String, player: usize) -> String {
    match player {
        0 => letters,
        1 => letters.to_lowercase(),
        _ => format!("{letters}{}", player + 1),
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

/// A word on the colour of a player.
pub(super) fn owned(word: &str, seat: usize, colours: bool) -> String {
    let (paper, ink) = (PAPER[seat % 8], INK[seat % 8]);
    match colours {
        true => format!("\x1b[48;5;{paper};38;5;{ink}m {word} \x1b[0m"),
        false => word.to_owned(),
    }
}

/// Letters in three columns on the colour of a number.
fn paint(letters: &str, colour: usize, colours: bool, text: &mut String) {
    let letters: String = letters.chars().take(3).collect();
    let padded = match letters.chars().count() {
        1 => format!(" {letters} "),
        2 => format!(" {letters}"),
        _ => letters,
    };
    match colours {
        true => {
            let (paper, ink) = (PAPER[colour], INK[colour]);
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
                    false => text.push_str(" · "),
                }
                continue;
            };
            let kind = position.number(episode.kinds, unit as usize).unwrap_or(0) as usize;
            let name = episode
                .looks
                .get(kind)
                .map_or("?", |look| look.name.as_str());
            let name = name.rsplit('/').next().unwrap_or(name);
            let parts: Vec<&str> = name.split(['_', '-', '.']).collect();
            let letters: String = parts
                .iter()
                .take(2)
                .filter_map(|part| part.chars().next())
                .collect();
            paint(&letters.to_uppercase(), kind % 6 + 2, colours, &mut text);
        }
        text.push('\n');
    }
    let _ = writeln!(text, " 3{}2", " ".repeat(columns as usize * 3));
    text
}
