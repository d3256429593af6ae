//! Dense numbers of moves, on random games of all our rule files that need no others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rulec_compiler::{Options, Passes, compile_text};
use rulec_core::{ChanceList, Game, MoveList, Observe, Rng, Silent, Turn};
use rulec_interpreted::InterpretedGame;

/// How many numbers the moves of games have; of games that are not listed nothing is expected.
const COUNTS: &[(&str, usize)] = &[
    ("s3/tic_tac_toe.s3", 18),
    ("s3/connect_four.s3", 84),
    ("s3/gomoku.s3", 450),
];

/// At most so many.
const BOUNDS: &[(&str, usize)] = &[("bgc/chess.json", 5_000), ("s3/reversi.s3", 70)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn game(file: &str) -> InterpretedGame {
    let text = std::fs::read(folder().join(file)).expect("the rules can be read");
    let options = Options {
        passes: Passes::none(),
        ..Options::default()
    };
    let output = compile_text(file, &text, &options).expect("our games compile");
    InterpretedGame::new(output.lowered).expect("they are sound")
}

/// The rule files of some languages.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for (language, ending) in [
        ("s3", "s3"),
        ("bgm", "bgm"),
        ("bgc", "json"),
        ("bbgel", "bbgel"),
    ] {
        let entries = std::fs::read_dir(folder().join(language)).expect("the folder is there");
        for path in entries.map(|entry| entry.expect("it can be read").path()) {
            if path.extension().is_some_and(|e| e == ending) {
                let name = path.file_name().expect("a name").to_string_lossy();
                files.push(format!("{language}/{name}"));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn moves_have_as_many_numbers_as_they_need() {
    for (file, count) in COUNTS {
        assert_eq!(game(file).info().move_count, *count, "{file}");
    }
    for (file, most) in BOUNDS {
        let count = game(file).info().move_count;
        assert!(count <= *most, "{file}: {count}");
    }
}

#[test]
fn every_number_leads_back_to_itself() {
    for file in files() {
        let game = game(&file);
        let numbers = game.info().numbers;
        for number in 0..numbers.count.min(20_000) {
            let moves = numbers.moves(number);
            assert!(!moves.is_empty(), "{file}: {number}");
            for (kind, args) in moves {
                assert_eq!(
                    numbers.number(kind, &args),
                    number,
                    "{file}: {kind} {args:?}"
                );
            }
        }
    }
}

type State = <InterpretedGame as Game>::State;
type Move = <InterpretedGame as Game>::Move;

/// For each piece or place the first that is alike.
fn firsts(game: &InterpretedGame, pieces: bool) -> Vec<i64> {
    let info = game.info();
    let count = if pieces {
        info.pieces.len()
    } else {
        info.places.len()
    };
    let mut firsts: Vec<i64> = (0..count as i64).collect();
    for class in info.alike.iter().filter(|class| class.pieces == pieces) {
        for &member in class.members {
            firsts[member as usize] = i64::from(class.members[0]);
        }
    }
    firsts
}

fn legal(game: &InterpretedGame, state: &State) -> Vec<Move> {
    let mut moves = MoveList::new();
    match game.turn(state) {
        Turn::Over => {}
        Turn::Chance => {
            let mut results = ChanceList::new();
            game.chance_outcomes(state, &mut results);
            return results.as_slice().iter().map(|(mv, _)| *mv).collect();
        }
        Turn::Decide(_) => game.legal_moves(state, &mut moves).expect("no fault"),
    }
    moves.as_slice().to_vec()
}

/// The position after a move without the names of things that are alike: what stands where, how it ended, the numbers of the
/// moves there.
fn after(
    game: &InterpretedGame,
    firsts: &[Vec<i64>; 2],
    state: &State,
    mv: Move,
) -> (Vec<(i64, i64)>, String, Vec<usize>) {
    let mut next = state.clone();
    game.play(&mut next, mv, &mut Silent);
    let mut places = Vec::new();
    game.appearance(&next, &mut places);
    let first = |what: usize, number: i64| {
        let known = usize::try_from(number)
            .ok()
            .and_then(|n| firsts[what].get(n));
        known.copied().unwrap_or(number)
    };
    let stands = firsts[0].iter().zip(places);
    let mut stands: Vec<(i64, i64)> = stands.map(|(&piece, at)| (piece, first(1, at))).collect();
    stands.sort_unstable();
    let mut scores = Vec::new();
    game.scores(&next, &mut scores);
    let ended = format!(
        "{:?} {scores:?} {:?}",
        game.outcome(&next),
        game.turn(&next)
    );
    let moves = legal(game, &next);
    let mut numbers: Vec<usize> = moves.iter().map(|&mv| game.move_index(mv)).collect();
    numbers.sort_unstable();
    (stands, ended, numbers)
}

/// Moves of a position that are looked at.
const MOST: usize = 40;
/// Positions with more moves are left out: the moves after each of them are listed too.
const TOO_MANY: usize = 2_000;

#[test]
fn moves_of_one_number_lead_to_the_same() {
    let mut shared = 0;
    for file in files() {
        let game = game(&file);
        let firsts = [true, false].map(|pieces| firsts(&game, pieces));
        for seed in 0..2 {
            let mut rng = Rng::new(7, seed);
            let mut state = game.initial();
            for _ in 0..25 {
                let moves = legal(&game, &state);
                if moves.len() > TOO_MANY {
                    break;
                }
                let mut known = BTreeMap::new();
                let step = moves.len().div_ceil(MOST).max(1);
                for &mv in moves.iter().step_by(step) {
                    let mut text = String::new();
                    game.write_move(mv, &mut text);
                    let number = game.move_index(mv);
                    assert!(
                        number < game.info().move_count,
                        "{file}: {text} has no number"
                    );
                    let after = after(&game, &firsts, &state, mv);
                    let first = known.entry(number).or_insert_with(|| after.clone());
                    assert_eq!(*first, after, "{file}: {text} shares the number {number}");
                    shared += 1;
                }
                shared -= known.len();
                let Some(last) = moves.len().checked_sub(1) else {
                    break;
                };
                let mv = moves[rng.below(last as u32 + 1) as usize];
                game.play(&mut state, mv, &mut Silent);
            }
        }
    }
    assert!(shared > 1_000, "{shared} moves share a number with another");
}
