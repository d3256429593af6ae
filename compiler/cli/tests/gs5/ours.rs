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
