//! `asked`: what the guard of a move has asked is not asked again where the move is made.
//!
//! A condition may leave something in the environment for what follows a move, so rules that have such conditions ask them again
//! when the move is made. The guard held in the same position, so the questions have the same answers and cannot fail; where
//! nobody reads what they leave, they come to nothing.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::{only_denies, walk_block};
use crate::ir::walk::rewrite;
use crate::ir::{Arm, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, UnaryOp};

use super::env::{Vars, read_after};
use super::locals::each_assigned;

/// Leaves out what is asked again.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let pairs = pairs(game);
    if pairs.is_empty() {
        return;
    }
    let effects = Effects::of(game);
    let mut asked = Asked {
        game,
        effects: &effects,
        after: None,
    };
    let again: Vec<(FuncId, Vec<usize>)> = pairs
        .into_iter()
        .map(|(play, guard)| (play, asked.again(play, guard)))
        .collect();
    for (play, again) in again {
        let body = &mut game.functions[play.index()].body;
        let mut at = 0..;
        body.retain(|_| at.next().is_some_and(|at| !again.contains(&at)));
    }
}

/// Functions that do nothing but make moves of one family, with the guard of that family; both have the same parameters.
fn pairs(game: &Game) -> Vec<(FuncId, FuncId)> {
    let mut calls: SortedMap<FuncId, usize> = SortedMap::new();
    let mut pairs: Vec<(FuncId, FuncId)> = Vec::new();
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            match &stmt.kind {
                StmtKind::Call { func, .. } => *calls.entry(*func).or_default() += 1,
                StmtKind::Choose(choose) => {
                    pairs.extend(choose.arms.iter().filter_map(|arm| pair(game, arm)));
                }
                _ => {}
            }
            stmt.children(&mut |expr| {
                expr.walk(&mut |expr| {
                    if let ExprKind::Call(func, _) = &expr.kind {
                        *calls.entry(*func).or_default() += 1;
                    }
                });
            });
        });
    }
    pairs.retain(|(play, _)| calls.get(play) == Some(&1));
    pairs
}

fn pair(game: &Game, arm: &Arm) -> Option<(FuncId, FuncId)> {
    let family = game.family(arm.family);
    let StmtKind::Call { func, args, .. } = &arm.body.first()?.kind else {
        return None;
    };
    let bound = args.iter().map(|arg| match arg.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    });
    let same = bound.eq(arm.bind.iter().map(|local| Some(*local)));
    let guard = family.guard.filter(|_| same && family.context.is_empty())?;
    Some((*func, asking(game, guard)))
}

/// The function that asks what a guard asks: itself, or the one of the same parameters that it asks first and denies what that
/// denies.
fn asking(game: &Game, guard: FuncId) -> FuncId {
    let function = game.function(guard);
    if let [call, gives, ..] = &function.body[..]
        && let StmtKind::Call {
            func,
            args,
            into: Some(into),
        } = &call.kind
        && denies_with(gives, *into)
        && game.function(*func).params == function.params
    {
        let mut own = args.iter().zip((0..function.params).map(LocalId::from));
        if own.all(|(arg, param)| arg.kind == ExprKind::Local(param)) {
            return *func;
        }
    }
    guard
}

/// Whether a statement gives an answer, or no where that is no.
fn denies_with(stmt: &Stmt, answer: LocalId) -> bool {
    match &stmt.kind {
        StmtKind::Return(Some(value)) => value.kind == ExprKind::Local(answer),
        StmtKind::If(cond, gives, rest) => {
            let denied = matches!(&cond.kind,
                ExprKind::Unary(UnaryOp::Not, asked) if asked.kind == ExprKind::Local(answer));
            denied && rest.is_empty() && only_denies(gives)
        }
        _ => false,
    }
}

struct Asked<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// What is read of the environment after each function, once it was looked for.
    after: Option<Vec<Vars>>,
}

