//! Everything that runs games: perft, random games, search, exploration, and the command line of every game.
//!
//! Every function here works for any [`Game`](rulec_core::Game). Hot loops are generic and compiled for each game;
//! the rest goes through [`AnyState`] and is compiled once.

pub mod alphabeta;
mod any;
pub mod bot;
pub mod certificate;
pub mod command;
pub mod episode;
pub mod exhaust;
pub mod expectimax;
pub mod explore;
pub mod files;
pub mod heuristic;
pub mod maxn;
pub mod network;
mod numbers;
mod order;
mod parallel;
pub mod perft;
pub mod playout;
pub mod proof;
pub mod puct;
pub mod puzzle;
pub mod s3;
pub mod search;
pub mod selfplay;
pub mod simulate;
pub mod solve;
mod tally;
pub mod trace;
mod tree;
pub mod turns;
mod uct;
pub mod verify;
pub mod view;
mod walk;

use rulec_noise as noise;

pub use any::{AnyState, Next, State, hide, start};
pub use bot::{Bot, Seat};
pub use command::game_main;
pub use numbers::{parse_bytes, parse_count, parse_duration};
pub use order::{Order, ordered};
pub use parallel::{Spent, Stopwatch, available_threads};
pub use tally::ResultCounts;
pub use uct::Thinker;
pub use walk::Walk;

/// Is told from time to time how far work has come; returns whether to go on.
pub type Progress<'a> = &'a mut (dyn FnMut(u64) -> bool + Send);
