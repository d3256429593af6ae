use rulec_ir::sorted::SortedSet;

use super::search::agreed;
use super::{run, sides};
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_block;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

/// The parts of the game of four men.
struct Men {
    man: DomainId,
    place: DomainId,
    at: PlacementId,
    turn: VarId,
    score: VarId,
    /// The player after each.
    next: TableId,
    /// Whether a man is of the second player.
    is_b: TableId,
    /// For each player whether a place is of his tray.
    trays: [TableId; 2],
}

impl Men {
    fn of(builder: &mut GameBuilder) -> Men {
        let span = Span::default();
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
        let man = builder.names("Man", names(&["a1", "a2", "b1", "b2"]), span);
        let places = names(&["s1", "s2", "s3", "t1", "t2", "t3", "t4"]);
        let place = builder.names("Place", places, span);
        let at = builder.placement(Placement {
            name: "at".to_owned(),
            pieces: man,
            places: place,
            form: PlacementForm::One,
            init: vec![Some(3), Some(4), Some(5), Some(6)],
            span,
        });
        let players = builder.game.players;
        let turn = builder.var("turn", vec![], Type::Elem(players), Const::Elem(0), span);
        let points = Type::Int { lo: 0, hi: 9 };
        let score = builder.var("score", vec![], points, Const::Int(0), span);
        let mut table = |name: &str, domain, ty: Type, values: Vec<Const>| {
            let outside = (ty == Type::Bool).then_some(Const::Bool(false));
            builder.table(Table {
                name: name.to_owned(),
                axes: vec![Axis::Domain(domain)],
                ty,
                values,
                outside,
                span,
            })
        };
        let others = vec![Const::Elem(1), Const::Elem(0)];
        let next = table("next", players, Type::Elem(players), others);
        let of_b = (0..4).map(|man| Const::Bool(man >= 2)).collect();
        let is_b = table("is b", man, Type::Bool, of_b);
        let trays = [3, 5].map(|first| {
            let tray = |place| Const::Bool((first..first + 2).contains(&place));
            let values = (0..7).map(tray).collect();
            table(&format!("tray {first}"), place, Type::Bool, values)
        });
        Men {
            man,
            place,
            at,
            turn,
            score,
            next,
            is_b,
            trays,
        }
    }

    /// What follows a move: two points for a man of b.
    fn points(&self, builder: &mut GameBuilder) -> FuncId {
        let span = Span::default();
        let mut after = FunctionBuilder::new("after", None, span);
        let to = after.param("to", Type::Elem(self.place));
        let standing = Expr::content(&builder.game, self.at, after.get(to));
        let points = |points: i64| Stmt::set_var(self.score, vec![], Expr::int(points, span));
        let is_b = Expr::lookup(&builder.game, self.is_b, vec![standing], span);
        let body = vec![Stmt::branch(is_b, vec![points(2)], vec![points(1)])];
        builder.function(after.body(body))
    }

    /// Whether a player may bring a man somewhere.
    fn guard(&self, builder: &mut GameBuilder, player: u32) -> FuncId {
        let span = Span::default();
        let mut guard = FunctionBuilder::new(&format!("may {player}"), Some(Type::Bool), span);
        guard.param("man", Type::Elem(self.man));
        guard.param("from", Type::Elem(self.place));
        let to = guard.param("to", Type::Elem(self.place));
        let own = Expr::elem(builder.game.players, player, span);
        let mine = Expr::var(&builder.game, self.turn, vec![], span).equals(own);
        let content = Expr::content(&builder.game, self.at, guard.get(to));
        let free = content.is_some().not();
        builder.function(guard.body(vec![Stmt::give(mine.and(free))]))
    }

    /// What a player does to bring a man somewhere, before `after`; `again` puts it there once more.
    fn play(&self, builder: &mut GameBuilder, player: u32, after: FuncId, again: bool) -> FuncId {
        let span = Span::default();
        let mut play = FunctionBuilder::new(&format!("play {player}"), None, span);
        let own = play.param("man", Type::Elem(self.man));
        let to = play.param("to", Type::Elem(self.place));
        let put = Stmt::new(StmtKind::Put(self.at, play.get(own), play.get(to)), span);
        let turn = Expr::var(&builder.game, self.turn, vec![], span);
        let turned = Expr::lookup(&builder.game, self.next, vec![turn], span);
        let mut body = vec![
            put.clone(),
            Stmt::set_var(self.turn, vec![], turned),
            Stmt::call(after, vec![play.get(to)], None, span),
        ];
        if again {
            body.push(put);
        }
        builder.function(play.body(body))
    }

