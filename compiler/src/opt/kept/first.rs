//! What is kept is asked first.
//!
//! An answer that is kept costs nothing where it is asked again. So a function that asks one question of several things, in
//! whatever order and however it puts the answers together, begins with the one that is kept, if that decides it: a game that ends
//! when neither side can move asks the side to move first. What an answer decides is found by following all ways through the
//! function, for each value of the variable that tells what is kept.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::free_locals;
use crate::ir::walk::rewrite;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Game, LocalId, Stmt, StmtKind, Type, UnaryOp,
    value,
};
use crate::opt::locals::replace_reads;
use crate::opt::simplify::negated;

use super::{Question, only_reads};

/// For each of this many conditions, in which of all cases it holds.
const HOLDS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];
/// Values of the variable that tells what is kept.
const MOST_VALUES: usize = 8;
/// Statements that are followed for one of them.
const MOST_STEPS: usize = 200;
/// Calls in one another.
const DEPTH: usize = 8;

/// The functions that begin with the answer that is kept, with their bodies.
pub(super) fn asked_first(
    game: &Game,
    effects: &Effects,
    question: &Question,
) -> Vec<(FuncId, Block)> {
    let Some(told) = told_by(question) else {
        return Vec::new();
    };
    let values = value::values_of(game, &told.ty);
    if values.is_empty() || values.len() > MOST_VALUES {
        return Vec::new();
    }
    let functions = (0..game.functions.len()).map(FuncId::from);
    functions
        .filter(|func| *func != question.func && only_asks(game, effects, question, *func))
        .filter_map(|func| {
            let decisions = values.iter().map(|value| {
                let paths = Paths {
                    game,
                    effects,
                    question,
                    told,
                    value,
                    conditions: Vec::new(),
                    steps: MOST_STEPS,
                };
                paths.decision(func)
            });
            let decisions: Vec<Decision> = decisions.collect::<Option<_>>()?;
            let (first, others) = decisions.split_first()?;
            let alike = others.iter().all(|other| first.is_same(other));
            let asks_it_first = decisions.iter().all(|decision| decision.is_first);
            if !alike || asks_it_first {
                return None;
            }
            let mut body = vec![first.stmt()];
            body.extend_from_slice(&game.function(func).body);
            Some((func, body))
        })
        .collect()
}

/// The one variable of the state that tells what the question is asked of.
fn told_by(question: &Question) -> Option<&Expr> {
    let mut told: Option<&Expr> = None;
    let mut plain = true;
    for arg in &question.args {
        arg.walk(&mut |expr| {
            if let ExprKind::Var(_, index) = &expr.kind {
                plain &= index.is_empty() && told.is_none_or(|told| same(told, expr));
                told = Some(expr);
            }
        });
    }
    told.filter(|_| plain)
}

/// Whether a function comes to a truth value by asking the question, and does nothing else.
fn only_asks(game: &Game, effects: &Effects, question: &Question, func: FuncId) -> bool {
    let asks = effects.reaches(func).contains(&question.func);
    asks && only_reads(effects.function(func))
        && !effects.is_recursive(func)
        && game.function(func).ret == Some(Type::Bool)
}

/// What a function comes to where a condition on the kept answer has a value.
struct Decision {
    condition: Expr,
    holds: bool,
    answer: bool,
    /// Whether the function asks it before all others.
    is_first: bool,
}

impl Decision {
    fn is_same(&self, other: &Decision) -> bool {
        let values = |decision: &Decision| (decision.holds, decision.answer);
        values(self) == values(other) && same(&self.condition, &other.condition)
    }

    /// The statement that gives the answer where it is known.
    fn stmt(&self) -> Stmt {
        let span = self.condition.span;
        let answer = Expr::constant(Const::Bool(self.answer), Type::Bool, span);
        let condition = match self.holds {
            true => self.condition.clone(),
            false => negated(self.condition.clone()),
        };
        let gives = Stmt::new(StmtKind::Return(Some(answer)), span);
        Stmt::new(StmtKind::If(condition, vec![gives], Vec::new()), span)
    }
}

