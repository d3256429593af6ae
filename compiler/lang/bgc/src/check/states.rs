//! Game states: every path leads somewhere, and none for ever.

use rulec_ir::sorted::SortedSet;

use super::Check;
use crate::ast::{Branch, State, StateKind, Winner};
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
        self.winners(&reached);
        self.cycles(&reached);
    }

    /// Tells of players whose win is tested, and who win nowhere.
    fn winners(&mut self, reached: &SortedSet<&str>) {
        let game = self.game;
        let states = game
            .states
            .iter()
            .filter(|(name, _)| reached.contains(name.as_str()));
        // Of an end that nothing leads to it is told that it is one.
        let wins = |player: &str| {
            game.states.values().any(|state| match &state.kind {
                StateKind::End(Winner::Tested) => true,
                StateKind::End(Winner::Named(names)) => names.iter().any(|name| name == player),
                _ => false,
            })
        };
        for (name, state) in states.clone() {
            let StateKind::CheckWin(player) = &state.kind else {
                continue;
            };
            // Where nobody else can win either, the test is for something else.
            let others = game.players.iter().filter(|other| other.node != *player);
            if wins(player) || !others.clone().any(|other| wins(&other.node)) {
                continue;
            }
            let message = format!("`{name}` asks whether `{player}` has won, and no end says so");
            let found = Diagnostic::new(&codes::NEVER_WINS, state.span, message);
            let help = format!("a state of type `end` needs `\"winner\": \"{player}\"`");
            self.out.push(found.help(help));
        }
    }

    /// Tells of states that nothing leads to; those that only such states lead to follow from them.
    fn unreached(&mut self, reached: &SortedSet<&str>) {
        let game = self.game;
        let lost = game
            .states
            .iter()
            .filter(|(name, _)| !reached.contains(name.as_str()));
        let lost: Vec<(&String, &State)> = lost.collect();
        let mut told: SortedSet<&str> = SortedSet::new();
        for (name, state) in self.first_of(&lost) {
            let mut behind = SortedSet::new();
            self.walk(name, &mut behind);
            let follow: Vec<String> = lost
                .iter()
                .map(|(other, _)| other.as_str())
                .filter(|other| *other != name && behind.contains(other) && told.insert(other))
                .map(|other| format!("`{other}`"))
                .collect();
            let message = format!("nothing leads to `{name}`");
            let found = Diagnostic::new(&codes::UNUSED_STATE, state.span, message);
            self.out.push(match follow.is_empty() {
                true => found,
                false => found.note(format!("so nothing comes to {} either", follow.join(", "))),
            });
        }
    }

    /// The fewest states that lead to all that are lost: of a loop that nothing else leads to, its first.
    fn first_of<'l>(&self, lost: &[(&'l String, &'l State)]) -> Vec<(&'l str, &'l State)> {
        let mut seen = SortedSet::new();
        let mut first = Vec::new();
        for (name, state) in lost {
            if !seen.contains(name.as_str()) {
                self.walk(name, &mut seen);
                first.push((name.as_str(), *state));
            }
        }
        // A later one may lead to an earlier one, and no earlier one to a later one.
        let mut seen = SortedSet::new();
        let mut kept = Vec::new();
        for (name, state) in first.into_iter().rev() {
            if !seen.contains(name) {
                self.walk(name, &mut seen);
                kept.push((name, state));
            }
        }
        kept.reverse();
        kept
    }

    /// Adds a state and all that it leads to, unless they are known.
    fn walk(&self, from: &str, seen: &mut SortedSet<&'a str>) {
        let mut open: Vec<&'a str> = self
            .game
            .states
            .get_key_value(from)
            .map(|(name, _)| name.as_str())
            .into_iter()
            .collect();
        while let Some(name) = open.pop() {
            if seen.insert(name) {
                open.extend(self.next_of(name));
            }
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

    fn reached(&self) -> SortedSet<&'a str> {
        let mut reached = SortedSet::new();
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
    fn cycles(&mut self, reached: &SortedSet<&str>) {
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
            let mut seen = SortedSet::new();
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
