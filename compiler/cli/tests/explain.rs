//! Reasons: for every illegal move of random positions there is one, and the condition that it names comes to the same
//! when it is evaluated by itself.

use std::path::Path;

use rulec_cli::Rules;
use rulec_cli::interpreted::{Explainer, InterpretedGame, reasons};
use rulec_compiler::ir::{Placement, PlacementForm};
use rulec_core::{ChanceList, Game, Lack, MoveList, Notation, Rng, Silent, Turn, Wish};

/// A position after so many random moves, or the last one in which somebody decides.
fn position(game: &InterpretedGame, rng: &mut Rng, moves: u64) -> <InterpretedGame as Game>::State {
    let mut state = game.initial();
    let mut last = state.clone();
    for _ in 0..=moves {
        let mv = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let mut results = ChanceList::new();
                game.chance_outcomes(&state, &mut results);
                results.draw(rng)
            }
            Turn::Decide(_) => {
                last = state.clone();
                let mut legal = MoveList::new();
                game.legal_moves(&state, &mut legal).expect("no fault");
                let at = rng.below64(legal.len() as u64) as usize;
                legal.get(at).copied()
            }
        };
        let Some(mv) = mv else { break };
        game.play(&mut state, mv, &mut Silent);
    }
    last
}

/// Things that a hand can point at: pieces with a place, or places, and where to.
fn wishes(placement: &Placement, pieces: usize, places: usize) -> Vec<[(u32, u32); 2]> {
    let from = match placement.form {
        PlacementForm::Anonymous => (placement.places.0, places),
        _ => (placement.pieces.0, pieces),
    };
    let all =
        (0..from.1 as u32).flat_map(|piece| (0..places as u32).map(move |place| (piece, place)));
    all.map(|(piece, place)| [(from.0, piece), (placement.places.0, place)])
        .collect()
}

fn check(name: &str, states: u64, each: usize) -> (usize, usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(name);
    let rules = Rules::open(&file, "none").expect("the file can be read");
    let game =
        InterpretedGame::new(rules.output.expect("it compiles").lowered).expect("it is sound");
    let program = game.interp().game().clone();
    let (mut told, mut legal) = (0, 0);
    let mut rng = Rng::new(11, 0);
    let begun = std::time::Instant::now();
    for number in 0..states {
        let state = position(&game, &mut rng, number % 40);
        let mut explainer = Explainer::new(&game, &state);
        let mut all = Vec::new();
        match (program.placements.first(), &program.episode) {
            (Some(placement), None) => {
                let count = |domain| program.domain(domain).len();
                all = wishes(placement, count(placement.pieces), count(placement.places));
            }
            _ => {
                let family = &program.families[0];
                let domain = |at: usize| match family.params.get(at).map(|param| &param.ty) {
                    Some(rulec_compiler::ir::Type::Elem(domain)) => {
                        (domain.0, program.domain(*domain).len() as u32)
                    }
                    _ => (0, 0),
                };
                let (a, b) = (domain(0), domain(1));
                for first in 0..a.1 {
                    all.extend((0..b.1).map(|second| [(a.0, first), (b.0, second)]));
                }
            }
        }
        // A sample, or everything.
        let stride = (all.len() / each).max(1);
        let offset = (number as usize * 7) % stride;
        for wish in all.iter().skip(offset).step_by(stride) {
            let reason = explainer.explain(Wish::Naming(wish));
            let shown = || {
                let state = game.interp().state_text(&state);
                format!("{name} {wish:?} in {state}: {reason:?}")
            };
            assert!(!reason.condition.is_empty(), "{}", shown());
            assert!(reason.confirmed, "{}", shown());
            match reason.kind {
                "legal" => {
                    let mut moves = MoveList::new();
                    game.legal_moves(&state, &mut moves).expect("no fault");
                    let mut text = String::new();
                    let known = moves.iter().any(|&mv| {
                        text.clear();
                        game.write_move_in(&state, mv, &mut text);
                        text == reason.mv
                    });
                    assert!(known, "{}", shown());
                    legal += 1;
                }
                "no-candidate" | "condition" | "after" | "rank" => {
                    assert!(
                        !reason.family.is_empty() && reason.origin.contains(':'),
                        "{}",
                        shown()
                    );
                    told += 1;
                }
                "not-a-move" => told += 1,
                _ => panic!("{}", shown()),
            }
        }
    }
    eprintln!(
        "{name}: {told} reasons, {legal} legal, in {states} positions, {:.1?}",
        begun.elapsed()
    );
    (told, legal)
}

