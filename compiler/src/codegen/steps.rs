//! Steps: families whose moves are shifts of a set of places.
//!
//! A move from one of a set of places to one of a row of a table, less the places where nobody may go, is one of a few steps: the
//! differences of numbers that occur in the table. All targets of a step are one shift of all sources, so the moves of the
//! family are the members of a few sets: counted without a list, and a random one is a random member. A step may ask for one
//! place on its way, as a jump does.

use rulec_ir::sorted::{SortedMap, SortedSet};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::{complement, number};
use super::fast::{Fast, leaves_with_none, mentions};
use super::related::{PairsBySource, RelatedSteps, found_among};
use crate::ir::same::same;
use crate::ir::{
    Arm, Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Family, FuncId, LocalId, ParamSource,
    StmtKind, TableId, Type,
};

/// More steps than this are not taken apart.
const MOST_STEPS: usize = 8;
/// Sets of so many words are chosen without a branch.
const SHORT_WORDS: usize = 2;

/// The moves of a family as steps.
pub(super) struct Steps<'g> {
    /// The places, those of both parameters.
    places: DomainId,
    /// What must hold for any of them, where that depends on no place.
    always: Option<TokenStream>,
    /// The sources.
    sources: TokenStream,
    /// Where targets may lie, if anything is said of it.
    free: Option<TokenStream>,
    /// Sets of places that stop some of the steps on their way.
    stops: Vec<&'g Expr>,
    /// The pieces that may stand on a source, where a move tells its piece.
    pieces: Option<Vec<u32>>,
    /// The steps.
    steps: Vec<Step>,
    /// The rank of all moves, where moves have ranks.
    rank: Option<i64>,
}

struct Step {
    /// The number of the target less that of the source.
    by: i64,
    /// The number of the place on the way less that of the source, and the set where it must not lie.
    over: Option<(i64, usize)>,
    /// The places that have such a target.
    from: Vec<u32>,
}

/// A row of targets for each place.
struct Row<'g> {
    table: TableId,
    /// The rows in which targets must lie, the direction in which these run, and the places that cut them.
    ray: Option<(TableId, BinaryOp, &'g Expr)>,
}

