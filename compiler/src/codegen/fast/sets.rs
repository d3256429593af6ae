//! Legal moves as a set of their numbers: no list is made where the numbers follow the members of one group.

use std::ops::Range;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rulec_ir::sorted::SortedSet;

use super::super::Generator;
use super::super::chains::is_quick;
use super::super::classes::Classes;
use super::super::code::number;
use super::super::slices::Group;
use super::groups::{class_count, returned};
use super::{Distinct, Fast, mentions};
use crate::ir::{Arm, Choose, Family, FamilyId, MoveNumbers, NumberedArg, ParamSource, Type};

/// Combinations of arguments beyond this are not looked at.
const MOST_COMBINATIONS: usize = 1 << 17;

/// How the numbers of the moves of an arm follow from what its lists hold.
struct Numbered {
    /// The group whose members tell the number, and what is added to a member. Without it there is one number.
    by: Option<(usize, i64)>,
    /// The numbers of all its moves.
    numbers: Range<u64>,
}

impl Generator<'_> {
    /// The methods of the game for legal moves as a set, where all decisions allow it.
    pub(in super::super) fn set_methods(&self, plans: &[Option<Fast>]) -> Option<TokenStream> {
        if !self.is_fast(plans) {
            return None;
        }
        let mut listing = Vec::new();
        let mut finding = Vec::new();
        for (point, choose) in self.decisions() {
            let numbered = self.numbered(choose, plans)?;
            let arms = choose.arms.iter().zip(&numbered).map(|(arm, numbered)| {
                let fast = plans[arm.family.index()].as_ref()?;
                Some((
                    self.added(arm, fast, numbered),
                    self.found_by_number(arm, fast, numbered),
                ))
            });
            let (added, found): (Vec<_>, Vec<_>) =
                arms.collect::<Option<Vec<_>>>()?.into_iter().unzip();
            listing.push((point, quote!(#(#added)*)));
            finding.push((point, quote!(#(#found)*)));
        }
        let (listing, finding) = (
            self.by_point(listing, quote!()),
            self.by_point(finding, quote!()),
        );
        Some(quote! {
            #[inline]
            fn legal_set(&self, s: &State, set: &mut [u64]) -> bool {
                if s.ended != 0 {
                    return true;
                }
                #listing
                true
            }

            #[inline]
            fn move_in_set(&self, s: &State, index: usize) -> Option<Move> {
                #finding
                None
            }
        })
    }

    /// How the moves of a decision are numbered, arm by arm; nothing where numbers do not ascend as its lists do.
    fn numbered(&self, choose: &Choose, plans: &[Option<Fast>]) -> Option<Vec<Numbered>> {
        let numbers = self.game.numbers.as_ref()?;
        if self.distinct_mode(choose, plans) != Distinct::Always {
            return None;
        }
        let mut all: Vec<Numbered> = Vec::new();
        for arm in &choose.arms {
            let family = self.game.family(arm.family);
            let fast = plans[arm.family.index()].as_ref()?;
            if fast.plan.rest.is_some() || self.steps(family).is_some() {
                return None;
            }
            let numbered = self.arm_numbers(numbers, arm.family, fast)?;
            // Pieces that lie on places which the list tells apart and the numbers do not are listed each.
            let by = numbered.by.map(|(at, _)| at);
            let mut groups = fast.plan.groups.iter().enumerate();
            if !groups.all(|(at, group)| Some(at) == by || self.gives_one(family, fast, group)) {
                return None;
            }
            let after = all.last().map_or(0, |last| last.numbers.end);
            if numbered.numbers.start < after {
                return None;
            }
            all.push(numbered);
        }
        Some(all)
    }

    /// Whether the list of a group never has more than one member.
    fn gives_one(&self, family: &Family, fast: &Fast, group: &Group) -> bool {
        let classes = fast.classes.as_deref();
        let of_one_class = |classes: &Classes| {
            !classes.components.is_empty() && class_count(classes, group) == Some(1)
        };
        group.room <= 1 || self.alike(family, fast, group) || classes.is_some_and(of_one_class)
    }

    fn arm_numbers(&self, numbers: &MoveNumbers, id: FamilyId, fast: &Fast) -> Option<Numbered> {
        let family = self.game.family(id);
        if self.game.joined(id).is_some() {
            return None;
        }
        let known = self.combinations(numbers, id, None)?;
        let all: SortedSet<u64> = known.iter().map(|(_, number)| *number).collect();
        let (first, last) = (*all.first()?, *all.last()?);
        let range = first..last + 1;
        if first == last {
            return Some(Numbered {
                by: None,
                numbers: range,
            });
        }
        let follows = |(at, group): (usize, &Group)| {
            self.keyed(family, group)?;
            let param = self.listed_param(family, group)?;
            let known = self.combinations(numbers, id, Some(param))?;
            let shift = |(member, number): &(u32, u64)| *number as i64 - i64::from(*member);
            let shifts: SortedSet<i64> = known.iter().map(shift).collect();
            let only = shifts.first().filter(|_| shifts.len() == 1)?;
            Some((at, *only))
        };
        let by = fast.plan.groups.iter().enumerate().find_map(follows)?;
        Some(Numbered {
            by: Some(by),
            numbers: range,
        })
    }

    /// The moves that a family can have, those that are numbered: the argument for one parameter, or 0, and the number.
    /// Nothing where arguments are not members, or there are too many.
    fn combinations(
        &self,
        numbers: &MoveNumbers,
        id: FamilyId,
        told: Option<usize>,
    ) -> Option<Vec<(u32, u64)>> {
        let family = self.game.family(id);
        let kind = numbers.kinds.get(id.index())?;
        let layer = numbers.layers.get(kind.layer)?;
        let before = numbers.layers[..kind.layer].iter();
        let first: u64 = before.map(|layer| layer.count()).sum();
        let mut partial: Vec<(u32, u64)> = vec![(0, 0)];
        let args = family.params.iter().zip(&kind.args).zip(&layer.lens);
        for (at, ((param, arg), len)) in args.enumerate() {
            let (NumberedArg::Member(_, alike), Type::Elem(domain)) = (arg, &param.ty) else {
                return None;
            };
            let members: Vec<u32> = match &param.source {
                ParamSource::Among(members) => members.clone(),
                _ => (0..self.game.domain(*domain).len() as u32).collect(),
            };
            let digit = |member: u32| alike.get(member as usize).copied().unwrap_or(member);
            let digits = members.iter().map(|&member| match told == Some(at) {
                true => (member, digit(member)),
                false => (0, digit(member)),
            });
            let digits: SortedSet<(u32, u32)> = digits.collect();
            if partial.len().saturating_mul(digits.len()) > MOST_COMBINATIONS {
                return None;
            }
            let extended = partial.iter().flat_map(|&(member, key)| {
                let add = move |&(own, digit): &(u32, u32)| {
                    (member.max(own), key * len + u64::from(digit))
                };
                digits.iter().map(add)
            });
            partial = extended.collect();
        }
        let number = |key: u64| {
            let mut next = first;
            for (start, count) in &layer.runs {
                if (*start..*start + *count).contains(&key) {
                    return Some(next + (key - start));
                }
                next += count;
            }
            None
        };
        let numbered = partial
            .into_iter()
            .filter_map(|(member, key)| Some((member, number(key)?)));
        Some(numbered.collect())
    }

    /// The set that is the list of a group, which is bound as `list_{at}`.
    fn member_set(&self, family: &Family, fast: &Fast, at: usize) -> TokenStream {
        let list = format_ident!("list_{at}");
        match self.counted_free(family, fast, &fast.plan.groups[at]) {
            Some(_) => quote!(#list.members()),
            None => quote!(#list),
        }
    }

    /// Adds the moves of an arm to the set `set`. Who is to move is foreseen by nobody where many games are played in turn, so
    /// short tests are no branches.
    fn added(&self, arm: &Arm, fast: &Fast, numbered: &Numbered) -> TokenStream {
        let rt = &self.rt;
        let family = self.game.family(arm.family);
        let names: Vec<Ident> = (0..fast.plan.groups.len())
            .map(|at| format_ident!("list_{at}"))
            .collect();
        let mut tests = Vec::new();
        let bind = match (self.quick_always(arm, fast), self.quick_sets(family, fast)) {
            (Some(always), Some(sets)) => {
                tests.extend(always);
                quote!(#(let #names = #sets;)*)
            }
            _ => self.whole_lists(arm, fast, quote!(true), &quote!(return false)),
        };
        let by = numbered.by.map(|(at, _)| at);
        let others = (0..names.len()).filter(|at| Some(*at) != by);
        tests.extend(others.map(|at| {
            let name = &names[at];
            quote!(!#name.is_empty())
        }));
        let (members, shift) = match numbered.by {
            Some((at, shift)) => {
                let set = self.member_set(family, fast, at);
                // Of those that are alike one stands for all.
                match self.alike(family, fast, &fast.plan.groups[at]) {
                    true => (quote!(#set.least()), shift),
                    false => (set, shift),
                }
            }
            None => (quote!(#rt::BitSet([1])), numbered.numbers.start as i64),
        };
        let shift = Literal::i64_unsuffixed(shift);
        let members = match tests.is_empty() {
            true => members,
            false => quote!(#members.kept_if(#(#tests)&*)),
        };
        quote!({ #bind #members.add_to(set, #shift); })
    }

    /// The test of an arm that depends on no argument, if it is short: nothing inside where there is none.
    fn quick_always(&self, arm: &Arm, fast: &Fast) -> Option<Option<TokenStream>> {
        let Some(always) = &fast.plan.always else {
            return Some(None);
        };
        let family = self.game.family(arm.family);
        let quick = returned(always).is_some_and(is_quick) && !self.slice_needs(always).cx;
        let given = self.given(arm);
        let names = self.family_names(family);
        let context = &names.context;
        let call = self.slice_call(&names, always, &[]);
        quick.then(|| Some(quote!({ #(let #context = #given;)* #call })))
    }

    /// The lists of a family, if all of them are sets that are had without a loop.
    fn quick_sets(&self, family: &Family, fast: &Fast) -> Option<Vec<TokenStream>> {
        let set = |group: &Group| match self.counted_free(family, fast, group) {
            Some((field, _)) => Some(quote!(&s.#field)),
            None => {
                let lifted = self.lifted(family, fast, group)?;
                (lifted.quick && !mentions(&lifted.set, "DISTINCT")).then_some(lifted.set)
            }
        };
        fast.plan.groups.iter().map(set).collect()
    }

    /// Returns the move of an arm whose number is `index`, if it has that.
    fn found_by_number(&self, arm: &Arm, fast: &Fast, numbered: &Numbered) -> TokenStream {
        let family = self.game.family(arm.family);
        let bind = self.whole_lists(arm, fast, quote!(true), &quote!(return None));
        let (start, end) = (
            number(numbered.numbers.start as usize),
            number(numbered.numbers.end as usize),
        );
        let mut lets = TokenStream::new();
        let mut parts = Vec::new();
        for (at, group) in fast.plan.groups.iter().enumerate() {
            let (part, member, list) = (
                format_ident!("part_{at}"),
                format_ident!("member_{at}"),
                format_ident!("list_{at}"),
            );
            let call = self.part_call(arm.family, at, group, &member);
            let set = self.member_set(family, fast, at);
            lets.extend(match (numbered.by, self.keyed(family, group)) {
                (Some((by, shift)), _) if by == at => {
                    let back = Literal::i64_unsuffixed(-shift);
                    quote!(
                        let #member = (index as i64 + #back) as usize;
                        let #part = #call?;
                    )
                }
                (_, Some(_)) => quote!(
                    let #member = #set.first()?;
                    let #part = #call?;
                ),
                (_, None) => quote!(let #part = #list.get(0)?;),
            });
            parts.push(part);
        }
        let mv = self.combined(arm, &parts);
        quote!(if (#start..#end).contains(&index) {
            #bind
            #lets
            return Some(#mv);
        })
    }
}
