//! Writing the text of a position.

use std::fmt::Write;

use super::super::eval::put_number;
use super::super::state::{Control, Placed, Reason, State};
use super::super::value::Value;
use super::Part;
use crate::ir::{DomainId, PlacementForm, PlacementId, SnapshotId, VarId, VarStyle};
use crate::source::Span;

/// Writes a state.
pub(in super::super) fn write_state(state: &State, out: &mut String) {
    Writer { state, out }.parts(&state.program.state_text, 0);
}

struct Writer<'a> {
    state: &'a State,
    out: &'a mut String,
}

impl Writer<'_> {
    fn parts(&mut self, parts: &[Part], index: u32) {
        for part in parts {
            self.part(part, index);
        }
    }

    fn part(&mut self, part: &Part, index: u32) {
        let program = &self.state.program;
        let core = &self.state.core;
        match part {
            Part::Text(text) => self.out.push_str(text),
            Part::Each {
                order,
                separator,
                parts,
                ..
            } => {
                for (place, member) in order.iter().enumerate() {
                    if place > 0 {
                        self.out.push_str(separator);
                    }
                    self.parts(parts, *member);
                }
            }
            Part::Index(domain) => self.out.push_str(program.names[domain.index()].text(index)),
            Part::Place(id) => {
                let place = core.placed[id.index()].place_of(index);
                self.opt(place, program.game.placement(*id).places);
            }
            Part::Content(id) => {
                let piece = core.placed[id.index()].content(index);
                self.opt(piece, program.game.placement(*id).pieces);
            }
            Part::Cell(id, style) => self.cell(*id, *style, index),
            Part::Cells(id) => self.cells(*id, &core.vars[program.cells(*id)]),
            Part::Places(id) => self.places(*id, &core.placed[id.index()]),
            Part::Snapshot(id) => self.snapshot(*id),
            Part::Trail(id) => {
                let trail = &core.trails[id.index()];
                for position in trail.iter() {
                    self.out.push('+');
                    for byte in position.iter() {
                        let _ = write!(self.out, "{byte:02x}");
                    }
                }
            }
            Part::Control => self.control(),
            Part::Outcome => self.outcome(),
        }
    }

    fn opt(&mut self, member: Option<u32>, domain: DomainId) {
        let program = &self.state.program;
        self.out.push_str(match member {
            Some(member) => program.names[domain.index()].text(member),
            None => "-",
        });
    }

    fn cell(&mut self, id: VarId, style: VarStyle, index: u32) {
        let program = &self.state.program;
        let var = program.game.var(id);
        let cells = &self.state.core.vars[program.cells(id)];
        let value = &cells[if var.axes.is_empty() {
            0
        } else {
            index as usize
        }];
        match (style, value) {
            (VarStyle::Numbered, Value::Elem(member) | Value::Opt(Some(member))) => {
                put_number(i64::from(member + 1), self.out);
            }
            _ => program.write_value(value, &var.ty, self.out),
        }
    }

    fn cells(&mut self, id: VarId, values: &[Value]) {
        let program = &self.state.program;
        for (place, value) in values.iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            program.write_value(value, &program.game.var(id).ty, self.out);
        }
    }

    fn places(&mut self, id: PlacementId, placed: &Placed) {
        let placement = self.state.program.game.placement(id);
        let anonymous = placement.form == PlacementForm::Anonymous;
        let (keys, values) = match anonymous {
            true => (placement.places, placement.pieces),
            false => (placement.pieces, placement.places),
        };
        for key in 0..self.state.program.domain_len(keys) as u32 {
            if key > 0 {
                self.out.push(',');
            }
            let value = match anonymous {
                true => placed.content(key),
                false => placed.place_of(key),
            };
            self.opt(value, values);
        }
    }

    fn snapshot(&mut self, id: SnapshotId) {
        let Some(saved) = &self.state.core.snapshots[id.index()] else {
            return self.out.push('-');
        };
        let kept = self.state.program.game.snapshot(id);
        self.out.push('(');
        for (var, values) in kept.vars.iter().zip(&saved.vars) {
            self.cells(*var, values);
            self.out.push(';');
        }
        for (placement, placed) in kept.placements.iter().zip(&saved.placed) {
            self.places(*placement, placed);
            self.out.push(';');
        }
        self.out.push(')');
    }

    fn control(&mut self) {
        let program = &self.state.program;
        match self.state.control.as_ref() {
            Control::Nowhere => self.out.push('0'),
            Control::Point(point) => {
                let _ = write!(self.out, "{}", point.0);
            }
            Control::Frames(frames) => {
                for (depth, frame) in frames.iter().enumerate() {
                    let slash = if depth > 0 { "/" } else { "" };
                    let _ = write!(self.out, "{slash}{}:{}(", frame.routine, frame.pc);
                    for (place, (slot, value)) in frame.locals.iter().enumerate() {
                        let comma = if place > 0 { "," } else { "" };
                        let _ = write!(self.out, "{comma}{slot}=");
                        let ty = &program.routines[frame.routine].types[*slot];
                        program.write_value(value, ty, self.out);
                    }
                    self.out.push(')');
                }
            }
        }
    }

    fn outcome(&mut self) {
        let Some(outcome) = &self.state.outcome else {
            return self.out.push_str("-1");
        };
        let winners: Vec<String> = outcome
            .winners
            .iter()
            .map(|w| (w + 1).to_string())
            .collect();
        let text = match (&outcome.reason, winners.as_slice()) {
            (Reason::Draw, []) => String::from("0"),
            (Reason::Win, [winner]) => winner.clone(),
            (Reason::Fault(fault), _) => {
                let nowhere = matches!(*self.state.control, Control::Nowhere);
                let at_start = if nowhere { "-at-start" } else { "" };
                let Span { file, start, end } = fault.span;
                let code = fault.code.site();
                format!("fault{at_start}:{}:{start}:{end}:{code}", file.0)
            }
            (reason, _) => format!("{}:{}", reason.word(), winners.join("+")),
        };
        self.out.push_str(&text);
    }
}
