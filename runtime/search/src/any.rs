//! A state of some game with the type of the game hidden.
//!
//! Hot loops are compiled for each game; everything around them (the command line, statistics,
//! bots, printing) works on [`AnyState`] and is compiled once, which keeps the build of a game short.

use std::ops::Range;

use rulec_core::{
    Board, ChanceList, ChoiceSet, Event, Fault, FullGame, Game, GameInfo, MoveList, Outcome,
    PlayoutSums, Present, RandomStreams, Refusal, Rng, Silent, TextError, Turn, Wish,
};

use crate::{
    Progress,
    episode::attempts::{self, AttemptJob, AttemptTally},
    evaluation::{Evaluation, View, mobility::mobility},
    explore::{self, Exploration, ExploreLimits},
    orbit::{self, Orbits},
    perft::{self, Perft, Unit},
    playout::{self, PlayoutJob, Tally},
    search::{self, Method, SearchReport, SearchSettings},
    simulate::{self, Statistics},
    turns, uct,
    walk::{Line, Walk},
};

/// Moves that a game may have so that a set of them is made: 2 MB.
const MOST_IN_A_SET: usize = 1 << 24;

/// A state of a game whose type is hidden; moves are their packed codes ([`Game::move_code`]).
pub type State<'g> = Box<dyn AnyState<'g> + 'g>;

/// A move, or a result of a draw, that can happen next.
#[derive(Clone, Copy, Debug)]
pub struct Next<'n> {
    /// Its packed code.
    pub code: u64,
    /// Its weight; 1 for moves.
    pub weight: u64,
    /// Its family, draws after the families of moves.
    pub family: usize,
    /// Its arguments, see [`MoveArgs::move_args`](rulec_core::MoveArgs::move_args).
    pub args: &'n [i64],
}

