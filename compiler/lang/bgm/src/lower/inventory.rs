//! What follows from the rules alone: where objects of each type can be, and how each type is best kept.

use super::super::ast::RuleKind;
use super::super::model::{
    Base, EffectKind, Model, Players, PlayersBase, Ref, Rule, Step, Test, What,
};

/// What is known of the types of a game.
#[derive(Debug)]
pub(super) struct Inventory {
    /// Whether objects of the first type can be in some of the second.
    pub(super) may_be_in: Vec<Vec<bool>>,
    /// Types whose objects may change containers.
    pub(super) moved: Vec<bool>,
    /// Types whose objects do not change containers, nor does anything that these are in.
    pub(super) fixed: Vec<bool>,
    /// Types that rules create.
    pub(super) created: Vec<bool>,
    /// Types that rules delete.
    pub(super) deleted: Vec<bool>,
    /// Types whose objects may change owners.
    pub(super) reowned: Vec<bool>,
    /// Types of which only numbers are kept.
    pub(super) counted: Vec<bool>,
    /// Number of objects at which rules make no more of them.
    pub(super) pool: Vec<usize>,
    /// Greatest number of objects without names, the names of all that can be deleted being gone.
    pub(super) room: Vec<usize>,
    /// Whether the bound follows from the rules: they never ask for more.
    pub(super) proved: Vec<bool>,
    /// Whether the bound is neither declared nor inferred.
    pub(super) guessed: Vec<bool>,
    /// The objects that rules can point at.
    pub(super) slots: Vec<Slot>,
    /// The slots of each type.
    pub(super) of_type: Vec<Vec<u32>>,
    /// The slots of each type whose objects have no names.
    pub(super) unnamed: Vec<Vec<u32>>,
    /// The slot of each object at the start.
    pub(super) slot_of: Vec<Option<u32>>,
    /// Whether something may be in an unnamed object that is not the only one of its type.
    pub(super) nested: bool,
    /// Whether one player is active at any time.
    pub(super) one_active: bool,
    /// Whether players can be out while the game goes on.
    pub(super) eliminates: bool,
    /// Whether rules read the timer, or who acted before.
    pub(super) timer: bool,
    pub(super) former: bool,
}

/// Room for an object.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Its type.
    pub(super) ty: usize,
    /// The object that it holds at the start.
    pub(super) object: Option<usize>,
    /// How it is written.
    pub(super) name: String,
}

impl Inventory {
    pub(super) fn of(model: &Model) -> Inventory {
        let n = model.types.len();
        let mut inventory = Inventory::of_places(model);
        inventory.fix();
        for ty in 0..n {
            inventory.counted[ty] = inventory.is_countable(model, ty);
        }
        inventory.pools(model);
        inventory.make_slots(model);
        inventory.nested = (0..n).any(|outer| {
            inventory.unnamed[outer].len() > 1
                && (0..n).any(|inner| inventory.may_be_in[inner][outer])
        });
        inventory
    }

    /// What is known of where objects can be and what happens to them, and no more.
    pub(super) fn of_places(model: &Model) -> Inventory {
        let n = model.types.len();
        let mut inventory = Inventory {
            may_be_in: vec![vec![false; n]; n],
            moved: vec![false; n],
            fixed: vec![false; n],
            created: vec![false; n],
            deleted: vec![false; n],
            reowned: vec![false; n],
            counted: vec![false; n],
            pool: vec![0; n],
            room: vec![0; n],
            proved: vec![false; n],
            guessed: vec![false; n],
            slots: Vec::new(),
            of_type: vec![Vec::new(); n],
            unnamed: vec![Vec::new(); n],
            slot_of: vec![None; model.objects.len()],
            nested: false,
            one_active: one_active(model),
            eliminates: model.players.len() > 2
                && model.rules.iter().any(|rule| rule.kind == RuleKind::Lose),
            timer: model
                .rules
                .iter()
                .flat_map(|rule| &rule.require)
                .any(|require| matches!(require.test, Test::Timer)),
            former: player_sets(model).any(|set| set.base == PlayersBase::Former),
        };
        inventory.places(model);
        inventory
    }

    /// The type of the base of a reference.
    pub(super) fn base_type(model: &Model, rule: &Rule, reference: &Ref) -> usize {
        match reference.base {
            Base::Param(param) => rule.params[param].ty,
            Base::Object(object) => model.objects[object].ty,
        }
    }

    /// The types that a reference may lead to, after each number of its steps.
    pub(super) fn path(&self, model: &Model, rule: &Rule, reference: &Ref) -> Vec<Vec<bool>> {
        let n = model.types.len();
        let mut here = vec![false; n];
        here[Inventory::base_type(model, rule, reference)] = true;
        let mut path = vec![here.clone()];
        for step in &reference.steps {
            let mut next = vec![false; n];
            for inner in 0..n {
                for outer in 0..n {
                    if !self.may_be_in[inner][outer] {
                        continue;
                    }
                    match step {
                        Step::In => next[outer] |= here[inner],
                        Step::Contains => next[inner] |= here[outer],
                    }
                }
            }
            path.push(next.clone());
            here = next;
        }
        path
    }

