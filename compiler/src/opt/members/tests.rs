//! Tests of questions about pieces.

use super::*;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::{DomainId, Placement};

/// Two places, two pieces, and a question about a place.
fn asking(question: impl Fn(&mut FunctionBuilder, LocalId, DomainId) -> Expr) -> (Game, FuncId) {
    let span = Span::default();
    let mut builder = GameBuilder::new("row", "none", &["a"]);
    let names = |of: &str| (0..2).map(|at| format!("{of}{at}")).collect();
    let pieces = builder.names("Piece", names("piece"), span);
    let places = builder.names("Place", names("place"), span);
    builder.placement(Placement {
        name: String::from("at"),
        pieces,
        places,
        form: PlacementForm::One,
        init: vec![Some(0), Some(1)],
        span,
    });
    let mut function = FunctionBuilder::new("asks", Some(Type::Bool), span);
    let place = function.param("place", Type::Elem(places));
    let asked = question(&mut function, place, places);
    let func = builder.function(function.body(vec![Stmt::give(asked)]));
    (builder.game, func)
}

fn is_of_place_alone((mut game, func): (Game, FuncId)) -> bool {
    let there = Expr::elem(game.placement(PlacementId(0)).places, 0, Span::default());
    let loops = Loops::of(&mut game, PlacementId(0), func);
    loops.of_place_alone(func, &there).is_some()
}

#[test]
fn what_binds_a_variable_stays_in_its_function() {
    let first = |places: DomainId| Expr::elem(places, 0, Span::default());
    let plain = asking(|function, place, places| function.get(place).equals(first(places)));
    let binding = asking(|function, place, places| {
        let other = function.local("other", Type::Elem(places));
        let same = function.get(other).equals(function.get(place));
        let both = function.get(other).equals(first(places)).and(same);
        Expr::fold(Fold::Exists, other, Over::Domain(places), both)
    });
    assert!(is_of_place_alone(plain) && !is_of_place_alone(binding));
}
