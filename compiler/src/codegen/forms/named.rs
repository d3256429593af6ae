//! The form of a position in which pieces have names.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::PlacementId;
use crate::quotient::Quotient;

use super::super::code::number;
use super::super::fields::Field;
use super::{Forms, Generator};

impl Generator<'_> {
    /// Which pieces are alike, where each starts, and what that makes a piece be called.
    fn home_items(&self, id: PlacementId, quotient: &Quotient) -> TokenStream {
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece, place_type) = (&piece.alias, &piece.none, &place.alias);
        let mut homes = vec![quote!(#no_piece); self.game.domain(placement.places).len() + 1];
        for (piece, home) in placement.init.iter().enumerate() {
            if let Some(slot) = home.and_then(|home| homes.get_mut(home as usize)) {
                let piece = number(piece);
                *slot = quote!(#piece);
            }
        }
        homes.resize(homes.len().next_power_of_two(), quote!(#no_piece));
        let homes_len = number(homes.len());
        let firsts = quotient.first.iter().map(|first| number(*first as usize));
        let len = number(quotient.first.len());
        let pools = self.pool_items(id, quotient);
        quote! {
            #pools

            /// For each piece the first of those that are like it.
            static FIRST_OF_CLASS: [#piece_type; #len] = [#(#firsts),*];

            /// The piece that starts on each place.
            static HOME: [#piece_type; #homes_len] = [#(#homes),*];

            /// What a piece is called that stands on a place, by the first of those that are like it: the one that starts
            /// there if that is alike.
            #[inline(always)]
            fn name_at(first: #piece_type, place: #place_type) -> #piece_type {
                let home = #rt::support::at(&HOME, place as usize);
                match FIRST_OF_CLASS.get(home as usize) {
                    Some(&alike) if alike == first => home,
                    _ => first,
                }
            }
        }
    }

    /// The pieces that have places of their own, with these places.
    fn pool_items(&self, id: PlacementId, quotient: &Quotient) -> Option<TokenStream> {
        let placement = self.game.placement(id);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, place_type) = (&piece.alias, &place.alias);
        let count = number(quotient.pools.len());
        let pools = quotient.pools.iter().map(|pool| {
            let each = pool.pieces.iter().zip(&pool.places).map(|(piece, place)| {
                let (piece, place) = (number(*piece as usize), number(*place as usize));
                quote!((#piece, #place))
            });
            quote!(&[#(#each),*])
        });
        let len = quotient.first.len().next_power_of_two();
        let own = (0..len as u32).map(|piece| {
            let mut all = quotient
                .pools
                .iter()
                .flat_map(|pool| pool.pieces.iter().zip(&pool.places));
            let own = all.find(|(of, _)| **of == piece);
            number(own.map_or(0, |(_, place)| *place as usize))
        });
        let len = number(len);
        (!quotient.pools.is_empty()).then(|| {
            quote! {
                /// The place of its own that a piece has, if it has one.
                static OWN_PLACE: [#place_type; #len] = [#(#own),*];

                /// Pieces that are alike, each with a place of its own: the first of these places are taken.
                static POOLS: [&[(#piece_type, #place_type)]; #count] = [#(#pools),*];
            }
        })
    }

    /// A statement that brings the pieces on places of their own together, whatever their names.
    pub(in super::super) fn pools_filled(
        &self,
        id: PlacementId,
        quotient: &Quotient,
    ) -> Option<TokenStream> {
        let (rt, names) = (&self.rt, self.placement(id));
        let none = &self.domain(self.game.placement(id).pieces).none;
        let (places, contents) = (&names.places, &names.contents);
        (!quotient.pools.is_empty()).then(|| {
            quote! {
                for pool in POOLS {
                    let mut free = pool.iter();
                    for &(own, place) in pool {
                        let piece = #rt::support::at(&self.#contents, place as usize);
                        let alike = FIRST_OF_CLASS.get(piece as usize).is_some_and(|first| FIRST_OF_CLASS.get(own as usize) == Some(first));
                        if let Some(&(_, to)) = alike.then(|| free.next()).flatten() {
                            *#rt::support::at_mut(&mut self.#contents, place as usize) = #none;
                            *#rt::support::at_mut(&mut self.#contents, to as usize) = piece;
                            *#rt::support::at_mut(&mut self.#places, piece as usize) = to;
                        }
                    }
                }
            }
        })
    }

    /// The way from a position to the form in which pieces have names.
    pub(super) fn naming(
        &self,
        id: PlacementId,
        quotient: &Quotient,
        forms: &Forms,
    ) -> TokenStream {
        let rt = &self.rt;
        let names = self.placement(id);
        let placement = self.game.placement(id);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let (count, no_place) = (&place.count, &place.none);
        let classes: Vec<TokenStream> = (quotient.classes.iter())
            .map(|class| {
                let members = class.iter().map(|member| number(*member as usize));
                quote!(&[#(#members),*])
            })
            .collect();
        let (places, contents, content) = (&names.places, &names.contents, &forms.content);
        let properties = quotient
            .properties
            .iter()
            .zip(&forms.get)
            .map(|((var, _), get)| {
                let field = &self.var_fields[var.index()];
                quote!(*#rt::support::at_mut(&mut named.#field, piece as usize) = self.#get(place);)
            });
        let stand = quote! {
            *#rt::support::at_mut(&mut named.#places, piece as usize) = place;
            *#rt::support::at_mut(&mut named.#contents, place as usize) = piece;
            #(#properties)*
        };
        let pooled = (!quotient.pools.is_empty()).then(|| {
            quote! {
                for &(piece, place) in POOLS.into_iter().flatten() {
                    if FIRST_OF_CLASS.get(piece as usize) == Some(&self.#content(place)) {
                        #stand
                    }
                }
            }
        });
        let (piece, place_type) = (quote!(piece as usize), &place.alias);
        quote! {
            impl State {
                /// The position with names for its pieces.
                fn named(&self) -> Named {
                    static ROSTER: #rt::support::Roster<#piece_type> = #rt::support::Roster {
                        classes: &[#(#classes),*],
                        home: &HOME,
                        none: #no_piece,
                    };
                    let mut named = Named::new();
                    named.position = self.clone();
                    named.#places.fill(#no_place);
                    named.#contents.fill(#no_piece);
                    #pooled
                    let all = ROSTER.name(
                        usize::from(#count),
                        |place| self.#content(place as #place_type),
                        |place| #rt::support::at(&named.#contents, place) != #no_piece,
                        |piece| #rt::support::at(&named.#places, #piece) != #no_place,
                    );
                    for (piece, place) in all {
                        let place = place as #place_type;
                        #stand
                    }
                    named
                }
            }
        }
    }

    /// The form of a position in which pieces have names, and the way to it; and what names stand for others.
    pub(in super::super) fn named_items(&self, given: Vec<Field>) -> TokenStream {
        let Some((id, quotient, forms)) = self.nameless() else {
            return TokenStream::new();
        };
        let rt = &self.rt;
        let home_items = self.home_items(id, quotient);
        let naming = self.naming(id, quotient, forms);
        let declared = given.iter().map(|field| {
            let (name, ty, doc) = (&field.name, &field.ty, format!(" {}", field.doc));
            quote!(#[doc = #doc] #name: #ty)
        });
        let initial = given.iter().map(|field| {
            let (name, init) = (&field.name, &field.init);
            quote!(#name: #init)
        });
        let refresh = self.refresh(id);
        quote! {
            #home_items

            /// A position in which pieces have names: where a piece starts it stands if one of those that are like it does, the
            /// others follow in the order of their places.
            #[derive(Clone, Debug)]
            struct Named {
                #(#declared,)*
                /// The position.
                position: State,
            }

            #rt::derefs!(Named, position: State);

            impl Named {
                /// The start as the rules name it.
                fn new() -> Named {
                    Named { #(#initial,)* position: State::new() }
                }
                #refresh
            }

            #naming
        }
    }
}
