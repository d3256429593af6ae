//! Solving, certificates and searches on rule files, by the interpreter: values that are known from elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_core::{ChoiceSet, Rng, Turn};
use rulec_search::exhaust::{Engine, Exhaust, ExhaustLimits, Force};
use rulec_search::expectimax::expectimax;
use rulec_search::explore::{ExploreLimits, Keep};
use rulec_search::{Bot, State, solve};
use serde_json::Value;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn open(file: &str) -> InterpretedGame {
    let rules = Rules::open(&games().join(file), "all").expect("it can be read");
    InterpretedGame::new(rules.output.expect("it compiles").game).expect("it is sound")
}

fn rulec(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(args)
        .current_dir(games())
        .output()
        .expect("it runs")
}

fn said(args: &[&str]) -> Value {
    let output = rulec(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_list_of_positions_stops_in_time() {
    for file in ["s3/connect_four.s3", "s3/reversi.s3"] {
        let limits = ["--method", "graph", "--time", "50ms", "--json"];
        let found = said(&[&["solve", file], &limits[..]].concat());
        assert_eq!(found["complete"], false, "{file}");
        let states = found["states"].as_u64();
        assert!(states.is_some_and(|states| states < 100_000), "{file}");
    }
}

#[test]
fn puzzles_take_as_many_moves_as_is_known() {
    for (file, moves) in [
        ("s3/frogs.s3", 15),
        ("s3/river_crossing.s3", 7),
        ("s3/fifteen_puzzle.s3", 14),
        ("bgm/hanoi.bgm", 15),
    ] {
        let found = said(&["solve", file, "--json"]);
        assert_eq!(
            found["moves"].as_array().map(Vec::len),
            Some(moves),
            "{file}"
        );
        assert_eq!(found["cost"], moves, "{file}");
    }
    // Four walkers with a lamp: 17 minutes.
    let found = said(&["solve", "s3/bridge.s3", "--cost", "score", "--json"]);
    assert_eq!(
        (&found["cost"], &found["complete"]),
        (&17.into(), &true.into())
    );
}

#[test]
fn games_for_two_end_as_is_known() {
    let long = std::env::var_os("RULEC_LONG").is_some();
    for (file, winner) in [
        ("s3/tic_tac_toe.s3", 0),
        // The heaps 3, 4 and 5 have the sum 2 without carries, so the first player wins.
        ("s3/nim.s3", 1),
        ("bgm/nim.bgm", 1),
    ] {
        // The certificate of the drawn game is made and checked below anyway.
        if winner == 0 && !long {
            continue;
        }
        for method in ["graph", "search", "proof"] {
            let found = said(&["solve", file, "--method", method, "--json"]);
            assert_eq!(found["winner"], winner, "{file} by {method}");
        }
    }
}

#[test]
fn certificates_are_checked_on_the_interpreter() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    fs::create_dir_all(&folder).expect("a folder");
    for (file, options) in [
        ("s3/tic_tac_toe.s3", &["--method", "search"][..]),
        ("s3/nim.s3", &["--method", "proof"]),
        ("s3/nim.s3", &[]),
        ("s3/frogs.s3", &[]),
        ("s3/bridge.s3", &["--cost", "score"]),
    ] {
        let path = folder.join(file.replace('/', "-"));
        let path = path.to_str().expect("the path is UTF-8");
        let solve = [&["solve", file, "--certificate", path, "--json"], options].concat();
        said(&solve);
        let found = said(&["verify", file, path, "--json"]);
        assert_eq!(
            (&found["holds"], &found["from_start"]),
            (&true.into(), &true.into())
        );
        let text = fs::read_to_string(path).expect("it was written");
        let place = text.rfind("b").or(text.rfind("s")).expect("a letter");
        let damaged = format!("{}c{}", &text[..place], &text[place + 1..]);
        fs::write(path, damaged).expect("it can be written");
        let output = rulec(&["verify", file, path]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("does not hold"), "{errors}");
    }
    let output = rulec(&["verify", "s3/nim.s3", "no-such-file"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A position a given number of plies before the end of a random game, that has not ended; nothing if the game is shorter.
fn near_the_end<'g>(start: &State<'g>, plies: usize, rng: &mut Rng) -> Option<State<'g>> {
    let mut line = vec![start.fork()];
    let mut moves = Vec::new();
    while let Turn::Decide(_) = line[line.len() - 1].turn() {
        let mut next = line[line.len() - 1].fork();
        next.moves(ChoiceSet::Distinct, &mut moves)
            .expect("no fault");
        let index = rng.below64(moves.len() as u64) as usize;
        next.play(moves[index], None);
        line.push(next);
    }
    let index = line.len().checked_sub(plies + 1)?;
    Some(line.swap_remove(index))
}

/// By the graph of all positions up to the names of pieces.
fn graph_payoff<'g>(state: &State<'g>, player: usize) -> f64 {
    let mut identities = state.info().identities.iter();
    let canonical = identities.position(|name| *name == "canonical");
    let limits = ExploreLimits {
        identity: canonical.expect("these games have one"),
        choices: ChoiceSet::Distinct,
        depth: None,
        states: 1 << 20,
        keep: Keep::Graph,
        orbits: rulec_search::orbit::Orbits::Off,
    };
    let found = state.explore(&limits, &mut |_| true);
    assert!(found.complete);
    match solve::values(&found.graph)[0] {
        solve::Value::Draw => 0.5,
        solve::Value::Win { player: winner, .. } => f64::from(u8::from(winner == player)),
    }
}

#[test]
fn five_ways_to_solve_agree_on_endgames() {
    let mut results = [0; 3];
    // In dots and boxes, who closes a box moves again.
    for (file, plies, count) in [
        ("s3/connect_four_5x4.s3", 3, 67),
        ("s3/dots_and_boxes.s3", 3, 67),
        ("s3/tic_tac_toe.s3", 4, 66),
    ] {
        let game = open(file);
        let start = rulec_engines::interpreted(&game);
        let mut rng = Rng::new(8, 0);
        let mut done = 0;
        while done < count {
            let Some(state) = near_the_end(&start, plies, &mut rng) else {
                continue;
            };
            done += 1;
            let player = state.player().expect("somebody decides");
            let truth = graph_payoff(&state, player);
            results[(truth * 2.0) as usize] += 1;
            // A search that follows one move of each class proves nothing where the moves of a class are not shown to be equal.
            let shown = state.info().exact_classes;
            for (bot, proves) in [("alphabeta:depth=30", shown), ("pns:1M", true)] {
                let bot: Bot = bot.parse().expect("a bot");
                let found = bot.search(&*state, 1);
                let proof = found.proof.map(|end| end.payoff(player));
                let value = found.moves.first().map(|best| best.value);
                let told = if proves { proof } else { proof.or(value) };
                assert_eq!(told, Some(truth), "{file} {bot} `{}`", state.text());
            }
            for engine in [Engine::AlphaBeta, Engine::ProofNumber] {
                let limits = ExhaustLimits {
                    engine,
                    nodes: None,
                    time: None,
                    memory: 1 << 20,
                    orbits: rulec_search::orbit::Orbits::Off,
                };
                let mut walk = state.walk();
                let mut progress = |_| true;
                let force = Exhaust::new(&mut *walk, player, &limits, &mut progress).force();
                let wanted = [Force::Nothing, Force::NoLoss, Force::Win][(truth * 2.0) as usize];
                assert_eq!(force, Some(wanted), "{file} {engine:?} `{}`", state.text());
            }
        }
    }
    assert!(results.iter().all(|n| *n > 10), "{results:?}");
}

#[test]
fn expectimax_and_searches_agree_on_a_choice_with_dice() {
    let game = open("bbgel/crossroads.bbgel");
    let mut compared = 0;
    for after in ["", "roll 2; roll 2; roll 1"] {
        let mut state = rulec_engines::interpreted(&game);
        for text in after.split("; ").filter(|text| !text.is_empty()) {
            let code = rulec_search::notation::find_move(&*state, text).expect(text);
            state.play(code, None);
        }
        let exact = expectimax(&*state, 1 << 20, &mut |_| true).expect("it is small");
        let Turn::Decide(_) = state.turn() else {
            continue;
        };
        compared += 1;
        let player = state.player().expect("somebody decides");
        let mut best = exact.moves.clone();
        best.sort_by(|a, b| b.1[player].total_cmp(&a.1[player]));
        for bot in ["uct:20000", "maxn:20000:eval=playouts-5"] {
            let bot: Bot = bot.parse().expect("a bot");
            let found = bot.search(&*state, 4);
            assert_eq!(found.best(), Some(best[0].0), "{bot} after `{after}`");
            let value = found.moves[0].value;
            let true_value = best[0].1[player];
            assert!(
                (value - true_value).abs() < 0.03,
                "{bot}: {value} and {true_value}"
            );
        }
    }
    assert!(compared > 0);
}

#[test]
fn strategies_and_heuristics_of_s3_games_play_by_their_names() {
    let puzzle = open("s3/eight_puzzle.s3");
    let start = rulec_engines::interpreted(&puzzle);
    // From a farthest start the sum of ways leads A* to 31 moves and past most of the 181440 positions.
    let astar: Bot = "AStar:time=600s:eval=Puzzle8Heuristic"
        .parse()
        .expect("a bot");
    if std::env::var_os("RULEC_LONG").is_some() {
        let found = astar.search(&*start, 1);
        assert_eq!(found.line.len(), 31);
        assert!(found.games < 400_000, "{}", found.games);
    }
    let frogs = open("s3/frogs.s3");
    let start = rulec_engines::interpreted(&frogs);
    for bot in ["BFS", "DFS", "AStar", "AStar:eval=DistanceFromGoal"] {
        let bot: Bot = bot.parse().expect("a bot");
        assert_eq!(bot.search(&*start, 1).line.len(), 15, "{bot}");
    }
    let game = open("s3/tic_tac_toe.s3");
    let start = rulec_engines::interpreted(&game);
    for bot in [
        "MiniMax:500:eval=MoreStones",
        "MiniMaxStochastic:500:eval=Zero",
        "MonteCarlo:200",
        "MonteCarloRatio:200",
        "MonteCarloRatio2:200",
    ] {
        let player: Bot = bot.parse().expect("a bot");
        let mut state = start.fork();
        let mut rng = Rng::new(1, 1);
        while let Turn::Decide(_) = state.turn() {
            let code = player.choose(&*state, &mut rng).expect("a move");
            assert!(state.play(code, None), "{bot}");
        }
    }
}

#[test]
fn the_table_of_alpha_beta_grows_and_keeps_to_its_bound() {
    let entries = |options: &str| {
        let bot = format!("alphabeta:100K{options}");
        let found = said(&["search", "s3/connect_four.s3", "--bot", &bot, "--json"]);
        found["nodes"].as_u64().expect("a number")
    };
    assert!(entries("") > 1 << 14);
    assert!(entries(":hash=64K") <= 1 << 12);
}

#[test]
fn small_connect_four_is_a_draw() {
    if std::env::var_os("RULEC_LONG").is_none() {
        println!("skipped: RULEC_LONG is not set");
        return;
    }
    for file in ["s3/connect_four_5x4.s3", "s3/connect_four_5x5.s3"] {
        let found = said(&[
            "solve", file, "--method", "search", "--engine", "native", "--json",
        ]);
        assert_eq!(
            (&found["winner"], &found["solved"]),
            (&0.into(), &true.into()),
            "{file}"
        );
    }
}

/// Connect four on 4 x 4, from the rules on 5 x 4: without the places and discs that are left over.
fn connect_four_4x4() -> String {
    let rules = fs::read_to_string(games().join("s3/connect_four_5x4.s3")).expect("the rules");
    let left_over = |name: &str| {
        let (kind, numbers) = name.split_once('(').unwrap_or((name, ""));
        let first = numbers.split([',', ')']).next();
        let first: u32 = first.and_then(|n| n.parse().ok()).unwrap_or(0);
        first > if kind == "b" { 4 } else { 8 }
    };
    let records = rules.split("\n\n").filter(|record| {
        let name = record.lines().find_map(|line| line.strip_prefix("name="));
        !name.is_some_and(left_over)
    });
    let small = records.collect::<Vec<_>>().join("\n\n");
    small.replace("1, 5, NOT EMPTY", "1, 4, NOT EMPTY")
}

/// Two positions of one kind have one value, so that one of them is kept changes no value. The numbers without symmetries of
/// tic-tac-toe and connect four, and of tic-tac-toe with them, are published ones.
#[test]
fn solving_with_symmetries_finds_the_same_and_keeps_fewer_positions() {
    let small = Path::new(env!("CARGO_TARGET_TMPDIR")).join("connect_four_4x4.s3");
    fs::write(&small, connect_four_4x4()).expect("it is written");
    let small = small.to_str().expect("a path");
    for (file, key, value, [on, off]) in [
        ("s3/tic_tac_toe.s3", "winner", 0, [765, 5478]),
        ("bgm/tic_tac_toe.bgm", "winner", 0, [765, 5478]),
        // Heaps of as many matches are alike where nothing but their number counts, and not where each match has its place.
        ("bgm/nim.bgm", "winner", 1, [91, 232]),
        ("s3/nim.s3", "winner", 1, [232, 232]),
        (small, "winner", 0, [80_541, 161_029]),
        ("s3/frogs.s3", "cost", 15, [37, 71]),
        ("s3/eight_puzzle.s3", "cost", 31, [90_791, 181_438]),
    ] {
        let method: &[&str] = match key {
            "winner" => &["--method", "graph"],
            _ => &[],
        };
        for (symmetry, positions) in [("on", on), ("off", off)] {
            let found =
                said(&[&["solve", file, "--symmetry", symmetry, "--json"], method].concat());
            assert_eq!(found["solved"], true, "{file}: {symmetry}");
            assert_eq!(found[key], value, "{file}: {symmetry}");
            assert_eq!(found["states"], positions, "{file}: {symmetry}");
        }
        if key == "winner" {
            for symmetry in ["on", "off"] {
                let searched = ["solve", file, "--method", "search", "--symmetry", symmetry];
                let found = said(&[&searched[..], &["--json"]].concat());
                assert_eq!(found[key], value, "{file}: {symmetry}");
            }
        }
    }
}

#[test]
fn symmetries_do_not_make_a_graph_small() {
    if std::env::var_os("RULEC_LONG").is_none() {
        println!("skipped: RULEC_LONG is not set");
        return;
    }
    let solve = |symmetry: &str| {
        let file = "s3/connect_four_5x4.s3";
        said(&["solve", file, "--symmetry", symmetry, "--json"])
    };
    let (on, off) = (solve("on"), solve("off"));
    assert_eq!(
        (&on["method"], &off["method"]),
        (&"search".into(), &"search".into())
    );
    assert_eq!(on["winner"], off["winner"]);
    let positions = |found: &Value| found["states"].as_u64().expect("a number");
    assert!(positions(&on) < positions(&off));
}

/// Games that go round in circles have no last move to search for: by default proof numbers tell what can be forced.
#[test]
fn games_without_an_end_stop_a_search() {
    let rules = |players: &str| {
        format!(
            "[ELEMENT TYPES]\nname=token\nstates=1\n\n[LOCATION TYPES]\nname=field\npoint=0,0\n\n\
             [LOCATIONS]\nname=f(1)\ntype=field\npoint=40,40\n\nname=f(2)\ntype=field\npoint=90,40\n\n\
             [PLAYER NAMES]\n{players}\n[MOVABLE ELEMENTS]\nname=token\ntype=token\nlocation=f(1)\n\n\
             [GAME RULES]\nname=step\nelement=token\nfrom=f($A)\nto=f($B)\nfollowup=NEXTPLAYER\n"
        )
    };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("circle.s3");
    let file = file.to_str().expect("a path");
    fs::write(file, rules("1=ann\n2=bob\n")).expect("it is written");
    let found = said(&["solve", file, "--method", "search", "--json"]);
    assert_eq!(found["solved"], false);
    fs::write(file, rules("1=ann\n2=bob\n3=cid\n")).expect("it is written");
    let found = said(&["solve", file, "--json"]);
    assert_eq!(found["solved"], true, "{found}");
}

/// A table tells what solving each of its positions tells, and a damaged one is refused.
#[test]
fn tables_of_endgames_say_what_solving_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endgames");
    let _ = fs::remove_dir_all(&folder);
    let out = folder.to_string_lossy().into_owned();
    let file = "bgc/breakthrough.json";
    let made = rulec(&[
        "endgames",
        file,
        "--of",
        "white man, black man",
        "--out",
        &out,
    ]);
    let errors = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{errors}");
    let checked = rulec(&["endgames", file, "--verify", &out, "--samples", "200"]);
    assert!(checked.status.success());
    let mut told = 0;
    for (white, black) in [(0, 56), (9, 50), (9, 18), (27, 36), (12, 51)] {
        let mut cells = ["-"; 64];
        cells[white] = "white man";
        cells[black] = "black man";
        for phase in ["white_move", "black_move"] {
            let state = format!("{phase} | {} | -1", cells.join(","));
            let solved = said(&["solve", file, "--state", &state, "--json"]);
            let found = said(&["solve", file, "--state", &state, "--tables", &out, "--json"]);
            assert_eq!(found["method"], "tables", "{state}: {found}");
            for key in ["solved", "winner", "distance"] {
                assert_eq!(found[key], solved[key], "{state}: {found} {solved}");
            }
            told += 1;
        }
    }
    assert_eq!(told, 10);
    let table = fs::read_dir(&folder)
        .expect("it was made")
        .flatten()
        .next()
        .expect("a table")
        .path();
    let mut bytes = fs::read(&table).expect("it can be read");
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&table, bytes).expect("it can be written");
    let damaged = rulec(&["endgames", file, "--verify", &out]);
    assert!(!damaged.status.success());
}
