//! Positions without the names of pieces ([`crate::quotient`]): what stands where is told by sets of places.
//!
//! There is a set of places for each class of pieces and for each value of a variable of pieces, less those that other sets
//! tell already. A piece is the first of its class wherever code asks for one. What is shown, written and read has names:
//! `Named`, in which a piece stands where it starts if one of those that are like it does, and the others follow in the order
//! of their places. Moves name their piece by the same rule, as far as its place tells.

mod images;
mod methods;
mod movers;
mod named;

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::ir::{
    Arrival, Const, Expr, ExprKind, FaultCode, Game, IdentityTerm, LocalId, Over, PlacementId,
    Stmt, StmtKind, Type, VarId,
};
use crate::quotient::Quotient;
use crate::source::Span;

use super::code::{Code, Prec, number};
use super::fields::Field;
use super::held::Held;
use super::motion::{Motion, event_id};
use super::names::ident;
use super::slots::{class_name, property_name, property_text};
use super::standing::ByValue;
use super::{Body, Generator};

/// The fields and methods that tell what stands where.
pub(super) struct Forms {
    /// For each class where its places are kept.
    classes: Vec<Kept>,
    /// For each property where the places with pieces of a value are kept; nothing for the last value.
    values: Vec<Vec<Kept>>,
    /// The method that tells what stands on a place.
    pub(super) content: Ident,
    /// The methods that read and write properties of what stands on a place.
    get: Vec<Ident>,
    put: Vec<Ident>,
    /// The methods that write properties of what stands on many places.
    put_all: Vec<Ident>,
}

/// What is kept of a placement anyway.
pub(super) struct Beside<'n> {
    /// The field with the places that have a piece.
    pub(super) taken: Option<&'n Ident>,
    /// The places by the values of tables of what stands there.
    pub(super) by: &'n [ByValue],
    /// The places with pieces of which a variable has some value.
    pub(super) held: &'n [Held],
    /// The method that tells what stands on a place.
    pub(super) content: &'n Ident,
}

/// Where a set of places is kept.
enum Kept {
    /// A field for this alone.
    Own(Ident),
    /// A field that others ask for.
    Whole(Ident),
    /// A part of a field with several sets.
    Part(Ident, TokenStream),
}

