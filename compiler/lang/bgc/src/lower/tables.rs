//! Tables of cells.

use rulec_ir::sorted::SortedMap;

use super::Lower;
use crate::ir::{Axis, Const, Expr, Table, TableId, Type};
use crate::source::Span;

/// What a table is asked about.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arguments {
    /// So many cells.
    Cells(usize),
    /// A kind, or nothing, of which it says this.
    Kind(bool),
}

/// What a table holds.
pub(super) type Held = (Arguments, Type, Vec<Const>);

impl Lower<'_> {
    /// The number of the cell at an offset from a cell.
    pub(super) fn offset(&self, cell: usize, unit: &[i64], steps: i64) -> Option<usize> {
        let from = &self.names.cells[cell];
        let place = from.iter().zip(unit).map(|(at, step)| at + step * steps);
        self.names.index.get(place)
    }

    pub(super) fn cell_count(&self) -> usize {
        self.names.cells.len()
    }

    /// The greatest number of steps that stays within the bounds of the board.
    pub(super) fn most_steps(&self, unit: &[i64]) -> u32 {
        let within = |(dimension, step): (usize, &i64)| {
            let all = || self.names.cells.iter().map(|cell| cell[dimension]);
            let extent = all().max().unwrap_or(0) - all().min().unwrap_or(0);
            (*step != 0).then(|| extent / step.abs())
        };
        let bounds = unit.iter().enumerate().filter_map(within);
        bounds.min().map_or(0, |steps| steps.max(0) as u32)
    }

    /// The table of these values, new or known.
    fn table(&mut self, name: &str, axes: usize, ty: Type, values: Vec<Const>) -> TableId {
        let key = (Arguments::Cells(axes), ty.clone(), values.clone());
        if let Some(table) = self.tables.get(&key) {
            return *table;
        }
        let taken = |name: &str| self.b.game.tables.iter().any(|table| table.name == name);
        let mut unique = name.to_owned();
        let mut number = 1;
        while taken(&unique) {
            number += 1;
            unique = format!("{name} {number}");
        }
        let table = self.b.table(Table {
            name: unique,
            axes: vec![Axis::Domain(self.cell); axes],
            ty,
            values,
            outside: None,
            span: self.game.span,
        });
        self.tables.insert(key, table);
        table
    }

    /// For each cell a set of cells.
    pub(super) fn set_table(
        &mut self,
        name: &str,
        of: impl Fn(&Self, usize) -> Vec<usize>,
    ) -> TableId {
        let set = |cell| {
            let mut members: Vec<u32> = of(self, cell).into_iter().map(|c| c as u32).collect();
            members.sort_unstable();
            members.dedup();
            Const::Set(members)
        };
        let values = (0..self.cell_count()).map(set).collect();
        self.table(name, 1, Type::Set(self.cell), values)
    }

    /// For each cell another one or none.
    pub(super) fn step_table(
        &mut self,
        name: &str,
        of: impl Fn(&Self, usize) -> Option<usize>,
    ) -> TableId {
        let step = |cell| of(self, cell).map_or(Const::None, |cell| Const::Elem(cell as u32));
        let values = (0..self.cell_count()).map(step).collect();
        self.table(name, 1, Type::Opt(self.cell), values)
    }

    /// For each cell another one.
    pub(super) fn cell_table(&mut self, name: &str, of: impl Fn(&Self, usize) -> usize) -> TableId {
        let values = (0..self.cell_count())
            .map(|cell| Const::Elem(of(self, cell) as u32))
            .collect();
        self.table(name, 1, Type::Elem(self.cell), values)
    }

    /// For each pair of cells the first cell on the way; the second of the pair where the map is silent.
    pub(super) fn way_table(
        &mut self,
        name: &str,
        ways: &SortedMap<(usize, usize), usize>,
    ) -> TableId {
        let count = self.cell_count();
        let mut values = Vec::with_capacity(count * count);
        for from in 0..count {
            for to in 0..count {
                let next = ways.get(&(from, to)).copied().unwrap_or(to);
                values.push(Const::Elem(next as u32));
            }
        }
        self.table(name, 2, Type::Elem(self.cell), values)
    }

    /// For each pair of cells those on the way between them.
    pub(super) fn passed_table(&mut self, ways: &SortedMap<(usize, usize), usize>) -> TableId {
        let count = self.cell_count();
        let mut values = Vec::with_capacity(count * count);
        for from in 0..count {
            for to in 0..count {
                let mut passed = Vec::new();
                let mut at = from;
                while let Some(next) = ways.get(&(at, to)).copied().filter(|next| *next != to) {
                    passed.push(next as u32);
                    at = next;
                }
                passed.sort_unstable();
                values.push(Const::Set(passed));
            }
        }
        self.table("passed", 2, Type::Set(self.cell), values)
    }

    /// The next cell in a direction, at most so many steps away.
    fn neighbour(&self, cell: usize, unit: &[i64], most: u32) -> Option<usize> {
        (1..=i64::from(most)).find_map(|steps| self.offset(cell, unit, steps))
    }

    /// The table of the next cells in a direction: neighbours if they exist, or what lies beyond holes too.
    pub(super) fn direction(&mut self, unit: &[i64], beyond: bool) -> TableId {
        let name = unit_name("step", unit);
        let most = if beyond { self.most_steps(unit) } else { 1 };
        self.step_table(&name, |lower, cell| lower.neighbour(cell, unit, most))
    }

    pub(super) fn lookup(&self, table: TableId, index: Vec<Expr>, span: Span) -> Expr {
        Expr::lookup(&self.b.game, table, index, span)
    }
}

/// A name with a vector in it.
pub(super) fn unit_name(word: &str, unit: &[i64]) -> String {
    let mut name = word.to_owned();
    for step in unit {
        let sign = if *step < 0 { "m" } else { "p" };
        name.push_str(&format!(" {sign}{}", step.abs()));
    }
    name
}
