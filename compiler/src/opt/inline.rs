//! `inline`: what a guard asks stands in the guard itself.
//!
//! A guard that calls a function and asks next what it gave hides the tests of that function from those who take guards apart:
//! which of them depend on which parameters of a move. The body of the other function takes the place of the call, and what
//! the guard asked before is known there ([`known`]).

pub(in crate::opt) mod within;

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, FamilyId, FuncId, Function, Game, Local, LocalId, Stmt,
    StmtKind, Type, UnaryOp,
};
use crate::source::Span;

use super::attempts::{self, truth_given};
use super::fold_constants::{drop_functions, simplify};
use super::known;
use super::locals::{Locals, assigned, live_before, rename_block};
use super::prune::settle;
use super::simplify::{leaves, negated, truth};

/// Calls that are replaced in one guard.
const MOST_CALLS: usize = 24;
/// Times that a guard is looked through for what it asked before.
const ROUNDS: usize = 8;
/// Local variables of a guard beyond which nothing more is added.
const MOST_LOCALS: usize = 200;

/// Replaces the calls of all guards.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let guards: SortedSet<FuncId> = game
        .families
        .iter()
        .filter_map(|family| family.guard)
        .collect();
    let mut any = false;
    for _ in 0..ROUNDS {
        let mut changed: SortedSet<FuncId> = SortedSet::new();
        for &guard in &guards {
            let mut calls = (0..MOST_CALLS).take_while(|_| inline(game, &effects, guard));
            let any = calls.next().is_some();
            calls.for_each(drop);
            if within::run(game, &effects, guard) || any {
                changed.insert(guard);
            }
        }
        if changed.is_empty() {
            break;
        }
        any = true;
        use_known(game, &changed);
        let effects = Effects::of(game);
        let closed = changed.iter();
        closed.for_each(|guard| within::close(game, &effects, *guard));
        // What is asked there may be known of all candidates.
        for family in (0..game.families.len()).map(FamilyId::from) {
            let guard = game.family(family).guard;
            if guard.is_some_and(|guard| changed.contains(&guard)) {
                settle(game, family);
            }
        }
    }
    if any {
        drop_functions(game);
        simplify(game);
    }
}

/// Uses in guards what they asked before.
fn use_known(game: &mut Game, guards: &SortedSet<FuncId>) {
    let alone = attempts::only_guards(game);
    for _ in 0..ROUNDS {
        let effects = Effects::of(game);
        let mut changed = false;
        for &guard in guards.intersection(&alone) {
            changed |= known::run(game, &effects, guard);
        }
        if !changed {
            break;
        }
        simplify(game);
    }
}

/// Replaces a call of a guard by what is called, where the guard asks next what it gave, and nothing else asks that.
fn inline(game: &mut Game, effects: &Effects, guard: FuncId) -> bool {
    let body = &game.function(guard).body;
    let calls = (0..body.len()).rev();
    let Some((at, next)) = calls
        .into_iter()
        .find_map(|at| Some((at, inlined(game, effects, guard, at)?)))
    else {
        return false;
    };
    let locals = asked_at(&body[at]).map(|func| game.function(func).locals.clone());
    let guard = &mut game.functions[guard.index()];
    guard.locals.extend(locals.into_iter().flatten());
    guard.locals.push(Local {
        name: String::from("answer"),
        ty: Type::Bool,
    });
    guard.body.truncate(at);
    guard.body.extend(next);
    true
}

/// The function that a statement calls.
fn asked_at(stmt: &Stmt) -> Option<FuncId> {
    match &stmt.kind {
        StmtKind::Call { func, .. } => Some(*func),
        _ => None,
    }
}

/// What takes the place of a statement of a guard and of all behind it, if it is a call whose answer is asked for next.
fn inlined(game: &Game, effects: &Effects, guard: FuncId, at: usize) -> Option<Block> {
    let guard = game.function(guard);
    let (call, rest) = guard.body[at..].split_first()?;
    let StmtKind::Call { func, args, into } = &call.kind else {
        return None;
    };
    let asked = game.function(*func);
    let first = guard.locals.len();
    let fits = asked.ret == Some(Type::Bool)
        && !effects.is_recursive(*func)
        && first + asked.locals.len() < MOST_LOCALS;
    if !fits {
        return None;
    }
    let body = body_at(asked, first, args, call.span);
    let Some(answer) = into else {
        // Nobody asks for the answer.
        let unused = LocalId::from(first + asked.locals.len());
        return Some([settled(&body, unused)?, rest.to_vec()].concat());
    };
    let (next, after) = rest.split_first()?;
    if matches!(&next.kind, StmtKind::Return(Some(value)) if value.kind == ExprKind::Local(*answer))
    {
        return Some(body);
    }
    if let Some([yes, no]) = ways(next, after, *answer)
        && let Some(answered) = answered(&body, &yes, &no)
    {
        return Some(answered);
    }
    let is_short = asked.body.len() == 1;
    let asked_next = asks(std::slice::from_ref(next), *answer);
    (is_short || asked_next).then_some(())?;
    Some([settled(&body, *answer)?, rest.to_vec()].concat())
}

