//! What compiled games use beside the traits: the parts of their code that are the same for all.
//!
//! Nothing here panics. Code that handles the texts and arguments of moves, events, histories or encoded bytes may allocate; the
//! rest does not. If an index or a length is wrong, which only happens after a fault was noted, the result is a harmless value.

mod arith;
mod ending;
mod kept;
mod kinds;
mod lines;
mod naming;
mod nest;
mod random;
mod renaming;
mod seq;
mod subset;
mod tagged;
mod told;
mod trail;
mod walks;
mod words;

pub use arith::*;
pub use ending::{read_outcome, write_outcome};
pub use kept::Kept;
pub use kinds::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart, read_set, write_set};
pub use lines::{Row, some_row, some_run, some_seen, some_within};
pub use naming::Roster;
pub use nest::Nest;
pub use random::{RandomGames, random_playout, random_playouts};
pub use renaming::Renaming;
pub use seq::Seq;
pub use subset::{Subsets, choose, rank, subset_count, unrank};
pub use tagged::Tagged;
pub use told::{Told, tell_content};
pub use trail::Trail;
pub use walks::{closed, closed_straight, enclosed_down, enclosed_up};
pub use words::{Bytes, Digest, QuickKey, Wide, Words};

use std::ops::ControlFlow;

use crate::rng::Draw;
use crate::{Fault, MoveList};

/// Why a rule does not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Play stops here or the game is over; the state says which.
    Done,
    /// The trial failed; outside a trial this is a fault at the site.
    Fail(u16),
}

/// What a rule that may halt gives.
pub type Flow<T = ()> = ControlFlow<Halt, T>;

/// The place of `index` in an array of `N` items: itself where it is in range. That of an absent member, all ones, is
/// the last one.
#[inline(always)]
const fn slot<const N: usize>(index: usize) -> usize {
    if N.is_power_of_two() {
        index & (N - 1)
    } else if index < N {
        index
    } else {
        N - 1
    }
}

/// The item at `index`; any item where it is out of range.
///
/// Arrays whose length is a power of two cost no test.
#[inline(always)]
pub const fn at<T: Copy, const N: usize>(items: &[T; N], index: usize) -> T {
    items[slot::<N>(index)]
}

/// The item at `index` for writing; any item where it is out of range.
#[inline(always)]
pub const fn at_mut<T, const N: usize>(items: &mut [T; N], index: usize) -> &mut T {
    &mut items[slot::<N>(index)]
}

/// The item at `index` by reference; any item where it is out of range.
#[inline(always)]
pub const fn at_ref<T, const N: usize>(items: &[T; N], index: usize) -> &T {
    &items[slot::<N>(index)]
}

/// 1 if something holds that mostly does, otherwise 0: by a branch, so that code behind it need not ask again.
#[inline(always)]
pub fn one_if_likely(holds: bool) -> u64 {
    if !holds {
        core::hint::cold_path();
        return 0;
    }
    1
}

/// The digits of a number below the product of their bases, the most significant first. Each is 0 if a base is.
///
/// `drawn` is how the number was drawn, where that product was the bound: then nothing is divided.
#[inline(always)]
pub const fn digits<const N: usize>(
    mut number: u64,
    drawn: Option<Draw>,
    bases: [u64; N],
) -> [u64; N] {
    if let Some(drawn) = drawn {
        return drawn.digits(bases);
    }
    let (mut digits, mut place) = ([0; N], N);
    while place > 0 {
        place -= 1;
        let base = if bases[place] == 0 { 1 } else { bases[place] };
        // Half a word is divided quicker, and most numbers fit.
        if (number | base) >> 32 == 0 {
            let (number_32, base_32) = (number as u32, base as u32);
            digits[place] = (number_32 % base_32) as u64;
            number = (number_32 / base_32) as u64;
        } else {
            digits[place] = number % base;
            number /= base;
        }
    }
    digits
}

/// Keeps the first of every run of items with equal keys at the front, and tells how many they are.
pub fn keep_first<T: Copy, K: PartialEq>(items: &mut [T], key: impl Fn(&T) -> K) -> usize {
    let mut kept = 0;
    for at in 0..items.len() {
        if kept == 0 || key(&items[kept - 1]) != key(&items[at]) {
            items[kept] = items[at];
            kept += 1;
        }
    }
    kept
}

/// Of the moves from `start` on, keeps the first of each class, which is the one that all engines tell.
///
/// # Errors
/// The fault in which telling a class ends.
pub fn keep_classes<M: Copy, K: Ord + Default>(
    out: &mut MoveList<M>,
    start: usize,
    class_of: impl Fn(M) -> Result<K, Fault>,
) -> Result<(), Fault> {
    for mv in out.iter().skip(start) {
        class_of(*mv)?;
    }
    let class = |mv: &M| class_of(*mv).unwrap_or_default();
    let moves = out.as_mut_slice().get_mut(start..).unwrap_or_default();
    moves.sort_by_key(class);
    let kept = keep_first(moves, class);
    out.truncate(start + kept);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_cut_to_their_first() {
        let mut items = [11, 12, 21, 31, 32];
        assert_eq!(keep_first(&mut items, |item| item / 10), 3);
        assert_eq!(items[..3], [11, 21, 31]);
        assert_eq!(keep_first(&mut items[..0], |item| *item), 0);
    }

    #[test]
    fn the_first_of_a_class_stands_for_it() {
        let mut moves = MoveList::new();
        moves.extend((0..100).rev());
        assert_eq!(keep_classes(&mut moves, 10, |mv: i32| Ok(mv % 3)), Ok(()));
        assert_eq!(moves[10..], [87, 88, 89]);
    }

    #[test]
    fn wrong_indexes_are_harmless() {
        let mut odd = [1u8, 2, 3];
        assert_eq!((at(&odd, 2), at(&odd, 3), at(&odd, usize::MAX)), (3, 3, 3));
        *at_mut(&mut odd, 9) = 7;
        assert_eq!(odd, [1, 2, 7]);
        let even = [1u8, 2, 3, 4];
        assert_eq!((at(&even, 3), at(&even, 4), *at_ref(&even, 1)), (4, 1, 2));
    }
}
