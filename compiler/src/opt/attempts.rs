//! What a trial that is taken back does beside testing is left out, and where nothing else is left it is a condition.
//!
//! An action is possible if all that it does succeeds. What it does before a test is of no account unless the test sees it, so
//! it makes no difference which comes first.

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, Expr, ExprKind, Function, Game, Local, LocalId, Stmt, StmtKind, UnaryOp};
use crate::source::Span;

use super::locals::{Locals, Needs, assigned, live_before, rename_block};
use super::simplify::truth;

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
        let body = settler.opened(&Needs::of(&function.body), &function.body);
        game.functions[index].body = body;
    }
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

    fn opened(&self, needs: &Needs, block: &[Stmt]) -> Block {
        let mut opened = Block::new();
        for stmt in block {
            let mut blocks = Vec::new();
            stmt.blocks(&mut |block| blocks.push(self.opened(needs, block)));
            let mut own = stmt.clone();
            match own.kind {
                StmtKind::Trial { ok, value, .. } if self.is_needless(needs, stmt) => {
                    let body = blocks.into_iter().flatten().collect();
                    let body = self.stored(body, value, needs.after(stmt));
                    if let (Some(last), Some(first)) = (opened.last(), body.first())
                        && is_overwritten(last, first)
                    {
                        opened.pop();
                    }
                    opened.extend(body);
                    opened.push(Stmt::assign(ok, Expr::bool(true, stmt.span)));
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

    /// Whether a trial succeeds always and drops nothing.
    fn is_needless(&self, needs: &Needs, trial: &Stmt) -> bool {
        let StmtKind::Trial { body, keep, .. } = &trial.kind else {
            return false;
        };
        let effect = self.effects.block(self.game, self.locals, body);
        let drops = !keep && !effect.is_pure();
        let needed = needs.after(trial);
        !effect.fails && !drops && assigned(body).is_disjoint(needed)
    }

    /// The statements of a trial that leave its value in a local variable.
    fn stored(&self, mut body: Block, value: Option<(Expr, LocalId)>, needed: &Locals) -> Block {
        let Some((value, into)) = value else {
            return body;
        };
        match value.kind {
            // A variable that is set there and that nobody needs afterwards need not be copied.
            ExprKind::Local(own) if !needed.contains(&own) && self.may_be(&body, own, into) => {
                rename_block(&mut body, &mut |local| {
                    if local == own { into } else { local }
                });
            }
            _ => body.push(Stmt::assign(into, value)),
        }
        body
    }

    /// Whether another variable may take the place of one that a block sets: it is not used there, and the block does not ask
    /// what the first one was before.
    fn may_be(&self, body: &Block, own: LocalId, other: LocalId) -> bool {
        let before = live_before(body, &[own].into());
        let mut used = assigned(body).contains(&other);
        walk_exprs(body, &mut |expr| {
            used |= expr.kind == ExprKind::Local(other)
        });
        let same_type = self.locals[own.index()].ty == self.locals[other.index()].ty;
        same_type && !used && !before.contains(&own)
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

/// Whether a constant that a statement stores is overwritten by the next.
fn is_overwritten(stmt: &Stmt, next: &Stmt) -> bool {
    let StmtKind::Let(local, value) = &stmt.kind else {
        return false;
    };
    let writes = match &next.kind {
        StmtKind::Let(other, _) => other == local,
        StmtKind::Call { into, .. } => *into == Some(*local),
        _ => false,
    };
    let mut reads = false;
    next.children(&mut |expr| {
        expr.walk(&mut |expr| reads |= expr.kind == ExprKind::Local(*local));
    });
    value.as_const().is_some() && writes && !reads
}

/// Functions that end by asking whether a truth holds, only to say so, give it.
pub(super) fn answer(game: &mut Game) {
    for function in &mut game.functions {
        let [.., asks, gives] = &function.body[..] else {
            continue;
        };
        if let (StmtKind::If(cond, yes, no), Some(true)) = (&asks.kind, given(gives))
            && let ([denies], []) = (&yes[..], &no[..])
            && given(denies) == Some(false)
            && let Some(answer) = opposite_of_stored(cond)
        {
            let answer = Stmt::new(StmtKind::Return(Some(answer)), asks.span);
            function.body.truncate(function.body.len() - 2);
            function.body.push(answer);
        }
    }
}

/// The truth that a statement gives, if it is known.
fn given(stmt: &Stmt) -> Option<bool> {
    match &stmt.kind {
        StmtKind::Return(Some(value)) => truth(value),
        _ => None,
    }
}

/// The opposite of a condition that is what a variable holds, or not that.
fn opposite_of_stored(cond: &Expr) -> Option<Expr> {
    match &cond.kind {
        ExprKind::Local(_) => Some(cond.clone().not()),
        ExprKind::Unary(UnaryOp::Not, held) => match held.kind {
            ExprKind::Local(_) => Some((**held).clone()),
            _ => None,
        },
        _ => None,
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
