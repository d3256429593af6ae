//! Renaming local variables, and which of them are still needed.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::cell::RefCell;

use crate::ir::flow::decided;
pub use crate::ir::visit::bound_in;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Block, Chance, Choose, Const, Count, Distribution, Expr, ExprKind, Function, LocalId, Over,
    Stmt, StmtKind,
};

/// Whether something gives a local variable another value.
pub fn assigns(block: &Block, wanted: LocalId) -> bool {
    let mut found = false;
    walk_block(block, &mut |stmt| {
        each_assigned(stmt, &mut |local| found |= local == wanted);
    });
    found
}

/// Replaces every local variable of a block, reads and writes alike.
pub fn rename_block(block: &mut Block, f: &mut dyn FnMut(LocalId) -> LocalId) {
    for stmt in block {
        rename_stmt(stmt, f);
    }
}

/// Replaces every local variable of an expression, those that it binds included.
pub fn rename_expr(expr: &mut Expr, f: &mut dyn FnMut(LocalId) -> LocalId) {
    match &mut expr.kind {
        ExprKind::Local(local)
        | ExprKind::Fold { local, .. }
        | ExprKind::Collect { local, .. }
        | ExprKind::First { local, .. }
        | ExprKind::Walk { local, .. }
        | ExprKind::Closure { local, .. } => *local = f(*local),
        _ => {}
    }
    expr.each_child_mut(|child| rename_expr(child, f));
}

/// Replaces every local variable of a statement.
pub fn rename_stmt(stmt: &mut Stmt, f: &mut dyn FnMut(LocalId) -> LocalId) {
    match &mut stmt.kind {
        StmtKind::Let(local, _)
        | StmtKind::For { local, .. }
        | StmtKind::ForEach(local, ..)
        | StmtKind::Call {
            into: Some(local), ..
        } => *local = f(*local),
        StmtKind::Trial { ok, value, .. } => {
            *ok = f(*ok);
            if let Some((_, local)) = value {
                *local = f(*local);
            }
        }
        StmtKind::Choose(choose) => {
            for local in choose.arms.iter_mut().flat_map(|arm| &mut arm.bind) {
                *local = f(*local);
            }
        }
        StmtKind::Chance(chance) => rename_chance(chance, f),
        _ => {}
    }
    stmt.children_mut(&mut |expr| rename_expr(expr, f));
    stmt.blocks_mut(&mut |block| rename_block(block, f));
}

/// Replaces what a draw binds; its expressions are left alone.
fn rename_chance(chance: &mut Chance, f: &mut dyn FnMut(LocalId) -> LocalId) {
    chance.into = f(chance.into);
    if let Distribution::Weighted { local, .. } = &mut chance.dist {
        *local = f(*local);
    }
}

/// Replaces the reads of local variables for which `f` gives another expression; variables that the
/// expression binds itself are left alone.
pub fn replace_reads(expr: &mut Expr, f: &dyn Fn(LocalId) -> Option<Expr>) {
    let bound = match &expr.kind {
        ExprKind::Local(local) => {
            if let Some(other) = f(*local) {
                *expr = other;
            }
            return;
        }
        ExprKind::Fold { local, .. }
        | ExprKind::Collect { local, .. }
        | ExprKind::First { local, .. }
        | ExprKind::Walk { local, .. }
        | ExprKind::Closure { local, .. } => *local,
        _ => return expr.children_mut(&mut |child| replace_reads(child, f)),
    };
    let inner = |local: LocalId| if local == bound { None } else { f(local) };
    match &mut expr.kind {
        ExprKind::Fold { over, body, .. }
        | ExprKind::Collect {
            over, when: body, ..
        }
        | ExprKind::First {
            over, when: body, ..
        } => {
            over.children_mut(&mut |child| replace_reads(child, f));
            replace_reads(body, &inner);
        }
        ExprKind::Walk { start, pass, .. }
        | ExprKind::Closure {
            from: start, pass, ..
        } => {
            replace_reads(start, f);
            replace_reads(pass, &inner);
        }
        _ => {}
    }
}

