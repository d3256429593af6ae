//! Calls of functions and relations, and questions about what stands where.

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::Body;
use crate::codegen::code::{Code, Prec};
use crate::codegen::names::ident;
use crate::ir::{Expr, FuncId, PlacementForm, PlacementId, RelationId, Type};
use crate::source::Span;

impl Body<'_> {
    /// A set of members for which something holds.
    pub(super) fn related(&self, relation: RelationId, args: &[Option<Expr>], span: Span) -> Code {
        let rt = &self.generator.rt;
        let relation = self.generator.game.relation(relation);
        let open = args.iter().position(Option::is_none);
        debug_assert!(
            open.is_some(),
            "an argument of {} is left open",
            relation.name
        );
        let open = open.unwrap_or(0);
        let Some(&domain) = relation.params.get(open) else {
            return Code::atom(quote!(#rt::BitSet::EMPTY));
        };
        let info = self.generator.domain(domain);
        let (alias, count) = (&info.alias, &info.count);
        let mut lets = TokenStream::new();
        let mut names = Vec::new();
        let mut codes = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            let name = ident(&format!("arg_{place}"));
            if let Some(arg) = arg {
                let code = self.expr(arg);
                let tokens = &code.tokens;
                lets.extend(quote!(let #name = #tokens;));
                codes.push(code);
            }
            names.push(Code::atom(quote!(#name)));
        }
        let name = ident(&format!("arg_{open}"));
        let holds = self.call_with(relation.holds, &names, span);
        codes.push(holds.clone());
        let holds = &holds.tokens;
        let ty = self.generator.value_type(&Type::Set(domain));
        let all: Vec<&Code> = codes.iter().collect();
        Code::new(
            quote!({
                #lets
                let mut found = <#ty>::EMPTY;
                for #name in 0..#count {
                    let #name: #alias = #name;
                    if #holds { found.set(#name as usize); }
                }
                found
            }),
            Prec::Lowest,
        )
        .like(&all)
    }

    /// A call as an expression.
    pub(in crate::codegen) fn call(&self, func: FuncId, args: &[Expr], span: Span) -> Code {
        let locals = &self.generator.game.function(func).locals;
        let args = args.iter().enumerate();
        let args = args.map(|(place, arg)| match locals.get(place) {
            Some(local) => self.admitted(arg, &local.ty),
            None => self.expr(arg),
        });
        let args: Vec<Code> = args.collect();
        self.call_with(func, &args, span)
    }

    /// A call with computed arguments; what the function needs beside them follows.
    pub(in crate::codegen) fn call_with(&self, func: FuncId, args: &[Code], span: Span) -> Code {
        let needs = self.generator.needs(func);
        let name = &self.generator.function_names[func.index()];
        let all: Vec<&Code> = args.iter().collect();
        let values = args.iter().map(|arg| &arg.tokens);
        let rest = needs.arguments();
        let sites = needs.recursive.then(|| self.generator.bound_sites(span));
        let call = quote!(#name(#(#values,)* #sites #rest));
        let call = match needs.flow {
            true => self.unwrap_flow(call),
            false => call,
        };
        let code = Code::atom(call).like(&all);
        match needs.cx || needs.flow || needs.env_mut || needs.state_mut {
            true => code.busy(),
            false => code,
        }
    }

    /// The value of a call that may halt.
    fn unwrap_flow(&self, call: TokenStream) -> TokenStream {
        let rt = &self.generator.rt;
        let Some(label) = self.trial_label() else {
            return quote!(#call?);
        };
        let flow = quote!(ControlFlow);
        let rest = match self.flow {
            true => quote!(#flow::Break(halt) => return #flow::Break(halt)),
            false => quote!(#flow::Break(_) => break #label false),
        };
        let fail = match self.flow {
            true => quote!(#flow::Break(#rt::support::Halt::Fail(_)) => break #label false,),
            false => quote!(),
        };
        quote!((match #call { #flow::Continue(value) => value, #fail #rest }))
    }

    pub(in crate::codegen) fn place_of(&self, placement: PlacementId, piece: Code) -> Code {
        let rt = &self.generator.rt;
        let field = &self.generator.placement(placement).places;
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &piece)
    }

    pub(in crate::codegen) fn content(&self, placement: PlacementId, place: Code) -> Code {
        let rt = &self.generator.rt;
        if let Some((_, forms)) = self.generator.unnamed(placement) {
            let (content, at) = (&forms.content, &place.tokens);
            let alias = &self
                .generator
                .domain(self.generator.game.placement(placement).places)
                .alias;
            return Code::atom(quote!(s.#content((#at) as #alias))).like(&[&place]);
        }
        if self.generator.content_by_sets(placement).is_some() {
            let at = &place.tokens;
            let content = self
                .generator
                .content_at(placement, &quote!(s), &quote!((#at)));
            return Code::atom(content).like(&[&place]);
        }
        let field = &self.generator.placement(placement).contents;
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &place)
    }

    pub(super) fn contents(&self, id: PlacementId, place: Code) -> Code {
        let placement = self.generator.game.placement(id);
        match placement.form {
            PlacementForm::Many => self.content(id, place),
            _ => {
                let piece = self.content(id, place.clone());
                let (tokens, none) = (&piece.tokens, self.generator.none(placement.pieces).tokens);
                let ty = self.generator.value_type(&Type::Set(placement.pieces));
                Code::new(
                    quote!(match #tokens { #none => <#ty>::EMPTY, piece => <#ty>::single(piece as usize) }),
                    Prec::Lowest,
                )
                .like(&[&place])
            }
        }
    }

    /// The places of a kind; the state keeps them because somebody asks.
    pub(super) fn places(&self, placement: PlacementId, kind: Code) -> Code {
        let rt = &self.generator.rt;
        let field = &self.generator.placement(placement).places;
        let text = kind.tokens.to_string();
        let known = text.strip_suffix(" as usize").unwrap_or(&text);
        if let Ok(slot) = known.parse() {
            let slot = self.generator.kind_slot(placement, slot);
            return Code::atom(quote!(s.#field[#slot]));
        }
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &kind)
    }
}
