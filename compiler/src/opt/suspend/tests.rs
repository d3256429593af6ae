use expect_test::expect;

use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_block;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const SPAN: Span = Span::new(crate::source::FileId(0), 0, 0);

fn stmt(kind: StmtKind) -> Stmt {
    Stmt::new(kind, SPAN)
}

fn game() -> GameBuilder {
    let mut builder = GameBuilder::new("test", "none", &["a", "b"]);
    builder.game.state_text.push(StatePart::Outcome);
    builder
}

/// A family without parameters.
fn family(builder: &mut GameBuilder, name: &str) -> FamilyId {
    builder.family(Family {
        name: name.to_owned(),
        context: Vec::new(),
        params: Vec::new(),
        guard: None,
        after: None,
        effect: None,
        rank: None,
        class: Vec::new(),
        text: vec![TextPart::Text(name.to_owned())],
        span: SPAN,
    })
}

fn choose(arms: &[(FamilyId, Block)]) -> Stmt {
    let arm = |(family, body): &(FamilyId, Block)| Arm {
        family: *family,
        given: Vec::new(),
        bind: Vec::new(),
        body: body.clone(),
    };
    stmt(StmtKind::Choose(Choose {
        players: Expr::elem(DomainId(0), 0, SPAN),
        arms: arms.iter().map(arm).collect(),
        otherwise: None,
    }))
}

fn forever(body: Block) -> Stmt {
    let cond = Expr::bool(true, SPAN);
    stmt(StmtKind::While {
        cond,
        bound: u32::MAX,
        body,
    })
}

fn coin(builder: &mut GameBuilder, into: LocalId) -> Stmt {
    builder.game.draws.push(Draw {
        name: "coin".to_owned(),
        ty: Type::Int { lo: 0, hi: 1 },
        text: vec![TextPart::Param(0)],
        span: SPAN,
    });
    stmt(StmtKind::Chance(Chance {
        draw: DrawId::from(builder.game.draws.len() - 1),
        dist: Distribution::Uniform(Expr::int(0, SPAN), Expr::int(1, SPAN)),
        into,
    }))
}

fn machine(mut builder: GameBuilder, process: Function) -> Game {
    builder.game.process = builder.function(process);
    let before = builder.game.clone();
    run(&mut builder.game);
    assert_same_play("machine", &before, &builder.game, 10, 100);
    builder.game
}

fn stops(block: &Block) -> Vec<PointId> {
    let mut stops = Vec::new();
    walk_block(block, &mut |stmt| {
        if let StmtKind::Stop(point) = stmt.kind {
            stops.push(point);
        }
    });
    stops
}

fn arms(point: &Point) -> Vec<&Block> {
    match point {
        Point::Choose(choose) => choose.arms.iter().map(|arm| &arm.body).collect(),
        Point::Chance(_, block) => vec![block],
    }
}

#[test]
fn a_loop_around_one_decision_needs_no_control_state() {
    let mut builder = game();
    let (a, b) = (family(&mut builder, "left"), family(&mut builder, "right"));
    let lose = stmt(StmtKind::Fault("lost".to_owned()));
    let body = vec![forever(vec![choose(&[
        (a, vec![]),
        (b, vec![lose.clone()]),
    ])])];
    let game = machine(
        builder,
        FunctionBuilder::new("process", None, SPAN).body(body),
    );
    let machine = game.machine.expect("the pass makes a machine");
    assert_eq!(machine.start, [stmt(StmtKind::Stop(PointId(0)))]);
    assert_eq!(machine.points.len(), 1);
    assert_eq!(machine.saved, []);
    assert_eq!(game.state_text, [StatePart::Outcome]);
    let [left, right] = arms(&machine.points[0])[..] else {
        panic!("two arms")
    };
    assert_eq!(*left, [stmt(StmtKind::Stop(PointId(0)))]);
    assert_eq!(*right, [lose]);
}

#[test]
fn what_lives_across_a_stop_is_saved_and_nothing_else() {
    let mut builder = game();
    let total = builder.var("total", vec![], Type::INT, Const::Int(0), SPAN);
    let step = family(&mut builder, "step");
    let mut process = FunctionBuilder::new("process", None, SPAN);
    let kept = process.local("kept", Type::Int { lo: 0, hi: 9 });
    let lost = process.local("lost", Type::Int { lo: 0, hi: 9 });
    let body = vec![
        Stmt::assign(kept, Expr::int(3, SPAN)),
        Stmt::assign(lost, Expr::int(4, SPAN)),
        Stmt::set_var(total, vec![], process.get(lost)),
        choose(&[(step, vec![])]),
        Stmt::set_var(total, vec![], process.get(kept)),
        choose(&[(step, vec![])]),
    ];
    let game = machine(builder, process.body(body));
    let machine = game.machine.as_ref().expect("the pass makes a machine");
    let names: Vec<&str> = machine
        .saved
        .iter()
        .map(|&var| game.var(var).name.as_str())
        .collect();
    assert_eq!(names, ["kept"]);
    assert_eq!(machine.points.len(), 2);
    let writes = |block: &Block| {
        let kinds = block.iter().filter(
            |stmt| matches!(&stmt.kind, StmtKind::SetVar(var, ..) if *var == machine.saved[0]),
        );
        kinds.count()
    };
    assert_eq!(writes(&machine.start), 1, "the value is stored");
    assert_eq!(
        writes(arms(&machine.points[0])[0]),
        1,
        "and cleared where it is not needed"
    );
    assert!(game.state_text.contains(&StatePart::Point));
}

