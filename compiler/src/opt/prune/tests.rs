use rulec_ir::sorted::SortedSet;

use super::{run, settle};
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_exprs;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const LINE: u32 = 7;

/// Pieces on a line, and the guard of the one family made of place number `from`, place number `to`
/// and `to`.
fn line(guard: impl Fn(&Game, Expr, Expr, Expr) -> Expr) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("line", "none", &["a"]);
    let names = |prefix: &str, count: u32| (1..=count).map(|i| format!("{prefix}{i}")).collect();
    let piece = builder.names("Piece", names("p", 3), span);
    let place = builder.names("Place", names("s", LINE), span);
    let at = builder.placement(Placement {
        name: "at".to_owned(),
        pieces: piece,
        places: place,
        form: PlacementForm::One,
        init: vec![Some(0), Some(1), Some(4)],
        span,
    });
    let number = builder.table(Table {
        name: "number".to_owned(),
        axes: vec![Axis::Domain(place)],
        ty: Type::Wrap32,
        values: (0..i64::from(LINE)).map(Const::Int).collect(),
        outside: None,
        span,
    });
    let mut function = FunctionBuilder::new("may_step", Some(Type::Bool), span);
    function.param("piece", Type::Elem(piece));
    let from = function.param("from", Type::Elem(place));
    let to = function.param("to", Type::Elem(place));
    let index = |local| Expr::lookup(&builder.game, number, vec![function.get(local)], span);
    let test = guard(&builder.game, index(from), index(to), function.get(to));
    let body = vec![Stmt::give(test)];
    let guard = builder.function(function.body(body));
    let param = |name: &str, domain, source| Param {
        name: name.to_owned(),
        ty: Type::Elem(domain),
        source,
    };
    let from_source = Expr::place_of(
        &builder.game,
        at,
        Expr::local(LocalId(0), Type::Elem(piece), span),
    );
    let family = builder.family(Family {
        name: "step".to_owned(),
        context: vec![],
        params: vec![
            param("piece", piece, ParamSource::All),
            param("from", place, ParamSource::Is(from_source)),
            param("to", place, ParamSource::All),
        ],
        guard: Some(guard),
        after: None,
        effect: None,
        rank: None,
        class: vec![],
        text: vec![
            TextPart::Param(0),
            TextPart::Text(" ".to_owned()),
            TextPart::Param(1),
            TextPart::Text(" ".to_owned()),
            TextPart::Param(2),
        ],
        span,
    });
    builder.game.process = builder.game.functions.len().into();
    let process = process(&mut builder, family, piece, place, at);
    builder.function(process);
    builder.game
}

/// For ever: a step.
fn process(
    builder: &mut GameBuilder,
    family: FamilyId,
    piece: DomainId,
    place: DomainId,
    at: PlacementId,
) -> Function {
    let span = Span::default();
    let mut function = FunctionBuilder::new("process", None, span);
    let (p, from, to) = (
        function.local("p", Type::Elem(piece)),
        function.local("from", Type::Elem(place)),
        function.local("to", Type::Elem(place)),
    );
    let put = Stmt::new(StmtKind::Put(at, function.get(p), function.get(to)), span);
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, span),
        arms: vec![Arm {
            family,
            given: vec![],
            bind: vec![p, from, to],
            body: vec![put],
        }],
        otherwise: None,
    });
    let forever = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body: vec![Stmt::new(choose, span)],
    };
    function.body(vec![Stmt::new(forever, span)])
}

fn is_empty(game: &Game, to: Expr) -> Expr {
    Expr::content(game, PlacementId(0), to).is_some().not()
}

fn targets(game: &Game) -> Vec<Vec<u32>> {
    let ParamSource::Listed { by: 1, table } = game.families[0].params[2].source else {
        panic!("a list by `from`: {:?}", game.families[0].params[2].source)
    };
    let row = |value: &Const| match value {
        Const::Set(row) => row.clone(),
        other => panic!("a set: {other:?}"),
    };
    game.table(table).values.iter().map(row).collect()
}

/// Whether the guard of a family depends on each of its parameters.
fn depends(game: &Game, family: FamilyId) -> Vec<bool> {
    let family = game.family(family);
    let Some(guard) = family.guard else {
        return vec![false; family.params.len()];
    };
    let mut used = SortedSet::new();
    walk_exprs(&game.function(guard).body, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            used.insert(local);
        }
    });
    let first = family.context.len();
    (0..family.params.len())
        .map(|param| used.contains(&LocalId::from(first + param)))
        .collect()
}

