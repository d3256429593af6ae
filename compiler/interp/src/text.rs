//! Texts of moves and states, out and in.
//!
//! Where a game does not say how its states are written, everything is written: variables,
//! placements, snapshots, trails, the place in the rules and the outcome. Where it does but leaves
//! out the place in the rules, and there is more than one, that is added at the end. What a text
//! does not tell has its initial value when it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use super::eval::put_number;
use super::layout::{Move, MoveParts};
use super::program::{OpKind, PointCode, Program, ToldCode};
use super::run::{Otherwise, Run};
use super::scan::{Scan, TextError};
use super::state::{Control, Core, Fault, Outcome, Placed, Reason, Saved, SavedFrame, State, Stop};
use super::value::{Members, Tag, Value};
use crate::ir::{
    CONTROL_MARK, DomainId, FaultCode, Game, PlacementForm, PlacementId, PointId, SnapshotId,
    StatePart, StmtKind, TextOf, TextPart, TrailId, Type, VarId, VarStyle,
};
use crate::source::{FileId, Span};

/// What the text of a state consists of.
#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    Each {
        order: Vec<u32>,
        separator: String,
        parts: Vec<Part>,
    },
    Index(DomainId),
    Place(PlacementId),
    Content(PlacementId),
    Cell(VarId, VarStyle),
    /// All values of a variable.
    Cells(VarId),
    /// All of a placement.
    Places(PlacementId),
    Snapshot(SnapshotId),
    Trail(TrailId),
    Control,
    Outcome,
}

/// The parts of the texts of states.
pub(super) fn parts(game: &Game, has_one_control: bool) -> Vec<Part> {
    if game.state_text.is_empty() {
        return all_parts(game, has_one_control);
    }
    let mut parts = stated_parts(&game.state_text, None);
    let told = parts.iter().any(|part| matches!(part, Part::Control));
    if !told && !has_one_control {
        parts.extend([Part::Text(String::from(CONTROL_MARK)), Part::Control]);
    }
    parts
}

fn stated_parts(parts: &[StatePart], index: Option<DomainId>) -> Vec<Part> {
    let part = |part: &StatePart| match part {
        StatePart::Text(text) => Part::Text(text.clone()),
        StatePart::Each {
            domain,
            order,
            separator,
            parts,
        } => Part::Each {
            order: order.clone(),
            separator: separator.clone(),
            parts: stated_parts(parts, Some(*domain)),
        },
        StatePart::Index => match index {
            Some(domain) => Part::Index(domain),
            None => Part::Text(String::new()),
        },
        StatePart::Place(placement) => Part::Place(*placement),
        StatePart::Content(placement) => Part::Content(*placement),
        StatePart::Var(var, style) => Part::Cell(*var, *style),
        StatePart::Outcome => Part::Outcome,
        StatePart::Point => Part::Control,
        StatePart::Snapshot(slot) => Part::Snapshot(*slot),
    };
    parts.iter().map(part).collect()
}

fn all_parts(game: &Game, has_one_control: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |name: &str, part: Part| {
        parts.push(Part::Text(format!("{name}=")));
        parts.push(part);
        parts.push(Part::Text(String::from(";")));
    };
    for (index, var) in game.vars.iter().enumerate() {
        add(&var.name, Part::Cells(VarId::from(index)));
    }
    for (index, placement) in game.placements.iter().enumerate() {
        add(&placement.name, Part::Places(PlacementId::from(index)));
    }
    for (index, slot) in game.snapshots.iter().enumerate() {
        add(&slot.name, Part::Snapshot(SnapshotId::from(index)));
    }
    for (index, trail) in game.trails.iter().enumerate() {
        add(&trail.name, Part::Trail(TrailId::from(index)));
    }
    if !has_one_control {
        add("at", Part::Control);
    }
    parts.push(Part::Outcome);
    parts
}

/// Appends the text of a move in its position.
pub(super) fn write_move_in(state: &State, mv: Move, out: &mut String) {
    let program = &state.program;
    let (of, values) = match program.layout.unpack(mv.0) {
        Some(MoveParts::Family(family, values)) => (TextOf::Family(family), values),
        Some(MoveParts::Draw(draw, value)) => (TextOf::Draw(draw), vec![value]),
        None => return,
    };
    let Some(telling) = program.tellings.iter().find(|t| t.of == of) else {
        return program.write_move(mv, out);
    };
    let mut run = Run::new(program, Arc::clone(&state.core), Otherwise::Ignore);
    run.enter(telling.locals().max(values.len()));
    for (slot, value) in values.into_iter().enumerate() {
        run.set_local(slot, value);
    }
    write_told(program, &mut run, &telling.parts, out);
}

