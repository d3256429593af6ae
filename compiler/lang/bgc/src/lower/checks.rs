//! Tests of the board: who has won, and what is forbidden.

use super::Lower;
use super::exprs::At;
use super::formula::{Atom, Formula, Target};
use crate::ast::Check;
use crate::ir::builder::FunctionBuilder;
use crate::ir::{BinaryOp, Expr, Fold, FuncId, Over, Stmt, Type};

impl Lower<'_> {
    /// Whether one of the checks holds.
    pub(super) fn some_check(&mut self, checks: &[Check], f: &mut FunctionBuilder) -> Expr {
        let span = self.span();
        let each: Vec<Expr> = checks.iter().map(|check| self.check(check, f)).collect();
        let any = each.into_iter().reduce(Expr::or);
        any.unwrap_or_else(|| Expr::bool(false, span))
    }

    fn check(&mut self, check: &Check, f: &mut FunctionBuilder) -> Expr {
        let span = check.span;
        let filter = self.names.target(&check.filter, Target::Cell);
        let holds = match check.attacked {
            false => {
                let cells = self.matching(&filter, f, span);
                match filter {
                    Formula::True => Expr::bool(self.cell_count() > 0, span),
                    Formula::False => Expr::bool(false, span),
                    _ => Expr::binary(BinaryOp::Ne, cells, self.empty_set(span)),
                }
            }
            true => self.some_attacked(&filter, f, span),
        };
        match check.result {
            true => holds,
            false => holds.not(),
        }
    }

    fn matching(
        &mut self,
        filter: &Formula,
        f: &mut FunctionBuilder,
        span: crate::source::Span,
    ) -> Expr {
        let nowhere = Expr::elem(self.cell, 0, span);
        let at = At {
            kind: 0,
            from: nowhere,
            like: None,
            span,
        };
        self.set(filter, &at, f)
    }

    fn some_attacked(
        &mut self,
        filter: &Formula,
        f: &mut FunctionBuilder,
        span: crate::source::Span,
    ) -> Expr {
        if self.recursive {
            return self.first_attacked(filter, f, span);
        }
        let mut tests = Vec::new();
        for kind in 0..self.names.kinds.len() {
            let mut only = vec![false; self.names.kinds.len() + 1];
            only[kind] = true;
            let here = Formula::and([filter.clone(), Formula::Atom(Atom::Holds(only))]);
            if here == Formula::False {
                continue;
            }
            let cells = self.matching(&here, f, span);
            let local = f.local("cell", Type::Elem(self.cell));
            let cell = self.elem(local, span);
            let body = self.attacked(kind, cell.clone(), cell);
            tests.push(Expr::fold(Fold::Exists, local, Over::Set(cells), body));
        }
        let any = tests.into_iter().reduce(Expr::or);
        any.unwrap_or_else(|| Expr::bool(false, span))
    }

    /// The same, cell by cell.
    fn first_attacked(
        &mut self,
        filter: &Formula,
        f: &mut FunctionBuilder,
        span: crate::source::Span,
    ) -> Expr {
        let cells = self.matching(filter, f, span);
        let local = f.local("cell", Type::Elem(self.cell));
        let cell = self.elem(local, span);
        let each = (0..self.names.kinds.len()).map(|kind| {
            let is = Expr::elem(self.kind, kind as u32, span).some();
            let attacked = self.attacked(kind, cell.clone(), cell.clone());
            self.content(cell.clone()).equals(is).and(attacked)
        });
        match each.reduce(Expr::or) {
            Some(body) => Expr::fold(Fold::Exists, local, Over::Set(cells), body),
            None => Expr::bool(false, span),
        }
    }

    /// The predicate on the position after a move of a player, if something is forbidden.
    pub(super) fn after(&mut self, player: usize) -> Option<FuncId> {
        let name = self.game.players[player].node.as_str();
        let checks = self.game.forbidden.get(name)?;
        let doc = format!("Whether {name} may leave this position.");
        let function = format!("allowed {name}");
        let mut f = FunctionBuilder::new(&function, Some(Type::Bool), self.span()).doc(doc);
        let forbidden = self.some_check(checks, &mut f);
        Some(self.b.function(f.body(vec![Stmt::give(forbidden.not())])))
    }
}
