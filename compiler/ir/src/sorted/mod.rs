//! Maps and sets in the order of their keys.
//!
//! They are used as those of the standard library, with which they share the order of everything that they tell, and exist for the
//! time that it takes to build the compiler: a hundred kinds of trees are a third of its code without optimisation, and whoever uses
//! the macro builds it so. Entries lie in sorted blocks of bounded length, so a kind of map is little more than a search and an
//! insertion.

mod blocks;
mod iter;
mod set;
#[cfg(feature = "stored")]
mod stored;
#[cfg(test)]
mod tests;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Bound, Index, RangeBounds};

use blocks::Blocks;

pub use iter::{IntoIter, IntoKeys, IntoValues, Iter, IterMut, Keys, Values};
pub use set::SortedSet;

/// Entries of a block at most.
const MOST: usize = 64;

/// A map in the order of its keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// Blocks of entries, in order.
    blocks: Blocks<K, V>,
    len: usize,
}

/// Where an entry is, or would be: its block and its place there.
type Place = (usize, usize);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self {
            blocks: Blocks::new(),
            len: 0,
        }
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.blocks = Blocks::new();
        self.len = 0;
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.blocks, self.len)
    }

    /// The entries in order, with values that can be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut::new(&mut self.blocks)
    }

    /// The keys in order.
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys(self.iter())
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> Values<'_, K, V> {
        Values(self.iter())
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    /// The keys alone.
    pub fn into_keys(self) -> IntoKeys<K, V> {
        IntoKeys(self.into_iter())
    }

    /// The values alone.
    pub fn into_values(self) -> IntoValues<K, V> {
        IntoValues(self.into_iter())
    }

    /// The entry of the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// The entry of the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// Keeps the entries of which this is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let keep: &mut dyn FnMut(&K, &mut V) -> bool = &mut keep;
        for block in self.blocks.iter_mut() {
            block.retain_mut(|(key, value)| keep(key, value));
        }
        self.blocks.tidy();
        self.len = self.blocks.iter().map(Vec::len).sum();
    }

    fn remove_at(&mut self, (block, at): Place) -> (K, V) {
        self.len -= 1;
        let entry = self.blocks[block].remove(at);
        if self.blocks.get(block).is_some_and(Vec::is_empty) {
            self.blocks.tidy();
        }
        entry
    }

    fn insert_at(&mut self, (mut block, mut at): Place, key: K, value: V) -> &mut V {
        self.len += 1;
        if self.blocks.is_empty() {
            self.blocks.begin((key, value));
            return &mut self.blocks[0][0].1;
        }
        if self.blocks[block].len() == MOST {
            // What grows at its end has full blocks.
            let half = if at == MOST { MOST } else { MOST / 2 };
            let behind = self.blocks[block].split_off(half);
            if at > half || half == MOST {
                block += 1;
                at -= half;
                self.blocks.insert(block, behind);
            } else {
                self.blocks.insert(block + 1, behind);
            }
        }
        self.blocks[block].insert(at, (key, value));
        &mut self.blocks[block][at].1
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Where a key is, or where it belongs.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let blocks = &self.blocks[..];
        let Some(entries) = blocks.last() else {
            return Err((0, 0));
        };
        // Most maps are filled in order.
        let (mut low, mut high) = (0, blocks.len());
        if entries.last().is_some_and(|(last, _)| last.borrow() < key) {
            return Err((high - 1, entries.len()));
        }
        // The last block that does not begin behind the key.
        while high - low > 1 {
            let middle = low.midpoint(high);
            match blocks[middle][0].0.borrow() <= key {
                true => low = middle,
                false => high = middle,
            }
        }
        let at = blocks[low].binary_search_by(|(own, _)| own.borrow().cmp(key));
        at.map(|at| (low, at)).map_err(|at| (low, at))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (block, at) = self.find(key).ok()?;
        Some(&self.blocks[block][at].1)
    }

    /// The entry of a key.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (block, at) = self.find(key).ok()?;
        let (key, value) = &self.blocks[block][at];
        Some((key, value))
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (block, at) = self.find(key).ok()?;
        Some(&mut self.blocks[block][at].1)
    }

    /// Whether a key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Gives a key a value; the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((block, at)) => Some(std::mem::replace(&mut self.blocks[block][at].1, value)),
            Err(place) => {
                self.insert_at(place, key, value);
                None
            }
        }
    }

    /// Forgets a key; the value that it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|place| self.remove_at(place).1)
    }

    /// The entry of the least key, which is taken out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (self.len > 0).then(|| self.remove_at((0, 0)))
    }

    /// The entry of the greatest key, which is taken out.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        let block = self.blocks.len().checked_sub(1)?;
        Some(self.remove_at((block, self.blocks[block].len() - 1)))
    }

    /// The entry of a key, to look at it and fill it in with one search.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry {
            place: self.find(&key),
            key,
            map: self,
        }
    }

    /// The entries whose keys lie in a range, in order.
    pub fn range(&self, range: impl RangeBounds<K>) -> Iter<'_, K, V> {
        let place = |found: Result<Place, Place>| found.unwrap_or_else(|place| place);
        let start = match range.start_bound() {
            Bound::Included(key) => place(self.find(key)),
            Bound::Excluded(key) => self
                .find(key)
                .map_or_else(|place| place, |(block, at)| (block, at + 1)),
            Bound::Unbounded => (0, 0),
        };
        let end = match range.end_bound() {
            Bound::Included(key) => self
                .find(key)
                .map_or_else(|place| place, |(block, at)| (block, at + 1)),
            Bound::Excluded(key) => place(self.find(key)),
            Bound::Unbounded => (self.blocks.len(), 0),
        };
        Iter::between(&self.blocks, start, end)
    }

    /// Takes over all entries of another map.
    pub fn append(&mut self, other: &mut Self) {
        self.extend(std::mem::take(other));
    }
}

/// The entry of a key, see [`SortedMap::entry`].
pub struct Entry<'m, K, V> {
    map: &'m mut SortedMap<K, V>,
    key: K,
    place: Result<Place, Place>,
}

impl<'m, K: Ord, V> Entry<'m, K, V> {
    /// The value, this one where there was none.
    pub fn or_insert(self, value: V) -> &'m mut V {
        match self.place {
            Ok((block, at)) => &mut self.map.blocks[block][at].1,
            Err(place) => self.map.insert_at(place, self.key, value),
        }
    }

    /// The value, that of a function where there was none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        match self.place {
            Ok((block, at)) => &mut self.map.blocks[block][at].1,
            Err(place) => self.map.insert_at(place, self.key, value()),
        }
    }

    /// The value, the default one where there was none.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if there is one.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok((block, at)) = self.place {
            change(&mut self.map.blocks[block][at].1);
        }
        self
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        let (first, others) = self.blocks.apart();
        IntoIter::new(first, others, self.len)
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Iter<'m, K, V> {
        self.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut SortedMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = IterMut<'m, K, V>;

    fn into_iter(self) -> IterMut<'m, K, V> {
        self.iter_mut()
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key has a value")
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other)
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<K: Hash, V: Hash> Hash for SortedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
