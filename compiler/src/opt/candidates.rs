//! `candidates`: what a table says of all candidates alike is known without asking it.
//!
//! A condition may ask of a piece what is the same for every piece that a move can name: whose it is, of which type. It stands
//! for a constant there, whatever the table says of others. The same holds of what stands on the place that a move takes a piece
//! from (`stands`), and of conditions that several rules share (`apart`). What tables say of others is forgotten (`unasked`).

mod apart;
mod params;
mod stands;
#[cfg(test)]
mod tests;
mod unasked;

use crate::ir::{FuncId, Game};

use super::fold_constants::{drop_functions, fold_calls, simplify};
use super::patterns::reach::{Reached, members};
use super::specialise;
use params::Params;
use stands::Stands;

/// What parameters can be by all calls of their functions.
struct Facts {
    reached: Reached,
    stands: Stands,
}

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let facts = Facts {
        reached: members(game),
        stands: Stands::of(game),
    };
    let mut changed = false;
    for index in 0..game.functions.len() {
        let params = Params::of(game, &facts, FuncId::from(index));
        let mut body = std::mem::take(&mut game.functions[index].body);
        changed |= params.tell(game, &mut body);
        game.functions[index].body = body;
    }
    changed |= unasked::clear(game, &facts.reached);
    let apart = !facts.stands.is_empty() && apart::run(game, &facts);
    if changed || apart {
        simplify(game);
        specialise::run(game);
        fold_calls(game);
        drop_functions(game);
        simplify(game);
    }
}
