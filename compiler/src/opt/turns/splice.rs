//! What one function has another do at one place only stands there.
//!
//! A rule puts a disc down and has a function turn the rows around it. What that function finds depends on the new disc, and
//! each of its rows is looked at by itself only where it is a statement of the function that is run.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::each_use;
use crate::ir::{Axis, FuncId, Function, Game, StmtKind};
use crate::opt::fold_constants::drop_functions;
use crate::opt::inline::replace_calls;

/// The game in which functions that turn pieces stand where the only statement calls them, if there are any.
pub(super) fn spliced(game: &Game) -> Option<Game> {
    let effects = Effects::of(game);
    let mut uses = vec![0; game.functions.len()];
    each_use(game, &mut |func| uses[func.index()] += 1);
    let fits = |func: FuncId| {
        let effect = effects.function(func);
        let turns = effect.writes.vars.iter().any(|var| {
            let mut boards = game.placements.iter();
            boards.any(|board| game.var(*var).axes == [Axis::Domain(board.pieces)])
        });
        let plain = !effect.suspends && !effects.is_recursive(func);
        uses[func.index()] == 1 && turns && plain && gives_at_its_end(game.function(func))
    };
    let wanted: SortedSet<FuncId> = (0..game.functions.len())
        .map(FuncId::from)
        .filter(|func| fits(*func))
        .collect();
    let mut next = game.clone();
    let mut any = false;
    for index in 0..next.functions.len() {
        let caller = FuncId::from(index);
        // What decides is no part of what one move does.
        if effects.function(caller).suspends {
            continue;
        }
        let mut left = wanted.clone();
        while let Some(func) = called_by(next.function(caller), &left) {
            left.remove(&func);
            let called = next.function(func).clone();
            replace_calls(&mut next.functions[index], func, &called);
            any = true;
        }
    }
    any.then(|| {
        drop_functions(&mut next);
        next
    })
}

/// Whether a function gives its value at its end, and nowhere else.
fn gives_at_its_end(function: &Function) -> bool {
    let mut gives = 0;
    walk_block(&function.body, &mut |stmt| {
        gives += usize::from(matches!(stmt.kind, StmtKind::Return(_)));
    });
    let last = function.body.last().map(|stmt| &stmt.kind);
    match last {
        Some(StmtKind::Return(_)) => gives == 1,
        _ => gives == 0 && function.ret.is_none(),
    }
}

/// One of some functions that a function calls by a statement of its own body.
fn called_by(function: &Function, wanted: &SortedSet<FuncId>) -> Option<FuncId> {
    function.body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Call { func, .. } => wanted.contains(func).then_some(*func),
        _ => None,
    })
}
