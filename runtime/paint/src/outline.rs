//! The outlines of `d` attributes.

use std::f64::consts::{FRAC_PI_2, TAU};

use tiny_skia::{Path, PathBuilder};

/// An outline from the text of a `d` attribute; nothing where it is damaged or empty.
pub(crate) fn outline(text: &str) -> Option<Path> {
    let mut pen = Pen::new();
    let mut reader = Reader { rest: text };
    let mut command = reader.command()?;
    loop {
        pen.draw(command, &mut reader)?;
        match reader.command() {
            Some(next) => command = next,
            None if reader.is_at_end() => break,
            // Numbers without a letter repeat the command; behind a move they are lines.
            None => {
                command = match command {
                    'M' => 'L',
                    'm' => 'l',
                    'Z' | 'z' => return None,
                    other => other,
                }
            }
        }
    }
    pen.path.finish()
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == ',');
    }

    fn is_at_end(&mut self) -> bool {
        self.skip();
        self.rest.is_empty()
    }

    fn command(&mut self) -> Option<char> {
        self.skip();
        let letter = self.rest.chars().next().filter(char::is_ascii_alphabetic)?;
        self.rest = &self.rest[1..];
        Some(letter)
    }

    fn number(&mut self) -> Option<f64> {
        self.skip();
        let bytes = self.rest.as_bytes();
        let mut end = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
        let mut has_point = false;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'0'..=b'9' => {}
                b'.' if !has_point => has_point = true,
                b'e' | b'E' if matches!(bytes.get(end + 1), Some(b'-' | b'+' | b'0'..=b'9')) => {
                    end += 1;
                    has_point = true;
                }
                _ => break,
            }
            end += 1;
        }
        let number = self.rest[..end]
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite());
        self.rest = &self.rest[end..];
        number
    }

    /// A flag of an arc: one digit, with nothing behind it needed.
    fn flag(&mut self) -> Option<bool> {
        self.skip();
        let flag = match self.rest.as_bytes().first()? {
            b'0' => false,
            b'1' => true,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(flag)
    }

    fn point(&mut self, origin: (f64, f64)) -> Option<(f64, f64)> {
        Some((origin.0 + self.number()?, origin.1 + self.number()?))
    }
}

struct Pen {
    path: PathBuilder,
    at: (f64, f64),
    begin: (f64, f64),
    /// The last control point of a curve, and how many control points the curve has.
    control: Option<((f64, f64), u8)>,
}

impl Pen {
    fn new() -> Self {
        Self {
            path: PathBuilder::new(),
            at: (0.0, 0.0),
            begin: (0.0, 0.0),
            control: None,
        }
    }

    fn draw(&mut self, command: char, reader: &mut Reader<'_>) -> Option<()> {
        let at = self.at;
        let origin = match command.is_ascii_lowercase() {
            true => at,
            false => (0.0, 0.0),
        };
        let before = self.control.take();
        match command.to_ascii_uppercase() {
            'M' => {
                self.at = reader.point(origin)?;
                self.begin = self.at;
                self.path.move_to(self.at.0 as f32, self.at.1 as f32);
            }
            'L' => self.line(reader.point(origin)?),
            'H' => self.line((origin.0 + reader.number()?, at.1)),
            'V' => self.line((at.0, origin.1 + reader.number()?)),
            'Q' => self.quadratic(reader.point(origin)?, reader.point(origin)?),
            'T' => self.quadratic(mirrored(at, before, 1), reader.point(origin)?),
            'C' => self.cubic(
                reader.point(origin)?,
                reader.point(origin)?,
                reader.point(origin)?,
            ),
            'S' => self.cubic(
                mirrored(at, before, 2),
                reader.point(origin)?,
                reader.point(origin)?,
            ),
            'A' => {
                let radii = (reader.number()?.abs(), reader.number()?.abs());
                let turned = reader.number()?.to_radians();
                let (large, sweep) = (reader.flag()?, reader.flag()?);
                self.arc(radii, turned, large, sweep, reader.point(origin)?);
            }
            'Z' => {
                self.path.close();
                self.at = self.begin;
            }
            _ => return None,
        }
        Some(())
    }

    fn line(&mut self, to: (f64, f64)) {
        self.path.line_to(to.0 as f32, to.1 as f32);
        self.at = to;
    }

    fn quadratic(&mut self, control: (f64, f64), to: (f64, f64)) {
        let (x, y) = control;
        self.path
            .quad_to(x as f32, y as f32, to.0 as f32, to.1 as f32);
        self.control = Some((control, 1));
        self.at = to;
    }

    fn cubic(&mut self, one: (f64, f64), two: (f64, f64), to: (f64, f64)) {
        let [a, b, c, d, e, f] = [one.0, one.1, two.0, two.1, to.0, to.1].map(|v| v as f32);
        self.path.cubic_to(a, b, c, d, e, f);
        self.control = Some((two, 2));
        self.at = to;
    }

