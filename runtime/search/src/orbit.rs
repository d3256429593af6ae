//! Positions that symmetries of the rules take to each other: tables keep one entry for all of them.

use std::str::FromStr;

use rulec_core::Identities;

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

/// Appends the encoding of a position under an identity; with orbits the least of those of its images under the symmetries that
/// keep all players, which is the same for all of them.
pub fn encode<G: Identities>(
    game: &G,
    state: &G::State,
    identity: usize,
    orbits: Orbits,
    out: &mut Vec<u8>,
) {
    let from = out.len();
    game.identity(state, identity, out);
    if orbits == Orbits::Off {
        return;
    }
    let mut other = Vec::new();
    for (index, symmetry) in game.info().symmetries.iter().enumerate() {
        if !symmetry.keeps_players() {
            continue;
        }
        let Some(image) = game.image(state, index) else {
            continue;
        };
        other.clear();
        game.identity(&image, identity, &mut other);
        if other[..] < out[from..] {
            out.truncate(from);
            out.extend_from_slice(&other);
        }
    }
}
