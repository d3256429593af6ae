//! Positions here and in the reference interpreter, which reads and writes all texts.

use rulec_interp::{Held, Interp, Outcome, Position, Reason, Value};

use crate::code::Code;
use crate::ir::{EndReason, PointId, Type};
use crate::run::{Ending, Spare, Trail, Wait, Why};

/// A scalar of a type.
pub(crate) fn scalar(ty: &Type, number: i64) -> Value {
    match ty {
        Type::Bool => Value::Bool(number != 0),
        Type::Wrap32 => Value::Wrap(number as i32),
        Type::Elem(_) => Value::Elem(number as u32),
        Type::Opt(_) => Value::Opt(u32::try_from(number).ok()),
        _ => Value::Int(number),
    }
}

/// A value of a type that lies in these words.
pub(crate) fn value(ty: &Type, words: &[i64]) -> Value {
    match ty {
        Type::Set(_) => {
            let members = (0..words.len() * 64).filter(|i| words[i / 64] >> (i % 64) & 1 == 1);
            Value::Set(members.map(|member| member as u32).collect())
        }
        Type::Seq { item, .. } => {
            let items = words[1..=words[0] as usize].iter();
            Value::Seq(std::sync::Arc::new(
                items.map(|number| scalar(item, *number)).collect(),
            ))
        }
        ty => scalar(ty, words[0]),
    }
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(b) => i64::from(*b),
        Value::Int(i) => *i,
        Value::Wrap(i) => i64::from(*i),
        Value::Elem(member) => i64::from(*member),
        Value::Opt(member) => member.map_or(-1, i64::from),
        _ => 0,
    }
}

/// Writes a value to these words.
fn put(value: &Value, words: &mut [i64]) {
    match value {
        Value::Set(set) => {
            words.fill(0);
            for member in set.iter() {
                words[member as usize / 64] |= 1 << (member % 64);
            }
        }
        Value::Seq(items) => {
            words.fill(0);
            words[0] = items.len() as i64;
            for (word, item) in words[1..].iter_mut().zip(items.iter()) {
                *word = number(item);
            }
        }
        value => words[0] = number(value),
    }
}

fn member(word: i64) -> Option<u32> {
    u32::try_from(word).ok()
}

fn cells(ty: &Type, words: &[i64], width: usize) -> Vec<Value> {
    words.chunks(width).map(|cell| value(ty, cell)).collect()
}

/// The position for the reference interpreter.
pub(crate) fn position(
    code: &Code,
    interp: &Interp,
    words: &[i64],
    trails: &[Trail],
    wait: Wait,
    over: Option<Ending>,
) -> Position {
    let vars = code.vars.iter().flat_map(|var| {
        let words = &words[var.base..var.base + var.width * var.cells];
        cells(&var.ty, words, var.width)
    });
    let placed = code.placements.iter().map(|placement| {
        let (at, len) = placement.parts().next().unwrap_or((0, 0));
        words[at..at + len]
            .iter()
            .map(|&word| member(word))
            .collect()
    });
    let snapshots = code.snapshots.iter().zip(&interp.game().snapshots);
    let snapshots = snapshots.map(|(slot, kept)| {
        (words[slot.flag] != 0).then(|| {
            let mut copies = slot.copies.iter();
            let vars = kept.vars.iter().map(|var| {
                let var = &code.vars[var.index()];
                let (_, at, len) = copies.next().copied().unwrap_or_default();
                cells(&var.ty, &words[at..at + len], var.width)
            });
            let vars = vars.collect();
            let mut placed = Vec::new();
            for &placement in &slot.placements {
                let parts = code.placements[placement].parts().count();
                for part in 0..parts {
                    let (_, at, len) = copies.next().copied().unwrap_or_default();
                    if part == 0 {
                        let members = words[at..at + len].iter();
                        placed.push(members.map(|&word| member(word)).collect());
                    }
                }
            }
            Held { vars, placed }
        })
    });
    Position {
        vars: vars.collect(),
        placed: placed.collect(),
        snapshots: snapshots.collect(),
        trails: trails
            .iter()
            .zip(&code.trails)
            .map(|(trail, form)| {
                let mut noted: Vec<_> = trail.iter(form).cloned().collect();
                noted.reverse();
                noted
            })
            .collect(),
        point: match wait {
            Wait::At(point) => Some(PointId::from(point)),
            Wait::Nowhere => None,
        },
        outcome: over.map(|over| outcome(code, over)),
    }
}

