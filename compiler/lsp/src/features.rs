//! The answers to what editors ask about a file.

use rulec_compiler::diag::{Diagnostic, Severity};
use rulec_compiler::source::{SourceMap, Span};
use rulec_compiler::symbols::{Class, Kind, Occurrence, Outline, Symbol, Word};
use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::protocol::{Position, Range};
use crate::rename;

/// A diagnostic as editors show it.
pub(crate) fn diagnostic(document: &Document, sources: &SourceMap, found: &Diagnostic) -> Value {
    let mut message = found.message.clone();
    let own = |span: Span| {
        sources
            .files()
            .first()
            .is_some_and(|file| file.id() == span.file)
    };
    let place = found.span();
    if let (false, Some(location)) = (own(place), sources.locate(place)) {
        message = format!("{location}: {message}");
    }
    let first = found.labels.first().map(|label| label.text.as_str());
    for line in first.into_iter().filter(|text| !text.is_empty()) {
        message.push('\n');
        message.push_str(line);
    }
    for note in &found.notes {
        message.push_str(&format!("\nnote: {note}"));
    }
    if let Some(help) = &found.help {
        message.push_str(&format!("\nhelp: {}", help.message));
    }
    let range = match own(place) {
        true => document.range(place),
        false => Range::default(),
    };
    let others = found.labels.iter().skip(1).filter(|label| own(label.span));
    let related: Vec<Value> = others
        .map(|label| {
            let text = match label.text.as_str() {
                "" => "see here",
                text => text,
            };
            json!({ "location": location(document, label.span), "message": text })
        })
        .collect();
    let severity = match found.severity() {
        Severity::Error => 1,
        Severity::Warning => 2,
    };
    let mut shown = json!({
        "range": range,
        "severity": severity,
        "code": found.code.code,
        "source": "rulec",
        "message": message,
    });
    if !related.is_empty() {
        shown["relatedInformation"] = Value::Array(related);
    }
    shown
}

pub(crate) fn location(document: &Document, span: Span) -> Value {
    json!({ "uri": document.uri, "range": document.range(span) })
}

/// The number of a kind among those of symbols.
fn symbol_kind(kind: Kind) -> u32 {
    match kind {
        Kind::Section => 3,
        Kind::Type | Kind::PlaceType => 5,
        Kind::Rule => 6,
        Kind::Property | Kind::Coordinate => 7,
        Kind::Place => 8,
        Kind::Function => 12,
        Kind::Variable | Kind::PlayerVariable | Kind::Parameter => 13,
        Kind::Value | Kind::Keyword => 14,
        Kind::Order => 18,
        Kind::Piece => 19,
        Kind::Player => 22,
        Kind::State => 24,
    }
}

/// The number of a kind among those of completions.
fn item_kind(kind: Kind) -> u32 {
    match kind {
        Kind::Section => 9,
        Kind::Type | Kind::PlaceType => 7,
        Kind::Rule => 2,
        Kind::Property | Kind::Coordinate => 10,
        Kind::Place => 5,
        Kind::Function => 3,
        Kind::Variable | Kind::PlayerVariable | Kind::Parameter => 6,
        Kind::Value => 12,
        Kind::Keyword => 14,
        Kind::Order => 13,
        Kind::Piece => 21,
        Kind::Player => 20,
        Kind::State => 23,
    }
}

/// The contents of a file.
pub(crate) fn document_symbols(document: &Document, nested: bool) -> Value {
    let outline = &document.index().outline;
    if nested {
        return outline
            .iter()
            .map(|part| nested_symbol(document, part))
            .collect();
    }
    let mut flat = Vec::new();
    for part in outline {
        flat.push(flat_symbol(document, part, None));
        let parts = part.parts.iter();
        flat.extend(parts.map(|inner| flat_symbol(document, inner, Some(&part.name))));
    }
    Value::Array(flat)
}

