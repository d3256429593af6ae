//! Tests of one place of which one follows from the other.
//!
//! Whether a place is like another one is asked beside whether it is empty, before or after: the answer to the first decides the second.

use crate::ir::Const;
use crate::ir::value;
use crate::opt::patterns::formula::{Cube, Formula};

use super::Explorer;
use super::values::Plane;

/// A truth value that is a constant, or that of a test or of its opposite.
enum Single {
    Const(bool),
    Test(u32, bool),
}

impl Single {
    fn of(formula: &Formula) -> Option<Single> {
        if let Some((test, holds)) = formula.as_test() {
            return Some(Single::Test(test, holds));
        }
        formula.as_constant().map(Single::Const)
    }

    /// The value where this is known of two tests.
    fn at(&self, known: [(u32, bool); 2]) -> bool {
        match self {
            Single::Const(value) => *value,
            Single::Test(test, holds) => {
                let value = known.iter().find(|(known, _)| known == test);
                value.is_some_and(|(_, value)| value == holds)
            }
        }
    }
}

impl Explorer<'_> {
    /// A choice between tests of one place that comes to one of them.
    pub(super) fn single(&self, cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        let (first, _) = cond.as_test()?;
        let (yes, no) = (Single::of(yes)?, Single::of(no)?);
        let mut tests = [&yes, &no].into_iter().filter_map(|part| match part {
            Single::Test(test, _) => Some(*test),
            Single::Const(_) => None,
        });
        let second = tests.find(|test| *test != first)?;
        let cond = Single::of(cond)?;
        let chosen = |known| match cond.at(known) {
            true => yes.at(known),
            false => no.at(known),
        };
        let (like, test, follows) = match self.follows_from(first, second) {
            Some(follows) => (first, second, follows),
            None => (second, first, self.follows_from(second, first)?),
        };
        // Where one place is not like the other, both answers to the test may be.
        let apart = [false, true].map(|value| chosen([(like, false), (test, value)]));
        let alike = chosen([(like, true), (test, follows)]);
        let single = |test: u32, holds: bool| match holds {
            true => Formula::test(test),
            false => Formula::test(test).not(),
        };
        match apart {
            [one, other] if one == other && one == alike => Some(Formula::constant(one)),
            [one, other] if one == other => Some(single(like, alike)),
            [_, other] if apart[usize::from(follows)] == alike => Some(single(test, other)),
            _ => None,
        }
    }

    /// What a test of a place gives wherever another test of it holds.
    fn follows_from(&self, like: u32, test: u32) -> Option<bool> {
        let places = self.places();
        if like % places != test % places {
            return None;
        }
        let Plane::Is(asked) = self.planes[(test / places) as usize] else {
            return None;
        };
        let (function, values) = self.equal_to((like / places) as usize)?;
        let mut known = None;
        let contents = self.functions[function].0.iter();
        for (value, answer) in contents.zip(&self.functions[asked].0) {
            if !values.contains(value.as_ref()?) {
                continue;
            }
            let Some(Const::Bool(answer)) = answer else {
                return None;
            };
            if *known.get_or_insert(*answer) != *answer {
                return None;
            }
        }
        known
    }

    /// The function of contents that a plane compares, and the values that it may be equal to.
    fn equal_to(&self, plane: usize) -> Option<(usize, Vec<Const>)> {
        match &self.planes[plane] {
            Plane::EqualsOf(function, other, _) => {
                let values = self.functions[*other].0.iter().cloned();
                Some((*function, values.collect::<Option<_>>()?))
            }
            Plane::EqualsGiven(function, given) => {
                let given = &self.given[*given];
                let values = self.cases.values(self.game, given);
                let values = values.unwrap_or_else(|| value::values_of(self.game, &given.ty));
                (!values.is_empty()).then_some((*function, values))
            }
            _ => None,
        }
    }

    /// A product without what follows from the rest of it; nothing if it never holds.
    pub(in crate::opt) fn without_implied(&self, cube: &Cube) -> Option<Cube> {
        let mut left = cube.clone();
        for like in &cube.holds {
            let says = |test: &u32, holds: bool| self.follows_from(*like, *test) == Some(holds);
            let never = cube.holds.iter().any(|test| says(test, false))
                || cube.fails.iter().any(|test| says(test, true));
            if never {
                return None;
            }
            left.holds.retain(|test| !says(test, true));
            left.fails.retain(|test| !says(test, false));
        }
        Some(left)
    }
}
