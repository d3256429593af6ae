//! The course of a game: states, tests, draws.

use super::Game;
use super::json::{Json, list, number, object, plain, text};

type Members = Vec<(&'static str, Json)>;

impl Game<'_> {
    /// What decides who moves when, and who wins.
    pub(super) fn course(&mut self, members: &mut Members) {
        let win = self.checks(100);
        members.push(("win_conditions", win));
        if self.extended && self.percent(25) {
            let forbidden = self.checks(60);
            members.push(("forbidden_conditions", forbidden));
        }
        if !self.plain && self.percent(60) {
            let rules = self.draws();
            members.push(("draw_rules", rules));
        }
        let states = self.states();
        members.push(("game_states", states));
        members.push(("initial_game_state", text("move0")));
    }

    fn checks(&mut self, chance: usize) -> Json {
        let mut by_player = Vec::new();
        for player in self.players.clone() {
            let count = self.random.within(0, 2);
            let checks: Vec<Json> = (0..count).map(|_| self.check()).collect();
            if self.percent(chance) {
                by_player.push((player, list(checks)));
            }
        }
        object(by_player)
    }

    fn check(&mut self) -> Json {
        let attacked = self.extended && self.percent(30);
        let mut filter = self.matching(true);
        let named = |(key, value): &(&str, Json)| {
            matches!(*key, "figure" | "player") && *value != plain("null")
        };
        if attacked && !filter.iter().any(named) {
            let player = *self.random.pick(&self.players.clone());
            filter.retain(|(key, _)| *key != "player");
            filter.push(("player", text(player)));
        }
        let result = if self.percent(70) { "true" } else { "false" };
        let mut members = Vec::new();
        if self.percent(80) {
            members.push(("entity", text("cell")));
        }
        members.push(("filter", object(filter)));
        members.push(("type", text(if attacked { "attacked" } else { "exists" })));
        members.push(("result", plain(result)));
        object(members)
    }

    fn draws(&mut self) -> Json {
        let mut members = Vec::new();
        if self.percent(50) {
            members.push(("repetition", number(self.random.within(2, 4))));
        }
        if self.percent(50) {
            let mut progress = vec![plain("{\"action\":\"take\"}")];
            if self.percent(40) {
                let figure = *self.random.pick(&self.figures.clone());
                progress.push(object([("figure", text(figure))]));
            }
            let plies = number(self.random.within(1, 8));
            let rule = object([("plies", plies), ("progress", list(progress))]);
            members.push(("no_progress", rule));
        }
        if self.percent(50) {
            members.push(("max_plies", number(self.random.within(2, 25))));
        }
        object(members)
    }

    fn states(&mut self) -> Json {
        let mut states: Vec<(String, Json)> = Vec::new();
        let count = self.players.len() + usize::from(self.percent(20));
        for turn in 0..count {
            let player = match turn < self.players.len() {
                true => self.players[turn],
                false => *self.random.pick(&self.players.clone()),
            };
            let after = format!("move{}", (turn + 1) % count);
            let next = self.passive(turn, player, after, &mut states);
            let mut parameters = vec![("player", text(player))];
            if !self.plain && self.percent(20) {
                let pass = *self.random.pick(&["always", "if_stuck", "never"]);
                parameters.push(("pass", text(pass)));
            }
            let next = match self.percent(93) {
                true => text(&next),
                false => list([object([("state", text(&next)), ("if", plain("[{}]"))])]),
            };
            let state = object([
                ("type", text("move")),
                ("parameters", object(parameters)),
                ("next", next),
            ]);
            states.push((format!("move{turn}"), state));
        }
        Json::Object(states)
    }

    /// The states between a move and the next one, from the last to the first; gives the name of the first.
    fn passive(
        &mut self,
        turn: usize,
        player: &str,
        after: String,
        states: &mut Vec<(String, Json)>,
    ) -> String {
        let mut next = after;
        let count = self.random.case(&[15, 40, 30, 15]);
        for number in 0..count {
            let name = format!("between{turn}_{number}");
            let weights = [45, 40, if self.extended { 20 } else { 0 }];
            let state = match self.random.case(&weights) {
                0 => object([("type", text("next_move")), ("next", text(&next))]),
                case => {
                    let kind = if case == 1 {
                        "check_win"
                    } else {
                        "check_moves"
                    };
                    let whose = match self.percent(70) {
                        true => player.to_owned(),
                        false => (*self.random.pick(&self.players.clone())).to_owned(),
                    };
                    let end = format!("end{turn}_{number}");
                    states.push((end.clone(), self.end()));
                    self.test(kind, &whose, end, &next)
                }
            };
            states.push((name.clone(), state));
            next = name;
        }
        next
    }

    fn test(&mut self, kind: &str, player: &str, end: String, next: &str) -> Json {
        let ends = match kind == "check_win" {
            true => !self.percent(10),
            false => self.percent(10),
        };
        let branch = |state: &str, result: &str| {
            let results = plain(&format!("[{{\"result\":{result}}}]"));
            object([("state", text(state)), ("if", results)])
        };
        let (on_true, on_false) = match ends {
            true => (end.as_str(), next),
            false => (next, end.as_str()),
        };
        let branches = match self.random.case(&[80, 10, 10]) {
            0 => vec![branch(on_true, "true"), branch(on_false, "false")],
            1 => vec![branch(on_false, "0"), branch(on_true, "1")],
            _ => vec![
                branch(on_true, "true"),
                object([("state", text(on_false)), ("if", plain("[{}]"))]),
            ],
        };
        object([
            ("type", text(kind)),
            ("parameters", object([("player", text(player))])),
            ("next", list(branches)),
        ])
    }

    fn end(&mut self) -> Json {
        let mut members = vec![("type", text("end"))];
        if self.extended && self.percent(50) {
            let player = *self.random.pick(&self.players.clone());
            let winner = match self.random.case(&[40, 30, 30]) {
                0 => text(player),
                1 => plain("null"),
                _ => list([text(player)]),
            };
            members.push(("parameters", object([("winner", winner)])));
        }
        object(members)
    }
}
