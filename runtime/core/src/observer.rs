//! Who takes what a network sees of a position.

use crate::BitSet;

/// Takes the values of the planes of a position in their order, see [`Observe::observe`](crate::Observe::observe).
///
/// A `Vec` takes all of them, [`Present`] only those that are not 0.
pub trait Observer {
    /// The value of the next cell.
    fn value(&mut self, value: i64);

    /// The values of the next cells.
    #[inline(always)]
    fn run(&mut self, values: impl ExactSizeIterator<Item = i64>) {
        values.for_each(|value| self.value(value));
    }

    /// The next `cells` cells are 0.
    fn zeros(&mut self, cells: usize);

    /// The next `cells` cells are 1 for the members, which come in rising order, and 0 for others.
    fn members(&mut self, cells: usize, members: impl Iterator<Item = usize>);

    /// The next `cells` cells are 1 for the members of a set, whose bits these are, and 0 for others.
    #[inline(always)]
    fn set(&mut self, cells: usize, words: &[u64]) {
        let members = words.iter().enumerate().flat_map(|(number, &word)| {
            let first = number * u64::BITS as usize;
            BitSet([word]).iter().map(move |bit| first + bit)
        });
        self.members(cells, members);
    }

    /// The next `cells` cells have the value of the set that they are members of, whose bits are told beside it, and are 0 where they are in none. No
    /// cell is in two sets.
    #[inline(always)]
    fn classes<const WORDS: usize, const NUMBER: usize>(
        &mut self,
        cells: usize,
        classes: [(i64, [u64; WORDS]); NUMBER],
    ) {
        self.values(cells, values_of(&classes, cells));
    }

    /// The next `cells` cells have these values, which come with the numbers of their cells in rising order; others are 0.
    #[inline(always)]
    fn values(&mut self, cells: usize, values: impl Iterator<Item = (usize, i64)>) {
        let mut at = 0;
        for (cell, value) in values {
            self.zeros(cell.saturating_sub(at));
            self.value(value);
            at = cell + 1;
        }
        self.zeros(cells.saturating_sub(at));
    }
}

/// The cells of sets in rising order, each with the value of its set.
#[inline(always)]
pub fn values_of<const WORDS: usize, const NUMBER: usize>(
    classes: &[(i64, [u64; WORDS]); NUMBER],
    cells: usize,
) -> impl Iterator<Item = (usize, i64)> {
    let all = classes
        .iter()
        .fold(BitSet::EMPTY, |all, (_, set)| all | BitSet(*set));
    let value = move |cell: usize| {
        let own = classes.iter().find(|(_, set)| BitSet(*set).contains(cell));
        (cell, own.map_or(0, |(value, _)| *value))
    };
    all.iter()
        .map(value)
        .take_while(move |(cell, _)| *cell < cells)
}

impl Observer for Vec<i64> {
    #[inline]
    fn value(&mut self, value: i64) {
        self.push(value);
    }

    #[inline]
    fn zeros(&mut self, cells: usize) {
        self.resize(self.len() + cells, 0);
    }

    #[inline]
    fn members(&mut self, cells: usize, members: impl Iterator<Item = usize>) {
        let first = self.len();
        self.zeros(cells);
        for member in members {
            if let Some(cell) = self.get_mut(first + member) {
                *cell = 1;
            }
        }
    }
}

/// The cells of a position that are not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    cells: usize,
    entries: Vec<(usize, i64)>,
}

impl Present {
    /// The numbers of the cells, rising, with their values.
    pub fn entries(&self) -> &[(usize, i64)] {
        &self.entries
    }

    /// Forgets all, for another position.
    pub fn clear(&mut self) {
        self.cells = 0;
        self.entries.clear();
    }
}

impl Observer for Present {
    #[inline]
    fn value(&mut self, value: i64) {
        if value != 0 {
            self.entries.push((self.cells, value));
        }
        self.cells += 1;
    }

    #[inline]
    fn zeros(&mut self, cells: usize) {
        self.cells += cells;
    }

    #[inline]
    fn members(&mut self, cells: usize, members: impl Iterator<Item = usize>) {
        let first = self.cells;
        self.entries
            .extend(members.map(|member| (first + member, 1)));
        self.cells += cells;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observe(out: &mut impl Observer) {
        out.value(0);
        out.run([-3].into_iter());
        out.members(5, [0, 3].into_iter());
        out.values(4, [(1, 2), (2, -1)].into_iter());
        out.classes(3, [(5, [0b100]), (-4, [0b001])]);
        out.zeros(2);
        out.value(7);
    }

    #[test]
    fn what_is_present_is_what_is_not_0() {
        let (mut all, mut present) = (Vec::new(), Present::default());
        observe(&mut all);
        assert_eq!(all, [0, -3, 1, 0, 0, 1, 0, 0, 2, -1, 0, -4, 0, 5, 0, 0, 7]);
        for _ in 0..2 {
            present.clear();
            observe(&mut present);
            let of_all = all.iter().copied().enumerate();
            let others: Vec<(usize, i64)> = of_all.filter(|(_, value)| *value != 0).collect();
            assert_eq!(present.entries(), others);
        }
    }
}
