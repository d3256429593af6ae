//! Texts of commands alone: trees, states and errors.

use rulec_interp::{Event, Interp, State};
use serde_json::{Map, Value as Json, json};

use crate::cases::{compile, folder, json};
use crate::corpus::{Lcg, drawn, number, seconds, status, value, variable};
use crate::stages::Stage;

/// The tree as `Front::ast` prints it.
fn printed(ast: &Json) -> String {
    let mut text = String::from("setup\n");
    for list in ["defs", "statements"] {
        for item in ast[list].as_array().expect("a list") {
            text.push_str(&format!("    {}\n", item.as_str().expect("a tree")));
        }
    }
    text
}

/// A variable in the form of the cases.
fn variable_json(
    game: &Interp,
    state: &State,
    name: &str,
    cell: usize,
    limit: Option<i64>,
) -> Json {
    let value = value(game, state, name, cell).expect("it has a value");
    match limit {
        Some(max) => json!({ "type": "int", "value": value, "max": max }),
        None => json!({ "type": "bool", "value": value }),
    }
}

/// The greatest value of an integer variable.
fn limit(game: &Interp, name: &str) -> Option<i64> {
    let id = variable(game, name).expect("it exists");
    game.game().var(id).ty.int_range().map(|(_, hi)| hi)
}

fn scopes(game: &Interp, state: &State, player: usize) -> Json {
    let depth = number(game, state, "scopes", player) as usize;
    let vars = &game.game().vars;
    let height = rulec_height(game);
    let mut all = Vec::new();
    for level in 0..=depth {
        let cell = player * height + level;
        let mut declared = Map::new();
        for var in vars {
            let Some(kind) = var.name.strip_prefix("local ") else {
                continue;
            };
            let has = format!("has {}", var.name);
            if value(game, state, &has, cell) == Some(json!(true)) {
                let name = kind.split(' ').next().expect("a name");
                let limit = limit(game, &var.name);
                let shown = variable_json(game, state, &var.name, cell, limit);
                declared.insert(name.to_owned(), shown);
            }
        }
        let limited = value(game, state, "limited", cell).unwrap_or(json!(false));
        all.push(json!({ "limited": limited, "vars": declared }));
    }
    Json::Array(all)
}

/// Scopes of a player, open or not.
fn rulec_height(game: &Interp) -> usize {
    let cells = |name: &str| variable(game, name).map(|id| game.game().var(id).init.len());
    let vars = &game.game().vars;
    let local = vars.iter().find(|var| var.name.starts_with("local "));
    let cells = local.map(|var| var.init.len()).or_else(|| cells("limited"));
    cells.unwrap_or(0) / game.game().player_count()
}

/// The state in the form of the cases.
fn shown(game: &Interp, state: &State, expected: &Json) -> Json {
    let players = game.game().player_count();
    let vars = &game.game().vars;
    let named = |prefix: &str, cell: usize| {
        let mut map = Map::new();
        for var in vars {
            if let Some(name) = var.name.strip_prefix(prefix) {
                let limit = limit(game, &var.name);
                let value = variable_json(game, state, &var.name, cell, limit);
                map.insert(name.to_owned(), value);
            }
        }
        Json::Object(map)
    };
    let cp = number(game, state, "turn", 0) as usize;
    let player = |seat: usize| {
        let result = match value(game, state, "result kind", seat).and_then(|k| k.as_i64()) {
            Some(1) => json!(number(game, state, "result", seat)),
            Some(2) => json!(number(game, state, "result", seat) != 0),
            _ => Json::Null,
        };
        let mut player = json!({
            "vars": named("player ", seat),
            "scopes": scopes(game, state, seat),
            "suspend": number(game, state, "asleep", seat),
            "result": result,
        });
        if let Some(tokens) = expected["players"][seat].get("tokens") {
            let at = match number(game, state, "field", seat) {
                -1 => Json::Null,
                id => json!(id),
            };
            // Only the first token walks.
            let mut all = vec![Json::Null; tokens.as_array().map_or(1, Vec::len)];
            all[0] = at;
            player["tokens"] = Json::Array(all);
        }
        player
    };
    let mut shown = json!({
        "globals": named("global ", 0),
        "players": (0..players).map(player).collect::<Vec<Json>>(),
        "current_player": cp,
        "next_player": (cp + 1) % players,
        "previous_player": (cp + players - 1) % players,
        "left_steps": number(game, state, "left", 0),
        "winners": [],
        "elapsed_time": seconds(game, state),
    });
    for left_alone in ["max_dice", "winners"] {
        if let Some(value) = expected.get(left_alone) {
            shown[left_alone] = value.clone();
        }
    }
    shown
}

