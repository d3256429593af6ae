//! Pieces on their places: side by side, on each other, as drawings or as pictures of the rules.

use std::fmt::Write as _;

use super::{RADIUS, Scene, own_number};
use crate::art::{BOX, art};
use crate::dress::Dress;
use crate::look::{Form, Picture, Shape};
use crate::plan::{Ground, Spot};
use crate::{escape, pixels};

/// The most pieces of one place that are drawn one by one.
const CLUSTER: usize = 4;
/// The most pieces of a stack that are drawn.
const STACK: usize = 5;

/// A piece that stands on a place.
pub(super) struct Piece {
    pub(super) name: String,
    pub(super) dress: Dress,
    pub(super) picture: Option<Picture>,
    pub(super) at: (f64, f64),
    /// Its width and height.
    pub(super) size: f64,
    /// Whether its drawing lies on the side.
    pub(super) lying: bool,
    /// Where it is painted: greater ones over lesser ones.
    pub(super) height: i64,
    pub(super) number: u32,
    /// The attributes that say what it is.
    pub(super) mark: String,
}

impl Scene<'_> {
    /// A picture with its hot spot on a coordinate; nothing if there is no such file.
    pub(super) fn picture(&self, picture: &Picture, at: (f64, f64)) -> Option<String> {
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

    /// What stands on the places of the board.
    pub(super) fn pieces(&self) -> Vec<Piece> {
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
        let (x, mut y) = self.shown(spot.at);
        let room = self.room(spot);
        let place = (spot.domain, spot.member);
        if self.plan.ground == Ground::Hexes && self.position.look.coordinate(place).is_some() {
            // The name stands below.
            y = pixels(y - 0.06 * self.plan.pitch);
        }
        let kind = spot.look.map_or("field", |look| look.kind.as_str());
        if self.plan.ground == Ground::Track && kind != "field" && own_number(spot).is_none() {
            y = pixels(y - 0.08 * self.plan.pitch);
        }
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
    pub(super) fn loose(&self, domain: u32, member: u32, single: bool) -> Piece {
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

    pub(super) fn piece(&mut self, piece: &Piece) -> String {
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
    pub(super) fn drawn(
        &mut self,
        dress: &Dress,
        (x, y): (f64, f64),
        size: f64,
        lying: bool,
    ) -> String {
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

/// Width and height of a PNG or GIF file.
pub(super) fn size_of(bytes: &[u8]) -> Option<(f64, f64)> {
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
