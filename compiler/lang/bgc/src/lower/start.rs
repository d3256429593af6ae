//! The decision with which a game begins.

use super::Lower;
use super::formula::Formula;
use super::formula::at;
use super::process::Node;
use super::program::{Do, Program, Ray, any};

impl<'a> Lower<'a> {
    /// Begins at the place of decision to which a test of moves leads later. All that would tell the two apart is what happens without a
    /// move: where the first decision may have none, that is asked before.
    pub(super) fn begin_tested(&mut self, start: &'a str) {
        let Some(first) = self.nodes.first().cloned() else {
            return;
        };
        let again = |node: &&Node<'a>| node.name == start && node.check.is_some();
        let Some(check) = self.nodes.iter().find(again).and_then(|node| node.check) else {
            return;
        };
        self.find_nodes(start, Some(check));
        if (self.nodes.iter()).any(|node| node.name == start && node.check.is_none()) {
            self.find_nodes(start, None);
            return;
        }
        self.asks_at_start = (!self.moves_at_start(first.player)).then_some(first.player);
    }

    /// Whether a player has a move in the position at the start. Errs on the side of no.
    fn moves_at_start(&self, player: usize) -> bool {
        let name = self.game.players[player].node.as_str();
        let forbids = self.game.forbidden.get(name);
        let standing = &self.b.game.placements[self.board.index()].init;
        let mut figures = standing.iter().enumerate();
        forbids.is_none_or(Vec::is_empty)
            && figures.any(|(cell, kind)| match kind {
                Some(kind) if self.names.kinds[*kind as usize].0 == name => {
                    self.steps_at_start(*kind as usize, cell)
                }
                _ => false,
            })
    }

    /// Whether a figure may go a single step at the start.
    fn steps_at_start(&self, kind: usize, from: usize) -> bool {
        let mut programs = self.programs[kind].iter();
        programs.any(|program| {
            let chooses = |action: &Do| matches!(action, Do::Choose(_));
            let mut sets = program.destination.iter();
            let plain = program.takes.is_none() && !sets.any(|set| set.actions.iter().any(chooses));
            let mut rays = program.rays.iter();
            plain && rays.any(|ray| self.fits_at_start(program, ray, from))
        })
    }

    fn fits_at_start(&self, program: &Program, ray: &Ray, from: usize) -> bool {
        // Where an entry that must take leads there too, that one may decide.
        let mut others = self.programs[program.kind].iter();
        if others.any(|other| other.takes.is_some() && other.vectors().contains(&ray.unit)) {
            return false;
        }
        let Some(to) = self.offset(from, &ray.unit, 1) else {
            return false;
        };
        let there = self.b.game.placements[self.board.index()].init[to];
        let there = there.map_or(self.names.kinds.len(), |kind| kind as usize);
        let goes = Formula::and([
            any(&program.destination, true).negated(),
            any(&program.destination, false),
            ray.when.clone(),
        ]);
        ray.steps.contains(&1) && at(&goes, from, to).with_contents(there) == Formula::True
    }
}
