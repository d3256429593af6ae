//! Sets as they are written: what operations do not work out word by word.

use super::near::{down_to, up_to};
use super::{Machine, Res};
use crate::code::*;

/// The members whose word in a row compares so with a value.
#[inline(never)]
pub(super) fn sifted(compare: Compare, row: &[i64], value: i64, members: u64) -> u64 {
    match compare {
        Compare::Equal => passing(row, members, |word| word == value),
        Compare::Unequal => passing(row, members, |word| word != value),
        Compare::Less => passing(row, members, |word| word < value),
        Compare::AtMost => passing(row, members, |word| word <= value),
        Compare::More => passing(row, members, |word| word > value),
        Compare::AtLeast => passing(row, members, |word| word >= value),
    }
}

#[inline(always)]
fn passing(row: &[i64], members: u64, passes: impl Fn(i64) -> bool) -> u64 {
    let (mut rest, mut kept) = (members, 0);
    while rest != 0 {
        let member = rest.trailing_zeros();
        rest &= rest - 1;
        let word = row.get(member as usize);
        kept |= u64::from(word.is_some_and(|word| passes(*word))) << member;
    }
    kept
}

impl<'c> Machine<'c> {
    #[inline(never)]
    pub(super) fn is_empty(&mut self, set: &'c Set) -> Res<bool> {
        match set.words {
            1 => Ok(self.word(set)? == 0),
            words => {
                let at = self.set(set)?;
                Ok(self.mem[at..at + words].iter().all(|&word| word == 0))
            }
        }
    }

    /// A set of one word.
    #[inline(always)]
    pub(super) fn word(&mut self, set: &'c Set) -> Res<u64> {
        match &set.kind {
            SetKind::At(at) => Ok(self.mem[*at] as u64),
            _ => self.computed_word(set),
        }
    }

    #[inline(never)]
    fn computed_word(&mut self, set: &'c Set) -> Res<u64> {
        Ok(match &set.kind {
            SetKind::At(at) => self.mem[*at] as u64,
            SetKind::Union(both) => self.word(&both.0)? | self.word(&both.1)?,
            SetKind::Intersect(both) => {
                let a = self.word(&both.0)?;
                a & self.word(&both.1)?
            }
            SetKind::Minus(both) => {
                let a = self.word(&both.0)?;
                a & !self.word(&both.1)?
            }
            SetKind::UpTo(both) => {
                let a = self.word(&both.0)?;
                up_to(a as i64, self.word(&both.1)? as i64) as u64
            }
            SetKind::DownTo(both) => {
                let a = self.word(&both.0)?;
                down_to(a as i64, self.word(&both.1)? as i64) as u64
            }
            SetKind::Complement(all, a) => self.mem[*all] as u64 & !self.word(a)?,
            SetKind::Back(both) if both.1.words == 1 => {
                let from = self.word(&both.1)?;
                self.back_word(&both.0, from)
            }
            SetKind::Reach(reach) => self.reach_word(reach)?,
            SetKind::Sift(sift) => {
                let (value, all) = (self.num(&sift.value)?, self.mem[sift.all] as u64);
                sifted(sift.compare, &self.mem[sift.base..], value, all)
            }
            SetKind::Of(items) => {
                let mut word = 0;
                for item in items {
                    word |= 1 << (self.num(item)? & 63);
                }
                word
            }
            SetKind::If(three) => match self.num(&three.0)? {
                0 => self.word(&three.2)?,
                _ => self.word(&three.1)?,
            },
            SetKind::Cell(cell) => {
                let at = self.cell(cell)?;
                self.mem[at] as u64
            }
            SetKind::Collect(range) => {
                let mut word = 0_u64;
                self.each(range, |machine, item| {
                    let passes = match &range.body {
                        Some(body) => machine.num(body)?,
                        None => 1,
                    };
                    word |= (passes as u64) << (item & 63);
                    Ok(false)
                })?;
                word
            }
            _ => {
                let at = self.set(set)?;
                self.mem[at] as u64
            }
        })
    }

    #[inline(never)]
    fn both(&mut self, both: &'c (Set, Set), set: &Set, op: impl Fn(i64, i64) -> i64) -> Res<At> {
        let a = self.set(&both.0)?;
        let b = self.set(&both.1)?;
        for i in 0..set.words {
            self.mem[set.to + i] = op(self.mem[a + i], self.mem[b + i]);
        }
        Ok(set.to)
    }

    /// Where a set lies: of several words, or of one that has room for what is computed.
    #[inline(always)]
    pub(super) fn set(&mut self, set: &'c Set) -> Res<At> {
        match &set.kind {
            SetKind::At(at) => Ok(*at),
            _ => self.computed_set(set),
        }
    }

