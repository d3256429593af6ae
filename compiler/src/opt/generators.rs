//! `generators`: targets that a function lists are those of which a condition holds.
//!
//! A list that is put together of a few places, each under a condition, has a place in it if it is one of these and its condition
//! holds. That is found by running the function on arguments that are not known. Said so, targets can be left out, looked up and
//! made sets of, like those of any other rule.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::{expr_nodes, walk_block};
use crate::ir::walk::blocks_mut;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, Family, FuncId, Function, Game, Local, LocalId, Over,
    ParamSource, Stmt, StmtKind, Type,
};

use super::locals::replace_reads;
use super::prune::never;
use super::tables::free_name;

/// Places that a function may list.
const MOST_ITEMS: usize = 16;
/// Parts of the condition that a target must meet.
const MOST_NODES: usize = 600;
/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// Makes conditions of what functions list.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let generated = |(index, family): (usize, &Family)| match family.params.last()?.source {
        ParamSource::Generated(func) => Some((index, func)),
        _ => None,
    };
    let listed: Vec<(usize, FuncId)> = game
        .families
        .iter()
        .enumerate()
        .filter_map(generated)
        .collect();
    if listed.is_empty() {
        return;
    }
    // Guards that come to it are called by nobody.
    let effects = Effects::of(game);
    let mut idle = SortedSet::new();
    for (family, func) in listed {
        if let Some(condition) = condition(game, &effects, func, &mut idle) {
            ask(game, family, condition);
        }
    }
    if !idle.is_empty() {
        let shared = game.clone();
        blocks_mut(game, &mut |block| {
            drop_idle(block, &shared, &effects, &idle)
        });
    }
}

/// The condition under which the next parameter, numbered like a variable behind those of the function, is in what that lists.
fn condition(
    game: &mut Game,
    effects: &Effects,
    func: FuncId,
    idle: &mut SortedSet<FuncId>,
) -> Option<Expr> {
    let function = game.function(func);
    // The items of a sequence are moves in its order, which candidates would not have.
    let Some(Type::Set(domain)) = function.ret else {
        return None;
    };
    let span = function.span;
    let target = Expr::local(LocalId::from(function.params), Type::Elem(domain), span);
    let args = (0..function.params).map(LocalId::from);
    let args: Vec<Expr> = args
        .map(|param| Expr::local(param, function.local(param).ty.clone(), span))
        .collect();
    let mut reader = Reader {
        game,
        effects,
        faults: Vec::new(),
        sure: SortedSet::new(),
    };
    let items = reader.list(func, &args, DEPTH)?;
    let (faults, sure) = (reader.faults, reader.sure);
    let all = items.into_iter().map(|item| {
        let found = match item.is.kind {
            ExprKind::Get(found) => found.equals(target.clone().some()),
            _ => item.is.equals(target.clone()),
        };
        both(item.when, found)
    });
    let condition = all.reduce(Expr::or).unwrap_or(Expr::bool(false, span));
    let effect = effects.expr(game, &condition);
    let plain = effect.is_pure() && !effect.may_fault && !effect.works && !effect.fails;
    if !plain || !effect.reads.env.is_empty() || expr_nodes(&condition) > MOST_NODES {
        return None;
    }
    let faults = faults.into_iter().reduce(Expr::or);
    if !faults.is_none_or(|faults| never_holds(game, func, faults)) {
        return None;
    }
    idle.extend(sure);
    Some(condition)
}

/// Whether a condition on the parameters of a function holds in no position, whatever members one of them takes.
fn never_holds(game: &mut Game, func: FuncId, condition: Expr) -> bool {
    let function = game.function(func);
    let params = function.params;
    let locals = function.locals[..params].to_vec();
    let span = function.span;
    let test = Function {
        name: String::new(),
        params,
        locals: locals.clone(),
        ret: Some(Type::Bool),
        body: vec![Stmt::give(condition)],
        doc: String::new(),
        span,
    };
    game.functions.push(test);
    let test = FuncId::from(game.functions.len() - 1);
    let holds_never = (0..params).any(|param| {
        let Type::Elem(domain) = locals[param].ty else {
            return false;
        };
        (0..game.domain(domain).len() as u32).all(|member| {
            let mut args = vec![None; params];
            args[param] = Some(member);
            never(game, test, &args)
        })
    });
    game.functions.pop();
    holds_never
}

