//! Scalars and sequences.

use std::borrow::Cow;

use super::{Listeners, Made, Maker, unsupported};
use crate::code::*;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, FaultCode, FuncId, LocalId, Over as IrOver, Type, UnaryOp,
};
use crate::op::NEAR;
use crate::source::Span;

fn boxed<T>(value: T) -> Box<T> {
    Box::new(value)
}

impl Maker<'_> {
    pub(super) fn value(&mut self, expr: &Expr) -> Made<Val> {
        Ok(match &expr.ty {
            Type::Set(_) => Val::Set(self.set(expr)?),
            Type::Seq { .. } => Val::Seq(self.seq(expr)?),
            Type::Tagged => return unsupported("values of several types"),
            _ => Val::Num(self.num(expr)?),
        })
    }

    fn pair(&mut self, a: &Expr, b: &Expr) -> Made<Box<(Num, Num)>> {
        Ok(boxed((self.num(a)?, self.num(b)?)))
    }

    fn sets(&mut self, a: &Expr, b: &Expr) -> Made<Box<(Set, Set)>> {
        Ok(boxed((self.set(a)?, self.set(b)?)))
    }

    fn seqs(&mut self, a: &Expr, b: &Expr) -> Made<Box<(Seq, Seq)>> {
        Ok(boxed((self.seq(a)?, self.seq(b)?)))
    }

    /// A scalar.
    pub(super) fn num(&mut self, expr: &Expr) -> Made<Num> {
        use ExprKind as E;
        let span = expr.span;
        Ok(match &expr.kind {
            E::Const(value) => Num::Const(self.words_of(value, &expr.ty)?[0]),
            E::Local(local) => Num::At(self.local(*local)?),
            E::Env { var, checked } => {
                let (at, flag) = self.env[var.index()];
                match checked {
                    true => Num::Env(at, flag, self.site(FaultCode::UnsetVariable, span)),
                    false => Num::At(at),
                }
            }
            E::EnvIsSet(var) => Num::At(self.env[var.index()].1),
            E::Listened => match self.listeners {
                Listeners::Nobody => Num::Const(0),
                Listeners::Some => Num::At(self.code.heard),
            },
            E::Var(..) | E::Lookup(..) => self.cell_num(expr)?,
            E::PlaceOf(placement, piece) => {
                match self.code.placements[placement.index()].place_of {
                    Some(at) => Num::Among(at, boxed(self.num(piece)?)),
                    None => return unsupported("the place of a kind"),
                }
            }
            E::Content(placement, place) => {
                if let (Some(at), E::Local(local)) = (self.content, &place.kind)
                    && *local == super::keep::PLACE
                {
                    return Ok(Num::At(at));
                }
                match self.code.placements[placement.index()].content {
                    Some(at) => Num::Among(at, boxed(self.num(place)?)),
                    None => return unsupported("what stands on a place with room for many"),
                }
            }
            E::Unary(op, a) => self.unary(*op, a, expr)?,
            E::Binary(op, a, b) => self.binary(*op, a, b, expr)?,
            E::If(a, b, c) => {
                let (b, c) = (there(a, true, b), there(a, false, c));
                Num::If(boxed((self.num(a)?, self.num(&b)?, self.num(&c)?)))
            }
            E::Some(a) | E::ToInt(a) => self.num(a)?,
            E::IsSome(a) => Num::IsSome(boxed(self.num(a)?)),
            E::Get(a) => Num::Get(boxed(self.num(a)?), self.site(FaultCode::NoValue, span)),
            E::OrElse(a, b) => Num::OrElse(self.pair(a, b)?),
            E::Ordinal(a) => match a.ty {
                Type::Elem(domain) => match self.game.domain(domain).ordinal(0) {
                    0 => self.num(a)?,
                    first => Num::Ordinal(boxed(self.num(a)?), first),
                },
                _ => return unsupported("the integer of a member that may be absent"),
            },
            E::Member(domain, a) => {
                let domain = self.game.domain(*domain);
                Num::Member(boxed(self.num(a)?), domain.ordinal(0), domain.len() as i64)
            }
            E::ToWrap(a) => Num::ToWrap(boxed(self.num(a)?)),
            E::Size(a) => match a.ty {
                Type::Set(_) => Num::Size(boxed(self.set(a)?)),
                _ => Num::Length(boxed(self.seq(a)?)),
            },
            E::Item(a, b) => {
                let both = boxed((self.seq(a)?, self.num(b)?));
                Num::Item(both, self.site(FaultCode::IndexOutside, span))
            }
            E::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, span)?,
            E::First { local, over, when } => {
                Num::First(boxed(self.range(*local, over, Some(when))?))
            }
            E::Walk { .. } => Num::Walk(boxed(self.walk(expr)?)),
            E::Call(func, args) => Num::Call(boxed(self.call(*func, args, span)?)),
            E::Holds(relation, args) => {
                let holds = self.game.relation(*relation).holds;
                Num::Call(boxed(self.call(holds, args, span)?))
            }
            E::Seen(trail) => Num::Seen(trail.index()),
            E::Alike(..) => return unsupported("renaming of what is in each other"),
            _ => return unsupported("values of several types"),
        })
    }

    fn cell_num(&mut self, expr: &Expr) -> Made<Num> {
        let cell = self.cell(expr)?;
        if cell.index.is_empty() {
            return Ok(match cell.base < NEAR {
                true => Num::At(cell.base),
                false => Num::Among(cell.base, boxed(Num::Const(0))),
            });
        }
        if let [axis] = &cell.index[..]
            && axis.stride == 1
            && cell.sure
        {
            return Ok(Num::Among(cell.base, boxed(axis.index.clone())));
        }
        Ok(Num::Cell(boxed(cell)))
    }

    /// The place of a value of a variable or table.
    pub(super) fn cell(&mut self, expr: &Expr) -> Made<Cell> {
        let (base, width, axes, index, outside) = match &expr.kind {
            ExprKind::Var(var, index) => {
                let code = &self.code.vars[var.index()];
                let (base, width) = (code.base, code.width);
                (base, width, &self.game.var(*var).axes, index, None)
            }
            ExprKind::Lookup(table, index) => {
                let (base, outside) = self.tables[table.index()];
                let width = self.words(&self.game.table(*table).ty)?;
                (base, width, &self.game.table(*table).axes, index, outside)
            }
            _ => return unsupported("a cell of something else"),
        };
        let indexed = self.axes(axes, index, width)?;
        Ok(Cell {
            base: base + indexed.offset,
            index: indexed.axes,
            outside,
            site: self.site(FaultCode::IndexOutside, expr.span),
            sure: indexed.sure,
        })
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, expr: &Expr) -> Made<Num> {
        let wraps = expr.ty == Type::Wrap32;
        let value = boxed(self.num(a)?);
        Ok(match op {
            UnaryOp::Not => Num::Not(value),
            UnaryOp::Neg if wraps => Num::WrapNegate(value),
            UnaryOp::Abs if wraps => Num::WrapAbsolute(value),
            UnaryOp::Neg => Num::Negate(value, self.site(FaultCode::Overflow, expr.span)),
            UnaryOp::Abs => Num::Absolute(value, self.site(FaultCode::Overflow, expr.span)),
            UnaryOp::Complement => return unsupported("the complement of a number"),
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, expr: &Expr) -> Made<Num> {
        use BinaryOp as B;
        if let Some(same) = without_zero(expr) {
            return self.num(same);
        }
        Ok(match op {
            B::And => Num::And(self.pair(a, &there(a, true, b))?),
            B::Or => Num::Or(self.pair(a, &there(a, false, b))?),
            B::Eq | B::Ne => {
                let equal = self.equal(a, b)?;
                match (op, equal) {
                    (B::Eq, equal) => equal,
                    (_, Num::Equal(both)) => Num::Unequal(both),
                    (_, equal) => Num::Not(boxed(equal)),
                }
            }
            B::Lt | B::Le | B::Gt | B::Ge => Num::Compare(op, self.pair(a, b)?),
            B::Add | B::Sub | B::Mul | B::Div | B::Rem | B::RemEuclid | B::Min | B::Max => {
                let site = match op {
                    B::Div => {
                        let codes = [FaultCode::DivisionByZero, FaultCode::Overflow];
                        self.two_sites(codes, expr.span)
                    }
                    B::Rem | B::RemEuclid => self.site(FaultCode::DivisionByZero, expr.span),
                    _ => self.site(FaultCode::Overflow, expr.span),
                };
                match expr.ty {
                    Type::Wrap32 => Num::Wrapping(op, self.pair(a, b)?, site),
                    _ => Num::Exact(op, self.pair(a, b)?, site),
                }
            }
            B::In => match b.ty {
                Type::Set(_) => Num::In(boxed((self.num(a)?, self.set(b)?))),
                _ => Num::InSeq(boxed((self.num(a)?, self.seq(b)?))),
            },
            B::Subset => Num::Subset(self.sets(a, b)?),
            B::SeqSubset => Num::SeqSubset(self.seqs(a, b)?),
            _ => return unsupported("a number of sets"),
        })
    }

    fn equal(&mut self, a: &Expr, b: &Expr) -> Made<Num> {
        Ok(match &a.ty {
            Type::Set(_) if is_empty_set(b) => Num::IsEmpty(boxed(self.set(a)?)),
            Type::Set(_) if is_empty_set(a) => Num::IsEmpty(boxed(self.set(b)?)),
            Type::Set(_) => Num::SameSet(self.sets(a, b)?),
            Type::Seq { .. } => Num::SameSeq(self.seqs(a, b)?),
            _ => Num::Equal(self.pair(a, b)?),
        })
    }

    pub(super) fn walk(&mut self, expr: &Expr) -> Made<Walk> {
        let ExprKind::Walk {
            start,
            step,
            local,
            pass,
            give,
        } = &expr.kind
        else {
            return unsupported("a walk");
        };
        let domain = match start.ty {
            Type::Opt(domain) | Type::Elem(domain) => domain,
            _ => return unsupported("a walk over something else"),
        };
        let start = self.num(start)?;
        let local = self.bind(*local, &Type::Elem(domain))?;
        Ok(Walk {
            start,
            step: self.tables[step.index()].0,
            len: self.game.table(*step).values.len(),
            local,
            pass: self.num(pass)?,
            give: *give,
        })
    }

    /// A call of a function with these arguments.
    pub(super) fn call(&mut self, func: FuncId, args: &[Expr], span: Span) -> Made<Call> {
        let mut to = self.params_at(func);
        let mut all = Vec::new();
        // A value that is computed later may call the same function.
        let mut calls = self.effects.is_recursive(func);
        for arg in args.iter().skip(1) {
            arg.walk(&mut |expr| {
                calls |= matches!(
                    expr.kind,
                    ExprKind::Call(..) | ExprKind::Holds(..) | ExprKind::Related(..)
                );
            });
        }
        for arg in args {
            let words = self.words(&arg.ty)?;
            let value = self.value(arg)?;
            let aside = if calls { self.far_room(words) } else { to };
            all.push(Arg {
                value,
                aside,
                to,
                words,
            });
            to += words;
        }
        let site = match self.effects.is_recursive(func) {
            true => self.two_sites([FaultCode::WorkLimit, FaultCode::RecursionLimit], span),
            false => 0,
        };
        self.asks_kept = true;
        Ok(Call {
            func: func.index(),
            args: all.into(),
            aside: calls,
            site,
        })
    }

    /// What a bound variable ranges over, as it is written.
    pub(super) fn over(&mut self, over: &IrOver) -> Made<(Over, Type)> {
        Ok(match over {
            IrOver::Domain(domain) => (
                Over::Below(self.game.domain(*domain).len() as i64),
                Type::Elem(*domain),
            ),
            IrOver::Set(set) => match set.ty {
                Type::Set(domain) => (Over::Set(self.set(set)?), Type::Elem(domain)),
                _ => return unsupported("a set of something else"),
            },
            IrOver::Seq(seq) => match &seq.ty {
                Type::Seq { item, .. } => (Over::Seq(self.seq(seq)?), item.as_ref().clone()),
                _ => return unsupported("a sequence of something else"),
            },
            IrOver::Range(from, to) => (Over::Between(self.num(from)?, self.num(to)?), Type::INT),
        })
    }

    /// A sequence.
    pub(super) fn seq(&mut self, expr: &Expr) -> Made<Seq> {
        use ExprKind as E;
        let words = self.words(&expr.ty)?;
        let kind = match &expr.kind {
            E::Const(value) => {
                let words = self.words_of(value, &expr.ty)?;
                SeqKind::At(self.constant(words))
            }
            E::Local(local) => SeqKind::At(self.local(*local)?),
            E::Env { var, checked } => {
                let (at, flag) = self.env[var.index()];
                match checked {
                    true => SeqKind::Env(at, flag, self.site(FaultCode::UnsetVariable, expr.span)),
                    false => SeqKind::At(at),
                }
            }
            E::Var(..) | E::Lookup(..) => match self.cell(expr)? {
                cell if cell.index.is_empty() => SeqKind::At(cell.base),
                cell => SeqKind::Cell(boxed(cell)),
            },
            E::If(a, b, c) => SeqKind::If(boxed((self.num(a)?, self.seq(b)?, self.seq(c)?))),
            E::SeqOf(items) => {
                let items: Made<Vec<Num>> = items.iter().map(|item| self.num(item)).collect();
                SeqKind::Of(items?.into())
            }
            E::Binary(op, a, b) => {
                let both = self.seqs(a, b)?;
                match op {
                    BinaryOp::Concat => SeqKind::Concat(both),
                    BinaryOp::SeqIntersect => SeqKind::Filter(both, true),
                    BinaryOp::SeqMinus => SeqKind::Filter(both, false),
                    _ => return unsupported("a sequence of numbers"),
                }
            }
            E::Call(func, args) => SeqKind::Call(boxed(self.call(*func, args, expr.span)?)),
            _ => return unsupported("values of several types"),
        };
        let needed = match &kind {
            SeqKind::Concat(both) => both.0.words + both.1.words,
            SeqKind::Filter(both, _) => both.0.words,
            SeqKind::Of(items) => items.len() + 1,
            _ => words,
        };
        let words = words.max(needed);
        Ok(Seq {
            words,
            to: self.far_room(words),
            kind,
        })
    }
}

pub(super) fn is_empty_set(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Const(crate::ir::Const::Set(members)) if members.is_empty())
}

