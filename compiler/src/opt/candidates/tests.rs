//! Pieces of two colours on a line go one place, each colour its way: the rules of both share what asks which.

use super::run;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::visit::walk_exprs;
use crate::ir::*;
use crate::opt::tests::assert_same_play;
use crate::source::Span;

const PLACES: u32 = 7;
const AT: PlacementId = PlacementId(0);
const NUMBER: TableId = TableId(0);
const WAY: TableId = TableId(1);

fn here() -> Span {
    Span::default()
}

/// How a rule asks for the way of the piece that stands where it begins.
#[derive(Clone, Copy)]
enum Spelling {
    InTheGuard,
    ByAFunction,
    /// By a function that another one calls.
    ByTwoFunctions,
}

/// The way of what stands on a place.
fn way(game: &Game, place: Expr) -> Expr {
    let piece = Expr::content(game, AT, place).get();
    Expr::lookup(game, WAY, vec![piece], here())
}

/// A function that tells the way of what stands on the place that it is handed.
fn asks(builder: &mut GameBuilder, place: DomainId, body: impl Fn(&Game, Expr) -> Expr) -> FuncId {
    let name = format!("way {}", builder.game.functions.len());
    let mut function = FunctionBuilder::new(&name, Some(Type::Wrap32), here());
    let from = function.param("from", Type::Elem(place));
    let given = Stmt::give(body(&builder.game, function.get(from)));
    builder.function(function.body(vec![given]))
}

fn line(spelling: Spelling, taken: bool) -> Game {
    let mut builder = GameBuilder::new("line", "none", &["a"]);
    let names = |prefix: &str, count: u32| (1..=count).map(|i| format!("{prefix}{i}")).collect();
    let piece = builder.names("Piece", names("p", 4), here());
    let place = builder.names("Place", names("s", PLACES), here());
    builder.placement(Placement {
        name: "at".to_owned(),
        pieces: piece,
        places: place,
        form: PlacementForm::One,
        init: vec![Some(0), Some(1), Some(5), Some(6)],
        span: here(),
    });
    let mut table = |name: &str, domain, values: Vec<i64>| {
        builder.table(Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(domain)],
            ty: Type::Wrap32,
            values: values.into_iter().map(Const::Int).collect(),
            outside: None,
            span: here(),
        })
    };
    assert_eq!(
        table("number", place, (0..i64::from(PLACES)).collect()),
        NUMBER
    );
    assert_eq!(table("way", piece, vec![1, 1, -1, -1]), WAY);
    let asked = match spelling {
        Spelling::InTheGuard => None,
        Spelling::ByAFunction => Some(asks(&mut builder, place, way)),
        Spelling::ByTwoFunctions => {
            let inner = asks(&mut builder, place, way);
            let outer = |game: &Game, from| Expr::call(game, inner, vec![from], here());
            Some(asks(&mut builder, place, outer))
        }
    };
    let arms = [vec![0, 1], vec![2, 3]].map(|pieces| {
        let family = rule(&mut builder, (piece, place), asked, pieces, taken);
        (family, piece, place)
    });
    builder.game.process = builder.game.functions.len().into();
    let process = process(&builder, &arms);
    builder.function(process);
    builder.game
}

/// The rule of some pieces.
fn rule(
    builder: &mut GameBuilder,
    (piece, place): (DomainId, DomainId),
    asked: Option<FuncId>,
    pieces: Vec<u32>,
    taken: bool,
) -> FamilyId {
    let name = format!("may_go {}", pieces[0]);
    let mut function = FunctionBuilder::new(&name, Some(Type::Bool), here());
    let own = function.param("piece", Type::Elem(piece));
    let [from, to] = ["from", "to"].map(|name| function.param(name, Type::Elem(place)));
    let game = &builder.game;
    let number = |local| Expr::lookup(game, NUMBER, vec![function.get(local)], here());
    let way = match asked {
        Some(func) => Expr::call(game, func, vec![function.get(from)], here()),
        None => way(game, function.get(from)),
    };
    let stands = Expr::content(game, AT, function.get(from)).equals(function.get(own).some());
    let next = Expr::binary(BinaryOp::Add, number(from), way).equals(number(to));
    let free = Expr::content(game, AT, function.get(to)).is_some().not();
    let test = [next, free]
        .into_iter()
        .fold(stands, |all, test| Expr::binary(BinaryOp::And, all, test));
    let place_of = Expr::place_of(game, AT, Expr::local(LocalId(0), Type::Elem(piece), here()));
    let guard = builder.function(function.body(vec![Stmt::give(test)]));
    let param = |name: &str, domain, source| Param {
        name: name.to_owned(),
        ty: Type::Elem(domain),
        source,
    };
    let source = match taken {
        true => ParamSource::Is(place_of),
        false => ParamSource::All,
    };
    builder.family(Family {
        name: format!("go {}", pieces[0]),
        context: vec![],
        params: vec![
            param("piece", piece, ParamSource::Among(pieces)),
            param("from", place, source),
            param("to", place, ParamSource::All),
        ],
        guard: Some(guard),
        after: None,
        effect: None,
        rank: None,
        class: vec![],
        text: (0..3).map(TextPart::Param).collect(),
        span: here(),
    })
}

