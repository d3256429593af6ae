//! Trials: writes that may be given back.

use std::sync::Arc;

use super::run::Run;
use super::state::{Core, Placed, Saved, Trail};
use super::value::Value;
use crate::ir::LocalId;

/// What a trial gives back when it fails or is dropped.
pub(super) struct Trial {
    /// Length of the list of what gives back writes.
    undo: usize,
    /// The local variables of the innermost frame: no other ones change before the trial ends.
    locals: Vec<Option<Value>>,
    frames: usize,
    depth: u32,
    events: usize,
    keep: bool,
    ok: LocalId,
    exit: usize,
}

/// Something that was written in a trial, as it was before.
pub(super) enum Undo {
    Var(usize, Value),
    Env(usize, Option<Value>),
    /// The place of a piece.
    Place(usize, u32, Option<u32>),
    /// What stood on a place.
    Content(usize, u32, Option<u32>),
    Placed(usize, Placed),
    Snapshot(usize, Option<Arc<Saved>>),
    Trail(usize, Trail),
}

impl Run<'_> {
    /// Keeps what a write replaced, if there is a trial that may have to give it back.
    pub(super) fn note_undo(&mut self, undo: impl FnOnce(&Core) -> Undo) {
        if !self.trials.is_empty() {
            self.undo.push(undo(&self.core));
        }
    }

    pub(super) fn start_trial(&mut self, keep: bool, ok: LocalId, exit: usize) {
        self.trials.push(Trial {
            undo: self.undo.len(),
            locals: self.locals[self.base..].to_vec(),
            frames: self.frames.len(),
            depth: self.depth,
            events: self.events.as_ref().map_or(0, Vec::len),
            keep,
            ok,
            exit,
        });
    }

    pub(super) fn end_trial(&mut self, ok: LocalId, value: Option<(LocalId, Value)>) {
        if let Some(trial) = self.trials.pop() {
            match trial.keep {
                false => self.drop_writes(trial),
                true if self.trials.is_empty() => self.undo.clear(),
                true => {}
            }
        }
        self.set_local(ok.index(), Value::Bool(true));
        if let Some((local, value)) = value {
            self.set_local(local.index(), value);
        }
    }

    fn drop_writes(&mut self, trial: Trial) {
        self.give_back_to(trial.undo);
        self.depth = trial.depth;
        self.frames.truncate(trial.frames);
        self.base = self.frames.last().map_or(0, |frame| frame.base);
        self.locals.truncate(self.base);
        self.locals.extend(trial.locals);
        if let Some(events) = &mut self.events {
            events.truncate(trial.events);
        }
    }

    /// Undoes writes, the latest first, until so many are left.
    pub(super) fn give_back_to(&mut self, left: usize) {
        while self.undo.len() > left
            && let Some(undo) = self.undo.pop()
        {
            if let Undo::Env(index, value) = undo {
                self.env[index] = value;
                continue;
            }
            let core = self.core_mut();
            match undo {
                Undo::Env(..) => {}
                Undo::Var(cell, value) => core.vars[cell] = value,
                Undo::Place(index, piece, Some(place)) => core.placed[index].put(piece, place),
                Undo::Place(index, piece, None) => core.placed[index].take(piece),
                Undo::Content(index, place, kind) => core.placed[index].set_content(place, kind),
                Undo::Placed(index, placed) => core.placed[index] = placed,
                Undo::Snapshot(index, saved) => core.snapshots[index] = saved,
                Undo::Trail(index, trail) => core.trails[index] = trail,
            }
        }
    }

    /// The innermost trial fails: its frame goes on behind it.
    pub(super) fn fail_trial(&mut self) {
        let Some(trial) = self.trials.pop() else {
            return;
        };
        let (ok, exit) = (trial.ok, trial.exit);
        self.drop_writes(trial);
        self.set_local(ok.index(), Value::Bool(false));
        self.note_pc(exit);
    }
}
