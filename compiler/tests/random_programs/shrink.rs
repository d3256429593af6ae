//! Leaving out of rules what a difference does not need.

use std::fmt::Write;

use rulec_random_rules::Rules;

use crate::compared::{Extents, Verdict, judge};

/// Comparisons that shrinking may cost.
const TRIES: usize = 400;

/// Takes lines out of the first file as long as the same goes wrong.
pub(crate) fn shrink(mut rules: Rules, mut what: String, extents: &Extents) -> (Rules, String) {
    let mut tries = 0;
    let mut length = rules.files[0].1.lines().count() / 2;
    while length > 0 {
        let mut at = 0;
        let mut found = false;
        while tries < TRIES {
            let Some(shorter) = without(&rules, at, length) else {
                break;
            };
            tries += 1;
            match judge(&shorter, extents) {
                Verdict::Wrong(other) if kind(&other) == kind(&what) => {
                    (rules, what, found) = (shorter, other, true);
                }
                _ => at += length,
            }
        }
        if !found {
            length /= 2;
        }
    }
    (rules, what)
}

/// Rules without some lines of the first file.
fn without(rules: &Rules, at: usize, length: usize) -> Option<Rules> {
    let lines: Vec<&str> = rules.files[0].1.lines().collect();
    if at >= lines.len() {
        return None;
    }
    let rest = lines[at..].iter().skip(length);
    let text: String = lines[..at]
        .iter()
        .chain(rest)
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut rules = rules.clone();
    rules.files[0].1 = text;
    Some(rules)
}

/// What went wrong, without the values in it.
fn kind(what: &str) -> &str {
    what.split([':', '\n', '`']).next().unwrap_or_default()
}

/// Rules for people.
pub(crate) fn show(rules: &Rules) -> String {
    let mut out = String::new();
    for (name, text) in &rules.files {
        let _ = writeln!(out, "--- {name}\n{text}");
    }
    for (name, value) in &rules.settings {
        let _ = writeln!(out, "--- setting {name}={value}");
    }
    out
}
