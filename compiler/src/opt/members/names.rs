//! Boards, and names of pieces by the numbers of rounds.

use rulec_ir::sorted::SortedMap;

use crate::ir::visit::walk_block;
use crate::ir::walk::rewrite_block;
use crate::ir::{
    Block, Const, DomainId, Expr, ExprKind, Game, LocalId, PlacementId, Stmt, StmtKind, Type,
};
use crate::opt::locals::{Locals, each_assigned, live_before};

/// A board and what stands on it.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) placement: PlacementId,
    pub(super) pieces: DomainId,
    pub(super) places: DomainId,
}

impl Board {
    pub(super) fn of(game: &Game, placement: PlacementId) -> Board {
        let own = game.placement(placement);
        Board {
            placement,
            pieces: own.pieces,
            places: own.places,
        }
    }

    /// What stands on a place, if anything.
    pub(super) fn standing(&self, place: &Expr) -> Expr {
        Expr::new(
            ExprKind::Content(self.placement, Box::new(place.clone())),
            Type::Opt(self.pieces),
            place.span,
        )
    }

    /// The piece, told by name, whose place an expression is.
    pub(super) fn placed_alone(&self, expr: &Expr) -> Option<u32> {
        let ExprKind::PlaceOf(own, piece) = &expr.kind else {
            return None;
        };
        match piece.as_const() {
            Some(Const::Elem(piece)) if *own == self.placement => Some(*piece),
            _ => None,
        }
    }

    /// Whether an expression is the piece on a place.
    pub(super) fn stands_on(&self, expr: &Expr, place: LocalId) -> bool {
        let ExprKind::Get(there) = &expr.kind else {
            return false;
        };
        matches!(&there.kind, ExprKind::Content(own, at)
            if *own == self.placement && at.kind == ExprKind::Local(place))
    }

    /// Whether an expression is the piece that tables have for the number of a round.
    pub(super) fn names(&self, expr: &Expr, number: LocalId) -> bool {
        expr.ty == Type::Elem(self.pieces) && is_listed(expr, number)
    }
}

/// A block in which the number of a round and what one table has for it have no other names.
pub(super) fn without_names(mut body: Block, number: LocalId) -> Block {
    while let Some((local, value)) = other_name(&body, number) {
        drop_name(&mut body, local);
        rewrite_block(&mut body, &mut |expr| {
            if expr.kind == ExprKind::Local(local) {
                *expr = value.clone();
            }
        });
    }
    body
}

/// A variable that a block sets in one place and asks for only behind it, to the number of a round or what a table has for it, and
/// that value.
fn other_name(block: &[Stmt], number: LocalId) -> Option<(LocalId, Expr)> {
    let given = live_before(block, &Locals::new());
    let mut sets: SortedMap<LocalId, (usize, Option<Expr>)> = SortedMap::new();
    walk_block(block, &mut |stmt| {
        let name = match &stmt.kind {
            StmtKind::Let(_, value) if is_name(value, number) => Some(value.clone()),
            _ => None,
        };
        each_assigned(stmt, &mut |local| {
            let own = sets.entry(local).or_default();
            *own = (own.0 + 1, name.clone());
        });
    });
    let mut sets = sets.into_iter();
    sets.find_map(|(local, (times, name))| {
        let only = times == 1 && !given.contains(&local);
        Some((local, name.filter(|_| only)?))
    })
}

fn drop_name(block: &mut Block, local: LocalId) {
    block.retain(|stmt| !matches!(&stmt.kind, StmtKind::Let(own, _) if *own == local));
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_name(inner, local));
    }
}

/// Whether a value is the number of a round.
pub(super) fn is_number(value: &Expr, number: LocalId) -> bool {
    match &value.kind {
        ExprKind::ToWrap(inner) => inner.kind == ExprKind::Local(number),
        kind => *kind == ExprKind::Local(number),
    }
}

/// Whether a value is what tables have for the number of a round.
fn is_listed(value: &Expr, number: LocalId) -> bool {
    match &value.kind {
        ExprKind::Get(inner) => is_listed(inner, number),
        ExprKind::Lookup(_, index) => {
            matches!(&index[..], [index] if is_number(index, number) || is_listed(index, number))
        }
        _ => false,
    }
}

/// Whether a value is the number of a round, what one table has for it, or the place of that.
pub(super) fn is_name(value: &Expr, number: LocalId) -> bool {
    match &value.kind {
        ExprKind::Local(local) => *local == number,
        ExprKind::ToWrap(inner) | ExprKind::Get(inner) | ExprKind::PlaceOf(_, inner) => {
            is_name(inner, number)
        }
        ExprKind::Lookup(_, index) => matches!(&index[..], [index] if is_name(index, number)),
        _ => false,
    }
}
