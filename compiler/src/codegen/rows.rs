//! Rows: families whose last parameter ranges over a set for each choice of those before, with nothing left to test.
//!
//! Their moves are counted by the sizes of these sets, and a random one needs no list: the sets up to its own are made once
//! more.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use crate::ir::{Arm, Family, FuncId, Param, ParamSource, Type};

impl Generator<'_> {
    /// The members of the last parameter of a family whose moves are rows, by the names of the parameters before.
    pub(super) fn row(&self, family: &Family) -> Option<TokenStream> {
        let plain = family.guard.is_none()
            && family.after.is_none()
            && family.context.is_empty()
            && family.class.is_empty();
        let ([before @ .., last], true) = (&family.params[..], plain) else {
            return None;
        };
        if before.is_empty() || !before.iter().all(|param| self.is_looped(param)) {
            return None;
        }
        let names = &self.family_names(family).params[..before.len()];
        match (&last.ty, &last.source) {
            (Type::Elem(_), ParamSource::Listed { by, table }) => {
                let by = &names[*by];
                Some(self.table_value(*table, &quote!(#by as usize)).tokens)
            }
            (Type::Elem(_), ParamSource::Generated(func)) if self.gives_a_set(*func) => {
                let given: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
                Some(self.ask(*func, &given))
            }
            _ => None,
        }
    }

    /// Whether the candidates of a parameter are gone through, and nothing can go wrong with that.
    fn is_looped(&self, param: &Param) -> bool {
        let candidates = match param.source {
            ParamSource::All | ParamSource::Among(_) | ParamSource::Listed { .. } => true,
            ParamSource::Generated(func) => self.gives_a_set(func),
            _ => false,
        };
        candidates && matches!(param.ty, Type::Elem(_))
    }

    /// Whether a function gives a set of members, and nothing can go wrong in it.
    fn gives_a_set(&self, func: FuncId) -> bool {
        let needs = self.needs(func);
        let set = matches!(self.game.function(func).ret, Some(Type::Set(_)));
        set && !needs.cx && !needs.flow && !needs.env && !self.may_fault(func)
    }

    /// Whether some decision has moves that are rows.
    pub(super) fn has_rows(&self) -> bool {
        let mut arms = self.decisions().flat_map(|(_, choose)| &choose.arms);
        arms.any(|arm| self.row(self.game.family(arm.family)).is_some())
    }

    /// The number of moves of an arm that are rows, and the pick among them.
    pub(super) fn counted_rows(
        &self,
        index: usize,
        arm: &Arm,
        row: &TokenStream,
    ) -> (TokenStream, TokenStream, Ident) {
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let before = family.params.len() - 1;
        let loops = |inner: TokenStream| {
            (0..before).rev().fold(inner, |inner, param| {
                self.parameter_loop(family, &names, param, inner, &quote!(return None;))
            })
        };
        let make = &self.family_names[arm.family.index()];
        let (params, last) = (&names.params, &names.params[before]);
        let mv = self.of_any_name(arm, quote!(Move::#make(#(#params),*)));
        let ty = self.value_type(&family.params[before].ty);
        let count = format_ident!("count_{index}");
        let all = loops(quote!(#count += u64::from(#row.count());));
        let binds = quote!(
            let mut #count = 0u64;
            #all
        );
        let found = loops(quote!(
            let row = #row;
            let len = u64::from(row.count());
            if pick < len {
                let #last = row.nth(pick as u32).unwrap_or(0) as #ty;
                return Some((Some(#mv), total));
            }
            pick -= len;
        ));
        let picks = quote!(
            if pick < #count {
                #found
                return None;
            }
            pick -= #count;
        );
        (binds, picks, count)
    }
}
