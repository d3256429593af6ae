//! Which values the parameters of functions can have, where those are few: by what calls give them.
//!
//! `possible`: a condition that comes to the same for all of them is that answer. Whether a list has an item for each player need not
//! be asked of the player. Loops whose bounds callers give are bounded by these values.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::fold_constants::simplify;
use crate::ir::value;
use crate::ir::visit::{free_locals, walk_block};
use crate::ir::walk::{roots, walk_free};
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Function, Game, LocalId, StmtKind, Type,
};
use crate::opt::locals::each_assigned;

/// Values beyond this are not followed.
const FEW: usize = 16;
/// Assignments that are followed from one to the next.
const DEPTH: usize = 8;

/// The values of a scalar; nothing where they are not known.
type Values = Option<SortedSet<Const>>;

/// The values of all parameters of functions.
pub(in crate::opt) struct Possible(Vec<Vec<Values>>);

/// Puts answers where conditions have the same one for all values that their variables can have.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let possible = Possible::of(game);
    let mut changed = false;
    for index in 0..game.functions.len() {
        let mut body = game.functions[index].body.clone();
        let mut answers = Answers {
            known: Known {
                game,
                function: &game.functions[index],
                own: possible.0[index].clone(),
            },
            values: SortedMap::new(),
            found: false,
        };
        answers.block(&mut body);
        if answers.found {
            changed = true;
            game.functions[index].body = body;
        }
    }
    if changed {
        simplify(game);
    }
}

/// The conditions of a function that have one answer.
struct Answers<'a> {
    known: Known<'a>,
    /// The values of variables that were asked for.
    values: SortedMap<LocalId, Option<Vec<Const>>>,
    found: bool,
}

impl Answers<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in block {
            stmt.children_mut(&mut |expr| self.expr(expr));
            if let StmtKind::For { from, to, .. } = &mut stmt.kind {
                self.bound(from);
                self.bound(to);
            }
            stmt.blocks_mut(&mut |inner| self.block(inner));
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if expr.ty == Type::Bool
            && expr.as_const().is_none()
            && let Some(answer) = self.answer(expr)
        {
            expr.kind = ExprKind::Const(answer);
            self.found = true;
            return;
        }
        expr.children_mut(&mut |child| self.expr(child));
    }

    fn answer(&mut self, expr: &Expr) -> Option<Const> {
        self.look_up(expr)?;
        constant(self.known.game, expr, &|local| self.values_of(local))
    }

    /// Gives the first or last number of a loop a type that says which it may be.
    fn bound(&mut self, expr: &mut Expr) {
        let Some((lo, hi)) = self.least_and_greatest(expr) else {
            return;
        };
        let Some((least, most)) = expr.ty.int_range() else {
            return;
        };
        if (least, most) == (lo, hi) || expr.as_const().is_some() {
            return;
        }
        let span = expr.span;
        let number = |value: i64| {
            let ty = Type::Int {
                lo: value,
                hi: value,
            };
            Expr::constant(Const::Int(value), ty, span)
        };
        let inner = expr.clone();
        let at_least = ExprKind::Binary(BinaryOp::Max, Box::new(inner), Box::new(number(lo)));
        let ty = Type::Int { lo, hi: most };
        let at_least = Expr::new(at_least, ty, span);
        expr.kind = ExprKind::Binary(BinaryOp::Min, Box::new(at_least), Box::new(number(hi)));
        expr.ty = Type::Int { lo, hi };
        self.found = true;
    }

    fn least_and_greatest(&mut self, expr: &Expr) -> Option<(i64, i64)> {
        self.look_up(expr)?;
        let all = all_values(self.known.game, expr, &|local| self.values_of(local))?;
        let numbers = all.iter().map(|value| match value {
            Const::Int(value) => Some(*value),
            _ => None,
        });
        let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
        Some((*numbers.iter().min()?, *numbers.iter().max()?))
    }

    /// Looks up the values of all variables of an expression, if those are known.
    fn look_up(&mut self, expr: &Expr) -> Option<()> {
        for local in free_locals(expr) {
            let values = self.values.entry(local).or_insert_with(|| {
                let values = self.known.local(local, DEPTH)?;
                (!values.is_empty()).then(|| values.into_iter().collect())
            });
            values.as_ref()?;
        }
        Some(())
    }

    fn values_of(&self, local: LocalId) -> Option<Vec<Const>> {
        self.values.get(&local).cloned().flatten()
    }
}

