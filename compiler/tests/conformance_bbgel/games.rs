//! Recorded games: small worlds, traces of every step, and summaries of many seeds.

use rulec_compiler::ir::Const;
use rulec_interp::Interp;
use serde_json::{Value as Json, json};

use crate::cases::{Refusal, compile, folder, json, world_json};
use crate::corpus::files;
use crate::stages::Stage;
use crate::walk::{Played, Step, play, shown};

/// The interpreter of a world with another step limit.
fn limited(name: &str, bytes: &[u8], most: i64, stage: Stage) -> Result<Interp, Refusal> {
    let mut game = compile(name, bytes, false)?.game;
    let limit = game.limit.expect("a bound on steps");
    game.vars[limit.index()].init = vec![Const::Int(most)];
    Ok(stage.interpreter(game))
}

/// The steps of a recorded turn.
fn steps(turn: &Json) -> Vec<Step> {
    let list = turn["steps"].as_array().cloned().unwrap_or_default();
    let step = |step: &Json| {
        let is = |key: &str| step[key] == json!(true);
        let rolled_back = is("rolled_back");
        let jumps = ["forced_to", "landed_to"]
            .iter()
            .filter_map(|key| step[*key].as_str());
        Step {
            way: step["move"].as_str().unwrap_or_default().to_owned(),
            to: step["to"].as_str().unwrap_or_default().to_owned(),
            forced: is("forced"),
            landed: is("landed"),
            rolled_back,
            // A rollback brings the token back by itself.
            jumps: match rolled_back {
                true => Vec::new(),
                false => jumps.map(str::to_owned).collect(),
            },
            left: ["left", "forced_left", "landed_left"]
                .iter()
                .filter_map(|key| step[*key].as_i64())
                .collect(),
        }
    };
    list.iter().map(step).collect()
}

fn draws(turn: &Json) -> Vec<Json> {
    let list = turn["steps"].as_array().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for step in &list {
        for key in ["control_draws", "forced_draws", "landed_draws"] {
            all.extend(step[key].as_array().cloned().unwrap_or_default());
        }
    }
    all
}

/// The part of a record that a state shows, without scopes and results.
fn plain(state: &Json) -> Json {
    let mut state = state.clone();
    if let Some(map) = state.as_object_mut() {
        map.retain(|key, _| key == "globals" || key == "players");
    }
    for player in state["players"].as_array_mut().into_iter().flatten() {
        if let Some(map) = player.as_object_mut() {
            map.retain(|key, _| ["pos", "vars", "suspend"].contains(&key.as_str()));
        }
    }
    state
}

