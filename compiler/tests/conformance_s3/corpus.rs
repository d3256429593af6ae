//! Where the cases are: the games of the corpus, and small games of our own in `compiler/tests/s3_features`.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Style, render_all};
use rulec_compiler::ir::Game;
use rulec_compiler::lang::Options;
use rulec_compiler::lang::s3::{self, ast};
use rulec_compiler::source::SourceMap;
use serde_json::Value as Json;

/// A game, and what the original engine did with it or, for a game of our own, what the reference of the language says
/// of it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) rules: Vec<u8>,
    pub(crate) oracle: Json,
}

/// Whether long counts are made in full.
pub(crate) fn long() -> bool {
    std::env::var("RULEC_LONG").is_ok_and(|value| value == "1")
}

/// The folder of the s3 cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("s3");
    if folder.is_dir() {
        return Some(folder);
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!needed, "there is no corpus at {}", folder.display());
    eprintln!("SKIPPED: there is no corpus at {}", folder.display());
    None
}

pub(crate) fn json(path: &Path) -> Json {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All games that have an oracle: those of the corpus, then our own.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = corpus();
    cases.append(&mut features());
    cases
}

/// Small games of our own, each with a few constructs that the corpus lacks, by name.
fn features() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/s3_features");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.extension().is_none_or(|extension| extension != "s3") {
            continue;
        }
        let name = path.file_stem().and_then(|name| name.to_str());
        cases.push(Case {
            name: name.expect("its name is ASCII").to_owned(),
            rules: std::fs::read(&path).expect("the rules can be read"),
            oracle: json(&path.with_extension("json")),
        });
    }
    assert!(
        !cases.is_empty(),
        "there is no case in {}",
        folder.display()
    );
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// The games of the corpus that have an oracle, by name; none at all without a corpus.
pub(crate) fn corpus() -> Vec<Case> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let rules = path.join(format!("{name}.s3"));
        let oracle = folder.join("oracle").join(format!("{name}.json"));
        if rules.is_file() && oracle.is_file() {
            let rules = std::fs::read(rules).expect("the rules can be read");
            cases.push(Case {
                name: name.to_owned(),
                rules,
                oracle: json(&oracle),
            });
        }
    }
    assert!(
        !cases.is_empty(),
        "there is no case in {}",
        folder.display()
    );
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// Reads and checks rules.
pub(crate) fn load(name: &str, rules: &[u8]) -> (SourceMap, Option<ast::Game>, Diagnostics) {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources
        .add(format!("{name}.s3"), rules)
        .expect("the file is small");
    let source = sources.get(id).expect("it was just added");
    let tree = s3::load(source, &Options::default(), &mut diagnostics);
    (sources, tree, diagnostics)
}

/// The game of rules that are right.
pub(crate) fn lower(name: &str, rules: &[u8]) -> Game {
    let (sources, tree, mut diagnostics) = load(name, rules);
    let game = tree.and_then(|tree| s3::lower(&tree, &sources, &mut diagnostics));
    game.unwrap_or_else(|| {
        panic!(
            "{name}: {}",
            render_all(&sources, &diagnostics, Style::Plain)
        )
    })
}
