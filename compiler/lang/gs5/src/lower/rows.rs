//! What a row accepts: sets of units for each bucket.

use super::sym::{KindOf, PlaceOf, Subject, TooMany, Truth, holds};
use super::{CELLS, Lower, nearest};
use crate::ast::{self, Atom, ExprKind, Value as Asked};
use crate::ir::{BinaryOp, Block, Const, Expr, ExprKind as Ir, Fold, FuncId, Over, Stmt, Type};
use crate::source::Span;

/// Most classes of kinds and places for which an expression is evaluated one by one.
const MAX_CLASSES: usize = 24;

/// What an expression needs to know of the piece under test.
#[derive(Default)]
struct Needs {
    keys: Vec<String>,
    near: bool,
    /// The cell, or the piece as a whole.
    unit: bool,
}

/// Values of some properties, whether there is a picture, and the kinds that are so.
type Class<'k> = (Vec<Option<&'k str>>, bool, Vec<u32>);

impl Needs {
    fn key(&mut self, key: &str) {
        if !self.keys.iter().any(|other| other == key) {
            self.keys.push(key.to_owned());
        }
    }

    fn add(&mut self, expr: &ast::Expr) {
        expr.visit(&mut |expr| {
            let ExprKind::Name(path) = &expr.kind else {
                return;
            };
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            match words[..] {
                ["Nearby" | "Remotest"] => self.near = true,
                ["this"] | ["this" | "p" | "q", "pos", ..] => self.unit = true,
                ["this" | "p" | "q", "bucket", ..] => {}
                ["pc"] => self.key("color"),
                ["ps"] => self.key("shape"),
                ["this" | "p" | "q", key, ..] => self.key(key),
                _ => {}
            }
        });
    }
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
        let cells = match self.crowded() {
            true if rule
                .atoms
                .iter()
                .any(|atom| atom.pos.iter().any(|p| !p.orders.is_empty())) =>
            {
                let cells = self.cells_of(&on, span);
                self.keep("cells", cells, &mut out)
            }
            _ => on.clone(),
        };
        if rule.counter.is_some() {
            let left = self.var(self.ids.row_left, Vec::new(), span);
            let over = left.equals(Expr::int(0, span));
            let mut done = self.clear_table(span);
            done.push(Stmt::give(Expr::bool(true, span)));
            out.push(Stmt::branch(over, done, Vec::new()));
        }
        let mut table: [Option<Expr>; 4] = Default::default();
        for (index, atom) in rule.atoms.iter().enumerate() {
            let sets = self.atom_sets(index, atom, &on, &cells, &mut out);
            if let (Some(_), Some(by_atom)) = (atom.count, self.ids.by_atom) {
                for (bucket, set) in sets.iter().enumerate() {
                    let at = vec![
                        Expr::int(index as i64, span),
                        self.bucket(bucket as u32, span),
                    ];
                    let set = set.clone().unwrap_or_else(|| self.no_units(span));
                    out.push(Stmt::set_var(by_atom, at, set));
                }
            }
            for (all, set) in table.iter_mut().zip(sets) {
                *all = match (all.take(), set) {
                    (Some(a), Some(b)) => Some(Expr::binary(BinaryOp::Union, a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        let mut any: Option<Expr> = None;
        for (bucket, set) in table.into_iter().enumerate() {
            let known = set.is_some();
            let mut set = set.unwrap_or_else(|| self.no_units(span));
            if known {
                set = self.keep("all", set, &mut out);
                any = Some(match any {
                    Some(any) => Expr::binary(BinaryOp::Union, any, set.clone()),
                    None => set.clone(),
                });
            }
            let at = vec![self.bucket(bucket as u32, span)];
            out.push(Stmt::set_var(self.ids.accepted, at, set));
        }
        let empty = match any {
            Some(any) => any.equals(self.no_units(span)),
            None => Expr::bool(true, span),
        };
        out.push(Stmt::give(empty));
        out
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

    /// The units that an atom accepts for each bucket; nothing where it never accepts any.
    fn atom_sets(
        &mut self,
        index: usize,
        atom: &Atom,
        on: &Expr,
        cells: &Expr,
        out: &mut Block,
    ) -> [Option<Expr>; 4] {
        let span = atom.span;
        if atom.count == Some(0) {
            return Default::default();
        }
        let Some(mut base) = self.atom_base(atom, on, cells, out) else {
            return Default::default();
        };
        if atom.count.is_some() {
            let at = vec![Expr::int(index as i64, span)];
            let left = self.var(self.ids.atoms_left, at, span);
            let over = left.equals(Expr::int(0, span));
            base = Expr::select(over, self.no_units(span), base);
        }
        let base = self.keep("base", base, out);
        let mut sets: [Option<Expr>; 4] = Default::default();
        for (bucket, set) in sets.iter_mut().enumerate() {
            match self.lifted(atom, &base, bucket as u32) {
                Ok(found) => *set = found,
                Err(error) => self.too_many(error.0),
            }
        }
        for set in sets.iter_mut().flatten() {
            if !matches!(set.kind, Ir::Local(_)) {
                *set = self.keep("set", set.clone(), out);
            }
        }
        if let Some(list) = &atom.postpos {
            self.restrict(&mut sets, list, out);
        }
        sets
    }

    /// The units that the literal parts of an atom allow; nothing if they allow none.
    fn atom_base(&mut self, atom: &Atom, on: &Expr, cells: &Expr, out: &mut Block) -> Option<Expr> {
        let mut base = on.clone();
        for condition in &atom.conditions {
            if matches!(condition.value, Asked::Expr(_)) {
                continue;
            }
            let kinds = self.allowed_kinds(&condition.key.text, &condition.value);
            if kinds.is_empty() {
                return None;
            }
            if let Some(fits) = self.feature(&kinds, condition.key.span) {
                base = Expr::binary(BinaryOp::Intersect, base, fits);
            }
        }
        for list in &atom.pos {
            if list.cells.is_empty() && list.orders.is_empty() {
                return None;
            }
            let allowed = self.allowed_cells(list, cells);
            let allowed = match list.orders.is_empty() {
                true => allowed,
                false => self.keep("allowed", allowed, out),
            };
            base = self.on_cells(base, allowed, list.span);
        }
        Some(base)
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
        let allowed = self.allowed_cells(list, &cells);
        let allowed = self.keep("allowed", allowed, out);
        for set in sets.iter_mut().flatten() {
            let left = self.on_cells(set.clone(), allowed.clone(), span);
            *set = self.keep("set", left, out);
        }
    }

    /// Those of the base that an atom accepts for a bucket by its expressions; nothing if that is none.
    fn lifted(&mut self, atom: &Atom, base: &Expr, bucket: u32) -> Result<Option<Expr>, TooMany> {
        let span = atom.span;
        let mut needs = Needs::default();
        atom.exprs().for_each(|expr| needs.add(expr));
        for condition in &atom.conditions {
            if matches!(condition.value, Asked::Expr(_)) {
                needs.key(&condition.key.text);
            }
        }
        let by_unit = needs.unit || needs.near && self.crowded();
        if !by_unit {
            let classes = self.classes(&needs.keys);
            let places = if needs.near { 4 } else { 1 };
            if classes.len() * places <= MAX_CLASSES {
                return self.by_class(atom, base, bucket, &classes, needs.near);
            }
        }
        let unit = self.local("u", Type::Elem(self.ids.unit));
        let this = self.get(unit, span);
        let subject = Subject {
            kind: KindOf::Of(self.kind_at(this.clone(), span)),
            place: PlaceOf::Of(this),
            bucket,
            memory: true,
        };
        Ok(match self.accepts(atom, &subject)? {
            Truth::No => None,
            Truth::Yes => Some(base.clone()),
            Truth::When(when) => Some(self.collect(unit, base.clone(), when, span)),
        })
    }

    /// Classes of kinds with equal values of these properties.
    fn classes(&self, keys: &[String]) -> Vec<Vec<u32>> {
        let mut classes: Vec<Class<'_>> = Vec::new();
        for (index, kind) in self.kinds().iter().enumerate() {
            let values: Vec<Option<&str>> = keys.iter().map(|key| kind.property(key)).collect();
            let pictured = kind.pictured && !keys.is_empty();
            let same = classes
                .iter_mut()
                .find(|(v, p, _)| *v == values && *p == pictured);
            match same {
                Some((.., members)) => members.push(index as u32),
                None => classes.push((values, pictured, vec![index as u32])),
            }
        }
        classes.into_iter().map(|(.., members)| members).collect()
    }

    fn by_class(
        &mut self,
        atom: &Atom,
        base: &Expr,
        bucket: u32,
        classes: &[Vec<u32>],
        near: bool,
    ) -> Result<Option<Expr>, TooMany> {
        let span = atom.span;
        let mut union: Option<Expr> = None;
        let places: Vec<Option<u32>> = match near {
            true => (0..4).map(Some).collect(),
            false => vec![None],
        };
        for place in places {
            // Classes with one and the same condition are one.
            let mut cases: Vec<(Truth, Vec<u32>)> = Vec::new();
            for class in classes {
                let subject = Subject {
                    kind: KindOf::Known(class[0] as usize),
                    place: place.map_or(PlaceOf::Any, PlaceOf::Near),
                    bucket,
                    memory: true,
                };
                let case = self.accepts(atom, &subject)?;
                match cases.iter_mut().find(|(other, _)| *other == case) {
                    Some((_, members)) => members.extend(class),
                    None => cases.push((case, class.clone())),
                }
            }
            for (case, mut members) in cases {
                if case == Truth::No {
                    continue;
                }
                members.sort_unstable();
                let mut units = base.clone();
                if let Some(near) = place {
                    let cells: Vec<u32> = (0..CELLS).filter(|c| nearest(*c) == near).collect();
                    let cells = self.cell_set(&cells, span);
                    units = Expr::binary(BinaryOp::Intersect, units, cells);
                }
                if let Some(fits) = self.feature(&members, span) {
                    units = Expr::binary(BinaryOp::Intersect, units, fits);
                }
                let units = match case {
                    Truth::When(when) => Expr::select(when, units, self.no_units(span)),
                    _ => units,
                };
                union = Some(match union {
                    Some(union) => Expr::binary(BinaryOp::Union, union, units),
                    None => units,
                });
            }
        }
        Ok(union)
    }

    /// Whether the expressions of an atom accept a piece.
    fn accepts(&mut self, atom: &Atom, subject: &Subject) -> Result<Truth, TooMany> {
        let mut all = Truth::Yes;
        if let Some(expr) = &atom.code {
            let set = self.eval(expr, subject)?;
            all = all.and(holds(&set));
        }
        for condition in &atom.conditions {
            if let Asked::Expr(expr) = &condition.value {
                let set = self.eval(expr, subject)?;
                let key = &condition.key.text;
                all = all.and(self.kind_matches(key, &subject.kind, &set, expr.span));
            }
        }
        if let Some(expr) = &atom.bucket {
            let set = self.eval(expr, subject)?;
            all = all.and(Self::names_bucket(&set, subject.bucket, expr.span));
        }
        Ok(all)
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
