//! Parameters that a question does not read are not handed to it.
//!
//! A question may be asked of a piece that was just put somewhere, and yet come to the same whichever place that is. Without the
//! parameter it is seen to be a question of the whole board.

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::{blocks_mut, each_stmt_mut, rewrite_block, uses};
use crate::ir::{Expr, ExprKind, FuncId, Game, LocalId, StmtKind};

use super::locals::rename_block;
use super::patterns::asked_placement;

/// Drops the parameters of questions about places that are not read and are given by a variable or a constant.
pub(super) fn drop_unread(game: &mut Game) {
    let effects = Effects::of(game);
    let questions: Vec<(FuncId, LocalId)> = (0..game.functions.len())
        .map(FuncId::from)
        .filter(|func| asked_placement(game, &effects, *func).is_some())
        .filter_map(|func| Some((func, unread(game, func)?)))
        .filter(|(func, param)| is_plainly_called(game, *func, *param))
        .collect();
    for (func, param) in questions {
        drop_param(game, func, param);
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

/// Whether all that uses a function calls it, with something for a parameter that cannot fail.
fn is_plainly_called(game: &Game, func: FuncId, param: LocalId) -> bool {
    let mut plain = 0;
    let mut count = |called: FuncId, args: &[Expr]| {
        let arg = args.get(param.index()).map(|arg| &arg.kind);
        let known = matches!(arg, Some(ExprKind::Local(_) | ExprKind::Const(_)));
        plain += usize::from(called == func && known);
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
    uses(game, func) == plain
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
