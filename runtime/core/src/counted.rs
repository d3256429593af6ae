//! Sets that know how many members each of their words holds.

use std::hint::select_unpredictable;

use crate::bits::{BitSet, Bits, select64_beside};

/// A set of numbers below `64 * N` that is counted while it changes.
///
/// How many members there are, and which is the one with so many below it, is had without counting bits: worth it for sets
/// that change by a member or two between two such questions. Methods that take a member ignore one that
/// is out of range, and one that is there, or not there, already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountedSet<const N: usize> {
    members: BitSet<N>,
    /// For each word the number of its members, all 0 where `count` says it of the only word. Numbers of a whole register: a
    /// shorter one that was just stored may be loaded as part of a longer one, which waits for the store.
    counts: [u32; N],
    count: u32,
}

impl<const N: usize> CountedSet<N> {
    /// The set without members.
    pub const EMPTY: Self = Self::of(BitSet::EMPTY);

    /// A set, counted.
    pub const fn of(members: BitSet<N>) -> Self {
        let (mut counts, mut count, mut word) = ([0; N], 0, 0);
        while word < N {
            let of_word = members.0[word].count_ones();
            if N > 1 {
                counts[word] = of_word;
            }
            count += of_word;
            word += 1;
        }
        Self {
            members,
            counts,
            count,
        }
    }

    /// The members as a plain set.
    #[inline(always)]
    pub const fn members(&self) -> BitSet<N> {
        self.members
    }

    /// Adds a member if `wanted`; costs no branch but that for a member out of range.
    #[inline(always)]
    pub fn set_if(&mut self, member: usize, wanted: bool) {
        let at = member >> 6;
        let (Some(word), Some(count)) = (self.members.0.get_mut(at), self.counts.get_mut(at))
        else {
            return;
        };
        let new = !*word >> (member & 63) & u64::from(wanted);
        *word |= new << (member & 63);
        if N > 1 {
            *count += new as u32;
        }
        self.count += new as u32;
    }

    /// Removes a member if `wanted`; costs no branch but that for a member out of range.
    #[inline(always)]
    pub fn clear_if(&mut self, member: usize, wanted: bool) {
        let at = member >> 6;
        let (Some(word), Some(count)) = (self.members.0.get_mut(at), self.counts.get_mut(at))
        else {
            return;
        };
        let gone = *word >> (member & 63) & u64::from(wanted);
        *word ^= gone << (member & 63);
        if N > 1 {
            *count -= gone as u32;
        }
        self.count -= gone as u32;
    }

    /// Removes a member that is there: how many are left is known before it is known which one goes. Where it is not there, the
    /// set is not counted rightly from then on.
    #[inline(always)]
    pub fn remove(&mut self, member: usize) {
        let at = member >> 6;
        let (Some(word), Some(count)) = (self.members.0.get_mut(at), self.counts.get_mut(at))
        else {
            return;
        };
        *word &= !(1 << (member & 63));
        if N > 1 {
            *count = count.wrapping_sub(1);
        }
        self.count = self.count.wrapping_sub(1);
    }

    /// Number of members.
    #[inline(always)]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Whether there is no member.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The least member.
    #[inline(always)]
    pub fn first(&self) -> Option<usize> {
        self.members.first()
    }

    /// The member with exactly `k` members below it.
    #[inline(always)]
    pub fn nth(&self, k: u32) -> Option<usize> {
        (k < self.count()).then(|| self.select(k))
    }

    /// The member with exactly `k` members below it; some number below `64 * N` where there are not so many.
    #[inline(always)]
    pub fn select(&self, k: u32) -> usize {
        // Which word it is cannot be foreseen: a branch for each would cost more than all sums.
        let (mut sum, mut below, mut place) = (0, 0, 0);
        for count in self.counts.iter().take(N - 1) {
            sum += *count;
            let past = sum <= k;
            place += usize::from(past);
            below = select_unpredictable(past, sum, below);
        }
        place * 64 + select64_beside(self.members.0[place], k - below) as usize
    }

    /// The members, least first.
    #[inline(always)]
    pub fn iter(&self) -> Bits<N> {
        self.members.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn counts_follow_the_members() {
        let mut rng = Rng::new(1, 0);
        let mut set = CountedSet::<4>::of(BitSet::below(200));
        let mut plain = BitSet::<4>::below(200);
        for _ in 0..2000 {
            let (member, wanted) = (rng.below(270) as usize, rng.below(4) > 0);
            if plain.contains(member) && rng.below(2) == 0 {
                set.remove(member);
                plain.clear(member);
            } else if rng.below(2) == 0 {
                set.set_if(member, wanted);
                plain.set_if(member, wanted && member < 256);
            } else {
                set.clear_if(member, wanted);
                plain = match wanted {
                    true => plain - BitSet::EMPTY.with(member),
                    false => plain,
                };
            }
            assert_eq!(set, CountedSet::of(plain));
            assert_eq!(
                (set.count(), set.is_empty()),
                (plain.count(), plain.is_empty())
            );
            let k = rng.below(257);
            assert_eq!(set.nth(k), plain.iter().nth(k as usize));
            assert!(set.nth(k).is_none_or(|member| member == set.select(k)) && set.select(k) < 256);
        }
    }
}
