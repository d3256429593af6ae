//! `tail-calls`: a function whose only recursion is calling itself at its end becomes a loop; so do two functions that call
//! each other at their ends, one of them nothing else.
//!
//! The count of nested calls stays what it was: a round of the loop is a call, the loop has
//! [`RECURSION_LIMIT`] rounds, and one more is a fault `recursion-limit` where the call stood. Each call from outside starts the
//! count if the function is alone: no recursive function calls it, and it calls no other one. Else those that others call are told
//! what to go on from ([`nested`]). The work stays what it was, too: a call of a recursive function spends a unit, so the loop spends one for each
//! further round, and callers spend one before the call, which is no longer one of a recursive function.

mod nested;

use rulec_ir::sorted::SortedSet;

use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Block, Const, Count, Expr, ExprKind, FuncId, Function, Game, Local, LocalId,
    RECURSION_LIMIT, Stmt, StmtKind, Type,
};
use crate::source::Span;

use super::locals::rename_block;
use crate::ir::walk::uses;

/// Turns tail recursion into loops.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let all = (0..game.functions.len()).map(FuncId::from);
    let calls = Calls::of(game);
    if !all.clone().any(|func| calls.is_recursive(func)) {
        return;
    }
    let effects = Effects::of(game);
    for func in all {
        if !effects.is_recursive(func) || !is_called_by_statements(game, func) {
            continue;
        }
        let partner = partner(game, &effects, func);
        if is_alone(game, &effects, func, partner)
            && let Some(looped) = looped(game, func, partner, &SortedSet::new())
        {
            game.functions[func.index()] = looped;
            if let Some(partner) = partner {
                retire(&mut game.functions[partner.index()]);
            }
            charge_callers(game, func, false);
        }
    }
    nested::run(game);
}

/// The other function of a cycle of two, if only this one calls it, and only once.
fn partner(game: &Game, effects: &Effects, func: FuncId) -> Option<FuncId> {
    let cycle = |other: &FuncId| *other != func && effects.reaches(*other).contains(&func);
    let mut others = effects.reaches(func).iter().copied().filter(cycle);
    let (Some(partner), None) = (others.next(), others.next()) else {
        return None;
    };
    let (all, mut own) = (uses(game, partner), 0);
    walk_block(&game.function(func).body, &mut |stmt| {
        own += usize::from(matches!(&stmt.kind, StmtKind::Call { func, .. } if *func == partner));
    });
    let same = game.function(func).ret == game.function(partner).ret;
    (same && all == 1 && own == 1).then_some(partner)
}

/// Empties a function that nothing calls any more.
fn retire(function: &mut Function) {
    function.ret = None;
    function.body.clear();
}

/// Whether no other recursive function is around its calls, or in them.
fn is_alone(game: &Game, effects: &Effects, func: FuncId, partner: Option<FuncId>) -> bool {
    let others = (0..game.functions.len())
        .map(FuncId::from)
        .filter(|&other| other != func && Some(other) != partner);
    let mut recursive = others.filter(|&other| effects.is_recursive(other));
    let reached = effects.reaches(func);
    recursive.all(|other| !reached.contains(&other) && !effects.reaches(other).contains(&func))
}

/// Whether everything that names the function is a statement that calls it, itself apart.
fn is_called_by_statements(game: &Game, func: FuncId) -> bool {
    let own = calls_in_block(&game.function(func).body, func);
    uses(game, func) == statements_that_call(game, func) + own
}

/// How many statements of all functions call one.
fn statements_that_call(game: &Game, func: FuncId) -> usize {
    let mut calls = 0;
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            if let StmtKind::Call { func: other, .. } = &stmt.kind {
                calls += usize::from(*other == func);
            }
        });
    }
    calls
}

/// How many expressions of a block call a function.
fn calls_in_block(block: &[Stmt], func: FuncId) -> usize {
    let mut calls = 0;
    walk_exprs(block, &mut |expr| {
        calls += usize::from(calls_in(expr, func));
    });
    calls
}

fn calls_in(expr: &Expr, func: FuncId) -> bool {
    matches!(&expr.kind, ExprKind::Call(other, _) if *other == func)
}

