//! Diagnostics for people and for tools.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json as object};

use super::{Diagnostic, Diagnostics, Label, Severity};
use crate::source::{FileId, Position, SourceFile, SourceMap, Span};

/// How to render for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only, for logs and snapshots.
    Plain,
    /// With ANSI colours.
    Coloured,
}

/// A diagnostic as a terminal shows it, without a final line break.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let inline_help = inline_help(diagnostic);
    let views = views(sources, &diagnostic.labels);
    let title = level
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.code);
    let mut group = Group::with_title(title);
    for view in &views {
        group = group.element(view.snippet(diagnostic, inline_help.as_deref()));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    if let (Some(help), None) = (&diagnostic.help, &inline_help) {
        group = group.element(Level::HELP.message(&help.message));
    }
    renderer.render(&[group]).to_string()
}

/// All diagnostics of a sink, each followed by an empty line, and how many were left out.
pub fn render_all(sources: &SourceMap, diagnostics: &Diagnostics, style: Style) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render(sources, diagnostic, style));
        text.push_str("\n\n");
    }
    for (dropped, what) in diagnostics
        .dropped()
        .into_iter()
        .zip(["errors", "warnings"])
    {
        if dropped > 0 {
            text.push_str(&format!("{dropped} more {what} are not shown\n"));
        }
    }
    text
}

/// All diagnostics of a sink for tools: an array of objects.
pub fn json(sources: &SourceMap, diagnostics: &Diagnostics) -> Value {
    diagnostics
        .iter()
        .map(|diagnostic| json_of(sources, diagnostic))
        .collect()
}

fn json_of(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|label| object!({ "span": json_span(sources, label.span), "text": label.text }))
        .collect();
    let help = diagnostic.help.as_ref().map(|help| {
        let replacement = help
            .replacement
            .as_ref()
            .map(|(span, text)| object!({ "span": json_span(sources, *span), "text": text }));
        object!({ "message": help.message, "replacement": replacement })
    });
    object!({
        "code": diagnostic.code.code,
        "severity": diagnostic.severity(),
        "message": diagnostic.message,
        "labels": labels,
        "notes": diagnostic.notes,
        "help": help,
    })
}

fn json_span(sources: &SourceMap, span: Span) -> Value {
    let Some(file) = sources.get(span.file) else {
        return Value::Null;
    };
    let place = |offset: u32| {
        let Position { line, column } = file.position(offset);
        object!({ "offset": offset, "line": line, "column": column })
    };
    object!({ "file": file.name(), "start": place(span.start), "end": place(span.end) })
}

/// A help that fits on the line of the caret: it replaces what the caret points at.
fn inline_help(diagnostic: &Diagnostic) -> Option<String> {
    let help = diagnostic.help.as_ref()?;
    let (span, _) = help.replacement.as_ref()?;
    let free = diagnostic.labels[0].text.is_empty() && *span == diagnostic.span();
    free.then(|| format!("help: {}", help.message))
}

/// The lines of one file from the first labelled one to the last.
struct View<'a> {
    file: &'a SourceFile,
    first_line: u32,
    start: u32,
    text: String,
}

fn views<'a>(sources: &'a SourceMap, labels: &[Label]) -> Vec<View<'a>> {
    let mut ranges: BTreeMap<FileId, Range<u32>> = BTreeMap::new();
    for Span { file, start, end } in labels.iter().map(|label| label.span) {
        let range = ranges.entry(file).or_insert(start..end);
        *range = range.start.min(start)..range.end.max(end);
    }
    let view = |(id, range): (FileId, Range<u32>)| {
        let file = sources.get(id)?;
        let first_line = file.position(range.start).line;
        let start = file.line_span(first_line).start;
        let end = file.line_span(file.position(range.end).line).end;
        let text = text_with_newlines(file.slice(Span::new(id, start, end)));
        Some(View {
            file,
            first_line,
            start,
            text,
        })
    };
    let mut views: Vec<View<'_>> = ranges.into_iter().filter_map(view).collect();
    views.sort_by_key(|view| view.file.id() != labels[0].span.file);
    views
}

/// The same bytes with `\n` for each `\r` that ends a line alone, which the renderer would not take for an end.
fn text_with_newlines(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(char) = chars.next() {
        let lone_return = char == '\r' && chars.peek() != Some(&'\n');
        out.push(if lone_return { '\n' } else { char });
    }
    out
}

impl View<'_> {
    fn snippet<'a>(
        &'a self,
        diagnostic: &'a Diagnostic,
        inline_help: Option<&'a str>,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let mine = diagnostic.labels.iter().enumerate();
        let annotations = mine
            .filter(|(_, label)| label.span.file == self.file.id())
            .map(|(at, label)| {
                let kind = if at == 0 {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
                };
                let text = match inline_help {
                    Some(help) if at == 0 => Some(help),
                    _ => Some(label.text.as_str()).filter(|text| !text.is_empty()),
                };
                kind.span(self.range(label.span)).label(text)
            });
        Snippet::source(self.text.as_str())
            .line_start(self.first_line as usize)
            .path(self.file.name())
            .annotations(annotations)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let clamp = |offset: u32| (offset.saturating_sub(self.start) as usize).min(self.text.len());
        clamp(span.start)..clamp(span.end)
    }
}
