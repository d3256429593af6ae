//! Statements as they are written.

use crate::ir::{Block, Const, Count, EndReason, Expr, LocalId, Stmt, StmtKind, Type};

use super::super::terms::{Op, Term};
use super::Written;

impl<'g> Written<'_, 'g> {
    pub(super) fn block(&mut self, block: &'g [Stmt]) -> Term {
        self.chain(&block.iter().collect::<Vec<_>>())
    }

    /// Statements one after the other. What stands behind a branch that never comes there is part of the other branch.
    fn chain(&mut self, stmts: &[&'g Stmt]) -> Term {
        let mut parts = Vec::new();
        let mut left = stmts;
        while self.terms.failed.is_none() {
            let (noted, count) = self.noted(left);
            parts.extend(noted);
            left = &left[count..];
            let Some((stmt, rest)) = left.split_first() else {
                break;
            };
            left = rest;
            if let (StmtKind::If(cond, yes, no), false) = (&stmt.kind, rest.is_empty())
                && ends(yes) != ends(no)
            {
                let then = |block: &Block| if ends(block) { &[] } else { rest };
                let own = self.either(cond, &mut |me| me.inner(yes, then(yes)), &mut |me| {
                    me.inner(no, then(no))
                });
                parts.push(own);
                break;
            }
            let own = self.stmt(stmt);
            if let Some(own) = own {
                self.said_at.entry(own).or_insert(stmt.span);
            }
            parts.extend(own);
            self.forget(std::slice::from_ref(stmt));
            if leaves(stmt) {
                break;
            }
        }
        self.parts("block", parts)
    }

    /// Forgets the values of variables that some statements may write.
    pub(super) fn forget(&mut self, stmts: &[Stmt]) {
        if self.known.is_empty() && self.present.is_empty() {
            return;
        }
        let written = self.effects.block(self.game, self.types, stmts).scratch;
        self.known.retain(|var, _| !written.vars.contains(var));
        self.present.retain(|var| !written.vars.contains(var));
    }

    /// A block whose own variables nobody else knows, and what comes behind it.
    fn inner(&mut self, block: &'g Block, rest: &[&'g Stmt]) -> Term {
        for (local, times) in Written::count(block) {
            if self.places.get(&local).is_some_and(|all| *all > times) {
                self.local(local);
            }
        }
        let locals = self.locals.clone();
        let known = (self.known.clone(), self.present.clone());
        let all: Vec<&Stmt> = block.iter().chain(rest.iter().copied()).collect();
        let own = self.chain(&all);
        (self.known, self.present) = known;
        self.locals = locals;
        own
    }

    /// A block that runs again and again.
    fn repeated(&mut self, block: &'g Block) -> Term {
        self.forget(block);
        self.inner(block, &[])
    }

    pub(super) fn stmt(&mut self, stmt: &'g Stmt) -> Option<Term> {
        use StmtKind as S;
        Some(match &stmt.kind {
            S::Let(local, value) => {
                let value = self.value(value);
                let local = self.local(*local);
                self.parts("let", vec![local, value])
            }
            S::SetEnv(var, value) => {
                let parts = vec![self.number(var.index()), self.value(value)];
                self.parts("set environment", parts)
            }
            S::SetVar(var, index, value) => {
                let declared = self.game.var(*var);
                let mut parts = vec![self.terms.leaf(Op::Var(*var), declared.ty.clone())];
                for at in index.iter().chain([value]) {
                    let at = self.value(at);
                    parts.push(at);
                }
                self.parts("write", parts)
            }
            S::Put(at, a, b) => self.moved("put", at.index(), &[a, b]),
            S::Bring(at, a, b, _) => self.moved("bring", at.index(), &[a, b]),
            S::Take(at, a) => self.moved("take", at.index(), &[a]),
            S::SetContent(at, a, b) => self.moved("set content", at.index(), &[a, b]),
            S::If(cond, yes, no) => self.either(cond, &mut |me| me.inner(yes, &[]), &mut |me| {
                me.inner(no, &[])
            }),
            S::Call { func, args, into } => self.call(*func, args, *into),
            S::Return(value) => {
                let value = value.iter().map(|value| self.value(value)).collect();
                self.parts("return", value)
            }
            S::Emit(_) => return self.told(stmt),
            // An answer that is kept is no part of the state.
            S::Keep(_) => return None,
            S::End { reason, winners } => self.end(*reason, winners),
            _ => return Some(self.more(stmt)),
        })
    }

    fn more(&mut self, stmt: &'g Stmt) -> Term {
        use StmtKind as S;
        match &stmt.kind {
            S::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => {
                let (from, to) = (self.value(from), self.value(to));
                let which = self.local(*local);
                let way = match count {
                    Count::Up => 0,
                    Count::Down => 1,
                    Count::Toward => 2,
                };
                let way = self.number(way + 3 * i64::from(*charged));
                let body = self.repeated(body);
                self.parts("for", vec![which, from, to, way, body])
            }
            S::ForEach(local, over, body) => {
                let order = match self.has_no_order(*local, body) {
                    true => self.nothing(),
                    false => self.order_of(over),
                };
                let over = self.over(over);
                let which = self.local(*local);
                let body = self.repeated(body);
                self.parts("for each", vec![which, over, order, body])
            }
            S::While { cond, bound, body } => {
                self.forget(body);
                let (bound, cond) = (self.number(*bound), self.value(cond));
                let body = self.repeated(body);
                self.parts("while", vec![bound, cond, body])
            }
            S::Trial {
                body,
                keep,
                ok,
                value,
            } => self.trial(body, *keep, *ok, value.as_ref()),
            S::Break => self.parts("break", Vec::new()),
            S::Continue => self.parts("continue", Vec::new()),
            S::Fault(_) => self.parts("fault", Vec::new()),
            S::Charge => self.parts("charge", Vec::new()),
            S::TooDeep => self.parts("too deep", Vec::new()),
            S::Fail => self.parts("fail", Vec::new()),
            S::Snapshot(slot) => self.moved("snapshot", slot.index(), &[]),
            S::Restore(slot) => self.moved("restore", slot.index(), &[]),
            S::Note(trail) => self.moved("note", trail.index(), &[]),
            S::Forget(trail) => self.moved("forget", trail.index(), &[]),
            S::Stop(point) => self.moved("stop", point.index(), &[]),
            _ => self.refuse("a decision inside of a function"),
        }
    }

    fn moved(&mut self, name: &'static str, number: usize, values: &[&'g Expr]) -> Term {
        let mut parts = vec![self.number(number)];
        for value in values {
            let value = self.value(value);
            parts.push(value);
        }
        self.parts(name, parts)
    }

    fn call(&mut self, func: crate::ir::FuncId, args: &'g [Expr], into: Option<LocalId>) -> Term {
        let mut parts = vec![self.function(func)];
        for arg in args {
            let arg = self.value(arg);
            parts.push(arg);
        }
        let into = into.map(|into| self.local(into));
        parts.push(match into {
            Some(into) => into,
            None => self.nothing(),
        });
        self.parts("run", parts)
    }

    /// What listeners are told is no part of the game; what may go wrong on the way is.
    fn told(&mut self, stmt: &'g Stmt) -> Option<Term> {
        let mut values: Vec<&'g Expr> = Vec::new();
        stmt.children(&mut |expr| values.push(expr));
        let fails = |expr: &&&Expr| self.effects.expr(self.game, expr).may_fault;
        let values: Vec<&'g Expr> = values.iter().filter(fails).copied().collect();
        if values.is_empty() {
            return None;
        }
        let values = values.into_iter().map(|value| self.value(value)).collect();
        Some(self.parts("tell", values))
    }

    fn end(&mut self, reason: EndReason, winners: &'g Expr) -> Term {
        let reason = Const::Int(reason as i64);
        let parts = vec![self.terms.constant(reason, Type::INT), self.value(winners)];
        self.parts("end", parts)
    }

    fn trial(
        &mut self,
        body: &'g Block,
        keep: bool,
        ok: LocalId,
        value: Option<&'g (Expr, LocalId)>,
    ) -> Term {
        let ok = self.local(ok);
        let keep = self.number(i64::from(keep));
        // The value sees the variables of the block.
        for local in Written::count(body).into_keys() {
            self.local(local);
        }
        let known = self.known.clone();
        let mut parts = vec![ok, keep, self.block(body)];
        if let Some((value, into)) = value {
            let value = self.value(value);
            let into = self.local(*into);
            parts.extend([value, into]);
        }
        self.known = known;
        self.parts("trial", parts)
    }
}

/// Whether nothing that stands behind a statement in its block is come to.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::End { .. }
        | StmtKind::Fault(_)
        | StmtKind::Fail
        | StmtKind::TooDeep
        | StmtKind::Stop(_) => true,
        StmtKind::If(_, yes, no) => ends(yes) && ends(no),
        _ => false,
    }
}

/// Whether nothing that stands behind a block is come to.
fn ends(block: &Block) -> bool {
    block.iter().any(leaves)
}
