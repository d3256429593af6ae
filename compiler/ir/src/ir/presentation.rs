//! What a game looks like: pictures, coordinates, camera and robot data. No rule reads it.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::ids::{DomainId, PlacementId, VarId};

/// Everything about a game that is not play.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Presentation {
    /// Picture of the board.
    pub board: Option<String>,
    /// How places look and where they are.
    pub places: Vec<PlaceLook>,
    /// How pieces look.
    pub pieces: Vec<PieceLook>,
    /// What a camera must see to report a piece.
    pub blobs: Vec<BlobRange>,
    /// The colours of places that have some of their own.
    #[cfg_attr(feature = "stored", serde(default))]
    pub colours: Vec<PlaceColours>,
    /// The owners of pieces, or of kinds of them, that have one from their kind alone.
    #[cfg_attr(feature = "stored", serde(default))]
    pub owners: Vec<PieceOwner>,
    /// By how many degrees, clockwise, the board is turned while a player is to move, by player; those at the end that
    /// are missing are 0.
    #[cfg_attr(feature = "stored", serde(default))]
    pub turned: Vec<f64>,
    /// Ways from place to place that the rules lay down, as far as pictures show them.
    #[cfg_attr(feature = "stored", serde(default))]
    pub links: Vec<Link>,
    /// The variable with the player whom a draw is for, where the game has one: who rolls.
    #[cfg_attr(feature = "stored", serde(default))]
    pub drawing: Option<VarId>,
}

/// A way from a place to another of its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Link {
    /// Domain of both places.
    pub domain: DomainId,
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Whether it leads away from the usual way, as a ladder of a track does.
    pub jump: bool,
}

/// The colours of a place, as CSS writes colours.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct PlaceColours {
    /// Domain of the place.
    pub domain: DomainId,
    /// Its number in the domain.
    pub member: u32,
    /// Its colour.
    pub fill: String,
    /// Its colour while it is chosen as the source of a move.
    pub chosen: String,
    /// Its colour while it can be chosen as the destination of a move.
    pub possible: String,
}

/// Whose a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct PieceOwner {
    /// Domain of the piece.
    pub domain: DomainId,
    /// Its number in the domain.
    pub member: u32,
    /// Number of the player.
    pub player: u32,
}

/// How pieces that may be in each other are shown: boxes in boxes, with the colours of their owners.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct NestLook {
    /// The pieces: the first members of a domain, as many as there are kinds below.
    pub pieces: DomainId,
    /// The kind of each piece.
    pub kinds: Vec<String>,
    /// Whether each piece is shown by its name; else by its kind.
    pub named: Vec<bool>,
    /// Who is in whom; where nothing moves, `first` says it.
    pub placement: Option<PlacementId>,
    /// The container of each piece at the start.
    pub first: Vec<Option<u32>>,
    /// The set of the pieces that are there; all if absent.
    pub exists: Option<VarId>,
    /// The owner of each piece, an optional player; where owners do not change, `first_owners` says it.
    pub owner: Option<VarId>,
    /// The owner of each piece at the start.
    pub first_owners: Vec<Option<u32>>,
    /// Pieces of which only numbers are known.
    pub heaps: Vec<HeapLook>,
}

/// Pieces of a kind of which only numbers are known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct HeapLook {
    /// Their kind.
    pub kind: String,
    /// How many are in each piece.
    pub inside: Option<VarId>,
    /// How many each player owns.
    pub owned: Option<VarId>,
    /// How many are in nothing and nobody's.
    pub loose: VarId,
}

/// A picture and the pixel of it that lies on the place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Picture {
    /// File name as in the rules.
    pub file: String,
    /// Pixel of the picture, from its upper left corner, that is put on the place's coordinate.
    pub hot_spot: (i32, i32),
}

/// How a place looks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct PlaceLook {
    /// Domain of the place.
    pub domain: DomainId,
    /// Its number in the domain.
    pub member: u32,
    /// Name of its kind.
    pub kind: String,
    /// Coordinate on the board picture, in pixels, y downward.
    pub at: Option<(f64, f64)>,
    /// Outline around the coordinate.
    pub shape: Option<Shape>,
    /// Picture of the empty place.
    pub picture: Option<Picture>,
    /// Where a camera sees it, in pixels of its frame.
    pub camera: Option<(i32, i32)>,
    /// Where an arm reaches it.
    pub arm: Option<ArmPose>,
    /// Whether what stands there belongs to the position; which of the pieces in a tray is taken makes no difference.
    #[cfg_attr(feature = "stored", serde(default = "relevant"))]
    pub relevant: bool,
}

#[cfg(feature = "stored")]
fn relevant() -> bool {
    true
}

/// An outline around a coordinate, in pixels.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Shape {
    /// A disc of this radius.
    Circle(f64),
    /// A rectangle of this width and height.
    Rectangle(f64, f64),
    /// A polygon by its corners relative to the coordinate.
    Polygon(Vec<(f64, f64)>),
}

/// Where an arm reaches a place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum ArmPose {
    /// Five servo angles above the place, then five at it, in degrees.
    Angles([f64; 10]),
    /// Coordinates in centimetres from the base of the arm.
    Position([f64; 3]),
}

/// How a piece looks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct PieceLook {
    /// Domain of the piece.
    pub domain: DomainId,
    /// Its number in the domain.
    pub member: u32,
    /// Name of its kind.
    pub kind: String,
    /// The variable, indexed by the piece, that selects the picture; its least value the first.
    pub state: Option<VarId>,
    /// Pictures by state.
    pub pictures: Vec<Option<Picture>>,
    /// The variable, indexed by the piece, that orders painting.
    pub z_order: Option<VarId>,
}

/// The colour and size of the blob that a camera takes for a kind of piece in a state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct BlobRange {
    /// Name of the kind of piece.
    pub kind: String,
    /// State of the piece.
    pub state: i32,
    /// Hue in degrees; least not below greatest wraps around 0.
    pub hue: (f64, f64),
    /// Saturation, 0 to 1.
    pub saturation: (f64, f64),
    /// Value, 0 to 1.
    pub value: (f64, f64),
    /// Size in pixels, inclusive.
    pub size: (i64, i64),
}
