//! Game states: every path leads somewhere, and none for ever.

use std::collections::BTreeSet;

use super::Check;
use crate::ast::{Branch, State, StateKind};
use crate::codes;
use crate::diag::Diagnostic;

impl<'a> Check<'a> {
    pub(super) fn states(&mut self) {
        let game = self.game;
        self.start();
        let reached = self.reached();
        for (name, state) in &game.states {
            for branch in &state.next {
                self.known(branch);
            }
            // What is never reached does no harm.
            if reached.contains(name.as_str()) {
                self.covered(name, state);
                self.player_tests(state);
            }
        }
        self.unreached(&reached);
        self.cycles(&reached);
    }

    /// Tells of states that nothing leads to; those that only such states lead to follow from them.
    fn unreached(&mut self, reached: &BTreeSet<&str>) {
        let game = self.game;
        let lost = game
            .states
            .iter()
            .filter(|(name, _)| !reached.contains(name.as_str()));
        let lost: Vec<(&String, &State)> = lost.collect();
        let led: BTreeSet<&str> = lost
            .iter()
            .flat_map(|(name, _)| self.next_of(name).into_iter().filter(move |to| to != name))
            .collect();
        let is_first = |(name, _): &&(&String, &State)| !led.contains(name.as_str());
        let mut first: Vec<&(&String, &State)> = lost.iter().filter(is_first).collect();
        if first.is_empty() {
            first.extend(lost.first());
        }
        let follow: Vec<String> = lost
            .iter()
            .filter(|one| !first.contains(one))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        for (at, (name, state)) in first.iter().enumerate() {
            let message = format!("nothing leads to `{name}`");
            let found = Diagnostic::new(&codes::UNUSED_STATE, state.span, message);
            self.out.push(match at == 0 && !follow.is_empty() {
                true => found.note(format!("so nothing comes to {} either", follow.join(", "))),
                false => found,
            });
        }
    }

    fn start(&mut self) {
        let game = self.game;
        let start = &game.initial_state;
        match game.states.get(&start.node).map(|state| &state.kind) {
            Some(StateKind::Move { .. }) => {}
            Some(_) => {
                let message = format!("`{}` is no state of type `move`", start.node);
                self.tell(&codes::BAD_START, start.span, message);
            }
            None => self.unknown(&start.node, start.span),
        }
    }

    fn unknown(&mut self, name: &str, span: crate::source::Span) {
        let message = format!("there is no game state `{name}`");
        let found = Diagnostic::new(&codes::UNKNOWN_STATE, span, message);
        let known = self.game.states.keys().map(String::as_str);
        let found = match crate::diag::closest(name, known) {
            Some(near) => found.fix(
                format!("did you mean `{near}`?"),
                span,
                format!("\"{near}\""),
            ),
            None => found,
        };
        self.out.push(found);
    }

    fn known(&mut self, branch: &Branch) {
        if !self.game.states.contains_key(&branch.state.node) {
            self.unknown(&branch.state.node, branch.state.span);
        }
    }

    /// Tests lead somewhere for both results, other states somewhere.
    fn covered(&mut self, name: &str, state: &State) {
        let wanted: &[Option<bool>] = match state.kind {
            StateKind::End(_) => return,
            StateKind::CheckWin(_) | StateKind::CheckMoves(_) => &[Some(true), Some(false)],
            StateKind::Move { .. } | StateKind::NextMove => &[None],
        };
        for result in wanted {
            if state.next.iter().any(|branch| branch.fits(*result)) {
                continue;
            }
            let message = match result {
                Some(result) => format!("`{name}` leads nowhere when its result is {result}"),
                None => format!("`{name}` leads nowhere: it has no result"),
            };
            self.tell(&codes::UNCOVERED_RESULT, state.span, message);
        }
    }

    fn player_tests(&mut self, state: &State) {
        let game = self.game;
        match &state.kind {
            StateKind::CheckWin(player) if !game.win.contains_key(player) => {
                let message = format!("`win_conditions` says nothing about `{player}`");
                self.tell(&codes::NO_WIN_CONDITION, state.span, message);
            }
            _ => {}
        }
    }

    fn next_of(&self, name: &str) -> Vec<&'a str> {
        let game = self.game;
        let state = game.states.get(name);
        let branches = state.map_or(&[][..], |state| &state.next);
        branches.iter().map(|b| b.state.node.as_str()).collect()
    }

    fn reached(&self) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let game = self.game;
        let mut open = vec![game.initial_state.node.as_str()];
        while let Some(name) = open.pop() {
            if reached.insert(name) {
                open.extend(self.next_of(name));
            }
        }
        reached
    }

    /// Passive states that lead back to themselves without a move in between.
    fn cycles(&mut self, reached: &BTreeSet<&str>) {
        let game = self.game;
        let passive = |name: &str| {
            let state = game.states.get(name);
            state.is_some_and(|state| {
                !matches!(state.kind, StateKind::Move { .. } | StateKind::End(_))
            })
        };
        for (name, state) in &game.states {
            if !passive(name) || !reached.contains(name.as_str()) {
                continue;
            }
            let mut seen = BTreeSet::new();
            let mut open = self.next_of(name);
            while let Some(next) = open.pop() {
                if passive(next) && seen.insert(next) {
                    open.extend(self.next_of(next));
                }
            }
            if seen.contains(name.as_str()) {
                let message = format!("`{name}` comes back to itself without a move");
                self.tell(&codes::STATE_CYCLE, state.span, message);
            }
        }
    }
}
