//! How types and constants of the IR look in Rust.
//!
//! Values are computed in one Rust type a kind: 64-bit integers are `i64`, wrapping ones `i32`, members
//! of a domain the narrowest unsigned integer that also has a number for "none" (its greatest), sets are
//! bit sets. State and tables store integers as narrowly as their ranges allow.

use proc_macro2::TokenStream;
use quote::quote;

use super::Generator;
use super::code::{Code, Prec, int, int_tokens, number};
use crate::ir::{Const, DomainId, Type};

/// Rust integer types by range.
const INTS: [(&str, i64, i64); 7] = [
    ("u8", 0, u8::MAX as i64),
    ("i8", i8::MIN as i64, i8::MAX as i64),
    ("u16", 0, u16::MAX as i64),
    ("i16", i16::MIN as i64, i16::MAX as i64),
    ("u32", 0, u32::MAX as i64),
    ("i32", i32::MIN as i64, i32::MAX as i64),
    ("i64", i64::MIN, i64::MAX),
];

/// The narrowest Rust integer type for a range.
pub(super) fn narrowest(lo: i64, hi: i64) -> &'static str {
    let fits = |(_, least, most): &&(&str, i64, i64)| *least <= lo && hi <= *most;
    INTS.iter().find(fits).map_or("i64", |(name, ..)| name)
}

/// The unsigned integer type for numbers below `len` and one more for "none".
pub(super) fn member_type(len: usize) -> &'static str {
    match len {
        0..=0xff => "u8",
        0x100..=0xffff => "u16",
        _ => "u32",
    }
}

/// Bytes of a Rust integer type by its name.
pub(super) fn bytes_of(name: &str) -> usize {
    match name {
        "u8" | "i8" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" => 4,
        _ => 8,
    }
}