    /// The moves of a player.
    fn family(&self, builder: &mut GameBuilder, player: u32) -> FamilyId {
        let span = Span::default();
        let guard = self.guard(builder, player);
        let man = Expr::local(LocalId(0), Type::Elem(self.man), span);
        let standing = Expr::place_of(&builder.game, self.at, man);
        let tray = self.trays[player as usize];
        let tray = Expr::lookup(&builder.game, tray, vec![standing.clone()], span);
        let from = Expr::select(tray, standing, Expr::none(self.place, span));
        let param = |name: &str, domain, source| Param {
            name: name.to_owned(),
            ty: Type::Elem(domain),
            source,
        };
        let own = ParamSource::Among(vec![2 * player, 2 * player + 1]);
        builder.family(Family {
            name: format!("bring {player}"),
            context: vec![],
            params: vec![
                param("man", self.man, own),
                param("from", self.place, ParamSource::Is(from)),
                param("to", self.place, ParamSource::Among(vec![0, 1, 2])),
            ],
            guard: Some(guard),
            after: None,
            effect: None,
            rank: None,
            class: vec![],
            text: vec![
                TextPart::Param(0),
                TextPart::Text(" ".to_owned()),
                TextPart::Param(1),
                TextPart::Text(" ".to_owned()),
                TextPart::Param(2),
            ],
            span,
        })
    }
}

