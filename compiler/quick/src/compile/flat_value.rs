//! Operations for scalars, conditions and sets of one word.

use super::link::Label;
use super::rays::row;
use super::sift::is_sifted;
use super::{Made, Maker};
use crate::code::*;
use crate::ir::{BinaryOp, Fold};
use crate::op::*;

/// What goes through a range: words that are in use meanwhile.
pub(super) enum Runner {
    /// The member that comes now, those that are left, and where the next one goes to.
    Members(Reg, Reg, Label),
    /// The number that comes now, and where it ends.
    Numbers(Reg, Reg),
}

impl Maker<'_> {
    /// Where a scalar lies that is worked out now, if it lies nowhere.
    pub(super) fn operand(&mut self, num: &Num) -> Made<Reg> {
        match num {
            Num::Const(value) => self.number(*value),
            Num::At(at) => self.reg(*at),
            Num::Env(at, flag, site) => {
                self.set_or_fault(*flag, *site)?;
                self.reg(*at)
            }
            Num::Call(call) => {
                // Another call of the same function may come before the value is used.
                let to = self.temp()?;
                if self.call_into(call, to)? {
                    return Ok(to);
                }
                let value = self.invoke(call)?;
                let value = self.reg(value)?;
                self.emit(Op::Move(to, value));
                Ok(to)
            }
            num => {
                let to = self.temp()?;
                self.num_into(num, to)?;
                Ok(to)
            }
        }
    }

    pub(super) fn operands(&mut self, both: &(Num, Num)) -> Made<(Reg, Reg)> {
        Ok((self.operand(&both.0)?, self.operand(&both.1)?))
    }

    /// Works out a scalar and stores it; what may read the old value there comes before.
    pub(super) fn num_into(&mut self, num: &Num, to: Reg) -> Made<()> {
        let op = match num {
            Num::Const(value) => Op::Move(to, self.number(*value)?),
            Num::At(at) => Op::Move(to, self.reg(*at)?),
            Num::Env(at, flag, site) => {
                self.set_or_fault(*flag, *site)?;
                Op::Move(to, self.reg(*at)?)
            }
            Num::Among(at, index) => {
                let index = self.operand(index)?;
                match *at < NEAR {
                    true => Op::Among(to, self.reg(*at)?, index),
                    false => {
                        let axis = PlaceAxis {
                            index,
                            lo: 0,
                            len: u64::from(u32::MAX),
                            stride: 1,
                        };
                        Op::Load(to, self.place(*at, Box::new([axis]), None)?)
                    }
                }
            }
            Num::Cell(cell) => {
                let place = self.place_of_cell(cell)?;
                self.emit_at(cell.site, Op::Load(to, place));
                return Ok(());
            }
            Num::If(three) => {
                let (other, end) = (self.label(), self.label());
                self.branch(&three.0, other, false)?;
                self.num_into(&three.1, to)?;
                self.jump(Op::Jump(0), end);
                self.here(other);
                self.num_into(&three.2, to)?;
                self.here(end);
                return Ok(());
            }
            Num::And(_) | Num::Or(_) | Num::OrElse(_) | Num::Fold(..) | Num::First(_) => {
                return self.in_steps(num, to);
            }
            Num::Call(call) => {
                if self.call_into(call, to)? {
                    return Ok(());
                }
                let value = self.invoke(call)?;
                Op::Move(to, self.reg(value)?)
            }
            Num::Exact(..) | Num::Wrapping(..) => return self.sum_into(num, to),
            num => return self.test_into(num, to),
        };
        self.emit(op);
        Ok(())
    }

    /// Comparisons and what is asked of one value.
    fn test_into(&mut self, num: &Num, to: Reg) -> Made<()> {
        let op = match num {
            Num::Not(a) => Op::Not(to, self.operand(a)?),
            Num::Equal(both) => {
                let (a, b) = self.operands(both)?;
                Op::Equal(to, a, b)
            }
            Num::Unequal(both) => {
                let (a, b) = self.operands(both)?;
                Op::Unequal(to, a, b)
            }
            Num::Compare(op, both) => {
                let (a, b) = self.operands(both)?;
                match op {
                    BinaryOp::Lt => Op::Less(to, a, b),
                    BinaryOp::Le => Op::AtMost(to, a, b),
                    BinaryOp::Gt => Op::Less(to, b, a),
                    _ => Op::AtMost(to, b, a),
                }
            }
            Num::Negate(a, site) => {
                let a = self.operand(a)?;
                self.emit_at(*site, Op::Negate(to, a));
                return Ok(());
            }
            Num::Absolute(a, site) => {
                let a = self.operand(a)?;
                self.emit_at(*site, Op::Absolute(to, a));
                return Ok(());
            }
            Num::WrapNegate(a) => Op::WrapNegate(to, self.operand(a)?),
            Num::WrapAbsolute(a) => Op::WrapAbsolute(to, self.operand(a)?),
            Num::ToWrap(a) => Op::ToWrap(to, self.operand(a)?),
            Num::IsSome(a) => Op::IsSome(to, self.operand(a)?),
            Num::Get(a, site) => {
                let a = self.operand(a)?;
                self.emit_at(*site, Op::Get(to, a));
                return Ok(());
            }
            Num::Ordinal(a, first) => {
                let a = self.operand(a)?;
                Op::Plus(to, a, self.number(*first)?)
            }
            Num::Member(a, first, len) => {
                let a = self.operand(a)?;
                let ends = self.constant(vec![*first, *len]);
                Op::Member(to, a, self.reg(ends)?)
            }
            num => return self.set_test_into(num, to),
        };
        self.emit(op);
        Ok(())
    }

    /// What is asked of sets; what else there is is worked out as it is written.
    fn set_test_into(&mut self, num: &Num, to: Reg) -> Made<()> {
        let op = match num {
            Num::In(both) if self.is_flat(&both.1) => {
                let (set, member) = self.membership(both)?;
                Op::Has(to, set, member)
            }
            Num::Size(set) if set.words == 1 => Op::Size(to, self.word_operand(set)?),
            Num::IsEmpty(set) if set.words == 1 => Op::Not(to, self.word_operand(set)?),
            Num::Subset(both) if both.0.words == 1 => {
                let rest = self.rest_of(both)?;
                Op::Not(to, rest)
            }
            Num::SameSet(both) if both.0.words == 1 => {
                let (a, b) = self.words_pair(both)?;
                Op::Equal(to, a, b)
            }
            Num::IsEmpty(_) | Num::Subset(_) | Num::SameSet(_) => match self.difference(num)? {
                Some(rest) => Op::Not(to, rest),
                None => self.tree(num, to)?,
            },
            Num::AnyRow(rows) => return self.any_row(rows, to),
            Num::Size(set) if self.is_wide(set) => return self.size_into(set, to),
            Num::Length(seq) => match seq.kind {
                SeqKind::At(at) if at < NEAR => Op::Move(to, self.reg(at)?),
                _ => self.tree(num, to)?,
            },
            num => self.tree(num, to)?,
        };
        self.emit(op);
        Ok(())
    }

    /// A word that is 0 if a condition on sets of several words holds.
    pub(super) fn difference(&mut self, cond: &Num) -> Made<Option<Reg>> {
        Ok(Some(match cond {
            Num::IsEmpty(set) if self.is_wide(set) => {
                let at = self.set_at(set)?;
                self.wide_difference(at, None, set.words, Op::Either)?
            }
            Num::Subset(both) if self.is_wide(&both.0) => {
                let (a, b) = (self.set_at(&both.0)?, self.set_at(&both.1)?);
                self.wide_difference(a, Some(b), both.0.words, Op::Without)?
            }
            Num::SameSet(both) if self.is_wide(&both.0) => {
                let (a, b) = (self.set_at(&both.0)?, self.set_at(&both.1)?);
                self.wide_difference(a, Some(b), both.0.words, Op::Unequal)?
            }
            _ => return Ok(None),
        }))
    }

    fn size_into(&mut self, set: &Set, to: Reg) -> Made<()> {
        let at = self.set_at(set)?;
        let (sum, word) = (self.temp()?, self.temp()?);
        for i in 0..set.words {
            let from = self.reg(at + i)?;
            let part = if i == 0 { sum } else { word };
            self.emit(Op::Size(part, from));
            if i > 0 {
                self.emit(Op::Plus(sum, sum, word));
            }
        }
        self.emit(Op::Move(to, sum));
        Ok(())
    }

    fn tree(&mut self, num: &Num, to: Reg) -> Made<Op> {
        Ok(Op::Num(to, Self::listed(&mut self.code.nums, num.clone())?))
    }

    fn sum_into(&mut self, num: &Num, to: Reg) -> Made<()> {
        let (op, site) = match num {
            Num::Exact(op, both, site) => {
                let (a, b) = self.operands(both)?;
                let op = match op {
                    BinaryOp::Add => Op::Add(to, a, b),
                    BinaryOp::Sub => Op::Subtract(to, a, b),
                    BinaryOp::Mul => Op::Multiply(to, a, b),
                    BinaryOp::Min => Op::Least(to, a, b),
                    BinaryOp::Max => Op::Greatest(to, a, b),
                    op => Op::Exact(*op, to, a, b),
                };
                (op, *site)
            }
            Num::Wrapping(op, both, site) => {
                let (a, b) = self.operands(both)?;
                (Op::Wrapping(*op, to, a, b), *site)
            }
            _ => return Ok(()),
        };
        self.emit_at(site, op);
        Ok(())
    }

    /// What is worked out in several steps, the first of which may write its word before the last is asked.
    fn in_steps(&mut self, num: &Num, to: Reg) -> Made<()> {
        if !self.is_temp(to) {
            let temp = self.temp()?;
            self.in_steps(num, temp)?;
            self.emit(Op::Move(to, temp));
            return Ok(());
        }
        let end = self.label();
        match num {
            Num::And(both) | Num::Or(both) => {
                // What decides alone.
                let either = matches!(num, Num::Or(_));
                let decided = self.number(i64::from(either))?;
                self.emit(Op::Move(to, decided));
                self.branch(&both.0, end, either)?;
                self.num_into(&both.1, to)?;
            }
            Num::OrElse(both) => {
                self.num_into(&both.0, to)?;
                self.jump(Op::IfSome(to, 0), end);
                self.num_into(&both.1, to)?;
            }
            Num::Fold(fold, range, site) if self.is_flat_range(&range.over) => {
                self.fold_into(*fold, range, *site, to)?;
            }
            Num::First(range) if self.is_flat_range(&range.over) => {
                let none = self.number(-1)?;
                self.emit(Op::Move(to, none));
                self.through(range, |maker, _, local, end| {
                    maker.emit(Op::Move(to, local));
                    maker.jump(Op::Jump(0), end);
                    Ok(())
                })?;
            }
            num => {
                let op = self.tree(num, to)?;
                self.emit(op);
            }
        }
        self.here(end);
        Ok(())
    }

    fn fold_into(&mut self, fold: Fold, range: &Range, site: Site, to: Reg) -> Made<()> {
        let (zero, one) = (self.number(0)?, self.number(1)?);
        let found = self.temp()?;
        match fold {
            Fold::Forall => self.emit(Op::Move(to, one)),
            _ => self.emit(Op::Move(to, zero)),
        }
        match fold {
            Fold::Exists => self.through(range, |maker, _, _, end| {
                maker.emit(Op::Move(to, one));
                maker.jump(Op::Jump(0), end);
                Ok(())
            }),
            Fold::Count => self.through(range, |maker, _, _, _| {
                maker.emit(Op::Plus(to, to, one));
                Ok(())
            }),
            Fold::Forall => self.all_through(range, |maker, body, _, end| {
                let fine = maker.label();
                if let Some(body) = body {
                    maker.branch(body, fine, true)?;
                    maker.emit(Op::Move(to, zero));
                    maker.jump(Op::Jump(0), end);
                }
                maker.here(fine);
                Ok(())
            }),
            Fold::Sum | Fold::Min | Fold::Max => {
                self.emit(Op::Move(found, zero));
                self.all_through(range, |maker, body, _, _| {
                    let value = match body {
                        Some(body) => maker.operand(body)?,
                        None => one,
                    };
                    let (first, next) = (maker.label(), maker.label());
                    if fold == Fold::Sum {
                        maker.emit_at(site, Op::Add(to, to, value));
                        return Ok(());
                    }
                    maker.jump(Op::Unless(found, 0), first);
                    maker.emit(match fold {
                        Fold::Min => Op::Least(to, to, value),
                        _ => Op::Greatest(to, to, value),
                    });
                    maker.jump(Op::Jump(0), next);
                    maker.here(first);
                    maker.emit(Op::Move(to, value));
                    maker.emit(Op::Move(found, one));
                    maker.here(next);
                    Ok(())
                })?;
                if fold != Fold::Sum {
                    let end = self.label();
                    self.jump(Op::If(found, 0), end);
                    self.emit_at(site, Op::Fault);
                    self.here(end);
                }
                Ok(())
            }
        }
    }

    fn is_flat_range(&self, over: &Over) -> bool {
        match over {
            Over::Below(_) | Over::Between(..) => true,
            Over::Set(set) => set.words == 1,
            Over::Seq(_) => false,
        }
    }

    /// Goes through what passes the test of a range.
    fn through(
        &mut self,
        range: &Range,
        f: impl FnOnce(&mut Self, Option<&Num>, Reg, Label) -> Made<()>,
    ) -> Made<()> {
        self.all_through(range, |maker, body, local, end| {
            let next = maker.label();
            if let Some(body) = body {
                maker.branch(body, next, false)?;
            }
            f(maker, body, local, end)?;
            maker.here(next);
            Ok(())
        })
    }

    fn all_through(
        &mut self,
        range: &Range,
        f: impl FnOnce(&mut Self, Option<&Num>, Reg, Label) -> Made<()>,
    ) -> Made<()> {
        let local = self.reg(range.local)?;
        let (top, end) = (self.label(), self.label());
        let runner = self.range_begin(&range.over, local, top, end)?;
        f(self, range.body.as_ref(), local, end)?;
        self.range_next(runner, top);
        self.here(end);
        Ok(())
    }

    /// The head of a loop over numbers or members of a set of one word.
    pub(super) fn range_begin(
        &mut self,
        over: &Over,
        local: Reg,
        top: Label,
        end: Label,
    ) -> Made<Runner> {
        let now = self.temp()?;
        let last = match over {
            Over::Set(set) => {
                self.word_into(set, now)?;
                self.here(top);
                self.jump(Op::Next(local, now, 0), end);
                let inside = self.label();
                self.here(inside);
                return Ok(Runner::Members(local, now, inside));
            }
            Over::Below(len) => {
                let zero = self.number(0)?;
                self.emit(Op::Move(now, zero));
                self.number(*len - 1)?
            }
            Over::Between(from, to) => {
                self.num_into(from, now)?;
                let last = self.temp()?;
                self.num_into(to, last)?;
                last
            }
            Over::Seq(_) => return super::unsupported("a loop of another kind"),
        };
        self.jump(Op::IfLess(last, now, 0), end);
        self.here(top);
        self.emit(Op::Move(local, now));
        Ok(Runner::Numbers(now, last))
    }

    /// The foot of such a loop.
    pub(super) fn range_next(&mut self, runner: Runner, top: Label) {
        match runner {
            Runner::Members(local, left, inside) => self.jump(Op::Again(local, left, 0), inside),
            Runner::Numbers(now, last) => self.jump(Op::Up(now, last, 0), top),
        }
    }

    fn set_or_fault(&mut self, flag: At, site: Site) -> Made<()> {
        let flag = self.reg(flag)?;
        self.emit_at(site, Op::Require(flag));
        Ok(())
    }

    /// The place of a value of a variable or table.
    pub(super) fn place_of_cell(&mut self, cell: &Cell) -> Made<u16> {
        let mut index = Vec::new();
        let is_zero = |axis: &Axis| matches!(axis.index, Num::Const(value) if value == axis.lo && axis.len > 0);
        for axis in cell.index.iter().filter(|axis| !is_zero(axis)) {
            index.push(PlaceAxis {
                index: self.operand(&axis.index)?,
                lo: axis.lo,
                len: axis.len,
                stride: axis.stride,
            });
        }
        self.place(cell.base, index.into(), cell.outside)
    }

    pub(super) fn place(
        &mut self,
        base: At,
        index: Box<[PlaceAxis]>,
        outside: Option<At>,
    ) -> Made<u16> {
        let place = Place {
            base,
            index,
            outside,
        };
        Self::listed(&mut self.code.places, place)
    }

    /// Where the number of the word of a variable lies.
    pub(super) fn locate(&mut self, cell: &Cell) -> Made<Reg> {
        let place = self.place_of_cell(cell)?;
        self.locate_place(place, cell.site)
    }

    pub(super) fn locate_place(&mut self, place: u16, site: Site) -> Made<Reg> {
        let to = self.temp()?;
        self.emit_at(site, Op::Locate(to, place));
        Ok(to)
    }

    /// Whether membership of a set can be asked of words.
    pub(super) fn is_flat(&self, set: &Set) -> bool {
        set.words == 1 || self.is_wide(set)
    }

    pub(super) fn membership(&mut self, both: &(Num, Set)) -> Made<(Reg, Reg)> {
        let member = self.operand(&both.0)?;
        let set = self.set_at(&both.1)?;
        Ok((self.reg(set)?, member))
    }

    /// What is in one set and not in the other.
    pub(super) fn rest_of(&mut self, both: &(Set, Set)) -> Made<Reg> {
        let (a, b) = self.words_pair(both)?;
        let rest = self.temp()?;
        self.emit(Op::Without(rest, a, b));
        Ok(rest)
    }

    pub(super) fn words_pair(&mut self, both: &(Set, Set)) -> Made<(Reg, Reg)> {
        Ok((self.word_operand(&both.0)?, self.word_operand(&both.1)?))
    }

    /// Where a set of one word lies that is worked out now, if it lies nowhere.
    pub(super) fn word_operand(&mut self, set: &Set) -> Made<Reg> {
        if let SetKind::At(at) = set.kind
            && at < NEAR
        {
            return self.reg(at);
        }
        let to = self.temp()?;
        self.word_into(set, to)?;
        Ok(to)
    }

    /// Works out a set of one word and stores it.
    pub(super) fn word_into(&mut self, set: &Set, to: Reg) -> Made<()> {
        let op = match &set.kind {
            _ if is_sifted(set) => return self.word_in_steps(set, to),
            _ if self.chosen(set, to)? => return Ok(()),
            _ if let Some((index, rays)) = self.rays(set)? => {
                let rays = Self::listed(&mut self.code.rays, rays)?;
                Op::Rays(to, index, rays)
            }
            SetKind::At(at) if *at < NEAR => Op::Move(to, self.reg(*at)?),
            SetKind::Env(at, flag, site) => {
                self.set_or_fault(*flag, *site)?;
                Op::Move(to, self.reg(*at)?)
            }
            SetKind::Union(both) => {
                if self.is_conditional(&both.0) || self.is_conditional(&both.1) {
                    return self.word_in_steps(set, to);
                }
                let (a, b) = self.words_pair(both)?;
                Op::Either(to, a, b)
            }
            SetKind::Intersect(both) => {
                let (a, b) = self.words_pair(both)?;
                Op::Both(to, a, b)
            }
            SetKind::Minus(both) => {
                let (a, b) = self.words_pair(both)?;
                Op::Without(to, a, b)
            }
            SetKind::UpTo(both) => {
                let (a, b) = self.words_pair(both)?;
                Op::UpTo(to, a, b)
            }
            SetKind::DownTo(both) => {
                let (a, b) = self.words_pair(both)?;
                Op::DownTo(to, a, b)
            }
            SetKind::Complement(all, a) => {
                let a = self.word_operand(a)?;
                Op::Without(to, self.reg(*all)?, a)
            }
            SetKind::Cell(cell) if let Some((table, index)) = row(cell) => {
                let index = self.operand(index)?;
                Op::Among(to, self.reg(table)?, index)
            }
            SetKind::Cell(cell) => {
                let place = self.place_of_cell(cell)?;
                self.emit_at(cell.site, Op::Load(to, place));
                return Ok(());
            }
            SetKind::Call(call) => {
                if self.call_into(call, to)? {
                    return Ok(());
                }
                let value = self.invoke(call)?;
                Op::Move(to, self.reg(value)?)
            }
            SetKind::If(three) => {
                let (other, end) = (self.label(), self.label());
                self.branch(&three.0, other, false)?;
                self.word_into(&three.1, to)?;
                self.jump(Op::Jump(0), end);
                self.here(other);
                self.word_into(&three.2, to)?;
                self.here(end);
                return Ok(());
            }
            _ => return self.word_in_steps(set, to),
        };
        self.emit(op);
        Ok(())
    }

    fn word_in_steps(&mut self, set: &Set, to: Reg) -> Made<()> {
        if !self.is_temp(to) {
            let temp = self.temp()?;
            self.word_in_steps(set, temp)?;
            self.emit(Op::Move(to, temp));
            return Ok(());
        }
        let zero = self.number(0)?;
        match &set.kind {
            _ if is_sifted(set) => self.word_within(set, None, to)?,
            SetKind::Union(_) => self.joined(set, to)?,
            SetKind::Of(items) => {
                let mut members = Vec::new();
                for item in items {
                    members.push(self.operand(item)?);
                }
                match members.split_first() {
                    Some((first, _)) => self.emit(Op::Only(to, *first)),
                    None => self.emit(Op::Move(to, zero)),
                }
                for member in members.iter().skip(1) {
                    self.emit(Op::Insert(to, *member));
                }
            }
            SetKind::Collect(range) if self.is_flat_range(&range.over) => {
                self.emit(Op::Move(to, zero));
                self.through(range, |maker, _, local, _| {
                    maker.emit(Op::Insert(to, local));
                    Ok(())
                })?;
            }
            SetKind::Back(both) if both.1.words == 1 && near_steps(&both.0) => {
                let from = self.word_operand(&both.1)?;
                self.step_back(&both.0, from, to)?;
            }
            SetKind::Reach(reach)
                if matches!(reach.step, Back::Shift(..))
                    && self.reach(reach, usize::from(to), 1)? => {}
            SetKind::Matching(sets, none, which) if sets.iter().all(|(_, at)| *at < NEAR) => {
                let (which, end) = (self.operand(which)?, self.label());
                for (value, at) in sets {
                    let (set, value) = (self.reg(*at)?, self.number(*value)?);
                    self.emit(Op::Move(to, set));
                    self.jump(Op::IfEqual(which, value, 0), end);
                }
                let none = self.reg(*none)?;
                self.emit(Op::Move(to, none));
                self.here(end);
            }
            _ => {
                let index = Self::listed(&mut self.code.sets, set.clone())?;
                self.emit(Op::Word(to, index));
            }
        }
        Ok(())
    }

    fn step_back(&mut self, step: &Back, from: Reg, to: Reg) -> Made<()> {
        match step {
            Back::Shift(by, steps) => {
                let steps = self.reg(*steps)?;
                self.emit(Op::StepBack(to, from, *by as i8));
                self.emit(Op::Both(to, to, steps));
            }
            Back::Sets(sets, _) => {
                let sets = self.reg(*sets)?;
                self.emit(Op::Collect(to, sets, from));
            }
        }
        Ok(())
    }
}

/// Whether a step backwards is one of sets of one word that operations can name.
fn near_steps(step: &Back) -> bool {
    match step {
        Back::Shift(by, steps) => by.unsigned_abs() < 64 && *steps < NEAR,
        Back::Sets(sets, width) => *width == 1 && sets + 64 <= NEAR,
    }
}
