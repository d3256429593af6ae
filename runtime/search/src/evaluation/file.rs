//! Evaluations as files.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, OnceLock, PoisonError},
};

use serde_json::{Value, json};

use super::{BUILT_IN, ENDING, Evaluation, Learnt, Lines, PlaneWeights, Terms, lines::LONGEST};

/// What stands at the beginning of a file.
const FORMAT: &str = "rulec evaluation 2";
/// What stood there before there were phases.
const FORMAT_BEFORE: &str = "rulec evaluation 1";

/// The text of that evaluation.
static BUILT: OnceLock<&str> = OnceLock::new();

/// Gives the players of this program an evaluation, as the text of a file, by the name [`BUILT_IN`]; the first one counts.
pub fn build_in(text: &'static str) {
    // A program is built with one.
    let _ = BUILT.set(text);
}

/// Whether the program was built with an evaluation.
pub fn is_built_in() -> bool {
    BUILT.get().is_some()
}

impl Evaluation {
    /// The text of a file.
    pub fn to_json(&self) -> Value {
        let plane = |plane: &PlaneWeights| {
            json!({
                "name": plane.name,
                "cells": plane.cells,
                "low": plane.low,
                "high": plane.high,
                "quiet": plane.quiet,
                "counts": plane.counts,
                "places": plane.places,
                "late_counts": plane.late_counts,
                "late_places": plane.late_places,
                "fills": plane.fills,
                "always": plane.always,
            })
        };
        json!({
            "format": FORMAT,
            "rules": self.rules_sha256,
            "turn": self.turn,
            "forced": self.forced,
            "whole": self.whole,
            "passing": self.passing,
            "room": self.room,
            "mobility": self.mobility,
            "late_mobility": self.late_mobility,
            "lines": self.lines.as_ref().map(|lines| json!({
                "places": lines.lines,
                "sides": lines.sides,
                "weights": lines.weights,
                "late": lines.late,
                "holes": lines.holes,
            })),
            "planes": self.planes.iter().map(plane).collect::<Vec<_>>(),
            "others": self.others.iter().map(Evaluation::to_json).collect::<Vec<_>>(),
        })
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Evaluation, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let mut evaluation = Self::of_value(&value, 0)?;
        let others = value["others"].as_array().into_iter().flatten();
        let others = others
            .zip(1..)
            .map(|(other, seat)| Self::of_value(other, seat));
        evaluation.others = others.collect::<Result<_, _>>()?;
        Ok(evaluation)
    }

    /// Reads what the file says of a player.
    fn of_value(value: &Value, seat: usize) -> Result<Evaluation, String> {
        if value["format"] != FORMAT && value["format"] != FORMAT_BEFORE {
            return Err(format!("it does not begin with \"format\": \"{FORMAT}\""));
        }
        let planes = value["planes"].as_array().ok_or_else(|| wrong("planes"))?;
        // Files that were written before have not all of it.
        let optional = |name: &str| match &value[name] {
            Value::Null => Ok(0.0),
            number => number.as_f64().ok_or_else(|| wrong(name)),
        };
        let planes: Vec<PlaneWeights> = planes
            .iter()
            .map(PlaneWeights::from_json)
            .collect::<Result<_, _>>()?;
        Ok(Evaluation {
            rules_sha256: value["rules"]
                .as_str()
                .ok_or_else(|| wrong("rules"))?
                .to_owned(),
            turn: value["turn"].as_f64().ok_or_else(|| wrong("turn"))?,
            forced: value["forced"].as_bool().ok_or_else(|| wrong("forced"))?,
            whole: optional("whole")?,
            passing: match &value["passing"] {
                Value::Null => Vec::new(),
                passing => numbers(passing).ok_or_else(|| wrong("passing"))?,
            },
            lines: match &value["lines"] {
                Value::Null => None,
                lines => Some(Lines::from_json(lines, &planes)?),
            },
            planes,
            room: optional("room")?,
            mobility: optional("mobility")?,
            late_mobility: optional("late_mobility")?,
            seat,
            others: Vec::new(),
            terms: Terms::default(),
        }
        .prepared())
    }
}

impl Lines {
    fn from_json(value: &Value, planes: &[PlaneWeights]) -> Result<Lines, String> {
        let list =
            |name: &str| serde_json::from_value(value[name].clone()).map_err(|_| wrong(name));
        let places =
            serde_json::from_value(value["places"].clone()).map_err(|_| wrong("places"))?;
        let sides = serde_json::from_value(value["sides"].clone()).map_err(|_| wrong("sides"))?;
        let mut lines = Lines::new(places, sides);
        lines.weights = list("weights")?;
        lines.late = list("late")?;
        lines.holes = serde_json::from_value(value["holes"].clone()).map_err(|_| wrong("holes"))?;
        let cells = planes.iter().map(|plane| plane.cells).max().unwrap_or(0);
        let far = |place: &u32| *place as usize >= cells;
        let long = lines.lines.iter().any(|line| line.len() > LONGEST);
        match long || lines.lines.iter().flatten().any(far) {
            true => Err(wrong("places")),
            false => Ok(lines),
        }
    }
}

fn wrong(what: &str) -> String {
    format!("`{what}` is missing or wrong")
}