impl Kept {
    fn of(&self, state: &TokenStream) -> TokenStream {
        let field = self.field();
        quote!(#state.#field)
    }

    /// The field, or the part of one.
    fn field(&self) -> TokenStream {
        match self {
            Kept::Own(field) | Kept::Whole(field) => quote!(#field),
            Kept::Part(field, at) => quote!(#field[#at]),
        }
    }
}

impl Forms {
    /// The places with a piece in a position.
    fn standing(&self, position: &TokenStream) -> TokenStream {
        let classes = self.classes.iter().map(|kept| kept.of(position));
        quote!(#(#classes)|*)
    }

    /// For each class the set of its places in the position `s`.
    pub(super) fn places_of_classes(&self) -> Vec<TokenStream> {
        self.classes
            .iter()
            .map(|kept| kept.of(&quote!(s)))
            .collect()
    }

    /// For each value of a variable of pieces but the last one the set of the places in the position `s` where it has that; other places may be in
    /// it that nothing stands on.
    pub(super) fn places_of_values(&self, property: usize) -> Vec<TokenStream> {
        let values = self.values.get(property).into_iter().flatten();
        values.map(|kept: &Kept| kept.of(&quote!(s))).collect()
    }

    /// Whether the places with a piece are told by two sets that are kept anyway.
    pub(super) fn tells_standing(&self) -> bool {
        self.classes.len() == 2
    }

    /// The names for a placement of which other sets are kept.
    pub(super) fn of(
        game: &Game,
        quotient: &Quotient,
        beside: &Beside<'_>,
        mut snake: impl FnMut(&str) -> Ident,
    ) -> Forms {
        let name = &game.placement(quotient.placement).name;
        let classes = quotient.classes.iter().map(|class| {
            if let (Some(taken), 1) = (beside.taken, quotient.classes.len()) {
                return Kept::Whole(taken.clone());
            }
            let told = beside
                .by
                .iter()
                .find_map(|by| Some((by, by.slot_alone(class)?)));
            match told {
                Some((by, slot)) => Kept::Part(by.field.clone(), by.names.at(slot)),
                None => Kept::Own(snake(&class_name(game, quotient.pieces(), class))),
            }
        });
        let classes: Vec<Kept> = classes.collect();
        let mut values = Vec::new();
        for (var, all) in &quotient.properties {
            let held = |value: &Const| {
                let mut held = beside.held.iter();
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
                    None => Kept::Own(snake(&property_name(game, *var, value))),
                });
            values.push(told.collect());
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
            get: each("get"),
            put: each("put"),
            put_all: each("put all"),
            content: beside.content.clone(),
        }
    }
}

/// A property of what stands on a place, as code.
pub(super) struct Property<'a> {
    pub(super) get: &'a Ident,
    pub(super) put: &'a Ident,
    pub(super) put_all: &'a Ident,
}

impl Generator<'_> {
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
        let field = |name: &Ident, set: TokenStream, what: &str| Field {
            name: name.clone(),
            ty: ty.clone(),
            bytes: 8 * self.words(placement.places),
            init: set,
            doc: format!("{doc}{what}"),
        };
        let mut fields = Vec::new();
        for (class, kept) in quotient.classes.iter().zip(&forms.classes) {
            if let Kept::Own(name) = kept {
                let pieces = self.game.domain(placement.pieces).listed(class);
                let what = match class.len() {
                    1 => format!("the place of {pieces}."),
                    _ => format!("the places of {pieces}, which are alike."),
                };
                fields.push(field(name, set(&|piece| class.contains(&piece)), &what));
            }
        }
        for ((var, values), kept) in quotient.properties.iter().zip(&forms.values) {
            let init = &self.game.var(*var).init;
            for (value, kept) in values.iter().zip(kept) {
                if let Kept::Own(name) = kept {
                    let set = set(&|piece| init.get(piece as usize) == Some(value));
                    fields.push(field(name, set, &property_text(self.game, *var, value)));
                }
            }
        }
        fields
    }

