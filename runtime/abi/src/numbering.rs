//! Dense indexes of moves, worked out once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rulec_core::Game;

/// Packed forms of a page.
const PAGE: usize = 1 << 16;
/// Pages of packed forms whose indexes are kept; those of larger ones are worked out each time.
const PAGES: usize = 1 << 7;

/// The indexes that were worked out, each as one more than it is, and 0 for others.
pub(crate) struct Numbering {
    pages: Box<[OnceLock<Page>; PAGES]>,
}

type Page = Box<[AtomicU32]>;

impl Numbering {
    pub(crate) fn new() -> Self {
        Self {
            pages: Box::new([const { OnceLock::new() }; PAGES]),
        }
    }

    /// The index of a move, see [`Game::move_index`].
    #[inline(always)]
    pub(crate) fn index<G: Game>(&self, game: &G, mv: G::Move) -> u32 {
        let code = game.move_code(mv) as usize;
        let page = self.pages.get(code / PAGE).and_then(OnceLock::get);
        let cell = page.and_then(|page| page.get(code % PAGE));
        match cell.map_or(0, |cell| cell.load(Relaxed)) {
            0 => self.find(game, mv, code),
            known => known - 1,
        }
    }

    #[cold]
    fn find<G: Game>(&self, game: &G, mv: G::Move, code: usize) -> u32 {
        let index = narrow(game.move_index(mv));
        let unknown = || (0..PAGE).map(|_| AtomicU32::new(0)).collect();
        let page = self.pages.get(code / PAGE);
        let cell = page.and_then(|page| page.get_or_init(unknown).get(code % PAGE));
        if let Some(cell) = cell {
            cell.store(index.saturating_add(1), Relaxed);
        }
        index
    }
}

/// An index that fits; games with larger ones are refused before.
fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