fn nested_symbol(document: &Document, part: &Outline) -> Value {
    let parts: Vec<Value> = part
        .parts
        .iter()
        .map(|p| nested_symbol(document, p))
        .collect();
    let whole = part.span.to(part.name_span);
    json!({
        "name": part.name,
        "detail": part.detail,
        "kind": symbol_kind(part.kind),
        "range": document.range(whole),
        "selectionRange": document.range(part.name_span),
        "children": parts,
    })
}

fn flat_symbol(document: &Document, part: &Outline, container: Option<&str>) -> Value {
    let mut symbol = json!({
        "name": part.name,
        "kind": symbol_kind(part.kind),
        "location": location(document, part.span),
    });
    if let Some(container) = container {
        symbol["containerName"] = json!(container);
    }
    symbol
}

/// The names that files declare and that hold a text.
pub(crate) fn workspace_symbols<'a>(
    documents: impl Iterator<Item = &'a Document>,
    query: &str,
) -> Value {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for document in documents {
        let index = document.index();
        for occurrence in index.occurrences.iter().filter(|o| o.definition) {
            let symbol = &index.symbols[occurrence.symbol];
            let name = occurrence.member.as_ref().unwrap_or(&symbol.name);
            if symbol.scope.is_none() && name.to_lowercase().contains(&query) {
                found.push(json!({
                    "name": name,
                    "kind": symbol_kind(symbol.kind),
                    "location": location(document, occurrence.span),
                }));
            }
        }
    }
    Value::Array(found)
}

/// The parts of a file that can be folded.
pub(crate) fn folding(document: &Document) -> Value {
    let mut folds = Vec::new();
    let mut fold = |span: Span, kind: Option<&str>| {
        let (start, end) = (
            document.place(span.start).line,
            document.place(span.end).line,
        );
        if start < end {
            let mut range = json!({ "startLine": start, "endLine": end });
            if let Some(kind) = kind {
                range["kind"] = json!(kind);
            }
            folds.push(range);
        }
    };
    let index = document.index();
    for part in &index.outline {
        fold(part.span, None);
        part.parts.iter().for_each(|inner| fold(inner.span, None));
    }
    // Comments in lines that follow each other.
    let mut block: Option<Span> = None;
    for token in index
        .tokens
        .iter()
        .filter(|token| token.class == Class::Comment)
    {
        block = Some(match block {
            Some(before)
                if document.place(before.end).line + 1 == document.place(token.span.start).line =>
            {
                before.to(token.span)
            }
            _ => {
                if let Some(before) = block {
                    fold(before, Some("comment"));
                }
                token.span
            }
        });
    }
    if let Some(block) = block {
        fold(block, Some("comment"));
    }
    Value::Array(folds)
}

/// A word of the language that stands at a byte, and its letters.
fn word_at(document: &Document, at: u32) -> Option<(Word, Span)> {
    let index = document.index();
    let token = index.tokens.iter().find(|token| {
        let named = matches!(
            token.class,
            Class::Keyword | Class::Builtin | Class::Key | Class::Section
        );
        named && token.span.start <= at && at <= token.span.end
    })?;
    let text = document.source().slice(token.span);
    let name = text.trim_matches('"');
    let editing = &document.language.editing;
    // What may stand there tells which of several meanings a word has.
    let inside = token.span.start + u32::from(text.starts_with('"'));
    let here = (editing.expected)(document.source(), inside).words;
    let mut words = here.into_iter().chain((editing.words)());
    let word = words.find(|word| word.name.eq_ignore_ascii_case(name))?;
    Some((word, token.span))
}

fn markdown(document: &Document, code: &str, kind: &str, text: &str) -> String {
    let language = document.language.name;
    let mut shown = format!("```{language}\n{code}\n```\n{kind}");
    if !text.is_empty() {
        shown.push_str("\n\n");
        shown.push_str(text);
    }
    shown
}

