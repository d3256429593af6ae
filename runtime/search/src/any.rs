//! A state of some game with the type of the game hidden.
//!
//! Hot loops are compiled for each game; everything around them (the command line, statistics,
//! bots, printing) works on [`AnyState`] and is compiled once, which keeps the build of a game short.

use std::ops::Range;

use rulec_core::{
    ChanceList, ChoiceSet, Event, Fault, Game, GameInfo, MoveList, Outcome, Silent, Turn,
};

use crate::{
    Progress,
    explore::{self, Exploration, ExploreLimits},
    perft::{self, Perft},
    playout::{self, PlayoutJob, Tally},
    search::{self, Method, SearchReport, SearchSettings},
    simulate::{self, Statistics},
};

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
    /// Its arguments, see [`Game::move_args`].
    pub args: &'n [i64],
}

/// What can be done with a state of any game. See [`Game`] for the meaning of the methods.
pub trait AnyState<'g>: Send + Sync {
    /// What is known of the game.
    fn info(&self) -> &'g GameInfo;
    /// A copy.
    fn fork(&self) -> State<'g>;
    /// The state of a canonical text.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read(&self, text: &str) -> Result<State<'g>, String>;
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
    /// A 64-bit key: equal states have equal keys.
    fn key(&self) -> u64;
    /// Appends the encoding of the state under an identity, see [`Game::identity`].
    fn identity(&self, identity: usize, out: &mut Vec<u8>);
    /// Puts the moves to choose from in `out`, in place of what it held.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn moves(&self, choices: ChoiceSet, out: &mut Vec<u64>) -> Result<(), Fault>;
    /// Calls `f` with everything that can happen next.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn each_choice(&self, f: &mut dyn FnMut(Next<'_>)) -> Result<(), Fault>;
    /// The results of the draw that is due.
    fn results(&self) -> ChanceList<u64>;
    /// Plays a move; false where no move has that code.
    fn play(&mut self, code: u64, events: Option<&mut Vec<Event>>) -> bool;
    /// The text of a move.
    fn move_text(&self, code: u64) -> String;
    /// The family and the arguments of a move.
    fn move_args(&self, code: u64) -> (usize, Vec<i64>);
    /// The moves whose text is `text`.
    fn parse_move(&self, text: &str) -> Vec<u64>;
    /// Counts sequences of moves, see [`perft::count`].
    fn perft(&self, depth: u32, choices: ChoiceSet) -> Perft;
    /// Plays random games, see [`playout::play_streams`].
    fn playouts(&self, job: &PlayoutJob, streams: Range<u64>, tally: &mut Tally);
    /// Simulates games, see [`simulate::simulate_streams`].
    fn simulate(&self, job: &simulate::Job, games: Range<u64>, out: &mut Statistics);
    /// Looks for the best move, see [`search::uct`] and [`search::flat`].
    fn search(&self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport;
    /// Visits every state that can be reached, see [`explore::explore`].
    fn explore(&self, limits: &ExploreLimits, progress: Progress<'_>) -> Exploration;
}

/// The start of a game with its type hidden.
pub fn start<G: Game>(game: &G) -> State<'_> {
    hide(game, game.initial())
}

/// A state with the type of its game hidden.
pub fn hide<G: Game>(game: &G, state: G::State) -> State<'_> {
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

impl<'g, G: Game> AnyState<'g> for Held<'g, G> {
    fn info(&self) -> &'g GameInfo {
        self.game.info()
    }

    fn fork(&self) -> State<'g> {
        hide(self.game, self.state.clone())
    }

    fn read(&self, text: &str) -> Result<State<'g>, String> {
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

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn identity(&self, identity: usize, out: &mut Vec<u8>) {
        self.game.identity(&self.state, identity, out);
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

    fn move_text(&self, code: u64) -> String {
        self.with_move(code, |mv| {
            let mut out = String::new();
            self.game.write_move(mv, &mut out);
            out
        })
    }

    fn move_args(&self, code: u64) -> (usize, Vec<i64>) {
        self.with_move(code, |mv| {
            let mut args = Vec::new();
            (self.game.move_args(mv, &mut args), args)
        })
    }

    fn parse_move(&self, text: &str) -> Vec<u64> {
        let mut list = MoveList::new();
        self.game.parse_move(text, &mut list);
        list.iter().map(|&mv| self.game.move_code(mv)).collect()
    }

    fn perft(&self, depth: u32, choices: ChoiceSet) -> Perft {
        perft::count(self.game, &self.state, depth, choices)
    }

    fn playouts(&self, job: &PlayoutJob, streams: Range<u64>, tally: &mut Tally) {
        playout::play_streams(self.game, &self.state, job, streams, tally);
    }

    fn simulate(&self, job: &simulate::Job, games: Range<u64>, out: &mut Statistics) {
        simulate::simulate_streams(self.game, &self.state, job, games, out);
    }

    fn search(&self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport {
        match settings.method {
            Method::Uct => search::uct(self.game, &self.state, settings, progress),
            Method::Flat => search::flat(self.game, &self.state, settings, progress),
        }
    }

    fn explore(&self, limits: &ExploreLimits, progress: Progress<'_>) -> Exploration {
        explore::explore(self.game, &self.state, limits, progress)
    }
}
