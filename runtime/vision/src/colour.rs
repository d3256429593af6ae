//! Colours: red, green and blue as cameras give them; hue, saturation and value as rules speak of them.

use serde::{Deserialize, Serialize};

/// Red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rgb(pub [u8; 3]);

/// Hue in degrees (0 to 360), saturation (0 to 1) and value (0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hsv {
    /// Hue in degrees, 0 to 360; 0 for greys.
    pub hue: f32,
    /// Saturation, 0 to 1.
    pub saturation: f32,
    /// Value, 0 to 1.
    pub value: f32,
}

/// A range of colours, bounds inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Least and greatest hue in degrees; a least that is not below the greatest wraps around 0.
    pub hue: (f64, f64),
    /// Least and greatest saturation, 0 to 1.
    pub saturation: (f64, f64),
    /// Least and greatest value, 0 to 1.
    pub value: (f64, f64),
}

impl Rgb {
    /// The same colour by hue, saturation and value.
    ///
    /// The formula of OpenCV for floats, whose values are 0 to 255 for pictures of bytes; divided by 255 here.
    pub fn hsv(self) -> Hsv {
        let [r, g, b] = self.0.map(f32::from);
        let most = r.max(g).max(b);
        let least = r.min(g).min(b);
        let spread = most - least;
        let saturation = spread / (most + f32::EPSILON);
        let scale = 60.0 / (spread + f32::EPSILON);
        let mut hue = if most == r {
            (g - b) * scale
        } else if most == g {
            (b - r) * scale + 120.0
        } else {
            (r - g) * scale + 240.0
        };
        if hue < 0.0 {
            hue += 360.0;
        }
        Hsv {
            hue,
            saturation,
            value: most / 255.0,
        }
    }

    /// A colour as CSS writes it with six hexadecimal digits, `#rrggbb`.
    pub fn from_css(text: &str) -> Option<Self> {
        let digits = text
            .strip_prefix('#')
            .filter(|d| d.len() == 6 && d.is_ascii())?;
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        Some(Self([part(0)?, part(2)?, part(4)?]))
    }
}

impl Hsv {
    /// The colour in red, green and blue, rounded.
    pub fn rgb(self) -> Rgb {
        let chroma = self.value * self.saturation;
        let sector = (self.hue / 60.0).rem_euclid(6.0);
        let second = chroma * (1.0 - (sector % 2.0 - 1.0).abs());
        let (r, g, b) = match sector as u32 {
            0 => (chroma, second, 0.0),
            1 => (second, chroma, 0.0),
            2 => (0.0, chroma, second),
            3 => (0.0, second, chroma),
            4 => (second, 0.0, chroma),
            _ => (chroma, 0.0, second),
        };
        let least = self.value - chroma;
        Rgb([r, g, b].map(|part| ((part + least) * 255.0).round().clamp(0.0, 255.0) as u8))
    }
}

impl Range {
    /// Whether a colour lies in the range.
    pub fn holds(&self, colour: Hsv) -> bool {
        let within = |(min, max): (f64, f64), x: f64| min <= x && x <= max;
        let hue = f64::from(colour.hue);
        let (min, max) = self.hue;
        let fits = match min >= max {
            true => hue >= min || hue <= max,
            false => within(self.hue, hue),
        };
        fits && within(self.saturation, f64::from(colour.saturation))
            && within(self.value, f64::from(colour.value))
    }

    /// The colour in the middle of the range.
    pub fn middle(&self) -> Hsv {
        let (min, max) = self.hue;
        let width = if min >= max {
            max + 360.0 - min
        } else {
            max - min
        };
        let half = |(a, b): (f64, f64)| ((a + b) / 2.0).clamp(0.0, 1.0) as f32;
        Hsv {
            hue: (min + width / 2.0).rem_euclid(360.0) as f32,
            saturation: half(self.saturation),
            value: half(self.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_to_hue_and_back() {
        for r in (0..=255u8).step_by(15) {
            for g in (0..=255u8).step_by(17) {
                for b in (0..=255u8).step_by(51) {
                    let colour = Rgb([r, g, b]);
                    assert_eq!(colour.hsv().rgb(), colour);
                }
            }
        }
        assert_eq!(Rgb([0, 255, 0]).hsv().hue, 120.0);
        assert_eq!(Rgb::from_css("#e69f00"), Some(Rgb([0xe6, 0x9f, 0])));
        assert_eq!(Rgb::from_css("#e69f0"), None);
        assert_eq!(Rgb::from_css("#é69f0"), None);
    }

    #[test]
    fn hues_wrap_around() {
        let range = Range {
            hue: (340.0, 15.0),
            saturation: (0.5, 1.0),
            value: (0.25, 1.0),
        };
        let red = |hue| Hsv {
            hue,
            saturation: 0.9,
            value: 0.9,
        };
        assert!(range.holds(red(350.0)) && range.holds(red(0.0)) && range.holds(red(15.0)));
        assert!(!range.holds(red(16.0)) && !range.holds(red(339.0)));
        assert_eq!(range.middle().hue, 357.5);
    }
}
