//! The recorded cases, and what the front end makes of them.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Severity};
use rulec_compiler::lang::{Front, Options, bbgel};
use rulec_compiler::source::SourceMap;
use serde_json::{Value as Json, json};

/// The folder of the bbgel cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("bbgel");
    if folder.is_dir() {
        return Some(folder);
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    let message = format!("there is no corpus at {}", folder.display());
    assert!(!needed, "{message}");
    eprintln!("SKIPPED: {message}");
    None
}

pub(crate) fn json(path: &Path) -> Json {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Why a text is refused: the kinds of its errors in the words of the cases, and their lines in the text.
#[derive(Debug)]
pub(crate) struct Refusal(Vec<(&'static str, u64)>);

impl Refusal {
    /// Whether there is such an error.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.0.iter().any(|(found, _)| *found == word)
    }

    /// Whether there is such an error in a line.
    pub(crate) fn is_at(&self, word: &str, line: u64) -> bool {
        self.0.contains(&(word, line))
    }
}

/// What the front end makes of a text.
pub(crate) fn compile(name: &str, bytes: &[u8], alone: bool) -> Result<Front, Refusal> {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("the file is small");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = match alone {
        true => bbgel::compile_program(&sources, id, &mut diagnostics),
        false => bbgel::compile(&sources, id, &options, &mut diagnostics),
    };
    let errors = diagnostics
        .iter()
        .filter(|found| found.severity() == Severity::Error)
        .map(|found| {
            let at = sources.locate(found.span()).expect("a place in the file");
            (word(found.code.code), u64::from(at.position.line))
        });
    front.ok_or_else(|| Refusal(errors.collect()))
}

/// The word of the cases for one of our codes.
fn word(code: &'static str) -> &'static str {
    match code {
        "BBGEL-E0102" | "BBGEL-E0109" | "BBGEL-E0110" | "BBGEL-E0111" => "syntax_error",
        "BBGEL-E0113" => "no_start_field",
        "BBGEL-E0114" => "several_start_fields",
        "BBGEL-E0115" => "no_end_field",
        "BBGEL-E0116" => "no_control_statement",
        "BBGEL-E0117" => "several_control_statements",
        "BBGEL-E0118" => "control_to_itself",
        "BBGEL-E0119" => "force_not_first",
        "BBGEL-E0120" => "game_end_not_forced",
        "BBGEL-E0121" => "players_twice",
        "BBGEL-E0122" => "no_tokens",
        "BBGEL-E0123" => "no_players",
        "BBGEL-E0124" => "undefined_variable",
        "BBGEL-E0125" => "type_error",
        "BBGEL-E0126" => "redeclared",
        "BBGEL-E0127" => "result_not_set",
        "BBGEL-E0128" => "end_scope_without_begin",
        "BBGEL-E0129" => "division_by_zero",
        other => other,
    }
}

/// The world of a small case as the editor would export it.
pub(crate) fn world_json(world: &Json) -> (String, String) {
    let field = |field: &Json| json!({ "kind": "field", "id": field[0], "cmdText": field[1] });
    let point = |point: &Json| json!({ "id": point[0], "val": point[1], "nextFieldId": point[2] });
    let list = |json: &Json, f: &dyn Fn(&Json) -> Json| {
        let items = json.as_array().cloned().unwrap_or_default();
        Json::Array(items.iter().map(f).collect())
    };
    let tile = |tile: &Json, name: &str| {
        json!({
            "guid": name,
            "fieldShapes": list(&tile["fields"], &field),
            "topBorderPoints": list(&tile["top"], &point),
            "botBorderPoints": list(&tile["bot"], &point),
            "leftBorderPoints": list(&tile["left"], &point),
            "rightBorderPoint": list(&tile["right"], &point),
        })
    };
    let settings = json!({ "worldCmdText": world["init"] });
    if world["single"] == json!(true) {
        let file = json!({ "tile": tile(world, "t"), "worldSettings": settings });
        return ("case.tile".to_owned(), file.to_string());
    }
    let (mut tiles, mut placed) = (Vec::new(), Vec::new());
    match world["tiles"].as_array() {
        None => {
            tiles.push(tile(world, "t"));
            placed.push(json!({ "tileGuid": "t", "x": 0, "y": 0 }));
        }
        Some(all) => {
            for one in all {
                let name = one["name"].as_str().expect("a name");
                tiles.push(tile(one, name));
                placed.push(json!({ "tileGuid": name, "x": one["x"], "y": one["y"] }));
            }
        }
    }
    placed.extend(
        world["extra_surrogates"]
            .as_array()
            .cloned()
            .unwrap_or_default(),
    );
    let file = json!({ "allTiles": tiles, "worldTiles": placed, "worldSettings": settings });
    ("case.world".to_owned(), file.to_string())
}
