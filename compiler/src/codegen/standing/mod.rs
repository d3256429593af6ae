//! What stands where, as sets by what the pieces are: kept beside a placement of pieces with identity.
//!
//! Rules ask for the places of a kind, an owner or a colour: for those where a table of the content has some value. Such
//! sets follow every change of the placement, one for each value of the table. Where lists of lines that cross the whole
//! board are compared with them, a line is a row of bits of its own, which follows as well.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

mod lines;

pub(super) use lines::{Rows, rows_asked};

use lines::each_compared;

use super::code::{Code, number};
use super::motion::{Motion, Share};
use super::names::Scope;
use super::slots::{Slots, short_name};
use super::{Body, Generator};
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, Game, LocalId, Over, PlacementForm, PlacementId,
    TableId, Type, UnaryOp,
};

/// Values of a table that are told apart.
const MOST_VALUES: usize = 15;

/// A collection of the places where something stands.
struct Asked<'e> {
    placement: PlacementId,
    what: What<'e>,
}

enum What<'e> {
    /// Something, or nothing.
    Some(bool),
    /// What a table says of it is equal to a value.
    Equals(TableId, &'e Expr),
    /// A table says yes.
    Is(TableId),
}

/// The question of a collection over all places, if it is one about their contents.
fn content_question<'e>(
    game: &Game,
    local: LocalId,
    over: &Over,
    when: &'e Expr,
) -> Option<Asked<'e>> {
    let Over::Domain(domain) = over else {
        return None;
    };
    let content = |expr: &Expr| match &expr.kind {
        ExprKind::Content(placement, at) if at.kind == ExprKind::Local(local) => {
            let found = game.placement(*placement);
            let fits = found.places == *domain && found.form == PlacementForm::One;
            fits.then_some(*placement)
        }
        _ => None,
    };
    let looked = |expr: &Expr| match &expr.kind {
        ExprKind::Lookup(table, index) => match &index[..] {
            [index] => Some((*table, content(index)?)),
            _ => None,
        },
        _ => None,
    };
    let (placement, what) = match &when.kind {
        ExprKind::IsSome(inner) => (content(inner)?, What::Some(true)),
        ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
            ExprKind::IsSome(inner) => (content(inner)?, What::Some(false)),
            _ => return None,
        },
        ExprKind::Lookup(..) => {
            let (table, placement) = looked(when)?;
            (placement, What::Is(table))
        }
        ExprKind::Binary(BinaryOp::Eq, left, right) => {
            let (looked, value) = match looked(left) {
                Some(looked) => (looked, right),
                None => (looked(right)?, left),
            };
            let (table, placement) = looked;
            let mut own = false;
            value.walk(&mut |expr| own |= expr.kind == ExprKind::Local(local));
            if own {
                return None;
            }
            (placement, What::Equals(table, value))
        }
        _ => return None,
    };
    if let What::Equals(table, _) | What::Is(table) = what {
        let pieces = game.placement(placement).pieces;
        let table = game.table(table);
        let plain = table.axes == [Axis::Domain(pieces)] && table.outside.is_some();
        if !plain || values_of(game, what.table()?).len() > MOST_VALUES {
            return None;
        }
    }
    Some(Asked { placement, what })
}

impl What<'_> {
    fn table(&self) -> Option<TableId> {
        match self {
            What::Equals(table, _) | What::Is(table) => Some(*table),
            What::Some(_) => None,
        }
    }
}

/// The values of a table, that of an empty place last.
fn values_of(game: &Game, table: TableId) -> Vec<Const> {
    let table = game.table(table);
    let mut values: Vec<Const> = Vec::new();
    for value in &table.values {
        if !values.contains(value) && Some(value) != table.outside.as_ref() {
            values.push(value.clone());
        }
    }
    values.extend(table.outside.clone());
    values
}