    #[inline(never)]
    fn computed_set(&mut self, set: &'c Set) -> Res<At> {
        Ok(match &set.kind {
            SetKind::At(at) => *at,
            SetKind::Env(at, flag, site) => match self.mem[*flag] {
                0 => return self.fault(*site),
                _ => *at,
            },
            SetKind::Pick(sets, which) => sets[self.num(which)? as usize],
            SetKind::Matching(sets, none, which) => {
                let which = self.num(which)?;
                let found = sets.iter().find(|(value, _)| *value == which);
                found.map_or(*none, |(_, at)| *at)
            }
            SetKind::Cell(cell) => self.cell(cell)?,
            SetKind::If(three) => match self.num(&three.0)? {
                0 => self.set(&three.2)?,
                _ => self.set(&three.1)?,
            },
            SetKind::Call(call) => {
                self.call(call)?;
                let value = self.code.funcs[call.func].value.clone();
                if set.to == 0 {
                    return Ok(value.start);
                }
                self.mem.copy_within(value, set.to);
                set.to
            }
            SetKind::Union(both) => return self.both(both, set, |a, b| a | b),
            SetKind::Intersect(both) => return self.both(both, set, |a, b| a & b),
            SetKind::Minus(both) => return self.both(both, set, |a, b| a & !b),
            SetKind::UpTo(both) | SetKind::DownTo(both) => {
                let upward = matches!(set.kind, SetKind::UpTo(_));
                return self.up_or_down(both, set, upward);
            }
            SetKind::Complement(all, a) => {
                let a = self.set(a)?;
                for i in 0..set.words {
                    self.mem[set.to + i] = self.mem[all + i] & !self.mem[a + i];
                }
                set.to
            }
            SetKind::Of(items) => {
                self.mem[set.to..set.to + set.words].fill(0);
                for item in items {
                    let member = self.num(item)?;
                    self.insert(set.to, member);
                }
                set.to
            }
            SetKind::Collect(range) => {
                self.mem[set.to..set.to + set.words].fill(0);
                self.each(range, |machine, item| {
                    let passes = match &range.body {
                        Some(body) => machine.num(body)? != 0,
                        None => true,
                    };
                    if passes {
                        machine.insert(set.to, item);
                    }
                    Ok(false)
                })?;
                set.to
            }
            SetKind::Sift(sift) => {
                let value = self.num(&sift.value)?;
                for word in 0..set.words {
                    let (row, all) = (sift.base + word * 64, self.mem[sift.all + word] as u64);
                    self.mem[set.to + word] =
                        sifted(sift.compare, &self.mem[row..], value, all) as i64;
                }
                set.to
            }
            SetKind::Walk(walk) => {
                self.mem[set.to..set.to + set.words].fill(0);
                self.walk(walk, Some(set.to))?;
                set.to
            }
            SetKind::Closure(closure) => self.closure(closure, set)?,
            SetKind::Back(both) => {
                let (back, from) = both.as_ref();
                let to = self.scratch(set);
                match from.words {
                    1 => {
                        let word = self.word(from)?;
                        let at = self.code.spare + set.words;
                        self.mem[at] = word as i64;
                        self.back(back, (at, 1), (to, set.words));
                    }
                    words => {
                        let at = self.set(from)?;
                        self.back(back, (at, words), (to, set.words));
                    }
                }
                to
            }
            SetKind::Reach(reach) => self.reach(reach, set)?,
        })
    }

    /// Steps backwards from a set of one word to one of one word.
    fn back_word(&self, back: &Back, from: u64) -> u64 {
        match back {
            Back::Shift(by, steps) => {
                let steps = self.mem[*steps] as u64;
                steps & if *by >= 0 { from >> by } else { from << -by }
            }
            Back::Sets(sets, _) => {
                let (mut rest, mut all) = (from, 0);
                while rest != 0 {
                    all |= self.mem[sets + rest.trailing_zeros() as usize] as u64;
                    rest &= rest - 1;
                }
                all
            }
        }
    }

