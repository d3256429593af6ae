//! Where the cases are, the stated source of random numbers, and the words for errors.

use std::path::{Path, PathBuf};

use rulec_compiler::ir::VarId;
use rulec_interp::{Interp, Reason, State, Turn, Value};
use serde_json::Value as Json;

/// The files of a folder with an ending, by name.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut all: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    all.sort();
    assert!(!all.is_empty(), "there is no case in {}", folder.display());
    all
}

/// The numbers that the recorded games were played with.
pub(crate) struct Lcg(u32);

impl Lcg {
    pub(crate) fn new(seed: u64) -> Lcg {
        Lcg((seed as u32).wrapping_mul(2_654_435_769))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * n as u64) >> 32) as usize
    }
}

/// How a game ended, in the words of the cases.
pub(crate) fn status(game: &Interp, state: &State) -> (String, Option<u32>) {
    match game.outcome(state) {
        None => ("running".to_owned(), None),
        Some(outcome) => match outcome.reason {
            Reason::Win => ("finished".to_owned(), outcome.winners.first().copied()),
            Reason::Limit => ("max_steps".to_owned(), None),
            Reason::Fault(fault) => {
                let message = fault.code.message().to_owned();
                let code = message.split(':').next().unwrap_or_default();
                (code.to_owned(), None)
            }
            other => (other.word().to_owned(), None),
        },
    }
}

/// The next move by the stated numbers; none if the game is over.
pub(crate) fn drawn(game: &Interp, state: &State, numbers: &mut Lcg) -> Option<rulec_interp::Move> {
    match game.turn(state) {
        Turn::Over => None,
        Turn::Chance => {
            let results = game.chance_outcomes(state);
            Some(results[numbers.below(results.len())].0)
        }
        Turn::Decide(_) => {
            let mut moves = game.legal_moves(state).expect("no fault").to_vec();
            moves.sort_by_key(|mv| mv.code());
            Some(moves[numbers.below(moves.len())])
        }
    }
}

/// The variable with a name.
pub(crate) fn variable(game: &Interp, name: &str) -> Option<VarId> {
    let vars = &game.game().vars;
    vars.iter()
        .position(|var| var.name == name)
        .map(VarId::from)
}

/// An integer or truth value of the state, as JSON.
pub(crate) fn value(game: &Interp, state: &State, name: &str, cell: usize) -> Option<Json> {
    match game.var(state, variable(game, name)?, cell)? {
        Value::Int(value) => Some(Json::from(value)),
        Value::Bool(value) => Some(Json::from(value)),
        Value::Elem(member) => Some(Json::from(member)),
        _ => None,
    }
}

pub(crate) fn number(game: &Interp, state: &State, name: &str, cell: usize) -> i64 {
    let value = value(game, state, name, cell).unwrap_or_else(|| panic!("no variable `{name}`"));
    value.as_i64().expect("an integer")
}

/// Simulated seconds.
pub(crate) fn seconds(game: &Interp, state: &State) -> f64 {
    let per = game.game().meters[0].per;
    number(game, state, "time", 0) as f64 / per as f64
}
