//! Symmetries, as the runtime describes them, and what they make of positions and moves.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use super::names::ident;
use crate::ir::{ArgImage, DomainId, PlacementForm, PlacementId, Type, VarId};

/// Lists of numbers, and of what becomes of arguments, each of which is written once.
#[derive(Default)]
struct Lists {
    names: SortedMap<Vec<u32>, Ident>,
    /// By the text of the items, which they stand beside.
    args: SortedMap<String, (Ident, TokenStream)>,
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

    /// What becomes of the arguments of a family.
    fn args(&mut self, rt: &TokenStream, args: &[ArgImage]) -> TokenStream {
        if args.is_empty() {
            return quote!(&[]);
        }
        let args = args.iter().map(|arg| match arg {
            ArgImage::Same => quote!(#rt::ArgImage::Same),
            ArgImage::Member(members) => {
                let members = self.name(members);
                quote!(#rt::ArgImage::Member(#members))
            }
            ArgImage::Set(members) => {
                let members = self.name(members);
                quote!(#rt::ArgImage::Bits(#members))
            }
        });
        let list = args.collect::<Vec<_>>();
        let list = quote!(&[#(#list),*]);
        let next = self.args.len();
        let named = self.args.entry(list.to_string());
        let (name, _) = named.or_insert_with(|| (ident(&format!("RENAMED_ARGS_{next}")), list));
        quote!(#name)
    }

    fn items(&self, rt: &TokenStream) -> TokenStream {
        let args = self.args.values().map(|(name, list)| {
            quote! {
                /// What becomes of arguments under a symmetry.
                static #name: &[#rt::ArgImage] = #list;
            }
        });
        let items = self.names.iter().map(|(list, name)| {
            let list = list.iter().map(|n| Literal::u32_unsuffixed(*n));
            quote! {
                /// New numbers under a symmetry.
                static #name: &[u32] = &[#(#list),*];
            }
        });
        items.chain(args).collect()
    }
}

impl Generator<'_> {
    /// The static lists of the descriptions, and the descriptions.
    pub(super) fn symmetry_infos(&self) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let mut lists = Lists::default();
        let mut infos = Vec::new();
        for symmetry in &self.game.symmetries.all {
            let images = symmetry.images(self.game);
            let mut moves = Vec::new();
            for (family, args) in &images.moves {
                let (family, args) = (number(*family), lists.args(rt, args));
                moves.push(quote!(#rt::MoveImage::new(#family, #args)));
            }
            let mut planes = Vec::new();
            for image in &images.planes {
                let (plane, from, values) = (number(image.plane), &image.from, &image.values);
                let (from, values) = (lists.name(from), lists.name(values));
                planes.push(quote!(#rt::PlaneImage::new(#plane, #from, #values)));
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
        (lists.items(rt), quote!(&[#(#infos),*]))
    }
}

/// The members of a domain under each symmetry.
struct Renaming {
    domain: DomainId,
    name: Ident,
}

impl Generator<'_> {
    /// The method that makes the image of a position, and the lists that it uses; nothing where there are no symmetries.
    pub(super) fn symmetry_image(&self) -> (TokenStream, TokenStream) {
        let all = &self.game.symmetries.all;
        if all.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let mut items = TokenStream::new();
        let renamings = self.renamed_members(&mut items);
        let sets = self.nameless().and_then(|(id, ..)| self.image_of_sets(id));
        let naming = self.naming.replace(sets.is_none());
        let mut body = TokenStream::new();
        if let Some(renaming) = renamings.iter().find(|r| r.domain == self.game.players) {
            let (rt, name) = (&self.rt, &renaming.name);
            body.extend(quote!(
                s.winners = #rt::bits::bits64(u64::from(from.winners))
                    .fold(0u64, |set, player| set | 1 << (new_member(#name, symmetry, player) & 63)) as _;
            ));
        }
        for (index, var) in self.game.vars.iter().enumerate() {
            let id = VarId::from(index);
            let in_sets = sets.is_some() && self.property(id).is_some();
            if !self.constant_vars.contains(&id) && !in_sets {
                let sources = all
                    .iter()
                    .map(|s| s.sources(self.game, &var.axes))
                    .collect();
                body.extend(self.var_image(id, sources, &renamings, &mut items));
            }
        }
        for id in (0..self.game.placements.len()).map(PlacementId::from) {
            match &sets {
                Some((of_sets, lists)) if self.forms(id).is_some() => {
                    body.extend(of_sets.clone());
                    items.extend(lists.clone());
                }
                _ => body.extend(self.placement_image(id, &renamings)),
            }
        }
        self.naming.set(naming);
        let stored = self.snapshots.iter().map(|names| {
            let stored = &names.stored;
            quote!(if from.#stored { return None; })
        });
        let noted = self
            .trails
            .iter()
            .map(|trail| quote!(if !from.#trail.digests().is_empty() { return None; }));
        let refresh = match sets {
            Some(_) => TokenStream::new(),
            None => self.refresh_calls(&quote!(s)),
        };
        items.extend(quote! {
            /// The new number of a member.
            #[inline(always)]
            fn new_member(lists: &[&[u32]], symmetry: usize, member: usize) -> usize {
                let list = lists.get(symmetry).copied().unwrap_or_default();
                list.get(member).map_or(member, |new| *new as usize)
            }
        });
        let count = number(all.len());
        let known = quote! {
            if symmetry >= #count {
                return None;
            }
            #(#stored)*
            #(#noted)*
        };
        let forget = self.forget_answers();
        let made = quote! {
            let mut image = from.clone();
            let s = &mut image;
            #body
            #refresh
            #forget
        };
        let method = match self.nameless() {
            Some(_) if sets.is_none() => {
                items.extend(quote! {
                    /// The image of a position with names for its pieces.
                    fn image_of_named(from: &Named, symmetry: usize) -> Option<State> {
                        #known
                        #made
                        Some(image.position)
                    }
                });
                self.images_of_named()
            }
            _ => quote! {
                fn image(&self, from: &State, symmetry: usize) -> Option<State> {
                    #known
                    #made
                    Some(image)
                }
            },
        };
        (items, method)
    }

    /// The domains with members that have new names, and lists of these.
    fn renamed_members(&self, items: &mut TokenStream) -> Vec<Renaming> {
        let all = &self.game.symmetries.all;
        let mut renamings: Vec<Renaming> = Vec::new();
        for index in 0..self.game.domains.len() {
            let domain = DomainId::from(index);
            if all.iter().all(|symmetry| symmetry.keeps(domain)) {
                continue;
            }
            let name = ident(&format!("NEW_MEMBERS_{index}"));
            let lists = all.iter().map(|symmetry| {
                let members = symmetry.members.get(&domain).into_iter().flatten();
                let members = members.map(|member| Literal::u32_unsuffixed(*member));
                quote!(&[#(#members),*])
            });
            let doc = format!(
                " The new numbers of members of `{}` under each symmetry.",
                self.game.domains[index].name
            );
            items.extend(quote!(#[doc = #doc] static #name: &[&[u32]] = &[#(#lists),*];));
            renamings.push(Renaming { domain, name });
        }
        renamings
    }

    /// The methods that make images of positions without names for pieces: names are given once for all images.
    fn images_of_named(&self) -> TokenStream {
        let each = (self.game.symmetries.all.len() > 1).then(|| {
            quote! {
                fn each_image(
                    &self,
                    from: &State,
                    symmetries: &[usize],
                    show: &mut dyn FnMut(usize, &State),
                ) {
                    let from = &from.named();
                    for &symmetry in symmetries {
                        if let Some(image) = image_of_named(from, symmetry) {
                            show(symmetry, &image);
                        }
                    }
                }
            }
        });
        quote! {
            fn image(&self, from: &State, symmetry: usize) -> Option<State> {
                image_of_named(&from.named(), symmetry)
            }
            #each
        }
    }

    /// The new value of one that is stored; nothing where all stay, and an error where it cannot be said.
    fn value_image(
        &self,
        ty: &Type,
        old: &TokenStream,
        renamings: &[Renaming],
    ) -> Result<Option<TokenStream>, ()> {
        let of = |domain: DomainId| renamings.iter().find(|r| r.domain == domain);
        match ty {
            Type::Elem(domain) | Type::Opt(domain) => Ok(of(*domain).map(|renaming| {
                let name = &renaming.name;
                quote!(new_member(#name, symmetry, usize::from(#old)) as _)
            })),
            Type::Set(domain) => Ok(of(*domain).map(|renaming| {
                let (rt, name) = (&self.rt, &renaming.name);
                quote!({
                    let mut set = #rt::BitSet::EMPTY;
                    for member in #old.iter() {
                        set.set(new_member(#name, symmetry, member));
                    }
                    set
                })
            })),
            Type::Seq { item, .. } => match self.value_image(item, old, renamings) {
                Ok(None) => Ok(None),
                _ => Err(()),
            },
            Type::Tagged => Err(()),
            Type::Bool | Type::Int { .. } | Type::Wrap32 => Ok(None),
        }
    }

    /// The list of the new values of a variable; nothing where all stay.
    fn new_values(&self, id: VarId, items: &mut TokenStream) -> Option<Ident> {
        let all = self.game.symmetries.all.iter();
        let lists: Vec<Vec<u32>> = all.map(|s| s.numbers_of(self.game, id)).collect();
        if lists.iter().all(Vec::is_empty) {
            return None;
        }
        let name = ident(&format!("NEW_VALUES_{}", id.index()));
        let lists = lists.iter().map(|list| {
            let list = list.iter().map(|value| Literal::u32_unsuffixed(*value));
            quote!(&[#(#list),*])
        });
        let var = &self.game.var(id).name;
        let doc = format!(" The new values of `{var}` under each symmetry, from 0 on.");
        items.extend(quote!(#[doc = #doc] static #name: &[&[u32]] = &[#(#lists),*];));
        Some(name)
    }

    fn var_image(
        &self,
        id: VarId,
        sources: Vec<Vec<u32>>,
        renamings: &[Renaming],
        items: &mut TokenStream,
    ) -> TokenStream {
        let field = &self.var_fields[id.index()];
        let ty = &self.game.var(id).ty;
        let plain = self.game.var(id).axes.is_empty();
        if self.game.unsure.contains(&id) {
            return quote!(s.#field = true;);
        }
        let old = if plain {
            quote!(from.#field)
        } else {
            quote!(old)
        };
        let new = match self.new_values(id, items) {
            Some(name) => Ok(Some(
                quote!(new_member(#name, symmetry, #old as usize) as _),
            )),
            None => self.value_image(ty, &old, renamings),
        };
        let Ok(new) = new else {
            return quote!(return None;);
        };
        if plain {
            return new.map_or(TokenStream::new(), |new| quote!(s.#field = #new;));
        }
        let moves = sources.iter().any(|from| !from.is_empty());
        if !moves && new.is_none() {
            return TokenStream::new();
        }
        let name = ident(&format!("SOURCES_{}", id.index()));
        let lists = sources.iter().map(|from| {
            let from = from.iter().map(|cell| Literal::u32_unsuffixed(*cell));
            quote!(&[#(#from),*])
        });
        let doc = format!(
            " The cells from which `{}` is taken under each symmetry.",
            self.game.var(id).name
        );
        items.extend(quote!(#[doc = #doc] static #name: &[&[u32]] = &[#(#lists),*];));
        let new = new.unwrap_or_else(|| quote!(old));
        let len = number(self.game.var(id).init.len());
        quote!(
            for (cell, slot) in s.#field.iter_mut().take(#len).enumerate() {
                if let Some(&old) = from.#field.get(new_member(#name, symmetry, cell)) {
                    *slot = #new;
                }
            }
        )
    }

    fn placement_image(&self, id: PlacementId, renamings: &[Renaming]) -> TokenStream {
        let placement = self.game.placement(id);
        let names = self.placement(id);
        let (places, contents) = (&names.places, &names.contents);
        let by = |domain: DomainId, member: TokenStream| match renamings
            .iter()
            .find(|r| r.domain == domain)
        {
            Some(renaming) => {
                let name = &renaming.name;
                quote!(new_member(#name, symmetry, #member))
            }
            None => quote!(#member),
        };
        let moved = |domain| renamings.iter().any(|r| r.domain == domain);
        if !moved(placement.pieces) && !moved(placement.places) {
            return TokenStream::new();
        }
        let len = |domain| number(self.game.domain(domain).len());
        let (piece_count, place_count) = (len(placement.pieces), len(placement.places));
        let list = |field: &Ident, count, key: TokenStream, value: TokenStream| {
            quote!(
                for (key, &value) in from.#field.iter().take(#count).enumerate() {
                    if let Some(slot) = s.#field.get_mut(#key) {
                        *slot = #value as _;
                    }
                }
            )
        };
        let piece_of = |member| by(placement.pieces, member);
        let place_of = |member| by(placement.places, member);
        let (key, value) = (quote!(key), quote!(usize::from(value)));
        let of_pieces = list(
            places,
            &piece_count,
            piece_of(key.clone()),
            place_of(value.clone()),
        );
        let of_places = list(
            contents,
            &place_count,
            place_of(key.clone()),
            piece_of(value),
        );
        match placement.form {
            PlacementForm::One => quote!(#of_pieces #of_places),
            PlacementForm::Anonymous => {
                let kinds = self.by_kind.contains(&id).then(|| {
                    let (kind, place) = (piece_of(key.clone()), place_of(quote!(member)));
                    quote!(
                        for (key, set) in from.#places.iter().enumerate() {
                            if let Some(slot) = s.#places.get_mut(#kind) {
                                *slot = Default::default();
                                for member in set.iter() {
                                    slot.set(#place);
                                }
                            }
                        }
                    )
                });
                match self.content_by_sets(id) {
                    Some(_) => quote!(#kinds),
                    None => quote!(#of_places #kinds),
                }
            }
            PlacementForm::Many => {
                let (place, piece) = (place_of(key), piece_of(quote!(member)));
                quote!(
                    #of_pieces
                    for (key, set) in from.#contents.iter().take(#place_count).enumerate() {
                        if let Some(slot) = s.#contents.get_mut(#place) {
                            *slot = Default::default();
                            for member in set.iter() {
                                slot.set(#piece);
                            }
                        }
                    }
                )
            }
        }
    }
}
