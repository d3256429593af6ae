//! Crosses of a row that go to the next place are looked for only where they can go, however that is asked, and games go as before.

use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_exprs;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const PLACES: u32 = 70;
const AT: PlacementId = PlacementId(0);
const KIND: DomainId = DomainId(1);
const PLACE: DomainId = DomainId(2);
/// The next place, as a set.
const NEXT: TableId = TableId(0);
/// The next place, or for the last one the first.
const ROUND: TableId = TableId(1);

fn here() -> Span {
    Span::default()
}

/// The places of crosses, or of noughts.
fn standing(kind: u32) -> Expr {
    let kind = Box::new(Expr::elem(KIND, kind, here()));
    Expr::new(ExprKind::Places(AT, kind), Type::Set(PLACE), here())
}

fn free() -> Expr {
    let taken = Expr::binary(BinaryOp::Union, standing(0), standing(1));
    Expr::unary(UnaryOp::Complement, taken)
}

fn ahead(game: &Game, from: Expr) -> Expr {
    Expr::lookup(game, NEXT, vec![from], here())
}

fn none() -> Expr {
    Expr::constant(Const::Set(vec![]), Type::Set(PLACE), here())
}

/// Where a cross goes, and what is asked of that.
struct Spelling {
    targets: fn(&Game, Expr) -> Expr,
    guard: Option<fn(&Game, Expr, Expr) -> Expr>,
}

