//! What fields do: their programs as branches of the process, found by a number that a table gives for each place.

use super::stmt::Run;
use super::{Low, Lower, int};
use crate::ast::{self, StmtKind as S, each_stmt};
use crate::check::{Dest, Place, find_place};
use crate::ir::{Axis, Const, Expr, LocalId, Stmt, StmtKind, Table, TableId, Type};
use crate::scopes::Shape;
use crate::source::Span;
use crate::world::Cost;

/// The numbers of what places do; 0 is nothing.
pub(super) struct Acts {
    forced: Act,
    landing: Act,
    leaving: Act,
}

/// Places by what they do.
struct Act {
    table: TableId,
    /// The place of each number from 1.
    places: Vec<usize>,
}

impl Lower<'_> {
    /// Whether something happens when a token comes to a place, even in passing.
    pub(super) fn is_busy(&self, place: usize) -> bool {
        let place = &self.board.places[place];
        place.forced || place.wins || !place.has_text
    }

    pub(super) fn acts(&mut self) -> Acts {
        let places = 0..self.board.places.len();
        let forced = places.clone().filter(|place| self.is_busy(*place));
        let forced: Vec<usize> = forced.collect();
        let jumped = self.jumped_to();
        let landing = places.clone().filter(|index| {
            let place = &self.board.places[*index];
            match self.is_busy(*index) {
                true => jumped.contains(index),
                false => place.normal().any(|stmt| !is_idle(stmt)),
            }
        });
        let landing: Vec<usize> = landing.collect();
        let leaving: Vec<usize> = places
            .filter(|place| self.only_way(*place).is_none())
            .collect();
        Acts {
            forced: self.act("forced", forced),
            landing: self.act("landing", landing),
            leaving: self.act("leaving", leaving),
        }
    }

    fn act(&mut self, name: &str, places: Vec<usize>) -> Act {
        let mut values = vec![Const::Int(0); self.board.places.len()];
        for (number, place) in places.iter().enumerate() {
            values[*place] = Const::Int(number as i64 + 1);
        }
        let ty = Type::Int {
            lo: 0,
            hi: places.len() as i64,
        };
        let axes = vec![Axis::Domain(self.ids.place)];
        let table = self.b.table(table(name, axes, ty, values, self.world.span));
        Act { table, places }
    }

    /// The places to which forced commands may bring a token.
    fn jumped_to(&self) -> Vec<usize> {
        let places = &self.board.places;
        let mut found = Vec::new();
        for place in places.iter().filter(|place| place.forced) {
            let own = place.control.as_ref().map(|control| control.stmt);
            for (at, stmt) in place.program.code.iter().enumerate() {
                if Some(at) == own {
                    continue;
                }
                each_stmt(std::slice::from_ref(stmt), &mut |stmt| {
                    let ids = match &stmt.kind {
                        S::Goto(target) | S::ControlGoto(target) => vec![target.id],
                        S::ControlIf(_, yes, no) => vec![yes.id, no.id],
                        _ => return,
                    };
                    for id in ids {
                        match find_place(places, place.tile, id) {
                            Some(place) => found.push(place),
                            None => found.extend(0..places.len()),
                        }
                    }
                });
            }
        }
        found
    }

    /// What follows is about a field.
    pub(super) fn at_field(&mut self, index: usize) {
        let place = &self.board.places[index];
        let tiles = &self.world.tiles;
        self.ids.field = index;
        self.site = match tiles.len() {
            1 => format!("field {}", place.id),
            _ => format!("field {} on tile {}", place.id, tiles[place.tile].name),
        };
        let control = place.control.as_ref();
        self.line = control.map_or(1, |control| place.program.code[control.stmt].line);
    }

    /// Runs the block of the act of the place under the token.
    fn by_place(&mut self, act: &Act, span: Span, lower: &mut dyn FnMut(&mut Self, usize)) {
        if act.places.is_empty() {
            return;
        }
        let here = self.get(self.ids.here, span);
        let number = Expr::lookup(&self.b.game, act.table, vec![here], span);
        let number = self.keep("act", number);
        let some = super::compare(crate::ir::BinaryOp::Gt, number.clone(), int(0, span));
        let count = act.places.len();
        let places = act.places.clone();
        let outer = (self.site.clone(), self.line, self.span, self.shape.clone());
        self.when(some, |this| {
            this.dispatch(&number, 1, count + 1, &mut |this, number| {
                lower(this, places[number - 1]);
            });
        });
        (self.site, self.line, self.span, self.shape) = outer;
    }

    /// The commands that run on every pass.
    pub(super) fn forced(&mut self, acts: &Acts, ran: LocalId, span: Span) {
        let moves = self.forced_moves();
        self.by_place(&acts.forced, span, &mut |this, index| {
            let place = &this.board.places[index];
            if !place.has_text {
                return this.no_commands(index);
            }
            let wins = place.wins;
            if place.forced {
                let here = Expr::elem(this.ids.place, index as u32, span);
                this.count(this.ids.counters.forced, Some(here.clone()), span);
                let shape = this.scopes.arrive[index].clone();
                this.program(index, shape);
                let stayed = match moves {
                    true => this.get(this.ids.here, span).equals(here),
                    false => Expr::bool(true, span),
                };
                this.push(Stmt::assign(ran, stayed));
            }
            if wins {
                this.win(span);
            }
        });
    }

    /// Whether forced commands may move the token.
    fn forced_moves(&self) -> bool {
        !self.jumped_to().is_empty() || self.has_rollback
    }

    fn no_commands(&mut self, index: usize) {
        self.at_field(index);
        let place = &self.board.places[index];
        let span = place.span;
        match place.field {
            Some(_) => self.fault("field_without_command", "the field has no commands", span),
            None => self.fault("field_not_found", "there is no such field", span),
        }
    }

    /// The commands that run where a walk stops.
    pub(super) fn landing(&mut self, acts: &Acts, span: Span) {
        let here = self.get(self.ids.here, span);
        self.count(self.ids.counters.landings, Some(here), span);
        self.by_place(&acts.landing, span, &mut |this, index| {
            if !this.board.places[index].has_text {
                return this.no_commands(index);
            }
            let shape = this.scopes.arrive[index].clone();
            this.program(index, shape);
        });
    }

    /// The statements of a field that are no control statements; whoever reached the end of the game wins.
    fn program(&mut self, index: usize, shape: Option<Shape>) {
        self.at_field(index);
        let place = &self.board.places[index];
        let span = place.span;
        let code: Vec<ast::Stmt> = place.normal().cloned().collect();
        let ends = contains(&code, &|stmt| matches!(stmt.kind, S::GameEnd));
        let rolls_back = contains(&code, &|stmt| matches!(stmt.kind, S::Rollback));
        self.certain = shape.is_some();
        let slots = self.scopes.slots.len();
        self.shape = Some(shape.unwrap_or_else(|| Shape::initial(slots)));
        if ends {
            self.push(Stmt::assign(self.ids.won, Expr::bool(false, span)));
        }
        match rolls_back {
            true => {
                let body = self.block(|this| {
                    this.statements(&code, Run::Field);
                    if this.shape.is_some() {
                        this.tell_time();
                        this.emit(StmtKind::Break, span);
                    }
                });
                self.tell_time();
                let cond = Expr::bool(true, span);
                let once = StmtKind::While {
                    cond,
                    bound: 1,
                    body,
                };
                self.emit(once, span);
                // A rollback moves the token to where it was.
                let at = self.where_now(span);
                let now = Stmt::assign(self.ids.here, at.clone().get());
                self.push(Stmt::branch(at.is_some(), vec![now], vec![]));
            }
            false => self.statements(&code, Run::Field),
        }
        self.certain = true;
        if contains(&code, &changes_steps) {
            self.tell_left(span);
        }
        if ends {
            let won = self.get(self.ids.won, span);
            self.when(won, |this| this.win(span));
        }
    }

    /// The way from a place where it depends on something, or where there is none.
    pub(super) fn leave(&mut self, acts: &Acts, span: Span) {
        self.by_place(&acts.leaving, span, &mut |this, index| {
            this.leave_field(index);
        });
    }

    fn leave_field(&mut self, index: usize) {
        self.at_field(index);
        let place: &Place = &self.board.places[index];
        let span = place.span;
        if !place.has_text {
            return self.no_commands(index);
        }
        let Some(control) = place.control.clone() else {
            let message = "the field does not say where to go";
            return self.fault("no_control_statement", message, span);
        };
        let stmt = place.program.code[control.stmt].clone();
        self.span = stmt.span;
        let shape = self.scopes.leave[index].clone();
        self.certain = shape.is_some();
        let slots = self.scopes.slots.len();
        self.shape = Some(shape.unwrap_or_else(|| Shape::initial(slots)));
        let _: Low<()> = self.way(&stmt, &control.to);
        self.certain = true;
    }

    fn way(&mut self, stmt: &ast::Stmt, to: &[Dest]) -> Low<()> {
        let span = stmt.span;
        let S::ControlIf(cond, ..) = &stmt.kind else {
            if let [Dest::Nowhere(code, message)] = to {
                self.fault(code, message, span);
            }
            return Ok(());
        };
        let cond = self.discarded(cond, "the condition of a `control if` is a truth value")?;
        self.cost(Cost::Goto);
        match to {
            [Dest::Place(yes), Dest::Place(no)] => {
                let to = self.one_place(cond, *yes, *no, span);
                self.push(Stmt::assign(self.ids.here, to));
            }
            [yes, no] => {
                let go = |this: &mut Self, dest: &Dest| match dest {
                    Dest::Place(place) => {
                        let to = Expr::elem(this.ids.place, *place as u32, span);
                        this.push(Stmt::assign(this.ids.here, to));
                    }
                    Dest::Nowhere(code, message) => this.fault(code, message, span),
                };
                self.branch(cond, |this| go(this, yes), |this| go(this, no));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a statement does nothing when it is run.
fn is_idle(stmt: &ast::Stmt) -> bool {
    matches!(stmt.kind, S::Force | S::GameStart(None))
}

/// Whether a statement may change how many steps are left.
fn changes_steps(stmt: &ast::Stmt) -> bool {
    matches!(
        stmt.kind,
        S::Move(_) | S::Rollback | S::Sleep(..) | S::ControlGoto(_) | S::ControlIf(..)
    )
}

fn contains(code: &[ast::Stmt], is: &dyn Fn(&ast::Stmt) -> bool) -> bool {
    let mut found = false;
    each_stmt(code, &mut |stmt| found |= is(stmt));
    found
}

pub(super) fn table(
    name: &str,
    axes: Vec<Axis>,
    ty: Type,
    values: Vec<Const>,
    span: Span,
) -> Table {
    Table {
        name: name.to_owned(),
        axes,
        ty,
        values,
        outside: None,
        span,
    }
}