fn write_told<'a>(program: &Program, run: &mut Run<'a>, parts: &'a [ToldCode], out: &mut String) {
    for part in parts {
        run.fresh();
        match part {
            ToldCode::Text(text) => out.push_str(text),
            ToldCode::Value(node, ty) => match run.eval(node) {
                Ok(value) => program.put_value(&value, ty, out),
                Err(_) => out.push('?'),
            },
            ToldCode::When(node, parts) => match run.bool(node) {
                Ok(true) => write_told(program, run, parts, out),
                Ok(false) => {}
                Err(_) => out.push('?'),
            },
            ToldCode::Each(local, node, parts) => match run.eval(node) {
                Ok(Value::Set(set)) => {
                    for (place, member) in set.iter().enumerate() {
                        if place > 0 {
                            out.push(',');
                        }
                        run.set_local(*local, Value::Elem(member));
                        write_told(program, run, parts, out);
                    }
                }
                _ => out.push('?'),
            },
        }
    }
}

impl Program {
    /// The only place in the rules where play can stop, if there is only one and nothing local
    /// lives there.
    pub(super) fn only_control(&self) -> Option<Control> {
        if let Some(machine) = &self.game.machine {
            let one = machine.points.len() == 1 && machine.saved.is_empty();
            return one.then_some(Control::Point(PointId(0)));
        }
        let routine = self.game.process.index();
        let process = &self.routines[routine];
        let stops = |kind: &OpKind| matches!(kind, OpKind::Choose(_) | OpKind::Chance(_));
        let pc = process.ops.iter().position(|op| stops(&op.kind))?;
        let one = self.chooses.len() + self.chances.len() == 1;
        let frame = SavedFrame {
            routine,
            pc,
            locals: Vec::new(),
        };
        let plain = one && process.live.get(pc).is_some_and(Members::is_empty);
        plain.then(|| Control::Frames(vec![frame]))
    }

    /// Appends the text of a move.
    pub(super) fn write_move(&self, mv: Move, out: &mut String) {
        let (text, values, types) = match self.layout.unpack(mv.0) {
            Some(MoveParts::Family(family, values)) => {
                let family = self.game.family(family);
                let types: Vec<&Type> = family.params.iter().map(|param| &param.ty).collect();
                (&family.text, values, types)
            }
            Some(MoveParts::Draw(draw, value)) => {
                let draw = self.game.draw(draw);
                (&draw.text, vec![value], vec![&draw.ty])
            }
            None => return,
        };
        for part in text {
            match part {
                TextPart::Text(text) => out.push_str(text),
                TextPart::Param(index) => {
                    self.put_value(&values[*index], types[*index], out);
                }
            }
        }
    }

