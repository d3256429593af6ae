//! Copies that nobody needs are left out of operations.
//!
//! Operations are made one after another, so that what one works out goes to a word of its own and is copied to where it belongs:
//! to a variable, or through the arguments of a function that stands where it is called. Here each operation reads what was
//! copied instead of the copy, as long as both are the same on every way; a value goes straight to where its only copy goes; and
//! what is worked out for nobody is not worked out. All of that is about words that belong to what is run alone: what is worked
//! out on the way, and local variables of functions. Nobody else asks for these.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::Maker;
use super::known::{Known, Words, follows, is_test};
use super::operands::{Kind, changed, each_other, each_read, given, kind};
use super::own::Own;
use crate::code::Site;
use crate::op::*;

/// Tests that follow from each other, at most.
const MOST_JUMPS: usize = 16;

/// Words that somebody asks for later, by number.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Live(Vec<u64>);

/// Operations from one on, with their jumps, while they are looked at.
pub(super) struct Part {
    pub(super) begin: usize,
    /// Where each operation may jump to.
    pub(super) jumps: Vec<Option<usize>>,
    /// Whether each operation is jumped to, and whether it is from behind.
    pub(super) reached: Vec<bool>,
    pub(super) again: Vec<bool>,
    /// The operations that are left out.
    pub(super) gone: Vec<bool>,
    /// The first of two sites of operations that have two now.
    sites: BTreeMap<usize, Site>,
    /// The words that are looked at.
    pub(super) own: Own,
}

impl Live {
    fn nothing(words: usize) -> Live {
        Live(vec![0; words.div_ceil(64)])
    }

    pub(super) fn add(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            self.0[number / 64] |= 1 << (number % 64);
        }
    }

    /// Adds so many numbers, but for the first of them.
    fn add_from(&mut self, first: usize, many: usize) {
        (first..many).for_each(|number| self.add(Some(number)));
    }

    pub(super) fn remove(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            self.0[number / 64] &= !(1 << (number % 64));
        }
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn join(&mut self, other: &Live) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

impl Part {
    /// The last operation of a loop that begins at one, where nothing leads into it but there.
    pub(super) fn last_of_loop(&self, at: usize) -> Option<usize> {
        let jumps = || {
            let jumps = self.jumps.iter().enumerate();
            jumps.filter_map(|(from, to)| Some((from, (*to)?)))
        };
        let mut last = at;
        loop {
            let leads = |(from, to): &(usize, usize)| *from > last && (at..=last).contains(to);
            match jumps().filter(leads).map(|(from, _)| from).max() {
                Some(from) => last = from,
                None => break,
            }
        }
        let enters = |(from, to): (usize, usize)| from < at && to > at && to <= last;
        (!jumps().any(enters)).then_some(last)
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
        let Ok(zero) = self.number(0) else {
            return;
        };
        let mut part = self.part_from(begin);
        self.lead_on(&mut part);
        self.read_originals(&mut part, zero);
        self.skip_rounds(&mut part);
        self.leave_out(&mut part, out);
        self.close_up(&part);
        self.own = part.own;
    }

    fn part_from(&mut self, begin: usize) -> Part {
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        self.flat.each_own(&mut |word| own.add(word));
        own.temps = self.flat.temps.len();
        let many = self.code.ops.len() - begin;
        let mut part = Part {
            begin,
            jumps: vec![None; many],
            reached: vec![false; many + 1],
            again: vec![false; many + 1],
            gone: vec![false; many],
            sites: BTreeMap::new(),
            own,
        };
        self.flat
            .each_jump(&mut |at, target| part.jumps[at - begin] = Some(target - begin));
        part
    }

    /// Lets jumps lead on to where the tests do to which they lead, as far as their outcome follows.
    fn lead_on(&mut self, part: &mut Part) {
        for at in 0..part.jumps.len() {
            let op = self.code.ops[part.begin + at];
            for _ in 0..MOST_JUMPS {
                let Some(target) = part.jumps[at] else {
                    break;
                };
                let next = self.code.ops[part.begin + target];
                let on = match (next, part.jumps[target]) {
                    (Op::Jump(_), Some(on)) => on,
                    (next, Some(on)) => match follows(op, next) {
                        Some(true) => on,
                        Some(false) => target + 1,
                        None => break,
                    },
                    _ => break,
                };
                part.jumps[at] = Some(on);
            }
        }
        for (at, target) in part.jumps.iter().enumerate() {
            if let Some(target) = *target {
                part.reached[target] = true;
                part.again[target] |= target <= at;
            }
        }
    }

