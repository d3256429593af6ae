//! What symmetries make of positions: moves, turns, ends and scores of the image are the images of those of the position, on random
//! games of our rule files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulec_compiler::{Options, Passes, compile_text};
use rulec_core::{
    ChanceList, Game, Identities, MoveArgs, MoveList, Observe, Rng, Silent, Symmetry, Turn,
};
use rulec_interpreted::InterpretedGame;

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
    let options = Options {
        passes: Passes::none(),
        ..Options::default()
    };
    let output = compile_text(file, &text, &options).expect("our games compile");
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
