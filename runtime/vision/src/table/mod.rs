//! A simulated table: flat pieces under a camera, with everything that makes reading hard.
//!
//! A [`Table`] holds pieces at coordinates of the scene, moves them when told, and renders what a camera above it sees:
//! perspective, uneven light, a soft shadow, a wrong white balance, blur, noise, pieces off centre, a hand in the picture.
//! The same seed and the same calls give the same pictures, byte for byte, on every machine.
//!
//! ```
//! # use rulec_vision::{Scene, table::{Conditions, Table}};
//! # fn show(scene: &Scene) -> Result<(), Box<dyn std::error::Error>> {
//! let mut table = Table::new(scene, Conditions::ROUGH, 1);
//! table.shift(2, 3)?; // what stands on place 2 goes to place 3
//! let frame = table.frame(); // what the camera sees
//! std::fs::write("frame.png", frame.to_png()?)?;
//! # Ok(()) }
//! ```

mod paint;

use rulec_core::Rng;

use crate::colour::Rgb;
use crate::frame::Frame;
use crate::plane::{Pair, Plane};
use crate::scene::{LookId, Place, Scene, Standing};

use paint::{Canvas, Noise};

/// How hard reading is made. Every number is a level that the draws of a frame keep to; 0 switches a trouble off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Standard deviation of the noise of each colour of each pixel, of 255.
    pub noise: f64,
    /// By which part the light is greater or less; it changes evenly over the table from one such value to another.
    pub light: f64,
    /// By how many degrees all hues are off, at most.
    pub hue: f64,
    /// Standard deviation of the blur, in pixels.
    pub blur: f64,
    /// By how many pixels each corner is off in [`Table::corners`].
    pub corners: f64,
    /// How far pieces are put beside the middle of a place, in parts of the distance to the next place, at most.
    pub offset: f64,
    /// Which part of the light a soft shadow over a third of the table takes.
    pub shadow: f64,
    /// Which part shorter the far side of the table looks.
    pub tilt: f64,
}

impl Conditions {
    /// A good camera in good light, right above.
    pub const CALM: Self = Self {
        noise: 0.0,
        light: 0.0,
        hue: 0.0,
        blur: 0.0,
        corners: 0.0,
        offset: 0.0,
        shadow: 0.0,
        tilt: 0.0,
    };

    /// A cheap camera in bad light over a table that people play on.
    pub const ROUGH: Self = Self {
        noise: 8.0,
        light: 0.25,
        hue: 8.0,
        blur: 1.5,
        corners: 3.0,
        offset: 0.2,
        shadow: 0.35,
        tilt: 0.12,
    };

    /// All troubles but the perspective, times a factor.
    pub fn times(&self, factor: f64) -> Self {
        Self {
            noise: self.noise * factor,
            light: (self.light * factor).min(0.9),
            hue: self.hue * factor,
            blur: self.blur * factor,
            corners: self.corners * factor,
            offset: self.offset * factor,
            shadow: (self.shadow * factor).min(0.9),
            tilt: self.tilt,
        }
    }
}

/// A piece on the table, or in the grip of something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// What it looks like.
    pub look: LookId,
    /// Where its middle is, in the unit of the scene.
    pub at: (f64, f64),
    /// Whether it is lifted: then the camera does not see it.
    pub lifted: bool,
}

/// Why a piece cannot be moved on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// There is no piece on the place, or no such place.
    #[error("nothing stands on place {0} of the table")]
    Empty(usize),
    /// There is a piece on the place, or no such place.
    #[error("place {0} of the table is taken")]
    Taken(usize),
}

/// Pieces on a table under a camera.
#[derive(Clone, Debug)]
pub struct Table {
    scene: Scene,
    conditions: Conditions,
    /// From the scene's unit to pixels, as the camera really stands.
    plane: Plane,
    /// Radius of all pieces, in the unit of the scene.
    radius: f64,
    discs: Vec<Disc>,
    hand: Option<(f64, f64)>,
    seed: u64,
    /// Number of the next frame: each draws from a stream of its own.
    frames: u64,
    /// Draws where pieces come to lie.
    moves: Rng,
    canvas: Canvas,
    noise: Noise,
}