impl Generator<'_> {
    /// The Rust type in which values are computed.
    pub(super) fn value_type(&self, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        match ty {
            Type::Bool => quote!(bool),
            Type::Int { .. } => quote!(i64),
            Type::Wrap32 => quote!(i32),
            Type::Elem(domain) | Type::Opt(domain) => {
                let alias = &self.domain(*domain).alias;
                quote!(#alias)
            }
            Type::Set(domain) => {
                let words = number(self.words(*domain));
                quote!(#rt::BitSet<#words>)
            }
            Type::Seq { item, cap } => {
                let item = self.value_type(item);
                let cap = number(*cap as usize);
                quote!(#rt::support::Seq<#item, #cap>)
            }
            Type::Tagged => quote!(#rt::support::Tagged),
        }
    }

    /// The Rust type in which state and tables store values.
    pub(super) fn stored_type(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Int { lo, hi } => {
                let name = super::names::ident(narrowest(*lo, *hi));
                quote!(#name)
            }
            _ => self.value_type(ty),
        }
    }

    /// Bytes that a stored value takes.
    pub(super) fn stored_bytes(&self, ty: &Type) -> usize {
        match ty {
            Type::Bool => 1,
            Type::Int { lo, hi } => bytes_of(narrowest(*lo, *hi)),
            Type::Wrap32 => 4,
            Type::Elem(domain) | Type::Opt(domain) => {
                bytes_of(member_type(self.game.domain(*domain).len()))
            }
            Type::Set(domain) => 8 * self.words(*domain),
            Type::Seq { item, cap } => {
                let item = match **item {
                    Type::Int { .. } => 8,
                    ref item => self.stored_bytes(item),
                };
                (4 + item * *cap as usize).next_multiple_of(8)
            }
            Type::Tagged => 16,
        }
    }

    /// A stored value as one to compute with.
    pub(super) fn load(&self, ty: &Type, stored: Code) -> Code {
        match ty {
            Type::Int { lo, hi } if narrowest(*lo, *hi) != "i64" => {
                let tokens = &stored.tokens;
                Code::atom(quote!(i64::from(#tokens))).like(&[&stored])
            }
            _ => stored,
        }
    }

    /// A computed value as one to store; it is known to be in the range of the type.
    pub(super) fn store(&self, ty: &Type, value: Code) -> Code {
        match ty {
            Type::Int { lo, hi } if narrowest(*lo, *hi) != "i64" => {
                let narrow = super::names::ident(narrowest(*lo, *hi));
                let tokens = value.at(Prec::Cast);
                Code::new(quote!(#tokens as #narrow), Prec::Cast).like(&[&value])
            }
            _ => value,
        }
    }

    /// Number of words of a set over a domain.
    pub(super) fn words(&self, domain: DomainId) -> usize {
        self.game.domain(domain).len().div_ceil(64).max(1)
    }

    /// The number that stands for an absent member.
    pub(super) fn none(&self, domain: DomainId) -> Code {
        let none = &self.domain(domain).none;
        Code::atom(quote!(#none))
    }

    /// A harmless value of a type, for what a fault makes unimportant.
    pub(super) fn dummy(&self, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        match ty {
            Type::Bool => quote!(false),
            Type::Int { lo, hi } => int_tokens(0i64.clamp(*lo, *hi)),
            Type::Wrap32 | Type::Elem(_) => quote!(0),
            Type::Opt(domain) => self.none(*domain).tokens,
            Type::Set(domain) => self.set_literal(&[], *domain),
            Type::Seq { .. } => quote!(#rt::support::Seq::new()),
            Type::Tagged => quote!(#rt::support::Tagged::new(0, 0)),
        }
    }

    /// A constant as a value to compute with, or to store: literals fit both.
    pub(super) fn constant(&self, value: &Const, ty: &Type) -> Code {
        let rt = &self.rt;
        match (value, ty) {
            (Const::Bool(true), _) => Code::atom(quote!(true)),
            (Const::Bool(false), _) => Code::atom(quote!(false)),
            (Const::Int(value), _) => int(*value),
            (Const::Elem(member), _) => int(i64::from(*member)),
            (Const::None, Type::Opt(domain)) => self.none(*domain),
            (Const::Set(members), Type::Set(domain)) => {
                Code::atom(self.set_literal(members, *domain))
            }
            (Const::Seq(items), Type::Seq { item, cap }) => {
                let cap = number(*cap as usize);
                let items = items.iter().map(|value| self.constant(value, item).tokens);
                let item = self.value_type(item);
                Code::atom(quote!(#rt::support::Seq::<#item, #cap>::of(&[#(#items),*])))
            }
            (Const::Tagged(ty, value), _) => {
                let tag = number(self.tag(ty));
                let value = int_tokens(scalar(value));
                Code::atom(quote!(#rt::support::Tagged::new(#tag, #value)))
            }
            _ => Code::atom(self.dummy(ty)),
        }
    }

    /// A set as an array of words.
    pub(super) fn set_literal(&self, members: &[u32], domain: DomainId) -> TokenStream {
        self.set_of_words(members, self.words(domain))
    }

    /// A set of numbers, in so many words.
    pub(super) fn set_of_words(&self, members: &[u32], count: usize) -> TokenStream {
        let rt = &self.rt;
        let mut words = vec![0u64; count];
        for &member in members {
            if let Some(word) = words.get_mut(member as usize / 64) {
                *word |= 1 << (member % 64);
            }
        }
        if words.iter().all(|&word| word == 0) {
            let count = number(count);
            return quote!(#rt::BitSet::<#count>::EMPTY);
        }
        let words = words.into_iter().map(proc_macro2::Literal::u64_unsuffixed);
        quote!(#rt::BitSet([#(#words),*]))
    }

    /// The number of a scalar type in tagged values, see `rulec_core::support::Tagged`.
    pub(super) fn tag(&self, ty: &Type) -> usize {
        match ty {
            Type::Bool => 0,
            Type::Int { .. } => 1,
            Type::Wrap32 => 2,
            Type::Elem(domain) => 3 + 2 * domain.index(),
            Type::Opt(domain) => 4 + 2 * domain.index(),
            Type::Set(_) | Type::Seq { .. } | Type::Tagged => 0,
        }
    }

    /// A scalar as the `i64` that tagged values, events and move arguments hold.
    pub(super) fn to_i64(&self, ty: &Type, value: &Code) -> Code {
        let tokens = &value.tokens;
        let code = match ty {
            Type::Int { .. } => return value.clone(),
            Type::Opt(domain) => {
                let none = self.none(*domain).tokens;
                let rt = &self.rt;
                Code::atom(quote!(#rt::support::signed(#tokens, #none)))
            }
            Type::Tagged => {
                let receiver = value.receiver();
                Code::atom(quote!(#receiver.value))
            }
            _ => Code::atom(quote!(i64::from(#tokens))),
        };
        code.like(&[value])
    }

    /// A scalar from the `i64` of [`Generator::to_i64`].
    pub(super) fn scalar_from_i64(&self, ty: &Type, value: &Code) -> Code {
        let cast = value.at(Prec::Cast);
        let code = match ty {
            Type::Bool => {
                let tokens = value.at(Prec::BitOr);
                Code::new(quote!(#tokens != 0), Prec::Compare)
            }
            Type::Int { .. } => return value.clone(),
            _ => {
                let ty = self.value_type(ty);
                Code::new(quote!(#cast as #ty), Prec::Cast)
            }
        };
        code.like(&[value])
    }
}

/// A scalar constant as the integer that tagged values hold.
pub(super) fn scalar(value: &Const) -> i64 {
    match value {
        Const::Bool(value) => i64::from(*value),
        Const::Int(value) => *value,
        Const::Elem(member) => i64::from(*member),
        Const::Tagged(_, value) => scalar(value),
        Const::None | Const::Set(_) | Const::Seq(_) => -1,
    }
}
