//! Loops over sets that do no more than return the same from wherever they do: whether some member leads there is all they say, so that
//! members have no order.

use crate::ir::{Block, Const, Expr, ExprKind, Fold, LocalId, Over, Stmt, StmtKind};

use super::super::terms::{FALSE, Op, Other, TRUE, Term};
use super::Unfold;

/// What all returns of a block give, where it does nothing but ask and return.
fn given(block: &Block) -> Option<&Expr> {
    let mut all = None;
    only_returns(block, &mut all).then_some(all).flatten()
}

fn only_returns<'b>(block: &'b Block, all: &mut Option<&'b Expr>) -> bool {
    block.iter().all(|stmt| match &stmt.kind {
        StmtKind::Return(Some(value)) => {
            let first = *all.get_or_insert(value);
            constant(value).is_some() && constant(first) == constant(value)
        }
        StmtKind::If(_, yes, no) => only_returns(yes, all) && only_returns(no, all),
        StmtKind::ForEach(_, Over::Set(_) | Over::Domain(_), body) => only_returns(body, all),
        StmtKind::Charge => true,
        _ => false,
    })
}

fn constant(value: &Expr) -> Option<&Const> {
    match &value.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

impl Unfold<'_, '_> {
    /// Runs a loop of that kind; whether it is one.
    pub(super) fn each_returns(&mut self, local: LocalId, over: &Over, body: &Block) -> bool {
        let Some(value) = given(body) else {
            return false;
        };
        let (mistakes, changes) = (self.mistakes.len(), self.changes);
        let (memory, left_by) = (self.memory.clone(), self.left_by.clone());
        let (ends, last_end) = (self.ends.clone(), self.last_end);
        let returns = self.some_returns(local, over, body);
        if self.mistakes.len() != mistakes || self.changes != changes {
            // Who comes first matters, and nothing of this was run.
            (self.memory, self.left_by) = (memory, left_by);
            (self.ends, self.last_end) = (ends, last_end);
            self.changes += 1;
            self.mistakes.truncate(mistakes);
            return false;
        }
        let before = self.live;
        self.live = self.terms.and(before, returns);
        self.give(value);
        let not = self.terms.not(returns);
        self.live = self.terms.and(before, not);
        true
    }

    /// Whether a block returns for some member of a range.
    fn some_returns(&mut self, local: LocalId, over: &Over, body: &Block) -> Term {
        let (over, ty, members) = self.over(over);
        let inner = &mut |me: &mut Self| me.returns(body);
        let (which, body) = self.body_of(local, ty, members, over, inner);
        self.exists(which, over, body)
    }

    /// Whether a block returns.
    fn returns(&mut self, block: &[Stmt]) -> Term {
        let Some((first, rest)) = block.split_first() else {
            return FALSE;
        };
        let own = match &first.kind {
            StmtKind::Return(_) => TRUE,
            StmtKind::If(cond, yes, no) => {
                let cond = self.value(cond);
                let not = self.terms.not(cond);
                let yes = self.under(cond, |me| me.returns(yes));
                let no = self.under(not, |me| me.returns(no));
                self.terms.ite(cond, yes, no)
            }
            StmtKind::ForEach(local, over, body) => self.some_returns(*local, over, body),
            _ => FALSE,
        };
        let not = self.terms.not(own);
        let later = self.under(not, |me| me.returns(rest));
        self.terms.or(own, later)
    }

    /// Whether a condition holds for some member of a range.
    pub(super) fn exists(&mut self, which: Term, over: Term, body: Term) -> Term {
        if self.terms.is_described(over) {
            let inside = self.terms.is_in(which, over);
            let both = self.terms.and(inside, body);
            return self.terms.some(which, both);
        }
        if let Some(some) = self.terms.some_row(which, over, body) {
            return some;
        }
        let parts = [which, over, body];
        let ty = crate::ir::Type::Bool;
        let exists = self.bound_op(Op::Other(Other::Fold(Fold::Exists)), parts, &ty);
        self.terms.diagram(exists)
    }
}
