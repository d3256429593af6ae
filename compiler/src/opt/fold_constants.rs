//! `fold-constants`: what does not depend on the state is computed now, and what nothing uses goes.
//!
//! State variables that no rule writes become tables; so do placements that never change. They stay in the game, because texts of
//! states may show them: [`effects::constants`] tells which they are.

use rulec_ir::beside::beside;
use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::calls::Calls;
use crate::ir::effects::{self, Access, Effects};
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Axis, Block, Const, EnvId, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, ParamSource,
    PlacementForm, PlacementId, Stmt, StmtKind, Table, TableId, Type, VarId,
};

use super::locals::{bound_in, each_assigned, rename_block};
use super::simplify::Simplifier;
use super::sums;
use crate::ir::walk::{
    blocks_mut, each_stmt_mut, free_exprs_mut, rename_functions, rewrite, rewrite_block, walk_all,
};

/// Rounds after which it stops even if another one would find something.
const ROUNDS: usize = 4;
/// Functions from which on half of them are made simpler beside the others.
const MANY: usize = 64;

/// Folds constants and drops what is not used.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    for _ in 0..ROUNDS {
        drop_functions(game);
        fold_state(game);
        fold_calls(game);
        let changed = simplified(game, false);
        drop_env(game);
        if !changed {
            break;
        }
    }
    drop_tables(game);
    drop_trails(game);
}

/// Drops histories in which nothing is ever noted nor looked for.
fn drop_trails(game: &mut Game) {
    let mut used = SortedSet::new();
    walk_all(game, &mut |expr| {
        if let ExprKind::Seen(trail) = expr.kind {
            used.insert(trail);
        }
    });
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            if let StmtKind::Note(trail) = stmt.kind {
                used.insert(trail);
            }
        });
    }
    // Numbers would have to change; one history a game is what there is.
    if used.is_empty() && !game.trails.is_empty() {
        game.trails.clear();
        blocks_mut(game, &mut forget_nothing);
    }
}

fn forget_nothing(block: &mut Block) {
    block.retain(|stmt| !matches!(stmt.kind, StmtKind::Forget(_)));
    for stmt in block {
        stmt.blocks_mut(&mut forget_nothing);
    }
}

/// Drops the functions that can never run.
pub(super) fn drop_functions(game: &mut Game) {
    let calls = Calls::of(game);
    let mut live = calls.live(game);
    for relation in &game.relations {
        live.insert(relation.holds);
        live.join(calls.reaches(relation.holds));
    }
    if live.len() == game.functions.len() {
        return;
    }
    let numbers: SortedMap<FuncId, FuncId> = live
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, FuncId::from(new)))
        .collect();
    let functions = std::mem::take(&mut game.functions).into_iter().enumerate();
    let kept = functions.filter(|(index, _)| live.contains(&FuncId::from(*index)));
    game.functions = kept.map(|(_, function)| function).collect();
    rename_functions(game, &|func| numbers.get(&func).copied().unwrap_or(func));
}

/// Replaces calls of functions that only give a constant, whatever they are handed.
pub(super) fn fold_calls(game: &mut Game) {
    let given = |function: &Function| match &function.body[..] {
        [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] => Some((value.as_const()?.clone(), value.ty.clone())),
        _ => None,
    };
    let constants: Vec<Option<(Const, Type)>> = game.functions.iter().map(given).collect();
    if constants.iter().all(Option::is_none) {
        return;
    }
    // What is handed on may fault, but for what is there already.
    let there = |arg: &Expr| matches!(arg.kind, ExprKind::Local(_) | ExprKind::Const(_));
    let of = |func: FuncId, args: &[Expr]| {
        let given = constants[func.index()].clone();
        given.filter(|_| args.iter().all(there))
    };
    let mut replace = |expr: &mut Expr| {
        if let ExprKind::Call(func, args) = &expr.kind
            && let Some((value, _)) = of(*func, args)
        {
            expr.kind = ExprKind::Const(value);
        }
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut replace));
    blocks_mut(game, &mut |block| {
        rewrite_block(block, &mut replace);
        each_stmt_mut(block, &mut |stmt| {
            if let StmtKind::Call {
                func,
                args,
                into: Some(into),
            } = &stmt.kind
                && let Some((value, ty)) = of(*func, args)
            {
                stmt.kind = StmtKind::Let(*into, Expr::constant(value, ty, stmt.span));
            }
        });
    });
}

