//! Ways over a track: ladders, snakes, and arrows where it branches.

use std::fmt::Write as _;

use super::{LINE, Scene, own_number};
use crate::look::Link;
use crate::pixels;

impl Scene<'_> {
    /// Ladders, snakes and other jumps of a track.
    pub(super) fn jumps(&self) -> String {
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
}

/// A point of the way from one point to another, and one beside it.
pub(super) fn along(from: (f64, f64), to: (f64, f64), part: f64, aside: f64) -> (f64, f64) {
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
    // What comes from the side ends past the number in the corner, what comes from above or below before it.
    let past = 2.2 * (to.0 - from.0).abs() / length - 1.0;
    let (begin, end) = (
        along(from, to, room, rise),
        along(from, to, 1.0 + past * room, rise),
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
