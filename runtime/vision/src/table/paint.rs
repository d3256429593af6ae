//! Painting a frame in integers: ground, discs, light, blur, noise.

use rulec_core::Rng;

use crate::colour::Rgb;
use crate::frame::Frame;
use crate::plane::Plane;

/// A picture that is being painted, with the buffers that painting needs.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// How much of each pixel belongs to the place below it, of 255.
    spots: Vec<u8>,
    pixels: Vec<[u8; 3]>,
    /// A second picture for blurring.
    other: Vec<[u8; 3]>,
    sums: Vec<u16>,
}

/// Numbers that are distributed normally, with a standard deviation.
///
/// Sums of twelve uniform bytes: exact, alike on all machines, none beyond six standard deviations.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    /// Empty where there is no noise.
    numbers: Vec<i16>,
}

/// How many different numbers there are; rows of pixels begin anywhere among them.
const NUMBERS: usize = 1 << 16;

impl Noise {
    pub(super) fn new(deviation: f64) -> Self {
        let mut numbers = Vec::new();
        if deviation > 0.0 {
            let mut rng = Rng::new(0x6e6f_6973_6500, 0);
            // The sum of twelve bytes has the mean 1530 and the variance 65 535.
            let number = || {
                let low = rng.u64().to_le_bytes().map(i64::from).iter().sum::<i64>();
                let high: i64 = rng.u32().to_le_bytes().map(i64::from).iter().sum();
                let units = (low + high - 1530) as f64 / 256.0;
                (units * deviation).round().clamp(-255.0, 255.0) as i16
            };
            numbers = std::iter::repeat_with(number).take(NUMBERS).collect();
        }
        Self { numbers }
    }
}

impl Canvas {
    pub(super) fn new((width, height): (usize, usize)) -> Self {
        let size = width * height;
        Self {
            width,
            height,
            spots: vec![0; size],
            pixels: vec![[0; 3]; size],
            other: vec![[0; 3]; size],
            sums: vec![0; width * 3],
        }
    }

    /// Forgets the places.
    pub(super) fn clear(&mut self) {
        self.spots.fill(0);
    }

    /// Marks the round area of a place.
    pub(super) fn spot(&mut self, plane: &Plane, at: (f64, f64), radius: f64) {
        let width = self.width;
        for_disc(plane, at, radius, (width, self.height), |pixel, part| {
            let spot = &mut self.spots[pixel];
            *spot = (*spot).max(part.min(255) as u8);
        });
    }

    /// Paints the empty table over everything.
    pub(super) fn ground(&mut self, board: Rgb, place: Rgb) {
        let (board, place) = (board.0.map(i32::from), place.0.map(i32::from));
        for (pixel, &spot) in self.pixels.iter_mut().zip(&self.spots) {
            let spot = i32::from(spot);
            for channel in 0..3 {
                let step = (place[channel] - board[channel]) * spot / 255;
                pixel[channel] = (board[channel] + step) as u8;
            }
        }
    }

    /// Paints a disc of the table.
    pub(super) fn disc(&mut self, plane: &Plane, at: (f64, f64), radius: f64, paint: Rgb) {
        let paint = paint.0.map(i32::from);
        let pixels = &mut self.pixels;
        for_disc(
            plane,
            at,
            radius,
            (self.width, self.height),
            |pixel, part| {
                for (channel, paint) in pixels[pixel].iter_mut().zip(paint) {
                    let under = i32::from(*channel);
                    *channel = (under + (paint - under) * part as i32 / 256) as u8;
                }
            },
        );
    }

