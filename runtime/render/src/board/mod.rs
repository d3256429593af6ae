//! Boards: places with their outlines, colours and pictures, the pieces on them, and stores beside them.

mod ground;
mod names;
mod pieces;
mod places;
mod stores;
mod ways;

use std::collections::BTreeSet;

use crate::look::{Position, Shape};
use crate::plan::{Ground, Plan, Spot};
use crate::{Style, drawing, escape, pixels};
use names::beside;
use pieces::size_of;

/// Room around a board, as a part of the distance of its places.
const MARGIN: f64 = 0.62;
/// The greatest radius of a piece, in pixels, on places without measures.
const RADIUS: f64 = 26.0;
/// Colours where the rules give none. The classes beside them let a page put others in their place.
const LIGHT: &str = "#ecd9b9";
const FELT_LINE: &str = "#2b6a47";
const PLATE: &str = "#ecdcbd";
const LINE: &str = "#5b4327";
const PAPER: &str = "#f6f3ec";
const INK: &str = "#24211d";
const CELL: &str = "#f3e8d0";

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
    let coordinates = scene.coordinates((left, top + height));
    if let (true, Some(grid)) = (coordinates.1, &scene.plan.grid) {
        let room = pixels(beside(scene.plan.pitch, grid));
        left -= room;
        width += room;
        height += room;
    }
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

    /// The place of a number in a domain.
    fn spot(&self, domain: u32, member: u32) -> Option<&Spot<'g>> {
        let mut spots = self.plan.spots.iter();
        spots.find(|spot| spot.domain == domain && spot.member == member)
    }
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

/// By how many degrees the board is turned for the first player, as whom everybody sees it.
fn angle(position: &Position<'_>) -> f64 {
    let turned = &position.look.presentation.turned;
    let angle = turned.first().copied();
    angle.filter(|angle| angle.is_finite()).unwrap_or(0.0)
}
