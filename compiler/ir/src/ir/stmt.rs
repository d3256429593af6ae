//! Statements.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::expr::{Expr, Over};
use super::ids::{
    CounterId, DrawId, EnvId, FamilyId, FuncId, LocalId, PlacementId, PointId, SnapshotId, TrailId,
    VarId,
};
use crate::source::Span;

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement with the place of the rule it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Place in the rules; faults name it.
    pub span: Span,
}

/// The kinds of statement.
///
/// `Let`, `SetEnv` and `SetVar` may store a value of the same kind but wider type: a value that the
/// variable does not admit is then a fault, `out-of-range`, or `sequence-full` for too long a
/// sequence. Arguments, returned values, values of trials and what loops and moves bind have
/// types whose every value the receiving variable admits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum StmtKind {
    /// Gives a local variable a value; may fault as [`StmtKind`] says.
    Let(LocalId, Expr),
    /// Gives a variable of the environment a value; may fault as [`StmtKind`] says.
    SetEnv(EnvId, Expr),
    /// Gives a state variable (at its indexes) a value; fault `index-outside` outside them, and as
    /// [`StmtKind`] says. Indexes are evaluated before the value, and tested before it is stored.
    /// Listeners hear of another value of a score, or of a scalar that is indexed by pieces alone.
    SetVar(VarId, Vec<Expr>, Expr),

    /// Moves a piece of an identified placement to a place (from wherever it is).
    ///
    /// Fault `place-occupied` if the place has room for one and another piece stands there.
    /// Listeners hear of it if the place is another one than before.
    Put(PlacementId, Expr, Expr),
    /// A [`StmtKind::Put`] of which something is known after every legal move, so that it never faults then. Made by the pass
    /// `legal`. The interpreter faults with `place-occupied` where what is known does not hold.
    Bring(PlacementId, Expr, Expr, Box<Arrival>),
    /// Takes a piece of an identified placement off the board; nothing if it is off already.
    Take(PlacementId, Expr),
    /// Sets what stands on a place of an anonymous placement: place, optional kind. Listeners hear of
    /// it if that is another one than before.
    SetContent(PlacementId, Expr, Expr),

    /// One block or the other.
    If(Expr, Block, Block),
    /// A counting loop; the bounds are evaluated once, the variable is a fresh value each round.
    For {
        /// The variable.
        local: LocalId,
        /// Where it starts.
        from: Expr,
        /// Where it ends, inclusive.
        to: Expr,
        /// Which way it runs.
        count: Count,
        /// The body.
        body: Block,
        /// Whether each round is charged to the work budget ([`super::WORK_BUDGET`]).
        charged: bool,
    },
    /// A loop over members, ascending, or items in order; what it ranges over is evaluated once.
    ForEach(LocalId, Over, Block),
    /// A loop while a condition holds; fault `work-limit` if it still holds after `bound` rounds.
    While {
        /// The condition.
        cond: Expr,
        /// Greatest number of rounds.
        bound: u32,
        /// The body.
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    /// Goes on with the next round of the innermost loop.
    Continue,
    /// Calls a function; its value, if it has one, may go to a local variable.
    Call {
        /// The function.
        func: FuncId,
        /// Arguments.
        args: Vec<Expr>,
        /// Where the value goes.
        into: Option<LocalId>,
    },
    /// Leaves the function.
    Return(Option<Expr>),

    /// Tells listeners; no part of the state.
    Emit(Emit),
    /// Ends the game as a fault with this message.
    Fault(String),
    /// Spends a unit of work, as a call of a recursive function does; made by the pass
    /// `tail-calls`.
    Charge,
    /// Ends the game as a fault `recursion-limit`; made by the pass `tail-calls`.
    TooDeep,
    /// Ends the game.
    End {
        /// Why.
        reason: EndReason,
        /// Who won: a set of players.
        winners: Expr,
    },

    /// Runs a block on a scratch copy of the state, the environment and the locals.
    ///
    /// It succeeds when it runs to its end and fails at a [`StmtKind::Fail`]. Its writes stay if it
    /// succeeds and `keep` holds; otherwise all of them are dropped, and what it told listeners too.
    /// Then `ok` and, on success, `value` (computed before anything is dropped) are stored. A fault in
    /// it is a fault. `Fail` may stand in a function that it calls.
    Trial {
        /// What is tried.
        body: Block,
        /// Whether the writes of a success stay.
        keep: bool,
        /// Whether it succeeded.
        ok: LocalId,
        /// A value computed at the end of a success, and where it goes.
        value: Option<(Expr, LocalId)>,
    },
    /// Fails the innermost trial; outside one, a fault `failed`.
    Fail,

    /// Stores the present values of the variables and placements of a slot.
    Snapshot(SnapshotId),
    /// Gives them back; fault `no-value` if the slot was never stored.
    Restore(SnapshotId),
    /// Adds the present position to a trail; fault `sequence-full` beyond its capacity.
    Note(TrailId),
    /// Empties a trail.
    Forget(TrailId),

    /// Asks a question, a call that only reads the state, which the next decision asks, too: from here to that decision nothing
    /// is written that it reads, so that engines may keep the answer. It changes nothing and is no part of the state. Made by
    /// the pass `kept`.
    Keep(Expr),

    /// A decision of one or more players; suspends.
    Choose(Choose),
    /// A draw; suspends.
    Chance(Chance),
    /// Stops at a point of the machine and leaves its block, with all functions at work; made by the
    /// pass `suspend`.
    Stop(PointId),
}

