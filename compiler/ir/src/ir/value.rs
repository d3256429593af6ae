//! Computing with constants, as the rules would at run time.
//!
//! Everything gives `None` where the operation would fault, and where it is left to the run time.

use crate::sorted::SortedSet;

use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, FuncId, Game, Stmt, StmtKind, Table, Type, UnaryOp,
};

/// The value of an expression whose operands have these values; calls, bound variables and the state
/// are left to others.
pub fn apply(game: &Game, expr: &Expr, operands: &[&Const]) -> Option<Const> {
    use ExprKind as E;
    match (&expr.kind, operands) {
        (E::Const(value), []) => Some(value.clone()),
        (E::Lookup(table, _), index) => {
            lookup(game, game.tables.get(table.index())?, index).cloned()
        }
        (E::Unary(op, a), [value]) => unary(game, *op, &a.ty, value),
        (E::Binary(op, a, _), [left, right]) => binary(*op, &a.ty, left, right),
        (E::If(..), [Const::Bool(cond), yes, no]) => Some((*if *cond { yes } else { no }).clone()),
        (E::Some(_), [value]) => Some((*value).clone()),
        (E::IsSome(_), [value]) => Some(Const::Bool(**value != Const::None)),
        (E::Get(_), [Const::Elem(member)]) => Some(Const::Elem(*member)),
        (E::OrElse(..), [Const::None, other]) => Some((*other).clone()),
        (E::OrElse(..), [value, _]) => Some((*value).clone()),
        (E::Ordinal(a), [Const::Elem(member)]) => match a.ty {
            Type::Elem(domain) | Type::Opt(domain) => {
                Some(Const::Int(game.domain(domain).ordinal(*member)))
            }
            _ => None,
        },
        (E::Member(domain, _), [Const::Int(ordinal)]) => {
            let member = game.domain(*domain).with_ordinal(*ordinal);
            Some(member.map_or(Const::None, Const::Elem))
        }
        (E::ToWrap(_), [Const::Int(value)]) => Some(Const::Int(i64::from(*value as i32))),
        (E::ToInt(_), [Const::Int(value)]) => Some(Const::Int(*value)),
        (E::Tag(a), [value]) => {
            let tag = match &a.ty {
                Type::Int { .. } => Type::INT,
                other => other.clone(),
            };
            Some(Const::Tagged(Box::new(tag), Box::new((*value).clone())))
        }
        (E::Untag(_), [Const::Tagged(ty, value)]) if ty.same_kind(&expr.ty) => {
            Some((**value).clone())
        }
        (E::HasTag(ty, _), [Const::Tagged(tag, _)]) => Some(Const::Bool(tag.same_kind(ty))),
        (E::SetOf(_), members) => set_of(members),
        (E::SeqOf(_), items) => fits(&expr.ty, items.iter().map(|&item| item.clone()).collect()),
        (E::Size(_), [Const::Set(members)]) => Some(Const::Int(members.len() as i64)),
        (E::Size(_), [Const::Seq(items)]) => Some(Const::Int(items.len() as i64)),
        (E::Item(..), [Const::Seq(items), Const::Int(at)]) => {
            items.get(usize::try_from(*at).ok()?).cloned()
        }
        _ => None,
    }
}

/// The value of an expression as far as `known` tells its parts: nothing where it depends on the others. What decides a
/// truth from either side is enough.
pub fn partial(game: &Game, expr: &Expr, known: &dyn Fn(&Expr) -> Option<Const>) -> Option<Const> {
    if let Some(value) = known(expr) {
        return Some(value);
    }
    let of = |expr: &Expr| partial(game, expr, known);
    match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let decides = Const::Bool(*op == BinaryOp::Or);
            match (of(a), of(b)) {
                (Some(value), _) | (_, Some(value)) if value == decides => Some(value),
                (Some(_), Some(value)) => Some(value),
                _ => None,
            }
        }
        ExprKind::If(cond, yes, no) => match of(cond)? {
            Const::Bool(true) => of(yes),
            _ => of(no),
        },
        _ => {
            let mut operands = Vec::new();
            expr.children(&mut |child| operands.push(of(child)));
            let operands: Vec<Const> = operands.into_iter().collect::<Option<_>>()?;
            apply(game, expr, &operands.iter().collect::<Vec<_>>())
        }
    }
}

