//! Reading the text of a position.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::program::{OpKind, PointCode, Program};
use super::super::run::{Otherwise, Run};
use super::super::scan::{Scan, TextError};
use super::super::state::{
    Control, Core, Fault, Outcome, Placed, Reason, Saved, SavedFrame, State, Stop,
};
use super::super::value::Value;
use super::{Part, write_state};
use crate::ir::{
    DomainId, FaultCode, Game, PlacementForm, PlacementId, PointId, SnapshotId, StmtKind, TrailId,
    Type, VarId, VarStyle,
};
use crate::source::{FileId, Span};

/// Reads a state.
pub(in super::super) fn parse_state(
    program: &Arc<Program>,
    text: &str,
) -> Result<State, TextError> {
    let mut reader = Reader {
        program,
        scan: Scan::new(text),
        core: Core::initial(&program.game),
        places: BTreeMap::new(),
        control: None,
        outcome: None,
    };
    reader.parts(&program.state_text, 0)?;
    reader.scan.end()?;
    let state = reader.finish()?;
    let mut written = String::new();
    write_state(&state, &mut written);
    Scan::same(text, &written)?;
    Ok(state)
}

struct Reader<'a, 't> {
    program: &'a Arc<Program>,
    scan: Scan<'t>,
    core: Core,
    /// What was read of placements: by placement and piece (or anonymous place) the value, and where
    /// that was read.
    places: BTreeMap<(usize, u32), (Option<u32>, Scan<'t>)>,
    control: Option<Control>,
    outcome: Option<Told>,
}

/// What a text tells of the outcome.
struct Told {
    outcome: Option<Outcome>,
    at_start: bool,
}

impl<'t> Reader<'_, 't> {
    fn parts(&mut self, parts: &[Part], index: u32) -> Result<(), TextError> {
        parts.iter().try_for_each(|part| self.part(part, index))
    }

    fn part(&mut self, part: &Part, index: u32) -> Result<(), TextError> {
        let program = self.program;
        match part {
            Part::Text(text) => self.scan.lit(text)?,
            Part::Each {
                order,
                separator,
                parts,
                ..
            } => {
                for (place, member) in order.iter().enumerate() {
                    if place > 0 {
                        self.scan.lit(separator)?;
                    }
                    self.parts(parts, *member)?;
                }
            }
            Part::Index(domain) => {
                let name = &program.member_names(*domain)[index as usize];
                self.scan.lit(name)?;
            }
            Part::Place(id) => {
                let places = program.game.placement(*id).places;
                self.placed(*id, index, places)?;
            }
            Part::Content(id) => {
                let placement = program.game.placement(*id);
                match placement.form {
                    PlacementForm::Anonymous => self.placed(*id, index, placement.pieces)?,
                    _ => {
                        let here = self.scan;
                        let piece = program.read_opt(&mut self.scan, placement.pieces)?;
                        if let Some(piece) = piece {
                            self.places.insert((id.index(), piece), (Some(index), here));
                        }
                    }
                }
            }
            Part::Cell(id, style) => self.cell(*id, *style, index)?,
            Part::Cells(id) => {
                let values = self.cells(*id)?;
                self.core.vars[program.cells(*id)].clone_from_slice(&values);
            }
            Part::Places(id) => {
                for (key, (value, at)) in self.list(*id)?.into_iter().enumerate() {
                    self.places.insert((id.index(), key as u32), (value, at));
                }
            }
            Part::Snapshot(id) => {
                let saved = self.snapshot(*id)?;
                self.core.snapshots[id.index()] = saved.map(Arc::new);
            }
            Part::Trail(id) => self.trail(*id)?,
            Part::Control => self.control = Some(self.control()?),
            Part::Outcome => self.outcome = Some(self.outcome()?),
        }
        Ok(())
    }

    fn placed(&mut self, id: PlacementId, key: u32, values: DomainId) -> Result<(), TextError> {
        let here = self.scan;
        let value = self.program.read_opt(&mut self.scan, values)?;
        self.places.insert((id.index(), key), (value, here));
        Ok(())
    }

