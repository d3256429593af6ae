//! Statements.

use super::expr::{Ty, Val, changed};
use super::{Low, Lower, Mode, arith, compare, int, select};
use crate::ast::{self, Decl, ExprKind, StmtKind as S, Who};
use crate::check::Dest;
use crate::codes;
use crate::ir::{BinaryOp, Const, Emit, Expr, LogPart, Stmt, StmtKind, Type};
use crate::scopes::{Known, MAX_SCOPES, Refused};
use crate::source::Span;
use crate::world::Cost;

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// The setup: there is no token on the board and no turn to take back.
    Setup,
    /// A field.
    Field,
}

impl Lower<'_> {
    pub(super) fn statements(&mut self, code: &[ast::Stmt], run: Run) {
        for stmt in code {
            if self.shape.is_none() {
                // What cannot be reached is checked all the same.
                self.unreachable(stmt, run);
                continue;
            }
            self.line = stmt.line;
            self.span = stmt.span;
            self.count_line(stmt);
            // A mistake was told; what follows is looked at nevertheless.
            let _: Low<()> = self.statement(stmt, run);
        }
    }

    /// Lowers a statement for its diagnostics only.
    fn unreachable(&mut self, stmt: &ast::Stmt, run: Run) {
        let certain = std::mem::replace(&mut self.certain, false);
        let slots = self.scopes.slots.len();
        self.shape = Some(crate::scopes::Shape::initial(slots));
        self.blocks.push(Vec::new());
        let pending = self.pending;
        let _: Low<()> = self.statement(stmt, run);
        self.pending = pending;
        self.blocks.pop();
        self.shape = None;
        self.certain = certain;
    }

    fn statement(&mut self, stmt: &ast::Stmt, run: Run) -> Low<()> {
        let span = stmt.span;
        match &stmt.kind {
            S::Decl(decl) => self.declare(decl),
            S::Expr(expr) => {
                self.value(expr)?;
                Ok(())
            }
            S::If(cond, yes, no) => self.if_else(cond, yes, no.as_deref(), run),
            S::Force => Ok(()),
            S::ControlGoto(target) => {
                self.control(&[*target], None, run, span);
                Ok(())
            }
            S::ControlIf(cond, yes, no) => {
                let cond = self.discarded(cond, "a condition is a truth value")?;
                self.control(&[*yes, *no], Some(cond), run, span);
                Ok(())
            }
            S::Goto(target) => {
                self.cost(Cost::Goto);
                self.jump(*target, run);
                Ok(())
            }
            S::GameStart(None) => Ok(()),
            S::GameStart(Some(cond)) => {
                self.bool_of(cond, "the condition is a truth value")?;
                Ok(())
            }
            S::GameEnd => {
                if run == Run::Field {
                    self.push(Stmt::assign(self.ids.won, Expr::bool(true, span)));
                }
                Ok(())
            }
            S::Move(steps) => {
                let steps = self.int_of(steps, "the number of steps is an integer")?;
                let left = self.get(self.ids.left, span);
                let sum = arith(BinaryOp::Add, left, steps);
                self.push(Stmt::assign(self.ids.left, sum).at(span));
                Ok(())
            }
            S::Rollback => {
                self.rollback(run, span);
                Ok(())
            }
            S::Sleep(who, rounds) => self.sleep(*who, rounds, span),
            S::Log(value) => self.log(value, span),
            S::BeginScope => self.begin_scope(span),
            S::EndScope => self.end_scope(span),
            S::LimitScope => {
                if let Some(limited) = self.ids.limited {
                    let at = self.scope_at(self.top(span), span);
                    self.push(Stmt::set_var(limited, at, Expr::bool(true, span)));
                }
                if let Some(shape) = &mut self.shape {
                    shape.limit();
                }
                Ok(())
            }
            S::Return(value) => self.give(value, span),
        }
    }

    fn if_else(
        &mut self,
        cond: &ast::Expr,
        yes: &[ast::Stmt],
        no: Option<&[ast::Stmt]>,
        run: Run,
    ) -> Low<()> {
        let cond = match self.bool_of(cond, "the condition of an `if` is a truth value") {
            Ok(cond) => cond,
            Err(dead) => {
                for code in [yes, no.unwrap_or_default()] {
                    for stmt in code {
                        self.unreachable(stmt, run);
                    }
                    self.shape = Some(crate::scopes::Shape::initial(self.scopes.slots.len()));
                }
                return Err(dead);
            }
        };
        let certain = std::mem::replace(&mut self.certain, false);
        let before = self.shape.clone();
        self.tell_time();
        let yes = self.block(|this| this.statements(yes, run));
        let after_yes = std::mem::replace(&mut self.shape, before);
        let no = self.block(|this| this.statements(no.unwrap_or_default(), run));
        self.shape = match (after_yes, self.shape.take()) {
            (Some(a), Some(b)) => Some(a.join(&b)),
            (a, b) => a.or(b),
        };
        self.certain = certain;
        self.push(Stmt::branch(cond, yes, no));
        Ok(())
    }

    /// Evaluates a truth value and takes back what it changed; its time and draws stay.
    pub(super) fn discarded(&mut self, expr: &ast::Expr, why: &str) -> Low<Expr> {
        let names = changed(expr);
        if names.is_empty() {
            return self.bool_of(expr, why);
        }
        let cells = self.cells_of(&names);
        let old = self.keep_cells(&cells, expr.span);
        let value = self.bool_of(expr, why)?;
        let value = self.settle(Val::new(Ty::Bool, value)).expr;
        self.put_cells(&cells, &old, expr.span);
        Ok(value)
    }

    fn log(&mut self, expr: &ast::Expr, span: Span) -> Low<()> {
        self.tell_time();
        let names = changed(expr);
        let cells = self.cells_of(&names);
        let old = self.keep_cells(&cells, span);
        let value = self.free(expr)?;
        let part = match (value.ty, value.is_bool.clone()) {
            (Ty::Dyn, Some(is_bool)) => {
                let value = self.settle(value);
                let truth = compare(BinaryOp::Ne, value.expr.clone(), int(0, span));
                self.branch(
                    is_bool,
                    |this| this.say(truth, span),
                    |this| this.say(value.expr, span),
                );
                None
            }
            _ => Some(value.expr),
        };
        if let Some(value) = part {
            self.say(value, span);
        }
        self.put_cells(&cells, &old, span);
        Ok(())
    }

    fn say(&mut self, value: Expr, span: Span) {
        let parts = vec![LogPart::Value(value)];
        self.emit(StmtKind::Emit(Emit::Log(parts)), span);
    }

    /// Evaluates without any time.
    fn free(&mut self, expr: &ast::Expr) -> Low<Val> {
        let span = expr.span;
        let before = self.pending;
        let start = self.var(self.ids.time, vec![], span);
        let mut nested = false;
        expr.each(&mut |inner| nested |= matches!(inner.kind, ExprKind::Ternary(..)));
        let start = match nested {
            true => Some(self.keep("time", start)),
            false => None,
        };
        let value = self.value(expr)?;
        let value = self.settle(value);
        self.pending = before;
        if let Some(start) = start {
            self.push(Stmt::set_var(self.ids.time, vec![], start));
        }
        Ok(value)
    }

    /// Whether somebody wins by the `endCondition` now: nothing that it does stays, not even time.
    pub(super) fn end_condition_holds(&mut self) -> Option<Expr> {
        let cond = self.end_condition.clone()?;
        self.tell_time();
        let site = std::mem::replace(&mut self.site, "the endCondition".to_owned());
        let (line, shape) = (self.line, self.shape.clone());
        let certain = std::mem::replace(&mut self.certain, true);
        self.line = 1;
        self.shape = Some(crate::scopes::Shape::initial(self.scopes.slots.len()));
        let names = changed(&cond);
        let cells = self.cells_of(&names);
        let old = self.keep_cells(&cells, cond.span);
        let held = self
            .free(&cond)
            .and_then(|value| self.as_bool(value, "an endCondition is a truth value", cond.span));
        self.put_cells(&cells, &old, cond.span);
        self.site = site;
        self.line = line;
        self.shape = shape;
        self.certain = certain;
        held.ok()
    }

    fn declare(&mut self, decl: &Decl) -> Low<()> {
        let span = decl.name_span;
        let value = self.value(&decl.init)?;
        self.cost(Cost::Declare);
        let is = |slot: &crate::scopes::Slot| slot.name == decl.name && slot.limit == decl.limit;
        let slot = self.scopes.slots.iter().position(is);
        debug_assert!(slot.is_some(), "`{}` has a slot", decl.name);
        let slot = slot.unwrap_or(0);
        let value = match decl.limit {
            Some(_) => {
                let why = format!("`{}` is an integer", decl.name);
                let value = self.as_int(value, &why, decl.init.span)?;
                self.settle(Val::new(Ty::Int, value))
            }
            None => {
                let why = format!("`{}` is a truth value", decl.name);
                let value = self.as_bool(value, &why, decl.init.span)?;
                self.settle(Val::new(Ty::Bool, value))
            }
        };
        let level = self.top(span);
        self.not_twice(decl, &level)?;
        let cell = super::expr::Cell::Local {
            slot,
            level: level.clone(),
        };
        self.store_in(&cell, value, span)?;
        if let Some(present) = self.ids.present[slot] {
            let at = self.scope_at(level, span);
            self.push(Stmt::set_var(present, at, Expr::bool(true, span)));
        }
        let slots = self.scopes.slots.clone();
        if let Some(shape) = &mut self.shape {
            // A second declaration was told above.
            let _ = shape.declare(&slots, slot);
        }
        Ok(())
    }

    /// A name is declared once in a scope.
    fn not_twice(&mut self, decl: &Decl, level: &Expr) -> Low<()> {
        let span = decl.name_span;
        let message = format!("`{}` exists already in this scope", decl.name);
        let slots: Vec<usize> = (0..self.scopes.slots.len())
            .filter(|slot| self.scopes.slots[*slot].name == decl.name)
            .collect();
        let frames = self.shape.as_ref().and_then(|shape| shape.frames.as_ref());
        let known: Vec<Known> = match frames.and_then(|frames| frames.last()) {
            Some(top) => slots.iter().map(|slot| top.slots[*slot]).collect(),
            None => vec![Known::Maybe; slots.len()],
        };
        if known.contains(&Known::Yes) {
            return Err(self.mistake(&codes::REDECLARED, "redeclared", message, span));
        }
        let mut told = false;
        for (slot, known) in slots.into_iter().zip(known) {
            if known != Known::Maybe {
                continue;
            }
            if let Some(present) = self.present(slot, level.clone(), span) {
                if !told && self.mode == Mode::Game {
                    self.may_fail(
                        &format!("`{}` may exist already when this runs again", decl.name),
                        span,
                    );
                    told = true;
                }
                self.check(present.not(), "redeclared", &message, span);
            }
        }
        Ok(())
    }

    fn begin_scope(&mut self, span: Span) -> Low<()> {
        let slots = self.scopes.slots.len();
        let begun = self.shape.as_mut().map(|shape| shape.begin(slots));
        if begun == Some(Err(Refused::TooMany)) {
            let message = format!("more than {MAX_SCOPES} scopes are open");
            self.fault("too_many_scopes", &message, span);
            self.shape = None;
            return Ok(());
        }
        if let Some(depth) = self.ids.depth {
            let me = self.me(span);
            let old = self.var(depth, vec![me.clone()], span);
            let fine = compare(BinaryOp::Lt, old.clone(), int(MAX_SCOPES as i64 - 1, span));
            let message = format!("more than {MAX_SCOPES} scopes are open");
            self.check(fine, "too_many_scopes", &message, span);
            let sum = arith(BinaryOp::Add, old, int(1, span));
            let most = arith(BinaryOp::Min, sum, int(MAX_SCOPES as i64 - 1, span));
            self.push(Stmt::set_var(depth, vec![me], most));
        }
        Ok(())
    }

    fn end_scope(&mut self, span: Span) -> Low<()> {
        let level = self.top(span);
        let level = self.settle(Val::new(Ty::Int, level)).expr;
        let frames = self.shape.as_ref().and_then(|shape| shape.frames.clone());
        let message = "there is no scope to end";
        if frames.as_ref().is_some_and(|frames| frames.len() == 1) {
            return Err(self.mistake(
                &codes::NO_SCOPE,
                "end_scope_without_begin",
                message.to_owned(),
                span,
            ));
        }
        if frames.is_none() {
            let fine = compare(BinaryOp::Gt, level.clone(), int(0, span));
            if self.mode == Mode::Game {
                self.may_fail("the first scope may be the only one here", span);
            }
            self.check(fine, "end_scope_without_begin", message, span);
        }
        // What nobody can see any more must not tell positions apart.
        let top = frames.as_ref().and_then(|frames| frames.last());
        for slot in 0..self.scopes.slots.len() {
            if top.is_some_and(|top| top.slots[slot] == Known::No) {
                continue;
            }
            let zero = match self.scopes.slots[slot].limit {
                Some(_) => int(0, span),
                None => Expr::bool(false, span),
            };
            let at = || self.scope_at(level.clone(), span);
            let value = Stmt::set_var(self.ids.values[slot], at(), zero);
            let mark = self.ids.present[slot]
                .map(|present| Stmt::set_var(present, at(), Expr::bool(false, span)));
            self.push(value);
            if let Some(mark) = mark {
                self.push(mark);
            }
        }
        if let Some(limited) = self.ids.limited {
            let at = self.scope_at(level.clone(), span);
            self.push(Stmt::set_var(limited, at, Expr::bool(false, span)));
        }
        if let Some(depth) = self.ids.depth {
            let least = arith(BinaryOp::Max, level, int(1, span));
            let below = arith(BinaryOp::Sub, least, int(1, span));
            self.push(Stmt::set_var(depth, vec![self.me(span)], below));
        }
        if let Some(shape) = &mut self.shape {
            let _ = shape.end();
        }
        Ok(())
    }

    fn give(&mut self, expr: &ast::Expr, span: Span) -> Low<()> {
        let value = self.value(expr)?;
        self.cost(Cost::SetVar);
        let Some(result) = self.ids.result.clone() else {
            return Ok(());
        };
        let value = value.to_dynamic();
        let kind = match &value.is_bool {
            Some(is_bool) => select(is_bool.clone(), int(2, span), int(1, span)),
            None => int(1, span),
        };
        let me = self.me(span);
        let value = self.settle(value);
        self.push(Stmt::set_var(result.kind, vec![me.clone()], kind));
        self.push(Stmt::set_var(result.value, vec![me], value.expr));
        Ok(())
    }

    fn sleep(&mut self, who: Who, rounds: &ast::Expr, span: Span) -> Low<()> {
        let value = self.int_of(rounds, "the number of rounds is an integer")?;
        let value = self.settle(Val::new(Ty::Int, value)).expr;
        if let Some(suspended) = self.ids.suspended {
            let at = vec![self.player(who, span)];
            let old = self.var(suspended, at.clone(), span);
            let more = arith(BinaryOp::Add, old, value.clone());
            let new = match super::range_of(&value) {
                (lo, _) if lo >= 0 => more,
                (_, hi) if hi < 0 => int(0, span),
                _ => {
                    let fine = compare(BinaryOp::Ge, value, int(0, span));
                    select(fine, more, int(0, span))
                }
            };
            self.push(Stmt::set_var(suspended, at, new).at(span));
        }
        if who == Who::Current {
            self.let_int(self.ids.left, 0, span);
        }
        Ok(())
    }

    fn rollback(&mut self, run: Run, span: Span) {
        if run == Run::Setup {
            return;
        }
        self.cost(Cost::Rollback);
        self.tell_time();
        self.restore(span);
        self.let_int(self.ids.left, 0, span);
        self.push(Stmt::assign(self.ids.rolled_back, Expr::bool(true, span)));
        self.push(Stmt::assign(self.ids.won, Expr::bool(false, span)));
        self.count(self.ids.counters.rollbacks, None, span);
        // The rest of the field is skipped: the loop around its commands is left.
        self.emit(StmtKind::Break, span);
        self.shape = None;
    }

    /// A jump of the token, which uses up nothing.
    fn jump(&mut self, target: ast::Target, run: Run) {
        let span = target.span;
        match (self.mode, run) {
            (Mode::Program, _) => self.set_raw(target.id, span),
            (Mode::Game, Run::Setup) => {}
            (Mode::Game, Run::Field) => {
                let tile = self.board.places[self.ids.field].tile;
                let place = crate::check::find_place(&self.board.places, tile, target.id);
                if let Some(place) = place {
                    self.stand_on(place, span);
                }
            }
        }
    }

    /// Remembers a number that a program without a board goes to.
    fn set_raw(&mut self, id: i64, span: Span) {
        if let Some(raw) = self.ids.raw_field {
            let me = self.me(span);
            self.push(Stmt::set_var(raw, vec![me], int(id, span)));
        }
    }

    /// A control statement that is run like any other: a step at once.
    fn control(&mut self, targets: &[ast::Target], cond: Option<Expr>, run: Run, span: Span) {
        self.cost(Cost::Goto);
        let left = self.get(self.ids.left, span);
        let less = arith(BinaryOp::Sub, left, int(1, span));
        self.push(Stmt::assign(self.ids.left, less).at(span));
        if self.mode == Mode::Program {
            let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
            let value = match (cond, &ids[..]) {
                (Some(cond), [yes, no]) => select(cond, int(*yes, span), int(*no, span)),
                _ => int(ids[0], span),
            };
            if let Some(raw) = self.ids.raw_field {
                let me = self.me(span);
                self.push(Stmt::set_var(raw, vec![me], value));
            }
            return;
        }
        if run == Run::Setup {
            return;
        }
        self.remember(span);
        let tile = self.board.places[self.ids.field].tile;
        let go = |this: &mut Self, target: &ast::Target| {
            let places = &this.board.places;
            let found = crate::check::find_place(places, tile, target.id);
            let dest = match found {
                Some(place) if places[place].field.is_some() => Dest::Place(place),
                _ => crate::check::cross(this.world, places, tile, target.id),
            };
            match dest {
                Dest::Place(place) => this.stand_on(place, target.span),
                Dest::Nowhere(code, message) => this.fault(code, &message, target.span),
            }
        };
        match (cond, targets) {
            (Some(cond), [yes, no]) => {
                self.branch(cond, |this| go(this, yes), |this| go(this, no));
            }
            _ => go(self, &targets[0]),
        }
    }

    /// The token of the current player stands on a place now.
    pub(super) fn stand_on(&mut self, place: usize, span: Span) {
        let place = Expr::elem(self.ids.place, place as u32, span);
        self.push(Stmt::assign(self.ids.here, place.clone()));
        self.count(self.ids.counters.jumps, Some(place), span);
        self.put_token(span);
    }

    /// Counts that a line was run.
    fn count_line(&mut self, stmt: &ast::Stmt) {
        if let Some(line) = self.ids.lines.get(&(stmt.span.start, stmt.span.end)) {
            let member = Expr::constant(Const::Elem(*line), Type::Elem(self.ids.line), stmt.span);
            self.count(self.ids.counters.lines, Some(member), stmt.span);
        }
    }
}

trait At {
    fn at(self, span: Span) -> Self;
}

impl At for Stmt {
    /// The same statement with another place in the rules.
    fn at(mut self, span: Span) -> Stmt {
        self.span = span;
        self
    }
}
