//! What a program that uses a game as a library finds beside the numbers: members of domains by name, and what stands where.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::names::{Case, Scope, ident};
use crate::ir::{Domain, DomainId, Members, Placement, PlacementForm, PlacementId};

/// Members that have constants: of more, nobody wants to read the list.
const MOST_CONSTANTS: usize = 256;

impl Generator<'_> {
    /// The module of names and the methods of positions that use it.
    pub(super) fn library(&self) -> TokenStream {
        let domains = self.game.domains.iter().enumerate();
        let types: TokenStream = domains
            .map(|(index, domain)| self.member_type(DomainId::from(index), domain))
            .collect();
        let placements = self.game.placements.iter().enumerate();
        let mut scope = Scope::default();
        let methods: TokenStream = placements
            .map(|(index, placement)| {
                let name = scope.ident(&placement.name, Case::Snake);
                self.standing_at(PlacementId::from(index), placement, &name)
            })
            .collect();
        let methods = match methods.is_empty() {
            true => methods,
            false => quote!(impl State { #methods }),
        };
        quote! {
            /// Places, pieces and players by name, for programs that use the game as a library.
            pub mod names {
                use super::rt;
                #types
            }
            #methods
        }
    }

    fn member_type(&self, id: DomainId, domain: &Domain) -> TokenStream {
        let rt = &self.rt;
        let names = self.domain(id);
        let (alias, texts) = (&names.alias, &names.names);
        let constants = match &domain.members {
            Members::Names(texts) if texts.len() <= MOST_CONSTANTS => constants(texts),
            _ => TokenStream::new(),
        };
        quote!(#rt::members!(#alias(super::#alias), super::#texts; #constants);)
    }

    /// The method that tells what stands on a place.
    fn standing_at(&self, id: PlacementId, placement: &Placement, name: &Ident) -> TokenStream {
        let (method, board) = match self.game.placements.len() {
            1 => (ident("at"), ident("board")),
            _ => (format_ident!("at_{name}"), format_ident!("board_{name}")),
        };
        let place = &self.domain(placement.places).alias;
        let piece = &self.domain(placement.pieces).alias;
        let mut text = format!(
            "What stands on a place, by the placement `{}`.",
            placement.name
        );
        let value = match self.unnamed(id) {
            Some((_, forms)) => {
                text.push_str(" Several pieces that are alike may have one name.");
                let content = &forms.content;
                quote!({
                    let place = place.number() as #place;
                    name_at(self.#content(place), place)
                })
            }
            None => self.content_at(id, &quote!(self), &quote!(place.number())),
        };
        let doc = self.doc(&text, placement.span);
        let board_doc = " All places, and what stands there.";
        let board_doc = quote!(#[doc = #board_doc]);
        match placement.form {
            PlacementForm::Many => quote! {
                #doc
                pub fn #method(&self, place: names::#place) -> impl Iterator<Item = names::#piece> {
                    let all = #value;
                    names::#piece::all().filter(move |piece| all.contains(piece.number() as usize))
                }
            },
            PlacementForm::One | PlacementForm::Anonymous => quote! {
                #doc
                pub fn #method(&self, place: names::#place) -> Option<names::#piece> {
                    names::#piece::new(#value)
                }

                #board_doc
                pub fn #board(&self) -> impl Iterator<Item = (names::#place, Option<names::#piece>)> + '_ {
                    names::#place::all().map(|place| (place, self.#method(place)))
                }
            },
        }
    }
}

/// A constant for each member, by its text.
fn constants(texts: &[String]) -> TokenStream {
    let mut scope = Scope::default();
    let members = texts.iter().map(|text| scope.ident(text, Case::Upper));
    quote!(#(#members),*)
}
