//! Forward data flow: what is known wherever control comes, for any lattice of facts.
//!
//! An [`Analysis`] says what facts are, which of them hold where two ways meet, and what statements and expressions change.
//! This module knows the control flow, all of it and nothing else does: branches, operands that may be left out, loops until
//! nothing changes, trials, decisions and draws, calls. The verifier and the passes that need facts are users, so none of
//! them can believe in another control flow than the others; [`decided`] is shared with the liveness of local variables, which
//! goes backward.

use super::expr::{BinaryOp, Expr, ExprKind, Over, UnaryOp};
use super::game::{Machine, Point};
use super::ids::{FuncId, LocalId, RelationId};
use super::stmt::{Chance, Choose, Count, Distribution, Stmt, StmtKind};
use super::types::Const;

/// What is known at a point; nothing where control never comes.
pub type Flow<F> = Option<F>;

/// Facts, and what changes them.
pub trait Analysis<'a> {
    /// What is known at a point that control can reach; the default is known at the start of the machine and of its blocks.
    type Fact: Clone + PartialEq + Default;

    /// Whether expressions change what is known.
    const LEARNS: bool;

    /// What is known where two ways meet. It may take facts away only, so that loops come to an end.
    fn meet(&mut self, a: Self::Fact, b: Self::Fact) -> Self::Fact;

    /// An expression is evaluated, after its operands.
    fn expr(&mut self, _expr: &'a Expr, _fact: &mut Self::Fact) {}

    /// A condition that is no constant and made of no others turns out to hold, or not to.
    fn known(&mut self, _cond: &'a Expr, _holds: bool, _fact: &mut Self::Fact) {}

    /// A statement without blocks is executed, after its expressions. Calls, and what gives local variables values, come
    /// by the functions below as well.
    fn stmt(&mut self, _stmt: &'a Stmt, _fact: &mut Self::Fact) {}

    /// A local variable gets a value by a statement.
    fn assign(&mut self, _local: LocalId, _fact: &mut Self::Fact) {}

    /// An expression binds a local variable in what comes next, or no longer does.
    fn bind(&mut self, _local: LocalId, _begins: bool) {}

    /// A statement calls a function.
    fn call(&mut self, _func: FuncId, _flow: &mut Flow<Self::Fact>) {}

    /// An expression calls a function, which writes nothing.
    fn ask(&mut self, _func: FuncId, _fact: &Self::Fact) {}

    /// An expression tests a relation.
    fn relate(&mut self, _relation: RelationId, _fact: &Self::Fact) {}

    /// What is known at a stop, of what was known before it.
    fn stop(&mut self, before: &Self::Fact) -> Self::Fact {
        before.clone()
    }
}

/// Whether a condition always holds, or never, as its constants say.
pub fn decided(cond: &Expr) -> Option<bool> {
    match &cond.kind {
        ExprKind::Const(Const::Bool(value)) => Some(*value),
        ExprKind::Unary(UnaryOp::Not, inner) => decided(inner).map(|holds| !holds),
        ExprKind::Binary(BinaryOp::And, a, b) => match (decided(a), decided(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => match (decided(a), decided(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// What is known where a body is left: by its end, and by `return`.
pub fn body<'a, A: Analysis<'a>>(
    analysis: &mut A,
    body: &'a [Stmt],
    entry: A::Fact,
) -> (Flow<A::Fact>, Flow<A::Fact>) {
    let mut walk = Walk { analysis };
    let mut exits = Exits::default();
    let end = walk.block(body, Some(entry), &mut exits);
    (end, exits.returns)
}

/// What is known where two ways meet, if control comes there.
pub fn join<'a, A: Analysis<'a>>(
    analysis: &mut A,
    a: Flow<A::Fact>,
    b: Flow<A::Fact>,
) -> Flow<A::Fact> {
    match (a, b) {
        (Some(a), Some(b)) => Some(analysis.meet(a, b)),
        (a, b) => a.or(b),
    }
}

/// Follows an expression that stands by itself.
pub fn expr<'a, A: Analysis<'a>>(analysis: &mut A, expr: &'a Expr, entry: A::Fact) {
    Walk { analysis }.expr(expr, &mut Some(entry));
}

/// Follows all blocks of the machine.
pub fn machine<'a, A: Analysis<'a>>(analysis: &mut A, machine: &'a Machine) {
    let mut walk = Walk { analysis };
    let entry = || Some(A::Fact::default());
    walk.block(&machine.start, entry(), &mut Exits::default());
    for point in &machine.points {
        let mut exits = Exits::default();
        match point {
            Point::Choose(choose) => {
                walk.choose(choose, &A::Fact::default(), &mut exits);
            }
            Point::Chance(chance, block) => {
                let drawn = walk.chance(chance, &A::Fact::default());
                walk.block(block, drawn, &mut exits);
            }
        }
    }
}

/// Where control may go out of a block, with what is known there.
struct Exits<F> {
    breaks: Flow<F>,
    continues: Flow<F>,
    returns: Flow<F>,
}

impl<F> Default for Exits<F> {
    fn default() -> Exits<F> {
        Exits {
            breaks: None,
            continues: None,
            returns: None,
        }
    }
}

/// A loop, by what its rounds depend on.
enum Rounds<'a> {
    /// While this holds.
    While(&'a Expr),
    /// With values of a variable; there may be no round.
    Some(LocalId),
    /// With values of a variable; there is a round.
    AtLeastOne(LocalId),
}

struct Walk<'w, A> {
    analysis: &'w mut A,
}

impl<'a, A: Analysis<'a>> Walk<'_, A> {
    fn join(&mut self, a: Flow<A::Fact>, b: Flow<A::Fact>) -> Flow<A::Fact> {
        join(self.analysis, a, b)
    }

    fn block(
        &mut self,
        block: &'a [Stmt],
        mut flow: Flow<A::Fact>,
        exits: &mut Exits<A::Fact>,
    ) -> Flow<A::Fact> {
        for stmt in block {
            flow = self.stmt(stmt, flow?, exits);
        }
        flow
    }

    fn stmt(&mut self, stmt: &'a Stmt, fact: A::Fact, exits: &mut Exits<A::Fact>) -> Flow<A::Fact> {
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let (holds, fails) = self.cond(cond, Some(fact));
                let yes = self.block(yes, holds, exits);
                let no = self.block(no, fails, exits);
                self.join(yes, no)
            }
            StmtKind::While { cond, body, .. } => {
                self.rounds(&Rounds::While(cond), body, Some(fact), exits)
            }
            StmtKind::For {
                local, count, body, ..
            } => {
                let mut flow = Some(fact);
                stmt.children(&mut |expr| self.expr(expr, &mut flow));
                let rounds = match count {
                    Count::Toward => Rounds::AtLeastOne(*local),
                    Count::Up | Count::Down => Rounds::Some(*local),
                };
                self.rounds(&rounds, body, flow, exits)
            }
            StmtKind::ForEach(local, over, body) => {
                let mut flow = Some(fact);
                over.children(&mut |expr| self.expr(expr, &mut flow));
                self.rounds(&Rounds::Some(*local), body, flow, exits)
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let mut end = self.block(body, Some(fact.clone()), exits);
                if let Some((value, _)) = value {
                    self.expr(value, &mut end);
                }
                // A trial may fail at any point: then everything is as before.
                let after = match keep {
                    true => self.join(Some(fact), end),
                    false => Some(fact),
                };
                self.assigned(after, *ok)
            }
            StmtKind::Choose(choose) => self.choose(choose, &fact, exits),
            StmtKind::Chance(chance) => self.chance(chance, &fact),
            _ => self.simple(stmt, fact, exits),
        }
    }

    /// A statement without blocks.
    fn simple(
        &mut self,
        stmt: &'a Stmt,
        fact: A::Fact,
        exits: &mut Exits<A::Fact>,
    ) -> Flow<A::Fact> {
        let mut flow = Some(fact);
        stmt.children(&mut |expr| self.expr(expr, &mut flow));
        if let Some(fact) = &mut flow {
            self.analysis.stmt(stmt, fact);
        }
        let out = match &stmt.kind {
            StmtKind::Let(local, _) => return self.assigned(flow, *local),
            StmtKind::Call { func, into, .. } => {
                self.analysis.call(*func, &mut flow);
                return match into {
                    Some(local) => self.assigned(flow, *local),
                    None => flow,
                };
            }
            StmtKind::Break => &mut exits.breaks,
            StmtKind::Continue => &mut exits.continues,
            StmtKind::Return(_) => &mut exits.returns,
            StmtKind::Fail
            | StmtKind::Fault(_)
            | StmtKind::TooDeep
            | StmtKind::End { .. }
            | StmtKind::Stop(_) => return None,
            _ => return flow,
        };
        *out = join(self.analysis, out.take(), flow);
        None
    }

    fn assigned(&mut self, mut flow: Flow<A::Fact>, local: LocalId) -> Flow<A::Fact> {
        if let Some(fact) = &mut flow {
            self.analysis.assign(local, fact);
        }
        flow
    }

    /// A loop: what is known before a round is what all ways to it agree on.
    fn rounds(
        &mut self,
        rounds: &Rounds<'a>,
        body: &'a [Stmt],
        entry: Flow<A::Fact>,
        exits: &mut Exits<A::Fact>,
    ) -> Flow<A::Fact> {
        let mut head = entry;
        loop {
            let (into, done) = match rounds {
                Rounds::While(cond) => self.cond(cond, head.clone()),
                Rounds::Some(local) | Rounds::AtLeastOne(local) => {
                    (self.assigned(head.clone(), *local), head.clone())
                }
            };
            let mut inner = Exits::default();
            let end = self.block(body, into, &mut inner);
            let again = self.join(end, inner.continues);
            let next = self.join(head.clone(), again.clone());
            if next == head {
                exits.returns = self.join(exits.returns.take(), inner.returns);
                let done = match rounds {
                    Rounds::AtLeastOne(_) => again,
                    _ => done,
                };
                return self.join(done, inner.breaks);
            }
            head = next;
        }
    }

    fn choose(
        &mut self,
        choose: &'a Choose,
        before: &A::Fact,
        exits: &mut Exits<A::Fact>,
    ) -> Flow<A::Fact> {
        let mut at = Some(self.analysis.stop(before));
        choose.children(&mut |expr| self.expr(expr, &mut at));
        let at = at?;
        let mut after = None;
        for arm in &choose.arms {
            let mut bound = at.clone();
            for local in &arm.bind {
                self.analysis.assign(*local, &mut bound);
            }
            let end = self.block(&arm.body, Some(bound), exits);
            after = self.join(after, end);
        }
        if let Some(otherwise) = &choose.otherwise {
            let end = self.block(otherwise, Some(at), exits);
            after = self.join(after, end);
        }
        after
    }

    fn chance(&mut self, chance: &'a Chance, before: &A::Fact) -> Flow<A::Fact> {
        let mut flow = Some(self.analysis.stop(before));
        match &chance.dist {
            Distribution::Uniform(from, to) => {
                self.expr(from, &mut flow);
                self.expr(to, &mut flow);
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => self.repeated(*local, Some(over), None, weight, &mut flow),
        }
        self.assigned(flow, chance.into)
    }

    /// What is known where a condition holds, and where it does not.
    fn cond(&mut self, cond: &'a Expr, mut flow: Flow<A::Fact>) -> (Flow<A::Fact>, Flow<A::Fact>) {
        match &cond.kind {
            ExprKind::Const(Const::Bool(true)) => (flow, None),
            ExprKind::Const(Const::Bool(false)) => (None, flow),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (holds, fails) = self.cond(inner, flow);
                (fails, holds)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (first, fails) = self.cond(a, flow);
                let (both, other) = self.cond(b, first);
                (both, self.join(fails, other))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (holds, first) = self.cond(a, flow);
                let (other, neither) = self.cond(b, first);
                (self.join(holds, other), neither)
            }
            _ => {
                self.expr(cond, &mut flow);
                let mut holds = flow.clone();
                for (fact, value) in [(&mut holds, true), (&mut flow, false)] {
                    if let Some(fact) = fact {
                        self.analysis.known(cond, value, fact);
                    }
                }
                (holds, flow)
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr, flow: &mut Flow<A::Fact>) {
        if flow.is_none() {
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) if A::LEARNS => {
                let (holds, fails) = self.cond(expr, flow.take());
                *flow = self.join(holds, fails);
            }
            ExprKind::If(cond, yes, no) if A::LEARNS => {
                let (mut holds, mut fails) = self.cond(cond, flow.take());
                self.expr(yes, &mut holds);
                self.expr(no, &mut fails);
                *flow = self.join(holds, fails);
            }
            ExprKind::OrElse(a, b) if A::LEARNS => {
                self.expr(a, flow);
                let mut other = flow.clone();
                self.expr(b, &mut other);
                *flow = self.join(flow.take(), other);
            }
            ExprKind::Fold {
                local, over, body, ..
            } => self.repeated(*local, Some(over), None, body, flow),
            ExprKind::Collect { local, over, when } | ExprKind::First { local, over, when } => {
                self.repeated(*local, Some(over), None, when, flow);
            }
            ExprKind::Walk {
                start, local, pass, ..
            } => self.repeated(*local, None, Some(start), pass, flow),
            ExprKind::Closure {
                from, local, pass, ..
            } => self.repeated(*local, None, Some(from), pass, flow),
            _ => expr.children(&mut |child| self.expr(child, flow)),
        }
        let Some(fact) = flow else { return };
        match &expr.kind {
            ExprKind::Call(func, _) => self.analysis.ask(*func, fact),
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                self.analysis.relate(*relation, fact);
            }
            _ => {}
        }
        self.analysis.expr(expr, fact);
    }

    /// A body that is evaluated any number of times for values of a variable.
    fn repeated(
        &mut self,
        local: LocalId,
        over: Option<&'a Over>,
        start: Option<&'a Expr>,
        body: &'a Expr,
        flow: &mut Flow<A::Fact>,
    ) {
        if let Some(over) = over {
            over.children(&mut |expr| self.expr(expr, flow));
        }
        if let Some(start) = start {
            self.expr(start, flow);
        }
        self.analysis.bind(local, true);
        if A::LEARNS {
            loop {
                let mut round = flow.clone();
                self.expr(body, &mut round);
                let next = self.join(flow.clone(), round);
                if next == *flow {
                    break;
                }
                *flow = next;
            }
        } else {
            self.expr(body, flow);
        }
        self.analysis.bind(local, false);
    }
}
