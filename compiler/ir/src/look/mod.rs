//! How a game looks, as a document for renderers: everything of the IR that pictures need and play does not.
//!
//! The document goes with a compiled game or is handed over at once; the runtime reads it without knowing the IR. What
//! it says about variables and placements fits the numbers that a game tells of a position: [`watched`] are the
//! variables, in this order, behind all placements.

#[cfg(feature = "stored")]
mod document;

#[cfg(feature = "stored")]
pub use document::{document, pictures, steps};

use crate::ir::{Game, VarId};

/// The variables that looks depend on, each once.
pub fn watched(game: &Game) -> Vec<VarId> {
    let mut vars: Vec<VarId> = Vec::new();
    let mut add = |var: Option<VarId>| {
        if let Some(var) = var
            && !vars.contains(&var)
        {
            vars.push(var);
        }
    };
    for look in &game.presentation.pieces {
        add(look.state);
        add(look.z_order);
    }
    add(game.presentation.drawing);
    if let Some(look) = &game.nest_look {
        add(look.exists);
        add(look.owner);
        for heap in &look.heaps {
            add(heap.inside);
            add(heap.owned);
            add(Some(heap.loose));
        }
    }
    if let Some(episode) = &game.episode {
        add(Some(episode.present));
        add(Some(episode.kinds));
        add(episode.places);
    }
    vars
}
