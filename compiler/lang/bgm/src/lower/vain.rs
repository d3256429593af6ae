//! Warnings: requirements that never or always hold, effects that do nothing.

use super::super::codes;
use super::super::model::{Cmp, Effect, EffectKind, Model, Ref, Require, Rule, Step, Test, What};
use super::inventory::Inventory;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::Span;

/// What can be said of a requirement without a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Always {
    True,
    False,
}

/// Warns of what rules say in vain.
pub(super) fn warn(model: &Model, inventory: &Inventory, diagnostics: &mut Diagnostics) {
    let vain = Vain { model, inventory };
    for rule in model.rules.iter().filter(|rule| inventory.can_apply(rule)) {
        for require in &rule.require {
            let Some((always, why)) = vain.test(rule, &require.test) else {
                continue;
            };
            let (code, what) = told(require, always);
            let found = Diagnostic::new(code, require.span, format!("this {what}: {why}"));
            diagnostics.push(found);
        }
        if let Some(found) = vain.two_places(rule) {
            diagnostics.push(found);
        }
        for effect in &rule.effects {
            if let Some((code, message)) = vain.effect(rule, effect) {
                diagnostics.push(Diagnostic::new(code, effect.span, message));
            }
        }
    }
}

fn told(require: &Require, always: Always) -> (&'static CodeInfo, &'static str) {
    match (always, require.not) {
        (Always::True, false) | (Always::False, true) => (&codes::SAYS_NOTHING, "always holds"),
        _ => (&codes::NEVER_POSSIBLE, "never holds"),
    }
}

/// Whether a reference is what the container of another one is in: `x.in.in` of `x`.
fn is_farther_out(inner: &Ref, outer: &Ref) -> bool {
    let only_in = |steps: &[Step]| steps.iter().all(|step| *step == Step::In);
    inner.base == outer.base
        && only_in(&inner.steps)
        && only_in(&outer.steps)
        && outer.steps.len() == inner.steps.len() + 2
}

struct Vain<'a> {
    model: &'a Model,
    inventory: &'a Inventory,
}

