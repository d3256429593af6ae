//! `outline`: parts of long bodies become functions of their own.
//!
//! A body that stays within a bound reads well and compiles in a time that grows with its length. What is taken out is the
//! largest statement, run of statements or expression that needs little of its surroundings: it reads some variables and gives
//! at most one, or it tells whether it left the body, or it always leaves its place in the same way.
//! Recursive functions are left alone, since each call would count.
//!
//! What is done one by one for those who listen, where operations on sets do the same for all others, becomes a function however
//! short the body is: it is in nobody's way there.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Block, Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Point, Stmt, StmtKind,
    Type,
};
use crate::source::Span;

use super::locals::{
    Locals, Needs, add_reads, bound_in, each_assigned, live_before, rename_block, rename_expr,
};
use super::simplify;

#[cfg(test)]
mod tests;

/// How long bodies may be, and what is taken out of them, in weights: roughly lines of text.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// A body up to this weight stays as it is; nothing heavier is taken out.
    pub(super) most: usize,
    /// What is taken out has at least this weight; what takes its place has up to 7.
    pub(super) least: usize,
}

const LIMITS: Limits = Limits {
    most: 220,
    least: 24,
};
/// Parameters that a part may have.
const PARAMS: usize = 10;
/// Parameters that a part may have which stops: it keeps what play goes on with, which it is given variable by variable.
const STOP_PARAMS: usize = 24;
/// Weight of a trial, which keeps and gives back what is written.
const TRIAL: usize = 24;

/// Takes parts out of all bodies that are too long.
pub fn run(game: &mut Game) {
    run_within(game, LIMITS);
}

/// As [`run`], with other limits.
pub(super) fn run_within(game: &mut Game, limits: Limits) {
    if game.machine.is_none() {
        return;
    }
    let effects = Effects::of(game);
    let first = game.functions.len();
    let mut parts = Parts {
        first,
        new: Vec::new(),
    };
    for index in 0..first {
        let func = FuncId::from(index);
        if effects.is_recursive(func) || decides(&game.functions[index].body) {
            continue;
        }
        let function = &mut game.functions[index];
        let owner = Owner {
            name: function.name.clone(),
            ret: function.ret.clone(),
            limits,
        };
        parts.shorten(&owner, &mut function.locals, &mut function.body);
    }
    if let Some(machine) = &mut game.machine {
        let locals = &mut machine.locals;
        let mut number = 0;
        let mut shorten = |locals: &mut Vec<Local>, body: &mut Block| {
            number += 1;
            let name = format!("step {number}");
            let owner = Owner {
                name,
                ret: None,
                limits,
            };
            parts.shorten(&owner, locals, body);
        };
        shorten(locals, &mut machine.start);
        for point in &mut machine.points {
            match point {
                Point::Choose(choose) => {
                    choose.blocks_mut(&mut |block| shorten(locals, block));
                }
                Point::Chance(_, block) => shorten(locals, block),
            }
        }
    }
    let mut names: SortedSet<String> = game.functions.iter().map(|f| f.name.clone()).collect();
    let mut new = parts.new;
    for function in &mut new {
        let base = function.name.clone();
        let mut number = 1;
        while !names.insert(function.name.clone()) {
            number += 1;
            function.name = format!("{base} {number}");
        }
    }
    game.functions.extend(new);
}

/// Whose body it is.
struct Owner {
    name: String,
    /// What `return` gives; nothing in blocks of the machine.
    ret: Option<Type>,
    limits: Limits,
}

/// The functions that parts become.
struct Parts {
    /// The number of the first of them.
    first: usize,
    new: Vec<Function>,
}

impl Parts {
    fn shorten(&mut self, owner: &Owner, locals: &mut Vec<Local>, body: &mut Block) {
        while let Some(part) = for_listeners(owner, body) {
            self.take_out(part, owner, locals, body);
        }
        while weight(body) > owner.limits.most {
            let Some(part) = largest(owner, body) else {
                return;
            };
            self.take_out(part, owner, locals, body);
        }
    }

    fn take_out(&mut self, part: Part, owner: &Owner, locals: &mut Vec<Local>, body: &mut Block) {
        let func = FuncId::from(self.first + self.new.len());
        self.new.push(part.function(owner, locals));
        part.replace(func, locals, body);
    }
}

/// Roughly the lines of a block as text.
fn weight(block: &[Stmt]) -> usize {
    block.iter().map(stmt_weight).sum()
}

