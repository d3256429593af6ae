//! What can stand on a place, and tests of that as sets.

use std::rc::Rc;

use crate::ir::same::same;
use crate::ir::value;
use crate::ir::{Const, Expr, ExprKind, Game, LocalId};

/// Cases that are told apart.
const MOST_CASES: usize = 64;

/// A set of contents of a place, by number: many hold the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Contents(Rc<[u64]>);

impl Contents {
    /// The contents, of `values.len()` in all, whose value is true.
    pub(crate) fn of(values: &[bool]) -> Contents {
        let word = |values: &[bool]| {
            let bits = values.iter().rev();
            bits.fold(0, |word, value| word << 1 | u64::from(*value))
        };
        Contents(values.chunks(64).map(word).collect())
    }

    /// Those of this set that are in another one, or that are not.
    pub(crate) fn met(&self, other: &Contents, within: bool) -> Contents {
        let pairs = self.0.iter().zip(other.0.iter());
        Contents(
            pairs
                .map(|(own, other)| own & if within { *other } else { !other })
                .collect(),
        )
    }

    /// Whether some are in both.
    pub(crate) fn meets(&self, other: &Contents) -> bool {
        let mut pairs = self.0.iter().zip(other.0.iter());
        pairs.any(|(own, other)| own & other != 0)
    }

    /// Whether all are in another set.
    pub(crate) fn is_within(&self, other: &Contents) -> bool {
        let mut pairs = self.0.iter().zip(other.0.iter());
        pairs.all(|(own, other)| own & !other == 0)
    }

    /// Those of either set.
    pub(crate) fn joined(&self, other: &Contents) -> Contents {
        let pairs = self.0.iter().zip(other.0.iter());
        Contents(pairs.map(|(own, other)| own | other).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn contains(&self, content: usize) -> bool {
        let word = self.0.get(content / 64);
        word.is_some_and(|word| word >> (content % 64) & 1 == 1)
    }

    /// Where the set lies: one that lies there too is the same.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// Those of this set but for one.
    pub(crate) fn without(&self, content: usize) -> Contents {
        let mut set = self.clone();
        if let Some(word) = Rc::make_mut(&mut set.0).get_mut(content / 64) {
            *word &= !(1 << (content % 64));
        }
        set
    }
}

/// The contents that pass a test, in each case.
pub(crate) type Mask = Vec<Contents>;

/// What is given apart from the board, where it has few values: a case is a value for each.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    given: Vec<(Expr, Vec<Const>)>,
    all: Vec<Vec<Const>>,
}

/// An expression, and for each of its values the cases that are left and what is known for each of them.
pub(crate) type Split<'c, 'a, T> = (&'c Expr, Vec<(&'c Const, Cases, Vec<&'a T>)>);

impl Default for Cases {
    fn default() -> Cases {
        Cases {
            given: Vec::new(),
            all: vec![Vec::new()],
        }
    }
}

impl Cases {
    /// Tells the values of one more expression apart, if that does not make too many cases.
    pub(crate) fn tell(&mut self, given: Expr, values: Vec<Const>) {
        if values.is_empty() || self.all.len() * values.len() > MOST_CASES {
            return;
        }
        let with = |case: &Vec<Const>, value: &Const| {
            let case = case.iter().chain([value]);
            case.cloned().collect::<Vec<Const>>()
        };
        self.all = self
            .all
            .iter()
            .flat_map(|case| values.iter().map(move |value| with(case, value)))
            .collect();
        self.given.push((given, values));
    }

    /// Whether the values of a parameter are told apart.
    pub(crate) fn tells(&self, param: LocalId) -> bool {
        let mut given = self.given.iter();
        given.any(|(given, _)| given.kind == ExprKind::Local(param))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The value of an expression in each case, if it depends on nothing else.
    pub(crate) fn values(&self, game: &Game, expr: &Expr) -> Option<Vec<Const>> {
        self.all
            .iter()
            .map(|case| self.value(game, expr, case))
            .collect()
    }

    fn value(&self, game: &Game, expr: &Expr, case: &[Const]) -> Option<Const> {
        let known = self.given.iter().zip(case);
        if let Some((_, value)) = known.into_iter().find(|((given, _), _)| same(given, expr)) {
            return Some(value.clone());
        }
        let mut operands: Vec<Option<Const>> = Vec::new();
        expr.children(&mut |child| operands.push(self.value(game, child, case)));
        let operands: Vec<Const> = operands.into_iter().collect::<Option<_>>()?;
        value::apply(game, expr, &operands.iter().collect::<Vec<_>>())
    }

    /// The first expression on whose value something that is known for each case depends, and what is known for each of
    /// its values; nothing if it is the same in all cases.
    pub(crate) fn split<'a, T: PartialEq>(&self, known: &'a [T]) -> Option<Split<'_, 'a, T>> {
        let of = |at: usize, value: &Const| -> Vec<&'a T> {
            let cases = self.all.iter().zip(known);
            let cases = cases.filter(|(case, _)| case[at] == *value);
            cases.map(|(_, known)| known).collect()
        };
        let at = (0..self.given.len()).find(|&at| {
            let mut each = self.given[at].1.iter().map(|value| of(at, value));
            let first = each.next();
            each.any(|other| Some(&other) != first.as_ref())
        })?;
        let (expr, values) = &self.given[at];
        let mut rest = Cases::default();
        for (other, (given, values)) in self.given.iter().enumerate() {
            if other != at {
                rest.tell(given.clone(), values.clone());
            }
        }
        let parts = values.iter();
        let parts = parts.map(|value| (value, rest.clone(), of(at, value)));
        Some((expr, parts.collect()))
    }
}
