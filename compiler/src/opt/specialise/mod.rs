//! `specialise`: functions get a copy for each set of arguments that are known when they are called.
//!
//! Constants that local variables hold on the way are carried forward ([`forward`]). A call with arguments that are
//! constants, or look-ups by one member, calls a copy of the function in which they stand in the place of the parameters;
//! chains of look-ups by that member then become one table ([`compose`]): a neighbour of a place is one step.
//! Copies that gain nothing are dropped again. A function that calls itself is copied for constants that it hands on to itself.

mod apart;
pub(super) mod compose;
mod forward;
pub(super) mod own;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::{Effects, may_fault};
use crate::ir::visit::{nodes, walk_block, walk_exprs};
use crate::ir::{
    Block, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind, Type,
};

use super::fold_constants::{drop_functions, drop_tables, simpler, simplify};
use super::locals::{kept, rename_block};
use super::simplify::Simplifier;
use super::tables::numbered;
use crate::ir::same::placeless;
use compose::Tables;
use forward::{Forward, Known, Params, Visit, member};

/// Copies that a function may have.
const COPIES: usize = 12;
/// Nodes of a function that may be copied.
const NODES: usize = 600;
/// The same of one that an expression calls: longer ones stand for themselves, as what attacks a square, and what they are
/// handed is worked out but once.
const CALLED_NODES: usize = 60;
/// Nodes that all copies together may have.
const ALL_NODES: usize = 20_000;
/// How deep copies may call copies.
const DEPTH: usize = 8;

/// Specialises all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    apart::run(game);
    copy_all(game);
    own::run(game);
}

/// Makes the copies that gain something.
fn copy_all(game: &mut Game) {
    let effects = Effects::of(game);
    let roots = roots(game, &effects);
    let functions = std::mem::take(&mut game.functions);
    let mut work = Work {
        effects: &effects,
        tables: Tables::of(game),
        functions: &functions,
        copies: SortedMap::new(),
        made: Vec::new(),
        nodes: 0,
    };
    let mut rewritten = functions.clone();
    work.reached(&roots, &mut rewritten);
    rewritten.extend(work.made);
    game.functions = rewritten;
    drop_functions(game);
    simplify(game);
    drop_tables(game);
}

/// The functions that are asked for by other things than calls, and those that stop.
fn roots(game: &Game, effects: &Effects) -> Vec<FuncId> {
    let mut roots = crate::ir::walk::roots(game);
    let all = (0..game.functions.len()).map(FuncId::from);
    roots.extend(all.filter(|&func| effects.function(func).suspends));
    let mut found = Vec::new();
    crate::ir::walk::walk_free(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            found.push(*func);
        }
    });
    roots.extend(found);
    roots
}

/// The functions that a body calls.
fn called(body: &Block) -> SortedSet<FuncId> {
    let mut called = SortedSet::new();
    walk_exprs(body, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            called.insert(*func);
        }
    });
    walk_block(body, &mut |stmt| {
        if let StmtKind::Call { func, .. } = &stmt.kind {
            called.insert(*func);
        }
    });
    called
}

/// The parameters that a function hands on to itself as they are, wherever it calls itself.
fn handed_on(function: &Function, func: FuncId) -> SortedSet<LocalId> {
    let mut handed = kept(function);
    let mut calls = |args: &[Expr]| {
        handed.retain(|param| {
            let arg = args.get(param.index());
            arg.is_some_and(|arg| arg.kind == ExprKind::Local(*param))
        });
    };
    walk_exprs(&function.body, &mut |expr| match &expr.kind {
        ExprKind::Call(called, args) if *called == func => calls(args),
        _ => {}
    });
    walk_block(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Call {
            func: called, args, ..
        } if *called == func => calls(args),
        _ => {}
    });
    handed
}

/// What is known of an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Argument {
    /// Nothing.
    Any,
    /// Its value, or how it follows from the member that is the copy's parameter of this number; as text, which tells
    /// apart what differs.
    Is(String),
}

/// What a copy is made for: the function, and what is known of its arguments.
type Key = (FuncId, Vec<Argument>);

struct Work<'a> {
    effects: &'a Effects,
    tables: Tables<'a>,
    /// The functions as they were before there were copies.
    functions: &'a [Function],
    /// The copies; nothing where one gained nothing.
    copies: SortedMap<Key, Option<FuncId>>,
    made: Vec<Function>,
    nodes: usize,
}

