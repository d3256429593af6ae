//! Expressions: pure and typed.
//!
//! Operands are evaluated from left to right, all of them unless the text of a node says otherwise.
//! The only side effect is a fault.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::ids::{
    DomainId, EnvId, FuncId, IdentityId, LocalId, PlacementId, RelationId, TableId, TrailId, VarId,
};
use super::types::{Const, Type};
use crate::source::Span;

/// A typed expression with the place of the rule it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Type of its value.
    pub ty: Type,
    /// Place in the rules; faults name it.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum ExprKind {
    /// A constant of the expression's type.
    Const(Const),
    /// A local variable or parameter; reading one that was never assigned is refused by `verify`.
    Local(LocalId),
    /// A variable of the environment; fault `unset-variable` if it has no value and `checked`.
    Env {
        /// The variable.
        var: EnvId,
        /// Whether the read must test that the variable has a value; a pass clears it where it is proved.
        checked: bool,
    },
    /// Whether a variable of the environment has a value.
    EnvIsSet(EnvId),
    /// A state variable, with one index for each of its axes; fault `index-outside` outside.
    Var(VarId, Vec<Expr>),
    /// A value of a table.
    Lookup(TableId, Vec<Expr>),

    /// The place of a piece (identified placements): `Opt(places)`.
    PlaceOf(PlacementId, Box<Expr>),
    /// What stands on a place with room for one: `Opt(pieces)`, or `Opt(kinds)` if anonymous.
    Content(PlacementId, Box<Expr>),
    /// The pieces on a place with room for many: `Set(pieces)`.
    Contents(PlacementId, Box<Expr>),
    /// The places on which a kind stands (anonymous placements): `Set(places)`.
    Places(PlacementId, Box<Expr>),

    /// A unary operation.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operation; `And` and `Or` evaluate the right side only if needed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first is true, else the third; only that one is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),

    /// A member as an optional member.
    Some(Box<Expr>),
    /// Whether an optional member is present.
    IsSome(Box<Expr>),
    /// The member of an optional member; fault `no-value` if absent.
    Get(Box<Expr>),
    /// The member of an optional member, the second if absent (evaluated only then).
    OrElse(Box<Expr>, Box<Expr>),
    /// The integer that a member stands for: see `Domain::ordinal`.
    Ordinal(Box<Expr>),
    /// The member of a domain with an ordinal, absent if there is none.
    Member(DomainId, Box<Expr>),
    /// An integer as `Wrap32`, the low 32 bits.
    ToWrap(Box<Expr>),
    /// A `Wrap32` as an integer.
    ToInt(Box<Expr>),
    /// A scalar with the tag of its type.
    Tag(Box<Expr>),
    /// The scalar of a tagged value, of the expression's type (for integers: all of them); fault
    /// `wrong-type` if the tag is another.
    Untag(Box<Expr>),
    /// Whether a tagged value has a type of the same kind as this.
    HasTag(Type, Box<Expr>),

    /// A set of the given members.
    SetOf(Vec<Expr>),
    /// A sequence of the given items.
    SeqOf(Vec<Expr>),
    /// Number of members of a set, or items of a sequence: integer.
    Size(Box<Expr>),
    /// An item of a sequence by position from 0; fault `index-outside`.
    Item(Box<Expr>, Box<Expr>),

    /// A quantifier, count, sum or extreme; see [`Fold`].
    Fold {
        /// What is computed.
        fold: Fold,
        /// The bound variable.
        local: LocalId,
        /// What it ranges over.
        over: Box<Over>,
        /// The predicate or summand.
        body: Box<Expr>,
    },
    /// The set of the members for which the predicate holds.
    Collect {
        /// The bound variable, of the type of the set's members.
        local: LocalId,
        /// What it ranges over.
        over: Box<Over>,
        /// The predicate.
        when: Box<Expr>,
    },
    /// The first member for which the predicate holds, in ascending order: optional.
    First {
        /// The bound variable.
        local: LocalId,
        /// What it ranges over: a domain or a set.
        over: Box<Over>,
        /// The predicate.
        when: Box<Expr>,
    },

    /// Follows a table from a place while a predicate holds.
    ///
    /// The places `start, step(start), step(step(start)), ...` are visited until one is absent or
    /// fails the predicate; at most as many as the domain has members (a cycle ends there).
    Walk {
        /// The first place visited: optional member of a domain.
        start: Box<Expr>,
        /// Table from that domain to its optional members.
        step: TableId,
        /// The place under test.
        local: LocalId,
        /// Whether the walk passes it.
        pass: Box<Expr>,
        /// What the walk tells.
        give: WalkGive,
    },
    /// The members reachable from a set along edges, through members that pass a predicate.
    ///
    /// Start members that fail the predicate are left out. Members are tested once each, always the
    /// least of those that wait.
    Closure {
        /// Where to start: a set.
        from: Box<Expr>,
        /// Table from a member to the set of its neighbours.
        edges: TableId,
        /// The member under test.
        local: LocalId,
        /// Whether it may be entered.
        pass: Box<Expr>,
    },

    /// The value of a function that writes nothing.
    Call(FuncId, Vec<Expr>),
    /// Whether a relation holds.
    Holds(RelationId, Vec<Expr>),
    /// All members of the parameter that is `None` for which the relation holds: a set. They are
    /// tested in ascending order, after the other arguments are evaluated.
    Related(RelationId, Vec<Option<Expr>>),
    /// Whether somebody listens. Both answers must leave the same position: what differs is what is told on the way, and the
    /// right order is that of the answer yes. The interpreter always answers yes.
    Listened,
    /// How often the present position was noted: integer.
    Seen(TrailId),
    /// Whether a renaming that leaves the only [`super::IdentityTerm::Nest`] of an identity as it is takes the
    /// first member to the second and keeps each of the others. A member that does not count there is
    /// alike to itself alone.
    Alike(IdentityId, Vec<Expr>),
}

