//! Questions about members and walks, as sets: none is asked one by one afterwards, and games go as before.

use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_exprs;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const PLACES: u32 = 6;
const AT: PlacementId = PlacementId(0);
const UP: TableId = TableId(0);
const DOWN: TableId = TableId(1);
const HEAVY: TableId = TableId(2);
const LIGHT: TableId = TableId(3);

fn here() -> Span {
    Span::default()
}

/// A row of places with crosses, noughts and walls. A move changes what stands on a place of which the guard holds, which is made
/// of the place and a variable for members.
fn row(guard: impl Fn(&Game, Expr, LocalId) -> Expr) -> Game {
    let span = here();
    let mut builder = GameBuilder::new("row", "none", &["a"]);
    let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
    let kind = builder.names("Kind", names(&["cross", "nought", "wall"]), span);
    let places = (1..=PLACES).map(|at| format!("p{at}")).collect();
    let place = builder.names("Place", places, span);
    builder.placement(Placement {
        name: "at".to_owned(),
        pieces: kind,
        places: place,
        form: PlacementForm::Anonymous,
        init: vec![None, Some(0), None, None, Some(2), Some(1)],
        span,
    });
    let mut table = |name: &str, domain, ty, values, outside| {
        builder.table(Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(domain)],
            ty,
            values,
            outside,
            span,
        });
    };
    let step = |at: Option<u32>| match at.filter(|at| *at < PLACES) {
        Some(at) => Const::Elem(at),
        None => Const::None,
    };
    let up = (0..PLACES).map(|at| step(Some(at + 1))).collect();
    let down = (0..PLACES).map(|at| step(at.checked_sub(1))).collect();
    table("up", place, Type::Opt(place), up, None);
    table("down", place, Type::Opt(place), down, None);
    let says = |kinds: [bool; 3]| kinds.map(Const::Bool).to_vec();
    let heavy = says([true, false, true]);
    table("heavy", kind, Type::Bool, heavy, Some(Const::Bool(false)));
    let light = says([false, true, false]);
    table("light", kind, Type::Bool, light, Some(Const::Bool(true)));

    let mut function = FunctionBuilder::new("may", Some(Type::Bool), span);
    let param = function.param("place", Type::Elem(place));
    let member = function.local("member", Type::Elem(place));
    let holds = guard(&builder.game, function.get(param), member);
    let guard = builder.function(function.body(vec![Stmt::give(holds)]));
    let family = builder.family(Family {
        name: "change".to_owned(),
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
    let place = process.local("place", Type::Elem(place));
    let put = |kind| Stmt::new(StmtKind::SetContent(AT, process.get(place), kind), span);
    let content = Expr::content(&builder.game, AT, process.get(place));
    let cross = content.clone().equals(Expr::elem(kind, 0, span).some());
    let to = |member| vec![put(Expr::elem(kind, member, span).some())];
    let off = vec![put(Expr::none(kind, span))];
    let change = Stmt::branch(
        content.is_some(),
        vec![Stmt::branch(cross, to(1), off)],
        to(0),
    );
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, span),
        arms: vec![Arm {
            family,
            given: vec![],
            bind: vec![place],
            body: vec![change],
        }],
        otherwise: None,
    });
    let forever = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body: vec![Stmt::new(choose, span)],
    };
    builder.game.process = builder.function(process.body(vec![Stmt::new(forever, span)]));
    builder.game
}

/// Asserts that a guard is lifted, and that games go on as before.
fn check(name: &str, guard: impl Fn(&Game, Expr, LocalId) -> Expr) {
    let before = row(guard);
    let mut after = before.clone();
    run(&mut after);
    walk_exprs(&after.functions[0].body, &mut |expr| {
        let one_by_one = matches!(expr.kind, ExprKind::Fold { .. } | ExprKind::Walk { .. });
        assert!(!one_by_one, "{name}");
    });
    assert_same_play(name, &before, &after, 20, 20);
}

fn place() -> DomainId {
    DomainId(2)
}

