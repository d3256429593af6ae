//! What a symmetry makes of a position.

use std::sync::Arc;

use super::program::Program;
use super::state::{Control, Core, Outcome, Placed, SavedFrame, State};
use super::text::stop_at;
use super::value::{Members, Value};
use crate::ir::{PlacementForm, Symmetry, Type, VarId};

/// The image of a position; nothing where it cannot be said, as of positions that were noted before.
pub(super) fn of(state: &State, by: &Symmetry) -> Option<State> {
    let program = &state.program;
    let core = Arc::new(core(program, &state.core, by)?);
    let control = match state.control.as_ref() {
        Control::Frames(frames) => {
            let frames = frames.iter().map(|frame| renamed_frame(program, frame, by));
            Control::Frames(frames.collect::<Option<_>>()?)
        }
        other => other.clone(),
    };
    let stop = stop_at(program, &core, &control);
    let mut image = State::at(program, core, control, stop);
    image.outcome = state.outcome.as_deref().map(|outcome| {
        let players = program.game.players;
        let winners = outcome.winners.iter();
        Arc::new(Outcome {
            winners: winners.map(|w| by.member(players, *w)).collect(),
            ..outcome.clone()
        })
    });
    image.ended_by = state.ended_by;
    Some(image)
}

fn renamed_frame(program: &Program, frame: &SavedFrame, by: &Symmetry) -> Option<SavedFrame> {
    let types = &program.routines.get(frame.routine)?.types;
    let local =
        |(slot, value): &(usize, Value)| Some((*slot, renamed(value, types.get(*slot)?, by)?));
    Some(SavedFrame {
        locals: frame.locals.iter().map(local).collect::<Option<_>>()?,
        ..frame.clone()
    })
}

fn core(program: &Program, core: &Core, by: &Symmetry) -> Option<Core> {
    let game = &program.game;
    let noted = core.trails.iter().any(|trail| !trail.is_empty());
    if noted || core.snapshots.iter().any(Option::is_some) {
        return None;
    }
    let mut vars = Vec::with_capacity(core.vars.len());
    let mut first = 0;
    for (index, var) in game.vars.iter().enumerate() {
        let own = core.vars.get(first..first + var.init.len())?;
        first += var.init.len();
        if game.unsure.contains(&VarId::from(index)) {
            vars.push(Value::Bool(true));
            continue;
        }
        // What nothing writes is a part of the rules, and stays.
        if program.constants.contains(&index.into()) {
            vars.extend_from_slice(own);
            continue;
        }
        let from = by.sources(game, &var.axes);
        for cell in 0..own.len() {
            let at = from.get(cell).map_or(cell, |from| *from as usize);
            let value = match own.get(at)? {
                Value::Int(value) => Value::Int(by.value(game, index.into(), *value)),
                other => renamed(other, &var.ty, by)?,
            };
            vars.push(value);
        }
    }
    let placed = (game.placements.iter().enumerate().zip(&core.placed)).map(
        |((index, placement), placed)| {
            let (keys, values) = match placement.form {
                PlacementForm::Anonymous => (placement.places, placement.pieces),
                _ => (placement.pieces, placement.places),
            };
            let members = placed.members();
            let mut new = members.clone();
            for (key, value) in (0..).zip(&members) {
                let slot = new.get_mut(by.member(keys, key) as usize);
                if let Some(slot) = slot {
                    *slot = value.map(|value| by.member(values, value));
                }
            }
            Placed::of(game, index, &new)
        },
    );
    Some(Core {
        vars,
        placed: placed.collect(),
        snapshots: core.snapshots.clone(),
        trails: core.trails.clone(),
    })
}

/// A value of a type under a renaming.
fn renamed(value: &Value, ty: &Type, by: &Symmetry) -> Option<Value> {
    Some(match (value, ty) {
        (Value::Elem(member), Type::Elem(domain)) => Value::Elem(by.member(*domain, *member)),
        (Value::Opt(member), Type::Opt(domain)) => {
            Value::Opt(member.map(|member| by.member(*domain, member)))
        }
        (Value::Set(members), Type::Set(domain)) => {
            let members = members.iter().map(|member| by.member(*domain, member));
            Value::Set(members.collect::<Members>())
        }
        (Value::Seq(items), Type::Seq { item, .. }) => {
            let items = items.iter().map(|value| renamed(value, item, by));
            Value::Seq(Arc::new(items.collect::<Option<_>>()?))
        }
        (Value::Tagged(tag, value), _) => {
            let value = renamed(value, &tag.ty(), by)?;
            Value::Tagged(*tag, Arc::new(value))
        }
        (Value::Bool(_) | Value::Int(_) | Value::Wrap(_), _) => value.clone(),
        _ => return None,
    })
}
