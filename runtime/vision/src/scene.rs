//! What a camera has to know of a game: places, looks of pieces, and what stands where.
//!
//! A [`Scene`] is data. Places and pieces have the numbers of [`GameInfo::places`](rulec_core::GameInfo::places) and
//! [`GameInfo::pieces`](rulec_core::GameInfo::pieces), so that the [`Event`]s of a move say what changes on the table.

use rulec_core::{Event, Events};
use serde::{Deserialize, Serialize};

use crate::colour::{Range, Rgb};

/// The number of a look in [`Scene::looks`].
pub type LookId = u8;

/// Everything that reading a board of a game needs to know of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Name of the game.
    pub game: String,
    /// The places, by their numbers in the game.
    pub places: Vec<Place>,
    /// The looks that pieces may have: a kind in a state each. At most 250.
    pub looks: Vec<Look>,
    /// The pieces, or kinds of pieces where single ones have no names, by their numbers in the game.
    pub pieces: Vec<Piece>,
    /// The piece on each place at the start.
    pub start: Vec<Option<u32>>,
    /// The value of the property that changes the look of each piece, at the start.
    pub values: Vec<i64>,
}

/// A place of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Its name in the rules.
    pub name: String,
    /// Name of its kind.
    pub kind: String,
    /// Where it lies on the table, in the rules' own unit (pixels of the board picture), y downward.
    pub at: (f64, f64),
    /// Distance to its nearest neighbour, in the same unit.
    pub pitch: f64,
    /// Where a camera that the rules were written for sees it, in pixels.
    pub camera: Option<(i32, i32)>,
    /// Whether what stands there belongs to the position; trays and graveyards do not.
    pub relevant: bool,
}

/// What a piece of a kind in a state looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Name of the kind.
    pub kind: String,
    /// The state of the piece, as the rules count states.
    pub state: i64,
    /// What the rules say that a camera sees; several entries stand for alternatives.
    pub blobs: Vec<Blob>,
    /// The colour it is painted with on a simulated table.
    pub paint: Rgb,
}

/// Colours and sizes of the blob that a camera takes for a look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blob {
    /// The colours.
    pub range: Range,
    /// Least and greatest size in pixels, inclusive.
    pub size: (i64, i64),
}

/// A piece, or a kind of piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// The property, as [`Event::StateChanged`] names it, that selects its look; none if it has one look.
    pub property: Option<String>,
    /// Its looks, by the value of the property: the first belongs to `least`.
    pub looks: Vec<LookId>,
    /// The least value of the property.
    pub least: i64,
}

/// What the rules do not say fits together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// The lists of places and of what stands on them differ in length, or of pieces and their values.
    #[error("the scene has lists of different lengths")]
    Lengths,
    /// A piece or look is named by a number that nothing has.
    #[error("the scene names a piece or a look that it does not have")]
    Unknown,
    /// There are more looks than can be told apart.
    #[error("the scene has {0} looks; at most {MOST_LOOKS} can be told apart")]
    Looks(usize),
    /// A place has no coordinate, or two have the same.
    #[error("the place `{0}` has no coordinate of its own")]
    Place(String),
}

/// The greatest number of looks in a scene.
pub const MOST_LOOKS: usize = 250;

