//! Board games.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

/// The lines of three of a board of nine cells.
const LINES: [[u32; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// Tic-tac-toe: an anonymous placement, a table of lines, quantifiers.
pub(super) fn tic_tac_toe() -> Game {
    let mut b = GameBuilder::new("tic-tac-toe", "ir", &["x", "o"]);
    let player = b.game.players;
    let cells = names(&["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
    let cell = b.names("Cell", cells, HERE);
    let line = b.domain("Line", Members::Range { lo: 0, hi: 7 }, HERE);
    let slot = b.domain("Slot", Members::Range { lo: 0, hi: 2 }, HERE);
    let members = LINES.iter().flatten().map(|&c| Const::Elem(c)).collect();
    let axes = vec![Axis::Domain(line), Axis::Domain(slot)];
    let lines = table(&mut b, "lines", axes, Type::Elem(cell), members);
    let on = anonymous(&mut b, "on", player, cell, vec![None; 9]);
    let turn = b.var("turn", vec![], Type::Elem(player), Const::Elem(0), HERE);

    let wins = {
        let mut f = FunctionBuilder::new("wins", Some(Type::Bool), HERE);
        let who = f.param("who", Type::Elem(player));
        let l = f.local("l", Type::Elem(line));
        let k = f.local("k", Type::Elem(slot));
        let there = Expr::lookup(&b.game, lines, vec![f.get(l), f.get(k)], HERE);
        let own = Expr::content(&b.game, on, there).equals(f.get(who).some());
        let all = Expr::fold(Fold::Forall, k, Over::Domain(slot), own);
        let any = Expr::fold(Fold::Exists, l, Over::Domain(line), all);
        b.function(f.body(vec![Stmt::give(any)]))
    };
    let empty = function_of(&mut b, "empty", Type::Elem(cell), Type::Bool, |game, c| {
        Expr::content(game, on, c).is_some().not()
    });
    let mut place = family("place", vec![param("cell", cell, ParamSource::All)], "{0}");
    place.guard = Some(empty);
    let place = b.family(place);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let to = f.local("to", Type::Elem(cell));
    let c = f.local("c", Type::Elem(cell));
    let mover = || Expr::var(&b.game, turn, vec![], HERE);
    let taken = Expr::content(&b.game, on, f.get(c)).is_some();
    let full = Expr::fold(Fold::Forall, c, Over::Domain(cell), taken);
    let other = Expr::select(
        mover().equals(elem(player, 0)),
        elem(player, 1),
        elem(player, 0),
    );
    let body = vec![
        stmt(StmtKind::SetContent(on, f.get(to), mover().some())),
        Stmt::branch(
            Expr::call(&b.game, wins, vec![mover()], HERE),
            vec![end(EndReason::Win, set_of(player, vec![mover()]))],
            vec![],
        ),
        Stmt::branch(
            full,
            vec![end(EndReason::Draw, set_of(player, vec![]))],
            vec![],
        ),
        Stmt::set_var(turn, vec![], other),
    ];
    let turns = forever(vec![choose(mover(), vec![arm(place, &[to], body)])]);
    b.game.process = b.function(f.body(vec![turns]));
    b.game
}

/// Hex on nine cells: stones connect two sides; a closure finds out.
///
/// Cell `y * 3 + x` touches its neighbours along both axes and along one diagonal. `white` joins left
/// and right, `black` joins top and bottom. There is no draw.
pub(super) fn hex() -> Game {
    let mut b = GameBuilder::new("hex", "ir", &["white", "black"]);
    let player = b.game.players;
    let cell = b.names("Cell", squares(3, 3), HERE);
    let touching = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
    let axes = || vec![Axis::Domain(cell)];
    let edges = neighbours(3, 3, &touching);
    let edges = table(&mut b, "edges", axes(), Type::Set(cell), edges);
    let sides = |b: &mut GameBuilder, name: &str, rows: &[&[u32]]| {
        let axes = vec![Axis::Domain(player)];
        table(b, name, axes, Type::Set(cell), sets(rows))
    };
    let begin = sides(&mut b, "begin", &[&[0, 3, 6], &[0, 1, 2]]);
    let finish = sides(&mut b, "finish", &[&[2, 5, 8], &[6, 7, 8]]);
    let on = anonymous(&mut b, "on", player, cell, vec![None; 9]);
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));

    let empty = function_of(&mut b, "empty", Type::Elem(cell), Type::Bool, |game, c| {
        Expr::content(game, on, c).is_some().not()
    });
    let mut place = family("place", vec![param("cell", cell, ParamSource::All)], "{0}");
    place.guard = Some(empty);
    let place = b.family(place);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let to = f.local("to", Type::Elem(cell));
    let c = f.local("c", Type::Elem(cell));
    let own = Expr::content(&b.game, on, f.get(c)).equals(get(&b, turn).some());
    let closure = ExprKind::Closure {
        from: Box::new(Expr::lookup(&b.game, begin, vec![get(&b, turn)], HERE)),
        edges,
        local: c,
        pass: Box::new(own),
    };
    let reached = Expr::new(closure, Type::Set(cell), HERE);
    let far = Expr::lookup(&b.game, finish, vec![get(&b, turn)], HERE);
    let both = op(BinaryOp::Intersect, reached, far);
    let joined = op(BinaryOp::Gt, size(both), int(0));
    let body = vec![
        stmt(StmtKind::SetContent(on, f.get(to), get(&b, turn).some())),
        when(
            joined,
            vec![end(EndReason::Win, set_of(player, vec![get(&b, turn)]))],
        ),
        set(turn, opponent(player, get(&b, turn))),
    ];
    let turns = forever(vec![choose(get(&b, turn), vec![arm(place, &[to], body)])]);
    b.game.process = b.function(f.body(vec![turns]));
    b.game
}

/// Rooks on a board of nine squares: pieces with identity, walks of all four kinds, a text of
/// states of its own, interchangeable pieces.
///
/// Each side has two rooks. A rook slides over free squares, and may take what stops it. Who has lost
/// a rook has lost.
pub(super) fn rooks() -> Game {
    let mut b = GameBuilder::new("rooks", "ir", &["white", "black"]);
    let player = b.game.players;
    let rook = b.names("Rook", names(&["w1", "w2", "b1", "b2"]), HERE);
    let square = b.names("Square", squares(3, 3), HERE);
    let way = b.names("Way", names(&["north", "east", "south", "west"]), HERE);
    let owners = [0, 0, 1, 1].map(Const::Elem).to_vec();
    let owner = table(
        &mut b,
        "owner",
        vec![Axis::Domain(rook)],
        Type::Elem(player),
        owners,
    );
    let steps: Vec<TableId> = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        .iter()
        .enumerate()
        .map(|(number, &(dx, dy))| {
            let to = |s: u32| offset(3, 3, s, dx, dy).map_or(Const::None, Const::Elem);
            let values = (0..9).map(to).collect();
            let axes = vec![Axis::Domain(square)];
            table(
                &mut b,
                &format!("step{number}"),
                axes,
                Type::Opt(square),
                values,
            )
        })
        .collect();
    let init = [0, 2, 6, 8].map(Some).to_vec();
    let at = placement(&mut b, "at", (rook, square), PlacementForm::One, init);
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let longest = plain(&mut b, "longest", range(0, 9), Const::Int(0));

    let targets = rook_targets(&mut b, (rook, square), owner, &steps, at);
    let own = function_of(&mut b, "own", Type::Elem(rook), Type::Bool, |game, r| {
        let mine = Expr::lookup(game, owner, vec![r.clone()], HERE);
        let mine = mine.equals(Expr::var(game, turn, vec![], HERE));
        mine.and(Expr::place_of(game, at, r).is_some())
    });
    let guard = {
        let mut f = FunctionBuilder::new("may_slide", Some(Type::Bool), HERE);
        let r = f.param("rook", Type::Elem(rook));
        f.param("to", Type::Elem(square));
        let value = Expr::call(&b.game, own, vec![f.get(r)], HERE);
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let mut slide = family(
        "slide",
        vec![
            param("rook", rook, ParamSource::All),
            param("to", square, ParamSource::Generated(targets)),
        ],
        "{0}-{1}",
    );
    slide.guard = Some(guard);
    let r = Expr::local(LocalId(0), Type::Elem(rook), HERE);
    slide.class = vec![
        Expr::place_of(&b.game, at, r),
        Expr::local(LocalId(1), Type::Elem(square), HERE),
    ];
    let slide = b.family(slide);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let r = f.local("rook", Type::Elem(rook));
    let to = f.local("to", Type::Elem(square));
    let taken = f.local("taken", Type::Opt(rook));
    let s = f.local("s", Type::Elem(square));
    let w = f.local("w", Type::Elem(way));
    let free = Expr::content(&b.game, at, f.get(s)).is_some().not();
    let north = Expr::new(
        ExprKind::Walk {
            start: Box::new(Expr::lookup(&b.game, steps[0], vec![f.get(to)], HERE)),
            step: steps[0],
            local: s,
            pass: Box::new(free),
            give: WalkGive::Length,
        },
        Type::INT,
        HERE,
    );
    let ways = Expr::fold(Fold::Count, w, Over::Domain(way), yes());
    let body = vec![
        Stmt::assign(taken, Expr::content(&b.game, at, f.get(to))),
        when(
            f.get(taken).is_some(),
            vec![stmt(StmtKind::Take(at, f.get(taken).get()))],
        ),
        stmt(StmtKind::Put(at, f.get(r), f.get(to))),
        set(
            longest,
            op(
                BinaryOp::Max,
                get(&b, longest),
                op(BinaryOp::Min, north, ways),
            ),
        ),
        when(
            f.get(taken).is_some(),
            vec![end(EndReason::Win, set_of(player, vec![get(&b, turn)]))],
        ),
        set(turn, opponent(player, get(&b, turn))),
    ];
    let turns = forever(vec![choose(
        get(&b, turn),
        vec![arm(slide, &[r, to], body)],
    )]);
    b.game.process = b.function(f.body(vec![turns]));
    b.game.vars[longest.index()].meter = true;
    b.game.state_text = vec![
        StatePart::Each {
            domain: rook,
            order: vec![2, 3, 0, 1],
            separator: String::from(";"),
            parts: vec![
                StatePart::Index,
                StatePart::Text(String::from("@")),
                StatePart::Place(at),
            ],
        },
        StatePart::Text(String::from("|")),
        StatePart::Var(turn, VarStyle::Numbered),
        StatePart::Text(String::from("|")),
        StatePart::Var(longest, VarStyle::Named),
        StatePart::Text(String::from("|")),
        StatePart::Outcome,
    ];
    b.identity(Identity {
        name: String::from("canonical"),
        terms: rook_identity(&b, (rook, square), owner, at, turn),
    });
    b.game.equality = IdentityId(1);
    b.game
}

/// Where a rook may slide to: the squares passed in four ways, and enemies that stop it.
fn rook_targets(
    b: &mut GameBuilder,
    (rook, square): (DomainId, DomainId),
    owner: TableId,
    steps: &[TableId],
    at: PlacementId,
) -> FuncId {
    let mut f = FunctionBuilder::new("targets", Some(Type::Set(square)), HERE);
    let r = f.param("rook", Type::Elem(rook));
    let s = f.local("s", Type::Elem(square));
    let from = f.local("from", Type::Opt(square));
    let found = f.local("found", Type::Set(square));
    let stop = f.local("stop", Type::Opt(square));
    let last = f.local("last", Type::Opt(square));
    let mut body = vec![
        Stmt::assign(from, Expr::place_of(&b.game, at, f.get(r))),
        Stmt::assign(found, set_of(square, vec![])),
        when(f.get(from).is_some().not(), vec![Stmt::give(f.get(found))]),
    ];
    for &step in steps {
        let walk = |give: WalkGive, ty: Type| {
            let free = Expr::content(&b.game, at, f.get(s)).is_some().not();
            let kind = ExprKind::Walk {
                start: Box::new(Expr::lookup(&b.game, step, vec![f.get(from).get()], HERE)),
                step,
                local: s,
                pass: Box::new(free),
                give,
            };
            Expr::new(kind, ty, HERE)
        };
        let there = Expr::content(&b.game, at, f.get(stop).get()).get();
        let owner_of = |r: Expr| Expr::lookup(&b.game, owner, vec![r], HERE);
        let enemy = owner_of(there).equals(owner_of(f.get(r))).not();
        let both = |items: Expr| op(BinaryOp::Union, f.get(found), items);
        body.extend([
            Stmt::assign(found, both(walk(WalkGive::Passed, Type::Set(square)))),
            Stmt::assign(last, walk(WalkGive::Last, Type::Opt(square))),
            when(
                f.get(last).is_some(),
                vec![Stmt::assign(
                    found,
                    both(set_of(square, vec![f.get(last).get()])),
                )],
            ),
            Stmt::assign(stop, walk(WalkGive::Stop, Type::Opt(square))),
            when(
                f.get(stop).is_some().and(enemy),
                vec![Stmt::assign(
                    found,
                    both(set_of(square, vec![f.get(stop).get()])),
                )],
            ),
        ]);
    }
    body.push(Stmt::give(f.get(found)));
    b.function(f.body(body))
}

/// Which squares are held by whom, but not by which rook.
fn rook_identity(
    b: &GameBuilder,
    (rook, square): (DomainId, DomainId),
    owner: TableId,
    at: PlacementId,
    turn: VarId,
) -> Vec<IdentityTerm> {
    let s = || Expr::local(LocalId(0), Type::Elem(square), HERE);
    let r = || Expr::local(LocalId(0), Type::Elem(rook), HERE);
    let there = || Expr::content(&b.game, at, s());
    vec![
        IdentityTerm::Each {
            domain: square,
            when: there().is_some(),
            values: vec![Expr::lookup(&b.game, owner, vec![there().get()], HERE)],
        },
        IdentityTerm::Bag {
            domain: rook,
            when: Expr::place_of(&b.game, at, r()).is_some().not(),
            values: vec![Expr::lookup(&b.game, owner, vec![r()], HERE)],
        },
        IdentityTerm::Value(get(b, turn)),
    ]
}

/// A king that must not stay where the rook reaches it: `after` looks at the position after the
/// move, and a relation is asked from both ends.
///
/// A white king and a black rook on nine squares. White moves the king, black slides the rook one
/// step along a row or column. White is stuck when the king has no safe square.
pub(super) fn king() -> Game {
    let mut b = GameBuilder::new("king", "ir", &["white", "black"]);
    let player = b.game.players;
    let man = b.names("Man", names(&["king", "rook"]), HERE);
    let square = b.names("Square", squares(3, 3), HERE);
    let axes = || vec![Axis::Domain(square)];
    let around = [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (-1, 1),
        (1, -1),
        (-1, -1),
    ];
    let near = neighbours(3, 3, &around);
    let near = table(&mut b, "near", axes(), Type::Set(square), near);
    let next = neighbours(3, 3, &around[..4]);
    let next = table(&mut b, "next", axes(), Type::Set(square), next);
    let in_line = |s: u32| (0..9).filter(move |&t| t != s && (t % 3 == s % 3 || t / 3 == s / 3));
    let lines = (0..9).map(|s| Const::Set(in_line(s).collect())).collect();
    let lines = table(&mut b, "lines", axes(), Type::Set(square), lines);
    let init = vec![Some(0), Some(8)];
    let at = placement(&mut b, "at", (man, square), PlacementForm::One, init);
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));

    let attacks = {
        let mut f = FunctionBuilder::new("attacks", Some(Type::Bool), HERE);
        let by = f.param("by", Type::Elem(man));
        let target = f.param("target", Type::Elem(square));
        let from = Expr::place_of(&b.game, at, f.get(by));
        let reach = Expr::lookup(&b.game, lines, vec![from.clone().get()], HERE);
        let held = op(BinaryOp::In, f.get(target), reach);
        let rook = f.get(by).equals(elem(man, 1));
        let value = rook.and(from.is_some()).and(held);
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let attack = b.relation(Relation {
        name: String::from("attack"),
        params: vec![man, square],
        holds: attacks,
    });
    let safe = {
        let mut f = FunctionBuilder::new("safe", Some(Type::Bool), HERE);
        f.param("to", Type::Elem(square));
        let king = || Expr::place_of(&b.game, at, elem(man, 0)).get();
        let by = ExprKind::Related(attack, vec![None, Some(king())]);
        let by = Expr::new(by, Type::Set(man), HERE);
        let of = ExprKind::Related(attack, vec![Some(elem(man, 1)), None]);
        let of = Expr::new(of, Type::Set(square), HERE);
        let hit = Expr::new(
            ExprKind::Holds(attack, vec![elem(man, 1), king()]),
            Type::Bool,
            HERE,
        );
        let none = op(BinaryOp::Subset, by, set_of(man, vec![]));
        let outside = op(BinaryOp::In, king(), of).not();
        b.function(f.body(vec![Stmt::give(none.and(outside).and(hit.not()))]))
    };
    let targets = |b: &mut GameBuilder, name: &str, who: u32, table: TableId| {
        let mut f = FunctionBuilder::new(name, Some(Type::Set(square)), HERE);
        let s = f.local("s", Type::Elem(square));
        let from = Expr::place_of(&b.game, at, elem(man, who)).get();
        let row = Expr::lookup(&b.game, table, vec![from], HERE);
        let free = Expr::content(&b.game, at, f.get(s)).is_some().not();
        let collect = ExprKind::Collect {
            local: s,
            over: Box::new(Over::Set(row)),
            when: Box::new(free),
        };
        let value = Expr::new(collect, Type::Set(square), HERE);
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let king_to = targets(&mut b, "king_to", 0, near);
    let rook_to = targets(&mut b, "rook_to", 1, next);
    let to = |source| vec![param("to", square, ParamSource::Generated(source))];
    let mut king = family("king", to(king_to), "K{0}");
    king.after = Some(safe);
    let king = b.family(king);
    let rook = family("rook", to(rook_to), "R{0}");
    let rook = b.family(rook);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let s = f.local("to", Type::Elem(square));
    let put = |who: u32, next: u32| {
        vec![
            stmt(StmtKind::Put(at, elem(man, who), f.get(s))),
            set(turn, elem(player, next)),
        ]
    };
    let white = choose(get(&b, turn), vec![arm(king, &[s], put(0, 1))]);
    let black = choose(get(&b, turn), vec![arm(rook, &[s], put(1, 0))]);
    b.game.process = b.function(f.body(vec![forever(vec![white, black])]));
    b.game
}

/// Forced capture by ranks: men on a line of seven step to the next cell or jump over one enemy
/// man, and must jump if they can. Who cannot move has lost; this is said by `otherwise`.
pub(super) fn forced() -> Game {
    let mut b = GameBuilder::new("forced", "ir", &["right", "left"]);
    let player = b.game.players;
    let cell = numbers(&mut b, "Cell", 1, 7);
    let axes = || vec![Axis::Domain(player), Axis::Domain(cell)];
    let ahead = |steps: i64| {
        let of = move |direction: i64| (0..7).map(move |c: i64| c + steps * direction);
        let member = |c: i64| match (0..7).contains(&c) {
            true => Const::Elem(c as u32),
            false => Const::None,
        };
        of(1).chain(of(-1)).map(member).collect()
    };
    let one = table(&mut b, "one", axes(), Type::Opt(cell), ahead(1));
    let two = table(&mut b, "two", axes(), Type::Opt(cell), ahead(2));
    let men = [Some(0), Some(0), None, None, None, Some(1), Some(1)];
    let on = anonymous(&mut b, "on", player, cell, men.to_vec());
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));

    let from = param("from", cell, ParamSource::All);
    let ahead_of = |b: &GameBuilder, table: TableId, x: Expr| {
        Expr::lookup(&b.game, table, vec![get(b, turn), x], HERE)
    };
    let reach = |b: &mut GameBuilder, name: &str, jump: bool| {
        let mut f = FunctionBuilder::new(name, Some(Type::Bool), HERE);
        let x = f.param("from", Type::Elem(cell));
        let table = if jump { two } else { one };
        let to = ahead_of(b, table, f.get(x));
        let own = Expr::content(&b.game, on, f.get(x)).equals(get(b, turn).some());
        let free = Expr::content(&b.game, on, to.clone().get()).is_some().not();
        let mut value = own.and(to.is_some()).and(free);
        if jump {
            let over = ahead_of(b, one, f.get(x)).get();
            let enemy = opponent(player, get(b, turn)).some();
            value = value.and(Expr::content(&b.game, on, over).equals(enemy));
        }
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let may_step = reach(&mut b, "may_step", false);
    let may_jump = reach(&mut b, "may_jump", true);
    let rank = function_of(&mut b, "rank", Type::Elem(cell), Type::INT, |_, _| int(1));
    let mut step = family("step", vec![from.clone()], "step {0}");
    step.guard = Some(may_step);
    let step = b.family(step);
    let mut jump = family("jump", vec![from], "jump {0}");
    jump.guard = Some(may_jump);
    jump.rank = Some(rank);
    let jump = b.family(jump);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let x = f.local("from", Type::Elem(cell));
    let kind = |cell: Expr, kind: Expr| stmt(StmtKind::SetContent(on, cell, kind));
    let none = || Expr::none(player, HERE);
    let mover = || get(&b, turn);
    let pass = || set(turn, opponent(player, get(&b, turn)));
    let one_ahead = || ahead_of(&b, one, f.get(x)).get();
    let two_ahead = ahead_of(&b, two, f.get(x)).get();
    let steps = vec![
        kind(one_ahead(), mover().some()),
        kind(f.get(x), none()),
        pass(),
    ];
    let jumps = vec![
        kind(two_ahead, mover().some()),
        kind(one_ahead(), none()),
        kind(f.get(x), none()),
        pass(),
    ];
    let lost = opponent(player, get(&b, turn));
    let decision = stmt(StmtKind::Choose(Choose {
        players: mover(),
        arms: vec![arm(step, &[x], steps), arm(jump, &[x], jumps)],
        otherwise: Some(vec![end(EndReason::Stuck, set_of(player, vec![lost]))]),
    }));
    b.game.process = b.function(f.body(vec![forever(vec![decision])]));
    b.game
}

/// Passing: who cannot place a tile passes at once; when both cannot, the greater sum wins.
///
/// Players take the numbers 1 to 6 in turn, each only numbers of its own parity plus a joker 7.
pub(super) fn passing() -> Game {
    let mut b = GameBuilder::new("passing", "ir", &["odd", "even"]);
    let player = b.game.players;
    let tile = numbers(&mut b, "Tile", 1, 7);
    let left = plain(
        &mut b,
        "left",
        Type::Set(tile),
        Const::Set((0..7).collect()),
    );
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let passes = plain(&mut b, "passes", range(0, 2), Const::Int(0));
    let axes = vec![Axis::Domain(player)];
    let score = b.var("score", axes, Type::Wrap32, Const::Int(0), HERE);
    b.game.scores = Some(score);

    let fits = function_of(&mut b, "fits", Type::Elem(tile), Type::Bool, |game, t| {
        let parity = op(BinaryOp::RemEuclid, t.clone().ordinal(), int(2));
        let who = Expr::var(game, turn, vec![], HERE).ordinal();
        let own = parity.equals(op(BinaryOp::Sub, int(1), who));
        let joker = t.clone().equals(elem(tile, 6));
        op(BinaryOp::In, t, Expr::var(game, left, vec![], HERE)).and(own.or(joker))
    });
    let mut take = family(
        "take",
        vec![param("tile", tile, ParamSource::All)],
        "take {0}",
    );
    take.guard = Some(fits);
    let take = b.family(take);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let t = f.local("tile", Type::Elem(tile));
    let mover = || get(&b, turn);
    let own = || get_at(&b, score, mover());
    let takes = vec![
        set(
            left,
            op(BinaryOp::Minus, get(&b, left), set_of(tile, vec![f.get(t)])),
        ),
        set_at(score, mover(), add(own(), f.get(t).ordinal().to_wrap())),
        set(passes, int(0)),
    ];
    let ahead = op(
        BinaryOp::Gt,
        get_at(&b, score, elem(player, 0)),
        get_at(&b, score, elem(player, 1)),
    );
    let winner = Expr::select(ahead, elem(player, 0), elem(player, 1));
    let decision = stmt(StmtKind::Choose(Choose {
        players: mover(),
        arms: vec![arm(take, &[t], takes)],
        otherwise: Some(vec![
            set(passes, add(get(&b, passes), int(1))),
            when(
                op(BinaryOp::Ge, get(&b, passes), int(2)),
                vec![end(EndReason::Win, set_of(player, vec![winner]))],
            ),
        ]),
    }));
    let other = set(turn, opponent(player, mover()));
    b.game.process = b.function(f.body(vec![forever(vec![decision, other])]));
    b.game
}

/// Slides on a strip of seven cells: places of a kind as sources, what a walk reaches as targets.
///
/// A slider goes right until something stops it and takes what it lands on; who has no slider left loses.
pub(super) fn slides() -> Game {
    let mut b = GameBuilder::new("slides", "ir", &["left", "right"]);
    let player = b.game.players;
    let cell = numbers(&mut b, "Cell", 1, 7);
    let axes = || vec![Axis::Domain(player), Axis::Domain(cell)];
    let step = |forward: bool| {
        let next = move |c: u32| match forward {
            true => (c < 6).then_some(c + 1),
            false => c.checked_sub(1),
        };
        let all = (0..7).map(move |c| next(c).map_or(Const::None, Const::Elem));
        all.collect::<Vec<_>>()
    };
    let one_axis = || vec![Axis::Domain(cell)];
    let up = table(&mut b, "up", one_axis(), Type::Opt(cell), step(true));
    let down = table(&mut b, "down", one_axis(), Type::Opt(cell), step(false));
    let both = [step(true), step(false)].concat();
    let start = table(&mut b, "start", axes(), Type::Opt(cell), both);
    let men = vec![Some(0), None, Some(0), None, Some(1), None, Some(1)];
    let on = anonymous(&mut b, "on", player, cell, men);
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let places = |of: Expr| {
        let kind = ExprKind::Places(on, Box::new(of));
        Expr::new(kind, Type::Set(cell), HERE)
    };
    let sources = {
        let f = FunctionBuilder::new("sources", Some(Type::Set(cell)), HERE);
        let own = places(get(&b, turn));
        b.function(f.body(vec![Stmt::give(own)]))
    };
    let targets = {
        let mut f = FunctionBuilder::new("targets", Some(Type::Set(cell)), HERE);
        let from = f.param("from", Type::Elem(cell));
        let c = f.local("c", Type::Elem(cell));
        let first = Expr::lookup(&b.game, start, vec![get(&b, turn), f.get(from)], HERE);
        let free = Expr::content(&b.game, on, f.get(c)).is_some().not();
        let walk = |step: TableId| {
            let kind = ExprKind::Walk {
                start: Box::new(first.clone()),
                step,
                local: c,
                pass: Box::new(free.clone()),
                give: WalkGive::Reached,
            };
            Expr::new(kind, Type::Set(cell), HERE)
        };
        let forward = get(&b, turn).equals(elem(player, 0));
        let reached = Expr::select(forward, walk(up), walk(down));
        let others = op(BinaryOp::Minus, reached, places(get(&b, turn)));
        b.function(f.body(vec![Stmt::give(others)]))
    };
    let from = param("from", cell, ParamSource::Generated(sources));
    let to = param("to", cell, ParamSource::Generated(targets));
    let slide = family("slide", vec![from, to], "{0} {1}");
    let slide = b.family(slide);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let x = f.local("from", Type::Elem(cell));
    let y = f.local("to", Type::Elem(cell));
    let mover = || get(&b, turn);
    let other = || opponent(player, get(&b, turn));
    let lost = places(other()).equals(set_of(cell, vec![]));
    let effect = vec![
        stmt(StmtKind::SetContent(on, f.get(y), mover().some())),
        stmt(StmtKind::SetContent(on, f.get(x), Expr::none(player, HERE))),
        when(
            lost,
            vec![end(EndReason::Win, set_of(player, vec![mover()]))],
        ),
        set(turn, other()),
    ];
    let decision = choose(mover(), vec![arm(slide, &[x, y], effect)]);
    b.game.process = b.function(f.body(vec![forever(vec![decision])]));
    b.game
}
