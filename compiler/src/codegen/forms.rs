//! Positions without the names of pieces ([`crate::quotient`]): what stands where is told by sets of places.
//!
//! There is a set of places for each class of pieces and for each value of a variable of pieces, less those that other sets
//! tell already. A piece is the first of its class wherever code asks for one. What is shown, written and read has names:
//! `Named`, in which a piece stands where it starts if one of those that are like it does, and the others follow in the order
//! of their places. Moves name their piece by the same rule, as far as its place tells.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::code::{Code, Prec, number};
use super::generate::FamilyNames;
use super::names::ident;
use super::state::{Field, Motion, PlacementNames, Taken, event_id};
use super::{Body, Gen};
use crate::ir::{
    Arrival, Const, Expr, ExprKind, Family, FaultCode, Game, IdentityTerm, LocalId, Over,
    PlacementId, Stmt, StmtKind, Type, VarId,
};
use crate::quotient::{Mover, Quotient};
use crate::source::Span;

use super::slices::Group;

/// The fields and methods that tell what stands where.
pub(super) struct Forms {
    /// For each class where its places are kept.
    classes: Vec<Kept>,
    /// For each property where the places with pieces of a value are kept; nothing for the last value.
    values: Vec<Vec<Kept>>,
    /// The field with sets of classes, and how many.
    class_field: (Ident, usize),
    /// The fields with sets of values, and how many.
    value_fields: Vec<(Ident, usize)>,
    /// The method that tells what stands on a place.
    pub(super) content: Ident,
    /// The methods that read and write properties of what stands on a place.
    get: Vec<Ident>,
    put: Vec<Ident>,
    /// The methods that write properties of what stands on many places.
    put_all: Vec<Ident>,
}

/// Where a set of places is kept.
enum Kept {
    /// A field as it is.
    Whole(Ident),
    /// A part of a field with several sets.
    Part(Ident, usize),
}

