//! What light and camera did to a frame, estimated from the frame itself, and the classes of its pixels without that.
//!
//! Four things are taken out before a colour is compared with the known ones: noise (pixels are averaged over as many
//! neighbours as it takes), a wrong white balance (all hues are turned alike; the turn that makes the most pixels one of
//! the known colours), uneven light (the brightness of the board around), and parts that are too bright for the camera
//! (a colour that stands at its limit says only that it is at least so bright).

use crate::colour::Rgb;
use crate::frame::Frame;
use crate::palette::{BOARD, Class, FIRST_LOOK, Palette, UNKNOWN};
use crate::scene::Scene;

/// How far a colour may be from the nearest known one, about in radians.
const FAR: f32 = 0.33;
/// How much nearer than the second it must be.
const CLEARLY: f32 = 0.75;
/// Weight of a relative difference in brightness beside an angle in radians.
const BRIGHTNESS: f32 = 0.12;
/// Colours darker than this have no direction, by the length of red, green and blue; and so have those that are darker
/// than some deviations of the noise.
const DARK: f32 = 16.0;
const DARK_NOISE: f32 = 6.0;
/// Noise from which on pixels are averaged over 25 neighbours instead of nine.
const NOISY: f32 = 10.0;
/// By how many degrees all hues may be turned, at most, and the steps in which the turn is looked for.
const TURN: i32 = 40;
const STEP: i32 = 4;
/// How unlike a known colour a pixel is counted at most when the turn is looked for, as a squared chord.
const OUTLIER: f32 = 0.04;
/// What a turn of 30 degrees must save for each pixel to be believed.
const TURN_COST: f32 = 2e-4;
/// Pixels that are looked at for the turn, about.
const SAMPLES: usize = 3000;
/// How near to a colour of the board a pixel must be to tell the light, as a squared chord.
const BOARDLIKE: f32 = 0.05;

/// A frame without most of its noise.
pub(crate) struct View {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
    /// Pixels at the border that have no neighbours on all sides.
    border: usize,
    /// Standard deviation of what is left of the noise.
    noise: f32,
    /// From here on a part of a colour may be brighter than the camera can tell.
    limit: f32,
}

impl View {
    /// A frame in which the distance of places is `pitch` pixels.
    pub(crate) fn new(frame: &Frame, pitch: f64) -> Self {
        let raw = noise(frame);
        let border = match raw > NOISY && pitch > 20.0 {
            true => 2,
            false => 1,
        };
        let (width, height) = (frame.width(), frame.height());
        let mut view = Self {
            width,
            height,
            pixels: vec![[0; 3]; width * height],
            border,
            noise: raw / (2 * border + 1) as f32 + 0.5,
            limit: 252.0 - 0.8 * raw,
        };
        if width > 2 * border && height > 2 * border {
            view.average(frame);
        }
        view
    }

    /// The mean of the pixels around each.
    fn average(&mut self, frame: &Frame) {
        let (width, border) = (self.width, self.border);
        let side = 2 * border + 1;
        let mut sums = vec![0u16; width * 3];
        let scale = 65536 / (side * side) as u32 + 1;
        for y in border..self.height - border {
            sums.fill(0);
            for from in y - border..=y + border {
                let row = frame.pixels()[from * width..][..width].as_flattened();
                for (sum, &value) in sums.iter_mut().zip(row) {
                    *sum += u16::from(value);
                }
            }
            let inner = width - 2 * border;
            let line = self.pixels[y * width + border..][..inner].as_flattened_mut();
            for (at, mean) in line.iter_mut().enumerate() {
                let around: u32 = (0..side).map(|nth| u32::from(sums[at + 3 * nth])).sum();
                *mean = ((around * scale) >> 16).min(255) as u8;
            }
        }
    }

    /// The colour of a pixel; nothing at the border.
    pub(crate) fn get(&self, pixel: usize) -> Option<[f32; 3]> {
        let (x, y) = (pixel % self.width, pixel / self.width);
        let within = |v: usize, most: usize| v >= self.border && v + self.border < most;
        let inside = within(x, self.width) && within(y, self.height);
        inside.then(|| self.pixels[pixel].map(f32::from))
    }

