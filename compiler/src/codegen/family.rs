//! Families and decisions: names of their parameters, expressions about them, and whether asking for their moves can fail.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::function::{Needs, bound_locals};
use super::names::{Case, ident};
use super::{Body, Generator, LocalName};
use crate::ir::{Arm, Choose, Expr, Family, FamilyId, Local, ParamSource, Point};

/// The names of a family's context and parameters, and the functions made for it.
pub(super) struct FamilyNames {
    pub(super) context: Vec<Ident>,
    pub(super) params: Vec<Ident>,
}

impl FamilyNames {
    /// Context and parameters, the order in which the functions of a family take them.
    pub(super) fn all(&self) -> Vec<TokenStream> {
        let names = self.context.iter().chain(&self.params);
        names.map(|name| quote!(#name)).collect()
    }
}

impl Generator<'_> {
    pub(super) fn family_names(&self, family: &Family) -> FamilyNames {
        let mut scope = self.local_scope.clone();
        let mut name = |name: &String| scope.ident(name, Case::Snake);
        FamilyNames {
            context: family
                .context
                .iter()
                .map(|local| name(&local.name))
                .collect(),
            params: family
                .params
                .iter()
                .map(|param| name(&param.name))
                .collect(),
        }
    }

    /// A body for expressions of a family: its context and parameters by name.
    pub(super) fn family_body(&self, family: &Family, exprs: &[&Expr]) -> Body<'_> {
        let names = self.family_names(family);
        let context = family.context.iter().cloned();
        let params = family.params.iter().map(|param| Local {
            name: param.name.clone(),
            ty: param.ty.clone(),
        });
        let given: Vec<Local> = context.chain(params).collect();
        let known: Vec<Ident> = names.context.into_iter().chain(names.params).collect();
        let locals = bound_locals(&given, exprs).into_iter().enumerate();
        let locals = locals.map(|(index, local)| LocalName {
            name: known
                .get(index)
                .cloned()
                .unwrap_or_else(|| ident(&local.name)),
            ty: local.ty,
        });
        Body::over(self, locals.collect())
    }

    /// A body for expressions without parameters.
    pub(super) fn plain_body(&self, exprs: &[&Expr]) -> Body<'_> {
        let locals = bound_locals(&[], exprs).into_iter().map(|local| LocalName {
            name: ident(&local.name),
            ty: local.ty,
        });
        Body::over(self, locals.collect())
    }

    /// What an expression needs.
    pub(super) fn expr_needs(&self, expr: &Expr) -> Needs {
        Needs::of(&self.effects.expr(self.game, expr), false)
    }

    /// The value of an expression in a chain of its own, with what to do on a fault.
    pub(super) fn evaluate(
        &self,
        body: &Body<'_>,
        expr: &Expr,
        on_fault: Option<&TokenStream>,
    ) -> TokenStream {
        let needs = self.expr_needs(expr);
        let value = body.expr(expr).tokens;
        let own = needs.own(&self.rt);
        if !needs.cx {
            return match own.is_empty() {
                false => quote!({ #own #value }),
                true => value,
            };
        }
        let new_cx = self.new_cx();
        match on_fault {
            Some(on_fault) => quote!({
                let cx = #new_cx;
                #own
                let value = #value;
                if let Some(fault) = cx.fault() { #on_fault }
                value
            }),
            None => quote!({ let cx = #new_cx; #own #value }),
        }
    }

    /// Whether trying the candidates of a family may fault.
    pub(super) fn family_faults(&self, arm: &Arm) -> bool {
        self.may_be_broken(self.game.family(arm.family))
    }

    pub(super) fn may_be_broken(&self, family: &Family) -> bool {
        // The effect is asked only for what the position after it tells.
        let effect = family.effect.filter(|_| family.after.is_some());
        let functions = [family.guard, family.after, effect, family.rank];
        let asked = functions.iter().flatten().any(|&func| self.may_fault(func));
        let sources = family.params.iter().any(|param| match &param.source {
            ParamSource::Is(expr) => self.expr_needs(expr).cx,
            ParamSource::Generated(func) => self.may_fault(*func),
            ParamSource::Subset { .. } => true,
            _ => false,
        });
        asked || sources || family.after.is_some() && !self.is_judged(family)
    }

    pub(super) fn may_fault(&self, func: crate::ir::FuncId) -> bool {
        let needs = self.needs(func);
        needs.cx || needs.flow
    }

    /// Whether some family has a rank.
    pub(super) fn has_ranks(&self) -> bool {
        self.game
            .families
            .iter()
            .any(|family| family.rank.is_some())
    }

    /// The decisions by number of their point.
    pub(super) fn decisions(&self) -> impl Iterator<Item = (usize, &Choose)> {
        let points = self.machine.points.iter().enumerate();
        points.filter_map(|(index, point)| match point {
            Point::Choose(choose) => Some((index, choose)),
            Point::Chance(..) => None,
        })
    }

    /// The arms of a decision, the first of each family.
    pub(super) fn arms<'c>(&self, choose: &'c Choose) -> Vec<(usize, &'c Arm)> {
        let mut seen: Vec<FamilyId> = Vec::new();
        let mut arms = Vec::new();
        for (index, arm) in choose.arms.iter().enumerate() {
            if !seen.contains(&arm.family) {
                seen.push(arm.family);
                arms.push((index, arm));
            }
        }
        arms
    }
}

/// A tuple pattern, or the only name.
pub(super) fn tuple(names: &[Ident]) -> TokenStream {
    match names {
        [only] => quote!(#only),
        _ => quote!((#(#names),*)),
    }
}
