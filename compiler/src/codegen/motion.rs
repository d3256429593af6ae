//! How pieces move, and what that does to sets of places.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::number;
use crate::ir::Arrival;

/// How a piece moves, where code for that is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Motion<'a> {
    /// From wherever it is to a place.
    Put,
    /// As is known.
    Bring(&'a Arrival),
    /// Off the board.
    Take,
    /// To a place where it is entered, from none.
    Enter,
}

/// Whether the places of a list are in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    None,
    Some,
    All,
}

impl Motion<'_> {
    /// Whether a place is left.
    pub(super) fn leaves(self) -> bool {
        !matches!(self, Motion::Enter)
    }

    /// Whether a place is reached.
    pub(super) fn arrives(self) -> bool {
        !matches!(self, Motion::Take)
    }

    /// Whether the place that the piece leaves may be in a set.
    pub(super) fn from(self, set: impl Fn(u32) -> bool) -> Share {
        match self {
            Motion::Enter => Share::None,
            Motion::Bring(known) => Share::of(&known.from, set),
            _ => Share::Some,
        }
    }

    /// Whether the place that the piece reaches may be in a set.
    pub(super) fn to(self, set: impl Fn(u32) -> bool) -> Share {
        match self {
            Motion::Take => Share::None,
            Motion::Bring(known) => Share::of(&known.to, set),
            _ => Share::Some,
        }
    }
}

impl Share {
    fn of(places: &[u32], set: impl Fn(u32) -> bool) -> Share {
        match places.iter().filter(|place| set(**place)).count() {
            0 => Share::None,
            count if count == places.len() => Share::All,
            _ => Share::Some,
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
pub(super) fn event_id(offset: Option<usize>) -> TokenStream {
    match offset.unwrap_or(0) {
        0 => TokenStream::new(),
        offset => {
            let offset = number(offset);
            quote!(+ #offset)
        }
    }
}
