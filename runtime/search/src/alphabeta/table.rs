//! The table of positions.

use crate::{slots::Slots, walk::TAGS};

/// What a value in the table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// All bounds, by the numbers that stand for them.
pub(crate) const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    /// The tag of the best move.
    pub(crate) best: u32,
    /// From -2^20 to 2^20 - 1.
    pub(crate) value: i32,
    /// Moves that were looked ahead; more than 255 are told as 255.
    pub(crate) depth: u32,
    pub(crate) bound: Bound,
    /// Whether the value is that of the whole game.
    pub(crate) complete: bool,
}

/// Greatest depth that an entry tells.
pub(crate) const DEEPEST: u32 = 255;

const VALUE_BITS: u32 = 21;
const VALUE_HALF: i64 = 1 << (VALUE_BITS - 1);
const AGES: u64 = 16;

/// An entry but for its key: from the lowest bit up tag, value, depth, bound (1 to 3), completeness, age. Never 0.
fn packed(entry: &Entry, age: u64) -> u64 {
    let value = (i64::from(entry.value) + VALUE_HALF).clamp(0, 2 * VALUE_HALF - 1) as u64;
    let bound = BOUNDS.iter().position(|b| *b == entry.bound).unwrap_or(0) as u64 + 1;
    u64::from(entry.best) & (TAGS - 1)
        | value << 28
        | u64::from(entry.depth.min(DEEPEST)) << 49
        | bound << 57
        | u64::from(entry.complete) << 59
        | (age % AGES) << 60
}

fn unpacked(key: u64, data: u64) -> Entry {
    let bound = (data >> 57 & 3) as usize;
    Entry {
        key,
        best: (data & (TAGS - 1)) as u32,
        value: ((data >> 28 & ((1 << VALUE_BITS) - 1)) as i64 - VALUE_HALF) as i32,
        depth: (data >> 49 & 255) as u32,
        bound: BOUNDS
            .get(bound.wrapping_sub(1))
            .copied()
            .unwrap_or(Bound::Exact),
        complete: data >> 59 & 1 == 1,
    }
}

/// Completeness and then depth, behind whether a word is of the search of that age.
#[inline(always)]
fn worth(data: u64, age: u64) -> u64 {
    let new = u64::from(data >> 60 == age);
    new << 10 | (data >> 59 & 1) << 9 | (data >> 49 & 255)
}

/// A table of positions by their keys: of four places that a key may have, the entry of least worth gives way.
pub(crate) struct Table {
    slots: Slots,
    /// The number of the search, by which entries of earlier ones are told.
    age: u64,
}

impl Table {
    /// Bytes of an entry.
    pub(crate) const ENTRY_BYTES: usize = Slots::ENTRY_BYTES;

    /// A table of so many entries at most; it begins small and grows, or is whole at once.
    pub(crate) fn new(limit: usize, whole: bool) -> Self {
        Self {
            slots: Slots::new(limit, whole),
            age: 0,
        }
    }

    /// Begins another search, to which what is known is of less worth than what it finds.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Places for entries.
    pub(crate) fn size(&self) -> usize {
        self.slots.size()
    }

    /// Whether it may still grow.
    pub(crate) fn can_grow(&self) -> bool {
        self.slots.can_grow()
    }

    /// What is known of the position of a key.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.slots.get(key).map(|data| unpacked(key, data))
    }

    /// Keeps an entry in place of the one of least worth; whether its place was free.
    #[inline(always)]
    pub(crate) fn put(&self, entry: &Entry) -> bool {
        let age = self.age;
        let data = packed(entry, age);
        self.slots.put(entry.key, data, |old| worth(old, age))
    }

    /// Twice the places; how many of them are taken.
    pub(crate) fn grow(&mut self) -> usize {
        let age = self.age;
        self.slots.grow(|old| worth(old, age))
    }

    /// All entries whose values are those of whole games.
    pub(crate) fn complete(&self) -> impl Iterator<Item = Entry> + '_ {
        let all = self.slots.all().map(|(key, data)| unpacked(key, data));
        all.filter(|entry| entry.complete)
    }

    /// Of a thousand places that it may have, how many hold what this search found; told by the first of them.
    pub(crate) fn fullness(&self) -> u32 {
        let (mut all, mut taken) = (0_u32, 0_u32);
        for data in self.slots.first(1000) {
            all += 1;
            taken += u32::from(data != 0 && data >> 60 == self.age);
        }
        let grown = self.slots.size() as f64 / self.slots.limit() as f64;
        (f64::from(taken) * 1000.0 * grown / f64::from(all.max(1))).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, depth: u32, complete: bool) -> Entry {
        Entry {
            key,
            best: 0,
            value: 5,
            depth,
            bound: Bound::Exact,
            complete,
        }
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        assert_eq!(Table::ENTRY_BYTES, 16);
        let table = Table::new(1 << 10, true);
        for (number, bound) in BOUNDS.into_iter().enumerate() {
            for value in [-1_000_001, -7, 0, 1, 1_000_001] {
                let entry = Entry {
                    key: 0x1234_5678_9abc_def0 + number as u64,
                    best: (TAGS - 1) as u32 - number as u32,
                    value,
                    depth: 255,
                    bound,
                    complete: number == 1,
                };
                table.put(&entry);
                assert_eq!(table.get(entry.key), Some(entry));
            }
        }
    }

    #[test]
    fn what_is_complete_or_deep_is_kept_and_what_is_old_goes_first() {
        let mut table = Table::new(1 << 14, false);
        let mut used = usize::from(table.put(&entry(1, 9, true)));
        for n in 0..100_000_u64 {
            let entry = entry(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 2, 1, false);
            used += usize::from(table.put(&entry));
            if used * 2 > table.size() && table.can_grow() {
                used = table.grow();
            }
        }
        assert_eq!(table.get(1), Some(entry(1, 9, true)));
        assert!(table.size() == 1 << 14 && used <= 1 << 14);
        assert_eq!(table.get(77), None);
        table.grow_older();
        // The same bucket as that of key 1.
        (2..6_u64).for_each(|n| _ = table.put(&entry(1 | n << 40, 1, false)));
        assert_eq!(table.get(1), None);
    }
}
