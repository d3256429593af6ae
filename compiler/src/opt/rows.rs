//! `rows`: what constants say of where a move begins and where it ends becomes a row of a table.
//!
//! Where a move may go is a set that its source decides, in part by constants: the row of a table, conditions on the source, sets
//! that are constant. Whatever of that is written, each pair of source and target is left with some question of the position; pairs that
//! are left with the same one are one table. So "a step ahead", "a step ahead from rows but the last" and "from the first row a
//! step ahead to the second, from the second ..." are one set.

#[cfg(test)]
mod tests;
mod truth;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::value::evaluate;
use crate::ir::visit::expr_nodes;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, StmtKind, Table, Type,
    UnaryOp,
};

use super::fold_constants::{drop_tables, simplify};
use super::tables::known_or_new;
use truth::{Things, Truth, Written};

/// Pairs of source and target, times the parts of a set, that are looked at for one set.
const MOST_WORK: usize = 4_000_000;
/// Questions that pairs are left with.
const MOST_QUESTIONS: usize = 4;
/// What it takes to meet one constant: that does not pay for a table.
const ONE_CONSTANT: usize = 2;
/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// Rewrites what functions give.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for func in (0..game.functions.len()).map(FuncId::from) {
        let [stmt] = &game.function(func).body[..] else {
            continue;
        };
        let StmtKind::Return(Some(set)) = &stmt.kind else {
            continue;
        };
        let Some(other) = rewritten(game, &effects, func, &set.clone()) else {
            continue;
        };
        game.functions[func.index()].body[0].kind = StmtKind::Return(Some(other));
        changed = true;
    }
    if changed {
        simplify(game);
        drop_tables(game);
    }
}

/// The same set in a shorter form.
fn rewritten(game: &mut Game, effects: &Effects, func: FuncId, set: &Expr) -> Option<Expr> {
    let Type::Set(places) = set.ty else {
        return None;
    };
    let effect = effects.expr(game, set);
    let free = !(effect.may_fault || effect.works || effect.fails);
    if !free || !effect.is_pure() || !effect.reads.env.is_empty() {
        return None;
    }
    let mut shape = Shape {
        game,
        effects,
        locals: SortedSet::new(),
        things: Things::default(),
    };
    shape.add(set);
    if shape.locals.len() > 1 || !shape.things.number() {
        return None;
    }
    let by = shape.locals.first().copied();
    let domain = match by.map(|by| &game.function(func).local(by).ty) {
        Some(Type::Elem(domain)) => Some(*domain),
        Some(_) => return None,
        None => None,
    };
    let things = shape.things;
    let rows = domain.map_or(1, |domain| game.domain(domain).len());
    let width = game.domain(places).len();
    if rows * width * expr_nodes(set) > MOST_WORK {
        return None;
    }
    let question = Question {
        game,
        things: &things,
        width,
    };
    let mut asked: SortedMap<Truth, Vec<Vec<u32>>> = SortedMap::new();
    let mut locals = vec![None; by.map_or(0, |by| by.index() + 1)];
    for row in 0..rows {
        if let Some(by) = by {
            locals[by.index()] = Some(Const::Elem(row as u32));
        }
        for (place, truth) in question.set(set, &locals)?.into_iter().enumerate() {
            if truth != 0 {
                let all = asked.entry(truth).or_insert_with(|| vec![Vec::new(); rows]);
                all[row].push(place as u32);
            }
        }
        if asked.len() > MOST_QUESTIONS {
            return None;
        }
    }
    let mut whole = Written::Nothing;
    let tables = game.tables.len();
    for (truth, rows) in asked {
        let left = things.write(game, truth, &set.ty, set.span);
        let within = of_rows(game, by.zip(domain), places, rows, set);
        whole = whole.joins(within.meets(left));
    }
    let other = whole.expr(&set.ty, set.span);
    let worth = match game.tables.len() == tables {
        true => 0,
        false => ONE_CONSTANT,
    };
    if expr_nodes(&other) + worth < expr_nodes(set) {
        return Some(other);
    }
    game.tables.truncate(tables);
    None
}

/// The row of a table, or a constant.
fn of_rows(
    game: &mut Game,
    by: Option<(LocalId, DomainId)>,
    places: DomainId,
    rows: Vec<Vec<u32>>,
    set: &Expr,
) -> Written {
    let span = set.span;
    let alike = rows.windows(2).all(|pair| pair[0] == pair[1]);
    if let (true, Some(row)) = (alike, rows.first()) {
        return match row.len() == game.domain(places).len() {
            true => Written::All,
            false => Written::Set(Expr::constant(
                Const::Set(row.clone()),
                set.ty.clone(),
                span,
            )),
        };
    }
    let Some((local, domain)) = by else {
        return Written::Nothing;
    };
    let table = Table {
        name: "rows".to_owned(),
        axes: vec![Axis::Domain(domain)],
        ty: set.ty.clone(),
        values: rows.into_iter().map(Const::Set).collect(),
        outside: None,
        span,
    };
    let table = known_or_new(game, table);
    let index = Expr::local(local, Type::Elem(domain), span);
    Written::Set(Expr::lookup(game, table, vec![index], span))
}

