//! `foreseen`: what is asked of the position after a move, and what the move does cannot change or changes in one place, is asked
//! before it.
//!
//! Rules may forbid moves by the position that they lead to. Where a move only puts kinds on places, what sets of places are after it
//! is known from what they are before ([`after`]): a man that is moved to a place leaves the men of the other side where they
//! are, but for one on that place. Then the question is one of the guard, and no position is tried.

mod after;
mod facts;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{free_locals, walk_block};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{
    Const, Expr, ExprKind, Family, FuncId, Function, Game, LocalId, Over, ParamSource, Stmt,
    StmtKind, Type,
};

use super::fold_constants::{drop_functions, simplify};
use super::locals::each_assigned;
use super::tables::unused;
use super::trials::comes_back;
use facts::{Fact, Facts};

/// Parameters of a move on which a question may depend that the guard asks.
const MOST_PARAMS: usize = 1;
/// Calls in a question that are followed.
const DEPTH: usize = 8;

/// Asks before moves what can be.
pub(super) fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for index in 0..game.functions.len() {
        changed |= without_trials(game, &effects, FuncId::from(index));
    }
    for index in 0..game.families.len() {
        changed |= without_judgement(game, &effects, index);
    }
    if changed {
        drop_functions(game);
        simplify(game);
    }
}

/// Replaces the judgement of a family by a question of its guard; whether it could.
fn without_judgement(game: &mut Game, effects: &Effects, index: usize) -> bool {
    let family = &game.families[index];
    let (Some(judge), Some(effect)) = (family.after, family.effect) else {
        return false;
    };
    if !comes_back(effects.function(effect)) {
        return false;
    }
    let params: Vec<Expr> = params_of(game.function(effect));
    let facts = facts::of_family(game, family);
    let asked = answer(game.function(judge));
    let before = asked.and_then(|asked| after::before(game, &facts, (effect, &params), asked));
    let Some(before) = before.filter(|before| fits(before, effects, game)) else {
        return false;
    };
    let made = FuncId::from(game.functions.len());
    let family = &game.families[index];
    let sources = sources(game, family, &before);
    match sources {
        Some(sources) => {
            game.functions.push(sources);
            game.families[index].params[0].source = ParamSource::Generated(made);
        }
        None => {
            let guard = guard(game, family, judge, before);
            game.functions.push(guard);
            game.families[index].guard = Some(made);
        }
    }
    let family = &mut game.families[index];
    (family.after, family.effect) = (None, None);
    true
}

/// The first candidates of a family where a question of the position holds, and otherwise none.
fn sources(game: &Game, family: &Family, question: &Expr) -> Option<Function> {
    let ParamSource::Generated(func) = family.params.first()?.source else {
        return None;
    };
    let asked = game.function(func);
    let set = answer(asked).filter(|set| matches!(set.ty, Type::Set(_)))?;
    if !free_locals(question).is_empty() {
        return None;
    }
    let empty = || Expr::constant(Const::Set(Vec::new()), set.ty.clone(), set.span);
    let given = match &set.kind {
        ExprKind::If(when, then, none) if none.as_const() == empty().as_const() => {
            let both = (**when).clone().and(question.clone());
            Expr::select(both, (**then).clone(), empty())
        }
        _ => Expr::select(question.clone(), set.clone(), empty()),
    };
    Some(Function {
        name: unused(game, &format!("{} foreseen", asked.name), 1),
        body: vec![Stmt::give(given)],
        ..asked.clone()
    })
}

/// The parameters of a function as arguments.
fn params_of(function: &Function) -> Vec<Expr> {
    (0..function.params)
        .map(LocalId::from)
        .map(|param| Expr::local(param, function.local(param).ty.clone(), function.span))
        .collect()
}

/// Whether a question is one for a guard: it looks at few parameters, and cannot go wrong.
fn fits(question: &Expr, effects: &Effects, game: &Game) -> bool {
    let effect = effects.expr(game, question);
    free_locals(question).len() <= MOST_PARAMS && !effect.may_fault && effect.is_pure()
}

/// The guard of a family that asks a question first.
fn guard(game: &Game, family: &Family, judge: FuncId, question: Expr) -> Function {
    let span = question.span;
    let asked = match family.guard {
        Some(guard) => game.function(guard),
        None => game.function(judge),
    };
    let names = format!("{} foreseen", asked.name);
    let mut made = Function {
        name: unused(game, &names, 1),
        ret: Some(Type::Bool),
        ..asked.clone()
    };
    made.body = match family.guard {
        Some(_) => {
            let denied = vec![Stmt::give(Expr::bool(false, span))];
            let first = Stmt::branch(question.not(), denied, Vec::new());
            std::iter::once(first).chain(made.body).collect()
        }
        None => vec![Stmt::give(question)],
    };
    if family.guard.is_none() {
        made.locals.truncate(made.params);
    }
    made
}

/// Asks in a function without trials what it can; whether there was anything.
fn without_trials(game: &mut Game, effects: &Effects, func: FuncId) -> bool {
    let effect = effects.function(func);
    let writes = !effect.writes.placements.is_empty() || !effect.writes.vars.is_empty();
    let function = game.function(func);
    if writes || !tries(function) {
        return false;
    }
    let facts = of_loops(game, function);
    let mut found: SortedMap<*const Stmt, Expr> = SortedMap::new();
    walk_block(&function.body, &mut |stmt| {
        let StmtKind::Trial {
            body,
            keep: false,
            value: Some((asked, _)),
            ..
        } = &stmt.kind
        else {
            return;
        };
        if let [only] = &body[..]
            && let StmtKind::Call {
                func,
                args,
                into: None,
            } = &only.kind
            && comes_back(effects.function(*func))
            && let Some(before) = after::before(game, &facts, (*func, args), asked)
            && fits(&before, effects, game)
        {
            found.insert(std::ptr::from_ref(stmt), before);
        }
    });
    let any = !found.is_empty();
    each_stmt_mut(&mut game.functions[func.index()].body, &mut |stmt| {
        let before = found.remove(&std::ptr::from_ref(&*stmt));
        if let (StmtKind::Trial { ok, value, .. }, Some(before)) = (&mut stmt.kind, before) {
            let succeeds = Stmt::assign(*ok, Expr::bool(true, stmt.span));
            let told = value.take().map(|(_, into)| Stmt::assign(into, before));
            let both: Vec<Stmt> = std::iter::once(succeeds).chain(told).collect();
            *stmt = Stmt::branch(Expr::bool(true, stmt.span), both, Vec::new());
        }
    });
    any
}

fn tries(function: &Function) -> bool {
    let mut found = false;
    walk_block(&function.body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Trial { .. });
    });
    found
}

/// What is known of the variables of loops over sets.
fn of_loops(game: &Game, function: &Function) -> Facts {
    let mut assigned: SortedMap<LocalId, usize> = SortedMap::new();
    let mut facts = Facts::new();
    walk_block(&function.body, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            *assigned.entry(local).or_insert(0) += 1;
        });
        if let StmtKind::ForEach(local, Over::Set(set), _) = &stmt.kind {
            facts.insert(*local, Fact::of(game, set, DEPTH));
        }
    });
    let several: SortedSet<LocalId> = assigned
        .into_iter()
        .filter(|(_, times)| *times > 1)
        .map(|(local, _)| local)
        .collect();
    facts.retain(|local, _| !several.contains(local));
    facts
}

/// What a function gives at once.
fn answer(function: &Function) -> Option<&Expr> {
    match &function.body[..] {
        [only] => match &only.kind {
            StmtKind::Return(value) => value.as_ref(),
            _ => None,
        },
        _ => None,
    }
}
