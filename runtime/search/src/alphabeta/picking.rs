//! Which move is looked at first: what cut off elsewhere is likely to do so here.

use super::{Technique, node::Seeker};
use crate::walk::{Listed, Walk};

/// Scores of moves, the greater the earlier; those of histories lie between.
/// Moves that exchange something are around this, by what the position after them is worth.
const EXCHANGE: i32 = 1 << 29;
const KILLERS: [i32; 2] = [(1 << 28) + 2, (1 << 28) + 1];
const COUNTER: i32 = 1 << 28;
const HISTORY: i32 = 1 << 27;
/// A count of the history at most, above which all are halved.
const MOST_OFTEN: u32 = 1 << 26;
/// Moves of whose history is kept at most.
const ROWS: usize = 1 << 14;

/// No move.
pub(super) const NOBODY: u32 = u32::MAX;
/// Nothing was done.
pub(super) const PASSED: u32 = u32::MAX - 1;

/// What moves did so far, by their tags.
pub(super) struct Past {
    killers: Vec<[u32; 2]>,
    /// How often a move cut off, for each side.
    history: [Vec<u32>; 2],
    /// The last answer that refuted a move, for each side.
    counters: [Vec<u32>; 2],
    mask: usize,
}

impl Past {
    /// None yet of a game with so many moves.
    pub(super) fn new(moves: usize) -> Past {
        let rows = moves.clamp(1, ROWS).next_power_of_two();
        Past {
            killers: Vec::new(),
            history: [vec![0; rows], vec![0; rows]],
            counters: [vec![NOBODY; rows], vec![NOBODY; rows]],
            mask: rows - 1,
        }
    }

    fn row(&self, tag: u32) -> usize {
        tag as usize & self.mask
    }
}

/// Whether a move of this score is neither known to be good nor exchanges anything.
#[inline(always)]
pub(super) fn is_late(listed: &Listed) -> bool {
    listed.score < COUNTER
}

/// Puts the move with the highest score of those from a place on there; of equal ones the first.
#[inline(always)]
pub(super) fn pick(moves: &mut [Listed], place: usize) -> Listed {
    let mut best = place;
    for at in place + 1..moves.len() {
        if moves[at].score > moves[best].score {
            best = at;
        }
    }
    moves.swap(place, best);
    moves[place]
}

impl Seeker<'_> {
    /// Scores moves by what is known of them.
    #[inline(always)]
    pub(super) fn rank(&mut self, moves: &mut [Listed], ply: usize, mine: bool, last: u32) {
        while self.past.killers.len() <= ply {
            self.past.killers.push([NOBODY; 2]);
        }
        let past = &self.past;
        let killers = past.killers[ply];
        let side = usize::from(mine);
        let counter = past.counters[side][past.row(last)];
        let history = &past.history[side];
        for listed in moves {
            let tag = listed.tag;
            listed.score = match () {
                () if tag == killers[0] => KILLERS[0],
                () if tag == killers[1] => KILLERS[1],
                () if tag == counter => COUNTER,
                () => history[past.row(tag)] as i32,
            };
        }
    }

    /// The same, but by what positions after moves are worth where nothing else is known.
    pub(super) fn rank_by_worth<W: Walk>(
        &mut self,
        walk: &mut W,
        moves: &mut [Listed],
        ply: usize,
        mine: bool,
        last: u32,
    ) {
        self.rank(moves, ply, mine, last);
        let Some(evaluation) = self.learnt() else {
            return;
        };
        let before = walk.judged(evaluation).material;
        for listed in moves {
            // What is known of it says more than what the position after it is worth.
            if self.foretells && listed.score != 0 && !walk.may_exchange(listed.place) {
                continue;
            }
            walk.enter(listed.place);
            let view = walk.judged(evaluation);
            walk.up();
            let worth = if mine {
                self.worth(view)
            } else {
                -self.worth(view)
            };
            if view.material != before {
                listed.score = EXCHANGE + worth;
            } else if listed.score == 0 {
                listed.score = worth - HISTORY;
            }
        }
    }

    /// Remembers that a move cut off.
    #[inline(always)]
    pub(super) fn remember(&mut self, tag: u32, ply: usize, mine: bool, depth: u32, last: u32) {
        let (side, row) = (usize::from(mine), self.past.row(tag));
        if self.uses(Technique::Killers)
            && let Some(killers) = self.past.killers.get_mut(ply)
            && killers[0] != tag
        {
            *killers = [tag, killers[0]];
        }
        if self.uses(Technique::Counters) && last < PASSED {
            let before = self.past.row(last);
            self.past.counters[side][before] = tag;
        }
        if self.uses(Technique::History) {
            let count = &mut self.past.history[side][row];
            *count += depth.min(30).pow(2) + 1;
            if *count > MOST_OFTEN {
                self.past.history[side].iter_mut().for_each(|n| *n /= 2);
            }
        }
    }
}