/// A row of places with crosses and noughts. A cross goes to one of its targets, if the guard holds.
fn row(spelling: &Spelling) -> Game {
    let span = here();
    let mut builder = GameBuilder::new("row", "none", &["a"]);
    let names = ["cross", "nought"].map(str::to_owned).to_vec();
    assert_eq!(builder.names("Kind", names, span), KIND);
    let names = (0..PLACES).map(|at| format!("p{at}")).collect();
    assert_eq!(builder.names("Place", names, span), PLACE);
    let init = (0..PLACES).map(|at| match at % 7 {
        0 | 1 | 3 => Some(0),
        5 => Some(1),
        _ => None,
    });
    builder.placement(Placement {
        name: "at".to_owned(),
        pieces: KIND,
        places: PLACE,
        form: PlacementForm::Anonymous,
        init: init.collect(),
        span,
    });
    let mut table = |name: &str, ty, values| {
        builder.table(Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(PLACE)],
            ty,
            values,
            outside: None,
            span,
        })
    };
    let ahead = |at: u32| Const::Set((at + 1 < PLACES).then_some(at + 1).into_iter().collect());
    table("next", Type::Set(PLACE), (0..PLACES).map(ahead).collect());
    let round = |at: u32| Const::Elem((at + 1) % PLACES);
    table("round", Type::Elem(PLACE), (0..PLACES).map(round).collect());

    let function = FunctionBuilder::new("sources", Some(Type::Set(PLACE)), span);
    let sources = builder.function(function.body(vec![Stmt::give(standing(0))]));
    let mut function = FunctionBuilder::new("targets", Some(Type::Set(PLACE)), span);
    let from = function.param("from", Type::Elem(PLACE));
    let set = (spelling.targets)(&builder.game, function.get(from));
    let targets = builder.function(function.body(vec![Stmt::give(set)]));
    let guard = spelling.guard.map(|guard| {
        let mut function = FunctionBuilder::new("may", Some(Type::Bool), span);
        let from = function.param("from", Type::Elem(PLACE));
        let to = function.param("to", Type::Elem(PLACE));
        let holds = guard(&builder.game, function.get(from), function.get(to));
        builder.function(function.body(vec![Stmt::give(holds)]))
    });
    let param = |name: &str, func| Param {
        name: name.to_owned(),
        ty: Type::Elem(PLACE),
        source: ParamSource::Generated(func),
    };
    let family = builder.family(Family {
        name: "go".to_owned(),
        context: vec![],
        params: vec![param("from", sources), param("to", targets)],
        guard,
        after: None,
        effect: None,
        rank: None,
        class: vec![],
        text: vec![TextPart::Param(0), TextPart::Param(1)],
        span,
    });
    let mut process = FunctionBuilder::new("process", None, span);
    let bind = ["from", "to"].map(|name| process.local(name, Type::Elem(PLACE)));
    let put = |place, kind| Stmt::new(StmtKind::SetContent(AT, process.get(place), kind), span);
    let body = vec![
        put(bind[0], Expr::none(KIND, span)),
        put(bind[1], Expr::elem(KIND, 0, span).some()),
    ];
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, span),
        arms: vec![Arm {
            family,
            given: vec![],
            bind: bind.to_vec(),
            body,
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

/// Plays by a spelling as it is and narrowed, and tells whether it was.
fn narrows(name: &str, spelling: &Spelling) -> bool {
    let before = row(spelling);
    let mut after = before.clone();
    run(&mut after);
    let ParamSource::Generated(sources) = after.families[0].params[0].source else {
        panic!("{name}: sources are generated");
    };
    let mut narrowed = false;
    walk_exprs(&after.function(sources).body, &mut |expr| {
        narrowed |= matches!(expr.kind, ExprKind::Collect { .. });
    });
    assert_same_play(name, &before, &after, 5, 30);
    narrowed
}

fn always(_: &Game, _: Expr, _: Expr) -> Expr {
    Expr::bool(true, here())
}

#[test]
fn moves_begin_where_they_lead_to_a_set() {
    let rows = Spelling {
        targets: |game, from| Expr::binary(BinaryOp::Intersect, ahead(game, from), free()),
        guard: Some(always),
    };
    assert!(narrows("a row and a set", &rows));
    let less = Spelling {
        targets: |game, from| {
            let taken = Expr::binary(BinaryOp::Union, standing(0), standing(1));
            Expr::binary(BinaryOp::Minus, ahead(game, from), taken)
        },
        guard: Some(always),
    };
    assert!(narrows("a row less a set", &less));
    let on_condition = Spelling {
        targets: |game, from| {
            let rare = Expr::constant(
                Const::Set((0..PLACES).step_by(3).collect()),
                Type::Set(PLACE),
                here(),
            );
            let when = Expr::binary(BinaryOp::In, from.clone(), rare);
            let then = Expr::select(when, ahead(game, from), none());
            Expr::binary(BinaryOp::Intersect, free(), then)
        },
        guard: Some(always),
    };
    assert!(narrows("on a condition on the source", &on_condition));
    let by_content = Spelling {
        targets: |game, from| ahead(game, from),
        guard: Some(|game, from, _| {
            let place = Expr::lookup(game, ROUND, vec![from], here());
            let content = Expr::content(game, AT, place);
            content.equals(Expr::elem(KIND, 1, here()).some())
        }),
    };
    assert!(narrows("by what stands there", &by_content));
    let other_way_round = Spelling {
        guard: Some(|game, from, _| {
            let place = Expr::lookup(game, ROUND, vec![from], here());
            let nought = Expr::elem(KIND, 1, here()).some();
            nought.equals(Expr::content(game, AT, place))
        }),
        ..by_content
    };
    assert!(narrows("the other way round", &other_way_round));
}

#[test]
fn sources_that_are_looked_at_together_stay() {
    let together = Spelling {
        targets: |game, from| Expr::binary(BinaryOp::Intersect, ahead(game, from), free()),
        guard: None,
    };
    assert!(!narrows("nothing else is asked", &together));
    let own = Spelling {
        targets: |game, from| {
            // A set that is another one for each source says nothing of all.
            let other = ahead(game, from.clone());
            Expr::binary(BinaryOp::Minus, ahead(game, from), other)
        },
        guard: Some(always),
    };
    assert!(!narrows("sets of their own", &own));
}
