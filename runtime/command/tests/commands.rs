//! The command line: JSON contracts, texts and errors.

#[path = "../../search/tests/common/mod.rs"]
mod common;
#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use std::fs;

use clap::Parser;
use common::{Puzzle, Race};
use rulec_command::{Command, Error, PlayArgs, play, run};
use rulec_core::FullGame;
use rulec_search::start;
use serde_json::{Value, json};
use tic_tac_toe::TicTacToe;

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

fn output<G: FullGame>(game: &G, args: &[&str]) -> Result<String, Error> {
    let line =
        Line::try_parse_from(["game"].iter().chain(args)).expect("the command line is right");
    let mut out = Vec::new();
    run(game, &line.command, &mut out)?;
    Ok(String::from_utf8(out).expect("texts are UTF-8"))
}

fn answer<G: FullGame>(game: &G, args: &[&str]) -> Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let text = output(game, &args).expect("the command succeeds");
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).expect("the output is JSON")
}

fn complaint<G: FullGame>(game: &G, args: &[&str]) -> String {
    let error = output(game, args).expect_err("the command fails");
    assert_eq!(error.exit_code(), 1);
    error.to_string()
}

#[test]
fn perft() {
    assert_eq!(
        answer(&TicTacToe, &["perft", "4"]),
        json!({ "depths": [9, 72, 504, 3024], "distinct": false })
    );
    assert_eq!(
        answer(&Puzzle, &["perft", "2", "--distinct"]),
        json!({ "depths": [2, 4], "distinct": true })
    );
    let divided = answer(
        &TicTacToe,
        &["perft", "3", "--divide", "--threads", "2", "--ended"],
    );
    assert_eq!(divided["divide"][0], json!({ "move": "a1", "count": 56 }));
    assert_eq!(divided["ended"], json!({}));
    assert_eq!(answer(&TicTacToe, &["perft", "0"])["depths"], json!([]));
    let after = answer(&TicTacToe, &["perft", "1", "--state", "xx./oo./..."]);
    assert_eq!(after["depths"], json!([5]));
    let text = output(&TicTacToe, &["perft", "2"]).expect("success");
    assert_eq!(
        text,
        "depth  1                 9\ndepth  2                72\n"
    );
}

#[test]
fn perft_says_when_lines_ended_in_faults() {
    // Beyond 7 a rule divides by 0.
    let found = answer(&Puzzle, &["perft", "2", "--state", "6"]);
    let faults = found["faults"].as_array().expect("a list");
    assert_eq!(
        (faults.len(), &faults[0]["code"]),
        (1, &json!("division-by-zero"))
    );
    assert_eq!(
        (&faults[0]["count"], &faults[0]["origin"]),
        (&json!(1), &json!("games.rs:7:1"))
    );
    let text = output(&Puzzle, &["perft", "2", "--state", "6"]).expect("success");
    assert!(
        text.contains("1 line of play ended in fault division-by-zero at games.rs:7:1"),
        "{text}"
    );
    assert!(answer(&Puzzle, &["perft", "2"])["faults"].is_null());
}

#[test]
fn moves() {
    let first = answer(&TicTacToe, &["moves", "--after", "a1; b2;c3"]);
    assert_eq!(first["turn"], 2);
    assert_eq!(first["moves"].as_array().map(Vec::len), Some(6));
    assert_eq!(
        first["moves"][0],
        json!({ "text": "b1", "family": "put", "args": [1] })
    );
    assert_eq!(first["distinct_moves"], 6);
    assert_eq!(first["state"], "x../.o./..x");
    let over = answer(&TicTacToe, &["moves", "--state", "xxx/oo./..."]);
    assert_eq!(
        over,
        json!({
            "turn": null, "moves": [], "distinct_moves": 0, "state": "xxx/oo./...",
            "outcome": { "reason": "win", "winner": 1, "scores": [] },
        })
    );
    let draw = answer(&Race, &["moves", "--after", "roll"]);
    assert_eq!(draw["turn"], "chance");
    assert_eq!(
        draw["moves"][2],
        json!({ "text": "3", "family": "draw", "args": [4], "weight": 1 })
    );
    let merged = answer(&Puzzle, &["moves"]);
    assert_eq!(
        (
            &merged["distinct_moves"],
            merged["moves"].as_array().map(Vec::len)
        ),
        (&json!(2), Some(3))
    );
    let fault = answer(&Puzzle, &["moves", "--state", "7"]);
    assert_eq!(fault["outcome"]["fault"]["code"], "division-by-zero");
}

