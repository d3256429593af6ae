//! `rulec check`: what it says of a game, and that it is right.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::corpus;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn rulec(cache: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(args)
        .current_dir(corpus::root())
        .stdin(Stdio::null())
        .env("RULEC_CACHE", cache)
        .output()
        .expect("the program starts")
}

fn check(args: &[&str]) -> Output {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-cache");
    rulec(&cache, &[&["check"], args].concat())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("texts are UTF-8")
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn codes(report: &Value) -> Vec<&str> {
    let found = report["diagnostics"].as_array().expect("a list");
    found.iter().filter_map(|d| d["code"].as_str()).collect()
}

#[test]
fn results_are_counted_and_the_same_every_time() {
    let file = "games/s3/tic_tac_toe.s3";
    let [first, again] = [check(&[file, "--json"]), check(&[file, "--json"])];
    assert_eq!(first.stdout, again.stdout);
    let told = report(&first);
    let games = told["games"].as_u64().expect("a number");
    assert!(games >= 200, "{told}");
    let won = told["won"].as_array().expect("a list");
    let won: u64 = won.iter().filter_map(|won| won["games"].as_u64()).sum();
    assert_eq!(won + told["drawn"].as_u64().expect("a number"), games);
    assert_eq!(told["length"]["min"], 5);
    assert_eq!(told["length"]["max"], 9);
    assert_eq!(told["choices"]["max"], 45);
    assert_eq!(codes(&told), Vec::<&str>::new());
    let shown = check(&[file, "--games", "100", "--seed", "3"]);
    let shown = text(&shown.stdout);
    for part in [
        "100 random games",
        "won by cross ",
        "won by nought ",
        "drawn ",
        " 5 to 9\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let alone = check(&["games/gs5/low_cards.csv", "--games", "20"]);
    assert!(
        text(&alone.stdout).contains("cleared 20 (100%)"),
        "{alone:?}"
    );
}

/// What is put in place of what, the code that this brings, and the line that it points at.
type Change = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static str,
);

/// Changes of the game that `rulec new` makes.
const CHANGES: [Change; 7] = [
    (
        "nobody wins",
        &[("winner=3 - PLAYER", "winner=0")],
        "RC-W0101",
        "[ELEMENT TYPES]",
    ),
    (
        "no game ends",
        &[
            ("situation=NOT EMPTY(\"f(0)\")", "situation=SCORE(1) == 7"),
            ("StepOf(2) OR StepOf(3)", "StepOf(0 - 1)"),
        ],
        "RC-W0102",
        "winner=3 - PLAYER",
    ),
    (
        "a player never moves",
        &[("followup=NEXTPLAYER", "")],
        "RC-W0103",
        "[GAME RULES]\nname=",
    ),
    (
        "a rule never applies",
        &[(
            "[GAME RULES]\n",
            "[GAME RULES]\nname=leap\nelement=counter\nfrom=f($FROM)\nto=f($TO)\ncondition=StepOf(20)\nfollowup=NEXTPLAYER\n\n",
        )],
        "RC-W0104",
        "name=leap",
    ),
    (
        "an end never comes",
        &[(
            "[GAME RULES]\n",
            "situation=(NOT EMPTY(\"f(1)\")) AND (NOT EMPTY(\"f(2)\"))\nwinner=PLAYER\n\n[GAME RULES]\n",
        )],
        "RC-W0105",
        "winner=PLAYER",
    ),
    (
        "pieces never move",
        &[(
            "[EXPRESSIONS]\n",
            "name=stone\ntype=counter\nlocation=f(5)\n\n[EXPRESSIONS]\n",
        )],
        "RC-W0106",
        "name=stone",
    ),
    (
        "a rule never passes the turn",
        &[(
            "[GAME RULES]\n",
            "[GAME RULES]\nname=creep\nelement=counter\nfrom=f($FROM)\nto=f($TO)\ncondition=StepOf(1)\n\n",
        )],
        "RC-W0107",
        "name=creep",
    ),
];

#[test]
fn what_never_happens_is_told_with_its_line() {
    let folder = folder("check-judges");
    let made = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["new", "base", "--lang", "s3"])
        .current_dir(&folder)
        .status();
    assert!(made.expect("the program starts").success());
    let base = std::fs::read_to_string(folder.join("base/base.s3")).expect("it is there");
    for (name, changes, code, line) in CHANGES {
        let mut rules = base.clone();
        for (old, new) in changes {
            assert!(rules.contains(old), "{name}: {old}");
            rules = rules.replace(old, new);
        }
        let file = folder.join("changed.s3");
        std::fs::write(&file, &rules).expect("it can be written");
        let output = check(&[file.to_str().expect("a plain path"), "--json"]);
        let told = report(&output);
        assert_eq!(codes(&told), [code], "{name}: {told}");
        let at = &told["diagnostics"][0]["labels"][0]["span"]["start"]["line"];
        if !line.is_empty() {
            // The last line of the text that is looked for.
            let found = rules.find(line).expect("it is there") + line.len();
            let number = rules[..found].lines().count() as u64;
            assert_eq!(at.as_u64(), Some(number), "{name}: {told}");
        }
        assert_eq!(output.status.code(), Some(0), "{name}: a warning");
        assert!(text(&output.stderr).contains(code), "{name}");
    }
}

