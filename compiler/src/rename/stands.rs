//! Which pieces can come to which places: what stands there at first, and what the rules bring there.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::visit::walk_block;
use crate::ir::walk::each_stmt;
use crate::ir::{FuncId, Game, PlacementForm, PlacementId, Stmt, StmtKind};
use crate::opt::listed::Scope;

use super::Renaming;
use super::reach::Reach;
use super::standing::{Pieces, Standing};

/// What can stand on each place, for placements of which it is known where something can come to.
pub(super) fn of(game: &Game) -> SortedMap<PlacementId, Standing> {
    let mut all: SortedMap<PlacementId, Vec<Pieces>> = SortedMap::new();
    for (index, placement) in game.placements.iter().enumerate() {
        if placement.form == PlacementForm::Anonymous {
            continue;
        }
        let none = vec![false; game.domain(placement.pieces).len()];
        let mut standing = vec![none; game.domain(placement.places).len()];
        for (piece, place) in (0..).zip(&placement.init) {
            let own = place.and_then(|place| standing.get_mut(place as usize));
            own.into_iter().for_each(|own| add(own, [piece]));
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
    let all = all.into_iter().map(|(placement, mut standing)| {
        as_classes(game, placement, &mut standing);
        (placement, Standing::of(standing))
    });
    all.collect()
}

/// Lets pieces that are alike stand where any of them can, and any of them on places that are alike: which is called which must not tell
/// them apart.
fn as_classes(game: &Game, placement: PlacementId, standing: &mut [Pieces]) {
    let placement = game.placement(placement);
    for class in game.interchangeable.iter() {
        if class.domain == placement.pieces {
            for pieces in standing.iter_mut() {
                let stands = |piece: &u32| pieces.get(*piece as usize) == Some(&true);
                if class.members.iter().any(stands) {
                    add(pieces, class.members.iter().copied());
                }
            }
        }
        if class.domain == placement.places {
            let mut all = vec![false; game.domain(placement.pieces).len()];
            for &place in &class.members {
                let own = standing.get(place as usize).into_iter();
                own.for_each(|own| join(&mut all, own));
            }
            for &place in &class.members {
                if let Some(own) = standing.get_mut(place as usize) {
                    own.clone_from(&all);
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
    all: &mut SortedMap<PlacementId, Vec<Pieces>>,
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
    let mut arriving = vec![false; game.domain(game.placement(*placement).pieces).len()];
    add(&mut arriving, pieces);
    for place in places {
        let own = standing.get_mut(place as usize);
        own.into_iter().for_each(|own| join(own, &arriving));
    }
}

fn add(pieces: &mut Pieces, more: impl IntoIterator<Item = u32>) {
    for piece in more {
        if let Some(own) = pieces.get_mut(piece as usize) {
            *own = true;
        }
    }
}

fn join(pieces: &mut Pieces, more: &Pieces) {
    pieces
        .iter_mut()
        .zip(more)
        .for_each(|(own, more)| *own |= more);
}

/// Whether a renaming keeps what can stand where.
pub(super) fn keeps(game: &Game, all: &SortedMap<PlacementId, Standing>, by: &Renaming) -> bool {
    all.iter().all(|(id, standing)| {
        let placement = game.placement(*id);
        let new = |domain| move |member: usize| by.member(domain, member as u32) as usize;
        standing.is_kept(new(placement.places), new(placement.pieces))
    })
}
