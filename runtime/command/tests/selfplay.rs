//! Matches, analyses and the Universal Game Interface, on games written by hand.

#[path = "../../search/tests/common/mod.rs"]
mod common;
#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use clap::Parser;
use common::{Puzzle, Race};
use rulec_command::{Command, Error, UgiArgs, run, ugi};
use rulec_core::FullGame;
use rulec_search::{selfplay::all_seats, start};
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
    serde_json::from_str(&output(game, &args).expect("the command succeeds")).expect("JSON")
}

#[test]
fn the_stronger_bot_wins_a_match_and_threads_do_not_matter() {
    let args = [
        "match",
        "uct:60",
        "random",
        "--games",
        "40",
        "--random-plies",
        "1",
    ];
    let one = answer(&TicTacToe, &[&args[..], &["--threads", "1"]].concat());
    let two = answer(&TicTacToe, &[&args[..], &["--threads", "2"]].concat());
    assert_eq!(one, two);
    assert_eq!((&one["games"], &one["rounds"]), (&json!(40), &json!(20)));
    let strong = &one["bots"][0];
    let count = |key: &str| strong[key].as_u64().expect("a number");
    assert_eq!(count("wins") + count("draws") + count("losses"), 40);
    assert!(strong["elo"]["low"].as_f64() > Some(0.0), "{strong}");
    assert_eq!(strong["wins"], one["bots"][1]["losses"]);
    let even = answer(&TicTacToe, &["match", "random", "random", "--games", "200"]);
    let score = even["bots"][0]["score"]["mean"].as_f64().expect("a number");
    assert!((score - 0.5).abs() < 0.12, "{score}");
}

#[test]
fn a_sequential_test_stops_a_match_early() {
    let test = |bots: [&str; 2]| {
        let args = [
            "match", bots[0], bots[1], "--games", "4000", "--sprt", "0,100",
        ];
        answer(&TicTacToe, &args)
    };
    let (higher, lower) = (test(["uct:40", "random"]), test(["random", "uct:40"]));
    assert_eq!(higher["sprt"]["verdict"], "higher");
    assert_eq!(lower["sprt"]["verdict"], "lower");
    assert!(higher["games"].as_u64() < Some(400));
}

#[test]
fn three_bots_share_three_seats() {
    let found = answer(
        &Race,
        &["match", "uct:20", "random", "random", "--games", "30"],
    );
    assert_eq!((&found["games"], &found["rounds"]), (&json!(30), &json!(5)));
    let all = found["bots"].as_array().expect("a list");
    let wins: u64 = all.iter().filter_map(|bot| bot["wins"].as_u64()).sum();
    assert!(all.len() == 3 && wins >= 20, "{found}");
    for (args, message) in [
        (&["match", "random", "random"][..], "the game has 3 seats"),
        (
            &["match", "random", "random", "random", "--sprt", "0,9"],
            "--sprt is for two bots",
        ),
    ] {
        let error = output(&Race, args).expect_err("it is refused").to_string();
        assert!(error.contains(message), "{error}");
    }
    let alone = output(&Puzzle, &["match", "random", "random"]).expect_err("it is refused");
    assert!(alone.to_string().contains("two or more players"));
}

#[test]
fn every_two_bots_meet_both_ways_and_everybody_has_every_seat_as_often() {
    for (bots, seats) in [(2, 2), (3, 2), (5, 2), (3, 3), (4, 3), (4, 4)] {
        let rows = all_seats(bots, seats);
        let mut seated = vec![vec![0; seats]; bots];
        // How often a bot sits right before another.
        let mut before = vec![vec![0; bots]; bots];
        for row in &rows {
            for (seat, &bot) in row.iter().enumerate() {
                seated[bot][seat] += 1;
                before[bot][row[(seat + 1) % seats]] += 1;
            }
        }
        let often = seated[0][0];
        assert!(
            often > 0 && seated.iter().flatten().all(|n| *n == often),
            "{bots} {seats}: {rows:?}"
        );
        let meets = before[0][1];
        let fair = |a: usize, b: usize| a == b || before[a][b] == meets || seats > 3;
        assert!(
            (0..bots).all(|a| (0..bots).all(|b| fair(a, b) && before[a][b] == before[b][a])),
            "{bots} {seats}"
        );
    }
}

