//! Boards: places with their outlines, colours and pictures, the pieces on them, and stores beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::art::{BOX, art};
use crate::dress::Dress;
use crate::look::{Form, Link, Picture, Position, Shape};
use crate::plan::{Grid, Ground, Plan, Spot, file, is_on_its_head};
use crate::{Style, drawing, escape, pixels};

/// Room around a board, as a part of the distance of its places.
const MARGIN: f64 = 0.62;
/// Room for files and ranks beside a board of few places, as a part of their distance, and the lines of such a board: with
/// more lines it grows, since letters shall be as large beside a larger board.
const BESIDE: f64 = 0.34;
const FEW_LINES: f64 = 7.0;
/// The most pieces of one place that are drawn one by one.
const CLUSTER: usize = 4;
/// The most pieces of a stack that are drawn.
const STACK: usize = 5;
/// The greatest radius of a piece, in pixels, on places without measures.
const RADIUS: f64 = 26.0;

/// Colours where the rules give none. The classes beside them let a page put others in their place.
const LIGHT: &str = "#ecd9b9";
const DARK: &str = "#b4845c";
const ON_LIGHT: &str = "#5c3d24";
const ON_DARK: &str = "#2b1a0d";
const FELT: &str = "#4a9a6c";
const FELT_LINE: &str = "#2b6a47";
const PLATE: &str = "#ecdcbd";
const LINE: &str = "#5b4327";
const PAPER: &str = "#f6f3ec";
const INK: &str = "#24211d";
const CELL: &str = "#f3e8d0";
const CELL_TOO: &str = "#e7d7b5";

/// Draws a board.
pub(crate) fn svg(position: &Position<'_>, style: &Style<'_>) -> String {
    let picture = position.look.presentation.board.as_ref();
    let pictured = picture.is_some_and(|file| style.files.contains_key(file));
    let plan = Plan::of(position.look, pictured);
    let mut scene = Scene {
        position,
        style,
        pictured,
        turn: angle(position).rem_euclid(360.0),
        centre: (0.0, 0.0),
        used: BTreeSet::new(),
        own_numbers: has_own_numbers(&plan),
        plan,
    };
    let (left, top, width, height) = scene.extent();
    let [mut left, top, mut width, mut height] = [left, top, width, height].map(pixels);
    scene.centre = (left + width / 2.0, top + height / 2.0);
    let mut body = scene.ground((left, top, width, height));
    for spot in &scene.plan.spots {
        body.push_str(&scene.place(spot));
    }
    body.push_str(&scene.jumps());
    if scene.turn != 0.0 {
        let (x, y) = scene.centre;
        let turn = scene.turn;
        body = format!("<g transform=\"rotate({turn} {x} {y})\">\n{body}</g>\n");
    }
    body.push_str("<g class=\"below\"></g>\n");
    let coordinates = scene.coordinates((left, top + height));
    if let (true, Some(grid)) = (coordinates.1, &scene.plan.grid) {
        let room = pixels(beside(scene.plan.pitch, grid));
        left -= room;
        width += room;
        height += room;
    }
    body.push_str(&coordinates.0);
    let mut pieces = scene.pieces();
    pieces.sort_by_key(|piece| (piece.height, piece.number));
    for piece in &pieces {
        let drawn = scene.piece(piece);
        body.push_str(&drawn);
    }
    for spot in &scene.plan.spots {
        body.push_str(&scene.label(spot));
    }
    let (stores, below) = scene.stores((left, top + height), width);
    body.push_str(&stores);
    let board = pixels(height);
    height = pixels(height + below);
    let title = escape(position.info.name);
    let text = escape(position.text);
    let mut drawings = String::new();
    if style.whole && !scene.used.is_empty() {
        let all = scene.used.iter();
        let all: String = all.map(|(look, side)| drawing(look, side)).collect();
        drawings = format!("<defs>\n{all}</defs>\n");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
         height=\"{height}\" data-pitch=\"{}\" data-board=\"{board}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\">\n<title>{title}</title>\n<desc>{text}</desc>\n\
         {drawings}<rect class=\"paper\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
         fill=\"{PAPER}\"/>\n{body}</svg>\n",
        pixels(scene.plan.pitch),
    )
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

/// The luminance of a colour such as `#b4845c`, from 0 to 1.
fn luminance(colour: &str) -> Option<f64> {
    let digits = colour
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let part = |shift: u32| (f64::from(number >> shift & 255) / 255.0).powf(2.2);
    Some(0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0))
}

/// The number that the rules write on a field.
fn own_number(spot: &Spot<'_>) -> Option<u32> {
    spot.look?.kind.trim().parse().ok()
}

/// Whether the rules number the fields of a track: then the numbers by which they speak of them are not shown.
fn has_own_numbers(plan: &Plan<'_>) -> bool {
    let numbers: Vec<u32> = plan.spots.iter().filter_map(own_number).collect();
    let different: BTreeSet<&u32> = numbers.iter().collect();
    plan.ground == Ground::Track
        && different.len() == numbers.len()
        && 2 * numbers.len() > plan.spots.len()
}

/// The room for files and ranks beside a board: twice the size of their letters.
fn beside(pitch: f64, grid: &Grid) -> f64 {
    let lines = grid.columns.len().max(grid.rows.len()) as f64;
    pitch * BESIDE * (lines / FEW_LINES).clamp(1.0, 3.0)
}

