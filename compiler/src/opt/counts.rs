//! `counts`: loops that only count become sizes of sets.
//!
//! A loop over coordinates of which each round adds something where a condition on one place holds counts the places of a set:
//! those that the rounds look at and that meet the condition.

mod standing;

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::has_counting_loop;
use crate::ir::walk::rewrite;
use crate::ir::{
    BinaryOp, Block, Const, EnvId, Expr, ExprKind, Fold, FuncId, Game, Local, LocalId, Over, Stmt,
    StmtKind, Type,
};

use super::fold_constants::simplify;
use super::lift;
use super::locals::{Needs, Rounds, assigned, replace_reads, rounds};
use super::possible::evaluate;

/// Rounds of a nest of loops.
const MOST_ROUNDS: usize = 1024;

/// Replaces what it can.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let all = 0..game.functions.len();
    if !all
        .clone()
        .any(|index| has_counting_loop(&game.functions[index].body))
    {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for index in all {
        if !has_counting_loop(&game.functions[index].body) {
            continue;
        }
        let mut body = game.functions[index].body.clone();
        let mut counts = Counts {
            effects: &effects,
            needs: Needs::of(&body),
            locals: game.functions[index].locals.clone(),
            game,
        };
        if counts.block(&mut body) {
            let locals = counts.locals;
            let function = &mut game.functions[index];
            (function.body, function.locals) = (body, locals);
            changed = true;
        }
    }
    if changed {
        simplify(game);
    }
}

struct Counts<'a> {
    game: &'a mut Game,
    effects: &'a Effects,
    /// What is read of its variables behind each statement.
    needs: Needs,
    /// Its variables, with those that are added.
    locals: Vec<Local>,
}

/// What is counted in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counter {
    Local(LocalId),
    Env(EnvId),
}

/// What a nest of loops adds, and when.
struct Sum {
    counter: Counter,
    each: i64,
    when: Expr,
}

/// What is known in a round.
#[derive(Default)]
struct Round {
    /// The loops around.
    loops: Vec<Rounds>,
    /// What variables that are set in the nest stand for.
    values: SortedMap<LocalId, Expr>,
    /// What is worked out: none of it may fault.
    asked: Vec<Expr>,
}

