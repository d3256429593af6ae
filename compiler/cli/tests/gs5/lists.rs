//! Trial lists on the command line: every row is looked at, none is played longer than it says, and what is mistyped is told.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::{rulec, scratch};

/// A folder with two rule sets and a trial list.
fn list(name: &str, rows: &str) -> PathBuf {
    let folder = scratch("lists").join(name);
    let rules = folder.join("rules");
    std::fs::create_dir_all(&rules).expect("a folder can be made");
    let write = |path: PathBuf, text: &str| std::fs::write(path, text).expect("it can be written");
    write(rules.join("any.txt"), "()\n");
    write(rules.join("one.txt"), "(bucket:1)\n");
    let list = folder.join("list.csv");
    write(list.clone(), rows);
    list
}

fn run(verb: &str, file: &Path, more: &[&str]) -> (Output, String) {
    let mut args = vec![verb.to_owned(), file.display().to_string()];
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    let output = rulec(&args, b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, errors)
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn every_row_is_checked_and_findings_name_theirs() {
    let good = list("good", "rule_id,max_boards\nany,2\none,3\n");
    let (output, errors) = run("check", &good, &["--games", "5"]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{errors}");
    assert!(told.contains("row 1 of 2, any: ok") && told.contains("row 2 of 2, one: ok"));
    let bad = list("bad", "rule_id,max_boards\nany,2\nnowhere,3\n");
    let (output, errors) = run("check", &bad, &["--games", "5"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("row 2 of 2, nowhere:") && errors.contains("list.csv:3:1"));
    let (output, _) = run("check", &bad, &["--games", "5", "--set", "row=1"]);
    assert!(output.status.success());
}

#[test]
fn what_is_mistyped_in_a_list_is_told_where_it_stands() {
    let rows = "rule_id,max_board,feedback_switches\nany,2,fixd\n";
    let (output, errors) = run("check", &list("typos", rows), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("list.csv:1:9") && errors.contains("did you mean `max_boards`?"));
    assert!(errors.contains("list.csv:2:7") && errors.contains("did you mean `fixed`?"));
}

#[test]
fn learners_play_all_series_and_no_board_too_many() {
    let rows = "rule_id,max_boards,min_objects,max_objects\nany,2,3,3\none,3,4,4\none,2,4,4\n";
    let file = list("learn", rows);
    let curve = |more: &[&str]| {
        let args = [&["--json", "--learner", "bayes"], more].concat();
        let (output, errors) = run("learn", &file, &args);
        assert!(output.status.success(), "{errors}");
        (json(&output), errors)
    };
    let (all, errors) = curve(&["--runs", "3"]);
    let errors_of = |value: &Value| value["curves"][0]["errors"].as_array().map(Vec::len);
    assert_eq!((errors_of(&all), errors.as_str()), (Some(7), ""));
    assert_eq!(all["series"][1]["rule"], "one");
    // Everything is right in the first series; what is learnt in the second is known in the third.
    let mean = |episode: usize| all["curves"][0]["errors"][episode].as_f64();
    assert_eq!((mean(0), mean(5)), (Some(0.0), Some(0.0)));
    assert!(mean(2) > Some(0.0));
    let (more, errors) = curve(&["--runs", "1", "--episodes", "9"]);
    assert_eq!(errors_of(&more), Some(7));
    assert!(errors.contains("series 1 has max_boards 2, 9 are asked for"));
    assert!(more["curves"][0]["margins"][2].is_null());
    let (row, _) = curve(&["--runs", "2", "--set", "row=2"]);
    assert_eq!(errors_of(&row), Some(3));
}

#[test]
fn commands_for_one_game_say_which_row_they_take() {
    let file = list("note", "rule_id,max_boards\nany,2\none,3\n");
    let note = "has 2 rows; row 1 is taken";
    let (_, errors) = run("attempts", &file, &["--episodes", "5"]);
    assert!(errors.contains(note), "{errors}");
    let (_, errors) = run("attempts", &file, &["--episodes", "5", "--set", "row=2"]);
    assert!(!errors.contains(note), "{errors}");
}

#[test]
fn one_board_is_looked_at_where_one_is_named() {
    let file = list("board", "rule_id,max_boards\none,2\n");
    let board = |name: &str, pieces: usize| {
        let piece = |id: usize| {
            format!(
                r#"{{"id":{id},"x":{},"y":1,"shape":"star","color":"red"}}"#,
                id + 1
            )
        };
        let all: Vec<String> = (0..pieces).map(piece).collect();
        let path = file.with_file_name(name);
        let text = format!(r#"{{"value":[{}]}}"#, all.join(","));
        std::fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    };
    let rules = file.with_file_name("rules").join("one.txt");
    // Each piece has one bucket of four: three errors on the average.
    for (name, pieces) in [("two.json", 2), ("five.json", 5)] {
        let path = board(name, pieces);
        let (output, errors) = run("analyse", &rules, &["--board", &path, "--json"]);
        assert!(output.status.success(), "{errors}");
        let found = json(&output);
        let mean = found["errors"]["mean"].as_f64().expect("a number");
        assert!((mean - 3.0 * pieces as f64).abs() < 1e-9, "{found}");
        assert!(found["errors"]["margin"].is_null());
    }
    let path = board("three.json", 3);
    let (output, errors) = run("replay", &rules, &["--board", &path, "--moves", "1 1; 2 1"]);
    assert!(output.status.success(), "{errors}");
    let (output, _) = run("explain", &rules, &["1 2", "--board", &path]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("cannot go to bucket 2, but to 1"), "{told}");
    assert!(
        told.contains("one.txt:1:1") && told.contains("row 1 of 1 is active"),
        "{told}"
    );
}

#[test]
fn the_board_of_moves_shows_pieces_and_what_they_are() {
    let folder = scratch("lists").join("drawn");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (rules, board) = (folder.join("any.txt"), folder.join("b.json"));
    std::fs::write(&rules, "()\n").expect("it can be written");
    let text = r#"{"value":[{"id":0,"x":1,"y":1,"shape":"star","color":"blue"},{"id":1,"x":2,"y":1,"shape":"star","color":"black"}]}"#;
    std::fs::write(&board, text).expect("it can be written");
    let (output, errors) = run("moves", &rules, &["--board", &board.display().to_string()]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{errors}");
    assert!(
        told.contains("l* b*") && told.contains("b* black star, l* blue star"),
        "{told}"
    );
    assert!(!told.contains("RED_SQUARE"), "{told}");
}
