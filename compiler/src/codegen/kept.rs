//! Answers to questions that positions keep for the next decision.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::fields::Field;
use super::{Body, Generator};
use crate::ir::walk::each_stmt;
use crate::ir::{Expr, ExprKind, FuncId, Game, StmtKind, Type};

/// The questions whose answers are kept.
pub(super) fn questions(game: &Game) -> Vec<FuncId> {
    let mut found = Vec::new();
    each_stmt(game, &mut |stmt| {
        if let StmtKind::Keep(question) = &stmt.kind
            && let ExprKind::Call(func, _) = question.kind
            && !found.contains(&func)
        {
            found.push(func);
        }
    });
    found.sort();
    found
}

impl Generator<'_> {
    /// The field with the answer to a question, if answers are kept.
    fn kept_field(&self, func: FuncId) -> Option<&Ident> {
        let field = self.kept.iter().find(|(kept, _)| *kept == func);
        field.map(|(_, field)| field)
    }

    /// The fields with answers.
    pub(super) fn kept_fields(&self) -> impl Iterator<Item = Field> + '_ {
        let rt = &self.rt;
        self.kept.iter().map(move |(func, name)| {
            let function = self.game.function(*func);
            let params = &function.locals[..function.params];
            let types = params.iter().map(|param| self.value_type(&param.ty));
            let answer = function.ret.as_ref().unwrap_or(&Type::Bool);
            let of_params = params.iter().map(|param| self.stored_bytes(&param.ty));
            let bytes = of_params.sum::<usize>() + self.stored_bytes(answer) + 1;
            let answer = self.value_type(answer);
            Field {
                name: name.clone(),
                ty: quote!(#rt::support::Kept<(#(#types,)*), #answer>),
                init: quote!(#rt::support::Kept::NONE),
                bytes,
                doc: format!("What `{}` last said, while that holds.", function.name),
            }
        })
    }

    /// Forgets all answers, before the position changes.
    pub(super) fn forget_answers(&self) -> TokenStream {
        let rt = &self.rt;
        let fields = self.kept.iter().map(|(_, field)| field);
        quote!(#(s.#fields = #rt::support::Kept::NONE;)*)
    }

    /// The name of the function that works out what a kept answer would be.
    pub(super) fn worked_out(&self, func: FuncId) -> Option<Ident> {
        self.kept_field(func)?;
        let name = &self.function_names[func.index()];
        Some(format_ident!("{name}_worked_out"))
    }

    /// The function that gives the answer of `worked_out`, or the one that was kept.
    pub(super) fn answering(&self, func: FuncId, worked_out: &Ident) -> Option<TokenStream> {
        let field = self.kept_field(func)?;
        let function = self.game.function(func);
        let params: Vec<Ident> = (0..function.params)
            .map(|number| format_ident!("arg_{number}"))
            .collect();
        let declared = params.iter().zip(&function.locals).map(|(name, local)| {
            let ty = self.value_type(&local.ty);
            quote!(#name: #ty)
        });
        let needs = self.needs(func);
        let (rest, arguments) = (needs.params(&self.rt), needs.arguments());
        let name = &self.function_names[func.index()];
        let answer = self.value_type(function.ret.as_ref()?);
        let doc = format!(" As [`{worked_out}`], where the answer was not kept.");
        Some(quote! {
            #[doc = #doc]
            #[inline(always)]
            fn #name(#(#declared,)* #rest) -> #answer {
                match s.#field.of((#(#params,)*)) {
                    Some(answer) => answer,
                    None => #worked_out(#(#params,)* #arguments),
                }
            }
        })
    }
}

impl Body<'_> {
    /// Works out the answer to a question and keeps it.
    pub(super) fn keep(&mut self, question: &Expr) -> TokenStream {
        let generator = self.generator;
        let ExprKind::Call(func, args) = &question.kind else {
            return TokenStream::new();
        };
        let (Some(field), Some(worked_out)) =
            (generator.kept_field(*func), generator.worked_out(*func))
        else {
            return TokenStream::new();
        };
        let locals = &generator.game.function(*func).locals;
        let args = args.iter().zip(locals);
        let args: Vec<TokenStream> = args
            .map(|(arg, local)| self.admitted(arg, &local.ty).tokens)
            .collect();
        let names: Vec<Ident> = (0..args.len())
            .map(|number| format_ident!("arg_{number}"))
            .collect();
        let rest = generator.needs(*func).arguments();
        quote!({
            #(let #names = #args;)*
            let answer = #worked_out(#(#names,)* #rest);
            s.#field.keep((#(#names,)*), answer);
        })
    }
}