    /// The types that a reference may lead to.
    pub(super) fn types(&self, model: &Model, rule: &Rule, reference: &Ref) -> Vec<usize> {
        let last = self.path(model, rule, reference).pop().unwrap_or_default();
        (0..last.len()).filter(|&ty| last[ty]).collect()
    }

    /// Whether a rule can ever apply: there are objects for its parameters.
    pub(super) fn can_apply(&self, rule: &Rule) -> bool {
        let mut params = rule.params.iter();
        params.all(|param| !self.of_type[param.ty].is_empty())
    }

    /// The types that objects or types may be of.
    pub(super) fn types_of(&self, model: &Model, rule: &Rule, what: &What) -> Vec<usize> {
        match what {
            What::Type(ty) => vec![*ty],
            What::Objects(reference) | What::TypesOf(reference) => {
                self.types(model, rule, reference)
            }
        }
    }

    /// Finds where objects can be and which types change, until nothing new comes up.
    fn places(&mut self, model: &Model) {
        for object in &model.objects {
            if let Some(container) = object.container {
                self.may_be_in[object.ty][model.objects[container].ty] = true;
            }
        }
        loop {
            let before = self.may_be_in.clone();
            for rule in &model.rules {
                for effect in &rule.effects {
                    self.effect(model, rule, &effect.kind);
                }
            }
            if before == self.may_be_in {
                return;
            }
        }
    }

    fn effect(&mut self, model: &Model, rule: &Rule, effect: &EffectKind) {
        let mark = |flags: &mut Vec<bool>, types: Vec<usize>| {
            types.into_iter().for_each(|ty| flags[ty] = true);
        };
        match effect {
            EffectKind::Put(what, into) => {
                let (inner, outer) = (self.types(model, rule, what), self.types(model, rule, into));
                for &ty in &inner {
                    outer.iter().for_each(|&o| self.may_be_in[ty][o] = true);
                }
                mark(&mut self.moved, inner);
            }
            EffectKind::Create { ty, into, .. } => {
                self.created[*ty] = true;
                self.moved[*ty] = true;
                if let Some(into) = into {
                    let outer = self.types(model, rule, into);
                    outer.iter().for_each(|&o| self.may_be_in[*ty][o] = true);
                }
            }
            EffectKind::Remove(what) => {
                let types = self.types(model, rule, what);
                mark(&mut self.moved, types);
            }
            EffectKind::RemoveSome { what, goal, .. } => {
                let types = self.types_of(model, rule, what);
                if let Some(into) = goal.into() {
                    let outer = self.types(model, rule, into);
                    for &ty in &types {
                        outer.iter().for_each(|&o| self.may_be_in[ty][o] = true);
                    }
                }
                mark(&mut self.moved, types);
            }
            EffectKind::Delete(what) => {
                for ty in self.types(model, rule, what) {
                    self.deleted[ty] = true;
                    self.moved[ty] = true;
                    self.reowned[ty] = true;
                    for inner in 0..model.types.len() {
                        self.moved[inner] |= self.may_be_in[inner][ty];
                    }
                }
            }
            EffectKind::Distribute { ty, .. } => {
                self.moved[*ty] = true;
                self.reowned[*ty] = true;
            }
            EffectKind::Disown(what) | EffectKind::Own(what, _) => {
                let types = self.types(model, rule, what);
                mark(&mut self.reowned, types);
            }
            EffectKind::DisownSome { ty, .. } => self.reowned[*ty] = true,
            EffectKind::Players(_) | EffectKind::SetTimer(_) => {}
        }
    }

    /// Finds the types of which everything around is known beforehand.
    fn fix(&mut self) {
        self.fixed = self.moved.iter().map(|moved| !moved).collect();
        loop {
            let around = |ty: usize| {
                let mut outer = (0..self.fixed.len()).filter(|&outer| self.may_be_in[ty][outer]);
                outer.all(|outer| self.fixed[outer])
            };
            let next: Vec<bool> = (0..self.fixed.len())
                .map(|ty| self.fixed[ty] && around(ty))
                .collect();
            if next == self.fixed {
                return;
            }
            self.fixed = next;
        }
    }

    /// Whether all that objects of these types may be in is known beforehand.
    pub(super) fn fixed_around(&self, types: &[usize]) -> bool {
        let outer = |ty: usize| (0..self.fixed.len()).filter(move |&o| self.may_be_in[ty][o]);
        types.iter().all(|&ty| outer(ty).all(|o| self.fixed[o]))
    }

