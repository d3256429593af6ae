//! What a row accepts: sets of units for each bucket.

use super::sym::Truth;
use super::terms::{ALL, Front, Spots, Term, When, absorb, add};
use super::{CELLS, Lower};
use crate::ast::{self, Atom};
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind as Ir, Fold, FuncId, LocalId, Over, Stmt, Type,
};
use crate::source::Span;

/// Sets of units that a row works with, as far as they were asked for.
pub(super) struct Sets {
    /// All that are on the board; none for an atom that has no moves left.
    on: Expr,
    /// The cells that orders look at.
    cells: Expr,
    /// The unit under test, where it is asked for each.
    this: LocalId,
    allowed: Vec<(Front, Expr)>,
    /// By lists and kinds.
    kept: Vec<(Vec<Front>, Vec<u32>, Expr)>,
    /// Lists and kinds that are asked for, as often as they are.
    asked: Vec<(Vec<Front>, Vec<u32>)>,
    span: Span,
}

impl Lower<'_> {
    /// The function that makes the table of a row anew and tells whether it is empty.
    pub(super) fn row_function(&mut self, row: usize) -> FuncId {
        let span = self.set.rows[row].span;
        let doc = format!("Finds what row {row} accepts; whether that is nothing.");
        let name = format!("rebuild row {row}");
        self.function(&name, &[], Some(Type::Bool), &doc, span, |lower, _| {
            lower.row_body(row)
        })
    }

    fn row_body(&mut self, row: usize) -> Block {
        let rule = &self.set.rows[row];
        let span = rule.span;
        let mut out = Block::new();
        let on = self.present(span);
        let on = self.keep("on", on, &mut out);
        let orders = |atom: &Atom| atom.pos.iter().any(|list| !list.orders.is_empty());
        let cells = match self.crowded() && rule.atoms.iter().any(orders) {
            true => {
                let cells = self.cells_of(&on, span);
                self.keep("cells", cells, &mut out)
            }
            false => on.clone(),
        };
        if rule.counter.is_some() {
            let left = self.var(self.ids.row_left, Vec::new(), span);
            let over = left.equals(Expr::int(0, span));
            let mut done = self.clear_table(span);
            done.push(Stmt::give(Expr::bool(true, span)));
            out.push(Stmt::branch(over, done, Vec::new()));
        }
        let mut sets = Sets {
            on,
            cells,
            this: self.local("u", Type::Elem(self.ids.unit)),
            allowed: Vec::new(),
            kept: Vec::new(),
            asked: Vec::new(),
            span,
        };
        let mut free: [Vec<Term>; 4] = Default::default();
        let mut table: [Option<Expr>; 4] = Default::default();
        for (index, atom) in rule.atoms.iter().enumerate() {
            let this = self.get(sets.this, span);
            let terms = self.terms_of(atom, &this);
            if atom.count.is_none() && atom.postpos.is_none() {
                for (all, terms) in free.iter_mut().zip(terms) {
                    terms.into_iter().for_each(|term| add(all, term));
                }
                continue;
            }
            let found = self.own_sets(index, atom, terms, &mut sets, &mut out);
            for (all, set) in table.iter_mut().zip(found) {
                *all = joined(all.take(), set);
            }
        }
        let found = self.sets_of(free, &mut sets, &mut out);
        for (all, set) in table.iter_mut().zip(found) {
            *all = joined(all.take(), set);
        }
        self.write_table(table, span, &mut out);
        out
    }

    /// Statements that write the table of a row, and tell whether it is empty.
    fn write_table(&mut self, table: [Option<Expr>; 4], span: Span, out: &mut Block) {
        let mut any: Option<Expr> = None;
        for (bucket, set) in table.into_iter().enumerate() {
            let known = set.is_some();
            let mut set = set.unwrap_or_else(|| self.no_units(span));
            if known {
                set = self.kept(set, "all", out);
                any = joined(any, Some(set.clone()));
            }
            let at = vec![self.bucket(bucket as u32, span)];
            out.push(Stmt::set_var(self.ids.accepted, at, set));
        }
        let empty = match any {
            Some(any) => any.equals(self.no_units(span)),
            None => Expr::bool(true, span),
        };
        out.push(Stmt::give(empty));
    }

    /// What an atom accepts for each bucket.
    fn terms_of(&mut self, atom: &Atom, this: &Expr) -> [Vec<Term>; 4] {
        let mut terms: [Vec<Term>; 4] = Default::default();
        let never = |list: &ast::Positions| list.cells.is_empty() && list.orders.is_empty();
        if atom.count == Some(0) || atom.pos.iter().any(never) {
            return terms;
        }
        for (bucket, terms) in terms.iter_mut().enumerate() {
            match self.atom_terms(atom, bucket as u32, this) {
                Ok(found) => *terms = found,
                Err(error) => self.too_many(error.0),
            }
        }
        terms
    }

    /// The sets of an atom that has a count or looks at what it accepts.
    fn own_sets(
        &mut self,
        index: usize,
        atom: &Atom,
        terms: [Vec<Term>; 4],
        sets: &mut Sets,
        out: &mut Block,
    ) -> [Option<Expr>; 4] {
        let span = sets.span;
        let kept = std::mem::take(&mut sets.kept);
        let on = sets.on.clone();
        if atom.count.is_some_and(|count| count > 0) {
            let at = vec![Expr::int(index as i64, span)];
            let left = self.var(self.ids.atoms_left, at, span);
            let over = left.equals(Expr::int(0, span));
            let mine = Expr::select(over, self.no_units(span), on.clone());
            sets.on = self.keep("on", mine, out);
        }
        let mut found = self.sets_of(terms, sets, out);
        (sets.on, sets.kept) = (on, kept);
        if let Some(list) = &atom.postpos {
            self.restrict(&mut found, list, out);
        }
        if let (Some(_), Some(by_atom)) = (atom.count, self.ids.by_atom) {
            for (bucket, set) in found.iter().enumerate() {
                let at = vec![
                    Expr::int(index as i64, span),
                    self.bucket(bucket as u32, span),
                ];
                let set = set.clone().unwrap_or_else(|| self.no_units(span));
                out.push(Stmt::set_var(by_atom, at, set));
            }
        }
        found
    }

    /// The units of some terms for each bucket, in local variables; buckets with the same terms share one.
    fn sets_of(
        &mut self,
        mut terms: [Vec<Term>; 4],
        sets: &mut Sets,
        out: &mut Block,
    ) -> [Option<Expr>; 4] {
        for terms in &mut terms {
            absorb(terms);
            self.unite(terms, sets.span);
        }
        sets.asked = asked_for(&terms);
        let mut found: [Option<Expr>; 4] = Default::default();
        for bucket in 0..4 {
            let same = (0..bucket).find(|&other| terms[other] == terms[bucket]);
            found[bucket] = match same {
                Some(other) => found[other].clone(),
                None => self.set_of(&terms[bucket], sets, out),
            };
        }
        found
    }

    /// The units of some terms in a local variable; many are worked out by several statements, as those of long functions
    /// become functions of their own.
    fn set_of(&mut self, terms: &[Term], sets: &mut Sets, out: &mut Block) -> Option<Expr> {
        let mut set = None;
        for terms in terms.chunks(MOST_TERMS) {
            let each = terms.iter();
            let part = each.fold(None, |all, term| {
                let units = self.units_where(term, sets, out);
                joined(all, Some(units))
            });
            let part = part.map(|part| self.kept(part, "set", out));
            set = joined(set, part);
        }
        set.map(|set| self.kept(set, "set", out))
    }

    /// The units of a term.
    fn units_where(&mut self, term: &Term, sets: &mut Sets, out: &mut Block) -> Expr {
        let span = sets.span;
        let units = self.units_in(&term.fronts, &term.spots, sets, out);
        match &term.when {
            When::Each(Truth::When(when)) => self.collect(sets.this, units, when.clone(), span),
            When::Once(Truth::When(when)) => Expr::select(when.clone(), units, self.no_units(span)),
            When::Once(_) | When::Each(_) => units,
        }
    }

    /// The units of these kinds in these cells that all lists allow.
    fn units_in(
        &mut self,
        fronts: &[Front],
        spots: &Spots,
        sets: &mut Sets,
        out: &mut Block,
    ) -> Expr {
        let span = sets.span;
        let cases = by_cells(spots);
        let units = cases.into_iter().fold(None, |all, (cells, kinds)| {
            let mut units = self.units_of(fronts, &kinds, sets, out);
            if cells != ALL {
                let cells: Vec<u32> = (0..CELLS).filter(|cell| cells >> cell & 1 == 1).collect();
                let cells = self.cell_set(&cells, span);
                units = self.on_cells(units, cells, span);
            }
            joined(all, Some(units))
        });
        units.unwrap_or_else(|| self.no_units(span))
    }

    /// The units of these kinds that all lists allow, in a local variable if they are asked for more than once.
    fn units_of(
        &mut self,
        fronts: &[Front],
        kinds: &[u32],
        sets: &mut Sets,
        out: &mut Block,
    ) -> Expr {
        let known =
            |(others, other, _): &&(Vec<Front>, Vec<u32>, Expr)| others == fronts && other == kinds;
        if let Some((.., units)) = sets.kept.iter().find(known) {
            return units.clone();
        }
        let span = sets.span;
        let every: Vec<u32> = (0..self.kinds().len() as u32).collect();
        let units = match (self.feature(kinds, span), fronts.split_last()) {
            (Some(fits), _) => {
                let base = self.units_of(fronts, &every, sets, out);
                Expr::binary(BinaryOp::Intersect, base, fits)
            }
            (None, Some((last, others))) => {
                let base = self.units_of(others, &every, sets, out);
                let allowed = self.in_front(last, sets, out);
                self.on_cells(base, allowed, span)
            }
            (None, None) => sets.on.clone(),
        };
        let units = self.kept(units, "units", out);
        sets.kept
            .push((fronts.to_vec(), kinds.to_vec(), units.clone()));
        units
    }

    /// The cells that a position list with orders allows.
    fn in_front(&mut self, front: &Front, sets: &mut Sets, out: &mut Block) -> Expr {
        if let Some((_, cells)) = sets.allowed.iter().find(|(other, _)| other == front) {
            return cells.clone();
        }
        let cells: Vec<u32> = (0..CELLS).filter(|c| front.cells >> c & 1 == 1).collect();
        let orders: Vec<&str> = front.orders.iter().map(String::as_str).collect();
        let allowed = self.allowed_cells(&cells, &orders, &sets.cells.clone(), sets.span);
        let allowed = self.keep("allowed", allowed, out);
        sets.allowed.push((front.clone(), allowed.clone()));
        allowed
    }

    /// The value in a local variable, where it is not in one.
    fn kept(&mut self, value: Expr, name: &str, out: &mut Block) -> Expr {
        match value.kind {
            Ir::Local(_) => value,
            _ => self.keep(name, value, out),
        }
    }

    /// Statements that accept nothing.
    pub(super) fn clear_table(&self, span: Span) -> Block {
        let clear = |bucket| {
            let at = vec![self.bucket(bucket, span)];
            Stmt::set_var(self.ids.accepted, at, self.no_units(span))
        };
        (0..4).map(clear).collect()
    }

    /// The cells of some units.
    fn cells_of(&mut self, units: &Expr, span: Span) -> Expr {
        if !self.crowded() {
            return units.clone();
        }
        let cell_ty = Type::Elem(self.ids.cell);
        let cell = self.local("c", cell_ty);
        let unit = self.local("u", Type::Elem(self.ids.unit));
        let here = self.cell_at(self.get(unit, span), span);
        let same = here.equals(self.get(cell, span));
        let some = Expr::fold(Fold::Exists, unit, Over::Set(units.clone()), same);
        let kind = Ir::Collect {
            local: cell,
            over: Box::new(Over::Domain(self.ids.cell)),
            when: Box::new(some),
        };
        Expr::new(kind, Type::Set(self.ids.cell), span)
    }

    /// Those of some units that are on these cells.
    fn on_cells(&mut self, units: Expr, cells: Expr, span: Span) -> Expr {
        if !self.crowded() {
            return Expr::binary(BinaryOp::Intersect, units, cells);
        }
        let unit = self.local("u", Type::Elem(self.ids.unit));
        let here = self.cell_at(self.get(unit, span), span);
        let among = Expr::binary(BinaryOp::In, here, cells);
        self.collect(unit, units, among, span)
    }

    fn collect(&self, local: crate::ir::LocalId, units: Expr, when: Expr, span: Span) -> Expr {
        let kind = Ir::Collect {
            local,
            over: Box::new(Over::Set(units)),
            when: Box::new(when),
        };
        Expr::new(kind, self.unit_set(), span)
    }

    /// Leaves what a position list allows of what is accepted so far.
    fn restrict(&mut self, sets: &mut [Option<Expr>; 4], list: &ast::Positions, out: &mut Block) {
        let span = list.span;
        let all = sets.iter().flatten().cloned();
        let Some(all) = all.reduce(|a, b| Expr::binary(BinaryOp::Union, a, b)) else {
            return;
        };
        let all = self.keep("any", all, out);
        let cells = self.cells_of(&all, span);
        let cells = self.keep("cells", cells, out);
        let orders: Vec<&str> = list
            .orders
            .iter()
            .map(|order| order.text.as_str())
            .collect();
        let allowed = self.allowed_cells(&list.cells, &orders, &cells, span);
        let allowed = self.keep("allowed", allowed, out);
        for set in sets.iter_mut().flatten() {
            let left = self.on_cells(set.clone(), allowed.clone(), span);
            *set = self.keep("set", left, out);
        }
    }

    /// Statements that set the counters of a row as it becomes active.
    pub(super) fn counters(&self, row: usize) -> Block {
        let rule = &self.set.rows[row];
        let span = rule.span;
        let left = |var, count: Option<u32>| self.count(var, count.map_or(-1, i64::from), span);
        let mut out = Vec::new();
        if self.set.rows.iter().any(|row| row.counter.is_some()) {
            let value = left(self.ids.row_left, rule.counter);
            out.push(Stmt::set_var(self.ids.row_left, Vec::new(), value));
        }
        let Some(by_atom) = self.ids.by_atom else {
            return out;
        };
        let most = self
            .set
            .rows
            .iter()
            .map(|row| row.atoms.len())
            .max()
            .unwrap_or(0);
        for index in 0..most {
            let at = Expr::int(index as i64, span);
            let count = rule.atoms.get(index).and_then(|atom| atom.count);
            out.push(Stmt::set_var(
                self.ids.atoms_left,
                vec![at.clone()],
                left(self.ids.atoms_left, count),
            ));
            if count.is_none() {
                // Nothing of another row may stay.
                for bucket in 0..4 {
                    let at = vec![at.clone(), self.bucket(bucket, span)];
                    out.push(Stmt::set_var(by_atom, at, self.no_units(span)));
                }
            }
        }
        out
    }

    /// Statements that take a move off the counters.
    pub(super) fn count_move(&mut self, unit: &Expr, bucket: &Expr, span: Span) -> Block {
        let mut out = Block::new();
        // Never below the mark of no limit, so that nothing has to be tested.
        let less = |value: Expr| {
            let less = self.math(BinaryOp::Sub, value, 1);
            self.math(BinaryOp::Max, less, -1)
        };
        if let Some(by_atom) = self.ids.by_atom {
            let metered = |index: usize| {
                let mut rows = self.set.rows.iter();
                rows.any(|row| {
                    row.atoms
                        .get(index)
                        .is_some_and(|atom| atom.count.is_some())
                })
            };
            let most = self
                .set
                .rows
                .iter()
                .map(|row| row.atoms.len())
                .max()
                .unwrap_or(0);
            for index in (0..most).filter(|index| metered(*index)) {
                let at = Expr::int(index as i64, span);
                let set = self.var(by_atom, vec![at.clone(), bucket.clone()], span);
                let hit = Expr::binary(BinaryOp::In, unit.clone(), set);
                let left = self.var(self.ids.atoms_left, vec![at.clone()], span);
                let spend = vec![Stmt::set_var(self.ids.atoms_left, vec![at], less(left))];
                out.push(Stmt::branch(hit, spend, Vec::new()));
            }
        }
        if self.set.rows.iter().any(|row| row.counter.is_some()) {
            let left = self.var(self.ids.row_left, Vec::new(), span);
            let metered = Expr::binary(BinaryOp::Gt, left.clone(), Expr::int(0, span));
            let spend = vec![Stmt::set_var(self.ids.row_left, Vec::new(), less(left))];
            out.push(Stmt::branch(metered, spend, Vec::new()));
        }
        out
    }

    /// A set of one unit.
    pub(super) fn only(&self, unit: &Expr, span: Span) -> Expr {
        Expr::new(Ir::SetOf(vec![unit.clone()]), self.unit_set(), span)
    }

    /// The table of features of each kind.
    pub(super) fn features_table(&mut self) -> crate::ir::TableId {
        let ty = Type::Set(self.ids.feature);
        self.kind_table("features", ty, |_, _| Const::Set(Vec::new()))
    }
}

