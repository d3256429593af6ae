//! Unions of sets of one word, some of which are there under a condition: those cost nothing where it does not hold.

use super::{Made, Maker};
use crate::code::*;
use crate::op::{Op, Reg};

impl Maker<'_> {
    /// Whether a set of one word is empty unless a condition holds, or unless it does not; or a union with such a set.
    pub(super) fn is_conditional(&mut self, set: &Set) -> bool {
        match &set.kind {
            SetKind::Union(both) => self.is_conditional(&both.0) || self.is_conditional(&both.1),
            SetKind::If(three) => self.is_nothing(&three.1) || self.is_nothing(&three.2),
            _ => false,
        }
    }

    fn is_nothing(&mut self, set: &Set) -> bool {
        matches!(set.kind, SetKind::At(at) if at == self.constant(vec![0]))
    }

    /// A union one part after another, those that are there under a condition only where it holds.
    pub(super) fn joined(&mut self, set: &Set, to: Reg) -> Made<()> {
        let mut parts = Vec::new();
        union_parts(set, &mut parts);
        let zero = self.number(0)?;
        self.emit(Op::Move(to, zero));
        for part in parts {
            let (used, next) = (self.flat.used(), self.label());
            let part = match &part.kind {
                SetKind::If(three) if self.is_nothing(&three.2) => {
                    self.branch(&three.0, next, false)?;
                    &three.1
                }
                SetKind::If(three) if self.is_nothing(&three.1) => {
                    self.branch(&three.0, next, true)?;
                    &three.2
                }
                _ => part,
            };
            let part = self.word_operand(part)?;
            self.emit(Op::Either(to, to, part));
            self.here(next);
            self.flat.give_back(used);
        }
        Ok(())
    }
}

/// The sets that a union joins, in order.
pub(super) fn union_parts<'s>(set: &'s Set, out: &mut Vec<&'s Set>) {
    match &set.kind {
        SetKind::Union(both) => {
            union_parts(&both.0, out);
            union_parts(&both.1, out);
        }
        _ => out.push(set),
    }
}
