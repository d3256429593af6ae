//! What is made of symmetries, on games of our rule files: samples of images are the samples of the image of a game, and searches that
//! use symmetries find what others find.

use std::path::Path;

use rulec_compiler::pipeline::{Options, compile_text};
use rulec_core::{
    ChanceList, ChoiceSet, Game, Identities, MoveList, Observe, Outcome, Rng, Silent, StateText,
    Turn,
};
use rulec_quick::QuickGame;
use rulec_search::explore::{ExploreLimits, Keep};
use rulec_search::orbit::{Mirrors, Orbits};
use rulec_search::search::{Method, SearchReport, SearchSettings};
use rulec_search::selfplay::{Images, Samples, cell_bytes};
use rulec_search::{State, start};

/// Games of all languages that have symmetries.
const FILES: &[&str] = &[
    "s3/tic_tac_toe.s3",
    "s3/connect_four.s3",
    "s3/connect_four_5x4.s3",
    "s3/connect_four_5x5.s3",
    "s3/gomoku.s3",
    "s3/reversi.s3",
    "s3/dots_and_boxes.s3",
    "s3/frogs.s3",
    "s3/river_crossing.s3",
    "s3/bridge.s3",
    "s3/nim.s3",
    "robot/tic_tac_toe.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "bgc/three_camps.json",
    "bgm/blitz.bgm",
    "bgm/nim.bgm",
    "bgm/parking.bgm",
];

/// Random games of each, and moves of a game.
const GAMES: u64 = 2;
const MOVES: usize = 14;

fn rules(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(file);
    std::fs::read(path).expect("the rules can be read")
}

fn game(file: &str) -> QuickGame {
    game_of(file, &rules(file))
}

fn game_of(file: &str, text: &[u8]) -> QuickGame {
    let options = Options::default();
    let output = compile_text(file, text, &options).expect("our games compile");
    QuickGame::new(output.game).expect("our games run quickly")
}

type Position = <QuickGame as Game>::State;
type Move = <QuickGame as Game>::Move;

/// What can happen in a position.
fn choices(game: &QuickGame, state: &Position, set: ChoiceSet) -> Vec<Move> {
    let mut moves = MoveList::new();
    match game.turn(state) {
        Turn::Over => {}
        Turn::Chance => {
            let mut results = ChanceList::new();
            game.chance_outcomes(state, &mut results);
            return results.iter().map(|(mv, _)| *mv).collect();
        }
        Turn::Decide(_) => {
            let listed = match set {
                ChoiceSet::All => game.legal_moves(state, &mut moves),
                ChoiceSet::Distinct => game.distinct_moves(state, &mut moves),
            };
            assert!(listed.is_ok());
        }
    }
    moves.iter().copied().collect()
}

fn after(game: &QuickGame, state: &Position, mv: Move) -> Position {
    let mut next = state.clone();
    game.play(&mut next, mv, &mut Silent);
    next
}

/// Appends the sample of a position and of the move that is played there, as self-play does without a search.
fn sample(game: &QuickGame, state: &Position, played: Move, out: &mut Samples) {
    let index = |mv: Move| u32::try_from(game.move_index(mv)).expect("moves have numbers");
    let moves = choices(game, state, ChoiceSet::Distinct);
    let mut moves: Vec<u32> = moves.into_iter().map(index).collect();
    moves.sort_unstable();
    moves.dedup();
    let mut cells = Vec::new();
    game.observe(state, &mut cells);
    out.planes.resize(game.info().planes.len(), Vec::new());
    let mut rest = &cells[..];
    for (plane, bytes) in game.info().planes.iter().zip(&mut out.planes) {
        let (own, others) = rest.split_at(plane.cells);
        rest = others;
        for value in own {
            bytes.extend(&value.to_le_bytes()[..cell_bytes(plane)]);
        }
    }
    out.game.push(0);
    out.player
        .push(game.player(state).expect("somebody moves") as u8);
    out.played.push(index(played));
    out.searched.push(0.5);
    out.choices.push(moves.len() as u32);
    let visits = moves.iter().map(|mv| u32::from(*mv == index(played)));
    out.visits.extend(visits);
    out.moves.extend(moves);
}

/// Tells of all samples how the game ended.
fn end(samples: &mut Samples, outcome: Option<Outcome>) {
    let values = samples.player.iter().map(|player| match outcome {
        Some(outcome) => outcome.payoff(usize::from(*player)) as f32,
        None => 0.5,
    });
    samples.value = values.collect();
    samples.plies_left = (1..=samples.len() as u32).rev().collect();
}

