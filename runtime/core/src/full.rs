//! What only some users of a game need: small traits beside [`Game`], and one that is all of them.

use std::fmt::{self, Write};
use std::hash::Hasher;

use crate::{Board, Game, KeyHasher, MoveList, Observer, Refusal, Wish, text::TextError};

/// Playing on without asking at once whether somebody can move, for those who list the moves next: perft, searches.
///
/// The defaults play as [`Game::play`] does.
pub trait OpenPlay: Game {
    /// Plays like [`Game::play`] without a listener, but need not check whether anybody can move afterwards. A position in which
    /// nobody can may then claim that the game goes on, with no legal moves. For code that lists the moves next anyway.
    fn play_open(&self, state: &mut Self::State, mv: Self::Move) {
        self.play(state, mv, &mut crate::Silent);
    }

    /// Ends the game if nobody can move: what [`OpenPlay::play_open`] left open.
    #[inline]
    fn settle(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// Hands the turn to the other of two players and changes nothing else, whether or not the rules allow a pass: the null move
    /// of a search. Returns false and leaves the state alone if the game is over or does not know how.
    ///
    /// The position may be one that play never reaches, and whether anybody can move in it is not checked.
    #[inline]
    fn hand_over(&self, state: &mut Self::State) -> bool {
        let _ = state;
        false
    }

    /// Whether a legal move may change how many things of each kind there are, as the planes of [`OpenPlay::exchange_planes`] count them;
    /// true where that is not known before it is made.
    #[inline]
    fn may_exchange(&self, state: &Self::State, mv: Self::Move) -> bool {
        let _ = (state, mv);
        true
    }

    /// The planes, by their numbers in [`GameInfo::planes`](crate::GameInfo::planes), in each of which a move that exchanges nothing
    /// leaves the number of cells of each value as it is.
    fn exchange_planes(&self) -> &'static [usize] {
        &[]
    }
}

/// Moves as a family and numbers, for those who show moves or put them in an order.
pub trait MoveArgs: Game {
    /// The family of the move, an index into [`GameInfo::families`](crate::GameInfo::families), and its arguments as numbers. By default the first family,
    /// and the packed form as its argument.
    fn move_args(&self, mv: Self::Move, args: &mut Vec<i64>) -> usize {
        args.push(self.move_code(mv) as i64);
        0
    }

    /// A number by which moves are in the order of their families and arguments, the same in all engines.
    fn move_order(&self, mv: Self::Move) -> u64 {
        self.move_index(mv) as u64
    }
}

/// Texts of moves that depend on the position, such as the names of things that are alike.
///
/// The defaults are those of [`Game::write_move`] and [`Game::parse_move`].
pub trait Notation: Game {
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
}

/// Positions as texts.
pub trait StateText: Game {
    /// Appends the canonical text of the state.
    fn write_state(&self, state: &Self::State, out: &mut String);

    /// The state of a canonical text. By default only the start position can be read.
    ///
    /// # Errors
    /// Where the text is not that of a position, and what was expected there.
    fn parse_state(&self, text: &str) -> Result<Self::State, TextError> {
        let (start, mut known) = (self.initial(), String::new());
        self.write_state(&start, &mut known);
        TextError::unless_same(text, &known).map(|()| start)
    }
}

/// What a position is told as in numbers, for networks, statistics and pictures.
pub trait Observe: Game {
    /// Whether rules may count something while they play, see [`GameInfo::counters`](crate::GameInfo::counters).
    const COUNTS: bool = true;

    /// Appends the values of the planes of a position, as [`GameInfo::planes`](crate::GameInfo::planes) lists them: what a network sees of it.
    ///
    /// Nothing where the game has no planes.
    fn observe(&self, state: &Self::State, out: &mut impl Observer) {
        let _ = (state, out);
    }

    /// Appends the quantities that the rules measure, as [`GameInfo::meters`](crate::GameInfo::meters) lists them; nothing where there are none.
    fn meters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Appends what pictures show of a position, as numbers: placement by placement the place of each piece, or where
    /// pieces have no identity the kind on each place, -1 for none; then the variables that looks depend on, cell by
    /// cell: a number, -1 for an absent member, for a set the number of its members and these.
    ///
    /// The document that the compiler writes about the looks of the game says which placements and variables these are.
    fn appearance(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }
}

