//! Positions of a game with what led to them.

use std::sync::{Arc, OnceLock};

use rulec_search::State;
use serde_json::Value;

/// A position and what led to it.
pub(crate) struct Ply {
    pub(crate) state: State<'static>,
    pub(crate) made: Option<Made>,
    /// What can be done, and all that is shown, as JSON: each is made once, when somebody asks for it.
    pub(crate) moves: OnceLock<Moves>,
    pub(crate) position: OnceLock<String>,
}

/// What can be done, as JSON.
pub(crate) struct Moves {
    pub(crate) turn: String,
    pub(crate) list: String,
}

/// What led to a position.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) text: String,
    /// The number of the move.
    pub(crate) code: u64,
    /// `player`, `bot` or `chance`.
    pub(crate) by: &'static str,
    /// The number of the player from 1; 0 for chance.
    pub(crate) player: usize,
    /// The player whom a draw was for, from 1; 0 where nobody is known.
    pub(crate) drawing: usize,
    pub(crate) log: Vec<String>,
    /// What it is called by files and ranks, and what it moved on the board.
    pub(crate) name: String,
    pub(crate) steps: Vec<Value>,
    /// The places that it names.
    pub(crate) spots: Vec<String>,
    /// What a bot thought.
    pub(crate) thought: Value,
}

pub(crate) fn ply(state: State<'static>, made: Option<Made>) -> Arc<Ply> {
    Arc::new(Ply {
        state,
        made,
        moves: OnceLock::new(),
        position: OnceLock::new(),
    })
}

pub(crate) fn made(code: u64, text: String, by: &'static str, player: usize) -> Made {
    Made {
        text,
        code,
        by,
        player,
        drawing: 0,
        log: Vec::new(),
        name: String::new(),
        steps: Vec::new(),
        spots: Vec::new(),
        thought: Value::Null,
    }
}
