//! Names of two kinds that are compared: of an element and of a type of elements, say. They are never equal, unless names are
//! used for both.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::Facts;
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Element,
    Location,
    ElementType,
    LocationType,
}

impl Kind {
    const fn phrase(self) -> &'static str {
        match self {
            Self::Element => "the name of an element",
            Self::Location => "the name of a location",
            Self::ElementType => "a type of elements",
            Self::LocationType => "a type of locations",
        }
    }

    fn names<'a>(self, facts: &Facts<'a>) -> BTreeSet<&'a str> {
        let game = facts.game;
        match self {
            Self::Element => game.elements.keys().map(String::as_str).collect(),
            Self::Location => game.locations.keys().map(String::as_str).collect(),
            Self::ElementType => game.element_types.keys().map(String::as_str).collect(),
            Self::LocationType => game.location_types.keys().map(String::as_str).collect(),
        }
    }
}

pub(super) fn check(facts: &Facts<'_>, diagnostics: &mut Diagnostics) {
    if !facts.lost.is_empty() {
        return;
    }
    let definitions = facts.game.expressions.values();
    let bodies = definitions.flat_map(|definition| &definition.body);
    let lines: Vec<&Expr> = bodies
        .chain(facts.roots.iter().map(|root| root.expr))
        .collect();
    let variables = variables(facts, &lines);
    let mut open = lines;
    while let Some(expr) = open.pop() {
        open.extend(expr.children());
        let ExprKind::Binary {
            op, left, right, ..
        } = &expr.kind
        else {
            continue;
        };
        let kinds = (kind(left, &variables), kind(right, &variables));
        let (BinaryOp::Eq | BinaryOp::Ne, (Some(a), Some(b))) = (op, kinds) else {
            continue;
        };
        if a == b || !a.names(facts).is_disjoint(&b.names(facts)) {
            continue;
        }
        let so = match op {
            BinaryOp::Eq => "so this never holds",
            _ => "so this always holds",
        };
        let message = format!("{} is compared with {}", a.phrase(), b.phrase());
        let found = Diagnostic::new(&codes::OTHER_KIND, expr.span, message);
        let found = found.note(format!("no name is both, {so}"));
        diagnostics.push(match (a, b) {
            (Kind::Element, Kind::ElementType) | (Kind::ElementType, Kind::Element) => {
                found.help("`ELTYPE(CONTENT(...))` is the type of what stands on a location")
            }
            _ => found,
        });
    }
}

/// What variables name that only assignments give a value, and all of one kind.
fn variables<'a>(facts: &Facts<'a>, lines: &[&'a Expr]) -> IndexMap<&'a str, Option<Kind>> {
    let mut found: IndexMap<&str, Option<Kind>> = IndexMap::new();
    for definition in facts.definitions().values() {
        for param in &definition.params {
            found.insert(&param.node, None);
        }
    }
    let mut open = lines.to_vec();
    while let Some(expr) = open.pop() {
        open.extend(expr.children());
        if let ExprKind::Assign { var, value, .. } = &expr.kind {
            let own = kind(value, &IndexMap::new());
            let known = found.entry(var.node.as_str()).or_insert(own);
            *known = known.filter(|known| own == Some(*known));
        }
    }
    found
}

/// What an expression names, if that shows.
fn kind(expr: &Expr, variables: &IndexMap<&str, Option<Kind>>) -> Option<Kind> {
    match &expr.kind {
        ExprKind::Var(name) => variables.get(name.as_str()).copied().flatten(),
        ExprKind::Builtin { builtin, .. } => match builtin {
            Builtin::Content => Some(Kind::Element),
            Builtin::Location => Some(Kind::Location),
            Builtin::ElType => Some(Kind::ElementType),
            Builtin::LocType => Some(Kind::LocationType),
            _ => None,
        },
        _ => None,
    }
}
