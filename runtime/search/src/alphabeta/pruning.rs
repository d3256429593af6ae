//! What is not looked into: positions that are good enough as they are, and moves that could hardly be.

use rulec_core::Turn;

use super::turned::Spot;
use super::{
    LATE, ONE_LOGIT, Technique, WIN,
    node::{Estimate, Here, Seeker},
    picking::{PASSED, is_late},
};
use crate::{
    evaluation::View,
    walk::{Listed, Walk},
};

/// Moves before the end of looking ahead from which positions may count as safe, and by how many of the least valuable things they must
/// be better than what is asked, for each of these moves.
const SAFE: u32 = 4;
const MARGIN: f64 = 1.25;
/// From which depth on doing nothing is tried, by how much less deeply that is looked into, one more for each so many moves of depth, and
/// from which depth on it is verified.
const TRIED: (u32, u32, u32) = (3, 3, 5);
const VERIFIED: u32 = 7;
/// Up to which depth late moves are left out, behind how many at depth 1, and by how many of the least valuable things a position must be
/// worse than what is asked for each move of depth.
const SHALLOW: u32 = 3;
const BEHIND: usize = 8;
const HOPELESS: f64 = 1.5;

/// What a position is worth as it is.
#[derive(Clone, Copy)]
pub(super) struct Now {
    view: View,
    worth: i32,
}

impl Seeker<'_> {
    /// What a position is worth as it is, where that may save to look into it: it is only asked whether it is better than something, by a
    /// learnt evaluation, and who is on turn may leave all as it is.
    #[inline(always)]
    pub(super) fn judged_here<W: Walk>(
        &self,
        walk: &mut W,
        here: Here,
        alpha: i32,
        beta: i32,
    ) -> Option<Now> {
        let evaluation = self.learnt()?;
        let asked = beta - alpha == 1 && alpha.abs() < WIN - LATE && beta.abs() < WIN - LATE;
        let tried = here.depth <= SAFE || evaluation.may_ever_pass();
        if !asked || !tried || self.hurry || evaluation.is_forced() {
            return None;
        }
        let view = walk.judged(evaluation);
        Some(Now {
            view,
            worth: self.worth(view),
        })
    }

    /// What is found of a position that need not be looked into, with where the table knows it and the tag of its best move as far as that is known.
    #[inline(always)]
    pub(super) fn spared<W: Walk>(
        &mut self,
        walk: &mut W,
        now: Now,
        here: Here,
        (alpha, beta): (i32, i32),
        (spot, first): (Spot, u32),
    ) -> Option<Estimate> {
        if let Some(found) = self.is_safe(walk, now, here.depth, alpha, beta) {
            return Some(found);
        }
        if let Some(found) = self.passes(walk, now, here, alpha, beta) {
            self.note(spot, first, found, here, (alpha, beta));
            return Some(found);
        }
        self.stopped.then_some(Estimate::OPEN)
    }

    /// Some of the least valuable things. Files may hold weights of any size.
    #[inline(always)]
    fn things(&self, number: f64) -> Option<i32> {
        let least = self.learnt()?.least_thing();
        (least > 0.0).then_some((least * ONE_LOGIT * number) as i32)
    }

    /// A bound on what a position is worth that is so much better than what is asked that a few moves hardly change it, if who is on turn
    /// may leave all as it is: he has moves, and not far fewer than usual, as where a king is in check.
    #[inline(always)]
    fn is_safe<W: Walk>(
        &self,
        walk: &W,
        now: Now,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<Estimate> {
        if depth > SAFE || !self.uses(Technique::Futility) {
            return None;
        }
        let margin = self.things(MARGIN * f64::from(depth))?;
        let (least, most) = (
            now.worth.saturating_sub(margin),
            now.worth.saturating_add(margin),
        );
        match walk.player() == Some(self.me()) {
            true => (least >= beta).then_some(Estimate::open(least)),
            false => (most <= alpha).then_some(Estimate::open(most)),
        }
    }

    /// A bound on what a position is worth, if it is good enough for who is on turn even if he does nothing, and doing nothing is hardly ever
    /// best in such positions.
    fn passes<W: Walk>(
        &mut self,
        walk: &mut W,
        now: Now,
        here: Here,
        alpha: i32,
        beta: i32,
    ) -> Option<Estimate> {
        let evaluation = self.learnt()?;
        let mine = walk.player() == Some(self.me());
        let good = if mine {
            now.worth >= beta
        } else {
            now.worth <= alpha
        };
        if !good
            || here.depth < TRIED.0
            || here.last == PASSED
            || self.verifying
            || !self.uses(Technique::Passing)
            || !evaluation.may_pass(now.view)
        {
            return None;
        }
        if !walk.hand_over() {
            return None;
        }
        let less = TRIED.1 + here.depth / TRIED.2;
        let depth = (here.depth - 1).saturating_sub(less);
        let value = match walk.turn() {
            Turn::Decide(_) => {
                self.node(walk, here.after(depth, PASSED), alpha, beta)
                    .value
            }
            _ => {
                if mine {
                    alpha
                } else {
                    beta
                }
            }
        };
        walk.up();
        let enough = |value: i32| if mine { value >= beta } else { value <= alpha };
        if self.stopped || !enough(value) {
            return None;
        }
        // What is won so is not won by the rules.
        let bound = Some(Estimate::open(if mine { beta } else { alpha }));
        if here.depth < VERIFIED {
            return bound;
        }
        self.verifying = true;
        let less = Here { depth, ..here };
        let verified = self.node(walk, less, alpha, beta).value;
        self.verifying = false;
        bound.filter(|_| !self.stopped && enough(verified))
    }

    /// What a position is worth at best by a move and those behind it, where they can hardly be good enough: late ones near the end of
    /// looking ahead.
    #[inline(always)]
    pub(super) fn left_out(
        &self,
        now: Now,
        depth: u32,
        number: usize,
        listed: &Listed,
        (alpha, beta): (i32, i32),
        mine: bool,
    ) -> Option<i32> {
        // Moves of the last depth are in no order that tells which of them exchange something.
        let ordered = (2..=SHALLOW).contains(&depth);
        if number == 0 || !ordered || !is_late(listed) || !self.uses(Technique::Shallow) {
            return None;
        }
        let margin = self.things(HOPELESS * f64::from(depth))?;
        let (hopeless, bound) = match mine {
            true => (now.worth.saturating_add(margin) <= alpha, alpha),
            false => (now.worth.saturating_sub(margin) >= beta, beta),
        };
        (hopeless || number >= BEHIND << (depth - 1)).then_some(bound)
    }
}
