//! Figures, their movements, actions and conditions.

use indexmap::IndexMap;

use super::Reader;
use crate::ast::{
    Action, ActionSet, Actions, Complex, Computed, Condition, Entry, Figure, Match, Part, Spanned,
    Steps,
};
use crate::diag::Diagnostic;
use crate::json::{Json, Kind};
use crate::script::Value;
use crate::source::Span;
use crate::{codes, schema};

/// Most entries of a list, sets of an entry, and so on: far beyond any game.
const MAX_ITEMS: usize = 512;

/// Most figures that an entry may ask to be taken on the way.
const MAX_TAKES: u32 = 4;

pub(super) const COMPUTED: [(&str, Computed, bool); 8] = [
    ("is_cell", Computed::IsCell, false),
    ("is_figure", Computed::IsFigure, false),
    ("is_enemy", Computed::IsEnemy, false),
    ("moves_after_last_move", Computed::Age, false),
    ("is_own", Computed::IsOwn, true),
    ("is_empty", Computed::IsEmpty, true),
    ("is_attacked", Computed::IsAttacked, true),
    ("self_attacked", Computed::SelfAttacked, true),
];

/// The action that a word of other games means.
fn other_word(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "capture" | "eat" | "kill" | "remove" | "hit" => "take",
        "promote" | "transform" | "become" => "replace",
        "go" | "step" | "jump" | "place" => "move",
        "forbid" | "stop" | "block" | "none" => "cancel",
        "exchange" => "swap",
        _ => return None,
    })
}

const PLAIN_ACTIONS: [(&str, Action, bool); 5] = [
    ("move", Action::Move, false),
    ("take", Action::Take { deferred: false }, false),
    ("swap", Action::Swap, false),
    ("cancel", Action::Cancel, false),
    ("continue", Action::Continue, true),
];

