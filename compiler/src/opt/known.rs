//! What a question asked before is known where it asks that again.
//!
//! A function that changes nothing finds the same answers from its start to its end. The guard of a second rule for the same
//! moves asks whether the first one admits them too, and so asks much of what it asked itself.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Block, EnvId, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type,
    UnaryOp,
};

use super::facts::{Conditions, assume, parts};
use super::locals::{bound_in, each_assigned, rename_block};
use super::simplify::leaves;

/// Uses in a guard what it asked before; whether there was anything to use. It must be asked as a guard alone, so that nobody sees
/// what it leaves in the environment.
pub(super) fn run(game: &mut Game, effects: &Effects, func: FuncId) -> bool {
    if !effects.function(func).is_guard() {
        return false;
    }
    let function = &game.functions[func.index()];
    let mut times: SortedMap<LocalId, usize> = SortedMap::new();
    walk_block(&function.body, &mut |stmt| {
        each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
    });
    for param in (0..function.params).map(LocalId::from) {
        *times.entry(param).or_default() += 1;
    }
    let walk = Walk {
        game,
        effects,
        function,
        times: &times,
    };
    let mut body = function.body.clone();
    let changed = walk.block(&mut body, &mut Known::default());
    let renamed = walk.without_copies(&mut body);
    let mut reads: SortedMap<LocalId, usize> = SortedMap::new();
    walk_exprs(&body, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            *reads.entry(local).or_default() += 1;
        }
    });
    let asked = walk.asked_at_once(&mut body, &reads);
    let asked = walk.without_idle_calls(&mut body) || asked;
    if changed || renamed || asked {
        game.functions[func.index()].body = body;
    }
    changed || renamed || asked
}

/// What is known at a point of a function.
#[derive(Clone, Default)]
struct Known {
    /// Conditions, and whether they hold.
    conditions: Vec<(Expr, bool)>,
    /// Variables that hold what these expressions give.
    values: Vec<(LocalId, Expr)>,
    /// Variables that hold what these calls gave.
    answers: Vec<(LocalId, FuncId, Vec<Expr>)>,
    /// What variables of the environment hold.
    held: Vec<(EnvId, Expr)>,
}

impl Known {
    fn add(&mut self, cond: &Expr, holds: bool) {
        let parts = parts(cond, holds).into_iter();
        self.conditions
            .extend(parts.map(|(part, holds)| (part.clone(), holds)));
    }

    /// Forgets what depends on a variable of the environment that gets another value.
    fn forget(&mut self, effects: &Effects, changed: EnvId) {
        let reads = |expr: &Expr| {
            let mut reads = false;
            expr.walk(&mut |expr| match &expr.kind {
                ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) => reads |= *var == changed,
                ExprKind::Call(func, _) => {
                    reads |= effects.function(*func).reads.env.contains(&changed);
                }
                _ => {}
            });
            reads
        };
        self.conditions.retain(|(cond, _)| !reads(cond));
        self.values.retain(|(_, value)| !reads(value));
        self.held
            .retain(|(var, value)| *var != changed && !reads(value));
        self.answers.retain(|(_, func, args)| {
            let effect = effects.function(*func);
            let touched =
                effect.reads.env.contains(&changed) || effect.scratch.env.contains(&changed);
            !touched && !args.iter().any(reads)
        });
    }
}

struct Walk<'a> {
    game: &'a Game,
    effects: &'a Effects,
    function: &'a Function,
    times: &'a SortedMap<LocalId, usize>,
}