/// What something is and means.
pub(crate) fn hover(document: &Document, place: Position) -> Value {
    let at = document.offset(place);
    let index = document.index();
    let (text, span) = match index.at(at) {
        Some(occurrence) => (of_symbol(document, occurrence), occurrence.span),
        None => match word_at(document, at) {
            Some((word, span)) => {
                let text = markdown(document, word.syntax, word.kind.noun(), word.meaning);
                (text, span)
            }
            None => return Value::Null,
        },
    };
    json!({
        "contents": { "kind": "markdown", "value": text },
        "range": document.range(span),
    })
}

fn of_symbol(document: &Document, occurrence: &Occurrence) -> String {
    let index = document.index();
    let symbol = &index.symbols[occurrence.symbol];
    let whole = definitions(document, occurrence)
        .first()
        .and_then(|o| o.whole);
    let name = occurrence.member.as_ref().unwrap_or(&symbol.name);
    let declared = whole
        .map(|span| document.source().slice(span))
        .unwrap_or_default();
    let code = match (symbol.detail.as_str(), declared.lines().count()) {
        (detail, 0 | 13..) if !detail.is_empty() => detail.to_owned(),
        (_, 1..=12) => declared.to_owned(),
        _ => format!("{}{name}", symbol.sigil),
    };
    let mut text = symbol.docs.clone();
    let uses = index
        .of(occurrence.symbol)
        .filter(|o| !o.definition)
        .count();
    if let (false, false) = (code.contains(&symbol.detail), symbol.detail.is_empty()) {
        text = format!("{}\n\n{text}", symbol.detail).trim_end().to_owned();
    }
    let kind = format!(
        "{} `{}{name}`, used {}",
        symbol.kind.noun(),
        symbol.sigil,
        times(uses)
    );
    markdown(document, &code, &kind, &text)
}

pub(crate) fn times(count: usize) -> String {
    match count {
        0 => "nowhere".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// Where a name gets its meaning: of several that share a symbol the one that is meant.
fn definitions<'a>(document: &'a Document, occurrence: &Occurrence) -> Vec<&'a Occurrence> {
    let index = document.index();
    let all: Vec<&Occurrence> = index
        .of(occurrence.symbol)
        .filter(|o| o.definition)
        .collect();
    let same = |o: &&&Occurrence| o.member.is_some() && o.member == occurrence.member;
    let exact: Vec<&Occurrence> = all.iter().filter(same).copied().collect();
    match exact.is_empty() {
        true => all,
        false => exact,
    }
}

/// Where the name at a place gets its meaning.
pub(crate) fn definition(document: &Document, place: Position) -> Value {
    let Some(occurrence) = document.index().at(document.offset(place)) else {
        return Value::Null;
    };
    let found = definitions(document, occurrence);
    found.iter().map(|o| location(document, o.span)).collect()
}

/// Where the name at a place stands.
pub(crate) fn references(document: &Document, place: Position, declarations: bool) -> Value {
    let index = document.index();
    let Some(occurrence) = index.at(document.offset(place)) else {
        return Value::Null;
    };
    let all = index.of(occurrence.symbol);
    let all = all.filter(|o| declarations || !o.definition);
    all.map(|o| location(document, o.span)).collect()
}

/// The same for the file on the screen.
pub(crate) fn highlights(document: &Document, place: Position) -> Value {
    let index = document.index();
    let Some(occurrence) = index.at(document.offset(place)) else {
        return Value::Null;
    };
    let mark = |o: &Occurrence| {
        let kind = if o.definition { 3 } else { 2 };
        json!({ "range": document.range(o.span), "kind": kind })
    };
    index.of(occurrence.symbol).map(mark).collect()
}

