//! How many objects of each type there can be.
//!
//! A declared bound holds. Otherwise the rules may bound the number: they fill a fixed number of containers up to a number
//! that they require, or every action that makes objects deletes others for them. Where they do not, a number is
//! provided, and the game is told so.

use super::super::ast::RuleKind;
use super::super::model::{Base, Cmp, Effect, EffectKind, Goal, Model, Ref, Rule, Test, What};
use super::MAX_SLOTS;
use super::inventory::Inventory;
use super::picks::{MAX_CHOICE, MAX_DRAW};

/// How many more objects than at the start an unbounded type may have, where nothing else speaks against it.
const DEFAULT_POOL: usize = 64;

/// Weight at which the search for weights gives up.
const MAX_WEIGHT: usize = 4_096;

/// Rounds after which the search for weights gives up.
const MAX_ROUNDS: usize = 100;

/// What of an object counts in the sum that no action increases: its type if it has no name, and each named object by
/// itself.
struct Weights {
    /// Number of types; named objects come after them.
    types: usize,
    weights: Vec<usize>,
}

/// An action as far as numbers of objects go.
struct Change<'m> {
    rule: &'m Rule,
    /// In their order: a type of which so many are made, or what one object is taken from.
    steps: Vec<Step>,
}

enum Step {
    /// So many objects of a type are made.
    Made(usize, usize),
    /// One of these objects, by what they count as, is deleted for certain.
    Deleted(Vec<usize>),
}

impl Inventory {
    /// Finds the bounds of all types.
    pub(super) fn pools(&mut self, model: &Model) {
        for ty in 0..model.types.len() {
            let start = at_start(model, ty);
            self.pool[ty] = start;
            if !self.created[ty] {
                continue;
            }
            if let Some((max, _)) = model.types[ty].max {
                self.pool[ty] = max as usize;
                continue;
            }
            let bounds = [self.filled_once(model, ty), self.exchanged(model, ty)];
            match bounds.into_iter().flatten().min() {
                Some(bound) if bound <= MAX_SLOTS => {
                    self.pool[ty] = bound.max(start);
                    self.proved[ty] = true;
                }
                _ => {
                    self.pool[ty] = start + DEFAULT_POOL;
                    self.guessed[ty] = true;
                }
            }
        }
        let mortal = self.mortal(model);
        self.rooms(model, &mortal);
        self.fit(model, &mortal);
    }

    /// Finds how many slots each type needs for objects without names.
    fn rooms(&mut self, model: &Model, mortal: &[bool]) {
        for ty in 0..model.types.len() {
            let (mut unnamed, mut lasting) = (0, 0);
            for (object, mortal) in model.objects.iter().zip(mortal) {
                match &object.name {
                    _ if object.ty != ty => {}
                    None => unnamed += 1,
                    Some(_) => lasting += usize::from(!mortal),
                }
            }
            self.room[ty] = match self.created[ty] {
                true => unnamed.max(self.pool[ty].saturating_sub(lasting)),
                false => unnamed,
            };
        }
    }

    /// Which objects rules may delete.
    fn mortal(&self, model: &Model) -> Vec<bool> {
        let mut mortal = vec![false; model.objects.len()];
        for rule in &model.rules {
            for effect in &rule.effects {
                let EffectKind::Delete(what) = &effect.kind else {
                    continue;
                };
                if let (Base::Object(object), []) = (what.base, &what.steps[..]) {
                    mortal[object] = true;
                    continue;
                }
                let types = self.types(model, rule, what);
                for (object, mortal) in model.objects.iter().zip(&mut mortal) {
                    *mortal |= types.contains(&object.ty);
                }
            }
        }
        mortal
    }

    /// Slots that a type takes.
    fn slots_of(&self, model: &Model, ty: usize) -> usize {
        let named = |o: &&super::super::model::Object| o.ty == ty && o.name.is_some();
        match self.counted[ty] {
            true => 0,
            false => self.room[ty] + model.objects.iter().filter(named).count(),
        }
    }