impl Counts<'_> {
    /// Replaces the loops of a block; whether there were any.
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        for stmt in block.iter_mut() {
            if let Some(sum) = self.sum(stmt) {
                (*stmt, changed) = (sum, true);
                continue;
            }
            stmt.blocks_mut(&mut |inner| changed |= self.block(inner));
        }
        changed
    }

    /// The statement that adds at once what a nest of loops adds.
    fn sum(&mut self, stmt: &Stmt) -> Option<Stmt> {
        uncharged(stmt)?;
        let mut round = Round::default();
        let sum = self.counted(std::slice::from_ref(stmt), &mut round, None)?;
        if !self.is_forgotten(stmt, sum.counter) || round.carries_over(stmt) {
            return None;
        }
        let (member, over, when) = self.of_places(&round, sum.when)?;
        let span = stmt.span;
        let count = lift::count(self.game, self.effects, (member, &over), &when)
            .or_else(|| self.standing(member, &over, &when))?
            .to_wrap();
        let each = i32::try_from(sum.each).ok()?;
        let count = match each {
            1 => count,
            _ => Expr::binary(BinaryOp::Mul, count, Expr::wrap(each, span)),
        };
        let kind = match sum.counter {
            Counter::Local(local) => {
                let before = Expr::local(local, Type::Wrap32, span);
                StmtKind::Let(local, Expr::binary(BinaryOp::Add, before, count))
            }
            Counter::Env(var) => {
                let before = Expr::env(var, Type::Wrap32, span);
                StmtKind::SetEnv(var, Expr::binary(BinaryOp::Add, before, count))
            }
        };
        Some(Stmt::new(kind, span))
    }

    /// The number of some places that meet a condition on what stands there.
    fn standing(&mut self, member: LocalId, over: &Over, when: &Expr) -> Option<Expr> {
        let Over::Set(among) = over else { return None };
        let locals = self.locals.clone();
        let (set, locals) = standing::places(self.game, self.effects, member, when, locals)?;
        self.locals = locals;
        let held = Expr::binary(BinaryOp::Intersect, among.clone(), set);
        let ty = Expr::fold(Fold::Count, member, over.clone(), when.clone()).ty;
        Some(Expr::new(ExprKind::Size(Box::new(held)), ty, when.span))
    }

    /// Whether nobody reads what a nest sets besides its counter.
    fn is_forgotten(&self, nest: &Stmt, counter: Counter) -> bool {
        let needed = self.needs.after(nest);
        let set = assigned(std::slice::from_ref(nest));
        let mut others = set
            .iter()
            .filter(|local| counter != Counter::Local(**local));
        others.all(|local| !needed.contains(local))
    }

    /// What a block adds and does nothing else, where a condition holds.
    fn counted(&self, block: &[Stmt], round: &mut Round, when: Option<Expr>) -> Option<Sum> {
        let (last, before) = block.split_last()?;
        for stmt in before {
            let (local, value) = self.pure(stmt, round)?;
            round.values.insert(local, value);
        }
        match &last.kind {
            StmtKind::For { body, .. } => {
                round.loops.push(uncharged(last)?);
                self.counted(body, round, when)
            }
            StmtKind::If(cond, yes, no) => {
                let cond = self.free(cond, round)?;
                let (cond, block) = match (yes.is_empty(), no.is_empty()) {
                    (false, true) => (cond, yes),
                    (true, false) => (cond.not(), no),
                    _ => return None,
                };
                let when = match when {
                    Some(when) => when.and(cond),
                    None => cond,
                };
                self.counted(block, round, Some(when))
            }
            _ => {
                let (counter, (cond, each)) = added(last)?;
                let cond = match cond {
                    Some(cond) => Some(self.free(&cond, round)?),
                    None => None,
                };
                let when = match (when, cond) {
                    (Some(when), Some(cond)) => when.and(cond),
                    (when, cond) => when.or(cond)?,
                };
                Some(Sum {
                    counter,
                    each,
                    when,
                })
            }
        }
    }

    /// A variable that a statement only gives a value without a fault, and that value.
    fn pure(&self, stmt: &Stmt, round: &mut Round) -> Option<(LocalId, Expr)> {
        match &stmt.kind {
            StmtKind::Let(local, value) => Some((*local, self.free(value, round)?)),
            StmtKind::Call {
                func,
                args,
                into: Some(into),
            } => Some((*into, self.free(&self.answer(*func, args)?, round)?)),
            _ => None,
        }
    }

    /// What a function gives that does nothing else.
    fn answer(&self, func: FuncId, args: &[Expr]) -> Option<Expr> {
        let function = self.game.function(func);
        let [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] = &function.body[..]
        else {
            return None;
        };
        let mut plain = true;
        value.walk(&mut |expr| {
            plain &= super::locals::bound_in(expr).is_none();
        });
        let mut value = value.clone();
        replace_reads(&mut value, &|local| args.get(local.index()).cloned());
        plain.then_some(value)
    }

    /// An expression in terms of what is the same in all rounds and of their loops, if it only asks.
    fn free(&self, expr: &Expr, round: &mut Round) -> Option<Expr> {
        let mut expr = expr.clone();
        replace_reads(&mut expr, &|local| round.values.get(&local).cloned());
        let effect = self.effects.expr(self.game, &expr);
        if effect.works || !effect.is_pure() {
            return None;
        }
        round.asked.push(expr.clone());
        Some(expr)
    }

    /// A condition on the loops of a nest as one on a place: a variable for it, what that ranges over, and the condition.
    fn of_places(&self, round: &Round, when: Expr) -> Option<(LocalId, Over, Expr)> {
        let mut asked: Option<Expr> = None;
        let mut one = true;
        when.walk(&mut |expr| {
            if round.tells_place(expr) {
                one &= same(asked.get_or_insert_with(|| expr.clone()), expr);
            }
        });
        let asked = asked.filter(|_| one)?;
        let Type::Elem(domain) = asked.ty else {
            return None;
        };
        let places = self.places(round, &asked)?;
        let member = LocalId::from(self.locals.len());
        let place = Expr::local(member, asked.ty.clone(), asked.span);
        let of_place = |mut expr: Expr| {
            rewrite(&mut expr, &mut |expr| {
                if same(expr, &asked) {
                    *expr = place.clone();
                } else if asks_for(expr, &asked) {
                    // All rounds have a place.
                    *expr = Expr::bool(true, expr.span);
                }
            });
            expr
        };
        let when = of_place(when);
        let mut others = round.asked.iter().cloned().map(of_place);
        if round.is_read(&when) || others.any(|expr| self.effects.expr(self.game, &expr).may_fault)
        {
            return None;
        }
        let places = Expr::constant(Const::Set(places), Type::Set(domain), asked.span);
        Some((member, Over::Set(places), when))
    }

    /// The places of all rounds, if all are different.
    fn places(&self, round: &Round, asked: &Expr) -> Option<Vec<u32>> {
        let mut all: Vec<Vec<(LocalId, Const)>> = vec![Vec::new()];
        for (local, lo, hi) in &round.loops {
            let count = usize::try_from(hi - lo + 1).ok()?;
            if all.len().checked_mul(count)? > MOST_ROUNDS {
                return None;
            }
            let more = |known: Vec<(LocalId, Const)>| {
                (*lo..=*hi).map(move |value| {
                    known
                        .iter()
                        .cloned()
                        .chain([(*local, Const::Int(value))])
                        .collect()
                })
            };
            all = all.into_iter().flat_map(more).collect();
        }
        let count = all.len();
        let places = all
            .iter()
            .map(|known| match evaluate(self.game, asked, known)? {
                Const::Elem(place) => Some(place),
                _ => None,
            });
        let mut places: Vec<u32> = places.collect::<Option<_>>()?;
        places.sort_unstable();
        places.dedup();
        (places.len() == count).then_some(places)
    }
}

