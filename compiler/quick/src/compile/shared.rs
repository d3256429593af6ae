//! What several statements in a row work out alike is worked out once, in front of the first of them.
//!
//! Rules that are written out for each of some buckets or members ask the same of the position in each of these. Only what
//! neither faults nor changes anything is shared, and only where it is worked out in any case or often.

use std::collections::BTreeMap;

use super::Maker;
use crate::code::*;
use crate::ir::BinaryOp;
use crate::op::NEAR;

/// Parts of which something consists at least, so that it is worth a word of its own.
const LEAST_PARTS: usize = 3;

/// Values that one row of statements shares, at most.
const MOST_SHARED: usize = 32;

/// How often a number is worked out where it may be needed by none, so that it is worth working it out in any case.
const MANY: usize = 3;

/// A part of a value.
enum Part<'a> {
    Num(&'a mut Num),
    Set(&'a mut Set),
}

/// Parts that are the same wherever they stand.
struct Found {
    /// Whether it is a number that is no condition, a condition, or a set.
    kind: Kind,
    parts: usize,
    /// The word that it reads itself, and the numbers of its parts.
    reads: Option<At>,
    inner: Vec<usize>,
    times: usize,
    /// The statements in which it comes first and last.
    first: usize,
    last: usize,
    /// Whether the first one works it out in any case.
    sure: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// No more than a jump where it stands.
    Condition,
    Set,
}

/// All parts that never fault, by number; each number stands for one value.
#[derive(Default)]
struct Numbered {
    numbers: BTreeMap<Vec<i64>, usize>,
    found: Vec<Found>,
}

impl Numbered {
    /// Whether a value reads one of these words.
    fn reads(&self, number: usize, words: &[At]) -> bool {
        let found = &self.found[number];
        found.reads.is_some_and(|at| words.contains(&at))
            || found.inner.iter().any(|part| self.reads(*part, words))
    }
}

impl Maker<'_> {
    /// Gives words to what statements in a row share.
    pub(super) fn share(&mut self, steps: &mut Vec<Step>) {
        let mut begin = 0;
        while begin < steps.len() {
            let row = steps[begin..].iter_mut();
            let mut end = begin + row.map_while(|step| self.simple(step)).count();
            for _ in 0..MOST_SHARED {
                match begin < end && self.share_one(steps, begin..end) {
                    true => end += 1,
                    false => break,
                }
            }
            begin = end + 1;
        }
    }

    /// The value of one word that a statement gives to a local variable or back, and where it goes.
    fn simple<'s>(&self, step: &'s mut Step) -> Option<(At, Part<'s>)> {
        let (to, value) = match step {
            Step::Set(
                Store {
                    to: Target::At(to),
                    admits: Admits::All,
                },
                value,
            ) if *to >= self.code.position => (*to, value),
            Step::Return(Some((value, to, 1))) => (*to, value),
            _ => return None,
        };
        match value {
            Val::Num(num) => Some((to, Part::Num(num))),
            Val::Set(set) if set.words == 1 => Some((to, Part::Set(set))),
            _ => None,
        }
    }

    /// Shares the largest value that some statements have in common; false if there is none.
    fn share_one(&mut self, steps: &mut Vec<Step>, row: std::ops::Range<usize>) -> bool {
        let mut all = Numbered::default();
        let mut given = Vec::new();
        for at in row {
            if let Some((to, part)) = self.simple(&mut steps[at]) {
                part.find(at, true, &mut all);
                given.push((at, to));
            }
        }
        let stays = |number: usize, found: &Found| {
            let between = given
                .iter()
                .filter(|(at, _)| (found.first..found.last).contains(at));
            let words: Vec<At> = between.map(|(_, to)| *to).collect();
            words.is_empty() || !all.reads(number, &words)
        };
        let many = all.found.iter().enumerate();
        let best = many
            .filter(|(number, found)| found.is_worth_it() && stays(*number, found))
            .max_by_key(|(_, found)| found.parts);
        let Some((number, found)) = best else {
            return false;
        };
        let (first, last, to) = (found.first, found.last, self.own_room());
        let mut value = None;
        for step in &mut steps[first..=last] {
            if let Some((_, part)) = self.simple(step) {
                part.replace(number, to, &all, &mut value);
            }
        }
        let store = Store {
            to: Target::At(to),
            admits: Admits::All,
        };
        if let Some(value) = value {
            steps.insert(first, Step::Set(store, value));
        }
        true
    }
}

