//! Local variables that are names for something constant are replaced by it.
//!
//! The number in the name of a piece is a look-up by the piece, and a comparison of it is a property of the piece: that can be
//! seen where both stand in one expression.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, Expr, ExprKind, FuncId, Game, LocalId, StmtKind};
use crate::opt::locals::{bound_in, each_assigned, replace_reads};

/// Replaces them in all functions.
pub(super) fn run(game: &mut Game) {
    let effects = Effects::of(game);
    for index in 0..game.functions.len() {
        let known = known(game, &effects, FuncId::from(index));
        if !known.is_empty() {
            put(&mut game.functions[index].body, &known);
        }
    }
}

fn put(body: &mut Block, known: &SortedMap<LocalId, Expr>) {
    drop_lets(body, known);
    each_stmt_mut(body, &mut |stmt| {
        stmt.children_mut(&mut |expr| replace_reads(expr, &|local| known.get(&local).cloned()));
    });
}

fn drop_lets(block: &mut Block, known: &SortedMap<LocalId, Expr>) {
    block
        .retain(|stmt| !matches!(&stmt.kind, StmtKind::Let(local, _) if known.contains_key(local)));
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_lets(inner, known));
    }
}

/// The variables of a function that get a value in one place, which never fails and depends on nothing but others of that kind.
///
/// A variable has a value wherever it is read, so between the two nothing that it depends on changes.
fn known(game: &Game, effects: &Effects, func: FuncId) -> SortedMap<LocalId, Expr> {
    let function = game.function(func);
    let mut times = vec![0; function.locals.len()];
    let mut add = |local: LocalId, more: usize| {
        if let Some(times) = times.get_mut(local.index()) {
            *times += more;
        }
    };
    (0..function.params).for_each(|param| add(LocalId::from(param), 1));
    walk_block(&function.body, &mut |stmt| {
        each_assigned(stmt, &mut |local| add(local, 1))
    });
    // What an expression binds changes while it is evaluated.
    walk_exprs(&function.body, &mut |expr| {
        if let Some(local) = bound_in(expr) {
            add(local, 2);
        }
    });
    let once = |local: &LocalId| times.get(local.index()) == Some(&1);
    let mut known: SortedMap<LocalId, Expr> = SortedMap::new();
    walk_block(&function.body, &mut |stmt| {
        let StmtKind::Let(local, value) = &stmt.kind else {
            return;
        };
        let effect = effects.expr(game, value);
        let still = effect.reads.is_empty() && effect.calls.is_empty();
        let fits = function.local(*local).ty == value.ty && !effect.may_fault && !effect.works;
        let mut value = value.clone();
        replace_reads(&mut value, &|local| known.get(&local).cloned());
        if once(local) && still && fits && locals_of(&value).iter().all(once) {
            known.insert(*local, value);
        }
    });
    known
}

/// The local variables that an expression reads.
pub(super) fn locals_of(expr: &Expr) -> SortedSet<LocalId> {
    let mut locals = SortedSet::new();
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            locals.insert(*local);
        }
    });
    locals
}
