//! `inline`: what a guard asks at its end stands in the guard itself.
//!
//! A guard that ends by giving what another function gives hides the tests of that function from those who take guards apart:
//! which of them depend on which parameters of a move. The body of the other function takes the place of the call.

use std::collections::BTreeSet;

use crate::ir::effects::Effects;
use crate::ir::{Expr, ExprKind, FuncId, Game, LocalId, Stmt, StmtKind, Type};

use super::fold_constants::{drop_functions, simplify};
use super::locals::rename_block;

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
    let guards: BTreeSet<FuncId> = game
        .families
        .iter()
        .filter_map(|family| family.guard)
        .collect();
    let mut changed = false;
    for guard in guards {
        for _ in 0..MOST_CALLS {
            if !inline(game, &effects, guard) {
                break;
            }
            changed = true;
        }
    }
    if changed {
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
    let mut body = asked.body.clone();
    rename_block(&mut body, &mut |local| LocalId::from(first + local.index()));
    let locals = asked.locals.clone();
    let given = (first..).map(LocalId::from).zip(args);
    let given: Vec<Stmt> = given
        .map(|(param, arg): (LocalId, Expr)| Stmt::new(StmtKind::Let(param, arg), span))
        .collect();
    let guard = &mut game.functions[guard.index()];
    guard.locals.extend(locals);
    guard.body.truncate(guard.body.len() - 2);
    guard.body.extend(given);
    guard.body.extend(body);
    true
}
