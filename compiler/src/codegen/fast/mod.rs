//! Legal moves without trying every candidate: products of lists.
//!
//! Where the parameters of a family fall into groups ([`super::slices`]), its moves are the combinations of one
//! member of each group, less those that fail what is left of the guard. A list of moves is made from these lists;
//! a random move needs only their lengths. Whatever faults here sends the caller back to the guards themselves.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

mod any;
mod groups;
mod random;
mod sets;
mod targets;

pub(super) use targets::mentions;

use groups::class_count;

use super::classes::Classes;
use super::code::number;
use super::family::FamilyNames;
use super::function::Needs;
use super::slices::{Group, Plan};
use super::{Body, Generator};
use crate::ir::{
    Arm, Choose, Family, FamilyId, Function, LocalId, ParamSource, PlacementId, RECURSION_LIMIT,
    Type, WORK_BUDGET,
};

/// Words of a set that stands for a list.
const MOST_WORDS: usize = 64;
/// Moves in a list that is made anew for each position.
const MOST_LISTED: usize = 64;
/// The parts into which the work budget of a candidate is divided: more than there are slices of one.
const SHARES: u32 = 64;

/// When the products of lists with one member of each class are the distinct moves of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distinct {
    Never,
    /// When only one of its arms has moves.
    Alone,
    Always,
}

/// How the moves of one arm are found.
pub(super) struct Fast {
    pub(super) plan: Plan,
    pub(super) classes: Option<Rc<Classes>>,
}

