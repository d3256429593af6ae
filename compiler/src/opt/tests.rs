//! Every pass keeps every game what it was.

use std::path::Path;

use super::PASSES;
use super::outline::{self, Limits};
use super::simplify::Simplifier;
use crate::diag::Diagnostics;
use crate::ir::builder::{FunctionBuilder, GameBuilder};
use crate::ir::effects::Effects;
use crate::ir::same::{placeless, same};
use crate::ir::visit::walk_block;
use crate::ir::{
    Arm, BinaryOp, Choose, Const, DomainId, Expr, ExprKind, Family, FuncId, Game, Param,
    ParamSource, Stmt, StmtKind, TextPart, Type, verify::verify,
};
use crate::lang::{Options, s3};
use crate::source::{SourceMap, Span};
use rulec_same_play::{Extent, compare};
use rulec_samples as samples;

/// Expressions of a game that are compared each with each.
const MOST_COMPARED: usize = 300;

/// Asserts that two games play the same in some random games.
pub(super) fn assert_same_play(name: &str, before: &Game, after: &Game, games: u64, moves: usize) {
    if let Err(difference) = compare(before, after, Extent::new(games, moves)) {
        panic!("{name}: {difference}");
    }
}

/// A rule whose moves name one place.
pub(super) struct PlaceRule {
    pub(super) name: String,
    pub(super) among: Vec<u32>,
    pub(super) guard: FuncId,
    pub(super) play: FuncId,
}

/// The game in which the first player makes these decisions one after the other, for ever.
pub(super) fn decided_for_ever(
    mut builder: GameBuilder,
    place: DomainId,
    decisions: Vec<Vec<PlaceRule>>,
) -> Game {
    let span = Span::default();
    let mut process = FunctionBuilder::new("process", None, span);
    let mut body = Vec::new();
    for rules in decisions {
        let mut arms = Vec::new();
        for rule in rules {
            let family = builder.family(Family {
                name: rule.name.clone(),
                context: vec![],
                params: vec![Param {
                    name: "to".to_owned(),
                    ty: Type::Elem(place),
                    source: ParamSource::Among(rule.among),
                }],
                guard: Some(rule.guard),
                after: None,
                effect: None,
                rank: None,
                class: vec![],
                text: vec![TextPart::Text(rule.name), TextPart::Param(0)],
                span,
            });
            let bound = process.local("to", Type::Elem(place));
            let given = vec![process.get(bound)];
            arms.push(Arm {
                family,
                given: vec![],
                bind: vec![bound],
                body: vec![Stmt::call(rule.play, given, None, span)],
            });
        }
        let choose = Choose {
            players: Expr::elem(builder.game.players, 0, span),
            arms,
            otherwise: None,
        };
        body.push(Stmt::new(StmtKind::Choose(choose), span));
    }
    let forever = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body,
    };
    builder.game.process = builder.game.functions.len().into();
    builder.function(process.body(vec![Stmt::new(forever, span)]));
    builder.game
}

/// Asserts that each pass alone, and all in order, leave the play of a game alone.
fn assert_harmless(name: &str, game: &Game, games: u64, moves: usize) {
    let mut all = game.clone();
    for pass in PASSES {
        let mut alone = game.clone();
        (pass.run)(&mut alone);
        assert_same_play(
            &format!("{name}, {}", pass.name),
            game,
            &alone,
            games,
            moves,
        );
        (pass.run)(&mut all);
        if let Err(errors) = verify(&all) {
            panic!("{name} after {}: {errors:#?}", pass.name);
        }
    }
    assert_same_play(&format!("{name}, all passes"), game, &all, games, moves);
}

/// The bundled games of a language that has texts, by file name.
fn bundled() -> Vec<(String, Game)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/s3");
    let files = std::fs::read_dir(folder).expect("a folder of games");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "s3"));
    paths.sort();
    let game = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a readable file");
        (name.clone().into_owned(), lowered(&name, &text))
    };
    paths.iter().map(game).collect()
}

/// The game of a text.
fn lowered(name: &str, text: &str) -> Game {
    let mut sources = SourceMap::new();
    let id = sources.add(name, text.as_bytes()).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let file = sources.get(id).expect("it was added");
    let tree = s3::load(file, &options, &mut diagnostics).expect("a sound game");
    s3::lower(&tree, &sources, &mut diagnostics).expect("a game that lowers")
}

