//! What rules mean where the order of what they do matters.

use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, EndReason, Expr, ExprKind, Fold, FuncId, Game, Over,
    Placement, PlacementForm, Stmt, StmtKind, Table, Type, VarId,
};
use crate::source::Span;

use super::Renaming;
use super::terms::{Form, Renamed, Term, Terms};
use super::unfold::Unfold;

fn span() -> Span {
    Span::default()
}

/// What functions without parameters do, in rules that ask of sets.
fn done<const N: usize>(game: &Game, functions: [FuncId; N]) -> [Term; N] {
    let mut terms = Terms::new(game, Form::FIRST);
    terms.ask_of_sets();
    let done = functions.map(|func| {
        let mut chain = Unfold::new(&mut terms, Vec::new());
        chain.given(func, Vec::new());
        chain.done()
    });
    assert_eq!(terms.failed, None);
    done
}

/// Two loops, each of which writes a number of its own to the places of a set, or to those after them, in both orders.
fn two_loops(numbers: [i64; 2]) -> (Game, [FuncId; 2]) {
    let mut builder = GameBuilder::new("loops", "none", &["a", "b"]);
    let names = ["x", "y", "z"].map(str::to_owned).to_vec();
    let place = builder.names("Place", names, span());
    let axes = vec![Axis::Domain(place)];
    let off = Const::Bool(false);
    let open = builder.var("open", axes.clone(), Type::Bool, off, span());
    let mark = builder.var("mark", axes.clone(), Type::INT, Const::Int(0), span());
    let next = builder.table(Table {
        name: "next".to_owned(),
        axes,
        ty: Type::Elem(place),
        values: [1, 2, 0].map(Const::Elem).to_vec(),
        outside: None,
        span: span(),
    });
    let functions = [[0, 1], [1, 0]].map(|order| {
        let mut function = FunctionBuilder::new("loops", None, span());
        let mut body = Block::new();
        for at in order {
            let which = function.local("which", Type::Elem(place));
            let member = function.local("member", Type::Elem(place));
            let open = Expr::var(&builder.game, open, vec![function.get(which)], span());
            let collect = ExprKind::Collect {
                local: which,
                over: Box::new(Over::Domain(place)),
                when: Box::new(open),
            };
            let set = Expr::new(collect, Type::Set(place), span());
            let to = match at {
                0 => function.get(member),
                _ => Expr::lookup(&builder.game, next, vec![function.get(member)], span()),
            };
            let write = Stmt::set_var(mark, vec![to], Expr::int(numbers[at], span()));
            let each = StmtKind::ForEach(member, Over::Set(set), vec![write]);
            body.push(Stmt::new(each, span()));
        }
        let first = Expr::elem(place, 0, span());
        body.push(Stmt::set_var(open, vec![first], Expr::bool(true, span())));
        builder.function(function.body(body))
    });
    (builder.game, functions)
}

#[test]
fn loops_that_write_to_the_same_places_have_an_order() {
    let (game, functions) = two_loops([1, 2]);
    let [one, other] = done(&game, functions);
    assert_ne!(one, other);
    let (game, functions) = two_loops([1, 1]);
    let [one, other] = done(&game, functions);
    assert_eq!(one, other);
}

