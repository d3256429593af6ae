//! What the start decides: cells that are filled twice, tests that hold from the start, players that never move.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::Check;
use crate::ast::{self, Action, Match, Pass, StateKind, Winner};
use crate::codes;
use crate::diag::Diagnostic;
use crate::script::Value;

/// Whether a wanted value allows a name.
fn allows(wanted: &Option<ast::Spanned<Value>>, name: &str) -> bool {
    wanted
        .as_ref()
        .is_none_or(|wanted| Value::String(name.to_owned()).loosely_equals(&wanted.node))
}

/// Whether a test asks for a figure or its owner, and for nothing that `null` could mean.
fn names_figures(filter: &Match) -> bool {
    let mut names = filter.figure.iter().chain(&filter.player).peekable();
    names.peek().is_some() && names.all(|name| name.node != Value::Null)
}

impl Check<'_> {
    pub(super) fn start_of_game(&mut self) {
        self.filled_twice();
        // What a mistake hides may make the rest true.
        if self.out.has_errors() {
            return;
        }
        self.decided();
        self.idle_players();
        self.unasked();
        self.stuck_states();
    }

    /// Figures that start on one cell.
    fn filled_twice(&mut self) {
        let game = self.game;
        let mut filled = SortedMap::new();
        for start in &game.initial {
            let Some(first) = filled.insert(start.cell, start) else {
                continue;
            };
            let message = format!(
                "this cell already holds a `{}` of {}",
                first.figure, first.player
            );
            let found = Diagnostic::new(&codes::SAME_CELL, start.span, message);
            let found = found.also(first.span, "only the last figure of a cell counts");
            self.out.push(found);
        }
    }

    /// The pairs of player and figure that can come to stand on the board.
    fn possible(&self) -> SortedSet<(&str, &str)> {
        let game = self.game;
        let starts = game.initial.iter();
        let mut pairs: SortedSet<(&str, &str)> = starts
            .map(|start| (start.player.as_str(), start.figure.as_str()))
            .collect();
        let owners: SortedSet<&str> = pairs.iter().map(|(player, _)| *player).collect();
        for figure in self.made() {
            pairs.extend(owners.iter().map(|player| (*player, figure)));
        }
        pairs
    }

    /// The figures that others become.
    fn made(&self) -> SortedSet<&str> {
        let mut made = SortedSet::new();
        for action in self.game.sets().flat_map(|set| &set.actions) {
            match &action.node {
                Action::Replace(name) | Action::ReplaceLater(name) => {
                    made.insert(name.as_str());
                }
                Action::Choose(names) => made.extend(names.iter().map(|name| name.node.as_str())),
                _ => {}
            }
        }
        made
    }

    /// Whether a test names only what there is; otherwise it was told already.
    fn knows_names(&self, filter: &Match) -> bool {
        let game = self.game;
        let mut players = game.players.iter();
        let player = players.any(|player| allows(&filter.player, &player.node));
        player
            && game
                .figures
                .keys()
                .any(|figure| allows(&filter.figure, figure))
    }

    /// Win conditions that the start decides.
    fn decided(&mut self) {
        let game = self.game;
        let possible = self.possible();
        let mut found = Vec::new();
        for check in game.win.values().flatten() {
            let filter = &check.filter;
            if check.attacked || !names_figures(filter) || !self.knows_names(filter) {
                continue;
            }
            let mut pairs = possible.iter();
            let never = !pairs.any(|(player, figure)| {
                allows(&filter.player, player) && allows(&filter.figure, figure)
            });
            let what = described(filter);
            let message = match (never, self.stands_at_start(filter)) {
                (true, _) if check.result => {
                    let message = format!("this never holds: {what} is never on the board");
                    found.push(Diagnostic::new(&codes::NEVER_HOLDS, check.span, message));
                    continue;
                }
                (true, _) => format!("this always holds: {what} is never on the board"),
                (false, Some(stands)) if stands == check.result => {
                    "this test holds in the position at the start already".to_owned()
                }
                _ => continue,
            };
            found.push(Diagnostic::new(&codes::HOLDS_AT_START, check.span, message));
        }
        found.into_iter().for_each(|found| self.out.push(found));
    }

    /// Whether a figure that a test asks for stands there at the start; nothing where more than that decides.
    fn stands_at_start(&self, filter: &Match) -> Option<bool> {
        if filter.moves_made.is_some() || filter.last_move.is_some() {
            return None;
        }
        let fits = |start: &ast::Start| {
            let cell = &self.game.cells[start.cell].node;
            let mut coordinates = filter.coordinates.iter();
            allows(&filter.player, &start.player)
                && allows(&filter.figure, &start.figure)
                && coordinates.all(|(dimension, wanted)| {
                    let at = cell.get(*dimension).map(|at| Value::Number(*at as f64));
                    at.unwrap_or(Value::Null).loosely_equals(&wanted.node)
                })
        };
        Some(self.game.initial.iter().any(fits))
    }

    /// Players who can win or are tested, but never move.
    fn idle_players(&mut self) {
        let game = self.game;
        let moves = |name: &str| {
            let mut states = game.states.values();
            states.any(
                |state| matches!(&state.kind, StateKind::Move { player, .. } if player == name),
            )
        };
        let named = |name: &str| {
            let mut states = game.states.values();
            states.any(|state| match &state.kind {
                StateKind::CheckWin(player) | StateKind::CheckMoves(player) => player == name,
                StateKind::End(Winner::Named(names)) => names.iter().any(|other| other == name),
                _ => false,
            })
        };
        for player in &game.players {
            let name = player.node.as_str();
            // Figures of a player who is not named elsewhere may be there to stand in the way.
            let stands = game.initial.iter().any(|start| start.player == name);
            if !moves(name) && (named(name) || game.win.contains_key(name) || !stands) {
                let message = format!("`{name}` never has a turn");
                let found = Diagnostic::new(&codes::NO_TURN, player.span, message);
                let help = format!("add a state of type `move` with the player `{name}`");
                self.out.push(found.help(help));
            }
        }
    }

    /// Win conditions that no state asks.
    fn unasked(&mut self) {
        let game = self.game;
        for (player, checks) in &game.win {
            let mut states = game.states.values();
            let asked = states
                .any(|state| matches!(&state.kind, StateKind::CheckWin(name) if name == player));
            if let (Some(check), false) = (checks.first(), asked) {
                let message = format!("no state asks the `win_conditions` of `{player}`");
                let found = Diagnostic::new(&codes::UNASKED_WIN, check.span, message);
                let help = format!("add a state of type `check_win` with the player `{player}`");
                self.out.push(found.help(help));
            }
        }
    }

    /// Turns that come only when their player cannot move.
    fn stuck_states(&mut self) {
        let game = self.game;
        for state in game.states.values() {
            let StateKind::CheckMoves(tested) = &state.kind else {
                continue;
            };
            for branch in &state.next {
                let name = &branch.state.node;
                let kind = game.states.get(name).map(|state| &state.kind);
                let stuck = matches!(kind, Some(StateKind::Move { player, pass: Pass::Never }) if player == tested);
                if stuck && branch.fits(Some(false)) && !branch.fits(Some(true)) {
                    let message =
                        format!("this way to `{name}` is taken when {tested} cannot move");
                    let found = Diagnostic::new(&codes::STUCK_TURN, branch.state.span, message);
                    self.out
                        .push(found.help("are `true` and `false` exchanged?"));
                }
            }
        }
    }
}

/// How messages call what a test asks for.
fn described(filter: &Match) -> String {
    let text = |name: &Option<ast::Spanned<Value>>| name.as_ref().map(|name| name.node.to_text());
    match (text(&filter.figure), text(&filter.player)) {
        (Some(figure), Some(player)) => format!("a `{figure}` of {player}"),
        (Some(figure), None) => format!("a `{figure}`"),
        (None, Some(player)) => format!("a figure of {player}"),
        (None, None) => "a figure".to_owned(),
    }
}
