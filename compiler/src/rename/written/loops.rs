//! Loops over members whose rounds have no order.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effect;
use crate::ir::visit::walk_block;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LocalId, Stmt, StmtKind};
use crate::opt::locals::each_assigned;

use super::Written;

impl Written<'_, '_> {
    /// Whether the rounds of a loop over members come to the same in any order: because they only look for something and leave with the
    /// same answer, because each writes what no other one writes or reads, or because they only gather the greatest of what they find.
    pub(super) fn has_no_order(&self, local: LocalId, body: &Block) -> bool {
        let inside = Written::count(body);
        let mut assigned = Vec::new();
        walk_block(body, &mut |stmt| {
            each_assigned(stmt, &mut |own| assigned.push(own))
        });
        let times = |places: &SortedMap<LocalId, usize>, local: &LocalId| {
            places.get(local).copied().unwrap_or_default()
        };
        let own = |local: &LocalId| times(&inside, local) == times(&self.places, local);
        let mine = times(&self.places, &local) == times(&inside, &local) + 1;
        let effect = self.effects.block(self.game, self.types, body);
        let may_leave = effect.may_fault || effect.fails || effect.ends || effect.suspends;
        // What listeners are told, in which order, is no part of the game.
        if !mine {
            return false;
        }
        if self.gathers(body, &effect, &|local| own(local)) {
            return true;
        }
        // What one round leaves in a variable may be seen by the next.
        if !assigned.iter().all(own) || may_leave || effect.works {
            return false;
        }
        match effect.scratch.is_empty() {
            true => leaves_alike(body),
            false => {
                !effect.scratch.meets(&effect.reads) && body.iter().all(|s| writes_at(s, local))
            }
        }
    }

    /// Whether rounds all run and leave nothing but what variables gather: the greatest, the least or all of what is found. Whether one
    /// of them goes wrong does not depend on their order then.
    fn gathers(&self, body: &Block, effect: &Effect, own: &dyn Fn(&LocalId) -> bool) -> bool {
        let leaves = effect.fails || effect.ends || effect.suspends || leaves_loop(body, false);
        if leaves || !effect.writes.is_empty() || !effect.scratch.env.is_empty() {
            return false;
        }
        let mut gathered: SortedMap<LocalId, (BinaryOp, usize)> = SortedMap::new();
        let mut only = true;
        walk_block(body, &mut |stmt| {
            if let Some((local, op)) = gathers_in(stmt).filter(|(local, _)| !own(local)) {
                let known = gathered.entry(local).or_insert((op, 0));
                known.1 += 1;
                only &= known.0 == op;
            } else {
                each_assigned(stmt, &mut |local| only &= own(&local));
            }
        });
        // Each time it is asked for what it has gathered and given a value: nothing else looks at it.
        let inside = Written::count(body);
        only && gathered
            .iter()
            .all(|(local, (_, times))| inside.get(local) == Some(&(2 * times)))
    }
}

/// The variable that a statement gathers something in, and how, if the order of what it gathers does not matter.
fn gathers_in(stmt: &Stmt) -> Option<(LocalId, BinaryOp)> {
    use BinaryOp as B;
    let StmtKind::Let(local, value) = &stmt.kind else {
        return None;
    };
    let ExprKind::Binary(op @ (B::Max | B::Min | B::Union | B::Intersect), a, b) = &value.kind
    else {
        return None;
    };
    let is_own = |part: &Expr| part.kind == ExprKind::Local(*local);
    (is_own(a) != is_own(b)).then_some((*local, *op))
}

/// Whether a part of a block may leave the loop that it is the body of, or go on to its next round.
fn leaves_loop(block: &Block, inner: bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => !inner,
        StmtKind::Return(_) | StmtKind::Stop(_) => true,
        StmtKind::If(_, yes, no) => leaves_loop(yes, inner) || leaves_loop(no, inner),
        StmtKind::Trial { body, .. } => leaves_loop(body, inner),
        StmtKind::For { body, .. }
        | StmtKind::ForEach(_, _, body)
        | StmtKind::While { body, .. } => leaves_loop(body, true),
        _ => false,
    })
}

/// Whether a block leaves its function and its loops with one answer at most.
fn leaves_alike(body: &Block) -> bool {
    let mut answer: Option<&ExprKind> = None;
    let mut alike = true;
    walk_block(body, &mut |stmt| match &stmt.kind {
        StmtKind::Return(Some(value)) => {
            let same = answer.is_none_or(|answer| *answer == value.kind);
            alike &= same && matches!(value.kind, ExprKind::Const(_));
            answer = Some(&value.kind);
        }
        StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Call { .. }
        | StmtKind::Let(..)
        | StmtKind::Trial { .. }
        | StmtKind::While { .. }
        | StmtKind::For { .. } => alike = false,
        _ => {}
    });
    alike
}

/// Whether a statement only writes what stands at one member.
fn writes_at(stmt: &Stmt, local: LocalId) -> bool {
    let is = |at: &Expr| at.kind == ExprKind::Local(local);
    match &stmt.kind {
        StmtKind::SetContent(_, at, _) => is(at),
        StmtKind::SetVar(_, index, _) => matches!(&index[..], [at] if is(at)),
        _ => false,
    }
}
