//! Sets of which is asked whether they meet one of some constant sets: all of these are asked at once.

use crate::ir::same::same;
use crate::ir::visit::{bound_in, free_locals};
use crate::ir::{BinaryOp, Const, Expr, ExprKind};

use super::locals::rename_expr;

/// Whether a set meets one of two constant sets, asked of both at once: `s & A != {} or s & B != {}`, or the opposite, that it
/// meets neither. What is tested before that stays.
pub(super) fn met_by_either(asked: BinaryOp, op: BinaryOp, a: &mut Expr, b: &Expr) -> Option<Expr> {
    let last = match &a.kind {
        ExprKind::Binary(inner, _, last) if *inner == op => last,
        _ => &*a,
    };
    let ((set, members), (other, more)) = (meeting(asked, last)?, meeting(asked, b)?);
    if !same_members(set, other) {
        return None;
    }
    let mut all = [members, more].concat();
    all.sort_unstable();
    all.dedup();
    let constant = |members| Expr::constant(Const::Set(members), set.ty.clone(), last.span);
    let met = Expr::binary(BinaryOp::Intersect, set.clone(), constant(all));
    let joined = Expr::binary(asked, met, constant(Vec::new()));
    match &mut a.kind {
        ExprKind::Binary(inner, _, last) if *inner == op => {
            **last = joined;
            Some(a.clone())
        }
        _ => Some(joined),
    }
}

/// Whether two sets are the same, whatever the variables are called that each asks of all members.
fn same_members(a: &Expr, b: &Expr) -> bool {
    let (
        ExprKind::Collect {
            local: own, when, ..
        },
        ExprKind::Collect {
            local: other,
            over,
            when: asked,
        },
    ) = (&a.kind, &b.kind)
    else {
        return same(a, b);
    };
    let mut inside = false;
    for asked in [when, asked] {
        asked.walk(&mut |expr| inside |= bound_in(expr).is_some());
    }
    // What is meant by one variable inside could be another one outside.
    if own == other || inside || free_locals(a).contains(other) || free_locals(b).contains(own) {
        return same(a, b);
    }
    let mut asked = asked.clone();
    rename_expr(&mut asked, &mut |local| {
        if local == *other { *own } else { local }
    });
    let renamed = ExprKind::Collect {
        local: *own,
        over: over.clone(),
        when: asked,
    };
    same(a, &Expr::new(renamed, b.ty.clone(), b.span))
}

/// A set and the constant members that it is said to have one of, or none.
fn meeting(asked: BinaryOp, expr: &Expr) -> Option<(&Expr, &[u32])> {
    let ExprKind::Binary(op, met, none) = &expr.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Intersect, set, members) = &met.kind else {
        return None;
    };
    let empty = matches!(none.as_const(), Some(Const::Set(none)) if none.is_empty());
    match members.as_const() {
        Some(Const::Set(members)) if *op == asked && empty => Some((set, members)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DomainId, LocalId, Over, Type};
    use crate::source::Span;

    /// Whether a set that asks of each member by this variable whether it is in another one meets a constant set.
    fn asked(by: u32, of: u32, members: &[u32]) -> Expr {
        let (domain, span) = (DomainId(0), Span::default());
        let ty = Type::Set(domain);
        let set = Expr::local(LocalId(of), ty.clone(), span);
        let member = Expr::local(LocalId(by), Type::Elem(domain), span);
        let kind = ExprKind::Collect {
            local: LocalId(by),
            over: Box::new(Over::Domain(domain)),
            when: Box::new(Expr::binary(BinaryOp::In, member, set)),
        };
        let constant =
            |members: &[u32]| Expr::constant(Const::Set(members.to_vec()), ty.clone(), span);
        let met = Expr::new(kind, ty.clone(), span);
        let met = Expr::binary(BinaryOp::Intersect, met, constant(members));
        Expr::binary(BinaryOp::Ne, met, constant(&[]))
    }

    #[test]
    fn members_are_asked_at_once_whatever_variables_are_called() {
        let joined = asked(1, 0, &[2, 3]);
        for other in [asked(1, 0, &[3]), asked(4, 0, &[3]), asked(7, 0, &[3, 2])] {
            let mut first = asked(1, 0, &[2]);
            let all = met_by_either(BinaryOp::Ne, BinaryOp::Or, &mut first, &other);
            assert_eq!(all, Some(joined.clone()));
        }
        let mut first = asked(1, 0, &[2]);
        let of_another = asked(4, 5, &[3]);
        let all = met_by_either(BinaryOp::Ne, BinaryOp::Or, &mut first, &of_another);
        assert_eq!(all, None);
    }
}
