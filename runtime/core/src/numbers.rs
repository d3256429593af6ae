//! Dense numbers of moves: what tables and networks index by.
//!
//! Moves share a number if they differ only in which of several interchangeable pieces or places they use. They may also share
//! one if no two of them are ever legal in the same position, such as moves of different figures between the same two places.
//! Moves that are legal in no position have none. All this is worked out from the rules, so every engine of a game has the same numbers.

/// The numbers of all moves and results of draws of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNumbers {
    /// The families in their order, then the draws.
    pub kinds: &'static [NumberedKind],
    /// Runs of numbers, one after the other.
    pub layers: &'static [NumberLayer],
    /// How many numbers there are.
    pub count: usize,
}

/// A family or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedKind {
    /// The layer with its numbers.
    pub layer: usize,
    /// Its arguments.
    pub args: &'static [NumberedArg],
}

/// What an argument contributes to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberedArg {
    /// A member. For each the number of the one that stands for it; nothing where each stands for itself.
    Member(&'static [u32]),
    /// An integer from this one on.
    Int(i64),
    /// Any set of members, as bits.
    Bits,
    /// The rank of a set among those of this size.
    Rank(u32),
}

/// The numbers of some kinds that share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberLayer {
    /// How many values the arguments have.
    pub lens: &'static [u64],
    /// Runs of keys that have numbers: the first key of each, ascending, and its number.
    pub runs: &'static [(u64, usize)],
    /// One more than the last number.
    pub end: usize,
}

impl NumberedKind {
    /// A family with numbers in a layer.
    pub const fn new(layer: usize, args: &'static [NumberedArg]) -> Self {
        Self { layer, args }
    }
}

impl NumberLayer {
    /// A layer of runs of keys.
    pub const fn new(lens: &'static [u64], runs: &'static [(u64, usize)], end: usize) -> Self {
        Self { lens, runs, end }
    }
}

impl MoveNumbers {
    /// No numbers.
    pub const EMPTY: Self = Self {
        kinds: &[],
        layers: &[],
        count: 0,
    };

    /// The number of a move, given as [`MoveArgs::move_args`](crate::MoveArgs::move_args) tells it; [`MoveNumbers::count`] where it has
    /// none.
    pub fn number(&self, kind: usize, args: &[i64]) -> usize {
        self.find(kind, args).unwrap_or(self.count)
    }

    fn find(&self, kind: usize, args: &[i64]) -> Option<usize> {
        let kind = self.kinds.get(kind)?;
        let layer = self.layers.get(kind.layer)?;
        let mut key = 0_u64;
        for ((len, own), arg) in layer.lens.iter().zip(kind.args).zip(args) {
            let digit = own.digit(*arg)?;
            if digit >= *len {
                return None;
            }
            key = key.checked_mul(*len)?.checked_add(digit)?;
        }
        layer.number(key)
    }

    /// The moves that a number can stand for, as kinds and arguments: of pieces that are alike the first.
    pub fn moves(&self, number: usize) -> Vec<(usize, Vec<i64>)> {
        let mut moves = Vec::new();
        for (index, kind) in self.kinds.iter().enumerate() {
            let layer = self.layers.get(kind.layer);
            let Some((layer, key)) = layer.and_then(|layer| Some((layer, layer.key(number)?)))
            else {
                continue;
            };
            let mut rest = key;
            let mut args: Vec<i64> = Vec::new();
            for (len, arg) in layer.lens.iter().zip(kind.args).rev() {
                let digit = rest % len.max(&1);
                rest /= len.max(&1);
                args.push(match arg {
                    NumberedArg::Int(first) => first.wrapping_add(digit as i64),
                    NumberedArg::Rank(size) => unranked(digit, *size) as i64,
                    NumberedArg::Bits | NumberedArg::Member(_) => digit as i64,
                });
            }
            args.reverse();
            moves.push((index, args));
        }
        moves
    }
}