/// What may stand at a place.
pub(crate) fn completion(document: &Document, place: Position) -> Value {
    let at = document.offset(place);
    let editing = &document.language.editing;
    let expected = (editing.expected)(document.source(), at);
    let range = document.range(expected.replace);
    let (before, behind) = expected.around;
    let item = |label: &str, insert: &str, kind: Kind, detail: &str, text: &str| {
        let mut item = json!({
            "label": label,
            "kind": item_kind(kind),
            "filterText": format!("{before}{insert}"),
            "textEdit": { "range": range, "newText": format!("{before}{insert}{behind}") },
        });
        if !detail.is_empty() {
            item["detail"] = json!(detail);
        }
        if !text.is_empty() {
            item["documentation"] = json!({ "kind": "markdown", "value": text });
        }
        item
    };
    let mut items: Vec<Value> = Vec::new();
    // The name that is being written is none to offer.
    let here = document.index().at(at).filter(|o| o.span.start < at);
    let alone = here.filter(|o| document.index().of(o.symbol).count() == 1);
    let own = alone.map(|o| std::ptr::from_ref(&document.index().symbols[o.symbol]));
    for symbol in document.index().known_at(at) {
        let offered = expected.kinds.contains(&symbol.kind);
        if offered && own != Some(std::ptr::from_ref(symbol)) {
            let typed = document.source().text()[..expected.replace.start as usize].to_owned();
            let sigil = match typed.ends_with(symbol.sigil) {
                true => "",
                false => symbol.sigil,
            };
            for name in names(document, symbol) {
                let label = format!("{}{name}", symbol.sigil);
                let insert = format!("{sigil}{name}");
                items.push(item(
                    &label,
                    &insert,
                    symbol.kind,
                    &symbol.detail,
                    &symbol.docs,
                ));
            }
        }
    }
    for word in &expected.words {
        items.push(item(
            word.name,
            word.name,
            word.kind,
            word.syntax,
            word.meaning,
        ));
    }
    json!({ "isIncomplete": false, "items": items })
}

/// Most names that share a symbol and are all offered.
const FEW: usize = 40;

/// The names of a symbol: those that share it where these are few.
fn names(document: &Document, symbol: &Symbol) -> Vec<String> {
    let index = document.index();
    let number = index
        .symbols
        .iter()
        .position(|other| std::ptr::eq(other, symbol));
    let members = number.into_iter().flat_map(|number| index.of(number));
    let mut names: Vec<String> = members
        .filter(|o| o.definition)
        .filter_map(|o| o.member.clone())
        .collect();
    names.dedup();
    if names.is_empty() || names.len() > FEW {
        names = vec![symbol.name.clone()];
    }
    names
}

/// How what is called at a place is called.
pub(crate) fn signature(document: &Document, place: Position) -> Value {
    let index = document.index();
    let Some((call, argument)) = index.call_at(document.offset(place)) else {
        return Value::Null;
    };
    let known = index.symbols.iter();
    let symbol = known
        .clone()
        .find(|s| s.kind == Kind::Function && s.name == call.name);
    let word = (document.language.editing.words)()
        .into_iter()
        .find(|w| w.name == call.name);
    let (params, text): (Vec<String>, String) = match (symbol, word) {
        (Some(symbol), None) => (symbol.params.clone(), symbol.docs.clone()),
        (_, Some(word)) => {
            let params = word.params.iter().map(|param| (*param).to_owned());
            (params.collect(), word.meaning.to_owned())
        }
        (None, None) => return Value::Null,
    };
    let parameters: Vec<Value> = params
        .iter()
        .map(|param| json!({ "label": param }))
        .collect();
    json!({
        "signatures": [{
            "label": format!("{}({})", call.name, params.join(", ")),
            "documentation": { "kind": "markdown", "value": text },
            "parameters": parameters,
        }],
        "activeSignature": 0,
        "activeParameter": argument,
    })
}

