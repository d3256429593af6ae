//! The setup: blocks in their order, then statements for the first player.

use super::expr::{Ty, Val};
use super::stmt::Run;
use super::{Declared, Low, Lower, Mode, int};
use crate::ast::{Decl, Def};
use crate::codes;
use crate::ir::{Axis, Const, Expr, Stmt, Type, VarId};

impl Lower<'_> {
    pub(super) fn setup(&mut self) {
        let board = self.board;
        self.site = "the setup".to_owned();
        self.push(Stmt::assign(self.ids.left, int(0, self.span)));
        for def in &board.setup.defs {
            match def {
                Def::Game { max, end, vars, .. } => {
                    self.die = max.unwrap_or(6);
                    self.end_condition = end.clone();
                    for decl in vars {
                        // A mistake was told; the variable is known nevertheless.
                        let _: Low<()> = self.global(decl);
                    }
                }
                Def::Players { vars, .. } => self.players_block(vars),
            }
        }
        self.statements(&board.setup.code, Run::Setup);
        self.shape = Some(self.scopes.after_setup.clone());
        self.tell_time();
        if self.mode == Mode::Program {
            let left = self.get(self.ids.left, self.span);
            if let Some(kept) = self.ids.kept_left {
                self.push(Stmt::set_var(kept, vec![], left));
            }
            // Every game comes to a stop; this one has nothing else to stop for.
            self.draw(int(1, self.span), self.span);
        }
    }

    fn global(&mut self, decl: &Decl) -> Low<()> {
        if self.globals.iter().any(|var| var.name == decl.name) {
            let message = format!("there are two global variables `{}`", decl.name);
            return Err(self.mistake(&codes::REDECLARED, "redeclared", message, decl.name_span));
        }
        let value = self.first_value(decl);
        let var = self.declared(decl, "global ", vec![]);
        self.globals.push(Declared {
            name: decl.name.clone(),
            limit: decl.limit,
            var,
        });
        let cell = super::expr::Cell::Global(self.globals.len() - 1);
        self.store_in(&cell, value?, decl.name_span)?;
        Ok(())
    }

    fn players_block(&mut self, vars: &[Decl]) {
        let mut own: Vec<Decl> = Vec::new();
        for decl in vars {
            if own.iter().any(|other| other.name == decl.name) {
                let message = format!("there are two player variables `{}`", decl.name);
                self.mistake(&codes::REDECLARED, "redeclared", message, decl.name_span);
                continue;
            }
            own.push(decl.clone());
        }
        let vars = own.as_slice();
        let players = self.player_domain();
        for decl in vars {
            let var = self.declared(decl, "player ", vec![Axis::Domain(players)]);
            self.vars.push(Declared {
                name: decl.name.clone(),
                limit: decl.limit,
                var,
            });
        }
        for seat in 0..self.players {
            self.seat = Some(seat);
            for (index, decl) in vars.iter().enumerate() {
                self.ids.declared = index;
                let Ok(value) = self.first_value(decl) else {
                    continue;
                };
                self.ids.declared = index + 1;
                let cell = super::expr::Cell::Player(index, crate::ast::Who::Current);
                let _: Low<Val> = self.store_in(&cell, value, decl.name_span);
            }
            if self.out.has_errors() {
                // The same would be told of every player.
                break;
            }
        }
        self.seat = None;
    }

    /// The first value of a variable of a block, of the type that it declares.
    fn first_value(&mut self, decl: &Decl) -> Low<Val> {
        self.line = 1;
        let value = self.value(&decl.init)?;
        let (ty, why) = match decl.limit {
            Some(_) => (Ty::Int, format!("`{}` is an integer", decl.name)),
            None => (Ty::Bool, format!("`{}` is a truth value", decl.name)),
        };
        let expr = match ty {
            Ty::Int => self.as_int(value, &why, decl.init.span)?,
            _ => self.as_bool(value, &why, decl.init.span)?,
        };
        Ok(Val::new(ty, expr))
    }

    /// A state variable for a declaration.
    fn declared(&mut self, decl: &Decl, prefix: &str, axes: Vec<Axis>) -> VarId {
        let name = format!("{prefix}{}", decl.name);
        let (ty, init) = super::state::kept_type(decl.limit);
        let id = self.b.var(&name, axes, ty, init, decl.name_span);
        self.ids.shown.push(id);
        id
    }

    /// Off the board and without steps: what statements of the setup did to a turn is undone.
    pub(super) fn before_turns(&mut self) {
        let span = self.span;
        self.push(Stmt::assign(self.ids.left, int(0, span)));
        let turn = Expr::constant(Const::Elem(0), Type::Elem(self.player_domain()), span);
        self.push(Stmt::set_var(self.ids.turn, vec![], turn));
    }
}
