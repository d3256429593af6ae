//! The packed move: a family, and its arguments in bit fields.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::code::{int_tokens, number};
use super::names::ident;
use super::{Error, Generator};
use crate::ir::{Arm, Draw, FamilyId, Game, Joined, Param, ParamSource, TextPart, Type};

/// Where the arguments of moves are in their packed form.
pub(super) struct Layout {
    /// Bits of the number of the family or draw.
    pub(super) tag_bits: u32,
    /// The fields of each family.
    pub(super) families: Vec<Vec<Field>>,
    /// The field of each draw.
    pub(super) draws: Vec<Field>,
    /// Bits of the widest move.
    bits: u32,
}

/// A bit field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) shift: u32,
    pub(super) bits: u32,
    pub(super) kind: FieldKind,
    /// Number of values.
    pub(super) len: u64,
}

/// What a bit field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// The number of a member.
    Elem,
    /// A set of at most 64 members as its bits.
    Mask,
    /// The rank of a set among all sets of the domain with at most so many members.
    Rank,
    /// An integer, less the least one.
    Int(i64),
}

fn bits_for(len: u64) -> u32 {
    64 - len.saturating_sub(1).leading_zeros()
}

impl Layout {
    pub(super) fn of(game: &Game) -> Result<Layout, Error> {
        let kinds = (game.families.len() + game.draws.len()) as u64;
        let tag_bits = bits_for(kinds);
        let mut bits = tag_bits;
        let mut families = Vec::new();
        for family in &game.families {
            let mut shift = tag_bits;
            let mut fields = Vec::new();
            for param in &family.params {
                let field = Field::of(game, param, shift)
                    .ok_or_else(|| Error::WideMove(family.name.clone()))?;
                shift += field.bits;
                fields.push(field);
            }
            bits = bits.max(shift);
            families.push(fields);
        }
        let mut draws = Vec::new();
        for draw in &game.draws {
            let field = Field::of_draw(game, draw, tag_bits);
            bits = bits.max(tag_bits + field.bits);
            draws.push(field);
        }
        if bits > 64 {
            let wide = game
                .families
                .iter()
                .find(|family| !family.params.is_empty());
            return Err(Error::WideMove(
                wide.map(|f| f.name.clone()).unwrap_or_default(),
            ));
        }
        Ok(Layout {
            tag_bits,
            families,
            draws,
            bits,
        })
    }

    /// The Rust type of a packed move.
    pub(super) fn word(&self) -> Ident {
        ident(if self.bits <= 32 { "u32" } else { "u64" })
    }
}

impl Field {
    fn new(shift: u32, kind: FieldKind, len: u64) -> Field {
        Field {
            shift,
            bits: bits_for(len),
            kind,
            len,
        }
    }

    fn of(game: &Game, param: &Param, shift: u32) -> Option<Field> {
        match param.ty {
            Type::Set(domain) => {
                let n = game.domain(domain).len() as u64;
                if n < 64 && shift as u64 + n <= 64 {
                    return Some(Field::new(shift, FieldKind::Mask, 1 << n));
                }
                let most = match &param.source {
                    ParamSource::Subset { size, .. } => match size.as_const() {
                        Some(crate::ir::Const::Int(size)) => (*size).max(0) as u64,
                        _ => size.ty.int_range().map_or(n, |(_, hi)| hi.max(0) as u64),
                    },
                    _ => n,
                };
                let count = subset_count(n, most)?;
                let field = Field::new(shift, FieldKind::Rank, count);
                (shift + field.bits <= 64).then_some(field)
            }
            Type::Elem(domain) | Type::Opt(domain) => {
                let len = game.domain(domain).len() as u64;
                Some(Field::new(shift, FieldKind::Elem, len.max(1)))
            }
            _ => None,
        }
    }

    fn of_draw(game: &Game, draw: &Draw, shift: u32) -> Field {
        match draw.ty {
            Type::Int { lo, hi } => {
                let len = (hi.wrapping_sub(lo) as u64).saturating_add(1);
                Field::new(shift, FieldKind::Int(lo), len)
            }
            Type::Elem(domain) | Type::Opt(domain) => {
                let len = game.domain(domain).len() as u64;
                Field::new(shift, FieldKind::Elem, len.max(1))
            }
            _ => Field::new(shift, FieldKind::Elem, 2),
        }
    }
}

/// Number of subsets of `n` things with at most `most` members; nothing if it does not fit.
fn subset_count(n: u64, most: u64) -> Option<u64> {
    let mut total: u64 = 0;
    let mut term: u128 = 1;
    for k in 0..=most.min(n) {
        total = total.checked_add(u64::try_from(term).ok()?)?;
        term = term * u128::from(n - k) / u128::from(k + 1);
    }
    Some(total)
}

