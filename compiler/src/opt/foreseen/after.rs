//! A question of the position after some writes as one of the position before them.

use rulec_ir::sorted::SortedSet;

use super::facts::{Facts, number};
use super::{DEPTH, answer};
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, PlacementForm, PlacementId,
    StmtKind, Type, UnaryOp, VarId,
};

/// A place gets a kind, or nothing.
struct Change {
    placement: PlacementId,
    place: Expr,
    kind: Option<u32>,
}

/// What a function writes.
#[derive(Default)]
struct Writes {
    changes: Vec<Change>,
    vars: SortedSet<VarId>,
}

/// What a question of the position after a call comes to before it, where that can be said.
pub(super) fn before(
    game: &Game,
    facts: &Facts,
    (effect, args): (FuncId, &[Expr]),
    question: &Expr,
) -> Option<Expr> {
    let writes = Writes::of(game, effect, args)?;
    let question = called(game, question, DEPTH)?;
    let asked = Asked {
        game,
        facts,
        writes: &writes,
    };
    Some(asked.simpler(&asked.before(&question)?))
}

impl Writes {
    /// What a call writes, if it only puts kinds on places that its arguments name and gives variables values.
    fn of(game: &Game, func: FuncId, args: &[Expr]) -> Option<Writes> {
        let mut writes = Writes::default();
        for stmt in &game.function(func).body {
            match &stmt.kind {
                StmtKind::SetContent(placement, place, content)
                    if game.placement(*placement).form == PlacementForm::Anonymous =>
                {
                    let place = match &place.kind {
                        ExprKind::Local(param) => args.get(param.index())?.clone(),
                        _ => place.clone(),
                    };
                    let is_plain = matches!(place.kind, ExprKind::Local(_) | ExprKind::Const(_));
                    writes.changes.push(Change {
                        placement: *placement,
                        place: Some(place).filter(|_| is_plain)?,
                        kind: kind(content)?,
                    });
                }
                StmtKind::SetVar(var, ..) => {
                    writes.vars.insert(*var);
                }
                StmtKind::Return(None) => {}
                _ => return None,
            }
        }
        Some(writes)
    }
}

/// The kind that a place gets, if that is known.
fn kind(content: &Expr) -> Option<Option<u32>> {
    match &content.kind {
        ExprKind::Const(Const::None) => Some(None),
        ExprKind::Some(kind) => number(kind).map(Some),
        _ => number(content).map(Some),
    }
}

/// An expression with what the functions give that it calls.
fn called(game: &Game, expr: &Expr, depth: usize) -> Option<Expr> {
    let depth = depth.checked_sub(1)?;
    let mut own = expr.clone();
    if let ExprKind::Call(func, args) = &expr.kind {
        let asked = game.function(*func);
        let given = answer(asked)?;
        let args: Vec<Expr> = args
            .iter()
            .map(|arg| called(game, arg, depth))
            .collect::<Option<_>>()?;
        let given = called(game, given, depth)?;
        return (args.len() == asked.params).then(|| with_args(&given, &args));
    }
    let mut fits = !binds(expr);
    own.children_mut(&mut |child| match called(game, child, depth) {
        Some(new) => *child = new,
        None => fits = false,
    });
    fits.then_some(own)
}

/// Whether an expression has a variable of its own.
fn binds(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Fold { .. }
            | ExprKind::Collect { .. }
            | ExprKind::First { .. }
            | ExprKind::Walk { .. }
    )
}

fn with_args(expr: &Expr, args: &[Expr]) -> Expr {
    if let ExprKind::Local(param) = expr.kind {
        return args.get(param.index()).unwrap_or(expr).clone();
    }
    let mut own = expr.clone();
    own.children_mut(&mut |child| *child = with_args(child, args));
    own
}

struct Asked<'a> {
    game: &'a Game,
    facts: &'a Facts,
    writes: &'a Writes,
}

