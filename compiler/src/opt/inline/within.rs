//! What is asked in the middle of a condition, or in a branch, as one expression.
//!
//! A condition may be put together of questions that have names of their own: the same step for both players, or whose it is decides
//! between two of them; beside on a ring, or across. Who looks for what constants say of two parameters, and who takes conditions
//! apart, sees no more than calls there. A short question is the expression that its statements come to.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{expr_nodes, walk_block, walk_exprs};
use crate::ir::walk::{each_stmt_mut, rewrite_block};
use crate::ir::{Block, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type};
use crate::opt::attempts::truth_given;
use crate::opt::locals::{assigned, bound_in, replace_reads};
use crate::opt::simplify::{leaves, truth};

/// Nodes of an expression that may take the place of a call.
const NODES: usize = 60;
/// Nodes of a value that may stand in several places.
const SHORT: usize = 5;
/// How deep questions may ask questions.
const DEPTH: usize = 4;

/// Puts expressions in the place of calls in a guard; whether there were any.
pub(super) fn run(game: &mut Game, effects: &Effects, guard: FuncId) -> bool {
    let mut body = game.function(guard).body.clone();
    let mut found = false;
    for _ in 0..DEPTH {
        let mut changed = false;
        rewrite_block(&mut body, &mut |expr| {
            if let ExprKind::Call(func, args) = &expr.kind
                && let Some(asked) = asked(game, effects, *func, args, false)
            {
                *expr = asked.at(expr.span);
                changed = true;
            }
        });
        let reads = all_reads(&body);
        each_stmt_mut(&mut body, &mut |stmt| {
            if let StmtKind::Call {
                func,
                args,
                into: Some(into),
            } = &stmt.kind
                && let once = reads.get(into) == Some(&1)
                && let Some(asked) = asked(game, effects, *func, args, once)
            {
                stmt.kind = StmtKind::Let(*into, asked);
                changed = true;
            }
        });
        if !changed {
            break;
        }
        found = true;
    }
    if found {
        join(game, effects, &mut body);
        game.functions[guard.index()].body = body;
    }
    found
}

/// What a function asks of these arguments; `once` tells whether what it gives is read at one place.
fn asked(game: &Game, effects: &Effects, func: FuncId, args: &[Expr], once: bool) -> Option<Expr> {
    let function = game.function(func);
    let effect = effects.function(func);
    let plain = effect.is_pure() && !(effect.may_fault || effect.works || effect.fails);
    let question = function.ret == Some(Type::Bool);
    // A choice between places or numbers by what stands somewhere is one between the questions that are asked of them.
    let chosen = !question && once;
    let constant = effect.reads.placements.is_empty() || chosen;
    let own = constant && effect.reads.env.is_empty();
    if !(plain && own) || effects.is_recursive(func) {
        return None;
    }
    // What is no question is otherwise only put in the place of a call where it is as short as that.
    let most = if question || chosen { NODES } else { SHORT };
    let written = assigned(&function.body);
    let mut binds = false;
    walk_exprs(&function.body, &mut |expr| {
        binds |= bound_in(expr).is_some()
    });
    if binds || (0..function.params).any(|param| written.contains(&LocalId::from(param))) {
        return None;
    }
    let mut value = formula(&function.body, &assigned_once(function)?)?;
    for (param, arg) in args.iter().enumerate() {
        let times = reads(&value, LocalId::from(param));
        if !is_free(game, effects, arg) || times > 1 && expr_nodes(arg) > SHORT {
            return None;
        }
    }
    replace_reads(&mut value, &|local| args.get(local.index()).cloned());
    (expr_nodes(&value) <= most).then_some(value)
}

/// What a function gives as one expression of its parameters, if it only keeps values and chooses between answers.
pub(crate) fn given(function: &Function) -> Option<Expr> {
    let value = formula(&function.body, &assigned_once(function)?)?;
    let mut own = true;
    value.walk(&mut |expr| {
        own &= !matches!(expr.kind, ExprKind::Local(local) if local.index() >= function.params);
        own &= bound_in(expr).is_none();
    });
    own.then_some(value)
}

/// The variables of a function, if each gets a value at one place at most.
fn assigned_once(function: &Function) -> Option<SortedSet<LocalId>> {
    let mut all = SortedSet::new();
    let mut once = true;
    walk_block(&function.body, &mut |stmt| {
        if let StmtKind::Let(local, _) = &stmt.kind {
            once &= all.insert(*local);
        }
    });
    once.then_some(all)
}

/// What statements give as one expression, if they only keep values and choose between answers.
fn formula(block: &[Stmt], once: &SortedSet<LocalId>) -> Option<Expr> {
    let (first, rest) = block.split_first()?;
    match &first.kind {
        StmtKind::Return(Some(value)) => Some(value.clone()),
        StmtKind::Let(local, value) if once.contains(local) => {
            let mut all = formula(rest, once)?;
            let times = reads(&all, *local);
            if times > 1 && expr_nodes(value) > SHORT {
                return None;
            }
            replace_reads(&mut all, &|read| (read == *local).then(|| value.clone()));
            (expr_nodes(&all) <= NODES).then_some(all)
        }
        StmtKind::If(cond, yes, no) => {
            let way = |own: &Block| match own.last().is_some_and(leaves) {
                true => formula(own, once),
                false => formula(&[own, rest].concat(), once),
            };
            Some(either(cond, way(yes)?, way(no)?))
        }
        _ => None,
    }
}

