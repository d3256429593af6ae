//! What is written on a board: files and ranks, numbers of squares, names of fields.

use std::fmt::Write as _;

use super::{CELL, INK, LINE, PLATE, Scene, luminance, own_number};
use crate::look::Shape;
use crate::plan::{Grid, Ground, Spot, file, is_on_its_head};
use crate::{escape, pixels};

/// Room for files and ranks beside a board of few places, as a part of their distance, and the lines of such a board: with
/// more lines it grows, since letters shall be as large beside a larger board.
const BESIDE: f64 = 0.34;
const FEW_LINES: f64 = 7.0;
/// The size of letters that are read on a phone, as a part of the width of a board.
const READABLE: f64 = 0.029;
const ON_LIGHT: &str = "#5c3d24";
const ON_DARK: &str = "#2b1a0d";

impl Scene<'_> {
    /// The files and ranks of a board, and whether they stand beside it; `corner` is its lower left one.
    pub(super) fn coordinates(&self, (left, bottom): (f64, f64)) -> (String, bool) {
        if self.plan.ground == Ground::Hexes && !self.pictured {
            return (self.names_of_hexes(), false);
        }
        let Some(grid) = &self.plan.grid else {
            return Default::default();
        };
        let look = self.position.look;
        let named = self
            .plan
            .spots
            .first()
            .is_some_and(|spot| look.coordinate((spot.domain, spot.member)).is_some());
        let on_its_head = is_on_its_head(self.turn);
        if !named || !(on_its_head || self.turn == 0.0) || self.pictured {
            return Default::default();
        }
        if let Some(numbers) = self.numbers() {
            return (numbers, false);
        }
        let inside = matches!(
            self.plan.ground,
            Ground::Squares { checkered: true } | Ground::Felt
        );
        let (width, height) = grid.cell;
        let size = match inside {
            true => pixels(self.plan.pitch * 0.17),
            false => pixels(beside(self.plan.pitch, grid) / 2.0),
        };
        // On phones, those that would be small there are made larger.
        let span = |lines: &[f64]| match (lines.first(), lines.last()) {
            (Some(first), Some(last)) => last - first + self.plan.pitch,
            _ => self.plan.pitch,
        };
        let is_large = size > READABLE * span(&grid.columns);
        let wide = if is_large { " wide" } else { "" };
        let on_plate = matches!(
            self.plan.ground,
            Ground::Points | Ground::Holes | Ground::Crossings
        );
        let (out, ink) = match on_plate {
            true => (format!("on-p{wide}"), LINE),
            false => (format!("out{wide}"), INK),
        };
        let mut text = String::new();
        let mut write = |(x, y): (f64, f64), class: &str, fill: &str, anchor: &str, label: &str| {
            let _ = writeln!(
                text,
                "<text class=\"co {class}\" x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{fill}\" \
                 text-anchor=\"{anchor}\" pointer-events=\"none\">{label}</text>",
                pixels(x),
                pixels(y),
            );
        };
        let ranks = grid.rows.len();
        let seen = |lines: &[f64], middle: f64| -> Vec<f64> {
            match on_its_head {
                true => lines.iter().rev().map(|at| 2.0 * middle - at).collect(),
                false => lines.to_vec(),
            }
        };
        let columns = seen(&grid.columns, self.centre.0);
        let rows = seen(&grid.rows, self.centre.1);
        let shade = |column: usize, row: usize| {
            let is_dark = (column + ranks - 1 - row).is_multiple_of(2);
            match (self.plan.ground, self.own_ink((column, row)), is_dark) {
                (Ground::Felt, ..) => ("on-felt", "#03140a"),
                (_, Some(ink), true) => ("own own-d", ink),
                (_, Some(ink), false) => ("own own-l", ink),
                (_, None, true) => ("on-d", ON_DARK),
                (_, None, false) => ("on-l", ON_LIGHT),
            }
        };
        for (column, x) in columns.iter().enumerate() {
            let label = file(column).to_string();
            if inside {
                let (class, fill) = shade(column, ranks - 1);
                let at = (x + width * 0.46, bottom - height * 0.05);
                write(at, class, fill, "end", &label);
            } else {
                let y = bottom + size * 1.35;
                write((*x, y), &out, ink, "middle", &label);
            }
        }
        for (row, y) in rows.iter().enumerate() {
            let label = (ranks - row).to_string();
            if inside {
                let (class, fill) = shade(0, row);
                let at = (left + width * 0.04, y - height * 0.46 + size * 0.8);
                write(at, class, fill, "start", &label);
            } else {
                let x = left - size;
                write((x, y + size * 0.35), &out, ink, "middle", &label);
            }
        }
        (text, !inside)
    }

    /// The colour of letters on a cell that the rules give a colour.
    fn own_ink(&self, cell: (usize, usize)) -> Option<&'static str> {
        let place = self.position.look.place_at(cell)?;
        let mut spots = self.plan.spots.iter();
        let spot = spots.find(|spot| (spot.domain, spot.member) == place)?;
        self.colour(spot).map(ink_on)
    }

    /// The names of hexagons, each within its lower edge.
    fn names_of_hexes(&self) -> String {
        let (look, pitch) = (self.position.look, self.plan.pitch);
        let size = pixels(pitch * 0.15);
        let mut text = String::new();
        for spot in &self.plan.spots {
            let Some(name) = look.coordinate((spot.domain, spot.member)) else {
                continue;
            };
            let (x, y) = self.shown(spot.at);
            let (class, fill) = match self.colour(spot) {
                Some(colour) => ("own", ink_on(colour)),
                None => ("on-l", ON_LIGHT),
            };
            let _ = writeln!(
                text,
                "<text class=\"co hex {class}\" x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{fill}\" \
                 text-anchor=\"middle\" pointer-events=\"none\">{name}</text>",
                pixels(y + pitch * 0.45),
            );
        }
        text
    }

    /// The numbers of the squares of draughts, each in the corner of its own; nothing for other boards.
    fn numbers(&self) -> Option<String> {
        let (look, pitch) = (self.position.look, self.plan.pitch);
        let size = pixels(pitch * 0.15);
        let mut text = String::new();
        for spot in &self.plan.spots {
            let number = look.coordinate((spot.domain, spot.member))?;
            if !number.starts_with(|letter: char| letter.is_ascii_digit()) {
                return None;
            }
            let (x, y) = self.shown(spot.at);
            let (class, fill) = match self.colour(spot) {
                Some(colour) => ("own own-d", ink_on(colour)),
                None => ("on-d", ON_DARK),
            };
            let _ = writeln!(
                text,
                "<text class=\"co corner {class}\" x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{fill}\" \
                 pointer-events=\"none\">{number}</text>",
                pixels(x - pitch * 0.48),
                pixels(y - pitch * 0.48 + size * 0.8),
            );
        }
        Some(text)
    }

    /// The name of a place that nothing else tells from the others.
    pub(super) fn label(&self, spot: &Spot<'_>) -> String {
        let look = self.position.look;
        let name = look.name(spot.domain, spot.member);
        let picture = spot.look.and_then(|look| look.picture.as_ref());
        let pictured = picture.is_some_and(|picture| self.style.source(&picture.file).is_some());
        let told = look.coordinate((spot.domain, spot.member)).is_some();
        if pictured || told || self.colour(spot).is_some() || self.pictured {
            return String::new();
        }
        let (x, y) = self.shown(spot.at);
        let shape = spot.look.and_then(|look| look.shape.as_ref());
        let (dx, dy, room) = match shape {
            Some(Shape::Rectangle(width, height)) => {
                let (width, height) = match self.plan.ground {
                    Ground::Track => self.field((*width, *height)),
                    _ => (*width, *height),
                };
                (width / 2.0, height / 2.0, width.min(height))
            }
            Some(Shape::Circle(radius))
                if matches!(self.plan.ground, Ground::Holes | Ground::Points) =>
            {
                // Below a row of holes.
                let size = pixels(radius * 0.34);
                let y = pixels(y + radius * 1.0 + size * 0.1);
                let name = escape(name);
                return format!(
                    "<text class=\"lab\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{INK}\" text-anchor=\"middle\" \
                     stroke=\"{PLATE}\" stroke-width=\"3\" paint-order=\"stroke\" pointer-events=\"none\">{name}</text>\n"
                );
            }
            Some(_) => return String::new(),
            None => {
                let side = self.room(spot);
                (side / 2.0, side / 2.0, side)
            }
        };
        if room < 40.0 {
            return String::new();
        }
        let kind = spot.look.map_or("field", |look| look.kind.as_str());
        // What is one of a kind is called so; equal ones are told apart by where they are.
        let mut equal = self.plan.spots.iter().filter(|spot| {
            let own = spot.look.map(|look| look.kind.as_str());
            own == Some(kind)
        });
        if self.plan.ground != Ground::Track && kind != "field" && equal.nth(1).is_some() {
            return String::new();
        }
        let mut body = String::new();
        let full = room * 0.22;
        let mut write = |class: &str, at: (f64, f64), anchor: &str, text: &str| {
            let (size, lines) = fitted(text, 1.86 * dx, full);
            let last = lines.len().saturating_sub(1);
            for (number, line) in lines.iter().enumerate() {
                let y = match class {
                    "num" => at.1 + size * 0.85,
                    _ => at.1 - (last - number) as f64 * size,
                };
                let _ = writeln!(
                    body,
                    "<text class=\"{class}\" x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{INK}\" \
                     text-anchor=\"{anchor}\" stroke=\"{CELL}\" stroke-width=\"2.5\" paint-order=\"stroke\" \
                     pointer-events=\"none\">{}</text>",
                    pixels(at.0),
                    pixels(y),
                    escape(line)
                );
            }
        };
        let edge = room * 0.07;
        let corner = (x - dx + edge, y - dy + edge / 2.0);
        if self.own_numbers {
            let class = own_number(spot).map_or("lab", |_| "num");
            let (at, anchor) = match class {
                "num" => (corner, "start"),
                _ => ((x, y + dy - 1.2 * edge), "middle"),
            };
            write(class, at, anchor, if kind == "field" { "" } else { kind });
            return body;
        }
        write("num", corner, "start", name);
        if kind != "field" && kind != name && self.plan.ground == Ground::Track {
            write("lab", (x, y + dy - 1.2 * edge), "middle", kind);
        }
        body
    }
}

