//! Compiled games against what is known of them: the recorded behaviour of the original engine for every game of the
//! corpus, the perft tables for ours. All games are modules of one crate, which is built once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rulec_cli::{Bundle, Rules, Speed};
use serde_json::{Value, json};

use crate::corpus;

/// The program that holds all games; its first argument says which one it is.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-games");
        all_games()
            .build(&corpus::tools(), &folder)
            .expect("the crate builds")
    })
}

/// Games that have so much to count that optimising them is quicker.
const LARGE: &[&str] = &["own_json_chess"];

/// The name of a game.
fn module(file: &Path, own: bool) -> String {
    let from = if own { "own" } else { "corpus" };
    let lang = file.extension().unwrap_or_default().to_string_lossy();
    format!("{from}_{lang}_{}", corpus::stem(file).to_lowercase())
}

/// One in so many games of the corpus is compiled, except in bgc, which has few; with `RULEC_LONG=1` all. `rulec difftest` compiles
/// each of them too and compares it with the interpreter, which other tests compare with what is recorded.
fn one_in() -> usize {
    if corpus::long() { 1 } else { 2 }
}

/// Those of the games of a language that are compiled.
fn sample(games: Vec<PathBuf>) -> Vec<PathBuf> {
    games.into_iter().step_by(one_in()).collect()
}

/// Games of the corpus that are compiled.
fn others(folder: &Path) -> Vec<PathBuf> {
    let many = [
        corpus::corpus_games(folder),
        corpus::bgm_games(folder),
        corpus::bbgel_games(folder),
    ];
    let sampled = many.into_iter().flat_map(sample);
    sampled.chain(corpus::bgc_games(folder)).collect()
}

fn all_games() -> Bundle {
    let mut own = corpus::own_games();
    own.extend(corpus::own_bgm_games());
    let others = corpus::s3_corpus().map_or(Vec::new(), |folder| others(&folder));
    let games = own
        .iter()
        .map(|f| (f, true))
        .chain(others.iter().map(|f| (f, false)));
    let mut bundle = Bundle::new("native-games");
    for (file, own) in games {
        let name = module(file, own);
        let mut rules = Rules::open(file, "all").expect("the file can be read");
        if let (false, Ok(_)) = (own, rules.quotient()) {
            // The oracles know pieces by their names.
            let rust = rules.rust().expect("a game that forgets names");
            bundle.add(&format!("forgetful_{name}"), rust, Speed::Quick);
            rules = rules.with_names();
        }
        let rust = rules
            .rust()
            .unwrap_or_else(|e| panic!("{}: {e:#}", file.display()));
        let speed = match LARGE.contains(&name.as_str()) {
            true => Speed::Optimised,
            false => Speed::Quick,
        };
        bundle.add(&name, rust, speed);
    }
    bundle
}

/// What a command of a compiled game prints as JSON.
fn ask(game: &str, args: &[&str]) -> Value {
    ask_with(Command::new(program()), game, args)
}

fn ask_with(mut command: Command, game: &str, args: &[&str]) -> Value {
    let output = command
        .arg(game)
        .args(args)
        .arg("--json")
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{game} {args:?}: {errors}");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{game} {args:?} prints no JSON: {e}"))
}

/// Differences found so far, so that one run shows all of them.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, what: &str, found: &Value, expected: &Value) {
        if found != expected {
            self.0.push(format!("{what}: {found}, expected {expected}"));
        }
    }

    fn finish(self) {
        assert!(self.0.is_empty(), "\n{}\n", self.0.join("\n"));
    }
}

#[test]
fn the_corpus_plays_as_it_did() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let mut differences = Differences::default();
    let games = sample(corpus::corpus_games(&folder));
    assert!(!games.is_empty());
    for file in games {
        let oracle = folder.join("oracle").join(corpus::stem(&file) + ".json");
        let text = std::fs::read(&oracle).expect("every game has an oracle");
        let oracle: Value = serde_json::from_slice(&text).expect("it is JSON");
        let game = module(&file, false);
        start(&game, &oracle["start"], &mut differences);
        for (key, distinct) in [("perft_triples", false), ("perft_dedup", true)] {
            perft(&game, &oracle[key], distinct, &mut differences);
        }
        for (key, identity) in [
            ("bfs_canonical", &["canonical"][..]),
            ("bfs_canonical_noscore", &["canonical", "--ignore-scores"]),
            ("bfs_full", &["full"]),
        ] {
            explore(&game, &oracle[key], identity, &mut differences);
        }
        let playouts = oracle["playouts"].as_array().expect("recorded games");
        assert!(!playouts.is_empty());
        for playout in playouts {
            replay(&game, playout, &mut differences);
        }
    }
    differences.finish();
}

