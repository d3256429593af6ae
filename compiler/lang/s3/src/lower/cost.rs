//! Which loops and calls are charged to the work budget.
//!
//! A loop of few rounds is free, and so is a call of an expression that does little. What is free is bounded: the
//! work of a chain of evaluation is at most the budget times [`FREE`], times the size of the rules.

use super::Lower;
use crate::ast::{Expr as Ast, ExprKind as Kind};
use crate::ir::{Block, Count, Expr, Stmt, StmtKind, Type};
use crate::source::Span;

/// Most work that is not charged.
pub(super) const FREE: u64 = 512;

/// The state of a search through calls.
#[derive(Clone, Copy)]
pub(super) enum Cost {
    /// Under way: a call is recursive, and recursive calls are charged anyway.
    Open,
    /// Known.
    Known(u64),
}

impl<'a> Lower<'a> {
    /// Whether each round of a loop is charged.
    pub(super) fn is_charged(&mut self, expr: &'a Ast) -> bool {
        self.work(expr) > FREE
    }

    /// Whether a call of an expression of the file is charged.
    pub(super) fn is_heavy(&mut self, name: &'a str) -> bool {
        self.body_work(name) > FREE
    }

    /// A statement that costs one unit.
    pub(super) fn charge(&mut self, span: Span) -> Stmt {
        let local = self.local("charge", Type::Int { lo: 1, hi: 1 });
        let one = Expr::constant(crate::ir::Const::Int(1), Type::Int { lo: 1, hi: 1 }, span);
        let kind = StmtKind::For {
            local,
            from: one.clone(),
            to: one,
            count: Count::Up,
            body: Block::new(),
            charged: true,
        };
        Stmt::new(kind, span)
    }

    fn body_work(&mut self, name: &'a str) -> u64 {
        match self.costs.get(name) {
            Some(Cost::Open) => return 1,
            Some(Cost::Known(work)) => return *work,
            None => {}
        }
        self.costs.insert(name, Cost::Open);
        let game = self.game;
        let body = game
            .expressions
            .get(name)
            .map_or(&[][..], |definition| &definition.body);
        let work = body
            .iter()
            .fold(0_u64, |work, line| work.saturating_add(self.work(line)));
        self.costs.insert(name, Cost::Known(work));
        work
    }

    /// The work of an expression; that of charged loops and calls is paid for, so it counts little.
    fn work(&mut self, expr: &'a Ast) -> u64 {
        let mut work = 1_u64;
        match &expr.kind {
            Kind::Loop { from, to, body, .. } => {
                let bounds = [self.types.of(from).int, self.types.of(to).int];
                let rounds = match bounds {
                    [Some(a), Some(b)] => {
                        let (lo, hi) = (a.0.min(b.0), a.1.max(b.1));
                        (i64::from(hi) - i64::from(lo)) as u64 + 1
                    }
                    // No number was found for a bound: what asks for it fails, but its type admits any.
                    _ => FREE + 1,
                };
                let round = self.work(body);
                work = rounds.saturating_mul(round.min(FREE));
                return work
                    .saturating_add(self.work(from))
                    .saturating_add(self.work(to));
            }
            Kind::Call { name, .. } => work = self.body_work(&name.node).clamp(1, FREE),
            _ => {}
        }
        for child in expr.children() {
            work = work.saturating_add(self.work(child));
        }
        work
    }
}
