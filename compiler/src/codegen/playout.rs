//! Random games.

use proc_macro2::TokenStream;
use quote::quote;

use super::Gen;
use super::fast::Fast;
use crate::ir::{Distribution, Point};

impl Gen<'_> {
    /// A random game without a listener and without a second look at every position.
    pub(super) fn playout(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        let (make, stuck, conclude) = match self.is_open() {
            true => (quote!(make_move), quote!(conclude(s)), quote!(conclude)),
            false => (
                quote!(play_move),
                quote!(s.ended = State::NO_MOVE),
                quote!(settle),
            ),
        };
        let draws = self.chance_points();
        let draw = (!draws.is_empty()).then(|| {
            quote! {
                if #draws {
                    if draws == limit {
                        return;
                    }
                    match random_result(s, rng) {
                        Ok(mv) => {
                            draws += 1;
                            #make(s, mv, &mut #rt::Silent);
                        }
                        Err(fault) => s.fail(fault),
                    }
                    continue;
                }
            }
        });
        let results = self.random_result();
        let count = draw.is_some().then(|| quote!(let mut draws = 0;));
        let broken = self.has_decision_fault().then(|| {
            quote! {
                if let Some(fault) = decision_fault(s) {
                    s.fail(fault);
                    continue;
                }
            }
        });
        let candidate = self.draws_candidates() && !self.is_fast(plans);
        let quick = match candidate {
            true => Some(quote! {
                let Some(mv) = random_candidate(s, rng, out) else {
                    #stuck;
                    return;
                };
                playout.plies += 1;
                #make(s, mv, &mut #rt::Silent);
            }),
            false => self.is_fast(plans).then(|| {
                quote! {
                    let picked = match distinct {
                        false => random_move::<false>(s, rng, out),
                        true => random_move::<true>(s, rng, out),
                    };
                    if let Some((mv, count)) = picked {
                        let Some(mv) = mv else {
                            #stuck;
                            return;
                        };
                        playout.plies += 1;
                        playout.counted += 1;
                        playout.moves += count;
                        #make(s, mv, &mut #rt::Silent);
                        continue;
                    }
                }
            }),
        };
        let listing = (!candidate).then(|| {
            quote! {
                out.clear();
                let listed = match distinct {
                    false => list_moves(s, out),
                    true => list_distinct(s, out),
                };
                if let Err(fault) = listed {
                    s.break_off(fault);
                    return;
                }
                let Some(mv) = out.draw(rng) else {
                    #stuck;
                    return;
                };
                playout.plies += 1;
                playout.counted += 1;
                playout.moves += out.len() as u64;
                #make(s, mv, &mut #rt::Silent);
            }
        });
        let job = self.draws_by_counts(plans).then(|| self.job());
        let inline = job.is_some().then(|| quote!(#[inline(always)]));
        quote! {
            #job
            /// Plays random moves until the game ends or a limit is reached.
            #inline
            fn random_game(
                s: &mut State,
                rng: &mut #rt::Rng,
                limit: u32,
                distinct: bool,
                out: &mut #rt::MoveList<Move>,
                playout: &mut #rt::Playout,
            ) {
                #count
                while s.ended == 0 {
                    #draw
                    if playout.plies == limit {
                        #conclude(s);
                        return;
                    }
                    #broken
                    #quick
                    #listing
                }
            }
            #results
        }
    }

    /// Whether random moves are drawn from sets without a list: such games spend their time counting bits.
    fn draws_by_counts(&self, plans: &[Option<Fast>]) -> bool {
        self.is_fast(plans)
            && self
                .decisions()
                .flat_map(|(_, choose)| &choose.arms)
                .all(|arm| self.is_counted(arm, plans[arm.family.index()].as_ref()))
    }

    /// The random game as a loop that is compiled for newer processors, too.
    fn job(&self) -> TokenStream {
        let rt = &self.rt;
        quote! {
            /// A random game that is to be played.
            struct RandomGame<'a> {
                s: &'a mut State,
                rng: &'a mut #rt::Rng,
                limit: u32,
                distinct: bool,
                out: &'a mut #rt::MoveList<Move>,
                playout: &'a mut #rt::Playout,
            }

            impl #rt::cpu::Job for RandomGame<'_> {
                type Output = ();

                #[inline(always)]
                fn run(self) {
                    random_game(self.s, self.rng, self.limit, self.distinct, self.out, self.playout);
                }
            }
        }
    }

    /// The call that plays a random game.
    pub(super) fn play_at_random(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        match self.draws_by_counts(plans) {
            true => quote!(#rt::cpu::run(RandomGame {
                s,
                rng,
                limit,
                distinct,
                out: buffer,
                playout: &mut playout,
            })),
            false => quote!(random_game(s, rng, limit, distinct, buffer, &mut playout)),
        }
    }

    /// A result of the draw that is due, by the weights.
    fn random_result(&self) -> TokenStream {
        let rt = &self.rt;
        let new_cx = self.new_cx();
        let points = self.machine.points.iter().enumerate();
        let branches: Vec<_> = points
            .filter_map(|(point, kind)| {
                let Point::Chance(chance, _) = kind else {
                    return None;
                };
                let name = &self.draw_names[chance.draw.index()];
                let pick = match &chance.dist {
                    Distribution::Uniform(..) => {
                        // The bounds are tested like those of every draw; the loop ends at once.
                        self.visit_draw(
                            chance,
                            quote!(
                                if value == first {
                                    let span = (last - first) as u64;
                                    let pick = match span {
                                        u64::MAX => rng.u64(),
                                        _ => rng.below64(span + 1),
                                    };
                                    return Ok(Move::#name(i64::wrapping_add(first, pick as i64)));
                                }
                            ),
                        )
                    }
                    Distribution::Weighted { .. } => {
                        let sum = self.visit_draw(chance, quote!(all += weight;));
                        let pick = self.visit_draw(
                            chance,
                            quote!(
                                if rest < weight {
                                    return Ok(Move::#name(value));
                                }
                                rest -= weight;
                            ),
                        );
                        quote!(
                            let mut all: u64 = 0;
                            #sum
                            let mut rest = rng.below64(all);
                            { #pick }
                        )
                    }
                };
                Some((
                    point,
                    quote!({
                        let cx = #new_cx;
                        #pick
                        if let Some(fault) = cx.fault() {
                            return Err(fault);
                        }
                    }),
                ))
            })
            .collect();
        if branches.is_empty() {
            return TokenStream::new();
        }
        let body = self.by_point(branches, quote!());
        quote! {
            /// A result of the draw that is due, drawn by the weights.
            fn random_result(s: &State, rng: &mut #rt::Rng) -> Result<Move, #rt::Fault> {
                #body
                // No draw without a result gets past its test.
                Err(#rt::Fault { site: u16::MAX })
            }
        }
    }

    /// Whether there is a test of the expressions of decisions.
    pub(super) fn has_decision_fault(&self) -> bool {
        self.decisions().any(|(_, choose)| {
            let mut found = false;
            choose.children(&mut |expr| found |= self.expr_needs(expr).cx);
            found
        }) || !self.chance_points().is_empty()
    }
}