impl Vain<'_> {
    fn name(&self, ty: usize) -> &str {
        &self.model.types[ty].name
    }

    /// How many objects of a type there can be, if that is known.
    fn most(&self, ty: usize) -> Option<usize> {
        let start = self.model.objects.iter().filter(|o| o.ty == ty).count();
        (!self.inventory.guessed[ty]).then(|| self.inventory.pool[ty].max(start))
    }

    /// How many there can be, in words.
    fn number(&self, ty: usize) -> String {
        match self.most(ty) {
            Some(most) => format!("there are at most {most} of type `{}`", self.name(ty)),
            None => format!("nothing bounds the number of `{}`", self.name(ty)),
        }
    }

    /// The types that objects of some types may be in, directly or at any depth.
    fn around(&self, types: &[usize], deep: bool) -> Vec<bool> {
        let n = self.model.types.len();
        let mut found = vec![false; n];
        let mut open = types.to_vec();
        while let Some(ty) = open.pop() {
            let outer = self.inventory.may_be_in[ty].iter().zip(&mut found);
            for (number, (&may, found)) in outer.enumerate() {
                if may && !*found {
                    *found = true;
                    open.extend(Some(number).filter(|_| deep));
                }
            }
        }
        found
    }

    fn test(&self, rule: &Rule, test: &Test) -> Option<(Always, String)> {
        match test {
            Test::In {
                deep: false,
                inner,
                outer: What::Objects(outer),
            } if is_farther_out(inner, outer) && !self.holds_itself() => {
                let why = "it is in what it is in, and not in what that is in".to_owned();
                Some((Always::False, why))
            }
            Test::In { deep, inner, outer } => {
                let inside = self.inventory.types(self.model, rule, inner);
                let around = self.around(&inside, *deep);
                let wanted = self.inventory.types_of(self.model, rule, outer);
                if wanted.iter().any(|&ty| around[ty]) {
                    return None;
                }
                let why = "nothing puts such an object there".to_owned();
                Some((Always::False, why))
            }
            Test::Contains {
                deep,
                outer,
                inner,
                cmp,
                number,
            } => {
                let outer = self.inventory.types(self.model, rule, outer);
                let may_be = |ty: usize| {
                    let around = self.around(&[ty], *deep);
                    outer.iter().any(|&outer| around[outer])
                };
                self.count(rule, inner, (*cmp, *number), &may_be, "is ever there")
            }
            Test::Owns { what, cmp, number } => {
                let may_be = |ty: usize| self.is_ever_owned(ty);
                self.count(rule, what, (*cmp, *number), &may_be, "has ever an owner")
            }
            Test::Timer => None,
        }
    }

    /// Whether anything may be in itself: at the start, or put there.
    fn holds_itself(&self) -> bool {
        let objects = self.model.objects.iter().enumerate();
        let mut inside = objects.filter(|(at, object)| object.container == Some(*at));
        inside.next().is_some() || {
            let effects = self.model.rules.iter().flat_map(|rule| &rule.effects);
            effects.map(|effect| &effect.kind).any(|kind| match kind {
                EffectKind::Put(what, into) => what.base == into.base && what.steps == into.steps,
                _ => false,
            })
        }
    }

    /// What is required to be directly in two different objects.
    fn two_places(&self, rule: &Rule) -> Option<Diagnostic> {
        let places = rule
            .require
            .iter()
            .filter_map(|require| match &require.test {
                Test::In {
                    deep: false,
                    inner,
                    outer: What::Objects(outer),
                } if !require.not && !inner.is_multiple() && outer.steps.is_empty() => {
                    Some((inner, outer, require.span))
                }
                _ => None,
            });
        let places: Vec<_> = places.collect();
        let others = |(inner, outer, _): &(&Ref, &Ref, Span)| {
            let first = places
                .iter()
                .find(|(other, _, _)| other.base == inner.base && other.steps == inner.steps)?;
            (first.1.base != outer.base).then_some(first.2)
        };
        places.iter().find_map(|place| {
            let first = others(place)?;
            let message = "this never holds: it is required to be in something else already";
            let found = Diagnostic::new(&codes::NEVER_POSSIBLE, place.2, message);
            Some(found.also(first, "here, and a thing is in one place"))
        })
    }

    fn is_ever_owned(&self, ty: usize) -> bool {
        let gives = |rule: &Rule, effect: &Effect| match &effect.kind {
            EffectKind::Own(what, _) => self.inventory.types(self.model, rule, what).contains(&ty),
            EffectKind::Distribute { ty: dealt, .. } => *dealt == ty,
            _ => false,
        };
        let mut objects = self.model.objects.iter();
        let mut rules = self.model.rules.iter();
        objects.any(|o| o.ty == ty && o.owner.is_some())
            || rules.any(|rule| rule.effects.iter().any(|effect| gives(rule, effect)))
    }

    /// What is known of a number of objects that may be where they are looked for, or not.
    fn count(
        &self,
        rule: &Rule,
        what: &What,
        (cmp, number): (Cmp, u32),
        may_be: &dyn Fn(usize) -> bool,
        where_to: &str,
    ) -> Option<(Always, String)> {
        let ty = match what {
            What::Type(ty) => *ty,
            What::Objects(reference) if !reference.is_multiple() => {
                let types = self.inventory.types(self.model, rule, reference);
                let never = types.iter().all(|&ty| !may_be(ty));
                return never.then(|| (Always::False, format!("no such object {where_to}")));
            }
            _ => return None,
        };
        let none = format!("no `{}` {where_to}", self.name(ty));
        let (most, why) = match may_be(ty) {
            true => (self.most(ty), self.number(ty)),
            false => (Some(0), none),
        };
        let over = most.is_some_and(|most| number as usize > most);
        let always = match cmp {
            Cmp::Some => (most == Some(0)).then_some(Always::False),
            Cmp::Equal if over => Some(Always::False),
            Cmp::Equal => (number == 0 && most == Some(0)).then_some(Always::True),
            Cmp::Less if number == 0 => {
                return Some((Always::False, "no number is below 0".to_owned()));
            }
            Cmp::Less => over.then_some(Always::True),
            Cmp::More => most
                .filter(|&most| number as usize >= most)
                .map(|_| Always::False),
        };
        always.map(|always| (always, why))
    }

    /// Whether objects of a type may be in what a reference leads to.
    fn may_be_inside(&self, rule: &Rule, ty: usize, outer: &Ref) -> bool {
        let outer = self.inventory.types(self.model, rule, outer);
        outer
            .iter()
            .any(|&outer| self.inventory.may_be_in[ty][outer])
    }

    fn effect(&self, rule: &Rule, effect: &Effect) -> Option<(&'static CodeInfo, String)> {
        let nothing = |why: &str| Some((&codes::DOES_NOTHING, format!("this does nothing: {why}")));
        let (ty, count, there) = match &effect.kind {
            EffectKind::Create { count: 0, .. }
            | EffectKind::RemoveSome { count: Some(0), .. }
            | EffectKind::DisownSome { count: Some(0), .. }
            | EffectKind::Distribute { count: 0, .. } => return nothing("the number is 0"),
            EffectKind::DisownSome { ty, .. } if !self.is_ever_owned(*ty) => {
                return nothing(&format!("nobody ever owns a `{}`", self.name(*ty)));
            }
            EffectKind::RemoveSome {
                what: What::Type(ty),
                from,
                count,
                ..
            } => (*ty, *count, self.may_be_inside(rule, *ty, from)),
            EffectKind::Distribute {
                from, ty, count, ..
            } => (*ty, Some(*count), self.may_be_inside(rule, *ty, from)),
            _ => return None,
        };
        let why = match there {
            true => self.number(ty),
            false => format!("no `{}` is ever there", self.name(ty)),
        };
        let most = if there { self.most(ty) } else { Some(0) };
        match count {
            Some(count) if most.is_some_and(|most| count as usize > most) => {
                let message = format!("this is never possible: {why}");
                Some((&codes::NEVER_POSSIBLE, message))
            }
            None if !there => nothing(&why),
            _ => None,
        }
    }
}
