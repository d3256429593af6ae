//! Where the games of the tests are.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package).to_owned()
}

/// The corpus of S3 games, `None` where it is missing.
///
/// # Panics
/// When it is missing and `CI` is `true`.
pub(crate) fn s3_corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("RULEC_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    let folder = folder.join("s3");
    if folder.is_dir() {
        return Some(folder);
    }
    let message = format!("the corpus is missing: {}", folder.display());
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{message}"
    );
    eprintln!("SKIPPED, {message}");
    None
}

/// The folder of what the tests compile: one for all, so that what games depend on is built once.
#[allow(dead_code)]
pub(crate) fn cache() -> PathBuf {
    match std::env::var_os("RULEC_CACHE") {
        Some(cache) => PathBuf::from(cache),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
    }
}

/// How games are compiled, beside those of commands.
#[allow(dead_code)]
pub(crate) fn tools() -> rulec_cli::Toolchain {
    let target = cache().join("target");
    rulec_cli::Toolchain::find(None, Some(&target), false).expect("the runtime is there")
}

/// Whether the long counts are wanted too.
pub(crate) fn long() -> bool {
    std::env::var_os("RULEC_LONG").is_some()
}

/// Our own games.
pub(crate) fn own_games() -> Vec<PathBuf> {
    let mut files = rule_files(&root().join("games/s3"), "s3");
    files.extend(rule_files(&root().join("games/bgc"), "json"));
    files.extend(rule_files(&root().join("games/bbgel"), "bbgel"));
    files
}

/// Our own games in bgm.
pub(crate) fn own_bgm_games() -> Vec<PathBuf> {
    rule_files(&root().join("games/bgm"), "bgm")
}

/// The games of the bgm corpus, beside that of S3, and the snippets of the seed.
pub(crate) fn bgm_games(s3: &Path) -> Vec<PathBuf> {
    let folder = s3.with_file_name("bgm");
    let mut files = rule_files(&folder, "bgm");
    files.extend(rule_files(&folder.join("seed"), "bgm"));
    files
}

/// The worlds of the bbgel corpus, beside that of S3.
pub(crate) fn bbgel_games(s3: &Path) -> Vec<PathBuf> {
    rule_files(&s3.with_file_name("bbgel").join("worlds"), "world")
}

/// The records of games of the bbgel corpus.
pub(crate) fn bbgel_traces(s3: &Path) -> Vec<PathBuf> {
    rule_files(&s3.with_file_name("bbgel").join("oracle/traces"), "json")
}

/// The games of the bgc corpus, beside that of S3.
pub(crate) fn bgc_games(s3: &Path) -> Vec<PathBuf> {
    let folder = s3.with_file_name("bgc");
    let mut files = rule_files(&folder, "json");
    files.extend(rule_files(&folder.join("extended"), "json"));
    files
}

/// The games of the corpus: one folder each.
pub(crate) fn corpus_games(corpus: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = entries(corpus)
        .into_iter()
        .filter(|path| path.is_dir())
        .flat_map(|folder| rule_files(&folder, "s3"))
        .collect();
    files.sort();
    files
}

/// The name of a rule file without its ending.
pub(crate) fn stem(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub(crate) fn rule_files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.extension().is_some_and(|e| e == ending));
    files.sort();
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    entries
        .map(|entry| entry.expect("the entry can be read").path())
        .collect()
}
