//! Broken games and what is said of them.

use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::verify::*;
use rulec_ir::ir::*;
use rulec_ir::source::Span;
use rulec_samples as samples;

#[test]
fn samples_are_well_formed() {
    for (name, mut game) in samples::all() {
        assert_eq!(verify(&game), Ok(()), "{name}");
        rulec_compiler::opt::suspend::run(&mut game);
        assert_eq!(verify(&game), Ok(()), "{name} as a machine");
    }
}

#[test]
fn random_games_are_well_formed() {
    for seed in 0..2000 {
        let errors = verify(&samples::random_game(seed))
            .err()
            .unwrap_or_default();
        assert!(errors.is_empty(), "{seed}: {errors:#?}");
    }
}

const HERE: Span = Span::new(rulec_ir::source::FileId(0), 7, 9);
const LETTER: DomainId = DomainId(1);
const NUMBER: DomainId = DomainId(2);

fn stmt(kind: StmtKind) -> Stmt {
    Stmt::new(kind, HERE)
}

fn int(value: i64) -> Expr {
    Expr::int(value, HERE)
}

fn letter(member: u32) -> Expr {
    Expr::elem(LETTER, member, HERE)
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr::new(kind, ty, HERE)
}

fn local(id: usize, ty: Type) -> Expr {
    Expr::local(LocalId::from(id), ty, HERE)
}

fn range(lo: i64, hi: i64) -> Type {
    Type::Int { lo, hi }
}

/// A game with one of everything: the letters a, b, c, the numbers 1 to 4.
fn base() -> Game {
    let mut b = GameBuilder::new("base", "ir", &["one", "two"]);
    b.names("Letter", ["a", "b", "c"].map(str::to_owned).to_vec(), HERE);
    b.domain("Number", Members::Range { lo: 1, hi: 4 }, HERE);
    let axes = vec![Axis::Domain(LETTER)];
    b.var("count", axes.clone(), range(0, 9), Const::Int(1), HERE);
    b.var("flag", vec![], Type::Bool, Const::Bool(true), HERE);
    b.table(Table {
        name: "next".to_owned(),
        axes: axes.clone(),
        ty: Type::Opt(LETTER),
        values: vec![Const::Elem(1), Const::Elem(2), Const::None],
        outside: None,
        span: HERE,
    });
    b.table(Table {
        name: "rows".to_owned(),
        axes,
        ty: Type::Set(NUMBER),
        values: vec![
            Const::Set(vec![0, 2]),
            Const::Set(vec![]),
            Const::Set(vec![1]),
        ],
        outside: None,
        span: HERE,
    });
    for (name, form, init) in [
        ("one", PlacementForm::One, vec![Some(0), Some(1), None]),
        ("many", PlacementForm::Many, vec![Some(0), Some(0), None]),
        (
            "kinds",
            PlacementForm::Anonymous,
            vec![Some(2), None, None, None],
        ),
    ] {
        b.placement(Placement {
            name: name.to_owned(),
            pieces: LETTER,
            places: NUMBER,
            form,
            init,
            span: HERE,
        });
    }
    b.env("seen", Type::INT);
    b.game.snapshots.push(Snapshot {
        name: "kept".to_owned(),
        vars: vec![VarId(0)],
        placements: vec![PlacementId(0)],
    });
    b.game.trails.push(Trail {
        name: "past".to_owned(),
        identity: IdentityId(0),
        capacity: 5,
    });
    let mut f = FunctionBuilder::new("holds", Some(Type::Bool), HERE);
    f.param("x", Type::Elem(LETTER));
    let holds = b.function(f.body(vec![Stmt::give(Expr::bool(true, HERE))]));
    b.relation(Relation {
        name: "relation".to_owned(),
        params: vec![LETTER],
        holds,
    });
    let mut f = FunctionBuilder::new("writes", None, HERE);
    f.param("by", Type::INT);
    let flag = Stmt::set_var(VarId(1), vec![], Expr::bool(false, HERE));
    b.function(f.body(vec![flag]));
    b.family(Family {
        name: "go".to_owned(),
        context: vec![Local {
            name: "base".to_owned(),
            ty: Type::INT,
        }],
        params: vec![Param {
            name: "to".to_owned(),
            ty: Type::Elem(LETTER),
            source: ParamSource::All,
        }],
        guard: None,
        after: None,
        effect: None,
        rank: None,
        class: vec![],
        text: vec![TextPart::Param(0)],
        span: HERE,
    });
    b.game.draws.push(Draw {
        name: "die".to_owned(),
        ty: range(1, 6),
        text: vec![TextPart::Param(0)],
        span: HERE,
    });
    let mut f = FunctionBuilder::new("play", None, HERE);
    let to = f.local("to", Type::Elem(LETTER));
    b.game.process = b.function(f.body(vec![decision(to)]));
    b.game.scores = None;
    b.game
}

