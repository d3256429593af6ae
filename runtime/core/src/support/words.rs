//! Identities of states as sequences of words.

use crate::{
    KeyHasher,
    rng::{fold, scramble},
};

/// Takes the words of an identity, in an order that depends on nothing but the words before.
pub trait Words {
    /// Takes the next word.
    fn word(&mut self, word: u64);

    /// Takes a word that there may not be, after whether there is one.
    #[inline]
    fn optional(&mut self, word: Option<u64>) {
        self.word(u64::from(word.is_some()));
        self.word(word.unwrap_or(0));
    }

    /// Takes the words of an array of small numbers.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        let (whole, rest) = bytes.as_chunks::<8>();
        for chunk in whole {
            self.word(u64::from_le_bytes(*chunk));
        }
        if !rest.is_empty() {
            let word = rest
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.word(word);
        }
    }

    /// Takes rows whose order does not matter, which are put in order for that.
    #[inline]
    fn bag<const WIDTH: usize>(&mut self, rows: &mut [[u64; WIDTH]]) {
        rows.sort_unstable();
        self.word(rows.len() as u64);
        rows.iter().flatten().for_each(|&word| self.word(word));
    }
}

/// A key of the words.
impl Words for KeyHasher {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        *self = KeyHasher::word(*self, word);
    }
}

/// A key for tables that live as long as a search, which may change between versions: rows whose order does not matter need none,
/// because a sum takes them in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuickKey(KeyHasher);

impl QuickKey {
    /// The key of no words.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(KeyHasher::new())
    }

    /// The finished key.
    #[inline(always)]
    pub const fn value(self) -> u64 {
        self.0.value()
    }
}

impl Words for QuickKey {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.0 = self.0.word(word);
    }

    #[inline(always)]
    fn bag<const WIDTH: usize>(&mut self, rows: &mut [[u64; WIDTH]]) {
        // Odd factors, a different one for each column.
        let mixed = |row: &[u64; WIDTH]| {
            let (mut sum, mut factor) = (0_u64, 0x9e37_79b9_7f4a_7c15_u64);
            for &word in row {
                sum = sum.wrapping_add(word.wrapping_add(1).wrapping_mul(factor));
                factor = factor.wrapping_mul(0xd134_2543_de82_ef95);
            }
            fold(sum, 0x8bb8_4b93_962e_acc9)
        };
        let sum = rows
            .iter()
            .fold(0_u64, |sum, row| sum.wrapping_add(mixed(row)));
        self.word(rows.len() as u64);
        self.word(sum);
    }
}

/// An exact encoding of the words as bytes: seven bits a byte, the last one without the top bit.
pub struct Bytes<'a>(pub &'a mut Vec<u8>);

impl Words for Bytes<'_> {
    fn word(&mut self, word: u64) {
        let mut rest = word;
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// The words themselves, as many as `N`, to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize> {
    len: u32,
    words: [u64; N],
}

impl<const N: usize> Wide<N> {
    /// No words yet.
    pub const fn new() -> Self {
        Self {
            len: 0,
            words: [0; N],
        }
    }
}

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Words for Wide<N> {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        if let Some(slot) = self.words.get_mut(self.len as usize) {
            *slot = word;
            self.len += 1;
        }
    }
}

/// A digest of 128 bits of the words: sums of what each comes to with a number of its place, so that the processor need not wait for one
/// word to take the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    sums: [u64; 2],
    place: u64,
}

impl Digest {
    const FACTORS: [u64; 2] = [0x8bb8_4b93_962e_acc9, 0x2d35_8dcc_aa6c_78a5];

    /// The digest of no words.
    pub const fn new() -> Self {
        Self {
            sums: [0; 2],
            place: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// The finished digest.
    pub const fn value(self) -> u128 {
        let [a, b] = self.sums;
        // How many words there were counts too.
        let (a, b) = (
            scramble(a ^ self.place),
            scramble(b.wrapping_sub(self.place)),
        );
        (a as u128) << 64 | b as u128
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Words for Digest {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        let [a, b] = &mut self.sums;
        *a = a.wrapping_add(fold(word ^ self.place, Self::FACTORS[0]));
        *b = b.wrapping_add(fold(word.wrapping_add(self.place), Self::FACTORS[1]));
        self.place = self.place.wrapping_add(0xd134_2543_de82_ef95);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_have_no_order_but_tell_how_often() {
        let key = |rows: &[[u64; 2]]| {
            let mut out = QuickKey::new();
            out.bag(&mut rows.to_vec());
            out.value()
        };
        let rows = [[0, 1], [1, 0], [2, 2]];
        assert_eq!(key(&rows), key(&[rows[2], rows[0], rows[1]]));
        let others: [&[[u64; 2]]; 5] = [
            &[],
            &[[0, 0]],
            &[[0, 1], [1, 0]],
            &[[0, 1], [0, 1], [2, 2]],
            &[[1, 1], [0, 0], [2, 2]],
        ];
        assert!(others.iter().all(|other| key(other) != key(&rows)));
    }

    #[test]
    fn every_kind_of_words_tells_sequences_apart() {
        let lists: [&[u64]; 5] = [&[], &[0], &[0, 0], &[128], &[0, 1]];
        let bytes = |list: &[u64]| {
            let mut out = Vec::new();
            list.iter().for_each(|&word| Bytes(&mut out).word(word));
            out
        };
        let wide = |list: &[u64]| {
            let mut out = Wide::<4>::new();
            list.iter().for_each(|&word| out.word(word));
            out
        };
        let digest = |list: &[u64]| {
            let mut out = Digest::new();
            list.iter().for_each(|&word| Words::word(&mut out, word));
            out.value()
        };
        for (i, a) in lists.iter().enumerate() {
            for (j, b) in lists.iter().enumerate() {
                assert_eq!(bytes(a) == bytes(b), i == j);
                assert_eq!(wide(a) == wide(b), i == j);
                assert_eq!(digest(a) == digest(b), i == j);
            }
        }
    }
}
