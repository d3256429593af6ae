//! Fields of the position: their names, types and sizes.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::code::number;

/// Where, behind the sets of the places of so many kinds, the set of the free places lies: the number of no kind leads there
/// by itself, since all its bits are set. Nothing where there are too many kinds.
pub(super) fn free_slot(kinds: usize) -> Option<usize> {
    let len = (kinds + 1).next_power_of_two();
    (len <= 128).then_some(len - 1)
}

/// The length of an array with so many items: a power of two where that costs little, since then
/// an index needs no test.
pub(super) fn padded(len: usize) -> usize {
    let round = len.next_power_of_two();
    match len {
        0 => 1,
        _ if round <= 128 || round * 4 <= len * 5 => round,
        _ => len,
    }
}

/// The length of an array of members with so many items: one more stands for an absent index where that costs no test.
pub(super) fn with_absent(len: usize) -> usize {
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
pub(super) struct Field {
    pub(super) name: Ident,
    pub(super) ty: TokenStream,
    pub(super) init: TokenStream,
    pub(super) bytes: usize,
    pub(super) doc: String,
}

/// An array, written short if all of its items are the same.
pub(super) fn array(values: Vec<TokenStream>) -> TokenStream {
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

/// How the set of places with a piece is had.
pub(super) enum Taken {
    /// It is kept in a field.
    Kept(Ident),
    /// A method makes it of the sets of two classes of pieces: one operation, where keeping it costs two in each change.
    Told(Ident),
}

impl Taken {
    /// The same by a method.
    pub(super) fn told(self) -> Taken {
        match self {
            Taken::Kept(name) | Taken::Told(name) => Taken::Told(name),
        }
    }
}

/// The words of a counted set: those up to its greatest member.
pub(super) fn counted_words(set: &[u32]) -> usize {
    set.iter().max().map_or(1, |last| *last as usize / 64 + 1)
}

/// The words of a counted set with some members.
pub(super) fn counted_literal(members: impl Iterator<Item = u32>, words: usize) -> TokenStream {
    let mut all = vec![0u64; words];
    members.for_each(|member| all[member as usize / 64] |= 1 << (member % 64));
    let all = all.into_iter().map(Literal::u64_unsuffixed);
    quote!([#(#all),*])
}
