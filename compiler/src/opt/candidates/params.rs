//! What the parameters of a function can be, and what that says of its expressions.

use rulec_ir::sorted::SortedSet;

use crate::ir::walk::rewrite_block;
use crate::ir::{Axis, Block, Const, Expr, ExprKind, FuncId, Function, Game, LocalId, PlacementId};
use crate::opt::locals::kept;

use super::Facts;
use super::stands::Known;

/// What a parameter can be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    /// The members; nothing where all are possible.
    members: Option<SortedSet<u32>>,
    /// What stands on it.
    stands: Known,
}

impl Fact {
    /// Takes over what another one knows: members, and which pieces stand there but for placements in which something is moved;
    /// whether that is more than it knows.
    pub(super) fn narrow(&mut self, other: Fact, moved: &SortedSet<PlacementId>) -> bool {
        let more = matches!(&other.stands, Known::One(placement, _) if !moved.contains(placement))
            && other.stands != self.stands;
        if more {
            self.stands = other.stands;
        }
        let fewer = other.members.is_some() && other.members != self.members;
        if fewer {
            self.members = other.members;
        }
        more || fewer
    }
}

/// The parameters of a function.
pub(super) struct Params {
    pub(super) facts: Vec<Fact>,
    /// Those that nothing assigns.
    kept: SortedSet<LocalId>,
}

impl Params {
    /// What they can be by all calls.
    pub(super) fn of(game: &Game, facts: &Facts, func: FuncId) -> Params {
        let function = game.function(func);
        let fact = |param: usize| Fact {
            members: facts.reached.members(func, param).cloned(),
            stands: facts.stands.known(func, param),
        };
        Params::known(function, (0..function.params).map(fact).collect())
    }

    pub(super) fn known(function: &Function, facts: Vec<Fact>) -> Params {
        Params {
            facts,
            kept: kept(function),
        }
    }

    /// What an argument that is handed on can be.
    pub(super) fn argument(&self, arg: &Expr) -> Fact {
        match &arg.kind {
            ExprKind::Local(param) if self.kept.contains(param) => {
                self.facts[param.index()].clone()
            }
            _ => Fact {
                members: None,
                stands: Known::Open,
            },
        }
    }

    /// Puts constants in the place of what is known; whether there is any.
    pub(super) fn tell(&self, game: &Game, body: &mut Block) -> bool {
        let mut changed = false;
        rewrite_block(body, &mut |expr| {
            if let Some(value) = self.told(game, expr) {
                expr.kind = ExprKind::Const(value);
                changed = true;
            }
        });
        changed
    }

    /// What an expression comes to, whatever parameters are.
    fn told(&self, game: &Game, expr: &Expr) -> Option<Const> {
        match &expr.kind {
            ExprKind::IsSome(inner) => self.standing(inner).map(|_| Const::Bool(true)),
            ExprKind::Lookup(table, index) => {
                let [index] = &index[..] else { return None };
                let table = game.table(*table);
                if !matches!(table.axes[..], [Axis::Domain(_)]) {
                    return None;
                }
                let members = self.members(index)?.iter();
                let mut values = members.map(|member| table.values.get(*member as usize));
                let first = values.next()??;
                let alike = values.all(|value| value == Some(first));
                alike.then(|| first.clone())
            }
            _ => None,
        }
    }

    /// The members that an expression can be, which is always one.
    fn members(&self, expr: &Expr) -> Option<&SortedSet<u32>> {
        match &expr.kind {
            ExprKind::Local(param) if self.kept.contains(param) => {
                self.facts[param.index()].members.as_ref()
            }
            ExprKind::Get(inner) => self.standing(inner),
            _ => self.standing(expr),
        }
    }

    /// The pieces that can stand on a place where one does.
    fn standing(&self, expr: &Expr) -> Option<&SortedSet<u32>> {
        let ExprKind::Content(placement, at) = &expr.kind else {
            return None;
        };
        let ExprKind::Local(param) = at.kind else {
            return None;
        };
        let fact = self
            .kept
            .contains(&param)
            .then(|| &self.facts[param.index()])?;
        match &fact.stands {
            Known::One(same, pieces) if same == placement => Some(pieces),
            _ => None,
        }
    }
}