#[test]
fn illegal_moves_have_reasons_that_hold() {
    let long = std::env::var_os("RULEC_LONG").is_some();
    let (states, each) = if long { (200, usize::MAX) } else { (12, 60) };
    for name in [
        "s3/frogs.s3",
        "s3/tic_tac_toe.s3",
        "bgc/english_draughts.json",
        "bgc/chess.json",
        "bgm/couriers.bgm",
        "gs5/patience.csv",
    ] {
        let (told, legal) = check(name, states, each);
        assert!(told > 0 && legal > 0, "{name}: {told} {legal}");
    }
}

/// The reason for a wish at the start of a game, or after moves.
fn reason(name: &str, after: &[&str], wish: &str) -> rulec_core::Refusal {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(name);
    let rules = Rules::open(&file, "none").expect("the file can be read");
    let game =
        InterpretedGame::new(rules.output.expect("it compiles").lowered).expect("it is sound");
    let mut state = game.initial();
    for text in after {
        let mut moves = MoveList::new();
        game.legal_moves(&state, &mut moves).expect("no fault");
        let called = |mv: &&_| game.interp().move_text(**mv) == **text;
        let mv = *moves.iter().find(called).expect("a legal move");
        game.play(&mut state, mv, &mut Silent);
    }
    Explainer::new(&game, &state).explain(Wish::Text(wish))
}

#[test]
fn reasons_tell_what_legal_moves_do_and_where_else_pieces_can_go() {
    let turns = reason("s3/reversi.s3", &[], "d(1) pool(1) b(1,1)");
    assert!(matches!(turns.lacks, Some(Lack::Changes(_))), "{turns:?}");
    assert_eq!(turns.instead.len(), 4, "{turns:?}");
    assert!(turns.within.starts_with(&["MayPlace".to_owned()]) && turns.cases > 1);
    let takes = reason(
        "bgc/english_draughts.json",
        &["2,2 3,3", "1,5 2,4"],
        "6,2 7,3",
    );
    assert_eq!(takes.kind, "rank");
    assert!(matches!(takes.lacks, Some(Lack::Takes(_))), "{takes:?}");
    // Moves of another family of the same form count too.
    let pawn = reason("bgc/chess.json", &[], "4,1 3,2");
    assert_eq!(pawn.instead, ["4,3", "4,2"]);
    let told = reason("bgm/couriers.bgm", &[], "ann Load Crate@depot wagon");
    assert_eq!((told.kind, told.family.as_str()), ("condition", "Load"));
}

/// What a compiled game with reasons asks: the program as JSON and positions as text come to the same.
#[test]
fn reasons_of_compiled_games_are_those_of_the_interpreter() {
    for (name, texts) in [
        ("s3/frogs.s3", ["gf(1) s(1) s(2)", "gf(3) s(3) s(4)", "fly"]),
        (
            "bgc/english_draughts.json",
            ["0,0 1,1", "2,2 3,3", "5,5 5,5"],
        ),
        (
            "bgm/couriers.bgm",
            ["ann Pack Parcel#1 Crate@depot", "ann Fly", ""],
        ),
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../games")
            .join(name);
        let rules = Rules::open(&file, "none").expect("the file can be read");
        let program = rules.output.expect("it compiles").lowered;
        let text = serde_json::to_string(&program).expect("JSON");
        let reasons = reasons(&text, "[[\"a\", \"b\"]]").expect("it can be read");
        assert_eq!(reasons.sources, [("a".to_owned(), "b".to_owned())]);
        let game = InterpretedGame::new(program).expect("it is sound");
        let mut rng = Rng::new(5, 0);
        for moves in 0..12 {
            let state = position(&game, &mut rng, moves);
            let told = game.interp().state_text(&state);
            let mut explainer = Explainer::new(&game, &state);
            let named = [(0, moves as u32 % 4), (1, 1)];
            let wishes = texts.map(Wish::Text).into_iter();
            for wish in wishes.chain([Wish::Naming(&named), Wish::Naming(&named[..1])]) {
                let other = (reasons.tell)(&told, wish);
                assert_eq!(
                    other,
                    Some(explainer.explain(wish)),
                    "{name}: {wish:?} in {told}"
                );
            }
        }
        assert_eq!((reasons.tell)("no position", Wish::Text("")), None);
    }
    assert!(reasons("{}", "[]").is_err());
}
