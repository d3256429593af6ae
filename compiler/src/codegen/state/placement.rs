//! The parts of the position that a placement has: what stands where, and sets that are kept beside it.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::Generator;
use super::super::code::{int_tokens, number};
use super::super::fields::{
    Field, Taken, array, counted_literal, counted_words, has_absent, padded, with_absent,
};
use super::super::forms::Forms;
use super::super::held::Held;
use super::super::motion::{Motion, Share, WHOLE_WORDS, event_id, moved};
use super::super::names::ident;
use super::super::slots::Slots;
use super::super::standing::{ByValue, Rows};
use super::super::types::{bytes_of, member_type};
use super::kinds::Telling;
use crate::ir::{Arrival, Game, Placement, PlacementForm, PlacementId, Type};

/// Fields and methods of a placement.
pub(in super::super) struct PlacementNames {
    /// The place of each piece.
    pub(in super::super) places: Ident,
    /// What stands on each place.
    pub(in super::super) contents: Ident,
    /// The method that tells it where only the places of each kind are kept.
    pub(in super::super) content: Ident,
    /// The places with a piece, where somebody asks for them.
    pub(in super::super) taken: Option<Taken>,
    /// The pieces that stand on the places of constant sets.
    pub(in super::super) on: Vec<(Vec<u32>, Ident)>,
    /// The free ones of constant sets of places, counted.
    pub(in super::super) free: Vec<(Vec<u32>, Ident)>,
    /// The places by the values of tables of what stands there.
    pub(in super::super) by: Vec<ByValue>,
    /// Rows of the board beside them.
    pub(in super::super) rows: Vec<Rows>,
    /// The places with pieces of which a variable has some value.
    pub(in super::super) held: Vec<Held>,
    /// Makes all of it anew.
    pub(in super::super) refresh: Ident,
    pub(in super::super) put: Ident,
    /// The methods that put a piece somewhere of which something is known.
    pub(in super::super) bring: Vec<(Arrival, Ident)>,
    pub(in super::super) take: Ident,
    /// The names of the sets of places by kind, of pieces without identity.
    pub(in super::super) kinds: Option<Slots>,
    /// How it is kept where its pieces have no names.
    pub(in super::super) forms: Option<Forms>,
}

/// How listeners hear of changes: the numbers of a piece and of the places that it leaves and reaches, and statements that tell
/// that it moved or is gone.
struct Heard {
    piece: TokenStream,
    from: TokenStream,
    place: TokenStream,
    moved: TokenStream,
    removed: TokenStream,
}

impl PlacementNames {
    /// The field with the places that have a piece.
    pub(in super::super) fn taken_field(&self) -> Option<&Ident> {
        match &self.taken {
            Some(Taken::Kept(field)) => Some(field),
            _ => None,
        }
    }

