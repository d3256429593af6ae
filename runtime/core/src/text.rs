//! Reading and writing the texts of states and moves.

use std::fmt::{self, Write};

/// Where a text is not what it should be: what was expected there, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The place in the text, in characters from 1 on.
    pub position: usize,
    /// What was expected there, for people.
    pub expected: String,
    /// The beginning of what is there instead; empty where the text ends.
    pub found: String,
}

impl TextError {
    /// Compares a text with the one that it should be.
    ///
    /// # Errors
    /// The first place where they differ.
    pub fn unless_same(text: &str, wanted: &str) -> Result<(), TextError> {
        let mut pairs = text.char_indices().zip(wanted.chars());
        let differs = pairs.find(|((_, found), wanted)| found != wanted);
        let shorter = text.len().min(wanted.len());
        let at = differs.map_or(shorter, |((at, _), _)| at);
        if at == text.len() && at == wanted.len() {
            return Ok(());
        }
        let scan = Scan { text, at };
        Err(match clip(&wanted[at..]) {
            "" => scan.expected("the end"),
            wanted => scan.expected(&format!("`{wanted}`")),
        })
    }
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

/// A place in a text that is being read.
///
/// Every method either reads what it promises and moves on, or leaves the place where it was and
/// says what was expected where. Nothing is skipped silently: blanks are text.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// The beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What is left to read.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether everything is read.
    pub fn is_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Reads `literal` if it comes next.
    pub fn take(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Reads `literal`.
    ///
    /// # Errors
    /// When something else comes next.
    pub fn lit(&mut self, literal: &str) -> Result<(), TextError> {
        match self.take(literal) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{literal}`"))),
        }
    }

    /// Reads a whole number with an optional minus sign.
    ///
    /// # Errors
    /// When no number comes next, or one of more than 64 bits.
    pub fn int(&mut self) -> Result<i64, TextError> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.expected("a number"));
        }
        let value = rest[..sign + digits]
            .parse()
            .map_err(|_| self.expected("a number of 64 bits"))?;
        self.at += sign + digits;
        Ok(value)
    }

    /// Reads a whole number in `min..=max`.
    ///
    /// # Errors
    /// When no such number comes next.
    pub fn int_in(&mut self, min: i64, max: i64) -> Result<i64, TextError> {
        let start = *self;
        match self.int() {
            Ok(value) if (min..=max).contains(&value) => Ok(value),
            _ => {
                *self = start;
                Err(self.expected(&format!("a number from {min} to {max}")))
            }
        }
    }

    /// Reads the longest name of `names` that comes next and returns its index.
    ///
    /// # Errors
    /// When none of them comes next.
    pub fn name(&mut self, names: &[&str]) -> Result<usize, TextError> {
        let longest = (0..names.len())
            .filter(|&i| self.rest().starts_with(names[i]))
            .max_by_key(|&i| (names[i].len(), std::cmp::Reverse(i)));
        match longest {
            Some(index) => {
                self.at += names[index].len();
                Ok(index)
            }
            None => Err(self.expected(&one_of(names))),
        }
    }

    /// Reads the longest name of `names` that comes next and returns its index, or `-`, which is none.
    ///
    /// # Errors
    /// When neither comes next.
    pub fn optional(&mut self, names: &[&str]) -> Result<Option<usize>, TextError> {
        // Most places of a board are empty: a message is made only where it is told.
        let none = self.rest().starts_with('-') && !names.iter().any(|n| n.starts_with('-'));
        if none && self.take("-") {
            return Ok(None);
        }
        match self.name(names) {
            Ok(index) => Ok(Some(index)),
            Err(_) if self.take("-") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads up to the next `stop`, which stays unread, or to the end.
    pub fn until(&mut self, stop: &str) -> &'a str {
        let rest = self.rest();
        let len = rest.find(stop).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Checks that everything is read.
    ///
    /// # Errors
    /// When something is left.
    pub fn end(&self) -> Result<(), TextError> {
        match self.is_end() {
            true => Ok(()),
            false => Err(self.expected("the end")),
        }
    }

    /// The error that `what` was expected at this place.
    pub fn expected(&self, what: &str) -> TextError {
        TextError {
            position: self.text[..self.at].chars().count() + 1,
            expected: what.to_owned(),
            found: clip(self.rest()).to_owned(),
        }
    }
}

/// Appends a whole number.
pub fn int(out: &mut String, value: i64) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// Appends a name of a table; `?` where the index is out of range.
pub fn name(out: &mut String, names: &[&str], index: usize) {
    out.push_str(names.get(index).copied().unwrap_or("?"));
}

const SHOWN_CHARS: usize = 20;
const SHOWN_NAMES: usize = 8;

/// The beginning of a text, short enough for a message.
fn clip(text: &str) -> &str {
    let end = text
        .char_indices()
        .nth(SHOWN_CHARS)
        .map_or(text.len(), |(i, _)| i);
    &text[..end]
}

fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(SHOWN_NAMES)
        .map(|n| format!("`{n}`"))
        .collect();
    match (quoted.len(), names.len() - quoted.len()) {
        (0, _) => "nothing".to_owned(),
        (1, 0) => quoted.concat(),
        (_, 0) => format!("one of {}", quoted.join(", ")),
        (_, more) => format!("one of {} or {more} more", quoted.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_none() {
        let mut scan = Scan::new("-a-b?");
        let names = ["a", "-b"];
        assert_eq!(scan.optional(&names), Ok(None));
        assert_eq!(scan.optional(&names), Ok(Some(0)));
        assert_eq!(scan.optional(&names), Ok(Some(1)));
        assert!(
            scan.optional(&names)
                .is_err_and(|e| e.expected == "one of `a`, `-b`")
        );
        assert_eq!(Scan::new("-").optional(&["a"]), Ok(None));
    }

    #[test]
    fn the_first_difference_is_told() {
        assert_eq!(TextError::unless_same("äb", "äb"), Ok(()));
        let told = |text: &str| {
            TextError::unless_same(text, "äb;1")
                .unwrap_err()
                .to_string()
        };
        assert_eq!(told("äc"), "expected `b;1` at position 2, found `c`");
        assert_eq!(
            told("äb"),
            "expected `;1` at position 3, but the text ends there"
        );
        assert_eq!(told("äb;11"), "expected the end at position 5, found `1`");
        assert_eq!(told("ö"), "expected `äb;1` at position 1, found `ö`");
    }

    #[test]
    fn reads_what_was_written() {
        let names = ["s", "s(1)", "s(10)"];
        let mut text = String::new();
        name(&mut text, &names, 2);
        int(&mut text, -7);
        let mut scan = Scan::new(&text);
        assert_eq!(scan.name(&names), Ok(2));
        assert_eq!(scan.int(), Ok(-7));
        assert_eq!(scan.end(), Ok(()));
    }

    #[test]
    fn errors_say_where_and_what() {
        let mut scan = Scan::new("ä=x");
        assert_eq!(scan.lit("ä="), Ok(()));
        let message = |result: Result<i64, TextError>| result.unwrap_err().to_string();
        assert_eq!(
            message(scan.int()),
            "expected a number at position 3, found `x`"
        );
        assert_eq!(
            scan.name(&["a", "b"]).unwrap_err().to_string(),
            "expected one of `a`, `b` at position 3, found `x`"
        );
        assert_eq!(
            scan.end().unwrap_err().to_string(),
            "expected the end at position 3, found `x`"
        );
        assert_eq!(scan.until(";"), "x");
        assert_eq!(
            scan.lit(";").unwrap_err().to_string(),
            "expected `;` at position 4, but the text ends there"
        );
        assert_eq!(
            scan.name(&[]).unwrap_err().to_string(),
            "expected nothing at position 4, but the text ends there"
        );
    }

    #[test]
    fn failures_leave_the_place() {
        let mut scan = Scan::new("99999999999999999999,12,-");
        assert!(scan.int().is_err());
        assert_eq!(scan.until(","), "99999999999999999999");
        assert!(scan.take(","));
        assert_eq!(
            scan.int_in(0, 9).unwrap_err().to_string(),
            "expected a number from 0 to 9 at position 22, found `12,-`"
        );
        assert_eq!(scan.int_in(0, 12), Ok(12));
        assert!(scan.take(",") && scan.int().is_err() && scan.rest() == "-");
    }
}
