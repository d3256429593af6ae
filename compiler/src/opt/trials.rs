//! `trials`: a candidate is tried by what the predicate that judges it can see, and by nothing else.
//!
//! The effect that a predicate on the position after a move looks at may write much more than the predicate reads: clocks,
//! histories, who has moved. A copy of the effect without such writes, and without what only they need, takes its place. Moves
//! are played as before.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::{Access, Effect, Effects};
use crate::ir::visit::walk_block;
use crate::ir::{Block, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind};

use super::fold_constants::{compact, drop_functions};
use super::locals::each_assigned;
use super::tables::free_name;

/// Gives families with a predicate on the position after the move an effect that does no more than the predicate sees.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let first = game.functions.len();
    for index in 0..game.families.len() {
        let family = &game.families[index];
        let (Some(after), Some(effect)) = (family.after, family.effect) else {
            continue;
        };
        let Some(trial) = trial(game, &effects, after, effect) else {
            continue;
        };
        // Trials of many families are the same.
        let same = |known: &&Function| {
            known.body == trial.body && known.locals == trial.locals && known.doc == trial.doc
        };
        let known = game.functions[first..].iter().position(|f| same(&f));
        let place = known.map_or(game.functions.len(), |known| first + known);
        if known.is_none() {
            game.functions.push(trial);
        }
        game.families[index].effect = Some(FuncId::from(place));
    }
    if game.functions.len() > first {
        drop_functions(game);
    }
}

/// The part of an effect that a predicate sees, if it is not all of it.
fn trial(game: &Game, effects: &Effects, after: FuncId, effect: FuncId) -> Option<Function> {
    let function = game.function(effect);
    if !is_sliceable(effects.function(effect), &function.body) {
        return None;
    }
    let mut slice = Slice {
        game,
        effects,
        seen: effects.function(after).reads.clone(),
        locals: SortedSet::new(),
    };
    slice.grow(&function.body);
    let mut body = function.body.clone();
    slice.cut(&mut body);
    if let Some(Stmt {
        kind: StmtKind::Return(_),
        ..
    }) = body.last()
    {
        body.pop();
    }
    if count(&body) + 1 >= count(&function.body) {
        return None;
    }
    let wanted = format!("trial {}", function.name);
    let names = game.functions.iter().map(|f| f.name.as_str());
    let mut trial = Function {
        name: free_name(&wanted, names),
        ret: None,
        body,
        doc: "What a move changes of what its judgement sees.".to_owned(),
        ..function.clone()
    };
    compact(&mut trial);
    Some(trial)
}

/// Whether what has this effect always comes back.
pub(super) fn comes_back(effect: &Effect) -> bool {
    !(effect.may_fault || effect.fails || effect.works || effect.suspends || effect.ends)
}

/// Whether parts of a function with this effect may be left out: it always comes back, and what it leaves out would not
/// have been missed.
fn is_sliceable(effect: &Effect, body: &Block) -> bool {
    let mut plain = effect.scratch.env.is_empty() && effect.reads.env.is_empty();
    walk_block(body, &mut |stmt| {
        plain &= !matches!(
            stmt.kind,
            StmtKind::Trial { .. } | StmtKind::Snapshot(_) | StmtKind::Restore(_)
        );
    });
    comes_back(effect) && plain
}

fn count(body: &Block) -> usize {
    let mut count = 0;
    walk_block(body, &mut |_| count += 1);
    count
}

/// What of an effect matters to those who look at the position after it.
struct Slice<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// Parts of the state that are looked at, afterwards or on the way.
    seen: Access,
    /// Local variables whose values matter.
    locals: SortedSet<LocalId>,
}

