//! Which colours are the board, and which are looks of pieces.

use serde::{Deserialize, Serialize};

use crate::colour::Rgb;
use crate::scene::{LookId, Scene};

/// Colours of the board and of the looks, as a camera saw them in some light.
///
/// A pixel belongs to the colour that is nearest in direction from black, which light does not change, and, with less
/// weight, in brightness beside that of the board around. A pixel that is about as near to another one, or too dark to tell,
/// belongs to none: then nobody knows, which is not the same as an empty place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Palette {
    /// Colours of the board where nothing stands.
    pub boards: Vec<Rgb>,
    /// Colours of the looks, by their numbers; those without one are known by the ranges of the rules only.
    pub looks: Vec<Option<Rgb>>,
}

/// The class of a pixel: [`UNKNOWN`], [`BOARD`], or [`FIRST_LOOK`] and the number of a look.
pub(crate) type Class = u8;
/// Nobody knows what it is.
pub(crate) const UNKNOWN: Class = 0;
/// The board.
pub(crate) const BOARD: Class = 1;
/// The first look.
pub(crate) const FIRST_LOOK: Class = 2;

impl Palette {
    /// The look whose range in the rules holds a colour, of those that have no colour here.
    pub(crate) fn by_range(&self, scene: &Scene, colour: Rgb) -> Class {
        let hsv = colour.hsv();
        let mut looks = scene.looks.iter().enumerate();
        let found = looks.find(|(number, look)| {
            let learnt = self.looks.get(*number).copied().flatten();
            learnt.is_none() && look.blobs.iter().any(|blob| blob.range.holds(hsv))
        });
        match found {
            Some((number, _)) => FIRST_LOOK + number as u8,
            // Where colours come from ranges alone, everything else is the board.
            None if self.boards.is_empty() => BOARD,
            None => UNKNOWN,
        }
    }

    /// The colour of a look.
    pub fn look(&self, look: LookId) -> Option<Rgb> {
        self.looks.get(usize::from(look)).copied().flatten()
    }
}
