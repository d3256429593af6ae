//! Rewrites of files of Board game constructor.

use serde_json::{Map, Value, json};

mod geometry;

use crate::{Random, Rewrite, shuffle};

use geometry::{geometry, rows};

pub(crate) const REWRITES: &[Rewrite] = &[
    Rewrite {
        name: "cells",
        about: "cells listed in another order",
        apply: |text, random| {
            changed(text, |game| {
                shuffle_list(game.pointer_mut("/board/cells"), random)
            })
        },
    },
    Rewrite {
        name: "cells-backwards",
        about: "cells listed from the last to the first",
        apply: |text, _| {
            changed(text, |game| {
                let cells = game
                    .pointer_mut("/board/cells")
                    .and_then(Value::as_array_mut);
                cells.map(|cells| cells.reverse())
            })
        },
    },
    Rewrite {
        name: "figures",
        about: "figures in another order",
        apply: |text, random| changed(text, |game| shuffle_keys(game.get_mut("figures")?, random)),
    },
    Rewrite {
        name: "start",
        about: "the figures of the start in another order",
        apply: |text, random| {
            changed(text, |game| {
                let start = game.get_mut("initial_position")?;
                for (_, figures) in start.as_object_mut()? {
                    shuffle_keys(figures, random)?;
                    for (_, places) in figures.as_object_mut()? {
                        shuffle_list(Some(places), random);
                    }
                }
                Some(())
            })
        },
    },
    Rewrite {
        name: "names",
        about: "other names of figures",
        apply: |text, _| rename_figures(text),
    },
    Rewrite {
        name: "alternatives",
        about: "alternatives of conditions in another order",
        apply: |text, random| {
            changed(text, |game| {
                each(game, &mut |value| {
                    shuffle_list(value.get_mut("if"), random);
                });
                Some(())
            })
        },
    },
    Rewrite {
        name: "conditions",
        about: "what a condition asks in another order",
        apply: |text, random| {
            changed(text, |game| {
                each_condition(game, &mut |set| {
                    shuffle_keys(set, random);
                })
            })
        },
    },
    Rewrite {
        name: "twice",
        about: "conditions stated twice",
        apply: |text, _| {
            changed(text, |game| {
                each(game, &mut |value| {
                    if let Some(Value::Array(sets)) = value.get_mut("if") {
                        sets.extend(sets.clone());
                    }
                });
                Some(())
            })
        },
    },
    Rewrite {
        name: "zeros",
        about: "steps of 0 written out",
        apply: |text, _| zeros(text),
    },
    Rewrite {
        name: "both-ways",
        about: "an entry that is also reversed as two entries",
        apply: |text, _| both_ways(text),
    },
    Rewrite {
        name: "entries",
        about: "entries of a movement that never fit one vector in another order",
        apply: entries,
    },
    Rewrite {
        name: "redundant",
        about: "an enemy is said to be a figure, too, and a figure to stand on a cell",
        apply: |text, _| {
            changed(text, |game| {
                each(game, &mut |value| {
                    if let Some(Value::Object(asked)) = value.get_mut("computed") {
                        if asked.get("is_enemy") == Some(&json!(true)) {
                            asked.entry("is_figure").or_insert(json!(true));
                        }
                        if asked.get("is_figure") == Some(&json!(true)) {
                            asked.entry("is_cell").or_insert(json!(true));
                        }
                    }
                });
                Some(())
            })
        },
    },
    Rewrite {
        name: "own-actions",
        about: "what all entries of a figure share is written in each of them",
        apply: |text, _| own_actions(text),
    },
    Rewrite {
        name: "promotions",
        about: "what is done on some targets alone is an entry of its own, which comes first",
        apply: |text, _| promotions(text),
    },
    Rewrite {
        name: "geometry",
        about: "an entry is said to begin where it can lead somewhere",
        apply: |text, _| changed(text, geometry),
    },
    Rewrite {
        name: "rows",
        about: "an entry for each row that it can begin in",
        apply: |text, _| changed(text, rows),
    },
    Rewrite {
        name: "alone",
        about: "entries of a movement as complex movements of one figure",
        apply: |text, _| changed(text, alone),
    },
    Rewrite {
        name: "swaps",
        about: "a figure changes places with nothing where it went to a free cell",
        apply: |text, _| changed(text, swaps),
    },
    Rewrite {
        name: "takings",
        about: "taking and going to free cells are entries of their own, each with its actions",
        apply: |text, _| changed(text, takings),
    },
    Rewrite {
        name: "moves-first",
        about: "whether the other player can move is asked before whether the first has won",
        apply: |text, _| changed(text, |game| moves_first(game.get_mut("game_states")?)),
    },
];

