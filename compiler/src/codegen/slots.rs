//! Names for sets of places: for the fields that hold one, and for the sets of an array.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use super::names::{Case, Scope};
use crate::ir::{Axis, Const, DomainId, Game, Placement, TableId, Type, VarId};

/// Constants that positions have anyway.
const TAKEN: &[&str] = &[
    "WIN",
    "DRAW",
    "STUCK",
    "ELIMINATION",
    "LIMIT",
    "FAULT",
    "NO_MOVE",
    "BROKEN",
    "AT_START",
];

/// The names of the sets of an array.
pub(super) struct Slots {
    /// The constant with the number of each set.
    names: Vec<Ident>,
    /// What is said of the pieces in each, for people.
    texts: Vec<String>,
}

/// The scope of the constants.
pub(super) fn scope() -> Scope {
    Scope::with(TAKEN)
}

impl Slots {
    /// Constants for these texts, which are told apart by what the array goes by where others have the same.
    fn of(scope: &mut Scope, by: &str, texts: Vec<String>) -> Slots {
        let names = texts.iter().map(|text| {
            let long = format!("{by} {text}");
            scope.ident_or(text, &long, Case::Upper)
        });
        Slots {
            names: names.collect(),
            texts,
        }
    }

    /// Those for the values of a table; what the last one says of an empty place is not kept.
    pub(super) fn of_table(game: &Game, scope: &mut Scope, id: TableId, values: &[Const]) -> Slots {
        let table = game.table(id);
        let short = short_name(&table.name);
        let kept = values.split_last().map_or(values, |(_, kept)| kept);
        let texts = kept.iter().map(|value| {
            let own = (0u32..)
                .zip(&table.values)
                .filter(|(_, other)| *other == value);
            let own: Vec<u32> = own.map(|(piece, _)| piece).collect();
            let said = match (value, &table.axes[..]) {
                (Const::Int(_) | Const::Bool(_), [Axis::Domain(pieces)]) => {
                    described(game, *pieces, &own)
                }
                _ => None,
            };
            said.unwrap_or_else(|| value_text(game, &table.ty, short, value))
        });
        Slots::of(scope, short, texts.collect())
    }

    /// Those for the kinds of a placement, and for the places where nothing stands if there is a set of these.
    pub(super) fn of_kinds(game: &Game, scope: &mut Scope, placement: &Placement) -> Slots {
        let domain = game.domain(placement.pieces);
        let texts = (0..domain.len() as u32).map(|kind| domain.member(kind));
        let free = super::fields::free_slot(domain.len()).map(|_| String::from("empty"));
        Slots::of(scope, &domain.name, texts.chain(free).collect())
    }

