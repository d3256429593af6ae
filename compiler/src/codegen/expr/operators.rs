//! Operators: arithmetic that faults where it leaves its range, comparisons, logic, sets and sequences.

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::Body;
use crate::codegen::chains::is_quick;
use crate::codegen::code::{Code, Prec, number};
use crate::codegen::fields;
use crate::codegen::names::ident;

use crate::ir::range::{self};
use crate::ir::{BinaryOp, Const, Expr, ExprKind, FaultCode, Type, UnaryOp};
use crate::source::Span;

impl Body<'_> {
    pub(super) fn unary(&self, op: UnaryOp, operand: &Expr, span: Span) -> Code {
        let rt = &self.generator.rt;
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
                let len = number(self.generator.game.domain(*domain).len());
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
    pub(in crate::codegen) fn not(&self, operand: &Expr) -> Code {
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

    pub(super) fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Code {
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
            let set = match self.counted_free_of(left) {
                Some(counted) => counted,
                None => a.receiver(),
            };
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
        let rt = &self.generator.rt;
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
        let rt = &self.generator.rt;
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
    pub(super) fn roomy(&self, code: Code, op: BinaryOp, left: &Expr, ty: &Type) -> Code {
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
        let mut kinds = rulec_ir::sorted::SortedSet::new();
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
        let pieces = self.generator.game.placement(placement).pieces;
        let count = self.generator.game.domain(pieces).len();
        let free = fields::free_slot(count).filter(|_| kinds.len() == count)?;
        let free = number(free);
        Some(self.places(placement, Code::atom(quote!(#free))))
    }

    fn collection(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Code {
        use BinaryOp::*;
        if op == Union
            && let Some(free) = self.free_of(left, right)
            && let Type::Set(domain) = left.ty
        {
            let rt = &self.generator.rt;
            let len = number(self.generator.game.domain(domain).len());
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
