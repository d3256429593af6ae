//! The files around a rule set: property tables, boards, trial lists.

use super::codes;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::json::{self, Json, Kind};
use crate::source::{SourceFile, Span};

/// A line of a CSV file.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) cells: Vec<String>,
    /// Where each cell stands.
    pub(super) spans: Vec<Span>,
    pub(super) span: Span,
}

/// A piece as a board file lists it.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) id: i32,
    pub(super) place: u32,
    pub(super) image: Option<String>,
    pub(super) shape: String,
    pub(super) color: String,
    pub(super) span: Span,
}

/// Whether the file is a property table and no trial list.
pub(super) fn is_property_table(file: &SourceFile) -> bool {
    let mut lines = file.text().lines().filter(|line| !skipped(line));
    let first = lines.next().unwrap_or_default();
    let name = file.name().rsplit('/').next().unwrap_or_default();
    // A header that looks like a comment is a mistake, but tells what the file is.
    let commented = file.text().trim_start().starts_with("#image,");
    let head = first
        .split(',')
        .next()
        .unwrap_or_default()
        .trim()
        .trim_matches('"');
    head == "image" || commented || name == "properties.csv"
}

pub(super) fn skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// The header and the other lines of a CSV file.
pub(super) fn csv(
    file: &SourceFile,
    code: &'static CodeInfo,
    out: &mut Diagnostics,
) -> Option<(Record, Vec<Record>)> {
    let mut records = Vec::new();
    let mut start = 0;
    for line in file.text().split('\n') {
        let span = Span::new(file.id(), start, start + line.trim_end().len() as u32);
        start += line.len() as u32 + 1;
        if skipped(line) {
            continue;
        }
        match cells(line) {
            Some(found) => {
                let at = |(start, end): (u32, u32)| {
                    Span::new(file.id(), span.start + start, span.start + end)
                };
                let (cells, places): (Vec<String>, Vec<(u32, u32)>) = found.into_iter().unzip();
                let spans = places.into_iter().map(at).collect();
                records.push(Record { cells, spans, span });
            }
            None => {
                let found = Diagnostic::new(code, span, "a quoted cell is not closed");
                out.push(found);
                return None;
            }
        }
    }
    let mut records = records.into_iter();
    let header = records.next();
    if let Some(found) = header.as_ref().and_then(|header| separated(header, code)) {
        out.push(found);
        return None;
    }
    let wants_image = std::ptr::eq(code, &codes::BAD_TABLE);
    match header {
        Some(header) if wants_image && header.cells[0] != "image" => {
            let found = Diagnostic::new(code, header.span, "the first column is not `image`");
            out.push(
                found
                    .label("this line is the header")
                    .help("a line that starts with `#` is skipped"),
            );
            None
        }
        Some(header) => Some((header, records.collect())),
        None => {
            let span = Span::new(file.id(), 0, 0);
            out.push(Diagnostic::new(code, span, "the file has no header"));
            None
        }
    }
}

/// What is told of a header whose columns are separated by something else than commas.
fn separated(header: &Record, code: &'static CodeInfo) -> Option<Diagnostic> {
    let [cell] = header.cells.as_slice() else {
        return None;
    };
    let signs = [('\t', "a tab"), (';', "`;`"), ('|', "`|`")];
    let (sign, name) = signs.into_iter().find(|(sign, _)| cell.contains(*sign))?;
    let message = format!("columns are separated by commas, not by {name}");
    let found = Diagnostic::new(code, header.span, message);
    let help = format!(
        "write `{}`, and commas in the other lines too",
        cell.replace(sign, ",")
    );
    Some(found.label("this line is the header").help(help))
}

/// The cells of a line, trimmed, and where in the line they begin and end; nothing if a quote is not closed.
fn cells(line: &str) -> Option<Vec<(String, (u32, u32))>> {
    let mut cells = Vec::new();
    let line = line.trim_end();
    let offset = |rest: &str| (line.len() - rest.len()) as u32;
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let start = offset(rest);
        let mut cell = String::new();
        if let Some(mut quoted) = rest.strip_prefix('"') {
            loop {
                let end = quoted.find('"')?;
                cell.push_str(&quoted[..end]);
                quoted = &quoted[end + 1..];
                match quoted.strip_prefix('"') {
                    Some(more) => {
                        cell.push('"');
                        quoted = more;
                    }
                    None => break,
                }
            }
            let end = quoted.find(',').unwrap_or(quoted.len());
            rest = &quoted[end..];
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            cell.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        let end = start + line[start as usize..offset(rest) as usize].trim_end().len() as u32;
        cells.push((cell.trim().to_owned(), (start, end)));
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None => return Some(cells),
        }
    }
}

