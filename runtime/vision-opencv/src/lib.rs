//! What only OpenCV does for the eyes: cameras, video files, numbered pictures, and markers.
//!
//! Everything else about reading a board is in `rulec-vision`, which needs no system library. This crate is the only one that names
//! `opencv`; it lies outside of the workspace, so that nothing else ever links it.
//!
//! OpenCV complains about missing cameras on standard error; `OPENCV_LOG_LEVEL=ERROR` in the environment silences it.

mod camera;
mod convert;
mod markers;

pub use camera::{Camera, Source};
pub use convert::{components, frame, hsv, mat};
pub use markers::{Family, Marker, corners, draw, find};

/// What went wrong outside of this program.
#[derive(Debug, thiserror::Error)]
pub enum CameraError {
    /// OpenCV says so.
    #[error("OpenCV: {0}")]
    OpenCv(#[from] opencv::Error),
    /// There is no such camera or file, or it cannot be read.
    #[error("{0} cannot be opened")]
    Closed(String),
    /// The camera gave no picture.
    #[error("{0} gives no more pictures")]
    Ended(String),
    /// A picture is not of the form that cameras have.
    #[error("a picture of a form that is not known")]
    Form,
}
