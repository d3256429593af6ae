//! Moves that may fail: what of the position before is kept, and gives it back.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::machine::stmt_ends;
use crate::ir::effects::Effect;
use crate::ir::{Block, Choose, Expr, Local, PlacementForm, Point, Stmt, StmtKind};

impl Generator<'_> {
    /// Whether playing anything may fault.
    pub(super) fn play_faults(&self) -> bool {
        let faults = |block: &Block| {
            let effect = self
                .effects
                .block(self.game, &self.machine.locals, reached(block));
            effect.may_fault || effect.fails || effect.works
        };
        let mut found = self.has_otherwise() && !self.otherwise_ends();
        for point in &self.machine.points {
            match point {
                Point::Choose(choose) => choose.blocks(&mut |block| found |= faults(block)),
                Point::Chance(_, block) => found |= faults(block),
            }
        }
        found
    }

    /// Whether each move that fails does so before it writes anything: a piece finds its place taken.
    pub(super) fn fails_first(&self) -> bool {
        let locals = &self.machine.locals;
        let arms = |choose: &Choose| {
            let mut all = choose.otherwise.is_none();
            for arm in &choose.arms {
                all &= self.fails_before(locals, reached(&arm.body), true, &mut false);
            }
            all
        };
        let mut points = self.machine.points.iter();
        points.all(|point| match point {
            Point::Choose(choose) => arms(choose),
            Point::Chance(..) => false,
        })
    }

    /// Whether nothing of a block fails after something was written; `flow` tells whether the block can be left.
    fn fails_before(
        &self,
        locals: &[Local],
        block: &[Stmt],
        flow: bool,
        written: &mut bool,
    ) -> bool {
        let sound = |expr: &Expr| {
            let effect = self.effects.expr(self.game, expr);
            !effect.may_fault && !effect.fails && !effect.works
        };
        for stmt in block {
            let mut operands = true;
            stmt.children(&mut |expr| operands &= sound(expr));
            let passes = match &stmt.kind {
                StmtKind::Put(id, ..) if self.game.placement(*id).form == PlacementForm::One => {
                    let first = flow && !*written;
                    *written = true;
                    operands && first
                }
                StmtKind::Call { func, .. } if !self.effects.is_recursive(*func) => {
                    let function = self.game.function(*func);
                    let flow = self.needs[func.index()].flow;
                    operands && self.fails_before(&function.locals, &function.body, flow, written)
                }
                StmtKind::If(_, yes, no) => {
                    let (mut a, mut b) = (*written, *written);
                    let both = self.fails_before(locals, yes, flow, &mut a)
                        && self.fails_before(locals, no, flow, &mut b);
                    *written = a || b;
                    operands && both
                }
                _ => {
                    let one = std::slice::from_ref(stmt);
                    let effect = self.effects.block(self.game, locals, one);
                    *written |= effect.scratch.touches_state() || effect.ends;
                    !effect.may_fault && !effect.fails && !effect.works
                }
            };
            if !passes {
                return false;
            }
        }
        true
    }

    /// What keeps the position before a move that may fail, and what gives it back.
    pub(super) fn undo(&self) -> (TokenStream, TokenStream) {
        if !self.play_faults() {
            return Default::default();
        }
        if self.faults_first.get() {
            let undo = quote!(if let Some(fault) = cx.fault() {
                s.fail(fault);
            });
            return (TokenStream::new(), undo);
        }
        let Some((arms, otherwise)) = self.notes_of_a_move() else {
            return (
                quote!(let before = s.clone();),
                quote!(if let Some(fault) = cx.fault() {
                    *s = before;
                    s.fail(fault);
                }),
            );
        };
        let notes = Literal::u32_unsuffixed(arms.saturating_add(otherwise));
        let full = self.game.trails.iter().map(|trail| {
            let field = self.trail_field(trail);
            quote!(s.#field.lacks_room_for(#notes))
        });
        let full = match self.game.trails.len() {
            1 => quote!(#(#full)*),
            _ => quote!((#(#full)||*)),
        };
        (
            quote!(let before = #full.then(|| s.clone());),
            quote!(if let Some(fault) = cx.fault() {
                if let Some(before) = before {
                    *s = before;
                }
                s.fail(fault);
            }),
        )
    }

    /// How many positions a move adds to histories at most, and then what happens without a legal move, where nothing fails but that they
    /// have no room.
    pub(super) fn notes_of_a_move(&self) -> Option<(u32, u32)> {
        if self.game.trails.is_empty() || self.has_otherwise() && !self.otherwise_ends() {
            return None;
        }
        let mut arms = Some(0);
        let mut otherwise = Some(0);
        let most = |all: &mut Option<u32>, block: &Block| {
            *all = all.and_then(|most| {
                Some(most.max(self.notes_at_most(&self.machine.locals, reached(block))?))
            });
        };
        for point in &self.machine.points {
            match point {
                Point::Choose(choose) => {
                    choose
                        .arms
                        .iter()
                        .for_each(|arm| most(&mut arms, &arm.body));
                    choose
                        .otherwise
                        .iter()
                        .for_each(|block| most(&mut otherwise, block));
                }
                Point::Chance(_, block) => most(&mut arms, block),
            }
        }
        Some((arms?, otherwise?))
    }

    /// How many positions a block adds to histories at most; nothing where something else may fail, or where it may add any number.
    fn notes_at_most(&self, locals: &[Local], block: &[Stmt]) -> Option<u32> {
        let sound = |effect: Effect| !effect.may_fault && !effect.fails && !effect.works;
        let mut notes = 0_u32;
        for stmt in block {
            let mut operands = true;
            stmt.children(&mut |expr| operands &= sound(self.effects.expr(self.game, expr)));
            let own = match &stmt.kind {
                _ if !operands => None,
                StmtKind::Note(_) => Some(1),
                StmtKind::Call { func, .. } if !self.effects.is_recursive(*func) => {
                    let function = self.game.function(*func);
                    self.notes_at_most(&function.locals, &function.body)
                }
                StmtKind::If(_, yes, no) => {
                    let most = |block: &Block| self.notes_at_most(locals, block);
                    Some(most(yes)?.max(most(no)?))
                }
                _ => {
                    let one = std::slice::from_ref(stmt);
                    let effect = self.effects.block(self.game, locals, one);
                    sound(effect).then_some(0)
                }
            };
            notes = notes.checked_add(own?)?;
        }
        Some(notes)
    }
}

/// The statements of a block up to one that always ends the game.
fn reached(block: &Block) -> &[Stmt] {
    let ends = block.iter().position(stmt_ends);
    &block[..ends.map_or(block.len(), |end| end + 1)]
}
