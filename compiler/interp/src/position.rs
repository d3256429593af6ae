//! The parts of a state, so that another engine can run what this one reads, writes and explains.

use std::sync::Arc;

use super::program::Program;
use super::state::{Control, Core, Outcome, Placed, Saved, State, Stop};
use super::text::stop_at;
use super::value::Value;
use crate::ir::PointId;

/// The parts of a state of a game whose rules are a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The values of all variables, those of one variable next to each other.
    pub vars: Vec<Value>,
    /// For each placement the place of each piece, or the kind on each place where pieces have no identity.
    pub placed: Vec<Vec<Option<u32>>>,
    /// What each snapshot slot keeps.
    pub snapshots: Vec<Option<Held>>,
    /// For each trail the positions noted so far: what [`super::Interp::identity`] writes of their terms.
    pub trails: Vec<Vec<Arc<[u8]>>>,
    /// Where play waits; nothing where the rules ended the game.
    pub point: Option<PointId>,
    /// How the game ended, if it did other than by nobody being able to move.
    pub outcome: Option<Outcome>,
}

/// What a snapshot slot keeps, in the order in which the game lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The values of each variable.
    pub vars: Vec<Vec<Value>>,
    /// As [`Position::placed`].
    pub placed: Vec<Vec<Option<u32>>>,
}

pub(super) fn take_apart(state: &State) -> Position {
    let core = &state.core;
    let members = |placed: &[Placed]| placed.iter().map(Placed::members).collect();
    let held = |saved: &Arc<Saved>| Held {
        vars: saved.vars.clone(),
        placed: members(&saved.placed),
    };
    Position {
        vars: core.vars.clone(),
        placed: members(&core.placed),
        snapshots: core
            .snapshots
            .iter()
            .map(|slot| slot.as_ref().map(held))
            .collect(),
        trails: core.trails.iter().map(|trail| trail.to_vec()).collect(),
        point: match state.control.as_ref() {
            Control::Point(point) => Some(*point),
            Control::Frames(_) | Control::Nowhere => None,
        },
        outcome: state.outcome.as_deref().cloned(),
    }
}

pub(super) fn put_together(program: &Arc<Program>, position: Position) -> State {
    let game = &program.game;
    let saved = |(index, held): (usize, Option<Held>)| {
        let placements = &game.snapshots[index].placements;
        held.map(|held| {
            let placed = placements.iter().zip(&held.placed);
            let placed = placed.map(|(id, members)| Placed::of(game, id.index(), members));
            Arc::new(Saved {
                placed: placed.collect(),
                vars: held.vars,
            })
        })
    };
    let placed = position.placed.iter().enumerate();
    let core = Arc::new(Core {
        vars: position.vars,
        placed: placed
            .map(|(index, members)| Placed::of(game, index, members))
            .collect(),
        snapshots: position
            .snapshots
            .into_iter()
            .enumerate()
            .map(saved)
            .collect(),
        trails: position.trails.into_iter().map(Arc::new).collect(),
    });
    let control = match position.point {
        Some(point) => Control::Point(point),
        None => Control::Nowhere,
    };
    let stop = stop_at(program, &core, &control);
    let mut state = State::at(program, core, control, stop);
    state.outcome = match (position.outcome, state.stop.as_ref()) {
        (None, Stop::Broken(fault)) => Some(Arc::new(Outcome::fault(fault.clone()))),
        (outcome, _) => outcome.map(Arc::new),
    };
    state
}
