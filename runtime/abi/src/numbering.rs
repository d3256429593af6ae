//! Dense indexes of moves, worked out once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rulec_core::Game;

/// Packed forms of a page.
const PAGE: usize = 1 << 12;
/// Pages of packed forms whose indexes are kept; those of larger ones are worked out each time.
const PAGES: usize = 1 << 10;

/// The indexes that were worked out.
pub(crate) struct Numbering {
    pages: Box<[OnceLock<Box<[AtomicU32]>>]>,
}

impl Numbering {
    pub(crate) fn new() -> Self {
        Self {
            pages: (0..PAGES).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The index of a move, see [`Game::move_index`].
    #[inline]
    pub(crate) fn index<G: Game>(&self, game: &G, mv: G::Move) -> u32 {
        let code = game.move_code(mv) as usize;
        let Some(page) = self.pages.get(code / PAGE) else {
            return narrow(game.move_index(mv));
        };
        let page = page.get_or_init(|| (0..PAGE).map(|_| AtomicU32::new(0)).collect());
        let Some(cell) = page.get(code % PAGE) else {
            return narrow(game.move_index(mv));
        };
        match cell.load(Relaxed) {
            0 => {
                let index = narrow(game.move_index(mv));
                cell.store(index.saturating_add(1), Relaxed);
                index
            }
            known => known - 1,
        }
    }
}

/// An index that fits; games with larger ones are refused before.
fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
