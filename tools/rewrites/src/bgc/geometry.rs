//! Conditions on coordinates that say no more than what the geometry of a movement says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{dimensions, is_set, movements, vector};

/// A set of conditions that holds where two do; nothing where they ask the same thing twice.
pub(super) fn met(a: &Value, b: &Value) -> Option<Value> {
    let mut both = a.as_object()?.clone();
    for (key, asked) in b.as_object()? {
        let asked = match both.get(key) {
            Some(own) if own.is_object() => met(own, asked)?,
            Some(_) => return None,
            None => asked.clone(),
        };
        both.insert(key.clone(), asked);
    }
    Some(Value::Object(both))
}

/// The coordinates of all cells.
fn cells(game: &Value, dimensions: &[String]) -> Option<BTreeSet<Vec<i64>>> {
    let cells = game.pointer("/board/cells")?.as_array()?;
    let of = |cell: &Value| dimensions.iter().map(|name| cell[name].as_i64()).collect();
    cells.iter().map(of).collect()
}

/// The last coordinates of the cells from which an entry leads somewhere; nothing where they are not said in few words.
fn sources(entry: &Value, names: &[String], cells: &BTreeSet<Vec<i64>>) -> Option<BTreeSet<i64>> {
    let least = match entry.get("steps") {
        Some(Value::Array(bounds)) => bounds.first()?.as_i64()?,
        Some(steps) => steps.as_i64()?,
        None => 1,
    };
    let signs: &[i64] = match is_set(entry, "also_reversed") {
        true => &[1, -1],
        false => &[1],
    };
    let unit = vector(entry, names);
    let leads = |cell: &&Vec<i64>| {
        signs.iter().any(|sign| {
            let target = cell
                .iter()
                .zip(&unit)
                .map(|(at, step)| at + sign * least * step);
            cells.contains(&target.collect::<Vec<i64>>())
        })
    };
    cells
        .iter()
        .filter(leads)
        .map(|cell| cell.last().copied())
        .collect()
}

/// What an entry asks, and that it begins on a cell with a coordinate.
fn from(entry: &Value, name: &str, value: i64) -> Option<Vec<Value>> {
    let here = json!({ "self": { "coordinates": { name: value } } });
    let asked = entry.get("if").cloned().unwrap_or(json!([{}]));
    asked
        .as_array()?
        .iter()
        .map(|set| met(set, &here))
        .collect()
}

/// Makes entries of one and of what each of them asks.
type Split<'a> = &'a dyn Fn(&Value, Vec<Vec<Value>>) -> Vec<Value>;

/// For each entry those that it becomes by the coordinates that it can begin with.
fn each(game: &mut Value, split: Split<'_>) -> Option<()> {
    let names = dimensions(game)?;
    let cells = cells(game, &names)?;
    let last = names.last()?;
    for list in movements(game)? {
        let entries = list.drain(..).flat_map(|entry| {
            let values = sources(&entry, &names, &cells).unwrap_or_default();
            let asked: Option<Vec<Vec<Value>>> = values
                .iter()
                .map(|value| from(&entry, last, *value))
                .collect();
            match asked.filter(|asked| !asked.is_empty()) {
                Some(asked) => split(&entry, asked),
                None => vec![entry],
            }
        });
        *list = entries.collect();
    }
    Some(())
}

/// An entry is said to begin where it leads somewhere.
pub(super) fn geometry(game: &mut Value) -> Option<()> {
    each(game, &|entry, asked| {
        let mut entry = entry.clone();
        entry["if"] = Value::Array(asked.concat());
        vec![entry]
    })
}

/// An entry becomes one for each row.
pub(super) fn rows(game: &mut Value) -> Option<()> {
    each(game, &|entry, asked| {
        let one = |asked: &Vec<Value>| {
            let mut entry = entry.clone();
            entry["if"] = Value::Array(asked.clone());
            entry
        };
        asked.iter().map(one).collect()
    })
}
