//! Loops over the candidates of a family: the parameters nested, each with its values ascending.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::number;
use super::family::FamilyNames;
use crate::ir::{Family, FamilyId, FaultCode, ParamSource, Type, WORK_BUDGET};

impl Generator<'_> {
    /// The type of what takes candidates: with their ranks if there are any, in bundles where one of them is drawn.
    pub(super) fn visitor(&self) -> TokenStream {
        let rt = &self.rt;
        match (self.has_ranks(), self.gathers()) {
            (true, _) => quote!(impl FnMut(Move, i64) -> bool),
            (false, true) => quote!(impl #rt::Visit<Move>),
            (false, false) => quote!(impl FnMut(Move) -> bool),
        }
    }

    /// The type that the parameter of a visitor without ranks is told to have, where it does not follow.
    pub(super) fn visited_type(&self) -> Option<TokenStream> {
        self.gathers().then(|| quote!(: Move))
    }

    /// Hands a move to a visitor without ranks.
    pub(super) fn visit_one(&self, mv: &TokenStream) -> TokenStream {
        match self.gathers() {
            true => quote!(visit.one(#mv)),
            false => quote!(visit(#mv)),
        }
    }

    /// Loops over the candidates of the parameters around `inner`.
    pub(super) fn parameter_loops(
        &self,
        family: &Family,
        names: &FamilyNames,
        inner: TokenStream,
    ) -> TokenStream {
        self.loops_of(family, names, family.params.len(), inner)
    }

    /// Loops over the candidates of the first parameters around `inner`.
    fn loops_of(
        &self,
        family: &Family,
        names: &FamilyNames,
        params: usize,
        inner: TokenStream,
    ) -> TokenStream {
        (0..params).rev().fold(inner, |inner, index| {
            self.parameter_loop(family, names, index, inner, &quote!(return Err(fault);))
        })
    }

    /// Loops over the candidates of all parameters but the last, whose candidates are a set of which every member makes a
    /// move: they are handed on as such.
    pub(super) fn bundles(&self, id: FamilyId, names: &FamilyNames) -> Option<TokenStream> {
        let family = self.game.family(id);
        let judged = family.after.is_none() || self.is_judged(family);
        if !self.gathers() || family.guard.is_some() || !judged {
            return None;
        }
        let (_, before) = names.params.split_last()?;
        let index = before.len();
        if self.mover_of(family).is_some() || !matches!(family.params[index].ty, Type::Elem(_)) {
            return None;
        }
        let set = self.set_of(family, names, index, &quote!(return Err(fault);))?;
        let shift = Literal::u32_unsuffixed(self.layout.families[id.index()][index].shift);
        let make = &self.family_names[id.index()];
        let inner = quote!(
            if visit.each(#set, #shift, Move::#make(#(#before,)* 0)) {
                return Ok(true);
            }
        );
        Some(self.loops_of(family, names, index, inner))
    }

    /// The candidates of a parameter, where they are a set of members.
    fn set_of(
        &self,
        family: &Family,
        names: &FamilyNames,
        index: usize,
        on_fault: &TokenStream,
    ) -> Option<TokenStream> {
        match &family.params[index].source {
            ParamSource::Listed { by, table } => {
                let by = &names.params[*by];
                Some(self.table_value(*table, &quote!(#by as usize)).tokens)
            }
            ParamSource::Generated(func) => {
                let Some(Type::Set(_)) = self.game.function(*func).ret else {
                    return None;
                };
                let mut given = names.all();
                given.truncate(names.context.len() + index);
                Some(self.call_checked(*func, &given, on_fault))
            }
            _ => None,
        }
    }

    /// The loop over the candidates of one parameter.
    pub(super) fn parameter_loop(
        &self,
        family: &Family,
        names: &FamilyNames,
        index: usize,
        inner: TokenStream,
        on_fault: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let param = &family.params[index];
        let name = &names.params[index];
        let (Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain)) = param.ty else {
            return inner;
        };
        let info = self.domain(domain);
        let (alias, count) = (&info.alias, &info.count);
        match self.mover_of(family) {
            Some((quotient, mover)) if mover.piece == index => {
                return self.mover_loop(quotient, mover, names, inner);
            }
            Some((_, mover)) if mover.place == index => {
                return match &mover.when {
                    None => inner,
                    Some(when) => {
                        let body = self.family_body(family, &[when]);
                        let value = self.evaluate(&body, when, Some(on_fault));
                        quote!(if #value { #inner })
                    }
                };
            }
            _ => {}
        }
        if let Some(set) = self.set_of(family, names, index, on_fault) {
            return quote!(for item in #set.iter() {
                let #name = item as #alias;
                #inner
            });
        }
        match &param.source {
            ParamSource::All => quote!(for #name in 0..#count { #inner }),
            ParamSource::Among(list) => {
                let list = self.member_list(list, alias);
                quote!(for #name in #list { #inner })
            }
            ParamSource::Is(expr) => {
                let body = self.family_body(family, &[expr]);
                let value = self.evaluate(&body, expr, Some(on_fault));
                match expr.ty {
                    Type::Opt(_) => {
                        let none = &info.none;
                        quote!(
                            let #name: #alias = #value;
                            if #name != #none { #inner }
                        )
                    }
                    _ => quote!(
                        let #name: #alias = #value;
                        { #inner }
                    ),
                }
            }
            ParamSource::Generated(func) => {
                let mut given = names.all();
                given.truncate(names.context.len() + index);
                let value = self.call_checked(*func, &given, on_fault);
                let items = format_ident!("{name}_items");
                let place = format_ident!("{name}_place");
                quote!(
                    let #items = #value;
                    for (#place, #name) in #items.iter().enumerate() {
                        // Each item counts once.
                        if #items.iter().take(#place).any(|item| item == #name) {
                            continue;
                        }
                        #inner
                    }
                )
            }
            // A row is a set of members, which is seen to above.
            ParamSource::Listed { .. } => inner,
            ParamSource::Subset { of, size } => {
                let body = self.family_body(family, &[of, size]);
                let set = self.evaluate(&body, of, Some(on_fault));
                let count = self.evaluate(&body, size, Some(on_fault));
                let site = number(self.site(FaultCode::WorkLimit, size.span));
                let most = proc_macro2::Literal::u64_unsuffixed(u64::from(WORK_BUDGET));
                let ty = self.value_type(&param.ty);
                quote!(
                    let of: #ty = #set;
                    let size: i64 = #count;
                    if size >= 0 && #rt::support::choose(u64::from(of.count()), size as u64) > #most {
                        let fault = #rt::Fault { site: #site };
                        #on_fault
                    }
                    for #name in #rt::support::Subsets::new(of, size) { #inner }
                )
            }
        }
    }

    /// An iterator over a constant list of members.
    pub(super) fn member_list(&self, list: &[u32], alias: &Ident) -> TokenStream {
        let run = list.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match (run, list.first(), list.last()) {
            (true, Some(&first), Some(&last)) => {
                let (first, end) = (number(first as usize), number(last as usize + 1));
                quote!(#first as #alias..#end)
            }
            _ => {
                let members = list.iter().map(|&member| number(member as usize));
                let len = number(list.len());
                quote!({ const LIST: [#alias; #len] = [#(#members),*]; LIST })
            }
        }
    }
}
