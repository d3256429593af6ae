//! Guards taken apart: conditions that can be asked on their own come first, and what is left is asked of all parameters.

use std::collections::BTreeMap;

use super::{Maker, harmless};
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Function, LocalId, Stmt, StmtKind, Type, UnaryOp,
};

/// Statements and expressions of a value that may stand in several places.
const MOST_NODES: usize = 40;

/// A guard while it is taken apart.
pub(super) struct Split<'m, 'g> {
    pub(super) maker: &'m Maker<'g>,
    pub(super) function: &'m Function,
    /// Conditions that move forward.
    pub(super) conditions: Vec<Expr>,
    /// Whether nothing before the present place may fault or spend work.
    pub(super) harmless: bool,
}

impl Split<'_, '_> {
    /// The body with local variables that get a value once, which nothing changes, replaced by that value.
    pub(super) fn in_place(&self, body: &[Stmt]) -> Vec<Stmt> {
        let mut values: BTreeMap<LocalId, Expr> = BTreeMap::new();
        let mut left = Vec::new();
        for stmt in body {
            let mut stmt = stmt.clone();
            let mut replace = |expr: &mut Expr| {
                if let ExprKind::Local(local) = &expr.kind
                    && let Some(value) = values.get(local)
                {
                    *expr = value.clone();
                }
            };
            stmt.children_mut(&mut |expr| crate::ir::walk::rewrite(expr, &mut replace));
            stmt.blocks_mut(&mut |block| crate::ir::walk::rewrite_block(block, &mut replace));
            match &stmt.kind {
                StmtKind::Let(local, value)
                    if local.index() >= self.function.params
                        && self.stores_harmlessly(&stmt.kind)
                        && self.maker.effect(value).reads.env.is_empty()
                        && names_parameters_only(self.function, value)
                        && crate::ir::visit::nodes(std::slice::from_ref(&stmt)) <= MOST_NODES
                        && times_assigned(&self.function.body, *local) == 1 =>
                {
                    values.insert(*local, value.clone());
                }
                _ => left.push(stmt),
            }
        }
        left
    }

    pub(super) fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        let mut rest = Vec::new();
        for stmt in block {
            match self.harmless {
                true => rest.extend(self.stmt(stmt)),
                false => rest.push(stmt.clone()),
            }
        }
        rest
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Return(Some(value)) => {
                let left = self.left_of(value);
                self.harmless = false;
                StmtKind::Return(Some(left))
            }
            StmtKind::If(cond, yes, no) if no.is_empty() && returns_false(yes) => {
                let left = self.left_of(&negated(cond));
                if is_true(&left) {
                    return None;
                }
                StmtKind::If(negated(&left), yes.clone(), Vec::new())
            }
            StmtKind::Call { func, args, .. } => {
                let effects = self.maker.effects;
                let called = harmless(effects.function(*func)) && !effects.is_recursive(*func);
                self.harmless &= called && args.iter().all(|arg| self.maker.is_harmless(arg));
                stmt.kind.clone()
            }
            kind => {
                self.harmless &= self.stores_harmlessly(kind);
                kind.clone()
            }
        };
        Some(Stmt::new(kind, stmt.span))
    }

    /// Whether it is a store that always succeeds and does nothing else.
    fn stores_harmlessly(&self, kind: &StmtKind) -> bool {
        let (ty, value) = match kind {
            StmtKind::SetEnv(var, value) => (&self.maker.game.env[var.index()].ty, value),
            StmtKind::Let(local, value) => (&self.function.local(*local).ty, value),
            _ => return false,
        };
        ty.contains(&value.ty) && self.maker.is_harmless(value)
    }

    /// What is left of a condition when parts of it move forward.
    fn left_of(&mut self, cond: &Expr) -> Expr {
        if let ExprKind::Unary(UnaryOp::Not, a) = &cond.kind
            && matches!(
                a.kind,
                ExprKind::Binary(BinaryOp::Or, ..) | ExprKind::Unary(UnaryOp::Not, _)
            )
        {
            return match &a.kind {
                ExprKind::Unary(_, a) => self.left_of(a),
                _ => self.left_of(&negated(a)),
            };
        }
        if let ExprKind::Binary(BinaryOp::And, a, b) = &cond.kind {
            let a = self.left_of(a);
            let b = match self.harmless {
                true => self.left_of(b),
                false => b.as_ref().clone(),
            };
            return match (is_true(&a), is_true(&b)) {
                (true, _) => b,
                (_, true) => a,
                _ => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b));
                    Expr::new(kind, Type::Bool, cond.span)
                }
            };
        }
        if !self.maker.is_harmless(cond) {
            self.harmless = false;
            return cond.clone();
        }
        let effect = self.maker.effect(cond);
        if effect.reads.env.is_empty() && names_parameters_only(self.function, cond) {
            self.conditions.push(cond.clone());
            return Expr::new(ExprKind::Const(Const::Bool(true)), Type::Bool, cond.span);
        }
        cond.clone()
    }
}

