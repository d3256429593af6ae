//! Which way what a move does to places is done, and why.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::{Surroundings, Why, budget, env, place, reach, write};
use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{Axis, FuncId, Game, Over, PlacementForm, Stmt, StmtKind, VarId};
use crate::opt::patterns::explore::with_room;
use crate::opt::possible::Possible;
use crate::opt::quiet::quieten;
use crate::source::Span;

/// How what stands on places is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Rows of places are changed at once, as sets.
    Sets,
    /// Only one place is changed.
    Once,
    /// One place after another.
    Places {
        /// Where it was seen that nothing else will do.
        at: Span,
        /// Why.
        why: &'static str,
    },
}

/// The functions that change what stands on places, and how. What they do for those who listen is left out: they hear of one
/// place after another always.
pub fn ways(game: &Game) -> Vec<(FuncId, Way)> {
    let mut all = Vec::new();
    with_room(|| all = ways_inside(game));
    all
}

fn ways_inside(game: &Game) -> Vec<(FuncId, Way)> {
    let mut quiet = game.clone();
    quieten(&mut quiet);
    let effects = Effects::of(&quiet);
    let live = effects.live(&quiet);
    let repeated = repeated(&quiet, &effects);
    let mut left = Vec::new();
    let mut all = SortedMap::new();
    for func in live {
        let changes = changes(&quiet, func);
        if changes.sets {
            all.insert(func, Way::Sets);
        } else if changes.repeated || (changes.vars && repeated.contains(&func)) {
            left.push(func);
        } else if changes.vars {
            all.insert(func, Way::Once);
        }
    }
    if !left.is_empty() {
        all.extend(reasons(quiet, left));
    }
    all.into_iter().collect()
}

/// Whether a statement changes all places of a set.
fn is_of_set(stmt: &Stmt, of_piece: &dyn Fn(VarId) -> bool) -> bool {
    let StmtKind::ForEach(_, Over::Set(_), body) = &stmt.kind else {
        return false;
    };
    let [only] = &body[..] else { return false };
    matches!(only.kind, StmtKind::SetVar(var, ..) if of_piece(var))
}

/// What the statements of a function itself change.
#[derive(Clone, Copy, Default)]
struct Changes {
    /// Variables of pieces that stand on places.
    vars: bool,
    /// Where pieces stand.
    moves: bool,
    /// Whether one of these stands in a loop.
    repeated: bool,
    /// Whether all places of a set are changed.
    sets: bool,
}

fn changes(game: &Game, func: FuncId) -> Changes {
    let of_piece = |var: VarId| {
        let mut boards = game.placements.iter();
        boards.any(|board| {
            board.form == PlacementForm::One && game.var(var).axes == [Axis::Domain(board.pieces)]
        })
    };
    let mut all = Changes::default();
    let mut look = |block: &[Stmt], inside: bool| {
        walk_block(block, &mut |stmt| {
            let (vars, moves) = match &stmt.kind {
                StmtKind::SetVar(var, ..) => (of_piece(*var), false),
                StmtKind::Put(..)
                | StmtKind::Bring(..)
                | StmtKind::Take(..)
                | StmtKind::SetContent(..) => (false, true),
                _ => (false, false),
            };
            all.vars |= vars;
            all.sets |= is_of_set(stmt, &of_piece);
            all.moves |= moves;
            all.repeated |= inside && (vars || moves);
        });
    };
    let body = &game.function(func).body;
    look(body, false);
    walk_block(body, &mut |stmt| {
        if is_loop(stmt) {
            stmt.blocks(&mut |block| look(block, true));
        }
    });
    all
}

fn is_loop(stmt: &Stmt) -> bool {
    let kind = &stmt.kind;
    matches!(
        kind,
        StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. }
    )
}

/// The functions that may run several times in one move: in a loop, in a recursion, or since a function calls them several times,
/// as when a rule names eight directions. Loops that stop for a decision are no part of what one move does.
fn repeated(game: &Game, effects: &Effects) -> SortedSet<FuncId> {
    let mut all = SortedSet::new();
    let with_those_below = |func: FuncId| {
        let below = effects.reaches(func).iter().copied();
        below.chain([func])
    };
    for (at, function) in game.functions.iter().enumerate() {
        let func = FuncId::from(at);
        if effects.is_recursive(func) {
            all.extend(with_those_below(func));
        }
        for (func, count) in calls(&function.body) {
            if count > 1 {
                all.extend(with_those_below(func));
            }
        }
        walk_block(&function.body, &mut |stmt| {
            let own = std::slice::from_ref(stmt);
            let effect = effects.block(game, &function.locals, own);
            if is_loop(stmt) && !effect.suspends {
                let called = effect.calls.iter().copied();
                all.extend(called.flat_map(with_those_below));
            }
        });
    }
    all
}

/// How often a block calls functions, loops apart.
fn calls(block: &[Stmt]) -> SortedMap<FuncId, usize> {
    let mut all = SortedMap::new();
    for stmt in block {
        match &stmt.kind {
            StmtKind::Call { func, .. } => *all.entry(*func).or_insert(0) += 1,
            StmtKind::If(_, yes, no) => {
                let mut either = calls(yes);
                for (func, count) in calls(no) {
                    let most = either.entry(func).or_insert(0);
                    *most = count.max(*most);
                }
                for (func, count) in either {
                    *all.entry(func).or_insert(0) += count;
                }
            }
            _ => {}
        }
    }
    all
}

/// Why functions change one place after another: what came of them, or of a function that calls them, where that went furthest.
fn reasons(mut game: Game, left: Vec<FuncId>) -> Vec<(FuncId, Way)> {
    place::give_places(&mut game);
    let effects = Effects::of(&game);
    let after = env::read_after(&game, &effects);
    let facts = Surroundings {
        game: &game,
        effects: &effects,
        reached: &reach::members(&game),
        possible: &Possible::of(&game),
    };
    let mut known: SortedMap<FuncId, Why> = SortedMap::new();
    let mut why = |func: FuncId| {
        let found = known.entry(func).or_insert_with(|| {
            let found = facts.find(func, &after[func.index()]);
            found.map_or_else(|why| why, |found| unwritten(&game, &found))
        });
        *found
    };
    let each = left.into_iter().map(|func| {
        let callers = (0..game.functions.len()).map(FuncId::from);
        let callers = callers.filter(|caller| effects.reaches(*caller).contains(&func));
        let callers = callers.filter(|caller| !effects.function(*caller).suspends);
        let own = why(func);
        let best = callers.fold(own, |best, caller| match why(caller) {
            better if better.stage > best.stage => better,
            _ => best,
        });
        let (at, why) = (best.at, best.why);
        (func, Way::Places { at, why })
    });
    each.collect()
}

/// Why what was found is not written.
fn unwritten(game: &Game, found: &super::TurnedRun) -> Why {
    let span = game.function(found.func).span;
    let mut next = game.clone();
    if write::write(&mut next, found).is_none() {
        let why = "what is passed, or the rows from a place, cannot be written as sets";
        return Why::new(super::Stage::Written, span, why);
    }
    let charged: SortedMap<FuncId, budget::Known> = found
        .what
        .work
        .map(|work| (found.func, work))
        .into_iter()
        .collect();
    let why = match charged.is_empty() || budget::drop_charges(&mut next, &charged) {
        true => "another function that begins elsewhere does the same",
        false => "so many steps might exceed what one move may do",
    };
    Why::new(super::Stage::Charged, span, why)
}
