//! What a condition says about the expressions behind it.

use crate::ir::{BinaryOp, Const, Expr, ExprKind, Type, UnaryOp};

use super::locals::bound_in;
use crate::ir::same::same;

/// Conditions and whether they hold.
pub(super) type Conditions<'a> = Vec<(&'a Expr, bool)>;

/// Uses what the first operand of a root tells in the operands that are evaluated only then; whether anything changed.
pub(super) fn use_facts(expr: &mut Expr) -> bool {
    match &mut expr.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => assume(b, &parts(a, true)),
        ExprKind::Binary(BinaryOp::Or, a, b) => assume(b, &parts(a, false)),
        ExprKind::If(cond, yes, no) => {
            let held = assume(yes, &parts(cond, true));
            assume(no, &parts(cond, false)) || held
        }
        _ => false,
    }
}

/// The conditions that are known if a condition holds, or does not.
pub(super) fn parts(cond: &Expr, holds: bool) -> Conditions<'_> {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => parts(inner, !holds),
        ExprKind::Binary(BinaryOp::And, a, b) if holds => both(a, b, true),
        ExprKind::Binary(BinaryOp::Or, a, b) if !holds => both(a, b, false),
        ExprKind::Const(_) => Conditions::new(),
        _ => vec![(cond, holds)],
    }
}

fn both<'a>(a: &'a Expr, b: &'a Expr, holds: bool) -> Conditions<'a> {
    let mut facts = parts(a, holds);
    facts.extend(parts(b, holds));
    facts
}

/// Replaces what the facts decide; whether there was anything.
pub(super) fn assume(expr: &mut Expr, facts: &Conditions<'_>) -> bool {
    if facts.is_empty() || expr.as_const().is_some() {
        return false;
    }
    if expr.ty == Type::Bool {
        let kind = std::mem::discriminant(&expr.kind);
        let known = facts
            .iter()
            .find(|(fact, _)| std::mem::discriminant(&fact.kind) == kind && same(fact, expr));
        let known = known.map(|(_, holds)| *holds);
        if let Some(holds) = known.or_else(|| of_another(expr, facts)) {
            *expr = Expr::bool(holds, expr.span);
            return true;
        }
    }
    if let ExprKind::Get(inner) = &expr.kind
        && is_there(inner, facts)
        && let Type::Elem(domain) = expr.ty
    {
        // It is there, so the other is never asked for.
        let other = Expr::elem(domain, 0, expr.span);
        let inner = inner.clone();
        expr.kind = ExprKind::OrElse(inner, Box::new(other));
        return true;
    }
    // What an expression binds may have the name of something that a fact is about.
    if bound_in(expr).is_some() {
        return false;
    }
    let mut changed = false;
    expr.children_mut(&mut |child| changed |= assume(child, facts));
    changed
}

/// Whether something is one constant, where facts tell that it is another one.
fn of_another(expr: &Expr, facts: &Conditions<'_>) -> Option<bool> {
    let (asked, value, equal) = compared(expr)?;
    let other = |(fact, holds): &(&Expr, bool)| {
        let (known, other, is) = compared(fact)?;
        (is == *holds && other != value && same(known, asked)).then_some(())
    };
    facts.iter().find_map(other).map(|()| !equal)
}

/// What is compared with a constant, that, and whether the comparison asks for it or for others.
fn compared(expr: &Expr) -> Option<(&Expr, &Const, bool)> {
    match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
            let value = b.as_const()?;
            let plain = matches!(value, Const::Bool(_) | Const::Int(_) | Const::Elem(_));
            plain.then_some((a, value, *op == BinaryOp::Eq))
        }
        _ => None,
    }
}

/// Whether facts tell that a plain variable holds a member.
fn is_there(optional: &Expr, facts: &Conditions<'_>) -> bool {
    let plain = matches!(&optional.kind, ExprKind::Var(_, index) if index.is_empty());
    plain
        && facts.iter().any(|(fact, holds)| match &fact.kind {
            ExprKind::IsSome(inner) => *holds && same(inner, optional),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{DomainId, LocalId};
    use crate::source::Span;

    fn flag(number: u32) -> Expr {
        Expr::local(LocalId(number), Type::Bool, Span::default())
    }

    #[test]
    fn what_was_tested_is_known_behind_it() {
        let (p, q) = (flag(0), flag(1));
        let cases = [
            (p.clone().and(p.clone().or(q.clone())), "and"),
            (p.clone().not().or(p.clone().and(q.clone())), "or"),
            (Expr::select(p.clone(), p.clone(), q.clone()), "select"),
        ];
        for (mut expr, name) in cases {
            assert!(use_facts(&mut expr), "{name}");
            assert!(!use_facts(&mut expr), "{name}: {expr:?}");
        }
        let mut both = p.clone().or(q.clone()).and(p);
        assert!(!use_facts(&mut both), "one of two is not known");
    }

    #[test]
    fn what_is_one_thing_is_no_other() {
        let span = Span::default();
        let is = |number: u32| {
            let turn = Expr::local(LocalId(0), Type::Elem(DomainId(0)), span);
            turn.equals(Expr::elem(DomainId(0), number, span))
        };
        let other = flag(1);
        let cases = [
            is(0).and(is(1).or(other.clone())),
            is(0).not().or(is(1).not().and(other.clone())),
            is(0).and(Expr::select(is(1), other.clone(), other)),
        ];
        for mut expr in cases {
            assert!(use_facts(&mut expr), "{expr:?}");
            let mut asked = 0;
            expr.walk(&mut |part| asked += usize::from(compared(part).is_some()));
            assert_eq!(asked, 1, "{expr:?}");
        }
        let mut same = is(0).not().and(is(1));
        assert!(!use_facts(&mut same), "what it is not says little");
    }

    #[test]
    fn what_is_there_is_had_without_a_test() {
        let (domain, span) = (crate::ir::DomainId(0), Span::default());
        let held = Expr::new(
            ExprKind::Var(crate::ir::VarId(0), Vec::new()),
            Type::Opt(domain),
            span,
        );
        let there = Expr::new(ExprKind::IsSome(Box::new(held.clone())), Type::Bool, span);
        let get = Expr::new(ExprKind::Get(Box::new(held)), Type::Elem(domain), span);
        let other = Expr::elem(domain, 1, span);
        let mut expr = Expr::select(there.clone(), get.clone(), other.clone());
        assert!(use_facts(&mut expr));
        assert!(!use_facts(&mut expr));
        let mut expr = Expr::select(there.not(), get, other);
        assert!(!use_facts(&mut expr), "nothing is known to be there");
    }
}