    fn cell(&mut self, id: VarId, style: VarStyle, index: u32) -> Result<(), TextError> {
        let var = self.program.game.var(id);
        let cell = self.program.cells(id).start
            + if var.axes.is_empty() {
                0
            } else {
                index as usize
            };
        let value = match (style, &var.ty) {
            (VarStyle::Numbered, Type::Elem(domain)) => Value::Elem(self.numbered(*domain)?),
            (VarStyle::Numbered, Type::Opt(domain)) => match self.scan.take("-") {
                true => Value::Opt(None),
                false => Value::Opt(Some(self.numbered(*domain)?)),
            },
            _ => self.program.read_value(&mut self.scan, &var.ty)?,
        };
        self.core.vars[cell] = value;
        Ok(())
    }

    fn numbered(&mut self, domain: DomainId) -> Result<u32, TextError> {
        let len = self.program.domain_len(domain) as i64;
        Ok((self.scan.int_in(1, len)? - 1) as u32)
    }

    fn cells(&mut self, id: VarId) -> Result<Vec<Value>, TextError> {
        let program = self.program;
        let ty = &program.game.var(id).ty;
        let mut values = Vec::new();
        for place in 0..program.cells(id).len() {
            if place > 0 {
                self.scan.lit(",")?;
            }
            values.push(program.read_value(&mut self.scan, ty)?);
        }
        Ok(values)
    }

    /// The whole list of a placement.
    fn list(&mut self, id: PlacementId) -> Result<Vec<(Option<u32>, Scan<'t>)>, TextError> {
        let placement = self.program.game.placement(id);
        let (keys, values) = match placement.form {
            PlacementForm::Anonymous => (placement.places, placement.pieces),
            _ => (placement.pieces, placement.places),
        };
        let mut list = Vec::new();
        for key in 0..self.program.domain_len(keys) {
            if key > 0 {
                self.scan.lit(",")?;
            }
            let here = self.scan;
            list.push((self.program.read_opt(&mut self.scan, values)?, here));
        }
        Ok(list)
    }

    fn snapshot(&mut self, id: SnapshotId) -> Result<Option<Saved>, TextError> {
        if self.scan.take("-") {
            return Ok(None);
        }
        let kept = self.program.game.snapshot(id);
        self.scan.lit("(")?;
        let mut saved = Saved {
            vars: Vec::new(),
            placed: Vec::new(),
        };
        for var in &kept.vars {
            saved.vars.push(self.cells(*var)?);
            self.scan.lit(";")?;
        }
        for placement in &kept.placements {
            let list = self.list(*placement)?;
            let entries = list.into_iter().enumerate();
            let entries = entries.map(|(key, (value, at))| (key as u32, value, at));
            saved
                .placed
                .push(place_all(&self.program.game, *placement, entries)?);
            self.scan.lit(";")?;
        }
        self.scan.lit(")")?;
        Ok(Some(saved))
    }

    fn trail(&mut self, id: TrailId) -> Result<(), TextError> {
        let capacity = self.program.game.trail(id).capacity as usize;
        let mut positions = Vec::new();
        while self.scan.take("+") {
            positions.push(self.scan.hex().into());
            if positions.len() > capacity {
                let most = format!("at most {capacity} positions before");
                return Err(self.scan.expected(&most));
            }
        }
        self.core.trails[id.index()] = Arc::new(positions);
        Ok(())
    }