/// What a guard goes on with if an answer that it asks for next is true, and if it is false, where nothing asks for it later.
fn ways(next: &Stmt, after: &[Stmt], answer: LocalId) -> Option<[Block; 2]> {
    let [yes, no] = match &next.kind {
        StmtKind::Return(Some(value)) if after.is_empty() => {
            let gives = |truth| vec![gives(truth, next.span)];
            by_answer(value, answer, gives(true), gives(false))?
        }
        StmtKind::If(cond, yes, no) if no.is_empty() && is_short(yes) => {
            by_answer(cond, answer, yes.clone(), after.to_vec())?
        }
        _ => return None,
    };
    (!asks(&yes, answer) && !asks(&no, answer)).then_some([yes, no])
}

/// Whether a block reads what a variable holds before it.
fn asks(block: &[Stmt], local: LocalId) -> bool {
    live_before(block, &Locals::default()).contains(&local)
}

/// What follows if a variable that a condition asks first is true, and if it is false; `yes` follows if the condition holds, else
/// `no`.
fn by_answer(cond: &Expr, answer: LocalId, yes: Block, no: Block) -> Option<[Block; 2]> {
    match &cond.kind {
        ExprKind::Local(local) if *local == answer => Some([yes, no]),
        ExprKind::Unary(UnaryOp::Not, inner) => by_answer(inner, answer, no, yes),
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let more = branch(b, yes, no.clone())?;
            by_answer(a, answer, more, is_short(&no).then_some(no)?)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            let more = branch(b, yes.clone(), no)?;
            by_answer(a, answer, is_short(&yes).then_some(yes)?, more)
        }
        _ => None,
    }
}

/// Statements that go on with one of two blocks, both of which leave, by a condition.
fn branch(cond: &Expr, yes: Block, no: Block) -> Option<Block> {
    let kind = match (is_short(&yes), is_short(&no)) {
        _ if truth_given(&yes) == Some(true) && truth_given(&no) == Some(false) => {
            StmtKind::Return(Some(cond.clone()))
        }
        _ if truth_given(&yes) == Some(false) && truth_given(&no) == Some(true) => {
            StmtKind::Return(Some(negated(cond.clone())))
        }
        (_, true) => return Some(leave_first(negated(cond.clone()), no, yes)),
        (true, _) => return Some(leave_first(cond.clone(), yes, no)),
        _ => return None,
    };
    Some(vec![Stmt::new(kind, cond.span)])
}

fn leave_first(cond: Expr, leave: Block, rest: Block) -> Block {
    let span = cond.span;
    let mut block = vec![Stmt::new(StmtKind::If(cond, leave, Block::new()), span)];
    block.extend(rest);
    block
}

/// Whether a block is so short that it may stand in several places: it only gives a truth.
fn is_short(block: &[Stmt]) -> bool {
    truth_given(block).is_some()
}

fn gives(truth: bool, span: Span) -> Stmt {
    Stmt::new(StmtKind::Return(Some(Expr::bool(truth, span))), span)
}

/// A body that goes on with one of two blocks instead of returning a truth; nothing if it returns from a loop, or if a block that is
/// not short would have to stand in several places.
fn answered(body: &[Stmt], yes: &Block, no: &Block) -> Option<Block> {
    let mut out = Block::new();
    for (at, stmt) in body.iter().enumerate() {
        let mut returns = false;
        stmt.walk(&mut |inner| returns |= matches!(inner.kind, StmtKind::Return(_)));
        match &stmt.kind {
            StmtKind::Return(Some(value)) => {
                match truth(value) {
                    Some(true) => out.extend(yes.iter().cloned()),
                    Some(false) => out.extend(no.iter().cloned()),
                    None => out.extend(branch(value, yes.clone(), no.clone())?),
                }
                return (at + 1 == body.len()).then_some(out);
            }
            StmtKind::If(cond, own, other) if other.is_empty() && truth_given(own).is_some() => {
                let then = if truth_given(own)? { yes } else { no };
                if !is_short(then) {
                    return None;
                }
                let kind = StmtKind::If(cond.clone(), then.clone(), Block::new());
                out.push(Stmt::new(kind, stmt.span));
            }
            _ if returns => return None,
            _ => out.push(stmt.clone()),
        }
    }
    None
}