/// The colour of letters on another: white ones are read more easily on dark colours.
fn ink_on(colour: &str) -> &'static str {
    match luminance(colour) {
        Some(light) if light < 0.16 => "#fbf8f0",
        Some(light) if light > 0.5 => ON_LIGHT,
        _ => ON_DARK,
    }
}

/// By how many degrees the board is turned for the first player, as whom everybody sees it.
fn angle(position: &Position<'_>) -> f64 {
    let turned = &position.look.presentation.turned;
    let angle = turned.first().copied();
    angle.filter(|angle| angle.is_finite()).unwrap_or(0.0)
}

/// A piece that stands on a place.
struct Piece {
    name: String,
    dress: Dress,
    picture: Option<Picture>,
    at: (f64, f64),
    /// Its width and height.
    size: f64,
    /// Whether its drawing lies on the side.
    lying: bool,
    /// Where it is painted: greater ones over lesser ones.
    height: i64,
    number: u32,
    /// The attributes that say what it is.
    mark: String,
}

struct Scene<'g> {
    position: &'g Position<'g>,
    style: &'g Style<'g>,
    /// Whether the board is a picture of the rules.
    pictured: bool,
    plan: Plan<'g>,
    /// Whether the rules number the fields of a track.
    own_numbers: bool,
    /// By how many degrees the board is turned clockwise.
    turn: f64,
    /// What it is turned about.
    centre: (f64, f64),
    /// The drawings that are used.
    used: BTreeSet<(String, String)>,
}

impl<'g> Scene<'g> {
    /// Left, top, width and height of the board.
    fn extent(&self) -> (f64, f64, f64, f64) {
        let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
        let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut cover = |(x, y): (f64, f64), across: f64, down: f64| {
            left = left.min(x - across);
            top = top.min(y - down);
            right = right.max(x + across);
            bottom = bottom.max(y + down);
        };
        let grid = self.plan.grid.as_ref();
        for spot in &self.plan.spots {
            let shape = spot.look.and_then(|look| look.shape.as_ref());
            match (self.plan.ground, grid, shape) {
                (Ground::Squares { .. } | Ground::Felt | Ground::Crossings, Some(grid), _) => {
                    cover(spot.at, grid.cell.0 / 2.0, grid.cell.1 / 2.0);
                }
                (_, _, Some(Shape::Polygon(corners))) => {
                    for (dx, dy) in corners {
                        cover((spot.at.0 + dx, spot.at.1 + dy), 2.0, 2.0);
                    }
                }
                (Ground::Track, _, Some(Shape::Rectangle(w, h))) => {
                    let (w, h) = self.field((*w, *h));
                    cover(spot.at, w / 2.0, h / 2.0);
                }
                (Ground::Holes, Some(grid), _) => {
                    cover(spot.at, grid.cell.0 * 0.55, grid.cell.1 * 0.55);
                }
                (_, _, Some(Shape::Rectangle(w, h))) => {
                    cover(
                        spot.at,
                        (w * 0.6).max(w / 2.0 + 8.0),
                        (h * 0.6).max(h / 2.0 + 8.0),
                    );
                }
                (_, _, Some(Shape::Circle(radius))) => {
                    let room = (MARGIN * self.plan.pitch).max(radius * 1.15);
                    cover(spot.at, room, room);
                }
                _ => {
                    let room = MARGIN * self.plan.pitch;
                    cover(spot.at, room, room);
                }
            }
        }
        if let Some((width, height)) = self.board_size() {
            cover((width / 2.0, height / 2.0), width / 2.0, height / 2.0);
        }
        let links = &self.position.look.presentation.links;
        if links
            .iter()
            .any(|link| !link.jump && link.to != link.from + 1)
            && let Some(spot) = self
                .plan
                .spots
                .iter()
                .min_by(|a, b| a.at.1.total_cmp(&b.at.1))
        {
            // Ways that branch off run in arcs above the fields.
            cover(
                (spot.at.0, spot.at.1 - 0.4 * self.plan.pitch),
                0.0,
                0.4 * self.plan.pitch,
            );
        }
        if self.plan.spots.is_empty() {
            cover((0.0, 0.0), self.plan.pitch, self.plan.pitch);
        }
        if self.turn.rem_euclid(180.0) != 0.0 {
            // A square has room for every quarter of a turn.
            let room = (right - left).max(bottom - top);
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
            return (x - room / 2.0, y - room / 2.0, room, room);
        }
        (left, top, right - left, bottom - top)
    }

    /// Where a point of the board is shown.
    fn shown(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (sin, cos) = self.turn.to_radians().sin_cos();
        let (dx, dy) = (x - self.centre.0, y - self.centre.1);
        (
            pixels(self.centre.0 + dx * cos - dy * sin),
            pixels(self.centre.1 + dx * sin + dy * cos),
        )
    }