impl NumberedArg {
    fn digit(&self, arg: i64) -> Option<u64> {
        match self {
            NumberedArg::Int(first) => Some(arg.wrapping_sub(*first) as u64),
            NumberedArg::Bits => Some(arg as u64),
            NumberedArg::Rank(_) => Some(rank(arg as u64)),
            NumberedArg::Member([]) => u64::try_from(arg).ok(),
            NumberedArg::Member(first) => {
                let first = first.get(usize::try_from(arg).ok()?)?;
                Some(u64::from(*first))
            }
        }
    }
}

impl NumberLayer {
    fn number(&self, key: u64) -> Option<usize> {
        let at = self
            .runs
            .partition_point(|run| run.0 <= key)
            .checked_sub(1)?;
        let (first, number) = self.runs[at];
        let end = self.runs.get(at + 1).map_or(self.end, |next| next.1);
        let number = usize::try_from(key - first).ok()?.checked_add(number)?;
        (number < end).then_some(number)
    }

    fn key(&self, number: usize) -> Option<u64> {
        let at = self
            .runs
            .partition_point(|run| run.1 <= number)
            .checked_sub(1)?;
        let (key, first) = self.runs[at];
        (number < self.end).then(|| key + (number - first) as u64)
    }
}

/// The rank of a set, given as bits, among the sets of its size.
fn rank(bits: u64) -> u64 {
    let members = (0..64).filter(|member| bits >> member & 1 == 1);
    let ranks = (1..).zip(members).map(|(at, member)| binomial(member, at));
    ranks.fold(0, u64::wrapping_add)
}

/// The set of this size and rank, as bits.
fn unranked(mut rank: u64, size: u32) -> u64 {
    let mut bits = 0;
    for k in (1..=u64::from(size)).rev() {
        let fits = |n: &u64| binomial(*n, k) <= rank;
        let member = (0..64).take_while(fits).last().unwrap_or(0);
        rank = rank.saturating_sub(binomial(member, k));
        bits |= 1 << member;
    }
    bits
}

/// Number of subsets of `k` out of `n`.
fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |product, i| {
        product * u128::from(n - i) / u128::from(i + 1)
    }) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces, of which the first two are alike, on four places; and a draw.
    const NUMBERS: MoveNumbers = MoveNumbers {
        kinds: &[
            NumberedKind {
                layer: 0,
                args: &[NumberedArg::Member(&[0, 0, 2]), NumberedArg::Member(&[])],
            },
            NumberedKind {
                layer: 1,
                args: &[NumberedArg::Int(-1)],
            },
        ],
        layers: &[
            // (0, 0), (0, 1), (0, 3), (2, 0)
            NumberLayer {
                lens: &[3, 4],
                runs: &[(0, 0), (3, 2), (8, 3)],
                end: 4,
            },
            NumberLayer {
                lens: &[3],
                runs: &[(0, 4)],
                end: 7,
            },
        ],
        count: 7,
    };

    #[test]
    fn which_of_the_pieces_that_are_alike_does_not_count() {
        let number = |piece, place| NUMBERS.number(0, &[piece, place]);
        assert_eq!([number(0, 0), number(1, 0)], [0, 0]);
        assert_eq!([number(0, 1), number(1, 1)], [1, 1]);
        assert_eq!([number(0, 3), number(1, 3)], [2, 2]);
        assert_eq!(number(2, 0), 3);
        assert_eq!([number(0, 2), number(2, 2), number(5, 0)], [7, 7, 7]);
        assert_eq!(NUMBERS.number(1, &[1]), 6);
    }

    #[test]
    fn every_number_leads_back_to_itself() {
        for number in 0..NUMBERS.count {
            let moves = NUMBERS.moves(number);
            assert!(!moves.is_empty());
            for (kind, args) in moves {
                assert_eq!(NUMBERS.number(kind, &args), number);
            }
        }
        assert!(NUMBERS.moves(NUMBERS.count).is_empty());
    }

    #[test]
    fn sets_count_by_their_rank() {
        let ranks: Vec<u64> = [0b011, 0b101, 0b110, 0b1001].map(rank).to_vec();
        assert_eq!(ranks, [0, 1, 2, 3]);
        assert_eq!(
            [0, 1, 2, 3].map(|rank| unranked(rank, 2)).to_vec(),
            [0b011, 0b101, 0b110, 0b1001]
        );
    }
}