#[test]
fn branches_that_meet_are_not_copied() {
    let mut builder = game();
    let total = builder.var("total", vec![], Type::INT, Const::Int(0), SPAN);
    let step = family(&mut builder, "step");
    let process = FunctionBuilder::new("process", None, SPAN);
    let odd = || {
        let value = Expr::new(ExprKind::Var(total, vec![]), Type::INT, SPAN);
        Expr::binary(BinaryOp::Eq, value, Expr::int(1, SPAN))
    };
    let maybe = |inner: Stmt| {
        Stmt::branch(
            odd(),
            vec![Stmt::branch(odd(), vec![inner], vec![])],
            vec![],
        )
    };
    let body: Block = (0..12).map(|_| maybe(choose(&[(step, vec![])]))).collect();
    let game = machine(builder, process.body(body));
    let machine = game.machine.expect("the pass makes a machine");
    assert_eq!(machine.points.len(), 12);
    assert_eq!(stops(&machine.start).len(), 12, "each stop once");
    let last = arms(&machine.points[11])[0];
    assert!(matches!(
        last[..],
        [Stmt {
            kind: StmtKind::End { .. },
            ..
        }]
    ));
}

#[test]
fn loops_with_draws_keep_their_counter() {
    let mut builder = game();
    let total = builder.var("total", vec![], Type::INT, Const::Int(0), SPAN);
    let mut process = FunctionBuilder::new("process", None, SPAN);
    let round = process.local("i", Type::Int { lo: 1, hi: 3 });
    let drawn = process.local("drawn", Type::Int { lo: 0, hi: 1 });
    let add = Stmt::set_var(total, vec![], process.get(drawn));
    let draw = coin(&mut builder, drawn);
    let narrow = |value| Expr::constant(Const::Int(value), Type::Int { lo: 1, hi: 3 }, SPAN);
    let body = vec![stmt(StmtKind::For {
        local: round,
        from: narrow(1),
        to: narrow(3),
        count: Count::Up,
        body: vec![draw, add],
        charged: true,
    })];
    let game = machine(builder, process.body(body));
    let machine = game.machine.as_ref().expect("the pass makes a machine");
    assert_eq!(machine.points.len(), 1);
    let saved: Vec<&Type> = machine.saved.iter().map(|&var| &game.var(var).ty).collect();
    assert_eq!(
        saved,
        [&Type::Int { lo: 1, hi: 3 }],
        "the counter, but not the drawn value"
    );
}

#[test]
fn loops_with_several_labels_give_values_to_what_they_share() {
    // A round of decisions inside a turn, each with what was stored before it: one loop of the machine with several
    // places to go on, in which one part stores what another reads.
    for draws in [false, true] {
        let mut builder = game();
        let count = Type::Int { lo: 0, hi: 60 };
        let total = builder.var("total", vec![], count.clone(), Const::Int(0), SPAN);
        let (go, pick) = (family(&mut builder, "go"), family(&mut builder, "pick"));
        let mut process = FunctionBuilder::new("process", None, SPAN);
        let round = process.local("round", Type::Int { lo: 1, hi: 3 });
        let kept = process.local("kept", count.clone());
        let drawn = process.local("drawn", Type::Int { lo: 0, hi: 1 });
        let exact = |value| {
            let ty = Type::Int {
                lo: value,
                hi: value,
            };
            Expr::constant(Const::Int(value), ty, SPAN)
        };
        let now = || Expr::var(&builder.game, total, vec![], SPAN);
        let more = Expr::binary(BinaryOp::Add, now(), process.get(kept));
        let more = Expr::binary(BinaryOp::Min, more, Expr::int(60, SPAN));
        let add = Stmt::set_var(total, vec![], more);
        let odd = Expr::binary(BinaryOp::Rem, now(), Expr::int(2, SPAN));
        let odd = odd.equals(Expr::int(1, SPAN));
        let full = Expr::binary(BinaryOp::Ge, now(), Expr::int(50, SPAN));
        let mut body = vec![Stmt::assign(kept, process.get(round))];
        if draws {
            body.push(coin(&mut builder, drawn));
            let plus = Expr::binary(BinaryOp::Add, process.get(kept), process.get(drawn));
            body.push(Stmt::assign(kept, plus));
        }
        let choice = choose(&[(pick, vec![add.clone()])]);
        body.push(Stmt::branch(odd, vec![choice], vec![add]));
        let rounds = stmt(StmtKind::For {
            local: round,
            from: exact(1),
            to: exact(3),
            count: Count::Up,
            body,
            charged: true,
        });
        let winners = Expr::new(ExprKind::SetOf(vec![]), Type::Set(DomainId(0)), SPAN);
        let over = stmt(StmtKind::End {
            reason: EndReason::Draw,
            winners,
        });
        let turn = vec![
            choose(&[(go, vec![])]),
            rounds,
            Stmt::branch(full, vec![over], vec![]),
        ];
        let game = machine(builder, process.body(vec![forever(turn)]));
        let machine = game.machine.as_ref().expect("the pass makes a machine");
        let several = machine.points.len() > 1 && !machine.saved.is_empty();
        assert!(several, "{}", machine.points.len());
        crate::ir::verify::verify(&game).expect("every read has a value before it");
    }
}

