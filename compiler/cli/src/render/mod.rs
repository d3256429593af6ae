//! Pictures of positions as SVG, from what the rules say about looks; plain shapes and letters where they say nothing.

mod nests;

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use rulec_compiler::interp::{Interp, State, Turn, Value};
use rulec_compiler::ir::{
    DomainId, Game, Picture, PieceLook, PlaceLook, PlacementForm, PlacementId, Shape, VarId,
};

/// Distance of places that have no coordinates, in pixels.
const PITCH: f64 = 64.0;
/// Room around everything, in pixels.
const MARGIN: f64 = 40.0;
/// Room around the outlines of places, in pixels.
const EDGE: f64 = 8.0;
/// Radius of a piece on a board without measures, in pixels.
const RADIUS: f64 = 22.0;
/// Fill colours of kinds of pieces and their states, told apart by the colour-blind too (Okabe and Ito, 2008).
const COLOURS: [&str; 8] = [
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999",
];

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

/// Draws a position: one SVG document that needs no other file.
///
/// Pictures are looked for in `folder` and put into the document; where one is missing a plain shape stands for it.
pub(crate) fn svg(interp: &Interp, state: &State, folder: &Path) -> String {
    let game = interp.game();
    if let Some(look) = &game.nest_look {
        return nests::svg(interp, state, look);
    }
    let mut scene = Scene {
        game,
        folder,
        places: places(game),
        turn: angle(interp, state).rem_euclid(360.0),
        centre: (0.0, 0.0),
    };
    let (left, top, width, height) = scene.extent();
    let [left, top, width, height] = [left, top, width, height].map(pixels);
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
    let mut pieces = scene.pieces(interp, state);
    pieces.sort_by_key(|piece| (piece.height, piece.number));
    for piece in &pieces {
        body.push_str(&scene.piece(piece));
    }
    let title = escape(&game.name);
    let text = escape(&interp.state_text(state));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"sans-serif\">\n<title>{title}</title>\n<desc>{text}</desc>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#f7f5f0\"/>\n{body}</svg>\n"
    )
}

/// By how many degrees the board is turned for the player to move.
fn angle(interp: &Interp, state: &State) -> f64 {
    let turned = &interp.game().presentation.turned;
    let Turn::Decide(players) = interp.turn(state) else {
        return 0.0;
    };
    let angle = players
        .first()
        .and_then(|&player| turned.get(player as usize));
    angle
        .copied()
        .filter(|angle| angle.is_finite())
        .unwrap_or(0.0)
}

/// A number of pixels without what nobody sees.
fn pixels(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// A place of the board.
struct Spot<'g> {
    domain: DomainId,
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
}

struct Scene<'g> {
    game: &'g Game,
    folder: &'g Path,
    places: Vec<Spot<'g>>,
    /// By how many degrees the board is turned clockwise.
    turn: f64,
    /// What it is turned about.
    centre: (f64, f64),
}