/// The variable of a loop, and its least and greatest values.
pub type Rounds = (LocalId, i64, i64);

/// The rounds of a loop over integers from one constant to another, if it has any.
pub fn rounds(stmt: &Stmt) -> Option<Rounds> {
    let StmtKind::For {
        local,
        from,
        to,
        count,
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let (Some(Const::Int(from)), Some(Const::Int(to))) = (from.as_const(), to.as_const()) else {
        return None;
    };
    let some = match count {
        Count::Up => from <= to,
        Count::Down => from >= to,
        Count::Toward => true,
    };
    some.then(|| (*local, *from.min(to), *from.max(to)))
}

/// The parameters of a function that nothing in it assigns.
pub fn kept(function: &Function) -> SortedSet<LocalId> {
    let set = assigned(&function.body);
    let params = (0..function.params).map(LocalId::from);
    params.filter(|param| !set.contains(param)).collect()
}

/// The local variables that a block gives values, those that its expressions bind included.
pub fn assigned(block: &[Stmt]) -> SortedSet<LocalId> {
    let mut assigned = SortedSet::new();
    walk_block(block, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            assigned.insert(local);
        });
    });
    walk_exprs(block, &mut |expr| assigned.extend(bound_in(expr)));
    assigned
}

/// Calls `f` on the local variables that a statement itself gives values.
pub fn each_assigned(stmt: &Stmt, f: &mut dyn FnMut(LocalId)) {
    match &stmt.kind {
        StmtKind::Let(local, _) | StmtKind::For { local, .. } | StmtKind::ForEach(local, ..) => {
            f(*local);
        }
        StmtKind::Call {
            into: Some(local), ..
        } => f(*local),
        StmtKind::Trial { ok, value, .. } => {
            f(*ok);
            if let Some((_, local)) = value {
                f(*local);
            }
        }
        StmtKind::Choose(choose) => {
            let bound = choose.arms.iter().flat_map(|arm| &arm.bind);
            bound.for_each(|local| f(*local));
        }
        StmtKind::Chance(chance) => {
            f(chance.into);
            if let Distribution::Weighted { local, .. } = &chance.dist {
                f(*local);
            }
        }
        _ => {}
    }
}

/// A set of local variables.
pub type Locals = SortedSet<LocalId>;

/// Adds the local variables that an expression reads from outside.
pub fn add_reads(expr: &Expr, live: &mut Locals) {
    let bound = match &expr.kind {
        ExprKind::Local(local) => {
            live.insert(*local);
            return;
        }
        ExprKind::Fold {
            local, over, body, ..
        } => Some((*local, over.as_ref(), body)),
        ExprKind::Collect { local, over, when } | ExprKind::First { local, over, when } => {
            Some((*local, over.as_ref(), when))
        }
        ExprKind::Walk {
            start, local, pass, ..
        } => {
            add_bound(*local, pass, live);
            return add_reads(start, live);
        }
        ExprKind::Closure {
            from, local, pass, ..
        } => {
            add_bound(*local, pass, live);
            return add_reads(from, live);
        }
        _ => None,
    };
    match bound {
        Some((local, over, body)) => {
            add_bound(local, body, live);
            add_over(over, live);
        }
        None => expr.children(&mut |child| add_reads(child, live)),
    }
}

fn add_bound(local: LocalId, body: &Expr, live: &mut Locals) {
    let mut inner = Locals::new();
    add_reads(body, &mut inner);
    inner.remove(&local);
    live.append(&mut inner);
}

fn add_over(over: &Over, live: &mut Locals) {
    over.children(&mut |expr| add_reads(expr, live));
}

/// Adds what the expressions of a draw read.
pub fn add_chance(chance: &Chance, live: &mut Locals) {
    match &chance.dist {
        Distribution::Uniform(a, b) => {
            add_reads(a, live);
            add_reads(b, live);
        }
        Distribution::Weighted {
            local,
            over,
            weight,
        } => {
            add_bound(*local, weight, live);
            add_over(over, live);
        }
    }
}