impl Part<'_> {
    fn value(&self) -> Val {
        match self {
            Part::Num(num) => Val::Num((*num).clone()),
            Part::Set(set) => Val::Set((*set).clone()),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Part::Set(_) => Kind::Set,
            Part::Num(
                Num::Not(_)
                | Num::And(_)
                | Num::Or(_)
                | Num::Equal(_)
                | Num::Unequal(_)
                | Num::Compare(..)
                | Num::IsSome(_),
            ) => Kind::Condition,
            Part::Num(_) => Kind::Number,
        }
    }

    /// The word that it reads itself.
    fn reads(&self) -> Option<At> {
        match self {
            Part::Num(Num::At(at)) => Some(*at),
            Part::Set(set) => match set.kind {
                SetKind::At(at) => Some(at),
                _ => None,
            },
            Part::Num(_) => None,
        }
    }

    /// What it is by itself, as numbers that tell it from all others; nothing if it might fault, or is not known here.
    fn head(&self) -> Option<Vec<i64>> {
        Some(match self {
            Part::Num(num) => match num {
                Num::Const(value) => vec![0, *value],
                Num::At(at) => vec![1, *at as i64],
                Num::Among(at, _) if *at < NEAR => vec![2, *at as i64],
                Num::Not(_) => vec![3],
                Num::And(_) => vec![4],
                Num::Or(_) => vec![5],
                Num::If(_) => vec![6],
                Num::Equal(_) => vec![7],
                Num::Unequal(_) => vec![8],
                Num::Compare(op, _) => vec![9, *op as i64],
                Num::Wrapping(op, both, _) if is_total(*op, &both.1) => vec![10, *op as i64],
                Num::ToWrap(_) => vec![11],
                Num::IsSome(_) => vec![12],
                Num::OrElse(_) => vec![13],
                Num::Ordinal(_, first) => vec![14, *first],
                Num::Member(_, first, len) => vec![15, *first, *len],
                _ => return None,
            },
            Part::Set(set) if set.words == 1 => match &set.kind {
                SetKind::At(at) => vec![20, *at as i64],
                SetKind::If(_) => vec![21],
                SetKind::Union(_) => vec![22],
                SetKind::Intersect(_) => vec![23],
                SetKind::Minus(_) => vec![24],
                SetKind::Complement(all, _) => vec![25, *all as i64],
                SetKind::Matching(sets, none, _) => {
                    let mut head = vec![26, *none as i64, sets.len() as i64];
                    head.extend(sets.iter().flat_map(|(value, at)| [*value, *at as i64]));
                    head
                }
                _ => return None,
            },
            Part::Set(_) => return None,
        })
    }

    /// Calls `f` on its parts, and with whether they are always worked out where it is; nothing where its head is not known.
    fn parts(&mut self, f: &mut dyn FnMut(Part<'_>, bool)) {
        match self {
            Part::Num(num) => match num {
                Num::Among(_, a)
                | Num::Not(a)
                | Num::ToWrap(a)
                | Num::IsSome(a)
                | Num::Ordinal(a, _)
                | Num::Member(a, ..) => f(Part::Num(a), true),
                Num::Equal(both)
                | Num::Unequal(both)
                | Num::Compare(_, both)
                | Num::Wrapping(_, both, _) => {
                    f(Part::Num(&mut both.0), true);
                    f(Part::Num(&mut both.1), true);
                }
                Num::And(both) | Num::Or(both) | Num::OrElse(both) => {
                    f(Part::Num(&mut both.0), true);
                    f(Part::Num(&mut both.1), false);
                }
                Num::If(three) => {
                    f(Part::Num(&mut three.0), true);
                    f(Part::Num(&mut three.1), false);
                    f(Part::Num(&mut three.2), false);
                }
                _ => {}
            },
            Part::Set(set) => match &mut set.kind {
                SetKind::If(three) => {
                    f(Part::Num(&mut three.0), true);
                    f(Part::Set(&mut three.1), false);
                    f(Part::Set(&mut three.2), false);
                }
                SetKind::Union(both) | SetKind::Intersect(both) | SetKind::Minus(both) => {
                    f(Part::Set(&mut both.0), true);
                    f(Part::Set(&mut both.1), true);
                }
                SetKind::Complement(_, a) => f(Part::Set(a), true),
                SetKind::Matching(_, _, which) => f(Part::Num(which), true),
                _ => {}
            },
        }
    }

    /// Numbers all parts that never fault; the number of the whole.
    fn find(mut self, at: usize, sure: bool, all: &mut Numbered) -> Option<usize> {
        let (kind, reads, mut key) = (self.kind(), self.reads(), self.head());
        let (mut inner, mut parts) = (Vec::new(), 1);
        self.parts(
            &mut |part, always| match part.find(at, sure && always, all) {
                Some(number) => {
                    inner.push(number);
                    parts += all.found[number].parts;
                }
                None => key = None,
            },
        );
        let mut key = key?;
        key.extend(inner.iter().map(|number| *number as i64));
        let next = all.found.len();
        let number = *all.numbers.entry(key).or_insert(next);
        if number == next {
            all.found.push(Found {
                kind,
                parts,
                reads,
                inner,
                times: 0,
                first: at,
                last: at,
                sure,
            });
        }
        let found = &mut all.found[number];
        found.times += 1;
        found.last = at;
        found.sure |= sure && found.first == at;
        Some(number)
    }

    /// Reads a word instead of each part with a number, which is the value there; the number of the whole.
    fn replace(
        mut self,
        wanted: usize,
        to: At,
        all: &Numbered,
        value: &mut Option<Val>,
    ) -> Option<usize> {
        let mut key = self.head();
        self.parts(
            &mut |part, _| match (part.replace(wanted, to, all, value), &mut key) {
                (Some(number), Some(key)) => key.push(number as i64),
                _ => key = None,
            },
        );
        let number = *all.numbers.get(&key?)?;
        if number == wanted {
            value.get_or_insert(self.value());
            match self {
                Part::Num(num) => *num = Num::At(to),
                Part::Set(set) => set.kind = SetKind::At(to),
            }
        }
        Some(number)
    }
}

impl Found {
    /// Whether it takes less to work it out once.
    fn is_worth_it(&self) -> bool {
        match self.kind {
            Kind::Number => {
                self.parts >= LEAST_PARTS && self.times >= if self.sure { 2 } else { MANY }
            }
            Kind::Set => self.parts > LEAST_PARTS && self.times >= 2 && self.sure,
            Kind::Condition => false,
        }
    }
}

/// Whether integers of 32 bits have a result whatever the first one is.
fn is_total(op: BinaryOp, second: &Num) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
        _ => matches!(second, Num::Const(by) if *by > 0),
    }
}
