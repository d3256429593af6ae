//! One form for rules that say the same of objects that nobody can tell apart.
//!
//! - An object that is removed for another of its type that is made somewhere goes there itself, where nothing can tell the two
//!   apart and nothing can find the removed one.
//! - A parameter for one of the unnamed objects in a container says no more than that there are enough of them: without it,
//!   numbers of such objects are all that has to be kept.

use super::super::ast::RuleKind;
use super::super::model::{
    Base, Cmp, Effect, EffectKind, Goal, Model, Ref, Require, Rule, Test, Told, What,
};
use super::inventory::Inventory;

/// The game in this form.
pub(super) fn normal(model: &Model) -> Model {
    let mut model = model.clone();
    let bound = |model: &Model, ty: usize| {
        let (mut rules, mut objects) = (model.rules.iter(), model.objects.iter());
        rules.any(|rule| rule.params.iter().any(|param| param.ty == ty))
            && objects.all(|object| object.ty != ty || object.name.is_none())
    };
    for ty in 0..model.types.len() {
        if bound(&model, ty)
            && let Some(other) = without_params(&model, ty)
            && Inventory::of_places(&other).is_countable(&other, ty)
        {
            model = other;
        }
    }
    exchanges_as_moves(&mut model);
    model
}

/// Lets objects move that are removed while others are made for them.
fn exchanges_as_moves(model: &mut Model) {
    let inventory = Inventory::of_places(model);
    let lost: Vec<bool> = (0..model.types.len())
        .map(|ty| is_lost(model, &inventory, ty))
        .collect();
    for at in 0..model.rules.len() {
        let rule = &model.rules[at];
        let moved = |pair: &[Effect]| exchange(model, &inventory, rule, pair, &lost);
        let mut effects = Vec::new();
        let mut rest = &rule.effects[..];
        // After a choice what fails is skipped by itself, and so it is where a condition does it.
        let mut fails_as_one = rule.kind == RuleKind::Action;
        while let Some(first) = rest.first() {
            let merged = rest.get(..2).filter(|_| fails_as_one).and_then(moved);
            rest = &rest[if merged.is_some() { 2 } else { 1 }..];
            let effect = merged.unwrap_or_else(|| first.clone());
            fails_as_one &= !picks(&effect.kind);
            effects.push(effect);
        }
        model.rules[at].effects = effects;
    }
}

/// Whether which objects an effect is about may be chosen or drawn.
fn picks(effect: &EffectKind) -> bool {
    match effect {
        EffectKind::RemoveSome { bound, .. } => !bound,
        EffectKind::Distribute { .. } | EffectKind::DisownSome { .. } => true,
        _ => false,
    }
}

/// Two effects as one move, in either order.
fn exchange(
    model: &Model,
    inventory: &Inventory,
    rule: &Rule,
    pair: &[Effect],
    lost: &[bool],
) -> Option<Effect> {
    let of = |removed: &Effect, made: &Effect| match (&removed.kind, &made.kind) {
        (
            EffectKind::RemoveSome {
                what: What::Type(ty),
                from,
                count: Some(count),
                goal: Goal::Nothing,
                bound: false,
            },
            EffectKind::Create {
                ty: made,
                into: Some(into),
                count: number,
            },
        ) if ty == made && count == number => Some((*ty, from.clone(), into.clone(), *count)),
        _ => None,
    };
    let [first, second] = pair else { return None };
    let in_order = of(first, second);
    let is_last = in_order.is_none();
    let (ty, from, into, count) = in_order.or_else(|| of(second, first))?;
    // What is made first must not be what is removed.
    let apart = !is_last || differ(model, rule, &from, &into);
    let stays = |reference: &Ref| {
        let ty = Inventory::base_type(model, rule, reference);
        reference.steps.is_empty()
            && (matches!(reference.base, Base::Param(_)) || !inventory.deleted[ty])
    };
    let bound = rule.params.iter().any(|param| param.ty == ty);
    let fits = lost[ty] && !bound && apart && stays(&from) && stays(&into);
    fits.then_some(Effect {
        kind: EffectKind::RemoveSome {
            what: What::Type(ty),
            from,
            count: Some(count),
            goal: Goal::In(into),
            bound: false,
        },
        span: first.span,
    })
}

/// Whether two plain references never lead to the same object.
fn differ(model: &Model, rule: &Rule, a: &Ref, b: &Ref) -> bool {
    let types = [a, b].map(|reference| Inventory::base_type(model, rule, reference));
    let of_a_kind = matches!(
        (a.base, b.base),
        (Base::Param(_), Base::Param(_)) | (Base::Object(_), Base::Object(_))
    );
    types[0] != types[1] || (of_a_kind && a.base != b.base)
}