impl Generator<'_> {
    /// The plans of all families that have one.
    pub(super) fn plans(&self) -> Vec<Option<Fast>> {
        let families = self.game.families.iter().enumerate();
        let plan = |(index, family): (usize, &Family)| {
            let own = self.game.written_as(index.into()).index() == index;
            own.then(|| self.fast(family)).flatten()
        };
        families.map(plan).collect()
    }

    /// The plan of a family, if it has one.
    pub(super) fn fast(&self, family: &Family) -> Option<Fast> {
        let plan = self.plan(family)?;
        (!self.is_long_list(family, &plan)).then(|| Fast {
            plan,
            classes: self.classes(family),
        })
    }

    /// Whether a plan has nothing to combine, but one long list of moves, with room for all: making it takes longer than to
    /// go through the moves.
    fn is_long_list(&self, family: &Family, plan: &Plan) -> bool {
        match &plan.groups[..] {
            [only] => only.room > MOST_LISTED && self.keyed(family, only).is_none(),
            _ => false,
        }
    }

    /// Functions of all plans, and the lists and random moves of decisions.
    pub(super) fn fast_items(&self, plans: &[Option<Fast>]) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (index, fast) in plans.iter().enumerate() {
            if let Some(fast) = fast {
                tokens.extend(self.family_lists(FamilyId::from(index), fast));
            }
        }
        tokens.extend(self.fast_list(plans));
        tokens.extend(self.random_move(plans));
        tokens
    }

    /// Whether any decision profits.
    pub(super) fn is_fast(&self, plans: &[Option<Fast>]) -> bool {
        let planned = |arm: &Arm| plans[arm.family.index()].is_some();
        let listed = self
            .decisions()
            .any(|(_, choose)| choose.arms.iter().any(planned));
        (listed || self.has_steps() || self.has_rows()) && !self.has_ranks()
    }

    fn slice_name(&self, function: &Function) -> Ident {
        let mut scope = super::names::Scope::default();
        let name = scope.ident(&function.name, super::names::Case::Snake);
        format_ident!("{name}_")
    }

    fn slice_needs(&self, function: &Function) -> Needs {
        let effect = self
            .effects
            .block(self.game, &function.locals, &function.body);
        Needs::of(&effect, false)
    }

    /// A part of a guard as a function of the context and these parameters.
    fn slice_function(
        &self,
        family: &Family,
        function: &Function,
        params: &[usize],
        doc: &str,
    ) -> TokenStream {
        let rt = &self.rt;
        let locals = self.slice_locals(family, params);
        let mut body = Body::of(self, &function.locals, &function.body, &locals);
        body.ret = Some(Type::Bool);
        let block = body.tail(&function.body);
        let declared = locals.iter().map(|&local| body.parameter(local));
        let name = self.slice_name(function);
        let needs = self.slice_needs(function);
        let rest = needs.params(rt);
        let doc = self.doc(doc, family.span);
        quote! {
            #doc
            #[inline(always)]
            fn #name(#(#declared,)* #rest) -> bool { #block }
        }
    }

    fn slice_locals(&self, family: &Family, params: &[usize]) -> Vec<LocalId> {
        let context = family.context.len();
        let params = params.iter().map(|&param| context + param);
        (0..context).chain(params).map(LocalId::from).collect()
    }

    /// The value of a part of a guard; a fault leaves the function with `None`.
    pub(super) fn slice_call(
        &self,
        names: &FamilyNames,
        function: &Function,
        params: &[usize],
    ) -> TokenStream {
        let rt = &self.rt;
        let name = self.slice_name(function);
        let needs = self.slice_needs(function);
        let context = &names.context;
        let args = params.iter().map(|&param| &names.params[param]);
        let rest = needs.arguments();
        let own = needs.own(rt);
        let call = quote!(#name(#(#context,)* #(#args,)* #rest));
        if !needs.cx {
            return match own.is_empty() {
                false => quote!({ #own #call }),
                true => call,
            };
        }
        // All parts of a guard together must not spend more than the guard may.
        let work = Literal::u32_unsuffixed(WORK_BUDGET / SHARES);
        let depth = Literal::u32_unsuffixed(RECURSION_LIMIT);
        quote!({
            #own
            let cx = &mut #rt::Cx::new(#work, #depth);
            let holds = #call;
            if cx.failed() {
                return None;
            }
            holds
        })
    }

    /// Whether a set of members stands for the list of a group.
    pub(super) fn is_keyed(&self, family: &Family, group: &Group) -> bool {
        self.keyed(family, group).is_some()
    }

    /// The parameter whose members the list of a group has: the place of a piece that is told by it.
    pub(super) fn listed_param(&self, family: &Family, group: &Group) -> Option<usize> {
        match self.moved_group(family, group) {
            Some((_, mover)) => Some(mover.place),
            None => group.params.first().copied(),
        }
    }

    /// The words of a set of members that stands for the list of a group; nothing if the first parameter of the
    /// group does not tell the others, or the set would be large.
    fn keyed(&self, family: &Family, group: &Group) -> Option<usize> {
        let (first, others) = group.params.split_first()?;
        let first = &family.params[*first];
        let source = matches!(first.source, ParamSource::All | ParamSource::Among(_));
        let mover = self.moved_group(family, group);
        let follows = |param: &usize| matches!(family.params[*param].source, ParamSource::Is(_));
        let follow = mover.is_some() || others.iter().all(follows);
        let Type::Elem(domain) = first.ty else {
            return None;
        };
        let domain = match mover {
            Some((quotient, _)) => quotient.places(),
            None => domain,
        };
        let words = self.game.domain(domain).len().div_ceil(64).max(1);
        let alone = others.is_empty() || family.context.is_empty();
        (source && follow && alone && words <= MOST_WORDS).then_some(words)
    }

    /// The type of a list of packed parts of moves, or of the set of members that tell them, and an empty one.
    fn list_type(&self, family: &Family, fast: &Fast, group: &Group) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        if let Some((_, words)) = self.counted_free(family, fast, group) {
            let words = number(words);
            return (
                quote!(&#rt::CountedSet<#words>),
                quote!(&#rt::CountedSet::EMPTY),
            );
        }
        if let Some(words) = self.keyed(family, group) {
            let words = number(words);
            let ty = quote!(#rt::BitSet<#words>);
            return (ty, quote!(#rt::BitSet::EMPTY));
        }
        let (word, room) = (self.layout.word(), number(group.room));
        let ty = quote!(#rt::support::Seq<#word, #room>);
        (ty, quote!(#rt::support::Seq::new()))
    }

    /// The counted set that is the list of a group, where moves are drawn from nothing but such lists.
    fn counted_free(&self, family: &Family, fast: &Fast, group: &Group) -> Option<(&Ident, usize)> {
        self.keyed(family, group)?;
        let plain = fast.plan.rest.is_none() && self.steps(family).is_none();
        let related = self.related(family, fast).is_some();
        let counted = self.counted_list(family, group, fast.classes.as_deref());
        counted.filter(|_| plain && !related)
    }

    /// Whether one member of the list of a group stands for all with `DISTINCT`.
    fn alike(&self, family: &Family, fast: &Fast, group: &Group) -> bool {
        let lifted = self.lifted(family, fast, group);
        lifted.is_some_and(|lifted| lifted.alike)
    }

    fn part_name(&self, family: FamilyId, group: usize) -> Ident {
        format_ident!("{}_part_{group}", self.family_names[family.index()])
    }

    /// The function from a member of the first parameter of a group to the packed arguments of the group.
    fn part_function(
        &self,
        id: FamilyId,
        index: usize,
        group: &Group,
        stands: Option<PlacementId>,
    ) -> TokenStream {
        let family = self.game.family(id);
        let names = self.family_names(family);
        let Some((first, others)) = group.params.split_first() else {
            return TokenStream::new();
        };
        let parts = self.packed_parts(id, group, &names);
        let mover = self.moved_group(family, group);
        let inner = match (others, stands) {
            _ if let Some(mover) = mover => {
                let told = self.told_by_place(mover, &names);
                quote!(#told Some(#parts))
            }
            ([], _) => quote!(Some(#parts)),
            // Members of the list stand on some place for sure.
            (&[second], Some(placement)) => {
                let (rt, places) = (&self.rt, &self.placement(placement).places);
                let (piece, place) = (&names.params[*first], &names.params[second]);
                let ty = self.value_type(&family.params[second].ty);
                quote!(
                    let #place: #ty = #rt::support::at(&s.#places, #piece as usize);
                    Some(#parts)
                )
            }
            (others, _) => {
                let leave = quote!(return None;);
                let found = quote!(return Some(#parts););
                let loops = others.iter().rev().fold(found, |inner, &param| {
                    self.parameter_loop(family, &names, param, inner, &leave)
                });
                quote!(#loops None)
            }
        };
        let name = self.part_name(id, index);
        let first = mover.map_or(*first, |(_, mover)| mover.place);
        let (member, word) = (&names.params[first], self.layout.word());
        let ty = self.value_type(&family.params[first].ty);
        let state = (!others.is_empty()).then(|| quote!(s: &State,));
        let doc = format!(
            "The packed arguments of a move of `{}` that follow from `{}`.",
            family.name, family.params[first].name
        );
        let doc = self.doc(&doc, family.span);
        quote! {
            #doc
            #[inline(always)]
            fn #name(#state #member: #ty) -> Option<#word> { #inner }
        }
    }

    /// The packed arguments of a group.
    fn packed_parts(&self, id: FamilyId, group: &Group, names: &FamilyNames) -> TokenStream {
        let family = self.game.family(id);
        let fields = &self.layout.families[id.index()];
        let parts = group.params.iter().map(|&param| {
            let name = &names.params[param];
            self.packed(fields[param], &quote!(#name), &family.params[param].ty)
        });
        let joined = self.game.joined(id);
        let joined = joined.filter(|joined| group.params.contains(&joined.by));
        let name = joined.map(|joined| self.name_by(joined, &names.params[joined.by]));
        let parts: Vec<TokenStream> = parts.chain(name).collect();
        quote!(#(#parts)|*)
    }

    /// The call of [`Generator::part_function`] for the member `member`.
    pub(super) fn part_call(
        &self,
        id: FamilyId,
        index: usize,
        group: &Group,
        member: &Ident,
    ) -> TokenStream {
        let name = self.part_name(id, index);
        let first = self
            .listed_param(self.game.family(id), group)
            .map(|param| &self.game.family(id).params[param].ty);
        let ty = first.map(|ty| self.value_type(ty));
        match group.params.len() {
            1 => quote!(#name(#member as #ty)),
            _ => quote!(#name(s, #member as #ty)),
        }
    }

    pub(super) fn lists_name(&self, family: FamilyId) -> Ident {
        format_ident!("{}_lists", self.family_names[family.index()])
    }

    /// The function that lists the members of each group of a family.
    fn family_lists(&self, id: FamilyId, fast: &Fast) -> TokenStream {
        let family = self.game.family(id);
        let names = self.family_names(family);
        let mut functions = TokenStream::new();
        if let Some(always) = &fast.plan.always {
            let doc = format!(
                "The part of the guard of `{}` that depends on no argument.",
                family.name
            );
            functions.extend(self.slice_function(family, always, &[], &doc));
        }
        for group in &fast.plan.groups {
            for (place, test) in group.tests.iter().enumerate() {
                let Some(test) = test else { continue };
                let known = &group.params[..=place];
                let shown: Vec<String> = known
                    .iter()
                    .map(|&param| format!("`{}`", family.params[param].name))
                    .collect();
                let doc = format!(
                    "The part of the guard of `{}` that depends on {} alone.",
                    family.name,
                    shown.join(" and ")
                );
                functions.extend(self.slice_function(family, test, known, &doc));
            }
        }
        let all: Vec<usize> = (0..family.params.len()).collect();
        if let Some(rest) = &fast.plan.rest {
            let doc = format!(
                "The part of the guard of `{}` that depends on several arguments.",
                family.name
            );
            functions.extend(self.slice_function(family, rest, &all, &doc));
        }
        for (index, group) in fast.plan.groups.iter().enumerate() {
            if self.keyed(family, group).is_some() {
                let lifted = self.lifted(family, fast, group);
                let stands = lifted.and_then(|lifted| lifted.stands);
                functions.extend(self.part_function(id, index, group, stands));
                functions.extend(self.set_function(family, fast, group));
            }
        }
        functions.extend(self.related_item(id, fast));
        let (types, news): (Vec<_>, Vec<_>) = fast
            .plan
            .groups
            .iter()
            .map(|group| self.list_type(family, fast, group))
            .unzip();
        let lists: Vec<_> = (0..types.len())
            .map(|index| format_ident!("list_{index}"))
            .collect();
        let loops = fast.plan.groups.iter().zip(&lists);
        let loops = loops.map(|(group, list)| self.group_loop(id, fast, group, list, &names));
        let loops: Vec<TokenStream> = loops.collect();
        let none = match self.lists_fail(id, fast) {
            true => quote!(Some(lists)),
            false => quote!(lists),
        };
        let always = fast.plan.always.as_ref().map(|always| {
            let call = self.slice_call(&names, always, &[]);
            quote!(if !#call { return #none; })
        });
        let name = self.lists_name(id);
        let context = names
            .context
            .iter()
            .zip(&family.context)
            .map(|(name, local)| {
                let ty = self.value_type(&local.ty);
                quote!(#name: #ty)
            });
        let doc = self.doc(
            &format!(
                "What the moves of the family `{}` are made of: lists of packed arguments, of which \
                 one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails.",
                family.name
            ),
            family.span,
        );
        let types = match types.as_slice() {
            [only] => only.clone(),
            types => quote!((#(#types),*)),
        };
        let (option, some) = match self.lists_fail(id, fast) {
            true => (quote!(Option<#types>), quote!(Some(lists))),
            false => (types.clone(), quote!(lists)),
        };
        let (first, split) = match lists.len() {
            1 => (quote!(#(#news)*), quote!(let list_0 = &mut lists;)),
            _ => (
                quote!((#(#news),*)),
                quote!(let (#(#lists),*) = &mut lists;),
            ),
        };
        quote! {
            #functions
            #doc
            #[inline(always)]
            fn #name<const DISTINCT: bool>(s: &State, #(#context),*) -> #option {
                let mut lists: #types = #first;
                #always
                #split
                #(#loops)*
                #some
            }
        }
    }

    /// Whether a rule may fail while the lists of a family are made.
    fn lists_fail(&self, id: FamilyId, fast: &Fast) -> bool {
        let names = self.family_names(self.game.family(id));
        let always = fast.plan.always.as_ref();
        let always = always.map(|always| self.slice_call(&names, always, &[]));
        let groups = fast.plan.groups.iter().enumerate();
        let mut loops = groups.map(|(index, group)| {
            let list = format_ident!("list_{index}");
            self.group_loop(id, fast, group, &list, &names)
        });
        always.iter().any(leaves_with_none) || loops.any(|code| leaves_with_none(&code))
    }

    /// Whether the moves of all decisions are had from lists, and no rule fails while these are made.
    pub(super) fn always_lists(&self, plans: &[Option<Fast>]) -> bool {
        let mut arms = self.decisions().flat_map(|(_, choose)| &choose.arms);
        self.is_fast(plans)
            && arms.all(|arm| {
                let family = self.game.family(arm.family);
                plans[arm.family.index()].as_ref().is_some_and(|fast| {
                    self.steps(family).is_some()
                        || !self.lists_fail(arm.family, fast)
                            && !leaves_with_none(&self.listed(arm, fast))
                })
            })
    }

    /// Whether all moves of all decisions are steps, of which no two are of one class.
    pub(super) fn always_steps(&self, plans: &[Option<Fast>]) -> bool {
        let mut decisions = self.decisions();
        self.is_fast(plans)
            && decisions.all(|(_, choose)| {
                let mut arms = choose.arms.iter();
                arms.all(|arm| self.steps(self.game.family(arm.family)).is_some())
                    && self.distinct_mode(choose, plans) == Distinct::Always
            })
    }

    /// Whether lists with one member of each class always give the distinct moves.
    pub(super) fn always_distinct(&self, plans: &[Option<Fast>]) -> bool {
        let mut decisions = self.decisions();
        self.always_lists(plans)
            && decisions.all(|(_, choose)| self.distinct_mode(choose, plans) == Distinct::Always)
    }

    /// When the distinct moves of a decision are the combinations of distinct members of groups.
    fn distinct_mode(&self, choose: &Choose, plans: &[Option<Fast>]) -> Distinct {
        let families: Vec<&Family> = choose
            .arms
            .iter()
            .map(|arm| self.game.family(arm.family))
            .collect();
        if families.iter().all(|family| family.class.is_empty()) {
            return Distinct::Always;
        }
        let classed = |arm: &Arm| match &plans[arm.family.index()] {
            Some(fast) => {
                let grouped = |classes: &Classes| {
                    let mut groups = fast.plan.groups.iter();
                    groups.all(|group| class_count(classes, group).is_some())
                };
                let whole = fast.plan.rest.is_none()
                    || self.related(self.game.family(arm.family), fast).is_some();
                whole && fast.classes.as_deref().is_some_and(grouped)
            }
            None => false,
        };
        match (choose.arms.iter().all(classed), self.are_apart(&families)) {
            (false, _) => Distinct::Never,
            (true, false) => Distinct::Alone,
            (true, true) => Distinct::Always,
        }
    }

    /// The packed move of members of the groups in `parts`.
    pub(super) fn combined(&self, arm: &Arm, parts: &[Ident]) -> TokenStream {
        let tag = number(arm.family.index());
        // Of families that are written as one, the argument that tells them apart brings the tag along.
        let told = self.game.joined(arm.family).is_some();
        match arm.family.index() {
            0 => quote!(Move(#(#parts)|*)),
            _ if told => quote!(Move(#(#parts)|*)),
            _ => quote!(Move(#tag | #(#parts)|*)),
        }
    }

    /// Adds the moves of an arm to a list, from its lists.
    fn listed(&self, arm: &Arm, fast: &Fast) -> TokenStream {
        match self.related(self.game.family(arm.family), fast) {
            Some(_) => self.listed_related(arm, fast).0,
            None => self.list_all(arm, fast),
        }
    }

    /// Adds all combinations of the lists of an arm to a list of moves.
    fn list_all(&self, arm: &Arm, fast: &Fast) -> TokenStream {
        let family = self.game.family(arm.family);
        let groups = &fast.plan.groups;
        let plain = |group: &Group| {
            group.params.len() == 1
                && self.keyed(family, group).is_some()
                && fast.plan.rest.is_none()
        };
        let Some((last, others)) = groups.split_last().filter(|(last, _)| plain(last)) else {
            return self.product(arm, fast, &quote!(out.push(mv);));
        };
        let index = others.len();
        let parts: Vec<_> = (0..=index)
            .map(|part| format_ident!("part_{part}"))
            .collect();
        let (list, part) = (format_ident!("list_{index}"), &parts[index]);
        let call = self.part_call(arm.family, index, last, &format_ident!("member"));
        let mv = self.combined(arm, &parts);
        let members = match self.counted_free(family, fast, last) {
            Some(_) => quote!(#list.members()),
            None => quote!(*#list),
        };
        let inner = quote!(out.push_members(#members, |member| {
            let #part = #call.unwrap_or(0);
            #mv
        }););
        let inner = quote!({ let #list = &#list; #inner });
        self.loops(arm, fast, index, inner)
    }

    /// Loops over the combinations of the lists of an arm that pass what is left of the guard.
    fn product(&self, arm: &Arm, fast: &Fast, inner: &TokenStream) -> TokenStream {
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let count = fast.plan.groups.len();
        let parts: Vec<_> = (0..count)
            .map(|index| format_ident!("part_{index}"))
            .collect();
        let mv = self.combined(arm, &parts);
        let inner = match &fast.plan.rest {
            None => {
                let made = inner.to_string() == "out . push (mv) ;";
                match made {
                    true => quote!(out.push(#mv);),
                    false => quote!(let mv = #mv; #inner),
                }
            }
            Some(rest) => {
                let read = format_ident!("{}_args", self.family_names[arm.family.index()]);
                let pattern = super::family::tuple(&names.params);
                let all: Vec<usize> = (0..family.params.len()).collect();
                let call = self.slice_call(&names, rest, &all);
                quote!(
                    let mv = #mv;
                    let #pattern = mv.#read();
                    if #call { #inner }
                )
            }
        };
        self.loops(arm, fast, count, inner)
    }

    /// Loops over the combinations of the first lists of an arm.
    fn loops(&self, arm: &Arm, fast: &Fast, count: usize, inner: TokenStream) -> TokenStream {
        let family = self.game.family(arm.family);
        let groups = fast.plan.groups.iter().enumerate().take(count);
        groups.rev().fold(inner, |inner, (index, group)| {
            let (list, part) = (format_ident!("list_{index}"), format_ident!("part_{index}"));
            if self.keyed(family, group).is_none() {
                return quote!(for &#part in #list.as_slice() { #inner });
            }
            let member = format_ident!("member_{index}");
            let call = self.part_call(arm.family, index, group, &member);
            quote!(for #member in #list.iter() {
                let Some(#part) = #call else { continue };
                #inner
            })
        })
    }

    /// The lists of an arm under the names `list_0`, `list_1`, ..., with `DISTINCT` one member of each class.
    pub(super) fn bind_lists(&self, arm: &Arm, fast: &Fast, failed: &TokenStream) -> TokenStream {
        let lists = self.whole_lists(arm, fast, quote!(DISTINCT), failed);
        let family = self.game.family(arm.family);
        let groups = fast.plan.groups.iter().enumerate();
        let alike = groups.filter(|(_, group)| self.alike(family, fast, group));
        let alike = alike.map(|(index, _)| format_ident!("list_{index}"));
        quote!(#lists #(let #alike = if DISTINCT { #alike.least() } else { #alike };)*)
    }

    /// The lists of an arm; where all members of one are alike it is whole.
    fn whole_lists(
        &self,
        arm: &Arm,
        fast: &Fast,
        distinct: TokenStream,
        failed: &TokenStream,
    ) -> TokenStream {
        let names = self.lists_name(arm.family);
        let given = self.given(arm);
        let context = &self.family_names(self.game.family(arm.family)).context;
        let lists: Vec<_> = (0..fast.plan.groups.len())
            .map(|index| format_ident!("list_{index}"))
            .collect();
        let pattern = super::family::tuple(&lists);
        let made = quote!(#names::<#distinct>(s, #(#context),*));
        let bound = match self.lists_fail(arm.family, fast) {
            true => quote!(let Some(#pattern) = #made else { #failed };),
            false => quote!(let #pattern = #made;),
        };
        quote!(#(let #context = #given;)* #bound)
    }

    /// Lists of moves by products: `None` if something faults.
    fn fast_list(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        if !self.is_fast(plans) {
            return TokenStream::new();
        }
        let failed = quote!(return None);
        let branches = self.decisions().map(|(point, choose)| {
            let arms = choose.arms.iter().enumerate().map(|(index, arm)| {
                let family = self.game.family(arm.family);
                match &plans[arm.family.index()] {
                    _ if let Some(steps) = self.steps(family) => self.listed_steps(arm, &steps),
                    Some(fast) => {
                        let lists = self.bind_lists(arm, fast, &failed);
                        let all = self.listed(arm, fast);
                        quote!({ #lists #all })
                    }
                    None => {
                        let name = self.generator_name(point, index, arm);
                        let given = self.given(arm);
                        let take = self.take(arm);
                        quote!(if #name(s, #(#given,)* &mut |mv| #take).is_err() {
                            return None;
                        })
                    }
                }
            });
            let mode = self.distinct_mode(choose, plans);
            let arms: Vec<TokenStream> = arms.collect();
            let all = match mode {
                Distinct::Never => quote!(if DISTINCT { return None; } #(#arms)*),
                Distinct::Always => quote!(#(#arms)*),
                Distinct::Alone => quote!(
                    let mut used = 0;
                    #(
                        let before = out.len();
                        #arms
                        used += usize::from(out.len() > before);
                    )*
                    if DISTINCT && used > 1 {
                        return None;
                    }
                ),
            };
            (point, all)
        });
        let body = self.by_point(branches.collect(), quote!());
        quote! {
            /// Appends every legal move, or with `DISTINCT` one of each class. Nothing if a rule fails, or
            /// the moves have to be compared to tell their classes.
            #[inline]
            fn list_products<const DISTINCT: bool>(s: &State, out: &mut #rt::MoveList<Move>) -> Option<()> {
                if s.ended != 0 {
                    return Some(());
                }
                #body
                Some(())
            }
        }
    }

    /// The points where one member of each class may be enough.
    pub(super) fn distinct_points(&self, plans: &[Option<Fast>]) -> Vec<usize> {
        if !self.is_fast(plans) {
            return Vec::new();
        }
        let enough = |choose: &Choose| self.distinct_mode(choose, plans) != Distinct::Never;
        let points = self.decisions().filter(|(_, choose)| enough(choose));
        points.map(|(point, _)| point).collect()
    }
}

/// Whether code may leave its function with `None`.
pub(super) fn leaves_with_none(code: &TokenStream) -> bool {
    code.to_string().contains("return None")
}
