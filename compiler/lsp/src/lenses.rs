//! What stands above rules and in the margin: how often they are used, what they admit, and what random games show of them.

use std::collections::BTreeMap;

use rulec_compiler::ir::FamilyId;
use rulec_compiler::source::Span;
use rulec_compiler::symbols::{Kind, Occurrence};
use serde_json::{Value, json};

use crate::document::Document;
use crate::features::times;
use crate::{Host, Mark, Part, Played};

/// The command of the server that says why a rule admits no move at the start: a file and a line from 0.
pub(crate) const WHY: &str = "rulec.why";

/// All lenses of a file; `board` is the command of the editor that opens the board of one.
pub(crate) fn lenses(document: &Document, board: Option<&str>) -> Value {
    let mut lenses = uses(document);
    if let (Some(board), Some((span, _))) = (board, rules(document).first()) {
        let command = json!({ "title": "play", "command": board, "arguments": [document.uri] });
        lenses.push(json!({ "range": document.range(*span), "command": command }));
    }
    for (span, families) in rules(document) {
        let mut put = |title: String, command: &str, arguments: Value| {
            let command = json!({ "title": title, "command": command, "arguments": arguments });
            lenses.push(json!({ "range": document.range(span), "command": command }));
        };
        let starts = document.known.starts.as_ref();
        let moves: Option<u64> =
            starts.map(|starts| families.iter().filter_map(|&at| starts.get(at)).sum());
        // What the language adds to every game stands at no line of its own: that it is not there yet tells nothing.
        if moves == Some(0) && is_added(document, &families) {
            continue;
        }
        if let Some(moves) = moves {
            put(at_the_start(moves), "", json!([]));
        }
        if moves == Some(0) {
            let line = document.range(span).start.line;
            put("why not".to_owned(), WHY, json!([document.uri, line]));
        }
    }
    if let Some(played) = &document.known.played {
        lenses.extend(shown(document, played).map(|(span, title)| {
            json!({ "range": document.range(span), "command": { "title": title, "command": "" } })
        }));
    }
    Value::Array(lenses)
}

/// Above each expression how often it is used.
fn uses(document: &Document) -> Vec<Value> {
    let index = document.index();
    let declared = index
        .occurrences
        .iter()
        .filter(|o| o.definition && index.symbols[o.symbol].kind == Kind::Function);
    let lens = |o: &Occurrence| {
        let uses = index.of(o.symbol).filter(|o| !o.definition).count();
        // Without the name of a command it is only shown.
        let command = json!({ "title": format!("used {}", times(uses)), "command": "" });
        json!({ "range": document.range(o.span), "command": command })
    };
    declared.map(lens).collect()
}

/// The beginning of the line of a span in this file, as a lens marks it.
fn line_of(document: &Document, span: Span) -> Option<Span> {
    let source = document.source();
    let inside = span.file == source.id() && (span.end as usize) <= source.text().len();
    inside.then(|| {
        let line = source.line_span(source.position(span.start).line);
        let text = source.slice(line);
        let blanks = (text.len() - text.trim_start().len()) as u32;
        Span::new(span.file, line.start + blanks, line.end)
    })
}

/// The lines that kinds of moves stand in, and which.
fn rules(document: &Document) -> Vec<(Span, Vec<usize>)> {
    let families = document.game.iter().flat_map(|game| &game.families);
    let mut lines: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for (at, family) in families.enumerate() {
        if let Some(line) = line_of(document, family.span) {
            lines.entry(line).or_default().push(at);
        }
    }
    lines.into_iter().collect()
}

/// Whether kinds of moves have the whole file for their place: the language adds them to every game.
fn is_added(document: &Document, families: &[usize]) -> bool {
    let all = document.game.as_ref().map(|game| &game.families);
    let mut spans = families.iter().filter_map(|&at| Some(all?.get(at)?.span));
    spans.all(|span| is_whole(document, span))
}

fn is_whole(document: &Document, span: Span) -> bool {
    span.start == 0 && span.end as usize >= document.source().text().trim_end().len()
}

fn at_the_start(moves: u64) -> String {
    match moves {
        0 => "no legal move at the start".to_owned(),
        1 => "1 legal move at the start".to_owned(),
        moves => format!("{moves} legal moves at the start"),
    }
}

