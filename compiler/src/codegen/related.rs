//! Targets that are a set for each source: moves of which only the pair of source and target is left to test.
//!
//! What is left of a guard when the tests of single groups are made often says no more than that the target is in a row of a
//! table, or that something holds that depends on no target. Then the targets of each source are a set: moves are counted by the
//! sizes of these sets, and a random one needs no list.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::number;
use super::fast::Fast;
use super::planes::stands_on;
use super::slices::Group;
use crate::ir::effects::may_fault;
use crate::ir::same::same;
use crate::ir::visit::{free_locals, only_gives};
use crate::ir::{
    Arm, Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Family, FamilyId, Game, LocalId,
    ParamSource, StmtKind, TableId, Type, UnaryOp,
};

/// Conditions on a source of which the pairs that are left may depend.
const MOST_CONDITIONS: usize = 2;

/// What is left to test of the moves of a family.
pub(super) struct Related {
    cond: Expr,
    target: usize,
    places: DomainId,
    /// The parameters of the source.
    sources: Vec<usize>,
}

impl Related {
    /// The table in whose row of the source a target must lie, and the places, where nothing else is left to test.
    pub(super) fn only_row(&self) -> Option<(TableId, DomainId)> {
        self.row(&self.cond).map(|table| (table, self.places))
    }

    /// The places that sources and targets are.
    pub(super) fn places(&self) -> DomainId {
        self.places
    }

    /// The pairs of source and target that are left, where constants tell them but for one thing that depends on neither.
    pub(super) fn pairs(&self, game: &Game) -> Option<Pairs> {
        let mut free = Vec::new();
        free_conditions(&self.cond, &mut free);
        let (first, others) = match free.split_first() {
            None => (None, &free[..]),
            Some((first, others)) => (Some(*first), others),
        };
        if others
            .iter()
            .any(|other| first.is_none_or(|first| !same(first, other)))
        {
            return None;
        }
        let of = |holds: bool| {
            let free = |expr: &Expr| (!mentions_locals(expr)).then_some(holds);
            self.rows_where(game, &self.cond, &free)
        };
        let rows = of(false)?;
        let other = match first {
            Some(_) => of(true)?,
            None => rows.clone(),
        };
        Some(Pairs {
            unless: first.filter(|_| other != rows).cloned(),
            whole: other.iter().flatten().all(|is| *is),
            rows,
        })
    }

    /// The pairs of source and target that are left, where constants tell them but for a few things that depend on no target.
    pub(super) fn pairs_by_source(&self, game: &Game) -> Option<PairsBySource> {
        let place = LocalId::from(*self.sources.last()?);
        let mut conditions = Vec::new();
        self.source_conditions(&self.cond, place, &mut conditions)?;
        let places = game.domain(self.places).len();
        let mut rows = vec![vec![0; places]; places];
        for truths in 0..1 << conditions.len() {
            let known = |expr: &Expr| {
                let at = conditions.iter().position(|known| same(known, expr))?;
                Some(truths >> at & 1 == 1)
            };
            let left = self.rows_where(game, &self.cond, &known)?;
            for (row, left) in rows.iter_mut().zip(left) {
                for (pair, left) in row.iter_mut().zip(left) {
                    *pair |= u16::from(left) << truths;
                }
            }
        }
        Some(PairsBySource {
            place,
            conditions,
            rows,
        })
    }

