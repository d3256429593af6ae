//! What makes tokens walk back, and turns.

use super::{Board, Place};
use crate::ast::{self, ExprKind, StmtKind as S, Unary};

/// Whether some `move` may make the number of steps negative, so that tokens walk back.
pub(crate) fn may_walk_back(places: &[Place]) -> bool {
    let mut found = false;
    for place in places {
        ast::each_stmt(&place.program.code, &mut |stmt| {
            match &stmt.kind {
                S::Move(steps) => found |= !is_positive(steps),
                // A control statement that is run like any other uses up a step that there may not be.
                S::If(_, yes, no) => {
                    let inner = yes.iter().chain(no.iter().flatten());
                    let mut inner = inner.map(|stmt| &stmt.kind);
                    found |= inner.any(|kind| matches!(kind, S::ControlGoto(_) | S::ControlIf(..)));
                }
                _ => {}
            }
        });
    }
    found
}

/// Whether some field takes a turn back.
pub(crate) fn takes_back(board: &Board) -> bool {
    let mut found = false;
    for place in &board.places {
        ast::each_stmt(&place.program.code, &mut |stmt| {
            found |= matches!(stmt.kind, S::Rollback);
        });
    }
    found
}

/// Whether an expression is never negative, told from its form.
fn is_positive(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::NumPlayers => true,
        ExprKind::Roll(None) => true,
        ExprKind::Roll(Some(sides)) => is_positive(sides),
        ExprKind::Unary(Unary::Plus, inner) => is_positive(inner),
        ExprKind::Binary(
            ast::Binary::Add | ast::Binary::Mul | ast::Binary::Div | ast::Binary::Rem,
            a,
            b,
        ) => is_positive(a) && is_positive(b),
        ExprKind::Ternary(_, a, b) => is_positive(a) && is_positive(b),
        _ => false,
    }
}