/// How often statements and expressions give a local variable a value.
fn times_assigned(body: &[Stmt], local: LocalId) -> usize {
    let mut times = 0;
    walk_block(body, &mut |stmt| match &stmt.kind {
        StmtKind::Let(l, _)
        | StmtKind::For { local: l, .. }
        | StmtKind::ForEach(l, ..)
        | StmtKind::Call { into: Some(l), .. } => times += usize::from(*l == local),
        StmtKind::Trial { ok, value, .. } => {
            times += usize::from(*ok == local);
            times += usize::from(value.as_ref().is_some_and(|(_, l)| *l == local));
        }
        _ => {}
    });
    walk_exprs(body, &mut |expr| match &expr.kind {
        ExprKind::Fold { local: l, .. }
        | ExprKind::Collect { local: l, .. }
        | ExprKind::First { local: l, .. }
        | ExprKind::Walk { local: l, .. }
        | ExprKind::Closure { local: l, .. } => times += usize::from(*l == local),
        _ => {}
    });
    times
}

pub(super) fn is_true(expr: &Expr) -> bool {
    expr.as_const() == Some(&Const::Bool(true))
}

/// The contrary of a condition, with what it negates inside.
fn negated(cond: &Expr) -> Expr {
    let kind = match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, a) => return a.as_ref().clone(),
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            ExprKind::Binary(BinaryOp::And, Box::new(negated(a)), Box::new(negated(b)))
        }
        ExprKind::Binary(BinaryOp::And, a, b) => {
            ExprKind::Binary(BinaryOp::Or, Box::new(negated(a)), Box::new(negated(b)))
        }
        _ => ExprKind::Unary(UnaryOp::Not, Box::new(cond.clone())),
    };
    Expr::new(kind, Type::Bool, cond.span)
}

fn returns_false(block: &[Stmt]) -> bool {
    matches!(block, [Stmt { kind: StmtKind::Return(Some(value)), .. }]
        if value.as_const() == Some(&Const::Bool(false)))
}

/// Whether all local variables in an expression are parameters of the function or bound in it.
fn names_parameters_only(function: &Function, expr: &Expr) -> bool {
    let mut bound = Vec::new();
    expr.walk(&mut |expr| match &expr.kind {
        ExprKind::Fold { local, .. }
        | ExprKind::Collect { local, .. }
        | ExprKind::First { local, .. }
        | ExprKind::Walk { local, .. }
        | ExprKind::Closure { local, .. } => bound.push(*local),
        _ => {}
    });
    let mut only = bound.iter().all(|local| local.index() >= function.params);
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            only &= local.index() < function.params || bound.contains(&local);
        }
    });
    only
}

/// The parameters that some expressions name, ascending.
pub(super) fn parameters_in<'e>(
    function: &Function,
    walk: impl FnOnce(&mut dyn FnMut(&'e Expr)),
) -> Vec<usize> {
    let mut named = std::collections::BTreeSet::new();
    walk(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind
            && local.index() < function.params
        {
            named.insert(local.index());
        }
    });
    named.into_iter().collect()
}
