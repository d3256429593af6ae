//! Tests of the bgc front end: text in, text out.

mod attacks;

use rulec_ir::sorted::SortedSet;
use std::path::{Path, PathBuf};

use super::script::{Script, Value};
use super::*;
use crate::diag::{CodeInfo, Severity, Style, general, render_all};
use crate::front::Options;
use crate::ir::Game;
use rulec_interp::Interp;

fn compile_text(name: &str, bytes: &[u8]) -> (Option<Game>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = compile(&sources, id, &options, &mut diagnostics);
    (front.map(|front| front.game), diagnostics, sources)
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    files
}

fn damaged_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    let files = json_files(&folder);
    assert!(files.len() >= 40, "only {} damaged files", files.len());
    files
}

fn compile_file(path: &Path) -> (Option<Game>, Diagnostics, SourceMap) {
    let name = path.file_name().expect("a file").to_string_lossy();
    compile_text(&name, &std::fs::read(path).expect("it can be read"))
}

fn own_games() -> Vec<PathBuf> {
    let files = json_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/bgc"));
    assert!(!files.is_empty());
    files
}

#[test]
fn damaged_files_give_the_expected_diagnostics() {
    for path in damaged_files() {
        let (game, diagnostics, sources) = compile_file(&path);
        assert!(!diagnostics.is_empty(), "{} is not damaged", path.display());
        assert_eq!(
            game.is_none(),
            diagnostics.has_errors(),
            "{}",
            path.display()
        );
        let text = render_all(&sources, &diagnostics, Style::Plain);
        expect_test::expect_file![path.with_extension("stderr")].assert_eq(&text);
    }
}

#[test]
fn every_code_is_provoked_and_explained() {
    let mut seen = SortedSet::new();
    for path in damaged_files() {
        let (_, diagnostics, _) = compile_file(&path);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.code));
    }
    let table: Vec<&CodeInfo> = codes::CODES.iter().chain(general::CODES).copied().collect();
    let missing: Vec<&str> = table
        .iter()
        .map(|info| info.code)
        .filter(|code| !seen.contains(code))
        .collect();
    assert!(missing.is_empty(), "nothing in fail/ provokes {missing:?}");
    for info in codes::CODES {
        let letter = match info.severity {
            Severity::Error => "BGC-E01",
            Severity::Warning => "BGC-W02",
        };
        assert!(info.code.starts_with(letter), "{}", info.code);
        assert!(info.explanation.len() > 40 && info.explanation.ends_with('.'));
    }
}

#[test]
fn own_games_are_without_findings() {
    for path in own_games() {
        let (game, diagnostics, sources) = compile_file(&path);
        let text = render_all(&sources, &diagnostics, Style::Plain);
        assert!(game.is_some() && diagnostics.is_empty(), "{text}");
    }
}

fn value(text: &str, x: i64, y: i64) -> Value {
    match Script::parse(text, &["x", "y"]) {
        Ok(script) => script.eval(&[x, y]),
        Err(refused) => panic!("{text}: {refused:?}"),
    }
}

#[test]
fn expressions_are_those_of_javascript() {
    let number = Value::Number;
    let text = |text: &str| Value::String(text.to_owned());
    for (script, x, y, expected) in [
        ("((x + y) % 2) ? 'grey' : 'white'", 1, 2, text("grey")),
        ("((x + y) % 2) ? 'grey' : 'white'", 1, 1, text("white")),
        ("-1 % 3", 0, 0, number(-1.0)),
        ("(y + x / 2) * 4", 1, 2, number(10.0)),
        ("1 + '2'", 0, 0, text("12")),
        ("x + 1 + 'a' + x + 1", 2, 0, text("3a21")),
        ("x && 'a' || 'b'", 0, 0, text("b")),
        ("!x", 0, 0, Value::Bool(true)),
        ("'2' == 2", 0, 0, Value::Bool(true)),
        ("'2' === 2", 0, 0, Value::Bool(false)),
        ("Math.max(x, y, 3)", 1, 7, number(7.0)),
        ("Math.round(-0.5 + x)", 3, 0, number(3.0)),
        ("10 - 3 - 2", 0, 0, number(5.0)),
        ("x < y ? x : y ? 1 : 2", 5, 0, number(2.0)),
    ] {
        assert_eq!(value(script, x, y), expected, "{script}");
    }
}

