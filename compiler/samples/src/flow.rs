//! Decisions and draws in the middle of things, trials, snapshots, the environment.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

/// Two dice races: draws in the middle of an effect, with even and uneven weights.
///
/// Who moves rolls 1 to 3, or takes a risk: the sum of two such rolls at once, by its weights, but a
/// sum of 4 counts nothing. Cell 6 wins. A marker stays between the draws.
pub(super) fn dice() -> Game {
    let mut b = GameBuilder::new("dice", "ir", &["red", "blue"]);
    let player = b.game.players;
    let axes = vec![Axis::Domain(player)];
    let at = b.var("at", axes, range(0, 6), Const::Int(0), HERE);
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let die = draw(&mut b, "die", range(1, 3));
    let sum = draw(&mut b, "sum", range(2, 6));
    let safe = word(&mut b, "safe");
    let bold = word(&mut b, "bold");

    let mut f = FunctionBuilder::new("play", None, HERE);
    let risk = f.local("risk", Type::Bool);
    let first = f.local("first", range(1, 6));
    let k = f.local("k", Type::INT);
    let rolled = f.local("rolled", range(2, 6));
    let mover = || get(&b, turn);
    let weight = op(
        BinaryOp::Sub,
        int(3),
        unary(UnaryOp::Abs, op(BinaryOp::Sub, f.get(k), int(4))),
    );
    let uneven = Distribution::Weighted {
        local: k,
        over: Over::Range(int(1), int(6)),
        weight: op(BinaryOp::Max, weight, int(0)),
    };
    let advance = |by: Expr| {
        let to = op(BinaryOp::Min, add(get_at(&b, at, mover()), by), int(6));
        set_at(at, mover(), to)
    };
    let bold_roll = vec![
        chance(sum, uneven, rolled),
        when(
            f.get(rolled).equals(int(4)).not(),
            vec![advance(f.get(rolled))],
        ),
    ];
    let safe_roll = vec![
        chance(die, Distribution::Uniform(int(1), int(3)), first),
        advance(f.get(first)),
    ];
    let decide = choose(
        mover(),
        vec![
            arm(safe, &[], vec![Stmt::assign(risk, Expr::bool(false, HERE))]),
            arm(bold, &[], vec![Stmt::assign(risk, yes())]),
        ],
    );
    let home = get_at(&b, at, mover()).equals(int(6));
    let turns = vec![
        decide,
        Stmt::branch(f.get(risk), bold_roll, safe_roll),
        when(
            home,
            vec![end(EndReason::Win, set_of(player, vec![mover()]))],
        ),
        set(turn, opponent(player, mover())),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Choices inside a loop inside a called function, with local variables that live across them.
///
/// The mover bids 1 to 3, then takes as many of the six gems, one by one; the value of the i-th is
/// its number times i, plus the bid. When no gem is left, the greater score wins.
pub(super) fn nested() -> Game {
    let mut b = GameBuilder::new("nested", "ir", &["first", "second"]);
    let player = b.game.players;
    let bid = numbers(&mut b, "Bid", 1, 3);
    let gem = numbers(&mut b, "Gem", 1, 6);
    let left = plain(&mut b, "left", Type::Set(gem), Const::Set((0..6).collect()));
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let axes = vec![Axis::Domain(player)];
    let score = b.var("score", axes, range(0, 1000), Const::Int(0), HERE);
    b.game.scores = Some(score);
    let offer = family(
        "offer",
        vec![param("bid", bid, ParamSource::All)],
        "bid {0}",
    );
    let offer = b.family(offer);
    let there = function_of(&mut b, "there", Type::Elem(gem), Type::Bool, |game, g| {
        op(BinaryOp::In, g, Expr::var(game, left, vec![], HERE))
    });
    let mut take = family(
        "take",
        vec![param("gem", gem, ParamSource::All)],
        "take {0}",
    );
    take.guard = Some(there);
    let take = b.family(take);

    let pick = {
        let mut f = FunctionBuilder::new("pick", Some(range(0, 100)), HERE);
        let factor = f.param("factor", range(1, 3));
        let bonus = f.param("bonus", range(1, 3));
        let g = f.local("gem", Type::Elem(gem));
        let value = op(BinaryOp::Mul, f.get(g).ordinal(), f.get(factor));
        let value = add(value, f.get(bonus));
        let exact = f.local("value", range(0, 100));
        let gone = op(BinaryOp::Minus, get(&b, left), set_of(gem, vec![f.get(g)]));
        let body = vec![
            choose(get(&b, turn), vec![arm(take, &[g], vec![set(left, gone)])]),
            Stmt::assign(exact, value),
            Stmt::give(f.get(exact)),
        ];
        b.function(f.body(body))
    };
    let mut f = FunctionBuilder::new("play", None, HERE);
    let amount = f.local("amount", Type::Elem(bid));
    let i = f.local("i", range(1, 3));
    let won = f.local("won", range(0, 100));
    let mover = || get(&b, turn);
    let own = || get_at(&b, score, mover());
    let none = || size(get(&b, left)).equals(int(0));
    let body = vec![
        when(none(), vec![stmt(StmtKind::Break)]),
        Stmt::call(
            pick,
            vec![f.get(i), ordinal(&b, f.get(amount))],
            Some(won),
            HERE,
        ),
        set_at(score, mover(), add(own(), f.get(won))),
    ];
    let decide = choose(mover(), vec![arm(offer, &[amount], vec![])]);
    let score_of = |p: u32| get_at(&b, score, elem(player, p));
    let first = op(BinaryOp::Gt, score_of(0), score_of(1));
    let same = score_of(0).equals(score_of(1));
    let winner = Expr::select(first, elem(player, 0), elem(player, 1));
    let turns = vec![
        decide,
        count_up(i, int(1), ordinal(&b, f.get(amount)), body),
        when(
            none(),
            vec![
                when(same, vec![end(EndReason::Draw, set_of(player, vec![]))]),
                end(EndReason::Win, set_of(player, vec![winner])),
            ],
        ),
        set(turn, opponent(player, mover())),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Several players to move at once: each of three names a number from 1 to 3 unseen by order, then
/// whoever named the smallest number that nobody else named wins; twice without one is a draw.
pub(super) fn simultaneous() -> Game {
    let mut b = GameBuilder::new("simultaneous", "ir", &["ann", "bob", "cid"]);
    let player = b.game.players;
    let number = numbers(&mut b, "Number", 1, 3);
    let axes = vec![Axis::Domain(player)];
    let said = b.var("said", axes, Type::Opt(number), Const::None, HERE);
    let round = plain(&mut b, "round", range(1, 3), Const::Int(1));
    let open = |b: &GameBuilder, p: Expr| get_at(b, said, p).is_some().not();
    let may = {
        let mut f = FunctionBuilder::new("may_say", Some(Type::Bool), HERE);
        let p = f.param("player", Type::Elem(player));
        f.param("number", Type::Elem(number));
        let value = open(&b, f.get(p));
        b.function(f.body(vec![Stmt::give(value)]))
    };
    let params = vec![
        param("player", player, ParamSource::All),
        param("number", number, ParamSource::All),
    ];
    let mut say = family("say", params, "{0}: {1}");
    say.guard = Some(may);
    let say = b.family(say);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let p = f.local("p", Type::Elem(player));
    let n = f.local("n", Type::Elem(number));
    let q = f.local("q", Type::Elem(player));
    let m = f.local("m", Type::Elem(number));
    let least = f.local("least", Type::Opt(number));
    let waiting = |over: LocalId| {
        let kind = ExprKind::Collect {
            local: over,
            over: Box::new(Over::Domain(player)),
            when: Box::new(open(&b, f.get(over))),
        };
        Expr::new(kind, Type::Set(player), HERE)
    };
    let says = vec![set_at(said, f.get(p), f.get(n).some())];
    let decide = choose(waiting(q), vec![arm(say, &[p, n], says)]);
    let count = |m: Expr| {
        let same = get_at(&b, said, f.get(q)).equals(m.some());
        Expr::fold(Fold::Count, q, Over::Domain(player), same)
    };
    let first = ExprKind::First {
        local: m,
        over: Box::new(Over::Domain(number)),
        when: Box::new(count(f.get(m)).equals(int(1))),
    };
    let who = ExprKind::Collect {
        local: q,
        over: Box::new(Over::Domain(player)),
        when: Box::new(get_at(&b, said, f.get(q)).equals(f.get(least))),
    };
    let missing = op(BinaryOp::Gt, size(waiting(q)), int(0));
    let every = f.local("every", Type::Elem(player));
    let turns = vec![
        stmt(StmtKind::While {
            cond: missing,
            bound: 3,
            body: vec![decide],
        }),
        Stmt::assign(least, Expr::new(first, Type::Opt(number), HERE)),
        when(
            f.get(least).is_some(),
            vec![end(EndReason::Win, Expr::new(who, Type::Set(player), HERE))],
        ),
        when(
            get(&b, round).equals(int(2)),
            vec![end(EndReason::Limit, set_of(player, vec![]))],
        ),
        set(round, add(get(&b, round), int(1))),
        stmt(StmtKind::ForEach(
            every,
            Over::Domain(player),
            vec![set_at(said, f.get(every), Expr::none(number, HERE))],
        )),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}

/// Trials: kept, dropped, failed, nested, failed by a function they call.
///
/// One player adds 1 to 3 to a total as long as a trial says that the total stays below 10; a second
/// counter shows which trials kept their writes.
pub(super) fn trials() -> Game {
    let mut b = GameBuilder::new("trials", "ir", &["solo"]);
    let player = b.game.players;
    let step = numbers(&mut b, "Step", 1, 3);
    let total = plain(&mut b, "total", range(0, 20), Const::Int(0));
    let kept = plain(&mut b, "kept", range(0, 100), Const::Int(0));
    let note = b.env("note", Type::INT);
    let grow = {
        let mut f = FunctionBuilder::new("grow", None, HERE);
        let by = f.param("by", Type::INT);
        let body = vec![
            set(total, add(get(&b, total), f.get(by))),
            Stmt::set_env(note, get(&b, total)),
            when(
                op(BinaryOp::Ge, get(&b, total), int(10)),
                vec![stmt(StmtKind::Fail)],
            ),
        ];
        b.function(f.body(body))
    };
    let may = {
        let mut f = FunctionBuilder::new("may", Some(Type::Bool), HERE);
        let s = f.param("step", Type::Elem(step));
        let ok = f.local("ok", Type::Bool);
        let was = f.local("was", Type::INT);
        let tried = vec![Stmt::call(grow, vec![f.get(s).ordinal()], None, HERE)];
        let total_now = get(&b, total);
        let body = vec![
            Stmt::assign(was, int(-1)),
            trial(tried, false, ok, Some((total_now, was))),
            Stmt::give(f.get(ok).and(op(BinaryOp::Gt, f.get(was), get(&b, total)))),
        ];
        b.function(f.body(body))
    };
    let mut go = family("go", vec![param("step", step, ParamSource::All)], "{0}");
    go.guard = Some(may);
    let go = b.family(go);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let s = f.local("step", Type::Elem(step));
    let ok = f.local("ok", Type::Bool);
    let inner = f.local("inner", Type::Bool);
    let mark = f.local("mark", Type::INT);
    let bump = |by: i64| set(kept, add(get(&b, kept), int(by)));
    let failing = vec![bump(50), Stmt::assign(mark, int(7)), stmt(StmtKind::Fail)];
    let dropping = vec![bump(30), Stmt::assign(mark, int(8))];
    let keeping = vec![
        Stmt::call(grow, vec![f.get(s).ordinal()], None, HERE),
        trial(dropping, false, inner, None),
        when(f.get(inner), vec![bump(1)]),
        trial(failing, true, inner, None),
        when(f.get(inner).not(), vec![bump(2)]),
    ];
    let over = Expr::new(ExprKind::EnvIsSet(note), Type::Bool, HERE);
    let body = vec![
        Stmt::assign(mark, int(1)),
        trial(keeping, true, ok, Some((f.get(mark), mark))),
        when(
            f.get(ok).not().or(f.get(mark).equals(int(1)).not()),
            vec![Stmt::fault("a trial kept what it should drop", at(1))],
        ),
        when(
            over.not(),
            vec![Stmt::fault("the environment was dropped", at(2))],
        ),
        when(
            op(BinaryOp::Ge, get(&b, total), int(9)),
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    let turns = forever(vec![choose(elem(player, 0), vec![arm(go, &[s], body)])]);
    b.game.process = b.function(f.body(vec![turns]));
    b.game
}

/// Snapshots: a turn of steps on a ring of five cells that may be rolled back.
pub(super) fn rollback() -> Game {
    let mut b = GameBuilder::new("rollback", "ir", &["solo"]);
    let player = b.game.players;
    let cell = numbers(&mut b, "Cell", 0, 4);
    let man = b.names("Man", names(&["man"]), HERE);
    let at = placement(
        &mut b,
        "at",
        (man, cell),
        PlacementForm::Many,
        vec![Some(0)],
    );
    let steps = plain(&mut b, "steps", range(0, 9), Const::Int(0));
    let backs = plain(&mut b, "backs", range(0, 2), Const::Int(0));
    b.game.snapshots.push(Snapshot {
        name: String::from("turn"),
        vars: vec![steps],
        placements: vec![at],
    });
    let slot = SnapshotId(0);
    let [step, back, done] = ["step", "back", "done"].map(|name| word(&mut b, name));
    let mut f = FunctionBuilder::new("play", None, HERE);
    let here = || Expr::place_of(&b.game, at, elem(man, 0)).get();
    let next = op(BinaryOp::RemEuclid, add(here().ordinal(), int(2)), int(5));
    let moves = vec![
        stmt(StmtKind::Put(at, elem(man, 0), next.member(cell).get())),
        set(steps, add(get(&b, steps), int(1))),
    ];
    let backs_now = vec![
        stmt(StmtKind::Restore(slot)),
        set(backs, add(get(&b, backs), int(1))),
    ];
    let home = here().equals(elem(cell, 1));
    let arms = vec![
        arm(step, &[], moves),
        arm(back, &[], backs_now),
        arm(done, &[], vec![stmt(StmtKind::Snapshot(slot))]),
    ];
    let contents = Expr::new(
        ExprKind::Contents(at, Box::new(here())),
        Type::Set(man),
        HERE,
    );
    let turns = vec![
        choose(elem(player, 0), arms),
        when(
            home.and(size(contents).equals(int(1))),
            vec![end(EndReason::Elimination, set_of(player, vec![]))],
        ),
    ];
    let unused = f.local("unused", Type::Bool);
    b.game.process = b.function(f.body(vec![Stmt::assign(unused, yes()), forever(turns)]));
    b.game
}

/// Loops of every kind, left and continued in every way, with a decision in some.
///
/// In each round the mover answers yes or no inside a loop over the members of a set; the answers and
/// what further loops count make a sum. After two rounds the parity of the sum says who wins.
pub(super) fn loops() -> Game {
    let mut b = GameBuilder::new("loops", "ir", &["even", "odd"]);
    let player = b.game.players;
    let item = b.names("Item", names(&["p", "q", "r", "s"]), HERE);
    let sum = plain(&mut b, "sum", range(0, 1_000_000), Const::Int(0));
    let chosen = plain(&mut b, "chosen", Type::Set(item), Const::Set(vec![0, 2, 3]));
    let yes_word = word(&mut b, "yes");
    let no_word = word(&mut b, "no");
    let stop_word = word(&mut b, "stop");

    let count = {
        let mut f = FunctionBuilder::new("count", Some(Type::INT), HERE);
        let n = f.local("n", Type::INT);
        let i = f.local("i", range(-5, 5));
        let j = f.local("j", Type::INT);
        let e = f.local("e", Type::Elem(item));
        let s = f.local("s", Type::INT);
        let bump = |by: Expr| Stmt::assign(n, add(f.get(n), by));
        let counting = |local, from: i64, to: i64, count, body| {
            stmt(StmtKind::For {
                local,
                from: int(from),
                to: int(to),
                count,
                body,
                charged: true,
            })
        };
        let skip = |cond: Expr| when(cond, vec![stmt(StmtKind::Continue)]);
        let leave = |cond: Expr| when(cond, vec![stmt(StmtKind::Break)]);
        let small = |value: i64| Expr::constant(Const::Int(value), range(value, value), HERE);
        let toward = stmt(StmtKind::For {
            local: i,
            from: small(3),
            to: small(-2),
            count: Count::Toward,
            body: vec![skip(f.get(i).equals(int(0))), bump(int(10))],
            charged: false,
        });
        let seq = seq_of(Type::INT, vec![int(4), int(4), int(-1)]);
        let body = vec![
            Stmt::assign(n, int(0)),
            counting(
                j,
                1,
                4,
                Count::Up,
                vec![skip(f.get(j).equals(int(2))), bump(f.get(j))],
            ),
            counting(j, 4, 1, Count::Up, vec![bump(int(1000))]),
            counting(
                j,
                4,
                1,
                Count::Down,
                vec![leave(f.get(j).equals(int(2))), bump(f.get(j))],
            ),
            toward,
            counting(j, 7, 7, Count::Toward, vec![bump(int(100))]),
            stmt(StmtKind::ForEach(
                e,
                Over::Set(get(&b, chosen)),
                vec![
                    skip(f.get(e).equals(elem(item, 2))),
                    bump(f.get(e).ordinal()),
                ],
            )),
            stmt(StmtKind::ForEach(s, Over::Seq(seq), vec![bump(f.get(s))])),
            stmt(StmtKind::While {
                cond: op(BinaryOp::Lt, f.get(n), int(200)),
                bound: 100,
                body: vec![
                    bump(int(7)),
                    leave(op(BinaryOp::Rem, f.get(n), int(9)).equals(int(0))),
                ],
            }),
            Stmt::give(f.get(n)),
        ];
        b.function(f.body(body))
    };
    let mut f = FunctionBuilder::new("play", None, HERE);
    let round = f.local("round", range(1, 2));
    let e = f.local("item", Type::Elem(item));
    let counted = f.local("counted", Type::INT);
    let mover = Expr::select(
        f.get(round).equals(int(1)),
        elem(player, 0),
        elem(player, 1),
    );
    let bump = |by: Expr| set(sum, add(get(&b, sum), by));
    let answers = choose(
        mover,
        vec![
            arm(
                yes_word,
                &[],
                vec![bump(add(f.get(e).ordinal(), f.get(round)))],
            ),
            arm(no_word, &[], vec![stmt(StmtKind::Continue)]),
            arm(stop_word, &[], vec![stmt(StmtKind::Break)]),
        ],
    );
    let each = stmt(StmtKind::ForEach(
        e,
        Over::Set(get(&b, chosen)),
        vec![answers, bump(int(100))],
    ));
    let parity = op(BinaryOp::RemEuclid, get(&b, sum), int(2)).equals(int(0));
    let winner = Expr::select(parity, elem(player, 0), elem(player, 1));
    let body = vec![
        count_up(round, int(1), int(2), vec![each]),
        Stmt::call(count, vec![], Some(counted), HERE),
        bump(f.get(counted)),
        end(EndReason::Win, set_of(player, vec![winner])),
    ];
    b.game.process = b.function(f.body(body));
    b.game
}

/// Functions that share variables by reference, tail recursion, contexts of families, rows of
/// tables, generators that repeat themselves, values that may be absent, logs and signals.
///
/// A token on a line of eight cells moves right by a step that a function finds in the environment.
pub(super) fn environment() -> Game {
    let mut b = GameBuilder::new("environment", "ir", &["left", "right"]);
    let player = b.game.players;
    let cell = numbers(&mut b, "Cell", 0, 7);
    let dir = b.names("Dir", names(&["near", "far"]), HERE);
    let at = plain(&mut b, "at", Type::Elem(cell), Const::Elem(0));
    let turn = plain(&mut b, "turn", Type::Elem(player), Const::Elem(0));
    let i = b.env("i", Type::Wrap32);
    let found = b.env("found", Type::Opt(cell));
    let last = b.env(
        "last",
        Type::Seq {
            item: Box::new(Type::Elem(cell)),
            cap: 4,
        },
    );
    let env = |b: &GameBuilder, id: EnvId| Expr::env(id, b.game.env[id.index()].ty.clone(), HERE);
    let rows = sets(&[&[1, 2], &[3, 4, 5]]);
    let rows = table(
        &mut b,
        "rows",
        vec![Axis::Domain(dir)],
        Type::Set(cell),
        rows,
    );

    // Looks for the first cell from `i` on whose number has the remainder 0 when divided by 3.
    let search = {
        let id = FuncId::from(b.game.functions.len());
        let f = FunctionBuilder::new("search", Some(Type::Bool), HERE);
        let wrap = |value: i32| Expr::wrap(value, HERE);
        let at_i = || env(&b, i);
        let beyond = op(BinaryOp::Gt, at_i(), wrap(7));
        let hit = op(BinaryOp::Rem, at_i(), wrap(3)).equals(wrap(0));
        let mut f = f;
        let result = f.local("result", Type::Bool);
        let body = vec![
            when(beyond, vec![Stmt::give(Expr::bool(false, HERE))]),
            when(
                hit,
                vec![
                    Stmt::set_env(found, at_i().to_int().member(cell)),
                    Stmt::give(yes()),
                ],
            ),
            Stmt::set_env(i, op(BinaryOp::Add, at_i(), wrap(1))),
            Stmt::call(id, vec![], Some(result), HERE),
            Stmt::give(f.get(result)),
        ];
        b.function(f.body(body))
    };
    let guard = {
        let mut f = FunctionBuilder::new("may_hop", Some(Type::Bool), HERE);
        f.param("base", range(0, 7));
        f.param("dir", Type::Elem(dir));
        let step = f.param("step", Type::Elem(cell));
        f.param("same", Type::Elem(cell));
        let ok = f.local("ok", Type::Bool);
        let from = add(get(&b, at).ordinal(), f.get(step).ordinal());
        let unset = Expr::new(ExprKind::EnvIsSet(found), Type::Bool, HERE).not();
        let near = op(
            BinaryOp::Le,
            Expr::new(
                ExprKind::OrElse(Box::new(env(&b, found)), Box::new(elem(cell, 0))),
                Type::Elem(cell),
                HERE,
            )
            .ordinal(),
            int(6),
        );
        let body = vec![
            when(
                unset.not(),
                vec![Stmt::fault(
                    "the environment is not empty",
                    super::kit::at(3),
                )],
            ),
            Stmt::set_env(i, from.to_wrap()),
            Stmt::call(search, vec![], Some(ok), HERE),
            Stmt::give(f.get(ok).and(near)),
        ];
        b.function(f.body(body))
    };
    let steps = {
        let mut f = FunctionBuilder::new(
            "steps",
            Some(Type::Seq {
                item: Box::new(Type::Elem(cell)),
                cap: 4,
            }),
            HERE,
        );
        f.param("base", range(0, 7));
        let step = f.param("step", Type::Elem(cell));
        let twice = seq_of(
            Type::Elem(cell),
            vec![f.get(step), elem(cell, 7), f.get(step)],
        );
        b.function(f.body(vec![Stmt::set_env(last, twice), Stmt::give(env(&b, last))]))
    };
    let mut leap = family(
        "leap",
        vec![
            param("step", cell, ParamSource::Among(vec![1, 6])),
            param("to", cell, ParamSource::Generated(steps)),
        ],
        "leap {0} {1}",
    );
    leap.context = vec![Local {
        name: String::from("base"),
        ty: range(0, 7),
    }];
    let leap = b.family(leap);
    let base = Expr::local(LocalId(0), range(0, 7), HERE);
    let step = Expr::local(LocalId(2), Type::Elem(cell), HERE);
    let same = add(base, step.ordinal()).member(cell);
    let mut hop = family(
        "hop",
        vec![
            param("dir", dir, ParamSource::All),
            param("step", cell, ParamSource::Listed { by: 0, table: rows }),
            param("same", cell, ParamSource::Is(same)),
        ],
        "hop {0} {1} to {2}",
    );
    hop.context = vec![Local {
        name: String::from("base"),
        ty: range(0, 7),
    }];
    hop.guard = Some(guard);
    let hop = b.family(hop);

    let mut f = FunctionBuilder::new("play", None, HERE);
    let d = f.local("dir", Type::Elem(dir));
    let s = f.local("step", Type::Elem(cell));
    let t = f.local("to", Type::Elem(cell));
    let mover = || get(&b, turn);
    let log = |name: &str, value: Expr| {
        stmt(StmtKind::Emit(Emit::Log(vec![
            LogPart::Text(format!("{name} to ")),
            LogPart::Value(value),
        ])))
    };
    let hops = vec![
        set(at, f.get(t)),
        log("hop", f.get(t)),
        stmt(StmtKind::Emit(Emit::Signal(
            String::from("hop"),
            vec![f.get(d), f.get(s)],
        ))),
    ];
    let leaps = vec![set(at, f.get(t)), log("leap", f.get(t))];
    let given = || vec![ordinal(&b, get(&b, at))];
    let arms = vec![
        Arm {
            family: hop,
            given: given(),
            bind: vec![d, s, t],
            body: hops,
        },
        Arm {
            family: leap,
            given: given(),
            bind: vec![s, t],
            body: leaps,
        },
    ];
    let turns = vec![
        choose(mover(), arms),
        when(
            get(&b, at).equals(elem(cell, 7)),
            vec![end(EndReason::Win, set_of(player, vec![mover()]))],
        ),
        set(turn, opponent(player, mover())),
    ];
    b.game.probes.push(Probe {
        name: String::from("search"),
        func: search,
    });
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}
