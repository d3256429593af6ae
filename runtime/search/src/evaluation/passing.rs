//! Whether it is ever best to do nothing: told by games of the program against itself, by how much is left in them.
//!
//! A search may take for granted that doing nothing is no better than the best move, and leave out positions in which even that is enough
//! (null move: Goetsch and Campbell, 1990). That is wrong where moves are forced on players: in draughts, in fights for the
//! last move, near the end of games of chess. So it is tried out: in some positions of games the best move is compared with the position
//! in which the other player is on turn and all else is as it is, looked into equally far.

use super::{Learnt, QUARTERS, quarter};
use crate::{
    AnyState,
    heuristic::Heuristic,
    search::{Method, SearchSettings},
};

/// Positions from which on such a part is believed.
const FEW: usize = 100;
/// By what part of the least thing that can be exchanged doing nothing must be better.
const MARGIN: f64 = 0.5;
/// Moves that are looked ahead, and positions that this takes at most.
const AHEAD: u32 = 2;
const MOST_POSITIONS: u64 = 4_000;
/// What came of doing nothing in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tried {
    quarter: usize,
    /// Whether it was better than the best move.
    pub(crate) better: bool,
}

/// Compares the best move of a position with doing nothing; nothing where it is not known how to do nothing.
pub(crate) fn tried<'g>(state: &(dyn AnyState<'g> + 'g), learnt: Learnt) -> Option<Tried> {
    let passed = state.handed_over()?;
    let best = worth(state, learnt, AHEAD)?;
    // Where the other one cannot move, nobody has done nothing.
    let nothing = 1.0 - worth(&*passed, learnt, AHEAD - 1)?;
    let logit = |share: f64| {
        let share = share.clamp(1e-6, 1.0 - 1e-6);
        libm::log(share / (1.0 - share))
    };
    let evaluation = learnt.evaluation();
    let margin = MARGIN * evaluation.least_thing();
    Some(Tried {
        quarter: quarter(state.judged(evaluation).left),
        better: logit(nothing) > logit(best) + margin,
    })
}

/// What a position is worth to who is on turn.
fn worth<'g>(state: &(dyn AnyState<'g> + 'g), learnt: Learnt, depth: u32) -> Option<f64> {
    let settings = SearchSettings {
        games: Some(MOST_POSITIONS),
        depth: Some(depth),
        heuristic: Heuristic::Learnt(learnt),
        table: 1 << 12,
        ..SearchSettings::of(Method::AlphaBeta)
    };
    let report = state.search(&settings, &mut |_: u64| true);
    report.moves.first().map(|best| best.value)
}

/// For each quarter of what is left, the last first, in which part of the positions doing nothing was best; all of them where too few were
/// looked at.
pub(super) fn harm<'t>(tried: impl Iterator<Item = &'t Vec<Tried>>) -> Vec<f64> {
    let mut sums = [(0, 0); QUARTERS];
    for tried in tried.flatten() {
        let (all, better) = &mut sums[tried.quarter.min(QUARTERS - 1)];
        *all += 1;
        *better += usize::from(tried.better);
    }
    let share = |(all, better): (usize, usize)| match all < FEW {
        true => 1.0,
        false => better as f64 / all as f64,
    };
    sums.map(share).to_vec()
}
