//! Maps and sets that keep the order of insertion, with a hash that takes few instructions.
//!
//! What stands in them is made by the compiler, a bounded number of small things: nobody outside chooses keys that collide.

use std::hash::{Hash, Hasher};

use foldhash::fast::FixedState;
use indexmap::Equivalent;

/// A map in the order of insertion.
pub(crate) type IndexMap<K, V> = indexmap::IndexMap<K, V, FixedState>;
/// A set in the order of insertion.
pub(crate) type IndexSet<T> = indexmap::IndexSet<T, FixedState>;

/// A value that may follow from what stands on a place.
pub(crate) trait OfPlace: Clone + PartialEq + Hash {
    /// The function (by number) of what stands on a place that it is, if it is one.
    fn of_place(&self) -> Option<usize>;

    /// Whether both are the same but for the place.
    fn is_like(&self, other: &Self) -> bool {
        match (self.of_place(), other.of_place()) {
            (Some(own), Some(other)) => own == other,
            _ => self == other,
        }
    }

    /// As [`Hash::hash`], whatever the place is.
    fn hash_anywhere<H: Hasher>(&self, state: &mut H) {
        match self.of_place() {
            Some(function) => function.hash(state),
            None => self.hash(state),
        }
    }
}

/// A node of the rules, by its address, with operands whose places make no difference: a key for what it comes to.
pub(crate) struct Operation<V> {
    node: usize,
    operands: Vec<V>,
}

/// The same to be looked up, without a copy of the operands.
pub(crate) struct Operands<'v, V>(pub(crate) usize, pub(crate) &'v [V]);

impl<V: OfPlace> Operands<'_, V> {
    pub(crate) fn key(&self) -> Operation<V> {
        Operation {
            node: self.0,
            operands: self.1.to_vec(),
        }
    }
}

impl<V: OfPlace> Hash for Operands<'_, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
        self.1.iter().for_each(|value| value.hash_anywhere(state));
    }
}

impl<V: OfPlace> Hash for Operation<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Operands(self.node, &self.operands).hash(state);
    }
}

impl<V: OfPlace> Equivalent<Operation<V>> for Operands<'_, V> {
    fn equivalent(&self, key: &Operation<V>) -> bool {
        let pairs = || self.1.iter().zip(&key.operands);
        self.0 == key.node
            && self.1.len() == key.operands.len()
            && pairs().all(|(own, other)| own.is_like(other))
    }
}

impl<V: OfPlace> PartialEq for Operation<V> {
    fn eq(&self, other: &Self) -> bool {
        Operands(self.node, &self.operands).equivalent(other)
    }
}

impl<V: OfPlace> Eq for Operation<V> {}
