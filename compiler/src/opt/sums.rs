//! Sums that are compared: what a function finds is asked, not what it comes to with something that the function is given.
//!
//! Whether the disc there is that of the opponent may be asked as `found = 3 - player` or as `found + player = 3`. Who looks for
//! what a place is asked sees it in the first form only. Numbers that wrap around may be brought to the other side.

use rulec_ir::sorted::SortedSet;

use crate::ir::walk::rewrite_block;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Function, LocalId, Type};
use crate::source::Span;

use super::locals::kept;

/// Rewrites what a function compares.
pub(super) fn ask_of_found(function: &mut Function) {
    let given = kept(function);
    if given.is_empty() {
        return;
    }
    rewrite_block(&mut function.body, &mut |expr| {
        if let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) = &expr.kind
            && a.ty == Type::Wrap32
            && b.ty == Type::Wrap32
            && let Some((found, rest)) = apart(a, b, &given)
        {
            *expr = Expr::binary(*op, found, rest).at(expr.span);
        }
    });
}

/// What is found, and what it is compared with, where one of two equal numbers is more than that.
fn apart(a: &Expr, b: &Expr, given: &SortedSet<LocalId>) -> Option<(Expr, Expr)> {
    let is_sum = |expr: &Expr| matches!(expr.kind, ExprKind::Binary(..));
    if !(is_sum(a) || is_sum(b)) {
        return None;
    }
    let mut sum = Sum::default();
    sum.add(a, 1)?;
    sum.add(b, -1)?;
    let [(one, times), (other, others)] = sum.locals[..] else {
        return None;
    };
    let ((found, times), (known, others)) = match (given.contains(&one), given.contains(&other)) {
        (false, true) => ((one, times), (other, others)),
        (true, false) => ((other, others), (one, times)),
        _ => return None,
    };
    let is_alone = |expr: &Expr| expr.kind == ExprKind::Local(found);
    if is_alone(a) || is_alone(b) {
        return None;
    }
    let local = |local| Expr::local(local, Type::Wrap32, a.span);
    // found * times + known * others + more = 0
    let more = number(sum.more.checked_mul(-times)?, a.span);
    let rest = match times == others {
        true => Expr::binary(BinaryOp::Sub, more, local(known)),
        false if sum.more == 0 => local(known),
        false => Expr::binary(BinaryOp::Add, local(known), more),
    };
    Some((local(found), rest))
}

fn number(value: i64, span: Span) -> Expr {
    Expr::constant(Const::Int(i64::from(value as i32)), Type::Wrap32, span)
}

/// A sum of variables, each once with either sign, and a constant.
#[derive(Default)]
struct Sum {
    locals: Vec<(LocalId, i64)>,
    more: i64,
}

impl Sum {
    fn add(&mut self, expr: &Expr, sign: i64) -> Option<()> {
        match &expr.kind {
            ExprKind::Const(Const::Int(value)) => {
                self.more = self.more.checked_add(sign.checked_mul(*value)?)?;
                Some(())
            }
            ExprKind::Local(local) if expr.ty == Type::Wrap32 => {
                let is_new = self.locals.iter().all(|(other, _)| other != local);
                is_new.then(|| self.locals.push((*local, sign)))
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                self.add(a, sign)?;
                self.add(b, sign)
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                self.add(a, sign)?;
                self.add(b, -sign)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_stands_alone_in_all_spellings() {
        let span = Span::default();
        let local = |number: u32| Expr::local(LocalId(number), Type::Wrap32, span);
        let (given, found) = (local(0), local(1));
        let (add, sub) = (BinaryOp::Add, BinaryOp::Sub);
        let all: SortedSet<LocalId> = [LocalId(0)].into_iter().collect();
        let wanted = Expr::binary(sub, number(3, span), given.clone());
        let spelled = [
            (
                Expr::binary(add, found.clone(), given.clone()),
                number(3, span),
            ),
            (
                Expr::binary(sub, number(3, span), found.clone()),
                given.clone(),
            ),
            (
                given.clone(),
                Expr::binary(sub, number(3, span), found.clone()),
            ),
        ];
        for (a, b) in spelled {
            assert_eq!(apart(&a, &b, &all), Some((found.clone(), wanted.clone())));
        }
        let alone = Expr::binary(add, given, number(1, span));
        assert_eq!(apart(&alone, &found, &all), None);
    }
}
