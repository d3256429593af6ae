//! What parts of bodies are given, and what they give.

use super::{Limits, run_within};
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::verify::verify;
use crate::ir::*;
use crate::opt::suspend;
use crate::source::Span;

const LIMITS: Limits = Limits { most: 14, least: 6 };

fn at() -> Span {
    Span::default()
}

/// Whether the variable of state is that number.
fn asks(game: &Game, state: VarId, value: i64) -> Expr {
    let state = Expr::var(game, state, vec![], at());
    Expr::binary(BinaryOp::Lt, state, Expr::int(value, at()))
}

/// Stores a local variable in the state, in some lines.
fn uses(state: VarId, local: LocalId) -> Block {
    let value = Expr::binary(
        BinaryOp::Min,
        Expr::local(local, Type::INT, at()),
        Expr::int(5, at()),
    );
    let store = Stmt::new(StmtKind::SetVar(state, vec![], value), at());
    vec![store.clone(), store.clone(), store]
}

/// A value for a local variable, and uses of it.
fn used(state: VarId, local: LocalId, value: i64) -> Block {
    let mut block = vec![Stmt::assign(local, Expr::int(value, at()))];
    block.extend(uses(state, local));
    block
}

/// Takes parts out of a body that is made from a state variable and a local one; how many there are.
fn parts(body: impl Fn(&Game, VarId, LocalId, LocalId) -> Block) -> usize {
    let mut builder = GameBuilder::new("test", "none", &["a"]);
    let process = FunctionBuilder::new("process", None, at()).body(vec![]);
    builder.game.process = builder.function(process);
    let state = builder.var("state", vec![], Type::INT, Const::Int(0), at());
    let mut function = FunctionBuilder::new("long", None, at());
    let local = function.local("x", Type::INT);
    let round = function.local("round", Type::INT);
    let body = body(&builder.game, state, local, round);
    builder.function(function.body(body));
    let mut game = builder.game;
    suspend::run(&mut game);
    let before = game.functions.len();
    assert_eq!(unassigned(&game), 0);
    run_within(&mut game, LIMITS);
    assert_eq!(unassigned(&game), 0);
    game.functions.len() - before
}

/// Reads that may come before a value.
fn unassigned(game: &Game) -> usize {
    let errors = verify(game).err().unwrap_or_default();
    let errors = errors.iter();
    errors.filter(|e| e.text.contains("may be read")).count()
}

fn when(cond: Expr, block: Block) -> Stmt {
    Stmt::branch(cond, block, vec![])
}

#[test]
fn a_part_gives_nothing_that_nobody_reads_before_it_is_assigned_again() {
    let branches = |game: &Game, state, x, _| {
        vec![
            when(asks(game, state, 1), used(state, x, 1)),
            when(asks(game, state, 2), used(state, x, 2)),
            when(asks(game, state, 3), used(state, x, 3)),
        ]
    };
    assert!(parts(branches) > 1);
    let rounds = |game: &Game, state, x, local| {
        let body = vec![
            when(asks(game, state, 1), used(state, x, 1)),
            when(asks(game, state, 2), used(state, x, 2)),
        ];
        let kind = StmtKind::For {
            local,
            from: Expr::int(1, at()),
            to: Expr::int(3, at()),
            count: Count::Up,
            body,
            charged: false,
        };
        vec![Stmt::new(kind, at())]
    };
    assert!(parts(rounds) > 0);
    let broken = |game: &Game, state, x, _| {
        let mut left = used(state, x, 1);
        left.push(Stmt::new(StmtKind::Break, at()));
        let mut body = vec![when(asks(game, state, 1), left)];
        body.push(when(asks(game, state, 2), used(state, x, 2)));
        body.push(Stmt::new(StmtKind::Break, at()));
        let kind = StmtKind::While {
            cond: Expr::bool(true, at()),
            bound: 9,
            body,
        };
        let mut block = vec![Stmt::new(kind, at())];
        block.extend(used(state, x, 3));
        block
    };
    assert!(parts(broken) > 0);
}

#[test]
fn a_part_gives_what_is_read_behind_it() {
    let after = |game: &Game, state, x, _| {
        let mut block = used(state, x, 1);
        block.push(when(asks(game, state, 1), used(state, x, 2)));
        block.extend(uses(state, x));
        block
    };
    assert!(parts(after) > 0);
    let next_round = |game: &Game, state, x, local| {
        let mut body = uses(state, x);
        body.push(when(asks(game, state, 2), used(state, x, 2)));
        let kind = StmtKind::For {
            local,
            from: Expr::int(1, at()),
            to: Expr::int(3, at()),
            count: Count::Up,
            body,
            charged: false,
        };
        vec![Stmt::assign(x, Expr::int(0, at())), Stmt::new(kind, at())]
    };
    assert!(parts(next_round) > 0);
    let behind_a_loop = |game: &Game, state, x, _| {
        let mut left = used(state, x, 1);
        left.push(Stmt::new(StmtKind::Break, at()));
        let other = vec![Stmt::assign(x, Expr::int(7, at())), left[4].clone()];
        let kind = StmtKind::While {
            cond: Expr::bool(true, at()),
            bound: 9,
            body: vec![Stmt::branch(asks(game, state, 1), left, other)],
        };
        let mut block = vec![Stmt::new(kind, at())];
        block.extend(uses(state, x));
        block
    };
    assert!(parts(behind_a_loop) > 0);
}

#[test]
fn a_statement_weighs_a_line_and_a_block_one_more() {
    let stop = || Stmt::new(StmtKind::Break, at());
    assert_eq!(super::weight(&[stop(), stop()]), 2);
    let branch = Stmt::branch(Expr::bool(true, at()), vec![stop()], vec![]);
    assert_eq!(super::weight(&[branch]), 4);
}
