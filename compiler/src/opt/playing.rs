//! Which functions play can run, and what says which moves are candidates.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{Arm, Expr, ExprKind, FuncId, Game, ParamSource, StmtKind};

/// The functions that play can run: not those of texts, identities and probes.
pub(crate) fn playing(game: &Game, effects: &Effects) -> SortedSet<FuncId> {
    let mut live = SortedSet::from([game.process]);
    for family in &game.families {
        let named = [family.guard, family.after, family.effect, family.rank];
        live.extend(named.into_iter().flatten());
        for param in &family.params {
            if let ParamSource::Generated(func) = &param.source {
                live.insert(*func);
            }
        }
    }
    family_exprs(game, &mut |expr| {
        live.extend(effects.expr(game, expr).calls)
    });
    let direct: Vec<FuncId> = live.iter().copied().collect();
    for func in direct {
        live.extend(effects.reaches(func));
    }
    live
}

/// The functions that an arm hands just its arguments.
pub(crate) fn plays_of(arm: &Arm) -> Vec<FuncId> {
    let calls = arm.body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Call { func, args, .. } => {
            let mut pairs = args.iter().zip(&arm.bind);
            let plain = args.len() == arm.bind.len()
                && pairs.all(|(arg, bound)| arg.kind == ExprKind::Local(*bound));
            plain.then_some(*func)
        }
        _ => None,
    });
    calls.collect()
}

/// Calls `f` on the expressions that say what the candidates for moves are.
pub(super) fn family_exprs<'g>(game: &'g Game, f: &mut dyn FnMut(&'g Expr)) {
    for param in game.families.iter().flat_map(|family| &family.params) {
        match &param.source {
            ParamSource::Is(value) => f(value),
            ParamSource::Subset { of, size } => {
                f(of);
                f(size);
            }
            _ => {}
        }
    }
}
