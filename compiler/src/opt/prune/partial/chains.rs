//! Conditions that `and` or `or` connects.

use smallvec::SmallVec;

use crate::ir::{BinaryOp, Const, Expr, ExprKind};

use super::{Known, Partial, Res, Store, truth};

impl<'a> Partial<'a> {
    /// A chain of `and` or of `or`: each link only where those before it leave it open, with what follows from that.
    pub(super) fn chain(&mut self, expr: &'a Expr, op: BinaryOp, store: &mut Store) -> Res<Known> {
        let and = op == BinaryOp::And;
        let mut facts = None;
        // The last link that left it open, until what follows from that is asked for.
        let mut before: Option<&'a Expr> = None;
        let mut known = truth(and);
        for link in links(expr, op) {
            if let Some(before) = before.take() {
                facts.get_or_insert_with(|| store.facts.clone());
                self.assume(before, and, store)?;
            }
            match self.expr(link, store)? {
                Known::Value(Const::Bool(value)) if value == and => {}
                Known::Value(value) => {
                    known = Known::Value(value);
                    break;
                }
                _ => (before, known) = (Some(link), Known::Nothing),
            }
        }
        if let Some(facts) = facts {
            store.facts = facts;
        }
        Ok(known)
    }
}

/// What an operation connects, in order, where the left side is such an operation too.
fn links(expr: &Expr, op: BinaryOp) -> impl Iterator<Item = &Expr> {
    let mut links: SmallVec<[&Expr; 8]> = SmallVec::new();
    let mut left = expr;
    while let ExprKind::Binary(own, a, b) = &left.kind
        && *own == op
    {
        links.push(b.as_ref());
        left = a;
    }
    links.push(left);
    links.into_iter().rev()
}