#[test]
fn replay() {
    let ply = |turn, legal| json!({ "turn": turn, "legal": legal, "distinct": legal });
    let won = answer(&TicTacToe, &["replay", "--moves", "a1;a2;b1;b2;c1"]);
    assert_eq!(
        won,
        json!({
            "plies": [ply(1, 9), ply(2, 8), ply(1, 7), ply(2, 6), ply(1, 5)],
            "outcome": { "reason": "win", "winner": 1, "scores": [] },
            "state": "xxx/oo./...",
        })
    );
    let open = answer(&TicTacToe, &["replay", "--moves", "a1"]);
    assert_eq!(open["plies"], json!([ply(1, 9), ply(2, 8)]));
    assert_eq!(open["outcome"], Value::Null);
    let stuck = answer(
        &TicTacToe,
        &["replay", "--moves", "a1;b1;c1;a2;c2;b2;a3;c3;b3"],
    );
    assert_eq!(stuck["plies"].as_array().map(Vec::len), Some(10));
    assert_eq!(stuck["plies"][9], ply(2, 0));
    assert_eq!(
        stuck["outcome"],
        json!({ "reason": "stuck", "winner": null, "scores": [] })
    );
    let draws = answer(&Race, &["replay", "--moves", "roll; 3; take; take"]);
    let turns: Vec<&Value> = draws["plies"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|p| &p["turn"])
        .collect();
    assert_eq!(
        turns,
        [&json!(1), &json!("chance"), &json!(1), &json!(2), &json!(3)]
    );
    let fault = answer(&Puzzle, &["replay", "--moves", "add;twice;add;double;add"]);
    assert_eq!(fault["outcome"]["reason"], "fault");
    assert_eq!(fault["outcome"]["fault"]["origin"], "games.rs:7:1");
    assert_eq!(fault["plies"].as_array().map(Vec::len), Some(6));
    assert_eq!(answer(&TicTacToe, &["replay"])["plies"], json!([ply(1, 9)]));
}

#[test]
fn explore() {
    let found = answer(&TicTacToe, &["explore", "--depth", "6"]);
    assert_eq!(
        found,
        json!({
            "new_states": [1, 9, 72, 252, 756, 1260, 1520],
            "terminals": [{}, {}, {}, {}, {}, { "1": 120 }],
            "complete": false,
            "exact": true,
        })
    );
    assert_eq!(
        answer(&TicTacToe, &["explore", "--identity", "full"])["complete"],
        true
    );
    let ignoring = answer(&Race, &["explore", "--ignore-scores"]);
    assert!(ignoring["new_states"].as_array().map(Vec::len) > Some(10));
    let unknown = complaint(&Race, &["explore", "--identity", "mirror"]);
    assert_eq!(
        unknown,
        "positions have no identity `mirror`; there are: canonical, canonical-noscore, full"
    );
}

#[test]
fn search_and_solve() {
    let found = answer(
        &TicTacToe,
        &["search", "--state", "xx./oo./...", "--nodes", "500"],
    );
    assert_eq!((&found["best"], &found["turn"]), (&json!("c1"), &json!(1)));
    assert_eq!(found["moves"][0]["exact"], true);
    assert_eq!(found["proof"]["winner"], 1);
    let flat = answer(&TicTacToe, &["search", "--method", "mc", "--time", "20ms"]);
    assert_eq!(flat["moves"].as_array().map(Vec::len), Some(9));
    let solved = answer(&Puzzle, &["solve"]);
    assert_eq!(
        (&solved["solved"], solved["moves"].as_array().map(Vec::len)),
        (&json!(true), Some(5))
    );
    let short = answer(&Puzzle, &["solve", "--depth", "3"]);
    assert_eq!(
        (&short["solved"], &short["complete"]),
        (&json!(false), &json!(false))
    );
    let drawn = answer(&TicTacToe, &["solve"]);
    assert_eq!(
        (&drawn["winner"], &drawn["distance"], &drawn["states"]),
        (&json!(0), &Value::Null, &json!(5478))
    );
    let few = ["solve", "--method", "graph", "--states", "100"];
    let open = answer(&TicTacToe, &few);
    assert_eq!(
        (&open["solved"], &open["winner"]),
        (&json!(false), &Value::Null)
    );
    assert!(complaint(&Race, &["solve"]).contains("search"));
}

