//! What tells positions apart.

use super::{Made, Maker, unsupported};
use crate::code::*;
use crate::ir::{Expr, IdentityTerm, LocalId, Type};
use crate::run::Form;

impl Maker<'_> {
    pub(super) fn identities(&mut self) -> Made<()> {
        self.asks_kept = false;
        for identity in &self.game.identities {
            let mut terms = Vec::new();
            for term in &identity.terms {
                self.locals.clear();
                terms.push(self.term(term)?);
            }
            self.code.identities.push(terms);
        }
        self.code.identities_ask_kept = self.asks_kept;
        let terms = |trail: &crate::ir::Trail| &self.code.identities[trail.identity.index()];
        self.code.trails = self
            .game
            .trails
            .iter()
            .map(|trail| Form::of(terms(trail)))
            .collect();
        Ok(())
    }

    fn term(&mut self, term: &IdentityTerm) -> Made<Term> {
        let mut each = |domain: &crate::ir::DomainId, when: &Expr, values: &[Expr]| {
            let local = self.bind(LocalId(0), &Type::Elem(*domain))?;
            let when = self.num(when)?;
            let mut all = Vec::new();
            for value in values {
                all.push((self.value(value)?, value.ty.clone()));
            }
            Ok(EachTerm {
                len: self.game.domain(*domain).len(),
                local,
                when,
                values: all,
            })
        };
        Ok(match term {
            IdentityTerm::Everything => Term::Everything,
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => Term::Each(each(domain, when, values)?),
            IdentityTerm::Bag {
                domain,
                when,
                values,
            } => Term::Bag(each(domain, when, values)?),
            IdentityTerm::Nest { .. } => {
                return unsupported(
                    "positions that are equal up to the names of what is in each other",
                );
            }
            IdentityTerm::Value(value) => Term::Value(self.value(value)?, value.ty.clone()),
            IdentityTerm::Parts(parts) => Term::Parts(parts.clone()),
        })
    }
}