/// Adds what the expressions of a decision read.
pub fn add_choose(choose: &Choose, live: &mut Locals) {
    choose.children(&mut |expr| add_reads(expr, live));
}

/// What is needed where control may go from a block.
#[derive(Clone, Default)]
struct Exits<'n> {
    breaks: Locals,
    continues: Locals,
    fails: Locals,
    /// Variables from this number on are marks: a copy of one is a read only if the copy is needed.
    marks: Option<usize>,
    /// Where to note what is needed at each statement.
    noted: Option<&'n RefCell<Needs>>,
}

/// What is needed before and after each statement of a body, by its place in memory.
#[derive(Default)]
pub struct Needs {
    before: SortedMap<*const Stmt, Locals>,
    after: SortedMap<*const Stmt, Locals>,
}

impl Needs {
    /// The needs of a body, behind which nothing is needed.
    pub fn of(body: &[Stmt]) -> Needs {
        let noted = RefCell::new(Needs::default());
        let exits = Exits {
            noted: Some(&noted),
            ..Exits::default()
        };
        block_before(body, Locals::new(), &exits);
        noted.into_inner()
    }

    /// What is needed where control comes to a statement of the body.
    pub fn before(&self, stmt: &Stmt) -> &Locals {
        const NOTHING: &Locals = &Locals::new();
        self.before
            .get(&std::ptr::from_ref(stmt))
            .unwrap_or(NOTHING)
    }

    /// What is needed where control goes on behind a statement of the body.
    pub fn after(&self, stmt: &Stmt) -> &Locals {
        const NOTHING: &Locals = &Locals::new();
        self.after.get(&std::ptr::from_ref(stmt)).unwrap_or(NOTHING)
    }
}

/// The local variables whose values are needed before a block, given those needed after it.
///
/// Control that leaves the block by `break` or `continue` needs nothing.
pub fn live_before(block: &[Stmt], after: &Locals) -> Locals {
    block_before(block, after.clone(), &Exits::default())
}

/// As [`live_before`] with nothing needed behind the block, where variables from a number on are marks: one is needed only if
/// a variable that it is copied to is.
pub fn marks_before(block: &[Stmt], marks: usize) -> Locals {
    let exits = Exits {
        marks: Some(marks),
        ..Exits::default()
    };
    block_before(block, Locals::new(), &exits)
}

fn block_before(block: &[Stmt], after: Locals, exits: &Exits<'_>) -> Locals {
    let mut live = after;
    for stmt in block.iter().rev() {
        live = stmt_before(stmt, live, exits);
    }
    live
}

fn stmt_before(stmt: &Stmt, after: Locals, exits: &Exits<'_>) -> Locals {
    let Some(noted) = exits.noted else {
        return plain_before(stmt, after, exits);
    };
    let site = std::ptr::from_ref(stmt);
    // Rounds of a loop need more from one look at it to the next.
    noted.borrow_mut().after.insert(site, after.clone());
    let live = plain_before(stmt, after, exits);
    noted.borrow_mut().before.insert(site, live.clone());
    live
}

