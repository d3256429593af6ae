//! From JSON to the tree: shapes of values, known keys, known names.

mod board;
mod missing;
mod moves;
mod states;

use super::ast::{Game, Look, Match, Spanned};
use super::codes;
use super::schema;
use super::script::{Script, Value};
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::json::{Json, Kind, Member};
use crate::source::{SourceFile, Span};
use indexmap::IndexMap;

/// Largest number that may be written for a coordinate, step or count.
const MAX_NUMBER: f64 = 1_000_000.0;

/// Bytes of a text that a message repeats, at most.
const LONG_TEXT: usize = 200;
/// Most players.
const MAX_PLAYERS: usize = 64;
/// Most names that are listed where an unknown one stands.
const MOST_LISTED: usize = 12;
/// Most dimensions.
const MAX_DIMENSIONS: usize = 3;

/// Reads a game; nothing if essential parts are missing or of another kind.
pub(super) fn read(
    json: &Json,
    source: &SourceFile,
    file_name: &str,
    out: &mut Diagnostics,
) -> Option<Game> {
    let mut reader = Reader {
        source,
        out,
        extensions: false,
        asking: (json.span, ""),
        players: Vec::new(),
        dimensions: Vec::new(),
        figures: Vec::new(),
        cells: Vec::new(),
        in_complex: false,
        lacking: false,
    };
    reader.game(json, file_name)
}

/// What is known while a file is read.
struct Reader<'a> {
    source: &'a SourceFile,
    out: &'a mut Diagnostics,
    extensions: bool,
    /// What to write where to ask for the extensions.
    asking: (Span, &'static str),
    players: Vec<Spanned<String>>,
    dimensions: Vec<String>,
    figures: Vec<String>,
    cells: Vec<Spanned<Vec<i64>>>,
    /// Whether a complex movement is read.
    in_complex: bool,
    /// Whether a cell that lacks a coordinate was told of; all others usually lack it, too.
    lacking: bool,
}

