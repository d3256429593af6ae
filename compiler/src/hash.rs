//! Maps and sets that keep the order of insertion, with a hash that takes few instructions.
//!
//! What stands in them is made by the compiler, a bounded number of small things: nobody outside chooses keys that collide.

use foldhash::fast::FixedState;

/// A map in the order of insertion.
pub(crate) type IndexMap<K, V> = indexmap::IndexMap<K, V, FixedState>;
/// A set in the order of insertion.
pub(crate) type IndexSet<T> = indexmap::IndexSet<T, FixedState>;
