//! The trait that every game implements, and what is known of a game.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::episode::EpisodeInfo;
use crate::{
    ChanceList, Events, Fault, KeyHasher, MoveList, MoveNumbers, Outcome, Payoffs, Playout,
    PlayoutSums, Rng, Symmetry,
};

/// A finite, turn-based, possibly stochastic game for any number of players.
///
/// Players are numbered from 0 in this interface; texts show them from 1.
///
/// The nine required methods come first: who the game is and where it starts, whose turn it is, which moves are legal, what a
/// move does, how the game ended, and how moves are written, as numbers and for people. The rest have defaults; compiled games
/// override them with faster code. This trait is all that counting, random games and most searches ask for. What only some
/// users need is in traits of its own, such as [`StateText`](crate::StateText) or [`Observe`](crate::Observe);
/// [`FullGame`](crate::FullGame) is all of them together. A game written by hand gets them with one line, see
/// [`PlainGame`](crate::PlainGame).
pub trait Game: Send + Sync {
    /// A position. Equal states have equal futures but for what [`GameInfo::exact_equality`] tells.
    type State: Clone + Eq + Hash + Send + Sync;
    /// A move. In compiled games it is one packed integer that holds the family and the arguments.
    type Move: Copy + Eq + Ord + Hash + Send + Sync;

    /// Names, bounds and origins that do not change while playing.
    fn info(&self) -> &GameInfo;

    /// The same without what takes long to find where the rules are interpreted, which may be missing: what is alike, symmetries,
    /// and the numbers of moves. It suffices for names.
    fn about(&self) -> &GameInfo {
        self.info()
    }

    /// The start position.
    fn initial(&self) -> Self::State;