    /// Makes pools that nothing bounds small enough for what is chosen and drawn of them.
    fn fit(&mut self, model: &Model, mortal: &[bool]) {
        let all: Vec<usize> = (0..model.types.len()).collect();
        let mut limits = vec![(all, MAX_SLOTS)];
        for rule in &model.rules {
            for effect in &rule.effects {
                match &effect.kind {
                    EffectKind::RemoveSome {
                        what,
                        count: Some(2..),
                        ..
                    } => limits.push((self.types_of(model, rule, what), MAX_CHOICE)),
                    EffectKind::DisownSome {
                        ty,
                        random: false,
                        count: Some(2..),
                        ..
                    } => limits.push((vec![*ty], MAX_CHOICE)),
                    EffectKind::Distribute { ty, .. }
                    | EffectKind::DisownSome {
                        ty, random: true, ..
                    } => limits.push((vec![*ty], MAX_DRAW)),
                    _ => {}
                }
            }
        }
        for (types, most) in limits {
            let slots: usize = types.iter().map(|&ty| self.slots_of(model, ty)).sum();
            let guessed = |ty: &&usize| self.guessed[**ty] && !self.counted[**ty];
            let guessed: Vec<usize> = types.iter().filter(guessed).copied().collect();
            let more = |inventory: &Inventory, ty: usize| inventory.pool[ty] - at_start(model, ty);
            let extra: usize = guessed.iter().map(|&ty| more(self, ty)).sum();
            let share = most.saturating_sub(slots - extra.min(slots)) / guessed.len().max(1);
            if slots <= most || share == 0 {
                continue;
            }
            for ty in guessed {
                self.pool[ty] = at_start(model, ty) + more(self, ty).min(share);
            }
            self.rooms(model, mortal);
        }
    }

    /// How many objects of a type there can be, if every rule that makes some does so only in containers of a fixed
    /// number that have no more than so many yet, and they never leave.
    fn filled_once(&self, model: &Model, ty: usize) -> Option<usize> {
        let mut containers = vec![false; model.types.len()];
        let mut room = 0;
        for rule in &model.rules {
            if rule
                .effects
                .iter()
                .any(|effect| self.leaves(model, rule, effect, ty))
            {
                return None;
            }
            let made = rule.effects.iter().filter_map(|effect| match &effect.kind {
                EffectKind::Create {
                    ty: made,
                    into,
                    count,
                } if *made == ty => Some((into.as_ref(), *count as usize)),
                _ => None,
            });
            let made: Vec<(Option<&Ref>, usize)> = made.collect();
            let (into, count) = match made[..] {
                [] => continue,
                [(into, count)] => (into?, count),
                _ => return None,
            };
            if !into.steps.is_empty() {
                return None;
            }
            // All who lose at once were judged before the first effect of it.
            let times = match rule.kind {
                RuleKind::Lose => model.players.len(),
                _ => 1,
            };
            let most = required_at_most(rule, into, ty)? as usize;
            containers[Inventory::base_type(model, rule, into)] = true;
            room = room.max(most + count * times);
        }
        let fixed = (0..containers.len()).all(|c| !containers[c] || !self.created[c]);
        let count = model.objects.iter().filter(|o| containers[o.ty]).count();
        fixed.then_some(at_start(model, ty) + count * room)
    }

    /// Whether an effect may take objects of a type out of a container that stays.
    fn leaves(&self, model: &Model, rule: &Rule, effect: &Effect, ty: usize) -> bool {
        match &effect.kind {
            EffectKind::Put(what, _) | EffectKind::Remove(what) => {
                self.types(model, rule, what).contains(&ty)
            }
            EffectKind::RemoveSome { what, .. } => self.types_of(model, rule, what).contains(&ty),
            EffectKind::Distribute { ty: other, .. } => *other == ty,
            _ => false,
        }
    }

    /// How many objects of a type there can be, if actions that make some delete others for them: then there are weights
    /// of all objects with a sum that no action increases.
    fn exchanged(&self, model: &Model, ty: usize) -> Option<usize> {
        let changes: Vec<Change<'_>> = model.rules.iter().map(|r| self.change(model, r)).collect();
        let types = model.types.len();
        let mut weights = Weights {
            types,
            weights: vec![0; types + model.objects.len()],
        };
        weights.raise_type(model, ty, 1);
        let lost = |change: &&Change<'_>| change.rule.kind == RuleKind::Lose;
        let actions = || changes.iter().filter(|c| c.rule.kind == RuleKind::Action);
        for round in 0.. {
            let mut settled = true;
            for change in actions() {
                let missing = weights.gain(change);
                if missing > 0 {
                    weights.raise(model, self, change, missing)?;
                    settled = false;
                }
            }
            if settled {
                break;
            }
            if round > MAX_ROUNDS {
                return None;
            }
        }
        let start: usize = model
            .objects
            .iter()
            .enumerate()
            .map(|(index, object)| match object.name {
                Some(_) => weights.weights[types + index],
                None => weights.weights[object.ty],
            })
            .sum();
        let within = changes.iter().map(|change| weights.peak(change)).max();
        let at_loss = changes.iter().filter(lost).map(|c| weights.peak(c)).max();
        let losses = match self.eliminates {
            true => model.players.len() * at_loss.unwrap_or(0),
            false => 0,
        };
        Some(start + within.unwrap_or(0) + losses)
    }

