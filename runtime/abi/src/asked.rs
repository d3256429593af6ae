//! What self-play is asked for.

use serde_json::Value;

use crate::client::parse;
use crate::port::Refused;

/// How games are played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) games: u64,
    pub(crate) first: u64,
    pub(crate) slots: u64,
    pub(crate) simulations: u32,
    pub(crate) seed: u64,
    pub(crate) limit: u32,
    pub(crate) gumbel: bool,
    pub(crate) considered: usize,
    pub(crate) scale: f32,
    pub(crate) noise: f32,
    pub(crate) alpha: Option<f64>,
    pub(crate) temperature: Vec<(u32, f32)>,
    pub(crate) resign: Option<f32>,
    pub(crate) patience: u32,
    pub(crate) play_on: f64,
    pub(crate) reuse: bool,
    pub(crate) threads: usize,
    pub(crate) samples: bool,
}

impl Settings {
    pub(crate) fn read(text: &str) -> Result<Self, Refused> {
        let told = parse(text)?;
        let count = |key: &str, usual: u64, least: u64, most: u64| match &told[key] {
            Value::Null => Ok(usual),
            value => value
                .as_u64()
                .filter(|n| (least..=most).contains(n))
                .ok_or_else(|| {
                    Refused::usage(format!("{key} is from {least} to {most}, not {value}"))
                }),
        };
        let share = |key: &str, usual: f64, least: f64, most: f64| match &told[key] {
            Value::Null => Ok(usual),
            value => value
                .as_f64()
                .filter(|x| (least..=most).contains(x))
                .ok_or_else(|| {
                    Refused::usage(format!("{key} is from {least} to {most}, not {value}"))
                }),
        };
        let gumbel = match told["root"].as_str() {
            None | Some("gumbel") => true,
            Some("puct") => false,
            Some(other) => {
                return Err(Refused::usage(format!(
                    "root is gumbel or puct, not `{other}`"
                )));
            }
        };
        Ok(Self {
            games: count("games", 1, 0, 1 << 48)?,
            first: count("first", 0, 0, 1 << 48)?,
            slots: count("slots", 512, 1, 1 << 16)?,
            simulations: count("simulations", 32, 1, 1 << 20)? as u32,
            seed: count("seed", 0, 0, u64::MAX)?,
            limit: count("limit", 1000, 1, u32::MAX.into())? as u32,
            gumbel,
            considered: count("considered", 16, 1, 1 << 16)? as usize,
            scale: share("scale", 1.0, 1e-3, 1e3)? as f32,
            noise: share("noise", 0.25, 0.0, 1.0)? as f32,
            alpha: match told["alpha"] {
                Value::Null => None,
                _ => Some(share("alpha", 0.3, 1e-3, 1e3)?),
            },
            temperature: temperature(&told["temperature"])?,
            resign: match told["resign"] {
                Value::Null => None,
                _ => Some(share("resign", 0.0, 0.0, 0.5)? as f32),
            },
            patience: count("patience", 3, 1, 1000)? as u32,
            play_on: share("play_on", 0.1, 0.0, 1.0)?,
            reuse: told["reuse"].as_bool().unwrap_or(true),
            threads: count("threads", 1, 1, 1024)? as usize,
            samples: told["samples"].as_bool().unwrap_or(true),
        })
    }

    /// The temperature at a ply: that of the last step at or before it.
    pub(crate) fn temperature(&self, ply: u32) -> f32 {
        let begun = self.temperature.iter().rev().find(|step| step.0 <= ply);
        begun.map_or(0.0, |step| step.1)
    }
}

fn temperature(told: &Value) -> Result<Vec<(u32, f32)>, Refused> {
    let wrong = || {
        Refused::usage(
            "temperature is a list of pairs, each a ply and the temperature from there on",
        )
    };
    let Some(list) = told.as_array() else {
        return match told.is_null() {
            true => Ok(vec![(0, 1.0), (20, 0.0)]),
            false => Err(wrong()),
        };
    };
    let step = |pair: &Value| {
        let ply = u32::try_from(pair[0].as_u64()?).ok()?;
        let value = pair[1].as_f64().filter(|t| (0.0..=100.0).contains(t))?;
        Some((ply, value as f32))
    };
    let mut steps = Vec::new();
    for pair in list {
        steps.push(step(pair).ok_or_else(wrong)?);
    }
    steps.sort_by_key(|step| step.0);
    Ok(steps)
}