/// Above each rule and end what random games show of it; of steps only parts of the file are told that have neither.
fn shown(document: &Document, played: &Played) -> impl Iterator<Item = (Span, String)> {
    let mut lines: BTreeMap<(Span, Part), u64> = BTreeMap::new();
    for mark in played.marks.iter().filter(|mark| mark.part != Part::Step) {
        if mark.count == 0 && is_whole(document, mark.span) {
            continue;
        }
        if let Some(line) = line_of(document, mark.span) {
            *lines.entry((line, mark.part)).or_default() += mark.count;
        }
    }
    let games = played.games;
    let mut told: Vec<(Span, String)> = Vec::new();
    for (&(line, part), &count) in &lines {
        told.push((line, sentence(part, count, games, played.positions)));
    }
    for part in &document.index().outline {
        let whole = part.span.to(part.name_span);
        let inside = |span: Span| whole.start <= span.start && span.end <= whole.end;
        let steps = played.marks.iter().filter(|mark| inside(mark.span));
        let most = steps.map(|mark| mark.count).max();
        let has_rule = lines.keys().any(|(line, _)| inside(*line));
        if let (Some(count), false) = (most, has_rule) {
            let title = sentence(Part::Step, count, games, played.positions);
            told.push((part.name_span, title));
        }
    }
    told.into_iter()
}

fn sentence(part: Part, count: u64, games: u64, positions: u64) -> String {
    match (part, count) {
        (Part::Rule, 0) => format!("never legal in {games} random games"),
        (Part::Rule, _) => format!(
            "legal in {} of positions of {games} random games",
            share(count, positions)
        ),
        (Part::End, 0) => format!("ends none of {games} random games"),
        (Part::End, _) => format!("ends {} of {games} random games", share(count, games)),
        (Part::Step, 0) => format!("never reached in {games} random games"),
        (Part::Step, _) => {
            let reached = times(count as usize);
            format!("reached {reached} in {games} random games")
        }
    }
}

/// A part in per cent, never rounded to nothing or everything.
fn share(count: u64, all: u64) -> String {
    match 100 * count / all.max(1) {
        0 => "less than 1 %".to_owned(),
        percent => format!("{} %", percent.min(100)),
    }
}

/// What random games reached, line by line, for margins: the lines from 0, how often, and a sentence.
pub(crate) fn coverage(document: &Document) -> Option<Value> {
    let played = document.known.played.as_ref()?;
    let mut lines: BTreeMap<u32, (u64, Vec<String>)> = BTreeMap::new();
    for mark in &played.marks {
        let Some(line) = line_of(document, mark.span) else {
            continue;
        };
        let (most, told) = lines.entry(document.range(line).start.line).or_default();
        *most = (*most).max(mark.count);
        if mark.part != Part::Step {
            told.push(named(mark, played));
        }
    }
    let step = |count| sentence(Part::Step, count, played.games, played.positions);
    let line = |(line, (count, told)): (u32, (u64, Vec<String>))| {
        let text = match told.is_empty() {
            true => step(count),
            false => told.join("\n"),
        };
        json!({ "line": line, "count": count, "text": text })
    };
    let lines: Vec<Value> = lines.into_iter().map(line).collect();
    Some(json!({
        "uri": document.uri,
        "version": document.version,
        "games": played.games,
        "lines": lines,
    }))
}

fn named(mark: &Mark, played: &Played) -> String {
    let sentence = sentence(mark.part, mark.count, played.games, played.positions);
    match mark.name.as_str() {
        "" => sentence,
        name => format!("{name}: {sentence}"),
    }
}

/// Why the rules in a line (from 0) admit no move at the start.
pub(crate) fn why(document: &Document, line: u32, host: Host) -> Option<String> {
    let game = document.game.as_ref()?;
    let here = rules(document)
        .into_iter()
        .find(|(span, _)| document.range(*span).start.line == line);
    let (_, families) = here?;
    let told = families.into_iter().filter_map(|at| {
        let name = &game.families[at].name;
        let why = (host.why)(game, FamilyId::from(at))?;
        Some(format!("{name}: {why}"))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("\n"))
}
