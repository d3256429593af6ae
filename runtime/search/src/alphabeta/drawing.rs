//! Draws of chance: the mean of the results by their weights.
//!
//! A result is left out where no value of it could bring the mean into the window (Star1: Ballard, 1983). Before, one move of each result is looked
//! into, which bounds what the result is worth from one side; with good moves first that is often enough (Star2).

use rulec_core::Turn;

use super::{
    Technique, WIN,
    node::{Estimate, Here, Seeker},
    picking::{NOBODY, pick},
};
use crate::walk::Walk;

/// The greatest value.
const WORST: f64 = WIN as f64;
/// From which depth on results are looked into twice.
const PROBED: u32 = 3;

/// What is known of a draw.
struct Draw {
    /// The sum of the weights of all results.
    total: f64,
    /// What results with known values come to, by their weights.
    sum: f64,
    /// What all others come to at least and at most.
    rest: (f64, f64),
    complete: bool,
}

impl Draw {
    /// The window in which the value of a result with a weight and known bounds counts, which is taken from the rest.
    fn window(&self, weight: f64, (alpha, beta): (i32, i32)) -> (i32, i32) {
        // The result must be so good, or so bad, that all others at their worst, or best, still reach the window.
        let least = (f64::from(alpha) * self.total - self.sum - self.rest.1) / weight;
        let most = (f64::from(beta) * self.total - self.sum - self.rest.0) / weight;
        let limit = |x: f64| x.clamp(-WORST - 1.0, WORST + 1.0);
        (limit(least.floor()) as i32, limit(most.ceil()) as i32)
    }

    /// A bound on the mean that is outside of the window, if there is one.
    fn outside(&self, (alpha, beta): (i32, i32)) -> Option<f64> {
        let (least, most) = (self.sum + self.rest.0, self.sum + self.rest.1);
        match () {
            () if most <= f64::from(alpha) * self.total => Some(most),
            () if least >= f64::from(beta) * self.total => Some(least),
            () => None,
        }
    }

    fn found(&self, sum: f64, stopped: bool) -> Estimate {
        Estimate {
            value: (sum / self.total.max(1.0)).round() as i32,
            complete: self.complete && !stopped,
        }
    }
}

impl Seeker<'_> {
    /// The mean of the results of a draw by their weights. Results whose values cannot bring it into the window are left
    /// out.
    pub(super) fn chance<W: Walk>(
        &mut self,
        walk: &mut W,
        here: Here,
        alpha: i32,
        beta: i32,
    ) -> Estimate {
        while self.results.len() <= here.ply {
            self.results.push(Vec::new());
        }
        let mut results = std::mem::take(&mut self.results[here.ply]);
        walk.results(&mut results);
        let total = results
            .iter()
            .map(|(_, weight)| *weight as f64)
            .sum::<f64>();
        let mut draw = Draw {
            total,
            sum: 0.0,
            rest: (-total * WORST, total * WORST),
            complete: true,
        };
        let bounds = self.probed(walk, here, &results, &mut draw, (alpha, beta));
        let mut outside = draw.outside((alpha, beta));
        for (&(code, weight), bounds) in results.iter().zip(&bounds) {
            if self.stopped || outside.is_some() {
                break;
            }
            let weight = weight as f64;
            draw.rest.0 -= weight * bounds.0;
            draw.rest.1 -= weight * bounds.1;
            let window = draw.window(weight, (alpha, beta));
            walk.down(code);
            let next = here.after(here.depth - 1, NOBODY);
            let found = self.node(walk, next, window.0, window.1);
            walk.up();
            draw.complete &= found.complete;
            draw.sum += weight * f64::from(found.value);
            if found.value <= window.0 || found.value >= window.1 {
                outside = draw.outside((alpha, beta));
            }
        }
        self.results[here.ply] = results;
        draw.found(outside.unwrap_or(draw.sum), self.stopped)
    }

    /// For each result the least and the greatest value, as far as one move of it tells; the rest of the draw too.
    fn probed<W: Walk>(
        &mut self,
        walk: &mut W,
        here: Here,
        results: &[(u64, u64)],
        draw: &mut Draw,
        window: (i32, i32),
    ) -> Vec<(f64, f64)> {
        let mut bounds = vec![(-WORST, WORST); results.len()];
        if here.depth < PROBED || results.len() < 2 || !self.uses(Technique::Probing) {
            return bounds;
        }
        for (&(code, weight), bounds) in results.iter().zip(&mut bounds) {
            let weight = weight as f64;
            let others = (
                draw.rest.0 - weight * bounds.0,
                draw.rest.1 - weight * bounds.1,
            );
            draw.rest = others;
            let own = draw.window(weight, window);
            walk.down(code);
            let next = here.after(here.depth - 1, NOBODY);
            match self.one_move(walk, next, own) {
                Some((true, found)) => {
                    bounds.0 = f64::from(found.value);
                    draw.complete &= found.complete;
                }
                Some((false, found)) => {
                    bounds.1 = f64::from(found.value);
                    draw.complete &= found.complete;
                }
                None => {}
            }
            walk.up();
            draw.rest = (others.0 + weight * bounds.0, others.1 + weight * bounds.1);
            if self.stopped || draw.outside(window).is_some() {
                break;
            }
        }
        bounds
    }

    /// What the most promising move of a position leads to, and whether the player who wants much makes it: then the position is worth that
    /// at least, else at most. Nothing where it tells nothing.
    fn one_move<W: Walk>(
        &mut self,
        walk: &mut W,
        here: Here,
        (low, high): (i32, i32),
    ) -> Option<(bool, Estimate)> {
        if !matches!(walk.turn(), Turn::Decide(_)) {
            return None;
        }
        let mine = walk.player() == Some(self.me());
        let best = self.known(walk).map(|entry| entry.best);
        let mut moves = self.take_list(here.ply);
        let listed = walk.list(&mut moves);
        let mut found = None;
        if listed.is_ok() && !moves.is_empty() {
            self.rank(&mut moves, here.ply, mine, here.last);
            let known = moves.iter().position(|listed| Some(listed.tag) == best);
            let listed = match known {
                Some(known) => moves[known],
                None => pick(&mut moves, 0),
            };
            walk.enter(listed.place);
            found = Some(self.node(walk, here.after(here.depth - 1, listed.tag), low, high));
            walk.up();
        }
        self.lists[here.ply] = moves;
        // Outside of the window a value is a bound on the wrong side.
        let tells = |found: &Estimate| {
            if mine {
                found.value > low
            } else {
                found.value < high
            }
        };
        let found = found.filter(|found| !self.stopped && tells(found))?;
        Some((mine, found))
    }
}
