//! `build --explain`: how compiled positions are kept, and how questions about them are asked; for people, and as data.

use rulec_compiler::opt::legal::sides;
use rulec_compiler::opt::patterns::{self, ways};
use rulec_compiler::opt::turns;
use rulec_compiler::source::Span;
use serde_json::{Value, json};

use crate::rules::Rules;

/// What is told of rules.
pub(crate) struct Explanation {
    pieces: Pieces,
    questions: Vec<Told>,
    effects: Vec<Told>,
    /// The families of moves whose effect is written for each value of a variable, with their lines and that variable.
    apart: Vec<(String, Option<u32>, String)>,
}

/// Whether positions tell alike pieces apart.
enum Pieces {
    /// They do not: the board, how many kinds each of its places tells apart, and which variables of the piece there.
    Alike {
        board: String,
        kinds: usize,
        kept: Vec<String>,
    },
    /// They do, for this reason.
    Named(String),
}

/// The way that a function took.
struct Told {
    function: String,
    line: Option<u32>,
    way: Way,
}

enum Way {
    Sets,
    Once,
    /// Why nothing better was found, and in which line that was seen.
    Places(&'static str, Option<u32>),
}

impl Explanation {
    pub(crate) fn of(rules: &Rules) -> Explanation {
        let mut told = Explanation {
            pieces: Pieces::of(rules),
            questions: Vec::new(),
            effects: Vec::new(),
            apart: Vec::new(),
        };
        let Some(output) = &rules.output else {
            return told;
        };
        let line = |span: Span| rules.line(span).map(|(line, _)| line);
        let named = |func, way| {
            let function = output.game.function(func);
            Told {
                function: function.name.clone(),
                line: line(function.span),
                way,
            }
        };
        for (func, way) in ways(&output.game) {
            let way = match way {
                patterns::Way::Sets => Way::Sets,
                patterns::Way::Places { at, why } => Way::Places(why, line(at)),
            };
            told.questions.push(named(func, way));
        }
        for (func, way) in turns::ways(&output.game) {
            let way = match way {
                turns::Way::Sets => Way::Sets,
                turns::Way::Once => Way::Once,
                turns::Way::Places { at, why } => Way::Places(why, line(at)),
            };
            told.effects.push(named(func, way));
        }
        for (family, var) in sides::apart(&output.game) {
            let (family, var) = (output.game.family(family), output.game.var(var));
            let own = (family.name.clone(), line(family.span), var.name.clone());
            told.apart.push(own);
        }
        told
    }

    /// As sentences, one a line.
    pub(crate) fn text(&self) -> String {
        let mut text = self.pieces.sentence();
        let parts = [
            ("question", "sets of places are compared", &self.questions),
            (
                "effect",
                "rows of places are changed at once",
                &self.effects,
            ),
        ];
        for (what, sets, all) in parts {
            for told in all {
                text.push_str(&told.sentence(what, sets));
            }
        }
        for (family, line, var) in &self.apart {
            let name = format!("move: `{family}`{}", in_line(*line));
            text.push_str(&format!(
                "{name}: what it does is written for each value of `{var}` apart\n"
            ));
        }
        text
    }

    /// As data.
    pub(crate) fn json(&self) -> Value {
        let all = |all: &[Told]| all.iter().map(Told::json).collect::<Vec<Value>>();
        json!({
            "pieces": self.pieces.json(),
            "questions": all(&self.questions),
            "effects": all(&self.effects),
            "apart": self.apart.iter().map(|(family, line, var)| json!({
                "family": family, "line": line, "by": var,
            })).collect::<Vec<Value>>(),
        })
    }
}

impl Pieces {
    fn of(rules: &Rules) -> Pieces {
        match rules.quotient() {
            Ok(quotient) => {
                let kept = quotient.properties.iter();
                Pieces::Alike {
                    board: quotient.game.placement(quotient.placement).name.clone(),
                    kinds: quotient.classes.len(),
                    kept: kept
                        .map(|(var, _)| quotient.game.var(*var).name.clone())
                        .collect(),
                }
            }
            Err(why) => Pieces::Named(why),
        }
    }

    fn sentence(&self) -> String {
        match self {
            Pieces::Alike { board, kinds, kept } => {
                let kept = match kept.is_empty() {
                    true => String::new(),
                    false => format!(", and {} of the piece there", kept.join(", ")),
                };
                format!(
                    "pieces: positions do not tell alike pieces apart; on each place of `{board}` they tell one of {kinds} kinds{kept}\n"
                )
            }
            Pieces::Named(why) => format!("pieces: positions know each by name: {why}\n"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Pieces::Alike { board, kinds, kept } => {
                json!({ "named": false, "board": board, "kinds": kinds, "kept": kept })
            }
            Pieces::Named(why) => json!({ "named": true, "why": why }),
        }
    }
}

/// A line as it stands behind what it is told of.
fn in_line(line: Option<u32>) -> String {
    line.map_or_else(String::new, |line| format!(" (line {line})"))
}

impl Told {
    fn sentence(&self, what: &str, sets: &str) -> String {
        let name = format!("{what}: `{}`{}", self.function, in_line(self.line));
        match self.way {
            Way::Sets => format!("{name}: {sets}\n"),
            Way::Once => format!("{name}: one place is changed\n"),
            Way::Places(why, line) => {
                format!("{name}: one place after another; {why}{}\n", in_line(line))
            }
        }
    }

    fn json(&self) -> Value {
        let way = match self.way {
            Way::Sets => json!({ "way": "sets" }),
            Way::Once => json!({ "way": "once" }),
            Way::Places(why, line) => json!({ "way": "places", "why": why, "why_line": line }),
        };
        let mut told = json!({ "function": self.function, "line": self.line });
        if let (Value::Object(told), Value::Object(way)) = (&mut told, way) {
            told.extend(way);
        }
        told
    }
}
