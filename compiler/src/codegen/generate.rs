//! Which moves are legal.
//!
//! For every family there is a function that tries its candidates in the order of the rules: the
//! parameters nested, each with its values ascending. A fault of a rule ends the search at once.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::number;
use super::family::{FamilyNames, tuple};
use super::fast::Fast;
use crate::ir::{Arm, Const, Expr, Family, FamilyId, StmtKind};

impl Generator<'_> {
    /// All items about legal moves.
    pub(super) fn generators(&self, plans: &[Option<Fast>]) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut done: Vec<(FamilyId, Option<(usize, usize)>)> = Vec::new();
        for (point, choose) in self.decisions() {
            for (index, arm) in choose.arms.iter().enumerate() {
                let variant = self.arm_variant(point, index, arm);
                if done.contains(&(arm.family, variant)) {
                    continue;
                }
                done.push((arm.family, variant));
                tokens.extend(self.family_generator(point, index, arm));
            }
        }
        tokens.extend(self.fast_items(plans));
        tokens.extend(self.visit_moves());
        tokens.extend(self.judge());
        tokens.extend(self.random_candidate());
        tokens.extend(self.lists(plans));
        tokens
    }

    /// A family with a predicate on the successor has a generator for each arm, since what the arm
    /// does matters; other families have one for all.
    fn arm_variant(&self, point: usize, index: usize, arm: &Arm) -> Option<(usize, usize)> {
        let family = self.game.family(arm.family);
        (family.after.is_some() && !self.is_judged(family)).then_some((point, index))
    }

    pub(super) fn generator_name(&self, point: usize, index: usize, arm: &Arm) -> Ident {
        let name = &self.family_names[arm.family.index()];
        match self.arm_variant(point, index, arm) {
            Some((point, index)) => format_ident!("{name}_moves_{point}_{index}"),
            None => format_ident!("{name}_moves"),
        }
    }

    fn family_generator(&self, point: usize, index: usize, arm: &Arm) -> TokenStream {
        let rt = &self.rt;
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let function = self.generator_name(point, index, arm);
        let (items, loops) = match self.steps(family) {
            Some(steps) => self.steps_items(arm, &steps),
            None => {
                let loops = self.bundles(arm.family, &names).unwrap_or_else(|| {
                    let test = self.candidate(point, index, arm, &names);
                    self.parameter_loops(family, &names, test)
                });
                (TokenStream::new(), loops)
            }
        };
        let context = names
            .context
            .iter()
            .zip(&family.context)
            .map(|(name, local)| {
                let ty = self.value_type(&local.ty);
                quote!(#name: #ty)
            });
        let visitor = self.visitor();
        let doc = self.doc(
            &format!(
                "Calls `visit` with the legal moves of the family `{}` until it says stop.",
                family.name
            ),
            family.span,
        );
        quote! {
            #items
            #doc
            #[inline]
            fn #function(s: &State, #(#context,)* visit: &mut #visitor) -> Result<bool, #rt::Fault> {
                #loops
                Ok(false)
            }
        }
    }

    /// The value of a function in a chain of its own.
    pub(super) fn call_checked(
        &self,
        func: crate::ir::FuncId,
        args: &[TokenStream],
        on_fault: &TokenStream,
    ) -> TokenStream {
        let ask = self.ask(func, args);
        if !self.may_fault(func) {
            return ask;
        }
        let new_cx = self.new_cx();
        quote!({
            let cx = #new_cx;
            let value = #ask;
            if let Some(fault) = cx.fault() { #on_fault }
            value
        })
    }

    /// The test of a candidate and the call of the visitor.
    fn candidate(&self, point: usize, index: usize, arm: &Arm, names: &FamilyNames) -> TokenStream {
        let family = self.game.family(arm.family);
        let args = names.all();
        let on_fault = quote!(return Err(fault););
        let found = self.found(point, index, arm, names);
        match family.guard {
            None => found,
            Some(guard) => {
                let guard = self.call_checked(guard, &args, &on_fault);
                quote!(if #guard { #found })
            }
        }
    }

    /// What is done with a candidate whose guard holds.
    pub(super) fn found(
        &self,
        point: usize,
        index: usize,
        arm: &Arm,
        names: &FamilyNames,
    ) -> TokenStream {
        let family = self.game.family(arm.family);
        let args = names.all();
        let on_fault = quote!(return Err(fault););
        let make = &self.family_names[arm.family.index()];
        let params = &names.params;
        let mv = quote!(Move::#make(#(#params),*));
        let visit = match (self.has_ranks(), family.rank) {
            (false, _) => {
                let visit = self.visit_one(&mv);
                quote!(if #visit { return Ok(true); })
            }
            (true, None) => quote!(if visit(#mv, 0) { return Ok(true); }),
            (true, Some(rank)) => {
                let rank = self.call_checked(rank, &args, &on_fault);
                quote!({
                    let rank: i64 = #rank;
                    if visit(#mv, rank) { return Ok(true); }
                })
            }
        };
        match family.after.filter(|_| !self.is_judged(family)) {
            Some(after) => {
                let after = self.after(point, index, arm, after, &args, params, &on_fault);
                quote!(if #after { #visit })
            }
            None => visit,
        }
    }

    /// The predicate on the position after a candidate: it is played on a copy.
    #[expect(
        clippy::too_many_arguments,
        reason = "everything that names a candidate"
    )]
    fn after(
        &self,
        point: usize,
        index: usize,
        arm: &Arm,
        after: crate::ir::FuncId,
        args: &[TokenStream],
        params: &[Ident],
        on_fault: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let play = self.arm_name(point, index, arm);
        let new_cx = self.new_cx();
        let ask = self.call_checked(after, args, on_fault);
        let act = match self.game.family(arm.family).effect {
            Some(effect) => {
                let act = self.perform(effect, args);
                quote!({
                    let s = &mut after;
                    #act
                })
            }
            None => quote!(
                let flow = #play(#(#params,)* &mut after, &mut #rt::Silent, cx);
                after.finish(flow, cx);
            ),
        };
        quote!({
            let mut after = s.clone();
            let cx = #new_cx;
            #act
            if let Some(fault) = cx.fault() { #on_fault }
            let s = &after;
            #ask
        })
    }

    /// The dispatch over the points where play stops.
    fn visit_moves(&self) -> TokenStream {
        let rt = &self.rt;
        let visitor = self.visitor();
        let body = self.visited(|point, index, arm| self.visit_arm(point, index, arm));
        let (doc, name) = match self.judges() {
            true => (
                " Calls `visit` with every candidate until it says stop, and tells whether it did.",
                format_ident!("visit_candidates"),
            ),
            false => (
                " Calls `visit` with every legal move until it says stop, and tells whether it did.",
                format_ident!("visit_moves"),
            ),
        };
        let judged = self.judges().then(|| self.visit_judged());
        quote! {
            #[doc = #doc]
            #[inline]
            fn #name(s: &State, visit: &mut #visitor) -> Result<bool, #rt::Fault> {
                if s.ended != 0 {
                    return Ok(false);
                }
                #body
                Ok(false)
            }
            #judged
        }
    }

    /// The arms of each decision one after the other, visited as told, until one of them stops.
    pub(super) fn visited(&self, visit: impl Fn(usize, usize, &Arm) -> TokenStream) -> TokenStream {
        let branches = self.decisions().map(|(point, choose)| {
            let calls = choose.arms.iter().enumerate().map(|(index, arm)| {
                let call = visit(point, index, arm);
                quote!(if #call? { return Ok(true); })
            });
            let calls: Vec<TokenStream> = calls.collect();
            (point, quote!(#(#calls)*))
        });
        self.by_point(branches.collect(), quote!())
    }

    /// The call that visits the candidates of an arm.
    pub(super) fn visit_arm(&self, point: usize, index: usize, arm: &Arm) -> TokenStream {
        let name = self.generator_name(point, index, arm);
        let given = self.given(arm);
        quote!(#name(s, #(#given,)* visit))
    }

    /// The values that an arm gives its family; their faults are found when the decision is due.
    pub(super) fn given(&self, arm: &Arm) -> Vec<TokenStream> {
        let value = |expr: &Expr| self.evaluate(&self.plain_body(&[expr]), expr, None);
        arm.given.iter().map(value).collect()
    }

    /// A match on the point where play stopped, or the only branch.
    pub(super) fn by_point(
        &self,
        branches: Vec<(usize, TokenStream)>,
        other: TokenStream,
    ) -> TokenStream {
        match (self.has_points(), branches.as_slice()) {
            (false, [(_, only)]) => quote!(#only),
            (_, []) => quote!(#other),
            _ => {
                let (points, bodies): (Vec<_>, Vec<_>) = branches
                    .into_iter()
                    .map(|(point, body)| (number(point), body))
                    .unzip();
                quote!(match s.point {
                    #(#points => { #bodies })*
                    _ => { #other }
                })
            }
        }
    }

    /// The families of each decision by their ranks, if these are constants and nothing fails: those of a rank are asked
    /// only where no higher one has a move.
    fn tiers(&self) -> Option<TokenStream> {
        let mut branches = Vec::new();
        for (point, choose) in self.decisions() {
            let mut tiers: SortedMap<i64, Vec<TokenStream>> = SortedMap::new();
            for (index, arm) in choose.arms.iter().enumerate() {
                if self.family_faults(arm) {
                    return None;
                }
                let rank = self.constant_rank(self.game.family(arm.family))?;
                let name = self.generator_name(point, index, arm);
                let given = self.given(arm);
                tiers.entry(rank).or_default().push(quote!(
                    #name(s, #(#given,)* &mut |mv, _| { out.push(mv); false })?;
                ));
            }
            let tiers = tiers.into_values().rev();
            let tiers =
                tiers.map(|calls| quote!(#(#calls)* if out.len() > start { return Ok(()); }));
            branches.push((point, quote!(#(#tiers)*)));
        }
        Some(self.by_point(branches, quote!()))
    }

    /// The rank of a family whose moves all have the same.
    pub(super) fn constant_rank(&self, family: &Family) -> Option<i64> {
        let Some(rank) = family.rank else {
            return Some(0);
        };
        let [stmt] = &self.game.function(rank).body[..] else {
            return None;
        };
        match &stmt.kind {
            StmtKind::Return(Some(value)) => match value.as_const() {
                Some(Const::Int(rank)) => Some(*rank),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lists of moves, and whether there is any.
    fn lists(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        let faults = self
            .decisions()
            .any(|(_, choose)| choose.arms.iter().any(|arm| self.family_faults(arm)));
        let stop = !faults;
        let of_moves = self.visited_type();
        let any = match self.has_ranks() {
            true => quote!(|_, _| { found = true; #stop }),
            false => quote!(|_ #of_moves| { found = true; #stop }),
        };
        let tiers = if self.has_ranks() { self.tiers() } else { None };
        let list = match (self.has_ranks(), tiers) {
            (false, _) => quote! {
                visit_moves(s, &mut |mv #of_moves| { out.push(mv); false })?;
                Ok(())
            },
            (true, Some(tiers)) => quote! {
                let start = out.len();
                if s.ended == 0 { #tiers }
                Ok(())
            },
            (true, None) => quote! {
                let start = out.len();
                let mut highest = i64::MIN;
                visit_moves(s, &mut |mv, rank| {
                    if rank > highest {
                        highest = rank;
                        out.truncate(start);
                    }
                    if rank == highest {
                        out.push(mv);
                    }
                    false
                })?;
                Ok(())
            },
        };
        let distinct = self.distinct(plans);
        let quick = self.any_of_lists(plans);
        let scratch = self.scratch_position();
        let look = match self.judges() {
            // Most often the first candidate is legal: nothing is worth knowing of all of them.
            true => quote! {
                let scratch = &mut #scratch;
                visit_candidates(s, &mut |mv #of_moves| {
                    let legal = judge(scratch, mv);
                    found |= legal;
                    legal && #stop
                })?;
            },
            false => quote!(visit_moves(s, &mut #any)?;),
        };
        let always = self.always_lists(plans);
        let products = self.is_fast(plans).then(|| {
            quote!(
                let start = out.len();
                if list_products::<false>(s, out).is_some() {
                    return Ok(());
                }
                out.truncate(start);
            )
        });
        let (products, list) = match always {
            true => (None, quote!(list_products::<false>(s, out); Ok(()))),
            false => (products, list),
        };
        let look = match always && quick.is_some() {
            true => quote!(Ok(false)),
            false => quote!(
                let mut found = false;
                #look
                Ok(found)
            ),
        };
        quote! {
            /// Whether some move is legal.
            fn any_move(s: &State) -> Result<bool, #rt::Fault> {
                #quick
                #look
            }

            /// Appends every legal move.
            #[inline]
            fn list_moves(s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                #products
                #list
            }
            #distinct
        }
    }

    /// One move of every class.
    fn distinct(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        let classes = self
            .game
            .families
            .iter()
            .map(|family| family.class.len())
            .max();
        let len = classes.unwrap_or(0);
        if len == 0 {
            return quote! {
                /// Appends one legal move of every class: no two moves are interchangeable.
                #[inline]
                fn list_distinct(s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                    list_moves(s, out)
                }
            };
        }
        if self.always_distinct(plans) {
            return quote! {
                /// Appends one legal move of every class of interchangeable ones.
                #[inline]
                fn list_distinct(s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                    list_products::<true>(s, out);
                    Ok(())
                }
            };
        }
        let count = number(len);
        let branches = self.decisions().map(|(point, choose)| {
            let arms = self
                .arms(choose)
                .into_iter()
                .map(|(_, arm)| self.class_branch(arm, len));
            (point, quote!(match mv.family() { #(#arms)* _ => {} }))
        });
        let body = self.by_point(branches.collect(), quote!());
        let apart = self.distinct_points(plans);
        let at_apart = match (apart.is_empty(), self.has_points()) {
            (true, _) => None,
            (false, false) => Some(quote!(true)),
            (false, true) => {
                let points = apart.into_iter().map(number);
                Some(quote!(matches!(s.point, #(#points)|*)))
            }
        };
        let products = at_apart.map(|test| {
            let list = quote!(
                if list_products::<true>(s, out).is_some() {
                    return Ok(());
                }
                out.truncate(start);
            );
            match test.to_string() == "true" {
                true => list,
                false => quote!(if #test { #list }),
            }
        });
        quote! {
            /// Appends one legal move of every class of interchangeable ones.
            #[inline]
            fn list_distinct(s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                let start = out.len();
                #products
                list_moves(s, out)?;
                #rt::support::keep_classes(out, start, |mv| class_of(s, mv))
            }

            /// What interchangeable moves have in common.
            fn class_of(s: &State, mv: Move) -> Result<[i64; #count], #rt::Fault> {
                let mut class = [0; #count];
                #body
                Ok(class)
            }
        }
    }

    fn class_branch(&self, arm: &Arm, len: usize) -> TokenStream {
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let tag = self.tags(arm.family);
        let read = format_ident!("{}_args", self.family_names[arm.family.index()]);
        let exprs: Vec<&Expr> = family.class.iter().collect();
        let body = self.family_body(family, &exprs);
        let on_fault = quote!(return Err(fault););
        let values = exprs.iter().map(|expr| {
            let value = super::code::Code::atom(self.evaluate(&body, expr, Some(&on_fault)));
            self.to_i64(&expr.ty, &value).tokens
        });
        let _ = len;
        let given = self.given(arm);
        let context = &names.context;
        let pattern = tuple(&names.params);
        quote! {
            #tag => {
                #(let #context = #given;)*
                let #pattern = mv.#read();
                class = [#(#values),*];
            }
        }
    }
}