/// The values of a type, if they are few.
pub fn values_of(game: &Game, ty: &Type) -> Vec<Const> {
    const FEW: i64 = 256;
    match ty {
        Type::Bool => vec![Const::Bool(false), Const::Bool(true)],
        Type::Int { lo, hi } if hi.checked_sub(*lo).is_some_and(|size| size < FEW) => {
            (*lo..=*hi).map(Const::Int).collect()
        }
        Type::Elem(domain) | Type::Opt(domain) => {
            let members = (0..game.domain(*domain).len() as u32).map(Const::Elem);
            let none = matches!(ty, Type::Opt(_)).then_some(Const::None);
            members.chain(none).collect()
        }
        _ => Vec::new(),
    }
}

/// A value of a table.
pub fn lookup<'a>(game: &Game, table: &'a Table, index: &[&Const]) -> Option<&'a Const> {
    match cell(game, &table.axes, index) {
        Some(cell) => table.values.get(cell),
        None => table.outside.as_ref(),
    }
}

/// The number of a cell, last axis fastest; nothing if an index lies outside its axis.
pub fn cell(game: &Game, axes: &[Axis], index: &[&Const]) -> Option<usize> {
    let mut cell = 0;
    for (axis, value) in axes.iter().zip(index) {
        let at = match (axis, value) {
            (Axis::Domain(_), Const::Elem(member)) => *member as usize,
            (Axis::Range { lo, .. }, Const::Int(value)) => {
                usize::try_from(value.checked_sub(*lo)?).ok()?
            }
            _ => return None,
        };
        let len = axis.len(game);
        if at >= len {
            return None;
        }
        cell = cell * len + at;
    }
    Some(cell)
}

fn unary(game: &Game, op: UnaryOp, ty: &Type, value: &Const) -> Option<Const> {
    match (op, value) {
        (UnaryOp::Not, Const::Bool(value)) => Some(Const::Bool(!value)),
        (UnaryOp::Neg, Const::Int(value)) => integer(ty, value.checked_neg()),
        (UnaryOp::Abs, Const::Int(value)) => integer(ty, value.checked_abs()),
        (UnaryOp::Complement, Const::Set(members)) => {
            let Type::Set(domain) = ty else { return None };
            let all = 0..u32::try_from(game.domain(*domain).len()).ok()?;
            Some(Const::Set(
                all.filter(|member| !members.contains(member)).collect(),
            ))
        }
        _ => None,
    }
}

/// An integer of a type: wrapped to 32 bits where the type says so.
fn integer(ty: &Type, value: Option<i64>) -> Option<Const> {
    match ty {
        Type::Wrap32 => Some(Const::Int(i64::from(value? as i32))),
        _ => value.map(Const::Int),
    }
}

/// The value of a binary operation; the type is that of the left operand.
pub fn binary(op: BinaryOp, ty: &Type, left: &Const, right: &Const) -> Option<Const> {
    use BinaryOp::*;
    use Const::{Bool, Int, Seq, Set};
    match (op, left, right) {
        (And, Bool(a), Bool(b)) => Some(Bool(*a && *b)),
        (Or, Bool(a), Bool(b)) => Some(Bool(*a || *b)),
        (Eq, Const::Tagged(..), _) | (Ne, Const::Tagged(..), _) => None,
        (Eq, a, b) => Some(Bool(a == b)),
        (Ne, a, b) => Some(Bool(a != b)),
        (Lt, Int(a), Int(b)) => Some(Bool(a < b)),
        (Le, Int(a), Int(b)) => Some(Bool(a <= b)),
        (Gt, Int(a), Int(b)) => Some(Bool(a > b)),
        (Ge, Int(a), Int(b)) => Some(Bool(a >= b)),
        (_, Int(a), Int(b)) => integer(ty, arithmetic(op, *a, *b)),
        (Union, Set(a), Set(b)) => Some(Set(a
            .iter()
            .chain(b)
            .copied()
            .collect::<SortedSet<_>>()
            .into_iter()
            .collect())),
        (Intersect, Set(a), Set(b)) => {
            Some(Set(a.iter().filter(|m| b.contains(m)).copied().collect()))
        }
        (Minus, Set(a), Set(b)) => {
            Some(Set(a.iter().filter(|m| !b.contains(m)).copied().collect()))
        }
        (UpTo, Set(a), Set(b)) => {
            let end = a.iter().filter(|m| b.contains(m)).min();
            let kept = a.iter().filter(|m| end.is_none_or(|end| *m <= end));
            Some(Set(kept.copied().collect()))
        }
        (DownTo, Set(a), Set(b)) => {
            let end = a.iter().filter(|m| b.contains(m)).max();
            let kept = a.iter().filter(|m| end.is_none_or(|end| *m >= end));
            Some(Set(kept.copied().collect()))
        }
        (Subset, Set(a), Set(b)) => Some(Bool(a.iter().all(|m| b.contains(m)))),
        (In, Const::Elem(a), Set(b)) => Some(Bool(b.contains(a))),
        (In, a, Seq(b)) => Some(Bool(b.contains(a))),
        (Concat, Seq(a), Seq(b)) => Some(Seq(a.iter().chain(b).cloned().collect())),
        (SeqIntersect, Seq(a), Seq(b)) => {
            Some(Seq(a.iter().filter(|i| b.contains(i)).cloned().collect()))
        }
        (SeqMinus, Seq(a), Seq(b)) => {
            Some(Seq(a.iter().filter(|i| !b.contains(i)).cloned().collect()))
        }
        (SeqSubset, Seq(a), Seq(b)) => Some(Bool(a.iter().all(|i| b.contains(i)))),
        _ => None,
    }
}

