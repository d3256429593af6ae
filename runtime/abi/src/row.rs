//! What a network sees, written where it reads it.

use rulec_core::{BitSet, Observer};

use crate::port::Refused;

/// The numbers of cells.
pub(crate) trait Cell: Copy + Default + Send + bytemuck::Pod {
    /// The number for a member of a set.
    const ONE: Self;

    /// The nearest number.
    fn of(value: i64) -> Self;
}

impl Cell for f32 {
    const ONE: f32 = 1.0;

    #[inline(always)]
    fn of(value: i64) -> f32 {
        value as f32
    }
}

impl Cell for u8 {
    const ONE: u8 = 1;

    #[inline(always)]
    fn of(value: i64) -> u8 {
        value.clamp(0, 255) as u8
    }
}

impl Cell for i8 {
    const ONE: i8 = 1;

    #[inline(always)]
    fn of(value: i64) -> i8 {
        value.clamp(-128, 127) as i8
    }
}

impl Cell for i64 {
    const ONE: i64 = 1;

    #[inline(always)]
    fn of(value: i64) -> i64 {
        value
    }
}

/// The cells of one position that are still to be written.
pub(crate) struct Row<'r, T>(pub(crate) &'r mut [T]);

impl<'r, T> Row<'r, T> {
    #[inline(always)]
    fn take(&mut self, cells: usize) -> &'r mut [T] {
        let rest = std::mem::take(&mut self.0);
        let (head, rest) = rest.split_at_mut(cells.min(rest.len()));
        self.0 = rest;
        head
    }
}

impl<T: Cell> Observer for Row<'_, T> {
    #[inline(always)]
    fn value(&mut self, value: i64) {
        if let [cell] = self.take(1) {
            *cell = T::of(value);
        }
    }

    #[inline(always)]
    fn run(&mut self, values: impl ExactSizeIterator<Item = i64>) {
        let cells = self.take(values.len());
        for (cell, value) in cells.iter_mut().zip(values) {
            *cell = T::of(value);
        }
    }

    #[inline(always)]
    fn zeros(&mut self, cells: usize) {
        self.take(cells).fill(T::default());
    }

    #[inline(always)]
    fn members(&mut self, cells: usize, members: impl Iterator<Item = usize>) {
        let cells = self.take(cells);
        cells.fill(T::default());
        for member in members {
            if let Some(cell) = cells.get_mut(member) {
                *cell = T::ONE;
            }
        }
    }

    #[inline(always)]
    fn classes<const WORDS: usize, const NUMBER: usize>(
        &mut self,
        cells: usize,
        classes: [(i64, [u64; WORDS]); NUMBER],
    ) {
        let cells = self.take(cells);
        cells.fill(T::default());
        for (value, set) in classes {
            let value = T::of(value);
            for member in BitSet(set).iter() {
                if let Some(cell) = cells.get_mut(member) {
                    *cell = value;
                }
            }
        }
    }

    #[inline(always)]
    fn values(&mut self, cells: usize, values: impl Iterator<Item = (usize, i64)>) {
        let cells = self.take(cells);
        cells.fill(T::default());
        for (member, value) in values {
            if let Some(cell) = cells.get_mut(member) {
                *cell = T::of(value);
            }
        }
    }
}

/// Rows of cells of one of the kinds that networks read.
pub(crate) enum Cells<'r> {
    None,
    F32(&'r mut [f32]),
    U8(&'r mut [u8]),
    I8(&'r mut [i8]),
}

impl<'r> Cells<'r> {
    /// Takes off the first rows, of so many cells together.
    pub(crate) fn split(&mut self, cells: usize) -> Cells<'r> {
        fn cut<'r, T>(rows: &mut &'r mut [T], cells: usize) -> &'r mut [T] {
            let all = std::mem::take(rows);
            let (head, rest) = all.split_at_mut(cells.min(all.len()));
            *rows = rest;
            head
        }
        match self {
            Cells::None => Cells::None,
            Cells::F32(rows) => Cells::F32(cut(rows, cells)),
            Cells::U8(rows) => Cells::U8(cut(rows, cells)),
            Cells::I8(rows) => Cells::I8(cut(rows, cells)),
        }
    }

    /// Writes the cells of a position into a row.
    #[inline]
    pub(crate) fn show<G: rulec_core::Observe>(
        &mut self,
        game: &G,
        state: &G::State,
        row: usize,
        cells: usize,
    ) {
        fn room<T>(rows: &mut [T], row: usize, cells: usize) -> Row<'_, T> {
            let own = row * cells..(row + 1) * cells;
            Row(rows.get_mut(own).unwrap_or_default())
        }
        match self {
            Cells::None => {}
            Cells::F32(rows) => game.observe(state, &mut room(rows, row, cells)),
            Cells::U8(rows) => game.observe(state, &mut room(rows, row, cells)),
            Cells::I8(rows) => game.observe(state, &mut room(rows, row, cells)),
        }
    }

    /// The rows that an operation is to fill.
    pub(crate) fn of(
        call: &mut crate::port::Call<'_, 'r>,
        at: usize,
        kind: u8,
        len: usize,
    ) -> Result<Cells<'r>, Refused> {
        Ok(match kind {
            0 => Cells::None,
            1 => Cells::F32(call.output(at, len)?),
            2 => Cells::U8(call.output(at, len)?),
            3 => Cells::I8(call.output(at, len)?),
            other => {
                return Err(Refused::usage(format!(
                    "there is no kind {other} of cells: 1 is f32, 2 u8, 3 i8"
                )));
            }
        })
        .map(|cells| match cells.is_empty() {
            true => Cells::None,
            false => cells,
        })
    }

    fn is_empty(&self) -> bool {
        match self {
            Cells::None => true,
            Cells::F32(rows) => rows.is_empty(),
            Cells::U8(rows) => rows.is_empty(),
            Cells::I8(rows) => rows.is_empty(),
        }
    }
}