    /// The same for sets of any number of words.
    fn back(&mut self, back: &Back, from: (At, usize), to: (At, usize)) {
        let ((from, len), (to, words)) = (from, to);
        match back {
            Back::Shift(by, steps) => {
                let (word, bit) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
                let get = |mem: &[i64], i: Option<usize>| match i {
                    Some(i) if i < len => mem[from + i] as u64,
                    _ => 0,
                };
                for i in 0..words {
                    let (near, far) = match *by >= 0 {
                        true => (
                            get(&self.mem, Some(i + word)) >> bit,
                            get(&self.mem, Some(i + word + 1)).unbounded_shl(64 - bit as u32),
                        ),
                        false => (
                            get(&self.mem, i.checked_sub(word)) << bit,
                            get(&self.mem, i.checked_sub(word + 1)).unbounded_shr(64 - bit as u32),
                        ),
                    };
                    let moved = (near | far) as i64 & self.mem[steps + i];
                    self.mem[to + i] = moved;
                }
            }
            Back::Sets(sets, width) => {
                self.mem[to..to + words].fill(0);
                for i in 0..len {
                    let mut rest = self.mem[from + i] as u64;
                    while rest != 0 {
                        let member = i * 64 + rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        for j in 0..words {
                            self.mem[to + j] |= self.mem[sets + member * width + j];
                        }
                    }
                }
            }
        }
    }

    fn reach_word(&mut self, reach: &'c Reach) -> Res<u64> {
        let pass = self.word(&reach.pass)?;
        let meet = self.word(&reach.meet)?;
        let mut all = 0;
        loop {
            let before = self.back_word(&reach.step, all);
            let next = match reach.with_stop {
                true => meet | (pass & before),
                false => pass & (meet | before),
            };
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// The places from which a walk meets a set: the least set of those that meet it there or one step on.
    fn reach(&mut self, reach: &'c Reach, set: &Set) -> Res<At> {
        let (to, words) = (set.to, set.words);
        let [meet, before] = reach.room;
        self.put_set(&reach.meet, meet)?;
        let pass = self.set(&reach.pass)?;
        self.mem[to..to + words].fill(0);
        loop {
            self.back(&reach.step, (to, words), (before, words));
            let mut same = true;
            for i in 0..words {
                let (pass, meet, before) =
                    (self.mem[pass + i], self.mem[meet + i], self.mem[before + i]);
                let next = match reach.with_stop {
                    true => meet | (pass & before),
                    false => pass & (meet | before),
                };
                same &= next == self.mem[to + i];
                self.mem[to + i] = next;
            }
            if same {
                return Ok(to);
            }
        }
    }

    /// Cleared room for a set.
    fn scratch(&mut self, set: &Set) -> At {
        let to = match set.to {
            0 => self.code.spare,
            to => to,
        };
        self.mem[to..to + set.words].fill(0);
        to
    }

    pub(super) fn insert(&mut self, at: At, member: i64) {
        self.mem[at + member as usize / 64] |= 1 << (member % 64);
    }

    fn up_or_down(&mut self, both: &'c (Set, Set), set: &Set, upward: bool) -> Res<At> {
        let at = self.both(both, set, |a, b| a & b)?;
        let words = &self.mem[at..at + set.words];
        let end = match upward {
            true => words.iter().position(|&word| word != 0),
            false => words.iter().rposition(|&word| word != 0),
        };
        let a = self.set(&both.0)?;
        for i in 0..set.words {
            let mask = match end {
                None => u64::MAX,
                Some(end) if i == end => {
                    let word = self.mem[at + i] as u64;
                    match upward {
                        true => word ^ word.wrapping_sub(1),
                        false => u64::MAX << (63 - word.leading_zeros()),
                    }
                }
                Some(end) if (i < end) == upward => u64::MAX,
                Some(_) => 0,
            };
            self.mem[set.to + i] = self.mem[a + i] & mask as i64;
        }
        Ok(set.to)
    }

    /// Stores a set somewhere.
    pub(super) fn put_set(&mut self, set: &'c Set, to: At) -> Res<()> {
        match set.words {
            1 => self.mem[to] = self.word(set)? as i64,
            words => {
                let at = self.set(set)?;
                self.mem.copy_within(at..at + words, to);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn closure(&mut self, closure: &'c Closure, set: &Set) -> Res<At> {
        let (waiting, tested, words) = (closure.waiting, closure.tested, set.words);
        self.put_set(&closure.from, waiting)?;
        self.mem[tested..tested + words].fill(0);
        self.mem[set.to..set.to + words].fill(0);
        loop {
            let mut left = self.mem[waiting..waiting + words].iter().enumerate();
            let Some((index, word)) = left.find(|(_, word)| **word != 0) else {
                return Ok(set.to);
            };
            let member = (index * 64) as i64 + i64::from(word.trailing_zeros());
            self.insert(tested, member);
            self.mem[closure.local] = member;
            if self.num(&closure.pass)? != 0 {
                self.insert(set.to, member);
                let edges = closure.edges + member as usize * words;
                for i in 0..words {
                    self.mem[waiting + i] |= self.mem[edges + i];
                }
            }
            for i in 0..words {
                self.mem[waiting + i] &= !self.mem[tested + i];
            }
        }
    }
}
