//! Positions as JSON.

use rulec_core::{ChoiceSet, Turn};
use rulec_render::{Position, Style};
use rulec_search::{AnyState, view};
use serde_json::{Value, json};

use crate::loaded::Loaded;

/// The most moves that are listed one by one; of more, one of each class that the rules call equal.
const MOST_MOVES: usize = 3000;

/// Everything that a page shows of a position, but for what can be done in it.
pub(crate) fn position(loaded: &Loaded, state: &(dyn AnyState<'static> + 'static)) -> Value {
    let info = state.info();
    let (turn, text, observed) = (state.turn(), state.text(), state.appearance());
    let position = Position::new(&loaded.look, info, turn, &text, &observed);
    let style = Style {
        files: &loaded.files,
        address: Some("/picture/"),
        marked: true,
    };
    let outcome = (turn == Turn::Over).then(|| state.outcome());
    json!({
        "svg": rulec_render::svg(&position, &style),
        "text": text,
        "turn": turn_json(turn),
        "turn_text": view::turn_text(info, turn),
        "outcome": outcome.map(|outcome| view::outcome_json(info, outcome, &state.scores())),
        "outcome_text": outcome.flatten().map(|outcome| outcome.text(info)),
        "scores": state.scores(),
        "host_moves": state.host_moves().iter().map(|&code| state.move_text(code)).collect::<Vec<_>>(),
    })
}

/// Who acts: `{"kind": "decide", "players": [1]}`, `{"kind": "chance"}` or `{"kind": "over"}`.
pub(crate) fn turn_json(turn: Turn) -> Value {
    match turn {
        Turn::Over => json!({ "kind": "over", "players": [] }),
        Turn::Chance => json!({ "kind": "chance", "players": [] }),
        Turn::Decide(players) => {
            let players: Vec<u32> = (0..64)
                .filter(|p| players >> p & 1 == 1)
                .map(|p| p + 1)
                .collect();
            json!({ "kind": "decide", "players": players })
        }
    }
}

/// What can be done: moves with the things that they name and where these are; results of a draw with their chances.
pub(crate) fn moves(loaded: &Loaded, state: &(dyn AnyState<'static> + 'static)) -> Value {
    if state.turn() == Turn::Chance {
        let results = state.results();
        let list = results.iter().map(|&(code, weight)| {
            json!({ "text": state.move_text(code), "code": code.to_string(), "weight": weight, "spots": [], "things": [] })
        });
        return json!({ "complete": true, "list": list.collect::<Vec<_>>() });
    }
    let distinct = view::options(state, ChoiceSet::Distinct).unwrap_or_default();
    let mut all = Vec::new();
    if matches!(state.turn(), Turn::Decide(_)) {
        // A fault shows as the outcome of the position.
        let _ = state.moves(ChoiceSet::All, &mut all);
    }
    let complete = all.len() <= MOST_MOVES;
    if !complete {
        all = distinct.clone();
        all.truncate(MOST_MOVES);
    }
    let firsts: std::collections::BTreeSet<u64> = distinct.into_iter().collect();
    let info = state.info();
    let observed = state.appearance();
    let position = Position::new(&loaded.look, info, state.turn(), "", &observed);
    let several = info.several_at_once;
    let list = all.into_iter().map(|code| {
        let (family, args) = state.move_args(code);
        let named = loaded.look.named_by(family, &args);
        let mut spots: Vec<String> = Vec::new();
        let mut things: Vec<String> = Vec::new();
        for thing in named {
            let Some((domain, member)) = position.spot(thing) else {
                continue;
            };
            let spot = format!("{domain}.{member}");
            let thing = format!("{}.{}", thing.0, thing.1);
            if thing != spot {
                things.push(thing);
            }
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
        let mut value = json!({
            "text": state.move_text(code),
            "code": code.to_string(),
            "family": info.families.get(family).map_or("", |f| f.name),
            "spots": spots,
            "things": things,
            "first": firsts.contains(&code),
        });
        if several {
            value["player"] = (state.mover(code) + 1).into();
        }
        value
    });
    json!({ "complete": complete, "list": list.collect::<Vec<_>>() })
}