impl Reader<'_> {
    fn game(&mut self, json: &Json, file_name: &str) -> Option<Game> {
        self.object(json, "a game")?;
        self.known_keys(json, &schema::ROOT.names());
        let top = Span::new(json.span.file, json.span.start + 1, json.span.start + 1);
        (self.extensions, self.asking) = match json.get("extensions") {
            Some(value) => (self.bool(value).unwrap_or(false), (value.span, "true")),
            None => (false, (top, "\"extensions\": true, ")),
        };
        for key in ["forbidden_conditions", "draw_rules", "chains"] {
            self.needs_extensions(json, key);
        }
        let name = match json.get("name") {
            Some(name) => self.text(name).unwrap_or_default(),
            None => file_name.to_owned(),
        };
        self.read_players(json);
        self.figures = match json.get("figures").map(|figures| &figures.kind) {
            Some(Kind::Object(members)) => members.iter().map(|m| m.key.clone()).collect(),
            _ => Vec::new(),
        };
        let (look, initial) = self.board(json);
        let figures_span = key_span(json, "figures");
        let figures = self.read_figures(json);
        let complex = self.read_complex(json);
        let win = self.checks_by_player(json, "win_conditions");
        let forbidden = self.checks_by_player(json, "forbidden_conditions");
        let draws = json
            .get("draw_rules")
            .and_then(|rules| self.draw_rules(rules));
        let states = self.read_states(json);
        let initial_state = self.required(json, "initial_game_state", "a game")?;
        let initial_state = Spanned {
            node: self.text(initial_state)?,
            span: initial_state.span,
        };
        Some(Game {
            name,
            extensions: self.extensions,
            players: std::mem::take(&mut self.players),
            dimensions: std::mem::take(&mut self.dimensions),
            cells: std::mem::take(&mut self.cells),
            look: look?,
            figures: figures?,
            figures_span,
            complex,
            initial,
            win,
            forbidden,
            draws,
            longest_chains: self.chains(json),
            states: states?,
            initial_state,
            span: json.span,
        })
    }

    /// Whether only the longest chains may be played.
    fn chains(&mut self, json: &Json) -> bool {
        let Some(rule) = json.get("chains") else {
            return false;
        };
        match self.text(rule).as_deref() {
            Some("longest") => true,
            Some("any") | None => false,
            Some(other) => {
                let message = format!("`chains` is `any` or `longest`, not `{other}`");
                self.error(&codes::BAD_VALUE, rule.span, message);
                false
            }
        }
    }

    fn read_players(&mut self, json: &Json) {
        let Some(list) = self.required(json, "players", "a game") else {
            return;
        };
        let Some(items) = self.list(list) else { return };
        for item in items {
            let Some(name) = self.text(item) else {
                continue;
            };
            if self.players.iter().any(|player| player.node == name) {
                let message = format!("there are two players `{name}`");
                self.error(&codes::REPEATED_NAME, item.span, message);
                continue;
            }
            self.players.push(Spanned {
                node: name,
                span: item.span,
            });
        }
        if items.is_empty() {
            self.error(&codes::EMPTY_LIST, list.span, "a game needs a player");
        }
        if self.players.len() > MAX_PLAYERS {
            let message = format!("there may be {MAX_PLAYERS} players");
            self.error(&codes::TOO_LARGE, list.span, message);
        }
    }

    // ---- values -------------------------------------------------------------------------------

    fn error(&mut self, code: &'static CodeInfo, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::new(code, span, message));
    }

    fn wrong_kind(&mut self, json: &Json, wanted: &str) {
        let message = format!("this is {}, not {wanted}", json.noun());
        let found = Diagnostic::new(&codes::WRONG_KIND, json.span, message);
        let Kind::String(text) = &json.kind else {
            return self.out.push(found);
        };
        let plain = match wanted {
            "an integer" => text.parse::<i64>().is_ok(),
            "a truth value" => matches!(text.as_str(), "true" | "false"),
            _ => false,
        };
        self.out.push(match (plain, wanted) {
            (true, _) => found.fix(format!("write `{text}` without quotes"), json.span, text),
            (false, "a list") => {
                let list = format!("[\"{text}\"]");
                found.fix(format!("write `{list}`"), json.span, list)
            }
            _ => found,
        });
    }

    fn object<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j [Member]> {
        match &json.kind {
            Kind::Object(members) => Some(members),
            _ => {
                self.wrong_kind(json, &format!("an object for {wanted}"));
                None
            }
        }
    }

    fn list<'j>(&mut self, json: &'j Json) -> Option<&'j [Json]> {
        match &json.kind {
            Kind::Array(items) => Some(items),
            _ => {
                self.wrong_kind(json, "a list");
                None
            }
        }
    }

    fn text(&mut self, json: &Json) -> Option<String> {
        match &json.kind {
            Kind::String(text) => Some(text.clone()),
            _ => {
                self.wrong_kind(json, "a string");
                None
            }
        }
    }

    fn bool(&mut self, json: &Json) -> Option<bool> {
        match json.kind {
            Kind::Bool(value) => Some(value),
            _ => {
                self.wrong_kind(json, "a truth value");
                None
            }
        }
    }

    fn integer(&mut self, json: &Json) -> Option<i64> {
        match json.kind {
            Kind::Number(value) if value.fract() == 0.0 && value.abs() <= MAX_NUMBER => {
                Some(value as i64)
            }
            Kind::Number(value) => {
                let message = format!("{value} is no integer between -1000000 and 1000000");
                self.error(&codes::NOT_AN_INTEGER, json.span, message);
                None
            }
            _ => {
                self.wrong_kind(json, "an integer");
                None
            }
        }
    }

    /// An integer that is not below 1.
    fn count(&mut self, json: &Json) -> Option<u32> {
        let value = self.integer(json)?;
        if value < 1 {
            self.error(&codes::BAD_VALUE, json.span, "this must be at least 1");
            return None;
        }
        u32::try_from(value).ok()
    }

    /// A plain value that properties are compared with.
    fn scalar(&mut self, json: &Json) -> Option<Value> {
        match &json.kind {
            Kind::Null => Some(Value::Null),
            Kind::Bool(value) => Some(Value::Bool(*value)),
            Kind::Number(value) => Some(Value::Number(*value)),
            Kind::String(text) => Some(Value::String(text.clone())),
            Kind::Array(_) | Kind::Object(_) => {
                let message = format!("{} cannot equal a property", json.noun());
                self.error(&codes::BAD_COMPARISON, json.span, message);
                None
            }
        }
    }

    fn required<'j>(&mut self, json: &'j Json, key: &str, of: &str) -> Option<&'j Json> {
        let value = json.get(key);
        if value.is_none() {
            let message = format!("{of} needs `{key}`");
            let span = Span::new(json.span.file, json.span.start, json.span.start + 1);
            let found = Diagnostic::new(&codes::MISSING_KEY, span, message);
            self.out.push(match self.least(json, key, of) {
                Some(value) => {
                    let behind = Span::new(span.file, span.end, span.end);
                    let comma = match &json.kind {
                        Kind::Object(members) if !members.is_empty() => ", ",
                        _ => "",
                    };
                    let text = format!("\"{key}\": {value}{comma}");
                    found.fix(format!("add `{key}`"), behind, text)
                }
                None => found,
            });
        }
        value
    }

    fn known_keys(&mut self, json: &Json, known: &[&str]) {
        let Kind::Object(members) = &json.kind else {
            return;
        };
        for member in members {
            if !known.contains(&member.key.as_str()) {
                self.unknown_key(member, known);
            }
        }
    }

    pub(super) fn unknown_key(&mut self, member: &Member, known: &[&str]) {
        let message = format!("nothing reads `{}` here", member.key);
        let found = Diagnostic::new(&codes::UNKNOWN_KEY, member.key_span, message);
        let candidates = known.iter().copied();
        let found = match crate::diag::closest(&member.key, candidates) {
            Some(near) => found.fix(
                format!("did you mean `{near}`?"),
                member.key_span,
                format!("\"{near}\""),
            ),
            None if schema::ROOT.names().contains(&member.key.as_str()) => {
                found.help(format!("`{}` is a key of the game itself", member.key))
            }
            None if let [holder] = schema::holders(&member.key)[..] => {
                found.help(format!("`{}` is a key of `{holder}`", member.key))
            }
            None => {
                let names: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                found.help(format!("known here: {}", names.join(", ")))
            }
        };
        self.out.push(found);
    }

    /// Complains about what a file without the extensions has no right to.
    fn extension(&mut self, span: Span, message: impl Into<String>) {
        let found = Diagnostic::new(&codes::NEEDS_EXTENSIONS, span, message);
        let (at, text) = self.asking;
        let help = "say `\"extensions\": true` at the top of the file";
        self.out.push(found.fix(help, at, text));
    }

    /// Complains about a key of the extensions in a file that does not ask for them.
    fn needs_extensions(&mut self, json: &Json, key: &str) {
        let Kind::Object(members) = &json.kind else {
            return;
        };
        let member = members.iter().find(|member| member.key == key);
        if let (Some(member), false) = (member, self.extensions) {
            let message = format!("`{key}` is known with extensions only");
            self.extension(member.key_span, message);
        }
    }

    fn unknown_name(
        &mut self,
        code: &'static CodeInfo,
        span: Span,
        message: String,
        name: &str,
        known: &[String],
    ) {
        let found = Diagnostic::new(code, span, message);
        let found = match crate::diag::closest(name, known.iter().map(String::as_str)) {
            Some(near) => found.fix(
                format!("did you mean `{near}`?"),
                span,
                format!("\"{near}\""),
            ),
            None if (1..=MOST_LISTED).contains(&known.len()) => {
                found.note(format!("known here: `{}`", known.join("`, `")))
            }
            None => found,
        };
        self.out.push(found);
    }

    /// Whether a name is that of a player; an error otherwise.
    fn is_player(&mut self, name: &str, span: Span) -> bool {
        let known: Vec<String> = self.players.iter().map(|p| p.node.clone()).collect();
        let found = known.iter().any(|player| player == name);
        // Without any player the list itself is what is wrong.
        if !found && !known.is_empty() {
            let message = format!("there is no player `{name}`");
            self.unknown_name(&codes::UNKNOWN_PLAYER, span, message, name, &known);
        }
        found
    }

    fn is_figure(&mut self, name: &str, span: Span) -> bool {
        let known = self.figures.clone();
        let found = known.iter().any(|figure| figure == name);
        if !found {
            let message = format!("there is no figure `{name}`");
            self.unknown_name(&codes::UNKNOWN_FIGURE, span, message, name, &known);
        }
        found
    }

    fn script(&mut self, json: &Json) -> Option<Script> {
        self.script_with(json, None)
    }

    /// An expression, and what helps where it is none.
    fn script_with(&mut self, json: &Json, help: Option<&str>) -> Option<Script> {
        let text = match &json.kind {
            Kind::Number(value) => return Some(Script::number(*value)),
            Kind::String(text) => text,
            _ => {
                self.wrong_kind(json, "a number or an expression");
                return None;
            }
        };
        let names: Vec<&str> = self.dimensions.iter().map(String::as_str).collect();
        match Script::parse(text, &names) {
            Ok(script) => Some(script),
            Err(refused) => {
                let span = json.character(self.source, refused.at);
                let found = Diagnostic::new(&codes::BAD_SCRIPT, span, refused.message);
                let whole = if text.len() > LONG_TEXT {
                    "in this expression".to_owned()
                } else {
                    format!("in the expression `{text}`")
                };
                let found = found.also(json.span, whole);
                // Signs and numbers are no texts without their quotes.
                let first = text.get(refused.at..).and_then(|rest| rest.chars().next());
                let word = first.is_some_and(|c| c == '#' || c.is_alphabetic());
                self.out.push(match help.filter(|_| word) {
                    Some(help) => found.help(help),
                    None => found,
                });
                None
            }
        }
    }

    /// The properties of a cell that a condition names.
    fn matching(&mut self, json: &Json) -> Match {
        let mut found = Match::default();
        let Some(members) = self.object(json, "properties of a cell") else {
            return found;
        };
        for member in members {
            let value = &member.value;
            match member.key.as_str() {
                "figure" => found.figure = self.spanned_scalar(value),
                "player" => found.player = self.spanned_scalar(value),
                "moves_made" => found.moves_made = self.spanned_scalar(value),
                "last_move" => found.last_move = self.spanned_scalar(value),
                "coordinates" => self.coordinates_match(value, &mut found),
                key => match self.dimensions.iter().position(|name| name == key) {
                    Some(dimension) if self.extensions => {
                        if let Some(value) = self.spanned_scalar(value) {
                            found.coordinates.push((dimension, value));
                        }
                    }
                    Some(_) => {
                        let message = format!("`{key}` beside `coordinates` never matches");
                        self.error(&codes::FLAT_COORDINATES, member.key_span, message);
                        if let Some(value) = self.spanned_scalar(value) {
                            found.coordinates.push((usize::MAX, value));
                        }
                    }
                    None => {
                        let message = format!("cells have no property `{key}`");
                        let known = ["figure", "player", "moves_made", "coordinates"];
                        let known: Vec<String> = known.map(str::to_owned).into();
                        let code = &codes::UNKNOWN_CONDITION;
                        if moves::COMPUTED.iter().any(|(name, ..)| *name == key) {
                            let found = Diagnostic::new(code, member.key_span, message);
                            let help = format!("`{key}` stands in the category `computed`");
                            self.out.push(found.help(help));
                        } else {
                            self.unknown_name(code, member.key_span, message, key, &known);
                        }
                    }
                },
            }
        }
        found
    }

    fn spanned_scalar(&mut self, json: &Json) -> Option<Spanned<Value>> {
        let node = self.scalar(json)?;
        Some(Spanned {
            node,
            span: json.span,
        })
    }

    fn coordinates_match(&mut self, json: &Json, found: &mut Match) {
        let Kind::Object(members) = &json.kind else {
            let message = "coordinates are an object, so this is always true in the original";
            self.error(&codes::BAD_COMPARISON, json.span, message);
            return;
        };
        for member in members {
            let index = self.dimensions.iter().position(|name| *name == member.key);
            match (index, self.spanned_scalar(&member.value)) {
                (Some(index), Some(value)) => found.coordinates.push((index, value)),
                (None, _) => {
                    let message = format!("there is no coordinate `{}`", member.key);
                    let known = self.dimensions.clone();
                    let code = &codes::UNKNOWN_CONDITION;
                    self.unknown_name(code, member.key_span, message, &member.key, &known);
                }
                _ => {}
            }
        }
    }

    /// A vector over the dimensions; keys that are none are left to the caller.
    fn vector(&mut self, json: &Json) -> Vec<i64> {
        let names = self.dimensions.clone();
        let number = |name: &String| match json.get(name) {
            Some(value) => self.integer(value).unwrap_or(0),
            None => 0,
        };
        names.iter().map(number).collect()
    }
}

/// The place of a key; that of the object if it lacks the key.
fn key_span(json: &Json, key: &str) -> Span {
    let member = match &json.kind {
        Kind::Object(members) => members.iter().find(|member| member.key == key),
        _ => None,
    };
    member.map_or(json.span, |member| member.key_span)
}

/// What is missing where nothing was said about looks.
fn plain_look() -> Look {
    Look {
        outline: Vec::new(),
        position: [Script::number(0.0), Script::number(0.0)],
        fill: Script::number(0.0),
        selector: Script::number(0.0),
        highlighter: Script::number(0.0),
        rotation: IndexMap::new(),
        pictures: IndexMap::new(),
    }
}
