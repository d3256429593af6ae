//! What a trial that is taken back does beside testing is left out, and where nothing else is left it is a condition.
//!
//! An action is possible if all that it does succeeds. What it does before a test is of no account unless the test sees it, so
//! it makes no difference which comes first.

use crate::ir::effects::Effects;
use rulec_ir::sorted::SortedSet;

use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::{each_stmt_mut, each_use};
use crate::ir::{
    Block, EnvId, Expr, ExprKind, FuncId, Function, Game, Local, Stmt, StmtKind, UnaryOp,
};
use crate::source::Span;

use super::locals::{Needs, assigned};
use super::simplify::{negated, truth};
use super::specialise::carry;

/// Makes conditions of the trials of all functions.
pub(super) fn run(game: &mut Game) {
    if !game.functions.iter().any(tries) {
        return;
    }
    let effects = Effects::of(game);
    for index in 0..game.functions.len() {
        let mut body = game.functions[index].body.clone();
        let settler = Settler {
            game,
            effects: &effects,
            locals: &game.functions[index].locals,
        };
        each_stmt_mut(&mut body, &mut |stmt| settler.settle(stmt));
        game.functions[index].body = body;
    }
}

/// Opens trials that cannot fail and leave nothing that would be taken back: they are what they do.
pub(super) fn open(game: &mut Game) {
    if !game.functions.iter().any(tries) {
        return;
    }
    let effects = Effects::of(game);
    let guards = only_guards(game);
    for index in 0..game.functions.len() {
        let function = &game.functions[index];
        if !tries(function) {
            continue;
        }
        let settler = Settler {
            game,
            effects: &effects,
            locals: &function.locals,
        };
        let func = FuncId::from(index);
        let unseen = match guards.contains(&func) {
            true => settler.unseen(func),
            false => SortedSet::new(),
        };
        let body = settler.opened(&unseen, &Needs::of(&function.body), &function.body);
        let function = &mut game.functions[index];
        function.body = body;
        carry(function);
    }
}

/// Functions that are asked whether a move of a family is legal, and for nothing else.
pub(super) fn only_guards(game: &Game) -> SortedSet<FuncId> {
    let mut others = vec![0; game.functions.len()];
    each_use(game, &mut |func| others[func.index()] += 1);
    let guards = || game.families.iter().filter_map(|family| family.guard);
    guards().for_each(|guard| others[guard.index()] -= 1);
    guards()
        .filter(|guard| others[guard.index()] == 0)
        .collect()
}

/// Whether there is a trial in a function.
fn tries(function: &Function) -> bool {
    let mut found = false;
    walk_block(&function.body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Trial { .. });
    });
    found
}

struct Settler<'a> {
    game: &'a Game,
    effects: &'a Effects,
    locals: &'a [Local],
}

