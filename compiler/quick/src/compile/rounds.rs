//! What is the same in all rounds of a loop is worked out in the first one.
//!
//! Loops are tested at their foot, so that the first operations of a round are run once at least. As far as these only work out
//! values, from words that no round changes and into words to which no round gives anything else, later rounds begin behind them.

use super::Maker;
use super::known::{Known, Words, is_test};
use super::operands::{each_read, given};
use super::tidy::Part;
use crate::op::*;

/// Operations that later rounds leave out, at most: so much is known at a time.
const MOST_SAME: usize = 16;

impl Maker<'_> {
    /// Lets rounds of loops but the first one begin behind what would be worked out alike again.
    pub(super) fn skip_rounds(&mut self, part: &mut Part) {
        for at in 0..part.jumps.len() {
            if !part.again[at] {
                continue;
            }
            let Some(last) = part.last_of_loop(at) else {
                continue;
            };
            let many = self.leading(part, at, last);
            let behind = (at + 1..=at + many).rev();
            let Some(behind) = behind
                .into_iter()
                .find(|behind| self.is_same(part, at, *behind, last))
            else {
                continue;
            };
            for jump in &mut part.jumps[at..=last] {
                if *jump == Some(at) {
                    *jump = Some(behind);
                }
            }
            part.reached[behind] = true;
            part.again[behind] = true;
        }
    }

    /// How many operations at the beginning of a loop do nothing but give values to words that belong to what is run, test words,
    /// and jump on.
    fn leading(&self, part: &Part, at: usize, last: usize) -> usize {
        let does = |place: usize| {
            let mut op = self.code.ops[part.begin + place];
            match part.jumps[place] {
                Some(target) => target > place && (matches!(op, Op::Jump(_)) || is_test(op)),
                None => given(&mut op).is_some_and(|word| part.own.has(*word)),
            }
        };
        (at..last)
            .take(MOST_SAME)
            .take_while(|place| does(*place))
            .count()
    }

    /// Whether the operations up to one do the same in each round, and lead nowhere but there.
    fn is_same(&mut self, part: &Part, at: usize, behind: usize, last: usize) -> bool {
        let mut known = Known::default();
        for place in at..behind {
            if part.jumps[place].is_some_and(|target| target > behind) {
                return false;
            }
            let mut op = self.code.ops[part.begin + place];
            if matches!(op, Op::Jump(_)) {
                continue;
            }
            let mut read = Vec::new();
            each_read(&mut self.code, &mut op, &mut |word| read.push(*word));
            let later = &mut self.code.ops[part.begin + place..part.begin + behind];
            let mut given = later.iter_mut().filter_map(given);
            let is_changed = given.any(|word| read.contains(word));
            let before = known.len();
            let words = Words {
                own: &part.own,
                fixed: &self.fixed,
                position: self.code.position,
            };
            match part.jumps[place] {
                Some(_) => known.learn_outcome(op, true),
                None => known.learn(&mut self.code, op, words),
            }
            if is_changed || known.len() == before {
                return false;
            }
        }
        let many = known.len();
        self.forget_changed(part, behind..=last, &mut known);
        known.len() == many
    }
}
