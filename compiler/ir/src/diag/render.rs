//! Diagnostics for people and for tools.

use crate::sorted::SortedMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Diagnostics, Group as Told, Label, Severity};
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
    let labels: Vec<Label> = diagnostic
        .labels
        .iter()
        .map(|label| Label {
            span: whole_characters(sources, label.span),
            text: label.text.clone(),
        })
        .collect();
    let views = views(sources, &labels);
    let title = level
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.code);
    let mut group = Group::with_title(title);
    for view in &views {
        group = group.element(view.snippet(&labels, inline_help.as_deref()));
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
    for group in diagnostics.groups() {
        text.push_str(&match group.more.is_empty() {
            true => render(sources, group.first, style),
            false => render(sources, &with_places(sources, &group), style),
        });
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

/// Further places of a warning that are listed.
const PLACES_SHOWN: usize = 24;
/// Further messages that are listed, where they differ in names.
const MESSAGES_SHOWN: usize = 8;

/// The first of a group with notes that tell where the others are.
fn with_places(sources: &SourceMap, group: &Told<'_>) -> Diagnostic {
    let mut told = group.first.clone();
    let all = group.more.len();
    let what = |found: &Diagnostic| {
        let help = found.help.as_ref().map_or("", |help| help.message.as_str());
        (found.message.clone(), help.to_owned())
    };
    let (message, help) = what(&told);
    let alike = group.more.iter().all(|other| what(other) == what(&told));
    let place = |other: &Diagnostic| {
        let span = whole_characters(sources, other.span());
        let file = sources.get(span.file);
        let Position { line, column } = file.map_or(START, |file| file.position(span.start));
        match file {
            Some(file) if span.file != group.first.span().file => {
                format!("{}:{line}:{column}", file.name())
            }
            _ => format!("{line}:{column}"),
        }
    };
    let rest = |shown: usize| match all.saturating_sub(shown) {
        0 => String::new(),
        left => format!(", and {left} more"),
    };
    if alike {
        let shown = group.more.iter().take(PLACES_SHOWN);
        let shown: Vec<String> = shown.map(|other| place(other)).collect();
        let (list, rest) = (shown.join(", "), rest(PLACES_SHOWN));
        told.notes
            .push(format!("the same in {all} more places: {list}{rest}"));
        return told;
    }
    for other in group.more.iter().take(MESSAGES_SHOWN) {
        let (its_message, its_help) = what(other);
        let parts = [(&its_message, &message), (&its_help, &help)];
        let parts = parts.iter().filter(|(its, first)| its != first);
        let parts: Vec<&str> = parts
            .map(|(its, _)| its.as_str())
            .filter(|its| !its.is_empty())
            .collect();
        // It says the same as the first one, without its help.
        let parts = match parts.is_empty() {
            true => vec![its_message.as_str()],
            false => parts,
        };
        told.notes
            .push(format!("{}: {}", place(other), parts.join("; ")));
    }
    if all > MESSAGES_SHOWN {
        let others = group.more[MESSAGES_SHOWN..].iter().take(PLACES_SHOWN);
        let others: Vec<String> = others.map(|other| place(other)).collect();
        let (list, rest) = (others.join(", "), rest(MESSAGES_SHOWN + PLACES_SHOWN));
        let left = all - MESSAGES_SHOWN;
        told.notes
            .push(format!("and so in {left} more places: {list}{rest}"));
    }
    told
}

/// The place of what is in no file.
const START: Position = Position { line: 1, column: 1 };

fn whole_characters(sources: &SourceMap, span: Span) -> Span {
    sources
        .get(span.file)
        .map_or(span, |file| file.whole_characters(span))
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
    let mut ranges: SortedMap<FileId, Range<u32>> = SortedMap::new();
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
        labels: &'a [Label],
        inline_help: Option<&'a str>,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let mine = labels.iter().enumerate();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{CodeInfo, Severity, general};

    /// Numbers that look random, the same at each run.
    struct Lot(u64);

    impl Lot {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % n.max(1) as u64) as usize
        }
    }

    const LETTERS: [char; 14] = [
        'a', ' ', '\n', '\r', '\t', '\0', '\u{1b}', 'é', '€', '\u{301}', '漢', '😀', '\u{200d}',
        '\u{feff}',
    ];

    static ODD: CodeInfo = CodeInfo {
        code: "T-W0001",
        severity: Severity::Warning,
        title: "odd",
        explanation: "Odd.",
        spoils: false,
    };

    #[test]
    fn no_span_of_any_text_stops_the_renderer() {
        let mut lot = Lot(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2_000 {
            let mut sources = SourceMap::new();
            for name in ["a.txt", "b.txt"] {
                let length = lot.below(30);
                let text: String = (0..length)
                    .map(|_| LETTERS[lot.below(LETTERS.len())])
                    .collect();
                sources.add(name, text).expect("small");
            }
            let span = |lot: &mut Lot| {
                let offset = |lot: &mut Lot| match lot.below(20) {
                    0 => u32::MAX - lot.below(3) as u32,
                    _ => lot.below(90) as u32,
                };
                // One file in three is in no map.
                Span::new(FileId(lot.below(3) as u32), offset(lot), offset(lot))
            };
            let code = [&general::NOT_UTF8, &ODD][lot.below(2)];
            let mut found = Diagnostic::new(code, span(&mut lot), "message");
            if lot.below(2) == 0 {
                found = found.label("label");
            }
            for _ in 0..lot.below(3) {
                found = found.also(span(&mut lot), "also");
            }
            found = match lot.below(3) {
                0 => found.help("help"),
                1 => {
                    let at = [found.span(), span(&mut lot)][lot.below(2)];
                    found.fix("fix", at, "text")
                }
                _ => found,
            };
            let mut sink = Diagnostics::new();
            for _ in 0..=lot.below(6) {
                let mut other = found.clone();
                other.labels[0].span = span(&mut lot);
                sink.push(other);
            }
            for style in [Style::Plain, Style::Coloured] {
                assert!(!render_all(&sources, &sink, style).is_empty());
            }
            #[cfg(feature = "stored")]
            for told in super::super::json::json(&sources, &sink)
                .as_array()
                .expect("a list")
            {
                let span = &told["labels"][0]["span"];
                let place = |end: &str| span[end]["offset"].as_u64().unwrap_or(0);
                assert!(place("start") <= place("end"), "{span}");
            }
            assert!(sink.count(Severity::Error) + sink.count(Severity::Warning) > 0);
        }
    }
}
