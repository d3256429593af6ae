//! `sides`: what a move does is written for each side apart, where the side decides what it asks.
//!
//! Games may have one rule for the moves of all players. What such a move does depends on whose piece it is: which set of
//! places changes, what stands on a line through the place, who wins. The family stays one, but where its guard ties the piece
//! to the variable that tells who moves ([`super::ties`]), what it does becomes a branch on that variable, with a copy of the
//! function for each value. `legal` and those after it then find constants in each, as they do where each side has a rule of
//! its own. Random games are written for each value anyway, so that the branch is decided there.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::NODES;
use super::knowledge::Pairs;
use super::search::{Search, agreed};
use super::ties::value_of;
use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::{nodes, walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{
    Arm, BinaryOp, Expr, ExprKind, FamilyId, FuncId, Game, LocalId, Stmt, StmtKind, TableId, Type,
    VarId,
};
use crate::opt::patterns::reach::members;
use crate::opt::tables::unused;

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
    let mut branches: Vec<(FamilyId, Stmt, Stmt)> = Vec::new();
    for (family, call, split) in splits(game) {
        let copies: Vec<FuncId> = (1..=split.values.len())
            .map(|number| match number {
                1 => split.func,
                _ => copied(game, split.func, number),
            })
            .collect();
        let branch = branch(game, call.clone(), &split, &copies);
        branches.push((family, call, branch));
    }
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &mut stmt.kind else {
                return;
            };
            for arm in &mut choose.arms {
                let own = |(family, call, _): &&(FamilyId, Stmt, Stmt)| {
                    *family == arm.family && arm.body[..] == [call.clone()]
                };
                if let Some((_, _, branch)) = branches.iter().find(own) {
                    arm.body = vec![branch.clone()];
                }
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
    made.name = unused(game, &format!("{} of", made.name), number);
    game.functions.push(made);
    FuncId::from(game.functions.len() - 1)
}

/// The calls that become branches, with the families of the moves that they play.
fn splits(game: &Game) -> Vec<(FamilyId, Stmt, Split)> {
    let (effects, reached) = (Effects::of(game), members(game));
    let (search, calls) = (Search::new(game, &effects, &reached), Calls::of(game));
    let mut found = Vec::new();
    if nodes_of_moves(game, &calls) > NODES {
        return found;
    }
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            for arm in &choose.arms {
                if let Some((call, split)) = split(&search, &calls, arm) {
                    found.push((arm.family, call.clone(), split));
                }
            }
        });
    }
    found
}

/// How the moves of an arm are split, and the call that does what they do: it puts a piece somewhere and asks something that is
/// not the same for all that it can be, but for all that go with one value of a variable.
fn split<'a>(search: &Search<'a>, calls: &Calls, arm: &'a Arm) -> Option<(&'a Stmt, Split)> {
    let game = search.game;
    let [call] = &arm.body[..] else { return None };
    let StmtKind::Call { func, args, .. } = &call.kind else {
        return None;
    };
    let plain = !calls.is_recursive(*func) && !search.effects.function(*func).suspends;
    if !plain {
        return None;
    }
    let facts = search.of_move(arm);
    let tied = facts.ties.iter().find_map(|((var, piece), pairs)| {
        let param = args
            .iter()
            .position(|arg| arg.kind == ExprKind::Local(*piece))?;
        let (groups, all) = (groups(pairs), facts.members.get(piece)?);
        let asked = asked_of(game, calls, *func, LocalId::from(param));
        let decides = |table: &TableId| {
            agreed(game, *table, all).is_none()
                && groups
                    .values()
                    .all(|group| agreed(game, *table, group).is_some())
        };
        // Which pieces are alike is asked last: that is not known yet.
        let splits = groups.len() > 1
            && asked.iter().any(decides)
            && some_alike(game, &game.function(*func).locals[param].ty, all);
        splits.then(|| (*var, groups.into_keys().collect()))
    });
    let (var, values) = tied?;
    let func = *func;
    Some((call, Split { func, var, values }))
}

/// The nodes of what all moves do, with all that is called. Random games are written for each side only where these are few, and
/// a branch costs something where they are not.
fn nodes_of_moves(game: &Game, calls: &Calls) -> usize {
    let mut called = SortedSet::new();
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            for arm in &choose.arms {
                walk_block(&arm.body, &mut |stmt| {
                    if let StmtKind::Call { func, .. } = stmt.kind {
                        called.insert(func);
                        called.extend(calls.reaches(func));
                    }
                });
            }
        });
    }
    let each = called.iter().map(|func| nodes(&game.function(*func).body));
    each.sum()
}

/// Whether some pieces are alike, so that positions may forget their names: with names, a branch costs more than a known set saves.
fn some_alike(game: &Game, ty: &Type, pieces: &SortedSet<u32>) -> bool {
    let mut classes = game.interchangeable.iter();
    classes.any(|class| {
        let own = class.members.iter().filter(|one| pieces.contains(one));
        let pooled = class.places.iter().all(|own| own.len() == 1);
        Type::Elem(class.domain) == *ty && pooled && own.count() > 1
    })
}

/// The pieces that go with each value.
fn groups(pairs: &Pairs) -> SortedMap<u32, SortedSet<u32>> {
    let mut groups: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
    for (value, piece) in pairs {
        groups.entry(*value).or_default().insert(*piece);
    }
    groups
}

/// The tables that are asked of a piece that a function puts somewhere: by its name there, or in all that follows of whatever
/// stands somewhere. Sets of places are kept by what these say, so one that is known is changed without a look.
fn asked_of(game: &Game, calls: &Calls, func: FuncId, piece: LocalId) -> SortedSet<TableId> {
    let mut puts = false;
    walk_block(&game.function(func).body, &mut |stmt| {
        puts |=
            matches!(&stmt.kind, StmtKind::Put(_, put, _) if put.kind == ExprKind::Local(piece));
    });
    let mut asked = SortedSet::new();
    for called in calls.reaches(func).iter().chain([&func]).filter(|_| puts) {
        walk_exprs(&game.function(*called).body, &mut |expr| {
            if let ExprKind::Lookup(table, index) = &expr.kind
                && let [index] = &index[..]
                && (matches!(index.kind, ExprKind::Content(..))
                    || (*called == func && index.kind == ExprKind::Local(piece)))
            {
                asked.insert(*table);
            }
        });
    }
    asked
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
