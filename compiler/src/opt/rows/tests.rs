use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::same::placeless;
use crate::ir::*;
use crate::source::Span;

const AT: PlacementId = PlacementId(0);
const AHEAD: TableId = TableId(0);
const PLACES: u32 = 5;

/// A row of places, the place ahead of each, and a function of a place that gives a set.
fn targets(set: impl Fn(&Game, Expr) -> Expr) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("row", "none", &["a"]);
    let kinds = ["mine", "theirs"].map(str::to_owned).to_vec();
    let kind = builder.names("Kind", kinds, span);
    let places = (0..PLACES).map(|at| format!("p{at}")).collect();
    let place = builder.names("Place", places, span);
    builder.placement(Placement {
        name: "at".to_owned(),
        pieces: kind,
        places: place,
        form: PlacementForm::Anonymous,
        init: vec![None; PLACES as usize],
        span,
    });
    let ahead = (0..PLACES).map(|at| (at + 1..PLACES).take(1).collect());
    builder.table(Table {
        name: "ahead".to_owned(),
        axes: vec![Axis::Domain(place)],
        ty: Type::Set(place),
        values: ahead.map(Const::Set).collect(),
        outside: None,
        span,
    });
    let mut function = FunctionBuilder::new("targets", Some(Type::Set(place)), span);
    let from = function.param("from", Type::Elem(place));
    let value = set(&builder.game, function.get(from));
    builder.function(function.body(vec![Stmt::give(value)]));
    builder.game
}

fn constant(game: &Game, members: &[u32]) -> Expr {
    let ty = Type::Set(game.placement(AT).places);
    Expr::constant(Const::Set(members.to_vec()), ty, Span::default())
}

fn stands(game: &Game, kind: u32) -> Expr {
    let found = game.placement(AT);
    let kind = Expr::elem(found.pieces, kind, Span::default());
    let places = ExprKind::Places(AT, Box::new(kind));
    Expr::new(places, Type::Set(found.places), Span::default())
}

/// Where none of mine stands.
fn open(game: &Game) -> Expr {
    Expr::unary(UnaryOp::Complement, stands(game, 0))
}

fn ahead(game: &Game, from: Expr) -> Expr {
    Expr::lookup(game, AHEAD, vec![from], Span::default())
}

fn within(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Intersect, a, b)
}

fn joined(parts: impl Iterator<Item = Expr>) -> Expr {
    let all = parts.reduce(|a, b| Expr::binary(BinaryOp::Union, a, b));
    all.expect("some parts")
}

/// A set from these places alone.
fn only(game: &Game, from: &Expr, places: &[u32], set: Expr) -> Expr {
    let here = Expr::binary(BinaryOp::In, from.clone(), constant(game, places));
    Expr::select(here, set, constant(game, &[]))
}

/// What the function gives after the pass, and the rows of the tables that are left.
fn given(mut game: Game) -> (Expr, Vec<Vec<Const>>) {
    run(&mut game);
    let rows = game.tables.iter().map(|table| table.values.clone());
    match &game.functions[0].body[0].kind {
        StmtKind::Return(Some(value)) => (placeless(value), rows.collect()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_says_no_more_than_the_table_leaves_the_row_and_what_stands_there() {
    let plain = given(targets(|game, from| within(ahead(game, from), open(game))));
    let sources = given(targets(|game, from| {
        let set = only(game, &from, &[0, 1, 2, 3], open(game));
        within(ahead(game, from), set)
    }));
    let one_by_one = given(targets(|game, from| {
        let each = (0..PLACES - 1).map(|at| {
            let target = within(constant(game, &[at + 1]), open(game));
            within(ahead(game, from.clone()), only(game, &from, &[at], target))
        });
        joined(each)
    }));
    let by_targets = given(targets(|game, from| {
        let each = (1..PLACES).map(|at| within(constant(game, &[at]), open(game)));
        within(ahead(game, from), joined(each))
    }));
    let kinds = given(targets(|game, from| {
        let all = Expr::binary(BinaryOp::Union, stands(game, 0), stands(game, 1));
        let free = Expr::unary(UnaryOp::Complement, all);
        let set = Expr::binary(BinaryOp::Union, free, stands(game, 1));
        within(ahead(game, from), set)
    }));
    for other in [sources, one_by_one, by_targets, kinds] {
        assert_eq!(other, plain);
    }
}

#[test]
fn a_condition_that_says_more_than_the_table_is_another_row() {
    let (fewer, rows) = given(targets(|game, from| {
        let set = only(game, &from, &[0, 1], open(game));
        within(ahead(game, from), set)
    }));
    let wanted = [vec![1], vec![2], vec![], vec![], vec![]].map(Const::Set);
    assert_eq!(rows, [wanted.to_vec()]);
    let asked = matches!(fewer.kind, ExprKind::Binary(BinaryOp::Intersect, ..));
    assert!(asked, "{fewer:?}");
}
