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

mod backward;
mod check;
mod class;
mod frame;
mod graph;
mod plan;
mod probe;
mod table;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt};

use rulec_core::GameInfo;

use crate::AnyState;
pub use check::{Checked, check};
use class::Class;
use frame::Frame;
pub use probe::{Endgames, Kept, Probe};
pub use table::{Counts, ENDING, Table, Value};

/// Is told what is done, how much of it, and of how much; says whether to go on.
pub type Telling<'a> = &'a mut (dyn FnMut(&str, u64, u64) -> bool + Send);

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

/// Which tables are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That of these contents.
    Of(Vec<String>),
    /// Those of all contents up to so many.
    UpTo(usize),
}

/// Bounds of the work.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes at most.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// Seed of the random games by which the game is learnt.
    pub seed: u64,
}

/// What the work was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Positions that were set up, and those that were met on the way and are none of a table.
    pub positions: u64,
    /// Those met on the way.
    pub met: u64,
    /// Moves whose result was not known at once.
    pub moves: u64,
}

/// Works out tables and all that they need; each is given to `keep` when it is done, smaller ones first. Tables that are
/// there already are used.
///
/// # Errors
/// When the game is not of that kind, or there is too much.
pub fn make<'g>(
    start: &(dyn AnyState<'g> + 'g),
    wishes: &[Wish],
    known: Endgames,
    settings: &Settings,
    telling: Telling<'_>,
    keep: &mut dyn FnMut(&Table, Made) -> Result<(), Error>,
) -> Result<Endgames, Error> {
    let frame = match known.frame() {
        Some(frame) => frame.clone(),
        None => Frame::learn(start, settings.seed)?,
    };
    let mut plan = plan::Plan::new(start, &frame, settings, known.into_tables());
    plan.wish(wishes)?;
    while let Some(component) = plan.next()? {
        plan.work_out(&component, telling, keep)?;
    }
    Ok(Endgames::of(plan.into_tables()))
}

/// What tables can be about, for people: the contents of a game, and how many of each there always are.
///
/// # Errors
/// When there can be no tables.
pub fn contents<'g>(
    start: &(dyn AnyState<'g> + 'g),
    seed: u64,
) -> Result<Vec<(String, u8)>, Error> {
    let frame = Frame::learn(start, seed)?;
    Ok(frame.contents.into_iter().zip(frame.always).collect())
}

/// The class of some names.
fn class_of(frame: &Frame, names: &[String]) -> Result<Class, Error> {
    let mut class = Class(vec![0; frame.contents.len()]);
    for name in names {
        let at = frame.contents.iter().position(|known| known == name);
        let count = at.and_then(|at| class.0.get_mut(at));
        let count =
            count.ok_or_else(|| Error::NoContent(name.clone(), frame.contents.join(", ")))?;
        *count = count.saturating_add(1);
    }
    for (at, (always, count)) in frame.always.iter().zip(&class.0).enumerate() {
        if count < always {
            return Err(Error::Missing(frame.contents[at].clone(), *always));
        }
    }
    Ok(class)
}

/// Tables by class.
type Tables = BTreeMap<Class, Table>;

/// Whether all tables are about a game.
fn all_fit(tables: &Tables, info: &GameInfo) -> Result<(), String> {
    tables.values().try_for_each(|table| table.fits(info))
}