impl Work<'_> {
    /// Specialises what is reached from the roots; what only copies replace is left as it is.
    fn reached(&mut self, roots: &[FuncId], functions: &mut [Function]) {
        let mut waiting: Vec<FuncId> = roots.to_vec();
        let mut seen = SortedSet::new();
        let mut looked = 0;
        loop {
            while let Some(func) = waiting.pop() {
                let Some(function) = functions.get_mut(func.index()) else {
                    continue;
                };
                if !seen.insert(func) {
                    continue;
                }
                if !self.effects.function(func).suspends {
                    self.function(function, 0);
                }
                waiting.extend(called(&function.body));
            }
            if looked == self.made.len() {
                return;
            }
            for made in &self.made[looked..] {
                waiting.extend(called(&made.body));
            }
            looked = self.made.len();
        }
    }

    /// Carries values through a function and specialises its calls; whether that gained anything.
    fn function(&mut self, function: &mut Function, depth: usize) -> bool {
        let before = self.tables.composed;
        let visitor = Visitor {
            locals: &function.locals,
            depth,
            calls: 0,
            work: self,
        };
        let mut forward = Forward {
            locals: &function.locals,
            visitor,
        };
        forward.function(&mut function.body);
        forward.visitor.calls > 0 || self.tables.composed > before
    }

    fn is_short(&self, func: FuncId) -> bool {
        let function = self.functions.get(func.index());
        function.is_some_and(|function| nodes(&function.body) <= CALLED_NODES)
    }

    /// Turns a call to a copy, if there is one that gains something.
    fn call(
        &mut self,
        (func, args): (&mut FuncId, &mut Vec<Expr>),
        known: &Known,
        locals: &[Local],
        depth: usize,
    ) -> bool {
        let old = *func;
        if depth == DEPTH || old.index() >= self.functions.len() {
            return false;
        }
        if self.effects.function(old).suspends {
            return false;
        }
        let mut wanted: Vec<Wanted> = args
            .iter()
            .map(|arg| Wanted::of(arg, known, locals))
            .collect();
        if self.effects.is_recursive(old) {
            self.keep_handed_on(old, &mut wanted);
        }
        if wanted.iter().all(|wanted| matches!(wanted, Wanted::Any)) {
            return false;
        }
        let copy = Copy::new(args, &wanted);
        let key = (old, copy.key.clone());
        let known = self.copies.get(&key).copied();
        let Some(new) = known.unwrap_or_else(|| self.copy(key, &copy, locals, depth)) else {
            return false;
        };
        *func = new;
        *args = copy.args;
        true
    }

    fn copy(&mut self, key: Key, copy: &Copy, locals: &[Local], depth: usize) -> Option<FuncId> {
        let old = key.0;
        let function = &self.functions[old.index()];
        let same = self
            .copies
            .iter()
            .filter(|((func, _), made)| *func == old && made.is_some());
        let number = same.count() + 1;
        let size = nodes(&function.body);
        if number > COPIES || size > NODES || self.nodes + size > ALL_NODES {
            return None;
        }
        let mut made = copy.function(function, locals);
        made.name = self.unused(&function.name, number);
        let constant = copy
            .values
            .iter()
            .flatten()
            .any(|value| value.as_const().is_some());
        if constant {
            // Branches that a constant decides hide what follows from members in them.
            let simplifier = Simplifier {
                game: self.tables.game,
                effects: self.effects,
            };
            made = simpler(&made, &simplifier);
        }
        let kept = (self.made.len(), self.nodes);
        self.nodes += size;
        if self.effects.is_recursive(old) {
            return Some(self.copy_of_recursive(key, made, depth));
        }
        let gains = self.function(&mut made, depth + 1);
        if !(gains || constant || self.looks_around(old, copy, locals)) {
            // What it calls now may be of use to others only if they are copied again.
            self.made.truncate(kept.0);
            self.nodes = kept.1;
            self.copies.retain(|_, func| {
                func.is_none_or(|func| func.index() < self.functions.len() + kept.0)
            });
            self.copies.insert(key, None);
            return None;
        }
        let new = FuncId::from(self.functions.len() + self.made.len());
        self.made.push(made);
        self.copies.insert(key, Some(new));
        Some(new)
    }
}