/// What is put in place of what, the code that this brings, and the condition that it shows.
const STOPS: [(&str, &str, &str, &str); 3] = [
    (
        "followup=NEXTPLAYER\n",
        "followup=NEXTPLAYER\n\nname=leap\nelement=counter\nfrom=f($FROM)\nto=f($TO)\ncondition=($TO > $FROM) AND ($TO < $FROM)\n",
        "RC-W0104",
        "condition=($TO > $FROM) AND ($TO < $FROM)",
    ),
    ("condition=", "player=1\ncondition=", "RC-W0103", "player=1"),
    (
        "[GAME RULES]\n",
        "situation=(NOT EMPTY(\"f(1)\")) AND (NOT EMPTY(\"f(2)\"))\nwinner=1\n\n[GAME RULES]\n",
        "RC-W0105",
        "situation=(NOT EMPTY(\"f(1)\")) AND (NOT EMPTY(\"f(2)\"))",
    ),
];

#[test]
fn the_first_condition_that_never_holds_is_shown() {
    let folder = folder("check-stops");
    let made = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["new", "base", "--lang", "s3"])
        .current_dir(&folder)
        .status();
    assert!(made.expect("the program starts").success());
    let base = std::fs::read_to_string(folder.join("base/base.s3")).expect("it is there");
    for (old, new, code, line) in &STOPS {
        assert!(base.contains(old), "{old}");
        let rules = base.replacen(old, new, 1);
        let file = folder.join("changed.s3");
        std::fs::write(&file, &rules).expect("it can be written");
        let told = report(&check(&[
            file.to_str().expect("a plain path"),
            "--games",
            "300",
            "--json",
        ]));
        let found = told["diagnostics"].as_array().expect("a list");
        let found = found.iter().find(|one| one["code"] == *code);
        let labels = found.unwrap_or_else(|| panic!("{code}: {told}"))["labels"].as_array();
        let number = rules.lines().position(|text| text.contains(line));
        let number = number.map(|number| number as u64 + 1);
        let at = |label: &Value| label["span"]["start"]["line"].as_u64() == number;
        assert!(
            labels.is_some_and(|labels| labels.iter().any(at)),
            "{line}: {told}"
        );
    }
}

#[test]
fn our_own_games_raise_no_false_alarm() {
    for file in [
        "games/s3/frogs.s3",
        "games/s3/eight_puzzle.s3",
        "games/s3/connect_four_5x4.s3",
        "games/bbgel/ladders.bbgel",
        "games/bgm/parking.bgm",
        "games/bgm/mole.bgm",
        "games/bgc/three_camps.json",
        "games/gs5/low_cards.csv",
    ] {
        let told = report(&check(&[file, "--json"]));
        assert_eq!(codes(&told), Vec::<&str>::new(), "{file}");
    }
}

#[test]
fn what_tells_sides_apart_is_told_where_nothing_exchanges_them() {
    for (file, told) in [
        ("games/s3/fox_and_hounds.s3", true),
        ("games/s3/frogs.s3", false),
    ] {
        let output = check(&[file, "--games", "2"]);
        assert_eq!(
            text(&output.stdout).contains("are told apart at"),
            told,
            "{file}"
        );
    }
}

/// A choice that is never offered, because each player has one card to lose.
const ONE_CARD: &str = "Type Card
Players ann bob
Card red
    owner ann
Card blue
    owner bob
Action Rest
    effect players player.left
Action Fine
    effect disown Card all
    effect players player.left
LoseCondition
    require not owns Card
";

#[test]
fn choices_without_an_alternative_are_no_dead_rules() {
    let folder = folder("check-choices");
    let told = |name: &str, rules: &str| {
        let file = folder.join(name);
        std::fs::write(&file, rules).expect("it can be written");
        report(&check(&[file.to_str().expect("a plain path"), "--json"]))
    };
    let one = told("one_card.bgm", ONE_CARD);
    assert_eq!(codes(&one), Vec::<&str>::new(), "{one}");
    let none = told("nothing.bgm", "Type Box\nPlayers 2\nBox b\n");
    assert!(!codes(&none).contains(&"RC-W0104"), "{none}");
}

/// A rule file with a warning of the compiler.
const WARNED: &str = "games/gs5/row_by_row.txt";

#[test]
fn warnings_are_told_once_a_day_and_file() {
    let cache = folder("check-warned");
    let told = |args: &[&str]| {
        let output = rulec(&cache, args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stderr).contains("GS5-W0201")
    };
    assert!(told(&["moves", WARNED, "--json"]));
    assert!(!told(&["moves", WARNED, "--json"]), "the second time");
    assert!(!told(&["info", WARNED]), "by whichever command");
    assert!(told(&["moves", WARNED, "--warnings", "always"]));
    assert!(told(&["moves", WARNED, "--format", "json"]), "for tools");
    assert!(!told(&[
        "moves",
        WARNED,
        "--format",
        "json",
        "--warnings",
        "never"
    ]));
    for _ in 0..2 {
        assert!(told(&["check", WARNED, "--games", "0"]));
    }
    assert!(told(&[
        "check",
        WARNED,
        "--games",
        "0",
        "--warnings",
        "never"
    ]));
    // Where nothing can be noted, nothing is hidden and nothing fails.
    let nowhere = cache.join("file");
    std::fs::write(&nowhere, "").expect("it can be written");
    for _ in 0..2 {
        let output = rulec(&nowhere, &["moves", WARNED]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stderr).contains("GS5-W0201"));
    }
}
