//! Operations for sets of several words: one for each word.

use super::{MOST_SET, Made, Maker};
use crate::code::*;
use crate::op::*;

/// The words of a cell that are loaded one by one: more are fetched from where the first one is.
const MOST_LOADED: usize = 2;

impl Maker<'_> {
    /// Where a set lies that is worked out now, if it lies nowhere; of any number of words.
    pub(super) fn set_at(&mut self, set: &Set) -> Made<At> {
        match &set.kind {
            SetKind::At(at) if at + set.words <= NEAR => Ok(*at),
            _ if set.words == 1 => Ok(usize::from(self.word_operand(set)?)),
            SetKind::Call(call) if set.to == 0 => self.invoke(call),
            _ => {
                let to = match set.to {
                    0 => self.far_room(set.words),
                    to => to,
                };
                self.set_into(set, to)?;
                Ok(to)
            }
        }
    }

    /// Works out a set and stores it. Nothing of what it is made from may lie there.
    pub(super) fn set_into(&mut self, set: &Set, to: At) -> Made<()> {
        let words = set.words;
        if words == 1 {
            let to = self.reg(to)?;
            return self.word_into(set, to);
        }
        if words > MOST_SET {
            return self.set_as_written(set, to);
        }
        match &set.kind {
            SetKind::At(at) => self.copy(*at, to, words),
            SetKind::Union(both) => self.word_by_word(both, to, Op::Either),
            SetKind::Intersect(both) => self.word_by_word(both, to, Op::Both),
            SetKind::Minus(both) => self.word_by_word(both, to, Op::Without),
            SetKind::Complement(all, a) => {
                let a = self.set_at(a)?;
                self.each_word(words, |maker, i| {
                    let (to, all, a) = maker.three(to + i, all + i, a + i)?;
                    maker.emit(Op::Without(to, all, a));
                    Ok(())
                })
            }
            SetKind::If(three) => {
                let (other, end) = (self.label(), self.label());
                self.branch(&three.0, other, false)?;
                self.store_set(&three.1, to)?;
                self.jump(Op::Jump(0), end);
                self.here(other);
                self.store_set(&three.2, to)?;
                self.here(end);
                Ok(())
            }
            SetKind::Call(call) => {
                let value = self.invoke(call)?;
                self.copy(value, to, words)
            }
            SetKind::Cell(cell) if words <= MOST_LOADED => self.load_words(cell, to, words),
            SetKind::Cell(cell) => {
                let from = self.locate(cell)?;
                self.fetch(from, to, words)
            }
            SetKind::UpTo(both) => self.cut(both, to, Op::UpTo, 0..words),
            SetKind::DownTo(both) => self.cut(both, to, Op::DownTo, (0..words).rev()),
            SetKind::Sift(sift) => self.sift_into(sift, to, words),
            SetKind::Of(items) => {
                let mut members = Vec::new();
                for item in items {
                    members.push(self.operand(item)?);
                }
                self.clear(to, words)?;
                let to = self.reg(to)?;
                for member in members {
                    self.emit(Op::Insert(to, member));
                }
                Ok(())
            }
            SetKind::Matching(sets, none, which) if sets.iter().all(|(_, at)| *at < NEAR) => {
                let (which, end) = (self.operand(which)?, self.label());
                for (value, at) in sets {
                    let (next, value) = (self.label(), self.number(*value)?);
                    self.jump(Op::IfUnequal(which, value, 0), next);
                    self.copy(*at, to, words)?;
                    self.jump(Op::Jump(0), end);
                    self.here(next);
                }
                self.copy(*none, to, words)?;
                self.here(end);
                Ok(())
            }
            SetKind::Back(both) if both.1.words == words && shifts(&both.0) => {
                let from = self.set_at(&both.1)?;
                self.shift(&both.0, from, to, words)
            }
            SetKind::Reach(reach) if words <= 2 => match self.reach(reach, to, words)? {
                true => Ok(()),
                false => self.set_as_written(set, to),
            },
            _ => self.set_as_written(set, to),
        }
    }

    /// Works out a set and stores it where its old value may be part of the new one.
    pub(super) fn store_set(&mut self, set: &Set, to: At) -> Made<()> {
        if set.words <= MOST_SET && is_by_word(set) {
            return self.set_into(set, to);
        }
        let from = self.set_at(set)?;
        self.copy(from, to, set.words)
    }

    /// The members of one set up to the first of another one that are among them, word by word in this order: behind the word
    /// that has such a member none are left.
    fn cut(
        &mut self,
        both: &(Set, Set),
        to: At,
        op: fn(Reg, Reg, Reg) -> Op,
        order: impl Iterator<Item = usize>,
    ) -> Made<()> {
        let (a, b) = (self.set_at(&both.0)?, self.set_at(&both.1)?);
        let (meets, zero, end) = (self.temp()?, self.number(0)?, self.label());
        let mut order = order.peekable();
        let mut rest = Vec::new();
        while let Some(i) = order.next() {
            let (to, a, b) = self.three(to + i, a + i, b + i)?;
            let met = order.peek().map(|_| self.label());
            if met.is_some() {
                self.emit(Op::Both(meets, a, b));
            }
            self.emit(op(to, a, b));
            if let Some(met) = met {
                self.jump(Op::If(meets, 0), met);
            }
            rest.push((to, met));
        }
        self.jump(Op::Jump(0), end);
        let mut before = None;
        for (to, met) in rest {
            if let Some(label) = before {
                self.here(label);
                self.emit(Op::Move(to, zero));
            }
            before = met;
        }
        self.here(end);
        Ok(())
    }

    /// The words of a cell of a variable or table.
    fn load_words(&mut self, cell: &Cell, to: At, words: usize) -> Made<()> {
        let first = self.place_of_cell(cell)?;
        let place = self.code.places[usize::from(first)].clone();
        self.each_word(words, |maker, i| {
            let number = match i {
                0 => first,
                i => {
                    let outside = place.outside.map(|at| at + i);
                    maker.place(place.base + i, place.index.clone(), outside)?
                }
            };
            let to = maker.reg(to + i)?;
            maker.emit_at(cell.site, Op::Load(to, number));
            Ok(())
        })
    }

    pub(super) fn set_as_written(&mut self, set: &Set, to: At) -> Made<()> {
        let store = Store {
            to: Target::At(to),
            admits: Admits::All,
        };
        self.slow(Slow::Set(store, Val::Set(set.clone())))
    }

    fn three(&self, a: At, b: At, c: At) -> Made<(Reg, Reg, Reg)> {
        Ok((self.reg(a)?, self.reg(b)?, self.reg(c)?))
    }

    fn each_word(
        &mut self,
        words: usize,
        mut f: impl FnMut(&mut Self, usize) -> Made<()>,
    ) -> Made<()> {
        (0..words).try_for_each(|i| f(self, i))
    }

    fn word_by_word(&mut self, both: &(Set, Set), to: At, op: fn(Reg, Reg, Reg) -> Op) -> Made<()> {
        let words = both.0.words;
        let (a, b) = (self.set_at(&both.0)?, self.set_at(&both.1)?);
        self.each_word(words, |maker, i| {
            let (to, a, b) = maker.three(to + i, a + i, b + i)?;
            maker.emit(op(to, a, b));
            Ok(())
        })
    }

    pub(super) fn clear(&mut self, to: At, words: usize) -> Made<()> {
        let zero = self.number(0)?;
        self.each_word(words, |maker, i| {
            let to = maker.reg(to + i)?;
            maker.emit(Op::Move(to, zero));
            Ok(())
        })
    }

    /// Copies words from the one whose number lies there.
    fn fetch(&mut self, from: Reg, to: At, words: usize) -> Made<()> {
        let one = self.number(1)?;
        self.each_word(words, |maker, i| {
            if i > 0 {
                maker.emit(Op::Plus(from, from, one));
            }
            let to = maker.reg(to + i)?;
            maker.emit(Op::Fetch(to, from));
            Ok(())
        })
    }

    /// A step backwards of a set of several words.
    fn shift(&mut self, back: &Back, from: At, to: At, words: usize) -> Made<()> {
        let Back::Shift(by, steps) = back else {
            return Ok(());
        };
        let (far, bit) = (
            by.unsigned_abs() as usize / 64,
            (by.unsigned_abs() % 64) as u8,
        );
        let zero = self.number(0)?;
        let word = |maker: &Self, i: Option<usize>| match i {
            Some(i) if i < words => maker.reg(from + i),
            _ => Ok(zero),
        };
        self.each_word(words, |maker, i| {
            let (low, high, right) = match (*by >= 0, bit) {
                (true, bit) => (Some(i + far), Some(i + far + 1), bit),
                (false, 0) => (i.checked_sub(far), None, 0),
                (false, bit) => (i.checked_sub(far + 1), i.checked_sub(far), 64 - bit),
            };
            let (low, high) = (word(maker, low)?, word(maker, high)?);
            let (to, steps) = (maker.reg(to + i)?, maker.reg(steps + i)?);
            maker.emit(Op::Slide(right, to, low, high));
            maker.emit(Op::Both(to, to, steps));
            Ok(())
        })
    }

    /// The places from which a walk meets a set, if steps are shifts.
    pub(super) fn reach(&mut self, reach: &Reach, to: At, words: usize) -> Made<bool> {
        let Back::Shift(by, steps) = reach.step else {
            return Ok(false);
        };
        let Ok(by) = i8::try_from(by) else {
            return Ok(false);
        };
        if by == i8::MIN || reach.pass.words != words || reach.meet.words != words {
            return Ok(false);
        }
        let pass = self.set_at(&reach.pass)?;
        let meet = self.set_at(&reach.meet)?;
        let reached = Reached {
            words,
            pass,
            meet,
            by,
            steps,
            with_stop: reach.with_stop,
        };
        self.slow(Slow::Reach(reached, to))?;
        Ok(true)
    }

    pub(super) fn copy_words(&mut self, from: At, to: At, words: usize) -> Made<()> {
        self.each_word(words, |maker, i| {
            let (from, to) = (maker.reg(from + i)?, maker.reg(to + i)?);
            maker.emit(Op::Move(to, from));
            Ok(())
        })
    }

    /// Whether a set of several words is worked out word by word.
    pub(super) fn is_wide(&self, set: &Set) -> bool {
        set.words <= MOST_SET
    }

    /// What is asked of sets of several words: a word that is 0 if it is so.
    pub(super) fn wide_difference(
        &mut self,
        a: At,
        b: Option<At>,
        words: usize,
        op: fn(Reg, Reg, Reg) -> Op,
    ) -> Made<Reg> {
        let (all, word) = (self.temp()?, self.temp()?);
        self.each_word(words, |maker, i| {
            let a = maker.reg(a + i)?;
            let now = match b {
                None => a,
                Some(b) => {
                    let b = maker.reg(b + i)?;
                    let to = if i == 0 { all } else { word };
                    maker.emit(op(to, a, b));
                    to
                }
            };
            match (i, b) {
                (0, None) => maker.emit(Op::Move(all, now)),
                (0, Some(_)) => {}
                _ => maker.emit(Op::Either(all, all, now)),
            }
            Ok(())
        })?;
        Ok(all)
    }
}

/// Whether a word of a set needs no more than the same words of what it is made from, so that it may go where one of those lies.
fn is_by_word(set: &Set) -> bool {
    matches!(
        set.kind,
        SetKind::At(_)
            | SetKind::Union(_)
            | SetKind::Intersect(_)
            | SetKind::Minus(_)
            | SetKind::Complement(..)
            | SetKind::If(_)
            | SetKind::UpTo(_)
            | SetKind::DownTo(_)
            | SetKind::Cell(_)
    )
}

/// Whether a step backwards is a shift between words that operations can name.
fn shifts(back: &Back) -> bool {
    matches!(back, Back::Shift(_, steps) if steps + MOST_SET <= NEAR)
}
