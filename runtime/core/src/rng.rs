//! Random numbers.
//!
//! # Stability
//! The numbers of a given seed and stream are part of the contract of this crate: recorded games
//! and published statistics refer to them. A change of any of them is a breaking change, and the
//! golden tests below hold them.

/// A small, fast random number generator that is keyed by a run seed and a stream number.
///
/// Every game of a run has a stream of its own, so its numbers depend neither on the number of threads
/// nor on what other games did. The state is a counter: a draw adds a constant and mixes the
/// sum with one wide multiplication (the function known as wyrand).
/// It is meant for games and search, not for secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    counter: u64,
}

const STEP: u64 = 0xa076_1d64_78bd_642f;
const FOLD: u64 = 0xe703_7ed1_a0b4_28db;

impl Rng {
    /// The generator of one stream of a run. Streams of one run never start at the same point.
    #[inline]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self {
            counter: scramble(scramble(seed).wrapping_add(stream)),
        }
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub const fn u64(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(STEP);
        fold(self.counter, self.counter ^ FOLD)
    }

    /// The next 32 random bits.
    #[inline(always)]
    pub const fn u32(&mut self) -> u32 {
        (self.u64() >> 32) as u32
    }

    /// A number below `n`, each with exactly the same chance; 0 when `n` is 0.
    #[inline(always)]
    pub const fn below(&mut self, n: u32) -> u32 {
        self.below64(n as u64) as u32
    }

    /// A number below `n`, each with exactly the same chance; 0 when `n` is 0.
    #[inline(always)]
    pub const fn below64(&mut self, n: u64) -> u64 {
        self.draw(n).number()
    }

    /// [`Rng::below64`], which also tells the digits of the number.
    #[inline(always)]
    pub const fn draw(&mut self, n: u64) -> Draw {
        let bits = self.u64();
        let product = bits as u128 * n as u128;
        if (product as u64) < n {
            // By value, so that loops can keep the generator in a register.
            let (drawn, after) = Self {
                counter: self.counter,
            }
            .redraw(bits, n);
            *self = after;
            return drawn;
        }
        Draw { bits, bound: n }
    }

    /// The rare second half of [`Rng::draw`]: draws again while the low half lies in the part
    /// that would favour some numbers.
    #[cold]
    const fn redraw(mut self, mut bits: u64, n: u64) -> (Draw, Self) {
        let favoured = n.wrapping_neg() % n;
        while bits.wrapping_mul(n) < favoured {
            bits = self.u64();
        }
        (Draw { bits, bound: n }, self)
    }

    /// A number from 0 inclusive to 1 exclusive, a multiple of 2^-53.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        (self.u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A number drawn below a bound, each with exactly the same chance.
///
/// It is the upper half of the product of random bits and the bound.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    bits: u64,
    bound: u64,
}

impl Draw {
    /// The number.
    #[inline(always)]
    pub const fn number(self) -> u64 {
        ((self.bits as u128 * self.bound as u128) >> 64) as u64
    }

    /// The digits of the number, the most significant first, if the product of their bases is the bound.
    ///
    /// Nothing is divided: the upper half of bits times the first base is the first digit, and the lower half is to the other
    /// digits what the bits are to all.
    #[inline(always)]
    pub const fn digits<const N: usize>(self, bases: [u64; N]) -> [u64; N] {
        let (mut digits, mut bits, mut place) = ([0; N], self.bits, 0);
        while place < N {
            let product = bits as u128 * bases[place] as u128;
            digits[place] = (product >> 64) as u64;
            bits = product as u64;
            place += 1;
        }
        digits
    }
}

/// The halves of the wide product, combined.
#[inline(always)]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// A one-to-one mixing of 64 bits (the finisher of splitmix64).
pub(crate) const fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_golden() {
        let mut rng = Rng::new(1, 0);
        let words: Vec<u64> = (0..3).map(|_| rng.u64()).collect();
        let golden = [
            1_283_746_485_851_235_055,
            11_185_264_383_330_639_522,
            18_321_445_549_111_230_670,
        ];
        assert_eq!(words, golden);
        let mut rng = Rng::new(1, 1);
        let dice: Vec<u32> = (0..12).map(|_| rng.below(6) + 1).collect();
        assert_eq!(dice, [2, 1, 3, 5, 5, 6, 2, 5, 5, 4, 4, 4]);
    }

    #[test]
    fn below_is_in_range_and_even() {
        let mut rng = Rng::new(7, 3);
        let mut hits = [0u32; 7];
        for _ in 0..70_000 {
            hits[rng.below(7) as usize] += 1;
        }
        assert!(hits.iter().all(|n| (9_600..10_400).contains(n)), "{hits:?}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
        assert!((0..1000).all(|_| rng.below64(u64::MAX) < u64::MAX));
    }

    #[test]
    fn digits_are_those_of_the_number() {
        let mut rng = Rng::new(11, 0);
        for _ in 0..10_000 {
            let bases = [
                u64::from(rng.below(40)) + 1,
                1 << rng.below(20),
                rng.u64() >> 32 | 1,
            ];
            let draw = rng.draw(bases.iter().product());
            let digits = draw.digits(bases);
            let number = bases
                .iter()
                .zip(digits)
                .fold(0, |sum, (base, digit)| sum * base + digit);
            assert_eq!(number, draw.number());
        }
        assert_eq!(rng.draw(0).digits([0, 5]), [0, 0]);
    }

    #[test]
    fn rejection_leaves_no_favoured_number() {
        let n = (1u64 << 63) + 1;
        let mut rng = Rng::new(5, 0);
        let low = (0..20_000).filter(|_| rng.below64(n) < n / 2).count();
        assert!((9_700..10_300).contains(&low), "{low}");
    }
}
