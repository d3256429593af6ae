//! Moves that the table knows of another position than the one at work: an image of it under a symmetry of the rules.

use rulec_core::{MoveNumbers, Symmetry};

use super::{Entry, Seeker, picking::NOBODY};
use crate::walk::{TAGS, Walk};

/// Moves before the end of looking ahead up to which positions are merged that symmetries take to each other: images of all those
/// behind cost more time than they save.
const MERGED: u32 = 3;

/// Where the table knows a position.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) key: u64,
    /// The symmetry that takes the position to the one that the table knows, if that is another one.
    pub(super) turned: Option<usize>,
}

impl Seeker<'_> {
    /// What the table knows of the position at work.
    pub(crate) fn known(&mut self, walk: &mut dyn Walk) -> Option<Entry> {
        let (key, turned) = walk.orbit_key();
        if let Some(entry) = self.table.get(key ^ self.salt) {
            let best = self.turned.back(turned, entry.best);
            return Some(Entry { best, ..entry });
        }
        // Where the search looked hardly any further, positions have their own keys.
        let own = turned.map(|_| walk.own_key())?;
        self.table.get(own ^ self.salt)
    }

    /// The key under which the table knows the position at work.
    pub(crate) fn key(&self, walk: &mut dyn Walk) -> u64 {
        walk.key() ^ self.salt
    }

    /// Where the table knows the position at work, so many moves before the end of looking ahead.
    #[inline(always)]
    pub(super) fn spot<W: Walk>(&self, walk: &mut W, depth: u32) -> Spot {
        let (key, turned) = match depth >= MERGED {
            true => walk.orbit_key(),
            false => (walk.own_key(), None),
        };
        Spot {
            key: key ^ self.salt,
            turned,
        }
    }
}

/// Moves of the line of play and of the table, by their tags.
pub(super) struct Turned {
    numbers: &'static MoveNumbers,
    /// For each symmetry in use what it makes of moves, and what the one that undoes it makes of them.
    pairs: Vec<[Images; 2]>,
}

/// What a symmetry makes of numbers of moves, as far as anybody asked.
struct Images {
    by: Option<&'static Symmetry>,
    known: Vec<u32>,
}

/// An image that nobody asked for yet.
const UNKNOWN: u32 = NOBODY - 1;

impl Turned {
    /// Makes ready for the symmetries that merge positions of a walk.
    pub(super) fn new(walk: &dyn Walk) -> Self {
        let info = walk.info();
        let all = info.symmetries;
        let pair = |&index: &usize| {
            let there = all.get(index);
            let back = there.and_then(|there| all.iter().find(|back| back.undoes(there)));
            [there, back].map(|by| Images {
                by,
                known: Vec::new(),
            })
        };
        Self {
            numbers: info.numbers,
            pairs: walk.merging().iter().map(pair).collect(),
        }
    }

    /// The tag in the table of a move here.
    #[inline(always)]
    pub(super) fn there(&mut self, turned: Option<usize>, tag: u32) -> u32 {
        match turned {
            None => tag,
            Some(place) => self.image(place, 0, tag),
        }
    }

    /// The tag here of a move in the table.
    #[inline(always)]
    pub(super) fn back(&mut self, turned: Option<usize>, tag: u32) -> u32 {
        match turned {
            None => tag,
            Some(place) => self.image(place, 1, tag),
        }
    }

    fn image(&mut self, place: usize, way: usize, tag: u32) -> u32 {
        let numbers = self.numbers;
        // Tags of games with more moves are no numbers.
        if tag as usize >= numbers.count || numbers.count as u64 >= TAGS {
            return NOBODY;
        }
        let Some(images) = self.pairs.get_mut(place).map(|pair| &mut pair[way]) else {
            return NOBODY;
        };
        images.known.resize(numbers.count, UNKNOWN);
        let known = &mut images.known[tag as usize];
        if *known == UNKNOWN {
            let image = images
                .by
                .and_then(|by| by.number(numbers, tag as usize))
                .and_then(|image| u32::try_from(image).ok());
            *known = image.unwrap_or(NOBODY);
        }
        *known
    }
}
