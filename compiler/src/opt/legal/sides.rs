//! `sides`: what a move does is written for each side apart, where the side decides what it asks.
//!
//! Games may have one rule for the moves of all players. What such a move does depends on whose piece it is: which set of
//! places changes, what stands on a line through the place, who wins. The family stays one, but where its guard ties the piece
//! to the variable that tells who moves ([`super::ties`]), what it does becomes a branch on that variable, with a copy of the
//! function for each value. `legal` and those after it then find constants in each, as they do where each side has a rule of
//! its own. Random games are written for each value anyway, so that the branch is decided there.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::knowledge::{Search, agreed};
use super::ties::{Pairs, value_of};
use super::{Asks, NODES, asks, unused};
use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::{nodes, walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{
    Arm, BinaryOp, Expr, ExprKind, FamilyId, FuncId, Game, LocalId, Stmt, StmtKind, TableId, VarId,
};
use crate::opt::patterns::reach::members;

/// What a move does, to be written for each value of a variable.
struct Split {
    func: FuncId,
    var: VarId,
    /// The values with which there are legal moves, by number.
    values: Vec<u32>,
}

/// Writes what moves do for each side apart.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let mut branches: SortedMap<*const Stmt, Stmt> = SortedMap::new();
    for (call, split) in splits(game) {
        let copies: Vec<FuncId> = (1..=split.values.len())
            .map(|number| match number {
                1 => split.func,
                _ => copied(game, split.func, number),
            })
            .collect();
        branches.insert(call.0, branch(game, call.1, &split, &copies));
    }
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            if let Some(branch) = branches.remove(&std::ptr::from_ref(&*stmt)) {
                *stmt = branch;
            }
        });
    }
}

/// The families whose moves are written for each value of a variable apart, and that variable.
pub fn apart(game: &Game) -> Vec<(FamilyId, VarId)> {
    let mut found = Vec::new();
    walk_block(&game.function(game.process).body, &mut |stmt| {
        let StmtKind::Choose(choose) = &stmt.kind else {
            return;
        };
        for arm in &choose.arms {
            if let [only] = &arm.body[..]
                && let StmtKind::If(cond, ..) = &only.kind
                && let ExprKind::Binary(BinaryOp::Eq, now, value) = &cond.kind
                && let (ExprKind::Var(var, _), Some(_)) = (&now.kind, value.as_const())
            {
                found.push((arm.family, *var));
            }
        }
    });
    found
}

/// A copy of a function.
fn copied(game: &mut Game, func: FuncId, number: usize) -> FuncId {
    let mut made = game.function(func).clone();
    made.name = unused(game, &made.name, number);
    game.functions.push(made);
    FuncId::from(game.functions.len() - 1)
}

/// The calls that become branches: where each stands, and a copy of it.
fn splits(game: &Game) -> Vec<((*const Stmt, Stmt), Split)> {
    let (effects, reached) = (Effects::of(game), members(game));
    let (search, calls) = (Search::new(game, &effects, &reached), Calls::of(game));
    let asks = asks(game);
    let mut found = Vec::new();
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            for arm in &choose.arms {
                if let Some((call, split)) = split(&search, &calls, arm, &asks) {
                    found.push(((std::ptr::from_ref(call), call.clone()), split));
                }
            }
        });
    }
    found
}

/// How the moves of an arm are split, and the call that does what they do: it puts a piece somewhere and asks something that is
/// not the same for all that it can be, but for all that go with one value of a variable.
fn split<'a>(
    search: &Search<'a>,
    calls: &Calls,
    arm: &'a Arm,
    asks: &Asks,
) -> Option<(&'a Stmt, Split)> {
    let game = search.game;
    let [call] = &arm.body[..] else { return None };
    let StmtKind::Call { func, args, .. } = &call.kind else {
        return None;
    };
    let plain = !calls.is_recursive(*func) && !search.effects.function(*func).suspends;
    if !plain || nodes_of_all(game, calls, *func) > NODES {
        return None;
    }
    let facts = search.of_move(arm);
    let tied = facts.ties.iter().find_map(|((var, piece), pairs)| {
        let param = args
            .iter()
            .position(|arg| arg.kind == ExprKind::Local(*piece))?;
        let (groups, all) = (groups(pairs), facts.members.get(piece)?);
        let asked = asked_of(game, *func, LocalId::from(param), asks);
        let decides = |table: &TableId| {
            agreed(game, *table, all).is_none()
                && groups
                    .values()
                    .all(|group| agreed(game, *table, group).is_some())
        };
        let splits = groups.len() > 1 && asked.iter().any(decides);
        splits.then(|| (*var, groups.into_keys().collect()))
    });
    let (var, values) = tied?;
    let func = *func;
    Some((call, Split { func, var, values }))
}

/// The nodes of a function and of all that it calls. Random games are written for each side only where that is little, and the
/// branch costs something where they are not.
fn nodes_of_all(game: &Game, calls: &Calls, func: FuncId) -> usize {
    let own = calls.reaches(func).iter().filter(|called| **called != func);
    let all = own.chain([&func]);
    all.map(|func| nodes(&game.function(*func).body)).sum()
}

/// The pieces that go with each value.
fn groups(pairs: &Pairs) -> SortedMap<u32, SortedSet<u32>> {
    let mut groups: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
    for (value, piece) in pairs {
        groups.entry(*value).or_default().insert(*piece);
    }
    groups
}

/// The tables that a function asks of a piece that it puts somewhere: by its name, or as what stands there then.
fn asked_of(game: &Game, func: FuncId, piece: LocalId, asks: &Asks) -> SortedSet<TableId> {
    let mut asked = SortedSet::new();
    let mut puts = false;
    let body = &game.function(func).body;
    walk_block(body, &mut |stmt| {
        if let StmtKind::Put(placement, put, place) = &stmt.kind
            && let (ExprKind::Local(put), ExprKind::Local(place)) = (&put.kind, &place.kind)
            && *put == piece
        {
            puts = true;
            let there = asks.get(&(func, *place)).into_iter().flatten();
            let there = there.filter(|(other, _)| other == placement);
            asked.extend(there.map(|(_, table)| *table));
        }
    });
    walk_exprs(body, &mut |expr| {
        if let ExprKind::Lookup(table, index) = &expr.kind
            && let [index] = &index[..]
            && index.kind == ExprKind::Local(piece)
        {
            asked.insert(*table);
        }
    });
    match puts {
        true => asked,
        false => SortedSet::new(),
    }
}

/// The branch on the variable, with a call of a copy for each value.
fn branch(game: &Game, call: Stmt, split: &Split, copies: &[FuncId]) -> Stmt {
    let span = call.span;
    let mut calls = split.values.iter().zip(copies).map(|(value, copy)| {
        let mut own = call.clone();
        if let StmtKind::Call { func, .. } = &mut own.kind {
            *func = *copy;
        }
        (*value, own)
    });
    let Some((_, last)) = calls.next_back() else {
        return call;
    };
    calls.rev().fold(last, |others, (value, own)| {
        let now = Expr::var(game, split.var, Vec::new(), span);
        let value = value_of(game, split.var, value);
        let value = Expr::constant(value, now.ty.clone(), span);
        Stmt::branch(now.equals(value), vec![own], vec![others])
    })
}
