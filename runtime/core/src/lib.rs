//! The contract between games, compiled or interpreted, and everything that runs them.
//!
//! A game is a value of a type that implements [`Game`]: a compiled game is a unit struct, the
//! interpreter's game carries its program. Search, tools and tests are generic over the trait.

pub mod bits;
mod counted;
mod cx;
pub mod episode;
mod events;
mod explain;
mod game;
mod key;
mod moves;
mod numbers;
mod outcome;
mod rng;
pub mod support;
pub mod text;

pub use bits::BitSet;
pub use counted::CountedSet;
pub use cx::Cx;
pub use episode::{Board, EpisodeInfo};
pub use events::{Event, Events, Silent};
pub use explain::{Reasons, Refusal, Wish};
pub use game::{
    Alike, ChoiceSet, Counter, Game, GameInfo, Interval, Meter, MoveFamily, Plane, Turn,
};
pub use key::{BuildKeyHasher, KeyHasher};
pub use moves::{ChanceList, MoveList, listed_playout, named_moves};
pub use numbers::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
pub use outcome::{Fault, FaultSite, Outcome, Playout, Reason};
pub use rng::Rng;
