//! Expressions as Rust.

mod calls;
mod folds;
mod lookups;
mod operators;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Body;
use super::code::{Code, Prec, int, int_tokens, number};
use super::names::ident;
use crate::ir::range::{self, Range};
use crate::ir::{Const, Domain, DomainId, Expr, ExprKind, FaultCode, LocalId, Members, Type};
use crate::source::Span;

impl Body<'_> {
    /// An expression; its common parts get names around it.
    pub(super) fn expr(&self, expr: &Expr) -> Code {
        if let Some(known) = self.known(expr) {
            return known;
        }
        if !matches!(expr.kind, ExprKind::If(..) | ExprKind::Binary(..)) {
            return self.node(expr);
        }
        if let Some(code) = self.enclosed(expr) {
            return code;
        }
        let (lets, count) = self.name_common(expr);
        let code = self.node(expr);
        self.forget(count);
        match count {
            0 => code,
            _ => {
                let tokens = &code.tokens;
                Code::new(quote!({ #lets #tokens }), Prec::Lowest).like(&[&code])
            }
        }
    }

    /// An expression as a value of a type that admits all of its values: sequences get the room of
    /// that type.
    pub(super) fn admitted(&self, expr: &Expr, ty: &Type) -> Code {
        let code = self.expr(expr);
        match (&expr.ty, ty) {
            (Type::Seq { cap: found, .. }, Type::Seq { cap, .. }) if found != cap => {
                let (receiver, room) = (code.receiver(), number(*cap as usize));
                Code::atom(quote!(#receiver.fit::<#room>().0)).like(&[&code])
            }
            _ => code,
        }
    }

    fn node(&self, expr: &Expr) -> Code {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Const(value) => self.generator.constant(value, &expr.ty),
            ExprKind::Local(local) => Code::atom(self.local(*local)),
            ExprKind::Env { var, checked } => {
                let name = &self.generator.env_names[var.index()];
                if !checked {
                    return Code::atom(quote!(env.#name));
                }
                let flag = self.generator.env_flag(*var);
                let site = self.site(FaultCode::UnsetVariable, span);
                let rt = &self.generator.rt;
                Code::atom(quote!(#rt::support::set(env.#name, env.#flag, #site, cx))).busy()
            }
            ExprKind::Listened => Code::atom(quote!(ev.active())),
            ExprKind::EnvIsSet(var) => {
                let flag = self.generator.env_flag(*var);
                Code::atom(quote!(env.#flag))
            }
            ExprKind::Var(var, index) => {
                if let Some(code) = self.read_property(*var, index) {
                    return self.generator.load(&self.generator.game.var(*var).ty, code);
                }
                let ty = &self.generator.game.var(*var).ty;
                let place = self.var_place(*var, index, span);
                let read = self.read_var(*var, place);
                self.generator.load(ty, read)
            }
            ExprKind::Lookup(table, index) => self.lookup(*table, index, span),
            ExprKind::PlaceOf(placement, piece) => match self.single_place(expr) {
                Some(place) => place,
                None => self.place_of(*placement, self.index(piece)),
            },
            ExprKind::Content(placement, place) => self.content(*placement, self.index(place)),
            ExprKind::Contents(placement, place) => self.contents(*placement, self.index(place)),
            ExprKind::Places(placement, kind) => self.places(*placement, self.index(kind)),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, left, right) => {
                let code = self.binary(*op, left, right, span);
                self.roomy(code, *op, left, &expr.ty)
            }
            ExprKind::If(cond, yes, no) => {
                if let Some(chain) = self.chain(cond, yes, no) {
                    return chain;
                }
                let yes = self.with_facts(cond, true, || self.admitted(yes, &expr.ty));
                let no = self.with_facts(cond, false, || self.admitted(no, &expr.ty));
                let cond = self.expr(cond);
                let (c, y, n) = (&cond.tokens, &yes.tokens, &no.tokens);
                Code::new(quote!(if #c { #y } else { #n }), Prec::Lowest).like(&[&cond, &yes, &no])
            }
            ExprKind::Call(func, args) => self.call(*func, args, span),
            ExprKind::Holds(relation, args) => {
                self.call(self.generator.game.relation(*relation).holds, args, span)
            }
            ExprKind::Related(relation, args) => self.related(*relation, args, span),
            ExprKind::Seen(id) => {
                let trail = self.generator.game.trail(*id);
                let field = self.generator.trail_field(trail);
                if self.noted.get() == Some(*id) {
                    return Code::atom(quote!(s.#field.seen_last()));
                }
                let digest = self.generator.digest_name(trail.identity);
                Code::atom(quote!(s.#field.seen(#digest(s))))
            }
            ExprKind::Alike(identity, members) => {
                let codes: Vec<Code> = members.iter().map(|m| self.index(m)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let mut members = codes.iter().map(|code| &code.tokens);
                let (one, other) = (members.next(), members.next());
                let nest = self.generator.nest_name(*identity);
                Code::atom(quote!(#nest(s).alike(#one, #other, &[#(#members),*]))).like(&all)
            }
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, span),
            ExprKind::Collect { local, over, when } => self.collect(*local, over, when),
            ExprKind::First { local, over, when } => self.first(*local, over, when, &expr.ty),
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => self.walk(start, *step, *local, pass, *give),
            ExprKind::Closure {
                from,
                edges,
                local,
                pass,
            } => self.closure(from, *edges, *local, pass),
            _ => self.value_expr(expr),
        }
    }

    /// Expressions that only make a value from other values.
    fn value_expr(&self, expr: &Expr) -> Code {
        let rt = &self.generator.rt;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Some(member) => self.expr(member),
            ExprKind::IsSome(member) => self.is_some(member),
            ExprKind::Get(member) => {
                let value = self.expr(member);
                if self.is_present(member) {
                    return value;
                }
                let tokens = &value.tokens;
                let none = self.none_of(&member.ty);
                let site = self.site(FaultCode::NoValue, span);
                self.last_cx(
                    &[&value],
                    quote!(#rt::support::present),
                    std::slice::from_ref(tokens),
                    quote!(#none, #site),
                )
            }
            ExprKind::OrElse(member, other) => {
                let (value, other) = (self.expr(member), self.expr(other));
                let (v, o) = (&value.tokens, &other.tokens);
                let none = self.none_of(&member.ty);
                Code::new(
                    quote!({ let member = #v; if member != #none { member } else { #o } }),
                    Prec::Lowest,
                )
                .like(&[&value, &other])
            }
            ExprKind::Ordinal(member) => self.ordinal(member),
            ExprKind::Member(domain, ordinal) => self.member(*domain, ordinal),
            ExprKind::ToWrap(value) => {
                let value = self.expr(value);
                let tokens = value.at(Prec::Cast);
                Code::new(quote!(#tokens as i32), Prec::Cast).like(&[&value])
            }
            ExprKind::ToInt(value) => {
                let value = self.expr(value);
                let tokens = &value.tokens;
                Code::atom(quote!(i64::from(#tokens))).like(&[&value])
            }
            ExprKind::Tag(value) if value.ty == Type::Tagged => self.expr(value),
            ExprKind::Tag(value) => {
                let tag = number(self.generator.tag(&value.ty));
                let value = self.generator.to_i64(&value.ty, &self.expr(value));
                let tokens = &value.tokens;
                Code::atom(quote!(#rt::support::Tagged::new(#tag, #tokens))).like(&[&value])
            }
            ExprKind::Untag(value) if expr.ty == Type::Tagged => self.expr(value),
            ExprKind::Untag(value) => self.untag(value, &expr.ty, span),
            ExprKind::HasTag(ty, value) => {
                let value = self.expr(value);
                let receiver = value.receiver();
                let tag = number(self.generator.tag(ty));
                Code::new(quote!(#receiver.tag == #tag), Prec::Compare).like(&[&value])
            }
            ExprKind::SetOf(members) => {
                let codes: Vec<Code> = members.iter().map(|m| self.index(m)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let members = codes.iter().map(|code| &code.tokens);
                let ty = self.generator.value_type(&expr.ty);
                Code::atom(quote!(<#ty>::EMPTY #(.with(#members))*)).like(&all)
            }
            ExprKind::SeqOf(items) => {
                let codes: Vec<Code> = items.iter().map(|item| self.expr(item)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let items = codes.iter().map(|code| &code.tokens);
                let ty = self.generator.value_type(&expr.ty);
                Code::atom(quote!(<#ty>::of(&[#(#items),*]))).like(&all)
            }
            ExprKind::Size(of) => {
                let value = self.expr(of);
                let receiver = value.receiver();
                match of.ty {
                    Type::Set(_) => Code::atom(quote!(i64::from(#receiver.count()))),
                    _ => Code::new(quote!(#receiver.len() as i64), Prec::Cast),
                }
                .like(&[&value])
            }
            ExprKind::Item(seq, at) => self.item(seq, at, &expr.ty, span),
            _ => Code::atom(self.generator.dummy(&expr.ty)),
        }
    }

    /// A call of a support function whose last argument is the context. Busy arguments come before
    /// it in the order of evaluation, so they need no names of their own.
    fn last_cx(
        &self,
        of: &[&Code],
        path: TokenStream,
        args: &[TokenStream],
        rest: TokenStream,
    ) -> Code {
        Code::atom(quote!(#path(#(#args,)* #rest, cx)))
            .busy()
            .like(of)
    }

    /// The name of a local variable.
    pub(super) fn local(&self, local: LocalId) -> TokenStream {
        match self.locals.get(local.index()) {
            Some(local) => {
                let name = &local.name;
                quote!(#name)
            }
            None => quote!(0),
        }
    }

    /// The number of a fault site.
    pub(super) fn site(&self, code: FaultCode, span: Span) -> TokenStream {
        let site = number(self.generator.site(code, span));
        quote!(#site)
    }

    /// The number for "none" of an optional type.
    pub(super) fn none_of(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Opt(domain) => self.generator.none(*domain).tokens,
            _ => quote!(u32::MAX),
        }
    }

    /// A member of a domain as an index.
    pub(super) fn index(&self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Const(Const::Elem(member)) => Code::atom({
                let member = number(*member as usize);
                quote!(#member)
            }),
            _ => self.expr(expr).index(),
        }
    }

    /// The range of an integer expression.
    pub(super) fn range(&self, expr: &Expr) -> Range {
        let declared = expr.ty.int_range().unwrap_or((i64::MIN, i64::MAX));
        let Some(found) = self.found_range(expr) else {
            return declared;
        };
        (declared.0.max(found.0), declared.1.min(found.1))
    }

    fn found_range(&self, expr: &Expr) -> Option<Range> {
        match &expr.kind {
            ExprKind::Const(Const::Int(value)) => Some((*value, *value)),
            ExprKind::Ordinal(member) => match member.ty {
                Type::Elem(domain) => Some(ordinals(self.generator.game.domain(domain))),
                _ => None,
            },
            ExprKind::ToInt(_) => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
            ExprKind::If(_, yes, no) => {
                let (a, b) = (self.range(yes), self.range(no));
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Size(of) => match &of.ty {
                Type::Set(domain) => Some((0, self.generator.game.domain(*domain).len() as i64)),
                Type::Seq { cap, .. } => Some((0, i64::from(*cap))),
                _ => None,
            },
            ExprKind::Unary(op, operand) => range::unary(*op, self.range(operand)),
            ExprKind::Binary(op, left, right) if range::is_arithmetic(*op) => {
                range::binary(*op, self.range(left), self.range(right))
            }
            _ => None,
        }
    }

    fn is_some(&self, member: &Expr) -> Code {
        let value = self.expr(member);
        let none = Code::atom(self.none_of(&member.ty));
        Code::binary(&value, quote!(!=), &none, Prec::Compare)
    }

    fn ordinal(&self, member: &Expr) -> Code {
        let (Type::Elem(id) | Type::Opt(id)) = member.ty else {
            return int(0);
        };
        let domain = self.generator.game.domain(id);
        if let Some(Const::Elem(member)) = member.as_const() {
            return int(domain.ordinal(*member));
        }
        let value = self.expr(member);
        let tokens = &value.tokens;
        let number = Code::atom(quote!(i64::from(#tokens))).like(&[&value]);
        match ordinals(domain).0 {
            0 => number,
            lo if lo < 0 => Code::binary(&number, quote!(-), &int(lo.saturating_neg()), Prec::Sum),
            lo => Code::binary(&number, quote!(+), &int(lo), Prec::Sum),
        }
    }

    fn member(&self, domain: DomainId, ordinal: &Expr) -> Code {
        let rt = &self.generator.rt;
        let mut value = self.expr(ordinal);
        let mut range = self.range(ordinal);
        if ordinal.ty == Type::Wrap32 {
            let tokens = &value.tokens;
            value = Code::atom(quote!(i64::from(#tokens))).like(&[&value]);
            range = (i64::from(i32::MIN), i64::from(i32::MAX));
        }
        let tokens = &value.tokens;
        let (lo, hi) = ordinals(self.generator.game.domain(domain));
        let alias = &self.generator.domain(domain).alias;
        if lo <= range.0 && range.1 <= hi {
            let shifted = match lo {
                0 => value.clone(),
                lo => Code::binary(&value, quote!(-), &int(lo), Prec::Sum),
            };
            let operand = shifted.at(Prec::Cast);
            return Code::new(quote!(#operand as #alias), Prec::Cast).like(&[&value]);
        }
        let lo = int_tokens(lo);
        let len = number(self.generator.game.domain(domain).len());
        let none = self.generator.none(domain).tokens;
        Code::new(
            quote!(match #rt::support::offset(#tokens, #lo, #len) { Some(member) => member as #alias, None => #none }),
            Prec::Lowest,
        )
        .like(&[&value])
    }

    fn untag(&self, value: &Expr, ty: &Type, span: Span) -> Code {
        let rt = &self.generator.rt;
        let value = self.expr(value);
        let tokens = &value.tokens;
        let tag = number(self.generator.tag(ty));
        let site = self.site(FaultCode::WrongType, span);
        let dummy = match self.generator.dummy(ty) {
            _ if matches!(ty, Type::Opt(_)) => quote!(-1),
            _ if *ty == Type::Bool => quote!(0),
            dummy => dummy,
        };
        let raw = self.last_cx(
            &[&value],
            quote!(#rt::support::untag),
            std::slice::from_ref(tokens),
            quote!(#tag, #dummy, #site),
        );
        let raw = match ty {
            Type::Int { lo, hi } if (*lo, *hi) != (i64::MIN, i64::MAX) => {
                let (lo, hi) = (int_tokens(*lo), int_tokens(*hi));
                let receiver = raw.receiver();
                Code::atom(quote!(#receiver.clamp(#lo, #hi))).busy()
            }
            _ => raw,
        };
        self.generator.scalar_from_i64(ty, &raw)
    }

    fn item(&self, seq: &Expr, at: &Expr, ty: &Type, span: Span) -> Code {
        let rt = &self.generator.rt;
        let (items, at) = (self.expr(seq), self.expr(at));
        let (i, a) = (items.receiver(), &at.tokens);
        let site = self.site(FaultCode::IndexOutside, span);
        let dummy = self.generator.dummy(ty);
        self.last_cx(
            &[&items, &at],
            quote!(#rt::support::item),
            &[quote!(#i.as_slice()), a.clone()],
            quote!(#dummy, #site),
        )
    }

    /// The identifier of a local variable.
    pub(super) fn local_name(&self, local: LocalId) -> Ident {
        match self.locals.get(local.index()) {
            Some(local) => local.name.clone(),
            None => ident("unknown"),
        }
    }
}

/// Least and greatest ordinal of a domain.
pub(super) fn ordinals(domain: &Domain) -> Range {
    match &domain.members {
        Members::Names(names) => (0, (names.len() as i64 - 1).max(0)),
        Members::Range { lo, hi } => (*lo, *hi),
    }
}