    /// Whether the camera could tell how bright a colour is.
    pub(crate) fn bounded(&self, colour: [f32; 3]) -> bool {
        colour.iter().all(|&part| part < self.limit)
    }

    /// The length below which a colour has no direction.
    fn dark(&self) -> f32 {
        DARK.max(self.noise * DARK_NOISE)
    }

    /// Numbers of pixels that are evenly spread, about as many as asked for.
    fn spread(&self, count: usize) -> impl Iterator<Item = usize> {
        // An odd stride does not fall into step with the rows.
        let stride = (self.pixels.len() / count.max(1)).max(1) | 1;
        (0..self.pixels.len()).step_by(stride)
    }
}

/// The standard deviation of the noise: by the median difference of neighbours, most of which show the same.
fn noise(frame: &Frame) -> f32 {
    let mut steps: Vec<u8> = Vec::new();
    for row in frame.pixels().chunks_exact(frame.width().max(1)).step_by(5) {
        let pairs = row.iter().zip(row.iter().skip(1)).step_by(3);
        let known = pairs.filter(|(a, b)| (4..250).contains(&a[1]) && (4..250).contains(&b[1]));
        steps.extend(known.map(|(a, b)| a[1].abs_diff(b[1])));
    }
    steps.sort_unstable();
    // Half of all differences of two normal numbers are below 0.954 deviations.
    steps
        .get(steps.len() / 2)
        .map_or(0.0, |&step| f32::from(step) / 0.954)
}

/// A colour that pixels are compared with.
#[derive(Clone, Copy, Debug)]
struct Known {
    class: Class,
    colour: [f32; 3],
    /// Red, green and blue of length 1.
    direction: [f32; 3],
    length: f32,
}

