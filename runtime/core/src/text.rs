//! Reading and writing the texts of states and moves.

use std::fmt::Write;

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
    pub fn lit(&mut self, literal: &str) -> Result<(), String> {
        match self.take(literal) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{literal}`"))),
        }
    }

    /// Reads a whole number with an optional minus sign.
    ///
    /// # Errors
    /// When no number comes next, or one of more than 64 bits.
    pub fn int(&mut self) -> Result<i64, String> {
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
    pub fn int_in(&mut self, min: i64, max: i64) -> Result<i64, String> {
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
    pub fn name(&mut self, names: &[&str]) -> Result<usize, String> {
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
    pub fn optional(&mut self, names: &[&str]) -> Result<Option<usize>, String> {
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
    pub fn end(&self) -> Result<(), String> {
        match self.is_end() {
            true => Ok(()),
            false => Err(self.expected("the end")),
        }
    }

    /// The message that `what` was expected at this place.
    pub fn expected(&self, what: &str) -> String {
        let column = self.text[..self.at].chars().count() + 1;
        match clip(self.rest()) {
            "" => format!("expected {what} at position {column}, but the text ends there"),
            found => format!("expected {what} at position {column}, found `{found}`"),
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
                .is_err_and(|e| e.contains("one of `a`, `-b`"))
        );
        assert_eq!(Scan::new("-").optional(&["a"]), Ok(None));
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
        let message = |result: Result<i64, String>| result.unwrap_err();
        assert_eq!(
            message(scan.int()),
            "expected a number at position 3, found `x`"
        );
        assert_eq!(
            scan.name(&["a", "b"]).unwrap_err(),
            "expected one of `a`, `b` at position 3, found `x`"
        );
        assert_eq!(
            scan.end().unwrap_err(),
            "expected the end at position 3, found `x`"
        );
        assert_eq!(scan.until(";"), "x");
        assert_eq!(
            scan.lit(";").unwrap_err(),
            "expected `;` at position 4, but the text ends there"
        );
        assert_eq!(
            scan.name(&[]).unwrap_err(),
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
            scan.int_in(0, 9).unwrap_err(),
            "expected a number from 0 to 9 at position 22, found `12,-`"
        );
        assert_eq!(scan.int_in(0, 12), Ok(12));
        assert!(scan.take(",") && scan.int().is_err() && scan.rest() == "-");
    }
}
