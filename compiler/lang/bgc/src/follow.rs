//! What follows from another mistake and is not told by itself.

use rulec_ir::sorted::SortedMap;

use super::codes;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics, Severity};
use crate::source::SourceFile;

/// Places that are named at most.
const MOST_PLACES: usize = 8;

/// Tells once what one change would put right: all that asks for the extensions, and what a misspelt key leaves unsaid.
pub(super) fn fold(source: &SourceFile, out: &mut Diagnostics) {
    extensions(source, out);
    required(source, out);
    misspelt("win_conditions", &codes::NO_WIN_CONDITION, out);
    names(out);
    states(out);
}

/// A name that nothing has is told once, and not where it only keeps something else from being known.
fn names(out: &mut Diagnostics) {
    let doubled = |found: &Diagnostic| {
        is(found, &codes::REPEATED_NAME) && found.message.starts_with("there are two players")
    };
    let no_player = |found: &Diagnostic| found.message.starts_with("there is no player `");
    if out.iter().any(doubled) {
        out.retain(|found| !no_player(found));
    }
    let no_coordinate = |found: &Diagnostic| found.message.starts_with("there is no coordinate `");
    if out.iter().any(no_coordinate) {
        let follows = [
            &codes::BAD_COORDINATES,
            &codes::NO_SUCH_CELL,
            &codes::BAD_SCRIPT,
            &codes::ZERO_STEP,
            &codes::DEAD_ENTRY,
        ];
        out.retain(|found| no_coordinate(found) || !follows.iter().any(|code| is(found, code)));
    }
    let unknown = |found: &Diagnostic| found.message.starts_with("there is no ");
    let mut places: SortedMap<String, usize> = SortedMap::new();
    for found in out.iter().filter(|found| unknown(found)) {
        *places.entry(found.message.clone()).or_default() += 1;
    }
    let errors: Vec<String> = (out
        .iter()
        .filter(|found| found.severity() == Severity::Error))
    .map(|found| found.message.clone())
    .collect();
    let all = std::mem::take(out);
    let mut all: Vec<Diagnostic> = all.iter().cloned().collect();
    all.sort_by_key(Diagnostic::span);
    for found in all {
        // An error says it where the name must be known.
        let is_weaker = found.severity() == Severity::Warning && errors.contains(&found.message);
        match places.get_mut(&found.message) {
            Some(0) => {}
            Some(1) => out.push(found),
            Some(_) if is_weaker => {}
            Some(count) => {
                let more = std::mem::take(count) - 1;
                let others = if more == 1 { "place" } else { "places" };
                out.push(found.note(format!("the name stands in {more} more {others}")));
            }
            None => out.push(found),
        }
    }
}

/// A game whose end never comes goes on to places from where nothing leads on.
pub(super) fn dead_ends(out: &mut Diagnostics) {
    if out.iter().any(|found| is(found, &codes::NEVER_HOLDS)) {
        out.retain(|found| !is(found, &codes::DEAD_END));
    }
}

/// Where a state leads to none that there is, that others are not reached follows from it.
fn states(out: &mut Diagnostics) {
    let odd_type = |found: &Diagnostic| found.message.starts_with("there is no state of type ");
    if out.iter().any(odd_type) {
        let follows = [
            &codes::UNCOVERED_RESULT,
            &codes::UNUSED_STATE,
            &codes::NEVER_WINS,
        ];
        out.retain(|found| {
            let lacks = is(found, &codes::MISSING_KEY) && found.message.starts_with("a game state");
            !lacks && !follows.iter().any(|code| is(found, code))
        });
    }
    let lacks_next = |found: &Diagnostic| {
        is(found, &codes::MISSING_KEY) && found.message == "a game state needs `next`"
    };
    if out.iter().any(lacks_next) {
        out.retain(|found| {
            !is(found, &codes::UNCOVERED_RESULT) || !found.message.ends_with("it has no result")
        });
    }
    let odd = |found: &&Diagnostic| {
        is(found, &codes::NEVER_HOLDS) && found.message.starts_with("`result` is true or false")
    };
    if let Some(odd) = out.iter().find(odd).cloned()
        && out.iter().any(|found| is(found, &codes::UNCOVERED_RESULT))
    {
        let all = std::mem::take(out);
        for found in all.iter().filter(|found| **found != odd) {
            out.push(match is(found, &codes::UNCOVERED_RESULT) {
                true => Diagnostic {
                    help: odd.help.clone(),
                    ..found.clone()
                }
                .also(odd.span(), odd.message.clone()),
                false => found.clone(),
            });
        }
    }
    let breaks = [&codes::UNKNOWN_STATE, &codes::UNCOVERED_RESULT];
    let is_broken =
        |found: &Diagnostic| lacks_next(found) || breaks.iter().any(|code| is(found, code));
    if out.iter().any(is_broken) {
        out.retain(|found| !is(found, &codes::UNUSED_STATE) && !is(found, &codes::NEVER_WINS));
    }
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
fn brackets_around(text: &str) -> SortedMap<usize, usize> {
    let mut around = SortedMap::new();
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
        true => SortedMap::new(),
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
