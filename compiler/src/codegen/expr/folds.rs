//! Expressions that run over members: folds, sets by a condition, walks and closures.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::codegen::Body;
use crate::codegen::code::{Code, Prec, int, typed_int};
use crate::codegen::names::ident;
use crate::ir::{Const, DomainId, Expr, FaultCode, Fold, LocalId, Over, TableId, Type, WalkGive};
use crate::source::Span;

impl Body<'_> {
    /// An iterator over what a bound variable ranges over, its items converted.
    fn iterator(
        &self,
        over: &Over,
        pattern: &TokenStream,
    ) -> (TokenStream, TokenStream, Vec<Code>) {
        match over {
            Over::Domain(domain) => {
                let count = &self.generator.domain(*domain).count;
                (quote!(0..#count), quote!(), Vec::new())
            }
            Over::Set(set) => {
                let code = self.expr(set);
                let receiver = code.receiver();
                let alias = match set.ty {
                    Type::Set(domain) => self.generator.domain(domain).alias.clone(),
                    _ => ident("usize"),
                };
                (
                    quote!(#receiver.iter()),
                    quote!(let #pattern = item as #alias;),
                    vec![code],
                )
            }
            Over::Seq(seq) => {
                let code = self.expr(seq);
                let receiver = code.receiver();
                (quote!(#receiver.iter()), quote!(), vec![code])
            }
            Over::Range(from, to) => {
                let (a, b) = (self.expr(from), self.expr(to));
                // The type of a range must not be left to its first literal.
                let x = match from.as_const() {
                    Some(Const::Int(value)) => typed_int(*value, "i64"),
                    _ => a.at(Prec::Or),
                };
                let range = match (self.range(to).1 < i64::MAX, to.as_const()) {
                    (true, Some(Const::Int(to))) => {
                        let end = int(to + 1).at(Prec::Or);
                        quote!(#x..#end)
                    }
                    _ => {
                        let y = b.at(Prec::Or);
                        quote!(#x..=#y)
                    }
                };
                (range, quote!(), vec![a, b])
            }
        }
    }

    /// A loop header over members or items, with the conversion of its items.
    pub(in crate::codegen) fn for_each(
        &self,
        local: &Ident,
        mutable: bool,
        over: &Over,
    ) -> (TokenStream, TokenStream, Vec<Code>) {
        let pattern = if mutable {
            quote!(mut #local)
        } else {
            quote!(#local)
        };
        let (iterator, convert, codes) = self.iterator(over, &pattern);
        let bound = match convert.is_empty() {
            true => pattern,
            false => quote!(item),
        };
        let range = matches!(over, Over::Range(..));
        let ranged = if range && !codes.iter().any(|code| code.busy) {
            quote!(#iterator)
        } else if range {
            quote!((#iterator))
        } else {
            iterator
        };
        (quote!(for #bound in #ranged), convert, codes)
    }

    pub(super) fn fold(
        &self,
        fold: Fold,
        local: LocalId,
        over: &Over,
        body: &Expr,
        span: Span,
    ) -> Code {
        if fold == Fold::Exists
            && let Some(code) = self.some_line(local, over, body)
        {
            return code;
        }
        let value = self.expr(body);
        if matches!(fold, Fold::Forall | Fold::Exists)
            && let Some(code) = self.quantifier(fold, local, over, &value)
        {
            return code;
        }
        let name = self.local_name(local);
        let (head, convert, mut codes) = self.for_each(&name, false, over);
        codes.push(value.clone());
        let tokens = &value.tokens;
        let code = match fold {
            Fold::Forall | Fold::Exists => {
                let exists = fold == Fold::Exists;
                let test = match exists {
                    true => quote!(#tokens),
                    false => {
                        let not = self.not(body);
                        not.tokens
                    }
                };
                quote!({ let mut found = !#exists; #head { #convert if #test { found = #exists; break; } } found })
            }
            Fold::Count => {
                quote!({ let mut count = 0i64; #head { #convert if #tokens { count += 1; } } count })
            }
            Fold::Sum => self.sum(head, convert, &value, span),
            Fold::Min | Fold::Max => self.extreme(fold, head, convert, &value, span),
        };
        let all: Vec<&Code> = codes.iter().collect();
        let code = Code::new(code, Prec::Lowest).like(&all);
        match fold {
            Fold::Sum | Fold::Min | Fold::Max => code.busy(),
            _ => code,
        }
    }

    /// A quantifier as a method of an iterator, where its body never leaves the function.
    fn quantifier(&self, fold: Fold, local: LocalId, over: &Over, value: &Code) -> Option<Code> {
        let tokens = &value.tokens;
        if value.busy {
            return None;
        }
        let name = self.local_name(local);
        let pattern = quote!(#name);
        let (iterator, convert, codes) = self.iterator(over, &pattern);
        let method = match fold {
            Fold::Forall => quote!(all),
            _ => quote!(any),
        };
        let iterator = match over {
            Over::Domain(_) | Over::Range(..) => quote!((#iterator)),
            _ => iterator,
        };
        let all: Vec<&Code> = codes.iter().collect();
        let closure = match convert.is_empty() {
            true => quote!(|#name| #tokens),
            false => quote!(|item| { #convert #tokens }),
        };
        Some(Code::atom(quote!(#iterator.#method(#closure))).like(&all))
    }

    fn sum(
        &self,
        head: TokenStream,
        convert: TokenStream,
        value: &Code,
        span: Span,
    ) -> TokenStream {
        let rt = &self.generator.rt;
        let site = self.site(FaultCode::Overflow, span);
        let tokens = &value.tokens;
        quote!({
            let mut sum = 0i64;
            #head { #convert let value = #tokens; sum = #rt::support::add(sum, value, #site, cx); }
            sum
        })
    }

    fn extreme(
        &self,
        fold: Fold,
        head: TokenStream,
        convert: TokenStream,
        value: &Code,
        span: Span,
    ) -> TokenStream {
        let site = self.site(FaultCode::NoValue, span);
        let tokens = &value.tokens;
        let method = ident(if fold == Fold::Min { "min" } else { "max" });
        quote!({
            let mut extreme: Option<i64> = None;
            #head {
                #convert
                let value = #tokens;
                extreme = Some(extreme.map_or(value, |other| other.#method(value)));
            }
            match extreme {
                Some(value) => value,
                None => { cx.fail(#site); 0 }
            }
        })
    }

    pub(super) fn collect(&self, local: LocalId, over: &Over, when: &Expr) -> Code {
        if let Some(kept) = self.standing(local, over, when) {
            return kept;
        }
        if let Some(kept) = self.held(local, over, when) {
            return Code::atom(kept);
        }
        if let Some(all) = self.closed(local, over, when) {
            return all;
        }
        if let Over::Domain(domain) = over
            && let Some(set) = self.generator.passing_all(local, *domain, when)
        {
            return Code::new(set, Prec::Lowest);
        }
        let name = self.local_name(local);
        let (head, convert, mut codes) = self.for_each(&name, false, over);
        let test = self.expr(when);
        codes.push(test.clone());
        let test = &test.tokens;
        let ty = self.generator.value_type(&self.set_over(over));
        let all: Vec<&Code> = codes.iter().collect();
        Code::new(
            quote!({
                let mut found = <#ty>::EMPTY;
                #head { #convert if #test { found.set(#name as usize); } }
                found
            }),
            Prec::Lowest,
        )
        .like(&all)
    }

    fn set_over(&self, over: &Over) -> Type {
        match over {
            Over::Domain(domain) => Type::Set(*domain),
            Over::Set(set) => set.ty.clone(),
            Over::Seq(seq) => match &seq.ty {
                Type::Seq { item, .. } => match **item {
                    Type::Elem(domain) | Type::Opt(domain) => Type::Set(domain),
                    _ => Type::Set(DomainId(0)),
                },
                _ => Type::Set(DomainId(0)),
            },
            Over::Range(..) => Type::Set(DomainId(0)),
        }
    }

    pub(super) fn first(&self, local: LocalId, over: &Over, when: &Expr, ty: &Type) -> Code {
        let name = self.local_name(local);
        let (head, convert, mut codes) = self.for_each(&name, false, over);
        let test = self.expr(when);
        codes.push(test.clone());
        let test = &test.tokens;
        let none = self.none_of(ty);
        let all: Vec<&Code> = codes.iter().collect();
        Code::new(
            quote!({
                let mut found = #none;
                #head { #convert if #test { found = #name; break; } }
                found
            }),
            Prec::Lowest,
        )
        .like(&all)
    }

    pub(super) fn walk(
        &self,
        start: &Expr,
        step: TableId,
        local: LocalId,
        pass: &Expr,
        give: WalkGive,
    ) -> Code {
        let Type::Opt(domain) = start.ty else {
            return Code::atom(quote!(0));
        };
        let (start, pass) = (self.expr(start), self.expr(pass));
        let negated = pass.at(Prec::Unary);
        let name = self.local_name(local);
        let (first, info) = (&start.tokens, self.generator.domain(domain));
        let (count, none) = (&info.count, &info.none);
        let next = self
            .generator
            .table_value(step, &quote!(#name as usize))
            .tokens;
        let set = self.generator.value_type(&Type::Set(domain));
        let (init, passed, stopped) = match give {
            WalkGive::Length => (quote!(0i64), quote!(result += 1;), quote!()),
            WalkGive::Passed => (
                quote!(<#set>::EMPTY),
                quote!(result.set(#name as usize);),
                quote!(),
            ),
            WalkGive::Reached => (
                quote!(<#set>::EMPTY),
                quote!(result.set(#name as usize);),
                quote!(result.set(#name as usize);),
            ),
            WalkGive::Last => (quote!(#none), quote!(result = #name;), quote!()),
            WalkGive::Stop => (quote!(#none), quote!(), quote!(result = #name;)),
        };
        Code::new(
            quote!({
                let mut #name = #first;
                let mut result = #init;
                for _ in 0..#count {
                    if #name == #none { break; }
                    if !#negated { #stopped break; }
                    #passed
                    #name = #next;
                }
                result
            }),
            Prec::Lowest,
        )
        .like(&[&start, &pass])
    }

    pub(super) fn closure(&self, from: &Expr, edges: TableId, local: LocalId, pass: &Expr) -> Code {
        let Type::Set(domain) = from.ty else {
            return Code::atom(quote!(0));
        };
        let (from, pass) = (self.expr(from), self.expr(pass));
        let (start, test) = (&from.tokens, &pass.tokens);
        let name = self.local_name(local);
        let alias = &self.generator.domain(domain).alias;
        let set = self.generator.value_type(&Type::Set(domain));
        let near = self
            .generator
            .table_value(edges, &quote!(#name as usize))
            .tokens;
        Code::new(
            quote!({
                let mut open = #start;
                let mut tried = <#set>::EMPTY;
                let mut reached = <#set>::EMPTY;
                while let Some(item) = open.take_first() {
                    let #name = item as #alias;
                    tried.set(item);
                    if #test { reached.set(item); open = (open | #near) - tried; }
                }
                reached
            }),
            Prec::Lowest,
        )
        .like(&[&from, &pass])
    }
}
