//! Members of which a word is compared with one value: what a variable, a table or a placement gives for each member lies in a
//! row, so that all of them are compared by one operation.

use super::constants::{constant, is_constant_kind};
use super::expr::{names, without_zero};
use super::keep::MOST_VALUES;
use super::{Made, Maker};
use crate::code::*;
use crate::ir::{BinaryOp, Const, DomainId, Expr, ExprKind, LocalId, Type};
use crate::op::{NEAR, Op, Reg, Sifted};

impl Maker<'_> {
    /// The members for which a comparison holds, if it compares what lies in a row with what is the same for all of them.
    pub(super) fn sifted(
        &mut self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
    ) -> Made<Option<Set>> {
        let found = match &when.kind {
            ExprKind::IsSome(a) => self
                .row_of(local, domain, a)?
                .map(|base| (Compare::AtLeast, base, Num::Const(0))),
            ExprKind::Binary(op, a, b) if a.ty.is_scalar() && b.ty.is_scalar() => {
                match Compare::of(*op) {
                    Some(compare) => self.compared(local, domain, compare, (a, b))?,
                    None => None,
                }
            }
            _ if when.ty == Type::Bool => self
                .row_of(local, domain, when)?
                .map(|base| (Compare::Unequal, base, Num::Const(0))),
            _ => None,
        };
        let Some((compare, base, value)) = found else {
            return Ok(None);
        };
        let len = self.game.domain(domain).len();
        let sift = Sift {
            compare,
            base,
            all: self.full(len),
            value,
        };
        Ok(Some(self.made(len, SetKind::Sift(Box::new(sift)))))
    }

    fn compared(
        &mut self,
        local: LocalId,
        domain: DomainId,
        compare: Compare,
        (a, b): (&Expr, &Expr),
    ) -> Made<Option<(Compare, At, Num)>> {
        let free = |expr: &Expr| !names(expr, local) && self.is_harmless(expr);
        let (row, value, compare) = match (free(a), free(b)) {
            (false, true) => (a, b, compare),
            (true, false) => (b, a, compare.turned()),
            _ => return Ok(None),
        };
        let Some(base) = self.row_of(local, domain, row)? else {
            return Ok(None);
        };
        Ok(Some((compare, base, self.num(value)?)))
    }

    /// The members that pass a condition on nothing else.
    pub(super) fn known(&self, local: LocalId, domain: DomainId, when: &Expr) -> Option<Vec<u32>> {
        let mut passing = Vec::new();
        for (value, members) in self.values_by_member(local, domain, when)? {
            match value {
                Const::Bool(true) => passing = members,
                Const::Bool(false) => {}
                _ => return None,
            }
        }
        Some(passing)
    }

    /// The values that constants give for all members, and for which members each.
    pub(super) fn values_by_member(
        &self,
        local: LocalId,
        domain: DomainId,
        value: &Expr,
    ) -> Option<Vec<(Const, Vec<u32>)>> {
        let mut alone = true;
        value.walk(&mut |expr| {
            alone &= match &expr.kind {
                ExprKind::Local(other) => *other == local,
                _ => is_constant_kind(&expr.kind),
            };
        });
        if !alone || !names(value, local) {
            return None;
        }
        let mut values: Vec<(Const, Vec<u32>)> = Vec::new();
        for member in 0..self.len(domain) as u32 {
            let given = |expr: &Expr| match expr.kind {
                ExprKind::Local(_) => Some(Const::Elem(member)),
                _ => None,
            };
            let found = constant(self.game, value, &given)?;
            match values.iter_mut().find(|(value, _)| *value == found) {
                Some((_, members)) => members.push(member),
                None => values.push((found, vec![member])),
            }
        }
        (values.len() <= MOST_VALUES).then_some(values)
    }

    /// Where the values lie that an expression has for the members of a domain, in a row.
    fn row_of(&mut self, local: LocalId, domain: DomainId, expr: &Expr) -> Made<Option<At>> {
        if let Some(same) = without_zero(expr) {
            return self.row_of(local, domain, same);
        }
        let len = self.game.domain(domain).len();
        let is_local = |expr: &Expr| matches!(expr.kind, ExprKind::Local(l) if l == local);
        let looks = match &expr.kind {
            ExprKind::Var(_, index) | ExprKind::Lookup(_, index) => {
                let known = |index: &&Expr| is_local(index) || index.as_const().is_some();
                index.iter().filter(|index| is_local(index)).count() == 1
                    && index.iter().filter(known).count() == index.len()
            }
            ExprKind::PlaceOf(_, piece) => is_local(piece),
            ExprKind::Content(_, place) => is_local(place),
            _ => false,
        };
        if !looks {
            return self.constant_row(local, len, expr);
        }
        let at = self.local(local)?;
        Ok(match self.num(expr)? {
            Num::Among(base, index) if matches!(*index, Num::At(index) if index == at) => {
                (base + len <= NEAR).then_some(base)
            }
            _ => None,
        })
    }

    /// The same for values that constants give.
    fn constant_row(&mut self, local: LocalId, len: usize, expr: &Expr) -> Made<Option<At>> {
        let mut alone = names(expr, local) && expr.ty.is_scalar();
        expr.walk(&mut |expr| {
            alone &= match &expr.kind {
                ExprKind::Local(other) => *other == local,
                kind => is_constant_kind(kind),
            };
        });
        if !alone {
            return Ok(None);
        }
        let mut row = Vec::new();
        for member in 0..len as u32 {
            let given = |expr: &Expr| match expr.kind {
                ExprKind::Local(_) => Some(Const::Elem(member)),
                _ => None,
            };
            match constant(self.game, expr, &given) {
                Some(value) => row.push(self.words_of(&value, &expr.ty)?[0]),
                None => return Ok(None),
            }
        }
        let at = self.constant(row);
        Ok((at + len <= NEAR).then_some(at))
    }

    /// The members that a condition with the other outcome keeps.
    pub(super) fn unsifted(set: &Set) -> Option<Set> {
        let SetKind::Sift(sift) = &set.kind else {
            return None;
        };
        let other = Sift {
            compare: sift.compare.denied(),
            ..sift.as_ref().clone()
        };
        Some(Set {
            kind: SetKind::Sift(Box::new(other)),
            ..set.clone()
        })
    }

    /// Compares the members of a set of one word that lies there: those that pass.
    fn sift(&mut self, sift: &Sift, value: Reg, word: usize, set: Reg, to: Reg) -> Made<()> {
        let row = self.reg(sift.base + word * 64)?;
        let compare = sift.compare;
        let asked = Self::listed(&mut self.code.sifted, Sifted { compare, set, row })?;
        self.emit(Op::Sift(to, value, asked));
        Ok(())
    }

    /// Works out the members of a set of several words by comparing.
    pub(super) fn sift_into(&mut self, sift: &Sift, to: At, words: usize) -> Made<()> {
        let value = self.operand(&sift.value)?;
        for word in 0..words {
            let (set, to) = (self.reg(sift.all + word)?, self.reg(to + word)?);
            self.sift(sift, value, word, set, to)?;
        }
        Ok(())
    }

    /// Works out what a set of one word has in common with another, so that nothing else is compared; `to` is a word that
    /// nothing else names meanwhile.
    pub(super) fn word_within(&mut self, set: &Set, within: Option<Reg>, to: Reg) -> Made<()> {
        match &set.kind {
            SetKind::Sift(sift) => {
                let value = self.operand(&sift.value)?;
                let members = match within {
                    Some(members) => members,
                    None => self.reg(sift.all)?,
                };
                self.sift(sift, value, 0, members, to)
            }
            SetKind::Intersect(both) if is_sifted(set) => {
                let (first, second) = match is_sifted(&both.0) {
                    true => (&both.1, &both.0),
                    false => (&both.0, &both.1),
                };
                let first = self.within_operand(first, within)?;
                self.word_within(second, Some(first), to)
            }
            SetKind::Union(both) if is_sifted(set) => {
                let first = self.within_operand(&both.0, within)?;
                self.word_within(&both.1, within, to)?;
                self.emit(Op::Either(to, to, first));
                Ok(())
            }
            SetKind::If(three) if is_sifted(set) => {
                let (other, end) = (self.label(), self.label());
                self.branch(&three.0, other, false)?;
                self.word_within(&three.1, within, to)?;
                self.jump(Op::Jump(0), end);
                self.here(other);
                self.word_within(&three.2, within, to)?;
                self.here(end);
                Ok(())
            }
            _ => match within {
                Some(members) => {
                    let set = self.word_operand(set)?;
                    self.emit(Op::Both(to, set, members));
                    Ok(())
                }
                None => self.word_into(set, to),
            },
        }
    }

    /// Where that lies, worked out now if it lies nowhere.
    fn within_operand(&mut self, set: &Set, within: Option<Reg>) -> Made<Reg> {
        if within.is_none() && !is_sifted(set) {
            return self.word_operand(set);
        }
        let to = self.temp()?;
        self.word_within(set, within, to)?;
        Ok(to)
    }
}