/// Positions without names of pieces: the same counts of moves with names, and positions that differ by more than names.
#[test]
fn the_corpus_counts_the_same_without_names() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let mut differences = Differences::default();
    let mut seen = 0;
    for file in sample(corpus::corpus_games(&folder)) {
        if Rules::open(&file, "all").is_ok_and(|rules| rules.quotient().is_err()) {
            continue;
        }
        seen += 1;
        let oracle = folder.join("oracle").join(corpus::stem(&file) + ".json");
        let text = std::fs::read(&oracle).expect("every game has an oracle");
        let oracle: Value = serde_json::from_slice(&text).expect("it is JSON");
        let game = format!("forgetful_{}", module(&file, false));
        start(&game, &oracle["start"], &mut differences);
        for (key, distinct) in [("perft_triples", false), ("perft_dedup", true)] {
            perft(&game, &oracle[key], distinct, &mut differences);
        }
        let canonical = &oracle["bfs_canonical"];
        explore(&game, canonical, &["canonical"], &mut differences);
        for playout in oracle["playouts"].as_array().into_iter().flatten() {
            let mut playout = playout.clone();
            // A position by name is none of theirs.
            playout["final_state"] = final_state(&game, &playout);
            replay(&game, &playout, &mut differences);
        }
    }
    assert!(seen * one_in() > 4, "{seen} games with pieces alike");
    differences.finish();
}

/// The state that a game shows at the end of a recorded one.
fn final_state(game: &str, playout: &Value) -> Value {
    let moves = playout["moves"].as_array().into_iter().flatten();
    let moves: Vec<String> = moves
        .map(|m| m.as_str().unwrap_or_default().replace('|', " "))
        .collect();
    ask(game, &["replay", "--moves", &moves.join("; ")])["state"].clone()
}

fn start(game: &str, oracle: &Value, differences: &mut Differences) {
    let found = ask(game, &["moves"]);
    let moves = found["moves"].as_array().expect("a list of moves");
    let mut check = |what: &str, found: &Value, expected: &Value| {
        differences.compare(&format!("{game}, start, {what}"), found, expected);
    };
    check("turn", &found["turn"], &oracle["player"]);
    check("state", &found["state"], &oracle["state"]);
    check("moves", &json!(moves.len()), &oracle["triples"]);
    check("distinct moves", &found["distinct_moves"], &oracle["dedup"]);
    if let Some(expected) = oracle["moves"].as_array() {
        let texts = moves
            .iter()
            .map(|m| m["text"].as_str().unwrap_or_default().replace(' ', "|"));
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        check("list of moves", &json!(texts), &json!(expected));
    }
}

fn perft(game: &str, oracle: &Value, distinct: bool, differences: &mut Differences) {
    let expected = oracle["sequences_per_depth"].as_array().expect("counts");
    let depth = (expected.len() - 1).to_string();
    let mut args = vec!["perft", &depth, "--ended"];
    args.extend(distinct.then_some("--distinct"));
    let found = ask(game, &args);
    let what = format!("{game}, perft, distinct {distinct}");
    differences.compare(&what, &found["depths"], &json!(expected[1..]));
    differences.compare(
        &format!("{what}, ended"),
        &sorted(&found["ended"]),
        &sorted(&oracle["ended_sequences_by_ply_and_result"]),
    );
}

