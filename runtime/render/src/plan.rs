//! What kind of board the places of a game make, and what is no part of it: stores, and places that only count.

use std::collections::{BTreeMap, BTreeSet};

use crate::art::{art, words};
use crate::labels::lines;
use crate::look::{Look, PlaceLook, Shape};

/// Distance of places that have no coordinates, in pixels.
pub(crate) const PITCH: f64 = 64.0;
/// The most files of a board whose places have coordinates: as many as letters.
const MOST_FILES: usize = 26;
/// The least places of a board beside which others are stores.
const LEAST_PLACES: usize = 6;

/// A place of the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'g> {
    pub(crate) domain: u32,
    pub(crate) member: u32,
    pub(crate) at: (f64, f64),
    pub(crate) look: Option<&'g PlaceLook>,
}

/// What the board is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Squares side by side; of two colours if checkered.
    Squares { checkered: bool },
    /// Squares on green cloth, for discs that are turned.
    Felt,
    /// Lines whose crossings are the places.
    Crossings,
    /// Points that are joined by lines.
    Points,
    /// Holes in a plate.
    Holes,
    /// Hexagons.
    Hexes,
    /// Fields one after the other.
    Track,
    /// Places as they are.
    Plain,
}

/// Equal cells in columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The middles of columns from the left and of rows from above.
    pub(crate) columns: Vec<f64>,
    pub(crate) rows: Vec<f64>,
    /// Whether all distances are equal.
    pub(crate) even: bool,
    /// Width and height of a cell.
    pub(crate) cell: (f64, f64),
}

/// The places of a game, sorted.
pub(crate) struct Plan<'g> {
    pub(crate) spots: Vec<Spot<'g>>,
    /// Places that hold what is not in play.
    pub(crate) stores: Vec<Spot<'g>>,
    pub(crate) ground: Ground,
    pub(crate) grid: Option<Grid>,
    /// The least distance of two places.
    pub(crate) pitch: f64,
}

