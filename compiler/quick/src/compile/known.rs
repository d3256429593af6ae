//! What is known of words where operations come to a place: which are the same, which values lie there, and what was tested.

use super::operands::{Kind, changed, each_read, given};
use super::own::Own;
use crate::code::Code;
use crate::ir::BinaryOp;
use crate::op::*;

/// Things that are known at a time, at most.
const MOST_KNOWN: usize = 40;

/// Words at which a value looks that is remembered, at most.
const MOST_READ: usize = 3;

/// Something that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A word is the same as another one.
    Same(Reg, Reg),
    /// A word is what an operation gives, which has no word to give it to.
    Value(Reg, Op),
    /// A test, which leads nowhere, has this outcome.
    Tested(Op, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fact {
    what: What,
    reads: [Option<Reg>; MOST_READ],
    /// Whether words are looked at by number.
    looks: bool,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(Vec<Fact>);

/// What never changes among words, and what belongs to what is run.
#[derive(Clone, Copy)]
pub(super) struct Words<'w> {
    pub(super) own: &'w Own,
    pub(super) fixed: &'w [bool],
    /// How many words a position has: only these are looked at by number and change.
    pub(super) position: usize,
}

impl Words<'_> {
    pub(super) fn is_fixed(&self, word: Reg) -> bool {
        self.fixed.get(usize::from(word)) == Some(&true)
    }
}

impl Known {
    /// How many things are known.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What is known on another way, too.
    pub(super) fn meet(&mut self, other: &Known) {
        self.0.retain(|fact| other.0.contains(fact));
    }

    /// The word that is the same as this one, and was there before.
    pub(super) fn original(&self, word: Reg) -> Reg {
        let same = self.0.iter().find_map(|fact| match fact.what {
            What::Same(to, from) if to == word => Some(from),
            _ => None,
        });
        same.unwrap_or(word)
    }

    /// A word in which the value of an operation lies already.
    pub(super) fn lies(&self, code: &Code, op: Op) -> Option<Reg> {
        let wanted = bare(op)?;
        let same = self.0.iter().find_map(|fact| match fact.what {
            What::Value(to, value) if is_same(code, value, wanted) => Some(to),
            _ => None,
        });
        same.or_else(|| self.part_of(op))
    }

    /// What two words have in common, where that is one of them.
    fn part_of(&self, op: Op) -> Option<Reg> {
        let Op::Both(_, a, b) = op else {
            return None;
        };
        let within = |a: Reg, b: Reg| {
            a == b
                || self.0.iter().any(|fact| match fact.what {
                    What::Value(to, Op::Both(_, c, d)) => to == a && (c == b || d == b),
                    _ => false,
                })
        };
        match (within(a, b), within(b, a)) {
            (true, _) => Some(a),
            (_, true) => Some(b),
            _ => None,
        }
    }

    /// A test of what a condition looks at, instead of one of its value.
    pub(super) fn straight(&self, op: Op, words: Words<'_>, image: &[i64]) -> Option<Op> {
        let is_zero = |word: Reg| words.is_fixed(word) && image[usize::from(word)] == 0;
        let (word, when, jump) = match op {
            Op::If(word, jump) => (word, true, jump),
            Op::Unless(word, jump) => (word, false, jump),
            Op::IfLess(a, b, jump) if is_zero(b) => return Some(Op::IfNone(a, jump)),
            Op::IfAtMost(a, b, jump) if is_zero(a) => return Some(Op::IfSome(b, jump)),
            _ => return None,
        };
        let value = self.0.iter().find_map(|fact| match fact.what {
            What::Value(to, value) if to == word => Some(value),
            _ => None,
        })?;
        Some(match (value, when) {
            (Op::Not(_, a), true) => Op::Unless(a, jump),
            (Op::Not(_, a), false) => Op::If(a, jump),
            (Op::Equal(_, a, b), true) | (Op::Unequal(_, a, b), false) => Op::IfEqual(a, b, jump),
            (Op::Unequal(_, a, b), true) | (Op::Equal(_, a, b), false) => Op::IfUnequal(a, b, jump),
            (Op::Less(_, a, b), true) => Op::IfLess(a, b, jump),
            (Op::Less(_, a, b), false) => Op::IfAtMost(b, a, jump),
            (Op::AtMost(_, a, b), true) => Op::IfAtMost(a, b, jump),
            (Op::AtMost(_, a, b), false) => Op::IfLess(b, a, jump),
            (Op::Both(_, a, b), true) => Op::IfMeet(a, b, jump),
            (Op::Both(_, a, b), false) => Op::IfApart(a, b, jump),
            (Op::IsSome(_, a), true) => Op::IfSome(a, jump),
            (Op::IsSome(_, a), false) => Op::IfNone(a, jump),
            _ => return None,
        })
    }

