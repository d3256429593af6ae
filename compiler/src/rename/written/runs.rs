//! Statements in a row that only note something: those of which none needs what another one does have no order.
//!
//! They stand in layers: a statement in the first one that comes after all that it depends on. A variable that gets its first value there is
//! called by that value, so that it does not matter which of several is written first.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effect;
use crate::ir::{Expr, ExprKind, LocalId, Stmt, StmtKind};

use super::super::terms::Term;
use super::Written;

/// Statements that are looked at together.
const MOST_TOGETHER: usize = 100;

/// A statement that only notes something, with what it depends on.
struct Note<'g> {
    stmt: &'g Stmt,
    effect: Effect,
    asked: SortedSet<LocalId>,
    layer: usize,
}

impl<'g> Written<'_, 'g> {
    /// The statements at the front of some that only note something, if there are several.
    fn notes(&self, stmts: &[&'g Stmt]) -> Vec<Note<'g>> {
        let plain = |stmt: &&&Stmt| matches!(stmt.kind, StmtKind::Let(..) | StmtKind::SetVar(..));
        let front = stmts.iter().take_while(plain).take(MOST_TOGETHER);
        if front.clone().count() < 2 {
            return Vec::new();
        }
        let mut notes: Vec<Note<'g>> = Vec::new();
        for &stmt in front {
            let block = std::slice::from_ref(stmt);
            let effect = self.effects.block(self.game, self.types, block);
            let may_leave = effect.may_fault || effect.fails || effect.ends || effect.suspends;
            if may_leave || effect.emits || effect.works || !effect.scratch.env.is_empty() {
                break;
            }
            let mut asked = SortedSet::new();
            stmt.children(&mut |expr| {
                expr.walk(&mut |part| {
                    if let ExprKind::Local(local) = part.kind {
                        asked.insert(local);
                    }
                });
            });
            let mut note = Note {
                stmt,
                effect,
                asked,
                layer: 0,
            };
            let before = notes.iter().filter(|other| note.depends_on(other));
            note.layer = before.map(|other| other.layer + 1).max().unwrap_or(0);
            notes.push(note);
        }
        notes
    }

    /// The terms of the statements at the front that only note something, and how many these are.
    pub(super) fn noted(&mut self, stmts: &[&'g Stmt]) -> (Vec<Term>, usize) {
        let notes = self.notes(stmts);
        let number = self.locals.len();
        let mut values = SortedSet::new();
        let mut layers: Vec<Vec<Term>> = Vec::new();
        for note in &notes {
            if let StmtKind::Let(local, value) = &note.stmt.kind
                && notes.len() > 1
                && !self.locals.contains_key(local)
            {
                let value = self.value(value);
                if values.insert(value) {
                    self.local_by(*local, number, value);
                }
            }
            let Some(own) = self.stmt(note.stmt) else {
                continue;
            };
            self.said_at.entry(own).or_insert(note.stmt.span);
            self.forget(std::slice::from_ref(note.stmt));
            if layers.len() <= note.layer {
                layers.resize(note.layer + 1, Vec::new());
            }
            layers[note.layer].push(own);
        }
        let terms = layers.into_iter().map(|layer| match layer[..] {
            [only] => only,
            _ => self.set("together", layer),
        });
        (terms.collect(), notes.len())
    }

    /// Calls a variable by its first value.
    fn local_by(&mut self, local: LocalId, number: usize, value: Term) {
        let ty = self.types.get(local.index()).map(|local| local.ty.clone());
        let Some(ty) = ty else {
            return;
        };
        let parts = vec![self.number(number), value, self.ty(&ty)];
        let own = self.parts("local by its value", parts);
        self.locals.insert(local, own);
    }
}

impl Note<'_> {
    /// Whether it comes to something else before another one than after it.
    fn depends_on(&self, other: &Note<'_>) -> bool {
        let sees = |one: &Note<'_>, two: &Note<'_>| {
            let asked = two
                .assigned()
                .is_some_and(|local| one.asked.contains(&local));
            asked || one.effect.reads.meets(&two.effect.scratch)
        };
        let both = self.assigned().is_some() && self.assigned() == other.assigned();
        let written = self.effect.scratch.meets(&other.effect.scratch);
        both || sees(self, other) || sees(other, self) || (written && !self.writes_beside(other))
    }

    /// The variable that gets a value.
    fn assigned(&self) -> Option<LocalId> {
        match self.stmt.kind {
            StmtKind::Let(local, _) => Some(local),
            _ => None,
        }
    }

    /// Whether both write to one variable of the position, in cells that differ.
    fn writes_beside(&self, other: &Note<'_>) -> bool {
        let (StmtKind::SetVar(a, at, _), StmtKind::SetVar(b, beside, _)) =
            (&self.stmt.kind, &other.stmt.kind)
        else {
            return false;
        };
        let differ = |(a, b): (&Expr, &Expr)| match (a.as_const(), b.as_const()) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        };
        a == b && at.iter().zip(beside).any(differ)
    }
}
