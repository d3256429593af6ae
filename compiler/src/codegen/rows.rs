//! Rows: families whose moves go from a set of places to a set of targets for each of them, with nothing left to test.
//!
//! Their moves are counted by the sizes of the sets of targets, and a random one needs no list: the sets up to its source are
//! made once more.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use crate::ir::{Arm, Family, FuncId, ParamSource, Type};

/// The moves of a family as rows.
pub(super) struct Rows {
    /// The function that gives the sources.
    sources: FuncId,
    /// The targets of the source with the name that its parameter has.
    targets: TokenStream,
}

impl Generator<'_> {
    /// The moves of a family as rows, if they are.
    pub(super) fn target_rows(&self, family: &Family) -> Option<Rows> {
        let plain = family.guard.is_none()
            && family.after.is_none()
            && family.context.is_empty()
            && family.class.is_empty();
        let ([from, to], true) = (&family.params[..], plain) else {
            return None;
        };
        let (Type::Elem(_), Type::Elem(_), &ParamSource::Generated(sources)) =
            (&from.ty, &to.ty, &from.source)
        else {
            return None;
        };
        let source = &self.family_names(family).params[0];
        let targets = match to.source {
            ParamSource::Listed { by: 0, table } => {
                self.table_value(table, &quote!(#source as usize)).tokens
            }
            ParamSource::Generated(func) if self.gives_a_set(func) => {
                self.ask(func, &[quote!(#source)])
            }
            _ => return None,
        };
        self.gives_a_set(sources)
            .then_some(Rows { sources, targets })
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
        arms.any(|arm| self.target_rows(self.game.family(arm.family)).is_some())
    }

    /// The number of moves of an arm that are rows, and the pick among them.
    pub(super) fn counted_rows(
        &self,
        index: usize,
        arm: &Arm,
        rows: &Rows,
    ) -> (TokenStream, TokenStream, Ident) {
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let (from, to) = (&names.params[0], &names.params[1]);
        let ty = |param: usize| self.value_type(&family.params[param].ty);
        let (source_ty, target_ty) = (ty(0), ty(1));
        let make = &self.family_names[arm.family.index()];
        let count = format_ident!("count_{index}");
        let (sources, targets) = (self.ask(rows.sources, &[]), &rows.targets);
        let binds = quote!(
            let mut #count = 0u64;
            for item in #sources.iter() {
                let #from = item as #source_ty;
                #count += u64::from(#targets.count());
            }
        );
        let picks = quote!(
            if pick < #count {
                for item in #sources.iter() {
                    let #from = item as #source_ty;
                    let targets = #targets;
                    let len = u64::from(targets.count());
                    if pick < len {
                        let #to = targets.nth(pick as u32).unwrap_or(0) as #target_ty;
                        return Some((Some(Move::#make(#from, #to)), total));
                    }
                    pick -= len;
                }
                return None;
            }
            pick -= #count;
        );
        (binds, picks, count)
    }
}
