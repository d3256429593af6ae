//! The typed intermediate representation: one finite program per game.
//!
//! Front ends lower to it, passes rewrite it, the interpreter runs it and code generation prints it
//! as Rust. It is the only thing that these parts share, and it does not know which language a
//! game came from.
//!
//! - [`types`]: domains, types, constants, tables
//! - [`expr`]: pure expressions
//! - [`stmt`]: statements, decisions and draws
//! - [`game`]: the game: state, functions, move families, identities
//! - [`episode`]: boards that a host gives, and attempts
//! - [`presentation`]: what no rule reads
//! - [`observe`]: what a network sees of a position
//! - [`builder`]: short ways to write it
//! - [`count`]: how many moves can be spelled
//! - [`later`]: what is worked out only when somebody asks
//! - [`numbers`]: dense numbers of moves
//! - [`mod@symmetry`]: renamings that leave the rules as they are
//! - [`verify`]: what every consumer may rely on
//! - [`effects`]: what functions read and write
//! - [`same`]: expressions apart from where they stand
//! - [`value`]: computing with constants
//! - [`walk`]: all expressions and statements of a game
//! - [`range`]: exact ranges of integer arithmetic
//! - [`visit`]: what a node has inside
//! - [`mod@print`]: the stable printed form
//!
//! # Faults
//!
//! A rule that runs into an error ends the game with a fault that names the place in the rules.
//! The state is then what it was before the move, but for its outcome.
//! A fault while a candidate move is tried (guard, generator, rank, `after`) is the outcome of the
//! position: it has no legal moves.
//!
//! # Work
//!
//! Every chain of evaluation (a candidate move, a move played up to the next stop) may spend
//! [`WORK_BUDGET`] units: one for each round of a charged or `while` loop and one for each call of a recursive
//! function. More is a fault `work-limit`. Calls of recursive functions nest at most
//! [`RECURSION_LIMIT`] deep; more is a fault `recursion-limit`. A call is charged before its depth is tested,
//! both after its arguments are evaluated.
//! Each function that is asked about a candidate (generator, guard, `after`, rank), each expression of
//! its parameters, and the trial play for `after`, is a chain of its own.
//!
//! A loop that may stop (a decision or draw stands in its body, also through calls) is not charged.
//! Instead a `while` loop or charged loop of that kind makes at most as many rounds as its bound and
//! [`WORK_BUDGET`] allow, counted from its start or from the latest decision or draw, whichever is later; one
//! more is a fault `work-limit`.
//!
//! # Stops
//!
//! A stop ends a chain of evaluation: the next one has a fresh budget and an empty environment. The
//! expressions of a decision (players, contexts) or a draw (distribution) see an empty environment and
//! the state and local variables as they are at the stop; a fault in them is the outcome of that
//! position, and names the expression (for an empty or impossible distribution: its first bound, or its
//! weight).
//!
//! A decision without a legal move whose `otherwise` runs is no stop: the chain goes on in an empty
//! environment with what is left of its budget, less [`OTHERWISE_WORK`] (a fault `work-limit` there names
//! the expression of the players).
//!
//! Where play goes on is the control state: with a [`Machine`], the number of the present point and its
//! `saved` variables. All identities compare it, trails do not. It is that of the start
//! (point 0, initial values) once the game has ended. Without one it is the chain of calls and the values of
//! those local variables that may still be read before they are assigned (round counters apart).
//!
//! A pass may find that what lives across a stop no longer matters, so that positions become equal that
//! differ in nothing else and play alike; never the other way around.

pub mod builder;
pub mod calls;
pub mod count;
pub mod effects;
pub mod episode;
pub mod expr;
pub mod family;
pub mod flow;
pub mod game;
pub mod ids;
pub mod images;
pub mod later;
pub mod numbers;
pub mod observe;
pub mod origins;
pub mod presentation;
pub mod print;
pub mod range;
pub mod same;
pub mod stmt;
pub mod symmetry;
pub mod types;
pub mod value;
pub mod verify;
pub mod visit;
pub mod walk;

pub use episode::{BoardSource, Episode, FixedPiece, KindFamily, KindInfo, Selection};
pub use expr::{BinaryOp, Expr, ExprKind, Fold, Over, UnaryOp, WalkGive};
pub use family::*;
pub use game::*;
pub use ids::*;
pub use images::*;
pub use later::Later;
pub use numbers::*;
pub use presentation::*;
pub use stmt::*;
pub use symmetry::*;
pub use types::*;

