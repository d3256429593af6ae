//! Sets of small numbers as machine words.

use std::hint::select_unpredictable;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub,
};

use crate::key::KeyHasher;

/// A set of numbers below `64 * N`.
///
/// A plain value: the operators `&`, `|`, `^`, `-` (difference), `!`, `<<` and `>>` work on the whole
/// set as if it were one wide word. Methods that take a member ignore its absence, and treat a
/// number out of range as never contained.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitSet<const N: usize>(pub [u64; N]);

impl<const N: usize> BitSet<N> {
    /// The set without members.
    pub const EMPTY: Self = Self([0; N]);

    /// The numbers below `len`.
    #[inline]
    pub const fn below(len: usize) -> Self {
        let mut words = [0; N];
        let mut i = 0;
        while i < N && i * 64 < len {
            let rest = len - i * 64;
            words[i] = if rest >= 64 { !0 } else { (1 << rest) - 1 };
            i += 1;
        }
        Self(words)
    }

    /// The set of one member.
    #[inline(always)]
    pub const fn single(member: usize) -> Self {
        if N > 2 {
            return Self::EMPTY.with(member);
        }
        // Few words are made without a way through memory.
        let mut words = [0; N];
        let mut i = 0;
        while i < N {
            words[i] = ((member >> 6 == i) as u64) << (member & 63);
            i += 1;
        }
        Self(words)
    }

    /// This set and one more member.
    #[inline(always)]
    #[must_use]
    pub const fn with(mut self, member: usize) -> Self {
        self.set(member);
        self
    }

    /// Adds a member.
    #[inline(always)]
    pub const fn set(&mut self, member: usize) {
        if member < 64 * N {
            self.0[member / 64] |= 1 << (member % 64);
        }
    }

    /// Adds a member if `wanted`, without a branch. `member` must be below `64 * N`: otherwise another number is added.
    #[inline(always)]
    pub const fn set_if(&mut self, member: usize, wanted: bool) {
        self.0[(member >> 6) % N] |= (wanted as u64) << (member & 63);
    }

    /// Removes a member.
    #[inline(always)]
    pub const fn clear(&mut self, member: usize) {
        if member < 64 * N {
            self.0[member / 64] &= !(1 << (member % 64));
        }
    }

    /// Whether `member` is in the set.
    #[inline(always)]
    pub const fn contains(&self, member: usize) -> bool {
        member < 64 * N && self.0[member / 64] >> (member % 64) & 1 == 1
    }

    /// Number of members.
    #[inline(always)]
    pub const fn count(&self) -> u32 {
        let mut count = 0;
        let mut i = 0;
        while i < N {
            count += self.0[i].count_ones();
            i += 1;
        }
        count
    }

    /// Whether there is no member.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether every member is in `other` too.
    #[inline(always)]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The members up to and with the least one that is in `ends` too; all if there is none.
    #[inline(always)]
    #[must_use]
    pub fn up_to(self, ends: Self) -> Self {
        // All bits up to the lowest one of `found` are those in which it and one less differ; all there are if it is empty.
        let mut kept = self;
        let mut borrow = true;
        for i in 0..N {
            let found = self.0[i] & ends.0[i];
            let (less, below) = found.overflowing_sub(u64::from(borrow));
            borrow = below;
            kept.0[i] &= found ^ less;
        }
        kept
    }

    /// The members down to and with the greatest one that is in `ends` too; all if there is none.
    #[inline(always)]
    #[must_use]
    pub fn down_to(self, ends: Self) -> Self {
        let mut kept = self;
        let mut open = !0;
        for i in (0..N).rev() {
            let found = self.0[i] & ends.0[i] & open;
            // Bit 0 keeps all where nothing is found.
            kept.0[i] &= !0 << (63 - (found | 1).leading_zeros()) & open;
            if N > 1 && found != 0 {
                open = 0;
            }
        }
        kept
    }

    /// The members below `64 * M`.
    #[inline(always)]
    #[must_use]
    pub fn first_words<const M: usize>(self) -> BitSet<M> {
        BitSet::each(|i| self.0.get(i).copied().unwrap_or(0))
    }

