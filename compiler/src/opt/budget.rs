//! `budget`: work that can never exceed the budget is not counted.
//!
//! Rules may not run for ever, so loops and recursive calls are charged to a budget. Where the loops of a game have
//! bounds, and all that can run between two stops together stays far below the budget, no charge ever fails: none is
//! needed, and a rule that only charges cannot fail any more.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Game, Over, RECURSION_LIMIT, Stmt, StmtKind,
    Type, WORK_BUDGET,
};

use crate::ir::walk::{blocks_mut, roots, walk_free};

use super::simplify::leaves;

/// Work up to which a root is harmless. Each has the whole budget; a part of a guard has a share, and where that is not enough the
/// guard is asked as a whole.
const MOST: u64 = WORK_BUDGET as u64 - 1;

/// Drops all charges if none can fail.
pub fn run(game: &mut Game) {
    drop_charges(game, &SortedMap::new());
}

/// What is known of the work of a function.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The most that its statements charge.
    pub(super) work: u64,
    /// How many statements at its end that does not cover.
    pub(super) rest: usize,
}

/// Drops all charges if none can fail, where the work of some functions is known; whether that is so.
pub(super) fn drop_charges(game: &mut Game, given: &SortedMap<FuncId, Known>) -> bool {
    let effects = Effects::of(game);
    let mut costs = Costs {
        game,
        effects: &effects,
        given,
        known: SortedMap::new(),
    };
    let mut free = Some(0);
    walk_free(game, &mut |expr| {
        free = free.and_then(|sum| costs.node(expr).map(|cost| sum.max(cost)));
    });
    let bounded = |cost: Option<u64>| cost.is_some_and(|cost| cost <= MOST);
    let all = roots(game)
        .into_iter()
        .all(|root| bounded(costs.function(root)));
    if !all || !bounded(free) || game.machine.is_some() {
        return false;
    }
    blocks_mut(game, &mut uncharged);
    true
}

fn uncharged(block: &mut Block) {
    for stmt in block.iter_mut() {
        stmt.blocks_mut(&mut uncharged);
        if let StmtKind::For { charged, .. } = &mut stmt.kind {
            *charged = false;
        }
    }
    block.retain(|stmt| match &stmt.kind {
        StmtKind::Charge => false,
        StmtKind::For { from, to, body, .. } => {
            !body.is_empty() || from.as_const().is_none() || to.as_const().is_none()
        }
        StmtKind::If(cond, yes, no) => {
            !yes.is_empty() || !no.is_empty() || !compares_variables(cond)
        }
        _ => true,
    });
}

/// Whether an expression is a comparison of local variables and constants, which nothing needs where no branch follows.
fn compares_variables(cond: &Expr) -> bool {
    let plain = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_) | ExprKind::Const(_));
    matches!(&cond.kind, ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if plain(a) && plain(b))
}

/// The work that parts of a game do at most.
struct Costs<'a> {
    game: &'a Game,
    effects: &'a Effects,
    given: &'a SortedMap<FuncId, Known>,
    known: SortedMap<FuncId, Option<u64>>,
}

