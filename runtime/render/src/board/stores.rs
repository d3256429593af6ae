//! Stores below a board: one drawing and a number for all pieces that look alike.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::pieces::Piece;
use super::{INK, LINE, PLATE, Scene};
use crate::dress::Dress;
use crate::look::Form;
use crate::{escape, pixels};

impl Scene<'_> {
    /// Stores below the board, one drawing and a number for all pieces that look alike, and what stands nowhere; and
    /// their height.
    pub(super) fn stores(&mut self, (left, top): (f64, f64), width: f64) -> (String, f64) {
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