#[test]
fn a_round_that_is_not_come_to_leaves_nothing_behind() {
    let mut builder = GameBuilder::new("rounds", "none", &["a", "b"]);
    let off = Const::Bool(false);
    let held = builder.var("held", Vec::new(), Type::Bool, off.clone(), span());
    let told = builder.var("told", Vec::new(), Type::Bool, off, span());
    let left = builder.env("left", Type::Bool);
    let note = FunctionBuilder::new("note", Some(Type::Bool), span()).body(vec![
        Stmt::set_env(left, Expr::bool(true, span())),
        Stmt::give(Expr::bool(true, span())),
    ]);
    let note = builder.function(note);
    let functions = [true, false].map(|in_rounds| {
        let mut function = FunctionBuilder::new("rounds", None, span());
        let round = function.local("round", Type::INT);
        let some = function.local("some", Type::Bool);
        let held_now = Expr::var(&builder.game, held, Vec::new(), span());
        let noted = Expr::call(&builder.game, note, Vec::new(), span());
        let asked = match in_rounds {
            false => held_now.or(noted),
            true => {
                let last = function.get(round).equals(Expr::int(1, span()));
                let body = Expr::select(last, noted, held_now);
                let [from, to] = [0, 1].map(|end| Expr::int(end, span()));
                Expr::fold(Fold::Exists, round, Over::Range(from, to), body)
            }
        };
        let is_left = Expr::new(ExprKind::EnvIsSet(left), Type::Bool, span());
        let is_held = Expr::binary(BinaryOp::Eq, function.get(some), Expr::bool(true, span()));
        let body = vec![
            Stmt::assign(some, asked),
            Stmt::set_var(told, Vec::new(), is_left),
            Stmt::set_var(held, Vec::new(), is_held),
        ];
        builder.function(function.body(body))
    });
    let [in_rounds, plain] = done(&builder.game, functions);
    assert_eq!(in_rounds, plain);
}

/// Rules that may write a variable, so that nothing is known of it.
fn written(builder: &mut GameBuilder, var: VarId, at: Vec<Expr>, value: Expr) {
    let write = Stmt::set_var(var, at, value);
    builder.function(FunctionBuilder::new("write", None, span()).body(vec![write]));
}

/// Two ends that come to the same, for two places, in both orders; something between them, for a variable of truth and a number.
fn two_ends(between: impl Fn([VarId; 2], &mut FunctionBuilder, &Game) -> Block) -> [Term; 2] {
    let mut builder = GameBuilder::new("ends", "none", &["a", "b"]);
    let names = ["x", "y"].map(str::to_owned).to_vec();
    let place = builder.names("Place", names, span());
    let axes = vec![Axis::Domain(place)];
    let off = Const::Bool(false);
    let open = builder.var("open", axes, Type::Bool, off.clone(), span());
    let first = vec![Expr::elem(place, 0, span())];
    written(&mut builder, open, first, Expr::bool(true, span()));
    let told = builder.var("told", Vec::new(), Type::Bool, off, span());
    let some = builder.var("some", Vec::new(), Type::INT, Const::Int(0), span());
    let functions = [[0, 1], [1, 0]].map(|order| {
        let mut function = FunctionBuilder::new("ends", None, span());
        let ends = order.map(|at| {
            let at = Expr::elem(place, at, span());
            let is_open = Expr::var(&builder.game, open, vec![at], span());
            let winners = Expr::new(
                ExprKind::Const(Const::Set(Vec::new())),
                Type::Set(builder.game.players),
                span(),
            );
            let end = StmtKind::End {
                reason: EndReason::Draw,
                winners,
            };
            let end = Stmt::new(end, span());
            Stmt::new(StmtKind::If(is_open, vec![end], Vec::new()), span())
        });
        let between = between([told, some], &mut function, &builder.game);
        let [first, second] = ends;
        let body = [vec![first], between, vec![second]].concat();
        builder.function(function.body(body))
    });
    done(&builder.game, functions)
}

#[test]
fn ends_that_come_to_the_same_have_no_order_unless_something_happens_between_them() {
    let [one, other] = two_ends(|_, _, _| Block::new());
    assert_eq!(one, other);
    let [one, other] =
        two_ends(|[told, _], _, _| vec![Stmt::set_var(told, Vec::new(), Expr::bool(true, span()))]);
    assert_ne!(one, other, "what was written tells them apart");
    let [one, other] = two_ends(|[_, some], function, game| {
        let number = function.local("number", Type::INT);
        let some = Expr::var(game, some, Vec::new(), span());
        let divided = Expr::binary(BinaryOp::Div, Expr::int(1, span()), some);
        vec![Stmt::assign(number, divided)]
    });
    assert_ne!(one, other, "a mistake tells them apart");
}

