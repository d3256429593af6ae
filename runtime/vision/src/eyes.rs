//! From a frame to what is seen on each place.
//!
//! Pixels get classes by the [`Palette`], pixels of one look become blobs, blobs become [`Thing`]s on the table, and each place
//! gets the odds of everything that may stand on it. Nothing is decided here: see [`decode`](mod@crate::decode).

use serde::{Deserialize, Serialize};

use crate::blobs::{Component, components};
use crate::colour::Rgb;
use crate::frame::Frame;
use crate::light::{Gains, View, classify, length};
use crate::palette::{BOARD, Class, FIRST_LOOK, Palette, UNKNOWN};
use crate::plane::{Pair, Plane, PlaneError};
use crate::scene::{LookId, Scene, SceneError, Standing};

/// What was learnt when camera and table were set up; it is kept between games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Width and height of the frames.
    pub size: (usize, usize),
    /// From the unit of the scene to pixels.
    pub plane: Plane,
    /// The colours.
    pub palette: Palette,
    /// The area of a piece of each look, in square units of the scene.
    pub areas: Vec<f64>,
}

/// A reader of frames that knows where places are and what colours pieces have.
#[derive(Clone, Debug)]
pub struct Eyes {
    scene: Scene,
    calibration: Calibration,
    back: Plane,
    /// Distance of neighbouring places of the board, in pixels.
    pitch: f64,
    spots: Vec<Spot>,
}

/// Where a place is in the picture.
#[derive(Clone, Copy, Debug)]
struct Spot {
    at: (f64, f64),
    /// Pixels for one unit of the scene.
    scale: f64,
    /// Distance to the nearest neighbour, in pixels.
    pitch: f64,
}

/// What is seen in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// What is seen on each place.
    pub places: Vec<PlaceSight>,
    /// The pieces that are seen, wherever they lie.
    pub things: Vec<Thing>,
}

/// What is seen on a place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceSight {
    /// Natural logarithms of odds, against nothing standing there, of each look: positive where the look is likelier.
    pub odds: Vec<f64>,
    /// Which part of the place is neither board nor piece, such as a hand or darkness, 0 to 1.
    pub unknown: f64,
}

/// A piece that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// What it looks like.
    pub look: LookId,
    /// Where it lies, in the unit of the scene.
    pub at: (f64, f64),
    /// The nearest place.
    pub place: usize,
    /// How far from the middle of that place, in parts of the distance to the next place.
    pub off: f64,
    /// Its area beside that of a whole piece, 1 for all of it.
    pub whole: f64,
    /// Which part of the inner disc around its middle has its colour: less than all where a part of the piece is not
    /// recognised, and then its middle is somewhere else.
    pub filled: f64,
}

/// Why eyes cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum EyesError {
    /// The scene is not sound.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Corners or markers do not tell where the table is.
    #[error("the table is not found: {0}")]
    Plane(#[from] PlaneError),
    /// Places lie outside of the picture.
    #[error("the camera does not see {}", .0.join(", "))]
    Outside(Vec<String>),
    /// The calibration was made for frames of another size, or another game.
    #[error("the calibration does not fit the {0}")]
    Misfit(&'static str),
    /// What stands on the table is not what should; the places, for people.
    #[error("the table does not look as it should: {}", list(.0))]
    Unsure(Vec<Doubt>),
    /// No piece of a look is on the table, and the rules give no range of colours for it.
    #[error("the colour of {0} is not known: put one on the table, or give its range in the rules")]
    Colour(String),
}

/// A place where what is seen is not, or not surely, what should be there.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Number of the place.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// What should be there, for people.
    pub expected: String,
    /// What seems to be there, for people.
    pub seen: String,
    /// How much likelier that is, as a natural logarithm; negative where what should be there is likelier, but not by enough.
    pub by: f64,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            name,
            expected,
            seen,
            by,
            ..
        } = self;
        match *by > 0.0 {
            true => write!(f, "{name} shows {seen} instead of {expected}"),
            false => write!(f, "{name} hardly shows {expected} (or {seen})"),
        }
    }
}

fn list(doubts: &[Doubt]) -> String {
    let texts: Vec<String> = doubts.iter().take(6).map(ToString::to_string).collect();
    let more = doubts.len().saturating_sub(6);
    match more {
        0 => texts.join("; "),
        more => format!("{}; and {more} more places", texts.join("; ")),
    }
}

/// Odds of a piece that lies in the middle of its place, and against one where only the board is seen.
const SURE: f64 = 10.0;
/// What a place must show for sure when eyes are opened.
pub const SELF_TEST: f64 = 4.0;
/// Blobs below this part of a piece are dirt.
const DIRT: f64 = 0.12;

