//! Crosses of a row go to the next place and may take a nought there; whether they may is judged by the position after the move.

use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const PLACES: u32 = 12;
const AT: PlacementId = PlacementId(0);
const KIND: DomainId = DomainId(1);
const PLACE: DomainId = DomainId(2);
const CROSS: u32 = 0;
const NOUGHT: u32 = 1;

fn here() -> Span {
    Span::default()
}

fn standing(kind: u32) -> Expr {
    let kind = Box::new(Expr::elem(KIND, kind, here()));
    Expr::new(ExprKind::Places(AT, kind), Type::Set(PLACE), here())
}

fn places(members: &[u32]) -> Expr {
    Expr::constant(Const::Set(members.to_vec()), Type::Set(PLACE), here())
}

/// The noughts on some places.
fn noughts(members: &[u32]) -> Expr {
    Expr::binary(BinaryOp::Intersect, standing(NOUGHT), places(members))
}

fn is_empty(set: Expr) -> Expr {
    set.equals(places(&[]))
}

fn param(name: &str, func: FuncId) -> Param {
    Param {
        name: name.to_owned(),
        ty: Type::Elem(PLACE),
        source: ParamSource::Generated(func),
    }
}

/// What a move does.
fn effect(builder: &mut GameBuilder) -> FuncId {
    let mut function = FunctionBuilder::new("go", None, here());
    let [from, to] = ["from", "to"].map(|name| function.param(name, Type::Elem(PLACE)));
    let put = |place, kind| Stmt::new(StmtKind::SetContent(AT, place, kind), here());
    let body = vec![
        put(function.get(to), Expr::elem(KIND, CROSS, here()).some()),
        put(function.get(from), Expr::none(KIND, here())),
    ];
    builder.function(function.body(body))
}

/// The game of a question; it may be asked by a function of its own.
fn row(question: Expr, by_a_function: bool) -> Game {
    let span = here();
    let mut builder = GameBuilder::new("row", "none", &["a"]);
    let names = ["cross", "nought"].map(str::to_owned).to_vec();
    assert_eq!(builder.names("Kind", names, span), KIND);
    let names = (0..PLACES).map(|at| format!("p{at}")).collect();
    assert_eq!(builder.names("Place", names, span), PLACE);
    let init = (0..PLACES).map(|at| match at {
        1 | 2 | 6 => Some(CROSS),
        0 | 5 | 9 => Some(NOUGHT),
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
    let ahead = |at: u32| Const::Set((at + 1 < PLACES).then_some(at + 1).into_iter().collect());
    let next = builder.table(Table {
        name: "next".to_owned(),
        axes: vec![Axis::Domain(PLACE)],
        ty: Type::Set(PLACE),
        values: (0..PLACES).map(ahead).collect(),
        outside: None,
        span,
    });
    let function = FunctionBuilder::new("sources", Some(Type::Set(PLACE)), span);
    let sources = builder.function(function.body(vec![Stmt::give(standing(CROSS))]));
    let mut function = FunctionBuilder::new("targets", Some(Type::Set(PLACE)), span);
    let from = function.param("from", Type::Elem(PLACE));
    let rows = Expr::lookup(&builder.game, next, vec![function.get(from)], span);
    let others = Expr::unary(UnaryOp::Complement, standing(CROSS));
    let set = Expr::binary(BinaryOp::Intersect, rows, others);
    let targets = builder.function(function.body(vec![Stmt::give(set)]));
    let question = match by_a_function {
        true => {
            let function = FunctionBuilder::new("asked", Some(Type::Bool), span);
            let asked = builder.function(function.body(vec![Stmt::give(question)]));
            Expr::new(ExprKind::Call(asked, vec![]), Type::Bool, span)
        }
        false => question,
    };
    let mut function = FunctionBuilder::new("after", Some(Type::Bool), span);
    for name in ["from", "to"] {
        function.param(name, Type::Elem(PLACE));
    }
    let after = builder.function(function.body(vec![Stmt::give(question)]));
    let effect = effect(&mut builder);
    let family = builder.family(Family {
        name: "go".to_owned(),
        context: vec![],
        params: vec![param("from", sources), param("to", targets)],
        guard: None,
        after: Some(after),
        effect: Some(effect),
        rank: None,
        class: vec![],
        text: vec![TextPart::Param(0), TextPart::Param(1)],
        span,
    });
    let mut process = FunctionBuilder::new("process", None, span);
    let bind = ["from", "to"].map(|name| process.local(name, Type::Elem(PLACE)));
    let args = bind.map(|local| process.get(local)).to_vec();
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, span),
        arms: vec![Arm {
            family,
            given: vec![],
            bind: bind.to_vec(),
            body: vec![Stmt::call(effect, args, None, span)],
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

/// Plays by a question as it is and asked before the move, and tells whether it was asked there.
fn is_foreseen(name: &str, question: &Expr) -> bool {
    let foreseen = [false, true].map(|by_a_function| {
        let before = row(question.clone(), by_a_function);
        let mut after = before.clone();
        run(&mut after);
        assert_same_play(name, &before, &after, 5, 30);
        let family = &after.families[0];
        family.after.is_none()
    });
    assert_eq!(foreseen[0], foreseen[1], "{name}");
    foreseen[0]
}

#[test]
fn what_a_move_cannot_change_is_asked_before_it() {
    let size = Expr::new(ExprKind::Size(Box::new(noughts(&[0]))), Type::INT, here());
    let some = Expr::binary(BinaryOp::Gt, size, Expr::int(0, here()));
    let within = Expr::binary(BinaryOp::Subset, places(&[0]), standing(NOUGHT));
    for (name, question) in [
        ("no set is empty", is_empty(noughts(&[0])).not()),
        ("a size", some),
        ("a part of a set", within),
        ("never", is_empty(noughts(&[0]))),
    ] {
        assert!(is_foreseen(name, &question), "{name}");
    }
}

#[test]
fn what_a_move_changes_on_one_place_is_asked_of_that_place() {
    assert!(is_foreseen("a nought", &is_empty(noughts(&[5])).not()));
    assert!(is_foreseen(
        "some nought",
        &is_empty(noughts(&[5, 9])).not()
    ));
}

#[test]
fn what_depends_on_source_and_target_is_judged_after_the_move() {
    let crosses = Expr::binary(BinaryOp::Intersect, standing(CROSS), places(&[1, 2, 11]));
    assert!(!is_foreseen("crosses", &is_empty(crosses).not()));
}