/// The body of a function for these arguments, with its local variables numbered from `first` on. Parameters that are variables
/// of the caller are these, unless the function gives them other values.
fn body_at(asked: &Function, first: usize, args: &[Expr], span: Span) -> Block {
    let written = assigned(&asked.body);
    let mut body = Block::new();
    let mut own: Vec<LocalId> = (first..first + asked.locals.len())
        .map(LocalId::from)
        .collect();
    for (place, arg) in args.iter().enumerate() {
        match arg.kind {
            ExprKind::Local(local)
                if arg.ty == asked.locals[place].ty && !written.contains(&LocalId::from(place)) =>
            {
                own[place] = local;
            }
            _ => body.push(Stmt::new(StmtKind::Let(own[place], arg.clone()), span)),
        }
    }
    let mut asked = asked.body.clone();
    rename_block(&mut asked, &mut |local| own[local.index()]);
    body.extend(asked);
    body
}

/// Replaces the statements of a function that call another one by the body of that, if it only returns at its ends.
pub(super) fn replace_calls(function: &mut Function, func: FuncId, asked: &Function) {
    let mut locals = std::mem::take(&mut function.locals);
    expand(&mut function.body, &mut |call| {
        let StmtKind::Call {
            func: called,
            args,
            into,
        } = &call.kind
        else {
            return None;
        };
        if *called != func || locals.len() + asked.locals.len() > MOST_LOCALS {
            return None;
        }
        let first = locals.len();
        let result = LocalId::from(first + asked.locals.len());
        let body = body_at(asked, first, args, call.span);
        let mut body = settled(&body, into.unwrap_or(result))?;
        if into.is_none() {
            drop_known(&mut body, result);
        }
        locals.extend(asked.locals.iter().cloned());
        locals.extend(asked.ret.clone().map(|ty| Local {
            name: String::from("result"),
            ty,
        }));
        Some(body)
    });
    function.locals = locals;
}

/// Drops what gives a variable a value that is known without working anything out.
fn drop_known(block: &mut Block, local: LocalId) {
    block.retain(|stmt| match &stmt.kind {
        StmtKind::Let(own, value) if *own == local => {
            !matches!(value.kind, ExprKind::Const(_) | ExprKind::Local(_))
        }
        _ => true,
    });
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_known(inner, local));
    }
}

/// Replaces statements at any depth.
fn expand(block: &mut Block, f: &mut dyn FnMut(&Stmt) -> Option<Block>) {
    for mut stmt in std::mem::take(block) {
        stmt.blocks_mut(&mut |inner| expand(inner, f));
        match f(&stmt) {
            Some(more) => block.extend(more),
            None => block.push(stmt),
        }
    }
}

/// A body that gives its value to a variable instead of returning it; nothing if it returns from a loop.
fn settled(body: &[Stmt], into: LocalId) -> Option<Block> {
    let mut out = Block::new();
    for (at, stmt) in body.iter().enumerate() {
        let mut returns = false;
        stmt.walk(&mut |inner| returns |= matches!(inner.kind, StmtKind::Return(_)));
        match &stmt.kind {
            StmtKind::Return(value) => {
                let given = value.clone().map(|value| StmtKind::Let(into, value));
                out.extend(given.map(|kind| Stmt::new(kind, stmt.span)));
                return Some(out);
            }
            StmtKind::If(cond, yes, no) if returns => {
                let rest = &body[at + 1..];
                let branch = |own: &Block| match own.last().is_some_and(leaves) {
                    true => settled(own, into),
                    false => settled(&[own, rest].concat(), into),
                };
                let both = !yes.last().is_some_and(leaves) && !no.last().is_some_and(leaves);
                if both && !rest.is_empty() {
                    return None;
                }
                let kind = StmtKind::If(cond.clone(), branch(yes)?, branch(no)?);
                out.push(Stmt::new(kind, stmt.span));
                return Some(out);
            }
            _ if returns => return None,
            _ => out.push(stmt.clone()),
        }
    }
    Some(out)
}