#[test]
fn a_match_of_three_for_two_seats_says_what_matches_of_two_say() {
    let bots = |args: &[&str]| {
        let found = answer(&TicTacToe, &[&["match"], args].concat());
        found["bots"].as_array().expect("a list").clone()
    };
    let number = |value: &Value| value.as_f64().expect("a number");
    let three = bots(&["uct:20", "random", "uct:20", "--games", "600"]);
    let two = bots(&["uct:20", "random", "--games", "400"]);
    let games: Vec<u64> = three
        .iter()
        .filter_map(|bot| bot["games"].as_u64())
        .collect();
    assert_eq!(games, [400, 400, 400]);
    let score = |bot: &Value| number(&bot["score"]["mean"]);
    assert!(
        (score(&three[1]) - score(&two[1])).abs() < 0.04,
        "{three:?} {two:?}"
    );
    let strong = (score(&two[0]) + 0.5) / 2.0;
    for bot in [&three[0], &three[2]] {
        assert!((score(bot) - strong).abs() < 0.04, "{bot} {strong}");
    }
    let sum: f64 = three.iter().map(score).sum();
    assert!((sum - 1.5).abs() < 1e-9, "{sum}");
    assert!(number(&three[0]["elo"]["low"]) > 50.0 && number(&three[1]["elo"]["high"]) < -100.0);
    // Of one round nothing is known, of two little.
    let once = bots(&["uct:20", "random", "--games", "2"]);
    assert_eq!(
        (
            number(&once[0]["score"]["low"]),
            number(&once[0]["score"]["high"])
        ),
        (0.0, 1.0)
    );
}

#[test]
fn an_analysis_counts_distinct_moves_and_tells_all_legal_ones() {
    let found = answer(&Puzzle, &["analyse", "--games", "20", "--bots", "random"]);
    let one = &found["strengths"][0];
    assert_eq!(
        (&one["branching"]["by_ply"][0], &one["branching"]["max"]),
        (&json!(2.0), &json!(2))
    );
    assert_eq!(one["legal_moves"]["max"], 3);
    let text = output(&Puzzle, &["analyse", "--games", "20", "--bots", "random"]).expect("success");
    assert!(
        text.contains("distinct moves") && text.contains("legal moves"),
        "{text}"
    );
}

#[test]
fn an_analysis_is_the_same_for_any_number_of_threads() {
    let args = ["analyse", "--games", "300", "--bots", "random,uct:20"];
    let one = answer(&TicTacToe, &[&args[..], &["--threads", "1"]].concat());
    let two = answer(&TicTacToe, &[&args[..], &["--threads", "2"]].concat());
    assert_eq!(one, two);
    let random = &one["strengths"][0];
    // Of all random games the first player scores 0.648 (0.585 won, 0.127 drawn), and nobody chooses at the ninth ply.
    let first = &random["first_player"];
    let inside =
        |value: f64| first["low"].as_f64() < Some(value) && Some(value) < first["high"].as_f64();
    assert!(inside(0.648), "{first}");
    assert_eq!(random["branching"]["by_ply"][0], 9.0);
    assert_eq!(random["branching"]["by_ply"][4], 5.0);
    assert_eq!(random["length"]["min"], 5);
    assert_eq!(random["lead_changes"], Value::Null);
    assert!(one["strengths"][1]["lead_changes"]["mean"].as_f64() > Some(0.0));
    assert!(
        output(&TicTacToe, &args)
            .expect("success")
            .contains("score of the first player")
    );
}

#[test]
fn books_give_the_openings_in_turn() {
    let folder = std::env::temp_dir();
    let name = |kind: &str| folder.join(format!("rulec-book-{}-{kind}", std::process::id()));
    let (book, games) = (name("moves"), name("games.jsonl"));
    let texts = [&book, &games].map(|path| path.to_str().expect("the path is UTF-8"));
    std::fs::write(&book, "# two openings\na1; b2\n\nc3\n").expect("the file can be written");
    let args = [
        "selfplay", "--games", "4", "--book", texts[0], "--out", texts[1],
    ];
    output(&TicTacToe, &args).expect("success");
    let lines = std::fs::read_to_string(&games).expect("the file is there");
    let opened = lines.lines().take(4).map(|line| {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let n = game["opening"].as_u64().expect("a number") as usize;
        game["moves"].as_array().expect("a list")[..n].to_vec()
    });
    let opened: Vec<Vec<Value>> = opened.collect();
    let (long, short) = (vec![json!("a1"), json!("b2")], vec![json!("c3")]);
    assert_eq!(opened, [long.clone(), short.clone(), long, short]);
    std::fs::write(&book, "a1; a1\nb9\n").expect("the file can be written");
    let error = output(&TicTacToe, &args)
        .expect_err("it is refused")
        .to_string();
    assert!(
        error.contains("line 1: `a1` is not legal") && error.contains("line 2: "),
        "{error}"
    );
    // They are gone at the next start of the machine, if not now.
    let _ = [book, games].map(std::fs::remove_file);
}

