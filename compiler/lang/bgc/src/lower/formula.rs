//! Conditions as formulas over what can change, everything else folded.
//!
//! A formula speaks of a figure, of known kind, and of a judged cell. It becomes a truth value where both cells are at
//! hand, or the set of all judged cells for which it holds.

use rulec_ir::sorted::SortedMap;

use crate::ast::{Computed, Condition, Match, Spanned};
use crate::script::Value;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    True,
    False,
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Atom(Atom),
}

/// What a formula may ask.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// The figure stands on one of these cells (a flag for each cell).
    SelfIn(Vec<bool>),
    /// The figure moved so often.
    SelfMoves(u32),
    /// So many moves passed since the figure moved.
    SelfAge(u32),
    /// The figure is attacked where it stands.
    SelfAttacked,
    /// The number of the present move.
    Clock(u32),
    /// The judged cell is one of these.
    In(Vec<bool>),
    /// On the judged cell stands one of these kinds (a flag for each, the last for nothing).
    Holds(Vec<bool>),
    /// The figure on the judged cell moved so often.
    Moves(u32),
    /// What stands on the judged cell is taken already and waits for the end of the chain.
    Doomed,
    /// The figure would be attacked on the judged cell.
    Attacked,
}

/// What is known of the judged cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// It exists.
    Cell,
    /// It does not.
    Missing,
}

/// A test of what stands on a cell: player and figure, or nothing.
type KindTest<'a> = dyn Fn(Option<&(String, String)>) -> bool + 'a;

/// The names that conditions speak of.
pub(super) struct Names {
    /// The kinds: player and figure.
    pub(super) kinds: Vec<(String, String)>,
    /// The coordinates of the cells.
    pub(super) cells: Vec<Vec<i64>>,
    /// The cells by their coordinates.
    pub(super) index: Index,
}

/// Cells by their coordinates.
pub(super) enum Index {
    /// By all coordinates within bounds: the least ones, how many there are of each, and the cells, last coordinate fastest.
    Box {
        least: Vec<i64>,
        lens: Vec<usize>,
        cells: Vec<Option<usize>>,
    },
    /// Where they lie far apart.
    Scattered(SortedMap<Vec<i64>, usize>),
}

/// Places of a box for each cell, at most.
const MOST_PLACES: usize = 16;

impl Index {
    pub(super) fn of(cells: &[Vec<i64>]) -> Index {
        Index::in_box(cells)
            .unwrap_or_else(|| Index::Scattered(cells.iter().cloned().zip(0..).collect()))
    }

    fn in_box(cells: &[Vec<i64>]) -> Option<Index> {
        let dimensions = cells.first()?.len();
        let (mut least, mut lens) = (Vec::new(), Vec::new());
        let mut size = 1_usize;
        for dimension in 0..dimensions {
            let all = || cells.iter().filter_map(|cell| cell.get(dimension));
            let (low, high) = (*all().min()?, *all().max()?);
            let len = usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
            size = size.checked_mul(len)?;
            least.push(low);
            lens.push(len);
        }
        if size > cells.len() * MOST_PLACES || cells.iter().any(|cell| cell.len() != dimensions) {
            return None;
        }
        let mut index = Index::Box {
            least,
            lens,
            cells: vec![None; size],
        };
        for (number, cell) in cells.iter().enumerate() {
            let at = index.place(cell.iter().copied());
            if let (Index::Box { cells, .. }, Some(at)) = (&mut index, at) {
                cells[at] = Some(number);
            }
        }
        Some(index)
    }

    /// The place in the box of some coordinates, if they are within it.
    fn place(&self, coordinates: impl Iterator<Item = i64>) -> Option<usize> {
        let Index::Box { least, lens, .. } = self else {
            return None;
        };
        let mut coordinates = coordinates;
        let mut place = 0;
        for (least, len) in least.iter().zip(lens) {
            let at = usize::try_from(coordinates.next()?.checked_sub(*least)?).ok()?;
            if at >= *len {
                return None;
            }
            place = place * len + at;
        }
        coordinates.next().is_none().then_some(place)
    }

