//! Movements: entries that never fit, sets that are never judged, figures that take their own.

use rulec_ir::sorted::SortedSet;

use super::Check;
use crate::ast::{Action, ActionSet, Computed, Condition, Entry, Figure};
use crate::codes;
use crate::diag::Diagnostic;
use crate::source::Span;

/// Sets of one kind: those of the entry, then those of the figure.
fn merged<'a>(own: &'a [ActionSet], all: &'a [ActionSet]) -> Vec<&'a ActionSet> {
    own.iter().chain(all).collect()
}

/// Whether a condition says whose figure it is about.
fn asks_owner(condition: &Condition) -> bool {
    let computed = condition.computed.iter().any(|(computed, _)| {
        matches!(
            computed,
            Computed::IsEnemy | Computed::IsOwn | Computed::IsFigure | Computed::IsEmpty
        )
    });
    computed || condition.target.player.is_some() || condition.target.figure.is_some()
}

fn guarded(set: &ActionSet) -> bool {
    set.when.iter().flatten().any(asks_owner)
}

impl Check<'_> {
    pub(super) fn movements(&mut self) {
        let game = self.game;
        let mut told = SortedSet::new();
        for figure in game.figures.values() {
            for (_, entries) in &figure.movement {
                self.dead(entries);
                for entry in entries {
                    self.entry(entry, figure, &mut told);
                }
            }
        }
        for complex in &game.complex {
            let lists = complex.parts.iter().map(|part| &part.actions);
            let lists = lists.chain([&complex.actions]);
            let all = lists
                .clone()
                .flat_map(|a| a.destination.iter().chain(&a.transition));
            if !all.clone().any(|set| !set.actions.is_empty()) {
                let message = "no figure of this movement does anything";
                self.tell(&codes::NO_EFFECT, complex.span, message);
            }
            self.endless(all, &mut told);
            for actions in lists {
                for action in actions.destination.iter().flat_map(|set| &set.actions) {
                    if matches!(action.node, Action::ReplaceLater(_)) {
                        let message = "in a complex movement figures are replaced at once";
                        self.tell(&codes::BAD_VALUE, action.span, message);
                    }
                }
                for action in actions.transition.iter().flat_map(|set| &set.actions) {
                    if matches!(action.node, Action::Choose(_) | Action::ReplaceLater(_)) {
                        let message = "a figure can be chosen, or become another one later, at the destination only";
                        self.tell(&codes::BAD_VALUE, action.span, message);
                    }
                }
            }
        }
    }

    /// Entries all of whose vectors belong to earlier ones.
    fn dead(&mut self, entries: &[Entry]) {
        let bound = self.extent();
        let mut taken: SortedSet<Vec<i64>> = SortedSet::new();
        for entry in entries {
            let vectors = vectors(entry, bound);
            if !vectors.is_empty() && vectors.iter().all(|vector| taken.contains(vector)) {
                let message = "earlier entries fit every vector of this one";
                self.tell(&codes::DEAD_ENTRY, entry.span, message);
            }
            if vectors.is_empty() {
                let message = "this leads off the board from every cell";
                self.tell(&codes::DEAD_ENTRY, entry.span, message);
            }
            if entry.when.is_none() && entry.takes.is_none() {
                taken.extend(vectors);
            }
        }
    }

    fn entry(&mut self, entry: &Entry, figure: &Figure, told: &mut SortedSet<Span>) {
        if entry.takes.is_some() && entry.steps.most == Some(1) {
            let message = "nothing can be taken on the way, because this entry passes no cell";
            self.tell(&codes::DEAD_ENTRY, entry.span, message);
        }
        if entry.steps.most == Some(1)
            && let Some(set) = entry.actions.transition.first()
        {
            let message = "this entry makes one step and passes no cell";
            let found = Diagnostic::new(&codes::DEAD_TRANSITION, set.span, message);
            self.out
                .push(found.help("to look at cells in between, step one cell and say how often"));
        }
        let lists = [
            merged(&entry.actions.destination, &figure.actions.destination),
            merged(&entry.actions.transition, &figure.actions.transition),
        ];
        self.landing(entry, figure, told);
        self.endless(lists.iter().flatten().copied(), told);
        for (number, list) in lists.iter().enumerate() {
            let cancels = |set: &&&ActionSet| {
                let mut actions = set.actions.iter();
                actions.any(|action| action.node == Action::Cancel)
            };
            // The condition of the entry is about the destination.
            let mut when = entry.when.iter().flatten();
            let entered = number == 0 && when.any(asks_owner);
            let protected = entered || list.iter().filter(cancels).any(|set| guarded(set));
            for set in list {
                self.set(set, protected, number == 1, told);
            }
        }
    }

    /// Where only the longest chains count, going on without taking anything.
    fn endless<'s>(
        &mut self,
        sets: impl Iterator<Item = &'s ActionSet> + Clone,
        told: &mut SortedSet<Span>,
    ) {
        let actions = sets.flat_map(|set| &set.actions);
        let mut taking = actions.clone();
        if !self.game.longest_chains || taking.any(|a| matches!(a.node, Action::Take { .. })) {
            return;
        }
        for action in actions.filter(|action| action.node == Action::Continue) {
            if told.insert(action.span) {
                let message = "the figure goes on without having taken anything";
                self.tell(&codes::ENDLESS_CHAIN, action.span, message);
            }
        }
    }

    /// Whether no player ever has a second figure.
    pub(super) fn alone(&self) -> bool {
        let game = self.game;
        let starts = |player: &String| {
            let starts = game.initial.iter();
            starts.filter(|start| start.player == *player).count()
        };
        let mut lists = game.figures.values().flat_map(|figure| {
            let entries = figure.movement.iter().flat_map(|(_, entries)| entries);
            entries.map(|entry| &entry.actions).chain([&figure.actions])
        });
        let does = |sets: &[ActionSet], wanted: fn(&Action) -> bool| {
            let mut actions = sets.iter().flat_map(|set| &set.actions);
            actions.any(|action| wanted(&action.node))
        };
        let replaces: fn(&Action) -> bool =
            |action| matches!(action, Action::Replace(_) | Action::Choose(_));
        let multiplies = lists.any(|actions| {
            does(&actions.destination, replaces)
                || does(&actions.transition, replaces)
                || does(&actions.transition, |action| *action == Action::Move)
        });
        let mut players = game.players.iter();
        !multiplies && game.complex.is_empty() && players.all(|player| starts(&player.node) <= 1)
    }

    fn set(&mut self, set: &ActionSet, protected: bool, on_way: bool, told: &mut SortedSet<Span>) {
        for action in &set.actions {
            let takes = matches!(action.node, Action::Take { .. });
            // A condition that was refused may have asked.
            let mut refused = self.out.iter();
            let refused = refused.any(|found| found.code.code == codes::UNKNOWN_CONDITION.code);
            let told_of = protected || refused || guarded(set) || self.alone();
            if takes && !told_of && told.insert(action.span) {
                let message = "nothing asks whose figure is taken";
                let found = Diagnostic::new(&codes::UNGUARDED_TAKE, action.span, message);
                let help = "add `\"if\": [{\"computed\": {\"is_enemy\": true}}]` to the set";
                self.out.push(found.help(help));
            }
            let settles = matches!(action.node, Action::Choose(_) | Action::ReplaceLater(_));
            if on_way && settles && told.insert(action.span) {
                let message =
                    "a figure can be chosen, or become another one later, at the destination only";
                self.tell(&codes::BAD_VALUE, action.span, message);
            }
        }
    }
}

/// The vectors of an entry that a board of this extent has room for.
fn vectors(entry: &Entry, extent: i64) -> Vec<Vec<i64>> {
    let longest = entry.delta.iter().map(|step| step.abs()).max().unwrap_or(0);
    let most = if longest == 0 { 0 } else { extent / longest };
    let most = entry
        .steps
        .most
        .map_or(most, |steps| most.min(i64::from(steps)));
    let signs: &[i64] = if entry.also_reversed { &[1, -1] } else { &[1] };
    let mut all = Vec::new();
    for sign in signs {
        for steps in i64::from(entry.steps.least)..=most {
            all.push(entry.delta.iter().map(|step| step * sign * steps).collect());
        }
    }
    all
}
