//! Symmetries: renamings that leave the rules as they are.
//!
//! A renaming permutes members of domains: places of a board when it is turned, players and what is theirs when sides change. The
//! values of a variable are permuted like members where rules ask no more of them than which of them it is: whose disc it is that
//! has been turned. It takes every position to one that has the same moves and ends, renamed. All of them together are a group.

use crate::sorted::SortedMap;

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::ids::{DomainId, VarId};

/// What is known of the symmetries of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Symmetries {
    /// All but the one that changes nothing; those that keep all players first.
    pub all: Vec<Symmetry>,
    /// Why they could not be looked for, if that is so: then nothing is known of them.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub unknown: Option<String>,
    /// What tells players apart where they cannot be exchanged, if that is known: a sentence with places in the rules.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub apart: Option<String>,
    /// What tells the sides of a board apart where no symmetry does what a mirror does, if that is known: sentences.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub mirrors: Vec<String>,
}

/// A renaming that leaves the rules as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Symmetry {
    /// For each domain that has members with new names the new number of each member.
    pub members: SortedMap<DomainId, Vec<u32>>,
    /// For each integer variable of which values become others the new one for each, from the least on.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "SortedMap::is_empty")
    )]
    pub values: SortedMap<VarId, Vec<i64>>,
    /// For each family of moves the one that its moves belong to afterwards.
    pub families: Vec<u32>,
    /// Whether it takes the start to itself, apart from which of several pieces that are alike is which.
    pub fixes_start: bool,
    /// Whether it is shown that planes of the image are the images of planes.
    pub keeps_planes: bool,
    /// For each plane of the image the one that it is made from, if it is shown; nothing where each is made from itself.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub planes: Vec<u32>,
}

impl Symmetries {
    /// What tells players and sides of the board apart, in a line; nothing where that is not known.
    pub fn told_apart(&self) -> Option<String> {
        let all: Vec<&str> = (self.apart.iter().chain(&self.mirrors))
            .map(String::as_str)
            .collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// How many renamings there are, with the one that changes nothing.
    pub fn order(&self) -> usize {
        self.all.len() + 1
    }

    /// How many of them take the start to itself.
    pub fn of_start(&self) -> usize {
        1 + self.all.iter().filter(|s| s.fixes_start).count()
    }
}

impl Symmetry {
    /// Whether it keeps all members of a domain.
    pub fn keeps(&self, domain: DomainId) -> bool {
        !self.members.contains_key(&domain)
    }

    /// The new number of a member.
    pub fn member(&self, domain: DomainId, member: u32) -> u32 {
        let members = self.members.get(&domain);
        let new = members.and_then(|members| members.get(member as usize));
        new.copied().unwrap_or(member)
    }
}
