//! Questions about places that a number with few values chooses are as many questions.
//!
//! "Are all trays of a player empty?" asks of other places for each player. With the number of the player in the place of the
//! parameter the places are constants.

use crate::ir::effects::Effects;
use crate::ir::visit::{has_counting_loop, nodes, walk_exprs};
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type,
};
use crate::opt::locals::rename_block;
use crate::opt::possible::Possible;
use crate::opt::tables::unused;

/// Values that are told apart.
const VALUES: usize = 4;
/// Nodes of a function that is copied for each of them.
const NODES: usize = 200;

/// Tells values of parameters apart that choose the places a function asks about in a loop.
pub(super) fn run(game: &mut Game) {
    let all = (0..game.functions.len()).map(FuncId::from);
    let loops = |func: &FuncId| has_counting_loop(&game.function(*func).body);
    let all: Vec<FuncId> = all.filter(loops).collect();
    if all.is_empty() {
        return;
    }
    let effects = Effects::of(game);
    let chosen = |func: &FuncId| Some((*func, chooser(game, &effects, *func)?));
    let chosen: Vec<(FuncId, LocalId)> = all.iter().filter_map(chosen).collect();
    if chosen.is_empty() {
        return;
    }
    let possible = Possible::of(game);
    for (func, param) in chosen {
        let values = possible.param(func, param.index()).unwrap_or_default();
        if (2..=VALUES).contains(&values.len()) {
            tell(game, func, param, &values);
        }
    }
}

/// The number among the parameters of a question that chooses places in a loop with something else.
fn chooser(game: &Game, effects: &Effects, func: FuncId) -> Option<LocalId> {
    let function = game.function(func);
    let effect = effects.function(func);
    let plain = function.ret == Some(Type::Bool)
        && effect.is_pure()
        && !(effect.works || effect.fails || effects.is_recursive(func))
        && nodes(&function.body) <= NODES;
    if !plain {
        return None;
    }
    let params = (0..function.params).map(LocalId::from);
    let mut numbers = params.filter(|param| !matches!(function.local(*param).ty, Type::Elem(_)));
    numbers.find(|param| {
        let mut found = false;
        walk_exprs(&function.body, &mut |expr| {
            if let ExprKind::Content(_, at) = &expr.kind {
                at.walk(&mut |part| found |= is_chosen(part, *param));
            }
        });
        found
    })
}

/// Whether a table is looked up by a variable and by another one.
fn is_chosen(expr: &Expr, by: LocalId) -> bool {
    let ExprKind::Lookup(_, index) = &expr.kind else {
        return false;
    };
    let reads = |index: &Expr, own: bool| {
        let mut found = false;
        index.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                found |= (local == by) == own;
            }
        });
        found
    };
    index.iter().any(|index| reads(index, true)) && index.iter().any(|index| reads(index, false))
}

/// Makes a function ask the copy of itself for the value of a parameter, which is one of these.
fn tell(game: &mut Game, func: FuncId, param: LocalId, values: &[Const]) {
    let asked = game.function(func).clone();
    let span = asked.span;
    let var = |local: LocalId| Expr::local(local, asked.local(local).ty.clone(), span);
    let others = (0..asked.params).map(LocalId::from);
    let others: Vec<Expr> = others.filter(|local| *local != param).map(var).collect();
    let mut answer: Option<Expr> = None;
    for value in values.iter().rev() {
        let copy = FuncId::from(game.functions.len());
        let value = Expr::constant(value.clone(), asked.local(param).ty.clone(), span);
        // Copies for arguments that are known are called by the function and a number.
        let name = unused(game, &format!("{} for value", asked.name), 1);
        game.functions
            .push(copy_for(&asked, name, param, value.clone()));
        let call = Expr::new(ExprKind::Call(copy, others.clone()), Type::Bool, span);
        answer = Some(match answer {
            None => call,
            Some(other) => {
                let is = Expr::binary(BinaryOp::Eq, var(param), value).at(span);
                let kind = ExprKind::If(Box::new(is), Box::new(call), Box::new(other));
                Expr::new(kind, Type::Bool, span)
            }
        });
    }
    let function = &mut game.functions[func.index()];
    function.body = vec![Stmt::new(StmtKind::Return(answer), span)];
    function.locals.truncate(function.params);
}

/// The function for one value of a parameter.
fn copy_for(asked: &Function, name: String, param: LocalId, value: Expr) -> Function {
    let mut locals = asked.locals.clone();
    let own = locals.remove(param.index());
    locals.push(own);
    let last = LocalId::from(locals.len() - 1);
    let mut body: Block = vec![Stmt::new(StmtKind::Let(last, value), asked.span)];
    let mut rest = asked.body.clone();
    rename_block(&mut rest, &mut |local| match local.index() {
        at if at < param.index() => local,
        at if at == param.index() => last,
        at => LocalId::from(at - 1),
    });
    body.extend(rest);
    Function {
        name,
        params: asked.params - 1,
        locals,
        body,
        ..asked.clone()
    }
}
