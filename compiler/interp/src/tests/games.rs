//! The samples one by one, against what their rules say.

use super::*;
use crate::ir::{FaultCode, VarId};
use rulec_samples::FAULTS;

fn fault_of(interp: &Interp, state: &State) -> (String, String) {
    match interp.outcome(state).map(|outcome| outcome.reason) {
        Some(Reason::Fault(fault)) => {
            let origin = interp.game().origin(fault.span);
            (fault.code.name().to_owned(), origin)
        }
        other => panic!("no fault but {other:?}"),
    }
}

fn var(interp: &Interp, state: &State, name: &str, cell: usize) -> Value {
    let vars = &interp.game().vars;
    let index = vars.iter().position(|var| var.name == name).expect(name);
    interp.var(state, VarId::from(index), cell).expect(name)
}

#[test]
fn rooks_slide_take_and_are_interchangeable() {
    let rooks = load("rooks");
    let start = rooks.initial();
    let expected = ["w1-b1", "w1-a2", "w1-a3", "w2-b1", "w2-c2", "w2-c3"];
    assert_eq!(texts(&rooks, &start), expected);
    let taken = play(&rooks, &["w1-a3"]);
    assert_eq!(reason(&rooks, &taken), "win [0]");
    assert_eq!(rooks.state_text(&taken), "b1@-;b2@c3;w1@a3;w2@c1|1|0|1");
    let mut events = step(&rooks, &mut rooks.initial(), "w1-a3");
    let put = Event::Put {
        placement: 0,
        piece: 0,
        from: Some(0),
        to: 6,
    };
    assert_eq!(events.pop(), Some(put));
    let take = Event::Take {
        placement: 0,
        piece: 2,
        from: 6,
    };
    assert_eq!(events, [take]);
    let swapped = rooks
        .parse_state("b1@a3;b2@c3;w1@c1;w2@a1|1|0|-1")
        .expect("a position");
    assert!(swapped == start);
    let full = |state: &State| {
        let mut bytes = Vec::new();
        rooks.identity(state, IdentityId(0), &mut bytes);
        bytes
    };
    assert_ne!(full(&swapped), full(&start));
    // A square that both rooks of a side reach is two different moves; from equal places it were one.
    assert_eq!(rooks.distinct_moves(&start).map(|moves| moves.len()), Ok(6));
}

#[test]
fn the_longest_free_line_counts_only_as_a_meter() {
    let rooks = load("rooks");
    let walked = play(&rooks, &["w1-a2", "b1-b3", "w1-a1", "b1-a3"]);
    assert_eq!(var(&rooks, &walked, "longest", 0), Value::Int(2));
    assert_eq!(var(&rooks, &rooks.initial(), "longest", 0), Value::Int(0));
    assert!(walked == rooks.initial());
}

#[test]
fn the_king_keeps_out_of_reach() {
    let king = load("king");
    assert_eq!(texts(&king, &king.initial()), ["Kb1", "Ka2", "Kb2"]);
    let checked = play(&king, &["Kb1", "Rb3"]);
    assert_eq!(texts(&king, &checked), ["Ka1", "Kc1", "Ka2", "Kc2"]);
    assert_eq!(perfts("king", 1..=2), [3, 6]);
}

#[test]
fn captures_are_forced_and_the_stuck_lose() {
    let forced = load("forced");
    assert_eq!(texts(&forced, &forced.initial()), ["step 2"]);
    let open = play(&forced, &["step 2", "step 6"]);
    assert_eq!(texts(&forced, &open), ["step 1", "step 3"]);
    let offered = play(&forced, &["step 2", "step 6", "step 3"]);
    assert_eq!(texts(&forced, &offered), ["jump 5"]);
    for seed in 0..20 {
        let mut last = None;
        wander(&forced, seed, 100, |state| last = forced.outcome(state));
        let outcome = last.expect("men only move ahead");
        assert_eq!((outcome.reason, outcome.winners.len()), (Reason::Stuck, 1));
    }
}