impl Possible {
    pub(in crate::opt) fn of(game: &Game) -> Possible {
        let empty = |function: &Function| vec![Some(SortedSet::new()); function.params];
        let mut possible = Possible(game.functions.iter().map(empty).collect());
        for root in roots(game) {
            possible.0[root.index()].fill(None);
        }
        walk_free(game, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                possible.0[func.index()].fill(None);
            }
        });
        loop {
            let mut changed = false;
            for index in 0..game.functions.len() {
                changed |= possible.pass_on(game, index);
            }
            if !changed {
                return possible;
            }
        }
    }

    /// The values of a parameter.
    pub(in crate::opt) fn param(&self, func: FuncId, param: usize) -> Option<Vec<Const>> {
        let values = self.0[func.index()].get(param)?.as_ref()?;
        (!values.is_empty()).then(|| values.iter().cloned().collect())
    }

    /// Gives what a function passes on to those it calls; whether that is new.
    fn pass_on(&mut self, game: &Game, index: usize) -> bool {
        let function = &game.functions[index];
        let own = self.0[index].clone();
        let known = Known {
            game,
            function,
            own,
        };
        let mut calls: Vec<(FuncId, Vec<Values>)> = Vec::new();
        walk_block(&function.body, &mut |stmt| {
            let values = |args: &[Expr]| args.iter().map(|arg| known.expr(arg, DEPTH)).collect();
            if let StmtKind::Call { func, args, .. } = &stmt.kind {
                calls.push((*func, values(args)));
            }
            stmt.children(&mut |expr| {
                expr.walk(&mut |expr| {
                    if let ExprKind::Call(func, args) = &expr.kind {
                        calls.push((*func, values(args)));
                    }
                });
            });
        });
        let mut changed = false;
        for (func, args) in calls {
            for (slot, more) in self.0[func.index()].iter_mut().zip(args) {
                let before = slot.clone();
                *slot = match (slot.take(), more) {
                    (Some(mut all), Some(more)) => {
                        all.extend(more);
                        (all.len() <= FEW).then_some(all)
                    }
                    _ => None,
                };
                changed |= *slot != before;
            }
        }
        changed
    }
}

struct Known<'a> {
    game: &'a Game,
    function: &'a Function,
    own: Vec<Values>,
}

