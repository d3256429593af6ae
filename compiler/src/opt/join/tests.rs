use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::verify::verify;
use crate::ir::*;
use crate::opt::tests::{PlaceRule, assert_same_play, decided_for_ever};
use crate::source::Span;

const PLACES: u32 = 3;

/// How a rule for one place says which place that is.
#[derive(Clone, Copy, PartialEq)]
enum Spelling {
    Number,
    Place,
    Table,
    /// By a number, and the first one asks less than the others.
    Less,
    /// By a number that another rule has, too, for a place that both may name.
    Shared,
    /// In a test of whose turn it is.
    Turn,
    /// By a number, and every other rule is one of a later decision.
    Decisions,
}

const SPELLINGS: [Spelling; 4] = [
    Spelling::Number,
    Spelling::Place,
    Spelling::Table,
    Spelling::Less,
];

/// Places are marked once each, and the last one is kept. There is a rule for each place.
fn marks(spelling: Spelling) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("marks", "none", &["a", "b"]);
    let names = (0..PLACES).map(|at| format!("s{at}")).collect();
    let place = builder.names("Place", names, span);
    let axis = vec![Axis::Domain(place)];
    let marked = builder.var("marked", axis.clone(), Type::Bool, Const::Bool(false), span);
    let number = builder.var("number", vec![], Type::Wrap32, Const::Int(0), span);
    let last = builder.var("last", vec![], Type::Elem(place), Const::Elem(0), span);
    let turn = builder.var("turn", vec![], Type::Wrap32, Const::Int(0), span);
    let mut rules = Vec::new();
    for at in 0..PLACES {
        let mut guard = FunctionBuilder::new(&format!("may {at}"), Some(Type::Bool), span);
        let to = guard.param("to", Type::Elem(place));
        let free = Expr::var(&builder.game, marked, vec![guard.get(to)], span).not();
        let own = Expr::wrap(at as i32 + 1, span);
        let free = match spelling {
            Spelling::Turn => {
                let now = Expr::var(&builder.game, turn, vec![], span);
                free.and(now.equals(Expr::wrap(at as i32 % 2, span)))
            }
            Spelling::Less if at > 0 => {
                let under = Expr::elem(place, at - 1, span);
                let own = guard.get(to).equals(Expr::elem(place, at, span));
                let placed = Expr::var(&builder.game, marked, vec![under], span);
                free.and(own.not().or(placed))
            }
            _ => free,
        };
        let guard = builder.function(guard.body(vec![Stmt::give(free)]));
        let mut play = FunctionBuilder::new(&format!("play {at}"), None, span);
        let to = play.param("to", Type::Elem(place));
        let keeps = match spelling {
            Spelling::Place => Stmt::set_var(last, vec![], Expr::elem(place, at, span)),
            Spelling::Table => {
                let table = Table {
                    name: format!("place {at}"),
                    axes: axis.clone(),
                    ty: Type::Elem(place),
                    values: vec![Const::Elem(at); PLACES as usize],
                    outside: None,
                    span,
                };
                let table = builder.table(table);
                let found = ExprKind::Lookup(table, vec![play.get(to)]);
                Stmt::set_var(last, vec![], Expr::new(found, Type::Elem(place), span))
            }
            _ => Stmt::set_var(number, vec![], own),
        };
        let mark = Stmt::set_var(marked, vec![play.get(to)], Expr::bool(true, span));
        let play = builder.function(play.body(vec![mark, keeps]));
        let source = match spelling {
            Spelling::Shared if at > 0 => vec![0, at],
            _ => vec![at],
        };
        rules.push(PlaceRule {
            name: format!("mark {at}"),
            among: source,
            guard,
            play,
        });
    }
    let later = match spelling {
        Spelling::Decisions => Some(vec![rules.remove(1)]),
        _ => None,
    };
    let decisions = [rules].into_iter().chain(later).collect();
    decided_for_ever(builder, place, decisions)
}

fn joined(spelling: Spelling) -> Game {
    let before = marks(spelling);
    let mut after = before.clone();
    run(&mut after);
    assert!(verify(&after).is_ok());
    assert_same_play("marks", &before, &after, 5, 10);
    after
}

#[test]
fn a_rule_for_each_place_is_one_rule_whatever_says_which_place_it_is() {
    for spelling in SPELLINGS {
        let after = joined(spelling);
        let [group] = &after.joined[..] else {
            panic!("{} groups", after.joined.len());
        };
        let names: Vec<FamilyId> = (0..PLACES as usize).map(FamilyId::from).collect();
        assert_eq!(group.names, names);
        let all = ParamSource::Among((0..PLACES).collect());
        assert_eq!(after.families[0].params[0].source, all);
    }
}

#[test]
fn rules_stay_apart_that_no_argument_tells_or_that_are_of_another_turn() {
    for spelling in [Spelling::Shared, Spelling::Turn, Spelling::Decisions] {
        let after = joined(spelling);
        let has = |group: &Joined, name: &str| {
            let mut names = group.names.iter();
            names.any(|family| after.family(*family).name == name)
        };
        let mut groups = after.joined.iter();
        assert!(!groups.any(|group| has(group, "mark 0") && has(group, "mark 1")));
    }
}