/// The state to which a result of a test leads.
fn after(states: &Value, name: &str, result: bool) -> Option<String> {
    let mut next = states.get(name)?.get("next")?.as_array()?.iter();
    let fits = |branch: &&Value| branch["if"] == json!([{ "result": result }]);
    Some(next.find(fits)?.get("state")?.as_str()?.to_owned())
}

/// Leads from a state to another one wherever it led to a first.
fn lead(state: &mut Value, from: &str, to: &str) {
    let Some(next) = state.get_mut("next") else {
        return;
    };
    if *next == json!(from) {
        *next = json!(to);
    }
    for branch in next.as_array_mut().into_iter().flatten() {
        if branch["state"] == json!(from) {
            branch["state"] = json!(to);
        }
    }
}

/// Exchanges tests that follow each other, of a win and of moves, where both end the game in one state.
fn moves_first(states: &mut Value) -> Option<()> {
    let is_test = |(_, state): &(&String, &Value)| state["type"] == "check_win";
    let wins = states.as_object()?.iter().filter(is_test);
    let wins: Vec<String> = wins.map(|(name, _)| name.clone()).collect();
    for win in &wins {
        let (Some(end), Some(moves)) = (after(states, win, true), after(states, win, false)) else {
            continue;
        };
        let same = after(states, &moves, false) == Some(end);
        let Some(next) = after(states, &moves, true).filter(|_| same) else {
            continue;
        };
        if states[&moves]["type"] != "check_moves" {
            continue;
        }
        for (name, state) in states.as_object_mut()? {
            match name {
                name if *name == moves => lead(state, &next, win),
                name if name == win => lead(state, &moves, &next),
                _ => lead(state, win, &moves),
            }
        }
    }
    Some(())
}

/// An entry as two: one for the targets on which more is done than on the rest, and one for all, which fits those that are left.
fn apart(entry: &Value) -> Option<[Value; 2]> {
    let [asked] = &entry.get("if")?.as_array()?[..] else {
        return None;
    };
    let steps = entry.pointer("/cell_actions/destination")?.as_array()?;
    let of_target = |step: &Value| match step.get("if")?.as_array()?.as_slice() {
        [Value::Object(set)] if set.len() == 1 => set.get("target").cloned(),
        _ => None,
    };
    let at = steps.iter().position(|step| of_target(step).is_some())?;
    let target = of_target(&steps[at])?;
    let (mut first, mut rest) = (entry.clone(), entry.clone());
    let mut asked = asked.as_object()?.clone();
    if asked.insert("target".to_owned(), target).is_some() {
        return None;
    }
    first["if"] = json!([asked]);
    let steps_of = |entry: &'_ mut Value| {
        entry
            .pointer_mut("/cell_actions/destination")?
            .as_array_mut()
            .map(std::mem::take)
    };
    let mut own = steps_of(&mut first)?;
    own[at].as_object_mut()?.remove("if");
    first["cell_actions"]["destination"] = json!(own);
    let mut others = steps_of(&mut rest)?;
    others.remove(at);
    rest["cell_actions"]["destination"] = json!(others);
    Some([first, rest])
}

fn promotions(text: &str) -> Option<String> {
    changed(text, |game| {
        for entries in movements(game)? {
            let split = |entry: &Value| match apart(entry) {
                Some(two) => two.to_vec(),
                None => vec![entry.clone()],
            };
            *entries = entries.iter().flat_map(split).collect();
        }
        Some(())
    })
}

