//! Random moves from the lengths of lists.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use rulec_ir::sorted::SortedSet;

use super::super::Generator;
use super::super::code::number;
use super::super::family::tuple;
use super::super::fields::counted_words;
use super::super::names::ident;
use super::super::slices::Group;
use super::super::steps::Steps;
use super::{Distinct, Fast};
use crate::ir::{Arm, Choose, Family, FamilyId, Function, ParamSource};

impl Generator<'_> {
    /// A random move from the lengths of lists; moves of families with something left to test are
    /// listed.
    pub(super) fn random_move(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        if !self.is_fast(plans) {
            return TokenStream::new();
        }
        let branches = self.decisions().map(|(point, choose)| {
            let all = self.random_of(point, choose, plans);
            let body = match self.distinct_mode(choose, plans) {
                Distinct::Never => quote!(if DISTINCT { return None; } #all),
                Distinct::Alone | Distinct::Always => all,
            };
            (point, body)
        });
        let body = self.by_point(branches.collect(), quote!(return None));
        quote! {
            /// A random legal move, or one of a random class with `DISTINCT`, and how many there are; the
            /// list is scratch space. Nothing if a rule fails, or the moves have to be listed.
            #[inline(always)]
            fn random_move<const DISTINCT: bool>(
                s: &State,
                rng: &mut #rt::Rng,
                out: &mut #rt::MoveList<Move>,
            ) -> Option<(Option<Move>, u64)> {
                #body
            }
        }
    }

    /// What is done with a candidate of a family that is listed.
    pub(super) fn take(&self, arm: &Arm) -> TokenStream {
        match self.is_judged(self.game.family(arm.family)) {
            true => quote!({
                if judge(&mut s.clone(), mv) {
                    out.push(mv);
                }
                false
            }),
            false => quote!({
                out.push(mv);
                false
            }),
        }
    }

    /// Whether the moves of an arm are drawn by their number, without a list.
    pub(in super::super) fn is_counted(&self, arm: &Arm, fast: Option<&Fast>) -> bool {
        let family = self.game.family(arm.family);
        let drawn = |fast: &Fast| fast.plan.rest.is_none() || self.related(family, fast).is_some();
        self.steps(family).is_some() || self.row(family).is_some() || fast.is_some_and(drawn)
    }

    fn random_of(&self, point: usize, choose: &Choose, plans: &[Option<Fast>]) -> TokenStream {
        let failed = quote!(return None);
        let mut binds = TokenStream::new();
        let mut picks = TokenStream::new();
        let mut counts: Vec<Ident> = Vec::new();
        let mut listed = false;
        // Arms of steps that do the same, and the pick of the last of them where it is the only one.
        let mut together: Vec<(usize, &Arm, Steps<'_>)> = Vec::new();
        let mut alone_pick: Option<TokenStream> = None;
        // Arms whose targets were counted with those of one before.
        let mut joined: SortedSet<usize> = SortedSet::new();
        for (index, arm) in choose.arms.iter().enumerate() {
            if joined.contains(&index) {
                continue;
            }
            if let Some(steps) = self.steps(self.game.family(arm.family)) {
                let (bind, pick, count) = self.counted_steps(index, arm, &steps);
                binds.extend(bind);
                counts.push(count);
                let apart = |(_, first, own): &(usize, &Arm, Steps<'_>)| {
                    !self.go_together((first, own), (arm, &steps))
                };
                if together.first().is_some_and(apart) {
                    picks.extend(self.picked_together(&together).or(alone_pick.take()));
                    together.clear();
                }
                together.push((index, arm, steps));
                alone_pick = Some(pick);
                continue;
            }
            picks.extend(self.picked_together(&together).or(alone_pick.take()));
            together.clear();
            if let Some(row) = self.row(self.game.family(arm.family)) {
                let (bind, pick, count) = self.counted_rows(index, arm, &row);
                binds.extend(bind);
                picks.extend(pick);
                counts.push(count);
                continue;
            }
            let pure = plans[arm.family.index()]
                .as_ref()
                .filter(|fast| fast.plan.rest.is_none());
            let related = plans[arm.family.index()]
                .as_ref()
                .filter(|fast| self.related(self.game.family(arm.family), fast).is_some());
            if let Some(fast) = related {
                let (bind, pick, count) = self.counted_related(index, arm, fast, &failed);
                binds.extend(bind);
                picks.extend(pick);
                counts.push(count);
                continue;
            }
            match (pure, &plans[arm.family.index()]) {
                (Some(fast), _) => {
                    let others = self.with_other_targets((index, fast), choose, plans, &mut joined);
                    let (bind, pick, count) =
                        self.counted_with((index, arm, fast), &others, &failed);
                    binds.extend(bind);
                    picks.extend(pick);
                    counts.push(count);
                }
                (None, Some(fast)) => {
                    listed = true;
                    let lists = self.bind_lists(arm, fast, &failed);
                    let product = self.product(arm, fast, &quote!(out.push(mv);));
                    binds.extend(quote!({ #lists #product }));
                }
                (None, None) => {
                    listed = true;
                    let name = self.generator_name(point, index, arm);
                    let given = self.given(arm);
                    let take = self.take(arm);
                    binds.extend(quote!(
                        if #name(s, #(#given,)* &mut |mv| #take).is_err() {
                            return None;
                        }
                    ));
                }
            }
        }
        picks.extend(self.picked_together(&together).or(alone_pick.take()));
        let alone = self.distinct_mode(choose, plans) == Distinct::Alone && counts.len() > 1;
        let alone = alone.then(|| {
            quote!(if DISTINCT && [#(#counts),*].into_iter().filter(|&count| count > 0).count() > 1 {
                return None;
            })
        });
        let clear = listed.then(|| quote!(out.clear();));
        let (more, last) = match listed {
            true => (
                Some(quote!(out.len() as u64)),
                quote!(Some((out.get(pick as usize).copied(), total))),
            ),
            false => (None, quote!(Some((None, total)))),
        };
        let terms = counts.iter().map(|count| quote!(#count)).chain(more);
        quote! {
            #clear
            #binds
            #alone
            let total: u64 = #(#terms)+*;
            let draw = rng.draw(total);
            let mut pick = draw.number();
            if total == 0 {
                return Some((None, 0));
            }
            #picks
            #last
        }
    }

    /// The arms behind one that differ from it and from each other in their targets alone, but those that went with an arm before;
    /// they are noted as such.
    fn with_other_targets<'p>(
        &self,
        (index, fast): (usize, &Fast),
        choose: &'p Choose,
        plans: &'p [Option<Fast>],
        joined: &mut SortedSet<usize>,
    ) -> Vec<(usize, &'p Arm, &'p Fast)> {
        let mut others: Vec<(usize, &Arm, &Fast)> = Vec::new();
        let arm = &choose.arms[index];
        for (at, other) in choose.arms.iter().enumerate().skip(index + 1) {
            let Some(own) = &plans[other.family.index()] else {
                continue;
            };
            let mut all = others.iter().map(|(_, arm, fast)| (*arm, *fast));
            let fits = self.differ_in_targets((arm, fast), (other, own))
                && all.all(|one| self.differ_in_targets(one, (other, own)));
            if fits && joined.insert(at) {
                others.push((at, other, own));
            }
        }
        others
    }

    /// The number of moves of an arm and of others that differ from it in their targets alone, and the pick among them.
    fn counted_with(
        &self,
        (index, arm, fast): (usize, &Arm, &Fast),
        others: &[(usize, &Arm, &Fast)],
        failed: &TokenStream,
    ) -> (TokenStream, TokenStream, Ident) {
        let all = self.with_all_targets((arm, fast), others);
        let more = match &all {
            Some(_) => TokenStream::new(),
            None => self.more_targets(others),
        };
        let family = self.game.family(arm.family);
        let targets = all
            .as_ref()
            .map_or((family, fast), |(all, fast)| (all, fast));
        self.counted(index, arm, fast, (targets, &more), failed)
    }

    /// The lists of an arm and their count where the tests that depend on no argument hold: nothing is counted for those who
    /// are not to move.
    pub(in super::super) fn unless_never(
        &self,
        arm: &Arm,
        fast: &Fast,
        found: TokenStream,
        none: Option<TokenStream>,
    ) -> TokenStream {
        let Some(always) = &fast.plan.always else {
            return found;
        };
        let family = self.game.family(arm.family);
        let names = self.family_names(family);
        let call = self.slice_call(&names, always, &[]);
        let given = self.given(arm);
        let context = &names.context;
        let none = match none {
            Some(lists) => quote!((#lists, 0)),
            None => quote!(0),
        };
        quote!(
            #(let #context = #given;)*
            if #call {
                #found
            } else {
                #none
            }
        )
    }

    /// The lists of a family without members.
    pub(in super::super) fn no_lists(&self, family: &Family, fast: &Fast) -> TokenStream {
        let groups = fast.plan.groups.iter();
        let none: Vec<TokenStream> = groups
            .map(|group| self.list_type(family, fast, group).1)
            .collect();
        match &none[..] {
            [only] => only.clone(),
            all => quote!((#(#all),*)),
        }
    }

    /// The words that a list of a group can have members in, from the first such word, where these are fewer than the set has.
    fn window(&self, family: &Family, group: &Group) -> Option<(usize, usize)> {
        let members = match self.moved_group(family, group) {
            Some((quotient, mover)) => self.origins(quotient, mover)?,
            None => match &family.params[*group.params.first()?].source {
                ParamSource::Among(members) => members.clone(),
                _ => return None,
            },
        };
        let low = match self.moved_group(family, group) {
            Some(_) => *members.first()? as usize / 64,
            None => 0,
        };
        let words = counted_words(&members) - low;
        (words < self.keyed(family, group)?).then_some((low, words))
    }

    /// The lists of moves under these names, if all of them are had without a loop: the first from one family, the others from
    /// another, which may have more targets.
    fn quick_lists(
        &self,
        [first, others]: [(&Family, &Fast); 2],
        names: &[Ident],
    ) -> Option<TokenStream> {
        let mut lets = TokenStream::new();
        for (place, name) in names.iter().enumerate() {
            let (family, fast) = if place == 0 { first } else { others };
            let group = fast.plan.groups.get(place)?;
            let list = match self.counted_free(family, fast, group) {
                Some((field, _)) => quote!(&s.#field),
                None => {
                    let lifted = self.lifted(family, fast, group);
                    let set = lifted.filter(|lifted| lifted.quick)?.set;
                    match self.window(family, group) {
                        Some((0, words)) => {
                            let words = number(words);
                            quote!((#set).first_words::<#words>())
                        }
                        Some((low, words)) => {
                            let (low, words) = (number(low), number(words));
                            quote!((#set).words_from::<#low, #words>())
                        }
                        None => set,
                    }
                }
            };
            lets.extend(quote!(let #name = #list;));
        }
        Some(lets)
    }

    /// Whether the moves of two arms are products of the same sources and of targets of which none is one of both, and do the same:
    /// where nobody looks at their family, they are one.
    fn differ_in_targets(&self, (one, a): (&Arm, &Fast), (other, b): (&Arm, &Fast)) -> bool {
        let (own, others) = (self.game.family(one.family), self.game.family(other.family));
        let (of_a, of_b) = (&a.plan.groups, &b.plan.groups);
        let params = |groups: &[Group]| groups.iter().map(|group| group.params.clone()).collect();
        let (params_a, params_b): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (params(of_a), params(of_b));
        let [_, targets] = &params_a[..] else {
            return false;
        };
        if params_a != params_b {
            return false;
        }
        let (ParamSource::Among(to_a), ParamSource::Among(to_b)) = (
            &own.params[targets[0]].source,
            &others.params[targets[0]].source,
        ) else {
            return false;
        };
        if !self.are_one_test(a.plan.always.as_ref(), b.plan.always.as_ref())
            || to_a.iter().any(|member| to_b.contains(member))
        {
            return false;
        }
        let lists: Vec<Ident> = (0..2).map(|list| format_ident!("list_{list}")).collect();
        let plain = |family: &Family, fast: &Fast| {
            let targets = &fast.plan.groups[1];
            fast.plan.rest.is_none()
                && family.context.is_empty()
                && self.steps(family).is_none()
                && self.row(family).is_none()
                && self.counted_free(family, fast, targets).is_none()
                && !self.alike(family, fast, targets)
                && self.quick_lists([(family, fast); 2], &lists).is_some()
        };
        let sources = |family: &Family, fast: &Fast| {
            let group = &fast.plan.groups[0];
            self.lifted_list(family, group, fast.classes.as_deref())
                .map(|lifted| (lifted.set.to_string(), lifted.alike))
        };
        self.do_the_same(one, other)
            && plain(own, a)
            && plain(others, b)
            && self.window(own, &of_a[1]) == self.window(others, &of_b[1])
            && sources(own, a) == sources(others, b)
    }

    /// Whether two tests ask the same.
    fn are_one_test(&self, one: Option<&Function>, other: Option<&Function>) -> bool {
        match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => self.are_alike(&one.body, &other.body, 0),
            _ => false,
        }
    }

    /// The family of an arm with the targets of others, where all ask the same of them and no loop is needed for it.
    fn with_all_targets(
        &self,
        (arm, own): (&Arm, &Fast),
        others: &[(usize, &Arm, &Fast)],
    ) -> Option<(Family, Fast)> {
        let [sources, targets] = &own.plan.groups[..] else {
            return None;
        };
        let same = |(_, _, fast): &(usize, &Arm, &Fast)| {
            let mut tests = targets.tests.iter().zip(&fast.plan.groups[1].tests);
            tests.all(|(one, other)| self.are_one_test(one.as_ref(), other.as_ref()))
        };
        if others.is_empty() || !others.iter().all(same) {
            return None;
        }
        let param = targets.params[0];
        let mut family = self.game.family(arm.family).clone();
        let ParamSource::Among(members) = &mut family.params[param].source else {
            return None;
        };
        for (_, arm, _) in others {
            if let ParamSource::Among(more) = &self.game.family(arm.family).params[param].source {
                members.extend(more);
            }
        }
        members.sort_unstable();
        let fast = self.fast(&family)?;
        let params: Vec<_> = fast.plan.groups.iter().map(|group| &group.params).collect();
        let names: Vec<Ident> = (0..2).map(|list| format_ident!("list_{list}")).collect();
        let fits = params == [&sources.params, &targets.params]
            && fast.plan.rest.is_none()
            && !self.alike(&family, &fast, &fast.plan.groups[1])
            && self.quick_lists([(&family, &fast); 2], &names).is_some();
        fits.then_some((family, fast))
    }

    /// Statements that add the targets of other arms to the list `list_1`.
    fn more_targets(&self, others: &[(usize, &Arm, &Fast)]) -> TokenStream {
        let each = others.iter().map(|(at, arm, fast)| {
            let [unused, more] = ["sources", "targets"].map(|name| format_ident!("{name}_{at}"));
            let family = self.game.family(arm.family);
            let lists = self.quick_lists([(family, *fast); 2], &[unused, more.clone()]);
            quote!(#lists let list_1 = list_1 | #more;)
        });
        each.collect()
    }

    /// The number of moves of an arm without anything left to test, and the pick among them, with targets of a family that may be
    /// another and more of them.
    fn counted(
        &self,
        index: usize,
        arm: &Arm,
        fast: &Fast,
        (targets, more): ((&Family, &Fast), &TokenStream),
        failed: &TokenStream,
    ) -> (TokenStream, TokenStream, Ident) {
        let rt = &self.rt;
        let lists: Vec<_> = (0..fast.plan.groups.len())
            .map(|list| format_ident!("list_{list}"))
            .collect();
        let count = format_ident!("count_{index}");
        let family = self.game.family(arm.family);
        let groups = &fast.plan.groups;
        // Lists that are had without a loop are made again for the pick, instead of being kept for it.
        let quick = self.quick_lists([(family, fast), targets], &lists);
        let quick = quick.map(|quick| quote!(#quick #more));
        let kept: Vec<_> = match quick {
            Some(_) => lists.clone(),
            None => (0..lists.len())
                .map(|list| format_ident!("arm_{index}_{list}"))
                .collect(),
        };
        let single = |group: &Group| self.alike(family, fast, group);
        let lens = lists.iter().zip(groups).map(|(list, group)| {
            match (self.keyed(family, group), single(group)) {
                (Some(_), true) => quote!(if DISTINCT {
                    #rt::support::one_if_likely(!#list.is_empty())
                } else {
                    u64::from(#list.count())
                }),
                (Some(_), false) => quote!(u64::from(#list.count())),
                (None, _) => quote!(#list.len() as u64),
            }
        });
        let lens: Vec<TokenStream> = lens.collect();
        let lens = lens.iter().map(|len| match lens.len() {
            1 => len.clone(),
            _ => quote!((#len)),
        });
        let product = lens.clone().reduce(|product, len| quote!(#product * #len));
        let (pattern, value) = (tuple(&kept), tuple(&lists));
        // Members of several words are counted once; those of one are again before the count is fetched.
        let is_long = |group: &Group| {
            let words = match self.window(family, group) {
                Some((_, words)) => Some(words),
                None => self.keyed(family, group),
            };
            self.counted_free(family, fast, group).is_none() && words.is_some_and(|words| words > 1)
        };
        let keeps_sizes = quick.is_some() && groups.len() > 1 && groups.iter().any(is_long);
        let sizes = keeps_sizes.then(|| format_ident!("sizes_{index}"));
        let binds = match (&quick, &sizes) {
            (Some(quick), Some(sizes)) => {
                let each = (0..groups.len()).map(number).map(|at| quote!(sizes[#at]));
                let product = each.reduce(|product, size| quote!(#product * #size));
                let found = quote!(
                    #quick
                    let sizes: [u64; _] = [#(#lens),*];
                    (sizes, #product)
                );
                let none = quote!([0; _]);
                let found = self.unless_never(arm, fast, found, Some(none));
                quote!(let (#sizes, #count): ([u64; _], u64) = { #found };)
            }
            (Some(quick), None) => {
                let found = self.unless_never(arm, fast, quote!(#quick #product), None);
                quote!(let #count: u64 = { #found };)
            }
            (None, _) => {
                let bind = self.whole_lists(arm, fast, quote!(DISTINCT), failed);
                let found = quote!(
                    #bind
                    let count = #product;
                    (#value, count)
                );
                let found = self.unless_never(arm, fast, found, Some(self.no_lists(family, fast)));
                quote!(let (#pattern, #count) = { #found };)
            }
        };
        let (lets, parts) = self.parts_by_number(
            arm.family,
            fast,
            (&count, sizes.as_ref()),
            &kept,
            quick.is_some(),
        );
        let mv = self.of_any_name(arm, self.combined(arm, &parts));
        // Where the moves of other families are another player's, the first test is known, and the second is not made.
        let alone = fast
            .plan
            .always
            .is_some()
            .then(|| quote!(total == #count ||));
        let picks = quote!(
            if #alone pick < #count {
                #quick
                #lets
                return Some((Some(#mv), total));
            }
            pick -= #count;
        );
        (binds, picks, count)
    }

    /// The packed arguments that the lists of a family give to the move of number `pick`, of so many, as statements and their
    /// names. Lists are `short` where they hold only the words with members; `sizes` tells how many each has, where that is known.
    fn parts_by_number(
        &self,
        id: FamilyId,
        fast: &Fast,
        (count, sizes): (&Ident, Option<&Ident>),
        lists: &[Ident],
        short: bool,
    ) -> (TokenStream, Vec<Ident>) {
        let rt = &self.rt;
        let family = self.game.family(id);
        let groups = &fast.plan.groups;
        let digits: Vec<Ident> = match groups.len() {
            1 => vec![ident("pick")],
            many => (0..many)
                .map(|place| format_ident!("pick_{place}"))
                .collect(),
        };
        let mut lens = Vec::new();
        let mut lets = TokenStream::new();
        let mut parts = Vec::new();
        for (place, (list, digit)) in lists.iter().zip(&digits).enumerate() {
            let group = &groups[place];
            let drawn = self.drawn(id, (place, group), list, short);
            let alike = self.alike(family, fast, group);
            lens.push(match (drawn.is_set, alike) {
                (true, true) => quote!(if DISTINCT { 1 } else { u64::from(#list.count()) }),
                (true, false) => quote!(u64::from(#list.count())),
                (false, _) => quote!(#list.len() as u64),
            });
            let value = match place == 0 && alike {
                // Those that are alike have no names by which one would be drawn.
                true if self.moved_group(family, group).is_some() => drawn.first(),
                true => drawn.first_if_distinct(digit),
                false => drawn.at(digit),
            };
            let part = format_ident!("part_{place}");
            lets.extend(quote!(let #part = #value;));
            parts.push(part);
        }
        let split = (digits.len() > 1).then(|| {
            let bases = match sizes {
                Some(sizes) => quote!(#sizes),
                None => quote!([#(#lens),*]),
            };
            quote!(
                let whole = (total == #count).then_some(draw);
                let [#(#digits),*] = #rt::support::digits(pick, whole, #bases);
            )
        });
        (quote!(#split #lets), parts)
    }

    /// What is drawn from the list of a group.
    fn drawn<'a>(
        &self,
        id: FamilyId,
        (place, group): (usize, &Group),
        list: &'a Ident,
        short: bool,
    ) -> Drawn<'a> {
        let family = self.game.family(id);
        let from = match short {
            true => self.window(family, group).map_or(0, |(low, _)| 64 * low),
            false => 0,
        };
        let call = self.part_call(id, place, group, &ident("member"));
        let part = match from {
            0 => call,
            from => {
                let from = number(from);
                quote!({ let member = member + #from; #call })
            }
        };
        Drawn {
            list,
            part,
            is_set: self.keyed(family, group).is_some(),
        }
    }
}

/// A list of which a member is drawn by its number.
struct Drawn<'a> {
    list: &'a Ident,
    /// The packed arguments that follow from `member`, where it is a set.
    part: TokenStream,
    is_set: bool,
}

impl Drawn<'_> {
    /// What the member of a number gives.
    fn at(&self, number: &Ident) -> TokenStream {
        let (list, part) = (self.list, &self.part);
        match self.is_set {
            true => quote!({
                let member = #list.select(#number as u32);
                #part.unwrap_or(0)
            }),
            false => quote!(#list.get(#number as usize).unwrap_or(0)),
        }
    }

    /// What the first member gives. There is one, or the family would have no moves: where the code branches, the processor
    /// has no more to do with it.
    fn first(&self) -> TokenStream {
        let (list, part) = (self.list, &self.part);
        quote!({
            let Some(member) = #list.first() else {
                return Some((None, 0));
            };
            #part.unwrap_or(0)
        })
    }

    /// What the first member gives where one of each class is drawn, otherwise that of a number.
    fn first_if_distinct(&self, number: &Ident) -> TokenStream {
        let (list, part) = (self.list, &self.part);
        let all = self.at(number);
        quote!(if DISTINCT {
            #list.first().and_then(|member| #part).unwrap_or(0)
        } else {
            #all
        })
    }
}