/// Exact in 64 bits; 32-bit operands never overflow here but for a product, which fits as well.
fn arithmetic(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::RemEuclid => a.checked_rem_euclid(b),
        BinaryOp::Min => Some(a.min(b)),
        BinaryOp::Max => Some(a.max(b)),
        _ => None,
    }
}

fn set_of(members: &[&Const]) -> Option<Const> {
    let mut set = SortedSet::new();
    for member in members {
        let Const::Elem(member) = member else {
            return None;
        };
        set.insert(*member);
    }
    Some(Const::Set(set.into_iter().collect()))
}

/// A sequence, if it is no longer than its type admits.
fn fits(ty: &Type, items: Vec<Const>) -> Option<Const> {
    match ty {
        Type::Seq { cap, .. } if items.len() <= *cap as usize => Some(Const::Seq(items)),
        _ => None,
    }
}

/// The value of an expression for known variables; nothing where it faults or more than constants decide.
pub fn evaluate(game: &Game, expr: &Expr, locals: &[Option<Const>], depth: usize) -> Option<Const> {
    let value = |expr: &Expr| evaluate(game, expr, locals, depth);
    match &expr.kind {
        ExprKind::Local(local) => locals.get(local.index()).cloned().flatten(),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => match (op, value(a)?) {
            (BinaryOp::And, Const::Bool(false)) => Some(Const::Bool(false)),
            (BinaryOp::Or, Const::Bool(true)) => Some(Const::Bool(true)),
            _ => value(b),
        },
        ExprKind::If(cond, yes, no) => match value(cond)? {
            Const::Bool(true) => value(yes),
            _ => value(no),
        },
        ExprKind::Call(func, args) => {
            let args = args.iter().map(value).collect::<Option<Vec<_>>>()?;
            call(game, *func, args, depth.checked_sub(1)?)
        }
        _ => {
            let mut operands = Some(Vec::new());
            expr.children(&mut |child| {
                if let Some(known) = &mut operands {
                    match value(child) {
                        Some(value) => known.push(value),
                        None => operands = None,
                    }
                }
            });
            apply(game, expr, &operands?.iter().collect::<Vec<_>>())
        }
    }
}

/// The value of a function that only computes.
fn call(game: &Game, func: FuncId, args: Vec<Const>, depth: usize) -> Option<Const> {
    let function = game.function(func);
    let mut locals: Vec<Option<Const>> = args.into_iter().map(Some).collect();
    locals.resize(function.locals.len(), None);
    run_block(game, &function.body, &mut locals, depth)?
}

/// The value that a block returns, if it returns one; nothing where that is not known.
fn run_block(
    game: &Game,
    block: &[Stmt],
    locals: &mut Vec<Option<Const>>,
    depth: usize,
) -> Option<Option<Const>> {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                locals[local.index()] = Some(evaluate(game, value, locals, depth)?);
            }
            StmtKind::Call { func, args, into } => {
                let args = args.iter().map(|arg| evaluate(game, arg, locals, depth));
                let args = args.collect::<Option<Vec<_>>>()?;
                let value = call(game, *func, args, depth.checked_sub(1)?)?;
                if let Some(into) = into {
                    locals[into.index()] = Some(value);
                }
            }
            StmtKind::If(cond, yes, no) => {
                let branch = match evaluate(game, cond, locals, depth)? {
                    Const::Bool(true) => yes,
                    _ => no,
                };
                if let Some(value) = run_block(game, branch, locals, depth)? {
                    return Some(Some(value));
                }
            }
            StmtKind::Return(Some(value)) => {
                return Some(Some(evaluate(game, value, locals, depth)?));
            }
            _ => return None,
        }
    }
    Some(None)
}
