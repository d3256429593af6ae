//! Everything that runs games: perft, random games, search, self-play and exploration.
//!
//! Every function here works for any game. Hot loops are generic, ask for no more than they use ([`Game`](rulec_core::Game) or a small
//! trait beside it), and are compiled for each game; the rest goes through [`AnyState`] and is compiled once.
//!
//! A game in which everybody plays by UCT, with so many random games a move:
//!
//! ```
//! use rulec_core::{FullGame, Payoffs, Silent, Turn};
//! use rulec_search::search::{Method, SearchSettings, uct};
//!
//! fn best_play<G: FullGame>(game: &G, games: u64) -> Option<Payoffs> {
//!     let mut state = game.initial();
//!     while let Turn::Decide(_) = game.turn(&state) {
//!         let settings = SearchSettings::games(Method::Uct, games, 1);
//!         let report = uct(game, &state, &settings, &mut |_| true);
//!         let mv = game.move_from_code(report.moves.first()?.code)?;
//!         game.play(&mut state, mv, &mut Silent);
//!     }
//!     game.returns(&state)
//! }
//! ```

pub mod alphabeta;
mod amaf;
mod any;
pub mod bot;
#[cfg(feature = "programs")]
pub mod certificate;
#[cfg(feature = "programs")]
pub mod endgames;
#[cfg(not(feature = "programs"))]
#[path = "endgames/absent.rs"]
pub mod endgames;
pub mod episode;
pub mod evaluation;
pub mod exhaust;
pub mod expectimax;
pub mod explore;
pub mod files;
pub mod heuristic;
pub mod maxn;
mod mirror;
pub mod network;
pub mod notation;
pub mod numbers;
pub mod orbit;
mod order;
mod parallel;
pub mod perft;
pub mod playout;
pub mod proof;
pub mod puct;
pub mod puzzle;
pub mod s3;
pub mod search;
#[cfg(feature = "programs")]
pub mod selfplay;
pub mod simulate;
mod slots;
pub mod solve;
mod spread;
mod together;
#[cfg(feature = "programs")]
pub mod trace;
mod tree;
pub mod turns;
mod uct;
#[cfg(feature = "programs")]
pub mod verify;
pub mod view;
mod walk;

use rulec_noise as noise;

pub use any::{AnyState, Next, State, hide, start};
pub use bot::{Bot, Seat};
pub use numbers::{parse_bytes, parse_count, parse_duration};
pub use order::{Order, ordered};
pub use parallel::{Spent, Stopwatch, available_threads, lock};
pub use rulec_core::ResultCounts;
pub use uct::Thinker;
pub use walk::Walk;

/// Watches work that takes long.
///
/// A closure that is told how far work has come, and says whether to go on, is one.
pub trait Watch: Send {
    /// Is told from time to time how far work has come; returns whether to go on.
    fn go_on(&mut self, done: u64) -> bool;

    /// Is told what a search has found so far, at most once for each depth.
    fn found(&mut self, report: &search::SearchReport) {
        let _ = report;
    }
}

impl<F: FnMut(u64) -> bool + Send> Watch for F {
    fn go_on(&mut self, done: u64) -> bool {
        self(done)
    }
}

/// Who watches work.
pub type Progress<'a> = &'a mut dyn Watch;
