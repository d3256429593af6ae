//! `kept`: what the rules ask after a move, and the next decision asks again, is worked out once.
//!
//! Games often ask after each move whether anybody can still move, and then the next decision asks which moves there are: twice the
//! same walk over the board. Where nothing is written in between, a `keep` before the first question lets engines keep the answer.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::{Access, Effect, Effects};
use crate::ir::visit::{free_locals, nodes, walk_block};
use crate::ir::walk::{each_stmt, roots, walk_all};
use crate::ir::{
    Block, Choose, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Machine, ParamSource,
    Point, Stmt, StmtKind, Type,
};

use super::locals::{each_assigned, replace_reads};

mod first;
#[cfg(test)]
mod tests;

/// Questions with fewer statements and expressions are not worth an answer that is kept.
const LEAST: usize = 40;
/// Functions that are followed from one to the next.
const DEPTH: usize = 8;

/// Keeps what it can.
pub fn run(game: &mut Game) {
    if game.machine.is_none() {
        return;
    }
    let effects = Effects::of(game);
    for question in questions(game, &effects) {
        let Some((functions, machine)) = Tails::keep(game, &effects, &question) else {
            continue;
        };
        game.machine = Some(machine);
        for (func, body) in functions {
            game.functions[func.index()].body = body;
        }
        for (func, body) in first::asked_first(game, &effects, &question) {
            game.functions[func.index()].body = body;
        }
    }
}

/// A question that decisions ask, with what they ask it of.
struct Question {
    func: FuncId,
    args: Vec<Expr>,
}

/// What decisions ask that is worth keeping, each function once.
fn questions(game: &Game, effects: &Effects) -> Vec<Question> {
    let decisions: Vec<&Choose> = decisions(game).collect();
    let waits = decisions.iter().any(|choose| choose.otherwise.is_some());
    if waits {
        return Vec::new();
    }
    let asking = asking(game, effects, &decisions);
    (0..game.functions.len())
        .map(FuncId::from)
        .filter(|func| is_question(game, effects, *func))
        .filter(|func| {
            let asks = |other: &FuncId| other == func || effects.reaches(*other).contains(func);
            let writes = |other: &FuncId| effects.function(*other).scratch.touches_state();
            let judged = judging(game).any(|other| asks(&other));
            !judged && !asking.iter().any(|other| asks(other) && writes(other))
        })
        .filter_map(|func| {
            let asked = Asked {
                game,
                effects,
                question: func,
            };
            // What is the same in all positions is asked only in some of them.
            let all = || decisions.iter().flat_map(|choose| asked.by(choose));
            let told = |args: &Vec<Expr>| args.iter().any(|arg| arg.as_const().is_none());
            let args = all().find(told).or_else(|| all().next())?;
            Some(Question { func, args })
        })
        .collect()
}

fn decisions(game: &Game) -> impl Iterator<Item = &Choose> {
    let points = game.machine.iter().flat_map(|machine| &machine.points);
    points.filter_map(|point| match point {
        Point::Choose(choose) => Some(choose),
        Point::Chance(..) => None,
    })
}

/// The functions that are asked of the position after a move that is only tried.
fn judging(game: &Game) -> impl Iterator<Item = FuncId> {
    let judged = game.families.iter().filter(|family| family.after.is_some());
    judged.flat_map(|family| [family.after, family.effect].into_iter().flatten())
}

/// All functions that decisions run, on positions where play has stopped.
fn asking(game: &Game, effects: &Effects, decisions: &[&Choose]) -> SortedSet<FuncId> {
    let mut direct: SortedSet<FuncId> = SortedSet::new();
    for family in &game.families {
        direct.extend([family.guard, family.rank].into_iter().flatten());
        for param in &family.params {
            if let ParamSource::Generated(func) = &param.source {
                direct.insert(*func);
            }
        }
        for expr in &family.class {
            direct.extend(effects.expr(game, expr).calls);
        }
    }
    super::playing::family_exprs(game, &mut |expr| {
        direct.extend(effects.expr(game, expr).calls);
    });
    for choose in decisions {
        choose.children(&mut |expr| direct.extend(effects.expr(game, expr).calls));
    }
    let mut all = direct.clone();
    for func in direct {
        all.extend(effects.reaches(func));
    }
    all
}

/// Whether a function only reads the state, gives a value, and takes some time for that.
fn is_question(game: &Game, effects: &Effects, func: FuncId) -> bool {
    let function = game.function(func);
    let effect = effects.function(func);
    let answers = |ty: &Type| ty.is_scalar() || matches!(ty, Type::Set(_));
    let params = &function.locals[..function.params];
    function.ret.as_ref().is_some_and(answers)
        && effect.reads.touches_state()
        && only_reads(effect)
        && !effects.is_recursive(func)
        && params.iter().all(|param| param.ty.is_scalar())
        && nodes(&function.body) >= LEAST
}

