//! The traits that every game implements.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::episode::{Board, EpisodeInfo};
use crate::{
    ChanceList, Events, Fault, KeyHasher, MoveList, MoveNumbers, Observer, Outcome, Payoffs,
    Playout, Refusal, Rng, Symmetry, Wish,
};

/// A finite, turn-based, possibly stochastic game for any number of players.
///
/// Players are numbered from 0 in this interface; texts show them from 1.
///
/// What most programs use: [`initial`](Game::initial), [`turn`](Game::turn), [`legal_moves`](Game::legal_moves),
/// [`chance_outcomes`](Game::chance_outcomes), [`play`](Game::play) and [`try_play`](Game::try_play),
/// [`outcome`](Game::outcome) and [`returns`](Game::returns), [`key`](Game::key), and for people
/// [`write_move`](Game::write_move) and [`parse_move`](Game::parse_move). The other methods are for those who
///
/// - search and count: [`distinct_moves`](Game::distinct_moves), [`count_moves`](Game::count_moves), [`play_open`](Game::play_open),
///   [`settle`](Game::settle), [`random_playout`](Game::random_playout), [`identity`](Game::identity),
///   [`hand_over`](Game::hand_over)
/// - learn: [`observe`](Game::observe), [`move_index`](Game::move_index)
/// - keep moves and positions: [`move_code`](Game::move_code), [`move_args`](Game::move_args), [`write_state`](Game::write_state) and
///   their inverses, [`write_move_in`](Game::write_move_in) where texts of moves depend on the position
/// - host games or show them: [`start`](Game::start), [`accepted`](Game::accepted), [`attempt`](Game::attempt),
///   [`counters`](Game::counters), [`host_moves`](Game::host_moves), [`scores`](Game::scores), [`meters`](Game::meters),
///   [`appearance`](Game::appearance), [`explain`](Game::explain)
///
/// A game written by hand says who it is ([`info`](Game::info)), where it starts, whose turn it is, which moves are legal, what
/// a move does and how it ended, gives moves numbers, and writes moves and positions. All else has a default; compiled games
/// know better ones.
pub trait Game: Send + Sync {
    /// A position. Equal states have equal futures but for what [`GameInfo::exact_equality`] tells.
    type State: Clone + Eq + Hash + Send + Sync;
    /// A move packed into one integer; it names its family and its arguments.
    type Move: Copy + Eq + Ord + Hash + Send + Sync;

    /// Whether rules may count something, see [`GameInfo::counters`].
    const COUNTS: bool = true;

    /// Names, bounds and origins that do not change while playing.
    fn info(&self) -> &GameInfo;

    /// The start position.
    fn initial(&self) -> Self::State;

    /// The start position on a board that a host gives; nothing if the game does not have such boards, or the board
    /// does not fit [`GameInfo::episode`].
    #[inline]
    fn start(&self, board: &Board) -> Option<Self::State> {
        let _ = board;
        None
    }

    /// The units that a target accepts, a bit each, in a game that goes on; see [`GameInfo::episode`].
    #[inline]
    fn accepted(&self, state: &Self::State, target: usize) -> u64 {
        let _ = (state, target);
        0
    }

    /// The move that brings a unit to a target, legal or not; see [`GameInfo::episode`].
    #[inline]
    fn attempt(&self, target: usize, unit: usize) -> Option<Self::Move> {
        let _ = (target, unit);
        None
    }

    /// Appends the number of the active row, the moves it may still accept and those that each of its atoms may still
    /// accept, negative for any number; see [`GameInfo::episode`].
    fn counters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Who acts next.
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