/// How fast the odds of a piece fall beyond half the way to the next place, beside how fast they fall before: people put
/// pieces down badly, and nobody knows better than to a tenth of that way where places are in the picture.
const ASTRAY: f64 = 0.6;
/// Odds of anything where something lies that nobody recognises, at least: not enough for anything to be sure.
const VEILED: f64 = -2.0;
/// Which part of the inner disc of a piece must be unrecognised to be more than a rim.
const UNRECOGNISED: f64 = 0.7;
/// The part of a piece from which on pixels of its colour are not left unexplained.
const UNEXPLAINED: f64 = 0.3;

impl Eyes {
    /// Eyes that were calibrated before.
    ///
    /// # Errors
    /// When the calibration is for another game or camera.
    pub fn open(scene: &Scene, calibration: Calibration) -> Result<Self, EyesError> {
        scene.check()?;
        Self::with(scene, calibration)
    }

    fn with(scene: &Scene, calibration: Calibration) -> Result<Self, EyesError> {
        let looks = scene.looks.len();
        if calibration.areas.len() != looks || calibration.palette.looks.len() != looks {
            return Err(EyesError::Misfit("game"));
        }
        let back = calibration.plane.inverse().ok_or(PlaneError::Degenerate)?;
        let spots: Vec<Spot> = scene
            .places
            .iter()
            .map(|place| {
                let scale = calibration.plane.scale(place.at).sqrt();
                Spot {
                    at: calibration.plane.apply(place.at),
                    scale,
                    pitch: place.pitch * scale,
                }
            })
            .collect();
        let (width, height) = calibration.size;
        let inside = |spot: &Spot| {
            let room = spot.pitch * 0.25;
            let within = |x: f64, most: usize| x >= room && x + room <= most as f64;
            within(spot.at.0, width) && within(spot.at.1, height)
        };
        let hidden = scene.places.iter().zip(&spots);
        let hidden = hidden.filter(|(_, spot)| !inside(spot));
        let hidden: Vec<String> = hidden.map(|(place, _)| place.name.clone()).collect();
        if !hidden.is_empty() {
            return Err(EyesError::Outside(hidden));
        }
        let relevant = scene.places.iter().zip(&spots);
        let relevant = relevant.filter(|(place, _)| place.relevant);
        let pitches = relevant.map(|(_, spot)| spot.pitch);
        let pitch = pitches.fold(f64::INFINITY, f64::min);
        Ok(Self {
            pitch: if pitch.is_finite() { pitch } else { 32.0 },
            scene: scene.clone(),
            calibration,
            back,
            spots,
        })
    }

    /// Learns the colours and sizes of pieces from a frame of a known position, then reads that frame as a test.
    ///
    /// `corners` are points of the scene and of the picture, four or more (corners of the table, markers).
    ///
    /// # Errors
    /// When the table is not found, or does not surely show what stands there: then nobody should play.
    pub fn learn(
        scene: &Scene,
        corners: &[Pair],
        frame: &Frame,
        standing: &Standing,
    ) -> Result<Self, EyesError> {
        scene.check()?;
        let looks = scene.looks.len();
        let start = Calibration {
            size: (frame.width(), frame.height()),
            plane: Plane::through(corners)?,
            palette: Palette {
                boards: Vec::new(),
                looks: vec![None; looks],
            },
            areas: vec![0.0; looks],
        };
        let mut eyes = Self::with(scene, start)?;
        let stands = standing.looks(scene);
        eyes.adapt(frame, &stands, &[])?;
        for _ in 0..2 {
            // What stands where is known, so pieces tell where the table is too, better than a few corners; and where they lie
            // tells better what colour they have.
            let things = eyes.things(&eyes.classes(frame));
            let Some(plane) = eyes.fitted(&things, &stands, corners) else {
                break;
            };
            let calibration = Calibration {
                plane,
                ..eyes.calibration.clone()
            };
            let Ok(better) = Self::with(scene, calibration) else {
                break;
            };
            eyes = better;
            eyes.adapt(frame, &stands, &things)?;
        }
        eyes.test(frame, standing)?;
        Ok(eyes)
    }

    /// Learns colours and sizes.
    fn adapt(
        &mut self,
        frame: &Frame,
        stands: &[Option<LookId>],
        things: &[Thing],
    ) -> Result<(), EyesError> {
        let palette = self.colours(frame, stands, things);
        for (number, look) in self.scene.looks.iter().enumerate() {
            if palette.look(number as LookId).is_none() && look.blobs.is_empty() {
                return Err(EyesError::Colour(self.scene.look_name(number as LookId)));
            }
        }
        self.calibration.palette = palette;
        self.calibration.areas = self.sizes(frame, stands);
        Ok(())
    }

