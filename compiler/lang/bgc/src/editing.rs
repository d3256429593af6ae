//! What editors ask of a file: its names, what may stand where.

use super::schema::{self, Shape};
use crate::diag::Diagnostics;
use crate::json::{self, Json, Kind as JsonKind, Member};
use crate::source::{SourceFile, Span};
use crate::symbols::{Builder, Class, Expected, Index, Kind, Outline};

/// The names of a file.
pub(super) fn index(source: &SourceFile) -> Index {
    let mut reader = Reader {
        source,
        builder: Builder::default(),
        coordinates: Vec::new(),
    };
    if let Some(json) = tree(source) {
        let names = json
            .get("cell")
            .and_then(|cell| cell.get("coordinates_names"));
        if let Some(JsonKind::Array(names)) = names.map(|names| &names.kind) {
            reader.coordinates = names.iter().filter_map(text).map(str::to_owned).collect();
        }
        reader.value(&json, &Shape::Object(&schema::ROOT));
        reader.outline(&json);
    }
    reader.builder.finish()
}

/// The file as data, if need be as far as it can be read.
fn tree(source: &SourceFile) -> Option<Json> {
    let read = json::parse(source, super::codes::JSON, &mut Diagnostics::new());
    read.or_else(|| json::recover(source))
}

fn text(json: &Json) -> Option<&str> {
    match &json.kind {
        JsonKind::String(text) => Some(text),
        _ => None,
    }
}

struct Reader<'a> {
    source: &'a SourceFile,
    builder: Builder,
    coordinates: Vec<String>,
}

