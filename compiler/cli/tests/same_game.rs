//! Two rule files of different languages are proved the same game, or shown to differ.

use std::path::{Path, PathBuf};

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_cli::samegame::{Report, Settings, compare, stated};

use crate::corpus;

fn game(file: &Path) -> InterpretedGame {
    let rules = Rules::open(file, "none").expect("the file can be read");
    InterpretedGame::new(rules.output.expect("it compiles").game).expect("it is sound")
}

fn compared(files: [&Path; 2], map: &str) -> Report {
    let games = files.map(game);
    let [one, other] = &games;
    let settings = Settings {
        states: 20_000,
        stated: stated(map).expect("the lines are well formed"),
        steps: 1_000_000,
    };
    let starts = [
        rulec_engines::interpreted(one),
        rulec_engines::interpreted(other),
    ];
    compare([&starts[0], &starts[1]], &settings, &|_| {}).expect("both can be visited")
}

fn own(file: &str) -> PathBuf {
    corpus::root().join("games").join(file)
}

fn pair(name: &str, map: &str) -> Report {
    let files = [
        own(&format!("bgm/{name}.bgm")),
        own(&format!("s3/{name}.s3")),
    ];
    compared([&files[0], &files[1]], map)
}

#[test]
fn tic_tac_toe_is_one_game_in_two_languages() {
    let report = pair("tic_tac_toe", "");
    assert!(report.is_same(), "{}", report.text());
    assert_eq!(report.positions, [5478, 5478]);
    assert_eq!(report.edges, [16167, 16167]);
    assert!(report.one_to_one);
    let mapping = report.mapping.expect("a renaming holds");
    // Every square has one name in bgm, and one for each cross or nought that may come to it in s3.
    assert_eq!(mapping.len(), 9 * 5 + 9 * 4);
}

#[test]
fn nim_is_one_game_in_two_languages() {
    let report = pair("nim", "");
    assert!(report.is_same(), "{}", report.text());
    assert_eq!((report.positions, report.edges), ([232, 232], [1356, 1356]));
    // Two stones of three leave the first match in s3, two of five the third one: names do not correspond.
    assert_eq!(report.mapping, None);
    assert!(report.one_to_one);
}

#[test]
fn the_corpus_has_tic_tac_toe_twice() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let bgm = folder.with_file_name("bgm").join("tictactoe.bgm");
    let report = compared([&bgm, &folder.join("TicTacToe/TicTacToe.s3")], "");
    assert!(report.is_same() && report.one_to_one, "{}", report.text());
}

#[test]
fn a_renaming_can_be_stated() {
    // The board turned by a quarter is as good, the corner for the middle is not.
    let turned = "cross DrawCross nw = x(1) xt(1) b(3,1)\ncross DrawCross n = x(1) xt(1) b(3,2)\n";
    let report = pair("tic_tac_toe", turned);
    assert!(report.is_same() && report.one_to_one, "{}", report.text());
    let mapping = report.mapping.expect("a renaming holds");
    let of = |text: &str| {
        mapping
            .iter()
            .find(|(_, other)| other == text)
            .map(|(one, _)| one.as_str())
    };
    assert_eq!(of("x(1) xt(1) b(3,3)"), Some("cross DrawCross ne"));
    let wrong = pair("tic_tac_toe", "cross DrawCross nw = x(1) xt(1) b(2,2)");
    assert!(!wrong.is_same() && wrong.difference.is_none());
    assert!(
        wrong.text().contains("not under the renaming"),
        "{}",
        wrong.text()
    );
    assert!(stated("cross DrawCross nw").is_err());
}

#[test]
fn a_difference_is_shown_by_a_short_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same-game");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = std::fs::read_to_string(own("bgm/tic_tac_toe.bgm")).expect("the rules");
    let row = "LoseCondition\n    require contains w Cross\n    require contains m Cross\n    require contains e Cross\n";
    assert!(text.contains(row), "the middle row of crosses");
    let file = folder.join("other.bgm");
    std::fs::write(&file, text.replace(row, "")).expect("it can be written");
    let report = compared([&file, &own("s3/tic_tac_toe.s3")], "");
    assert!(!report.is_same());
    let difference = report.difference.expect("there is one");
    assert_eq!(
        difference.moves.each_ref().map(Vec::len),
        [5, 5],
        "{difference:?}"
    );
    let over = difference
        .facts
        .iter()
        .filter(|fact| fact.starts_with("over"))
        .count();
    assert_eq!(over, 1, "{difference:?}");
}