/// Two players with two men each bring them from trays to a board of three squares; who brings the last man that fits wins
/// twice as much. `again` puts the same man somewhere else afterwards.
fn men(again: bool) -> Game {
    let span = Span::default();
    let mut builder = GameBuilder::new("men", "none", &["a", "b"]);
    let men = Men::of(&mut builder);
    let after = men.points(&mut builder);
    let mut process = FunctionBuilder::new("process", None, span);
    let arms = [0, 1].map(|player| {
        let family = men.family(&mut builder, player);
        let play = men.play(&mut builder, player, after, again);
        let bind = vec![
            process.local("man", Type::Elem(men.man)),
            process.local("from", Type::Elem(men.place)),
            process.local("to", Type::Elem(men.place)),
        ];
        let args = vec![process.get(bind[0]), process.get(bind[2])];
        Arm {
            family,
            given: vec![],
            bind,
            body: vec![Stmt::call(play, args, None, span)],
        }
    });
    let choose = StmtKind::Choose(Choose {
        players: Expr::var(&builder.game, men.turn, vec![], span),
        arms: arms.into(),
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

/// What is known of the pieces that a function brings somewhere, and what it puts without knowing.
fn moved(game: &Game, func: &str) -> (Vec<Arrival>, usize) {
    let function = game.functions.iter().find(|function| function.name == func);
    let (mut known, mut unknown) = (Vec::new(), 0);
    walk_block(
        &function.expect("a function of this name").body,
        &mut |stmt| match &stmt.kind {
            StmtKind::Bring(_, _, _, arrival) => known.push((**arrival).clone()),
            StmtKind::Put(..) => unknown += 1,
            _ => {}
        },
    );
    (known, unknown)
}

#[test]
fn a_move_knows_what_its_guard_found() {
    let before = men(false);
    let mut after = before.clone();
    run(&mut after);
    let of = |player: u32| Arrival {
        pieces: vec![2 * player, 2 * player + 1],
        from: vec![2 * player + 3, 2 * player + 4],
        to: vec![0, 1, 2],
    };
    assert_eq!(moved(&after, "play 0"), (vec![of(0)], 0));
    assert_eq!(moved(&after, "play 1"), (vec![of(1)], 0));
    // Whose turn it is follows, and whose man was put: each player has a function of its own for that.
    for (player, points) in [("play 0", 1), ("play 1", 2)] {
        let play = after
            .functions
            .iter()
            .find(|function| function.name == player);
        let body = &play.expect("it stays").body;
        let other = Const::Elem(u32::from(points == 1));
        assert!(
            matches!(&body[1].kind, StmtKind::SetVar(_, _, value) if value.as_const() == Some(&other))
        );
        let StmtKind::Call { func, .. } = &body[2].kind else {
            panic!("a call: {:?}", body[2])
        };
        let follows = &after.function(*func).body;
        assert!(
            matches!(&follows[..], [Stmt { kind: StmtKind::SetVar(_, _, value), .. }]
                if value.as_const() == Some(&Const::Int(points))),
            "{follows:?}"
        );
    }
    assert_same_play("men", &before, &after, 10, 20);
}

#[test]
fn what_has_moved_is_no_longer_known() {
    let before = men(true);
    let mut after = before.clone();
    run(&mut after);
    let (known, unknown) = moved(&after, "play 0");
    assert_eq!((known.len(), unknown), (1, 1));
    assert_same_play("men again", &before, &after, 10, 20);
}

#[test]
fn a_function_that_others_call_too_knows_nothing() {
    let mut before = men(false);
    let span = Span::default();
    let play = before
        .functions
        .iter()
        .position(|function| function.name == "play 0");
    let play = FuncId::from(play.expect("it is there"));
    // Somebody else puts a man where no guard has looked.
    let mut other = FunctionBuilder::new("other", None, span);
    let (man, to) = (Type::Elem(DomainId(1)), Type::Elem(DomainId(2)));
    let (man, to) = (other.param("man", man), other.param("to", to));
    let args = vec![other.get(man), other.get(to)];
    before
        .functions
        .push(other.body(vec![Stmt::call(play, args, None, span)]));
    let probe = FuncId::from(before.functions.len() - 1);
    before.families[0].effect = Some(probe);
    run(&mut before);
    assert_eq!(moved(&before, "play 0").1, 1);
    assert_eq!(moved(&before, "play 1").1, 0);
    // Nor whose turn it is.
    let turned = |player: &str| match &function(&before, player).body[1].kind {
        StmtKind::SetVar(_, _, value) => value.as_const().is_some(),
        other => panic!("a turn: {other:?}"),
    };
    assert_eq!([turned("play 0"), turned("play 1")], [false, true]);
}

fn function<'g>(game: &'g Game, name: &str) -> &'g Function {
    let mut functions = game.functions.iter();
    let found = functions.find(|function| function.name == name);
    found.expect("a function of this name")
}

/// The game with other guards, made of whether it is not a player's turn and whether the target is taken.
fn guarded(guard: impl Fn(Expr, Expr) -> Block) -> Game {
    let mut game = men(false);
    for player in [0, 1] {
        let name = format!("may {player}");
        let place = game
            .functions
            .iter()
            .position(|function| function.name == name);
        let body = &mut game.functions[place.expect("a guard")].body;
        let StmtKind::Return(Some(Expr {
            kind: ExprKind::Binary(BinaryOp::And, mine, free),
            ..
        })) = &body[0].kind
        else {
            panic!("a guard of two questions: {body:?}")
        };
        *body = guard(mine.clone().not(), free.clone().not());
    }
    game
}

#[test]
fn what_a_guard_refuses_at_once_is_known_not_to_hold() {
    let span = Span::default();
    let before = guarded(|foreign, taken| {
        let no = vec![Stmt::give(Expr::bool(false, span))];
        vec![
            Stmt::branch(foreign.or(taken), no, vec![]),
            Stmt::give(Expr::bool(true, span)),
        ]
    });
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(moved(&after, "play 0").1, 0);
    assert_same_play("men refused", &before, &after, 10, 20);
}

#[test]
fn of_two_ways_to_be_legal_neither_is_known() {
    let before = guarded(|foreign, taken| vec![Stmt::give(foreign.not().or(taken.not()))]);
    let mut after = before.clone();
    run(&mut after);
    assert_eq!(moved(&after, "play 0").1, 1);
}

#[test]
fn what_a_host_tells_happens_whatever_a_guard_says() {
    let mut game = men(false);
    game.by_host = vec![FamilyId(0)];
    run(&mut game);
    assert_eq!(moved(&game, "play 0").1, 1);
    assert_eq!(moved(&game, "play 1").1, 0);
}

#[test]
fn a_table_says_what_it_says_of_all_pieces() {
    let game = men(false);
    let table = game.tables.iter().position(|table| table.name == "is b");
    let table = TableId::from(table.expect("it is there"));
    let says = |pieces: &[u32]| agreed(&game, table, &SortedSet::from_iter(pieces.to_vec()));
    assert_eq!(says(&[0, 1]), Some(Const::Bool(false)));
    assert_eq!(says(&[2, 3]), Some(Const::Bool(true)));
    assert_eq!(says(&[1, 2]), None);
}

#[test]
fn who_was_taken_away_no_longer_stands_where_he_was_put() {
    let mut before = men(false);
    for player in [0, 1] {
        let name = format!("play {player}");
        let mut functions = before.functions.iter_mut();
        let play = functions.find(|function| function.name == name);
        let play = play.expect("it is there");
        let man = Expr::local(LocalId(0), Type::Elem(DomainId(1)), play.span);
        let take = StmtKind::Take(PlacementId(0), man);
        play.body.insert(2, Stmt::new(take, play.span));
    }
    let mut after = before.clone();
    run(&mut after);
    assert_same_play("men taken away", &before, &after, 10, 20);
}

#[test]
fn what_two_callers_know_differently_is_not_known() {
    let mut before = men(false);
    let span = Span::default();
    let place = before.functions.iter().position(|f| f.name == "play 0");
    let play = FuncId::from(place.expect("it is there"));
    let process = before.process;
    // The second player's men are brought by what brings the first one's, too.
    crate::ir::walk::each_stmt_mut(&mut before.functions[process.index()].body, &mut |stmt| {
        if let StmtKind::Choose(choose) = &mut stmt.kind {
            let bind = &choose.arms[1].bind;
            let man = Expr::local(bind[0], Type::Elem(DomainId(1)), span);
            let to = Expr::local(bind[2], Type::Elem(DomainId(2)), span);
            choose.arms[1].body = vec![Stmt::call(play, vec![man, to], None, span)];
        }
    });
    let mut after = before.clone();
    run(&mut after);
    let turn = &function(&after, "play 0").body[1].kind;
    assert!(matches!(turn, StmtKind::SetVar(_, _, value) if value.as_const().is_none()));
    assert_same_play("men together", &before, &after, 10, 20);
}

/// The men with one family for both players, whose guard says whose man it is: made of a player's turn, of whether the man is
/// one of the second player's, and of whether the target is free.
fn one_rule(guard: impl Fn(Expr, Expr, Expr) -> Block) -> Game {
    let mut game = men(false);
    let span = Span::default();
    game.families[0].params[0].source = ParamSource::All;
    let pieces = game.placements[0].pieces;
    let classes = [vec![0, 1], vec![2, 3]].map(|members| Interchangeable {
        domain: pieces,
        pieces: true,
        members,
        with_places: None,
        places: vec![],
    });
    game.interchangeable = Vec::from(classes).into();
    let tray = game.tables.iter_mut().find(|table| table.name == "tray 3");
    tray.expect("the trays").values = (0..7).map(|place| Const::Bool(place > 2)).collect();
    let second = game.tables.iter().position(|table| table.name == "is b");
    let second = TableId::from(second.expect("whose men they are"));
    let family = &game.families[0];
    let may = family.guard.expect("a guard").index();
    let man = Expr::local(LocalId(0), family.params[0].ty.clone(), span);
    let body = &game.functions[may].body;
    let StmtKind::Return(Some(Expr {
        kind: ExprKind::Binary(BinaryOp::And, mine, free),
        ..
    })) = &body[0].kind
    else {
        panic!("a guard of two questions: {body:?}")
    };
    let ExprKind::Binary(_, turn, _) = &mine.kind else {
        panic!("whose turn it is: {mine:?}")
    };
    let is_second = Expr::lookup(&game, second, vec![man], span);
    let body = guard((**turn).clone(), is_second, (**free).clone());
    game.functions[may].body = body;
    let process = game.process.index();
    crate::ir::walk::each_stmt_mut(&mut game.functions[process].body, &mut |stmt| {
        if let StmtKind::Choose(choose) = &mut stmt.kind {
            choose.arms.truncate(1);
        }
    });
    game
}

/// Whether it is a player's turn.
fn turn_of(turn: &Expr, player: u32) -> Expr {
    let Type::Elem(players) = turn.ty else {
        panic!("a player: {turn:?}")
    };
    turn.clone().equals(Expr::elem(players, player, turn.span))
}

#[test]
fn one_rule_for_both_players_is_written_for_each() {
    let span = Span::default();
    let each: [fn(Expr, Expr, Expr) -> Block; 3] = [
        |turn, second, free| vec![Stmt::give(turn_of(&turn, 1).equals(second).and(free))],
        |turn, second, free| {
            let no = vec![Stmt::give(Expr::bool(false, turn.span))];
            let own = Expr::select(turn_of(&turn, 0), second.clone(), second.not());
            vec![
                Stmt::branch(own.or(free.clone().not()), no, vec![]),
                Stmt::give(free),
            ]
        },
        |turn, second, free| {
            let first = turn_of(&turn, 0).and(second.clone().not());
            vec![Stmt::give(
                free.and(first.or(turn_of(&turn, 1).and(second))),
            )]
        },
    ];
    for guard in each {
        let before = one_rule(guard);
        let mut after = before.clone();
        sides::run(&mut after);
        assert_eq!(sides::apart(&after).len(), 1);
        run(&mut after);
        for (name, men, points) in [("play 0", [0, 1], 1), ("play 0 of 2", [2, 3], 2)] {
            let (known, unknown) = moved(&after, name);
            assert_eq!((known[0].pieces.as_slice(), unknown), (&men[..], 0));
            let other = Const::Elem(u32::from(points == 1));
            let body = &function(&after, name).body;
            assert!(
                matches!(&body[1].kind, StmtKind::SetVar(_, _, value) if value.as_const() == Some(&other))
            );
        }
        assert_same_play("men of one rule", &before, &after, 10, 20);
        assert_eq!(after.families.len(), before.families.len());
    }
    let mut told = one_rule(each[0]);
    told.by_host = vec![FamilyId(0)];
    let anyone = one_rule(|_, _, free| vec![Stmt::give(free)]);
    let given = one_rule(|turn, second, free| {
        let own = turn_of(&turn, 1).equals(second);
        vec![Stmt::give(own.or(Expr::bool(false, span)).or(free))]
    });
    for mut game in [told, anyone, given] {
        sides::run(&mut game);
        assert_eq!(sides::apart(&game), []);
    }
}