impl Settler<'_> {
    fn settle(&self, stmt: &mut Stmt) {
        let StmtKind::Trial {
            body,
            keep: false,
            ok,
            value: None,
        } = &mut stmt.kind
        else {
            return;
        };
        self.drop_unseen(body);
        if let Some(succeeds) = succeeds(body, stmt.span) {
            stmt.kind = StmtKind::Let(*ok, succeeds);
        }
    }

    /// The variables of the environment that a guard leaves as they were, and of which nobody sees whether its trials do.
    ///
    /// A guard starts with none of them and all are forgotten behind it. Where every read finds a value, it finds one that
    /// the same trial wrote.
    fn unseen(&self, guard: FuncId) -> SortedSet<EnvId> {
        let effect = self.effects.function(guard);
        let mut unseen = effect.scratch.env.clone();
        unseen.retain(|var| !effect.writes.env.contains(var));
        let reached = self.effects.reaches(guard).iter();
        for &func in reached.chain([&guard]) {
            walk_exprs(
                &self.game.function(func).body,
                &mut |expr| match expr.kind {
                    ExprKind::EnvIsSet(var) | ExprKind::Env { var, checked: true } => {
                        unseen.remove(&var);
                    }
                    _ => {}
                },
            );
        }
        unseen
    }

    fn opened(&self, unseen: &SortedSet<EnvId>, needs: &Needs, block: &[Stmt]) -> Block {
        let mut opened = Block::new();
        for stmt in block {
            let mut blocks = Vec::new();
            stmt.blocks(&mut |block| blocks.push(self.opened(unseen, needs, block)));
            let mut own = stmt.clone();
            match own.kind {
                StmtKind::Trial { ok, value, .. } if self.is_needless(unseen, needs, stmt) => {
                    opened.extend(blocks.into_iter().flatten());
                    opened.push(Stmt::assign(ok, Expr::bool(true, stmt.span)));
                    opened.extend(value.map(|(value, into)| Stmt::assign(into, value)));
                }
                _ => {
                    let mut blocks = blocks.into_iter();
                    own.blocks_mut(&mut |block| *block = blocks.next().unwrap_or_default());
                    opened.push(own);
                }
            }
        }
        opened
    }

    /// Whether a trial succeeds always and drops nothing that anybody sees.
    fn is_needless(&self, unseen: &SortedSet<EnvId>, needs: &Needs, trial: &Stmt) -> bool {
        let StmtKind::Trial { body, keep, .. } = &trial.kind else {
            return false;
        };
        let effect = self.effects.block(self.game, self.locals, body);
        let leaves_nothing = effect.is_guard() && effect.writes.env.is_subset(unseen);
        let drops = !keep && !leaves_nothing;
        let needed = needs.after(trial);
        !effect.fails && !drops && assigned(body).is_disjoint(needed)
    }

    /// Leaves out what is written for nothing that follows in the trial.
    fn drop_unseen(&self, body: &mut Block) {
        let mut kept = Block::new();
        while let Some(stmt) = body.pop() {
            let own = self
                .effects
                .block(self.game, self.locals, std::slice::from_ref(&stmt));
            let writes = matches!(
                stmt.kind,
                StmtKind::SetVar(..) | StmtKind::SetContent(..) | StmtKind::Take(..)
            );
            let comes_back = !(own.may_fault || own.fails || own.works || own.ends);
            let seen = || {
                let later = self.effects.block(self.game, self.locals, &kept);
                later.reads.meets(&own.writes)
            };
            if !(writes && comes_back) || seen() {
                kept.insert(0, stmt);
            }
        }
        *body = kept;
    }
}

/// Functions that end by asking whether a truth holds, only to say so, give it.
pub(super) fn answer(game: &mut Game) {
    for function in &mut game.functions {
        let [.., asks, gives] = &mut function.body[..] else {
            continue;
        };
        let StmtKind::If(cond, yes, no) = &asks.kind else {
            continue;
        };
        let ([answers], []) = (&yes[..], &no[..]) else {
            continue;
        };
        let answer = match (given(answers), given(gives)) {
            (Some(false), Some(true)) => negated(cond.clone()),
            (Some(true), Some(false)) => cond.clone(),
            _ => continue,
        };
        // Guards are taken apart by what they deny.
        if is_stored(&answer) {
            let answer = Stmt::new(StmtKind::Return(Some(answer)), asks.span);
            function.body.truncate(function.body.len() - 2);
            function.body.push(answer);
        }
    }
}

/// The truth that a block gives, if that is all that it does.
pub(super) fn truth_given(block: &[Stmt]) -> Option<bool> {
    match block {
        [only] => given(only),
        _ => None,
    }
}

/// The truth that a statement gives, if it is known.
pub(super) fn given(stmt: &Stmt) -> Option<bool> {
    match &stmt.kind {
        StmtKind::Return(Some(value)) => truth(value),
        _ => None,
    }
}

/// Whether a truth is what a variable holds, or the opposite.
fn is_stored(truth: &Expr) -> bool {
    match &truth.kind {
        ExprKind::Local(_) => true,
        ExprKind::Unary(UnaryOp::Not, held) => is_stored(held),
        _ => false,
    }
}

/// When a trial succeeds that does nothing but fail under conditions, which are asked in their order until one holds.
fn succeeds(body: &Block, span: Span) -> Option<Expr> {
    let mut all = Expr::bool(true, span);
    for (index, stmt) in body.iter().enumerate() {
        let StmtKind::If(cond, fails, rest) = &stmt.kind else {
            return None;
        };
        if !rest.is_empty() || !matches!(&fails[..], [only] if only.kind == StmtKind::Fail) {
            return None;
        }
        let test = cond.clone().not();
        all = match index {
            0 => test,
            _ => all.and(test),
        };
    }
    Some(all)
}
