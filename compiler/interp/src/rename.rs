//! Positions in which pieces have each other's names.

use std::sync::{Arc, OnceLock};

use super::Interp;
use super::state::{Placed, State};
use crate::ir::{Axis, PlacementId, VarId};

impl Interp {
    /// The position in which each piece of a placement has the name that `names` gives it, with all that is said of it, and pieces
    /// of `moved` (by their new names) stand on another place.
    ///
    /// Nothing else of the position may name a piece, and `names` must name each piece once.
    pub fn renamed(
        &self,
        state: &State,
        placement: PlacementId,
        names: &[u32],
        moved: &[(u32, u32)],
    ) -> State {
        let game = self.game();
        let pieces = game.placement(placement).pieces;
        let mut core = (*state.core).clone();
        let index = placement.index();
        let members = core.placed[index].members();
        let mut members = permuted(&members, names);
        for (piece, place) in moved {
            if let Some(slot) = members.get_mut(*piece as usize) {
                *slot = Some(*place);
            }
        }
        core.placed[index] = Placed::of(game, index, &members);
        for (var, own) in game.vars.iter().enumerate() {
            if own.axes[..] != [Axis::Domain(pieces)] {
                continue;
            }
            let cells = self.program.cells(VarId::from(var));
            let values = permuted(&core.vars[cells.clone()], names);
            core.vars[cells].clone_from_slice(&values);
        }
        State {
            core: Arc::new(core),
            legal: OnceLock::new(),
            ..state.clone()
        }
    }
}

/// The items, each at the number that its own is renamed to.
fn permuted<T: Clone>(items: &[T], names: &[u32]) -> Vec<T> {
    let mut moved = items.to_vec();
    for (item, &name) in items.iter().zip(names) {
        if let Some(slot) = moved.get_mut(name as usize) {
            *slot = item.clone();
        }
    }
    moved
}
