//! How positions of a game are set up from what stands where, and how that is read off a position.
//!
//! Nothing is known of any game. The text of the start has a list of what stands on each place; a position is set up by writing
//! another list into a text. What a text tells beside the list is taken from play: for each player the form that is most frequent when
//! it is the player's turn, with empty sets in place of others and the numbers that come first. What stands where is read off the
//! planes ([`GameInfo::planes`]): which cell tells which content on which place is found by setting each on each.

mod learn;

use rulec_core::{GameInfo, Present};

use super::class::Piece;

/// What is known of one game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Names of contents and of places.
    pub(crate) contents: Vec<String>,
    pub(crate) places: Vec<String>,
    /// For each player who can be on turn the text before and after the list.
    pub(crate) turns: Vec<(String, String)>,
    /// How many of each content there are in all positions of play; 0 for those whose number changes.
    pub(crate) always: Vec<u8>,
    /// For each content and place the cell that tells it and its value there.
    pub(crate) cells: Vec<(usize, i64)>,
    /// For each player the other cells that are not 0.
    pub(crate) rest: Vec<Vec<(usize, i64)>>,
    /// The first cell of each plane, and the number of cells.
    planes: Vec<usize>,
    /// For each cell what its values tell.
    meanings: Vec<Meaning>,
}

/// What a cell tells.
#[derive(Clone, Debug, Default, PartialEq)]
struct Meaning {
    /// Values, and the content and place that they tell.
    tells: Vec<(i64, Piece)>,
    /// The plane it belongs to.
    plane: u32,
}

/// What was read off a position.
#[derive(Default)]
pub(crate) struct Room {
    pub(crate) present: Present,
    /// What stands there, by content and place.
    pub(crate) pieces: Vec<Piece>,
    /// The other cells that are not 0.
    pub(crate) rest: Vec<(usize, i64)>,
    text: String,
}

impl Frame {
    /// A frame that was written to a file.
    pub(crate) fn restored(
        info: &GameInfo,
        contents: Vec<String>,
        turns: Vec<(String, String)>,
        cells: Vec<(usize, i64)>,
        rest: Vec<Vec<(usize, i64)>>,
    ) -> Option<Frame> {
        let mut frame = Frame {
            places: info.places.iter().map(|&name| name.to_owned()).collect(),
            always: vec![0; contents.len()],
            contents,
            turns,
            cells,
            rest,
            planes: first_cells(info),
            meanings: Vec::new(),
        };
        let all = frame.planes.last().copied()?;
        let known = frame.cells.iter().all(|(cell, _)| *cell < all);
        let whole = frame.cells.len() == frame.contents.len() * frame.places.len();
        let fits = known && whole && frame.turns.len() == frame.rest.len();
        frame.give_meanings();
        fits.then_some(frame)
    }

    fn give_meanings(&mut self) {
        let all = self.planes.last().copied().unwrap_or(0);
        self.meanings = vec![Meaning::default(); all];
        for (plane, ends) in self.planes.windows(2).enumerate() {
            for meaning in &mut self.meanings[ends[0]..ends[1]] {
                meaning.plane = plane as u32;
            }
        }
        let places = self.places.len().max(1);
        for (number, (cell, value)) in self.cells.iter().enumerate() {
            let piece = ((number / places) as u8, (number % places) as u16);
            if let Some(meaning) = self.meanings.get_mut(*cell) {
                meaning.tells.push((*value, piece));
            }
        }
        let meanings = &self.meanings;
        for rest in &mut self.rest {
            rest.retain(|(cell, _)| meanings.get(*cell).is_some_and(|m| m.tells.is_empty()));
        }
    }

    /// How many planes there are.
    pub(crate) fn plane_count(&self) -> usize {
        self.planes.len().saturating_sub(1)
    }

    /// The plane of a cell.
    pub(crate) fn plane(&self, cell: usize) -> usize {
        self.meanings.get(cell).map_or(0, |m| m.plane as usize)
    }

    /// Reads off what a position that was observed showed.
    pub(crate) fn read_off(&self, room: &mut Room) {
        room.pieces.clear();
        room.rest.clear();
        for &(cell, value) in room.present.entries() {
            let Some(meaning) = self.meanings.get(cell) else {
                continue;
            };
            match meaning.tells.iter().find(|(told, _)| *told == value) {
                Some((_, piece)) => room.pieces.push(*piece),
                None => room.rest.push((cell, value)),
            }
        }
        room.pieces.sort_unstable();
    }

    /// Whether what was read is as in positions that are set up for this player, but for planes that do not matter.
    pub(crate) fn is_plain(&self, turn: usize, room: &Room, ignored: &[bool]) -> bool {
        let counts =
            |entry: &&(usize, i64)| !ignored.get(self.plane(entry.0)).copied().unwrap_or(false);
        let Some(rest) = self.rest.get(turn) else {
            return false;
        };
        let mut other = room.rest.iter().filter(counts);
        let mut own = rest.iter().filter(counts);
        loop {
            match (own.next(), other.next()) {
                (None, None) => return true,
                (a, b) if a != b => return false,
                _ => {}
            }
        }
    }
}

fn first_cells(info: &GameInfo) -> Vec<usize> {
    let mut planes = vec![0];
    let mut all = 0_usize;
    for plane in info.planes {
        all = all.saturating_add(plane.cells);
        planes.push(all);
    }
    planes
}
