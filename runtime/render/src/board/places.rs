//! Places: their outlines, their colours, and the room that they have for pieces.

use std::collections::BTreeSet;

use super::{CELL, FELT_LINE, LIGHT, LINE, PAPER, RADIUS, Scene, luminance};
use crate::look::{Link, Shape};
use crate::plan::{Ground, Spot};
use crate::{escape, pixels};

const DARK: &str = "#b4845c";
const CELL_TOO: &str = "#e7d7b5";

impl Scene<'_> {
    pub(super) fn place(&self, spot: &Spot<'_>) -> String {
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
    pub(super) fn paint(&self, spot: &Spot<'_>) -> (&'static str, String) {
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

    /// The width that a piece on a place may have.
    pub(super) fn room(&self, spot: &Spot<'_>) -> f64 {
        let pitch = self.plan.pitch;
        match (
            self.plan.ground,
            spot.look.and_then(|look| look.shape.as_ref()),
        ) {
            (Ground::Points, _) => pitch * 0.84,
            // Stones nearly touch each other.
            (Ground::Crossings, _) => pitch * 1.08,
            // Discs fill their holes.
            (Ground::Holes, Some(Shape::Circle(radius))) => 2.2 * radius,
            (_, Some(Shape::Circle(radius))) => (2.0 * radius * 0.94).min(pitch * 0.98),
            (_, Some(Shape::Rectangle(width, height))) => width.min(*height),
            (_, Some(Shape::Polygon(corners))) => {
                let near = corners
                    .iter()
                    .map(|(x, y)| x.hypot(*y))
                    .fold(f64::INFINITY, f64::min);
                // Names stand below the pieces of hexagons.
                let flat = if corners.len() == 4 { 1.414 } else { 1.22 };
                (near * flat).min(pitch)
            }
            (_, None) => (pitch * 0.9).min(2.4 * RADIUS),
        }
    }

    /// Width and height of a field of a track: side by side, with a small gap.
    pub(super) fn field(&self, (width, height): (f64, f64)) -> (f64, f64) {
        match &self.plan.grid {
            Some(grid) => (grid.cell.0 * 0.94, grid.cell.1 * 0.94),
            None => {
                let large = (self.plan.pitch * 0.94 / width.min(height)).clamp(1.0, 1.2);
                (width * large, height * large)
            }
        }
    }
}