    /// The members from word `LOW` on, in so many words, as numbers from the first of these on.
    #[inline(always)]
    #[must_use]
    pub fn words_from<const LOW: usize, const M: usize>(self) -> BitSet<M> {
        BitSet::each(|i| self.0.get(LOW + i).copied().unwrap_or(0))
    }

    /// The set of the least member alone; the empty set of the empty one.
    #[inline(always)]
    #[must_use]
    pub fn least(self) -> Self {
        match self.first() {
            Some(member) => Self::single(member),
            None => Self::EMPTY,
        }
    }

    /// The set itself where something holds, else the empty one; without a branch, for what nobody can foresee.
    #[inline(always)]
    pub const fn kept_if(mut self, holds: bool) -> Self {
        let mask = (holds as u64).wrapping_neg();
        let mut at = 0;
        while at < N {
            self.0[at] &= mask;
            at += 1;
        }
        self
    }

    /// Adds the members, each `shift` further, to a set that `words` are; what falls outside of it is left out.
    ///
    /// ```
    /// # use rulec_core::BitSet;
    /// let mut words = [1, 0];
    /// BitSet([1 << 63 | 2]).add_to(&mut words, 3);
    /// assert_eq!(words, [1 | 1 << 4, 1 << 2]);
    /// ```
    #[inline(always)]
    pub fn add_to(&self, words: &mut [u64], shift: i64) {
        let (far, near) = (shift.div_euclid(64), shift.rem_euclid(64) as u32);
        let mut add = |at: i64, part: u64| {
            let word = usize::try_from(at).ok().and_then(|at| words.get_mut(at));
            if let Some(word) = word {
                *word |= part;
            }
        };
        for (at, word) in (far..).zip(self.0) {
            add(at, word << near);
            if near > 0 {
                add(at + 1, word >> (64 - near));
            }
        }
    }

    /// The least member.
    #[inline(always)]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The greatest member.
    #[inline(always)]
    pub fn last(&self) -> Option<usize> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some(word * 64 + 63 - self.0[word].leading_zeros() as usize)
    }

    /// Removes and returns the least member.
    #[inline(always)]
    pub fn take_first(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(word * 64 + bit)
    }

    /// The member with exactly `k` members below it.
    #[inline(always)]
    pub fn nth(&self, k: u32) -> Option<usize> {
        // Which word it is cannot be foreseen, so that a branch for each would cost more than all counts.
        let (mut sum, mut below, mut place) = (0, 0, 0);
        for word in &self.0 {
            sum += word.count_ones();
            let past = sum <= k;
            place += usize::from(past);
            below = select_unpredictable(past, sum, below);
        }
        let word = self.0.get(place)?;
        Some(place * 64 + select64(*word, k - below) as usize)
    }

    /// The member with exactly `k` members below it; some number below `64 * N` where there are not so many.
    #[inline(always)]
    pub fn select(&self, k: u32) -> usize {
        let Some((&(mut word), others)) = self.0.split_first() else {
            return 0;
        };
        let (mut last, mut sum, mut below, mut place) = (word, 0, 0, 0);
        for &next in others {
            sum += last.count_ones();
            let past = sum <= k;
            place += usize::from(past);
            word = select_unpredictable(past, next, word);
            below = select_unpredictable(past, sum, below);
            last = next;
        }
        place * 64 + select64(word, k - below) as usize
    }

    /// The members, least first.
    #[inline(always)]
    pub fn iter(&self) -> Bits<N> {
        Bits(*self)
    }

    /// A key of the set, see [`KeyHasher`].
    #[inline]
    pub fn key(&self) -> u64 {
        self.0
            .iter()
            .fold(KeyHasher::new(), |key, &word| key.word(word))
            .value()
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self::each(|i| f(self.0[i], other.0[i]))
    }

    /// The words by number. `std::array::from_fn` is a call where there are many.
    #[inline(always)]
    fn each(word: impl Fn(usize) -> u64) -> Self {
        let mut words = [0; N];
        for (i, own) in words.iter_mut().enumerate() {
            *own = word(i);
        }
        Self(words)
    }
}