    fn control(&mut self) -> Result<Control, TextError> {
        let program = self.program;
        if let Some(machine) = &program.game.machine {
            let last = machine.points.len() as i64 - 1;
            let point = self.scan.int_in(0, last.max(0))?;
            return Ok(Control::Point(PointId(point as u32)));
        }
        let mut frames: Vec<SavedFrame> = Vec::new();
        loop {
            let here = self.scan;
            let routine = self.scan.int_in(0, program.routines.len() as i64 - 1)? as usize;
            if frames.is_empty() && routine == 0 && !self.scan.rest().starts_with(':') {
                return Ok(Control::Nowhere);
            }
            self.scan.lit(":")?;
            let ops = &program.routines[routine].ops;
            let pc = self.scan.int_in(0, ops.len() as i64 - 1)? as usize;
            let locals = self.locals(routine, pc)?;
            let caller = frames
                .last()
                .map(|frame| &program.routines[frame.routine].ops[frame.pc - 1]);
            let called = match caller.map(|op| &op.kind) {
                Some(OpKind::Call { func, .. }) => func.index() == routine,
                _ => frames.is_empty() && routine == program.game.process.index(),
            };
            if !called || program.routines[routine].live.is_empty() {
                return Err(here.expected("a call that play can be in"));
            }
            frames.push(SavedFrame {
                routine,
                pc,
                locals,
            });
            let inner = self.scan.take("/");
            let stops = match (inner, pc.checked_sub(1).map(|before| &ops[before].kind)) {
                (true, Some(OpKind::Call { .. })) => true,
                (true, _) => false,
                (false, _) => matches!(ops[pc].kind, OpKind::Choose(_) | OpKind::Chance(_)),
            };
            if !stops {
                return Err(here.expected("a place where play can stop"));
            }
            if !inner {
                return Ok(Control::Frames(frames));
            }
        }
    }

    fn locals(&mut self, routine: usize, pc: usize) -> Result<Vec<(usize, Value)>, TextError> {
        let code = &self.program.routines[routine];
        self.scan.lit("(")?;
        let mut locals: Vec<(usize, Value)> = Vec::new();
        while !self.scan.take(")") {
            if !locals.is_empty() {
                self.scan.lit(",")?;
            }
            let here = self.scan;
            let slot = self.scan.int_in(0, code.slots as i64 - 1)? as usize;
            let live = code
                .live
                .get(pc)
                .is_some_and(|live| live.contains(slot as u32));
            if !live || locals.last().is_some_and(|(last, _)| *last >= slot) {
                return Err(here.expected("a local variable that is needed, in order"));
            }
            self.scan.lit("=")?;
            let value = self.program.read_value(&mut self.scan, &code.types[slot])?;
            locals.push((slot, value));
        }
        Ok(locals)
    }

    fn outcome(&mut self) -> Result<Told, TextError> {
        let told = |outcome: Option<Outcome>| Told {
            outcome,
            at_start: false,
        };
        if self.scan.take("-1") {
            return Ok(told(None));
        }
        let players = self.program.game.player_count() as i64;
        let words = [
            Reason::Win,
            Reason::Draw,
            Reason::Stuck,
            Reason::Elimination,
            Reason::Limit,
        ];
        for reason in words {
            if self.scan.take(&format!("{}:", reason.word())) {
                let mut winners = Vec::new();
                if self.scan.rest().starts_with(|c: char| c.is_ascii_digit()) {
                    winners.push((self.scan.int_in(1, players)? - 1) as u32);
                    while self.scan.take("+") {
                        winners.push((self.scan.int_in(1, players)? - 1) as u32);
                    }
                }
                return Ok(told(Some(Outcome { reason, winners })));
            }
        }
        if self.scan.take("fault") {
            let at_start = self.scan.take("-at-start");
            let outcome = Some(Outcome::fault(self.fault()?));
            return Ok(Told { outcome, at_start });
        }
        let winner = self.scan.int_in(0, players)?;
        Ok(told(Some(match winner {
            0 => Outcome::draw(),
            _ => Outcome {
                reason: Reason::Win,
                winners: vec![(winner - 1) as u32],
            },
        })))
    }

    fn fault(&mut self) -> Result<Fault, TextError> {
        let mut numbers = [0_u32; 3];
        for number in &mut numbers {
            self.scan.lit(":")?;
            *number = self.scan.int_in(0, i64::from(u32::MAX))? as u32;
        }
        self.scan.lit(":")?;
        let [file, start, end] = numbers;
        let span = Span {
            file: FileId(file),
            start,
            end,
        };
        let mut codes = FaultCode::all();
        codes.extend(rules_at(&self.program.game, span).map(FaultCode::Rule));
        let names: Vec<String> = codes.iter().map(FaultCode::site).collect();
        let code = codes.swap_remove(self.scan.name(&names)? as usize);
        Ok(Fault { code, span })
    }