    /// The colour of a place of its own.
    fn colour(&self, spot: &Spot<'_>) -> Option<&'g str> {
        let mut colours = self.position.look.presentation.colours.iter();
        let own = colours.find(|c| c.domain == spot.domain && c.member == spot.member);
        own.map(|own| own.fill.as_str())
    }

    fn board_size(&self) -> Option<(f64, f64)> {
        let file = self.position.look.presentation.board.as_ref()?;
        size_of(self.style.files.get(file)?)
    }

    /// What lies below the places: a picture of the rules, a plate, lines.
    fn ground(&self, (left, top, width, height): (f64, f64, f64, f64)) -> String {
        let board = self.position.look.presentation.board.as_ref();
        if let Some(source) = board.and_then(|file| self.style.source(file)) {
            return format!("<image href=\"{source}\" x=\"0\" y=\"0\"/>\n");
        }
        let plate = |class: &str, fill: &str| {
            format!(
                "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n"
            )
        };
        match (self.plan.ground, &self.plan.grid) {
            (Ground::Squares { checkered: true }, Some(grid)) => self.other_squares(grid),
            (Ground::Felt, Some(grid)) => plate("felt", FELT) + &stars(grid),
            (Ground::Crossings, Some(grid)) => plate("plate", PLATE) + &crossings(grid),
            (Ground::Points, _) => plate("plate", PLATE) + &self.lines(),
            (Ground::Holes, _) => plate("plate", PLATE),
            _ => String::new(),
        }
    }

    /// The squares of a checkered board that are no places.
    fn other_squares(&self, grid: &Grid) -> String {
        let places: BTreeSet<_> = self
            .plan
            .spots
            .iter()
            .filter_map(|spot| grid.cell_of(spot.at))
            .collect();
        if places.len() == grid.columns.len() * grid.rows.len() {
            return String::new();
        }
        // The places of half a board are its dark squares. Where the rules give them colours, no theme changes these.
        let own = self
            .plan
            .spots
            .iter()
            .any(|spot| self.colour(spot).is_some());
        let class = if own { "own own-l" } else { "sql" };
        let mut body = String::new();
        let (width, height) = grid.cell;
        for (row, y) in grid.rows.iter().enumerate() {
            for (column, x) in grid.columns.iter().enumerate() {
                if !places.contains(&(column, row)) {
                    let _ = writeln!(
                        body,
                        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" fill=\"{LIGHT}\"/>",
                        pixels(x - width / 2.0),
                        pixels(y - height / 2.0)
                    );
                }
            }
        }
        body
    }

    /// The place of a number in a domain.
    fn spot(&self, domain: u32, member: u32) -> Option<&Spot<'g>> {
        let mut spots = self.plan.spots.iter();
        spots.find(|spot| spot.domain == domain && spot.member == member)
    }

    /// Lines between places that are a step from each other; none over a place that lies between.
    fn lines(&self) -> String {
        let mut drawn: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut path = String::new();
        for link in &self.position.look.steps {
            let pair = (link.from.min(link.to), link.from.max(link.to));
            let ends = (
                self.spot(link.domain, link.from),
                self.spot(link.domain, link.to),
            );
            let (Some(a), Some(b)) = ends else { continue };
            let passes = self
                .plan
                .spots
                .iter()
                .any(|c| lies_between(a.at, b.at, c.at));
            if passes || !drawn.insert(pair) {
                continue;
            }
            let _ = write!(path, "M{} {}L{} {}", a.at.0, a.at.1, b.at.0, b.at.1);
        }
        let width = pixels(self.plan.pitch * 0.055);
        format!(
            "<path class=\"ln\" d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"{width}\" \
             stroke-linecap=\"round\"/>\n"
        )
    }

    /// Ladders, snakes and other jumps of a track.
    fn jumps(&self) -> String {
        let links = &self.position.look.presentation.links;
        let mut body = String::new();
        for link in links.iter().filter(|link| link.jump) {
            let ends = (
                self.spot(link.domain, link.from),
                self.spot(link.domain, link.to),
            );
            if let (Some(from), Some(to)) = ends {
                let pitch = self.plan.pitch;
                body.push_str(&match link.to > link.from {
                    true => ladder(from.at, to.at, pitch),
                    false => snake(from.at, to.at, pitch),
                });
            }
        }
        // Branches: ways that do not lead to the next field in order of numbers.
        for link in links
            .iter()
            .filter(|link| !link.jump && !self.follows(link))
        {
            let ends = (
                self.spot(link.domain, link.from),
                self.spot(link.domain, link.to),
            );
            if let (Some(from), Some(to)) = ends {
                body.push_str(&arrow(from.at, to.at, self.plan.pitch));
            }
        }
        body
    }

    /// Whether a way leads to the field that comes next by its number, as everybody expects.
    fn follows(&self, link: &Link) -> bool {
        let own = |member| {
            let spot = self.spot(link.domain, member)?;
            self.own_numbers.then(|| own_number(spot)).flatten()
        };
        match (own(link.from), own(link.to)) {
            (Some(from), Some(to)) => to == from + 1,
            _ => link.to == link.from + 1,
        }
    }

    /// The width that a piece on a place may have.
    fn room(&self, spot: &Spot<'_>) -> f64 {
        let pitch = self.plan.pitch;
        match (
            self.plan.ground,
            spot.look.and_then(|look| look.shape.as_ref()),
        ) {
            (Ground::Points, _) => pitch * 0.84,
            // Stones nearly touch each other.
            (Ground::Crossings, _) => pitch * 1.08,
            (Ground::Holes, Some(Shape::Circle(radius))) => 2.0 * radius,
            (_, Some(Shape::Circle(radius))) => (2.0 * radius * 0.94).min(pitch * 0.98),
            (_, Some(Shape::Rectangle(width, height))) => width.min(*height),
            (_, Some(Shape::Polygon(corners))) => {
                let near = corners
                    .iter()
                    .map(|(x, y)| x.hypot(*y))
                    .fold(f64::INFINITY, f64::min);
                // Names stand below the pieces of hexagons.
                let flat = if corners.len() == 4 { 1.414 } else { 1.32 };
                (near * flat).min(pitch)
            }
            (_, None) => (pitch * 0.9).min(2.4 * RADIUS),
        }
    }