/// Replaces reads of what is never written by tables and constants.
fn fold_state(game: &mut Game) {
    let Access {
        vars, placements, ..
    } = effects::constants(game);
    let mut tables = Tables {
        game,
        made: SortedMap::new(),
        new: Vec::new(),
    };
    let mut plan: SortedMap<Place, Option<TableId>> = SortedMap::new();
    walk_all(tables.game, &mut |expr| {
        let Some(place) = place(expr) else { return };
        let constant = match place {
            Place::Var(var) => vars.contains(&var),
            Place::Piece(placement) | Place::Content(placement) => placements.contains(&placement),
        };
        if constant {
            plan.insert(place, None);
        }
    });
    for (&place, table) in &mut plan {
        *table = tables.of(place);
    }
    let new = tables.new;
    game.tables.extend(new);
    let inits: Vec<Option<Const>> = game
        .vars
        .iter()
        .map(|var| var.init.first().cloned())
        .collect();
    let mut replace = |expr: &mut Expr| {
        let Some(found) = place(expr) else { return };
        let Some(table) = plan.get(&found) else {
            return;
        };
        let old = std::mem::replace(&mut expr.kind, ExprKind::Const(Const::None));
        expr.kind = match (old, table) {
            (ExprKind::Var(var, _), None) => match inits[var.index()].clone() {
                Some(value) => ExprKind::Const(value),
                None => ExprKind::Var(var, Vec::new()),
            },
            (ExprKind::Var(_, index), Some(table)) => ExprKind::Lookup(*table, index),
            (
                ExprKind::PlaceOf(_, a) | ExprKind::Content(_, a) | ExprKind::Contents(_, a),
                Some(table),
            ) => ExprKind::Lookup(*table, vec![*a]),
            (other, _) => other,
        };
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut replace));
    blocks_mut(game, &mut |block| rewrite_block(block, &mut replace));
}

/// A part of the state that an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Var(VarId),
    Piece(PlacementId),
    Content(PlacementId),
}

fn place(expr: &Expr) -> Option<Place> {
    match &expr.kind {
        ExprKind::Var(var, _) => Some(Place::Var(*var)),
        ExprKind::PlaceOf(placement, _) => Some(Place::Piece(*placement)),
        ExprKind::Content(placement, _) | ExprKind::Contents(placement, _) => {
            Some(Place::Content(*placement))
        }
        _ => None,
    }
}

/// Tables in place of constant state.
struct Tables<'a> {
    game: &'a Game,
    made: SortedMap<String, ()>,
    new: Vec<Table>,
}

impl Tables<'_> {
    /// The table for a part of the state, none for a plain variable.
    fn of(&mut self, place: Place) -> Option<TableId> {
        let game = self.game;
        let (name, span, axes, ty, values) = match place {
            Place::Var(var) => {
                let var = game.var(var);
                if var.axes.is_empty() {
                    return None;
                }
                (
                    var.name.clone(),
                    var.span,
                    var.axes.clone(),
                    var.ty.clone(),
                    var.init.clone(),
                )
            }
            Place::Piece(placement) => {
                let placement = game.placement(placement);
                let places = placement
                    .init
                    .iter()
                    .map(|at| at.map_or(Const::None, Const::Elem));
                let axes = vec![Axis::Domain(placement.pieces)];
                let ty = Type::Opt(placement.places);
                (
                    placement.name.clone(),
                    placement.span,
                    axes,
                    ty,
                    places.collect(),
                )
            }
            Place::Content(placement) => {
                let placement = game.placement(placement);
                let places = game.domain(placement.places).len();
                let contents = (0..places as u32)
                    .map(|at| content(placement, at))
                    .collect();
                let axes = vec![Axis::Domain(placement.places)];
                let ty = match placement.form {
                    PlacementForm::Many => Type::Set(placement.pieces),
                    _ => Type::Opt(placement.pieces),
                };
                (
                    format!("{}_content", placement.name),
                    placement.span,
                    axes,
                    ty,
                    contents,
                )
            }
        };
        let name = self.free_name(&name);
        self.new.push(Table {
            name,
            axes,
            ty,
            values,
            outside: None,
            span,
        });
        Some(TableId::from(game.tables.len() + self.new.len() - 1))
    }

    fn free_name(&mut self, name: &str) -> String {
        let old = self.game.tables.iter().map(|table| &table.name);
        let taken: SortedSet<&String> = old.chain(self.made.keys()).collect();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| !taken.contains(name)).unwrap_or_default();
        self.made.insert(free.clone(), ());
        free
    }
}

