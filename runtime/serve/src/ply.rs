//! Positions of a game with what led to them, and what is shown of them.

use std::sync::{Arc, OnceLock};

use rulec_core::Event;
use rulec_search::{AnyState, State};
use serde_json::{Value, json};

use crate::loaded::Loaded;
use crate::view;

/// A position and what led to it.
pub(crate) struct Ply {
    pub(crate) state: State<'static>,
    pub(crate) made: Option<Made>,
    /// What can be done, and all that is shown, as JSON: each is made once, when somebody asks for it.
    moves: OnceLock<Moves>,
    position: OnceLock<String>,
}

/// What can be done, as JSON.
pub(crate) struct Moves {
    turn: String,
    list: String,
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

impl Ply {
    /// The position that a version of a game begins with.
    pub(crate) fn first(loaded: &Loaded) -> Arc<Ply> {
        ply(loaded.start.fork(), None)
    }

    pub(crate) fn moves(&self, loaded: &Loaded) -> &Moves {
        self.moves.get_or_init(|| Moves {
            turn: view::turn_json(self.state.turn()).to_string(),
            list: view::moves(loaded, &*self.state).to_string(),
        })
    }

    /// All that is shown of the position.
    pub(crate) fn position(&self, loaded: &Loaded) -> &str {
        self.position.get_or_init(|| {
            let rest = view::position(loaded, &*self.state).to_string();
            let moves = &self.moves(loaded).list;
            format!("{{\"moves\":{moves},{}", rest.get(1..).unwrap_or_default())
        })
    }
}

/// A request for what can be done.
pub(crate) struct Asked {
    /// The position; nothing where moves are hidden.
    pub(crate) ply: Option<Arc<Ply>>,
    pub(crate) version: u64,
}

impl Asked {
    /// The answer, if the moves of the position are known.
    pub(crate) fn answer(&self) -> Option<String> {
        let version = self.version;
        let Some(ply) = &self.ply else {
            return Some(json!({ "version": version, "complete": false, "list": [] }).to_string());
        };
        let Moves { turn, list } = ply.moves.get()?;
        let list = list.get(1..).unwrap_or_default();
        Some(format!("{{\"version\":{version},\"turn\":{turn},{list}"))
    }
}

/// What happened, as lines for people.
pub(crate) fn log_of(state: &(dyn AnyState<'static> + 'static), events: &[Event]) -> Vec<String> {
    let info = state.info();
    let name = |names: &[&'static str], index: u32| names.get(index as usize).map_or("?", |n| *n);
    let mut lines = Vec::new();
    for event in events {
        match event {
            Event::Removed { piece, at } => {
                lines.push(format!(
                    "{} leaves {}",
                    name(info.pieces, *piece),
                    name(info.places, *at)
                ));
            }
            Event::Scored { player, points } => {
                let who = info.players.get(*player as usize).map_or("?", |n| *n);
                lines.push(format!("{who} {points:+}"));
            }
            Event::Log(line) => lines.push(line.clone()),
            _ => {}
        }
    }
    lines.truncate(40);
    lines
}
