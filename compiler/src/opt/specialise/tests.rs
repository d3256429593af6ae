use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::opt::{PASSES, scope, specialise};
use crate::source::Span;

const PLACES: u32 = 6;

/// A ring that is marked place by place. A place may be marked if `beside` says so for the step 1 or -1; it finds the
/// place with the number that the environment holds plus the step, and leaves that number in the environment.
fn ring(reads_afterwards: bool) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("ring", "none", &["a"]);
    let names = (0..PLACES).map(|i| format!("s{i}")).collect();
    let place = builder.names("Place", names, span);
    let table = |name: &str, axis, ty, values, outside| Table {
        name: name.to_owned(),
        axes: vec![axis],
        ty,
        values,
        outside,
        span,
    };
    let numbers = (0..i64::from(PLACES)).map(Const::Int).collect();
    let members = (0..PLACES).map(Const::Elem).collect();
    let (lo, hi) = (0, i64::from(PLACES) - 1);
    let number = builder.table(table(
        "number",
        Axis::Domain(place),
        Type::Wrap32,
        numbers,
        None,
    ));
    let with = builder.table(table(
        "with number",
        Axis::Range { lo, hi },
        Type::Opt(place),
        members,
        Some(Const::None),
    ));
    let marked = builder.var(
        "marked",
        vec![Axis::Domain(place)],
        Type::Bool,
        Const::Bool(false),
        span,
    );
    let at = builder.env("AT", Type::Wrap32);
    let read = |var| {
        let kind = ExprKind::Env {
            var,
            checked: false,
        };
        Expr::new(kind, Type::Wrap32, span)
    };

    let mut beside = FunctionBuilder::new("beside", Some(Type::Bool), span);
    let step = beside.param("step", Type::Wrap32);
    let found = Expr::lookup(&builder.game, with, vec![read(at)], span);
    let there = Expr::var(&builder.game, marked, vec![found.clone().get()], span);
    let body = vec![
        Stmt::set_env(at, Expr::binary(BinaryOp::Add, read(at), beside.get(step))),
        Stmt::give(found.is_some().and(there.not())),
    ];
    let beside = builder.function(beside.body(body));

    let mut guard = FunctionBuilder::new("may_mark", Some(Type::Bool), span);
    let target = guard.param("place", Type::Elem(place));
    let free = guard.local("free", Type::Bool);
    let start = Expr::lookup(&builder.game, number, vec![guard.get(target)], span);
    let mut body = Block::new();
    for step in [1, -1] {
        body.push(Stmt::set_env(at, start.clone()));
        body.push(Stmt::call(
            beside,
            vec![Expr::wrap(step, span)],
            Some(free),
            span,
        ));
        body.push(Stmt::branch(
            guard.get(free),
            vec![Stmt::give(Expr::bool(true, span))],
            vec![],
        ));
    }
    body.push(Stmt::give(match reads_afterwards {
        true => read(at).equals(Expr::wrap(2, span)),
        false => Expr::bool(false, span),
    }));
    let guard = builder.function(guard.body(body));
    let family = builder.family(Family {
        name: "mark".to_owned(),
        context: vec![],
        params: vec![Param {
            name: "place".to_owned(),
            ty: Type::Elem(place),
            source: ParamSource::All,
        }],
        guard: Some(guard),
        after: None,
        effect: None,
        rank: None,
        class: vec![],
        text: vec![TextPart::Param(0)],
        span,
    });
    let mut process = FunctionBuilder::new("process", None, span);
    let chosen = process.local("chosen", Type::Elem(place));
    let mark = Stmt::set_var(marked, vec![process.get(chosen)], Expr::bool(true, span));
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, span),
        arms: vec![Arm {
            family,
            given: vec![],
            bind: vec![chosen],
            body: vec![mark],
        }],
        otherwise: None,
    });
    let steps = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: 2 * PLACES,
        body: vec![Stmt::new(choose, span)],
    };
    builder.game.process = builder.game.functions.len().into();
    builder.function(process.body(vec![Stmt::new(steps, span)]));
    builder.game
}

#[test]
fn what_a_helper_shares_with_its_caller_is_local_to_the_caller() {
    let mut alone = ring(false);
    scope::run(&mut alone);
    let function = |game: &Game, name: &str| {
        let mut all = game.functions.iter();
        all.find(|function| function.name == name)
            .cloned()
            .expect("a function")
    };
    assert_eq!(function(&alone, "beside").params, 2, "{alone:#?}");
    // The helper stands where it is called: nothing else can hand the variable back.
    let mut shared = ring(true);
    scope::run(&mut shared);
    let guard = function(&shared, "may_mark");
    let mut environment = 0;
    crate::ir::visit::walk_block(&guard.body, &mut |stmt| {
        environment += usize::from(matches!(stmt.kind, StmtKind::SetEnv(..)));
    });
    assert_eq!(environment, 0, "{guard:#?}");
    assert_same_play("scope", &ring(true), &shared, 20, 20);
}

#[test]
fn a_neighbour_is_one_look_up() {
    let before = ring(false);
    let mut game = before.clone();
    scope::run(&mut game);
    specialise::run(&mut game);
    let copies = game
        .functions
        .iter()
        .filter(|function| function.name.starts_with("beside "));
    for copy in copies.clone() {
        let params: Vec<&Type> = copy.locals[..copy.params]
            .iter()
            .map(|local| &local.ty)
            .collect();
        assert!(matches!(params[..], [Type::Elem(_)]), "{params:?}");
    }
    assert_eq!(copies.count(), 2);
    let neighbours = game
        .tables
        .iter()
        .find(|table| table.name == "with number by member 1");
    let values = [1, 2, 3, 4, 5]
        .map(Const::Elem)
        .into_iter()
        .chain([Const::None]);
    assert_eq!(
        neighbours.map(|table| table.values.clone()),
        Some(values.collect())
    );
    assert_same_play("ring", &before, &game, 20, 20);
}

#[test]
fn every_pass_knows_both_rings() {
    for before in [ring(false), ring(true)] {
        let mut game = before.clone();
        for pass in PASSES {
            (pass.run)(&mut game);
            assert_same_play(pass.name, &before, &game, 10, 20);
        }
    }
}