/// Bundled games with other rules in the place of some: mistakes that nothing asks for, and recursions that end at their first call, late,
/// too late, after work, or going the other way.
const CHANGED: &[(&str, &str, &str)] = &[
    (
        "frogs.s3",
        "  $L == ($K + $DIRECTION)\n",
        "  $UNASKED = (6 / ($K - 2))\n  $L == ($K + $DIRECTION)\n",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  AllStuck(1)\nEND\n\nAllStuck($I)\n  IF($I > 4, true, Stuck)\nEND\n\nStuck\n  NOT HoundFree(\"h($I)\")\n  AllStuck($I + 1)",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  AllStuck(4)\nEND\n\nAllStuck($I)\n  NOT HoundFree(\"h($I)\")\n  ($I == 1) OR AllStuck($I - 1)",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  AllStuck(5)\nEND\n\nAllStuck($I)\n  ($I > 4) OR ((NOT HoundFree(\"h($I)\")) AND AllStuck($I + 1))",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  Late(1)\nEND\n\nLate($I)\n  $I < 512\n  Late($I + 1)",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  Late(1)\nEND\n\nLate($I)\n  $I < 513\n  Late($I + 1)",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  Never(1)\nEND\n\nNever($I)\n  $I != 0\n  Never($I + 1)",
    ),
    (
        "fox_and_hounds.s3",
        HOUNDS,
        "  $SUM = 0\n  Adds(3)\n  $SUM == 5\nEND\n\nAdds($I)\n  $SUM = ($SUM + INDEXA(2, LOCATION(\"h($I)\")))\n  IF($I < 2, true, More)\nEND\n\nMore\n  $SUM = ($SUM - INDEXA(1, LOCATION(\"h($I)\")))\n  Adds($I - 1)",
    ),
];

/// What a bundled game asks of its hounds.
const HOUNDS: &str = "  FORALL($I, 1, 4, NOT HoundFree(\"h($I)\"))";

#[test]
fn changed_rules_stay_what_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/s3");
    for (name, from, to) in CHANGED {
        let text = std::fs::read_to_string(folder.join(name)).expect("a readable file");
        assert!(text.contains(from), "{name}: {from}");
        assert_harmless(
            &format!("{name}: {to}"),
            &lowered(name, &text.replace(from, to)),
            4,
            60,
        );
    }
}

#[test]
fn samples_stay_what_they_are() {
    for (name, game) in samples::all() {
        assert_harmless(name, &game, 8, 40);
    }
}

#[test]
fn bundled_games_stay_what_they_are() {
    for (name, game) in bundled() {
        assert_harmless(&name, &game, 1, 60);
    }
}

#[test]
fn lines_need_no_loops() {
    let mut found = 0;
    for (name, mut game) in bundled() {
        if !["connect_four.s3", "gomoku.s3", "tic_tac_toe.s3"].contains(&&*name) {
            continue;
        }
        found += 1;
        PASSES.iter().for_each(|pass| (pass.run)(&mut game));
        let functions = (0..).map(crate::ir::FuncId::from).zip(&game.functions);
        for (_, function) in functions.filter(|(id, _)| *id != game.process) {
            walk_block(&function.body, &mut |stmt| {
                let repeats = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Fault(_));
                assert!(!repeats, "{name}: {}", function.name);
            });
        }
    }
    assert_eq!(found, 3);
}

#[test]
fn what_runs_every_time_is_the_same_every_time() {
    for (name, game) in samples::all()
        .into_iter()
        .map(|(name, game)| (name.to_owned(), game))
        .chain(bundled())
    {
        let compiled = || {
            let mut game = game.clone();
            PASSES.iter().for_each(|pass| (pass.run)(&mut game));
            game
        };
        assert_eq!(compiled(), compiled(), "{name}");
    }
}

#[test]
fn bodies_taken_apart_do_what_they_did() {
    let games = samples::all()
        .into_iter()
        .map(|(name, game)| (name.to_owned(), game));
    let random = (1000..1030).map(|seed| (format!("random {seed}"), samples::random_game(seed)));
    let limits = Limits { most: 20, least: 8 };
    let (mut parts, mut stopping) = (0, 0);
    for (name, game) in games.chain(random) {
        let mut whole = game.clone();
        super::suspend::run(&mut whole);
        let mut apart = whole.clone();
        outline::run_within(&mut apart, limits);
        if let Err(errors) = verify(&apart) {
            panic!("{name}: {errors:#?}");
        }
        parts += apart.functions.len() - whole.functions.len();
        for function in &apart.functions[whole.functions.len()..] {
            walk_block(&function.body, &mut |stmt| {
                stopping += usize::from(matches!(stmt.kind, StmtKind::Stop(_)));
            });
        }
        assert_same_play(&name, &game, &apart, 3, 25);
    }
    assert!(parts > 20 && stopping > 20, "{parts} {stopping}");
}

#[test]
#[should_panic(expected = "legal moves")]
fn a_pass_that_loses_moves_is_noticed() {
    let game = samples::by_name("tic-tac-toe").expect("a sample of this name");
    let mut broken = game.clone();
    let guard = game.families[0].guard.expect("a guard");
    let never = Expr::bool(false, game.function(guard).span);
    broken.functions[guard.index()].body = vec![Stmt::give(never)];
    assert_same_play("broken", &game, &broken, 1, 5);
}

#[test]
fn random_games_stay_what_they_are() {
    // The environment may ask for others, or more of them.
    let asked = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    let first: u64 = asked("RULEC_FIRST_SEED").unwrap_or(0);
    let count: u64 = asked("RULEC_SEEDS").unwrap_or(120);
    for seed in first..first.saturating_add(count) {
        assert_harmless(
            &format!("random {seed}"),
            &samples::random_game(seed),
            3,
            25,
        );
    }
}

/// A bundled game after all passes but those that change the form of functions.
fn passed(name: &str) -> Game {
    let mut games = bundled().into_iter();
    let (_, mut game) = games.find(|(other, _)| other == name).expect("a game");
    for pass in PASSES.iter().take_while(|pass| pass.name != "suspend") {
        (pass.run)(&mut game);
    }
    game
}

/// The functions that guards ask, themselves included.
fn asked_by_guards(game: &Game) -> Vec<&crate::ir::Function> {
    let effects = crate::ir::effects::Effects::of(game);
    let guards = game.families.iter().filter_map(|family| family.guard);
    let all = guards.flat_map(|guard| effects.reaches(guard).iter().copied().chain([guard]));
    all.map(|func| game.function(func)).collect()
}

#[test]
fn walks_are_taken_from_all_places_at_once() {
    let game = passed("reversi.s3");
    for function in asked_by_guards(&game) {
        walk_block(&function.body, &mut |stmt| {
            let loops = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
            assert!(!loops, "{}", function.name);
        });
    }
}

#[test]
fn neighbours_are_rows_of_a_table() {
    let game = passed("nine_mens_morris.s3");
    let asked = asked_by_guards(&game);
    let names: Vec<&str> = asked.iter().map(|f| f.name.as_str()).collect();
    assert!(!names.contains(&"Joined"), "{names:?}");
    let pairs = game
        .tables
        .iter()
        .any(|table| table.name == "pairs of move_guard");
    assert!(pairs);
}

/// A set of places is asked once whether it meets several constant ones, however that is put together.
#[test]
fn meeting_one_of_several_sets_is_one_question() {
    let span = Span::default();
    let mut builder = GameBuilder::new("meeting", "none", &["a", "b"]);
    let names = ["x", "y", "z", "w"].map(str::to_owned).to_vec();
    let place = builder.names("Place", names, span);
    let ty = Type::Set(place);
    let set = |members: &[u32]| Expr::constant(Const::Set(members.to_vec()), ty.clone(), span);
    let marked = builder.var(
        "marked",
        Vec::new(),
        ty.clone(),
        Const::Set(Vec::new()),
        span,
    );
    let marked = Expr::var(&builder.game, marked, Vec::new(), span);
    let meets = |asked: BinaryOp, members: &[u32]| {
        let met = Expr::binary(BinaryOp::Intersect, marked.clone(), set(members));
        Expr::binary(asked, met, set(&[]))
    };
    let [x, y, z] = [&[0][..], &[1], &[1, 2]].map(|members| meets(BinaryOp::Ne, members));
    let [no_x, no_y] = [&[0][..], &[1, 2]].map(|members| meets(BinaryOp::Eq, members));
    let spelled = [
        x.clone().or(y.clone()).or(z.clone()),
        z.clone().or(x.clone().or(y)),
        no_x.and(no_y).not(),
    ];
    let effects = Effects::of(&builder.game);
    let simplifier = Simplifier {
        game: &builder.game,
        effects: &effects,
    };
    for mut expr in spelled {
        simplifier.expr(&mut expr);
        assert!(same(&expr, &meets(BinaryOp::Ne, &[0, 1, 2])), "{expr:?}");
    }
    // Another set, or what is asked before, stays.
    let mut expr = Expr::bool(true, span).not().or(x.clone()).and(z);
    simplifier.expr(&mut expr);
    assert!(matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..)));
}

#[test]
fn expressions_are_the_same_that_differ_in_their_places_alone() {
    let games = samples::all().into_iter();
    let games = games.chain((0..20).map(|seed| ("random", samples::random_game(seed))));
    for (name, game) in games {
        let mut all: Vec<Expr> = Vec::new();
        crate::ir::walk::walk_all(&game, &mut |expr| all.push(expr.clone()));
        all.truncate(MOST_COMPARED);
        let plain: Vec<Expr> = all.iter().map(placeless).collect();
        for (a, plain_a) in all.iter().zip(&plain) {
            assert!(same(a, plain_a), "{name}: {a:?}");
            for (b, plain_b) in all.iter().zip(&plain) {
                assert_eq!(same(a, b), plain_a == plain_b, "{name}: {a:?} and {b:?}");
            }
        }
    }
}
