//! Game states, win conditions, draw rules.

use indexmap::IndexMap;

use super::Reader;
use crate::ast::{
    Branch, Check, DrawRules, NoProgress, Pass, Progress, Spanned, State, StateKind, Winner,
};
use crate::json::{Json, Kind, Member};
use crate::{codes, schema};

/// Most positions that draw rules look back on.
const MAX_PLIES: u32 = 4096;

const ACTIONS: [&str; 5] = ["move", "take", "swap", "replace", "continue"];

impl Reader<'_> {
    pub(super) fn checks_by_player(
        &mut self,
        json: &Json,
        key: &str,
    ) -> IndexMap<String, Vec<Check>> {
        let mut all = IndexMap::new();
        let Some(by_player) = json.get(key) else {
            return all;
        };
        for member in self
            .object(by_player, "conditions by player")
            .unwrap_or_default()
        {
            let known = self.is_player(&member.key, member.key_span);
            let items = self.list(&member.value).unwrap_or_default();
            let checks: Vec<Check> = items.iter().filter_map(|item| self.check(item)).collect();
            if known {
                all.insert(member.key.clone(), checks);
            }
        }
        all
    }

    fn check(&mut self, json: &Json) -> Option<Check> {
        self.object(json, "a condition of the board")?;
        self.known_keys(json, &schema::CHECK.names());
        if let Some(entity) = json.get("entity") {
            let name = self.text(entity)?;
            if name != "cell" {
                let message = format!("there is no entity `{name}`, only `cell`");
                self.error(&codes::UNKNOWN_TYPE, entity.span, message);
            }
        }
        let filter = match self.required(json, "filter", "a condition of the board") {
            Some(filter) => self.matching(filter),
            None => return None,
        };
        let kind = self.required(json, "type", "a condition of the board")?;
        let attacked = match self.text(kind)?.as_str() {
            "exists" => false,
            "attacked" => {
                if !self.extensions {
                    let message = "`attacked` is known with extensions only";
                    self.extension(kind.span, message);
                }
                true
            }
            other => {
                let known: Vec<String> = ["exists", "attacked"].map(str::to_owned).into();
                let message = format!("there is no condition of type `{other}`");
                self.unknown_name(&codes::UNKNOWN_TYPE, kind.span, message, other, &known);
                return None;
            }
        };
        let result = self.required(json, "result", "a condition of the board")?;
        Some(Check {
            filter,
            attacked,
            result: self.bool(result)?,
            span: json.span,
        })
    }

    pub(super) fn draw_rules(&mut self, json: &Json) -> Option<DrawRules> {
        self.object(json, "`draw_rules`")?;
        self.known_keys(json, &schema::DRAWS.names());
        let count = |reader: &mut Self, key: &str| {
            let value = json.get(key)?;
            let count = reader.count(value)?;
            Some((count, value.span))
        };
        let repetition = count(self, "repetition");
        if let Some((1, span)) = repetition {
            let message = "every position occurs once, so the game would end at once";
            self.error(&codes::BAD_VALUE, span, message);
        }
        let max_plies = count(self, "max_plies");
        let no_progress = json
            .get("no_progress")
            .and_then(|rules| self.no_progress(rules));
        Some(DrawRules {
            repetition: repetition.map(|(count, _)| count.min(1000)),
            no_progress,
            max_plies: max_plies.map(|(count, _)| count),
            span: json.span,
        })
    }

    fn no_progress(&mut self, json: &Json) -> Option<NoProgress> {
        self.object(json, "`no_progress`")?;
        self.known_keys(json, &schema::NO_PROGRESS.names());
        let plies = self.required(json, "plies", "`no_progress`")?;
        let count = self.count(plies)?;
        if count > MAX_PLIES {
            let message = format!("this may be {MAX_PLIES} at most");
            self.error(&codes::TOO_LARGE, plies.span, message);
        }
        let mut progress = Vec::new();
        if let Some(list) = json.get("progress") {
            for item in self.list(list).unwrap_or_default() {
                progress.extend(self.progress(item));
            }
        }
        Some(NoProgress {
            plies: count,
            progress,
        })
    }

    fn progress(&mut self, json: &Json) -> Option<Progress> {
        self.object(json, "progress")?;
        self.known_keys(json, &schema::PROGRESS.names());
        if let Some(action) = json.get("action") {
            let name = self.text(action)?;
            let known = ACTIONS.iter().find(|known| **known == name);
            if known.is_none() {
                let names: Vec<String> = ACTIONS.map(str::to_owned).into();
                let message = format!("there is no action `{name}`");
                self.unknown_name(&codes::UNKNOWN_ACTION, action.span, message, &name, &names);
            }
            return known.map(|known| Progress::Action(known));
        }
        let figure = self.required(json, "figure", "progress")?;
        let name = self.text(figure)?;
        self.is_figure(&name, figure.span)
            .then_some(Progress::Figure(name))
    }

    pub(super) fn read_states(&mut self, json: &Json) -> Option<IndexMap<String, State>> {
        let states = self.required(json, "game_states", "a game")?;
        let members = self.object(states, "`game_states`")?;
        let mut all = IndexMap::new();
        for member in members {
            let is_part = schema::ROOT.names().contains(&member.key.as_str());
            if is_part && member.value.get("type").is_none() {
                self.unknown_key(member, &[]);
            } else if let Some(state) = self.state(member) {
                all.insert(member.key.clone(), state);
            }
        }
        Some(all)
    }

    fn state(&mut self, member: &Member) -> Option<State> {
        let json = &member.value;
        self.object(json, "a game state")?;
        self.known_keys(json, &schema::STATE.names());
        let kind = self.required(json, "type", "a game state")?;
        let parameters = json.get("parameters");
        let name = self.text(kind)?;
        let kind = match name.as_str() {
            "move" => StateKind::Move {
                player: self.state_player(json, parameters)?,
                pass: self.pass(parameters),
            },
            "next_move" => StateKind::NextMove,
            "check_win" => StateKind::CheckWin(self.state_player(json, parameters)?),
            "check_moves" => {
                if !self.extensions {
                    let message = "`check_moves` is known with extensions only";
                    self.extension(kind.span, message);
                }
                StateKind::CheckMoves(self.state_player(json, parameters)?)
            }
            "end" => StateKind::End(self.winner(parameters)),
            other => {
                let known = ["move", "next_move", "check_win", "check_moves", "end"];
                let known: Vec<String> = known.map(str::to_owned).into();
                let message = format!("there is no state of type `{other}`");
                self.unknown_name(&codes::UNKNOWN_TYPE, kind.span, message, other, &known);
                // The state is there all the same, so it is read as the type that comes nearest.
                match crate::diag::closest(other, known.iter().map(String::as_str)) {
                    Some("end") => StateKind::End(self.winner(parameters)),
                    Some("next_move") => StateKind::NextMove,
                    Some("move") => StateKind::Move {
                        player: self.state_player(json, parameters)?,
                        pass: Pass::Never,
                    },
                    Some("check_win") => StateKind::CheckWin(self.state_player(json, parameters)?),
                    _ => StateKind::CheckMoves(self.players.first()?.node.clone()),
                }
            }
        };
        let next = match (&kind, json.get("next")) {
            (StateKind::End(_), _) => Vec::new(),
            (_, Some(next)) => self.next(next),
            (_, None) => {
                self.required(json, "next", "a game state");
                Vec::new()
            }
        };
        Some(State {
            kind,
            next,
            span: member.key_span,
        })
    }

    fn state_player(&mut self, json: &Json, parameters: Option<&Json>) -> Option<String> {
        let parameters = match parameters {
            Some(parameters) => parameters,
            None => self.required(json, "parameters", "this state")?,
        };
        self.known_keys(parameters, &["player", "pass"]);
        let player = self.required(parameters, "player", "this state")?;
        let name = self.text(player)?;
        // An unknown one was told of; the state is there all the same.
        match self.is_player(&name, player.span) {
            true => Some(name),
            false => Some(self.players.first()?.node.clone()),
        }
    }

    fn pass(&mut self, parameters: Option<&Json>) -> Pass {
        let Some((parameters, pass)) = parameters.and_then(|p| Some((p, p.get("pass")?))) else {
            return Pass::Never;
        };
        self.needs_extensions(parameters, "pass");
        match self.text(pass).as_deref() {
            Some("always") => Pass::Always,
            Some("if_stuck") => Pass::IfStuck,
            Some("never") | None => Pass::Never,
            Some(other) => {
                let message = format!("`pass` is `never`, `always` or `if_stuck`, not `{other}`");
                self.error(&codes::BAD_VALUE, pass.span, message);
                Pass::Never
            }
        }
    }

    fn winner(&mut self, parameters: Option<&Json>) -> Winner {
        let Some((parameters, winner)) = parameters.and_then(|p| Some((p, p.get("winner")?)))
        else {
            return Winner::Tested;
        };
        self.known_keys(parameters, &["winner"]);
        self.needs_extensions(parameters, "winner");
        let items = match &winner.kind {
            Kind::Null => return Winner::Named(Vec::new()),
            Kind::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(winner),
        };
        let mut names = Vec::new();
        for item in items {
            let Some(name) = self.text(item) else {
                continue;
            };
            if self.is_player(&name, item.span) {
                names.push(name);
            }
        }
        Winner::Named(names)
    }

    fn next(&mut self, json: &Json) -> Vec<Branch> {
        if let Kind::String(name) = &json.kind {
            let state = Spanned {
                node: name.clone(),
                span: json.span,
            };
            return vec![Branch {
                state,
                results: None,
            }];
        }
        let items = self.list(json).unwrap_or_default();
        items.iter().filter_map(|item| self.branch(item)).collect()
    }

    fn branch(&mut self, json: &Json) -> Option<Branch> {
        self.object(json, "a branch")?;
        self.known_keys(json, &schema::BRANCH.names());
        let state = self.required(json, "state", "a branch")?;
        let state = Spanned {
            node: self.text(state)?,
            span: state.span,
        };
        let conditions = self.required(json, "if", "a branch")?;
        let mut results = Vec::new();
        self.none_of_none(conditions);
        for condition in self.list(conditions)? {
            let members = self.object(condition, "a condition of a branch")?;
            self.known_keys(condition, &schema::RESULT.names());
            // What is not there equals nothing but `null`.
            let foreign = |m: &&Member| m.key != "result" && m.value.kind != Kind::Null;
            if members.iter().any(|member| foreign(&member)) {
                continue;
            }
            results.push(match condition.get("result") {
                Some(result) => {
                    let value = self.scalar(result)?;
                    self.truth("result", &value, result.span);
                    Some(value)
                }
                None => None,
            });
        }
        Some(Branch {
            state,
            results: Some(results),
        })
    }
}
