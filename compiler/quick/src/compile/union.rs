//! Unions of sets of one word, some of which are there under a condition: those cost nothing where it does not hold.

use super::{Made, Maker};
use crate::code::*;
use crate::op::{NEAR, Op, Reg};

impl Maker<'_> {
    /// Whether a set of one word is empty unless a condition holds, or unless it does not; or a union with such a set.
    pub(super) fn is_conditional(&mut self, set: &Set) -> bool {
        match &set.kind {
            SetKind::Union(both) => self.is_conditional(&both.0) || self.is_conditional(&both.1),
            SetKind::If(three) => self.is_nothing(&three.1) || self.is_nothing(&three.2),
            _ => false,
        }
    }

    fn is_nothing(&mut self, set: &Set) -> bool {
        matches!(set.kind, SetKind::At(at) if at == self.constant(vec![0]))
    }

    /// A union one part after another, those that are there under a condition only where it holds. Parts under one condition come
    /// together, and what all of these have in common is looked at once.
    pub(super) fn joined(&mut self, set: &Set, to: Reg) -> Made<()> {
        let mut parts = Vec::new();
        union_parts(set, &mut parts);
        let parts = self.chosen_among(parts, to)?;
        let parts: Vec<Part<'_>> = parts.into_iter().map(|part| self.part(part)).collect();
        for group in grouped(parts) {
            let (used, next) = (self.flat.used(), self.label());
            if let Some((cond, when)) = group.when {
                self.branch(cond, next, !when)?;
            }
            let all = self.all_of(&group.sets)?;
            self.emit(Op::Either(to, to, all));
            self.here(next);
            self.flat.give_back(used);
        }
        Ok(())
    }

    fn part<'s>(&mut self, set: &'s Set) -> Part<'s> {
        let (when, set) = match &set.kind {
            SetKind::If(three) if self.is_nothing(&three.2) => (Some((&three.0, true)), &three.1),
            SetKind::If(three) if self.is_nothing(&three.1) => (Some((&three.0, false)), &three.2),
            _ => (None, set),
        };
        Part {
            when,
            sets: vec![set],
        }
    }

    /// The union of sets: what they have in common is cut with the union of the rest.
    fn all_of(&mut self, sets: &[&Set]) -> Made<Reg> {
        let [first, others @ ..] = sets else {
            return self.number(0);
        };
        if others.is_empty() {
            return self.word_operand(first);
        }
        let factors: Vec<Vec<At>> = sets.iter().map(|set| factors_of(set)).collect();
        let common: Vec<At> = (factors[0].iter().copied())
            .filter(|at| factors[1..].iter().all(|factors| factors.contains(at)))
            .collect();
        let all = self.temp()?;
        let (mut known, mut whole, mut begun) = (0, false, false);
        for factors in &factors {
            let mut rest = factors.iter().copied().filter(|at| !common.contains(at));
            match (rest.next(), rest.next()) {
                (None, _) => whole = true,
                (Some(at), None) if self.is_constant(at) => known |= self.code.image[at],
                (Some(first), second) => {
                    let word = self.common_of(first, second.into_iter().chain(rest))?;
                    self.emit(match std::mem::replace(&mut begun, true) {
                        true => Op::Either(all, all, word),
                        false => Op::Move(all, word),
                    });
                }
            }
        }
        if !begun || known != 0 {
            let known = self.number(known)?;
            self.emit(match begun {
                true => Op::Either(all, all, known),
                false => Op::Move(all, known),
            });
        }
        let mut common = common.into_iter();
        if whole && let Some(first) = common.next() {
            let first = self.reg(first)?;
            self.emit(Op::Move(all, first));
        }
        for at in common {
            let word = self.reg(at)?;
            self.emit(Op::Both(all, all, word));
        }
        Ok(all)
    }

    /// What several words have in common.
    fn common_of(&mut self, first: At, others: impl Iterator<Item = At>) -> Made<Reg> {
        let mut word = self.reg(first)?;
        for at in others {
            let (to, other) = (self.temp()?, self.reg(at)?);
            self.emit(Op::Both(to, word, other));
            word = to;
        }
        Ok(word)
    }

    fn is_constant(&self, at: At) -> bool {
        let value = self.code.image.get(at);
        value.is_some_and(|value| self.constants.get(&vec![*value]) == Some(&at))
    }
}

