//! Which functions call which.

use std::borrow::Borrow;

use crate::sorted::SortedSet;

use super::expr::{Expr, ExprKind};
use super::game::{Game, IdentityTerm, Point};
use super::ids::{FuncId, IdentityId};
use super::stmt::{Stmt, StmtKind};
use super::visit::walk_block;
use super::walk::walk_free;

/// The call graph of a game, also through relations and equalities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    reaches: Vec<SortedSet<FuncId>>,
}

impl Calls {
    /// Finds who calls whom.
    ///
    /// The ids in the game must be in range; nothing else is assumed.
    pub fn of(game: &Game) -> Calls {
        let own = game.functions.iter().map(|function| {
            let mut own = SortedSet::new();
            add_calls(game, &function.body, &mut own);
            own
        });
        Calls::by(&own.collect::<Vec<_>>())
    }

    /// Who calls whom, by what each calls itself.
    pub(super) fn by(own: &[impl Borrow<SortedSet<FuncId>>]) -> Calls {
        let mut rows = Rows::new(own.len());
        for (index, own) in own.iter().enumerate() {
            let own = own.borrow().iter();
            own.for_each(|func| rows.set(index, func.index()));
        }
        rows.close(own);
        let reaches = (0..own.len()).map(|row| rows.members(row));
        Calls {
            reaches: reaches.collect(),
        }
    }

    /// Of so many functions, none calls another one.
    pub(super) fn none(count: usize) -> Calls {
        Calls {
            reaches: vec![SortedSet::new(); count],
        }
    }

    /// The functions it calls, directly or through others.
    pub fn reaches(&self, func: FuncId) -> &SortedSet<FuncId> {
        &self.reaches[func.index()]
    }

    /// Whether the function is a member of a cycle of calls.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.reaches(func).contains(&func)
    }

    /// The functions in groups that call one another: what a group calls beside itself comes before it.
    pub(super) fn callees_first(&self) -> Vec<Vec<FuncId>> {
        let mut order: Vec<FuncId> = (0..self.reaches.len()).map(FuncId::from).collect();
        // What calls a cycle may reach just as much as that does.
        order.sort_by_cached_key(|&func| {
            let (reached, recursive) = (self.reaches(func), self.is_recursive(func));
            (reached.len(), !recursive, recursive.then_some(reached))
        });
        let mutual =
            |a: &FuncId, b: &FuncId| self.reaches(*a).contains(b) && self.reaches(*b).contains(a);
        order.chunk_by(mutual).map(<[_]>::to_vec).collect()
    }

    /// The functions that can run at all: from the process and the machine, the families in use,
    /// the identities and the probes.
    pub fn live(&self, game: &Game) -> SortedSet<FuncId> {
        let mut live = SortedSet::from([game.process]);
        live.extend(game.probes.iter().map(|probe| probe.func));
        walk_free(game, &mut |expr| add_own_calls(game, expr, &mut live));
        if let Some(machine) = &game.machine {
            add_calls(game, &machine.start, &mut live);
            for point in &machine.points {
                add_calls_at(game, point, &mut live);
            }
        }
        for family in &game.families {
            live.extend(family.functions());
        }
        let direct: Vec<FuncId> = live.iter().copied().collect();
        for func in direct {
            live.join(self.reaches(func));
        }
        live
    }
}

/// A relation between functions, as rows of bits.
struct Rows {
    /// Words of a row.
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(count: usize) -> Rows {
        let words = count.div_ceil(64);
        Rows {
            words,
            bits: vec![0; count * words],
        }
    }

    fn set(&mut self, row: usize, member: usize) {
        self.bits[row * self.words + member / 64] |= 1 << (member % 64);
    }