/// What can be done with a state of any game. See [`FullGame`](rulec_core::FullGame) for the meaning of the methods.
pub trait AnyState<'g>: Send + Sync {
    /// What is known of the game.
    fn info(&self) -> &'g GameInfo;
    /// The same without what may take long to find; see [`Game::about`](rulec_core::Game::about).
    fn about(&self) -> &'g GameInfo;
    /// A copy.
    fn fork(&self) -> State<'g>;
    /// The state of a canonical text.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read(&self, text: &str) -> Result<State<'g>, TextError>;
    /// The canonical text.
    fn text(&self) -> String;
    /// Who acts next.
    fn turn(&self) -> Turn;
    /// The player whose turn it is by the rules, also where nobody can move if the game knows.
    fn player(&self) -> Option<usize>;
    /// How the game ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The score of every player.
    fn scores(&self) -> Vec<i64>;
    /// Appends the values of the planes, see [`Observe::observe`](rulec_core::Observe::observe).
    fn observe(&self, out: &mut Vec<i64>);
    /// The same, but of the values that are not 0.
    fn observe_present(&self, out: &mut Present);
    /// What an evaluation says of the position.
    #[doc(hidden)]
    fn judged(&self, evaluation: &Evaluation) -> View;
    /// By how many moves the first player has more to choose from than the second one, see [`mobility`].
    #[doc(hidden)]
    fn mobility(&self) -> i64;
    /// The dense index of a move, see [`Game::move_index`].
    fn move_index(&self, code: u64) -> usize;
    /// A number that orders moves, see [`MoveArgs::move_order`](rulec_core::MoveArgs::move_order).
    fn move_order(&self, code: u64) -> u64;
    /// A 64-bit key: equal states have equal keys.
    fn key(&self) -> u64;
    /// A key by what the future depends on, see [`Identities::future_key`](rulec_core::Identities::future_key).
    fn future_key(&self) -> u64;
    /// The same without how play came there, see [`Identities::timeless_key`](rulec_core::Identities::timeless_key).
    fn timeless_key(&self) -> u64;
    /// Appends the encoding of the state under an identity, see [`Identities::identity`](rulec_core::Identities::identity).
    fn identity(&self, identity: usize, out: &mut Vec<u8>);
    /// Appends the encoding that all positions of an orbit share, see [`orbit::encode`].
    fn encode(&self, identity: usize, orbits: Orbits, out: &mut Vec<u8>);
    /// The image of the position under a symmetry, see [`Identities::image`](rulec_core::Identities::image).
    fn image(&self, symmetry: usize) -> Option<State<'g>>;
    /// Puts the moves to choose from in `out`, in place of what it held.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn moves(&self, choices: ChoiceSet, out: &mut Vec<u64>) -> Result<(), Fault>;
    /// The moves of [`Game::legal_set`](rulec_core::Game::legal_set), each with its index; nothing where the game has no such set,
    /// or so many moves (2^24) that a set would be too large.
    fn set_moves(&self) -> Option<Vec<(usize, u64)>>;
    /// The position after a move that is drawn as random games draw theirs; nothing if there is none.
    fn drawn(&self, choices: ChoiceSet, rng: &mut Rng) -> Option<State<'g>>;
    /// The start on a board that a host gives, see [`Hosted::start`](rulec_core::Hosted::start).
    fn begin(&self, board: &Board) -> Option<State<'g>>;
    /// The units that a target accepts, see [`Hosted::accepted`](rulec_core::Hosted::accepted).
    fn accepted(&self, target: usize) -> u64;
    /// The code of the move of a unit to a target.
    fn attempt(&self, target: usize, unit: usize) -> Option<u64>;
    /// The counters of the active row, see [`Hosted::counters`](rulec_core::Hosted::counters).
    fn counters(&self) -> Vec<i64>;
    /// Plays episodes of a player who tries at random, see [`crate::episode::attempts`].
    fn attempts(&self, job: &AttemptJob, tally: &mut AttemptTally);
    /// What the host of the game may tell here, see [`Hosted::host_moves`](rulec_core::Hosted::host_moves).
    fn host_moves(&self) -> Vec<u64>;
    /// Calls `f` with everything that can happen next.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn each_choice(&self, f: &mut dyn FnMut(Next<'_>)) -> Result<(), Fault>;
    /// The results of the draw that is due.
    fn results(&self) -> ChanceList<u64>;
    /// Plays a move; false where no move has that code.
    fn play(&mut self, code: u64, events: Option<&mut Vec<Event>>) -> bool;
    /// Calls `f` with how many moves there are and the position after each of them, which stays so until the next call. Whether
    /// somebody can move there may be left open, see [`OpenPlay::play_open`](rulec_core::OpenPlay::play_open).
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn each_next(
        &self,
        choices: ChoiceSet,
        f: &mut dyn FnMut(usize, &mut (dyn AnyState<'g> + 'g)),
    ) -> Result<(), Fault>;
    /// Ends the game if nobody can move, see [`OpenPlay::settle`](rulec_core::OpenPlay::settle).
    fn settle(&mut self);
    /// The position in which the other player is on turn and all else is as it is, see [`OpenPlay::hand_over`](rulec_core::OpenPlay::hand_over).
    fn handed_over(&self) -> Option<State<'g>>;
    /// Whether a move may exchange something, see [`OpenPlay::may_exchange`](rulec_core::OpenPlay::may_exchange).
    fn may_exchange(&self, code: u64) -> bool;
    /// The planes that count what is exchanged, see [`OpenPlay::exchange_planes`](rulec_core::OpenPlay::exchange_planes).
    fn exchange_planes(&self) -> &'static [usize];
    /// The text of a move that can be made here, see [`Notation::write_move_in`](rulec_core::Notation::write_move_in).
    fn move_text(&self, code: u64) -> String;
    /// The player who makes a move, see [`Game::mover`].
    fn mover(&self, code: u64) -> usize;
    /// The family and the arguments of a move.
    fn move_args(&self, code: u64) -> (usize, Vec<i64>);
    /// The moves whose text is `text`, see [`Notation::parse_move_in`](rulec_core::Notation::parse_move_in).
    fn parse_move(&self, text: &str) -> Vec<u64>;
    /// What pictures show of the position, see [`Observe::appearance`](rulec_core::Observe::appearance).
    fn appearance(&self) -> Vec<i64>;
    /// Why a wish is not legal, see [`Explain::explain`](rulec_core::Explain::explain).
    fn explain(&self, wish: Wish<'_>) -> Option<Refusal>;
    /// All ways to play the turn that is due, each with its moves, see [`turns::turns`].
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn turns(&self, choices: ChoiceSet) -> Result<Vec<(Vec<u64>, State<'g>)>, Fault>;
    /// Counts sequences of moves or turns, see [`perft::count`] and [`turns::count`].
    fn perft(&self, task: &perft::Task) -> Perft;
    /// The moves that a task of counting counts, those together that are shown to lead to the same counts.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn kinds_of_moves(&self, task: &perft::Task) -> Result<Vec<Vec<u64>>, Fault>;
    /// Plays random games, see [`playout::play_streams`].
    fn playouts(&self, job: &PlayoutJob, streams: Range<u64>, tally: &mut Tally);
    /// Plays random games in which one player acts at a time, see [`Game::random_turns`].
    fn random_turns(&self, games: &RandomStreams, sums: &mut PlayoutSums) -> bool;
    /// Simulates games, see [`simulate::simulate_streams`].
    fn simulate(&self, job: &simulate::Job, games: Range<u64>, out: &mut Statistics);
    /// A line of play that begins here, see [`Walk`].
    fn walk(&self) -> Box<dyn Walk + 'g>;
    /// A UCT search from here that remembers.
    fn thinker(&self, settings: &SearchSettings) -> Box<dyn uct::Thinker + 'g>;
    /// Looks for the best move with the method of the settings.
    fn search(&self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport;
    /// Visits every state that can be reached, see [`explore::explore`].
    fn explore(&self, limits: &ExploreLimits, progress: Progress<'_>) -> Exploration;
}

/// The start of a game with its type hidden.
pub fn start<G: FullGame>(game: &G) -> State<'_> {
    hide(game, game.initial())
}

/// A state with the type of its game hidden.
pub fn hide<G: FullGame>(game: &G, state: G::State) -> State<'_> {
    Box::new(Held { game, state })
}

struct Held<'g, G: Game> {
    game: &'g G,
    state: G::State,
}

