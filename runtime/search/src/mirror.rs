//! Moves that symmetries of the rules take to each other in a position that they keep: one of them stands for all.
//!
//! Which symmetries keep the first position of a search is seen from its images. Those of them that keep the move that is made keep the
//! position after it too, so nothing needs to be looked at further down.

use std::collections::BTreeMap;

use rulec_core::{GameInfo, Identities, MoveArgs, MoveList, Symmetry};

use crate::{
    orbit::{self, Orbits},
    search::{MoveReport, SearchReport},
};

/// Symmetries, a bit each by their index in [`GameInfo::symmetries`]; of a large group the first ones. They need be no group: a move
/// is left out only for one with a lesser number, and so on until one stays.
pub(crate) type Keepers = u64;

/// The symmetries that are known to keep positions of a tree.
#[derive(Default)]
pub(crate) struct Kept {
    /// Those that keep the first position.
    pub(crate) first: Keepers,
    /// For each node that was come to from one that some keep.
    below: BTreeMap<usize, Keepers>,
}

impl Kept {
    /// The symmetries that keep a position and all players; none where moves have no numbers that tell them apart.
    pub(crate) fn at<G: Identities>(game: &G, state: &G::State) -> Self {
        let info = game.info();
        if info.numbers.count == 0 {
            return Self::default();
        }
        let own = game.future_key(state);
        let mut first = 0;
        let mut symmetries = orbit::merging(info, Orbits::On);
        symmetries.retain(|index| *index < Keepers::BITS as usize);
        game.each_image(state, &symmetries, &mut |index, image| {
            if game.future_key(image) == own {
                first |= 1 << index;
            }
        });
        Self {
            first,
            below: BTreeMap::new(),
        }
    }

    /// Those of the symmetries that keep a move too, and so the node that it leads to.
    #[inline(always)]
    pub(crate) fn after<G: MoveArgs>(
        &mut self,
        game: &G,
        keepers: Keepers,
        mv: G::Move,
        node: usize,
    ) -> Keepers {
        match keepers {
            0 => 0,
            _ => {
                let known = self.below.entry(node);
                *known.or_insert_with(|| after(game, keepers, mv))
            }
        }
    }
}

fn each(info: &GameInfo, keepers: Keepers) -> impl Iterator<Item = (usize, &'static Symmetry)> {
    let all = info.symmetries.iter().take(Keepers::BITS as usize);
    all.enumerate()
        .filter(move |(index, _)| keepers >> index & 1 == 1)
}

/// The dense number of the image of a move.
fn image<G: MoveArgs>(game: &G, symmetry: &Symmetry, mv: G::Move) -> usize {
    let mut args = Vec::new();
    let family = game.move_args(mv, &mut args);
    let family = symmetry.move_args(family, &mut args);
    game.info().numbers.number(family, &args)
}

/// Those of the symmetries that keep a move, or a result of a draw, too.
pub(crate) fn after<G: MoveArgs>(game: &G, keepers: Keepers, mv: G::Move) -> Keepers {
    let own = game.move_index(mv);
    let keeps = each(game.info(), keepers).filter(|(_, by)| image(game, by, mv) == own);
    keeps.fold(0, |kept, (index, _)| kept | 1 << index)
}

/// Leaves one of the moves that the symmetries take to each other: the one with the least number.
pub(crate) fn keep_one_of_each<G: MoveArgs>(
    game: &G,
    keepers: Keepers,
    moves: &mut MoveList<G::Move>,
) {
    let all: Vec<(usize, G::Move)> = moves.iter().map(|&mv| (game.move_index(mv), mv)).collect();
    let mut numbers: Vec<usize> = all.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    moves.clear();
    for (own, mv) in all {
        let mut images = each(game.info(), keepers).map(|(_, by)| image(game, by, mv));
        if !images.any(|image| image < own && numbers.binary_search(&image).is_ok()) {
            moves.push(mv);
        }
    }
}

/// Tells of all moves of the first position what was found of those that stand for them, behind these.
pub(crate) fn tell_all<G: MoveArgs>(
    game: &G,
    keepers: Keepers,
    moves: &[G::Move],
    report: &mut SearchReport,
) {
    let told = std::mem::take(&mut report.moves);
    let mut rest: Vec<G::Move> = moves.to_vec();
    rest.retain(|&mv| told.iter().all(|m| m.code != game.move_code(mv)));
    for m in told {
        report.moves.push(m);
        // Images of images too: without all of a group one symmetry may not be enough.
        let mut standing: Vec<G::Move> = game.move_from_code(m.code).into_iter().collect();
        while let Some(mv) = standing.pop() {
            let related = |other: G::Move| {
                let (own, number) = (game.move_index(mv), game.move_index(other));
                each(game.info(), keepers)
                    .any(|(_, by)| image(game, by, mv) == number || image(game, by, other) == own)
            };
            rest.retain(|&other| {
                let stands = related(other);
                if stands {
                    let code = game.move_code(other);
                    report.moves.push(MoveReport { code, ..m });
                    standing.push(other);
                }
                !stands
            });
        }
    }
}
