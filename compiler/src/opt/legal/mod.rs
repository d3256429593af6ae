//! `legal`: what a legal move does uses what its guard found.
//!
//! A legal move says much of the position it is made in: variables that its guard compares with constants have these
//! values, the piece that it moves stands on a place that the family takes pieces from, and a target that it tests is free.
//! That holds until something is written ([`knowledge`]). What calls a function with such arguments passes it on; where every
//! call of a function does, variables become constants in it, and a [`StmtKind::Put`] becomes a [`StmtKind::Bring`], which
//! cannot fault and need not ask what is known. A function that asks what a piece is that was just put somewhere is copied
//! for callers that know different answers.

mod knowledge;
mod search;
pub mod sides;
#[cfg(test)]
mod tests;
mod ties;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{nodes, walk_block, walk_exprs};
use crate::ir::{
    Arrival, Const, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Stmt, StmtKind, TableId,
};

use super::patterns::reach::members;
use super::tables::unused;
use crate::ir::walk::{each_stmt_mut, rewrite_block};
use knowledge::Knowledge;
use search::{Search, Step, agreed};

/// Rounds in which functions are copied: calls inside of calls that profit.
const ROUNDS: usize = 4;
/// Copies of one function in a round.
const COPIES: usize = 8;
/// Statements and expressions of a function that is copied.
const NODES: usize = 400;

/// Uses what legal moves say.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    for round in 0.. {
        let (found, sites) = look(game);
        if round == ROUNDS || !split(game, sites) {
            apply(game, found);
            break;
        }
    }
    super::fold_constants::simplify(game);
}

/// Goes through all functions once: what is known there, and the calls of functions that may be copied.
fn look(game: &Game) -> (Replacements, Sites) {
    let (mut found, mut sites) = (Replacements::default(), Sites::new());
    let (effects, reached) = (Effects::of(game), members(game));
    let asks = asks(game);
    let search = Search::new(game, &effects, &reached);
    search.each(&mut |step| match step {
        Step::Bring(stmt, arrival) => {
            found.brought.insert(std::ptr::from_ref(stmt), arrival);
        }
        Step::Known(expr, value) => {
            found.known.insert(std::ptr::from_ref(expr), value);
        }
        Step::Call {
            site: Some(site),
            func,
            facts,
        } if !asks.is_empty() => {
            let plain = !effects.is_recursive(func) && !effects.function(func).suspends;
            if plain && nodes(&game.function(func).body) <= NODES {
                let answers = answers(game, &asks, func, &facts);
                let own = sites.entry(func).or_default();
                own.push((std::ptr::from_ref(site), answers));
            }
        }
        Step::Call { .. } => {}
    });
    (found, sites)
}

/// What is found, by places in memory: the game stays where it is until it is used.
#[derive(Default)]
struct Replacements {
    brought: SortedMap<*const Stmt, Arrival>,
    known: SortedMap<*const Expr, Const>,
}

fn apply(game: &mut Game, mut found: Replacements) {
    for function in &mut game.functions {
        // Constants first: no statement moves by that, and a `bring` takes its operands along.
        rewrite_block(&mut function.body, &mut |expr| {
            if let Some(value) = found.known.remove(&std::ptr::from_ref(&*expr)) {
                expr.kind = ExprKind::Const(value);
            }
        });
        each_stmt_mut(&mut function.body, &mut |stmt| {
            let arrival = found.brought.remove(&std::ptr::from_ref(&*stmt));
            if let (StmtKind::Put(placement, piece, place), Some(arrival)) = (&stmt.kind, arrival) {
                let (piece, place) = (piece.clone(), place.clone());
                stmt.kind = StmtKind::Bring(*placement, piece, place, Box::new(arrival));
            }
        });
    }
}

/// Questions of functions what stands on a place that is a parameter: the placement, and the table that is asked.
type Asks = SortedMap<(FuncId, LocalId), SortedSet<(PlacementId, TableId)>>;

/// The answers that callers know of such questions.
type Answers = Vec<(LocalId, PlacementId, TableId, Const)>;

/// The calls of each function, by places in memory, and the answers that are known there.
type Sites = SortedMap<FuncId, Vec<(*const Stmt, Answers)>>;

/// Copies functions for callers that know different answers; whether there were any.
fn split(game: &mut Game, sites: Sites) -> bool {
    let mut moved: SortedMap<*const Stmt, FuncId> = SortedMap::new();
    for (func, sites) in sites {
        let mut kinds: Vec<Answers> = Vec::new();
        for (_, answers) in &sites {
            if !kinds.contains(answers) {
                kinds.push(answers.clone());
            }
        }
        if kinds.len() < 2 || kinds.len() > COPIES {
            continue;
        }
        // Those who know nothing, or else the first, keep the function.
        let keeps = kinds.iter().position(Vec::is_empty).unwrap_or(0);
        for (number, kind) in kinds
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != keeps)
        {
            let copy = FuncId::from(game.functions.len());
            let mut made = game.function(func).clone();
            made.name = unused(game, &format!("{} of", made.name), number + 1);
            game.functions.push(made);
            let own = sites.iter().filter(|(_, answers)| answers == kind);
            moved.extend(own.map(|(site, _)| (*site, copy)));
        }
    }
    let any = !moved.is_empty();
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            let copy = moved.get(&std::ptr::from_ref(&*stmt));
            if let (StmtKind::Call { func, .. }, Some(copy)) = (&mut stmt.kind, copy) {
                *func = *copy;
            }
        });
    }
    any
}

/// The questions of all functions, with those of functions that they call.
fn asks(game: &Game) -> Asks {
    let mut asks = Asks::new();
    for (index, function) in game.functions.iter().enumerate() {
        walk_exprs(&function.body, &mut |expr| {
            if let Some((table, placement, local)) = search::lookup_of_content(expr)
                && local.index() < function.params
            {
                let own = asks.entry((FuncId::from(index), local)).or_default();
                own.insert((placement, table));
            }
        });
    }
    loop {
        let mut more = Asks::new();
        for (index, function) in game.functions.iter().enumerate() {
            walk_block(&function.body, &mut |stmt| {
                let StmtKind::Call { func, args, .. } = &stmt.kind else {
                    return;
                };
                for (param, arg) in (0..).map(LocalId::from).zip(args) {
                    if let (Some(asked), ExprKind::Local(local)) =
                        (asks.get(&(*func, param)), &arg.kind)
                        && local.index() < function.params
                    {
                        more.entry((FuncId::from(index), *local))
                            .or_default()
                            .extend(asked);
                    }
                }
            });
        }
        let mut grown = false;
        for (key, asked) in more {
            let own = asks.entry(key).or_default();
            let before = own.len();
            own.extend(asked);
            grown |= own.len() > before;
        }
        if !grown {
            return asks;
        }
    }
}

/// What is known of the questions of a function where it is called.
fn answers(game: &Game, asks: &Asks, func: FuncId, facts: &Knowledge) -> Answers {
    let own = asks.range((func, LocalId(0))..=(func, LocalId(u32::MAX)));
    let each = own.flat_map(|((_, local), asked)| {
        asked.iter().filter_map(|&(placement, table)| {
            let pieces = facts.contents.get(&(placement, *local))?;
            Some((*local, placement, table, agreed(game, table, pieces)?))
        })
    });
    each.collect()
}
