//! Guards taken apart: conditions that can be asked on their own come first, and what is left is asked of all parameters.

use std::collections::BTreeMap;

use super::constants::{constant, is_constant_kind};
use super::set::replace;
use super::{Maker, harmless};
use crate::ir::effects::Effect;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Const, EnvId, Expr, ExprKind, Family, Function, LocalId, ParamSource, Stmt, StmtKind,
    Type, UnaryOp, VarId,
};

/// Statements and expressions of a value that may stand in several places.
const MOST_NODES: usize = 40;

/// Numbers that a variable may be, which are tried one by one.
const MOST_VALUES: u64 = 256;

/// A guard while it is taken apart.
pub(super) struct Split<'m, 'g> {
    pub(super) maker: &'m Maker<'g>,
    pub(super) family: &'m Family,
    pub(super) function: &'m Function,
    /// Conditions that move forward.
    pub(super) conditions: Vec<Expr>,
    /// Whether nothing before the present place may fault or spend work.
    pub(super) harmless: bool,
    /// Whether nothing at all may.
    pub(super) sound: bool,
}

/// What the variables hold that a guard has given a value.
#[derive(Default)]
struct Held {
    locals: BTreeMap<LocalId, Expr>,
    env: BTreeMap<EnvId, Expr>,
}

impl Held {
    /// Puts values in the place of the variables that hold them.
    fn replace(&self, expr: &mut Expr) {
        let value = match &expr.kind {
            ExprKind::Local(local) => self.locals.get(local),
            ExprKind::Env { var, .. } => self.env.get(var),
            _ => None,
        };
        if let Some(value) = value {
            *expr = value.clone();
        }
    }
}