    /// Adds what is reached in several steps, where each member has these others: over and over, as calls seldom nest deep.
    fn close(&mut self, own: &[impl Borrow<SortedSet<FuncId>>]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (row, own) in own.iter().enumerate().rev() {
                for through in own.borrow() {
                    changed |= self.join(row, through.index());
                }
            }
        }
    }

    /// Adds the members of another row; whether any is new.
    fn join(&mut self, row: usize, other: usize) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let reached = self.bits[other * self.words + word];
            let own = &mut self.bits[row * self.words + word];
            changed |= reached & !*own != 0;
            *own |= reached;
        }
        changed
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn members(&self, row: usize) -> SortedSet<FuncId> {
        let mut members = SortedSet::new();
        for (word, &bits) in self.row(row).iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                members.insert(FuncId::from(word * 64 + bit));
                left &= left - 1;
            }
        }
        members
    }
}

/// Adds the functions that are called at a point of the machine.
fn add_calls_at(game: &Game, point: &Point, calls: &mut SortedSet<FuncId>) {
    match point {
        Point::Choose(choose) => {
            choose.children(&mut |expr| add_calls_of(game, expr, calls));
            choose.blocks(&mut |block| add_calls(game, block, calls));
        }
        Point::Chance(chance, block) => {
            chance.children(&mut |expr| add_calls_of(game, expr, calls));
            add_calls(game, block, calls);
        }
    }
}

/// Adds the functions that a block calls itself.
fn add_calls(game: &Game, block: &[Stmt], calls: &mut SortedSet<FuncId>) {
    walk_block(block, &mut |stmt| {
        match &stmt.kind {
            StmtKind::Call { func, .. } => {
                calls.insert(*func);
            }
            StmtKind::Note(trail) => {
                let identity = game.trail(*trail).identity;
                for_each_term(game, identity, &mut |expr| add_calls_of(game, expr, calls));
            }
            _ => {}
        }
        stmt.children(&mut |expr| add_calls_of(game, expr, calls));
    });
}

fn add_calls_of(game: &Game, expr: &Expr, calls: &mut SortedSet<FuncId>) {
    add_own_calls(game, expr, calls);
    expr.children(&mut |child| {
        // Half of all expressions.
        if !matches!(child.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            add_calls_of(game, child, calls);
        }
    });
}

/// Adds the functions that the node itself calls, its operands apart.
fn add_own_calls(game: &Game, expr: &Expr, calls: &mut SortedSet<FuncId>) {
    let identity = match &expr.kind {
        ExprKind::Call(func, _) => {
            calls.insert(*func);
            return;
        }
        ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
            calls.insert(game.relation(*relation).holds);
            return;
        }
        ExprKind::Seen(trail) => game.trail(*trail).identity,
        ExprKind::Alike(identity, _) => *identity,
        _ => return,
    };
    for_each_term(game, identity, &mut |expr| add_calls_of(game, expr, calls));
}

/// Calls `f` on every expression of an identity.
pub(super) fn for_each_term(game: &Game, identity: IdentityId, f: &mut dyn FnMut(&Expr)) {
    for term in &game.identity(identity).terms {
        match term {
            IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
            IdentityTerm::Each { when, values, .. }
            | IdentityTerm::Bag { when, values, .. }
            | IdentityTerm::Nest { when, values, .. } => {
                f(when);
                for value in values {
                    f(value);
                }
            }
            IdentityTerm::Value(value) => f(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_is_reached_in_any_number_of_steps() {
        // A ring of three behind a chain, beside one that nothing leads to; more than a word of them.
        let count = 130;
        let mut own = vec![SortedSet::new(); count];
        for (from, to) in [(0, 64), (64, 127), (127, 128), (128, 129), (129, 127)] {
            own[from].insert(FuncId::from(to));
        }
        let calls = Calls::by(&own);
        let reached = |row: usize| -> Vec<u32> {
            let members = calls.reaches(FuncId::from(row));
            members.iter().map(|func| func.0).collect()
        };
        assert_eq!(reached(0), [64, 127, 128, 129]);
        for of_ring in [64, 127, 128, 129] {
            assert_eq!(reached(of_ring), [127, 128, 129]);
        }
        assert_eq!(reached(1), [0; 0]);
    }
}