impl<'g> Plan<'g> {
    /// Sorts the places of a game; `pictured` says that the board is a picture of the rules.
    fn places_of(look: &'g Look, pictured: bool) -> Plan<'g> {
        let all = places(look);
        let has = |spot: &Spot<'g>, is: fn(&str) -> bool| {
            let kind = spot.look.map_or("", |look| look.kind.as_str());
            words(kind).iter().any(|word| is(word))
        };
        let counts = |spot: &Spot<'g>| has(spot, |word| art().is_auxiliary(word));
        let may_keep = |spot: &Spot<'g>| {
            spot.look.is_some_and(|look| !look.relevant) || has(spot, |word| art().is_store(word))
        };
        let sure = || all.iter().filter(|spot| !counts(spot) && !may_keep(spot));
        let frame = Frame::around(sure());
        // What lies among the places of the board is part of it.
        let keeps = |spot: &Spot<'g>| may_keep(spot) && !frame.holds(spot.at);
        // A picture of the rules shows all places where they are.
        let sorts = !pictured && sure().count() >= LEAST_PLACES;
        let (spots, stores): (Vec<Spot<'g>>, Vec<Spot<'g>>) = match sorts {
            true => {
                let shown = all.iter().filter(|spot| !counts(spot)).copied();
                shown.partition(|spot| !keeps(spot))
            }
            false => (all, Vec::new()),
        };
        let grid = grid(&spots);
        let mut plan = Plan {
            pitch: pitch(&spots),
            ground: Ground::Plain,
            spots,
            stores,
            grid,
        };
        if pictured {
            return plan;
        }
        if plan.is_lined(look) {
            space_out(&mut plan.spots);
            plan.pitch = pitch(&plan.spots);
            plan.grid = self::grid(&plan.spots);
        }
        plan
    }

    /// Sorts the places of a game, and says what kind of board they make.
    pub(crate) fn of(look: &'g Look, pictured: bool) -> Plan<'g> {
        let mut plan = Plan::places_of(look, pictured);
        if !pictured {
            plan.ground = plan.ground(look);
        }
        if let (Ground::Squares { .. } | Ground::Felt | Ground::Crossings, Some(grid)) =
            (plan.ground, &plan.grid)
        {
            plan.pitch = grid.cell.0.min(grid.cell.1);
        }
        plan
    }

    /// Whether the places are points that lines join.
    fn is_lined(&self, look: &Look) -> bool {
        let steps = look.steps.len();
        let apart = self.spots.iter().all(|spot| {
            let shape = spot.look.and_then(|look| look.shape.as_ref());
            match (shape, &self.grid) {
                (Some(Shape::Circle(_)), _) => true,
                (Some(Shape::Rectangle(width, height)), Some(grid)) => {
                    *width < 0.7 * grid.cell.0 && *height < 0.7 * grid.cell.1
                }
                _ => false,
            }
        });
        apart && steps > 0 && steps <= 8 * self.spots.len()
    }

    fn ground(&self, look: &Look) -> Ground {
        if self.spots.is_empty() {
            return Ground::Plain;
        }
        if look.presentation.links.iter().any(|link| !link.jump) {
            return Ground::Track;
        }
        let shapes: Vec<Option<&Shape>> = self
            .spots
            .iter()
            .map(|spot| spot.look.and_then(|look| look.shape.as_ref()))
            .collect();
        let all = |is: fn(&Shape) -> bool| shapes.iter().all(|shape| shape.is_some_and(is));
        if all(|shape| matches!(shape, Shape::Polygon(corners) if corners.len() == 6)) {
            return Ground::Hexes;
        }
        let round = all(|shape| matches!(shape, Shape::Circle(_)));
        if self.is_lined(look) {
            return Ground::Points;
        }
        let Some(grid) = &self.grid else {
            return Ground::Plain;
        };
        let (columns, rows) = (grid.columns.len(), grid.rows.len());
        let full = self.spots.len() * 10 >= columns * rows * 9;
        let uses = |names: &[&str]| {
            let all = look.wardrobe().all();
            all.iter().any(|(own, _)| names.contains(&own.as_str()))
        };
        let many = columns >= 9 && uses(&["disc"]);
        if full && columns >= 7 && (many || uses(&["stone"])) {
            return Ground::Crossings;
        }
        if round {
            let plate = grid.even && (full || columns == 1 || rows == 1);
            return if plate { Ground::Holes } else { Ground::Plain };
        }
        if !grid.even || columns < 2 || rows < 2 || !self.touches(grid) {
            return Ground::Plain;
        }
        let large = columns >= 4 && rows >= 4;
        let half = self.is_half(grid);
        if !full && !half {
            return Ground::Squares { checkered: false };
        }
        if half || large && uses(&["king", "queen", "knight", "man", "draughts-king"]) {
            return Ground::Squares { checkered: true };
        }
        if large && uses(&["disc"]) {
            return Ground::Felt;
        }
        Ground::Squares { checkered: false }
    }

    /// Whether the places nearly fill the cells that they are the middles of.
    fn touches(&self, grid: &Grid) -> bool {
        let (width, height) = grid.cell;
        self.spots.iter().all(|spot| {
            let shape = spot.look.and_then(|look| look.shape.as_ref());
            match shape {
                Some(Shape::Rectangle(w, h)) => *w > 0.7 * width && *h > 0.7 * height,
                Some(Shape::Polygon(corners)) => corners.len() == 4,
                Some(Shape::Circle(_)) => false,
                None => true,
            }
        })
    }

    /// Whether the places are every second cell, as the dark squares of a board are.
    fn is_half(&self, grid: &Grid) -> bool {
        let cells = grid.columns.len() * grid.rows.len();
        let parity = |spot: &Spot<'_>| {
            let (column, row) = grid.cell_of(spot.at)?;
            Some((column + row) % 2)
        };
        let first = self.spots.first().and_then(parity);
        let kind = |spot: &Spot<'g>| spot.look.map(|look| look.kind.as_str());
        let one = |all: &[Spot<'g>]| all.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]));
        one(&self.spots)
            && self.spots.len().abs_diff(cells / 2) <= 1
            && first.is_some()
            && self.spots.iter().all(|spot| parity(spot) == first)
    }
}

impl Grid {
    /// The column and the row, from the left and from above, of a point.
    pub(crate) fn cell_of(&self, (x, y): (f64, f64)) -> Option<(usize, usize)> {
        let near =
            |all: &[f64], value: f64| all.iter().position(|at| crate::labels::near(*at, value));
        Some((near(&self.columns, x)?, near(&self.rows, y)?))
    }
}

/// The least rectangle around points.
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn around<'s, 'g: 's>(spots: impl Iterator<Item = &'s Spot<'g>>) -> Frame {
        let mut frame = Frame {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        for Spot { at: (x, y), .. } in spots {
            frame.left = frame.left.min(*x);
            frame.right = frame.right.max(*x);
            frame.top = frame.top.min(*y);
            frame.bottom = frame.bottom.max(*y);
        }
        frame
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        x >= self.left && x <= self.right && y >= self.top && y <= self.bottom
    }
}