impl Reader<'_> {
    fn value(&mut self, json: &Json, shape: &Shape) {
        let shape = shape.of(json);
        match (&json.kind, shape) {
            (JsonKind::Object(members), Shape::Object(object)) => {
                for member in members {
                    let coordinate = self.coordinates.contains(&member.key);
                    match object.key(&member.key) {
                        Some(key) => {
                            self.builder.token(member.key_span, Class::Key);
                            self.value(&member.value, &key.shape);
                        }
                        None if object.coordinates && coordinate => {
                            self.name(Kind::Coordinate, &member.key, member.key_span, false);
                            self.value(&member.value, &Shape::Scalar);
                        }
                        None => {
                            self.builder.token(member.key_span, Class::Key);
                            self.value(&member.value, &Shape::Any);
                        }
                    }
                }
            }
            (JsonKind::Object(members), Shape::Map(kind, declares, inner)) => {
                for member in members {
                    self.member(member, kind, declares);
                    self.value(&member.value, inner);
                }
            }
            (JsonKind::Object(members), Shape::Vector) => {
                for member in members {
                    self.name(Kind::Coordinate, &member.key, member.key_span, false);
                    self.value(&member.value, &Shape::Integer);
                }
            }
            (JsonKind::Array(items), Shape::List(inner)) => {
                items.iter().for_each(|item| self.value(item, inner));
            }
            (JsonKind::Object(members), _) => {
                for member in members {
                    self.builder.token(member.key_span, Class::Key);
                    self.value(&member.value, &Shape::Any);
                }
            }
            (JsonKind::Array(items), _) => {
                items.iter().for_each(|item| self.value(item, &Shape::Any));
            }
            (JsonKind::String(name), Shape::Name(kind)) => {
                self.name(kind, name, json.span, false);
            }
            (JsonKind::String(name), Shape::Declared(kind)) => {
                self.name(kind, name, json.span, true);
            }
            (JsonKind::String(_), Shape::Words(_)) => {
                self.builder.token(json.span, Class::Keyword);
            }
            (JsonKind::String(_), Shape::Script) => self.script(json.span),
            (JsonKind::String(_), _) => self.builder.token(json.span, Class::Text),
            (JsonKind::Number(_), _) => self.builder.token(json.span, Class::Number),
            (JsonKind::Bool(_) | JsonKind::Null, _) => {
                self.builder.token(json.span, Class::Keyword);
            }
        }
    }

    fn member(&mut self, member: &Member, kind: Kind, declares: bool) {
        let symbol = self.name(kind, &member.key, member.key_span, declares);
        if declares {
            let written = self.source.slice(member.value.span);
            let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
            let short: String = line.chars().take(100).collect();
            let dots = if short.len() < line.len() { " ..." } else { "" };
            self.builder.edit(symbol).detail = format!("{short}{dots}");
        }
    }

    /// A name in quotes.
    fn name(&mut self, kind: Kind, name: &str, span: Span, declares: bool) -> usize {
        let symbol = self.builder.symbol(kind, name);
        let written = self.source.slice(span);
        let closed = written.len() > 1 && written.ends_with('"');
        let end = span.end - u32::from(closed);
        let inner = Span::new(span.file, span.start + 1, end.max(span.start + 1));
        if self.source.slice(inner) != name {
            self.builder.edit(symbol).fixed = Some("it is written with escapes");
        }
        self.builder.put(symbol, inner, declares);
        symbol
    }

    /// An expression: the names of coordinates in it.
    fn script(&mut self, span: Span) {
        self.builder.token(span, Class::Text);
        let written = self.source.slice(span);
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let mut at = 0;
        // Texts of the expression stand in single quotes, or in escaped double ones.
        let mut quoted = false;
        while let Some(c) = written[at..].chars().next() {
            let rest = &written[at..];
            let len = match part(c) {
                true => rest.find(|c| !part(c)).unwrap_or(rest.len()),
                false => c.len_utf8(),
            };
            if c == '\'' || (c == '"' && at > 0 && at + 1 < written.len()) {
                quoted = !quoted;
            }
            let word = &rest[..len];
            let field = written[..at].ends_with('.');
            if !quoted && !field && self.coordinates.iter().any(|name| name == word) {
                let start = span.start + at as u32;
                let place = Span::new(span.file, start, start + len as u32);
                self.builder.refer(Kind::Coordinate, word, place);
            }
            at += len;
        }
    }

    fn outline(&mut self, json: &Json) {
        let JsonKind::Object(members) = &json.kind else {
            return;
        };
        for member in members {
            let kind = match member.key.as_str() {
                "figures" => Kind::Piece,
                "game_states" => Kind::State,
                "win_conditions" | "forbidden_conditions" | "initial_position" => Kind::Player,
                _ => Kind::Property,
            };
            let parts = match (&member.value.kind, kind) {
                (JsonKind::Object(_), Kind::Property) => Vec::new(),
                (JsonKind::Object(members), _) => members
                    .iter()
                    .map(|member| part(member, kind, Vec::new()))
                    .collect(),
                _ => Vec::new(),
            };
            self.builder.outline(part(member, Kind::Section, parts));
        }
    }
}

fn part(member: &Member, kind: Kind, parts: Vec<Outline>) -> Outline {
    Outline {
        name: member.key.clone(),
        detail: String::new(),
        kind,
        span: member.key_span.to(member.value.span),
        name_span: member.key_span,
        parts,
    }
}

/// What may stand at a byte.
pub(super) fn expected(source: &SourceFile, at: u32) -> Expected {
    let mut expected = Expected {
        replace: Span::new(source.id(), at, at),
        around: ("\"", "\""),
        ..Expected::default()
    };
    let Some(json) = json::recover(source) else {
        return expected;
    };
    let coordinates = index(source);
    let coordinates = coordinates
        .symbols
        .iter()
        .any(|s| s.kind == Kind::Coordinate);
    find(
        &json,
        &Shape::Object(&schema::ROOT),
        at,
        source,
        &mut expected,
    );
    if !coordinates {
        expected.kinds.retain(|kind| *kind != Kind::Coordinate);
    }
    expected
}

