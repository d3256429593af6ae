//! What a run cannot know: sets of what stands where, put together without a fault.
//!
//! Guards ask where the pieces of a side stand again and again, and no fact about a single place tells. Such a set is looked at
//! once: from then on it costs the steps that it takes, and no more.

use std::cell::RefCell;

use super::{Answer, Call};
use crate::hash::IndexMap;
use crate::ir::effects::may_fault;
use crate::ir::{Expr, ExprKind, Game};

/// What was met in one game that stays as it is: sets, and calls.
#[derive(Default)]
pub(in crate::opt::prune) struct Unseen {
    /// What calls by the functions that were asked for came to.
    answers: RefCell<IndexMap<Call, Answer>>,
    /// The steps of each, by where it stands; nothing where it may fault or something is known of it.
    steps: RefCell<IndexMap<usize, Option<u32>>>,
}

impl Unseen {
    /// What a call came to before, if that holds where so many steps are left.
    pub(super) fn answer(&self, call: &Call, steps: u32) -> Option<Answer> {
        let answers = self.answers.borrow();
        answers
            .get(call)
            .filter(|known| known.holds(steps))
            .cloned()
    }

    /// Notes what a call came to.
    pub(super) fn note(&self, call: Call, answer: Answer) {
        self.answers.borrow_mut().insert(call, answer);
    }

    /// The steps that it takes to find that nothing is known of a set, if that is so whatever is known otherwise.
    pub(super) fn steps(&self, game: &Game, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Places(_, kind) => kind.as_const().map(|_| 2),
            ExprKind::Binary(..) => {
                let key = std::ptr::from_ref(expr) as usize;
                if let Some(known) = self.steps.borrow().get(&key) {
                    return *known;
                }
                let steps = self.steps_of_both(game, expr);
                self.steps.borrow_mut().insert(key, steps);
                steps
            }
            _ => None,
        }
    }

    fn steps_of_both(&self, game: &Game, expr: &Expr) -> Option<u32> {
        let ExprKind::Binary(_, a, b) = &expr.kind else {
            return None;
        };
        if may_fault(game, expr) {
            return None;
        }
        match (a.as_const(), b.as_const()) {
            (Some(_), Some(_)) => None,
            (Some(_), None) => Some(2 + self.steps(game, b)?),
            (None, Some(_)) => Some(2 + self.steps(game, a)?),
            (None, None) => Some(1 + self.steps(game, a)? + self.steps(game, b)?),
        }
    }
}
