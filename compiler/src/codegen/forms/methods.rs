//! The methods that look at sets and change them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Const, PlacementId};

use super::super::code::number;
use super::super::fields::Taken;
use super::{Generator, all_written};

impl Generator<'_> {
    /// The methods of positions without names.
    pub(in super::super) fn form_methods(&self, id: PlacementId) -> TokenStream {
        let Some((quotient, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let placement = self.game.placement(id);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let place_type = &place.alias;
        let state = quote!(self);
        let (rt, words) = (&self.rt, number(self.words(placement.places)));
        let all_written = all_written(self.game, quotient);
        let classes = quotient
            .classes
            .iter()
            .zip(&forms.classes)
            .map(|(class, kept)| {
                let (set, first) = (kept.of(&state), number(class[0] as usize));
                quote!(if #set.contains(place as usize) { #first } else)
            });
        let content = &forms.content;
        let properties = quotient
            .properties
            .iter()
            .enumerate()
            .map(|(at, (var, values))| {
                let ty = &self.game.var(*var).ty;
                let stored = self.stored_type(ty);
                let literal = |value: &Const| self.store(ty, self.constant(value, ty)).tokens;
                let kept = &forms.values[at];
                let arms = kept.iter().zip(values).map(|(kept, value)| {
                    let (set, value) = (kept.of(&state), literal(value));
                    quote!(if #set.contains(place as usize) { #value } else)
                });
                let last = values.last().map(literal);
                let mut sets: Vec<(TokenStream, TokenStream)> = kept
                    .iter()
                    .zip(values)
                    .map(|(kept, value)| (kept.of(&state), literal(value)))
                    .collect();
                // Sets that are kept for other reasons follow too.
                for held in &self.placement(id).held {
                    if held.var == *var && values.last() == Some(&held.value) {
                        let field = &held.field;
                        sets.push((quote!(self.#field), literal(&held.value)));
                    }
                }
                let changes = sets.iter().map(|(set, own)| {
                    quote!(
                        #set.clear(place as usize);
                        #set.set_if(place as usize, value == #own);
                    )
                });
                let changes_all = sets.iter().map(|(set, own)| {
                    quote!(#set = if value == #own { #set | places } else { #set - places };)
                });
                let (get, put) = (&forms.get[at], &forms.put[at]);
                let all = all_written.contains(var).then(|| {
                    let put_all = &forms.put_all[at];
                    let doc = format!(
                        " Variable `{}` of the pieces on some places.",
                        self.game.var(*var).name
                    );
                    quote! {
                        #[doc = #doc]
                        #[inline(always)]
                        fn #put_all(&mut self, places: #rt::BitSet<#words>, value: #stored) {
                            #(#changes_all)*
                        }
                    }
                });
                let doc = format!(
                    " Variable `{}` of the piece on a place.",
                    self.game.var(*var).name
                );
                quote! {
                    #[doc = #doc]
                    #[inline(always)]
                    fn #get(&self, place: #place_type) -> #stored {
                        #(#arms)* { #last }
                    }

                    #[doc = #doc]
                    #[inline(always)]
                    fn #put(&mut self, place: #place_type, value: #stored) {
                        #(#changes)*
                    }

                    #all
                }
            });
        let taken = match &self.placement(id).taken {
            Some(Taken::Told(taken)) => {
                let standing = forms.standing(&quote!(self));
                Some(quote! {
                    /// The places with a piece.
                    #[inline(always)]
                    fn #taken(&self) -> #rt::BitSet<#words> {
                        #standing
                    }
                })
            }
            _ => None,
        };
        quote! {
            /// What stands on a place: the first of the pieces that are like it.
            #[inline(always)]
            fn #content(&self, place: #place_type) -> #piece_type {
                #(#classes)* { #no_piece }
            }
            #taken
            #(#properties)*
        }
    }
}
