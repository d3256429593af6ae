//! Values that go at once to where they are copied later, and are read there.
//!
//! What statements work out goes to words of their own first, and is stored once all of it is known: four sets that are stored
//! together are four copies. Where nothing between a value and its copy looks at the word to which that goes, and nobody asks
//! for the first word behind the same straight run of operations, the value is worked out in the second word.

use super::Maker;
use super::operands::{Kind, changed, each_other, each_read, given, kind};
use super::tidy::{Live, Part};
use crate::op::*;

impl Maker<'_> {
    /// Whether an operation copies what an earlier one worked out, which then does that in the second word itself. `ends` are the
    /// words that are asked for behind the straight run around it.
    pub(super) fn lands(&mut self, part: &Part, at: usize, live: &mut Live, ends: &Live) -> bool {
        let Op::Move(to, from) = self.code.ops[part.begin + at] else {
            return false;
        };
        let Some(number) = part.own.number(usize::from(from)) else {
            return false;
        };
        if to == from || ends.has(number) {
            return false;
        }
        let Some(made) = self.made_before(part, at, to, from) else {
            return false;
        };
        let Some(last) = self.last_reader(part, at, to, from) else {
            return false;
        };
        if let Some(word) = given(&mut self.code.ops[part.begin + made]) {
            *word = to;
        }
        for place in (made + 1..=last).filter(|place| !part.gone[*place]) {
            let mut op = self.code.ops[part.begin + place];
            each_read(&mut self.code, &mut op, &mut |word| {
                if *word == from {
                    *word = to;
                }
            });
            self.code.ops[part.begin + place] = op;
        }
        if live.has(number) {
            live.add(part.own.number(usize::from(to)));
            live.remove(Some(number));
        }
        true
    }

    /// The operation that made a value which is copied, if all between them are about other words than that to which it goes.
    fn made_before(&mut self, part: &Part, at: usize, to: Reg, from: Reg) -> Option<usize> {
        let mut place = at;
        loop {
            if part.reached[place] {
                return None;
            }
            place = place.checked_sub(1)?;
            if part.gone[place] {
                continue;
            }
            let mut op = self.code.ops[part.begin + place];
            if part.jumps[place].is_some() {
                return None;
            }
            if given(&mut op).copied() == Some(from) {
                let acts = matches!(kind(&self.code, op), Kind::Pure | Kind::Acts);
                return acts.then_some(place);
            }
            if !is_plain(op) || given(&mut op).copied() == Some(to) || self.reads(op, to) {
                return None;
            }
        }
    }

    /// The last operation of a straight run that may read a value which was copied, if all that do can read the copy.
    fn last_reader(&mut self, part: &Part, at: usize, to: Reg, from: Reg) -> Option<usize> {
        let temp = part.own.is_temp(from);
        let (mut place, mut changes) = (at, false);
        loop {
            place += 1;
            if place >= part.jumps.len() || part.reached[place] {
                return Some(place - 1);
            }
            if part.gone[place] {
                continue;
            }
            let mut op = self.code.ops[part.begin + place];
            let kind = kind(&self.code, op);
            let others = changed(op).into_iter().flatten().any(|word| word == from);
            if others || self.reads_in_place(op, from) || (kind == Kind::Any && !temp) {
                return None;
            }
            if changes && self.reads(op, from) {
                return None;
            }
            let gives = given(&mut op).copied();
            if gives == Some(from) || part.jumps[place].is_some() || kind == Kind::Ends {
                return Some(place);
            }
            changes |= gives == Some(to)
                || changed(op).contains(&Some(to))
                || matches!(kind, Kind::Stores | Kind::Runs | Kind::Any)
                || matches!(op, Op::Insert(..));
        }
    }

    /// Whether an operation reads a word that may be another one with the same value.
    fn reads(&mut self, mut op: Op, word: Reg) -> bool {
        let mut reads = false;
        each_read(&mut self.code, &mut op, &mut |read| reads |= *read == word);
        reads
    }

    /// Whether an operation reads this word and could read no other one.
    fn reads_in_place(&self, op: Op, word: Reg) -> bool {
        let mut reads = false;
        each_other(&self.code, op, &mut |read| {
            reads |= read == usize::from(word)
        });
        reads
    }
}

/// Whether an operation gives a value that hangs on the words alone that it reads, none of them by number.
fn is_plain(op: Op) -> bool {
    matches!(
        op,
        Op::Move(..)
            | Op::Not(..)
            | Op::Equal(..)
            | Op::Unequal(..)
            | Op::Less(..)
            | Op::AtMost(..)
            | Op::Least(..)
            | Op::Greatest(..)
            | Op::Plus(..)
            | Op::ToWrap(..)
            | Op::IsSome(..)
            | Op::Both(..)
            | Op::Either(..)
            | Op::Without(..)
            | Op::With(..)
            | Op::Lacking(..)
            | Op::Only(..)
            | Op::UpTo(..)
            | Op::DownTo(..)
            | Op::Slide(..)
            | Op::StepBack(..)
            | Op::Size(..)
            | Op::Choose(..)
    )
}
