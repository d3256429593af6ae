//! Variables that hold where a piece stands: what reads them asks where the piece stands.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{Block, Expr, ExprKind, Function, Game, LocalId, PlacementId, Stmt, StmtKind};
use crate::opt::locals::{bound_in, each_assigned, replace_reads};

/// Asks for the place of a piece where a variable is read that holds it, in functions that change no position; whether there are some.
pub(super) fn ask_where(game: &mut Game, boards: &[PlacementId]) -> bool {
    let holds = |function: &Function| {
        let mut some = false;
        walk_block(&function.body, &mut |stmt| {
            some |= held(&stmt.kind, boards).is_some()
        });
        some
    };
    if !game.functions.iter().any(holds) {
        return false;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for (index, function) in game.functions.iter_mut().enumerate() {
        if effects.function(index.into()).is_guard() && holds(function) {
            let uses = Uses::of(function);
            changed |= uses.put_in(&mut function.body, boards);
        }
    }
    changed
}

/// The variable to which a statement gives the place of a piece, and what is asked for it.
fn held<'s>(kind: &'s StmtKind, boards: &[PlacementId]) -> Option<(LocalId, &'s Expr)> {
    let StmtKind::Let(local, value) = kind else {
        return None;
    };
    match &value.kind {
        ExprKind::PlaceOf(board, _) if boards.contains(board) => Some((*local, value)),
        _ => None,
    }
}

/// How often variables get values, and are read.
struct Uses {
    given: SortedMap<LocalId, usize>,
    read: SortedMap<LocalId, usize>,
}

impl Uses {
    fn of(function: &Function) -> Uses {
        let params = (0..function.params).map(|param| (LocalId::from(param), 1));
        let mut given: SortedMap<LocalId, usize> = params.collect();
        walk_block(&function.body, &mut |stmt| {
            each_assigned(stmt, &mut |local| *given.entry(local).or_default() += 1);
        });
        walk_exprs(&function.body, &mut |expr| {
            if let Some(local) = bound_in(expr) {
                *given.entry(local).or_default() += 2;
            }
        });
        Uses {
            given,
            read: reads(&function.body),
        }
    }

    fn is_once(&self, local: LocalId) -> bool {
        self.given.get(&local) == Some(&1)
    }

    /// Whether the piece of a question is always the same behind it.
    fn is_fixed(&self, asked: &Expr) -> bool {
        match &asked.kind {
            ExprKind::PlaceOf(_, piece) => match piece.kind {
                ExprKind::Local(local) => self.is_once(local),
                _ => piece.as_const().is_some(),
            },
            _ => false,
        }
    }

    /// Puts questions in the place of variables that are read only behind them in the same block.
    fn put_in(&self, block: &mut Block, boards: &[PlacementId]) -> bool {
        let mut changed = false;
        for at in 0..block.len() {
            block[at].blocks_mut(&mut |inner| changed |= self.put_in(inner, boards));
            let (before, behind) = block.split_at_mut(at + 1);
            let Some((local, asked)) = held(&before[at].kind, boards) else {
                continue;
            };
            let own = reads(behind).get(&local).copied();
            if !self.is_once(local)
                || !self.is_fixed(asked)
                || own.is_none()
                || own != self.read.get(&local).copied()
            {
                continue;
            }
            let put = |other: LocalId| (other == local).then(|| asked.clone());
            replace_in(behind, &put);
            changed = true;
        }
        changed
    }
}

fn reads(block: &[Stmt]) -> SortedMap<LocalId, usize> {
    let mut read: SortedMap<LocalId, usize> = SortedMap::new();
    walk_exprs(block, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            *read.entry(local).or_default() += 1;
        }
    });
    read
}

fn replace_in(block: &mut [Stmt], put: &dyn Fn(LocalId) -> Option<Expr>) {
    for stmt in block {
        stmt.children_mut(&mut |expr| replace_reads(expr, put));
        stmt.blocks_mut(&mut |inner| replace_in(inner, put));
    }
}
