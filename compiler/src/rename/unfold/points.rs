//! What is chosen from where moves and draws begin.

use crate::ir::{Arm, Choose, Const, Distribution, Param, ParamSource, Type};

use super::super::may::domain_of;
use super::super::terms::{Bundle, FALSE, Term};
use super::Unfold;

impl<'t, 'g> Unfold<'t, 'g> {
    /// The candidates for a parameter as a term, and what it can be.
    pub(in super::super) fn source(
        &mut self,
        param: &Param,
        context: usize,
        before: &[Term],
    ) -> (Term, Option<Vec<u32>>) {
        match &param.source {
            ParamSource::All => (self.terms.bundle(Bundle::Parts("all"), Vec::new()), None),
            ParamSource::Among(members) => {
                let ty = match domain_of(&param.ty) {
                    Some(domain) => Type::Set(domain),
                    None => Type::Bool,
                };
                let set = self.terms.constant(Const::Set(members.clone()), ty);
                (set, Some(members.clone()))
            }
            ParamSource::Is(value) => {
                let value = self.value(value);
                let reach = domain_of(&param.ty).and_then(|_| self.terms.reach(value));
                (value, reach)
            }
            ParamSource::Listed { by, table } => {
                let game = self.game;
                let table = game.table(*table);
                let of = before.get(context + by).copied().unwrap_or(FALSE);
                let rows = self.terms.whole_table(table, of);
                (rows, self.terms.within(rows))
            }
            ParamSource::Generated(func) => {
                let value = self.given(*func, before.to_vec());
                let reach = match self.terms.as_const(value) {
                    Some(Const::Set(members)) => Some(members.clone()),
                    _ => None,
                };
                (value, reach)
            }
            ParamSource::Subset { of, size } => {
                let parts = vec![self.value(of), self.value(size)];
                (self.terms.bundle(Bundle::Parts("subset"), parts), None)
            }
        }
    }

    /// The players and the contexts of a decision.
    pub(in super::super) fn choice(&mut self, choose: &Choose) -> (Term, Vec<Vec<Term>>) {
        let players = self.value(&choose.players);
        let given = |me: &mut Self, arm: &Arm| -> Vec<Term> {
            arm.given.iter().map(|value| me.value(value)).collect()
        };
        let given = choose.arms.iter().map(|arm| given(self, arm)).collect();
        (players, given)
    }

    /// A draw.
    pub(in super::super) fn distribution(&mut self, dist: &Distribution) -> Term {
        let parts = match dist {
            Distribution::Uniform(from, to) => vec![self.value(from), self.value(to)],
            Distribution::Weighted {
                local,
                over,
                weight,
            } => self.quantified(*local, over, weight).to_vec(),
        };
        self.terms.bundle(Bundle::Parts("draw"), parts)
    }
}