impl<const N: usize> Default for BitSet<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $f:expr) => {
        impl<const N: usize> $trait for BitSet<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $f)
            }
        }

        impl<const N: usize> $assign for BitSet<N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.zip(other, $f);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);

impl<const N: usize> Sub for BitSet<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
}

impl<const N: usize> Not for BitSet<N> {
    type Output = Self;

    /// Every number below `64 * N` that is no member.
    #[inline(always)]
    fn not(self) -> Self {
        Self::each(|i| !self.0[i])
    }
}

impl<const N: usize> Shl<u32> for BitSet<N> {
    type Output = Self;

    /// Every member grows by `by`; those that leave the range are lost.
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        Self::each(|i| {
            let word = |back: usize| i.checked_sub(back).map_or(0, |j| self.0[j]);
            match bits {
                0 => word(words),
                _ => word(words) << bits | word(words + 1) >> (64 - bits),
            }
        })
    }
}

impl<const N: usize> Shr<u32> for BitSet<N> {
    type Output = Self;

    /// Every member shrinks by `by`; those that would be negative are lost.
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        Self::each(|i| {
            let word = |ahead: usize| self.0.get(i + ahead).copied().unwrap_or(0);
            match bits {
                0 => word(words),
                _ => word(words) >> bits | word(words + 1) << (64 - bits),
            }
        })
    }
}

impl<const N: usize> FromIterator<usize> for BitSet<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        members.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<const N: usize> IntoIterator for BitSet<N> {
    type Item = usize;
    type IntoIter = Bits<N>;

    #[inline(always)]
    fn into_iter(self) -> Bits<N> {
        self.iter()
    }
}

/// The members of a [`BitSet`], least first.
#[derive(Clone, Debug)]
pub struct Bits<const N: usize>(BitSet<N>);

impl<const N: usize> Iterator for Bits<N> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.0.take_first()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

/// The members of a set in one word, least first.
#[inline(always)]
pub fn bits64(set: u64) -> Bits<1> {
    Bits(BitSet([set]))
}

/// The members of a set in one double word, least first.
#[inline(always)]
pub fn bits128(set: u128) -> Bits<2> {
    Bits(BitSet([set as u64, (set >> 64) as u64]))
}

const BYTES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// `SELECT8[k][byte]` is the place of bit number `k` of the byte.
static SELECT8: [[u8; 256]; 8] = select8();

const fn select8() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[k][byte] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The member of `set` with exactly `k` members below it.
///
/// Where there are not so many members, the result is some number below 64.
#[inline]
pub fn select64(set: u64, k: u32) -> u32 {
    rulec_cpu::select(set, k).unwrap_or_else(|| select64_anywhere(set, k))
}

/// [`select64`] for any processor; apart from the loops that draw, which need their registers.
#[cold]
#[inline(never)]
fn select64_anywhere(set: u64, k: u32) -> u32 {
    select64_portable(set, k)
}

/// [`select64`] without a call, for loops whose registers are all in use: even one that is never made costs them some.
#[inline(always)]
pub(crate) fn select64_beside(set: u64, k: u32) -> u32 {
    rulec_cpu::select_if_known(set, k).unwrap_or_else(|| select64_portable(set, k))
}

/// [`select64`] by what all processors have.
#[inline(always)]
fn select64_portable(set: u64, k: u32) -> u32 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let counts = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = counts.wrapping_mul(BYTES);
    let rank = u64::from(k & 63);
    let full = (((rank * BYTES) | TOPS) - sums) & TOPS;
    let byte = ((full >> 7).wrapping_mul(BYTES) >> 56) as u32 & 7;
    let shift = byte * 8;
    let within = rank.wrapping_sub(sums << 8 >> shift & 0xff) as usize & 7;
    shift + u32::from(SELECT8[within][(set >> shift & 0xff) as usize])
}