#[test]
fn what_is_no_expression_is_refused_at_its_place() {
    for (script, at) in [
        ("x +", 3),
        ("alert(1)", 5),
        ("z * 2", 0),
        ("Math.random()", 0),
        ("x = 1", 2),
        ("[1]", 0),
        ("x; y", 1),
        ("", 0),
    ] {
        let refused = Script::parse(script, &["x", "y"]).expect_err(script);
        assert_eq!(refused.at, at, "{script}: {}", refused.message);
    }
}

/// Xorshift, so that the mutations are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// Words that make rules odd without making them no JSON.
const ODD: [&str; 28] = [
    "0",
    "-1",
    "1e9",
    "0.5",
    "null",
    "true",
    "false",
    "\"\"",
    "{}",
    "[]",
    "\"cancel\"",
    "\"move\"",
    "\"x\"",
    "[[]]",
    "\"repeat\": true",
    "{\"self\": {}}",
    "\"swap\"",
    "\"next_move\"",
    "\"end\"",
    "100000000000000000000",
    "\"king\"",
    "\"white\"",
    "\"steps\": [1, 3]",
    "\"if\": []",
    "\"takes\": 2",
    "\"chains\": \"longest\"",
    "\"longest\"",
    "\"continue\"",
];

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        if text.is_empty() {
            return;
        }
        let at = random.below(text.len());
        match random.below(6) {
            0 => {
                text.remove(at);
            }
            1 => text[at] = b"{}[],:\"0-tx"[random.below(11)],
            2 => {
                let end = (at + random.below(60)).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let end = (at + random.below(200)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            // A whole value becomes another one.
            _ => {
                let start = (at..text.len()).find(|i| text[*i] == b':');
                let Some(start) = start else { continue };
                let end = (start + 1..text.len()).find(|i| b",}]\n".contains(&text[*i]));
                let word = ODD[random.below(ODD.len())].bytes();
                text.splice(start + 1..end.unwrap_or(text.len()), word);
            }
        }
    }
}

