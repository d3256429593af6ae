//! Expressions as Rust.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Body;
use super::chains::is_quick;
use super::code::{Code, Prec, int, int_tokens, number, typed_int};
use super::names::ident;
use crate::ir::range::{self, Range};
use crate::ir::{
    BinaryOp, Const, Domain, DomainId, Expr, ExprKind, FaultCode, Fold, FuncId, LocalId, Members,
    Over, PlacementForm, PlacementId, RelationId, TableId, Type, UnaryOp, WalkGive,
};
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
            ExprKind::Const(value) => self.krate.constant(value, &expr.ty),
            ExprKind::Local(local) => Code::atom(self.local(*local)),
            ExprKind::Env { var, checked } => {
                let name = &self.krate.env_names[var.index()];
                if !checked {
                    return Code::atom(quote!(env.#name));
                }
                let flag = self.krate.env_flag(*var);
                let site = self.site(FaultCode::UnsetVariable, span);
                let rt = &self.krate.rt;
                Code::atom(quote!(#rt::support::set(env.#name, env.#flag, #site, cx))).busy()
            }
            ExprKind::EnvIsSet(var) => {
                let flag = self.krate.env_flag(*var);
                Code::atom(quote!(env.#flag))
            }
            ExprKind::Var(var, index) => {
                let ty = &self.krate.game.var(*var).ty;
                let place = self.var_place(*var, index, span);
                let read = self.read_var(*var, place);
                self.krate.load(ty, read)
            }
            ExprKind::Lookup(table, index) => self.lookup(*table, index, span),
            ExprKind::PlaceOf(placement, piece) => self.place_of(*placement, self.index(piece)),
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
                self.call(self.krate.game.relation(*relation).holds, args, span)
            }
            ExprKind::Related(relation, args) => self.related(*relation, args, span),
            ExprKind::Seen(trail) => {
                let trail = self.krate.game.trail(*trail);
                let field = self.krate.trail_field(trail);
                let digest = self.krate.digest_name(trail.identity);
                Code::atom(quote!(s.#field.seen(#digest(s))))
            }
            ExprKind::Alike(identity, members) => {
                let codes: Vec<Code> = members.iter().map(|m| self.index(m)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let mut members = codes.iter().map(|code| &code.tokens);
                let (one, other) = (members.next(), members.next());
                let nest = self.krate.nest_name(*identity);
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
        let rt = &self.krate.rt;
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
                let tag = number(self.krate.tag(&value.ty));
                let value = self.krate.to_i64(&value.ty, &self.expr(value));
                let tokens = &value.tokens;
                Code::atom(quote!(#rt::support::Tagged::new(#tag, #tokens))).like(&[&value])
            }
            ExprKind::Untag(value) if expr.ty == Type::Tagged => self.expr(value),
            ExprKind::Untag(value) => self.untag(value, &expr.ty, span),
            ExprKind::HasTag(ty, value) => {
                let value = self.expr(value);
                let receiver = value.receiver();
                let tag = number(self.krate.tag(ty));
                Code::new(quote!(#receiver.tag == #tag), Prec::Compare).like(&[&value])
            }
            ExprKind::SetOf(members) => {
                let codes: Vec<Code> = members.iter().map(|m| self.index(m)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let members = codes.iter().map(|code| &code.tokens);
                let ty = self.krate.value_type(&expr.ty);
                Code::atom(quote!(<#ty>::EMPTY #(.with(#members))*)).like(&all)
            }
            ExprKind::SeqOf(items) => {
                let codes: Vec<Code> = items.iter().map(|item| self.expr(item)).collect();
                let all: Vec<&Code> = codes.iter().collect();
                let items = codes.iter().map(|code| &code.tokens);
                let ty = self.krate.value_type(&expr.ty);
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
            _ => Code::atom(self.krate.dummy(&expr.ty)),
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
        let site = number(self.krate.site(code, span));
        quote!(#site)
    }

    /// The number for "none" of an optional type.
    pub(super) fn none_of(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Opt(domain) => self.krate.none(*domain).tokens,
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
                Type::Elem(domain) => Some(ordinals(self.krate.game.domain(domain))),
                _ => None,
            },
            ExprKind::ToInt(_) => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
            ExprKind::If(_, yes, no) => {
                let (a, b) = (self.range(yes), self.range(no));
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Size(of) => match &of.ty {
                Type::Set(domain) => Some((0, self.krate.game.domain(*domain).len() as i64)),
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
        let domain = self.krate.game.domain(id);
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
        let rt = &self.krate.rt;
        let mut value = self.expr(ordinal);
        let mut range = self.range(ordinal);
        if ordinal.ty == Type::Wrap32 {
            let tokens = &value.tokens;
            value = Code::atom(quote!(i64::from(#tokens))).like(&[&value]);
            range = (i64::from(i32::MIN), i64::from(i32::MAX));
        }
        let tokens = &value.tokens;
        let (lo, hi) = ordinals(self.krate.game.domain(domain));
        let alias = &self.krate.domain(domain).alias;
        if lo <= range.0 && range.1 <= hi {
            let shifted = match lo {
                0 => value.clone(),
                lo => Code::binary(&value, quote!(-), &int(lo), Prec::Sum),
            };
            let operand = shifted.at(Prec::Cast);
            return Code::new(quote!(#operand as #alias), Prec::Cast).like(&[&value]);
        }
        let lo = int_tokens(lo);
        let len = number(self.krate.game.domain(domain).len());
        let none = self.krate.none(domain).tokens;
        Code::new(
            quote!(match #rt::support::offset(#tokens, #lo, #len) { Some(member) => member as #alias, None => #none }),
            Prec::Lowest,
        )
        .like(&[&value])
    }

    fn untag(&self, value: &Expr, ty: &Type, span: Span) -> Code {
        let rt = &self.krate.rt;
        let value = self.expr(value);
        let tokens = &value.tokens;
        let tag = number(self.krate.tag(ty));
        let site = self.site(FaultCode::WrongType, span);
        let dummy = match self.krate.dummy(ty) {
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
        self.krate.scalar_from_i64(ty, &raw)
    }

    fn item(&self, seq: &Expr, at: &Expr, ty: &Type, span: Span) -> Code {
        let rt = &self.krate.rt;
        let (items, at) = (self.expr(seq), self.expr(at));
        let (i, a) = (items.receiver(), &at.tokens);
        let site = self.site(FaultCode::IndexOutside, span);
        let dummy = self.krate.dummy(ty);
        self.last_cx(
            &[&items, &at],
            quote!(#rt::support::item),
            &[quote!(#i.as_slice()), a.clone()],
            quote!(#dummy, #site),
        )
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, span: Span) -> Code {
        let rt = &self.krate.rt;
        if let (UnaryOp::Complement, ExprKind::Binary(BinaryOp::Union, a, b)) = (op, &operand.kind)
            && let Some(free) = self.free_of(a, b)
        {
            return free;
        }
        let value = self.expr(operand);
        let tokens = &value.tokens;
        match (op, &operand.ty) {
            (UnaryOp::Not, _) => self.not(operand),
            (UnaryOp::Complement, Type::Set(domain)) => {
                let len = number(self.krate.game.domain(*domain).len());
                let right = value.at(Prec::Product);
                Code::new(quote!(#rt::BitSet::below(#len) - #right), Prec::Sum).like(&[&value])
            }
            (UnaryOp::Neg, Type::Wrap32) => {
                Code::atom(quote!(i32::wrapping_neg(#tokens))).like(&[&value])
            }
            (_, Type::Wrap32) => Code::atom(quote!(i32::wrapping_abs(#tokens))).like(&[&value]),
            (op, _) if range::unary(op, self.range(operand)).is_some() => match op {
                UnaryOp::Neg => {
                    let operand = value.at(Prec::Unary);
                    Code::new(quote!(-#operand), Prec::Unary).like(&[&value])
                }
                _ => Code::atom(quote!(i64::abs(#tokens))).like(&[&value]),
            },
            (op, _) => {
                let name = match op {
                    UnaryOp::Neg => quote!(neg),
                    _ => quote!(abs),
                };
                let site = self.site(FaultCode::Overflow, span);
                self.last_cx(
                    &[&value],
                    quote!(#rt::support::#name),
                    std::slice::from_ref(tokens),
                    site,
                )
            }
        }
    }

    /// The opposite of a truth value; comparisons turn around.
    pub(super) fn not(&self, operand: &Expr) -> Code {
        match &operand.kind {
            ExprKind::IsSome(member) => {
                let value = self.expr(member);
                let none = Code::atom(self.none_of(&member.ty));
                Code::binary(&value, quote!(==), &none, Prec::Compare)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.expr(inner),
            ExprKind::Const(Const::Bool(value)) => {
                let value = !value;
                Code::atom(quote!(#value))
            }
            ExprKind::Binary(op, left, right) if negated(*op).is_some() => {
                self.binary(negated(*op).unwrap_or(*op), left, right, operand.span)
            }
            _ => {
                let value = self.expr(operand);
                let tokens = value.at(Prec::Unary);
                Code::new(quote!(!#tokens), Prec::Unary).like(&[&value])
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Code {
        use BinaryOp::*;
        match op {
            And => self.logic(left, quote!(&&), right, Prec::And),
            Or => self.logic(left, quote!(||), right, Prec::Or),
            Eq | Ne | Lt | Le | Gt | Ge => self.compare(op, left, right),
            Add | Sub | Mul | Div | Rem | RemEuclid | Min | Max => match left.ty {
                Type::Wrap32 => self.wrapping(op, left, right, span),
                _ => self.checked(op, left, right, span),
            },
            Union | Intersect | Minus | UpTo | DownTo | Subset | In | Concat | SeqIntersect
            | SeqMinus | SeqSubset => self.collection(op, left, right),
        }
    }

    fn logic(&self, left: &Expr, op: TokenStream, right: &Expr, prec: Prec) -> Code {
        if prec == Prec::And
            && let Some(chain) = self.tested_chain(left, right)
        {
            return chain;
        }
        let code = self.with_facts(left, prec == Prec::And, || self.expr(right));
        let first = self.expr(left);
        // Reading on costs less than a branch that is guessed wrong.
        match !code.busy && is_quick(right) {
            true if prec == Prec::And => Code::binary(&first, quote!(&), &code, Prec::BitAnd),
            true => Code::binary(&first, quote!(|), &code, Prec::BitOr),
            false => Code::binary(&first, op, &code, prec),
        }
    }

    fn compare(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Code {
        let (mut a, mut b) = (self.expr(left), self.expr(right));
        if left.ty == Type::Bool
            && let Some(code) = self.compare_bool(op, left, right)
        {
            return code;
        }
        if matches!(left.ty, Type::Seq { .. }) {
            let (x, y) = (a.receiver(), b.receiver());
            a = Code::atom(quote!(#x.as_slice())).like(&[&a]);
            b = Code::atom(quote!(#y.as_slice())).like(&[&b]);
        }
        if let (Some(Const::Set(none)), Type::Set(_)) = (right.as_const(), &left.ty)
            && none.is_empty()
        {
            let set = a.receiver();
            return match op {
                BinaryOp::Eq => Code::atom(quote!(#set.is_empty())),
                _ => Code::new(quote!(!#set.is_empty()), Prec::Unary),
            }
            .like(&[&a]);
        }
        let op = match op {
            BinaryOp::Eq => quote!(==),
            BinaryOp::Ne => quote!(!=),
            BinaryOp::Lt => quote!(<),
            BinaryOp::Le => quote!(<=),
            BinaryOp::Gt => quote!(>),
            _ => quote!(>=),
        };
        Code::binary(&a, op, &b, Prec::Compare)
    }

    /// Comparisons with a truth value that is known.
    fn compare_bool(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Code> {
        let (value, other) = match (left.as_const(), right.as_const()) {
            (_, Some(Const::Bool(value))) => (*value, left),
            (Some(Const::Bool(value)), _) => (*value, right),
            _ => return None,
        };
        Some(match (op, value) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => self.expr(other),
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => self.not(other),
            _ => return None,
        })
    }

    fn wrapping(&self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Code {
        let rt = &self.krate.rt;
        let (a, b) = (self.expr(left), self.expr(right));
        let (x, y) = (&a.tokens, &b.tokens);
        let method = match op {
            BinaryOp::Add => "wrapping_add",
            BinaryOp::Sub => "wrapping_sub",
            BinaryOp::Mul => "wrapping_mul",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
            _ => {
                let divisor = match right.as_const() {
                    Some(Const::Int(value)) => *value,
                    _ => 0,
                };
                let name = match op {
                    BinaryOp::Div => "wrapping_div",
                    BinaryOp::Rem => "wrapping_rem",
                    _ => "wrapping_rem_euclid",
                };
                if divisor != 0 {
                    let name = ident(name);
                    return Code::atom(quote!(i32::#name(#x, #y))).like(&[&a, &b]);
                }
                let name = ident(
                    &name
                        .replace("wrapping_", "")
                        .replace("rem_euclid", "modulo"),
                );
                let name = ident(&format!("{name}32"));
                let site = self.site(FaultCode::DivisionByZero, span);
                return self.last_cx(
                    &[&a, &b],
                    quote!(#rt::support::#name),
                    &[x.clone(), y.clone()],
                    site,
                );
            }
        };
        let method = ident(method);
        Code::atom(quote!(i32::#method(#x, #y))).like(&[&a, &b])
    }

    fn checked(&self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Code {
        let rt = &self.krate.rt;
        let (a, b) = (self.expr(left), self.expr(right));
        let (x, y) = (&a.tokens, &b.tokens);
        if matches!(op, BinaryOp::Min | BinaryOp::Max) {
            let method = ident(if op == BinaryOp::Min { "min" } else { "max" });
            return Code::atom(quote!(i64::#method(#x, #y))).like(&[&a, &b]);
        }
        if range::binary(op, self.range(left), self.range(right)).is_some() {
            return match op {
                BinaryOp::Add => Code::binary(&a, quote!(+), &b, Prec::Sum),
                BinaryOp::Sub => Code::binary(&a, quote!(-), &b, Prec::Sum),
                BinaryOp::Mul => Code::binary(&a, quote!(*), &b, Prec::Product),
                // These stay free of panics whatever a fault made of the operands.
                BinaryOp::Div => self.total(&a, &b, "wrapping_div", right),
                BinaryOp::Rem => self.total(&a, &b, "wrapping_rem", right),
                _ => self.total(&a, &b, "wrapping_rem_euclid", right),
            };
        }
        let overflow = || self.site(FaultCode::Overflow, span);
        let (name, sites) = match op {
            BinaryOp::Add => ("add", overflow()),
            BinaryOp::Sub => ("sub", overflow()),
            BinaryOp::Mul => ("mul", overflow()),
            _ => {
                let zero = self.site(FaultCode::DivisionByZero, span);
                match op {
                    BinaryOp::Div => {
                        let overflow = overflow();
                        ("div", quote!(#zero, #overflow))
                    }
                    BinaryOp::Rem => ("rem", zero),
                    _ => ("modulo", zero),
                }
            }
        };
        let name = ident(name);
        self.last_cx(
            &[&a, &b],
            quote!(#rt::support::#name),
            &[x.clone(), y.clone()],
            sites,
        )
    }

    /// A division that cannot fault; the divisor is tested unless it is a constant.
    fn total(&self, a: &Code, b: &Code, method: &str, right: &Expr) -> Code {
        let (x, y) = (&a.tokens, &b.tokens);
        let method = ident(method);
        match right.as_const() {
            Some(_) => Code::atom(quote!(i64::#method(#x, #y))),
            None => Code::atom(quote!(i64::#method(#x, i64::from(#y == 0) + #y))),
        }
        .like(&[a, b])
    }

    /// The result of an operation on sequences with the room of its type.
    fn roomy(&self, code: Code, op: BinaryOp, left: &Expr, ty: &Type) -> Code {
        let (Type::Seq { cap, .. }, Type::Seq { cap: found, .. }) = (ty, &left.ty) else {
            return code;
        };
        match op {
            BinaryOp::Concat | BinaryOp::SeqIntersect | BinaryOp::SeqMinus
                if cap != found || op == BinaryOp::Concat =>
            {
                let (receiver, room) = (code.receiver(), number(*cap as usize));
                Code::atom(quote!(#receiver.fit::<#room>().0)).like(&[&code])
            }
            _ => code,
        }
    }

    /// The free places, where a union is that of the places of all kinds.
    fn free_of(&self, left: &Expr, right: &Expr) -> Option<Code> {
        let mut kinds = std::collections::BTreeSet::new();
        let mut of = None;
        let mut left = vec![left, right];
        while let Some(part) = left.pop() {
            match &part.kind {
                ExprKind::Binary(BinaryOp::Union, a, b) => left.extend([&**a, &**b]),
                ExprKind::Places(placement, kind) => {
                    let Some(Const::Elem(kind)) = kind.as_const() else {
                        return None;
                    };
                    if of.is_some_and(|other| other != *placement) {
                        return None;
                    }
                    of = Some(*placement);
                    kinds.insert(*kind);
                }
                _ => return None,
            }
        }
        let placement = of?;
        let pieces = self.krate.game.placement(placement).pieces;
        let count = self.krate.game.domain(pieces).len();
        super::state::free_slot(count).filter(|_| kinds.len() == count)?;
        let none = &self.krate.domain(pieces).none;
        Some(self.places(placement, Code::atom(quote!(#none as usize))))
    }

    fn collection(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Code {
        use BinaryOp::*;
        if op == Union
            && let Some(free) = self.free_of(left, right)
            && let Type::Set(domain) = left.ty
        {
            let rt = &self.krate.rt;
            let len = number(self.krate.game.domain(domain).len());
            let free = free.at(Prec::Product);
            return Code::new(quote!(#rt::BitSet::below(#len) - #free), Prec::Sum);
        }
        let (a, b) = (self.expr(left), self.expr(right));
        match op {
            Union => return Code::binary(&a, quote!(|), &b, Prec::BitOr),
            Intersect => return Code::binary(&a, quote!(&), &b, Prec::BitAnd),
            Minus => return Code::binary(&a, quote!(-), &b, Prec::Sum),
            _ => {}
        }
        let (x, y) = (a.receiver(), b.receiver());
        let (left_tokens, right_tokens) = (&a.tokens, &b.tokens);
        let swapped = |call: TokenStream| match a.busy && b.busy {
            // The operands are evaluated from left to right.
            true => Code::new(quote!({ let item = #left_tokens; #call }), Prec::Lowest),
            false => Code::atom(call),
        };
        match op {
            Subset | SeqSubset => Code::atom(quote!(#x.is_subset(&#y))),
            UpTo => Code::atom(quote!(#x.up_to(#right_tokens))),
            DownTo => Code::atom(quote!(#x.down_to(#right_tokens))),
            In => match &right.ty {
                Type::Set(_) => match a.busy && b.busy {
                    true => swapped(quote!(#y.contains(item as usize))),
                    false => {
                        let index = self.index(left).tokens;
                        Code::atom(quote!(#y.contains(#index)))
                    }
                },
                _ => match a.busy && b.busy {
                    true => swapped(quote!(#y.contains(item))),
                    false => Code::atom(quote!(#y.contains(#left_tokens))),
                },
            },
            Concat => {
                let cap = |ty: &Type| match ty {
                    Type::Seq { cap, .. } => *cap as usize,
                    _ => 0,
                };
                let (room, total) = (
                    number(cap(&right.ty)),
                    number(cap(&left.ty).saturating_add(cap(&right.ty))),
                );
                Code::atom(quote!(#x.concat::<#room, #total>(&#right_tokens)))
            }
            SeqIntersect => Code::atom(quote!(#x.select(&#right_tokens, true))),
            _ => Code::atom(quote!(#x.select(&#right_tokens, false))),
        }
        .like(&[&a, &b])
    }

    /// A value of a table: the indexes are tested only where they can be outside.
    fn lookup(&self, id: TableId, index: &[Expr], span: Span) -> Code {
        let rt = &self.krate.rt;
        let table = self.krate.game.table(id);
        let places = self.flat(&table.axes, index);
        let value = |flat: &TokenStream| self.krate.table_value(id, flat);
        let codes: Vec<&Code> = places.codes.iter().collect();
        if places.tests.is_empty() {
            let read = value(&places.flat).like(&codes);
            return match places.lets.is_empty() {
                true => read,
                false => {
                    let (lets, tokens) = (&places.lets, &read.tokens);
                    Code::new(quote!({ #lets #tokens }), Prec::Lowest).like(&codes)
                }
            };
        }
        if let Some(code) = self.padded_lookup(id, index) {
            return code;
        }
        let (lets, tests, flat) = (&places.lets, &places.tests, &places.flat);
        let inside = value(flat);
        let inside = &inside.tokens;
        match &table.outside {
            Some(outside) => {
                let outside = self.krate.constant(outside, &table.ty).tokens;
                Code::new(
                    quote!({ #lets if #(#tests)&&* { #inside } else { #outside } }),
                    Prec::Lowest,
                )
                .like(&codes)
            }
            None => {
                let site = self.site(FaultCode::IndexOutside, span);
                let dummy = self.krate.dummy(&table.ty);
                let _ = rt;
                Code::new(
                    quote!({ #lets if #(#tests)&&* { #inside } else { cx.fail(#site); #dummy } }),
                    Prec::Lowest,
                )
                .busy()
            }
        }
    }

    /// A table over the optional members of one small domain has 256 items: no test is left.
    fn padded_lookup(&self, id: TableId, index: &[Expr]) -> Option<Code> {
        let [index] = index else { return None };
        if !self.krate.is_padded(id) || !matches!(index.ty, Type::Opt(_)) {
            return None;
        }
        let index = self.expr(index).index();
        Some(self.krate.table_value(id, &index.tokens).like(&[&index]))
    }

    /// The flat index of some axes, with what must hold for it to be inside.
    pub(super) fn flat(&self, axes: &[crate::ir::Axis], index: &[Expr]) -> Flat {
        let mut flat = Flat::default();
        let simple = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_) | ExprKind::Const(_));
        let fallible = index.len() > 1 && index.iter().any(|expr| !simple(expr));
        let mut sum: Option<Code> = None;
        for (place, (axis, expr)) in axes.iter().zip(index).enumerate() {
            let code = self.expr(expr);
            flat.codes.push(code.clone());
            let test = self.outside_test(*axis, expr);
            let mut value = code;
            if !simple(expr) && (fallible || test) {
                let name = ident(["i", "j", "k", "l", "m", "n"][place.min(5)]);
                let name = match place {
                    0..=5 => name,
                    _ => ident(&format!("i{place}")),
                };
                let tokens = &value.tokens;
                flat.lets.extend(quote!(let #name = #tokens;));
                value = Code::atom(quote!(#name));
            }
            let offset = self.axis_offset(*axis, expr, value, test, &mut flat.tests);
            let len = axis.len(self.krate.game);
            sum = Some(match sum {
                None => offset,
                Some(sum) => {
                    let scaled = Code::binary(
                        &sum,
                        quote!(*),
                        &{
                            let len = number(len);
                            Code::atom(quote!(#len))
                        },
                        Prec::Product,
                    );
                    Code::binary(&scaled, quote!(+), &offset, Prec::Sum)
                }
            });
        }
        flat.flat = sum.map_or(quote!(0), |sum| sum.tokens);
        flat
    }

    /// Whether an index may be outside its axis.
    fn outside_test(&self, axis: crate::ir::Axis, expr: &Expr) -> bool {
        use crate::ir::Axis;
        match (axis, &expr.ty) {
            (Axis::Domain(_), Type::Elem(_)) => false,
            (Axis::Range { lo, hi }, Type::Int { .. }) => {
                let (a, b) = self.range(expr);
                !(lo <= a && b <= hi)
            }
            (Axis::Range { lo, hi }, Type::Wrap32) => match expr.as_const() {
                Some(Const::Int(value)) => !(lo..=hi).contains(value),
                _ => true,
            },
            _ => true,
        }
    }

    /// The place of an index on its axis, from 0; adds the test that it is inside.
    fn axis_offset(
        &self,
        axis: crate::ir::Axis,
        expr: &Expr,
        value: Code,
        test: bool,
        tests: &mut Vec<TokenStream>,
    ) -> Code {
        use crate::ir::Axis;
        let len = number(axis.len(self.krate.game));
        let constant = expr.as_const().cloned();
        match (axis, &expr.ty, constant) {
            (Axis::Range { lo, hi }, _, Some(Const::Int(at))) if (lo..=hi).contains(&at) => {
                let at = number((at - lo) as usize);
                Code::atom(quote!(#at))
            }
            (Axis::Domain(_), _, Some(Const::Elem(at))) => {
                let at = number(at as usize);
                Code::atom(quote!(#at))
            }
            (Axis::Domain(_), ..) => {
                let index = value.index();
                if test {
                    let tokens = index.at(Prec::Unary);
                    tests.push(quote!(#tokens < #len));
                }
                index
            }
            (Axis::Range { lo, .. }, ty, _) => {
                let narrow = *ty == Type::Wrap32 && i32::try_from(lo).is_ok();
                let value = match (ty, narrow) {
                    (Type::Wrap32, false) => {
                        let tokens = &value.tokens;
                        Code::atom(quote!(i64::from(#tokens))).like(&[&value])
                    }
                    _ => value,
                };
                let shifted = match lo {
                    0 => value,
                    _ => {
                        let (tokens, lo) = (&value.tokens, int_tokens(lo));
                        let ty = ident(if narrow { "i32" } else { "i64" });
                        Code::atom(quote!(#ty::wrapping_sub(#tokens, #lo))).like(&[&value])
                    }
                };
                let unsigned = ident(if narrow { "u32" } else { "u64" });
                if test {
                    let tokens = shifted.at(Prec::Cast);
                    tests.push(quote!((#tokens as #unsigned) < #len));
                }
                shifted.index()
            }
        }
    }

    /// A set of members for which something holds.
    fn related(&self, relation: RelationId, args: &[Option<Expr>], span: Span) -> Code {
        let rt = &self.krate.rt;
        let relation = self.krate.game.relation(relation);
        let open = args.iter().position(Option::is_none).unwrap_or(0);
        let Some(&domain) = relation.params.get(open) else {
            return Code::atom(quote!(#rt::BitSet::EMPTY));
        };
        let info = self.krate.domain(domain);
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
        let ty = self.krate.value_type(&Type::Set(domain));
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
    pub(super) fn call(&self, func: FuncId, args: &[Expr], span: Span) -> Code {
        let locals = &self.krate.game.function(func).locals;
        let args = args.iter().enumerate();
        let args = args.map(|(place, arg)| match locals.get(place) {
            Some(local) => self.admitted(arg, &local.ty),
            None => self.expr(arg),
        });
        let args: Vec<Code> = args.collect();
        self.call_with(func, &args, span)
    }

    /// A call with computed arguments; what the function needs beside them follows.
    pub(super) fn call_with(&self, func: FuncId, args: &[Code], span: Span) -> Code {
        let needs = self.krate.needs(func);
        let name = &self.krate.function_names[func.index()];
        let all: Vec<&Code> = args.iter().collect();
        let values = args.iter().map(|arg| &arg.tokens);
        let rest = needs.arguments();
        let sites = needs.recursive.then(|| self.krate.bound_sites(span));
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
        let rt = &self.krate.rt;
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

    pub(super) fn place_of(&self, placement: PlacementId, piece: Code) -> Code {
        let rt = &self.krate.rt;
        let field = &self.krate.placement(placement).places;
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &piece)
    }

    pub(super) fn content(&self, placement: PlacementId, place: Code) -> Code {
        let rt = &self.krate.rt;
        let field = &self.krate.placement(placement).contents;
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &place)
    }

    fn contents(&self, id: PlacementId, place: Code) -> Code {
        let placement = self.krate.game.placement(id);
        match placement.form {
            PlacementForm::Many => self.content(id, place),
            _ => {
                let piece = self.content(id, place.clone());
                let (tokens, none) = (&piece.tokens, self.krate.none(placement.pieces).tokens);
                let ty = self.krate.value_type(&Type::Set(placement.pieces));
                Code::new(
                    quote!(match #tokens { #none => <#ty>::EMPTY, piece => <#ty>::single(piece as usize) }),
                    Prec::Lowest,
                )
                .like(&[&place])
            }
        }
    }

    /// The places of a kind; the state keeps them because somebody asks.
    fn places(&self, placement: PlacementId, kind: Code) -> Code {
        let rt = &self.krate.rt;
        let field = &self.krate.placement(placement).places;
        self.read_at(quote!(#rt::support::at), quote!(s.#field), &kind)
    }

    /// An iterator over what a bound variable ranges over, its items converted.
    fn iterator(
        &self,
        over: &Over,
        pattern: &TokenStream,
    ) -> (TokenStream, TokenStream, Vec<Code>) {
        match over {
            Over::Domain(domain) => {
                let count = &self.krate.domain(*domain).count;
                (quote!(0..#count), quote!(), Vec::new())
            }
            Over::Set(set) => {
                let code = self.expr(set);
                let receiver = code.receiver();
                let alias = match set.ty {
                    Type::Set(domain) => self.krate.domain(domain).alias.clone(),
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
    pub(super) fn for_each(
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

    fn fold(&self, fold: Fold, local: LocalId, over: &Over, body: &Expr, span: Span) -> Code {
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
        let rt = &self.krate.rt;
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

    fn collect(&self, local: LocalId, over: &Over, when: &Expr) -> Code {
        if let Some(kept) = self.standing(local, over, when) {
            return kept;
        }
        if let Some(kept) = self.held(local, over, when) {
            return Code::atom(kept);
        }
        if let Some(all) = self.closed(local, over, when) {
            return all;
        }
        let name = self.local_name(local);
        let (head, convert, mut codes) = self.for_each(&name, false, over);
        let test = self.expr(when);
        codes.push(test.clone());
        let test = &test.tokens;
        let ty = self.krate.value_type(&self.set_over(over));
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

    fn first(&self, local: LocalId, over: &Over, when: &Expr, ty: &Type) -> Code {
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

    fn walk(
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
        let (first, info) = (&start.tokens, self.krate.domain(domain));
        let (count, none) = (&info.count, &info.none);
        let next = self.krate.table_value(step, &quote!(#name as usize)).tokens;
        let set = self.krate.value_type(&Type::Set(domain));
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

    fn closure(&self, from: &Expr, edges: TableId, local: LocalId, pass: &Expr) -> Code {
        let Type::Set(domain) = from.ty else {
            return Code::atom(quote!(0));
        };
        let (from, pass) = (self.expr(from), self.expr(pass));
        let (start, test) = (&from.tokens, &pass.tokens);
        let name = self.local_name(local);
        let alias = &self.krate.domain(domain).alias;
        let set = self.krate.value_type(&Type::Set(domain));
        let near = self
            .krate
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

    /// The identifier of a local variable.
    pub(super) fn local_name(&self, local: LocalId) -> Ident {
        match self.locals.get(local.index()) {
            Some(local) => local.name.clone(),
            None => ident("unknown"),
        }
    }
}

/// The flat index of some axes.
#[derive(Default)]
pub(super) struct Flat {
    /// Names for the indexes that are needed twice.
    pub(super) lets: TokenStream,
    /// What holds if all indexes are inside.
    pub(super) tests: Vec<TokenStream>,
    /// The index, if the tests hold.
    pub(super) flat: TokenStream,
    /// The indexes.
    pub(super) codes: Vec<Code>,
}

/// Least and greatest ordinal of a domain.
pub(super) fn ordinals(domain: &Domain) -> Range {
    match &domain.members {
        Members::Names(names) => (0, (names.len() as i64 - 1).max(0)),
        Members::Range { lo, hi } => (*lo, *hi),
    }
}

/// The comparison that holds where another does not.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match op {
        Eq => Ne,
        Ne => Eq,
        Lt => Ge,
        Le => Gt,
        Gt => Le,
        Ge => Lt,
        _ => return None,
    })
}
