//! Figures that can reach a cell from which they never move again.

use std::cell::LazyCell;

use super::Lower;
use super::formula::{Atom, Formula, Target, at};
use super::program::{Do, Program, Set, any};
use crate::ast::{Action, ActionSet, Actions, Figure, Pass};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};

impl Lower<'_> {
    /// Tells of every kind that has such a cell.
    pub(super) fn dead_ends(&self, out: &mut Diagnostics) {
        let winning = self.winning();
        for (kind, (player, figure)) in self.names.kinds.iter().enumerate() {
            let Some(cell) = self.dead_end(kind, &winning) else {
                continue;
            };
            let at = self.b.game.domain(self.cell).member(cell as u32);
            let message = format!("a `{figure}` of {player} on {at} can never move again");
            let span = self.game.figures[figure.as_str()].span;
            out.push(Diagnostic::new(&codes::DEAD_END, span, message));
        }
    }

    /// Whether some move is possible at all, or some player may pass.
    pub(super) fn can_ever_move(&self) -> bool {
        let passes = self.nodes.iter().any(|node| node.pass != Pass::Never);
        passes || self.arms.iter().any(|arms| !arms.list.is_empty())
    }

    /// What is wrong with a game in which nobody can ever move.
    pub(super) fn no_moves(&self) -> Diagnostic {
        let game = self.game;
        let figures = || {
            self.names
                .kinds
                .iter()
                .filter_map(|kind| game.figures.get(&kind.1))
        };
        let entries = |figure: &Figure| figure.movement.iter().any(|(_, list)| !list.is_empty());
        let acts =
            |actions: &Actions| !(actions.destination.is_empty() && actions.transition.is_empty());
        let some_act = |figure: &Figure| {
            let mut lists = figure.movement.iter().flat_map(|(_, list)| list);
            acts(&figure.actions) || lists.any(|entry| acts(&entry.actions))
        };
        let help = if self.names.kinds.is_empty() {
            "`initial_position` puts no figure on the board"
        } else if !figures().any(entries) && game.complex.is_empty() {
            "give a figure of `initial_position` an entry in its `movement`"
        } else if !figures().any(some_act) && game.complex.is_empty() {
            "give the figures `cell_actions`: an entry moves a figure only if a set of actions applies, such as \
             `\"cell_actions\": {\"destination\": [{\"actions\": [\"move\"]}]}`"
        } else {
            "the conditions of all sets of actions exclude each other, or all movements lead off the board"
        };
        let message = "no figure on the board can ever move";
        Diagnostic::new(&codes::NO_MOVES, game.figures_span, message).help(help)
    }

    fn dead_end(&self, kind: usize, winning: &[Formula]) -> Option<usize> {
        let winning: Vec<Formula> = winning
            .iter()
            .map(|when| when.with_contents(kind))
            .collect();
        let wins = |cell: usize| {
            let mut here = winning.iter().map(|when| at(when, cell, cell));
            here.any(|here| here == Formula::True)
        };
        let reached = |cell: usize| {
            self.programs[kind].iter().any(|program| {
                (0..self.cell_count()).any(|from| self.goes(program, from, Some(cell), true))
            })
        };
        let stays = |cell: usize| {
            let mut programs = self.programs[kind].iter();
            !programs.any(|program| self.goes(program, cell, None, false))
                && !self.joins(kind, cell)
        };
        if self.is_swapped(kind) {
            return None;
        }
        let mut cells = 0..self.cell_count();
        cells.find(|cell| !wins(*cell) && stays(*cell) && reached(*cell))
    }

    /// Whether a complex movement may take a figure of a kind away from a cell.
    fn joins(&self, kind: usize, cell: usize) -> bool {
        let figure = &self.names.kinds[kind].1;
        self.game.complex.iter().any(|complex| {
            (0..complex.parts.len()).any(|at| {
                let part = &complex.parts[at];
                let lists = [
                    &part.actions.destination[..],
                    &complex.actions.destination[..],
                ];
                part.figure.node == *figure
                    && part.delta.iter().any(|step| *step != 0)
                    && self.possible(complex, at)[cell]
                    && self.sets(lists, kind).iter().any(|set| !set.cancels)
            })
        })
    }

    /// Whether a complex movement that another figure starts may take one of a kind along. Only the first entry that names a
    /// figure starts one.
    fn is_brought(&self, kind: usize) -> bool {
        let figure = &self.names.kinds[kind].1;
        self.game.complex.iter().any(|complex| {
            let is_same = |at: usize| complex.parts[at].figure.node == *figure;
            let count = complex.parts.len();
            let first = (0..count).find(|at| is_same(*at));
            let has_others = (0..count).any(|at| !is_same(at));
            (0..count).any(|at| {
                let moves = complex.parts[at].delta.iter().any(|step| *step != 0);
                is_same(at) && moves && (has_others || first != Some(at))
            })
        })
    }

    /// Whether another figure may change places with one of a kind.
    fn is_swapped(&self, kind: usize) -> bool {
        let swaps = |set: &Set| {
            let here = set.when.with_contents(kind) != Formula::False;
            here && set.actions.contains(&Do::Swap)
        };
        let mut programs = self.programs.iter().flatten();
        let complex = self.game.complex.iter().any(|complex| {
            let lists = complex.parts.iter().map(|part| &part.actions);
            let mut lists = lists.chain([&complex.actions]);
            let swap = |set: &ActionSet| set.actions.iter().any(|a| a.node == Action::Swap);
            lists.any(|list| list.destination.iter().chain(&list.transition).any(swap))
        });
        complex || programs.any(|p| p.destination.iter().chain(&p.transition).any(swaps))
    }

    fn starts(&self, kind: usize, cell: usize) -> bool {
        let start = &self.b.game.placements[self.board.index()].init;
        start[cell] == Some(kind as u32)
    }

    /// What figures some player wins with by where they stand.
    fn winning(&self) -> Vec<Formula> {
        let checks = self.game.win.values().flatten();
        checks
            .filter(|check| !check.attacked && check.result)
            .map(|check| self.names.target(&check.filter, Target::Cell))
            .collect()
    }

    /// Whether a way to move may lead from a cell, to that cell if one is given; with `same` the figure stays what it is.
    fn goes(&self, program: &Program, from: usize, to: Option<usize>, same: bool) -> bool {
        let accept = LazyCell::new(|| any(&program.destination, true).negated());
        program.rays.iter().any(|ray| {
            ray.steps.iter().any(|steps| {
                let end = self.offset(from, &ray.unit, i64::from(*steps));
                let Some(end) = end.filter(|end| to.is_none_or(|to| to == *end)) else {
                    return false;
                };
                // Figures that have not moved yet stand where they started, or a complex movement brought them.
                let fresh = self.starts(program.kind, from) || self.is_brought(program.kind);
                let known = match fresh {
                    true => Vec::new(),
                    false => vec![(Formula::Atom(Atom::SelfMoves(0)), false)],
                };
                let here = |formula: &Formula| at(&formula.given(&known), from, end);
                let fits = Formula::and([accept.clone(), ray.when.clone()]);
                if here(&fits) == Formula::False {
                    return false;
                }
                let mut changes = false;
                // To get there, the figure must be moved, not only something taken.
                let mut matched = !same && !program.transition.is_empty();
                for set in program.destination.iter().filter(|set| !set.cancels) {
                    let when = here(&set.when);
                    let moves = |action: &Do| matches!(action, Do::Move | Do::Swap);
                    let counts = !same || set.actions.iter().any(moves);
                    matched |= counts && when != Formula::False;
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