    /// The places with a piece in a position.
    pub(in super::super) fn taken_in(&self, position: &TokenStream) -> Option<TokenStream> {
        Some(match self.taken.as_ref()? {
            Taken::Kept(field) => quote!(#position.#field),
            Taken::Told(method) => quote!(#position.#method()),
        })
    }

    /// Whether sets are kept beside the placement.
    pub(in super::super) fn keeps_sets(&self) -> bool {
        let lists = self.on.len() + self.free.len() + self.by.len() + self.held.len();
        self.taken_field().is_some() || lists > 0 || self.forms.is_some()
    }
}

impl Generator<'_> {
    pub(in super::super) fn placement_fields(
        &self,
        id: PlacementId,
        places: &Ident,
        contents: &Ident,
        doc: &str,
    ) -> Vec<Field> {
        let placement = self.game.placement(id);
        let initial = Initial::of(self.game, placement);
        let (pieces, locations) = (placement.pieces, placement.places);
        let place_field = |values: Vec<Option<u32>>| {
            self.member_field(
                places,
                locations,
                values,
                format!("{doc}the place of each piece."),
            )
        };
        let content_field = |values: Vec<Option<u32>>| {
            self.member_field(
                contents,
                pieces,
                values,
                format!("{doc}what stands on each place."),
            )
        };
        match placement.form {
            PlacementForm::One => {
                vec![place_field(initial.places), content_field(initial.contents)]
            }
            PlacementForm::Anonymous => {
                let mut fields = Vec::new();
                if self.by_kind.contains(&id) {
                    fields.push(self.kinds_field(places, placement, &initial.contents, doc));
                }
                if self.content_by_sets(id).is_none() {
                    fields.push(content_field(initial.contents));
                }
                fields
            }
            PlacementForm::Many => {
                let sets = initial.sets.iter().map(|set| self.set_literal(set, pieces));
                let len = padded(initial.sets.len());
                let mut sets: Vec<_> = sets.collect();
                sets.resize(len, self.set_literal(&[], pieces));
                let ty = self.value_type(&Type::Set(pieces));
                let count = number(len);
                let contents = Field {
                    name: contents.clone(),
                    ty: quote!([#ty; #count]),
                    init: array(sets),
                    bytes: 8 * self.words(pieces) * len,
                    doc: format!("{doc}the pieces on each place."),
                };
                vec![place_field(initial.places), contents]
            }
        }
    }

    /// The sets that are kept beside a placement.
    pub(super) fn plane_fields(&self, id: PlacementId, doc: &str) -> Vec<Field> {
        let placement = self.game.placement(id);
        let names = self.placement(id);
        let set_field =
            |name: &Ident, members: Vec<u32>, domain: crate::ir::DomainId, what: &str| Field {
                name: name.clone(),
                ty: self.value_type(&Type::Set(domain)),
                init: self.set_literal(&members, domain),
                bytes: 8 * self.words(domain),
                doc: format!("{doc}{what}"),
            };
        let standing = || {
            (0u32..)
                .zip(&placement.init)
                .filter_map(|(piece, place)| Some((piece, (*place)?)))
        };
        let taken = names.taken_field().into_iter().map(|name| {
            let mut places: Vec<u32> = standing().map(|(_, place)| place).collect();
            places.sort_unstable();
            set_field(name, places, placement.places, "the places with a piece.")
        });
        let on = names.on.iter().map(|(set, name)| {
            let pieces = standing().filter(|(_, place)| set.contains(place));
            let pieces = pieces.map(|(piece, _)| piece).collect();
            set_field(
                name,
                pieces,
                placement.pieces,
                "the pieces on some of the places.",
            )
        });
        let free = names.free.iter().map(|(set, name)| {
            let words = counted_words(set);
            let taken: Vec<u32> = standing().map(|(_, place)| place).collect();
            let free = set.iter().copied().filter(|place| !taken.contains(place));
            let (init, ty) = (counted_literal(free, words), number(words));
            let rt = &self.rt;
            Field {
                name: name.clone(),
                ty: quote!(#rt::CountedSet<#ty>),
                init: quote!(#rt::CountedSet::of(#rt::BitSet(#init))),
                bytes: 12 * words + 4,
                doc: format!("{doc}the free ones of some of the places."),
            }
        });
        let standing = self.standing_fields(id).into_iter();
        let standing = standing.chain(self.held_fields(id));
        let standing = standing.map(|(name, ty, init, bytes, what)| Field {
            name,
            ty,
            init,
            bytes,
            doc: format!("{doc}{what}"),
        });
        taken.chain(on).chain(free).chain(standing).collect()
    }

    /// Statements that keep the sets beside a placement when a piece goes from `from` to a place, or off the board.
    pub(in super::super) fn plane_updates(&self, id: PlacementId, motion: Motion) -> TokenStream {
        let arrives = motion.arrives();
        let names = self.placement(id);
        if !names.keeps_sets() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let words = self.words(placement.places);
        let mut updates = TokenStream::new();
        if words <= WHOLE_WORDS {
            let words = number(words);
            let single =
                |place: TokenStream| quote!(#rt::BitSet::<#words>::single(#place as usize));
            let (from, place) = (single(quote!(from)), single(quote!(place)));
            // A piece that stood nowhere leaves no place of the board.
            updates.extend(match arrives {
                true => quote!(let (gone, come) = (#from, #place);),
                false => quote!(let gone = #from;),
            });
        }
        if let Some(taken) = names.taken_field() {
            updates.extend(moved(words, &quote!(self.#taken), true, arrives));
        }
        let places = self.game.placement(id).places;
        for (set, field) in &names.on {
            let is_in = |place: u32| set.binary_search(&place).is_ok();
            let (from, to) = (motion.from(is_in), motion.to(is_in));
            if from != Share::None && to != Share::All {
                updates.extend(quote!(self.#field.clear(piece as usize);));
            }
            updates.extend(match to {
                Share::None => None,
                Share::All if from == Share::All => None,
                Share::All => Some(quote!(self.#field.set(piece as usize);)),
                Share::Some => {
                    let there = self.is_among(set, places, &quote!(place));
                    Some(quote!(self.#field.set_if(piece as usize, #there);))
                }
            });
        }
        for (set, field) in &names.free {
            let is_in = |place: u32| set.binary_search(&place).is_ok();
            let there = |share: Share, at: TokenStream| match share {
                Share::None => None,
                Share::Some => Some(self.is_among(set, places, &at)),
                Share::All => Some(quote!(true)),
            };
            if let Some(left) = there(motion.from(is_in), quote!(from)) {
                updates.extend(quote!(self.#field.set_if(from as usize, #left);));
            }
            let to = motion.to(is_in);
            if let (Motion::Bring(_), Share::All) = (motion, to) {
                updates.extend(quote!(self.#field.remove(place as usize);));
            } else if let Some(reached) = there(to, quote!(place)) {
                updates.extend(quote!(self.#field.clear_if(place as usize, #reached);));
            }
        }
        updates.extend(self.standing_updates(id, motion));
        updates.extend(self.held_updates(id, motion));
        if arrives {
            let all: Vec<u32> = (0..placement.init.len() as u32).collect();
            let among = match motion {
                Motion::Bring(known) => &known.pieces,
                _ => &all,
            };
            updates.extend(self.form_updates(id, motion.leaves(), among));
        }
        updates
    }

    /// Some members of a domain for a comment.
    fn some_of(&self, members: &[u32], domain: crate::ir::DomainId) -> String {
        let text = |member: &u32| {
            let label = self.game.domain(domain).member(*member);
            format!("`{}`", label.replace('`', "'"))
        };
        match members {
            [] => String::from("none"),
            [one] => text(one),
            [one, other] => format!("{} or {}", text(one), text(other)),
            [first, between @ .., last] => {
                format!(
                    "{}, {}, or one of {} others",
                    text(first),
                    text(last),
                    between.len()
                )
            }
        }
    }

    /// Whether a place is one of a constant set: a table where a set is several words.
    fn is_among(
        &self,
        set: &[u32],
        places: crate::ir::DomainId,
        place: &TokenStream,
    ) -> TokenStream {
        let (rt, len) = (&self.rt, self.game.domain(places).len());
        if len <= 64 {
            let set = self.set_literal(set, places);
            return quote!((#set).contains(#place as usize));
        }
        let mut bytes = vec![0u8; (len + 1).next_power_of_two()];
        for place in set {
            bytes[*place as usize] = 1;
        }
        let (len, bytes) = (number(bytes.len()), Literal::byte_string(&bytes));
        quote!({
            static THERE: [u8; #len] = *#bytes;
            #rt::support::at(&THERE, #place as usize) != 0
        })
    }

    /// The method that makes the sets beside a placement anew, and its call.
    pub(in super::super) fn refresh(&self, id: PlacementId) -> TokenStream {
        let names = self.placement(id);
        if !names.keeps_sets() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let (places, name) = (&names.places, &names.refresh);
        let none = &self.domain(self.game.placement(id).places).none;
        let pieces = number(self.game.domain(self.game.placement(id).pieces).len());
        let fields = names
            .taken_field()
            .into_iter()
            .chain(names.on.iter().map(|(_, field)| field))
            .chain(names.held.iter().map(|held| &held.field));
        let taken = names
            .taken_field()
            .map(|taken| quote!(self.#taken.set(place as usize);));
        let on = names.on.iter().map(|(set, field)| {
            let there = self.is_among(set, self.game.placement(id).places, &quote!(place));
            quote!(self.#field.set_if(piece, #there);)
        });
        let freed = names.free.iter().map(|(set, field)| {
            let all = counted_literal(set.iter().copied(), counted_words(set));
            quote!(self.#field = #rt::CountedSet::of(#rt::BitSet(#all));)
        });
        let reached = names.free.iter().map(|(set, field)| {
            let there = self.is_among(set, self.game.placement(id).places, &quote!(place));
            quote!(self.#field.clear_if(place as usize, #there);)
        });
        let (first, each) = self.standing_refresh(id);
        let held = self.held_updates(id, Motion::Enter);
        let all: Vec<u32> = (0..self.game.placement(id).init.len() as u32).collect();
        let (cleared, form) = (self.form_cleared(id), self.form_updates(id, false, &all));
        let pools = self
            .forms(id)
            .and_then(|(quotient, _)| self.pools_filled(id, quotient));
        quote! {
            /// Makes what is kept beside the placement anew.
            fn #name(&mut self) {
                #pools
                #(self.#fields = #rt::BitSet::EMPTY;)*
                #(#freed)*
                #first
                #cleared
                for piece in 0..#pieces {
                    let place = #rt::support::at(&self.#places, piece);
                    if place != #none {
                        #taken
                        #(#on)*
                        #(#reached)*
                        #each
                        #held
                        #form
                    }
                }
            }
        }
    }

    /// Statements that make the sets beside all placements anew.
    pub(in super::super) fn refresh_calls(&self, state: &TokenStream) -> TokenStream {
        let placements = self.placements.iter();
        let kept = placements.filter(|names| names.keeps_sets());
        kept.map(|names| {
            let name = &names.refresh;
            quote!(#state.#name();)
        })
        .collect()
    }

    /// An array of optional members.
    fn member_field(
        &self,
        name: &Ident,
        domain: crate::ir::DomainId,
        values: Vec<Option<u32>>,
        doc: String,
    ) -> Field {
        let len = with_absent(values.len());
        let names = self.domain(domain);
        let (alias, none) = (&names.alias, &names.none);
        let count = number(len);
        let stored = member_type(self.game.domain(domain).len());
        let init = if stored == "u8" && len >= 64 && values.iter().any(Option::is_some) {
            let byte = |value: &Option<u32>| value.map_or(u8::MAX, |value| value as u8);
            let mut bytes: Vec<u8> = values.iter().map(byte).collect();
            bytes.resize(len, u8::MAX);
            let bytes = Literal::byte_string(&bytes);
            quote!(*#bytes)
        } else {
            let value = |value: &Option<u32>| match value {
                Some(value) => int_tokens(i64::from(*value)),
                None => quote!(#none),
            };
            let mut values: Vec<_> = values.iter().map(value).collect();
            values.resize(len, quote!(#none));
            array(values)
        };
        Field {
            name: name.clone(),
            ty: quote!([#alias; #count]),
            init,
            bytes: bytes_of(stored) * len,
            doc,
        }
    }

    pub(super) fn placement_methods(&self, index: usize) -> TokenStream {
        let id = PlacementId::from(index);
        let placement = self.game.placement(id);
        let heard = self.heard(placement);
        match placement.form {
            PlacementForm::One if self.placement(id).forms.is_some() => {
                let (put, standing) = (self.put_unnamed(id), self.standing_methods(id));
                let (methods, brings) = (self.form_methods(id), self.bring_methods(id, &heard));
                quote!(#methods #standing #(#brings)* #put)
            }
            PlacementForm::One => self.methods_of_one(id, &heard),
            PlacementForm::Many => self.methods_of_many(id, &heard),
            PlacementForm::Anonymous => self.anonymous_methods(
                id,
                &Telling {
                    place: heard.place,
                    piece_offset: event_id(self.piece_offset(placement.pieces)),
                },
            ),
        }
    }

    /// How listeners hear of changes of a placement.
    fn heard(&self, placement: &Placement) -> Heard {
        let rt = &self.rt;
        let no_place = &self.domain(placement.places).none;
        let (piece_id, place_id) = (
            event_id(self.piece_offset(placement.pieces)),
            event_id(self.place_offset(placement.places)),
        );
        let numbered = |name: &str, offset: &TokenStream| {
            let name = ident(name);
            quote!(u32::from(#name) #offset)
        };
        let (p, f, t) = (
            numbered("piece", &piece_id),
            numbered("from", &place_id),
            numbered("place", &place_id),
        );
        Heard {
            moved: quote! {
                if ev.active() && from != place {
                    ev.event(match from {
                        #no_place => #rt::Event::Placed { piece: #p, at: #t },
                        _ => #rt::Event::Moved { piece: #p, from: #f, to: #t },
                    });
                }
            },
            removed: quote! {
                if ev.active() {
                    ev.event(#rt::Event::Removed { piece: #p, at: #f });
                }
            },
            piece: p,
            from: f,
            place: t,
        }
    }

    /// The methods that move a piece of which something is known.
    fn bring_methods(&self, id: PlacementId, heard: &Heard) -> Vec<TokenStream> {
        let rt = &self.rt;
        let (placement, names) = (self.game.placement(id), self.placement(id));
        let piece = self.domain(placement.pieces);
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let place_type = &self.domain(placement.places).alias;
        let (places_field, contents) = (&names.places, &names.contents);
        let at = quote!(#rt::support::at);
        let at_mut = quote!(#rt::support::at_mut);
        let (p, f, t) = (&heard.piece, &heard.from, &heard.place);
        let unnamed = names.forms.is_some();
        // The places are known, so masks only spare tests of their range.
        let mask = |last: Option<&u32>| {
            let last = last.copied().unwrap_or(0) as usize;
            number((last + 1).next_power_of_two() - 1)
        };
        let mask_of_place = |known: &Arrival| {
            let mask = mask(known.to.last());
            quote!(let place = place & #mask;)
        };
        let brings = names.bring.iter().map(|(known, bring)| {
            let entered = self.plane_updates(id, Motion::Bring(known));
            let (pieces, places) = (placement.pieces, placement.places);
            let mask = mask(known.from.last());
            let narrow = mask_of_place(known);
            let doc = format!(
                " Moves a piece of which is known: it is {}, stands on {}, and comes to {}, which is free.",
                self.some_of(&known.pieces, pieces),
                self.some_of(&known.from, places),
                self.some_of(&known.to, places),
            );
            if unnamed {
                return self.bring_unnamed(id, known, bring, &doc, (&narrow, &mask));
            }
            quote! {
                #[doc = #doc]
                #[inline(always)]
                fn #bring<E: #rt::Events>(&mut self, piece: #piece_type, place: #place_type, ev: &mut E) {
                    #narrow
                    let from = #at(&self.#places_field, piece as usize) & #mask;
                    *#at_mut(&mut self.#contents, from as usize) = #no_piece;
                    *#at_mut(&mut self.#contents, place as usize) = piece;
                    *#at_mut(&mut self.#places_field, piece as usize) = place;
                    #entered
                    if ev.active() {
                        ev.event(#rt::Event::Moved { piece: #p, from: #f, to: #t });
                    }
                }
            }
        });
        brings.collect()
    }

    /// The methods of a placement whose places have room for one piece with a name.
    fn methods_of_one(&self, id: PlacementId, heard: &Heard) -> TokenStream {
        let rt = &self.rt;
        let (placement, names) = (self.game.placement(id), self.placement(id));
        let (put, take) = (&names.put, &names.take);
        let (places, contents) = (&names.places, &names.contents);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let (place_type, no_place) = (&place.alias, &place.none);
        let at = quote!(#rt::support::at);
        let at_mut = quote!(#rt::support::at_mut);
        let (moved, removed) = (&heard.moved, &heard.removed);
        let entered = self.plane_updates(id, Motion::Put);
        let gone = self.plane_updates(id, Motion::Take);
        // Where an absent place has a slot of its own, that may be written too.
        let slots = self.game.domain(placement.places).len();
        let leave = quote!(*#at_mut(&mut self.#contents, from as usize) = #no_piece;);
        let leave = match has_absent(slots) {
            true => leave,
            false => quote!(if from != #no_place { #leave }),
        };
        let (refresh, standing) = (self.refresh(id), self.standing_methods(id));
        let brings = self.bring_methods(id, heard);
        quote! {
            #refresh
            #standing
            #(#brings)*

            /// Moves a piece to a place that is free or its own; a fault otherwise.
            #[inline(always)]
            fn #put<E: #rt::Events>(&mut self, piece: #piece_type, place: #place_type, site: u16, ev: &mut E, cx: &mut #rt::Cx) {
                let other = #at(&self.#contents, place as usize);
                if other != #no_piece && other != piece {
                    cx.fail(site);
                    return;
                }
                let from = #at(&self.#places, piece as usize);
                #leave
                *#at_mut(&mut self.#contents, place as usize) = piece;
                *#at_mut(&mut self.#places, piece as usize) = place;
                #entered
                #moved
            }

            /// Takes a piece off the board.
            #[inline(always)]
            fn #take<E: #rt::Events>(&mut self, piece: #piece_type, ev: &mut E) {
                let from = #at(&self.#places, piece as usize);
                if from == #no_place {
                    return;
                }
                *#at_mut(&mut self.#contents, from as usize) = #no_piece;
                *#at_mut(&mut self.#places, piece as usize) = #no_place;
                #gone
                #removed
            }
        }
    }

    /// The methods of a placement whose places have room for all pieces.
    fn methods_of_many(&self, id: PlacementId, heard: &Heard) -> TokenStream {
        let rt = &self.rt;
        let (placement, names) = (self.game.placement(id), self.placement(id));
        let (put, take) = (&names.put, &names.take);
        let (places, contents) = (&names.places, &names.contents);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, place_type, no_place) = (&piece.alias, &place.alias, &place.none);
        let at = quote!(#rt::support::at);
        let at_mut = quote!(#rt::support::at_mut);
        let (moved, removed) = (&heard.moved, &heard.removed);
        quote! {
            /// Moves a piece to a place.
            #[inline(always)]
            fn #put<E: #rt::Events>(&mut self, piece: #piece_type, place: #place_type, ev: &mut E) {
                let from = #at(&self.#places, piece as usize);
                if from != #no_place {
                    #at_mut(&mut self.#contents, from as usize).clear(piece as usize);
                }
                #at_mut(&mut self.#contents, place as usize).set(piece as usize);
                *#at_mut(&mut self.#places, piece as usize) = place;
                #moved
            }

            /// Takes a piece off the board.
            #[inline(always)]
            fn #take<E: #rt::Events>(&mut self, piece: #piece_type, ev: &mut E) {
                let from = #at(&self.#places, piece as usize);
                if from == #no_place {
                    return;
                }
                #at_mut(&mut self.#contents, from as usize).clear(piece as usize);
                *#at_mut(&mut self.#places, piece as usize) = #no_place;
                #removed
            }
        }
    }
}

/// The initial values of a placement in both directions.
struct Initial {
    places: Vec<Option<u32>>,
    contents: Vec<Option<u32>>,
    sets: Vec<Vec<u32>>,
}

impl Initial {
    fn of(game: &Game, placement: &Placement) -> Initial {
        let places = game.domain(placement.places).len();
        if placement.form == PlacementForm::Anonymous {
            return Initial {
                places: Vec::new(),
                contents: placement.init.clone(),
                sets: Vec::new(),
            };
        }
        let mut contents = vec![None; places];
        let mut sets = vec![Vec::new(); places];
        for (piece, &place) in placement.init.iter().enumerate() {
            let Some(place) = place.filter(|&place| (place as usize) < places) else {
                continue;
            };
            contents[place as usize] = Some(piece as u32);
            sets[place as usize].push(piece as u32);
        }
        Initial {
            places: placement.init.clone(),
            contents,
            sets,
        }
    }
}
