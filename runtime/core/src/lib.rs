//! What a board game is to a program: the trait [`Game`], and the types that go with it.
//!
//! Rulec compiles the rules of a board game to Rust. A compiled game is a unit struct that implements [`Game`]; an interpreted
//! game carries its program; a game can also be written by hand, see [`PlainGame`]. Code that runs games is generic over the trait.
//!
//! This plays a random game and returns the payoff of each player, from 0 (lost) to 1 (won). It is for
//! games without chance: it returns `None` at the first chance event, or if a rule fails while moves are listed.
//! [`Game::random_playout`] handles both.
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
//! Searches are in the crate `rulec-search` (`rulec_runtime::search` for users of `rulec-runtime`). The first page of its
//! documentation has the same loop with every move chosen by UCT.
//!
//! Read [`Turn`], [`MoveList`] and [`Outcome`] next; then [`GameInfo`] for names and sizes, [`ChanceList`] for chance events, and
//! [`Event`] to follow what a move does.
//!
//! Anything that only some users need is in a small trait of its own. Compiled games implement them all; a game written by
//! hand gets them with `impl PlainGame for MyGame {}`:
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
//! The modules [`support`], [`bits`] and [`text`] serve the code of compiled games, [`episode`] and [`kinds`] the games that a host
//! runs in episodes. To play or search you need none of them.

pub mod bits;
mod counted;
mod cx;
pub mod episode;
mod events;
mod explain;
mod full;
mod game;
mod gathered;
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
mod tally;
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
    Alike, ChoiceSet, Counter, Game, GameInfo, Illegal, Interval, Meter, MoveFamily, Plane,
    RandomStreams, Turn,
};
pub use gathered::{Gathered, Packed, Visit};
pub use key::{BuildKeyHasher, KeyHasher};
pub use member::NoMember;
pub use moves::{ChanceList, MoveList, listed_playout, named_moves, told_playout};
pub use numbers::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
pub use observer::{Observer, Present, values_of};
pub use outcome::{Fault, FaultSite, Outcome, Payoffs, Playout, Reason, wrong_payoffs};
pub use rng::{Draw, Rng};
pub use symmetry::{ArgImage, MoveImage, PlaneImage, Symmetry};
pub use tally::{PlayoutSums, ResultCounts};
pub use text::TextError;
