//! The history of positions, for draws by repetition.

use rulec_ir::sorted::SortedSet;

use super::{Lower, conditions_of, formula};
use crate::ast::Computed;
use crate::ir::{BinaryOp, Expr, Identity, IdentityTerm, Trail, VarId};
use crate::source::Span;

/// Longest history where nothing bounds it.
const LONG_HISTORY: u32 = 2000;

impl Lower<'_> {
    pub(super) fn repetition(&self) -> Option<u32> {
        self.game.draws.as_ref()?.repetition
    }

    /// The history of positions: what stands where, as far as rules can tell it apart.
    pub(super) fn declare_trail(&mut self) {
        let Some(rules) = &self.game.draws else {
            return;
        };
        if rules.repetition.is_none() {
            return;
        }
        let span = self.span();
        // Where each kind stands, and which figures have which counters.
        let kinds = (0..self.names.kinds.len()).map(|kind| self.places(kind, span));
        let moved = self.vars.moved.iter().map(|var| self.set_var(*var, span));
        let counters = moved.chain(self.ages_that_matter(span));
        let mut terms: Vec<IdentityTerm> = kinds.chain(counters).map(IdentityTerm::Value).collect();
        let numbers = [self.vars.phase, self.vars.clock];
        for var in numbers.into_iter().flatten() {
            terms.push(IdentityTerm::Value(self.set_var(var, span)));
        }
        let identity = self.b.identity(Identity {
            name: "position".to_owned(),
            terms,
        });
        let quiet = rules.no_progress.as_ref().map(|rule| rule.plies + 2);
        let most = rules.max_plies.map(|most| most.min(4096) + 2);
        let capacity = match (quiet, most) {
            (Some(quiet), _) if self.is_final => quiet,
            (_, Some(most)) => most,
            _ => LONG_HISTORY,
        };
        self.b.game.trails.push(Trail {
            name: "history".to_owned(),
            identity,
            capacity,
        });
    }

    /// The figures of each age, as far as it is asked: rules that ask it of figures that have made so many moves ask it of no others,
    /// and who moves again is young again.
    fn ages_that_matter(&self, span: Span) -> Vec<Expr> {
        let figures = self.game.figures.keys();
        let conditions = figures.flat_map(|figure| conditions_of(self.game, figure));
        let aged = conditions.filter(|condition| {
            let mut computed = condition.computed.iter();
            computed.any(|(computed, _)| *computed == Computed::Age)
        });
        let moves = aged.map(|condition| {
            let made = condition.own.moves_made.as_ref()?;
            self.vars.moved.get(formula::counter(&made.node)? as usize)
        });
        let moves: Option<SortedSet<VarId>> = moves.map(Option::<&VarId>::copied).collect();
        let moves = moves.map(|moves| {
            let moves = moves.into_iter().map(|var| self.set_var(var, span));
            moves.reduce(|all, more| Expr::binary(BinaryOp::Union, all, more))
        });
        let ages = self.vars.age.iter().map(|var| self.set_var(*var, span));
        let of_these = |age: Expr| match &moves {
            Some(Some(moves)) => Expr::binary(BinaryOp::Intersect, age, moves.clone()),
            _ => age,
        };
        ages.map(of_these).collect()
    }
}
