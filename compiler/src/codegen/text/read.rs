//! Positions and values read from text.

use super::*;

impl Generator<'_> {
    /// Placements of which the text tells something start empty.
    pub(super) fn cleared_placements(&self, parts: &[Part]) -> TokenStream {
        let ids = (0..self.placements.len()).map(PlacementId::from);
        let told = ids.filter(|&id| {
            parts.iter().any(|part| match part {
                Part::Places(placement) => *placement == id,
                Part::Stated(part) => tells_placement(std::slice::from_ref(part), id),
                _ => false,
            })
        });
        told.map(|id| {
            let names = self.placement(id);
            self.clear(id, &names.places, &names.contents)
        })
        .collect()
    }

    pub(super) fn clear(&self, id: PlacementId, places: &Ident, contents: &Ident) -> TokenStream {
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let no_place = &self.domain(placement.places).none;
        let no_piece = &self.domain(placement.pieces).none;
        match placement.form {
            PlacementForm::One => quote!(s.#places.fill(#no_place); s.#contents.fill(#no_piece);),
            PlacementForm::Many => {
                quote!(s.#places.fill(#no_place); s.#contents.fill(#rt::BitSet::EMPTY);)
            }
            PlacementForm::Anonymous if self.by_kind.contains(&id) => {
                let free =
                    super::super::fields::free_slot(self.game.domain(placement.pieces).len());
                let free = free.map(|_| {
                    let all = number(self.game.domain(placement.places).len());
                    quote!(*#rt::support::at_mut(&mut s.#places, #no_piece as usize) = #rt::BitSet::below(#all);)
                });
                let clear = match self.content_by_sets(id) {
                    Some(_) => TokenStream::new(),
                    None => quote!(s.#contents.fill(#no_piece);),
                };
                quote! {
                    s.#places.fill(#rt::BitSet::EMPTY);
                    #free
                    #clear
                }
            }
            PlacementForm::Anonymous => quote!(s.#contents.fill(#no_piece);),
        }
    }

    pub(super) fn read_part(&self, part: &StatePart, depth: usize) -> TokenStream {
        let index = format_ident!("index_{depth}");
        match part {
            StatePart::Text(text) => quote!(scan.lit(#text)?;),
            StatePart::Each {
                domain,
                order,
                separator,
                parts,
            } => {
                let inner = format_ident!("index_{}", depth + 1);
                let (list, head) = self.order(order, &self.domain(*domain).alias.clone());
                let names = &self.domain(*domain).names;
                let body: TokenStream = parts
                    .iter()
                    .map(|part| match part {
                        StatePart::Index => quote!(scan.lit(#names[#inner as usize])?;),
                        part => self.read_part(part, depth + 1),
                    })
                    .collect();
                let separate = (!separator.is_empty())
                    .then(|| quote!(if place > 0 { scan.lit(#separator)?; }));
                quote!({
                    #head
                    for (place, #inner) in #list.into_iter().enumerate() {
                        #separate
                        #body
                    }
                })
            }
            StatePart::Index => TokenStream::new(),
            StatePart::Snapshot(slot) => self.read_snapshot(*slot),
            StatePart::Place(placement) => {
                let names = self.placement(*placement);
                self.read_place(*placement, &names.places, &names.contents, &index)
            }
            StatePart::Content(placement) => self.read_content(*placement, &index),
            StatePart::Var(var, style) => self.read_var_text(*var, *style, &index, depth > 0),
            StatePart::Outcome => quote!(read_ending(s, &mut scan)?;),
            StatePart::Point => {
                let last = number(self.machine.points.len().saturating_sub(1));
                let ty = super::super::names::ident(self.point_type());
                match self.has_points() {
                    true => quote!(s.point = scan.int_in(0, #last)? as #ty;),
                    false => quote!(scan.lit("0")?;),
                }
            }
        }
    }

    pub(super) fn read_place(
        &self,
        id: PlacementId,
        places: &Ident,
        contents: &Ident,
        index: &Ident,
    ) -> TokenStream {
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let place = self.domain(placement.places);
        let (none, alias) = (&place.none, &place.alias);
        let no_piece = &self.domain(placement.pieces).none;
        let value = self.read(&Type::Opt(placement.places));
        let enter = match placement.form {
            PlacementForm::Many => quote!(
                #rt::support::at_mut(&mut s.#contents, place as usize).set(#index as usize);
            ),
            _ => quote!(
                let slot = #rt::support::at_mut(&mut s.#contents, place as usize);
                if *slot != #no_piece {
                    return Err(before.expected("a place where no other piece stands"));
                }
                *slot = #index;
            ),
        };
        let before = (placement.form != PlacementForm::Many).then(|| quote!(let before = scan;));
        quote!({
            #before
            let place: #alias = #value;
            if place != #none {
                #enter
                *#rt::support::at_mut(&mut s.#places, #index as usize) = place;
            }
        })
    }

    fn read_content(&self, id: PlacementId, index: &Ident) -> TokenStream {
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let names = self.placement(id);
        let (places, contents) = (&names.places, &names.contents);
        let piece = self.domain(placement.pieces);
        let (none, alias, texts) = (&piece.none, &piece.alias, &piece.names);
        let place_type = &self.domain(placement.places).alias;
        let no_place = &self.domain(placement.places).none;
        match placement.form {
            PlacementForm::Anonymous => self.read_kind(id, contents, index),
            PlacementForm::One => {
                let value = self.read(&Type::Opt(placement.pieces));
                quote!({
                    let before = scan;
                    let piece: #alias = #value;
                    if piece != #none {
                        let slot = #rt::support::at_mut(&mut s.#places, piece as usize);
                        if *slot != #no_place {
                            return Err(before.expected("a piece that stands nowhere else"));
                        }
                        *slot = #index as #place_type;
                        *#rt::support::at_mut(&mut s.#contents, #index as usize) = piece;
                    }
                })
            }
            PlacementForm::Many => quote!({
                if !scan.take("-") {
                    let pieces: #rt::BitSet<_> = #rt::support::read_set(&mut scan, &#texts)?;
                    for piece in pieces.iter() {
                        *#rt::support::at_mut(&mut s.#places, piece) = #index as #place_type;
                    }
                    *#rt::support::at_mut(&mut s.#contents, #index as usize) = pieces;
                }
            }),
        }
    }

    /// The field with the places of each kind beside a field with contents.
    fn places_of(&self, id: PlacementId, contents: &Ident) -> Option<Ident> {
        let own = self.placement(id);
        let kept = self.snapshots.iter().flat_map(|slot| &slot.placements);
        let all = [(own.places.clone(), own.contents.clone())];
        all.into_iter()
            .chain(kept.cloned())
            .find(|(_, other)| other == contents)
            .map(|(places, _)| places)
    }

    pub(super) fn read_kind(
        &self,
        id: PlacementId,
        contents: &Ident,
        index: &Ident,
    ) -> TokenStream {
        let rt = &self.rt;
        let pieces = self.game.placement(id).pieces;
        let (alias, value) = (&self.domain(pieces).alias, self.read(&Type::Opt(pieces)));
        let none = &self.domain(pieces).none;
        if self.content_by_sets(id).is_some() {
            let (put, place) = (
                &self.placement(id).put,
                &self.domain(self.game.placement(id).places).alias,
            );
            return quote!({
                let kind: #alias = #value;
                s.#put(#index as #place, kind, &mut #rt::Silent);
            });
        }
        // Slots have fields of their own, as the placement has.
        let places = self.places_of(id, contents);
        let keep = places.filter(|_| self.by_kind.contains(&id)).map(|places| {
            let leave = quote!(#rt::support::at_mut(&mut s.#places, before as usize).clear(#index as usize););
            let enter = quote!(#rt::support::at_mut(&mut s.#places, kind as usize).set(#index as usize););
            let (leave, enter) = match super::super::fields::free_slot(self.game.domain(pieces).len()) {
                Some(_) => (leave, enter),
                None => (quote!(if before != #none { #leave }), quote!(if kind != #none { #enter })),
            };
            quote! {
                let before = #rt::support::at(&s.#contents, #index as usize);
                #leave
                #enter
            }
        });
        quote!({
            let kind: #alias = #value;
            #keep
            *#rt::support::at_mut(&mut s.#contents, #index as usize) = kind;
        })
    }

    fn read_var_text(
        &self,
        var: VarId,
        style: VarStyle,
        index: &Ident,
        indexed: bool,
    ) -> TokenStream {
        let rt = &self.rt;
        let field = &self.var_fields[var.index()];
        let ty = self.var_type(var);
        let value = match (style, &ty) {
            (VarStyle::Numbered, Type::Elem(domain)) => {
                let (len, alias) = (
                    number(self.game.domain(*domain).len()),
                    &self.domain(*domain).alias,
                );
                quote!((scan.int_in(1, #len)? - 1) as #alias)
            }
            (VarStyle::Numbered, Type::Opt(domain)) => {
                let info = self.domain(*domain);
                let (len, alias, none) = (
                    number(self.game.domain(*domain).len()),
                    &info.alias,
                    &info.none,
                );
                quote!(if scan.take("-") { #none } else { (scan.int_in(1, #len)? - 1) as #alias })
            }
            _ => self.read(&ty),
        };
        if self.constant_vars.contains(&var) {
            // That it is the right one is seen when the text is compared with that of the position.
            let stored = self.stored_type(&ty);
            return quote!(let _: #stored = #value;);
        }
        match (self.game.var(var).axes.is_empty(), indexed) {
            (true, _) => quote!(s.#field = #value;),
            (false, true) => {
                quote!(*#rt::support::at_mut(&mut s.#field, #index as usize) = #value;)
            }
            (false, false) => quote!(*#rt::support::at_mut(&mut s.#field, 0) = #value;),
        }
    }

    /// The stored value whose text comes next.
    pub(super) fn read(&self, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        match ty {
            Type::Bool => quote!(if scan.take("true") {
                true
            } else {
                scan.lit("false")?;
                false
            }),
            Type::Int { lo, hi } => {
                let stored = self.stored_type(ty);
                let (lo, hi) = (int_tokens(*lo), int_tokens(*hi));
                quote!(scan.int_in(#lo, #hi)? as #stored)
            }
            Type::Wrap32 => quote!(scan.int_in(i64::from(i32::MIN), i64::from(i32::MAX))? as i32),
            Type::Elem(domain) => {
                let info = self.domain(*domain);
                let (names, alias) = (&info.names, &info.alias);
                quote!(scan.name(&#names)? as #alias)
            }
            Type::Opt(domain) => {
                let info = self.domain(*domain);
                let (names, alias, none) = (&info.names, &info.alias, &info.none);
                quote!(scan.optional(&#names)?.map_or(#none, |member| member as #alias))
            }
            Type::Set(domain) => {
                let names = &self.domain(*domain).names;
                quote!(#rt::support::read_set(&mut scan, &#names)?)
            }
            Type::Seq { item, .. } => {
                let value = self.value_type(ty);
                let item_value = self.read_item(item);
                quote!({
                    let mut items = <#value>::new();
                    scan.lit("[")?;
                    if !scan.take("]") {
                        loop {
                            if !items.push(#item_value) {
                                return Err(scan.expected("fewer items"));
                            }
                            if scan.take("]") {
                                break;
                            }
                            scan.lit(",")?;
                        }
                    }
                    items
                })
            }
            Type::Tagged => {
                self.shows_tagged.set(true);
                quote!(read_tagged(&mut scan)?)
            }
        }
    }

    /// An item of a sequence: integers are not stored narrowly there.
    fn read_item(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Int { lo, hi } => {
                let (lo, hi) = (int_tokens(*lo), int_tokens(*hi));
                quote!(scan.int_in(#lo, #hi)?)
            }
            _ => self.read(ty),
        }
    }
}
