//! What a table says of members that nobody asks about: nothing.
//!
//! A chain of look-ups that became one says something of all members that go through it, those that are no candidates too: a tray that
//! has one coordinate may have a neighbour by it. Steps of a board are one shift only without that.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::visit::walk_exprs;
use crate::ir::walk::walk_free;
use crate::ir::{Axis, Const, Expr, ExprKind, FuncId, Game, LocalId, ParamSource, TableId, Type};
use crate::opt::locals::kept;
use crate::opt::patterns::reach::Reached;

/// Clears what nobody asks; whether there was any.
pub(super) fn clear(game: &mut Game, reached: &Reached) -> bool {
    let mut changed = false;
    for (table, members) in asked(game, reached).0 {
        let Some(members) = members else { continue };
        let table = &mut game.tables[table.index()];
        if !matches!(
            (&table.ty, &table.axes[..]),
            (Type::Opt(_), [Axis::Domain(_)])
        ) {
            continue;
        }
        for (member, value) in (0u32..).zip(&mut table.values) {
            if *value != Const::None && !members.contains(&member) {
                *value = Const::None;
                changed = true;
            }
        }
    }
    changed
}

/// The members that each table is asked of; nothing where that is not known.
struct Asked(SortedMap<TableId, Option<SortedSet<u32>>>);

impl Asked {
    fn open(&mut self, table: TableId) {
        self.0.insert(table, None);
    }

    fn add(&mut self, table: TableId, members: Option<&SortedSet<u32>>) {
        let known = self
            .0
            .entry(table)
            .or_insert_with(|| Some(SortedSet::new()));
        match (known, members) {
            (Some(known), Some(members)) => known.join(members),
            (known, _) => *known = None,
        }
    }

    fn expr(&mut self, expr: &Expr, of: &dyn Fn(LocalId) -> Option<SortedSet<u32>>) {
        match &expr.kind {
            ExprKind::Lookup(table, index) => match &index[..] {
                [
                    Expr {
                        kind: ExprKind::Local(local),
                        ..
                    },
                ] => self.add(*table, of(*local).as_ref()),
                _ => self.open(*table),
            },
            ExprKind::Walk { step: table, .. } | ExprKind::Closure { edges: table, .. } => {
                self.open(*table);
            }
            _ => {}
        }
    }
}

fn asked(game: &Game, reached: &Reached) -> Asked {
    let mut asked = Asked(SortedMap::new());
    walk_free(game, &mut |expr| asked.expr(expr, &|_| None));
    for (index, function) in game.functions.iter().enumerate() {
        let own = kept(function);
        let members = |local: LocalId| {
            let known = own.contains(&local);
            let members = known.then(|| reached.members(FuncId::from(index), local.index()))?;
            members.cloned()
        };
        walk_exprs(&function.body, &mut |expr| asked.expr(expr, &members));
    }
    for param in game.families.iter().flat_map(|family| &family.params) {
        if let ParamSource::Listed { table, .. } = &param.source {
            asked.open(*table);
        }
    }
    asked
}
