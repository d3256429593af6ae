//! Where the candidates of a parameter lie while moves are looked for, and those of two parameters that rows of a table tell.

use super::link::Label;
use super::plan::{Planned, supply_of};
use super::sift::is_sifted;
use super::{MOST_SET, Made, Maker};
use crate::code::*;
use crate::ir::{ParamSource, Type};
use crate::op::*;

impl Maker<'_> {
    /// Candidates lie where nobody looks but the search; so do parameters where no function looks at them.
    pub(super) fn own_rooms(&mut self, family: &Family) {
        let mut questions = family.questions.iter();
        let plain = |ask: &Question| ask.holds.is_some() && matches!(ask.ask, Ask::Holds(..));
        let computed = |param: &Param| matches!(param.source, Source::Set(_) | Source::Seq(_));
        if questions.all(plain)
            && family.rank.is_none()
            && family.after.is_none()
            && !family.params.iter().any(computed)
        {
            for param in &family.params {
                if let Ok(at) = self.reg(param.at) {
                    self.flat.add_own(&[at]);
                }
            }
        }
        for param in family.params.iter().filter(|param| param.words == 1) {
            for room in [param.room, param.rest] {
                if let Ok(room) = self.reg(room) {
                    self.flat.add_own(&[room]);
                }
            }
        }
    }

    /// Whether a parameter that is a member by its type is always given one.
    pub(super) fn is_there(&self, family: usize, param: usize) -> bool {
        let param = &self.game.families[family].params[param];
        match &param.source {
            ParamSource::Is(value) => matches!(param.ty, Type::Elem(_)) && value.ty == param.ty,
            _ => false,
        }
    }

    /// Where the candidates of a parameter lie.
    pub(super) fn candidates_of(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        next: Label,
    ) -> Made<At> {
        let param = &planned.family.params[bound];
        match &param.source {
            Source::Members(members) => {
                if bound == 0 {
                    self.alone(planned, 0, next)?;
                }
                let all = match param.sets.is_empty() {
                    true => *members,
                    false => param.room,
                };
                if param.late.is_empty() {
                    return Ok(all);
                }
                self.narrow(&param.late, all, param.rest, param.words)?;
                Ok(param.rest)
            }
            Source::Row(by, table) => {
                if param.words == 1 {
                    let to = self.reg(param.room)?;
                    let row = Num::Among(*table, Box::new(Num::At(*by)));
                    self.num_into(&row, to)?;
                } else {
                    let by = self.reg(*by)?;
                    self.slow(Slow::Row(*table, by, param.words, param.room))?;
                }
                if param.late.is_empty() {
                    return Ok(param.room);
                }
                self.narrow(&param.late, param.room, param.rest, param.words)?;
                Ok(param.rest)
            }
            Source::Computed(set) => {
                self.afresh(planned)?;
                let set = self.if_any(planned, set, next)?;
                if let (1, SetKind::At(at)) = (param.words, &set.kind)
                    && *at < NEAR
                {
                    return Ok(*at);
                }
                if param.words == 1 {
                    let to = self.reg(param.room)?;
                    self.word_into(set, to)?;
                } else {
                    self.set_into(set, param.room)?;
                }
                Ok(param.room)
            }
            Source::Set(func) => {
                self.ask(planned, *func, bound)?;
                // Other candidates may come from the same function.
                let value = self.code.funcs[*func].value.start;
                self.copy(value, param.room, param.words)?;
                Ok(param.room)
            }
            _ => Ok(param.room),
        }
    }

    /// What is left of a set where a condition without which it is empty holds: `next` goes on where it does not.
    fn if_any<'s>(&mut self, planned: &Planned<'_>, set: &'s Set, next: Label) -> Made<&'s Set> {
        let mut set = set;
        while let SetKind::If(three) = &set.kind
            && planned.family.harmless
        {
            let (when, rest) = match (self.is_empty(&three.1), self.is_empty(&three.2)) {
                (false, true) => (true, &three.1),
                (true, false) => (false, &three.2),
                _ => break,
            };
            self.branch(&three.0, next, !when)?;
            set = rest;
        }
        Ok(set)
    }

    /// Whether a set is known to have no members.
    fn is_empty(&self, set: &Set) -> bool {
        let none = || self.constants.get(&vec![0; set.words]);
        matches!(&set.kind, SetKind::At(at) if none() == Some(at))
    }

    /// The candidates of all parameters but the first as far as no other has a say in them.
    pub(super) fn all_alone(&mut self, planned: &Planned<'_>, next: Label) -> Made<()> {
        for bound in 1..planned.family.params.len() {
            if matches!(planned.family.params[bound].source, Source::Members(_)) {
                self.alone(planned, bound, next)?;
            }
        }
        Ok(())
    }

    fn alone(&mut self, planned: &Planned<'_>, bound: usize, next: Label) -> Made<()> {
        let param = &planned.family.params[bound];
        let Source::Members(members) = param.source else {
            return Ok(());
        };
        if param.sets.is_empty() {
            return Ok(());
        }
        self.narrow(&param.sets, members, param.room, param.words)?;
        if planned.family.harmless {
            let left = match param.words {
                1 => self.reg(param.room)?,
                words => self.wide_difference(param.room, None, words, Op::Either)?,
            };
            self.jump(Op::Unless(left, 0), next);
        }
        Ok(())
    }

    /// What is in a set and in all of these.
    fn narrow(&mut self, sets: &[Set], from: At, to: At, words: usize) -> Made<()> {
        let mut from = from;
        for set in sets {
            if words > MOST_SET {
                let before = Set {
                    words,
                    to: 0,
                    kind: SetKind::At(from),
                };
                let both = Box::new((before, set.clone()));
                let kind = SetKind::Intersect(both);
                self.set_as_written(&Set { words, to, kind }, to)?;
                from = to;
                continue;
            }
            if words == 1 && is_sifted(set) {
                let (before, left) = (self.reg(from)?, self.reg(to)?);
                let kept = if before == left { self.temp()? } else { left };
                self.word_within(set, Some(before), kept)?;
                if kept != left {
                    self.emit(Op::Move(left, kept));
                }
                from = to;
                continue;
            }
            let set = self.set_at(set)?;
            for i in 0..words {
                let (to, from, set) = (self.reg(to + i)?, self.reg(from + i)?, self.reg(set + i)?);
                self.emit(Op::Both(to, from, set));
            }
            from = to;
        }
        Ok(())
    }

    /// Finds moves of members of rows.
    pub(super) fn find_rows(&mut self, rows: RowsFound) -> Made<()> {
        let pass = rows.pass.map_or(0, |(at, _)| at);
        if [rows.set, rows.table + 64, pass]
            .iter()
            .any(|at| *at > NEAR - 1)
        {
            return self.slow(Slow::Rows(rows));
        }
        let rows = Self::listed(&mut self.code.found_rows, rows)?;
        self.emit(Op::FindRows(rows));
        Ok(())
    }

    /// What is left as members of rows, one for each member of a set.
    pub(super) fn rows_of(
        &self,
        planned: &Planned<'_>,
        bound: usize,
        set: At,
    ) -> Option<RowsFound> {
        let family = planned.family;
        let [one, last] = family.params.get(bound..)? else {
            return None;
        };
        let asked = family.questions.iter();
        let asked = asked.filter(|question| question.bound > bound).count() > 0;
        let fits = family.free && family.harmless && one.words == 1 && last.words == 1;
        if asked || !fits || planned.highest.is_some() {
            return None;
        }
        let row = |set: &Set| match &set.kind {
            SetKind::Cell(cell) => row_by(cell, one.at),
            _ => None,
        };
        let lies = |set: &Set| match set.kind {
            SetKind::At(at) => Some(at),
            _ => None,
        };
        let (table, pass) = match &last.source {
            Source::Row(by, table) if *by == one.at => match &last.late[..] {
                [] => (*table, None),
                [set] => (*table, Some((lies(set)?, true))),
                _ => return None,
            },
            Source::Computed(set) => match &set.kind {
                SetKind::Intersect(both) => match (row(&both.0), row(&both.1)) {
                    (Some(table), _) => (table, Some((lies(&both.1)?, true))),
                    (None, Some(table)) => (table, Some((lies(&both.0)?, true))),
                    (None, None) => return None,
                },
                SetKind::Minus(both) => (row(&both.0)?, Some((lies(&both.1)?, false))),
                _ => (row(set)?, None),
            },
            _ => return None,
        };
        Some(RowsFound {
            first: 0,
            set,
            stride: family.codes.digits[bound + 1].1,
            table,
            pass,
        })
    }

    /// What is left as pieces of a set, the place of each, and members of a row by that.
    pub(super) fn steps_of(
        &self,
        planned: &Planned<'_>,
        bound: usize,
        set: At,
    ) -> Made<Option<StepsFound>> {
        let family = planned.family;
        let Some([one, second, last]) = family.params.get(bound..) else {
            return Ok(None);
        };
        let places = match &second.source {
            Source::Place(places, ..) if supply_of(family, bound).is_some() => *places,
            Source::Is(Num::Among(places, piece)) => match **piece {
                Num::At(at) if at == one.at => *places,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Source::Row(by, table) = last.source else {
            return Ok(None);
        };
        let digits = &family.codes.digits;
        let short = one.words == 1 && second.words >= 1 && last.words == 1;
        let asked = family.questions.iter().any(|asked| asked.bound > bound);
        let fits = family.free && family.harmless && !asked && planned.highest.is_none();
        // The row itself is no other condition.
        let is_row = |set: &&Set| !matches!(&set.kind, SetKind::Cell(cell) if row_by(cell, second.at) == Some(table));
        let mut late = last.late.iter().filter(is_row);
        let (Some(pass), None) = (late.next(), late.next()) else {
            return Ok(None);
        };
        let pass = match pass.kind {
            SetKind::At(at) => at,
            _ => return Ok(None),
        };
        let near = [set, pass, places + 64, table + digits[bound + 1].1 as usize];
        if !short
            || !fits
            || by != second.at
            || digits[bound + 1].0 != 0
            || near.iter().any(|at| *at >= NEAR)
        {
            return Ok(None);
        }
        let by_place = digits[bound + 2].1;
        Ok(Some(StepsFound {
            first: 0,
            set: self.reg(set)?,
            places: self.reg(places)?,
            table: self.reg(table)?,
            pass: self.reg(pass)?,
            strides: [digits[bound + 1].1 * by_place, by_place],
        }))
    }
}

/// The table whose row a cell is by the number that lies there.
fn row_by(cell: &Cell, index: At) -> Option<At> {
    match &cell.index[..] {
        [axis] if axis.stride == 1 && cell.sure => match axis.index {
            Num::At(at) if at == index => Some(cell.base),
            _ => None,
        },
        _ => None,
    }
}
