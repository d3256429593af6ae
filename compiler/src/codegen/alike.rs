//! Moves of several families that do the same.
//!
//! A rule for steps straight ahead and one for those aside are two families whose moves may do the same to a position. Where
//! nobody looks at the family of a move, as in a random game, such families are one.

use super::Generator;
use crate::ir::same::placeless;
use crate::ir::walk::rewrite_block;
use crate::ir::{Arm, Block, ExprKind, FuncId, Stmt, StmtKind};
use crate::source::Span;

/// Functions that call each other so deep are not compared.
const MOST_DEEP: usize = 8;

impl Generator<'_> {
    /// Whether the moves of two arms of a decision do the same, given the same arguments.
    pub(super) fn do_the_same(&self, one: &Arm, other: &Arm) -> bool {
        let plain = |arm: &Arm| arm.given.is_empty() && !self.tells_places(&arm.body);
        one.bind == other.bind
            && plain(one)
            && plain(other)
            && self.are_alike(&one.body, &other.body, MOST_DEEP)
    }

    /// Whether a fault in some statements, or in what they call, can tell where they stand in the rules.
    fn tells_places(&self, block: &[Stmt]) -> bool {
        let locals = &self.machine.locals;
        self.effects.block(self.game, locals, block).may_fault
    }

    fn are_alike(&self, one: &[Stmt], other: &[Stmt], deep: usize) -> bool {
        let (one, other) = (Plain::of(one), Plain::of(other));
        let mut pairs = one.calls.iter().zip(&other.calls);
        one.block == other.block
            && one.calls.len() == other.calls.len()
            && pairs.all(|(one, other)| self.functions_are_alike(*one, *other, deep))
    }

    fn functions_are_alike(&self, one: FuncId, other: FuncId, deep: usize) -> bool {
        if one == other {
            return true;
        }
        let Some(deep) = deep.checked_sub(1) else {
            return false;
        };
        let (one, other) = (self.game.function(one), self.game.function(other));
        let mut locals = one.locals.iter().zip(&other.locals);
        one.params == other.params
            && one.ret == other.ret
            && one.locals.len() == other.locals.len()
            && locals.all(|(one, other)| one.ty == other.ty)
            && self.are_alike(&one.body, &other.body, deep)
    }
}

/// Statements without their places in the rules, and without the functions that they call, which stand apart in their order.
struct Plain {
    block: Block,
    calls: Vec<FuncId>,
}

impl Plain {
    fn of(block: &[Stmt]) -> Plain {
        let mut plain = Plain {
            block: block.to_vec(),
            calls: Vec::new(),
        };
        let calls = &mut plain.calls;
        rewrite_block(&mut plain.block, &mut |expr| {
            *expr = placeless(expr);
            if let ExprKind::Call(func, _) = &mut expr.kind {
                calls.push(std::mem::replace(func, FuncId(0)));
            }
        });
        strip(&mut plain.block, &mut plain.calls);
        plain
    }
}

fn strip(block: &mut Block, calls: &mut Vec<FuncId>) {
    for stmt in block {
        stmt.span = Span::default();
        if let StmtKind::Call { func, .. } = &mut stmt.kind {
            calls.push(std::mem::replace(func, FuncId(0)));
        }
        stmt.blocks_mut(&mut |inner| strip(inner, calls));
    }
}