#[test]
fn targets_that_follow_from_the_source_are_listed() {
    let span = Span::default();
    let before = line(|game, from, to, place| {
        let next = Expr::binary(BinaryOp::Add, from, Expr::wrap(1, span));
        is_empty(game, place).and(to.equals(next))
    });
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(
        targets(&after),
        [vec![1], vec![2], vec![3], vec![4], vec![5], vec![6], vec![]]
    );
    assert_eq!(depends(&before, FamilyId(0)), [false, true, true]);
    assert_eq!(
        depends(&after, FamilyId(0)),
        [false, false, true],
        "the list implies the step"
    );
    assert_same_play("line", &before, &after, 10, 20);
}

#[test]
fn single_parameters_are_filtered() {
    let span = Span::default();
    let before = line(|game, from, to, place| {
        let far = Expr::binary(BinaryOp::Gt, to, Expr::wrap(3, span));
        far.and(Expr::binary(BinaryOp::Lt, from, Expr::wrap(9, span)))
            .and(is_empty(game, place))
    });
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(
        after.families[0].params[2].source,
        ParamSource::Among(vec![4, 5, 6])
    );
    assert_eq!(depends(&after, FamilyId(0)), [false, false, true]);
    assert_same_play("line", &before, &after, 10, 20);
}

#[test]
fn candidates_whose_guard_may_fault_stay() {
    let span = Span::default();
    // What stands on an empty place faults before the step is tested.
    let before = line(|game, from, to, place| {
        let stands = Expr::content(game, PlacementId(0), place.clone())
            .get()
            .ordinal();
        let next = Expr::binary(BinaryOp::Add, from, Expr::wrap(1, span));
        stands.equals(Expr::int(9, span)).or(to.equals(next))
    });
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(after.families[0].params, before.families[0].params);
    // Behind a test that it is there, it cannot fault.
    let before = line(|game, from, to, place| {
        let stands = Expr::content(game, PlacementId(0), place.clone())
            .get()
            .ordinal();
        let next = Expr::binary(BinaryOp::Add, from, Expr::wrap(1, span));
        let safe = is_empty(game, place)
            .not()
            .and(stands.equals(Expr::int(9, span)).not());
        safe.and(to.equals(next))
    });
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(targets(&after)[0], [1]);
}

#[test]
fn candidates_stay_if_those_behind_them_may_fault() {
    let span = Span::default();
    let first_two = |game: &mut Game| {
        let piece = Expr::local(LocalId(0), Type::Elem(DomainId(1)), span);
        let early = Expr::binary(BinaryOp::Lt, piece.ordinal(), Expr::int(2, span));
        game.functions[0].body = vec![Stmt::give(early)];
    };
    let mut game = line(|game, _, _, place| is_empty(game, place));
    first_two(&mut game);
    let mut total = game.clone();
    run(&mut total);
    let pieces = |game: &Game| game.families[0].params[0].source.clone();
    assert_eq!(pieces(&total), ParamSource::Among(vec![0, 1]));
    // Where a piece stands that stands nowhere cannot be said.
    let ParamSource::Is(place) = game.families[0].params[1].source.clone() else {
        panic!("a place that follows from the piece")
    };
    game.families[0].params[1].source = ParamSource::Is(place.get());
    run(&mut game);
    assert_eq!(pieces(&game), ParamSource::All);
}

#[test]
fn what_one_branch_knows_is_not_known_behind_both() {
    let span = Span::default();
    let mut game = line(|game, _, _, place| is_empty(game, place));
    let open = VarId::from(game.vars.len());
    game.vars.push(Var {
        name: "open".to_owned(),
        axes: vec![],
        ty: Type::Bool,
        init: vec![Const::Bool(false)],
        meter: false,
        span,
    });
    let asks = Expr::var(&game, open, vec![], span);
    let seen = LocalId::from(game.functions[0].locals.len());
    game.functions[0].locals.push(Local {
        name: "seen".to_owned(),
        ty: Type::Bool,
    });
    let see = |value| vec![Stmt::assign(seen, Expr::bool(value, span))];
    game.functions[0].body = vec![
        Stmt::branch(asks.clone(), see(true), see(false)),
        Stmt::give(asks.not()),
    ];
    let before = game.clone();
    run(&mut game);
    assert_eq!(game.families[0].params, before.families[0].params);
    assert_same_play("open", &before, &game, 5, 10);
}

