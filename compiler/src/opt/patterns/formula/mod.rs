//! Truth values of tests that are not known yet, as sums of products.

mod form;
mod sums;

use std::hash::{Hash, Hasher};

use form::Form;
use sums::covered;
pub(in crate::opt) use sums::{Cube, Sum, without};

thread_local! {
    static TRUTH: Formula = Formula {
        holds: Form::of(Cube::default()),
        fails: Form::never(),
    };
}

/// A truth value as a sum of products, and its opposite as one; either is given up where it grows too long.
#[derive(Clone, Debug)]
pub(in crate::opt) struct Formula {
    holds: Form,
    fails: Form,
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        // What has been worked out tells most of them apart.
        let known = self.fails.known().is_some() && other.fails.known().is_some();
        match known {
            true => self.fails == other.fails && self.holds == other.holds,
            false => self.holds == other.holds && self.fails == other.fails,
        }
    }
}

impl Eq for Formula {}

/// What few formulas share is not worked out for it.
impl Hash for Formula {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Formula {
    pub(in crate::opt) fn constant(value: bool) -> Formula {
        let truth = TRUTH.with(Formula::clone);
        match value {
            true => truth,
            false => truth.not(),
        }
    }

    /// The test of this number.
    pub(in crate::opt) fn test(number: u32) -> Formula {
        let holds = Cube {
            holds: vec![number],
            fails: Vec::new(),
        };
        let fails = Cube {
            holds: Vec::new(),
            fails: vec![number],
        };
        Formula {
            holds: Form::of(holds),
            fails: Form::of(fails),
        }
    }

    /// When it holds, if that is short enough.
    pub(in crate::opt) fn holds(&self) -> &Option<Sum> {
        self.holds.sum()
    }

    /// When it fails, if that is short enough.
    pub(in crate::opt) fn fails(&self) -> &Option<Sum> {
        self.fails.sum()
    }

    pub(in crate::opt) fn as_constant(&self) -> Option<bool> {
        if self.holds.is_never(&self.fails) {
            return Some(false);
        }
        self.fails.is_never(&self.holds).then_some(true)
    }