    /// Light that goes evenly from one gain to another along a direction, and a soft shadow that takes a part of it over
    /// a third of the picture.
    pub(super) fn light(
        &mut self,
        gains: (f64, f64),
        along: (f64, f64),
        shadow: f64,
        shade: (f64, f64),
    ) {
        if gains == (1.0, 1.0) && shadow == 0.0 {
            return;
        }
        // Both are linear over the picture, in 1/65536; the shadow is cut off on both sides.
        let (ramp, ramp_x, ramp_y) = self.ramp(along);
        let fixed = |x: f64| (x * 65536.0).round() as i64;
        let (mut light, spread) = (gains.0 + ramp * (gains.1 - gains.0), gains.1 - gains.0);
        let (mut dark, dark_x, dark_y) = self.ramp(shade);
        // From full shadow to none within 8 % of the way, around one third.
        const SOFT: f64 = 1.0 / 0.08;
        dark = (1.0 / 3.0 - dark) * SOFT + 0.5;
        for row in self.pixels.chunks_exact_mut(self.width) {
            let (start, step) = (fixed(light) as i32, fixed(ramp_x * spread) as i32);
            let (edge, edge_step) = (fixed(dark) as i32, fixed(-dark_x * SOFT) as i32);
            let taken = fixed(shadow) as i32 >> 8;
            for (x, pixel) in row.iter_mut().enumerate() {
                let x = x as i32;
                let shade = (edge + edge_step * x).clamp(0, 65536) >> 8;
                let gain = (start + step * x) >> 4;
                // 12 bits of gain times 16 bits of what the shadow leaves, back to 12 bits.
                let gain = ((gain as i64 * i64::from(65536 - taken * shade)) >> 16) as i32;
                for channel in pixel {
                    *channel = ((i32::from(*channel) * gain) >> 12).clamp(0, 255) as u8;
                }
            }
            light += ramp_y * spread;
            dark -= dark_y * SOFT;
        }
    }

    /// A function that is 0 at one side of the picture and 1 at the other along a direction: its value in the first pixel, and
    /// its steps to the right and down.
    fn ramp(&self, (dx, dy): (f64, f64)) -> (f64, f64, f64) {
        let (width, height) = (self.width as f64, self.height as f64);
        let long = width * dx.abs() + height * dy.abs();
        let (step_x, step_y) = (dx / long, dy / long);
        let first = 0.5 - step_x * (width - 1.0) / 2.0 - step_y * (height - 1.0) / 2.0;
        (first, step_x, step_y)
    }

    /// Blurs everything with a normal distribution, in weights of 1/256; the border repeats the outermost pixels.
    pub(super) fn blur(&mut self, deviation: f64) {
        if deviation <= 0.0 || self.width == 0 || self.height == 0 {
            return;
        }
        let weights = weights(deviation);
        let reach = weights.len() / 2;
        let (width, height) = (self.width, self.height);
        for y in 0..height {
            self.sums.fill(128);
            for (nth, &weight) in weights.iter().enumerate() {
                let from = (y + nth).saturating_sub(reach).min(height - 1);
                let row = self.pixels[from * width..][..width].as_flattened();
                for (sum, &value) in self.sums.iter_mut().zip(row) {
                    *sum += u16::from(value) * weight;
                }
            }
            let row = self.other[y * width..][..width].as_flattened_mut();
            for (value, &sum) in row.iter_mut().zip(&self.sums) {
                *value = (sum >> 8) as u8;
            }
        }
        let inner = width.saturating_sub(2 * reach) * 3;
        for y in 0..height {
            let row = self.other[y * width..][..width].as_flattened();
            self.sums.fill(128);
            for (nth, &weight) in weights.iter().enumerate() {
                let shifted = row.get(nth * 3..nth * 3 + inner).unwrap_or_default();
                let middle = self.sums.iter_mut().skip(reach * 3);
                for (sum, &value) in middle.zip(shifted) {
                    *sum += u16::from(value) * weight;
                }
                let left = 0..reach.min(width);
                let right = (reach.max(width.saturating_sub(reach)))..width;
                for x in left.chain(right) {
                    let from = (x + nth).saturating_sub(reach).min(width - 1);
                    for channel in 0..3 {
                        self.sums[x * 3 + channel] += u16::from(row[from * 3 + channel]) * weight;
                    }
                }
            }
            let row = self.pixels[y * width..][..width].as_flattened_mut();
            for (value, &sum) in row.iter_mut().zip(&self.sums) {
                *value = (sum >> 8) as u8;
            }
        }
    }

