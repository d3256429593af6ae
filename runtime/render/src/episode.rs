//! Boards of games in episodes: a grid, the pieces on it, and the targets outside its corners.

use crate::look::{Episode, Position};
use crate::{COLOURS, Style, escape, pixels};

/// Side of a place, in pixels.
const SIDE: f64 = 60.0;
/// Room for targets around the grid, in pixels.
const ROOM: f64 = 60.0;

/// Draws a board.
pub(crate) fn svg(position: &Position<'_>, style: &Style<'_>, episode: &Episode) -> String {
    let scene = Scene {
        position,
        style,
        episode,
        columns: episode.columns.max(1),
        rows: rows(position, episode),
    };
    let width = f64::from(scene.columns) * SIDE + 2.0 * ROOM;
    let height = f64::from(scene.rows) * SIDE + 2.0 * ROOM;
    // Marks lie on the places, and below all numbers.
    let (mut body, numbers) = scene.cells();
    let (targets, names) = scene.targets(width, height);
    body.push_str(&targets);
    body.push_str("<g class=\"below\"></g>\n");
    body.push_str(&numbers);
    body.push_str(&names);
    body.push_str(&scene.pieces());
    let title = escape(position.info.name);
    let text = escape(position.text);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" data-pitch=\"{SIDE}\" role=\"img\" font-family=\"system-ui, sans-serif\">\n\
         <title>{title}</title>\n<desc>{text}</desc>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#f6f3ec\"/>\n{body}</svg>\n"
    )
}

/// Rows of the board: as many as its places need.
fn rows(position: &Position<'_>, episode: &Episode) -> u32 {
    let places = position.info.episode.map_or(36, |episode| episode.places) as u32;
    places.div_ceil(episode.columns.max(1)).max(1)
}

struct Scene<'s> {
    position: &'s Position<'s>,
    style: &'s Style<'s>,
    episode: &'s Episode,
    columns: u32,
    rows: u32,
}

impl Scene<'_> {
    /// The middle of a place; the first is in the lower left corner.
    fn middle(&self, place: u32) -> (f64, f64) {
        let (column, row) = (place % self.columns, place / self.columns);
        (
            ROOM + (f64::from(column) + 0.5) * SIDE,
            ROOM + (f64::from(self.rows) - 0.5 - f64::from(row)) * SIDE,
        )
    }

    /// The places, and their numbers.
    fn cells(&self) -> (String, String) {
        let (mut body, mut numbers) = (String::new(), String::new());
        for place in 0..self.columns * self.rows {
            let (x, y) = self.middle(place);
            let (left, top) = (x - SIDE / 2.0, y - SIDE / 2.0);
            let number = place + 1;
            // The unit that lies here has the number of the place unless several may.
            let mark = match (self.episode.places, self.episode.units) {
                (None, Some(units)) => {
                    self.style
                        .mark(units, place, &format!("place {number}"), "place ca")
                }
                _ => String::new(),
            };
            body.push_str(&format!(
                "<rect{mark} x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#f3e8d0\" \
                 stroke=\"#5b4327\" stroke-opacity=\"0.6\"><title>place {number}</title></rect>\n"
            ));
            numbers.push_str(&format!(
                "<text class=\"number\" x=\"{}\" y=\"{}\" font-size=\"12\" font-weight=\"600\" fill=\"#5c3d24\" \
                 pointer-events=\"none\">{number}</text>\n",
                left + 3.0,
                top + 12.0
            ));
        }
        (body, numbers)
    }

    /// The targets, clockwise from the upper left corner, and their numbers.
    fn targets(&self, width: f64, height: f64) -> (String, String) {
        let (mut body, mut numbers) = (String::new(), String::new());
        let Some(domain) = self.episode.targets else {
            return (body, numbers);
        };
        let half = ROOM / 2.0;
        let corners = [
            (half, half),
            (width - half, half),
            (width - half, height - half),
            (half, height - half),
        ];
        for (target, (x, y)) in (0..).zip(corners).take(self.position.look.len(domain)) {
            let name = format!("bucket {target}");
            let mark = self.style.mark(domain, target, &name, "place target");
            let (l, r, t, b) = (x - 26.0, x + 26.0, y - 22.0, y + 24.0);
            body.push_str(&format!(
                "<path{mark} d=\"M{l} {t} L{r} {t} L{} {b} L{} {b} Z\" fill=\"#8fb7d6\" stroke=\"#1f3242\" \
                 stroke-width=\"2.5\" stroke-linejoin=\"round\"><title>{name}</title></path>\n",
                r - 9.0,
                l + 9.0,
            ));
            numbers.push_str(&format!(
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"18\" font-weight=\"700\" fill=\"#10202c\" \
                 pointer-events=\"none\">{target}</text>\n",
                y + 6.0
            ));
        }
        (body, numbers)
    }

    fn pieces(&self) -> String {
        let mut here: Vec<(u32, u32)> = Vec::new();
        for &unit in self.position.set(self.episode.present, 0) {
            let unit = unit as u32;
            let place = match self.episode.places {
                Some(places) => self.position.number(places, unit as usize).unwrap_or(0) as u32,
                None => unit,
            };
            here.push((unit, place));
        }
        let mut body = String::new();
        for &(unit, place) in &here {
            let kind = self.position.number(self.episode.kinds, unit as usize);
            let together = here.iter().filter(|(_, at)| *at == place).count();
            let nth = here
                .iter()
                .filter(|(u, at)| *at == place && *u < unit)
                .count();
            let (x, y) = self.middle(place);
            let shift = (nth as f64 - (together as f64 - 1.0) / 2.0) * 14.0;
            let size = if together > 1 { 15.0 } else { 21.0 };
            body.push_str(&self.piece(
                unit,
                kind.unwrap_or(0) as usize,
                (x + shift, y + 5.0),
                size,
                place,
            ));
        }
        body
    }

    fn piece(&self, unit: u32, kind: usize, (x, y): (f64, f64), size: f64, place: u32) -> String {
        let Some(look) = self.episode.looks.get(kind) else {
            return String::new();
        };
        let property = |name: &str| {
            let found = look
                .properties
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.to_lowercase())
        };
        let tip = match look.properties.is_empty() {
            true => look.name.clone(),
            false => {
                let parts: Vec<String> = look
                    .properties
                    .iter()
                    .map(|(name, value)| format!("{name} {value}"))
                    .collect();
                parts.join(", ")
            }
        };
        let name = format!("{tip} on place {}", place + 1);
        let mark = match self.episode.units {
            Some(units) => self.style.mark(units, unit, &name, "piece"),
            None => String::new(),
        };
        let colour = property("color").or_else(|| property("colour"));
        let fill = colour
            .as_deref()
            .and_then(hue)
            .unwrap_or_else(|| COLOURS[kind % COLOURS.len()].to_owned());
        let shape = property("shape").and_then(|shape| outline(&shape, x, y, size));
        let drawn = match shape {
            Some(shape) => {
                format!("{shape} fill=\"{fill}\" stroke=\"#222222\" stroke-width=\"1.5\"/>")
            }
            None => card(look.name.as_str(), &fill, x, y, size),
        };
        format!("<g{mark}><title>{}</title>{drawn}</g>\n", escape(&name))
    }
}

