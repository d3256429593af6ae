//! Requirements as expressions.

use super::super::model::{Cmp, Ref, Require, Test, What};
use super::refs::Objects;
use super::{Env, Lower};
use crate::ir::{BinaryOp, Expr, ExprKind, Fold, Over, Type};
use crate::source::Span;

/// Whether a number compares as wanted.
fn compare(count: Expr, cmp: Cmp, number: u32) -> Expr {
    let span = count.span;
    let (op, number) = match cmp {
        Cmp::Some => (BinaryOp::Gt, 0),
        Cmp::Equal => (BinaryOp::Eq, number),
        Cmp::Less => (BinaryOp::Lt, number),
        Cmp::More => (BinaryOp::Gt, number),
    };
    Expr::binary(op, count, Expr::int(i64::from(number), span))
}

impl Lower<'_> {
    /// Whether a requirement holds.
    pub(super) fn requirement(&mut self, env: &Env<'_>, require: &Require) -> Expr {
        let test = self.test(env, &require.test, require.span).at(require.span);
        match require.not {
            true => test.not(),
            false => test,
        }
    }

    fn test(&mut self, env: &Env<'_>, test: &Test, span: Span) -> Expr {
        match test {
            Test::In { deep, inner, outer } => self.test_in(env, *deep, inner, outer, span),
            Test::Contains {
                deep,
                outer,
                inner,
                cmp,
                number,
            } => {
                let container = self.objects(env, outer);
                self.when_there(container, |lower, container| {
                    let around = Around {
                        container,
                        deep: *deep,
                    };
                    lower.test_contains(env, &around, inner, (*cmp, *number), span)
                })
            }
            Test::Owns { what, cmp, number } => self.test_owns(env, what, (*cmp, *number), span),
            Test::Timer => match self.ids.timer {
                Some(timer) => {
                    let timer = Expr::var(&self.out.game, timer, Vec::new(), span);
                    Expr::binary(BinaryOp::Gt, timer, Expr::int(0, span))
                }
                None => Expr::bool(false, span),
            },
        }
    }

    /// A test of an object; false if it is absent.
    fn when_there(&mut self, object: Objects, test: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        match object {
            Objects::One(object) => test(self, object),
            Objects::Perhaps(object) => {
                let inner = test(self, object.clone().get());
                object.is_some().and(inner)
            }
            Objects::Many(set, _) => Expr::bool(false, set.span),
        }
    }

    fn test_in(
        &mut self,
        env: &Env<'_>,
        deep: bool,
        inner: &Ref,
        outer: &What,
        span: Span,
    ) -> Expr {
        if deep {
            let object = self.objects(env, inner);
            let types = self.inventory.types(self.model, env.rule, inner);
            return self.when_there(object, |lower, object| {
                let around = lower.above(object, &types);
                lower.test_around(env, around, outer, span)
            });
        }
        let mut up = inner.clone();
        up.steps.push(super::super::model::Step::In);
        let container = match self.objects(env, &up) {
            Objects::One(object) => object.some(),
            Objects::Perhaps(object) => object,
            Objects::Many(set, _) => return Expr::bool(false, set.span),
        };
        match outer {
            What::Type(ty) => self.is_of_type(container, *ty),
            What::TypesOf(reference) => {
                let types = self.containers_of(env, reference);
                let present: Vec<Expr> = types
                    .into_iter()
                    .map(|ty| {
                        let here = self.is_present(env, reference, ty, span);
                        here.and(self.is_of_type(container.clone(), ty))
                    })
                    .collect();
                any(present, span)
            }
            What::Objects(reference) => match self.objects(env, reference) {
                Objects::One(object) => container.equals(object.some()),
                Objects::Perhaps(object) => {
                    let there = object.clone().is_some();
                    there.and(container.equals(object))
                }
                Objects::Many(set, _) => {
                    let local = self.local("outer", Type::Elem(self.ids.object));
                    let same = container.equals(self.get(local, span).some());
                    Expr::fold(Fold::Exists, local, Over::Set(set), same)
                }
            },
        }
    }

    /// The types of a reference whose objects may contain something.
    fn containers_of(&self, env: &Env<'_>, reference: &Ref) -> Vec<usize> {
        let types = self
            .inventory
            .types(self.model, env.rule, reference)
            .into_iter();
        types.filter(|&ty| !self.inventory.counted[ty]).collect()
    }

    /// Whether something of a set of containers fits.
    fn test_around(&mut self, env: &Env<'_>, around: Expr, outer: &What, span: Span) -> Expr {
        match outer {
            What::Type(ty) => {
                let found = self.of_type(around, *ty);
                self.is_not_empty(found)
            }
            What::TypesOf(reference) => {
                let types = self.containers_of(env, reference);
                let found: Vec<Expr> = types
                    .into_iter()
                    .map(|ty| {
                        let here = self.is_present(env, reference, ty, span);
                        let found = self.of_type(around.clone(), ty);
                        here.and(self.is_not_empty(found))
                    })
                    .collect();
                any(found, span)
            }
            What::Objects(reference) => {
                let objects = self.objects(env, reference);
                match objects {
                    Objects::Many(set, _) => {
                        let both = Expr::binary(BinaryOp::Intersect, around, set);
                        self.is_not_empty(both)
                    }
                    one => {
                        self.when_there(one, |_, object| Expr::binary(BinaryOp::In, object, around))
                    }
                }
            }
        }
    }

    pub(super) fn is_not_empty(&self, set: Expr) -> Expr {
        let span = set.span;
        let none = self.no_objects(span);
        Expr::binary(BinaryOp::Ne, set, none)
    }

    /// Whether an object of a type is among those of a reference.
    pub(super) fn is_present(
        &mut self,
        env: &Env<'_>,
        reference: &Ref,
        ty: usize,
        span: Span,
    ) -> Expr {
        if let Some(counts) = self.ids.counts[ty] {
            // Only the contents of one object can be asked for the types of counted objects.
            let mut outer = reference.clone();
            outer.steps.pop();
            let Some(inside) = counts.inside else {
                return Expr::bool(false, span);
            };
            let container = self.objects(env, &outer);
            return self.when_there(container, |lower, container| {
                let count = Expr::var(&lower.out.game, inside, vec![container], span);
                compare(count, Cmp::Some, 0)
            });
        }
        match self.objects(env, reference) {
            Objects::Many(set, _) => {
                let found = self.of_type(set, ty);
                self.is_not_empty(found)
            }
            Objects::One(object) | Objects::Perhaps(object) => self.is_of_type(object, ty),
        }
    }

    fn test_contains(
        &mut self,
        env: &Env<'_>,
        around: &Around,
        inner: &What,
        (cmp, number): (Cmp, u32),
        span: Span,
    ) -> Expr {
        match inner {
            What::Type(ty) => self.count_inside(around, *ty, cmp, number, span),
            What::TypesOf(reference) => {
                let holds = self.reference_holds(env, reference);
                let types = self.inventory.types(self.model, env.rule, reference);
                let each = types.into_iter().map(|ty| {
                    let present = self.is_present(env, reference, ty, span);
                    let inside = self.count_inside(around, ty, cmp, number, span);
                    present.not().or(inside)
                });
                let each: Vec<Expr> = holds.into_iter().chain(each).collect();
                all(each, span)
            }
            What::Objects(reference) => {
                let types = self.inventory.types(self.model, env.rule, reference);
                match self.objects(env, reference) {
                    Objects::Many(set, holds) => {
                        let inside = match around.deep {
                            false => {
                                let contents = self.contents(around.container.clone());
                                Expr::binary(BinaryOp::Subset, set, contents)
                            }
                            true => {
                                let local = self.local("inner", Type::Elem(self.ids.object));
                                let object = self.get(local, span);
                                let inside = self.is_inside(around, object, &types);
                                Expr::fold(Fold::Forall, local, Over::Set(set), inside)
                            }
                        };
                        match holds {
                            Some(holds) => holds.and(inside),
                            None => inside,
                        }
                    }
                    one => self
                        .when_there(one, |lower, object| lower.is_inside(around, object, &types)),
                }
            }
        }
    }

    /// Whether a reference to several objects holds, if that is in doubt.
    fn reference_holds(&mut self, env: &Env<'_>, reference: &Ref) -> Option<Expr> {
        match self.objects(env, reference) {
            Objects::One(_) => None,
            Objects::Perhaps(object) => Some(object.is_some()),
            Objects::Many(_, holds) => holds,
        }
    }

    /// Whether an object of one of these types is in a container.
    fn is_inside(&mut self, around: &Around, object: Expr, types: &[usize]) -> Expr {
        match around.deep {
            false => self
                .container(object)
                .equals(around.container.clone().some()),
            true => {
                let above = self.above(object, types);
                Expr::binary(BinaryOp::In, around.container.clone(), above)
            }
        }
    }

    fn count_inside(
        &mut self,
        around: &Around,
        ty: usize,
        cmp: Cmp,
        number: u32,
        span: Span,
    ) -> Expr {
        if let Some(counts) = self.ids.counts[ty] {
            let Some(inside) = counts.inside else {
                return compare(Expr::int(0, span), cmp, number);
            };
            let container = around.container.clone();
            let types = 0..self.model.types.len();
            let outer: Vec<usize> = types.filter(|&o| self.inventory.may_be_in[ty][o]).collect();
            let count = match around.deep {
                false => Expr::var(&self.out.game, inside, vec![container], span),
                true => self.sum_inside(inside, span, |lower, place| {
                    let here = place.clone().equals(container.clone());
                    let above = lower.above(place, &outer);
                    here.or(Expr::binary(BinaryOp::In, container, above))
                }),
            };
            return compare(count, cmp, number);
        }
        let set = match around.deep {
            false => {
                let contents = self.contents(around.container.clone());
                self.of_type(contents, ty)
            }
            true if self.inventory.fixed[ty] => {
                let inside = self.below(around.container.clone());
                self.of_type(inside, ty)
            }
            true => {
                let object = self.object();
                let local = self.local("inner", Type::Elem(object));
                let inside = self.is_inside(around, self.get(local, span), &[ty]);
                let kind = ExprKind::Collect {
                    local,
                    over: Box::new(Over::Set(self.existing(ty, span))),
                    when: Box::new(inside),
                };
                Expr::new(kind, Type::Set(object), span)
            }
        };
        self.compare_size(set, cmp, number)
    }

    fn compare_size(&self, set: Expr, cmp: Cmp, number: u32) -> Expr {
        match (cmp, number) {
            (Cmp::Some, _) | (Cmp::More, 0) => self.is_not_empty(set),
            (Cmp::Equal, 0) | (Cmp::Less, 1) => self.is_not_empty(set).not(),
            _ => {
                let span = set.span;
                compare(
                    Expr::new(ExprKind::Size(Box::new(set)), Type::INT, span),
                    cmp,
                    number,
                )
            }
        }
    }

    fn test_owns(
        &mut self,
        env: &Env<'_>,
        what: &What,
        (cmp, number): (Cmp, u32),
        span: Span,
    ) -> Expr {
        match what {
            What::Type(ty) => self.count_owned(env.player.clone(), *ty, cmp, number, span),
            What::TypesOf(reference) => {
                let holds = self.reference_holds(env, reference);
                let types = self.inventory.types(self.model, env.rule, reference);
                let each = types.into_iter().map(|ty| {
                    let present = self.is_present(env, reference, ty, span);
                    let owned = self.count_owned(env.player.clone(), ty, cmp, number, span);
                    present.not().or(owned)
                });
                let each: Vec<Expr> = holds.into_iter().chain(each).collect();
                all(each, span)
            }
            What::Objects(reference) => {
                let player = env.player.clone();
                match self.objects(env, reference) {
                    Objects::Many(set, holds) => {
                        let local = self.local("object", Type::Elem(self.ids.object));
                        let object = self.get(local, span);
                        let owned = self.owner_of(object).equals(player.some());
                        let each = Expr::fold(Fold::Forall, local, Over::Set(set), owned);
                        match holds {
                            Some(holds) => holds.and(each),
                            None => each,
                        }
                    }
                    one => self.when_there(one, |lower, object| {
                        lower.owner_of(object).equals(player.some())
                    }),
                }
            }
        }
    }

    fn count_owned(&mut self, player: Expr, ty: usize, cmp: Cmp, number: u32, span: Span) -> Expr {
        if let Some(counts) = self.ids.counts[ty] {
            let count = match counts.owned {
                Some(owned) => Expr::var(&self.out.game, owned, vec![player], span),
                None => Expr::int(0, span),
            };
            return compare(count, cmp, number);
        }
        let local = self.local("object", Type::Elem(self.ids.object));
        let object = self.get(local, span);
        let owned = self.owner_of(object).equals(player.some());
        let over = Over::Set(self.slot_set(&self.inventory.of_type[ty], span));
        match (cmp, number) {
            (Cmp::Some, _) | (Cmp::More, 0) => Expr::fold(Fold::Exists, local, over, owned),
            (Cmp::Equal, 0) | (Cmp::Less, 1) => Expr::fold(Fold::Exists, local, over, owned).not(),
            _ => compare(Expr::fold(Fold::Count, local, over, owned), cmp, number),
        }
    }
}

/// A container, and whether any depth counts.
struct Around {
    container: Expr,
    deep: bool,
}

/// Whether all hold.
pub(super) fn all(tests: Vec<Expr>, span: Span) -> Expr {
    let all = tests.into_iter().reduce(Expr::and);
    all.unwrap_or_else(|| Expr::bool(true, span))
}

/// Whether any holds.
pub(super) fn any(tests: Vec<Expr>, span: Span) -> Expr {
    let any = tests.into_iter().reduce(Expr::or);
    any.unwrap_or_else(|| Expr::bool(false, span))
}