/// A decision among the moves of the one family.
fn decision(to: LocalId) -> Stmt {
    stmt(StmtKind::Choose(Choose {
        players: Expr::elem(DomainId(0), 0, HERE),
        arms: vec![Arm {
            family: FamilyId(0),
            given: vec![int(3)],
            bind: vec![to],
            body: vec![],
        }],
        otherwise: None,
    }))
}

fn choose_of(game: &mut Game) -> &mut Choose {
    let index = game.process.index();
    match &mut game.functions[index].body[0].kind {
        StmtKind::Choose(choose) => choose,
        other => panic!("no decision but {other:?}"),
    }
}

/// Adds a function with local variables of these types; those in the body are 0, 1, ...
fn add(game: &mut Game, locals: &[Type], ret: Option<Type>, body: Block) -> FuncId {
    let mut f = FunctionBuilder::new("added", ret, HERE);
    for (index, ty) in locals.iter().enumerate() {
        f.local(&format!("l{index}"), ty.clone());
    }
    game.functions.push(f.body(body));
    FuncId::from(game.functions.len() - 1)
}

/// The errors of the base game with a change.
fn errors(change: impl FnOnce(&mut Game)) -> Vec<String> {
    let mut game = base();
    change(&mut game);
    let errors = verify(&game).err().unwrap_or_default();
    errors.into_iter().map(|error| error.text).collect()
}

/// Checks that the change is refused with one error that says this.
#[track_caller]
fn refused(message: &str, change: impl FnOnce(&mut Game)) {
    let errors = errors(change);
    assert!(
        errors.len() == 1 && errors[0].contains(message),
        "wanted one error with `{message}`, found {errors:#?}"
    );
}

/// As `refused`, for an expression that a function evaluates.
#[track_caller]
fn refused_expr(message: &str, value: Expr) {
    refused(message, |game| {
        let ty = value.ty.clone();
        add(game, &[ty], None, vec![Stmt::assign(LocalId(0), value)]);
    });
}

#[track_caller]
fn refused_body(message: &str, locals: &[Type], body: Block) {
    refused(message, |game| {
        add(game, locals, None, body);
    });
}

#[test]
fn the_base_is_well_formed() {
    assert_eq!(errors(|_| ()), Vec::<String>::new());
}

