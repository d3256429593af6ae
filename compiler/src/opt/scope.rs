//! `scope`: variables of the environment that carry nothing out of a function become its local variables.
//!
//! What a function may read of such a variable before it writes it becomes a parameter. A variable stays in the
//! environment if anything reads it after a call that may have written it, if a read of it may find no value, or if it is
//! used where there is no function around.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{self, nodes, walk_block, walk_exprs};
use crate::ir::{
    Block, EnvId, EnvVar, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind,
    Type,
};

use super::locals::{marks_before, rename_block};
use crate::ir::walk::{each_stmt_mut, free_exprs_mut, rewrite, rewrite_block, roots};

/// Moves variables from the environment into functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() || game.env.is_empty() {
        return;
    }
    for function in &mut game.functions {
        drop_copies(&mut function.body);
    }
    let (mut moved, mut takes) = analysed(game);
    let mut tried = SortedSet::new();
    while let Some((var, helper)) = helper(game, &moved, &tried) {
        tried.insert((var, helper));
        let kept = game.functions.clone();
        open(game, helper);
        let (more, others) = analysed(game);
        if more.contains(&var) && more.is_superset(&moved) {
            (moved, takes) = (more, others);
        } else {
            game.functions = kept;
        }
    }
    if moved.is_empty() {
        return;
    }
    let env = game.env.clone();
    let functions = std::mem::take(&mut game.functions).into_iter();
    game.functions = functions
        .enumerate()
        .map(|(index, function)| {
            let mover = Mover {
                env: &env,
                moved: &moved,
                takes: &takes,
            };
            mover.function(function, &takes[index])
        })
        .collect();
}

/// Drops what gives a variable the value that it has, as a function does that hands on what it was given under the same name.
fn drop_copies(block: &mut Block) {
    block.retain(|stmt| match &stmt.kind {
        StmtKind::SetEnv(own, value) => {
            let checked = false;
            value.kind != ExprKind::Env { var: *own, checked }
        }
        _ => true,
    });
    for stmt in block {
        stmt.blocks_mut(&mut drop_copies);
    }
}

/// Statements and expressions of a function that may stand where it is called.
const NODES: usize = 80;

/// A variable that stays in the environment, and a short function that alone gives it its value for those who call it.
fn helper(
    game: &mut Game,
    moved: &SortedSet<EnvId>,
    tried: &SortedSet<(EnvId, FuncId)>,
) -> Option<(EnvId, FuncId)> {
    let effects = Effects::of(game);
    let candidates = movable(game, &effects);
    let kept = roots(game);
    let writes = |func: FuncId, var: EnvId| {
        let mut writes = false;
        walk_block(&game.function(func).body, &mut |stmt| {
            writes |= matches!(stmt.kind, StmtKind::SetEnv(own, _) if own == var);
        });
        writes
    };
    let hands = |var: EnvId, func: FuncId| {
        let mut inner = effects.reaches(func).iter();
        writes(func, var)
            && inner.all(|&other| other == func || !writes(other, var))
            && !tried.contains(&(var, func))
            && !kept.contains(&func)
            && !effects.is_recursive(func)
            && !effects.function(func).suspends
            && nodes(&game.function(func).body) <= NODES
            && called_by_statements(game, func)
    };
    let all = || (0..game.functions.len()).map(FuncId::from);
    let mut pairs = candidates
        .difference(moved)
        .flat_map(|&var| all().map(move |func| (var, func)));
    pairs.find(|&(var, func)| hands(var, func))
}

/// Whether something calls a function, and all that does is statements.
fn called_by_statements(game: &Game, func: FuncId) -> bool {
    let mut bodies = game.functions.iter().map(|function| &function.body);
    let statements = bodies.any(|body| visit::calls(body, func));
    let mut others = game.relations.iter().any(|relation| relation.holds == func);
    crate::ir::walk::walk_all(game, &mut |expr| {
        others |= matches!(expr.kind, ExprKind::Call(called, _) if called == func);
    });
    statements && !others
}

/// Puts the body of a helper in the place of its calls.
fn open(game: &mut Game, helper: FuncId) {
    let asked = game.function(helper).clone();
    for function in &mut game.functions {
        super::inline::replace_calls(function, helper, &asked);
    }
}

/// The variables that can be moved, and what each function takes of them.
fn analysed(game: &mut Game) -> (SortedSet<EnvId>, Vec<SortedSet<EnvId>>) {
    let effects = Effects::of(game);
    let moved = movable(game, &effects);
    let mut analysis = Analysis {
        game,
        effects: &effects,
        moved,
        takes: vec![SortedSet::new(); game.functions.len()],
    };
    while analysis.round() {}
    (analysis.moved, analysis.takes)
}

