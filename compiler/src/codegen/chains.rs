//! Expressions without branches: reads by something that may be absent, and tests that are quick to make in vain.

use quote::quote;

use super::Body;
use super::code::{Code, Prec};
use super::fields::has_absent;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, PlacementForm, PlacementId, Type, UnaryOp};

/// Nodes of an expression that is rather computed in vain than jumped over.
const QUICK: usize = 40;

/// A read of a placement by something that may be absent; what is read is absent then, too.
struct Chain<'a> {
    placement: PlacementId,
    /// Whether it is what stands on a place; else it is the place of a piece.
    content: bool,
    of: &'a Expr,
}

impl Body<'_> {
    /// The read that `if is_some(x) then at[get(x)] else none` is.
    pub(super) fn chain(&self, cond: &Expr, yes: &Expr, no: &Expr) -> Option<Code> {
        let ExprKind::IsSome(of) = &cond.kind else {
            return None;
        };
        let absent = no.as_const() == Some(&Const::None);
        let chain = self.link(yes, of).filter(|_| absent)?;
        Some(self.chained(&chain))
    }

    /// The test that `is_some(x) and is_some(at[get(x)])` is.
    pub(super) fn tested_chain(&self, left: &Expr, right: &Expr) -> Option<Code> {
        let (ExprKind::IsSome(of), ExprKind::IsSome(read)) = (&left.kind, &right.kind) else {
            return None;
        };
        let chain = self.link(read, of)?;
        let none = Code::atom(self.none_of(&read.ty));
        Some(Code::binary(
            &self.chained(&chain),
            quote!(!=),
            &none,
            Prec::Compare,
        ))
    }

    fn link<'a>(&self, read: &'a Expr, of: &'a Expr) -> Option<Chain<'a>> {
        let (placement, content, member) = match &read.kind {
            ExprKind::Content(placement, member) => (*placement, true, member),
            ExprKind::PlaceOf(placement, member) => (*placement, false, member),
            _ => return None,
        };
        let ExprKind::Get(inner) = &member.kind else {
            return None;
        };
        let Type::Opt(domain) = of.ty else {
            return None;
        };
        let game = self.generator.game;
        // Sets of pieces have nothing that stands for the absent.
        let plain = !content || game.placement(placement).form != PlacementForm::Many;
        let same = self.shape(inner) == self.shape(of);
        let holds = plain && same && has_absent(game.domain(domain).len());
        holds.then_some(Chain {
            placement,
            content,
            of,
        })
    }

    fn chained(&self, chain: &Chain<'_>) -> Code {
        let index = self.index(chain.of);
        match chain.content {
            true => self.content(chain.placement, index),
            false => self.place_of(chain.placement, index),
        }
    }
}

/// Whether an expression takes no longer than a few reads.
pub(super) fn is_quick(expr: &Expr) -> bool {
    let (mut nodes, mut plain) = (0, true);
    expr.walk(&mut |expr| {
        nodes += 1;
        plain &= match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Env { .. }
            | ExprKind::Var(..)
            | ExprKind::Lookup(..)
            | ExprKind::Content(..)
            | ExprKind::PlaceOf(..)
            | ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::If(..)
            | ExprKind::Some(_)
            | ExprKind::IsSome(_)
            | ExprKind::Get(_)
            | ExprKind::Ordinal(_)
            | ExprKind::ToWrap(_)
            | ExprKind::ToInt(_) => !matches!(expr.ty, Type::Set(_) | Type::Seq { .. }),
            ExprKind::Binary(op, ..) => is_test(*op),
            _ => false,
        };
    });
    plain && nodes <= QUICK
}

fn is_test(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}
