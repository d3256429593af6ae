//! Everything that runs games: perft, random games, search, exploration, and the command line of every game.
//!
//! Every function here works for any [`Game`](rulec_core::Game). Hot loops are generic and compiled for each game;
//! the rest goes through [`AnyState`] and is compiled once.

mod any;
mod bot;
pub mod command;
pub mod episode;
pub mod expectimax;
pub mod explore;
pub mod files;
mod numbers;
mod order;
mod parallel;
pub mod perft;
pub mod playout;
pub mod search;
pub mod selfplay;
pub mod simulate;
pub mod solve;
mod tally;
pub mod trace;
mod tree;
pub mod turns;
pub mod view;

pub use any::{AnyState, Next, State, hide, start};
pub use bot::Bot;
pub use command::game_main;
pub use numbers::{parse_count, parse_duration};
pub use order::{Order, ordered};
pub use parallel::{Spent, Stopwatch, available_threads};
pub use tally::ResultCounts;

/// Is told from time to time how far work has come; returns whether to go on.
pub type Progress<'a> = &'a mut (dyn FnMut(u64) -> bool + Send);