/// Whether no rule finds an object of a type that is in nothing, and all of them are otherwise alike.
fn is_lost(model: &Model, inventory: &Inventory, ty: usize) -> bool {
    let plain = |object: &super::super::model::Object| {
        object.ty != ty || (object.name.is_none() && object.owner.is_none())
    };
    let is_placed = |rule: &Rule| {
        (0..rule.params.len()).all(|param| {
            rule.params[param].ty != ty || rule.require.iter().any(|test| places(test, param))
        })
    };
    model.types[ty].max.is_none()
        && model.objects.iter().all(plain)
        && !model
            .rules
            .iter()
            .any(|rule| gives(model, inventory, rule, ty))
        && !inventory.may_be_in.iter().any(|outer| outer[ty])
        && model.rules.iter().all(is_placed)
}

/// Whether a rule may give an object of a type to a player.
fn gives(model: &Model, inventory: &Inventory, rule: &Rule, ty: usize) -> bool {
    let mut effects = rule.effects.iter();
    effects.any(|effect| match &effect.kind {
        EffectKind::Own(what, _) => inventory.types(model, rule, what).contains(&ty),
        EffectKind::Distribute { ty: dealt, .. } => *dealt == ty,
        _ => false,
    })
}

/// Whether a requirement holds only of a parameter that is in something.
fn places(require: &Require, param: usize) -> bool {
    let is = |reference: &Ref| reference.base == Base::Param(param) && reference.steps.is_empty();
    match &require.test {
        _ if require.not => false,
        Test::In { inner, .. } => is(inner),
        Test::Contains {
            inner: What::Objects(inner),
            cmp: Cmp::Some,
            ..
        } => is(inner),
        _ => false,
    }
}

/// The game with all parameters of a type left out, if it says no more of them than which container they are in and where
/// they go.
fn without_params(model: &Model, ty: usize) -> Option<Model> {
    let inventory = Inventory::of_places(model);
    let mut other = model.clone();
    for rule in &mut other.rules {
        if rule.params.iter().any(|param| param.ty == ty) {
            // Which binding is the first decides what the effects of a condition are about.
            if rule.kind != RuleKind::Action && !rule.effects.is_empty() {
                return None;
            }
            *rule = Unbound::of(model, &inventory, rule, ty)?.rule(rule);
        }
    }
    Some(other)
}

/// A rule without its parameters of a type.
struct Unbound {
    ty: usize,
    /// For each parameter, what it is in, if it goes.
    inside: Vec<Option<Ref>>,
    /// Which of them an effect has moved.
    gone: Vec<bool>,
    require: Vec<Require>,
    effects: Vec<Effect>,
}

impl Unbound {
    fn of(model: &Model, inventory: &Inventory, rule: &Rule, ty: usize) -> Option<Unbound> {
        let mut unbound = Unbound {
            ty,
            inside: vec![None; rule.params.len()],
            gone: vec![false; rule.params.len()],
            require: Vec::new(),
            effects: Vec::new(),
        };
        for require in &rule.require {
            unbound.require(rule, require)?;
        }
        unbound.enough(model, inventory, rule)?;
        for effect in &rule.effects {
            unbound.effect(model, inventory, rule, effect)?;
        }
        Some(unbound)
    }

    fn goes(&self, rule: &Rule, base: Base) -> Option<usize> {
        match base {
            Base::Param(param) if rule.params[param].ty == self.ty => Some(param),
            _ => None,
        }
    }

    /// Whether references have nothing to do with the parameters that go.
    fn is_free(&self, rule: &Rule, refs: &[&mut Ref]) -> bool {
        refs.iter().all(|r| self.goes(rule, r.base).is_none())
    }

    /// Keeps a requirement, or takes from it what a parameter is in.
    fn require(&mut self, rule: &Rule, require: &Require) -> Option<()> {
        let places = match &require.test {
            Test::In {
                deep: false,
                inner,
                outer: What::Objects(outer),
            } => Some((inner, outer)),
            Test::Contains {
                deep: false,
                outer,
                inner: What::Objects(inner),
                cmp: Cmp::Some,
                ..
            } => Some((inner, outer)),
            _ => None,
        };
        if let Some((inner, outer)) = places
            && let Some(param) = self.goes(rule, inner.base)
        {
            let plain = inner.steps.is_empty() && outer.steps.is_empty() && !require.not;
            let known = &self.inside[param];
            let agrees = known.as_ref().is_none_or(|known| known.base == outer.base);
            if !plain || !agrees || self.goes(rule, outer.base).is_some() {
                return None;
            }
            self.inside[param] = Some(outer.clone());
            return Some(());
        }
        let mut test = require.test.clone();
        let stays = self.is_free(rule, &test.refs_mut());
        stays.then(|| self.require.push(require.clone()))
    }

