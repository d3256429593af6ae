//! What stands where a figure lands: conditions that exclude each other, own figures that are overrun, and enemies that a
//! move removes without attacking them.

use rulec_ir::sorted::SortedSet;

use super::Check;
use crate::ast::{Action, ActionSet, Computed, Condition, Entry, Figure};
use crate::codes;
use crate::diag::Diagnostic;
use crate::script::Value;
use crate::source::Span;

/// What a condition wants of a computed value, if that is plain.
fn wants(condition: &Condition, wanted: Computed) -> Option<bool> {
    let mut values = condition.computed.iter();
    let value = values.find(|(computed, _)| *computed == wanted);
    let equals = |truth: bool| value.is_some_and(|(_, v)| Value::Bool(truth).loosely_equals(v));
    match (equals(true), equals(false)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Whether it asks for a figure or a player on the judged cell by name.
fn names_target(condition: &Condition) -> bool {
    let names = condition.target.figure.iter();
    let mut names = names.chain(&condition.target.player);
    names.any(|name| name.node != Value::Null)
}

/// Whether it can hold only where a figure stands.
fn needs_figure(condition: &Condition) -> bool {
    wants(condition, Computed::IsFigure) == Some(true)
        || wants(condition, Computed::IsEmpty) == Some(false)
        || asks_side(condition)
}

/// Whether it says whose figure, or which one, stands there.
fn asks_side(condition: &Condition) -> bool {
    wants(condition, Computed::IsEnemy) == Some(true)
        || wants(condition, Computed::IsOwn) == Some(true)
        || names_target(condition)
}

/// Whether it can hold where an enemy stands.
fn allows_enemy(condition: &Condition) -> bool {
    let no_figure = |name: &crate::ast::Spanned<Value>| name.node == Value::Null;
    let target = &condition.target;
    wants(condition, Computed::IsEmpty) != Some(true)
        && wants(condition, Computed::IsFigure) != Some(false)
        && wants(condition, Computed::IsEnemy) != Some(false)
        && wants(condition, Computed::IsOwn) != Some(true)
        && wants(condition, Computed::IsCell) != Some(false)
        && !target.figure.iter().chain(&target.player).any(no_figure)
}

/// Whether one of the conditions, if there are any, can hold where an enemy stands.
fn may_meet_enemy(when: Option<&Vec<Condition>>) -> bool {
    when.is_none_or(|conditions| conditions.iter().any(allows_enemy))
}

fn does(set: &ActionSet, wanted: fn(&Action) -> bool) -> bool {
    set.actions.iter().any(|action| wanted(&action.node))
}

impl Check<'_> {
    /// Conditions on the judged cell that exclude each other.
    pub(super) fn contradiction(&mut self, condition: &Condition) {
        let asks = |computed| wants(condition, computed);
        let empty = asks(Computed::IsEmpty) == Some(true);
        let bare = empty || asks(Computed::IsFigure) == Some(false);
        let sided = asks_side(condition) || asks(Computed::IsFigure) == Some(true);
        let (enemy, own) = (asks(Computed::IsEnemy), asks(Computed::IsOwn));
        let message = if empty && sided {
            "a cell with a figure is not empty, so this never holds"
        } else if bare && asks_side(condition) {
            "no figure stands there, so it is nobody's, and this never holds"
        } else if enemy == Some(true) && own == Some(true) {
            "no figure is an enemy and an own one, so this never holds"
        } else {
            return;
        };
        let found = Diagnostic::new(&codes::NEVER_HOLDS, condition.span, message);
        let help =
            "conditions in one object hold all together; for one or the other write two objects";
        self.out.push(found.help(help));
    }

    /// What happens to figures on the destination of an entry.
    pub(super) fn landing(&mut self, entry: &Entry, figure: &Figure, told: &mut SortedSet<Span>) {
        let own = entry.actions.destination.iter();
        let sets: Vec<&ActionSet> = own.chain(&figure.actions.destination).collect();
        let entered = entry.when.iter().flatten().any(asks_side);
        let guarded = |set: &&&ActionSet| {
            does(set, |action| *action == Action::Cancel)
                && set.when.as_ref().is_none_or(|when| {
                    let owner =
                        |condition: &Condition| needs_figure(condition) || rejects(condition);
                    when.iter().any(owner)
                })
        };
        let guarded = sets.iter().any(|set| guarded(&set));
        if !entered && !guarded {
            self.overrun(&sets, told);
        }
        if self.asks_attacks() && may_meet_enemy(entry.when.as_ref()) {
            self.bare_moves(&sets, told);
        }
    }

    /// Moves that need a figure on their destination and do not ask whose it is.
    fn overrun(&mut self, sets: &[&ActionSet], told: &mut SortedSet<Span>) {
        if self.alone() {
            return;
        }
        for set in sets {
            let when = set.when.as_deref().unwrap_or_default();
            let needed = !when.is_empty() && when.iter().all(needs_figure);
            let careless = when
                .iter()
                .any(|c| !asks_side(c) && !rejects(c) && c.own.player.is_none());
            let mut moves = set.actions.iter().filter(|a| a.node == Action::Move);
            let Some(action) = moves.next().filter(|_| needed && careless) else {
                continue;
            };
            if told.insert(action.span) {
                let message = "this moves only onto figures, and nothing asks whose they are";
                let found = Diagnostic::new(&codes::UNGUARDED_TAKE, action.span, message);
                let help = "ask for `is_enemy`, or for `is_empty: true` to move onto empty cells";
                self.out.push(found.help(help));
            }
        }
    }

    /// Moves onto enemies that no set takes.
    fn bare_moves(&mut self, sets: &[&ActionSet], told: &mut SortedSet<Span>) {
        let meets = |set: &&&ActionSet| may_meet_enemy(set.when.as_ref());
        let settles =
            |action: &Action| matches!(action, Action::Take { .. } | Action::Cancel | Action::Swap);
        if sets.iter().filter(meets).any(|set| does(set, settles)) {
            return;
        }
        for set in sets.iter().filter(meets) {
            let mut moves = set.actions.iter();
            let Some(action) = moves.find(|action| action.node == Action::Move) else {
                continue;
            };
            if told.insert(action.span) {
                let message = "this can move onto an enemy, which counts as no attack";
                let found = Diagnostic::new(&codes::BARE_MOVE, action.span, message);
                let help = "write `take` before `move`, or move onto empty cells only";
                self.out.push(found.help(help));
            }
        }
    }

    /// Whether any rule asks who attacks.
    fn asks_attacks(&self) -> bool {
        let game = self.game;
        let mut checks = game.win.values().chain(game.forbidden.values()).flatten();
        let attack = |condition: &Condition| {
            let mut computed = condition.computed.iter();
            computed.any(|(c, _)| matches!(c, Computed::IsAttacked | Computed::SelfAttacked))
        };
        checks.any(|check| check.attacked)
            || game.sets().any(|set| set.when.iter().flatten().any(attack))
    }
}

/// Whether it excludes one side.
fn rejects(condition: &Condition) -> bool {
    let sides = [Computed::IsEnemy, Computed::IsOwn];
    sides.iter().any(|side| wants(condition, *side).is_some())
}
