//! What symmetries make of positions: moves, turns, ends and scores of the image are the images of those of the position, on random
//! games of rule files and of rules made at random; so it is where things that are alike are exchanged.

mod compared;
mod random;

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rulec_compiler::ir;
use rulec_core::{Game, Identities, Silent};
use rulec_interpreted::InterpretedGame;
use rulec_random_rules::Rules;
use serde_json::{Value, json};

use compared::{State, choices, compare, exchanges, play_image, telling, walk};
use random::lowered;

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
    "s3/frogs_sets.s3",
    "s3/river_crossing.s3",
    "s3/bridge.s3",
    "robot/tic_tac_toe.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "bgc/english_draughts.json",
    "bgc/hexguard.json",
    "bgc/international_draughts.json",
    "bgc/three_camps.json",
    "bbgel/crossroads.bbgel",
    "bbgel/errand.bbgel",
    "bbgel/goose.bbgel",
    "bbgel/ladders.bbgel",
    "bbgel/toll_race.bbgel",
    "bgm/blitz.bgm",
    "bgm/mole.bgm",
    "bgm/nim.bgm",
    "bgm/parking.bgm",
    "bgm/ring_race.bgm",
    "gs5/around.txt",
    "../compiler/tests/symmetries/pair_dominoes.s3",
    "../compiler/tests/symmetries/pushed_columns.s3",
];
/// Games of the corpus that have symmetries.
const CORPUS: &[&str] = &[
    "bbgel/worlds/rollback_gate.world",
    "bbgel/worlds/toll_road.world",
    "bgc/checkers.json",
    "bgc/intellector.json",
    "bgm/mole.bgm",
    "bgm/nim345.bgm",
    "bgm/parking.bgm",
    "bgm/tictactoe.bgm",
    "bgm/track_race.bgm",
    "s3/Alquerque/Alquerque.s3",
    "s3/Frogs/Frogs.s3",
    "s3/Frogs_2017/Frogs_2017.s3",
    "s3/Mill/Mill.s3",
    "s3/Nim/Nim.s3",
    "s3/Puzzle8/Puzzle8.s3",
    "s3/Squares/Squares.s3",
    "s3/TicTacToe/TicTacToe.s3",
];
/// Games of ours with pieces that are alike.
const ALIKE: &[&str] = &[
    "bgm/blitz.bgm",
    "bgm/hanoi.bgm",
    "bgm/parking.bgm",
    "s3/connect_four_5x4.s3",
    "s3/dots_and_boxes.s3",
    "s3/fox_and_hounds.s3",
    "s3/frogs_sets.s3",
    "s3/nine_mens_morris.s3",
    "s3/tic_tac_toe.s3",
];
const GAMES: u64 = 4;
const MOVES: usize = 30;
/// Positions of a small game that are looked at.
const MOST_POSITIONS: usize = 3_000;

/// The folder of our games.
fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// Games of the corpus that have symmetries; none where it is not there.
fn corpus() -> Vec<PathBuf> {
    let folder = match std::env::var_os("RULEC_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => games().join("../../shared/corpus"),
    };
    let all = CORPUS.iter().map(|file| folder.join(file));
    all.filter(|path| path.is_file()).collect()
}

fn game_at(path: &Path) -> InterpretedGame {
    let text = std::fs::read(path).expect("the rules can be read");
    game_of(&path.to_string_lossy(), &text)
}

fn game_of(file: &str, text: &[u8]) -> InterpretedGame {
    let rules = Rules::of(file, String::from_utf8_lossy(text).into_owned());
    let game = lowered(&rules).expect("our games compile");
    InterpretedGame::new(game).expect("they are sound")
}

#[test]
fn names_are_told_before_symmetries_are_found() {
    let text = std::fs::read(games().join("s3/tic_tac_toe.s3")).expect("the rules can be read");
    let rules = Rules::of("game.s3", String::from_utf8_lossy(&text).into_owned());
    let mut game = lowered(&rules).expect("our games compile");
    let asked = Arc::new(AtomicBool::new(false));
    let (found, known) = (asked.clone(), game.symmetries.clone());
    game.symmetries = ir::Later::by(move || {
        found.store(true, Ordering::Relaxed);
        (*known).clone()
    });
    let game = InterpretedGame::new(game).expect("it is sound");
    let about = game.about();
    assert!(!asked.load(Ordering::Relaxed));
    let info = game.info();
    assert!(asked.load(Ordering::Relaxed) && !info.symmetries.is_empty());
    assert_eq!((about.name, about.players), (info.name, info.players));
    assert_eq!((about.pieces, about.places), (info.pieces, info.places));
}

#[test]
fn what_holds_of_images_is_the_image_of_what_holds() {
    let ours = FILES.iter().map(|file| (games().join(file), GAMES));
    let others = corpus().into_iter().map(|path| (path, 1));
    for (path, count) in ours.chain(others) {
        let file = path.display().to_string();
        let game = game_at(&path);
        assert!(!game.info().symmetries.is_empty(), "{file} has symmetries");
        walk(&file, &game, count, MOVES);
    }
}

#[test]
fn pieces_that_are_alike_go_on_as_the_others_do() {
    let ours = ALIKE.iter().map(|file| games().join(file));
    for path in ours.chain(corpus()) {
        let file = path.display().to_string();
        let game = game_at(&path).interp().game().clone();
        let all = exchanges(&game);
        if !all.is_empty() {
            walk(&file, &telling(game, all), 2, MOVES);
        }
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
    let text = std::fs::read_to_string(games().join(file)).expect("the rules can be read");
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
    let chains = || {
        let figures = [
            ("black", "man", [1, 5]),
            ("black", "man", [3, 7]),
            ("black", "king", [0, 8]),
            ("white", "man", [0, 4]),
            ("white", "man", [2, 0]),
        ];
        smaller("bgc/international_draughts.json", &|[x, _]| x < 4, &figures)
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
        // Whoever can take more takes more, which is found by a loop over what can be taken.
        ("draughts with chains", chains(), 2),
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

/// Whether a position is the same as another one apart from which of several pieces that are alike is which.
fn is_the_same(game: &ir::Game, [position, other]: [&State; 2]) -> bool {
    let told = telling(game.clone(), exchanges(game));
    let future = |state: &State| {
        let mut bytes = Vec::new();
        told.identity(state, told.info().future, &mut bytes);
        bytes
    };
    let wanted = future(other);
    let mut known = BTreeSet::from([future(position)]);
    let mut open = vec![position.clone()];
    while let (Some(state), false) = (open.pop(), known.contains(&wanted)) {
        for index in 0..told.info().symmetries.len() {
            let image = told.image(&state, index).expect("nothing was noted");
            if known.len() < MOST_POSITIONS && known.insert(future(&image)) {
                open.push(image);
            }
        }
    }
    known.contains(&wanted)
}

#[test]
fn symmetries_that_keep_the_start_do() {
    let ours = FILES.iter().map(|file| games().join(file));
    for path in ours.chain(corpus()) {
        let file = path.display().to_string();
        let game = game_at(&path);
        let start = game.initial();
        for (index, symmetry) in game.info().symmetries.iter().enumerate() {
            let image = game.image(&start, index).expect("nothing was noted");
            if symmetry.fixes_start {
                let same = is_the_same(game.interp().game(), [&image, &start]);
                assert!(same, "{file}: {index}");
            }
        }
    }
}
