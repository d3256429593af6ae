//! Reading JSON that is broken, for editors: what can be understood, without a word about the rest.

use super::{Json, Kind, MAX_DEPTH, Member, unescape};
use crate::source::{SourceFile, Span};

/// The value of a file as far as it can be read: strings end with their line, brackets that are missing close where
/// an outer one does, what makes no sense is skipped.
pub fn recover(source: &SourceFile) -> Option<Json> {
    let mut reader = Reader {
        source,
        text: source.text(),
        at: 0,
        open: Vec::new(),
    };
    loop {
        match reader.value() {
            Some(json) => return Some(json),
            None => reader.skip()?,
        }
    }
}

struct Reader<'a> {
    source: &'a SourceFile,
    text: &'a str,
    at: usize,
    /// The brackets that are open.
    open: Vec<u8>,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Leaves out a character; nothing at the end.
    fn skip(&mut self) -> Option<()> {
        self.blanks();
        self.at += self.text[self.at..].chars().next()?.len_utf8();
        Some(())
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.source.id(), start as u32, self.at as u32)
    }

    /// A value, if one begins here.
    fn value(&mut self) -> Option<Json> {
        let first = self.peek()?;
        let start = self.at;
        let kind = match first {
            b'{' | b'[' if self.open.len() < MAX_DEPTH as usize => self.container(first),
            b'"' => Kind::String(self.string()),
            b'-' | b'0'..=b'9' => {
                let word = self.word();
                Kind::Number(word.parse().unwrap_or(f64::NAN))
            }
            c if c.is_ascii_alphabetic() => match self.word() {
                "true" => Kind::Bool(true),
                "false" => Kind::Bool(false),
                _ => Kind::Null,
            },
            _ => return None,
        };
        let span = self.span(start);
        Some(Json { kind, span })
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let rest = &self.text[start..];
        let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
        self.at += rest.find(|c| !part(c)).unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    fn string(&mut self) -> String {
        let start = self.at;
        let mut escaped = false;
        let rest = self.text[start + 1..].char_indices();
        let mut end = self.text.len();
        for (at, c) in rest {
            let at = start + 1 + at;
            match c {
                '\n' | '\r' => {
                    end = at;
                    break;
                }
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = at + 1;
                    break;
                }
                _ => {}
            }
        }
        self.at = end;
        unescape(&self.text[start..end])
    }

    fn container(&mut self, bracket: u8) -> Kind {
        self.at += 1;
        self.open.push(bracket);
        let (mut items, mut members) = (Vec::new(), Vec::new());
        while let Some(next) = self.peek() {
            let closes = match next {
                b'}' => Some(b'{'),
                b']' => Some(b'['),
                _ => None,
            };
            if let Some(partner) = closes {
                if partner == bracket {
                    self.at += 1;
                    break;
                }
                // It closes one further out, if one is open: this one lacks its own.
                if self.open.contains(&partner) {
                    break;
                }
            }
            let read = match bracket {
                b'[' => self.value().map(|item| items.push(item)),
                _ => self.member().map(|member| members.push(member)),
            };
            if read.is_none() && self.skip().is_none() {
                break;
            }
        }
        self.open.pop();
        match bracket {
            b'[' => Kind::Array(items),
            _ => Kind::Object(members),
        }
    }

    fn member(&mut self) -> Option<Member> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        let key = self.string();
        let key_span = self.span(start);
        let missing = Json {
            kind: Kind::Null,
            span: key_span.after(),
        };
        let value = match self.peek() {
            Some(b':') => {
                self.at += 1;
                self.value().unwrap_or(missing)
            }
            _ => missing,
        };
        Some(Member {
            key,
            key_span,
            value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn read(text: &str) -> String {
        let mut sources = SourceMap::new();
        let id = sources.add("a.json", text).expect("small");
        let source = sources.get(id).expect("it is there");
        recover(source).map_or_else(String::new, |json| json.to_string())
    }

    #[test]
    fn what_is_missing_is_closed() {
        let cases = [
            (r#"{"a": 1, "b": [2, 3]}"#, r#"{"a": 1, "b": [2, 3]}"#),
            (r#"{"a": 1 "b": [2 3}"#, r#"{"a": 1, "b": [2, 3]}"#),
            ("{\"a\": \"open\n \"b\": 2", r#"{"a": "open", "b": 2}"#),
            (
                r#"{"a": , "b" 2, "c": [}"#,
                r#"{"a": null, "b": null, "c": []}"#,
            ),
            (r#"]} 7"#, "7"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
