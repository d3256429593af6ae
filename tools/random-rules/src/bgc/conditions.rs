//! Conditions of sets and entries, filters of tests.

use super::json::{Json, list, number, object, plain, text};
use super::{Attacks, Game};

impl Game<'_> {
    /// A list of condition sets; with `exists` each asks whether the judged cell exists.
    pub(super) fn conditions(&mut self, together: bool, exists: bool) -> Json {
        let count = self.random.case(&[3, 67, 25, 5]);
        let all: Vec<Json> = (0..count)
            .map(|_| self.condition(together, exists))
            .collect();
        list(all)
    }

    fn condition(&mut self, together: bool, exists: bool) -> Json {
        let mut members = Vec::new();
        if self.percent(22) {
            let own = self.matching(false);
            members.push(("self", object(own)));
        }
        if self.percent(25) {
            let target = self.matching(true);
            members.push(("target", object(target)));
        }
        let mut computed = Vec::new();
        if exists {
            computed.push(("is_cell", plain("true")));
        }
        if self.percent(if members.is_empty() { 90 } else { 45 }) {
            let count = self.random.within(1, 2);
            for _ in 0..count {
                let (name, value) = self.computed(together);
                if !computed.iter().any(|(known, _)| *known == name) {
                    computed.push((name, value));
                }
            }
        }
        if !computed.is_empty() {
            members.push(("computed", object(computed)));
        }
        if !self.plain && self.percent(5) {
            let moves = number(self.random.within(1, 5));
            members.push(("statistics", object([("current_move", moves)])));
        }
        object(members)
    }

    fn computed(&mut self, together: bool) -> (&'static str, Json) {
        let attacks = match self.attacks {
            Attacks::Nowhere => 0,
            Attacks::Together => usize::from(together) * 25,
            Attacks::Anywhere => 25,
        };
        let further = usize::from(self.extended) * 20;
        let weights = [12, 25, 45, 15, further, further, attacks, attacks];
        let name = match self.random.case(&weights) {
            0 => "is_cell",
            1 => "is_figure",
            2 => "is_enemy",
            3 => {
                let age = number(self.random.within(0, 3));
                return ("moves_after_last_move", age);
            }
            4 => "is_own",
            5 => "is_empty",
            6 => "is_attacked",
            _ => "self_attacked",
        };
        (name, self.truth())
    }

    /// What counts as true or false, seldom as neither.
    pub(super) fn truth(&mut self) -> Json {
        let values = [
            "true", "false", "1", "0", "\"1\"", "\"0\"", "\"\"", "null", "2",
        ];
        plain(values[self.random.case(&[45, 40, 4, 4, 2, 2, 1, 1, 1])])
    }

    /// Properties of a cell; at least one, if `some`.
    pub(super) fn matching(&mut self, target: bool) -> Vec<(&'static str, Json)> {
        let mut members = Vec::new();
        if self.percent(40) {
            let figure = *self.random.pick(&self.figures.clone());
            let nothing = target && self.percent(15);
            members.push(("figure", if nothing { plain("null") } else { text(figure) }));
        }
        if self.percent(40) {
            let player = *self.random.pick(&self.players.clone());
            let nothing = target && self.percent(15);
            members.push(("player", if nothing { plain("null") } else { text(player) }));
        }
        if self.percent(30) {
            let moves = match self.random.case(&[75, 10, 5, 5, 5]) {
                0 => number(self.random.within(0, 3)),
                1 => plain("\"1\""),
                2 => plain("null"),
                3 => plain("true"),
                _ => plain("-1"),
            };
            members.push(("moves_made", moves));
        }
        if self.percent(25) {
            let cell = self.random.pick(&self.cells.clone()).clone();
            let which = self.random.below(cell.len());
            let at = match self.percent(90) {
                true => number(cell[which]),
                false => text(&cell[which].to_string()),
            };
            let place = object([(self.dimensions[which], at)]);
            members.push(("coordinates", place));
        }
        members
    }
}
