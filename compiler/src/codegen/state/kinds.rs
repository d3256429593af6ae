//! Placements of pieces without names: what stands on each place, or the places of each kind, or both.
//!
//! Of few kinds the sets are all that is kept: a change is then some operations on words that fit into registers, and no look-up by
//! a place decides which of them is written. To ask what stands on a place is to ask each of them.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::Generator;
use super::super::code::number;
use super::super::fields::{Field, array, free_slot, padded};
use super::super::motion::WHOLE_WORDS;
use crate::ir::{Game, Placement, PlacementForm, PlacementId, Type};

/// With so many kinds a change costs less than a look at what stood there before.
const FEW_KINDS: usize = 4;

/// The placements of which the places of each kind are kept, and nothing else: `by_kind` are those of which they are kept at all.
pub(in super::super) fn sets_alone(
    game: &Game,
    by_kind: &SortedSet<PlacementId>,
) -> SortedSet<PlacementId> {
    // A snapshot keeps both forms.
    let stored = game.snapshots.iter().flat_map(|slot| &slot.placements);
    let stored: SortedSet<PlacementId> = stored.copied().collect();
    let few = |id: PlacementId| {
        let placement = game.placement(id);
        placement.form == PlacementForm::Anonymous
            && game.domain(placement.pieces).len() <= FEW_KINDS
            && game.domain(placement.places).len() <= 64 * WHOLE_WORDS
    };
    by_kind
        .difference(&stored)
        .copied()
        .filter(|id| few(*id))
        .collect()
}