/// The names of parameters before arguments, and what the language shows by itself.
pub(crate) fn inlay_hints(document: &Document, range: Range) -> Value {
    let within = document.span(range);
    let index = document.index();
    let shown = |at: u32| within.start <= at && at <= within.end;
    let mut hints = Vec::new();
    for call in &index.calls {
        let named = |s: &&Symbol| s.kind == Kind::Function && s.name == call.name;
        let Some(symbol) = index.symbols.iter().find(named) else {
            continue;
        };
        let starts = std::iter::once(call.span.start).chain(call.commas.iter().copied());
        for (start, param) in starts.zip(&symbol.params) {
            let rest = &document.source().text()[start as usize + 1..];
            let at = start + 1 + (rest.len() - rest.trim_start().len()) as u32;
            // A variable that is called as the parameter says it already.
            if shown(at) && !rest.trim_start().starts_with(param.as_str()) {
                hints.push(json!({
                    "position": document.place(at),
                    "label": format!("{param}:"),
                    "kind": 2,
                    "paddingRight": true,
                }));
            }
        }
    }
    for hint in index.hints.iter().filter(|hint| shown(hint.at)) {
        hints.push(json!({
            "position": document.place(hint.at),
            "label": hint.text,
            "paddingLeft": true,
        }));
    }
    Value::Array(hints)
}

/// What a machine can do about diagnostics.
pub(crate) fn code_actions(document: &Document, sources: &SourceMap, range: Range) -> Value {
    let wanted = document.span(range);
    let mut actions = Vec::new();
    for found in document.findings.iter().flatten() {
        let place = found.span();
        let touches = place.start <= wanted.end && wanted.start <= place.end;
        let Some(help) = found
            .help
            .as_ref()
            .filter(|_| touches && place.file == wanted.file)
        else {
            continue;
        };
        let Some((span, text)) = &help.replacement else {
            continue;
        };
        let mut changes = Map::new();
        let edit = json!([{ "range": document.range(*span), "newText": text }]);
        changes.insert(document.uri.clone(), edit);
        actions.push(json!({
            "title": title(&help.message, text),
            "kind": "quickfix",
            "diagnostics": [diagnostic(document, sources, found)],
            "isPreferred": true,
            "edit": { "changes": changes },
        }));
    }
    Value::Array(actions)
}

/// What an action does, from the help that goes with it.
fn title(help: &str, text: &str) -> String {
    match (help.strip_suffix('?'), text) {
        (Some(_), "") => "Remove it".to_owned(),
        (Some(_), text) => format!("Change to `{text}`"),
        (None, _) => {
            let mut letters = help.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string());
            format!("{}{}", first.unwrap_or_default(), letters.as_str())
        }
    }
}

/// The file in its usual form, as a change of the lines that differ.
pub(crate) fn formatting(document: &Document) -> Option<Value> {
    let source = document.source();
    let new = (document.language.editing.format)(source)?;
    let old = source.text();
    let same = |(a, b): (&str, &str)| (a == b).then_some(a.len());
    let lines =
        |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let (before, after) = (lines(old), lines(&new));
    let pairs = before.iter().zip(&after);
    let head: Vec<usize> = pairs.map_while(|(a, b)| same((a, b))).collect();
    let start: usize = head.iter().sum();
    let left = (before.len() - head.len()).min(after.len() - head.len());
    let ends = before.iter().rev().zip(after.iter().rev()).take(left);
    let tail: usize = ends.map_while(|(a, b)| same((a, b))).sum();
    if start == old.len() && start == new.len() {
        return Some(json!([]));
    }
    let span = Span::new(source.id(), start as u32, (old.len() - tail) as u32);
    let text = &new[start..new.len() - tail];
    Some(json!([{ "range": document.range(span), "newText": text }]))
}

/// Whether the name at a place can be renamed, and its letters.
pub(crate) fn prepare_rename(document: &Document, place: Position) -> Result<Value, String> {
    let (occurrence, symbol) = rename::subject(document, place)?;
    Ok(json!({ "range": document.range(occurrence.span), "placeholder": symbol.name }))
}

/// The changes that give the name at a place another one.
pub(crate) fn rename(
    document: &Document,
    place: Position,
    name: &str,
    versions: bool,
) -> Result<Value, String> {
    let (occurrence, _) = rename::subject(document, place)?;
    let symbol = occurrence.symbol;
    rename::renamed(document, symbol, name)?;
    let name = rename::plain(document, symbol, name);
    let edits: Vec<Value> = document
        .index()
        .of(symbol)
        .map(|o| json!({ "range": document.range(o.span), "newText": name }))
        .collect();
    Ok(match versions {
        true => json!({ "documentChanges": [{
            "textDocument": { "uri": document.uri, "version": document.version },
            "edits": edits,
        }] }),
        false => {
            let mut changes = Map::new();
            changes.insert(document.uri.clone(), Value::Array(edits));
            json!({ "changes": changes })
        }
    })
}

