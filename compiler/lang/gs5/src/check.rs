//! Checks of a parsed rule set: names that mean nothing, and rules that hardly mean what they say.

mod exprs;
mod values;

use self::exprs::Checker;
use super::ast::{Atom, Condition, Literal, RuleSet, VARIABLES, Value};
use super::codes;
use super::composite::is_composite;
use super::lower::{BUILT_IN, known_order};
use super::pieces::{Kind, Pieces, int_value};
use super::settings::Settings;
use super::settings::{usual, usual_values};
use crate::diag::{Diagnostic, Diagnostics, closest};
use crate::ir::BoardSource;

/// Values that are named at most where one is unknown.
const MOST_SHOWN: usize = 8;

/// Keys that are no properties.
const KEYS: &[&str] = &[
    "count", "pos", "postpos", "bucket", "code", "shape", "color",
];

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
            values(condition, pieces, out);
        }
        Checker::new(set, pieces, settings, out).atom(atom);
    }
    if let Some(pieces) = pieces {
        left_over(set, pieces, out);
    }
    courses(set, out);
}

/// Warns of pieces that no atom ever takes, because their shape, color or properties fit none.
fn left_over(set: &RuleSet, pieces: &Pieces, out: &mut Diagnostics) {
    // Boards for training or testing lack some of the pieces, by a condition of their own.
    if pieces.condition.is_some() {
        return;
    }
    let taken = |kind: &Kind| {
        let mut atoms = set.rows.iter().flat_map(|row| &row.atoms);
        atoms.any(|atom| {
            let mut conditions = atom.conditions.iter();
            conditions.all(|condition| kind.fits(&condition.key.text, &condition.value))
        })
    };
    let on_boards = |index: usize| match &pieces.boards {
        BoardSource::Fixed { boards, .. } => {
            let mut all = boards.iter().flatten();
            all.any(|piece| piece.kind as usize == index)
        }
        _ => true,
    };
    let left: Vec<&Kind> = (0..pieces.kinds.len())
        .filter(|index| on_boards(*index) && !taken(&pieces.kinds[*index]))
        .map(|index| &pieces.kinds[index])
        .collect();
    let (Some(first), Some(row)) = (left.first(), set.rows.first()) else {
        return;
    };
    let message = match left.len() {
        1 => format!("no atom takes the piece `{}`", first.name),
        count => format!(
            "no atom takes the piece `{}`, nor {} other kinds",
            first.name,
            count - 1
        ),
    };
    let found = Diagnostic::new(&codes::LEFT_OVER, row.span, message);
    out.push(match other_case(set, &left) {
        Some((written, is)) => found
            .also(
                written,
                format!("the pieces spell it `{is}`, and case counts in pictures"),
            )
            .fix(format!("did you mean `{is}`?"), written, is),
        None => found.help("add an atom for them, or leave them out of the boards"),
    });
}