/// All places that something may stand on; those without a coordinate stand in rows below the others.
fn places(game: &Game) -> Vec<Spot<'_>> {
    let looks = &game.presentation.places;
    let mut spots = Vec::new();
    let mut domains: Vec<DomainId> = Vec::new();
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
        let count = game.domain(domain).len() as u32;
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
        let angles = &self.game.presentation.turned;
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
        let mut colours = self.game.presentation.colours.iter();
        let own = colours.find(|c| c.domain == spot.domain && c.member == spot.member);
        own.map(|own| own.fill.as_str())
    }

    /// The player that a piece belongs to.
    fn owner(&self, domain: DomainId, member: u32) -> Option<usize> {
        let mut owners = self.game.presentation.owners.iter();
        let own = owners.find(|o| o.domain == domain && o.member == member);
        own.map(|own| own.player as usize)
    }

    fn board_size(&self) -> Option<(f64, f64)> {
        let file = self.game.presentation.board.as_ref()?;
        size_of(&std::fs::read(self.folder.join(file)).ok()?)
    }

    fn board(&self) -> String {
        let Some(file) = &self.game.presentation.board else {
            return String::new();
        };
        let Some(source) = embedded(&self.folder.join(file)) else {
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
        pixels((self.pitch() * 0.38).clamp(4.0, RADIUS))
    }

    fn place(&self, spot: &Spot<'_>) -> String {
        let (x, y) = spot.at;
        let name = escape(&self.game.domain(spot.domain).member(spot.member));
        let style = match self.colour(spot) {
            Some(colour) => format!("fill=\"{}\" stroke=\"#555555\"", escape(colour)),
            None => "fill=\"#ffffff\" fill-opacity=\"0.35\" stroke=\"#555555\"".to_owned(),
        };
        let shape = match spot.look.and_then(|look| look.shape.as_ref()) {
            Some(Shape::Circle(radius)) => {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}>")
            }
            Some(Shape::Rectangle(width, height)) => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" {style}>",
                x - width / 2.0,
                y - height / 2.0
            ),
            Some(Shape::Polygon(corners)) => {
                let corners: Vec<String> = corners
                    .iter()
                    .map(|(dx, dy)| format!("{},{}", pixels(x + dx), pixels(y + dy)))
                    .collect();
                format!("<polygon points=\"{}\" {style}>", corners.join(" "))
            }
            None => {
                let side = self.radius() * 2.4;
                let (left, top) = (x - side / 2.0, y - side / 2.0);
                format!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" {style}>"
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

    /// A picture with its hot spot on a coordinate; nothing if there is no such file.
    fn picture(&self, picture: &Picture, at: (f64, f64)) -> Option<String> {
        let source = embedded(&self.folder.join(&picture.file))?;
        let (x, y) = (
            at.0 - f64::from(picture.hot_spot.0),
            at.1 - f64::from(picture.hot_spot.1),
        );
        Some(format!("<image href=\"{source}\" x=\"{x}\" y=\"{y}\"/>\n"))
    }

    /// What stands on the shown places.
    fn pieces(&self, interp: &Interp, state: &State) -> Vec<Piece<'g>> {
        let mut pieces = Vec::new();
        for (index, placement) in self.game.placements.iter().enumerate() {
            let id = PlacementId::from(index);
            for spot in self
                .places
                .iter()
                .filter(|spot| spot.domain == placement.places)
            {
                let found = interp.on_place(state, id, spot.member);
                let spread = self.radius() * 0.5;
                let middle = (found.len() as f64 - 1.0) / 2.0;
                for (nth, &member) in found.iter().enumerate() {
                    let shift = (nth as f64 - middle) * spread;
                    let at = self.shown(spot.at);
                    let at = (at.0 + shift, at.1);
                    let single = placement.form != PlacementForm::Anonymous;
                    pieces.push(self.standing(interp, state, placement.pieces, member, single, at));
                }
            }
        }
        pieces
    }

    fn standing(
        &self,
        interp: &Interp,
        state: &State,
        domain: DomainId,
        member: u32,
        single: bool,
        at: (f64, f64),
    ) -> Piece<'g> {
        let looks = &self.game.presentation.pieces;
        let look = looks
            .iter()
            .find(|look| look.domain == domain && look.member == member);
        let value = |var: Option<VarId>| {
            let var = var.filter(|_| single)?;
            match interp.var(state, var, member as usize)? {
                Value::Int(value) => Some(value),
                Value::Elem(member) => Some(i64::from(member)),
                _ => None,
            }
        };
        let name = self.game.domain(domain).member(member);
        let least = |var: VarId| self.game.var(var).ty.int_range().map_or(0, |(lo, _)| lo);
        let state_var = look.and_then(|look| look.state);
        let number = value(state_var)
            .zip(state_var)
            .map(|(value, var)| value - least(var));
        Piece {
            owner: self.owner(domain, member),
            kind: look.map_or_else(|| name.clone(), |look| look.kind.clone()),
            name,
            state: number.and_then(|number| usize::try_from(number).ok()),
            at,
            height: value(look.and_then(|look| look.z_order)).unwrap_or(0),
            number: member,
            look,
        }
    }

    fn piece(&self, piece: &Piece<'_>) -> String {
        let pictures = piece.look.map_or(&[][..], |look| &look.pictures);
        let picture = pictures
            .get(piece.state.unwrap_or(0))
            .and_then(Option::as_ref);
        if let Some(image) = picture.and_then(|picture| self.picture(picture, piece.at)) {
            return image;
        }
        let (x, y) = piece.at;
        let radius = self.radius();
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
            "<g><title>{name}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#222222\"/>\
             <text x=\"{x}\" y=\"{y}\" fill=\"{ink}\" font-size=\"{size}\" text-anchor=\"middle\" \
             dy=\"0.35em\">{letter}</text></g>\n"
        )
    }

    /// The colours of the pieces of a player: those of the players' names if all of them are colours.
    fn side(&self, player: usize) -> (&'static str, &'static str) {
        let players = self.game.domain(self.game.players);
        let named = |number: usize| {
            let name = players.member(number as u32).to_lowercase();
            NAMED
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, colours)| *colours)
        };
        if (0..players.len()).all(|number| named(number).is_some()) {
            return named(player).unwrap_or(SIDES[0]);
        }
        match player.checked_sub(SIDES.len()) {
            None => SIDES[player],
            Some(later) => (COLOURS[later % COLOURS.len()], "#000000"),
        }
    }

    /// The first letters of the name of a kind, as many as tell it from the others but not more than three.
    fn letters(&self, kind: &str) -> String {
        let start = |name: &str, count: usize| -> String { name.chars().take(count).collect() };
        let looks = &self.game.presentation.pieces;
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
        for look in &self.game.presentation.pieces {
            if !kinds.contains(&look.kind.as_str()) {
                kinds.push(&look.kind);
            }
        }
        let found = kinds.iter().position(|known| *known == kind);
        found.unwrap_or_else(|| kind.bytes().map(usize::from).sum())
    }
}

/// A picture file as a `data:` address; nothing if it cannot be read or is of no known form.
fn embedded(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let form = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xff, 0xd8, ..] => "jpeg",
        [b'G', b'I', b'F', ..] => "gif",
        _ => return None,
    };
    let text = base64::engine::general_purpose::STANDARD.encode(&bytes);
    Some(format!("data:image/{form};base64,{text}"))
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

/// Text that stands in XML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML knows no other control characters.
            _ if letter.is_control() && !matches!(letter, '\t' | '\n' | '\r') => {
                escaped.push('\u{fffd}')
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}