    /// The cell at some coordinates.
    pub(super) fn get(&self, coordinates: impl Iterator<Item = i64>) -> Option<usize> {
        match self {
            Index::Box { cells, .. } => cells[self.place(coordinates)?],
            Index::Scattered(cells) => cells.get(&coordinates.collect::<Vec<i64>>()).copied(),
        }
    }
}

use Formula::{False, True};

impl Formula {
    pub(super) fn constant(value: bool) -> Formula {
        if value { True } else { False }
    }

    pub(super) fn and(items: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all: Vec<Formula> = Vec::new();
        for item in items {
            match item {
                True => {}
                False => return False,
                Formula::And(inner) => inner.into_iter().for_each(|item| meet(&mut all, item)),
                item => meet(&mut all, item),
            }
        }
        if all.iter().any(Formula::is_void) {
            return False;
        }
        match all.len() {
            0 => True,
            1 => all.swap_remove(0),
            _ => Formula::And(all),
        }
    }

    pub(super) fn or(items: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all: Vec<Formula> = Vec::new();
        for item in items {
            match item {
                False => {}
                True => return True,
                Formula::Or(inner) => inner.into_iter().for_each(|item| join(&mut all, item)),
                item => join(&mut all, item),
            }
        }
        if all.iter().any(Formula::is_full) {
            return True;
        }
        match all.len() {
            0 => False,
            1 => all.swap_remove(0),
            _ => Formula::Or(all),
        }
    }

    pub(super) fn negated(self) -> Formula {
        match self {
            True => False,
            False => True,
            Formula::Not(inner) => *inner,
            Formula::And(items) => Formula::or(items.into_iter().map(Formula::negated)),
            Formula::Or(items) => Formula::and(items.into_iter().map(Formula::negated)),
            Formula::Atom(Atom::In(mask)) => Formula::Atom(Atom::In(flip(&mask))),
            Formula::Atom(Atom::SelfIn(mask)) => Formula::Atom(Atom::SelfIn(flip(&mask))),
            Formula::Atom(Atom::Holds(mask)) => Formula::Atom(Atom::Holds(flip(&mask))),
            atom => Formula::Not(Box::new(atom)),
        }
    }

    /// A mask that nothing fits.
    fn is_void(&self) -> bool {
        matches!(self, Formula::Atom(Atom::In(m) | Atom::SelfIn(m) | Atom::Holds(m)) if m.iter().all(|b| !b))
    }

    /// A mask that everything fits.
    fn is_full(&self) -> bool {
        matches!(self, Formula::Atom(Atom::In(m) | Atom::SelfIn(m) | Atom::Holds(m)) if m.iter().all(|b| *b))
    }

    fn mask(atom: fn(Vec<bool>) -> Atom, mask: Vec<bool>) -> Formula {
        match (mask.iter().any(|b| *b), mask.iter().all(|b| *b)) {
            (false, _) => False,
            (_, true) => True,
            _ => Formula::Atom(atom(mask)),
        }
    }

    /// Whether some atom fulfils the predicate.
    pub(super) fn any(&self, f: &dyn Fn(&Atom) -> bool) -> bool {
        match self {
            True | False => false,
            Formula::Not(inner) => inner.any(f),
            Formula::And(items) | Formula::Or(items) => items.iter().any(|item| item.any(f)),
            Formula::Atom(atom) => f(atom),
        }
    }

    /// Whether it depends on the figure beyond its kind.
    pub(super) fn asks_self(&self) -> bool {
        self.any(&|atom| {
            matches!(
                atom,
                Atom::SelfIn(_)
                    | Atom::SelfMoves(_)
                    | Atom::SelfAge(_)
                    | Atom::SelfAttacked
                    | Atom::Attacked
            )
        })
    }

    /// Whether it asks who is attacked.
    pub(super) fn asks_attacks(&self) -> bool {
        self.any(&|atom| matches!(atom, Atom::Attacked | Atom::SelfAttacked))
    }