/// A value in a condition that is one of these pieces' but for its case, and how the piece spells it.
fn other_case(set: &RuleSet, left: &[&Kind]) -> Option<(crate::source::Span, String)> {
    let atoms = set.rows.iter().flat_map(|row| &row.atoms);
    for condition in atoms.flat_map(|atom| &atom.conditions) {
        let Value::Literals(items) = &condition.value else {
            continue;
        };
        let pictured = left.iter().filter(|kind| kind.pictured);
        let values = pictured.filter_map(|kind| kind.property(&condition.key.text));
        for is in values {
            let near = items.iter().find(|(item, _)| match item {
                Literal::Text(text) => text != is && text.eq_ignore_ascii_case(is),
                Literal::Number(_) => false,
            });
            if let Some((_, span)) = near {
                return Some((*span, is.to_owned()));
            }
        }
    }
    None
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

/// Whether a name looks like a variable of the rule generator.
fn is_template(name: &str) -> bool {
    let rest = name.strip_prefix('X');
    rest.is_some_and(|rest| !rest.chars().any(|c| c.is_uppercase()))
}

fn template(name: &str, span: crate::source::Span, out: &mut Diagnostics) {
    if is_template(name) {
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
            (None, text) if text.contains('.') => found.help(format!(
                "values are compared in `code:`, such as `code:{text}==7`"
            )),
            (None, _) => {
                let listed = format!("orders are {}", known.join(", "));
                let found = found.did_you_mean(&order.text, order.span, known);
                match found.help {
                    Some(_) => found,
                    None => found.note(listed),
                }
            }
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
    let others = pieces.kinds.iter().any(|kind| !kind.pictured) || !pieces.are_all();
    let code = match others {
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
        None => {
            let known = format!("properties are {}", candidates.join(", "));
            let found = found.did_you_mean(&key.text, key.span, candidates);
            match found.help {
                Some(_) => found,
                None => found.note(known),
            }
        }
    });
}

/// Values that no piece has.
fn values(condition: &Condition, pieces: Option<&Pieces>, out: &mut Diagnostics) {
    if let (Value::Ranges(ranges), Some(pieces)) = (&condition.value, pieces) {
        return empty_ranges(condition, ranges, pieces, out);
    }
    let (Value::Literals(items), Some(pieces)) = (&condition.value, pieces) else {
        return;
    };
    let key = condition.key.text.as_str();
    let of_pieces = || pieces.kinds.iter().filter_map(|kind| kind.property(key));
    if of_pieces().next().is_none() {
        return;
    }
    for (item, span) in items {
        let alone = Value::Literals(vec![(item.clone(), *span)]);
        let has = |kind: &Kind| kind.property(key).is_some() && kind.fits(key, &alone);
        let text = match item {
            Literal::Text(text) => text.clone(),
            Literal::Number(n) => n.to_string(),
        };
        let told = VARIABLES.contains(&text.as_str()) || is_template(&text);
        // Boards that a host gives later may have any of the usual ones.
        let may_come = !pieces.listed.contains(&key) && usual(key, &text);
        if told || may_come || pieces.kinds.iter().any(has) {
            continue;
        }
        let message = format!("no piece has the {key} `{text}`");
        let found = Diagnostic::new(&codes::UNKNOWN_VALUE, *span, message);
        let usual = usual_values(key).iter().copied();
        let usual = usual.filter(|_| !pieces.listed.contains(&key));
        let near = closest(&text, of_pieces().chain(usual)).map(str::to_owned);
        out.push(match near {
            Some(near) => {
                let lower = text == text.to_lowercase() && matches!(key, "shape" | "color");
                let near = if lower { near.to_lowercase() } else { near };
                found.help(format!("did you mean `{near}`?"))
            }
            None if pieces.listed.contains(&key) => {
                let mut all: Vec<String> = of_pieces().map(str::to_lowercase).collect();
                all.sort_unstable();
                all.dedup();
                found.help(format!("the list of {key}s has {}", all.join(", ")))
            }
            None => match usual_elsewhere(key, &text) {
                Some(other) => found.help(format!("it is a {other}: write `{other}:{text}`")),
                None if matches!(key, "shape" | "color") => {
                    let mut all: Vec<String> = of_pieces().map(str::to_lowercase).collect();
                    all.sort_unstable();
                    all.dedup();
                    all.truncate(MOST_SHOWN);
                    found.note(format!("pieces have {}", all.join(", ")))
                }
                None => found,
            },
        });
    }
}

/// The property of plain pieces that usually has a value which was asked of the other one.
fn usual_elsewhere(key: &str, text: &str) -> Option<&'static str> {
    let other = match key {
        "shape" => "color",
        "color" => "shape",
        _ => return None,
    };
    usual(other, &text.to_uppercase()).then_some(other)
}

/// Ranges in which no piece has a value.
fn empty_ranges(
    condition: &Condition,
    ranges: &[(i32, i32)],
    pieces: &Pieces,
    out: &mut Diagnostics,
) {
    let key = condition.key.text.as_str();
    // Families of composite pieces have some of all values, and rules often go through them step by step.
    let of_table = |kind: &&Kind| kind.pictured && !is_composite(&kind.name);
    let kinds = pieces.kinds.iter().filter(of_table);
    let numbers: Vec<i32> = (kinds.filter_map(|kind| kind.property(key)))
        .filter_map(int_value)
        .collect();
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return;
    };
    for (first, last) in ranges {
        if first > last || numbers.iter().any(|n| (first..=last).contains(&n)) {
            continue;
        }
        let message = format!("no piece has a {key} from {first} to {last}");
        let found = Diagnostic::new(&codes::UNKNOWN_VALUE, condition.key.span, message);
        out.push(found.note(format!("the {key} of pieces runs from {least} to {most}")));
    }
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