/// Ends of two players, each where one of two places, or one place in two cases, holds what is theirs; in both orders.
fn ends_of_players(places: [u32; 2], kinds: [u32; 2]) -> [Term; 2] {
    let mut builder = GameBuilder::new("ends", "none", &["a", "b"]);
    let kind = builder.names("Kind", ["x", "y", "z"].map(str::to_owned).to_vec(), span());
    let place = builder.names("Place", ["p", "q"].map(str::to_owned).to_vec(), span());
    let axes = vec![Axis::Domain(place)];
    let holds = builder.var("holds", axes, Type::Elem(kind), Const::Elem(2), span());
    let first = vec![Expr::elem(place, 0, span())];
    written(&mut builder, holds, first, Expr::elem(kind, 0, span()));
    let players = builder.game.players;
    let functions = [[0, 1], [1, 0]].map(|order| {
        let ends = order.map(|at: usize| {
            let place = Expr::elem(place, places[at], span());
            let held = Expr::var(&builder.game, holds, vec![place], span());
            let theirs = held.equals(Expr::elem(kind, kinds[at], span()));
            let winners = Const::Set(vec![at as u32]);
            let winners = Expr::constant(winners, Type::Set(players), span());
            let reason = EndReason::Win;
            let end = Stmt::new(StmtKind::End { reason, winners }, span());
            Stmt::new(StmtKind::If(theirs, vec![end], Vec::new()), span())
        });
        builder.function(FunctionBuilder::new("ends", None, span()).body(ends.to_vec()))
    });
    done(&builder.game, functions)
}

#[test]
fn ends_that_never_come_together_have_no_order() {
    let [one, other] = ends_of_players([0, 0], [0, 1]);
    assert_eq!(one, other, "one place holds one thing");
    let [one, other] = ends_of_players([0, 1], [0, 1]);
    assert_ne!(one, other, "two places may hold what both need");
    let [one, other] = ends_of_players([0, 0], [1, 1]);
    assert_ne!(one, other, "the first of two who both win does");
}

#[test]
fn what_is_written_behind_a_stop_is_not_written_before_it() {
    let mut builder = GameBuilder::new("stops", "none", &["a", "b"]);
    let off = Const::Bool(false);
    let open = builder.var("open", Vec::new(), Type::Bool, off.clone(), span());
    let told = builder.var("told", Vec::new(), Type::Bool, off, span());
    let stop = |at: usize| Stmt::new(StmtKind::Stop(at.into()), span());
    let functions = [true, false].map(|before| {
        let asked = Expr::var(&builder.game, open, Vec::new(), span());
        let tell = Stmt::set_var(told, Vec::new(), Expr::bool(true, span()));
        let first = Stmt::new(StmtKind::If(asked, vec![stop(0)], Vec::new()), span());
        let body = match before {
            true => vec![tell, first, stop(1)],
            false => vec![first, tell, stop(1)],
        };
        builder.function(FunctionBuilder::new("stops", None, span()).body(body))
    });
    let [before, behind] = done(&builder.game, functions);
    assert_ne!(before, behind);
}

