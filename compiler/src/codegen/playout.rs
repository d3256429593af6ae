//! Random games.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::code::number;
use super::fast::Fast;
use super::function::nodes_of;
use super::{Generator, PlayInlined};
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{Block, Distribution, ExprKind, Point, StmtKind, Type, VarId};

/// A variable by whose few values random games are written: where it is known, so is which families have moves, and what
/// a move makes of it leads from one copy of the code to the next.
pub(super) struct Sides {
    /// Its field of the position.
    field: Ident,
    /// Its values are below this.
    count: usize,
    /// Whether each piece of code that writes it tells its value.
    is_told: bool,
}

/// What a step of a random game is written with.
struct Words {
    /// The function that ends a game whose limit is reached, if nobody can move.
    conclude: TokenStream,
    /// What happens where nobody can move.
    stuck: TokenStream,
    /// Leaves the game, and goes on with the next step.
    leave: TokenStream,
    again: TokenStream,
    /// Plays a move that was drawn, and one that was found in a list.
    play: TokenStream,
    play_listed: TokenStream,
    /// Notes that the choices of a position were counted, where that is not told by the number of moves.
    count: Option<TokenStream>,
}

/// Positions with at most so many sides are worth a copy of the code for each.
const MOST_SIDES: usize = 4;

/// What is played may have so many nodes, with the functions that it calls, to be copied for each side.
const MOST_NODES: usize = 400;

/// And so many to be inlined into the loop of random games.
const MOST_INLINED: usize = 1500;