#[test]
fn who_cannot_move_passes_at_once() {
    let passing = load("passing");
    let even = [
        "take 1", "take 2", "take 3", "take 4", "take 5", "take 6", "take 7",
    ];
    let end = play(&passing, &even);
    assert_eq!(reason(&passing, &end), "win [0]");
    assert_eq!(passing.scores(&end), [16, 12]);
    let joker = ["take 1", "take 7", "take 3", "take 2", "take 5", "take 4"];
    let passed = play(&passing, &joker);
    assert_eq!(passing.turn(&passed), Turn::Decide(vec![1]));
    assert_eq!(texts(&passing, &passed), ["take 6"]);
    let end = play(&passing, &[&joker[..], &["take 6"]].concat());
    assert_eq!(reason(&passing, &end), "win [1]");
    assert_eq!(passing.scores(&end), [9, 19]);
}

#[test]
fn draws_have_exact_weights() {
    let dice = load("dice");
    let rolling = play(&dice, &["bold"]);
    assert_eq!(dice.turn(&rolling), Turn::Chance);
    let weights: Vec<(String, u64)> = dice
        .chance_outcomes(&rolling)
        .into_iter()
        .map(|(mv, weight)| (dice.move_text(mv), weight))
        .collect();
    let expected = [
        ("sum 2", 1),
        ("sum 3", 2),
        ("sum 4", 3),
        ("sum 5", 2),
        ("sum 6", 1),
    ];
    assert_eq!(
        weights,
        expected.map(|(text, weight)| (text.to_owned(), weight))
    );
    let lost = play(&dice, &["bold", "sum 4"]);
    assert_eq!(var(&dice, &lost, "at", 0), Value::Int(0));
    assert_eq!(dice.turn(&lost), Turn::Decide(vec![1]));
    assert_eq!(reason(&dice, &play(&dice, &["bold", "sum 6"])), "win [0]");
    // Seven of the eight results go on.
    assert_eq!(perfts("dice", 1..=4), [2, 8, 14, 56]);
    // A result that cannot be drawn is no move.
    let mut state = rolling.clone();
    let die = dice.parse_move("die 2");
    assert!(!die.is_empty() && !dice.play(&mut state, die[0]));
}

#[test]
fn choices_inside_loops_and_calls_keep_what_they_need() {
    let nested = load("nested");
    assert_eq!(perfts("nested", 1..=3), [3, 18, 78]);
    let first = play(&nested, &["bid 2", "take 6"]);
    assert_eq!(nested.scores(&first), [8, 0]);
    assert_eq!(nested.turn(&first), Turn::Decide(vec![0]));
    let second = play(&nested, &["bid 2", "take 6", "take 5"]);
    assert_eq!(nested.scores(&second), [20, 0]);
    assert_eq!(nested.turn(&second), Turn::Decide(vec![1]));
    // The bid is part of the position as long as it matters, and no longer.
    assert!(play(&nested, &["bid 1"]) != play(&nested, &["bid 2"]));
    let short = play(&nested, &["bid 1", "take 2", "bid 1", "take 1"]);
    let other = play(&nested, &["bid 1", "take 2", "bid 1", "take 1"]);
    assert!(short == other && nested.scores(&short) == [3, 2]);
    let end = [
        "bid 3", "take 6", "take 5", "take 4", "bid 3", "take 3", "take 2", "take 1",
    ];
    assert_eq!(reason(&nested, &play(&nested, &end)), "win [0]");
}

#[test]
fn several_players_may_be_to_move() {
    let game = load("simultaneous");
    let start = game.initial();
    assert_eq!(game.turn(&start), Turn::Decide(vec![0, 1, 2]));
    assert_eq!(perfts("simultaneous", 1..=3), [9, 54, 162]);
    let said = play(&game, &["bob: 1"]);
    assert_eq!(game.turn(&said), Turn::Decide(vec![0, 2]));
    assert!(play(&game, &["bob: 1", "ann: 2"]) == play(&game, &["ann: 2", "bob: 1"]));
    let end = play(&game, &["bob: 1", "ann: 1", "cid: 2"]);
    assert_eq!(reason(&game, &end), "win [2]");
    let all = ["ann: 2", "bob: 2", "cid: 2"];
    let again = play(&game, &[all, all].concat());
    assert_eq!(reason(&game, &again), "limit []");
}