fn plain_before(stmt: &Stmt, after: Locals, exits: &Exits<'_>) -> Locals {
    let mut live = match &stmt.kind {
        StmtKind::Let(local, value)
            if exits.marks.is_some_and(
                |marks| matches!(value.kind, ExprKind::Local(from) if from.index() >= marks),
            ) && !after.contains(local) =>
        {
            return after;
        }
        StmtKind::Let(local, _) => without(after, &[*local]),
        StmtKind::Call { into, .. } => without(after, into.as_slice()),
        StmtKind::If(cond, yes, no) => match decided(cond) {
            Some(true) => block_before(yes, after, exits),
            Some(false) => block_before(no, after, exits),
            None => {
                let mut live = block_before(yes, after.clone(), exits);
                live.append(&mut block_before(no, after, exits));
                live
            }
        },
        StmtKind::For {
            local, count, body, ..
        } => {
            let at_least_once = *count == Count::Toward;
            loop_before(&[*local], None, body, after, exits, at_least_once)
        }
        StmtKind::ForEach(local, _, body) => {
            loop_before(&[*local], None, body, after, exits, false)
        }
        StmtKind::While { cond, body, .. } => match decided(cond) {
            Some(true) => {
                let exits = Exits {
                    breaks: after,
                    ..exits.clone()
                };
                endless_before(body, &exits)
            }
            Some(false) => after,
            None => loop_before(&[], Some(cond), body, after, exits, false),
        },
        StmtKind::Trial {
            body, ok, value, ..
        } => trial_before(body, *ok, value.as_ref(), after, exits),
        StmtKind::Choose(choose) => choose_before(choose, after, exits),
        StmtKind::Chance(chance) => without(after, &[chance.into]),
        StmtKind::Break => exits.breaks.clone(),
        StmtKind::Continue => exits.continues.clone(),
        StmtKind::Fail => exits.fails.clone(),
        StmtKind::Return(_)
        | StmtKind::End { .. }
        | StmtKind::Fault(_)
        | StmtKind::TooDeep
        | StmtKind::Stop(_) => Locals::new(),
        _ => after,
    };
    match &stmt.kind {
        StmtKind::Chance(chance) => add_chance(chance, &mut live),
        // What a trial computes at its end is read inside it.
        StmtKind::Trial { .. } => {}
        _ => stmt.children(&mut |expr| add_reads(expr, &mut live)),
    }
    live
}

fn without(mut live: Locals, locals: &[LocalId]) -> Locals {
    for local in locals {
        live.remove(local);
    }
    live
}

fn loop_before(
    bound: &[LocalId],
    cond: Option<&Expr>,
    body: &[Stmt],
    after: Locals,
    exits: &Exits<'_>,
    at_least_once: bool,
) -> Locals {
    let mut head = after.clone();
    if let Some(cond) = cond {
        add_reads(cond, &mut head);
    }
    loop {
        let inner = Exits {
            breaks: after.clone(),
            continues: head.clone(),
            fails: exits.fails.clone(),
            marks: exits.marks,
            noted: exits.noted,
        };
        let round = without(block_before(body, head.clone(), &inner), bound);
        let size = head.len();
        head.extend(&round);
        if head.len() == size {
            return if at_least_once { round } else { head };
        }
    }
}

/// As `loop_before`, for a loop that only a `break` ends.
fn endless_before(body: &[Stmt], exits: &Exits<'_>) -> Locals {
    let mut head = Locals::new();
    loop {
        let inner = Exits {
            continues: head.clone(),
            ..exits.clone()
        };
        let size = head.len();
        head = block_before(body, head, &inner);
        if head.len() == size {
            return head;
        }
    }
}

fn trial_before(
    body: &[Stmt],
    ok: LocalId,
    value: Option<&(Expr, LocalId)>,
    after: Locals,
    around: &Exits<'_>,
) -> Locals {
    let after = without(after, &[ok]);
    let mut end = after.clone();
    if let Some((value, _)) = value {
        add_reads(value, &mut end);
    }
    let exits = Exits {
        fails: after.clone(),
        marks: around.marks,
        noted: around.noted,
        ..Exits::default()
    };
    let mut live = block_before(body, end, &exits);
    live.extend(after);
    live
}

fn choose_before(choose: &Choose, after: Locals, exits: &Exits<'_>) -> Locals {
    let mut live = Locals::new();
    for arm in &choose.arms {
        let body = block_before(&arm.body, after.clone(), exits);
        live.extend(without(body, &arm.bind));
    }
    if let Some(otherwise) = &choose.otherwise {
        live.extend(block_before(otherwise, after, exits));
    }
    live
}
