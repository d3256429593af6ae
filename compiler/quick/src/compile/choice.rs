//! Sets of one word as unions of what a few words have in common where other words have some values: all of it is one operation
//! without a branch. However a set is spelled, by conditions within each other, by unions or by what sets have in common, this is
//! its form as far as conditions compare words with small numbers; nothing in it faults.

use super::{Made, Maker};
use crate::code::*;
use crate::op::{Choice, NEAR, Op, Reg};

/// Parts of a union, at most.
const MOST_TERMS: usize = 16;

/// Words that are asked for in a part, and sets whose members it has, at most.
const MOST_TESTS: usize = 2;
const MOST_SETS: usize = 3;

/// A word, and a bit for each of its values for which a test holds, as [`Choice`] has it.
type Values = (At, u64);

/// What some sets have in common where all tests hold.
#[derive(Clone, Default)]
struct Term {
    tests: Vec<Values>,
    sets: Vec<At>,
}

impl Term {
    fn test(&mut self, (at, values): Values) {
        match self.tests.iter_mut().find(|(other, _)| *other == at) {
            Some((_, known)) => *known &= values,
            None => self.tests.push((at, values)),
        }
    }

    /// Both together.
    fn with(&self, other: &Term) -> Term {
        let mut both = self.clone();
        other.tests.iter().for_each(|test| both.test(*test));
        for set in &other.sets {
            if !both.sets.contains(set) {
                both.sets.push(*set);
            }
        }
        both
    }
}

impl Maker<'_> {
    /// Works out a set of one word that is there under conditions, if it has that form.
    pub(super) fn chosen(&mut self, set: &Set, to: Reg) -> Made<bool> {
        if set.words != 1 || !matches!(set.kind, SetKind::If(_) | SetKind::Intersect(_)) {
            return Ok(false);
        }
        self.chosen_of(&[set], to)
    }

    /// Works out the union of sets, if all have that form and some are there under conditions.
    fn chosen_of(&mut self, sets: &[&Set], to: Reg) -> Made<bool> {
        let mut all = Vec::new();
        for set in sets {
            match self.terms_of(set) {
                Some(terms) => all.extend(terms),
                None => return Ok(false),
            }
        }
        let tested = all.iter().any(|term| !term.tests.is_empty());
        let terms = self.gathered_terms(all);
        if !tested || terms.len() > MOST_TERMS {
            return Ok(false);
        }
        let mut choices = Vec::new();
        for term in terms {
            choices.push(self.choice(&term)?);
        }
        let choices = Self::listed(&mut self.code.choices, choices.into())?;
        self.emit(Op::Choose(to, choices));
        Ok(true)
    }

    /// The union of those among some sets that have this form; the others are left.
    pub(super) fn chosen_among<'s>(&mut self, sets: Vec<&'s Set>, to: Reg) -> Made<Vec<&'s Set>> {
        let (chosen, others): (Vec<&Set>, Vec<&Set>) = sets
            .iter()
            .copied()
            .partition(|set| self.terms_of(set).is_some());
        match self.chosen_of(&chosen, to)? {
            true => Ok(others),
            false => {
                let zero = self.number(0)?;
                self.emit(Op::Move(to, zero));
                Ok(sets)
            }
        }
    }

    fn choice(&mut self, term: &Term) -> Made<Choice> {
        let zero = self.number(0)?;
        let mut choice = Choice {
            values: [u64::MAX; MOST_TESTS],
            words: [zero; MOST_TESTS],
            sets: [self.reg(*term.sets.first().unwrap_or(&0))?; MOST_SETS],
        };
        for (number, (at, values)) in term.tests.iter().enumerate() {
            (choice.words[number], choice.values[number]) = (self.reg(*at)?, *values);
        }
        for (number, at) in term.sets.iter().enumerate() {
            choice.sets[number] = self.reg(*at)?;
        }
        Ok(choice)
    }

    /// The parts of a set, if it has this form.
    fn terms_of(&mut self, set: &Set) -> Option<Vec<Term>> {
        let terms = match &set.kind {
            SetKind::At(at) if *at == self.constant(vec![0]) => Vec::new(),
            SetKind::At(at) => vec![Term {
                tests: Vec::new(),
                sets: vec![*at],
            }],
            SetKind::Union(both) => {
                let (mut all, more) = (self.terms_of(&both.0)?, self.terms_of(&both.1)?);
                all.extend(more);
                all
            }
            SetKind::Intersect(both) => product(&self.terms_of(&both.0)?, &self.terms_of(&both.1)?),
            SetKind::If(three) => {
                let (yes, no) = (cases_of(&three.0, true)?, cases_of(&three.0, false)?);
                let mut all = product(&yes, &self.terms_of(&three.1)?);
                all.extend(product(&no, &self.terms_of(&three.2)?));
                all
            }
            _ => return None,
        };
        let fits = |term: &Term| {
            let near = term.tests.iter().map(|(at, _)| at).chain(&term.sets);
            term.tests.len() <= MOST_TESTS
                && term.sets.len() <= MOST_SETS
                && near.into_iter().all(|at| *at < NEAR)
        };
        (terms.len() <= MOST_TERMS && terms.iter().all(fits)).then_some(terms)
    }

    /// The same parts, where those under the same conditions are one that differ in a constant alone.
    fn gathered_terms(&mut self, terms: Vec<Term>) -> Vec<Term> {
        let mut gathered: Vec<Term> = Vec::new();
        for term in terms {
            if term.tests.iter().any(|(_, values)| *values == 0) {
                continue;
            }
            let same = gathered.iter_mut().find_map(|known| {
                let (one, other) = differ(known, &term)?;
                let (a, b) = (self.known_word(one)?, self.known_word(other)?);
                Some((known, one, a | b))
            });
            match same {
                Some((known, one, word)) => {
                    let both = self.constant(vec![word]);
                    known
                        .sets
                        .iter_mut()
                        .filter(|at| **at == one)
                        .for_each(|at| *at = both);
                }
                None => gathered.push(term),
            }
        }
        gathered
    }

    /// The word of a constant.
    fn known_word(&self, at: At) -> Option<i64> {
        let value = *self.code.image.get(at)?;
        (self.constants.get(&vec![value]) == Some(&at)).then_some(value)
    }
}

