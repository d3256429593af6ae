//! Statistics with intervals, charts, and reports as one HTML page that needs no other file and no network.

mod analysis;
mod board;
mod charts;
mod page;
mod simulation;
pub mod stats;

pub use analysis::analysis_page;
pub use board::{Board, Spot};
pub use simulation::simulation_page;
