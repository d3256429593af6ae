//! Where a game keeps expressions and ids outside the bodies of functions.

use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Block, Chance, Choose, Expr, ExprKind, FuncId, Game, IdentityTerm, ParamSource, Point, StmtKind,
};

/// Calls `f` on every expression that stands outside functions: sources and classes of families,
/// terms of identities, texts that depend on positions.
pub fn free_exprs_mut(game: &mut Game, f: &mut dyn FnMut(&mut Expr)) {
    for family in &mut game.families {
        for param in &mut family.params {
            match &mut param.source {
                ParamSource::Is(value) => f(value),
                ParamSource::Subset { of, size } => {
                    f(of);
                    f(size);
                }
                _ => {}
            }
        }
        family.class.iter_mut().for_each(&mut *f);
    }
    for term in game
        .identities
        .iter_mut()
        .flat_map(|identity| &mut identity.terms)
    {
        match term {
            IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
            IdentityTerm::Each { when, values, .. }
            | IdentityTerm::Bag { when, values, .. }
            | IdentityTerm::Nest { when, values, .. } => {
                f(when);
                values.iter_mut().for_each(&mut *f);
            }
            IdentityTerm::Value(value) => f(value),
        }
    }
    for part in game.tellings.iter_mut().flat_map(|t| &mut t.parts) {
        part.exprs_mut(f);
    }
}

/// Calls `f` on every block: bodies of functions, blocks of the machine.
pub fn blocks_mut(game: &mut Game, f: &mut dyn FnMut(&mut Block)) {
    for function in &mut game.functions {
        f(&mut function.body);
    }
    let Some(machine) = &mut game.machine else {
        return;
    };
    f(&mut machine.start);
    for point in &mut machine.points {
        match point {
            Point::Choose(choose) => choose.blocks_mut(f),
            Point::Chance(_, block) => f(block),
        }
    }
}

/// Calls `f` on every block that is no part of another one: bodies of functions, blocks of the machine.
pub fn each_block<'a>(game: &'a Game, f: &mut dyn FnMut(&'a Block)) {
    for function in &game.functions {
        f(&function.body);
    }
    let Some(machine) = &game.machine else { return };
    f(&machine.start);
    for point in &machine.points {
        match point {
            Point::Choose(choose) => choose.blocks(f),
            Point::Chance(_, block) => f(block),
        }
    }
}

/// Calls `f` on every statement of the game.
pub fn each_stmt<'a>(game: &'a Game, f: &mut dyn FnMut(&'a crate::ir::Stmt)) {
    each_block(game, &mut |block| walk_block(block, f));
}

/// Calls `f` on every expression of the game, outermost first.
pub fn walk_all<'a>(game: &'a Game, f: &mut dyn FnMut(&'a Expr)) {
    for function in &game.functions {
        walk_exprs(&function.body, f);
    }
    walk_free(game, f);
    let Some(machine) = &game.machine else { return };
    walk_exprs(&machine.start, f);
    for point in &machine.points {
        walk_point(point, f);
    }
}

/// Calls `f` on every expression that stands outside functions and the machine, outermost first.
pub fn walk_free<'a>(game: &'a Game, f: &mut dyn FnMut(&'a Expr)) {
    for family in &game.families {
        for param in &family.params {
            match &param.source {
                ParamSource::Is(value) => value.walk(f),
                ParamSource::Subset { of, size } => {
                    of.walk(f);
                    size.walk(f);
                }
                _ => {}
            }
        }
        for value in &family.class {
            value.walk(f);
        }
    }
    for term in game.identities.iter().flat_map(|identity| &identity.terms) {
        match term {
            IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
            IdentityTerm::Each { when, values, .. }
            | IdentityTerm::Bag { when, values, .. }
            | IdentityTerm::Nest { when, values, .. } => {
                when.walk(f);
                values.iter().for_each(|value| value.walk(f));
            }
            IdentityTerm::Value(value) => value.walk(f),
        }
    }
    for part in game.tellings.iter().flat_map(|telling| &telling.parts) {
        part.exprs(&mut |expr| expr.walk(f));
    }
}

