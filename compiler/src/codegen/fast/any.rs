//! Whether some move is legal, by the sets that moves are made of.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::Generator;
use super::Fast;

impl Generator<'_> {
    /// The test whether some move is legal by the sets that moves are products of, where all moves of all decisions are.
    pub(in super::super) fn any_of_lists(&self, plans: &[Option<Fast>]) -> Option<TokenStream> {
        if !self.is_fast(plans) {
            return None;
        }
        let failed = quote!(break 'lists);
        let always = self.always_lists(plans);
        let branches: Option<Vec<_>> = self
            .decisions()
            .map(|(point, choose)| {
                let arms: Option<Vec<Any>> = choose
                    .arms
                    .iter()
                    .map(|arm| {
                        let family = self.game.family(arm.family);
                        if self.steps(family).is_some() {
                            return Some(Any::Test(self.any_step(arm)));
                        }
                        let fast = plans[arm.family.index()].as_ref()?;
                        let groups = &fast.plan.groups;
                        let related = self.related(family, fast);
                        let plain = fast.plan.rest.is_none();
                        let lists = (0..groups.len()).map(|list| format_ident!("list_{list}"));
                        let some = lists.zip(groups).map(|(list, group)| {
                            match self.keyed(family, group) {
                                Some(_) => quote!(!#list.is_empty()),
                                None => quote!(#list.len() != 0),
                            }
                        });
                        let some: Vec<TokenStream> = some.collect();
                        let bind = self.whole_lists(arm, fast, quote!(true), &failed);
                        if related.is_some() {
                            let any = self.listed_related(arm, fast).1;
                            return Some(Any::Code(quote!({ #bind if #any { return Ok(true); } })));
                        }
                        let single = groups.len() == 1 && family.context.is_empty();
                        if plain && single && !self.lists_fail(arm.family, fast) {
                            let name = self.lists_name(arm.family);
                            let some = match self.keyed(family, &groups[0]) {
                                Some(_) => quote!(!#name::<true>(s).is_empty()),
                                None => quote!(#name::<true>(s).len() != 0),
                            };
                            return Some(Any::Test(some));
                        }
                        (plain && !some.is_empty()).then(|| {
                            Any::Code(quote!({
                                #bind
                                if #(#some)&&* {
                                    return Ok(true);
                                }
                            }))
                        })
                    })
                    .collect();
                let arms = joined(arms?);
                let none = (!always).then(|| quote!(return Ok(false);));
                Some((point, quote!(#arms #none)))
            })
            .collect();
        let body = self.by_point(branches?, quote!());
        let body = match always {
            true => body,
            false => quote!('lists: { #body }),
        };
        Some(quote! {
            if s.ended != 0 {
                return Ok(false);
            }
            #body
        })
    }
}

/// How it is asked whether an arm has a move.
enum Any {
    Test(TokenStream),
    /// Statements that return if it has.
    Code(TokenStream),
}

/// The questions of several arms, tests that follow each other as one.
fn joined(arms: Vec<Any>) -> TokenStream {
    let test = |tests: &mut Vec<TokenStream>| {
        let tests = std::mem::take(tests);
        (!tests.is_empty()).then(|| quote!(if #(#tests)||* { return Ok(true); }))
    };
    let (mut all, mut open) = (TokenStream::new(), Vec::new());
    for arm in arms {
        match arm {
            Any::Test(asked) => open.push(asked),
            Any::Code(code) => {
                all.extend(test(&mut open));
                all.extend(code);
            }
        }
    }
    all.extend(test(&mut open));
    all
}
