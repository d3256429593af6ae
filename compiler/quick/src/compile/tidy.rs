//! Copies that nobody needs are left out of operations.
//!
//! Operations are made one after another, so that what one works out goes to a word of its own and is copied to where it belongs:
//! to a variable, or through the arguments of a function that stands where it is called. Here each operation reads what was
//! copied instead of the copy, as long as both are the same on every way; a value goes straight to where its only copy goes; and
//! what is worked out for nobody is not worked out. All of that is about words that belong to what is run alone: what is worked
//! out on the way, and local variables of functions. Nobody else asks for these.

use std::collections::BTreeMap;

use super::Maker;
use super::operands::{Kind, changed, each_other, each_read, given, kind};
use crate::op::*;

/// What is known of a word that was copied: another one is the same.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    to: Reg,
    from: Reg,
    /// Whether the other one never changes.
    stays: bool,
}

/// Words that somebody asks for later, by number.
#[derive(Clone, Default, PartialEq, Eq)]
struct Live(Vec<u64>);

/// Operations from one on, with their jumps, while they are looked at.
struct Part {
    begin: usize,
    /// Where each operation may jump to.
    jumps: Vec<Option<usize>>,
    /// Whether each operation is jumped to, and whether it is from behind.
    reached: Vec<bool>,
    again: Vec<bool>,
    /// The operations that are left out.
    gone: Vec<bool>,
    /// The words that are looked at.
    own: Own,
}

/// The words that belong to what is run alone, numbered.
#[derive(Default)]
pub(super) struct Own {
    /// The number after that of each word that belongs to it, else 0.
    numbers: Vec<u16>,
    words: Vec<Reg>,
}

impl Own {
    fn clear(&mut self) {
        self.numbers.resize(NEAR, 0);
        for word in self.words.drain(..) {
            self.numbers[usize::from(word)] = 0;
        }
    }

    fn add(&mut self, word: Reg) {
        if self.numbers[usize::from(word)] == 0 {
            self.words.push(word);
            self.numbers[usize::from(word)] = self.words.len() as u16;
        }
    }

    fn number(&self, word: usize) -> Option<usize> {
        let number = *self.numbers.get(word)?;
        usize::from(number).checked_sub(1)
    }

    fn has(&self, word: Reg) -> bool {
        self.number(usize::from(word)).is_some()
    }
}

impl Live {
    fn nothing(words: usize) -> Live {
        Live(vec![0; words.div_ceil(64)])
    }

    fn add(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            self.0[number / 64] |= 1 << (number % 64);
        }
    }

    fn remove(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            self.0[number / 64] &= !(1 << (number % 64));
        }
    }

    fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn join(&mut self, other: &Live) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

