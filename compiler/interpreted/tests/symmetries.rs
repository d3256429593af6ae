//! What symmetries make of positions: moves, turns, ends and scores of the image are the images of those of the position, on random
//! games of our rule files.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use rulec_compiler::{Options, Passes, Without, compile_text};
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
    "s3/eight_puzzle.s3",
    "s3/frogs.s3",
    "s3/river_crossing.s3",
    "s3/bridge.s3",
    "robot/tic_tac_toe.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "bgc/english_draughts.json",
    "bgc/hexguard.json",
    "bgc/three_camps.json",
    "bbgel/crossroads.bbgel",
    "bbgel/errand.bbgel",
    "bbgel/goose.bbgel",
    "bbgel/ladders.bbgel",
    "bgm/blitz.bgm",
    "bgm/nim.bgm",
    "bgm/ring_race.bgm",
    "gs5/around.txt",
    "../compiler/tests/symmetries/pair_dominoes.s3",
    "../compiler/tests/symmetries/pushed_columns.s3",
];
const GAMES: u64 = 4;
const MOVES: usize = 30;
/// Positions of a small game that are looked at.
const MOST_POSITIONS: usize = 3_000;

fn game(file: &str) -> InterpretedGame {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read(folder.join(file)).expect("the rules can be read");
    game_of(file, &text)
}

fn game_of(file: &str, text: &[u8]) -> InterpretedGame {
    let options = Options {
        passes: Passes::none(),
        without: Without::All,
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
                let before = state.clone();
                game.play(&mut state, mv, &mut Silent);
                follow(file, &game, [&before, &state], mv);
            }
        }
    }
}

/// What can be told of a position.
fn key(game: &InterpretedGame, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.identity(state, 0, &mut bytes);
    bytes
}

/// Compares the images of the position that a move leads to with what the images of the move lead to.
fn follow(file: &str, game: &InterpretedGame, [before, after]: [&State; 2], mv: Move) {
    for (index, symmetry) in game.info().symmetries.iter().enumerate() {
        let images = [before, after].map(|state| game.image(state, index));
        let [Some(before), Some(after)] = images else {
            continue;
        };
        let played = play_image(game, &before, symmetry, mv);
        assert_eq!(key(game, &played), key(game, &after), "{file}: {index}");
    }
}

/// Cells of a game, as its rules name them.
fn cells(all: &[[i64; 2]], names: [&str; 2]) -> Value {
    let [first, second] = names;
    let cell = |[a, b]: &[i64; 2]| json!({first: a, second: b});
    all.iter().map(cell).collect()
}

/// A game of ours on some of its cells, with few figures.
fn smaller(file: &str, on: &dyn Fn([i64; 2]) -> bool, figures: &[(&str, &str, [i64; 2])]) -> Value {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read_to_string(folder.join(file)).expect("the rules can be read");
    let mut rules: Value = serde_json::from_str(&text).expect("it is JSON");
    let names = rules["cell"]["coordinates_names"].clone();
    let names = [0, 1].map(|at| names[at].as_str().expect("a name"));
    let all = rules["board"]["cells"].as_array().expect("a list").clone();
    let all = all
        .iter()
        .map(|cell| names.map(|name| cell[name].as_i64().expect("a number")));
    let all: Vec<[i64; 2]> = all.filter(|cell| on(*cell)).collect();
    rules["board"]["cells"] = cells(&all, names);
    rules["initial_position"] = json!({});
    for (player, figure, _) in figures {
        let own = figures
            .iter()
            .filter(|(p, f, _)| (p, f) == (player, figure));
        let own: Vec<[i64; 2]> = own.map(|(_, _, cell)| *cell).collect();
        rules["initial_position"][player][figure] = cells(&own, names);
    }
    rules
}

/// A game of ours on a board of other size, where figures stand in the first row and the last.
fn with_rows(file: &str, figure: &str, columns: i64, rows: i64) -> Value {
    let mut figures = Vec::new();
    for x in 0..columns {
        figures.extend([("white", figure, [x, 0]), ("black", figure, [x, rows - 1])]);
    }
    let mut rules = smaller(file, &|[x, y]| x < columns && y < rows, &figures);
    for (player, last) in [("white", rows - 1), ("black", 0)] {
        rules["win_conditions"][player][0]["filter"]["coordinates"]["y"] = last.into();
    }
    rules
}

fn small_games() -> Vec<(&'static str, Value, usize)> {
    let draughts = |y| {
        let men = [
            ("black", "man", [0, 0]),
            ("black", "man", [2, 0]),
            ("white", "man", [3, y]),
        ];
        smaller("bgc/english_draughts.json", &|[x, _]| x < 4, &men)
    };
    let is_near = |[q, r]: [i64; 2]| q.abs().max(r.abs()).max((q + r).abs()) <= 2;
    let crowns = |more: &[(&'static str, &'static str, [i64; 2])]| {
        let crowns = [("amber", "crown", [1, -2]), ("slate", "crown", [-1, 2])];
        let figures = [&crowns, more].concat();
        smaller("bgc/hexguard.json", &is_near, &figures)
    };
    let scouts = [
        ("red", "scout", [1, -2]),
        ("green", "scout", [1, 1]),
        ("blue", "scout", [-2, 1]),
    ];
    vec![
        (
            "breakthrough 2x4",
            with_rows("bgc/breakthrough.json", "man", 2, 4),
            4,
        ),
        (
            "breakthrough 3x4",
            with_rows("bgc/breakthrough.json", "man", 3, 4),
            4,
        ),
        (
            "knightthrough 3x5",
            with_rows("bgc/knightthrough.json", "knight", 3, 5),
            4,
        ),
        ("draughts 4x8", draughts(7), 2),
        ("hexguard", crowns(&[]), 24),
        (
            "hexguard with a lancer",
            crowns(&[("amber", "lancer", [0, -2])]),
            12,
        ),
        (
            "three camps",
            smaller("bgc/three_camps.json", &|_| true, &scouts),
            36,
        ),
    ]
}

#[test]
fn positions_of_small_games_have_images_that_go_on_as_they_do() {
    for (name, rules, order) in small_games() {
        let game = game_of("small.json", rules.to_string().as_bytes());
        let symmetries = &game.info().symmetries;
        assert_eq!(symmetries.len() + 1, order, "{name}");
        let key = |state: &State| {
            let mut bytes = Vec::new();
            game.identity(state, 0, &mut bytes);
            bytes
        };
        let mut known = BTreeSet::from([key(&game.initial())]);
        let mut open = VecDeque::from([game.initial()]);
        while let Some(state) = open.pop_front() {
            compare(name, &game, &state);
            let images = (0..symmetries.len()).map(|index| game.image(&state, index));
            let images: Vec<State> = images
                .map(|image| image.expect("nothing is noted"))
                .collect();
            for mv in choices(&game, &state).iter() {
                let mut next = state.clone();
                game.play(&mut next, *mv, &mut Silent);
                for (index, image) in images.iter().enumerate() {
                    let played = play_image(&game, image, &symmetries[index], *mv);
                    let image = game.image(&next, index).expect("nothing is noted");
                    assert_eq!(key(&played), key(&image), "{name}: {index}");
                }
                if known.len() < MOST_POSITIONS && known.insert(key(&next)) {
                    open.push_back(next);
                }
            }
        }
        assert!(known.len() > 100, "{name}: {} positions", known.len());
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