    /// The formula if a figure of this kind stands on the judged cell, or nothing for the number after the last kind.
    pub(super) fn with_contents(&self, contents: usize) -> Formula {
        let of = |item: &Formula| item.with_contents(contents);
        match self {
            Formula::Not(inner) => of(inner).negated(),
            Formula::And(items) => Formula::and(items.iter().map(of)),
            Formula::Or(items) => Formula::or(items.iter().map(of)),
            Formula::Atom(Atom::Holds(mask)) => Formula::constant(mask[contents]),
            Formula::Atom(Atom::Doomed) => False,
            other => other.clone(),
        }
    }

    /// The formula with parts of known value put in.
    pub(super) fn given(&self, known: &[(Formula, bool)]) -> Formula {
        if let Some((_, value)) = known.iter().find(|(formula, _)| formula == self) {
            return Formula::constant(*value);
        }
        match self {
            Formula::Not(inner) => inner.given(known).negated(),
            Formula::And(items) => Formula::and(items.iter().map(|item| item.given(known))),
            Formula::Or(items) => Formula::or(items.iter().map(|item| item.given(known))),
            other => other.clone(),
        }
    }
}

fn flip(mask: &[bool]) -> Vec<bool> {
    mask.iter().map(|b| !b).collect()
}

/// Adds a part of a conjunction; masks of one kind become one.
fn meet(all: &mut Vec<Formula>, item: Formula) {
    merge(all, item, |a, b| a && b);
}

/// Adds a part of a disjunction; masks of one kind become one.
fn join(all: &mut Vec<Formula>, item: Formula) {
    merge(all, item, |a, b| a || b);
}

fn merge(all: &mut Vec<Formula>, item: Formula, pair: fn(bool, bool) -> bool) {
    if all.contains(&item) {
        return;
    }
    for other in all.iter_mut() {
        match (other, &item) {
            (Formula::Atom(Atom::In(a)), Formula::Atom(Atom::In(b)))
            | (Formula::Atom(Atom::SelfIn(a)), Formula::Atom(Atom::SelfIn(b)))
            | (Formula::Atom(Atom::Holds(a)), Formula::Atom(Atom::Holds(b))) => {
                for (a, b) in a.iter_mut().zip(b) {
                    *a = pair(*a, *b);
                }
                return;
            }
            _ => {}
        }
    }
    all.push(item);
}

/// A number that a counter can have.
pub(super) fn counter(value: &Value) -> Option<u32> {
    if *value == Value::Null {
        return None;
    }
    let number = value.to_number();
    (number.fract() == 0.0 && (0.0..1e6).contains(&number)).then_some(number as u32)
}

impl Names {
    /// A flag for each kind and for nothing.
    fn holds(&self, f: impl Fn(Option<&(String, String)>) -> bool) -> Formula {
        let mut mask: Vec<bool> = self.kinds.iter().map(|kind| f(Some(kind))).collect();
        mask.push(f(None));
        Formula::mask(Atom::Holds, mask)
    }

    fn coordinates(&self, matching: &Match, atom: fn(Vec<bool>) -> Atom) -> Formula {
        let fits = |cell: &Vec<i64>| {
            matching.coordinates.iter().all(|(dimension, wanted)| {
                let value = cell.get(*dimension).map(|v| Value::Number(*v as f64));
                value.unwrap_or(Value::Null).loosely_equals(&wanted.node)
            })
        };
        Formula::mask(atom, self.cells.iter().map(fits).collect())
    }

    /// A condition list; always true if absent.
    pub(super) fn conditions(
        &self,
        conditions: Option<&[Condition]>,
        own: usize,
        target: Target,
    ) -> Formula {
        let Some(conditions) = conditions else {
            return True;
        };
        let each = conditions
            .iter()
            .map(|condition| self.condition(condition, own, target));
        Formula::or(each.collect::<Vec<_>>())
    }

