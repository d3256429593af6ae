//! Sets of places under symmetries of the rules.

use crate::BitSet;

/// New numbers for the members of a set.
#[derive(Clone, Copy, Debug)]
pub enum Renaming<const N: usize> {
    /// How far members move, and which these are: the fastest way where many move as far, as by reflections of a board.
    Shifts(&'static [(i32, BitSet<N>)]),
    /// The new number of each; a number beyond the list stays.
    Each(&'static [u32]),
}

impl<const N: usize> Renaming<N> {
    /// The set of the new numbers; those beyond the range of the set are lost.
    #[inline]
    pub fn of(&self, set: BitSet<N>) -> BitSet<N> {
        let mut new = BitSet::EMPTY;
        match self {
            Renaming::Shifts(shifts) => {
                for &(by, members) in *shifts {
                    let moved = set & members;
                    new |= match by >= 0 {
                        true => moved << by.unsigned_abs(),
                        false => moved >> by.unsigned_abs(),
                    };
                }
            }
            Renaming::Each(numbers) => {
                for member in set {
                    new.set(
                        numbers
                            .get(member)
                            .map_or(member, |number| *number as usize),
                    );
                }
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_move_together_move_as_each_does() {
        // A board of ten columns and ten rows, mirrored.
        static EACH: [u32; 100] = {
            let mut each = [0; 100];
            let mut place = 0;
            while place < 100 {
                each[place] = (place / 10 * 10 + 9 - place % 10) as u32;
                place += 1;
            }
            each
        };
        let column = |x: usize| (0..10).map(|y| y * 10 + x).collect::<BitSet<2>>();
        let shifts: Vec<(i32, BitSet<2>)> =
            (0..10).map(|x| (9 - 2 * x as i32, column(x))).collect();
        let (shifts, each) = (Renaming::Shifts(shifts.leak()), Renaming::Each(&EACH));
        let set: BitSet<2> = [0, 7, 12, 55, 63, 64, 65, 98].into_iter().collect();
        let new: BitSet<2> = [9, 2, 17, 54, 66, 65, 64, 91].into_iter().collect();
        assert_eq!(shifts.of(set), new);
        assert_eq!(each.of(set), new);
    }
}
