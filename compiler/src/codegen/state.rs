//! The position as a struct of plain data.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Gen;
use super::code::{int_tokens, number};
use super::held::{self, Held};
use super::names::{Case, Scope, ident};
use super::planes;
use super::standing::{self, ByValue, Rows};
use super::types::{bytes_of, member_type, narrowest, scalar};
use crate::ir::{
    Axis, Const, Game, IdentityTerm, Placement, PlacementForm, PlacementId, SnapshotId, Type, VarId,
};

fn constant_name(field: &Ident) -> Ident {
    ident(&format!(
        "{}_AT_ALL_TIMES",
        field.to_string().to_uppercase()
    ))
}

/// States up to this size are copied implicitly.
const COPY_BYTES: usize = 256;

/// Fields and methods of a placement.
pub(super) struct PlacementNames {
    /// The place of each piece.
    pub(super) places: Ident,
    /// What stands on each place.
    pub(super) contents: Ident,
    /// The places with a piece, where that is kept.
    pub(super) taken: Option<Ident>,
    /// The pieces that stand on the places of constant sets.
    pub(super) on: Vec<(Vec<u32>, Ident)>,
    /// The free ones of constant sets of places, counted.
    pub(super) free: Vec<(Vec<u32>, Ident)>,
    /// The places by the values of tables of what stands there.
    pub(super) by: Vec<ByValue>,
    /// Rows of the board beside them.
    pub(super) rows: Vec<Rows>,
    /// The places with pieces of which a variable has some value.
    pub(super) held: Vec<Held>,
    /// Makes all of it anew.
    pub(super) refresh: Ident,
    pub(super) put: Ident,
    pub(super) take: Ident,
}

impl PlacementNames {
    /// Whether sets are kept beside the placement.
    fn keeps_sets(&self) -> bool {
        let lists = self.on.len() + self.free.len() + self.by.len() + self.held.len();
        self.taken.is_some() || lists > 0
    }
}

/// The words of a counted set: those up to its greatest member.
pub(super) fn counted_words(set: &[u32]) -> usize {
    set.iter().max().map_or(1, |last| *last as usize / 64 + 1)
}