/// The text of a game after a change; nothing where there is no place for it.
fn changed(text: &str, change: impl FnOnce(&mut Value) -> Option<()>) -> Option<String> {
    let mut game: Value = serde_json::from_str(text).ok()?;
    let pretty = |game: &Value| serde_json::to_string_pretty(game).ok();
    // As texts, since objects are equal in any order.
    let before = pretty(&game)?;
    change(&mut game)?;
    pretty(&game).filter(|after| *after != before)
}

fn shuffle_list(list: Option<&mut Value>, random: &mut Random) -> Option<()> {
    shuffle(list?.as_array_mut()?, random);
    Some(())
}

fn shuffle_keys(object: &mut Value, random: &mut Random) -> Option<()> {
    let object = object.as_object_mut()?;
    let mut entries: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
    shuffle(&mut entries, random);
    object.extend(entries);
    Some(())
}

/// Comes to every object in a game.
fn each(value: &mut Value, f: &mut dyn FnMut(&mut Value)) {
    if value.is_object() {
        f(value);
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(|value| each(value, f)),
        Value::Array(list) => list.iter_mut().for_each(|value| each(value, f)),
        _ => {}
    }
}

/// Comes to every set of conditions.
fn each_condition(game: &mut Value, f: &mut dyn FnMut(&mut Value)) -> Option<()> {
    each(game, &mut |value| {
        if let Some(Value::Array(sets)) = value.get_mut("if") {
            sets.iter_mut().for_each(&mut *f);
        }
    });
    Some(())
}

/// The lists of entries of all figures.
fn movements(game: &mut Value) -> Option<Vec<&mut Vec<Value>>> {
    let figures = game.get_mut("figures")?.as_object_mut()?;
    let lists = figures
        .values_mut()
        .filter_map(|figure| figure.get_mut("movement")?.as_array_mut());
    Some(lists.collect())
}

fn dimensions(game: &Value) -> Option<Vec<String>> {
    let names = game.pointer("/cell/coordinates_names")?.as_array()?;
    names
        .iter()
        .map(|name| Some(name.as_str()?.to_owned()))
        .collect()
}

fn vector(entry: &Value, dimensions: &[String]) -> Vec<i64> {
    let step = |name: &String| entry.get(name).and_then(Value::as_i64).unwrap_or(0);
    dimensions.iter().map(step).collect()
}

fn zeros(text: &str) -> Option<String> {
    changed(text, |game| {
        let names = dimensions(game)?;
        for entry in movements(game)?.into_iter().flatten() {
            let entry = entry.as_object_mut()?;
            for name in &names {
                entry.entry(name.clone()).or_insert(json!(0));
            }
        }
        Some(())
    })
}

fn is_set(entry: &Value, key: &str) -> bool {
    entry.get(key) == Some(&json!(true))
}

fn both_ways(text: &str) -> Option<String> {
    changed(text, |game| {
        let names = dimensions(game)?;
        for list in movements(game)? {
            let mut written = Vec::new();
            for mut entry in list.drain(..) {
                if !is_set(&entry, "also_reversed") {
                    written.push(entry);
                    continue;
                }
                entry.as_object_mut()?.shift_remove("also_reversed");
                let mut back = entry.clone();
                for name in &names {
                    if let Some(step) = back.get(name).and_then(Value::as_i64) {
                        back[name] = json!(-step);
                    }
                }
                written.extend([entry, back]);
            }
            *list = written;
        }
        Some(())
    })
}

