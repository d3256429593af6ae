//! What a guard ties to each other: the value of a variable that tells who moves, and the piece that is moved.
//!
//! One rule for all players says somewhere that the piece is one of the player's own. However that is spelled, for each value of
//! the variable it leaves some of the pieces: that is found by asking the guard about each value with each piece.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::knowledge::{Knowledge, Pairs, Tied};
use crate::ir::effects::Effects;
use crate::ir::value;
use crate::ir::visit::{only_denies, walk_block};
use crate::ir::{
    Block, Const, Expr, ExprKind, Family, Game, LocalId, ParamSource, PlacementForm, StmtKind,
    Type, VarId,
};
use crate::opt::facts::{Conditions, parts};
use crate::opt::locals::each_assigned;

/// Variables with more values than this tell something else than who moves.
const MOST_VALUES: usize = 4;
/// Pieces of a family that are looked at.
const MOST_PIECES: usize = 4096;

/// Adds what a family says of its pieces: which they can be, and what its guard ties them to.
pub(super) fn add_ties(game: &Game, effects: &Effects, family: &Family, facts: &mut Knowledge) {
    for (param, members) in pieces(game, family) {
        facts.members.insert(param, members);
    }
    let Some(func) = family.guard else {
        return;
    };
    let guard = Guard::new(game, &game.function(func).body);
    let written = &effects.function(func).scratch.vars;
    for (cond, holds) in guard.conditions() {
        let asked = guard.vars_in(cond).into_iter();
        for var in asked.filter(|var| !written.contains(var)) {
            let own = facts.members.clone().into_iter();
            for (param, members) in own.filter(|(param, _)| !guard.assigned.contains(param)) {
                let Some(values) = values(game, var) else {
                    continue;
                };
                let every = || values.flat_map(|value| members.iter().map(move |m| (value, *m)));
                let pairs = facts
                    .ties
                    .entry((var, param))
                    .or_insert_with(|| every().collect());
                pairs.retain(|&pair| guard.admits(cond, holds, (var, param), pair));
            }
        }
    }
    // What goes with everything is not tied.
    let free = |(var, param): &Tied, pairs: &Pairs| {
        let all = values(game, *var).map_or(0, Iterator::count);
        facts.members.get(param).map(|members| members.len() * all) == Some(pairs.len())
    };
    facts.ties.retain(|tied, pairs| !free(tied, pairs));
    settle(game, facts);
}

/// The parameters of a family that are pieces with places of their own, and which they can be.
fn pieces(game: &Game, family: &Family) -> Vec<(LocalId, SortedSet<u32>)> {
    let is_piece = |ty: &Type| {
        let mut placements = game.placements.iter();
        placements.any(|placement| {
            placement.form == PlacementForm::One && *ty == Type::Elem(placement.pieces)
        })
    };
    let params = (family.context.len()..).map(LocalId::from);
    let params = params.zip(&family.params);
    let own = params.filter(|(_, param)| is_piece(&param.ty));
    let each = own.filter_map(|(local, param)| {
        let (Type::Elem(domain), source) = (&param.ty, &param.source) else {
            return None;
        };
        let members: SortedSet<u32> = match source {
            ParamSource::All => (0..game.domain(*domain).len() as u32).collect(),
            ParamSource::Among(list) => list.iter().copied().collect(),
            _ => return None,
        };
        (members.len() <= MOST_PIECES).then_some((local, members))
    });
    each.collect()
}

/// The values of a variable that may tell who moves, by number.
pub(super) fn values(game: &Game, var: VarId) -> Option<std::ops::Range<u32>> {
    let var = game.var(var);
    let count = match var.ty {
        Type::Bool => 2,
        Type::Elem(domain) => game.domain(domain).len(),
        _ => return None,
    };
    (var.axes.is_empty() && (2..=MOST_VALUES).contains(&count)).then_some(0..count as u32)
}

/// The value of a number.
pub(super) fn value_of(game: &Game, var: VarId, number: u32) -> Const {
    match game.var(var).ty {
        Type::Bool => Const::Bool(number == 1),
        _ => Const::Elem(number),
    }
}

