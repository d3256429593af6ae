//! Dense numbers of moves: what tables and networks index by.
//!
//! Moves have one number if they differ only by which of some pieces that are alike is taken, and by where it lies among places
//! that are alike; and also if never two of them are legal in one position, such as those of different figures from one place to
//! another. Moves that no position admits have none. The numbers are part of the game, so all engines have the same.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

/// The numbers of all moves and results of draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct MoveNumbers {
    /// The families in their order, then the draws.
    pub kinds: Vec<NumberedKind>,
    /// Runs of numbers, one after the other.
    pub layers: Vec<NumberLayer>,
}

/// A family or a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct NumberedKind {
    /// The layer with its numbers.
    pub layer: usize,
    /// Its arguments.
    pub args: Vec<NumberedArg>,
}

/// What an argument contributes to a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum NumberedArg {
    /// The number of a member of so many; for each the one that stands for it, nothing where each stands for itself.
    Member(u64, Vec<u32>),
    /// An integer from this one on, of so many.
    Int(i64, u64),
    /// A set of members of so many, of this size if one is named.
    Set(u32, Option<u32>),
}

/// The numbers of some kinds that share them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct NumberLayer {
    /// How many values the arguments have.
    pub lens: Vec<u64>,
    /// Runs of keys that have numbers: the first key, and the number of keys.
    pub runs: Vec<(u64, u64)>,
}

impl NumberLayer {
    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.runs
            .iter()
            .map(|run| run.1)
            .fold(0, u64::saturating_add)
    }
}

impl MoveNumbers {
    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.layers
            .iter()
            .map(NumberLayer::count)
            .fold(0, u64::saturating_add)
    }
}