/// The size of a text that is to fit a width, at most `full`, in one line or two; what does not fit is cut, and shows that it is.
fn fitted(text: &str, width: f64, full: f64) -> (f64, Vec<String>) {
    const LETTER: f64 = 0.64;
    const LEAST: f64 = 7.5;
    let wide = |text: &str| text.chars().count() as f64 * LETTER;
    let mut lines = vec![text.to_owned()];
    if wide(text) * full * 0.75 > width {
        let middle = text.len() as f64 / 2.0;
        let blanks = text.match_indices(' ').map(|(at, _)| at);
        let near = |at: &usize| (*at as f64 - middle).abs();
        if let Some(at) = blanks.min_by(|a, b| near(a).total_cmp(&near(b))) {
            lines = vec![text[..at].to_owned(), text[at + 1..].to_owned()];
        }
    }
    let longest = lines.iter().map(|line| wide(line)).fold(0.1, f64::max);
    let size = pixels((width / longest).clamp(LEAST.min(full), full));
    let most = (width / (LETTER * size) + 0.2).max(2.0) as usize;
    for line in &mut lines {
        if line.chars().count() > most {
            let kept: String = line.chars().take(most - 1).collect();
            *line = format!("{}\u{2026}", kept.trim_end());
        }
    }
    (size, lines)
}

/// The room for files and ranks beside a board: twice the size of their letters.
pub(super) fn beside(pitch: f64, grid: &Grid) -> f64 {
    let lines = grid.columns.len().max(grid.rows.len()) as f64;
    pitch * BESIDE * (lines / FEW_LINES).clamp(0.6, 3.0)
}

/// The colour of letters on another: white ones are read more easily on dark colours.
fn ink_on(colour: &str) -> &'static str {
    match luminance(colour) {
        Some(light) if light < 0.16 => "#fbf8f0",
        Some(light) if light > 0.5 => ON_LIGHT,
        _ => ON_DARK,
    }
}
