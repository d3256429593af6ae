//! JSON with the place of every value.

use std::fmt;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use pest_derive::Parser;

use super::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::{SourceFile, Span};

/// Most brackets inside each other.
const MAX_DEPTH: u32 = 64;

/// Entry to the rules of the grammar.
#[derive(Parser)]
#[grammar = "lang/bgc/json.pest"]
struct Grammar;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json {
    /// The value.
    pub(super) kind: Kind,
    /// Its text in the file.
    pub(super) span: Span,
}

/// The kinds of value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
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
pub(super) struct Member {
    /// The key.
    pub(super) key: String,
    /// Its text with the quotes.
    pub(super) key_span: Span,
    /// The value.
    pub(super) value: Json,
}

impl Json {
    /// The value of a key, if this is an object that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        let Kind::Object(members) = &self.kind else {
            return None;
        };
        let member = members.iter().find(|member| member.key == key)?;
        Some(&member.value)
    }

    /// What it is, in words.
    pub(super) fn noun(&self) -> &'static str {
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
pub(super) fn parse(source: &SourceFile, out: &mut Diagnostics) -> Option<Json> {
    let text = source.text();
    if let Some(at) = too_deep(text) {
        let span = Span::new(source.id(), at, at + 1);
        let message = format!("more than {MAX_DEPTH} brackets are open here");
        out.push(Diagnostic::new(&codes::TOO_DEEP, span, message));
        return None;
    }
    match Grammar::parse(Rule::file, text) {
        Ok(mut pairs) => {
            let value = pairs.next()?.into_inner().next()?;
            let mut reader = Reader { source, out };
            Some(reader.value(&value))
        }
        Err(error) => {
            out.push(syntax_error(source, &error));
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

fn syntax_error(source: &SourceFile, error: &pest::error::Error<Rule>) -> Diagnostic {
    let text = source.text();
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let found = text[at..].chars().next();
    let end = at + found.map_or(0, char::len_utf8);
    let span = Span::new(source.id(), at as u32, end as u32);
    let message = match found {
        Some(found) => format!("`{}` cannot stand here", found.escape_debug()),
        None => "the file ends too early".to_owned(),
    };
    let found = Diagnostic::new(&codes::SYNTAX, span, message);
    let before = text[..at].trim_end().chars().next_back();
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => expected(positives),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let help = match (before, text[at..].chars().next()) {
        (Some(','), Some('}' | ']')) => "JSON has no comma after the last item".to_owned(),
        (_, Some('/')) => "JSON has no comments".to_owned(),
        (_, Some('\'')) => "strings have double quotes".to_owned(),
        (Some('"' | '}' | ']'), Some('"' | '{' | '[')) => {
            "is a comma missing before it?".to_owned()
        }
        _ if expected.is_empty() => return found,
        _ => format!("expected {expected}"),
    };
    found.help(help)
}

fn expected(rules: &[Rule]) -> String {
    let mut words: Vec<&str> = rules
        .iter()
        .map(|rule| match rule {
            Rule::EOI => "the end of the file",
            Rule::pair => "a key",
            Rule::string => "a string",
            Rule::object | Rule::array | Rule::number | Rule::word => "a value",
            Rule::character | Rule::escape => "the end of the string",
            _ => "another character",
        })
        .collect();
    words.dedup();
    words.sort_unstable();
    words.dedup();
    words.join(" or ")
}

struct Reader<'a> {
    source: &'a SourceFile,
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
                    let found = Diagnostic::new(&codes::DUPLICATE_KEY, member.key_span, message)
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
    let inner = literal.get(1..literal.len().saturating_sub(1));
    let mut units: Vec<u16> = Vec::new();
    let mut chars = inner.unwrap_or_default().chars();
    let mut buffer = [0; 2];
    while let Some(c) = chars.next() {
        let c = match c {
            '\t' => {
                units.extend("   ".encode_utf16());
                continue;
            }
            '\\' => match chars.next() {
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                    continue;
                }
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        units.extend(c.encode_utf16(&mut buffer).iter());
    }
    String::from_utf16_lossy(&units)
}
