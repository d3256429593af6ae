//! Values that are known before a game is played.

use crate::ir::value::apply;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Game};

/// Whether an expression of this kind depends on its operands alone.
pub(super) fn is_constant_kind(kind: &ExprKind) -> bool {
    use ExprKind as E;
    matches!(
        kind,
        E::Const(_)
            | E::Lookup(..)
            | E::Unary(..)
            | E::Binary(..)
            | E::If(..)
            | E::Some(_)
            | E::IsSome(_)
            | E::Get(_)
            | E::OrElse(..)
            | E::Ordinal(_)
            | E::Member(..)
            | E::ToWrap(_)
            | E::ToInt(_)
            | E::SetOf(_)
            | E::Size(_)
    )
}

/// The value of an expression where some parts have these values; nothing where it would fault or is not known.
pub(super) fn constant(
    game: &Game,
    expr: &Expr,
    value: &dyn Fn(&Expr) -> Option<Const>,
) -> Option<Const> {
    if let Some(value) = value(expr) {
        return Some(value);
    }
    match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let first = constant(game, a, value)?;
            match (op, &first) {
                (BinaryOp::And, Const::Bool(true)) | (BinaryOp::Or, Const::Bool(false)) => {
                    constant(game, b, value)
                }
                _ => Some(first),
            }
        }
        ExprKind::If(cond, a, b) => match constant(game, cond, value)? {
            Const::Bool(true) => constant(game, a, value),
            _ => constant(game, b, value),
        },
        ExprKind::OrElse(a, b) => match constant(game, a, value)? {
            Const::None => constant(game, b, value),
            present => Some(present),
        },
        _ => {
            let mut operands = Vec::new();
            let mut all = true;
            expr.children(&mut |operand| match constant(game, operand, value) {
                Some(value) => operands.push(value),
                None => all = false,
            });
            let operands: Vec<&Const> = operands.iter().collect();
            all.then(|| apply(game, expr, &operands)).flatten()
        }
    }
}
