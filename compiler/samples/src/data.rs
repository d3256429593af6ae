//! Kinds of values, identities, trails, containment, faults.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

/// Sequences: a stack of at most four letters to push on and pop from, and all operations on it.
///
/// A fifth letter is a fault. The word `aba` ends the game.
pub(super) fn stack() -> Game {
    let mut b = GameBuilder::new("stack", "ir", &["solo"]);
    let player = b.game.players;
    let letter = b.names("Letter", names(&["a", "b"]), HERE);
    let word_type = Type::Seq {
        item: Box::new(Type::Elem(letter)),
        cap: 4,
    };
    let held = plain(&mut b, "word", word_type.clone(), Const::Seq(vec![]));
    let facts = plain(&mut b, "facts", range(0, 999), Const::Int(0));
    let push = family(
        "push",
        vec![param("letter", letter, ParamSource::All)],
        "+{0}",
    );
    let push = b.family(push);
    let pop = word(&mut b, "pop");
    let mut f = FunctionBuilder::new("play", None, HERE);
    let x = f.local("letter", Type::Elem(letter));
    let i = f.local("i", Type::INT);
    let rest = f.local("rest", word_type);
    let length = || size(get(&b, held));
    let item = |at: Expr| {
        let kind = ExprKind::Item(Box::new(get(&b, held)), Box::new(at));
        Expr::new(kind, Type::Elem(letter), HERE)
    };
    let one = |letter_expr: Expr| seq_of(Type::Elem(letter), vec![letter_expr]);
    let pushed = vec![set(
        held,
        op(BinaryOp::Concat, get(&b, held), one(f.get(x))),
    )];
    let concat = op(BinaryOp::Concat, f.get(rest), one(item(f.get(i))));
    let popped = vec![
        Stmt::assign(rest, one(elem(letter, 0))),
        Stmt::assign(rest, op(BinaryOp::SeqMinus, f.get(rest), f.get(rest))),
        stmt(StmtKind::For {
            local: i,
            from: int(0),
            to: op(BinaryOp::Sub, length(), int(2)),
            count: Count::Up,
            body: vec![Stmt::assign(rest, concat)],
            charged: true,
        }),
        set(held, f.get(rest)),
    ];
    let letters = |list: &[u32]| {
        let items = list.iter().map(|&l| elem(letter, l)).collect();
        seq_of(Type::Elem(letter), items)
    };
    let only_a = op(BinaryOp::SeqIntersect, get(&b, held), letters(&[0]));
    let all_b = op(BinaryOp::SeqSubset, get(&b, held), letters(&[1]));
    let has_b = op(BinaryOp::In, elem(letter, 1), get(&b, held));
    let flag = |cond: Expr, value: i64| Expr::select(cond, int(value), int(0));
    let sum = add(size(only_a), add(flag(all_b, 10), flag(has_b, 100)));
    let turns = vec![
        choose(
            elem(player, 0),
            vec![arm(push, &[x], pushed), arm(pop, &[], popped)],
        ),
        set(facts, sum),
        when(
            get(&b, held).equals(letters(&[0, 1, 0])),
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Tagged values: a variable that holds a number, a wrapping number, a colour or nothing.
pub(super) fn tagged() -> Game {
    let mut b = GameBuilder::new("tagged", "ir", &["solo"]);
    let player = b.game.players;
    let colour = b.names("Colour", names(&["red", "green"]), HERE);
    let kind = b.names(
        "Kind",
        names(&["number", "wrap", "colour", "maybe", "flag"]),
        HERE,
    );
    let tag = |value: Expr| Expr::new(ExprKind::Tag(Box::new(value)), Type::Tagged, HERE);
    let init = Const::Tagged(Box::new(Type::Bool), Box::new(Const::Bool(false)));
    let held = plain(&mut b, "held", Type::Tagged, init);
    let count = plain(&mut b, "count", Type::INT, Const::Int(0));
    let put = family(
        "put",
        vec![param("kind", kind, ParamSource::All)],
        "put {0}",
    );
    let put = b.family(put);
    let grow = word(&mut b, "grow");
    let mut f = FunctionBuilder::new("play", None, HERE);
    let k = f.local("kind", Type::Elem(kind));
    let is = |b: &GameBuilder, ty: Type| {
        let kind = ExprKind::HasTag(ty, Box::new(get(b, held)));
        Expr::new(kind, Type::Bool, HERE)
    };
    let values = [
        tag(get(&b, count)),
        tag(Expr::wrap(i32::MAX, HERE)),
        tag(elem(colour, 1)),
        tag(elem(colour, 0).some()),
        tag(is(&b, Type::INT)),
    ];
    let puts = values.into_iter().enumerate().map(|(number, value)| {
        when(
            f.get(k).equals(elem(kind, number as u32)),
            vec![set(held, value)],
        )
    });
    let number = Expr::new(ExprKind::Untag(Box::new(get(&b, held))), Type::INT, at(1));
    let wrap = Expr::new(
        ExprKind::Untag(Box::new(get(&b, held))),
        Type::Wrap32,
        at(2),
    );
    let grows = vec![Stmt::branch(
        is(&b, Type::Wrap32),
        vec![set(held, tag(op(BinaryOp::Add, wrap, Expr::wrap(1, HERE))))],
        vec![set(count, add(number, int(1)))],
    )];
    let done = get(&b, held).equals(tag(Expr::wrap(i32::MIN, HERE)));
    let turns = vec![
        choose(
            elem(player, 0),
            vec![arm(put, &[k], puts.collect()), arm(grow, &[], grows)],
        ),
        when(
            done,
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Subsets: the first player names two of five cards, the second keeps as many of the rest as it
/// likes to one place, then one of the kept ones decides.
pub(super) fn subsets() -> Game {
    let mut b = GameBuilder::new("subsets", "ir", &["first", "second"]);
    let player = b.game.players;
    let card = numbers(&mut b, "Card", 1, 5);
    let amount = numbers(&mut b, "Amount", 0, 3);
    let named = plain(&mut b, "named", Type::Set(card), Const::Set(vec![]));
    let kept = plain(&mut b, "kept", Type::Set(card), Const::Set(vec![]));
    let subset = |name: &str, of: Expr, size: Expr| Param {
        name: name.to_owned(),
        ty: Type::Set(card),
        source: ParamSource::Subset { of, size },
    };
    let all = Expr::constant(Const::Set((0..5).collect()), Type::Set(card), HERE);
    let name_two = family("name", vec![subset("cards", all, int(2))], "name {0}");
    let name_two = b.family(name_two);
    let rest = unary(UnaryOp::Complement, get(&b, named));
    let wanted = Expr::local(LocalId(0), Type::Elem(amount), HERE).ordinal();
    let params = vec![
        param("amount", amount, ParamSource::All),
        subset("cards", rest, wanted),
    ];
    let keep = family("keep", params, "keep {0}: {1}");
    let keep = b.family(keep);
    let last = family(
        "last",
        vec![subset("card", get(&b, kept), int(1))],
        "last {0}",
    );
    let last = b.family(last);
    let mut f = FunctionBuilder::new("play", None, HERE);
    let cards = f.local("cards", Type::Set(card));
    let n = f.local("amount", Type::Elem(amount));
    let c = f.local("c", Type::Elem(card));
    let sum = |of: Expr| Expr::fold(Fold::Sum, c, Over::Set(of), f.get(c).ordinal());
    let least = Expr::fold(Fold::Min, c, Over::Set(get(&b, named)), f.get(c).ordinal());
    let most = Expr::fold(Fold::Max, c, Over::Set(get(&b, named)), f.get(c).ordinal());
    let between =
        op(BinaryOp::Gt, sum(f.get(cards)), least).and(op(BinaryOp::Lt, sum(f.get(cards)), most));
    let winner = Expr::select(between, elem(player, 0), elem(player, 1));
    let one = elem(player, 1);
    let body = vec![
        choose(
            elem(player, 0),
            vec![arm(name_two, &[cards], vec![set(named, f.get(cards))])],
        ),
        choose(
            one,
            vec![arm(keep, &[n, cards], vec![set(kept, f.get(cards))])],
        ),
        choose(elem(player, 0), vec![arm(last, &[cards], vec![])]),
        end(EndReason::Win, set_of(player, vec![winner])),
    ];
    b.game.process = b.function(f.body(body));
    b.game
}

/// Repetition: a token walks between four cells; a trail counts positions, and the third time is a
/// draw. One step forgets the past. A clock is a meter: no position differs by it.
pub(super) fn repetition() -> Game {
    let mut b = GameBuilder::new("repetition", "ir", &["left", "right"]);
    let player = b.game.players;
    let cell = b.names("Cell", names(&["a", "b", "c", "d"]), HERE);
    let token = plain(&mut b, "token", Type::Elem(cell), Const::Elem(0));
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let clock = plain(&mut b, "clock", range(0, 1000), Const::Int(0));
    b.game.vars[clock.index()].meter = true;
    let terms = vec![
        IdentityTerm::Value(get(&b, token)),
        IdentityTerm::Value(get(&b, turn)),
    ];
    let identity = b.identity(Identity {
        name: String::from("board"),
        terms,
    });
    b.game.trails.push(Trail {
        name: String::from("past"),
        identity,
        capacity: 12,
    });
    let past = TrailId(0);
    let rows = sets(&[&[1], &[0, 2], &[1, 3], &[]]);
    let next = table(
        &mut b,
        "next",
        vec![Axis::Domain(cell)],
        Type::Set(cell),
        rows,
    );
    let targets = {
        let f = FunctionBuilder::new("targets", Some(Type::Set(cell)), HERE);
        let row = Expr::lookup(&b.game, next, vec![get(&b, token)], HERE);
        b.function(f.body(vec![Stmt::give(row)]))
    };
    let walk = family(
        "walk",
        vec![param("to", cell, ParamSource::Generated(targets))],
        "{0}",
    );
    let walk = b.family(walk);
    let mut f = FunctionBuilder::new("play", None, HERE);
    let to = f.local("to", Type::Elem(cell));
    let mover = || get(&b, turn);
    let seen = Expr::new(ExprKind::Seen(past), Type::INT, HERE);
    let turns = vec![
        stmt(StmtKind::Note(past)),
        when(
            op(BinaryOp::Ge, seen, int(3)),
            vec![end(EndReason::Draw, set_of(player, vec![]))],
        ),
        choose(mover(), vec![arm(walk, &[to], vec![set(token, f.get(to))])]),
        set(clock, add(get(&b, clock), int(1))),
        when(
            get(&b, token).equals(elem(cell, 2)),
            vec![stmt(StmtKind::Forget(past))],
        ),
        set(turn, opponent(player, mover())),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Containment: two balls, a bag and a box, each of which may lie in the bag or in the box.
///
/// A placement whose places are its pieces, with room for many; the balls are interchangeable. A move
/// puts a ball, or the bag, into the bag or the box, or takes it out. All in the box ends the game.
pub(super) fn boxes() -> Game {
    let mut b = GameBuilder::new("boxes", "ir", &["solo"]);
    let player = b.game.players;
    let thing = b.names("Thing", names(&["ball1", "ball2", "bag", "box"]), HERE);
    let into = placement(
        &mut b,
        "in",
        (thing, thing),
        PlacementForm::Many,
        vec![None; 4],
    );
    let movable = |name: &str| param(name, thing, ParamSource::Among(vec![0, 1, 2]));
    let holder = param("holder", thing, ParamSource::Among(vec![2, 3]));
    let local = |index: usize| Expr::local(LocalId::from(index), Type::Elem(thing), HERE);
    let place = |b: &GameBuilder, of: Expr| Expr::place_of(&b.game, into, of);
    let kind_values = [0, 0, 1, 2].map(Const::Int).to_vec();
    let kind = table(
        &mut b,
        "kind",
        vec![Axis::Domain(thing)],
        range(0, 2),
        kind_values,
    );
    let kind_of = |b: &GameBuilder, of: Expr| Expr::lookup(&b.game, kind, vec![of], HERE);
    let fits = {
        let mut f = FunctionBuilder::new("fits", Some(Type::Bool), HERE);
        let what = f.param("what", Type::Elem(thing));
        let holder = f.param("holder", Type::Elem(thing));
        let same = f.get(what).equals(f.get(holder));
        let there = place(&b, f.get(what)).equals(f.get(holder).some());
        let value = same.or(there).not();
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let inside = function_of(
        &mut b,
        "inside",
        Type::Elem(thing),
        Type::Bool,
        |game, t| Expr::place_of(game, into, t).is_some(),
    );
    let mut put = family("put", vec![movable("what"), holder], "{0} into {1}");
    put.guard = Some(fits);
    put.class = vec![kind_of(&b, local(0)), place(&b, local(0)), local(1).some()];
    let put = b.family(put);
    let mut take = family("take", vec![movable("what")], "{0} out");
    take.guard = Some(inside);
    take.class = vec![
        kind_of(&b, local(0)),
        place(&b, local(0)),
        Expr::none(thing, HERE),
    ];
    let take = b.family(take);
    let mut f = FunctionBuilder::new("play", None, HERE);
    let what = f.local("what", Type::Elem(thing));
    let holder = f.local("holder", Type::Elem(thing));
    let contents = ExprKind::Contents(into, Box::new(elem(thing, 3)));
    let contents = Expr::new(contents, Type::Set(thing), HERE);
    let puts = vec![stmt(StmtKind::Put(into, f.get(what), f.get(holder)))];
    let takes = vec![stmt(StmtKind::Take(into, f.get(what)))];
    let turns = vec![
        choose(
            elem(player, 0),
            vec![arm(put, &[what, holder], puts), arm(take, &[what], takes)],
        ),
        when(
            size(contents).equals(int(3)),
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    let values = vec![kind_of(&b, local(0)), place(&b, local(0))];
    b.identity(Identity {
        name: String::from("kinds"),
        terms: vec![IdentityTerm::Bag {
            domain: thing,
            when: yes(),
            values,
        }],
    });
    b.game
}

/// The names of the faults of the game `faults`, in the order of its moves.
pub const FAULTS: [&str; 23] = [
    "divide",
    "remainder",
    "overflow",
    "negate",
    "sum",
    "store",
    "variable",
    "table",
    "item",
    "get",
    "restore",
    "empty",
    "unset",
    "untag",
    "occupied",
    "push",
    "trail",
    "while",
    "work",
    "depth",
    "fail",
    "rule",
    "nested",
];

/// Every kind of fault, each at its own place: the n-th (from 0) at `at(n + 1)`.
pub(super) fn faults() -> Game {
    let mut b = GameBuilder::new("faults", "ir", &["solo"]);
    let player = b.game.players;
    let crash_kind = b.names("Crash", names(&FAULTS), HERE);
    let piece = b.names("Piece", names(&["p", "q"]), HERE);
    let place = b.names("Place", names(&["x", "y"]), HERE);
    let on = placement(
        &mut b,
        "on",
        (piece, place),
        PlacementForm::One,
        vec![Some(0), Some(1)],
    );
    let zero = plain(&mut b, "zero", range(0, 9), Const::Int(0));
    let list = Type::Seq {
        item: Box::new(Type::INT),
        cap: 2,
    };
    let items = plain(
        &mut b,
        "items",
        list,
        Const::Seq(vec![Const::Int(4), Const::Int(5)]),
    );
    let axes = vec![Axis::Range { lo: 1, hi: 2 }];
    let cells = b.var("cells", axes.clone(), Type::INT, Const::Int(0), HERE);
    let squares = table(
        &mut b,
        "squares",
        axes,
        Type::INT,
        vec![Const::Int(1), Const::Int(4)],
    );
    let unset = b.env("unset", Type::INT);
    b.game.snapshots.push(Snapshot {
        name: String::from("slot"),
        vars: vec![zero],
        placements: vec![],
    });
    b.game.trails.push(Trail {
        name: String::from("trail"),
        identity: IdentityId(0),
        capacity: 1,
    });
    let deep = {
        let id = FuncId::from(b.game.functions.len());
        let mut f = FunctionBuilder::new("deep", Some(Type::INT), HERE);
        let n = f.param("n", Type::INT);
        let call = Expr::new(ExprKind::Call(id, vec![f.get(n)]), Type::INT, at(20));
        b.function(f.body(vec![Stmt::give(call)]))
    };
    let crash = family(
        "crash",
        vec![param("kind", crash_kind, ParamSource::All)],
        "{0}",
    );
    let crash = b.family(crash);
    let mut f = FunctionBuilder::new("play", None, HERE);
    let k = f.local("kind", Type::Elem(crash_kind));
    let n = f.local("n", Type::INT);
    let ok = f.local("ok", Type::Bool);
    let none = || get(&b, zero);
    let value = |kind: ExprKind, number: u32| Expr::new(kind, Type::INT, at(number));
    let binary = |op: BinaryOp, x: Expr, y: Expr, number: u32| {
        value(ExprKind::Binary(op, Box::new(x), Box::new(y)), number)
    };
    let p = f.local("p", Type::Elem(piece));
    let q = f.local("q", Type::Elem(piece));
    let both = set_of(piece, vec![elem(piece, 0), elem(piece, 1)]);
    let huge = ExprKind::Fold {
        fold: Fold::Sum,
        local: p,
        over: Box::new(Over::Set(both)),
        body: Box::new(int(i64::MAX)),
    };
    let least = ExprKind::Fold {
        fold: Fold::Min,
        local: q,
        over: Box::new(Over::Set(set_of(piece, vec![]))),
        body: Box::new(int(1)),
    };
    let then = |e: Expr| vec![Stmt::assign(n, e)];
    let place_at = |number: u32, kind: StmtKind| vec![Stmt::new(kind, at(number))];
    let absent = Expr::content(&b.game, on, elem(place, 0));
    let absent = Expr::select(none().equals(int(0)), Expr::none(piece, HERE), absent);
    let get_absent = Expr::new(ExprKind::Get(Box::new(absent)), Type::Elem(piece), at(10));
    let pushed = op(
        BinaryOp::Concat,
        get(&b, items),
        seq_of(Type::INT, vec![int(1)]),
    );
    let tag = Expr::new(ExprKind::Tag(Box::new(yes())), Type::Tagged, HERE);
    let forever_at = |number: u32, bound: u32| {
        place_at(
            number,
            StmtKind::While {
                cond: yes(),
                bound,
                body: vec![],
            },
        )
    };
    let long = StmtKind::For {
        local: n,
        from: int(1),
        to: int(i64::MAX),
        count: Count::Up,
        body: vec![],
        charged: true,
    };
    let crashes: Vec<Block> = vec![
        then(binary(BinaryOp::Div, int(1), none(), 1)),
        then(binary(BinaryOp::RemEuclid, int(1), none(), 2)),
        then(binary(BinaryOp::Mul, int(i64::MAX), add(none(), int(2)), 3)),
        then(value(
            ExprKind::Unary(
                UnaryOp::Neg,
                Box::new(op(BinaryOp::Add, int(i64::MIN), none())),
            ),
            4,
        )),
        then(value(huge, 5)),
        place_at(6, StmtKind::SetVar(zero, vec![], int(10))),
        then(value(ExprKind::Var(cells, vec![none()]), 7)),
        then(value(ExprKind::Lookup(squares, vec![none()]), 8)),
        then(value(
            ExprKind::Item(Box::new(get(&b, items)), Box::new(int(2))),
            9,
        )),
        then(get_absent.ordinal()),
        place_at(11, StmtKind::Restore(SnapshotId(0))),
        then(value(least, 12)),
        then(value(
            ExprKind::Env {
                var: unset,
                checked: true,
            },
            13,
        )),
        then(value(ExprKind::Untag(Box::new(tag)), 14)),
        place_at(15, StmtKind::Put(on, elem(piece, 0), elem(place, 1))),
        place_at(16, StmtKind::SetVar(items, vec![], pushed)),
        [StmtKind::Note(TrailId(0)), StmtKind::Note(TrailId(0))]
            .map(|kind| Stmt::new(kind, at(17)))
            .to_vec(),
        forever_at(18, 5),
        place_at(19, long),
        then(value(ExprKind::Call(deep, vec![int(0)]), 20)),
        place_at(21, StmtKind::Fail),
        place_at(22, StmtKind::Fault(String::from("the rules say so"))),
        vec![trial(
            vec![
                set(zero, int(3)),
                Stmt::new(StmtKind::Fault(String::from("in a trial")), at(23)),
            ],
            true,
            ok,
            None,
        )],
    ];
    let arms = crashes
        .into_iter()
        .enumerate()
        .map(|(number, block)| when(f.get(k).equals(elem(crash_kind, number as u32)), block));
    let mut body = vec![set(zero, int(0))];
    body.extend(arms);
    let turns = forever(vec![choose(elem(player, 0), vec![arm(crash, &[k], body)])]);
    b.game.process = b.function(f.body(vec![turns]));
    b.game
}

/// Faults where no move is to blame: in a guard, in who decides, in a distribution.
///
/// Each of the moves leads to a position whose outcome is a fault: the guard of the next decision
/// divides by zero, nobody is there to decide, nothing is there to draw. Another goes on.
pub(super) fn broken() -> Game {
    let mut b = GameBuilder::new("broken", "ir", &["solo"]);
    let player = b.game.players;
    let way = b.names(
        "Way",
        names(&["guard", "players", "weights", "negative", "fine"]),
        HERE,
    );
    let chosen = plain(&mut b, "way", Type::Elem(way), Const::Elem(4));
    let is =
        |game: &Game, member: u32| Expr::var(game, chosen, vec![], HERE).equals(elem(way, member));
    let guard = function_of(&mut b, "open", Type::Elem(way), Type::Bool, |game, w| {
        let divisor = Expr::select(is(game, 0), int(0), int(1));
        let divided = op(BinaryOp::Div, add(w.ordinal(), int(1)), divisor).at(at(1));
        op(BinaryOp::Gt, divided, int(0))
    });
    let mut go = family("go", vec![param("way", way, ParamSource::All)], "{0}");
    go.guard = Some(guard);
    let go = b.family(go);
    let coin = draw(&mut b, "coin", range(0, 1));
    let mut f = FunctionBuilder::new("play", None, HERE);
    let w = f.local("way", Type::Elem(way));
    let side = f.local("side", range(0, 1));
    let k = f.local("k", Type::INT);
    let who = Expr::select(
        is(&b.game, 1),
        Expr::none(player, HERE),
        elem(player, 0).some(),
    );
    let who = Expr::new(ExprKind::Get(Box::new(who)), Type::Elem(player), at(2));
    let weight = Expr::select(
        is(&b.game, 2),
        int(0),
        Expr::select(is(&b.game, 3), int(-1), int(1)),
    )
    .at(at(3));
    let dist = Distribution::Weighted {
        local: k,
        over: Over::Range(int(0), int(1)),
        weight,
    };
    let turns = vec![
        choose(who, vec![arm(go, &[w], vec![set(chosen, f.get(w))])]),
        chance(coin, dist, side),
        when(
            f.get(side).equals(int(1)),
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}
