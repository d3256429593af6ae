//! Keys of positions for tables that live as long as a search, and what positions without names are equal by.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::number;
use crate::ir::{
    Axis, Const, Expr, ExprKind, IdentityId, IdentityTerm, LocalId, PlacementForm, PlacementId,
    TableId,
};

/// Groups of places that are alike, of which it is counted what stands on them, at most.
const MOST_GROUPS: usize = 4;

/// What tells a value of a piece: a table of pieces, one of the places where they stand, or a variable of the piece.
enum Told {
    ByPiece(TableId),
    ByPlace(TableId),
    Held,
}

impl Generator<'_> {
    /// The method that tells the key by what the future depends on, if that is not equality.
    pub(super) fn future_key(&self) -> TokenStream {
        let future = self.game.future.as_ref().map(|future| future.identity);
        self.key_method("future_key", future)
    }

    /// The same without rules that only count, if that is something else.
    pub(super) fn timeless_key(&self) -> TokenStream {
        self.key_method("timeless_key", self.game.timeless())
    }

    fn key_method(&self, name: &str, identity: Option<IdentityId>) -> TokenStream {
        let Some(identity) = identity else {
            return TokenStream::new();
        };
        let (rt, name) = (&self.rt, format_ident!("{name}"));
        let terms = &self.digests[identity.index()];
        quote! {
            fn #name(&self, s: &State) -> u64 {
                let words = &mut #rt::support::QuickKey::new();
                identity_head(s, words);
                #terms(s, words);
                words.value()
            }
        }
    }

    /// Words that tell positions apart as an identity does, where that looks at pieces that have no names any more.
    pub(super) fn words_without_names(&self, id: IdentityId) -> Option<TokenStream> {
        let identity = self.game.identity(id);
        if !self.looks_at_names(&identity.terms) {
            return None;
        }
        let words = |term: &IdentityTerm| match term {
            IdentityTerm::Bag { .. } => self.bag_of_classes(term),
            _ if self.looks_at_names(std::slice::from_ref(term)) => None,
            _ => Some(self.term(id, term)),
        };
        identity.terms.iter().map(words).collect()
    }

    /// Words that tell of all pieces their kinds and those of their places, from the sets of places where each class stands: as many words
    /// as these have, and numbers for places that are alike.
    fn bag_of_classes(&self, term: &IdentityTerm) -> Option<TokenStream> {
        let IdentityTerm::Bag {
            domain,
            when,
            values,
        } = term
        else {
            return None;
        };
        let (id, quotient, forms) = self.nameless()?;
        let placement = self.game.placement(id);
        let plain = placement.pieces == *domain
            && placement.form == PlacementForm::One
            && when.as_const() == Some(&Const::Bool(true));
        if !plain {
            return None;
        }
        let (mut of_pieces, mut of_places) = (Vec::new(), Vec::new());
        for value in values {
            match self.kind_told(value, id)? {
                Told::ByPiece(table) => of_pieces.push(table),
                Told::ByPlace(table) => of_places.push(table),
                Told::Held => {}
            }
        }
        let kind = |tables: &[TableId], member: u32| -> Vec<&Const> {
            let value = |table: &TableId| self.game.table(*table).values.get(member as usize);
            tables.iter().filter_map(value).collect()
        };
        let shown: Vec<&Expr> = values.iter().collect();
        let all = self.kinds_shown(quotient, forms, &shown)?;
        let mut kinds: SortedMap<Vec<&Const>, Vec<TokenStream>> = SortedMap::new();
        for one in &all {
            let mut own = kind(&of_pieces, *one.pieces.first()?);
            if one
                .pieces
                .iter()
                .any(|piece| kind(&of_pieces, *piece) != own)
            {
                return None;
            }
            own.extend(one.held.iter().map(|(_, value)| value));
            kinds.entry(own).or_default().push(one.set.clone());
        }
        let count = self.game.domain(placement.places).len() as u32;
        let mut groups: SortedMap<Vec<&Const>, Vec<u32>> = SortedMap::new();
        for place in 0..count {
            groups
                .entry(kind(&of_places, place))
                .or_default()
                .push(place);
        }
        let (single, groups): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .map(|(_, group)| group)
            .partition(|group| group.len() == 1);
        if groups.len() > MOST_GROUPS {
            return None;
        }
        let single: Vec<u32> = single.concat();
        let words = kinds
            .into_iter()
            .map(|(_, sets)| self.words_of_set(&sets, &single, &groups, count));
        Some(words.collect())
    }

    /// What tells a value of a piece.
    fn kind_told(&self, value: &Expr, id: PlacementId) -> Option<Told> {
        let placement = self.game.placement(id);
        let itself = |expr: &Expr| expr.kind == ExprKind::Local(LocalId::from(0));
        match &value.kind {
            ExprKind::Var(var, index) => {
                let own = matches!(&index[..], [index] if itself(index));
                (own && self.property(*var).is_some()).then_some(Told::Held)
            }
            ExprKind::Lookup(table, index) => {
                let [index] = &index[..] else { return None };
                let axes = &self.game.table(*table).axes;
                match &index.kind {
                    _ if itself(index) => {
                        let fits = *axes == [Axis::Domain(placement.pieces)];
                        fits.then_some(Told::ByPiece(*table))
                    }
                    ExprKind::PlaceOf(own, piece) if *own == id && itself(piece) => {
                        let fits = *axes == [Axis::Domain(placement.places)];
                        fits.then_some(Told::ByPlace(*table))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The words of a set of places: bits of those that are told apart, numbers of others.
    fn words_of_set(
        &self,
        sets: &[TokenStream],
        single: &[u32],
        groups: &[Vec<u32>],
        count: u32,
    ) -> TokenStream {
        let length = (count as usize).div_ceil(64);
        let words = (0..length).filter_map(|word| {
            let bits = single.iter().filter(|place| **place as usize / 64 == word);
            let mask = bits.fold(0u64, |mask, place| mask | 1 << (place % 64));
            let (at, mask_text) = (number(word), Literal::u64_unsuffixed(mask));
            match mask {
                0 => None,
                u64::MAX => Some(quote!(words.word(all.0[#at]);)),
                _ => Some(quote!(words.word(all.0[#at] & #mask_text);)),
            }
        });
        let numbers = groups.iter().map(|group| {
            let group = self.set_of_words(group, length);
            quote!(words.word(u64::from((all & #group).count()));)
        });
        quote!({
            let all = #(#sets)|*;
            #(#words)*
            #(#numbers)*
        })
    }
}