/// Lets the guard of a family ask a condition of its last parameter, which may be any member.
fn ask(game: &mut Game, family: usize, condition: Expr) {
    let own = &game.families[family];
    let span = own.span;
    let of_family = own.params.iter().map(|param| Local {
        name: param.name.clone(),
        ty: param.ty.clone(),
    });
    let locals: Vec<Local> = own.context.iter().cloned().chain(of_family).collect();
    let name = format!("{} lists", own.name);
    let mut guard = match own.guard {
        Some(guard) => game.function(guard).clone(),
        None => Function {
            name: String::new(),
            params: locals.len(),
            locals,
            ret: Some(Type::Bool),
            body: vec![Stmt::give(Expr::bool(true, span))],
            doc: String::new(),
            span,
        },
    };
    guard.name = free_name(&name, game.functions.iter().map(|f| f.name.as_str()));
    let deny = vec![Stmt::give(Expr::bool(false, span))];
    let tests = Stmt::branch(condition.not(), deny, Block::new());
    guard.body.insert(0, tests);
    game.functions.push(guard);
    let guard = FuncId::from(game.functions.len() - 1);
    let own = &mut game.families[family];
    own.guard = Some(guard);
    if let Some(param) = own.params.last_mut() {
        param.source = ParamSource::All;
    }
}

/// Leaves out calls of functions that only list something, for nobody.
fn drop_idle(block: &mut Block, game: &Game, effects: &Effects, idle: &SortedSet<FuncId>) {
    block.retain(|stmt| match &stmt.kind {
        StmtKind::Call {
            func,
            args,
            into: None,
        } => !idle.contains(func) || args.iter().any(|arg| effects.expr(game, arg).may_fault),
        _ => true,
    });
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_idle(inner, game, effects, idle));
    }
}

/// Something that is listed under a condition.
#[derive(Clone)]
struct Item {
    when: Expr,
    is: Expr,
}

/// What is known at a point of a function.
#[derive(Clone)]
struct Point {
    /// When it is reached.
    when: Expr,
    scalars: SortedMap<LocalId, Expr>,
    lists: SortedMap<LocalId, Vec<Item>>,
}

struct Reader<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// When something fails.
    faults: Vec<Expr>,
    /// Functions of which nothing can fail.
    sure: SortedSet<FuncId>,
}

