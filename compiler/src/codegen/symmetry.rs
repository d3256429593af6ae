//! Symmetries, as the runtime describes them, and what they make of positions and moves.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Gen;
use super::code::number;
use super::names::ident;
use crate::ir::ArgImage;

/// Lists of numbers, each of which is written once.
#[derive(Default)]
struct Lists {
    names: BTreeMap<Vec<u32>, Ident>,
}

impl Lists {
    fn name(&mut self, list: &[u32]) -> TokenStream {
        if list.is_empty() {
            return quote!(&[]);
        }
        let next = self.names.len();
        let name = self.names.entry(list.to_vec());
        let name = name.or_insert_with(|| ident(&format!("RENAMED_{next}")));
        quote!(#name)
    }

    fn items(&self) -> TokenStream {
        let items = self.names.iter().map(|(list, name)| {
            let list = list.iter().map(|n| Literal::u32_unsuffixed(*n));
            quote! {
                /// New numbers under a symmetry.
                static #name: &[u32] = &[#(#list),*];
            }
        });
        items.collect()
    }
}

impl Gen<'_> {
    /// The static lists of the descriptions, and the descriptions.
    pub(super) fn symmetry_infos(&self) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let mut lists = Lists::default();
        let mut infos = Vec::new();
        for symmetry in &self.game.symmetries.all {
            let images = symmetry.images(self.game);
            let mut moves = Vec::new();
            for (family, args) in &images.moves {
                let args = args.iter().map(|arg| match arg {
                    ArgImage::Same => quote!(#rt::ArgImage::Same),
                    ArgImage::Member(members) => {
                        let members = lists.name(members);
                        quote!(#rt::ArgImage::Member(#members))
                    }
                    ArgImage::Set(members) => {
                        let members = lists.name(members);
                        quote!(#rt::ArgImage::Bits(#members))
                    }
                });
                let (family, args) = (number(*family), args.collect::<Vec<_>>());
                moves.push(quote!(#rt::MoveImage { family: #family, args: &[#(#args),*] }));
            }
            let mut planes = Vec::new();
            for (from, values) in &images.planes {
                let (from, values) = (lists.name(from), lists.name(values));
                planes.push(quote!(#rt::PlaneImage { from: #from, values: #values }));
            }
            let fixes_start = symmetry.fixes_start;
            let players = lists.name(&images.players);
            let (pieces, places) = (lists.name(&images.pieces), lists.name(&images.places));
            infos.push(quote!(#rt::Symmetry {
                fixes_start: #fixes_start,
                players: #players,
                pieces: #pieces,
                places: #places,
                moves: &[#(#moves),*],
                planes: &[#(#planes),*],
            }));
        }
        (lists.items(), quote!(&[#(#infos),*]))
    }
}
