//! Which pieces can come to which places: what stands there at first, and what the rules bring there.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::walk::each_stmt;
use crate::ir::{Game, PlacementForm, PlacementId, StmtKind};

use super::Renaming;
use super::terms::Standing;

/// What can stand on each place, for placements of which every arrival is known.
pub(super) fn of(game: &Game) -> SortedMap<PlacementId, Standing> {
    let mut all: SortedMap<PlacementId, Standing> = SortedMap::new();
    for (index, placement) in game.placements.iter().enumerate() {
        if placement.form == PlacementForm::Anonymous {
            continue;
        }
        let mut standing = vec![SortedSet::new(); game.domain(placement.places).len()];
        for (piece, place) in (0..).zip(&placement.init) {
            add(&mut standing, piece, *place);
        }
        all.insert(index.into(), standing);
    }
    each_stmt(game, &mut |stmt| match &stmt.kind {
        StmtKind::Put(placement, ..) => {
            all.remove(placement);
        }
        StmtKind::Bring(placement, _, _, arrival) => {
            let Some(standing) = all.get_mut(placement) else {
                return;
            };
            for &piece in &arrival.pieces {
                let places = arrival.to.iter();
                places.for_each(|place| add(standing, piece, Some(*place)));
            }
        }
        _ => {}
    });
    all
}

fn add(standing: &mut Standing, piece: u32, place: Option<u32>) {
    let own = place.and_then(|place| standing.get_mut(place as usize));
    if let Some(own) = own {
        own.insert(piece);
    }
}

/// Whether a renaming keeps what can stand where.
pub(super) fn keeps(game: &Game, all: &SortedMap<PlacementId, Standing>, by: &Renaming) -> bool {
    all.iter().all(|(id, standing)| {
        let placement = game.placement(*id);
        (0..).zip(standing).all(|(place, pieces)| {
            let image = by.member(placement.places, place) as usize;
            let renamed = pieces
                .iter()
                .map(|piece| by.member(placement.pieces, *piece));
            standing.get(image) == Some(&renamed.collect())
        })
    })
}
