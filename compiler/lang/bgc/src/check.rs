//! Checks of the tree: what cannot be played, and what is probably not meant.

mod landing;
mod moves;
mod start;
mod states;

use super::ast::{Action, ActionSet, Actions, Computed, Condition, Game, Match, Spanned};
use super::codes;
use super::script::Value;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::Span;

/// Most work that tables of movements may need: entries times steps times cells.
const MAX_WORK: i64 = 20_000_000;

/// The greatest number of moves that conditions may ask for.
const MOST_MOVES: f64 = 1000.0;

/// Looks for everything that reading could not see.
pub(super) fn check(game: &Game, out: &mut Diagnostics) {
    let mut check = Check { game, out };
    check.size();
    check.states();
    check.movements();
    check.conditions();
    check.start_of_game();
}

/// What checks work with.
struct Check<'a> {
    game: &'a Game,
    out: &'a mut Diagnostics,
}

impl Check<'_> {
    fn tell(&mut self, code: &'static CodeInfo, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::new(code, span, message));
    }

    /// The greatest extent of the board.
    fn extent(&self) -> i64 {
        let extent = |dimension: usize| {
            let all = || self.game.cells.iter().map(|cell| cell.node[dimension]);
            all().max().unwrap_or(0) - all().min().unwrap_or(0)
        };
        (0..self.game.dimensions.len())
            .map(extent)
            .max()
            .unwrap_or(0)
    }

    /// Boards and movements for which tables would be too large.
    fn size(&mut self) {
        let game = self.game;
        let lists = game.figures.values().flat_map(|figure| &figure.movement);
        let entries = lists.map(|(_, entries)| entries.len() as i64).sum::<i64>() + 1;
        let kinds = game.players.len() as i64;
        let work = entries
            .saturating_mul(kinds)
            .saturating_mul(self.extent() + 1)
            .saturating_mul(game.cells.len() as i64);
        if work > MAX_WORK {
            let message = "the board is too large for so many movements";
            self.tell(&codes::TOO_LARGE, game.span, message);
        }
    }

    /// Conditions that compare with what cannot be.
    fn conditions(&mut self) {
        let game = self.game;
        for figure in game.figures.values() {
            self.actions(&figure.actions);
            for entry in figure.movement.iter().flat_map(|(_, entries)| entries) {
                self.actions(&entry.actions);
                for condition in entry.when.iter().flatten() {
                    self.condition(condition);
                }
            }
        }
        for complex in &game.complex {
            self.actions(&complex.actions);
            for part in &complex.parts {
                self.actions(&part.actions);
            }
        }
        let checks = game.win.values().chain(game.forbidden.values()).flatten();
        for check in checks {
            self.matching(&check.filter);
        }
    }

    fn actions(&mut self, actions: &Actions) {
        for set in actions.destination.iter().chain(&actions.transition) {
            for condition in set.when.iter().flatten() {
                self.condition(condition);
            }
            self.order(set);
        }
    }

    /// `replace` behind `move`.
    fn order(&mut self, set: &ActionSet) {
        let mut moved = false;
        for action in &set.actions {
            match action.node {
                Action::Move => moved = true,
                Action::Replace(_) | Action::Choose(_) if moved => {
                    let message = "the figure has left this cell already";
                    self.tell(&codes::LATE_REPLACE, action.span, message);
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.contradiction(condition);
        self.matching(&condition.own);
        self.matching(&condition.target);
        for (computed, wanted) in &condition.computed {
            if *computed == Computed::Age && wanted.to_number() > MOST_MOVES {
                let message = "moves are counted up to 1000";
                self.tell(&codes::TOO_LARGE, condition.span, message);
            }
        }
    }

    fn matching(&mut self, matching: &Match) {
        let game = self.game;
        if let Some(wanted) = &matching.last_move {
            let message = "only `moves_after_last_move` can be tested";
            self.tell(&codes::ABSOLUTE_MOVE, wanted.span, message);
        }
        let figures: Vec<&str> = game.figures.keys().map(String::as_str).collect();
        let players: Vec<&str> = game.players.iter().map(|p| p.node.as_str()).collect();
        self.name(&matching.figure, &figures, "figure");
        self.name(&matching.player, &players, "player");
        self.coordinates(matching);
        if let Some(wanted) = &matching.moves_made {
            let number = wanted.node.to_number();
            if wanted.node != Value::Null && !(number.fract() == 0.0 && number >= 0.0) {
                let message = "no figure has moved so often";
                self.tell(&codes::NEVER_HOLDS, wanted.span, message);
            }
            if number > MOST_MOVES {
                let message = "moves are counted up to 1000";
                self.tell(&codes::TOO_LARGE, wanted.span, message);
            }
        }
    }

    /// Coordinates that no cell has, one by one or together.
    fn coordinates(&mut self, matching: &Match) {
        let game = self.game;
        let mut known_cells = true;
        for (dimension, wanted) in &matching.coordinates {
            let has = |cell: &Spanned<Vec<i64>>| {
                let value = cell
                    .node
                    .get(*dimension)
                    .map(|at| Value::Number(*at as f64));
                value.unwrap_or(Value::Null).loosely_equals(&wanted.node)
            };
            // Flat coordinates have been told already.
            let known = *dimension < game.dimensions.len();
            if known && !game.cells.iter().any(has) {
                let name = &game.dimensions[*dimension];
                let message = format!("no cell has this coordinate `{name}`");
                let found = Diagnostic::new(&codes::NEVER_HOLDS, wanted.span, message);
                let values = || {
                    game.cells
                        .iter()
                        .filter_map(|cell| cell.node.get(*dimension))
                };
                let range = values().min().zip(values().max());
                let note = |(least, most)| format!("`{name}` runs from {least} to {most}");
                self.out.push(match range.map(note) {
                    Some(note) => found.note(note),
                    None => found,
                });
                known_cells = false;
            }
        }
        if known_cells {
            self.cell(matching);
        }
    }

    /// Coordinates that each have cells, and no cell has all of.
    fn cell(&mut self, matching: &Match) {
        let game = self.game;
        let known = |(dimension, _): &(usize, Spanned<Value>)| *dimension < game.dimensions.len();
        let ([(_, first), .., (_, last)], true) = (
            &matching.coordinates[..],
            matching.coordinates.iter().all(known),
        ) else {
            return;
        };
        let has = |cell: &Spanned<Vec<i64>>| {
            let mut wanted = matching.coordinates.iter();
            wanted.all(|(dimension, wanted)| {
                let value = cell
                    .node
                    .get(*dimension)
                    .map(|at| Value::Number(*at as f64));
                value.unwrap_or(Value::Null).loosely_equals(&wanted.node)
            })
        };
        if !game.cells.iter().any(has) {
            let message = "no cell has these coordinates together";
            self.tell(&codes::NEVER_HOLDS, first.span.to(last.span), message);
        }
    }

    /// A name that nothing has never matches; the original engine plays such a game.
    fn name(&mut self, wanted: &Option<Spanned<Value>>, known: &[&str], what: &str) {
        let Some(wanted) = wanted else { return };
        let fits = |name: &&str| Value::String((*name).to_owned()).loosely_equals(&wanted.node);
        if wanted.node == Value::Null || known.iter().any(fits) {
            return;
        }
        let text = wanted.node.to_text();
        let message = format!("there is no {what} `{text}`");
        let found = Diagnostic::new(&codes::NEVER_HOLDS, wanted.span, message);
        let found = match crate::diag::closest(&text, known.iter().copied()) {
            Some(near) => found.fix(
                format!("did you mean `{near}`?"),
                wanted.span,
                format!("\"{near}\""),
            ),
            None => found,
        };
        self.out.push(found);
    }
}
