//! What to write for a key that is missing.

use super::Reader;
use crate::json::{Json, Kind};

impl Reader<'_> {
    /// The least that may follow a key, with the names that the file has; nothing where only its author can know.
    pub(super) fn least(&self, json: &Json, key: &str, of: &str) -> Option<String> {
        let player = self.players.first();
        let player = player.map_or("white", |player| player.node.as_str());
        Some(match key {
            "players" => r#"["white", "black"]"#.to_owned(),
            "cell" => format!(
                r#"{{"coordinates_names": ["x", "y"], "geometry": {SQUARE}, "position": {{"x": "x", "y": "y"}}}}"#
            ),
            "coordinates_names" => r#"["x", "y"]"#.to_owned(),
            "geometry" => SQUARE.to_owned(),
            "board" => format!(r#"{{"cells": [{}, {}]}}"#, self.place(0), self.place(1)),
            "cells" => format!("[{}, {}]", self.place(0), self.place(1)),
            "figures" if of == "a game" => format!(r#"{{"man": {{"movement": {}}}}}"#, self.step()),
            "initial_position" => {
                let figure =
                    quoted(&first_key(json, "figures").unwrap_or_else(|| "man".to_owned()));
                format!(
                    r#"{{{}: {{{figure}: [{}]}}}}"#,
                    quoted(player),
                    self.place(0)
                )
            }
            "game_states" => {
                let name = quoted(&self.first_state(json));
                let player = quoted(player);
                format!(
                    r#"{{{name}: {{"type": "move", "parameters": {{"player": {player}}}, "next": {name}}}}}"#
                )
            }
            "initial_game_state" => quoted(&self.first_state(json)),
            "movement" => self.step(),
            "actions" => r#"["move"]"#.to_owned(),
            "parameters" => format!(r#"{{"player": {}}}"#, quoted(player)),
            "player" => quoted(player),
            _ => return None,
        })
    }

    /// The first state that the file has, or would have.
    fn first_state(&self, json: &Json) -> String {
        let initial = json.get("initial_game_state");
        let initial = initial.and_then(|state| match &state.kind {
            Kind::String(text) => Some(text.clone()),
            _ => None,
        });
        let player = self.players.first();
        let player = player.map_or("white", |player| player.node.as_str());
        let known = initial.or_else(|| first_key(json, "game_states"));
        known.unwrap_or_else(|| format!("{player}_moves"))
    }

    /// The cell with a first coordinate, whose others are 0.
    fn place(&self, first: i64) -> String {
        let names = self.dimensions.iter().map(String::as_str);
        let names: Vec<&str> = match self.dimensions.is_empty() {
            true => vec!["x", "y"],
            false => names.collect(),
        };
        let value = |at: usize| if at == 0 { first } else { 0 };
        let parts = names.iter().enumerate();
        let parts: Vec<String> = parts
            .map(|(at, name)| format!("{}: {}", quoted(name), value(at)))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    /// A movement by one cell that takes what an enemy has there.
    fn step(&self) -> String {
        let along = quoted(self.dimensions.first().map_or("x", String::as_str));
        let on = |whose: &str, action: &str| {
            format!(r#"{{"actions": ["{action}"], "if": [{{"computed": {{"{whose}": true}}}}]}}"#)
        };
        let (own, enemy) = (on("is_own", "cancel"), on("is_enemy", "take"));
        let sets = format!(r#"{own}, {enemy}, {{"actions": ["move"]}}"#);
        format!(r#"[{{{along}: 1, "cell_actions": {{"destination": [{sets}]}}}}]"#)
    }
}

/// The first name among the keys of a part of the file.
fn first_key(json: &Json, part: &str) -> Option<String> {
    match &json.get(part)?.kind {
        Kind::Object(members) => members.first().map(|member| member.key.clone()),
        _ => None,
    }
}

/// The corners of a square cell.
const SQUARE: &str = "[[0, 0], [1, 0], [1, 1], [0, 1]]";

/// A text as JSON.
fn quoted(text: &str) -> String {
    crate::json::quoted(text)
}
