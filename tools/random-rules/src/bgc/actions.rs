//! Sets of actions.

use super::Game;
use super::json::{Json, list, object, plain, text, texts};

impl Game<'_> {
    /// Sets of a figure or an entry; with `certain` some set always applies.
    pub(super) fn actions(&mut self, simple: bool, certain: bool, swaps: bool) -> Json {
        let _ = swaps;
        let mut sets = self.destination(simple, (true, true));
        if certain {
            sets.push(plain("{\"actions\":[\"move\"]}"));
        }
        let passed = self.transition(simple, (true, true));
        kinds(sets, passed)
    }

    /// Sets of a complex movement, with or without figures that change places and such that move themselves.
    pub(super) fn actions_of(&mut self, simple: bool, allowed: (bool, bool)) -> Json {
        let sets = self.destination(simple, allowed);
        let passed = self.transition(simple, allowed);
        kinds(sets, passed)
    }

    fn destination(&mut self, simple: bool, allowed: (bool, bool)) -> Vec<Json> {
        let count = self.random.case(&[8, 45, 32, 15]);
        (0..count)
            .map(|_| self.set(simple, true, false, allowed))
            .collect()
    }

    fn transition(&mut self, simple: bool, allowed: (bool, bool)) -> Vec<Json> {
        let count = self.random.case(&[50, 35, 15]);
        (0..count)
            .map(|_| self.set(simple, false, true, allowed))
            .collect()
    }

    fn set(
        &mut self,
        simple: bool,
        chooses: bool,
        passed: bool,
        (swaps, moves): (bool, bool),
    ) -> Json {
        let figure = *self.random.pick(&self.figures.clone());
        let further = usize::from(self.extended);
        let chooses = usize::from(chooses) * further;
        let (swaps, moves) = (usize::from(swaps), usize::from(moves));
        let late = usize::from(simple && !self.plain) * chooses;
        let weights = [
            30 * moves,
            15 * moves,
            if passed { 40 } else { 18 },
            9,
            9 * swaps,
            5,
            3 * moves,
            7 * moves,
            2 * moves,
            3 * moves,
            6 * chooses,
            7 * further * moves,
            2 * swaps * moves,
            4 * late,
        ];
        let replace = |figure: Json| {
            let parameters = object([("new_figure", figure)]);
            object([("action", text("replace")), ("parameters", parameters)])
        };
        let (go, take) = (|| text("move"), || text("take"));
        let case = self.random.case(&weights);
        let actions = match case {
            0 => vec![self.named("move")],
            1 => vec![take(), go()],
            2 => vec![text("cancel")],
            3 => vec![take()],
            4 => vec![text("swap")],
            5 => Vec::new(),
            6 => vec![go(), take()],
            7 => vec![replace(text(figure)), go()],
            8 => vec![go(), replace(text(figure))],
            9 => vec![replace(text(figure))],
            10 => vec![replace(texts(&self.figures)), go()],
            11 => vec![take(), go(), text("continue")],
            12 => vec![text("swap"), go()],
            _ => vec![go(), self.later(figure)],
        };
        let mut members = vec![("actions", list(actions))];
        let acts = !matches!(case, 2 | 5);
        let exists = passed && acts && self.holes;
        let chains = case == 11 && self.longest;
        let asks = self.percent(if case == 2 { 96 } else { 65 });
        if chains {
            members.push(("if", plain("[{\"computed\":{\"is_enemy\":true}}]")));
        } else if asks {
            members.push(("if", self.conditions(!simple, exists)));
        } else if exists {
            members.push(("if", plain("[{\"computed\":{\"is_cell\":true}}]")));
        }
        object(members)
    }

    /// An action as a word or as an object.
    fn named(&mut self, name: &str) -> Json {
        match self.percent(92) {
            true => text(name),
            false => object([("action", text(name))]),
        }
    }

    /// What waits for the end of a chain.
    fn later(&mut self, figure: &str) -> Json {
        let (action, parameters) = match self.percent(50) {
            true => ("take", vec![("deferred", plain("true"))]),
            false => (
                "replace",
                vec![("new_figure", text(figure)), ("deferred", plain("true"))],
            ),
        };
        object([("action", text(action)), ("parameters", object(parameters))])
    }
}

fn kinds(destination: Vec<Json>, transition: Vec<Json>) -> Json {
    let mut members = Vec::new();
    if !destination.is_empty() {
        members.push(("destination", list(destination)));
    }
    if !transition.is_empty() {
        members.push(("transition", list(transition)));
    }
    object(members)
}
