//! Subsets of a given size, and their ranks in the combinatorial number system.

use crate::BitSet;

/// Binomial coefficient `n` over `k`; saturates.
pub const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let k = if k > n - k { n - k } else { k };
    let mut value: u128 = 1;
    let mut i = 0;
    while i < k {
        value = value * (n - i) as u128 / (i + 1) as u128;
        if value > u64::MAX as u128 {
            return u64::MAX;
        }
        i += 1;
    }
    value as u64
}

/// Number of subsets of `n` things with at most `most` members; saturates.
pub const fn subset_count(n: u64, most: u64) -> u64 {
    let mut total: u64 = 0;
    let mut k = 0;
    while k <= most && k <= n {
        total = total.saturating_add(choose(n, k));
        k += 1;
    }
    total
}

/// The number of a subset of `0..n` among all subsets, smaller ones first, those of one size in the
/// order of their ranks: the sum of `choose(member, place from 1)` over the members in ascending
/// order.
pub fn rank<const N: usize>(set: &BitSet<N>, n: usize) -> u64 {
    let size = u64::from(set.count());
    let below = if size == 0 {
        0
    } else {
        subset_count(n as u64, size - 1)
    };
    set.iter().zip(1u64..).fold(below, |sum, (member, place)| {
        sum.saturating_add(choose(member as u64, place))
    })
}

/// The subset of `0..n` with a rank; empty where there is none.
pub fn unrank<const N: usize>(rank: u64, n: usize) -> BitSet<N> {
    let mut rest = rank;
    let mut size = 0;
    while size <= n as u64 && rest >= choose(n as u64, size) {
        rest -= choose(n as u64, size);
        size += 1;
    }
    let mut set = BitSet::EMPTY;
    let mut member = n as u64;
    while size > 0 && size <= n as u64 && member > 0 {
        member -= 1;
        let part = choose(member, size);
        if part <= rest {
            rest -= part;
            set.set(member as usize);
            size -= 1;
        }
    }
    set
}

/// The subsets of a set that have a given size, in the order of their ranks.
#[derive(Clone, Debug)]
pub struct Subsets<const N: usize> {
    of: BitSet<N>,
    next: Option<BitSet<N>>,
}

impl<const N: usize> Subsets<N> {
    /// The subsets of `of` with `size` members; none where it has fewer or the size is negative.
    pub fn new(of: BitSet<N>, size: i64) -> Self {
        let fits = (0..=i64::from(of.count())).contains(&size);
        let first = of.iter().take(usize::try_from(size).unwrap_or(0)).collect();
        Self {
            of,
            next: fits.then_some(first),
        }
    }

    /// The subset that follows: the least chosen member whose follower in the set is not chosen moves on to it,
    /// and the chosen ones below it go back to the start.
    fn after(&self, set: BitSet<N>) -> Option<BitSet<N>> {
        let mut chosen = 0;
        let mut members = self.of.iter().peekable();
        while let Some(member) = members.next() {
            if !set.contains(member) {
                continue;
            }
            let follower = *members.peek()?;
            if set.contains(follower) {
                chosen += 1;
                continue;
            }
            let mut moved = set - BitSet::below(member + 1);
            moved.set(follower);
            let low: BitSet<N> = self.of.iter().take(chosen).collect();
            return Some(moved | low);
        }
        None
    }
}

impl<const N: usize> Iterator for Subsets<N> {
    type Item = BitSet<N>;

    fn next(&mut self) -> Option<BitSet<N>> {
        let set = self.next?;
        self.next = self.after(set);
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_in_the_order_of_their_ranks() {
        for n in 0..7usize {
            let all = BitSet::<1>::below(n);
            let mut number = 0;
            for size in 0..=n as i64 {
                let subsets: Vec<_> = Subsets::new(all, size).collect();
                assert_eq!(subsets.len() as u64, choose(n as u64, size as u64));
                for set in subsets {
                    assert_eq!(i64::from(set.count()), size);
                    assert_eq!(rank(&set, n), number);
                    assert_eq!(unrank::<1>(number, n), set);
                    number += 1;
                }
            }
            assert_eq!(subset_count(n as u64, 99), number);
            assert_eq!(Subsets::new(all, -1).count(), 0);
            assert_eq!(Subsets::new(all, n as i64 + 1).count(), 0);
        }
    }

    #[test]
    fn subsets_of_scattered_members() {
        let of: BitSet<2> = [3usize, 70, 100].into_iter().collect();
        let pairs: Vec<Vec<usize>> = Subsets::new(of, 2).map(|s| s.iter().collect()).collect();
        assert_eq!(pairs, [vec![3, 70], vec![3, 100], vec![70, 100]]);
    }

    #[test]
    fn large_numbers_saturate() {
        assert_eq!(choose(60, 30), 118_264_581_564_861_424);
        assert_eq!(choose(1000, 500), u64::MAX);
        assert_eq!(subset_count(64, 64), u64::MAX);
        assert_eq!(unrank::<1>(u64::MAX, 3), BitSet::EMPTY);
    }
}
