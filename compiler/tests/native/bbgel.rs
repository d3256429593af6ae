//! The bbgel cases that have a meaning.

use std::path::Path;

use rulec_compiler::ir::Game;
use serde_json::Value as Json;

#[path = "../conformance_bbgel/cases.rs"]
#[expect(
    dead_code,
    reason = "why a text is refused is looked at by the other tests"
)]
mod cases;

pub(crate) use cases::folder;
use cases::{compile, json, world_json};

/// The programs that have a meaning, by name.
pub(crate) fn programs(folder: &Path) -> impl Iterator<Item = (String, Game)> {
    let files = ["unit_cases.json", "language_cases.json"];
    let cases = files.map(|file| cases(&folder.join("oracle").join(file)));
    cases.into_iter().flatten().filter_map(|case| {
        let text = case["program"].as_str().expect("a program");
        let front = compile("program.bbgel", text.as_bytes(), true).ok()?;
        Some((case["id"].as_str().expect("a name").to_owned(), front.game))
    })
}

/// The small worlds that have a meaning, by name.
pub(crate) fn small_worlds(folder: &Path) -> impl Iterator<Item = (String, Game)> {
    cases(&folder.join("oracle/rule_worlds.json"))
        .into_iter()
        .filter_map(|case| {
            let (name, text) = world_json(&case["world"]);
            let front = compile(&name, text.as_bytes(), false).ok()?;
            Some((case["id"].as_str().expect("a name").to_owned(), front.game))
        })
}

fn cases(path: &Path) -> Vec<Json> {
    json(path)["cases"].as_array().expect("cases").clone()
}
