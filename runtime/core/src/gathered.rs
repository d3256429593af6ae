//! Moves as they are found: one after the other, or in bundles of which none is taken apart before it is needed.

use crate::{BitSet, MoveList, Rng};

/// A move of which an argument can be filled in.
pub trait Packed: Copy {
    /// The move with the argument `value` in the bits from `shift` on, which are 0 in this one.
    #[must_use]
    fn with(self, shift: u32, value: usize) -> Self;
}

/// Takes the moves of a position as they are found, until it says stop.
pub trait Visit<M> {
    /// Takes a move; true to stop.
    fn one(&mut self, mv: M) -> bool;

    /// Takes a move for each member of a set, the least first: `mv` with the member as the argument at `shift`. True to stop.
    #[inline(always)]
    fn each<const N: usize>(&mut self, members: BitSet<N>, shift: u32, mv: M) -> bool
    where
        M: Packed,
    {
        for member in members.iter() {
            if self.one(mv.with(shift, member)) {
                return true;
            }
        }
        false
    }
}

impl<M, F: FnMut(M) -> bool> Visit<M> for F {
    #[inline(always)]
    fn one(&mut self, mv: M) -> bool {
        self(mv)
    }
}

/// Moves that differ in one argument.
#[derive(Clone, Copy, Debug)]
struct Bundle<M, const N: usize> {
    members: BitSet<N>,
    shift: u32,
    mv: M,
}

/// The moves of a position in bundles, in the order in which they were found: how many there are is counted, and one is drawn,
/// without a list of them. Sets have at most `N` words; what a longer one has beyond them is left out.
#[derive(Clone, Debug)]
pub struct Gathered<M, const N: usize> {
    bundles: Vec<Bundle<M, N>>,
}

impl<M, const N: usize> Gathered<M, N> {
    /// No moves.
    pub const fn new() -> Self {
        Self {
            bundles: Vec::new(),
        }
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.bundles.clear();
    }
}

impl<M, const N: usize> Default for Gathered<M, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Packed, const N: usize> Gathered<M, N> {
    /// A move, each with the same chance, and its number; nothing if there are none.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> Option<(usize, M)> {
        rulec_cpu::run(Draw(self, rng))
    }

    /// Appends all moves.
    pub fn list(&self, out: &mut MoveList<M>) {
        for bundle in &self.bundles {
            for member in bundle.members.iter() {
                out.push(bundle.mv.with(bundle.shift, member));
            }
        }
    }
}

impl<M: Packed, const N: usize> Visit<M> for Gathered<M, N> {
    #[inline(always)]
    fn one(&mut self, mv: M) -> bool {
        let members = BitSet::single(0);
        self.bundles.push(Bundle {
            members,
            shift: 0,
            mv,
        });
        false
    }

    #[inline(always)]
    fn each<const W: usize>(&mut self, members: BitSet<W>, shift: u32, mv: M) -> bool {
        let mut words = [0; N];
        for (word, own) in words.iter_mut().zip(members.0) {
            *word = own;
        }
        let members = BitSet(words);
        self.bundles.push(Bundle { members, shift, mv });
        false
    }
}

/// A draw from what was gathered.
struct Draw<'a, M, const N: usize>(&'a Gathered<M, N>, &'a mut Rng);

impl<M: Packed, const N: usize> rulec_cpu::Job for Draw<'_, M, N> {
    type Output = Option<(usize, M)>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Draw(gathered, rng) = self;
        let counts = gathered.bundles.iter().map(|bundle| bundle.members.count());
        let total: u32 = counts.sum();
        let drawn = rng.below(total);
        let mut below = drawn;
        for bundle in &gathered.bundles {
            let count = bundle.members.count();
            if below < count {
                let member = bundle.members.select(below);
                return Some((drawn as usize, bundle.mv.with(bundle.shift, member)));
            }
            below -= count;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Move(u32);

    impl Packed for Move {
        fn with(self, shift: u32, value: usize) -> Self {
            Move(self.0 | (value as u32) << shift)
        }
    }

    fn visit(visitor: &mut impl Visit<Move>) -> bool {
        visitor.each(BitSet([0b1011]), 4, Move(1))
            || visitor.one(Move(7))
            || visitor.each(BitSet::<2>::EMPTY, 4, Move(2))
            || visitor.each(BitSet([0, 0b100]), 4, Move(3))
    }

    #[test]
    fn what_is_gathered_is_what_is_listed() {
        let mut listed = Vec::new();
        assert!(!visit(&mut |mv: Move| {
            listed.push(mv);
            false
        }));
        assert_eq!(listed, [1, 17, 49, 7, 66 * 16 + 3].map(Move));
        let mut gathered = Gathered::<Move, 2>::new();
        visit(&mut gathered);
        let mut all = MoveList::new();
        gathered.list(&mut all);
        assert_eq!(all[..], listed[..]);
        let (mut one, mut other) = (Rng::new(3, 0), Rng::new(3, 0));
        for _ in 0..100 {
            let number = other.below(5) as usize;
            assert_eq!(gathered.draw(&mut one), Some((number, listed[number])));
        }
        gathered.clear();
        assert_eq!(gathered.draw(&mut one), None);
    }

    #[test]
    fn visitors_stop_where_they_say() {
        let mut seen = 0;
        assert!(visit(&mut |mv: Move| {
            seen += 1;
            mv == Move(17)
        }));
        assert_eq!(seen, 2);
    }
}