#[test]
fn declarations() {
    refused("version 9", |g| g.version = 9);
    refused("two domains named `Letter`", |g| {
        g.domains[2].name = "Letter".to_owned()
    });
    refused("two members named `a`", |g| {
        g.domains[1].members = Members::Names(["a", "a", "c"].map(str::to_owned).to_vec());
    });
    refused("a variable has no name", |g| g.vars[0].name.clear());
    refused("1 to 64 players", |g| {
        g.domains[0].members = Members::Range { lo: 1, hi: 65 }
    });
    refused("too many members", |g| {
        g.domains[0].members = Members::Range { lo: 1, hi: 2 };
        g.domains.push(Domain {
            name: "Huge".to_owned(),
            members: Members::Range {
                lo: i64::MIN,
                hi: i64::MAX,
            },
            span: HERE,
        });
    });
    refused("3 values are needed, 2 are given", |g| {
        drop(g.tables[0].values.pop())
    });
    refused("no value of type Letter?", |g| {
        g.tables[0].values[1] = Const::Elem(3)
    });
    refused("no value of type {Number}", |g| {
        g.tables[1].values[0] = Const::Set(vec![2, 0])
    });
    refused("no value of type Letter?", |g| {
        g.tables[0].outside = Some(Const::Bool(true))
    });
    refused("no value of type int 0..9", |g| {
        g.vars[0].init[2] = Const::Int(10)
    });
    refused("there is no domain 7", |g| {
        g.tables[0].axes = vec![Axis::Domain(DomainId(7))]
    });
    refused("too many cells", |g| {
        g.tables[0].axes = vec![
            Axis::Range {
                lo: 0,
                hi: i64::MAX
            };
            2
        ];
    });
    refused("the range of an integer type is empty", |g| {
        g.env[0].ty = range(1, 0)
    });
    refused("the items of a sequence are no scalars", |g| {
        let item = Box::new(Type::Set(LETTER));
        g.env[0].ty = Type::Seq { item, cap: 2 };
    });
    refused("two pieces begin on a place", |g| {
        g.placements[0].init[2] = Some(1)
    });
    refused("no member of the domain", |g| {
        g.placements[2].init[0] = Some(3)
    });
    refused("3 initial values are needed", |g| {
        g.placements[1].init.push(None)
    });
    refused("there is no variable 9", |g| {
        g.snapshots[0].vars.push(VarId(9))
    });
    refused("kept twice", |g| {
        g.snapshots[0].placements.push(PlacementId(0))
    });
    refused("there is no identity 4", |g| {
        g.trails[0].identity = IdentityId(4)
    });
    refused("the capacity is out of bounds", |g| {
        g.trails[0].capacity = 0
    });
    refused("there is no identity 2", |g| g.equality = IdentityId(2));
    refused("scores are integers", |g| g.scores = Some(VarId(1)));
    refused("too many results", |g| g.draws[0].ty = range(0, 1 << 20));
    refused("neither a member nor an integer", |g| {
        g.draws[0].ty = Type::Bool
    });
    refused("there is no function 99", |g| {
        let func = FuncId(99);
        g.probes.push(Probe {
            name: "ask".to_owned(),
            func,
        });
    });
    refused("is no truth value that stays as it is", |g| {
        g.switches.push(VarId(0))
    });
    refused("shows a player who does not exist", |g| {
        g.presentation.turned = vec![90.0; 9]
    });
    refused("shows what does not exist", |g| {
        g.presentation.links.push(Link {
            domain: LETTER,
            from: 0,
            to: 3,
            jump: false,
        });
    });
    refused("shows what does not exist", |g| {
        g.presentation.pieces.push(PieceLook {
            domain: LETTER,
            member: 3,
            kind: String::new(),
            state: None,
            pictures: vec![],
            z_order: None,
        });
    });
}

#[test]
fn texts() {
    refused("does not name every parameter", |g| {
        g.families[0].text.clear()
    });
    refused("names parameter 1", |g| {
        g.families[0].text.push(TextPart::Param(1))
    });
    let outcome = || StatePart::Outcome;
    refused("the outcome must be told once", |g| {
        g.state_text = vec![StatePart::Text("x".to_owned())];
    });
    refused("there is no index to name", |g| {
        g.state_text = vec![outcome(), StatePart::Index]
    });
    refused("the index is no piece", |g| {
        g.state_text = vec![outcome(), StatePart::Place(PlacementId(0))];
    });
    refused("the index does not fit variable `count`", |g| {
        let part = StatePart::Var(VarId(0), VarStyle::Named);
        g.state_text = vec![outcome(), part];
    });
    refused("has no members to number", |g| {
        let part = StatePart::Var(VarId(1), VarStyle::Numbered);
        g.state_text = vec![outcome(), part];
    });
    refused("no members, or not distinct", |g| {
        let each = StatePart::Each {
            domain: LETTER,
            order: vec![0, 0],
            separator: String::new(),
            parts: vec![],
        };
        g.state_text = vec![outcome(), each];
    });
}

