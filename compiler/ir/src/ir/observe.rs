//! What a network sees of a position: rows of numbers, made from what the identities of the game compare.
//!
//! The first identity that tells positions apart by single values is taken; where there is none, all of the state. What no rule
//! writes is left out. A member of a domain is its number from 1, an absent one 0; a truth value is 0 or 1; a set is one cell
//! a member; what follows from another value or is always the same
//! is left out; what cannot be evaluated, and the values of members that an identity leaves out, are 0.

use super::effects::constants;
use super::same::same;
use super::{
    Const, Expr, ExprKind, Game, IdentityId, IdentityTerm, PlacementForm, PlacementId, Type, VarId,
    print,
};

/// A row of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// What it shows, for people.
    pub name: String,
    /// How many numbers.
    pub cells: usize,
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
    /// Where the numbers come from.
    pub source: PlaneSource,
}

/// Where the numbers of a plane come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSource {
    /// A term of an identity, by number: one that is a value, or whether its condition holds for each member.
    Term(IdentityId, usize),
    /// A value of a term about members, by the numbers of both.
    Value(IdentityId, usize, usize),
    /// All values of a variable.
    Var(VarId),
    /// What stands on each place, or, where there is room for many, the place of each piece.
    Placement(PlacementId),
}

impl PlaneSource {
    /// The term of an identity that it tells, and the number of its value if it tells one of several.
    pub fn term(self) -> Option<(IdentityId, usize, Option<usize>)> {
        match self {
            PlaneSource::Term(identity, at) => Some((identity, at, None)),
            PlaneSource::Value(identity, at, value) => Some((identity, at, Some(value))),
            PlaneSource::Var(_) | PlaneSource::Placement(_) => None,
        }
    }
}

/// The variable whose values an expression tells as they are, as numbers.
pub fn variable_of(expr: &Expr) -> Option<VarId> {
    match &expr.kind {
        ExprKind::Var(var, _) => Some(*var),
        ExprKind::ToWrap(inner) | ExprKind::ToInt(inner) => variable_of(inner),
        _ => None,
    }
}

impl Plane {
    /// The variable whose values it shows as they are, if it is one.
    pub fn variable(&self, game: &Game) -> Option<VarId> {
        match self.source {
            PlaneSource::Var(var) => Some(var),
            PlaneSource::Placement(_) => None,
            PlaneSource::Term(identity, at) => match game.identity(identity).terms.get(at)? {
                IdentityTerm::Value(value) => variable_of(value),
                _ => None,
            },
            PlaneSource::Value(identity, at, value) => {
                match game.identity(identity).terms.get(at)? {
                    IdentityTerm::Each { values, .. } => variable_of(values.get(value)?),
                    _ => None,
                }
            }
        }
    }
}

/// The planes of a game.
pub fn planes(game: &Game) -> Vec<Plane> {
    let simple = |terms: &[IdentityTerm]| {
        terms
            .iter()
            .all(|term| matches!(term, IdentityTerm::Each { .. } | IdentityTerm::Value(_)))
    };
    let found = game.identities.iter().position(|i| simple(&i.terms));
    let mut planes = Vec::new();
    match found {
        Some(index) => {
            let id = IdentityId::from(index);
            for (number, term) in game.identity(id).terms.iter().enumerate() {
                of_term(game, id, number, term, &mut planes);
            }
        }
        None => of_everything(game, &mut planes),
    }
    planes
}

fn of_term(game: &Game, id: IdentityId, number: usize, term: &IdentityTerm, out: &mut Vec<Plane>) {
    let source = PlaneSource::Term(id, number);
    match term {
        IdentityTerm::Value(value) => {
            let Some((low, high)) = range(game, &value.ty).filter(|_| !is_constant(game, value))
            else {
                return;
            };
            out.push(Plane {
                name: print::expr_text(game, value),
                cells: cells(game, &value.ty),
                low,
                high,
                source,
            });
        }
        IdentityTerm::Each {
            domain,
            when,
            values,
        } => {
            let (members, title) = (game.domain(*domain).len(), &game.domain(*domain).name);
            let mut shown: Vec<usize> = Vec::new();
            for at in 0..values.len() {
                let value = &values[at];
                let follows = |other: &usize| follows(game, value, &values[*other]);
                if value.ty.is_scalar() && !is_constant(game, value) && !shown.iter().any(follows) {
                    shown.push(at);
                }
            }
            let says_which = shown
                .iter()
                .any(|&at| matches!(values[at].ty, Type::Elem(_)));
            if !says_which && !matches!(when.kind, ExprKind::Const(_)) {
                out.push(Plane {
                    name: format!("{title}: {}", print::expr_text(game, when)),
                    cells: members,
                    low: 0,
                    high: 1,
                    source,
                });
            }
            for at in shown {
                let Some((low, high)) = range(game, &values[at].ty) else {
                    continue;
                };
                out.push(Plane {
                    name: format!("{title}: {}", print::expr_text(game, &values[at])),
                    cells: members,
                    low: low.min(0),
                    high: high.max(0),
                    source: PlaneSource::Value(id, number, at),
                });
            }
        }
        _ => {}
    }
}

