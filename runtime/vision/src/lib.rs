//! Reading a real board: frames, colours, blobs, what stands on each place, and the move that was made.
//!
//! The way from a picture to a move:
//!
//! - [`Frame`]: a picture, from a PNG file or from a camera (`rulec-vision-opencv`)
//! - [`Plane`]: from the table to the picture, by corners or markers
//! - [`Scene`], [`Standing`]: what the rules say of places and looks, and what stands where in a state
//! - [`table`]: a simulated table with a camera, to try all of this without one
//!
//! Pure Rust: no system library is needed.

pub mod colour;
mod frame;
mod plane;
mod scene;
pub mod table;

pub use frame::{Frame, FrameError, HsvFrame, MOST_PIXELS};
pub use plane::{Plane, PlaneError};
pub use scene::{
    Blob, Follow, Look, LookId, MOST_LOOKS, Piece, Place, Scene, SceneError, Standing,
};
