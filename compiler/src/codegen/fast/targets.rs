//! The set of what a parameter can be in a move, as a function of its own where it is long to write.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::super::code::number;
use super::super::names::{Case, Scope};
use super::super::planes::Lifted;
use super::super::slices::Group;
use super::{Fast, Generator};
use crate::ir::Family;

/// Signs of a set that is written out wherever it is used.
const SHORT_SET: usize = 60;

impl Generator<'_> {
    /// The list of a group as a set that is had without a loop: written out where it is short, and else a call.
    pub(in super::super) fn lifted(
        &self,
        family: &Family,
        fast: &Fast,
        group: &Group,
    ) -> Option<Lifted> {
        self.keyed(family, group)?;
        let lifted = self.lifted_list(family, group, fast.classes.as_deref())?;
        let Some(name) = self.set_name(family, group, &lifted.set) else {
            return Some(lifted);
        };
        let set = match mentions(&lifted.set, "DISTINCT") {
            true => quote!(#name::<DISTINCT>(s)),
            false => quote!(#name(s)),
        };
        Some(Lifted { set, ..lifted })
    }

    /// The name of the function that makes a set that is long to write.
    fn set_name(&self, family: &Family, group: &Group, set: &TokenStream) -> Option<Ident> {
        let mut families = self.game.families.iter();
        let id = families.position(|other| std::ptr::eq(other, family))?;
        let param = &family.params[self.listed_param(family, group)?];
        let alone =
            family.context.is_empty() && !["cx", "env"].iter().any(|name| mentions(set, name));
        let mut scope = Scope::default();
        let param = scope.ident(&param.name, Case::Snake);
        let long = set.to_string().len() > SHORT_SET;
        (alone && long).then(|| format_ident!("{}_{param}_set", self.family_names[id]))
    }

    /// The function that makes the set of a group.
    pub(super) fn set_function(
        &self,
        family: &Family,
        fast: &Fast,
        group: &Group,
    ) -> Option<TokenStream> {
        let words = number(self.keyed(family, group)?);
        let set = self
            .lifted_list(family, group, fast.classes.as_deref())?
            .set;
        let name = self.set_name(family, group, &set)?;
        let param = &family.params[self.listed_param(family, group)?].name;
        let doc = format!(
            "What `{param}` can be in a move of `{}`, for all else.",
            family.name
        );
        let (doc, rt) = (self.doc(&doc, family.span), &self.rt);
        let generic = mentions(&set, "DISTINCT").then(|| quote!(<const DISTINCT: bool>));
        Some(quote! {
            #doc
            #[inline(always)]
            fn #name #generic(s: &State) -> #rt::BitSet<#words> { #set }
        })
    }
}

/// Whether a name is among tokens.
pub(in super::super) fn mentions(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
