//! The words that belong to what is run alone.

use crate::op::*;

/// The words that belong to what is run alone, numbered.
#[derive(Default)]
pub(super) struct Own {
    /// The number after that of each word that belongs to it, else 0.
    numbers: Vec<u16>,
    pub(super) words: Vec<Reg>,
    /// The first of them are those for what is worked out on the way.
    pub(super) temps: usize,
}

impl Own {
    pub(super) fn clear(&mut self) {
        self.numbers.resize(NEAR, 0);
        for word in self.words.drain(..) {
            self.numbers[usize::from(word)] = 0;
        }
    }

    pub(super) fn add(&mut self, word: Reg) {
        if self.numbers[usize::from(word)] == 0 {
            self.words.push(word);
            self.numbers[usize::from(word)] = self.words.len() as u16;
        }
    }

    pub(super) fn number(&self, word: usize) -> Option<usize> {
        let number = *self.numbers.get(word)?;
        usize::from(number).checked_sub(1)
    }

    pub(super) fn has(&self, word: Reg) -> bool {
        self.number(usize::from(word)).is_some()
    }

    /// Whether a word is none but for what is worked out on the way.
    pub(super) fn is_temp(&self, word: Reg) -> bool {
        let number = self.number(usize::from(word));
        number.is_some_and(|number| number < self.temps)
    }
}
