//! `inline`: what a guard asks at its end stands in the guard itself.
//!
//! A guard that ends by giving what another function gives hides the tests of that function from those who take guards apart:
//! which of them depend on which parameters of a move. The body of the other function takes the place of the call.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{
    Block, Expr, ExprKind, FamilyId, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind, Type,
};
use crate::source::Span;

use super::fold_constants::{drop_functions, simplify};
use super::locals::{assigned, rename_block};
use super::prune::settle;
use super::simplify::leaves;

/// Calls that are replaced in one guard.
const MOST_CALLS: usize = 8;
/// Local variables of a guard beyond which nothing more is added.
const MOST_LOCALS: usize = 200;

/// Replaces the calls at the ends of all guards.
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
    let mut changed: SortedSet<FuncId> = SortedSet::new();
    for guard in guards {
        for _ in 0..MOST_CALLS {
            if !inline(game, &effects, guard) {
                break;
            }
            changed.insert(guard);
        }
    }
    if !changed.is_empty() {
        // What is asked there may be known of all candidates.
        for family in (0..game.families.len()).map(FamilyId::from) {
            if game
                .family(family)
                .guard
                .is_some_and(|guard| changed.contains(&guard))
            {
                settle(game, family);
            }
        }
        drop_functions(game);
        simplify(game);
    }
}

/// Replaces the call at the end of a guard, if there is one.
fn inline(game: &mut Game, effects: &Effects, guard: FuncId) -> bool {
    let [.., call, last] = &game.function(guard).body[..] else {
        return false;
    };
    let (
        StmtKind::Call {
            func,
            args,
            into: Some(into),
        },
        StmtKind::Return(Some(value)),
    ) = (&call.kind, &last.kind)
    else {
        return false;
    };
    let (func, args, span) = (*func, args.clone(), call.span);
    let asked = game.function(func);
    let first = game.function(guard).locals.len();
    let fits = value.kind == ExprKind::Local(*into)
        && asked.ret == Some(Type::Bool)
        && !effects.is_recursive(func)
        && first + asked.locals.len() <= MOST_LOCALS;
    if !fits {
        return false;
    }
    let body = body_at(asked, first, &args, span);
    let locals = asked.locals.clone();
    let guard = &mut game.functions[guard.index()];
    guard.locals.extend(locals);
    guard.body.truncate(guard.body.len() - 2);
    guard.body.extend(body);
    true
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
    let Some(ret) = asked.ret.clone() else {
        return;
    };
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
        let into = into.unwrap_or(LocalId::from(first + asked.locals.len()));
        let body = settled(&body_at(asked, first, args, call.span), into)?;
        locals.extend(asked.locals.iter().cloned());
        locals.push(Local {
            name: String::from("result"),
            ty: ret.clone(),
        });
        Some(body)
    });
    function.locals = locals;
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
                out.push(Stmt::new(StmtKind::Let(into, value.clone()?), stmt.span));
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
