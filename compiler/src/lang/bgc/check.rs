//! Checks of the tree: what cannot be played, and what is probably not meant.

use super::ast::Game;
use crate::diag::Diagnostics;

/// Looks for everything that reading could not see.
pub(super) fn check(game: &Game, out: &mut Diagnostics) {
    let _ = (game, out);
}
