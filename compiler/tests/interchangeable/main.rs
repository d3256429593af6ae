//! Which pieces and places the rules do not tell apart: of all our games and of the corpus, and of games that were changed so
//! that one of them differs.

mod variants;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rulec_compiler::ir::Game;
use rulec_compiler::{Options, Passes, compile_text};

/// The program of a rule file that needs no others.
fn lowered(name: &str, text: &[u8]) -> Result<Game, String> {
    let options = Options {
        passes: Passes::none(),
        ..Options::default()
    };
    compile_text(name, text, &options).map(|output| output.lowered)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rule files below a folder, by their paths in it.
fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(rule_files(&path));
        } else if path
            .extension()
            .is_some_and(|e| ["s3", "bgm", "bgc"].iter().any(|l| e == *l))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What is said of the games below a folder.
fn told(folder: &Path) -> String {
    let mut text = String::new();
    for path in rule_files(folder) {
        let name = path.strip_prefix(folder).expect("it lies there").display();
        let rules = std::fs::read(&path).expect("the rules can be read");
        let Ok(game) = lowered(&path.to_string_lossy(), &rules) else {
            continue;
        };
        let _ = writeln!(text, "{name}");
        for class in game.interchangeable.iter() {
            let _ = writeln!(text, "    {}", class.text(&game));
        }
    }
    text
}

#[test]
fn pieces_and_places_of_our_games() {
    expect_file!["ours.txt"].assert_eq(&told(&workspace().join("games")));
}

#[test]
fn pieces_and_places_of_the_corpus() {
    let folder = match std::env::var_os("RULEC_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("../shared/corpus"),
    };
    if !folder.join("s3").is_dir() {
        let needed = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!needed, "there is no corpus at {}", folder.display());
        eprintln!("SKIPPED: there is no corpus at {}", folder.display());
        return;
    }
    expect_file!["corpus.txt"].assert_eq(&told(&folder.join("s3")));
}

/// Whether members of these names are alike.
fn alike(game: &Game, [a, b]: [&str; 2]) -> bool {
    game.interchangeable.iter().any(|class| {
        let names = class
            .members
            .iter()
            .map(|&member| game.domain(class.domain).member(member));
        let names: Vec<String> = names.collect();
        [a, b]
            .iter()
            .all(|name| names.iter().any(|known| known == name))
    })
}

#[test]
fn what_a_rule_tells_apart_is_not_alike() {
    let mut wrong = String::new();
    for variant in variants::VARIANTS {
        let path = workspace().join("games").join(variant.file);
        let rules = std::fs::read_to_string(&path).expect("the rules can be read");
        let changed = rules.replacen(variant.from, variant.to, 1);
        assert_ne!(rules, changed, "{} has no `{}`", variant.file, variant.from);
        let original = lowered(variant.file, rules.as_bytes()).expect("our games compile");
        let game = match lowered(variant.file, changed.as_bytes()) {
            Ok(game) => game,
            Err(error) => {
                let _ = writeln!(wrong, "{}: {error}", variant.to);
                continue;
            }
        };
        if !alike(&original, variant.apart) {
            let _ = writeln!(
                wrong,
                "{:?} are apart without `{}`",
                variant.apart, variant.to
            );
        }
        if alike(&game, variant.apart) {
            let _ = writeln!(
                wrong,
                "{:?} are alike after `{}`",
                variant.apart, variant.to
            );
        }
        if let Some(still) = variant.still.filter(|pair| !alike(&game, *pair)) {
            let _ = writeln!(wrong, "{still:?} are apart after `{}`", variant.to);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(variants::VARIANTS.len() >= 30);
}
