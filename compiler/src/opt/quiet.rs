//! What is done where nobody listens.

use crate::ir::walk::{blocks_mut, each_stmt_mut};
use crate::ir::{Block, Expr, ExprKind, Game, StmtKind};

/// Leaves out what is done only where somebody listens, if something else is done otherwise.
pub(super) fn quieten(game: &mut Game) {
    blocks_mut(game, &mut |block: &mut Block| {
        each_stmt_mut(block, &mut |stmt| {
            if let StmtKind::If(cond, scalar, sets) = &mut stmt.kind
                && !sets.is_empty()
                && listens(cond)
            {
                scalar.clear();
            }
        });
    });
}

fn listens(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |expr| found |= expr.kind == ExprKind::Listened);
    found
}
