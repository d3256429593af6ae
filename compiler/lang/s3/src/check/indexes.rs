//! Indexes of names that nothing has: `INDEXA(3, LOCATION($E))` where locations have two of them, and comparisons with a
//! number that no location has there.

use std::collections::BTreeSet;

use super::{Facts, constant};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Name};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};

pub(super) fn check(facts: &Facts<'_>, diagnostics: &mut Diagnostics) {
    if !facts.lost.is_empty() {
        return;
    }
    let definitions = facts.game.expressions.values();
    let bodies = definitions.flat_map(|definition| &definition.body);
    let mut open: Vec<&Expr> = bodies
        .chain(facts.roots.iter().map(|root| root.expr))
        .collect();
    while let Some(expr) = open.pop() {
        open.extend(expr.children());
        diagnostics.append(too_many(facts, expr));
        diagnostics.append(never_equal(facts, expr));
    }
}

/// Names that an index is taken of: of locations or of elements.
struct Taken {
    noun: &'static str,
    at: usize,
    /// The indexes there.
    values: BTreeSet<i32>,
    /// Most indexes of a name.
    most: usize,
}

/// What `INDEXA(number, LOCATION(...))` or `INDEXA(number, CONTENT(...))` may be.
fn taken(facts: &Facts<'_>, expr: &Expr) -> Option<Taken> {
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
    let (noun, names): (_, Vec<&Name>) = match builtin {
        Builtin::Location => (
            "location",
            facts
                .game
                .locations
                .values()
                .map(|location| &location.name)
                .collect(),
        ),
        Builtin::Content => (
            "element",
            facts
                .game
                .elements
                .values()
                .map(|element| &element.name)
                .collect(),
        ),
        _ => return None,
    };
    let there = names.iter().filter_map(|name| name.indexes.get(at - 1));
    Some(Taken {
        noun,
        at,
        values: there.copied().collect(),
        most: names.iter().map(|name| name.indexes.len()).max()?,
    })
}

fn too_many(facts: &Facts<'_>, expr: &Expr) -> Diagnostics {
    let mut found = Diagnostics::new();
    let Some(taken) = taken(facts, expr).filter(|taken| taken.values.is_empty()) else {
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
fn never_equal(facts: &Facts<'_>, expr: &Expr) -> Diagnostics {
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
    let (index, number) = match (taken(facts, left), constant(right)) {
        (Some(index), Some(number)) => (index, number),
        _ => match (taken(facts, right), constant(left)) {
            (Some(index), Some(number)) => (index, number),
            _ => return found,
        },
    };
    let (Some(least), Some(most)) = (index.values.first(), index.values.last()) else {
        return found;
    };
    if index.values.iter().any(|value| i64::from(*value) == number) {
        return found;
    }
    let always = if *op == BinaryOp::Eq { "false" } else { "true" };
    let (noun, at) = (index.noun, index.at);
    let message = format!("this is always {always}: no {noun} has {number} as index {at}");
    let told = Diagnostic::new(&codes::NO_SUCH_INDEX, expr.span, message);
    found.push(told.note(format!("index {at} of {noun}s runs from {least} to {most}")));
    found
}