    /// An arc as curves of a quarter at most: from its ends to its middle and angles, as the notes on SVG give it.
    fn arc(&mut self, radii: (f64, f64), turned: f64, large: bool, sweep: bool, to: (f64, f64)) {
        let from = self.at;
        let (mut rx, mut ry) = radii;
        if rx == 0.0 || ry == 0.0 || from == to {
            return self.line(to);
        }
        let (sin, cos) = turned.sin_cos();
        let half = ((from.0 - to.0) / 2.0, (from.1 - to.1) / 2.0);
        let (x, y) = (cos * half.0 + sin * half.1, cos * half.1 - sin * half.0);
        let reach = (x / rx).powi(2) + (y / ry).powi(2);
        if reach > 1.0 {
            rx *= reach.sqrt();
            ry *= reach.sqrt();
        }
        let span = (rx * y).powi(2) + (ry * x).powi(2);
        let size = (((rx * ry).powi(2) - span) / span).max(0.0).sqrt();
        let size = if large == sweep { -size } else { size };
        let (mx, my) = (size * rx * y / ry, -size * ry * x / rx);
        let middle = (
            cos * mx - sin * my + (from.0 + to.0) / 2.0,
            sin * mx + cos * my + (from.1 + to.1) / 2.0,
        );
        let first = ((y - my) / ry).atan2((x - mx) / rx);
        let last = ((-y - my) / ry).atan2((-x - mx) / rx);
        let mut angle = last - first;
        if sweep && angle < 0.0 {
            angle += TAU;
        } else if !sweep && angle > 0.0 {
            angle -= TAU;
        }
        let pieces = (angle.abs() / FRAC_PI_2).ceil().max(1.0);
        let step = angle / pieces;
        let pull = 4.0 / 3.0 * (step / 4.0).tan();
        let on = |(px, py): (f64, f64)| {
            let (px, py) = (px * rx, py * ry);
            (
                middle.0 + cos * px - sin * py,
                middle.1 + sin * px + cos * py,
            )
        };
        for piece in 0..pieces as u32 {
            let begin = first + step * f64::from(piece);
            let ((s0, c0), (s1, c1)) = (begin.sin_cos(), (begin + step).sin_cos());
            let one = on((c0 - pull * s0, s0 + pull * c0));
            let two = on((c1 + pull * s1, s1 - pull * c1));
            self.cubic(one, two, on((c1, s1)));
        }
        self.control = None;
        self.at = to;
    }
}

/// The control point that continues a curve smoothly.
fn mirrored(at: (f64, f64), control: Option<((f64, f64), u8)>, degree: u8) -> (f64, f64) {
    match control {
        Some(((x, y), of)) if of == degree => (2.0 * at.0 - x, 2.0 * at.1 - y),
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::outline;

    /// Left, top, right and bottom of what is enclosed, rounded.
    fn bounds(text: &str) -> [i32; 4] {
        let path = outline(text).unwrap_or_else(|| panic!("`{text}` is an outline"));
        let bounds = path.compute_tight_bounds().expect("it encloses something");
        [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()].map(|v| v.round() as i32)
    }

    #[test]
    fn outlines_reach_as_far_as_their_commands_say() {
        for (text, expected) in [
            ("M0 0H10V20H0Z", [0, 0, 10, 20]),
            ("m5,5 10 0 0-10z", [5, -5, 15, 5]),
            ("M0 0L10.5.5L-1e1 4", [-10, 0, 11, 4]),
            (
                "M44.5 13a5.5 5.5 0 1 0 11.0 0a5.5 5.5 0 1 0 -11.0 0Z",
                [45, 8, 56, 19],
            ),
            ("M0 50A50 50 0 0 1 100 50", [0, 0, 100, 50]),
            ("M0 50A50 50 0 0 0 100 50", [0, 50, 100, 100]),
            ("M0 0a10 20 90 01 40 0", [0, -10, 40, 0]),
            ("M0 0Q50 100 100 0T200 0", [0, -50, 200, 50]),
            ("M0 0C0 40 100 40 100 0S200-40 200 0", [0, -30, 200, 30]),
            ("M10 10Zm5 5h2v2z", [10, 10, 17, 17]),
        ] {
            assert_eq!(bounds(text), expected, "{text}");
        }
    }

    #[test]
    fn damaged_outlines_are_none() {
        for text in [
            "",
            "10 10",
            "M",
            "M1",
            "M0 0L",
            "M0 0X3",
            "M0 0A1 1 0 2 0 3 3",
            "M0 0Z4",
            "M0 0L1e999 0",
        ] {
            assert!(outline(text).is_none(), "{text}");
        }
    }
}