    /// The conditions on a source that a condition is made of beside rows; nothing where there are others, or many.
    fn source_conditions(&self, cond: &Expr, place: LocalId, found: &mut Vec<Expr>) -> Option<()> {
        if free_locals(cond).iter().all(|local| *local == place) {
            if !found.iter().any(|known| same(known, cond)) {
                found.push(cond.clone());
            }
            return (found.len() <= MOST_CONDITIONS).then_some(());
        }
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.source_conditions(a, place, found),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.source_conditions(a, place, found)?;
                self.source_conditions(b, place, found)
            }
            _ => self.row(cond).map(|_| ()),
        }
    }

    /// For each source which places are targets, where some conditions that depend on no target are known.
    fn rows_where(
        &self,
        game: &Game,
        cond: &Expr,
        known: &dyn Fn(&Expr) -> Option<bool>,
    ) -> Option<Vec<Vec<bool>>> {
        let places = game.domain(self.places).len();
        if let Some(holds) = known(cond) {
            return Some(vec![vec![holds; places]; places]);
        }
        let each = |a: Vec<Vec<bool>>, f: &dyn Fn(bool, usize, usize) -> bool| {
            let row = |(from, row): (usize, Vec<bool>)| {
                let row = row.into_iter().enumerate();
                row.map(|(to, is)| f(is, from, to)).collect()
            };
            a.into_iter().enumerate().map(row).collect()
        };
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let rows = self.rows_where(game, a, known)?;
                Some(each(rows, &|is, _, _| !is))
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let rows = self.rows_where(game, a, known)?;
                let others = self.rows_where(game, b, known)?;
                let all = *op == BinaryOp::And;
                let both = |is: bool, from: usize, to: usize| match all {
                    true => is && others[from][to],
                    false => is || others[from][to],
                };
                Some(each(rows, &both))
            }
            _ => {
                let table = game.table(self.row(cond)?);
                if table.axes != [Axis::Domain(self.places)] {
                    return None;
                }
                let row = |value: &Const| match value {
                    Const::Set(row) => {
                        let all = 0..places as u32;
                        Some(all.map(|place| row.contains(&place)).collect())
                    }
                    _ => None,
                };
                table.values.iter().map(row).collect()
            }
        }
    }

    /// The table in whose row of the source an expression looks for the target.
    fn row(&self, cond: &Expr) -> Option<TableId> {
        let ExprKind::Binary(BinaryOp::In, member, row) = &cond.kind else {
            return None;
        };
        let ExprKind::Lookup(table, index) = &row.kind else {
            return None;
        };
        let [index] = &index[..] else {
            return None;
        };
        let by_place = self.sources.last().map(|place| LocalId::from(*place));
        let fits = member.kind == ExprKind::Local(LocalId::from(self.target))
            && by_place.is_some_and(|place| index.kind == ExprKind::Local(place));
        fits.then_some(*table)
    }
}

/// The pairs of source and target that constants tell.
pub(super) struct Pairs {
    /// What depends on neither and makes that other pairs are left, if anything does.
    pub(super) unless: Option<Expr>,
    /// Whether all pairs are left then.
    pub(super) whole: bool,
    /// Otherwise, for each source, which places are its targets.
    pub(super) rows: Vec<Vec<bool>>,
}

/// The steps of a family with a set of targets for each source.
pub(super) struct RelatedSteps {
    /// What makes that sources have other targets, if anything does.
    pub(super) unless: Option<TokenStream>,
    /// Whether each source has all targets then.
    pub(super) whole: bool,
    /// The targets of each step, of sources `list_0` and targets `list_1`, and the number by which it goes on.
    pub(super) sets: Vec<(TokenStream, i64)>,
}

/// The pairs of source and target that are left, by what holds of the source.
pub(super) struct PairsBySource {
    /// The parameter that is the source.
    pub(super) place: LocalId,
    /// The conditions on the source.
    pub(super) conditions: Vec<Expr>,
    /// For each source and each place a bit for all that may hold of the conditions, which are the bits of its number: whether
    /// the place is a target then.
    pub(super) rows: Vec<Vec<u16>>,
}

fn mentions_locals(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |expr| found |= matches!(expr.kind, ExprKind::Local(_)));
    found
}

/// The conditions that depend on neither source nor target, of which others are made.
fn free_conditions<'e>(cond: &'e Expr, found: &mut Vec<&'e Expr>) {
    if !mentions_locals(cond) {
        found.push(cond);
        return;
    }
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, a) => free_conditions(a, found),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            free_conditions(a, found);
            free_conditions(b, found);
        }
        _ => {}
    }
}