impl Walk<'_> {
    /// Uses what is known in a block, and adds what it tells; whether any was used.
    fn block(&self, block: &mut Block, known: &mut Known) -> bool {
        let mut changed = false;
        for stmt in std::mem::take(block) {
            let mut stmt = stmt;
            changed |= self.in_own(&mut stmt, known);
            if self.is_held(&stmt, known) {
                changed = true;
                continue;
            }
            changed |= self.stmt(&mut stmt, known);
            block.push(stmt);
        }
        changed
    }

    /// Whether a statement gives a variable of the environment what it holds.
    fn is_held(&self, stmt: &Stmt, known: &Known) -> bool {
        let StmtKind::SetEnv(var, value) = &stmt.kind else {
            return false;
        };
        let mut held = known.held.iter();
        held.any(|(other, held)| other == var && same(held, value))
    }

    /// Reads variables that are copies of others as these; whether there were any.
    fn without_copies(&self, body: &mut Block) -> bool {
        let mut copies: SortedMap<LocalId, LocalId> = SortedMap::new();
        walk_block(body, &mut |stmt| {
            if let StmtKind::Let(copy, value) = &stmt.kind
                && let ExprKind::Local(of) = value.kind
                && self.is_once(*copy)
                && self.is_once(of)
                && self.ty(*copy) == self.ty(of)
            {
                copies.insert(*copy, copies.get(&of).copied().unwrap_or(of));
            }
        });
        if copies.is_empty() {
            return false;
        }
        drop_copies(body, &copies);
        rename_block(body, &mut |local| {
            copies.get(&local).copied().unwrap_or(local)
        });
        true
    }

    /// Asks where it is asked first thing what a variable holds that is there for that alone; whether there was any.
    fn asked_at_once(&self, body: &mut Block, reads: &SortedMap<LocalId, usize>) -> bool {
        let is_for_one = |local: LocalId| {
            self.is_once(local) && reads.get(&local) == Some(&1) && self.ty(local) == Type::Bool
        };
        let mut changed = false;
        let mut kept: Block = Block::new();
        for mut stmt in std::mem::take(body) {
            stmt.blocks_mut(&mut |inner| changed |= self.asked_at_once(inner, reads));
            if let Some(StmtKind::Let(local, value)) = kept.last().map(|last| &last.kind)
                && let StmtKind::If(asks, ..) | StmtKind::Return(Some(asks)) = &mut stmt.kind
                && is_for_one(*local)
                && let Some(first) = first_asked(asks, *local)
            {
                *first = value.clone();
                kept.pop();
                changed = true;
            }
            kept.push(stmt);
        }
        *body = kept;
        changed
    }

    /// Leaves out calls that ask something for nobody; whether there were any.
    fn without_idle_calls(&self, body: &mut Block) -> bool {
        let idle = (0..body.len()).find(|&at| self.is_idle(&body[at], &body[at + 1..]));
        idle.is_some_and(|at| {
            body.remove(at);
            self.without_idle_calls(body);
            true
        })
    }

    /// Whether a statement is a call that only asks, and nothing behind it sees that it was made.
    fn is_idle(&self, stmt: &Stmt, rest: &[Stmt]) -> bool {
        if !matches!(stmt.kind, StmtKind::Call { into: None, .. }) {
            return false;
        }
        let own = std::slice::from_ref(stmt);
        let effect = self.effects.block(self.game, &self.function.locals, own);
        let comes_back = !(effect.works || effect.fails || effect.may_fault);
        let mut left = effect.writes.env.iter();
        effect.is_guard() && comes_back && left.all(|&var| !self.is_read(var, rest))
    }

    /// Whether statements may read what a variable of the environment holds before them.
    fn is_read(&self, var: EnvId, block: &[Stmt]) -> bool {
        for stmt in block {
            let own = std::slice::from_ref(stmt);
            let effect = self.effects.block(self.game, &self.function.locals, own);
            if effect.reads.env.contains(&var) {
                return true;
            }
            if matches!(stmt.kind, StmtKind::SetEnv(own, _) if own == var) {
                return false;
            }
        }
        false
    }

    /// Uses what is known in the expressions of a statement itself.
    fn in_own(&self, stmt: &mut Stmt, known: &Known) -> bool {
        let facts = known.conditions.iter();
        let facts = facts.map(|(cond, holds)| (cond, *holds)).collect();
        // What a loop asks it asks again when its own variables have other values.
        match &mut stmt.kind {
            StmtKind::Let(_, asks) | StmtKind::If(asks, ..) | StmtKind::Return(Some(asks)) => {
                let known = assume(asks, &facts);
                with_constants(asks, &facts) || known
            }
            _ => false,
        }
    }

    fn stmt(&self, stmt: &mut Stmt, known: &mut Known) -> bool {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Let(local, value) => {
                let (local, value) = (*local, value.clone());
                self.value(stmt, local, &value, known)
            }
            StmtKind::SetEnv(var, value) => {
                let (var, value) = (*var, value.clone());
                known.forget(self.effects, var);
                if self.is_fixed(&value) {
                    known.held.push((var, value));
                }
                false
            }
            StmtKind::Call {
                func,
                args,
                into: Some(into),
            } => {
                let (func, args, into) = (*func, args.clone(), *into);
                let answers = known.answers.iter();
                let mut same_call = answers.filter(|(_, other, others)| {
                    func == *other && args.iter().zip(others).all(|(a, b)| same(a, b))
                });
                if let Some((local, ..)) = same_call.next() {
                    let ty = self.ty(*local);
                    stmt.kind = StmtKind::Let(into, Expr::local(*local, ty, span));
                    return true;
                }
                self.after(stmt, known);
                let effect = self.effects.function(func);
                let only_asks = effect.is_guard() && !effect.works && !effect.fails;
                if only_asks && self.is_once(into) && args.iter().all(|arg| self.is_fixed(arg)) {
                    known.answers.push((into, func, args));
                }
                false
            }
            StmtKind::If(cond, yes, no) => {
                let (mut if_so, mut if_not) = (known.clone(), known.clone());
                if self.is_fixed(cond) {
                    if_so.add(cond, true);
                    if_not.add(cond, false);
                }
                let changed = self.block(yes, &mut if_so);
                let changed = self.block(no, &mut if_not) || changed;
                let leaves = |block: &Block| block.last().is_some_and(leaves);
                match (leaves(yes), leaves(no)) {
                    (true, _) => *known = if_not,
                    (_, true) => *known = if_so,
                    _ => self.after(stmt, known),
                }
                changed
            }
            _ => {
                self.after(stmt, known);
                false
            }
        }
    }

    /// What a variable gets: what another one holds that got the same.
    fn value(&self, stmt: &mut Stmt, local: LocalId, value: &Expr, known: &mut Known) -> bool {
        let plain = matches!(value.kind, ExprKind::Local(_) | ExprKind::Const(_));
        if plain || !self.is_once(local) || !self.is_fixed(value) {
            return false;
        }
        let mut holders = known.values.iter().filter(|(_, held)| same(held, value));
        if let Some((other, _)) = holders.next() {
            let held = Expr::local(*other, self.ty(*other), stmt.span);
            stmt.kind = StmtKind::Let(local, held);
            return true;
        }
        known.values.push((local, value.clone()));
        false
    }

    /// Forgets what a statement may change.
    fn after(&self, stmt: &Stmt, known: &mut Known) {
        let own = std::slice::from_ref(stmt);
        let effect = self.effects.block(self.game, &self.function.locals, own);
        for &var in &effect.scratch.env {
            known.forget(self.effects, var);
        }
    }

    fn ty(&self, local: LocalId) -> Type {
        self.function.locals[local.index()].ty.clone()
    }

    /// Whether a variable gets its value at one point.
    fn is_once(&self, local: LocalId) -> bool {
        self.times.get(&local) == Some(&1)
    }

    /// Whether the variables that an expression reads keep their values.
    fn is_fixed(&self, expr: &Expr) -> bool {
        let mut fixed = true;
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) = expr.kind {
                fixed &= self.times.get(&local).is_none_or(|times| *times == 1);
            }
        });
        fixed
    }
}