    /// The plane through the corners and through the pieces that are seen where they should be, each as exact as such things
    /// are: a person marks corners to two pixels, and puts pieces to a tenth of the distance of places.
    fn fitted(
        &self,
        things: &[Thing],
        stands: &[Option<LookId>],
        corners: &[Pair],
    ) -> Option<Plane> {
        let marked = corners.iter().map(|&(a, b)| (a, b, 1.0 / (2.0 * 2.0)));
        let mut pairs: Vec<_> = marked.collect();
        for (place, look) in stands.iter().enumerate() {
            let own = |thing: &&Thing| Some(thing.look) == *look && thing.place == place;
            let good = |thing: &&Thing| thing.off < 0.6 && thing.filled > 0.9;
            let mut found = things.iter().filter(own).filter(good);
            if let (Some(thing), None) = (found.next(), found.next()) {
                let spread = (self.spots[place].pitch * 0.12).max(1.0);
                let seen = self.calibration.plane.apply(thing.at);
                pairs.push((self.scene.places[place].at, seen, 1.0 / (spread * spread)));
            }
        }
        Plane::weighted(&pairs).ok()
    }

    /// Reads a frame of a known position; used before play begins.
    ///
    /// # Errors
    /// When some place of the board does not surely show what stands there, or half of the pieces beside it are not seen.
    pub fn test(&self, frame: &Frame, standing: &Standing) -> Result<(), EyesError> {
        let sight = self.look(frame)?;
        let stands = standing.looks(&self.scene);
        let relevant = |place: usize| self.scene.places[place].relevant;
        let mut doubts = sight.doubts(&self.scene, &stands, SELF_TEST);
        doubts.retain(|doubt| relevant(doubt.place));
        let whole = |thing: &&Thing| (0.6..=1.6).contains(&thing.whole) && thing.filled > 0.85;
        for (place, look) in stands.iter().enumerate().filter(|(_, look)| look.is_some()) {
            let own = |thing: &Thing| Some(thing.look) == *look && thing.place == place;
            if relevant(place) && !sight.things.iter().filter(whole).any(own) {
                doubts.push(self.doubt(place, *look, "a part of a piece"));
            }
        }
        for thing in sight.strays(&stands) {
            if relevant(thing.place) {
                let seen = format!("one more {}", self.scene.look_name(thing.look));
                doubts.push(self.doubt(thing.place, stands[thing.place], &seen));
            }
        }
        // Beside the board a piece may lie anywhere; but half of them must be seen.
        for look in 0..self.scene.looks.len() as LookId {
            let beside = |place: &usize| !relevant(*place) && stands[*place] == Some(look);
            let mut places = (0..stands.len()).filter(beside);
            let count = places.clone().count();
            let own = |thing: &&Thing| thing.look == look && !relevant(thing.place);
            let found = sight.things.iter().filter(whole).filter(own).count();
            if let Some(place) = places.next().filter(|_| found * 2 < count) {
                doubts.push(self.doubt(place, Some(look), "few of them"));
            }
        }
        match doubts.is_empty() {
            true => Ok(()),
            false => Err(EyesError::Unsure(doubts)),
        }
    }

    fn doubt(&self, place: usize, look: Option<LookId>, seen: &str) -> Doubt {
        Doubt {
            place,
            name: self.scene.places[place].name.clone(),
            expected: self.scene.standing_name(look),
            seen: seen.to_owned(),
            by: 0.0,
        }
    }

