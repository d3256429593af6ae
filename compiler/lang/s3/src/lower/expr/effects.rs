//! Expressions for what they do, and as the value of a function.

use super::super::Lower;
use super::super::consts::constant;
use super::super::value::{Repr, Val};
use crate::ast::{BinaryOp, Expr as Ast, ExprKind as Kind};
use crate::ir::{Block, Expr, Stmt, StmtKind};
use crate::source::Span;

impl<'a> Lower<'a> {
    /// Evaluates an expression for what it does.
    pub(in super::super) fn effect(&mut self, expr: &'a Ast, out: &mut Block) {
        if constant(expr).is_some() {
            return;
        }
        match &expr.kind {
            Kind::Assign { var, value } => self.assign(var, value, out),
            Kind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
                ..
            } => {
                self.logic_effect(*op, left, right, out);
            }
            Kind::If { condition, yes, no } => {
                let test = self.types.of(condition);
                let decision = self.bool(condition, out);
                let (mut first, mut second) = (Block::new(), Block::new());
                if test.yes {
                    self.effect(yes, &mut first);
                }
                if test.no {
                    self.effect(no, &mut second);
                }
                self.branch(decision, first, second, out);
            }
            Kind::Loop { .. } => self.rounds(expr, None, out),
            Kind::Call { name, args } if !self.is_pure(&name.node) => {
                if let Some(func) = self.pass(name, args, out) {
                    out.push(Stmt::call(func, Vec::new(), None, expr.span));
                }
            }
            Kind::Builtin { builtin, args, .. } if builtin.signature().changes_state => {
                self.change(*builtin, args, expr.span, false, out);
            }
            _ => {
                let val = self.any(expr, out);
                self.discard(val, out);
            }
        }
    }

    fn logic_effect(&mut self, op: BinaryOp, left: &'a Ast, right: &'a Ast, out: &mut Block) {
        let test = self.types.of(left);
        let needed = if op == BinaryOp::And {
            test.yes
        } else {
            test.no
        };
        let mut block = Block::new();
        if needed {
            match self.types.of(right).only_bool() {
                true => self.effect(right, &mut block),
                false => {
                    let value = self.bool(right, &mut block);
                    self.discard_expr(value, &mut block);
                }
            }
        }
        if block.is_empty() {
            return match test.only_bool() {
                true => self.effect(left, out),
                false => {
                    let value = self.bool(left, out);
                    self.discard_expr(value, out);
                }
            };
        }
        let decision = self.bool(left, out);
        match op {
            BinaryOp::And => self.branch(decision, block, Block::new(), out),
            _ => self.branch(decision, Block::new(), block, out),
        }
    }

    /// One block or the other; a decision between nothing is evaluated for its faults.
    pub(super) fn branch(&mut self, decision: Expr, yes: Block, no: Block, out: &mut Block) {
        match (yes.is_empty(), no.is_empty()) {
            (true, true) => self.discard_expr(decision, out),
            (true, false) => out.push(Stmt::branch(decision.not(), no, yes)),
            _ => out.push(Stmt::branch(decision, yes, no)),
        }
    }

    /// Leaves the function with the value of an expression; calls in this position come last.
    pub(in super::super) fn give(&mut self, expr: &'a Ast, repr: &Repr, out: &mut Block) {
        match &expr.kind {
            _ if constant(expr).is_some() || !self.has_effects(expr) => {}
            Kind::If { condition, yes, no } => {
                let test = self.types.of(condition);
                if test.yes && test.no {
                    let decision = self.bool(condition, out);
                    let (mut first, mut second) = (Block::new(), Block::new());
                    self.give(yes, repr, &mut first);
                    self.give(no, repr, &mut second);
                    out.push(Stmt::branch(decision, first, second));
                    return;
                }
            }
            Kind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
                ..
            } if self.has_effects(right) && self.types.of(right).only_bool() => {
                let is_and = *op == BinaryOp::And;
                let decision = self.bool(left, out);
                let stop = if is_and { decision.not() } else { decision };
                let short = Val::Bool(Expr::bool(!is_and, expr.span));
                let mut leave = Block::new();
                self.give_val(short, repr, expr.span, &mut leave);
                out.push(Stmt::branch(stop, leave, Block::new()));
                self.give(right, repr, out);
                return;
            }
            _ => {}
        }
        let val = self.any(expr, out);
        self.give_val(val, repr, expr.span, out);
    }

    /// Leaves the function with a value.
    pub(in super::super) fn give_val(
        &mut self,
        val: Val<'a>,
        repr: &Repr,
        span: Span,
        out: &mut Block,
    ) {
        let value = match (repr, self.gives_set) {
            (Repr::Mixed(item), Some(set)) => {
                let mixed = self.mix(val, item, span, out);
                let scalar = self.keep(mixed.scalar, out);
                out.push(Stmt::new(StmtKind::SetEnv(set, mixed.set), span));
                scalar
            }
            _ => self.convert(val, repr, span, out),
        };
        let ty = self.ty(repr);
        let value = match value.ty == ty {
            true => value,
            false => {
                let result = self.local("result", ty);
                out.push(Stmt::assign(result, value));
                self.get(result, span)
            }
        };
        out.push(Stmt::give(value.at(span)));
    }
}