impl<'g, G: Game> Held<'g, G> {
    fn with_move<T: Default>(&self, code: u64, f: impl FnOnce(G::Move) -> T) -> T {
        self.game.move_from_code(code).map(f).unwrap_or_default()
    }
}

impl<'g, G: FullGame> AnyState<'g> for Held<'g, G> {
    fn info(&self) -> &'g GameInfo {
        self.game.info()
    }

    fn about(&self) -> &'g GameInfo {
        self.game.about()
    }

    fn fork(&self) -> State<'g> {
        hide(self.game, self.state.clone())
    }

    fn read(&self, text: &str) -> Result<State<'g>, TextError> {
        Ok(hide(self.game, self.game.parse_state(text)?))
    }

    fn text(&self) -> String {
        let mut out = String::new();
        self.game.write_state(&self.state, &mut out);
        out
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn player(&self) -> Option<usize> {
        self.game.player(&self.state)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    fn scores(&self) -> Vec<i64> {
        let mut out = Vec::new();
        self.game.scores(&self.state, &mut out);
        out
    }

    fn observe(&self, out: &mut Vec<i64>) {
        self.game.observe(&self.state, out);
    }

    fn observe_present(&self, out: &mut Present) {
        self.game.observe(&self.state, out);
    }

    fn judged(&self, evaluation: &Evaluation) -> View {
        View::of(self.game, &self.state, evaluation)
    }

    fn mobility(&self) -> i64 {
        mobility(self.game, &self.state, &mut None, &mut MoveList::new())
    }

    fn move_index(&self, code: u64) -> usize {
        self.with_move(code, |mv| self.game.move_index(mv))
    }

    fn move_order(&self, code: u64) -> u64 {
        self.with_move(code, |mv| self.game.move_order(mv))
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn future_key(&self) -> u64 {
        self.game.future_key(&self.state)
    }

    fn timeless_key(&self) -> u64 {
        self.game.timeless_key(&self.state)
    }

    fn identity(&self, identity: usize, out: &mut Vec<u8>) {
        self.game.identity(&self.state, identity, out);
    }

    fn encode(&self, identity: usize, orbits: Orbits, out: &mut Vec<u8>) {
        orbit::encode(self.game, &self.state, identity, orbits, out);
    }

    fn image(&self, symmetry: usize) -> Option<State<'g>> {
        let image = self.game.image(&self.state, symmetry)?;
        Some(hide(self.game, image))
    }

    fn moves(&self, choices: ChoiceSet, out: &mut Vec<u64>) -> Result<(), Fault> {
        let mut list = MoveList::new();
        match choices {
            ChoiceSet::All => self.game.legal_moves(&self.state, &mut list)?,
            ChoiceSet::Distinct => self.game.distinct_moves(&self.state, &mut list)?,
        }
        out.clear();
        out.extend(list.iter().map(|&mv| self.game.move_code(mv)));
        Ok(())
    }

    fn set_moves(&self) -> Option<Vec<(usize, u64)>> {
        let count = self.game.info().move_count;
        if count > MOST_IN_A_SET {
            return None;
        }
        let mut words = vec![0; count.div_ceil(64)];
        if !self.game.legal_set(&self.state, &mut words) {
            return None;
        }
        let holds = |index: &usize| {
            words
                .get(index / 64)
                .is_some_and(|word| word >> (index % 64) & 1 == 1)
        };
        let moves = (0..words.len() * 64).filter(holds).map(|index| {
            let mv = self.game.move_in_set(&self.state, index);
            (index, mv.map_or(u64::MAX, |mv| self.game.move_code(mv)))
        });
        Some(moves.collect())
    }

    fn drawn(&self, choices: ChoiceSet, rng: &mut Rng) -> Option<State<'g>> {
        let (mut state, mut room) = (self.state.clone(), MoveList::new());
        let playout = self
            .game
            .random_playout(&mut state, rng, 1, choices, &mut room);
        (playout.plies == 1).then(|| hide(self.game, state))
    }

    fn begin(&self, board: &Board) -> Option<State<'g>> {
        Some(hide(self.game, self.game.start(board)?))
    }

    fn accepted(&self, target: usize) -> u64 {
        self.game.accepted(&self.state, target)
    }

    fn attempt(&self, target: usize, unit: usize) -> Option<u64> {
        let mv = self.game.attempt(target, unit)?;
        Some(self.game.move_code(mv))
    }

    fn counters(&self) -> Vec<i64> {
        let mut out = Vec::new();
        self.game.counters(&self.state, &mut out);
        out
    }

    fn attempts(&self, job: &AttemptJob, tally: &mut AttemptTally) {
        attempts::run(self.game, job, tally);
    }

    fn host_moves(&self) -> Vec<u64> {
        let mut list = MoveList::new();
        self.game.host_moves(&self.state, &mut list);
        list.iter().map(|&mv| self.game.move_code(mv)).collect()
    }

    fn each_choice(&self, f: &mut dyn FnMut(Next<'_>)) -> Result<(), Fault> {
        let mut args = Vec::new();
        let mut tell = |mv: G::Move, weight: u64| {
            args.clear();
            let family = self.game.move_args(mv, &mut args);
            f(Next {
                code: self.game.move_code(mv),
                weight,
                family,
                args: &args,
            });
        };
        match self.game.turn(&self.state) {
            Turn::Over => {}
            Turn::Chance => {
                let mut list = ChanceList::new();
                self.game.chance_outcomes(&self.state, &mut list);
                list.iter().for_each(|&(mv, weight)| tell(mv, weight));
            }
            Turn::Decide(_) => {
                let mut list = MoveList::new();
                self.game.legal_moves(&self.state, &mut list)?;
                list.iter().for_each(|&mv| tell(mv, 1));
            }
        }
        Ok(())
    }

    fn results(&self) -> ChanceList<u64> {
        let mut list = ChanceList::new();
        self.game.chance_outcomes(&self.state, &mut list);
        let mut out = ChanceList::new();
        for &(mv, weight) in &list {
            out.push(self.game.move_code(mv), weight);
        }
        out
    }

    fn play(&mut self, code: u64, events: Option<&mut Vec<Event>>) -> bool {
        let Some(mv) = self.game.move_from_code(code) else {
            return false;
        };
        match events {
            Some(events) => self.game.play(&mut self.state, mv, events),
            None => self.game.play(&mut self.state, mv, &mut Silent),
        }
        true
    }

    fn each_next(
        &self,
        choices: ChoiceSet,
        f: &mut dyn FnMut(usize, &mut (dyn AnyState<'g> + 'g)),
    ) -> Result<(), Fault> {
        let mut list = MoveList::new();
        match choices {
            ChoiceSet::All => self.game.legal_moves(&self.state, &mut list)?,
            ChoiceSet::Distinct => self.game.distinct_moves(&self.state, &mut list)?,
        }
        let mut next = Held {
            game: self.game,
            state: self.state.clone(),
        };
        for (at, &mv) in list.iter().enumerate() {
            if at > 0 {
                next.state.clone_from(&self.state);
            }
            self.game.play_open(&mut next.state, mv);
            f(list.len(), &mut next);
        }
        Ok(())
    }

    fn settle(&mut self) {
        self.game.settle(&mut self.state);
    }

    fn handed_over(&self) -> Option<State<'g>> {
        let mut state = self.state.clone();
        let handed = self.game.hand_over(&mut state);
        self.game.settle(&mut state);
        handed.then(|| hide(self.game, state))
    }

    fn may_exchange(&self, code: u64) -> bool {
        let mv = self.game.move_from_code(code);
        mv.is_none_or(|mv| self.game.may_exchange(&self.state, mv))
    }

    fn exchange_planes(&self) -> &'static [usize] {
        self.game.exchange_planes()
    }

    fn move_text(&self, code: u64) -> String {
        self.with_move(code, |mv| {
            let mut out = String::new();
            self.game.write_move_in(&self.state, mv, &mut out);
            out
        })
    }

    fn mover(&self, code: u64) -> usize {
        self.with_move(code, |mv| self.game.mover(&self.state, mv))
    }

    fn move_args(&self, code: u64) -> (usize, Vec<i64>) {
        self.with_move(code, |mv| {
            let mut args = Vec::new();
            (self.game.move_args(mv, &mut args), args)
        })
    }

    fn parse_move(&self, text: &str) -> Vec<u64> {
        let mut list = MoveList::new();
        self.game.parse_move_in(&self.state, text, &mut list);
        list.iter().map(|&mv| self.game.move_code(mv)).collect()
    }

    fn appearance(&self) -> Vec<i64> {
        let mut out = Vec::new();
        self.game.appearance(&self.state, &mut out);
        out
    }

    fn explain(&self, wish: Wish<'_>) -> Option<Refusal> {
        self.game.explain(&self.state, wish)
    }

    fn turns(&self, choices: ChoiceSet) -> Result<Vec<(Vec<u64>, State<'g>)>, Fault> {
        let code = |mv: &G::Move| self.game.move_code(*mv);
        let shown = |end: turns::End<G>| {
            let path = std::iter::once(&end.first).chain(&end.more).map(code);
            (path.collect(), hide(self.game, end.state))
        };
        let ends = turns::turns(self.game, &self.state, choices)?;
        Ok(ends.into_iter().map(shown).collect())
    }

    fn perft(&self, task: &perft::Task) -> Perft {
        match task.unit {
            Unit::Turn => turns::count(self.game, &self.state, task.depth, task.choices),
            Unit::Move | Unit::Decision => perft::single_moves(self.game, &self.state, task),
        }
    }

    fn kinds_of_moves(&self, task: &perft::Task) -> Result<Vec<Vec<u64>>, Fault> {
        perft::kinds_of_moves(self.game, &self.state, task)
    }

    fn playouts(&self, job: &PlayoutJob, streams: Range<u64>, tally: &mut Tally) {
        playout::play_streams(self.game, &self.state, job, streams, tally);
    }

    fn random_turns(&self, games: &RandomStreams, sums: &mut PlayoutSums) -> bool {
        self.game.random_turns(&self.state, games, sums)
    }

    fn simulate(&self, job: &simulate::Job, games: Range<u64>, out: &mut Statistics) {
        simulate::simulate_streams(self.game, &self.state, job, games, out);
    }

    fn walk(&self) -> Box<dyn Walk + 'g> {
        Box::new(Line::new(self.game, self.state.clone()))
    }

    fn thinker(&self, settings: &SearchSettings) -> Box<dyn uct::Thinker + 'g> {
        Box::new(uct::Memory::new(self.game, self.state.clone(), settings))
    }

    fn search(&self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport {
        match settings.method {
            Method::Uct => search::uct(self.game, &self.state, settings, progress),
            Method::Flat => search::flat(self.game, &self.state, settings, progress),
            _ => search::by_walking(self, settings, progress),
        }
    }

    fn explore(&self, limits: &ExploreLimits, progress: Progress<'_>) -> Exploration {
        explore::explore(self.game, &self.state, limits, progress)
    }
}