    /// The only test that it asks, and whether that must hold, where that is known.
    pub(in crate::opt) fn as_test(&self) -> Option<(u32, bool)> {
        let only = |form: &Form| match form.known() {
            Some(Some(sum)) => match &sum[..] {
                [cube] => match (&cube.holds[..], &cube.fails[..]) {
                    ([test], []) => Some((*test, true)),
                    ([], [test]) => Some((*test, false)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        only(&self.holds)
    }

    pub(in crate::opt) fn not(self) -> Formula {
        Formula {
            holds: self.fails,
            fails: self.holds,
        }
    }

    /// This, if one of its forms is short enough.
    fn if_short(self) -> Option<Formula> {
        let known = self.fails.is_short() || self.holds.is_short();
        (known || self.fails().is_some() || self.holds().is_some()).then_some(self)
    }

    /// Both; nothing if neither form is short enough.
    pub(in crate::opt) fn and(&self, other: &Formula) -> Option<Formula> {
        let holds = self.holds.both(&other.holds);
        let fails = match holds.is_short() {
            true => self.fails.either_later(&other.fails),
            false => self.fails.either(&other.fails),
        };
        Formula { holds, fails }.if_short()
    }

    /// Whether no product of one can hold together with one of the other.
    pub(in crate::opt) fn excludes(&self, other: &Formula) -> bool {
        let (Some(own), Some(others)) = (self.holds(), other.holds()) else {
            return false;
        };
        own.iter()
            .all(|cube| others.iter().all(|other| cube.clashes(other)))
    }

    /// Whether each product of one is covered by one of the other: then the other holds where it does.
    fn implies(&self, other: &Formula) -> bool {
        let (Some(own), Some(others)) = (self.holds(), other.holds()) else {
            return false;
        };
        covered(own, others)
    }

    pub(in crate::opt) fn or(&self, other: &Formula) -> Option<Formula> {
        let neither = self.clone().not().and(&other.clone().not())?;
        Some(neither.not())
    }

    /// One or the other, each with what the condition says beside it: never both.
    pub(in crate::opt) fn choose(cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        let (met, unmet) = (&cond.holds, &cond.fails);
        let either = |yes: &Form, no: &Form| met.both(yes).either(&unmet.both(no));
        let chosen = Formula {
            holds: either(&yes.holds, &no.holds),
            fails: either(&yes.fails, &no.fails),
        };
        chosen.if_short()
    }

    /// One or the other, without asking about the condition twice where that changes nothing.
    pub(in crate::opt) fn select(cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        if yes == no {
            return Some(yes.clone());
        }
        let not = || cond.clone().not();
        match (cond.as_constant(), yes.as_constant(), no.as_constant()) {
            (Some(true), ..) => Some(yes.clone()),
            (Some(false), ..) => Some(no.clone()),
            (_, Some(true), _) => cond.or(no),
            (_, _, Some(false)) => cond.and(yes),
            (_, Some(false), _) => not().and(no),
            (_, _, Some(true)) => not().or(yes),
            _ if no.implies(yes) => cond.and(yes)?.or(no),
            _ if yes.implies(no) => not().and(no)?.or(yes),
            _ => cond.and(yes)?.or(&not().and(no)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sums::Names;
    use super::*;

    fn value(sum: &Option<Sum>, world: u32) -> bool {
        let holds = |test: &u32| world >> test & 1 == 1;
        let cubes = sum.as_ref().unwrap().iter();
        cubes
            .into_iter()
            .any(|cube| cube.holds.iter().all(holds) && !cube.fails.iter().any(holds))
    }

    #[test]
    fn sums_of_products_mean_what_they_were_made_of() {
        let test = Formula::test;
        let a = test(0).and(&test(1)).unwrap().or(&test(2)).unwrap();
        let b = test(1).not().and(&test(3)).unwrap();
        let chosen = Formula::select(&a, &b, &test(2)).unwrap();
        for world in 0..16 {
            let is = |formula: &Formula| {
                let holds = value(formula.holds(), world);
                assert_ne!(holds, value(formula.fails(), world));
                holds
            };
            let (x, y) = (is(&a), is(&b));
            assert_eq!(x, world & 3 == 3 || world & 4 != 0);
            assert_eq!(is(&a.clone().not()), !x);
            assert_eq!(is(&a.or(&b).unwrap()), x || y);
            assert_eq!(is(&a.and(&b).unwrap()), x && y);
            assert_eq!(is(&chosen), if x { y } else { is(&test(2)) });
        }
        let never = a.and(&Formula::constant(false)).unwrap();
        assert_eq!(never.as_constant(), Some(false));
        let early = Formula::select(&test(0), &Formula::constant(true), &test(1));
        assert_eq!(early, test(0).or(&test(1)));
    }

    #[test]
    fn products_of_many_tests_are_those_of_few() {
        let any = |tests: std::ops::Range<u32>, by: u32| {
            let mut tests = tests.map(|test| Formula::test(test * by));
            let first = tests.next().unwrap();
            tests.fold(first, |any, test| any.or(&test).unwrap())
        };
        // Two of the tests are in both: they cover the products that hold both.
        let pairs = |by: u32, few: bool| {
            let names = Names::of(&any(0..20, by).holds().clone().unwrap(), &[]);
            assert!(names.is_some());
            let both = any(0..16, by).and(&any(14..30, by)).unwrap();
            let more = match few {
                true => both,
                false => both.and(&any(100..150, by)).unwrap(),
            };
            more.holds().as_ref().map(|sum| sum.len())
        };
        assert_eq!(pairs(1, true), Some(2 + 14 * 14));
        assert_eq!(pairs(7, true), Some(2 + 14 * 14));
        assert_eq!(pairs(1, false), None);
        let (low, high) = (any(0..3, 1), any(0..80, 1));
        assert!(
            Names::of(
                low.holds().as_ref().unwrap(),
                high.holds().as_ref().unwrap()
            )
            .is_none()
        );
        assert_eq!(low.and(&high).unwrap(), low.clone());
        assert_eq!(high.or(&low).unwrap(), high);
    }

    #[test]
    fn what_nobody_asked_for_is_there_when_somebody_does() {
        // More of them than may wait for one another.
        let all = (1..1000).fold(Formula::test(0), |all, n| {
            all.and(&Formula::test(n)).unwrap()
        });
        assert_eq!(all.as_constant(), None);
        let len = |sum: &Option<Sum>| sum.as_ref().map(|sum| sum.len());
        assert_eq!((len(all.holds()), len(all.fails())), (Some(1), Some(1000)));
        let again = (1..1000).fold(Formula::test(0), |all, n| {
            let test = Formula::test(n).not();
            all.not().or(&test).unwrap().not()
        });
        assert!(all == again);
        assert_eq!(all.not().or(&again).unwrap().as_constant(), Some(true));
    }

    #[test]
    fn what_grows_in_one_form_is_kept_in_the_other() {
        let pair = |n: u32| Formula::test(2 * n).or(&Formula::test(2 * n + 1)).unwrap();
        let all = (1..20).fold(pair(0), |all, n| all.and(&pair(n)).unwrap());
        assert_eq!(
            (all.holds(), all.fails().as_ref().map(|sum| sum.len())),
            (&None, Some(20))
        );
    }
}