/// Whether a set of one word is made by comparing members that need not be in another set.
pub(super) fn is_sifted(set: &Set) -> bool {
    match &set.kind {
        SetKind::Sift(_) => true,
        SetKind::Intersect(both) | SetKind::Union(both) => is_sifted(&both.0) || is_sifted(&both.1),
        SetKind::If(three) => is_sifted(&three.1) || is_sifted(&three.2),
        _ => false,
    }
}

impl Compare {
    fn of(op: BinaryOp) -> Option<Compare> {
        Some(match op {
            BinaryOp::Eq => Compare::Equal,
            BinaryOp::Ne => Compare::Unequal,
            BinaryOp::Lt => Compare::Less,
            BinaryOp::Le => Compare::AtMost,
            BinaryOp::Gt => Compare::More,
            BinaryOp::Ge => Compare::AtLeast,
            _ => return None,
        })
    }

    /// With its sides exchanged.
    fn turned(self) -> Compare {
        match self {
            Compare::Less => Compare::More,
            Compare::AtMost => Compare::AtLeast,
            Compare::More => Compare::Less,
            Compare::AtLeast => Compare::AtMost,
            same => same,
        }
    }

    /// What holds where this does not.
    fn denied(self) -> Compare {
        match self {
            Compare::Equal => Compare::Unequal,
            Compare::Unequal => Compare::Equal,
            Compare::Less => Compare::AtLeast,
            Compare::AtMost => Compare::More,
            Compare::More => Compare::AtMost,
            Compare::AtLeast => Compare::Less,
        }
    }
}
