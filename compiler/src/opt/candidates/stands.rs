//! Which pieces can stand on the place that a parameter is, whenever a function is called.
//!
//! A rule takes a piece from where it stands: what its guard asks of that place is asked of one of the rule's pieces, also in
//! functions that are handed the place alone. It holds where nothing is moved on the way, not even to try something.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::walk::{roots, walk_free};
use crate::ir::{
    Expr, ExprKind, Family, FuncId, Function, Game, LocalId, ParamSource, PlacementId,
};
use crate::opt::locals::kept;
use crate::opt::patterns::reach::{candidates, each_call, taken};

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// No call was found yet.
    Uncalled,
    /// A place on which one of these pieces stands.
    One(PlacementId, SortedSet<u32>),
    /// Anything may be there.
    Open,
}

impl Known {
    /// What is known where one of two things holds.
    fn or(&self, other: &Known) -> Known {
        match (self, other) {
            (Known::Uncalled, known) | (known, Known::Uncalled) => known.clone(),
            (Known::One(placement, pieces), Known::One(same, others)) if placement == same => {
                let mut pieces = pieces.clone();
                pieces.join(others);
                Known::One(*placement, pieces)
            }
            _ => Known::Open,
        }
    }
}

/// What stands on the parameters of all functions; empty where no move takes a piece from anywhere.
pub(super) struct Stands(Vec<Vec<Known>>);

impl Stands {
    /// Follows calls from the guards of moves.
    pub(super) fn of(game: &Game) -> Stands {
        let mut params = game.families.iter().flat_map(|family| {
            let all = 0..family.params.len();
            all.map(move |param| (family, param))
        });
        if params.all(|(family, param)| standing(game, family, param) == Known::Open) {
            return Stands(Vec::new());
        }
        let none = |function: &Function| vec![Known::Uncalled; function.params];
        let mut stands = Stands(game.functions.iter().map(none).collect());
        stands.begin(game);
        let effects = Effects::of(game);
        let kept: Vec<SortedSet<LocalId>> = game.functions.iter().map(kept).collect();
        while stands.pass_on(game, &effects, &kept) {}
        stands
    }

    pub(super) fn known(&self, func: FuncId, param: usize) -> Known {
        let function = self.0.get(func.index());
        let known = function.and_then(|params| params.get(param));
        known.cloned().unwrap_or(Known::Open)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of functions that others than functions call.
    fn begin(&mut self, game: &Game) {
        let guard = |family: &Family| family.guard.filter(|_| family.context.is_empty());
        let guards: SortedSet<FuncId> = game.families.iter().filter_map(guard).collect();
        let mut open: Vec<FuncId> = roots(game);
        open.retain(|func| !guards.contains(func));
        walk_free(game, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                open.push(*func);
            }
        });
        for (id, family) in game.families.iter().enumerate() {
            open.extend(
                [family.after, family.effect, family.rank]
                    .into_iter()
                    .flatten(),
            );
            let Some(func) = guard(family) else { continue };
            match game.by_host.contains(&id.into()) {
                true => open.push(func),
                false => {
                    for param in 0..family.params.len() {
                        self.add(func, param, &standing(game, family, param));
                    }
                }
            }
        }
        for func in open {
            self.0[func.index()].fill(Known::Open);
        }
    }

    fn add(&mut self, func: FuncId, param: usize, known: &Known) -> bool {
        let Some(slot) = self.0[func.index()].get_mut(param) else {
            return false;
        };
        let both = slot.or(known);
        let changed = both != *slot;
        *slot = both;
        changed
    }

    /// Hands what is known on to the functions that are called; whether that is new.
    fn pass_on(&mut self, game: &Game, effects: &Effects, kept: &[SortedSet<LocalId>]) -> bool {
        let mut changed = false;
        for (index, function) in game.functions.iter().enumerate() {
            let moves = &effects.function(index.into()).scratch.placements;
            // What moves something knows nothing of what stands where.
            for known in &mut self.0[index] {
                if matches!(known, Known::One(placement, _) if moves.contains(placement)) {
                    *known = Known::Open;
                    changed = true;
                }
            }
            each_call(function, &mut |func, args| {
                for (param, arg) in args.iter().enumerate() {
                    let known = self.argument(index, &kept[index], arg);
                    changed |= self.add(func, param, &known);
                }
            });
        }
        changed
    }

    fn argument(&self, caller: usize, kept: &SortedSet<LocalId>, arg: &Expr) -> Known {
        match &arg.kind {
            ExprKind::Local(local) if kept.contains(local) => self.0[caller][local.index()].clone(),
            _ => Known::Open,
        }
    }
}

/// What stands on the argument of a move.
fn standing(game: &Game, family: &Family, param: usize) -> Known {
    let ParamSource::Is(source) = &family.params[param].source else {
        return Known::Open;
    };
    let Some((placement, piece)) = taken(source) else {
        return Known::Open;
    };
    let all = || {
        let pieces = game.placement(placement).pieces;
        (0..game.domain(pieces).len() as u32).collect()
    };
    let pieces = (piece.index() < family.params.len())
        .then(|| candidates(game, family, piece.index()))
        .flatten();
    Known::One(placement, pieces.unwrap_or_else(all))
}
