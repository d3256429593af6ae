//! A piece of a file that remembers where it stands.

use pest::iterators::Pair;

use super::grammar::Rule;
use crate::source::{FileId, Span};

/// A slice of the text of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    /// The slice.
    pub(super) text: &'a str,
    file: FileId,
    start: u32,
}

impl<'a> Text<'a> {
    /// The slice that starts at an offset of a file.
    pub(super) const fn new(text: &'a str, file: FileId, start: u32) -> Self {
        Self { text, file, start }
    }

    /// The span of all of it.
    pub(super) fn span(self) -> Span {
        self.part(0, self.text.len())
    }

    /// The span of a part, by offsets within it.
    pub(super) fn part(self, start: usize, end: usize) -> Span {
        Span::new(
            self.file,
            self.start + start as u32,
            self.start + end as u32,
        )
    }

    /// The part between two of its offsets.
    pub(super) fn sub(self, start: usize, end: usize) -> Self {
        Self::new(&self.text[start..end], self.file, self.start + start as u32)
    }

    /// It without the characters up to U+0020 at both ends.
    pub(super) fn trim(self) -> Self {
        let blank = |c: char| c <= ' ';
        let trimmed = self.text.trim_start_matches(blank);
        let start = self.text.len() - trimmed.len();
        self.sub(start, start + trimmed.trim_end_matches(blank).len())
    }

    /// The text of a span that lies within.
    pub(super) fn slice(self, span: Span) -> &'a str {
        &self.text[(span.start - self.start) as usize..(span.end - self.start) as usize]
    }

    /// The span of what pest matched in it, without blanks at its end.
    pub(super) fn span_of(self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let length = span.as_str().trim_end_matches([' ', '\t']).len();
        self.part(span.start(), span.start() + length)
    }
}