/// The samples of a random game and of its image under each symmetry, of which the moves are those that lead to the
/// images of its positions.
fn played(game: &QuickGame, images: &[usize], stream: u64) -> (Samples, Vec<Samples>) {
    let info = game.info();
    let mut rng = Rng::new(11, stream);
    let mut state = game.initial();
    let mut own = Samples::default();
    let mut others = vec![Samples::default(); images.len()];
    for _ in 0..MOVES {
        let moves = choices(game, &state, ChoiceSet::Distinct);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let next = after(game, &state, mv);
        if game.turn(&state) != Turn::Chance {
            sample(game, &state, mv, &mut own);
            for (&symmetry, other) in images.iter().zip(&mut others) {
                let image = game.image(&state, symmetry).expect("nothing was noted");
                let wanted = game.image(&next, symmetry).expect("nothing was noted");
                let number = info.symmetries[symmetry]
                    .number(info.numbers, game.move_index(mv))
                    .expect("moves have numbers");
                let fits = |mv: &Move| {
                    game.move_index(*mv) == number && after(game, &image, *mv) == wanted
                };
                let moves = choices(game, &image, ChoiceSet::All);
                let found = moves.into_iter().find(fits);
                sample(game, &image, found.expect("the image of a move"), other);
            }
        }
        state = next;
    }
    for (&symmetry, other) in images.iter().zip(&mut others) {
        let image = game.image(&state, symmetry).expect("nothing was noted");
        end(other, game.outcome(&image));
    }
    end(&mut own, game.outcome(&state));
    (own, others)
}

/// The rows of samples as they can be compared: without the order of moves.
fn rows(game: &QuickGame, samples: &Samples) -> Vec<String> {
    let mut entry = 0;
    let row = |at: usize| {
        let entries = entry..entry + samples.choices[at] as usize;
        entry = entries.end;
        let visits = &samples.visits[entries.clone()];
        let mut policy: Vec<(u32, u32)> = samples.moves[entries]
            .iter()
            .copied()
            .zip(visits.iter().copied())
            .collect();
        policy.sort_unstable();
        let planes = game.info().planes.iter().zip(&samples.planes);
        let planes: Vec<&[u8]> = planes
            .map(|(plane, bytes)| {
                let width = plane.cells * cell_bytes(plane);
                &bytes[at * width..(at + 1) * width]
            })
            .collect();
        format!(
            "player {} value {} left {} played {} policy {policy:?} planes {planes:?}",
            samples.player[at], samples.value[at], samples.plies_left[at], samples.played[at]
        )
    };
    (0..samples.len()).map(row).collect()
}

#[test]
fn images_of_samples_are_the_samples_of_the_image_of_the_game() {
    for file in FILES {
        let game = game(file);
        let images = Images::of(game.info());
        let told = game.info().symmetries.iter().enumerate();
        let told = told.filter(|(_, by)| by.planes.len() == game.info().planes.len());
        let symmetries: Vec<usize> = told.map(|(at, _)| at).collect();
        assert!(!symmetries.is_empty(), "{file}");
        assert_eq!(images.each(), symmetries.len() + 1, "{file}");
        for stream in 0..GAMES {
            let (own, others) = played(&game, &symmetries, stream);
            let mut all = Samples::default();
            images.append(&own, &mut all);
            let all = rows(&game, &all);
            assert_eq!(all.len(), own.len() * images.each(), "{file}");
            let mut expected = vec![rows(&game, &own)];
            expected.extend(others.iter().map(|other| rows(&game, other)));
            for (at, row) in all.iter().enumerate() {
                let (sample, image) = (at / images.each(), at % images.each());
                assert_eq!(*row, expected[image][sample], "{file}: image {image}");
            }
        }
    }
}

fn search(state: &State<'_>, method: Method, mirrors: Mirrors, bound: u64) -> SearchReport {
    let settings = SearchSettings {
        mirrors,
        depth: (method == Method::AlphaBeta).then_some(bound as u32),
        games: (method == Method::Uct).then_some(bound),
        ..SearchSettings::of(method)
    };
    state.search(&settings, &mut |_| true)
}

/// The value of the best move, and how many nodes there were.
fn best(report: &SearchReport) -> (f64, u64) {
    (report.moves.first().map_or(0.5, |m| m.value), report.games)
}

