//! Tables of endgames, worked out backwards from the ends: for every position of a class who wins and after how many plies.
//!
//! A class is what stands on the board without where, such as a king and a rook against a king. All placements are set up by writing
//! them into the text of a position (`frame`), and kept where the rules can read them. Each position's moves are made once
//! (`graph`); then results run back along them (`backward`). What moves lead to outside of a class is looked up in the tables of
//! smaller classes, which are worked out first; classes that lead to each other are worked out together.
//!
//! What a position is beside contents, places and who is on turn, such as what has moved before, is as it most often is in play, with
//! empty sets; whether that matters is found by playing on from positions with and without it. Where it does, such as in the
//! middle of a row of jumps, positions are followed as they are. Rules about how often a position came or how long nothing happened
//! are left out: each position is as if play began there.
//!
//! Which positions can come up the rules say themselves, as far as one move tells. Where there are things that play never loses, as
//! shown by random games, such as the kings of chess, a position counts only if none of them can be taken and a move of some placement
//! of the same things leads to it: the rules let nobody move so that the own king can be taken.

mod ahead;
mod backward;
mod check;
mod class;
mod frame;
mod graph;
mod make;
mod plan;
mod probe;
mod table;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt};

use rulec_core::GameInfo;

pub use check::{Checked, check};
use class::Class;
use frame::Frame;
pub use make::{contents, make};
pub use plan::{Made, Settings, Telling, Wish};
pub use probe::{Endgames, Kept, Probe};
pub use table::{Counts, ENDING, Table, Value};

/// Why tables cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The game is not for one or two players who decide everything.
    Players,
    /// Texts of positions do not list what stands on each place.
    NoBoard,
    /// What stands where cannot be told from the planes.
    Hidden,
    /// A position that is set up is refused.
    Refused(String),
    /// There is no such content.
    NoContent(String, String),
    /// Something that is always there is not named.
    Missing(String, u8),
    /// There are too many positions.
    Memory {
        /// Positions and moves so far.
        positions: u64,
        /// Moves so far.
        moves: u64,
        /// Bytes that they take.
        bytes: u64,
        /// Bytes that are allowed.
        allowed: u64,
    },
    /// There are too many classes, or placements of one.
    Classes,
    /// It was stopped.
    Stopped,
    /// A class was met that nobody expected; it is worked out first.
    #[doc(hidden)]
    Unknown(UnknownClass),
    /// A table cannot be kept.
    Keeping(String),
}

/// A class that was met.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownClass(Class);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Players => f.write_str(
                "tables of endgames are for games of one or two players who take turns, without draws of chance",
            ),
            Error::NoBoard => f.write_str(
                "tables of endgames are for games whose positions list what stands on each place, and this one's do not",
            ),
            Error::Hidden => f.write_str(
                "what stands where cannot be told from what the game shows of a position, so its positions cannot be numbered",
            ),
            Error::Refused(why) => write!(f, "positions cannot be set up: {why}"),
            Error::NoContent(name, known) => {
                write!(f, "nothing is called `{name}`; there are {known}")
            }
            Error::Missing(name, count) => write!(
                f,
                "there is always {count} {name} in this game: name it too, or what is always there is told by the wrong games"
            ),
            Error::Memory {
                positions,
                moves,
                bytes,
                allowed,
            } => write!(
                f,
                "{positions} positions with {moves} moves so far take {} MB, and {} MB are allowed: allow more with --memory, or ask for \
                 fewer pieces",
                bytes >> 20,
                allowed >> 20
            ),
            Error::Classes => f.write_str("these are too many positions to number: ask for fewer pieces"),
            Error::Stopped => f.write_str("stopped"),
            Error::Unknown(_) => f.write_str("a class was met that no position of another showed"),
            Error::Keeping(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// Tables by class.
type Tables = BTreeMap<Class, Table>;

/// Whether all tables are about a game.
fn all_fit(tables: &Tables, info: &GameInfo) -> Result<(), String> {
    tables.values().try_for_each(|table| table.fits(info))
}
