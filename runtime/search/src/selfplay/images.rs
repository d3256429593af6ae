//! Samples of the images of games: what symmetries of the rules make of what was played.
//!
//! The image of a game is a game as good as the one that was played, so its samples teach the same: planes with other cells and
//! other names, moves with other indexes, the player who is him after the renaming, and the same value for that player.

use std::io;

use rulec_core::{GameInfo, Plane, Symmetry};

use super::samples::{Samples, cell_bytes};

/// The symmetries of a game under which samples have images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    planes: &'static [Plane],
    all: Vec<Image>,
}

/// A symmetry, and what it makes of the dense indexes of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Image {
    by: &'static Symmetry,
    numbers: Vec<u32>,
}

impl Images {
    /// Those of a game: of which it is known what they make of all planes and of all indexes of moves.
    pub fn of(info: &GameInfo) -> Self {
        let known = info.symmetries.iter().filter_map(|by| {
            let tells_planes = by.planes.len() == info.planes.len();
            let numbered = tells_planes && info.numbers.count == info.move_count;
            let numbers = by.renumbering(info.numbers).filter(|_| numbered)?;
            Some(Image { by, numbers })
        });
        Self {
            planes: info.planes,
            all: known.collect(),
        }
    }

    /// Those of a game that has some.
    ///
    /// # Errors
    /// When it has none.
    pub(super) fn some_of(info: &GameInfo) -> io::Result<Self> {
        let images = Self::of(info);
        match images.all.is_empty() {
            false => Ok(images),
            true => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the rules of {} have no symmetry under which samples have images; leave `augment` out",
                    info.name
                ),
            )),
        }
    }

    /// How many samples there are for each position: itself and its images.
    pub fn each(&self) -> usize {
        self.all.len() + 1
    }

    /// Appends samples, each followed by its images in the order of the symmetries.
    pub fn append(&self, samples: &Samples, out: &mut Samples) {
        out.planes.resize(self.planes.len(), Vec::new());
        let mut entry = 0;
        for row in 0..samples.len() {
            let entries = entry..entry + samples.choices.get(row).map_or(0, |n| *n as usize);
            entry = entries.end;
            let moves = samples.moves.get(entries.clone()).unwrap_or_default();
            let visits = samples.visits.get(entries).unwrap_or_default();
            let cells = self.cells(samples, row);
            let own = Row {
                samples,
                row,
                moves,
                visits,
            };
            own.append(None, out);
            out.push_cells(&cells, self.planes);
            for image in &self.all {
                // `Images::of` takes only symmetries that have an image of all planes.
                let planes = image.by.planes(self.planes, &cells);
                debug_assert!(planes.is_some(), "a symmetry without planes");
                if let Some(planes) = planes {
                    own.append(Some(image), out);
                    out.push_cells(&planes, self.planes);
                }
            }
        }
    }

    /// The values of the planes of a sample.
    fn cells(&self, samples: &Samples, row: usize) -> Vec<i64> {
        let mut values = Vec::new();
        for (plane, bytes) in self.planes.iter().zip(&samples.planes) {
            let width = cell_bytes(plane);
            let first = row * width * plane.cells;
            let own = bytes.get(first..first + width * plane.cells);
            values.extend(own.unwrap_or_default().chunks_exact(width).map(signed));
        }
        values
    }
}

/// A number of up to eight bytes, the lowest first, with a sign.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
    let all = bytes
        .iter()
        .rev()
        .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    (all << unused) as i64 >> unused
}

/// A sample among others.
struct Row<'s> {
    samples: &'s Samples,
    row: usize,
    moves: &'s [u32],
    visits: &'s [u32],
}

impl Row<'_> {
    /// Appends all but the planes, as it is or under a symmetry.
    fn append(&self, image: Option<&Image>, out: &mut Samples) {
        fn copy<T: Copy>(from: &[T], row: usize, out: &mut Vec<T>) {
            out.extend(from.get(row));
        }
        let (from, row) = (self.samples, self.row);
        let number = |index: &u32| {
            let new = image.and_then(|image| image.numbers.get(*index as usize));
            new.copied().unwrap_or(*index)
        };
        let player = |player: &u8| {
            let new = image.map(|image| image.by.player(usize::from(*player)));
            new.map_or(*player, |new| new as u8)
        };
        copy(&from.game, row, &mut out.game);
        copy(&from.value, row, &mut out.value);
        copy(&from.plies_left, row, &mut out.plies_left);
        copy(&from.searched, row, &mut out.searched);
        copy(&from.choices, row, &mut out.choices);
        out.player.extend(from.player.get(row).map(player));
        out.played.extend(from.played.get(row).map(number));
        out.moves.extend(self.moves.iter().map(number));
        out.visits.extend(self.visits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_sign() {
        for value in [-3_i64, 0, 5, 127, -128, 300, -300, i64::MIN] {
            for width in [1_usize, 2, 4, 8] {
                let bytes = &value.to_le_bytes()[..width];
                let fits = signed(bytes) == value;
                let most = i64::MAX >> (64 - 8 * width);
                assert_eq!(fits, (-most - 1..=most).contains(&value), "{value} {width}");
            }
        }
    }
}
