//! Boards that are drawn while the rules are compiled: where there are too many pieces to declare all, those of so many boards
//! are. The draws are those of the original server (`java.util.Random`), in its order.

use super::composite::Composite;

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

/// A generator of boards.
pub(super) struct Draw {
    state: u64,
}

impl Draw {
    pub(super) fn new(seed: i64) -> Draw {
        Draw {
            state: (seed as u64 ^ MULTIPLIER) & MASK,
        }
    }

    fn next31(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(11) & MASK;
        (self.state >> 17) as u32
    }

    /// A number below `n`, which is between 1 and 2^31.
    fn below(&mut self, n: u32) -> u32 {
        if n.is_power_of_two() {
            return ((u64::from(n) * u64::from(self.next31())) >> 31) as u32;
        }
        loop {
            let bits = self.next31();
            let value = bits % n;
            // The last part of the range is too short to be fair.
            if u64::from(bits - value) + u64::from(n) <= 1 << 31 {
                return value;
            }
        }
    }

    /// A number of a closed range; nothing is drawn where there is only one.
    pub(super) fn range(&mut self, (a, b): (u32, u32)) -> u32 {
        match b > a {
            true => a + self.below(b - a + 1),
            false => a,
        }
    }

    /// Places of so many pieces, ascending: different ones unless pieces may share a place.
    pub(super) fn places(&mut self, all: u32, count: u32, crowded: bool) -> Vec<u32> {
        let mut free: Vec<u32> = (0..all).collect();
        let mut place = || match crowded {
            true => self.below(all),
            false => free.remove(self.below(free.len() as u32) as usize),
        };
        let mut places: Vec<u32> = (0..count.min(all)).map(|_| place()).collect();
        places.sort_unstable();
        places
    }

    /// A member of one of the families, all of which are as likely.
    pub(super) fn member(&mut self, families: &[Composite]) -> Composite {
        let drawn = self.below(families.len().max(1) as u32) as usize;
        let family = &families[drawn % families.len()];
        let draws: Vec<u32> = family.draws().iter().map(|&n| self.below(n)).collect();
        family.member(&draws)
    }
}
