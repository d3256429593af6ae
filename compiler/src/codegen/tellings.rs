//! Texts of moves that depend on the position.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::number;
use super::function::bound_locals;
use super::names::{Case, ident};
use super::{Body, Generator, LocalName};
use crate::ir::{Expr, FamilyId, Local, Telling, TextOf, ToldPart, Type};

impl Generator<'_> {
    /// The methods of the game that write and read such texts; the usual ones do where there are none.
    pub(super) fn telling_methods(&self) -> TokenStream {
        let rt = &self.rt;
        if self.game.tellings.is_empty() {
            return TokenStream::new();
        }
        quote! {
            fn write_move_in(&self, s: &State, mv: Move, out: &mut String) {
                tell_move(s, mv, out);
            }

            fn parse_move_in(&self, s: &State, text: &str, out: &mut #rt::MoveList<Move>) {
                #rt::named_moves(self, s, text, out);
            }
        }
    }

    /// The function that writes a move as its position calls for.
    pub(super) fn tell_move(&self) -> TokenStream {
        if self.game.tellings.is_empty() {
            return TokenStream::new();
        }
        let arms = self
            .game
            .tellings
            .iter()
            .map(|telling| self.tell_arm(telling));
        quote! {
            /// Appends the text of a move in a position.
            fn tell_move(s: &State, mv: Move, out: &mut String) {
                match mv.family() {
                    #(#arms)*
                    _ => KINDS.write(mv.0.into(), out),
                }
            }
        }
    }

    fn tell_arm(&self, telling: &Telling) -> TokenStream {
        let (tag, read, params) = match telling.of {
            TextOf::Family(family) => {
                let read = ident(&format!("{}_args", self.family_names[family.index()]));
                (family.index(), read, self.params_of(family))
            }
            TextOf::Draw(draw) => {
                let read = ident(&format!("{}_value", self.draw_names[draw.index()]));
                let value = Local {
                    name: String::from("value"),
                    ty: self.game.draw(draw).ty.clone(),
                };
                (self.game.families.len() + draw.index(), read, vec![value])
            }
        };
        let mut locals = params;
        let parts = self.told_parts(&telling.parts, &mut locals.clone());
        let names = self.told_names(&mut locals, &[]);
        let names = names.iter().map(|local| &local.name);
        let pattern = match locals.len() {
            1 => quote!(#(#names)*),
            _ => quote!((#(#names),*)),
        };
        let tag = number(tag);
        quote!(#tag => {
            let #pattern = mv.#read();
            #parts
        })
    }

    fn params_of(&self, family: FamilyId) -> Vec<Local> {
        let params = self.game.family(family).params.iter();
        params
            .map(|param| Local {
                name: param.name.clone(),
                ty: param.ty.clone(),
            })
            .collect()
    }

    fn told_names(&self, given: &mut [Local], exprs: &[&Expr]) -> Vec<LocalName> {
        let mut scope = self.local_scope.clone();
        bound_locals(given, exprs)
            .into_iter()
            .map(|local| LocalName {
                // What one text leaves out another one shows.
                name: ident(&format!("_{}", scope.ident(&local.name, Case::Snake))),
                ty: local.ty,
            })
            .collect()
    }

    fn told_parts(&self, parts: &[ToldPart], known: &mut Vec<Local>) -> TokenStream {
        let mut tokens = TokenStream::new();
        for part in parts {
            tokens.extend(match part {
                ToldPart::Text(text) => quote!(out.push_str(#text);),
                ToldPart::Value(value) => {
                    let show = self.show(&value.ty, &quote!(value));
                    self.told_value(value, known, show)
                }
                ToldPart::When(cond, parts) => {
                    let inner = self.told_parts(parts, known);
                    self.told_value(cond, known, quote!(if value { #inner }))
                }
                ToldPart::Each(_, set, parts) => {
                    let Type::Set(domain) = &set.ty else { continue };
                    known.push(Local {
                        name: format!("member {}", known.len()),
                        ty: Type::Elem(*domain),
                    });
                    let inner = self.told_parts(parts, known);
                    let names = self.told_names(known, &[]);
                    let name = names.last().map(|local| &local.name);
                    known.pop();
                    let ty = self.value_type(&Type::Elem(*domain));
                    let each = quote!(
                        let mut first = true;
                        for member in value.iter() {
                            let #name = member as #ty;
                            if !::core::mem::replace(&mut first, false) {
                                out.push(',');
                            }
                            #inner
                        }
                    );
                    self.told_value(set, known, each)
                }
            });
        }
        tokens
    }

    /// Uses the value of an expression as `value`; one that faults is a question mark.
    fn told_value(&self, expr: &Expr, known: &mut [Local], then: TokenStream) -> TokenStream {
        let body = Body::over(self, self.told_names(known, &[expr]));
        let needs = self.expr_needs(expr);
        let env = needs.own(&self.rt);
        let code = body.expr(expr).tokens;
        let ty = self.value_type(&expr.ty);
        if !needs.cx {
            return quote!({
                let value: #ty = { #env #code };
                #then
            });
        }
        let new_cx = self.new_cx();
        quote!({
            let (value, failed) = {
                #env
                let cx = #new_cx;
                let value: #ty = #code;
                (value, cx.failed())
            };
            if failed {
                out.push('?');
            } else {
                #then
            }
        })
    }
}
