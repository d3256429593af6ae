//! The program `rulec`: output, exit codes and the files that it writes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::corpus;

/// A folder for one test, empty at the start.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn rulec_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("RULEC_CACHE", corpus::cache())
        .output()
        .expect("the program starts")
}

fn rulec(args: &[&str]) -> Output {
    rulec_in(&corpus::root(), args)
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the program ends by itself")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("texts are UTF-8")
}

/// The standard output of a command that succeeds.
fn stdout(args: &[&str]) -> String {
    let output = rulec(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

fn answer(args: &[&str]) -> Value {
    let out = stdout(args);
    assert_eq!(out.lines().count(), 1, "one object on one line: {out}");
    serde_json::from_str(&out).expect("the output is JSON")
}

const FROGS: &str = "games/s3/frogs.s3";

#[test]
fn a_new_game_checks_clean_and_plays() {
    let folder = folder("new");
    let made = rulec_in(&folder, &["new", "hop", "--lang", "s3"]);
    assert_eq!(code(&made), 0, "{}", text(&made.stderr));
    let checked = rulec_in(&folder, &["check", "hop/hop.s3", "--games", "200"]);
    assert_eq!(text(&checked.stderr), "", "no warning either");
    assert_eq!(code(&checked), 0);
    let summary = text(&checked.stdout);
    assert!(summary.starts_with("ok: 2 players, 13 locations, 1 element, 1 rule; 200 random games: 0 invariant failures\n  won by "), "{summary}");
    let made = rulec_in(&folder, &["new", "run", "--lang", "bgc"]);
    assert_eq!(code(&made), 0, "{}", text(&made.stderr));
    let checked = rulec_in(&folder, &["check", "run/run.json", "--games", "200"]);
    assert_eq!(text(&checked.stderr), "", "no warning either");
    assert_eq!(code(&checked), 0);
    let again = rulec_in(&folder, &["new", "hop"]);
    assert_eq!(code(&again), 2, "a folder is never overwritten");
    assert!(text(&again.stderr).contains("exists already"));
    for (name, lang) in [("../up", "s3"), ("hop2", "go")] {
        let refused = rulec_in(&folder, &["new", name, "--lang", lang]);
        assert_eq!(code(&refused), 2, "{name} {lang}");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("it is there").count(), 2);
}

#[test]
fn a_new_game_of_every_shape_checks_clean() {
    let folder = folder("new-shapes");
    let shapes: [&[&str]; 25] = [
        &["s3", "placing"],
        &["s3", "placing", "--board", "3x4", "--players", "3"],
        &["s3", "placing", "--board", "4x4", "--players", "4"],
        &["s3", "moving"],
        &["s3", "moving", "--board", "2x4"],
        &["s3", "racing", "--players", "4"],
        &["s3", "racing", "--board", "2x4"],
        &["s3", "puzzle"],
        &["s3", "puzzle", "--board", "4x2"],
        &["s3", "cards"],
        &["bgc", "moving"],
        &["bgc", "moving", "--board", "2x4"],
        &["bgc", "racing"],
        &["bgc", "racing", "--board", "2x4"],
        &["bgm", "cards"],
        &["bgm", "cards", "--players", "4"],
        &["bgm", "moving"],
        &["bgm", "moving", "--board", "2x4"],
        &["bgm", "placing"],
        &["bgm", "placing", "--board", "5x6"],
        &["bgm", "racing"],
        &["bgm", "racing", "--board", "2x2"],
        &["bgm", "puzzle"],
        &["bgm", "puzzle", "--board", "4x4"],
        &["bbgel", "racing", "--players", "3"],
    ];
    for (n, shape) in shapes.iter().enumerate() {
        let name = format!("game{n}");
        let args = [
            &["new", &name, "--lang", shape[0], "--kind", shape[1]],
            &shape[2..],
        ]
        .concat();
        let made = rulec_in(&folder, &args);
        assert_eq!(code(&made), 0, "{args:?}: {}", text(&made.stderr));
        let told = text(&made.stdout);
        let file = told.trim_end().rsplit(' ').next().unwrap_or_default();
        let checked = rulec_in(&folder, &["check", file, "--games", "40"]);
        assert_eq!(text(&checked.stderr), "", "{args:?}: no warning either");
        assert_eq!(code(&checked), 0, "{args:?}");
        assert!(!text(&checked.stdout).contains("faulted"), "{args:?}");
    }
    for refused in [
        &["new", "a", "--lang", "bgc", "--kind", "cards"][..],
        &["new", "a", "--kind", "puzzle", "--players", "2"],
        &["new", "a", "--kind", "placing", "--board", "2x2"],
        &["new", "a", "--board", "8"],
    ] {
        assert_eq!(code(&rulec_in(&folder, refused)), 2, "{refused:?}");
    }
}

#[test]
fn a_new_bgm_game_checks_clean() {
    let folder = folder("new-bgm");
    let made = rulec_in(&folder, &["new", "take", "--lang", "bgm"]);
    assert_eq!(code(&made), 0, "{}", text(&made.stderr));
    let checked = rulec_in(&folder, &["check", "take/take.bgm", "--games", "200"]);
    assert_eq!(text(&checked.stderr), "", "no warning either");
    assert_eq!(code(&checked), 0);
    let summary = text(&checked.stdout);
    assert!(
        summary.contains("200 random games: 0 invariant failures"),
        "{summary}"
    );
}

#[test]
fn mistakes_in_rules_are_told_with_exit_code_1() {
    let folder = folder("mistakes");
    let rules = std::fs::read_to_string(corpus::root().join(FROGS)).expect("it is there");
    let wrong = rules.replace("NOT EMPTY(", "NOT EMTY(");
    std::fs::write(folder.join("wrong.s3"), wrong).expect("it can be written");
    for verb in [
        &["check"][..],
        &["build", "--emit", "rust"],
        &["run"],
        &["perft"],
    ] {
        let mut args = verb.to_vec();
        args.push("wrong.s3");
        args.extend((verb == ["perft"]).then_some("2"));
        let output = rulec_in(&folder, &args);
        assert_eq!(code(&output), 1, "{verb:?}");
        assert_eq!(text(&output.stdout), "", "{verb:?}");
        let errors = text(&output.stderr);
        assert!(
            errors.contains("error[S3-E0107]") && errors.contains("wrong.s3:"),
            "{errors}"
        );
        assert!(errors.contains("did you mean `EMPTY`?"), "{errors}");
    }
    let output = rulec_in(&folder, &["check", "wrong.s3", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stderr).expect("an array");
    assert_eq!(found[0]["code"], "S3-E0107");
    let output = rulec_in(&folder, &["check", "wrong.s3", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!((code(&output), &found["ok"]), (1, &json!(false)));
    assert_eq!(found["diagnostics"][0]["code"], "S3-E0107");
}

#[test]
fn wrong_command_lines_end_with_exit_code_2() {
    for args in [
        &["dance"][..],
        &["check"],
        &["check", "no_such_file.s3"],
        &["check", "README.md"],
        &["check", FROGS, "--lang", "go"],
        &["check", FROGS, "--games", "few"],
        &["build", FROGS, "--passes", "magic"],
        &["build", FROGS, "--emit", "rust", "-o", "x"],
        &["replay", FROGS, "--moves", "gf(1) s(1) s(2)"],
        &["moves", FROGS, "--after", "nonsense"],
        &["explain-code", "S3-E9999"],
        &[
            "perft",
            FROGS,
            "3",
            "--runtime",
            "/nowhere",
            "--engine",
            "native",
        ],
    ] {
        let output = rulec(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "", "{args:?}");
        assert!(text(&output.stderr).contains("error"), "{args:?}");
    }
}

#[test]
fn codes_are_explained() {
    let out = stdout(&["explain-code", "s3-e0107"]);
    assert!(
        out.starts_with("error[S3-E0107]: unknown function\n\n"),
        "{out}"
    );
}

#[test]
fn a_move_that_is_not_legal_can_be_named_as_the_reason_names_it() {
    let reason = |file: &str, wish: &str| {
        let text = stdout(&["explain", file, wish]);
        text.lines().next().expect("a sentence").to_owned()
    };
    let chess = "games/bgc/chess.json";
    let pawn = "The white pawn on e2 cannot go to e5, but to e3, e4.";
    for wish in ["4,1 4,4", "e2 e5", "e2e5", "E2-E5", "e2, e5", "4,1; e5"] {
        assert_eq!(reason(chess, wish), pawn, "{wish}");
    }
    // Signs are no hyphens between names.
    let hexguard = "games/bgc/hexguard.json";
    let wanted = reason(hexguard, "0,-3 -3,3");
    assert_eq!(reason(hexguard, "0,-3, -3,3"), wanted);
    let draughts = "games/bgc/english_draughts.json";
    let wanted = reason(draughts, "0,2 2,4");
    assert_eq!(reason(draughts, "12-19"), wanted);
    let reversi = "games/s3/reversi.s3";
    let turns_nothing = "It would turn over no disc, and only moves that do are legal.";
    for wish in ["d(1) pool(1) b(1,1)", "d(1), b(1,1)", "b(1,1)"] {
        assert_eq!(reason(reversi, wish), turns_nothing, "{wish}");
    }
    let unknown = reason(reversi, "d(1) b(9,9)");
    assert!(
        unknown.starts_with("Nothing in this game is called `b(9,9)`"),
        "{unknown}"
    );
}

#[test]
fn how_a_game_is_compiled_is_told_to_people_and_as_data() {
    let text = stdout(&["build", "games/s3/reversi.s3", "--explain"]);
    let data = answer(&["build", "games/s3/reversi.s3", "--explain", "--json"]);
    assert_eq!(data["pieces"]["named"], false, "{data}");
    let told = |kind: &str| data[kind].as_array().expect("a list").clone();
    let (questions, effects) = (told("questions"), told("effects"));
    assert!(!questions.is_empty() && !effects.is_empty(), "{data}");
    // A line for each of them, and one for the pieces.
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + questions.len() + effects.len(), "{text}");
    for (line, told) in lines[1..].iter().zip(questions.iter().chain(&effects)) {
        let name = told["function"].as_str().expect("a name");
        assert!(line.contains(&format!("`{name}`")), "{line}: {told}");
        let places = line.contains("one place after another");
        assert_eq!(told["way"] == "places", places, "{line}: {told}");
    }
}

#[test]
fn both_engines_give_the_same_json() {
    let commands: [&[&str]; 6] = [
        &["moves"],
        &["moves", "--after", "gf(3) s(3) s(4); rf(1) s(5) s(3)"],
        &["replay", "--moves", "gf(3) s(3) s(4); gf(2) s(2) s(3)"],
        &["perft", "6", "--ended"],
        &["perft", "4", "--distinct"],
        &[
            "explore",
            "--depth",
            "7",
            "--identity",
            "full",
            "--ignore-scores",
        ],
    ];
    for command in commands {
        let with = |engine| {
            let mut args = vec![command[0], FROGS];
            args.extend(&command[1..]);
            args.extend(["--json", "--engine", engine, "--pieces", "named"]);
            answer(&args)
        };
        assert_eq!(with("interp"), with("native"), "{command:?}");
    }
}

#[test]
fn the_contracts_of_json() {
    let moves = answer(&["moves", FROGS, "--json"]);
    assert_eq!(moves["turn"], 1);
    assert_eq!(moves["distinct_moves"], 4);
    let texts: Vec<&str> = moves["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|m| m["text"].as_str())
        .collect();
    assert!(texts.contains(&"gf(3) s(3) s(4)"), "{texts:?}");
    assert_eq!(moves["moves"][0]["family"], "greenStep");
    assert!(moves["moves"][0]["args"].is_array() || moves["moves"][0]["args"].is_object());
    assert!(
        moves["state"]
            .as_str()
            .is_some_and(|s| s.ends_with("1|-1|[0]"))
    );

    let perft = answer(&["perft", FROGS, "3", "--json"]);
    assert_eq!(perft, json!({ "depths": [4, 8, 8], "distinct": false }));

    let line = "gf(3) s(3) s(4); gf(2) s(2) s(3); gf(1) s(1) s(2)";
    let replay = answer(&["replay", FROGS, "--moves", line, "--json"]);
    assert_eq!(
        replay["plies"][0],
        json!({ "turn": 1, "legal": 4, "distinct": 4 })
    );
    assert_eq!(replay["outcome"]["reason"], "stuck");
    assert_eq!(replay["plies"][3]["legal"], 0);

    let explore = answer(&["explore", FROGS, "--identity", "canonical", "--json"]);
    assert_eq!(explore["complete"], true);
    let states = explore["new_states"].as_array().expect("a list");
    assert_eq!(states.iter().filter_map(Value::as_u64).sum::<u64>(), 72);
    assert_eq!(
        explore["terminals"].as_array().map(Vec::len),
        Some(states.len())
    );
}

#[test]
fn programs_crates_and_stages_are_written() {
    let folder = folder("build");
    let rules = corpus::root().join(FROGS);
    let rules = rules.to_str().expect("a plain path");
    for (stage, part) in [
        ("ast", "greenStep"),
        ("ir", "greenStep"),
        ("rust", "pub struct Game"),
    ] {
        let out = stdout(&["build", FROGS, "--emit", stage]);
        assert!(out.contains(part), "{stage}");
        assert_eq!(
            out,
            stdout(&["build", FROGS, "--emit", stage]),
            "{stage} is deterministic"
        );
    }
    let built = rulec_in(&folder, &["build", rules]);
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    let program = folder.join(format!("frogs{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(program)
        .args(["perft", "2", "--json"])
        .output()
        .expect("it runs");
    assert_eq!(
        text(&output.stdout),
        "{\"depths\":[4,8],\"distinct\":false}\n"
    );
    let entries = std::fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(entries, 1, "nothing but the program is left");

    let made = rulec_in(&folder, &["build", rules, "--crate", "frogs-crate"]);
    assert_eq!(code(&made), 0, "{}", text(&made.stderr));
    let manifest = std::fs::read_to_string(folder.join("frogs-crate/Cargo.toml")).expect("written");
    assert!(manifest.contains("name = \"frogs\""), "{manifest}");
    assert!(folder.join("frogs-crate/Cargo.lock").exists());

    std::fs::create_dir(folder.join("nim")).expect("it can be made");
    let nim = corpus::root().join("games/s3/nim.s3");
    let refused = rulec_in(&folder, &["build", nim.to_str().expect("a plain path")]);
    assert_eq!(code(&refused), 2, "a folder is in the way");

    std::fs::copy(nim, folder.join("nim/nim.s3")).expect("it can be copied");
    let program = folder.join(format!("nim/nim{}", std::env::consts::EXE_SUFFIX));
    let whole = folder.join("nim/nim.s3");
    for rules in [
        "nim/nim.s3",
        "./nim/nim.s3",
        whole.to_str().expect("a plain path"),
    ] {
        let beside = rulec_in(&folder, &["build", rules]);
        assert_eq!(code(&beside), 0, "{}", text(&beside.stderr));
        std::fs::remove_file(&program).expect("it is beside the rules");
    }
}

#[test]
fn an_evaluation_is_built_into_a_program_of_its_rules() {
    let folder = folder("built-in");
    let rules = |file: &str| {
        let path = corpus::root().join(file);
        path.to_str().expect("a plain path").to_owned()
    };
    let (own, other) = (rules("games/s3/tic_tac_toe.s3"), rules("games/s3/nim.s3"));
    let file = "own.eval.json";
    let args = [
        "--games", "40", "--rounds", "0", "--trials", "0", "--out", file,
    ];
    let learnt = rulec_in(&folder, &[&["evaluate", &own][..], &args].concat());
    assert_eq!(code(&learnt), 0, "{}", text(&learnt.stderr));
    let made = rulec_in(&folder, &["build", &own, "--eval", file, "--crate", "made"]);
    assert_eq!(code(&made), 0, "{}", text(&made.stderr));
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).expect(path);
    assert_eq!(read("made/src/evaluation.json"), read(file));
    assert!(read("made/src/main.rs").contains("build_in("));
    let refused = rulec_in(&folder, &["build", &other, "--eval", file, "--crate", "no"]);
    assert_eq!(code(&refused), 2);
    let told = text(&refused.stderr);
    assert!(told.contains("learnt from other rules"), "{told}");
    let bare = rulec_in(
        &folder,
        &["search", &own, "--bot", "alphabeta:eval=built-in"],
    );
    let told = text(&bare.stderr);
    assert!(told.contains("build --eval"), "{told}");
}

#[test]
fn each_of_three_players_has_an_evaluation() {
    let folder = folder("three");
    let rules = corpus::root().join("games/bgc/three_camps.json");
    let rules = rules.to_str().expect("a plain path");
    let file = "three.eval.json";
    let args = [
        "--games", "60", "--rounds", "1", "--each", "20", "--out", file,
    ];
    let learnt = rulec_in(&folder, &[&["evaluate", rules][..], &args].concat());
    assert_eq!(code(&learnt), 0, "{}", text(&learnt.stderr));
    let told = text(&learnt.stdout);
    for player in ["red", "green", "blue"] {
        assert!(told.contains(&format!("{player} scout")), "{told}");
    }
    assert!(told.contains("--bot paranoid:2s:eval="), "{told}");
    for (player, status) in [("paranoid:300", 0), ("maxn:depth=2", 0), ("uct:300", 2)] {
        let bot = format!("{player}:eval={file}");
        let found = rulec_in(&folder, &["search", rules, "--bot", &bot]);
        assert_eq!(code(&found), status, "{bot}: {}", text(&found.stderr));
    }
}

#[test]
fn a_position_is_drawn() {
    let start = stdout(&["render", FROGS, "--svg", "-"]);
    let after = stdout(&["render", FROGS, "--after", "gf(3) s(3) s(4)", "--svg", "-"]);
    assert_ne!(start, after);
    for drawing in [&start, &after] {
        assert!(
            drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"),
            "{drawing}"
        );
        assert_eq!(drawing.matches("<title>gf(").count(), 3, "{drawing}");
        assert_eq!(drawing.matches("<title>s(").count(), 7, "{drawing}");
    }
    let folder = folder("render");
    let rules = corpus::root().join(FROGS);
    let rules = rules.to_str().expect("a path of text");
    let written = rulec_in(&folder, &["render", rules, "--svg", "frogs.svg"]);
    assert_eq!(code(&written), 0, "{}", text(&written.stderr));
    let file = std::fs::read_to_string(folder.join("frogs.svg")).expect("a picture");
    assert_eq!(file, start);
    let wrong = rulec(&["render", FROGS, "--after", "gf(1) s(1) s(7)", "--svg", "-"]);
    assert_eq!(code(&wrong), 2);
}

#[test]
fn a_position_can_be_given_as_text() {
    const RULES: &str = "games/bgc/breakthrough.json";
    let after = answer(&["moves", RULES, "--after", "0,1 0,2; 0,6 0,5", "--json"]);
    let state = after["state"].as_str().expect("a text");
    for engine in ["interp", "native"] {
        let with = ["--engine", engine, "--state", state, "--json"];
        let ask = |command: &[&str]| answer(&[command, &with].concat());
        // The order of moves is the engine's own.
        let moves = ask(&["moves", RULES]);
        let count = after["moves"].as_array().expect("moves").len();
        assert_eq!(moves["state"], after["state"], "{engine}");
        assert_eq!(moves["moves"].as_array().map(Vec::len), Some(count));
        for unit in ["move", "turn"] {
            let counts = ask(&["perft", RULES, "2", "--unit", unit]);
            assert_eq!(counts["depths"], json!([count, 529]), "{engine}");
        }
        let shown = stdout(&["play", RULES, "--engine", engine, "--state", state]);
        let legal = format!("{count} legal moves");
        assert!(shown.contains(&legal), "{engine}: {shown}");
    }
    let wrong = rulec(&["moves", RULES, "--state", "nonsense"]);
    assert_eq!(code(&wrong), 2);
}

/// Plays on the terminal: answers from a pipe, one a line.
fn played(args: &[&str], answers: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .arg("play")
        .args(args)
        .current_dir(corpus::root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    let answers = answers.to_owned();
    // The game may be over before everything is read.
    let writer = std::thread::spawn(move || drop(input.write_all(answers.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    assert_eq!(code(&output), 0, "{args:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

#[test]
fn whole_games_are_played_on_the_terminal() {
    // A rule file, who sits at the terminal, what a drawing of it has in it, and how the game ends.
    for (file, seats, drawn, end) in [
        ("games/s3/tic_tac_toe.s3", "1,2", " ·  ·  ·", "wins"),
        ("games/bgm/last_one.bgm", "1,2", "  7 Coin", "wins"),
        ("games/gs5/low_cards.csv", "1", " 3    ", "wins"),
        ("games/bbgel/crossroads.bbgel", "1,2", " ·  P1 ·", "wins"),
        (
            "games/bgc/breakthrough.json",
            "1,2",
            "  5  ·  ·  ·  ·",
            "wins",
        ),
    ] {
        let rules = [file, "--seed", "1", "--as", seats, "--bot", "uct:20"];
        let answers = format!(
            "help\nhint\nwhy nothing\n1\nundo\nredo\n{}",
            "1\n".repeat(400)
        );
        let shown = played(&rules, &answers);
        for part in [
            drawn,
            end,
            "legal move",
            "list all legal moves",
            "(value ",
            "is no move of",
        ] {
            assert!(
                shown.contains(part),
                "{file}: `{part}` is missing in {shown}"
            );
        }
        let last = shown.trim_end().lines().last().unwrap_or_default();
        assert!(!last.starts_with('>'), "{file}: it is not over: {shown}");
        assert!(shown.matches("played ").count() > 1, "{file}: {shown}");
    }
}

#[test]
fn draw_rules_are_left_out_by_name() {
    const CHESS: &str = "games/bgc/chess.json";
    let bytes = |without: &str| {
        let args = ["build", CHESS, "--emit", "rust", "--without", without];
        stdout(&args)
    };
    assert!(bytes("none").contains("history"));
    assert!(!bytes("repetition").contains("history"));
    let wrong = rulec(&["check", CHESS, "--without", "castling"]);
    assert_eq!(code(&wrong), 2);
    let message = text(&wrong.stderr);
    assert!(
        message.contains("castling") && message.contains("repetition"),
        "{message}"
    );
}

#[test]
fn run_passes_arguments_and_exit_codes_on() {
    let out = stdout(&["run", FROGS, "--", "selfplay", "--games", "50", "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["games"], 50);
    assert!(
        !stdout(&["run", FROGS]).is_empty(),
        "selfplay is the default"
    );
    let output = rulec(&["run", FROGS, "--", "dance"]);
    assert_eq!(code(&output), 2);
}

#[test]
fn difftest_finds_nothing_in_frogs() {
    let out = answer(&["difftest", FROGS, "--positions", "2e3", "--json"]);
    assert_eq!(out["difference"], Value::Null);
    assert!(out["positions"].as_u64() >= Some(2_000), "{out}");
}

/// Moves take crosses from the tray, to which the first one never comes: others that are like it do.
#[test]
fn of_pieces_that_are_alike_the_first_may_be_one_that_is_never_moved() {
    let rules = corpus::root().join("games/s3/tic_tac_toe.s3");
    let rules = std::fs::read_to_string(rules).expect("it is there");
    let begun = rules.replacen("location=xt(1)\n", "location=b(2,2)\n", 1);
    assert_ne!(begun, rules);
    let file = folder("begun").join("begun.s3");
    std::fs::write(&file, begun).expect("it can be written");
    let out = answer(&[
        "difftest",
        &file.to_string_lossy(),
        "--positions",
        "500",
        "--json",
    ]);
    assert_eq!(out["difference"], Value::Null);
}

#[test]
fn a_gallery_shows_the_games_of_a_folder() {
    let folder = folder("gallery");
    std::fs::create_dir_all(folder.join("games/more")).expect("the folder can be made");
    for (from, to) in [
        ("s3/tic_tac_toe.s3", "tic_tac_toe.s3"),
        ("bgm/discard.bgm", "more/cards & co.bgm"),
    ] {
        let rules = std::fs::read(corpus::root().join("games").join(from)).expect("it is there");
        std::fs::write(folder.join("games").join(to), rules).expect("it can be written");
    }
    std::fs::write(folder.join("games/broken.s3"), "[BOARD").expect("it can be written");
    let shown = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let told = stdout(&["gallery", &shown("games"), "--out", &shown("pages")]);
    assert!(told.starts_with("2 games: "), "{told}");
    let index = std::fs::read_to_string(folder.join("pages/index.html")).expect("it was written");
    for part in [
        "<h2>tic tac toe</h2>",
        "random games: won by",
        "href=\"more_cards___co_bgm.html\"",
        "Replay a game of ",
    ] {
        assert!(index.contains(part), "{part}");
    }
    let replay = std::fs::read_to_string(folder.join("pages/more_cards___co_bgm.html"));
    assert!(replay.expect("it was written").contains("is dealt"));
    let again = stdout(&["gallery", &shown("games"), "--out", &shown("again")]);
    assert!(again.starts_with("2 games: "));
    let other = std::fs::read_to_string(folder.join("again/index.html")).expect("it was written");
    assert_eq!(index, other, "the same games give the same page");
}

#[test]
fn versions_of_a_game_are_compared() {
    let rules = "games/bbgel/ladders.bbgel";
    let same = stdout(&["simulate", rules, "--games", "200", "--against", rules]);
    assert!(
        same.contains("Nothing differs by more than chance in "),
        "{same}"
    );
    let folder = folder("versions");
    let text = std::fs::read_to_string(corpus::root().join(rules)).expect("it is there");
    let slower = text.replace("maxDiceValue 6", "maxDiceValue 3");
    assert_ne!(text, slower);
    let file = folder.join("ladders_slow.bbgel");
    std::fs::write(&file, slower).expect("it can be written");
    let file = file.to_string_lossy();
    let args = [
        "simulate",
        &file,
        "--games",
        "200",
        "--against",
        rules,
        "--json",
    ];
    let report: Value = serde_json::from_str(&stdout(&args)).expect("JSON");
    let changes = report["against"]["changes"].as_array().expect("a list");
    let turns = changes
        .iter()
        .find(|change| change["what"] == "turns of a game on average");
    let turns = turns.expect("smaller dice make longer games");
    assert!(
        turns["after"].as_f64() > turns["before"].as_f64(),
        "{turns}"
    );
}

/// Every file has a line of its own, and one with errors keeps no other from being measured.
#[test]
fn bench_measures_every_file_on_every_engine() {
    let folder = folder("bench");
    std::fs::write(folder.join("bad.s3"), "[ELEMENT TYPES]\nname=").expect("a file");
    let frogs = corpus::root().join(FROGS);
    let frogs = frogs.to_str().expect("the path is UTF-8");
    let alike = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/bgm/couriers.bgm");
    let output = rulec_in(
        &folder,
        &[
            "bench",
            "bad.s3",
            frogs,
            alike,
            "--json",
            "--seconds",
            "1ms",
        ],
    );
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    let rows: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[0]["error"].is_string(), "{}", rows[0]);
    let why = rows[2]["error"].as_str();
    assert!(
        why.is_some_and(|why| why.starts_with("not run quickly: ")),
        "{}",
        rows[2]
    );
    for engine in ["interp", "quick"] {
        let speed = rows[1]["games_per_second"][engine].as_f64();
        assert!(speed.is_some_and(|speed| speed > 0.0), "{}", rows[1]);
    }
}

/// The faster engine is divided by the slower one, in whatever order they are named.
#[test]
fn bench_tells_how_many_times_as_fast_the_faster_engine_is() {
    let frogs = corpus::root().join(FROGS);
    let frogs = frogs.to_str().expect("the path is UTF-8");
    for engines in ["interp,quick", "quick,interp"] {
        let output = rulec(&["bench", frogs, "--engines", engines, "--seconds", "20ms"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let lines: Vec<Vec<&str>> = text(&output.stdout)
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(lines[0].last(), Some(&"quick/interp"), "{lines:?}");
        let ratio = lines[1].last().and_then(|ratio| ratio.parse::<f64>().ok());
        assert!(ratio.is_some_and(|ratio| ratio > 1.0), "{lines:?}");
    }
}

/// Play stops within a walk that is interrupted by a throw: what the walk keeps is part of the position.
#[test]
fn positions_within_a_walk_are_read_by_every_command() {
    let folder = folder("walk");
    let rules = "setup:\n    4 players {}\nfield 1 -> 2:\n    game_start()\nfield 2 -> 3:\n    move(roll())\nfield 3 -> 4:\nfield 4:\n    \
                 force\n    if $leftSteps == 0 then\n        game_end()\n    else\n        rollback()\n    end\n";
    std::fs::write(folder.join("walk.bbgel"), rules).expect("it can be written");
    let moves = rulec_in(&folder, &["moves", "walk.bbgel", "--after", "roll 3"]);
    let position = text(&moves.stdout)
        .lines()
        .next()
        .expect("a position")
        .to_owned();
    assert!(position.contains("left="), "{position}");
    let read = ["explain", "walk.bbgel", "--state", &position, "roll 7"];
    let told = rulec_in(&folder, &read);
    assert_eq!(code(&told), 0, "{}", text(&told.stderr));
    let tests = format!("[[test]]\nposition = \"{position}\"\noutcome = \"open\"\n");
    std::fs::write(folder.join("walk.bbgel.tests"), tests).expect("it can be written");
    let tested = rulec_in(&folder, &["test", "walk.bbgel"]);
    assert_eq!(code(&tested), 0, "{}", text(&tested.stdout));
    let mutated = rulec_in(&folder, &["mutate", "walk.bbgel", "--most", "5"]);
    let out = text(&mutated.stdout);
    assert!(out.contains(" caught, "), "{out}");
    let counted = rulec_in(&folder, &["perft", "walk.bbgel", "2", "--unit", "decision"]);
    assert_eq!(code(&counted), 2);
    let parked = [
        "perft",
        "games/bgm/parking.bgm",
        "1",
        "--unit",
        "decision",
        "--after",
    ];
    let over = "guard Park truck front; driver Park van front; guard Park mini back";
    assert!(
        stdout(&[&parked[..], &[over]].concat()).contains('0'),
        "a game that is over has decisions"
    );
    assert!(
        text(&counted.stderr).contains("nobody decides"),
        "{}",
        text(&counted.stderr)
    );
}

/// Words that mean nothing are told by name, and otherwise how moves are written.
#[test]
fn texts_that_are_no_moves_are_told_apart() {
    for (rules, wish, told) in [
        (FROGS, "gf(9) s(3) s(4)", "`gf(9)`"),
        (FROGS, "gf(3) gf(2)", "s(2) is not empty"),
        ("games/bgm/discard.bgm", "Deal ann", "is one"),
        ("games/bgm/discard.bgm", "ann Deall", "did you mean `Deal`?"),
        ("games/bgm/discard.bgm", "is dealt b2", "left to chance"),
    ] {
        let out = stdout(&["explain", rules, wish]);
        assert!(out.contains(told), "{rules} {wish}: {out}");
    }
}