    fn place(&self, spot: &Spot<'_>) -> String {
        let (x, y) = spot.at;
        let plain_name = self.position.look.name(spot.domain, spot.member);
        let name = escape(plain_name);
        let style = self.style;
        let (class, paint) = self.paint(spot);
        let mark = match style.marked {
            true => style.mark(
                spot.domain,
                spot.member,
                plain_name,
                &format!("place {class}"),
            ),
            false => String::new(),
        };
        let grid = self.plan.grid.as_ref();
        let shape = match (
            self.plan.ground,
            grid,
            spot.look.and_then(|look| look.shape.as_ref()),
        ) {
            (Ground::Squares { .. } | Ground::Felt | Ground::Crossings, Some(grid), _) => {
                let (width, height) = grid.cell;
                let (left, top) = (pixels(x - width / 2.0), pixels(y - height / 2.0));
                format!(
                    "<rect{mark} x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" {paint}>"
                )
            }
            (Ground::Points, _, _) => {
                // The point is small, what can be clicked is not.
                let radius = pixels(self.plan.pitch * 0.42);
                let dot = pixels(self.plan.pitch * 0.09);
                return format!(
                    "<circle class=\"pt\" cx=\"{x}\" cy=\"{y}\" r=\"{dot}\" fill=\"{LINE}\"/>\n\
                     <circle{mark} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#000000\" fill-opacity=\"0\">\
                     <title>{name}</title></circle>\n"
                );
            }
            (_, _, Some(Shape::Circle(radius))) => {
                format!("<circle{mark} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}>")
            }
            (_, _, Some(Shape::Rectangle(width, height))) => {
                let (mut width, mut height) = (*width, *height);
                if self.plan.ground == Ground::Track {
                    (width, height) = self.field((width, height));
                }
                let round = pixels(width.min(height) * 0.1);
                let (left, top) = (pixels(x - width / 2.0), pixels(y - height / 2.0));
                format!(
                    "<rect{mark} x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"{round}\" {paint}>",
                    pixels(width),
                    pixels(height)
                )
            }
            (_, _, Some(Shape::Polygon(corners))) => {
                let corners: Vec<String> = corners
                    .iter()
                    .map(|(dx, dy)| format!("{},{}", pixels(x + dx), pixels(y + dy)))
                    .collect();
                format!("<polygon{mark} points=\"{}\" {paint}>", corners.join(" "))
            }
            (_, _, None) => {
                let side = pixels(self.room(spot));
                let (left, top) = (pixels(x - side / 2.0), pixels(y - side / 2.0));
                format!(
                    "<rect{mark} x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"6\" {paint}>"
                )
            }
        };
        let end = shape[1..].split(' ').next().unwrap_or("rect").to_owned();
        let picture = spot.look.and_then(|look| look.picture.as_ref());
        let picture = picture.and_then(|picture| self.picture(picture, spot.at));
        format!(
            "{shape}<title>{name}</title></{end}>\n{}",
            picture.unwrap_or_default()
        )
    }

    /// The class of a place, and its colours.
    fn paint(&self, spot: &Spot<'_>) -> (&'static str, String) {
        if let Some(colour) = self.colour(spot) {
            let stroke = match self.plan.ground {
                Ground::Squares { .. } => "",
                _ => " stroke=\"#5b4327\" stroke-opacity=\"0.5\"",
            };
            let class = match self.plan.ground {
                Ground::Squares { checkered: true } => self.tone(colour),
                _ => "own",
            };
            return (class, format!("fill=\"{}\"{stroke}", escape(colour)));
        }
        if self.pictured {
            return ("none", "fill=\"#000000\" fill-opacity=\"0\"".to_owned());
        }
        let cell = self
            .plan
            .grid
            .as_ref()
            .and_then(|grid| grid.cell_of(spot.at));
        let plain = |fill: &str| format!("fill=\"{fill}\"");
        match self.plan.ground {
            Ground::Squares { checkered: true } => match self.is_dark(spot) {
                true => ("sqd", plain(DARK)),
                false => ("sql", plain(LIGHT)),
            },
            Ground::Squares { checkered: false } => {
                let (column, row) = cell.unwrap_or_default();
                let class = if (column + row) % 2 == 0 { "ca" } else { "cb" };
                let fill = if class == "ca" { CELL } else { CELL_TOO };
                (
                    class,
                    format!("fill=\"{fill}\" stroke=\"{LINE}\" stroke-opacity=\"0.45\""),
                )
            }
            Ground::Felt => (
                "fl",
                format!(
                    "fill=\"#000000\" fill-opacity=\"0\" stroke=\"{FELT_LINE}\" stroke-width=\"1.5\""
                ),
            ),
            Ground::Crossings | Ground::Points => {
                ("none", "fill=\"#000000\" fill-opacity=\"0\"".to_owned())
            }
            Ground::Holes => (
                "hole",
                format!("fill=\"{PAPER}\" stroke=\"{LINE}\" stroke-opacity=\"0.6\""),
            ),
            Ground::Hexes => ("ca", format!("fill=\"{CELL}\" stroke=\"{LINE}\"")),
            Ground::Track => match self.leads(spot) {
                Some(true) => ("up", plain("#cfe5cc")),
                Some(false) => ("down", plain("#f2cdbf")),
                None => match spot.member % 2 {
                    0 => ("ca", plain(CELL)),
                    _ => ("cb", plain(CELL_TOO)),
                },
            },
            Ground::Plain => (
                "cell",
                format!(
                    "fill=\"#ffffff\" fill-opacity=\"0.6\" stroke=\"{LINE}\" stroke-opacity=\"0.7\""
                ),
            ),
        }
    }

