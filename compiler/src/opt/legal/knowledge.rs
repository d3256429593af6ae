//! What is known at a place of the rules.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effect;
use crate::ir::{Const, LocalId, PlacementId, VarId};

/// A variable without an index that has few values, and a parameter.
pub(super) type Tied = (VarId, LocalId);

/// The values and members that go together.
pub(super) type Pairs = SortedSet<(u32, u32)>;

/// What is known at some place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Knowledge {
    /// Values of variables without an index.
    pub(super) vars: SortedMap<VarId, Const>,
    /// Places on which nothing stands.
    pub(super) free: SortedSet<(PlacementId, LocalId)>,
    /// Pieces that stand on one of some places.
    pub(super) stands: SortedMap<(PlacementId, LocalId), SortedSet<u32>>,
    /// Places on which one of some pieces stands.
    pub(super) contents: SortedMap<(PlacementId, LocalId), SortedSet<u32>>,
    /// Pieces that a variable can be.
    pub(super) members: SortedMap<LocalId, SortedSet<u32>>,
    /// Values of variables and the pieces that go with them.
    pub(super) ties: SortedMap<Tied, Pairs>,
}

impl Knowledge {
    pub(super) fn is_empty(&self) -> bool {
        self.vars.is_empty()
            && self.free.is_empty()
            && self.stands.is_empty()
            && self.contents.is_empty()
            && self.members.is_empty()
            && self.ties.is_empty()
    }

    /// Keeps what both know.
    pub(super) fn meet(&mut self, other: &Knowledge) {
        self.vars
            .retain(|var, value| other.vars.get(var) == Some(value));
        self.free.retain(|fact| other.free.contains(fact));
        join(&mut self.stands, &other.stands);
        join(&mut self.contents, &other.contents);
        join(&mut self.members, &other.members);
        join(&mut self.ties, &other.ties);
    }

    pub(super) fn forget_local(&mut self, local: LocalId) {
        self.free.retain(|(_, own)| *own != local);
        self.stands.retain(|(_, own), _| *own != local);
        self.contents.retain(|(_, own), _| *own != local);
        self.members.retain(|own, _| *own != local);
        self.ties.retain(|(_, own), _| *own != local);
    }

    /// Forgets what something may have changed.
    pub(super) fn forget(&mut self, effect: &Effect) {
        if effect.suspends {
            *self = Knowledge::default();
            return;
        }
        let moved = &effect.scratch.placements;
        self.vars
            .retain(|var, _| !effect.scratch.vars.contains(var));
        self.free
            .retain(|(placement, _)| !moved.contains(placement));
        self.stands
            .retain(|(placement, _), _| !moved.contains(placement));
        self.contents
            .retain(|(placement, _), _| !moved.contains(placement));
        self.ties
            .retain(|(var, _), _| !effect.scratch.vars.contains(var));
    }

    /// The same under other names: those that a call gives its parameters, or a family the variables of an arm.
    pub(super) fn renamed(&self, name: impl Fn(LocalId) -> Vec<LocalId>) -> Knowledge {
        let all = |facts: &SortedMap<(PlacementId, LocalId), SortedSet<u32>>| {
            let each = facts.iter().flat_map(|((placement, local), members)| {
                let own = name(*local).into_iter();
                own.map(|own| ((*placement, own), members.clone()))
            });
            each.collect()
        };
        let free = self.free.iter().flat_map(|(placement, local)| {
            let own = name(*local).into_iter();
            own.map(|own| (*placement, own))
        });
        let members = self.members.iter().flat_map(|(local, members)| {
            let own = name(*local).into_iter();
            own.map(|own| (own, members.clone()))
        });
        let ties = self.ties.iter().flat_map(|((var, local), pairs)| {
            let own = name(*local).into_iter();
            own.map(|own| ((*var, own), pairs.clone()))
        });
        Knowledge {
            members: members.collect(),
            ties: ties.collect(),
            vars: self.vars.clone(),
            free: free.collect(),
            stands: all(&self.stands),
            contents: all(&self.contents),
        }
    }
}

/// Keeps of each the members that either allows.
fn join<K: Ord, T: Ord + Copy>(
    facts: &mut SortedMap<K, SortedSet<T>>,
    others: &SortedMap<K, SortedSet<T>>,
) {
    facts.retain(|key, members| match others.get(key) {
        Some(more) => {
            members.extend(more);
            true
        }
        None => false,
    });
}