impl Asked<'_> {
    /// An expression that comes to the same before the writes.
    fn before(&self, expr: &Expr) -> Option<Expr> {
        let writes = |placement: PlacementId| {
            let mut changes = self.writes.changes.iter();
            changes.any(|change| change.placement == placement)
        };
        match &expr.kind {
            ExprKind::Places(placement, kind) if writes(*placement) => {
                self.places(expr, *placement, number(kind)?)
            }
            ExprKind::Content(placement, _)
            | ExprKind::Contents(placement, _)
            | ExprKind::PlaceOf(placement, _)
                if writes(*placement) =>
            {
                None
            }
            ExprKind::Var(var, _) if self.writes.vars.contains(var) => None,
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Var(..)
            | ExprKind::Places(..)
            | ExprKind::Content(..)
            | ExprKind::Lookup(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::If(..)
            | ExprKind::Some(_)
            | ExprKind::IsSome(_)
            | ExprKind::SetOf(_)
            | ExprKind::Size(_) => {
                let mut own = expr.clone();
                let mut fits = true;
                own.children_mut(&mut |child| match self.before(child) {
                    Some(new) => *child = new,
                    None => fits = false,
                });
                fits.then_some(own)
            }
            _ => None,
        }
    }

    /// The places of a kind after the writes.
    fn places(&self, places: &Expr, placement: PlacementId, kind: u32) -> Option<Expr> {
        let domain = self.game.placement(placement).places;
        let (mut all, mut grows) = (places.clone(), false);
        let own = self.writes.changes.iter();
        for change in own.filter(|change| change.placement == placement) {
            let place = set_of(&change.place, domain);
            if change.kind == Some(kind) {
                (all, grows) = (Expr::binary(BinaryOp::Union, all, place), true);
            } else if grows || !self.never_holds(&change.place, placement, kind) {
                let others = Expr::unary(UnaryOp::Complement, place);
                all = Expr::binary(BinaryOp::Intersect, all, others);
            }
        }
        Some(all)
    }

    /// Whether a kind cannot stand on a place before the writes.
    fn never_holds(&self, place: &Expr, placement: PlacementId, kind: u32) -> bool {
        let fact = local(place).and_then(|local| self.facts.get(&local));
        fact.is_some_and(|fact| fact.excludes(placement, kind))
    }

    /// The same without places taken out of a set in which they cannot be.
    fn simpler(&self, expr: &Expr) -> Expr {
        let mut own = expr.clone();
        if !matches!(expr.kind, ExprKind::Binary(BinaryOp::Intersect, ..)) {
            own.children_mut(&mut |child| *child = self.simpler(child));
            return own;
        }
        let (mut open, mut parts) = (vec![expr], Vec::new());
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(BinaryOp::Intersect, a, b) => open.extend([&**b, &**a]),
                _ => parts.push(part),
            }
        }
        let listed = parts.iter().filter_map(|part| match part.as_const() {
            Some(Const::Set(members)) => Some(members),
            _ => None,
        });
        let listed: Vec<&Vec<u32>> = listed.collect();
        let is_outside = |part: &&Expr| {
            let among = taken_out(part).and_then(|place| self.facts.get(&place)?.among.as_ref());
            let apart = |listed: &&Vec<u32>| {
                among.is_some_and(|among| !listed.iter().any(|member| among.contains(member)))
            };
            listed.iter().any(apart)
        };
        let left = parts.iter().copied().filter(|part| !is_outside(part));
        let left = left.map(|part| self.simpler(part));
        left.reduce(|all, part| Expr::binary(BinaryOp::Intersect, all, part))
            .unwrap_or(own)
    }
}

fn set_of(place: &Expr, domain: DomainId) -> Expr {
    let ty = Type::Set(domain);
    Expr::new(ExprKind::SetOf(vec![place.clone()]), ty, place.span)
}

fn local(expr: &Expr) -> Option<LocalId> {
    match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The place that is taken out by an intersection with all others.
fn taken_out(part: &Expr) -> Option<LocalId> {
    let ExprKind::Unary(UnaryOp::Complement, set) = &part.kind else {
        return None;
    };
    match &set.kind {
        ExprKind::SetOf(members) => match &members[..] {
            [only] => local(only),
            _ => None,
        },
        _ => None,
    }
}
