//! Expressions whose value is known without the game: also those that no run-time type could hold, sets of sets.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// A value known at compile time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// An integer.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// A string.
    Text(String),
    /// A set, in its order.
    Set(Vec<Constant>),
}

/// The value of an expression without variables and calls, if it has one.
pub(super) fn constant(expr: &Expr) -> Option<Constant> {
    match &expr.kind {
        ExprKind::Int(value) => Some(Constant::Int(*value)),
        ExprKind::Bool(value) => Some(Constant::Bool(*value)),
        ExprKind::Str(template) => template
            .literal()
            .map(|text| Constant::Text(text.to_owned())),
        ExprKind::Set(items) => items
            .iter()
            .map(constant)
            .collect::<Option<_>>()
            .map(Constant::Set),
        ExprKind::Unary { op, operand, .. } => unary(*op, constant(operand)?),
        ExprKind::Binary {
            op, left, right, ..
        } => {
            let left = constant(left)?;
            match (op, &left) {
                (BinaryOp::And, Constant::Bool(false)) | (BinaryOp::Or, Constant::Bool(true)) => {
                    Some(left)
                }
                _ => binary(*op, left, constant(right)?),
            }
        }
        ExprKind::If { condition, yes, no } => match constant(condition)? {
            Constant::Bool(true) => constant(yes),
            Constant::Bool(false) => constant(no),
            _ => None,
        },
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Constant) -> Option<Constant> {
    match (op, value) {
        (UnaryOp::Not, Constant::Bool(value)) => Some(Constant::Bool(!value)),
        (UnaryOp::Neg, Constant::Int(value)) => Some(Constant::Int(value.wrapping_neg())),
        (UnaryOp::Abs, Constant::Int(value)) => Some(Constant::Int(value.wrapping_abs())),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    use Constant::{Bool, Int, Set};
    match (op, left, right) {
        (BinaryOp::Eq, a, b) => Some(Bool(a == b)),
        (BinaryOp::Ne, a, b) => Some(Bool(a != b)),
        (BinaryOp::And | BinaryOp::Or, Bool(_), Bool(b)) => Some(Bool(b)),
        (BinaryOp::In, a, Set(b)) => Some(Bool(b.contains(&a))),
        (BinaryOp::Subset, Set(a), Set(b)) => Some(Bool(a.iter().all(|item| b.contains(item)))),
        (BinaryOp::SetMinus, Set(mut a), Set(b)) => {
            a.retain(|item| !b.contains(item));
            Some(Set(a))
        }
        (BinaryOp::Intersect, Set(mut a), Set(b)) => {
            a.retain(|item| b.contains(item));
            Some(Set(a))
        }
        (BinaryOp::Union, Set(mut a), Set(mut b)) => {
            a.retain(|item| !b.contains(item));
            b.append(&mut a);
            Some(Set(b))
        }
        (op, Int(a), Int(b)) => integers(op, a, b),
        _ => None,
    }
}

fn integers(op: BinaryOp, a: i32, b: i32) -> Option<Constant> {
    let value = match op {
        BinaryOp::Lt => return Some(Constant::Bool(a < b)),
        BinaryOp::Le => return Some(Constant::Bool(a <= b)),
        BinaryOp::Gt => return Some(Constant::Bool(a > b)),
        BinaryOp::Ge => return Some(Constant::Bool(a >= b)),
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b != 0 => a.wrapping_div(b),
        BinaryOp::Rem if b != 0 => a.wrapping_rem(b),
        _ => return None,
    };
    Some(Constant::Int(value))
}