fn stmt_weight(stmt: &Stmt) -> usize {
    let mut total = 1;
    stmt.children(&mut |expr| total += expr_weight(expr));
    stmt.blocks(&mut |block| total += 1 + weight(block));
    if let StmtKind::Trial { .. } = stmt.kind {
        total += TRIAL;
    }
    total
}

fn expr_weight(expr: &Expr) -> usize {
    let mut nodes = 0;
    expr.walk(&mut |_| nodes += 1);
    weight_of_nodes(nodes)
}

fn weight_of_nodes(nodes: usize) -> usize {
    nodes * 2 / 3
}

/// Where a block lies in a body: statement and block within it, again and again.
type Path = Vec<(usize, usize)>;

/// Something that can stand alone.
struct Part {
    path: Path,
    from: usize,
    what: What,
    params: Vec<LocalId>,
    weight: usize,
    span: Span,
}

enum What {
    /// Statements, and the variable that they give.
    Run(Block, Option<LocalId>),
    /// Statements that may leave the body by this.
    Leaving(Block, Box<Stmt>),
    /// Statements that stop or leave by this wherever they come to an end, and the variable that they give.
    Tail(Block, Box<Stmt>, Option<LocalId>),
    /// A part of the expressions of a statement, by its number in a walk.
    Value(Expr, usize),
}

/// The largest part of a body that can stand alone and is not too large.
fn largest(owner: &Owner, body: &Block) -> Option<Part> {
    let mut found: Option<Part> = None;
    let mut search = Search {
        owner,
        needs: Needs::of(body),
        found: &mut found,
    };
    search.block(body, &mut Vec::new());
    found
}

/// What is done for those who listen, if that is long and can stand alone.
fn for_listeners(owner: &Owner, body: &Block) -> Option<Part> {
    let mut found = None;
    let mut search = Search {
        owner,
        needs: Needs::of(body),
        found: &mut found,
    };
    search.listened(body, &mut Vec::new());
    found
}

/// Whether a condition asks whether somebody listens.
fn asks_for_listeners(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |part| found |= part.kind == ExprKind::Listened);
    found
}

/// What is known of a statement and the blocks in it.
struct Summary {
    weight: usize,
    assigned: Locals,
    /// Whether it can be part of a run at all.
    sound: bool,
}

impl Summary {
    fn of(stmt: &Stmt) -> Summary {
        let run = std::slice::from_ref(stmt);
        Summary {
            weight: stmt_weight(stmt),
            assigned: assigned(run),
            sound: leaves(run, 0).is_some(),
        }
    }
}