    /// The class of a square of a checkered board whose colour the rules give: whoever looks at it may choose other ones for its
    /// light and dark squares.
    fn tone(&self, colour: &str) -> &'static str {
        let all = self.plan.spots.iter().filter_map(|spot| self.colour(spot));
        let others: BTreeSet<&str> = all.filter(|other| *other != colour).collect();
        let light = |colour: &str| luminance(colour).unwrap_or(0.5);
        match others.into_iter().collect::<Vec<&str>>()[..] {
            // All places of half a board are dark.
            [] => "own own-d",
            [other] if light(other) > light(colour) => "own own-d",
            [_] => "own own-l",
            _ => "own",
        }
    }

    /// Whether a square of a checkered board is dark: the lower left one is, and all places of half a board are.
    fn is_dark(&self, spot: &Spot<'_>) -> bool {
        let Some(grid) = &self.plan.grid else {
            return false;
        };
        if self.plan.spots.len() * 10 < grid.columns.len() * grid.rows.len() * 9 {
            return true;
        }
        let cell = grid.cell_of(spot.at);
        cell.is_some_and(|(column, row)| (column + grid.rows.len() - 1 - row).is_multiple_of(2))
    }

    /// Whether a field leads on by a jump, or back.
    fn leads(&self, spot: &Spot<'_>) -> Option<bool> {
        let mut links = self.position.look.presentation.links.iter();
        let is_from =
            |link: &&Link| link.jump && link.domain == spot.domain && link.from == spot.member;
        links.find(is_from).map(|link| link.to > link.from)
    }

    /// The files and ranks of a board, and whether they stand beside it; `corner` is its lower left one.
    fn coordinates(&self, (left, bottom): (f64, f64)) -> (String, bool) {
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
        // On phones, small ones are made larger.
        let out = if size > 0.22 * self.plan.pitch {
            "out wide"
        } else {
            "out"
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
                write((*x, y), out, INK, "middle", &label);
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
                write((x, y + size * 0.35), out, INK, "middle", &label);
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
                None => ("out", INK),
            };
            let _ = writeln!(
                text,
                "<text class=\"co {class}\" x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{fill}\" \
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
                "<text class=\"co {class}\" x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"700\" fill=\"{fill}\" \
                 pointer-events=\"none\">{number}</text>",
                pixels(x - pitch * 0.48),
                pixels(y - pitch * 0.48 + size * 0.8),
            );
        }
        Some(text)
    }

    /// The name of a place that nothing else tells from the others.
    fn label(&self, spot: &Spot<'_>) -> String {
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

    /// A picture with its hot spot on a coordinate; nothing if there is no such file.
    fn picture(&self, picture: &Picture, at: (f64, f64)) -> Option<String> {
        let source = self.style.source(&picture.file)?;
        let (across, down) = self.hot_spot(picture);
        let (x, y) = (pixels(at.0 - across), pixels(at.1 - down));
        // Without a size, browsers take that of the file.
        Some(format!(
            "<image href=\"{source}\" x=\"{x}\" y=\"{y}\"{}/>\n",
            match self.style.marked {
                true => " pointer-events=\"none\"",
                false => "",
            }
        ))
    }

    /// The point of a picture that lies on the coordinate. One in its upper left corner says nothing: then it is the middle.
    fn hot_spot(&self, picture: &Picture) -> (f64, f64) {
        let (x, y) = picture.hot_spot;
        let file = self.style.files.get(&picture.file);
        match file.and_then(|bytes| size_of(bytes)) {
            Some((width, height)) if (0..=1).contains(&x) && (0..=1).contains(&y) => {
                (width / 2.0, height / 2.0)
            }
            _ => (f64::from(x), f64::from(y)),
        }
    }

    /// Width and height of a field of a track: side by side, with a small gap.
    fn field(&self, (width, height): (f64, f64)) -> (f64, f64) {
        match &self.plan.grid {
            Some(grid) => (grid.cell.0 * 0.94, grid.cell.1 * 0.94),
            None => {
                let large = (self.plan.pitch * 0.94 / width.min(height)).clamp(1.0, 1.2);
                (width * large, height * large)
            }
        }
    }

    /// What stands on the places of the board.
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (index, placement) in self.position.look.placements.iter().enumerate() {
            let here = self.plan.spots.iter();
            for spot in here.filter(|spot| spot.domain == placement.places) {
                let found = self.position.on_place(index, spot.member);
                let single = placement.form != Form::Anonymous;
                let mut here: Vec<Piece> = found
                    .iter()
                    .map(|&member| self.standing(placement.pieces, member, single, spot))
                    .collect();
                self.arrange(&mut here, spot);
                pieces.extend(here);
            }
        }
        pieces
    }

    /// Puts the pieces of a place side by side, or on each other.
    fn arrange(&self, here: &mut [Piece], spot: &Spot<'_>) {
        let (x, y) = self.shown(spot.at);
        let room = self.room(spot);
        let count = here.len();
        let stacked = here.windows(2).any(|pair| pair[0].height != pair[1].height);
        if stacked {
            here.sort_by_key(|piece| piece.height);
            let first = count.saturating_sub(STACK);
            for (nth, piece) in here.iter_mut().enumerate() {
                let lift = nth.saturating_sub(first) as f64 * 0.14 * room;
                piece.at = (x, pixels(y - lift));
            }
            return;
        }
        for (nth, piece) in here.iter_mut().enumerate() {
            let (dx, dy, size) = match count {
                1 => (0.0, 0.0, 1.0),
                2 => (if nth == 0 { -0.2 } else { 0.2 }, 0.0, 0.62),
                _ => {
                    let nth = nth.min(CLUSTER - 1);
                    let across = if nth.is_multiple_of(2) { -0.22 } else { 0.22 };
                    let down = if nth < 2 { -0.2 } else { 0.22 };
                    (across, down, 0.46)
                }
            };
            piece.at = (pixels(x + dx * room), pixels(y + dy * room));
            piece.size = pixels(piece.size * size);
        }
        if count > CLUSTER
            && let Some(last) = here.last_mut()
        {
            last.dress.badge = format!("+{}", count - CLUSTER + 1);
        }
    }

    fn standing(&self, domain: u32, member: u32, single: bool, spot: &Spot<'_>) -> Piece {
        let look = self.position.look;
        let mut piece = self.loose(domain, member, single);
        let name = format!("{} on {}", piece.name, look.name(spot.domain, spot.member));
        piece.mark = match single {
            true => self.style.mark(domain, member, &name, "piece"),
            // A kind is everywhere: the place stands for the piece.
            false => self.style.mark(spot.domain, spot.member, &name, "piece"),
        };
        if self.style.marked {
            let _ = write!(piece.mark, " data-on=\"{}.{}\"", spot.domain, spot.member);
        }
        piece.size = pixels(self.room(spot) * scale(&piece.dress.look));
        let shape = spot.look.and_then(|look| look.shape.as_ref());
        if let (Some(Shape::Rectangle(width, height)), "stick" | "match") =
            (shape, piece.dress.look.as_str())
        {
            piece.size = pixels(width.max(*height));
            piece.lying = width > height;
        }
        piece
    }

    /// A piece that stands nowhere in particular.
    fn loose(&self, domain: u32, member: u32, single: bool) -> Piece {
        let look = self.position.look;
        let mut looks = look.presentation.pieces.iter();
        let own = looks.find(|own| own.domain == domain && own.member == member);
        let state = own.and_then(|own| own.state).filter(|_| single);
        let state = state.and_then(|var| self.position.nth(var, member as usize));
        let pictures = own.map_or(&[][..], |own| &own.pictures);
        let picture = pictures.get(state.unwrap_or(0)).and_then(Option::as_ref);
        let height = own.and_then(|own| own.z_order).filter(|_| single);
        Piece {
            name: look.name(domain, member).to_owned(),
            dress: self.position.dress(domain, member, single),
            picture: picture.cloned(),
            at: (0.0, 0.0),
            size: 2.0 * RADIUS,
            lying: false,
            height: height
                .and_then(|var| self.position.number(var, member as usize))
                .unwrap_or(0),
            number: member,
            mark: String::new(),
        }
    }

    fn piece(&mut self, piece: &Piece) -> String {
        let mark = &piece.mark;
        let pictured = piece.picture.as_ref();
        if let Some(image) = pictured.and_then(|picture| self.picture(picture, piece.at)) {
            if !self.style.marked {
                return image;
            }
            let (x, y) = piece.at;
            let (radius, name) = (piece.size / 2.0, escape(&piece.name));
            return format!(
                "<g{mark}><title>{name}</title><g class=\"upright\">{image}</g><circle class=\"hit\" cx=\"{x}\" \
                 cy=\"{y}\" r=\"{radius}\" fill=\"transparent\"/></g>\n"
            );
        }
        let name = escape(&piece.name);
        let drawn = self.drawn(&piece.dress, piece.at, piece.size, piece.lying);
        format!("<g{mark}><title>{name}</title><g class=\"upright\">{drawn}</g></g>\n")
    }

    /// A drawing around a point, with its badge.
    fn drawn(&mut self, dress: &Dress, (x, y): (f64, f64), size: f64, lying: bool) -> String {
        let look = match art().has(&dress.look) {
            true => dress.look.clone(),
            false => "plate".to_owned(),
        };
        self.used.insert((look.clone(), dress.side.clone()));
        let scale = (size / BOX * 10_000.0).round() / 10_000.0;
        let turn = if lying { " rotate(90 50 50)" } else { "" };
        let (left, top) = (pixels(x - size / 2.0), pixels(y - size / 2.0));
        let side = &dress.side;
        let mut drawn = format!(
            "<use href=\"#{look}-{side}\" transform=\"translate({left} {top}) scale({scale}){turn}\"/>"
        );
        if !dress.badge.is_empty() {
            let ink = art()
                .paint(side)
                .map_or("#000000", |paint| paint.detail.as_str());
            let font = pixels(size * if look == "plate" { 0.5 } else { 0.34 });
            let _ = write!(
                drawn,
                "<text x=\"{x}\" y=\"{}\" font-size=\"{font}\" font-weight=\"700\" fill=\"{ink}\" text-anchor=\"middle\">{}</text>",
                pixels(y + font * 0.35),
                escape(&dress.badge)
            );
        }
        drawn
    }

    /// Stores below the board, one drawing and a number for all pieces that look alike, and what stands nowhere; and
    /// their height.
    fn stores(&mut self, (left, top): (f64, f64), width: f64) -> (String, f64) {
        let shelves = self.shelves();
        if shelves.is_empty() {
            return (String::new(), 0.0);
        }
        let unit = pixels((width / 12.0).clamp(24.0, 60.0));
        let gap = unit * 0.2;
        let (mut x, mut y) = (left + gap, top + gap);
        let mut body = String::new();
        for ((title, dress), shelf) in shelves {
            let count = shelf.count;
            let digits = count.to_string().len() as f64;
            let wide = unit * if count > 1 { 1.5 + 0.26 * digits } else { 1.1 };
            if x + wide > left + width && x > left + gap {
                (x, y) = (left + gap, y + unit + gap);
            }
            let name = match count {
                1 => format!("{} in {title}", shelf.name),
                _ => format!("{count} of {} in {title}", shelf.name),
            };
            let mut mark = self
                .style
                .mark(shelf.first.0, shelf.first.1, &name, "place store");
            if self.style.marked {
                let all: Vec<String> = shelf.all.iter().map(|(d, m)| format!("{d}.{m}")).collect();
                let _ = write!(mark, " data-all=\"{}\"", all.join(" "));
            }
            let (left, top) = (pixels(x), pixels(y));
            let _ = write!(
                body,
                "<g{mark}><title>{}</title><rect class=\"pill\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{unit}\" \
                 rx=\"{}\" fill=\"{PLATE}\" stroke=\"{LINE}\" stroke-opacity=\"0.5\"/>",
                escape(&name),
                pixels(wide),
                pixels(unit / 2.0),
            );
            let at = (pixels(x + unit * 0.55), pixels(y + unit / 2.0));
            let drawn = self.drawn(&dress, at, pixels(unit * 0.76), false);
            let _ = write!(body, "<g class=\"upright\">{drawn}</g>");
            if count > 1 {
                let size = pixels(unit * 0.4);
                let _ = write!(
                    body,
                    "<text class=\"count\" x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"600\" fill=\"{INK}\">×{count}</text>",
                    pixels(x + unit * 1.02),
                    pixels(y + unit / 2.0 + size * 0.36),
                );
            }
            body.push_str("</g>\n");
            x += wide + gap;
        }
        (body, pixels(y - top + unit + gap))
    }

    /// What is not on the board: by store and looks.
    fn shelves(&self) -> BTreeMap<(String, Dress), Shelf> {
        let look = self.position.look;
        let mut shelves: BTreeMap<(String, Dress), Shelf> = BTreeMap::new();
        let mut add = |title: &str, piece: Piece, refs: [(u32, u32); 2]| {
            let shelf = shelves.entry((title.to_owned(), piece.dress));
            let shelf = shelf.or_insert_with(|| Shelf {
                count: 0,
                name: piece.name,
                first: refs[0],
                all: Vec::new(),
            });
            shelf.count += 1;
            shelf.all.extend(refs);
        };
        for (index, placement) in look.placements.iter().enumerate() {
            let single = placement.form != Form::Anonymous;
            let here = self.plan.stores.iter();
            for spot in here.filter(|spot| spot.domain == placement.places) {
                let title = spot.look.map_or("store", |look| look.kind.as_str());
                for member in self.position.on_place(index, spot.member) {
                    let piece = self.loose(placement.pieces, member, single);
                    let place = (spot.domain, spot.member);
                    let own = if single {
                        (placement.pieces, member)
                    } else {
                        place
                    };
                    add(title, piece, [place, own]);
                }
            }
            for member in self.position.nowhere(index) {
                let piece = self.loose(placement.pieces, member, true);
                let own = (placement.pieces, member);
                add("hand", piece, [own, own]);
            }
        }
        shelves
    }
}

