//! Small games in the IR, for the tests of everything that reads it.
//!
//! Each shows one part of the vocabulary; together they use all of it.
//! [`random_game`] makes any number of further ones.

mod board;
mod counted;
mod data;
mod episode;
mod flow;
mod kit;
mod nest;
mod random;

use rulec_ir::ir::{Game, Source};

pub use data::FAULTS;
pub use random::random_game;

type Maker = fn() -> Game;

const SAMPLES: &[(&str, Maker)] = &[
    ("tic-tac-toe", board::tic_tac_toe),
    ("hex", board::hex),
    ("rooks", board::rooks),
    ("king", board::king),
    ("forced", board::forced),
    ("passing", board::passing),
    ("slides", board::slides),
    ("dice", flow::dice),
    ("nested", flow::nested),
    ("simultaneous", flow::simultaneous),
    ("trials", flow::trials),
    ("rollback", flow::rollback),
    ("loops", flow::loops),
    ("counted", counted::counted),
    ("environment", flow::environment),
    ("stack", data::stack),
    ("tagged", data::tagged),
    ("subsets", data::subsets),
    ("repetition", data::repetition),
    ("boxes", data::boxes),
    ("crates", nest::crates),
    ("faults", data::faults),
    ("broken", data::broken),
    ("sorting", episode::sorting),
];

/// All samples by name.
pub fn all() -> Vec<(&'static str, Game)> {
    SAMPLES.iter().map(made).collect()
}

/// The sample with this name.
pub fn by_name(name: &str) -> Option<Game> {
    let sample = SAMPLES.iter().find(|(n, _)| *n == name);
    sample.map(|sample| made(sample).1)
}

fn made((name, make): &(&'static str, Maker)) -> (&'static str, Game) {
    let mut game = make();
    game.sources = vec![source(name)];
    (*name, game)
}

/// A made-up file in which every tenth byte starts a line.
fn source(name: &str) -> Source {
    Source {
        name: format!("{name}.ir"),
        sha256: String::new(),
        lines: (0..4000).map(|line| line * 10).collect(),
    }
}
