//! What may stand on each place before a move.

use crate::board::contents::Contents;
use crate::hash::IndexMap;
use crate::ir::visit::walk_block;
use crate::ir::{Const, Game, PlacementId, StmtKind};

/// What may stand on each place: what stands there at first and what the rules bring there. Texts of positions may say otherwise.
pub(super) fn of(game: &Game, id: PlacementId, contents: &[(u32, Vec<Const>)]) -> Vec<Contents> {
    let placement = game.placement(id);
    let (pieces, places) = (
        game.domain(placement.pieces).len(),
        game.domain(placement.places).len(),
    );
    let mut may = vec![vec![false; pieces]; places];
    let mut set = |piece: u32, place: u32| {
        if let Some(may) = may
            .get_mut(place as usize)
            .and_then(|may| may.get_mut(piece as usize))
        {
            *may = true;
        }
    };
    for (piece, place) in (0..).zip(&placement.init) {
        place.iter().for_each(|place| set(piece, *place));
    }
    let mut open = false;
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Put(other, ..) if *other == id => open = true,
            StmtKind::Bring(other, _, _, arrival) if *other == id => {
                let pairs = arrival.pieces.iter();
                let pairs = pairs.flat_map(|piece| arrival.to.iter().map(move |to| (*piece, *to)));
                pairs.for_each(|(piece, place)| set(piece, place));
            }
            _ => {}
        });
    }
    let mut known: IndexMap<Vec<bool>, Contents> = IndexMap::default();
    let each = may.into_iter().map(|may| {
        let each = contents.iter();
        let each = each.map(|(piece, _)| open || may.get(*piece as usize) == Some(&true));
        let each: Vec<bool> = each.chain([true]).collect();
        let own = known
            .entry(each)
            .or_insert_with_key(|each| Contents::of(each));
        own.clone()
    });
    each.collect()
}