/// Whether two entries may fit one vector; told carefully: yes where it is not sure.
fn meet(a: &Value, b: &Value, dimensions: &[String]) -> bool {
    let (one, other) = (vector(a, dimensions), vector(b, dimensions));
    let plain = |entry: &Value| !is_set(entry, "repeat") && !is_set(entry, "also_reversed");
    if plain(a) && plain(b) {
        return one == other;
    }
    // Multiples of one direction, either way.
    let cross = (0..one.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let mut products = cross.map(|(i, j)| one[i] * other[j] - one[j] * other[i]);
    products.all(|product| product == 0)
}

fn entries(text: &str, random: &mut Random) -> Option<String> {
    changed(text, |game| {
        let names = dimensions(game)?;
        for list in movements(game)? {
            for end in (1..list.len()).rev() {
                let at = random.below(end);
                let apart = list[at + 1..=end]
                    .iter()
                    .all(|entry| !meet(&list[at], entry, &names));
                if apart {
                    list[at..=end].rotate_left(1);
                }
            }
        }
        Some(())
    })
}

/// The actions of a figure go to the end of those of its entries, which is where they count.
fn own_actions(text: &str) -> Option<String> {
    changed(text, |game| {
        for (_, figure) in game.get_mut("figures")?.as_object_mut()? {
            let figure = figure.as_object_mut()?;
            if !figure.get("movement").is_some_and(Value::is_array) {
                continue;
            }
            // Complex movements take them from the figure.
            let Some(Value::Object(shared)) = figure.get("cell_actions").cloned() else {
                continue;
            };
            for entry in figure.get_mut("movement")?.as_array_mut()? {
                let entry = entry.as_object_mut()?;
                let own = entry
                    .entry("cell_actions")
                    .or_insert_with(|| Value::Object(Map::new()));
                for (kind, sets) in &shared {
                    let list = own
                        .as_object_mut()?
                        .entry(kind.clone())
                        .or_insert(json!([]));
                    list.as_array_mut()?
                        .extend(sets.as_array()?.iter().cloned());
                }
            }
            figure.shift_remove("cell_actions");
        }
        Some(())
    })
}

/// Gives figures other names, wherever a text is exactly one.
fn rename_figures(text: &str) -> Option<String> {
    let game: Value = serde_json::from_str(text).ok()?;
    let figures: Vec<String> = game.get("figures")?.as_object()?.keys().cloned().collect();
    let players = game.get("players").cloned().unwrap_or_default().to_string();
    let states = game
        .get("game_states")
        .cloned()
        .unwrap_or_default()
        .to_string();
    // A name that means something else as well stays.
    let figures: Vec<String> = figures
        .into_iter()
        .filter(|name| {
            let quoted = json!(name).to_string();
            !players.contains(&quoted) && !states.contains(&quoted)
        })
        .collect();
    let other = |name: &str| {
        figures
            .iter()
            .any(|own| own == name)
            .then(|| format!("the {name}"))
    };
    let renamed = renamed(game, &other);
    serde_json::to_string_pretty(&renamed).ok()
}

fn renamed(value: Value, other: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(other(&text).unwrap_or(text)),
        Value::Array(list) => list
            .into_iter()
            .map(|value| renamed(value, other))
            .collect(),
        Value::Object(object) => {
            let entries = object.into_iter();
            Value::Object(
                entries
                    .map(|(key, value)| (other(&key).unwrap_or(key), renamed(value, other)))
                    .collect(),
            )
        }
        value => value,
    }
}

/// Whether some text stands anywhere in a game.
fn says(game: &Value, word: &str) -> bool {
    game.to_string().contains(word)
}

/// What an entry and its figure do on cells of one sort.
fn sets(entry: &Value, shared: &Value, sort: &str) -> Vec<Value> {
    let path = format!("/cell_actions/{sort}");
    let lists = [entry, shared].map(|of| of.pointer(&path).and_then(Value::as_array).cloned());
    lists.into_iter().flatten().flatten().collect()
}

/// A complex movement that leads where an entry does, of which no other one fits the vector.
fn as_complex(name: &str, entry: &Value, shared: &Value, dimensions: &[String]) -> Option<Value> {
    let takes_along = ["repeat", "also_reversed", "takes"]
        .iter()
        .any(|key| entry.get(*key).is_some());
    let steps = entry.get("steps").map_or(Some(1), Value::as_u64)?;
    let mut destination = sets(entry, shared, "destination");
    let transition = sets(entry, shared, "transition");
    let cancels = |set: &Value| set["actions"] == json!(["cancel"]);
    if takes_along || !transition.iter().all(cancels) {
        return None;
    }
    for set in &mut destination {
        let asked = entry.get("if").cloned().unwrap_or(json!([{}]));
        let own = set.get("if").cloned().unwrap_or(json!([{}]));
        let mut both = Vec::new();
        for a in asked.as_array()? {
            for b in own.as_array()? {
                both.push(geometry::met(a, b)?);
            }
        }
        set["if"] = Value::Array(both);
    }
    let mut part = json!({ "figure": name, "coordinates_delta": {}, "cell_actions": { "destination": destination } });
    for dimension in dimensions
        .iter()
        .filter(|dimension| entry.get(*dimension).is_some())
    {
        part["coordinates_delta"][dimension] = entry[dimension].clone();
    }
    if steps > 1 {
        part["steps"] = json!(steps);
        part["cell_actions"]["transition"] = Value::Array(transition);
    }
    Some(json!({ "figures": [part] }))
}

