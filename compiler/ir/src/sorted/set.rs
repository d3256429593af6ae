//! Sets in order.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{BitAnd, BitOr, RangeBounds, Sub};

use super::SortedMap;
use super::iter::{IntoKeys, Keys};

/// A set in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T>(SortedMap<T, ()>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self(SortedMap::new())
    }

    /// How many members there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all members.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The members in order.
    pub fn iter(&self) -> Keys<'_, T, ()> {
        self.0.keys()
    }

    /// The least member.
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The greatest member.
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// Keeps the members of which this is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|member, ()| keep(member));
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether something is a member.
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(member)
    }

    /// Adds a member; whether it is a new one.
    pub fn insert(&mut self, member: T) -> bool {
        self.0.insert(member, ()).is_none()
    }

    /// Takes a member out; whether it was one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(member).is_some()
    }

    /// Takes the least member out.
    pub fn pop_first(&mut self) -> Option<T> {
        self.0.pop_first().map(|(member, ())| member)
    }

    /// Takes the greatest member out.
    pub fn pop_last(&mut self) -> Option<T> {
        self.0.pop_last().map(|(member, ())| member)
    }

    /// The members in a range, in order.
    pub fn range(&self, range: impl RangeBounds<T>) -> Keys<'_, T, ()> {
        Keys(self.0.range(range))
    }

    /// Takes over all members of another set.
    pub fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Whether all members are in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.iter().all(|member| other.contains(member))
    }

    /// Whether all members of another set are in this one.
    pub fn is_superset(&self, other: &Self) -> bool {
        other.is_subset(self)
    }

    /// Whether no member is in another set.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let (few, many) = match self.len() <= other.len() {
            true => (self, other),
            false => (other, self),
        };
        few.iter().all(|member| !many.contains(member))
    }

    /// The members that another set lacks, in order.
    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        self.iter().filter(|member| !other.contains(*member))
    }

    /// The members that another set has too, in order.
    pub fn intersection<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> + Clone {
        self.iter().filter(|member| other.contains(*member))
    }

    /// The members of this set or another one, in order.
    pub fn union<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> {
        let (mut own, mut others) = (self.iter().peekable(), other.iter().peekable());
        std::iter::from_fn(move || match (own.peek(), others.peek()) {
            (Some(a), Some(b)) => match a.cmp(b) {
                Ordering::Less => own.next(),
                Ordering::Greater => others.next(),
                Ordering::Equal => {
                    others.next();
                    own.next()
                }
            },
            (Some(_), None) => own.next(),
            (None, _) => others.next(),
        })
    }

    /// The members of this set or another one but not of both, in order.
    pub fn symmetric_difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> {
        self.union(other)
            .filter(|member| self.contains(*member) != other.contains(*member))
    }
}

impl<T: Ord + Copy> SortedSet<T> {
    /// Adds all members of another set. Most often it has them already, which one walk through both shows.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        if !other.is_empty() {
            self.join_some(other);
        }
    }

    fn join_some(&mut self, other: &Self) {
        if self.is_empty() {
            self.clone_from(other);
            return;
        }
        let mut own = self.iter();
        let mut has = |member: &T| own.find(|own| *own >= member) == Some(member);
        if other.len() > self.len() || !other.iter().all(&mut has) {
            self.extend(other);
        }
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<'m, T: Ord + Copy + 'm> Extend<&'m T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'m T>>(&mut self, members: I) {
        for member in members {
            self.insert(*member);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::new();
        set.extend(members);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(members: [T; N]) -> Self {
        members.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = IntoKeys<T, ()>;

    fn into_iter(self) -> IntoKeys<T, ()> {
        self.0.into_keys()
    }
}

impl<'m, T> IntoIterator for &'m SortedSet<T> {
    type Item = &'m T;
    type IntoIter = Keys<'m, T, ()>;

    fn into_iter(self) -> Keys<'m, T, ()> {
        self.iter()
    }
}

impl<T: Ord + Clone> BitAnd for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn bitand(self, other: Self) -> SortedSet<T> {
        self.intersection(other).cloned().collect()
    }
}

impl<T: Ord + Clone> BitOr for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn bitor(self, other: Self) -> SortedSet<T> {
        self.union(other).cloned().collect()
    }
}

impl<T: Ord + Clone> Sub for &SortedSet<T> {
    type Output = SortedSet<T>;

    fn sub(self, other: Self) -> SortedSet<T> {
        self.difference(other).cloned().collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}