fn explore(game: &str, oracle: &Value, identity: &[&str], differences: &mut Differences) {
    let expected = oracle["new_states_per_depth"].as_array().expect("counts");
    let complete = oracle["complete"] == true;
    let depth = (expected.len() - 1).to_string();
    let mut args = vec!["explore", "--identity"];
    args.extend(identity);
    if !complete {
        args.extend(["--depth", &depth]);
    }
    let found = ask(game, &args);
    let what = format!("{game}, explore {identity:?}");
    differences.compare(&what, &found["new_states"], &oracle["new_states_per_depth"]);
    let ends = |value: &Value, count: usize| {
        let layers = value.as_array().cloned().unwrap_or_default();
        json!(layers.iter().take(count).map(sorted).collect::<Vec<_>>())
    };
    // The last layer of an exploration that was cut short was made, but its ends were not counted.
    let counted = expected.len() - usize::from(!complete);
    differences.compare(
        &format!("{what}, ends"),
        &ends(&found["terminals"], counted),
        &ends(&oracle["terminals_per_depth"], counted),
    );
}

/// An object in the order of its keys.
fn sorted(object: &Value) -> Value {
    let entries = object.as_object().into_iter().flatten();
    json!(entries.collect::<BTreeMap<_, _>>())
}

fn replay(game: &str, playout: &Value, differences: &mut Differences) {
    let moves = playout["moves"].as_array().expect("moves").iter();
    let moves: Vec<String> = moves
        .map(|m| m.as_str().unwrap_or_default().replace('|', " "))
        .collect();
    let found = ask(game, &["replay", "--moves", &moves.join("; ")]);
    let plies = found["plies"].as_array().expect("plies");
    let what = format!("{game}, recorded game {}", playout["seed"]);
    for (ours, key) in [
        ("turn", "players"),
        ("legal", "legal_triples"),
        ("distinct", "legal_dedup"),
    ] {
        let expected = playout[key].as_array().expect("a number a ply");
        let column: Vec<&Value> = plies
            .iter()
            .take(expected.len())
            .map(|p| &p[ours])
            .collect();
        differences.compare(&format!("{what}, {ours}"), &json!(column), &playout[key]);
    }
    differences.compare(
        &format!("{what}, state"),
        &found["state"],
        &playout["final_state"],
    );
    let (reason, winner) = match playout["result"].as_str() {
        Some("win") => (json!("win"), playout["winner"].clone()),
        Some("draw_by_rule") => (json!("draw"), json!(0)),
        Some("stuck") => (json!("stuck"), Value::Null),
        _ => (Value::Null, Value::Null),
    };
    let outcome = &found["outcome"];
    differences.compare(&format!("{what}, reason"), &outcome["reason"], &reason);
    differences.compare(&format!("{what}, winner"), &outcome["winner"], &winner);
    if !outcome.is_null() {
        differences.compare(
            &format!("{what}, scores"),
            &outcome["scores"],
            &playout["scores"],
        );
    }
}

#[test]
fn the_bgc_corpus_counts_as_it_did() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let mut differences = Differences::default();
    let oracle = folder.with_file_name("bgc").join("oracle");
    let read = |name: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(oracle.join(name)).ok()?).ok()
    };
    let published = read("extended_perft.json").expect("there are published counts");
    let mut seen = 0;
    for file in corpus::bgc_games(&folder) {
        let stem = corpus::stem(&file);
        let recorded = read(&format!("{stem}_initial.json"));
        let (counts, unit) = match &recorded {
            Some(recorded) => (&recorded["perft"], "move"),
            None => (&published[&stem]["perft"], "turn"),
        };
        let Some(expected) = counts.as_array() else {
            continue;
        };
        let depth = expected.len().to_string();
        let found = ask(&module(&file, false), &["perft", &depth, "--unit", unit]);
        differences.compare(&stem, &found["depths"], counts);
        seen += 1;
    }
    assert!(seen > 2, "there are counts");
    differences.finish();
}

