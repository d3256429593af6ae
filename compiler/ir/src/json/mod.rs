//! JSON with the place of every value, for the languages that are written in it.

mod fault;
#[rustfmt::skip]
mod grammar;
mod print;
mod recover;

use std::fmt;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair;

use grammar::{Grammar, Rule};
pub use print::{Form, print, quoted};
pub use recover::recover;

use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::{SourceFile, Span};

/// Most brackets inside each other.
const MAX_DEPTH: u32 = 64;

/// The codes that a language gives the mistakes of a file as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// The file is not JSON.
    pub syntax: &'static CodeInfo,
    /// Too many brackets inside each other.
    pub too_deep: &'static CodeInfo,
    /// A key comes twice in an object; the last one counts.
    pub duplicate_key: &'static CodeInfo,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// The value.
    pub kind: Kind,
    /// Its text in the file.
    pub span: Span,
}

/// The kinds of value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string, its escapes resolved.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Keys with values in the order of the file; no key twice.
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// Its text with the quotes.
    pub key_span: Span,
    /// The value.
    pub value: Json,
}

impl Json {
    /// The value of a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Kind::Object(members) = &self.kind else {
            return None;
        };
        let member = members.iter().find(|member| member.key == key)?;
        Some(&member.value)
    }

    /// The place in the file of the character at a byte of a string's text; behind the last one, of the closing quote.
    pub fn character(&self, source: &SourceFile, at: usize) -> Span {
        let (text, places) = unescape_placed(source.slice(self.span));
        let first = text.floor_char_boundary(at);
        let place = |at: usize| {
            let at = text.ceil_char_boundary(at);
            self.span.start + places.get(at).copied().unwrap_or_default()
        };
        let (start, end) = (place(first), place(first + 1));
        Span::new(self.span.file, start, end.max(start + 1))
    }

    /// What it is, in words.
    pub fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a truth value",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Null => f.write_str("null"),
            Kind::Bool(value) => write!(f, "{value}"),
            Kind::Number(value) => write!(f, "{value}"),
            Kind::String(text) => write!(f, "{text:?}"),
            Kind::Array(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Kind::Object(members) => {
                f.write_str("{")?;
                for (at, member) in members.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}{:?}: {}", member.key, member.value)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Reads a file; nothing if it is not JSON.
pub fn parse(source: &SourceFile, codes: Codes, out: &mut Diagnostics) -> Option<Json> {
    let text = source.text();
    if let Some(at) = too_deep(text) {
        let span = Span::new(source.id(), at, at + 1);
        let message = format!("more than {MAX_DEPTH} brackets are open here");
        out.push(Diagnostic::new(codes.too_deep, span, message));
        return None;
    }
    match Grammar::parse(Rule::file, text) {
        Ok(mut pairs) => {
            let value = pairs.next()?.into_inner().next()?;
            let mut reader = Reader { source, codes, out };
            Some(reader.value(&value))
        }
        Err(error) => {
            out.push(syntax_error(source, codes, &error));
            None
        }
    }
}

/// The place of the first bracket that is nested too deeply.
fn too_deep(text: &str) -> Option<u32> {
    let (mut depth, mut quoted, mut escaped) = (0u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at as u32);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn syntax_error(source: &SourceFile, codes: Codes, error: &pest::error::Error<Rule>) -> Diagnostic {
    let place = |start: usize, end: usize| Span::new(source.id(), start as u32, end as u32);
    let Some(fault) = fault::first(source.text()) else {
        // The grammar is stricter than the search for a place.
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        return Diagnostic::new(codes.syntax, place(at, at), "this is not JSON");
    };
    let found = Diagnostic::new(
        codes.syntax,
        place(fault.span.0, fault.span.1),
        fault.message,
    );
    let found = match fault.open {
        Some(open) => found.also(place(open, open + 1), "this bracket is not closed"),
        None => found,
    };
    found.help(fault.help)
}

struct Reader<'a> {
    source: &'a SourceFile,
    codes: Codes,
    out: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.source.id(), span.start() as u32, span.end() as u32)
    }

    fn value(&mut self, pair: &Pair<'_, Rule>) -> Json {
        let span = self.span(pair);
        let kind = match pair.as_rule() {
            Rule::object => self.object(pair),
            Rule::array => {
                let items = pair.clone().into_inner();
                Kind::Array(items.map(|item| self.value(&item)).collect())
            }
            Rule::string => Kind::String(unescape(pair.as_str())),
            Rule::number => Kind::Number(pair.as_str().parse().unwrap_or(f64::NAN)),
            _ => match pair.as_str() {
                "true" => Kind::Bool(true),
                "false" => Kind::Bool(false),
                _ => Kind::Null,
            },
        };
        Json { kind, span }
    }

    fn object(&mut self, pair: &Pair<'_, Rule>) -> Kind {
        let mut members: Vec<Member> = Vec::new();
        for pair in pair.clone().into_inner() {
            let mut inner = pair.into_inner();
            let (Some(key), Some(value)) = (inner.next(), inner.next()) else {
                continue;
            };
            let member = Member {
                key: unescape(key.as_str()),
                key_span: self.span(&key),
                value: self.value(&value),
            };
            match members.iter_mut().find(|other| other.key == member.key) {
                Some(other) => {
                    let message = format!("the key `{}` is repeated", member.key);
                    let found = Diagnostic::new(self.codes.duplicate_key, member.key_span, message)
                        .also(other.key_span, "this one is ignored");
                    self.out.push(found);
                    *other = member;
                }
                None => members.push(member),
            }
        }
        Kind::Object(members)
    }
}