fn outcome(code: &Code, over: Ending) -> Outcome {
    let winners = (0..64).filter(|player| over.winners >> player & 1 == 1);
    Outcome {
        reason: match over.why {
            Why::Rules(EndReason::Win) => Reason::Win,
            Why::Rules(EndReason::Draw) => Reason::Draw,
            Why::Rules(EndReason::Stuck) => Reason::Stuck,
            Why::Rules(EndReason::Elimination) => Reason::Elimination,
            Why::Rules(EndReason::Limit) => Reason::Limit,
            Why::Fault(site) => Reason::Fault(fault(code, site)),
        },
        winners: winners.collect(),
    }
}

/// A fault as the reference interpreter tells it.
pub(crate) fn fault(code: &Code, site: u32) -> rulec_interp::Fault {
    let (code, span) = code.fault(site);
    rulec_interp::Fault { code, span }
}

/// What a position of the reference interpreter is here: its words (but for the sets that are kept), trails, place and end.
pub(crate) fn words(
    code: &Code,
    interp: &Interp,
    position: &Position,
) -> (Vec<i64>, Vec<Trail>, Wait, Option<Ending>) {
    let mut words = code.image[..code.position].to_vec();
    let mut values = position.vars.iter();
    for var in &code.vars {
        let cells = words[var.base..var.base + var.width * var.cells].chunks_mut(var.width);
        for (cell, value) in cells.zip(&mut values) {
            put(value, cell);
        }
    }
    for (placement, members) in code.placements.iter().zip(&position.placed) {
        place(
            placement,
            members,
            &mut words,
            placement.place_of,
            placement.content,
        );
    }
    for ((slot, kept), held) in code
        .snapshots
        .iter()
        .zip(&interp.game().snapshots)
        .zip(&position.snapshots)
    {
        let Some(held) = held else {
            words[slot.flag] = 0;
            continue;
        };
        words[slot.flag] = 1;
        let mut copies = slot.copies.iter();
        for (var, values) in kept.vars.iter().zip(&held.vars) {
            let var = &code.vars[var.index()];
            let (_, at, len) = copies.next().copied().unwrap_or_default();
            let cells = words[at..at + len].chunks_mut(var.width);
            cells.zip(values).for_each(|(cell, value)| put(value, cell));
        }
        for (&index, members) in slot.placements.iter().zip(&held.placed) {
            let placement = &code.placements[index];
            let mut next = |part: Option<usize>| part.and_then(|_| copies.next()).map(|c| c.1);
            let place_of = next(placement.place_of);
            let content = next(placement.content);
            place(placement, members, &mut words, place_of, content);
        }
    }
    let trails = position.trails.iter().zip(&code.trails);
    let trails = trails.map(|(noted, form)| {
        let (mut trail, mut words) = (Trail::default(), Vec::new());
        for bytes in noted {
            words.clear();
            form.words(bytes, &mut words);
            trail.push(&words, &mut Spare::default());
        }
        trail
    });
    let wait = match position.point {
        Some(point) => Wait::At(point.index()),
        None => Wait::Nowhere,
    };
    let over = position.outcome.as_ref().map(|outcome| over(code, outcome));
    (words, trails.collect(), wait, over)
}

fn place(
    placement: &crate::code::PlacementCode,
    members: &[Option<u32>],
    words: &mut [i64],
    place_of: Option<usize>,
    content: Option<usize>,
) {
    let number = |member: &Option<u32>| member.map_or(-1, i64::from);
    match (place_of, content) {
        (Some(place_of), content) => {
            if let Some(content) = content {
                words[content..content + placement.places].fill(-1);
            }
            for (piece, place) in members.iter().enumerate() {
                words[place_of + piece] = number(place);
                if let (Some(content), Some(place)) = (content, place) {
                    words[content + *place as usize] = piece as i64;
                }
            }
        }
        (None, Some(content)) => {
            for (place, kind) in members.iter().enumerate() {
                words[content + place] = number(kind);
            }
        }
        (None, None) => {}
    }
}

fn over(code: &Code, outcome: &Outcome) -> Ending {
    let why = match &outcome.reason {
        Reason::Win => Why::Rules(EndReason::Win),
        Reason::Draw => Why::Rules(EndReason::Draw),
        Reason::Stuck => Why::Rules(EndReason::Stuck),
        Reason::Elimination => Why::Rules(EndReason::Elimination),
        Reason::Limit => Why::Rules(EndReason::Limit),
        Reason::Fault(fault) => {
            Why::Fault(code.site_of(&fault.code, fault.span).unwrap_or(u32::MAX))
        }
    };
    let winners = outcome.winners.iter();
    Ending {
        why,
        winners: winners.fold(0, |bits, player| bits | 1 << (player & 63)),
    }
}