/// The variables of which every use stands in a function that may keep them.
fn movable(game: &mut Game, effects: &Effects) -> SortedSet<EnvId> {
    let mut moved: SortedSet<EnvId> = (0..game.env.len()).map(EnvId::from).collect();
    free_exprs_mut(game, &mut |expr| {
        rewrite(expr, &mut |expr| match expr.kind {
            ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) => {
                moved.remove(&var);
            }
            _ => {}
        });
    });
    for (index, function) in game.functions.iter().enumerate() {
        let suspends = effects.function(FuncId::from(index)).suspends;
        walk_exprs(&function.body, &mut |expr| match &expr.kind {
            ExprKind::EnvIsSet(var) | ExprKind::Env { var, checked: true } => {
                moved.remove(var);
            }
            ExprKind::Env { var, .. } if suspends => {
                moved.remove(var);
            }
            ExprKind::Call(func, _) => {
                let effect = effects.function(*func);
                moved.retain(|var| !effect.scratch.env.contains(var));
            }
            _ => {}
        });
        walk_block(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::SetEnv(var, _) if suspends => {
                moved.remove(var);
            }
            _ => {}
        });
    }
    for relation in &game.relations {
        let effect = effects.function(relation.holds);
        moved.retain(|var| !effect.reads.env.contains(var) && !effect.scratch.env.contains(var));
    }
    moved
}

struct Analysis<'a> {
    game: &'a Game,
    effects: &'a Effects,
    moved: SortedSet<EnvId>,
    /// What each function may read before it writes it.
    takes: Vec<SortedSet<EnvId>>,
}

impl Analysis<'_> {
    /// One round over all functions; whether it found anything new.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.game.functions.len() {
            changed |= self.function(index);
        }
        let before = self.moved.len();
        // Nothing can be handed to what starts in an empty environment.
        for root in roots(self.game) {
            let takes = &self.takes[root.index()];
            self.moved.retain(|var| !takes.contains(var));
        }
        for takes in &mut self.takes {
            takes.retain(|var| self.moved.contains(var));
        }
        changed || before != self.moved.len()
    }

    /// Finds what a function takes; variables that outlive a call are no longer moved.
    ///
    /// Each variable is looked at as a local one. A call assigns what the function called may write a value that nobody
    /// has given a variable of its own: where that is live at the start, the variable is read after the call.
    fn function(&mut self, index: usize) -> bool {
        let function = &self.game.functions[index];
        let base = function.locals.len();
        let count = self.game.env.len();
        let own = |var: EnvId| LocalId::from(base + var.index());
        let written = |var: EnvId| LocalId::from(base + count + var.index());
        let mut body = function.body.clone();
        as_locals(&mut body, &self.moved, &own, &self.takes, &self.game.env);
        follow_calls(&mut body, &mut |stmt, func| {
            let scratch = &self.effects.function(func).scratch.env;
            let ty = Type::Bool;
            let moved = scratch.iter().filter(|var| self.moved.contains(var));
            moved
                .map(|&var| {
                    Stmt::assign(own(var), Expr::local(written(var), ty.clone(), stmt.span))
                })
                .collect()
        });
        let live = marks_before(&body, base + count);
        let mut changed = false;
        for var in self.moved.clone() {
            if live.contains(&written(var)) {
                self.moved.remove(&var);
                changed = true;
            } else if live.contains(&own(var)) {
                changed |= self.takes[index].insert(var);
            }
        }
        changed
    }
}

/// Turns reads and writes of moved variables into those of local ones, and hands them to calls.
fn as_locals(
    body: &mut Block,
    moved: &SortedSet<EnvId>,
    own: &dyn Fn(EnvId) -> LocalId,
    takes: &[SortedSet<EnvId>],
    env: &[EnvVar],
) {
    let handed = |func: FuncId, args: &mut Vec<Expr>, span| {
        let vars = takes[func.index()].iter().filter(|var| moved.contains(var));
        args.extend(vars.map(|&var| {
            let ty = env[var.index()].ty.clone();
            Expr::local(own(var), ty, span)
        }));
    };
    rewrite_block(body, &mut |expr| {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Env { var, .. } if moved.contains(var) => {
                expr.kind = ExprKind::Local(own(*var));
            }
            ExprKind::Call(func, args) => handed(*func, args, span),
            _ => {}
        }
    });
    each_stmt_mut(body, &mut |stmt| {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::SetEnv(var, value) if moved.contains(var) => {
                let value = std::mem::replace(value, Expr::bool(false, span));
                stmt.kind = StmtKind::Let(own(*var), value);
            }
            StmtKind::Call { func, args, .. } => handed(*func, args, span),
            _ => {}
        }
    });
}

/// Adds statements behind every statement that is a call, at any depth.
fn follow_calls(block: &mut Block, f: &mut dyn FnMut(&Stmt, FuncId) -> Block) {
    let mut out = Block::new();
    for mut stmt in std::mem::take(block) {
        stmt.blocks_mut(&mut |inner| follow_calls(inner, f));
        let more = match &stmt.kind {
            StmtKind::Call { func, .. } => f(&stmt, *func),
            _ => Block::new(),
        };
        out.push(stmt);
        out.extend(more);
    }
    *block = out;
}