impl Reader<'_> {
    /// What a function lists for these arguments.
    fn list(&mut self, func: FuncId, args: &[Expr], depth: usize) -> Option<Vec<Item>> {
        let depth = depth.checked_sub(1)?;
        if self.effects.is_recursive(func) {
            return None;
        }
        let before = self.faults.len();
        let function = self.game.function(func);
        let params = (0..).map(LocalId::from).zip(args.iter().cloned());
        let mut point = Point {
            when: Expr::bool(true, function.span),
            scalars: params.collect(),
            lists: SortedMap::new(),
        };
        let mut given = Vec::new();
        let leaves = self.block(&function.body, &mut point, &mut given, (function, depth))?;
        if self.faults.len() == before {
            self.sure.insert(func);
        }
        (leaves && fits(function.ret.as_ref()?, &given)).then_some(given)
    }

    /// Follows a block; whether it always leaves.
    fn block(
        &mut self,
        block: &[Stmt],
        point: &mut Point,
        given: &mut Vec<Item>,
        of: (&Function, usize),
    ) -> Option<bool> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Return(Some(list)) => {
                    let items = self.items(list, point, of.1)?;
                    given.extend(under(&point.when, items));
                    return Some(true);
                }
                StmtKind::Fault(_) => {
                    self.faults.push(point.when.clone());
                    return Some(true);
                }
                StmtKind::If(cond, yes, no) => {
                    let cond = self.scalar(cond, point)?;
                    let mut ways = [cond.clone(), cond.clone().not()].map(|when| Point {
                        when: both(point.when.clone(), when),
                        ..point.clone()
                    });
                    let [if_so, if_not] = &mut ways;
                    let leave = [
                        self.block(yes, if_so, given, of)?,
                        self.block(no, if_not, given, of)?,
                    ];
                    let [if_so, if_not] = ways;
                    match leave {
                        [true, true] => return Some(true),
                        [true, false] => *point = if_not,
                        [false, true] => *point = if_so,
                        [false, false] => point.join(&cond, if_so, if_not),
                    }
                }
                StmtKind::ForEach(local, Over::Seq(list), body) => {
                    let items = self.items(list, point, of.1)?;
                    self.each(*local, items, body, point, of)?;
                }
                StmtKind::Let(local, value) => match &of.0.local(*local).ty {
                    ty @ (Type::Seq { .. } | Type::Set(_)) => {
                        let items = self.items(value, point, of.1)?;
                        fits(ty, &items).then(|| point.lists.insert(*local, items))?;
                    }
                    ty => {
                        let value = self.scalar(value, point)?;
                        ty.contains(&value.ty)
                            .then(|| point.scalars.insert(*local, value))?;
                    }
                },
                StmtKind::Call {
                    func,
                    args,
                    into: Some(into),
                } => {
                    let args = args.iter().map(|arg| self.scalar(arg, point));
                    let args: Vec<Expr> = args.collect::<Option<_>>()?;
                    match self.game.function(*func).ret {
                        Some(Type::Seq { .. } | Type::Set(_)) => {
                            let items = self.list(*func, &args, of.1)?;
                            point.lists.insert(*into, items);
                        }
                        _ => {
                            let call = Expr::call(self.game, *func, args, stmt.span);
                            let asks = self.effects.function(*func);
                            (asks.is_pure() && !asks.works && !asks.may_fault && !asks.fails)
                                .then(|| point.scalars.insert(*into, call))?;
                        }
                    }
                }
                _ => return None,
            }
        }
        Some(false)
    }

    /// Follows a loop that adds to lists.
    fn each(
        &mut self,
        local: LocalId,
        items: Vec<Item>,
        body: &[Stmt],
        point: &mut Point,
        of: (&Function, usize),
    ) -> Option<()> {
        let mut goes_on = true;
        walk_block(body, &mut |stmt| {
            goes_on &= !matches!(
                stmt.kind,
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue
            );
        });
        goes_on.then_some(())?;
        for item in items {
            let mut inner = point.clone();
            inner.when = both(point.when.clone(), item.when.clone());
            inner.scalars.insert(local, without_fault(item.is));
            // What leaves is a fault.
            if self.block(body, &mut inner, &mut Vec::new(), of)? {
                continue;
            }
            for (list, items) in inner.lists {
                let kept = point.lists.get(&list).map_or(0, Vec::len);
                let (old, new) = items.split_at_checked(kept)?;
                let known = point.lists.get(&list).cloned().unwrap_or_default();
                let mut pairs = old.iter().zip(&known);
                pairs
                    .all(|(a, b)| same(&a.is, &b.is) && same(&a.when, &b.when))
                    .then_some(())?;
                let more = under(&item.when, new.to_vec());
                let all: Vec<Item> = known.into_iter().chain(more).collect();
                fits(&of.0.local(list).ty, &all).then(|| point.lists.insert(list, all))?;
            }
        }
        Some(())
    }

    /// A list as items under conditions.
    fn items(&mut self, list: &Expr, point: &Point, depth: usize) -> Option<Vec<Item>> {
        let span = list.span;
        let sure = |is: Expr| Item {
            when: Expr::bool(true, span),
            is,
        };
        match &list.kind {
            ExprKind::Local(local) => point.lists.get(local).cloned(),
            ExprKind::SeqOf(items) | ExprKind::SetOf(items) => {
                let items = items.iter().map(|item| self.item(item, point));
                items.map(|item| item.map(sure)).collect()
            }
            ExprKind::Const(Const::Seq(values)) => {
                let Type::Seq { item, .. } = &list.ty else {
                    return None;
                };
                let constant =
                    |value: &Const| sure(Expr::constant(value.clone(), (**item).clone(), span));
                Some(values.iter().map(constant).collect())
            }
            ExprKind::Const(Const::Set(members)) => {
                let Type::Set(domain) = list.ty else {
                    return None;
                };
                let members = members.iter();
                Some(
                    members
                        .map(|&member| sure(Expr::elem(domain, member, span)))
                        .collect(),
                )
            }
            ExprKind::Binary(BinaryOp::Concat | BinaryOp::Union, a, b) => {
                // What is in the first list already makes no difference.
                let more = match &b.kind {
                    ExprKind::Binary(BinaryOp::SeqMinus, more, known) if same(a, known) => more,
                    _ => b,
                };
                let mut items = self.items(a, point, depth)?;
                items.extend(self.items(more, point, depth)?);
                Some(items)
            }
            ExprKind::If(cond, yes, no) => {
                let cond = self.scalar(cond, point)?;
                let mut items = under(&cond, self.items(yes, point, depth)?);
                let others = self.items(no, point, depth)?;
                items.extend(under(&cond.not(), others));
                Some(items)
            }
            ExprKind::Call(func, args) => {
                let args = args.iter().map(|arg| self.scalar(arg, point));
                let args: Vec<Expr> = args.collect::<Option<_>>()?;
                self.list(*func, &args, depth)
            }
            _ => None,
        }
    }

    /// What is listed; if it may be missing, that is a fault.
    fn item(&mut self, item: &Expr, point: &Point) -> Option<Expr> {
        let ExprKind::Get(found) = &item.kind else {
            return self.scalar(item, point);
        };
        let found = self.scalar(found, point)?;
        self.faults
            .push(both(point.when.clone(), found.clone().is_some().not()));
        Some(found.get())
    }

    /// An expression of the arguments; nothing if it may fail.
    fn scalar(&self, expr: &Expr, point: &Point) -> Option<Expr> {
        let effect = self.effects.expr(self.game, expr);
        let plain = !effect.may_fault && effect.reads.env.is_empty() && !effect.works;
        let mut known = true;
        expr.walk(&mut |part| {
            known &= match part.kind {
                ExprKind::Local(local) => point.scalars.contains_key(&local),
                ExprKind::Fold { .. }
                | ExprKind::Collect { .. }
                | ExprKind::First { .. }
                | ExprKind::Walk { .. }
                | ExprKind::Closure { .. } => false,
                _ => true,
            };
        });
        (plain && known).then(|| {
            let mut expr = expr.clone();
            replace_reads(&mut expr, &|local| point.scalars.get(&local).cloned());
            expr
        })
    }
}

