//! What is shown of positions of a game.

use std::sync::Arc;

use rulec_core::Event;
use rulec_search::AnyState;
use serde_json::json;

use crate::loaded::Loaded;
use crate::played::{Moves, Ply};
use crate::view;

impl Ply {
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
    let info = state.about();
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