/// A loop over two places that returns at the first for which one of two conditions holds, true for the first of these; whether it means the
/// same with the places exchanged.
fn returns_alike(second: bool) -> bool {
    let mut builder = GameBuilder::new("loops", "none", &["a", "b"]);
    let place = builder.names("Place", ["p", "q"].map(str::to_owned).to_vec(), span());
    let axes = vec![Axis::Domain(place)];
    let off = Const::Bool(false);
    let [open, shut] = ["open", "shut"].map(|name| {
        let var = builder.var(name, axes.clone(), Type::Bool, off.clone(), span());
        let first = vec![Expr::elem(place, 0, span())];
        written(&mut builder, var, first, Expr::bool(true, span()));
        var
    });
    let told = builder.var("told", Vec::new(), Type::Bool, off, span());
    let mut f = FunctionBuilder::new("some", Some(Type::Bool), span());
    let at = f.local("at", Type::Elem(place));
    let returns = [(open, true), (shut, second)].map(|(var, value)| {
        let asked = Expr::var(&builder.game, var, vec![f.get(at)], span());
        let give = vec![Stmt::give(Expr::bool(value, span()))];
        Stmt::new(StmtKind::If(asked, give, Vec::new()), span())
    });
    let all = Over::Domain(place);
    let each = StmtKind::ForEach(at, all, returns.to_vec());
    let last = Stmt::give(Expr::bool(false, span()));
    let some = builder.function(f.body(vec![Stmt::new(each, span()), last]));
    let call = Expr::call(&builder.game, some, Vec::new(), span());
    let tell = Stmt::set_var(told, Vec::new(), call);
    let tell = builder.function(FunctionBuilder::new("tell", None, span()).body(vec![tell]));
    keeps_exchange(&builder.game, tell, place)
}

/// Whether a function does the same with the first two members of a domain exchanged.
fn keeps_exchange(game: &Game, func: FuncId, domain: DomainId) -> bool {
    let mut terms = Terms::new(game, Form::FIRST);
    let mut chain = Unfold::new(&mut terms, Vec::new());
    chain.given(func, Vec::new());
    let done = chain.done();
    let exchanged = Renaming::new().swapping(game, domain, 0, 1);
    let image = terms.renamed(done, &mut Renamed::by(&exchanged));
    assert_eq!(terms.failed, None);
    image == Some(done)
}

#[test]
fn a_loop_that_returns_the_same_wherever_it_does_has_no_order() {
    assert!(returns_alike(true));
    assert!(!returns_alike(false));
}

/// Takes what stands on each open place, or on the second where the first is open, and asks whether something stands somewhere then;
/// whether it means the same with these two exchanged.
fn takes_alike(second: u32) -> bool {
    let mut builder = GameBuilder::new("takes", "none", &["a", "b"]);
    let names = ["p", "q", "r", "s", "t"].map(str::to_owned).to_vec();
    let place = builder.names("Place", names, span());
    let kind = builder.names("Kind", vec!["man".to_owned()], span());
    let board = builder.placement(Placement {
        name: "board".to_owned(),
        pieces: kind,
        places: place,
        form: PlacementForm::Anonymous,
        init: vec![Some(0); 5],
        span: span(),
    });
    let off = Const::Bool(false);
    let axes = vec![Axis::Domain(place)];
    let open = builder.var("open", axes, Type::Bool, off.clone(), span());
    let first = vec![Expr::elem(place, 0, span())];
    written(&mut builder, open, first, Expr::bool(true, span()));
    let told = builder.var("told", Vec::new(), Type::Bool, off, span());
    let mut body: Block = (0..5)
        .map(|at| {
            let asked = if at == 1 { second } else { at };
            let asked = vec![Expr::elem(place, asked, span())];
            let asked = Expr::var(&builder.game, open, asked, span());
            let (at, none) = (Expr::elem(place, at, span()), Expr::none(kind, span()));
            let take = Stmt::new(StmtKind::SetContent(board, at, none), span());
            Stmt::new(StmtKind::If(asked, vec![take], Vec::new()), span())
        })
        .collect();
    let men = ExprKind::Places(board, Box::new(Expr::elem(kind, 0, span())));
    let men = Expr::new(men, Type::Set(place), span());
    let nowhere = Expr::constant(Const::Set(Vec::new()), Type::Set(place), span());
    body.push(Stmt::set_var(told, Vec::new(), men.equals(nowhere)));
    let take = FunctionBuilder::new("take", None, span()).body(body);
    let take = builder.function(take);
    keeps_exchange(&builder.game, take, place)
}

#[test]
fn what_stands_somewhere_after_many_writes_is_asked_of_the_position_they_lead_to() {
    assert!(takes_alike(1));
    assert!(!takes_alike(0));
}