    fn condition(&self, condition: &Condition, own: usize, target: Target) -> Formula {
        let mut all = vec![
            self.own(&condition.own, own),
            self.target(&condition.target, target),
        ];
        let kind = own;
        for (computed, wanted) in &condition.computed {
            all.push(self.computed(*computed, wanted, kind, target));
        }
        for wanted in &condition.clock {
            all.push(match counter(wanted) {
                Some(number) => Formula::Atom(Atom::Clock(number)),
                None => False,
            });
        }
        Formula::and(all)
    }

    fn own(&self, matching: &Match, kind: usize) -> Formula {
        let (player, figure) = &self.kinds[kind];
        let name = |wanted: &Option<Spanned<Value>>, name: &String| {
            let equal = |wanted: &Spanned<Value>| wanted.node.is_text(name);
            Formula::constant(wanted.as_ref().is_none_or(equal))
        };
        let moves = match &matching.moves_made {
            None => True,
            Some(wanted) => {
                counter(&wanted.node).map_or(False, |n| Formula::Atom(Atom::SelfMoves(n)))
            }
        };
        Formula::and([
            name(&matching.player, player),
            name(&matching.figure, figure),
            moves,
            self.coordinates(matching, Atom::SelfIn),
        ])
    }

    pub(super) fn target(&self, matching: &Match, target: Target) -> Formula {
        let plain = *matching == Match::default();
        if target == Target::Missing {
            return Formula::constant(plain);
        }
        let name = |wanted: &Option<Spanned<Value>>, of: fn(&(String, String)) -> &String| {
            let Some(wanted) = wanted else { return True };
            self.holds(|kind| match kind {
                Some(kind) => wanted.node.is_text(of(kind)),
                None => wanted.node.loosely_equals(&Value::Null),
            })
        };
        let moves = match &matching.moves_made {
            None => True,
            Some(wanted) if wanted.node == Value::Null => self.holds(|kind| kind.is_none()),
            Some(wanted) => counter(&wanted.node).map_or(False, |n| Formula::Atom(Atom::Moves(n))),
        };
        Formula::and([
            name(&matching.player, |kind| &kind.0),
            name(&matching.figure, |kind| &kind.1),
            moves,
            self.coordinates(matching, Atom::In),
        ])
    }

    fn computed(&self, computed: Computed, wanted: &Value, own: usize, target: Target) -> Formula {
        let mine = &self.kinds[own].0;
        let stands = |f: &KindTest<'_>| match target {
            Target::Missing => False,
            Target::Cell => self.holds(f),
        };
        let value = match computed {
            Computed::Age => {
                return match counter(wanted) {
                    Some(age) => Formula::Atom(Atom::SelfAge(age)),
                    None => False,
                };
            }
            Computed::IsCell => Formula::constant(target != Target::Missing),
            Computed::IsFigure => stands(&|kind| kind.is_some()),
            Computed::IsEnemy => stands(&|kind| kind.is_some_and(|kind| kind.0 != *mine)),
            Computed::IsOwn => stands(&|kind| kind.is_some_and(|kind| kind.0 == *mine)),
            Computed::IsEmpty => stands(&|kind| kind.is_none()),
            Computed::IsAttacked if target == Target::Missing => False,
            Computed::IsAttacked => Formula::Atom(Atom::Attacked),
            Computed::SelfAttacked => Formula::Atom(Atom::SelfAttacked),
        };
        let equals = |flag: bool| Value::Bool(flag).loosely_equals(wanted);
        match (equals(true), equals(false)) {
            (true, true) => True,
            (true, false) => value,
            (false, true) => value.negated(),
            (false, false) => False,
        }
    }
}

/// A formula for two known cells.
pub(super) fn at(formula: &Formula, from: usize, to: usize) -> Formula {
    match formula {
        Formula::Not(inner) => at(inner, from, to).negated(),
        Formula::And(items) => Formula::and(items.iter().map(|item| at(item, from, to))),
        Formula::Or(items) => Formula::or(items.iter().map(|item| at(item, from, to))),
        Formula::Atom(Atom::In(mask)) => Formula::constant(mask[to]),
        Formula::Atom(Atom::SelfIn(mask)) => Formula::constant(mask[from]),
        other => other.clone(),
    }
}