/// The member of `set` with exactly `k` members below it.
///
/// Where there are not so many members, the result is some number below 128.
#[inline]
pub fn select128(set: u128, k: u32) -> u32 {
    let low = set as u64;
    let count = low.count_ones();
    if k < count {
        select64(low, k)
    } else {
        64 + select64((set >> 64) as u64, k - count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn members<const N: usize>(set: BitSet<N>) -> Vec<usize> {
        (0..64 * N).filter(|&m| set.contains(m)).collect()
    }

    #[test]
    fn sets_agree_with_lists_of_members() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..200 {
            let a = BitSet::<3>(std::array::from_fn(|_| rng.u64() & rng.u64()));
            let list = members(a);
            assert_eq!(a.iter().collect::<Vec<_>>(), list);
            assert_eq!(a.count() as usize, list.len());
            assert_eq!(
                (a.first(), a.last()),
                (list.first().copied(), list.last().copied())
            );
            for (k, &member) in list.iter().enumerate() {
                assert_eq!(a.nth(k as u32), Some(member));
                assert_eq!(a.select(k as u32), member);
            }
            assert_eq!(a.nth(list.len() as u32), None);
            assert!(a.select(list.len() as u32) < 192 && a.select(u32::MAX) < 192);
            let ends = BitSet::<3>(std::array::from_fn(|_| rng.u64() & rng.u64() & rng.u64()));
            let both = members(a & ends);
            let kept = |keep: &dyn Fn(usize) -> bool| -> Vec<usize> {
                list.iter().copied().filter(|&m| keep(m)).collect()
            };
            let up = kept(&|m| both.first().is_none_or(|&end| m <= end));
            let down = kept(&|m| both.last().is_none_or(|&end| m >= end));
            assert_eq!(
                (members(a.up_to(ends)), members(a.down_to(ends))),
                (up, down)
            );
            assert_eq!((a.up_to(!a), a.down_to(!a)), (a, a));
            let least: Vec<usize> = list.iter().copied().take(1).collect();
            assert_eq!(members(a.least()), least);
            let low: Vec<usize> = list.iter().copied().filter(|&m| m < 64).collect();
            assert_eq!(members(a.first_words::<1>()), low);
            assert_eq!(members(a.first_words::<4>()), list);
            let high = list
                .iter()
                .filter(|m| (64..128).contains(*m))
                .map(|m| m - 64);
            assert_eq!(members(a.words_from::<1, 1>()), high.collect::<Vec<_>>());
            let by = rng.below(200) as usize;
            let up: Vec<usize> = list.iter().map(|m| m + by).filter(|&m| m < 192).collect();
            let down: Vec<usize> = list.iter().filter_map(|m| m.checked_sub(by)).collect();
            assert_eq!(members(a << by as u32), up);
            assert_eq!(members(a >> by as u32), down);
            assert_eq!(list.iter().copied().collect::<BitSet<3>>(), a);
        }
    }

    #[test]
    fn operators_are_those_of_sets() {
        let a = BitSet::<2>::single(3).with(70);
        let b = BitSet::single(70).with(127);
        assert_eq!(members(a & b), [70]);
        assert_eq!(members(a | b), [3, 70, 127]);
        assert_eq!(members(a ^ b), [3, 127]);
        assert_eq!(members(a - b), [3]);
        assert_eq!((!a).count(), 126);
        assert!((a & b).is_subset(&a) && !a.is_subset(&b));
        assert!(BitSet::<2>::EMPTY.is_empty() && !a.contains(1000));
        assert_eq!(members(BitSet::<2>::below(66)), (0..66).collect::<Vec<_>>());
        assert_eq!(BitSet::<2>::below(1000).count(), 128);
    }

    #[test]
    fn select_finds_every_bit() {
        let mut rng = Rng::new(2, 0);
        for round in 0..400 {
            let set = match round {
                0 => u64::MAX,
                1 => 1 << 63,
                n if n % 2 == 0 => rng.u64(),
                _ => rng.u64() & rng.u64() & rng.u64(),
            };
            for (k, member) in bits64(set).enumerate() {
                assert_eq!(select64(set, k as u32) as usize, member, "{set:x} {k}");
                assert_eq!(select64_anywhere(set, k as u32) as usize, member);
            }
            let wide = u128::from(rng.u64()) << 64 | u128::from(set);
            for (k, member) in bits128(wide).enumerate() {
                assert_eq!(select128(wide, k as u32) as usize, member);
            }
        }
        assert!(select64(0, 0) < 64 && select64(5, 63) < 64 && select128(0, 500) < 128);
    }
}
