//! What variables and placements hold, after what was written.

use crate::ir::{BinaryOp, Const, PlacementForm, PlacementId, Type, VarId};

use super::super::terms::{FALSE, Op, Other, Placed, TRUE, Term};
use super::{KEPT_ARGUMENT, Unfold, Write};
use crate::ir::effects::Access;

/// Writes under conditions that a set is followed through.
const MOST_WRITES: usize = 3;

impl<'t, 'g> Unfold<'t, 'g> {
    pub(super) fn read(&mut self, var: VarId, index: &[Term]) -> Term {
        let ty = self.game.var(var).ty.clone();
        if index.is_empty() {
            return match self.memory.plain.get(&var) {
                Some(value) => *value,
                None => self.base(Op::Var(var), &[], &ty),
            };
        }
        let constant = self.terms.constant_var(var, index);
        let mut value = match constant {
            Some(value) => value,
            None => self.base(Op::Var(var), index, &ty),
        };
        let writes = self.memory.lists.get(&var).cloned().unwrap_or_default();
        for write in self.seen_here(writes) {
            if write.many {
                return self.refuse("a look at what a loop wrote");
            }
            if self.apart(&write.at, index, &[write.when]) {
                continue;
            }
            let mut same = write.when;
            for (&at, &own) in write.at.iter().zip(index) {
                let equal = self.same_index(at, own);
                same = self.terms.and(same, equal);
            }
            value = self.terms.ite(same, write.value, value);
        }
        value
    }

    /// What the position says at the beginning.
    pub(super) fn base(&mut self, op: Op, index: &[Term], ty: &Type) -> Term {
        self.terms.lift(index, &mut |terms, index| {
            terms.structural(op.clone(), index.to_vec(), ty)
        })
    }

    pub(super) fn place_of(&mut self, placement: PlacementId, piece: Term, ty: &Type) -> Term {
        let writes = self.placed(placement);
        self.place_after(placement, piece, ty, &writes)
    }

    /// The place of a piece after some writes.
    pub(super) fn place_after(
        &mut self,
        placement: PlacementId,
        piece: Term,
        ty: &Type,
        writes: &[Write],
    ) -> Term {
        let known = self.stands.get(&(placement, piece)).copied();
        let mut value = match known {
            Some(place) => place,
            None => self.stands_at_first(placement, piece, ty),
        };
        let none = self.terms.constant(Const::None, ty.clone());
        for write in writes {
            let equal = self.same_index(write.value, piece);
            let here = self.terms.and(write.when, equal);
            let place = write.at.first().copied().unwrap_or(none);
            value = self.terms.ite(here, place, value);
        }
        value
    }

    /// Where a piece stands at the beginning. What stands on a place stands there.
    fn stands_at_first(&mut self, placement: PlacementId, piece: Term, ty: &Type) -> Term {
        self.terms.lift(&[piece], &mut |terms, piece| {
            let node = terms.node(piece[0]);
            match (&node.op, &node.args[..]) {
                (Op::Placed(Placed::Content, at), [place]) if *at == placement => *place,
                _ => terms.structural(Op::Placed(Placed::PlaceOf, placement), piece.to_vec(), ty),
            }
        })
    }

    pub(super) fn content(&mut self, placement: PlacementId, place: Term, ty: &Type) -> Term {
        let mut value = self.base(Op::Placed(Placed::Content, placement), &[place], ty);
        let none = self.terms.constant(Const::None, ty.clone());
        let anonymous = self.game.placement(placement).form == PlacementForm::Anonymous;
        let places = Type::Opt(self.game.placement(placement).places);
        let writes = self.placed(placement);
        for (at, write) in writes.iter().enumerate() {
            if !anonymous {
                let earlier = self.may_come_with(write.when, writes[..at].to_vec());
                let before = self.place_after(placement, write.value, &places, &earlier);
                let left = self.terms.equal(before, place);
                if left != FALSE && !self.terms.never_both(write.when, left) {
                    let left = self.terms.and(write.when, left);
                    value = self.terms.ite(left, none, value);
                }
            }
            if let Some(&at) = write.at.first() {
                let here = self.terms.equal(at, place);
                let here = self.terms.and(write.when, here);
                value = self.terms.ite(here, write.value, value);
            }
        }
        value
    }

    fn placed(&mut self, placement: PlacementId) -> Vec<Write> {
        let writes = self.memory.placed.get(&placement).cloned();
        self.seen_here(writes.unwrap_or_default())
    }

    /// The writes that may have happened where this place is come to: what an earlier round of a loop wrote before it left the
    /// loop is not seen by later ones.
    fn seen_here(&mut self, writes: Vec<Write>) -> Vec<Write> {
        if writes.iter().all(|write| write.when == TRUE) {
            return writes;
        }
        let now = self.now();
        let all = writes.len();
        let seen = self.may_come_with(now, writes);
        self.depends |= seen.len() < all;
        seen
    }

    fn may_come_with(&mut self, when: Term, mut writes: Vec<Write>) -> Vec<Write> {
        writes.retain(|write| !self.terms.are_opposed(write.when, when));
        writes
    }

    /// The pieces on a place, or the places of a kind.
    pub(super) fn members_at(
        &mut self,
        placement: PlacementId,
        what: Placed,
        at: Term,
        ty: &Type,
    ) -> Term {
        let writes = self.placed(placement);
        if writes.iter().filter(|write| write.when != TRUE).count() > MOST_WRITES {
            return self.members_after(placement, what, at, ty);
        }
        let mut value = self.base(Op::Placed(what, placement), &[at], ty);
        for write in writes {
            let (key, member) = match (what, write.at.first()) {
                (Placed::Places, Some(&place)) => (Some(write.value), place),
                (_, Some(&place)) => (Some(place), write.value),
                (_, None) => (None, write.value),
            };
            let one = self.set_op(Op::Other(Other::SetOf), &[member], ty);
            let with = self.set_op(Op::Binary(BinaryOp::Union), &[value, one], ty);
            let without = self.set_op(Op::Binary(BinaryOp::Minus), &[value, one], ty);
            let equal = key.map_or(FALSE, |key| self.terms.equal(key, at));
            let new = self.terms.ite(equal, with, without);
            value = self.terms.ite(write.when, new, value);
        }
        value
    }

    /// The same as in the position that the writes so far lead to: what many conditions decide together is not taken apart.
    fn members_after(&mut self, placement: PlacementId, what: Placed, at: Term, ty: &Type) -> Term {
        let mut kept = Vec::new();
        let at = self.terms.kept(KEPT_ARGUMENT, at, &mut kept);
        let value = self.base(Op::Placed(what, placement), &[at], ty);
        let mut reads = Access::default();
        reads.placements.insert(placement);
        let before = self.leads_to(&reads, kept);
        self.terms.after(before, value)
    }

    fn set_op(&mut self, op: Op, args: &[Term], ty: &Type) -> Term {
        self.terms.lift(args, &mut |terms, args| {
            terms.structural(op.clone(), args.to_vec(), ty)
        })
    }

    // ---- statements
}
