use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_exprs;
use crate::ir::*;
use crate::source::Span;

/// Terms of a set that is worth looking for.
const TERMS: usize = 12;

/// The places that are marked, or those that are not.
fn marked(builder: &GameBuilder, place: DomainId, at: LocalId, wanted: bool) -> Expr {
    let span = Span::default();
    let here = Expr::local(at, Type::Elem(place), span);
    let is_marked = Expr::var(&builder.game, VarId(0), vec![here], span);
    let body = match wanted {
        true => is_marked,
        false => is_marked.not(),
    };
    let kind = ExprKind::Collect {
        local: at,
        over: Box::new(Over::Domain(place)),
        when: Box::new(body),
    };
    Expr::new(kind, Type::Set(place), span)
}

/// A function that keeps a set and gives it after some work. With `None` the set is told by a parameter, which is 1 for the places
/// that are marked; local variables come behind so many that nobody needs.
fn places(builder: &mut GameBuilder, name: &str, wanted: Option<bool>, before: usize) -> FuncId {
    let (span, place) = (Span::default(), DomainId(1));
    let mut function = FunctionBuilder::new(name, Some(Type::Set(place)), span);
    let param = wanted.is_none().then(|| function.param("ME", Type::Wrap32));
    for unused in 0..before {
        function.local(&format!("unused {unused}"), Type::Bool);
    }
    let kept = function.local("kept", Type::Set(place));
    let collected = |function: &mut FunctionBuilder, wanted| {
        let at = function.local("at", Type::Elem(place));
        marked(builder, place, at, wanted)
    };
    let set = match (param, wanted) {
        (Some(param), _) => {
            let (yes, no) = (
                collected(&mut function, true),
                collected(&mut function, false),
            );
            let is_one = function.get(param).equals(Expr::wrap(1, span));
            Expr::select(is_one, yes, no)
        }
        (None, wanted) => collected(&mut function, wanted == Some(true)),
    };
    let mut all = function.get(kept);
    for _ in 0..TERMS {
        let more = collected(&mut function, true);
        all = Expr::binary(BinaryOp::Minus, all, more);
    }
    let body = vec![Stmt::assign(kept, set), Stmt::give(all)];
    builder.function(function.body(body))
}

/// A game that asks of both kinds of places by functions of their own, and by one with a parameter.
fn asks(before: [usize; 3]) -> (Game, FuncId) {
    let span = Span::default();
    let mut builder = GameBuilder::new("marks", "none", &["a", "b"]);
    let place = builder.names("Place", vec!["s1".to_owned(), "s2".to_owned()], span);
    let axis = vec![Axis::Domain(place)];
    builder.var("marked", axis, Type::Bool, Const::Bool(false), span);
    let players = builder.game.players;
    let number = builder.table(Table {
        name: "number".to_owned(),
        axes: vec![Axis::Domain(players)],
        ty: Type::Wrap32,
        values: vec![Const::Int(1), Const::Int(2)],
        outside: None,
        span,
    });
    let general = places(&mut builder, "general", None, before[0]);
    let yes = places(&mut builder, "marked", Some(true), before[1]);
    let no = places(&mut builder, "free", Some(false), before[2]);
    let process = FunctionBuilder::new("process", None, span);
    let set = Type::Set(place);
    let found = builder.var("found", vec![], set, Const::Set(Vec::new()), span);
    let first = Expr::lookup(
        &builder.game,
        number,
        vec![Expr::elem(players, 0, span)],
        span,
    );
    let ask = |func, args| {
        let asked = Expr::call(&builder.game, func, args, span);
        Stmt::set_var(found, vec![], asked)
    };
    let mut body: Block = [yes, no].map(|func| ask(func, vec![])).into();
    body.push(ask(general, vec![first]));
    builder.game.process = builder.game.functions.len().into();
    builder.function(process.body(body));
    (builder.game, general)
}

#[test]
fn sets_for_each_player_are_one_set_by_his_number() {
    for before in [[0, 0, 0], [0, 1, 2], [3, 0, 1]] {
        let (mut game, general) = asks(before);
        run(&mut game);
        let mut asked = Vec::new();
        walk_exprs(&game.function(game.process).body, &mut |expr| {
            if let ExprKind::Call(func, args) = &expr.kind {
                asked.push((*func, args.first().and_then(Expr::as_const).cloned()));
            }
        });
        let by = |number| (general, Some(Const::Int(number)));
        assert_eq!(asked[..2], [by(1), by(2)], "{before:?}");
        assert_eq!(game.functions.len(), 2, "{before:?}");
    }
}