#[test]
fn trials_keep_and_drop_what_they_should() {
    let trials = load("trials");
    let high = play(&trials, &["3", "3", "1"]);
    assert_eq!(var(&trials, &high, "total", 0), Value::Int(7));
    assert_eq!(var(&trials, &high, "kept", 0), Value::Int(9));
    assert_eq!(texts(&trials, &high), ["1", "2"]);
    assert_eq!(
        reason(&trials, &play(&trials, &["3", "3", "1", "2"])),
        "win [0]"
    );
}

#[test]
fn snapshots_give_back_what_they_keep() {
    let game = load("rollback");
    let never = play(&game, &["step", "back"]);
    assert_eq!(
        fault_of(&game, &never),
        ("no-value".to_owned(), "rollback.ir:1:1".to_owned())
    );
    let back = play(&game, &["step", "done", "step", "back"]);
    assert_eq!(var(&game, &back, "steps", 0), Value::Int(1));
    assert_eq!(var(&game, &back, "backs", 0), Value::Int(1));
    let end = play(&game, &["step", "step", "step"]);
    assert_eq!(reason(&game, &end), "elimination []");
}

#[test]
fn loops_run_as_they_say() {
    let loops = load("loops");
    // The function counts 189; `yes` on the first item adds 101.
    let odd = play(&loops, &["stop", "stop"]);
    assert_eq!(var(&loops, &odd, "sum", 0), Value::Int(189));
    assert_eq!(reason(&loops, &odd), "win [1]");
    let even = play(&loops, &["yes", "stop", "stop"]);
    assert_eq!(var(&loops, &even, "sum", 0), Value::Int(290));
    assert_eq!(reason(&loops, &even), "win [0]");
    let long = play(&loops, &["no", "no", "yes", "no", "no", "yes"]);
    assert_eq!(var(&loops, &long, "sum", 0), Value::Int(104 + 105 + 189));
    // In a round: stop at the first, second or third item, or answer all three.
    assert_eq!(perfts("loops", 1..=2), [3, 9]);
}

#[test]
fn the_environment_is_shared_and_starts_empty() {
    let game = load("environment");
    let start = game.initial();
    let expected = [
        "hop near 1 to 1",
        "hop near 2 to 2",
        "hop far 3 to 3",
        "hop far 4 to 4",
        "hop far 5 to 5",
        "leap 1 1",
        "leap 1 7",
        "leap 6 6",
        "leap 6 7",
    ];
    assert_eq!(texts(&game, &start), expected);
    let mut state = start.clone();
    let events = step(&game, &mut state, "hop far 5 to 5");
    let values = vec![
        (Value::Elem(1), "far".to_owned()),
        (Value::Elem(5), "5".to_owned()),
    ];
    let signal = Event::Signal("hop".to_owned(), values);
    assert_eq!(events, [Event::Log("hop to 5".to_owned()), signal]);
    assert_eq!(texts(&game, &state)[..2], ["hop near 1 to 6", "leap 1 1"]);
    let search = game.function("search").expect("a probe");
    let env = [Some(Value::Wrap(4)), None, None];
    let answer = game.ask(&start, search, &[], &env).expect("no fault");
    assert_eq!(answer.value, Some(Value::Bool(true)));
    assert_eq!(
        answer.env,
        [Some(Value::Wrap(6)), Some(Value::Opt(Some(6))), None]
    );
    let fault = game
        .ask(&start, search, &[], &[])
        .expect_err("i has no value");
    assert_eq!(fault.code, FaultCode::UnsetVariable);
}