    fn finish(mut self) -> Result<State, TextError> {
        let program = self.program;
        for index in 0..program.game.placements.len() {
            let keys = self.places.range((index, 0)..=(index, u32::MAX));
            let entries: Vec<_> = keys
                .map(|((_, key), (value, at))| (*key, *value, *at))
                .collect();
            if !entries.is_empty() {
                let id = PlacementId::from(index);
                self.core.placed[index] = place_all(&program.game, id, entries.into_iter())?;
            }
        }
        let end = self.scan;
        let told = self.outcome.ok_or_else(|| end.expected("an outcome"))?;
        let faulted =
            matches!(&told.outcome, Some(outcome) if matches!(outcome.reason, Reason::Fault(_)));
        let ended = (told.outcome.is_some() && !faulted) || told.at_start;
        let control = match (ended, self.control.or_else(|| program.only_control())) {
            (true, _) => Control::Nowhere,
            (false, Some(control)) => control,
            (false, None) => return Err(end.expected("where play stopped")),
        };
        let core = Arc::new(self.core);
        let stop = stop_at(program, &core, &control);
        let mut state = State::at(program, core, control, stop);
        state.outcome = match (told.outcome, state.stop.as_ref()) {
            (Some(outcome), _) => Some(Arc::new(outcome)),
            (None, Stop::Broken(fault)) => Some(Arc::new(Outcome::fault(fault.clone()))),
            (None, Stop::Over) => {
                return Err(end.expected("an outcome, because the game is over"));
            }
            (None, _) => None,
        };
        Ok(state)
    }
}

/// The messages of the rules that fault at a place.
fn rules_at(game: &Game, span: Span) -> impl Iterator<Item = String> {
    let mut messages = BTreeSet::new();
    let mut look = |block: &[crate::ir::Stmt]| {
        crate::ir::visit::walk_block(block, &mut |stmt| {
            if let StmtKind::Fault(text) = &stmt.kind
                && stmt.span == span
            {
                messages.insert(text.clone());
            }
        });
    };
    game.functions
        .iter()
        .for_each(|function| look(&function.body));
    if let Some(machine) = &game.machine {
        look(&machine.start);
        for point in &machine.points {
            match point {
                crate::ir::Point::Choose(choose) => choose.blocks(&mut |block| look(block)),
                crate::ir::Point::Chance(_, block) => look(block),
            }
        }
    }
    messages.into_iter()
}

/// A placement with these values; pieces that are not named stay where they are at the start.
fn place_all<'t>(
    game: &Game,
    id: PlacementId,
    entries: impl Iterator<Item = (u32, Option<u32>, Scan<'t>)>,
) -> Result<Placed, TextError> {
    let placement = game.placement(id);
    let mut placed = Placed::initial(game, id.index());
    let entries: Vec<_> = entries.collect();
    if placement.form == PlacementForm::Anonymous {
        for (place, kind, _) in entries {
            placed.set_content(place, kind);
        }
        return Ok(placed);
    }
    for (piece, ..) in &entries {
        placed.take(*piece);
    }
    for (piece, place, at) in entries {
        let Some(place) = place else {
            continue;
        };
        let taken = placement.form == PlacementForm::One && placed.content(place).is_some();
        if taken {
            return Err(at.expected("a place where no other piece stands"));
        }
        placed.put(piece, place);
    }
    Ok(placed)
}

/// What play waits for at a place in the rules.
pub(in super::super) fn stop_at(
    program: &Arc<Program>,
    core: &Arc<Core>,
    control: &Control,
) -> Stop {
    let mut run = Run::new(program, Arc::clone(core), Otherwise::Ignore);
    let code = match control {
        Control::Nowhere => return Stop::Over,
        Control::Point(point) => {
            run.restore(control, program.machine().unwrap_or(0), 0);
            program.points[point.index()]
        }
        Control::Frames(frames) => {
            let Some(top) = frames.last() else {
                return Stop::Over;
            };
            run.restore(control, top.routine, top.pc);
            match program.routines[top.routine].ops[top.pc].kind {
                OpKind::Choose(code) => PointCode::Choose(code),
                OpKind::Chance(code) => PointCode::Chance(code),
                _ => return Stop::Over,
            }
        }
    };
    run.waits_for(code)
}