/// Which positions are the same, for those who merge them: solvers, tables of searches, certificates.
pub trait Identities: StateText {
    /// Appends an exact encoding of the state under the identity `identity` of [`GameInfo::identities`](crate::GameInfo::identities):
    /// two states are equal under it if and only if the bytes are. By default the text of the state.
    fn identity(&self, state: &Self::State, identity: usize, out: &mut Vec<u8>) {
        let _ = identity;
        let mut text = String::new();
        self.write_state(state, &mut text);
        out.extend(text.into_bytes());
    }

    /// What a symmetry makes of a position, by its index in [`GameInfo::symmetries`](crate::GameInfo::symmetries); nothing where there is none of that number,
    /// or what it makes of this position is not known.
    ///
    /// The moves of the image are the images of the moves, and so are their ends.
    fn image(&self, state: &Self::State, symmetry: usize) -> Option<Self::State> {
        let _ = (state, symmetry);
        None
    }

    /// Shows the images of a position under some symmetries, each with the index of its symmetry, as far as they are known. They
    /// may be asked for identities, keys and scores, and for nothing else: so they cost less than [`Identities::image`].
    #[inline]
    fn each_image(
        &self,
        state: &Self::State,
        symmetries: &[usize],
        show: &mut dyn FnMut(usize, &Self::State),
    ) {
        for &symmetry in symmetries {
            if let Some(image) = self.image(state, symmetry) {
                show(symmetry, &image);
            }
        }
    }

    /// Appends the least of the encodings of a position and of its images under some symmetries, see [`Identities::identity`]
    /// and [`Identities::each_image`]. If these are all that a group has, it is the same for all positions that they take to
    /// each other.
    fn least_identity(
        &self,
        state: &Self::State,
        identity: usize,
        symmetries: &[usize],
        out: &mut Vec<u8>,
    ) {
        let from = out.len();
        self.identity(state, identity, out);
        self.each_image(state, symmetries, &mut |_, image| {
            // Behind the least one, so that no list is made.
            let least = out.len();
            self.identity(image, identity, out);
            if out[least..] < out[from..least] {
                out.drain(from..least);
            } else {
                out.truncate(least);
            }
        });
    }

    /// A 64-bit key of the position under the identity [`GameInfo::future`](crate::GameInfo::future), for tables of a search.
    /// It may change from one version to the next.
    fn future_key(&self, state: &Self::State) -> u64 {
        let mut bytes = Vec::with_capacity(64);
        self.identity(state, self.info().future, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        hasher.finish()
    }

    /// A 64-bit key of the position under the identity [`GameInfo::timeless`](crate::GameInfo::timeless), for tables of searches
    /// that judge by experience: positions that differ only in how play reached them share a key. Without such an identity it
    /// is [`Identities::future_key`]. It may change from one version to the next.
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
}

/// What a host of the game does: it gives boards, runs episodes, keeps the time. See [`episode`](crate::episode).
///
/// The defaults are those of a game that needs no host.
pub trait Hosted: Game {
    /// The start position on a board that a host gives; nothing if the game does not have such boards, or the board
    /// does not fit [`GameInfo::episode`](crate::GameInfo::episode).
    #[inline]
    fn start(&self, board: &Board) -> Option<Self::State> {
        let _ = board;
        None
    }

    /// The units that a target accepts, a bit each, in a game that goes on; see [`GameInfo::episode`](crate::GameInfo::episode).
    #[inline]
    fn accepted(&self, state: &Self::State, target: usize) -> u64 {
        let _ = (state, target);
        0
    }

    /// The move that brings a unit to a target, legal or not; see [`GameInfo::episode`](crate::GameInfo::episode).
    #[inline]
    fn attempt(&self, target: usize, unit: usize) -> Option<Self::Move> {
        let _ = (target, unit);
        None
    }

    /// Appends the number of the active row, the moves it may still accept and those that each of its atoms may still
    /// accept, negative for any number; see [`GameInfo::episode`](crate::GameInfo::episode).
    fn counters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let _ = (state, out);
    }

    /// Appends what the host of the game may tell here, such as that a second has passed: moves that no player makes.
    ///
    /// They are never among the legal moves. A host that keeps the time plays one when it is due; all others play as if
    /// there were none.
    fn host_moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>) {
        let _ = (state, out);
    }
}

