//! What names mean.
//!
//! A bare name is a local variable in the innermost scope that has it, up to one that hides those outside; else a variable of
//! the current player; else a global one. Where the scopes are known that is settled here. Where only their number is
//! known, marks tell whether a variable exists. Where nothing is known, a function looks through the scopes.

use super::expr::{Cell, Ty, Val};
use super::{Low, Lower, arith, compare, int, select};
use crate::ast::{Name, Who};
use crate::codes;
use crate::ir::{BinaryOp, Const, Count, Expr, FuncId, Stmt, StmtKind, Type, UnaryOp, VarId};
use crate::scopes::{Known, MAX_SCOPES};
use crate::source::Span;

/// A meaning of a name, if a condition holds.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    cond: Option<Expr>,
    pub(super) cell: Cell,
}

impl Lower<'_> {
    /// The player at `who`.
    pub(super) fn player(&self, who: Who, span: Span) -> Expr {
        if let Some(seat) = self.seat {
            let seat = self.seat_of(who, seat);
            return Expr::elem(self.player_domain(), seat as u32, span);
        }
        let table = match who {
            Who::Current => return self.me(span),
            Who::Next => self.ids.next,
            Who::Previous => self.ids.previous,
        };
        Expr::lookup(&self.b.game, table, vec![self.me(span)], span)
    }

    fn seat_of(&self, who: Who, seat: usize) -> usize {
        match who {
            Who::Current => seat,
            Who::Next => (seat + 1) % self.players,
            Who::Previous => (seat + self.players - 1) % self.players,
        }
    }

    /// The number of a player variable, if it exists for that player now.
    fn player_var(&self, name: &str, who: Who) -> Option<usize> {
        let index = self.vars.iter().position(|var| var.name == name)?;
        let Some(seat) = self.seat else {
            return Some(index);
        };
        let of = self.seat_of(who, seat);
        (of < seat || (of == seat && index < self.ids.declared)).then_some(index)
    }

    /// The variable and its indexes.
    pub(super) fn cell_var(&self, cell: &Cell, span: Span) -> (VarId, Vec<Expr>) {
        match cell {
            Cell::Global(index) => (self.globals[*index].var, vec![]),
            Cell::Player(index, who) => (self.vars[*index].var, vec![self.player(*who, span)]),
            Cell::Local { slot, level } => {
                (self.ids.values[*slot], self.scope_at(level.clone(), span))
            }
        }
    }

    /// Greatest value of an integer cell; nothing for a truth value.
    pub(super) fn cell_limit(&self, cell: &Cell) -> Option<i64> {
        match cell {
            Cell::Global(index) => self.globals[*index].limit,
            Cell::Player(index, _) => self.vars[*index].limit,
            Cell::Local { slot, .. } => self.scopes.slots[*slot].limit,
        }
    }

    pub(super) fn cell_read(&self, cell: &Cell, span: Span) -> Expr {
        let (var, index) = self.cell_var(cell, span);
        self.var(var, index, span)
    }

    /// All that a name may mean here, the first that holds counts; the last has no condition unless the name may mean
    /// nothing.
    pub(super) fn candidates(&mut self, name: &Name) -> Vec<Candidate> {
        let mut all = Vec::new();
        let certain = |cell: Cell| Candidate { cond: None, cell };
        if let Some(who) = name.of {
            let found = self.player_var(&name.name, who);
            return found
                .map(|index| certain(Cell::Player(index, who)))
                .into_iter()
                .collect();
        }
        if self.locals_of(name, &mut all) {
            return all;
        }
        if let Some(index) = self.player_var(&name.name, Who::Current) {
            all.push(certain(Cell::Player(index, Who::Current)));
        } else if let Some(index) = self.globals.iter().position(|var| var.name == name.name) {
            all.push(certain(Cell::Global(index)));
        }
        all
    }

    /// The local variables of a name; true if one of them exists for certain.
    fn locals_of(&mut self, name: &Name, all: &mut Vec<Candidate>) -> bool {
        let slots: Vec<usize> = (0..self.scopes.slots.len())
            .filter(|slot| self.scopes.slots[*slot].name == name.name)
            .collect();
        let span = name.span;
        if slots.is_empty() || self.seat.is_some() {
            return false;
        }
        let Some(frames) = self.shape.as_ref().map(|shape| shape.frames.clone()) else {
            return false;
        };
        let Some(frames) = frames else {
            self.searched(&name.name, &slots, span, all);
            return false;
        };
        let mut hidden: Option<Expr> = None;
        for (level, frame) in frames.iter().enumerate().rev() {
            let at = int(level as i64, span);
            for &slot in &slots {
                let exists = match frame.slots[slot] {
                    Known::No => continue,
                    Known::Yes => None,
                    Known::Maybe => self.present(slot, at.clone(), span),
                };
                let cond = match (exists, hidden.clone()) {
                    (Some(a), Some(b)) => Some(b.not().and(a)),
                    (Some(a), None) => Some(a),
                    (None, hidden) => hidden.map(Expr::not),
                };
                let certain = cond.is_none();
                all.push(Candidate {
                    cond,
                    cell: Cell::Local {
                        slot,
                        level: at.clone(),
                    },
                });
                if certain {
                    return true;
                }
            }
            match frame.limited {
                Known::No => {}
                Known::Yes => return false,
                Known::Maybe => {
                    if let Some(limited) = self.limited(at, span) {
                        hidden = Some(match hidden {
                            Some(hidden) => hidden.or(limited),
                            None => limited,
                        });
                    }
                }
            }
        }
        false
    }

    /// Looks for a name through scopes of which nothing is known.
    fn searched(&mut self, name: &str, slots: &[usize], span: Span, all: &mut Vec<Candidate>) {
        let finder = match self.finders.get(name) {
            Some(finder) => *finder,
            None => {
                let finder = self.finder(name, slots);
                self.finders.insert(name.to_owned(), finder);
                finder
            }
        };
        let kinds = slots.len() as i64;
        let call = Expr::call(&self.b.game, finder, vec![], span);
        let found = self.keep("found", call);
        let some = compare(BinaryOp::Ge, found.clone(), int(0, span));
        let at = arith(BinaryOp::Max, found.clone(), int(0, span));
        let level = arith(BinaryOp::Div, at.clone(), int(kinds, span));
        let kind = arith(BinaryOp::Rem, at, int(kinds, span));
        for (number, &slot) in slots.iter().enumerate() {
            let this = match kinds {
                1 => some.clone(),
                _ => some
                    .clone()
                    .and(kind.clone().equals(int(number as i64, span))),
            };
            all.push(Candidate {
                cond: Some(this),
                cell: Cell::Local {
                    slot,
                    level: level.clone(),
                },
            });
        }
    }

    /// A function that gives the innermost scope with a name: its level times the number of kinds plus the kind, or -1.
    fn finder(&mut self, name: &str, slots: &[usize]) -> FuncId {
        let span = self.span;
        let kinds = slots.len() as i64;
        let last = MAX_SCOPES as i64 * kinds - 1;
        let ret = Type::Int { lo: -1, hi: last };
        let slots = slots.to_vec();
        let doc = format!(
            "The scope of the current player in which `{name}` is found, -1 if there is none."
        );
        self.function(&format!("scope of {name}"), ret, &doc, |this| {
            let level = this.local(
                "level",
                Type::Int {
                    lo: 0,
                    hi: MAX_SCOPES as i64 - 1,
                },
            );
            let at = this.get(level, span);
            let mut body = Vec::new();
            for (number, &slot) in slots.iter().enumerate() {
                let code = arith(BinaryOp::Mul, at.clone(), int(kinds, span));
                let code = arith(BinaryOp::Add, code, int(number as i64, span));
                if let Some(present) = this.present(slot, at.clone(), span) {
                    body.push(Stmt::branch(present, vec![Stmt::give(code)], vec![]));
                }
            }
            if let Some(limited) = this.limited(at.clone(), span) {
                let none = Stmt::give(int(-1, span));
                body.push(Stmt::branch(limited, vec![none], vec![]));
            }
            let top = this.top(span);
            this.emit(
                StmtKind::For {
                    local: level,
                    from: top,
                    to: int(0, span),
                    count: Count::Down,
                    body,
                    charged: false,
                },
                span,
            );
            this.push(Stmt::give(int(-1, span)));
        })
    }

    /// The level of the innermost scope.
    pub(super) fn top(&self, span: Span) -> Expr {
        let frames = self.shape.as_ref().and_then(|shape| shape.frames.as_ref());
        match (frames, self.ids.depth) {
            (Some(frames), _) => int(frames.len() as i64 - 1, span),
            (None, Some(depth)) => self.var(depth, vec![self.me(span)], span),
            (None, None) => int(0, span),
        }
    }

    /// Whether a variable exists in a scope, where marks are kept.
    pub(super) fn present(&self, slot: usize, level: Expr, span: Span) -> Option<Expr> {
        let var = self.ids.present[slot]?;
        Some(self.var(var, self.scope_at(level, span), span))
    }

    /// The index of a scope of the current player.
    pub(super) fn scope_at(&self, level: Expr, span: Span) -> Vec<Expr> {
        let table = self.ids.scope;
        let scope =
            table.map(|table| Expr::lookup(&self.b.game, table, vec![self.me(span), level], span));
        scope.into_iter().collect()
    }

    fn limited(&self, level: Expr, span: Span) -> Option<Expr> {
        let var = self.ids.limited?;
        Some(self.var(var, self.scope_at(level, span), span))
    }

    /// Makes sure that one of the candidates holds.
    pub(super) fn certainly(&mut self, name: &Name, all: &mut [Candidate]) -> Low<()> {
        let span = name.span;
        let Some(last) = all.last() else {
            let message = match name.of {
                Some(_) => format!("players have no variable `{}`", name.name),
                None => format!("there is no variable `{}`", name.name),
            };
            return Err(self.undefined(name, message));
        };
        if last.cond.is_some() {
            let conds = all.iter().filter_map(|candidate| candidate.cond.clone());
            if let Some(any) = conds.reduce(Expr::or) {
                let message = format!("`{}` may not exist here", name.name);
                self.may_fail(&message, span);
                let message = format!("there is no variable `{}` here", name.name);
                self.check(any, "undefined_variable", &message, span);
            }
        }
        if let Some(last) = all.last_mut() {
            last.cond = None;
        }
        Ok(())
    }

    fn undefined(&mut self, name: &Name, message: String) -> super::Dead {
        if self.certain {
            let vars = self.vars.iter().map(|var| var.name.clone());
            let globals = self.globals.iter().map(|var| var.name.clone());
            let locals = self.scopes.slots.iter().map(|slot| slot.name.clone());
            let known: Vec<String> = match name.of {
                Some(_) => vars.collect(),
                None => {
                    let signed = ["$leftSteps".to_owned()].into_iter();
                    let signed = signed.filter(|known| known[1..] == *name.name);
                    vars.chain(globals).chain(locals).chain(signed).collect()
                }
            };
            let place = Span::new(
                name.span.file,
                name.span
                    .end
                    .saturating_sub(name.name.len() as u32)
                    .max(name.span.start),
                name.span.end,
            );
            let known = known
                .iter()
                .map(String::as_str)
                .filter(|known| *known != name.name);
            let found = crate::diag::Diagnostic::new(&codes::UNDEFINED, name.span, message.clone())
                .did_you_mean(&name.name, place, known);
            let found = match (&found.help, name.of) {
                (Some(_), _) => found,
                (None, Some(_)) => found.help(format!(
                    "declare it in the setup: `players {{ int {} {{100}} = 0 }}`",
                    name.name
                )),
                (None, None) => found.help(format!(
                    "declare it in the setup, for all in `game {{ int {0} {{100}} = 0 }}`, for each player in `players {{ ... }}`",
                    name.name
                )),
            };
            self.out.push(found);
            self.fault("undefined_variable", &message, name.span);
            return super::Dead;
        }
        self.mistake(&codes::UNDEFINED, "undefined_variable", message, name.span)
    }

    /// A fault unless a condition holds.
    pub(super) fn check(&mut self, holds: Expr, code: &str, message: &str, span: Span) {
        let text = format!("{code}: {message} ({}, line {})", self.site, self.line);
        let fault = Stmt::fault(text, span);
        let broken = match holds.kind {
            crate::ir::ExprKind::Unary(UnaryOp::Not, inner) => *inner,
            _ => holds.not(),
        };
        self.push(Stmt::branch(broken, vec![fault], vec![]));
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, name: &Name) -> Low<Val> {
        let mut all = self.candidates(name);
        self.certainly(name, &mut all)?;
        let span = name.span;
        let values: Vec<(Option<Expr>, Val)> = all
            .iter()
            .map(|candidate| {
                let expr = self.cell_read(&candidate.cell, span);
                let ty = match self.cell_limit(&candidate.cell) {
                    Some(_) => Ty::Int,
                    None => Ty::Bool,
                };
                (candidate.cond.clone(), Val::new(ty, expr))
            })
            .collect();
        Ok(choose_value(values))
    }

    /// Stores a value in the variable that a name means; gives what is stored.
    pub(super) fn store(&mut self, name: &Name, value: Val, span: Span) -> Low<Val> {
        let mut all = self.candidates(name);
        self.certainly(name, &mut all)?;
        if let [only] = &all[..] {
            let cell = only.cell.clone();
            return self.store_in(&cell, value, span);
        }
        let value = self.settle(value);
        let result_int = self.local("stored", Type::INT);
        let result_bool = self.local("stored", Type::Bool);
        self.let_int(result_int, 0, span);
        self.push(Stmt::assign(result_bool, Expr::bool(false, span)));
        let kinds: Vec<Ty> = all
            .iter()
            .map(|c| match self.cell_limit(&c.cell) {
                Some(_) => Ty::Int,
                None => Ty::Bool,
            })
            .collect();
        self.store_first(&all, &value, (result_int, result_bool), span);
        let number = self.get(result_int, span);
        let truth = self.get(result_bool, span);
        if kinds.iter().all(|ty| *ty == Ty::Int) {
            return Ok(Val::new(Ty::Int, number));
        }
        if kinds.iter().all(|ty| *ty == Ty::Bool) {
            return Ok(Val::new(Ty::Bool, truth));
        }
        Ok(value)
    }

    fn store_first(
        &mut self,
        all: &[Candidate],
        value: &Val,
        into: (crate::ir::LocalId, crate::ir::LocalId),
        span: Span,
    ) {
        let Some((first, rest)) = all.split_first() else {
            return;
        };
        let put = |this: &mut Self| {
            let certain = std::mem::replace(&mut this.certain, false);
            if let Ok(stored) = this.store_in(&first.cell, value.clone(), span) {
                match stored.ty {
                    Ty::Int => this.push(Stmt::assign(into.0, stored.expr)),
                    Ty::Bool => this.push(Stmt::assign(into.1, stored.expr)),
                    Ty::Dyn => {}
                }
            }
            this.certain = certain;
        };
        match &first.cond {
            None => put(self),
            Some(cond) => {
                self.branch(cond.clone(), put, |this| {
                    this.store_first(rest, value, into, span);
                });
            }
        }
    }

    /// Stores a value in a cell; gives what is stored.
    pub(super) fn store_in(&mut self, cell: &Cell, value: Val, span: Span) -> Low<Val> {
        let limit = self.cell_limit(cell);
        let (var, index) = self.cell_var(cell, span);
        let stored = match limit {
            Some(limit) => {
                let value = self.as_int(value, "the variable holds integers", span)?;
                let value = match is_simple(&value) {
                    true => value,
                    false
                        if super::range_of(&value).0 >= -(limit + 1)
                            && super::range_of(&value).1 <= limit =>
                    {
                        value
                    }
                    false => self.keep("value", value),
                };
                wrap(value, limit)
            }
            None => self.as_bool(value, "the variable holds truth values", span)?,
        };
        self.push(Stmt::set_var(var, index.clone(), stored));
        let ty = match limit {
            Some(_) => Ty::Int,
            None => Ty::Bool,
        };
        Ok(Val::new(ty, self.var(var, index, span)))
    }
}

