//! Which games forget the names of pieces, and why others need them: of all our games.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rulec_compiler::ir::Game;
use rulec_compiler::quotient::Quotient;
use rulec_compiler::{Options, compile_text};

/// The program of a rule file after all passes.
fn program(name: &str, text: &[u8]) -> Result<Game, String> {
    let options = Options::default();
    compile_text(name, text, &options).map(|output| output.game)
}

fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(rule_files(&path));
        } else if path.extension().is_some_and(|e| e == "s3" || e == "bgm") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What is said of the games below a folder.
fn told(folder: &Path) -> String {
    let mut text = String::new();
    for path in rule_files(folder) {
        let name = path
            .file_name()
            .expect("it is a file")
            .to_string_lossy()
            .into_owned();
        let rules = std::fs::read(&path).expect("the rules can be read");
        let Ok(game) = program(&name, &rules) else {
            continue;
        };
        let _ = match Quotient::of(&game) {
            Ok(quotient) => writeln!(text, "{name}: {} classes", quotient.classes.len()),
            Err(why) => writeln!(text, "{name}: names, for {why}"),
        };
    }
    text
}

#[test]
fn our_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let text = ["s3", "bgm"]
        .map(|language| told(&games.join(language)))
        .concat();
    expect_file!["ours.txt"].assert_eq(&text);
}

#[test]
fn games_of_the_corpus() {
    let Some(corpus) = std::env::var_os("RULEC_CORPUS") else {
        return;
    };
    let text = told(&Path::new(&corpus).join("s3"));
    if !text.is_empty() {
        println!("{text}");
    }
}

/// The Rust text of a program, on one line.
fn written(game: &Game) -> String {
    let options = rulec_compiler::codegen::Options::new("game", "rulec-runtime");
    let items = rulec_compiler::codegen::render(game, &options);
    items.expect("code can be made").to_string()
}