    /// The moves with this text.
    pub(super) fn parse_move(&self, text: &str) -> Vec<Move> {
        let mut found = Vec::new();
        for (index, family) in self.game.families.iter().enumerate() {
            let types: Vec<&Type> = family.params.iter().map(|param| &param.ty).collect();
            let mut values = vec![None; types.len()];
            self.match_text(&family.text, text, &types, &mut values, &mut |values| {
                found.extend(self.layout.pack(index.into(), values));
            });
        }
        for (index, draw) in self.game.draws.iter().enumerate() {
            let mut values = vec![None];
            self.match_text(&draw.text, text, &[&draw.ty], &mut values, &mut |values| {
                found.extend(self.layout.pack_draw(index.into(), &values[0]));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Calls `found` with the values of every way to read the text.
    fn match_text(
        &self,
        parts: &[TextPart],
        text: &str,
        types: &[&Type],
        values: &mut Vec<Option<Value>>,
        found: &mut dyn FnMut(&[Value]),
    ) {
        let Some((part, parts)) = parts.split_first() else {
            let all: Option<Vec<Value>> = values.iter().cloned().collect();
            return match all {
                Some(all) if text.is_empty() => found(&all),
                _ => {}
            };
        };
        let index = match part {
            TextPart::Text(literal) => {
                if let Some(rest) = text.strip_prefix(literal.as_str()) {
                    self.match_text(parts, rest, types, values, found);
                }
                return;
            }
            TextPart::Param(index) => *index,
        };
        let before = values[index].take();
        for (value, rest) in self.readings(text, types[index]) {
            if before.as_ref().is_none_or(|before| *before == value) {
                values[index] = Some(value);
                self.match_text(parts, rest, types, values, found);
            }
        }
        values[index] = before;
    }

    /// The values that the beginning of a text may stand for, and what is left of it.
    fn readings<'t>(&self, text: &'t str, ty: &Type) -> Vec<(Value, &'t str)> {
        match ty {
            Type::Elem(domain) => {
                let names = self.member_names(*domain).iter().enumerate();
                let read = |(member, name): (usize, &String)| {
                    let rest = text.strip_prefix(name.as_str())?;
                    Some((Value::Elem(member as u32), rest))
                };
                names.filter_map(read).collect()
            }
            _ => {
                let mut scan = Scan::new(text);
                match self.read_value(&mut scan, ty) {
                    Ok(value) => vec![(value, scan.rest())],
                    Err(_) => Vec::new(),
                }
            }
        }
    }

    /// Appends a value so that it can be read again.
    fn write_value(&self, value: &Value, ty: &Type, out: &mut String) {
        match (value, ty) {
            (Value::Tagged(tag, value), _) => {
                out.push_str(&tag_text(&self.game, *tag));
                out.push(':');
                self.put_value(value, &tag.ty(), out);
            }
            (Value::Seq(items), Type::Seq { item, .. }) => {
                out.push('[');
                for (place, value) in items.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.write_value(value, item, out);
                }
                out.push(']');
            }
            _ => self.put_value(value, ty, out),
        }
    }

    fn member_names(&self, domain: DomainId) -> &[String] {
        self.names[domain.index()].list()
    }

    fn read_member(&self, scan: &mut Scan, domain: DomainId) -> Result<u32, TextError> {
        scan.member(&self.names[domain.index()])
    }

    fn read_opt(&self, scan: &mut Scan, domain: DomainId) -> Result<Option<u32>, TextError> {
        let here = *scan;
        // Most places of a board are empty: a message is made only where it is told.
        let names = self.member_names(domain);
        if scan.rest().starts_with('-') && !names.iter().any(|name| name.starts_with('-')) {
            scan.take("-");
            return Ok(None);
        }
        if let Ok(member) = self.read_member(scan, domain) {
            return Ok(Some(member));
        }
        match scan.take("-") {
            true => Ok(None),
            false => Err(here.expected("a member or `-`")),
        }
    }

    fn read_value(&self, scan: &mut Scan, ty: &Type) -> Result<Value, TextError> {
        Ok(match ty {
            Type::Bool => match scan.take("true") {
                true => Value::Bool(true),
                false => scan.lit("false").map(|()| Value::Bool(false))?,
            },
            Type::Int { lo, hi } => Value::Int(scan.int_in(*lo, *hi)?),
            Type::Wrap32 => {
                Value::Wrap(scan.int_in(i64::from(i32::MIN), i64::from(i32::MAX))? as i32)
            }
            Type::Elem(domain) => Value::Elem(self.read_member(scan, *domain)?),
            Type::Opt(domain) => Value::Opt(self.read_opt(scan, *domain)?),
            Type::Set(domain) => {
                scan.lit("{")?;
                let mut set = Members::EMPTY;
                while !scan.take("}") {
                    if !set.is_empty() {
                        scan.lit(",")?;
                    }
                    set.insert(self.read_member(scan, *domain)?);
                }
                Value::Set(set)
            }
            Type::Seq { item, cap } => {
                scan.lit("[")?;
                let mut items = Vec::new();
                while !scan.take("]") {
                    if !items.is_empty() {
                        scan.lit(",")?;
                    }
                    items.push(self.read_value(scan, item)?);
                    if items.len() > *cap as usize {
                        return Err(scan.expected(&format!("at most {cap} items before")));
                    }
                }
                Value::Seq(Arc::new(items))
            }
            Type::Tagged => {
                let tags = self.tags();
                let names: Vec<String> = tags.iter().map(|t| tag_text(&self.game, *t)).collect();
                let tag = tags[scan.name(&names)? as usize];
                scan.lit(":")?;
                Value::Tagged(tag, Arc::new(self.read_value(scan, &tag.ty())?))
            }
        })
    }

    fn tags(&self) -> Vec<Tag> {
        let domains = (0..self.game.domains.len()).map(DomainId::from);
        let members = domains.flat_map(|domain| [Tag::Elem(domain), Tag::Opt(domain)]);
        [Tag::Bool, Tag::Int, Tag::Wrap]
            .into_iter()
            .chain(members)
            .collect()
    }
}

/// The text of a tag; domains by name.
fn tag_text(game: &Game, tag: Tag) -> String {
    match tag {
        Tag::Bool => String::from("bool"),
        Tag::Int => String::from("int"),
        Tag::Wrap => String::from("wrap"),
        Tag::Elem(domain) => format!("<{}>", game.domain(domain).name),
        Tag::Opt(domain) => format!("<{}?>", game.domain(domain).name),
    }
}

/// Writes a state.
pub(super) fn write_state(state: &State, out: &mut String) {
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

/// Reads a state.
pub(super) fn parse_state(program: &Arc<Program>, text: &str) -> Result<State, TextError> {
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
pub(super) fn stop_at(program: &Arc<Program>, core: &Arc<Core>, control: &Control) -> Stop {
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
