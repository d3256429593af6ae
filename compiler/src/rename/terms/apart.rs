//! Conditions that never hold together, whatever stands where.

use super::{FALSE, FAULT, Op, Other, TRUE, Term, Terms, YES};
use crate::ir::{BinaryOp, Type};

/// Steps after which two conditions are taken to hold together.
const MOST_TRIED: usize = 4_000;

/// A condition in the position that some writes lead to, if any, and whether it has to hold.
#[derive(Clone, Copy)]
struct Wanted {
    after: Option<Term>,
    term: Term,
    holds: bool,
}

/// What is supposed of a position: of members which they can be, of other conditions whether they hold.
#[derive(Clone, Default)]
struct Supposed {
    members: Vec<(Option<Term>, Term, Vec<bool>)>,
    others: Vec<(Option<Term>, Term, bool)>,
}

impl Terms<'_> {
    /// Whether two conditions never hold together. Errs on the side of no.
    pub(in super::super) fn never_both(&mut self, a: Term, b: Term) -> bool {
        if a == TRUE || b == TRUE {
            return false;
        }
        if self.are_opposed(a, b) {
            return true;
        }
        if self.are_small(&[a, b]) && self.and(a, b) == FALSE {
            return true;
        }
        let wanted = [a, b].map(|term| Wanted {
            after: None,
            term,
            holds: true,
        });
        let mut steps = MOST_TRIED;
        let apart = !self.can_be(wanted.to_vec(), Supposed::default(), &mut steps);
        self.spend(1 + (MOST_TRIED - steps) / 8);
        apart
    }

    /// Whether a condition never holds. Errs on the side of no, and looks at few conditions only.
    pub(in super::super) fn never(&mut self, condition: Term) -> bool {
        condition == FALSE || self.ask_few(&[condition]) && self.never_both(condition, condition)
    }

    /// Whether all that is wanted may be so.
    fn can_be(&self, mut wanted: Vec<Wanted>, supposed: Supposed, steps: &mut usize) -> bool {
        let Some(first) = wanted.pop() else {
            return true;
        };
        let Some(left) = steps.checked_sub(1) else {
            return true;
        };
        *steps = left;
        let Wanted { after, term, holds } = first;
        let inner = |term: Term, holds: bool| Wanted { after, term, holds };
        let node = self.node(term);
        match (&node.op, &node.args[..]) {
            _ if term == TRUE || term == FALSE => {
                (term == TRUE) == holds && self.can_be(wanted, supposed, steps)
            }
            (Op::Ite, &[condition, yes, no]) => [(true, yes), (false, no)].iter().any(|way| {
                let (asked, rest) = *way;
                let mut next = wanted.clone();
                next.extend([inner(rest, holds), inner(condition, asked)]);
                self.can_be(next, supposed.clone(), steps)
            }),
            (Op::Other(Other::Whole), &[condition]) => {
                wanted.push(inner(condition, holds));
                self.can_be(wanted, supposed, steps)
            }
            (Op::Other(Other::After), &[before, condition]) if after.is_none() => {
                let after = Some(before);
                let term = condition;
                wanted.push(Wanted { after, term, holds });
                self.can_be(wanted, supposed, steps)
            }
            (Op::Other(Other::Any), parts) if holds => parts.iter().any(|part| {
                let mut next = wanted.clone();
                next.push(inner(*part, true));
                self.can_be(next, supposed.clone(), steps)
            }),
            (Op::Other(Other::Any), parts) => {
                wanted.extend(parts.iter().map(|part| inner(*part, false)));
                self.can_be(wanted, supposed, steps)
            }
            _ => match self.with(supposed, first) {
                Some(supposed) => self.can_be(wanted, supposed, steps),
                None => false,
            },
        }
    }

    /// Whether a term says that something is one of some members of which it is supposed to be one of others.
    fn is_elsewhere(&self, term: Term, after: Option<Term>, supposed: &Supposed) -> bool {
        let sides = |term: Term| match (&self.node(term).op, &self.node(term).args[..]) {
            (Op::Binary(BinaryOp::Eq), &[a, b]) => vec![(a, b), (b, a)],
            _ => Vec::new(),
        };
        let own = sides(term);
        let held = supposed
            .others
            .iter()
            .filter(|other| other.0 == after && other.2);
        let mut others = held.flat_map(|other| sides(other.1));
        others.any(|(other, at)| {
            let mut same = own.iter().filter(|(of, _)| *of == other);
            same.any(|(_, own)| match (self.possible(*own), self.possible(at)) {
                (Some(own), Some(at)) => own.is_disjoint(&at),
                _ => false,
            })
        })
    }

    /// What is supposed then; nothing where that cannot be.
    fn with(&self, mut supposed: Supposed, wanted: Wanted) -> Option<Supposed> {
        let node = self.node(wanted.term);
        // What says nothing of the position is the same before and after.
        let after = |term: Term| wanted.after.filter(|_| !self.is_pure(term));
        if let (Op::Table(tab), &[atom], Type::Bool) = (&node.op, &node.args[..], &node.ty)
            && self.tab(*tab).axes.len() == 1
        {
            let values = self.tab(*tab).values.iter();
            // A mistake may pass for either.
            let fits = values.map(|v| *v == FAULT || (*v == YES) == wanted.holds);
            let fits: Vec<bool> = fits.collect();
            let after = after(atom);
            let mut known = supposed.members.iter_mut();
            let known = known.find(|(of, member, _)| (*of, *member) == (after, atom));
            let can = match known {
                Some((.., can)) => {
                    can.iter_mut()
                        .zip(&fits)
                        .for_each(|(can, fits)| *can &= fits);
                    can.contains(&true)
                }
                None => {
                    let can = fits.contains(&true);
                    supposed.members.push((after, atom, fits));
                    can
                }
            };
            return can.then_some(supposed);
        }
        let after = after(wanted.term);
        if wanted.holds && self.is_elsewhere(wanted.term, after, &supposed) {
            return None;
        }
        let mut known = supposed.others.iter();
        match known.find(|(of, term, _)| (*of, *term) == (after, wanted.term)) {
            Some((.., holds)) => (*holds == wanted.holds).then_some(supposed),
            None => {
                supposed.others.push((after, wanted.term, wanted.holds));
                Some(supposed)
            }
        }
    }
}