/// Uses what a condition says of tied variables and of pieces.
pub(super) fn narrow(game: &Game, cond: &Expr, holds: bool, facts: &mut Knowledge) {
    let denied = Some(Const::Bool(!holds));
    let (mut locals, mut vars) = (SortedSet::new(), SortedSet::new());
    cond.walk(&mut |expr| match &expr.kind {
        ExprKind::Local(local) => {
            locals.insert(*local);
        }
        ExprKind::Var(var, index) if index.is_empty() => {
            vars.insert(*var);
        }
        _ => {}
    });
    for (local, members) in &mut facts.members {
        if locals.contains(local) {
            members.retain(|member| {
                let known = |expr: &Expr| is_local(expr, *local).then_some(Const::Elem(*member));
                value::partial(game, cond, &known) != denied
            });
        }
    }
    for ((var, local), pairs) in &mut facts.ties {
        if vars.contains(var) {
            pairs.retain(|(now, member)| {
                let known = |expr: &Expr| match &expr.kind {
                    _ if is_local(expr, *local) => Some(Const::Elem(*member)),
                    _ => is_var(expr, *var).then(|| value_of(game, *var, *now)),
                };
                value::partial(game, cond, &known) != denied
            });
        }
    }
    settle(game, facts);
}

/// Passes on what is known of one part of a tie to the other.
fn settle(game: &Game, facts: &mut Knowledge) {
    for ((var, local), pairs) in &mut facts.ties {
        let Some(members) = facts.members.get_mut(local) else {
            continue;
        };
        pairs.retain(|(_, member)| members.contains(member));
        members.retain(|member| pairs.iter().any(|(_, other)| other == member));
        let values: SortedSet<u32> = pairs.iter().map(|(value, _)| *value).collect();
        if let (1, Some(value)) = (values.len(), values.first()) {
            facts.vars.insert(*var, value_of(game, *var, *value));
        }
    }
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    expr.kind == ExprKind::Local(local)
}

fn is_var(expr: &Expr, var: VarId) -> bool {
    matches!(&expr.kind, ExprKind::Var(other, index) if *other == var && index.is_empty())
}

/// A guard, whose variables stand for what they are given.
struct Guard<'a> {
    game: &'a Game,
    body: &'a Block,
    given: SortedMap<LocalId, &'a Expr>,
    /// All that it gives values.
    assigned: SortedSet<LocalId>,
}

impl<'a> Guard<'a> {
    fn new(game: &'a Game, body: &'a Block) -> Guard<'a> {
        let mut times: SortedMap<LocalId, usize> = SortedMap::new();
        walk_block(body, &mut |stmt| {
            each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
        });
        let given = body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Let(local, value) if times.get(local) == Some(&1) => Some((*local, value)),
            _ => None,
        });
        let given = given.collect();
        let assigned = times.into_keys().collect();
        Guard {
            game,
            body,
            given,
            assigned,
        }
    }

    /// What holds wherever the guard does: what it tests on the way to its end, and what it gives there.
    fn conditions(&self) -> Conditions<'a> {
        let mut found = Conditions::new();
        for stmt in self.body {
            match &stmt.kind {
                StmtKind::Let(..) | StmtKind::SetEnv(..) | StmtKind::Call { .. } => {}
                StmtKind::If(cond, yes, no) if no.is_empty() && only_denies(yes) => {
                    found.extend(parts(cond, false));
                }
                StmtKind::Return(Some(value)) => found.extend(parts(value, true)),
                _ => break,
            }
        }
        found
    }

    /// The variables of the state without an index that an expression asks.
    fn vars_in(&self, expr: &Expr) -> SortedSet<VarId> {
        let mut vars = SortedSet::new();
        let mut seen = SortedSet::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            expr.walk(&mut |expr| match &expr.kind {
                ExprKind::Var(var, index) if index.is_empty() => {
                    vars.insert(*var);
                }
                ExprKind::Local(local) if seen.insert(*local) => open.extend(self.given.get(local)),
                _ => {}
            });
        }
        vars
    }

    /// Whether a condition may be as it has to be for a value and a member.
    fn admits(&self, cond: &Expr, holds: bool, tied: Tied, pair: (u32, u32)) -> bool {
        self.value(cond, tied, pair) != Some(Const::Bool(!holds))
    }

    fn value(&self, expr: &Expr, (var, param): Tied, pair: (u32, u32)) -> Option<Const> {
        let known = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local) if *local == param => Some(Const::Elem(pair.1)),
            ExprKind::Local(local) => {
                let given = self.given.get(local)?;
                self.value(given, (var, param), pair)
            }
            _ => is_var(expr, var).then(|| value_of(self.game, var, pair.0)),
        };
        value::partial(self.game, expr, &known)
    }
}
