//! A compiler with a defect is caught by the comparison of engines, and the witness is short.

use std::path::Path;

use rulec_cli::Rules;
use rulec_cli::difftest::{Here, Program, Report, Settings, compare};
use rulec_cli::interpreted::{Forgetful, InterpretedGame};
use rulec_compiler::ir::{BinaryOp, Expr, ExprKind, Game, Stmt};

use crate::corpus;

const SETTINGS: Settings = Settings {
    positions: 3_000,
    seed: 1,
    plies: 200,
    deep: 4,
    threads: 2,
};

fn rules(file: &str) -> Rules {
    Rules::open(&corpus::root().join(file), "all").expect("the rules can be read")
}

/// Compares a game with what a pass made of it, both interpreted.
fn after_pass(file: &str, pass: fn(&mut Game)) -> Report {
    let output = rules(file).output.expect("the rules are right");
    let mut changed = output.lowered.clone();
    pass(&mut changed);
    assert_ne!(changed, output.lowered, "the pass does something");
    let [one, two] = [output.lowered, changed]
        .map(|game| InterpretedGame::new(game).expect("the program is sound"));
    let make = || {
        let machine = |game| Here::new(rulec_engines::interpreted(game));
        Ok((machine(&one), machine(&two)))
    };
    compare(&SETTINGS, make, |_| {}).expect("both machines run")
}

/// A pass with a defect: it takes one kind of operation for another.
fn confuse(game: &mut Game, from: BinaryOp, to: BinaryOp) {
    fn expr(e: &mut Expr, from: BinaryOp, to: BinaryOp) {
        if let ExprKind::Binary(op, ..) = &mut e.kind
            && *op == from
        {
            *op = to;
        }
        e.children_mut(&mut |child| expr(child, from, to));
    }
    fn block(stmts: &mut [Stmt], from: BinaryOp, to: BinaryOp) {
        for stmt in stmts {
            stmt.children_mut(&mut |child| expr(child, from, to));
            stmt.blocks_mut(&mut |inner| block(inner, from, to));
        }
    }
    for function in &mut game.functions {
        block(&mut function.body, from, to);
    }
}

#[test]
fn a_broken_pass_is_caught_and_shrunk() {
    let report = after_pass("games/s3/tic_tac_toe.s3", |game| {
        confuse(game, BinaryOp::And, BinaryOp::Or);
    });
    let witness = report.witness.expect("the games differ");
    assert!(!witness.facts.is_empty());
    assert!(witness.moves.len() <= 9, "{witness:?}");
    assert!(witness.moves.len() <= witness.found_after, "{witness:?}");
}

#[test]
fn a_sound_pass_changes_nothing() {
    let report = after_pass("games/s3/tic_tac_toe.s3", |game| {
        for pass in rulec_compiler::opt::PASSES {
            (pass.run)(game);
        }
    });
    assert_eq!(report.witness, None, "{}", report.text(["before", "after"]));
}

#[test]
fn a_broken_emitter_is_caught_and_shrunk() {
    let rules = rules("games/s3/tic_tac_toe.s3");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken-emitter");
    let tools = corpus::tools();
    let runtime = tools.runtime.to_string_lossy();
    let mut files = rules
        .crate_files("broken-emitter", &runtime)
        .expect("a crate");
    let mut changes = 0;
    for (_, text) in files
        .iter_mut()
        .filter(|(path, _)| path.ends_with("game.rs"))
    {
        changes += text.matches("State::WIN,").count();
        *text = text.replace("State::WIN,", "State::DRAW,");
    }
    assert!(changes > 0, "the emitter writes wins");
    tools
        .write_crate(&folder, &files)
        .expect("it can be written");
    let program = tools.build(&folder, "broken-emitter").expect("it builds");

    let output = rules.output.as_ref().expect("the rules are right");
    let game = InterpretedGame::new(output.lowered.clone()).expect("the program is sound");
    let game = Forgetful::new(game, &rules.quotient().expect("its marks are alike"));
    let make = || {
        Ok((
            Here::new(rulec_engines::forgetful(&game)),
            Program::start(&program, &[])?,
        ))
    };
    let report = compare(&SETTINGS, make, |_| {}).expect("both machines run");
    let witness = report.witness.expect("the games differ");
    // Both win with their third move at the earliest; the position before it knows of the win already.
    let winner = match witness.moves.len() {
        4 => 1,
        5 => 2,
        _ => panic!("a longer line than need be: {witness:?}"),
    };
    let (win, draw) = (
        format!("win won by [{winner}]"),
        format!("draw won by [{winner}]"),
    );
    let told = |(one, two): &(String, String)| one.contains(&win) && two.contains(&draw);
    assert!(witness.facts.iter().any(told), "{witness:?}");
}
