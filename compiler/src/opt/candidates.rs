//! `candidates`: what a table says of all candidates alike is known without asking it.
//!
//! A condition may ask of a piece what is the same for every piece that a move can name: whose it is, of which type. It stands
//! for a constant there, whatever the table says of others.

use rulec_ir::sorted::SortedSet;

use crate::ir::visit::walk_block;
use crate::ir::walk::rewrite_block;
use crate::ir::{Axis, Const, Expr, ExprKind, FuncId, Game, LocalId};

use super::fold_constants::simplify;
use super::locals::each_assigned;
use super::patterns::reach::{Reached, members};

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let reached = members(game);
    let mut changed = false;
    for index in 0..game.functions.len() {
        let mut body = std::mem::take(&mut game.functions[index].body);
        let mut assigned = SortedSet::new();
        walk_block(&body, &mut |stmt| {
            each_assigned(stmt, &mut |local| {
                assigned.insert(local);
            });
        });
        rewrite_block(&mut body, &mut |expr| {
            if let Some(value) = told(game, &reached, FuncId::from(index), &assigned, expr) {
                expr.kind = ExprKind::Const(value);
                changed = true;
            }
        });
        game.functions[index].body = body;
    }
    if changed {
        simplify(game);
    }
}

/// What a table says of all that a parameter can be.
fn told(
    game: &Game,
    reached: &Reached,
    func: FuncId,
    assigned: &SortedSet<LocalId>,
    expr: &Expr,
) -> Option<Const> {
    let ExprKind::Lookup(table, index) = &expr.kind else {
        return None;
    };
    let [index] = &index[..] else { return None };
    let ExprKind::Local(param) = index.kind else {
        return None;
    };
    let table = game.table(*table);
    let by_member = matches!(table.axes[..], [Axis::Domain(_)]);
    if !by_member || param.index() >= game.function(func).params || assigned.contains(&param) {
        return None;
    }
    let members = reached.members(func, param.index())?;
    let mut values = members
        .iter()
        .map(|member| table.values.get(*member as usize));
    let first = values.next()??;
    values
        .all(|value| value == Some(first))
        .then(|| first.clone())
}