impl<'m> Split<'m, '_> {
    /// The body with local variables that get a value once, which nothing changes, and those of the environment replaced by
    /// that value, and with what is there for all candidates got without a test.
    pub(super) fn in_place(&self, body: &[Stmt]) -> Vec<Stmt> {
        let mut held = Held::default();
        let mut left = Vec::new();
        for stmt in body {
            let mut stmt = stmt.clone();
            let sets = matches!(stmt.kind, StmtKind::SetEnv(..));
            let writes = self.effect_of(&stmt).writes.env;
            if !sets {
                held.env.retain(|var, _| !writes.contains(var));
            }
            let mut replace = |expr: &mut Expr| {
                held.replace(expr);
                self.get_surely(expr);
            };
            stmt.children_mut(&mut |expr| crate::ir::walk::rewrite(expr, &mut replace));
            stmt.blocks_mut(&mut |block| crate::ir::walk::rewrite_block(block, &mut replace));
            match &stmt.kind {
                StmtKind::Let(local, value)
                    if local.index() >= self.function.params
                        && self.may_stand(&stmt, value)
                        && times_assigned(&self.function.body, *local) == 1 =>
                {
                    held.locals.insert(*local, value.clone());
                }
                StmtKind::SetEnv(var, value) => {
                    let same = self.maker.game.env[var.index()].ty == value.ty;
                    match same && self.may_stand(&stmt, value) {
                        true => held.env.insert(*var, value.clone()),
                        false => held.env.remove(var),
                    };
                    left.push(stmt);
                }
                _ => left.push(stmt),
            }
        }
        self.without_unread(left)
    }

    /// Whether a value that a statement stores may stand where the variable is read.
    fn may_stand(&self, stmt: &Stmt, value: &Expr) -> bool {
        self.stores_harmlessly(&stmt.kind)
            && self.maker.effect(value).reads.env.is_empty()
            && names_parameters_only(self.function, value)
            && crate::ir::visit::nodes(std::slice::from_ref(stmt)) <= MOST_NODES
    }

    /// The effect of one statement.
    fn effect_of(&self, stmt: &Stmt) -> Effect {
        let block = std::slice::from_ref(stmt);
        let (effects, game) = (self.maker.effects, self.maker.game);
        effects.block(game, &self.function.locals, block)
    }

    /// Leaves out what gives variables of the environment values that nothing reads: the guard itself is all that could.
    fn without_unread(&self, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let mut read = Effect::default();
        for stmt in &body {
            read.join(&self.effect_of(stmt));
        }
        body.retain(|stmt| match &stmt.kind {
            StmtKind::SetEnv(var, _) => {
                read.reads.env.contains(var) || !self.stores_harmlessly(&stmt.kind)
            }
            _ => true,
        });
        body
    }

    /// What is got is there for every value of a parameter for which there are candidates at all: for others, which only matters
    /// where it is asked before these are known, it may be anything.
    fn get_surely(&self, expr: &mut Expr) {
        let ExprKind::Get(what) = &expr.kind else {
            return;
        };
        let Some(Leaf::Local(local)) = self.maker.leaf(what) else {
            return;
        };
        let Some(param) = local.index().checked_sub(self.family.context.len()) else {
            return;
        };
        let row = self
            .family
            .params
            .iter()
            .find_map(|other| match other.source {
                ParamSource::Listed { by, table } if by == param => Some(table),
                _ => None,
            });
        let Some(table) = row.filter(|_| !self.maker.is_sure(expr)) else {
            return;
        };
        let rows = self.maker.game.table(table).values.iter().enumerate();
        let mut rows = rows.filter(|(_, row)| !matches!(row, Const::Set(row) if row.is_empty()));
        let is_there = |member: usize| {
            let member = Const::Elem(member as u32);
            let given = |expr: &Expr| match expr.kind {
                ExprKind::Local(l) if l == local => Some(member.clone()),
                _ => None,
            };
            constant(self.maker.game, expr, &given).is_some()
        };
        if matches!(expr.ty, Type::Elem(_)) && rows.all(|(member, _)| is_there(member)) {
            let any = Expr::new(ExprKind::Const(Const::Elem(0)), expr.ty.clone(), expr.span);
            expr.kind = ExprKind::OrElse(what.clone(), Box::new(any));
        }
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
                self.sound = std::mem::take(&mut self.harmless);
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
        ty.contains(&value.ty) && (self.maker.is_harmless(value) || self.maker.is_sure(value))
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
        if !self.maker.is_harmless(cond) && !self.maker.is_sure(cond) {
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

/// The one thing that an expression looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Local(LocalId),
    Var(VarId),
}

impl Leaf {
    fn of(expr: &Expr) -> Option<Leaf> {
        match &expr.kind {
            ExprKind::Local(local) => Some(Leaf::Local(*local)),
            ExprKind::Var(var, index) if index.is_empty() => Some(Leaf::Var(*var)),
            _ => None,
        }
    }
}

impl Maker<'_> {
    /// The one variable that an expression looks at, if it is that and constants.
    fn leaf(&self, expr: &Expr) -> Option<Leaf> {
        let (mut leaf, mut only) = (None, true);
        expr.walk(&mut |expr| match Leaf::of(expr) {
            Some(found) => {
                only &= leaf.is_none_or(|known| known == found);
                leaf = Some(found);
            }
            None => only &= is_constant_kind(&expr.kind),
        });
        leaf.filter(|_| only)
    }

    /// Whether evaluating an expression can neither fault nor spend work, since what types let fault does not for any value of the
    /// one variable that it looks at.
    fn is_sure(&self, expr: &Expr) -> bool {
        let mut without = expr.clone();
        let mut found = false;
        replace(&mut without, &mut |expr| {
            let sure = crate::ir::effects::may_fault(self.game, expr) && self.never_faults(expr);
            found |= sure;
            // Anything that cannot fault.
            let none = ExprKind::Const(Const::None);
            sure.then(|| Expr::new(none, expr.ty.clone(), expr.span))
        });
        found && harmless(&self.effect(&without))
    }

    fn never_faults(&self, expr: &Expr) -> bool {
        let Some(leaf) = self.leaf(expr) else {
            return false;
        };
        let mut ty = None;
        expr.walk(&mut |expr| {
            if Leaf::of(expr) == Some(leaf) {
                ty = Some(expr.ty.clone());
            }
        });
        let values: Vec<Const> = match ty {
            Some(Type::Elem(domain)) => {
                let len = self.game.domain(domain).len() as u32;
                (0..len).map(Const::Elem).collect()
            }
            Some(Type::Int { lo, hi }) if hi.wrapping_sub(lo) as u64 <= MOST_VALUES => {
                (lo..=hi).map(Const::Int).collect()
            }
            _ => return false,
        };
        values.into_iter().all(|value| {
            let given = |expr: &Expr| (Leaf::of(expr) == Some(leaf)).then(|| value.clone());
            constant(self.game, expr, &given).is_some()
        })
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
