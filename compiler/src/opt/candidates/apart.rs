//! Copies of functions that guards of several moves call, where that tells more of what they are handed.
//!
//! Two rules may share a condition, and it asks of a piece what differs between the pieces of one and those of the other, as
//! which way it goes. Of the pieces of one rule alone it is known.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::nodes;
use crate::ir::walk::{each_stmt_mut, rewrite_block};
use crate::ir::{Block, Expr, ExprKind, FuncId, Function, Game, StmtKind};

use crate::opt::tables::numbered;

use super::Facts;
use super::params::{Fact, Params};

/// Nodes of a function that is copied, and of all copies together.
const NODES: (usize, usize) = (600, 10_000);
/// How deep copies may call copies.
const DEPTH: usize = 8;

/// Makes the copies that gain something; whether there are any.
pub(super) fn run(game: &mut Game, facts: &Facts) -> bool {
    let mut bodies: Vec<(usize, Block)> = Vec::new();
    let mut work = Apart {
        game,
        facts,
        effects: Effects::of(game),
        copies: Vec::new(),
        made: Vec::new(),
        nodes: 0,
    };
    for index in asked(game, &work.effects) {
        let params = Params::of(game, facts, index.into());
        let mut body = game.functions[index].body.clone();
        if work.calls(&mut body, &params, 0) {
            bodies.push((index, body));
        }
    }
    let made = work.made;
    let changed = !bodies.is_empty();
    for (index, body) in bodies {
        game.functions[index].body = body;
    }
    game.functions.extend(made);
    changed
}

/// The guards, what lists candidates, and what these call.
fn asked(game: &Game, effects: &Effects) -> SortedSet<usize> {
    let mut asked = SortedSet::new();
    for family in &game.families {
        for func in family.guard.into_iter().chain(family.listing()) {
            asked.insert(func.index());
            asked.extend(effects.reaches(func).iter().map(|func| func.index()));
        }
    }
    asked
}

/// What a copy is made for.
type Key = (FuncId, Vec<Fact>);

struct Apart<'a> {
    game: &'a Game,
    facts: &'a Facts,
    effects: Effects,
    /// The copies; nothing where one gained nothing.
    copies: Vec<(Key, Option<FuncId>)>,
    made: Vec<Function>,
    nodes: usize,
}

impl Apart<'_> {
    /// Has copies called where there are some; whether there are.
    fn calls(&mut self, body: &mut Block, params: &Params, depth: usize) -> bool {
        let mut changed = false;
        each_stmt_mut(body, &mut |stmt| {
            if let StmtKind::Call { func, args, .. } = &mut stmt.kind {
                changed |= self.call(func, args, params, depth);
            }
        });
        rewrite_block(body, &mut |expr| {
            if let ExprKind::Call(func, args) = &mut expr.kind {
                changed |= self.call(func, args, params, depth);
            }
        });
        changed
    }

    fn call(&mut self, func: &mut FuncId, args: &[Expr], params: &Params, depth: usize) -> bool {
        let known = func.index() < self.game.functions.len();
        if !known || depth == DEPTH || self.effects.is_recursive(*func) {
            return false;
        }
        let moved = &self.effects.function(*func).scratch.placements;
        let mut facts = Params::of(self.game, self.facts, *func).facts;
        let mut narrower = false;
        for (fact, arg) in facts.iter_mut().zip(args) {
            narrower |= fact.narrow(params.argument(arg), moved);
        }
        if !narrower {
            return false;
        }
        let key = (*func, facts);
        let made = self.copies.iter().find(|(other, _)| *other == key);
        let copy = match made {
            Some((_, copy)) => *copy,
            None => self.copy(key, depth),
        };
        *func = copy.unwrap_or(*func);
        copy.is_some()
    }

    fn copy(&mut self, key: Key, depth: usize) -> Option<FuncId> {
        let mut function = self.game.function(key.0).clone();
        let size = nodes(&function.body);
        let fits = size <= NODES.0 && self.nodes + size <= NODES.1;
        let params = Params::known(&function, key.1.clone());
        let told = fits && params.tell(self.game, &mut function.body);
        let copied = fits && self.calls(&mut function.body, &params, depth + 1);
        let copy = (told || copied).then(|| {
            self.nodes += size;
            function.name = self.name(&function.name);
            self.made.push(function);
            FuncId::from(self.game.functions.len() + self.made.len() - 1)
        });
        self.copies.push((key, copy));
        copy
    }

    /// A name that no function has yet.
    fn name(&self, of: &str) -> String {
        let all = self.game.functions.iter().chain(&self.made);
        let taken = |name: &str| all.clone().any(|other| other.name == name);
        numbered(&format!("{of} of candidates"), 1, &taken)
    }
}