/// Unary operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum UnaryOp {
    /// Logical not.
    Not,
    /// Minus, of either integer type.
    Neg,
    /// Absolute value, of either integer type.
    Abs,
    /// The members of the domain that are not in the set.
    Complement,
}

/// Binary operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum BinaryOp {
    /// Logical and; the right side only if the left is true.
    And,
    /// Logical or; the right side only if the left is false.
    Or,
    /// Equality of two values of one kind; sequences item by item.
    Eq,
    /// Inequality.
    Ne,
    /// Less, of integers.
    Lt,
    /// Less or equal, of integers.
    Le,
    /// Greater, of integers.
    Gt,
    /// Greater or equal, of integers.
    Ge,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient toward zero; fault `division-by-zero`.
    Div,
    /// Remainder with the sign of the dividend; fault `division-by-zero`.
    Rem,
    /// Remainder between 0 and the divisor; fault `division-by-zero`.
    RemEuclid,
    /// The lesser of two integers.
    Min,
    /// The greater of two integers.
    Max,
    /// Union of sets.
    Union,
    /// Intersection of sets.
    Intersect,
    /// Difference of sets.
    Minus,
    /// The members of the left set up to and with the least of them that is in the right set; all if there is none.
    UpTo,
    /// The members of the left set down to and with the greatest of them that is in the right set; all if there is none.
    DownTo,
    /// Whether the left set is part of the right one.
    Subset,
    /// Whether the left scalar is in the right set or sequence.
    In,
    /// The left sequence, then the right one.
    Concat,
    /// The items of the left sequence that are in the right one, order kept.
    SeqIntersect,
    /// The items of the left sequence that are not in the right one, order kept.
    SeqMinus,
    /// Whether every item of the left sequence is in the right one.
    SeqSubset,
}

/// What a fold computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Fold {
    /// Whether the predicate holds for all; stops at the first that fails.
    Forall,
    /// Whether the predicate holds for some; stops at the first that holds.
    Exists,
    /// For how many the predicate holds: integer.
    Count,
    /// Sum of the integer body.
    Sum,
    /// Least value of the integer body; fault `no-value` over nothing.
    Min,
    /// Greatest value of the integer body; fault `no-value` over nothing.
    Max,
}

/// What a bound variable ranges over, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Over {
    /// All members of a domain.
    Domain(DomainId),
    /// The members of a set.
    Set(Expr),
    /// The items of a sequence, in its order.
    Seq(Expr),
    /// The integers of a closed range; nothing if the first is greater.
    Range(Expr, Expr),
}

/// What a walk tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum WalkGive {
    /// Number of places passed: integer.
    Length,
    /// The places passed: set.
    Passed,
    /// The places visited: those passed, and the one that stopped the walk: set.
    Reached,
    /// The last place passed, absent if none: optional.
    Last,
    /// The place that stopped the walk by failing the predicate, absent if it ran off: optional.
    Stop,
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// The constant, if it is one.
    pub fn as_const(&self) -> Option<&Const> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }
}