impl Slice<'_> {
    /// Finds all that matters.
    fn grow(&mut self, body: &Block) {
        loop {
            let before = (self.seen.clone(), self.locals.len());
            self.add_block(body);
            if before == (self.seen.clone(), self.locals.len()) {
                return;
            }
        }
    }

    fn add_block(&mut self, block: &Block) {
        for stmt in block {
            if self.matters(stmt) {
                self.add_stmt(stmt);
                stmt.blocks(&mut |inner| self.add_block(inner));
            }
        }
    }

    /// Adds what a statement that matters looks at by itself.
    fn add_stmt(&mut self, stmt: &Stmt) {
        if matches!(stmt.kind, StmtKind::Return(_)) {
            return;
        }
        stmt.children(&mut |expr| self.add_expr(expr));
        if let StmtKind::Call { func, .. } = stmt.kind {
            self.seen.join(&self.effects.function(func).reads);
        }
    }

    fn add_expr(&mut self, expr: &Expr) {
        self.seen.join(&self.effects.expr(self.game, expr).reads);
        expr.walk(&mut |part| {
            if let ExprKind::Local(local) = part.kind {
                self.locals.insert(local);
            }
        });
    }

    /// Whether a statement changes what is looked at, or where the function goes on.
    fn matters(&self, stmt: &Stmt) -> bool {
        let seen = &self.seen;
        let mut matters = match &stmt.kind {
            StmtKind::SetVar(var, ..) => seen.vars.contains(var),
            StmtKind::Put(placement, ..)
            | StmtKind::Bring(placement, ..)
            | StmtKind::Take(placement, _)
            | StmtKind::SetContent(placement, ..) => seen.placements.contains(placement),
            StmtKind::Note(trail) | StmtKind::Forget(trail) => seen.trails.contains(trail),
            StmtKind::Call { func, .. } => self.effects.function(*func).writes.meets(seen),
            StmtKind::Let(..)
            | StmtKind::Emit(_)
            | StmtKind::If(..)
            | StmtKind::For { .. }
            | StmtKind::ForEach(..) => false,
            _ => true,
        };
        each_assigned(stmt, &mut |local| matters |= self.locals.contains(&local));
        stmt.blocks(&mut |block| matters |= block.iter().any(|inner| self.matters(inner)));
        matters
    }

    /// Leaves out what does not matter.
    fn cut(&self, block: &mut Block) {
        block.retain_mut(|stmt| {
            stmt.blocks_mut(&mut |inner| self.cut(inner));
            if let StmtKind::Return(value) = &mut stmt.kind {
                *value = None;
            }
            self.matters(stmt)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::{BinaryOp, Const, Identity, Trail, TrailId, Type, VarId};
    use crate::source::Span;

    #[test]
    fn what_a_judgement_does_not_see_is_not_tried() {
        let span = Span::default();
        let mut builder = GameBuilder::new("judged", "none", &["a", "b"]);
        let mut var = |name| builder.var(name, vec![], Type::Bool, Const::Bool(false), span);
        let (open, needed, hidden) = (var("open"), var("needed"), var("hidden"));
        let game = &builder.game;
        let read = |var| Expr::var(game, var, vec![], span);
        let mut effect = FunctionBuilder::new("effect", None, span);
        let before = effect.local("before", Type::Bool);
        let old = effect.get(before);
        let flip = Stmt::set_var(needed, vec![], read(needed).not());
        let show = Stmt::set_var(open, vec![], read(needed));
        let hide = Stmt::set_var(hidden, vec![], old);
        let body = vec![
            Stmt::assign(before, read(hidden).not()),
            flip.clone(),
            hide.clone(),
            Stmt::branch(read(hidden), vec![hide.clone()], vec![]),
            show.clone(),
        ];
        let after = FunctionBuilder::new("after", Some(Type::Bool), span)
            .body(vec![Stmt::give(read(open).not())]);
        let after = builder.function(after);
        let effect = builder.function(effect.body(body));
        let game = builder.game;
        let cut = trial(&game, &Effects::of(&game), after, effect).expect("less to do");
        assert_eq!(cut.body, [flip, show]);
        assert!(cut.locals.is_empty() && cut.ret.is_none());
    }

    /// A game with plain truths, a predicate that reads the first of them, and an effect; what is tried of the effect.
    fn tried(effect: impl Fn(&mut GameBuilder, &[VarId]) -> Block) -> (Block, Option<Block>) {
        let span = Span::default();
        let mut builder = GameBuilder::new("judged", "none", &["a", "b"]);
        let mut var = |name| builder.var(name, vec![], Type::Bool, Const::Bool(false), span);
        let vars = [var("open"), var("needed"), var("hidden")];
        let body = effect(&mut builder, &vars);
        let read = Expr::var(&builder.game, vars[0], vec![], span);
        let after = FunctionBuilder::new("after", Some(Type::Bool), span);
        let after = builder.function(after.body(vec![Stmt::give(read)]));
        let effect = FunctionBuilder::new("effect", None, span).body(body.clone());
        let effect = builder.function(effect);
        let game = builder.game;
        let cut = trial(&game, &Effects::of(&game), after, effect);
        (body, cut.map(|cut| cut.body))
    }

    /// Lines that nobody looks at.
    fn hide(game: &Game, hidden: VarId) -> Block {
        let span = Span::default();
        let line = Stmt::set_var(hidden, vec![], Expr::var(game, hidden, vec![], span).not());
        vec![line.clone(), line.clone(), line]
    }

    #[test]
    fn what_a_call_on_the_way_reads_is_tried() {
        let span = Span::default();
        let (body, cut) = tried(|builder, vars| {
            let read = |var| Expr::var(&builder.game, var, vec![], span);
            let mut body = hide(&builder.game, vars[2]);
            body.push(Stmt::set_var(vars[1], vec![], read(vars[1]).not()));
            let show = Stmt::set_var(vars[0], vec![], read(vars[1]));
            let show = FunctionBuilder::new("show", None, span).body(vec![show]);
            body.push(Stmt::call(builder.function(show), vec![], None, span));
            body
        });
        assert_eq!(cut.expect("less to do"), body[3..]);
    }

    #[test]
    fn what_a_judgement_has_seen_of_a_trail_is_tried() {
        let span = Span::default();
        let trail = TrailId(0);
        let mut builder = GameBuilder::new("trail", "none", &["a"]);
        let hidden = builder.var("hidden", vec![], Type::Bool, Const::Bool(false), span);
        let identity = builder.identity(Identity {
            name: "nothing".to_owned(),
            terms: vec![],
        });
        builder.game.trails.push(Trail {
            name: "path".to_owned(),
            identity,
            capacity: 9,
        });
        let read = Expr::new(ExprKind::Seen(trail), Type::INT, span);
        let read = Expr::binary(BinaryOp::Lt, read, Expr::int(3, span));
        let after = FunctionBuilder::new("after", Some(Type::Bool), span);
        let after = builder.function(after.body(vec![Stmt::give(read)]));
        let mut body = hide(&builder.game, hidden);
        let forget = Stmt::new(StmtKind::Forget(trail), span);
        body.push(forget.clone());
        let effect = FunctionBuilder::new("effect", None, span).body(body);
        let effect = builder.function(effect);
        let game = builder.game;
        let cut = trial(&game, &Effects::of(&game), after, effect).expect("less to do");
        assert_eq!(cut.body, [forget]);
    }

    #[test]
    fn an_effect_on_the_environment_is_tried_as_a_whole() {
        let span = Span::default();
        let (_, cut) = tried(|builder, vars| {
            let env = builder.env("x", Type::Bool);
            let mut body = hide(&builder.game, vars[2]);
            body.push(Stmt::set_env(env, Expr::bool(true, span)));
            body.push(Stmt::set_var(vars[0], vec![], Expr::bool(true, span)));
            body
        });
        assert_eq!(cut, None);
    }
}