impl Round {
    /// Whether an expression is the place that a table has for the loops.
    fn tells_place(&self, expr: &Expr) -> bool {
        let inner = match &expr.kind {
            ExprKind::Get(inner) => inner,
            _ => expr,
        };
        let ExprKind::Lookup(_, index) = &inner.kind else {
            return false;
        };
        let of_loop = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local) => self.has(*local),
            ExprKind::ToWrap(inner) => {
                matches!(&inner.kind, ExprKind::Local(local) if self.has(*local))
            }
            _ => false,
        };
        matches!(expr.ty, Type::Elem(_)) && index.iter().all(of_loop)
    }

    /// Whether something is asked of a variable that the nest sets otherwise than for the round: the counter itself, or what a
    /// round before left.
    fn carries_over(&self, nest: &Stmt) -> bool {
        let set = assigned(std::slice::from_ref(nest));
        let mut carried = false;
        for expr in &self.asked {
            expr.walk(&mut |expr| {
                if let ExprKind::Local(local) = &expr.kind {
                    carried |= set.contains(local) && !self.has(*local);
                }
            });
        }
        carried
    }

    fn has(&self, local: LocalId) -> bool {
        self.loops.iter().any(|(own, ..)| *own == local)
    }

    /// Whether an expression reads the variable of a loop.
    fn is_read(&self, expr: &Expr) -> bool {
        let mut read = false;
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                read |= self.has(*local);
            }
        });
        read
    }
}

/// Whether an expression asks whether there is what another one gets.
fn asks_for(expr: &Expr, got: &Expr) -> bool {
    match (&expr.kind, &got.kind) {
        (ExprKind::IsSome(asked), ExprKind::Get(got)) => same(asked, got),
        _ => false,
    }
}

/// The rounds of a loop, if they are not charged.
fn uncharged(stmt: &Stmt) -> Option<Rounds> {
    match stmt.kind {
        StmtKind::For { charged: false, .. } => rounds(stmt),
        _ => None,
    }
}

/// The counter to which a statement adds something, and does nothing else; and what it adds.
fn added(stmt: &Stmt) -> Option<(Counter, Term)> {
    let (counter, value) = match &stmt.kind {
        StmtKind::Let(local, value) => (Counter::Local(*local), value),
        StmtKind::SetEnv(var, value) => (Counter::Env(*var), value),
        _ => return None,
    };
    let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &value.kind else {
        return None;
    };
    let is_counter = |expr: &Expr| match (&expr.kind, counter) {
        (ExprKind::Local(read), Counter::Local(own)) => *read == own,
        (ExprKind::Env { var, checked }, Counter::Env(own)) => *var == own && !checked,
        _ => false,
    };
    let (more, sign) = match op {
        BinaryOp::Add if is_counter(b) => (a, 1),
        BinaryOp::Add if is_counter(a) => (b, 1),
        BinaryOp::Sub if is_counter(a) => (b, -1),
        _ => return None,
    };
    let (when, each) = term(more)?;
    (value.ty == Type::Wrap32).then_some((counter, (when, sign * each)))
}

/// A constant, and the condition on which it is that and not 0.
type Term = (Option<Expr>, i64);

fn term(expr: &Expr) -> Option<Term> {
    let number = |expr: &Expr| match expr.as_const() {
        Some(Const::Int(value)) => Some(*value),
        _ => None,
    };
    let ExprKind::If(cond, yes, no) = &expr.kind else {
        return Some((None, number(expr)?));
    };
    match (number(yes)?, number(no)?) {
        (each, 0) => Some((Some((**cond).clone()), each)),
        (0, each) => Some((Some((**cond).clone().not()), each)),
        _ => None,
    }
}
