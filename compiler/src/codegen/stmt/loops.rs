//! Loops as Rust.

use super::*;

impl Body<'_> {
    pub(super) fn repetition(&mut self, stmt: &Stmt) -> TokenStream {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => {
                let charge = charged.then(|| self.charge(span));
                self.counting(*local, from, to, *count, body, charge)
            }
            StmtKind::ForEach(local, over, body) => self.each(*local, over, body),
            StmtKind::While { cond, bound, body } => self.repeat(cond, *bound, body, span),
            StmtKind::Break => quote!(break;),
            _ => quote!(continue;),
        }
    }

    /// Spends a unit of work or leaves the loop.
    fn charge(&self, span: Span) -> TokenStream {
        let site = self.site(FaultCode::WorkLimit, span);
        quote!(if !cx.spend(#site) { break; })
    }

    /// The name that a loop binds, and the assignment if the variable lives outside of the loop.
    fn loop_local(&self, local: LocalId) -> (proc_macro2::Ident, TokenStream, bool) {
        let name = self.local_name(local);
        if self.declarations.outer.contains(&local) {
            return (ident("item"), quote!(#name = item;), false);
        }
        let mutable = self.declarations.mutable.contains(&local);
        (name, TokenStream::new(), mutable)
    }

    pub(super) fn counting(
        &mut self,
        local: LocalId,
        from: &Expr,
        to: &Expr,
        count: Count,
        body: &Block,
        charge: Option<TokenStream>,
    ) -> TokenStream {
        let (name, assign, mutable) = self.loop_local(local);
        let pattern = if mutable {
            quote!(mut #name)
        } else {
            quote!(#name)
        };
        let body = self.block(body);
        let (first, last) = (self.expr(from), self.expr(to));
        let known = match (from.as_const(), to.as_const()) {
            (Some(Const::Int(a)), Some(Const::Int(b))) => Some(a <= b),
            _ => None,
        };
        let rust = if from.ty == Type::Wrap32 {
            "i32"
        } else {
            "i64"
        };
        // The type of a range must not be left to its literals.
        let bound = |expr: &Expr, code: &Code| match expr.as_const() {
            Some(Const::Int(value)) => typed_int(*value, rust),
            _ => code.at(Prec::Or),
        };
        let (a, b) = (bound(from, &first), bound(to, &last));
        let up = match to.as_const() {
            Some(Const::Int(value)) if *value < i64::from(i32::MAX) => {
                let end = int_tokens(value + 1);
                quote!(#a..#end)
            }
            _ => quote!(#a..=#b),
        };
        let ty = ident(rust);
        match (count, known) {
            (Count::Up, _) | (Count::Toward, Some(true)) => {
                quote!(for #pattern in #up { #assign #charge #body })
            }
            (Count::Down, _) if !(first.busy || last.busy) => {
                quote!(for #pattern in (#b..=#a).rev() { #assign #charge #body })
            }
            (Count::Toward, Some(false)) => {
                quote!(for #pattern in (#b..=#a).rev() { #assign #charge #body })
            }
            (Count::Down, _) => quote!({
                let first: #ty = #a;
                let last: #ty = #b;
                for #pattern in (last..=first).rev() { #assign #charge #body }
            }),
            (Count::Toward, None) => {
                let rt = &self.generator.rt;
                let bind = match &assign.is_empty() {
                    true => quote!(let #pattern: #ty = #rt::support::toward(first, last, round);),
                    false => {
                        let name = self.local_name(local);
                        quote!(#name = #rt::support::toward(first, last, round);)
                    }
                };
                quote!({
                    let first: #ty = #a;
                    let last: #ty = #b;
                    for round in 0..=first.abs_diff(last) { #bind #charge #body }
                })
            }
        }
    }

    pub(super) fn each(&mut self, local: LocalId, over: &Over, body: &Block) -> TokenStream {
        if let Some(code) = self.write_all(local, over, body) {
            return code;
        }
        let (name, assign, mutable) = self.loop_local(local);
        let body = self.block(body);
        let (head, convert, _) = self.for_each(&name, mutable, over);
        quote!(#head { #convert #assign #body })
    }

    fn repeat(&mut self, cond: &Expr, bound: u32, body: &Block, span: Span) -> TokenStream {
        let body = self.block(body);
        let charge = self.charge(span);
        let condition = match cond.as_const() {
            Some(Const::Bool(true)) => None,
            _ => Some(self.expr(cond).tokens),
        };
        // The budget is spent before such a bound is reached.
        let counted = bound < crate::ir::WORK_BUDGET;
        let site = self.site(FaultCode::WorkLimit, span);
        let count = number(bound as usize);
        let check = counted.then(|| {
            quote!(
                if rounds == #count { cx.fail(#site); break; }
                rounds += 1;
            )
        });
        let repeat = match condition {
            Some(condition) => quote!(while #condition { #check #charge #body }),
            None => quote!(loop { #check #charge #body }),
        };
        match counted {
            true => quote!({ let mut rounds = 0u32; #repeat }),
            false => repeat,
        }
    }
}
