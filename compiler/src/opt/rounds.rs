//! `rounds`: a loop that counts from a known number until a test of that number ends it has so many rounds.
//!
//! A recursion over numbers, which ends with `$I > 4` and else goes on with `$I + 1`, is a loop that could go on for as long as
//! calls may nest. Where a round changes the number by one at its end, the rounds are known: the loop goes over these numbers, and
//! what its test leads to stands behind it.

use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Block, Const, Count, Expr, ExprKind, Function, Game, Local, LocalId, Stmt, StmtKind,
    Type,
};
use crate::source::Span;

use super::fold_constants::simplify;
use super::locals::{assigned, rounds};
use super::possible::evaluate;
use super::simplify::leaves;
use super::unroll::leaves_round;

/// Bounds the loops of all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let mut changed = false;
    for index in 0..game.functions.len() {
        if let Some(function) = bounded(game, &game.functions[index]) {
            changed = true;
            game.functions[index] = function;
        }
    }
    if changed {
        simplify(game);
    }
}

/// A function whose first loop counts, with its rounds.
fn bounded(game: &Game, function: &Function) -> Option<Function> {
    let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For { .. });
    let at = function.body.iter().position(is_loop)?;
    let (before, rest) = function.body.split_at(at);
    let counting = Counting::of(game, before, rest.first()?)?;
    let mut function = function.clone();
    function.body = counting.written(before, &mut function.locals)?;
    Some(function)
}

/// A loop that counts.
struct Counting<'a> {
    /// The variable that counts, and its type.
    number: LocalId,
    ty: Type,
    /// Its first value, and the one with which the loop ends.
    first: i64,
    last: i64,
    /// What a round does before the test that ends the loop, behind it, and once it has counted. Tests of the number that end no round
    /// are left out.
    before: Block,
    behind: Block,
    counted: Block,
    /// What ends the loop.
    end: &'a [Stmt],
    /// The variable of the loop and its first value, if anything reads it.
    depth: Option<(LocalId, i64)>,
    span: Span,
}