    /// What was learnt, to be kept.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// What is known of the game.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Where a point of the picture is on the table, in the unit of the scene.
    pub fn on_table(&self, pixel: (f64, f64)) -> (f64, f64) {
        self.back.apply(pixel)
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// When the frame has another size than those that the eyes were calibrated with.
    pub fn look(&self, frame: &Frame) -> Result<Sight, EyesError> {
        if (frame.width(), frame.height()) != self.calibration.size {
            return Err(EyesError::Misfit("size of the frame"));
        }
        let classes = self.classes(frame);
        let things = self.things(&classes);
        let place = |place| self.place(&classes, &things, place);
        Ok(Sight {
            places: (0..self.spots.len()).map(place).collect(),
            things,
        })
    }

    /// The classes of the pixels of a frame.
    fn classes(&self, frame: &Frame) -> Vec<Class> {
        classify(&self.calibration.palette, &self.scene, frame, self.pitch)
    }

    /// The colours that the frame shows where something known is, as bright as they would be in the same light everywhere:
    /// medians, so that what lies off centre does not matter. Pieces are where `things` say; else where a place looks least
    /// like the board.
    fn colours(&self, frame: &Frame, stands: &[Option<LookId>], things: &[Thing]) -> Palette {
        let view = View::new(frame, self.pitch);
        let size = self.calibration.size;
        let around = |at: (f64, f64), radius: f64| {
            let mut found = Vec::new();
            each_within(at, radius.max(0.8), size, |pixel| found.push(pixel));
            found
        };
        let mut gaps = Vec::new();
        for spot in &self.spots {
            let (x, y) = spot.at;
            let far = spot.pitch * 0.5;
            for (dx, dy) in [(-far, -far), (far, -far), (far, far), (-far, far)] {
                gaps.extend(around((x + dx, y + dy), spot.pitch * 0.06));
            }
        }
        let plain = |pixel: &usize| view.get(*pixel);
        let ground = median(&view, gaps.iter().filter_map(plain));
        let gains = ground.map(|ground| Gains::of_board(&view, ground, self.pitch));
        let even = |pixel: &usize| {
            let gain = gains.as_ref().map_or(1.0, |gains| {
                gains.at(pixel % size.0, pixel / size.0).max(0.05)
            });
            Some((view.get(*pixel)?, gain))
        };
        let mut samples: Vec<Vec<usize>> = vec![Vec::new(); self.scene.looks.len()];
        let mut boards: Vec<Rgb> = Vec::new();
        let mut board = |colour: Rgb| {
            if !boards.iter().any(|known| alike(*known, colour)) && boards.len() < MOST_BOARDS {
                boards.push(colour);
            }
        };
        let mut seen: Vec<Vec<usize>> = vec![Vec::new(); self.scene.looks.len()];
        for (place, (spot, look)) in self.spots.iter().zip(stands).enumerate() {
            let Some(look) = *look else {
                let near = around(spot.at, spot.pitch * 0.15);
                median_of_even(&view, near.iter().filter_map(even))
                    .into_iter()
                    .for_each(&mut board);
                continue;
            };
            let own = |thing: &&Thing| thing.place == place && thing.look == look;
            let sure = |thing: &&Thing| thing.off < 0.6 && thing.filled > 0.8;
            if let Some(thing) = things.iter().filter(own).find(sure) {
                let at = self.calibration.plane.apply(thing.at);
                seen[usize::from(look)].extend(around(at, spot.pitch * 0.12));
            }
            let Some(ground) = ground else { continue };
            let unlike = |pixel: &usize| Some((unlike(even(pixel)?, ground), *pixel));
            let near = around(spot.at, spot.pitch * 0.45);
            let mut near: Vec<(f32, usize)> = near.iter().filter_map(unlike).collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            // A piece covers more than a third of the area, and this is its inner part.
            near.truncate((near.len() / 8).max(1));
            samples[usize::from(look)].extend(near.iter().map(|(_, pixel)| *pixel));
        }
        for (sample, seen) in samples.iter_mut().zip(seen) {
            if !seen.is_empty() {
                *sample = seen;
            }
        }
        ground.into_iter().for_each(&mut board);
        let colour = |near: &Vec<usize>| median_of_even(&view, near.iter().filter_map(even));
        Palette {
            looks: samples.iter().map(colour).collect(),
            boards,
        }
    }

    /// The areas of the looks: medians of the blobs on places where they stand; that of the others where none stands.
    fn sizes(&self, frame: &Frame, stands: &[Option<LookId>]) -> Vec<f64> {
        let classes = self.classes(frame);
        let mut sizes: Vec<Vec<f64>> = vec![Vec::new(); self.scene.looks.len()];
        let mut found = components(&classes, frame.width(), FIRST_LOOK);
        found.retain(|blob| blob.size >= 9);
        // Pieces that touch, and those that are cut off, say nothing where there are others.
        if found.iter().any(round) {
            found.retain(round);
        }
        for (spot, look) in self.spots.iter().zip(stands) {
            let Some(look) = *look else { continue };
            let own = found.iter().filter(|blob| blob.class == FIRST_LOOK + look);
            let near = own.filter(|blob| far(blob.centre(), spot.at) < spot.pitch * 0.5);
            let sizes = &mut sizes[usize::from(look)];
            sizes.extend(near.map(|blob| blob.size as f64 / (spot.scale * spot.scale)));
        }
        let mut all: Vec<f64> = sizes.iter().flatten().copied().collect();
        let least = self.scene.places.iter().map(|place| place.pitch);
        let least = least.fold(f64::INFINITY, f64::min);
        // A piece that nobody has seen yet takes a third of its place.
        let usual = middle(&mut all).unwrap_or(least * least / 3.0);
        let own = sizes.iter_mut().map(|sizes| middle(sizes).unwrap_or(usual));
        own.collect()
    }

    /// The pieces in a picture of classes.
    fn things(&self, classes: &[Class]) -> Vec<Thing> {
        let width = self.calibration.size.0;
        let mut found: Vec<(Thing, f64)> = Vec::new();
        for blob in components(classes, width, FIRST_LOOK) {
            let look = blob.class - FIRST_LOOK;
            let Some(&area) = self.calibration.areas.get(usize::from(look)) else {
                continue;
            };
            let centre = blob.centre();
            let scale = self.calibration.plane.scale(self.back.apply(centre));
            let whole = area * scale;
            let share = blob.size as f64 / whole;
            if share.is_nan() || share < DIRT || blob.size < 6 {
                continue;
            }
            let radius = (whole / std::f64::consts::PI).sqrt();
            if (0.7..=1.4).contains(&share) {
                let filled = filled(classes, width, blob.class, centre, radius);
                found.push((self.thing(look, centre, (share, filled)), radius));
                continue;
            }
            // Several pieces that touch, or one that is cut up: look for discs.
            let mut seeds = vec![centre];
            if share > 1.0 {
                seeds.extend(self.inside(&blob, radius));
            }
            let mut discs: Vec<((f64, f64), f64)> = Vec::new();
            for seed in seeds {
                let (at, count) = settle(classes, width, blob.class, seed, radius);
                discs.push((at, f64::from(count) / whole));
            }
            if share > 1.0 && self.is_on_board(&blob, radius) {
                // One that slid into its neighbour leaves its own pixels unexplained.
                discs = apart(discs, radius);
                discs.extend(rest(classes, width, &blob, &discs, radius));
            }
            for (at, share) in discs {
                let filled = filled(classes, width, blob.class, at, radius);
                found.push((self.thing(look, at, (share, filled)), radius));
            }
        }
        self.distinct(found)
    }

    /// Whether a blob touches a place of the board.
    fn is_on_board(&self, blob: &Component, radius: f64) -> bool {
        let within = |x: f64, least: u32, most: u32| {
            x >= f64::from(least) - radius && x <= f64::from(most) + radius
        };
        let mut spots = self.spots.iter().zip(&self.scene.places);
        spots.any(|(spot, place)| {
            place.relevant
                && within(spot.at.0, blob.least.0, blob.most.0)
                && within(spot.at.1, blob.least.1, blob.most.1)
        })
    }

    /// The middles of places that a blob may cover.
    fn inside(&self, blob: &Component, radius: f64) -> impl Iterator<Item = (f64, f64)> {
        let (least, most) = (blob.least, blob.most);
        let within = move |x: f64, least: u32, most: u32| {
            x >= f64::from(least) - radius && x <= f64::from(most) + radius
        };
        let spots = self.spots.iter().map(|spot| spot.at);
        spots.filter(move |at| within(at.0, least.0, most.0) && within(at.1, least.1, most.1))
    }

    fn thing(&self, look: LookId, pixel: (f64, f64), (whole, filled): (f64, f64)) -> Thing {
        let at = self.back.apply(pixel);
        let places = self.scene.places.iter().enumerate();
        let offs = places.map(|(number, place)| (number, far(place.at, at), place.pitch));
        let nearest = offs.min_by(|a, b| a.1.total_cmp(&b.1));
        let (place, off) = nearest.map_or((0, f64::INFINITY), |(n, far, pitch)| (n, far / pitch));
        Thing {
            look,
            at,
            place,
            off,
            whole,
            filled,
        }
    }

    /// Leaves one of those that were found from several seeds: the fullest.
    fn distinct(&self, mut found: Vec<(Thing, f64)>) -> Vec<Thing> {
        found.retain(|(thing, _)| thing.whole >= DIRT);
        found.sort_by(|a, b| b.0.whole.total_cmp(&a.0.whole));
        let mut things: Vec<Thing> = Vec::new();
        let spots = |thing: &Thing| self.calibration.plane.apply(thing.at);
        for (thing, radius) in found {
            let near = |other: &Thing| {
                other.look == thing.look && far(spots(other), spots(&thing)) < radius * 1.2
            };
            if !things.iter().any(near) {
                things.push(thing);
            }
        }
        things
    }

    /// The odds of a place.
    fn place(&self, classes: &[Class], things: &[Thing], place: usize) -> PlaceSight {
        let spot = self.spots[place];
        let looks = self.scene.looks.len();
        let mut counts = vec![0u32; looks + 2];
        let (mut all, mut dark) = (0u32, 0u32);
        let (width, height) = self.calibration.size;
        each_within(spot.at, spot.pitch * 0.3, (width, height), |pixel| {
            let class = classes[pixel];
            all += 1;
            dark += u32::from(class == UNKNOWN);
            counts[usize::from(class)] += 1;
        });
        let all = f64::from(all.max(1));
        let mut odds = Vec::with_capacity(looks);
        for look in 0..looks {
            // What is seen to be something else speaks against a look; what is unknown says nothing.
            let other = all - f64::from(dark) - f64::from(counts[look + usize::from(FIRST_LOOK)]);
            let against = -SURE * ((other / all - 0.2) / 0.6).clamp(0.0, 1.0);
            let own = things
                .iter()
                .filter(|thing| usize::from(thing.look) == look);
            let support = own.map(|thing| self.support(place, thing));
            odds.push(support.fold(against, f64::max));
        }
        if self.is_veiled(classes, things, spot) {
            odds.iter_mut().for_each(|odds| *odds = odds.max(VEILED));
        }
        PlaceSight {
            odds,
            unknown: f64::from(dark) / all,
        }
    }

    /// Whether something as broad as a piece that nobody recognises lies on a place or beside it, nearer than a piece that
    /// belongs there may lie: not merely the rim of one.
    fn is_veiled(&self, classes: &[Class], things: &[Thing], spot: Spot) -> bool {
        let (width, height) = self.calibration.size;
        let areas = self.calibration.areas.iter().copied();
        let area = areas.fold(f64::INFINITY, f64::min);
        let inner = (area / std::f64::consts::PI).sqrt() * spot.scale * 0.6;
        if !inner.is_finite() || inner < 2.0 {
            return false;
        }
        let count = |at: (f64, f64), radius: f64| {
            let (mut all, mut unknown) = (0u32, 0u32);
            each_within(at, radius, (width, height), |pixel| {
                all += 1;
                unknown += u32::from(classes[pixel] != BOARD);
            });
            (f64::from(unknown), f64::from(all.max(1)))
        };
        let enough = std::f64::consts::PI * inner * inner * UNRECOGNISED;
        let reach = spot.pitch * 0.5;
        if count(spot.at, reach + inner).0 < enough {
            return false;
        }
        let good = things.iter().filter(|t| t.whole > 0.5 && t.filled > 0.8);
        let good: Vec<(f64, f64)> = good.map(|t| self.calibration.plane.apply(t.at)).collect();
        let explained = |at| good.iter().any(|thing| far(*thing, at) < inner * 2.6);
        let steps = (reach / 3.0).ceil() as i32;
        (-steps..=steps).any(|down| {
            (-steps..=steps).any(|right| {
                let by = (f64::from(right) * 3.0, f64::from(down) * 3.0);
                let at = (spot.at.0 + by.0, spot.at.1 + by.1);
                let (unknown, all) = count(at, inner);
                far(by, (0.0, 0.0)) <= reach && unknown >= all * UNRECOGNISED && !explained(at)
            })
        })
    }

    /// The odds that a thing stands on a place: even half way to the next place, and falling with the square of the
    /// distance, as those of a normal distribution do; more slowly beyond, where the place may be elsewhere than believed.
    fn support(&self, place: usize, thing: &Thing) -> f64 {
        let place = &self.scene.places[place];
        let off = far(place.at, thing.at) / place.pitch;
        let odds = SURE * (1.0 - 4.0 * off * off);
        let sure = ((thing.whole - 0.3) / 0.4).clamp(0.0, 1.0);
        let sure = sure * ((2.2 - thing.whole) / 0.6).clamp(0.0, 1.0);
        let sure = sure * ((thing.filled - 0.7) / 0.25).clamp(0.0, 1.0);
        match odds > 0.0 {
            true => odds * sure,
            false => (odds * ASTRAY).max(-SURE),
        }
    }
}

impl Sight {
    /// The odds of what stands on a place, against nothing.
    pub fn odds(&self, place: usize, look: Option<LookId>) -> f64 {
        let Some(look) = look else { return 0.0 };
        let odds = self.places.get(place).map(|place| &place.odds);
        let odds = odds.and_then(|odds| odds.get(usize::from(look)));
        odds.copied().unwrap_or(-SURE)
    }

