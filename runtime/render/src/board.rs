//! Boards: places with their outlines, colours and pictures, and the pieces on them.

use std::fmt::Write as _;

use crate::labels::{labels, lines};
use crate::look::{Form, Picture, PieceLook, PlaceLook, Position, Shape};
use crate::{COLOURS, Style, escape, pixels};

/// Distance of places that have no coordinates, in pixels.
const PITCH: f64 = 64.0;
/// Room around everything, in pixels.
const MARGIN: f64 = 40.0;
/// Room around the outlines of places, in pixels.
const EDGE: f64 = 8.0;
/// Room for files and ranks beside a board, in pixels.
const BESIDE: f64 = 10.0;
/// Radius of a piece on a board without measures, in pixels.
const RADIUS: f64 = 22.0;
/// Fill colours of the pieces of players, and the colours of letters on them; later players have colours of the list
/// above.
const SIDES: [(&str, &str); 2] = [("#ffffff", "#000000"), ("#202020", "#ffffff")];

/// Players whose names are colours have these.
const NAMED: [(&str, (&str, &str)); 8] = [
    ("white", SIDES[0]),
    ("black", SIDES[1]),
    ("red", ("#d55e00", "#000000")),
    ("blue", ("#0072b2", "#ffffff")),
    ("green", ("#009e73", "#000000")),
    ("yellow", ("#f0e442", "#000000")),
    ("orange", ("#e69f00", "#000000")),
    ("grey", ("#999999", "#000000")),
];

/// Height of a line of text, in pixels.
const LINE: f64 = 20.0;

/// Draws a board.
pub(crate) fn svg(position: &Position<'_>, style: &Style<'_>) -> String {
    let mut scene = Scene {
        position,
        style,
        places: places(position),
        turn: angle(position).rem_euclid(360.0),
        centre: (0.0, 0.0),
        radius: 0.0,
    };
    scene.radius = pixels((scene.pitch() * 0.38).clamp(4.0, RADIUS));
    let (left, top, width, height) = scene.extent();
    let [mut left, top, mut width, mut height] = [left, top, width, height].map(pixels);
    scene.centre = (left + width / 2.0, top + height / 2.0);
    let mut body = scene.board();
    for spot in &scene.places {
        body.push_str(&scene.place(spot));
    }
    if scene.turn != 0.0 {
        let (x, y) = scene.centre;
        let turn = scene.turn;
        body = format!("<g transform=\"rotate({turn} {x} {y})\">\n{body}</g>\n");
    }
    let mut pieces = scene.pieces();
    pieces.sort_by_key(|piece| (piece.height, piece.number));
    for piece in &pieces {
        body.push_str(&scene.piece(piece));
    }
    for spot in &scene.places {
        body.push_str(&scene.label(spot));
    }
    let margins = scene.margins((left, top + height));
    if !margins.is_empty() {
        left -= BESIDE;
        width += BESIDE;
        height += BESIDE;
        body.push_str(&margins);
    }
    let waiting = scene.waiting((left, top + height), width);
    height += waiting.1;
    body.push_str(&waiting.0);
    let title = escape(position.info.name);
    let text = escape(position.text);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"sans-serif\">\n<title>{title}</title>\n<desc>{text}</desc>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#f7f5f0\"/>\n{body}</svg>\n"
    )
}

/// By how many degrees the board is turned for the player to move.
fn angle(position: &Position<'_>) -> f64 {
    let turned = &position.look.presentation.turned;
    let angle = position.mover().and_then(|player| turned.get(player));
    angle
        .copied()
        .filter(|angle| angle.is_finite())
        .unwrap_or(0.0)
}

/// A place of the board.
struct Spot<'g> {
    domain: u32,
    member: u32,
    at: (f64, f64),
    look: Option<&'g PlaceLook>,
}

/// A piece that stands on a place.
struct Piece<'g> {
    name: String,
    kind: String,
    owner: Option<usize>,
    /// Number of its state from 0, and whether it has several.
    state: Option<usize>,
    at: (f64, f64),
    /// Where it is painted: greater ones over lesser ones.
    height: i64,
    number: u32,
    look: Option<&'g PieceLook>,
    /// The attributes that say what it is.
    mark: String,
    radius: f64,
}

