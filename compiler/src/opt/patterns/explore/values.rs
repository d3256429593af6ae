//! What a run computes with: values, the environment, and what is known of places.

use rulec_ir::sorted::SortedSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::ir::{Const, EnvId, Type};
use crate::opt::patterns::formula::Formula;

use super::Explorer;
use crate::hash::{OfPlace, Operands};

/// A value for each piece, and last for an empty place; none where it would be a fault.
pub(in crate::opt) type OfContent = Vec<Option<Const>>;

/// Values, each with when it is that one.
pub(super) type Each = Vec<(Const, Formula)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::opt) enum Value {
    Const(Const),
    /// A function (by number) of what stands on a place.
    Of(u32, usize),
    /// Something (by number) that nothing in the run changes.
    Given(usize),
    Test(Formula),
    /// One of some constants, ascending and without truth values: each with when it is that one, and always exactly one of them.
    Among(Vec<(Const, Formula)>),
    /// A constant and several such numbers, added up only as far as somebody asks ([`super::sums`]).
    Sum(i64, Vec<Rc<Each>>),
}

impl OfPlace for Value {
    fn of_place(&self) -> Option<usize> {
        match self {
            Value::Of(_, function) => Some(*function),
            _ => None,
        }
    }
}

/// In one number for most of them: they are looked up at every call.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let number = match self {
            Value::Const(Const::Int(value)) => *value as u64,
            Value::Const(Const::Elem(member)) => u64::from(*member) | 1 << 32,
            Value::Const(other) => return other.hash(state),
            Value::Of(place, function) => u64::from(*place) << 32 | (*function as u64) << 1,
            Value::Given(given) => (*given as u64) << 33 | 1,
            Value::Test(_) | Value::Among(_) | Value::Sum(..) => 0,
        };
        number.hash(state);
    }
}

impl Value {
    pub(super) fn constant(&self) -> Option<&Const> {
        match self {
            Value::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is a constant or follows from what stands on a place.
    pub(super) fn is_of(&self, place: u32) -> bool {
        match self {
            Value::Const(_) => true,
            Value::Of(other, _) => *other == place,
            _ => false,
        }
    }
}

/// What values a function of contents has.
#[derive(Clone, Copy)]
pub(super) struct Image {
    /// Whether it has a value everywhere.
    is_total: bool,
    /// Whether all of them are truth values.
    is_truth: bool,
    /// Whether one of them is true.
    holds: bool,
    /// Whether one of them is false.
    fails: bool,
    /// The truth value of an empty place, if it is one.
    empty: Option<bool>,
    /// Whether a piece gives false, and whether one gives true.
    of_pieces: [bool; 2],
}

impl Image {
    pub(super) fn of(values: &OfContent) -> Image {
        let is = |truth: bool| values.contains(&Some(Const::Bool(truth)));
        let is_truth = |value: &Option<Const>| matches!(value, Some(Const::Bool(_)));
        let (empty, pieces) = match values.split_last() {
            Some((empty, pieces)) => (empty.as_ref(), pieces),
            None => (None, &[][..]),
        };
        let of_pieces = |truth: bool| pieces.contains(&Some(Const::Bool(truth)));
        Image {
            empty: match empty {
                Some(Const::Bool(truth)) => Some(*truth),
                _ => None,
            },
            of_pieces: [false, true].map(of_pieces),
            is_total: values.iter().all(Option::is_some),
            is_truth: values.iter().all(is_truth),
            holds: is(true),
            fails: is(false),
        }
    }
}

/// What a test of a place asks: the places that pass it are a plane of the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) enum Plane {
    /// Whether a function of the content is true.
    Is(usize),
    /// Whether a function of the content is equal to something given.
    EqualsGiven(usize, usize),
    /// Whether a function of the content is equal to another one of the content of a place.
    EqualsOf(usize, usize, u32),
    /// Whether the place is in a set that follows from other planes, by its number.
    Derived(usize),
    /// Whether something given is true: no test of a place at all.
    Given(usize),
}

/// The values of the environment, shared until one of them changes.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Env(pub(super) Rc<Vec<Option<Value>>>);

/// Variables of the environment with other values than before; nothing where such a value is not known.
pub(in crate::opt) type Changes = Vec<(EnvId, Option<Value>)>;

/// What is known of places where something runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::opt) struct Places {
    pub(super) empty: Rc<SortedSet<u32>>,
    pub(super) taken: Rc<SortedSet<u32>>,
}

/// How many they are, and the last of them, tell most of them apart.
impl Hash for Places {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for places in [&self.empty, &self.taken] {
            if let Some(last) = places.last() {
                (places.len(), *last).hash(state);
            }
        }
    }
}

impl Env {
    pub(super) fn set(&mut self, var: EnvId, value: Value) {
        Rc::make_mut(&mut self.0)[var.index()] = Some(value);
    }

    /// Whether something is not known that was known before.
    pub(super) fn lost(&self, before: &Env) -> bool {
        !Rc::ptr_eq(&self.0, &before.0)
            && self
                .0
                .iter()
                .zip(before.0.iter())
                .any(|(now, before)| now.is_none() && before.is_some())
    }

