//! Quiescence search: exchanges are followed where looking ahead stops.

use rulec_core::Turn;

use super::{
    INFINITE, ONE_LOGIT,
    node::{Estimate, Seeker},
    picking::pick,
};
use crate::{
    evaluation::{Evaluation, View},
    walk::Walk,
};

/// More moves than one player hardly ever has more to choose from than the other one.
const MORE: f64 = 24.0;

impl Seeker<'_> {
    /// What a position is worth with what the number of moves says, as far as that may matter for a window: counting takes time.
    #[inline(never)]
    fn with_moves<W: Walk>(
        &self,
        walk: &mut W,
        evaluation: &Evaluation,
        view: View,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let bare = self.worth(view);
        let most = (evaluation.of_moves(view, MORE).abs() * ONE_LOGIT) as i32;
        if bare.saturating_add(most) <= alpha || bare.saturating_sub(most) >= beta {
            return bare;
        }
        let logit = evaluation.logit(view, || walk.mobility());
        self.worth(View { logit, ..view })
    }

    /// The value of the position when nobody looks at more than moves that exchange something (quiescence search).
    ///
    /// Who is on turn may leave all as it is, unless exchanges are forced; so a move is worth no more than the position
    /// after it.
    pub(super) fn exchanges<W: Walk>(
        &mut self,
        walk: &mut W,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        left: u32,
    ) -> Estimate {
        let turn = walk.turn();
        if turn == Turn::Over {
            return self.end(walk.outcome(), ply);
        }
        let Some(evaluation) = self.learnt() else {
            return Estimate::OPEN;
        };
        let view = walk.judged(evaluation);
        let now = match evaluation.counts_moves() {
            true => self.with_moves(walk, evaluation, view, (alpha, beta)),
            false => self.worth(view),
        };
        if left == 0 || turn == Turn::Chance || !evaluation.tells_exchanges() {
            return Estimate::open(now);
        }
        let mine = walk.player() == Some(self.me());
        let enough = if mine { now >= beta } else { now <= alpha };
        if enough && !evaluation.is_forced() {
            return Estimate::open(now);
        }
        let mut moves = self.take_list(ply);
        let listed = walk.list(&mut moves);
        if listed.is_err() || moves.is_empty() {
            self.lists[ply] = moves;
            return self.without_moves(walk, listed, ply);
        }
        let number = moves.len();
        // Scores are worths for who is on turn.
        moves.retain_mut(|listed| {
            if self.foretells && !walk.may_exchange(listed.place) {
                return false;
            }
            walk.enter(listed.place);
            let worth = match walk.turn() {
                Turn::Over => Some(self.end(walk.outcome(), ply + 1).value),
                _ => {
                    let after = walk.judged(evaluation);
                    (after.material != view.material).then(|| self.worth(after))
                }
            };
            walk.up();
            listed.score = worth.map_or(0, |worth| if mine { worth } else { -worth });
            worth.is_some()
        });
        let forced = evaluation.is_forced() && moves.len() == number;
        let mut best = match forced {
            true if mine => -INFINITE,
            true => INFINITE,
            false => now,
        };
        for number in 0..moves.len() {
            match mine {
                true => alpha = alpha.max(best),
                false => beta = beta.min(best),
            }
            let listed = pick(&mut moves, number);
            let hopeless = match mine {
                true => listed.score <= alpha,
                false => -listed.score >= beta,
            };
            if alpha >= beta || hopeless && !forced {
                break;
            }
            self.stopped |= !self.pace.go_on();
            if self.stopped {
                break;
            }
            walk.enter(listed.place);
            let value = self.exchanges(walk, ply + 1, alpha, beta, left - 1).value;
            walk.up();
            best = if mine {
                best.max(value)
            } else {
                best.min(value)
            };
        }
        self.lists[ply] = moves;
        Estimate::open(best)
    }
}
