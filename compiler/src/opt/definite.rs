//! `definite`: reads of the environment that always find a value are no longer tested.
//!
//! The environment only grows while rules run, so a flow analysis of "has a value on every path" needs no fixpoint for
//! loops. Calls are followed for each set of variables that they are made with, as far as the function reads them;
//! recursion starts from the assumption that the call never comes back and is repeated until nothing changes.
//! A read is proved if it is in every context in which its function is called.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::effects::Effects;
use crate::ir::{
    BinaryOp, Choose, Const, Count, EnvId, Expr, ExprKind, FuncId, Game, Over, ParamSource, Point,
    Stmt, StmtKind, UnaryOp,
};

use super::places::{blocks_mut, rewrite_block, roots};

/// Contexts of calls after which it proves nothing more.
const CONTEXTS: usize = 20_000;

/// Clears `checked` on the reads that are proved.
pub fn run(game: &mut Game) {
    let effects = Effects::of(game);
    let mut analysis = Analysis {
        game,
        effects: &effects,
        contexts: BTreeMap::new(),
        unproved: BTreeSet::new(),
        seen: BTreeSet::new(),
        changed: true,
    };
    while std::mem::take(&mut analysis.changed) {
        analysis.seen.clear();
        analysis.unproved.clear();
        analysis.roots();
        if analysis.contexts.len() > CONTEXTS {
            return;
        }
    }
    let reached: BTreeSet<FuncId> = analysis.contexts.keys().map(|(func, _)| *func).collect();
    let unproved: BTreeSet<Site> = analysis.unproved;
    let clear = |expr: &mut Expr| {
        let site = std::ptr::from_ref(&*expr);
        if let ExprKind::Env { checked, .. } = &mut expr.kind {
            *checked &= unproved.contains(&site);
        }
    };
    let mut number = 0;
    let functions = game.functions.len();
    blocks_mut(game, &mut |block| {
        // Blocks of the machine come after those of the functions.
        if number >= functions || reached.contains(&FuncId::from(number)) {
            rewrite_block(block, &mut |expr| clear(expr));
        }
        number += 1;
    });
}

/// The variables that have a value for sure; nothing where control never comes.
type Flow = Option<BTreeSet<EnvId>>;

/// A read, by its place in memory: the game stays where it is meanwhile.
type Site = *const Expr;

struct Analysis<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// What a call adds, by the function and the variables it is made with.
    contexts: BTreeMap<(FuncId, BTreeSet<EnvId>), Flow>,
    unproved: BTreeSet<Site>,
    /// The contexts looked at in this round.
    seen: BTreeSet<(FuncId, BTreeSet<EnvId>)>,
    changed: bool,
}

/// Where control may go out of a block.
#[derive(Default)]
struct Exits {
    breaks: Flow,
    returns: Flow,
}

impl<'a> Analysis<'a> {
    /// Follows everything that starts with an empty environment.
    fn roots(&mut self) {
        let game = self.game;
        let empty = || Some(BTreeSet::new());
        for func in roots(game) {
            self.call(func, &mut empty());
        }
        for family in &game.families {
            for param in &family.params {
                match &param.source {
                    ParamSource::Is(value) => self.expr(value, &mut empty()),
                    ParamSource::Subset { of, size } => {
                        self.expr(of, &mut empty());
                        self.expr(size, &mut empty());
                    }
                    _ => {}
                }
            }
            for value in &family.class {
                self.expr(value, &mut empty());
            }
        }
        self.machine();
    }

    fn machine(&mut self) {
        let Some(machine) = &self.game.machine else {
            return;
        };
        self.block(&machine.start, Some(BTreeSet::new()), &mut Exits::default());
        for point in &machine.points {
            match point {
                Point::Choose(choose) => {
                    self.choose(choose, &mut Exits::default());
                }
                Point::Chance(chance, block) => {
                    chance.children(&mut |expr| self.expr(expr, &mut Some(BTreeSet::new())));
                    self.block(block, Some(BTreeSet::new()), &mut Exits::default());
                }
            }
        }
    }