pub(crate) fn length(colour: [f32; 3]) -> f32 {
    dot(colour, colour).sqrt()
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

/// The squared chord between two directions.
fn chord(a: [f32; 3], b: [f32; 3]) -> f32 {
    (2.0 - 2.0 * dot(a, b)).max(0.0)
}

impl Known {
    fn new(class: Class, Rgb(colour): Rgb) -> Self {
        let colour = colour.map(f32::from);
        let length = length(colour).max(1.0);
        Self {
            class,
            colour,
            direction: colour.map(|part| part / length),
            length,
        }
    }

    fn turned(class: Class, colour: Rgb, turn: i32) -> Self {
        if turn == 0 {
            return Self::new(class, colour);
        }
        let mut hsv = colour.hsv();
        hsv.hue = (hsv.hue + turn as f32).rem_euclid(360.0);
        Self::new(class, hsv.rgb())
    }

    /// How unlike a colour is, squared: the chord between the directions, with brightness at right angles to it.
    fn distance(&self, seen: &Seen) -> f32 {
        let (chord, bright) = match seen.bounded {
            true => (chord(self.direction, seen.direction), seen.length),
            false => self.at_limit(seen),
        };
        let expected = self.length * seen.gain;
        // Equal to the difference of logarithms for small ones, and the same on all machines.
        let brightness = 2.0 * (bright - expected) / (bright + expected) * BRIGHTNESS;
        chord + brightness * brightness
    }

    /// The squared chord to a colour of which some parts stand at the limit, and how bright it would be without that: the
    /// gain that fits the other parts best, where what goes beyond the limit fits too.
    fn at_limit(&self, seen: &Seen) -> (f32, f32) {
        let mut free = seen.colour.map(|part| part < seen.limit);
        let mut gain = 0.0;
        for _ in 0..2 {
            let (mut product, mut square) = (0.0, 0.0);
            for (part, _) in free.iter().enumerate().filter(|(_, free)| **free) {
                product += seen.colour[part] * self.colour[part];
                square += self.colour[part] * self.colour[part];
            }
            gain = match square > 0.0 {
                true => product / square,
                // Just as bright as it must be at least.
                false => self
                    .colour
                    .iter()
                    .fold(0.0, |most: f32, part| most.max(seen.limit / part.max(1.0))),
            };
            for (part, free) in free.iter_mut().enumerate() {
                *free |= gain * self.colour[part] < seen.limit;
            }
        }
        let miss = |part: usize| match free[part] {
            true => seen.colour[part] - gain * self.colour[part],
            false => 0.0,
        };
        let squares: f32 = (0..3).map(|part| miss(part) * miss(part)).sum();
        (squares / (seen.length * seen.length), gain * self.length)
    }
}

/// A pixel that is compared.
struct Seen {
    colour: [f32; 3],
    direction: [f32; 3],
    length: f32,
    bounded: bool,
    limit: f32,
    /// How bright the board around is, in parts of what it was when colours were learnt.
    gain: f32,
}

/// How bright the board is in each part of a frame.
pub(crate) struct Gains {
    /// Side of a part, in pixels.
    side: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Gains {
    /// The light in squares of a quarter of the distance of places: the median of what looks like the board in the seven by
    /// seven squares around, of which pieces cover the lesser part.
    fn new(view: &View, boards: &[Known], pitch: f64) -> Self {
        let side = (pitch / 4.0).clamp(4.0, 64.0) as usize;
        let (columns, rows) = (view.width.div_ceil(side), view.height.div_ceil(side));
        let mut own = vec![f32::NAN; columns * rows];
        let usual = boards.iter().map(|board| board.length).sum::<f32>() / boards.len() as f32;
        let mut some = Vec::new();
        for (square, own) in own.iter_mut().enumerate() {
            let (left, top) = (square % columns * side, square / columns * side);
            some.clear();
            for y in (top..(top + side).min(view.height)).step_by(2) {
                for x in (left..(left + side).min(view.width)).step_by(2) {
                    let Some(colour) = view.get(y * view.width + x) else {
                        continue;
                    };
                    let bright = length(colour);
                    let direction = colour.map(|part| part / bright.max(1.0));
                    let like = |board: &Known| chord(board.direction, direction) < BOARDLIKE;
                    if bright > view.dark() && boards.iter().any(like) {
                        some.push(bright / usual);
                    }
                }
            }
            *own = middle(&mut some).unwrap_or(f32::NAN);
        }
        let mut all: Vec<f32> = own.iter().copied().filter(|gain| !gain.is_nan()).collect();
        let everywhere = middle(&mut all).unwrap_or(1.0);
        let around = |square: usize| {
            let (column, row) = (square % columns, square / columns);
            let mut near = Vec::with_capacity(49);
            for y in row.saturating_sub(3)..(row + 4).min(rows) {
                let line = &own[y * columns..][..columns];
                let part = &line[column.saturating_sub(3)..(column + 4).min(columns)];
                near.extend(part.iter().copied().filter(|gain| !gain.is_nan()));
            }
            middle(&mut near).unwrap_or(everywhere)
        };
        let values = (0..own.len()).map(around).collect();
        Self {
            side,
            columns,
            values,
        }
    }

    /// The light where a single colour is that of the board.
    pub(crate) fn of_board(view: &View, board: Rgb, pitch: f64) -> Self {
        Self::new(view, &[Known::new(BOARD, board)], pitch)
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> f32 {
        let square = y / self.side * self.columns + x / self.side;
        self.values.get(square).copied().unwrap_or(1.0)
    }
}

fn middle(numbers: &mut [f32]) -> Option<f32> {
    let half = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    let (_, middle, _) = numbers.select_nth_unstable_by(half, f32::total_cmp);
    Some(*middle)
}

/// The classes of the pixels of a frame, in which places are about `pitch` pixels apart; the outermost ones are unknown.
pub(crate) fn classify(palette: &Palette, scene: &Scene, frame: &Frame, pitch: f64) -> Vec<Class> {
    let view = View::new(frame, pitch);
    let turn = turn(palette, &view);
    let known = colours(palette, turn);
    let boards: Vec<Known> = known.iter().copied().filter(is_board).collect();
    let gains = match boards.is_empty() {
        true => Gains {
            side: 1 << 16,
            columns: 1,
            values: vec![1.0],
        },
        false => Gains::new(&view, &boards, pitch),
    };
    let sorter = Sorter::new(&known, palette, scene);
    let mut classes = vec![UNKNOWN; view.pixels.len()];
    let (border, dark) = (view.border, view.dark());
    for y in border..view.height.saturating_sub(border) {
        for x in border..view.width.saturating_sub(border) {
            let pixel = y * view.width + x;
            let colour = view.pixels[pixel].map(f32::from);
            let long = length(colour);
            if long < dark {
                continue;
            }
            let seen = Seen {
                colour,
                direction: colour.map(|part| part / long),
                length: long,
                bounded: view.bounded(colour),
                limit: view.limit,
                gain: gains.at(x, y),
            };
            classes[pixel] = sorter.class(&seen);
        }
    }
    classes
}

fn is_board(known: &Known) -> bool {
    known.class == BOARD
}

/// The known colours as they look when all hues are turned.
fn colours(palette: &Palette, turn: i32) -> Vec<Known> {
    let boards = palette.boards.iter();
    let boards = boards.map(|&board| Known::turned(BOARD, board, turn));
    let looks = palette.looks.iter().enumerate();
    let looks = looks.filter_map(|(number, look)| {
        Some(Known::turned(FIRST_LOOK + number as Class, (*look)?, turn))
    });
    boards.chain(looks).collect()
}

/// By how many degrees all hues of a frame are turned against those that were learnt.
fn turn(palette: &Palette, view: &View) -> i32 {
    let directions = view.spread(SAMPLES).filter_map(|pixel| {
        let colour = view.get(pixel)?;
        let long = length(colour);
        let tells = long > 2.0 * view.dark() && view.bounded(colour);
        tells.then(|| colour.map(|part| part / long))
    });
    let directions: Vec<[f32; 3]> = directions.collect();
    let cost = |turn: i32| {
        let known = colours(palette, turn);
        let unlike = |seen: &[f32; 3]| {
            let chords = known.iter().map(|known| chord(known.direction, *seen));
            chords.fold(OUTLIER, f32::min)
        };
        let sum: f32 = directions.iter().map(unlike).sum();
        let far = turn as f32 / 30.0;
        sum + directions.len() as f32 * TURN_COST * far * far
    };
    let best = |turns: &mut dyn Iterator<Item = i32>| {
        let costs = turns.map(|turn| (cost(turn), turn));
        costs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.abs().cmp(&b.1.abs())))
    };
    let steps = TURN / STEP;
    let coarse = best(&mut (-steps..=steps).map(|step| step * STEP)).map_or(0, |best| best.1);
    best(&mut (coarse - STEP + 1..coarse + STEP)).map_or(0, |best| best.1)
}

/// Finds the classes of pixels.
struct Sorter<'a> {
    known: &'a [Known],
    palette: &'a Palette,
    scene: &'a Scene,
    /// Whether some looks have no colour but ranges.
    ranges: bool,
    /// What is nearer than this to a colour of the board is clearly the board, squared.
    clear: f32,
}

