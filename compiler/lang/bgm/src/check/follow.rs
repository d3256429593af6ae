//! What follows from another mistake and is not told by itself.

use indexmap::IndexMap;

use crate::codes;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};

/// Tells of what is wrong once, where the same name is used again and again.
pub(super) fn fold(out: &mut Diagnostics) {
    // Who plays is not known then.
    let is_about_players = |found: &Diagnostic| {
        std::ptr::eq(found.code, &codes::DECLARED_TWICE) && found.message.contains("two players")
    };
    if out.iter().any(is_about_players) {
        out.retain(|found| !std::ptr::eq(found.code, &codes::UNKNOWN_PLAYER));
    }
    // A name that is no type where one must stand is not told again where it may be something else.
    let types = out
        .iter()
        .filter(|found| std::ptr::eq(found.code, &codes::UNKNOWN_TYPE));
    let types: Vec<String> = types.filter_map(name).collect();
    out.retain(|found| {
        !std::ptr::eq(found.code, &codes::UNKNOWN_NAME)
            || name(found).is_none_or(|name| !types.contains(&name))
    });
    once(out, &codes::UNKNOWN_PLAYER);
    once(out, &codes::UNKNOWN_TYPE);
    once(out, &codes::UNKNOWN_NAME);
}

/// The name that a message speaks of.
fn name(found: &Diagnostic) -> Option<String> {
    found.message.split('`').nth(1).map(str::to_owned)
}

/// Tells of an unknown name once, and asks whether it is what an object with a refused name was meant to be called.
fn once(out: &mut Diagnostics, code: &CodeInfo) {
    let is = |found: &Diagnostic, code| std::ptr::eq(found.code, code);
    let refused = out.iter().find(|found| is(found, &codes::BAD_NAME));
    let refused = refused.map(Diagnostic::span);
    let mut all: IndexMap<String, Vec<Diagnostic>> = IndexMap::new();
    for found in out.iter().filter(|found| is(found, code)) {
        all.entry(found.message.clone())
            .or_default()
            .push(found.clone());
    }
    out.retain(|found| !is(found, code));
    for mut list in all.into_values() {
        list.sort_by_key(Diagnostic::span);
        let more = list.len() - 1;
        let Some(found) = list.into_iter().next() else {
            continue;
        };
        // Another near name is no likelier than the one that could not be read, where the name is used again and again.
        let found = match refused.filter(|_| more > 0) {
            Some(at) => Diagnostic {
                help: None,
                ..found
            }
            .also(at, "was this meant to be the name?"),
            None => found,
        };
        out.push(match more {
            0 => found,
            1 => found.note("the name stands in one more place"),
            _ => found.note(format!("the name stands in {more} more places")),
        });
    }
}