/// The folder, as keys of pictures name it, of a property table.
pub(super) fn picture_folder(name: &str) -> &str {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    match folder.rfind("shapes/") {
        Some(at) => &folder[at + 7..],
        None if folder.ends_with("shapes") => "",
        None => folder,
    }
}

/// Whether a key fits a pattern with `*`, `?` and `**`.
pub(super) fn matches(pattern: &str, key: &str) -> bool {
    fn go(pattern: &[u8], key: &[u8]) -> bool {
        match pattern {
            [] => key.is_empty(),
            [b'*', b'*', rest @ ..] => (0..=key.len()).any(|at| go(rest, &key[at..])),
            [b'*', rest @ ..] => {
                let stop = key.iter().position(|&b| b == b'/').unwrap_or(key.len());
                (0..=stop).any(|at| go(rest, &key[at..]))
            }
            [b'?', rest @ ..] => key.first().is_some_and(|&b| b != b'/') && go(rest, &key[1..]),
            [first, rest @ ..] => key.first() == Some(first) && go(rest, &key[1..]),
        }
    }
    // A pattern without an ending means pictures in the usual form.
    let stars = pattern.matches('*').count();
    stars <= 6 && go(pattern.as_bytes(), key.as_bytes())
}

/// A board that is no JSON cannot be read, whatever the reason.
const JSON: json::Codes = json::Codes {
    syntax: &codes::BAD_BOARD,
    too_deep: &codes::BAD_BOARD,
    duplicate_key: &codes::BAD_BOARD,
};

/// The pieces of a board file.
pub(super) fn board(file: &SourceFile, out: &mut Diagnostics) -> Option<Vec<Listed>> {
    let value = json::parse(file, JSON, out)?;
    let whole = Span::new(file.id(), 0, 0);
    let Some(Kind::Array(pieces)) = value.get("value").map(|value| &value.kind) else {
        let message = "the board has no list `value` of pieces";
        out.push(Diagnostic::new(&codes::BAD_BOARD, whole, message));
        return None;
    };
    let mut listed = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        match read_piece(piece) {
            Ok(piece) => listed.push(piece),
            Err(reason) => {
                let message = format!("piece {} of the board {reason}", index + 1);
                out.push(Diagnostic::new(&codes::BAD_BOARD, piece.span, message));
                return None;
            }
        }
    }
    if listed.is_empty() || listed.len() > 36 {
        let message = format!("the board has {} pieces", listed.len());
        let found = Diagnostic::new(&codes::BAD_BOARD, whole, message);
        out.push(found.help("1 to 36 fit"));
        return None;
    }
    let mut ids: Vec<i32> = listed.iter().map(|piece| piece.id).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("two pieces have the id {}", pair[0]);
        out.push(Diagnostic::new(&codes::BAD_BOARD, whole, message));
        return None;
    }
    Some(listed)
}

fn read_piece(piece: &Json) -> Result<Listed, &'static str> {
    let number = |key: &str| match &piece.get(key)?.kind {
        Kind::Number(number) if number.fract() == 0.0 => Some(*number as i64),
        Kind::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let cell = |key: &str| number(key).filter(|n| (1..=6).contains(n));
    let id = number("id").and_then(|id| i32::try_from(id).ok());
    let id = id.ok_or("has no number `id`")?;
    let x = cell("x").ok_or("has no `x` from 1 to 6")?;
    let y = cell("y").ok_or("has no `y` from 1 to 6")?;
    let text = |key: &str| match &piece.get(key)?.kind {
        Kind::String(text) => Some(text.clone()),
        _ => None,
    };
    let image = text("image");
    let (shape, color) = match (text("shape"), text("color")) {
        (Some(shape), Some(color)) => (shape, color),
        _ if image.is_some() => Default::default(),
        _ => return Err("has neither `image` nor `shape` and `color`"),
    };
    Ok(Listed {
        id,
        place: (x - 1 + 6 * (y - 1)) as u32,
        image,
        shape,
        color,
        span: piece.span,
    })
}

/// The file of a condition on boards.
pub(super) fn condition_name(name: &str) -> String {
    let name = below(name, "cond");
    match name.ends_with(".txt") {
        true => name,
        false => format!("{name}.txt"),
    }
}

/// A name below a folder, also of a full path on another machine.
pub(super) fn below(name: &str, folder: &str) -> String {
    let inside = format!("/{folder}/");
    let name = match name.find(&inside) {
        Some(at) => &name[at + inside.len()..],
        None => name.strip_prefix(&inside[1..]).unwrap_or(name),
    };
    format!("{folder}/{}", name.trim_matches('/'))
}

pub(super) fn has_ending(file: &SourceFile, ending: &str) -> bool {
    let ends = file.name().rsplit_once('.').map(|(_, end)| end);
    ends.is_some_and(|end| end.eq_ignore_ascii_case(ending))
}
