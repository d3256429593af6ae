//! Settings that a host gives with a rule set.

use super::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

pub(super) const SHAPES: [&str; 4] = ["SQUARE", "STAR", "CIRCLE", "TRIANGLE"];
pub(super) const COLORS: [&str; 4] = ["RED", "BLACK", "BLUE", "YELLOW"];

/// How strictly the rules are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// As the original server means it; what it would trip over is an error.
    Rulec,
    /// As the original server reads it, also where that has no sense.
    Server,
    /// A comparison with nothing is false.
    Strict,
    /// A single `=` in an expression compares.
    Lenient,
}

/// All settings.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) mode: Mode,
    pub(super) pieces: Option<(u32, u32)>,
    pub(super) shapes: Option<(u32, u32)>,
    pub(super) colors: Option<(u32, u32)>,
    pub(super) shape_list: Option<Vec<String>>,
    pub(super) color_list: Option<Vec<String>>,
    pub(super) crowded: Option<bool>,
    /// Row of a trial list, from 1; the first if none is named.
    pub(super) row: Option<usize>,
    /// Seed of boards that are drawn while the rules are compiled.
    pub(super) seed: i64,
    /// How many such boards.
    pub(super) boards: usize,
}

/// Names of the settings.
const NAMES: &[&str] = &[
    "mode",
    "pieces",
    "shapes",
    "colors",
    "shape_list",
    "color_list",
    "crowded",
    "row",
    "seed",
    "boards",
];

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Rulec,
            pieces: None,
            shapes: None,
            colors: None,
            shape_list: None,
            color_list: None,
            crowded: None,
            row: None,
            seed: 1,
            boards: 100,
        }
    }
}

impl Settings {
    /// Reads settings; what is wrong with them is told at the start of the file.
    pub(super) fn read(list: &[(String, String)], at: Span, out: &mut Diagnostics) -> Self {
        let mut settings = Self::default();
        for (name, value) in list {
            if settings.set(name, value).is_none() {
                let known = NAMES.contains(&name.as_str());
                let message = match known {
                    true => format!("`{value}` is no value of the setting `{name}`"),
                    false => format!("there is no setting `{name}`"),
                };
                let found = Diagnostic::new(&codes::BAD_SETTING, at, message);
                out.push(found.help(format!("settings are {}", NAMES.join(", "))));
            }
        }
        settings
    }

    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "mode" => {
                self.mode = match value {
                    "rulec" => Mode::Rulec,
                    "server" => Mode::Server,
                    "strict" => Mode::Strict,
                    "lenient" => Mode::Lenient,
                    _ => return None,
                }
            }
            "pieces" => self.pieces = Some(range(value)?),
            "shapes" => self.shapes = Some(range(value)?),
            "colors" => self.colors = Some(range(value)?),
            "shape_list" => self.shape_list = Some(words(value)),
            "color_list" => self.color_list = Some(words(value)),
            "crowded" => self.crowded = Some(value.parse().ok()?),
            "row" => self.row = Some(value.parse().ok().filter(|row| *row > 0)?),
            "seed" => self.seed = value.parse().ok()?,
            "boards" => self.boards = value.parse().ok().filter(|n| *n > 0)?,
            _ => return None,
        }
        Some(())
    }
}

/// `k`, or `a:b`.
pub(super) fn range(text: &str) -> Option<(u32, u32)> {
    let (a, b) = text.split_once(':').unwrap_or((text, text));
    let (a, b) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
    (a <= b).then_some((a, b))
}

fn words(text: &str) -> Vec<String> {
    text.split(';').map(|word| word.trim().to_owned()).collect()
}

/// The shapes or colors that boards have unless others are declared.
pub(super) fn usual_values(key: &str) -> &'static [&'static str] {
    match key {
        "shape" => &SHAPES,
        "color" => &COLORS,
        _ => &[],
    }
}

/// Whether a text in any case names one of them.
pub(super) fn usual(key: &str, text: &str) -> bool {
    usual_values(key)
        .iter()
        .any(|value| value.eq_ignore_ascii_case(text))
}
