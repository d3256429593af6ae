//! Reading a text from left to right.

use std::fmt;

use super::names::Names;

/// A place in a text that is being read.
///
/// Every method either reads what it promises and moves on, or leaves the place where it was and
/// says what was expected where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

/// Where a text is not that of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The place in the text, in characters from 1 on.
    pub position: usize,
    /// What was expected there, for people.
    pub expected: String,
    /// The beginning of what is there instead; empty where the text ends.
    pub found: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, position) = (&self.expected, self.position);
        write!(f, "expected {what} at position {position}, ")?;
        match self.found.as_str() {
            "" => f.write_str("but the text ends there"),
            found => write!(f, "found `{found}`"),
        }
    }
}

impl std::error::Error for TextError {}

/// Number of characters of the text, and of names, that a message shows.
const SHOWN_CHARS: usize = 20;
const SHOWN_NAMES: usize = 8;

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Scan<'t> {
        Scan { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Reads a literal if it comes next.
    pub(super) fn take(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    pub(super) fn lit(&mut self, literal: &str) -> Result<(), TextError> {
        match self.take(literal) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{literal}`"))),
        }
    }

    /// Reads an integer of a closed range.
    pub(super) fn int_in(&mut self, lo: i64, hi: i64) -> Result<i64, TextError> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let len = sign + digits;
        match rest[..len].parse() {
            Ok(value) if (lo..=hi).contains(&value) => {
                self.at += len;
                Ok(value)
            }
            _ => Err(self.expected(&format!("an integer from {lo} to {hi}"))),
        }
    }

    /// Reads the longest of the names that come next and gives its index.
    pub(super) fn name(&mut self, names: &[String]) -> Result<u32, TextError> {
        let rest = self.rest();
        let longest = (0..names.len())
            .filter(|&i| rest.starts_with(names[i].as_str()))
            .max_by_key(|&i| names[i].len());
        match longest {
            Some(index) => {
                self.at += names[index].len();
                Ok(index as u32)
            }
            None => Err(self.expected(&one_of(names))),
        }
    }

    /// Reads the name of a member, the longest that comes next.
    pub(super) fn member(&mut self, names: &Names) -> Result<u32, TextError> {
        match names.at_start_of(self.rest()) {
            Some(member) => {
                self.at += names.text(member).len();
                Ok(member)
            }
            None => Err(self.expected(&one_of(names.list()))),
        }
    }

    /// Reads pairs of hexadecimal digits, as many as there are.
    pub(super) fn hex(&mut self) -> Vec<u8> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count() & !1;
        let bytes = (0..digits)
            .step_by(2)
            .filter_map(|i| u8::from_str_radix(&rest[i..i + 2], 16).ok())
            .collect();
        self.at += digits;
        bytes
    }

    pub(super) fn end(&self) -> Result<(), TextError> {
        match self.rest().is_empty() {
            true => Ok(()),
            false => Err(self.expected("the end")),
        }
    }

    /// Checks that the whole text is the same as another.
    pub(super) fn same(text: &'t str, wanted: &str) -> Result<(), TextError> {
        if text == wanted {
            return Ok(());
        }
        let same = text.chars().zip(wanted.chars());
        let same = same.take_while(|(found, wanted)| found == wanted);
        let at = same.map(|(found, _)| found.len_utf8()).sum();
        let rest: String = wanted[at..].chars().take(SHOWN_CHARS).collect();
        let scan = Scan { text, at };
        Err(match rest.is_empty() {
            true => scan.expected("the end"),
            false => scan.expected(&format!("`{rest}`")),
        })
    }

    /// The error that something was expected here.
    pub(super) fn expected(&self, what: &str) -> TextError {
        TextError {
            position: self.text[..self.at].chars().count() + 1,
            expected: what.to_owned(),
            found: self.rest().chars().take(SHOWN_CHARS).collect(),
        }
    }
}

fn one_of(names: &[String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN_NAMES)
        .map(|n| format!("`{n}`"))
        .collect();
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => format!("one of {}", shown.join(", ")),
        more => format!("one of {} or {more} more", shown.join(", ")),
    }
}
