//! Our own rule sets: counts, learners, analysis.

use serde_json::Value;

use crate::{list, own, rulec, scratch, text};

#[test]
fn our_rule_sets_have_the_counts_of_their_tables() {
    let entries = std::fs::read_dir(own("")).expect("the folder can be read");
    let mut checked = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        if !path
            .extension()
            .is_some_and(|ending| ending == "txt" || ending == "csv")
        {
            continue;
        }
        let table = std::fs::read_to_string(path.with_extension("perft"));
        let table = table.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let line = table
            .lines()
            .find_map(|line| line.strip_prefix("all "))
            .expect("a line of counts");
        let depth = line.split(' ').count().to_string();
        let args = ["perft", &path.display().to_string(), &depth, "--json"].map(str::to_owned);
        let output = rulec(&args, b"");
        let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let found: Vec<String> = list(&found["depths"])
            .iter()
            .map(Value::to_string)
            .collect();
        assert_eq!(found.join(" "), line, "{}", path.display());
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} rule sets");
}

#[test]
fn learners_and_analysis_tell_what_they_find() {
    let file = own("around.txt").display().to_string();
    let svg = scratch("learn").join("curve.svg");
    let svg_name = svg.display().to_string();
    let learn = [
        "learn",
        &file,
        "--episodes",
        "3",
        "--runs",
        "3",
        "--json",
        "--svg",
        &svg_name,
    ]
    .map(str::to_owned);
    let found: Value = serde_json::from_slice(&rulec(&learn, b"").stdout).expect("it is JSON");
    let curves = list(&found["curves"]);
    let names: Vec<&str> = curves.iter().map(|curve| text(&curve["learner"])).collect();
    assert_eq!(names, ["random", "remembering", "bayes"]);
    let last = |curve: &Value| {
        list(&curve["errors"])
            .last()
            .and_then(Value::as_f64)
            .expect("a number")
    };
    assert!(
        last(&curves[2]) < last(&curves[0]),
        "what is learnt helps: {found}"
    );
    let picture = std::fs::read_to_string(svg).expect("it was drawn");
    assert!(picture.starts_with("<svg") && picture.contains("polyline"));

    let analyse = [
        "analyse", &file, "--boards", "3", "--set", "pieces=4", "--json",
    ]
    .map(str::to_owned);
    let found: Value = serde_json::from_slice(&rulec(&analyse, b"").stdout).expect("it is JSON");
    assert_eq!(found["searched_completely"], 3);
    assert_eq!(found["can_get_stuck"], 0);
    // The first piece goes anywhere; each of three others has one bucket of four.
    assert_eq!(found["errors"]["mean"], 9.0, "{found}");
    assert_eq!(found["first_right"]["mean"], 1.0);
}

#[test]
fn the_captive_server_lists_numbers_as_numbers() {
    let list = own("low_cards.csv").display().to_string();
    let args = ["captive", &list, "1", "seed=1", "output=BRIEF"].map(str::to_owned);
    let output = rulec(&args, b"FEATURES\nEXIT\n");
    let told = String::from_utf8_lossy(&output.stdout);
    let features = r#"{"suit":["clubs","hearts","spades"],"value":[1,2,3,4,5,6]}"#;
    assert!(told.lines().any(|line| line == features), "{told}");
}

/// The boards follow from the description of the original's generator, worked out by hand: cells are drawn, one of them is
/// moved to a wanted place, and only then shapes and colors are drawn.
#[test]
fn a_board_for_testing_is_moved_to_the_wanted_places_before_its_pieces_are_drawn() {
    let folder = scratch("wanted");
    std::fs::create_dir_all(folder.join("cond")).expect("a folder can be made");
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    put("any.txt", "()\n");
    put("cond/corner.txt", "(pos:[25,31])\n");
    let expected = [
        (
            1,
            "25 RED STAR, 29 RED CIRCLE, 33 YELLOW TRIANGLE, 34 RED CIRCLE",
        ),
        (
            2,
            "5 YELLOW TRIANGLE, 22 BLACK SQUARE, 24 RED TRIANGLE, 31 BLUE TRIANGLE",
        ),
        (
            3,
            "14 BLUE TRIANGLE, 15 BLACK CIRCLE, 17 YELLOW SQUARE, 31 RED TRIANGLE",
        ),
    ];
    for (seed, expected) in expected {
        let rules = folder.join("any.txt").display().to_string();
        let args = [
            "captive",
            &format!("inputDir={}", folder.display()),
            &format!("condTest={}", folder.join("cond/corner.txt").display()),
            &format!("seed={seed}"),
            "output=STANDARD",
            &rules,
            "4",
        ]
        .map(str::to_owned);
        let output = rulec(&args, b"EXIT\n");
        let told = String::from_utf8_lossy(&output.stdout);
        let board = told.lines().find(|line| line.starts_with('{'));
        let board: Value = serde_json::from_str(board.expect("a board")).expect("it is JSON");
        let mut pieces: Vec<(i64, String)> = list(&board["value"])
            .iter()
            .map(|piece| {
                let number = |key: &str| piece[key].as_i64().expect("a number");
                let look = format!("{} {}", text(&piece["color"]), text(&piece["shape"]));
                (number("x") + 6 * (number("y") - 1), look)
            })
            .collect();
        pieces.sort();
        let found: Vec<String> = pieces
            .iter()
            .map(|(at, look)| format!("{at} {look}"))
            .collect();
        assert_eq!(found.join(", "), expected, "seed {seed}");
    }
}