/// What differs between a game and its record.
fn difference(game: &Interp, played: &Played, record: &Json, tiles: bool) -> Option<String> {
    let result = &record["result"];
    let status = result["status"].as_str().unwrap_or_default();
    let expected = match status {
        "error" => result["error"]["code"].as_str().unwrap_or_default(),
        other => other,
    };
    if played.status != expected {
        return Some(format!(
            "{} ({}), expected {expected}",
            played.status, played.message
        ));
    }
    if status == "error" {
        let said = result["error"]["message"].as_str().unwrap_or_default();
        let field = said
            .split("field ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let field = field.filter(|_| !said.contains("next tile was not found"));
        if let Some(field) = field
            && !played.message.contains(&format!("field {field}"))
        {
            return Some(format!("{} instead of field {field}", played.message));
        }
    }
    if json!(played.turns) != result["turns"] {
        return Some(format!(
            "{} turns, expected {}",
            played.turns, result["turns"]
        ));
    }
    if status == "finished" {
        let found = json!([played.winner, played.steps, played.seconds]);
        let expected = json!([
            result["winner"],
            result["steps"],
            result["elapsed_time"].as_f64()
        ]);
        if found != expected {
            return Some(format!("{found}, expected {expected}"));
        }
        let last = shown(game, &played.last, tiles);
        if record.get("final").is_some() && last != plain(&record["final"]) {
            return Some(format!("at the end {last}, expected {}", record["final"]));
        }
    }
    if let (Some(first), Some(init)) = (&played.first, record.get("init"))
        && *first != plain(init)
    {
        return Some(format!("{first} after the setup, expected {init}"));
    }
    let turns = record["turns"].as_array().cloned().unwrap_or_default();
    // The turn in which a game goes wrong leaves no trace: its last draw is taken back.
    let whole = match status {
        "finished" => turns.len(),
        _ => turns.len().saturating_sub(1),
    };
    for (number, (turn, own)) in turns.iter().zip(&played.record).take(whole).enumerate() {
        let number = number + 1;
        let suspended = turn.get("suspended").is_some_and(|s| *s == json!(true));
        if json!(own.player) != turn["player"] || (!suspended && json!(own.roll) != turn["roll"]) {
            return Some(format!(
                "turn {number}: {:?}, expected {turn}",
                (own.player, own.roll)
            ));
        }
        let expected = steps(turn);
        if own.steps != expected {
            return Some(format!(
                "turn {number}: {:?}\nexpected {expected:?}",
                own.steps
            ));
        }
        if own.draws != draws(turn) {
            return Some(format!(
                "turn {number}: draws {:?}, expected {turn}",
                own.draws
            ));
        }
        if let Some(end) = &own.end
            && *end != plain(&turn["end"])
        {
            return Some(format!(
                "after turn {number}: {end}\nexpected {}",
                turn["end"]
            ));
        }
    }
    let shown = played.record.len() >= whole;
    (!shown).then(|| format!("only {} turns", played.record.len()))
}

fn record(case: &Json) -> &Json {
    let record = case.get("recommended").or_else(|| case.get("both"));
    record.expect("a record")
}

fn tell(what: &str, wrong: &[String], seen: usize) {
    assert!(
        wrong.is_empty(),
        "{} of {seen} {what} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn small_worlds_play_as_recorded() {
    let Some(folder) = folder() else { return };
    let cases = json(&folder.join("oracle/rule_worlds.json"));
    let (mut seen, mut wrong) = (0, Vec::new());
    let all = || cases["cases"].as_array().cloned().expect("cases");
    for (stage, case) in &Stage::each(all, 1) {
        let (name, text) = world_json(&case["world"]);
        let most = case["max_steps"].as_i64().expect("a number");
        let game = limited(&name, text.as_bytes(), most, *stage);
        for record in record(case).as_array().expect("games") {
            seen += 1;
            let code = record["result"]["error"]["code"]
                .as_str()
                .unwrap_or_default();
            let difference = match &game {
                Ok(game) => {
                    let seed = record["seed"].as_u64().expect("a seed");
                    let tiles = game.game().domain(game.game().placements[0].places);
                    let tiles = tiles.member(0).contains(':');
                    difference(game, &play(game, seed), record, tiles)
                }
                // Errors of texts are those of setup or fields there.
                Err(words) if words.is(code) => None,
                Err(words) if code.ends_with("syntax_error") && words.is("syntax_error") => None,
                Err(words) => Some(format!("errors {words:?}, expected {}", record["result"])),
            };
            if let Some(difference) = difference {
                wrong.push(format!(
                    "{} seed {}, {stage:?}: {difference}",
                    case["id"], record["seed"]
                ));
            }
        }
    }
    assert!(seen > 100, "only {seen} games");
    tell("games", &wrong, seen);
}

#[test]
fn recorded_games_are_played_step_by_step() {
    let Some(folder) = folder() else { return };
    let (mut seen, mut wrong) = (0, Vec::new());
    let traces = || files(&folder.join("oracle/traces"), "json");
    for (stage, path) in Stage::each(traces, 1) {
        let trace = json(&path);
        let world = trace["world"].as_str().expect("a world");
        let bytes = std::fs::read(folder.join("worlds").join(world)).expect("the world");
        let most = trace["max_steps"].as_i64().expect("a number");
        let game = limited(world, &bytes, most, stage);
        let game = game.unwrap_or_else(|e| panic!("{world}: {e:?}"));
        let tiles = trace["tiles"]
            .as_array()
            .is_some_and(|tiles| tiles.len() > 1);
        let record = record(&trace);
        for game_record in record["games"].as_array().expect("games") {
            seen += 1;
            let seed = game_record["seed"].as_u64().expect("a seed");
            let difference = difference(&game, &play(&game, seed), game_record, tiles);
            wrong.extend(difference.map(|difference| format!("{world} seed {seed}: {difference}")));
        }
        for summary in record["summary"].as_array().expect("summaries") {
            seen += 1;
            let seed = summary[0].as_u64().expect("a seed");
            let played = play(&game, seed);
            let found = json!([
                seed,
                played.status,
                played.winner,
                played.turns,
                played.steps,
                played.seconds
            ]);
            let mut expected = summary.clone();
            expected[5] = json!(summary[5].as_f64());
            if found != expected {
                wrong.push(format!("{world}: {found}, expected {expected}"));
            }
        }
    }
    assert!(seen > 1400, "only {seen} games");
    tell("games", &wrong, seen);
}

#[test]
fn all_worlds_compile_and_play() {
    let Some(folder) = folder() else { return };
    let worlds = folder.join("worlds");
    let all = || {
        let mut all = files(&worlds, "world");
        all.extend(files(&worlds, "tile"));
        all
    };
    for (stage, path) in Stage::each(all, 1) {
        let name = path.file_name().expect("a file").to_string_lossy();
        let bytes = std::fs::read(&path).expect("the world");
        let game = limited(&name, &bytes, 1000, stage);
        let game = game.unwrap_or_else(|e| panic!("{name}: {e:?}"));
        for seed in 1..20 {
            let played = play(&game, seed);
            let known = ["finished", "max_steps"].contains(&played.status.as_str());
            assert!(
                known,
                "{name} seed {seed}: {} {}",
                played.status, played.message
            );
        }
    }
}