#[test]
fn recorded_bgc_positions_have_their_moves() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let cell = |cell: &Value| -> String {
        let numbers = cell.as_array().into_iter().flatten();
        numbers.map(Value::to_string).collect::<Vec<_>>().join(",")
    };
    let pair = |from: &Value, to: &Value| format!("{} {}", cell(from), cell(to));
    let mut differences = Differences::default();
    let folder = folder.with_file_name("bgc");
    let mut seen = 0;
    for path in corpus::rule_files(&folder.join("oracle"), "json") {
        let text = std::fs::read(&path).expect("the record can be read");
        let oracle: Value = serde_json::from_slice(&text).expect("it is JSON");
        if oracle["format"] != "bgc-oracle-1" {
            continue;
        }
        let rules = folder.join(format!("{}.json", oracle["game"].as_str().expect("a game")));
        let game = module(&rules, false);
        let single = [oracle.clone()];
        let positions = oracle["positions"].as_array();
        for position in positions.map_or(&single[..], |list| list) {
            let steps = position["path"].as_array().into_iter().flatten();
            let steps: Vec<String> = steps.map(|step| pair(&step[0], &step[1])).collect();
            let after = steps.join("; ");
            let what = format!("{game} after `{after}`");
            let found = ask(&game, &["moves", "--after", &after]);
            let moves = found["moves"].as_array().into_iter().flatten();
            let mut moves: Vec<&str> = moves.filter_map(|m| m["text"].as_str()).collect();
            moves.sort_unstable();
            let legal = position["legal"].as_array().expect("legal moves").iter();
            let mut legal: Vec<String> = legal.map(|m| pair(&m["from"], &m["to"])).collect();
            legal.sort();
            differences.compare(&what, &json!(moves), &json!(legal));
            let counts = &position["perft"];
            let depth = counts.as_array().map_or(0, Vec::len).to_string();
            let found = ask(&game, &["perft", &depth, "--after", &after]);
            differences.compare(&what, &found["depths"], counts);
            seen += 1;
        }
    }
    assert!(seen > 2, "there are positions");
    differences.finish();
}

#[test]
fn recorded_simulations_are_repeated() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let mut differences = Differences::default();
    let traces = corpus::bbgel_traces(&folder);
    let worlds = sample(corpus::bbgel_games(&folder));
    let compiled: Vec<String> = worlds.iter().map(|file| module(file, false)).collect();
    let mut seen = 0;
    for path in traces {
        let text = std::fs::read(&path).expect("the record can be read");
        let trace: Value = serde_json::from_slice(&text).expect("it is JSON");
        let record = trace.get("recommended").unwrap_or(&trace["both"]);
        let world = trace["world"].as_str().expect("a world");
        let game = module(Path::new(world), false);
        if !compiled.contains(&game) {
            continue;
        }
        seen += 1;
        let expected = record["summary"].as_array().expect("games");
        let count = expected.len().to_string();
        let args = [
            "simulate", "--games", &count, "--dice", "lcg32", "--rows", "--seed",
        ];
        let args = [&args[..], &["1"]].concat();
        let found = ask(&game, &args);
        for threads in ["1", "3"] {
            let again = ask(&game, &[&args[..], &["--threads", threads]].concat());
            differences.compare(&format!("{world}, {threads} threads"), &again, &found);
        }
        let keys = ["seed", "status", "winner", "turns", "steps", "time"];
        let rows = found["rows"].as_array().expect("rows");
        for (row, expected) in rows.iter().zip(expected) {
            let row: Vec<Value> = keys.iter().map(|key| even(&row[*key])).collect();
            let expected = expected.as_array().expect("a summary").iter();
            let expected: Vec<Value> = expected.map(even).collect();
            differences.compare(world, &json!(row), &json!(expected));
        }
        assert_eq!(rows.len(), expected.len());
    }
    assert!(seen > 0, "there are records of compiled worlds");
    differences.finish();
}

/// Numbers are equal whether they are written as whole numbers or not.
fn even(value: &Value) -> Value {
    value
        .as_f64()
        .map_or_else(|| value.clone(), |number| json!(number))
}

#[test]
fn our_games_have_the_counts_of_their_tables() {
    let mut differences = Differences::default();
    for file in corpus::own_games() {
        let table =
            std::fs::read_to_string(file.with_extension("perft")).expect("a table beside it");
        let game = module(&file, true);
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            match line.strip_prefix("long ") {
                Some(line) if corpus::long() => table_line(&game, line, &mut differences),
                Some(_) => {}
                None => table_line(&game, line, &mut differences),
            }
        }
    }
    differences.finish();
}

