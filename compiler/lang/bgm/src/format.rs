//! The usual form of a file: a blank between words, what belongs to something further in.

use super::parse;
use super::scan::words;
use crate::diag::Diagnostics;
use crate::source::SourceFile;
use crate::symbols::lines::Lines;

/// Words that begin a line which goes on with what stands above it.
const INNER: &[&str] = &["active", "require", "effect", "contains", "in", "owner"];

/// The file in its usual form, if it can be read.
pub(super) fn format(source: &SourceFile) -> Option<String> {
    let mut findings = Diagnostics::new();
    parse::parse(source, &mut findings);
    if findings.has_errors() {
        return None;
    }
    let mut lines = Lines::like(source);
    // Comments and empty lines wait for the line below them.
    let mut waiting: Vec<&str> = Vec::new();
    for line in 1..=source.line_count() {
        let span = source.line_span(line);
        let text = source.slice(span);
        let words = words(source, span);
        let comment = text.find('#').map(|at| text[at..].trim());
        let Some(first) = words.first() else {
            waiting.push(comment.unwrap_or_default());
            continue;
        };
        let depth = usize::from(INNER.contains(&first.text));
        waiting.drain(..).for_each(|line| lines.put(depth, line));
        let mut line: Vec<&str> = words.iter().map(|word| word.text).collect();
        line.extend(comment);
        lines.put(depth, &line.join(" "));
    }
    waiting.drain(..).for_each(|line| lines.put(0, line));
    Some(lines.finish())
}
