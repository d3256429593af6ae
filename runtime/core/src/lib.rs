//! The contract between games, compiled or interpreted, and everything that runs them.
//!
//! A game is a value of a type that implements [`Game`]: a compiled game is a unit struct, the
//! interpreter's game carries its program. Search, tools and tests are generic over the trait.
//!
//! A random game, and what it was worth to each player:
//!
//! ```
//! use rulec_core::{Game, MoveList, Payoffs, Rng, Silent, Turn};
//!
//! fn random_game<G: Game>(game: &G, rng: &mut Rng) -> Option<Payoffs> {
//!     let mut state = game.initial();
//!     while let Turn::Decide(_) = game.turn(&state) {
//!         let mut moves = MoveList::new();
//!         game.legal_moves(&state, &mut moves).ok()?;
//!         let mv = moves[rng.below(moves.len() as u32) as usize];
//!         game.play(&mut state, mv, &mut Silent);
//!     }
//!     game.returns(&state)
//! }
//! ```

pub mod bits;
mod counted;
mod cx;
pub mod episode;
mod events;
mod explain;
mod game;
mod key;
pub mod kinds;
mod member;
mod moves;
mod numbers;
mod observer;
mod outcome;
mod rng;
pub mod support;
mod symmetry;
pub mod text;

pub use bits::BitSet;
pub use counted::CountedSet;
pub use cx::Cx;
pub use episode::{Board, EpisodeInfo};
pub use events::{Event, Events, Silent};
pub use explain::{Reasons, Refusal, Wish};
pub use game::{
    Alike, ChoiceSet, Counter, Game, GameInfo, Illegal, Interval, Meter, MoveFamily, Plane, Turn,
};
pub use key::{BuildKeyHasher, KeyHasher};
pub use member::NoMember;
pub use moves::{ChanceList, MoveList, listed_playout, named_moves};
pub use numbers::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
pub use observer::{Observer, Present};
pub use outcome::{Fault, FaultSite, Outcome, Payoffs, Playout, Reason};
pub use rng::Rng;
pub use symmetry::{ArgImage, MoveImage, PlaneImage, Symmetry};