    /// Who acts next: players, chance, or nobody because the game is over.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends every legal move to `out`, each exactly once.
    ///
    /// Empty when the game is over or chance is to move.
    /// The order is the same in every run of one program, and otherwise no part of the meaning.
    ///
    /// # Errors
    /// The fault that a rule ran into while it was tried.
    fn legal_moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>)
    -> Result<(), Fault>;

    /// Plays a legal move (or a result of a draw) and runs on to the next decision.
    ///
    /// The move is not checked. After an illegal one the state is unspecified: a compiled game does not panic, but pieces may
    /// stand where they never could; a game written by hand may panic. Use [`Game::try_play`] for moves that come from outside.
    /// A fault ends the game: the position stays as it was before the move, and the outcome is the fault.
    /// Without a listener ([`Silent`](crate::Silent)) events cost nothing.
    fn play<E: Events>(&self, state: &mut Self::State, mv: Self::Move, events: &mut E);

    /// How the game ended, `None` while it goes on.
    ///
    /// A position whose only ending is that nobody can move has an outcome too (reason
    /// [`Reason::Stuck`](crate::Reason::Stuck)), found when the position is reached.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The packed form of the move: what searches, files and the C interface call it by. Any number of 64 bits, but no two
    /// moves have the same.
    fn move_code(&self, mv: Self::Move) -> u64;

    /// The move of a packed form, `None` where there is none.
    fn move_from_code(&self, code: u64) -> Option<Self::Move>;

    /// Appends the text of the move.
    fn write_move(&self, mv: Self::Move, out: &mut String);

    /// Whether a move, or a result of the draw that is due, may be played here.
    ///
    /// # Errors
    /// The fault that a rule ran into while it was tried.
    fn is_legal(&self, state: &Self::State, mv: Self::Move) -> Result<bool, Fault> {
        if self.turn(state) == Turn::Chance {
            let mut results = ChanceList::new();
            self.chance_outcomes(state, &mut results);
            return Ok(results.iter().any(|(result, _)| *result == mv));
        }
        let mut moves = MoveList::new();
        self.legal_moves(state, &mut moves)?;
        Ok(moves.contains(&mv))
    }

    /// Checks that a move is legal and plays it, as [`Game::play`] does.
    ///
    /// A fault while a legal move is played is no error here: it ends the game, see [`Game::play`].
    ///
    /// # Errors
    /// Why the move was not played; the state has not changed.
    fn try_play<E: Events>(
        &self,
        state: &mut Self::State,
        mv: Self::Move,
        events: &mut E,
    ) -> Result<(), Illegal> {
        match self.is_legal(state, mv) {
            _ if self.turn(state) == Turn::Over => Err(Illegal::Over),
            Ok(true) => {
                self.play(state, mv, events);
                Ok(())
            }
            Ok(false) => Err(Illegal::Move),
            Err(fault) => Err(Illegal::Fault(fault)),
        }
    }

    /// The payoff of each player, from 0 (lost) to 1 (won), see [`Outcome::payoff`]; `None` while the game goes on.
    fn returns(&self, state: &Self::State) -> Option<Payoffs> {
        let outcome = self.outcome(state)?;
        Some(Payoffs::new(outcome, self.info().players.len()))
    }

    /// The player whose turn it is by the rules, the first of them where several may decide.
    ///
    /// A game that knows the player also where nobody can move ([`Reason::Stuck`](crate::Reason::Stuck)) overrides
    /// this; the default knows it only while somebody decides.
    #[inline]
    fn player(&self, state: &Self::State) -> Option<usize> {
        match self.turn(state) {
            Turn::Decide(players) if players != 0 => Some(players.trailing_zeros() as usize),
            Turn::Decide(_) | Turn::Chance | Turn::Over => None,
        }
    }

    /// The player who makes the move, by default [`Game::player`].
    ///
    /// Only a game in which several players may decide at once ([`Turn::Decide`] with more than one
    /// bit) needs to say more.
    #[inline]
    fn mover(&self, state: &Self::State, mv: Self::Move) -> usize {
        let _ = mv;
        self.player(state).unwrap_or(0)
    }

    /// Appends every possible result of the draw that is due, with exact weights; empty unless
    /// [`Turn::Chance`]. The default is for games without draws.
    fn chance_outcomes(&self, state: &Self::State, out: &mut ChanceList<Self::Move>) {
        let _ = (state, out);
    }

    /// Appends the score of every player; nothing where the rules keep none.
    fn scores(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Appends the moves that are written as `text`, legal or not; there may be several, as families can share a notation.
    ///
    /// The default tries the packed forms `0..GameInfo::move_count`, and finds no move beyond them.
    fn parse_move(&self, text: &str, out: &mut MoveList<Self::Move>) {
        let mut own = String::new();
        for code in 0..self.info().move_count as u64 {
            if let Some(mv) = self.move_from_code(code) {
                own.clear();
                self.write_move(mv, &mut own);
                out.extend((own == text).then_some(mv));
            }
        }
    }

    /// The index of the move in `0..GameInfo::move_count`, for tables and networks.
    ///
    /// Moves that differ only in which of several interchangeable things they name share an index, see [`MoveNumbers`]; a move
    /// that is legal in no position may have the index `GameInfo::move_count`. The default is the packed form: override it
    /// if packed forms reach `GameInfo::move_count`.
    fn move_index(&self, mv: Self::Move) -> usize {
        self.move_code(mv) as usize
    }

    /// A 64-bit key of the state: equal states have equal keys. The default is computed from its `Hash`, and may change from one
    /// version to the next.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = KeyHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Appends one legal move of every class that the rules call equal (interchangeable pieces).
    ///
    /// The same as [`Game::legal_moves`] for a game without such classes, which is the default.
    ///
    /// # Errors
    /// The fault that a rule ran into while it was tried.
    fn distinct_moves(
        &self,
        state: &Self::State,
        out: &mut MoveList<Self::Move>,
    ) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    /// Adds the moves of [`Game::distinct_moves`] to a set of their indexes that is empty and has room for all: bit `i % 64` of word
    /// `i / 64` stands for the move with index `i`. They lie in the set in the order of the list.
    ///
    /// False, which is the default, where moves have to be listed or a rule fails; then the set holds anything.
    #[inline]
    fn legal_set(&self, state: &Self::State, set: &mut [u64]) -> bool {
        let _ = (state, set);
        false
    }

    /// The move with an index that [`Game::legal_set`] put into the set of this state. For other indexes it is some move or none.
    #[inline]
    fn move_in_set(&self, state: &Self::State, index: usize) -> Option<Self::Move> {
        let _ = (state, index);
        None
    }

    /// The number of moves that [`Game::legal_moves`] or [`Game::distinct_moves`] would list.
    ///
    /// `buffer` is scratch space. A game that can count without listing overrides this.
    ///
    /// # Errors
    /// The fault that a rule ran into while it was tried.
    #[inline]
    fn count_moves(
        &self,
        state: &Self::State,
        choices: ChoiceSet,
        buffer: &mut MoveList<Self::Move>,
    ) -> Result<usize, Fault> {
        buffer.clear();
        match choices {
            ChoiceSet::All => self.legal_moves(state, buffer)?,
            ChoiceSet::Distinct => self.distinct_moves(state, buffer)?,
        }
        Ok(buffer.len())
    }

    /// Plays random moves until the game ends, or until it has come to `limit` moves of players or `limit` chance events.
    ///
    /// Chance events follow their weights; a player's move is drawn uniformly from the set that `choices` names.
    /// `buffer` is scratch space; reuse it from one playout to the next to save allocations.
    fn random_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        choices: ChoiceSet,
        buffer: &mut MoveList<Self::Move>,
    ) -> Playout {
        // A move that is played by `play` leaves nothing open.
        let go = |state: &mut Self::State, mv| {
            if let Some(mv) = mv {
                self.play(state, mv, &mut crate::Silent);
            }
        };
        crate::moves::playout_by(self, state, rng, limit, choices, buffer, go)
    }

    /// Plays a random game from `start` with each of some streams of random numbers, as [`Game::random_playout`] does, and adds
    /// them to `sums`.
    fn random_playouts(
        &self,
        start: &Self::State,
        games: &RandomStreams,
        buffer: &mut MoveList<Self::Move>,
        sums: &mut PlayoutSums,
    ) {
        for stream in games.streams.clone() {
            let (mut state, mut rng) = (start.clone(), Rng::new(games.seed, stream));
            let (limit, choices) = (games.limit, games.choices);
            sums.add(&self.random_playout(&mut state, &mut rng, limit, choices, buffer));
        }
    }

    /// Plays random games as [`Game::random_playouts`] does, but one player acts at a time where several may: one of those who can
    /// move is drawn, each with the same chance, then one of his moves. False where that is left to the caller, and nothing is
    /// done.
    fn random_turns(
        &self,
        start: &Self::State,
        games: &RandomStreams,
        sums: &mut PlayoutSums,
    ) -> bool {
        let _ = (start, games, sums);
        false
    }
}