impl<'a> Sorter<'a> {
    fn new(known: &'a [Known], palette: &'a Palette, scene: &'a Scene) -> Self {
        let boards = known.iter().filter(|known| is_board(known));
        let apart = boards.flat_map(|board| {
            let looks = known.iter().filter(|known| !is_board(known));
            looks.map(|look| chord(board.direction, look.direction))
        });
        let apart = apart.fold(f32::INFINITY, f32::min).min(1.0).sqrt();
        // By the inequality of triangles: all others are farther by the factor that is asked for.
        let clear = (apart * CLEARLY / (1.0 + CLEARLY)).min(FAR);
        Self {
            known,
            palette,
            scene,
            ranges: palette.looks.iter().any(Option::is_none),
            clear: clear * clear,
        }
    }

    /// The class of the nearest known colour, if it is near and clearly nearer than those of other classes.
    fn class(&self, seen: &Seen) -> Class {
        let (mut best, mut class, mut second) = (f32::INFINITY, UNKNOWN, f32::INFINITY);
        for known in self.known {
            let far = known.distance(seen);
            if seen.bounded && is_board(known) && far < self.clear {
                return BOARD;
            }
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
            false if self.ranges => self
                .palette
                .by_range(self.scene, Rgb(seen.colour.map(|part| part as u8))),
            false => UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Look;

    const BOARD_COLOUR: Rgb = Rgb([176, 168, 156]);
    const PAINTS: [Rgb; 2] = [Rgb([208, 48, 32]), Rgb([224, 192, 32])];
    const SIDE: usize = 160;

    fn scene() -> Scene {
        let look = |paint: &Rgb| Look {
            kind: "disc".to_owned(),
            state: 1,
            blobs: Vec::new(),
            paint: *paint,
        };
        Scene {
            game: "none".to_owned(),
            places: Vec::new(),
            looks: PAINTS.iter().map(look).collect(),
            pieces: Vec::new(),
            start: Vec::new(),
            values: Vec::new(),
        }
    }

    fn palette() -> Palette {
        Palette {
            boards: vec![BOARD_COLOUR],
            looks: PAINTS.iter().map(|paint| Some(*paint)).collect(),
        }
    }

    /// A board with four squares of each look, whose hues are turned, in a light that each column has for itself.
    fn frame(turn: f32, light: impl Fn(usize) -> f32) -> Frame {
        let mut frame = Frame::new(SIDE, SIDE, Rgb([0; 3]));
        for y in 0..SIDE {
            for x in 0..SIDE {
                let colour = what(x, y).map_or(BOARD_COLOUR, |look| PAINTS[look]);
                let mut hsv = colour.hsv();
                hsv.hue = (hsv.hue + turn).rem_euclid(360.0);
                let lit = |part: u8| (f32::from(part) * light(x)).min(255.0) as u8;
                frame.set(x, y, Rgb(hsv.rgb().0.map(lit)));
            }
        }
        frame
    }

    /// The look at a pixel: squares of 16 in steps of 40.
    fn what(x: usize, y: usize) -> Option<usize> {
        let inside = |v: usize| (12..28).contains(&(v % 40));
        (inside(x) && inside(y)).then_some((x / 40 + y / 40) % 2)
    }

    /// Which part of the pixels, but for edges, has the right class.
    fn right(frame: &Frame) -> f64 {
        let classes = classify(&palette(), &scene(), frame, 40.0);
        let (mut all, mut right) = (0.0, 0.0);
        for y in 3..SIDE - 3 {
            for x in 3..SIDE - 3 {
                let look = what(x, y);
                if [(x - 2, y), (x + 2, y), (x, y - 2), (x, y + 2)]
                    .iter()
                    .all(|&(x, y)| what(x, y) == look)
                {
                    all += 1.0;
                    let class = look.map_or(BOARD, |look| FIRST_LOOK + look as Class);
                    right += f64::from(u8::from(classes[y * SIDE + x] == class));
                }
            }
        }
        right / all
    }

    #[test]
    fn turned_hues_are_found() {
        for wanted in [-32, -7, 0, 13, 30] {
            let frame = frame(wanted as f32, |_| 0.9);
            let found = turn(&palette(), &View::new(&frame, 40.0));
            assert!((found - wanted).abs() <= 2, "{found} for {wanted}");
            assert!(right(&frame) > 0.999, "{wanted}");
        }
    }

    #[test]
    fn light_does_not_change_what_is_seen() {
        let shadow = |x: usize| if x < 70 { 0.25 } else { 1.0 };
        let slope = |x: usize| 0.4 + x as f32 / SIDE as f32;
        assert!(right(&frame(0.0, shadow)) > 0.98);
        assert!(right(&frame(0.0, slope)) > 0.999);
        // Too bright for the camera: the board is nearly white, yellow has no red and green to speak of.
        assert!(right(&frame(0.0, |_| 1.6)) > 0.999);
        assert!(right(&frame(12.0, |_| 1.45)) > 0.99);
    }

    #[test]
    fn noise_is_measured() {
        let mut rng = rulec_core::Rng::new(1, 0);
        let mut frame = frame(0.0, |_| 0.8);
        assert!(noise(&frame) < 1.0);
        for pixel in frame.pixels_mut() {
            // Twelve uniform numbers have the variance 1 in sum.
            let by = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            *pixel = pixel.map(|part| (f64::from(part) + by * 16.0).clamp(0.0, 255.0) as u8);
        }
        let found = noise(&frame);
        assert!((12.0..20.0).contains(&found), "{found}");
        assert_eq!(View::new(&frame, 40.0).border, 2);
    }
}
