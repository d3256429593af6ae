//! An eye that reads pictures.

use std::path::PathBuf;

use rulec_vision::{Eyes, Frame, LookId, Sight as Seen};

use crate::{Eye, EyeFault, Reading, Sight};

/// Where pictures come from.
pub trait Camera {
    /// The next picture.
    ///
    /// # Errors
    /// When there is none.
    fn frame(&mut self) -> Result<Frame, EyeFault>;
}

/// Which part of the places may be hidden before the picture counts as one of a hand.
const HIDDEN: f64 = 0.5;
/// How far from the middle of its place a piece may lie for the gripper, in parts of the distance to the next place.
const CENTRED: f64 = 0.3;
/// From here on a piece lies on no place.
const BESIDE: f64 = 0.5;
/// Which part of a whole piece a blob must have to count as one.
const PIECE: f64 = 0.5;

/// An eye on a camera, with the colours and the place of the table known.
pub struct PictureEye<C> {
    camera: C,
    eyes: Eyes,
    folder: Option<PathBuf>,
    pictures: u32,
    last: Option<String>,
}

impl<C: Camera> PictureEye<C> {
    /// An eye that keeps every picture in a folder, if one is given.
    pub fn new(camera: C, eyes: Eyes, folder: Option<PathBuf>) -> PictureEye<C> {
        PictureEye {
            camera,
            eyes,
            folder,
            pictures: 0,
            last: None,
        }
    }

    /// Writes a picture down; one that cannot be written does not stop the game.
    fn keep(&mut self, frame: &Frame) {
        self.last = None;
        let Some(folder) = &self.folder else {
            return;
        };
        let name = format!("{:06}.png", self.pictures);
        self.pictures += 1;
        if let Ok(bytes) = frame.to_png()
            && std::fs::write(folder.join(&name), bytes).is_ok()
        {
            self.last = Some(name);
        }
    }
}

impl<C: Camera> Eye for PictureEye<C> {
    fn look(&mut self) -> Result<Sight, EyeFault> {
        let frame = self.camera.frame()?;
        self.keep(&frame);
        let seen = self
            .eyes
            .look(&frame)
            .map_err(|error| EyeFault(error.to_string()))?;
        Ok(reading(&self.eyes, &seen))
    }

    fn picture(&self) -> Option<String> {
        self.last.clone()
    }
}

/// What is seen, in the terms of a game: odds become likelihoods, and what is hidden is a hand.
fn reading(eyes: &Eyes, seen: &Seen) -> Sight {
    if seen.places.iter().any(|place| place.unknown > HIDDEN) {
        return Sight::Hand;
    }
    let fit = seen.places.iter().map(|place| {
        let nothing = std::iter::once(0.0);
        nothing.chain(place.odds.iter().copied()).collect()
    });
    let whole = || seen.things.iter().filter(|thing| thing.whole >= PIECE);
    let mut off_centre: Vec<usize> = whole()
        .filter(|thing| thing.off > CENTRED && thing.off <= BESIDE)
        .map(|thing| thing.place)
        .collect();
    off_centre.sort_unstable();
    off_centre.dedup();
    let looks = eyes.scene().looks.len();
    let known = |look: LookId| usize::from(look) < looks;
    let strays = whole()
        .filter(|thing| thing.off > BESIDE && known(thing.look))
        .count();
    Sight::Board(Reading {
        fit: fit.collect(),
        off_centre,
        strays: u32::try_from(strays).unwrap_or(u32::MAX),
    })
}
