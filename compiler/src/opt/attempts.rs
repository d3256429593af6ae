//! What a trial that is taken back does beside testing is left out, and where nothing else is left it is a condition.
//!
//! An action is possible if all that it does succeeds. What it does before a test is of no account unless the test sees it, so
//! it makes no difference which comes first.

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, Expr, Function, Game, Local, Stmt, StmtKind};
use crate::source::Span;

/// Makes conditions of the trials of all functions.
pub(super) fn run(game: &mut Game) {
    let tries = |function: &Function| {
        let mut found = false;
        walk_block(&function.body, &mut |stmt| {
            found |= matches!(stmt.kind, StmtKind::Trial { .. });
        });
        found
    };
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
