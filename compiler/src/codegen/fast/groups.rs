//! Loops over the parameters of one group, each candidate tested once.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::Generator;
use super::super::classes::{Classes, Component};
use super::super::code::number;
use super::super::family::FamilyNames;
use super::super::names::ident;
use super::super::planes::Lifted;
use super::super::slices::Group;
use super::Fast;
use crate::ir::effects::may_fault;
use crate::ir::{Expr, Family, FamilyId, Function, ParamSource, StmtKind, Type};

/// Combinations of classes beyond this are not kept as a set.
const MOST_CLASSES: usize = 8192;

impl Generator<'_> {
    /// The loops over one group: each member that passes its tests is added to the list.
    pub(super) fn group_loop(
        &self,
        id: FamilyId,
        fast: &Fast,
        group: &Group,
        list: &Ident,
        names: &FamilyNames,
    ) -> TokenStream {
        let family = self.game.family(id);
        let push = match (self.keyed(family, group), self.listed_param(family, group)) {
            (Some(_), Some(first)) => {
                let member = &names.params[first];
                quote!(#list.set(#member as usize);)
            }
            _ => {
                let parts = self.packed_parts(id, group, names);
                quote!(#list.push(#parts);)
            }
        };
        let (before, add) = match self.group_classes(fast, group, names) {
            Some((class, count)) => {
                let words = number(count.div_ceil(64).max(1));
                let rt = &self.rt;
                let seen = format_ident!("{list}_seen");
                (
                    quote!(let mut #seen = #rt::BitSet::<#words>::EMPTY;),
                    quote!(
                        let class = #class;
                        if !DISTINCT || !#seen.contains(class) {
                            #seen.set(class);
                            #push
                        }
                    ),
                )
            }
            None => (TokenStream::new(), push),
        };
        if let Some((field, _)) = self.counted_free(family, fast, group) {
            return quote!(*#list = &s.#field;);
        }
        if self.keyed(family, group).is_some()
            && let Some(Lifted { set, .. }) = self.lifted(family, fast, group)
        {
            return quote!(*#list = #set;);
        }
        let leave = quote!(return None;);
        let mut inner = add;
        for (place, &param) in group.params.iter().enumerate().rev() {
            if let Some(test) = &group.tests[place] {
                let call = self.slice_call(names, test, &group.params[..=place]);
                inner = quote!(if #call { #inner });
            }
            inner = self.parameter_loop(family, names, param, inner, &leave);
        }
        // An `Is` at the outside of a group declares a name of its own.
        let loops = quote!({ #inner });
        match self.straight_loop(family, group, list, names) {
            Some(straight) if before.is_empty() => straight,
            Some(straight) => quote!(if DISTINCT { #before #loops } else { #straight }),
            None => quote!(#before #loops),
        }
    }

    /// The loop over a group of one parameter with a short test, or whose second parameter only has to be there: without a
    /// branch.
    fn straight_loop(
        &self,
        family: &Family,
        group: &Group,
        list: &Ident,
        names: &FamilyNames,
    ) -> Option<TokenStream> {
        if let ([only], [Some(test)]) = (&group.params[..], &group.tests[..])
            && returned(test).is_some_and(super::super::chains::is_quick)
            && !self.slice_needs(test).cx
            && self.keyed(family, group).is_some()
        {
            let member = &names.params[*only];
            let call = self.slice_call(names, test, &group.params);
            let add = quote!(#list.set_if(#member as usize, #call););
            let leave = quote!(return None;);
            return Some(self.parameter_loop(family, names, *only, add, &leave));
        }
        let [first, second] = group.params[..] else {
            return None;
        };
        self.keyed(family, group)?;
        if self.moved_group(family, group).is_some() {
            return None;
        }
        let (ParamSource::Is(expr), Type::Elem(domain)) =
            (&family.params[second].source, &family.params[second].ty)
        else {
            return None;
        };
        let mut plain = matches!(expr.ty, Type::Opt(_)) && group.tests.iter().all(Option::is_none);
        expr.walk(&mut |expr| plain &= !may_fault(self.game, expr));
        if !plain || !super::super::chains::is_quick(expr) {
            return None;
        }
        let body = self.family_body(family, &[expr]);
        let value = self.evaluate(&body, expr, None);
        let none = &self.domain(*domain).none;
        let member = &names.params[first];
        let add = quote!(#list.set_if(#member as usize, #value != #none););
        Some(self.parameter_loop(family, names, first, add, &quote!(return None;)))
    }

    /// The number of the class of a member of a group among those of the group, and how many there
    /// are; nothing if every member is a class of its own or constants do not tell.
    fn group_classes(
        &self,
        fast: &Fast,
        group: &Group,
        names: &FamilyNames,
    ) -> Option<(TokenStream, usize)> {
        let classes = fast.classes.as_deref()?;
        if classes.components.is_empty() {
            return None;
        }
        let count = class_count(classes, group)?;
        let mut sum: Option<TokenStream> = None;
        for component in classes.within(&group.params) {
            let number_of = self.class_number(component, names);
            let radix = number(component.count);
            sum = Some(match sum {
                None => number_of,
                Some(sum) => quote!((#sum) * #radix + #number_of),
            });
        }
        Some((sum.unwrap_or(quote!(0)), count))
    }

    /// The number of a component of a class for the argument it depends on.
    fn class_number(&self, component: &Component, names: &FamilyNames) -> TokenStream {
        let rt = &self.rt;
        let Some(param) = component.param else {
            return quote!(0);
        };
        let name = &names.params[param];
        let identity = component
            .numbers
            .iter()
            .enumerate()
            .all(|(at, &number)| at == number);
        if identity {
            return quote!(#name as usize);
        }
        if component.count == 1 {
            return quote!(0);
        }
        let len = component.numbers.len().next_power_of_two();
        let numbers = component
            .numbers
            .iter()
            .copied()
            .chain(std::iter::repeat(0))
            .take(len);
        let (ty, wide) = match component.count {
            0..=256 => (ident("u8"), false),
            _ => (ident("u16"), true),
        };
        let bytes: Vec<u8> = numbers.clone().map(|number| number as u8).collect();
        let count = number(len);
        let values = match wide || len < 64 {
            true => {
                let values = numbers.map(number);
                quote!([#(#values),*])
            }
            false => {
                let bytes = Literal::byte_string(&bytes);
                quote!(*#bytes)
            }
        };
        quote!({
            static CLASS: [#ty; #count] = #values;
            usize::from(#rt::support::at(&CLASS, #name as usize))
        })
    }
}

/// What a function gives that does nothing else.
pub(super) fn returned(function: &Function) -> Option<&Expr> {
    match &function.body[..] {
        [only] => match &only.kind {
            StmtKind::Return(value) => value.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// The number of classes of members of a group; nothing if they are too many to keep.
pub(super) fn class_count(classes: &Classes, group: &Group) -> Option<usize> {
    let mut counts = classes
        .within(&group.params)
        .map(|component| component.count);
    let count = counts.try_fold(1usize, usize::checked_mul)?;
    (count <= MOST_CLASSES).then_some(count)
}
