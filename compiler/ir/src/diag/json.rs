//! Diagnostics for tools.

use serde_json::{Value, json as object};

use super::{Diagnostic, Diagnostics, Group};
use crate::source::{Position, SourceMap, Span};

/// All diagnostics of a sink for tools: an array of objects. What is told as one lists the others under `more`.
pub fn json(sources: &SourceMap, diagnostics: &Diagnostics) -> Value {
    let object_of = |group: Group<'_>| {
        let mut told = json_of(sources, group.first);
        let more = group.more.iter().map(|other| json_of(sources, other));
        told["more"] = more.collect();
        told
    };
    diagnostics.groups().into_iter().map(object_of).collect()
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
    let span = file.whole_characters(span);
    let place = |offset: u32| {
        let Position { line, column } = file.position(offset);
        object!({ "offset": offset, "line": line, "column": column })
    };
    object!({ "file": file.name(), "start": place(span.start), "end": place(span.end) })
}