/// Nodes of look-ups that are made by what another look-up tells.
fn chains(game: &Game) -> usize {
    let guard = game.families[0].guard.expect("a guard");
    let mut chains = 0;
    walk_exprs(&game.function(guard).body, &mut |expr| {
        if let ExprKind::Lookup(_, index) = &expr.kind {
            let of = |index: &Expr| matches!(index.kind, ExprKind::Lookup(..));
            chains += usize::from(index.iter().any(of));
        }
    });
    chains
}

/// A place may be gone to if it is one of the last three, and if something stands before it.
fn last_three(spelling: usize) -> Game {
    let span = Span::default();
    let mut game = line(|game, _, _, place| is_empty(game, place));
    let (place, number, first) = (DomainId(2), TableId(0), 4);
    game.tables.push(Table {
        name: "before".to_owned(),
        axes: vec![Axis::Range {
            lo: i64::from(first),
            hi: 6,
        }],
        ty: Type::Elem(place),
        values: (0..3).map(|at| Const::Elem(3 + at)).collect(),
        outside: None,
        span,
    });
    let to = Expr::local(LocalId(2), Type::Elem(place), span);
    let at = Expr::lookup(&game, number, vec![to.clone()], span);
    let kept = LocalId(3);
    let by = match spelling {
        2 => Expr::local(kept, Type::Wrap32, span),
        _ => at.clone(),
    };
    let before = Expr::lookup(&game, TableId(1), vec![by], span);
    let stands = Expr::content(&game, PlacementId(0), before).is_some();
    let first = Expr::wrap(first, span);
    let far = match spelling {
        1 => Expr::binary(BinaryOp::Lt, at.clone(), first).not(),
        _ => Expr::binary(BinaryOp::Ge, at.clone(), first),
    };
    let test = is_empty(&game, to).and(far.and(stands));
    let guard = &mut game.functions[0];
    guard.body = vec![Stmt::give(test)];
    if spelling == 2 {
        guard.locals.push(Local {
            name: "kept".to_owned(),
            ty: Type::Wrap32,
        });
        guard.body.insert(0, Stmt::assign(kept, at));
    }
    game
}

#[test]
fn what_tables_tell_of_the_candidates_that_are_left_is_one_look_up() {
    for spelling in 0..3 {
        let before = last_three(spelling);
        let mut after = before.clone();
        run(&mut after);
        assert_eq!(
            after.families[0].params[2].source,
            ParamSource::Among(vec![4, 5, 6]),
            "spelling {spelling}"
        );
        assert_eq!(chains(&after), 0, "spelling {spelling}");
        assert_eq!(after.functions[0].body.len(), 1, "spelling {spelling}");
        assert_same_play("last three", &before, &after, 10, 20);
    }
}

#[test]
fn what_the_source_of_a_parameter_admits_is_not_asked_again() {
    let span = Span::default();
    let before = line(|game, from, _, place| {
        let near = Expr::binary(BinaryOp::Lt, from, Expr::wrap(3, span));
        near.and(is_empty(game, place))
    });
    let mut after = before.clone();
    let place = DomainId(2);
    let near = TableId::from(after.tables.len());
    let is_near = |member| Const::Bool(member < 3);
    after.tables.push(Table {
        name: "near".to_owned(),
        axes: vec![Axis::Domain(place)],
        ty: Type::Bool,
        values: (0..LINE).map(is_near).collect(),
        outside: Some(Const::Bool(false)),
        span,
    });
    let ParamSource::Is(from) = after.families[0].params[1].source.clone() else {
        panic!("a place that follows from the piece")
    };
    let admitted = Expr::lookup(&after, near, vec![from.clone()], span);
    let admitted = Expr::select(admitted, from, Expr::none(place, span));
    after.families[0].params[1].source = ParamSource::Is(admitted);
    settle(&mut after, FamilyId(0));
    assert_eq!(depends(&before, FamilyId(0)), [false, true, true]);
    assert_eq!(depends(&after, FamilyId(0)), [false, false, true]);
    assert_same_play("line", &before, &after, 10, 20);
}