    /// Whether numbers of objects are enough: nothing can point at one of them or be in one, and those that
    /// somebody owns are in nothing.
    pub(super) fn is_countable(&self, model: &Model, ty: usize) -> bool {
        let plain = model.objects.iter().enumerate().all(|(index, object)| {
            let is_container = || model.objects.iter().any(|o| o.container == Some(index));
            let torn = object.container.is_some() && object.owner.is_some();
            object.ty != ty || (object.name.is_none() && !torn && !is_container())
        });
        let bound = model
            .rules
            .iter()
            .any(|rule| rule.params.iter().any(|param| param.ty == ty));
        plain
            && !bound
            && !model
                .rules
                .iter()
                .any(|rule| self.points_at(model, rule, ty))
    }

    /// Whether a reference of a rule goes through objects of a type, other than to ask what types there are.
    fn points_at(&self, model: &Model, rule: &Rule, ty: usize) -> bool {
        let passes = |reference: &Ref, last: bool| {
            let path = self.path(model, rule, reference);
            let counted = path.len() - usize::from(!last);
            path[..counted].iter().any(|types| types[ty])
        };
        let what = |what: &What, counts: bool| match what {
            What::Type(_) => false,
            What::Objects(reference) => passes(reference, true),
            What::TypesOf(reference) => passes(reference, !counts || !reference.is_multiple()),
        };
        let tests = rule.require.iter().any(|require| match &require.test {
            Test::In { inner, outer, .. } => passes(inner, true) || what(outer, false),
            Test::Contains { outer, inner, .. } => passes(outer, true) || what(inner, true),
            Test::Owns { what: owned, .. } => what(owned, true),
            Test::Timer => false,
        });
        let effects = rule.effects.iter().any(|effect| match &effect.kind {
            EffectKind::Put(a, b) => passes(a, true) || passes(b, true),
            EffectKind::Create { into, .. } => into.as_ref().is_some_and(|into| passes(into, true)),
            EffectKind::Remove(a)
            | EffectKind::Delete(a)
            | EffectKind::Disown(a)
            | EffectKind::Own(a, _) => passes(a, true),
            EffectKind::RemoveSome {
                what: some,
                from,
                goal,
                ..
            } => {
                let into = goal.into().is_some_and(|into| passes(into, true));
                into || passes(from, true) || what(some, false)
            }
            EffectKind::Distribute { from, .. } => passes(from, true),
            _ => false,
        });
        tests || effects
    }

    fn make_slots(&mut self, model: &Model) {
        let mut numbers = vec![0; model.types.len()];
        let add = |inventory: &mut Inventory,
                   numbers: &mut Vec<usize>,
                   ty: usize,
                   object: Option<usize>| {
            let slot = inventory.slots.len() as u32;
            let name = object.and_then(|object| model.objects[object].name.clone());
            let named = name.is_some();
            let name = name.unwrap_or_else(|| {
                numbers[ty] += 1;
                format!("{}#{}", model.types[ty].name, numbers[ty])
            });
            inventory.slots.push(Slot { ty, object, name });
            inventory.of_type[ty].push(slot);
            if !named {
                inventory.unnamed[ty].push(slot);
            }
            slot
        };
        for (index, object) in model.objects.iter().enumerate() {
            if !self.counted[object.ty] {
                let slot = add(self, &mut numbers, object.ty, Some(index));
                self.slot_of[index] = Some(slot);
            }
        }
        for ty in 0..model.types.len() {
            while !self.counted[ty] && self.unnamed[ty].len() < self.room[ty] {
                add(self, &mut numbers, ty, None);
            }
        }
    }

    /// Whether the slots of a type suffice for as many objects as there may be, so that one is free as long as another may
    /// be made.
    pub(super) fn slots_bound(&self, ty: usize) -> bool {
        self.of_type[ty].len() <= self.pool[ty]
    }

    /// Whether objects of this type may be there or not.
    pub(super) fn comes_and_goes(&self, ty: usize) -> bool {
        self.created[ty] || self.deleted[ty]
    }
}

/// All sets of players of the effects.
fn player_sets(model: &Model) -> impl Iterator<Item = &Players> {
    let effects = model.rules.iter().flat_map(|rule| &rule.effects);
    effects.filter_map(|effect| match &effect.kind {
        EffectKind::Distribute { to: set, .. }
        | EffectKind::DisownSome { of: set, .. }
        | EffectKind::Own(_, set)
        | EffectKind::Players(set) => Some(set),
        _ => None,
    })
}

/// Whether one player is active at any time.
fn one_active(model: &Model) -> bool {
    let all = |players: &Players| players.base == PlayersBase::All && model.players.len() > 1;
    let effects = model.rules.iter().flat_map(|rule| &rule.effects);
    let several = effects
        .filter(|effect| matches!(&effect.kind, EffectKind::Players(players) if all(players)));
    model.active.len() == 1 && several.count() == 0
}