/// Version of the serialised form; a change of the form changes it.
pub const VERSION: u32 = 1;

/// Stands in the text of a state before the control state, which is written differently with and without a machine.
pub const CONTROL_MARK: &str = "@@";

/// Units of work that one chain of evaluation may spend.
pub const WORK_BUDGET: u32 = 1 << 22;

/// Units of work that taking the `otherwise` of a decision costs.
pub const OTHERWISE_WORK: u32 = 1 << 10;

/// How deep calls of recursive functions may nest.
pub const RECURSION_LIMIT: u32 = 512;

/// The kinds of fault, by the short names that outputs use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum FaultCode {
    /// Division or remainder by zero.
    DivisionByZero,
    /// A 64-bit integer overflowed.
    Overflow,
    /// A value outside the range of a variable.
    OutOfRange,
    /// An index outside a variable, table or sequence.
    IndexOutside,
    /// A value that is absent was needed.
    NoValue,
    /// A variable of the environment was read before it got a value.
    UnsetVariable,
    /// A tagged value has another type.
    WrongType,
    /// A piece was put on a place that is taken.
    PlaceOccupied,
    /// A sequence or trail is full.
    SequenceFull,
    /// The work budget or a loop bound is spent.
    WorkLimit,
    /// Calls nest too deep.
    RecursionLimit,
    /// `fail` outside a trial.
    Failed,
    /// The rules say so.
    Rule(String),
}

impl FaultCode {
    /// All kinds but `rule`.
    pub fn all() -> Vec<FaultCode> {
        use FaultCode::*;
        vec![
            DivisionByZero,
            Overflow,
            OutOfRange,
            IndexOutside,
            NoValue,
            UnsetVariable,
            WrongType,
            PlaceOccupied,
            SequenceFull,
            WorkLimit,
            RecursionLimit,
            Failed,
        ]
    }

    /// The short name.
    pub fn name(&self) -> &'static str {
        match self {
            FaultCode::DivisionByZero => "division-by-zero",
            FaultCode::Overflow => "overflow",
            FaultCode::OutOfRange => "out-of-range",
            FaultCode::IndexOutside => "index-outside",
            FaultCode::NoValue => "no-value",
            FaultCode::UnsetVariable => "unset-variable",
            FaultCode::WrongType => "wrong-type",
            FaultCode::PlaceOccupied => "place-occupied",
            FaultCode::SequenceFull => "sequence-full",
            FaultCode::WorkLimit => "work-limit",
            FaultCode::RecursionLimit => "recursion-limit",
            FaultCode::Failed => "failed",
            FaultCode::Rule(_) => "rule",
        }
    }

    /// The name of a fault of this kind at one place, in texts of positions: several rules may fail at one place, and each
    /// by a message of its own, so theirs has a short digest of it.
    pub fn site(&self) -> String {
        match self {
            FaultCode::Rule(message) => {
                let digest = hmac_sha256::Hash::hash(message.as_bytes());
                let digits = digest[..4].iter().map(|byte| format!("{byte:02x}"));
                format!("{}-{}", self.name(), digits.collect::<String>())
            }
            _ => self.name().to_owned(),
        }
    }

    /// What went wrong, for people.
    pub fn message(&self) -> &str {
        match self {
            FaultCode::DivisionByZero => "division by zero",
            FaultCode::Overflow => "the result does not fit into 64 bits",
            FaultCode::OutOfRange => "the value is outside the range of the variable",
            FaultCode::IndexOutside => "there is nothing at this index",
            FaultCode::NoValue => "there is no such thing in this position",
            FaultCode::UnsetVariable => "the variable is read before it has a value",
            FaultCode::WrongType => "the value has another type than the rule needs",
            FaultCode::PlaceOccupied => "the place is taken",
            FaultCode::SequenceFull => "the sequence is full",
            FaultCode::WorkLimit => "the rule takes too many steps",
            FaultCode::RecursionLimit => "the rule calls itself too deep",
            FaultCode::Failed => "the rule failed outside a trial",
            FaultCode::Rule(message) => message,
        }
    }
}
