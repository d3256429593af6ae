//! What symmetries make of positions: moves, turns, ends and scores of the image are the images of those of the position, on random
//! games of our rule files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulec_compiler::{Options, Passes, compile_text};
use rulec_core::{
    ChanceList, Game, Identities, MoveArgs, MoveList, Observe, Rng, Silent, Symmetry, Turn,
};
use rulec_interpreted::InterpretedGame;
use serde_json::{Value, json};

/// Games of all languages that have symmetries, random games of each, and moves of a game.
const FILES: &[&str] = &[
    "s3/tic_tac_toe.s3",
    "s3/connect_four.s3",
    "s3/connect_four_5x4.s3",
    "s3/connect_four_5x5.s3",
    "s3/gomoku.s3",
    "s3/reversi.s3",
    "s3/nine_mens_morris.s3",
    "s3/dots_and_boxes.s3",
    "s3/frogs.s3",
    "s3/river_crossing.s3",
    "s3/bridge.s3",
    "robot/tic_tac_toe.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "bgm/blitz.bgm",
    "bgm/nim.bgm",
];
const GAMES: u64 = 4;
const MOVES: usize = 30;

fn game(file: &str) -> InterpretedGame {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read(folder.join(file)).expect("the rules can be read");
    game_of(file, &text)
}

fn game_of(file: &str, text: &[u8]) -> InterpretedGame {
    let options = Options {
        passes: Passes::none(),
        ..Options::default()
    };
    let output = compile_text(file, text, &options).expect("our games compile");
    InterpretedGame::new(output.lowered).expect("they are sound")
}

type State = <InterpretedGame as Game>::State;
type Move = <InterpretedGame as Game>::Move;

/// What can happen in a position.
fn choices(game: &InterpretedGame, state: &State) -> MoveList<Move> {
    let mut moves = MoveList::new();
    match game.turn(state) {
        Turn::Over => {}
        Turn::Chance => {
            let mut results = ChanceList::new();
            game.chance_outcomes(state, &mut results);
            moves.extend(results.iter().map(|(mv, _)| *mv));
        }
        Turn::Decide(_) => {
            let listed = game.legal_moves(state, &mut moves);
            assert!(listed.is_ok());
        }
    }
    moves
}

/// Families and arguments of what can happen, under a symmetry.
fn told(
    game: &InterpretedGame,
    state: &State,
    symmetry: Option<&Symmetry>,
) -> BTreeSet<(usize, Vec<i64>)> {
    let one = |mv: &Move| {
        let mut args = Vec::new();
        let mut family = game.move_args(*mv, &mut args);
        if let Some(symmetry) = symmetry {
            family = symmetry.move_args(family, &mut args);
        }
        (family, args)
    };
    choices(game, state).iter().map(one).collect()
}

fn seen(game: &InterpretedGame, state: &State) -> Vec<i64> {
    let mut values = Vec::new();
    game.observe(state, &mut values);
    values
}

/// Whether a player is to decide.
fn acts(game: &InterpretedGame, state: &State, player: usize) -> bool {
    match game.turn(state) {
        Turn::Decide(players) => players >> player & 1 == 1,
        Turn::Over | Turn::Chance => false,
    }
}

fn scores(game: &InterpretedGame, state: &State) -> Vec<i64> {
    let mut scores = Vec::new();
    game.scores(state, &mut scores);
    scores
}

fn compare(file: &str, game: &InterpretedGame, state: &State) {
    let info = game.info();
    for (index, symmetry) in info.symmetries.iter().enumerate() {
        let Some(image) = game.image(state, index) else {
            continue;
        };
        assert_eq!(
            told(game, &image, None),
            told(game, state, Some(symmetry)),
            "{file}: moves under {index}"
        );
        let players = (0..info.players.len()).collect::<Vec<_>>();
        let turn = players
            .iter()
            .map(|&player| (symmetry.player(player), acts(game, state, player)));
        let of_image = players
            .iter()
            .map(|&player| (player, acts(game, &image, player)));
        assert_eq!(
            of_image.collect::<BTreeSet<_>>(),
            turn.collect::<BTreeSet<_>>(),
            "{file}: turns under {index}"
        );
        let (before, after) = (scores(game, state), scores(game, &image));
        for (player, score) in before.iter().enumerate() {
            let of_image = after.get(symmetry.player(player));
            assert_eq!(of_image, Some(score), "{file}: scores under {index}");
        }
        let winners = game.outcome(state).map(|outcome| {
            let all = (0..64).filter(|player| outcome.winners >> player & 1 == 1);
            let all = all.map(|player| 1_u64 << symmetry.player(player));
            (outcome.reason, all.fold(0, |set, player| set | player))
        });
        let of_image = game.outcome(&image).map(|o| (o.reason, o.winners));
        assert_eq!(of_image, winners, "{file}: ends under {index}");
        if let Some(planes) = symmetry.planes(info.planes, &seen(game, state)) {
            assert_eq!(seen(game, &image), planes, "{file}: planes under {index}");
        }
    }
}