/// The text of a chess position in the words of our rules, made from Forsyth-Edwards notation without an en passant
/// square: `start` with other figures, whose turn it is, and who has not moved yet.
fn chess_position(fen: &str, start: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut cells = vec!["-".to_owned(); 64];
    let mut fresh = Vec::new();
    for (y, rank) in (0..8).rev().zip(fields[0].split('/')) {
        let mut x = 0;
        for c in rank.chars() {
            if let Some(skip) = c.to_digit(10) {
                x += skip as usize;
                continue;
            }
            let white = c.is_uppercase();
            let (owner, home) = if white { ("white", 0) } else { ("black", 7) };
            let right = |side: char| {
                let side = if white {
                    side.to_ascii_uppercase()
                } else {
                    side
                };
                y == home && fields[2].contains(side)
            };
            let (figure, unmoved) = match c.to_ascii_lowercase() {
                'p' => ("pawn", y == if white { 1 } else { 6 }),
                'n' => ("knight", false),
                'b' => ("bishop", false),
                'r' => ("rook", x == 7 && right('k') || x == 0 && right('q')),
                'q' => ("queen", false),
                _ => ("king", right('k') || right('q')),
            };
            cells[y * 8 + x] = format!("{owner} {figure}");
            if unmoved {
                fresh.push((y, x));
            }
            x += 1;
        }
    }
    fresh.sort_unstable();
    let fresh: Vec<String> = fresh.iter().map(|(y, x)| format!("{x},{y}")).collect();
    let parts = start.split(" | ").enumerate().map(|(at, part)| match at {
        0 if fields[1] == "w" => "white_move".to_owned(),
        0 => "black_move".to_owned(),
        1 => cells.join(","),
        _ if part.starts_with("moved 0=") => format!("moved 0={{{}}}", fresh.join(",")),
        _ => match part.split_once("={") {
            Some((name, _)) => format!("{name}={{}}"),
            None => part.to_owned(),
        },
    });
    parts.collect::<Vec<_>>().join(" | ")
}

#[test]
fn chess_positions_have_the_published_counts() {
    let mut differences = Differences::default();
    let file = corpus::root().join("games/bgc/chess.json");
    let positions = std::fs::read_to_string(file.with_extension("epd")).expect("positions");
    let game = module(&file, true);
    let start = ask(&game, &["moves"]);
    let start = start["state"].as_str().expect("a text");
    let most = if corpus::long() { u64::MAX } else { 5_000_000 };
    let mut seen = 0;
    for line in positions.lines() {
        let (fen, counts) = line.split_once(" ;").expect("counts");
        let counts = counts
            .split(" ;")
            .filter_map(|c| c.split(' ').nth(1)?.parse().ok());
        let counts: Vec<u64> = counts.take_while(|count| *count <= most).collect();
        assert!(counts.len() >= 4, "{line}");
        let text = chess_position(fen, start);
        let depth = counts.len().to_string();
        let found = ask(&game, &["perft", &depth, "--state", &text]);
        differences.compare(fen, &found["depths"], &json!(counts));
        seen += 1;
    }
    assert_eq!(seen, 5);
    differences.finish();
}

fn table_line(game: &str, line: &str, differences: &mut Differences) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let what = format!("{game}, {line}");
    match words.first() {
        Some(&kind @ ("distinct" | "all")) => {
            let depth = numbers.len().to_string();
            let mut args = vec!["perft", &depth];
            args.extend((kind == "distinct").then_some("--distinct"));
            differences.compare(&what, &ask(game, &args)["depths"], &json!(numbers));
        }
        Some(&"turns") => {
            let depth = numbers.len().to_string();
            let found = ask(game, &["perft", &depth, "--unit", "turn"]);
            differences.compare(&what, &found["depths"], &json!(numbers));
        }
        Some(&"states") => {
            let found = ask(game, &["explore", "--identity", "canonical"]);
            let states = found["new_states"].as_array().into_iter().flatten();
            let states: u64 = states.filter_map(Value::as_u64).sum();
            differences.compare(&what, &json!(states), &json!(numbers[0]));
            differences.compare(&what, &found["complete"], &json!(true));
        }
        Some(&"solve") => {
            let found = ask(game, &["solve"]);
            let length = found["moves"].as_array().map(Vec::len);
            differences.compare(&what, &json!(length), &json!(numbers[0]));
        }
        Some(&"value") => {
            let found = ask(game, &["expectimax"]);
            let player: usize = words[1].parse().expect("a player");
            let value = found["values"][player - 1]
                .as_f64()
                .map(|v| format!("{v:.9}"));
            differences.compare(&what, &json!(value), &json!(words[2]));
        }
        Some(&"best") => {
            // The way to the first decision: draws, then the better move.
            let after = words[1].replace(',', "; ").replace('_', " ");
            let found = ask(game, &["expectimax", "--after", &after]);
            differences.compare(&what, &found["moves"][0]["move"], &json!(words[2]));
            let searched = ask(game, &["search", "--nodes", "20000", "--after", &after]);
            differences.compare(&what, &searched["best"], &json!(words[2]));
        }
        Some(word) => panic!("{game}: unknown line `{word}`"),
        None => {}
    }
}