impl Point {
    /// What is known after one of two ways, of which a condition decides.
    fn join(&mut self, cond: &Expr, if_so: Point, mut if_not: Point) {
        let mut scalars = SortedMap::new();
        for (local, one) in if_so.scalars {
            if let Some(other) = if_not.scalars.get(&local) {
                let value = match same(&one, other) {
                    true => one,
                    false => Expr::select(cond.clone(), one, other.clone()),
                };
                scalars.insert(local, value);
            }
        }
        let mut lists = SortedMap::new();
        for (local, items) in if_so.lists {
            if let Some(others) = if_not.lists.remove(&local) {
                let other = under(&cond.clone().not(), others);
                lists.insert(local, under(cond, items).into_iter().chain(other).collect());
            }
        }
        (self.scalars, self.lists) = (scalars, lists);
    }
}

/// What is there, told so that it needs no test: that it is there is asked elsewhere.
fn without_fault(expr: Expr) -> Expr {
    let span = expr.span;
    match (expr.kind, &expr.ty) {
        (ExprKind::Get(found), &Type::Elem(domain)) => {
            let other = Box::new(Expr::elem(domain, 0, span));
            Expr::new(ExprKind::OrElse(found, other), expr.ty, span)
        }
        (kind, _) => Expr::new(kind, expr.ty, span),
    }
}

/// Items that are listed only under one more condition.
fn under(when: &Expr, items: Vec<Item>) -> Vec<Item> {
    let all = items.into_iter().map(|item| Item {
        when: both(when.clone(), item.when),
        is: item.is,
    });
    all.collect()
}

fn both(a: Expr, b: Expr) -> Expr {
    let is_true = |expr: &Expr| expr.as_const() == Some(&Const::Bool(true));
    match (is_true(&a), is_true(&b)) {
        (true, _) => b,
        (_, true) => a,
        _ => a.and(b),
    }
}

/// Whether a list has room for its items.
fn fits(ty: &Type, items: &[Item]) -> bool {
    items.len() <= MOST_ITEMS
        && match ty {
            Type::Seq { cap, .. } => items.len() <= *cap as usize,
            _ => true,
        }
}
