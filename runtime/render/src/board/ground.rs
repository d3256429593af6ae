//! What lies below the places: a plate, squares that are no places, lines and dots.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{FELT_LINE, LIGHT, LINE, PLATE, Scene};
use crate::pixels;
use crate::plan::{Grid, Ground};

const FELT: &str = "#4a9a6c";

impl Scene<'_> {
    /// What lies below the places: a picture of the rules, a plate, lines.
    pub(super) fn ground(&self, (left, top, width, height): (f64, f64, f64, f64)) -> String {
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