#[test]
fn the_bgm_corpus_is_as_expected() {
    let Some(folder) = corpus::s3_corpus() else {
        return;
    };
    let mut differences = Differences::default();
    let text = std::fs::read(folder.with_file_name("bgm").join("expected.json"));
    let expected: Value = serde_json::from_slice(&text.expect("it is there")).expect("it is JSON");
    let mut compared = 0;
    for file in sample(corpus::bgm_games(&folder)) {
        let name = corpus::stem(&file);
        let found = ["games", "seed"].map(|part| expected[part].get(&name).cloned());
        let Some(entry) = found.into_iter().flatten().next() else {
            continue;
        };
        bgm_game(&file, &entry, &mut differences);
        compared += one_in();
    }
    let all = expected["games"].as_object().map_or(0, |games| games.len());
    assert!(compared >= all, "{compared} of {all} games");
    differences.finish();
}

/// Counts of a game of the bgm corpus. Positions in the middle of an action are not among the expected ones: where there
/// are any, those of the interpreter are expected.
fn bgm_game(file: &Path, entry: &Value, differences: &mut Differences) {
    let game = module(file, false);
    let table = entry["perft"].as_array().expect("a table");
    let depth = table.len().to_string();
    let found = ask(&game, &["perft", &depth, "--unit", "decision"]);
    differences.compare(&format!("{game}, perft"), &found["depths"], &entry["perft"]);
    if let Some(lines) = entry["lines_of_play_by_result"].as_array() {
        // The table may stop before the longest games do; these all end.
        let found = ask(&game, &["perft", "64", "--unit", "decision", "--ended"]);
        let mut ended: BTreeMap<String, u64> = BTreeMap::new();
        for (label, count) in found["ended"].as_object().into_iter().flatten() {
            let label = label.split_once(':').map_or(label.as_str(), |(_, l)| l);
            *ended.entry(result_label(label)).or_default() += count.as_u64().unwrap_or(0);
        }
        let known = by_result(lines, "lines");
        differences.compare(&format!("{game}, lines"), &json!(ended), &json!(known));
    }
    let Some(states) = entry.get("states") else {
        return;
    };
    let rules = Rules::open(file, "none").expect("the file can be read");
    let output = rules.output.expect("it compiles");
    let whole =
        output.game.families.iter().all(|f| f.context.is_empty()) && output.game.draws.is_empty();
    let interpreted =
        rulec_cli::interpreted::InterpretedGame::new(output.game).expect("it is sound");
    let found = ask(&game, &["explore"]);
    let sum: u64 = found["new_states"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .sum();
    let expected = match whole {
        true => states.clone(),
        false => {
            let limits = rulec_search::explore::ExploreLimits {
                identity: 0,
                choices: rulec_core::ChoiceSet::All,
                depth: None,
                states: 1_000_000,
                keep: rulec_search::explore::Keep::Nothing,
                orbits: rulec_search::orbit::Orbits::Off,
            };
            json!(
                rulec_engines::interpreted(&interpreted)
                    .explore(&limits, &mut |_| true)
                    .states()
            )
        }
    };
    differences.compare(&format!("{game}, states"), &json!(sum), &expected);
    if let Some(results) = entry["terminal_states_by_result"].as_array() {
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        for layer in found["terminals"].as_array().into_iter().flatten() {
            for (label, count) in layer.as_object().into_iter().flatten() {
                *ends.entry(result_label(label)).or_default() += count.as_u64().unwrap_or(0);
            }
        }
        let known = by_result(results, "states");
        differences.compare(&format!("{game}, ends"), &json!(ends), &json!(known));
    }
    if let Some(first) = entry["first_moves"].as_array() {
        let moves = ask(&game, &["moves"])["moves"].as_array().map(Vec::len);
        differences.compare(
            &format!("{game}, first moves"),
            &json!(moves),
            &json!(first.len()),
        );
    }
}

/// How a game ended, by the numbers of the winners: nobody where all draw, or all lose.
fn result_label(label: &str) -> String {
    match label {
        "0" | "stuck" | "elimination" => "nobody".to_owned(),
        winners => winners.to_owned(),
    }
}

/// Counts by result, as [`result_label`] names them.
fn by_result(table: &[Value], count: &str) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for entry in table {
        let result = entry["result"].as_array().into_iter().flatten().enumerate();
        let winners = result.filter(|(_, value)| value.as_i64() == Some(1));
        let winners: Vec<String> = winners.map(|(seat, _)| (seat + 1).to_string()).collect();
        let label = match winners.is_empty() {
            true => "nobody".to_owned(),
            false => winners.join("+"),
        };
        *sums.entry(label).or_default() += entry[count].as_u64().unwrap_or(0);
    }
    sums
}