impl<'a> Counting<'a> {
    fn of(game: &Game, before: &[Stmt], stmt: &'a Stmt) -> Option<Counting<'a>> {
        let StmtKind::For {
            body,
            charged: false,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let (depth, least, most) = rounds(stmt)?;
        let (at, number, step) = count(body)?;
        let counted = counted(&body[at + 1..], depth)?;
        let first = start(before, number)?;
        let mut reads = 0;
        walk_exprs(body, &mut |expr| {
            reads += usize::from(expr.kind == ExprKind::Local(depth));
        });
        let elsewhere = assigned(&body[..at]);
        let own = elsewhere.contains(&number) || elsewhere.contains(&depth);
        if own || leaves_round(&body[..at]) {
            return None;
        }
        let depth = (reads != usize::from(counted.1)).then_some((depth, least));
        let tests: Vec<(usize, &Expr, &[Stmt], bool)> = (0..at)
            .filter_map(|at| test(&body[at], at, number))
            .collect();
        let (mut value, mut ended) = (first, None);
        // The last round may not count: that would be one too many.
        for _ in least..=most {
            for (at, cond, end, wanted) in &tests {
                let Const::Bool(holds) = evaluate(game, cond, &[(number, Const::Int(value))])?
                else {
                    return None;
                };
                if holds == *wanted {
                    ended = Some((*at, *end));
                    break;
                }
            }
            if ended.is_some() {
                break;
            }
            value = i64::from(i32::try_from(value + step).ok()?);
        }
        let (ends_at, end) = ended?;
        let is_test = |at: usize| tests.iter().any(|test| test.0 == at);
        let part = |from: usize, to: usize| -> Block {
            let own = (from..to).filter(|at| !is_test(*at));
            own.map(|at| body[at].clone()).collect()
        };
        let StmtKind::Let(_, value_of) = &body[at].kind else {
            return None;
        };
        Some(Counting {
            number,
            ty: value_of.ty.clone(),
            first,
            last: value,
            before: part(0, ends_at),
            behind: part(ends_at, at),
            counted: counted.0,
            end,
            depth,
            span: stmt.span,
        })
    }

    /// The body of the function: a loop over the numbers, and behind it what ends it.
    fn written(&self, before: &[Stmt], locals: &mut Vec<Local>) -> Option<Block> {
        let mut body = before.to_vec();
        let ends_whole = !self.before.is_empty() && self.behind.is_empty();
        if let Some((depth, least)) = self.depth {
            locals[depth.index()].ty = Type::Int {
                lo: least,
                hi: least + (self.last - self.first).abs(),
            };
        }
        let step = (self.last - self.first).signum();
        let to = if ends_whole {
            self.last
        } else {
            self.last - step
        };
        if ends_whole || self.first != self.last {
            self.write_loop(to, ends_whole, &mut body, locals)?;
        }
        let mut asked = false;
        let behind = self.before.iter().chain(self.end).cloned();
        let behind: Block = behind.collect();
        walk_exprs(&behind, &mut |expr| {
            asked |= expr.kind == ExprKind::Local(self.number)
        });
        if asked {
            body.push(self.is(self.value(self.last)));
        }
        body.extend(self.depth_at(Expr::int(self.last, self.span)));
        if !ends_whole {
            body.extend(self.before.iter().cloned());
        }
        body.extend(self.end.iter().cloned());
        Some(with_one_answer(body, before.len(), locals))
    }

    fn write_loop(
        &self,
        to: i64,
        ends_whole: bool,
        body: &mut Block,
        locals: &mut Vec<Local>,
    ) -> Option<()> {
        let ty = Type::Int {
            lo: self.first.min(to),
            hi: self.first.max(to),
        };
        let index = LocalId::from(locals.len());
        locals.push(Local {
            name: locals[self.number.index()].name.clone(),
            ty: ty.clone(),
        });
        let bound = |value: i64| Expr::constant(Const::Int(value), ty.clone(), self.span);
        let own = Expr::local(index, ty.clone(), self.span);
        let value = match self.ty {
            Type::Wrap32 => Expr::new(
                ExprKind::ToWrap(Box::new(own.clone())),
                Type::Wrap32,
                self.span,
            ),
            _ => return None,
        };
        let mut round = vec![self.is(value)];
        round.extend(self.depth_at(own.clone()));
        round.extend(self.before.iter().chain(&self.behind).cloned());
        match (ends_whole, self.counted.is_empty()) {
            (_, true) => {}
            (false, false) => round.extend(self.counted.iter().cloned()),
            (true, false) => {
                let counts = Expr::binary(BinaryOp::Ne, own, bound(to));
                round.push(Stmt::branch(counts, self.counted.clone(), Block::new()));
            }
        }
        let kind = StmtKind::For {
            local: index,
            from: bound(self.first),
            to: bound(to),
            count: Count::Toward,
            body: round,
            charged: false,
        };
        body.push(Stmt::new(kind, self.span));
        Some(())
    }

    /// The variable of the loop, where the number is this one.
    fn depth_at(&self, number: Expr) -> Option<Stmt> {
        let (local, least) = self.depth?;
        let first = Expr::int(self.first, self.span);
        let counted = match self.last < self.first {
            true => Expr::binary(BinaryOp::Sub, first, number),
            false => Expr::binary(BinaryOp::Sub, number, first),
        };
        let depth = Expr::binary(BinaryOp::Add, counted, Expr::int(least, self.span));
        Some(Stmt::assign(local, depth))
    }

    fn value(&self, value: i64) -> Expr {
        Expr::constant(Const::Int(value), self.ty.clone(), self.span)
    }

    fn is(&self, value: Expr) -> Stmt {
        Stmt::new(StmtKind::Let(self.number, value), self.span)
    }
}

/// Where a round counts at its outermost level, the variable that does, and by how much.
fn count(body: &[Stmt]) -> Option<(usize, LocalId, i64)> {
    let mut all = body.iter().enumerate().rev();
    all.find_map(|(at, stmt)| {
        let StmtKind::Let(local, value) = &stmt.kind else {
            return None;
        };
        let ExprKind::Binary(op, a, b) = &value.kind else {
            return None;
        };
        let step = match (op, &a.kind, &b.kind) {
            (BinaryOp::Add, ExprKind::Local(own), ExprKind::Const(Const::Int(step)))
            | (BinaryOp::Add, ExprKind::Const(Const::Int(step)), ExprKind::Local(own))
                if own == local =>
            {
                *step
            }
            (BinaryOp::Sub, ExprKind::Local(own), ExprKind::Const(Const::Int(step)))
                if own == local =>
            {
                -*step
            }
            _ => return None,
        };
        (step.abs() == 1).then_some((at, *local, step))
    })
}

/// What stands behind the counting and is needed although no round is one too many, and whether there is a test of that. Nothing if
/// something else stands there.
fn counted(behind: &[Stmt], depth: LocalId) -> Option<(Block, bool)> {
    let (mut kept, mut tested) = (Block::new(), false);
    for stmt in behind {
        match &stmt.kind {
            StmtKind::Charge => kept.push(stmt.clone()),
            StmtKind::Continue => {}
            StmtKind::If(cond, yes, no) if no.is_empty() && !tested => {
                let mut of_depth = false;
                let mut more = false;
                cond.walk(&mut |expr| match &expr.kind {
                    ExprKind::Local(local) if *local == depth => of_depth = true,
                    ExprKind::Local(_) => more = true,
                    _ => {}
                });
                if more {
                    return None;
                }
                let [StmtKind::TooDeep] = [&yes.first()?.kind] else {
                    return None;
                };
                tested = of_depth;
            }
            _ => return None,
        }
    }
    Some((kept, tested))
}

/// The constant that a variable has behind some statements.
fn start(before: &[Stmt], number: LocalId) -> Option<i64> {
    let sets = |stmt: &&Stmt| assigned(std::slice::from_ref(*stmt)).contains(&number);
    match &before.iter().rev().find(sets)?.kind {
        StmtKind::Let(_, value) => match value.as_const()? {
            Const::Int(value) => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

/// A test of a number alone that leads out of the function: where it stands, the condition, what follows, and which answer leads there.
fn test(stmt: &Stmt, at: usize, number: LocalId) -> Option<(usize, &Expr, &[Stmt], bool)> {
    let StmtKind::If(cond, yes, no) = &stmt.kind else {
        return None;
    };
    let (end, wanted) = match (&yes[..], &no[..]) {
        (end, []) => (end, true),
        ([], end) => (end, false),
        _ => return None,
    };
    let mut alone = true;
    cond.walk(&mut |expr| alone &= !matches!(&expr.kind, ExprKind::Local(own) if *own != number));
    let returns = matches!(end.last()?.kind, StmtKind::Return(_)) && end.last().is_some_and(leaves);
    (alone && returns).then_some((at, cond, end, wanted))
}

/// A body whose loop, the statement of this number, gives one answer in its rounds, and which gives a constant behind it: both are given
/// behind the loop.
fn with_one_answer(body: Block, at: usize, locals: &mut Vec<Local>) -> Block {
    let [.., last] = &body[..] else { return body };
    let StmtKind::Return(Some(otherwise)) = &last.kind else {
        return body;
    };
    let constant = |value: &Expr| value.as_const().is_some();
    let mut fine = constant(otherwise);
    let Some(StmtKind::For { body: round, .. }) = body.get(at).map(|stmt| &stmt.kind) else {
        return body;
    };
    walk_block(round, &mut |stmt| match &stmt.kind {
        StmtKind::Return(value) => fine &= value.as_ref().is_some_and(constant),
        StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => fine = false,
        _ => {}
    });
    if !fine {
        return body;
    }
    let result = LocalId::from(locals.len());
    locals.push(Local {
        name: String::from("result"),
        ty: otherwise.ty.clone(),
    });
    let (otherwise, span) = (otherwise.clone(), last.span);
    let mut body = body;
    body.pop();
    let answer = Expr::local(result, otherwise.ty.clone(), span);
    if let StmtKind::For { body: round, .. } = &mut body[at].kind {
        break_with(round, result);
    }
    body.insert(at, Stmt::new(StmtKind::Let(result, otherwise), span));
    body.push(Stmt::new(StmtKind::Return(Some(answer)), span));
    body
}

/// Leaves the loop with the answer where a round returned it.
fn break_with(block: &mut Block, result: LocalId) {
    for stmt in std::mem::take(block) {
        let mut stmt = stmt;
        stmt.blocks_mut(&mut |inner| break_with(inner, result));
        match stmt.kind {
            StmtKind::Return(Some(value)) => {
                block.push(Stmt::new(StmtKind::Let(result, value), stmt.span));
                block.push(Stmt::new(StmtKind::Break, stmt.span));
            }
            _ => block.push(stmt),
        }
    }
}