    /// What a rule does to numbers of objects.
    fn change<'m>(&self, model: &Model, rule: &'m Rule) -> Change<'m> {
        let mut steps = Vec::new();
        // Of what comes after a choice or draw, and of what a loss brings, some may not happen.
        let mut certain = rule.kind == RuleKind::Action;
        for effect in &rule.effects {
            match &effect.kind {
                EffectKind::Create { ty, count, .. } => {
                    steps.push(Step::Made(*ty, *count as usize));
                }
                EffectKind::Delete(what) if certain && !what.is_multiple() => {
                    steps.push(Step::Deleted(self.counts_as(model, rule, what)));
                }
                EffectKind::RemoveSome {
                    what: What::Type(ty),
                    count: Some(count),
                    goal: Goal::Gone,
                    bound: true,
                    ..
                } if certain => {
                    steps.extend((0..*count).map(|_| Step::Deleted(vec![*ty])));
                }
                EffectKind::RemoveSome { bound: true, .. } => {}
                EffectKind::RemoveSome { .. }
                | EffectKind::DisownSome { .. }
                | EffectKind::Distribute { .. } => certain = false,
                _ => {}
            }
        }
        Change { rule, steps }
    }

    /// What an object that a reference leads to may count as.
    fn counts_as(&self, model: &Model, rule: &Rule, what: &Ref) -> Vec<usize> {
        let types = model.types.len();
        if let (Base::Object(object), []) = (what.base, &what.steps[..]) {
            return vec![types + object];
        }
        let known = self.types(model, rule, what);
        let objects = model.objects.iter().enumerate();
        let named = objects.filter(|(_, o)| o.name.is_some() && known.contains(&o.ty));
        let named = named.map(|(index, _)| types + index);
        known.iter().copied().chain(named).collect()
    }
}

impl Weights {
    fn raise_type(&mut self, model: &Model, ty: usize, by: usize) {
        self.weights[ty] += by;
        for (index, object) in model.objects.iter().enumerate() {
            if object.ty == ty && object.name.is_some() {
                self.weights[self.types + index] += by;
            }
        }
    }

    fn least(&self, kinds: &[usize]) -> usize {
        kinds
            .iter()
            .map(|&kind| self.weights[kind])
            .min()
            .unwrap_or(0)
    }

    /// By how much a rule increases the sum.
    fn gain(&self, change: &Change<'_>) -> usize {
        let (mut made, mut deleted) = (0, 0);
        for step in &change.steps {
            match step {
                Step::Made(ty, count) => made += self.weights[*ty] * count,
                Step::Deleted(kinds) => deleted += self.least(kinds),
            }
        }
        made.saturating_sub(deleted)
    }

    /// By how much a rule increases the sum at most while it runs.
    fn peak(&self, change: &Change<'_>) -> usize {
        let (mut most, mut made, mut deleted) = (0, 0, 0);
        for step in &change.steps {
            match step {
                Step::Made(ty, count) => made += self.weights[*ty] * count,
                Step::Deleted(kinds) => deleted += self.least(kinds),
            }
            most = most.max(made.saturating_sub(deleted));
        }
        most
    }

    /// Makes something that a rule deletes weigh more; nothing if that leads nowhere.
    fn raise(
        &mut self,
        model: &Model,
        inventory: &Inventory,
        change: &Change<'_>,
        by: usize,
    ) -> Option<()> {
        let deleted = change.steps.iter().filter_map(|step| match step {
            Step::Deleted(kinds) => Some(kinds),
            Step::Made(..) => None,
        });
        // What never comes back first, then what no rule makes.
        let again = |kind: usize| kind < self.types && inventory.created[kind];
        let best = deleted.min_by_key(|kinds| kinds.iter().filter(|&&kind| again(kind)).count())?;
        let goal = self.least(best) + by;
        if goal > MAX_WEIGHT {
            return None;
        }
        for &kind in best {
            if self.weights[kind] >= goal {
                continue;
            }
            let more = goal - self.weights[kind];
            match kind < self.types {
                true => self.raise_type(model, kind, more),
                false => self.weights[kind] = goal,
            }
        }
        Some(())
    }
}

/// Number of objects of a type at the start.
fn at_start(model: &Model, ty: usize) -> usize {
    model.objects.iter().filter(|o| o.ty == ty).count()
}

/// The most objects of a type that a rule requires to be in a container.
fn required_at_most(rule: &Rule, into: &Ref, ty: usize) -> Option<u32> {
    let here = |outer: &Ref| outer.base == into.base && outer.steps.is_empty();
    let most = rule
        .require
        .iter()
        .filter_map(|require| match &require.test {
            Test::Contains {
                deep: false,
                outer,
                inner: What::Type(inner),
                cmp,
                number,
            } if *inner == ty && here(outer) => at_most(require.not, *cmp, *number),
            _ => None,
        });
    most.min()
}

/// The greatest number that a comparison admits.
fn at_most(not: bool, cmp: Cmp, number: u32) -> Option<u32> {
    match (not, cmp) {
        (true, Cmp::Some) => Some(0),
        (true, Cmp::More) | (false, Cmp::Equal) => Some(number),
        (false, Cmp::Less) => number.checked_sub(1),
        _ => None,
    }
}
