//! Semantic tokens.

use rulec_compiler::source::Span;
use rulec_compiler::symbols::{Class, Kind};
use serde_json::{Value, json};

use crate::document::Document;

/// The types of token, in the order of their numbers.
pub(crate) const TYPES: &[&str] = &[
    "namespace",
    "keyword",
    "function",
    "property",
    "number",
    "string",
    "operator",
    "comment",
    "type",
    "variable",
    "parameter",
    "enumMember",
    "class",
    "method",
    "event",
];

/// The modifiers, in the order of their bits.
pub(crate) const MODIFIERS: &[&str] = &["declaration", "defaultLibrary"];

const DECLARATION: u32 = 1;
const LIBRARY: u32 = 2;

fn number(name: &str) -> u32 {
    TYPES.iter().position(|known| *known == name).unwrap_or(0) as u32
}

fn of_class(class: Class) -> (u32, u32) {
    match class {
        Class::Section => (number("namespace"), 0),
        Class::Keyword => (number("keyword"), 0),
        Class::Builtin => (number("function"), LIBRARY),
        Class::Key => (number("property"), 0),
        Class::Number => (number("number"), 0),
        Class::Text => (number("string"), 0),
        Class::Operator => (number("operator"), 0),
        Class::Comment => (number("comment"), 0),
    }
}

fn of_kind(kind: Kind) -> u32 {
    number(match kind {
        Kind::Type | Kind::PlaceType => "type",
        Kind::Place => "enumMember",
        Kind::Piece => "class",
        Kind::Player => "enumMember",
        Kind::Function => "function",
        Kind::Rule => "method",
        Kind::Variable | Kind::PlayerVariable => "variable",
        Kind::Parameter => "parameter",
        Kind::State => "event",
        Kind::Order => "type",
        Kind::Coordinate | Kind::Property => "property",
        Kind::Value => "enumMember",
        Kind::Section => "namespace",
        Kind::Keyword => "keyword",
    })
}

/// The tokens of a part of a file.
pub(crate) fn range(document: &Document, within: Span) -> Value {
    json!({ "data": tokens(document, within) })
}

/// All tokens of a file.
pub(crate) fn full(document: &Document) -> Value {
    let data = all(document);
    let mut shown = document.shown.borrow_mut();
    shown.answer += 1;
    shown.data.clone_from(&data);
    json!({ "resultId": shown.answer.to_string(), "data": data })
}

/// What changed since an answer: a part of its numbers that others take the place of. All tokens if that was another answer
/// than the last.
pub(crate) fn delta(document: &Document, previous: &str) -> Value {
    if document.shown.borrow().answer.to_string() != previous {
        return full(document);
    }
    let new = all(document);
    let mut shown = document.shown.borrow_mut();
    shown.answer += 1;
    let old = std::mem::replace(&mut shown.data, new);
    let new = &shown.data;
    let same = |(a, b): &(&u32, &u32)| a == b;
    let start = old.iter().zip(new).take_while(same).count();
    let left = old.len().min(new.len()) - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let tail = ends.take(left).take_while(same).count();
    let (gone, put) = (old.len() - tail - start, &new[start..new.len() - tail]);
    let edits = match (gone, put.len()) {
        (0, 0) => json!([]),
        _ => json!([{ "start": start, "deleteCount": gone, "data": put }]),
    };
    json!({ "resultId": shown.answer.to_string(), "edits": edits })
}

fn all(document: &Document) -> Vec<u32> {
    let end = document.source().text().len() as u32;
    tokens(document, Span::new(document.source().id(), 0, end))
}

/// The tokens of a part of a file, each five numbers, relative to the one before.
fn tokens(document: &Document, within: Span) -> Vec<u32> {
    let index = document.index();
    let mut pieces: Vec<(Span, u32, u32)> = Vec::new();
    let names = &index.occurrences;
    for name in names {
        let kind = index.symbols[name.symbol].kind;
        let modifiers = if name.definition { DECLARATION } else { 0 };
        pieces.push((name.span, of_kind(kind), modifiers));
    }
    for token in &index.tokens {
        let (kind, modifiers) = of_class(token.class);
        // Names inside of a text are tokens of their own.
        let mut start = token.span.start;
        let from = names.partition_point(|name| name.span.end <= token.span.start);
        for name in names[from..]
            .iter()
            .take_while(|name| name.span.start < token.span.end)
        {
            let piece = Span::new(token.span.file, start, name.span.start.max(start));
            pieces.push((piece, kind, modifiers));
            start = start.max(name.span.end);
        }
        let rest = Span::new(token.span.file, start, token.span.end.max(start));
        pieces.push((rest, kind, modifiers));
    }
    pieces.retain(|(span, ..)| {
        !span.is_empty() && span.end > within.start && span.start < within.end
    });
    pieces.sort_by_key(|(span, ..)| (span.start, span.end));
    let mut data: Vec<u32> = Vec::with_capacity(5 * pieces.len());
    let (mut line, mut column, mut end) = (0, 0, 0);
    for (span, kind, modifiers) in pieces {
        if span.start < end {
            continue;
        }
        end = span.end;
        for part in by_line(document, span) {
            let place = document.place(part.start);
            let length = document.length(document.source().slice(part));
            let down = place.line - line;
            let right = if down == 0 {
                place.character - column
            } else {
                place.character
            };
            data.extend([down, right, length, kind, modifiers]);
            (line, column) = (place.line, place.character);
        }
    }
    data
}

/// The parts of a span, none over the end of a line.
fn by_line(document: &Document, span: Span) -> Vec<Span> {
    let source = document.source();
    let first = source.position(span.start).line;
    let last = source.position(span.end).line;
    let lines = (first..=last).map(|line| source.line_span(line));
    let parts = lines.map(|line| {
        let start = line.start.max(span.start);
        Span::new(span.file, start, line.end.min(span.end).max(start))
    });
    parts.filter(|part| !part.is_empty()).collect()
}
