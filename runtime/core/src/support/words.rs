//! Identities of states as sequences of words.

use crate::KeyHasher;

/// Takes the words of an identity, in an order that depends on nothing but the words before.
pub trait Words {
    /// Takes the next word.
    fn word(&mut self, word: u64);

    /// Takes the words of an array of small numbers.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.word(word);
        }
    }
}

/// A key of the words.
impl Words for KeyHasher {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        *self = KeyHasher::word(*self, word);
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

/// A digest of 128 bits of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(KeyHasher, KeyHasher);

impl Digest {
    /// The digest of no words.
    pub const fn new() -> Self {
        Self(KeyHasher::new(), KeyHasher::new().word(1))
    }

    /// The finished digest.
    pub const fn value(self) -> u128 {
        (self.0.value() as u128) << 64 | self.1.value() as u128
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
        self.0 = self.0.word(word);
        self.1 = self.1.word(!word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