impl Known<'_> {
    fn expr(&self, expr: &Expr, depth: usize) -> Values {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Const(value) => Some(SortedSet::from([value.clone()])),
            ExprKind::Local(local) => self.local(*local, depth),
            ExprKind::Lookup(table, _) => {
                let table = self.game.table(*table);
                let all: SortedSet<Const> =
                    table.values.iter().chain(&table.outside).cloned().collect();
                (all.len() <= FEW).then_some(all)
            }
            ExprKind::If(_, yes, no) => {
                let mut all = self.expr(yes, depth)?;
                all.extend(self.expr(no, depth)?);
                (all.len() <= FEW).then_some(all)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::ToWrap(_)
            | ExprKind::ToInt(_) => {
                let mut operands: Vec<Values> = Vec::new();
                expr.children(&mut |child| operands.push(self.expr(child, depth)));
                let operands: Vec<SortedSet<Const>> =
                    operands.into_iter().collect::<Option<_>>()?;
                let mut all: Vec<Vec<&Const>> = vec![Vec::new()];
                for values in &operands {
                    all = all
                        .iter()
                        .flat_map(|known| {
                            values.iter().map(move |value| {
                                let mut known = known.clone();
                                known.push(value);
                                known
                            })
                        })
                        .collect();
                }
                let values = all
                    .iter()
                    .map(|operands| value::apply(self.game, expr, operands));
                let values: SortedSet<Const> = values.collect::<Option<_>>()?;
                (values.len() <= FEW).then_some(values)
            }
            _ => None,
        }
    }

    fn local(&self, local: LocalId, depth: usize) -> Values {
        let mut assigned = 0;
        let mut given: Vec<Values> = Vec::new();
        walk_block(&self.function.body, &mut |stmt| {
            each_assigned(stmt, &mut |other| assigned += usize::from(other == local));
            match &stmt.kind {
                StmtKind::Let(other, value) if *other == local => {
                    given.push(self.expr(value, depth));
                }
                StmtKind::For {
                    local: other,
                    from,
                    to,
                    ..
                } if *other == local => given.push(counted(from, to)),
                _ => {}
            }
        });
        let mut all = match local.index() < self.function.params {
            true => self.own.get(local.index()).cloned().flatten()?,
            false => SortedSet::new(),
        };
        // A decision may give it a value too.
        if given.len() != assigned || (given.is_empty() && local.index() >= self.function.params) {
            return None;
        }
        for values in given {
            all.extend(values?);
        }
        Some(all)
    }
}

/// The values that the variable of a loop may take.
fn counted(from: &Expr, to: &Expr) -> Values {
    let range = |expr: &Expr| match expr.as_const() {
        Some(Const::Int(value)) => Some((*value, *value)),
        _ => expr.ty.int_range(),
    };
    let ((a, b), (c, d)) = (range(from)?, range(to)?);
    let (least, most) = (a.min(c), b.max(d));
    let few = least.abs_diff(most) < FEW as u64;
    few.then(|| (least..=most).map(Const::Int).collect())
}

/// The value of an expression that is the same whatever values some variables have.
pub(in crate::opt) fn constant(
    game: &Game,
    expr: &Expr,
    values: &dyn Fn(LocalId) -> Option<Vec<Const>>,
) -> Option<Const> {
    let all = all_values(game, expr, values)?;
    let (first, others) = all.split_first()?;
    others
        .iter()
        .all(|value| value == first)
        .then(|| first.clone())
}

/// The values that an expression can have, given those of its variables.
pub(in crate::opt) fn all_values(
    game: &Game,
    expr: &Expr,
    values: &dyn Fn(LocalId) -> Option<Vec<Const>>,
) -> Option<Vec<Const>> {
    let mut locals: Vec<LocalId> = Vec::new();
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = &expr.kind
            && !locals.contains(local)
        {
            locals.push(*local);
        }
    });
    let mut all: Vec<Vec<(LocalId, Const)>> = vec![Vec::new()];
    for local in locals {
        let own = values(local)?;
        if all.len() * own.len() > FEW * FEW {
            return None;
        }
        all = all
            .iter()
            .flat_map(|known| {
                own.iter().map(move |value| {
                    let mut known = known.clone();
                    known.push((local, value.clone()));
                    known
                })
            })
            .collect();
    }
    let mut found: Vec<Const> = Vec::new();
    for known in &all {
        let value = evaluate(game, expr, known)?;
        if !found.contains(&value) {
            found.push(value);
        }
    }
    Some(found)
}

/// The value of an expression, given those of its variables.
pub(in crate::opt) fn evaluate(
    game: &Game,
    expr: &Expr,
    known: &[(LocalId, Const)],
) -> Option<Const> {
    if let ExprKind::Local(local) = &expr.kind {
        let found = known.iter().find(|(other, _)| other == local);
        return found.map(|(_, value)| value.clone());
    }
    let mut operands: Vec<Option<Const>> = Vec::new();
    expr.children(&mut |child| operands.push(evaluate(game, child, known)));
    let operands: Vec<Const> = operands.into_iter().collect::<Option<_>>()?;
    value::apply(game, expr, &operands.iter().collect::<Vec<_>>())
}
