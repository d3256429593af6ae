//! Where a text stops being JSON, and what could stand there instead: what people are told.

use pest::Parser;

use super::grammar::{Grammar, Rule};

/// The first place that is wrong.
pub(super) struct Fault {
    /// Its first byte and the one behind it.
    pub(super) span: (usize, usize),
    /// What is wrong.
    pub(super) message: String,
    /// What to do.
    pub(super) help: String,
    /// The bracket that is open there.
    pub(super) open: Option<usize>,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Value,
    FirstValue,
    Key,
    FirstKey,
    Colon,
    /// A comma or the closing bracket.
    Comma,
    End,
}

/// The first fault of a text.
pub(super) fn first(text: &str) -> Option<Fault> {
    let mut scan = Scan {
        text,
        at: 0,
        open: Vec::new(),
        next: Next::Value,
    };
    loop {
        match scan.step() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(fault) => return Some(fault),
        }
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<usize>,
    next: Next,
}

impl Scan<'_> {
    /// Reads one thing; false at the end.
    fn step(&mut self) -> Result<bool, Fault> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let Some(found) = self.text[self.at..].chars().next() else {
            return match self.next {
                Next::End => Ok(false),
                _ => Err(self.fault(self.at, "the file ends too early".to_owned())),
            };
        };
        match (self.next, found) {
            (Next::Value | Next::FirstValue, '{' | '[') => {
                self.open.push(self.at);
                self.at += 1;
                self.next = match found {
                    '{' => Next::FirstKey,
                    _ => Next::FirstValue,
                };
            }
            (Next::FirstValue, ']') | (Next::FirstKey, '}') => self.close(),
            (Next::Comma, ']' | '}') if self.partner() == Some(found) => self.close(),
            (Next::Comma, ',') => {
                self.at += 1;
                self.next = match self.partner() {
                    Some('}') => Next::Key,
                    _ => Next::Value,
                };
            }
            (Next::Colon, ':') => {
                self.at += 1;
                self.next = Next::Value;
            }
            (Next::Key | Next::FirstKey, '"') => {
                self.string()?;
                self.next = Next::Colon;
            }
            (Next::Value | Next::FirstValue, '"') => {
                self.string()?;
                self.closed();
            }
            (Next::Value | Next::FirstValue, '-' | '0'..='9' | 'a'..='z' | 'A'..='Z') => {
                self.word()?;
                self.closed();
            }
            _ => return Err(self.unexpected(found)),
        }
        Ok(true)
    }

    /// What closes the innermost bracket.
    fn partner(&self) -> Option<char> {
        let open = self.open.last()?;
        Some(match self.text.as_bytes()[*open] {
            b'{' => '}',
            _ => ']',
        })
    }

    fn close(&mut self) {
        self.at += 1;
        self.open.pop();
        self.closed();
    }

    /// A value is over.
    fn closed(&mut self) {
        self.next = match self.open.is_empty() {
            true => Next::End,
            false => Next::Comma,
        };
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut escaped = false;
        for (at, c) in self.text[start + 1..].char_indices() {
            let at = start + 1 + at;
            match c {
                _ if c < ' ' && c != '\t' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    let whole = &self.text[start..=at];
                    self.at = at + 1;
                    return match Grammar::parse(Rule::string, whole) {
                        Ok(_) => Ok(()),
                        Err(_) => Err(Fault {
                            span: (start, self.at),
                            message: "an escape in this string is not known".to_owned(),
                            help: "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits".to_owned(),
                            open: None,
                        }),
                    };
                }
                _ => {}
            }
        }
        let line = self.text[start..].lines().next().unwrap_or_default();
        Err(Fault {
            span: (start, start + line.trim_end().len()),
            message: "this string is not closed".to_owned(),
            help: "close it with `\"` in its line".to_owned(),
            open: None,
        })
    }

    fn word(&mut self) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
        let word = &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())];
        let whole = |rule| {
            let read = Grammar::parse(rule, word);
            read.is_ok_and(|mut pairs| pairs.next().is_some_and(|pair| pair.as_str() == word))
        };
        if whole(Rule::number) || whole(Rule::word) {
            self.at += word.len();
            return Ok(());
        }
        Err(Fault {
            span: (self.at, self.at + word.len()),
            message: format!("`{word}` is no value"),
            help: match word.as_bytes()[0].is_ascii_alphabetic() {
                true => "texts stand between double quotes",
                false => "numbers are written as 7, -7, 0.7 or 7e3",
            }
            .to_owned(),
            open: None,
        })
    }

    fn unexpected(&self, found: char) -> Fault {
        let shown = match found.is_control() {
            true => found.escape_debug().to_string(),
            false => found.to_string(),
        };
        let mut fault = self.fault(
            self.at + found.len_utf8(),
            format!("`{shown}` cannot stand here"),
        );
        let help = match (self.next, found) {
            (_, '/') => "JSON has no comments",
            (_, '\'') => "strings have double quotes",
            (Next::Value | Next::Key, ']' | '}') if !self.open.is_empty() => {
                "JSON has no comma after the last item"
            }
            (Next::Comma, '"' | '{' | '[' | '-' | '0'..='9' | 'a'..='z') => {
                "is a comma missing before it?"
            }
            _ => return fault,
        };
        fault.help = help.to_owned();
        if !matches!(found, ']' | '}') || self.next != Next::Comma {
            fault.open = None;
        }
        fault
    }

    /// A fault from here on.
    fn fault(&self, end: usize, message: String) -> Fault {
        let help = match (self.next, self.partner()) {
            (Next::Value, _) => "expected a value".to_owned(),
            (Next::FirstValue, _) => "expected a value or `]`".to_owned(),
            (Next::Key, _) => "expected a key between double quotes".to_owned(),
            (Next::FirstKey, _) => "expected a key between double quotes, or `}`".to_owned(),
            (Next::Colon, _) => "expected `:` and the value of the key".to_owned(),
            (Next::Comma, Some(partner)) => format!("expected `,` or `{partner}`"),
            (Next::Comma | Next::End, _) => "nothing can follow the last bracket".to_owned(),
        };
        Fault {
            span: (self.at, end),
            message,
            help,
            open: self.open.last().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let fault = first(text).expect("it is wrong");
        let open = fault.open.map_or("-".to_owned(), |at| at.to_string());
        format!("{} {} {open}: {}", fault.span.0, fault.message, fault.help)
    }

    #[test]
    fn the_first_fault_is_told_with_the_bracket_that_is_open() {
        let cases = [
            (
                r#"{"a": [1, 2}"#,
                "11 `}` cannot stand here 6: expected `,` or `]`",
            ),
            (
                r#"{"a": {"#,
                "7 the file ends too early 6: expected a key between double quotes, or `}`",
            ),
            (
                r#"{"a": 1,}"#,
                "8 `}` cannot stand here -: JSON has no comma after the last item",
            ),
            (
                r#"{"a": 1 "b": 2}"#,
                "8 `\"` cannot stand here -: is a comma missing before it?",
            ),
            (
                r#"{"a" 1}"#,
                "5 `1` cannot stand here 0: expected `:` and the value of the key",
            ),
            (
                r#"[yes]"#,
                "1 `yes` is no value -: texts stand between double quotes",
            ),
            (
                r#"[01]"#,
                "1 `01` is no value -: numbers are written as 7, -7, 0.7 or 7e3",
            ),
            (
                "[\"a\n]",
                "1 this string is not closed -: close it with `\"` in its line",
            ),
            (
                "[1] 2",
                "4 `2` cannot stand here -: nothing can follow the last bracket",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn json_has_no_fault() {
        for text in [
            "{}",
            "[]",
            "[1, -2.5e3, true, null]",
            r#"{"a": {"b": ["\n"]}}"#,
            " 7 ",
        ] {
            assert!(first(text).is_none(), "{text}");
        }
    }
}