impl Generator<'_> {
    /// The method that tells what stands on a place where only sets are kept.
    pub(in super::super) fn content_by_sets(&self, id: PlacementId) -> Option<&Ident> {
        self.sets_alone
            .contains(&id)
            .then(|| &self.placement(id).content)
    }

    /// What stands on a place of a position.
    pub(in super::super) fn content_at(
        &self,
        id: PlacementId,
        position: &TokenStream,
        place: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        match self.content_by_sets(id) {
            Some(content) => {
                let alias = &self.domain(self.game.placement(id).places).alias;
                quote!(#position.#content(#place as #alias))
            }
            None => {
                let contents = &self.placement(id).contents;
                quote!(#rt::support::at(&#position.#contents, #place as usize))
            }
        }
    }

    /// What stands on each place in turn, as an iterator.
    pub(in super::super) fn contents_in_turn(
        &self,
        id: PlacementId,
        contents: &Ident,
        len: usize,
    ) -> TokenStream {
        let len = number(len);
        match self.content_by_sets(id) {
            Some(content) => {
                let alias = &self.domain(self.game.placement(id).places).alias;
                quote!((0 as #alias..#len).map(|place| s.#content(place)))
            }
            None => quote!(s.#contents.iter().take(#len).copied()),
        }
    }

    /// The number of the set of a kind, or of the free places, as code.
    pub(in super::super) fn kind_slot(&self, id: PlacementId, slot: usize) -> TokenStream {
        let kinds = self.game.domain(self.game.placement(id).pieces).len();
        match &self.placement(id).kinds {
            Some(names) if slot < kinds => names.at(slot),
            Some(names) if free_slot(kinds) == Some(slot) => names.free(),
            _ => {
                let slot = number(slot);
                quote!(#slot)
            }
        }
    }

    /// The places of each kind.
    pub(super) fn kinds_field(
        &self,
        name: &Ident,
        placement: &Placement,
        contents: &[Option<u32>],
        doc: &str,
    ) -> Field {
        let places = placement.places;
        let set = |kind: Option<u32>| {
            let on = (0u32..).zip(contents).filter(|(_, on)| **on == kind);
            let members: Vec<u32> = on.map(|(place, _)| place).collect();
            self.set_literal(&members, places)
        };
        let kinds = self.game.domain(placement.pieces).len();
        let mut sets: Vec<_> = (0..kinds as u32).map(|kind| set(Some(kind))).collect();
        let len = match free_slot(kinds) {
            Some(slot) => {
                sets.resize(slot, self.set_literal(&[], places));
                sets.push(set(None));
                slot + 1
            }
            None => padded(kinds),
        };
        sets.resize(len, self.set_literal(&[], places));
        let (ty, count) = (self.value_type(&Type::Set(places)), number(len));
        let placements = self.game.placements.iter();
        let mut own = placements.zip(&self.placements);
        let own = own.find(|(other, _)| other.name == placement.name);
        let texts = own.and_then(|(_, names)| Some(names.kinds.as_ref()?.texts()));
        let texts = texts.unwrap_or_default();
        Field {
            name: name.clone(),
            ty: quote!([#ty; #count]),
            init: array(sets),
            bytes: 8 * self.words(places) * len,
            doc: format!("{doc}the places by kind: {texts}."),
        }
    }

    /// The methods of a placement whose pieces have no names.
    pub(super) fn anonymous_methods(&self, id: PlacementId, events: &Telling) -> TokenStream {
        let rt = &self.rt;
        let names = self.placement(id);
        let placement = self.game.placement(id);
        let (place_type, piece) = (
            &self.domain(placement.places).alias,
            self.domain(placement.pieces),
        );
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let put = &names.put;
        let (change, look) = match self.content_by_sets(id) {
            Some(_) => (self.change_sets(id), self.look_at_sets(id)),
            None => (self.change_contents(id), TokenStream::new()),
        };
        let (place_number, piece_offset) = (&events.place, &events.piece_offset);
        quote! {
            #look

            /// Sets what stands on a place.
            #[inline(always)]
            fn #put<E: #rt::Events>(&mut self, place: #place_type, kind: #piece_type, ev: &mut E) {
                #change
                if ev.active() {
                    let piece = |kind| (kind != #no_piece).then(|| u32::from(kind) #piece_offset);
                    #rt::support::tell_content(ev, #place_number, piece(before), piece(kind));
                }
            }
        }
    }

    /// Notes what stood on a place, and what stands there from now on, with the sets that are kept beside it.
    fn change_contents(&self, id: PlacementId) -> TokenStream {
        let rt = &self.rt;
        let names = self.placement(id);
        let pieces = self.game.placement(id).pieces;
        let (places, contents, no_piece) =
            (&names.places, &names.contents, &self.domain(pieces).none);
        let at_mut = quote!(#rt::support::at_mut);
        let clear = quote!(#at_mut(&mut self.#places, before as usize).clear(place as usize););
        let set = quote!(#at_mut(&mut self.#places, kind as usize).set(place as usize););
        let keep =
            self.by_kind
                .contains(&id)
                .then(|| match free_slot(self.game.domain(pieces).len()) {
                    Some(_) => quote!(#clear #set),
                    None => quote! {
                        if before != #no_piece {
                            #clear
                        }
                        if kind != #no_piece {
                            #set
                        }
                    },
                });
        quote! {
            let slot = #at_mut(&mut self.#contents, place as usize);
            let before = ::core::mem::replace(slot, kind);
            #keep
        }
    }

    /// The same where only sets are kept: what stood there is asked for if somebody is told.
    fn change_sets(&self, id: PlacementId) -> TokenStream {
        let rt = &self.rt;
        let names = self.placement(id);
        let placement = self.game.placement(id);
        let (places, content) = (&names.places, &names.content);
        let no_piece = &self.domain(placement.pieces).none;
        let kinds = self.game.domain(placement.pieces).len();
        let set_type = self.value_type(&Type::Set(placement.places));
        let slots = (0..kinds).chain(free_slot(kinds));
        let changes = slots.map(|slot| {
            let is_it = match slot < kinds {
                true => {
                    let kind = number(slot);
                    quote!(kind == #kind)
                }
                false => quote!(kind == #no_piece),
            };
            let slot = self.kind_slot(id, slot);
            quote! {
                self.#places[#slot] = (self.#places[#slot] - single)
                    | if #is_it { single } else { #rt::BitSet::EMPTY };
            }
        });
        quote! {
            let before = match ev.active() {
                true => self.#content(place),
                false => #no_piece,
            };
            let single = <#set_type>::single(place as usize);
            #(#changes)*
        }
    }

    fn look_at_sets(&self, id: PlacementId) -> TokenStream {
        let names = self.placement(id);
        let placement = self.game.placement(id);
        let (places, content) = (&names.places, &names.content);
        let place_type = &self.domain(placement.places).alias;
        let piece = self.domain(placement.pieces);
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let kinds: Vec<usize> = (0..self.game.domain(placement.pieces).len()).collect();
        let slots = kinds.iter().map(|kind| self.kind_slot(id, *kind));
        let kinds = kinds.iter().map(|kind| number(*kind));
        quote! {
            /// What stands on a place.
            #[inline(always)]
            fn #content(&self, place: #place_type) -> #piece_type {
                #(
                    if self.#places[#slots].contains(place as usize) {
                        return #kinds;
                    }
                )*
                #no_piece
            }
        }
    }
}

/// How a change is told to listeners: expressions of the number of a place, and what is added to the number of a kind.
pub(super) struct Telling {
    pub(super) place: TokenStream,
    pub(super) piece_offset: TokenStream,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::GameBuilder;
    use crate::ir::{Placement, Snapshot};
    use crate::source::Span;

    /// Whether the sets are all that is kept of a board with so many kinds and places.
    fn alone(kinds: usize, places: usize, stored: bool) -> bool {
        let span = Span::default();
        let mut builder = GameBuilder::new("board", "none", &["a"]);
        let names = |letter: &str, count| (0..count).map(|at| format!("{letter}{at}")).collect();
        let pieces = builder.names("Kind", names("k", kinds), span);
        let cells = builder.names("Place", names("p", places), span);
        let board = builder.placement(Placement {
            name: "board".to_owned(),
            pieces,
            places: cells,
            form: PlacementForm::Anonymous,
            init: vec![None; places],
            span,
        });
        if stored {
            builder.game.snapshots.push(Snapshot {
                name: "before".to_owned(),
                vars: Vec::new(),
                placements: vec![board],
            });
        }
        sets_alone(&builder.game, &SortedSet::from([board])).contains(&board)
    }

    #[test]
    fn few_kinds_need_no_list_of_what_stands_where() {
        assert!(alone(2, 64, false));
        assert!(alone(4, 100, false));
    }

    #[test]
    fn many_kinds_long_sets_and_snapshots_keep_the_list() {
        assert!(!alone(5, 64, false));
        assert!(!alone(2, 200, false));
        assert!(!alone(2, 64, true));
    }
}