#[test]
fn alphabeta_finds_the_same_values_and_looks_at_less() {
    for (file, depth) in [
        ("s3/tic_tac_toe.s3", 9),
        ("s3/connect_four_5x4.s3", 8),
        ("s3/connect_four_5x5.s3", 7),
        ("s3/dots_and_boxes.s3", 4),
        ("s3/reversi.s3", 4),
        ("s3/nine_mens_morris.s3", 2),
        ("bgc/knightthrough.json", 4),
    ] {
        let game = game(file);
        let mut rng = Rng::new(5, 0);
        let mut state = start(&game);
        for ply in 0..4 {
            let off = search(&state, Method::AlphaBeta, Mirrors::Off, depth);
            let mut moves = Vec::new();
            state.moves(ChoiceSet::Distinct, &mut moves).expect("moves");
            for mirrors in [Mirrors::Moves, Mirrors::Positions] {
                let on = search(&state, Method::AlphaBeta, mirrors, depth);
                assert_eq!(best(&on).0, best(&off).0, "{file} at ply {ply}");
                assert_eq!(on.proof, off.proof, "{file} at ply {ply}");
                assert_eq!(on.moves.len(), moves.len(), "{file} at ply {ply}");
                assert!(ply > 0 || best(&on).1 < best(&off).1, "{file}");
            }
            state = state.drawn(ChoiceSet::All, &mut rng).expect("a move");
        }
    }
}

#[test]
fn uct_tells_of_all_moves_and_proves_the_same() {
    let game = game("s3/tic_tac_toe.s3");
    let start = start(&game);
    let mut moves = Vec::new();
    start.moves(ChoiceSet::Distinct, &mut moves).expect("moves");
    let on = search(&start, Method::Uct, Mirrors::Moves, 20_000);
    let off = search(&start, Method::Uct, Mirrors::Off, 20_000);
    assert_eq!(on.moves.len(), moves.len());
    let told = |report: &SearchReport| {
        let mut codes: Vec<u64> = report.moves.iter().map(|m| m.code).collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(told(&on), told(&off));
    // A corner, an edge and the centre stand for all.
    let mut visits: Vec<u64> = on.moves.iter().map(|m| m.visits).collect();
    visits.sort_unstable();
    visits.dedup();
    assert!(visits.len() <= 3, "{visits:?}");
    assert_eq!(on.proof.map(|o| o.winners), Some(0));
    assert!(on.games < off.games, "{} {}", on.games, off.games);
}

/// Reversi on 4 x 4, from the rules on 8 x 8: without the places and discs that are left over.
fn small_reversi() -> String {
    let text = String::from_utf8(rules("s3/reversi.s3")).expect("rules are text");
    let left_over = |name: &str| {
        let (kind, numbers) = name.split_once('(').unwrap_or((name, ""));
        let numbers: Vec<u32> = (numbers.trim_end_matches(')').split(','))
            .filter_map(|number| number.parse().ok())
            .collect();
        match (kind, &numbers[..]) {
            ("b", numbers) => numbers.iter().any(|number| *number > 4),
            ("pool", [number]) => *number > 12,
            ("d", [number]) => (13..=60).contains(number),
            _ => false,
        }
    };
    let records = text.split("\n\n").filter(|record| {
        let name = record.lines().find_map(|line| line.strip_prefix("name="));
        !name.is_some_and(left_over)
    });
    let mut small = records.collect::<Vec<_>>().join("\n\n");
    let discs = [
        (61, 2, "4,4", "2,2"),
        (62, 2, "5,5", "3,3"),
        (63, 1, "4,5", "2,3"),
        (64, 1, "5,4", "3,2"),
    ];
    for (disc, state, from, to) in discs {
        let record = |at| format!("name=d({disc})\ntype=disc\nstate={state}\nlocation=b({at})");
        small = small.replace(&record(from), &record(to));
    }
    small.replace("1, 8", "1, 4")
}

#[test]
fn small_reversi_is_solved_to_the_same_values() {
    let game = game_of("reversi4.s3", small_reversi().as_bytes());
    // Eight of the board, each with and without the exchange of sides, but the one that changes nothing.
    assert_eq!(game.info().symmetries.len(), 15);
    let mut rng = Rng::new(3, 0);
    for _ in 0..3 {
        let mut state = start(&game);
        for _ in 0..3 {
            state = state.drawn(ChoiceSet::All, &mut rng).expect("a move");
        }
        let off = search(&state, Method::AlphaBeta, Mirrors::Off, 16);
        for mirrors in [Mirrors::Moves, Mirrors::Positions] {
            let on = search(&state, Method::AlphaBeta, mirrors, 16);
            assert_eq!(best(&on).0, best(&off).0);
            assert_eq!(on.proof, off.proof);
        }
    }
}

#[test]
fn searches_with_symmetries_play_legal_moves() {
    for (method, bound) in [(Method::AlphaBeta, 2), (Method::Uct, 40)] {
        let game = game("s3/reversi.s3");
        let mut state = start(&game);
        for ply in 0..70 {
            let mut moves = Vec::new();
            state.moves(ChoiceSet::Distinct, &mut moves).expect("moves");
            if moves.is_empty() {
                break;
            }
            let report = search(&state, method, Mirrors::Moves, bound);
            let chosen = report.moves.first().map(|m| m.code);
            let chosen = chosen.expect("a move is found");
            assert!(moves.contains(&chosen), "{method:?} at ply {ply}");
            assert!(state.play(chosen, None), "{method:?} at ply {ply}");
        }
        assert!(state.outcome().is_some(), "{method:?} comes to an end");
    }
}

/// Everything of a position that users see.
fn told(game: &QuickGame, state: &Position) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = (0..game.info().identities.len())
        .map(|identity| encoding(game, state, identity))
        .collect();
    let mut text = String::new();
    game.write_state(state, &mut text);
    let moves: Vec<u64> = (choices(game, state, ChoiceSet::All).iter())
        .map(|&mv| game.move_code(mv))
        .collect();
    let mut observed = Vec::new();
    game.observe(state, &mut observed);
    let rest = format!(
        "{text} {:?} {:?} {moves:?} {observed:?}",
        game.turn(state),
        game.outcome(state)
    );
    all.push(rest.into_bytes());
    all
}

