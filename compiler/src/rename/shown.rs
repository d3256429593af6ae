//! What planes show of members that no rule speaks of: where two pieces change their names, and the rules never ask of which type they
//! are, the types change theirs too, so that the picture of the image is the image of the picture.

use crate::ir::{Axis, Const, DomainId, Game};

use super::Renaming;
use super::meaning::Meaning;
use super::reach::domain_of;
use super::symmetries::{Members, renaming};

/// A renaming that keeps the game, and what it makes of families; with new names for members of other domains, if planes are kept then
/// that would not be otherwise.
pub(super) fn with_what_is_shown(
    game: &Game,
    meaning: &mut Meaning<'_>,
    found: (Members, Vec<u32>),
) -> (Members, Vec<u32>) {
    if meaning.keeps_planes(game, &renaming(&found.0)) {
        return found;
    }
    let mut members = found.0.clone();
    // Again until nothing follows any more: what follows from what has no order.
    loop {
        let before = members.len();
        for table in &game.tables {
            let ([Axis::Domain(from)], Some(to)) = (&table.axes[..], domain_of(&table.ty)) else {
                continue;
            };
            if to == game.players || members.contains_key(&to) || !members.contains_key(from) {
                continue;
            }
            if let Some(new) = follows(game, &renaming(&members), *from, to, &table.values) {
                members.insert(to, new);
            }
        }
        if members.len() == before {
            break;
        }
    }
    let by = renaming(&members);
    match meaning.keeps(&by) {
        Some(families) if meaning.keeps_planes(game, &by) => (members, families),
        _ => found,
    }
}

/// The new numbers of the members of a domain that follow from those of another one by a table; nothing where none follow, or all stay.
fn follows(
    game: &Game,
    by: &Renaming,
    from: DomainId,
    to: DomainId,
    values: &[Const],
) -> Option<Vec<u32>> {
    let named = |value: &Const| match value {
        Const::Elem(member) => Some(*member),
        _ => None,
    };
    let mut new: Vec<u32> = (0..game.domain(to).len() as u32).collect();
    let mut known = vec![false; new.len()];
    for (member, value) in (0..).zip(values) {
        let image = named(values.get(by.member(from, member) as usize)?);
        let (Some(old), Some(image)) = (named(value), image) else {
            continue;
        };
        let slot = new.get_mut(old as usize)?;
        if std::mem::replace(&mut known[old as usize], true) && *slot != image {
            return None;
        }
        *slot = image;
    }
    let mut all = new.clone();
    all.sort_unstable();
    let is_permutation = all.iter().zip(0..).all(|(member, own)| *member == own);
    let changes = new.iter().zip(0..).any(|(member, own)| *member != own);
    (is_permutation && changes).then_some(new)
}