/// Pieces of a store that look alike.
struct Shelf {
    count: usize,
    /// The name of one of them.
    name: String,
    /// The place of one of them, or itself.
    first: (u32, u32),
    /// All of them, and their places.
    all: Vec<(u32, u32)>,
}

/// How much of its room a drawing takes.
fn scale(look: &str) -> f64 {
    match look {
        "king" | "queen" | "rook" | "bishop" | "knight" | "pawn" => 0.94,
        "man" | "draughts-king" | "disc" | "stone" => 0.9,
        "plate" => 1.06,
        "token" | "person" => 0.84,
        _ => 0.86,
    }
}

/// Whether a point lies between two others, on the line through them.
fn lies_between(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    let along = ((c.0 - a.0) * dx + (c.1 - a.1) * dy) / length;
    let aside = ((c.0 - a.0) * dy - (c.1 - a.1) * dx).abs() / length;
    along > 1.0 && along < length - 1.0 && aside < 2.0
}

/// The dots of a board for discs that are turned.
fn stars(grid: &Grid) -> String {
    let (columns, rows) = (grid.columns.len(), grid.rows.len());
    let mut body = String::new();
    if columns < 6 || rows < 6 {
        return body;
    }
    for column in [2, columns - 2] {
        for row in [2, rows - 2] {
            let x = grid.columns[column] - grid.cell.0 / 2.0;
            let y = grid.rows[row] - grid.cell.1 / 2.0;
            let _ = writeln!(
                body,
                "<circle class=\"fd\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{FELT_LINE}\"/>",
                pixels(x),
                pixels(y),
                pixels(grid.cell.0 * 0.06)
            );
        }
    }
    body
}