#[test]
fn expressions() {
    refused_expr(
        "no value of type bool",
        expr(ExprKind::Const(Const::Int(1)), Type::Bool),
    );
    refused_expr("no value of type Letter", letter(3));
    refused_expr(
        "there is no variable 9",
        expr(ExprKind::Var(VarId(9), vec![]), Type::Bool),
    );
    let count = |index| expr(ExprKind::Var(VarId(0), index), range(0, 9));
    refused_expr("1 indexes are needed, 0 are given", count(vec![]));
    refused_expr("an index of type int does not fit", count(vec![int(0)]));
    refused_expr(
        "an index of type Letter? does not fit",
        count(vec![letter(0).some()]),
    );
    refused_expr(
        "of type int 0..9, but int 0..5 is stated",
        expr(ExprKind::Var(VarId(0), vec![letter(0)]), range(0, 5)),
    );
    let binary =
        |op, a: Expr, b: Expr, ty| expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty);
    refused_expr(
        "do not fit Add",
        binary(BinaryOp::Add, int(1), letter(0), Type::INT),
    );
    refused_expr(
        "do not fit Eq",
        binary(BinaryOp::Eq, int(1), letter(0), Type::Bool),
    );
    refused_expr(
        "do not fit And",
        binary(BinaryOp::And, int(1), int(1), Type::Bool),
    );
    refused_expr(
        "do not fit Lt",
        binary(BinaryOp::Lt, letter(0), letter(1), Type::Bool),
    );
    refused_expr(
        "do not fit In",
        binary(BinaryOp::In, int(1), int(1), Type::Bool),
    );
    refused_expr(
        "but int 0..9 is stated",
        binary(
            BinaryOp::Add,
            count(vec![letter(0)]),
            count(vec![letter(0)]),
            range(0, 9),
        ),
    );
    refused_expr(
        "the condition is of type int",
        Expr::select(int(1), int(1), int(2)),
    );
    refused_expr(
        "one value is of type int, the other of type Letter",
        Expr::select(Expr::bool(true, HERE), int(1), letter(0)),
    );
    refused_expr("not an optional member", letter(0).get());
    refused_expr(
        "not a member",
        expr(ExprKind::Some(Box::new(int(1))), Type::Opt(LETTER)),
    );
    refused_expr("not a member", int(1).ordinal());
    refused_expr("the ordinal is no integer", letter(0).member(LETTER));
    refused_expr("is of type wrap32, not int", Expr::wrap(1, HERE).to_wrap());
    refused_expr("is of type int, not wrap32", int(1).to_int());
    let tag = |a: Expr| expr(ExprKind::Tag(Box::new(a)), Type::Tagged);
    refused_expr("only a scalar without a tag", tag(tag(int(1))));
    let untag = expr(ExprKind::Untag(Box::new(tag(int(1)))), range(0, 9));
    refused_expr("for integers, all of them", untag);
    refused_expr(
        "more items than it may",
        expr(
            ExprKind::SeqOf(vec![int(1), int(2)]),
            Type::Seq {
                item: Box::new(Type::INT),
                cap: 1,
            },
        ),
    );
    refused_expr(
        "a member of the set is of type int",
        expr(ExprKind::SetOf(vec![int(1)]), Type::Set(LETTER)),
    );
    refused_expr(
        "not a set or sequence",
        expr(ExprKind::Size(Box::new(int(1))), Type::INT),
    );
    let content = ExprKind::Content(PlacementId(1), Box::new(Expr::elem(NUMBER, 0, HERE)));
    refused_expr(
        "has not the form for this",
        expr(content, Type::Opt(LETTER)),
    );
    let place = ExprKind::PlaceOf(PlacementId(2), Box::new(letter(0)));
    refused_expr("has not the form for this", expr(place, Type::Opt(NUMBER)));
    let call = |func, args| expr(ExprKind::Call(FuncId(func), args), Type::Bool);
    refused_expr("there is no function 88", call(88, vec![]));
    refused_expr("takes 1 arguments, not 0", call(0, vec![]));
    refused_expr("an argument is of type int", call(0, vec![int(1)]));
    refused_expr(
        "without a value is called for its value",
        call(1, vec![int(1)]),
    );
    let related = |args| expr(ExprKind::Related(RelationId(0), args), Type::Set(LETTER));
    refused_expr(
        "one parameter of the relation must be open",
        related(vec![Some(letter(0))]),
    );
    refused_expr(
        "another number of parameters",
        related(vec![None, Some(letter(0))]),
    );
    let walk = ExprKind::Walk {
        start: Box::new(letter(0).some()),
        step: TableId(1),
        local: LocalId(0),
        pass: Box::new(Expr::bool(true, HERE)),
        give: WalkGive::Length,
    };
    refused("table `rows` does not lead on", |g| {
        let body = vec![Stmt::set_env(EnvId(0), expr(walk, Type::INT))];
        add(g, &[Type::Elem(LETTER)], None, body);
    });
    let mut nested = int(1);
    for _ in 0..500 {
        nested = Expr::unary(UnaryOp::Neg, nested);
    }
    refused_expr("nests deeper", nested);
}

