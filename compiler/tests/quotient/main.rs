//! Which games forget the names of pieces, and why others need them: of all our games.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rulec_compiler::ir::Game;
use rulec_compiler::quotient::Quotient;
use rulec_compiler::{Options, Passes, Without, compile_text};

/// The program of a rule file after all passes.
fn program(name: &str, text: &[u8]) -> Result<Game, String> {
    let options = Options {
        language: None,
        passes: Passes::all(),
        image_folder: None,
        without: Without::Nothing,
        settings: Vec::new(),
        limit: None,
    };
    compile_text(name, text, &options).map(|output| output.game)
}

fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(rule_files(&path));
        } else if path.extension().is_some_and(|e| e == "s3" || e == "bgm") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What is said of the games below a folder.
fn told(folder: &Path) -> String {
    let mut text = String::new();
    for path in rule_files(folder) {
        let name = path
            .file_name()
            .expect("it is a file")
            .to_string_lossy()
            .into_owned();
        let rules = std::fs::read(&path).expect("the rules can be read");
        let Ok(game) = program(&name, &rules) else {
            continue;
        };
        let _ = match Quotient::of(&game) {
            Ok(quotient) => writeln!(text, "{name}: {} classes", quotient.classes.len()),
            Err(why) => writeln!(text, "{name}: names, for {why}"),
        };
    }
    text
}

#[test]
fn our_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let text = ["s3", "bgm"]
        .map(|language| told(&games.join(language)))
        .concat();
    expect_file!["ours.txt"].assert_eq(&text);
}

#[test]
fn games_of_the_corpus() {
    let Some(corpus) = std::env::var_os("RULEC_CORPUS") else {
        return;
    };
    let text = told(&Path::new(&corpus).join("s3"));
    if !text.is_empty() {
        println!("{text}");
    }
}
