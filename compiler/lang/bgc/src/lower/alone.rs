//! Complex movements of one figure: ways to move like all others.
//!
//! What makes a complex movement of one figure another thing than an entry of its movement is when it is tried: where the
//! simple movement, and each complex one before it, gives nothing. That is a condition on the cell that the vector leads to, as
//! entries have them, unless cells on the way decide.

use rulec_ir::sorted::SortedMap;

use super::Lower;
use super::formula::Formula;
use super::program::{Do, Program, Ray, Set, any};
use crate::ast::Complex;

/// When some movement along a vector is accepted; nothing where more than the two cells decides.
type Accepted = SortedMap<Vec<i64>, Option<Formula>>;

impl Lower<'_> {
    /// Makes ways to move of the complex movements of one figure.
    pub(super) fn movements_alone(&mut self) {
        // Whoever asks too much may ask for ever, so there the order of questions stays.
        if self.recursive {
            return;
        }
        for kind in 0..self.names.kinds.len() {
            let mut accepted = Accepted::new();
            for program in &self.programs[kind] {
                accept(program, &mut accepted);
            }
            for (number, complex) in self.game.complex.iter().enumerate() {
                let figure = &self.names.kinds[kind].1;
                let mut parts = complex.parts.iter();
                let Some(first) = parts.find(|part| part.figure.node == *figure) else {
                    continue;
                };
                let steps = i64::from(first.steps);
                let vector: Vec<i64> = first.delta.iter().map(|step| step * steps).collect();
                let Some(program) = self.alone_of(kind, complex, &vector, &accepted) else {
                    accepted.insert(vector, None);
                    continue;
                };
                accept(&program, &mut accepted);
                self.alone.insert((kind, number));
                self.add_alone(program);
            }
        }
    }

    /// A complex movement of one figure as a way to move; nothing if it is something else.
    fn alone_of(
        &self,
        kind: usize,
        complex: &Complex,
        vector: &[i64],
        accepted: &Accepted,
    ) -> Option<Program> {
        let [part] = &complex.parts[..] else {
            return None;
        };
        let before = match accepted.get(vector) {
            Some(before) => before.clone()?,
            None => Formula::False,
        };
        let (own, all) = (&part.actions, &complex.actions);
        let destination = self.sets([&own.destination, &all.destination], kind);
        let transition = match part.steps {
            1 => Vec::new(),
            _ => self.sets([&own.transition, &all.transition], kind),
        };
        let rays = vec![Ray {
            unit: part.delta.clone(),
            steps: vec![part.steps],
            when: before.clone().negated(),
        }];
        let destination = self.settled(destination, &rays, false);
        let transition = self.settled(transition, &rays, true);
        let sets = || destination.iter().chain(&transition);
        let asks = |set: &Set| set.when.asks_attacks() || set.missing.asks_attacks();
        let plain = sets().all(|set| !asks(set) && set.actions.iter().all(is_plain));
        let acts = sets().any(|set| !set.cancels);
        let goes = vector.iter().any(|step| *step != 0);
        if !(plain && acts && goes) || before.asks_attacks() || before == Formula::True {
            return None;
        }
        let takes = |action: &Do| matches!(action, Do::Take { .. });
        let takes = sets().any(|set| set.actions.iter().any(takes));
        Some(Program {
            kind,
            priority: 0,
            takes: None,
            harmless: takes && self.asks_attacks(),
            rays,
            destination,
            transition,
            span: complex.span,
        })
    }

    /// Adds a way to move to one that does the same, or to the list.
    fn add_alone(&mut self, program: Program) {
        let acts = program.acts_on_way();
        let programs = &mut self.programs[program.kind];
        let same = |other: &&mut Program| {
            let asked = |program: &Program| (program.priority, program.takes, program.harmless);
            asked(other) == asked(&program)
                && other.destination == program.destination
                && other.transition == program.transition
        };
        match programs.iter_mut().find(same) {
            Some(other) if !acts => other.rays.extend(program.rays),
            _ => programs.push(program),
        }
    }
}

/// Whether an action is the same in a simple movement and in a complex one.
fn is_plain(action: &Do) -> bool {
    matches!(
        action,
        Do::Move | Do::Swap | Do::Replace(_) | Do::Take { deferred: false }
    )
}

/// Adds when a way to move is accepted along each of its vectors.
fn accept(program: &Program, accepted: &mut Accepted) {
    let goes = Formula::and([
        any(&program.destination, true).negated(),
        any(&program.destination, false),
    ]);
    for ray in &program.rays {
        for steps in &ray.steps {
            let vector: Vec<i64> = ray
                .unit
                .iter()
                .map(|step| step * i64::from(*steps))
                .collect();
            let on_way = *steps > 1 && !program.transition.is_empty();
            let before = accepted.get(&vector).cloned();
            let before = before.unwrap_or(Some(Formula::False));
            let here = Formula::and([ray.when.clone(), goes.clone()]);
            let all = before.map(|before| Formula::or([before, here]));
            let all = all.filter(|_| !on_way && program.takes.is_none());
            accepted.insert(vector, all);
        }
    }
}
