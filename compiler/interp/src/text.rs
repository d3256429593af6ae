//! Texts of moves and states, out and in.
//!
//! Where a game does not say how its states are written, everything is written: variables,
//! placements, snapshots, trails, the place in the rules and the outcome. Where it does but leaves
//! out the place in the rules, and there is more than one, that is added at the end. What a text
//! does not tell has its initial value when it is read.

mod read;
mod write;

pub(super) use read::{parse_state, stop_at};
pub(super) use write::write_state;

use std::sync::Arc;

use super::layout::{Move, MoveParts};
use super::program::{OpKind, Program, ToldCode};
use super::run::{Otherwise, Run};
use super::scan::{Scan, TextError};
use super::state::{Control, SavedFrame, State};
use super::value::{Members, Tag, Value};
use crate::ir::{
    CONTROL_MARK, DomainId, Game, PlacementId, PointId, SnapshotId, StatePart, TextOf, TextPart,
    TrailId, Type, VarId, VarStyle,
};

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
        // Most families are refused by a word at either end, before anything is read.
        let fits = |parts: &[TextPart]| {
            let begins = match parts.first() {
                Some(TextPart::Text(literal)) => text.starts_with(literal.as_str()),
                _ => true,
            };
            let ends = match parts.last() {
                Some(TextPart::Text(literal)) => text.ends_with(literal.as_str()),
                _ => true,
            };
            begins && ends
        };
        let families = self.game.families.iter().enumerate();
        for (index, family) in families.filter(|(_, family)| fits(&family.text)) {
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