/// What a local variable holds: in which cases a truth value holds, or something that the state alone tells.
#[derive(Clone)]
enum Held {
    Truth(u64),
    Value(Expr),
}

type Locals = SortedMap<LocalId, Held>;

/// The ways through a function, where the variable that tells what is kept has one value.
struct Paths<'a> {
    game: &'a Game,
    effects: &'a Effects,
    question: &'a Question,
    told: &'a Expr,
    value: &'a Const,
    /// The conditions that are told apart, in the order in which they are asked.
    conditions: Vec<Expr>,
    steps: usize,
}

impl<'a> Paths<'a> {
    /// What the kept answer decides; nothing where it decides nothing.
    fn decision(mut self, func: FuncId) -> Option<Decision> {
        let cases = self.answer(func, Locals::new(), DEPTH)?;
        let args = self.question.args.iter().map(|arg| self.constant(arg));
        let args: Vec<Const> = args.collect::<Option<_>>()?;
        let kept = self.conditions.iter().position(|condition| {
            let mut calls = 0;
            let mut others = false;
            self.each_question(condition, &mut |asked| {
                calls += 1;
                others |= !asked.iter().map(Expr::as_const).eq(args.iter().map(Some));
            });
            calls > 0 && !others
        })?;
        let (holds, answer) = [true, false].into_iter().find_map(|holds| {
            let asked = if holds { HOLDS[kept] } else { !HOLDS[kept] };
            match cases & asked {
                0 => Some((holds, false)),
                all if all == asked => Some((holds, true)),
                _ => None,
            }
        })?;
        let mut condition = self.conditions.swap_remove(kept);
        rewrite(&mut condition, &mut |expr| {
            if let ExprKind::Call(func, args) = &mut expr.kind
                && *func == self.question.func
            {
                args.clone_from(&self.question.args);
            }
        });
        let effect = self.effects.expr(self.game, &condition);
        only_reads(&effect).then_some(Decision {
            condition,
            holds,
            answer,
            is_first: kept == 0,
        })
    }

    fn each_question(&self, expr: &Expr, f: &mut dyn FnMut(&[Expr])) {
        expr.walk(&mut |expr| {
            if let ExprKind::Call(func, args) = &expr.kind
                && *func == self.question.func
            {
                f(args);
            }
        });
    }

