//! Words of lines.

use super::codes;
use crate::diag::{Diagnostic, Diagnostics, general};
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
    let spans = (1..=source.line_count()).map(|line| source.line_span(line));
    for line in spans.clone() {
        let text = rules(source.slice(line));
        if let Some((at, c)) = text.char_indices().find(|(_, c)| is_strange(*c)) {
            let start = line.start + at as u32;
            let span = Span::new(line.file, start, start + c.len_utf8() as u32);
            let message = format!("the character `{}` cannot stand here", c.escape_unicode());
            let found = Diagnostic::new(&codes::STRANGE_CHARACTER, span, message);
            diagnostics.push(found.help("words are separated by blanks; remove it"));
        }
    }
    let lines = spans.map(|line| words(source, line));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The part of a line that is no comment.
fn rules(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// Whether a character neither separates words nor can be part of one.
fn is_strange(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
}

/// The words of a line: separated by blanks, `<` and `>` by themselves, nothing after `#`.
pub(super) fn words(source: &SourceFile, line: Span) -> Line<'_> {
    let text = rules(source.slice(line));
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
        if single || c.is_whitespace() || is_strange(c) {
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
