//! Moves that are judged by the position after them, and what gives a position back after a trial.
//!
//! Where the effect that a predicate looks at is a function that never fails, a candidate is tried on a scratch
//! position, and only the parts that the effect writes are put back. A random move is then drawn from the
//! candidates and judged afterwards, again and again until one passes: most candidates are never tried.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::number;
use crate::ir::effects::Effect;
use crate::ir::visit::walk_block;
use crate::ir::{Arm, Family, FuncId, PlacementForm, PlacementId, StmtKind, TrailId, Type};

/// What is kept of a position, and what puts it back.
pub(super) struct Backup {
    /// A value that keeps it.
    pub(super) save: TokenStream,
    /// The parts that it is assigned to.
    pub(super) parts: TokenStream,
    /// Statements for what is not simply assigned; they find the value under the name.
    pub(super) rest: TokenStream,
}

/// What gives back the places of a placement that a trial may change.
struct Touched {
    placement: PlacementId,
    /// Statements that keep what stands there.
    keep: TokenStream,
    /// Statements that put it back.
    give_back: TokenStream,
}

impl Generator<'_> {
    /// What of the position `s` must be kept to undo an effect that calls these functions: nothing where the whole position
    /// has to be kept. The name is that of the kept value.
    pub(super) fn backup(&self, effect: &Effect, name: &Ident, notes: bool) -> Option<Backup> {
        let writes = &effect.writes;
        if effect.ends || effect.suspends || !writes.snapshots.is_empty() {
            return None;
        }
        let mut parts: Vec<TokenStream> = Vec::new();
        for &var in &writes.vars {
            let field = &self.var_fields[var.index()];
            parts.push(quote!(s.#field));
            let held = self.held_of(var).into_iter();
            parts.extend(held.map(|field| quote!(s.#field)));
        }
        for &placement in &writes.placements {
            let names = self.placement(placement);
            let (places, contents) = (&names.places, &names.contents);
            let form = self.game.placement(placement).form;
            if form != PlacementForm::Anonymous || self.by_kind.contains(&placement) {
                parts.push(quote!(s.#places));
            }
            if self.content_by_sets(placement).is_none() {
                parts.push(quote!(s.#contents));
            }
            let on = names.on.iter().chain(&names.free).map(|(_, field)| field);
            let standing = names.by.iter().filter(|by| by.sets).map(|by| &by.field);
            let standing = standing.chain(names.rows.iter().map(|rows| &rows.field));
            let kept = names.taken_field().into_iter().chain(on).chain(standing);
            parts.extend(kept.map(|field| quote!(s.#field)));
            // Those of variables that are written are kept already.
            let held = names.held.iter();
            let held = held.filter(|held| !writes.vars.contains(&held.var));
            parts.extend(held.map(|held| {
                let field = &held.field;
                quote!(s.#field)
            }));
        }
        let mut saved = parts.clone();
        let mut rest = TokenStream::new();
        for &trail in &writes.trails {
            let field = self.trail_of(trail);
            match notes {
                true => {
                    parts.push(quote!(s.#field));
                    saved.push(quote!(s.#field.clone()));
                }
                false => {
                    let place = proc_macro2::Literal::usize_unsuffixed(saved.len());
                    saved.push(quote!(s.#field.len()));
                    parts.push(quote!(_));
                    rest.extend(quote!(s.#field.give_back(#name.#place);));
                }
            }
        }
        Some(Backup {
            save: quote!((#(#saved,)*)),
            parts: quote!((#(#parts,)*)),
            rest,
        })
    }

    fn trail_of(&self, trail: TrailId) -> &Ident {
        &self.trails[trail.index()]
    }

    /// Whether one of these functions, or what they call, adds to a history of positions.
    pub(super) fn notes(&self, calls: impl IntoIterator<Item = FuncId>) -> bool {
        calls.into_iter().any(|func| {
            let reached = self.effects.reaches(func).iter().copied();
            let mut found = false;
            for func in reached.chain([func]) {
                walk_block(&self.game.function(func).body, &mut |stmt| {
                    found |= matches!(stmt.kind, StmtKind::Note(_));
                });
            }
            found
        })
    }

    /// Whether the moves of a family are judged after they are found.
    pub(super) fn is_judged(&self, family: &Family) -> bool {
        let (Some(after), Some(effect)) = (family.after, family.effect) else {
            return false;
        };
        let sure = |func: FuncId| {
            let needs = self.needs(func);
            !(needs.cx || needs.flow || needs.env)
        };
        let found = self.effects.function(effect);
        let plain = found.writes.snapshots.is_empty() && !self.notes([effect]);
        sure(after)
            && sure(effect)
            && plain
            && family.context.is_empty()
            && !self.has_ranks()
            && self.is_chosen(family)
    }

    /// Whether some decision has moves of a family.
    fn is_chosen(&self, family: &Family) -> bool {
        let mut arms = self.decisions().flat_map(|(_, choose)| &choose.arms);
        arms.any(|arm| self.game.family(arm.family).name == family.name)
    }

    pub(super) fn judges(&self) -> bool {
        self.game
            .families
            .iter()
            .any(|family| self.is_judged(family))
    }

    /// Whether random moves of all decisions can be drawn from the candidates, which never fail.
    pub(super) fn draws_candidates(&self) -> bool {
        let sure = |arm: &Arm| {
            let family = self.game.family(arm.family);
            let judged = family.after.is_none() || self.is_judged(family);
            judged && !self.may_be_broken(family) && family.class.is_empty()
        };
        let mut arms = self.decisions().flat_map(|(_, choose)| &choose.arms);
        self.judges() && arms.all(sure)
    }

    /// Whether candidates are handed on in bundles, of which one is drawn without a list.
    pub(super) fn gathers(&self) -> bool {
        self.draws_candidates() && !self.has_ranks()
    }

    /// The judgement of a move on a scratch position, which is as before afterwards.
    pub(super) fn judge(&self) -> TokenStream {
        if !self.judges() {
            return TokenStream::new();
        }
        let mut arms = TokenStream::new();
        let mut each = TokenStream::new();
        for (index, family) in self.game.families.iter().enumerate() {
            let (Some(after), Some(effect), true) =
                (family.after, family.effect, self.is_judged(family))
            else {
                continue;
            };
            let tag = self.tags(index.into());
            let read = format_ident!("{}_args", self.family_names[index]);
            let names = self.family_names(family);
            let pattern = super::family::tuple(&names.params);
            let args = names.all();
            let name = format_ident!("judge_{}", self.family_names[index]);
            let body = self.judged(family, (after, effect));
            arms.extend(quote! {
                #tag => {
                    let #pattern = mv.#read();
                    #name(s, #(#args),*)
                }
            });
            let params = self.judged_params(family);
            let doc = format!(
                "Whether a candidate of the family `{}` is legal.",
                family.name
            );
            each.extend(quote! {
                #[doc = #doc]
                #[inline]
                fn #name(s: &mut State, #params) -> bool { #body }
            });
        }
        quote! {
            #each
            /// Whether a candidate is legal by the position after it.
            #[inline]
            fn judge(s: &mut State, mv: Move) -> bool {
                match mv.family() {
                    #arms
                    _ => true,
                }
            }
        }
    }

    /// The legal moves where moves are judged: those of each such family in a function of its own, which knows what kind of
    /// candidates it judges, and what all candidates of the position have in common.
    pub(super) fn visit_judged(&self) -> TokenStream {
        let rt = &self.rt;
        let visitor = self.visitor();
        let (of_moves, visit) = (self.visited_type(), self.visit_one(&quote!(mv)));
        let watched = self.watched();
        let items = self.watch_items(&watched);
        let mut each = TokenStream::new();
        for (index, family) in self.game.families.iter().enumerate() {
            if !self.is_judged(family) {
                continue;
            }
            let family_name = &self.family_names[index];
            let (name, all) = (
                legal_name(family_name),
                format_ident!("{family_name}_moves"),
            );
            let (read, judge) = (
                format_ident!("{family_name}_args"),
                format_ident!("judge_{family_name}"),
            );
            let names = self.family_names(family);
            let pattern = super::family::tuple(&names.params);
            let args = names.all();
            let unless = self.unless_watched(&watched, index);
            let watch = unless.is_some().then(|| quote!(watch: &mut Watch,));
            let doc = format!(
                " Calls `visit` with those candidates of the family `{}` that are legal until it says stop.",
                family.name
            );
            each.extend(quote! {
                #[doc = #doc]
                #[inline]
                fn #name(
                    s: &State,
                    scratch: &mut State,
                    #watch
                    visit: &mut #visitor,
                ) -> Result<bool, #rt::Fault> {
                    #all(s, &mut |mv #of_moves| {
                        let #pattern = mv.#read();
                        #unless
                        #judge(scratch, #(#args),*) && #visit
                    })
                }
            });
        }
        let body = self.visited(|point, index, arm| {
            if !self.is_judged(self.game.family(arm.family)) {
                return self.visit_arm(point, index, arm);
            }
            let name = legal_name(&self.family_names[arm.family.index()]);
            let watch = watched
                .iter()
                .any(|watched| watched.is_of(arm.family.index()));
            let watch = watch.then(|| quote!(watch,));
            quote!(#name(s, scratch, #watch visit))
        });
        let watch = (!watched.is_empty()).then(|| quote!(let watch = &mut Watch::default();));
        let scratch = self.scratch_position();
        quote! {
            #items
            #each
            /// Calls `visit` with every legal move until it says stop, and tells whether it did.
            #[inline]
            fn visit_moves(s: &State, visit: &mut #visitor) -> Result<bool, #rt::Fault> {
                if s.ended != 0 {
                    return Ok(false);
                }
                let scratch = &mut #scratch;
                #watch
                #body
                Ok(false)
            }
        }
    }

    /// A copy of the position `s` on which moves are tried: without histories where these are not asked.
    pub(super) fn scratch_position(&self) -> TokenStream {
        match self.tries_without_histories() {
            true => quote!(s.without_histories()),
            false => quote!(s.clone()),
        }
    }

    /// Whether moves are tried on a copy, and that neither asks which positions there were nor adds one.
    pub(super) fn tries_without_histories(&self) -> bool {
        let tried = self
            .game
            .families
            .iter()
            .filter(|family| self.is_judged(family));
        let tried = tried.flat_map(|family| family.after.into_iter().chain(family.effect));
        let calls: Vec<FuncId> = tried.collect();
        let read = |func: &FuncId| !self.effects.function(*func).reads.trails.is_empty();
        let trails = !self.game.trails.is_empty();
        trails && self.judges() && !calls.iter().any(read) && !self.notes(calls)
    }

    /// The parameters of a family with their types.
    fn judged_params(&self, family: &Family) -> TokenStream {
        let names = self.family_names(family).params;
        let types = family.params.iter().map(|param| self.value_type(&param.ty));
        quote!(#(#names: #types),*)
    }

    fn judged(&self, family: &Family, (after, effect): (FuncId, FuncId)) -> TokenStream {
        let args = self.family_names(family).all();
        let (act, ask) = (self.perform(effect, &args), self.ask(after, &args));
        let mut found = self.effects.function(effect).clone();
        let written = found.writes.placements.iter();
        let touched: Vec<Touched> = written
            .filter_map(|&placement| self.touched(family, effect, placement))
            .collect();
        for touched in &touched {
            found.writes.placements.remove(&touched.placement);
        }
        let keep = touched.iter().map(|touched| &touched.keep);
        let give_back = touched.iter().map(|touched| &touched.give_back);
        let name = super::names::ident("before");
        let (save, restore) = match self.backup(&found, &name, false) {
            Some(_) if !found.writes.touches_state() => Default::default(),
            Some(Backup { save, parts, rest }) => {
                (quote!(let before = #save;), quote!(#parts = before; #rest))
            }
            None => (quote!(let before = s.clone();), quote!(*s = before;)),
        };
        quote! {
            #(#keep)*
            #save
            #act
            let legal = #ask;
            #(#give_back)*
            #restore
            legal
        }
    }

    /// What keeps the contents of the few places that a trial may change, and what gives them back: nothing where it is not
    /// known beforehand which places these are, or more is kept beside the placement than follows from what stands there.
    fn touched(&self, family: &Family, effect: FuncId, placement: PlacementId) -> Option<Touched> {
        let names = self.placement(placement);
        let form = self.game.placement(placement).form;
        if form != PlacementForm::Anonymous || !names.rows.is_empty() || !names.held.is_empty() {
            return None;
        }
        let rt = &self.rt;
        let (places, _) = self.changed(self.game.function(effect), placement)?;
        let body = self.family_body(family, &places);
        let put = &names.put;
        let (mut keep, mut give_back) = (TokenStream::new(), TokenStream::new());
        for (index, place) in places.iter().enumerate() {
            let value = self.evaluate(&body, place, None);
            let at = format_ident!("place_{}_{index}", placement.index());
            let kept = format_ident!("kept_{}_{index}", placement.index());
            let content = self.content_at(placement, &quote!(s), &quote!(#at));
            keep.extend(quote! {
                let #at = #value;
                let #kept = #content;
            });
            give_back.extend(quote!(s.#put(#at, #kept, &mut #rt::Silent);));
        }
        Some(Touched {
            placement,
            keep,
            give_back,
        })
    }

    /// What candidates are gathered in: sets of as many words as the candidates of any parameter have.
    pub(super) fn gathered_type(&self) -> TokenStream {
        let rt = &self.rt;
        let params = self.game.families.iter().flat_map(|family| &family.params);
        let words = params.map(|param| match param.ty {
            Type::Elem(domain) => self.game.domain(domain).len().div_ceil(64),
            _ => 1,
        });
        let words = number(words.max().unwrap_or(1).max(1));
        quote!(#rt::Gathered<Move, #words>)
    }

    /// A random legal move found among the candidates.
    pub(super) fn random_candidate(&self) -> TokenStream {
        let rt = &self.rt;
        if !self.draws_candidates() {
            return TokenStream::new();
        }
        let gathered = self.gathered_type();
        let (given, first) = match self.gathers() {
            true => (
                Some(quote!(gathered: &mut #gathered,)),
                quote!(
                    gathered.clear();
                    // Nothing fails here.
                    let _ = visit_candidates(s, gathered);
                    let (place, mv) = gathered.draw(rng)?;
                    if judge(s, mv) {
                        return Some(mv);
                    }
                    out.clear();
                    gathered.list(out);
                    out.swap_remove(place);
                ),
            ),
            false => (
                None,
                quote!(
                    out.clear();
                    // Nothing fails here.
                    let _ = visit_candidates(s, &mut |mv| { out.push(mv); false });
                ),
            ),
        };
        quote! {
            /// A random legal move: candidates are drawn and judged until one is legal.
            #[inline]
            fn random_candidate(
                s: &mut State,
                rng: &mut #rt::Rng,
                out: &mut #rt::MoveList<Move>,
                #given
            ) -> Option<Move> {
                #first
                while !out.is_empty() {
                    let place = rng.below64(out.len() as u64) as usize;
                    let mv = out.swap_remove(place);
                    if judge(s, mv) {
                        return Some(mv);
                    }
                }
                None
            }
        }
    }
}

/// What visits the legal moves of a judged family.
fn legal_name(family: &Ident) -> Ident {
    format_ident!("legal_{family}_moves")
}