impl Asked<'_> {
    /// The statements of `play` that only ask what `guard` asked.
    fn again(&mut self, play: FuncId, guard: FuncId) -> Vec<usize> {
        let (play, guard) = (self.game.function(play), self.game.function(guard));
        let mut told = Told::new(play, guard);
        let mut again = Vec::new();
        for (at, stmt) in play.body.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Let(local, value) => told.learns(*local, value),
                StmtKind::Call {
                    func,
                    args,
                    into: None,
                } if self.is_lost(*func) && told.was_asked(*func, args) => again.push(at),
                _ => break,
            }
        }
        again
    }

    /// Whether all that a function does is to leave something in the environment that nobody reads.
    fn is_lost(&mut self, func: FuncId) -> bool {
        let effect = self.effects.function(func);
        if effect.works || effect.fails || !effect.is_guard() {
            return false;
        }
        let after = self
            .after
            .get_or_insert_with(|| read_after(self.game, self.effects));
        effect.writes.env.is_disjoint(&after[func.index()])
    }
}

/// What is known at some statement of a guard that holds.
struct Told<'a> {
    /// The variables of the guard that have the values of those of the move.
    same: SortedMap<LocalId, LocalId>,
    /// The variables of the guard that get one value.
    once: SortedMap<LocalId, usize>,
    /// The statements of the guard that are still to come.
    rest: &'a [Stmt],
}

impl<'a> Told<'a> {
    fn new(play: &Function, guard: &'a Function) -> Told<'a> {
        let mut times: [SortedMap<LocalId, usize>; 2] = Default::default();
        for (times, function) in times.iter_mut().zip([play, guard]) {
            walk_block(&function.body, &mut |stmt| {
                each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
            });
        }
        let [own, once] = times;
        let params = (0..play.params.min(guard.params)).map(LocalId::from);
        let kept = params.filter(|param| !own.contains_key(param) && !once.contains_key(param));
        Told {
            same: kept.map(|param| (param, param)).collect(),
            once,
            rest: &guard.body,
        }
    }

    /// A variable of the move gets a value, perhaps that of a variable of the guard.
    fn learns(&mut self, local: LocalId, value: &Expr) {
        self.same.remove(&local);
        let found = self.rest.iter().position(|stmt| match &stmt.kind {
            StmtKind::Let(_, other) => self.is_same(value, other),
            _ => false,
        });
        let Some(at) = found else { return };
        if let StmtKind::Let(other, _) = &self.rest[at].kind
            && self.once.get(other) == Some(&1)
            && self.rest[..at].iter().all(is_passed)
        {
            self.same.insert(local, *other);
        }
    }

    /// Whether the next call of the guard is this one.
    fn was_asked(&mut self, func: FuncId, args: &[Expr]) -> bool {
        let next = self.rest.iter().position(|stmt| !is_passed(stmt));
        let Some(at) = next else { return false };
        let StmtKind::Call {
            func: other,
            args: others,
            ..
        } = &self.rest[at].kind
        else {
            return false;
        };
        let mut pairs = args.iter().zip(others);
        let asked = func == *other && pairs.all(|(one, other)| self.is_same(one, other));
        if asked {
            self.rest = &self.rest[at + 1..];
        }
        asked
    }

    /// Whether an expression of the move has the value of one of the guard.
    fn is_same(&self, own: &Expr, other: &Expr) -> bool {
        let mut own = own.clone();
        let mut known = true;
        rewrite(&mut own, &mut |expr| {
            if let ExprKind::Local(local) = &mut expr.kind {
                match self.same.get(local) {
                    Some(same) => *local = *same,
                    None => known = false,
                }
            }
        });
        known && same(&own, other)
    }
}

/// Whether a guard that holds goes past a statement, with the same environment.
fn is_passed(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Let(..) => true,
        StmtKind::If(_, yes, no) => no.is_empty() && only_denies(yes),
        _ => false,
    }
}