/// Whether a byte lies inside of quotes; then what is between them makes way.
fn quoted(span: Span, at: u32, source: &SourceFile, expected: &mut Expected) -> bool {
    let inside = span.start < at && at < span.end + u32::from(!source.slice(span).ends_with('"'));
    if inside {
        let closed = source.slice(span).len() > 1 && source.slice(span).ends_with('"');
        let end = span.end - u32::from(closed);
        expected.replace = Span::new(span.file, span.start + 1, end.max(span.start + 1));
        expected.around = ("", "");
    }
    inside
}

fn find(json: &Json, shape: &Shape, at: u32, source: &SourceFile, expected: &mut Expected) {
    let inside = json.span.start < at && at <= json.span.end;
    let either = *shape;
    let shape = shape.of(json);
    match &json.kind {
        JsonKind::Object(members) if inside => {
            for member in members {
                if quoted(member.key_span, at, source, expected) {
                    return keys(shape, members, at, expected);
                }
                let value = inner(shape, member);
                let after = member.key_span.end < at;
                let until = member.value.span.end.max(member.key_span.end + 2);
                if after && at <= until {
                    if let Some(value) = value {
                        find(&member.value, &value, at, source, expected);
                    }
                    return;
                }
            }
            // Behind a colon a value is due, else a key.
            let before = source.text()[..at as usize].trim_end();
            if !before.ends_with(':') {
                return keys(shape, members, at, expected);
            }
            let due = members
                .iter()
                .rev()
                .find(|member| member.key_span.end <= at);
            if let Some(value) = due.and_then(|member| inner(shape, member)) {
                values(value, expected);
            }
        }
        JsonKind::Array(items) if inside => {
            let Shape::List(item_shape) = shape else {
                return;
            };
            let item = items
                .iter()
                .find(|item| item.span.start <= at && at <= item.span.end);
            match item {
                Some(item) => find(item, item_shape, at, source, expected),
                None => values(*item_shape, expected),
            }
        }
        JsonKind::String(_) => {
            quoted(json.span, at, source, expected);
            values(either, expected);
        }
        _ => values(either, expected),
    }
}

/// What the value of a member may be.
fn inner(shape: Shape, member: &Member) -> Option<Shape> {
    match shape {
        Shape::Object(object) => object.key(&member.key).map(|key| key.shape),
        Shape::Map(_, _, inner) => Some(*inner),
        _ => None,
    }
}

/// The keys that are missing, and the one that stands at the byte.
fn keys(shape: Shape, members: &[Member], at: u32, expected: &mut Expected) {
    match shape {
        Shape::Object(object) => {
            let elsewhere =
                |member: &Member| member.key_span.end < at || at < member.key_span.start;
            let known = |key: &&schema::Key| {
                members
                    .iter()
                    .any(|member| member.key == key.name && elsewhere(member))
            };
            let missing = object.keys.iter().filter(|key| !known(key));
            expected.words.extend(missing.map(schema::Key::word));
            if object.coordinates {
                expected.kinds.push(Kind::Coordinate);
            }
        }
        Shape::Map(kind, false, _) => expected.kinds.push(kind),
        Shape::Vector => expected.kinds.push(Kind::Coordinate),
        _ => {}
    }
}

fn values(shape: Shape, expected: &mut Expected) {
    match shape {
        Shape::Words(words) => {
            let words = words
                .iter()
                .map(|(name, meaning)| schema::value_word(name, meaning));
            expected.words.extend(words);
        }
        Shape::Name(kind) => expected.kinds.push(kind),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| values(*shape, expected)),
        _ => {}
    }
}

/// Whether a text can name something.
pub(super) fn is_name(kind: Kind, name: &str) -> bool {
    let plain =
        !name.is_empty() && !name.contains(['"', '\\']) && !name.chars().any(char::is_control);
    match kind {
        Kind::Coordinate => {
            let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let taken = schema::MATCH.key(name).or_else(|| schema::ENTRY.key(name));
            starts
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                && taken.is_none()
                && name != "Math"
        }
        _ => plain,
    }
}