#[test]
fn sequences_grow_to_their_bound() {
    let stack = load("stack");
    let facts = |moves: &[&str]| var(&stack, &play(&stack, moves), "facts", 0);
    assert_eq!(facts(&["+a"]), Value::Int(1));
    assert_eq!(facts(&["+a", "+b"]), Value::Int(101));
    assert_eq!(facts(&["+b"]), Value::Int(110));
    assert_eq!(facts(&["+a", "+b", "pop"]), Value::Int(1));
    assert_eq!(facts(&["pop"]), Value::Int(10));
    assert_eq!(
        reason(&stack, &play(&stack, &["+a", "+b", "+a"])),
        "win [0]"
    );
    let full = play(&stack, &["+b", "+b", "+b", "+b"]);
    let over = play(&stack, &["+b", "+b", "+b", "+b", "+a"]);
    assert_eq!(fault_of(&stack, &over).0, "sequence-full");
    assert_eq!(var(&stack, &over, "word", 0), var(&stack, &full, "word", 0));
    assert!(texts(&stack, &over).is_empty() && stack.turn(&over) == Turn::Over);
}

#[test]
fn tagged_values_know_their_type() {
    let tagged = load("tagged");
    assert_eq!(
        reason(&tagged, &play(&tagged, &["put wrap", "grow"])),
        "win [0]"
    );
    let grown = play(&tagged, &["put number", "grow", "grow"]);
    assert_eq!(var(&tagged, &grown, "count", 0), Value::Int(1));
    for kind in ["put colour", "put maybe", "put flag"] {
        let wrong = play(&tagged, &[kind, "grow"]);
        let expected = ("wrong-type".to_owned(), "tagged.ir:2:1".to_owned());
        assert_eq!(fault_of(&tagged, &wrong), expected);
    }
}

#[test]
fn subsets_come_in_the_order_of_their_ranks() {
    let subsets = load("subsets");
    let start = texts(&subsets, &subsets.initial());
    assert_eq!(
        start[..4],
        ["name {1,2}", "name {1,3}", "name {2,3}", "name {1,4}"]
    );
    assert_eq!(start[9], "name {4,5}");
    let rest = play(&subsets, &["name {2,3}"]);
    let expected = [
        "keep 0: {}",
        "keep 1: {1}",
        "keep 1: {4}",
        "keep 1: {5}",
        "keep 2: {1,4}",
        "keep 2: {1,5}",
        "keep 2: {4,5}",
        "keep 3: {1,4,5}",
    ];
    assert_eq!(texts(&subsets, &rest), expected);
    // Of the kept ones one decides: 3 times 1, 3 times 2, once 3; nothing kept is stuck.
    assert_eq!(perfts("subsets", 1..=3), [10, 80, 120]);
    let none = play(&subsets, &["name {2,3}", "keep 0: {}"]);
    assert_eq!(reason(&subsets, &none), "stuck []");
}

#[test]
fn the_third_repetition_is_a_draw() {
    let game = load("repetition");
    let twice = play(&game, &["b", "a"]);
    assert!(
        twice == game.initial(),
        "neither clock nor trail tell positions apart"
    );
    assert_eq!(reason(&game, &play(&game, &["b", "a", "b"])), "goes on");
    assert_eq!(
        reason(&game, &play(&game, &["b", "a", "b", "a"])),
        "draw []"
    );
    let forgot = play(&game, &["b", "a", "b", "c", "b", "a", "b", "a"]);
    assert_eq!(reason(&game, &forgot), "goes on");
    assert_eq!(reason(&game, &play(&game, &["b", "c", "d"])), "stuck []");
}

#[test]
fn things_lie_in_things() {
    let boxes = load("boxes");
    let start = boxes.initial();
    let all = texts(&boxes, &start);
    let expected = [
        "ball1 into bag",
        "ball1 into box",
        "ball2 into bag",
        "ball2 into box",
        "bag into box",
    ];
    assert_eq!(all, expected);
    let distinct = boxes.distinct_moves(&start).expect("no fault");
    let distinct: Vec<String> = distinct.into_iter().map(|mv| boxes.move_text(mv)).collect();
    assert_eq!(
        distinct,
        ["ball1 into bag", "ball1 into box", "bag into box"]
    );
    let kinds = |state: &State| {
        let mut bytes = Vec::new();
        boxes.identity(state, IdentityId(1), &mut bytes);
        bytes
    };
    let (one, two) = (
        play(&boxes, &["ball1 into bag"]),
        play(&boxes, &["ball2 into bag"]),
    );
    assert!(one != two && kinds(&one) == kinds(&two));
    let end = play(
        &boxes,
        &[
            "ball1 into bag",
            "bag into box",
            "ball1 into box",
            "ball2 into box",
        ],
    );
    assert_eq!(reason(&boxes, &end), "win [0]");
}