    /// Statements that follow a piece in the sets that only positions without names have: from `from` (if it stands anywhere) to
    /// `place`. Its properties have the names that [`Generator::form_values`] gives them, or are those of a position with names.
    pub(super) fn form_updates(&self, id: PlacementId, leaves: bool, among: &[u32]) -> TokenStream {
        let Some((quotient, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let mut updates = TokenStream::new();
        for (class, kept) in quotient.classes.iter().zip(&forms.classes) {
            let own = among.iter().filter(|piece| class.contains(piece)).count();
            if own == 0 || !matches!(kept, Kept::Own(_)) {
                continue;
            }
            let set = kept.of(&quote!(self));
            let leave = leaves.then(|| quote!(#set.clear(from as usize);));
            updates.extend(match own == among.len() {
                true => quote!(#leave #set.set(place as usize);),
                false => {
                    let is = self.is_of_class(class, &quote!(piece));
                    quote!(#leave #set.set_if(place as usize, #is);)
                }
            });
        }
        for ((var, values), kept) in quotient.properties.iter().zip(&forms.values) {
            for (value, kept) in values.iter().zip(kept) {
                if !matches!(kept, Kept::Own(_)) {
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
}

impl Body<'_> {
    /// A property of a piece that is told by its place.
    pub(super) fn read_property(&self, var: VarId, index: &[Expr]) -> Option<Code> {
        let generator = self.generator;
        if generator.naming.get() {
            return None;
        }
        let property = generator.property(var)?;
        let ([piece], Some(quotient)) = (index, generator.quotient) else {
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
                let ty = &generator.game.var(var).ty;
                let other = generator.store(ty, Code::atom(generator.dummy(ty))).tokens;
                quote!({ #ask if #when { #read } else { #other } })
            }
        };
        Some(Code::new(read, Prec::Lowest).like(&[&there, &place]))
    }

    /// The place of a piece that no other is like: the only one that its set has.
    pub(super) fn single_place(&self, expr: &Expr) -> Option<Code> {
        let generator = self.generator;
        let (id, quotient, forms) = generator.nameless().filter(|_| !generator.naming.get())?;
        let set = forms.classes.get(quotient.single(expr)?)?.of(&quote!(s));
        let place = generator.domain(generator.game.placement(id).places);
        let (alias, none) = (&place.alias, &place.none);
        Some(Code::atom(
            quote!(#set.first().map_or(#none, |at| at as #alias)),
        ))
    }

    /// What a statement that moves a piece takes: the piece, or the place that tells it.
    pub(super) fn brought(&self, placement: PlacementId, piece: &Expr) -> TokenStream {
        let placed = self
            .generator
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
        let generator = self.generator;
        let property = generator.property(var)?;
        let ([piece], Some(quotient)) = (index, generator.quotient) else {
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
        let generator = self.generator;
        let (id, quotient, forms) = generator.nameless().filter(|_| !generator.naming.get())?;
        let wanted = written_for_all(quotient, local, over, body)?;
        let property = generator.property(wanted.var)?;
        let ty = &generator.game.var(wanted.var).ty;
        let value = generator.store(ty, self.expr(wanted.value)).tokens;
        let (places, place) = (
            self.expr(wanted.places).tokens,
            self.generator.value_type(&Type::Elem(quotient.places())),
        );
        let position = quote!(s);
        let taken = generator.placement(id).taken_in(&position);
        let taken = taken.unwrap_or_else(|| {
            let standing = forms.standing(&position);
            quote!((#standing))
        });
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
        let generator = self.generator;
        let var = generator.game.var(var);
        let number_of = |name: &str| {
            let name = ident(name);
            let code = Code::atom(quote!(#name));
            match var.ty {
                Type::Int { .. } | Type::Wrap32 => quote!(i64::from(#name)),
                _ => generator.to_i64(&var.ty, &code).tokens,
            }
        };
        let (before, after) = (number_of("before"), number_of("value"));
        let offset = generator
            .quotient
            .and_then(|quotient| generator.piece_offset(quotient.pieces()))
            .unwrap_or(0);
        let offset = Literal::u32_unsuffixed(offset as u32);
        let (rt, name) = (&generator.rt, &var.name);
        quote!(
            if ev.active() && #before != #after {
                ev.event(#rt::Event::StateChanged { piece: u32::from(piece) + #offset, property: #name, value: #after });
            }
        )
    }
}

impl Generator<'_> {
    /// Statements that empty the sets that only positions without names have.
    pub(super) fn form_cleared(&self, id: PlacementId) -> TokenStream {
        let Some((_, forms)) = self.forms(id) else {
            return TokenStream::new();
        };
        let rt = &self.rt;
        let all = forms.classes.iter().chain(forms.values.iter().flatten());
        let own = all.filter_map(|kept| match kept {
            Kept::Own(field) => Some(quote!(self.#field = #rt::BitSet::EMPTY;)),
            Kept::Whole(_) | Kept::Part(..) => None,
        });
        own.collect()
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
        let known = among.len() < self.game.domain(quotient.pieces()).len();
        match (self.one_of(quotient, among), known) {
            (Some(first), _) => quote!(let piece: #ty = #first;),
            (None, true) => {
                let there = self.standing_among(quotient, among, &quote!(self), &quote!(from));
                quote!(let piece: #ty = #there;)
            }
            (None, false) => {
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
fn all_written(game: &Game, quotient: &Quotient) -> SortedSet<VarId> {
    let mut all = SortedSet::new();
    crate::ir::walk::each_stmt(game, &mut |stmt| {
        if let StmtKind::ForEach(local, over, body) = &stmt.kind
            && let Some(wanted) = written_for_all(quotient, *local, over, body)
        {
            all.insert(wanted.var);
        }
    });
    all
}