struct Search<'a> {
    owner: &'a Owner,
    /// What is needed at each statement of the whole body.
    needs: Needs,
    found: &'a mut Option<Part>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block, path: &mut Path) {
        let facts: Vec<Summary> = block.iter().map(Summary::of).collect();
        for (at, stmt) in block.iter().enumerate() {
            self.runs(block, &facts, at, path);
            self.values(stmt, at, path);
            let mut inner = 0;
            stmt.blocks(&mut |block| {
                path.push((at, inner));
                self.block(block, path);
                path.pop();
                inner += 1;
            });
        }
    }

    /// The first branch for listeners.
    fn listened(&mut self, block: &Block, path: &mut Path) {
        for (at, stmt) in block.iter().enumerate() {
            if let StmtKind::If(cond, told, _) = &stmt.kind
                && asks_for_listeners(cond)
                && weight(told) >= self.owner.limits.least
                && let Some((what, params)) = self.alone(told)
            {
                path.push((at, 0));
                *self.found = Some(Part {
                    path: path.clone(),
                    from: 0,
                    what,
                    params,
                    weight: weight(told),
                    span: stmt.span,
                });
                return;
            }
            let mut inner = 0;
            stmt.blocks(&mut |block| {
                path.push((at, inner));
                if self.found.is_none() {
                    self.listened(block, path);
                }
                path.pop();
                inner += 1;
            });
        }
    }

    fn is_better(&self, weight: usize) -> bool {
        let limits = self.owner.limits;
        let best = self
            .found
            .as_ref()
            .map_or(limits.least - 1, |part| part.weight);
        weight <= limits.most && weight > best
    }

    /// Runs of statements that begin here: only the longest of them.
    fn runs(&mut self, block: &Block, facts: &[Summary], from: usize, path: &Path) {
        let mut ends = Vec::new();
        let mut total = 0;
        let mut assigned = Locals::new();
        for (at, facts) in facts.iter().enumerate().skip(from) {
            total += facts.weight;
            if total > self.owner.limits.most || !facts.sound {
                break;
            }
            assigned.extend(&facts.assigned);
            let given = assigned.intersection(self.needs.after(&block[at])).count();
            // Of what leaves at its end nothing is read behind it.
            if given <= 1 || always_leaves(&block[at..=at]) {
                ends.push((at + 1, total));
            }
        }
        // All of a body would only change its name.
        if path.is_empty() && from == 0 {
            ends.retain(|(end, _)| *end < block.len());
        }
        for (end, weight) in ends.into_iter().rev() {
            if !self.is_better(weight) {
                return;
            }
            let run = &block[from..end];
            if let Some((what, params)) = self.alone(run) {
                let part = Part {
                    path: path.clone(),
                    from,
                    what,
                    params,
                    weight,
                    span: run[0].span,
                };
                *self.found = Some(part);
                return;
            }
        }
    }

    /// A run as a function, with what it reads.
    fn alone(&self, run: &[Stmt]) -> Option<(What, Vec<LocalId>)> {
        let leaves = leaves(run, 0)?;
        if always_leaves(run) {
            match &leaves {
                Some(leave) if !matches!(leave.kind, StmtKind::Return(Some(_))) => {
                    return self.tail(run, leave);
                }
                None if stops(run) => {
                    return self.tail(run, &Stmt::new(StmtKind::Return(None), run[0].span));
                }
                _ => {}
            }
        }
        let out = only(&assigned(run), self.needs.after(run.last()?))?;
        let what = match leaves {
            None => What::Run(run.to_vec(), out),
            Some(_) if out.is_some() => return None,
            Some(leave) => {
                let same = match (&leave.kind, &self.owner.ret) {
                    (StmtKind::Return(None), None) => true,
                    (StmtKind::Return(Some(value)), Some(_)) => {
                        matches!(value.as_const(), Some(Const::Bool(_)))
                    }
                    _ => false,
                };
                // Nobody could tell that control never comes behind a loop that is left by returns only.
                let looped = matches!(run.last()?.kind, StmtKind::While { .. });
                if !same || looped {
                    return None;
                }
                What::Leaving(run.to_vec(), Box::new(leave))
            }
        };
        let params = live_before(run, &out.into_iter().collect());
        few(run, &params).then(|| (what, params.into_iter().collect()))
    }

    /// A run that leaves in one way, or stops, wherever it comes to an end.
    fn tail(&self, run: &[Stmt], leave: &Stmt) -> Option<(What, Vec<LocalId>)> {
        let out = match leave.kind {
            // Nothing is read behind it.
            StmtKind::Return(_) => None,
            _ => {
                let mut needed = Locals::new();
                self.needed_where_left(run, &mut needed);
                only(&assigned(run), &needed)?
            }
        };
        let mut left = run.to_vec();
        // Only whether something is read before it is assigned matters here.
        let given = out.map(|out| Expr::local(out, Type::Bool, leave.span));
        leave_by(&mut left, &StmtKind::Return(given));
        let params = live_before(&left, &Locals::new());
        let what = What::Tail(run.to_vec(), Box::new(leave.clone()), out);
        few(run, &params).then(|| (what, params.into_iter().collect()))
    }

    /// What is needed where a run goes on with the loop around it, or leaves that.
    fn needed_where_left(&self, run: &[Stmt], needed: &mut Locals) {
        for stmt in run {
            match stmt.kind {
                StmtKind::Break | StmtKind::Continue => needed.extend(self.needs.before(stmt)),
                StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {}
                _ => stmt.blocks(&mut |block| self.needed_where_left(block, needed)),
            }
        }
    }

    /// Parts of the expressions of a statement.
    fn values(&mut self, stmt: &Stmt, at: usize, path: &Path) {
        // What loops and tests ask again and again stays beside them.
        if let StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Emit(_) = stmt.kind {
            return;
        }
        let mut nodes = Vec::new();
        stmt.children(&mut |expr| {
            count_nodes(expr, &mut nodes);
        });
        let mut values = Values {
            nodes,
            number: 0,
            around: Vec::new(),
            path,
            at,
        };
        stmt.children(&mut |expr| self.value(expr, &mut values));
    }

    /// An expression and those in it.
    fn value(&mut self, expr: &Expr, values: &mut Values<'_>) {
        let number = values.number;
        values.number += 1;
        let weight = weight_of_nodes(values.nodes[number]);
        if self.is_better(weight) {
            let mut params = Locals::new();
            add_reads(expr, &mut params);
            // Variables that an expression around it binds are not declared with their own types everywhere.
            let free = !values.around.iter().any(|local| params.contains(local));
            if free && params.len() <= PARAMS {
                *self.found = Some(Part {
                    path: values.path.clone(),
                    from: values.at,
                    span: expr.span,
                    params: params.into_iter().collect(),
                    what: What::Value(expr.clone(), number),
                    weight,
                });
            }
        }
        let bound = bound_in(expr);
        values.around.extend(bound);
        expr.children(&mut |child| self.value(child, values));
        if bound.is_some() {
            values.around.pop();
        }
    }
}