/// Whether something only reads the state, cannot fail, and spends nothing of the work budget.
fn only_reads(effect: &Effect) -> bool {
    let reads = effect.scratch.is_empty() && effect.reads.env.is_empty();
    reads && effect.is_pure() && !effect.may_fault && !effect.fails && !effect.works
}

/// What a function is asked of, told by the state alone.
struct Asked<'a> {
    game: &'a Game,
    effects: &'a Effects,
    question: FuncId,
}

/// The values of local variables, as far as the state tells them.
type Values = SortedMap<LocalId, Expr>;

impl Asked<'_> {
    /// What the families of a decision ask it of.
    fn by(&self, choose: &Choose) -> Vec<Vec<Expr>> {
        let of_arms = choose.arms.iter().filter_map(|arm| {
            let family = self.game.family(arm.family);
            let guard = family.guard;
            let by_guard = guard.and_then(|guard| self.within(guard, &[], DEPTH));
            by_guard.or_else(|| {
                family.params.iter().find_map(|param| match &param.source {
                    ParamSource::Is(value) => self.in_expr(value, &Values::new(), DEPTH),
                    ParamSource::Subset { of, size } => [of, size]
                        .into_iter()
                        .find_map(|expr| self.in_expr(expr, &Values::new(), DEPTH)),
                    _ => None,
                })
            })
        });
        of_arms.collect()
    }

    fn asks(&self, func: FuncId) -> bool {
        func == self.question || self.effects.reaches(func).contains(&self.question)
    }

    /// What a function asks it of, with these arguments.
    fn within(&self, func: FuncId, args: &[Expr], depth: usize) -> Option<Vec<Expr>> {
        if depth == 0 || !self.asks(func) {
            return None;
        }
        let function = self.game.function(func);
        let given = args.iter().enumerate();
        let closed = given.filter(|(_, arg)| free_locals(arg).is_empty());
        let mut values: Values = closed
            .map(|(place, arg)| (LocalId::from(place), arg.clone()))
            .collect();
        let mut counts: SortedMap<LocalId, usize> = SortedMap::new();
        for stmt in &function.body {
            each_assigned(stmt, &mut |local| *counts.entry(local).or_default() += 1);
        }
        values.retain(|local, _| !counts.contains_key(local));
        self.in_block(&function.body, &counts, &mut values, depth)
    }

    fn in_block(
        &self,
        block: &[Stmt],
        counts: &SortedMap<LocalId, usize>,
        values: &mut Values,
        depth: usize,
    ) -> Option<Vec<Expr>> {
        for stmt in block {
            if let StmtKind::Call { func, args, .. } = &stmt.kind
                && let Some(found) = self.in_call(*func, args, values, depth)
            {
                return Some(found);
            }
            let mut found = None;
            stmt.children(&mut |expr| {
                found = found.take().or_else(|| self.in_expr(expr, values, depth));
            });
            stmt.blocks(&mut |inner| {
                let mut own = values.clone();
                found = found
                    .take()
                    .or_else(|| self.in_block(inner, counts, &mut own, depth));
            });
            if found.is_some() {
                return found;
            }
            if let StmtKind::Let(local, value) = &stmt.kind
                && counts.get(local) == Some(&1)
                && let Some(value) = told(value, values)
            {
                values.insert(*local, value);
            }
        }
        None
    }

    fn in_expr(&self, expr: &Expr, values: &Values, depth: usize) -> Option<Vec<Expr>> {
        let mut found = None;
        expr.walk(&mut |expr| {
            if found.is_none()
                && let ExprKind::Call(func, args) = &expr.kind
            {
                found = self.in_call(*func, args, values, depth);
            }
        });
        found
    }

    fn in_call(
        &self,
        func: FuncId,
        args: &[Expr],
        values: &Values,
        depth: usize,
    ) -> Option<Vec<Expr>> {
        if func != self.question {
            let args: Vec<Expr> = args.iter().map(|arg| with(arg, values)).collect();
            return self.within(func, &args, depth - 1);
        }
        let args: Option<Vec<Expr>> = args.iter().map(|arg| told(arg, values)).collect();
        args.filter(|args| args.iter().all(|arg| self.is_sure(arg)))
    }

    /// Whether an expression only reads the state and cannot fail.
    fn is_sure(&self, expr: &Expr) -> bool {
        only_reads(&self.effects.expr(self.game, expr))
    }
}

/// An expression with the values of variables that are known.
fn with(expr: &Expr, values: &Values) -> Expr {
    let mut expr = expr.clone();
    replace_reads(&mut expr, &|local| values.get(&local).cloned());
    expr
}

/// An expression where it needs no other variables.
fn told(expr: &Expr, values: &Values) -> Option<Expr> {
    let expr = with(expr, values);
    free_locals(&expr).is_empty().then_some(expr)
}

/// Where moves come to their end, and what asks the question there.
struct Tails<'a> {
    game: &'a Game,
    effects: &'a Effects,
    question: &'a Question,
    reads: &'a Access,
    /// The bodies of functions, with what they keep.
    functions: SortedMap<FuncId, Block>,
    /// How many calls of each function stand at an end.
    reached: SortedMap<FuncId, usize>,
    /// Functions that are called elsewhere, too.
    refused: SortedSet<FuncId>,
}