    /// The likeliest on a place other than `but`, and its odds against nothing.
    pub fn likeliest(&self, place: usize, but: Option<Option<LookId>>) -> (Option<LookId>, f64) {
        let looks = self.places.get(place).map_or(0, |place| place.odds.len());
        let all = (0..looks).map(|look| Some(look as LookId));
        let all = std::iter::once(None)
            .chain(all)
            .filter(|look| Some(*look) != but);
        let odds = all.map(|look| (look, self.odds(place, look)));
        let best = odds.max_by(|a, b| a.1.total_cmp(&b.1));
        best.unwrap_or((None, f64::NEG_INFINITY))
    }

    /// The pieces near places that a standing does not account for: those on places where something else stands, and
    /// all but one of those on a place.
    pub fn strays(&self, stands: &[Option<LookId>]) -> Vec<Thing> {
        let mut seen = vec![false; stands.len()];
        let near =
            |thing: &&Thing| thing.off < 0.75 && thing.whole > UNEXPLAINED && thing.filled > 0.5;
        let mut strays = Vec::new();
        for thing in self.things.iter().filter(near) {
            match stands.get(thing.place) {
                Some(look) if *look == Some(thing.look) && !seen[thing.place] => {
                    seen[thing.place] = true;
                }
                Some(_) => strays.push(*thing),
                None => {}
            }
        }
        strays
    }