/// The words of a counted set with some members.
fn counted_literal(members: impl Iterator<Item = u32>, words: usize) -> TokenStream {
    let mut all = vec![0u64; words];
    members.for_each(|member| all[member as usize / 64] |= 1 << (member % 64));
    let all = all.into_iter().map(Literal::u64_unsuffixed);
    quote!([#(#all),*])
}

/// Methods and fields of a snapshot slot.
pub(super) struct SnapshotNames {
    pub(super) save: Ident,
    pub(super) restore: Ident,
    pub(super) stored: Ident,
    pub(super) vars: Vec<Ident>,
    /// Places and contents.
    pub(super) placements: Vec<(Ident, Ident)>,
}

/// The fields of the state.
pub(super) struct Fields {
    pub(super) vars: Vec<Ident>,
    pub(super) placements: Vec<PlacementNames>,
    pub(super) snapshots: Vec<SnapshotNames>,
    pub(super) trails: Vec<Ident>,
}

/// Names of fields and methods that no rule may take.
const RESERVED: &[&str] = &[
    "ended", "winners", "fault", "point", "end", "new", "clone", "eq", "hash", "fmt", "outcome",
    "fail", "ne", "cmp",
];

/// Names for all parts of the state.
pub(super) fn fields(game: &Game) -> Fields {
    let mut scope = Scope::with(RESERVED);
    let mut snake = |name: &str| scope.ident(name, Case::Snake);
    let vars: Vec<Ident> = game.vars.iter().map(|var| snake(&var.name)).collect();
    let placements: Vec<PlacementNames> = game
        .placements
        .iter()
        .enumerate()
        .map(|(index, placement)| {
            let id = PlacementId::from(index);
            let rows = standing::rows_asked(game, id, |number| {
                snake(&format!("{} rows {number}", placement.name))
            });
            let by = standing::tables_asked(game, id, &rows);
            let by = by.into_iter().enumerate().map(|(number, asked)| {
                let name = format!("{} by value {number}", placement.name);
                ByValue::of(game, asked, snake(&name))
            });
            let by = by.collect();
            PlacementNames {
                by,
                rows,
                held: held::all_asked(game, id, |number| {
                    snake(&format!("{} held {number}", placement.name))
                }),
                taken: (planes::keeps_taken(game, id) || standing::asks_taken(game, id))
                    .then(|| snake(&format!("{} taken", placement.name))),
                on: planes::place_sets(game, id)
                    .into_iter()
                    .enumerate()
                    .map(|(number, set)| (set, snake(&format!("{} on {number}", placement.name))))
                    .collect(),
                refresh: snake(&format!("refresh {}", placement.name)),
                places: snake(&format!("{} places", placement.name)),
                contents: snake(&format!("{} contents", placement.name)),
                put: snake(&format!("put {}", placement.name)),
                free: planes::free_sets(game, id)
                    .into_iter()
                    .enumerate()
                    .map(|(number, set)| (set, snake(&format!("{} free {number}", placement.name))))
                    .collect(),
                take: snake(&format!("take {}", placement.name)),
            }
        })
        .collect();
    let snapshots = game.snapshots.iter().map(|slot| SnapshotNames {
        save: snake(&format!("save {}", slot.name)),
        restore: snake(&format!("restore {}", slot.name)),
        stored: snake(&format!("{} stored", slot.name)),
        vars: slot
            .vars
            .iter()
            .map(|&var| snake(&format!("{} {}", slot.name, game.var(var).name)))
            .collect(),
        placements: slot
            .placements
            .iter()
            .map(|&placement| {
                let name = &game.placement(placement).name;
                (
                    snake(&format!("{} {name} places", slot.name)),
                    snake(&format!("{} {name} contents", slot.name)),
                )
            })
            .collect(),
    });
    let snapshots = snapshots.collect();
    let trails = game.trails.iter().map(|trail| snake(&trail.name)).collect();
    Fields {
        vars,
        placements,
        snapshots,
        trails,
    }
}

/// The variables that no rule writes and that nothing but expressions and texts asks for.
pub(super) fn constant_vars(game: &Game) -> BTreeSet<VarId> {
    // Without a text of its own, all of the state is told.
    if game.state_text.is_empty() {
        return BTreeSet::new();
    }
    let mut vars = crate::ir::effects::constants(game).vars;
    // What takes more than a literal stays in the state.
    vars.retain(|&var| !matches!(game.var(var).ty, Type::Seq { .. } | Type::Tagged));
    for slot in &game.snapshots {
        vars.retain(|var| !slot.vars.contains(var));
    }
    if let Some(machine) = &game.machine {
        vars.retain(|var| !machine.saved.contains(var));
    }
    vars
}

/// Whether a change of the variable is told to listeners: scores, and properties of pieces.
pub(super) fn tells(game: &Game, var: VarId) -> bool {
    let [Axis::Domain(domain)] = game.var(var).axes[..] else {
        return false;
    };
    let property = game
        .placements
        .iter()
        .any(|placement| placement.pieces == domain);
    game.scores == Some(var) || property && game.var(var).ty.is_scalar()
}

/// Where, behind the sets of the places of so many kinds, the set of the free places lies: the number of no kind leads there
/// by itself, since all its bits are set. Nothing where there are too many kinds.
pub(super) fn free_slot(kinds: usize) -> Option<usize> {
    let len = (kinds + 1).next_power_of_two();
    (len <= 128).then_some(len - 1)
}

/// The length of an array with so many items: a power of two where that costs little, since then
/// an index needs no test.
fn padded(len: usize) -> usize {
    let round = len.next_power_of_two();
    match len {
        0 => 1,
        _ if round <= 128 || round * 4 <= len * 5 => round,
        _ => len,
    }
}

/// The length of an array of members with so many items: one more stands for an absent index where that costs no test.
fn with_absent(len: usize) -> usize {
    match padded(len) {
        same if same == len && !len.is_power_of_two() => len + 1,
        padded => padded,
    }
}

/// Whether an array of members with so many items has one for an absent index.
pub(super) fn has_absent(len: usize) -> bool {
    with_absent(len) > len
}

/// A field of the state: its name, type, initial value and size.
struct Field {
    name: Ident,
    ty: TokenStream,
    init: TokenStream,
    bytes: usize,
    doc: String,
}

impl Gen<'_> {
    fn var_len(&self, var: VarId) -> Option<usize> {
        let var = self.game.var(var);
        (!var.axes.is_empty()).then(|| padded(var.init.len()))
    }

    fn var_field(&self, id: VarId, name: &Ident, doc: String) -> Field {
        let var = self.game.var(id);
        let item = self.stored_type(&var.ty);
        let bytes = self.stored_bytes(&var.ty);
        let value = |value: &Const| self.constant(value, &var.ty).tokens;
        match self.var_len(id) {
            None => Field {
                name: name.clone(),
                ty: item,
                init: var.init.first().map_or_else(|| self.dummy(&var.ty), value),
                bytes,
                doc,
            },
            Some(len) => {
                let count = number(len);
                let init = match self.byte_array(&var.init, &var.ty, len) {
                    Some(bytes) => bytes,
                    None => {
                        let mut values: Vec<_> = var.init.iter().map(value).collect();
                        values.resize(len, self.dummy(&var.ty));
                        array(values)
                    }
                };
                Field {
                    name: name.clone(),
                    ty: quote!([#item; #count]),
                    init,
                    bytes: bytes * len,
                    doc,
                }
            }
        }
    }

    /// Long arrays of bytes as one literal.
    fn byte_array(&self, values: &[Const], ty: &Type, len: usize) -> Option<TokenStream> {
        let stored = match ty {
            Type::Int { lo, hi } => narrowest(*lo, *hi),
            Type::Elem(domain) | Type::Opt(domain) => member_type(self.game.domain(*domain).len()),
            _ => return None,
        };
        if stored != "u8" || len < 64 || values.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut bytes: Vec<u8> = values.iter().map(|value| scalar(value) as u8).collect();
        bytes.resize(len, 0);
        let bytes = Literal::byte_string(&bytes);
        Some(quote!(*#bytes))
    }

    fn placement_fields(
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
                fields.push(content_field(initial.contents));
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
    fn plane_fields(&self, id: PlacementId, doc: &str) -> Vec<Field> {
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
        let taken = names.taken.iter().map(|name| {
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
                bytes: 10 * words + 2,
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
    fn plane_updates(&self, id: PlacementId, arrives: bool) -> TokenStream {
        let names = self.placement(id);
        if !names.keeps_sets() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let words = self.words(self.game.placement(id).places);
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
        if let Some(taken) = &names.taken {
            updates.extend(moved(words, &quote!(self.#taken), true, arrives));
        }
        for (set, field) in &names.on {
            let there = self.is_among(set, self.game.placement(id).places, &quote!(place));
            updates.extend(quote!(self.#field.clear(piece as usize);));
            if arrives {
                updates.extend(quote!(self.#field.set_if(piece as usize, #there);));
            }
        }
        for (set, field) in &names.free {
            let there = |at: TokenStream| self.is_among(set, self.game.placement(id).places, &at);
            let (left, reached) = (there(quote!(from)), there(quote!(place)));
            updates.extend(quote!(self.#field.set_if(from as usize, #left);));
            if arrives {
                updates.extend(quote!(self.#field.clear_if(place as usize, #reached);));
            }
        }
        updates.extend(self.standing_updates(id, true, arrives));
        updates.extend(self.held_updates(id, true, arrives));
        updates
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
    pub(super) fn refresh(&self, id: PlacementId) -> TokenStream {
        let names = self.placement(id);
        if !names.keeps_sets() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let (places, name) = (&names.places, &names.refresh);
        let none = &self.domain(self.game.placement(id).places).none;
        let pieces = number(self.game.domain(self.game.placement(id).pieces).len());
        let fields = names
            .taken
            .iter()
            .chain(names.on.iter().map(|(_, field)| field))
            .chain(names.held.iter().map(|held| &held.field));
        let taken = names
            .taken
            .iter()
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
        let held = self.held_updates(id, false, true);
        quote! {
            /// Makes what is kept beside the placement anew.
            fn #name(&mut self) {
                #(self.#fields = #rt::BitSet::EMPTY;)*
                #(#freed)*
                #first
                for piece in 0..#pieces {
                    let place = #rt::support::at(&self.#places, piece);
                    if place != #none {
                        #(#taken)*
                        #(#on)*
                        #(#reached)*
                        #each
                        #held
                    }
                }
            }
        }
    }

    /// Statements that make the sets beside all placements anew.
    pub(super) fn refresh_calls(&self, state: &TokenStream) -> TokenStream {
        let placements = self.placements.iter();
        let kept = placements.filter(|names| names.keeps_sets());
        kept.map(|names| {
            let name = &names.refresh;
            quote!(#state.#name();)
        })
        .collect()
    }

    /// The places of each kind.
    fn kinds_field(
        &self,
        name: &Ident,
        placement: &Placement,
        contents: &[Option<u32>],
        doc: &str,
    ) -> Field {
        let places = placement.places;
        let set = |kind: u32| {
            let on = (0u32..).zip(contents).filter(|(_, on)| **on == Some(kind));
            let members: Vec<u32> = on.map(|(place, _)| place).collect();
            self.set_literal(&members, places)
        };
        let kinds = self.game.domain(placement.pieces).len();
        let mut sets: Vec<_> = (0..kinds as u32).map(set).collect();
        let len = match free_slot(kinds) {
            Some(slot) => {
                sets.resize(slot, self.set_literal(&[], places));
                let free = (0u32..).zip(contents).filter(|(_, on)| on.is_none());
                let free: Vec<u32> = free.map(|(place, _)| place).collect();
                sets.push(self.set_literal(&free, places));
                slot + 1
            }
            None => padded(kinds),
        };
        sets.resize(len, self.set_literal(&[], places));
        let (ty, count) = (self.value_type(&Type::Set(places)), number(len));
        Field {
            name: name.clone(),
            ty: quote!([#ty; #count]),
            init: array(sets),
            bytes: 8 * self.words(places) * len,
            doc: match free_slot(kinds) {
                Some(_) => {
                    format!("{doc}the places of each kind, and last those where nothing stands.")
                }
                None => format!("{doc}the places of each kind."),
            },
        }
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

    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field {
            name: ident("ended"),
            ty: quote!(u8),
            init: quote!(0),
            bytes: 1,
            doc: String::from(
                "Why the game ended: 0 while it goes on, then a constant of this type.",
            ),
        }];
        let winners = self.winners_type();
        fields.push(Field {
            name: ident("winners"),
            ty: quote!(#winners),
            init: quote!(0),
            bytes: bytes_of(&winners.to_string()),
            doc: String::from("The players who won, a bit each."),
        });
        fields.push(Field {
            name: ident("fault"),
            ty: quote!(u16),
            init: quote!(0),
            bytes: 2,
            doc: String::from("The site of the fault that ended the game."),
        });
        if self.has_points() {
            let ty = ident(self.point_type());
            fields.push(Field {
                name: ident("point"),
                ty: quote!(#ty),
                init: quote!(0),
                bytes: bytes_of(self.point_type()),
                doc: String::from("The point where play stopped."),
            });
        }
        for (index, var) in self.game.vars.iter().enumerate() {
            if self.constant_vars.contains(&VarId::from(index)) {
                continue;
            }
            let doc = format!("Variable `{}`.", var.name);
            fields.push(self.var_field(VarId::from(index), &self.var_fields[index], doc));
        }
        for (index, names) in self.placements.iter().enumerate() {
            let doc = format!("Placement `{}`: ", self.game.placements[index].name);
            let id = PlacementId::from(index);
            fields.extend(self.placement_fields(id, &names.places, &names.contents, &doc));
            fields.extend(self.plane_fields(id, &doc));
        }
        fields.extend(self.snapshot_fields());
        for (trail, name) in self.game.trails.iter().zip(&self.trails) {
            let rt = &self.rt;
            let room = number(trail.capacity as usize);
            fields.push(Field {
                name: name.clone(),
                ty: quote!(#rt::support::Trail<#room>),
                init: quote!(#rt::support::Trail::new()),
                bytes: 16 * trail.capacity as usize + 16,
                doc: format!("History `{}`.", trail.name),
            });
        }
        fields
    }

    fn snapshot_fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        for (slot, names) in self.game.snapshots.iter().zip(&self.snapshots) {
            fields.push(Field {
                name: names.stored.clone(),
                ty: quote!(bool),
                init: quote!(false),
                bytes: 1,
                doc: format!("Whether slot `{}` keeps something.", slot.name),
            });
            let doc = format!("Slot `{}`: ", slot.name);
            for (&var, name) in slot.vars.iter().zip(&names.vars) {
                let doc = format!("{doc}`{}`.", self.game.var(var).name);
                fields.push(self.var_field(var, name, doc));
            }
            for (&placement, (places, contents)) in slot.placements.iter().zip(&names.placements) {
                fields.extend(self.placement_fields(placement, places, contents, &doc));
            }
        }
        fields
    }

    pub(super) fn point_type(&self) -> &'static str {
        narrowest(0, self.machine.points.len() as i64)
    }

    /// Whether comparing states is comparing all of their fields.
    pub(super) fn derives_equality(&self) -> bool {
        let identity = self.game.identity(self.game.equality);
        identity.terms.contains(&IdentityTerm::Everything)
            && self.game.trails.is_empty()
            && self.game.vars.iter().all(|var| !var.meter)
    }

    /// Where the value of a variable is kept.
    pub(super) fn var_path(&self, var: VarId) -> TokenStream {
        let field = &self.var_fields[var.index()];
        match self.constant_vars.contains(&var) {
            true => {
                let name = constant_name(field);
                quote!(#name)
            }
            false => quote!(s.#field),
        }
    }

    /// The variables that no rule writes.
    fn constants(&self) -> TokenStream {
        let constants = self.constant_vars.iter().map(|&var| {
            let field = &self.var_fields[var.index()];
            let Field { ty, init, .. } = self.var_field(var, field, String::new());
            let name = constant_name(field);
            let doc = format!(
                " Variable `{}`, which no rule writes.",
                self.game.var(var).name
            );
            quote!(#[doc = #doc] static #name: #ty = #init;)
        });
        constants.collect()
    }

    /// The struct and its methods.
    pub(super) fn state(&self) -> TokenStream {
        let fields = self.fields();
        let bytes: usize = fields.iter().map(|field| field.bytes).sum();
        let mut derives = vec![quote!(Clone), quote!(Debug)];
        if bytes <= COPY_BYTES {
            derives.push(quote!(Copy));
        }
        let equality = match self.derives_equality() {
            true => {
                derives.extend([quote!(PartialEq), quote!(Eq), quote!(Hash)]);
                TokenStream::new()
            }
            false => self.equality(),
        };
        let declared = fields.iter().map(|field| {
            let (name, ty, doc) = (&field.name, &field.ty, format!(" {}", field.doc));
            quote!(#[doc = #doc] #name: #ty)
        });
        let initial = fields.iter().map(|field| {
            let (name, init) = (&field.name, &field.init);
            quote!(#name: #init)
        });
        let doc = format!(" A position of {}: plain data, complete.", self.game.name);
        let methods = self.state_methods();
        let constants = self.constants();
        quote! {
            #constants
            #[doc = #doc]
            #[derive(#(#derives),*)]
            pub struct State {
                #(#declared,)*
            }
            #equality
            impl State {
                const WIN: u8 = 1;
                const DRAW: u8 = 2;
                const STUCK: u8 = 3;
                const ELIMINATION: u8 = 4;
                const LIMIT: u8 = 5;
                const FAULT: u8 = 6;
                /// Nobody can move, found when the position was reached.
                const NO_MOVE: u8 = 7;
                /// A rule fails here, found when the position was reached.
                const BROKEN: u8 = 8;
                /// A rule fails before the first stop.
                const AT_START: u8 = 9;

                /// The values that the rules give at the start.
                fn new() -> State {
                    State { #(#initial,)* }
                }
                #methods
            }
        }
    }

    fn state_methods(&self) -> TokenStream {
        let rt = &self.rt;
        let winners = self.winners_type();
        let point = self.has_points().then(|| quote!(self.point = 0;));
        let saved = self.machine.saved.iter().map(|&var| {
            let name = &self.var_fields[var.index()];
            let init = self.var_field(var, name, String::new()).init;
            quote!(self.#name = #init;)
        });
        let placements = (0..self.placements.len()).map(|index| self.placement_methods(index));
        let snapshots = (0..self.snapshots.len()).map(|index| self.snapshot_methods(index));
        quote! {
            /// Ends the game.
            #[inline(always)]
            fn end(&mut self, reason: u8, winners: #winners) {
                self.ended = reason;
                self.winners = winners;
                #point
                #(#saved)*
            }

            /// Ends the game with a fault.
            #[cold]
            fn fail(&mut self, fault: #rt::Fault) {
                self.ended = State::FAULT;
                self.winners = 0;
                self.fault = fault.site;
            }

            /// Ends the game because a rule fails in this position.
            #[cold]
            fn break_off(&mut self, fault: #rt::Fault) {
                self.fail(fault);
                self.ended = State::BROKEN;
            }

            /// Draws the conclusion of rules that ran to their end or halted.
            #[inline(always)]
            fn finish(&mut self, flow: #rt::support::Flow, cx: &mut #rt::Cx) {
                match flow {
                    ControlFlow::Continue(()) => self.end(State::DRAW, 0),
                    ControlFlow::Break(#rt::support::Halt::Done) => {}
                    ControlFlow::Break(#rt::support::Halt::Fail(site)) => cx.fail(site),
                }
            }

            /// How the game ended.
            #[inline]
            fn outcome(&self) -> Option<#rt::Outcome> {
                let reason = match self.ended {
                    0 => return None,
                    State::WIN => #rt::Reason::Win,
                    State::DRAW => #rt::Reason::Draw,
                    State::STUCK | State::NO_MOVE => #rt::Reason::Stuck,
                    State::ELIMINATION => #rt::Reason::Elimination,
                    State::LIMIT => #rt::Reason::Limit,
                    _ => #rt::Reason::Fault(#rt::Fault { site: self.fault }),
                };
                Some(#rt::Outcome { reason, winners: u64::from(self.winners) })
            }
            #(#placements)*
            #(#snapshots)*
        }
    }

    fn placement_methods(&self, index: usize) -> TokenStream {
        let rt = &self.rt;
        let placement = &self.game.placements[index];
        let names = &self.placements[index];
        let (put, take) = (&names.put, &names.take);
        let (places, contents) = (&names.places, &names.contents);
        let (piece, place) = (self.domain(placement.pieces), self.domain(placement.places));
        let (piece_type, no_piece) = (&piece.alias, &piece.none);
        let (place_type, no_place) = (&place.alias, &place.none);
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
        let moved = quote! {
            if ev.active() && from != place {
                ev.event(match from {
                    #no_place => #rt::Event::Placed { piece: #p, at: #t },
                    _ => #rt::Event::Moved { piece: #p, from: #f, to: #t },
                });
            }
        };
        let removed = quote! {
            if ev.active() {
                ev.event(#rt::Event::Removed { piece: #p, at: #f });
            }
        };
        let at = quote!(#rt::support::at);
        let at_mut = quote!(#rt::support::at_mut);
        let keep = self.by_kind.contains(&PlacementId::from(index)).then(|| {
            match free_slot(self.game.domain(placement.pieces).len()) {
                Some(_) => quote! {
                    #at_mut(&mut self.#places, before as usize).clear(place as usize);
                    #at_mut(&mut self.#places, kind as usize).set(place as usize);
                },
                None => quote! {
                    if before != #no_piece {
                        #at_mut(&mut self.#places, before as usize).clear(place as usize);
                    }
                    if kind != #no_piece {
                        #at_mut(&mut self.#places, kind as usize).set(place as usize);
                    }
                },
            }
        });
        let id = PlacementId::from(index);
        let (entered, gone) = (self.plane_updates(id, true), self.plane_updates(id, false));
        // Where an absent place has a slot of its own, that may be written too.
        let slots = self.game.domain(placement.places).len();
        let leave = quote!(*#at_mut(&mut self.#contents, from as usize) = #no_piece;);
        let leave = match has_absent(slots) {
            true => leave,
            false => quote!(if from != #no_place { #leave }),
        };
        let refresh = self.refresh(id);
        let standing = self.standing_methods(id);
        match placement.form {
            PlacementForm::One => quote! {
                #refresh
                #standing

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
            },
            PlacementForm::Many => quote! {
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
            },
            PlacementForm::Anonymous => quote! {
                /// Sets what stands on a place.
                #[inline(always)]
                fn #put<E: #rt::Events>(&mut self, place: #place_type, kind: #piece_type, ev: &mut E) {
                    let slot = #at_mut(&mut self.#contents, place as usize);
                    let before = ::core::mem::replace(slot, kind);
                    #keep
                    if ev.active() {
                        let piece = |kind| (kind != #no_piece).then(|| u32::from(kind) #piece_id);
                        #rt::support::tell_content(ev, #t, piece(before), piece(kind));
                    }
                }
            },
        }
    }

    fn snapshot_methods(&self, index: usize) -> TokenStream {
        let rt = &self.rt;
        let slot = self.game.snapshot(SnapshotId::from(index));
        let names = &self.snapshots[index];
        let mut pairs: Vec<(&Ident, &Ident)> = Vec::new();
        for (&var, kept) in slot.vars.iter().zip(&names.vars) {
            pairs.push((&self.var_fields[var.index()], kept));
        }
        for (&id, (places, contents)) in slot.placements.iter().zip(&names.placements) {
            let fields = self.placement(id);
            let anonymous = self.game.placement(id).form == PlacementForm::Anonymous;
            if !anonymous || self.by_kind.contains(&id) {
                pairs.push((&fields.places, places));
            }
            pairs.push((&fields.contents, contents));
        }
        let (now, kept): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (save, restore, stored) = (&names.save, &names.restore, &names.stored);
        let refresh = self.refresh_calls(&quote!(self));
        quote! {
            /// Keeps the present values.
            fn #save(&mut self) {
                self.#stored = true;
                #(self.#kept = self.#now;)*
            }

            /// Gives the kept values back; a fault if there are none.
            fn #restore(&mut self, site: u16, cx: &mut #rt::Cx) {
                if !self.#stored {
                    cx.fail(site);
                    return;
                }
                #(self.#now = self.#kept;)*
                #refresh
            }
        }
    }
}

/// Sets of so many words are changed as a whole; of longer ones only the words that change are.
pub(super) const WHOLE_WORDS: usize = 2;

/// The change of a set of places when a piece leaves one, `from` or the set `gone`, or arrives at one, `place` or the set
/// `come`.
pub(super) fn moved(words: usize, set: &TokenStream, leaves: bool, arrives: bool) -> TokenStream {
    if words > WHOLE_WORDS {
        let left = leaves.then(|| quote!(#set.clear(from as usize);));
        let entered = arrives.then(|| quote!(#set.set(place as usize);));
        return quote!(#left #entered);
    }
    match (leaves, arrives) {
        (true, true) => quote!(#set = (#set - gone) | come;),
        (true, false) => quote!(#set = #set - gone;),
        _ => quote!(#set.set(place as usize);),
    }
}

/// The addition of an offset to the number of a piece or place.
fn event_id(offset: Option<usize>) -> TokenStream {
    match offset.unwrap_or(0) {
        0 => TokenStream::new(),
        offset => {
            let offset = number(offset);
            quote!(+ #offset)
        }
    }
}

/// An array, written short if all of its items are the same.
fn array(values: Vec<TokenStream>) -> TokenStream {
    let texts: Vec<String> = values.iter().map(TokenStream::to_string).collect();
    match (
        texts.windows(2).all(|pair| pair[0] == pair[1]),
        values.first(),
    ) {
        (true, Some(first)) if values.len() > 1 => {
            let len = number(values.len());
            quote!([#first; #len])
        }
        _ => quote!([#(#values),*]),
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
