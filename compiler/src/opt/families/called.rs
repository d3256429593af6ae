//! Functions that rules call each in the place of the other's.
//!
//! What an author does for one thing he may give a name to: `AtTheCorner` keeps the numbers of the corner, `AtTheCentre` those of
//! the centre. Rules that call such functions at the same place are compared by what these do.

use rulec_ir::sorted::SortedSet;

use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::{nodes, walk_block};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, FuncId, Game, StmtKind};
use crate::opt::fold_constants::drop_functions;
use crate::opt::inline::replace_calls;

use super::{Rule, rules, told};

/// Nodes of a function that is written where it is called.
const NODES: usize = 60;
/// How deep such functions call each other.
const ROUNDS: usize = 3;

/// Writes such functions where they are called, if the rules are alike then but for constants that an argument tells.
pub(super) fn open(game: &mut Game) {
    let mut groups: Vec<Vec<Rule>> = Vec::new();
    for rule in rules(game) {
        match groups
            .iter_mut()
            .find(|group| group[0].is_like(&rule, called_alike))
        {
            Some(group) => group.push(rule),
            None => groups.push(vec![rule]),
        }
    }
    let differ = |group: &Vec<Rule>| group.iter().any(|rule| rule.shape != group[0].shape);
    let groups: Vec<Vec<Rule>> = groups.into_iter().filter(differ).collect();
    if groups.is_empty() {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for group in groups {
        changed |= open_group(game, &effects, group);
    }
    if changed {
        drop_functions(game);
    }
}

/// Whether it came to rules that are alike.
fn open_group(game: &mut Game, effects: &Effects, mut group: Vec<Rule>) -> bool {
    let before = game.functions.clone();
    for _ in 0..ROUNDS {
        let Some(differing) = differing(game, effects, &group) else {
            break;
        };
        for rule in &mut group {
            for func in &rule.functions {
                for called in &differing {
                    let asked = game.function(*called).clone();
                    replace_calls(&mut game.functions[func.index()], *called, &asked);
                }
            }
            *rule = Rule::of(game, rule.family, rule.functions.clone());
        }
        let alike = group.iter().all(|rule| rule.shape == group[0].shape);
        if alike && told(game, &group).is_some() {
            return true;
        }
        if !(group.iter()).all(|rule| group[0].is_like(rule, called_alike)) {
            break;
        }
    }
    game.functions = before;
    false
}

/// The functions that rules call in the place of each other's; nothing if there are none, or one is long or stops.
fn differing(game: &Game, effects: &Effects, group: &[Rule]) -> Option<SortedSet<FuncId>> {
    let called: Vec<Vec<FuncId>> = group.iter().map(|rule| calls_of(game, rule)).collect();
    let places = 0..called[0].len();
    let apart = places.filter(|place| called.iter().any(|one| one[*place] != called[0][*place]));
    let all: SortedSet<FuncId> = apart
        .flat_map(|place| called.iter().map(move |one| one[place]))
        .collect();
    let calls = Calls::of(game);
    let fits = |func: &FuncId| {
        let short = nodes(&game.function(*func).body) <= NODES;
        short && !calls.is_recursive(*func) && !effects.function(*func).suspends
    };
    (!all.is_empty() && all.iter().all(fits)).then_some(all)
}

/// The functions that the functions of a rule call by statements, in order.
fn calls_of(game: &Game, rule: &Rule) -> Vec<FuncId> {
    let mut found = Vec::new();
    for func in &rule.functions {
        walk_block(&game.function(*func).body, &mut |stmt| {
            if let StmtKind::Call { func, .. } = stmt.kind {
                found.push(func);
            }
        });
    }
    found
}

/// A body in which all calls are of one function.
fn called_alike(body: &Block) -> Block {
    let mut body = body.clone();
    each_stmt_mut(&mut body, &mut |stmt| {
        if let StmtKind::Call { func, .. } = &mut stmt.kind {
            *func = FuncId(0);
        }
    });
    body
}