/// For ever: somebody goes.
fn process(builder: &GameBuilder, rules: &[(FamilyId, DomainId, DomainId)]) -> Function {
    let mut function = FunctionBuilder::new("process", None, here());
    let arms = rules.iter().map(|&(family, piece, place)| {
        let own = function.local("piece", Type::Elem(piece));
        let [from, to] = ["from", "to"].map(|name| function.local(name, Type::Elem(place)));
        let put = Stmt::new(
            StmtKind::Put(AT, function.get(own), function.get(to)),
            here(),
        );
        Arm {
            family,
            given: vec![],
            bind: vec![own, from, to],
            body: vec![put],
        }
    });
    let arms = arms.collect();
    let choose = StmtKind::Choose(Choose {
        players: Expr::elem(builder.game.players, 0, here()),
        arms,
        otherwise: None,
    });
    let forever = StmtKind::While {
        cond: Expr::bool(true, here()),
        bound: u32::MAX,
        body: vec![Stmt::new(choose, here())],
    };
    function.body(vec![Stmt::new(forever, here())])
}

/// Whether the rules still ask for the way of what stands somewhere.
fn asks_for_the_way(game: &Game) -> bool {
    let mut found = false;
    for function in &game.functions {
        walk_exprs(&function.body, &mut |expr| {
            found |= matches!(expr.kind, ExprKind::Lookup(WAY, _));
        });
    }
    found
}

#[test]
fn what_is_asked_of_the_piece_where_a_move_begins_is_known_of_the_pieces_of_its_rule() {
    for spelling in [
        Spelling::InTheGuard,
        Spelling::ByAFunction,
        Spelling::ByTwoFunctions,
    ] {
        let before = line(spelling, true);
        let mut after = before.clone();
        run(&mut after);
        assert!(asks_for_the_way(&before) && !asks_for_the_way(&after));
        assert_same_play("line", &before, &after, 20, 40);
    }
}

#[test]
fn of_a_place_that_the_move_does_not_take_its_piece_from_nothing_is_known() {
    let before = line(Spelling::ByAFunction, false);
    let mut after = before.clone();
    run(&mut after);
    assert!(asks_for_the_way(&after));
}

#[test]
fn what_nobody_asks_a_table_is_forgotten_wherever_it_is_asked() {
    for spelling in [
        Spelling::InTheGuard,
        Spelling::ByAFunction,
        Spelling::ByTwoFunctions,
    ] {
        for everywhere in [false, true] {
            let (game, next) = line_with_steps(spelling, everywhere);
            let mut told = game.clone();
            run(&mut told);
            let known = |game: &Game| {
                let table = game.tables.iter().find(|table| table.name == next);
                let values = table.map_or(&[][..], |table| &table.values);
                values.iter().filter(|value| **value != Const::None).count()
            };
            assert_eq!(known(&game), PLACES as usize - 1);
            let left = if everywhere { known(&game) } else { 3 };
            assert_eq!(known(&told), left);
            assert_same_play(next, &game, &told, 20, 12);
        }
    }
}

/// The line, where only three places are gone to, and each move asks what is behind its target; whether some question asks it of
/// all places.
fn line_with_steps(spelling: Spelling, everywhere: bool) -> (Game, &'static str) {
    let mut game = line(spelling, true);
    let place = game.placement(AT).places;
    let next = TableId::from(game.tables.len());
    let step = |at: u32| {
        let behind = (at + 1 < PLACES).then_some(Const::Elem(at + 1));
        behind.unwrap_or(Const::None)
    };
    game.tables.push(Table {
        name: "next".to_owned(),
        axes: vec![Axis::Domain(place)],
        ty: Type::Opt(place),
        values: (0..PLACES).map(step).collect(),
        outside: None,
        span: here(),
    });
    let behind = |game: &Game, of: Expr| Expr::lookup(game, next, vec![of], here()).is_some();
    let mut asked = None;
    if !matches!(spelling, Spelling::InTheGuard) {
        let mut function = FunctionBuilder::new("has next", Some(Type::Bool), here());
        let own = function.param("place", Type::Elem(place));
        let give = Stmt::give(behind(&game, function.get(own)));
        game.functions.push(function.body(vec![give]));
        asked = Some(FuncId::from(game.functions.len() - 1));
    }
    if let (Spelling::ByTwoFunctions, Some(inner)) = (spelling, asked) {
        let mut function = FunctionBuilder::new("may go on", Some(Type::Bool), here());
        let own = function.param("place", Type::Elem(place));
        let asks = Expr::call(&game, inner, vec![function.get(own)], here());
        game.functions.push(function.body(vec![Stmt::give(asks)]));
        asked = Some(FuncId::from(game.functions.len() - 1));
    }
    for family in 0..game.families.len() {
        game.families[family].params[2].source = ParamSource::Among(vec![1, 2, 3]);
        let Some(guard) = game.families[family].guard else {
            continue;
        };
        let to = Expr::local(LocalId(2), Type::Elem(place), here());
        let test = match asked {
            Some(func) => Expr::call(&game, func, vec![to], here()),
            None => behind(&game, to),
        };
        let reject = Stmt::give(Expr::bool(false, here()));
        let test = Stmt::branch(test.not(), vec![reject], Vec::new());
        game.functions[guard.index()].body.insert(0, test);
    }
    if everywhere {
        let all = ExprKind::Fold {
            fold: Fold::Exists,
            local: LocalId(3),
            over: Box::new(Over::Domain(place)),
            body: Box::new(behind(
                &game,
                Expr::local(LocalId(3), Type::Elem(place), here()),
            )),
        };
        let guard = game.families[0].guard.map_or(0, FuncId::index);
        let function = &mut game.functions[guard];
        function.locals.push(Local {
            name: "any".to_owned(),
            ty: Type::Elem(place),
        });
        let reject = Stmt::give(Expr::bool(false, here()));
        let some = Expr::new(all, Type::Bool, here());
        let test = Stmt::branch(some.not(), vec![reject], Vec::new());
        function.body.insert(0, test);
    }
    (game, "next")
}