    /// Reads what was copied instead of copies, and does nothing again whose outcome is known.
    fn read_originals(&mut self, part: &mut Part, zero: Reg) {
        let mut known = Known::default();
        let mut jumped: BTreeMap<usize, Known> = BTreeMap::new();
        let mut flows = true;
        for at in 0..part.jumps.len() {
            if part.reached[at] {
                match jumped.remove(&at) {
                    Some(there) if flows => known.meet(&there),
                    Some(there) => known = there,
                    None => {}
                }
                if part.again[at] {
                    self.forget_rounds(part, at, &mut known);
                }
                flows = true;
            }
            let op = self.known_better(part, at, &known, zero);
            let kind = kind(&self.code, op);
            let words = Words {
                own: &part.own,
                fixed: &self.fixed,
                position: self.code.position,
            };
            known.forget(op, kind, words);
            known.learn(&mut self.code, op, words);
            if let Some(target) = part.jumps[at].filter(|target| *target > at) {
                let mut there = known.clone();
                there.learn_outcome(op, true);
                let target = self.foreseen(part, at, target, &there);
                match jumped.get_mut(&target) {
                    Some(other) => other.meet(&there),
                    None => {
                        jumped.insert(target, there);
                    }
                }
            }
            known.learn_outcome(op, false);
            if kind == Kind::Ends {
                flows = false;
                known.clear();
            }
        }
    }

    /// Where a jump leads in the end: past tests whose outcome is known on its way.
    fn foreseen(&mut self, part: &mut Part, at: usize, target: usize, known: &Known) -> usize {
        let mut target = target;
        while let (Some(mut op), Some(on)) = (
            self.code.ops.get(part.begin + target).copied(),
            part.jumps.get(target).copied().flatten(),
        ) {
            each_read(&mut self.code, &mut op, &mut |word| {
                *word = known.original(*word)
            });
            let words = Words {
                own: &part.own,
                fixed: &self.fixed,
                position: self.code.position,
            };
            let next = match known.outcome(op, words, &self.code.image) {
                Some(true) => on,
                Some(false) => target + 1,
                None => break,
            };
            if next <= target {
                break;
            }
            target = next;
        }
        part.jumps[at] = Some(target);
        part.reached[target] = true;
        target
    }

    /// What a loop that begins at an operation may change is not known there.
    fn forget_rounds(&mut self, part: &Part, at: usize, known: &mut Known) {
        let Some(last) = part.last_of_loop(at) else {
            known.clear();
            return;
        };
        self.forget_changed(part, at..=last, known);
    }

    /// What operations may change is not known behind them.
    pub(super) fn forget_changed(
        &self,
        part: &Part,
        places: RangeInclusive<usize>,
        known: &mut Known,
    ) {
        let words = Words {
            own: &part.own,
            fixed: &self.fixed,
            position: self.code.position,
        };
        let (first, last) = (part.begin + places.start(), part.begin + places.end());
        for op in &self.code.ops[first..=last] {
            known.forget(*op, kind(&self.code, *op), words);
        }
    }

    /// An operation as what is known lets it be.
    fn known_better(&mut self, part: &mut Part, at: usize, known: &Known, zero: Reg) -> Op {
        let mut op = self.code.ops[part.begin + at];
        each_read(&mut self.code, &mut op, &mut |word| {
            *word = known.original(*word)
        });
        let words = Words {
            own: &part.own,
            fixed: &self.fixed,
            position: self.code.position,
        };
        if let Some(straight) = known.straight(op, words, &self.code.image) {
            op = straight;
        }
        match known.outcome(op, words, &self.code.image) {
            Some(true) => op = Op::Jump(0),
            Some(false) => {
                op = Op::Move(zero, zero);
                part.jumps[at] = None;
            }
            None => {}
        }
        if let Op::Get(to, a) = op
            && known.outcome(Op::IfSome(a, 0), words, &self.code.image) == Some(true)
        {
            op = Op::Move(to, a);
        }
        if let Some(there) = known.lies(&self.code, op)
            && let Some(to) = given(&mut op).copied()
        {
            op = Op::Move(to, there);
        }
        op = self.constant_better(op, zero);
        self.code.ops[part.begin + at] = op;
        op
    }