#[test]
fn bound_variables() {
    let exists = |local, over, body| Expr::fold(Fold::Exists, LocalId(local), over, body);
    let yes = || Expr::bool(true, HERE);
    let given = |value: Expr, locals: &[Type], message: &str| {
        let mut locals = locals.to_vec();
        locals.push(Type::Bool);
        let into = LocalId::from(locals.len() - 1);
        refused_body(message, &locals, vec![Stmt::assign(into, value)]);
    };
    let letters = || Over::Domain(LETTER);
    given(
        exists(0, letters(), yes()),
        &[Type::INT],
        "the bound variable is of type Letter",
    );
    let inner = exists(0, letters(), yes());
    given(
        exists(0, letters(), inner),
        &[Type::Elem(LETTER)],
        "bound again inside",
    );
    let far = Over::Range(int(0), int(1 << 30));
    given(
        exists(0, far, yes()),
        &[Type::INT],
        "more than 65536 members",
    );
    let both = vec![
        Stmt::assign(LocalId(0), letter(0)),
        Stmt::assign(LocalId(1), exists(0, letters(), yes())),
    ];
    let locals = [Type::Elem(LETTER), Type::Bool];
    refused_body("bound by an expression and assigned as well", &locals, both);
    refused("there is no local variable 5", |g| {
        let value = exists(5, letters(), yes());
        add(
            g,
            &[Type::Bool],
            None,
            vec![Stmt::assign(LocalId(0), value)],
        );
    });
}

#[test]
fn statements() {
    let put = |id, piece, place| stmt(StmtKind::Put(PlacementId(id), piece, place));
    let number = || Expr::elem(NUMBER, 0, HERE);
    refused_body(
        "has not the form for this",
        &[],
        vec![put(2, letter(0), number())],
    );
    refused_body(
        "the place is of type Letter",
        &[],
        vec![put(0, letter(0), letter(0))],
    );
    let content = StmtKind::SetContent(PlacementId(0), number(), letter(0).some());
    refused_body("has not the form for this", &[], vec![stmt(content)]);
    refused_body("there is no loop here", &[], vec![stmt(StmtKind::Break)]);
    refused_body(
        "the value is of type Letter, not int",
        &[Type::INT],
        vec![Stmt::assign(LocalId(0), letter(0))],
    );
    let counting = |from: Expr, to: Expr, charged| {
        stmt(StmtKind::For {
            local: LocalId(0),
            from,
            to,
            count: Count::Up,
            body: vec![],
            charged,
        })
    };
    let open = || Expr::unary(UnaryOp::Neg, int(1));
    refused_body(
        "must be charged",
        &[Type::INT],
        vec![counting(int(1), open(), false)],
    );
    refused_body(
        "receives a value of type int",
        &[range(0, 3)],
        vec![counting(int(1), open(), true)],
    );
    let call = |into| {
        stmt(StmtKind::Call {
            func: FuncId(1),
            args: vec![int(1)],
            into,
        })
    };
    refused_body(
        "gives no value to receive",
        &[Type::INT],
        vec![call(Some(LocalId(0)))],
    );
    refused_body("a value is returned", &[], vec![Stmt::give(int(1))]);
    let winners = Expr::none(LETTER, HERE);
    let end = stmt(StmtKind::End {
        reason: EndReason::Win,
        winners,
    });
    refused_body("the winners is of type Letter?", &[], vec![end]);
    refused_body(
        "there is no snapshot 3",
        &[],
        vec![stmt(StmtKind::Restore(SnapshotId(3)))],
    );
    refused_body(
        "there is no trail 3",
        &[],
        vec![stmt(StmtKind::Note(TrailId(3)))],
    );
    refused_body(
        "only a machine has points",
        &[],
        vec![stmt(StmtKind::Stop(PointId(0)))],
    );
}

#[test]
fn decisions_and_draws() {
    refused("neither a player nor a set", |g| {
        choose_of(g).players = letter(0)
    });
    refused("nothing to choose from", |g| choose_of(g).arms.clear());
    refused("two arms for one move family", |g| {
        let arm = choose_of(g).arms[0].clone();
        choose_of(g).arms.push(arm);
    });
    refused("the context of `go` has another size", |g| {
        choose_of(g).arms[0].given.clear()
    });
    refused("a value for the context is of type Letter", |g| {
        choose_of(g).arms[0].given[0] = letter(0);
    });
    refused("another number of parameters to bind", |g| {
        choose_of(g).arms[0].bind.clear()
    });
    refused("receives a value of type Letter", |g| {
        let index = g.process.index();
        g.functions[index].locals[0].ty = Type::Elem(NUMBER);
    });
    refused("there is no move family 4", |g| {
        choose_of(g).arms[0].family = FamilyId(4)
    });
    let drawn = |dist: Distribution, ty: Type| {
        move |g: &mut Game| {
            let chance = StmtKind::Chance(Chance {
                draw: DrawId(0),
                dist,
                into: LocalId(0),
            });
            add(g, &[ty], None, vec![stmt(chance)]);
        }
    };
    let uniform = || Distribution::Uniform(int(1), int(6));
    refused(
        "receives a value of type int 1..6",
        drawn(uniform(), range(1, 5)),
    );
    let letters = Distribution::Weighted {
        local: LocalId(1),
        over: Over::Domain(LETTER),
        weight: int(1),
    };
    refused("another type than the draw", |g| {
        let dist = letters;
        let chance = StmtKind::Chance(Chance {
            draw: DrawId(0),
            dist,
            into: LocalId(0),
        });
        add(
            g,
            &[Type::INT, Type::Elem(LETTER)],
            None,
            vec![stmt(chance)],
        );
    });
}