/// Terms whose units one statement works out.
const MOST_TERMS: usize = 8;

/// Units of either set.
fn joined(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Expr::binary(BinaryOp::Union, a, b)),
        (a, b) => a.or(b),
    }
}

/// Kinds that are accepted in the same cells, with these.
fn by_cells(spots: &Spots) -> Vec<(u64, Vec<u32>)> {
    let mut cases: Vec<(u64, Vec<u32>)> = Vec::new();
    for (kind, &cells) in spots.iter().enumerate().filter(|(_, cells)| **cells != 0) {
        match cases.iter_mut().find(|(other, _)| *other == cells) {
            Some((_, kinds)) => kinds.push(kind as u32),
            None => cases.push((cells, vec![kind as u32])),
        }
    }
    cases
}

/// The lists and kinds that terms ask for; buckets with the same terms ask once.
fn asked_for(terms: &[Vec<Term>; 4]) -> Vec<(Vec<Front>, Vec<u32>)> {
    let mut asked = Vec::new();
    for (bucket, own) in terms.iter().enumerate() {
        if terms[..bucket].contains(own) {
            continue;
        }
        for term in own {
            let cases = by_cells(&term.spots).into_iter();
            asked.extend(cases.map(|(_, kinds)| (term.fronts.clone(), kinds)));
        }
    }
    asked
}
