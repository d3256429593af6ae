//! Places at the beginning of a way, between where it begins and what stops it, in as few words as the ways need.

use quote::{format_ident, quote};

use super::Body;
use super::closed::narrow;
use super::code::Code;
use crate::ir::same::same;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, TableId, Type, UnaryOp};

/// What is passed on a way, if that is stopped.
struct Enclosed<'e> {
    rises: bool,
    table: TableId,
    way: &'e Expr,
    pass: &'e Expr,
    stop: &'e Expr,
}

fn enclosed(expr: &Expr) -> Option<Enclosed<'_>> {
    let ExprKind::If(cond, yes, no) = &expr.kind else {
        return None;
    };
    let none = |set: &Expr| set.as_const() == Some(&Const::Set(Vec::new()));
    let ExprKind::Binary(BinaryOp::Ne, met, empty) = &cond.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Intersect, reached, stop) = &met.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Intersect, passed, pass) = &yes.kind else {
        return None;
    };
    let ExprKind::Binary(cut @ (BinaryOp::UpTo | BinaryOp::DownTo), way, ends) = &reached.kind
    else {
        return None;
    };
    let ExprKind::Unary(UnaryOp::Complement, passes) = &ends.kind else {
        return None;
    };
    let ExprKind::Lookup(table, _) = &way.kind else {
        return None;
    };
    let fits = none(empty) && none(no) && same(reached, passed) && same(pass, passes);
    fits.then_some(Enclosed {
        rises: *cut == BinaryOp::UpTo,
        table: *table,
        way,
        pass,
        stop,
    })
}

impl Body<'_> {
    /// The places that a way passes before something stops it.
    pub(super) fn enclosed(&self, expr: &Expr) -> Option<Code> {
        let found = enclosed(expr)?;
        let Type::Set(domain) = expr.ty else {
            return None;
        };
        let rt = &self.generator.rt;
        let values = self.generator.game.table(found.table).values.iter();
        let members = values.filter_map(|value| match value {
            Const::Set(members) => members.iter().max(),
            _ => None,
        });
        let last = members.max().copied().unwrap_or(0);
        let (all, own) = (self.generator.words(domain), last as usize / 64 + 1);
        let (way, pass, stop) = (
            self.expr(found.way),
            self.expr(found.pass),
            self.expr(found.stop),
        );
        let narrowed = |code| narrow(code, own, all);
        let (a, b, c) = (narrowed(&way), narrowed(&pass), narrowed(&stop));
        let kernel = format_ident!("enclosed_{}", if found.rises { "up" } else { "down" });
        let code = Code::atom(quote!(#rt::support::#kernel(#a, #b, #c)));
        let code = narrow(&code, all, own);
        Some(Code::atom(code).like(&[&way, &pass, &stop]))
    }
}