impl<'a> Tails<'a> {
    /// The functions and the machine with the answer kept wherever moves end with the question.
    fn keep(
        game: &'a Game,
        effects: &'a Effects,
        question: &'a Question,
    ) -> Option<(SortedMap<FuncId, Block>, Machine)> {
        let mut tails = Tails {
            game,
            effects,
            question,
            reads: &effects.function(question.func).reads,
            functions: SortedMap::new(),
            reached: SortedMap::new(),
            refused: SortedSet::new(),
        };
        let uses = uses(game);
        loop {
            let mut machine = game.machine.clone()?;
            let kept = tails.keep_in_machine(&mut machine);
            let elsewhere = |(func, calls): &(&FuncId, &usize)| uses.get(func) != Some(*calls);
            let others: Vec<FuncId> = tails
                .reached
                .iter()
                .filter(elsewhere)
                .map(|(func, _)| *func)
                .collect();
            if others.is_empty() {
                return kept.then_some((tails.functions, machine));
            }
            tails.refused.extend(others);
            tails.reached.clear();
            tails.functions.clear();
        }
    }

    fn keep_in_machine(&mut self, machine: &mut Machine) -> bool {
        let locals = &machine.locals;
        let mut kept = self.keep_in(&mut machine.start, locals);
        for point in &mut machine.points {
            match point {
                Point::Choose(choose) => {
                    choose.blocks_mut(&mut |block| kept |= self.keep_in(block, locals));
                }
                Point::Chance(_, block) => kept |= self.keep_in(block, locals),
            }
        }
        kept
    }

    /// Writes `keep` into a block after which play stops; false if nothing at its end asks.
    fn keep_in(&mut self, block: &mut Block, locals: &[Local]) -> bool {
        let is_quiet = |stmt: &Stmt| {
            let stmt = std::slice::from_ref(stmt);
            let effect = self.effects.block(self.game, locals, stmt);
            !effect.scratch.meets(self.reads)
        };
        let loud = block.iter().rposition(|stmt| !is_quiet(stmt));
        let start = loud.map_or(0, |at| at + 1);
        if let Some(at) = (start..block.len()).find(|at| self.asks(&block[*at])) {
            let span = block[at].span;
            let ty = self.game.function(self.question.func).ret.clone();
            let Some(ty) = ty else { return false };
            let call = ExprKind::Call(self.question.func, self.question.args.clone());
            let keep = StmtKind::Keep(Expr::new(call, ty, span));
            block.insert(at, Stmt::new(keep, span));
            return true;
        }
        match loud.map(|at| &mut block[at].kind) {
            Some(StmtKind::Call { func, .. }) => self.keep_within(*func),
            Some(StmtKind::If(_, yes, no)) => {
                let yes = self.keep_in(yes, locals);
                self.keep_in(no, locals) || yes
            }
            _ => false,
        }
    }

    /// As [`Tails::keep_in`], for the body of a function.
    fn keep_within(&mut self, func: FuncId) -> bool {
        let effect = self.effects.function(func);
        let changes = effect.scratch.touches_state() || effect.ends || effect.suspends;
        if self.refused.contains(&func) || self.effects.is_recursive(func) || !changes {
            return false;
        }
        let seen = self.reached.entry(func).or_default();
        *seen += 1;
        if *seen > 1 {
            return true;
        }
        let function: &Function = self.game.function(func);
        let mut body = function.body.clone();
        let kept = self.keep_in(&mut body, &function.locals);
        self.functions.insert(func, body);
        kept
    }

    /// Whether a statement asks the question wherever it runs.
    fn asks(&self, stmt: &Stmt) -> bool {
        let reaches = |func: FuncId| {
            func == self.question.func || self.effects.reaches(func).contains(&self.question.func)
        };
        let mut asks = matches!(&stmt.kind, StmtKind::Call { func, .. } if reaches(*func));
        stmt.children(&mut |expr| {
            let calls = self.effects.expr(self.game, expr).calls;
            asks |= calls.iter().any(|func| reaches(*func));
        });
        asks
    }
}

/// How often each function is named, but for the process, in whose place the machine plays.
fn uses(game: &Game) -> SortedMap<FuncId, usize> {
    let mut uses: SortedMap<FuncId, usize> = SortedMap::new();
    let call = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Call { func, .. } => Some(*func),
        _ => None,
    };
    each_stmt(game, &mut |stmt| {
        if let Some(func) = call(stmt) {
            *uses.entry(func).or_default() += 1;
        }
    });
    walk_block(&game.function(game.process).body, &mut |stmt| {
        if let Some(count) = call(stmt).and_then(|func| uses.get_mut(&func)) {
            *count -= 1;
        }
    });
    walk_all(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            *uses.entry(*func).or_default() += 1;
        }
    });
    for func in roots(game) {
        *uses.entry(func).or_default() += 1;
    }
    uses
}