impl Generator<'_> {
    /// The tag of a draw among families and draws.
    pub(super) fn draw_tag(&self, draw: usize) -> usize {
        self.game.families.len() + draw
    }

    /// The bits that an argument contributes to a move, shifted to its place.
    pub(super) fn packed(&self, field: Field, value: &TokenStream, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        let word = self.layout.word();
        let number_of = match (field.kind, ty) {
            (FieldKind::Mask, _) => quote!(#value.0[0] as #word),
            (FieldKind::Rank, Type::Set(domain)) => {
                let len = number(self.game.domain(*domain).len());
                quote!(#rt::support::rank(&#value, #len) as #word)
            }
            (FieldKind::Int(0), _) => quote!(#value as #word),
            (FieldKind::Int(lo), _) => {
                let lo = int_tokens(lo);
                quote!(i64::wrapping_sub(#value, #lo) as #word)
            }
            // Masked, although nothing is lost: so compilers know that an argument does not reach into the next one.
            _ => match field.bits {
                0 | 8 | 16 | 32.. => quote!(#value as #word),
                bits => {
                    let mask = Literal::u64_unsuffixed((1 << bits) - 1);
                    quote!(#value as #word & #mask)
                }
            },
        };
        match field.shift {
            0 => number_of,
            shift => {
                let shift = Literal::u32_unsuffixed(shift);
                quote!((#number_of) << #shift)
            }
        }
    }

    /// The argument in a field of a packed move `code`.
    pub(super) fn unpacked(&self, field: Field, code: &TokenStream, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        if field.bits == 0 {
            return match field.kind {
                FieldKind::Int(lo) => int_tokens(lo),
                FieldKind::Elem => quote!(0),
                _ => quote!(#rt::BitSet::EMPTY),
            };
        }
        let shift = Literal::u32_unsuffixed(field.shift);
        let word = self.layout.word();
        let width = if word == "u32" { 32 } else { 64 };
        let shifted = match field.shift {
            0 => quote!(#code),
            _ => quote!((#code >> #shift)),
        };
        let plain = match field.bits >= width {
            true => shifted,
            false => {
                let mask = Literal::u64_unsuffixed((1 << field.bits) - 1);
                quote!(#shifted & #mask)
            }
        };
        let bits = quote!((#plain));
        match (field.kind, ty) {
            (FieldKind::Mask, _) => quote!(#rt::BitSet([u64::from(#plain)])),
            (FieldKind::Rank, Type::Set(domain)) => {
                let len = number(self.game.domain(*domain).len());
                quote!(#rt::support::unrank(u64::from(#plain), #len))
            }
            (FieldKind::Int(0), _) => quote!(#bits as i64),
            (FieldKind::Int(lo), _) => {
                let lo = int_tokens(lo);
                quote!(i64::wrapping_add(#bits as i64, #lo))
            }
            (_, Type::Bool) => quote!((#plain) != 0),
            _ => {
                let ty = self.value_type(ty);
                quote!(#bits as #ty)
            }
        }
    }

    /// The move type, its constructors and accessors.
    pub(super) fn move_items(&self) -> TokenStream {
        let rt = &self.rt;
        let word = self.layout.word();
        let families = (0..self.game.families.len()).map(|index| self.family_access(index));
        let draws = (0..self.game.draws.len()).map(|index| self.draw_access(index));
        let family = match self.layout.tag_bits {
            0 => quote!(0),
            bits => {
                let mask = Literal::u64_unsuffixed((1 << bits) - 1);
                quote!((self.0 & #mask) as usize)
            }
        };
        let (texts, joined) = (self.family_texts(), self.names_tables());
        let packed = self.gathers().then(|| {
            quote! {
                impl #rt::Packed for Move {
                    #[inline(always)]
                    fn with(self, shift: u32, value: usize) -> Move {
                        Move(self.0 | (value as #word) << shift)
                    }
                }
            }
        });
        let doc = format!(
            " A move of {}, packed: the family in the lowest bits, above it the arguments.",
            self.game.name
        );
        quote! {
            #[doc = #doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct Move(pub #word);

            impl Move {
                /// The number of the family, or of the draw after all families.
                #[inline(always)]
                pub const fn family(self) -> usize {
                    #family
                }
                #(#families)*
                #(#draws)*
            }

            #packed
            #joined

            #rt::move_texts!(Move, Game);
            #texts
        }
    }

    /// The pattern of the numbers by which moves of a family go.
    pub(super) fn tags(&self, family: FamilyId) -> TokenStream {
        let tags = self.game.names_of(family).into_iter();
        let tags = tags.map(|name| number(name.index()));
        quote!(#(#tags)|*)
    }

    /// The number by which a move goes of a family that several are written as, from the argument that tells.
    pub(super) fn name_by(&self, joined: &Joined, value: &Ident) -> TokenStream {
        let rt = &self.rt;
        let (table, mask) = (self.names_table(joined), self.tag_mask());
        quote!((#rt::support::at(&#table, #value as usize) & #mask))
    }

    /// The bits of a move that are its tag.
    fn tag_mask(&self) -> Literal {
        Literal::u64_unsuffixed((1 << self.layout.tag_bits) - 1)
    }

    /// A move of an arm for those who do not look at its name: of families that are written as one it has the number of that one,
    /// so that what it does is known.
    pub(super) fn of_any_name(&self, arm: &Arm, mv: TokenStream) -> TokenStream {
        match self.game.joined(arm.family) {
            Some(_) => {
                let (mask, tag) = (self.tag_mask(), number(arm.family.index()));
                quote!(Move(#mv.0 & !#mask | #tag))
            }
            None => mv,
        }
    }

    fn names_table(&self, joined: &Joined) -> Ident {
        let name = self.family_names[joined.family.index()].to_string();
        ident(&format!("NAMES_BY_{}", name.to_uppercase()))
    }

    /// The tables of [`Generator::name_by`].
    fn names_tables(&self) -> TokenStream {
        let word = self.layout.word();
        let tables = self.game.joined.iter().map(|joined| {
            let (name, len) = (self.names_table(joined), number(joined.names.len()));
            let names = joined.names.iter().map(|name| number(name.index()));
            let family = self.game.family(joined.family);
            let doc = format!(
                " The number of the family that a move like those of `{}` is of, by its `{}`.",
                family.name, family.params[joined.by].name
            );
            quote!(#[doc = #doc] static #name: [#word; #len] = [#(#names),*];)
        });
        tables.collect()
    }

    fn family_access(&self, index: usize) -> TokenStream {
        let family = &self.game.families[index];
        let fields = &self.layout.families[index];
        let name = &self.family_names[index];
        let read = ident(&format!("{name}_args"));
        let mut scope = self.local_scope.clone();
        let names: Vec<_> = family
            .params
            .iter()
            .map(|param| scope.ident(&param.name, super::names::Case::Snake))
            .collect();
        let types: Vec<_> = family
            .params
            .iter()
            .map(|param| self.value_type(&param.ty))
            .collect();
        let parts = family
            .params
            .iter()
            .zip(fields)
            .zip(&names)
            .map(|((param, field), name)| self.packed(*field, &quote!(#name), &param.ty));
        let packed = match self.game.joined(index.into()) {
            Some(joined) => {
                let name = self.name_by(joined, &names[joined.by]);
                join(0, std::iter::once(name).chain(parts))
            }
            None => join(index, parts),
        };
        let values = family
            .params
            .iter()
            .zip(fields)
            .map(|(param, field)| self.unpacked(*field, &quote!(self.0), &param.ty));
        let doc = self.doc(
            &format!("A move of the family `{}`.", family.name),
            family.span,
        );
        let read_doc = format!(" The arguments of a move of the family `{}`.", family.name);
        let (tuple, types_tuple) = match names.len() {
            1 => (quote!(#(#values)*), quote!(#(#types)*)),
            _ => (quote!((#(#values),*)), quote!((#(#types),*))),
        };
        quote! {
            #doc
            #[inline(always)]
            pub fn #name(#(#names: #types),*) -> Move {
                Move(#packed)
            }
            #[doc = #read_doc]
            #[inline(always)]
            pub fn #read(self) -> #types_tuple {
                #tuple
            }
        }
    }

    fn draw_access(&self, index: usize) -> TokenStream {
        let draw = &self.game.draws[index];
        let field = self.layout.draws[index];
        let name = &self.draw_names[index];
        let read = ident(&format!("{name}_value"));
        let ty = self.value_type(&draw.ty);
        let packed = join(
            self.draw_tag(index),
            std::iter::once(self.packed(field, &quote!(value), &draw.ty)),
        );
        let value = self.unpacked(field, &quote!(self.0), &draw.ty);
        let doc = self.doc(&format!("A result of the draw `{}`.", draw.name), draw.span);
        let read_doc = format!(" What was drawn in a result of the draw `{}`.", draw.name);
        quote! {
            #doc
            #[inline(always)]
            pub fn #name(value: #ty) -> Move {
                Move(#packed)
            }
            #[doc = #read_doc]
            #[inline(always)]
            pub fn #read(self) -> #ty {
                #value
            }
        }
    }

    /// Static descriptions of families and draws for texts, arguments and dense indexes.
    fn family_texts(&self) -> TokenStream {
        let rt = &self.rt;
        let mut kinds = Vec::new();
        for (family, fields) in self.game.families.iter().zip(&self.layout.families) {
            let types: Vec<&Type> = family.params.iter().map(|param| &param.ty).collect();
            let dense: Vec<bool> = family.params.iter().map(is_dense).collect();
            kinds.push(self.kind(&family.text, fields, &types, &dense));
        }
        for (draw, field) in self.game.draws.iter().zip(&self.layout.draws) {
            kinds.push(self.kind(&draw.text, &[*field], &[&draw.ty], &[true]));
        }
        let tag_bits = Literal::u32_unsuffixed(self.layout.tag_bits);
        let (consts, kinds) = each_once(&kinds, "KIND", &quote!(MoveKind));
        quote! {
            /// How moves are packed and written: the families, then the draws.
            static KINDS: #rt::support::MoveKinds = {
                use #rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
                #consts
                MoveKinds { tag_bits: #tag_bits, kinds: &[#(#kinds),*] }
            };
        }
    }

    fn kind(
        &self,
        text: &[TextPart],
        fields: &[Field],
        types: &[&Type],
        dense: &[bool],
    ) -> TokenStream {
        let parts = text.iter().map(|part| match part {
            TextPart::Text(text) => quote!(MovePart::Text(#text)),
            TextPart::Param(param) => {
                let param = number(*param);
                quote!(MovePart::Field(#param))
            }
        });
        let fields = fields
            .iter()
            .zip(types)
            .zip(dense)
            .map(|((field, ty), dense)| {
                let (shift, bits) = (
                    Literal::u32_unsuffixed(field.shift),
                    Literal::u32_unsuffixed(field.bits),
                );
                let len = Literal::u64_unsuffixed(field.len);
                let values = match (field.kind, ty) {
                    (FieldKind::Int(lo), _) => {
                        let lo = int_tokens(lo);
                        quote!(FieldValues::Ints(#lo))
                    }
                    (FieldKind::Elem, Type::Elem(domain) | Type::Opt(domain)) => {
                        let names = &self.domain(*domain).names;
                        quote!(FieldValues::Names(&#names))
                    }
                    (FieldKind::Mask, Type::Set(domain)) => {
                        let names = &self.domain(*domain).names;
                        quote!(FieldValues::Masks(&#names))
                    }
                    (FieldKind::Rank, Type::Set(domain)) => {
                        let names = &self.domain(*domain).names;
                        quote!(FieldValues::Ranks(&#names))
                    }
                    _ => quote!(FieldValues::Ints(0)),
                };
                quote!(MoveField::new(#shift, #bits, #len, #dense, #values))
            });
        quote!(MoveKind { text: &[#(#parts),*], fields: &[#(#fields),*] })
    }

    /// Number of dense move indexes.
    pub(super) fn move_count(&self) -> u64 {
        let kind = |fields: &[Field], dense: &[bool]| {
            let lens = fields.iter().zip(dense).filter(|(_, dense)| **dense);
            lens.fold(1u64, |product, (field, _)| {
                product.saturating_mul(field.len)
            })
        };
        let families =
            self.game
                .families
                .iter()
                .zip(&self.layout.families)
                .map(|(family, fields)| {
                    let dense: Vec<bool> = family.params.iter().map(is_dense).collect();
                    kind(fields, &dense)
                });
        let draws = self
            .layout
            .draws
            .iter()
            .map(|field| kind(&[*field], &[true]));
        families.chain(draws).fold(0, u64::saturating_add)
    }
}

/// Whether a parameter counts in the dense index: one that follows from the others does not.
fn is_dense(param: &Param) -> bool {
    !matches!(param.source, ParamSource::Is(_))
}

/// Items that stand for equal values, each defined once: the definitions, and what to write for the values.
pub(super) fn each_once(
    values: &[TokenStream],
    name: &str,
    ty: &TokenStream,
) -> (TokenStream, Vec<TokenStream>) {
    let texts: Vec<String> = values.iter().map(TokenStream::to_string).collect();
    let (mut items, mut uses) = (TokenStream::new(), Vec::new());
    for (at, value) in values.iter().enumerate() {
        let first = texts.iter().position(|text| *text == texts[at]);
        let first = first.unwrap_or(at);
        let several = texts.iter().filter(|text| **text == texts[at]).count() > 1;
        let item = ident(&format!("{name}_{first}"));
        if several && first == at {
            items.extend(quote!(const #item: #ty = #value;));
        }
        uses.push(match several {
            true => quote!(#item),
            false => value.clone(),
        });
    }
    (items, uses)
}

/// The packed form of a tag and the bits of arguments.
fn join(tag: usize, parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let tag = (tag > 0).then(|| {
        let tag = number(tag);
        quote!(#tag)
    });
    let parts: Vec<TokenStream> = tag.into_iter().chain(parts).collect();
    match parts.is_empty() {
        true => quote!(0),
        false => quote!(#(#parts)|*),
    }
}