    /// In which cases a function answers yes.
    fn answer(&mut self, func: FuncId, locals: Locals, depth: usize) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let function = self.game.function(func);
        self.follow(vec![&function.body], locals, depth)
    }

    /// The same of blocks that follow one another, the last of them first.
    fn follow(
        &mut self,
        mut blocks: Vec<&'a [Stmt]>,
        mut locals: Locals,
        depth: usize,
    ) -> Option<u64> {
        loop {
            let Some((stmt, rest)) = blocks.pop()?.split_first() else {
                continue;
            };
            self.steps = self.steps.checked_sub(1)?;
            blocks.push(rest);
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    let held = self.held(value, &locals, depth)?;
                    locals.insert(*local, held);
                }
                StmtKind::Call { func, args, into } => {
                    let held = self.called(*func, args, &locals, depth)?;
                    locals.insert((*into)?, held);
                }
                StmtKind::If(cond, yes, no) => match self.truth(cond, &locals, depth)? {
                    u64::MAX => blocks.push(yes),
                    0 => blocks.push(no),
                    cond => {
                        let mut others = blocks.clone();
                        blocks.push(yes);
                        others.push(no);
                        let yes = self.follow(blocks, locals.clone(), depth)?;
                        let no = self.follow(others, locals, depth)?;
                        return Some(cond & yes | !cond & no);
                    }
                },
                StmtKind::Return(Some(value)) => return self.truth(value, &locals, depth),
                _ => return None,
            }
        }
    }

    fn held(&mut self, expr: &Expr, locals: &Locals, depth: usize) -> Option<Held> {
        match expr.ty {
            Type::Bool => self.truth(expr, locals, depth).map(Held::Truth),
            _ => self.settled(expr, locals).map(Held::Value),
        }
    }

    /// What a call gives.
    fn called(
        &mut self,
        func: FuncId,
        args: &[Expr],
        locals: &Locals,
        depth: usize,
    ) -> Option<Held> {
        let function = self.game.function(func);
        let ty = function.ret.clone()?;
        if ty != Type::Bool || !self.effects.reaches(func).contains(&self.question.func) {
            let span = function.span;
            let call = Expr::new(ExprKind::Call(func, args.to_vec()), ty, span);
            return self.held(&call, locals, depth);
        }
        let mut inner = Locals::new();
        for (place, arg) in args.iter().enumerate() {
            inner.insert(LocalId::from(place), self.held(arg, locals, depth)?);
        }
        self.answer(func, inner, depth).map(Held::Truth)
    }

    /// In which cases an expression holds.
    fn truth(&mut self, expr: &Expr, locals: &Locals, depth: usize) -> Option<u64> {
        Some(match &expr.kind {
            ExprKind::Local(local) => match locals.get(local)? {
                Held::Truth(cases) => *cases,
                Held::Value(_) => return None,
            },
            ExprKind::Unary(UnaryOp::Not, a) => !self.truth(a, locals, depth)?,
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.truth(a, locals, depth)? & self.truth(b, locals, depth)?
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                self.truth(a, locals, depth)? | self.truth(b, locals, depth)?
            }
            ExprKind::If(cond, yes, no) => {
                let cond = self.truth(cond, locals, depth)?;
                cond & self.truth(yes, locals, depth)? | !cond & self.truth(no, locals, depth)?
            }
            ExprKind::Call(func, args)
                if self.effects.reaches(*func).contains(&self.question.func) =>
            {
                match self.called(*func, args, locals, depth)? {
                    Held::Truth(cases) => cases,
                    Held::Value(_) => return None,
                }
            }
            _ => return self.condition(expr, locals),
        })
    }

    /// The cases of a condition that is not looked into.
    fn condition(&mut self, expr: &Expr, locals: &Locals) -> Option<u64> {
        let condition = self.settled(expr, locals)?;
        if let Some(Const::Bool(holds)) = condition.as_const() {
            return Some(if *holds { u64::MAX } else { 0 });
        }
        let known = |other: &Expr| same(other, &condition);
        let at = self.conditions.iter().position(known).unwrap_or_else(|| {
            self.conditions.push(condition);
            self.conditions.len() - 1
        });
        HOLDS.get(at).copied()
    }

    /// An expression that the state alone tells, with what is known of it.
    fn settled(&self, expr: &Expr, locals: &Locals) -> Option<Expr> {
        let mut settled = expr.clone();
        replace_reads(&mut settled, &|local| match locals.get(&local)? {
            Held::Value(value) => Some(value.clone()),
            Held::Truth(u64::MAX) => Some(Expr::constant(Const::Bool(true), Type::Bool, expr.span)),
            Held::Truth(0) => Some(Expr::constant(Const::Bool(false), Type::Bool, expr.span)),
            Held::Truth(_) => None,
        });
        if !free_locals(&settled).is_empty() {
            return None;
        }
        if let Some(value) = self.constant(&settled) {
            return Some(Expr::constant(value, settled.ty, settled.span));
        }
        rewrite(&mut settled, &mut |expr| {
            if let ExprKind::Call(func, args) = &mut expr.kind
                && *func == self.question.func
            {
                for arg in args {
                    if let Some(value) = self.constant(arg) {
                        *arg = Expr::constant(value, arg.ty.clone(), arg.span);
                    }
                }
            }
        });
        Some(settled)
    }

    /// The value of an expression that only the variable tells.
    fn constant(&self, expr: &Expr) -> Option<Const> {
        value::partial(self.game, expr, &|expr| {
            same(expr, self.told).then(|| self.value.clone())
        })
    }
}
