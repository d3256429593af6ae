//! Checks of a parsed rule set: names that mean nothing, and rules that hardly mean what they say.

mod exprs;

use self::exprs::Checker;
use super::ast::{Atom, Condition, Literal, RuleSet, Value};
use super::codes;
use super::lower::{BUILT_IN, known_order};
use super::pieces::Pieces;
use super::settings::Settings;
use crate::diag::{Diagnostic, Diagnostics};

/// Keys that are no properties.
const KEYS: &[&str] = &[
    "count", "pos", "postpos", "bucket", "code", "shape", "color",
];
/// Words that are variables in expressions.
const VARIABLES: &[&str] = &["p", "pc", "ps", "q", "this", "last", "Nearby", "Remotest"];

/// Finds what is wrong with a rule set, or may be. Without pieces only what does not depend on them.
pub(super) fn check(
    set: &RuleSet,
    pieces: Option<&Pieces>,
    settings: &Settings,
    out: &mut Diagnostics,
) {
    orders(set, out);
    for atom in set.rows.iter().flat_map(|row| &row.atoms) {
        positions(set, atom, out);
        for condition in &atom.conditions {
            key(condition, pieces, out);
            literals(condition, out);
        }
        Checker::new(set, pieces, settings, out).atom(atom);
    }
    courses(set, out);
}

fn orders(set: &RuleSet, out: &mut Diagnostics) {
    for (index, order) in set.orders.iter().enumerate() {
        let name = &order.name;
        if BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("`{}` is a built-in order", name.text);
            let found = Diagnostic::new(&codes::REDEFINED_ORDER, name.span, message);
            out.push(found.label("it means this one now"));
        }
        let before = &set.orders[..index];
        if let Some(first) = before.iter().find(|other| other.name.text == name.text) {
            let message = format!("the order `{}` is defined again", name.text);
            let found = Diagnostic::new(&codes::ORDER_TWICE, name.span, message);
            out.push(found.also(first.name.span, "this definition means nothing"));
        }
        template(&name.text, name.span, out);
    }
}

fn template(name: &str, span: crate::source::Span, out: &mut Diagnostics) {
    let rest = name.strip_prefix('X');
    let looks = rest.is_some_and(|rest| !rest.chars().any(|c| c.is_uppercase()));
    if looks {
        let message = format!("`{name}` looks like a variable of a template");
        out.push(Diagnostic::new(&codes::TEMPLATE_NAME, span, message));
    }
}

fn positions(set: &RuleSet, atom: &Atom, out: &mut Diagnostics) {
    for order in atom.positions().flat_map(|list| &list.orders) {
        if known_order(set, &order.text) {
            continue;
        }
        let message = format!("there is no order `{}`", order.text);
        let found = Diagnostic::new(&codes::UNKNOWN_ORDER, order.span, message);
        let own = set.orders.iter().map(|order| order.name.text.as_str());
        let known: Vec<&str> = own.chain(BUILT_IN.iter().copied()).collect();
        let same = known
            .iter()
            .find(|name| name.eq_ignore_ascii_case(&order.text));
        out.push(match (same, order.text.as_str()) {
            (Some(same), _) => found.fix(format!("did you mean `{same}`?"), order.span, *same),
            (None, "Nearby" | "Remotest") => found.help(format!(
                "`{}` is a bucket: write `bucket:{}`",
                order.text, order.text
            )),
            (None, _) => found.did_you_mean(&order.text, order.span, known),
        });
    }
}

/// A key that is no property of any piece.
fn key(condition: &Condition, pieces: Option<&Pieces>, out: &mut Diagnostics) {
    let key = &condition.key;
    template(&key.text, key.span, out);
    if matches!(key.text.as_str(), "shape" | "color") {
        return;
    }
    let Some(pieces) = pieces else { return };
    let known = pieces
        .kinds
        .iter()
        .any(|kind| kind.property(&key.text).is_some());
    if known {
        return;
    }
    let columns = pieces
        .kinds
        .iter()
        .flat_map(|kind| &kind.properties)
        .map(|(name, _)| name.as_str());
    let mut candidates: Vec<&str> = KEYS.to_vec();
    candidates.extend(columns);
    candidates.sort_unstable();
    candidates.dedup();
    let code = match pieces.kinds.iter().any(|kind| !kind.pictured) {
        true => &codes::UNKNOWN_PROPERTY,
        false => &codes::UNKNOWN_COLUMN,
    };
    let message = format!("no piece has a property `{}`", key.text);
    let found = Diagnostic::new(code, key.span, message);
    let near = match key.text.to_lowercase().as_str() {
        "position" | "positions" | "cell" => Some("pos"),
        "colour" | "colors" => Some("color"),
        "buckets" => Some("bucket"),
        _ => None,
    };
    out.push(match near {
        Some(near) => found.fix(format!("did you mean `{near}`?"), key.span, near),
        None => found.did_you_mean(&key.text, key.span, candidates),
    });
}

/// Words that are taken as text where a variable may be meant.
fn literals(condition: &Condition, out: &mut Diagnostics) {
    let Value::Literals(items) = &condition.value else {
        return;
    };
    for (item, span) in items {
        let Literal::Text(text) = item else { continue };
        let quoted = span.len() as usize != text.len();
        if !quoted && VARIABLES.contains(&text.as_str()) {
            let message = format!("`{text}` is taken as text here");
            let found = Diagnostic::new(&codes::VARIABLE_AS_TEXT, *span, message);
            let key = &condition.key.text;
            let meant = match text.as_str() {
                "last" | "this" | "q" => format!("{text}.{key}"),
                _ => format!("{text}+0"),
            };
            out.push(found.help(format!(
                "for the value of the variable write an expression, such as `{meant}`"
            )));
        }
        if !quoted {
            template(text, *span, out);
        }
    }
}

/// Rows that are never left, and rule sets that cannot start.
fn courses(set: &RuleSet, out: &mut Diagnostics) {
    for (index, row) in set.rows.iter().enumerate() {
        let open =
            |atom: &Atom| atom.count.is_none() && atom.pos.is_empty() && atom.postpos.is_none();
        let free = |atom: &Atom| atom.conditions.is_empty() && atom.code.is_none();
        let sure = row.atoms.iter().any(|atom| {
            let any = atom.bucket.as_ref().is_none_or(exprs::never_empty);
            open(atom) && free(atom) && any
        });
        if row.counter.is_none() && sure && index + 1 < set.rows.len() {
            let found = Diagnostic::new(&codes::STAYS_FOR_EVER, row.span, "the row is never left");
            out.push(found.also(set.rows[index + 1].span, "this row is not reached"));
        }
    }
    if let [row] = set.rows.as_slice() {
        let stuck = |atom: &Atom| {
            let mut exprs = atom.bucket.iter().chain(&atom.code);
            exprs.any(exprs::empty_at_start)
        };
        if row.atoms.iter().all(stuck) {
            let message = "nothing is accepted before the first move";
            let found = Diagnostic::new(&codes::STUCK_START, row.span, message);
            out.push(found.help("add a way to begin, such as `[!p*[0,1,2,3], p+1]`"));
        }
    }
}
