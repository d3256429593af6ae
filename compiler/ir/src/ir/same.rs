//! Whether expressions are the same wherever they stand in the rules.

use super::expr::{Expr, ExprKind};

/// Whether two expressions are the same, wherever they stand.
pub fn same(a: &Expr, b: &Expr) -> bool {
    may_be_same(a, b) && placeless(a) == placeless(b)
}

/// Whether two expressions have the same form, which most that differ have not.
fn may_be_same(a: &Expr, b: &Expr) -> bool {
    if std::mem::discriminant(&a.kind) != std::mem::discriminant(&b.kind) || a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Var(a, _), ExprKind::Var(b, _)) if a != b => false,
        (ExprKind::Lookup(a, _), ExprKind::Lookup(b, _)) if a != b => false,
        (ExprKind::Binary(a, ..), ExprKind::Binary(b, ..)) if a != b => false,
        _ => {
            let mut others = Vec::new();
            b.children(&mut |child| others.push(child));
            let mut others = others.into_iter();
            let mut all = true;
            a.children(&mut |child| {
                all = all && others.next().is_some_and(|other| may_be_same(child, other));
            });
            all && others.next().is_none()
        }
    }
}

/// The expression without places in the rules.
pub fn placeless(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    strip(&mut expr);
    expr
}

fn strip(expr: &mut Expr) {
    expr.span = crate::source::Span::default();
    expr.children_mut(&mut strip);
}