/// Random games, each with a stream of random numbers of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomStreams {
    /// The seed of all.
    pub seed: u64,
    /// The numbers of the streams, see [`Rng::new`].
    pub streams: Range<u64>,
    /// As in [`Game::random_playout`].
    pub limit: u32,
    /// As there.
    pub choices: ChoiceSet,
}

/// Why [`Game::try_play`] does not play a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// It is not among the legal moves, or not a result of the draw that is due.
    Move,
    /// The rules ran into a fault while moves were tried.
    Fault(Fault),
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Over => "the game is over",
            Illegal::Move => "the move is not legal here",
            Illegal::Fault(_) => "the rules run into a fault here",
        })
    }
}

impl std::error::Error for Illegal {}

/// Which moves a random player draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceSet {
    /// Every legal move has the same chance.
    All,
    /// Every class of equal moves has the same chance.
    Distinct,
}

/// Who acts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One of these players chooses, a bit each from player 0 on.
    Decide(u64),
    /// A draw is due.
    Chance,
    /// Nobody: the game has an outcome.
    Over,
}

/// A closed interval of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Least value.
    pub min: i64,
    /// Greatest value.
    pub max: i64,
}

/// What is known of a game before it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Name of the game.
    pub name: &'static str,
    /// Short name of the rule language.
    pub language: &'static str,
    /// SHA-256 of the rule file in hex; of several files that of their digests in hex, one after another.
    pub rules_sha256: &'static str,
    /// Version of the compiler.
    pub compiler: &'static str,
    /// Names of the players, in order; at most 64.
    pub players: &'static [&'static str],
    /// The families of moves, then the kinds of chance events.
    pub families: &'static [MoveFamily],
    /// Indexes of moves are below this number, see [`Game::move_index`].
    pub move_count: usize,
    /// How moves get their indexes, worked out when the rules are compiled; [`MoveNumbers::EMPTY`] if there are too many moves.
    pub numbers: &'static MoveNumbers,
    /// Names of the pieces that [events](crate::Event) speak of, or of their kinds where single pieces
    /// have no names.
    pub pieces: &'static [&'static str],
    /// Names of the places that [events](crate::Event) speak of.
    pub places: &'static [&'static str],
    /// Names of the equalities of states that the rules know, such as `canonical`, `canonical-noscore`
    /// and `full`; see [`Identities::identity`](crate::Identities::identity). The first one is that of `Eq` and [`Game::key`].
    /// Only `full` tells apart what [`Game::distinct_moves`] merges.
    pub identities: &'static [&'static str],
    /// The identity by which solvers may merge positions, an index into `identities`: the coarsest one that is proven to give
    /// equal positions equal futures, that is, the same moves (up to names), chance events and weights, changes of score, and
    /// ends. It leaves out nothing that a rule reads.
    pub future: usize,
    /// An index into `identities`, if it differs from `future`: the identity that ignores how play reached the position. The
    /// same is proven of it for the game without the rules that only count, such as a draw by repetition.
    pub timeless: Option<usize>,
    /// Whether positions that are equal by `Eq` are proven to have equal futures. False if rules read what `Eq` leaves out, such
    /// as a clock or earlier positions.
    pub exact_equality: bool,
    /// Whether moves that [`Game::distinct_moves`] takes for equal are shown to lead to equal futures.
    pub exact_classes: bool,
    /// Pieces and places that the rules are shown not to tell apart.
    pub alike: &'static [Alike],
    /// Renamings that the rules are shown not to notice, all but the one that changes nothing; those that keep all players first.
    pub symmetries: &'static [Symmetry],
    /// Why symmetries could not be looked for, if that is so: then nothing is known of them.
    pub symmetries_unknown: Option<&'static str>,
    /// What tells players apart where they cannot be exchanged, and the sides of a board where it is not its own mirror image, as far
    /// as that is known: with places in the rules, or with names of rules.
    pub sides_apart: Option<&'static str>,
    /// Where faults can come from; [`Fault`] indexes it.
    pub faults: &'static [crate::FaultSite],
    /// How a host runs the game in episodes, if it is of that kind.
    pub episode: Option<&'static EpisodeInfo>,
    /// What is counted while a game is played, see [`Events::count`].
    pub counters: &'static [Counter],
    /// Quantities that the rules measure, see [`Observe::meters`](crate::Observe::meters).
    pub meters: &'static [Meter],
    /// What a network sees of a position, see [`Observe::observe`](crate::Observe::observe).
    pub planes: &'static [Plane],
    /// Whether draws occur.
    pub has_chance: bool,
    /// Whether the rules keep scores.
    pub has_scores: bool,
    /// Whether several players may be to move at once.
    pub several_at_once: bool,
    /// Bytes of a state.
    pub state_bytes: usize,
}