fn encoding(game: &QuickGame, state: &Position, identity: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.identity(state, identity, &mut bytes);
    bytes
}

/// Compares the images of a position with those that the reference interpreter makes, also where only an encoding is asked for.
fn compare_images(game: &QuickGame, file: &str, state: &Position, next: Option<Move>) {
    let interp = game.interp();
    let all = &interp.game().symmetries.all;
    let own = game.interpreted(state);
    let mut images = Vec::new();
    for (symmetry, by) in all.iter().enumerate() {
        let wanted = interp.image(&own, by).map(|image| game.state(&image));
        let image = game.image(state, symmetry);
        assert_eq!(image.is_some(), wanted.is_some(), "{file}: {symmetry}");
        let (Some(image), Some(wanted)) = (image, wanted) else {
            continue;
        };
        assert_eq!(
            told(game, &image),
            told(game, &wanted),
            "{file}: {symmetry}"
        );
        if let Some(mv) = next.filter(|mv| choices(game, &image, ChoiceSet::All).contains(mv)) {
            let (image, wanted) = (after(game, &image, mv), after(game, &wanted, mv));
            assert_eq!(
                told(game, &image),
                told(game, &wanted),
                "{file}: {symmetry}"
            );
        }
        images.push((symmetry, wanted));
    }
    let symmetries: Vec<usize> = (0..all.len()).collect();
    for identity in 0..game.info().identities.len() {
        let mut shown = Vec::new();
        game.each_image(state, &symmetries, &mut |symmetry, image| {
            shown.push((symmetry, encoding(game, image, identity)));
        });
        let known = images.iter();
        let known = known.map(|(symmetry, image)| (*symmetry, encoding(game, image, identity)));
        assert_eq!(shown, known.collect::<Vec<_>>(), "{file}: {identity}");
        let own = encoding(game, state, identity);
        let least = shown
            .into_iter()
            .map(|(_, bytes)| bytes)
            .fold(own, Ord::min);
        let mut found = b"before".to_vec();
        game.least_identity(state, identity, &symmetries, &mut found);
        assert_eq!(found, [b"before", &least[..]].concat(), "{file}");
    }
}

/// Compares images in a random game; the number of positions.
fn compare_play(game: &QuickGame, file: &str, stream: u64, most: usize) -> usize {
    let mut rng = Rng::new(17, stream);
    let mut state = game.initial();
    for ply in 0..most {
        let moves = choices(game, &state, ChoiceSet::All);
        if moves.is_empty() {
            compare_images(game, file, &state, None);
            return ply + 1;
        }
        let mut draw = || moves[rng.below(moves.len() as u32) as usize];
        let (mv, other) = (draw(), draw());
        // Positions that differ much, not one after another.
        if ply % 3 == 0 || most < 10 {
            compare_images(game, file, &state, Some(other));
        }
        state = after(game, &state, mv);
    }
    most
}

/// The files below a folder that may be rules.
fn files_below(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            _ if path.is_dir() => files_below(&path, out),
            Some("s3" | "bgm" | "bbgel" | "json" | "txt") => out.push(path),
            _ => {}
        }
    }
}