impl Work<'_> {
    /// A name for a copy that no function has: with this number behind it, or the next that is free.
    fn unused(&self, name: &str, number: usize) -> String {
        let all = self.functions.iter().chain(&self.made);
        numbered(name, number, &|name| {
            all.clone().any(|other| other.name == name)
        })
    }

    /// Of a function that calls itself, only constants matter that it hands on to itself as they are.
    fn keep_handed_on(&self, func: FuncId, wanted: &mut [Wanted]) {
        let mut handed = handed_on(&self.functions[func.index()], func);
        // Who comes back by another function may bring anything.
        let others = self.effects.reaches(func).iter();
        let mut others = others.filter(|other| **other != func);
        if others.any(|other| self.effects.reaches(*other).contains(&func)) {
            handed.clear();
        }
        for (param, wanted) in wanted.iter_mut().enumerate() {
            let constant = matches!(wanted, Wanted::Is(_, None));
            if !constant || !handed.contains(&LocalId::from(param)) {
                *wanted = Wanted::Any;
            }
        }
    }

    /// Keeps a copy of a function that calls itself: where that did, the copy calls the copy.
    fn copy_of_recursive(&mut self, key: Key, mut made: Function, depth: usize) -> FuncId {
        let at = self.made.len();
        let new = FuncId::from(self.functions.len() + at);
        self.made.push(made.clone());
        self.copies.insert(key, Some(new));
        self.function(&mut made, depth + 1);
        self.made[at] = made;
        new
    }

    /// Whether a copy asks in loops what stands around a place that it is given instead of coordinates: what it comes to can be
    /// told for each place (`patterns`, `rays`).
    fn looks_around(&self, func: FuncId, copy: &Copy, locals: &[Local]) -> bool {
        let game = &self.tables.game;
        let mut asked = self.effects.function(func).reads.placements.iter();
        let (Some(placement), None, [member]) = (asked.next(), asked.next(), &copy.members[..])
        else {
            return false;
        };
        let place = Type::Elem(game.placement(*placement).places);
        let mut reached = self.effects.reaches(func).iter().chain([&func]);
        locals[member.index()].ty == place
            && reached.any(|func| {
                let function = self.functions.get(func.index());
                self.effects.is_recursive(*func)
                    || function.is_some_and(|function| {
                        let mut loops = false;
                        walk_block(&function.body, &mut |stmt| {
                            loops |=
                                matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
                        });
                        loops
                    })
            })
    }
}

/// What is done in one function.
struct Visitor<'w, 'a, 'l> {
    work: &'w mut Work<'a>,
    locals: &'l [Local],
    depth: usize,
    /// How many calls became calls of copies.
    calls: usize,
}

impl Visitor<'_, '_, '_> {
    fn function(&mut self, func: &mut FuncId, args: &mut Vec<Expr>, known: &Known) {
        let call = (func, args);
        let specialised = self.work.call(call, known, self.locals, self.depth);
        self.calls += usize::from(specialised);
    }

    fn functions(&mut self, expr: &mut Expr, known: &Known) {
        expr.children_mut(&mut |child| self.functions(child, known));
        if let ExprKind::Call(func, args) = &mut expr.kind
            && self.work.is_short(*func)
        {
            self.function(func, args, known);
        }
    }
}

impl Visit for Visitor<'_, '_, '_> {
    fn expr(&mut self, expr: &mut Expr, known: &Known) {
        self.functions(expr, known);
        let params = Params::new();
        self.work.tables.expr(expr, known, self.locals, &params);
    }

    fn call(&mut self, stmt: &mut Stmt, known: &Known) {
        if let StmtKind::Call { func, args, .. } = &mut stmt.kind {
            self.function(func, args, known);
        }
    }

    fn is_sure(&self, expr: &Expr) -> bool {
        let mut sure = true;
        expr.walk(&mut |expr| sure &= !may_fault(self.work.tables.game, expr));
        sure
    }
}

/// Puts constants and copies in the place of the local variables of a function.
pub(super) fn carry(function: &mut Function) {
    let mut forward = Forward {
        locals: &function.locals,
        visitor: Nothing,
    };
    forward.function(&mut function.body);
}

