//! `helpers`: what a function only looks up stands where it is asked for.
//!
//! An author gives a name to the piece on a square, or to the square beside another one, and asks for it in many places. Which piece
//! that is, of all that stand somewhere, only those see who see the look-up itself.

use crate::ir::calls::Calls;
use crate::ir::visit::{self, nodes};
use crate::ir::{FuncId, Function, Game, StmtKind, Type};

use super::fold_constants::{drop_functions, simplify};
use super::inline::replace_calls;

/// Nodes of a function that is written where it is called.
const NODES: usize = 60;
/// How deep such functions call each other.
const ROUNDS: usize = 4;

/// Writes such functions where they are called.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let changed = (0..ROUNDS).take_while(|_| replace_all(game)).count();
    if changed > 0 {
        drop_functions(game);
        simplify(game);
    }
}

fn replace_all(game: &mut Game) -> bool {
    let calls = Calls::of(game);
    let all = (0..game.functions.len()).map(FuncId::from);
    let helpers: Vec<FuncId> = all
        .filter(|&func| only_looks_up(game.function(func)) && !calls.is_recursive(func))
        .collect();
    let mut changed = false;
    for func in helpers {
        let asked = game.function(func).clone();
        for function in &mut game.functions {
            if visit::calls(&function.body, func) {
                replace_calls(function, func, &asked);
                changed |= !visit::calls(&function.body, func);
            }
        }
    }
    changed
}

/// Whether a function finds a member, and does nothing else.
fn only_looks_up(function: &Function) -> bool {
    let Some((last, before)) = function.body.split_last() else {
        return false;
    };
    matches!(function.ret, Some(Type::Elem(_) | Type::Opt(_)))
        && matches!(last.kind, StmtKind::Return(Some(_)))
        && before
            .iter()
            .all(|stmt| matches!(stmt.kind, StmtKind::Let(..)))
        && nodes(&function.body) <= NODES
}