/// The function as a loop, if all its calls of itself, or of its partner and that one's of it, stand at the end. Some functions,
/// perhaps this one, are told how deep calls are nested.
fn looped(
    game: &Game,
    func: FuncId,
    partner: Option<FuncId>,
    told: &SortedSet<FuncId>,
) -> Option<Function> {
    let function = game.function(func);
    let mut looped = function.clone();
    // Two nested calls make a round of two functions.
    let rounds = i64::from(RECURSION_LIMIT) / if partner.is_some() { 2 } else { 1 };
    const {
        assert!(
            RECURSION_LIMIT.is_multiple_of(2),
            "the partner is never called too deep"
        )
    };
    let is_told = told.contains(&func);
    let params = &function.locals[..function.params - usize::from(is_told)];
    let temporaries = params.to_vec();
    let first = looped.locals.len();
    looped.locals.extend(temporaries);
    looped.locals.push(Local {
        name: "depth".to_owned(),
        ty: Type::Int { lo: 1, hi: rounds },
    });
    let depth = Depth {
        local: LocalId::from(first + params.len()),
        rounds,
        nested: nested::parameter(function).filter(|_| is_told),
        by_turns: partner.is_some(),
    };
    let others: SortedSet<FuncId> = told
        .iter()
        .copied()
        .filter(|other| *other != func)
        .collect();
    let partner = partner.map(|partner| {
        let mut inner = game.function(partner).clone();
        let offset = looped.locals.len();
        rename_block(&mut inner.body, &mut |local| {
            LocalId::from(offset + local.index())
        });
        nested::tell(&mut inner.body, &others, &depth.calls(true, inner.span));
        looped.locals.extend(inner.locals.iter().cloned());
        let own = looped.locals.len();
        looped.locals.extend(inner.locals[..inner.params].to_vec());
        Partner {
            func: partner,
            offset,
            first: own,
            inner,
        }
    });
    let loops = Loop {
        func,
        params,
        first,
        depth,
        partner: partner.as_ref(),
        in_partner: false,
    };
    nested::tell(
        &mut looped.body,
        &others,
        &depth.calls(false, function.span),
    );
    let mut body = loops.block(&looped.body, true)?;
    if function.ret.is_none() {
        body.push(Stmt::new(StmtKind::Return(None), function.span));
    }
    let bound = |value: i64| Expr::constant(Const::Int(value), depth.ty(), function.span);
    let kind = StmtKind::For {
        local: depth.local,
        from: bound(1),
        to: bound(rounds),
        count: Count::Up,
        body,
        charged: false,
    };
    let unreached = Stmt::new(StmtKind::TooDeep, function.span);
    looped.body = vec![Stmt::new(kind, function.span), unreached];
    Some(looped)
}

/// How deep calls are nested in a round of a loop.
#[derive(Clone, Copy)]
struct Depth {
    /// Counts the rounds.
    local: LocalId,
    /// Rounds that calls may nest where none are around the loop.
    rounds: i64,
    /// How many are around it, where that is told.
    nested: Option<LocalId>,
    /// Whether a round is two calls.
    by_turns: bool,
}

impl Depth {
    fn ty(self) -> Type {
        Type::Int {
            lo: 1,
            hi: self.rounds,
        }
    }

    /// The calls that are nested in a round, or in its second call: never more than there may be.
    fn calls(self, second: bool, span: Span) -> Expr {
        let number = |value: i64| Expr::int(value, span);
        let mut calls = Expr::local(self.local, self.ty(), span);
        if self.by_turns {
            calls = Expr::binary(BinaryOp::Mul, calls, number(2));
            if !second {
                calls = Expr::binary(BinaryOp::Sub, calls, number(1));
            }
        }
        if let Some(nested) = self.nested {
            let nested = Expr::local(nested, Type::INT, span);
            calls = Expr::binary(BinaryOp::Add, calls, nested);
            calls = Expr::binary(BinaryOp::Min, calls, number(RECURSION_LIMIT.into()));
        }
        calls
    }