/// A walk over the expressions of a statement.
struct Values<'p> {
    /// How many nodes each has with all in it, by its number in the walk.
    nodes: Vec<usize>,
    /// The number of the next.
    number: usize,
    /// The variables that the expressions around it bind.
    around: Vec<LocalId>,
    path: &'p Path,
    /// The statement in its block.
    at: usize,
}

/// Notes how many nodes an expression and each in it have, in the order of a walk.
fn count_nodes(expr: &Expr, out: &mut Vec<usize>) -> usize {
    let at = out.len();
    out.push(0);
    let mut nodes = 1;
    expr.children(&mut |child| nodes += count_nodes(child, out));
    out[at] = nodes;
    nodes
}

/// The way in which a run leaves the body: nothing if it never does. None if it cannot stand alone.
#[allow(
    clippy::option_option,
    reason = "whether it can be told, and what it is"
)]
fn leaves(run: &[Stmt], loops: usize) -> Option<Option<Stmt>> {
    let mut way: Option<Stmt> = None;
    for stmt in run {
        let inner = match &stmt.kind {
            StmtKind::Choose(_) | StmtKind::Chance(_) => return None,
            StmtKind::Break | StmtKind::Continue if loops == 0 => {
                join(&mut way, stmt)?;
                continue;
            }
            StmtKind::Return(_) => {
                join(&mut way, stmt)?;
                continue;
            }
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => loops + 1,
            // What leaves a trial drops it, too.
            StmtKind::Trial { body, .. } => {
                if leaves(body, 0)?.is_some() {
                    return None;
                }
                continue;
            }
            _ => loops,
        };
        let mut sound = true;
        stmt.blocks(&mut |block| match leaves(block, inner) {
            Some(Some(found)) => sound &= join(&mut way, &found).is_some(),
            Some(None) => {}
            None => sound = false,
        });
        if !sound {
            return None;
        }
    }
    Some(way)
}

fn join(way: &mut Option<Stmt>, other: &Stmt) -> Option<()> {
    match way {
        None => *way = Some(other.clone()),
        Some(known) => {
            let same = match (&known.kind, &other.kind) {
                (StmtKind::Return(Some(a)), StmtKind::Return(Some(b))) => a.kind == b.kind,
                (a, b) => a == b,
            };
            if !same {
                return None;
            }
        }
    }
    Some(())
}

/// Whether some statement of a run stops.
fn stops(run: &[Stmt]) -> bool {
    let mut found = false;
    walk_block(run, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Stop(_))
    });
    found
}

/// Whether a run needs few parameters. Their list is as long as what a single stop keeps of them.
fn few(run: &[Stmt], params: &Locals) -> bool {
    let most = match stops(run) {
        true => STOP_PARAMS.min(weight(run) / 2),
        false => 0,
    };
    params.len() <= most.max(PARAMS)
}

/// Whether the control state of a body is not explicit: the machine stands for it.
fn decides(body: &[Stmt]) -> bool {
    let mut found = false;
    walk_block(body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Choose(_) | StmtKind::Chance(_));
    });
    found
}

fn assigned(run: &[Stmt]) -> Locals {
    let mut assigned = Locals::new();
    walk_block(run, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            assigned.insert(local);
        });
    });
    assigned
}

/// The variable that is in both sets, if there is at most one.
#[allow(
    clippy::option_option,
    reason = "whether it can stand alone, and what it gives"
)]
fn only(assigned: &Locals, needed: &Locals) -> Option<Option<LocalId>> {
    let mut both = assigned.intersection(needed).copied();
    let one = both.next();
    both.next().is_none().then_some(one)
}

/// Whether control never comes to the end of a run.
fn always_leaves(run: &[Stmt]) -> bool {
    run.last().is_some_and(simplify::leaves)
}

/// A block with another way to leave it.
fn leaving(block: &mut Block) {
    for stmt in block {
        if let StmtKind::Return(_) = stmt.kind {
            *stmt = Stmt::give(Expr::bool(true, stmt.span));
        }
        stmt.blocks_mut(&mut leaving);
    }
}

