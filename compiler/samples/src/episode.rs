//! A game in episodes: pieces of two kinds on four places, two targets, one for each kind; the left piece first.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

pub(super) fn sorting() -> Game {
    let mut b = GameBuilder::new("sorting", "sample", &["sorter"]);
    let place = b.domain("Place", Members::Range { lo: 1, hi: 4 }, HERE);
    let target = b.names("Target", names(&["left", "right"]), HERE);
    let kind = b.names("Kind", names(&["ball", "cube"]), HERE);
    let (places, none) = (Axis::Domain(place), Const::Set(Vec::new()));
    let set_of_places = Type::Set(place);
    let start = Const::Set(vec![0, 1, 3]);
    let present = b.var("present", vec![], set_of_places.clone(), start, HERE);
    let kinds = b.var("kind", vec![places], Type::Elem(kind), Const::Elem(0), HERE);
    b.game.vars[kinds.index()].init[1] = Const::Elem(1);
    let targets = Axis::Domain(target);
    let accepted = b.var("accepted", vec![targets], set_of_places.clone(), none, HERE);
    b.game.vars[accepted.index()].meter = true;
    let row = b.var("row", vec![], range(0, 0), Const::Int(0), HERE);
    let row_left = b.var("row_left", vec![], range(-1, 3), Const::Int(-1), HERE);
    let atoms = Axis::Range { lo: 0, hi: 0 };
    let atoms_left = b.var(
        "atoms_left",
        vec![atoms],
        range(-1, 3),
        Const::Int(-1),
        HERE,
    );

    // The first place with a piece goes to the target of its kind.
    let mut f = FunctionBuilder::new("look", None, HERE);
    let p = f.local("p", Type::Elem(place));
    let first = f.local("first", Type::Opt(place));
    let here = Expr::var(&b.game, present, vec![], HERE);
    let found = ExprKind::First {
        local: p,
        over: Box::new(Over::Set(here)),
        when: Box::new(yes()),
    };
    let mut body = vec![Stmt::assign(
        first,
        Expr::new(found, Type::Opt(place), HERE),
    )];
    for index in 0..2 {
        let at = Expr::new(
            ExprKind::OrElse(Box::new(f.get(first)), Box::new(elem(place, 0))),
            Type::Elem(place),
            HERE,
        );
        let own = Expr::var(&b.game, kinds, vec![at.clone()], HERE);
        let fits = f.get(first).is_some().and(own.equals(elem(kind, index)));
        let one = Expr::select(fits, set_of(place, vec![at]), set_of(place, vec![]));
        body.push(Stmt::set_var(accepted, vec![elem(target, index)], one));
    }
    let look = b.function(f.body(body));

    let mut f = FunctionBuilder::new("accepted_by", Some(set_of_places), HERE);
    let t = f.param("target", Type::Elem(target));
    let value = Expr::var(&b.game, accepted, vec![f.get(t)], HERE);
    let choices = b.function(f.body(vec![Stmt::give(value)]));
    let sort = b.family(family(
        "sort",
        vec![
            param("target", target, ParamSource::All),
            param("place", place, ParamSource::Generated(choices)),
        ],
        "{1} {0}",
    ));

    let mut f = FunctionBuilder::new("play", None, HERE);
    let t = f.local("target", Type::Elem(target));
    let p = f.local("place", Type::Elem(place));
    let here = || Expr::var(&b.game, present, vec![], HERE);
    let less = op(BinaryOp::Minus, here(), set_of(place, vec![f.get(p)]));
    let empty = here().equals(set_of(place, vec![]));
    let sorter = set_of(b.game.players, vec![elem(b.game.players, 0)]);
    let look_again = || {
        stmt(StmtKind::Call {
            func: look,
            args: Vec::new(),
            into: None,
        })
    };
    let body = vec![
        Stmt::set_var(present, vec![], less),
        when(empty, vec![end(EndReason::Win, sorter)]),
        look_again(),
    ];
    let turns = forever(vec![choose(
        elem(b.game.players, 0),
        vec![arm(sort, &[t, p], body)],
    )]);
    let process = vec![look_again(), turns];
    b.game.process = b.function(f.body(process));
    let look = |name: &str| KindInfo {
        name: name.to_owned(),
        pictured: false,
        properties: vec![("form".to_owned(), name.to_owned())],
    };
    b.game.episode = Some(Episode {
        family: sort,
        present,
        kinds,
        places: None,
        accepted,
        row,
        row_left,
        atoms_left,
        atoms: vec![1],
        rows: Vec::new(),
        columns: 2,
        looks: vec![look("ball"), look("cube")],
        features: vec![("form".to_owned(), names(&["ball", "cube"]))],
        boards: BoardSource::Kinds {
            pieces: (1, 3),
            kinds: vec![0, 1],
        },
        selection: Some(Selection {
            rows: vec![vec![0b11, 0]],
            only_places: None,
            testing: false,
        }),
        parameters: vec![("max_boards".to_owned(), "3".to_owned())],
    });
    b.game
}