/// Reasons why a move is not legal.
pub trait Explain: Game {
    /// Why a wish is not legal here; nothing where the game does not know, as compiled games do not.
    fn explain(&self, state: &Self::State, wish: Wish<'_>) -> Option<Refusal> {
        let _ = (state, wish);
        None
    }
}

/// Everything that can be asked of a game: what the command line, the server, the C interface, and whatever hides the
/// type of a game build on.
///
/// Who implements the small traits has it. Those who need one thing ask for its trait only.
pub trait FullGame:
    OpenPlay + MoveArgs + Notation + StateText + Observe + Identities + Hosted + Explain
{
}

impl<G> FullGame for G where
    G: OpenPlay + MoveArgs + Notation + StateText + Observe + Identities + Hosted + Explain
{
}

/// A game written by hand that says no more than [`Game`] asks: `impl PlainGame for MyGame {}` makes it a [`FullGame`].
///
/// All small traits get their defaults, and the text of a position is its `Debug` output, which must show everything that `Eq`
/// compares; only the start position can be read back from text. A game that wants to do better in one of the traits must
/// implement all of them instead of this one, most with an empty body.
///
/// Two players take one, two or three sticks from a heap of ten, and whoever takes the last one wins:
///
/// ```
/// use rulec_core::{ChoiceSet, Events, Fault, Game, GameInfo, MoveList, Outcome, PlainGame, Rng, StateText, Turn};
///
/// struct Sticks;
///
/// static INFO: GameInfo = GameInfo { name: "Sticks", players: &["a", "b"], move_count: 4, ..GameInfo::EMPTY };
///
/// impl Game for Sticks {
///     type State = (u8, usize); // How many are left, and who is on turn.
///     type Move = u8;
///
///     fn info(&self) -> &GameInfo {
///         &INFO
///     }
///     fn initial(&self) -> (u8, usize) {
///         (10, 0)
///     }
///     fn turn(&self, &(left, player): &(u8, usize)) -> Turn {
///         if left == 0 { Turn::Over } else { Turn::Decide(1 << player) }
///     }
///     fn legal_moves(&self, &(left, _): &(u8, usize), out: &mut MoveList<u8>) -> Result<(), Fault> {
///         out.extend(1..=left.min(3));
///         Ok(())
///     }
///     fn play<E: Events>(&self, state: &mut (u8, usize), taken: u8, _: &mut E) {
///         *state = (state.0 - taken, 1 - state.1);
///     }
///     fn outcome(&self, &(left, player): &(u8, usize)) -> Option<Outcome> {
///         (left == 0).then(|| Outcome::win(1 - player))
///     }
///     fn move_code(&self, taken: u8) -> u64 {
///         taken.into()
///     }
///     fn move_from_code(&self, code: u64) -> Option<u8> {
///         (1..=3).contains(&code).then_some(code as u8)
///     }
///     fn write_move(&self, taken: u8, out: &mut String) {
///         out.push_str(&taken.to_string());
///     }
/// }
///
/// impl PlainGame for Sticks {}
///
/// let (mut state, mut rng, mut room) = (Sticks.initial(), Rng::new(1, 0), MoveList::new());
/// let played = Sticks.random_playout(&mut state, &mut rng, 100, ChoiceSet::All, &mut room);
/// assert!(played.outcome.is_some_and(|end| end.is_won()));
/// let mut text = String::new();
/// Sticks.write_state(&Sticks.initial(), &mut text);
/// assert_eq!(Sticks.parse_state(&text), Ok(Sticks.initial()));
/// ```
#[diagnostic::on_unimplemented(
    note = "`impl rulec_core::PlainGame for {Self} {{}}` gives a game written by hand all that is not in `Game`"
)]
pub trait PlainGame: Game<State: fmt::Debug> {}

impl<G: PlainGame> StateText for G {
    fn write_state(&self, state: &Self::State, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{state:?}");
    }
}

impl<G: PlainGame> OpenPlay for G {}
impl<G: PlainGame> MoveArgs for G {}
impl<G: PlainGame> Notation for G {}
impl<G: PlainGame> Observe for G {}
impl<G: PlainGame> Identities for G {}
impl<G: PlainGame> Hosted for G {}
impl<G: PlainGame> Explain for G {}