/// Rewrites functions.
struct Mover<'a> {
    env: &'a [EnvVar],
    moved: &'a SortedSet<EnvId>,
    takes: &'a [SortedSet<EnvId>],
}

impl Mover<'_> {
    fn function(&self, mut function: Function, takes: &SortedSet<EnvId>) -> Function {
        let added = takes.len();
        let params = function.params;
        rename_block(
            &mut function.body,
            &mut |local| match local.index() < params {
                true => local,
                false => LocalId::from(local.index() + added),
            },
        );
        let mut locals = function.locals;
        let rest = locals.split_off(params);
        let mut own: SortedMap<EnvId, LocalId> = SortedMap::new();
        for &var in takes {
            own.insert(var, LocalId::from(locals.len()));
            locals.push(self.local(var));
        }
        locals.extend(rest);
        for var in self.used(&function.body) {
            own.entry(var).or_insert_with(|| {
                locals.push(self.local(var));
                LocalId::from(locals.len() - 1)
            });
        }
        let own = |var: EnvId| own.get(&var).copied().unwrap_or(LocalId::from(0));
        as_locals(&mut function.body, self.moved, &own, self.takes, self.env);
        function.params = params + added;
        function.locals = locals;
        function
    }

    fn local(&self, var: EnvId) -> Local {
        let var = &self.env[var.index()];
        Local {
            name: var.name.clone(),
            ty: var.ty.clone(),
        }
    }

    /// The moved variables that a body names itself or hands to what it calls.
    fn used(&self, body: &Block) -> SortedSet<EnvId> {
        let mut used = SortedSet::new();
        walk_exprs(body, &mut |expr| match &expr.kind {
            ExprKind::Env { var, .. } => {
                used.insert(*var);
            }
            ExprKind::Call(func, _) => used.extend(&self.takes[func.index()]),
            _ => {}
        });
        walk_block(body, &mut |stmt| match &stmt.kind {
            StmtKind::SetEnv(var, _) => {
                used.insert(*var);
            }
            StmtKind::Call { func, .. } => used.extend(&self.takes[func.index()]),
            _ => {}
        });
        used.retain(|var| self.moved.contains(var));
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::{Const, VarId};
    use crate::source::Span;

    /// What reads a variable of the environment, taking for granted that it has a value.
    fn read(var: EnvId) -> Expr {
        let kind = ExprKind::Env {
            var,
            checked: false,
        };
        Expr::new(kind, Type::Bool, Span::default())
    }

    fn note(state: VarId, value: Expr) -> Stmt {
        Stmt::set_var(state, vec![], value)
    }

    /// A game with a truth in the environment and one in the state, whose functions follow; the last one is its process.
    fn after(functions: impl Fn(EnvId, VarId) -> Vec<Block>) -> Game {
        let span = Span::default();
        let mut builder = GameBuilder::new("scoped", "none", &["a"]);
        let env = builder.env("x", Type::Bool);
        let state = builder.var("state", vec![], Type::Bool, Const::Bool(false), span);
        for (number, body) in functions(env, state).into_iter().enumerate() {
            let function = FunctionBuilder::new(&format!("f{number}"), None, span);
            builder.game.process = builder.function(function.body(body));
        }
        let mut game = builder.game;
        run(&mut game);
        game
    }

    /// Whether functions still read the variable where they found it.
    fn reads(game: &Game) -> Vec<bool> {
        let functions = game.functions.iter();
        let each = functions.map(|function| {
            let mut found = false;
            walk_exprs(&function.body, &mut |expr| {
                found |= matches!(expr.kind, ExprKind::Env { .. });
            });
            found
        });
        each.collect()
    }

    #[test]
    fn what_stays_in_a_function_becomes_its_own() {
        let span = Span::default();
        let game = after(|x, state| {
            let asks = vec![note(state, read(x))];
            let call = Stmt::call(FuncId(0), vec![], None, span);
            vec![asks, vec![Stmt::set_env(x, Expr::bool(true, span)), call]]
        });
        assert_eq!(reads(&game), [false, false]);
        assert_eq!(game.functions[0].params, 1, "it is handed over");
    }

    #[test]
    fn what_a_call_leaves_behind_stays_in_the_environment() {
        let span = Span::default();
        let game = after(|x, state| {
            // Too long to stand where it is called.
            let mut gives = vec![note(state, Expr::bool(true, span)); NODES];
            gives.push(Stmt::set_env(x, Expr::bool(true, span)));
            let call = Stmt::call(FuncId(0), vec![], None, span);
            vec![gives, vec![call, note(state, read(x))]]
        });
        assert_eq!(reads(&game), [false, true]);
    }

    #[test]
    fn what_a_root_takes_from_nobody_stays_in_the_environment() {
        let span = Span::default();
        let game = after(|x, state| {
            let set = Stmt::set_env(x, Expr::bool(true, span));
            vec![vec![note(state, read(x)), set]]
        });
        assert_eq!(reads(&game), [true]);
        assert_eq!(game.functions[0].params, 0);
    }
}
