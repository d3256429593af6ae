//! Sets of places that are kept up to date: those whose content passes a test.
//!
//! A test may look at the content of the place, at tables, and at variables of the piece that stands there. So it changes only
//! where a piece is put or taken or such a variable gets another value, and the set with it.

use super::set::{constant, is_constant_kind};
use super::{Made, Maker, set_words, unsupported};
use crate::code::*;
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, ExprKind, LocalId, PlacementForm, PlacementId, Type, UnaryOp,
};
use crate::source::Span;

/// The place of a test, which is no local variable of a function.
pub(super) const PLACE: LocalId = LocalId(u32::MAX);

impl Maker<'_> {
    /// Where the set of places lies whose content passes a test, if that is one to keep.
    pub(super) fn kept(&mut self, local: LocalId, domain: DomainId, test: &Expr) -> Option<At> {
        let placement = self.placement_of(local, test)?;
        if self.game.placement(placement).places != domain || !is_safe(self, placement, test, false)
        {
            return None;
        }
        let mut key = test.clone();
        crate::ir::walk::rewrite(&mut key, &mut |expr| {
            expr.span = Span::default();
            if let ExprKind::Local(l) = &mut expr.kind
                && *l == local
            {
                *l = PLACE;
            }
        });
        self.keep(placement, key)
    }

    /// Where a set lies; its place is known once all sets are.
    fn keep(&mut self, placement: PlacementId, test: Expr) -> Option<At> {
        let key = (placement.index(), test);
        match self.wanted.iter().position(|known| *known == key) {
            Some(index) if self.is_final => Some(self.code.kept[index].at),
            Some(_) => Some(0),
            None if self.is_final => None,
            None => {
                self.wanted.push(key);
                Some(0)
            }
        }
    }

    /// The places on which a kind stands.
    pub(super) fn places(&mut self, placement: PlacementId, kind: &Expr) -> Made<Set> {
        let code = &self.code.placements[placement.index()];
        if code.content.is_none() || code.place_of.is_some() {
            return unsupported("the places of a piece");
        }
        let (pieces, words) = (code.pieces, set_words(code.places));
        let places = self.game.placement(placement).places;
        let pieces_domain = self.game.placement(placement).pieces;
        let test = |kind: u32| {
            let span = Span::default();
            let place = Expr::new(ExprKind::Local(PLACE), Type::Elem(places), span);
            let content = ExprKind::Content(placement, Box::new(place));
            let content = Expr::new(content, Type::Opt(pieces_domain), span);
            let kind = ExprKind::Const(Const::Elem(kind));
            let kind = Expr::new(kind, Type::Opt(pieces_domain), span);
            let equal = ExprKind::Binary(BinaryOp::Eq, Box::new(content), Box::new(kind));
            Expr::new(equal, Type::Bool, span)
        };
        if let ExprKind::Const(Const::Elem(kind)) = kind.kind {
            let Some(at) = self.keep(placement, test(kind)) else {
                return unsupported("a set that is not kept");
            };
            return Ok(Set {
                words,
                to: 0,
                kind: SetKind::At(at),
            });
        }
        let sets = (0..pieces).map(|kind| self.keep(placement, test(kind as u32)));
        let Some(sets) = sets.collect::<Option<Box<[At]>>>() else {
            return unsupported("a set that is not kept");
        };
        Ok(Set {
            words,
            to: 0,
            kind: SetKind::Pick(sets, self.num(kind)?),
        })
    }

    /// The placement whose content at the place is all that a test looks at.
    fn placement_of(&self, local: LocalId, test: &Expr) -> Option<PlacementId> {
        let mut placement = None;
        let mut alone = true;
        only_content(local, test, &mut |found| match found {
            Some(p) if placement.is_none_or(|known| known == p) => placement = Some(p),
            _ => alone = false,
        });
        placement.filter(|_| alone)
    }

    /// Room for the sets, once they are known.
    pub(super) fn kept_room(&mut self) {
        for (placement, _) in self.wanted.clone() {
            let words = set_words(self.code.placements[placement].places);
            let at = self.room(words);
            let index = self.code.kept.len();
            self.code.placements[placement].kept.push(index);
            self.code.kept.push(Kept {
                placement,
                at,
                content: 0,
                test: Num::Const(0),
                known: None,
            });
        }
    }

    /// The tests of the sets.
    pub(super) fn kept_tests(&mut self) -> Made<()> {
        for index in 0..self.code.kept.len() {
            let (placement, test) = self.wanted[index].clone();
            let content = self.room(1);
            self.content = Some(content);
            self.locals.clear();
            self.code.kept[index].content = content;
            self.code.kept[index].known = self.answers(placement, &test);
            self.code.kept[index].test = self.num(&test)?;
            self.content = None;
            let mut watched = Vec::new();
            test.walk(&mut |expr| {
                if let ExprKind::Var(var, _) = &expr.kind {
                    watched.push(var.index());
                }
            });
            watched.sort_unstable();
            watched.dedup();
            for var in watched {
                self.code.vars[var].watchers.push(index);
            }
        }
        Ok(())
    }

    /// What a test gives for nothing and for each content, where it looks at no variable.
    fn answers(&self, placement: usize, test: &Expr) -> Option<Vec<bool>> {
        let pieces = self.code.placements[placement].pieces as u32;
        let contents = std::iter::once(Const::None).chain((0..pieces).map(Const::Elem));
        contents
            .map(|content| {
                let value = |expr: &Expr| match expr.kind {
                    ExprKind::Content(..) => Some(content.clone()),
                    _ => None,
                };
                match constant(self.game, test, &value)? {
                    Const::Bool(answer) => Some(answer),
                    _ => None,
                }
            })
            .collect()
    }
}

