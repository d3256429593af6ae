//! Which colours are the board, and which are looks of pieces.

use serde::{Deserialize, Serialize};

use crate::colour::Rgb;
use crate::frame::Frame;
use crate::scene::{LookId, Scene};

/// Colours of the board and of the looks, as a camera saw them in some light.
///
/// A pixel belongs to the colour that is nearest in direction from black, which light does not change, and, with less
/// weight, in brightness. A pixel that is about as near to another one, or too dark to tell, belongs to none: then nobody
/// knows, which is not the same as an empty place.
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

/// Bits of each colour that the table of classes keeps.
const BITS: u32 = 6;
/// Colours darker than this have no direction, by the length of red, green and blue.
const DARK: f32 = 40.0;
/// How far a colour may be from the nearest known one, about in radians.
const FAR: f32 = 0.33;
/// How much nearer than the second it must be.
const CLEARLY: f32 = 0.75;
/// Weight of a relative difference in brightness beside an angle in radians.
const BRIGHTNESS: f32 = 0.10;

impl Palette {
    /// The table of classes: a class for every colour in steps of four.
    pub(crate) fn table(&self, scene: &Scene) -> Vec<Class> {
        let side = 1usize << BITS;
        let part = |value: usize| ((value << (8 - BITS)) + (1 << (7 - BITS))) as u8;
        let boards = self.boards.iter().map(|&board| Known::new(BOARD, board));
        let looks = self.looks.iter().enumerate();
        let looks = looks.filter_map(|(k, look)| Some(Known::new(FIRST_LOOK + k as u8, (*look)?)));
        let known: Vec<Known> = boards.chain(looks).collect();
        let ranges = self.looks.iter().any(Option::is_none);
        let mut table = Vec::with_capacity(side * side * side);
        for r in 0..side {
            for g in 0..side {
                for b in 0..side {
                    let colour = Rgb([part(r), part(g), part(b)]);
                    table.push(match nearest(&known, colour) {
                        UNKNOWN if ranges => self.by_range(scene, colour),
                        class => class,
                    });
                }
            }
        }
        table
    }

    /// The look whose range in the rules holds a colour, of those that have no colour here.
    fn by_range(&self, scene: &Scene, colour: Rgb) -> Class {
        let hsv = colour.hsv();
        let mut looks = scene.looks.iter().enumerate();
        let found = looks.find(|(number, look)| {
            let learnt = self.looks.get(*number).copied().flatten();
            learnt.is_none() && look.blobs.iter().any(|blob| blob.range.holds(hsv))
        });
        match found {
            Some((number, _)) => FIRST_LOOK + number as u8,
            // Where colours come from ranges alone, everything else is the board.
            None if self.boards.is_empty() && length(colour) >= DARK => BOARD,
            None => UNKNOWN,
        }
    }

    /// The colour of a look.
    pub fn look(&self, look: LookId) -> Option<Rgb> {
        self.looks.get(usize::from(look)).copied().flatten()
    }
}

fn length(colour: Rgb) -> f32 {
    let [r, g, b] = colour.0.map(f32::from);
    (r * r + g * g + b * b).sqrt()
}

/// The table of classes of somebody who knows no colour.
pub(crate) fn blind() -> Vec<Class> {
    vec![UNKNOWN; 1 << (3 * BITS)]
}

/// A colour that pixels are compared with.
struct Known {
    class: Class,
    /// Red, green and blue of length 1.
    direction: [f32; 3],
    length: f32,
}

impl Known {
    fn new(class: Class, colour: Rgb) -> Self {
        let length = length(colour).max(1.0);
        Self {
            class,
            direction: colour.0.map(|part| f32::from(part) / length),
            length,
        }
    }

    /// How unlike a colour is, squared: the chord between the directions, with brightness at right angles to it.
    fn distance(&self, direction: [f32; 3], length: f32) -> f32 {
        let [a, b, c] = self.direction;
        let [x, y, z] = direction;
        let chord = (2.0 - 2.0 * (a * x + b * y + c * z)).max(0.0);
        // Equal to the difference of logarithms for small ones, and the same on all machines.
        let brightness = 2.0 * (length - self.length) / (length + self.length) * BRIGHTNESS;
        chord + brightness * brightness
    }
}

/// The class of the nearest known colour, if it is near and clearly nearer than those of other classes.
fn nearest(known: &[Known], colour: Rgb) -> Class {
    let length = length(colour);
    if length < DARK {
        return UNKNOWN;
    }
    let direction = colour.0.map(|part| f32::from(part) / length);
    let (mut best, mut class, mut second) = (f32::INFINITY, UNKNOWN, f32::INFINITY);
    for known in known {
        let far = known.distance(direction, length);
        if far < best {
            if class != known.class {
                second = best;
            }
            (best, class) = (far, known.class);
        } else if class != known.class {
            second = second.min(far);
        }
    }
    match best <= FAR * FAR && best <= second * CLEARLY * CLEARLY {
        true => class,
        false => UNKNOWN,
    }
}

/// The classes of the pixels of a frame, each after the mean of the nine pixels around it; the outermost ones are unknown.
pub(crate) fn classify(frame: &Frame, table: &[Class]) -> Vec<Class> {
    let (width, height) = (frame.width(), frame.height());
    let mut classes = vec![UNKNOWN; width * height];
    if width < 3 || height < 3 {
        return classes;
    }
    let mut sums = vec![0u16; width * 3];
    let mut means = vec![0u8; width * 3];
    for y in 1..height - 1 {
        let row = |y: usize| frame.pixels()[y * width..][..width].as_flattened();
        let rows = row(y - 1).iter().zip(row(y)).zip(row(y + 1));
        for (sum, ((&a, &b), &c)) in sums.iter_mut().zip(rows) {
            *sum = u16::from(a) + u16::from(b) + u16::from(c);
        }
        let around = sums.iter().zip(&sums[3..]).zip(&sums[6..]);
        for (mean, ((&a, &b), &c)) in means[3..].iter_mut().zip(around) {
            // A ninth, of at most 2295.
            *mean = ((u32::from(a + b + c) * 7282) >> 16) as u8;
        }
        let line = &mut classes[y * width..][1..width - 1];
        for (class, mean) in line.iter_mut().zip(means[3..].chunks_exact(3)) {
            let part = |value: u8| usize::from(value >> (8 - BITS));
            let index = (part(mean[0]) << (2 * BITS)) | (part(mean[1]) << BITS) | part(mean[2]);
            *class = table[index];
        }
    }
    classes
}
