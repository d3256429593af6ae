//! Walking over expressions and statements: the only list of what a node has inside.
//!
//! Children come in the order of evaluation.

use super::expr::{Expr, ExprKind, Over};
use super::ids::{FuncId, LocalId};
use super::stmt::{Block, Chance, Choose, Distribution, Emit, LogPart, Stmt, StmtKind};
use super::types::Const;

/// Makes a walk over shared and one over mutable nodes from one list.
macro_rules! walks {
    ($children:ident, $each:ident, $blocks:ident $(, $mutable:tt)?) => {
        impl Over {
            /// Calls `f` on the expressions that say what is ranged over.
            pub fn $children<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Expr)) {
                match self {
                    Over::Domain(_) => {}
                    Over::Set(a) | Over::Seq(a) => f(a),
                    Over::Range(a, b) => {
                        f(a);
                        f(b);
                    }
                }
            }
        }

        impl Expr {
            /// Calls `f` on the operands.
            pub fn $children<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Expr)) {
                self.$each(f);
            }

            /// The same, for walks through everything: `f` is known where this stands.
            #[inline(always)]
            pub fn $each<'a>(&'a $($mutable)? self, mut f: impl FnMut(&'a $($mutable)? Expr)) {
                use ExprKind::*;
                match & $($mutable)? self.kind {
                    Const(_) | Local(_) | Env { .. } | EnvIsSet(_) | Listened | Seen(_) => {}
                    Var(_, list) | Lookup(_, list) | SetOf(list) | SeqOf(list) | Call(_, list)
                    | Holds(_, list) | Alike(_, list) => {
                        for item in list {
                            f(item);
                        }
                    }
                    Related(_, list) => {
                        for item in list {
                            if let Option::Some(item) = item {
                                f(item);
                            }
                        }
                    }
                    PlaceOf(_, a) | Content(_, a) | Contents(_, a) | Places(_, a) | Unary(_, a) | Some(a)
                    | IsSome(a) | Get(a) | Ordinal(a) | Member(_, a) | ToWrap(a) | ToInt(a)
                    | Tag(a) | Untag(a) | HasTag(_, a) | Size(a) => f(a),
                    Binary(_, a, b) | OrElse(a, b) | Item(a, b) => {
                        f(a);
                        f(b);
                    }
                    If(a, b, c) => {
                        f(a);
                        f(b);
                        f(c);
                    }
                    Fold { over, body, .. } => {
                        over.$children(&mut f);
                        f(body);
                    }
                    Collect { over, when, .. } | First { over, when, .. } => {
                        over.$children(&mut f);
                        f(when);
                    }
                    Walk { start, pass, .. } => {
                        f(start);
                        f(pass);
                    }
                    Closure { from, pass, .. } => {
                        f(from);
                        f(pass);
                    }
                }
            }
        }

        impl Choose {
            /// Calls `f` on the expressions that are evaluated when the decision is due.
            pub fn $children<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Expr)) {
                f(& $($mutable)? self.players);
                for arm in & $($mutable)? self.arms {
                    for given in & $($mutable)? arm.given {
                        f(given);
                    }
                }
            }

            /// Calls `f` on the bodies of the arms, then on what happens otherwise.
            pub fn $blocks<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Block)) {
                for arm in & $($mutable)? self.arms {
                    f(& $($mutable)? arm.body);
                }
                if let Some(otherwise) = & $($mutable)? self.otherwise {
                    f(otherwise);
                }
            }
        }

        impl Chance {
            /// Calls `f` on the expressions of the distribution.
            pub fn $children<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Expr)) {
                match & $($mutable)? self.dist {
                    Distribution::Uniform(a, b) => {
                        f(a);
                        f(b);
                    }
                    Distribution::Weighted { over, weight, .. } => {
                        over.$children(f);
                        f(weight);
                    }
                }
            }
        }

        impl Stmt {
            /// Calls `f` on the expressions of the statement, not on those of its blocks.
            pub fn $children<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Expr)) {
                use StmtKind as S;
                match & $($mutable)? self.kind {
                    S::Let(_, a) | S::SetEnv(_, a) | S::Take(_, a) | S::Keep(a) => f(a),
                    S::SetVar(_, index, a) => {
                        for item in index {
                            f(item);
                        }
                        f(a);
                    }
                    S::Put(_, a, b) | S::Bring(_, a, b, _) | S::SetContent(_, a, b) => {
                        f(a);
                        f(b);
                    }
                    S::If(a, _, _) | S::While { cond: a, .. } | S::End { winners: a, .. } => f(a),
                    S::For { from, to, .. } => {
                        f(from);
                        f(to);
                    }
                    S::ForEach(_, over, _) => over.$children(f),
                    S::Call { args, .. } | S::Emit(Emit::Signal(_, args)) => {
                        for arg in args {
                            f(arg);
                        }
                    }
                    S::Return(value) | S::Emit(Emit::Count(_, value)) => {
                        if let Some(value) = value {
                            f(value);
                        }
                    }
                    S::Emit(Emit::Log(parts)) => {
                        for part in parts {
                            if let LogPart::Value(value) = part {
                                f(value);
                            }
                        }
                    }
                    S::Trial { value, .. } => {
                        if let Some((value, _)) = value {
                            f(value);
                        }
                    }
                    S::Choose(choose) => choose.$children(f),
                    S::Chance(chance) => chance.$children(f),
                    S::Break | S::Continue | S::Fault(_) | S::Charge | S::TooDeep | S::Fail | S::Snapshot(_) | S::Restore(_) | S::Note(_)
                    | S::Forget(_) | S::Stop(_) => {}
                }
            }

            /// Calls `f` on the blocks of the statement.
            pub fn $blocks<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Block)) {
                use StmtKind as S;
                match & $($mutable)? self.kind {
                    S::If(_, yes, no) => {
                        f(yes);
                        f(no);
                    }
                    S::For { body, .. } | S::ForEach(_, _, body) | S::While { body, .. }
                    | S::Trial { body, .. } => f(body),
                    S::Choose(choose) => choose.$blocks(f),
                    _ => {}
                }
            }
        }
    };
}