/// Leaves out the statements that make copies.
fn drop_copies(block: &mut Block, copies: &SortedMap<LocalId, LocalId>) {
    block.retain(
        |stmt| !matches!(&stmt.kind, StmtKind::Let(local, _) if copies.contains_key(local)),
    );
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_copies(inner, copies));
    }
}

/// What a condition asks before anything else, if that is a variable.
fn first_asked(cond: &mut Expr, local: LocalId) -> Option<&mut Expr> {
    if cond.kind == ExprKind::Local(local) {
        return Some(cond);
    }
    match &mut cond.kind {
        ExprKind::Unary(UnaryOp::Not, first)
        | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => first_asked(first, local),
        _ => None,
    }
}

/// Puts constants in the place of what is known to equal them; whether there was any.
fn with_constants(expr: &mut Expr, facts: &Conditions) -> bool {
    let equal = facts.iter().filter_map(|(fact, holds)| match &fact.kind {
        ExprKind::Binary(BinaryOp::Eq, a, b) if *holds => Some((a, b)),
        ExprKind::Binary(BinaryOp::Ne, a, b) if !*holds => Some((a, b)),
        _ => None,
    });
    let known = equal.filter(|(a, b)| a.as_const().is_none() && b.as_const().is_some());
    let known: Vec<(&Expr, &Expr)> = known.map(|(a, b)| (&**a, &**b)).collect();
    !known.is_empty() && replaced(expr, &known)
}

fn replaced(expr: &mut Expr, known: &[(&Expr, &Expr)]) -> bool {
    let mut equal = known.iter().filter(|(of, _)| same(of, expr));
    if let Some((_, constant)) = equal.next() {
        expr.kind = constant.kind.clone();
        expr.ty = constant.ty.clone();
        return true;
    }
    if bound_in(expr).is_some() {
        return false;
    }
    let mut changed = false;
    expr.children_mut(&mut |child| changed |= replaced(child, known));
    changed
}