impl GameInfo {
    /// An empty description, to fill in with struct update syntax.
    ///
    /// It claims `exact_equality` and `exact_classes`: set them to false if they do not hold for your game. Set `has_chance`,
    /// `has_scores` and `several_at_once` where they apply.
    pub const EMPTY: Self = Self {
        name: "",
        language: "",
        rules_sha256: "",
        compiler: "",
        players: &[],
        families: &[],
        move_count: 0,
        numbers: &MoveNumbers::EMPTY,
        pieces: &[],
        places: &[],
        identities: &[],
        future: 0,
        timeless: None,
        exact_equality: true,
        exact_classes: true,
        alike: &[],
        symmetries: &[],
        symmetries_unknown: None,
        sides_apart: None,
        faults: &[],
        episode: None,
        counters: &[],
        meters: &[],
        planes: &[],
        has_chance: false,
        has_scores: false,
        several_at_once: false,
        state_bytes: 0,
    };
}

/// Pieces or places that the rules do not tell apart: any two can change their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// What is to be said of them, in a line.
    pub text: &'static str,
    /// Whether they are pieces; otherwise places.
    pub pieces: bool,
    /// Indexes into [`GameInfo::pieces`] or [`GameInfo::places`].
    pub members: &'static [u32],
}

/// Something that is counted while a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Name that the rules give it.
    pub name: &'static str,
    /// Names of the members that are counted apart; one without a name where there are none.
    pub members: &'static [&'static str],
}

/// A row of numbers that describes one side of a position: what stands on each place, whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Name that the rules give it.
    pub name: &'static str,
    /// How many numbers.
    pub cells: usize,
    /// Least and greatest value. Members of a set that the rules name count from 1, and 0 is none.
    pub values: Interval,
}

impl Plane {
    /// A row of `cells` numbers from `min` to `max`.
    pub const fn new(name: &'static str, cells: usize, min: i64, max: i64) -> Self {
        Self {
            name,
            cells,
            values: Interval { min, max },
        }
    }
}

/// A quantity that the rules measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    /// Name that the rules give it.
    pub name: &'static str,
    /// Its unit; empty for plain numbers.
    pub unit: &'static str,
    /// How many of the measured make one unit.
    pub per: i64,
}

/// A kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFamily {
    /// Name that the rules give it.
    pub name: &'static str,
    /// Names of its arguments.
    pub params: &'static [&'static str],
    /// Place of the rule it came from, as `file:line`.
    pub origin: &'static str,
}

impl MoveFamily {
    /// A family by its name, the names of its arguments, and the place of its rule.
    pub const fn new(
        name: &'static str,
        params: &'static [&'static str],
        origin: &'static str,
    ) -> Self {
        Self {
            name,
            params,
            origin,
        }
    }
}
