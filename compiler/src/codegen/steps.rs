//! Steps: families whose moves are shifts of a set of places.
//!
//! A move from one of a set of places to one of a row of a table, less the places where nobody may go, is one of a few steps: the
//! differences of numbers that occur in the table. All targets of a step are one shift of all sources, so the moves of the
//! family are the members of a few sets: counted without a list, and a random one is a random member.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Gen;
use super::code::number;
use crate::ir::{
    Arm, Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Family, FuncId, LocalId, ParamSource,
    StmtKind, TableId, Type,
};

/// More steps than this are not taken apart.
const MOST_STEPS: usize = 8;

/// The moves of a family as steps.
pub(super) struct Steps<'g> {
    /// The places, those of both parameters.
    places: DomainId,
    /// The function that gives the sources.
    sources: FuncId,
    /// Where targets may lie, if anything is said of it.
    free: Option<&'g Expr>,
    /// The steps.
    steps: Vec<Step>,
}

struct Step {
    /// The number of the target less that of the source.
    by: i64,
    /// The places that have such a target.
    from: Vec<u32>,
}

impl<'g> Gen<'g> {
    /// The moves of a family as steps, if they are.
    pub(super) fn steps(&self, family: &Family) -> Option<Steps<'g>> {
        let plain = family.guard.is_none()
            && family.after.is_none()
            && family.rank.is_none()
            && family.context.is_empty()
            && family.class.is_empty();
        let [from, to] = &family.params[..] else {
            return None;
        };
        let (Type::Elem(places), Type::Elem(targets)) = (&from.ty, &to.ty) else {
            return None;
        };
        let ParamSource::Generated(sources) = from.source else {
            return None;
        };
        let needs = self.needs(sources);
        if !plain || places != targets || needs.cx || needs.flow || needs.env || self.has_ranks() {
            return None;
        }
        if self.game.function(sources).ret != Some(Type::Set(*places)) {
            return None;
        }
        let (table, free) = match to.source {
            ParamSource::Listed { by: 0, table } => (table, None),
            ParamSource::Generated(func) => self.row_and_rest(func)?,
            _ => return None,
        };
        Some(Steps {
            places: *places,
            sources,
            free,
            steps: self.differences(table, *places)?,
        })
    }

    /// A function of a place that gives a row of a table, or what of it lies in a set that does not depend on the place.
    fn row_and_rest(&self, func: FuncId) -> Option<(TableId, Option<&'g Expr>)> {
        let function = self.game.function(func);
        let [stmt] = &function.body[..] else {
            return None;
        };
        let StmtKind::Return(Some(value)) = &stmt.kind else {
            return None;
        };
        let row = |expr: &Expr| match &expr.kind {
            ExprKind::Lookup(table, index) => match &index[..] {
                [index] if matches!(index.kind, ExprKind::Local(LocalId(0))) => Some(*table),
                _ => None,
            },
            _ => None,
        };
        if let Some(table) = row(value) {
            return Some((table, None));
        }
        let ExprKind::Binary(BinaryOp::Intersect, a, b) = &value.kind else {
            return None;
        };
        let (table, rest) = match (row(a), row(b)) {
            (Some(table), _) => (table, &**b),
            (None, Some(table)) => (table, &**a),
            _ => return None,
        };
        let mut plain = true;
        rest.walk(&mut |expr| plain &= !matches!(expr.kind, ExprKind::Local(_)));
        let needs = self.expr_needs(rest);
        (plain && !needs.cx && !needs.env && !needs.state_mut).then_some((table, Some(rest)))
    }

    /// The differences between places and the members of their rows.
    fn differences(&self, table: TableId, places: DomainId) -> Option<Vec<Step>> {
        let table = self.game.table(table);
        if table.axes != [Axis::Domain(places)] || table.ty != Type::Set(places) {
            return None;
        }
        let mut steps: Vec<Step> = Vec::new();
        for (from, row) in (0u32..).zip(&table.values) {
            let Const::Set(row) = row else { return None };
            for &to in row {
                let by = i64::from(to) - i64::from(from);
                match steps.iter_mut().find(|step| step.by == by) {
                    Some(step) => step.from.push(from),
                    None => steps.push(Step {
                        by,
                        from: vec![from],
                    }),
                }
                if steps.len() > MOST_STEPS {
                    return None;
                }
            }
        }
        (!steps.is_empty()).then_some(steps)
    }

    /// Whether some decision has moves that are steps.
    pub(super) fn has_steps(&self) -> bool {
        let mut arms = self.decisions().flat_map(|(_, choose)| &choose.arms);
        arms.any(|arm| self.steps(self.game.family(arm.family)).is_some())
    }

    fn steps_name(&self, arm: &Arm) -> Ident {
        format_ident!("{}_steps", self.family_names[arm.family.index()])
    }

    /// The function that gives the targets of each step, and the body of the visitor of moves.
    pub(super) fn steps_items(&self, arm: &Arm, steps: &Steps<'_>) -> (TokenStream, TokenStream) {
        let family = self.game.family(arm.family);
        let name = self.steps_name(arm);
        let set = self.value_type(&Type::Set(steps.places));
        let count = number(steps.steps.len());
        let sources = self.ask(steps.sources, &[]);
        let body = self.plain_body(&[]);
        let free = steps.free.map(|free| {
            let free = body.expr(free).tokens;
            quote!(let free = #free;)
        });
        let all = self.game.domain(steps.places).len();
        let targets = steps.steps.iter().map(|step| {
            let mut shifted = match step.from.len() == all {
                true => quote!(from),
                false => {
                    let mask = self.set_literal(&step.from, steps.places);
                    quote!((from & #mask))
                }
            };
            let by = Literal::u32_unsuffixed(step.by.unsigned_abs() as u32);
            shifted = match step.by {
                0 => shifted,
                1.. => quote!((#shifted << #by)),
                _ => quote!((#shifted >> #by)),
            };
            match steps.free {
                Some(_) => quote!(#shifted & free),
                None => shifted,
            }
        });
        let doc = self.doc(
            &format!(
                "Where the moves of the family `{}` go, step by step.",
                family.name
            ),
            family.span,
        );
        let function = quote! {
            #doc
            #[inline(always)]
            fn #name(s: &State) -> [#set; #count] {
                let from = #sources;
                #free
                [#(#targets),*]
            }
        };
        let make = &self.family_names[arm.family.index()];
        let alias = &self.domain(steps.places).alias;
        let loops = steps.steps.iter().enumerate().map(|(index, step)| {
            let index = number(index);
            let source = source(step.by, alias);
            quote!(for item in steps[#index].iter() {
                let to = item as #alias;
                let from = #source;
                if visit(Move::#make(from, to)) { return Ok(true); }
            })
        });
        (function, quote!(let steps = #name(s); #(#loops)*))
    }

    /// The number of moves of an arm that are steps, and the pick among them.
    pub(super) fn counted_steps(
        &self,
        index: usize,
        arm: &Arm,
        steps: &Steps<'_>,
    ) -> (TokenStream, TokenStream, Ident) {
        let name = self.steps_name(arm);
        let sets = format_ident!("steps_{index}");
        let count = format_ident!("count_{index}");
        let places = (0..steps.steps.len()).map(number);
        let binds = quote!(
            let #sets = #name(s);
            let #count: u64 = #(u64::from(#sets[#places].count()))+*;
        );
        let make = &self.family_names[arm.family.index()];
        let alias = &self.domain(steps.places).alias;
        let each = steps.steps.iter().enumerate().map(|(place, step)| {
            let place = number(place);
            let source = source(step.by, alias);
            quote!(
                let len = u64::from(#sets[#place].count());
                if pick < len {
                    let to = #sets[#place].nth(pick as u32).unwrap_or(0) as #alias;
                    let from = #source;
                    return Some((Some(Move::#make(from, to)), total));
                }
                pick -= len;
            )
        });
        let picks = quote!(
            if pick < #count {
                #(#each)*
            } else {
                pick -= #count;
            }
        );
        (binds, picks, count)
    }
}

/// The source of a step to `to`.
fn source(by: i64, alias: &Ident) -> TokenStream {
    let size = Literal::u64_unsuffixed(by.unsigned_abs());
    match by {
        0 => quote!(to),
        1.. => quote!((to as usize).wrapping_sub(#size) as #alias),
        _ => quote!((to as usize + #size) as #alias),
    }
}