    /// Both, where what has two values is put together; what cannot be is not known.
    pub(super) fn joined(
        self,
        other: &Env,
        either: &mut impl FnMut(EnvId, &Value, &Value) -> Option<Value>,
    ) -> Env {
        if self == *other {
            return self;
        }
        let pairs = self.0.iter().zip(other.0.iter());
        let both = (0..)
            .zip(pairs)
            .map(|(var, (one, other))| match (one, other) {
                (Some(one), Some(other)) if one == other => Some(one.clone()),
                (Some(one), Some(other)) => either(EnvId::from(var), one, other),
                _ => None,
            });
        Env(Rc::new(both.collect()))
    }
}

impl Explorer<'_> {
    /// One of two results.
    pub(super) fn either(&mut self, cond: &Formula, yes: &Value, no: &Value) -> Option<Value> {
        if yes == no {
            return Some(yes.clone());
        }
        if let (Some(yes), Some(no)) = (self.formula(yes), self.formula(no)) {
            let single = self.single(cond, &yes, &no);
            let chosen = single.or_else(|| Formula::select(cond, &yes, &no));
            return chosen.map(truth);
        }
        if let Some(sum) = self.sum_of_either(cond, yes, no) {
            return Some(sum);
        }
        let (yes, no) = (self.each(yes)?, self.each(no)?);
        self.one_of(cond, &yes, &no)
    }

    /// A truth value as a sum of products of tests.
    pub(super) fn formula(&mut self, value: &Value) -> Option<Formula> {
        match value {
            Value::Const(Const::Bool(value)) => Some(Formula::constant(*value)),
            Value::Test(formula) => Some(formula.clone()),
            Value::Given(given) if self.given[*given].ty == Type::Bool => {
                Some(self.test(Plane::Given(*given), 0))
            }
            Value::Of(place, function) => {
                let image = self.images[*function];
                if !image.is_truth {
                    return None;
                }
                match (image.holds, image.fails) {
                    (true, false) => Some(Formula::constant(true)),
                    (false, _) => Some(Formula::constant(false)),
                    _ => Some(self.test(Plane::Is(*function), *place)),
                }
            }
            _ => None,
        }
    }

    pub(super) fn test(&mut self, plane: Plane, place: u32) -> Formula {
        // Planes of the place that was last looked at are asked about again and again.
        let known = self.planes.iter().rposition(|other| *other == plane);
        let number = known.unwrap_or_else(|| {
            self.planes.push(plane);
            self.planes.len() - 1
        });
        Formula::test(number as u32 * self.places() + place)
    }

    /// What is known of places where a test gives this.
    pub(super) fn known_by(&self, cond: &Value, given: bool, known: &Places) -> Places {
        let mut known = known.clone();
        let Value::Of(place, function) = cond else {
            return known;
        };
        let image = &self.images[*function];
        let empty = image.empty == Some(given);
        if empty && !image.of_pieces[usize::from(given)] {
            Rc::make_mut(&mut known.empty).insert(*place);
        }
        // Lines are compared with sets that know of empty places by themselves.
        if self.shapes.is_some() && !empty && !known.taken.contains(place) {
            Rc::make_mut(&mut known.taken).insert(*place);
        }
        known
    }

    /// The same with a place on which something stands; nothing where that is known, or does not follow.
    pub(super) fn taken_by(&self, cond: &Value, given: bool, known: &Places) -> Option<Places> {
        let Value::Of(place, function) = cond else {
            return None;
        };
        let stands = self.images[*function].empty == Some(!given) && !known.taken.contains(place);
        stands.then(|| {
            let mut known = known.clone();
            Rc::make_mut(&mut known.taken).insert(*place);
            known
        })
    }

    /// A value as a function of the content of a place.
    pub(super) fn on(&self, place: u32, value: &Value) -> Option<On> {
        match value {
            Value::Const(value) => Some(On::Const(value.clone())),
            Value::Of(other, function) if *other == place => Some(On::Function(*function)),
            _ => None,
        }
    }

    /// The number of a function of contents, made once for a node and its operands.
    pub(super) fn made(
        &mut self,
        key: Operands<'_, Value>,
        ty: &Type,
        make: impl FnOnce(&mut Self) -> Option<OfContent>,
    ) -> Option<usize> {
        if let Some(known) = self.applied.get(&key) {
            return *known;
        }
        let made = make(self).map(|values| self.numbered(values, ty.clone()));
        self.applied.insert(key.key(), made);
        made
    }

    /// The number of a function with these values.
    pub(super) fn numbered(&mut self, values: OfContent, ty: Type) -> usize {
        let function = (values, ty);
        let known = self.functions.iter().position(|other| *other == function);
        known.unwrap_or_else(|| {
            self.images.push(Image::of(&function.0));
            self.functions.push(function);
            self.functions.len() - 1
        })
    }

    pub(super) fn is_total(&self, function: usize) -> bool {
        self.images[function].is_total
    }
}

/// A function of the content of a place that is known.
pub(super) enum On {
    Const(Const),
    Function(usize),
}

impl On {
    pub(super) fn at(&self, explorer: &Explorer, at: usize) -> Option<Const> {
        match self {
            On::Const(value) => Some(value.clone()),
            On::Function(function) => explorer.functions[*function].0[at].clone(),
        }
    }
}

pub(super) fn truth(formula: Formula) -> Value {
    match formula.as_constant() {
        Some(value) => Value::Const(Const::Bool(value)),
        None => Value::Test(formula),
    }
}
