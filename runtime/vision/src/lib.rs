//! Reading a real board: frames, colours, blobs, what stands on each place, and the move that was made.
//!
//! The way from a picture to a move:
//!
//! - [`Frame`]: a picture, from a PNG file or from a camera (`rulec-vision-opencv`)
//! - [`Plane`]: from the table to the picture, by corners or markers
//! - [`Scene`], [`Standing`]: what the rules say of places and looks, and what stands where in a state
//! - [`Eyes`], [`Sight`]: colours are learnt from a known position; then the odds of everything on every place
//! - [`judge`]: which of several positions that is, and whether it is sure
//! - [`mod@decode`]: the legal moves that may have led there, taken only when one is clearly the likeliest
//! - [`original`]: the detector of the original system, for its results
//! - [`table`]: a simulated table with a camera, to try all of this without one
//! - [`trial`]: how well a game is read there
//!
//! Pure Rust: no system library is needed.

pub mod blobs;
pub mod colour;
pub mod decode;
pub mod eyes;
mod frame;
pub mod judge;
mod light;
pub mod original;
mod palette;
mod plane;
mod scene;
pub mod table;
pub mod trial;

pub use decode::{Candidate, Reading, Verdict, decode, same_but_seen};
pub use eyes::{Calibration, Doubt, Eyes, EyesError, PlaceSight, SELF_TEST, Sight, Thing};
pub use frame::{Frame, FrameError, HsvFrame, MOST_PIXELS};
pub use judge::{Caution, Evidence, Judge, Judgement, Looks, Question, Seen};
pub use palette::Palette;
pub use plane::{Pair, Plane, PlaneError, Point};
pub use scene::{
    Blob, Follow, Look, LookId, MOST_LOOKS, Piece, Place, Scene, SceneError, Standing,
};
