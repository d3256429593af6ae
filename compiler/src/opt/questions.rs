//! What questions of the board are about: the placement that they ask, and what is told apart of all else that they depend on.

use rulec_ir::sorted::SortedSet;

use crate::board::contents::Cases;
use crate::ir::effects::Effects;
use crate::ir::value;
use crate::ir::{Const, Expr, FuncId, Game, LocalId, PlacementForm, PlacementId, Type, VarId};
use crate::source::Span;

/// Values of a variable of the state that are told apart.
const FEW_VALUES: usize = 4;

/// The placement that a function asks about, if it only asks: its value is a truth, and nothing else comes of it.
pub(in crate::opt) fn asked_placement(
    game: &Game,
    effects: &Effects,
    func: FuncId,
) -> Option<PlacementId> {
    let effect = effects.function(func);
    let mut placements = effect.reads.placements.iter();
    let (placement, None) = (placements.next()?, placements.next()) else {
        return None;
    };
    let plain = game.function(func).ret == Some(Type::Bool)
        && effect.is_guard()
        && !effect.fails
        && !effects.is_recursive(func)
        && effect.reads.trails.is_empty()
        && game.placement(*placement).form != PlacementForm::Many;
    plain.then_some(*placement)
}

/// What is told apart: the values of parameters and of variables of the state, where they are few.
pub(in crate::opt) fn cases_of(
    game: &Game,
    effects: &Effects,
    func: FuncId,
    params: &[Option<Vec<Const>>],
) -> Cases {
    let function = game.function(func);
    let mut cases = Cases::default();
    for (param, values) in (0..).map(LocalId::from).zip(params) {
        let ty = function.local(param).ty.clone();
        let values = values.clone().unwrap_or_default();
        cases.tell(Expr::local(param, ty, function.span), values);
    }
    let read = &effects.function(func).reads.vars;
    tell_vars(game, read, function.span, &mut cases);
    cases
}

/// Tells the values of variables of the state apart, where they are few.
pub(in crate::opt) fn tell_vars(
    game: &Game,
    among: &SortedSet<VarId>,
    span: Span,
    cases: &mut Cases,
) {
    for &id in among {
        let var = game.var(id);
        let values = value::values_of(game, &var.ty);
        if var.axes.is_empty() && values.len() <= FEW_VALUES {
            cases.tell(Expr::var(game, id, Vec::new(), span), values);
        }
    }
}
