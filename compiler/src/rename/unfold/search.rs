//! Loops that only look for something: no round writes to the position or changes what later rounds read, and every round that leaves
//! the loop leaves the same behind. Whether some round does is all they say, so that rounds have no order, and none is seen from
//! those before it.

use rulec_ir::sorted::SortedMap;

use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{Block, Expr, ExprKind, FuncId, LocalId, Stmt, StmtKind};
use crate::opt::locals::{Locals, Needs, assigned, live_before};

use super::super::terms::Term;
use super::{Unfold, place_of};

/// The value of the variable of a loop in a round, and when there is such a round.
pub(super) type Turn = (Term, Term);

/// What rounds that leave a loop leave behind: the same each time.
#[derive(Default)]
struct Leaves<'b> {
    /// Variables that somebody outside of the loop knows, with their values.
    values: SortedMap<LocalId, &'b Expr>,
    /// What is given back, if the function is left.
    returned: Option<Option<&'b Expr>>,
}

impl Leaves<'_> {
    fn same(&self, other: &Leaves<'_>) -> bool {
        let known = |expr: &&Expr| expr.as_const().cloned();
        let told = |leaves: &Leaves<'_>| {
            let values = leaves.values.iter().map(|(at, value)| (*at, known(value)));
            let returned = leaves
                .returned
                .map(|value| value.map(|value| known(&value)));
            (values.collect::<Vec<_>>(), returned)
        };
        told(self) == told(other)
    }
}

/// Finds what a block leaves behind where it leaves the loop; nothing where that is not the same each time, or where it does more
/// than that. In a loop inside of it nothing but a return leaves it.
fn leave<'b>(
    block: &'b Block,
    own: bool,
    behind: &Locals,
    all: &mut Option<Leaves<'b>>,
) -> Option<()> {
    let mut next = Leaves::default();
    for stmt in block {
        let leaves = match &stmt.kind {
            StmtKind::Let(at, value) if behind.contains(at) => {
                value.as_const().filter(|_| own)?;
                next.values.insert(*at, value);
                continue;
            }
            StmtKind::Charge => continue,
            StmtKind::Break => own,
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    value.as_const()?;
                }
                next.returned = Some(value.as_ref());
                true
            }
            _ => false,
        };
        if leaves {
            let found = std::mem::take(&mut next);
            match all {
                Some(first) => first.same(&found).then_some(())?,
                None => *all = Some(found),
            }
            continue;
        }
        next.values.is_empty().then_some(())?;
        leave_inside(stmt, own, behind, all)?;
    }
    next.values.is_empty().then_some(())
}

fn leave_inside<'b>(
    stmt: &'b Stmt,
    own: bool,
    behind: &Locals,
    all: &mut Option<Leaves<'b>>,
) -> Option<()> {
    match &stmt.kind {
        StmtKind::Let(..) | StmtKind::Break | StmtKind::Continue => Some(()),
        StmtKind::Call { into, .. } => into.is_none_or(|at| !behind.contains(&at)).then_some(()),
        StmtKind::If(_, yes, no) => {
            leave(yes, own, behind, all)?;
            leave(no, own, behind, all)
        }
        StmtKind::For { local, body, .. } | StmtKind::ForEach(local, _, body) => {
            (!behind.contains(local)).then_some(())?;
            leave(body, false, behind, all)
        }
        _ => None,
    }
}

impl Unfold<'_, '_> {
    /// Notes the variables that somebody asks for behind the loops of a block.
    pub(super) fn note_behind(&mut self, block: &Block) {
        let mut loops = Vec::new();
        walk_block(block, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::ForEach(_, _, body) = &stmt.kind {
                loops.push((stmt, place_of(body)));
            }
        });
        if loops.is_empty() {
            return;
        }
        let needs = Needs::of(block);
        for (stmt, body) in loops {
            self.behind.insert(body, needs.after(stmt).clone());
        }
    }

    /// Runs a loop of that kind; whether it is one.
    pub(super) fn looks_for(&mut self, local: LocalId, turns: &[Turn], body: &Block) -> bool {
        if turns.len() < 2 || !self.only_looks(local, body) {
            return false;
        }
        let mut leaves = None;
        let Some(behind) = self.behind.get(&place_of(body)) else {
            return false;
        };
        if leave(body, true, behind, &mut leaves).is_none() {
            return false;
        }
        let Some(leaves) = leaves else { return false };
        let mistakes = self.mistakes.len();
        let (memory, left_by) = (self.memory.clone(), self.left_by.clone());
        let (ends, last_end) = (self.ends.clone(), self.last_end);
        let before = self.live;
        let entered = self.enter();
        let some = self.some_turn(local, turns, body);
        self.come_back(before, entered);
        let Some(some) = some else {
            // Who comes first matters, and nothing of this was run.
            (self.memory, self.left_by) = (memory, left_by);
            (self.ends, self.last_end) = (ends, last_end);
            self.changes += 1;
            self.mistakes.truncate(mistakes);
            return false;
        };
        self.leave_behind(some, &leaves, place_of(body));
        true
    }

    /// Whether what a block calls comes back and only looks at the position, and whether none of its rounds reads what an earlier
    /// one gave a value.
    fn only_looks(&self, local: LocalId, body: &Block) -> bool {
        let mut plain = true;
        let effects = &self.terms.effects;
        let mut call = |func: FuncId| {
            let effect = effects.function(func);
            let mut reached = effects.reaches(func).iter();
            let returns = !effects.is_recursive(func) && !reached.any(|f| effects.is_recursive(*f));
            plain &= effect.is_guard() && !effect.fails && returns;
        };
        walk_block(body, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                call(*func);
            }
        });
        walk_exprs(body, &mut |expr| match &expr.kind {
            ExprKind::Call(func, _) => call(*func),
            ExprKind::Holds(relation, _) => call(self.game.relation(*relation).holds),
            _ => {}
        });
        let given = assigned(body);
        let mut read = live_before(body, &Locals::new()).into_iter();
        plain && !given.contains(&local) && !read.any(|at| given.contains(&at))
    }

    /// Whether some round leaves the loop; nothing where one does more than that.
    fn some_turn(&mut self, local: LocalId, turns: &[Turn], body: &Block) -> Option<Term> {
        let (mistakes, changes) = (self.mistakes.len(), self.changes);
        let frame = self.frame();
        let kept = (frame.locals.clone(), frame.given.clone(), frame.returned);
        let mut parts = Vec::new();
        for &(value, there) in turns {
            self.bind(local, value);
            self.live = there;
            let goes_on = self.round(body).goes_on;
            let not = self.terms.not(goes_on);
            parts.push(self.terms.and(there, not));
            let frame = self.frame();
            (frame.locals, frame.given, frame.returned) = kept.clone();
            if self.mistakes.len() != mistakes || self.changes != changes {
                return None;
            }
        }
        Some(self.terms.some_of(parts))
    }

    /// Writes what is left behind where some round leaves the loop, as seen from inside of it.
    fn leave_behind(&mut self, some: Term, leaves: &Leaves<'_>, block: usize) {
        let before = self.live;
        self.live = self.terms.and(before, some);
        self.block_at = block;
        for (&local, &value) in &leaves.values {
            let value = self.value(value);
            self.set_local(local, value);
        }
        self.live = before;
        if let Some(value) = leaves.returned {
            self.live = self.terms.and(before, some);
            if let Some(value) = value {
                self.give(value);
            }
            let not = self.terms.not(some);
            self.live = self.terms.and(before, not);
        }
    }
}