impl Generator<'_> {
    /// A random game without a listener and without a second look at every position.
    pub(super) fn playout(&self, plans: &[Option<Fast>], sides: Option<&Sides>) -> TokenStream {
        let by_counts = self.draws_by_counts(plans);
        let words = self.step_words(sides.is_some());
        let (conclude, leave) = (&words.conclude, &words.leave);
        let limited = quote!(if playout.plies == limit {
            #conclude(s);
            #leave;
        });
        let broken = self.broken(&words);
        let moved = self.random_ply(plans, &words);
        let step = quote!(#limited #broken #moved);
        let (game, ply) = match sides {
            Some(sides) => self.random_game_by_sides(sides, &step),
            None => (
                self.random_game(plans, &step, &words.play),
                TokenStream::new(),
            ),
        };
        // A loop that is compiled for newer processors, too.
        let rt = &self.rt;
        let game = match by_counts {
            true => quote!(impl #rt::support::RandomGames for Game { #game }),
            false => game,
        };
        let results = self.random_result();
        let listed = (self.play_inlined.get() == PlayInlined::Everywhere).then(|| {
            let play = &words.play;
            quote! {
                /// Plays a move that was found in a list.
                #[inline(never)]
                fn play_listed(s: &mut State, mv: Move) {
                    #play;
                }
            }
        });
        quote! {
            #game
            #ply
            #listed
            #results
        }
    }

    /// How a step of a random game says things, as a function of its own or within the loop.
    fn step_words(&self, own: bool) -> Words {
        let rt = &self.rt;
        let (make, stuck, conclude) = match self.is_open() {
            true => (quote!(make_move), quote!(conclude(s)), quote!(conclude)),
            false => (
                quote!(play_move),
                quote!(s.ended = State::NO_MOVE),
                quote!(settle),
            ),
        };
        let play = quote!(#make(s, mv, &mut #rt::Silent));
        // The game goes on where a move was drawn.
        let inlined = match self.is_open() {
            true => play.clone(),
            false => quote!(play_inlined(s, mv, &mut #rt::Silent)),
        };
        let (leave, again) = match own {
            true => (quote!(return false), quote!(return true)),
            false => (quote!(return), quote!(continue)),
        };
        let (play, play_listed) = match self.play_inlined.get() {
            PlayInlined::AsItMay => (play.clone(), play),
            // What is listed is rare.
            PlayInlined::Everywhere => (inlined, quote!(play_listed(s, mv))),
            PlayInlined::IntoRandomGames => {
                let drawn = match self.walks_over_words() {
                    true => quote!(if DISTINCT { #inlined } else { #play }),
                    false => inlined,
                };
                (drawn, play)
            }
        };
        Words {
            conclude,
            stuck,
            leave,
            again,
            play,
            play_listed,
            count: (!own).then(|| quote!(playout.counted += 1;)),
        }
    }

    /// The end of a game in which an expression of a decision fails.
    fn broken(&self, words: &Words) -> Option<TokenStream> {
        let again = &words.again;
        self.has_decision_fault().then(|| {
            quote! {
                if let Some(fault) = decision_fault(s) {
                    s.fail(fault);
                    #again;
                }
            }
        })
    }

    /// A random move and what follows from it.
    fn random_ply(&self, plans: &[Option<Fast>], words: &Words) -> TokenStream {
        let Words {
            stuck,
            leave,
            again,
            play,
            play_listed,
            count,
            ..
        } = words;
        if self.draws_candidates() && !self.is_fast(plans) {
            let gathered = self.gathers().then(|| quote!(&mut gathered));
            return quote! {
                let Some(mv) = random_candidate(s, rng, out, #gathered) else {
                    #stuck;
                    #leave;
                };
                playout.plies += 1;
                #play;
            };
        }
        let drawn = quote! {
            let Some(mv) = mv else {
                #stuck;
                #leave;
            };
            playout.plies += 1;
            #count
            playout.moves += count;
            #play;
        };
        if self.always_steps(plans) {
            return quote! {
                let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) else { #leave };
                #drawn
            };
        }
        let drawn = self.is_fast(plans).then(|| {
            quote! {
                if let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) {
                    #drawn
                    #again;
                }
            }
        });
        quote! {
            #drawn
            out.clear();
            let listed = match DISTINCT {
                false => list_moves(s, out),
                true => list_distinct(s, out),
            };
            if let Err(fault) = listed {
                s.break_off(fault);
                #leave;
            }
            let Some(mv) = out.draw(rng) else {
                #stuck;
                #leave;
            };
            playout.plies += 1;
            #count
            playout.moves += out.len() as u64;
            #play_listed;
        }
    }

    /// A random game with a single loop, whose rounds are draws of chance or `step`.
    fn random_game(
        &self,
        plans: &[Option<Fast>],
        step: &TokenStream,
        play: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
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
                            #play;
                        }
                        Err(fault) => s.fail(fault),
                    }
                    continue;
                }
            }
        });
        let count = draw.is_some().then(|| quote!(let mut draws = 0;));
        let gathered = (self.gathers() && !self.is_fast(plans)).then(|| {
            let gathered = self.gathered_type();
            quote!(let mut gathered = <#gathered>::new();)
        });
        let inline = self
            .draws_by_counts(plans)
            .then(|| quote!(#[inline(always)]));
        quote! {
            /// Plays random moves until the game ends or a limit is reached.
            #inline
            fn random_game<const DISTINCT: bool>(
                s: &mut State,
                rng: &mut #rt::Rng,
                limit: u32,
                out: &mut #rt::MoveList<Move>,
                playout: &mut #rt::Playout,
            ) {
                #count
                #gathered
                while s.ended == 0 {
                    #draw
                    #step
                }
            }
        }
    }

    /// A random game whose loop has a copy of `step` for each side.
    fn random_game_by_sides(
        &self,
        sides: &Sides,
        body: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let field = &sides.field;
        let (values, count) = ((0..sides.count).map(number), number(sides.count));
        let step = quote!(random_step::<DISTINCT>(s, rng, limit, out, playout));
        let turns = match sides.is_told {
            // Side after side, as they mostly follow each other: which is next is known where it is asked.
            true => quote! {
                'game: while s.ended == 0 && s.#field < #count {
                    #(
                        if s.#field == #values && (!#step || s.ended != 0) {
                            break 'game;
                        }
                    )*
                }
            },
            false => quote! {
                while s.ended == 0 {
                    let goes_on = match s.#field {
                        #(#values => #step,)*
                        _ => false,
                    };
                    if !goes_on {
                        break;
                    }
                }
            },
        };
        let game = quote! {
            /// Plays random moves until the game ends or a limit is reached.
            #[inline(always)]
            fn random_game<const DISTINCT: bool>(
                s: &mut State,
                rng: &mut #rt::Rng,
                limit: u32,
                out: &mut #rt::MoveList<Move>,
                playout: &mut #rt::Playout,
            ) {
                #turns
                // Every choice was counted.
                playout.counted = playout.plies;
            }
        };
        let ply = quote! {
            /// Plays one random move; false if there is none or the limit is reached.
            #[inline(always)]
            fn random_step<const DISTINCT: bool>(
                s: &mut State,
                rng: &mut #rt::Rng,
                limit: u32,
                out: &mut #rt::MoveList<Move>,
                playout: &mut #rt::Playout,
            ) -> bool {
                #body
                true
            }
        };
        (game, ply)
    }

    /// Where what moves do is inlined.
    pub(super) fn play_inlined(&self, plans: &[Option<Fast>], by_sides: bool) -> PlayInlined {
        let is_drawn = self.draws_by_counts(plans) && !self.is_open();
        if by_sides {
            PlayInlined::Everywhere
        } else if is_drawn && self.nodes_of_play() <= MOST_INLINED {
            PlayInlined::IntoRandomGames
        } else {
            PlayInlined::AsItMay
        }
    }

    /// The variable by which random games are written, if decisions ask it who moves, moves are drawn by counts, and short.
    pub(super) fn sides(&self, plans: &[Option<Fast>]) -> Option<Sides> {
        if !self.chance_points().is_empty()
            || !self.draws_by_counts(plans)
            || self.nodes_of_play() > MOST_NODES
        {
            return None;
        }
        let mut asked: SortedSet<VarId> = SortedSet::new();
        for (_, choose) in self.decisions() {
            choose.players.walk(&mut |expr| {
                if let ExprKind::Var(var, _) = &expr.kind {
                    asked.insert(*var);
                }
            });
        }
        let mut asked = asked
            .into_iter()
            .filter(|var| !self.constant_vars.contains(var));
        let (Some(id), None) = (asked.next(), asked.next()) else {
            return None;
        };
        let var = self.game.var(id);
        match &var.ty {
            Type::Elem(domain) if var.axes.is_empty() => {
                let count = self.game.domain(*domain).len();
                let field = self.var_fields[id.index()].clone();
                (2..=MOST_SIDES).contains(&count).then(|| Sides {
                    field,
                    count,
                    is_told: self.takes_constants(id),
                })
            }
            _ => None,
        }
    }

    /// The nodes of what moves do where nobody listens, with all functions that are called.
    fn nodes_of_play(&self) -> usize {
        let mut nodes = 0;
        self.each_played(&mut |block| nodes += nodes_of(block));
        nodes
    }

    /// Whether moves walk over boards of several words: vectors, which newer processors have, are slow at carrying bits from
    /// one word to the next.
    fn walks_over_words(&self) -> bool {
        let mut walks = false;
        self.each_played(&mut |block| {
            walk_exprs(block, &mut |expr| {
                if let (ExprKind::Walk { .. }, Type::Set(domain)) = (&expr.kind, &expr.ty) {
                    walks |= self.words(*domain) > 1;
                }
            });
        });
        walks
    }

    /// Calls `f` with what moves do where nobody listens, and with the bodies of all functions that are called.
    fn each_played(&self, f: &mut dyn FnMut(&Block)) {
        let mut open = Vec::new();
        for (_, choose) in self.decisions() {
            choose.blocks(&mut |block| {
                f(block);
                open.extend(self.called_in(block));
            });
        }
        let mut called = SortedSet::new();
        while let Some(func) = open.pop() {
            if !self.for_listeners.contains(&func) && called.insert(func) {
                let body = &self.game.function(func).body;
                f(body);
                open.extend(self.called_in(body));
            }
        }
    }

    /// Whether moves write nothing but constants into a variable.
    fn takes_constants(&self, wanted: VarId) -> bool {
        let mut constants = true;
        self.each_played(&mut |block| {
            walk_block(block, &mut |stmt| {
                if let StmtKind::SetVar(var, _, value) = &stmt.kind
                    && *var == wanted
                {
                    constants &= value.as_const().is_some();
                }
            });
        });
        constants
    }

    /// Whether random moves are drawn from sets without a list: such games spend their time counting bits.
    pub(super) fn draws_by_counts(&self, plans: &[Option<Fast>]) -> bool {
        self.is_fast(plans)
            && self
                .decisions()
                .flat_map(|(_, choose)| &choose.arms)
                .all(|arm| self.is_counted(arm, plans[arm.family.index()].as_ref()))
    }

    /// The call that plays a random game.
    pub(super) fn play_at_random(&self) -> TokenStream {
        let rt = &self.rt;
        quote! {
            let mut playout = #rt::Playout::default();
            match choices {
                #rt::ChoiceSet::All => random_game::<false>(s, rng, limit, buffer, &mut playout),
                #rt::ChoiceSet::Distinct => random_game::<true>(s, rng, limit, buffer, &mut playout),
            }
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
