use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::calls;
use crate::ir::*;
use crate::opt::tests::{PlaceRule, assert_same_play, decided_for_ever};
use crate::source::Span;

const PLACES: u32 = 3;

/// Where the number of a place stands in the rule for it.
#[derive(Clone, Copy, PartialEq)]
enum Spelling {
    InTheRule,
    InAFunction,
    InAFunctionOfAFunction,
    /// One of the functions does more than the others.
    Otherwise,
}

const SPELLINGS: [Spelling; 3] = [
    Spelling::InTheRule,
    Spelling::InAFunction,
    Spelling::InAFunctionOfAFunction,
];

/// A function that does this.
fn does(builder: &mut GameBuilder, name: String, body: Block) -> FuncId {
    let function = FunctionBuilder::new(&name, None, Span::default());
    builder.function(function.body(body))
}

/// Places are marked once each; the last one is remembered by its number. There is a rule for each place.
fn marks(spelling: Spelling) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("marks", "none", &["a"]);
    let names = (0..PLACES).map(|at| format!("s{at}")).collect();
    let place = builder.names("Place", names, span);
    let axis = vec![Axis::Domain(place)];
    let marked = builder.var("marked", axis, Type::Bool, Const::Bool(false), span);
    let last = builder.var("last", vec![], Type::Wrap32, Const::Int(0), span);
    let mut rules = Vec::new();
    for at in 0..PLACES {
        let mut guard = FunctionBuilder::new(&format!("may {at}"), Some(Type::Bool), span);
        let to = guard.param("to", Type::Elem(place));
        let free = Expr::var(&builder.game, marked, vec![guard.get(to)], span).not();
        let guard = builder.function(guard.body(vec![Stmt::give(free)]));
        let number = Expr::wrap(at as i32 + 1, span);
        let mut keeps = vec![Stmt::set_var(last, vec![], number.clone())];
        if spelling == Spelling::Otherwise && at == 1 {
            keeps.push(Stmt::set_var(last, vec![], number));
        }
        if spelling == Spelling::InAFunctionOfAFunction {
            let inner = does(&mut builder, format!("inner {at}"), keeps);
            keeps = vec![Stmt::call(inner, vec![], None, span)];
        }
        if spelling != Spelling::InTheRule {
            let outer = does(&mut builder, format!("outer {at}"), keeps);
            keeps = vec![Stmt::call(outer, vec![], None, span)];
        }
        let mut play = FunctionBuilder::new(&format!("play {at}"), None, span);
        let to = play.param("to", Type::Elem(place));
        let mark = Stmt::set_var(marked, vec![play.get(to)], Expr::bool(true, span));
        keeps.insert(0, mark);
        let play = builder.function(play.body(keeps));
        rules.push(PlaceRule {
            name: format!("mark {at}"),
            among: vec![at],
            guard,
            play,
        });
    }
    decided_for_ever(builder, place, vec![rules])
}

/// What each rule does.
fn plays(game: &Game) -> Vec<Block> {
    let plays = game.functions.iter();
    let plays = plays.filter(|function| function.name.starts_with("play"));
    plays.map(|function| function.body.clone()).collect()
}

#[test]
fn rules_that_keep_the_number_of_their_place_are_alike_wherever_it_stands() {
    let mut all = Vec::new();
    for spelling in SPELLINGS {
        let before = marks(spelling);
        let mut after = before.clone();
        run(&mut after);
        let plays = plays(&after);
        assert!(plays.iter().all(|play| *play == plays[0]));
        assert_same_play("marks", &before, &after, 5, 10);
        all.extend(plays);
    }
    assert!(all.iter().all(|play| *play == all[0]));
}

#[test]
fn functions_that_differ_in_more_stay_where_they_are() {
    let before = marks(Spelling::Otherwise);
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(plays(&before), plays(&after));
    let outer = |game: &Game| {
        let mut functions = game.functions.iter();
        functions.position(|function| function.name == "outer 0")
    };
    let kept = outer(&after).map(FuncId::from);
    assert!(kept.is_some_and(|kept| calls(&plays(&after)[0], kept)));
}
