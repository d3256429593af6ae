//! Equalities of states as words.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Code, number};
use super::function::bound_locals;
use super::names::Case;
use super::types::member_type;
use super::{Body, Generator, LocalName};
use crate::ir::{
    Const, DomainId, Expr, Identity, IdentityId, IdentityTerm, Local, Parts, PlacementForm,
    PlacementId, Type, VarId,
};

impl Generator<'_> {
    /// The words of every identity, and the equality of states unless it is derived.
    pub(super) fn identities(&self) -> TokenStream {
        let rt = &self.rt;
        let mut tokens = self.head();
        for (index, identity) in self.game.identities.iter().enumerate() {
            let name = &self.digests[index];
            let digest = self.digest_name(crate::ir::IdentityId::from(index));
            let doc = format!(" The words of the identity `{}`.", identity.name);
            let terms = match self.words_without_names(index.into()) {
                Some(words) => words,
                None => self.words_of_terms(index.into()),
            };
            tokens.extend(quote! {
                #[doc = #doc]
                fn #name<W: #rt::support::Words>(s: &State, words: &mut W) {
                    #terms
                }
            });
            let nest = identity.terms.iter().find_map(|term| match term {
                IdentityTerm::Nest {
                    placement,
                    when,
                    values,
                } => Some((*placement, when, values)),
                _ => None,
            });
            if let Some((placement, when, values)) = nest {
                tokens.extend(self.nest(index.into(), placement, when, values));
            }
            let in_trail = |trail: &crate::ir::Trail| trail.identity.index() == index;
            if self.game.trails.iter().any(in_trail) {
                let doc = format!(" A digest of the identity `{}`.", identity.name);
                tokens.extend(quote! {
                    #[doc = #doc]
                    fn #digest(s: &State) -> u128 {
                        let mut digest = #rt::support::Digest::new();
                        #name(s, &mut digest);
                        digest.value()
                    }
                });
            }
        }
        tokens
    }

    /// The words of the terms of an identity, those of a shorter one before others.
    fn words_of_terms(&self, id: IdentityId) -> TokenStream {
        let all = &self.game.identity(id).terms;
        let nested = |terms: &[IdentityTerm]| {
            let mut terms = terms.iter();
            terms.any(|term| matches!(term, IdentityTerm::Nest { .. }))
        };
        let others = (0..self.game.identities.len()).map(IdentityId::from);
        let shorter = others.filter(|other| {
            let terms = &self.game.identity(*other).terms;
            let is_told = self.words_without_names(*other).is_some();
            let begins = !terms.is_empty() && all.starts_with(terms);
            begins && terms.len() < all.len() && !is_told && !nested(terms)
        });
        let longest = shorter.max_by_key(|other| self.game.identity(*other).terms.len());
        let told = longest.map_or(0, |other| self.game.identity(other).terms.len());
        let rest = &all[told..];
        let terms = || -> TokenStream { rest.iter().map(|term| self.term(id, term)).collect() };
        let rest = match self.looks_at_names(rest) {
            true => self.with_names(terms),
            false => terms(),
        };
        let first = longest.map(|other| {
            let name = &self.digests[other.index()];
            quote!(#name(s, words);)
        });
        quote!(#first #rest)
    }

    /// The words that all identities begin with: outcome and control state.
    fn head(&self) -> TokenStream {
        let rt = &self.rt;
        let point = self
            .has_points()
            .then(|| quote!(words.word(u64::from(s.point));));
        let saved = self
            .machine
            .saved
            .iter()
            .map(|&var| self.var_words(var, &self.var_fields[var.index()]));
        quote! {
            /// The words that all identities begin with: the outcome and where play goes on.
            fn identity_head<W: #rt::support::Words>(s: &State, words: &mut W) {
                // That nobody can move, or a rule fails, follows from the rest.
                let (ended, fault) = match s.ended {
                    State::NO_MOVE | State::BROKEN => (0, 0),
                    ended => (ended, s.fault),
                };
                words.word(u64::from(ended) | u64::from(fault) << 8);
                words.word(u64::from(s.winners));
                #point
                #(#saved)*
            }
        }
    }

    pub(super) fn term(&self, identity: crate::ir::IdentityId, term: &IdentityTerm) -> TokenStream {
        match term {
            IdentityTerm::Everything => self.everything(),
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => self.each_member(*domain, when, values),
            IdentityTerm::Bag {
                domain,
                when,
                values,
            } => self.bag(*domain, when, values),
            IdentityTerm::Nest { .. } => {
                let nest = self.nest_name(identity);
                quote!(#nest(s).words(words);)
            }
            IdentityTerm::Value(value) => self.value_statements(&self.plain_body(&[value]), value),
            IdentityTerm::Parts(parts) => self.parts_as_they_are(parts),
        }
    }

    fn parts_as_they_are(&self, parts: &Parts) -> TokenStream {
        let mut tokens = TokenStream::new();
        let vars = parts.vars.iter();
        let vars = vars.filter(|var| self.property(**var).is_none());
        for &var in vars.filter(|var| !self.constant_vars.contains(var)) {
            tokens.extend(self.var_words(var, &self.var_fields[var.index()]));
        }
        for &id in &parts.placements {
            let names = &self.placements[id.index()];
            tokens.extend(self.placement_words(id, &names.places, &names.contents));
        }
        for id in &parts.snapshots {
            tokens.extend(self.snapshot_words(id.index()));
        }
        for trail in &parts.trails {
            let field = &self.trails[trail.index()];
            tokens.extend(quote!({
                let mut noted = s.#field.digests().to_vec();
                noted.sort_unstable();
                words.word(noted.len() as u64);
                for digest in noted {
                    words.word(digest as u64);
                    words.word((digest >> 64) as u64);
                }
            }));
        }
        tokens
    }

    fn snapshot_words(&self, index: usize) -> TokenStream {
        let (slot, names) = (&self.game.snapshots[index], &self.snapshots[index]);
        let stored = &names.stored;
        let mut kept = TokenStream::new();
        for (&var, name) in slot.vars.iter().zip(&names.vars) {
            kept.extend(self.var_words(var, name));
        }
        for (&placement, (places, contents)) in slot.placements.iter().zip(&names.placements) {
            kept.extend(self.placement_words(placement, places, contents));
        }
        quote!(
            words.word(u64::from(s.#stored));
            if s.#stored { #kept }
        )
    }

    fn everything(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (index, var) in self.game.vars.iter().enumerate() {
            let id = VarId::from(index);
            let constant = self.constant_vars.contains(&id) || self.property(id).is_some();
            if !var.meter && !constant && !self.machine.saved.contains(&id) {
                tokens.extend(self.var_words(id, &self.var_fields[index]));
            }
        }
        for (index, names) in self.placements.iter().enumerate() {
            tokens.extend(self.placement_words(
                PlacementId::from(index),
                &names.places,
                &names.contents,
            ));
        }
        for index in 0..self.game.snapshots.len() {
            tokens.extend(self.snapshot_words(index));
        }
        tokens
    }

    fn placement_words(
        &self,
        id: PlacementId,
        places: &proc_macro2::Ident,
        contents: &proc_macro2::Ident,
    ) -> TokenStream {
        if self.forms(id).is_some() {
            return self.form_words(id);
        }
        let placement = self.game.placement(id);
        if self.content_by_sets(id).is_some() {
            let kinds = number(self.game.domain(placement.pieces).len());
            return quote! {
                for set in s.#places.iter().take(#kinds) {
                    for &word in &set.0 {
                        words.word(word);
                    }
                }
            };
        }
        let (field, domain) = match placement.form {
            PlacementForm::Anonymous => (contents, placement.pieces),
            _ => (places, placement.places),
        };
        match member_type(self.game.domain(domain).len()) {
            "u8" => quote!(words.bytes(&s.#field);),
            _ => quote!(for &item in &s.#field { words.word(u64::from(item)); }),
        }
    }

    fn var_words(&self, id: VarId, field: &proc_macro2::Ident) -> TokenStream {
        let var = self.game.var(id);
        if var.axes.is_empty() {
            let words = self.stored_words(&var.ty, &quote!(s.#field));
            return quote!(#words);
        }
        let stored = self.stored_type(&var.ty).to_string();
        let bytes = stored == "u8"
            || matches!(&var.ty, Type::Elem(d) | Type::Opt(d) if member_type(self.game.domain(*d).len()) == "u8");
        if bytes {
            return quote!(words.bytes(&s.#field););
        }
        let words = self.stored_words(&var.ty, &quote!(item));
        quote!(for &item in &s.#field { #words })
    }

    /// The words of a stored value.
    fn stored_words(&self, ty: &Type, value: &TokenStream) -> TokenStream {
        match ty {
            Type::Bool | Type::Elem(_) | Type::Opt(_) => quote!(words.word(u64::from(#value));),
            Type::Int { .. } | Type::Wrap32 => quote!(words.word(#value as u64);),
            Type::Set(_) => quote!(for word in #value.0 { words.word(word); }),
            Type::Seq { item, .. } => {
                let item = self.stored_words(item, &quote!(item));
                quote!(
                    words.word(#value.len() as u64);
                    for item in #value.iter() { #item }
                )
            }
            Type::Tagged => quote!(
                words.word(u64::from(#value.tag));
                words.word(#value.value as u64);
            ),
        }
    }

    pub(super) fn member_body(&self, domain: DomainId, exprs: &[&Expr]) -> Body<'_> {
        let given = [Local {
            name: String::from("which"),
            ty: Type::Elem(domain),
        }];
        let mut scope = self.local_scope.clone();
        let locals = bound_locals(&given, exprs)
            .into_iter()
            .map(|local| LocalName {
                name: scope.ident(&local.name, Case::Snake),
                ty: local.ty,
            });
        Body::over(self, locals.collect())
    }

    fn each_member(&self, domain: DomainId, when: &Expr, values: &[Expr]) -> TokenStream {
        let exprs: Vec<&Expr> = std::iter::once(when).chain(values).collect();
        let body = self.member_body(domain, &exprs);
        let count = &self.domain(domain).count;
        let values = values
            .iter()
            .map(|value| self.value_statements(&body, value));
        let (test, faulty) = self.condition(&body, when);
        let fault = faulty.then(|| {
            quote!(if faulted {
                words.word(2);
                continue;
            })
        });
        let test = match when.as_const() {
            Some(Const::Bool(true)) if !faulty => None,
            _ => Some(quote! {
                #test
                #fault
                if !holds {
                    words.word(0);
                    continue;
                }
            }),
        };
        quote! {
            for which in 0..#count {
                #test
                words.word(1);
                #(#values)*
            }
        }
    }

    /// The condition of a member as `holds`, and `faulted` if it may fault.
    pub(super) fn condition(&self, body: &Body<'_>, when: &Expr) -> (TokenStream, bool) {
        let needs = self.expr_needs(when);
        let value = body.expr(when).tokens;
        let env = needs.own(&self.rt);
        if !needs.cx {
            return (quote!(#env let holds: bool = #value;), false);
        }
        let new_cx = self.new_cx();
        (
            quote!(
                #env
                let cx = #new_cx;
                let holds: bool = #value;
                let faulted = cx.failed();
            ),
            true,
        )
    }

    fn bag(&self, domain: DomainId, when: &Expr, values: &[Expr]) -> TokenStream {
        let count = &self.domain(domain).count;
        let len = number(self.game.domain(domain).len().max(1));
        let (_, MemberRow { enter, row, width }) = self.member_row(domain, when, values);
        quote! {{
            let mut bag = [[0u64; #width]; #len];
            let mut size = 0usize;
            for which in 0..#count {
                #enter
                if let Some(slot) = bag.get_mut(size) {
                    *slot = #row;
                    size += 1;
                }
            }
            words.bag(bag.get_mut(..size).unwrap_or_default());
        }}
    }

    /// What is collected of a member that has words of its own, in a loop over `which`.
    fn member_row(&self, domain: DomainId, when: &Expr, values: &[Expr]) -> (Body<'_>, MemberRow) {
        let exprs: Vec<&Expr> = std::iter::once(when).chain(values).collect();
        let body = self.member_body(domain, &exprs);
        let values = values.iter().enumerate();
        let values: Vec<ValueWords> = values
            .map(|(place, value)| self.value_words(&body, value, place))
            .collect();
        let lets = values.iter().map(|value| &value.lets);
        let words: Vec<_> = values.iter().flat_map(|value| &value.words).collect();
        let (test, faulty) = self.condition(&body, when);
        let flag = faulty.then(|| quote!(u64::from(faulted),));
        let skip = match faulty {
            true => quote!(!holds && !faulted),
            false => quote!(!holds),
        };
        let row = MemberRow {
            enter: quote!(#test if #skip { continue; } #(#lets)*),
            row: quote!([#flag #(#words),*]),
            width: number(words.len() + usize::from(faulty)),
        };
        (body, row)
    }

    /// The function that collects the members of a nest.
    fn nest(
        &self,
        identity: crate::ir::IdentityId,
        placement: PlacementId,
        when: &Expr,
        values: &[Expr],
    ) -> TokenStream {
        let rt = &self.rt;
        let domain = self.game.placement(placement).pieces;
        let count = &self.domain(domain).count;
        let len = number(self.game.domain(domain).len().max(1));
        let (body, MemberRow { enter, row, width }) = self.member_row(domain, when, values);
        let which = Code::atom(quote!(usize::from(which)));
        let up = body.place_of(placement, which).tokens;
        let (name, title) = (self.nest_name(identity), &self.game.identity(identity).name);
        let doc = format!(" Who is in whom, as the identity `{title}` sees it.");
        quote! {
            #[doc = #doc]
            fn #name(s: &State) -> #rt::support::Nest<#len, #width> {
                let mut nest = #rt::support::Nest::new();
                for which in 0..#count {
                    #enter
                    nest.add(usize::from(which), Some(usize::from(#up)), #row);
                }
                nest
            }
        }
    }

    /// The name of the function that collects the members of a nest.
    pub(super) fn nest_name(&self, identity: crate::ir::IdentityId) -> proc_macro2::Ident {
        super::names::ident(&format!("{}_nest", self.digests[identity.index()]))
    }

    /// Statements that tell the words of an expression.
    fn value_statements(&self, body: &Body<'_>, expr: &Expr) -> TokenStream {
        let needs = self.expr_needs(expr);
        let ValueWords { lets, words } = self.value_words(body, expr, 0);
        let (ty, value) = (self.value_type(&expr.ty), body.expr(expr).tokens);
        let of_value = self.scalar_words(&expr.ty, &quote!(value));
        let env = needs.own(&self.rt);
        let plain = !needs.cx && env.is_empty();
        if let (true, Some(word)) = (plain, plain_word(&expr.ty, &value)) {
            return quote!(words.word(#word););
        }
        match &of_value[..] {
            [word] if needs.cx => {
                let cx = self.own_cx();
                quote!(words.optional(#cx.tried(|cx| { #env let value: #ty = #value; #word }));)
            }
            _ => quote!({ #lets #(words.word(#words);)* }),
        }
    }

    /// The words of an expression: whether it faults, if it may, then its value.
    fn value_words(&self, body: &Body<'_>, expr: &Expr, place: usize) -> ValueWords {
        let needs = self.expr_needs(expr);
        let value = body.expr(expr).tokens;
        let env = needs.own(&self.rt);
        let name = super::names::ident(&format!("value_{place}"));
        let ty = self.value_type(&expr.ty);
        let of_value = self.scalar_words(&expr.ty, &quote!(#name));
        if !needs.cx {
            return ValueWords {
                lets: match env.is_empty() {
                    true => quote!(let #name: #ty = #value;),
                    false => quote!(let #name: #ty = { #env #value };),
                },
                words: of_value,
            };
        }
        let new_cx = self.own_cx();
        let words = of_value
            .iter()
            .map(|word| quote!(#name.map_or(0, |#name| #word)));
        ValueWords {
            lets: quote!(let #name: Option<#ty> = #new_cx.tried(|cx| { #env #value });),
            words: std::iter::once(quote!(u64::from(#name.is_some())))
                .chain(words)
                .collect(),
        }
    }

    fn scalar_words(&self, ty: &Type, value: &TokenStream) -> Vec<TokenStream> {
        match ty {
            Type::Tagged => vec![quote!(u64::from(#value.tag)), quote!(#value.value as u64)],
            Type::Int { .. } | Type::Wrap32 => vec![quote!(#value as u64)],
            Type::Set(domain) => (0..self.words(*domain))
                .map(|word| {
                    let word = number(word);
                    quote!(#value.0[#word])
                })
                .collect(),
            Type::Seq { .. } => vec![quote!(#value.len() as u64)],
            _ => {
                let code = Code::atom(quote!(#value)).tokens;
                vec![quote!(u64::from(#code))]
            }
        }
    }

    /// Equality and hash of states under the identity that the game names for them.
    pub(super) fn equality(&self) -> TokenStream {
        let rt = &self.rt;
        let identity = &self.digests[self.game.equality.index()];
        let len = number(self.wide_len(self.game.identity(self.game.equality)));
        quote! {
            impl PartialEq for State {
                fn eq(&self, other: &State) -> bool {
                    let words = |s: &State| {
                        let mut words = #rt::support::Wide::<#len>::new();
                        identity_head(s, &mut words);
                        #identity(s, &mut words);
                        words
                    };
                    words(self) == words(other)
                }
            }

            impl Eq for State {}

            impl ::core::hash::Hash for State {
                fn hash<H: ::core::hash::Hasher>(&self, hasher: &mut H) {
                    hasher.write_u64(state_key(self));
                }
            }
        }
    }

    /// A bound on the number of words of an identity.
    fn wide_len(&self, identity: &Identity) -> usize {
        let scalars = |values: &[Expr]| {
            values
                .iter()
                .map(|value| 3 + self.type_words(&value.ty))
                .sum::<usize>()
        };
        let terms = identity.terms.iter().map(|term| match term {
            IdentityTerm::Everything => self.state_words(),
            IdentityTerm::Each { domain, values, .. }
            | IdentityTerm::Bag { domain, values, .. } => {
                1 + self.game.domain(*domain).len() * (2 + scalars(values))
            }
            IdentityTerm::Nest {
                placement, values, ..
            } => {
                let pieces = self.game.placement(*placement).pieces;
                2 + self.game.domain(pieces).len() * (3 + scalars(values))
            }
            IdentityTerm::Value(value) => scalars(std::slice::from_ref(value)),
            IdentityTerm::Parts(parts) => self.state_words() + self.trail_words(parts),
        });
        let saved = self.machine.saved.iter().map(|&var| self.cells_words(var));
        4 + terms.sum::<usize>() + saved.sum::<usize>()
    }

    fn trail_words(&self, parts: &Parts) -> usize {
        let trails = parts.trails.iter();
        let words = trails.map(|id| 1 + 2 * self.game.trail(*id).capacity as usize);
        words.sum()
    }

    fn type_words(&self, ty: &Type) -> usize {
        match ty {
            Type::Set(domain) => self.words(*domain),
            Type::Seq { item, cap } => 1 + *cap as usize * self.type_words(item),
            Type::Tagged => 2,
            _ => 1,
        }
    }

    fn cells_words(&self, var: VarId) -> usize {
        let var = self.game.var(var);
        let cells = var.init.len().max(1).next_power_of_two();
        cells * self.type_words(&var.ty)
    }

    fn placed_words(&self, placement: PlacementId) -> usize {
        let placement = self.game.placement(placement);
        let pieces = self.game.domain(placement.pieces).len();
        let places = self.game.domain(placement.places).len();
        pieces.max(places).next_power_of_two()
    }

    fn state_words(&self) -> usize {
        let vars = (0..self.game.vars.len()).map(|var| self.cells_words(VarId::from(var)));
        let placed =
            (0..self.game.placements.len()).map(|p| self.placed_words(PlacementId::from(p)));
        let kept = self.game.snapshots.iter().map(|slot| {
            let vars = slot.vars.iter().map(|&var| self.cells_words(var));
            let placed = slot.placements.iter().map(|&p| self.placed_words(p));
            1 + vars.sum::<usize>() + placed.sum::<usize>()
        });
        vars.sum::<usize>() + placed.sum::<usize>() + kept.sum::<usize>()
    }
}

/// The word of a value whose type is told by how it is written, or does not matter.
fn plain_word(ty: &Type, value: &TokenStream) -> Option<TokenStream> {
    let text = value.to_string();
    let is_number = text.parse::<u64>().is_ok();
    let is_path = text.starts_with("rt ::") || text.starts_with("s .");
    match ty {
        Type::Int { .. } | Type::Wrap32 | Type::Elem(_) if is_number => Some(value.clone()),
        Type::Elem(_) | Type::Opt(_) if is_path && !text.contains(" as ") => {
            Some(quote!(u64::from(#value)))
        }
        _ => None,
    }
}

/// How the words of a member are found.
struct MemberRow {
    /// Leaves out the members for which the condition does not hold, and computes the values of the others.
    enter: TokenStream,
    /// The words, an array.
    row: TokenStream,
    /// How many words.
    width: proc_macro2::Literal,
}

/// Statements that compute a value, and its words.
struct ValueWords {
    lets: TokenStream,
    words: Vec<TokenStream>,
}