#[test]
fn bench_and_selfplay() {
    let speed = answer(&TicTacToe, &["bench", "--seconds", "0.05"]);
    assert!(speed["playouts_per_second"].as_f64() > Some(1.0));
    assert!(["cpu", "wall"].contains(&speed["clock"].as_str().expect("a clock")));
    let games = answer(&Race, &["selfplay", "--games", "1k", "--seed", "3"]);
    assert_eq!(games["games"], 1000);
    let wins: u64 = games["wins"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(wins + games["draws"].as_u64().expect("a number"), 1000);
    let faulty = answer(&Puzzle, &["selfplay", "--games", "200"]);
    let sites = &faulty["fault_sites"];
    assert_eq!(
        (&sites[0]["code"], &sites[0]["count"]),
        (&json!("division-by-zero"), &faulty["faults"])
    );
    assert!(faulty["faults"].as_u64() > Some(0));
    let path = std::env::temp_dir().join(format!("rulec-selfplay-{}.jsonl", std::process::id()));
    let name = path.to_str().expect("the path is UTF-8");
    let args = [
        "selfplay",
        "--games",
        "5",
        "--bots",
        "mc:20,random",
        "--rotate",
        "--out",
        name,
    ];
    let report = answer(&TicTacToe, &args);
    assert_eq!(report["bots"][0]["bot"], "mc:20");
    let lines = fs::read_to_string(&path).expect("the file is there");
    fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(lines.lines().count(), 6);
    let record: Value = serde_json::from_str(lines.lines().nth(1).unwrap_or("")).expect("JSON");
    assert_eq!(record["players"], json!(["random", "mc:20"]));
    let nowhere = complaint(
        &TicTacToe,
        &["selfplay", "--games", "1", "--out", "/dev/null/games.jsonl"],
    );
    assert!(
        nowhere.starts_with("cannot write /dev/null/games.jsonl: "),
        "{nowhere}"
    );
}

#[test]
fn info() {
    let info = answer(&Race, &["info"]);
    assert_eq!(
        (&info["players"], &info["has_chance"]),
        (&json!(["a", "b", "c"]), &json!(true))
    );
    assert!(
        output(&Race, &["info"])
            .expect("success")
            .starts_with("game             Race\n")
    );
}

#[test]
fn wrong_moves_are_explained() {
    let cases: [(&[&str], &str); 4] = [
        (
            &["replay", "--moves", "a1; a1"],
            "move 2: `a1` is not legal here; of 8 legal moves the nearest are `a2`, `a3`, `b1`, `c1`, `b2`, `b3`",
        ),
        (
            &["moves", "--after", "a4"],
            "`a4` is no move of this position; of 9 legal moves the nearest are `a1`, `a2`, `a3`, `b1`, `b2`, `b3`",
        ),
        (
            &["moves", "--after", "a1;a2;b1;b2;c1;c2"],
            "`c2` cannot be played: the game has ended (cross wins)",
        ),
        (
            &["moves", "--state", "x../..y/..."],
            "`x../..y/...` is no position: expected one of `x`, `o`, `.` at position 7, found `y/...`",
        ),
    ];
    for (args, message) in cases {
        assert_eq!(complaint(&TicTacToe, args), message);
    }
    assert_eq!(
        complaint(&Race, &["moves", "--after", "roll; 4"]),
        "`4` is no result of the draw that is due; of 3 legal moves there are `1`, `2`, `3`"
    );
    assert!(output(&TicTacToe, &["moves", "--after", " A1 ; B 2"]).is_ok());
    assert!(output(&Puzzle, &["moves", "--after", "add @add"]).is_ok());
    assert!(
        complaint(&Puzzle, &["moves", "--after", "add @double"])
            .starts_with("`add` is not legal here")
    );
}

#[test]
fn command_lines_are_checked() {
    for args in [
        &["perft"][..],
        &["perft", "-1"],
        &["perft", "x"],
        &["selfplay", "--bots", "genius"],
        &["search", "--time", "soon"],
        &["frobnicate"],
    ] {
        let parsed = Line::try_parse_from(["game"].iter().chain(args));
        assert_eq!(parsed.err().map(|e| e.exit_code()), Some(2), "{args:?}");
    }
}

fn session<G: FullGame>(game: &G, args: &[&str], typed: &str) -> String {
    #[derive(Parser)]
    struct Play {
        #[command(flatten)]
        args: PlayArgs,
    }
    let line =
        Play::try_parse_from(["play"].iter().chain(args)).expect("the command line is right");
    let mut out = Vec::new();
    play(&*start(game), &line.args, &mut typed.as_bytes(), &mut out).expect("playing succeeds");
    String::from_utf8(out).expect("texts are UTF-8")
}

#[test]
fn people_play_by_number_and_text() {
    let out = session(
        &TicTacToe,
        &[],
        "1\nfoo\n\na2\nb1\nundo\nb1\nb2\nhint\nmoves\nhelp\n1\n",
    );
    assert!(
        out.contains("on turn: cross (player 1); 9 legal moves"),
        "{out}"
    );
    assert!(out.contains("`foo` is no move of this position"), "{out}");
    assert!(out.contains("c1 (value 1.000"), "{out}");
    assert!(out.ends_with("\nxxx/oo./...\ncross wins\n"), "{out}");
    let out = session(&TicTacToe, &[], "undo\nquit\n");
    assert!(out.contains("nothing to take back"));
}

#[test]
fn bots_and_draws_take_their_turns() {
    let out = session(
        &TicTacToe,
        &["--as", "2", "--bot", "mc:10", "--seed", "1"],
        "1\n",
    );
    assert!(out.contains("cross (player 1), mc:10, plays"), "{out}");
    let out = session(
        &Race,
        &["--as", "none", "--bot", "uct:20", "--seed", "4", "--json"],
        "",
    );
    let last: Value = serde_json::from_str(out.lines().last().unwrap_or("")).expect("JSON");
    assert_eq!(last["outcome"]["reason"], "win");
    assert_eq!(
        out,
        session(
            &Race,
            &["--as", "none", "--bot", "uct:20", "--seed", "4", "--json"],
            ""
        )
    );
    let rolled = session(&Race, &["--seed", "1"], "roll\nundo\nroll\n");
    assert!(rolled.contains("drawn "), "{rolled}");
}

#[test]
fn wrong_seats_are_refused() {
    let args = ["play", "--as", "3"];
    assert_eq!(
        complaint(&TicTacToe, &args),
        "`--as 3`: name players from 1 to 2, separated by commas, or `none`"
    );
}