#[test]
fn families() {
    let source = |g: &mut Game, source| g.families[0].params[0].source = source;
    refused("no ascending members", |g| {
        source(g, ParamSource::Among(vec![2, 1]))
    });
    refused("no ascending members", |g| {
        source(g, ParamSource::Among(vec![3]))
    });
    refused("has another type", |g| source(g, ParamSource::Is(int(1))));
    refused("no earlier parameter", |g| {
        source(
            g,
            ParamSource::Listed {
                by: 0,
                table: TableId(1),
            },
        )
    });
    refused("the generator of `to` gives another type", |g| {
        let func = add(g, &[Type::INT], Some(Type::INT), vec![Stmt::give(int(1))]);
        g.functions[func.index()].params = 1;
        source(g, ParamSource::Generated(func));
    });
    refused("parameter `to` has not the type", |g| {
        source(
            g,
            ParamSource::Subset {
                of: int(1),
                size: int(1),
            },
        );
    });
    refused("the guard `holds` takes other arguments", |g| {
        g.families[0].guard = Some(FuncId(0))
    });
    refused("the rank `added` gives another type", |g| {
        let locals = [Type::INT, Type::Elem(LETTER)];
        let func = add(
            g,
            &locals,
            Some(Type::Bool),
            vec![Stmt::give(Expr::bool(true, HERE))],
        );
        g.functions[func.index()].params = 2;
        g.families[0].rank = Some(func);
    });
    refused("differ in shape", |g| {
        g.families[0].class = vec![int(1)];
        let mut other = g.families[0].clone();
        other.name = "other".to_owned();
        other.class = vec![letter(0)];
        g.families.push(other);
    });
    refused("two kind of moves named `go`", |g| {
        let other = g.families[0].clone();
        g.families.push(other);
    });
    refused("more than 64 bits can number", |g| {
        let huge = Members::Range {
            lo: 0,
            hi: (1 << 20) - 1,
        };
        g.domains.push(Domain {
            name: "Huge".to_owned(),
            members: huge,
            span: HERE,
        });
        let mut family = g.families[0].clone();
        family.name = "huge".to_owned();
        family.params[0].ty = Type::Elem(DomainId(3));
        family.params = vec![family.params[0].clone(); 4];
        family.text = (0..4).map(TextPart::Param).collect();
        g.families.push(family);
    });
}