    /// Follows a call, once a round in each context.
    fn call(&mut self, func: FuncId, flow: &mut Flow) {
        let Some(set) = flow else { return };
        let reads = &self.effects.function(func).reads.env;
        let key = (
            func,
            set.intersection(reads).copied().collect::<BTreeSet<_>>(),
        );
        if self.contexts.len() <= CONTEXTS && self.seen.insert(key.clone()) {
            self.contexts.entry(key.clone()).or_insert(None);
            let game = self.game;
            let mut exits = Exits::default();
            let end = self.block(&game.function(func).body, Some(key.1.clone()), &mut exits);
            let after = meet(end, exits.returns);
            if self.contexts.get(&key) != Some(&after) {
                self.contexts.insert(key.clone(), after);
                self.changed = true;
            }
        }
        match self.contexts.get(&key) {
            Some(Some(after)) => set.extend(after),
            _ => *flow = None,
        }
    }

    /// What has a value after a block.
    fn block(&mut self, block: &'a [Stmt], mut flow: Flow, exits: &mut Exits) -> Flow {
        for stmt in block {
            flow = self.stmt(stmt, flow, exits);
        }
        flow
    }

    fn stmt(&mut self, stmt: &'a Stmt, mut flow: Flow, exits: &mut Exits) -> Flow {
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let (yes_flow, no_flow) = self.cond(cond, flow);
                let yes = self.block(yes, yes_flow, exits);
                let no = self.block(no, no_flow, exits);
                return meet(yes, no);
            }
            StmtKind::While { cond, body, .. } => {
                let (round, end) = self.cond(cond, flow);
                return self.repeat(body, round, end, exits);
            }
            StmtKind::For { body, count, .. } => {
                stmt.children(&mut |expr| self.expr(expr, &mut flow));
                let end = if *count == Count::Toward {
                    None
                } else {
                    flow.clone()
                };
                let mut inner = Exits::default();
                let round = self.block(body, flow, &mut inner);
                exits.returns = meet(exits.returns.take(), inner.returns);
                // A `continue` leaves a round with at least what the loop started with.
                let once = if *count == Count::Toward && !continues(body) {
                    round
                } else {
                    end.clone()
                };
                return meet(meet(end, once), inner.breaks);
            }
            StmtKind::ForEach(_, over, body) => {
                over.children(&mut |expr| self.expr(expr, &mut flow));
                return self.repeat(body, flow.clone(), flow, exits);
            }
            StmtKind::Trial { body, value, .. } => {
                let mut inner = self.block(body, flow.clone(), exits);
                if let Some((value, _)) = value {
                    self.expr(value, &mut inner);
                }
                return flow;
            }
            StmtKind::Choose(choose) => return self.choose(choose, exits),
            StmtKind::Chance(chance) => {
                chance.children(&mut |expr| self.expr(expr, &mut Some(BTreeSet::new())));
                return Some(BTreeSet::new());
            }
            _ => {}
        }
        stmt.children(&mut |expr| self.expr(expr, &mut flow));
        match &stmt.kind {
            StmtKind::SetEnv(var, _) => {
                if let Some(set) = &mut flow {
                    set.insert(*var);
                }
            }
            StmtKind::Call { func, .. } => self.call(*func, &mut flow),
            StmtKind::Break => exits.breaks = meet(exits.breaks.take(), flow.take()),
            StmtKind::Return(_) => exits.returns = meet(exits.returns.take(), flow.take()),
            StmtKind::Continue
            | StmtKind::Fail
            | StmtKind::Fault(_)
            | StmtKind::TooDeep
            | StmtKind::End { .. }
            | StmtKind::Stop(_) => flow = None,
            _ => {}
        }
        flow
    }

    /// What has a value after a loop: a round starts with at least what the loop started with.
    fn repeat(&mut self, body: &'a [Stmt], round: Flow, end: Flow, exits: &mut Exits) -> Flow {
        let mut inner = Exits::default();
        self.block(body, round, &mut inner);
        exits.returns = meet(exits.returns.take(), inner.returns);
        meet(end, inner.breaks)
    }

    fn choose(&mut self, choose: &'a Choose, exits: &mut Exits) -> Flow {
        let empty = || Some(BTreeSet::new());
        choose.children(&mut |expr| self.expr(expr, &mut empty()));
        let mut after = None;
        choose.blocks(&mut |block| {
            let end = self.block(block, empty(), exits);
            after = meet(after.take(), end);
        });
        after
    }

    /// What has a value where a condition holds, and where it does not.
    fn cond(&mut self, cond: &'a Expr, flow: Flow) -> (Flow, Flow) {
        let mut flow = flow;
        match &cond.kind {
            ExprKind::Const(Const::Bool(true)) => (flow, None),
            ExprKind::Const(Const::Bool(false)) => (None, flow),
            ExprKind::EnvIsSet(var) => {
                let mut yes = flow.clone();
                if let Some(set) = &mut yes {
                    set.insert(*var);
                }
                (yes, flow)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (yes, no) = self.cond(inner, flow);
                (no, yes)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (yes, no) = self.cond(a, flow);
                let (both, other) = self.cond(b, yes);
                (both, meet(no, other))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (yes, no) = self.cond(a, flow);
                let (other, neither) = self.cond(b, no);
                (meet(yes, other), neither)
            }
            _ => {
                self.expr(cond, &mut flow);
                (flow.clone(), flow)
            }
        }
    }

    /// Follows an expression; what it reads for sure has a value afterwards.
    fn expr(&mut self, expr: &'a Expr, flow: &mut Flow) {
        match &expr.kind {
            ExprKind::Env { var, .. } => {
                if let Some(set) = flow
                    && set.insert(*var)
                {
                    self.unproved.insert(std::ptr::from_ref(expr));
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let (yes, no) = self.cond(expr, flow.take());
                *flow = meet(yes, no);
            }
            ExprKind::If(cond, yes, no) => {
                let (mut if_yes, mut if_no) = self.cond(cond, flow.take());
                self.expr(yes, &mut if_yes);
                self.expr(no, &mut if_no);
                *flow = meet(if_yes, if_no);
            }
            ExprKind::OrElse(a, b) => {
                self.expr(a, flow);
                self.expr(b, &mut flow.clone());
            }
            ExprKind::Fold { over, body, .. }
            | ExprKind::Collect {
                over, when: body, ..
            }
            | ExprKind::First {
                over, when: body, ..
            } => self.bound(Some(over), body, flow),
            ExprKind::Walk { start, pass, .. }
            | ExprKind::Closure {
                from: start, pass, ..
            } => {
                self.expr(start, flow);
                self.bound(None, pass, flow);
            }
            ExprKind::Call(func, args) => {
                for arg in args {
                    self.expr(arg, flow);
                }
                self.call(*func, &mut flow.clone());
            }
            ExprKind::Holds(relation, args) => {
                for arg in args {
                    self.expr(arg, flow);
                }
                self.call(self.game.relation(*relation).holds, &mut flow.clone());
            }
            ExprKind::Related(relation, args) => {
                for arg in args.iter().flatten() {
                    self.expr(arg, flow);
                }
                self.call(self.game.relation(*relation).holds, &mut flow.clone());
            }
            _ => expr.children(&mut |child| self.expr(child, flow)),
        }
    }

    /// Follows a body that may be evaluated any number of times.
    fn bound(&mut self, over: Option<&'a Over>, body: &'a Expr, flow: &mut Flow) {
        if let Some(over) = over {
            over.children(&mut |expr| self.expr(expr, flow));
        }
        self.expr(body, &mut flow.clone());
    }
}