/// Every second entry becomes a complex movement, where nobody attacks anything and none is preferred.
fn alone(game: &mut Value) -> Option<()> {
    let others = ["complex_movement", "attacked", "priority", "continue"];
    if others.iter().any(|word| says(game, word)) {
        return None;
    }
    let names = dimensions(game)?;
    let mut complex = Vec::new();
    for (name, figure) in game.get_mut("figures")?.as_object_mut()? {
        let shared = figure.clone();
        let all = figure.get_mut("movement")?.as_array_mut()?;
        let mut kept = Vec::new();
        for (at, entry) in all.iter().enumerate() {
            let mut others = all.iter().enumerate().filter(|(other, _)| *other != at);
            let met = others.any(|(_, other)| meet(entry, other, &names));
            let moved = match met || at % 2 == 0 {
                true => None,
                false => as_complex(name, entry, &shared, &names),
            };
            match moved {
                Some(movement) => complex.push(movement),
                None => kept.push(entry.clone()),
            }
        }
        *all = kept;
    }
    if !complex.is_empty() {
        game["complex_movement"] = Value::Array(complex);
    }
    Some(())
}

/// "Take an enemy; move" becomes "take an enemy and move; change places with nothing".
fn swaps(game: &mut Value) -> Option<()> {
    if says(game, "last_move") {
        return None;
    }
    let take = json!({ "actions": ["take"], "if": [{ "computed": { "is_enemy": true } }] });
    let go = json!({ "actions": ["move"] });
    each(game, &mut |value| {
        let Some(Value::Array(sets)) = value.get_mut("destination") else {
            return;
        };
        if let [.., one, other] = &mut sets[..]
            && *one == take
            && *other == go
        {
            one["actions"] = json!(["take", "move"]);
            *other = json!({ "actions": ["swap"], "if": [{ "computed": { "is_empty": true } }] });
        }
    });
    Some(())
}

/// Where figures never go to cells of their own, take enemies and move, an entry for taking and one for free cells.
fn takings(game: &mut Value) -> Option<()> {
    let names = dimensions(game)?;
    let asked = |what: &str| json!([{ "computed": { what: true } }]);
    let whole = json!([
        { "actions": ["cancel"], "if": asked("is_own") },
        { "actions": ["take"], "if": asked("is_enemy") },
        { "actions": ["move"] },
    ]);
    for (_, figure) in game.get_mut("figures")?.as_object_mut()? {
        let Some(shared) = figure.pointer_mut("/cell_actions/destination") else {
            continue;
        };
        if *shared != whole {
            continue;
        }
        *shared = json!([]);
        // An entry that comes later must not fit where only these two no longer do.
        let entries = figure.get("movement")?.as_array()?;
        let mut pairs = (0..entries.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        if pairs.any(|(i, j)| meet(&entries[i], &entries[j], &names)) {
            return None;
        }
        let mut written = Vec::new();
        for entry in figure.get_mut("movement")?.as_array_mut()? {
            for (what, actions) in [
                ("is_enemy", json!(["take", "move"])),
                ("is_empty", json!(["move"])),
            ] {
                let mut part = entry.clone();
                let conditions = entry.get("if").cloned().unwrap_or(json!([{}]));
                let mut both = Vec::new();
                for condition in conditions.as_array()? {
                    both.push(geometry::met(condition, &asked(what)[0])?);
                }
                part["if"] = Value::Array(both);
                let mut own = sets(entry, &Value::Null, "destination");
                own.push(json!({ "actions": actions }));
                part["cell_actions"]["destination"] = Value::Array(own);
                written.push(part);
            }
        }
        *figure.get_mut("movement")? = Value::Array(written);
    }
    Some(())
}