impl Generator<'_> {
    /// What is left to test of a family, if it gives a set of targets for each source.
    pub(super) fn related(&self, family: &Family, fast: &Fast) -> Option<Related> {
        let [sources, targets] = &fast.plan.groups[..] else {
            return None;
        };
        let &[target] = &targets.params[..] else {
            return None;
        };
        let listed = matches!(
            family.params[target].source,
            ParamSource::All | ParamSource::Among(_)
        );
        let (Type::Elem(places), true) = (&family.params[target].ty, listed) else {
            return None;
        };
        if !family.context.is_empty()
            || !self.is_keyed(family, sources)
            || !self.is_keyed(family, targets)
        {
            return None;
        }
        let related = Related {
            cond: self.last_test(fast)?,
            target,
            places: *places,
            sources: sources.params.clone(),
        };
        self.targets(family, &related, &related.cond)?;
        (self.respects_classes(family, &related, fast)
            && self.tells_targets(family, &related, fast))
        .then_some(related)
    }

    /// Whether no two targets of a source are of one class.
    fn tells_targets(&self, family: &Family, related: &Related, fast: &Fast) -> bool {
        let Some(classes) = &fast.classes else {
            return false;
        };
        let all = 0..self.game.domain(related.places).len() as u32;
        let candidates = match &family.params[related.target].source {
            ParamSource::Among(list) => list.clone(),
            _ => all.collect(),
        };
        let class = |member: &u32| -> Vec<Option<usize>> {
            let own = classes.within(std::slice::from_ref(&related.target));
            own.map(|component| component.numbers.get(*member as usize).copied())
                .collect()
        };
        let told: SortedSet<Vec<Option<usize>>> = candidates.iter().map(class).collect();
        classes.components.is_empty() || told.len() == candidates.len()
    }

    /// The test at the end of what only computes before it; what is computed without a fault may stay unknown.
    fn last_test(&self, fast: &Fast) -> Option<Expr> {
        let rest = fast.plan.rest.as_ref()?;
        // What depends on no parameter stands among the tests of that kind too, and has met there what fails.
        let tried = fast.plan.always.is_some();
        let mut left = Vec::new();
        for stmt in &rest.body {
            match &stmt.kind {
                StmtKind::Let(_, value) if !may_fault(self.game, value) => left.push(stmt.clone()),
                StmtKind::Return(Some(_)) => left.push(stmt.clone()),
                StmtKind::If(cond, gives, rest)
                    if rest.is_empty() && (only_gives(gives, false) || only_gives(gives, true)) =>
                {
                    (!may_fault(self.game, cond)).then(|| left.push(stmt.clone()))?;
                }
                StmtKind::SetEnv(_, value) if tried && is_fixed(value) => {}
                StmtKind::Call { args, .. } if tried && args.is_empty() => {}
                _ => return None,
            }
        }
        let cond = self.as_expr(&left, Default::default(), 0)?;
        let needs = self.expr_needs(&cond);
        (!needs.cx && !needs.env && !needs.state_mut).then_some(cond)
    }

    /// The targets that pass a condition, as a set that depends on the source.
    fn targets(&self, family: &Family, related: &Related, cond: &Expr) -> Option<TokenStream> {
        let target = LocalId::from(related.target);
        let all: Vec<u32> = (0..self.game.domain(related.places).len() as u32).collect();
        let all = self.set_literal(&all, related.places);
        let none = self.set_literal(&[], related.places);
        let mut locals = Vec::new();
        cond.walk(&mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                locals.push(*local);
            }
        });
        if locals
            .iter()
            .any(|local| local.index() >= family.params.len())
        {
            return None;
        }
        if !locals.contains(&target) {
            let value = self.family_body(family, &[cond]).expr(cond).tokens;
            return Some(quote!((if #value { #all } else { #none })));
        }
        let both = |a: &Expr, b: &Expr| {
            Some((
                self.targets(family, related, a)?,
                self.targets(family, related, b)?,
            ))
        };
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let set = self.targets(family, related, a)?;
                Some(quote!((#all - #set)))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (a, b) = both(a, b)?;
                Some(quote!((#a & #b)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = both(a, b)?;
                Some(quote!((#a | #b)))
            }
            ExprKind::Binary(BinaryOp::In, member, set)
                if member.kind == ExprKind::Local(target) =>
            {
                let mut own = true;
                set.walk(&mut |expr| own &= expr.kind != ExprKind::Local(target));
                own.then(|| self.family_body(family, &[set]).expr(set).tokens)
            }
            _ => None,
        }
    }

    /// Whether sources of one class have the same targets.
    fn respects_classes(&self, family: &Family, related: &Related, fast: &Fast) -> bool {
        let Some(classes) = &fast.classes else {
            return false;
        };
        if classes.components.is_empty() {
            return true;
        }
        let mut all = true;
        related.cond.walk(&mut |expr| {
            let ExprKind::Local(local) = &expr.kind else {
                return;
            };
            let param = local.index();
            if related.sources.contains(&param) {
                all &= self.rows_by_class(family, related, fast, param);
            }
        });
        all
    }

    /// Whether all rows that a parameter chooses are the same for members of one class.
    fn rows_by_class(&self, family: &Family, related: &Related, fast: &Fast, param: usize) -> bool {
        let Some(classes) = &fast.classes else {
            return false;
        };
        let mut own = classes.components.iter();
        let Some(component) = own.find(|component| component.param == Some(param)) else {
            return false;
        };
        let listed = match &family.params[param].source {
            ParamSource::Among(list) => Some(list.clone()),
            ParamSource::Is(expr) => stands_on(self.game, expr).map(|(_, _, places)| places),
            _ => None,
        };
        let possible = |member: usize| {
            let mut listed = listed.iter();
            listed.all(|list| list.contains(&(member as u32)))
        };
        // It must do no more than to choose rows.
        let (mut uses, mut rows) = (0, Vec::new());
        related.cond.walk(&mut |expr| {
            uses += usize::from(expr.kind == ExprKind::Local(LocalId::from(param)));
            if let ExprKind::Lookup(table, index) = &expr.kind
                && matches!(&index[..], [index] if index.kind == ExprKind::Local(LocalId::from(param)))
            {
                rows.push(self.game.table(*table));
            }
        });
        let fits = |table: &&crate::ir::Table| {
            matches!(table.axes[..], [Axis::Domain(_)])
                && (0..table.values.len()).all(|member| {
                    let number = component.numbers.get(member);
                    let same =
                        |other: &usize| possible(*other) && component.numbers.get(*other) == number;
                    let first = (0..member).find(same);
                    !possible(member)
                        || first.is_none_or(|first| table.values[first] == table.values[member])
                })
        };
        uses == rows.len() && rows.iter().all(fits)
    }

    fn targets_name(&self, family: FamilyId) -> Ident {
        format_ident!("{}_targets", self.family_names[family.index()])
    }

    /// The function that gives the targets of a source.
    pub(super) fn related_item(&self, id: FamilyId, fast: &Fast) -> TokenStream {
        let family = self.game.family(id);
        let Some(related) = self.related(family, fast) else {
            return TokenStream::new();
        };
        let names = self.family_names(family);
        let Some(targets) = self.targets(family, &related, &related.cond) else {
            return TokenStream::new();
        };
        let Some((first, others)) = related.sources.split_first() else {
            return TokenStream::new();
        };
        let set = self.value_type(&Type::Set(related.places));
        let none = self.set_literal(&[], related.places);
        let leave = quote!(return #none;);
        let found = quote!(return free & #targets;);
        let mover = match &fast.plan.groups[..] {
            [sources, _] => self.moved_group(family, sources),
            _ => None,
        };
        let loops = match mover {
            Some(mover) => {
                let told = self.told_by_place(mover, &names);
                quote!(#told #found)
            }
            None => others.iter().rev().fold(found, |inner, &param| {
                self.parameter_loop(family, &names, param, inner, &leave)
            }),
        };
        let first = mover.map_or(*first, |(_, mover)| mover.place);
        let (name, member) = (self.targets_name(id), &names.params[first]);
        let ty = self.value_type(&family.params[first].ty);
        let end = (!others.is_empty() && mover.is_none()).then_some(none);
        let doc = format!(
            "The targets of a move of `{}` that a source has among some.",
            family.name
        );
        let doc = self.doc(&doc, family.span);
        quote! {
            #doc
            #[inline(always)]
            fn #name(s: &State, #member: #ty, free: #set) -> #set {
                #loops
                #end
            }
        }
    }

    /// Adds the moves of an arm with a set of targets for each source to a list, and whether there is any.
    pub(super) fn listed_related(&self, arm: &Arm, fast: &Fast) -> (TokenStream, TokenStream) {
        let family = self.game.family(arm.family);
        let [sources, targets] = &fast.plan.groups[..] else {
            return Default::default();
        };
        let name = self.targets_name(arm.family);
        let ty = self.source_type(family, sources);
        let member = format_ident!("member");
        let part_0 = self.part_call(arm.family, 0, sources, &member);
        let part_1 = self.part_call(arm.family, 1, targets, &member);
        let mv = self.combined(arm, &[format_ident!("part_0"), format_ident!("part_1")]);
        let listed = quote!(for member in list_0.iter() {
            let Some(part_0) = #part_0 else { continue };
            out.push_members(#name(s, member as #ty, list_1), |member| {
                let part_1 = #part_1.unwrap_or(0);
                #mv
            });
        });
        let any = quote!(list_0.iter().any(|member| !#name(s, member as #ty, list_1).is_empty()));
        (listed, any)
    }

    fn source_type(&self, family: &Family, sources: &Group) -> Option<TokenStream> {
        let first = self.listed_param(family, sources);
        first.map(|param| self.value_type(&family.params[param].ty))
    }

    /// The number of moves of an arm with a set of targets for each source, and the pick among them.
    pub(super) fn counted_related(
        &self,
        index: usize,
        arm: &Arm,
        fast: &Fast,
        failed: &TokenStream,
    ) -> (TokenStream, TokenStream, Ident) {
        let family = self.game.family(arm.family);
        let [sources, targets] = &fast.plan.groups[..] else {
            return (
                TokenStream::new(),
                TokenStream::new(),
                format_ident!("none"),
            );
        };
        if let Some(steps) = self.related_steps(family, fast) {
            return self.counted_steps_of(index, arm, fast, &steps, failed);
        }
        let name = self.targets_name(arm.family);
        let count = format_ident!("count_{index}");
        let (from, to) = (
            format_ident!("arm_{index}_0"),
            format_ident!("arm_{index}_1"),
        );
        let bind = self.bind_lists(arm, fast, failed);
        let source_ty = self.source_type(family, sources);
        let found = quote!(
            #bind
            let mut count = 0u64;
            for member in list_0.iter() {
                count += u64::from(#name(s, member as #source_ty, list_1).count());
            }
            ((list_0, list_1), count)
        );
        let family = self.game.family(arm.family);
        let found = self.unless_never(arm, fast, found, Some(self.no_lists(family, fast)));
        let binds = quote!(let ((#from, #to), #count) = { #found };);
        let member = format_ident!("member");
        let part_0 = self.part_call(arm.family, 0, sources, &member);
        let part_1 = self.part_call(arm.family, 1, targets, &member);
        let parts = [format_ident!("part_0"), format_ident!("part_1")];
        let mv = self.of_any_name(arm, self.combined(arm, &parts));
        let picks = quote!(
            if pick < #count {
                for member in #from.iter() {
                    let targets = #name(s, member as #source_ty, #to);
                    let len = u64::from(targets.count());
                    if pick < len {
                        let part_0 = #part_0.unwrap_or(0);
                        let part_1 = targets.nth(pick as u32).and_then(|member| #part_1).unwrap_or(0);
                        return Some((Some(#mv), total));
                    }
                    pick -= len;
                }
                return None;
            }
            pick -= #count;
        );
        (binds, picks, count)
    }
}

impl Generator<'_> {
    /// The same where targets are steps from sources.
    fn counted_steps_of(
        &self,
        index: usize,
        arm: &Arm,
        fast: &Fast,
        steps: &RelatedSteps,
        failed: &TokenStream,
    ) -> (TokenStream, TokenStream, Ident) {
        let rt = &self.rt;
        let family = self.game.family(arm.family);
        let count = format_ident!("count_{index}");
        let [from, to, stepped, whole] =
            ["from", "to", "steps", "whole"].map(|part| format_ident!("{part}_{index}"));
        let bind = self.bind_lists(arm, fast, failed);
        let sets = steps.sets.iter().map(|(set, _)| set);
        let none = steps.sets.iter().map(|_| quote!(#rt::BitSet::EMPTY));
        let none: Vec<TokenStream> = none.collect();
        let holds = steps.unless.clone().unwrap_or(quote!(false));
        let [sources, targets] = &fast.plan.groups[..] else {
            return (TokenStream::new(), TokenStream::new(), count);
        };
        let name = self.targets_name(arm.family);
        let ty = self.source_type(family, sources);
        let all = match steps.whole {
            true => quote!(u64::from(list_0.count()) * u64::from(list_1.count())),
            false => quote!(
                list_0.iter().map(|member| u64::from(#name(s, member as #ty, list_1).count())).sum()
            ),
        };
        let found = quote!(
            #bind
            let steps = [#(#sets),*];
            let whole = #holds;
            let count: u64 = if whole {
                #all
            } else {
                steps.iter().map(|to| u64::from(to.count())).sum()
            };
            ((list_0, list_1, steps, whole), count)
        );
        let lists = self.no_lists(family, fast);
        let nothing = quote!({
            let (list_0, list_1) = #lists;
            (list_0, list_1, [#(#none),*], false)
        });
        let found = self.unless_never(arm, fast, found, Some(nothing));
        let binds = quote!(let ((#from, #to, #stepped, #whole), #count) = { #found };);
        let places = (0..steps.sets.len()).map(number);
        let sets: Vec<(TokenStream, i64)> = places
            .zip(&steps.sets)
            .map(|(place, (_, by))| (quote!(#stepped[#place]), *by))
            .collect();
        let one = found_among(&sets);
        let (part_0, part_1) = (format_ident!("part_0"), format_ident!("part_1"));
        let source = self.part_call(arm.family, 0, sources, &format_ident!("from"));
        let target = self.part_call(arm.family, 1, targets, &format_ident!("to"));
        let mv = self.of_any_name(arm, self.combined(arm, &[part_0.clone(), part_1.clone()]));
        let stepped = quote!({ #one (to.wrapping_add_signed(back), to) });
        let pair = match (&steps.unless, steps.whole) {
            (None, _) => stepped,
            (Some(_), true) => quote!(if #whole {
                let each = u64::from(#to.count());
                (#from.select((pick / each) as u32), #to.select((pick % each) as u32))
            } else #stepped),
            (Some(_), false) => quote!(if #whole {
                let mut found = None;
                for member in #from.iter() {
                    let targets = #name(s, member as #ty, #to);
                    let len = u64::from(targets.count());
                    if pick < len {
                        found = targets.nth(pick as u32).map(|to| (member, to));
                        break;
                    }
                    pick -= len;
                }
                found?
            } else #stepped),
        };
        let picks = quote!(
            if pick < #count {
                let (from, to) = #pair;
                let #part_0 = #source.unwrap_or(0);
                let #part_1 = #target.unwrap_or(0);
                return Some((Some(#mv), total));
            }
            pick -= #count;
        );
        (binds, picks, count)
    }
}

/// Whether an expression reads neither variables of a function nor the environment.
fn is_fixed(expr: &Expr) -> bool {
    let mut fixed = true;
    expr.walk(&mut |expr| {
        fixed &= !matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Env { .. } | ExprKind::EnvIsSet(_) | ExprKind::Call(..)
        );
    });
    fixed
}

/// The target of a number among those of sets, each of a step by so much, and the way back from it. Which step it is cannot be
/// foreseen, so that a branch for each would cost more than all counts.
pub(super) fn found_among(sets: &[(TokenStream, i64)]) -> TokenStream {
    let back = |by: i64| {
        let size = Literal::u64_unsuffixed(by.unsigned_abs());
        match by {
            1.. => quote!(-#size),
            _ => quote!(#size),
        }
    };
    let next = sets.windows(2).map(|pair| {
        let ((last, _), (set, by)) = (&pair[0], &pair[1]);
        let back = back(*by);
        quote!(
            seen += u64::from(#last.count());
            if seen <= pick {
                (set, below, back) = (#set, seen, #back);
            }
        )
    });
    let next: Vec<TokenStream> = next.collect();
    let Some((set, by)) = sets.first() else {
        return TokenStream::new();
    };
    let first = back(*by);
    match next.is_empty() {
        true => quote!(
            let (to, back): (usize, isize) = (#set.select(pick as u32), #first);
        ),
        false => quote!(
            let (mut seen, mut set, mut below, mut back): (u64, _, u64, isize) =
                (0, #set, 0, #first);
            #(#next)*
            let to = set.select((pick - below) as u32);
        ),
    }
}