    /// An operation on constants, done now.
    fn constant_better(&mut self, op: Op, zero: Reg) -> Op {
        let of = |word: Reg| {
            let is_fixed = self.fixed.get(usize::from(word)) == Some(&true);
            is_fixed.then(|| self.code.image[usize::from(word)])
        };
        let both = |a: Reg, b: Reg| Some((of(a)?, of(b)?));
        let is_within = |value: Reg, ends: Reg| {
            let value = of(value);
            let ends = both(ends, ends + 1);
            matches!((value, ends), (Some(value), Some((lo, hi))) if (lo..=hi).contains(&value))
        };
        let (to, value) = match op {
            Op::Admit(to, a, ends) if is_within(a, ends) => return Op::Move(to, a),
            Op::Check(a, ends) if is_within(a, ends) => return Op::Move(zero, zero),
            Op::Add(to, a, b) => (to, both(a, b).and_then(|(a, b)| a.checked_add(b))),
            Op::Subtract(to, a, b) => (to, both(a, b).and_then(|(a, b)| a.checked_sub(b))),
            Op::Multiply(to, a, b) => (to, both(a, b).and_then(|(a, b)| a.checked_mul(b))),
            Op::Least(to, a, b) => (to, both(a, b).map(|(a, b)| a.min(b))),
            Op::Greatest(to, a, b) => (to, both(a, b).map(|(a, b)| a.max(b))),
            Op::Equal(to, a, b) => (to, both(a, b).map(|(a, b)| i64::from(a == b))),
            Op::Unequal(to, a, b) => (to, both(a, b).map(|(a, b)| i64::from(a != b))),
            Op::Less(to, a, b) => (to, both(a, b).map(|(a, b)| i64::from(a < b))),
            Op::AtMost(to, a, b) => (to, both(a, b).map(|(a, b)| i64::from(a <= b))),
            Op::Only(to, a) => (to, of(a).map(|a| 1 << (a & 63))),
            Op::Not(to, a) => (to, of(a).map(|a| i64::from(a == 0))),
            _ => return op,
        };
        match value.map(|value| self.number(value)) {
            Some(Ok(value)) => Op::Move(to, value),
            _ => op,
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
        let mut ends = live.clone();
        for at in (0..many).rev() {
            let behind = self.jumped(part, at, out, &asked, &mut live);
            let leaves = part.jumps[at].is_some() || kind(&self.code, behind) == Kind::Ends;
            if leaves || part.reached[at + 1] {
                ends = live.clone();
            }
            if self.is_idle(part, at, &live)
                || self.leads_nowhere(part, at)
                || self.goes_straight(part, at, &live)
                || self.grows(part, at, &live)
                || self.takes_one(part, at, &live)
                || self.lands(part, at, &mut live, &ends)
            {
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
            live.add_from(part.own.temps, part.own.words.len());
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

    /// Whether an operation is a jump to the next one that is left.
    fn leads_nowhere(&self, part: &Part, at: usize) -> bool {
        let op = self.code.ops[part.begin + at];
        let is_jump = matches!(op, Op::Jump(_) | Op::IfHas(..) | Op::IfLacks(..));
        let target = part.jumps[at].filter(|target| *target > at);
        (is_jump || is_test(op))
            && target.is_some_and(|target| part.gone[at + 1..target].iter().all(|gone| *gone))
    }

    /// Whether an operation adds to a set the only member of the set that the one before it made for nothing else, or takes it
    /// away: that one does so itself then.
    fn takes_one(&mut self, part: &Part, at: usize, live: &Live) -> bool {
        let Some(before) = at.checked_sub(1).filter(|_| !part.reached[at]) else {
            return false;
        };
        let Op::Only(one, member) = self.code.ops[part.begin + before] else {
            return false;
        };
        let op = match self.code.ops[part.begin + at] {
            Op::Without(to, set, other) if other == one && set != one => {
                Op::Lacking(to, set, member)
            }
            Op::Either(to, set, other) if other == one && set != one => Op::With(to, set, member),
            Op::Either(to, other, set) if other == one && set != one => Op::With(to, set, member),
            _ => return false,
        };
        let to = given(&mut op.clone()).copied();
        let number = part.own.number(usize::from(one));
        if number.is_none_or(|number| live.has(number)) && to != Some(one) {
            return false;
        }
        self.code.ops[part.begin + before] = op;
        true
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

    /// Whether an operation tests and stores in a word what the one before it added to that, or took from it, for nothing else:
    /// that one does so itself then.
    fn grows(&mut self, part: &mut Part, at: usize, live: &Live) -> bool {
        let Op::Admit(to, value, ends) = self.code.ops[part.begin + at] else {
            return false;
        };
        let Some(before) = at.checked_sub(1).filter(|_| !part.reached[at]) else {
            return false;
        };
        let number = part.own.number(usize::from(value));
        if value == to || number.is_none_or(|number| live.has(number)) {
            return false;
        }
        let op = match self.code.ops[part.begin + before] {
            Op::Add(sum, a, b) if sum == value && a == to => Op::Grow(to, b, ends),
            Op::Add(sum, a, b) if sum == value && b == to => Op::Grow(to, a, ends),
            Op::Subtract(rest, a, b) if rest == value && a == to => Op::Shrink(to, b, ends),
            _ => return false,
        };
        let outside = self.code.fault_at(part.begin + at);
        let overflow = self.code.fault_at(part.begin + before);
        let site = self.code.sites.len() as Site;
        for known in [outside, overflow] {
            let Some(known) = self.code.sites.get(known as usize).cloned() else {
                self.code.sites.truncate(site as usize);
                return false;
            };
            self.code.sites.push(known);
        }
        part.sites.insert(before, site);
        self.code.ops[part.begin + before] = op;
        true
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
        let first = self.code.faults.partition_point(|(at, _)| *at < part.begin);
        for (at, site) in self.code.faults.split_off(first) {
            let at = at - part.begin;
            if !part.gone[at] {
                let site = part.sites.get(&at).copied().unwrap_or(site);
                self.code.faults.push((places[at], site));
            }
        }
        let jumps = part.jumps.iter().enumerate();
        let jumps = jumps.filter_map(|(at, target)| Some((places[at], places[(*target)?])));
        self.flat.set_jumps(jumps);
    }
}