/// Another way to leave where a block goes on with the loop around it, or leaves that.
fn leave_by(block: &mut Block, way: &StmtKind) {
    for stmt in block {
        match stmt.kind {
            StmtKind::Break | StmtKind::Continue => stmt.kind = way.clone(),
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {}
            _ => stmt.blocks_mut(&mut |block| leave_by(block, way)),
        }
    }
}

impl Part {
    /// The function of a part.
    fn function(&self, owner: &Owner, locals: &[Local]) -> Function {
        let mut kept: Vec<LocalId> = self.params.clone();
        let mut keep = |local: LocalId| match kept.iter().position(|kept| *kept == local) {
            Some(at) => LocalId::from(at),
            None => {
                kept.push(local);
                LocalId::from(kept.len() - 1)
            }
        };
        let (body, ret) = match &self.what {
            What::Run(run, out) => {
                let mut body = run.clone();
                rename_block(&mut body, &mut keep);
                let ret = out.map(|out| {
                    let ty = locals[out.index()].ty.clone();
                    let value = Expr::local(keep(out), ty.clone(), self.span);
                    body.push(Stmt::give(value));
                    ty
                });
                (body, ret)
            }
            What::Leaving(run, _) => {
                let mut body = run.clone();
                leaving(&mut body);
                rename_block(&mut body, &mut keep);
                if !always_leaves(run) {
                    body.push(Stmt::give(Expr::bool(false, self.span)));
                }
                (body, Some(Type::Bool))
            }
            What::Tail(run, _, out) => {
                let ty = out.map(|out| locals[out.index()].ty.clone());
                let value = out.zip(ty.clone());
                let value = value.map(|(out, ty)| Expr::local(out, ty, self.span));
                let mut body = run.clone();
                leave_by(&mut body, &StmtKind::Return(value));
                rename_block(&mut body, &mut keep);
                (body, ty)
            }
            What::Value(expr, _) => {
                let mut expr = expr.clone();
                rename_expr(&mut expr, &mut keep);
                let ty = expr.ty.clone();
                (vec![Stmt::give(expr)], Some(ty))
            }
        };
        Function {
            name: format!("{} part", owner.name),
            params: self.params.len(),
            locals: kept.iter().map(|l| locals[l.index()].clone()).collect(),
            ret,
            body,
            doc: String::new(),
            span: self.span,
        }
    }

    /// Puts a call in the place of a part.
    fn replace(self, func: FuncId, locals: &mut Vec<Local>, body: &mut Block) {
        let span = self.span;
        let args = self.params.iter().map(|local| {
            let ty = locals[local.index()].ty.clone();
            Expr::local(*local, ty, span)
        });
        let args: Vec<Expr> = args.collect();
        let call = |into| {
            let args = args.clone();
            Stmt::new(StmtKind::Call { func, args, into }, span)
        };
        let Some(block) = at_path(body, &self.path) else {
            return;
        };
        match self.what {
            What::Run(run, out) => {
                block.splice(self.from..self.from + run.len(), [call(out)]);
            }
            What::Leaving(run, leave) => {
                locals.push(Local {
                    name: String::from("left"),
                    ty: Type::Bool,
                });
                let left = LocalId::from(locals.len() - 1);
                let test = Expr::local(left, Type::Bool, span);
                let after = match always_leaves(&run) {
                    true => *leave,
                    false => Stmt::branch(test, vec![*leave], Block::new()),
                };
                block.splice(self.from..self.from + run.len(), [call(Some(left)), after]);
            }
            What::Tail(run, leave, out) => {
                block.splice(self.from..self.from + run.len(), [call(out), *leave]);
            }
            What::Value(expr, number) => {
                let value = Expr::new(ExprKind::Call(func, args), expr.ty, span);
                let mut at = 0;
                block[self.from].children_mut(&mut |expr| put(expr, &mut at, number, &value));
            }
        }
    }
}

fn put(expr: &mut Expr, at: &mut usize, number: usize, value: &Expr) {
    let here = *at;
    *at += 1;
    if here == number {
        *expr = value.clone();
        return;
    }
    expr.children_mut(&mut |child| put(child, at, number, value));
}

fn at_path<'a>(body: &'a mut Block, path: &[(usize, usize)]) -> Option<&'a mut Block> {
    let Some(((stmt, inner), rest)) = path.split_first() else {
        return Some(body);
    };
    let mut found = None;
    let mut number = 0;
    body.get_mut(*stmt)?.blocks_mut(&mut |block| {
        if number == *inner {
            found = Some(block);
        }
        number += 1;
    });
    at_path(found?, rest)
}
