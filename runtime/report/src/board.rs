//! Heat maps over boards.

use std::fmt::Write as _;

use crate::page::escape;

/// Where the members of a counter lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The counter, by its number in the report.
    pub counter: usize,
    /// Its members that have a place.
    pub spots: Vec<Spot>,
}

/// A rectangle of a board, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The member of the counter that lies there, by number.
    pub member: usize,
    /// Its name.
    pub name: String,
    /// Its middle, from the left.
    pub x: f64,
    /// Its middle, from the top.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Spot {
    /// Side of a field without measures.
    pub const SIDE: f64 = 40.0;

    /// Fields in rows, for places of which nothing but the names is known.
    pub fn rows(names: &[&str]) -> Vec<Spot> {
        let columns = (names.len() as f64).sqrt().ceil().max(1.0) as usize;
        let longest = names.iter().map(|name| name.chars().count()).max();
        let width = (longest.unwrap_or(1) as f64 * 8.0).clamp(Self::SIDE, 140.0);
        let spot = |(member, name): (usize, &&str)| Spot {
            member,
            name: (*name).to_owned(),
            x: (member % columns) as f64 * width,
            y: (member / columns) as f64 * Self::SIDE,
            width,
            height: Self::SIDE,
        };
        names.iter().enumerate().map(spot).collect()
    }
}

/// The board with every place in the colour of its count.
pub(crate) fn heat_map(spots: &[Spot], counts: &[u64]) -> String {
    let count = |spot: &Spot| counts.get(spot.member).copied().unwrap_or(0);
    let most = spots.iter().map(count).max().unwrap_or(1).max(1);
    let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
    let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut body = String::new();
    for spot in spots {
        let Spot {
            x,
            y,
            width,
            height,
            ..
        } = *spot;
        left = left.min(x - width / 2.0);
        right = right.max(x + width / 2.0);
        top = top.min(y - height / 2.0);
        bottom = bottom.max(y + height / 2.0);
        let n = count(spot);
        let name = escape(&spot.name);
        let share = n as f64 / most as f64;
        let _ = write!(
            body,
            "<g><title>{name}: {n}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" \
             fill=\"{}\" stroke=\"#776\"/>",
            x - width / 2.0,
            y - height / 2.0,
            heat(share),
        );
        if n == 0 {
            let (w, h) = (width / 2.0, height / 2.0);
            let _ = write!(
                body,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#b00\"/>",
                x - w,
                y - h,
                x + w,
                y + h
            );
        }
        let ink = if share > 0.55 { "#fff" } else { "#222" };
        let font = (height / 3.2).clamp(6.0, 16.0);
        let _ = write!(
            body,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{font:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{name}</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text></g>",
            y - font * 0.1,
            y + font,
            font * 0.85,
            short(n),
        );
    }
    let margin = 8.0;
    let (width, height) = (right - left + 2.0 * margin, bottom - top + 2.0 * margin);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1} {:.1} {width:.1} {height:.1}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\">{body}</svg>",
        left - margin,
        top - margin,
    )
}

/// A colour from pale to dark for a share from 0 to 1.
fn heat(share: f64) -> String {
    const STOPS: [(f64, f64, f64); 3] = [
        (255.0, 247.0, 224.0),
        (230.0, 159.0, 0.0),
        (138.0, 45.0, 0.0),
    ];
    let at = share.clamp(0.0, 1.0).sqrt() * 2.0;
    let stop = (at.floor() as usize).min(1);
    let (from, to) = (STOPS[stop], STOPS[stop + 1]);
    let mix = |a: f64, b: f64| (a + (b - a) * (at - stop as f64)).round() as u8;
    format!(
        "#{:02x}{:02x}{:02x}",
        mix(from.0, to.0),
        mix(from.1, to.1),
        mix(from.2, to.2)
    )
}

/// A count in a few characters.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_pale_to_dark() {
        assert_eq!(heat(0.0), "#fff7e0");
        assert_eq!(heat(0.25), "#e69f00");
        assert_eq!(heat(1.0), "#8a2d00");
    }

    #[test]
    fn places_without_measures_stand_in_rows() {
        let spots = Spot::rows(&["a", "b", "c"]);
        let at: Vec<(f64, f64)> = spots.iter().map(|spot| (spot.x, spot.y)).collect();
        assert_eq!(at, [(0.0, 0.0), (40.0, 0.0), (0.0, 40.0)]);
        let map = heat_map(&spots, &[3, 0, 1]);
        assert_eq!(map.matches("<rect").count(), 3);
        assert_eq!(map.matches("<path").count(), 1);
    }
}
