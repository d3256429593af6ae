//! Statistics with intervals, charts, and reports as one HTML page that needs no other file and no network.

mod analysis;
mod board;
mod charts;
mod coverage;
mod page;
mod simulation;
pub mod stats;
mod words;

pub use analysis::analysis_page;
pub use board::{Board, Spot};
pub use coverage::coverage_page;
pub use simulation::simulation_page;
pub use words::{changes_words, simulation_changes, simulation_words};