    /// Whether one more call is too deep.
    fn is_last(self, second: bool, span: Span) -> Expr {
        if self.nested.is_none() {
            let last = Expr::int(self.rounds, span);
            return Expr::local(self.local, self.ty(), span).equals(last);
        }
        let last = Expr::int(i64::from(RECURSION_LIMIT), span);
        self.calls(second, span).equals(last)
    }
}

/// A function that stands inside another where it was called.
struct Partner {
    func: FuncId,
    /// Where its variables begin among those of the other.
    offset: usize,
    /// The first of the variables that hold new arguments.
    first: usize,
    /// The function, with its variables renamed.
    inner: Function,
}

/// A function on its way to a loop.
#[derive(Clone, Copy)]
struct Loop<'a> {
    func: FuncId,
    params: &'a [Local],
    /// The first of the variables that hold new arguments.
    first: usize,
    depth: Depth,
    partner: Option<&'a Partner>,
    /// Whether the body of the partner is gone through.
    in_partner: bool,
}

impl Loop<'_> {
    /// A block with jumps for calls; `at_end` tells whether the function ends with it.
    fn block(&self, block: &[Stmt], at_end: bool) -> Option<Block> {
        let mut out = Block::new();
        let mut rest = block.iter();
        while let Some(stmt) = rest.next() {
            let ahead = rest.as_slice();
            let is_last = at_end && ahead.is_empty();
            match &stmt.kind {
                StmtKind::Call { func, args, into } if self.is_of_cycle(*func) => {
                    let returns = match (ahead.first().map(|next| &next.kind), into) {
                        (Some(StmtKind::Return(Some(value))), Some(into)) => {
                            matches!(value.kind, ExprKind::Local(local) if local == *into)
                        }
                        (Some(StmtKind::Return(None)), _) => true,
                        (None, None) => is_last,
                        _ => false,
                    };
                    if !returns || args.iter().any(|arg| self.is_in(arg)) {
                        return None;
                    }
                    out.extend(self.call(*func, args, stmt.span)?);
                    return Some(out);
                }
                StmtKind::Return(Some(value)) if self.is_in(value) => {
                    out.extend(self.give(value, stmt.span)?);
                    return Some(out);
                }
                StmtKind::If(cond, yes, no) if !self.is_in(cond) => {
                    let (yes, no) = (self.block(yes, is_last)?, self.block(no, is_last)?);
                    out.push(Stmt::new(StmtKind::If(cond.clone(), yes, no), stmt.span));
                }
                _ if self.is_in_stmt(stmt) => return None,
                _ => out.push(stmt.clone()),
            }
        }
        Some(out)
    }

    /// Statements that return the value of an expression that ends in a call.
    fn give(&self, value: &Expr, span: Span) -> Option<Block> {
        if !self.is_in(value) {
            return Some(vec![Stmt::give(value.clone())]);
        }
        let (cond, yes, no) = match &value.kind {
            ExprKind::Call(func, args) if self.is_of_cycle(*func) => {
                let inner = args.iter().any(|arg| self.is_in(arg));
                return (!inner)
                    .then(|| self.call(*func, args, value.span))
                    .flatten();
            }
            ExprKind::Binary(BinaryOp::And, a, b) => (
                a,
                self.give(b, span)?,
                vec![Stmt::give(Expr::bool(false, span))],
            ),
            ExprKind::Binary(BinaryOp::Or, a, b) => (
                a,
                vec![Stmt::give(Expr::bool(true, span))],
                self.give(b, span)?,
            ),
            ExprKind::If(cond, yes, no) => (cond, self.give(yes, span)?, self.give(no, span)?),
            _ => return None,
        };
        let plain = !self.is_in(cond);
        plain.then(|| {
            vec![Stmt::new(
                StmtKind::If(cond.as_ref().clone(), yes, no),
                span,
            )]
        })
    }

    fn is_of_cycle(&self, func: FuncId) -> bool {
        func == self.func || self.partner.is_some_and(|partner| partner.func == func)
    }

    /// What stands for a call: with a partner the two call each other by turns.
    fn call(&self, func: FuncId, args: &[Expr], span: Span) -> Option<Block> {
        match self.partner {
            Some(partner) if !self.in_partner => {
                (func == partner.func).then(|| self.enter(partner, args, span))?
            }
            _ => (func == self.func).then(|| self.jump(args, span)),
        }
    }

    /// The body of the partner, for a call of it that stood here. It is never too deep where no calls are around: it makes the nesting even.
    fn enter(&self, partner: &Partner, args: &[Expr], span: Span) -> Option<Block> {
        let inner = &partner.inner;
        let mut block = Block::new();
        for (index, arg) in args.iter().enumerate() {
            let temporary = LocalId::from(partner.first + index);
            block.push(Stmt::assign(temporary, arg.clone()));
        }
        block.push(Stmt::new(StmtKind::Charge, span));
        if self.depth.nested.is_some() {
            block.push(too_deep(self.depth.is_last(false, span)));
        }
        for (index, param) in inner.locals[..inner.params].iter().enumerate() {
            let temporary = LocalId::from(partner.first + index);
            let value = Expr::local(temporary, param.ty.clone(), span);
            block.push(Stmt::assign(LocalId::from(partner.offset + index), value));
        }
        let within = Loop {
            in_partner: true,
            ..*self
        };
        block.extend(within.block(&inner.body, true)?);
        if inner.ret.is_none() {
            block.push(Stmt::new(StmtKind::Return(None), inner.span));
        }
        Some(block)
    }

    /// The next round, for a call that stood here.
    fn jump(&self, args: &[Expr], span: Span) -> Block {
        let mut block = Block::new();
        let temporary = |index: usize| LocalId::from(self.first + index);
        for (index, arg) in args.iter().enumerate() {
            block.push(Stmt::assign(temporary(index), arg.clone()));
        }
        block.push(Stmt::new(StmtKind::Charge, span));
        block.push(too_deep(self.depth.is_last(self.in_partner, span)));
        for (index, param) in self.params.iter().enumerate() {
            let value = Expr::local(temporary(index), param.ty.clone(), span);
            block.push(Stmt::assign(LocalId::from(index), value));
        }
        block.push(Stmt::new(StmtKind::Continue, span));
        block
    }

    fn is_in(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |inner| {
            found |= matches!(&inner.kind, ExprKind::Call(func, _) if self.is_of_cycle(*func));
        });
        found
    }

    fn is_in_stmt(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.walk(&mut |inner| {
            found |= matches!(&inner.kind, StmtKind::Call { func, .. } if self.is_of_cycle(*func));
            inner.children(&mut |expr| found |= self.is_in(expr));
        });
        found
    }
}