/// The text of a string literal; lone surrogates become replacement characters.
fn unescape(literal: &str) -> String {
    unescape_placed(literal).0
}

/// The text of a string literal, and for each of its bytes and its end the byte of the literal that it comes from.
///
/// Lone surrogates become replacement characters, tabs blanks.
pub fn unescape_placed(literal: &str) -> (String, Vec<u32>) {
    let (mut text, mut places) = (String::new(), Vec::new());
    let mut chars = literal.char_indices().skip(1).peekable();
    let mut high: Option<(u16, u32)> = None;
    let mut put = |c: char, at: u32| {
        text.push(c);
        places.resize(text.len(), at);
    };
    while let Some((at, c)) = chars.next() {
        let at = at as u32;
        let unit = match (c, chars.peek()) {
            ('\\', Some((_, 'u'))) => {
                chars.next();
                let digits: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                u16::from_str_radix(&digits, 16).ok()
            }
            _ => None,
        };
        let pair = high.take();
        if let Some(unit) = unit {
            match (pair, unit) {
                (Some((first, begin)), 0xdc00..=0xdfff) => {
                    let both = char::decode_utf16([first, unit]).next();
                    put(both.and_then(Result::ok).unwrap_or('\u{fffd}'), begin);
                    continue;
                }
                (Some((_, begin)), _) => put('\u{fffd}', begin),
                (None, _) => {}
            }
            match unit {
                0xd800..=0xdbff => high = Some((unit, at)),
                _ => put(char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}'), at),
            }
            continue;
        }
        if let Some((_, begin)) = pair {
            put('\u{fffd}', begin);
        }
        match c {
            '"' => break,
            // The editors of these files write a tab as three blanks.
            '\t' => (0..3).for_each(|_| put(' ', at)),
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('b') => put('\u{8}', at),
                Some('f') => put('\u{c}', at),
                Some('n') => put('\n', at),
                Some('r') => put('\r', at),
                Some('t') => put('\t', at),
                Some(other) => put(other, at),
                None => break,
            },
            other => put(other, at),
        }
    }
    if let Some((_, begin)) = high {
        put('\u{fffd}', begin);
    }
    places.push(literal.len().saturating_sub(1) as u32);
    (text, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_know_where_their_letters_come_from() {
        let (text, places) = unescape_placed(r#""a\nb\u00e9\ud83d\ude00c\ud800""#);
        assert_eq!(text, "a\nb\u{e9}\u{1f600}c\u{fffd}");
        let at = |letter: char| places[text.find(letter).expect("it is there")];
        assert_eq!((at('a'), at('\n'), at('b'), at('c')), (1, 2, 4, 23));
        assert_eq!(places.len(), text.len() + 1);
        assert_eq!(unescape_placed(r#""""#), (String::new(), vec![1]));
    }
}
