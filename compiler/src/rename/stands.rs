//! Which pieces can come to which places: what stands there at first, and what the rules bring there.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::visit::walk_block;
use crate::ir::walk::each_stmt;
use crate::ir::{FuncId, Game, PlacementForm, PlacementId, Stmt, StmtKind};
use crate::opt::listed::Scope;

use super::Renaming;
use super::reach::Reach;
use super::terms::Standing;

/// What can stand on each place, for placements of which it is known where something can come to.
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
    let functions: SortedSet<FuncId> = (0..game.functions.len()).map(FuncId::from).collect();
    let (in_functions, others) = statements(game);
    // Values that variables of the environment get elsewhere are not followed.
    let is_set = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::SetEnv(..));
    let followed = !others.iter().any(is_set);
    let reach = followed.then(|| Reach::of(game, &functions, &functions));
    let reach = reach.as_ref();
    for (func, stmt) in in_functions {
        arrive(game, reach, (Scope::Function(func), stmt), &mut all);
    }
    for stmt in others {
        arrive(game, reach, (Scope::Free, stmt), &mut all);
    }
    for (placement, standing) in &mut all {
        as_classes(game, *placement, standing);
    }
    all
}

/// Lets pieces that are alike stand where any of them can, and any of them on places that are alike: which is called which must not tell
/// them apart.
fn as_classes(game: &Game, placement: PlacementId, standing: &mut Standing) {
    let placement = game.placement(placement);
    for class in game.interchangeable.iter() {
        if class.domain == placement.pieces {
            for pieces in standing.iter_mut() {
                if class.members.iter().any(|piece| pieces.contains(piece)) {
                    pieces.extend(&class.members);
                }
            }
        }
        if class.domain == placement.places {
            let own = |place: &u32| standing.get(*place as usize).into_iter().flatten();
            let pieces: SortedSet<u32> = class.members.iter().flat_map(own).copied().collect();
            for &place in &class.members {
                if let Some(own) = standing.get_mut(place as usize) {
                    own.clone_from(&pieces);
                }
            }
        }
    }
}

/// The statements of functions, and all others.
fn statements(game: &Game) -> (Vec<(FuncId, &Stmt)>, Vec<&Stmt>) {
    let mut own = Vec::new();
    for (func, function) in game.functions.iter().enumerate() {
        walk_block(&function.body, &mut |stmt| own.push((func.into(), stmt)));
    }
    let known: SortedSet<*const Stmt> = (own.iter())
        .map(|(_, stmt)| std::ptr::from_ref(*stmt))
        .collect();
    let mut others = Vec::new();
    each_stmt(game, &mut |stmt| {
        if !known.contains(&std::ptr::from_ref(stmt)) {
            others.push(stmt);
        }
    });
    (own, others)
}

/// Adds what a statement brings somewhere; forgets placements of which it may bring anything anywhere.
fn arrive<'g>(
    game: &'g Game,
    reach: Option<&Reach<'g>>,
    (scope, stmt): (Scope, &'g Stmt),
    all: &mut SortedMap<PlacementId, Standing>,
) {
    let (placement, pieces, places) = match &stmt.kind {
        StmtKind::Put(placement, piece, place) => {
            let Some(places) = reach.and_then(|reach| reach.value(scope, place)) else {
                all.remove(placement);
                return;
            };
            let domain = game.placement(*placement).pieces;
            let every = || (0..game.domain(domain).len() as u32).collect();
            let pieces = reach.and_then(|reach| reach.value(scope, piece));
            let pieces = pieces.unwrap_or_else(every);
            (placement, pieces, places)
        }
        StmtKind::Bring(placement, _, _, arrival) => {
            let pieces = arrival.pieces.iter().copied().collect();
            (placement, pieces, arrival.to.iter().copied().collect())
        }
        _ => return,
    };
    let Some(standing) = all.get_mut(placement) else {
        return;
    };
    for piece in pieces {
        places
            .iter()
            .for_each(|place| add(standing, piece, Some(*place)));
    }
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
