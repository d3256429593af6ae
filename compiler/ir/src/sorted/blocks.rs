//! The blocks of a map: most maps have one, which needs no list around it.

use std::ops::{Deref, DerefMut};
use std::slice;

/// Sorted entries of bounded number.
pub(super) type Block<K, V> = Vec<(K, V)>;

/// Blocks in order; none is empty.
#[derive(Clone)]
pub(super) enum Blocks<K, V> {
    /// The only one; there is none where it is empty.
    One(Block<K, V>),
    /// Several, or what is left of them.
    List(Vec<Block<K, V>>),
}

impl<K, V> Blocks<K, V> {
    pub(super) const fn new() -> Self {
        Self::One(Vec::new())
    }

    /// Adds the first entry of all.
    pub(super) fn begin(&mut self, entry: (K, V)) {
        match self {
            Self::One(block) => block.push(entry),
            Self::List(_) => *self = Self::One(vec![entry]),
        }
    }

    /// Puts a block at a place.
    pub(super) fn insert(&mut self, at: usize, block: Block<K, V>) {
        if let Self::One(first) = self {
            *self = Self::List(vec![std::mem::take(first)]);
        }
        if let Self::List(all) = self {
            all.insert(at, block);
        }
    }

    /// Forgets blocks that have become empty.
    pub(super) fn tidy(&mut self) {
        if let Self::List(all) = self {
            all.retain(|block| !block.is_empty());
        }
    }

    /// The first block, and the others.
    pub(super) fn apart(self) -> (Block<K, V>, Vec<Block<K, V>>) {
        match self {
            Self::One(block) => (block, Vec::new()),
            Self::List(all) => (Vec::new(), all),
        }
    }
}

impl<K, V> Deref for Blocks<K, V> {
    type Target = [Block<K, V>];

    fn deref(&self) -> &[Block<K, V>] {
        match self {
            Self::One(block) if block.is_empty() => &[],
            Self::One(block) => slice::from_ref(block),
            Self::List(all) => all,
        }
    }
}

impl<K, V> DerefMut for Blocks<K, V> {
    fn deref_mut(&mut self) -> &mut [Block<K, V>] {
        match self {
            Self::One(block) if block.is_empty() => &mut [],
            Self::One(block) => slice::from_mut(block),
            Self::List(all) => all,
        }
    }
}