/// What has a value on both paths.
fn meet(a: Flow, b: Flow) -> Flow {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

/// Whether a body goes on with the next round of its loop other than by its end.
fn continues(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => false,
        _ => {
            let mut found = false;
            stmt.blocks(&mut |block| found |= continues(block));
            found
        }
    })
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::visit::walk_exprs;
    use crate::ir::*;
    use crate::source::Span;

    /// The `checked` of all reads of a function, in the order of the text.
    fn checked(game: &Game, func: FuncId) -> Vec<bool> {
        let mut found = Vec::new();
        walk_exprs(&game.function(func).body, &mut |expr| {
            if let ExprKind::Env { checked, .. } = expr.kind {
                found.push(checked);
            }
        });
        found
    }

    fn probe(builder: &mut GameBuilder, name: &str, body: Block) -> FuncId {
        let func = FunctionBuilder::new(name, Some(Type::INT), Span::default()).body(body);
        let func = builder.function(func);
        builder.game.probes.push(Probe {
            name: name.to_owned(),
            func,
        });
        func
    }

    fn game() -> (GameBuilder, EnvId) {
        let mut builder = GameBuilder::new("test", "none", &["a"]);
        let process = FunctionBuilder::new("process", None, Span::default()).body(vec![]);
        builder.game.process = builder.function(process);
        let x = builder.env("x", Type::INT);
        (builder, x)
    }

    #[test]
    fn a_read_is_proved_if_every_caller_assigned() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let set = || Stmt::set_env(x, Expr::int(1, span));
        let twice = FunctionBuilder::new("twice", Some(Type::INT), span).body(vec![Stmt::give(
            Expr::binary(BinaryOp::Add, read(), read()),
        )]);
        let inner =
            FunctionBuilder::new("inner", Some(Type::INT), span).body(vec![Stmt::give(read())]);
        let (twice, inner) = (builder.function(twice), builder.function(inner));
        let call = |func| Stmt::give(Expr::new(ExprKind::Call(func, vec![]), Type::INT, span));
        probe(&mut builder, "sets", vec![set(), call(twice)]);
        probe(&mut builder, "sets-too", vec![set(), call(inner)]);
        probe(&mut builder, "forgets", vec![call(twice)]);
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, inner), [false]);
        assert_eq!(
            checked(&builder.game, twice),
            [true, false],
            "the second read follows the first"
        );
    }

    #[test]
    fn branches_and_loops_count_only_if_they_always_run() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let set = || Stmt::set_env(x, Expr::int(1, span));
        let unknown = || Expr::new(ExprKind::EnvIsSet(x), Type::Bool, span);
        let round = |count| {
            let mut function = FunctionBuilder::new("loop", Some(Type::INT), span);
            let local = function.local("i", Type::INT);
            let (from, to) = (Expr::int(1, span), Expr::int(3, span));
            let kind = StmtKind::For {
                local,
                from,
                to,
                count,
                body: vec![set()],
                charged: false,
            };
            function.body(vec![Stmt::new(kind, span), Stmt::give(read())])
        };
        let up = builder.function(round(Count::Up));
        let toward = builder.function(round(Count::Toward));
        for (name, func) in [("up", up), ("toward", toward)] {
            builder.game.probes.push(Probe {
                name: name.to_owned(),
                func,
            });
        }
        let one = probe(
            &mut builder,
            "one",
            vec![
                Stmt::branch(unknown().not(), vec![], vec![set()]),
                Stmt::give(read()),
            ],
        );
        let both = probe(
            &mut builder,
            "both",
            vec![
                Stmt::branch(unknown().not(), vec![set()], vec![]),
                Stmt::give(read()),
            ],
        );
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, up), [true]);
        assert_eq!(checked(&builder.game, toward), [false]);
        assert_eq!(checked(&builder.game, one), [true]);
        assert_eq!(
            checked(&builder.game, both),
            [false],
            "set there, or set already"
        );
    }

    #[test]
    fn recursion_is_followed_to_its_end() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let me = FuncId::from(builder.game.functions.len());
        let less = Expr::binary(BinaryOp::Sub, read(), Expr::int(1, span));
        let stop = Expr::binary(BinaryOp::Lt, read(), Expr::int(1, span));
        let body = vec![
            Stmt::branch(stop, vec![Stmt::new(StmtKind::Return(None), span)], vec![]),
            Stmt::set_env(x, less),
            Stmt::call(me, vec![], None, span),
        ];
        builder.function(FunctionBuilder::new("count", None, span).body(body));
        let call = Stmt::call(me, vec![], None, span);
        let user = probe(
            &mut builder,
            "user",
            vec![
                Stmt::set_env(x, Expr::int(5, span)),
                call,
                Stmt::give(read()),
            ],
        );
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, me), [false, false]);
        assert_eq!(checked(&builder.game, user), [false]);
    }
}