/// What is known of a piece that is put somewhere: it stands on the board, and the place it comes to is free.
///
/// The lists are ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Arrival {
    /// The pieces that it can be.
    pub pieces: Vec<u32>,
    /// The places where it can stand.
    pub from: Vec<u32>,
    /// The places that it can come to.
    pub to: Vec<u32>,
}

/// The direction of a counting loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Count {
    /// Upward; no round if the end is below the start.
    Up,
    /// Downward; no round if the end is above the start.
    Down,
    /// Toward the end, whichever way it lies; at least one round.
    Toward,
}

/// A message to listeners.
///
/// They hear it when the move is played to its end; a move that ends in a fault tells nothing.
///
/// [`StmtKind::Put`], [`StmtKind::Take`] and [`StmtKind::SetContent`] tell their physical effects
/// by themselves, [`StmtKind::SetVar`] tells changes of scores and of properties of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Emit {
    /// A line of a log: texts and values in turn.
    Log(Vec<LogPart>),
    /// A named event with values.
    Signal(String, Vec<Expr>),
    /// Counts one more of something: of the member of the counter's domain, or of each item of a sequence of them.
    ///
    /// It is meant for statistics of many games, so it costs nothing where nobody counts: the expression is evaluated for
    /// those who do, and must not be able to fault.
    Count(CounterId, Option<Expr>),
}

/// A part of a line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum LogPart {
    /// Text as it is.
    Text(String),
    /// A value in its canonical text.
    Value(Expr),
}

/// Why the rules end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum EndReason {
    /// Somebody won.
    Win,
    /// The rules call it a draw.
    Draw,
    /// Nobody can move.
    Stuck,
    /// Somebody was eliminated.
    Elimination,
    /// A limit of the rules was reached.
    Limit,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Choose {
    /// Who decides: a player or a set of players (then the families have the mover among their parameters).
    pub players: Expr,
    /// What may be chosen.
    pub arms: Vec<Arm>,
    /// What happens at once if there is no legal move.
    ///
    /// Without it the position stays as it is and its outcome is `stuck`, won by nobody.
    pub otherwise: Option<Block>,
}

/// The moves of one family, and what each does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Arm {
    /// The family.
    pub family: FamilyId,
    /// Values for the context of the family, evaluated when the decision is due.
    pub given: Vec<Expr>,
    /// Local variables that receive the arguments of the move, one for each parameter.
    pub bind: Vec<LocalId>,
    /// The effect; it starts in an empty environment, and play goes on after the decision.
    pub body: Block,
}

/// A draw from a finite distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Chance {
    /// The kind of draw: its name and text.
    pub draw: DrawId,
    /// What is drawn, with what weight.
    pub dist: Distribution,
    /// Where the value goes.
    pub into: LocalId,
}

/// A finite distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Distribution {
    /// The integers of a closed range with equal weights; fault `no-value` if it is empty,
    /// `out-of-range` if it leaves the type of the draw.
    Uniform(Expr, Expr),
    /// The members of a range (of a sequence each item once) with integer weights; those of weight 0
    /// never occur; fault `no-value` if all are 0, `out-of-range` if one is negative or a member that
    /// occurs is outside the type of the draw, `overflow` if the sum exceeds 64 bits.
    Weighted {
        /// The member.
        local: LocalId,
        /// What it ranges over.
        over: Over,
        /// Its weight.
        weight: Expr,
    },
}

impl Stmt {
    /// A statement.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span }
    }
}
