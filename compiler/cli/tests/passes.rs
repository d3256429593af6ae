//! What passes must keep on all of our own games: the numbers of sequences of moves, and functions of a length that people read.

use std::path::{Path, PathBuf};

use rulec_cli::Rules;
use rulec_compiler::ir::Game as Ir;
use rulec_compiler::opt::{PASSES, Pass};
use rulec_interp::{Interp, Move, State, Turn};

use crate::corpus;

/// Moves that are counted of a game after each pass, at least.
const ENOUGH: usize = 60;
/// Plies that are counted at most.
const DEPTH: u32 = 4;
/// Passes that are run before it is counted again.
const AT_ONCE: usize = 8;
/// The longest function that the compiler may write, in lines.
const LONGEST: usize = 400;

/// All rule files of `games`.
fn games() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let languages = [
        ("s3", "s3"),
        ("bgc", "json"),
        ("bbgel", "bbgel"),
        ("bgm", "bgm"),
        ("gs5", "txt"),
        ("gs5", "csv"),
    ];
    for (folder, ending) in languages {
        let folder = corpus::root().join("games").join(folder);
        let files = std::fs::read_dir(&folder).expect("a folder of games");
        let paths = files.map(|file| file.expect("a file").path());
        let fits = |path: &PathBuf| path.extension().is_some_and(|other| other == ending);
        let before = found.len();
        found.extend(paths.filter(fits));
        assert!(found.len() > before, "no games in {}", folder.display());
    }
    found.sort();
    found
}

fn open(path: &Path, passes: &str) -> Rules {
    match Rules::open(path, passes) {
        Ok(rules) => rules,
        Err(error) => panic!("{}: {error:#}", path.display()),
    }
}

/// How many moves there are at each ply, until there are enough.
fn perft(game: &Ir, path: &Path) -> Vec<usize> {
    let game = match Interp::new(game.clone()) {
        Ok(game) => game,
        Err(errors) => panic!("{}: {errors:?}", path.display()),
    };
    let mut states = vec![game.initial()];
    let mut counts = Vec::new();
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for state in &states {
            for mv in moves(&game, state) {
                let mut after = state.clone();
                assert!(game.play(&mut after, mv), "{}", path.display());
                next.push(after);
            }
        }
        counts.push(next.len());
        if next.is_empty() || next.len() >= ENOUGH {
            break;
        }
        states = next;
    }
    counts
}

fn moves(game: &Interp, state: &State) -> Vec<Move> {
    match game.turn(state) {
        Turn::Decide(_) => game.legal_moves(state).map_or(Vec::new(), <[Move]>::to_vec),
        Turn::Chance => {
            let results = game.chance_outcomes(state);
            results.into_iter().map(|(mv, _)| mv).collect()
        }
        Turn::Over => Vec::new(),
    }
}

/// The first of these passes that changes the counts, each run in its turn.
fn culprit(mut game: Ir, passes: &[Pass], before: &[usize], path: &Path) -> Option<&'static str> {
    let changes = |pass: &&Pass| {
        (pass.run)(&mut game);
        perft(&game, path) != before
    };
    passes.iter().find(changes).map(|pass| pass.name)
}

/// What was counted without passes is counted after each few of them; only where it is not each pass is asked by itself.
#[test]
fn no_pass_changes_a_count() {
    for path in games() {
        let rules = open(&path, "none");
        let mut game = rules.output.expect("a sound game").lowered;
        let before = perft(&game, &path);
        assert!(before.iter().sum::<usize>() > 0, "{}", path.display());
        for passes in PASSES.chunks(AT_ONCE) {
            let without = game.clone();
            passes.iter().for_each(|pass| (pass.run)(&mut game));
            if game != without && perft(&game, &path) != before {
                let pass = culprit(without, passes, &before, &path);
                panic!("{}: {pass:?} of {}", path.display(), passes[0].name);
            }
        }
    }
}

/// The functions of a text that are longer than they may be.
fn long_functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize, &str)> = None;
    for (number, line) in text.lines().enumerate() {
        let rest = line.trim_start();
        let indent = &line[..line.len() - rest.len()];
        match open {
            Some((begun, start, head)) if line.strip_prefix(begun) == Some("}") => {
                let lines = number - start + 1;
                if lines > LONGEST {
                    found.push(format!("{lines} lines: {head}"));
                }
                open = None;
            }
            Some(_) => {}
            None => {
                let plain = rest
                    .trim_start_matches("pub ")
                    .trim_start_matches("pub(crate) ");
                if plain.trim_start_matches("const ").starts_with("fn ") && !line.ends_with('}') {
                    open = Some((indent, number, rest));
                }
            }
        }
    }
    found
}

#[test]
fn no_function_is_long() {
    let mut wrong = Vec::new();
    for path in games() {
        let text = open(&path, "all").rust().expect("a game with a Rust form");
        assert!(text.contains("fn play_move"), "{}", path.display());
        for found in long_functions(&text) {
            wrong.push(format!("{}: {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All original rule files: a second or three of work, so that there is no need for a sample.
fn originals(s3: &Path) -> Vec<PathBuf> {
    [
        corpus::corpus_games(s3),
        corpus::bgm_games(s3),
        corpus::bgc_games(s3),
        corpus::rule_files(&s3.with_file_name("gs5").join("rules"), "txt"),
        corpus::bbgel_games(s3),
    ]
    .concat()
}

/// As above, of original rule files; those that compile alone, which not all are made for.
#[test]
fn no_function_of_original_rules_is_long() {
    let Some(s3) = corpus::s3_corpus() else {
        return;
    };
    let (mut wrong, mut looked) = (Vec::new(), 0);
    let files = originals(&s3);
    for path in &files {
        let Ok(text) = open(path, "all").rust() else {
            continue;
        };
        looked += 1;
        for found in long_functions(&text) {
            wrong.push(format!("{}: {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{looked} of {} rule files compile", files.len());
    assert!(looked * 4 > files.len() * 3, "only {looked} files compile");
}

#[test]
fn long_functions_are_found() {
    let body = "    let x = 1;\n".repeat(LONGEST);
    let text = format!("fn short() {{\n    1\n}}\n\nfn long() {{\n{body}}}\n");
    assert_eq!(
        long_functions(&text),
        [format!("{} lines: fn long() {{", LONGEST + 2)]
    );
}