/// What stands on a place at the start.
fn content(placement: &crate::ir::Placement, place: u32) -> Const {
    if placement.form == PlacementForm::Anonymous {
        let kind = placement.init.get(place as usize).copied().flatten();
        return kind.map_or(Const::None, Const::Elem);
    }
    let pieces = (0..)
        .zip(&placement.init)
        .filter(|(_, at)| **at == Some(place));
    let mut pieces = pieces.map(|(piece, _)| piece);
    match placement.form {
        PlacementForm::Many => Const::Set(pieces.collect()),
        _ => pieces.next().map_or(Const::None, Const::Elem),
    }
}

/// Applies the simplifying rules everywhere.
pub(super) fn simplify(game: &mut Game) {
    simplified(game, true);
}

/// The same; whether any function changed, which may be told before.
fn simplified(game: &mut Game, mut changed: bool) -> bool {
    let effects = Effects::of(game);
    let mut free = Vec::new();
    free_exprs_mut(game, &mut |expr| free.push(expr.clone()));
    let functions = std::mem::take(&mut game.functions);
    let simplifier = Simplifier {
        game,
        effects: &effects,
    };
    let (first, second) = functions.split_at(functions.len() / 2);
    let all = |some: &[Function]| -> Vec<Function> {
        let some = some.iter();
        some.map(|function| simpler(function, &simplifier))
            .collect()
    };
    let (second, mut simple) = match functions.len() < MANY {
        true => (all(second), all(first)),
        false => beside(|| all(second), || all(first)),
    };
    simple.extend(second);
    changed = changed || simple != functions;
    free.iter_mut().for_each(|expr| simplifier.expr(expr));
    let mut free = free.into_iter();
    free_exprs_mut(game, &mut |expr| {
        if let Some(simpler) = free.next() {
            *expr = simpler;
        }
    });
    game.functions = simple;
    changed
}

/// A function by the simplifying rules, without variables that it does not need.
pub(super) fn simpler(function: &Function, simplifier: &Simplifier) -> Function {
    let mut simple = function.clone();
    simplifier.block(&mut simple.body);
    sums::ask_of_found(&mut simple);
    // What is simple already stays as it is.
    let folded = fold_locals(&mut simple);
    if folded || simple.body != function.body {
        simplifier.block(&mut simple.body);
    }
    drop_lets(&mut simple, simplifier);
    compact(&mut simple);
    simple
}

/// Replaces local variables that only ever get one constant; whether there are some.
fn fold_locals(function: &mut Function) -> bool {
    let mut values: SortedMap<LocalId, Option<Const>> = SortedMap::new();
    for param in 0..function.params {
        values.insert(LocalId::from(param), None);
    }
    let locals = &function.locals;
    walk_block(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Let(local, value) => {
            let fits = locals[local.index()].ty.contains(&value.ty);
            let value = value.as_const().filter(|_| fits).cloned();
            let known = values.entry(*local).or_insert_with(|| value.clone());
            if *known != value {
                *known = None;
            }
        }
        _ => each_assigned(stmt, &mut |local| {
            values.insert(local, None);
        }),
    });
    walk_exprs(&function.body, &mut |expr| {
        values.extend(bound_in(expr).map(|local| (local, None)));
    });
    let values: SortedMap<LocalId, Const> = values
        .into_iter()
        .filter_map(|(local, value)| Some((local, value?)))
        .collect();
    if values.is_empty() {
        return false;
    }
    rewrite_block(&mut function.body, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind
            && let Some(value) = values.get(&local)
        {
            expr.kind = ExprKind::Const(value.clone());
        }
    });
    true
}

