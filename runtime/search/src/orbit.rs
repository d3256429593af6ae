//! Positions that symmetries of the rules take to each other: tables keep one entry for all of them.

use std::{fmt, str::FromStr};

use rulec_core::{GameInfo, Identities};

/// Whether symmetries are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orbits {
    /// One entry for all positions that symmetries take to each other
    #[default]
    On,
    /// One entry for each position
    Off,
}

impl FromStr for Orbits {
    type Err = String;

    fn from_str(text: &str) -> Result<Orbits, String> {
        match text {
            "on" => Ok(Orbits::On),
            "off" => Ok(Orbits::Off),
            _ => Err(format!("`{text}`: write `on` or `off`")),
        }
    }
}

/// What a search for a move makes of the symmetries that keep the position at its root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mirrors {
    /// Nothing
    Off,
    /// Of moves that they take to each other one is tried, as long as the line of play keeps them: that costs nothing
    #[default]
    Moves,
    /// And the table has one entry for all positions that they take to each other: an image of each for every symmetry
    Positions,
}

/// All of [`Mirrors`], and their names.
const MIRRORS: [(Mirrors, &str); 3] = [
    (Mirrors::Off, "off"),
    (Mirrors::Moves, "moves"),
    (Mirrors::Positions, "positions"),
];

impl fmt::Display for Mirrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = MIRRORS.iter().find(|(mirrors, _)| mirrors == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

impl FromStr for Mirrors {
    type Err = String;

    fn from_str(text: &str) -> Result<Mirrors, String> {
        let found = MIRRORS.iter().find(|(_, name)| *name == text);
        found
            .map(|(mirrors, _)| *mirrors)
            .ok_or_else(|| format!("`{text}`: write `off`, `moves` or `positions`"))
    }
}

/// Appends the encoding of a position under an identity; with orbits the least of those of its images under the symmetries that
/// keep all players, which is the same for all of them.
pub fn encode<G: Identities>(
    game: &G,
    state: &G::State,
    identity: usize,
    orbits: Orbits,
    out: &mut Vec<u8>,
) {
    let symmetries = merging(game.info(), orbits);
    game.least_identity(state, identity, &symmetries, out);
}

/// The symmetries by which positions are merged, as indexes: those that keep all players.
pub(crate) fn merging(info: &GameInfo, orbits: Orbits) -> Vec<usize> {
    let all = info.symmetries.iter().enumerate();
    let kept = all.filter(|(_, symmetry)| symmetry.keeps_players());
    match orbits {
        Orbits::On => kept.map(|(index, _)| index).collect(),
        Orbits::Off => Vec::new(),
    }
}