/// Moves the places of boards that are near each other and whose rows are not evenly spaced, such as those of morris, so that
/// they are.
fn space_out(spots: &mut [Spot<'_>]) {
    let least = pitch(spots);
    let close = spots.iter().any(|spot| {
        let shape = spot.look.and_then(|look| look.shape.as_ref());
        match shape {
            Some(Shape::Circle(radius)) => least < 2.6 * radius,
            Some(Shape::Rectangle(width, height)) => least < 1.3 * width.max(*height),
            _ => true,
        }
    });
    // Where they have room, the rules know best.
    if !close {
        return;
    }
    let Some(grid) = grid(spots).filter(|grid| !grid.even) else {
        return;
    };
    let (columns, rows) = (grid.columns.len(), grid.rows.len());
    if columns < 3 || rows < 3 {
        return;
    }
    for spot in spots {
        if let Some((column, row)) = grid.cell_of(spot.at) {
            spot.at = (column as f64 * PITCH, row as f64 * PITCH);
        }
    }
}

/// Whether lines join the places of the board.
pub(crate) fn has_lines(look: &Look) -> bool {
    Plan::places_of(look, false).is_lined(look)
}

/// The cells of the places of a board that is a grid: their columns from the left, and their rows from above, as the first
/// player sees it.
pub(crate) fn cells(look: &Look) -> BTreeMap<(u32, u32), (usize, usize)> {
    let mut cells = BTreeMap::new();
    if look.nest.is_some() || look.episode.is_some() {
        return cells;
    }
    let plan = Plan::of(look, false);
    let turned = look.presentation.turned.first().copied().unwrap_or(0.0);
    let on_its_head = is_on_its_head(turned);
    let (Some(grid), true) = (&plan.grid, on_its_head || turned == 0.0) else {
        return cells;
    };
    let (files, ranks) = (grid.columns.len(), grid.rows.len());
    let fits = (2..=MOST_FILES).contains(&files) && (2..=99).contains(&ranks) && files * ranks > 4;
    if !fits || matches!(plan.ground, Ground::Hexes | Ground::Track | Ground::Plain) {
        return cells;
    }
    let mut taken = BTreeSet::new();
    for spot in &plan.spots {
        let cell = grid
            .cell_of(spot.at)
            .map(|(column, row)| match on_its_head {
                true => (files - 1 - column, ranks - 1 - row),
                false => (column, row),
            });
        match cell {
            Some(cell) if taken.insert(cell) => {
                cells.insert((spot.domain, spot.member), cell);
            }
            _ => return BTreeMap::new(),
        }
    }
    cells
}

/// Whether a board that is turned by so many degrees is seen from the other side.
pub(crate) fn is_on_its_head(angle: f64) -> bool {
    angle.rem_euclid(360.0) == 180.0
}

/// The names of hexagons: a letter for each straight line of them, rows from below or columns from the left, and a number in it
/// from the left or from below.
pub(crate) fn hexagons(look: &Look) -> BTreeMap<(u32, u32), String> {
    let mut names = BTreeMap::new();
    if look.nest.is_some() || look.episode.is_some() {
        return names;
    }
    let plan = Plan::of(look, false);
    if plan.ground != Ground::Hexes {
        return names;
    }
    let turned = look.presentation.turned.first().copied().unwrap_or(0.0);
    let (sin, cos) = turned.to_radians().sin_cos();
    let seen = |spot: &Spot<'_>| {
        let (x, y) = spot.at;
        (x * cos - y * sin, x * sin + y * cos)
    };
    let columns = lines(plan.spots.iter().map(|spot| seen(spot).0));
    let rows = lines(plan.spots.iter().map(|spot| seen(spot).1));
    let upright = columns.len() < rows.len();
    let straight = if upright { columns } else { rows };
    if straight.len() > MOST_FILES {
        return names;
    }
    let count = straight.len();
    for (number, line) in straight.into_iter().enumerate() {
        // Along the line: from below where lines are columns, else from the left.
        let place = |spot: &Spot<'_>| match (seen(spot), upright) {
            ((x, y), true) => (x, -y),
            ((x, y), false) => (y, x),
        };
        let of_line = |spot: &&Spot<'_>| crate::labels::near(place(spot).0, line);
        let mut here: Vec<&Spot<'_>> = plan.spots.iter().filter(of_line).collect();
        here.sort_by(|a, b| place(a).1.total_cmp(&place(b).1));
        let letter = file(if upright { number } else { count - 1 - number });
        for (at, spot) in here.into_iter().enumerate() {
            names.insert((spot.domain, spot.member), format!("{letter}{}", at + 1));
        }
    }
    names
}

