//! Parameters that a question does not read are not handed to it.
//!
//! A question may be asked of a piece that was just put somewhere, and yet come to the same whichever place that is. Without the
//! parameter it is seen to be a question of the whole board.

use std::cell::LazyCell;

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::{blocks_mut, each_stmt_mut, each_use, rewrite_block};
use crate::ir::{Expr, ExprKind, FuncId, Game, LocalId, StmtKind};

use super::locals::rename_block;
use super::questions::asked_placement;

/// Drops the parameters of questions about places that are not read and are given by a variable or a constant.
pub(super) fn drop_unread(game: &mut Game) {
    let effects = LazyCell::new(|| Effects::of(game));
    let mut unread: Vec<Option<LocalId>> = (0..game.functions.len())
        .map(FuncId::from)
        .map(|func| {
            let unread = unread(game, func)?;
            asked_placement(game, &effects, func)?;
            Some(unread)
        })
        .collect();
    keep_plainly_called(game, &mut unread);
    for (func, param) in unread.into_iter().enumerate() {
        if let Some(param) = param {
            drop_param(game, FuncId::from(func), param);
        }
    }
}

/// The last parameter of a function that it does not read.
fn unread(game: &Game, func: FuncId) -> Option<LocalId> {
    let function = game.function(func);
    let mut read = vec![false; function.locals.len()];
    walk_exprs(&function.body, &mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            read[local.index()] = true;
        }
    });
    walk_block(&function.body, &mut |stmt| {
        super::locals::each_assigned(stmt, &mut |local| read[local.index()] = true);
    });
    let unread = (0..function.params).rev().find(|param| !read[*param])?;
    Some(LocalId::from(unread))
}

/// Keeps the parameters of functions for which all that uses them calls them, with something for the parameter that cannot fail.
fn keep_plainly_called(game: &Game, unread: &mut [Option<LocalId>]) {
    if unread.iter().all(Option::is_none) {
        return;
    }
    let mut plain = vec![0; unread.len()];
    let mut count = |called: FuncId, args: &[Expr]| {
        let given = unread[called.index()].and_then(|param| args.get(param.index()));
        let kind = given.map(|arg| &arg.kind);
        let known = matches!(kind, Some(ExprKind::Local(_) | ExprKind::Const(_)));
        plain[called.index()] += usize::from(known);
    };
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            if let StmtKind::Call { func, args, .. } = &stmt.kind {
                count(*func, args);
            }
        });
        walk_exprs(&function.body, &mut |expr| {
            if let ExprKind::Call(func, args) = &expr.kind {
                count(*func, args);
            }
        });
    }
    let mut used = vec![0; unread.len()];
    each_use(game, &mut |func| used[func.index()] += 1);
    for (func, param) in unread.iter_mut().enumerate() {
        *param = param.filter(|_| used[func] == plain[func]);
    }
}

fn drop_param(game: &mut Game, func: FuncId, param: LocalId) {
    let function = &mut game.functions[func.index()];
    function.locals.remove(param.index());
    function.params -= 1;
    rename_block(&mut function.body, &mut |local| match local > param {
        true => LocalId::from(local.index() - 1),
        false => local,
    });
    blocks_mut(game, &mut |block| {
        each_stmt_mut(block, &mut |stmt| {
            if let StmtKind::Call {
                func: called, args, ..
            } = &mut stmt.kind
                && *called == func
            {
                args.remove(param.index());
            }
        });
        rewrite_block(block, &mut |expr| {
            if let ExprKind::Call(called, args) = &mut expr.kind
                && *called == func
            {
                args.remove(param.index());
            }
        });
    });
}