/// One of two answers.
fn either(cond: &Expr, yes: Expr, no: Expr) -> Expr {
    match (truth(&yes), truth(&no)) {
        (Some(true), _) => cond.clone().or(no),
        (Some(false), _) => cond.clone().not().and(no),
        (_, Some(true)) => cond.clone().not().or(yes),
        (_, Some(false)) => cond.clone().and(yes),
        _ => Expr::select(cond.clone(), yes, no),
    }
}

/// Says at the end of a guard in one condition that one of two is enough: what is only kept for the second one is kept before.
pub(super) fn close(game: &mut Game, effects: &Effects, guard: FuncId) {
    let mut body = std::mem::take(&mut game.functions[guard.index()].body);
    while let Some((at, cond, value)) = enough(game, effects, &body) {
        let last = Stmt::give(either(&cond, Expr::bool(true, cond.span), value));
        body.pop();
        body.remove(at);
        body.push(last);
    }
    game.functions[guard.index()].body = body;
}

/// The last statement that is content with a condition, where nothing but an answer follows, and what both ask.
fn enough(game: &Game, effects: &Effects, body: &Block) -> Option<(usize, Expr, Expr)> {
    let (last, before) = body.split_last()?;
    let StmtKind::Return(Some(value)) = &last.kind else {
        return None;
    };
    let keeps = |stmt: &&Stmt| matches!(&stmt.kind, StmtKind::Let(_, value) if is_free(game, effects, value));
    let at = before.len() - before.iter().rev().take_while(keeps).count();
    let at = at.checked_sub(1)?;
    match &before[at].kind {
        StmtKind::If(cond, yes, no) if no.is_empty() && truth_given(yes) == Some(true) => {
            let mut fresh = true;
            let kept = assigned(&before[at + 1..]);
            cond.walk(&mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    fresh &= !kept.contains(&local);
                }
            });
            fresh.then(|| (at, cond.clone(), value.clone()))
        }
        _ => None,
    }
}

fn reads(expr: &Expr, local: LocalId) -> usize {
    let mut reads = 0;
    expr.walk(&mut |expr| reads += usize::from(expr.kind == ExprKind::Local(local)));
    reads
}

/// How often each variable is read.
fn all_reads(body: &Block) -> SortedMap<LocalId, usize> {
    let mut all: SortedMap<LocalId, usize> = SortedMap::new();
    walk_exprs(body, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            *all.entry(local).or_default() += 1;
        }
    });
    all
}

/// Gives a truth value at once that two branches would give it.
fn join(game: &Game, effects: &Effects, body: &mut Block) {
    let all = all_reads(body);
    let joint = Joint { game, effects, all };
    joint.block(body);
}

struct Joint<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// How often each variable is read.
    all: SortedMap<LocalId, usize>,
}

impl Joint<'_> {
    fn block(&self, block: &mut Block) {
        for stmt in block.iter_mut() {
            stmt.blocks_mut(&mut |inner| self.block(inner));
            if let StmtKind::If(cond, yes, no) = &stmt.kind
                && let (Some((local, yes)), Some((other, no))) = (self.given(yes), self.given(no))
                && local == other
                && yes.ty == Type::Bool
            {
                stmt.kind = StmtKind::Let(local, either(cond, yes, no));
            }
        }
    }

    /// The variable to which a block does no more than to give a value, which others may hold on the way.
    fn given(&self, block: &[Stmt]) -> Option<(LocalId, Expr)> {
        let (last, before) = block.split_last()?;
        let StmtKind::Let(local, value) = &last.kind else {
            return None;
        };
        let mut value = value.clone();
        for stmt in before.iter().rev() {
            let StmtKind::Let(on_way, held) = &stmt.kind else {
                return None;
            };
            let times = reads(&value, *on_way);
            let everywhere = self.all.get(on_way).copied().unwrap_or(0);
            if times != 1 || everywhere != 1 || !is_free(self.game, self.effects, held) {
                return None;
            }
            replace_reads(&mut value, &|read| (read == *on_way).then(|| held.clone()));
        }
        (expr_nodes(&value) <= NODES).then_some((*local, value))
    }
}

/// Whether it makes no difference whether an expression is worked out.
fn is_free(game: &Game, effects: &Effects, expr: &Expr) -> bool {
    let effect = effects.expr(game, expr);
    effect.is_pure() && !(effect.may_fault || effect.works || effect.fails)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_question_is_one_expression_however_its_statements_are_put() {
        let span = Span::default();
        let number = |local: u32| Expr::local(LocalId(local), Type::Wrap32, span);
        let other = Expr::local(LocalId(1), Type::Bool, span);
        let one = Expr::constant(crate::ir::Const::Int(1), Type::Wrap32, span);
        let is_one = |local: u32| number(local).equals(one.clone());
        let give = |value: bool| vec![Stmt::give(Expr::bool(value, span))];
        let spelled = [
            vec![Stmt::give(is_one(0).or(other.clone()))],
            vec![
                Stmt::branch(is_one(0), give(true), Block::new()),
                Stmt::give(other.clone()),
            ],
            vec![
                Stmt::assign(LocalId(2), number(0)),
                Stmt::branch(is_one(2), give(true), vec![Stmt::give(other.clone())]),
            ],
        ];
        for body in &spelled {
            let once: SortedSet<LocalId> = [LocalId(2)].into_iter().collect();
            let asked = formula(body, &once);
            assert_eq!(asked, Some(is_one(0).or(other.clone())), "{body:?}");
        }
        let twice = vec![
            Stmt::assign(LocalId(3), number(0)),
            Stmt::give(is_one(3).and(other)),
        ];
        assert_eq!(formula(&twice, &SortedSet::new()), None);
    }
}