    /// Adds noise to every colour of every pixel.
    pub(super) fn noise(&mut self, noise: &Noise, rng: &mut Rng) {
        if noise.numbers.is_empty() {
            return;
        }
        for row in self.pixels.chunks_exact_mut(self.width) {
            let row = row.as_flattened_mut();
            let length = row.len().min(NUMBERS);
            let start = rng.below((NUMBERS - length + 1) as u32) as usize;
            for (value, &by) in row.iter_mut().zip(&noise.numbers[start..]) {
                *value = (i16::from(*value) + by).clamp(0, 255) as u8;
            }
        }
    }

    /// The picture so far.
    pub(super) fn picture(&self) -> Frame {
        let pixels = self.pixels.clone();
        Frame::from_pixels(self.width, self.height, pixels)
            .unwrap_or_else(|_| Frame::new(self.width, self.height, Rgb([0; 3])))
    }
}

/// Weights of a normal distribution that add up to 256: sums of bytes stay within 16 bits.
fn weights(deviation: f64) -> Vec<u16> {
    let reach = (deviation * 2.7).ceil().clamp(1.0, 24.0) as i32;
    let height = |x: i32| (-f64::from(x * x) / (2.0 * deviation * deviation)).exp();
    let total: f64 = (-reach..=reach).map(height).sum();
    let weight = |x: i32| (height(x) / total * 256.0).round() as u16;
    let mut weights: Vec<u16> = (-reach..=reach).map(weight).collect();
    let sum: u16 = weights.iter().sum();
    let middle = &mut weights[reach as usize];
    *middle = (*middle + 256).saturating_sub(sum);
    weights
}

/// Calls `paint` with every pixel that a disc of the table covers, and with how much of it, of 256.
///
/// The picture of a small disc is taken for an ellipse.
fn for_disc(
    plane: &Plane,
    at: (f64, f64),
    radius: f64,
    (width, height): (usize, usize),
    mut paint: impl FnMut(usize, u32),
) {
    let (x, y) = plane.apply(at);
    let (right, down) = (
        plane.apply((at.0 + radius, at.1)),
        plane.apply((at.0, at.1 + radius)),
    );
    let (left, up) = (
        plane.apply((at.0 - radius, at.1)),
        plane.apply((at.0, at.1 - radius)),
    );
    // Half axes in pixels, and the map from pixels to radii.
    let (ax, ay) = ((right.0 - left.0) / 2.0, (right.1 - left.1) / 2.0);
    let (bx, by) = ((down.0 - up.0) / 2.0, (down.1 - up.1) / 2.0);
    let area = ax * by - ay * bx;
    let reach = (ax.hypot(bx).max(ay.hypot(by)) + 1.0).min(4096.0);
    if !area.is_finite() || area.abs() < 1e-9 || !x.is_finite() || !y.is_finite() {
        return;
    }
    let pixels = area.abs().sqrt();
    let clip = |v: f64, most: usize| v.clamp(0.0, most as f64) as usize;
    let (top, bottom) = (clip(y - reach, height), clip(y + reach + 1.0, height));
    let (first, last) = (clip(x - reach, width), clip(x + reach + 1.0, width));
    for row in top..bottom {
        let dy = row as f64 - y;
        for column in first..last {
            let dx = column as f64 - x;
            let (u, v) = ((by * dx - bx * dy) / area, (ax * dy - ay * dx) / area);
            let far = (u * u + v * v).sqrt();
            let part = ((1.0 - far) * pixels + 0.5).clamp(0.0, 1.0);
            if part > 0.0 {
                paint(row * width + column, (part * 256.0) as u32);
            }
        }
    }
}