/// A card with what tells its kind from others.
fn card(name: &str, fill: &str, x: f64, y: f64, size: f64) -> String {
    let short = name.rsplit('/').next().unwrap_or(name);
    let short = short.rsplit_once('.').map_or(short, |(stem, _)| stem);
    let lines: Vec<&str> = short.split(['-', '_', ' ']).take(2).collect();
    let (left, top) = (x - size, y - size);
    let side = 2.0 * size;
    let mut card = format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"5\" fill=\"#ffffff\" stroke=\"{fill}\" \
         stroke-width=\"3\"/>"
    );
    for (nth, line) in lines.iter().enumerate() {
        let line: String = line.chars().take(8).collect();
        let dy = (nth as f64 - (lines.len() as f64 - 1.0) / 2.0) * size * 0.62 + size * 0.18;
        card.push_str(&format!(
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{}\" fill=\"#222222\">{}</text>",
            pixels(y + dy),
            pixels(size * 0.5),
            escape(&line)
        ));
    }
    card
}

/// The colour of a name.
fn hue(name: &str) -> Option<String> {
    let known = [
        ("red", "#d33c2f"),
        ("blue", "#2f6fd3"),
        ("yellow", "#f2cf2c"),
        ("black", "#202020"),
        ("green", "#2c9a52"),
        ("orange", "#ee8b21"),
        ("purple", "#8a4fb5"),
        ("pink", "#ea8bb5"),
        ("cyan", "#31b5c6"),
        ("brown", "#8a5a33"),
        ("gray", "#8f8f8f"),
        ("grey", "#8f8f8f"),
        ("white", "#ffffff"),
    ];
    let found = known.iter().find(|(known, _)| *known == name);
    match found {
        Some((_, colour)) => Some((*colour).to_owned()),
        None => crate::colours::hex(name),
    }
}

/// The beginning of an element with the outline of a shape.
fn outline(shape: &str, x: f64, y: f64, size: f64) -> Option<String> {
    let points = |corners: &[(f64, f64)]| {
        let corners: Vec<String> = corners
            .iter()
            .map(|(dx, dy)| format!("{},{}", pixels(x + dx * size), pixels(y + dy * size)))
            .collect();
        format!("<polygon points=\"{}\"", corners.join(" "))
    };
    let around = |count: usize, inner: f64| -> Vec<(f64, f64)> {
        let corner = |nth: usize| {
            let angle = std::f64::consts::PI * (nth as f64 / count as f64 - 0.5);
            let radius = if nth.is_multiple_of(2) { 1.0 } else { inner };
            (radius * angle.cos(), radius * angle.sin())
        };
        (0..2 * count).map(corner).collect()
    };
    Some(match shape {
        "circle" => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"", size * 0.9),
        "square" => points(&[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]),
        "triangle" => points(&[(0.0, -0.95), (0.95, 0.8), (-0.95, 0.8)]),
        "diamond" => points(&[(0.0, -1.0), (0.8, 0.0), (0.0, 1.0), (-0.8, 0.0)]),
        "star" => points(&around(5, 0.42)),
        "plus" | "cross" => points(&[
            (-0.3, -0.9),
            (0.3, -0.9),
            (0.3, -0.3),
            (0.9, -0.3),
            (0.9, 0.3),
            (0.3, 0.3),
            (0.3, 0.9),
            (-0.3, 0.9),
            (-0.3, 0.3),
            (-0.9, 0.3),
            (-0.9, -0.3),
            (-0.3, -0.3),
        ]),
        "hexagon" => points(&[
            (-0.5, -0.87),
            (0.5, -0.87),
            (1.0, 0.0),
            (0.5, 0.87),
            (-0.5, 0.87),
            (-1.0, 0.0),
        ]),
        _ => return None,
    })
}