impl PlaneWeights {
    fn from_json(plane: &Value) -> Result<PlaneWeights, String> {
        let optional = |name: &str| match &plane[name] {
            Value::Null => Ok(Vec::new()),
            list => numbers(list).ok_or_else(|| wrong(name)),
        };
        let own = PlaneWeights {
            name: plane["name"]
                .as_str()
                .ok_or_else(|| wrong("name"))?
                .to_owned(),
            cells: plane["cells"].as_u64().ok_or_else(|| wrong("cells"))? as usize,
            low: plane["low"].as_i64().ok_or_else(|| wrong("low"))?,
            high: plane["high"].as_i64().ok_or_else(|| wrong("high"))?,
            counts: numbers(&plane["counts"]).ok_or_else(|| wrong("counts"))?,
            places: numbers(&plane["places"]).ok_or_else(|| wrong("places"))?,
            late_counts: optional("late_counts")?,
            late_places: optional("late_places")?,
            quiet: plane["quiet"].as_bool().ok_or_else(|| wrong("quiet"))?,
            fills: match &plane["fills"] {
                Value::Null => Vec::new(),
                list => serde_json::from_value(list.clone()).map_err(|_| wrong("fills"))?,
            },
            always: match &plane["always"] {
                Value::Null => Vec::new(),
                list => serde_json::from_value(list.clone()).map_err(|_| wrong("always"))?,
            },
        };
        let cells = own.cells.checked_mul(own.counts.len());
        let fits = |places: &[f64]| places.is_empty() || cells == Some(places.len());
        let late = own.late_counts.is_empty() || own.late_counts.len() == own.counts.len();
        let known = (own.always.iter()).all(|(value, _)| *value < own.counts.len());
        if !known {
            return Err(wrong("always"));
        }
        if own.counts.is_empty() || !fits(&own.places) || !fits(&own.late_places) || !late {
            return Err(wrong("places"));
        }
        // As large as an observation of a game can be.
        if cells.is_none_or(|cells| cells > 1 << 24) {
            return Err(wrong("cells"));
        }
        Ok(own)
    }
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

impl Learnt {
    /// Keeps an evaluation.
    pub(crate) fn keep(name: &str, evaluation: Evaluation) -> Learnt {
        Learnt {
            name: Box::leak(name.to_owned().into_boxed_str()),
            evaluation: Box::leak(Box::new(evaluation)),
        }
    }

    /// Reads a file; the same one once.
    ///
    /// # Errors
    /// When its name does not end in [`ENDING`], it cannot be read, or it is no evaluation.
    pub fn read(name: &str) -> Result<Learnt, String> {
        static READ: Mutex<BTreeMap<(String, String), Learnt>> = Mutex::new(BTreeMap::new());
        let text = match name {
            BUILT_IN => match BUILT.get() {
                Some(text) => (*text).to_owned(),
                None => {
                    return Err("the program has no evaluation of its own: `rulec build --eval FILE` builds one that has".to_owned());
                }
            },
            _ if !name.ends_with(ENDING) => {
                return Err(format!("the name of an evaluation ends in {ENDING}"));
            }
            _ => fs::read_to_string(Path::new(name)).map_err(|e| format!("`{name}`: {e}"))?,
        };
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(&(name.to_owned(), text.clone())) {
            return Ok(*known);
        }
        let evaluation = Evaluation::from_json(&text).map_err(|e| format!("`{name}`: {e}"))?;
        let learnt = Learnt::keep(name, evaluation);
        read.insert((name.to_owned(), text), learnt);
        Ok(learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn files_are_read_back_and_damaged_ones_refused() {
        let evaluation = sample();
        let text = evaluation.to_json().to_string();
        assert_eq!(Evaluation::from_json(&text), Ok(evaluation));
        for (from, to) in [
            ("rulec evaluation 2", "something"),
            ("\"turn\":0.5", "\"turn\":\"x\""),
            ("\"cells\":2", "\"cells\":3"),
            ("\"cells\":2", "\"cells\":99999999999"),
            ("[0.0,1.5,-1.5]", "[]"),
        ] {
            let damaged = text.replace(from, to);
            assert_ne!(damaged, text);
            assert!(Evaluation::from_json(&damaged).is_err(), "{damaged}");
        }
        let mut lines = sample();
        lines.lines = Some(Lines::new(vec![vec![0, 1]], vec![vec![0, 1, 2]]));
        (lines.room, lines.mobility, lines.late_mobility) = (2.0, 0.125, -0.5);
        lines.planes[0].fills = vec![1, 2];
        let lines = lines.prepared();
        let text = lines.to_json().to_string();
        assert_eq!(Evaluation::from_json(&text), Ok(lines));
        let long = vec!["0"; LONGEST + 1].join(",");
        for places in ["[[0,9]]", "[[-1]]", "7", &format!("[[{long}]]")] {
            let damaged = text.replace("\"places\":[[0,1]]", &format!("\"places\":{places}"));
            assert_ne!(damaged, text);
            assert!(Evaluation::from_json(&damaged).is_err(), "{damaged}");
        }
        assert!(Learnt::read("/etc/passwd").is_err());
        assert!(Learnt::read("nowhere.eval.json").is_err());
    }
}
