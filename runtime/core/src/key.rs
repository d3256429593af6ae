//! Keys: 64-bit hashes of states.
//!
//! # Stability
//! The key of a given sequence of words is part of the contract of this crate, held by a golden
//! test: records and tables on disk may hold keys. It is no defence against chosen collisions.

use std::hash::{BuildHasher, Hasher};

use crate::rng::{fold, scramble};

/// Mixes words into a 64-bit key, one wide multiplication a word.
///
/// As a [`Hasher`] it also serves maps inside one process; only the keys made by [`KeyHasher::word`]
/// alone are stable between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHasher(u64);

const SEED: u64 = 0x2d35_8dcc_aa6c_78a5;
const FOLD: u64 = 0x8bb8_4b93_962e_acc9;

impl KeyHasher {
    /// The key of no words.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(SEED)
    }

    /// The key after one more word.
    #[inline(always)]
    #[must_use]
    pub const fn word(self, word: u64) -> Self {
        Self(fold(self.0 ^ word, FOLD).wrapping_add(self.0.rotate_left(23)))
    }

    /// The finished key.
    #[inline(always)]
    pub const fn value(self) -> u64 {
        scramble(self.0)
    }
}

impl Default for KeyHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for KeyHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let word = chunk
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte));
            *self = self.word(word);
        }
        let rest = chunks.remainder();
        let tail = rest
            .iter()
            .rev()
            .fold(rest.len() as u64, |word, &byte| word << 8 | u64::from(byte));
        *self = self.word(tail);
    }

    #[inline(always)]
    fn write_u8(&mut self, word: u8) {
        *self = self.word(u64::from(word));
    }

    #[inline(always)]
    fn write_u16(&mut self, word: u16) {
        *self = self.word(u64::from(word));
    }

    #[inline(always)]
    fn write_u32(&mut self, word: u32) {
        *self = self.word(u64::from(word));
    }

    #[inline(always)]
    fn write_u64(&mut self, word: u64) {
        *self = self.word(word);
    }

    #[inline(always)]
    fn write_usize(&mut self, word: usize) {
        *self = self.word(word as u64);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.value()
    }
}

/// Makes [`KeyHasher`]s for the maps of the standard library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildKeyHasher;

impl BuildHasher for BuildKeyHasher {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_golden() {
        assert_eq!(KeyHasher::new().value(), 851_984_271_357_287_712);
        assert_eq!(
            KeyHasher::new().word(1).word(2).value(),
            8_720_704_083_976_800_903
        );
    }

    #[test]
    fn order_count_and_content_matter() {
        let words = [0u64, 1, 2, SEED, FOLD, 1 << 63, u64::MAX];
        let mut keys = BTreeSet::new();
        keys.insert(KeyHasher::new().value());
        for a in words {
            keys.insert(KeyHasher::new().word(a).value());
            for b in words {
                keys.insert(KeyHasher::new().word(a).word(b).value());
            }
        }
        assert_eq!(keys.len(), 1 + 7 + 49);
    }

    #[test]
    fn byte_strings_with_equal_padding_differ() {
        let key = |bytes: &[u8]| {
            let mut hasher = KeyHasher::new();
            hasher.write(bytes);
            hasher.finish()
        };
        assert_ne!(key(&[]), key(&[0]));
        assert_ne!(key(&[1, 2]), key(&[1, 2, 0]));
        assert_ne!(key(&[0; 8]), key(&[0; 9]));
    }
}