/// Lines through the middles of all cells.
fn crossings(grid: &Grid) -> String {
    let first = |all: &[f64]| all.first().copied().unwrap_or(0.0);
    let last = |all: &[f64]| all.last().copied().unwrap_or(0.0);
    let mut path = String::new();
    for x in &grid.columns {
        let _ = write!(path, "M{x} {}V{}", first(&grid.rows), last(&grid.rows));
    }
    for y in &grid.rows {
        let _ = write!(
            path,
            "M{} {y}H{}",
            first(&grid.columns),
            last(&grid.columns)
        );
    }
    format!(
        "<path class=\"ln\" d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>\n"
    )
}

/// A point of the way from one point to another, and one beside it.
fn along(from: (f64, f64), to: (f64, f64), part: f64, aside: f64) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    (
        pixels(from.0 + dx * part - dy / length * aside),
        pixels(from.1 + dy * part + dx / length * aside),
    )
}

fn ladder(from: (f64, f64), to: (f64, f64), pitch: f64) -> String {
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
    let half = pitch * 0.11;
    let (begin, end) = (0.22 * pitch / length, 1.0 - 0.22 * pitch / length);
    let mut path = String::new();
    for aside in [-half, half] {
        let (a, b) = (along(from, to, begin, aside), along(from, to, end, aside));
        let _ = write!(path, "M{} {}L{} {}", a.0, a.1, b.0, b.1);
    }
    let rungs = (length / (pitch * 0.26)).max(2.0) as usize;
    for rung in 1..rungs {
        let part = begin + (end - begin) * rung as f64 / rungs as f64;
        let (a, b) = (along(from, to, part, -half), along(from, to, part, half));
        let _ = write!(path, "M{} {}L{} {}", a.0, a.1, b.0, b.1);
    }
    let width = pixels(pitch * 0.05);
    format!(
        "<path class=\"lad\" d=\"{path}\" fill=\"none\" stroke=\"#2d6e3c\" stroke-width=\"{width}\" \
         stroke-linecap=\"round\" pointer-events=\"none\"/>\n"
    )
}