#[test]
fn samples_have_images_only_where_the_rules_are_known_to_have_symmetries() {
    let name = format!("rulec-images-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let path = folder.to_string_lossy();
    let refused = |out: &str| {
        let args = ["selfplay", "--games", "1", "--augment", "--out", out];
        match output(&TicTacToe, &args) {
            Err(Error::User(text)) => text,
            other => format!("{other:?}"),
        }
    };
    let none = refused(&path);
    assert!(none.contains("no symmetry"), "{none}");
    assert!(!folder.exists());
    let nowhere = refused(&format!("{path}.jsonl"));
    assert!(nowhere.contains("--samples"), "{nowhere}");
}

/// What a game answers to the lines of a manager.
fn conversation<G: FullGame>(game: &G, lines: &str) -> String {
    #[derive(Parser)]
    struct Ugi {
        #[command(flatten)]
        args: UgiArgs,
    }
    let args = Ugi::parse_from(["ugi", "--bot", "uct:200"]).args;
    let mut out = Vec::new();
    ugi(&*start(game), &args, &mut lines.as_bytes(), &mut out).expect("memory is enough");
    String::from_utf8(out).expect("texts are UTF-8")
}

#[test]
fn after_a_position_that_cannot_be_set_there_is_none_to_answer_about() {
    let lost = conversation(
        &TicTacToe,
        "position startpos moves a1\nposition startpos moves z9\ngo\nquery fen\nisready\nposition startpos moves a1 b2\nquery fen\n",
    );
    let lines: Vec<&str> = lost.lines().collect();
    assert_eq!(lines.len(), 5, "{lost}");
    assert!(lines[0].contains("`z9` is not legal here"), "{lost}");
    assert!(
        lines[1..3]
            .iter()
            .all(|line| line.starts_with("info string error: there is no position")),
        "{lost}"
    );
    assert_eq!(lines[3..], ["readyok", "response x../.o./..."]);
}

#[test]
fn managers_are_answered() {
    let hello = conversation(&TicTacToe, "ugi\nisready\nquit\nisready\n");
    assert!(
        hello.starts_with("id name ") && hello.ends_with("ugiok\nreadyok\n"),
        "{hello}"
    );
    // Cross wins at once in the third column, and the game is over then.
    let won = conversation(
        &TicTacToe,
        "position startpos moves c1 a1 c2 b2\ngo nodes 500\nquery p1turn\nquery gameover\nquery result\n\
         position startpos moves c1 a1 c2 b2 c3\nquery gameover\nquery result\nquery p1turn\ngo\n",
    );
    let answers: Vec<&str> = won
        .lines()
        .filter(|line| !line.starts_with("info "))
        .collect();
    let expected = [
        "bestmove c3",
        "response true",
        "response false",
        "response none",
        "response true",
        "response p1win",
        "response false",
        "bestmove (none)",
    ];
    assert_eq!(answers, expected);
    let by_text = conversation(&TicTacToe, "position startpos moves b2\nquery fen\n");
    let fen = by_text.trim_start_matches("response ").trim();
    let again = conversation(
        &TicTacToe,
        &format!("position fen {fen} moves a1\nquery moves\n"),
    );
    assert_eq!(again.split_whitespace().count(), 8, "{again}");
    let wrong = conversation(
        &TicTacToe,
        "position startpos moves b2 b2\ngo nodes x\nhm\nquery\n\n",
    );
    assert_eq!(
        wrong
            .lines()
            .filter(|line| line.starts_with("info string error"))
            .count(),
        4,
        "{wrong}"
    );
    // A draw is due at the start of a race: the engine draws, and by clocks it thinks only a little.
    let race = conversation(
        &Race,
        "query chance\ngo p1time 300 p2time 300 movestogo 10\n",
    );
    assert!(
        race.starts_with("response ") && race.contains("bestmove "),
        "{race}"
    );
}
