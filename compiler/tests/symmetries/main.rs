//! The symmetries of all our games and of the corpus, and of games that were changed so that one place differs.

mod variants;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rulec_compiler::ir::{Game, Symmetry};
use rulec_compiler::{Options, Passes, Without, compile_text};

/// The program of a rule file that needs no others.
fn lowered(name: &str, text: &[u8]) -> Result<Game, String> {
    let options = Options {
        language: None,
        passes: Passes::none(),
        image_folder: None,
        without: Without::Nothing,
        settings: Vec::new(),
        limit: None,
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
        let is_one_of =
            |e: &std::ffi::OsStr| ["s3", "bgm", "bbgel", "json"].iter().any(|l| e == *l);
        if path.is_dir() {
            found.extend(rule_files(&path));
        } else if path.extension().is_some_and(is_one_of) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What is said of the games below a folder.
fn told(folder: &Path) -> String {
    let mut text = format!(
        "{:34} {:>7} {:>5} {:>5}  sides\n",
        "", "classes", "order", "start"
    );
    for path in rule_files(folder) {
        let name = path.strip_prefix(folder).expect("it lies there").display();
        let rules = std::fs::read(&path).expect("the rules can be read");
        let Ok(game) = lowered(&path.to_string_lossy(), &rules) else {
            continue;
        };
        let found = &game.symmetries;
        let sides = match found.of_players(&game) < found.order() {
            true => "exchanged",
            false => "-",
        };
        let _ = writeln!(
            text,
            "{:34} {:7} {:5} {:5}  {sides}",
            name.to_string(),
            game.interchangeable.len(),
            found.order(),
            found.of_start(),
        );
    }
    text
}

#[test]
fn symmetries_of_our_games() {
    expect_file!["ours.txt"].assert_eq(&told(&workspace().join("games")));
}

#[test]
fn symmetries_of_the_corpus() {
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

/// Whether some symmetry takes one member to another, by their names.
fn takes(game: &Game, [a, b]: [&str; 2]) -> bool {
    let in_domain = |symmetry: &Symmetry| {
        symmetry.members.iter().any(|(domain, new)| {
            let domain = game.domain(*domain);
            let pairs = (0..).zip(new);
            pairs
                .into_iter()
                .any(|(old, new)| domain.member(old) == a && domain.member(*new) == b)
        })
    };
    game.symmetries.all.iter().any(in_domain)
}

#[test]
fn what_a_rule_tells_apart_is_not_symmetric() {
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
        let pair = variant.apart;
        if !takes(&original, pair) {
            let _ = writeln!(wrong, "{pair:?} are apart without `{}`", variant.to);
        }
        // There may be others instead: without one diagonal, rows and columns can be permuted alike.
        if takes(&game, pair) {
            let _ = writeln!(wrong, "{pair:?} are symmetric after `{}`", variant.to);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(variants::VARIANTS.len() >= 30);
}