/// Numbers are equal whether they are written as whole numbers or not.
fn even(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => Json::Array(items.iter().map(even).collect()),
        Json::Object(map) => {
            let mut sorted: Vec<_> = map.iter().map(|(k, v)| (k.clone(), even(v))).collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(sorted.into_iter().collect())
        }
        other => other.clone(),
    }
}

/// What differs between the run of a program and its record.
fn difference(case: &Json, record: &Json, stage: Stage) -> Option<String> {
    let text = case["program"].as_str().expect("a program");
    let front = compile("program.bbgel", text.as_bytes(), true);
    let is_error = record["outcome"] == "error";
    let code = record["error"]["code"].as_str().unwrap_or_default();
    let front = match front {
        Ok(front) => front,
        Err(refusal) if is_error && refusal.is(code) => {
            // The end of a text may be told in its last line, there it is in one of its own.
            let lines = text.lines().count().max(1) as u64;
            let line = record["error"]["line"].as_u64();
            let at = |line: u64| refusal.is_at(code, line) || refusal.is_at(code, line.min(lines));
            let placed = line.is_none_or(at);
            return (!placed).then(|| format!("{refusal:?}, expected {}", record["error"]));
        }
        Err(words) => return Some(format!("errors {words:?}, expected {}", record["error"])),
    };
    if record["phase"] == "parse" {
        return Some("it was read".to_owned());
    }
    let expected = printed(&record["ast"]);
    if front.ast != expected {
        return Some(format!("tree\n{}\nexpected\n{expected}", front.ast));
    }
    let game = stage.interpreter(front.game);
    let mut numbers = Lcg::new(1);
    let mut events = Vec::new();
    let mut state = game.initial_with_events(&mut events);
    while let Some(mv) = drawn(&game, &state, &mut numbers) {
        assert!(game.play_with_events(&mut state, mv, &mut events));
    }
    let (status, _) = status(&game, &state);
    if is_error {
        return (status != code).then(|| format!("{status}, expected {code}"));
    }
    if status != "draw" {
        return Some(format!("{status}, expected a state"));
    }
    let logged = logged(&events);
    if json!(logged) != record.get("log").cloned().unwrap_or(json!([])) {
        return Some(format!("logged {logged:?}, expected {}", record["log"]));
    }
    let found = even(&shown(&game, &state, &record["state"]));
    let expected = even(&record["state"]);
    (found != expected).then(|| format!("state\n{found}\nexpected\n{expected}"))
}

/// The lines of the log, as the values that they were.
fn logged(events: &[Event]) -> Vec<Json> {
    let lines = events.iter().filter_map(|event| match event {
        Event::Log(line) => Some(serde_json::from_str(line).expect("a value")),
        _ => None,
    });
    lines.collect()
}

#[test]
fn programs_do_what_was_recorded() {
    let Some(folder) = folder() else { return };
    let mut seen = 0;
    let mut wrong = Vec::new();
    for file in ["unit_cases.json", "language_cases.json"] {
        let cases = json(&folder.join("oracle").join(file));
        for case in cases["cases"].as_array().expect("cases") {
            let record = case.get("recommended").or_else(|| case.get("both"));
            let record = record.expect("a record");
            seen += 1;
            for stage in Stage::ALL {
                if let Some(difference) = difference(case, record, stage) {
                    wrong.push(format!(
                        "{}, {stage:?}: {:?}: {difference}",
                        case["id"], case["program"]
                    ));
                }
            }
        }
    }
    assert!(seen >= 400, "only {seen} programs");
    assert!(
        wrong.is_empty(),
        "{} of {seen} programs differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
