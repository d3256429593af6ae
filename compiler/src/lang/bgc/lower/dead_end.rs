//! Figures that can reach a cell from which they never move again.

use super::Lower;
use super::formula::{Atom, Formula, Target};
use super::program::{Do, Program, any};
use crate::diag::{Diagnostic, Diagnostics};
use crate::lang::bgc::codes;

impl Lower<'_> {
    /// Tells of every kind that has such a cell.
    pub(super) fn dead_ends(&self, out: &mut Diagnostics) {
        for (kind, (player, figure)) in self.names.kinds.iter().enumerate() {
            let in_complex = self.game.complex.iter().any(|complex| {
                let mut parts = complex.parts.iter();
                parts.any(|part| part.figure.node == *figure && part.delta.iter().any(|d| *d != 0))
            });
            let Some(cell) = self
                .dead_end(kind)
                .filter(|_| !in_complex || self.leads(kind))
            else {
                continue;
            };
            let at = self.b.game.domain(self.cell).member(cell as u32);
            let message = format!("a `{figure}` of {player} on {at} can never move again");
            let span = self.game.figures[figure.as_str()].span;
            out.push(Diagnostic::new(&codes::DEAD_END, span, message));
        }
    }

    /// Whether a kind has simple movements at all.
    fn leads(&self, kind: usize) -> bool {
        !self.programs[kind].is_empty()
    }

    fn dead_end(&self, kind: usize) -> Option<usize> {
        let reached = |cell: usize| {
            self.programs[kind].iter().any(|program| {
                (0..self.cell_count()).any(|from| self.goes(program, from, Some(cell), true))
            })
        };
        let stays = |cell: usize| {
            !self.programs[kind]
                .iter()
                .any(|program| self.goes(program, cell, None, false))
        };
        let mut cells = 0..self.cell_count();
        cells.find(|cell| !self.wins(kind, *cell) && stays(*cell) && reached(*cell))
    }

    fn starts(&self, kind: usize, cell: usize) -> bool {
        let start = &self.b.game.placements[self.board.index()].init;
        start[cell] == Some(kind as u32)
    }

    /// Whether some player wins because a figure of this kind stands on a cell.
    fn wins(&self, kind: usize, cell: usize) -> bool {
        self.game.win.values().flatten().any(|check| {
            let filter = self.names.target(&check.filter, Target::Cell);
            let here = at(&filter.with_target(kind), cell, cell);
            !check.attacked && check.result && here == Formula::True
        })
    }

    /// Whether a way to move may lead from a cell, to that cell if one is given; with `same` the figure stays what it is.
    fn goes(&self, program: &Program, from: usize, to: Option<usize>, same: bool) -> bool {
        let accept = any(&program.destination, true).negated();
        program.rays.iter().any(|ray| {
            ray.steps.iter().any(|steps| {
                let end = self.offset(from, &ray.unit, i64::from(*steps));
                let Some(end) = end.filter(|end| to.is_none_or(|to| to == *end)) else {
                    return false;
                };
                let fits = Formula::and([accept.clone(), ray.when.clone()]);
                let fits = at(&fits, from, end);
                // Figures that have not moved yet stand where they started.
                let started = self.starts(program.kind, from);
                let fresh = |formula: &Formula| formula.any(&|atom| *atom == Atom::SelfMoves(0));
                if fits == Formula::False || !started && fresh(&fits) {
                    return false;
                }
                let mut changes = false;
                let mut matched = !program.transition.is_empty();
                for set in program.destination.iter().filter(|set| !set.cancels) {
                    let when = at(&set.when, from, end);
                    matched |= when != Formula::False && (started || !fresh(&when));
                    let replaces = |action: &Do| {
                        matches!(action, Do::Replace(_) | Do::ReplaceLater(_) | Do::Choose(_))
                    };
                    changes |= when == Formula::True && set.actions.iter().any(replaces);
                }
                matched && !(same && changes)
            })
        })
    }
}

/// A formula for two known cells.
fn at(formula: &Formula, from: usize, to: usize) -> Formula {
    match formula {
        Formula::Not(inner) => at(inner, from, to).negated(),
        Formula::And(items) => Formula::and(items.iter().map(|item| at(item, from, to))),
        Formula::Or(items) => Formula::or(items.iter().map(|item| at(item, from, to))),
        Formula::Atom(Atom::In(mask)) => Formula::constant(mask[to]),
        Formula::Atom(Atom::SelfIn(mask)) => Formula::constant(mask[from]),
        other => other.clone(),
    }
}