    /// Requires as many objects in each container as parameters were in it.
    fn enough(&mut self, model: &Model, inventory: &Inventory, rule: &Rule) -> Option<()> {
        let mut groups: Vec<(Ref, u32)> = Vec::new();
        for (param, inside) in rule.params.iter().zip(&self.inside) {
            if param.ty != self.ty {
                continue;
            }
            let inside = inside.as_ref()?;
            let unnamed = model.objects.iter().any(|object| {
                object.ty == Inventory::base_type(model, rule, inside) && object.name.is_none()
            });
            if unnamed || inventory.created[Inventory::base_type(model, rule, inside)] {
                return None;
            }
            match groups
                .iter_mut()
                .find(|(known, _)| known.base == inside.base)
            {
                Some((_, count)) => *count += 1,
                None => groups.push((inside.clone(), 1)),
            }
        }
        for (index, (one, _)) in groups.iter().enumerate() {
            let mut before = groups[..index].iter();
            if !before.all(|(other, _)| differ(model, rule, one, other)) {
                return None;
            }
        }
        self.require
            .extend(groups.into_iter().map(|(outer, count)| Require {
                not: false,
                span: outer.span,
                test: Test::Contains {
                    deep: false,
                    outer,
                    inner: What::Type(self.ty),
                    cmp: Cmp::More,
                    number: count - 1,
                },
            }));
        Some(())
    }

    fn effect(
        &mut self,
        model: &Model,
        inventory: &Inventory,
        rule: &Rule,
        effect: &Effect,
    ) -> Option<()> {
        let is_free = self.is_free(rule, &effect.kind.clone().refs_mut());
        let (what, goal) = match &effect.kind {
            EffectKind::Put(what, into) => (what, Goal::In(into.clone())),
            EffectKind::Remove(what) => (what, Goal::Nothing),
            EffectKind::Delete(what) => (what, Goal::Gone),
            kind => {
                let picks = match kind {
                    EffectKind::RemoveSome { what, .. } => {
                        inventory.types_of(model, rule, what).contains(&self.ty)
                    }
                    EffectKind::Distribute { ty, .. } | EffectKind::DisownSome { ty, .. } => {
                        *ty == self.ty
                    }
                    _ => false,
                };
                let stays = !picks && is_free;
                return stays.then(|| self.effects.push(effect.clone()));
            }
        };
        let Some(param) = self.goes(rule, what.base) else {
            // What it contained would be somewhere else.
            let opens = matches!(effect.kind, EffectKind::Delete(_))
                && inventory
                    .types(model, rule, what)
                    .iter()
                    .any(|&outer| inventory.may_be_in[self.ty][outer]);
            let stays = !opens && is_free;
            return stays.then(|| self.effects.push(effect.clone()));
        };
        let into = match &goal {
            Goal::In(into) => Some(into),
            _ => None,
        };
        let plain = |reference: &Ref| reference.steps.is_empty();
        let lasts = into.is_none_or(|into| plain(into) && self.goes(rule, into.base).is_none());
        // Each goes once, from where the guard of an action found it.
        let from = self.inside[param].clone().filter(|_| !self.gone[param])?;
        self.gone[param] = true;
        if !plain(what) || !lasts {
            return None;
        }
        let same = |other: &Goal| match (other, &goal) {
            (Goal::In(a), Goal::In(b)) => a.base == b.base,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if let Some(EffectKind::RemoveSome {
            from: last,
            count: Some(count),
            goal: last_goal,
            bound: true,
            ..
        }) = self.effects.last_mut().map(|effect| &mut effect.kind)
            && last.base == from.base
            && same(last_goal)
        {
            *count += 1;
            return Some(());
        }
        self.effects.push(Effect {
            kind: EffectKind::RemoveSome {
                what: What::Type(self.ty),
                from,
                count: Some(1),
                goal,
                bound: true,
            },
            span: effect.span,
        });
        Some(())
    }

    /// The rule with what is left.
    fn rule(self, rule: &Rule) -> Rule {
        let kept: Vec<usize> = (0..rule.params.len())
            .filter(|&param| rule.params[param].ty != self.ty)
            .collect();
        let number = |param: usize| kept.iter().position(|&kept| kept == param);
        let base = |base: Base| match base {
            Base::Param(param) => Base::Param(number(param).unwrap_or_default()),
            object => object,
        };
        let told = |told: &Told| match *told {
            Told::Param(param) => match (number(param), &self.inside[param]) {
                (None, Some(inside)) => Told::Inside(self.ty, base(inside.base)),
                (number, _) => Told::Param(number.unwrap_or_default()),
            },
            Told::Inside(ty, inside) => Told::Inside(ty, base(inside)),
        };
        let told = rule.told.iter().map(told).collect();
        let (mut require, mut effects) = (self.require, self.effects);
        let tests = require.iter_mut().flat_map(|r| r.test.refs_mut());
        let kinds = effects.iter_mut().flat_map(|e| e.kind.refs_mut());
        tests.chain(kinds).for_each(|r| r.base = base(r.base));
        Rule {
            params: kept
                .iter()
                .map(|&param| rule.params[param].clone())
                .collect(),
            told,
            require,
            effects,
            ..rule.clone()
        }
    }
}
