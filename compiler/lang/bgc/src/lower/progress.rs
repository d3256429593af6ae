//! Whether progress is for ever, so that nothing before it can come again.

use super::Lower;
use super::formula::Formula;
use super::program::{Do, Program, Set};
use crate::ast::{Action, Progress};

impl Lower<'_> {
    /// Whether no position before progress can come again, so that it can be forgotten.
    ///
    /// Taking removes a figure for ever if none is ever added. Figures that only go forward where they take nothing never come
    /// back, if nothing else moves them or becomes one.
    pub(super) fn progress_is_final(&self) -> bool {
        let game = self.game;
        let lists = game
            .figures
            .keys()
            .flat_map(|figure| super::sets_of(game, figure));
        let adds = |set: &&crate::ast::ActionSet| {
            let mut moved = false;
            set.actions.iter().any(|action| match action.node {
                Action::Move => {
                    moved = true;
                    false
                }
                Action::Swap => true,
                Action::Replace(_) | Action::Choose(_) => moved,
                _ => false,
            })
        };
        let moves = |set: &crate::ast::ActionSet| {
            set.actions.iter().any(|action| action.node == Action::Move)
        };
        let mut transitions = self.programs.iter().flatten().flat_map(|p| &p.transition);
        let copies = transitions.any(|set| set.actions.contains(&Do::Move));
        let complex = game.complex.iter().any(|complex| {
            let parts = complex.parts.iter().map(|part| &part.actions);
            parts
                .chain([&complex.actions])
                .any(|a| a.transition.iter().any(moves))
        });
        if copies || complex || lists.into_iter().any(|set| adds(&set)) {
            return false;
        }
        self.progress().iter().all(|progress| match progress {
            Progress::Action(name) => *name == "take",
            Progress::Figure(name) => self.advances(name),
        })
    }

    fn advances(&self, figure: &str) -> bool {
        let game = self.game;
        let kinds = self.names.kinds.iter().enumerate();
        let becomes = |name: &String| super::replacements(game, name).contains(&figure);
        if game.figures.keys().any(becomes) {
            return false;
        }
        kinds.filter(|(_, kind)| kind.1 == figure).all(|(kind, _)| {
            // Whoever must take on his way leaves fewer figures, wherever he goes.
            let plain = self.programs[kind].iter();
            let plain = plain.filter(|program| !takes_on_its_way(program));
            let rays = plain.flat_map(|program| &program.rays);
            let mut units: Vec<Vec<i64>> = rays.map(|ray| ray.unit.clone()).collect();
            for part in game.complex.iter().flat_map(|complex| &complex.parts) {
                let moves = part.delta.iter().any(|step| *step != 0);
                let sets = self.sets([&part.actions.destination, &[]], kind);
                let never = !sets.is_empty() && sets.iter().all(|set| set.when == Formula::False);
                // Conditions of the part may keep it from the other player's figures.
                let excluded = part.actions.destination.iter().all(|set| {
                    let when = set.when.as_deref();
                    let target = super::formula::Target::Cell;
                    self.names.conditions(when, kind, target) == Formula::False
                });
                let excluded = excluded && !part.actions.destination.is_empty();
                if part.figure.node == figure && moves && !never && !excluded {
                    units.push(part.delta.clone());
                }
            }
            go_one_way(&units, game.dimensions.len())
        })
    }
}

/// Weights of a coordinate with which a way forward is looked for, nearest to 0 first.
const WEIGHTS: [i64; 5] = [0, 1, -1, 2, -2];
/// Sums of weighted coordinates that are tried.
const MOST_SUMS: usize = 625;

/// Whether some sum of weighted coordinates grows with every step, so that none of them is ever taken back.
fn go_one_way(units: &[Vec<i64>], dimensions: usize) -> bool {
    let sums = WEIGHTS
        .len()
        .saturating_pow(dimensions as u32)
        .min(MOST_SUMS);
    (0..sums).any(|mut sum| {
        let weights: Vec<i64> = (0..dimensions)
            .map(|_| {
                let weight = WEIGHTS[sum % WEIGHTS.len()];
                sum /= WEIGHTS.len();
                weight
            })
            .collect();
        let grows = |unit: &Vec<i64>| {
            let by: i64 = unit.iter().zip(&weights).map(|(step, by)| step * by).sum();
            by > 0
        };
        units.iter().all(grows)
    })
}

/// Whether a figure takes wherever a program leads it: on each cell of its way, of which there is one at least, it takes or has
/// to turn back.
fn takes_on_its_way(program: &Program) -> bool {
    let takes = |set: &&Set| {
        let mut actions = set.actions.iter();
        set.cancels || actions.any(|action| matches!(action, Do::Take { .. }))
    };
    let sets = program.transition.iter().filter(takes);
    let whens: Vec<&Formula> = sets.map(|set| &set.when).collect();
    let opposite = |when: &&Formula| whens.contains(&&(*when).clone().negated());
    let always = whens.contains(&&Formula::True) || whens.iter().any(opposite);
    let missing = program
        .transition
        .iter()
        .any(|set| set.cancels && set.missing == Formula::True);
    let mut steps = program.rays.iter().flat_map(|ray| &ray.steps);
    let on_all = always && missing && steps.all(|steps| *steps > 1);
    on_all || program.takes.is_some_and(|cells| cells > 0)
}
