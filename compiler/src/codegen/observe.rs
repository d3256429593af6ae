//! What a network sees of a position, as numbers.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::code::number;
use super::{Body, Generator};
use crate::ir::observe::{Plane, PlaneSource, planes};
use crate::ir::{Expr, IdentityTerm, PlacementForm, Type};

impl Generator<'_> {
    /// What the planes are.
    pub(super) fn plane_infos(&self) -> TokenStream {
        let rt = &self.rt;
        let infos = planes(self.game).into_iter().map(|plane| {
            let (name, cells) = (plane.name, number(plane.cells));
            let low = Literal::i64_unsuffixed(plane.low);
            let high = Literal::i64_unsuffixed(plane.high);
            quote!(#rt::Plane::new(#name, #cells, #low, #high))
        });
        quote!(&[#(#infos),*])
    }

    /// The method that tells the values of the planes.
    pub(super) fn observe(&self) -> TokenStream {
        let planes = planes(self.game);
        if planes.is_empty() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let nameless: Option<TokenStream> = planes
            .iter()
            .map(|plane| self.plane_without_names(plane))
            .collect();
        let parts = nameless.unwrap_or_else(|| {
            self.with_names(|| planes.iter().map(|plane| self.plane(plane)).collect())
        });
        quote! {
            fn observe(&self, s: &State, out: &mut impl #rt::Observer) {
                #parts
            }
        }
    }

    pub(super) fn plane(&self, plane: &Plane) -> TokenStream {
        match plane.source {
            PlaneSource::Term(id, term) => match &self.game.identity(id).terms[term] {
                IdentityTerm::Value(value) => {
                    let body = self.plain_body(&[value]);
                    let value = self.observed(&body, value, plane.cells);
                    quote!({ #value })
                }
                IdentityTerm::Each { domain, when, .. } => {
                    let body = self.member_body(*domain, &[when]);
                    let count = &self.domain(*domain).count;
                    let (test, faulty) = self.condition(&body, when);
                    let holds = match faulty {
                        true => quote!(holds && !faulted),
                        false => quote!(holds),
                    };
                    quote!(for which in 0..#count {
                        #test
                        out.value(i64::from(#holds));
                    })
                }
                _ => TokenStream::new(),
            },
            PlaneSource::Value(id, term, at) => match &self.game.identity(id).terms[term] {
                IdentityTerm::Each {
                    domain,
                    when,
                    values,
                } => {
                    let body = self.member_body(*domain, &[when, &values[at]]);
                    let count = &self.domain(*domain).count;
                    let (test, faulty) = self.condition(&body, when);
                    let absent = match faulty {
                        true => quote!(!holds || faulted),
                        false => quote!(!holds),
                    };
                    let value = self.observed(&body, &values[at], 1);
                    quote!(for which in 0..#count {
                        #test
                        if #absent {
                            out.value(0);
                            continue;
                        }
                        #value
                    })
                }
                _ => TokenStream::new(),
            },
            PlaneSource::Var(id) => {
                let var = self.game.var(id);
                let path = self.var_path(id);
                let cells = match &var.ty {
                    Type::Set(domain) => self.game.domain(*domain).len(),
                    _ => 1,
                };
                if var.axes.is_empty() {
                    return self.cell(&var.ty, &path, cells);
                }
                let len = number(var.init.len());
                match self.cell_value(&var.ty, &quote!(item)) {
                    Some(value) => {
                        quote!(out.run(#path.iter().take(#len).map(|&item| #value));)
                    }
                    None => {
                        let one = self.cell(&var.ty, &quote!(item), cells);
                        quote!(for &item in #path.iter().take(#len) { #one })
                    }
                }
            }
            PlaneSource::Placement(id) => {
                let placement = self.game.placement(id);
                let names = &self.placements[id.index()];
                let len = number(plane.cells);
                let (domain, all) = match placement.form {
                    PlacementForm::Many => {
                        let places = &names.places;
                        (
                            placement.places,
                            quote!(s.#places.iter().take(#len).copied()),
                        )
                    }
                    _ => {
                        let all = self.contents_in_turn(id, &names.contents, plane.cells);
                        (placement.pieces, all)
                    }
                };
                let one = self.cell(&Type::Opt(domain), &quote!(item), 1);
                quote!(for item in #all { #one })
            }
        }
    }

    /// Statements that append the value of an expression; 0 where it faults.
    fn observed(&self, body: &Body<'_>, expr: &Expr, cells: usize) -> TokenStream {
        let needs = self.expr_needs(expr);
        let value = body.expr(expr).tokens;
        let env = needs.own(&self.rt);
        let ty = self.value_type(&expr.ty);
        let push = self.cell(&expr.ty, &quote!(value), cells);
        if !needs.cx {
            return quote!(let value: #ty = { #env #value }; #push);
        }
        let new_cx = self.new_cx();
        let cells = number(cells);
        quote!(
            #env
            let cx = #new_cx;
            let value: #ty = #value;
            if cx.failed() {
                out.zeros(#cells);
            } else {
                #push
            }
        )
    }

    /// A statement that appends a value.
    fn cell(&self, ty: &Type, value: &TokenStream, cells: usize) -> TokenStream {
        match ty {
            Type::Set(_) => {
                let cells = number(cells);
                quote!(out.set(#cells, &#value.0);)
            }
            _ => {
                let value = self.cell_value(ty, value);
                value.map_or_else(TokenStream::new, |value| quote!(out.value(#value);))
            }
        }
    }

    /// What a cell shows of a value that takes one.
    fn cell_value(&self, ty: &Type, value: &TokenStream) -> Option<TokenStream> {
        match ty {
            Type::Bool => Some(quote!(i64::from(#value))),
            Type::Int { .. } | Type::Wrap32 => Some(quote!(#value as i64)),
            Type::Elem(_) => Some(quote!(#value as i64 + 1)),
            Type::Opt(domain) => {
                let none = &self.domain(*domain).none;
                Some(quote!(if #value == #none { 0 } else { #value as i64 + 1 }))
            }
            Type::Set(_) | Type::Seq { .. } | Type::Tagged => None,
        }
    }
}