impl Costs<'_> {
    fn function(&mut self, func: FuncId) -> Option<u64> {
        if let Some(known) = self.known.get(&func) {
            return *known;
        }
        let body = &self.game.function(func).body;
        let cost = match self.given.get(&func) {
            Some(known) => {
                let rest = body.len().saturating_sub(known.rest);
                add(Some(known.work), self.block(&body[rest..]))
            }
            None if self.effects.is_recursive(func) => self.cycle(func),
            None => self.block(body),
        };
        self.known.insert(func, cost);
        cost
    }

    /// The work of a function that comes back to itself, if no run of a function of the cycle goes on with two of them.
    fn cycle(&mut self, func: FuncId) -> Option<u64> {
        let effects = self.effects;
        let back = effects.reaches(func).iter();
        let cycle: Vec<FuncId> = back
            .copied()
            .filter(|other| effects.reaches(*other).contains(&func))
            .collect();
        let before = self.known.clone();
        self.known.extend(cycle.iter().map(|func| (*func, Some(0))));
        let work = self.rounds_of(&cycle);
        self.known = before;
        work.filter(|cost| *cost <= MOST)
    }

    /// The work of functions that call each other, as deep as calls may be: all but the last of them goes on.
    fn rounds_of(&mut self, cycle: &[FuncId]) -> Option<u64> {
        let game = self.game;
        let (mut round, mut last) = (0u64, 0);
        for func in cycle {
            let body = &game.function(*func).body;
            if calls(body, cycle)? > 1 {
                return None;
            }
            let ways = self.ways(body, cycle)?;
            let [ends, goes_on] = [0, 1].map(|way| ways.behind[way].max(ways.left[way]));
            // A call in a cycle is a unit of work by itself.
            round = round.checked_add(goes_on.unwrap_or(0).checked_add(1)?)?;
            last = last.max(ends.unwrap_or(0));
        }
        let all = round.checked_mul(u64::from(RECURSION_LIMIT))?;
        all.checked_add(last)
    }

    /// The work on ways through a block of a function that calls one of some functions at most once.
    fn ways(&mut self, block: &[Stmt], cycle: &[FuncId]) -> Option<Ways> {
        let mut ways = Ways {
            behind: [Some(0), None],
            left: [None; 2],
        };
        for stmt in block {
            match &stmt.kind {
                StmtKind::Call { func, args, .. } if cycle.contains(func) => {
                    let args = args.iter().map(|arg| self.expr(arg));
                    ways.go_on([None, Some(args.sum::<Option<u64>>()?)]);
                }
                StmtKind::If(cond, yes, no) => {
                    ways.go_on([Some(self.expr(cond)?), None]);
                    let branches = [self.ways(yes, cycle)?, self.ways(no, cycle)?];
                    ways.branch(&branches);
                }
                _ => {
                    ways.go_on([Some(self.stmt(stmt)?), None]);
                    // Who may leave from inside may have done all of it.
                    ways.left = most(ways.left, ways.behind);
                    if leaves(stmt) {
                        ways.behind = [None; 2];
                    }
                }
            }
        }
        Some(ways)
    }

    fn block(&mut self, block: &[Stmt]) -> Option<u64> {
        let costs = block.iter().map(|stmt| self.stmt(stmt));
        costs.sum::<Option<u64>>().filter(|cost| *cost <= MOST)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<u64> {
        let mut own = Some(0);
        stmt.children(&mut |expr| own = add(own, self.expr(expr)));
        // Of branches and of the moves of a decision one is run.
        let one = matches!(stmt.kind, StmtKind::If(..) | StmtKind::Choose(_));
        let mut inner = Some(0);
        stmt.blocks(&mut |block| {
            let work = self.block(block);
            inner = match one {
                true => inner.zip(work).map(|(most, work)| most.max(work)),
                false => add(inner, work),
            };
        });
        let rounds = match &stmt.kind {
            StmtKind::For {
                from, to, charged, ..
            } => {
                inner = add(inner, Some(u64::from(*charged)));
                rounds(from, to)
            }
            StmtKind::ForEach(_, over, _) => self.length(over),
            StmtKind::While { bound, body, .. } if !stops(body) => {
                inner = add(inner, Some(1));
                Some(u64::from(*bound))
            }
            // A round stops, and nothing of it runs twice before it stops again.
            StmtKind::While { .. } => Some(1),
            StmtKind::Call { func, .. } => {
                own = add(own, self.function(*func));
                Some(1)
            }
            StmtKind::Charge => {
                own = add(own, Some(1));
                Some(1)
            }
            // Play goes on at once as often as nobody can move.
            StmtKind::Choose(choose) if choose.otherwise.is_some() => None,
            _ => Some(1),
        };
        add(own, inner?.checked_mul(rounds?)).filter(|cost| *cost <= MOST)
    }

    /// The work of an expression, operands included.
    fn expr(&mut self, expr: &Expr) -> Option<u64> {
        let mut cost = self.node(expr);
        let mut inner = Some(0);
        expr.children(&mut |child| inner = add(inner, self.expr(child)));
        // What is bound may be asked for each member.
        if let ExprKind::Fold { .. }
        | ExprKind::Collect { .. }
        | ExprKind::First { .. }
        | ExprKind::Walk { .. }
        | ExprKind::Closure { .. } = &expr.kind
        {
            inner = inner.filter(|work| *work == 0);
        }
        cost = add(cost, inner);
        cost
    }

    /// The work of an expression without its operands.
    fn node(&mut self, expr: &Expr) -> Option<u64> {
        match &expr.kind {
            ExprKind::Call(func, _) => self.function(*func),
            ExprKind::Holds(relation, _) => self.function(self.game.relation(*relation).holds),
            ExprKind::Related(relation, _) => {
                let cost = self.function(self.game.relation(*relation).holds);
                cost.filter(|work| *work == 0)
            }
            _ => Some(0),
        }
    }

    fn length(&self, over: &Over) -> Option<u64> {
        match over {
            Over::Domain(domain) => Some(self.game.domain(*domain).len() as u64),
            Over::Set(set) => match set.ty {
                Type::Set(domain) => Some(self.game.domain(domain).len() as u64),
                _ => None,
            },
            Over::Seq(seq) => match seq.ty {
                Type::Seq { cap, .. } => Some(u64::from(cap)),
                _ => None,
            },
            Over::Range(from, to) => rounds(from, to),
        }
    }
}