/// A fault where one more call is too deep.
fn too_deep(last: Expr) -> Stmt {
    let fault = Stmt::new(StmtKind::TooDeep, last.span);
    Stmt::branch(last, vec![fault], Block::new())
}

/// Spends a unit of work before every call of a function from outside it, which may be too deep if the function is told how deep
/// calls are nested.
fn charge_callers(game: &mut Game, func: FuncId, is_told: bool) {
    let callers = Callers {
        func,
        params: game.function(func).locals[..game.function(func).params].to_vec(),
        is_told,
    };
    for (index, function) in game.functions.iter_mut().enumerate() {
        if index != func.index() {
            callers.charge(&mut function.body, &mut function.locals);
        }
    }
}

/// What calls a function that has become a loop.
struct Callers {
    func: FuncId,
    params: Vec<Local>,
    /// Whether the last argument is how deep calls are nested.
    is_told: bool,
}

impl Callers {
    fn charge(&self, block: &mut Block, locals: &mut Vec<Local>) {
        for mut stmt in std::mem::take(block) {
            stmt.blocks_mut(&mut |inner| self.charge(inner, locals));
            if let StmtKind::Call {
                func: called, args, ..
            } = &mut stmt.kind
                && *called == self.func
            {
                // The arguments are evaluated before the call spends anything.
                let given = self.params.len() - usize::from(self.is_told);
                for (arg, param) in args.iter_mut().zip(&self.params[..given]) {
                    let local = LocalId::from(locals.len());
                    locals.push(param.clone());
                    let span = arg.span;
                    let value = std::mem::replace(arg, Expr::local(local, param.ty.clone(), span));
                    block.push(Stmt::assign(local, value));
                }
                block.push(Stmt::new(StmtKind::Charge, stmt.span));
                if let Some(nested) = args.last().filter(|_| self.is_told) {
                    let most = Expr::int(i64::from(RECURSION_LIMIT), stmt.span);
                    block.push(too_deep(nested.clone().equals(most)));
                }
            }
            block.push(stmt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::effects::Effects;
    use crate::ir::*;
    use crate::opt::tests::assert_same_play;
    use crate::source::{FileId, Span};

    fn at(line: u32) -> Span {
        Span::new(FileId(0), line, line)
    }

    /// A game whose only move counts down from a number by recursion, and adds up on the way.
    fn countdown(recurse: impl Fn(FuncId, Expr, LocalId) -> Block) -> Game {
        let mut builder = GameBuilder::new("count", "none", &["a"]);
        builder.game.state_text.push(StatePart::Outcome);
        let span = at(0);
        let number = builder.domain("Number", Members::Range { lo: 0, hi: 700 }, span);
        let total = builder.var("total", vec![], Type::INT, Const::Int(0), span);
        let family = builder.family(Family {
            name: "count".to_owned(),
            context: vec![],
            params: vec![Param {
                name: "n".to_owned(),
                ty: Type::Elem(number),
                source: ParamSource::All,
            }],
            guard: None,
            after: None,
            effect: None,
            rank: None,
            class: vec![],
            text: vec![TextPart::Param(0)],
            span,
        });
        let range = Type::Int { lo: -1, hi: 700 };
        let down = builder.game.functions.len().into();
        let mut function = FunctionBuilder::new("down", Some(Type::Bool), span);
        let n = function.param("n", range.clone());
        let ok = function.local("ok", Type::Bool);
        let next = function.local("next", range);
        let sum = Expr::binary(
            BinaryOp::Add,
            Expr::var(&builder.game, total, vec![], span),
            function.get(n),
        );
        let zero = Expr::binary(BinaryOp::Le, function.get(n), Expr::int(0, span));
        let mut body = vec![
            Stmt::branch(zero, vec![Stmt::give(Expr::bool(true, span))], vec![]),
            Stmt::set_var(total, vec![], sum),
            Stmt::assign(
                next,
                Expr::binary(BinaryOp::Sub, function.get(n), Expr::int(1, span)),
            ),
        ];
        body.extend(recurse(down, function.get(next), ok));
        builder.function(function.body(body));
        let mut process = FunctionBuilder::new("process", None, span);
        let n = process.local("n", Type::Elem(number));
        let ok = process.local("ok", Type::Bool);
        let mut start = process.get(n).ordinal();
        start.ty = Type::Int { lo: 0, hi: 700 };
        let call = Stmt::call(down, vec![start], Some(ok), at(1));
        let choose = StmtKind::Choose(Choose {
            players: Expr::elem(builder.game.players, 0, span),
            arms: vec![Arm {
                family,
                given: vec![],
                bind: vec![n],
                body: vec![call],
            }],
            otherwise: None,
        });
        let cond = Expr::bool(true, span);
        let body = vec![Stmt::new(choose, span)];
        let forever = StmtKind::While {
            cond,
            bound: u32::MAX,
            body,
        };
        builder.game.process = builder.function(process.body(vec![Stmt::new(forever, span)]));
        builder.game
    }

    fn is_recursive(game: &Game) -> bool {
        Effects::of(game).is_recursive(FuncId(0))
    }

    #[test]
    fn a_call_at_the_end_becomes_a_round() {
        let before = countdown(|down, n, ok| {
            let value = Expr::local(ok, Type::Bool, at(2));
            vec![
                Stmt::call(down, vec![n], Some(ok), at(2)),
                Stmt::give(value),
            ]
        });
        let mut after = before.clone();
        run(&mut after);
        assert!(is_recursive(&before) && !is_recursive(&after));
        // Numbers up to 511 come back; greater ones nest too deep.
        assert_same_play("count", &before, &after, 30, 20);
    }

    #[test]
    fn two_functions_that_call_each_other_become_one_loop() {
        // The partner is made by the one that needs it; it calls that one again at its end.
        let mut before = countdown(|down, n, ok| {
            let partner = FuncId(down.0 + 2);
            let value = Expr::local(ok, Type::Bool, at(2));
            vec![
                Stmt::call(partner, vec![n], Some(ok), at(2)),
                Stmt::give(value),
            ]
        });
        let mut function = FunctionBuilder::new("partner", Some(Type::Bool), at(3));
        let n = function.param("m", Type::Int { lo: -1, hi: 700 });
        let ok = function.local("fine", Type::Bool);
        let total = VarId(0);
        let more = Expr::binary(
            BinaryOp::Add,
            Expr::var(&before, total, vec![], at(3)),
            Expr::int(1, at(3)),
        );
        let body = vec![
            Stmt::set_var(total, vec![], more),
            Stmt::call(FuncId(0), vec![function.get(n)], Some(ok), at(4)),
            Stmt::give(Expr::local(ok, Type::Bool, at(4))),
        ];
        before.functions.push(function.body(body));
        let mut after = before.clone();
        run(&mut after);
        assert!(is_recursive(&before) && !is_recursive(&after));
        // Numbers up to 255 come back; greater ones nest too deep.
        assert_same_play("pair", &before, &after, 30, 20);
    }

    #[test]
    fn a_function_that_another_one_calls_goes_on_counting() {
        // From a number down, and in each round down from 400 again by another function, directly or through one that is not recursive.
        for through in [false, true] {
            let inner = |down: FuncId| FuncId(down.0 + 2 + u32::from(through));
            let mut before = countdown(|down, n, ok| {
                let called = FuncId(down.0 + 2);
                let start = Expr::constant(Const::Int(400), Type::Int { lo: -1, hi: 700 }, at(2));
                let value = Expr::local(ok, Type::Bool, at(2));
                vec![
                    Stmt::call(called, vec![start], Some(ok), at(2)),
                    Stmt::call(down, vec![n], Some(ok), at(3)),
                    Stmt::give(value),
                ]
            });
            let range = Type::Int { lo: -1, hi: 700 };
            let inner = inner(FuncId(0));
            if through {
                let mut function = FunctionBuilder::new("through", Some(Type::Bool), at(4));
                let n = function.param("n", range.clone());
                let ok = function.local("ok", Type::Bool);
                let value = Expr::local(ok, Type::Bool, at(4));
                let body = vec![
                    Stmt::call(inner, vec![function.get(n)], Some(ok), at(4)),
                    Stmt::give(value),
                ];
                before.functions.push(function.body(body));
            }
            let mut function = FunctionBuilder::new("inner", Some(Type::Bool), at(5));
            let n = function.param("n", range.clone());
            let ok = function.local("ok", Type::Bool);
            let next = function.local("next", range);
            let zero = Expr::binary(BinaryOp::Le, function.get(n), Expr::int(0, at(5)));
            let less = Expr::binary(BinaryOp::Sub, function.get(n), Expr::int(1, at(5)));
            let body = vec![
                Stmt::branch(zero, vec![Stmt::give(Expr::bool(true, at(5)))], vec![]),
                Stmt::assign(next, less),
                Stmt::call(inner, vec![function.get(next)], Some(ok), at(6)),
                Stmt::give(Expr::local(ok, Type::Bool, at(6))),
            ];
            before.functions.push(function.body(body));
            let mut after = before.clone();
            run(&mut after);
            assert!(!is_recursive(&after));
            assert!(!Effects::of(&after).is_recursive(inner));
            // Numbers up to 110 come back; with greater ones the other function nests too deep.
            assert_same_play("nested", &before, &after, 60, 20);
        }
    }

    #[test]
    fn a_call_whose_value_is_used_stays() {
        let before = countdown(|down, n, ok| {
            let value = Expr::local(ok, Type::Bool, at(2)).not();
            vec![
                Stmt::call(down, vec![n], Some(ok), at(2)),
                Stmt::give(value),
            ]
        });
        let mut after = before.clone();
        run(&mut after);
        assert_eq!(before, after);
    }
}
