//! Names of two kinds that are compared: of an element and of a type of elements, say. They are equal only
//! where both are empty, unless names are used for both.

use indexmap::IndexMap;

use super::Shared;
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Game};
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

    fn names<'a>(self, game: &'a Game) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        match self {
            Self::Element => Box::new(game.elements.keys().map(String::as_str)),
            Self::Location => Box::new(game.locations.keys().map(String::as_str)),
            Self::ElementType => Box::new(game.element_types.keys().map(String::as_str)),
            Self::LocationType => Box::new(game.location_types.keys().map(String::as_str)),
        }
    }

    fn has(self, game: &Game, name: &str) -> bool {
        match self {
            Self::Element => game.elements.contains_key(name),
            Self::Location => game.locations.contains_key(name),
            Self::ElementType => game.element_types.contains_key(name),
            Self::LocationType => game.location_types.contains_key(name),
        }
    }
}

/// The pairs of kinds that share no name.
fn disjoint(game: &Game) -> Vec<(Kind, Kind)> {
    let kinds = [
        Kind::Element,
        Kind::Location,
        Kind::ElementType,
        Kind::LocationType,
    ];
    let pairs = kinds.iter().flat_map(|a| kinds.map(|b| (*a, b)));
    pairs
        .filter(|(a, b)| a != b && !a.names(game).any(|name| b.has(game, name)))
        .collect()
}

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    if !facts.lost.is_empty() {
        return;
    }
    let variables = variables(facts);
    let disjoint = disjoint(facts.game);
    for expr in facts.every_expr() {
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
        if !disjoint.contains(&(a, b)) {
            continue;
        }
        let so = match op {
            BinaryOp::Eq => "so this holds only where both are empty",
            _ => "so this holds unless both are empty",
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
fn variables<'a>(facts: &Shared<'a>) -> IndexMap<&'a str, Option<Kind>> {
    let mut found: IndexMap<&str, Option<Kind>> = IndexMap::new();
    for definition in facts.definitions().values() {
        for param in &definition.params {
            found.insert(&param.node, None);
        }
    }
    for expr in facts.every_expr() {
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