fn walk_point<'a>(point: &'a Point, f: &mut dyn FnMut(&'a Expr)) {
    match point {
        Point::Choose(choose) => walk_choose(choose, f),
        Point::Chance(chance, block) => {
            walk_chance(chance, f);
            walk_exprs(block, f);
        }
    }
}

fn walk_choose<'a>(choose: &'a Choose, f: &mut dyn FnMut(&'a Expr)) {
    choose.children(&mut |expr| expr.walk(f));
    choose.blocks(&mut |block| walk_exprs(block, f));
}

fn walk_chance<'a>(chance: &'a Chance, f: &mut dyn FnMut(&'a Expr)) {
    chance.children(&mut |expr| expr.walk(f));
}

/// Changes an expression and everything in it, innermost first.
pub fn rewrite(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    expr.each_child_mut(|child| rewrite(child, f));
    f(expr);
}

/// Changes every expression of a block at any depth, innermost first.
pub fn rewrite_block(block: &mut Block, f: &mut dyn FnMut(&mut Expr)) {
    for stmt in block {
        stmt.children_mut(&mut |expr| rewrite(expr, f));
        stmt.blocks_mut(&mut |inner| rewrite_block(inner, f));
    }
}

/// Calls `f` on every statement of a block at any depth, innermost first.
pub fn each_stmt_mut(block: &mut Block, f: &mut dyn FnMut(&mut crate::ir::Stmt)) {
    for stmt in block {
        stmt.blocks_mut(&mut |inner| each_stmt_mut(inner, f));
        f(stmt);
    }
}

/// Replaces every id of a function.
pub fn rename_functions(game: &mut Game, f: &dyn Fn(FuncId) -> FuncId) {
    let mut in_expr = |expr: &mut Expr| {
        if let ExprKind::Call(func, _) = &mut expr.kind {
            *func = f(*func);
        }
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut in_expr));
    blocks_mut(game, &mut |block| {
        rewrite_block(block, &mut in_expr);
        each_stmt_mut(block, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &mut stmt.kind {
                *func = f(*func);
            }
        });
    });
    for family in &mut game.families {
        let parts = [
            &mut family.guard,
            &mut family.after,
            &mut family.effect,
            &mut family.rank,
        ];
        for func in parts.into_iter().flatten() {
            *func = f(*func);
        }
        for param in &mut family.params {
            if let ParamSource::Generated(func) = &mut param.source {
                *func = f(*func);
            }
        }
    }
    for relation in &mut game.relations {
        relation.holds = f(relation.holds);
    }
    for probe in &mut game.probes {
        probe.func = f(probe.func);
    }
    game.process = f(game.process);
}

/// The functions that are asked for by something else than a call: guards and their like, relations, probes, the
/// process. All but relations start in an empty environment.
pub fn roots(game: &Game) -> Vec<FuncId> {
    let mut roots: Vec<FuncId> = game.probes.iter().map(|probe| probe.func).collect();
    roots.push(game.process);
    roots.extend(game.relations.iter().map(|relation| relation.holds));
    for family in &game.families {
        roots.extend(family.functions());
    }
    roots
}

/// Calls `f` on every function that something names, once for each time.
pub fn each_use(game: &Game, f: &mut dyn FnMut(FuncId)) {
    walk_all(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            f(*func);
        }
    });
    for function in &game.functions {
        crate::ir::visit::walk_block(&function.body, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                f(*func);
            }
        });
    }
    roots(game).into_iter().for_each(f);
}

/// How often a function is named.
pub fn uses(game: &Game, func: FuncId) -> usize {
    let mut uses = 0;
    each_use(game, &mut |other| uses += usize::from(other == func));
    uses
}
