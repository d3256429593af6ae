//! Values of tables, and the numbers of cells.

use proc_macro2::TokenStream;
use quote::quote;

use crate::codegen::Body;
use crate::codegen::code::{Code, Prec, int_tokens, number};
use crate::codegen::names::ident;
use crate::ir::{Const, Expr, ExprKind, FaultCode, TableId, Type};
use crate::source::Span;

impl Body<'_> {
    /// A value of a table: the indexes are tested only where they can be outside.
    pub(super) fn lookup(&self, id: TableId, index: &[Expr], span: Span) -> Code {
        let rt = &self.generator.rt;
        let table = self.generator.game.table(id);
        let places = self.flat(&table.axes, index);
        let value = |flat: &TokenStream| self.generator.table_value(id, flat);
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
                let outside = self.generator.constant(outside, &table.ty).tokens;
                Code::new(
                    quote!({ #lets if #(#tests)&&* { #inside } else { #outside } }),
                    Prec::Lowest,
                )
                .like(&codes)
            }
            None => {
                let site = self.site(FaultCode::IndexOutside, span);
                let dummy = self.generator.dummy(&table.ty);
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
        if !self.generator.is_padded(id) || !matches!(index.ty, Type::Opt(_)) {
            return None;
        }
        let index = self.expr(index).index();
        Some(
            self.generator
                .table_value(id, &index.tokens)
                .like(&[&index]),
        )
    }

    /// The flat index of some axes, with what must hold for it to be inside.
    pub(in crate::codegen) fn flat(&self, axes: &[crate::ir::Axis], index: &[Expr]) -> Flat {
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
            let len = axis.len(self.generator.game);
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
        let len = number(axis.len(self.generator.game));
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
}

/// The flat index of some axes.
#[derive(Default)]
pub(in crate::codegen) struct Flat {
    /// Names for the indexes that are needed twice.
    pub(in crate::codegen) lets: TokenStream,
    /// What holds if all indexes are inside.
    pub(in crate::codegen) tests: Vec<TokenStream>,
    /// The index, if the tests hold.
    pub(in crate::codegen) flat: TokenStream,
    /// The indexes.
    pub(in crate::codegen) codes: Vec<Code>,
}
