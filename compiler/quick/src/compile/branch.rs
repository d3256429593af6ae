//! Conditions as jumps.

use super::link::Label;
use super::{Made, Maker};
use crate::code::*;
use crate::ir::BinaryOp;
use crate::op::*;

impl Maker<'_> {
    /// Jumps if a condition holds, or if it does not.
    pub(super) fn branch(&mut self, cond: &Num, label: Label, when: bool) -> Made<()> {
        let op = match cond {
            Num::Const(value) => {
                if (*value != 0) == when {
                    self.jump(Op::Jump(0), label);
                }
                return Ok(());
            }
            Num::Not(a) => return self.branch(a, label, !when),
            Num::And(_) | Num::Or(_) if let Some((at, numbers)) = one_of(cond) => {
                let set = self.number(numbers as i64)?;
                match matches!(cond, Num::Or(_)) == when {
                    true => Op::IfOneOf(self.reg(at)?, set, 0),
                    false => Op::IfNoneOf(self.reg(at)?, set, 0),
                }
            }
            Num::And(both) | Num::Or(both) => {
                // One of both decides for all that is joined by it.
                let decides = matches!(cond, Num::Or(_));
                if when == decides {
                    self.branch(&both.0, label, when)?;
                    return self.branch(&both.1, label, when);
                }
                let other = self.label();
                self.branch(&both.0, other, decides)?;
                self.branch(&both.1, label, when)?;
                self.here(other);
                return Ok(());
            }
            Num::Equal(both) | Num::Unequal(both) => {
                let (a, b) = self.operands(both)?;
                match matches!(cond, Num::Equal(_)) == when {
                    true => Op::IfEqual(a, b, 0),
                    false => Op::IfUnequal(a, b, 0),
                }
            }
            Num::Compare(op, both) => {
                let (a, b) = self.operands(both)?;
                match (op, when) {
                    (BinaryOp::Lt, true) => Op::IfLess(a, b, 0),
                    (BinaryOp::Lt, false) => Op::IfAtMost(b, a, 0),
                    (BinaryOp::Le, true) => Op::IfAtMost(a, b, 0),
                    (BinaryOp::Le, false) => Op::IfLess(b, a, 0),
                    (BinaryOp::Gt, true) => Op::IfLess(b, a, 0),
                    (BinaryOp::Gt, false) => Op::IfAtMost(a, b, 0),
                    (_, true) => Op::IfAtMost(b, a, 0),
                    (_, false) => Op::IfLess(a, b, 0),
                }
            }
            Num::In(both) if self.is_flat(&both.1) => {
                let (set, member) = self.membership(both)?;
                match when {
                    true => Op::IfHas(set, member, 0),
                    false => Op::IfLacks(set, member, 0),
                }
            }
            Num::IsSome(a) => {
                let a = self.operand(a)?;
                match when {
                    true => Op::IfSome(a, 0),
                    false => Op::IfNone(a, 0),
                }
            }
            Num::IsEmpty(set) if set.words == 1 => {
                let word = self.word_operand(set)?;
                truth(word, !when)
            }
            Num::Subset(both) if both.0.words == 1 => {
                let rest = self.rest_of(both)?;
                truth(rest, !when)
            }
            Num::SameSet(both) if both.0.words == 1 => {
                let (a, b) = self.words_pair(both)?;
                match when {
                    true => Op::IfEqual(a, b, 0),
                    false => Op::IfUnequal(a, b, 0),
                }
            }
            Num::IsEmpty(_) | Num::Subset(_) | Num::SameSet(_) => match self.difference(cond)? {
                Some(rest) => truth(rest, !when),
                None => truth(self.operand(cond)?, when),
            },
            Num::Call(call) => {
                if self.call_decides(call, label, when)? {
                    return Ok(());
                }
                // Nothing comes before the value is used.
                let value = self.invoke(call)?;
                truth(self.reg(value)?, when)
            }
            cond => truth(self.operand(cond)?, when),
        };
        self.jump(op, label);
        Ok(())
    }
}

fn truth(word: Reg, when: bool) -> Op {
    match when {
        true => Op::If(word, 0),
        false => Op::Unless(word, 0),
    }
}

/// The word that a condition compares with numbers below 64 alone, and these: it is one of them, or with `And` none.
fn one_of(cond: &Num) -> Option<(At, u64)> {
    let ((first, numbers), (second, others)) = match cond {
        Num::Or(both) => (one_of_any(&both.0, true)?, one_of_any(&both.1, true)?),
        Num::And(both) => (one_of_any(&both.0, false)?, one_of_any(&both.1, false)?),
        _ => return None,
    };
    (first == second && first < NEAR).then_some((first, numbers | others))
}

/// The same for a part of such a condition, which may be one comparison.
fn one_of_any(cond: &Num, is: bool) -> Option<(At, u64)> {
    match (cond, is) {
        (Num::Or(_), true) | (Num::And(_), false) => one_of(cond),
        (Num::Equal(both), true) | (Num::Unequal(both), false) => match **both {
            (Num::At(at), Num::Const(number)) | (Num::Const(number), Num::At(at)) => {
                (0..64).contains(&number).then(|| (at, 1 << number))
            }
            _ => None,
        },
        _ => None,
    }
}