/// Drops what is stored into local variables that nothing reads.
fn drop_lets(function: &mut Function, simplifier: &Simplifier) {
    loop {
        let mut read = vec![false; function.locals.len()];
        walk_exprs(&function.body, &mut |expr| {
            if let ExprKind::Local(local) = expr.kind {
                read[local.index()] = true;
            }
        });
        let mut changed = false;
        retain_stmts(&mut function.body, &mut |stmt| {
            match &mut stmt.kind {
                StmtKind::Let(local, value) if !read[local.index()] => {
                    let fits = function.locals[local.index()].ty.contains(&value.ty);
                    if fits && simplifier.is_free(value) {
                        changed = true;
                        return false;
                    }
                }
                StmtKind::Call { func, args, into }
                    if into.is_none_or(|local| !read[local.index()]) =>
                {
                    *into = None;
                    if simplifier.does_nothing(*func, args) {
                        changed = true;
                        return false;
                    }
                }
                _ => {}
            }
            true
        });
        if !changed {
            return;
        }
    }
}

/// Drops the statements, at any depth, for which `keep` does not hold.
fn retain_stmts(block: &mut Block, keep: &mut dyn FnMut(&mut Stmt) -> bool) {
    block.retain_mut(|stmt| {
        stmt.blocks_mut(&mut |inner| retain_stmts(inner, keep));
        keep(stmt)
    });
}

/// Drops the local variables that are not used.
pub(super) fn compact(function: &mut Function) {
    let mut names: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
    let mut numbers: Vec<Option<usize>> = (0..function.params).map(Some).collect();
    numbers.resize(function.locals.len(), None);
    rename_block(&mut function.body, &mut |local| {
        let number = numbers[local.index()].get_or_insert_with(|| {
            names.push(local);
            names.len() - 1
        });
        LocalId::from(*number)
    });
    let locals: Vec<Local> = names
        .iter()
        .map(|local| function.locals[local.index()].clone())
        .collect();
    function.locals = locals;
}

/// Drops the variables of the environment that nothing reads.
pub(super) fn drop_env(game: &mut Game) {
    let mut read = SortedSet::new();
    walk_all(game, &mut |expr| {
        if let ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) = expr.kind {
            read.insert(var);
        }
    });
    if read.len() == game.env.len() {
        return;
    }
    let types: Vec<Type> = game.env.iter().map(|var| var.ty.clone()).collect();
    let names: Vec<String> = game.env.iter().map(|var| var.name.clone()).collect();
    for function in &mut game.functions {
        let locals = &mut function.locals;
        each_stmt_mut(&mut function.body, &mut |stmt| {
            if let StmtKind::SetEnv(var, value) = &mut stmt.kind
                && !read.contains(var)
            {
                // The value may still fault; if it cannot, the next round drops it.
                let (name, ty) = (names[var.index()].clone(), types[var.index()].clone());
                locals.push(Local { name, ty });
                let local = LocalId::from(locals.len() - 1);
                let value = std::mem::replace(value, Expr::bool(false, stmt.span));
                stmt.kind = StmtKind::Let(local, value);
            }
        });
    }
    let numbers: SortedMap<EnvId, EnvId> = read
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, EnvId::from(new)))
        .collect();
    let env = std::mem::take(&mut game.env).into_iter().enumerate();
    game.env = env
        .filter(|(index, _)| read.contains(&EnvId::from(*index)))
        .map(|(_, var)| var)
        .collect();
    let mut rename = |expr: &mut Expr| {
        if let ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) = &mut expr.kind {
            *var = numbers[var];
        }
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut rename));
    blocks_mut(game, &mut |block| {
        rewrite_block(block, &mut rename);
        each_stmt_mut(block, &mut |stmt| {
            if let StmtKind::SetEnv(var, _) = &mut stmt.kind {
                *var = numbers[var];
            }
        });
    });
}

