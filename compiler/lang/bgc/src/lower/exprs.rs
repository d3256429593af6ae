//! Formulas as expressions.

use super::Lower;
use super::formula::{Atom, Formula};
use super::tables::Arguments;
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, LocalId, Over, Table, Type, UnaryOp, VarId, WalkGive,
};
use crate::source::Span;

/// Where a formula is judged.
#[derive(Clone)]
pub(super) struct At {
    /// The kind of the figure.
    pub(super) kind: usize,
    /// Its cell.
    pub(super) from: Expr,
    /// The cell whose counters the figure on the judged cell has, if that figure is only assumed there.
    pub(super) like: Option<Expr>,
    pub(super) span: Span,
}

impl Lower<'_> {
    pub(super) fn elem(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, Type::Elem(self.cell), span)
    }

    pub(super) fn empty_set(&self, span: Span) -> Expr {
        Expr::constant(Const::Set(Vec::new()), Type::Set(self.cell), span)
    }

    pub(super) fn cells(&self, mask: &[bool], span: Span) -> Expr {
        let members = (0u32..).zip(mask).filter(|(_, flag)| **flag);
        let members = members.map(|(cell, _)| cell).collect();
        Expr::constant(Const::Set(members), Type::Set(self.cell), span)
    }

    pub(super) fn set_var(&self, var: VarId, span: Span) -> Expr {
        Expr::var(&self.b.game, var, Vec::new(), span)
    }

    pub(super) fn contains(cell: Expr, set: Expr) -> Expr {
        Expr::binary(BinaryOp::In, cell, set)
    }

    /// The places of a kind.
    pub(super) fn places(&self, kind: usize, span: Span) -> Expr {
        let kind = Expr::elem(self.kind, kind as u32, span);
        let places = ExprKind::Places(self.board, Box::new(kind));
        Expr::new(places, Type::Set(self.cell), span)
    }

    /// The cells that hold one of these kinds, or nothing if the last flag says so.
    pub(super) fn holding(&self, mask: &[bool], span: Span) -> Expr {
        let (nothing, kinds) = mask.split_last().unwrap_or((&false, &[]));
        let union = |wanted: bool| {
            let kinds = kinds
                .iter()
                .enumerate()
                .filter(|(_, flag)| **flag == wanted);
            let places = kinds.map(|(kind, _)| self.places(kind, span));
            places.reduce(|a, b| Expr::binary(BinaryOp::Union, a, b))
        };
        match nothing {
            false => union(true).unwrap_or_else(|| self.empty_set(span)),
            true => match union(false) {
                Some(rest) => Expr::unary(UnaryOp::Complement, rest),
                None => self.cells(&vec![true; self.cell_count()], span),
            },
        }
    }

    pub(super) fn content(&self, cell: Expr) -> Expr {
        Expr::content(&self.b.game, self.board, cell)
    }

    /// Whether a cell holds one of these kinds.
    fn holds(&mut self, cell: Expr, mask: &[bool]) -> Expr {
        let span = cell.span;
        let (nothing, kinds) = mask.split_last().unwrap_or((&false, &[]));
        let mut set = kinds.iter().enumerate().filter(|(_, flag)| **flag);
        let content = self.content(cell);
        match (nothing, set.next(), set.next()) {
            (false, Some((kind, _)), None) => {
                let kind = Expr::elem(self.kind, kind as u32, span).some();
                return content.equals(kind);
            }
            (true, None, _) => return content.is_some().not(),
            (false, ..) if kinds.iter().all(|flag| *flag) => return content.is_some(),
            _ => {}
        }
        let values: Vec<Const> = kinds.iter().map(|flag| Const::Bool(*flag)).collect();
        let key = (Arguments::Kind(*nothing), Type::Bool, values.clone());
        let table = match self.tables.get(&key) {
            Some(table) => *table,
            None => {
                let number = self.b.game.tables.len();
                let table = self.b.table(Table {
                    name: format!("kinds {number}"),
                    axes: vec![Axis::Domain(self.kind)],
                    ty: Type::Bool,
                    values,
                    outside: Some(Const::Bool(*nothing)),
                    span: self.game.span,
                });
                self.tables.insert(key, table);
                table
            }
        };
        self.lookup(table, vec![content], span)
    }

    /// The truth of a formula about two cells.
    pub(super) fn truth(&mut self, formula: &Formula, at: &At, to: &Expr) -> Expr {
        let span = at.span;
        match formula {
            Formula::True => Expr::bool(true, span),
            Formula::False => Expr::bool(false, span),
            Formula::Not(inner) => self.truth(inner, at, to).not(),
            Formula::And(items) => {
                let items: Vec<Expr> = items.iter().map(|i| self.truth(i, at, to)).collect();
                let all = items.into_iter().reduce(Expr::and);
                all.unwrap_or_else(|| Expr::bool(true, span))
            }
            Formula::Or(items) => {
                let items: Vec<Expr> = items.iter().map(|i| self.truth(i, at, to)).collect();
                let any = items.into_iter().reduce(Expr::or);
                any.unwrap_or_else(|| Expr::bool(false, span))
            }
            Formula::Atom(atom) => self.atom(atom, at, to),
        }
    }

    fn counter(&self, vars: &[VarId], number: u32, cell: Expr) -> Expr {
        let span = cell.span;
        match vars.get(number as usize) {
            Some(var) => Self::contains(cell, self.set_var(*var, span)),
            None => Expr::bool(false, span),
        }
    }

    fn atom(&mut self, atom: &Atom, at: &At, to: &Expr) -> Expr {
        let span = at.span;
        match atom {
            Atom::SelfIn(mask) => Self::contains(at.from.clone(), self.cells(mask, span)),
            Atom::SelfMoves(n) => self.counter(&self.vars.moved, *n, at.from.clone()),
            Atom::SelfAge(n) => self.counter(&self.vars.age, *n, at.from.clone()),
            Atom::SelfAttacked => self.asks_attacked(at.kind, at.from.clone(), &at.from),
            Atom::Clock(n) => match self.vars.clock {
                Some(clock) => {
                    let clock = self.set_var(clock, span);
                    clock.equals(Expr::int(i64::from(*n), span))
                }
                None => Expr::bool(false, span),
            },
            Atom::In(mask) => Self::contains(to.clone(), self.cells(mask, span)),
            Atom::Holds(mask) => self.holds(to.clone(), mask),
            Atom::Moves(n) => {
                let cell = at.like.as_ref().unwrap_or(to).clone();
                self.counter(&self.vars.moved, *n, cell)
            }
            Atom::Doomed => match self.vars.doomed {
                Some(doomed) => Self::contains(to.clone(), self.set_var(doomed, span)),
                None => Expr::bool(false, span),
            },
            Atom::Attacked => self.asks_attacked(at.kind, to.clone(), &at.from),
        }
    }

    /// The judged cells for which a formula holds.
    pub(super) fn set(&mut self, formula: &Formula, at: &At, f: &mut FunctionBuilder) -> Expr {
        let span = at.span;
        match formula {
            Formula::True => self.cells(&vec![true; self.cell_count()], span),
            Formula::False => self.empty_set(span),
            Formula::Not(inner) => {
                let inner = self.set(inner, at, f);
                Expr::unary(UnaryOp::Complement, inner)
            }
            Formula::Or(items) => {
                let sets: Vec<Expr> = items.iter().map(|item| self.set(item, at, f)).collect();
                let union = |a, b| Expr::binary(BinaryOp::Union, a, b);
                let all = sets.into_iter().reduce(union);
                all.unwrap_or_else(|| self.empty_set(span))
            }
            Formula::And(items) => self.all_of(items, at, f),
            Formula::Atom(Atom::In(mask)) => self.cells(mask, span),
            Formula::Atom(Atom::Holds(mask)) => self.holding(mask, span),
            Formula::Atom(Atom::Moves(n)) => match self.vars.moved.get(*n as usize) {
                Some(var) => self.set_var(*var, span),
                None => self.empty_set(span),
            },
            Formula::Atom(Atom::Doomed) => match self.vars.doomed {
                Some(doomed) => self.set_var(doomed, span),
                None => self.empty_set(span),
            },
            Formula::Atom(Atom::Attacked) => self.all_of(std::slice::from_ref(formula), at, f),
            Formula::Atom(_) => {
                let to = at.from.clone();
                let cond = self.truth(formula, at, &to);
                let all = self.cells(&vec![true; self.cell_count()], span);
                Expr::select(cond, all, self.empty_set(span))
            }
        }
    }

    /// Those of some cells for which a formula holds; it is asked about no other one.
    pub(super) fn among(
        &mut self,
        formula: &Formula,
        within: Expr,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let local = f.local("cell", Type::Elem(self.cell));
        let to = self.elem(local, at.span);
        let when = self.truth(formula, at, &to);
        self.collect(local, within, when)
    }

    /// Those of some cells for which a truth value holds.
    pub(super) fn collect(&self, local: LocalId, within: Expr, when: Expr) -> Expr {
        let span = within.span;
        let collect = ExprKind::Collect {
            local,
            over: Box::new(Over::Set(within)),
            when: Box::new(when),
        };
        Expr::new(collect, Type::Set(self.cell), span)
    }

    /// An intersection: what is cheap for all cells first, then what must be asked for each.
    fn all_of(&mut self, items: &[Formula], at: &At, f: &mut FunctionBuilder) -> Expr {
        let span = at.span;
        let asks_cell = |item: &Formula| item.any(&|atom| *atom == Atom::Attacked);
        let about_self = |item: &Formula| {
            !item.any(&|atom| {
                matches!(
                    atom,
                    Atom::In(_) | Atom::Holds(_) | Atom::Moves(_) | Atom::Doomed | Atom::Attacked
                )
            })
        };
        let mut set: Option<Expr> = None;
        for item in items
            .iter()
            .filter(|item| !asks_cell(item) && !about_self(item))
        {
            let part = self.set(item, at, f);
            set = Some(match set {
                Some(set) => Expr::binary(BinaryOp::Intersect, set, part),
                None => part,
            });
        }
        let mut set = set.unwrap_or_else(|| self.cells(&vec![true; self.cell_count()], span));
        for item in items.iter().filter(|item| asks_cell(item)) {
            let local = f.local("cell", Type::Elem(self.cell));
            let to = self.elem(local, span);
            let when = self.truth(item, at, &to);
            set = self.collect(local, set, when);
        }
        for item in items.iter().filter(|item| about_self(item)) {
            let to = at.from.clone();
            let cond = self.truth(item, at, &to);
            set = Expr::select(cond, set, self.empty_set(span));
        }
        set
    }

    /// The cells that a walk visits.
    pub(super) fn reached(
        &mut self,
        from: &Expr,
        step: crate::ir::TableId,
        pass: &Formula,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let start = self.lookup(step, vec![from.clone()], at.span);
        self.reached_from(start, step, pass, at, f)
    }

    /// The cells that a walk visits from a first one on, which may be absent.
    pub(super) fn reached_from(
        &mut self,
        start: Expr,
        step: crate::ir::TableId,
        pass: &Formula,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = at.span;
        let local = f.local("cell", Type::Elem(self.cell));
        let cell = self.elem(local, span);
        let pass = self.truth(pass, at, &cell);
        let walk = ExprKind::Walk {
            start: Box::new(start),
            step,
            local,
            pass: Box::new(pass),
            give: WalkGive::Reached,
        };
        Expr::new(walk, Type::Set(self.cell), span)
    }
}