/// The conditions that a conjunction joins, in order.
pub(super) fn conjuncts<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ => out.push(expr),
    }
}

/// What nothing is added to or taken from.
pub(super) fn without_zero(expr: &Expr) -> Option<&Expr> {
    let zero = |expr: &Expr| expr.as_const() == Some(&Const::Int(0));
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if zero(b) => Some(a),
        ExprKind::Binary(BinaryOp::Add, a, b) if zero(a) => Some(b),
        _ => None,
    }
}

/// Whether an expression names a local variable.
pub(super) fn names(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= matches!(expr.kind, ExprKind::Local(l) if l == local));
    found
}

/// The two sides of an equality.
pub(super) fn equal(test: &Expr) -> Option<(&Expr, &Expr)> {
    match &test.kind {
        ExprKind::Binary(BinaryOp::Eq, a, b) => Some((a, b)),
        ExprKind::Unary(UnaryOp::Not, test) => match &test.kind {
            ExprKind::Binary(BinaryOp::Ne, a, b) => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// An expression that is evaluated where a condition holds, or where it does not: what that says is there is looked at as it is,
/// without a test.
fn there<'e>(cond: &Expr, holds: bool, expr: &'e Expr) -> Cow<'e, Expr> {
    let mut known = Vec::new();
    told(cond, holds, &mut known);
    let mut bound = false;
    if !known.is_empty() {
        expr.walk(&mut |expr| bound |= crate::ir::visit::bound_in(expr).is_some());
    }
    // A variable of the same number would be another one.
    if known.is_empty() || bound {
        return Cow::Borrowed(expr);
    }
    let mut expr = expr.clone();
    crate::ir::walk::rewrite(&mut expr, &mut |expr| {
        let (ExprKind::Get(what) | ExprKind::OrElse(what, _)) = &expr.kind else {
            return;
        };
        if known.iter().any(|known| is_same_look(known, what)) {
            let (kind, ty) = (what.kind.clone(), expr.ty.clone());
            *expr = Expr::new(kind, ty, expr.span);
        }
    });
    Cow::Owned(expr)
}

/// What is there where a condition holds, or where it does not.
fn told<'e>(cond: &'e Expr, holds: bool, known: &mut Vec<&'e Expr>) {
    match &cond.kind {
        ExprKind::IsSome(a) if holds => known.push(a),
        ExprKind::Unary(UnaryOp::Not, a) => told(a, !holds, known),
        ExprKind::Binary(op, a, b) if *op == (if holds { BinaryOp::And } else { BinaryOp::Or }) => {
            told(a, holds, known);
            told(b, holds, known);
        }
        _ => {}
    }
}

/// Whether two expressions look at the same word, wherever they stand in the rules.
fn is_same_look(a: &Expr, b: &Expr) -> bool {
    use ExprKind as E;
    let all = |a: &[Expr], b: &[Expr]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_look(a, b))
    };
    match (&a.kind, &b.kind) {
        (E::Local(a), E::Local(b)) => a == b,
        (E::Const(a), E::Const(b)) => a == b,
        (E::Var(a, i), E::Var(b, j)) => a == b && all(i, j),
        (E::Lookup(a, i), E::Lookup(b, j)) => a == b && all(i, j),
        (E::PlaceOf(a, i), E::PlaceOf(b, j)) | (E::Content(a, i), E::Content(b, j)) => {
            a == b && is_same_look(i, j)
        }
        _ => false,
    }
}
