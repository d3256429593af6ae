//! How many of very many things are different, in bounded memory.

use std::collections::BTreeMap;

/// Counts things by 64-bit keys and says what share of them are repetitions.
///
/// All keys below a bound are kept; the bound is halved when they become too many (adaptive sampling: Flajolet, "On adaptive
/// sampling", Computing 43, 1990). Exact up to [`Sketch::KEPT`] different keys, an estimate beyond. The result does not depend on
/// the order of the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// Keys with a one above their lowest `64 - halvings` bits are left out.
    halvings: u32,
    counts: BTreeMap<u64, u64>,
}

impl Sketch {
    /// Different keys that are kept at most.
    pub const KEPT: usize = 1 << 16;

    /// Counts one thing.
    pub fn add(&mut self, key: u64) {
        if self.is_below(key) {
            *self.counts.entry(key).or_insert(0) += 1;
            self.shrink();
        }
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Self) {
        self.halvings = self.halvings.max(other.halvings);
        for (key, n) in &other.counts {
            *self.counts.entry(*key).or_insert(0) += n;
        }
        let halvings = self.halvings;
        self.counts.retain(|key, _| below(*key, halvings));
        self.shrink();
    }

    fn is_below(&self, key: u64) -> bool {
        below(key, self.halvings)
    }

    fn shrink(&mut self) {
        while self.counts.len() > Self::KEPT {
            self.halvings += 1;
            let halvings = self.halvings;
            self.counts.retain(|key, _| below(*key, halvings));
        }
    }

    /// The share of things that are repetitions of an earlier one, from 0 to 1.
    pub fn repeated(&self) -> f64 {
        let total: u64 = self.counts.values().sum();
        match total {
            0 => 0.0,
            total => 1.0 - self.counts.len() as f64 / total as f64,
        }
    }

    /// Whether every key is kept, so that the share is exact.
    pub fn is_exact(&self) -> bool {
        self.halvings == 0
    }
}

fn below(key: u64, halvings: u32) -> bool {
    key.checked_shr(64 - halvings).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use rulec_core::Rng;

    use super::*;

    #[test]
    fn repetitions_are_counted_in_any_order() {
        let mut sketch = Sketch::default();
        [7, 7, 9, 7].into_iter().for_each(|key| sketch.add(key));
        assert_eq!((sketch.repeated(), sketch.is_exact()), (0.5, true));
    }

    #[test]
    fn many_keys_are_sampled() {
        let mut rng = Rng::new(1, 0);
        let keys: Vec<u64> = (0..300_000).map(|_| rng.u64()).collect();
        let mut forth = Sketch::default();
        let (mut first, mut second) = (Sketch::default(), Sketch::default());
        for key in &keys {
            forth.add(*key);
            forth.add(*key);
        }
        for key in keys.iter().rev() {
            first.add(*key);
            second.add(*key);
        }
        first.merge(&second);
        assert_eq!(forth, first);
        assert!(!forth.is_exact() && forth.counts.len() <= Sketch::KEPT);
        assert_eq!(forth.repeated(), 0.5);
    }
}