/// What is written for a bundled game and for the same one with an expression spelled otherwise.
fn written_otherwise(name: &str, spelled: &str, others: &[&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../games/s3")
        .join(name);
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    assert!(rules.contains(spelled));
    let each = [spelled].into_iter().chain(others.iter().copied());
    each.map(|other| {
        let rules = rules.replace(spelled, other);
        let game = program(name, rules.as_bytes()).expect("the rules are right");
        written(&game)
    })
    .collect()
}

#[test]
fn the_places_with_a_piece_of_two_classes_are_a_union_and_no_set_of_their_own() {
    let spelled = r#"FORALL($X, 1, 7, NOT EMPTY("b($X,6)"))"#;
    let others = [r#"FORALL($X, 1, 7, IF(EMPTY("b($X,6)"), 1 == 2, 1 == 1))"#];
    for text in written_otherwise("connect_four.s3", spelled, &others) {
        assert!(text.contains("fn at_taken"));
        assert!(!text.contains("at_taken :"));
    }
}

#[test]
fn whether_all_places_that_moves_go_to_are_taken_is_asked_of_how_many_are_free() {
    let spelled = r#"FORALL($X, 1, 3, FORALL($Y, 1, 3, NOT EMPTY("b($X,$Y)")))"#;
    let others = [
        r#"FORALL($Y, 1, 3, FORALL($X, 1, 3, NOT EMPTY("b($X,$Y)")))"#,
        r#"FORALL($X, 1, 3, FORALL($Y, 1, 3, IF(EMPTY("b($X,$Y)"), 1 == 2, 1 == 1)))"#,
    ];
    for text in written_otherwise("tic_tac_toe.s3", spelled, &others) {
        assert!(text.contains("s . at_free_0 . is_empty ()"));
        assert!(!text.contains("at_taken :"));
    }
}

/// Nine men's morris, with something in it changed.
fn changed_morris(from: &str, to: &str) -> Result<Quotient, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/s3/nine_mens_morris.s3");
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    assert!(rules.contains(from), "the rules have no `{from}`");
    let changed = rules.replacen(from, to, 1);
    let game = program("nine_mens_morris.s3", changed.as_bytes())?;
    Quotient::of(&game)
}

#[test]
fn men_that_are_taken_go_to_boxes_of_their_own_however_that_is_said() {
    let spellings = [
        "$BOX == $NUMBER",
        "$NUMBER == $BOX",
        "($BOX - $NUMBER) == 0",
        "($BOX <= $NUMBER) AND ($NUMBER <= $BOX)",
        "IF($BOX == $NUMBER, true, false)",
        "($BOX + $NUMBER) == 10",
    ];
    for spelling in spellings {
        let quotient = changed_morris("$BOX == $NUMBER", spelling);
        let pools = quotient.map(|quotient| quotient.pools.len());
        assert_eq!(pools, Ok(2), "{spelling}");
    }
}

#[test]
fn boxes_that_tell_men_apart_keep_their_names() {
    let changes = [
        (
            "$BOX == $NUMBER",
            "$BOX <= $NUMBER",
            "no two pieces are alike",
        ),
        (
            "SCORE(PLAYER) > 3",
            "(SCORE(PLAYER) > 3) AND EMPTY(\"box(1,1)\")",
            "nine_mens_morris.s3:563:1 puts pieces on places of others",
        ),
        (
            "name=move\n",
            "name=back\nelement=man($COLOUR,$NUMBER)\nfrom=box($RING,$POINT)\nto=p($TORING,$TOPOINT)\n\
             condition=$COLOUR == PLAYER\nfollowup=NEXTPLAYER\n\nname=move\n",
            "pieces come back from places of their own",
        ),
    ];
    for (from, to, reason) in changes {
        let quotient = changed_morris(from, to);
        let why = quotient.map(|quotient| quotient.pools.len());
        assert_eq!(why, Err(String::from(reason)), "{to}");
    }
}

#[test]
fn what_no_rule_asks_of_a_piece_is_shown_of_it() {
    let hound = "name=h(2)\ntype=hound\nplayer=2\n";
    for (other, reason) in [
        ("name=h(2)\ntype=hound\nplayer=2\nzindex=0\n", None),
        ("name=h(2)\ntype=hound\nplayer=2\nzindex=1\n", Some("z")),
        ("name=h(2)\ntype=hound\nplayer=1\n", Some("owner")),
    ] {
        let rules = include_str!("../../../games/s3/fox_and_hounds.s3");
        assert!(rules.contains(hound));
        let game = program("fox.s3", rules.replace(hound, other).as_bytes());
        let quotient = Quotient::of(&game.expect("the rules are right"));
        let told = reason.map(|name| format!("`{name}` tells alike pieces apart"));
        assert_eq!(quotient.err(), told, "{other}");
    }
}

/// How fox and hounds forgets names where the question whether no hound can move is asked in other words.
fn hounds(asked: &str) -> Result<Quotient, String> {
    hounds_with(asked, "")
}

/// The same with more expressions.
fn hounds_with(asked: &str, more: &str) -> Result<Quotient, String> {
    let rules = include_str!("../../../games/s3/fox_and_hounds.s3");
    let (loop_of_numbers, next) = (
        "  FORALL($I, 1, 4, NOT HoundFree(\"h($I)\"))\n",
        "HoundFree($HOUND)\n",
    );
    for part in [loop_of_numbers, next] {
        assert_eq!(rules.matches(part).count(), 1, "{part}");
    }
    let text = rules.replace(loop_of_numbers, asked);
    let text = text.replace(next, &format!("{more}{next}"));
    Quotient::of(&program("fox.s3", text.as_bytes())?)
}

#[test]
fn a_loop_over_numbers_of_hounds_asks_of_all_hounds_however_it_is_written() {
    for asked in [
        "  FORALL($I, 1, 4, NOT HoundFree(\"h($I)\"))\n",
        "  FORALL($I, 4, 1, NOT HoundFree(\"h($I)\"))\n",
        "  NOT FORSOME($I, 1, 4, HoundFree(\"h($I)\"))\n",
        "  $ALL = 4\n  FORALL($N, 1, $ALL, NOT HoundFree(\"h($N)\"))\n",
        "  NOT FORSOME($I, 1, 4, (STATE(\"h($I)\") == 1) AND HoundFree(\"h($I)\"))\n",
        "  FORALL($I, 1, 4, IF(HoundFree(\"h($I)\"), false, true))\n",
    ] {
        let classes = hounds(asked).map(|quotient| quotient.classes.len());
        assert_eq!(classes, Ok(2), "{asked}");
    }
    let handed_on = hounds_with(
        "  FORALL($I, 1, 4, NOT Ping(\"h($I)\"))\n",
        "Ping($H)\n  (STATE($H) == 1) AND Pong($H)\nEND\n\nPong($P)\n  HoundFree($P)\nEND\n\n",
    );
    assert_eq!(handed_on.map(|quotient| quotient.classes.len()), Ok(2));
}

#[test]
fn a_loop_that_asks_for_the_number_of_a_hound_needs_names() {
    for asked in [
        // The number says more than who it is.
        "  FORALL($I, 1, 4, (NOT HoundFree(\"h($I)\")) OR ($I == 2))\n",
        // Two hounds are asked in one round.
        "  FORALL($I, 1, 4, (NOT HoundFree(\"h($I)\")) OR (ABS(INDEXA(2, LOCATION(\"h($I)\")) - INDEXA(2, LOCATION(\"h(1)\"))) > 3))\n",
    ] {
        assert!(hounds(asked).is_err(), "{asked}");
    }
    // What one round leaves is asked in the next.
    let kept = hounds_with(
        "  $LAST = 1\n  FORALL($I, 1, 4, Seen)\n",
        "Seen\n  NOT HoundFree(\"h($LAST)\")\n  $LAST = $I\nEND\n\n",
    );
    assert!(kept.is_err());
    // Two questions that ask each other.
    let mutual = hounds_with(
        "  FORALL($I, 1, 4, NOT Ping(\"h($I)\"))\n",
        "Ping($H)\n  IF(HoundFree($H), true, IF(PLAYER == 1, Pong($H), false))\nEND\n\nPong($P)\n  Ping($P)\nEND\n\n",
    );
    assert!(mutual.is_err());
    // Those that are asked and the other one are two classes beside the fox.
    let some = hounds("  FORALL($I, 1, 3, NOT HoundFree(\"h($I)\"))\n");
    assert_eq!(some.map(|quotient| quotient.classes.len()), Ok(3));
}