/// The most work of those ways through a block that do not call one of some functions, and of those that do; nothing where there are
/// none.
type Work = [Option<u64>; 2];

/// The work on all ways through a block.
struct Ways {
    /// On those that go on behind it.
    behind: Work,
    /// On those that leave the function.
    left: Work,
}

impl Ways {
    /// Goes on with more work.
    fn go_on(&mut self, more: Work) {
        self.behind = after(self.behind, more);
    }

    /// Goes on in one of several branches.
    fn branch(&mut self, branches: &[Ways]) {
        let before = self.behind;
        self.behind = [None; 2];
        for branch in branches {
            self.behind = most(self.behind, after(before, branch.behind));
            self.left = most(self.left, after(before, branch.left));
        }
    }
}

/// The greater of two amounts of each kind.
fn most(a: Work, b: Work) -> Work {
    [a[0].max(b[0]), a[1].max(b[1])]
}

/// One amount of work and then another one, of ways that have at most one call.
fn after(first: Work, then: Work) -> Work {
    let sum = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    let one = sum(first[1], then[0]).max(sum(first[0], then[1]));
    [sum(first[0], then[0]), one.max(sum(first[1], then[1]))]
}

/// How many calls of some functions one run of a block may make; nothing where a loop or an expression makes them.
fn calls(block: &[Stmt], funcs: &[FuncId]) -> Option<u64> {
    let mut sum = 0;
    for stmt in block {
        let mut asked = false;
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| match &expr.kind {
                ExprKind::Call(func, _) => asked |= funcs.contains(func),
                ExprKind::Holds(..) | ExprKind::Related(..) => asked = true,
                _ => {}
            });
        });
        let mut inner = Vec::new();
        stmt.blocks(&mut |block| inner.push(calls(block, funcs)));
        let inner: Vec<u64> = inner.into_iter().collect::<Option<_>>()?;
        sum += match &stmt.kind {
            _ if asked => return None,
            StmtKind::Call { func, .. } => u64::from(funcs.contains(func)),
            StmtKind::If(..) => inner.into_iter().max().unwrap_or(0),
            _ if inner.iter().any(|calls| *calls > 0) => return None,
            _ => 0,
        };
    }
    Some(sum)
}

fn add(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a?.checked_add(b?)
}

/// Whether each round of a loop stops for a decision or a draw before it can begin again.
fn stops(body: &Block) -> bool {
    let stop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Choose(_) | StmtKind::Chance(_));
    let first = body.iter().position(stop);
    // What stands before the stop must not begin the next round.
    first.is_some_and(|first| {
        body[..first]
            .iter()
            .all(|stmt| matches!(stmt.kind, StmtKind::Let(..) | StmtKind::SetVar(..)))
    })
}

/// The greatest number of rounds of a loop over integers.
fn rounds(from: &Expr, to: &Expr) -> Option<u64> {
    let range = |expr: &Expr| match expr.as_const() {
        Some(Const::Int(value)) => Some((*value, *value)),
        _ => expr.ty.int_range(),
    };
    let ((a, b), (c, d)) = (range(from)?, range(to)?);
    let (least, most) = (a.min(c), b.max(d));
    u64::try_from(most.checked_sub(least)?).ok()?.checked_add(1)
}
