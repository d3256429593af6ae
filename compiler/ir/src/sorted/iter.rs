//! Ways through maps.

use std::{slice, vec};

/// The entries of a map in order, see [`SortedMap::iter`](super::SortedMap::iter).
pub struct Iter<'m, K, V> {
    blocks: slice::Iter<'m, Vec<(K, V)>>,
    front: slice::Iter<'m, (K, V)>,
    back: slice::Iter<'m, (K, V)>,
    left: usize,
}

impl<'m, K, V> Iter<'m, K, V> {
    pub(super) fn new(blocks: &'m [Vec<(K, V)>], left: usize) -> Self {
        Self {
            blocks: blocks.iter(),
            front: [].iter(),
            back: [].iter(),
            left,
        }
    }

    /// What lies between two places, each a block and a place in it.
    pub(super) fn between(
        blocks: &'m [Vec<(K, V)>],
        start: (usize, usize),
        end: (usize, usize),
    ) -> Self {
        if start >= end {
            return Self::new(&[], 0);
        }
        let last = blocks.get(end.0).map_or(&[][..], |block| &block[..end.1]);
        if start.0 == end.0 {
            let (front, left) = (last[start.1..].iter(), end.1 - start.1);
            return Self {
                front,
                left,
                ..Self::new(&[], 0)
            };
        }
        let first = &blocks[start.0][start.1..];
        let whole = &blocks[start.0 + 1..end.0];
        let within = whole.iter().map(Vec::len).sum::<usize>();
        Self {
            blocks: whole.iter(),
            front: first.iter(),
            back: last.iter(),
            left: first.len() + within + last.len(),
        }
    }
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            front: self.front.clone(),
            back: self.back.clone(),
            left: self.left,
        }
    }
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        loop {
            if let Some((key, value)) = self.front.next() {
                return Some((key, value));
            }
            match self.blocks.next() {
                Some(block) => self.front = block.iter(),
                None => return self.back.next().map(|(key, value)| (key, value)),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        loop {
            if let Some((key, value)) = self.back.next_back() {
                return Some((key, value));
            }
            match self.blocks.next_back() {
                Some(block) => self.back = block.iter(),
                None => return self.front.next_back().map(|(key, value)| (key, value)),
            }
        }
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

/// The entries of a map in order, with values that can be changed, see [`SortedMap::iter_mut`](super::SortedMap::iter_mut).
pub struct IterMut<'m, K, V> {
    blocks: slice::IterMut<'m, Vec<(K, V)>>,
    front: slice::IterMut<'m, (K, V)>,
}

impl<'m, K, V> IterMut<'m, K, V> {
    pub(super) fn new(blocks: &'m mut [Vec<(K, V)>]) -> Self {
        Self {
            blocks: blocks.iter_mut(),
            front: [].iter_mut(),
        }
    }
}

impl<'m, K, V> Iterator for IterMut<'m, K, V> {
    type Item = (&'m K, &'m mut V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.front.next() {
                return Some((key, value));
            }
            self.front = self.blocks.next()?.iter_mut();
        }
    }
}

/// The entries of a map that is no longer needed, in order.
pub struct IntoIter<K, V> {
    blocks: vec::IntoIter<Vec<(K, V)>>,
    front: vec::IntoIter<(K, V)>,
    back: vec::IntoIter<(K, V)>,
    left: usize,
}

impl<K, V> IntoIter<K, V> {
    pub(super) fn new(first: Vec<(K, V)>, others: Vec<Vec<(K, V)>>, left: usize) -> Self {
        Self {
            blocks: others.into_iter(),
            front: first.into_iter(),
            back: Vec::new().into_iter(),
            left,
        }
    }
}

impl<K, V> Iterator for IntoIter<K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        self.left = self.left.checked_sub(1)?;
        loop {
            if let Some(entry) = self.front.next() {
                return Some(entry);
            }
            match self.blocks.next() {
                Some(block) => self.front = block.into_iter(),
                None => return self.back.next(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> DoubleEndedIterator for IntoIter<K, V> {
    fn next_back(&mut self) -> Option<(K, V)> {
        self.left = self.left.checked_sub(1)?;
        loop {
            if let Some(entry) = self.back.next_back() {
                return Some(entry);
            }
            match self.blocks.next_back() {
                Some(block) => self.back = block.into_iter(),
                None => return self.front.next_back(),
            }
        }
    }
}

impl<K, V> ExactSizeIterator for IntoIter<K, V> {}

/// A way through one half of the entries.
macro_rules! half {
    ($(#[$doc:meta])* $name:ident<$($generic:tt),+>($inner:ty) -> $item:ty, $at:tt) => {
        $(#[$doc])*
        pub struct $name<$($generic),+>(pub(super) $inner);

        impl<$($generic),+> Iterator for $name<$($generic),+> {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|entry| entry.$at)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($generic),+> DoubleEndedIterator for $name<$($generic),+> {
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|entry| entry.$at)
            }
        }

        impl<$($generic),+> ExactSizeIterator for $name<$($generic),+> {}
    };
}

half!(
    /// The keys of a map in order.
    Keys<'m, K, V>(Iter<'m, K, V>) -> &'m K, 0
);
half!(
    /// The values of a map in the order of their keys.
    Values<'m, K, V>(Iter<'m, K, V>) -> &'m V, 1
);
half!(
    /// The keys of a map that is no longer needed.
    IntoKeys<K, V>(IntoIter<K, V>) -> K, 0
);
half!(
    /// The values of a map that is no longer needed.
    IntoValues<K, V>(IntoIter<K, V>) -> V, 1
);

impl<K, V> Clone for Keys<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Clone for Values<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