#[test]
fn our_bgm_games_have_the_counts_of_their_tables() {
    let mut differences = Differences::default();
    let mut compared = 0;
    for file in corpus::own_bgm_games() {
        let table =
            std::fs::read_to_string(file.with_extension("perft")).expect("a table beside it");
        let game = module(&file, true);
        for line in table.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
            let what = format!("{game}, {line}");
            match words.first() {
                Some(&"all") => {
                    let depth = numbers.len().to_string();
                    let found = ask(&game, &["perft", &depth, "--unit", "decision"]);
                    differences.compare(&what, &found["depths"], &json!(numbers));
                    compared += 1;
                }
                // A shortest solution, found by search.
                Some(&"solve") => {
                    let found = ask(&game, &["solve"]);
                    let length = found["moves"].as_array().map(Vec::len);
                    differences.compare(&what, &json!(length), &json!(numbers[0]));
                }
                _ => {}
            }
        }
    }
    assert!(compared > 5, "there are tables");
    differences.finish();
}

#[test]
fn games_for_newer_processors_are_those_for_any() {
    for game in [
        "own_s3_tic_tac_toe",
        "own_s3_gomoku",
        "own_json_breakthrough",
    ] {
        let search = ["search", "--bot", "uct:400:solve=no", "--seed", "3"];
        let found = |version: &str| {
            let mut command = Command::new(program());
            command.env("RULEC_CPU", version);
            let mut answer = ask_with(command, game, &search);
            let moves = answer["moves"].take();
            assert!(moves.as_array().is_some_and(|moves| !moves.is_empty()));
            moves
        };
        assert_eq!(found("portable"), found("newer"), "{game}");
    }
}

#[test]
fn networks_see_what_the_interpreter_tells() {
    use rulec_cli::interpreted::InterpretedGame;
    use rulec_search::{Bot, start};

    let mut differences = Differences::default();
    let mut files = corpus::own_games();
    files.extend(corpus::own_bgm_games());
    for file in files {
        let rules = Rules::open(&file, "all").expect("the file can be read");
        let output = rules.output.expect("our games have no mistakes");
        let interpreted = InterpretedGame::new(output.game).expect("the program is sound");
        let game = module(&file, true);
        let mut state = start(&interpreted);
        let mut moves: Vec<String> = Vec::new();
        let mut rng = rulec_core::Rng::new(3, 0);
        for ply in 0..12 {
            if [0, 5, 11].contains(&ply) {
                let after = moves.join("; ");
                let found = ask(&game, &["moves", "--observe", "--after", &after]);
                let mut values = Vec::new();
                state.observe(&mut values);
                let told = found["observed"].as_array().into_iter().flatten();
                let cells = told.flat_map(|plane| plane["values"].as_array().into_iter().flatten());
                let told: Value = cells.cloned().collect();
                differences.compare(&format!("{game} after {after}"), &told, &json!(values));
            }
            let code = match state.turn() {
                rulec_core::Turn::Over => break,
                rulec_core::Turn::Chance => state.results().draw(&mut rng),
                rulec_core::Turn::Decide(_) => Bot::Random.choose(&*state, &mut rng),
            };
            let Some(code) = code else { break };
            let about = state.move_args(code).0;
            let family = state.info().families.get(about).map_or("", |f| f.name);
            moves.push(format!("{} @{family}", state.move_text(code)));
            state.play(code, None);
        }
    }
    differences.finish();
}
