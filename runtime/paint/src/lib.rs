//! Pictures of positions as PNG, still and animated.
//!
//! What is painted are the documents of `rulec-render`, not any SVG: an element that they do not use is refused, so that nothing is left
//! out of a picture in silence. Letters come with this crate, so a picture is the same on every machine.

#![forbid(unsafe_code)]

mod brush;
mod document;
mod film;
mod letters;
mod outline;
mod photo;

use std::collections::BTreeSet;

use tiny_skia::Pixmap;

pub use film::film;

/// The most pixels of a side of a picture.
pub const MOST_PIXELS: u32 = 8192;

/// Why a document is not painted.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// The text is no XML.
    #[error("the picture is no SVG: {0}")]
    Xml(#[from] roxmltree::Error),
    /// An element or a value that the renderer does not write.
    #[error("the picture has {0}, which is not painted")]
    Unknown(String),
    /// A side is empty or too long.
    #[error("a picture of {0} x {1} pixels is not painted; a side has 1 to {MOST_PIXELS}")]
    Size(f64, f64),
    /// A picture file of the rules is damaged.
    #[error("a picture file cannot be read: {0}")]
    File(String),
    /// The encoder fails.
    #[error(transparent)]
    Encode(#[from] png::EncodingError),
    /// There is nothing to animate.
    #[error("an animation needs a picture")]
    NoPictures,
}

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// So many pixels for a unit of the document.
    Scale(f64),
    /// So many pixels from left to right.
    Width(u32),
}

/// A painted picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pixmap: Pixmap,
    unknown: BTreeSet<char>,
}

impl Picture {
    /// Paints a document.
    ///
    /// # Errors
    /// When it is none of the renderer's, or too large.
    pub fn paint(svg: &str, size: Size) -> Result<Self, PaintError> {
        document::paint(svg, size)
    }

    /// Pixels from left to right.
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// Red, green, blue and how opaque a pixel is; nothing beside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let colour = self.pixmap.pixel(x, y)?.demultiply();
        Some([colour.red(), colour.green(), colour.blue(), colour.alpha()])
    }

    /// Letters that this crate does not have; a box stands for each.
    pub fn unknown_letters(&self) -> impl Iterator<Item = char> {
        self.unknown.iter().copied()
    }

    /// The file.
    ///
    /// # Errors
    /// When the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, PaintError> {
        film::still(self)
    }
}
