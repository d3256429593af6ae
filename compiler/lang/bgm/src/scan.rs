//! Words of lines.

use crate::diag::Diagnostic;
use crate::diag::{Diagnostics, general};
use crate::source::{SourceFile, Span};

/// A word and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word.
    pub text: &'a str,
    /// Its place.
    pub span: Span,
}

/// A line that is not empty: its words.
pub(super) type Line<'a> = Vec<Word<'a>>;

/// The lines of a file that have words.
pub(super) fn lines<'a>(source: &'a SourceFile, diagnostics: &mut Diagnostics) -> Vec<Line<'a>> {
    for bad in source.bad_bytes() {
        let span = Span::new(source.id(), bad.offset, bad.offset + 2);
        let message = format!("the byte 0x{:02x} is not UTF-8", bad.byte);
        diagnostics.push(Diagnostic::new(&general::NOT_UTF8, span, message));
    }
    let lines = (1..=source.line_count()).map(|line| words(source, source.line_span(line)));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The words of a line: separated by blanks, `<` and `>` by themselves, nothing after `#`.
pub(super) fn words(source: &SourceFile, line: Span) -> Line<'_> {
    let text = source.slice(line);
    let text = text.split('#').next().unwrap_or_default();
    let mut words = Vec::new();
    let mut start = None;
    let mut push = |from: usize, to: usize| {
        words.push(Word {
            text: &text[from..to],
            span: Span::new(line.file, line.start + from as u32, line.start + to as u32),
        });
    };
    for (at, c) in text.char_indices() {
        let single = c == '<' || c == '>';
        if single || c.is_whitespace() || c.is_control() {
            if let Some(from) = start.take() {
                push(from, at);
            }
            if single {
                push(at, at + 1);
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    if let Some(from) = start {
        push(from, text.len());
    }
    words
}
