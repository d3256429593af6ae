//! Images of positions without names under symmetries: sets of places are renamed as wholes, and nobody asks which piece is which.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::ir::{Const, PlacementId, Symmetry, Type, VarId};
use crate::quotient::Quotient;

use super::super::code::number;
use super::super::fields::{counted_literal, counted_words};
use super::{Forms, Generator};

/// A symmetry is written as shifts where these are fewer than one for so many places.
const PLACES_A_SHIFT: usize = 4;

/// A set of places in a position, by what stands there.
#[derive(Clone, PartialEq)]
enum Where {
    /// Any piece.
    Taken,
    /// A piece of a class, by its number.
    Class(usize),
    /// A piece of which the table of a list of sets has a value: the numbers of the list and of the value.
    Slot(usize, usize),
    /// A piece of which a variable has a value.
    Value(VarId, Const),
}

impl Generator<'_> {
    /// Statements that make the sets of places of the image `s` of the position `from`, and the lists that they use; nothing where
    /// more is kept of the placement than such sets.
    pub(in super::super) fn image_of_sets(
        &self,
        id: PlacementId,
    ) -> Option<(TokenStream, TokenStream)> {
        let (quotient, forms) = self.forms(id)?;
        let names = self.placement(id);
        let unsure = |(var, _): &(VarId, Vec<Const>)| self.game.unsure.contains(var);
        let others = (0..self.placements.len()).map(PlacementId::from);
        let mut others = others.filter(|other| *other != id);
        let pools_alone = quotient.pools.is_empty() || quotient.properties.is_empty();
        if !pools_alone
            || !names.on.is_empty()
            || !names.rows.is_empty()
            || quotient.properties.iter().any(unsure)
            || others.any(|other| self.placement(other).keeps_sets())
        {
            return None;
        }
        let rt = &self.rt;
        let own = self.own_sets(id, quotient, forms);
        let mut sources: Vec<Where> = Vec::new();
        let mut numbers = Vec::new();
        for symmetry in &self.game.symmetries.all {
            let mut of = Vec::new();
            for (set, _) in &own {
                let source = self.source_of(id, quotient, symmetry, set)?;
                let at = sources.iter().position(|other| *other == source);
                of.push(number(at.unwrap_or_else(|| {
                    sources.push(source);
                    sources.len() - 1
                })));
            }
            numbers.push(quote!([#(#of),*]));
        }
        let from = quote!(from);
        let sets: Vec<TokenStream> = (sources.iter())
            .map(|set| self.set_where(id, quotient, forms, set, &from))
            .collect::<Option<_>>()?;
        let made = own.iter().zip(0..).map(|((_, field), at)| {
            let at = number(at);
            quote!(s.#field = image(#at);)
        });
        let filled = self.pools_of_image(quotient, forms, &own)?;
        let taken = forms.standing(&quote!(s));
        let free = names.free.iter().map(|(set, field)| {
            let words = counted_words(set);
            let (all, words) = (counted_literal(set.iter().copied(), words), number(words));
            quote!(s.#field = #rt::CountedSet::of(#rt::BitSet(#all) - (#taken).first_words::<#words>());)
        });
        let (count, width) = (number(self.game.symmetries.all.len()), number(own.len()));
        let places = self.game.placement(id).places;
        let (words, renamings) = (number(self.words(places)), self.renamings(id));
        let items = quote! {
            /// What becomes of places under each symmetry.
            static NEW_PLACES: [#rt::support::Renaming<#words>; #count] = [#(#renamings),*];

            /// The sets that those of the image are made from, under each symmetry.
            static SETS_OF_IMAGE: [[usize; #width]; #count] = [#(#numbers),*];
        };
        let body = quote! {
            let sets = [#(#sets),*];
            if let (Some(places), Some(of)) = (NEW_PLACES.get(symmetry), SETS_OF_IMAGE.get(symmetry)) {
                let image = |set: usize| places.of(#rt::support::at(&sets, #rt::support::at(of, set)));
                #(#made)*
                #filled
                #(#free)*
            }
        };
        Some((body, items))
    }

    /// Statements that bring the pieces on places of their own to the first of these places, where positions have them.
    fn pools_of_image(
        &self,
        quotient: &Quotient,
        forms: &Forms,
        own: &[(Where, TokenStream)],
    ) -> Option<TokenStream> {
        let mut all = TokenStream::new();
        let places = self.game.placement(quotient.placement).places;
        let words = number(self.words(places));
        for pool in &quotient.pools {
            let piece = pool.pieces.first()?;
            let class = (quotient.classes.iter()).position(|class| class.contains(piece))?;
            let of_class = |set: &Where| match set {
                Where::Taken => true,
                Where::Class(own) => *own == class,
                Where::Slot(at, slot) => {
                    let by = self.placement(quotient.placement).by.get(*at);
                    by.is_some_and(|by| by.pieces_of(*slot).any(|own| own == *piece))
                }
                Where::Value(..) => false,
            };
            let fields = own.iter().filter(|(set, _)| of_class(set));
            let fields = fields.map(|(_, field)| field);
            let set = forms.classes.get(class)?.of(&quote!(s));
            let (rt, count) = (&self.rt, number(pool.places.len() + 1));
            let first = (0..=pool.places.len())
                .map(|count| self.set_literal(&pool.places[..count], places));
            let among = self.set_literal(&pool.places, places);
            all.extend(quote!({
                static FIRST: [#rt::BitSet<#words>; #count] = [#(#first),*];
                let before = #set & #among;
                let after = #rt::support::at(&FIRST, before.count() as usize);
                #(s.#fields = (s.#fields - before) | after;)*
            }));
        }
        Some(all)
    }

    /// The sets that are kept, and where.
    fn own_sets(
        &self,
        id: PlacementId,
        quotient: &Quotient,
        forms: &Forms,
    ) -> Vec<(Where, TokenStream)> {
        let names = self.placement(id);
        let mut all: Vec<(Where, TokenStream)> = Vec::new();
        let mut add = |set: Where, field: TokenStream| {
            if all
                .iter()
                .all(|(_, own)| own.to_string() != field.to_string())
            {
                all.push((set, field));
            }
        };
        if let Some(taken) = names.taken_field() {
            add(Where::Taken, quote!(#taken));
        }
        for (at, by) in names.by.iter().enumerate().filter(|(_, by)| by.sets) {
            let filled = |slot: &usize| by.pieces_of(*slot).next().is_some();
            for slot in (0..by.count()).filter(filled) {
                let (field, place) = (&by.field, by.names.at(slot));
                add(Where::Slot(at, slot), quote!(#field[#place]));
            }
        }
        for held in &names.held {
            let field = &held.field;
            add(Where::Value(held.var, held.value.clone()), quote!(#field));
        }
        for (class, kept) in forms.classes.iter().enumerate() {
            add(Where::Class(class), kept.field());
        }
        for ((var, values), kept) in quotient.properties.iter().zip(&forms.values) {
            for (value, kept) in values.iter().zip(kept) {
                add(Where::Value(*var, value.clone()), kept.field());
            }
        }
        all
    }

    /// The set in a position whose places become those of a set in its image.
    fn source_of(
        &self,
        id: PlacementId,
        quotient: &Quotient,
        symmetry: &Symmetry,
        set: &Where,
    ) -> Option<Where> {
        let placement = self.game.placement(id);
        let source = |piece: u32| {
            let mut pieces = 0..self.game.domain(placement.pieces).len() as u32;
            pieces.find(|other| symmetry.member(placement.pieces, *other) == piece)
        };
        Some(match set {
            Where::Taken => Where::Taken,
            Where::Class(class) => {
                let piece = source(*quotient.classes.get(*class)?.first()?)?;
                let mut classes = quotient.classes.iter();
                Where::Class(classes.position(|class| class.contains(&piece))?)
            }
            Where::Slot(at, slot) => {
                let by = self.placement(id).by.get(*at)?;
                let pieces = by.pieces_of(*slot).map(source);
                let pieces: Vec<u32> = pieces.collect::<Option<_>>()?;
                let source = by.slot_of_all(&pieces)?;
                let all = by.pieces_of(source).count() == pieces.len();
                all.then_some(Where::Slot(*at, source))?
            }
            Where::Value(var, value) => {
                let (_, values) = quotient.properties.iter().find(|(own, _)| own == var)?;
                let image = |of: &Const| self.value_of_image(symmetry, *var, of);
                let mut values = values.iter();
                let source = values.find(|of| image(of).as_ref() == Some(value))?;
                Where::Value(*var, source.clone())
            }
        })
    }

    /// What the value of a variable becomes; nothing where that cannot be said.
    fn value_of_image(&self, symmetry: &Symmetry, var: VarId, value: &Const) -> Option<Const> {
        match (value, &self.game.var(var).ty) {
            (Const::Elem(member), Type::Elem(domain) | Type::Opt(domain)) => {
                Some(Const::Elem(symmetry.member(*domain, *member)))
            }
            (Const::Int(value), _) => Some(Const::Int(symmetry.value(self.game, var, *value))),
            (Const::None | Const::Bool(_), _) => Some(value.clone()),
            _ => None,
        }
    }

    /// Such a set in a position; nothing where no sets tell it.
    fn set_where(
        &self,
        id: PlacementId,
        quotient: &Quotient,
        forms: &Forms,
        set: &Where,
        position: &TokenStream,
    ) -> Option<TokenStream> {
        let names = self.placement(id);
        Some(match set {
            Where::Taken => match names.taken_in(position) {
                Some(taken) => taken,
                None => forms.standing(position),
            },
            Where::Class(class) => forms.classes.get(*class)?.of(position),
            Where::Slot(at, slot) => {
                let by = names.by.get(*at)?;
                let (field, slot) = (&by.field, by.names.at(*slot));
                quote!(#position.#field[#slot])
            }
            Where::Value(var, value) => {
                let properties = &quotient.properties;
                let at = properties.iter().position(|(own, _)| own == var)?;
                let kept = forms.values.get(at)?;
                let own = properties[at].1.iter().position(|own| own == value)?;
                match kept.get(own) {
                    Some(kept) => kept.of(position),
                    None => {
                        let standing = forms.standing(position);
                        let others = kept.iter().map(|kept| kept.of(position));
                        quote!((#standing) #(- #others)*)
                    }
                }
            }
        })
    }

    /// What becomes of the places of a placement under each symmetry.
    fn renamings(&self, id: PlacementId) -> Vec<TokenStream> {
        let rt = &self.rt;
        let places = self.game.placement(id).places;
        let count = self.game.domain(places).len() as u32;
        let of = |symmetry: &Symmetry| {
            let new = (0..count).map(|place| symmetry.member(places, place));
            let new: Vec<u32> = new.collect();
            let by = |place: u32| i64::from(new[place as usize]) - i64::from(place);
            let mut shifts: Vec<i64> = (0..count).map(by).collect();
            shifts.sort_unstable();
            shifts.dedup();
            if shifts.len() * PLACES_A_SHIFT > new.len() {
                let new = new.into_iter().map(Literal::u32_unsuffixed);
                return quote!(#rt::support::Renaming::Each(&[#(#new),*]));
            }
            let shifts = shifts.into_iter().map(|shift| {
                let members: Vec<u32> = (0..count).filter(|place| by(*place) == shift).collect();
                let (members, shift) = (
                    self.set_literal(&members, places),
                    Literal::i64_unsuffixed(shift),
                );
                quote!((#shift, #members))
            });
            quote!(#rt::support::Renaming::Shifts(&[#(#shifts),*]))
        };
        self.game.symmetries.all.iter().map(of).collect()
    }
}
