//! Names, bounds and fault sites, and the implementation of the contract.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use super::fast::Fast;
use crate::ir::{Const, DomainId, IdentityId, Interchangeable, PlacementForm, PlacementId, Type};

impl Generator<'_> {
    /// The methods of the trait `Game` that tell who acts.
    fn turn_methods(&self) -> TokenStream {
        let rt = &self.rt;
        let mover = self.mover();
        quote! {
            #[inline]
            fn turn(&self, s: &State) -> #rt::Turn {
                match s.ended {
                    0 => acting(s),
                    _ => #rt::Turn::Over,
                }
            }

            fn player(&self, s: &State) -> Option<usize> {
                match (s.ended, acting(s)) {
                    (0 | State::NO_MOVE | State::BROKEN, #rt::Turn::Decide(players)) if players != 0 => {
                        Some(players.trailing_zeros() as usize)
                    }
                    _ => None,
                }
            }

            #mover
        }
    }

    /// The method of the trait `Game` that plays at random.
    fn playout_method(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        if self.draws_by_counts(plans) {
            return quote!(#rt::random_games!(););
        }
        let random = self.play_at_random();
        quote! {
            fn random_playout(
                &self,
                s: &mut State,
                rng: &mut #rt::Rng,
                limit: u32,
                choices: #rt::ChoiceSet,
                buffer: &mut #rt::MoveList<Move>,
            ) -> #rt::Playout {
                #random
                playout.outcome = s.outcome();
                playout
            }
        }
    }

    /// The methods of the trait `Game` for moves as numbers and texts.
    fn move_methods(&self) -> TokenStream {
        let rt = &self.rt;
        let move_index = match &*self.game.numbers {
            Some(_) => quote! {
                let mut args = Vec::new();
                let kind = KINDS.args(mv.0.into(), &mut args);
                NUMBERS.number(kind, &args)
            },
            None => quote!(KINDS.index(mv.0.into())),
        };
        let read_move = self.read_move();
        quote! {
            fn move_index(&self, mv: Move) -> usize {
                #move_index
            }

            #[inline]
            fn move_code(&self, mv: Move) -> u64 {
                mv.0.into()
            }

            fn move_from_code(&self, code: u64) -> Option<Move> {
                KINDS.is_move(code).then(|| #read_move)
            }

            fn write_move(&self, mv: Move, out: &mut String) {
                KINDS.write(mv.0.into(), out);
            }

            fn parse_move(&self, text: &str, out: &mut #rt::MoveList<Move>) {
                KINDS.parse(text, &mut |code| out.push(#read_move));
            }
        }
    }

    /// The unit struct of the game and everything that it promises.
    pub(super) fn game_items(&self, plans: &[Option<Fast>]) -> TokenStream {
        let rt = &self.rt;
        let playout = self.playout_method(plans);
        let doc = format!(" The game {}: a value without parts.", self.game.name);
        let acting = self.turn();
        let (has_draws, chance) = match self.chance_points().is_empty() {
            true => (false, quote!()),
            false => (true, quote!(list_results(s, out);)),
        };
        let scores = self.scores();
        let episode = self.episode_items();
        let (image_items, small_traits) = self.small_traits(&episode.methods);
        let equality = &self.digests[self.game.equality.index()];
        let info = self.info(has_draws, &episode.info);
        let episode = episode.items;
        let (turn_methods, move_methods) = (self.turn_methods(), self.move_methods());
        let first_named = self.nameless().map(|_| self.first_named());
        let set_methods = self.set_methods(plans);
        quote! {
            #info

            #episode

            #[doc = #doc]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct Game;

            /// A key of a state: equal states have equal keys.
            fn state_key(s: &State) -> u64 {
                let mut words = #rt::KeyHasher::new();
                identity_head(s, &mut words);
                #equality(s, &mut words);
                words.value()
            }

            #image_items

            #acting

            #first_named

            impl #rt::Game for Game {
                type State = State;
                type Move = Move;

                fn info(&self) -> &#rt::GameInfo {
                    &INFO
                }

                fn initial(&self) -> State {
                    start_position()
                }

                #turn_methods

                #[inline]
                fn legal_moves(&self, s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                    list_moves(s, out)
                }

                #[inline]
                fn distinct_moves(&self, s: &State, out: &mut #rt::MoveList<Move>) -> Result<(), #rt::Fault> {
                    list_distinct(s, out)
                }

                #set_methods

                fn chance_outcomes(&self, s: &State, out: &mut #rt::ChanceList<Move>) {
                    #chance
                }

                #[inline]
                fn play<E: #rt::Events>(&self, s: &mut State, mv: Move, ev: &mut E) {
                    if !play_move(s, mv, ev) {
                        settle(s);
                    }
                }

                #[inline]
                fn outcome(&self, s: &State) -> Option<#rt::Outcome> {
                    s.outcome()
                }

                fn scores(&self, s: &State, out: &mut Vec<i64>) {
                    #scores
                }

                fn key(&self, s: &State) -> u64 {
                    state_key(s)
                }

                #playout

                #move_methods
            }

            #small_traits
        }
    }

    /// What beside the contract only some users of a game need, and the items that it uses.
    fn small_traits(&self, hosted: &TokenStream) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let (open, exchanging) = (self.open_play(), self.exchanging());
        let hand_over = self.hand_over();
        let counts = !self.game.counters.is_empty();
        let meters = self.meters();
        let observe = self.observe();
        let (items, image) = self.symmetry_image();
        let identities = self.identity_dispatch();
        let keys = [self.future_key(), self.timeless_key()];
        let tellings = self.telling_methods();
        let host = self.host_moves();
        let appearance = self.appearance();
        let shown = match self.nameless() {
            Some(_) => quote!(&s.named()),
            None => quote!(s),
        };
        let traits = quote! {
            impl #rt::OpenPlay for Game { #open #hand_over #exchanging }

            impl #rt::MoveArgs for Game {
                fn move_args(&self, mv: Move, args: &mut Vec<i64>) -> usize {
                    KINDS.args(mv.0.into(), args)
                }

                fn move_order(&self, mv: Move) -> u64 {
                    KINDS.order(mv.0.into())
                }
            }

            impl #rt::Notation for Game { #tellings }

            impl #rt::StateText for Game {
                fn write_state(&self, s: &State, out: &mut String) {
                    write_text(#shown, out);
                }

                fn parse_state(&self, text: &str) -> Result<State, #rt::TextError> {
                    read_text(text)
                }
            }

            impl #rt::Observe for Game {
                const COUNTS: bool = #counts;

                #observe

                fn meters(&self, s: &State, out: &mut Vec<i64>) {
                    #meters
                }

                #appearance
            }

            impl #rt::Identities for Game {
                fn identity(&self, s: &State, identity: usize, out: &mut Vec<u8>) {
                    let words = &mut #rt::support::Bytes(out);
                    identity_head(s, words);
                    match identity {
                        #identities
                        _ => {}
                    }
                }

                #image

                #(#keys)*
            }

            impl #rt::Hosted for Game { #hosted #host }

            impl #rt::Explain for Game {}
        };
        (items, traits)
    }

    /// The methods by which play goes on without asking whether somebody can move; the usual ones do where that is not asked.
    fn open_play(&self) -> Option<TokenStream> {
        let rt = &self.rt;
        let (make, settle) = match self.is_open() {
            true => (
                quote!(make_move(s, mv, &mut #rt::Silent);),
                quote!(conclude),
            ),
            false => (quote!(play_move(s, mv, &mut #rt::Silent);), quote!(settle)),
        };
        // Expressions of decisions that fault do so before anything is listed.
        (!self.has_decision_fault()).then(|| {
            quote! {
                #[inline]
                fn play_open(&self, s: &mut State, mv: Move) { #make }

                fn settle(&self, s: &mut State) { #settle(s); }
            }
        })
    }

    /// A move of a code, which may name a piece by another that is like it.
    fn read_move(&self) -> TokenStream {
        let word = self.layout.word();
        match self.nameless() {
            Some(_) => quote!(first_named(Move(code as #word))),
            None => quote!(Move(code as #word)),
        }
    }

    /// The method that tells what pictures show: placements, and the variables that looks depend on.
    fn appearance(&self) -> TokenStream {
        let none_as_minus = |none: &proc_macro2::Ident| quote!(out.push(if value == #none { -1 } else { i64::from(value) }););
        let placements = (0..self.game.placements.len()).map(|index| {
            let id = PlacementId::from(index);
            let placement = self.game.placement(id);
            let names = self.placement(id);
            let len = |domain| self.game.domain(domain).len();
            let (values, all) = match placement.form {
                PlacementForm::Anonymous => {
                    let len = len(placement.places);
                    let all = self.contents_in_turn(id, &names.contents, len);
                    (placement.pieces, all)
                }
                _ => {
                    let (places, len) = (&names.places, number(len(placement.pieces)));
                    let all = quote!(s.#places.iter().take(#len).copied());
                    (placement.places, all)
                }
            };
            let push = none_as_minus(&self.domain(values).none);
            quote!(for value in #all { #push })
        });
        let placements: TokenStream = placements.collect();
        let vars = crate::look::watched(self.game).into_iter().map(|id| {
            let (path, var) = (self.var_path(id), self.game.var(id));
            let push = match &var.ty {
                Type::Bool | Type::Int { .. } | Type::Wrap32 | Type::Elem(_) => {
                    quote!(out.push(i64::from(value));)
                }
                Type::Opt(domain) => none_as_minus(&self.domain(*domain).none),
                Type::Set(_) => quote!(
                    out.push(i64::from(value.count()));
                    out.extend(value.iter().map(|member| member as i64));
                ),
                Type::Seq { .. } | Type::Tagged => quote!(out.push(-1);),
            };
            let len = number(var.init.len());
            match (&var.ty, var.axes.is_empty()) {
                (Type::Seq { .. } | Type::Tagged, true) => push,
                (Type::Seq { .. } | Type::Tagged, false) => quote!(for _ in 0..#len { #push }),
                (_, true) => quote!({ let value = #path; #push }),
                (_, false) => quote!(for &value in #path.iter().take(#len) { #push }),
            }
        });
        let vars: TokenStream = vars.collect();
        if placements.is_empty() && vars.is_empty() {
            return TokenStream::new();
        }
        let named = self.nameless().map(|_| quote!(let s = &s.named();));
        quote! {
            fn appearance(&self, s: &State, out: &mut Vec<i64>) {
                #named
                #placements
                #vars
            }
        }
    }

    fn scores(&self) -> TokenStream {
        let Some(var) = self.game.scores else {
            return TokenStream::new();
        };
        let path = self.var_path(var);
        let players = number(self.game.player_count());
        match (self.game.var(var).axes.is_empty(), &self.game.var(var).ty) {
            (true, _) => TokenStream::new(),
            (false, Type::Int { .. } | Type::Wrap32) => {
                quote!(out.extend(#path.iter().take(#players).map(|&score| i64::from(score)));)
            }
            _ => TokenStream::new(),
        }
    }

    /// What the rules measure; what they never change is what it was.
    fn meters(&self) -> TokenStream {
        if self.game.meters.is_empty() {
            return quote!(let _ = (s, out););
        }
        let constants = crate::ir::effects::constants(self.game);
        let values = self.game.meters.iter().map(|meter| {
            let field = &self.var_fields[meter.var.index()];
            match (
                constants.vars.contains(&meter.var),
                &self.game.var(meter.var).init[..],
            ) {
                (true, [Const::Int(value)]) => {
                    let value = Literal::i64_unsuffixed(*value);
                    quote!(#value)
                }
                _ => quote!(i64::from(s.#field)),
            }
        });
        quote!(out.extend([#(#values),*]);)
    }

    /// The method that gives the turn to the other player, where that is known.
    fn hand_over(&self) -> TokenStream {
        let Some(hand_over) = &self.game.hand_over else {
            return TokenStream::new();
        };
        let ty = &self.game.var(hand_over.var).ty;
        let field = &self.var_fields[hand_over.var.index()];
        let arms = hand_over.values.iter().map(|(from, to)| {
            let (from, to) = (self.constant(from, ty).tokens, self.constant(to, ty).tokens);
            quote!(#from => #to,)
        });
        // Truth values are no more than two.
        let all = *ty == Type::Bool && hand_over.values.len() == 2;
        let rest = (!all).then(|| quote!(_ => return false,));
        let forget = self.forget_answers();
        quote! {
            fn hand_over(&self, s: &mut State) -> bool {
                if s.ended != 0 {
                    return false;
                }
                s.#field = match s.#field {
                    #(#arms)*
                    #rest
                };
                #forget
                true
            }
        }
    }

    fn identity_dispatch(&self) -> TokenStream {
        let arms = self.game.identity_order().enumerate().map(|(place, id)| {
            let (place, name) = (number(place), &self.digests[id.index()]);
            quote!(#place => #name(s, words),)
        });
        arms.collect()
    }

    fn names_of(&self, domains: &[DomainId]) -> TokenStream {
        let members = domains.iter().flat_map(|&domain| {
            let domain = self.game.domain(domain);
            (0..domain.len()).map(|member| domain.member(member as u32))
        });
        quote!(&[#(#members),*])
    }

    /// The method that lists what a host may tell.
    fn host_moves(&self) -> TokenStream {
        if self.game.by_host.is_empty() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let branches = self.decisions().map(|(point, choose)| {
            let arms = choose.arms.iter();
            let arms = arms.filter(|arm| self.game.by_host.contains(&arm.family));
            let names = arms.map(|arm| &self.family_names[arm.family.index()]);
            (point, quote!({ #(out.push(Move::#names());)* }))
        });
        let branches = self.by_point(branches.collect(), quote!());
        quote! {
            fn host_moves(&self, s: &State, out: &mut #rt::MoveList<Move>) {
                if s.ended == 0 {
                    #branches
                }
            }
        }
    }

    /// The method that tells who makes a move, where several may decide.
    fn mover(&self) -> TokenStream {
        if !self.game.has_sets_of_deciders() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let arms = (0..self.game.families.len()).filter_map(|index| {
            let param = self.game.mover_param(index.into())?;
            let count = self.game.families[index].params.len();
            let read = super::names::ident(&format!("{}_args", self.family_names[index]));
            let pattern = match count {
                1 => quote!(player),
                _ => {
                    let parts = (0..count).map(|at| match at == param {
                        true => quote!(player),
                        false => quote!(_),
                    });
                    quote!((#(#parts),*))
                }
            };
            let tag = number(index);
            Some(quote!(#tag => {
                let #pattern = mv.#read();
                usize::from(player)
            }))
        });
        quote! {
            fn mover(&self, s: &State, mv: Move) -> usize {
                match (acting(s), mv.family()) {
                    (#rt::Turn::Decide(players), _) if players.is_power_of_two() => {
                        players.trailing_zeros() as usize
                    }
                    (_, family) => match family {
                        #(#arms)*
                        _ => 0,
                    },
                }
            }
        }
    }

    /// The kinds of moves: families, then draws.
    fn kind_infos(&self) -> Vec<TokenStream> {
        let (rt, game) = (&self.rt, self.game);
        let families = game.families.iter().enumerate().map(|(id, family)| {
            let name = game.rule_name(id.into());
            let params = family.params.iter().map(|param| &param.name);
            let origin = line_of(&game.origin(family.span));
            quote!(#rt::MoveFamily::new(#name, &[#(#params),*], #origin))
        });
        let draws = game.draws.iter().map(|draw| {
            let name = &draw.name;
            let origin = line_of(&game.origin(draw.span));
            quote!(#rt::MoveFamily::new(#name, &["value"], #origin))
        });
        families.chain(draws).collect()
    }

    /// What is counted while a game is played.
    fn counter_infos(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let counters = self.game.counters.iter().map(|counter| {
            let name = &counter.name;
            let members = match counter.axis {
                Some(axis) => self.names_of(&[axis]),
                None => quote!(&[""]),
            };
            quote!(#rt::Counter { name: #name, members: #members })
        });
        counters.collect()
    }

    /// What can be read off a position.
    fn meter_infos(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let meters = self.game.meters.iter().map(|meter| {
            let (name, unit) = (&meter.name, &meter.unit);
            let per = Literal::i64_unsuffixed(meter.per);
            quote!(#rt::Meter { name: #name, unit: #unit, per: #per })
        });
        meters.collect()
    }

    fn info(&self, has_chance: bool, episode: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let game = self.game;
        let (name, language) = (&game.name, &game.language);
        let sha = game.rules_sha256();
        let compiler = concat!("rulec ", env!("CARGO_PKG_VERSION"));
        let players = self.names_of(&[game.players]);
        let all_names = |domains: &[DomainId]| match domains {
            [only] => {
                let names = &self.domain(*only).names;
                quote!(&#names)
            }
            domains => self.names_of(domains),
        };
        let pieces = all_names(&self.piece_domains());
        let places = all_names(&self.place_domains());
        let kinds = self.kind_infos();
        let identities: Vec<IdentityId> = self.game.identity_order().collect();
        let shown = game.future.as_ref();
        let future = identities
            .iter()
            .position(|&id| shown.is_some_and(|f| f.identity == id));
        let future = number(future.unwrap_or(0));
        let timeless = identities
            .iter()
            .position(|&id| game.timeless() == Some(id));
        let timeless = match timeless.map(number) {
            Some(index) => quote!(Some(#index)),
            None => quote!(None),
        };
        let exact_equality = shown.is_none_or(|f| f.of_equality);
        let exact_classes = shown.is_none_or(|f| f.of_classes);
        let identities = identities.iter().map(|&id| &game.identity(id).name);
        let alike = game
            .interchangeable
            .iter()
            .map(|class| self.alike_members(class));
        let (symmetry_items, symmetries) = self.symmetry_infos();
        let unknown = match &game.symmetries.unknown {
            Some(why) => quote!(Some(#why)),
            None => quote!(None),
        };
        let apart = match game.symmetries.told_apart() {
            Some(why) => quote!(Some(#why)),
            None => quote!(None),
        };
        let sites = self.sites.borrow();
        let faults = sites.keys().map(|(code, span)| {
            let (name, message) = (code.name(), code.message());
            let origin = game.origin(*span);
            quote!(#rt::FaultSite::new(#name, #message, #origin))
        });
        let faults: Vec<_> = faults.collect();
        let counters = self.counter_infos();
        let meters = self.meter_infos();
        let planes = self.plane_infos();
        let has_scores = game.scores.is_some();
        let several = game.has_sets_of_deciders();
        let (count, numbers) = match &*game.numbers {
            Some(numbers) => (numbers.count(), quote!(&NUMBERS)),
            None => (
                self.move_count().min(u64::from(u32::MAX) << 16),
                quote!(&#rt::MoveNumbers::EMPTY),
            ),
        };
        let count = Literal::u64_unsuffixed(count);
        let numbers_items = self.move_numbers();
        quote! {
            #numbers_items
            #symmetry_items

            /// Where the rules can fail.
            static FAULTS: &[#rt::FaultSite] = &[#(#faults),*];

            /// What is known of the game before it is played.
            static INFO: #rt::GameInfo = #rt::GameInfo {
                name: #name,
                language: #language,
                rules_sha256: #sha,
                compiler: #compiler,
                players: #players,
                families: &[#(#kinds),*],
                move_count: #count,
                numbers: #numbers,
                pieces: #pieces,
                places: #places,
                identities: &[#(#identities),*],
                future: #future,
                timeless: #timeless,
                exact_equality: #exact_equality,
                exact_classes: #exact_classes,
                alike: &[#(#alike),*],
                symmetries: #symmetries,
                symmetries_unknown: #unknown,
                sides_apart: #apart,
                faults: FAULTS,
                episode: #episode,
                counters: &[#(#counters),*],
                meters: &[#(#meters),*],
                planes: #planes,
                has_chance: #has_chance,
                has_scores: #has_scores,
                several_at_once: #several,
                state_bytes: ::core::mem::size_of::<State>(),
            };
        }
    }
}

impl Generator<'_> {
    /// Members that are alike, by the numbers that the description of the game gives them.
    fn alike_members(&self, class: &Interchangeable) -> TokenStream {
        let rt = &self.rt;
        let (pieces, domains) = match class.pieces {
            true => (true, self.piece_domains()),
            false => (false, self.place_domains()),
        };
        let before = domains.iter().take_while(|domain| **domain != class.domain);
        let first: usize = before.map(|domain| self.game.domain(*domain).len()).sum();
        let text = class.text(self.game);
        let members = class
            .members
            .iter()
            .map(|member| number(first + *member as usize));
        quote!(#rt::Alike { text: #text, pieces: #pieces, members: &[#(#members),*] })
    }
}

/// `file:line` of `file:line:column`.
fn line_of(origin: &str) -> String {
    match origin.rsplit_once(':') {
        Some((line, _)) => line.to_owned(),
        None => origin.to_owned(),
    }
}
