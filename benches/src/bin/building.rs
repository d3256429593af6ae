//! What each game costs to compile: seconds from rules to Rust, seconds of building, sizes.
//!
//! Usage: `cargo run --release -p rulec-benches --bin building -- [--build yes] [--json FILE] [RULES ...]`.
//!
//! Without files it takes all games of the repository and, where it is there, those of the corpus of original games
//! (`RULEC_CORPUS`, or `../shared/corpus`). Programs are built with `--build yes` only, which takes some seconds each. Nothing
//! is judged.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rulec_benches::building;
use serde_json::json;

fn run() -> Result<()> {
    let (mut files, mut json, mut build) = (Vec::new(), None, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .with_context(|| format!("{word} needs a value"))
        };
        match word.as_str() {
            "--build" => build = value()? == "yes",
            "--json" => json = Some(PathBuf::from(value()?)),
            other if other.starts_with("--") => bail!("there is no option {other}"),
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        let corpus = std::env::var_os("RULEC_CORPUS").map(PathBuf::from);
        let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
        files = building::every_game(&corpus.unwrap_or_else(usual))?;
    }
    let rows = building::measure(&files, build)?;
    if let Some(file) = json {
        let text = format!("{:#}\n", json!(rows));
        rulec_benches::write_whole(&file, &text)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