/// Tells the placements whose content at the place is asked, and nothing for everything else that is asked.
fn only_content(local: LocalId, expr: &Expr, tell: &mut dyn FnMut(Option<PlacementId>)) {
    match &expr.kind {
        ExprKind::Content(placement, place) if matches!(place.kind, ExprKind::Local(l) if l == local) => {
            tell(Some(*placement));
        }
        ExprKind::Var(_, index) if index.len() == 1 => only_content(local, &index[0], tell),
        kind if is_constant_kind(kind) => {
            expr.children(&mut |operand| only_content(local, operand, tell));
        }
        _ => tell(None),
    }
}

/// Whether a test can never fault; `some` says whether something is known to stand there.
fn is_safe(maker: &Maker<'_>, placement: PlacementId, expr: &Expr, some: bool) -> bool {
    use ExprKind as E;
    let safe = |expr: &Expr| is_safe(maker, placement, expr, some);
    match &expr.kind {
        E::Binary(BinaryOp::And, a, b) => {
            safe(a) && is_safe(maker, placement, b, some || implies_some(a))
        }
        E::Binary(BinaryOp::Or, a, b) => {
            let stands = matches!(&a.kind, E::Unary(UnaryOp::Not, a) if implies_some(a));
            safe(a) && is_safe(maker, placement, b, some || stands)
        }
        E::If(cond, a, b) => {
            safe(cond) && is_safe(maker, placement, a, some || implies_some(cond)) && safe(b)
        }
        E::Get(a) => matches!(a.kind, E::Content(..)) && some,
        // A variable of the piece that stands there.
        E::Var(var, index) => {
            let placement = maker.game.placement(placement);
            placement.form == PlacementForm::One
                && matches!(&index[0].kind, E::Get(_))
                && safe(&index[0])
                && maker.game.var(*var).axes == [crate::ir::Axis::Domain(placement.pieces)]
                && maker.game.var(*var).ty.is_scalar()
        }
        E::Content(..) => true,
        kind if is_constant_kind(kind) => {
            let mut all = !crate::ir::effects::may_fault(maker.game, expr);
            expr.children(&mut |operand| all &= safe(operand));
            all
        }
        _ => false,
    }
}

/// Whether a condition that holds tells that something stands there.
fn implies_some(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::IsSome(a) => matches!(a.kind, ExprKind::Content(..)),
        ExprKind::Binary(BinaryOp::And, a, b) => implies_some(a) || implies_some(b),
        _ => false,
    }
}
