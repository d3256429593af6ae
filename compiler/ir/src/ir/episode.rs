//! Episodes: what a host needs to set boards up, to offer attempts and to tell what came of them.
//!
//! A game with an episode is about pieces that a player tries to bring to targets. A host gives the pieces of a board,
//! the rules run to their first stop, and from then on tell for each target what it accepts. An attempt that is not
//! accepted is no move: it changes nothing but what the host counts.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::ids::{FamilyId, VarId};
use crate::source::Span;

/// How a host runs the game in episodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Episode {
    /// The moves: what a target accepts. Its parameters are the target and the unit, and it has no context.
    pub family: FamilyId,
    /// The units on the board: a set. The host gives it before the rules run.
    pub present: VarId,
    /// The kind of each unit: a member, indexed by units. The host gives it; units that are not on the board have
    /// kind 0.
    pub kinds: VarId,
    /// The place of each unit: a member, indexed by units, given by the host. Without it the units are the places.
    pub places: Option<VarId>,
    /// The units that each target accepts: a set, indexed by targets. It means nothing once the game has ended.
    pub accepted: VarId,
    /// The number of the active row.
    pub row: VarId,
    /// Moves that the active row may still accept, negative for any number.
    pub row_left: VarId,
    /// Moves that each atom of the active row may still accept, negative for any number: indexed by numbers from 0.
    pub atoms_left: VarId,
    /// The number of atoms of each row.
    pub atoms: Vec<u32>,
    /// Where each row stands in the rules.
    #[cfg_attr(feature = "stored", serde(default))]
    pub rows: Vec<Span>,
    /// Columns of the board; its first place is in the lower left corner.
    pub columns: u32,
    /// What is known of each kind of piece.
    pub looks: Vec<KindInfo>,
    /// Values that a host may list for each property.
    pub features: Vec<(String, Vec<String>)>,
    /// Where boards come from if the host does not say.
    pub boards: BoardSource,
    /// Which boards are for training and which for testing.
    pub selection: Option<Selection>,
    /// What the files beside the rules tell a host that means nothing to the rules, such as points: names and values.
    pub parameters: Vec<(String, String)>,
}

/// What is known of a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct KindInfo {
    /// Its name: that of its picture, if it has one, or what tells it from others.
    pub name: String,
    /// Whether the name is that of a picture.
    pub pictured: bool,
    /// Names and values of its properties.
    pub properties: Vec<(String, String)>,
}

/// Where boards come from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum BoardSource {
    /// So many pieces of kinds that are pairs of values of two properties.
    Pairs {
        /// Least and greatest number of pieces.
        pieces: (u32, u32),
        /// Least and greatest number of different values of the first property; 0 for any.
        first: (u32, u32),
        /// Least and greatest number of different values of the second property; 0 for any.
        second: (u32, u32),
        /// The kind of each pair, by first value and then by second; so many second values there are.
        kinds: Vec<u32>,
        /// Number of second values.
        seconds: u32,
    },
    /// So many pieces, each of one of these kinds.
    Kinds {
        /// Least and greatest number of pieces.
        pieces: (u32, u32),
        /// The kinds.
        kinds: Vec<u32>,
    },
    /// So many pieces, each of a kind of one of these families.
    Families {
        /// Least and greatest number of pieces.
        pieces: (u32, u32),
        /// The families. One is drawn, all being as likely, and then one of its kinds.
        families: Vec<KindFamily>,
    },
    /// These boards.
    Fixed {
        /// The boards, one an episode, from the first again after the last.
        boards: Vec<Vec<FixedPiece>>,
        /// Whether the order is drawn at random.
        shuffled: bool,
        /// Whether the boards were drawn and are not given by name: players see no labels of pieces then.
        drawn: bool,
    },
}

/// Kinds that are drawn by several draws, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct KindFamily {
    /// How many choices each draw has.
    pub draws: Vec<u32>,
    /// The kind of each combination; the last draw counts single steps.
    pub kinds: Vec<u32>,
}

/// A piece of a board that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct FixedPiece {
    /// Its number for players.
    pub id: i32,
    /// Its kind.
    pub kind: u32,
    /// Its place.
    pub place: u32,
}

/// Which boards are for training and which for testing: on those for training no piece fits any row, on those for testing
/// some piece fits some row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Selection {
    /// For each row and kind the places, a bit each, where such a piece fits.
    pub rows: Vec<Vec<u64>>,
    /// The places, a bit each, if the condition speaks of nothing else.
    pub only_places: Option<u64>,
    /// Whether boards are for testing unless the host says otherwise.
    pub testing: bool,
}