/// Distance of neighbouring relevant places in the picture, in pixels.
const PITCH: f64 = 33.0;
/// Room around the table in the picture, in pixels.
const MARGIN: f64 = 10.0;

impl Table {
    /// The table at the start of the game.
    pub fn new(scene: &Scene, conditions: Conditions, seed: u64) -> Self {
        let (left, top, right, bottom) = scene.extent();
        let least = |relevant: bool| {
            let places = scene.places.iter();
            let pitches = places.filter(|p| p.relevant || !relevant).map(|p| p.pitch);
            pitches.fold(f64::INFINITY, f64::min)
        };
        let (all, board) = (least(false), least(true));
        let all = if all.is_finite() { all } else { 1.0 };
        let board = if board.is_finite() { board } else { all };
        let scale = PITCH / board;
        let (width, height) = ((right - left) * scale, (bottom - top) * scale);
        let shorter = width * conditions.tilt / 2.0;
        let seen = [
            (MARGIN + shorter, MARGIN),
            (MARGIN + width - shorter, MARGIN),
            (MARGIN + width, MARGIN + height),
            (MARGIN, MARGIN + height),
        ];
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let pairs: Vec<_> = corners.into_iter().zip(seen).collect();
        let plane = Plane::through(&pairs).unwrap_or(Plane::SAME);
        let size = (
            (width + 2.0 * MARGIN).ceil() as usize,
            (height + 2.0 * MARGIN).ceil() as usize,
        );
        let mut table = Self {
            canvas: Canvas::new(size),
            noise: Noise::new(conditions.noise),
            scene: scene.clone(),
            conditions,
            plane,
            radius: (all * 0.42).min(board * 0.3),
            discs: Vec::new(),
            hand: None,
            seed,
            frames: 0,
            moves: Rng::new(seed, u64::MAX),
        };
        table.paint_places();
        table.arrange(&scene.standing());
        table
    }

    /// What the table shows.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The pieces; their numbers stay while none is taken away for good.
    pub fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// The radius of the pieces, in the unit of the scene.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Where the camera really sees points of the table, in pixels; a reader does not know it, see [`Table::corners`].
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// How hard reading is.
    pub fn conditions(&self) -> Conditions {
        self.conditions
    }

    /// Makes reading harder or easier from the next frame on; the camera stays where it is.
    pub fn set_conditions(&mut self, conditions: Conditions) {
        self.noise = Noise::new(conditions.noise);
        self.conditions = conditions;
    }

    /// The four corners of the table in the scene and in the picture, as a person would have marked them: each off by
    /// [`Conditions::corners`] in some direction, another one each time.
    pub fn corners(&mut self) -> Vec<Pair> {
        let (left, top, right, bottom) = self.scene.extent();
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let far = self.conditions.corners;
        let mut off = |at: (f64, f64)| {
            let (dx, dy) = direction(&mut self.moves);
            let (x, y) = self.plane.apply(at);
            (at, (x + dx * far, y + dy * far))
        };
        corners.map(&mut off).to_vec()
    }

    /// The number of the piece that stands on a place: the nearest within half the distance to the next place.
    pub fn disc_on(&self, place: usize) -> Option<usize> {
        let place = self.scene.places.get(place)?;
        self.nearest(place.at, place.pitch / 2.0)
    }

    /// The look of what stands on a place.
    pub fn look_on(&self, place: usize) -> Option<LookId> {
        self.disc_on(place).map(|disc| self.discs[disc].look)
    }