impl Maker<'_> {
    /// Leaves out the copies among the operations from one on, whose jumps are not linked yet; `out` is a word that is asked for
    /// where they end.
    pub(super) fn tidy(&mut self, begin: usize, out: Option<Reg>) {
        let ops = &self.code.ops[begin..];
        let tries = |op: &Op| matches!(op, Op::Try(_) | Op::Leave(_));
        let owner = self.code.funcs.get(self.owner);
        if ops.iter().any(tries) || owner.is_some_and(|func| func.recursive) {
            return;
        }
        let mut part = self.part_from(begin);
        self.read_originals(&mut part);
        self.leave_out(&mut part, out);
        self.close_up(&part);
        self.own = part.own;
    }

    fn part_from(&mut self, begin: usize) -> Part {
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        self.flat.each_own(&mut |word| own.add(word));
        let many = self.code.ops.len() - begin;
        let mut part = Part {
            begin,
            jumps: vec![None; many],
            reached: vec![false; many + 1],
            again: vec![false; many + 1],
            gone: vec![false; many],
            own,
        };
        self.flat.each_jump(&mut |at, target| {
            let (at, target) = (at - begin, target - begin);
            part.jumps[at] = Some(target);
            part.reached[target] = true;
            part.again[target] |= target <= at;
        });
        part
    }

    /// Reads what was copied instead of copies.
    fn read_originals(&mut self, part: &mut Part) {
        let mut known: Vec<Known> = Vec::new();
        let mut jumped: BTreeMap<usize, Vec<Known>> = BTreeMap::new();
        let mut flows = true;
        for at in 0..part.jumps.len() {
            if part.reached[at] {
                match jumped.remove(&at) {
                    _ if part.again[at] => known.clear(),
                    Some(there) if flows => known.retain(|one| there.contains(one)),
                    Some(there) => known = there,
                    None => {}
                }
                flows = true;
            }
            let mut op = self.code.ops[part.begin + at];
            each_read(&mut self.code, &mut op, &mut |word| {
                if let Some(one) = known.iter().find(|one| one.to == *word) {
                    *word = one.from;
                }
            });
            self.code.ops[part.begin + at] = op;
            let kind = kind(&self.code, op);
            forget(&mut known, op, kind, &part.own);
            if let Op::Move(to, from) = op
                && part.own.has(to)
                && to != from
            {
                let stays = !part.own.has(from) && self.is_constant(usize::from(from));
                known.push(Known { to, from, stays });
            }
            if let Some(target) = part.jumps[at].filter(|target| *target > at) {
                let there = jumped.entry(target).or_insert_with(|| known.clone());
                there.retain(|one| known.contains(one));
            }
            if kind == Kind::Ends {
                flows = false;
                known.clear();
            }
        }
    }

    /// Finds what is worked out for nobody, and lets values go straight to where they are copied.
    fn leave_out(&mut self, part: &mut Part, out: Option<Reg>) {
        let many = part.jumps.len();
        let words = part.own.words.len();
        let mut asked: BTreeMap<usize, Live> = BTreeMap::new();
        loop {
            let (mut live, mut changes) = (Live::nothing(words), false);
            for at in (0..many).rev() {
                self.before(part, at, out, &asked, &mut live);
                if part.reached[at] && asked.get(&at) != Some(&live) {
                    asked.insert(at, live.clone());
                    changes |= part.again[at];
                }
            }
            if !changes {
                break;
            }
        }
        let mut live = Live::nothing(words);
        for at in (0..many).rev() {
            let behind = self.jumped(part, at, out, &asked, &mut live);
            if self.is_idle(part, at, &live) || self.goes_straight(part, at, &live) {
                part.gone[at] = true;
                continue;
            }
            self.used(part, behind, &mut live);
        }
    }

    /// The words that are asked for before an operation, given those behind it.
    fn before(
        &mut self,
        part: &Part,
        at: usize,
        out: Option<Reg>,
        asked: &BTreeMap<usize, Live>,
        live: &mut Live,
    ) {
        let op = self.jumped(part, at, out, asked, live);
        self.used(part, op, live);
    }

    /// The words that are asked for behind an operation, wherever it leads.
    fn jumped(
        &self,
        part: &Part,
        at: usize,
        out: Option<Reg>,
        asked: &BTreeMap<usize, Live>,
        live: &mut Live,
    ) -> Op {
        let op = self.code.ops[part.begin + at];
        if kind(&self.code, op) == Kind::Ends {
            live.0.fill(0);
        }
        if let (Op::Halt, Some(out)) = (op, out) {
            live.add(part.own.number(usize::from(out)));
        }
        if let Some(there) = part.jumps[at].and_then(|target| asked.get(&target)) {
            live.join(there);
        }
        op
    }

    /// What an operation itself asks for.
    fn used(&mut self, part: &Part, mut op: Op, live: &mut Live) {
        if kind(&self.code, op) == Kind::Any {
            live.0.fill(u64::MAX);
            return;
        }
        if let Some(to) = given(&mut op) {
            live.remove(part.own.number(usize::from(*to)));
        }
        each_read(&mut self.code, &mut op, &mut |word| {
            live.add(part.own.number(usize::from(*word)));
        });
        each_other(&self.code, op, &mut |word| {
            live.add(part.own.number(word));
        });
    }

    /// Whether an operation does nothing but work out what nobody asks for.
    fn is_idle(&self, part: &Part, at: usize, live: &Live) -> bool {
        let mut op = self.code.ops[part.begin + at];
        if let Op::Move(to, from) = op
            && to == from
        {
            return true;
        }
        let to = given(&mut op).copied().or(changed(op)[0]);
        let number = to.and_then(|to| part.own.number(usize::from(to)));
        kind(&self.code, op) == Kind::Pure && number.is_some_and(|number| !live.has(number))
    }

    /// Whether an operation copies what the one before it worked out for nothing else, which then goes there itself.
    fn goes_straight(&mut self, part: &Part, at: usize, live: &Live) -> bool {
        let Op::Move(to, from) = self.code.ops[part.begin + at] else {
            return false;
        };
        let Some(before) = at.checked_sub(1).filter(|_| !part.reached[at]) else {
            return false;
        };
        let number = part.own.number(usize::from(from));
        if number.is_none_or(|number| live.has(number)) || part.jumps[before].is_some() {
            return false;
        }
        let acts = matches!(
            kind(&self.code, self.code.ops[part.begin + before]),
            Kind::Pure | Kind::Acts
        );
        match given(&mut self.code.ops[part.begin + before]) {
            Some(word) if acts && *word == from => {
                *word = to;
                true
            }
            _ => false,
        }
    }

    /// Closes the gaps that are left.
    fn close_up(&mut self, part: &Part) {
        let mut places = Vec::with_capacity(part.gone.len() + 1);
        let mut next = part.begin;
        for (at, gone) in part.gone.iter().enumerate() {
            places.push(next);
            if !gone {
                self.code.ops[next] = self.code.ops[part.begin + at];
                next += 1;
            }
        }
        places.push(next);
        self.code.ops.truncate(next);
        let place = |at: usize| at.checked_sub(part.begin).map_or(at, |at| places[at]);
        let faults = self.code.faults.iter_mut().rev();
        for (at, _) in faults.take_while(|(at, _)| *at >= part.begin) {
            *at = place(*at);
        }
        self.flat.moved(&place);
    }
}

/// What an operation changes is not known any more.
fn forget(known: &mut Vec<Known>, mut op: Op, kind: Kind, own: &Own) {
    match kind {
        Kind::Any => known.clear(),
        Kind::Runs => known.retain(|one| one.stays),
        Kind::Stores => known.retain(|one| one.stays || own.has(one.from)),
        Kind::Pure | Kind::Acts | Kind::Ends => {}
    }
    let given = given(&mut op).copied();
    for word in given.into_iter().chain(changed(op).into_iter().flatten()) {
        known.retain(|one| one.to != word && one.from != word);
    }
}