/// The tables by whose values the places of a placement are asked for, each with whether that is for more than rows.
pub(super) fn tables_asked(
    game: &Game,
    placement: PlacementId,
    rows: &[Rows],
) -> Vec<(TableId, bool)> {
    let mut asks: Vec<(TableId, usize)> = Vec::new();
    each_asked(game, &mut |asked| {
        if let Some(table) = asked.what.table()
            && asked.placement == placement
        {
            match asks.iter_mut().find(|(other, _)| *other == table) {
                Some((_, count)) => *count += 1,
                None => asks.push((table, 1)),
            }
        }
    });
    each_compared(game, placement, &mut |by, lines| {
        if rows.iter().any(|rows| rows.tells(by, lines)) {
            let own = asks.iter_mut().filter(|(table, _)| *table == by);
            own.for_each(|(_, count)| *count -= 1);
        }
    });
    asks.into_iter()
        .map(|(table, left)| (table, left > 0))
        .collect()
}

/// Whether the places where something stands are asked for.
pub(super) fn asks_taken(game: &Game, placement: PlacementId) -> bool {
    let (mut asks, mut counted) = (0, 0);
    each_asked(game, &mut |asked| {
        asks += usize::from(asked.placement == placement && matches!(asked.what, What::Some(_)));
    });
    // Whether any is free is known where the free ones are counted.
    let sets = super::planes::free_sets(game, placement);
    super::function::for_each_expr(game, &mut |expr| {
        if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, set, none) = &expr.kind
            && none.as_const() == Some(&Const::Set(Vec::new()))
            && let Some((of, among)) = super::planes::free_among(game, set)
        {
            counted += usize::from(of == placement && sets.iter().any(|set| set == among));
        }
    });
    asks > counted
}

fn each_asked(game: &Game, f: &mut dyn FnMut(Asked)) {
    super::function::for_each_expr(game, &mut |expr| {
        if let ExprKind::Collect { local, over, when } = &expr.kind
            && let Some(asked) = content_question(game, *local, over, when)
        {
            f(asked);
        }
    });
}

/// Sets of places by the value of a table.
pub(super) struct ByValue {
    pub(super) table: TableId,
    /// The values; the last one is that of an empty place.
    values: Vec<Const>,
    /// For each piece the number of its value.
    slots: Vec<usize>,
    pub(super) field: Ident,
    /// Whether the sets are kept, and not only the rows that go by the same table.
    pub(super) sets: bool,
    /// The method that gives the set of a value.
    get: Ident,
    /// The names of the sets.
    pub(super) names: Slots,
}

impl ByValue {
    pub(super) fn of(
        game: &Game,
        (table, sets): (TableId, bool),
        field: Ident,
        constants: &mut Scope,
    ) -> ByValue {
        let values = values_of(game, table);
        let names = Slots::of_table(game, constants, table, &values);
        let own = game.table(table).values.iter();
        let slot = |value: &Const| values.iter().position(|other| other == value);
        let slots = own.map(|value| {
            let slot = slot(value);
            debug_assert!(
                slot.is_some(),
                "{value:?} is among the values of its own table"
            );
            slot.unwrap_or(0)
        });
        let slots = slots.collect();
        let get = format_ident!("get_{field}");
        ByValue {
            table,
            values,
            slots,
            field,
            sets,
            get,
            names,
        }
    }

    /// The number of the value of all these pieces, if they have the same.
    pub(super) fn slot_of_all(&self, pieces: &[u32]) -> Option<usize> {
        let (first, others) = pieces.split_first()?;
        let slot = |piece: &u32| self.slots.get(*piece as usize).copied();
        let same = others.iter().all(|other| slot(other) == slot(first));
        slot(first).filter(|_| same)
    }

    /// The number of the set that holds the places of these pieces and of no others, if there is one.
    pub(super) fn slot_alone(&self, pieces: &[u32]) -> Option<usize> {
        let slot = self
            .slot_of_all(pieces)
            .filter(|slot| self.sets && *slot != self.empty())?;
        let count = self.slots.iter().filter(|other| **other == slot).count();
        (count == pieces.len()).then_some(slot)
    }

