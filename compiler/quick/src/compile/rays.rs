//! Lines of a board: unions of rows of tables by one number, each up to the first place where something stops it.

use super::union::{is_known, is_same_set, union_parts};
use super::{Made, Maker};
use crate::code::*;
use crate::op::*;

/// A row while it is not known where its operands lie.
struct Line<'s> {
    row: At,
    end: RayEnd,
    stops: Option<&'s Set>,
    within: Option<Bound>,
}

/// Where the members of a row have to be.
enum Bound {
    Set(At),
    Row(At),
}

impl Maker<'_> {
    /// Whether one of some rows is part of a set.
    pub(super) fn any_row(&mut self, rows: &Rows, to: Reg) -> Made<()> {
        if are_near_words(rows) {
            let place = self.place_of_cell(&rows.first)?;
            let (set, count) = (self.word_operand(&rows.set)?, rows.count);
            let asked = Self::listed(&mut self.code.rows, WordRows { place, count, set })?;
            self.emit_at(rows.first.site, Op::AnyRow(to, asked));
            return Ok(());
        }
        let first = self.locate(&rows.first)?;
        let within = match &rows.within {
            Some(cell) => Some((self.locate(cell)?, cell.outside)),
            None => None,
        };
        let set = self.set_at(&rows.set)?;
        self.slow(Slow::SomeRow(RowsAsked {
            to,
            first,
            outside: rows.first.outside,
            within,
            count: rows.count,
            words: rows.set.words,
            set,
        }))
    }

    /// Where the number lies and what its rows are, if a set of one word is made of them and something stops one.
    pub(super) fn rays(&mut self, set: &Set) -> Made<Option<(Reg, Rays)>> {
        let mut parts = Vec::new();
        union_parts(set, &mut parts);
        let (mut index, mut stops, mut lines) = (None, None, Vec::new());
        for part in parts {
            let Some((line, by)) = line(part) else {
                return Ok(None);
            };
            let same = line
                .stops
                .is_none_or(|set| is_same_set(set, stops.get_or_insert(set)));
            if by != *index.get_or_insert(by) || !same {
                return Ok(None);
            }
            lines.push(line);
        }
        let (Some(index), Some(stops)) = (index, stops) else {
            return Ok(None);
        };
        let mut each = Vec::new();
        for line in lines {
            each.push(Ray {
                row: self.reg(line.row)?,
                end: line.end,
                within: match line.within {
                    None => Within::Anywhere,
                    Some(Bound::Set(at)) => Within::Set(self.reg(at)?),
                    Some(Bound::Row(at)) => Within::Row(self.reg(at)?),
                },
            });
        }
        let (stops, each) = (self.word_operand(stops)?, each.into());
        Ok(Some((self.reg(index)?, Rays { stops, each })))
    }
}

/// A set that is a row, as far as it reaches and within something, and where its number lies.
fn line(set: &Set) -> Option<(Line<'_>, At)> {
    let SetKind::Intersect(both) = &set.kind else {
        return reaching(set);
    };
    // Of two rows the one that is stopped is the line.
    match both.1.kind {
        SetKind::UpTo(_) | SetKind::DownTo(_) => bounded(&both.1, &both.0),
        _ => bounded(&both.0, &both.1).or_else(|| bounded(&both.1, &both.0)),
    }
}

/// A row within something.
fn bounded<'s>(one: &'s Set, other: &Set) -> Option<(Line<'s>, At)> {
    let (mut line, by) = reaching(one)?;
    line.within = Some(match &other.kind {
        SetKind::At(at) if *at < NEAR => Bound::Set(*at),
        _ => match row_at(other)? {
            (table, index) if index == by => Bound::Row(table),
            _ => return None,
        },
    });
    Some((line, by))
}

/// A row, as far as it reaches.
fn reaching(set: &Set) -> Option<(Line<'_>, At)> {
    let (from, end, stops) = match &set.kind {
        SetKind::UpTo(both) => (&both.0, RayEnd::UpTo, Some(&both.1)),
        SetKind::DownTo(both) => (&both.0, RayEnd::DownTo, Some(&both.1)),
        _ => (set, RayEnd::Open, None),
    };
    let (row, by) = row_at(from)?;
    if stops.is_some_and(|stops| !is_known(stops)) {
        return None;
    }
    let line = Line {
        row,
        end,
        stops,
        within: None,
    };
    Some((line, by))
}

/// A row by a number that lies somewhere: where row 0 lies, and the number.
fn row_at(set: &Set) -> Option<(At, At)> {
    let SetKind::Cell(cell) = &set.kind else {
        return None;
    };
    match row(cell)? {
        (table, Num::At(index)) if set.words == 1 && *index < NEAR => Some((table, *index)),
        _ => None,
    }
}

/// Where the word of row 0 lies, and the number, of a value by one number that is never outside.
pub(super) fn row(cell: &Cell) -> Option<(At, &Num)> {
    match &cell.index[..] {
        [axis] if cell.sure && axis.stride == 1 && cell.base < NEAR => {
            Some((cell.base, &axis.index))
        }
        _ => None,
    }
}

/// Whether rows are words that operations can name, and finding the first is no fault or the last thing that may be one.
fn are_near_words(rows: &Rows) -> bool {
    let first = &rows.first;
    let axes = first.index.iter();
    let end = axes.fold(first.base, |end, axis| {
        end + axis.len as usize * axis.stride
    }) + rows.count;
    let is_near = end < NEAR && first.outside.is_none_or(|outside| outside < NEAR);
    let is_last = first.sure || first.outside.is_some() || matches!(rows.set.kind, SetKind::At(_));
    rows.set.words == 1 && rows.within.is_none() && is_near && is_last
}