/// Drops the tables that nothing uses.
pub(super) fn drop_tables(game: &mut Game) {
    let mut used = SortedSet::new();
    walk_all(game, &mut |expr| {
        if let ExprKind::Lookup(table, _)
        | ExprKind::Walk { step: table, .. }
        | ExprKind::Closure { edges: table, .. } = expr.kind
        {
            used.insert(table);
        }
    });
    for param in game.families.iter().flat_map(|family| &family.params) {
        if let ParamSource::Listed { table, .. } = &param.source {
            used.insert(*table);
        }
    }
    let numbers: SortedMap<TableId, TableId> = used
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, TableId::from(new)))
        .collect();
    let tables = std::mem::take(&mut game.tables).into_iter().enumerate();
    game.tables = tables
        .filter(|(index, _)| used.contains(&TableId::from(*index)))
        .map(|(_, table)| table)
        .collect();
    let mut rename = |expr: &mut Expr| {
        if let ExprKind::Lookup(table, _)
        | ExprKind::Walk { step: table, .. }
        | ExprKind::Closure { edges: table, .. } = &mut expr.kind
        {
            *table = numbers[table];
        }
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut rename));
    blocks_mut(game, &mut |block| rewrite_block(block, &mut rename));
    for param in game
        .families
        .iter_mut()
        .flat_map(|family| &mut family.params)
    {
        if let ParamSource::Listed { table, .. } = &mut param.source {
            *table = numbers[table];
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::run;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::print::print;
    use crate::ir::*;
    use crate::opt::tests::assert_same_play;
    use crate::source::Span;

    #[test]
    fn what_never_changes_is_computed_and_what_may_fault_stays() {
        let span = Span::default();
        let mut builder = GameBuilder::new("constants", "none", &["a", "b"]);
        builder.game.state_text.push(StatePart::Outcome);
        let players = builder.game.players;
        let owner = builder.var(
            "owner",
            vec![Axis::Domain(players)],
            Type::INT,
            Const::Int(7),
            span,
        );
        let limit = builder.var("limit", vec![], Type::INT, Const::Int(3), span);
        let total = builder.var("total", vec![], Type::INT, Const::Int(0), span);
        let unread = builder.env("unread", Type::INT);
        builder.game.draws.push(Draw {
            name: "coin".to_owned(),
            ty: Type::Int { lo: 0, hi: 1 },
            text: vec![TextPart::Param(0)],
            span,
        });
        let unused = FunctionBuilder::new("unused", None, span).body(vec![]);
        builder.function(unused);
        let game = &builder.game;
        let get = |var| Expr::var(game, var, vec![], span);
        let zero = Expr::binary(BinaryOp::Sub, get(limit), Expr::int(3, span));
        let faults = Expr::binary(BinaryOp::Div, Expr::int(1, span), zero);
        let first = Expr::var(game, owner, vec![Expr::elem(players, 0, span)], span);
        let grown = Expr::binary(BinaryOp::Add, get(total), first);
        let is_small = Expr::binary(BinaryOp::Lt, get(limit), Expr::int(5, span));
        let is_large = Expr::binary(BinaryOp::Gt, get(total), Expr::int(5, span));
        let mut process = FunctionBuilder::new("process", None, span);
        let unseen = process.local("unseen", Type::INT);
        let drawn = process.local("drawn", Type::Int { lo: 0, hi: 1 });
        let draw = StmtKind::Chance(Chance {
            draw: DrawId(0),
            dist: Distribution::Uniform(Expr::int(0, span), Expr::int(1, span)),
            into: drawn,
        });
        let body = vec![
            Stmt::new(draw, span),
            Stmt::set_env(unread, Expr::int(1, span)),
            Stmt::assign(unseen, get(limit)),
            Stmt::branch(is_small, vec![Stmt::set_var(total, vec![], grown)], vec![]),
            Stmt::branch(
                is_large,
                vec![],
                vec![Stmt::set_var(total, vec![], Expr::int(0, span))],
            ),
            Stmt::set_env(unread, faults),
        ];
        builder.game.process = builder.function(process.body(body));
        let before = builder.game;
        let mut after = before.clone();
        run(&mut after);
        assert_same_play("constants", &before, &after, 2, 2);
        let text = print(&after);
        let (_, functions) = text.split_once("\nfn ").expect("functions");
        expect![[r#"
            process()
              local drawn: int 0..1
              local unread: int
              drawn = draw coin from 0..1
              total := (total + 7)
              if (total <= 5)
                total := 0
              unread = (1 / 0)

            process process
        "#]]
        .assert_eq(functions);
    }
}