walks!(children, each_child, blocks);
walks!(children_mut, each_child_mut, blocks_mut, mut);

impl Expr {
    /// Calls `f` on the expression and everything in it, outermost first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.each_child(|child| match child.kind {
            // Half of all expressions.
            ExprKind::Const(_) | ExprKind::Local(_) => f(child),
            _ => child.walk(f),
        });
    }
}

impl Stmt {
    /// Calls `f` on the statement and every statement in its blocks, outermost first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        f(self);
        self.blocks(&mut |block| walk_block(block, f));
    }
}

/// The number of statements and expressions of a block, at any depth.
pub fn nodes(block: &[Stmt]) -> usize {
    let mut nodes = 0;
    walk_exprs(block, &mut |_| nodes += 1);
    walk_block(block, &mut |_| nodes += 1);
    nodes
}

/// The number of expressions that an expression is made of, itself included.
pub fn expr_nodes(expr: &Expr) -> usize {
    let mut nodes = 0;
    expr.walk(&mut |_| nodes += 1);
    nodes
}

/// Whether a block only answers with no.
pub fn only_denies(block: &[Stmt]) -> bool {
    only_gives(block, false)
}

/// Whether a block only gives this truth.
pub fn only_gives(block: &[Stmt], truth: bool) -> bool {
    matches!(block, [stmt] if matches!(&stmt.kind,
        StmtKind::Return(Some(value)) if value.as_const() == Some(&Const::Bool(truth))))
}

/// Calls `f` on every statement of a block, at any depth.
pub fn walk_block<'a>(block: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        stmt.walk(f);
    }
}

/// Whether a loop over numbers stands in a block, at any depth.
pub fn has_counting_loop(block: &[Stmt]) -> bool {
    let mut found = false;
    walk_block(block, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::For { .. });
    });
    found
}

/// Whether a statement of a block, at any depth, calls a function.
pub fn calls(block: &[Stmt], func: FuncId) -> bool {
    let mut found = false;
    walk_block(block, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Call { func: called, .. } if called == func);
    });
    found
}

/// Calls `f` on every expression of a block, at any depth.
pub fn walk_exprs<'a>(block: &'a [Stmt], f: &mut dyn FnMut(&'a Expr)) {
    for stmt in block {
        stmt.children(&mut |expr| expr.walk(f));
        stmt.blocks(&mut |block| walk_exprs(block, f));
    }
}

/// The local variable that an expression binds.
pub fn bound_in(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Fold { local, .. }
        | ExprKind::Collect { local, .. }
        | ExprKind::First { local, .. }
        | ExprKind::Walk { local, .. }
        | ExprKind::Closure { local, .. } => Some(*local),
        _ => None,
    }
}

/// The local variables that an expression names and does not bind itself, each once.
pub fn free_locals(expr: &Expr) -> Vec<LocalId> {
    let mut locals = Vec::new();
    add_locals(expr, &mut Vec::new(), &mut locals);
    locals
}

/// Adds the variables of an expression but those that it binds itself.
fn add_locals(expr: &Expr, bound: &mut Vec<LocalId>, locals: &mut Vec<LocalId>) {
    if let ExprKind::Local(local) = &expr.kind
        && !bound.contains(local)
        && !locals.contains(local)
    {
        locals.push(*local);
    }
    let outside = bound.len();
    bound.extend(bound_in(expr));
    expr.children(&mut |child| add_locals(child, bound, locals));
    bound.truncate(outside);
}