impl Kept {
    fn of(&self, state: &TokenStream) -> TokenStream {
        match self {
            Kept::Whole(field) => quote!(#state.#field),
            Kept::Part(field, at) => {
                let at = number(*at);
                quote!(#state.#field[#at])
            }
        }
    }
}

impl Forms {
    /// The places with a piece in a position.
    fn standing(&self, position: &TokenStream) -> TokenStream {
        let classes = self.classes.iter().map(|kept| kept.of(position));
        quote!((#(#classes)|*))
    }

    /// Whether the places with a piece are told by two sets that are kept anyway.
    pub(super) fn tells_standing(&self) -> bool {
        self.classes.len() == 2
    }

    /// The names for a placement whose other sets have theirs.
    pub(super) fn of(
        game: &Game,
        quotient: &Quotient,
        names: &PlacementNames,
        mut snake: impl FnMut(&str) -> Ident,
    ) -> Forms {
        let name = &game.placement(quotient.placement).name;
        let class_field = snake(&format!("{name} of class"));
        let mut own = 0;
        let next = |own: &mut usize, field: &Ident| {
            *own += 1;
            Kept::Part(field.clone(), *own - 1)
        };
        let classes = quotient.classes.iter().map(|class| {
            if let (Some(taken), 1) = (names.taken_field(), quotient.classes.len()) {
                return Kept::Whole(taken.clone());
            }
            let told = names
                .by
                .iter()
                .find_map(|by| Some((by, by.slot_alone(class)?)));
            match told {
                Some((by, slot)) => Kept::Part(by.field.clone(), slot),
                None => next(&mut own, &class_field),
            }
        });
        let classes: Vec<Kept> = classes.collect();
        let class_field = (class_field, own);
        let (mut values, mut value_fields) = (Vec::new(), Vec::new());
        for (var, all) in &quotient.properties {
            let field = snake(&format!("{name} with {}", game.var(*var).name));
            let mut own = 0;
            let held = |value: &Const| {
                let mut held = names.held.iter();
                held.find(|held| held.var == *var && held.value == *value)
            };
            // The last value is that of the rest.
            let told = all
                .iter()
                .rev()
                .skip(1)
                .rev()
                .map(|value| match held(value) {
                    Some(held) => Kept::Whole(held.field.clone()),
                    None => next(&mut own, &field),
                });
            values.push(told.collect());
            value_fields.push((field, own));
        }
        let mut each = |what: &str| -> Vec<Ident> {
            let vars = quotient
                .properties
                .iter()
                .map(|(var, _)| &game.var(*var).name);
            vars.map(|var| snake(&format!("{what} {name} {var}")))
                .collect()
        };
        Forms {
            classes,
            values,
            class_field,
            value_fields,
            get: each("get"),
            put: each("put"),
            put_all: each("put all"),
            content: snake(&format!("content of {name}")),
        }
    }
}

/// A property of what stands on a place, as code.
pub(super) struct Property<'a> {
    pub(super) get: &'a Ident,
    pub(super) put: &'a Ident,
    pub(super) put_all: &'a Ident,
}

impl Gen<'_> {
    /// How a placement is kept without names, if it is.
    pub(super) fn forms(&self, id: PlacementId) -> Option<(&Quotient, &Forms)> {
        let quotient = self.quotient.filter(|quotient| quotient.placement == id)?;
        Some((quotient, self.placement(id).forms.as_ref()?))
    }

    /// The same where code works on positions without names.
    pub(super) fn unnamed(&self, id: PlacementId) -> Option<(&Quotient, &Forms)> {
        self.forms(id).filter(|_| !self.naming.get())
    }

    /// The placement without names, if there is one.
    pub(super) fn nameless(&self) -> Option<(PlacementId, &Quotient, &Forms)> {
        let id = self.quotient?.placement;
        let (quotient, forms) = self.forms(id)?;
        Some((id, quotient, forms))
    }

    /// A variable of pieces that is kept by places.
    pub(super) fn property(&self, var: VarId) -> Option<Property<'_>> {
        let (_, quotient, forms) = self.nameless()?;
        let at = quotient
            .properties
            .iter()
            .position(|(own, _)| *own == var)?;
        Some(Property {
            get: forms.get.get(at)?,
            put: forms.put.get(at)?,
            put_all: forms.put_all.get(at)?,
        })
    }

    /// Makes code for positions with names, after the statement that makes such a one of `s`.
    pub(super) fn with_names(&self, make: impl FnOnce() -> TokenStream) -> TokenStream {
        if self.nameless().is_none() {
            return make();
        }
        let before = self.naming.replace(true);
        let code = make();
        self.naming.set(before);
        quote!(let s = &s.named(); #code)
    }

    /// Whether the terms of an identity look at pieces one by one.
    pub(super) fn looks_at_names(&self, terms: &[IdentityTerm]) -> bool {
        let each = |term: &IdentityTerm| {
            !matches!(
                term,
                IdentityTerm::Everything | IdentityTerm::Parts(_) | IdentityTerm::Value(_)
            )
        };
        self.nameless().is_some() && terms.iter().any(each)
    }

    /// The sets that only positions without names have.
    pub(super) fn form_fields(&self, id: PlacementId, doc: &str) -> Vec<Field> {
        let Some((quotient, forms)) = self.forms(id) else {
            return Vec::new();
        };
        let placement = self.game.placement(id);
        let set = |of: &dyn Fn(u32) -> bool| {
            let standing = (0u32..)
                .zip(&placement.init)
                .filter(|(piece, _)| of(*piece));
            let mut places: Vec<u32> = standing.filter_map(|(_, place)| *place).collect();
            places.sort_unstable();
            self.set_literal(&places, placement.places)
        };
        let ty = self.value_type(&Type::Set(placement.places));
        let field = |name: &Ident, sets: Vec<TokenStream>, what: &str| {
            let count = number(sets.len());
            Field {
                name: name.clone(),
                ty: quote!([#ty; #count]),
                bytes: 8 * self.words(placement.places) * sets.len(),
                init: quote!([#(#sets),*]),
                doc: format!("{doc}{what}"),
            }
        };
        let mut fields = Vec::new();
        let own = |kept: &Kept, name: &Ident| matches!(kept, Kept::Part(field, _) if field == name);
        let (name, count) = &forms.class_field;
        if *count > 0 {
            let classes = quotient.classes.iter().zip(&forms.classes);
            let classes = classes.filter(|(_, kept)| own(kept, name));
            let sets = classes.map(|(class, _)| set(&|piece| class.contains(&piece)));
            fields.push(field(
                name,
                sets.collect(),
                "the places of pieces that are alike.",
            ));
        }
        for (((var, values), kept), (name, count)) in quotient
            .properties
            .iter()
            .zip(&forms.values)
            .zip(&forms.value_fields)
        {
            if *count == 0 {
                continue;
            }
            let init = &self.game.var(*var).init;
            let sets = values.iter().zip(kept).filter(|(_, kept)| own(kept, name));
            let sets = sets.map(|(value, _)| set(&|piece| init.get(piece as usize) == Some(value)));
            let what = format!(
                "the places by `{}` of the pieces there.",
                self.game.var(*var).name
            );
            fields.push(field(name, sets.collect(), &what));
        }
        fields
    }

    /// Statements that follow a piece in the sets that only positions without names have: from `from` (if it stands anywhere) to
    /// `place`. Its properties have the names that [`Gen::form_values`] gives them, or are those of a position with names.
    pub(super) fn form_updates(&self, id: PlacementId, leaves: bool, among: &[u32]) -> TokenStream {
        let Some((quotient, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let mut updates = TokenStream::new();
        let (name, count) = &forms.class_field;
        if *count > 0 {
            let classes = quotient.classes.iter().zip(&forms.classes);
            for (class, kept) in classes {
                if !matches!(kept, Kept::Part(field, _) if field == name) {
                    continue;
                }
                let own = among.iter().filter(|piece| class.contains(piece)).count();
                let set = kept.of(&quote!(self));
                if own == 0 {
                    continue;
                }
                if own == among.len() {
                    let leave = leaves.then(|| quote!(#set.clear(from as usize);));
                    updates.extend(quote!(#leave #set.set(place as usize);));
                    continue;
                }
                let is = self.is_of_class(class, &quote!(piece));
                let leave = leaves.then(|| quote!(#set.clear(from as usize);));
                updates.extend(quote!(#leave #set.set_if(place as usize, #is);));
            }
        }
        for (((var, values), kept), (name, _)) in quotient
            .properties
            .iter()
            .zip(&forms.values)
            .zip(&forms.value_fields)
        {
            for (value, kept) in values.iter().zip(kept) {
                if !matches!(kept, Kept::Part(field, _) if field == name) {
                    continue;
                }
                let set = kept.of(&quote!(self));
                let holds = self.holds_value(*var, value, leaves);
                let leave = leaves.then(|| quote!(#set.clear(from as usize);));
                updates.extend(quote!(
                    #leave
                    let holds = #holds;
                    #set.set_if(place as usize, holds);
                ));
            }
        }
        updates
    }

    /// Whether the piece that moves has a value: its properties were read before it left its place.
    pub(super) fn holds_value(&self, var: VarId, value: &Const, leaves: bool) -> TokenStream {
        let ty = &self.game.var(var).ty;
        let value = self.store(ty, self.constant(value, ty)).tokens;
        match leaves {
            true => {
                let name = self.value_name(var);
                quote!(#name == #value)
            }
            false => {
                let (rt, field) = (&self.rt, &self.var_fields[var.index()]);
                quote!(#rt::support::at(&self.#field, piece as usize) == #value)
            }
        }
    }

    fn value_name(&self, var: VarId) -> Ident {
        format_ident!("its_{}", self.var_fields[var.index()])
    }

    /// Names for the properties of what stands on `from`.
    pub(super) fn form_values(&self, id: PlacementId) -> TokenStream {
        let Some((quotient, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let each = quotient.properties.iter().zip(&forms.get);
        each.map(|((var, _), get)| {
            let name = self.value_name(*var);
            quote!(let #name = self.#get(from);)
        })
        .collect()
    }

    fn is_of_class(&self, class: &[u32], piece: &TokenStream) -> TokenStream {
        let first = number(class.first().copied().unwrap_or(0) as usize);
        quote!(FIRST_OF_CLASS[(#piece as usize) % FIRST_OF_CLASS.len()] as usize == #first)
    }

    /// The first of the pieces that these are all alike to, if they are.
    pub(super) fn one_of(&self, quotient: &Quotient, pieces: &[u32]) -> Option<TokenStream> {
        let mut firsts = pieces
            .iter()
            .filter_map(|piece| quotient.first.get(*piece as usize));
        let first = firsts.next()?;
        firsts.all(|other| other == first).then(|| {
            let first = number(*first as usize);
            quote!(#first)
        })
    }

    /// The methods of positions without names.
    pub(super) fn form_methods(&self, id: PlacementId) -> TokenStream {
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
        quote! {
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

    /// The way from a position to the form in which pieces have names.
    fn naming(&self, id: PlacementId, quotient: &Quotient, forms: &Forms) -> TokenStream {
        let rt = &self.rt;
        let names = self.placement(id);
        let placement = self.game.placement(id);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let (count, no_place) = (&place.count, &place.none);
        let len = number(quotient.first.len());
        let classes: Vec<TokenStream> = (quotient.classes.iter())
            .map(|class| {
                let members = class.iter().map(|member| number(*member as usize));
                quote!(&[#(#members),*])
            })
            .collect();
        let class_count = number(classes.len());
        let class_of = quotient
            .first
            .iter()
            .map(|first| number(quotient.class_of(*first)));
        let (places, contents, content) = (&names.places, &names.contents, &forms.content);
        let properties = quotient
            .properties
            .iter()
            .zip(&forms.get)
            .map(|((var, _), get)| {
                let field = &self.var_fields[var.index()];
                quote!(*#rt::support::at_mut(&mut named.#field, piece as usize) = self.#get(place);)
            });
        quote! {
            impl State {
                /// The position with names for its pieces.
                fn named(&self) -> Named {
                    static CLASS: [u8; #len] = [#(#class_of),*];
                    static MEMBERS: [&[#piece_type]; #class_count] = [#(#classes),*];
                    let mut named = Named::new();
                    named.position = self.clone();
                    named.#places.fill(#no_place);
                    named.#contents.fill(#no_piece);
                    for home in [true, false] {
                        let mut next = [0usize; #class_count];
                        for place in 0..#count {
                            let first = self.#content(place);
                            if first == #no_piece || #rt::support::at(&named.#contents, place as usize) != #no_piece {
                                continue;
                            }
                            let mut piece = #rt::support::at(&HOME, place as usize);
                            if FIRST_OF_CLASS.get(piece as usize) != Some(&first) {
                                piece = #no_piece;
                            }
                            if !home {
                                let class = usize::from(#rt::support::at(&CLASS, first as usize));
                                let (members, next) = (#rt::support::at(&MEMBERS, class), #rt::support::at_mut(&mut next, class));
                                let free = members.get(*next..).unwrap_or_default().iter().position(|&member| {
                                    #rt::support::at(&named.#places, member as usize) == #no_place
                                });
                                let Some(free) = free else { continue };
                                *next += free + 1;
                                piece = members.get(*next - 1).copied().unwrap_or(#no_piece);
                            }
                            if piece == #no_piece {
                                continue;
                            }
                            *#rt::support::at_mut(&mut named.#places, piece as usize) = place;
                            *#rt::support::at_mut(&mut named.#contents, place as usize) = piece;
                            #(#properties)*
                        }
                    }
                    named
                }
            }
        }
    }

    /// The form of a position in which pieces have names, and the way to it; and what names stand for others.
    pub(super) fn named_items(&self, given: Vec<Field>) -> TokenStream {
        let Some((id, quotient, forms)) = self.nameless() else {
            return TokenStream::new();
        };
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

            impl ::core::ops::Deref for Named {
                type Target = State;

                #[inline(always)]
                fn deref(&self) -> &State {
                    &self.position
                }
            }

            impl ::core::ops::DerefMut for Named {
                #[inline(always)]
                fn deref_mut(&mut self) -> &mut State {
                    &mut self.position
                }
            }

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

    /// What two equal positions without names have in common.
    pub(super) fn form_words(&self, id: PlacementId) -> TokenStream {
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
    pub(super) fn mover_of(&self, family: &Family) -> Option<(&Quotient, &Mover)> {
        let quotient = self.quotient?;
        let at = self
            .game
            .families
            .iter()
            .position(|other| other.name == family.name)?;
        Some((quotient, quotient.families.get(at)?.as_ref()?))
    }

    /// The same of a group of parameters that is a piece and its place.
    pub(super) fn moved_group(
        &self,
        family: &Family,
        group: &Group,
    ) -> Option<(&Quotient, &Mover)> {
        let (quotient, mover) = self.mover_of(family)?;
        (group.params[..] == [mover.piece, mover.place]).then_some((quotient, mover))
    }

    /// The places where one of these pieces stands, as an expression over `s`.
    pub(super) fn standing_of(&self, pieces: &[u32]) -> TokenStream {
        let Some((id, quotient, forms)) = self.nameless() else {
            return TokenStream::new();
        };
        let state = quote!(s);
        let classes = quotient.classes.iter().zip(&forms.classes);
        let own = classes.filter(|(class, _)| pieces.contains(&class[0]));
        let own: Vec<TokenStream> = own.map(|(_, kept)| kept.of(&state)).collect();
        match &own[..] {
            [] => self.set_literal(&[], self.game.placement(id).places),
            [only] => only.clone(),
            all => quote!((#(#all)|*)),
        }
    }

    /// The places that a move may take its piece from, where constants tell.
    pub(super) fn origins(&self, quotient: &Quotient, mover: &Mover) -> Option<Vec<u32>> {
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
    pub(super) fn piece_there(
        &self,
        quotient: &Quotient,
        mover: &Mover,
        piece: &Ident,
        place: &Ident,
    ) -> TokenStream {
        let ty = self.value_type(&Type::Elem(quotient.pieces()));
        let value = match (self.one_of(quotient, &mover.candidates), self.nameless()) {
            (Some(_), _) => self.named_there(quotient, mover, place),
            (None, Some((_, _, forms))) => {
                let content = &forms.content;
                quote!(name_at(s.#content(#place), #place))
            }
            (None, None) => quote!(0),
        };
        quote!(let #piece: #ty = #value;)
    }

    /// What a piece is called on a place, where all that a move can take are alike: a table by places.
    fn named_there(&self, quotient: &Quotient, mover: &Mover, place: &Ident) -> TokenStream {
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
        quote!({
            static NAMES: [#alias; #len] = [#(#names),*];
            #rt::support::at(&NAMES, #place as usize)
        })
    }

    /// The loop over the places from which a move can take its piece.
    pub(super) fn mover_loop(
        &self,
        quotient: &Quotient,
        mover: &Mover,
        names: &FamilyNames,
        inner: TokenStream,
    ) -> TokenStream {
        let (piece, place) = (&names.params[mover.piece], &names.params[mover.place]);
        let ty = self.value_type(&Type::Elem(quotient.places()));
        let standing = self.standing_of(&mover.candidates);
        let named = self.piece_there(quotient, mover, piece, place);
        quote!(for item in (#standing).iter() {
            let #place = item as #ty;
            #named
            #inner
        })
    }

    /// The function that gives moves the first of the pieces that are alike.
    pub(super) fn first_named(&self) -> TokenStream {
        let Some((_, quotient, _)) = self.nameless() else {
            return TokenStream::new();
        };
        let arms = self.game.families.iter().enumerate().filter_map(|(index, family)| {
            let mover = quotient.families.get(index)?.as_ref()?;
            let names = self.family_names(family);
            let (make, tag) = (&self.family_names[index], number(index));
            let place = &names.params[mover.place];
            let read = format_ident!("{make}_args");
            let pattern = super::generate::tuple(&names.params);
            let (piece, params) = (&names.params[mover.piece], &names.params);
            Some(quote!(#tag => {
                let #pattern = mv.#read();
                let #piece = name_at(FIRST_OF_CLASS[(#piece as usize) % FIRST_OF_CLASS.len()], #place);
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

impl Body<'_> {
    /// A property of a piece that is told by its place.
    pub(super) fn read_property(&self, var: VarId, index: &[Expr]) -> Option<Code> {
        let krate = self.krate;
        if krate.naming.get() {
            return None;
        }
        let property = krate.property(var)?;
        let ([piece], Some(quotient)) = (index, krate.quotient) else {
            return None;
        };
        let placed = quotient.placed(piece)?;
        let (there, place) = (self.expr(piece), self.expr(placed.place));
        let (get, at) = (property.get, &place.tokens);
        let read = quote!(s.#get(#at));
        let ask = there.busy.then(|| {
            let there = &there.tokens;
            quote!(let _ = #there;)
        });
        let read = match (placed.when, ask) {
            (None, None) => return Some(Code::atom(read).like(&[&place])),
            (None, Some(ask)) => quote!({ #ask #read }),
            (Some(when), ask) => {
                let when = self.expr(when).tokens;
                let ty = &krate.game.var(var).ty;
                let other = krate.store(ty, Code::atom(krate.dummy(ty))).tokens;
                quote!({ #ask if #when { #read } else { #other } })
            }
        };
        Some(Code::new(read, Prec::Lowest).like(&[&there, &place]))
    }

    /// What a statement that moves a piece takes: the piece, or the place that tells it.
    pub(super) fn brought(&self, placement: PlacementId, piece: &Expr) -> TokenStream {
        let placed = self
            .krate
            .forms(placement)
            .and_then(|(quotient, _)| quotient.placed(piece));
        match placed {
            Some(placed) => self.expr(placed.place).tokens,
            None => self.expr(piece).tokens,
        }
    }

    /// Gives a property of a piece that is told by its place a value; `event` is over `at`, `before` and `value`.
    pub(super) fn write_property(
        &self,
        var: VarId,
        index: &[Expr],
        value: TokenStream,
    ) -> Option<TokenStream> {
        let krate = self.krate;
        let property = krate.property(var)?;
        let ([piece], Some(quotient)) = (index, krate.quotient) else {
            return None;
        };
        let placed = quotient.placed(piece)?;
        let (there, place) = (self.expr(piece).tokens, self.expr(placed.place).tokens);
        let (get, put) = (property.get, property.put);
        let event = self.property_event(var);
        let write = quote!(
            let at = #place;
            let before = s.#get(at);
            #event
            s.#put(at, value);
        );
        let write = match placed.when {
            None => write,
            Some(when) => {
                let when = self.expr(when).tokens;
                quote!(if #when { #write })
            }
        };
        Some(quote!({
            let piece = #there;
            let value = #value;
            #write
        }))
    }

    /// Gives a property of the pieces on all places of a set one value.
    pub(super) fn write_all(
        &self,
        local: LocalId,
        over: &Over,
        body: &[Stmt],
    ) -> Option<TokenStream> {
        let krate = self.krate;
        let (id, quotient, forms) = krate.nameless().filter(|_| !krate.naming.get())?;
        let wanted = written_for_all(quotient, local, over, body)?;
        let property = krate.property(wanted.var)?;
        let ty = &krate.game.var(wanted.var).ty;
        let value = krate.store(ty, self.expr(wanted.value)).tokens;
        let (places, place) = (
            self.expr(wanted.places).tokens,
            self.krate.value_type(&Type::Elem(quotient.places())),
        );
        let position = quote!(s);
        let taken = krate.placement(id).taken_in(&position);
        let taken = taken.unwrap_or_else(|| forms.standing(&position));
        let site = self.site(FaultCode::NoValue, wanted.span);
        let (get, put_all, content) = (property.get, property.put_all, &forms.content);
        let event = self.property_event(wanted.var);
        Some(quote!({
            let places = #places;
            let value = #value;
            if !places.is_subset(&#taken) { cx.fail(#site); }
            if ev.active() {
                for item in places.iter() {
                    let at = item as #place;
                    let (piece, before) = (s.#content(at), s.#get(at));
                    #event
                }
            }
            s.#put_all(places, value);
        }))
    }

    /// Tells listeners that a property of `piece` goes from `before` to `value`.
    fn property_event(&self, var: VarId) -> TokenStream {
        let krate = self.krate;
        let var = krate.game.var(var);
        let number_of = |name: &str| {
            let name = ident(name);
            let code = Code::atom(quote!(#name));
            match var.ty {
                Type::Int { .. } | Type::Wrap32 => quote!(i64::from(#name)),
                _ => krate.to_i64(&var.ty, &code).tokens,
            }
        };
        let (before, after) = (number_of("before"), number_of("value"));
        let offset = krate
            .quotient
            .and_then(|quotient| krate.piece_offset(quotient.pieces()))
            .unwrap_or(0);
        let offset = Literal::u32_unsuffixed(offset as u32);
        let (rt, name) = (&krate.rt, &var.name);
        quote!(
            if ev.active() && #before != #after {
                ev.event(#rt::Event::StateChanged { piece: u32::from(piece) + #offset, property: #name, value: #after });
            }
        )
    }
}

impl Gen<'_> {
    /// Statements that empty the sets that only positions without names have.
    pub(super) fn form_cleared(&self, id: PlacementId) -> TokenStream {
        let Some((_, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let rt = &self.rt;
        let fields = std::iter::once(&forms.class_field).chain(&forms.value_fields);
        let fields = fields.filter(|(_, count)| *count > 0);
        fields
            .map(|(field, _)| quote!(self.#field.fill(#rt::BitSet::EMPTY);))
            .collect()
    }

    /// The method that moves a piece of which something is known.
    pub(super) fn bring_unnamed(
        &self,
        id: PlacementId,
        known: &Arrival,
        name: &Ident,
        doc: &str,
        (narrow, mask): (&TokenStream, &Literal),
    ) -> TokenStream {
        let rt = &self.rt;
        let place_type = &self.domain(self.game.placement(id).places).alias;
        let values = self.form_values(id);
        let updates = self.plane_updates(id, Motion::Bring(known));
        let (piece, event) = (self.piece_on_from(id, &known.pieces), self.moved_event(id));
        quote! {
            #[doc = #doc]
            #[inline(always)]
            fn #name<E: #rt::Events>(&mut self, from: #place_type, place: #place_type, ev: &mut E) {
                #narrow
                let from = from & #mask;
                #piece
                #values
                #updates
                if ev.active() { #event }
            }
        }
    }

    /// The method that moves what stands on a place.
    pub(super) fn put_unnamed(&self, id: PlacementId) -> TokenStream {
        let Some((_, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let (rt, content) = (&self.rt, &forms.content);
        let placement = self.game.placement(id);
        let (place_type, no_piece) = (
            &self.domain(placement.places).alias,
            &self.domain(placement.pieces).none,
        );
        let all: Vec<u32> = (0..placement.init.len() as u32).collect();
        let values = self.form_values(id);
        let updates = self.plane_updates(id, Motion::Put);
        let (piece, event) = (self.piece_on_from(id, &all), self.moved_event(id));
        let put = &self.placement(id).put;
        quote! {
            /// Moves what stands on a place to one that is free or the same; a fault otherwise.
            #[inline(always)]
            fn #put<E: #rt::Events>(&mut self, from: #place_type, place: #place_type, site: u16, ev: &mut E, cx: &mut #rt::Cx) {
                if from != place && self.#content(place) != #no_piece {
                    cx.fail(site);
                    return;
                }
                #piece
                if piece == #no_piece {
                    return;
                }
                #values
                #updates
                if ev.active() && from != place { #event }
            }
        }
    }

    /// A name for what stands on `from`, where that is one of these pieces.
    fn piece_on_from(&self, id: PlacementId, among: &[u32]) -> TokenStream {
        let Some((quotient, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let ty = self.value_type(&Type::Elem(quotient.pieces()));
        match self.one_of(quotient, among) {
            Some(first) => quote!(let piece: #ty = #first;),
            None => {
                let content = &forms.content;
                quote!(let piece = self.#content(from);)
            }
        }
    }

    fn moved_event(&self, id: PlacementId) -> TokenStream {
        let (rt, placement) = (&self.rt, self.game.placement(id));
        let (piece, place) = (
            event_id(self.piece_offset(placement.pieces)),
            event_id(self.place_offset(placement.places)),
        );
        quote!(ev.event(#rt::Event::Moved {
            piece: u32::from(name_at(piece, from)) #piece,
            from: u32::from(from) #place,
            to: u32::from(place) #place,
        });)
    }
}

/// One value for a property of the pieces on all places of a set.
struct ForAll<'e> {
    var: VarId,
    places: &'e Expr,
    value: &'e Expr,
    /// Where it is a fault that nothing stands on one of them.
    span: Span,
}

/// What a loop gives all pieces on a set of places, if it does nothing else.
fn written_for_all<'e>(
    quotient: &Quotient,
    local: LocalId,
    over: &'e Over,
    body: &'e [Stmt],
) -> Option<ForAll<'e>> {
    let (Over::Set(places), [stmt]) = (over, body) else {
        return None;
    };
    let StmtKind::SetVar(var, index, value) = &stmt.kind else {
        return None;
    };
    let [piece] = &index[..] else { return None };
    let placed = quotient.placed(piece)?;
    let plain = match value.kind {
        ExprKind::Local(other) => other != local,
        ExprKind::Const(_) => true,
        _ => false,
    };
    let fits = quotient.game.var(*var).ty.contains(&value.ty);
    let own = placed.when.is_none() && placed.place.kind == ExprKind::Local(local);
    (plain && fits && own).then_some(ForAll {
        var: *var,
        places,
        value,
        span: piece.span,
    })
}

/// The variables of which pieces on many places get a value at once.
fn all_written(game: &Game, quotient: &Quotient) -> BTreeSet<VarId> {
    let mut all = BTreeSet::new();
    super::function::for_each_stmt(game, &mut |stmt| {
        if let StmtKind::ForEach(local, over, body) = &stmt.kind
            && let Some(wanted) = written_for_all(quotient, *local, over, body)
        {
            all.insert(wanted.var);
        }
    });
    all
}