/// The only sets in which parts differ that are under the same conditions.
fn differ(a: &Term, b: &Term) -> Option<(At, At)> {
    let only = |one: &Term, other: &Term| {
        let mut rest = one.sets.iter().filter(|at| !other.sets.contains(at));
        match (rest.next(), rest.next()) {
            (Some(at), None) => Some(*at),
            _ => None,
        }
    };
    let same = a.sets.len() == b.sets.len() && a.tests == b.tests;
    same.then(|| Some((only(a, b)?, only(b, a)?)))?
}

fn product(a: &[Term], b: &[Term]) -> Vec<Term> {
    let each = a
        .iter()
        .flat_map(|one| b.iter().map(|other| one.with(other)));
    each.take(MOST_TERMS + 1).collect()
}

/// The cases in which a condition holds, or in which it does not, if it compares words with small numbers alone.
fn cases_of(cond: &Num, when: bool) -> Option<Vec<Term>> {
    let joined = |both: &(Num, Num), all: bool| {
        let (mut a, b) = (cases_of(&both.0, when)?, cases_of(&both.1, when)?);
        if all {
            return Some(product(&a, &b));
        }
        for case in b {
            add_case(&mut a, case);
        }
        Some(a)
    };
    let cases = match cond {
        Num::Const(value) => match (*value != 0) == when {
            true => vec![Term::default()],
            false => Vec::new(),
        },
        Num::Not(a) => cases_of(a, !when)?,
        Num::And(both) => joined(both, when)?,
        Num::Or(both) => joined(both, !when)?,
        cond => {
            let (at, values) = values_of(cond)?;
            let values = if when { values } else { !values };
            vec![Term {
                tests: vec![(at, values)],
                sets: Vec::new(),
            }]
        }
    };
    (cases.len() <= MOST_TERMS).then_some(cases)
}

/// Adds a case; those of one word are one.
fn add_case(cases: &mut Vec<Term>, case: Term) {
    if let [(at, values)] = case.tests[..] {
        let same = cases
            .iter_mut()
            .find_map(|known| match &mut known.tests[..] {
                [(other, known)] if *other == at => Some(known),
                _ => None,
            });
        if let Some(known) = same {
            *known |= values;
            return;
        }
    }
    cases.push(case);
}

/// The word that a comparison looks at, and for which of its values it holds.
fn values_of(cond: &Num) -> Option<Values> {
    let compared = |both: &(Num, Num)| match both {
        (Num::At(at), Num::Const(number)) | (Num::Const(number), Num::At(at)) => {
            (-1..62).contains(number).then(|| (*at, 1 << (number + 1)))
        }
        _ => None,
    };
    match cond {
        Num::IsSome(a) => match **a {
            Num::At(at) => Some((at, !1)),
            _ => None,
        },
        Num::Equal(both) => compared(both),
        Num::Unequal(both) => compared(both).map(|(at, values)| (at, !values)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(at: At, value: i64) -> Num {
        Num::Equal(Box::new((Num::At(at), Num::Const(value))))
    }

    fn some(at: At) -> Num {
        Num::IsSome(Box::new(Num::At(at)))
    }

    fn not(a: Num) -> Num {
        Num::Not(Box::new(a))
    }

    #[test]
    fn a_condition_on_values_is_one_case_however_it_is_spelled() {
        let either = Num::Or(Box::new((not(some(7)), equal(7, 3))));
        let neither = not(Num::And(Box::new((some(7), not(equal(7, 3))))));
        let listed = Num::Or(Box::new((equal(7, 3), equal(7, -1))));
        for spelled in [either, neither, listed] {
            let cases = cases_of(&spelled, true).unwrap_or_default();
            let tests: Vec<&[Values]> = cases.iter().map(|case| &case.tests[..]).collect();
            assert_eq!(tests, [[(7, 1 << 4 | 1)]], "{spelled:?}");
        }
    }

    #[test]
    fn conditions_on_two_words_are_cases_of_both() {
        let known = Num::And(Box::new((some(7), equal(8, 0))));
        let unknown = Num::And(Box::new((not(some(7)), not(some(9)))));
        let cond = Num::Or(Box::new((known, unknown)));
        let cases = cases_of(&cond, true).unwrap_or_default();
        let tests: Vec<&[Values]> = cases.iter().map(|case| &case.tests[..]).collect();
        assert_eq!(tests, [[(7, !1), (8, 2)], [(7, 1), (9, 1)]]);
    }
}
