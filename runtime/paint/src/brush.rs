//! What an element is painted with: its attributes and those that it has from around it.

use roxmltree::Node;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Stroke, StrokeDash};

use crate::PaintError;

/// How a text lies at its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Brush {
    fill: Option<[u8; 3]>,
    stroke: Option<[u8; 3]>,
    fill_opacity: f32,
    stroke_opacity: f32,
    /// Of the element and all around it. That is right for what does not cover itself.
    opacity: f32,
    line: Stroke,
    pub(crate) rule: FillRule,
    pub(crate) font_size: f64,
    pub(crate) bold: bool,
    pub(crate) anchor: Anchor,
    pub(crate) stroke_first: bool,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            fill: Some([0; 3]),
            stroke: None,
            fill_opacity: 1.0,
            stroke_opacity: 1.0,
            opacity: 1.0,
            line: Stroke::default(),
            rule: FillRule::Winding,
            font_size: 16.0,
            bold: false,
            anchor: Anchor::Start,
            stroke_first: false,
        }
    }
}

impl Brush {
    /// That of an element inside an element with this one.
    pub(crate) fn inside(&self, node: Node<'_, '_>) -> Result<Self, PaintError> {
        let mut brush = self.clone();
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value().trim());
            if brush.set(name, value).is_none() {
                return Err(PaintError::Unknown(format!("{name}=\"{value}\"")));
            }
        }
        Ok(brush)
    }

    /// Takes an attribute over, if it is one of looks.
    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let share = || value.parse::<f32>().ok().map(|share| share.clamp(0.0, 1.0));
        match name {
            // Browsers pass over a colour that is none; such ones stand in rules.
            "fill" => self.fill = colour(value).unwrap_or(self.fill),
            "stroke" => self.stroke = colour(value).unwrap_or(self.stroke),
            "fill-opacity" => self.fill_opacity = share()?,
            "stroke-opacity" => self.stroke_opacity = share()?,
            "opacity" => self.opacity *= share()?,
            "fill-rule" => {
                self.rule = match value {
                    "evenodd" => FillRule::EvenOdd,
                    "nonzero" => FillRule::Winding,
                    _ => return None,
                }
            }
            "stroke-width" => self.line.width = value.parse().ok().filter(|w| *w >= 0.0)?,
            "stroke-linecap" => {
                self.line.line_cap = match value {
                    "round" => LineCap::Round,
                    "square" => LineCap::Square,
                    "butt" => LineCap::Butt,
                    _ => return None,
                }
            }
            "stroke-linejoin" => {
                self.line.line_join = match value {
                    "round" => LineJoin::Round,
                    "bevel" => LineJoin::Bevel,
                    "miter" => LineJoin::Miter,
                    _ => return None,
                }
            }
            "stroke-dasharray" => self.line.dash = dash(value)?,
            "font-size" => self.font_size = value.parse().ok()?,
            "font-weight" => {
                self.bold = match value {
                    "bold" => true,
                    "normal" => false,
                    number => number.parse::<u16>().ok()? >= 550,
                }
            }
            "text-anchor" => {
                self.anchor = match value {
                    "start" => Anchor::Start,
                    "middle" => Anchor::Middle,
                    "end" => Anchor::End,
                    _ => return None,
                }
            }
            "paint-order" => self.stroke_first = value.starts_with("stroke"),
            "style" | "clip-path" | "mask" | "filter" => return None,
            _ => {}
        }
        Some(())
    }

    pub(crate) fn filling(&self) -> Option<Paint<'static>> {
        Some(paint(self.fill?, self.fill_opacity * self.opacity))
    }

    pub(crate) fn stroking(&self) -> Option<(Paint<'static>, &Stroke)> {
        let colour = self.stroke.filter(|_| self.line.width > 0.0)?;
        Some((
            paint(colour, self.stroke_opacity * self.opacity),
            &self.line,
        ))
    }

    pub(crate) fn opacity(&self) -> f32 {
        self.opacity
    }
}

fn paint(colour: [u8; 3], opacity: f32) -> Paint<'static> {
    let [red, green, blue] = colour.map(|part| f32::from(part) / 255.0);
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba(red, green, blue, opacity).unwrap_or(Color::BLACK));
    paint
}

fn dash(value: &str) -> Option<Option<StrokeDash>> {
    if value == "none" {
        return Some(None);
    }
    let lengths = value.split([' ', ',']).filter(|part| !part.is_empty());
    let mut lengths: Vec<f32> = lengths
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    if lengths.len() % 2 == 1 {
        lengths.extend_from_within(..);
    }
    Some(Some(StrokeDash::new(lengths, 0.0)?))
}

/// Red, green and blue of `#rgb` and `#rrggbb`, and nothing for `none`.
#[expect(
    clippy::option_option,
    reason = "no colour is a value that can be read"
)]
fn colour(value: &str) -> Option<Option<[u8; 3]>> {
    if value == "none" {
        return Some(None);
    }
    let digits = value.strip_prefix('#')?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some(Some([red, green, blue])),
        3 => Some(Some(
            [8, 4, 0].map(|shift| (number >> shift & 15) as u8 * 17),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{colour, dash};

    #[test]
    fn colours_are_read_or_refused() {
        assert_eq!(colour("#1f62b4"), Some(Some([0x1f, 0x62, 0xb4])));
        assert_eq!(colour("#fa0"), Some(Some([0xff, 0xaa, 0])));
        assert_eq!(colour("none"), Some(None));
        for text in ["", "#", "#12345", "#ggg", "red", "url(#x)"] {
            assert_eq!(colour(text), None, "{text}");
        }
    }

    #[test]
    fn an_odd_number_of_dashes_is_repeated() {
        let dash_of = |text| dash(text).is_some_and(|dash| dash.is_some());
        assert!(dash_of("6 4") && dash_of("3") && dash_of("1,2,3"));
        assert!(!dash_of("none") && !dash_of("a") && !dash_of("-1 2"));
    }
}