fn member(local: LocalId) -> Expr {
    Expr::local(local, Type::Elem(place()), here())
}

fn at_least(count: Expr, least: i64) -> Expr {
    Expr::binary(BinaryOp::Ge, count, Expr::int(least, here()))
}

#[test]
fn a_walk_is_as_long_as_the_places_it_passes() {
    for (name, step) in [("up", UP), ("down", DOWN)] {
        check(name, |game, from, local| {
            let walk = ExprKind::Walk {
                start: Box::new(Expr::lookup(game, step, vec![from], here())),
                step,
                local,
                pass: Box::new(Expr::content(game, AT, member(local)).is_some().not()),
                give: WalkGive::Length,
            };
            let hi = i64::from(PLACES);
            at_least(Expr::new(walk, Type::Int { lo: 0, hi }, here()), 2)
        });
    }
}

#[test]
fn a_walk_reaches_the_first_place_that_stops_it() {
    for (name, step) in [("up", UP), ("down", DOWN)] {
        for give in [WalkGive::Reached, WalkGive::Passed] {
            check(name, |game, from, local| {
                let walk = ExprKind::Walk {
                    start: Box::new(Expr::lookup(game, step, vec![from], here())),
                    step,
                    local,
                    pass: Box::new(Expr::content(game, AT, member(local)).is_some().not()),
                    give,
                };
                let walk = Expr::new(walk, Type::Set(place()), here());
                let third = Expr::elem(place(), 2, here());
                Expr::binary(BinaryOp::In, third, walk)
            });
        }
    }
}

#[test]
fn places_are_counted_by_what_stands_there() {
    for (name, table) in [("heavy", HEAVY), ("light", LIGHT)] {
        check(name, |game, _, local| {
            let standing = Expr::content(game, AT, member(local));
            let is = Expr::lookup(game, table, vec![standing], here());
            let count = Expr::fold(Fold::Count, local, Over::Domain(place()), is);
            at_least(count, 3).not()
        });
    }
}

#[test]
fn of_a_set_only_its_members_are_asked() {
    for (name, fold) in [("all", Fold::Forall), ("some", Fold::Exists)] {
        check(name, |game, _, local| {
            let cross = Box::new(Expr::elem(DomainId(1), 0, here()));
            let crosses = ExprKind::Places(AT, cross);
            let crosses = Expr::new(crosses, Type::Set(place()), here());
            let next = Expr::lookup(game, UP, vec![member(local)], here());
            Expr::fold(fold, local, Over::Set(crosses), next.is_some())
        });
    }
}

#[test]
fn a_sum_of_what_is_nothing_for_most_members_is_asked_of_the_others_alone() {
    let sum = |few: bool| {
        row(move |game, place, member| {
            let ty = Type::Elem(game.placement(AT).places);
            let member_expr = Expr::local(member, ty.clone(), here());
            let Type::Elem(places) = ty else {
                panic!("a place")
            };
            let among = Expr::constant(Const::Set(vec![1, 5]), Type::Set(places), here());
            let asked = match few {
                true => Expr::binary(BinaryOp::In, member_expr.clone(), among),
                false => member_expr.clone().equals(place.clone()),
            };
            let stands = Expr::content(game, AT, member_expr).is_some();
            let number = |value| Expr::int(value, here());
            let one = Expr::select(stands, number(1), number(0));
            let body = Expr::select(asked, one, number(0));
            let sum = Expr::fold(Fold::Sum, member, Over::Domain(places), body);
            sum.equals(number(1))
        })
    };
    let loops = |game: &Game| {
        let mut loops = 0;
        for function in &game.functions {
            walk_exprs(&function.body, &mut |expr| {
                loops += usize::from(matches!(expr.kind, ExprKind::Fold { .. }));
            });
        }
        loops
    };
    for (few, left) in [(true, 0), (false, 1)] {
        let before = sum(few);
        let mut after = before.clone();
        run(&mut after);
        assert_eq!(loops(&after), left);
        assert_same_play("sum", &before, &after, 3, 40);
    }
}