impl Reader<'_> {
    /// A list of bounded length.
    fn items<'j>(&mut self, json: &'j Json) -> &'j [Json] {
        let items = self.list(json).unwrap_or_default();
        if items.len() > MAX_ITEMS {
            let message = format!("there may be {MAX_ITEMS} items");
            self.error(&codes::TOO_LARGE, json.span, message);
            return &[];
        }
        items
    }

    pub(super) fn read_figures(&mut self, json: &Json) -> Option<IndexMap<String, Figure>> {
        let figures = self.required(json, "figures", "a game")?;
        let members = self.object(figures, "`figures`")?;
        let mut all = IndexMap::new();
        for member in members {
            let figure = &member.value;
            if self.object(figure, "a figure").is_none() {
                continue;
            }
            self.known_keys(figure, &schema::FIGURE.names());
            let read = Figure {
                movement: match self.required(figure, "movement", "a figure") {
                    Some(movement) => self.movement(movement),
                    None => Vec::new(),
                },
                actions: self.actions(figure),
                span: member.key_span,
            };
            all.insert(member.key.clone(), read);
        }
        Some(all)
    }

    fn movement(&mut self, json: &Json) -> Vec<(Option<String>, Vec<Entry>)> {
        let Kind::Object(members) = &json.kind else {
            return vec![(None, self.entries(json))];
        };
        let mut lists = Vec::new();
        for member in members {
            let known = self.is_player(&member.key, member.key_span);
            let entries = self.entries(&member.value);
            if known {
                lists.push((Some(member.key.clone()), entries));
            }
        }
        lists
    }

    fn entries(&mut self, json: &Json) -> Vec<Entry> {
        let items = self.items(json);
        items.iter().filter_map(|item| self.entry(item)).collect()
    }

    fn entry(&mut self, json: &Json) -> Option<Entry> {
        self.object(json, "an entry")?;
        let names = self.dimensions.clone();
        let mut known = schema::ENTRY.names();
        known.extend(names.iter().map(String::as_str));
        self.known_keys(json, &known);
        for key in ["steps", "priority", "takes"] {
            self.needs_extensions(json, key);
        }
        let told = self.out.iter().count();
        let delta = self.vector(json);
        let unread = self.out.iter().count() > told;
        let flag = |reader: &mut Self, key: &str| {
            let value = json.get(key).and_then(|value| reader.bool(value));
            value.unwrap_or(false)
        };
        let repeat = flag(self, "repeat");
        if delta.iter().all(|step| *step == 0) && !names.is_empty() {
            let (code, message) = if repeat {
                (&codes::ZERO_STEP, "this entry changes no coordinate")
            } else {
                let message = "this entry changes no coordinate, so it never fits";
                (&codes::DEAD_ENTRY, message)
            };
            if !unread {
                self.error(code, json.span, message);
            }
            return None;
        }
        let also_reversed = flag(self, "also_reversed");
        let when = match json.get("if") {
            Some(conditions) if self.extensions => Some(self.conditions(conditions)),
            Some(conditions) => {
                let message = "the original engine does not read `if` here";
                let found = Diagnostic::new(&codes::IGNORED_IF, conditions.span, message);
                let help = "move the condition into the sets of `cell_actions`";
                self.out.push(found.help(help));
                None
            }
            None => None,
        };
        Some(Entry {
            delta,
            steps: self.steps(json, repeat),
            also_reversed,
            when,
            priority: match json.get("priority") {
                Some(priority) => self.integer(priority).unwrap_or(0),
                None => 0,
            },
            takes: json.get("takes").and_then(|takes| self.takes(takes)),
            actions: self.actions(json),
            span: json.span,
        })
    }

    fn takes(&mut self, json: &Json) -> Option<u32> {
        let count = self.count(json)?;
        if count > MAX_TAKES {
            let message = format!("this may be {MAX_TAKES} at most");
            self.error(&codes::TOO_LARGE, json.span, message);
            return None;
        }
        Some(count)
    }

    fn steps(&mut self, json: &Json, repeat: bool) -> Steps {
        let plain = Steps {
            least: 1,
            most: if repeat { None } else { Some(1) },
        };
        let Some(steps) = json.get("steps") else {
            return plain;
        };
        match &steps.kind {
            Kind::Array(pair) if pair.len() == 2 => {
                let (Some(least), Some(most)) = (self.count(&pair[0]), self.count(&pair[1])) else {
                    return plain;
                };
                if most < least {
                    let message = format!("no number is between {least} and {most}");
                    self.error(&codes::BAD_VALUE, steps.span, message);
                }
                Steps {
                    least,
                    most: Some(most.max(least)),
                }
            }
            Kind::Array(_) => {
                self.wrong_kind(steps, "a number or `[least, most]`");
                plain
            }
            _ => self.count(steps).map_or(plain, |number| Steps {
                least: number,
                most: Some(number),
            }),
        }
    }

    /// The sets of `cell_actions`, if there are any.
    fn actions(&mut self, json: &Json) -> Actions {
        let mut actions = Actions::default();
        let Some(sets) = json.get("cell_actions") else {
            return actions;
        };
        if self.object(sets, "`cell_actions`").is_none() {
            return actions;
        }
        self.known_keys(sets, &schema::ACTIONS.names());
        let read = |reader: &mut Self, key: &str| -> Vec<ActionSet> {
            let Some(list) = sets.get(key) else {
                return Vec::new();
            };
            let items = reader.items(list);
            items.iter().filter_map(|set| reader.set(set)).collect()
        };
        actions.destination = read(self, "destination");
        actions.transition = read(self, "transition");
        actions
    }

    fn set(&mut self, json: &Json) -> Option<ActionSet> {
        self.object(json, "a set of actions")?;
        self.known_keys(json, &schema::ACTION_SET.names());
        let list = self.required(json, "actions", "a set of actions")?;
        let items = self.items(list);
        let actions: Vec<Spanned<Action>> =
            items.iter().filter_map(|item| self.action(item)).collect();
        let is_list = matches!(list.kind, Kind::Array(_));
        if is_list && items.is_empty() && !self.in_complex {
            self.error(&codes::NO_EFFECT, list.span, "this set has no action");
        }
        let when = json.get("if").map(|conditions| self.conditions(conditions));
        Some(ActionSet {
            actions,
            when,
            span: json.span,
        })
    }

    fn action(&mut self, json: &Json) -> Option<Spanned<Action>> {
        let span = json.span;
        let (name, parameters) = match &json.kind {
            Kind::String(name) => (name.clone(), None),
            Kind::Object(_) => {
                self.known_keys(json, &schema::ACTION_OBJECT.names());
                let name = self.required(json, "action", "an action")?;
                (self.text(name)?, Some(json.get("parameters")))
            }
            _ => {
                self.wrong_kind(json, "the name of an action");
                return None;
            }
        };
        let plain = PLAIN_ACTIONS.iter().find(|(known, ..)| *known == name);
        let node = match (name.as_str(), plain, parameters) {
            ("replace", ..) => self.replace(json, parameters.flatten())?,
            ("take", _, Some(Some(parameters))) => {
                self.known_keys(parameters, &["deferred"]);
                self.needs_extensions(parameters, "deferred");
                let deferred = parameters
                    .get("deferred")
                    .and_then(|value| self.bool(value));
                Action::Take {
                    deferred: deferred.unwrap_or(false),
                }
            }
            ("cancel", _, Some(_)) => {
                let message = "`cancel` counts only as a plain string";
                self.error(&codes::UNKNOWN_ACTION, span, message);
                return None;
            }
            (_, Some((_, action, extension)), _) => {
                if *extension && !self.extensions {
                    let message = format!("`{name}` is known with extensions only");
                    self.extension(span, message);
                }
                action.clone()
            }
            _ => {
                let known = ["move", "take", "swap", "replace", "cancel", "continue"];
                let known: Vec<String> = known.map(str::to_owned).into();
                let message = format!("there is no action `{name}`");
                let meant = other_word(&name).unwrap_or(&name);
                self.unknown_name(&codes::UNKNOWN_ACTION, span, message, meant, &known);
                return None;
            }
        };
        Some(Spanned { node, span })
    }

    fn replace(&mut self, json: &Json, parameters: Option<&Json>) -> Option<Action> {
        let Some(parameters) = parameters else {
            let message = "`replace` needs `parameters` with `new_figure`";
            self.error(&codes::MISSING_KEY, json.span, message);
            return None;
        };
        self.known_keys(parameters, &["new_figure", "deferred"]);
        self.needs_extensions(parameters, "deferred");
        let deferred = parameters
            .get("deferred")
            .and_then(|value| self.bool(value));
        let deferred = deferred.unwrap_or(false);
        let new = self.required(parameters, "new_figure", "`replace`")?;
        if let Kind::Array(items) = &new.kind {
            if !self.extensions {
                let message = "a choice of figures is known with extensions only";
                self.extension(new.span, message);
            }
            if items.is_empty() {
                let message = "there is no figure to choose";
                self.error(&codes::EMPTY_LIST, new.span, message);
            }
            if deferred {
                let message = "a figure is chosen at once, not at the end of a chain";
                self.error(&codes::BAD_VALUE, new.span, message);
            }
            let figures = items.iter().filter_map(|item| self.figure(item));
            return Some(Action::Choose(figures.collect()));
        }
        let figure = self.figure(new)?.node;
        Some(match deferred {
            true => Action::ReplaceLater(figure),
            false => Action::Replace(figure),
        })
    }

    fn figure(&mut self, json: &Json) -> Option<Spanned<String>> {
        let node = self.text(json)?;
        let span = json.span;
        self.is_figure(&node, span)
            .then_some(Spanned { node, span })
    }

    /// A list of condition sets, or one.
    pub(super) fn conditions(&mut self, json: &Json) -> Vec<Condition> {
        self.none_of_none(json);
        match &json.kind {
            Kind::Object(_) if self.extensions => self.condition(json).into_iter().collect(),
            _ => {
                let items = self.items(json);
                items
                    .iter()
                    .filter_map(|item| self.condition(item))
                    .collect()
            }
        }
    }

    /// An empty list of conditions, of which one would have to hold.
    pub(super) fn none_of_none(&mut self, json: &Json) {
        if matches!(&json.kind, Kind::Array(items) if items.is_empty()) {
            let message = "one of the conditions must hold, and here is none";
            let found = Diagnostic::new(&codes::NEVER_HOLDS, json.span, message);
            self.out
                .push(found.help("to let it apply always, leave out `if`"));
        }
    }

    fn condition(&mut self, json: &Json) -> Option<Condition> {
        let members = self.object(json, "a condition set")?;
        let mut found = Condition {
            own: Match::default(),
            target: Match::default(),
            computed: Vec::new(),
            clock: Vec::new(),
            span: json.span,
        };
        for member in members {
            match member.key.as_str() {
                "self" => found.own = self.matching(&member.value),
                "target" => found.target = self.matching(&member.value),
                "computed" => found.computed = self.computed(&member.value),
                "statistics" => {
                    self.needs_extensions(json, "statistics");
                    found.clock = self.statistics(&member.value);
                }
                key => {
                    let message = format!("there is no category `{key}` of conditions");
                    let known = ["self", "target", "computed", "statistics"];
                    let known: Vec<String> = known.map(str::to_owned).into();
                    let code = &codes::UNKNOWN_CONDITION;
                    self.unknown_name(code, member.key_span, message, key, &known);
                }
            }
        }
        Some(found)
    }

    fn statistics(&mut self, json: &Json) -> Vec<Value> {
        self.known_keys(json, &schema::STATISTICS.names());
        let value = json.get("current_move").map(|value| self.scalar(value));
        value.flatten().into_iter().collect()
    }

    fn computed(&mut self, json: &Json) -> Vec<(Computed, Value)> {
        let mut all = Vec::new();
        for member in self.object(json, "computed values").unwrap_or_default() {
            let key = member.key.as_str();
            let Some((_, computed, extension)) = COMPUTED.iter().find(|(name, ..)| *name == key)
            else {
                let message = format!("there is no computed value `{key}`");
                let known: Vec<String> = COMPUTED.iter().map(|c| c.0.to_owned()).collect();
                let code = &codes::UNKNOWN_CONDITION;
                self.unknown_name(code, member.key_span, message, key, &known);
                continue;
            };
            if *extension {
                self.needs_extensions(json, key);
            }
            if let Some(value) = self.scalar(&member.value) {
                if *computed != Computed::Age {
                    self.truth(key, &value, member.value.span);
                }
                all.push((*computed, value));
            }
        }
        all
    }

    /// A value that neither `true` nor `false` equals, where there is nothing else; an original engine finds `null` where a
    /// key is unknown.
    pub(super) fn truth(&mut self, key: &str, value: &Value, span: Span) {
        let fits = |truth: bool| Value::Bool(truth).loosely_equals(value);
        if *value == Value::Null || fits(true) || fits(false) {
            return;
        }
        let text = value.to_text();
        let message = format!("`{key}` is true or false, and `{text}` equals neither");
        let found = Diagnostic::new(&codes::NEVER_HOLDS, span, message);
        self.out.push(match text.to_ascii_lowercase().as_str() {
            "true" | "yes" => found.fix("write `true`", span, "true"),
            "false" | "no" => found.fix("write `false`", span, "false"),
            _ => found.help("write `true` or `false`"),
        });
    }

    pub(super) fn read_complex(&mut self, json: &Json) -> Vec<Complex> {
        let Some(list) = json.get("complex_movement") else {
            return Vec::new();
        };
        let items = self.items(list);
        self.in_complex = true;
        let all = items.iter().filter_map(|item| self.complex(item)).collect();
        self.in_complex = false;
        all
    }

    fn complex(&mut self, json: &Json) -> Option<Complex> {
        self.object(json, "a complex movement")?;
        self.known_keys(json, &schema::COMPLEX.names());
        let figures = self.required(json, "figures", "a complex movement")?;
        let items = self.items(figures);
        if items.is_empty() {
            let message = "a complex movement needs a figure";
            self.error(&codes::EMPTY_LIST, figures.span, message);
        }
        let parts: Vec<Option<Part>> = items.iter().map(|item| self.part(item)).collect();
        Some(Complex {
            parts: parts.into_iter().collect::<Option<Vec<Part>>>()?,
            actions: self.actions(json),
            span: json.span,
        })
    }

    fn part(&mut self, json: &Json) -> Option<Part> {
        self.object(json, "a figure of a complex movement")?;
        self.known_keys(json, &schema::PART.names());
        self.needs_extensions(json, "steps");
        let figure = self.required(json, "figure", "a figure of a complex movement")?;
        let figure = self.figure(figure)?;
        let vector = |reader: &mut Self, key: &str| match json.get(key) {
            Some(vector) => reader.offset(vector),
            None => vec![0; reader.dimensions.len()],
        };
        Some(Part {
            figure,
            place: vector(self, "relative_position"),
            delta: vector(self, "coordinates_delta"),
            steps: match json.get("steps") {
                Some(steps) => self.count(steps).unwrap_or(1),
                None => 1,
            },
            actions: self.actions(json),
            span: json.span,
        })
    }

    fn offset(&mut self, json: &Json) -> Vec<i64> {
        if let Some(members) = self.object(json, "a vector") {
            let names = self.dimensions.clone();
            for member in members {
                let key = member.key.as_str();
                if key == "repeat" || key == "also_reversed" {
                    let message = format!("`{key}` is half implemented in the original engine");
                    self.error(&codes::COMPLEX_REPEAT, member.key_span, message);
                } else if !names.contains(&member.key) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    self.unknown_key(member, &names);
                }
            }
        }
        self.vector(json)
    }
}
