//! Where the local variables of a block are declared.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::{Block, Expr, ExprKind, LocalId, Stmt, StmtKind};

/// Where a local variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// By the first assignment, a statement at this address.
    At(usize),
    /// At the start of the block at this address.
    Start(usize),
}

/// The declarations of one body.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// Local variables that are declared with a harmless value at the start of a block.
    pub(super) starts: SortedMap<usize, Vec<LocalId>>,
    /// Statements that declare the variable they assign.
    pub(super) lets: SortedMap<usize, SortedSet<LocalId>>,
    /// Variables that are assigned more than once, or declared apart from their assignment.
    pub(super) mutable: SortedSet<LocalId>,
    /// Variables of loops that are used outside of their loop as well.
    pub(super) outer: SortedSet<LocalId>,
}

/// The address of a statement, its name for as long as the game is not changed.
pub(super) fn address<T>(item: &T) -> usize {
    std::ptr::from_ref(item).addr()
}

/// The address of a block: that of its vector.
pub(super) fn block_address(block: &Block) -> usize {
    address(block)
}

/// Finds the declarations of a body with these parameters.
pub(super) fn declarations(body: &Block, params: &[LocalId], count: usize) -> Declarations {
    let mut found = Declarations::default();
    for local in (0..count).map(LocalId::from) {
        let assigned = assignments(body, local);
        if params.contains(&local) {
            if assigned > 0 {
                found.mutable.insert(local);
            }
            continue;
        }
        let bound = is_bound(body, local);
        if bound && !used_outside_loops(body, local) {
            if assigned > 0 {
                found.mutable.insert(local);
            }
            continue;
        }
        if bound {
            found.outer.insert(local);
        } else if assigned == 0 {
            continue;
        }
        match place(body, local) {
            Some(Place::At(stmt)) if !bound => {
                found.lets.entry(stmt).or_default().insert(local);
                if assigned > 1 {
                    found.mutable.insert(local);
                }
            }
            Some(Place::Start(block)) if !bound => {
                found.starts.entry(block).or_default().push(local);
                found.mutable.insert(local);
            }
            _ => {
                found
                    .starts
                    .entry(block_address(body))
                    .or_default()
                    .push(local);
                found.mutable.insert(local);
            }
        }
    }
    found
}

/// The innermost place whose scope holds all uses and that is entered with the variable unset.
fn place(block: &Block, local: LocalId) -> Option<Place> {
    let touching: Vec<&Stmt> = block.iter().filter(|stmt| touches(stmt, local)).collect();
    let &[first, ref rest @ ..] = touching.as_slice() else {
        return None;
    };
    if assigns_directly(first, local) {
        return Some(Place::At(address(first)));
    }
    let own = Some(Place::Start(block_address(block)));
    if !rest.is_empty() || uses_itself(first, local) {
        return own;
    }
    let mut inner = Vec::new();
    first.blocks(&mut |block| {
        if block.iter().any(|stmt| touches(stmt, local)) {
            inner.push(block);
        }
    });
    let &[only] = inner.as_slice() else {
        return own;
    };
    let is_loop = !matches!(first.kind, StmtKind::If(..));
    match place(only, local) {
        // A value may live from one round to the next.
        Some(Place::Start(_)) if is_loop => own,
        None => own,
        found => found,
    }
}

/// Whether a statement's first doing is to give the variable a value.
fn assigns_directly(stmt: &Stmt, local: LocalId) -> bool {
    let target = match &stmt.kind {
        StmtKind::Let(target, _) => Some(*target),
        StmtKind::Call { into, .. } => *into,
        _ => None,
    };
    target == Some(local) && !reads_itself(stmt, local)
}

/// Whether the variable occurs in the statement outside its blocks.
fn uses_itself(stmt: &Stmt, local: LocalId) -> bool {
    let target = match &stmt.kind {
        StmtKind::Let(target, _) | StmtKind::For { local: target, .. } => *target == local,
        StmtKind::ForEach(target, ..) => *target == local,
        StmtKind::Call { into, .. } => *into == Some(local),
        StmtKind::Trial { ok, value, .. } => {
            *ok == local || value.as_ref().is_some_and(|(_, target)| *target == local)
        }
        _ => false,
    };
    target || reads_itself(stmt, local)
}

fn reads_itself(stmt: &Stmt, local: LocalId) -> bool {
    let mut found = false;
    stmt.children(&mut |expr| found |= reads(expr, local));
    found
}

fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= matches!(expr.kind, ExprKind::Local(id) if id == local));
    found
}

fn touches(stmt: &Stmt, local: LocalId) -> bool {
    let mut found = false;
    stmt.walk(&mut |stmt| found |= uses_itself(stmt, local));
    found
}

/// How many statements assign the variable, apart from loops that bind it.
pub(super) fn assignments(block: &Block, local: LocalId) -> usize {
    let mut count = 0;
    crate::ir::visit::walk_block(block, &mut |stmt| match &stmt.kind {
        StmtKind::Let(target, _) => count += usize::from(*target == local),
        StmtKind::Call { into, .. } => count += usize::from(*into == Some(local)),
        StmtKind::Trial { ok, value, .. } => {
            count += usize::from(*ok == local);
            count += usize::from(value.as_ref().is_some_and(|(_, target)| *target == local));
        }
        _ => {}
    });
    count
}

/// Whether a loop binds the variable.
fn is_bound(block: &Block, local: LocalId) -> bool {
    let mut found = false;
    crate::ir::visit::walk_block(block, &mut |stmt| found |= binds(stmt, local));
    found
}

fn binds(stmt: &Stmt, local: LocalId) -> bool {
    match &stmt.kind {
        StmtKind::For { local: bound, .. } | StmtKind::ForEach(bound, ..) => *bound == local,
        _ => false,
    }
}

/// Whether the variable occurs outside the bodies of the loops that bind it.
fn used_outside_loops(block: &Block, local: LocalId) -> bool {
    block.iter().any(|stmt| {
        if reads_itself(stmt, local) {
            return true;
        }
        if binds(stmt, local) {
            return false;
        }
        let mut inner = false;
        stmt.blocks(&mut |block| inner |= used_outside_loops(block, local));
        inner || uses_itself(stmt, local)
    })
}

/// The variables that a block assigns.
pub(super) fn assigned(block: &Block) -> SortedSet<LocalId> {
    let mut found = SortedSet::new();
    crate::ir::visit::walk_block(block, &mut |stmt| match &stmt.kind {
        StmtKind::Let(target, _)
        | StmtKind::For { local: target, .. }
        | StmtKind::ForEach(target, ..) => {
            found.insert(*target);
        }
        StmtKind::Call { into, .. } => found.extend(*into),
        StmtKind::Trial { ok, value, .. } => {
            found.insert(*ok);
            found.extend(value.as_ref().map(|(_, target)| *target));
        }
        _ => {}
    });
    found
}