struct Scene<'g> {
    position: &'g Position<'g>,
    style: &'g Style<'g>,
    places: Vec<Spot<'g>>,
    /// By how many degrees the board is turned clockwise.
    turn: f64,
    /// What it is turned about.
    centre: (f64, f64),
    /// Radius of a piece.
    radius: f64,
}

/// All places that something may stand on; those without a coordinate stand in rows below the others.
fn places<'g>(position: &'g Position<'g>) -> Vec<Spot<'g>> {
    let game = position.look;
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

impl<'g> Scene<'g> {
    /// Left, top, width and height of the picture.
    fn extent(&self) -> (f64, f64, f64, f64) {
        let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
        let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut cover = |(x, y): (f64, f64), room: f64| {
            left = left.min(x - room);
            top = top.min(y - room);
            right = right.max(x + room);
            bottom = bottom.max(y + room);
        };
        for spot in &self.places {
            cover(spot.at, MARGIN);
            if let Some(Shape::Polygon(corners)) = spot.look.and_then(|look| look.shape.as_ref()) {
                for (dx, dy) in corners {
                    cover((spot.at.0 + dx, spot.at.1 + dy), EDGE);
                }
            }
        }
        if let Some((width, height)) = self.board_size() {
            cover((0.0, 0.0), 0.0);
            cover((width, height), 0.0);
        }
        if self.places.is_empty() {
            cover((0.0, 0.0), MARGIN);
        }
        if self.may_turn() {
            // A square has room for every quarter of a turn.
            let room = (right - left).max(bottom - top);
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
            return (x - room / 2.0, y - room / 2.0, room, room);
        }
        (left, top, right - left, bottom - top)
    }

    /// Whether the board is turned for some player other than upside down.
    fn may_turn(&self) -> bool {
        let angles = &self.position.look.presentation.turned;
        angles.iter().any(|angle| angle.rem_euclid(180.0) != 0.0)
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

    /// The player that a piece belongs to.
    fn owner(&self, domain: u32, member: u32) -> Option<usize> {
        let mut owners = self.position.look.presentation.owners.iter();
        let own = owners.find(|o| o.domain == domain && o.member == member);
        // A player may be a piece: their token.
        let is_player = self.position.look.is_players(domain);
        let themselves = is_player.then_some(member as usize);
        own.map(|own| own.player as usize).or(themselves)
    }

    fn board_size(&self) -> Option<(f64, f64)> {
        let file = self.position.look.presentation.board.as_ref()?;
        size_of(self.style.files.get(file)?)
    }

    fn board(&self) -> String {
        let Some(file) = &self.position.look.presentation.board else {
            return String::new();
        };
        let Some(source) = self.style.source(file) else {
            return String::new();
        };
        format!("<image href=\"{source}\" x=\"0\" y=\"0\"/>\n")
    }

    /// The least distance of two places, or the usual one.
    fn pitch(&self) -> f64 {
        let mut least = f64::INFINITY;
        for (index, a) in self.places.iter().enumerate() {
            for b in &self.places[index + 1..] {
                let distance = (a.at.0 - b.at.0).hypot(a.at.1 - b.at.1);
                if distance > 1.0 {
                    least = least.min(distance);
                }
            }
        }
        if least.is_finite() { least } else { PITCH }
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    /// Radius of each of so many pieces on one place.
    fn crowded(&self, count: usize) -> f64 {
        match count {
            0 | 1 => self.radius(),
            _ => pixels(self.radius() * 0.6),
        }
    }

    fn place(&self, spot: &Spot<'_>) -> String {
        let (x, y) = spot.at;
        let plain_name = self.position.look.name(spot.domain, spot.member);
        let name = escape(plain_name);
        let mark = self
            .style
            .mark(spot.domain, spot.member, plain_name, "place");
        let style = match self.colour(spot) {
            Some(colour) => format!("fill=\"{}\" stroke=\"#555555\"", escape(colour)),
            None => "fill=\"#ffffff\" fill-opacity=\"0.35\" stroke=\"#555555\"".to_owned(),
        };
        let shape = match spot.look.and_then(|look| look.shape.as_ref()) {
            Some(Shape::Circle(radius)) => {
                format!("<circle{mark} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}>")
            }
            Some(Shape::Rectangle(width, height)) => format!(
                "<rect{mark} x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" {style}>",
                x - width / 2.0,
                y - height / 2.0
            ),
            Some(Shape::Polygon(corners)) => {
                let corners: Vec<String> = corners
                    .iter()
                    .map(|(dx, dy)| format!("{},{}", pixels(x + dx), pixels(y + dy)))
                    .collect();
                format!("<polygon{mark} points=\"{}\" {style}>", corners.join(" "))
            }
            None => {
                let side = self.radius() * 2.4;
                let (left, top) = (x - side / 2.0, y - side / 2.0);
                format!(
                    "<rect{mark} x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" {style}>"
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

    /// The files and ranks of a board whose places are named by them, beside it; `corner` is its lower left one.
    fn margins(&self, (left, bottom): (f64, f64)) -> String {
        let pictured = self.position.look.presentation.board.is_some();
        if pictured || self.may_turn() {
            return String::new();
        }
        let named = |along: fn((f64, f64)) -> f64| -> Vec<(f64, &str)> {
            let all = self.places.iter();
            all.map(|spot| {
                let name = self.position.look.name(spot.domain, spot.member);
                (along(self.shown(spot.at)), name)
            })
            .collect()
        };
        let mut text = String::new();
        let mut write = |(x, y): (f64, f64), label: &str| {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"#777777\" text-anchor=\"middle\" \
                 pointer-events=\"none\">{}</text>",
                pixels(x),
                pixels(y),
                escape(label)
            );
        };
        let (across, along) = (named(|at| at.0), named(|at| at.1));
        let columns = lines(across.iter().map(|place| place.0));
        let rows = lines(along.iter().map(|place| place.0));
        let (files, ranks) = (labels(&across, &columns), labels(&along, &rows));
        // A board has both.
        if files.is_empty() || ranks.is_empty() {
            return String::new();
        }
        for (x, label) in columns.iter().zip(&files) {
            write((*x, bottom + 5.0), label);
        }
        for (y, label) in rows.iter().zip(&ranks) {
            write((left - 4.0, y + 3.5), label);
        }
        text
    }

    /// The name of a place that nothing else tells from the others.
    fn label(&self, spot: &Spot<'_>) -> String {
        let name = self.position.look.name(spot.domain, spot.member);
        let picture = spot.look.and_then(|look| look.picture.as_ref());
        let pictured = picture.is_some_and(|picture| self.style.source(&picture.file).is_some());
        if pictured || self.colour(spot).is_some() {
            return String::new();
        }
        let (x, y) = self.shown(spot.at);
        let own = spot.look.map(|look| look.kind.as_str());
        let (dx, dy, room) = match spot.look.and_then(|look| look.shape.as_ref()) {
            Some(Shape::Rectangle(width, height)) => (width / 2.0, height / 2.0, *width),
            Some(_) => return String::new(),
            None => {
                let side = self.radius() * 2.4;
                (side / 2.0, side / 2.0, side)
            }
        };
        if self.position.look.presentation.board.is_some() || room < 40.0 {
            return String::new();
        }
        let all = &self.position.look.presentation.places;
        let text = match own {
            // A kind of its own is a label; else a name is shown where the rules do not say where places are, or what
            // fields they are.
            Some(kind) if kind != "field" => {
                match all.iter().filter(|place| place.kind == kind).count() {
                    1 => kind.to_owned(),
                    _ => return String::new(),
                }
            }
            _ => name.to_owned(),
        };
        // Long names are smaller, so that they fit; of those that do not, the beginning is shown.
        let wide = |size: f64| text.chars().count() as f64 * 0.58 * size;
        let size = match wide(11.0) > room - 6.0 {
            true => pixels((11.0 * (room - 6.0) / wide(11.0)).max(7.5)),
            false => 11.0,
        };
        // A letter may be cut by a hair: sizes are rounded.
        let most = ((room - 6.0) / (0.58 * size) + 0.1).max(3.0) as usize;
        let text: String = text.chars().take(most).collect();
        let text = escape(&text);
        // It stands over pieces, with a rim that keeps it readable there.
        format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" fill=\"#555555\" stroke=\"#ffffff\" stroke-width=\"2.5\" \
             paint-order=\"stroke\" pointer-events=\"none\">{text}</text>\n",
            pixels(x - dx + 3.0),
            pixels(y - dy + size)
        )
    }

    /// A picture with its hot spot on a coordinate; nothing if there is no such file.
    fn picture(&self, picture: &Picture, at: (f64, f64)) -> Option<String> {
        let source = self.style.source(&picture.file)?;
        let (x, y) = (
            at.0 - f64::from(picture.hot_spot.0),
            at.1 - f64::from(picture.hot_spot.1),
        );
        // Without a size, browsers take that of the file.
        Some(format!(
            "<image href=\"{source}\" x=\"{x}\" y=\"{y}\"{}/>\n",
            match self.style.marked {
                true => " pointer-events=\"none\"",
                false => "",
            }
        ))
    }

    /// What stands on the shown places.
    fn pieces(&self) -> Vec<Piece<'g>> {
        let mut pieces = Vec::new();
        for (index, placement) in self.position.look.placements.iter().enumerate() {
            let here = self.places.iter();
            for spot in here.filter(|spot| spot.domain == placement.places) {
                let found = self.position.on_place(index, spot.member);
                // A few pieces side by side fit into a place if they are smaller; more overlap.
                let side = match spot.look.and_then(|look| look.shape.as_ref()) {
                    Some(Shape::Rectangle(width, _)) => width.min(2.4 * self.radius()),
                    _ => 2.4 * self.radius(),
                };
                let own = match found.len() {
                    0 | 1 => self.radius(),
                    _ => pixels((side / 4.0).min(self.crowded(found.len()))),
                };
                let room = side - 2.0 * own;
                let spread = pixels((2.0 * own).min(room / (found.len().max(2) as f64 - 1.0)));
                let middle = (found.len() as f64 - 1.0) / 2.0;
                for (nth, &member) in found.iter().enumerate() {
                    let shift = (nth as f64 - middle) * spread;
                    let at = self.shown(spot.at);
                    let at = (at.0 + shift, at.1);
                    let single = placement.form != Form::Anonymous;
                    let at = (pixels(at.0), at.1);
                    let mut piece = self.standing(placement.pieces, member, single, at);
                    let name = format!(
                        "{} on {}",
                        piece.name,
                        self.position.look.name(spot.domain, spot.member)
                    );
                    piece.radius = own;
                    piece.mark = match single {
                        true => self.style.mark(placement.pieces, member, &name, "piece"),
                        // A kind is everywhere: the place stands for the piece.
                        false => self.style.mark(spot.domain, spot.member, &name, "piece"),
                    };
                    if self.style.marked {
                        let _ = write!(piece.mark, " data-on=\"{}.{}\"", spot.domain, spot.member);
                    }
                    pieces.push(piece);
                }
            }
        }
        pieces
    }

    /// Pieces that stand nowhere yet or any more, in a row below the board, and the height of the row.
    fn waiting(&self, (left, top): (f64, f64), width: f64) -> (String, f64) {
        let mut body = String::new();
        let (mut x, mut y) = (left + MARGIN, top + self.radius());
        let step = self.radius() * 2.3;
        for (index, placement) in self.position.look.placements.iter().enumerate() {
            for member in self.position.nowhere(index) {
                if x + self.radius() > left + width && x > left + MARGIN {
                    (x, y) = (left + MARGIN, y + step);
                }
                let mut piece =
                    self.standing(placement.pieces, member, true, (pixels(x), pixels(y)));
                let name = format!("{} beside the board", piece.name);
                piece.mark = self.style.mark(placement.pieces, member, &name, "piece");
                body.push_str(&self.piece(&piece));
                x += step;
            }
        }
        match body.is_empty() {
            true => (body, 0.0),
            false => (body, pixels(y - top + self.radius() + LINE / 2.0)),
        }
    }

    fn standing(&self, domain: u32, member: u32, single: bool, at: (f64, f64)) -> Piece<'g> {
        let looks = &self.position.look.presentation.pieces;
        let look = looks
            .iter()
            .find(|look| look.domain == domain && look.member == member);
        let state = look.and_then(|look| look.state).filter(|_| single);
        let height = look.and_then(|look| look.z_order).filter(|_| single);
        let name = self.position.look.name(domain, member).to_owned();
        Piece {
            owner: self.owner(domain, member),
            kind: look.map_or_else(|| name.clone(), |look| look.kind.clone()),
            name,
            state: state.and_then(|var| self.position.nth(var, member as usize)),
            at,
            height: height
                .and_then(|var| self.position.number(var, member as usize))
                .unwrap_or(0),
            number: member,
            look,
            mark: String::new(),
            radius: self.radius(),
        }
    }

    fn piece(&self, piece: &Piece<'_>) -> String {
        let pictures = piece.look.map_or(&[][..], |look| &look.pictures);
        let picture = pictures
            .get(piece.state.unwrap_or(0))
            .and_then(Option::as_ref);
        let mark = &piece.mark;
        if let Some(image) = picture.and_then(|picture| self.picture(picture, piece.at)) {
            if !self.style.marked {
                return image;
            }
            let (x, y) = piece.at;
            let (radius, name) = (self.radius(), escape(&piece.name));
            return format!(
                "<g{mark}><title>{name}</title>{image}<circle class=\"hit\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" \
                 fill=\"transparent\"/></g>\n"
            );
        }
        let (x, y) = piece.at;
        let radius = piece.radius;
        let states = pictures.len() > 1;
        let shift = piece.state.filter(|_| states).unwrap_or(0);
        let (fill, ink) = match piece.owner {
            Some(player) => self.side(player),
            None => {
                let number = self.kind_number(&piece.kind) + shift;
                (COLOURS[number % COLOURS.len()], "#000000")
            }
        };
        let mut letter = self.letters(&piece.kind);
        let size = match letter.chars().count() {
            0..=1 => radius,
            _ => pixels(radius * 0.8),
        };
        if states {
            let _ = write!(letter, "{}", piece.state.unwrap_or(0) + 1);
        }
        let (letter, name) = (escape(&letter), escape(&piece.name));
        format!(
            "<g{mark}><title>{name}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#222222\"/>\
             <text x=\"{x}\" y=\"{y}\" fill=\"{ink}\" font-size=\"{size}\" text-anchor=\"middle\" \
             dy=\"0.35em\">{letter}</text></g>\n"
        )
    }

    /// The colours of the pieces of a player: those of the players' names if all of them are colours.
    fn side(&self, player: usize) -> (&'static str, &'static str) {
        let game = self.position.look;
        let named = |number: usize| {
            let name = game.player_name(number).to_lowercase();
            NAMED
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, colours)| *colours)
        };
        if (0..game.player_count()).all(|number| named(number).is_some()) {
            return named(player).unwrap_or(SIDES[0]);
        }
        match player.checked_sub(SIDES.len()) {
            None => SIDES[player],
            Some(later) => (COLOURS[later % COLOURS.len()], "#000000"),
        }
    }

    /// The first letters of the name of a kind, as many as tell it from the others but not more than three.
    fn letters(&self, kind: &str) -> String {
        let digits = kind.len() - kind.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if self.position.look.presentation.pieces.is_empty() && (1..3).contains(&digits) {
            let first = kind.chars().take(1).flat_map(char::to_uppercase);
            return first.chain(kind[kind.len() - digits..].chars()).collect();
        }
        let start = |name: &str, count: usize| -> String { name.chars().take(count).collect() };
        let looks = &self.position.look.presentation.pieces;
        let unclear = |count: usize| {
            let mine = start(kind, count);
            let mut others = looks.iter().filter(|look| look.kind != kind);
            others.any(|look| start(&look.kind, count) == mine)
        };
        let count = (1..3).find(|&count| !unclear(count)).unwrap_or(3);
        let first = kind.chars().take(1).flat_map(char::to_uppercase);
        first.chain(kind.chars().take(count).skip(1)).collect()
    }

    /// The number of a kind among those of the game, so that kinds have colours of their own.
    fn kind_number(&self, kind: &str) -> usize {
        let mut kinds: Vec<&str> = Vec::new();
        for look in &self.position.look.presentation.pieces {
            if !kinds.contains(&look.kind.as_str()) {
                kinds.push(&look.kind);
            }
        }
        let found = kinds.iter().position(|known| *known == kind);
        found.unwrap_or_else(|| kind.bytes().map(usize::from).sum())
    }
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
