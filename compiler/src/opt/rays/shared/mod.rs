//! Sets that are another set for one value of what that is asked with.
//!
//! A rule for each player asks where he may place with his number in the question, and what is asked of both after a move has the
//! number of the player as a parameter. The first are the second for one value: what was found for one is known for the other.

use crate::ir::same::placeless_block;
use crate::ir::visit::nodes;
use crate::ir::walk::rewrite_block;
use crate::ir::{
    Axis, Block, Const, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type,
};
use crate::opt::fold_constants::{drop_functions, simplify};
use crate::opt::locals::{rename_block, replace_reads};
use rulec_ir::sorted::SortedMap;

#[cfg(test)]
mod tests;

/// Sets that are found sooner than another one is looked for.
const LEAST: usize = 40;
/// Values of a parameter that are tried.
const MOST_VALUES: usize = 8;
/// Copies of functions that are made for that.
const MOST_COPIES: usize = 32;

/// Asks for the set with a parameter in the place of that for one value.
pub(super) fn run(game: &mut Game) {
    let all = (0..game.functions.len()).map(FuncId::from);
    let (mut alone, mut general) = (Vec::new(), Vec::new());
    for func in all {
        match set_params(game.function(func)) {
            Some(0) => alone.push(func),
            Some(1) => general.push(func),
            _ => {}
        }
    }
    if alone.is_empty() || general.is_empty() {
        return;
    }
    let first = game.functions.len();
    let mut tried: Vec<(FuncId, Expr)> = Vec::new();
    for func in general {
        let function = game.function(func).clone();
        for value in values(game, &function.locals[0].ty) {
            let value = Expr::constant(value, function.locals[0].ty.clone(), function.span);
            game.functions.push(with(&function, &value));
            tried.push((func, value));
        }
    }
    tried.truncate(MOST_COPIES);
    game.functions.truncate(first + tried.len());
    simplify(game);
    let copies: Vec<Form> = game.functions[first..].iter().map(form).collect();
    game.functions.truncate(first);
    let known: SortedMap<FuncId, (FuncId, Expr)> = alone
        .into_iter()
        .filter_map(|func| {
            let own = form(game.function(func));
            let same = copies.iter().position(|copy| *copy == own)?;
            Some((func, tried[same].clone()))
        })
        .collect();
    if known.is_empty() {
        return;
    }
    for function in &mut game.functions {
        rewrite_block(&mut function.body, &mut |expr| {
            if let ExprKind::Call(func, args) = &mut expr.kind
                && let Some((general, value)) = known.get(func)
            {
                *func = *general;
                *args = vec![value.clone().at(expr.span)];
            }
        });
    }
    drop_functions(game);
}

/// How many parameters a function has, if it only works out a set.
fn set_params(function: &Function) -> Option<usize> {
    let (last, before) = function.body.split_last()?;
    let params = &function.locals[..function.params];
    let is_set = matches!(function.ret, Some(Type::Set(_)))
        && matches!(last.kind, StmtKind::Return(Some(_)))
        && params.iter().all(|param| param.ty.is_scalar())
        && before.iter().all(is_let)
        && nodes(&function.body) >= LEAST;
    is_set.then_some(function.params)
}

fn is_let(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Let(..))
}

/// Values that a parameter of a type may have: those of short tables, of which that of players comes first.
fn values(game: &Game, ty: &Type) -> Vec<Const> {
    let fits = |by_player: bool| {
        let tables = game.tables.iter().filter(move |table| {
            let players = table.axes == [Axis::Domain(game.players)];
            players == by_player && table.ty == *ty && table.values.len() <= MOST_VALUES
        });
        tables.flat_map(|table| table.values.iter().cloned())
    };
    let mut values: Vec<Const> = Vec::new();
    for value in fits(true).chain(fits(false)) {
        if !values.contains(&value) && values.len() < MOST_VALUES {
            values.push(value);
        }
    }
    values
}

/// A function for one value of its parameter.
fn with(function: &Function, value: &Expr) -> Function {
    let mut function = function.clone();
    for stmt in &mut function.body {
        stmt.children_mut(&mut |expr| {
            replace_reads(expr, &|local| (local == LocalId(0)).then(|| value.clone()));
        });
    }
    function
}

/// A body whatever its local variables are called, and their types.
type Form = (Block, Vec<Type>);

fn form(function: &Function) -> Form {
    let mut body = placeless_block(&function.body);
    let mut numbers: SortedMap<LocalId, usize> = SortedMap::new();
    let mut types = Vec::new();
    rename_block(&mut body, &mut |local| {
        let number = *numbers.entry(local).or_insert_with(|| {
            types.push(function.locals[local.index()].ty.clone());
            types.len() - 1
        });
        LocalId::from(number)
    });
    (body, types)
}