    /// Whether a test jumps, if that is known.
    pub(super) fn outcome(&self, op: Op, words: Words<'_>, image: &[i64]) -> Option<bool> {
        let (test, when) = tested(op)?;
        if let Some(holds) = always(test, words, image) {
            return Some(holds == when);
        }
        self.0.iter().find_map(|fact| match fact.what {
            What::Tested(known, holds) if known == test => Some(holds == when),
            What::Tested(Op::IfEqual(a, b, _), true) => match test {
                // It is another constant.
                Op::IfEqual(c, d, _) if a == c && words.is_fixed(b) && words.is_fixed(d) => {
                    let differ = image[usize::from(b)] != image[usize::from(d)];
                    differ.then_some(!when)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// What an operation changes is not known any more.
    pub(super) fn forget(&mut self, mut op: Op, kind: Kind, words: Words<'_>) {
        let own = words.own;
        match kind {
            Kind::Any => self.0.clear(),
            Kind::Runs => self.keep(|fact| {
                let stays = fact.all(|word| words.is_fixed(word) || own.is_temp(word));
                !fact.looks && stays && fact.to().is_none_or(|to| own.is_temp(to))
            }),
            Kind::Stores => self.keep(|fact| {
                let stays = fact.all(|word| words.is_fixed(word) || own.has(word));
                let lies = fact.to().is_none_or(|to| usize::from(to) >= words.position);
                !fact.looks && stays && lies
            }),
            Kind::Pure | Kind::Acts | Kind::Ends => {}
        }
        let given = given(&mut op).copied();
        for word in given.into_iter().chain(changed(op).into_iter().flatten()) {
            let far = usize::from(word) < words.position;
            self.keep(|fact| {
                !(far && fact.looks) && fact.all(|read| read != word) && fact.to() != Some(word)
            });
        }
    }

    fn keep(&mut self, f: impl Fn(&Fact) -> bool) {
        self.0.retain(f);
    }

    /// What an operation tells where the next one follows.
    pub(super) fn learn(&mut self, code: &mut Code, op: Op, words: Words<'_>) {
        let (own, mut op) = (words.own, op);
        let Some(to) = given(&mut op).copied() else {
            return;
        };
        match op {
            Op::Move(_, from) | Op::Get(_, from) if from != to && own.has(to) => {
                self.add(What::Same(to, from), [Some(from), None, None], false);
                if matches!(op, Op::Get(..)) {
                    self.learn_outcome(Op::IfSome(from, 0), true);
                }
            }
            op => {
                let (Some(value), Some(reads)) = (bare(op), reads(code, op)) else {
                    return;
                };
                let looks = match op {
                    Op::Among(_, table, _) => !words.is_fixed(table),
                    Op::Load(..) => true,
                    _ => false,
                };
                if !reads.contains(&Some(to)) {
                    self.add(What::Value(to, value), reads, looks);
                }
            }
        }
    }

    /// What a test tells where it jumps, or where it does not.
    pub(super) fn learn_outcome(&mut self, op: Op, jumps: bool) {
        if let Some((test, when)) = tested(op) {
            let reads = match test {
                Op::If(a, _) | Op::IfSome(a, _) => [Some(a), None, None],
                Op::IfEqual(a, b, _)
                | Op::IfLess(a, b, _)
                | Op::IfOneOf(a, b, _)
                | Op::IfMeet(a, b, _) => [Some(a), Some(b), None],
                _ => return,
            };
            self.add(What::Tested(test, jumps == when), reads, false);
        }
    }

    fn add(&mut self, what: What, reads: [Option<Reg>; MOST_READ], looks: bool) {
        if self.0.len() == MOST_KNOWN {
            self.0.remove(0);
        }
        self.0.push(Fact { what, reads, looks });
    }
}

impl Fact {
    fn all(&self, f: impl Fn(Reg) -> bool) -> bool {
        self.reads.iter().flatten().all(|word| f(*word))
    }

    fn to(&self) -> Option<Reg> {
        match self.what {
            What::Same(to, _) | What::Value(to, _) => Some(to),
            What::Tested(..) => None,
        }
    }
}

/// The words that an operation reads, if these are few.
fn reads(code: &mut Code, mut op: Op) -> Option<[Option<Reg>; MOST_READ]> {
    let (mut reads, mut many) = ([None; MOST_READ], 0);
    each_read(code, &mut op, &mut |word| {
        if let Some(read) = reads.get_mut(many) {
            *read = Some(*word);
        }
        many += 1;
    });
    (many <= MOST_READ).then_some(reads)
}

/// An operation that gives the same wherever it stands, without the word for that; what can stand in any order is sorted.
fn bare(op: Op) -> Option<Op> {
    let sorted = |a: Reg, b: Reg| (a.min(b), a.max(b));
    Some(match op {
        Op::Equal(_, a, b) => {
            let (a, b) = sorted(a, b);
            Op::Equal(0, a, b)
        }
        Op::Unequal(_, a, b) => {
            let (a, b) = sorted(a, b);
            Op::Unequal(0, a, b)
        }
        Op::Both(_, a, b) => {
            let (a, b) = sorted(a, b);
            Op::Both(0, a, b)
        }
        Op::Either(_, a, b) => {
            let (a, b) = sorted(a, b);
            Op::Either(0, a, b)
        }
        Op::Add(..)
        | Op::Subtract(..)
        | Op::Multiply(..)
        | Op::Wrapping(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
        | Op::Not(..)
        | Op::Less(..)
        | Op::AtMost(..)
        | Op::Least(..)
        | Op::Greatest(..)
        | Op::Plus(..)
        | Op::ToWrap(..)
        | Op::IsSome(..)
        | Op::Member(..)
        | Op::Among(..)
        | Op::Load(..)
        | Op::Without(..)
        | Op::UpTo(..)
        | Op::DownTo(..)
        | Op::Only(..)
        | Op::Size(..)
        | Op::Slide(..)
        | Op::StepBack(..) => {
            let mut op = op;
            *given(&mut op)? = 0;
            op
        }
        _ => return None,
    })
}

fn is_same(code: &Code, a: Op, b: Op) -> bool {
    match (a, b) {
        (Op::Load(_, a), Op::Load(_, b)) => {
            let (a, b) = (&code.places[usize::from(a)], &code.places[usize::from(b)]);
            a == b
        }
        (a, b) => a == b,
    }
}

/// A test in the form in which it is known, without where it leads, and whether it jumps if that holds.
fn tested(op: Op) -> Option<(Op, bool)> {
    Some(match op {
        Op::If(a, _) => (Op::If(a, 0), true),
        Op::Unless(a, _) => (Op::If(a, 0), false),
        Op::IfSome(a, _) => (Op::IfSome(a, 0), true),
        Op::IfNone(a, _) => (Op::IfSome(a, 0), false),
        Op::IfEqual(a, b, _) => (Op::IfEqual(a, b, 0), true),
        Op::IfUnequal(a, b, _) => (Op::IfEqual(a, b, 0), false),
        Op::IfLess(a, b, _) => (Op::IfLess(a, b, 0), true),
        Op::IfAtMost(a, b, _) => (Op::IfLess(b, a, 0), false),
        Op::IfOneOf(a, b, _) => (Op::IfOneOf(a, b, 0), true),
        Op::IfNoneOf(a, b, _) => (Op::IfOneOf(a, b, 0), false),
        Op::IfMeet(a, b, _) => (Op::IfMeet(a.min(b), a.max(b), 0), true),
        Op::IfApart(a, b, _) => (Op::IfMeet(a.min(b), a.max(b), 0), false),
        _ => return None,
    })
}

/// Whether an operation is a test that does nothing else.
pub(super) fn is_test(op: Op) -> bool {
    tested(op).is_some()
}

/// The outcome of a test of constants.
fn always(test: Op, words: Words<'_>, image: &[i64]) -> Option<bool> {
    let of = |word: Reg| words.is_fixed(word).then(|| image[usize::from(word)]);
    Some(match test {
        Op::If(a, _) => of(a)? != 0,
        Op::IfSome(a, _) => of(a)? >= 0,
        Op::IfEqual(a, b, _) => of(a)? == of(b)?,
        Op::IfLess(a, b, _) => of(a)? < of(b)?,
        Op::IfMeet(a, b, _) => of(a)? & of(b)? != 0,
        _ => return None,
    })
}

/// Whether one test has the outcome with which another one jumps, if that follows.
pub(super) fn follows(op: Op, next: Op) -> Option<bool> {
    let ((a, jumps), (b, when)) = (tested(op)?, tested(next)?);
    (a == b).then_some(jumps == when)
}