fn of_everything(game: &Game, out: &mut Vec<Plane>) {
    let constants = constants(game);
    let saved = game.machine.as_ref().map_or(&[][..], |m| &m.saved);
    for (index, var) in game.vars.iter().enumerate() {
        let id = VarId::from(index);
        if var.meter || constants.vars.contains(&id) || saved.contains(&id) {
            continue;
        }
        if let Some((low, high)) = range(game, &var.ty) {
            out.push(Plane {
                name: var.name.clone(),
                cells: var.init.len() * cells(game, &var.ty),
                low,
                high,
                source: PlaneSource::Var(id),
            });
        }
    }
    for (index, placement) in game.placements.iter().enumerate() {
        let (keys, values) = match placement.form {
            PlacementForm::Many => (placement.pieces, placement.places),
            _ => (placement.places, placement.pieces),
        };
        out.push(Plane {
            name: placement.name.clone(),
            cells: game.domain(keys).len(),
            low: 0,
            high: game.domain(values).len() as i64,
            source: PlaneSource::Placement(PlacementId::from(index)),
        });
    }
}

/// Whether an expression is the same in every position, as far as a look at it shows.
fn is_constant(game: &Game, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Var(var, _) => {
            let init = &game.var(*var).init;
            let even = init.windows(2).all(|pair| pair[0] == pair[1]);
            even && constants(game).vars.contains(var)
        }
        ExprKind::Lookup(table, _) => {
            let table = game.table(*table);
            let mut all = table.values.iter().chain(&table.outside);
            let first = all.next();
            all.all(|value| Some(value) == first)
        }
        ExprKind::ToWrap(inner) | ExprKind::ToInt(inner) => is_constant(game, inner),
        _ => false,
    }
}

/// Values that no rule writes, and what they are asked by.
fn fixed<'g>(game: &'g Game, expr: &'g Expr) -> Option<(&'g [Const], &'g [Expr])> {
    match &expr.kind {
        ExprKind::Lookup(table, index) => Some((&game.table(*table).values, index)),
        ExprKind::Var(var, index) if constants(game).vars.contains(var) => {
            Some((&game.var(*var).init, index))
        }
        ExprKind::ToWrap(inner) | ExprKind::ToInt(inner) => fixed(game, inner),
        _ => None,
    }
}

/// Whether a value is known where another one is: both are fixed values of the same thing, and where the other ones are equal so
/// are these. Pieces of one type have one owner as a rule.
fn follows(game: &Game, value: &Expr, other: &Expr) -> bool {
    let (Some((own, index)), Some((others, by))) = (fixed(game, value), fixed(game, other)) else {
        return false;
    };
    let equal = |(a, b): (&Expr, &Expr)| same(a, b);
    if own.len() != others.len() || index.len() != by.len() || !index.iter().zip(by).all(equal) {
        return false;
    }
    let first = |known: &Const| others.iter().position(|other| other == known);
    own.iter().zip(others).all(|(value, other)| {
        let first = first(other).and_then(|at| own.get(at));
        first == Some(value)
    })
}

/// Least and greatest number for a value; nothing for sequences and tagged values.
fn range(game: &Game, ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Bool | Type::Set(_) => Some((0, 1)),
        Type::Int { lo, hi } => Some((*lo, *hi)),
        Type::Wrap32 => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        Type::Elem(domain) => Some((1, game.domain(*domain).len() as i64)),
        Type::Opt(domain) => Some((0, game.domain(*domain).len() as i64)),
        Type::Seq { .. } | Type::Tagged => None,
    }
}

/// Cells of a value.
fn cells(game: &Game, ty: &Type) -> usize {
    match ty {
        Type::Set(domain) => game.domain(*domain).len(),
        _ => 1,
    }
}