/// Compares images in games; the names of those that have symmetries.
fn compare_files(files: Vec<std::path::PathBuf>) -> Vec<String> {
    let mut compared = Vec::new();
    for path in files {
        let text = std::fs::read(&path).expect("the rules can be read");
        let file = path.file_name().and_then(|name| name.to_str());
        let file = file.expect("names are text");
        let Ok(output) = compile_text(file, &text, &Options::default()) else {
            continue;
        };
        let symmetries = output.game.symmetries.all.len();
        let Ok(game) = QuickGame::new(output.game) else {
            continue;
        };
        if symmetries == 0 {
            continue;
        }
        let most = if symmetries > 12 { 7 } else { 40 };
        for stream in 0..2 {
            assert!(compare_play(&game, file, stream, most) > 0);
        }
        compared.push(file.to_owned());
    }
    compared
}

#[test]
fn images_are_those_of_the_reference_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let compared = compare_files(files);
    for file in FILES {
        let name = file.rsplit('/').next().unwrap_or(file);
        assert!(compared.iter().any(|other| other == name), "{file}");
    }
}

/// Nim with five rows of two matches, which more symmetries exchange than a search keeps in mind.
const MANY_ROWS: &str = "\
Type Row Match
Players first second
Row a
    contains Match 2
Row b
    contains Match 2
Row c
    contains Match 2
Row d
    contains Match 2
Row e
    contains Match 2
Action Take1 Row r
    effect remove Match r 1
    effect players player.left
Action Take2 Row r
    effect remove Match r 2
    effect players player.left
LoseCondition
    require not contains a Match
    require not contains b Match
    require not contains c Match
    require not contains d Match
    require not contains e Match
";

#[test]
fn of_a_large_group_some_symmetries_are_used() {
    let game = game_of("rows.bgm", MANY_ROWS.as_bytes());
    let keep_players = |game: &QuickGame| {
        let all = game.info().symmetries.iter();
        all.filter(|by| by.keeps_players()).count()
    };
    assert!(keep_players(&game) > 64, "{}", keep_players(&game));
    for method in [Method::AlphaBeta, Method::Uct] {
        let start = start(&game);
        let bound = if method == Method::Uct { 20_000 } else { 10 };
        let off = search(&start, method, Mirrors::Off, bound);
        let on = search(&start, method, Mirrors::Moves, bound);
        assert_eq!(on.proof, off.proof, "{method:?}");
        assert_eq!(on.moves.len(), off.moves.len(), "{method:?}");
        let on_moves: std::collections::BTreeSet<u64> = on.moves.iter().map(|m| m.code).collect();
        assert_eq!(on_moves.len(), off.moves.len(), "{method:?}");
        assert!(
            on.games < off.games,
            "{method:?}: {} {}",
            on.games,
            off.games
        );
    }
    assert!(compare_play(&game, "rows.bgm", 0, 4) > 0);
}

/// Games of the corpus that have symmetries, some of them of sides, values and pieces that are no places.
const CORPUS: &[&str] = &[
    "s3/Squares/Squares.s3",
    "s3/TicTacToe/TicTacToe.s3",
    "s3/Mill/Mill.s3",
    "s3/Nim/Nim.s3",
    "bgm/nim345.bgm",
    "bgm/parking.bgm",
    "bgm/track_race.bgm",
    "bgc/intellector.json",
    "bgc/checkers.json",
];

#[test]
fn images_in_the_corpus_are_those_of_the_reference_interpreter() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("RULEC_CORPUS");
    let corpus = corpus.map_or_else(|| here.join("../../../shared/corpus"), Into::into);
    let files = CORPUS.iter().map(|file| corpus.join(file));
    let files: Vec<_> = files.filter(|path| path.is_file()).collect();
    let there = files.len();
    assert_eq!(compare_files(files).len(), there);
}

/// Men of nine men's morris go off the board to places of their own, and are alike with these: which of two men was placed where is
/// nothing that the future depends on.
#[test]
fn pieces_with_places_of_their_own_are_merged_by_futures() {
    let game = game("s3/nine_mens_morris.s3");
    let limits = ExploreLimits {
        identity: game.info().future,
        choices: ChoiceSet::Distinct,
        depth: Some(3),
        states: 100_000,
        keep: Keep::Nothing,
        orbits: Orbits::Off,
    };
    let found = start(&game).explore(&limits, &mut |_| true);
    // A white man, a black man, and two white men with a black one.
    assert_eq!(found.new_states, [1, 24, 24 * 23, 24 * 23 / 2 * 22]);
}
