//! Dense indexes of moves, worked out once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rulec_core::Game;

/// Packed forms whose indexes are kept side by side.
const FIRST: usize = 1 << 16;
/// Packed forms of a page.
const PAGE: usize = 1 << 12;
/// Pages of packed forms whose indexes are kept; those of larger ones are worked out each time.
const PAGES: usize = 1 << 10;

/// The indexes that were worked out, each as one more than it is, and 0 for others.
pub(crate) struct Numbering {
    first: Box<[AtomicU32]>,
    pages: Box<[OnceLock<Box<[AtomicU32]>>]>,
}

impl Numbering {
    pub(crate) fn new() -> Self {
        Self {
            first: unknown(FIRST),
            pages: (0..PAGES).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The index of a move, see [`Game::move_index`].
    #[inline(always)]
    pub(crate) fn index<G: Game>(&self, game: &G, mv: G::Move) -> u32 {
        let code = game.move_code(mv) as usize;
        match self.first.get(code).map_or(0, |cell| cell.load(Relaxed)) {
            0 => self.find(game, mv, code),
            known => known - 1,
        }
    }

    #[inline(never)]
    fn find<G: Game>(&self, game: &G, mv: G::Move, code: usize) -> u32 {
        let page = |number: usize| {
            let page = self.pages.get(number)?;
            Some(&page.get_or_init(|| unknown(PAGE))[code % PAGE])
        };
        let cell = self.first.get(code).or_else(|| page(code / PAGE));
        match cell.map_or(0, |cell| cell.load(Relaxed)) {
            0 => {
                let index = narrow(game.move_index(mv));
                if let Some(cell) = cell {
                    cell.store(index.saturating_add(1), Relaxed);
                }
                index
            }
            known => known - 1,
        }
    }
}

/// Places for indexes.
fn unknown(count: usize) -> Box<[AtomicU32]> {
    (0..count).map(|_| AtomicU32::new(0)).collect()
}

/// An index that fits; games with larger ones are refused before.
fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