fn snake(from: (f64, f64), to: (f64, f64), pitch: f64) -> String {
    let bend = pitch * 0.35;
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
    let (begin, end) = (
        along(from, to, 0.12 * pitch / length, 0.0),
        along(from, to, 1.0 - 0.3 * pitch / length, 0.0),
    );
    let (one, two) = (along(from, to, 0.33, bend), along(from, to, 0.67, -bend));
    let tip = |part: f64, aside: f64| along(from, to, part, aside);
    let back = 1.0 - 0.32 * pitch / length;
    let (a, b, c) = (
        tip(1.0 - 0.12 * pitch / length, 0.0),
        tip(back, pitch * 0.11),
        tip(back, -pitch * 0.11),
    );
    let width = pixels(pitch * 0.11);
    let head = pixels(pitch * 0.13);
    format!(
        "<path class=\"sni\" d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\" stroke=\"#a03a22\" stroke-width=\"{width}\" \
         stroke-linecap=\"round\" pointer-events=\"none\"/><circle class=\"snh\" cx=\"{}\" cy=\"{}\" r=\"{head}\" \
         fill=\"#a03a22\" pointer-events=\"none\"/><path class=\"snh\" d=\"M{} {}L{} {}L{} {}Z\" fill=\"#a03a22\" \
         pointer-events=\"none\"/>\n",
        begin.0,
        begin.1,
        one.0,
        one.1,
        two.0,
        two.1,
        end.0,
        end.1,
        begin.0,
        begin.1,
        a.0,
        a.1,
        b.0,
        b.1,
        c.0,
        c.1
    )
}

/// A way in an arc, so that it does not run over the fields between.
fn arrow(from: (f64, f64), to: (f64, f64), pitch: f64) -> String {
    let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
    let room = 0.12 * pitch / length;
    let rise = -0.3 * pitch;
    let (begin, end) = (
        along(from, to, room, rise),
        along(from, to, 1.0 - room, rise),
    );
    let bend = along(from, to, 0.5, rise - (0.12 * length).max(0.2 * pitch));
    // The head points along the end of the arc.
    let (a, b) = (
        along(bend, end, 1.0 - 0.3 * pitch / length, pitch * 0.08),
        along(bend, end, 1.0 - 0.3 * pitch / length, -pitch * 0.08),
    );
    format!(
        "<path class=\"way\" d=\"M{} {}Q{} {} {} {}M{} {}L{} {}L{} {}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"{}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\" pointer-events=\"none\"/>\n",
        begin.0,
        begin.1,
        bend.0,
        bend.1,
        end.0,
        end.1,
        a.0,
        a.1,
        end.0,
        end.1,
        b.0,
        b.1,
        pixels(pitch * 0.045)
    )
}

/// Width and height of a PNG or GIF file.
fn size_of(bytes: &[u8]) -> Option<(f64, f64)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => {
            let number =
                |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
            Some((f64::from(number(16)?), f64::from(number(20)?)))
        }
        [b'G', b'I', b'F', ..] => {
            let number =
                |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
            Some((f64::from(number(6)?), f64::from(number(8)?)))
        }
        _ => None,
    }
}