/// How a set is put together.
struct Shape<'g> {
    game: &'g Game,
    effects: &'g Effects,
    /// The local variables that constants are looked up by.
    locals: SortedSet<LocalId>,
    things: Things,
}

impl Shape<'_> {
    fn add(&mut self, expr: &Expr) {
        if self.is_constant(expr) {
            expr.walk(&mut |part| {
                if let ExprKind::Local(local) = part.kind {
                    self.locals.insert(local);
                }
            });
            return;
        }
        match (&expr.kind, &expr.ty) {
            (kind, Type::Set(_) | Type::Bool) if is_joint(kind, &expr.ty) => {
                expr.children(&mut |child| self.add(child));
            }
            (_, Type::Bool) => self.things.add_condition(expr),
            _ => self.things.add_set(self.game, expr),
        }
    }

    /// Whether an expression is the same in all positions.
    fn is_constant(&self, expr: &Expr) -> bool {
        let effect = self.effects.expr(self.game, expr);
        let mut plain = effect.reads.is_empty() && !effect.works;
        // Nobody knows what is bound inside.
        expr.walk(&mut |part| {
            plain &= !matches!(
                part.kind,
                ExprKind::Fold { .. }
                    | ExprKind::Collect { .. }
                    | ExprKind::First { .. }
                    | ExprKind::Walk { .. }
                    | ExprKind::Closure { .. }
                    | ExprKind::Related(..)
                    | ExprKind::Listened
                    | ExprKind::Seen(_)
                    | ExprKind::Alike(..)
            );
        });
        plain
    }
}

/// Whether an operation joins sets, or truth values, of which each place is asked by itself.
fn is_joint(kind: &ExprKind, ty: &Type) -> bool {
    match (kind, ty) {
        (ExprKind::If(..), _) => true,
        (ExprKind::Unary(UnaryOp::Not, _), Type::Bool) => true,
        (ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..), Type::Bool) => true,
        (ExprKind::Unary(UnaryOp::Complement, _), Type::Set(_)) => true,
        (ExprKind::Binary(op, ..), Type::Set(_)) => {
            matches!(op, BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus)
        }
        _ => false,
    }
}

/// What a set asks of each place once constants are known.
struct Question<'a> {
    game: &'a Game,
    things: &'a Things,
    width: usize,
}

impl Question<'_> {
    fn set(&self, set: &Expr, locals: &[Option<Const>]) -> Option<Vec<Truth>> {
        let full = self.things.full();
        let two = |a: &Expr, b: &Expr, join: fn(Truth, Truth) -> Truth| {
            let pairs = self.set(a, locals)?.into_iter().zip(self.set(b, locals)?);
            Some(pairs.map(|(a, b)| join(a, b)).collect::<Vec<Truth>>())
        };
        if let Some(truth) = self.things.of(set) {
            return Some(vec![truth; self.width]);
        }
        match &set.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => two(a, b, |a, b| a | b),
            ExprKind::Binary(BinaryOp::Intersect, a, b) => two(a, b, |a, b| a & b),
            ExprKind::Binary(BinaryOp::Minus, a, b) => two(a, b, |a, b| a & !b),
            ExprKind::Unary(UnaryOp::Complement, a) => {
                let inner = self.set(a, locals)?;
                Some(inner.into_iter().map(|truth| full & !truth).collect())
            }
            ExprKind::If(cond, yes, no) => {
                let cond = self.condition(cond, locals)?;
                let yes = self.set(yes, locals)?;
                let pairs = yes.into_iter().zip(self.set(no, locals)?);
                Some(pairs.map(|(y, n)| y & cond | n & !cond).collect())
            }
            _ => {
                let Const::Set(members) = evaluate(self.game, set, locals, DEPTH)? else {
                    return None;
                };
                let mut all = vec![0; self.width];
                for member in members {
                    *all.get_mut(member as usize)? = full;
                }
                Some(all)
            }
        }
    }

    fn condition(&self, cond: &Expr, locals: &[Option<Const>]) -> Option<Truth> {
        let full = self.things.full();
        if let Some(truth) = self.things.of(cond) {
            return Some(truth);
        }
        let of = |expr: &Expr| self.condition(expr, locals);
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Some(full & !of(a)?),
            ExprKind::Binary(BinaryOp::And, a, b) => Some(of(a)? & of(b)?),
            ExprKind::Binary(BinaryOp::Or, a, b) => Some(of(a)? | of(b)?),
            ExprKind::If(cond, yes, no) => {
                let cond = of(cond)?;
                Some(of(yes)? & cond | of(no)? & !cond)
            }
            _ => match evaluate(self.game, cond, locals, DEPTH)? {
                Const::Bool(true) => Some(full),
                Const::Bool(false) => Some(0),
                _ => None,
            },
        }
    }
}
