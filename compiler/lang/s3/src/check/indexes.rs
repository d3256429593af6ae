//! Indexes of names that nothing has: `INDEXA(3, LOCATION($E))` where locations have two of them, and comparisons with a
//! number that no location has there.

use rulec_ir::sorted::SortedSet;

use super::{Shared, constant};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Name};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    if !facts.lost.is_empty() {
        return;
    }
    let game = facts.game;
    let locations = game.locations.values().map(|location| &location.name);
    let elements = game.elements.values().map(|element| &element.name);
    let indexes = Indexes {
        locations: values(locations),
        elements: values(elements),
    };
    for expr in facts.every_expr() {
        diagnostics.append(too_many(&indexes, expr));
        diagnostics.append(never_equal(&indexes, expr));
        diagnostics.append(never_so(facts, expr));
    }
}

/// The indexes of all names: which numbers stand first, second and so on. `None` where there are no names.
struct Indexes {
    locations: Option<Vec<SortedSet<i32>>>,
    elements: Option<Vec<SortedSet<i32>>>,
}

fn values<'a>(names: impl Iterator<Item = &'a Name>) -> Option<Vec<SortedSet<i32>>> {
    let mut found: Option<Vec<SortedSet<i32>>> = None;
    for name in names {
        let found = found.get_or_insert_default();
        for (at, index) in name.indexes.iter().enumerate() {
            if at == found.len() {
                found.push(SortedSet::new());
            }
            found[at].insert(*index);
        }
    }
    found
}

/// Names that an index is taken of: of locations or of elements.
struct Taken<'i> {
    noun: &'static str,
    at: usize,
    /// The indexes there, if any name has so many.
    values: Option<&'i SortedSet<i32>>,
    /// Most indexes of a name.
    most: usize,
}

/// What `INDEXA(number, LOCATION(...))` or `INDEXA(number, CONTENT(...))` may be.
fn taken<'i>(indexes: &'i Indexes, expr: &Expr) -> Option<Taken<'i>> {
    let ExprKind::Builtin {
        builtin: Builtin::IndexA,
        args,
        ..
    } = &expr.kind
    else {
        return None;
    };
    let [at, name] = args.as_slice() else {
        return None;
    };
    let at = usize::try_from(constant(at)?).ok().filter(|at| *at > 0)?;
    let ExprKind::Builtin { builtin, .. } = &name.kind else {
        return None;
    };
    let (noun, all) = match builtin {
        Builtin::Location => ("location", indexes.locations.as_ref()?),
        Builtin::Content => ("element", indexes.elements.as_ref()?),
        _ => return None,
    };
    Some(Taken {
        noun,
        at,
        values: all.get(at - 1),
        most: all.len(),
    })
}

/// `PLAYER == 3` in a game for two, `STATE("clock") == 50` where it has fewer states.
fn never_so(facts: &Shared<'_>, expr: &Expr) -> Diagnostics {
    let mut found = Diagnostics::new();
    let ExprKind::Binary {
        op: op @ (BinaryOp::Eq | BinaryOp::Ne),
        left,
        right,
        ..
    } = &expr.kind
    else {
        return found;
    };
    let (value, number) = match (constant(right), constant(left)) {
        (Some(number), None) => (left, number),
        (None, Some(number)) => (right, number),
        _ => return found,
    };
    let ExprKind::Builtin { builtin, args, .. } = &value.kind else {
        return found;
    };
    let text = match args.first().map(|arg| &arg.kind) {
        Some(ExprKind::Str(text)) => Some(text),
        _ => None,
    };
    let (what, first, last) = match builtin {
        Builtin::Player => ("players run", 1, facts.players()),
        // Of what is not there the owner and the state are -1.
        Builtin::Owner => ("owners run", -1, facts.players()),
        Builtin::State => ("states run", -1, facts.names.max_states(text)),
        _ => return found,
    };
    if (i64::from(first)..=i64::from(last)).contains(&number) {
        return found;
    }
    let always = if *op == BinaryOp::Eq { "false" } else { "true" };
    let told = Diagnostic::new(
        &codes::ALWAYS_SAME,
        expr.span,
        format!("this is always {always}"),
    );
    found.push(told.note(format!("{what} from {} to {last}", first.max(1))));
    found
}

fn too_many(indexes: &Indexes, expr: &Expr) -> Diagnostics {
    let mut found = Diagnostics::new();
    let Some(taken) = taken(indexes, expr).filter(|taken| taken.values.is_none()) else {
        return found;
    };
    let (noun, at) = (taken.noun, taken.at);
    let message = format!("no {noun} has an index {at}");
    let told = Diagnostic::new(&codes::NO_SUCH_INDEX, expr.span, message);
    let told = told.note("taking it ends the game with a fault");
    found.push(match taken.most {
        0 => told.help(format!("no {noun} has indexes at all")),
        1 => told.help(format!("{noun}s have one index: `INDEXA(1, ...)`")),
        most => told.help(format!("{noun}s have {most} indexes: write 1 to {most}")),
    });
    found
}

/// `INDEXA(2, LOCATION($E)) == 9` where no second index is 9.
fn never_equal(indexes: &Indexes, expr: &Expr) -> Diagnostics {
    let mut found = Diagnostics::new();
    let ExprKind::Binary {
        op: op @ (BinaryOp::Eq | BinaryOp::Ne),
        left,
        right,
        ..
    } = &expr.kind
    else {
        return found;
    };
    let (index, number) = match (taken(indexes, left), constant(right)) {
        (Some(index), Some(number)) => (index, number),
        _ => match (taken(indexes, right), constant(left)) {
            (Some(index), Some(number)) => (index, number),
            _ => return found,
        },
    };
    let Some(values) = index.values else {
        return found;
    };
    let (Some(least), Some(most)) = (values.first(), values.last()) else {
        return found;
    };
    if i32::try_from(number).is_ok_and(|number| values.contains(&number)) {
        return found;
    }
    let always = if *op == BinaryOp::Eq { "false" } else { "true" };
    let (noun, at) = (index.noun, index.at);
    let message = format!("this is always {always}: no {noun} has {number} as index {at}");
    let told = Diagnostic::new(&codes::NO_SUCH_INDEX, expr.span, message);
    found.push(told.note(format!("index {at} of {noun}s runs from {least} to {most}")));
    found
}