#[test]
fn assignment_before_reading() {
    let set = |id: usize| Stmt::assign(LocalId::from(id), int(1));
    let read = |id: usize| Stmt::set_env(EnvId(0), local(id, Type::INT));
    let flag = || Expr::var(&base(), VarId(1), vec![], HERE);
    let message = "may be read before it has a value";
    let two = [Type::INT, Type::Bool];
    refused_body(message, &two, vec![read(0)]);
    refused_body(
        message,
        &two,
        vec![Stmt::branch(flag(), vec![set(0)], vec![]), read(0)],
    );
    let body = |cond: Expr, body: Block| {
        stmt(StmtKind::While {
            cond,
            bound: 9,
            body,
        })
    };
    refused_body(message, &two, vec![body(flag(), vec![set(0)]), read(0)]);
    let leave = || Stmt::branch(flag(), vec![stmt(StmtKind::Break)], vec![]);
    let forever = body(Expr::bool(true, HERE), vec![leave(), set(0), leave()]);
    refused_body(message, &two, vec![forever, read(0)]);
    let trial = |body, value| {
        stmt(StmtKind::Trial {
            body,
            keep: true,
            ok: LocalId(1),
            value,
        })
    };
    refused_body(message, &two, vec![trial(vec![set(0)], None), read(0)]);
    refused_body(
        message,
        &two,
        vec![trial(vec![], Some((int(1), LocalId(0)))), read(0)],
    );
    refused("a path ends without a value", |g| {
        let give = Stmt::branch(flag(), vec![Stmt::give(int(1))], vec![]);
        add(g, &[], Some(Type::INT), vec![give]);
    });
    let fine = [
        vec![
            Stmt::branch(flag(), vec![set(0)], vec![stmt(StmtKind::Return(None))]),
            read(0),
        ],
        vec![body(Expr::bool(true, HERE), vec![set(0), leave()]), read(0)],
        vec![set(0), trial(vec![], Some((int(1), LocalId(0)))), read(0)],
        vec![stmt(StmtKind::Return(None)), read(0)],
    ];
    for block in fine {
        let found = errors(|g| {
            add(g, &two, None, block);
        });
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn calls() {
    let state = || Stmt::call(FuncId(1), vec![int(1)], None, HERE);
    let guard = |g: &mut Game, body: Block| {
        let mut body = body;
        body.push(Stmt::give(Expr::bool(true, HERE)));
        let func = add(g, &[Type::INT, Type::Elem(LETTER)], Some(Type::Bool), body);
        g.functions[func.index()].params = 2;
        func
    };
    refused(
        "the guard of `go` does more than write the environment",
        |g| {
            g.families[0].guard = Some(guard(g, vec![state()]));
        },
    );
    let take = || stmt(StmtKind::Take(PlacementId(0), letter(0)));
    refused("the after of `go` does more", |g| {
        g.families[0].after = Some(guard(g, vec![take()]))
    });
    let log = || stmt(StmtKind::Emit(Emit::Log(vec![])));
    refused("the guard of `go` does more", |g| {
        g.families[0].guard = Some(guard(g, vec![log()]))
    });
    let call = |func: FuncId| expr(ExprKind::Call(func, vec![int(0), letter(0)]), Type::Bool);
    refused("`added` is called for its value but does more", |g| {
        let func = guard(g, vec![Stmt::set_env(EnvId(0), int(1))]);
        let index = g.process.index();
        let cond = Stmt::branch(call(func), vec![], vec![]);
        g.functions[index].body.push(cond);
    });
    refused("relation `relation` does more", |g| {
        g.functions[0]
            .body
            .insert(0, Stmt::set_env(EnvId(0), int(1)));
    });
    refused("never comes to a decision or a draw", |g| {
        let index = g.process.index();
        g.functions[index].body.clear();
    });
    refused("the process has a parameter", |g| {
        let index = g.process.index();
        g.functions[index].params = 1;
    });
    refused("a function that stops calls itself", |g| {
        let process = g.process;
        let again = Stmt::call(process, vec![], None, HERE);
        g.functions[process.index()].body.push(again);
    });
    let trial = |body| {
        stmt(StmtKind::Trial {
            body,
            keep: true,
            ok: LocalId(1),
            value: None,
        })
    };
    let locals = [Type::Elem(LETTER), Type::Bool];
    refused_body(
        "a trial stops",
        &locals,
        vec![trial(vec![decision(LocalId(0))])],
    );
    let winners = expr(ExprKind::SetOf(vec![]), Type::Set(DomainId(0)));
    let end = stmt(StmtKind::End {
        reason: EndReason::Draw,
        winners,
    });
    refused_body("a trial ends the game", &locals, vec![trial(vec![end])]);
    let back = stmt(StmtKind::Return(None));
    refused_body("not left by `return`", &locals, vec![trial(vec![back])]);
    let leave = trial(vec![stmt(StmtKind::Break)]);
    let body = vec![leave];
    let around = stmt(StmtKind::While {
        cond: Expr::bool(true, HERE),
        bound: 1,
        body,
    });
    refused_body("there is no loop here", &locals, vec![around]);
}

#[test]
fn identities() {
    let seen = || expr(ExprKind::Seen(TrailId(0)), Type::INT);
    let value = |e: Expr| Identity {
        name: "more".to_owned(),
        terms: vec![IdentityTerm::Value(e)],
    };
    refused("a trail is no part of an identity", |g| {
        g.identities.push(value(seen()))
    });
    refused("a trail is no part of an identity", |g| {
        let func = add(g, &[], Some(Type::INT), vec![Stmt::give(seen())]);
        let call = expr(ExprKind::Call(func, vec![]), Type::INT);
        g.identities.push(value(call));
    });
    refused("an identity compares scalars", |g| {
        let ty = Type::Seq {
            item: Box::new(Type::INT),
            cap: 1,
        };
        g.identities.push(value(expr(ExprKind::SeqOf(vec![]), ty)));
    });
    refused("the condition is no truth value", |g| {
        let each = IdentityTerm::Each {
            domain: LETTER,
            when: int(1),
            values: vec![],
        };
        g.identities.push(Identity {
            name: "each".to_owned(),
            terms: vec![each],
        });
    });
}

/// The sample of crates, changed.
fn crates(change: impl Fn(&mut Game)) -> Result<(), Vec<VerifyError>> {
    let mut game = samples::by_name("crates").expect("a sample");
    change(&mut game);
    verify(&game)
}

#[test]
fn nests_texts_and_hosts() {
    let wrong = |text: &str, change: &dyn Fn(&mut Game)| {
        let errors = crates(change).expect_err(text);
        let found = errors.iter().any(|error| error.to_string().contains(text));
        assert!(found, "{text}: {errors:#?}");
    };
    let nest = |game: &mut Game, change: &dyn Fn(&mut IdentityTerm)| {
        let equality = game.equality.index();
        change(&mut game.identities[equality].terms[0]);
    };
    assert_eq!(crates(|_| {}), Ok(()));
    wrong("has not the form for this", &|game| {
        game.placements[0].form = PlacementForm::One;
    });
    wrong("the condition is no truth value", &|game| {
        nest(game, &|term| {
            if let IdentityTerm::Nest { when, .. } = term {
                *when = int(1);
            }
        });
    });
    wrong("the identity has not one nest", &|game| {
        game.identities[1].terms.clear();
    });
    wrong("an identity asks what is alike", &|game| {
        let member = || Expr::local(LocalId(0), Type::Elem(DomainId(1)), HERE);
        let alike = ExprKind::Alike(IdentityId(1), vec![member(), member()]);
        nest(game, &|term| {
            if let IdentityTerm::Nest { when, .. } = term {
                *when = expr(alike.clone(), Type::Bool);
            }
        });
    });
    wrong("a text shows scalars", &|game| {
        let set = expr(ExprKind::SetOf(Vec::new()), Type::Set(DomainId(1)));
        game.tellings[0].parts.push(ToldPart::Value(set));
    });
    wrong("a text goes through no set", &|game| {
        let parts = vec![ToldPart::Text(String::new())];
        let each = ToldPart::Each(LocalId(2), int(1), parts);
        game.tellings[0].parts.push(each);
    });
    wrong("a move of the host has parameters", &|game| {
        game.by_host.push(FamilyId(0));
    });
    wrong("a move of the host is not kept from the players", &|game| {
        let shake = game.by_host[0];
        game.families[shake.index()].guard = None;
    });
}

#[test]
fn machines() {
    let machine = |g: &mut Game| {
        rulec_compiler::opt::suspend::run(g);
        g.machine.take().expect("a machine")
    };
    let mut good = base();
    let suspended = machine(&mut good);
    good.machine = Some(suspended);
    assert_eq!(verify(&good), Ok(()));
    refused("stops at points only", |g| {
        let mut m = machine(g);
        let Point::Choose(choose) = &mut m.points[0] else {
            panic!("the first stop is a decision");
        };
        let bind = choose.arms[0].bind[0];
        choose.arms[0].body = vec![decision(bind)];
        g.machine = Some(m);
    });
    refused("there is no point 9", |g| {
        let mut m = machine(g);
        m.start = vec![stmt(StmtKind::Stop(PointId(9)))];
        g.machine = Some(m);
    });
    refused("there is no variable 77", |g| {
        let mut m = machine(g);
        m.saved.push(VarId(77));
        g.machine = Some(m);
    });
    refused("a saved variable has indexes", |g| {
        let mut m = machine(g);
        m.saved.push(VarId(0));
        g.machine = Some(m);
    });
}

#[test]
fn many_errors_are_told_at_once() {
    let found = errors(|g| {
        g.vars[0].init[0] = Const::Int(77);
        g.placements[0].init[0] = Some(9);
        choose_of(g).players = letter(0);
        add(
            g,
            &[],
            None,
            vec![stmt(StmtKind::Break), stmt(StmtKind::Continue)],
        );
    });
    assert_eq!(found.len(), 5, "{found:#?}");
}