impl<'g> Generator<'g> {
    /// The moves of a family as steps, if they are.
    pub(super) fn steps(&self, family: &Family) -> Option<Steps<'g>> {
        self.steps_of_places(family)
            .or_else(|| self.steps_of_pieces(family))
    }

    /// The steps of a family whose moves are a source and a target.
    fn steps_of_places(&self, family: &Family) -> Option<Steps<'g>> {
        let plain = family.guard.is_none()
            && family.after.is_none()
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
        if !plain || places != targets || needs.cx || needs.flow || needs.env {
            return None;
        }
        let rank = match self.has_ranks() {
            true => Some(self.constant_rank(family)?),
            false => None,
        };
        if self.game.function(sources).ret != Some(Type::Set(*places)) {
            return None;
        }
        let (rows, free) = match to.source {
            ParamSource::Listed { by: 0, table } => (vec![Row { table, ray: None }], None),
            ParamSource::Generated(func) => self.rows_and_rest(func)?,
            _ => return None,
        };
        let mut stops: Vec<&Expr> = Vec::new();
        for (_, _, stop) in rows.iter().filter_map(|row| row.ray) {
            if !stops.iter().any(|known| same(known, stop)) {
                stops.push(stop);
            }
        }
        Some(Steps {
            places: *places,
            always: None,
            sources: self.ask(sources, &[]),
            free: free.map(|free| self.plain_body(&[free]).expr(free).tokens),
            steps: self.differences(&rows, &stops, *places, &|_, _| true)?,
            stops,
            pieces: None,
            rank,
        })
    }

    /// The steps of a family whose moves are a piece that its place tells, that place, and a target.
    fn steps_of_pieces(&self, family: &Family) -> Option<Steps<'g>> {
        let (_, mover) = self.mover_of(family)?;
        let told = mover.own.is_none() && (mover.piece, mover.place) == (0, 1);
        if !told || self.has_ranks() || family.params.len() != 3 {
            return None;
        }
        let fast = self.fast(family)?;
        let (table, places) = self.related(family, &fast)?.only_row()?;
        let [sources, targets] = &fast.plan.groups[..] else {
            return None;
        };
        // With one member of each class there are as many moves as without.
        let all = |group| {
            let lifted = self.lifted(family, &fast, group)?;
            (!lifted.alike && !mentions(&lifted.set, "DISTINCT")).then_some(lifted.set)
        };
        let always = fast.plan.always.as_ref();
        let always = always.map(|test| self.slice_call(&self.family_names(family), test, &[]));
        if always.as_ref().is_some_and(leaves_with_none) {
            return None;
        }
        Some(Steps {
            places,
            always,
            sources: all(sources)?,
            free: Some(all(targets)?),
            stops: Vec::new(),
            steps: self.differences(&[Row { table, ray: None }], &[], places, &|_, _| true)?,
            pieces: Some(mover.candidates.clone()),
            rank: None,
        })
    }

    /// The steps of a family with a set of targets for each source, where nothing makes that these have others.
    pub(super) fn related_steps(&self, family: &Family, fast: &Fast) -> Option<RelatedSteps> {
        let related = self.related(family, fast)?;
        let [sources, targets] = &fast.plan.groups[..] else {
            return None;
        };
        let (quotient, mover) = self.moved_group(family, sources)?;
        if self.words(related.places()) > SHORT_WORDS {
            return None;
        }
        let ParamSource::Among(among) = &family.params[*targets.params.first()?].source else {
            return None;
        };
        let origins = self.origins(quotient, mover)?;
        let may_be = |from: u32, to: u32| origins.contains(&from) && among.contains(&to);
        let Some(pairs) = related.pairs(self.game) else {
            let pairs = related.pairs_by_source(self.game)?;
            return self.conditional_steps(&pairs, related.places(), &may_be);
        };
        let mut steps: Vec<Step> = Vec::new();
        for (from, row) in (0u32..).zip(&pairs.rows) {
            let all = (0u32..).zip(row);
            for (to, _) in all.filter(|(to, is)| **is && may_be(from, *to)) {
                add_step(&mut steps, (from, to), None)?;
            }
        }
        if steps.is_empty() {
            return None;
        }
        let unless = pairs.unless.as_ref();
        let unless = unless.map(|unless| self.family_body(family, &[unless]).expr(unless).tokens);
        Some(RelatedSteps {
            unless,
            whole: pairs.whole,
            sets: steps
                .iter()
                .map(|step| {
                    let begun = self.begun(step, quote!(list_0), related.places());
                    let shifted = shifted(begun, step.by);
                    (quote!(#shifted & list_1), step.by)
                })
                .collect(),
        })
    }

    /// The steps of pairs that are left by what holds of the source.
    fn conditional_steps(
        &self,
        pairs: &PairsBySource,
        places: DomainId,
        may_be: &dyn Fn(u32, u32) -> bool,
    ) -> Option<RelatedSteps> {
        let mut by_truths: SortedMap<u16, Vec<Step>> = SortedMap::new();
        let mut asked = SortedSet::new();
        let always = 1u16
            .checked_shl(1 << pairs.conditions.len())?
            .wrapping_sub(1);
        for (from, row) in (0u32..).zip(&pairs.rows) {
            for (to, &truths) in (0u32..).zip(row) {
                if truths != 0 && may_be(from, to) {
                    add_step(by_truths.entry(truths).or_default(), (from, to), None)?;
                    if truths != always {
                        asked.insert(from);
                    }
                }
            }
        }
        let asked: Vec<u32> = asked.into_iter().collect();
        let holds = pairs.conditions.iter();
        let holds = holds.map(|cond| self.passing_among(pairs.place, places, &asked, cond));
        let holds: Vec<TokenStream> = holds.collect::<Option<_>>()?;
        let all: Vec<u32> = (0..self.game.domain(places).len() as u32).collect();
        let all = self.set_literal(&all, places);
        let mut sets = Vec::new();
        for (truths, steps) in &by_truths {
            let when = where_one_of(*truths, &holds, &all);
            for step in steps {
                let mut begun = self.begun(step, quote!(list_0), places);
                if *truths != always {
                    begun = quote!((#begun & #when));
                }
                let shifted = shifted(begun, step.by);
                sets.push((quote!(#shifted & list_1), step.by));
            }
        }
        (!sets.is_empty() && sets.len() <= MOST_STEPS).then_some(RelatedSteps {
            unless: None,
            whole: false,
            sets,
        })
    }

    /// Those of some places that a step leads from.
    fn begun(&self, step: &Step, places: TokenStream, domain: DomainId) -> TokenStream {
        if step.from.len() == self.game.domain(domain).len() {
            return places;
        }
        let mask = self.set_literal(&step.from, domain);
        quote!((#places & #mask))
    }

    /// The pairs of source and target of a family whose moves are steps of pieces.
    pub(super) fn stepped_pairs(&self, family: &Family) -> Option<Vec<(u32, u32)>> {
        let steps = self.steps_of_pieces(family)?.steps;
        let pairs = |step: Step| {
            let by = step.by;
            let to = move |from: u32| Some((from, u32::try_from(i64::from(from) + by).ok()?));
            step.from.into_iter().filter_map(to)
        };
        Some(steps.into_iter().flat_map(pairs).collect())
    }

    /// The move from a source to a target.
    fn step_move(&self, arm: &Arm, from: &TokenStream, to: &TokenStream) -> TokenStream {
        let make = &self.family_names[arm.family.index()];
        let mover = self.mover_of(self.game.family(arm.family));
        let piece = mover.map(|(quotient, mover)| {
            let there = self.piece_there(quotient, mover, from);
            quote!(#there,)
        });
        quote!(Move::#make(#piece #from, #to))
    }

    /// Adds the moves of an arm that are steps to a list.
    pub(super) fn listed_steps(&self, arm: &Arm, steps: &Steps<'_>) -> TokenStream {
        let name = self.steps_name(arm);
        let alias = &self.domain(steps.places).alias;
        let lists = steps.steps.iter().enumerate().map(|(index, step)| {
            let (index, back) = (number(index), Literal::isize_unsuffixed(-step.by as isize));
            let from = match step.by {
                0 => quote!(to as #alias),
                _ => quote!(to.wrapping_add_signed(#back) as #alias),
            };
            let mv = self.step_move(arm, &from, &quote!(to as #alias));
            quote!(out.push_members(steps[#index], |to| #mv);)
        });
        quote!(let steps = #name(s); #(#lists)*)
    }

    /// Whether an arm has any move, all being steps.
    pub(super) fn any_step(&self, arm: &Arm) -> TokenStream {
        let name = self.steps_name(arm);
        quote!(#name(s).iter().any(|to| !to.is_empty()))
    }

    /// A function of a place that gives rows of tables, or what of them lies in a set that does not depend on the place.
    fn rows_and_rest(&self, func: FuncId) -> Option<(Vec<Row<'g>>, Option<&'g Expr>)> {
        let function = self.game.function(func);
        let [stmt] = &function.body[..] else {
            return None;
        };
        let StmtKind::Return(Some(value)) = &stmt.kind else {
            return None;
        };
        if let Some(rows) = self.rows(value) {
            return Some((rows, None));
        }
        let ExprKind::Binary(BinaryOp::Intersect, a, b) = &value.kind else {
            return None;
        };
        let (rows, rest) = match (self.rows(a), self.rows(b)) {
            (Some(rows), _) => (rows, &**b),
            (None, Some(rows)) => (rows, &**a),
            _ => return None,
        };
        self.is_fixed(rest).then_some((rows, Some(rest)))
    }

    /// Whether a set is the same for all places, and had without a fault.
    fn is_fixed(&self, set: &Expr) -> bool {
        let mut plain = true;
        set.walk(&mut |expr| plain &= !matches!(expr.kind, ExprKind::Local(_)));
        let needs = self.expr_needs(set);
        plain && !needs.cx && !needs.env && !needs.state_mut
    }

    /// The rows that an expression joins, each as it is or as far as a walk over another row comes.
    fn rows(&self, value: &'g Expr) -> Option<Vec<Row<'g>>> {
        if let Some(table) = row_of(value) {
            return Some(vec![Row { table, ray: None }]);
        }
        match &value.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                let mut rows = self.rows(a)?;
                rows.extend(self.rows(b)?);
                Some(rows)
            }
            ExprKind::Binary(BinaryOp::Intersect, a, b) => {
                let (walk, table) = match (row_of(a), row_of(b)) {
                    (_, Some(table)) => (&**a, table),
                    (Some(table), None) => (&**b, table),
                    _ => return None,
                };
                let ExprKind::Binary(cut @ (BinaryOp::UpTo | BinaryOp::DownTo), ray, stops) =
                    &walk.kind
                else {
                    return None;
                };
                let ray = row_of(ray).filter(|_| self.is_fixed(stops))?;
                let ray = Some((ray, *cut, &**stops));
                Some(vec![Row { table, ray }])
            }
            _ => None,
        }
    }

    /// The differences between places and the members of their rows, of pairs that may be.
    fn differences(
        &self,
        rows: &[Row<'g>],
        stops: &[&Expr],
        places: DomainId,
        may_be: &dyn Fn(u32, u32) -> bool,
    ) -> Option<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        let mut pairs = SortedSet::new();
        for row in rows {
            let targets = self.rows_of(row.table, places)?;
            for (from, targets) in (0u32..).zip(targets) {
                for &to in targets.iter().filter(|to| may_be(from, **to)) {
                    let over = match row.ray {
                        None => None,
                        Some((ray, cut, stop)) => {
                            let ray = *self.rows_of(ray, places)?.get(from as usize)?;
                            if !ray.contains(&to) {
                                continue;
                            }
                            let before = |place: &&u32| match cut {
                                BinaryOp::UpTo => **place < to,
                                _ => **place > to,
                            };
                            let way: Vec<u32> = ray.iter().filter(before).copied().collect();
                            let stop = stops.iter().position(|known| same(known, stop))?;
                            match way[..] {
                                [] => None,
                                [over] => Some((i64::from(over) - i64::from(from), stop)),
                                _ => return None,
                            }
                        }
                    };
                    // Two ways to one target are one move.
                    if !pairs.insert((from, to)) {
                        return None;
                    }
                    add_step(&mut steps, (from, to), over)?;
                }
            }
        }
        steps.iter_mut().for_each(|step| step.from.sort_unstable());
        (!steps.is_empty()).then_some(steps)
    }

    /// The rows of a table from places to places.
    fn rows_of(&self, table: TableId, places: DomainId) -> Option<Vec<&'g Vec<u32>>> {
        let table = self.game.table(table);
        if table.axes != [Axis::Domain(places)] || table.ty != Type::Set(places) {
            return None;
        }
        let row = |value: &'g Const| match value {
            Const::Set(row) => Some(row),
            _ => None,
        };
        table.values.iter().map(row).collect()
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
        let (sources, none) = (&steps.sources, self.set_literal(&[], steps.places));
        let free = steps.free.as_ref().map(|free| quote!(let free = #free;));
        let always = steps.always.as_ref();
        let always = always.map(|always| quote!(if !#always { return [#none; #count]; }));
        let stops = steps.stops.iter().enumerate().map(|(number, stop)| {
            let name = format_ident!("stop_{number}");
            let stop = self.plain_body(&[stop]).expr(stop).tokens;
            quote!(let #name = #stop;)
        });
        let stops: Vec<TokenStream> = stops.collect();
        let targets = steps.steps.iter().map(|step| {
            let mut begun = self.begun(step, quote!(from), steps.places);
            if let Some((over, stop)) = step.over {
                let stop = format_ident!("stop_{stop}");
                let size = Literal::u32_unsuffixed(over.unsigned_abs() as u32);
                begun = match over {
                    1.. => quote!((#begun - (#stop >> #size))),
                    _ => quote!((#begun - (#stop << #size))),
                };
            }
            let shifted = shifted(begun, step.by);
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
                #always
                let from = #sources;
                #free
                #(#stops)*
                [#(#targets),*]
            }
        };
        let pick = match steps.rank {
            None => self.step_pick(arm, steps),
            Some(_) => TokenStream::new(),
        };
        let alias = &self.domain(steps.places).alias;
        let rank = steps.rank.map(|rank| {
            let rank = Literal::i64_unsuffixed(rank);
            quote!(, #rank)
        });
        let loops = steps.steps.iter().enumerate().map(|(index, step)| {
            let index = number(index);
            let source = source(step.by, alias);
            let mv = self.step_move(arm, &quote!(from), &quote!(to));
            let visit = self.visit_one(&quote!(#mv #rank));
            quote!(for item in steps[#index].iter() {
                let to = item as #alias;
                let from = #source;
                if #visit { return Ok(true); }
            })
        });
        let loops = quote!(
            if (#sources).is_empty() {
                return Ok(false);
            }
            let steps = #name(s);
            #(#loops)*
        );
        (quote!(#function #pick), loops)
    }

    fn pick_name(&self, arm: &Arm) -> Ident {
        format_ident!("{}_pick", self.family_names[arm.family.index()])
    }

    /// The function that gives a move by its number.
    fn step_pick(&self, arm: &Arm, steps: &Steps<'_>) -> TokenStream {
        let name = self.pick_name(arm);
        let set = self.value_type(&Type::Set(steps.places));
        let count = number(steps.steps.len());
        let alias = &self.domain(steps.places).alias;
        let state = steps.pieces.as_ref().map(|_| quote!(s: &State,));
        if self.words(steps.places) <= SHORT_WORDS {
            let sets: Vec<_> = steps.sets(&format_ident!("steps")).collect();
            let found = found_among(&sets);
            let mv = self.of_any_name(
                arm,
                self.step_move(arm, &quote!(from as #alias), &quote!(to as #alias)),
            );
            return quote! {
                /// The move of this number among those of the steps.
                #[inline(always)]
                fn #name(#state steps: &[#set; #count], pick: u64) -> Option<Move> {
                    #found
                    let from = to.wrapping_add_signed(back);
                    Some(#mv)
                }
            };
        }
        let each = steps.steps.iter().enumerate().map(|(place, step)| {
            let place = number(place);
            let source = source(step.by, alias);
            let mv = self.of_any_name(arm, self.step_move(arm, &quote!(from), &quote!(to)));
            quote!(
                let len = u64::from(steps[#place].count());
                if pick < len {
                    let to = steps[#place].nth(pick as u32).unwrap_or(0) as #alias;
                    let from = #source;
                    return Some(#mv);
                }
                pick -= len;
            )
        });
        quote! {
            /// The move of this number among those of the steps.
            #[inline(always)]
            fn #name(#state steps: &[#set; #count], mut pick: u64) -> Option<Move> {
                #(#each)*
                None
            }
        }
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
        let pick = self.pick_name(arm);
        let state = steps.pieces.as_ref().map(|_| quote!(s,));
        let picks = quote!(
            if pick < #count {
                return Some((#pick(#state &#sets, pick), total));
            }
            pick -= #count;
        );
        (binds, picks, count)
    }

    /// The pick among the moves of several arms that do the same, each with its number: any of their families will do for it.
    /// Nothing for a single arm.
    pub(super) fn picked_together(&self, arms: &[(usize, &Arm, Steps<'_>)]) -> Option<TokenStream> {
        let [(_, first, steps), _, ..] = arms else {
            return None;
        };
        let counts = arms
            .iter()
            .map(|(index, ..)| format_ident!("count_{index}"));
        let sets = arms.iter().flat_map(|(index, _, steps)| {
            let name = format_ident!("steps_{index}");
            steps.sets(&name).collect::<Vec<_>>()
        });
        let found = found_among(&sets.collect::<Vec<_>>());
        let alias = &self.domain(steps.places).alias;
        let mv = self.of_any_name(
            first,
            self.step_move(first, &quote!(from as #alias), &quote!(to as #alias)),
        );
        Some(quote!(
            let together = #(#counts)+*;
            if pick < together {
                #found
                let from = to.wrapping_add_signed(back);
                return Some((Some(#mv), total));
            }
            pick -= together;
        ))
    }

    /// Whether moves of another arm that are steps are drawn together with those of an arm.
    pub(super) fn go_together(&self, one: (&Arm, &Steps<'_>), other: (&Arm, &Steps<'_>)) -> bool {
        let ((one, own), (other, others)) = (one, other);
        own.places == others.places
            && own.pieces == others.pieces
            && self.words(own.places) <= SHORT_WORDS
            && self.do_the_same(one, other)
    }
}

impl Steps<'_> {
    /// The sets of targets by the name of the list of all, with the numbers by which they are moved.
    fn sets(&self, name: &Ident) -> impl Iterator<Item = (TokenStream, i64)> {
        let steps = self.steps.iter().enumerate();
        steps.map(move |(place, step)| {
            let place = number(place);
            (quote!(#name[#place]), step.by)
        })
    }
}

/// The places of which the truths of some conditions are one of these, of which there are some: the conditions hold for sets of
/// places, and are the bits of the numbers of the bits that are set.
fn where_one_of(truths: u16, holds: &[TokenStream], all: &TokenStream) -> TokenStream {
    let Some((last, others)) = holds.split_last() else {
        return all.clone();
    };
    let half = 1 << others.len();
    let (without, with) = (truths & ((1 << half) - 1), truths >> half);
    if without == with {
        return where_one_of(with, others, all);
    }
    let part = |truths: u16, set: TokenStream| match truths {
        0 => None,
        _ if truths == (1 << half) - 1 => Some(set),
        _ => {
            let others = where_one_of(truths, others, all);
            Some(quote!((#set & #others)))
        }
    };
    let parts = [
        part(with, quote!(#last)),
        part(without, complement(all, last.clone())),
    ];
    let parts: Vec<TokenStream> = parts.into_iter().flatten().collect();
    match &parts[..] {
        [only] => only.clone(),
        _ => quote!((#(#parts)|*)),
    }
}

/// Adds a pair of source and target to the steps that lead over the same place; nothing if there are too many of these.
fn add_step(
    steps: &mut Vec<Step>,
    (from, to): (u32, u32),
    over: Option<(i64, usize)>,
) -> Option<()> {
    let by = i64::from(to) - i64::from(from);
    let mut known = steps.iter_mut();
    match known.find(|step| (step.by, step.over) == (by, over)) {
        Some(step) => step.from.push(from),
        None => steps.push(Step {
            by,
            over,
            from: vec![from],
        }),
    }
    (steps.len() <= MOST_STEPS).then_some(())
}

/// The table of which an expression is the row of the first parameter.
fn row_of(expr: &Expr) -> Option<TableId> {
    match &expr.kind {
        ExprKind::Lookup(table, index) => match &index[..] {
            [index] if matches!(index.kind, ExprKind::Local(LocalId(0))) => Some(*table),
            _ => None,
        },
        _ => None,
    }
}

/// A set whose members are so many places further on.
fn shifted(set: TokenStream, by: i64) -> TokenStream {
    let size = Literal::u32_unsuffixed(by.unsigned_abs() as u32);
    match by {
        0 => set,
        1.. => quote!((#set << #size)),
        _ => quote!((#set >> #size)),
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
