//! Sequences with room for a fixed number of items.

/// A sequence of at most `N` items, stored in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq<T, const N: usize> {
    len: u32,
    /// Items from `len` on are all the default, so that equality is that of the items.
    items: [T; N],
}

impl<T: Copy + Default + PartialEq, const N: usize> Seq<T, N> {
    /// The sequence without items.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            len: 0,
            items: [T::default(); N],
        }
    }

    /// The sequence of these items; those beyond `N` are left out.
    #[inline]
    pub fn of(items: &[T]) -> Self {
        let mut seq = Self::new();
        for &item in items {
            seq.push(item);
        }
        seq
    }

    /// Number of items.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no item.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an item. False, and nothing changes, where there is no room.
    #[inline(always)]
    pub fn push(&mut self, item: T) -> bool {
        match self.items.get_mut(self.len as usize) {
            Some(slot) => {
                *slot = item;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The item at a position from 0.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<T> {
        self.as_slice().get(index).copied()
    }

    /// The items.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.items.get(..self.len as usize).unwrap_or(&self.items)
    }

    /// The items in order.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T, N> {
        self.items.into_iter().take(self.len as usize)
    }

    /// Whether an item is among them.
    #[inline]
    pub fn contains(&self, item: T) -> bool {
        self.as_slice().contains(&item)
    }

    /// The same items in a sequence with other room, and whether all of them found room.
    #[inline]
    pub fn fit<const M: usize>(&self) -> (Seq<T, M>, bool) {
        (Seq::of(self.as_slice()), self.len() <= M)
    }

    /// These items and then those of another.
    #[inline]
    pub fn concat<const A: usize, const M: usize>(&self, other: &Seq<T, A>) -> Seq<T, M> {
        let mut seq: Seq<T, M> = Seq::of(self.as_slice());
        for &item in other.as_slice() {
            seq.push(item);
        }
        seq
    }

    /// The items that are in the other sequence, or those that are not.
    #[inline]
    pub fn select<const A: usize>(&self, other: &Seq<T, A>, present: bool) -> Self {
        let mut seq = Self::new();
        for &item in self.as_slice() {
            if other.contains(item) == present {
                seq.push(item);
            }
        }
        seq
    }

    /// Whether every item is in the other sequence.
    #[inline]
    pub fn is_subset<const A: usize>(&self, other: &Seq<T, A>) -> bool {
        self.as_slice().iter().all(|&item| other.contains(item))
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> Default for Seq<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_keep_order_and_duplicates() {
        let a: Seq<u8, 4> = Seq::of(&[3, 1, 3]);
        let b: Seq<u8, 2> = Seq::of(&[3, 9]);
        assert_eq!(a.as_slice(), [3, 1, 3]);
        assert_eq!((a.get(1), a.get(3), a.len()), (Some(1), None, 3));
        assert_eq!(a.concat::<2, 6>(&b).as_slice(), [3, 1, 3, 3, 9]);
        assert_eq!(a.select(&b, true).as_slice(), [3, 3]);
        assert_eq!(a.select(&b, false).as_slice(), [1]);
        assert!(!a.is_subset(&b) && b.select(&a, true).is_subset(&a));
        assert_eq!(a.fit::<2>().0.as_slice(), [3, 1]);
        assert!(!a.fit::<2>().1 && a.fit::<3>().1);
    }

    #[test]
    fn full_sequences_refuse_more() {
        let mut seq: Seq<bool, 1> = Seq::default();
        assert!(seq.is_empty() && seq.push(true) && !seq.push(false));
        assert_eq!(seq.iter().collect::<Vec<_>>(), [true]);
        let mut nothing: Seq<bool, 0> = Seq::new();
        assert!(!nothing.push(true) && nothing.is_empty());
    }
}
