//! Types, finite domains, constants and tables.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::ids::DomainId;
use crate::source::Span;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Type {
    /// A truth value.
    Bool,
    /// An integer of a closed range.
    ///
    /// Arithmetic is exact in 64 bits and faults on overflow; storing a value outside the range of
    /// a variable is a fault.
    Int {
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// A 32-bit integer in two's complement whose arithmetic wraps.
    Wrap32,
    /// A member of a domain.
    Elem(DomainId),
    /// A member of a domain, or nothing.
    Opt(DomainId),
    /// A subset of a domain.
    Set(DomainId),
    /// A bounded sequence: ordered, duplicates kept; growing beyond `cap` is a fault.
    Seq {
        /// Type of the items: a scalar ([`Type::is_scalar`]).
        item: Box<Type>,
        /// Greatest length.
        cap: u32,
    },
    /// A scalar together with a tag that says its type: the last resort for variables that hold
    /// values of several types.
    Tagged,
}

impl Type {
    /// The integers of 64 bits: the type of intermediate results.
    pub const INT: Type = Type::Int {
        lo: i64::MIN,
        hi: i64::MAX,
    };

    /// Whether it is one of bool, the integers, member or optional member, tagged.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Set(_) | Type::Seq { .. })
    }

    /// Least and greatest value of a 64-bit integer type.
    pub fn int_range(&self) -> Option<(i64, i64)> {
        match self {
            Type::Int { lo, hi } => Some((*lo, *hi)),
            _ => None,
        }
    }

    /// Whether every value of the other type is one of this type.
    ///
    /// Storing such a value never faults; storing a value of another type of the same kind may.
    pub fn contains(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int { lo, hi }, Type::Int { lo: a, hi: b }) => lo <= a && b <= hi,
            (
                Type::Seq { item, cap },
                Type::Seq {
                    item: other,
                    cap: least,
                },
            ) => cap >= least && item.contains(other),
            _ => self == other,
        }
    }

    /// Whether values of both types can be compared and stored into each other, up to ranges and
    /// capacities.
    pub fn same_kind(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int { .. }, Type::Int { .. }) => true,
            (Type::Seq { item: a, .. }, Type::Seq { item: b, .. }) => a.same_kind(b),
            _ => self == other,
        }
    }
}

/// Runs of members that are named at most.
const RUNS: usize = 6;

/// A named finite set; its members are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Domain {
    /// Name, unique among domains.
    pub name: String,
    /// What it consists of.
    pub members: Members,
    /// Where the rules declare it.
    pub span: Span,
}

/// The members of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Members {
    /// Named members.
    Names(Vec<String>),
    /// The integers of a closed range; member 0 is `lo`.
    Range {
        /// Least member.
        lo: i64,
        /// Greatest member; not below `lo`.
        hi: i64,
    },
}

impl Domain {
    /// Number of members.
    pub fn len(&self) -> usize {
        match &self.members {
            Members::Names(names) => names.len(),
            Members::Range { lo, hi } => range_len(*lo, *hi),
        }
    }

    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a member.
    pub fn member(&self, index: u32) -> String {
        match &self.members {
            Members::Names(names) => names[index as usize].clone(),
            Members::Range { lo, .. } => (lo + i64::from(index)).to_string(),
        }
    }

    /// The names of members, of each run of them the first and the last; with an ellipsis if there are many runs.
    pub fn listed(&self, members: &[u32]) -> String {
        let runs = members.chunk_by(|a, b| a + 1 == *b);
        let runs = runs.map(|run| match run {
            [] => String::new(),
            [only] => self.member(*only),
            [first, .., last] => format!("{} to {}", self.member(*first), self.member(*last)),
        });
        let mut runs: Vec<String> = runs.collect();
        if runs.len() > RUNS {
            runs.truncate(RUNS - 1);
            runs.push(String::from("..."));
        }
        runs.join(", ")
    }

    /// The integer that a member stands for: its number, or its value in a range.
    pub fn ordinal(&self, index: u32) -> i64 {
        match &self.members {
            Members::Names(_) => i64::from(index),
            Members::Range { lo, .. } => lo + i64::from(index),
        }
    }

    /// The member with this ordinal, if there is one.
    pub fn with_ordinal(&self, ordinal: i64) -> Option<u32> {
        let base = match &self.members {
            Members::Names(_) => 0,
            Members::Range { lo, .. } => *lo,
        };
        let index = u32::try_from(ordinal.checked_sub(base)?).ok()?;
        ((index as usize) < self.len()).then_some(index)
    }
}

/// Number of integers of a closed range; 0 if it is empty or no memory could hold so many.
pub(super) fn range_len(lo: i64, hi: i64) -> usize {
    usize::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0)
}

/// A constant; its type is that of the place it stands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Const {
    /// A truth value.
    Bool(bool),
    /// An integer of either integer type.
    Int(i64),
    /// A member of a domain, by number; also a present optional member.
    Elem(u32),
    /// The absent optional member.
    None,
    /// A set, its members in ascending order.
    Set(Vec<u32>),
    /// A sequence.
    Seq(Vec<Const>),
    /// A tagged value: its type and the scalar.
    Tagged(Box<Type>, Box<Const>),
}

/// A constant function of one or more arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Table {
    /// Name, unique among tables.
    pub name: String,
    /// The domains of the arguments.
    pub axes: Vec<Axis>,
    /// Type of the values.
    pub ty: Type,
    /// The values, last axis fastest; as many as the product of the axes.
    pub values: Vec<Const>,
    /// The value wherever an argument is outside its axis or absent; without it that is a fault.
    pub outside: Option<Const>,
    /// Where the rules imply it.
    pub span: Span,
}

/// The range of one argument of a table, or one index of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Axis {
    /// The members of a domain (an argument may also be optional where the table has `outside`).
    Domain(DomainId),
    /// The integers of a closed range, of either integer type.
    Range {
        /// Least argument.
        lo: i64,
        /// Greatest argument.
        hi: i64,
    },
}

/// A local variable or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Local {
    /// Name, for people; not always unique.
    pub name: String,
    /// Type of its value.
    pub ty: Type,
}