impl Scene {
    /// Checks that the parts fit together; what comes from a file is not used without.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self) -> Result<(), SceneError> {
        if self.start.len() != self.places.len() || self.values.len() != self.pieces.len() {
            return Err(SceneError::Lengths);
        }
        if self.looks.len() > MOST_LOOKS {
            return Err(SceneError::Looks(self.looks.len()));
        }
        let mut stand = self.start.iter().flatten();
        let mut looks = self.pieces.iter().flat_map(|piece| &piece.looks);
        if stand.any(|&piece| piece as usize >= self.pieces.len())
            || looks.any(|&look| usize::from(look) >= self.looks.len())
        {
            return Err(SceneError::Unknown);
        }
        let lost = |place: &&Place| {
            let (x, y) = place.at;
            !(x.is_finite() && y.is_finite() && place.pitch.is_finite() && place.pitch > 0.0)
        };
        match self.places.iter().find(lost) {
            Some(place) => Err(SceneError::Place(place.name.clone())),
            None => Ok(()),
        }
    }

    /// The number of a place by its name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place.name == name)
    }

    /// What stands where at the start.
    pub fn standing(&self) -> Standing {
        Standing {
            on: self.start.clone(),
            values: self.values.clone(),
        }
    }

    /// The look of a piece with a value of its property; nothing if it has no picture for it.
    pub fn look_of(&self, piece: u32, value: i64) -> Option<LookId> {
        let piece = self.pieces.get(piece as usize)?;
        let number = match piece.property {
            Some(_) => usize::try_from(value.checked_sub(piece.least)?).ok()?,
            None => 0,
        };
        piece.looks.get(number).copied()
    }

    /// The part of the table whose corners are marked: left, top, right, bottom.
    ///
    /// It holds all places with their surroundings, and is at least half as broad as it is long: the corners of a narrow
    /// strip do not tell how the table is tilted.
    pub fn extent(&self) -> (f64, f64, f64, f64) {
        let mut extent = (
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        );
        for place in &self.places {
            let (x, y) = place.at;
            let room = place.pitch * 0.75;
            extent.0 = extent.0.min(x - room);
            extent.1 = extent.1.min(y - room);
            extent.2 = extent.2.max(x + room);
            extent.3 = extent.3.max(y + room);
        }
        if self.places.is_empty() {
            return (0.0, 0.0, 1.0, 1.0);
        }
        let (width, height) = (extent.2 - extent.0, extent.3 - extent.1);
        let (more_x, more_y) = (
            (height / 2.0 - width).max(0.0) / 2.0,
            (width / 2.0 - height).max(0.0) / 2.0,
        );
        extent.0 -= more_x;
        extent.2 += more_x;
        extent.1 -= more_y;
        extent.3 += more_y;
        extent
    }

    /// The name of what stands somewhere, for people.
    pub fn standing_name(&self, look: Option<LookId>) -> String {
        look.map_or_else(|| "nothing".to_owned(), |look| self.look_name(look))
    }

    /// The name of a look, for people: the kind, and the state where the kind has several.
    pub fn look_name(&self, look: LookId) -> String {
        let Some(this) = self.looks.get(usize::from(look)) else {
            return "nothing".to_owned();
        };
        let several = self.looks.iter().filter(|l| l.kind == this.kind).count() > 1;
        match several {
            true => format!("{} ({})", this.kind, this.state),
            false => this.kind.clone(),
        }
    }
}

/// What stands on each place, and how it looks.
///
/// It follows a game by the events of its moves, so it serves every game alike:
/// give it to [`Game::play`](rulec_core::Game::play) with [`Standing::follow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    on: Vec<Option<u32>>,
    values: Vec<i64>,
}

impl Standing {
    /// The piece on a place.
    pub fn piece(&self, place: usize) -> Option<u32> {
        self.on.get(place).copied().flatten()
    }

    /// The look of what stands on a place; nothing if it is empty.
    pub fn look(&self, scene: &Scene, place: usize) -> Option<LookId> {
        let piece = self.piece(place)?;
        let value = self.values.get(piece as usize).copied().unwrap_or(0);
        scene.look_of(piece, value)
    }

    /// The looks on all places.
    pub fn looks(&self, scene: &Scene) -> Vec<Option<LookId>> {
        (0..self.on.len()).map(|at| self.look(scene, at)).collect()
    }

    /// A receiver of events that changes this as they say.
    pub fn follow<'a>(&'a mut self, scene: &'a Scene) -> Follow<'a> {
        Follow {
            scene,
            standing: self,
        }
    }

    /// A piece leaves a place, unless another one stands there.
    fn leave(&mut self, piece: u32, place: u32) {
        if let Some(held) = self.on.get_mut(place as usize) {
            held.take_if(|held| *held == piece);
        }
    }

    /// Changes this as an event says. A place holds one piece: what stood there before is gone.
    pub fn apply(&mut self, scene: &Scene, event: &Event) {
        match *event {
            Event::Moved { piece, from, to } => {
                self.leave(piece, from);
                self.put(to as usize, Some(piece));
            }
            Event::Placed { piece, at } => self.put(at as usize, Some(piece)),
            Event::Removed { piece, at } => self.leave(piece, at),
            Event::StateChanged {
                piece,
                property,
                value,
            } => {
                let known = scene.pieces.get(piece as usize);
                let ours = known.is_some_and(|p| p.property.as_deref() == Some(property));
                if let Some(kept) = self.values.get_mut(piece as usize).filter(|_| ours) {
                    *kept = value;
                }
            }
            _ => {}
        }
    }
}

impl Standing {
    /// Number of places.
    pub fn len(&self) -> usize {
        self.on.len()
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.on.is_empty()
    }

    /// Puts a piece on a place, or takes away what stands there.
    pub fn put(&mut self, place: usize, piece: Option<u32>) {
        if let Some(held) = self.on.get_mut(place) {
            *held = piece;
        }
    }

    /// Gives a piece another value of the property that changes its look.
    pub fn set_value(&mut self, piece: u32, value: i64) {
        if let Some(held) = self.values.get_mut(piece as usize) {
            *held = value;
        }
    }
}

/// Receives the events of a move, see [`Standing::follow`].
#[derive(Debug)]
pub struct Follow<'a> {
    scene: &'a Scene,
    standing: &'a mut Standing,
}

impl Events for Follow<'_> {
    const COUNTS: bool = false;

    fn event(&mut self, event: Event) {
        self.standing.apply(self.scene, &event);
    }
}
