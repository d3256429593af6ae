//! What a network sees of a position, see [`crate::ir::observe`].

use rulec_core::Observer;

use super::Machine;
use crate::code::*;
use crate::ir::observe::{Plane, PlaneSource};
use crate::ir::{PlacementForm, Type};

/// The numbers of the members of a set.
fn members(words: &[i64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word as u64;
        std::iter::from_fn(move || {
            let member = (rest != 0).then_some(at * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            member
        })
    })
}

/// Shows a value that lies in these words.
fn show(ty: &Type, words: &[i64], cells: usize, out: &mut impl Observer) {
    match ty {
        Type::Set(_) => out.members(cells, members(words)),
        Type::Elem(_) | Type::Opt(_) => out.value(words[0] + 1),
        Type::Seq { .. } | Type::Tagged => out.value(0),
        Type::Bool | Type::Int { .. } | Type::Wrap32 => out.value(words[0]),
    }
}

impl<'c> Machine<'c> {
    /// Shows the values of planes.
    pub(crate) fn observe(&mut self, planes: &[Plane], out: &mut impl Observer) {
        let code = self.code;
        let (work, depth) = (self.mem[code.work], self.depth);
        for plane in planes {
            match plane.source {
                PlaneSource::Term(id, term) => match &code.identities[id.index()][term] {
                    Term::Value(value, ty) => self.show_value(value, ty, plane.cells, out),
                    Term::Each(each) => (0..each.len).for_each(|member| {
                        let holds = self.includes(each, member);
                        out.value(i64::from(holds));
                    }),
                    _ => out.zeros(plane.cells),
                },
                PlaneSource::Value(id, term, at) => match &code.identities[id.index()][term] {
                    Term::Each(each) => (0..each.len).for_each(|member| {
                        let (value, ty) = &each.values[at];
                        match self.includes(each, member) {
                            true => self.show_value(value, ty, 1, out),
                            false => out.value(0),
                        }
                    }),
                    _ => out.zeros(plane.cells),
                },
                PlaneSource::Var(id) => {
                    let var = &code.vars[id.index()];
                    let cells = plane.cells / var.cells.max(1);
                    let words = &self.mem[var.base..var.base + var.width * var.cells];
                    words
                        .chunks(var.width)
                        .for_each(|cell| show(&var.ty, cell, cells, out));
                }
                PlaneSource::Placement(id) => self.show_placement(id.index(), plane.cells, out),
            }
        }
        self.fresh();
        (self.mem[code.work], self.depth) = (work, depth);
    }

    fn includes(&mut self, each: &'c EachTerm, member: usize) -> bool {
        self.fresh();
        self.mem[each.local] = member as i64;
        self.yes(&each.when).unwrap_or(false)
    }

    /// Shows a value; one whose evaluation faults is 0.
    fn show_value(&mut self, value: &'c Val, ty: &Type, cells: usize, out: &mut impl Observer) {
        self.fresh();
        match value {
            Val::Num(num) => match self.num(num) {
                Ok(number) => show(ty, &[number], cells, out),
                Err(_) => out.zeros(cells),
            },
            Val::Set(set) if set.words == 1 => match self.word(set) {
                Ok(word) => show(ty, &[word as i64], cells, out),
                Err(_) => out.zeros(cells),
            },
            Val::Set(set) => match self.set(set) {
                Ok(at) => show(ty, &self.mem[at..at + set.words], cells, out),
                Err(_) => out.zeros(cells),
            },
            Val::Seq(_) => out.zeros(cells),
        }
    }

    fn show_placement(&self, id: usize, cells: usize, out: &mut impl Observer) {
        let placement = &self.code.placements[id];
        let many = self.interp.game().placements[id].form == PlacementForm::Many;
        let from = if many {
            placement.place_of
        } else {
            placement.content
        };
        match from {
            Some(at) => self.mem[at..at + cells]
                .iter()
                .for_each(|member| out.value(member + 1)),
            None => out.zeros(cells),
        }
    }
}