    /// The pieces of a value, by its number.
    pub(super) fn pieces_of(&self, slot: usize) -> impl Iterator<Item = u32> {
        let slots = self.slots.iter().zip(0..);
        slots.filter_map(move |(own, piece)| (*own == slot).then_some(piece))
    }

    /// How many values there are, with that of an empty place.
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    fn empty(&self) -> usize {
        self.values.len() - 1
    }

    fn room(&self) -> usize {
        self.values.len().next_power_of_two()
    }
}

impl Generator<'_> {
    fn by_value(&self, placement: PlacementId, table: TableId) -> Option<&ByValue> {
        let mut all = self.placement(placement).by.iter();
        all.find(|by| by.table == table)
    }

    /// Fields for the sets by value and the rows: names, types, initial values, bytes, texts.
    pub(super) fn standing_fields(
        &self,
        id: PlacementId,
    ) -> Vec<(Ident, TokenStream, TokenStream, usize, String)> {
        let (rt, placement, names) = (&self.rt, self.game.placement(id), self.placement(id));
        let words = self.words(placement.places);
        let pieces = || (0usize..).zip(&placement.init);
        let mut fields = Vec::new();
        for by in names.by.iter().filter(|by| by.sets) {
            let of = |slot: usize| -> Vec<u32> {
                let standing = pieces().filter(|(piece, _)| by.slots[*piece] == slot);
                let mut places: Vec<u32> = standing.filter_map(|(_, place)| *place).collect();
                places.sort_unstable();
                places
            };
            let sets = (0..by.room()).map(|slot| match slot < by.values.len() {
                true => self.set_literal(&of(slot), placement.places),
                false => self.set_literal(&[], placement.places),
            });
            let (room, words_of) = (number(by.room()), number(words));
            fields.push((
                by.field.clone(),
                quote!([#rt::BitSet<#words_of>; #room]),
                quote!([#(#sets),*]),
                8 * words * by.room(),
                format!(
                    "the places by the `{}` of the pieces there: {}.",
                    short_name(&self.game.table(by.table).name),
                    by.names.texts(),
                ),
            ));
        }
        for rows in &names.rows {
            let Some(by) = self.by_value(id, rows.by) else {
                continue;
            };
            let room = rows.room();
            let values = (0..by.room()).map(|slot| {
                let mut bits = vec![0u32; room];
                for (piece, place) in pieces() {
                    let Some(place) = place else { continue };
                    if by.slots[piece] == slot {
                        for (number, row) in rows.rows.iter().enumerate() {
                            bits[number] |= Rows::bits(row, &[*place]).unwrap_or(0);
                        }
                    }
                }
                match bits.iter().all(|bits| *bits == 0) {
                    true => {
                        let room = number(room);
                        quote!([0; #room])
                    }
                    false => {
                        let bits = bits.into_iter().map(Literal::u32_unsuffixed);
                        quote!([#(#bits),*])
                    }
                }
            });
            let (slots, len, bits) = (number(by.room()), number(room), rows.bits_type());
            let bytes = if rows.is_wide() { 4 } else { 2 };
            fields.push((
                rows.field.clone(),
                quote!([[#bits; #len]; #slots]),
                quote!([#(#values),*]),
                bytes * room * by.room(),
                format!(
                    "the rows of the board by the `{}` of the pieces there: {}.",
                    short_name(&self.game.table(by.table).name),
                    by.names.texts(),
                ),
            ));
        }
        fields
    }

    /// Statements that follow a piece: it leaves the place `from`, whose set is `gone`, and arrives at `place`, whose set is
    /// `come`. What is not kept of a value are the places where nothing stands.
    pub(super) fn standing_updates(&self, id: PlacementId, motion: Motion) -> TokenStream {
        let (rt, names) = (&self.rt, self.placement(id));
        let (leaves, arrives) = (motion.leaves(), motion.arrives());
        let mut updates = TokenStream::new();
        for by in &names.by {
            let (field, slots) = (&by.field, self.slots_name(by));
            let at = quote!(#rt::support::at_mut);
            let words = self.words(self.game.placement(id).places);
            let has_rows = names.rows.iter().any(|rows| rows.by == by.table);
            let mut set = quote!(#at(&mut self.#field, slot));
            let slot = match motion {
                Motion::Bring(known) => by.slot_of_all(&known.pieces),
                _ => None,
            };
            updates.extend(match slot {
                Some(slot) if !has_rows => {
                    let slot = by.names.at(slot);
                    set = quote!(&mut self.#field[#slot]);
                    TokenStream::new()
                }
                Some(slot) => {
                    let slot = by.names.at(slot);
                    quote!(let slot = #slot;)
                }
                None => quote!(let slot = #rt::support::at(&#slots, piece as usize) as usize;),
            });
            let place = match words > super::motion::WHOLE_WORDS || !leaves {
                true => quote!(set),
                false => quote!(*set),
            };
            if by.sets {
                let change = super::motion::moved(words, &place, leaves, arrives);
                updates.extend(quote!(let set = #set; #change));
            }
            for rows in names.rows.iter().filter(|rows| rows.by == by.table) {
                let (field, table) = (&rows.field, self.rows_name(rows));
                let in_rows = rows.of_places().len();
                let is_in = |place: u32| (place as usize) < in_rows;
                let last = number(in_rows);
                let change = |share: Share, place: TokenStream, change: TokenStream| {
                    let all = quote!({
                        let rows = #at(&mut self.#field, slot);
                        for [row, bit] in #rt::support::at_ref(&#table, #place as usize) {
                            *#at(rows, *row as usize) #change;
                        }
                    });
                    match share {
                        Share::None => TokenStream::new(),
                        Share::Some => quote!(if (#place as usize) < #last #all),
                        Share::All => all,
                    }
                };
                updates.extend(change(motion.from(is_in), quote!(from), quote!(&= !bit)));
                updates.extend(change(motion.to(is_in), quote!(place), quote!(|= bit)));
            }
        }
        updates
    }

    /// Statements that make all of it anew: before any piece, and for a piece on its place.
    pub(super) fn standing_refresh(&self, id: PlacementId) -> (TokenStream, TokenStream) {
        let names = self.placement(id);
        let (mut first, mut each) = (TokenStream::new(), TokenStream::new());
        let places = self.game.placement(id).places;
        let none = self.set_literal(&[], places);
        for by in names.by.iter().filter(|by| by.sets) {
            let field = &by.field;
            first.extend(quote!(self.#field.fill(#none);));
        }
        for rows in &names.rows {
            let field = &rows.field;
            first.extend(quote!(
                for rows in &mut self.#field {
                    rows.fill(0);
                }
            ));
        }
        each.extend(self.standing_updates(id, Motion::Enter));
        (first, each)
    }

    fn slots_name(&self, by: &ByValue) -> Ident {
        format_ident!("{}_SLOTS", self.tables[by.table.index()])
    }

    fn rows_name(&self, rows: &Rows) -> Ident {
        format_ident!("{}_CROSSING", self.tables[rows.wanted.index()])
    }

    fn looks_name(&self, wanted: TableId) -> Ident {
        format_ident!("{}_LOOKS", self.tables[wanted.index()])
    }

    /// The methods that give the sets, and the constants beside them.
    pub(super) fn standing_methods(&self, id: PlacementId) -> TokenStream {
        let (rt, placement, names) = (&self.rt, self.game.placement(id), self.placement(id));
        let words = number(self.words(placement.places));
        let slot = |by: &ByValue, otherwise: TokenStream| {
            let ty = &self.game.table(by.table).ty;
            let arms = by.values.iter().enumerate().map(|(slot, value)| {
                let (value, slot) = (self.constant(value, ty).tokens, by.names.at(slot));
                quote!(if value == #value { #slot } else)
            });
            quote!(#(#arms)* { #otherwise })
        };
        let all: Vec<u32> = (0..self.game.domain(placement.places).len() as u32).collect();
        let all = self.set_literal(&all, placement.places);
        let gets = names.by.iter().filter(|by| by.sets).map(|by| {
            let (get, field) = (&by.get, &by.field);
            let ty = &self.game.table(by.table).ty;
            let kept = by.values.iter().enumerate().take(by.empty());
            let arms = kept.map(|(slot, value)| {
                let (value, slot) = (self.constant(value, ty).tokens, by.names.at(slot));
                quote!(if value == #value { #slot } else)
            });
            let empty = by
                .values
                .last()
                .map(|value| self.constant(value, ty).tokens);
            let others = (0..by.empty()).map(|slot| by.names.at(slot));
            let ty = self.value_type(ty);
            quote! {
                /// The places where the table says this of what stands there.
                #[inline(always)]
                fn #get(&self, value: #ty) -> #rt::BitSet<#words> {
                    let slot = #(#arms)* {
                        // What is said of nothing is not kept.
                        return match value == #empty {
                            true => #all #(- self.#field[#others])*,
                            false => #rt::BitSet::EMPTY,
                        };
                    };
                    #rt::support::at(&self.#field, slot)
                }
            }
        });
        let looks = names.rows.iter().filter_map(|rows| {
            let by = self.by_value(id, rows.by)?;
            let (any, field, room) = (&rows.any, &rows.field, number(rows.room()));
            let bits = rows.bits_type();
            let ty = self.value_type(&self.game.table(by.table).ty);
            let slot = slot(
                by,
                quote!(return #rt::support::some_row(pairs, looks, &[0; #room]);),
            );
            let empty = number(by.empty());
            let crossing = self.rows_name(rows);
            let full = quote!(
                // The rows of the empty places are not kept.
                let mut free = [0; #room];
                for [row, bit] in #crossing.as_flattened() {
                    *#rt::support::at_mut(&mut free, *row as usize) |= bit;
                }
                for (slot, rows) in self.#field.iter().enumerate() {
                    if slot != #empty {
                        free.iter_mut().zip(rows).for_each(|(free, row)| *free &= !row);
                    }
                }
            );
            Some(quote! {
                /// Whether one of some looks shows what is wanted in the rows of a value.
                #[inline(always)]
                fn #any<const LANES: usize, const LOOKS: usize, const LEN: usize>(
                    &self,
                    pairs: &[u16; LEN],
                    looks: &[[[#bits; LANES]; 2]; LOOKS],
                    value: #ty,
                ) -> bool {
                    let slot = #slot;
                    if slot == #empty {
                        #full
                        return #rt::support::some_row(pairs, looks, &free);
                    }
                    let rows = #rt::support::at_ref(&self.#field, slot);
                    #rt::support::some_row(pairs, looks, rows)
                }
            })
        });
        quote!(#(#gets)* #(#looks)*)
    }

    /// The constants of all placements.
    pub(super) fn standing_items(&self) -> TokenStream {
        let mut items = TokenStream::new();
        for names in &self.placements {
            for by in &names.by {
                let name = self.slots_name(by);
                let mut slots: Vec<u8> = by.slots.iter().map(|slot| *slot as u8).collect();
                slots.resize(slots.len().next_power_of_two(), 0);
                let (len, bytes) = (number(slots.len()), Literal::byte_string(&slots));
                let table = &self.game.table(by.table).name;
                let doc = format!(" The number of each piece's value in the table `{table}`.");
                items.extend(quote!(#[doc = #doc] static #name: [u8; #len] = *#bytes;));
            }
            for rows in &names.rows {
                let name = self.rows_name(rows);
                let mut places = rows.of_places();
                let most = places.first().map_or(0, Vec::len);
                let blank = vec![(rows.rows.len(), 0); most];
                places.resize(places.len().next_power_of_two(), blank);
                let (len, most, bits) = (number(places.len()), number(most), rows.bits_type());
                let places = places.into_iter().map(|rows| {
                    let rows = rows.into_iter().map(|(row, bit)| {
                        let (row, bit) = (number(row), Literal::u32_unsuffixed(bit));
                        quote!([#row, #bit])
                    });
                    quote!([#(#rows),*])
                });
                items.extend(quote!(
                    /// The rows that each place lies in, each with its bit there.
                    static #name: [[[#bits; 2]; #most]; #len] = [#(#places),*];
                ));
            }
        }
        items.extend(self.line_items.borrow().values().cloned());
        items
    }
}

impl Body<'_> {
    /// The places where something stands, as a set that is kept.
    pub(super) fn standing(&self, local: LocalId, over: &Over, when: &Expr) -> Option<Code> {
        let game = self.generator.game;
        let asked = content_question(game, local, over, when)?;
        let names = self.generator.placement(asked.placement);
        let places = game.placement(asked.placement).places;
        match asked.what {
            What::Some(there) => {
                let taken = names.taken_in(&quote!(s))?;
                if there {
                    return Some(Code::atom(taken));
                }
                let all: Vec<u32> = (0..game.domain(places).len() as u32).collect();
                let all = self.generator.set_literal(&all, places);
                Some(Code::atom(quote!((#all - #taken))))
            }
            What::Is(table) => {
                let get = &self.generator.by_value(asked.placement, table)?.get;
                Some(Code::atom(quote!(s.#get(true))))
            }
            What::Equals(table, value) => {
                let by = self.generator.by_value(asked.placement, table)?;
                if let Some(code) = self.standing_like(asked.placement, by, value) {
                    return Some(code);
                }
                let kept = &by.values[..by.empty()];
                let known = value.as_const();
                let slot = known.and_then(|value| kept.iter().position(|other| other == value));
                if let Some(slot) = slot.filter(|_| by.sets) {
                    let (field, slot) = (&by.field, by.names.at(slot));
                    return Some(Code::atom(quote!(s.#field[#slot])));
                }
                let get = &by.get;
                let value = self.expr(value);
                let tokens = &value.tokens;
                Some(Code::atom(quote!(s.#get(#tokens))).like(&[&value]))
            }
        }
    }

    /// The places of what is like a piece, where a table tells of each piece which set that is.
    fn standing_like(&self, placement: PlacementId, by: &ByValue, value: &Expr) -> Option<Code> {
        let (generator, game) = (self.generator, self.generator.game);
        let ExprKind::Lookup(other, index) = &value.kind else {
            return None;
        };
        let ([index], told) = (&index[..], game.table(*other)) else {
            return None;
        };
        let pieces = game.placement(placement).pieces;
        let fits = told.axes == [Axis::Domain(pieces)]
            && match index.ty {
                Type::Elem(domain) => domain == pieces,
                Type::Opt(domain) => domain == pieces && told.outside.is_some(),
                _ => false,
            };
        if !fits {
            return None;
        }
        // That of an empty place is not kept.
        let kept = &by.values[..by.empty()];
        let slot = |value: &Const| kept.iter().position(|other| other == value);
        let slots = told.values.iter().map(slot).collect::<Option<Vec<_>>>()?;
        let outside = match &told.outside {
            Some(value) if index.ty == Type::Opt(pieces) => slot(value)?,
            _ => 0,
        };
        let mut bytes: Vec<u8> = slots.iter().map(|slot| *slot as u8).collect();
        bytes.resize((bytes.len() + 1).next_power_of_two(), outside as u8);
        let (name, rt) = (
            format_ident!(
                "{}_LIKE_{}",
                generator.tables[other.index()],
                generator.tables[by.table.index()]
            ),
            &generator.rt,
        );
        let (len, bytes) = (number(bytes.len()), Literal::byte_string(&bytes));
        let doc = format!(
            " Which set holds the places of what table `{}` says of a piece.",
            told.name
        );
        let item = quote!(#[doc = #doc] static #name: [u8; #len] = *#bytes;);
        generator
            .line_items
            .borrow_mut()
            .insert(name.to_string(), item);
        let (index, field) = (self.index(index), &by.field);
        let tokens = &index.tokens;
        let code = quote!(#rt::support::at(&s.#field, #rt::support::at(&#name, #tokens) as usize));
        Some(Code::atom(code).like(&[&index]))
    }
}
