//! One level of an expression as a flat list.

use crate::ast::{BinaryOp, Expr, UnaryOp};
use crate::source::Span;

/// An operator between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    /// An operator with a value.
    Binary(BinaryOp),
    /// `=`.
    Assign,
}

/// A member of the flat list that one level of an expression is.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A unary operator.
    Prefix(UnaryOp, Span),
    /// `IF` of the wiki's `IF c THEN a ELSE b`.
    IfWord(Span),
    /// `IF(c)`, which may be the start of the wiki's form too.
    IfCall(Expr, Span),
    /// An operator between items.
    Infix(Infix, Span),
    /// An operand.
    Value(Expr),
}

impl Item {
    /// Its place.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Prefix(_, span)
            | Self::IfWord(span)
            | Self::IfCall(_, span)
            | Self::Infix(_, span) => *span,
            Self::Value(expr) => expr.span,
        }
    }
}
