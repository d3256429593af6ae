//! What stands on a place and is kept in a variable is told by the place again, as long as no piece moves.

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, Const, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Stmt, StmtKind};
use crate::opt::locals::{each_assigned, replace_reads};

/// Replaces such variables in all functions.
pub(super) fn tell_by_places(game: &mut Game, placement: PlacementId) {
    let effects = Effects::of(game);
    for index in 0..game.functions.len() {
        let func = FuncId::from(index);
        let mut body = game.function(func).body.clone();
        let mut kept = Kept {
            game,
            effects: &effects,
            placement,
            func,
            changed: false,
        };
        kept.block(&mut body);
        if kept.changed {
            game.functions[index].body = body;
        }
    }
}

struct Kept<'g> {
    game: &'g Game,
    effects: &'g Effects,
    placement: PlacementId,
    func: FuncId,
    changed: bool,
}

impl Kept<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            let (first, rest) = block.split_at_mut(at + 1);
            let stmt = &mut first[at];
            stmt.blocks_mut(&mut |inner| self.block(inner));
            if let StmtKind::Let(local, content) = &stmt.kind
                && self.is_told(*local, content, rest)
            {
                let (local, content) = (*local, content.clone());
                for stmt in rest {
                    tell(stmt, local, &content);
                }
                self.changed = true;
                // Where that is a fault it stays one.
                if !self.effects.expr(self.game, &content).may_fault {
                    block.remove(at);
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Whether a variable is read only in these statements, as what stands on a place that stays the same there.
    fn is_told(&self, local: LocalId, content: &Expr, rest: &[Stmt]) -> bool {
        let at = match &content.kind {
            ExprKind::If(_, there, none) if none.as_const() == Some(&Const::None) => there,
            _ => content,
        };
        if !matches!(at.kind, ExprKind::Content(own, _) if own == self.placement) {
            return false;
        }
        let function = self.game.function(self.func);
        let assigned = |of: LocalId| {
            let mut times = 0;
            walk_block(&function.body, &mut |stmt| {
                each_assigned(stmt, &mut |assigned| times += usize::from(assigned == of));
            });
            times
        };
        let is_param = |local: LocalId| local.index() < function.params;
        let mut stays = assigned(local) == 1 && !is_param(local);
        content.walk(&mut |expr| {
            if let ExprKind::Local(of) = expr.kind {
                stays &= assigned(of) == usize::from(!is_param(of));
            }
        });
        let changes = self
            .effects
            .block(self.game, &function.locals, rest)
            .scratch;
        stays
            && function.local(local).ty == content.ty
            && reads(&function.body, local) == reads(rest, local)
            && !changes.meets(&self.effects.expr(self.game, content).reads)
    }
}

/// How often a block reads a variable.
fn reads(block: &[Stmt], local: LocalId) -> usize {
    let mut times = 0;
    walk_exprs(block, &mut |expr| {
        times += usize::from(expr.kind == ExprKind::Local(local));
    });
    times
}

fn tell(stmt: &mut Stmt, local: LocalId, content: &Expr) {
    let put = |expr: &mut Expr| {
        replace_reads(expr, &|read| (read == local).then(|| content.clone()));
    };
    stmt.children_mut(&mut |expr| put(expr));
    stmt.blocks_mut(&mut |block| {
        each_stmt_mut(block, &mut |stmt| stmt.children_mut(&mut |expr| put(expr)));
    });
}
