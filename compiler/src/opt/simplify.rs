//! Rules that make expressions and statements simpler wherever they stand.
//!
//! No rule loses a fault: an operand is dropped only if it cannot fault.

use smallvec::SmallVec;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Game, LocalId, Stmt, StmtKind, Type, UnaryOp,
    range,
};

use super::locals::bound_in;
use super::meets::met_by_either;
use super::{facts, told};
use crate::ir::value;
use crate::ir::visit::free_locals;

/// Items of two lists that are compared each with each.
const MOST_COMPARED: usize = 16;

/// Nodes of a value that is written out where it is compared.
const MOST_REPEATED: usize = 32;

/// What the rules need to know of the game. The functions of the game may be missing in `game`.
pub struct Simplifier<'a> {
    /// The game.
    pub game: &'a Game,
    /// The effects of its functions.
    pub effects: &'a Effects,
}

impl Simplifier<'_> {
    /// Simplifies an expression and everything in it.
    pub fn expr(&self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::Local(_)) {
            return;
        }
        expr.each_child_mut(|child| self.expr(child));
        // Each rule leaves less to do, so this ends.
        while self.step(expr) {}
        tighten(expr);
    }

    /// Simplifies the statements of a block at any depth.
    pub fn block(&self, block: &mut Block) {
        let mut out = Block::new();
        for mut stmt in std::mem::take(block) {
            stmt.children_mut(&mut |expr| self.expr(expr));
            stmt.blocks_mut(&mut |inner| self.block(inner));
            self.stmt(stmt, &mut out);
            join_tests(&mut out);
            if out.last().is_some_and(leaves) {
                self.return_tests(&mut out);
                return_early(&mut out);
                join_tests(&mut out);
                break;
            }
        }
        *block = out;
    }

    /// Gives at once what the last statements test one after another: a variable that is compared with constants for the return
    /// behind it is what these compare, and what is true if a test before holds is true in the value that is returned.
    fn return_tests(&self, block: &mut Block) {
        let Some(Stmt {
            kind: StmtKind::Return(Some(value)),
            ..
        }) = block.last()
        else {
            return;
        };
        let mut kept = block.len() - 1;
        let before = kept.checked_sub(1).map(|at| &block[at].kind);
        let asks = matches!(before, Some(StmtKind::Let(..) | StmtKind::If(..)));
        if !asks || value.ty != Type::Bool || value.as_const().is_some() {
            return;
        }
        let mut value = value.clone();
        while let Some(StmtKind::Let(local, given)) = kept.checked_sub(1).map(|at| &block[at].kind)
        {
            let read = free_locals(given);
            let mut bound = false;
            value.walk(&mut |part| {
                bound |= bound_in(part).is_some_and(|local| read.contains(&local));
            });
            let compares = compares_only(&value, *local, &given.ty);
            if bound || !compares || !self.is_asked_only(given) {
                break;
            }
            replace_local(&mut value, *local, given);
            kept -= 1;
        }
        if kept + 1 == block.len() {
            return;
        }
        while let Some(StmtKind::If(cond, yes, no)) = kept.checked_sub(1).map(|at| &block[at].kind)
        {
            let [
                Stmt {
                    kind: StmtKind::Return(Some(given)),
                    ..
                },
            ] = yes.as_slice()
            else {
                break;
            };
            if !no.is_empty() || truth(given) != Some(true) {
                break;
            }
            value = cond.clone().or(value);
            kept -= 1;
        }
        self.expr(&mut value);
        block.truncate(kept);
        block.push(Stmt::new(StmtKind::Return(Some(value.clone())), value.span));
    }

    /// Whether a value is short, follows from the position and variables alone, and cannot go wrong.
    fn is_asked_only(&self, value: &Expr) -> bool {
        let (mut nodes, mut plain) = (0, true);
        value.walk(&mut |part| {
            nodes += 1;
            let reads = matches!(
                part.kind,
                ExprKind::Const(_)
                    | ExprKind::Local(_)
                    | ExprKind::Var(..)
                    | ExprKind::Content(..)
                    | ExprKind::PlaceOf(..)
            );
            plain &= reads || is_plain(&part.kind);
        });
        plain && nodes <= MOST_REPEATED && self.is_free(value)
    }

    /// Whether evaluating the expression can neither fault nor spend work.
    pub fn is_free(&self, expr: &Expr) -> bool {
        if matches!(expr.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return true;
        }
        let effect = self.effects.expr(self.game, expr);
        !(effect.may_fault || effect.works || effect.fails)
    }

    /// Whether nobody sees a call but by what it gives.
    pub fn does_nothing(&self, func: FuncId, args: &[Expr]) -> bool {
        let effect = self.effects.function(func);
        let quiet = effect.is_pure() && !effect.suspends;
        quiet
            && !(effect.may_fault || effect.works || effect.fails)
            && args.iter().all(|arg| self.is_free(arg))
    }

    fn stmt(&self, stmt: Stmt, out: &mut Block) {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::If(cond, yes, no) => match truth(&cond) {
                Some(true) => out.extend(yes),
                Some(false) => out.extend(no),
                None if yes.is_empty() && no.is_empty() && self.is_free(&cond) => {}
                None if yes.is_empty() && !no.is_empty() => {
                    let mut cond = cond.not();
                    self.expr(&mut cond);
                    out.push(Stmt::new(StmtKind::If(cond, no, yes), span));
                }
                None => out.push(Stmt::new(StmtKind::If(cond, yes, no), span)),
            },
            StmtKind::While { cond, .. } if truth(&cond) == Some(false) => {}
            StmtKind::Let(
                local,
                Expr {
                    kind: ExprKind::Local(other),
                    ..
                },
            ) if local == other => {}
            kind => out.push(Stmt::new(kind, span)),
        }
    }

    fn rules(&self) -> told::Rules<'_> {
        told::Rules {
            game: self.game,
            effects: self.effects,
        }
    }

    /// An expression of simple operands, simplified.
    fn simpler(&self, mut expr: Expr) -> Expr {
        while self.step(&mut expr) {}
        tighten(&mut expr);
        expr
    }

    /// Applies one rule at the root; whether there was one.
    fn step(&self, expr: &mut Expr) -> bool {
        if self.fold(expr) || facts::use_facts(expr) || told::use_values(&self.rules(), expr) {
            return true;
        }
        match self.replacement(expr) {
            Some(other) => {
                *expr = other;
                true
            }
            None => false,
        }
    }

    /// Computes an expression of constants.
    fn fold(&self, expr: &mut Expr) -> bool {
        if !is_plain(&expr.kind) {
            return false;
        }
        let mut operands: SmallVec<[&Const; 4]> = SmallVec::new();
        let mut all = true;
        expr.children(&mut |child| match child.as_const() {
            Some(value) => operands.push(value),
            None => all = false,
        });
        let value = match all {
            true => value::apply(self.game, expr, &operands),
            false => self.same_everywhere(expr),
        };
        drop(operands);
        match value {
            Some(value) => {
                expr.kind = ExprKind::Const(value);
                true
            }
            None => false,
        }
    }

    /// The value of a look-up in a table that has the same value everywhere.
    fn same_everywhere(&self, expr: &Expr) -> Option<Const> {
        let ExprKind::Lookup(table, _) = &expr.kind else {
            return None;
        };
        let table = self.game.table(*table);
        let first = table.values.first()?;
        let mut others = table.values.iter().chain(&table.outside);
        (others.all(|value| value == first) && self.is_free(expr)).then(|| first.clone())
    }

    fn replacement(&self, expr: &mut Expr) -> Option<Expr> {
        let ty = expr.ty.clone();
        match &mut expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => not(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::If(cond, yes, no) => self.select(&ty, cond, yes, no),
            ExprKind::IsSome(a) => match &a.kind {
                ExprKind::Some(inner) if self.is_free(inner) => Some(Expr::bool(true, expr.span)),
                ExprKind::If(cond, yes, no) if no.as_const() == Some(&Const::None) => {
                    let there = Expr::new(ExprKind::IsSome(yes.clone()), Type::Bool, expr.span);
                    Some(cond.as_ref().clone().and(there))
                }
                _ => None,
            },
            ExprKind::Get(a) => match &mut a.kind {
                ExprKind::Some(inner) => Some(take(inner)),
                _ => None,
            },
            ExprKind::OrElse(a, b) => match &mut a.kind {
                ExprKind::Some(inner) => Some(take(inner)),
                ExprKind::Const(Const::Elem(member)) => {
                    Some(Expr::constant(Const::Elem(*member), ty, expr.span))
                }
                ExprKind::Const(Const::None) => Some(take(b)),
                _ => None,
            },
            ExprKind::Untag(a) => match &mut a.kind {
                ExprKind::Tag(inner) if inner.ty.same_kind(&ty) => Some(take(inner)),
                _ => None,
            },
            ExprKind::HasTag(tag, a) => match &a.kind {
                ExprKind::Tag(inner) if self.is_free(inner) => {
                    Some(Expr::bool(inner.ty.same_kind(tag), expr.span))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Expr> {
        match (op, truth(a), truth(b)) {
            (BinaryOp::And, Some(true), _) | (BinaryOp::Or, Some(false), _) => Some(take(b)),
            (BinaryOp::And, Some(false), _) | (BinaryOp::Or, Some(true), _) => Some(take(a)),
            (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, _, Some(false)) => Some(take(a)),
            (BinaryOp::And, _, Some(false)) | (BinaryOp::Or, _, Some(true)) if self.is_free(a) => {
                Some(take(b))
            }
            (BinaryOp::Eq, Some(true), _) | (BinaryOp::Ne, Some(false), _) => Some(take(b)),
            (BinaryOp::Eq, _, Some(true)) | (BinaryOp::Ne, _, Some(false)) => Some(take(a)),
            (BinaryOp::Eq, Some(false), _) | (BinaryOp::Ne, Some(true), _) => Some(take(b).not()),
            (BinaryOp::Eq, _, Some(false)) | (BinaryOp::Ne, _, Some(true)) => Some(take(a).not()),
            (BinaryOp::Eq | BinaryOp::Ne, ..) => {
                let equal = self.equality(op, a, b).or_else(|| self.turned(op, a, b));
                equal.or_else(|| compared_in_branches(self, op, a, b))
            }
            (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, ..) => {
                constant_last(op, a, b).or_else(|| compared_in_branches(self, op, a, b))
            }
            (BinaryOp::Add | BinaryOp::Mul, ..) => self.turned(op, a, b),
            (BinaryOp::SeqSubset, ..) => self.all_among(a, b),
            (BinaryOp::Or, ..) => {
                met_by_either(BinaryOp::Ne, op, a, b).or_else(|| asked_of_both(self, op, a, b))
            }
            (BinaryOp::And, ..) => {
                met_by_either(BinaryOp::Eq, op, a, b).or_else(|| asked_of_both(self, op, a, b))
            }
            _ => None,
        }
    }

    /// The operands in their usual order, where the order makes no difference: what takes more to compute comes first.
    fn turned(&self, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Expr> {
        // One of them may fault: then it does in either order.
        let turns =
            weight(a) < weight(b) && (self.is_free(a) || self.is_free(b)) && !self.proves(a, b);
        turns.then(|| Expr::binary(op, take(b), take(a)))
    }

    /// Whether a test of the first may be why the second reads a variable of the environment without one, itself or in what it calls.
    fn proves(&self, first: &Expr, second: &Expr) -> bool {
        let mut tested = Vec::new();
        first.walk(&mut |expr| {
            if let ExprKind::Env { var, checked: true } = expr.kind {
                tested.push(var);
            }
        });
        !tested.is_empty() && {
            let read = self.effects.expr(self.game, second).reads.env;
            tested.iter().any(|var| read.contains(var))
        }
    }

    /// Whether lists that are written out are equal, item by item.
    fn item_by_item(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expr> {
        let (left, right) = (items_of(a)?, items_of(b)?);
        if left.is_empty() || left.len() != right.len() || !self.may_be_left_out(&left, &right) {
            return None;
        }
        let pairs = left.into_iter().zip(right);
        let equal = pairs.map(|(a, b)| a.equals(b)).reduce(Expr::and)?;
        Some(match op {
            BinaryOp::Eq => equal,
            _ => equal.not(),
        })
    }

    /// Whether the items of a list that is written out are all among those of another.
    fn all_among(&self, a: &Expr, b: &Expr) -> Option<Expr> {
        let (left, right) = (items_of(a)?, items_of(b)?);
        let short = left.len() * right.len() <= MOST_COMPARED;
        if left.is_empty() || right.is_empty() || !short || !self.may_be_left_out(&left, &right) {
            return None;
        }
        let among = |one: &Expr| {
            let equal = right.iter().map(|other| one.clone().equals(other.clone()));
            equal.reduce(Expr::or)
        };
        left.iter()
            .map(among)
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .reduce(Expr::and)
    }

    /// Whether nothing is lost where only the first items are evaluated, or some of them twice: the others cannot fault, or are
    /// asked for before, and none spends work.
    fn may_be_left_out(&self, left: &[Expr], right: &[Expr]) -> bool {
        let first = [&left[0], &right[0]];
        let known = |item: &Expr| first.iter().any(|first| same(first, item));
        let mut items = left.iter().chain(right);
        items.all(|item| {
            self.is_free(item) || known(item) && !self.effects.expr(self.game, item).works
        })
    }

    fn equality(&self, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Expr> {
        if same(a, b) && self.is_free(a) {
            return Some(Expr::bool(op == BinaryOp::Eq, a.span));
        }
        if let Some(equal) = self.item_by_item(op, a, b) {
            return Some(equal);
        }
        match (&mut a.kind, &mut b.kind) {
            (ExprKind::Some(x), ExprKind::Some(y)) => Some(Expr::binary(op, take(x), take(y))),
            (ExprKind::Some(x), ExprKind::Const(Const::Elem(member)))
            | (ExprKind::Const(Const::Elem(member)), ExprKind::Some(x)) => {
                let member = Expr::constant(Const::Elem(*member), x.ty.clone(), x.span);
                Some(Expr::binary(op, take(x), member))
            }
            (ExprKind::Some(x), ExprKind::Const(Const::None))
            | (ExprKind::Const(Const::None), ExprKind::Some(x))
                if self.is_free(x) =>
            {
                Some(Expr::bool(op == BinaryOp::Ne, x.span))
            }
            (ExprKind::Binary(sum @ (BinaryOp::Add | BinaryOp::Sub), x, y), ExprKind::Const(_))
                if a.ty == Type::Wrap32 && asks_places(x) && !asks_places(y) && self.is_free(y) =>
            {
                // What stands somewhere is compared with the rest, modulo 2^32.
                let back = match sum {
                    BinaryOp::Add => BinaryOp::Sub,
                    _ => BinaryOp::Add,
                };
                Some(Expr::binary(
                    op,
                    take(x),
                    Expr::binary(back, take(b), take(y)),
                ))
            }
            _ => None,
        }
    }

    fn select(&self, ty: &Type, cond: &mut Expr, yes: &mut Expr, no: &mut Expr) -> Option<Expr> {
        match truth(cond) {
            Some(true) if ty.contains(&yes.ty) => return Some(take(yes)),
            Some(false) if ty.contains(&no.ty) => return Some(take(no)),
            _ => {}
        }
        if *ty != Type::Bool {
            return (same(yes, no) && self.is_free(cond)).then(|| take(yes));
        }
        match (truth(yes), truth(no)) {
            (Some(true), Some(false)) => Some(take(cond)),
            (Some(false), Some(true)) => Some(take(cond).not()),
            (Some(true), _) => Some(take(cond).or(take(no))),
            (Some(false), _) => Some(take(cond).not().and(take(no))),
            (_, Some(true)) => Some(take(cond).not().or(take(yes))),
            (_, Some(false)) => Some(take(cond).and(take(yes))),
            _ => None,
        }
    }
}

/// The items of a list that is written out.
fn items_of(list: &Expr) -> Option<Vec<Expr>> {
    let Type::Seq { item, .. } = &list.ty else {
        return None;
    };
    match &list.kind {
        ExprKind::SeqOf(items) => Some(items.clone()),
        ExprKind::Const(Const::Seq(values)) => {
            let constant =
                |value: &Const| Expr::constant(value.clone(), (**item).clone(), list.span);
            Some(values.iter().map(constant).collect())
        }
        _ => None,
    }
}

/// Whether an expression asks what stands on a place.
fn asks_places(expr: &Expr) -> bool {
    let mut asks = false;
    expr.walk(&mut |expr| asks |= matches!(expr.kind, ExprKind::Content(..)));
    asks
}

/// The truth value, if it is a constant.
pub fn truth(expr: &Expr) -> Option<bool> {
    match expr.as_const() {
        Some(Const::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// How much it takes to compute an expression, as far as the usual order of operands goes.
fn weight(expr: &Expr) -> (usize, usize) {
    match &expr.kind {
        ExprKind::Const(_) => (0, 0),
        // The later one of two comes first: that is often the one which was just made.
        ExprKind::Local(local) => (1, local.index()),
        ExprKind::Var(var, index) if index.is_empty() => (2, var.index()),
        _ => {
            let mut nodes = 0;
            expr.walk(&mut |_| nodes += 1);
            (2 + nodes, 0)
        }
    }
}

/// Whether control never goes on after the statement.
pub fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::End { .. }
        | StmtKind::Fault(_)
        | StmtKind::TooDeep
        | StmtKind::Fail
        | StmtKind::Stop(_) => true,
        StmtKind::If(_, yes, no) => yes.last().is_some_and(leaves) && no.last().is_some_and(leaves),
        _ => false,
    }
}

/// Gives an integer the range that follows from those of its operands: what lies inside needs no test.
fn tighten(expr: &mut Expr) {
    let found = match &expr.kind {
        ExprKind::Const(Const::Int(value)) => Some((*value, *value)),
        ExprKind::Binary(op, a, b) if range::is_arithmetic(*op) => {
            a.ty.int_range()
                .zip(b.ty.int_range())
                .and_then(|(a, b)| range::binary(*op, a, b))
        }
        ExprKind::If(_, a, b) => {
            let ranges = a.ty.int_range().zip(b.ty.int_range());
            ranges.map(|((a, b), (c, d))| (a.min(c), b.max(d)))
        }
        _ => None,
    };
    if let (
        Some((lo, hi)),
        Type::Int {
            lo: least,
            hi: most,
        },
    ) = (found, &mut expr.ty)
    {
        (*least, *most) = ((*least).max(lo), (*most).min(hi));
    }
}

/// The negation, where it can be pushed inside.
fn not(a: &mut Expr) -> Option<Expr> {
    use BinaryOp::*;
    match &mut a.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => Some(take(inner)),
        ExprKind::Binary(op, left, right) => {
            let op = match op {
                Eq => Ne,
                Ne => Eq,
                Lt => Ge,
                Ge => Lt,
                Gt => Le,
                Le => Gt,
                _ => return None,
            };
            let (span, left, right) = (a.span, take(left), take(right));
            Some(Expr::binary(op, left, right).at(span))
        }
        _ => None,
    }
}

/// Gives an answer where it is known: a truth value that branches set for the return behind them is returned by these, and
/// the branch that only returns a constant comes first, so that nothing else stands in a branch.
fn return_early(block: &mut Block) {
    if let [
        ..,
        branches,
        Stmt {
            kind: StmtKind::Return(Some(value)),
            ..
        },
    ] = block.as_mut_slice()
        && let ExprKind::Local(answer) = value.kind
        && value.ty == Type::Bool
        && let StmtKind::If(_, yes, no) = &mut branches.kind
    {
        let value = value.clone();
        for branch in [yes, no] {
            return_here(branch, answer, &value);
        }
        block.pop();
    }
    let Some(Stmt {
        kind: StmtKind::If(cond, yes, no),
        ..
    }) = block.last_mut()
    else {
        return;
    };
    if no.is_empty() || !yes.last().is_some_and(leaves) {
        return;
    }
    let constant = |block: &Block| match block.as_slice() {
        [stmt] => matches!(&stmt.kind, StmtKind::Return(Some(value)) if value.as_const().is_some()),
        _ => false,
    };
    if constant(no) && !constant(yes) {
        std::mem::swap(yes, no);
        *cond = negated(take(cond));
    }
    let rest = std::mem::take(no);
    block.extend(rest);
}

/// Ends a branch with the return of an answer, unless it leaves already.
fn return_here(branch: &mut Block, answer: LocalId, value: &Expr) {
    match branch.last_mut() {
        Some(last) if leaves(last) => {}
        Some(Stmt {
            kind: StmtKind::Let(local, given),
            ..
        }) if *local == answer => {
            let given = given.clone();
            branch.pop();
            branch.push(Stmt::new(StmtKind::Return(Some(given)), value.span));
        }
        Some(Stmt {
            kind: StmtKind::If(_, yes, no),
            ..
        }) => {
            return_here(yes, answer, value);
            return_here(no, answer, value);
        }
        _ => branch.push(Stmt::new(StmtKind::Return(Some(value.clone())), value.span)),
    }
    return_early(branch);
}

/// The opposite of a condition.
pub(super) fn negated(mut cond: Expr) -> Expr {
    not(&mut cond).unwrap_or_else(|| cond.not())
}

/// Makes one statement of the last two if both leave with the same constant: one test takes less than two.
fn join_tests(block: &mut Block) {
    let [.., first, second] = block.as_slice() else {
        return;
    };
    let (StmtKind::If(a, yes, no), StmtKind::If(b, then, other)) = (&first.kind, &second.kind)
    else {
        return;
    };
    let gives = |block: &Block| match block.as_slice() {
        [stmt] => match &stmt.kind {
            StmtKind::Return(Some(value)) => value.as_const().cloned(),
            _ => None,
        },
        _ => None,
    };
    let Some(value) = gives(yes).filter(|_| no.is_empty()) else {
        return;
    };
    let joined = if other.is_empty() && gives(then) == Some(value.clone()) {
        StmtKind::If(a.clone().or(b.clone()), then.clone(), Block::new())
    } else if gives(other) == Some(value) {
        StmtKind::If(a.clone().not().and(b.clone()), then.clone(), other.clone())
    } else {
        return;
    };
    let joined = Stmt::new(joined, second.span);
    block.truncate(block.len() - 2);
    block.push(joined);
}

/// Whether a condition reads a variable, which takes any value of a type, and only to compare it with constants.
fn compares_only(cond: &Expr, local: LocalId, given: &Type) -> bool {
    let (mut reads, mut compared, mut calls) = (0, 0, false);
    cond.walk(&mut |part| match &part.kind {
        ExprKind::Local(other) => reads += usize::from(*other == local),
        ExprKind::Call(..) => calls = true,
        ExprKind::Binary(_, a, b) if part.ty == Type::Bool && b.as_const().is_some() => {
            compared += usize::from(a.kind == ExprKind::Local(local) && a.ty.contains(given));
        }
        _ => {}
    });
    !calls && reads > 0 && reads == compared
}

fn replace_local(expr: &mut Expr, local: LocalId, value: &Expr) {
    if expr.kind == ExprKind::Local(local) {
        *expr = value.clone();
        return;
    }
    expr.each_child_mut(|child| replace_local(child, local, value));
}

/// What both alternatives ask first, asked once: `(p and q) or (p and r)`, or the opposite.
fn asked_of_both(rules: &Simplifier<'_>, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Expr> {
    let (ExprKind::Binary(one, first, q), ExprKind::Binary(other, again, r)) =
        (&mut a.kind, &mut b.kind)
    else {
        return None;
    };
    let dual = match op {
        BinaryOp::Or => BinaryOp::And,
        _ => BinaryOp::Or,
    };
    let both = *one == dual && *other == dual && same(first, again);
    let works = both && rules.effects.expr(rules.game, first).works;
    (both && !works).then(|| {
        let rest = rules.simpler(Expr::binary(op, take(q), take(r)));
        Expr::binary(dual, take(first), rest)
    })
}

/// The comparison with its constant on the right.
fn constant_last(op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Expr> {
    use BinaryOp::*;
    let turned = match op {
        Lt => Gt,
        Le => Ge,
        Gt => Lt,
        Ge => Le,
        _ => return None,
    };
    let turns = a.as_const().is_some() && b.as_const().is_none();
    turns.then(|| Expr::binary(turned, take(b), take(a)))
}

/// A choice that is compared with a constant, where one branch is a constant too: the choice of a truth value, which conditions
/// are made of.
fn compared_in_branches(
    rules: &Simplifier<'_>,
    op: BinaryOp,
    a: &mut Expr,
    b: &Expr,
) -> Option<Expr> {
    let ExprKind::If(cond, yes, no) = &mut a.kind else {
        return None;
    };
    let is_known = |branch: &Expr| branch.as_const().is_some();
    let alike = yes.ty.same_kind(&no.ty) && yes.ty.same_kind(&b.ty);
    if !alike || !is_known(b) || !(is_known(yes) || is_known(no)) {
        return None;
    }
    let compared = |branch: &mut Expr| rules.simpler(Expr::binary(op, take(branch), b.clone()));
    let (yes, no) = (compared(yes), compared(no));
    Some(Expr::select(take(cond), yes, no))
}

fn take(expr: &mut Expr) -> Expr {
    let span = expr.span;
    std::mem::replace(expr, Expr::bool(false, span))
}

/// Whether the value follows from the operands alone.
fn is_plain(kind: &ExprKind) -> bool {
    use ExprKind as E;
    matches!(
        kind,
        E::Lookup(..)
            | E::Unary(..)
            | E::Binary(..)
            | E::If(..)
            | E::Some(_)
            | E::IsSome(_)
            | E::Get(_)
            | E::OrElse(..)
            | E::Ordinal(_)
            | E::Member(..)
            | E::ToWrap(_)
            | E::ToInt(_)
            | E::Tag(_)
            | E::Untag(_)
            | E::HasTag(..)
            | E::SetOf(_)
            | E::SeqOf(_)
            | E::Size(_)
            | E::Item(..)
    )
}