    /// The places that do not show by `margin` what should be there.
    pub fn doubts(&self, scene: &Scene, stands: &[Option<LookId>], margin: f64) -> Vec<Doubt> {
        let name = |look: Option<LookId>| scene.standing_name(look);
        let mut doubts = Vec::new();
        for (place, &look) in stands.iter().enumerate() {
            let (seen, odds) = self.likeliest(place, Some(look));
            let by = odds - self.odds(place, look);
            if by > -margin {
                doubts.push(Doubt {
                    place,
                    name: scene
                        .places
                        .get(place)
                        .map_or_else(String::new, |p| p.name.clone()),
                    expected: name(look),
                    seen: name(seen),
                    by,
                });
            }
        }
        doubts
    }
}

/// The greatest number of colours of the board.
const MOST_BOARDS: usize = 8;

/// Whether two colours of the board need no telling apart.
fn alike(a: Rgb, b: Rgb) -> bool {
    let mut pairs = a.0.into_iter().zip(b.0);
    pairs.all(|(a, b)| a.abs_diff(b) <= 12)
}

fn far(a: (f64, f64), b: (f64, f64)) -> f64 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

fn middle(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// Whether a blob may be a disc: about as broad as high, and as full.
fn round(blob: &Component) -> bool {
    let side = |least: u32, most: u32| f64::from(most.saturating_sub(least) + 1);
    let (width, height) = (
        side(blob.least.0, blob.most.0),
        side(blob.least.1, blob.most.1),
    );
    let full = blob.size as f64 / (width * height);
    (0.7..=1.43).contains(&(width / height)) && (0.6..=0.92).contains(&full)
}

/// How unlike the board a colour is that is divided by the light on it: by its part at right angles to that of the board, and
/// with less weight by brightness.
fn unlike((colour, gain): ([f32; 3], f32), Rgb(ground): Rgb) -> f32 {
    let (colour, ground) = (colour.map(|part| part / gain), ground.map(f32::from));
    let (bright, usual) = (length(colour), length(ground).max(1.0));
    let along: f32 = (0..3).map(|part| colour[part] * ground[part]).sum::<f32>() / usual;
    let across = (bright * bright - along * along).max(0.0).sqrt();
    across + 0.3 * (bright - usual).abs()
}

/// The usual colour of pixels, whatever the light on each: the median direction, as bright as the median.
fn median(view: &View, colours: impl Iterator<Item = [f32; 3]>) -> Option<Rgb> {
    let colours: Vec<[f32; 3]> = colours.filter(|colour| length(*colour) > 1.0).collect();
    let mut lengths: Vec<f64> = colours.iter().map(|c| f64::from(length(*c))).collect();
    let usual = middle(&mut lengths)? as f32;
    let even = colours
        .iter()
        .map(|colour| (*colour, length(*colour) / usual));
    median_of_even(view, even)
}

/// The median of each part of colours that are divided by the light on them. Those that are too bright for the camera do not
/// count where there are others.
fn median_of_even(view: &View, colours: impl Iterator<Item = ([f32; 3], f32)>) -> Option<Rgb> {
    let all: Vec<([f32; 3], f32)> = colours.collect();
    let bounded = |(colour, _): &&([f32; 3], f32)| view.bounded(*colour);
    let good: Vec<&([f32; 3], f32)> = all.iter().filter(bounded).collect();
    let good = match good.len() * 8 >= all.len() && !good.is_empty() {
        true => good,
        false => all.iter().collect(),
    };
    let part = |channel: usize| {
        let values = good
            .iter()
            .map(|(colour, gain)| f64::from(colour[channel] / gain));
        middle(&mut values.collect::<Vec<f64>>()).map(|value| value.round().min(255.0) as u8)
    };
    Some(Rgb([part(0)?, part(1)?, part(2)?]))
}

/// Calls `see` with the number of every pixel within a distance of a point.
fn each_within(
    (x, y): (f64, f64),
    radius: f64,
    (width, height): (usize, usize),
    mut see: impl FnMut(usize),
) {
    let clip = |v: f64, most: usize| v.clamp(0.0, most as f64) as usize;
    let (top, bottom) = (
        clip((y - radius).ceil(), height),
        clip(y + radius + 1.0, height),
    );
    for row in top..bottom {
        let dy = row as f64 - y;
        let half = (radius * radius - dy * dy).max(0.0).sqrt();
        let (left, right) = (clip((x - half).ceil(), width), clip(x + half + 1.0, width));
        for column in left..right {
            see(row * width + column);
        }
    }
}

/// Which part of a disc, somewhat smaller than a piece, is of a class.
fn filled(classes: &[Class], width: usize, class: Class, at: (f64, f64), radius: f64) -> f64 {
    let size = (width, classes.len() / width.max(1));
    let (mut all, mut own) = (0u32, 0u32);
    each_within(at, radius * 0.8, size, |pixel| {
        all += 1;
        own += u32::from(classes[pixel] == class);
    });
    f64::from(own) / f64::from(all.max(1))
}

/// Leaves one of discs that lie upon each other: the fullest.
fn apart(mut discs: Vec<((f64, f64), f64)>, radius: f64) -> Vec<((f64, f64), f64)> {
    discs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<((f64, f64), f64)> = Vec::new();
    for disc in discs {
        if disc.1 >= DIRT && !kept.iter().any(|other| far(other.0, disc.0) < radius * 1.2) {
            kept.push(disc);
        }
    }
    kept
}

/// Discs of what a blob has beside those that are known, each with its part of a whole one: again and again the disc that
/// holds the most of what is left, down to a part of a piece that cannot be chance.
fn rest(
    classes: &[Class],
    width: usize,
    blob: &Component,
    known: &[((f64, f64), f64)],
    radius: f64,
) -> Vec<((f64, f64), f64)> {
    let (left, top) = (blob.least.0 as usize, blob.least.1 as usize);
    let (right, bottom) = (blob.most.0 as usize + 1, blob.most.1 as usize + 1);
    let size = (right - left, bottom - top);
    let mut open: Vec<bool> = Vec::with_capacity(size.0 * size.1);
    for row in top..bottom {
        let line = &classes[row * width..][left..right];
        open.extend(line.iter().map(|class| *class == blob.class));
    }
    let inner = |(x, y): (f64, f64)| (x - left as f64, y - top as f64);
    let cover = |open: &mut Vec<bool>, at: (f64, f64)| {
        each_within(at, radius * 1.15, size, |pixel| open[pixel] = false);
    };
    for (at, _) in known {
        cover(&mut open, inner(*at));
    }
    let whole = std::f64::consts::PI * radius * radius;
    let mut found = Vec::new();
    loop {
        let mut best = (0, (0.0, 0.0));
        for y in (0..size.1).step_by(2) {
            for x in (0..size.0).step_by(2) {
                let at = (x as f64, y as f64);
                let mut count = 0;
                if open[y * size.0 + x] {
                    each_within(at, radius, size, |pixel| count += u32::from(open[pixel]));
                }
                if count > best.0 {
                    best = (count, at);
                }
            }
        }
        if f64::from(best.0) < whole * UNEXPLAINED {
            return found;
        }
        let (x, y) = best.1;
        found.push(((x + left as f64, y + top as f64), f64::from(best.0) / whole));
        cover(&mut open, best.1);
    }
}

/// Moves a disc to the middle of the pixels of a class that it covers, a few times; its place then, and how many it covers.
fn settle(
    classes: &[Class],
    width: usize,
    class: Class,
    mut at: (f64, f64),
    radius: f64,
) -> ((f64, f64), u32) {
    let size = (width, classes.len() / width.max(1));
    let mut count = 0;
    for _ in 0..6 {
        let (mut x, mut y) = (0.0, 0.0);
        count = 0;
        each_within(at, radius * 1.1, size, |pixel| {
            if classes[pixel] == class {
                count += 1;
                x += (pixel % width) as f64;
                y += (pixel / width) as f64;
            }
        });
        if count == 0 {
            break;
        }
        at = (x / f64::from(count), y / f64::from(count));
    }
    (at, count)
}