    /// Appends what the host of the game may tell here, such as that a second has passed: moves that no player makes.
    ///
    /// They are never among the legal moves. A host that keeps the time plays one when it is due; all others play as if
    /// there were none.
    fn host_moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>) {
        let _ = (state, out);
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

    /// Plays a legal move (or a result of a draw) and runs on to the next decision.
    ///
    /// A move that is not legal leads to an unspecified state, in which nothing panics but pieces may stand where they cannot:
    /// what a move does relies on what makes it legal. Check with [`Game::legal_moves`] where a move comes from outside.
    /// A fault ends the game: the state keeps what it was before the move, and its outcome is the fault.
    /// Without a listener ([`Silent`](crate::Silent)) events cost nothing.
    fn play<E: Events>(&self, state: &mut Self::State, mv: Self::Move, events: &mut E);

    /// Plays a move that may come from anywhere: as [`Game::play`], if it is legal.
    ///
    /// # Errors
    /// Why it is not played; the state is as before.
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

    /// As [`Game::play`] without a listener, but whether somebody can move then may be left open: a state in which nobody can
    /// may tell that its game goes on, and has no legal moves. For counting and searching, where moves are listed next.
    fn play_open(&self, state: &mut Self::State, mv: Self::Move) {
        self.play(state, mv, &mut crate::Silent);
    }

    /// Ends the game if nobody can move: what [`Game::play_open`] left open.
    #[inline]
    fn settle(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// Gives the turn to the other of two players and leaves all else as it is, whether or not the rules let anybody pass; false,
    /// with the state as it was, where it is not known how, or the game is over.
    ///
    /// Whether somebody can move then is left open, and the position may be one that play never comes to. Searches ask what it
    /// would be worth.
    #[inline]
    fn hand_over(&self, state: &mut Self::State) -> bool {
        let _ = state;
        false
    }

    /// How the game ended, `None` while it goes on.
    ///
    /// A position whose only ending is that nobody can move has an outcome too (reason
    /// [`Reason::Stuck`](crate::Reason::Stuck)), found when the position is reached.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// What the game was worth to each player, from 0 (lost) to 1 (won), see [`Outcome::payoff`]; nothing while it goes on.
    fn returns(&self, state: &Self::State) -> Option<Payoffs> {
        let outcome = self.outcome(state)?;
        Some(Payoffs::new(outcome, self.info().players.len()))
    }

    /// Appends the score of every player; nothing where the rules keep none.
    fn scores(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Appends the quantities that the rules measure, as [`GameInfo::meters`] lists them; nothing where there are none.
    fn meters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Appends the values of the planes of a position, as [`GameInfo::planes`] lists them: what a network sees of it.
    ///
    /// Nothing where the game has no planes.
    fn observe(&self, state: &Self::State, out: &mut impl Observer) {
        let _ = (state, out);
    }

    /// A 64-bit key of the state: equal states have equal keys. By default what its `Hash` makes of it.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = KeyHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Appends an exact encoding of the state under the identity `GameInfo::identities[identity]`:
    /// two states are equal under it if and only if the bytes are. By default the text of the state.
    fn identity(&self, state: &Self::State, identity: usize, out: &mut Vec<u8>) {
        let _ = identity;
        let mut text = String::new();
        self.write_state(state, &mut text);
        out.extend(text.into_bytes());
    }

    /// What a symmetry makes of a position, by its index in [`GameInfo::symmetries`]; nothing where there is none of that number,
    /// or what it makes of this position is not known.
    ///
    /// The moves of the image are the images of the moves, and so are their ends.
    fn image(&self, state: &Self::State, symmetry: usize) -> Option<Self::State> {
        let _ = (state, symmetry);
        None
    }

    /// A 64-bit key of the position under the identity [`GameInfo::future`], for tables of a search; another one in the next version.
    fn future_key(&self, state: &Self::State) -> u64 {
        let mut bytes = Vec::with_capacity(64);
        self.identity(state, self.info().future, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        hasher.finish()
    }

    /// A 64-bit key of the position under the identity [`GameInfo::timeless`], for tables of searches that judge by experience:
    /// positions that differ by how play came to them alone have one key; that of [`Game::future_key`] where there is no such identity. Another one in the next
    /// version.
    fn timeless_key(&self, state: &Self::State) -> u64 {
        let Some(identity) = self.info().timeless else {
            return self.future_key(state);
        };
        let mut bytes = Vec::with_capacity(64);
        self.identity(state, identity, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        hasher.finish()
    }

    /// Plays random moves until the game ends, or `limit` plies or as many draws are played.
    ///
    /// Draws are made by their weights. Each move is uniform over the set that `choices` names.
    /// `buffer` is scratch space, so that many playouts need one allocation.
    fn random_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        choices: ChoiceSet,
        buffer: &mut MoveList<Self::Move>,
    ) -> Playout {
        crate::moves::listed_playout(self, state, rng, limit, choices, buffer)
    }

    /// Appends what pictures show of a position, as numbers: placement by placement the place of each piece, or where
    /// pieces have no identity the kind on each place, -1 for none; then the variables that looks depend on, cell by
    /// cell: a number, -1 for an absent member, for a set the number of its members and these.
    ///
    /// The document that the compiler writes about the looks of the game says which placements and variables these are.
    fn appearance(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Why a wish is not legal here; nothing where the game does not know, as compiled games do not.
    fn explain(&self, state: &Self::State, wish: Wish<'_>) -> Option<Refusal> {
        let _ = (state, wish);
        None
    }

    /// The family of the move, an index into `GameInfo::families`, and its arguments as numbers. By default the first family,
    /// and the packed form as its argument.
    fn move_args(&self, mv: Self::Move, args: &mut Vec<i64>) -> usize {
        args.push(self.move_code(mv) as i64);
        0
    }

    /// The place of the move in `0..GameInfo::move_count`, for tables and networks.
    ///
    /// Moves that differ by the names of things that are alike have the same, see [`MoveNumbers`]; one that no position
    /// admits may have `GameInfo::move_count` itself. By default the packed form.
    fn move_index(&self, mv: Self::Move) -> usize {
        self.move_code(mv) as usize
    }

    /// A number by which moves are in the order of their families and arguments, the same in all engines.
    fn move_order(&self, mv: Self::Move) -> u64 {
        self.move_index(mv) as u64
    }

    /// The packed form of the move.
    fn move_code(&self, mv: Self::Move) -> u64;

    /// The move of a packed form, `None` where there is none.
    fn move_from_code(&self, code: u64) -> Option<Self::Move>;

    /// Appends the text of the move.
    fn write_move(&self, mv: Self::Move, out: &mut String);

    /// Appends the text of a move in the position where it is legal; of a result, where its draw is due.
    ///
    /// Another one than [`Game::write_move`] writes only where texts depend on the position.
    fn write_move_in(&self, state: &Self::State, mv: Self::Move, out: &mut String) {
        let _ = state;
        self.write_move(mv, out);
    }

    /// The moves whose text in this position is `text`; as [`Game::parse_move`], but where texts depend on the
    /// position legal ones only.
    fn parse_move_in(&self, state: &Self::State, text: &str, out: &mut MoveList<Self::Move>) {
        let _ = state;
        self.parse_move(text, out);
    }

    /// The moves whose text is `text`, whether legal or not (several families may share a text form). By default those of the
    /// packed forms `0..GameInfo::move_count`.
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

    /// Appends the canonical text of the state.
    fn write_state(&self, state: &Self::State, out: &mut String);

    /// The state of a canonical text.
    ///
    /// # Errors
    /// What is wrong with the text, for people. By default only the start position can be read.
    fn parse_state(&self, text: &str) -> Result<Self::State, String> {
        let mut start = String::new();
        self.write_state(&self.initial(), &mut start);
        match start == text {
            true => Ok(self.initial()),
            false => Err("this game reads no positions".to_owned()),
        }
    }
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
    /// SHA-256 of the rule text, in hex.
    pub rules_sha256: &'static str,
    /// Version of the compiler.
    pub compiler: &'static str,
    /// Names of the players, in order.
    pub players: &'static [&'static str],
    /// The families of moves.
    pub families: &'static [MoveFamily],
    /// Number of dense move indexes.
    pub move_count: usize,
    /// The dense indexes of the moves, if they were worked out with the rules; none where there are too many moves.
    pub numbers: &'static MoveNumbers,
    /// Names of the pieces that [events](crate::Event) speak of, or of their kinds where single pieces
    /// have no names.
    pub pieces: &'static [&'static str],
    /// Names of the places that [events](crate::Event) speak of.
    pub places: &'static [&'static str],
    /// Names of the equalities of states that the rules know, such as `canonical`, `canonical-noscore`
    /// and `full`; see [`Game::identity`]. The first one is that of `Eq` and [`Game::key`].
    /// Only `full` tells apart what [`Game::distinct_moves`] merges.
    pub identities: &'static [&'static str],
    /// The identity by which solvers may merge positions, an index into `identities`: the weakest one of which it is shown
    /// that equal positions have equal futures, which are moves (up to their names), draws with their weights, changes of
    /// scores, and ends. Nothing that a rule reads is left out of it.
    pub future: usize,
    /// The identity of which the same is shown for the game without its rules that only count, such as draws by repetition, if
    /// that is another one, an index into `identities`: it leaves out how play came to the position.
    pub timeless: Option<usize>,
    /// Whether `Eq` alone is shown to be enough for that; not where rules read what it leaves out, such as a clock or
    /// which positions there were before.
    pub exact_equality: bool,
    /// Whether moves that [`Game::distinct_moves`] takes for equal are shown to lead to equal futures.
    pub exact_classes: bool,
    /// Pieces and places that the rules are shown not to tell apart.
    pub alike: &'static [Alike],
    /// Renamings that the rules are shown not to notice, all but the one that changes nothing; those that keep all players first.
    pub symmetries: &'static [Symmetry],
    /// Where faults can come from; [`Fault`] indexes it.
    pub faults: &'static [crate::FaultSite],
    /// How a host runs the game in episodes, if it is of that kind.
    pub episode: Option<&'static EpisodeInfo>,
    /// What is counted while a game is played, see [`Events::count`].
    pub counters: &'static [Counter],
    /// Quantities that the rules measure, see [`Game::meters`].
    pub meters: &'static [Meter],
    /// What a network sees of a position, see [`Game::observe`].
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
    /// A description of nothing, to fill in with struct update syntax.
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
