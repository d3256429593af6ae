//! Rules made at random: constructs meet in ways that nobody thought of, so whoever takes a renaming for a symmetry without cause is
//! found out by play.

use rulec_compiler::diag;
use rulec_compiler::source::SourceMap;
use rulec_compiler::{Options, Passes, Without, compile, ir};
use rulec_random_rules::{Language, Rules, language};

use crate::compared::{exchanges, telling, walk};

/// Rule files of a language, where most have symmetries.
const FILES: u64 = 12;
const MANY: u64 = 2_000;

/// The program as the front end makes it.
pub(crate) fn lowered(rules: &Rules) -> Result<ir::Game, String> {
    let options = Options {
        passes: Passes::none(),
        without: Without::All,
        settings: rules.settings.clone(),
        ..Options::default()
    };
    let mut sources = SourceMap::new();
    for (name, text) in &rules.files {
        let added = sources.add(name, text.as_bytes());
        added.map_err(|error| error.to_string())?;
    }
    let (output, diagnostics) = compile(&sources, &options).map_err(|error| error.to_string())?;
    let refused = || diag::render_all(&sources, &diagnostics, diag::Style::Plain);
    Ok(output.ok_or_else(refused)?.lowered)
}

/// Compares images in games by these rules; how many symmetries they have.
fn compared(language: &Language, seed: u64) -> usize {
    let game = lowered(&language.rules(seed)).expect("they are rules");
    let symmetries = game.symmetries.all.clone();
    let alike = exchanges(&game);
    let count = symmetries.len();
    for (what, all) in [("symmetry", symmetries), ("exchange", alike)] {
        if !all.is_empty() {
            let label = format!("{}, seed {seed}, {what}", language.name);
            walk(&label, &telling(game.clone(), all), 3, 25);
        }
    }
    count
}

/// Compares images by so many rules of a language.
fn compare_all(name: &str, files: u64) {
    let language = language(name).expect("a language with a generator");
    let files = match std::env::var_os("RULEC_LONG") {
        Some(_) => MANY,
        None => files,
    };
    let found = (0..files).filter(|&seed| compared(language, seed) > 0);
    assert!(found.count() > 0, "{name}: no symmetries");
}

#[test]
fn symmetries_of_random_bbgel_worlds_are_ones() {
    compare_all("bbgel", FILES);
}

#[test]
fn symmetries_of_random_gs5_rule_sets_are_ones() {
    compare_all("gs5", FILES);
}

#[test]
fn symmetries_of_random_s3_rules_are_ones() {
    compare_all("s3", FILES);
}

#[test]
fn symmetries_of_random_bgc_games_are_ones() {
    compare_all("bgc", FILES);
}

#[test]
fn symmetries_of_random_bgm_games_are_ones() {
    compare_all("bgm", 4 * FILES);
}