    /// The number of a set, as code.
    pub(super) fn at(&self, slot: usize) -> TokenStream {
        match self.names.get(slot) {
            Some(name) => quote!(State::#name),
            None => {
                let slot = number(slot);
                quote!(#slot)
            }
        }
    }

    /// The number of the set of free places, which comes after those of kinds.
    pub(super) fn free(&self) -> TokenStream {
        self.at(self.names.len().saturating_sub(1))
    }

    /// The texts of all sets in their order.
    pub(super) fn texts(&self) -> String {
        let texts: Vec<String> = self.texts.iter().map(|text| format!("`{text}`")).collect();
        texts.join(", then ")
    }

    /// The constants; `places` tells where each set lies if not one after the other.
    pub(super) fn items(&self, place: impl Fn(usize) -> usize) -> TokenStream {
        let numbers = (0..self.names.len()).map(|slot| number(place(slot)));
        let names = &self.names;
        quote!(#(const #names: usize = #numbers;)*)
    }
}

/// What a table tells, without that of which it tells it.
pub(super) fn short_name(table: &str) -> &str {
    match table.split_once(" of ") {
        Some((short, _)) if !short.is_empty() => short,
        _ => table,
    }
}

/// A value of something with a name, as words.
fn value_text(game: &Game, ty: &Type, name: &str, value: &Const) -> String {
    match (value, ty) {
        (Const::Bool(true), _) => name.to_owned(),
        (Const::Bool(false), _) => format!("not {name}"),
        (Const::Elem(member), Type::Elem(domain) | Type::Opt(domain)) => {
            let text = game.domain(*domain).member(*member);
            match text.starts_with(|c: char| c.is_ascii_alphabetic()) {
                true => text,
                false => format!("{name} {text}"),
            }
        }
        (Const::Int(number), _) if *number < 0 => format!("{name} minus {}", number.unsigned_abs()),
        (Const::Int(number), _) => format!("{name} {number}"),
        (Const::None, _) => format!("no {name}"),
        _ => name.to_owned(),
    }
}

/// A name for the set of places with pieces of which a variable has a value.
pub(super) fn property_name(game: &Game, var: VarId, value: &Const) -> String {
    let var = game.var(var);
    match value {
        Const::Elem(_) => format!("{} {}", var.name, value_text(game, &var.ty, "", value)),
        _ => value_text(game, &var.ty, &var.name, value),
    }
}

/// The value of a variable, for people.
pub(super) fn property_text(game: &Game, var: VarId, value: &Const) -> String {
    let var = game.var(var);
    let value = match (value, &var.ty) {
        (Const::Elem(member), Type::Elem(domain) | Type::Opt(domain)) => {
            format!("`{}`", game.domain(*domain).member(*member))
        }
        (Const::Int(number), _) => number.to_string(),
        (Const::Bool(is), _) => is.to_string(),
        _ => String::from("none"),
    };
    format!("the places with pieces whose `{}` is {value}.", var.name)
}

/// A name for the places of some pieces that are alike.
pub(super) fn class_name(game: &Game, pieces: DomainId, class: &[u32]) -> String {
    described(game, pieces, class).unwrap_or_else(|| format!("some {}", game.domain(pieces).name))
}

/// A name for some pieces of a domain: what a table says of them and of no others, or what their names begin with.
fn described(game: &Game, pieces: DomainId, class: &[u32]) -> Option<String> {
    let said = game.tables.iter().find_map(|table| {
        let (Type::Elem(domain) | Type::Opt(domain)) = &table.ty else {
            return None;
        };
        let first = table.values.get(*class.first()? as usize)?;
        let has = |piece: u32| table.values.get(piece as usize) == Some(first);
        let (own, all) = (class.iter().all(|piece| has(*piece)), table.values.iter());
        let alone = all.filter(|value| *value == first).count() == class.len();
        let fits = table.axes == [Axis::Domain(pieces)] && own && alone;
        match first {
            Const::Elem(member) if fits => Some(game.domain(*domain).member(*member)),
            _ => None,
        }
    });
    said.or_else(|| common_start(game, pieces, class))
}

fn common_start(game: &Game, pieces: DomainId, class: &[u32]) -> Option<String> {
    let domain = game.domain(pieces);
    let mut texts = class.iter().map(|piece| domain.member(*piece));
    let mut start = texts.next().unwrap_or_default();
    for text in texts {
        let same = start.chars().zip(text.chars()).take_while(|(a, b)| a == b);
        start = same.map(|(c, _)| c).collect();
    }
    let alone = (0..domain.len() as u32)
        .filter(|piece| domain.member(*piece).starts_with(&start))
        .count();
    let letters = start.chars().any(|c| c.is_ascii_alphabetic());
    (letters && alone == class.len()).then_some(start)
}

impl Generator<'_> {
    /// The constants for the sets of all arrays.
    pub(super) fn slot_items(&self) -> TokenStream {
        let mut items = TokenStream::new();
        for (placement, names) in self.game.placements.iter().zip(&self.placements) {
            items.extend(names.by.iter().map(|by| by.names.items(|slot| slot)));
            let kinds = self.game.domain(placement.pieces).len();
            let free = super::fields::free_slot(kinds);
            items.extend(names.kinds.as_ref().map(|slots| {
                slots.items(|slot| {
                    if slot < kinds {
                        slot
                    } else {
                        free.unwrap_or(slot)
                    }
                })
            }));
        }
        items
    }
}