#[test]
fn every_fault_names_its_kind_and_place() {
    let faults = load("faults");
    let codes = [
        "division-by-zero",
        "division-by-zero",
        "overflow",
        "overflow",
        "overflow",
        "out-of-range",
        "index-outside",
        "index-outside",
        "index-outside",
        "no-value",
        "no-value",
        "no-value",
        "unset-variable",
        "wrong-type",
        "place-occupied",
        "sequence-full",
        "sequence-full",
        "work-limit",
        "work-limit",
        "recursion-limit",
        "failed",
        "rule",
        "rule",
    ];
    let start = faults.initial();
    for (number, (name, code)) in FAULTS.iter().zip(codes).enumerate() {
        let state = play(&faults, &[name]);
        let origin = format!("faults.ir:{}:1", number + 2);
        assert_eq!(
            fault_of(&faults, &state),
            (code.to_owned(), origin),
            "{name}"
        );
        assert_eq!(var(&faults, &state, "zero", 0), Value::Int(0), "{name}");
        assert!(state != start && faults.turn(&state) == Turn::Over);
        let again = faults.parse_state(&faults.state_text(&state)).expect(name);
        assert_eq!(faults.outcome(&again), faults.outcome(&state));
    }
}

#[test]
fn faults_at_a_stop_are_outcomes_of_the_position() {
    let broken = load("broken");
    let line = |number: u32| format!("broken.ir:{}:1", number + 1);
    let guard = play(&broken, &["guard", "coin 0"]);
    assert_eq!(broken.turn(&guard), Turn::Decide(vec![0]));
    assert_eq!(
        fault_of(&broken, &guard),
        ("division-by-zero".to_owned(), line(1))
    );
    assert!(broken.legal_moves(&guard).is_err());
    let players = play(&broken, &["players", "coin 0"]);
    assert_eq!(broken.turn(&players), Turn::Over);
    assert_eq!(
        fault_of(&broken, &players),
        ("no-value".to_owned(), line(2))
    );
    let weights = play(&broken, &["weights"]);
    assert_eq!(
        fault_of(&broken, &weights),
        ("no-value".to_owned(), line(3))
    );
    assert_eq!(var(&broken, &weights, "way", 0), Value::Elem(2));
    let negative = play(&broken, &["negative"]);
    assert_eq!(
        fault_of(&broken, &negative),
        ("out-of-range".to_owned(), line(3))
    );
    assert_eq!(
        reason(&broken, &play(&broken, &["fine", "coin 1"])),
        "win [0]"
    );
}

#[test]
fn recursion_through_large_expressions_has_room() {
    use crate::ir::builder::FunctionBuilder;
    use crate::ir::{BinaryOp, Expr, ExprKind, FuncId, Type};
    use crate::source::Span;
    let span = Span::default();
    let mut game = rulec_samples::by_name("faults").expect("a sample");
    let index = game
        .functions
        .iter()
        .position(|f| f.name == "deep")
        .expect("a function");
    let mut f = FunctionBuilder::new("deep", Some(Type::INT), span);
    let n = f.param("n", Type::INT);
    let call = ExprKind::Call(FuncId::from(index), vec![f.get(n)]);
    let mut value = Expr::new(call, Type::INT, span);
    for _ in 0..300 {
        value = Expr::binary(BinaryOp::Max, Expr::int(0, span), value);
    }
    game.functions[index] = f.body(vec![crate::ir::Stmt::give(value)]);
    let deep = interp("deep", game);
    let state = play(&deep, &["depth"]);
    assert_eq!(fault_of(&deep, &state).0, "recursion-limit");
}