#[test]
fn what_holds_of_images_is_the_image_of_what_holds() {
    for file in FILES {
        let game = game(file);
        assert!(!game.info().symmetries.is_empty(), "{file} has symmetries");
        for stream in 0..GAMES {
            let mut rng = Rng::new(7, stream);
            let mut state = game.initial();
            for _ in 0..MOVES {
                compare(file, &game, &state);
                let moves = choices(&game, &state);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut state, mv, &mut Silent);
            }
        }
    }
}

/// A game of ours on a board of other size, where figures stand in the first row and the last.
fn on_a_small_board(file: &str, figure: &str, columns: usize, rows: usize) -> Vec<u8> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read_to_string(folder.join(file)).expect("the rules can be read");
    let mut rules: Value = serde_json::from_str(&text).expect("it is JSON");
    let row = |y: usize| (0..columns).map(move |x| json!({"x": x, "y": y}));
    rules["board"]["cells"] = (0..rows).flat_map(row).collect();
    for (player, own, other) in [("white", 0, rows - 1), ("black", rows - 1, 0)] {
        rules["initial_position"][player][figure] = row(own).collect();
        rules["win_conditions"][player][0]["filter"]["coordinates"]["y"] = other.into();
    }
    rules.to_string().into_bytes()
}

#[test]
fn every_position_of_small_games_has_images_that_go_on_as_it_does() {
    for (file, figure, columns, rows, order) in [
        ("bgc/breakthrough.json", "man", 2, 4, 4),
        ("bgc/breakthrough.json", "man", 3, 4, 4),
        ("bgc/knightthrough.json", "knight", 3, 5, 4),
    ] {
        let game = game_of(file, &on_a_small_board(file, figure, columns, rows));
        let symmetries = &game.info().symmetries;
        assert_eq!(symmetries.len() + 1, order, "{file}");
        let key = |state: &State| {
            let mut bytes = Vec::new();
            game.identity(state, 0, &mut bytes);
            bytes
        };
        let mut known = BTreeSet::from([key(&game.initial())]);
        let mut open = vec![game.initial()];
        while let Some(state) = open.pop() {
            compare(file, &game, &state);
            let images: Vec<State> = (0..symmetries.len())
                .filter_map(|index| game.image(&state, index))
                .collect();
            assert_eq!(images.len(), symmetries.len());
            for mv in choices(&game, &state).iter() {
                let mut next = state.clone();
                game.play(&mut next, *mv, &mut Silent);
                for (index, image) in images.iter().enumerate() {
                    let played = play_image(&game, image, &symmetries[index], *mv);
                    let image = game.image(&next, index).expect("nothing was noted");
                    assert_eq!(key(&played), key(&image), "{file}: {index}");
                }
                if known.insert(key(&next)) {
                    open.push(next);
                }
            }
        }
        assert!(known.len() > 100, "{file}: {} positions", known.len());
    }
}

/// The position after the image of a move.
fn play_image(game: &InterpretedGame, image: &State, symmetry: &Symmetry, mv: Move) -> State {
    let mut args = Vec::new();
    let family = game.move_args(mv, &mut args);
    let wanted = (symmetry.move_args(family, &mut args), args);
    let moves = choices(game, image);
    let found = moves.iter().find(|mv| {
        let mut args = Vec::new();
        (game.move_args(**mv, &mut args), args) == wanted
    });
    let mut played = image.clone();
    game.play(&mut played, *found.expect("it is legal"), &mut Silent);
    played
}

#[test]
fn symmetries_that_keep_the_start_do() {
    // In blitz the start comes back with other ones of the cards that are alike, which its identities tell apart.
    for file in FILES.iter().filter(|file| **file != "bgm/blitz.bgm") {
        let game = game(file);
        let bytes = |state: &State| {
            let mut bytes = Vec::new();
            game.identity(state, game.info().future, &mut bytes);
            bytes
        };
        let start = game.initial();
        for (index, symmetry) in game.info().symmetries.iter().enumerate() {
            let image = game.image(&start, index).expect("nothing was noted");
            if symmetry.fixes_start {
                assert_eq!(bytes(&image), bytes(&start), "{file}: {index}");
            }
        }
    }
}