#[test]
fn continuations_grow_no_faster_than_the_rules() {
    let mut builder = game();
    let step = family(&mut builder, "step");
    let total = builder.var("total", vec![], Type::INT, Const::Int(0), SPAN);
    let mut process = FunctionBuilder::new("process", None, SPAN);
    let once = process.local("once", Type::Bool);
    let odd = || {
        let value = Expr::new(ExprKind::Var(total, vec![]), Type::INT, SPAN);
        Expr::binary(BinaryOp::Eq, value, Expr::int(1, SPAN))
    };
    let advance = |by| {
        let value = Expr::new(ExprKind::Var(total, vec![]), Type::INT, SPAN);
        let sum = Expr::binary(BinaryOp::Add, value, Expr::int(by, SPAN));
        let value = Expr::binary(BinaryOp::RemEuclid, sum, Expr::int(7, SPAN));
        Stmt::set_var(total, vec![], value)
    };
    let jump = |kind| Stmt::branch(odd(), vec![stmt(kind)], vec![]);
    let many = 60;
    let mut body = vec![];
    for number in 0..many {
        body.push(advance(1));
        body.push(advance(number as i64));
        body.push(jump(StmtKind::Continue));
        body.push(Stmt::branch(odd(), vec![], vec![choose(&[(step, vec![])])]));
        if number % 9 == 8 {
            body.push(jump(StmtKind::Break));
        }
    }
    let body = vec![Stmt::assign(once, Expr::bool(true, SPAN)), forever(body)];
    let game = machine(builder, process.body(body));
    let machine = game.machine.expect("the pass makes a machine");
    let mut count = 0;
    let mut add = |block: &Block| walk_block(block, &mut |_| count += 1);
    add(&machine.start);
    for point in &machine.points {
        arms(point).into_iter().for_each(&mut add);
    }
    game.functions
        .iter()
        .for_each(|function| add(&function.body));
    assert!(count < many * 60, "{count} statements");
}

#[test]
fn a_machine_in_print() {
    let mut builder = game();
    let total = builder.var("total", vec![], Type::INT, Const::Int(0), SPAN);
    let step = family(&mut builder, "step");
    let mut process = FunctionBuilder::new("process", None, SPAN);
    let round = process.local("round", Type::Int { lo: 1, hi: 3 });
    let drawn = process.local("drawn", Type::Int { lo: 0, hi: 1 });
    let draw = coin(&mut builder, drawn);
    let narrow = |value| Expr::constant(Const::Int(value), Type::Int { lo: 1, hi: 3 }, SPAN);
    let lucky = process.get(drawn).equals(Expr::int(1, SPAN));
    let add = Stmt::set_var(total, vec![], process.get(round));
    let body = vec![stmt(StmtKind::For {
        local: round,
        from: narrow(1),
        to: narrow(3),
        count: Count::Up,
        body: vec![
            draw,
            Stmt::branch(lucky, vec![choose(&[(step, vec![add])])], vec![]),
        ],
        charged: false,
    })];
    let game = machine(builder, process.body(body));
    let text = crate::ir::print::print(&game);
    let start = text.find("\nmachine").expect("a machine") + 1;
    let machine = &text[start..];
    expect![[r#"
        machine
          saved round, round_2
          local round%0: int 1..3
          local drawn: int 0..1
          local round%2: int 1..3
          start
            round%2 = 1
            if (round%2 <= 3)
              round%0 = round%2
              round := round%0
              round_2 := round%2
              stop at 0
            else
              round := 1
              round_2 := 1
              end draw {}
          point 0: drawn = draw coin from 0..1
            round%0 = round
            round%2 = round_2
            if (drawn = 1)
              round := round%0
              round_2 := round%2
              stop at 1
            else
              if (round%2 = 3)
                round := 1
                round_2 := 1
                end draw {}
              else
                round%2 = (round%2 + 1)
                round%0 = round%2
                round := round%0
                round_2 := round%2
                stop at 0
          point 1: choose by a
            step():
              round%0 = round
              round%2 = round_2
              total := round%0
              if (round%2 = 3)
                round := 1
                round_2 := 1
                end draw {}
              else
                round%2 = (round%2 + 1)
                round%0 = round%2
                round := round%0
                round_2 := round%2
                stop at 0
    "#]]
    .assert_eq(machine);
}
