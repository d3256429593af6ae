//! Alpha-beta with each technique off, threads, its memory; evaluations that are learnt from the rules alone.

#[path = "../../search/tests/common/heap.rs"]
mod heap;
#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use std::{fs, path::PathBuf};

use clap::Parser;
use heap::Heap;
use rulec_command::{Command, Error, run};
use rulec_core::FullGame;
use rulec_search::{Bot, evaluation::Learnt, hide, start};
use serde_json::Value;
use tic_tac_toe::TicTacToe;

const TECHNIQUES: [&str; 13] = [
    "table",
    "pvs",
    "aspiration",
    "killers",
    "history",
    "counters",
    "lmr",
    "quiescence",
    "futility",
    "extensions",
    "passing",
    "shallow",
    "probing",
];

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

fn bot(text: &str) -> Bot {
    text.parse().expect(text)
}

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("{name}-{}.eval.json", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("the folder has a name in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is gone at the next start of the machine, if not now.
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn no_technique_changes_what_a_game_is_worth() {
    let game = Heap::new(3, 14);
    let mut seen = [0; 2];
    for (left, player) in (1..=14).flat_map(|left| (0..3).map(move |player| (left, player))) {
        let state = hide(&game, game.at(left, player));
        let truth = bot("paranoid:depth=40").search(&*state, 1);
        seen[usize::from(truth.moves[0].value > 0.5)] += 1;
        let changed = TECHNIQUES.map(|name| format!("without={name}"));
        let all = TECHNIQUES.join("+");
        let more = [format!("without={all}"), "threads=2".to_owned()];
        for option in changed.iter().chain(&more) {
            let found = bot(&format!("paranoid:depth=40:{option}")).search(&*state, 1);
            let (value, expected) = (found.moves[0].value, truth.moves[0].value);
            assert!(
                (value - expected).abs() < 1e-9,
                "{option}, {left} sticks: {value} {expected}"
            );
        }
    }
    assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
}

#[test]
fn techniques_save_positions() {
    let state = start(&TicTacToe);
    let positions = |option: &str| {
        let found = bot(&format!("alphabeta:depth=9{option}")).search(&*state, 1);
        assert_eq!(found.moves[0].value, 0.5);
        found.games
    };
    let (all, none) = (
        positions(""),
        positions(&format!(":without={}", TECHNIQUES.join("+"))),
    );
    assert!(3 * all < none, "{all} {none}");
    assert!(all < positions(":without=table"));
}

#[test]
fn a_table_takes_no_more_than_it_may() {
    let found = bot("alphabeta:depth=9:table=64").search(&*start(&TicTacToe), 1);
    assert!(found.nodes <= 64, "{}", found.nodes);
    assert_eq!(found.moves[0].value, 0.5);
}

#[test]
fn an_evaluation_is_learnt_and_used() {
    let file = Scratch::new("tic-tac-toe");
    let args = [
        "--games",
        "1000",
        "--rounds",
        "1",
        "--each",
        "300",
        "--threads",
        "1",
        "--out",
        file.text(),
    ];
    let learn = |threads: &'static str| {
        let mut args = [["evaluate", "--json"].as_slice(), &args].concat();
        args[9] = threads;
        let text = output(&TicTacToe, &args).expect("it is learnt");
        (text, fs::read_to_string(&file.0).expect("it is written"))
    };
    let (told, written) = learn("1");
    let json: Value = serde_json::from_str(&told).expect("JSON");
    let against = json["against_random"]["score"].as_f64().expect("a number");
    assert!(against > 0.75, "{told}");
    assert_eq!(json["rounds"].as_array().map(Vec::len), Some(2));
    // Threads do not change what is found.
    assert_eq!((told, written), learn("2"));

    // What is certain does not depend on it.
    let whole = bot(&format!(
        "alphabeta:depth=12:without=lmr:eval={}",
        file.text()
    ));
    let state = start(&TicTacToe);
    assert_eq!(whole.ready(state.info()), Ok(()));
    assert_eq!(whole.search(&*state, 5).moves[0].value, 0.5);
    let judged = bot(&format!("uct:400:solve=no:cut=0:eval={}", file.text()));
    let judged = judged.search(&*state, 5);
    // No game is played to its end, so no value is one of a game.
    let all = bot("uct:400:solve=no").search(&*state, 5);
    assert_eq!((judged.games, judged.moves.len()), (400, 9));
    assert_ne!(judged.moves, all.moves);
    let learnt = Learnt::read(file.text()).expect("it is read back");
    assert!(format!("{learnt}").ends_with(".eval.json"));

    // It does not go with another game.
    let player = format!("alphabeta:depth=2:eval={}", file.text());
    let error = output(&Heap::new(2, 5), &["search", "--bot", &player]).expect_err("other rules");
    assert!(
        error.to_string().contains("learnt from other rules"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let one = output(&Heap::new(1, 5), &["evaluate"]).expect_err("one player");
    assert!(one.to_string().contains("two players"), "{one}");
    let bare = output(&Heap::new(2, 5), &["evaluate"]).expect_err("no planes");
    assert!(bare.to_string().contains("no planes"), "{bare}");
    let short =
        output(&TicTacToe, &["evaluate", "--limit", "2", "--games", "3"]).expect_err("no end");
    assert!(short.to_string().contains("raise --limit"), "{short}");
}
