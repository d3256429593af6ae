//! Evaluations as files.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use serde_json::{Value, json};

use super::{ENDING, Evaluation, Learnt, PlaneWeights, Terms};

/// What stands at the beginning of a file.
const FORMAT: &str = "rulec evaluation 2";
/// What stood there before there were phases.
const FORMAT_BEFORE: &str = "rulec evaluation 1";

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
            "planes": self.planes.iter().map(plane).collect::<Vec<_>>(),
        })
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Evaluation, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if value["format"] != FORMAT && value["format"] != FORMAT_BEFORE {
            return Err(format!("it does not begin with \"format\": \"{FORMAT}\""));
        }
        let planes = value["planes"].as_array().ok_or_else(|| wrong("planes"))?;
        let planes = planes.iter().map(PlaneWeights::from_json);
        Ok(Evaluation {
            rules_sha256: value["rules"]
                .as_str()
                .ok_or_else(|| wrong("rules"))?
                .to_owned(),
            turn: value["turn"].as_f64().ok_or_else(|| wrong("turn"))?,
            forced: value["forced"].as_bool().ok_or_else(|| wrong("forced"))?,
            // Files of the format before have neither.
            whole: match &value["whole"] {
                Value::Null => 0.0,
                whole => whole.as_f64().ok_or_else(|| wrong("whole"))?,
            },
            passing: match &value["passing"] {
                Value::Null => Vec::new(),
                passing => numbers(passing).ok_or_else(|| wrong("passing"))?,
            },
            planes: planes.collect::<Result<_, _>>()?,
            terms: Terms::default(),
        }
        .prepared())
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
        if !name.ends_with(ENDING) {
            return Err(format!("the name of an evaluation ends in {ENDING}"));
        }
        let text = fs::read_to_string(Path::new(name)).map_err(|e| format!("`{name}`: {e}"))?;
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
        assert!(Learnt::read("/etc/passwd").is_err());
        assert!(Learnt::read("nowhere.eval.json").is_err());
    }
}
