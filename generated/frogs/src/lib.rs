//! A game compiled from its rules: see [`game`].
//!
//! ```
//! use frogs::game::Game;
//! use rulec_runtime::{ChanceList, Game as _, MoveList, Silent, Turn};
//!
//! let mut state = Game.initial();
//! for (place, piece) in state.board() {
//!     if let Some(piece) = piece {
//!         println!("{place}: {piece}");
//!     }
//! }
//! let mut moves = MoveList::new();
//! let mut results = ChanceList::new();
//! match Game.turn(&state) {
//!     Turn::Decide(_) => Game.legal_moves(&state, &mut moves).expect("no rule fails"),
//!     Turn::Chance => Game.chance_outcomes(&state, &mut results),
//!     Turn::Over => {}
//! }
//! let draws = results.iter().map(|(result, _)| *result);
//! if let Some(mv) = moves.iter().copied().chain(draws).next() {
//!     println!("{mv}");
//!     Game.play(&mut state, mv, &mut Silent);
//! }
//! ```

#![forbid(unsafe_code)]

pub mod game;