#[test]
fn mutated_files_never_panic() {
    let rounds = match std::env::var("RULEC_LONG").as_deref() {
        Ok("1") => 3000,
        _ => 60,
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut sound = 0;
    for path in own_games() {
        let original = std::fs::read(&path).expect("it can be read");
        for _ in 0..rounds {
            let mut text = original.clone();
            mutate(&mut text, &mut random);
            let (game, diagnostics, sources) = compile_text("mutated.json", &text);
            render_all(&sources, &diagnostics, Style::Plain);
            let Some(game) = game else {
                assert!(diagnostics.has_errors());
                continue;
            };
            sound += 1;
            let interp = match Interp::new(game) {
                Ok(interp) => interp,
                Err(errors) => panic!("{errors:?}\n{}", String::from_utf8_lossy(&text)),
            };
            let state = interp.initial();
            let _ = interp.legal_moves(&state);
        }
    }
    assert!(sound > 0, "some mutations are harmless");
}

/// A strip of cells with one runner a player, changed by what a test replaces.
fn strip(changes: &[(&str, &str)]) -> Interp {
    let mut text = STRIP.to_owned();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    let (game, diagnostics, sources) = compile_text("strip.json", text.as_bytes());
    let findings = render_all(&sources, &diagnostics, Style::Plain);
    Interp::new(game.unwrap_or_else(|| panic!("{findings}"))).expect("it is a game")
}

const STRIP: &str = r#"{
    "name": "strip", "extensions": true, "players": ["a", "b"],
    "cell": {"coordinates_names": ["x"], "geometry": [[0, 0], [1, 0], [1, 1]], "position": {"x": "x", "y": 0}},
    "board": {"cells": [{"x": 0}, {"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}, {"x": 5}]},
    "figures": {"runner": {"movement": [{"x": 1, "also_reversed": true, "cell_actions": {"destination": [
        {"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}]}}]}},
    "initial_position": {"a": {"runner": [{"x": 0}]}, "b": {"runner": [{"x": 5}]}},
    "game_states": {
        "a_moves": {"type": "move", "parameters": {"player": "a"}, "next": "b_moves"},
        "b_moves": {"type": "move", "parameters": {"player": "b"}, "next": "a_moves"}},
    "draw_rules": {},
    "initial_game_state": "a_moves"
}"#;

/// What happens along moves given by their texts: the legal moves at the end, or the outcome.
fn along(game: &Interp, moves: &[&str]) -> String {
    let mut state = game.initial();
    for text in moves {
        let legal = game.legal_moves(&state).expect("no fault").to_vec();
        let mv = legal.iter().find(|mv| game.move_text(**mv) == *text);
        let mv = mv.unwrap_or_else(|| panic!("`{text}` is not legal: {}", game.state_text(&state)));
        assert!(game.play(&mut state, *mv));
        let again = game
            .parse_state(&game.state_text(&state))
            .expect("the text of a state");
        assert_eq!(game.state_text(&again), game.state_text(&state));
    }
    if let Some(outcome) = game.outcome(&state) {
        return format!("{} {:?}", outcome.reason.word(), outcome.winners);
    }
    let legal = game.legal_moves(&state).expect("no fault");
    let mut texts: Vec<String> = legal.iter().map(|mv| game.move_text(*mv)).collect();
    texts.sort();
    texts.join("; ")
}

#[test]
fn a_position_that_comes_again_is_a_draw() {
    let rules = r#""draw_rules": {"repetition": 3}"#;
    let game = strip(&[(r#""draw_rules": {}"#, rules)]);
    let round = ["0 1", "5 4", "1 0", "4 5"];
    assert_eq!(along(&game, &[round, round].concat()[..7]), "4 3; 4 5");
    assert_eq!(along(&game, &[round, round].concat()), "draw []");
}

#[test]
fn moves_without_progress_are_counted() {
    let rules = r#""draw_rules": {"no_progress": {"plies": 3, "progress": [{"action": "swap"}]}}"#;
    let game = strip(&[(r#""draw_rules": {}"#, rules)]);
    assert_eq!(along(&game, &["0 1", "5 4"]), "1 0; 1 2");
    assert_eq!(along(&game, &["0 1", "5 4", "1 2"]), "draw []");
    let rules =
        r#""draw_rules": {"no_progress": {"plies": 3, "progress": [{"figure": "runner"}]}}"#;
    let game = strip(&[(r#""draw_rules": {}"#, rules)]);
    assert_eq!(along(&game, &["0 1", "5 4", "1 0", "4 5"]), "0 1");
}

#[test]
fn a_game_has_a_greatest_length() {
    let game = strip(&[(r#""draw_rules": {}"#, r#""draw_rules": {"max_plies": 2}"#)]);
    assert_eq!(along(&game, &["0 1"]), "5 4");
    assert_eq!(along(&game, &["0 1", "5 4"]), "limit []");
}

#[test]
fn players_pass_when_the_rules_let_them() {
    let with = |pass: &str| {
        let new = format!(r#"{{"player": "a", "pass": "{pass}"}}"#);
        strip(&[(r#"{"player": "a"}"#, &new)])
    };
    assert_eq!(along(&with("always"), &[]), "0 1; pass");
    assert_eq!(along(&with("always"), &["pass"]), "5 4");
    let stuck = with("if_stuck");
    assert_eq!(along(&stuck, &[]), "0 1");
    let blocked = strip(&[
        (
            r#"{"player": "a"}"#,
            r#"{"player": "a", "pass": "if_stuck"}"#,
        ),
        (r#"{"x": 1, "also_reversed": true"#, r#"{"x": -1"#),
    ]);
    assert_eq!(along(&blocked, &[]), "pass");
    assert_eq!(along(&blocked, &["pass"]), "5 4");
}

#[test]
fn passing_at_any_time_goes_with_priorities() {
    // Stepping back is better than going on, but both leave the choice to pass.
    let entries = (
        r#"{"x": 1, "also_reversed": true"#,
        r#"{"x": -1, "priority": 3, "if": [{"self": {"player": "a"}}], "cell_actions": {"destination": [
            {"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}]}},
           {"x": 1, "also_reversed": true"#,
    );
    let pass = (r#"{"player": "a"}"#, r#"{"player": "a", "pass": "always"}"#);
    let game = strip(&[pass, entries]);
    assert_eq!(along(&game, &[]), "0 1; pass");
    assert_eq!(along(&game, &["0 1", "5 4"]), "1 0; pass");
    assert_eq!(along(&game, &["0 1", "5 4", "pass"]), "4 3; 4 5");
    // Nobody else can move: passing is all there is.
    let alone = strip(&[
        (
            r#"{"x": 1, "also_reversed": true"#,
            r#"{"x": -1, "priority": 2"#,
        ),
        pass,
    ]);
    assert_eq!(along(&alone, &[]), "pass");
}

#[test]
fn passing_counts_for_draws() {
    let pass = (r#"{"player": "a"}"#, r#"{"player": "a", "pass": "always"}"#);
    let rules = r#""draw_rules": {"no_progress": {"plies": 2, "progress": [{"action": "take"}]}}"#;
    let game = strip(&[pass, (r#""draw_rules": {}"#, rules)]);
    assert_eq!(along(&game, &["pass", "5 4"]), "draw []");
    let game = strip(&[
        pass,
        (r#""draw_rules": {}"#, r#""draw_rules": {"max_plies": 1}"#),
    ]);
    assert_eq!(along(&game, &["pass"]), "limit []");
    // Both players where they were, and the same one to move: the position came again.
    let both = (r#"{"player": "b"}"#, r#"{"player": "b", "pass": "always"}"#);
    let rules = r#""draw_rules": {"repetition": 2}"#;
    let game = strip(&[pass, both, (r#""draw_rules": {}"#, rules)]);
    assert_eq!(along(&game, &["pass"]), "5 4; pass");
    assert_eq!(along(&game, &["pass", "pass"]), "draw []");
}

#[test]
fn players_who_can_only_pass_come_to_the_end_of_counting() {
    // No cell is so far away.
    let blocked = (r#"{"x": 1, "also_reversed": true"#, r#"{"x": 7"#);
    let a = (
        r#"{"player": "a"}"#,
        r#"{"player": "a", "pass": "if_stuck"}"#,
    );
    for pass in ["always", "if_stuck"] {
        let b = format!(r#"{{"player": "b", "pass": "{pass}"}}"#);
        let b = (r#"{"player": "b"}"#, b.as_str());
        for (rules, end) in [
            (r#""max_plies": 2"#, "limit []"),
            (r#""no_progress": {"plies": 2}"#, "draw []"),
        ] {
            let rules = format!(r#""draw_rules": {{{rules}}}"#);
            let game = strip(&[blocked, a, b, (r#""draw_rules": {}"#, &rules)]);
            assert_eq!(along(&game, &["pass"]), "pass");
            assert_eq!(along(&game, &["pass", "pass"]), end);
        }
    }
}

#[test]
fn a_move_that_ends_the_game_is_no_draw_by_counting() {
    let wins = r#""win_conditions": {
        "a": [{"filter": {"player": "a", "x": 1}, "type": "exists", "result": true}]},
        "draw_rules": {"max_plies": 1, "no_progress": {"plies": 1}}"#;
    let states = (
        r#""next": "b_moves"}"#,
        r#""next": "won"},
        "won": {"type": "check_win", "parameters": {"player": "a"}, "next": [
            {"state": "end", "if": [{"result": true}]}, {"state": "b_moves", "if": [{"result": false}]}]},
        "end": {"type": "end"}"#,
    );
    let game = strip(&[(r#""draw_rules": {}"#, wins), states]);
    assert_eq!(along(&game, &["0 1"]), "win [0]");
}

#[test]
fn draw_rules_can_be_left_out() {
    let rules = r#""draw_rules": {"repetition": 2, "no_progress": {"plies": 3}, "max_plies": 9}"#;
    let text = STRIP.replace(r#""draw_rules": {}"#, rules);
    let play = |left_out: &[&str], moves: usize| {
        let (game, ..) = compile_text("strip.json", text.as_bytes());
        let mut game = game.expect("the rules are right");
        assert!(left_out.iter().all(|name| game.leave_out(name)));
        assert!(!game.leave_out("fifty moves"));
        let game = Interp::new(game).expect("it is a game");
        let round = ["0 1", "5 4", "1 0", "4 5"];
        let moves: Vec<&str> = round.iter().copied().cycle().take(moves).collect();
        along(&game, &moves)
    };
    assert_eq!(play(&[], 3), "draw []");
    assert_eq!(play(&["no_progress"], 3), "4 3; 4 5");
    assert_eq!(play(&["no_progress"], 4), "draw []");
    assert_eq!(play(&["no_progress", "repetition"], 8), "0 1");
    assert_eq!(play(&["no_progress", "repetition"], 9), "limit []");
    assert_eq!(play(&["no_progress", "repetition", "max_plies"], 12), "0 1");
}

#[test]
fn a_player_without_a_move_is_stuck() {
    let game = strip(&[(r#"{"x": 1, "also_reversed": true"#, r#"{"x": -1"#)]);
    assert_eq!(along(&game, &[]), "stuck []");
}

#[test]
fn a_game_begins_where_a_test_of_moves_leads_to_and_is_stuck_without_a_move() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/bgc/breakthrough.json");
    let rules = std::fs::read_to_string(path).expect("it can be read");
    let phases = |rules: &str| {
        let (game, ..) = compile_text("breakthrough.json", rules.as_bytes());
        let game = game.expect("no mistake");
        let domain = game.domains.iter().find(|domain| domain.name == "Phase");
        domain.map(|domain| domain.len())
    };
    assert_eq!(phases(&rules), Some(2));
    // Men of white who leave the board with each step.
    let far = rules.replace("\"y\": 1,\n", "\"y\": 9,\n");
    assert_ne!(far, rules);
    assert_eq!(phases(&far), Some(2));
    let (game, ..) = compile_text("breakthrough.json", far.as_bytes());
    let game = Interp::new(game.expect("no mistake")).expect("it is a game");
    assert_eq!(along(&game, &[]), "stuck []");
}

/// An entry of the strip, and one that hops over enemies, taking them at the end of the chain.
const STEP: &str = r#"{"movement": [{"x": 1, "also_reversed": true, "cell_actions": {"destination": [
        {"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}]}}]}"#;
const HOP: &str = r#"{"movement": [{"x": 1, "also_reversed": true, "steps": 2, "cell_actions": {
        "destination": [{"actions": ["move", "continue"], "if": [{"computed": {"is_empty": true}}]}],
        "transition": [{"actions": [{"action": "take", "parameters": {"deferred": true}}],
            "if": [{"computed": {"is_enemy": true}}]},
            {"actions": ["cancel"], "if": [{"computed": {"is_enemy": false}}]}]}}]}"#;

#[test]
fn figures_taken_in_a_chain_stay_until_it_ends() {
    let enemies = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 1}, {"x": 3}]}"#,
    );
    let game = strip(&[(STEP, HOP), enemies]);
    assert_eq!(along(&game, &[]), "0 2");
    // The first enemy still stands, but it cannot be taken again.
    assert_eq!(along(&game, &["0 2"]), "2 4");
    assert_eq!(along(&game, &["0 2", "2 4"]), "stuck []");
    // At the end of the chain both are gone.
    let mut state = game.initial();
    for text in ["0 2", "2 4"] {
        let legal = game.legal_moves(&state).expect("no fault").to_vec();
        let mv = legal.iter().find(|mv| game.move_text(**mv) == text);
        assert!(game.state_text(&state).matches("b runner").count() == 2);
        assert!(game.play(&mut state, *mv.expect("it is legal")));
    }
    assert!(!game.state_text(&state).contains("b runner"));
}

#[test]
fn only_the_longest_chains_are_legal() {
    let board = (
        r#"{"x": 4}, {"x": 5}]}"#,
        r#"{"x": 4}, {"x": 5}, {"x": 6}, {"x": 7}, {"x": 8}]}"#,
    );
    let figures = (
        r#""a": {"runner": [{"x": 0}]}, "b": {"runner": [{"x": 5}]}"#,
        r#""a": {"runner": [{"x": 0}, {"x": 8}]}, "b": {"runner": [{"x": 1}, {"x": 3}, {"x": 7}]}"#,
    );
    let any = strip(&[(STEP, HOP), board, figures]);
    assert_eq!(along(&any, &[]), "0 2; 8 6");
    let longest = (r#""draw_rules": {}"#, r#""chains": "longest""#);
    let game = strip(&[(STEP, HOP), board, figures, longest]);
    // Two to take on the left, one on the right.
    assert_eq!(along(&game, &[]), "0 2");
    assert_eq!(along(&game, &["0 2"]), "2 4");
}

#[test]
fn some_figures_become_others_at_the_end_of_a_chain() {
    let hop = HOP.replace(
        r#""actions": ["move", "continue"]"#,
        r#""actions": [{"action": "replace", "parameters": {"new_figure": "crown", "deferred": true}},
            "move", "continue"]"#,
    );
    let crown = format!(r#"{hop}, "crown": {STEP}"#);
    let enemies = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 1}, {"x": 3}], "crown": [{"x": 5}]}"#,
    );
    let game = strip(&[(STEP, &crown), enemies]);
    let mut state = game.initial();
    for (text, crowns) in [("0 2", 0), ("2 4", 1)] {
        let legal = game.legal_moves(&state).expect("no fault").to_vec();
        let mv = legal.iter().find(|mv| game.move_text(**mv) == text);
        assert!(game.play(&mut state, *mv.expect("it is legal")));
        let text = game.state_text(&state);
        let board = text.split(" | ").nth(1).expect("what stands where");
        assert_eq!(board.matches("a crown").count(), crowns, "{text}");
    }
}

#[test]
fn an_entry_can_ask_how_many_are_taken_on_the_way() {
    let fly = r#"{"movement": [
        {"x": 1, "repeat": true, "takes": 1, "priority": 1, "cell_actions": {"transition": [
            {"actions": ["take"], "if": [{"computed": {"is_enemy": true}}]}]}},
        {"x": 1, "repeat": true}],
        "cell_actions": {"destination": [
            {"actions": ["cancel"], "if": [{"computed": {"is_figure": true}}]}, {"actions": ["move"]}],
            "transition": [{"actions": ["cancel"], "if": [{"computed": {"is_own": true}}]}]}}"#;
    let one = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 2}]}"#,
    );
    let game = strip(&[(STEP, fly), one]);
    // Behind the enemy with priority; before it nothing is taken.
    assert_eq!(along(&game, &[]), "0 3; 0 4; 0 5");
    let two = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 2}, {"x": 4}]}"#,
    );
    let game = strip(&[(STEP, fly), two]);
    assert_eq!(along(&game, &[]), "0 3");
}

/// The codes of what is told about a strip.
fn told(changes: &[(&str, &str)]) -> Vec<&'static str> {
    let mut text = STRIP.to_owned();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    let (_, diagnostics, _) = compile_text("strip.json", text.as_bytes());
    diagnostics.iter().map(|found| found.code.code).collect()
}

/// What stands where after moves.
fn board_along(game: &Interp, moves: &[&str]) -> String {
    let mut state = game.initial();
    for text in moves {
        let legal = game.legal_moves(&state).expect("no fault").to_vec();
        let mv = legal.iter().find(|mv| game.move_text(**mv) == *text);
        assert!(game.play(&mut state, *mv.expect("it is legal")));
    }
    let text = game.state_text(&state);
    text.split(" | ")
        .nth(1)
        .expect("what stands where")
        .to_owned()
}

#[test]
fn each_choice_is_judged_by_its_own_position() {
    let step = r#"{"movement": [{"x": 1}], "cell_actions": {"destination": [
        {"actions": [{"action": "replace", "parameters": {"new_figure": ["lord", "imp"]}}, "move"]}]}}"#;
    let figures = format!(r#"{step}, "lord": {{"movement": []}}, "imp": {{"movement": []}}"#);
    let forbidden = r#""draw_rules": {}, "forbidden_conditions": {"a": [
        {"filter": {"figure": "lord"}, "type": "exists", "result": true}]}"#;
    let game = strip(&[(STEP, &figures), (r#""draw_rules": {}"#, forbidden)]);
    assert_eq!(along(&game, &[]), "0 1 =imp");
}

/// Two runners of which the second changes places with the first, and then asks how often it moved.
const PAIR: &str = r#""draw_rules": {}, "complex_movement": [{"figures": [
    {"figure": "runner", "coordinates_delta": {"x": 2}, "cell_actions": {"destination": [{"actions": []}]}},
    {"figure": "page", "relative_position": {"x": 1}, "coordinates_delta": {"x": -1},
        "cell_actions": {"destination": [{"actions": ["swap"]}]}}]}]"#;

#[test]
fn a_copy_of_the_clicked_figure_counts_its_move() {
    let figures = r#"{"movement": [{"x": 1, "cell_actions": {"destination": [
        {"actions": ["move"], "if": [{"self": {"moves_made": 1}}]}]}}]}, "page": {"movement": []}"#;
    let start = (
        r#""a": {"runner": [{"x": 0}]}"#,
        r#""a": {"runner": [{"x": 0}], "page": [{"x": 1}]}"#,
    );
    let turn = (r#""next": "b_moves""#, r#""next": "a_moves""#);
    let game = strip(&[(STEP, figures), start, (r#""draw_rules": {}"#, PAIR), turn]);
    assert_eq!(along(&game, &[]), "0 2; 1 0");
    assert_eq!(
        board_along(&game, &["0 2"]),
        "a page,a runner,-,-,-,b runner"
    );
    // It stands on 1 now and has moved once.
    assert_eq!(along(&game, &["0 2"]), "1 2");
}

#[test]
fn a_complex_movement_without_room_hides_no_later_one() {
    let both = r#""draw_rules": {}, "complex_movement": [
        {"figures": [{"figure": "runner", "coordinates_delta": {"x": 1}},
            {"figure": "runner", "relative_position": {"x": 1}, "coordinates_delta": {"x": 9}}],
            "cell_actions": {"destination": [{"actions": ["move"]}]}},
        {"figures": [{"figure": "runner", "coordinates_delta": {"x": 1}}],
            "cell_actions": {"destination": [{"actions": ["take", "move"]}]}}]"#;
    let near = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 1}]}"#,
    );
    let still = r#"{"movement": []}"#;
    let first = (r#""draw_rules": {}"#, both);
    let game = strip(&[(STEP, still), first, near]);
    assert_eq!(board_along(&game, &["0 1"]), "-,a runner,-,-,-,-");
    // With room the second figure leaves its cell, onto which the first one has come.
    let room = both.replace('9', "2");
    let game = strip(&[(STEP, still), (first.0, &room), near]);
    assert_eq!(board_along(&game, &["0 1"]), "-,-,-,b runner,-,-");
}

#[test]
fn sets_that_do_not_apply_do_nothing_where_cells_on_the_way_let_a_figure_go() {
    let slide = r#"{"movement": [{"x": 1, "repeat": true}], "cell_actions": {
        "destination": [{"actions": ["move"], "if": [{"computed": {"is_enemy": true}}]}],
        "transition": [{"actions": []}]}}"#;
    let game = strip(&[(STEP, slide)]);
    assert_eq!(along(&game, &[]), "0 2; 0 3; 0 4; 0 5");
    assert_eq!(board_along(&game, &["0 2"]), "a runner,-,-,-,-,b runner");
    assert_eq!(board_along(&game, &["0 5"]), "-,-,-,-,-,a runner");
}

#[test]
fn warnings_know_what_entries_and_complex_movements_say() {
    let takes = |entry: &str| {
        format!(
            r#"{{"movement": [{{"x": 1, "also_reversed": true{entry}, "cell_actions": {{
            "destination": [{{"actions": ["take", "move"]}}]}}}}]}}"#
        )
    };
    let two = (
        r#""a": {"runner": [{"x": 0}]}"#,
        r#""a": {"runner": [{"x": 0}, {"x": 1}]}"#,
    );
    let asks = takes(r#", "if": [{"computed": {"is_enemy": true}}]"#);
    assert_eq!(told(&[(STEP, &asks), two]), [""; 0]);
    assert_eq!(told(&[(STEP, &takes("")), two]), ["BGC-W0208"]);
    // With one figure a player nobody has an own one to take.
    assert_eq!(told(&[(STEP, &takes(""))]), [""; 0]);
    // A set without actions says that a figure must stand there.
    let stands = r#""draw_rules": {}, "complex_movement": [{"figures": [
        {"figure": "runner", "coordinates_delta": {"x": 2}, "cell_actions": {"destination": [{"actions": ["move"]}]}},
        {"figure": "runner", "relative_position": {"x": 1}, "cell_actions": {"destination": [{"actions": []}]}}]}]"#;
    assert_eq!(told(&[(r#""draw_rules": {}"#, stands)]), [""; 0]);
    // What only takes stays where it is, so it comes to no dead end.
    let shoots = r#"{"movement": [{"x": 1}], "cell_actions": {"destination": [
        {"actions": ["take"], "if": [{"computed": {"is_enemy": true}}]}]}}"#;
    assert_eq!(told(&[(STEP, shoots)]), [""; 0]);
    let goes = shoots.replace(r#"["take"]"#, r#"["take", "move"]"#);
    assert_eq!(told(&[(STEP, &goes)]), ["BGC-W0211"; 2]);
}

#[test]
fn states_that_are_never_reached_may_be_unfinished() {
    let unused = (
        r#""draw_rules": {}"#,
        r#""draw_rules": {}, "win_conditions": {}"#,
    );
    let state = (
        r#""game_states": {"#,
        r#""game_states": {"test": {"type": "check_win", "parameters": {"player": "a"}, "next": "test"},"#,
    );
    assert_eq!(told(&[unused, state]), ["BGC-W0212"]);
}

/// A man who takes may go backward: he leaves fewer figures. One who jumps without taking may come back.
#[test]
fn positions_before_progress_are_forgotten_where_only_takers_go_backward() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../games/bgc/international_draughts.json");
    let text = std::fs::read_to_string(path).expect("it can be read");
    let take = r#"{"actions": [{"action": "take", "parameters": {"deferred": true}}]}"#;
    let cancel = r#"{"actions": ["cancel"], "if": [{"computed": {"is_enemy": false}}]},"#;
    let asked = take.replace("]}", r#"], "if": [{"computed": {"is_enemy": true}}]}"#);
    let pass = r#"{"actions": ["cancel"], "if": [{"computed": {"is_empty": true}}]},"#;
    let spelled = [
        (text.clone(), true),
        (
            text.replacen("\"steps\": 2,", "\"steps\": [2, 2],", 2),
            true,
        ),
        (text.replace(cancel, pass).replace(take, &asked), false),
        (
            text.replacen(
                "\"y\": -1,\n          \"also_reversed\": true,\n          \"steps\": 2",
                "\"y\": -1,\n          \"also_reversed\": true,\n          \"steps\": [1, 2]",
                1,
            ),
            false,
        ),
    ];
    for (number, (text, forgets)) in spelled.iter().enumerate() {
        let (game, diagnostics, sources) = compile_text("draughts.json", text.as_bytes());
        let game = game.unwrap_or_else(|| {
            panic!(
                "{number}: {}",
                render_all(&sources, &diagnostics, Style::Plain)
            )
        });
        assert_eq!(game.trails[0].capacity < 100, *forgets, "{number}");
        assert!(number == 0 || *text != spelled[0].0, "{number}");
    }
}

#[test]
fn targets_where_other_things_may_stand_are_moves_of_their_own_however_it_is_said() {
    let sets = |text: &str| format!(r#""cell_actions": {{"destination": [{text}]}}"#);
    let when = |computed: &str| format!(r#""if": [{{"computed": {{{computed}}}}}]"#);
    let [free, enemy] = ["is_empty", "is_enemy"].map(|word| when(&format!("\"{word}\": true")));
    let own = when(r#""is_own": true"#);
    let cancel_own = format!(r#"{{"actions": ["cancel"], {own}}}, {{"actions": ["move"]}}"#);
    let spelled = [
        // What is done on the last cell says it.
        format!(
            r#"{{"x": 1, {}}}, {{"x": 2, {}}}"#,
            sets(&format!(r#"{{"actions": ["move"], {free}}}"#)),
            sets(&cancel_own)
        ),
        // Entries say it, the second one in two conditions.
        format!(
            r#"{{"x": 1, {free}, {move_}}}, {{"x": 2, {either}, {move_}}}"#,
            move_ = sets(r#"{"actions": ["move"]}"#),
            either =
                r#""if": [{"computed": {"is_empty": true}}, {"computed": {"is_enemy": true}}]"#,
        ),
        // One takes by an entry of its own.
        format!(
            r#"{{"x": 1, {free}, {move_}}}, {{"x": 2, {free}, {move_}}}, {{"x": 2, {enemy}, {take}}}"#,
            move_ = sets(r#"{"actions": ["move"]}"#),
            take = sets(r#"{"actions": ["take", "move"]}"#),
        ),
    ];
    let old = r#"{"x": 1, "also_reversed": true, "cell_actions": {"destination": [
        {"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}]}}"#;
    for text in &spelled {
        let game = strip(&[(old, text), (r#"{"x": 5}]}}"#, r#"{"x": 2}]}}"#)]);
        assert_eq!(game.game().families.len(), 4, "{text}");
        assert_eq!(along(&game, &[]), "0 1; 0 2", "{text}");
    }
}
