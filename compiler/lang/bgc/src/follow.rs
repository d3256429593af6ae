//! What follows from another mistake and is not told by itself.

use std::collections::BTreeMap;

use super::codes;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::SourceFile;

/// Places that are named at most.
const MOST_PLACES: usize = 8;

/// Tells once what one change would put right: all that asks for the extensions, and what a misspelt key leaves unsaid.
pub(super) fn fold(source: &SourceFile, out: &mut Diagnostics) {
    extensions(source, out);
    required(source, out);
    misspelt("win_conditions", &codes::NO_WIN_CONDITION, out);
}

fn is(found: &Diagnostic, code: &'static CodeInfo) -> bool {
    std::ptr::eq(found.code, code)
}

/// One error for all that only the extensions know.
fn extensions(source: &SourceFile, out: &mut Diagnostics) {
    let all = out
        .iter()
        .filter(|found| is(found, &codes::NEEDS_EXTENSIONS));
    let mut all: Vec<Diagnostic> = all.cloned().collect();
    all.sort_by_key(Diagnostic::span);
    let mut all = all.into_iter();
    let (Some(first), rest) = (all.next(), all) else {
        return;
    };
    let places = rest.map(|found| {
        let at = source.position(found.span().start);
        format!("`{}` ({}:{})", word(source, &found), at.line, at.column)
    });
    let places: Vec<String> = places.collect();
    if places.is_empty() {
        return;
    }
    out.retain(|found| !is(found, &codes::NEEDS_EXTENSIONS));
    let shown = places[..places.len().min(MOST_PLACES)].join(", ");
    let more = match places.len().saturating_sub(MOST_PLACES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    out.push(first.note(format!("so are {shown}{more}")));
}

/// The word that stands at a place.
fn word<'a>(source: &'a SourceFile, found: &Diagnostic) -> &'a str {
    source.slice(found.span()).trim_matches('"')
}

/// For each string of a JSON text, by where it begins, where the innermost bracket around it opens.
fn brackets_around(text: &str) -> BTreeMap<usize, usize> {
    let mut around = BTreeMap::new();
    let mut open = Vec::new();
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' => open.push(at),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                if let Some(bracket) = open.last() {
                    around.insert(at, *bracket);
                }
                while let Some((_, byte)) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    around
}

/// A needed key that stands there in another spelling is told once, at what is written.
fn required(source: &SourceFile, out: &mut Diagnostics) {
    let slips: Vec<Diagnostic> = out
        .iter()
        .filter(|found| is(found, &codes::UNKNOWN_KEY))
        .cloned()
        .collect();
    let around = match slips.is_empty() {
        true => BTreeMap::new(),
        false => brackets_around(source.text()),
    };
    for slip in slips {
        let help = slip
            .help
            .as_ref()
            .and_then(|help| help.replacement.as_ref());
        let Some((_, key)) = help else { continue };
        let needs = format!(" needs `{}`", key.trim_matches('"'));
        // What an object lacks is told at its bracket.
        let Some(bracket) = around.get(&(slip.span().start as usize)) else {
            continue;
        };
        let mut lacking = out
            .iter()
            .filter(|found| is(found, &codes::MISSING_KEY) && found.message.ends_with(&needs));
        let around = lacking.find(|found| found.span().start as usize == *bracket);
        let Some(around) = around.cloned() else {
            continue;
        };
        out.retain(|found| *found != around && *found != slip);
        out.push(
            Diagnostic {
                code: &codes::MISSING_KEY,
                message: around.message,
                ..slip
            }
            .label("and nothing reads this"),
        );
    }
}

/// Where a key is written otherwise, that is the error, and not what it leaves unsaid.
fn misspelt(key: &str, follows: &'static CodeInfo, out: &mut Diagnostics) {
    let meant = format!("\"{key}\"");
    let is_slip = |found: &Diagnostic| {
        let help = found.help.as_ref();
        let instead = help.and_then(|help| help.replacement.as_ref());
        is(found, &codes::UNKNOWN_KEY) && instead.is_some_and(|(_, text)| *text == meant)
    };
    let slip = out.iter().find(|found| is_slip(found)).cloned();
    let lacking = out.iter().any(|found| is(found, follows));
    let (Some(slip), true) = (slip, lacking) else {
        return;
    };
    out.retain(|found| !is(found, follows) && !is_slip(found));
    let message = format!("`{key}` is missing, and nothing reads what stands here instead");
    out.push(Diagnostic {
        code: &codes::MISSING_KEY,
        message,
        ..slip
    });
}