/// Sets of a union that are there under one condition: that, and whether it has to hold.
struct Part<'s> {
    when: Option<(&'s Num, bool)>,
    sets: Vec<&'s Set>,
}

/// Parts under the same condition are one. Only those may come earlier that never fault.
fn grouped(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    let mut groups: Vec<Part<'_>> = Vec::new();
    for part in parts {
        let same = |group: &&mut Part<'_>| match (group.when, part.when) {
            (Some((a, wanted)), Some((b, when))) => wanted == when && is_same(a, b),
            _ => false,
        };
        let plain = part.sets.iter().all(|set| is_plain(set));
        let same = groups.iter_mut().filter(|_| plain).find(same);
        match same.filter(|group| group.sets.iter().all(|set| is_plain(set))) {
            Some(group) => group.sets.extend(part.sets),
            None => groups.push(part),
        }
    }
    groups
}

/// Whether two conditions are the same, and never fault.
fn is_same(a: &Num, b: &Num) -> bool {
    let both = |a: &(Num, Num), b: &(Num, Num)| is_same(&a.0, &b.0) && is_same(&a.1, &b.1);
    match (a, b) {
        (Num::Const(a), Num::Const(b)) => a == b,
        (Num::At(a), Num::At(b)) => a == b,
        (Num::Not(a), Num::Not(b)) | (Num::IsSome(a), Num::IsSome(b)) => is_same(a, b),
        (Num::And(a), Num::And(b))
        | (Num::Or(a), Num::Or(b))
        | (Num::Equal(a), Num::Equal(b))
        | (Num::Unequal(a), Num::Unequal(b)) => both(a, b),
        (Num::Compare(op, a), Num::Compare(other, b)) => op == other && both(a, b),
        _ => false,
    }
}

/// Whether a set of one word is made of words that lie there, so that it never faults.
pub(super) fn is_known(set: &Set) -> bool {
    let both = |both: &(Set, Set)| is_known(&both.0) && is_known(&both.1);
    match &set.kind {
        SetKind::At(at) => *at < NEAR,
        SetKind::Union(sets) | SetKind::Intersect(sets) | SetKind::Minus(sets) => both(sets),
        SetKind::Complement(_, a) => is_known(a),
        _ => false,
    }
}

/// Whether two sets that are known are the same.
pub(super) fn is_same_set(a: &Set, b: &Set) -> bool {
    let both = |a: &(Set, Set), b: &(Set, Set)| is_same_set(&a.0, &b.0) && is_same_set(&a.1, &b.1);
    match (&a.kind, &b.kind) {
        (SetKind::At(a), SetKind::At(b)) => a == b,
        (SetKind::Union(a), SetKind::Union(b))
        | (SetKind::Intersect(a), SetKind::Intersect(b))
        | (SetKind::Minus(a), SetKind::Minus(b)) => both(a, b),
        (SetKind::Complement(all, a), SetKind::Complement(other, b)) => {
            all == other && is_same_set(a, b)
        }
        _ => false,
    }
}

/// Whether a set is what words that lie there have in common.
fn is_plain(set: &Set) -> bool {
    match &set.kind {
        SetKind::At(at) => *at < NEAR,
        SetKind::Intersect(both) => is_plain(&both.0) && is_plain(&both.1),
        _ => false,
    }
}

/// The words of which a plain set is what they have in common.
fn factors_of(set: &Set) -> Vec<At> {
    match &set.kind {
        SetKind::At(at) => vec![*at],
        SetKind::Intersect(both) => [factors_of(&both.0), factors_of(&both.1)].concat(),
        _ => Vec::new(),
    }
}

/// The sets that a union joins, in order.
pub(super) fn union_parts<'s>(set: &'s Set, out: &mut Vec<&'s Set>) {
    match &set.kind {
        SetKind::Union(both) => {
            union_parts(&both.0, out);
            union_parts(&both.1, out);
        }
        _ => out.push(set),
    }
}