/// Whether an expression costs next to nothing.
fn is_simple(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        crate::ir::ExprKind::Const(_) | crate::ir::ExprKind::Local(_)
    )
}

/// One of several values, by the first condition that holds.
fn choose_value(mut values: Vec<(Option<Expr>, Val)>) -> Val {
    let Some((_, last)) = values.pop() else {
        let span = Span::default();
        return Val::new(Ty::Int, int(0, span));
    };
    let mixed = values.iter().any(|(_, value)| value.ty != last.ty);
    let mut result = match mixed {
        true => last.to_dynamic(),
        false => last,
    };
    while let Some((cond, value)) = values.pop() {
        let Some(cond) = cond else { continue };
        let value = match mixed {
            true => value.to_dynamic(),
            false => value,
        };
        let kind = match (value.is_bool, result.is_bool) {
            (Some(a), Some(b)) => Some(Expr::select(cond.clone(), a, b)),
            _ => None,
        };
        result = Val {
            ty: result.ty,
            expr: select(cond, value.expr, result.expr),
            is_bool: kind,
        };
    }
    result
}

/// A value brought around into the range of a variable.
pub(super) fn wrap(value: Expr, limit: i64) -> Expr {
    let span = value.span;
    let (lo, hi) = super::range_of(&value);
    let (least, size) = (-(limit + 1), 2 * limit + 2);
    if least <= lo && hi <= limit {
        return value;
    }
    let ty = Type::Int {
        lo: least,
        hi: limit,
    };
    if let Some(Const::Int(value)) = value.as_const() {
        let wrapped = i128::from(*value) + i128::from(limit) + 1;
        let wrapped = wrapped.rem_euclid(i128::from(size)) - i128::from(limit) - 1;
        return int(wrapped as i64, span);
    }
    // Up to one round too far is cheaper to bring back than any value.
    let near = |bound: i64, by: i64| bound.checked_add(by);
    if near(lo, size).is_some_and(|lo| lo >= least) && near(hi, -size).is_some_and(|hi| hi <= limit)
    {
        let shifted = |op: BinaryOp| {
            let mut shifted = arith(op, value.clone(), int(size, span));
            shifted.ty = Type::INT;
            shifted
        };
        let mut inner = value.clone();
        if lo < least {
            let below = compare(BinaryOp::Lt, value.clone(), int(least, span));
            inner = select(below, shifted(BinaryOp::Add), inner);
        }
        if hi > limit {
            let above = compare(BinaryOp::Gt, value.clone(), int(limit, span));
            inner = select(above, shifted(BinaryOp::Sub), inner);
        }
        return clamp(inner, least, limit);
    }
    // The sum must not leave 64 bits: the value is reduced first.
    let reduced = arith(BinaryOp::RemEuclid, value, int(size, span));
    let shifted = arith(BinaryOp::Add, reduced, int(limit + 1, span));
    let shifted = arith(BinaryOp::RemEuclid, shifted, int(size, span));
    let mut wrapped = arith(BinaryOp::Sub, shifted, int(limit + 1, span));
    wrapped.ty = ty;
    wrapped
}

/// A value that is inside of a range in fact, with that range as its type.
fn clamp(value: Expr, least: i64, most: i64) -> Expr {
    let span = value.span;
    let low = arith(BinaryOp::Max, value, int(least, span));
    arith(BinaryOp::Min, low, int(most, span))
}
