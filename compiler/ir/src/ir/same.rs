//! Whether expressions are the same wherever they stand in the rules.

use super::expr::{Expr, ExprKind, Over};
use super::stmt::Block;
use super::walk::{each_stmt_mut, rewrite_block};
use crate::source::Span;

/// Whether two expressions are the same, wherever they stand.
pub fn same(a: &Expr, b: &Expr) -> bool {
    a.ty == b.ty && same_kind(&a.kind, &b.kind)
}

fn same_kind(a: &ExprKind, b: &ExprKind) -> bool {
    use ExprKind::*;
    match (a, b) {
        (Const(a), Const(b)) => a == b,
        (Local(a), Local(b)) => a == b,
        (
            Env { var, checked },
            Env {
                var: other,
                checked: also,
            },
        ) => var == other && checked == also,
        (EnvIsSet(a), EnvIsSet(b)) => a == b,
        (Var(a, x), Var(b, y)) => a == b && same_list(x, y),
        (Lookup(a, x), Lookup(b, y)) => a == b && same_list(x, y),
        (PlaceOf(a, x), PlaceOf(b, y))
        | (Content(a, x), Content(b, y))
        | (Contents(a, x), Contents(b, y))
        | (Places(a, x), Places(b, y)) => a == b && same(x, y),
        (Unary(a, x), Unary(b, y)) => a == b && same(x, y),
        (Binary(a, x, p), Binary(b, y, q)) => a == b && same(x, y) && same(p, q),
        (If(a, x, p), If(b, y, q)) => same(a, b) && same(x, y) && same(p, q),
        (Some(a), Some(b))
        | (IsSome(a), IsSome(b))
        | (Get(a), Get(b))
        | (Ordinal(a), Ordinal(b))
        | (ToWrap(a), ToWrap(b))
        | (ToInt(a), ToInt(b))
        | (Tag(a), Tag(b))
        | (Untag(a), Untag(b))
        | (Size(a), Size(b)) => same(a, b),
        (OrElse(a, x), OrElse(b, y)) | (Item(a, x), Item(b, y)) => same(a, b) && same(x, y),
        (Member(a, x), Member(b, y)) => a == b && same(x, y),
        (HasTag(a, x), HasTag(b, y)) => a == b && same(x, y),
        (SetOf(a), SetOf(b)) | (SeqOf(a), SeqOf(b)) => same_list(a, b),
        (Call(a, x), Call(b, y)) => a == b && same_list(x, y),
        (Holds(a, x), Holds(b, y)) => a == b && same_list(x, y),
        (Related(a, x), Related(b, y)) => a == b && same_items(x, y, same_option),
        (Listened, Listened) => true,
        (Seen(a), Seen(b)) => a == b,
        (Alike(a, x), Alike(b, y)) => a == b && same_list(x, y),
        (Fold { .. } | Collect { .. } | First { .. }, _) => same_range(a, b),
        (Walk { .. } | Closure { .. }, _) => same_way(a, b),
        _ => false,
    }
}

/// The same for what binds a variable that ranges over something.
fn same_range(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (
            ExprKind::Fold {
                fold: a,
                local: x,
                over: p,
                body: r,
            },
            ExprKind::Fold {
                fold: b,
                local: y,
                over: q,
                body: s,
            },
        ) => a == b && x == y && same_over(p, q) && same(r, s),
        (
            ExprKind::Collect {
                local: x,
                over: p,
                when: r,
            },
            ExprKind::Collect {
                local: y,
                over: q,
                when: s,
            },
        )
        | (
            ExprKind::First {
                local: x,
                over: p,
                when: r,
            },
            ExprKind::First {
                local: y,
                over: q,
                when: s,
            },
        ) => x == y && same_over(p, q) && same(r, s),
        _ => false,
    }
}

/// The same for what follows a table.
fn same_way(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (
            ExprKind::Walk {
                start: a,
                step: m,
                local: x,
                pass: p,
                give: k,
            },
            ExprKind::Walk {
                start: b,
                step: n,
                local: y,
                pass: q,
                give: l,
            },
        ) => m == n && x == y && k == l && same(a, b) && same(p, q),
        (
            ExprKind::Closure {
                from: a,
                edges: m,
                local: x,
                pass: p,
            },
            ExprKind::Closure {
                from: b,
                edges: n,
                local: y,
                pass: q,
            },
        ) => m == n && x == y && same(a, b) && same(p, q),
        _ => false,
    }
}

fn same_over(a: &Over, b: &Over) -> bool {
    match (a, b) {
        (Over::Domain(a), Over::Domain(b)) => a == b,
        (Over::Set(a), Over::Set(b)) | (Over::Seq(a), Over::Seq(b)) => same(a, b),
        (Over::Range(a, x), Over::Range(b, y)) => same(a, b) && same(x, y),
        _ => false,
    }
}

fn same_list(a: &[Expr], b: &[Expr]) -> bool {
    same_items(a, b, same)
}

fn same_items<T>(a: &[T], b: &[T], same: fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn same_option(a: &Option<Expr>, b: &Option<Expr>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// The expression without places in the rules.
pub fn placeless(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    strip(&mut expr);
    expr
}

/// The statements without places in the rules, their own and those of all that they are made of.
pub fn placeless_block(block: &Block) -> Block {
    let mut block = block.clone();
    rewrite_block(&mut block, &mut |expr| expr.span = Span::default());
    each_stmt_mut(&mut block, &mut |stmt| stmt.span = Span::default());
    block
}

fn strip(expr: &mut Expr) {
    expr.span = Span::default();
    expr.children_mut(&mut strip);
}