    /// The number of the piece nearest to a point, not farther than `reach`; lifted ones do not count.
    pub fn nearest(&self, at: (f64, f64), reach: f64) -> Option<usize> {
        let lying = self.discs.iter().enumerate().filter(|(_, d)| !d.lifted);
        let far = lying.map(|(number, disc)| (squared(disc.at, at), number));
        let near = far.filter(|(distance, _)| *distance <= reach * reach);
        near.min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, number)| number)
    }

    /// Lifts a piece: it is out of sight until it is lowered. Nothing happens if there is no such piece.
    pub fn lift(&mut self, disc: usize) {
        if let Some(disc) = self.discs.get_mut(disc) {
            disc.lifted = true;
        }
    }

    /// Puts a piece down at exactly this point, wherever that is. Nothing happens if there is no such piece.
    pub fn lower(&mut self, disc: usize, at: (f64, f64)) {
        if let Some(disc) = self.discs.get_mut(disc) {
            disc.lifted = false;
            disc.at = at;
        }
    }

    /// Puts a piece down on a place, off centre as [`Conditions::offset`] allows and where no other piece lies.
    pub fn lower_on(&mut self, disc: usize, place: usize) {
        if place < self.scene.places.len() {
            let at = self.somewhere(place, Some(disc));
            self.lower(disc, at);
        }
    }

    /// Moves what stands on a place to an empty place, off centre as [`Conditions::offset`] allows.
    ///
    /// # Errors
    /// When the first is empty or the second is not; then nothing moves.
    pub fn shift(&mut self, from: usize, to: usize) -> Result<(), TableError> {
        let disc = self.disc_on(from).ok_or(TableError::Empty(from))?;
        if to >= self.scene.places.len() || self.disc_on(to).is_some_and(|other| other != disc) {
            return Err(TableError::Taken(to));
        }
        self.lower_on(disc, to);
        Ok(())
    }

    /// Puts a new piece on an empty place.
    ///
    /// # Errors
    /// When the place is taken.
    pub fn add(&mut self, look: LookId, place: usize) -> Result<usize, TableError> {
        if place >= self.scene.places.len() || self.disc_on(place).is_some() {
            return Err(TableError::Taken(place));
        }
        let at = self.somewhere(place, None);
        let lifted = false;
        self.discs.push(Disc { look, at, lifted });
        Ok(self.discs.len() - 1)
    }

    /// Takes away a piece for good; the numbers of those behind it become less by one. Nothing happens if there is no
    /// such piece.
    pub fn remove(&mut self, disc: usize) {
        if disc < self.discs.len() {
            self.discs.remove(disc);
        }
    }

    /// Turns a piece over: another look at the same point.
    pub fn turn(&mut self, disc: usize, look: LookId) {
        if let Some(disc) = self.discs.get_mut(disc) {
            disc.look = look;
        }
    }

    /// Moves, adds and takes away pieces until what stands where is as told, as a careful person would: pieces that are right
    /// stay as they lie.
    pub fn arrange(&mut self, standing: &Standing) {
        let wanted = standing.looks(&self.scene);
        let right: Vec<Option<usize>> = (0..wanted.len()).map(|at| self.disc_on(at)).collect();
        let mut kept: Vec<bool> = vec![false; self.discs.len()];
        for (place, disc) in right.iter().enumerate() {
            if let Some(disc) = disc.filter(|&d| Some(self.discs[d].look) == wanted[place]) {
                kept[disc] = true;
            }
        }
        let mut spare: Vec<usize> = (0..self.discs.len()).filter(|&d| !kept[d]).collect();
        for &disc in &spare {
            self.lift(disc);
        }
        for (place, look) in wanted.iter().enumerate() {
            let Some(look) = *look else { continue };
            if right[place].is_some_and(|d| kept[d]) {
                continue;
            }
            match spare.iter().position(|&d| self.discs[d].look == look) {
                Some(found) => {
                    let disc = spare.remove(found);
                    self.lower_on(disc, place);
                }
                None => {
                    let at = self.somewhere(place, None);
                    let lifted = false;
                    self.discs.push(Disc { look, at, lifted });
                }
            }
        }
        spare.sort_unstable();
        for disc in spare.into_iter().rev() {
            self.remove(disc);
        }
    }

    /// Knocks against the camera: from now on everything is this many pixels elsewhere in the picture.
    pub fn bump(&mut self, by: (f64, f64)) {
        let still = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let pairs = still.map(|(x, y)| ((x, y), (x + by.0, y + by.1)));
        if let Ok(push) = Plane::through(&pairs) {
            self.plane = push.after(&self.plane);
            self.paint_places();
        }
    }

    /// A hand reaches to this point of the table from the lower edge of the picture, or is away again.
    pub fn hand(&mut self, to: Option<(f64, f64)>) {
        self.hand = to;
    }

    /// What the camera sees now. Each frame has light, shadow and noise of its own.
    pub fn frame(&mut self) -> Frame {
        let mut rng = Rng::new(self.seed, self.frames);
        self.frames += 1;
        let level = self.conditions;
        let swing = |rng: &mut Rng, by: f64| (rng.unit() * 2.0 - 1.0) * by;
        let turn = swing(&mut rng, level.hue) as f32;
        let tint = |colour: Rgb| {
            let mut hsv = colour.hsv();
            hsv.hue = (hsv.hue + turn).rem_euclid(360.0);
            hsv.rgb()
        };
        self.canvas.ground(tint(BOARD), tint(PLACE));
        for disc in self.discs.iter().filter(|disc| !disc.lifted) {
            let look = self.scene.looks.get(usize::from(disc.look));
            let paint = tint(look.map_or(Rgb([128; 3]), |look| look.paint));
            self.canvas.disc(&self.plane, disc.at, self.radius, paint);
        }
        if let Some(at) = self.hand {
            self.draw_hand(at, tint(HAND));
        }
        let gains = (
            1.0 + swing(&mut rng, level.light),
            1.0 + swing(&mut rng, level.light),
        );
        let (light, shade) = (direction(&mut rng), direction(&mut rng));
        self.canvas.light(gains, light, level.shadow, shade);
        self.canvas.blur(level.blur);
        self.canvas.noise(&self.noise, &mut rng);
        self.canvas.picture()
    }

    /// Where the camera stands has changed: the empty table is painted anew.
    fn paint_places(&mut self) {
        self.canvas.clear();
        for place in &self.scene.places {
            let radius = place.pitch * 0.4;
            self.canvas.spot(&self.plane, place.at, radius);
        }
    }

    /// A hand: a broad arm from below the picture, drawn as discs that overlap.
    fn draw_hand(&mut self, at: (f64, f64), paint: Rgb) {
        let (_, _, _, bottom) = self.scene.extent();
        let broad = self.radius * 2.0;
        let mut y = at.1;
        while y < bottom + 4.0 * broad {
            self.canvas.disc(&self.plane, (at.0, y), broad, paint);
            y += broad * 0.5;
        }
    }

    /// A point near the middle of a place where a piece does not touch another one.
    fn somewhere(&mut self, place: usize, own: Option<usize>) -> (f64, f64) {
        let Place { at, pitch, .. } = self.scene.places[place];
        let far = self.conditions.offset * pitch;
        for attempt in 0..16 {
            let (dx, dy) = inside(&mut self.moves);
            // Where there is no room, nearer to the middle.
            let far = far * f64::from(16 - attempt) / 16.0;
            let point = (at.0 + dx * far, at.1 + dy * far);
            let room = 4.0 * self.radius * self.radius;
            let mut others = self.discs.iter().enumerate();
            let free = !others.any(|(number, disc)| {
                Some(number) != own && !disc.lifted && squared(disc.at, point) < room
            });
            if free {
                return point;
            }
        }
        at
    }
}

/// Colours of the table, its places and a hand.
const BOARD: Rgb = Rgb([176, 168, 156]);
const PLACE: Rgb = Rgb([150, 144, 134]);
const HAND: Rgb = Rgb([208, 158, 130]);

fn squared(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)
}

/// A point of the unit disc, all with the same chance.
fn inside(rng: &mut Rng) -> (f64, f64) {
    loop {
        let (x, y) = (rng.unit() * 2.0 - 1.0, rng.unit() * 2.0 - 1.0);
        if x * x + y * y <= 1.0 {
            return (x, y);
        }
    }
}

/// A point of the unit circle, all with the same chance.
fn direction(rng: &mut Rng) -> (f64, f64) {
    loop {
        let (x, y) = inside(rng);
        let far = (x * x + y * y).sqrt();
        if far > 0.01 {
            return (x / far, y / far);
        }
    }
}
