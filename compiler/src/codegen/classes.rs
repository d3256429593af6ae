//! Numbers for classes of interchangeable moves, computed from constant tables.

use std::rc::Rc;

use indexmap::IndexSet;
use rulec_ir::sorted::SortedSet;

use super::Generator;
use super::types::scalar;
use crate::ir::{Axis, BinaryOp, Const, Expr, ExprKind, Family, ParamSource, Table, Type, UnaryOp};

/// A component of the class of a move that follows from one parameter by constants.
pub(super) struct Component {
    /// The parameter; nothing if the component is the same for all moves of the family.
    pub(super) param: Option<usize>,
    /// The number of the value for each member of the parameter's domain, or the only one.
    pub(super) numbers: Vec<usize>,
    /// How many values there are.
    pub(super) count: usize,
}

/// The class of the moves of a family by constants.
pub(super) struct Classes {
    pub(super) components: Vec<Component>,
}

impl Classes {
    /// The components that depend on one of these parameters.
    pub(super) fn within<'a>(&'a self, params: &'a [usize]) -> impl Iterator<Item = &'a Component> {
        let depends = |component: &&Component| component.param.is_some_and(|p| params.contains(&p));
        self.components.iter().filter(depends)
    }
}

impl Generator<'_> {
    /// The classes of a family, if constants tell them.
    pub(super) fn classes(&self, family: &Family) -> Option<Rc<Classes>> {
        let mut families = self.game.families.iter();
        let own = families.position(|own| std::ptr::eq(own, family));
        let known = own.and_then(|own| self.class_numbers.borrow().get(&own).cloned());
        known.unwrap_or_else(|| {
            let components = family.class.iter().map(|expr| self.component(family, expr));
            let components = components.collect::<Option<_>>();
            let found = components.map(|components| Rc::new(Classes { components }));
            let mut known = self.class_numbers.borrow_mut();
            known.extend(own.map(|own| (own, found.clone())));
            found
        })
    }

    fn component(&self, family: &Family, expr: &Expr) -> Option<Component> {
        let values = self.image(family, expr)?;
        let mut distinct = IndexSet::new();
        let numbers = values
            .iter()
            .map(|value| distinct.insert_full(value.clone()).0)
            .collect();
        Some(Component {
            param: self.only_param(family, expr)?,
            numbers,
            count: distinct.len(),
        })
    }

    /// The parameter that an expression depends on, and whether there is at most one.
    fn only_param(&self, family: &Family, expr: &Expr) -> Option<Option<usize>> {
        let mut params = IndexSet::new();
        let mut known = true;
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                match local.index().checked_sub(family.context.len()) {
                    Some(param) if param < family.params.len() => {
                        params.insert(param);
                    }
                    _ => known = false,
                }
            }
        });
        (known && params.len() < 2).then(|| params.first().copied())
    }

    /// The value of an expression for each member of the parameter it depends on.
    fn image(&self, family: &Family, expr: &Expr) -> Option<Vec<Const>> {
        let Some(param) = self.only_param(family, expr)? else {
            return Some(vec![self.value(expr, 0)?]);
        };
        let (Type::Elem(domain) | Type::Opt(domain)) = family.params[param].ty else {
            return None;
        };
        let members = 0..self.game.domain(domain).len() as u32;
        // A member that is no candidate has no class of its own, so it gets that of another.
        let listed = match &family.params[param].source {
            ParamSource::Among(list) => Some(list),
            _ => None,
        };
        let spare = listed.and_then(|list| list.first().copied());
        let listed: Option<SortedSet<u32>> = listed.map(|list| list.iter().copied().collect());
        let value = |member: u32| match (&listed, spare) {
            (Some(list), Some(spare)) if !list.contains(&member) => self.value(expr, spare),
            _ => self.value(expr, member),
        };
        members.map(value).collect()
    }

    /// The value of an expression whose only parameter is this member, if constants tell it.
    pub(super) fn value(&self, expr: &Expr, member: u32) -> Option<Const> {
        match &expr.kind {
            ExprKind::Const(value) => Some(value.clone()),
            ExprKind::Local(_) => Some(Const::Elem(member)),
            ExprKind::Lookup(table, index) => {
                let table = self.game.table(*table);
                let index = index.iter().map(|index| self.value(index, member));
                self.entry(table, &index.collect::<Option<Vec<_>>>()?)
            }
            ExprKind::Some(inner) | ExprKind::ToWrap(inner) | ExprKind::ToInt(inner) => {
                self.value(inner, member)
            }
            ExprKind::Ordinal(inner) => match (&inner.ty, self.value(inner, member)?) {
                (Type::Elem(domain), Const::Elem(member)) => {
                    Some(Const::Int(self.game.domain(*domain).ordinal(member)))
                }
                _ => None,
            },
            ExprKind::If(cond, yes, no) => match self.value(cond, member)? {
                Const::Bool(true) => self.value(yes, member),
                Const::Bool(false) => self.value(no, member),
                _ => None,
            },
            ExprKind::IsSome(inner) => Some(Const::Bool(self.value(inner, member)? != Const::None)),
            ExprKind::Unary(UnaryOp::Not, inner) => match self.value(inner, member)? {
                Const::Bool(value) => Some(Const::Bool(!value)),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a, member)?, self.value(b, member)?);
                Some(Const::Bool(match (op, &a, &b) {
                    (BinaryOp::And, Const::Bool(a), Const::Bool(b)) => *a && *b,
                    (BinaryOp::Or, Const::Bool(a), Const::Bool(b)) => *a || *b,
                    (_, Const::Tagged(..), _) => return None,
                    (BinaryOp::Eq, a, b) => a == b,
                    (BinaryOp::Ne, a, b) => a != b,
                    (BinaryOp::Lt, Const::Int(a), Const::Int(b)) => a < b,
                    (BinaryOp::Le, Const::Int(a), Const::Int(b)) => a <= b,
                    (BinaryOp::Gt, Const::Int(a), Const::Int(b)) => a > b,
                    (BinaryOp::Ge, Const::Int(a), Const::Int(b)) => a >= b,
                    _ => return None,
                }))
            }
            _ => None,
        }
    }

    fn entry(&self, table: &Table, index: &[Const]) -> Option<Const> {
        let mut flat = Some(0usize);
        for (axis, index) in table.axes.iter().zip(index) {
            let lo = match axis {
                Axis::Domain(_) => 0,
                Axis::Range { lo, .. } => *lo,
            };
            let place = match index {
                Const::None => None,
                index => usize::try_from(scalar(index).checked_sub(lo)?).ok(),
            };
            let len = axis.len(self.game);
            let place = place.filter(|&place| place < len);
            flat = flat.zip(place).map(|(flat, place)| flat * len + place);
        }
        match flat {
            Some(flat) => table.values.get(flat).cloned(),
            None => table.outside.clone(),
        }
    }

    /// Whether constants tell apart all pairs of source and target of two families whose moves are steps of pieces.
    fn steps_are_apart(&self, a: &Family, b: &Family) -> bool {
        let of_places = |family: &Family, expr: &Expr| {
            let param = self.only_param(family, expr)?.filter(|param| *param > 0)?;
            Some((param, self.image(family, expr)?))
        };
        let told: Vec<_> = std::iter::zip(&a.class, &b.class)
            .filter_map(|(in_a, in_b)| of_places(a, in_a).zip(of_places(b, in_b)))
            .collect();
        let (in_a, in_b): (Vec<_>, Vec<_>) = told.into_iter().unzip();
        let classes = |family: &Family, told: &[(usize, Vec<Const>)]| {
            let pairs = self.stepped_pairs(family)?;
            let class = |&(from, to): &(u32, u32)| {
                let value = |(param, values): &(usize, Vec<Const>)| {
                    let member = if *param == 1 { from } else { to };
                    values.get(member as usize).cloned()
                };
                told.iter().map(value).collect::<Option<Vec<Const>>>()
            };
            pairs.iter().map(class).collect::<Option<IndexSet<_>>>()
        };
        match (classes(a, &in_a), classes(b, &in_b)) {
            (Some(a), Some(b)) => a.is_disjoint(&b),
            _ => false,
        }
    }

    /// Whether no move of one family is interchangeable with a move of another, by constants.
    pub(super) fn are_apart(&self, families: &[&Family]) -> bool {
        let values = |family: &Family, place: usize| -> Option<IndexSet<Const>> {
            let expr = family.class.get(place)?;
            let all = self.image(family, expr)?;
            Some(all.into_iter().collect())
        };
        let apart = |a: &Family, b: &Family| {
            let by_value =
                (0..a.class.len()).any(|place| match (values(a, place), values(b, place)) {
                    (Some(a), Some(b)) => a.is_disjoint(&b),
                    _ => false,
                });
            by_value || self.steps_are_apart(a, b)
        };
        families
            .iter()
            .enumerate()
            .all(|(at, a)| families[..at].iter().all(|b| apart(a, b)))
    }
}
