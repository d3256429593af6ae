//! The contract between games, compiled or interpreted, and everything that runs them.
//!
//! A game is a value of a type that implements [`Game`]: a compiled game is a unit struct, the
//! interpreter's game carries its program. What runs games is generic over the trait.
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
//!
//! What goes with it: [`GameInfo`], [`Turn`], [`MoveList`] and [`ChanceList`], [`Outcome`] and [`Payoffs`], [`Event`] for those who want to
//! hear what a move does, and [`Rng`]. Searches are in `rulec-search`.
//!
//! What only some users need are small traits beside `Game`. Compiled games have all of them; a game written by hand gets them with
//! `impl PlainGame for MyGame {}`, see [`PlainGame`]:
//!
//! | trait | what | for |
//! |---|---|---|
//! | [`StateText`] | positions as texts | files, tests, people |
//! | [`Notation`] | texts of moves that depend on the position | people |
//! | [`MoveArgs`] | moves as a family and numbers | boards on screens, statistics |
//! | [`Observe`] | positions as numbers | networks, evaluations, statistics, pictures |
//! | [`Identities`] | which positions are the same | solvers, tables of searches |
//! | [`OpenPlay`] | playing on without asking whether somebody can move | perft, alpha-beta |
//! | [`Hosted`] | boards and moves that a host gives | episodes, clocks |
//! | [`Explain`] | reasons why a move is not legal | people |
//! | [`FullGame`] | all of them | the command line, the server, the C interface, whatever hides the type of a game |
//!
//! [`support`], [`bits`], [`text`] and [`episode`] are what compiled games are made with.

pub mod bits;
mod counted;
mod cx;
pub mod episode;
mod events;
mod explain;
mod full;
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
pub use explain::{Lack, Reasons, Refusal, Wish};
pub use full::{
    Explain, FullGame, Hosted, Identities, MoveArgs, Notation, Observe, OpenPlay, PlainGame,
    StateText,
};
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
pub use text::TextError;
