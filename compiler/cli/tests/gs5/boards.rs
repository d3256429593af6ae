//! Boards from seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_core::{Board, Game};
use rulec_search::episode::boards::Boards;
use serde_json::Value;

use crate::{corpus, list, read, scratch, text};

/// A trial list that names pictures, and their property table.
fn of_images(corpus: &Path, generator: &Value) -> Vec<PathBuf> {
    let images = text(&generator["images"]);
    let folder = images.split('/').nth(1).expect("a folder");
    let place = scratch("boards").join("shapes/synth").join(folder);
    std::fs::create_dir_all(&place).expect("a folder can be made");
    let table = place.join("properties.csv");
    let original = corpus.join("oracle/synth/shapes").join(folder);
    std::fs::copy(original.join("properties.csv"), &table).expect("there is a table");
    let list = scratch("boards").join(format!("images_{}.csv", generator["seed"]));
    let pieces = &generator["pieces"];
    let rows = format!("min_objects,max_objects,images\n{pieces},{pieces},{images}\n");
    std::fs::write(&list, rows).expect("it can be written");
    vec![list, table]
}

/// Draws a board as a recorded case says; cells and names of kinds.
fn drawn(corpus: &Path, generator: &Value, pictured: bool) -> Option<Vec<(i64, String)>> {
    let setting = |name: &str, value: &Value| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (name.to_owned(), value)
    };
    let any = scratch("boards").join("any.txt");
    std::fs::write(&any, "()\n").expect("it can be written");
    let rules = match text(&generator["kind"]) {
        "shape-color" => {
            let mut settings = Vec::new();
            for (key, name) in [
                ("pieces", "pieces"),
                ("shapes", "shapes"),
                ("colors", "colors"),
                ("shape_set", "shape_list"),
                ("color_set", "color_list"),
                ("crowded", "crowded"),
            ] {
                match &generator[key] {
                    Value::Null => {}
                    Value::Array(items) if key.ends_with("set") => {
                        settings.push((
                            name.to_owned(),
                            items.iter().map(text).collect::<Vec<_>>().join(";"),
                        ));
                    }
                    Value::Array(pair) => {
                        settings.push((name.to_owned(), format!("{}:{}", pair[0], pair[1])))
                    }
                    other => settings.push(setting(name, other)),
                }
            }
            Rules::open_with(&any, &[], &settings, "all")
        }
        "trial-list" if pictured => {
            let file = corpus.join(text(&generator["trial_list"]));
            let settings = [
                setting("row", &generator["row"]),
                setting("seed", &generator["seed"]),
                ("mode".to_owned(), "server".to_owned()),
            ];
            Rules::open_with(&file, &[], &settings, "all")
        }
        "trial-list" => {
            let file = corpus.join(text(&generator["trial_list"]));
            let settings = [setting("row", &generator["row"])];
            Rules::open_with(&any, &[file], &settings, "all")
        }
        "images" => Rules::open_with(&any, &of_images(corpus, generator), &[], "all"),
        _ => return None,
    };
    let rules = rules.expect("the files can be read");
    let output = rules.output.as_ref()?;
    let game = InterpretedGame::new(output.game.clone()).expect("a sound game");
    let info = game.info().episode.expect("an episode");
    let mut boards = Boards::new(info, info.boards, generator["seed"].as_i64()?).ok()?;
    boards.skip_ranges(generator["board_no"].as_u64().unwrap_or(0));
    let mut board = Board::EMPTY;
    boards.draw(&mut board).ok()?;
    let units = (0..64).filter(|unit| board.present >> unit & 1 == 1);
    let piece = |unit: usize| {
        let place = if info.crowded {
            i64::from(board.places[unit])
        } else {
            unit as i64
        };
        (
            place + 1,
            info.kinds[usize::from(board.kinds[unit])].name.to_owned(),
        )
    };
    Some(units.map(piece).collect())
}

/// Whether the boards of a trial list are drawn as the compiler can repeat it. Not so where they are given in the order of a
/// folder's listing; and where there are so many pieces that boards are drawn while compiling, earlier ones are not left out.
fn is_drawn(corpus: &Path, generator: &Value) -> bool {
    let file = corpus.join(text(&generator["trial_list"]));
    let lists = std::fs::read_to_string(file).expect("there is a trial list");
    let many = lists.contains("/composite/g55")
        || text(&generator["trial_list"]).contains("composite-01") && generator["row"] == 1;
    !(lists.contains("initial_boards") || (many && generator["board_no"] != 0))
}

#[test]
fn boards_from_seeds_are_those_of_the_original() {
    let Some(corpus) = corpus() else { return };
    let entries = std::fs::read_dir(corpus.join("oracle/rulesets")).expect("it can be read");
    let (mut equal, mut other, mut wrong) = (0, 0, Vec::new());
    let mut seen = BTreeSet::new();
    for entry in entries.flatten() {
        let record = read(&entry.path());
        for case in list(&record["cases"]) {
            let generator = &case["generator"];
            let kind = text(&generator["kind"]);
            let known = matches!(kind, "shape-color" | "trial-list" | "images");
            let board = || list(&case["board"]).iter();
            let pictured = board().any(|piece| piece["image"].is_string());
            if !known || (pictured && kind == "trial-list" && !is_drawn(&corpus, generator)) {
                other += 1;
                continue;
            }
            if !seen.insert(generator.to_string()) {
                equal += 1;
                continue;
            }
            let expected = list(&case["board"]).iter().map(|piece| {
                let name = match piece["image"].as_str() {
                    Some(image) => image.to_owned(),
                    None => format!("{}_{}", text(&piece["color"]), text(&piece["shape"])),
                };
                (piece["pos"].as_i64().unwrap_or(0), name)
            });
            let expected: Vec<(i64, String)> = expected.collect();
            match drawn(&corpus, generator, pictured) {
                Some(found) if found == expected => equal += 1,
                found => wrong.push(format!("{generator}: {found:?}, expected {expected:?}")),
            }
        }
    }
    println!("{equal} boards equal, {other} of other kinds");
    assert!(
        wrong.is_empty(),
        "{} wrong, {equal} equal:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}
