//! Values of local variables carried forward through a function.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::{Block, Choose, Expr, ExprKind, Local, LocalId, Stmt, StmtKind, Type, UnaryOp};

use crate::opt::locals::{each_assigned, replace_reads};

/// Nodes that an expression may have which is computed for each member.
const NODES: usize = 24;

/// What parameters can be, where that is known and nothing assigns them.
pub(super) type Params = SortedMap<LocalId, SortedSet<u32>>;

/// What local variables are known to be: constants, other variables, or look-ups by one member.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Known(SortedMap<LocalId, Expr>);

impl Known {
    /// The expression with everything known put in.
    pub(super) fn resolved(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        replace_reads(&mut expr, &|local| self.0.get(&local).cloned());
        expr
    }

    /// Puts in what is as short as a variable: constants and other variables.
    fn put_plain(&self, expr: &mut Expr) {
        replace_reads(expr, &|local| {
            self.0
                .get(&local)
                .filter(|value| matches!(value.kind, ExprKind::Const(_) | ExprKind::Local(_)))
                .cloned()
        });
    }

    /// Forgets a variable that gets a new value, and what was known by it.
    fn forget(&mut self, local: LocalId) {
        self.0.remove(&local);
        self.0.retain(|_, value| !reads(value, local));
    }

    fn meet(mut self, other: &Known) -> Known {
        self.0
            .retain(|local, value| other.0.get(local) == Some(value));
        self
    }
}

/// The only local variable of an expression of constants and look-ups, if it is a member of a domain.
pub(super) fn member(expr: &Expr, locals: &[Local]) -> Option<LocalId> {
    let mut found = None;
    let mut nodes = 0;
    let mut plain = true;
    expr.walk(&mut |expr| {
        nodes += 1;
        match &expr.kind {
            ExprKind::Local(local) => {
                plain &= found.is_none_or(|other| other == *local);
                found = Some(*local);
            }
            ExprKind::Const(_)
            | ExprKind::Lookup(..)
            | ExprKind::Binary(..)
            | ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg | UnaryOp::Abs, _)
            | ExprKind::If(..)
            | ExprKind::Some(_)
            | ExprKind::IsSome(_)
            | ExprKind::Get(_)
            | ExprKind::OrElse(..)
            | ExprKind::Ordinal(_)
            | ExprKind::Member(..)
            | ExprKind::ToWrap(_)
            | ExprKind::ToInt(_) => {}
            _ => plain = false,
        }
    });
    let local = found.filter(|_| plain && nodes <= NODES)?;
    let is_member = locals
        .get(local.index())
        .is_some_and(|local| matches!(local.ty, Type::Elem(_)));
    is_member.then_some(local)
}

fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= expr.kind == ExprKind::Local(local));
    found
}

/// Nothing where control never comes.
type Flow = Option<Known>;

/// What is done on the way.
pub(super) trait Visit {
    /// Looks at an expression of a statement, with what is known there.
    fn expr(&mut self, expr: &mut Expr, known: &Known);
    /// Looks at a statement that is a call.
    fn call(&mut self, stmt: &mut Stmt, known: &Known);
    /// Whether an expression never faults.
    fn is_sure(&self, expr: &Expr) -> bool;
}

/// Walks through a function in the order of control: puts constants and copies in the place of variables, and calls the
/// visitor on what is left.
pub(super) struct Forward<'a, V> {
    pub(super) locals: &'a [Local],
    pub(super) visitor: V,
}

impl<V: Visit> Forward<'_, V> {
    pub(super) fn function(&mut self, body: &mut Block) {
        self.block(body, Some(Known::default()));
    }

    fn block(&mut self, block: &mut Block, flow: Flow) -> Flow {
        let mut flow = flow;
        for stmt in block {
            flow = match flow {
                Some(known) => self.stmt(stmt, known),
                None => None,
            };
        }
        flow
    }

    fn stmt(&mut self, stmt: &mut Stmt, mut known: Known) -> Flow {
        if let StmtKind::While { .. } | StmtKind::Trial { .. } = stmt.kind {
            return self.repeated(stmt, known);
        }
        stmt.children_mut(&mut |expr| {
            known.put_plain(expr);
            self.visitor.expr(expr, &known);
        });
        match &mut stmt.kind {
            StmtKind::Let(local, value) => {
                let (local, value) = (*local, value.clone());
                self.assign(&mut known, local, &value);
                return Some(known);
            }
            StmtKind::If(_, yes, no) => {
                let yes = self.block(yes, Some(known.clone()));
                let no = self.block(no, Some(known));
                return match (yes, no) {
                    (Some(yes), Some(no)) => Some(yes.meet(&no)),
                    (yes, no) => yes.or(no),
                };
            }
            StmtKind::For { .. } | StmtKind::ForEach(..) => {
                return self.repeated(stmt, known);
            }
            StmtKind::Choose(Choose { .. }) | StmtKind::Chance(_) => return None,
            StmtKind::Call { .. } => self.visitor.call(stmt, &known),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Fault(_)
            | StmtKind::TooDeep
            | StmtKind::End { .. }
            | StmtKind::Fail
            | StmtKind::Stop(_) => return None,
            _ => {}
        }
        each_assigned(stmt, &mut |local| known.forget(local));
        Some(known)
    }

    /// A statement whose block may run any number of times: what it assigns is not known in it nor after it.
    fn repeated(&mut self, stmt: &mut Stmt, mut known: Known) -> Flow {
        let mut assigned = SortedSet::new();
        stmt.walk(&mut |inner| {
            each_assigned(inner, &mut |local| {
                assigned.insert(local);
            });
        });
        assigned.into_iter().for_each(|local| known.forget(local));
        if let StmtKind::While { .. } = stmt.kind {
            stmt.children_mut(&mut |expr| {
                known.put_plain(expr);
                self.visitor.expr(expr, &known);
            });
        }
        stmt.blocks_mut(&mut |block| {
            self.block(block, Some(known.clone()));
        });
        Some(known)
    }

    fn assign(&mut self, known: &mut Known, local: LocalId, value: &Expr) {
        let ty = &self.locals[local.index()].ty;
        let mut value = known.resolved(value);
        known.forget(local);
        match &value.kind {
            ExprKind::Const(_) if ty.contains(&value.ty) => value.ty = ty.clone(),
            _ if value.ty != *ty || reads(&value, local) => return,
            ExprKind::Local(_) => {}
            _ if member(&value, self.locals).is_some() && self.visitor.is_sure(&value) => {}
            _ => return,
        }
        known.0.insert(local, value);
    }
}
