//! The random numbers of Java's `java.util.Random`, on which seeded boards depend.

/// A generator that gives the numbers of `java.util.Random` with the same seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// The generator of a seed.
    #[inline]
    pub const fn new(seed: i64) -> Self {
        Self {
            state: (seed as u64 ^ MULTIPLIER) & MASK,
        }
    }

    /// The next 31 bits.
    #[inline(always)]
    fn next31(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(11) & MASK;
        (self.state >> 17) as u32
    }

    /// A number below `n`, which is at least 1 and below 2^31.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let bits = self.next31();
        if n.is_power_of_two() {
            return ((u64::from(n) * u64::from(bits)) >> 31) as u32;
        }
        let mut bits = bits;
        loop {
            let value = bits % n;
            // The last part of the range is too short to be fair.
            if bits - value + (n - 1) < 1 << 31 {
                return value;
            }
            bits = self.next31();
        }
    }

    /// A number of a closed range; nothing is drawn where there is only one.
    #[inline]
    pub fn range(&mut self, (a, b): (u32, u32)) -> u32 {
        match b > a {
            true => a + self.below(b - a + 1),
            false => a,
        }
    }

    /// So many different numbers below `n`, in the order in which they are drawn.
    #[inline]
    pub fn subset<'a>(&mut self, n: usize, m: usize, out: &'a mut [u8; 64]) -> &'a mut [u8] {
        let mut list = [0_u8; 64];
        let n = n.min(64);
        for (index, item) in list.iter_mut().enumerate() {
            *item = index as u8;
        }
        let m = m.min(n);
        for (drawn, place) in out.iter_mut().enumerate().take(m) {
            let left = n - drawn;
            let index = self.below(left as u32) as usize % 64;
            *place = list[index];
            list.copy_within(index + 1..left.max(index + 1).min(64), index);
        }
        &mut out[..m]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by the original class.
    #[test]
    fn numbers_are_those_of_java() {
        let mut random = JavaRandom::new(42);
        let drawn: Vec<u32> = (0..6).map(|_| random.below(10)).collect();
        assert_eq!(drawn, [0, 3, 8, 4, 0, 5]);
        let mut random = JavaRandom::new(0);
        assert_eq!(random.below(100), 60);
    }
}
