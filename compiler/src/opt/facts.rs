//! What a condition says about the expressions behind it.

use crate::ir::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

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
        if let Some((_, holds)) = known {
            *expr = Expr::bool(*holds, expr.span);
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
    use crate::ir::LocalId;
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
