//! Kinds of moves: what they name, which are candidates, and which of these are legal.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::expr::Expr;
use super::ids::{FamilyId, FuncId, TableId};
use super::types::{Local, Type};
use crate::source::Span;

/// A kind of move.
///
/// Its functions and expressions see the context first and the parameters after it, as
/// parameters of functions and as local variables 0, 1, ... of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Family {
    /// Name, unique among families.
    pub name: String,
    /// Values that the arm gives: not part of the move.
    pub context: Vec<Local>,
    /// Parameters: a move is the family and these.
    pub params: Vec<Param>,
    /// Whether a candidate is legal; it may write the environment only.
    pub guard: Option<FuncId>,
    /// A predicate on the position after the move, asked if the guard holds: on the position that `effect` leaves;
    /// without that one at the next stop or end, before the expressions of that stop are evaluated and before any
    /// `otherwise`.
    pub after: Option<FuncId>,
    /// What of the move `after` looks at: a function that changes a copy of the position. The arm of the move does as much
    /// and may do more; only what the arm does is played.
    pub effect: Option<FuncId>,
    /// Rank of a candidate for which guard and `after` hold: of all moves of one decision only those of the highest rank
    /// present are legal. Families without it have rank 0.
    pub rank: Option<FuncId>,
    /// Two moves of one decision are interchangeable if these have equal values in the position
    /// before them. Families of a game that have any have as many of the same types; the moves of a
    /// family without any are interchangeable with none.
    pub class: Vec<Expr>,
    /// Text of a move.
    pub text: Vec<TextPart>,
    /// Place in the rules.
    pub span: Span,
}

/// A family that is a part of a rule: the moves of some of the pieces that the rule moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct RulePart {
    /// The part.
    pub family: FamilyId,
    /// The family of the rule, which has its name and the moves of the other pieces.
    pub rule: FamilyId,
}

/// Families that do the same, written as one of them: its moves are those of all, and an argument tells by which name they go.
///
/// The others keep their names, parameters and texts, but have no functions, and no decision has an arm for them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Joined {
    /// The family with the moves of all.
    pub family: FamilyId,
    /// The parameter that tells the families apart, by position: an `Elem`.
    pub by: usize,
    /// For each member of its domain the family by which a move that names it goes: `family` where it is a candidate of none.
    pub names: Vec<FamilyId>,
}

impl Family {
    /// The functions that list candidates for its parameters.
    pub fn listing(&self) -> impl Iterator<Item = FuncId> {
        self.params.iter().filter_map(|param| match param.source {
            ParamSource::Generated(func) => Some(func),
            _ => None,
        })
    }

    /// The functions that it asks about its moves: guard, `after`, effect, rank, and those that list candidates.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> {
        let own = [self.guard, self.after, self.effect, self.rank];
        own.into_iter().flatten().chain(self.listing())
    }

    /// Whether it makes no moves: a parameter has no candidates.
    pub fn is_empty(&self) -> bool {
        let none = |param: &Param| matches!(&param.source, ParamSource::Among(members) if members.is_empty());
        self.params.iter().any(none)
    }
}

/// A parameter of a move family.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Param {
    /// Name.
    pub name: String,
    /// `Elem` of a domain, or `Set` for [`ParamSource::Subset`].
    pub ty: Type,
    /// Which values are candidates.
    pub source: ParamSource,
}

/// The candidates for a parameter, given the context and the parameters before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum ParamSource {
    /// All members of the domain.
    All,
    /// These members, ascending.
    Among(Vec<u32>),
    /// The one value of an expression: `Elem`, or `Opt` (then none if absent).
    Is(Expr),
    /// The members of a row of a table of sets, chosen by an earlier parameter.
    Listed {
        /// The earlier parameter, by position among the parameters.
        by: usize,
        /// Table from its domain to sets of this domain.
        table: TableId,
    },
    /// The members of the set, or the items of the sequence (each once), that a function of the
    /// context and the earlier parameters gives.
    Generated(FuncId),
    /// All subsets of a size, numbered in the order of their ranks (combinatorial number system).
    Subset {
        /// The set to choose from, of the parameter's type.
        of: Expr,
        /// The size: integer.
        size: Expr,
    },
}

/// A part of the text of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum TextPart {
    /// Text as it is.
    Text(String),
    /// A parameter, by position, by the name of its member (sets: `{a,b}`).
    Param(usize),
}
