//! Boards as text: JSON and the picture of letters.

use rulec_core::episode::{EpisodeInfo, PieceKind};

use super::session::{Piece, Session};

/// What the last attempt did to the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing is marked.
    None,
    /// The piece of this place was refused.
    Failed(usize),
    /// This place was emptied.
    Emptied(usize),
}

/// Appends a text as JSON writes it: in one piece where nothing needs a mark, as nearly all texts of boards are.
pub(super) fn quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest
        .iter()
        .position(|&b| b < b' ' || b == b'"' || b == b'\\')
    {
        out.extend_from_slice(&rest[..at]);
        match rest[at] {
            mark @ (b'"' | b'\\') => out.extend_from_slice(&[b'\\', mark]),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Appends a number.
pub(super) fn number(n: i64, out: &mut Vec<u8>) {
    if let Ok(digit @ 0..10) = u8::try_from(n) {
        out.push(b'0' + digit);
        return;
    }
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends the value of a property of a piece with a picture: what reads as an integer is one.
pub(super) fn property(value: &str, out: &mut Vec<u8>) {
    match value.parse::<i32>() {
        Ok(n) => number(n.into(), out),
        Err(_) => quoted(value, out),
    }
}

fn field(name: &str, first: bool, out: &mut Vec<u8>) {
    if !first {
        out.push(b',');
    }
    quoted(name, out);
    out.push(b':');
}

/// Appends the board as one line of JSON.
pub(super) fn json(session: &Session<'_>, out: &mut Vec<u8>) {
    let info = session.info();
    out.extend_from_slice(br#"{"id":0,"value":["#);
    let mut first = true;
    for piece in session.pieces().iter().filter(|piece| piece.here) {
        if !first {
            out.push(b',');
        }
        first = false;
        json_piece(session, info, piece, out);
    }
    out.extend_from_slice(b"]}\n");
}

fn json_piece(session: &Session<'_>, info: &EpisodeInfo, piece: &Piece, out: &mut Vec<u8>) {
    let kind = &info.kinds[usize::from(piece.kind)];
    out.push(b'{');
    field("id", true, out);
    number(piece.id.into(), out);
    if !kind.pictured {
        for (name, value) in kind.properties {
            field(name, false, out);
            quoted(value, out);
        }
    }
    let place = usize::from(piece.place);
    for (name, value) in [("x", place % info.columns), ("y", place / info.columns)] {
        field(name, false, out);
        number(value as i64 + 1, out);
    }
    if kind.pictured {
        field("image", false, out);
        quoted(kind.name, out);
    }
    if piece.given {
        let label = u32::try_from(i64::from(piece.id) + 65)
            .ok()
            .and_then(char::from_u32);
        field("label", false, out);
        quoted(&label.map(String::from).unwrap_or_default(), out);
    }
    field("buckets", false, out);
    out.push(b'[');
    let targets = session.targets(piece);
    let mut first = true;
    for target in super::boards::bits(targets) {
        if !first {
            out.push(b',');
        }
        first = false;
        number(target as i64, out);
    }
    out.push(b']');
    if kind.pictured {
        for (name, value) in kind.properties {
            field(name, false, out);
            property(value, out);
        }
    }
    out.push(b'}');
}

/// Appends the board as a picture of letters, those of the original server: kinds of one letter look alike.
pub(super) fn picture(session: &Session<'_>, mark: Mark, out: &mut Vec<u8>) {
    let kinds = session.info().kinds.iter();
    let labels: Vec<String> = kinds.map(letters).collect();
    labelled(session, &labels, mark, out);
}

/// Appends the board as a picture of letters in which all kinds differ, and what they mean.
pub fn board(session: &Session<'_>, out: &mut Vec<u8>) {
    let kinds = session.info().kinds;
    let labels = rulec_core::kinds::labels(kinds);
    labelled(session, &labels, Mark::None, out);
    let here = session.pieces().iter().filter(|piece| piece.here);
    let mut shown: Vec<usize> = here.map(|piece| usize::from(piece.kind)).collect();
    shown.sort_unstable();
    shown.dedup();
    let legend = shown.into_iter().map(|kind| {
        let words = rulec_core::kinds::in_words(&kinds[kind]);
        format!("{} {words}", labels[kind])
    });
    let legend: Vec<String> = legend.collect();
    if !legend.is_empty() {
        out.extend_from_slice(format!("#   {}\n", legend.join(", ")).as_bytes());
    }
}

/// Appends the board with a label for each kind.
fn labelled(session: &Session<'_>, labels: &[String], mark: Mark, out: &mut Vec<u8>) {
    use std::fmt::Write;
    let info = session.info();
    let rows = info.places.div_ceil(info.columns.max(1));
    let rule = format!("#---+{}\n", "-----".repeat(info.columns));
    let mut text = rule.clone();
    // Writing to a string does not fail.
    for y in (0..rows).rev() {
        let _ = write!(text, "#{:2} |", y + 1);
        for x in 0..info.columns {
            let place = x + info.columns * y;
            let here = |piece: &&Piece| piece.here && usize::from(piece.place) == place;
            let shown = session.pieces().iter().find(here);
            let shown = shown.map(|piece| labels[usize::from(piece.kind)].as_str());
            let (open, close) = match mark {
                Mark::Failed(failed) if failed == place => ('[', ']'),
                Mark::Emptied(emptied) if emptied == place => ('(', ')'),
                _ => (' ', ' '),
            };
            let shown = shown.unwrap_or(".");
            let _ = write!(text, " {open}{shown:>2}{close}");
        }
        text.push('\n');
    }
    text.push_str(&rule);
    text.push_str("#   |");
    for x in 0..info.columns {
        let _ = write!(text, " {:3} ", x + 1);
    }
    text.push_str("  \n");
    out.extend_from_slice(text.as_bytes());
}

fn letters(kind: &PieceKind) -> String {
    let (Some(shape), Some(color)) = (kind.property("shape"), kind.property("color")) else {
        let file = kind.name.rsplit('/').next().unwrap_or_default();
        return file.split('.').next().unwrap_or_default().to_owned();
    };
    let shape = match shape {
        "CIRCLE" => "O",
        "SQUARE" => "#",
        "TRIANGLE" => "T",
        "STAR" => "*",
        other => other,
    };
    let color = match color {
        "BLUE" => "g".to_owned(),
        other => other.chars().take(1).collect::<String>().to_lowercase(),
    };
    format!("{color}{shape}")
}
