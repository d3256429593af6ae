//! What one function has another do at one place only stands there.
//!
//! A rule puts a disc down and has a function turn the rows around it. What that function finds depends on the new disc, and
//! each of its rows is looked at by itself only where it is a statement of the function that is run.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::each_use;
use crate::ir::{Axis, Block, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind};
use crate::opt::fold_constants::drop_functions;
use crate::opt::locals::{assigned, rename_block};

/// Local variables of a function beyond which no other is put there.
const MOST_LOCALS: usize = 200;

/// The game in which functions that turn pieces stand where the only statement calls them, if there are any.
pub(super) fn spliced(game: &Game) -> Option<Game> {
    let effects = Effects::of(game);
    let mut uses = vec![0; game.functions.len()];
    each_use(game, &mut |func| uses[func.index()] += 1);
    let fits = |func: FuncId| {
        let effect = effects.function(func);
        let turns = effect.writes.vars.iter().any(|var| {
            let mut boards = game.placements.iter();
            boards.any(|board| game.var(*var).axes == [Axis::Domain(board.pieces)])
        });
        let plain = !effect.suspends && !effects.is_recursive(func);
        uses[func.index()] == 1 && turns && plain && gives_at_its_end(game.function(func))
    };
    let wanted: SortedSet<FuncId> = (0..game.functions.len())
        .map(FuncId::from)
        .filter(|func| fits(*func))
        .collect();
    let mut next = game.clone();
    let mut any = false;
    for index in 0..next.functions.len() {
        let caller = FuncId::from(index);
        // What decides is no part of what one move does.
        if effects.function(caller).suspends {
            continue;
        }
        while let Some(at) = call_of(&next, caller, &wanted) {
            put_in_place(&mut next, caller, at);
            any = true;
        }
    }
    any.then(|| {
        drop_functions(&mut next);
        next
    })
}

/// Whether a function gives its value at its end, and nowhere else.
fn gives_at_its_end(function: &Function) -> bool {
    let mut gives = 0;
    walk_block(&function.body, &mut |stmt| {
        gives += usize::from(matches!(stmt.kind, StmtKind::Return(_)));
    });
    let last = function.body.last().map(|stmt| &stmt.kind);
    match last {
        Some(StmtKind::Return(_)) => gives == 1,
        _ => gives == 0 && function.ret.is_none(),
    }
}

/// Where a function calls one of some others by a statement of its own body.
fn call_of(game: &Game, caller: FuncId, wanted: &SortedSet<FuncId>) -> Option<usize> {
    let function = game.function(caller);
    function.body.iter().position(|stmt| match &stmt.kind {
        StmtKind::Call { func, .. } => {
            let locals = function.locals.len() + game.function(*func).locals.len();
            wanted.contains(func) && *func != caller && locals <= MOST_LOCALS
        }
        _ => false,
    })
}

/// Puts the body of a function where it is called.
fn put_in_place(game: &mut Game, caller: FuncId, at: usize) {
    let function = game.function(caller);
    let StmtKind::Call { func, args, into } = &function.body[at].kind else {
        return;
    };
    let called = game.function(*func);
    let first = function.locals.len();
    let (kept, changed) = (assigned(&function.body), assigned(&called.body));
    // An argument that neither of both changes is the parameter.
    let own: Vec<LocalId> = (0..called.locals.len())
        .map(|local| match args.get(local).map(|arg| &arg.kind) {
            Some(ExprKind::Local(given))
                if !kept.contains(given) && !changed.contains(&LocalId::from(local)) =>
            {
                *given
            }
            _ => LocalId::from(first + local),
        })
        .collect();
    let params = args.iter().zip(&own);
    let params = params.filter(|(arg, own)| arg.kind != ExprKind::Local(**own));
    let mut block: Block = params
        .map(|(arg, own)| Stmt::assign(*own, arg.clone()))
        .collect();
    let mut body = called.body.clone();
    rename_block(&mut body, &mut |local| own[local.index()]);
    let value = match body.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_)) => body.pop().and_then(given),
        _ => None,
    };
    block.extend(body);
    if let (Some(into), Some(value)) = (into, value) {
        block.push(Stmt::assign(*into, value));
    }
    let locals = called.locals.clone();
    let function = &mut game.functions[caller.index()];
    function.locals.extend(locals);
    function.body.splice(at..=at, block);
}

/// What a statement gives.
fn given(stmt: Stmt) -> Option<Expr> {
    match stmt.kind {
        StmtKind::Return(value) => value,
        _ => None,
    }
}