/// Nothing is done on the way.
struct Nothing;

impl Visit for Nothing {
    fn expr(&mut self, _: &mut Expr, _: &Known) {}

    fn call(&mut self, _: &mut Stmt, _: &Known) {}

    fn is_sure(&self, _: &Expr) -> bool {
        false
    }
}

/// What a caller knows of an argument.
enum Wanted {
    Any,
    /// A constant, or an expression in which one local variable stands: a member.
    Is(Expr, Option<LocalId>),
}

impl Wanted {
    fn of(arg: &Expr, known: &Known, locals: &[Local]) -> Wanted {
        let value = known.resolved(arg);
        if value.as_const().is_some() {
            return Wanted::Is(value, None);
        }
        match member(&value, locals) {
            Some(member) if compose::lookups(&value) > 0 => Wanted::Is(value, Some(member)),
            _ => Wanted::Any,
        }
    }
}

/// A copy of a function as a caller wants it.
struct Copy {
    /// What the copy is called with.
    args: Vec<Expr>,
    /// The members that stand in for other arguments: the first parameters of the copy.
    members: Vec<LocalId>,
    /// For each parameter of the original what it is, in terms of the members by number.
    values: Vec<Option<Expr>>,
    key: Vec<Argument>,
}

impl Copy {
    fn new(args: &[Expr], wanted: &[Wanted]) -> Copy {
        let mut members: Vec<LocalId> = Vec::new();
        let mut given = Vec::new();
        let mut values = Vec::new();
        let mut key = Vec::new();
        for (arg, wanted) in args.iter().zip(wanted) {
            match wanted {
                Wanted::Any => {
                    given.push(arg.clone());
                    values.push(None);
                    key.push(Argument::Any);
                }
                Wanted::Is(value, member) => {
                    let mut value = value.clone();
                    if let Some(member) = member {
                        let known = members.iter().position(|other| other == member);
                        let number = known.unwrap_or_else(|| {
                            members.push(*member);
                            members.len() - 1
                        });
                        super::locals::rename_expr(&mut value, &mut |_| LocalId::from(number));
                    }
                    key.push(Argument::Is(format!("{:?}", placeless(&value))));
                    values.push(Some(value));
                }
            }
        }
        let mut args: Vec<Expr> = Vec::new();
        for &member in &members {
            let ty = wanted.iter().find_map(|wanted| match wanted {
                Wanted::Is(value, Some(other)) if *other == member => type_of(value, member),
                _ => None,
            });
            let (ty, span) = ty.unwrap_or((Type::Bool, crate::source::Span::default()));
            args.push(Expr::local(member, ty, span));
        }
        args.extend(given);
        Copy {
            args,
            members,
            values,
            key,
        }
    }

    /// The function with what is known assigned at its start.
    fn function(&self, old: &Function, locals: &[Local]) -> Function {
        let mut new = old.clone();
        let free: Vec<usize> = (0..old.params)
            .filter(|&param| self.values[param].is_none())
            .collect();
        let params = self.members.len() + free.len();
        let mut declared: Vec<Local> = self
            .members
            .iter()
            .map(|member| locals[member.index()].clone())
            .collect();
        declared.extend(free.iter().map(|&param| old.locals[param].clone()));
        let place = |local: LocalId| match free.iter().position(|&param| param == local.index()) {
            Some(place) => LocalId::from(self.members.len() + place),
            None => LocalId::from(params + local.index()),
        };
        declared.extend(old.locals.iter().cloned());
        rename_block(&mut new.body, &mut |local| place(local));
        let known = self.values.iter().enumerate();
        let mut body: Block = known
            .filter_map(|(param, value)| {
                Some(Stmt::assign(place(LocalId::from(param)), value.clone()?))
            })
            .collect();
        body.append(&mut new.body);
        new.body = body;
        new.locals = declared;
        new.params = params;
        new
    }
}

/// The type and place of a local variable in an expression.
fn type_of(expr: &Expr, local: LocalId) -> Option<(Type, crate::source::Span)> {
    let mut found = None;
    expr.walk(&mut |expr| {
        if expr.kind == ExprKind::Local(local) {
            found = Some((expr.ty.clone(), expr.span));
        }
    });
    found
}
