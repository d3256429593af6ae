//! Moves whose piece follows from its place.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::ir::{Const, Family, PlacementId, Type};
use crate::quotient::{Mover, Quotient};

use super::super::code::number;
use super::super::family::{FamilyNames, tuple};
use super::super::slices::Group;
use super::Generator;

impl Generator<'_> {
    /// What two equal positions without names have in common.
    pub(in super::super) fn form_words(&self, id: PlacementId) -> TokenStream {
        let Some((_, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let state = quote!(s);
        let sets = forms.classes.iter().chain(forms.values.iter().flatten());
        sets.map(|kept| {
            let set = kept.of(&state);
            quote!(for word in #set.0 { words.word(word); })
        })
        .collect()
    }

    /// The piece among the parameters of a family, where it is told by its place.
    pub(in super::super) fn mover_of(&self, family: &Family) -> Option<(&Quotient, &Mover)> {
        let quotient = self.quotient?;
        let at = self
            .game
            .families
            .iter()
            .position(|other| other.name == family.name)?;
        Some((quotient, quotient.families.get(at)?.as_ref()?))
    }

    /// The same of a group of parameters that is a piece and its place.
    pub(in super::super) fn moved_group(
        &self,
        family: &Family,
        group: &Group,
    ) -> Option<(&Quotient, &Mover)> {
        let (quotient, mover) = self.mover_of(family)?;
        let told = [Some(mover.piece), Some(mover.place), mover.own];
        let told = &told[..group.params.len().clamp(2, told.len())];
        let own = group.params.iter().map(|param| Some(*param));
        own.eq(told.iter().copied()).then_some((quotient, mover))
    }

    /// Statements that give the parameters of a family that a place tells, if it is known: the piece there, and the place of its
    /// own to which it goes.
    pub(in super::super) fn told_by_place(
        &self,
        (quotient, mover): (&Quotient, &Mover),
        names: &FamilyNames,
    ) -> TokenStream {
        let (piece, place) = (&names.params[mover.piece], &names.params[mover.place]);
        let named = self.named_piece(quotient, mover, piece, place);
        let own = mover
            .own
            .map(|own| own_place(self, &names.params[own], piece));
        quote!(#named #own)
    }

    /// The places where one of these pieces stands, or one that is like it, as an expression over `s`.
    pub(in super::super) fn standing_of(&self, pieces: &[u32]) -> TokenStream {
        let Some((id, quotient, forms)) = self.nameless() else {
            return TokenStream::new();
        };
        let state = quote!(s);
        let classes = quotient.classes.iter().zip(&forms.classes);
        let own = classes.filter(|(class, _)| class.iter().any(|piece| pieces.contains(piece)));
        let own: Vec<TokenStream> = own.map(|(_, kept)| kept.of(&state)).collect();
        match &own[..] {
            [] => self.set_literal(&[], self.game.placement(id).places),
            [only] => only.clone(),
            all => quote!((#(#all)|*)),
        }
    }

    /// The places that a move may take its piece from, where constants tell.
    pub(in super::super) fn origins(&self, quotient: &Quotient, mover: &Mover) -> Option<Vec<u32>> {
        let all = 0..self.game.domain(quotient.places()).len() as u32;
        let Some(when) = &mover.when else {
            return Some(all.collect());
        };
        let mut origins = Vec::new();
        for place in all {
            match self.value(when, place)? {
                Const::Bool(true) => origins.push(place),
                Const::Bool(false) => {}
                _ => return None,
            }
        }
        Some(origins)
    }

    /// A statement that names the piece on a place.
    fn named_piece(
        &self,
        quotient: &Quotient,
        mover: &Mover,
        piece: &Ident,
        place: &Ident,
    ) -> TokenStream {
        let ty = self.value_type(&Type::Elem(quotient.pieces()));
        let value = self.piece_there(quotient, mover, &quote!(#place));
        quote!(let #piece: #ty = #value;)
    }

    /// What the piece on a place is called, which is one that a move can take.
    pub(in super::super) fn piece_there(
        &self,
        quotient: &Quotient,
        mover: &Mover,
        place: &TokenStream,
    ) -> TokenStream {
        match (self.one_of(quotient, &mover.candidates), self.nameless()) {
            (Some(_), _) => self.named_there(quotient, mover, place),
            (None, Some(_)) => {
                let there = self.standing_among(quotient, &mover.candidates, &quote!(s), place);
                match self.may_start_there(quotient, mover) {
                    true => quote!(name_at(#there, #place)),
                    false => there,
                }
            }
            (None, None) => quote!(0),
        }
    }

    /// Whether a move may take its piece from a place where one of those that it can be starts.
    fn may_start_there(&self, quotient: &Quotient, mover: &Mover) -> bool {
        let Some(origins) = self.origins(quotient, mover) else {
            return true;
        };
        let starts = &self.game.placement(quotient.placement).init;
        let mut homes = mover
            .candidates
            .iter()
            .filter_map(|piece| starts.get(*piece as usize));
        homes.any(|home| home.is_some_and(|home| origins.contains(&home)))
    }

    /// The first of those that are like what stands on a place of `state`: it is one of these pieces.
    pub(in super::super) fn standing_among(
        &self,
        quotient: &Quotient,
        pieces: &[u32],
        state: &TokenStream,
        place: &TokenStream,
    ) -> TokenStream {
        let Some((_, _, forms)) = self.nameless() else {
            return quote!(0);
        };
        let classes = quotient.classes.iter().zip(&forms.classes);
        let own = classes.filter(|(class, _)| class.iter().any(|piece| pieces.contains(piece)));
        let mut all: Vec<_> = own
            .map(|(class, kept)| (kept.of(state), number(class[0] as usize)))
            .collect();
        // Of no piece any name will do.
        let Some((_, last)) = all.pop() else {
            return quote!(0);
        };
        let others = all
            .iter()
            .map(|(set, first)| quote!(if #set.contains((#place) as usize) { #first } else));
        match all.is_empty() {
            true => quote!(#last),
            false => quote!(#(#others)* { #last }),
        }
    }

    /// What a piece is called on a place, where all that a move can take are alike: a table by places.
    fn named_there(&self, quotient: &Quotient, mover: &Mover, place: &TokenStream) -> TokenStream {
        let (rt, domain) = (&self.rt, self.domain(quotient.pieces()));
        let alias = &domain.alias;
        let first = mover
            .candidates
            .first()
            .map_or(0, |piece| quotient.first[*piece as usize]);
        let mut names = vec![
            first;
            self.game
                .domain(quotient.places())
                .len()
                .next_power_of_two()
        ];
        let starts = &self.game.placement(quotient.placement).init;
        for (piece, home) in (0u32..).zip(starts) {
            if let (Some(home), true) = (home, quotient.first.get(piece as usize) == Some(&first))
                && let Some(name) = names.get_mut(*home as usize)
            {
                *name = piece;
            }
        }
        let len = number(names.len());
        let names = names.into_iter().map(|name| number(name as usize));
        let table = format_ident!("NAMES_OF_{}", first);
        let doc = format!(
            " What a piece like `{}` is called on each place.",
            self.game.domain(quotient.pieces()).member(first)
        );
        let item = quote!(#[doc = #doc] static #table: [#alias; #len] = [#(#names),*];);
        self.line_items.borrow_mut().insert(table.to_string(), item);
        quote!(#rt::support::at(&#table, (#place) as usize))
    }

    /// The loop over the places from which a move can take its piece.
    pub(in super::super) fn mover_loop(
        &self,
        quotient: &Quotient,
        mover: &Mover,
        names: &FamilyNames,
        inner: TokenStream,
    ) -> TokenStream {
        let (piece, place) = (&names.params[mover.piece], &names.params[mover.place]);
        let ty = self.value_type(&Type::Elem(quotient.places()));
        let mut standing = self.standing_of(&mover.candidates);
        let all = self.game.domain(quotient.places()).len();
        if let Some(origins) = self.origins(quotient, mover).filter(|own| own.len() < all) {
            let origins = self.set_literal(&origins, quotient.places());
            standing = quote!((#standing) & #origins);
        }
        let named = self.named_piece(quotient, mover, piece, place);
        quote!(for item in (#standing).iter() {
            let #place = item as #ty;
            #named
            #inner
        })
    }

    /// The function that gives moves the first of the pieces that are alike.
    pub(in super::super) fn first_named(&self) -> TokenStream {
        let Some((_, quotient, _)) = self.nameless() else {
            return TokenStream::new();
        };
        let arms = self.game.families.iter().enumerate().filter_map(|(index, family)| {
            if self.game.written_as(index.into()).index() != index {
                return None;
            }
            let mover = quotient.families.get(index)?.as_ref()?;
            let names = self.family_names(family);
            let (make, tag) = (&self.family_names[index], self.tags(index.into()));
            let place = &names.params[mover.place];
            let read = format_ident!("{make}_args");
            let pattern = tuple(&names.params);
            let (piece, params) = (&names.params[mover.piece], &names.params);
            let (asked, own) = match mover.own {
                Some(own) => {
                    let (rt, own) = (&self.rt, &names.params[own]);
                    let of = quote!(#rt::support::at(&OWN_PLACE, #piece as usize));
                    (
                        Some(quote!(let is_own = #own == #of;)),
                        Some(quote!(let #own = if is_own { #of } else { #own };)),
                    )
                }
                None => (None, None),
            };
            Some(quote!(#tag => {
                let #pattern = mv.#read();
                #asked
                let #piece = name_at(FIRST_OF_CLASS[(#piece as usize) % FIRST_OF_CLASS.len()], #place);
                #own
                Move::#make(#(#params),*)
            }))
        });
        quote! {
            /// The same move with the piece by which others that are alike are called.
            fn first_named(mv: Move) -> Move {
                match mv.family() {
                    #(#arms)*
                    _ => mv,
                }
            }
        }
    }
}

/// A statement that names the place that a piece has to itself.
fn own_place(generator: &Generator<'_>, own: &Ident, piece: &Ident) -> TokenStream {
    let rt = &generator.rt;
    quote!(let #own = #rt::support::at(&OWN_PLACE, #piece as usize);)
}
