//! Where the cases are, and rule sets with the pieces of a case.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Style, render_all};
use rulec_compiler::ir::Game;
use rulec_compiler::lang::{Options, gs5};
use rulec_compiler::source::SourceMap;
use serde_json::Value as Json;

/// The folder of the gs5 cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("gs5");
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

/// All files below a folder with this ending, by name.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        for entry in entries {
            let path = entry.expect("its entries can be read").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|e| e == ending) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// What came of a rule set.
pub(crate) struct Compiled {
    pub(crate) game: Option<Game>,
    /// The codes of the findings.
    pub(crate) codes: Vec<&'static str>,
    pub(crate) findings: String,
}

/// Compiles a rule set with further files and settings.
pub(crate) fn compile(
    name: &str,
    text: &[u8],
    others: &[(String, String)],
    settings: &[(&str, String)],
) -> Compiled {
    let mut sources = SourceMap::new();
    let id = sources.add(name, text).expect("the file is small");
    for (name, text) in others {
        sources
            .add(name, text.as_bytes())
            .expect("the file is small");
    }
    let settings = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let options = Options {
        settings: settings.collect(),
        ..Options::default()
    };
    let mut diagnostics = Diagnostics::new();
    let front = gs5::compile(&sources, id, &options, &mut diagnostics);
    Compiled {
        game: front.map(|front| front.game),
        codes: diagnostics.iter().map(|found| found.code.code).collect(),
        findings: render_all(&sources, &diagnostics, Style::Plain),
    }
}

pub(crate) fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}