/// The names of these places: by files and ranks, on a board of draughts by the numbers of its squares.
pub(crate) fn coordinates(
    look: &Look,
    cells: &BTreeMap<(u32, u32), (usize, usize)>,
) -> BTreeMap<(u32, u32), String> {
    let ranks = cells.values().map(|(_, row)| row + 1).max().unwrap_or(0);
    let mut places: Vec<((usize, usize), (u32, u32))> = cells
        .iter()
        .map(|(place, (column, row))| ((*row, *column), *place))
        .collect();
    places.sort_unstable();
    let shade = |(row, column): (usize, usize)| (column + ranks - 1 - row) % 2;
    let one_colour = places
        .windows(2)
        .all(|two| shade(two[0].0) == shade(two[1].0));
    let numbered = one_colour && look.wardrobe().has("draughts-king");
    // The squares count from the side of black; who begins sits below.
    let black_below = look
        .wardrobe()
        .players
        .first()
        .is_some_and(|side| side == "black");
    let count = places.len();
    let name = |number: usize, (row, column): (usize, usize)| match numbered {
        true if black_below => (count - number).to_string(),
        true => (number + 1).to_string(),
        false => format!("{}{}", file(column), ranks - row),
    };
    let named = places.iter().enumerate();
    named
        .map(|(number, (cell, place))| (*place, name(number, *cell)))
        .collect()
}

/// The places that hold what is not in play.
pub(crate) fn stores(look: &Look) -> BTreeSet<(u32, u32)> {
    let plan = Plan::places_of(look, false);
    let stores = plan.stores.iter();
    stores.map(|spot| (spot.domain, spot.member)).collect()
}

/// The letter of a file.
pub(crate) fn file(column: usize) -> char {
    char::from(b'a' + (column % MOST_FILES) as u8)
}

/// All places that something may stand on; those without a coordinate stand in rows below the others.
fn places(game: &Look) -> Vec<Spot<'_>> {
    let looks = &game.presentation.places;
    let mut spots = Vec::new();
    let mut domains: Vec<u32> = Vec::new();
    for placement in &game.placements {
        if !domains.contains(&placement.places) {
            domains.push(placement.places);
        }
    }
    let known = looks.iter().filter_map(|look| look.at);
    let (mut left, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
    for (x, y) in known {
        left = left.min(x);
        bottom = bottom.max(y);
    }
    let mut top = if bottom.is_finite() {
        bottom + 1.5 * PITCH
    } else {
        0.0
    };
    let left = if left.is_finite() { left } else { 0.0 };
    for domain in domains {
        let count = game.len(domain) as u32;
        let look = |member: u32| {
            let mut all = looks.iter();
            all.find(|look| look.domain == domain && look.member == member)
        };
        let lost = (0..count).filter(|&member| look(member).and_then(|look| look.at).is_none());
        // Places that the rules show nowhere, such as boxes, are left out if others are shown.
        let shown = lost.clone().count() < count as usize;
        let columns = f64::from(count).sqrt().ceil().max(1.0) as u32;
        for member in 0..count {
            let look = look(member);
            let at = match look.and_then(|look| look.at) {
                Some(at) => at,
                None if shown => continue,
                None => {
                    let (column, row) = (member % columns, member / columns);
                    (
                        left + f64::from(column) * PITCH,
                        top + f64::from(row) * PITCH,
                    )
                }
            };
            spots.push(Spot {
                domain,
                member,
                at,
                look,
            });
        }
        if !shown {
            top += f64::from(count.div_ceil(columns)) * PITCH + PITCH;
        }
    }
    spots
}

/// The least distance of two places, or the usual one.
fn pitch(spots: &[Spot<'_>]) -> f64 {
    let mut least = f64::INFINITY;
    for (index, a) in spots.iter().enumerate() {
        for b in &spots[index + 1..] {
            let distance = (a.at.0 - b.at.0).hypot(a.at.1 - b.at.1);
            if distance > 1.0 {
                least = least.min(distance);
            }
        }
    }
    if least.is_finite() { least } else { PITCH }
}

/// The columns and rows of places that are not too few for them.
fn grid(spots: &[Spot<'_>]) -> Option<Grid> {
    let columns = lines(spots.iter().map(|spot| spot.at.0));
    let rows = lines(spots.iter().map(|spot| spot.at.1));
    if spots.len() < 2 || columns.len() * rows.len() > 4 * spots.len() {
        return None;
    }
    let gaps = |all: &[f64]| -> Vec<f64> { all.windows(2).map(|pair| pair[1] - pair[0]).collect() };
    let (across, down) = (gaps(&columns), gaps(&rows));
    let least = |gaps: &[f64]| gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |gaps: &[f64]| gaps.iter().copied().fold(0.0, f64::max);
    let even = |gaps: &[f64]| gaps.is_empty() || most(gaps) < 1.1 * least(gaps);
    let size = |own: &[f64], other: &[f64]| match (least(own), least(other)) {
        (own, _) if own.is_finite() => own,
        (_, other) if other.is_finite() => other,
        _ => PITCH,
    };
    let cell = (size(&across, &down), size(&down, &across));
    // Cells are about as wide as high.
    let even = even(&across) && even(&down) && (0.6..1.7).contains(&(cell.0 / cell.1));
    Some(Grid {
        columns,
        rows,
        even,
        cell,
    })
}