/// What is declared around a place, for the hierarchy of calls.
fn caller(document: &Document, at: u32) -> Option<(&Occurrence, Span)> {
    let index = document.index();
    let around = index.occurrences.iter().filter_map(|o| {
        let kind = index.symbols[o.symbol].kind;
        let called = matches!(kind, Kind::Function | Kind::Rule);
        let whole = o.whole.filter(|whole| whole.start <= at && at <= whole.end);
        whole.filter(|_| called).map(|whole| (o, whole))
    });
    around.min_by_key(|(_, whole)| whole.len())
}

fn hierarchy_item(document: &Document, occurrence: &Occurrence, whole: Span) -> Value {
    let symbol = &document.index().symbols[occurrence.symbol];
    json!({
        "name": symbol.name,
        "kind": symbol_kind(symbol.kind),
        "detail": symbol.detail,
        "uri": document.uri,
        "range": document.range(whole.to(occurrence.span)),
        "selectionRange": document.range(occurrence.span),
    })
}

/// The expression or rule at a place.
pub(crate) fn prepare_hierarchy(document: &Document, place: Position) -> Value {
    let index = document.index();
    let named = index.at(document.offset(place));
    let Some(named) = named else {
        return Value::Null;
    };
    let found = definitions(document, named);
    let found = found
        .iter()
        .filter_map(|o| o.whole.map(|whole| (*o, whole)));
    let called = found.filter(|(o, _)| {
        let kind = index.symbols[o.symbol].kind;
        matches!(kind, Kind::Function | Kind::Rule)
    });
    let items: Vec<Value> = called
        .map(|(o, whole)| hierarchy_item(document, o, whole))
        .collect();
    match items.is_empty() {
        true => Value::Null,
        false => Value::Array(items),
    }
}

/// Who calls the expression at a place, or what it calls.
pub(crate) fn calls(document: &Document, place: Position, incoming: bool) -> Value {
    let index = document.index();
    let Some(named) = index.at(document.offset(place)) else {
        return Value::Null;
    };
    // The other end of each call, all of its declaration, and where the calls stand.
    let mut found: Vec<(&Occurrence, Span, Vec<Range>)> = Vec::new();
    let mut add = |end: &'_ Occurrence, whole: Span, at: Span| {
        let range = document.range(at);
        match found.iter_mut().find(|(known, ..)| known.span == end.span) {
            Some((.., ranges)) => ranges.push(range),
            None => {
                let end = index.at(end.span.start);
                found.extend(end.map(|end| (end, whole, vec![range])));
            }
        }
    };
    if incoming {
        for call in index.of(named.symbol).filter(|o| !o.definition) {
            if let Some((end, whole)) = caller(document, call.span.start) {
                add(end, whole, call.span);
            }
        }
    } else if let Some(whole) = definitions(document, named).first().and_then(|o| o.whole) {
        let inside = |o: &&Occurrence| whole.start <= o.span.start && o.span.end <= whole.end;
        for call in index
            .occurrences
            .iter()
            .filter(inside)
            .filter(|o| !o.definition)
        {
            let called = definitions(document, call);
            let target = called
                .first()
                .and_then(|o| o.whole.map(|whole| (*o, whole)));
            let is_call = index.symbols[call.symbol].kind == Kind::Function;
            if let Some((end, whole)) = target.filter(|_| is_call) {
                add(end, whole, call.span);
            }
        }
    }
    let end = if incoming { "from" } else { "to" };
    let item = |(other, whole, ranges): &(&Occurrence, Span, Vec<Range>)| json!({ end: hierarchy_item(document, other, *whole), "fromRanges": ranges });
    found.iter().map(item).collect()
}
