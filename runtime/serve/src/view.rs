//! Positions as JSON.

use std::collections::BTreeMap;

use rulec_core::{ChoiceSet, Event, Turn, Wish};
use rulec_render::{Length, Position, Style};
use rulec_search::{AnyState, view};
use serde_json::{Value, json};

use crate::loaded::Loaded;

/// The most moves that are listed one by one; of more, one of each class that the rules call equal.
const MOST_MOVES: usize = 3000;
/// The most steps of a move that are told.
const MOST_STEPS: usize = 200;

/// Everything that a page shows of a position, but for what can be done in it.
pub(crate) fn position(loaded: &Loaded, state: &(dyn AnyState<'static> + 'static)) -> Value {
    let info = state.about();
    let (turn, text, observed) = (state.turn(), state.text(), state.appearance());
    let position = Position::new(&loaded.look, info, turn, &text, &observed);
    let style = Style {
        files: &loaded.files,
        address: Some("/picture/"),
        marked: true,
        whole: false,
    };
    let outcome = (turn == Turn::Over).then(|| state.outcome());
    let threatened = threatened(loaded, state, &position);
    json!({
        "threatened": threatened.map(|(domain, member)| format!("{domain}.{member}")),
        "svg": rulec_render::svg(&position, &style),
        "text": text,
        "turn": turn_json(turn),
        "drawing": position.drawing().map(|player| player + 1),
        "turn_text": view::turn_text(info, turn),
        "outcome": outcome.map(|outcome| view::outcome_json(info, outcome, &state.scores())),
        "outcome_text": outcome.flatten().map(|outcome| outcome.text(info)),
        "scores": state.scores(),
        "host_moves": state.host_moves().iter().map(|&code| state.move_text(code)).collect::<Vec<_>>(),
    })
}

/// The place where something of the one to move is threatened, as far as the engine knows reasons: in chess, check.
fn threatened(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    position: &Position<'_>,
) -> Option<(u32, u32)> {
    if !loaded.explains || !matches!(state.turn(), Turn::Decide(_)) {
        return None;
    }
    let elsewhere = || (loaded.reasons.as_ref()?.tell)(&state.text(), Wish::Staying);
    let refusal = state.explain(Wish::Staying).or_else(elsewhere)?;
    crate::reason::threatened(position, &refusal)
}

/// The sign behind the name of a move of chess, from the position after it: `#`, `+` or nothing.
pub(crate) fn sign(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    mover: usize,
) -> &'static str {
    if !loaded.look.is_chess() {
        return "";
    }
    if state.turn() == Turn::Over {
        let winner = state.outcome().and_then(|outcome| outcome.winner());
        return if winner == Some(mover) { "#" } else { "" };
    }
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    match threatened(loaded, state, &position) {
        Some(_) => "+",
        None => "",
    }
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

/// The number of the player whom the draw is for that is due, from 1; 0 where nobody is known.
pub(crate) fn drawing(loaded: &Loaded, state: &(dyn AnyState<'static> + 'static)) -> usize {
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    position.drawing().map_or(0, |player| player + 1)
}

/// What can be done: moves with the things that they name and where these are; results of a draw with their chances.
pub(crate) fn moves(loaded: &Loaded, state: &(dyn AnyState<'static> + 'static)) -> Value {
    if state.turn() == Turn::Chance {
        let results = state.results();
        let list = results.iter().map(|&(code, weight)| {
            json!({ "text": state.move_text(code), "name": state.move_text(code), "code": code.to_string(), "weight": weight, "spots": [], "things": [] })
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
    let info = state.about();
    let observed = state.appearance();
    let position = Position::new(&loaded.look, info, state.turn(), "", &observed);
    let several = info.several_at_once;
    let called = names(&position, state, &all);
    let list = all.into_iter().zip(called).map(|(code, called)| {
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
            "name": called,
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

/// What moves of a position are called. Moves that differ are called the same only where the rules call them equal.
pub(crate) fn names(
    position: &Position<'_>,
    state: &dyn AnyState<'_>,
    moves: &[u64],
) -> Vec<String> {
    let name = |code: u64, length: Length| {
        let (family, args) = state.move_args(code);
        rulec_render::move_name(position, family, &args, &state.move_text(code), length)
    };
    let short: Vec<String> = moves
        .iter()
        .map(|&code| name(code, Length::Short))
        .collect();
    let mut counts = BTreeMap::<&str, usize>::new();
    for name in &short {
        *counts.entry(name).or_default() += 1;
    }
    let long = moves
        .iter()
        .zip(&short)
        .map(|(&code, short)| match counts[short.as_str()] {
            1 => short.clone(),
            _ => name(code, Length::Long),
        });
    long.collect()
}

/// The same with the squares that pieces come from, whether that is needed or not.
pub(crate) fn long_names(
    position: &Position<'_>,
    state: &dyn AnyState<'_>,
    moves: &[u64],
) -> Vec<String> {
    let name = |&code: &u64| {
        let (family, args) = state.move_args(code);
        rulec_render::move_name(
            position,
            family,
            &args,
            &state.move_text(code),
            Length::Long,
        )
    };
    moves.iter().map(name).collect()
}

/// What a move of a position is called.
pub(crate) fn name_of(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    code: u64,
) -> String {
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    if state.turn() == Turn::Chance {
        return state.move_text(code);
    }
    let (family, args) = state.move_args(code);
    let text = state.move_text(code);
    let short = rulec_render::move_name(&position, family, &args, &text, Length::Short);
    let alike = |other: &u64| {
        let (family, args) = state.move_args(*other);
        let text = state.move_text(*other);
        rulec_render::move_name(&position, family, &args, &text, Length::Short) == short
    };
    let others = view::options(state, ChoiceSet::Distinct).unwrap_or_default();
    match others.iter().filter(|&other| alike(other)).nth(1) {
        None => short,
        Some(_) => rulec_render::move_name(&position, family, &args, &text, Length::Long),
    }
}

/// The places that a move or the result of a draw names, each once, as the picture of the position has them.
pub(crate) fn spots(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    code: u64,
) -> Vec<String> {
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    let (family, args) = state.move_args(code);
    let mut spots: Vec<String> = Vec::new();
    for thing in loaded.look.named_by(family, &args) {
        if let Some((domain, member)) = position.spot(thing) {
            let spot = format!("{domain}.{member}");
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
    }
    spots
}

/// What a move does on the board, for marks and animation: from where and to where something goes, and where something that
/// stays changes, by places as the picture of the position after it has them.
pub(crate) fn steps(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    events: &[Event],
) -> Vec<Value> {
    let observed = state.appearance();
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    let stands = |piece: u32| {
        let (domain, member) = position.spot(loaded.look.piece(piece)?)?;
        Some(format!("{domain}.{member}"))
    };
    let place = |at: u32| {
        let (domain, member) = loaded.look.place(at)?;
        Some(format!("{domain}.{member}"))
    };
    let step = |event: &Event| match *event {
        Event::Moved { from, to, .. } => Some(json!({ "from": place(from), "to": place(to) })),
        Event::Placed { at, .. } => Some(json!({ "to": place(at) })),
        Event::Removed { at, .. } => Some(json!({ "from": place(at) })),
        Event::StateChanged { piece, .. } => Some(json!({ "turned": stands(piece)? })),
        _ => None,
    };
    events.iter().filter_map(step).take(MOST_STEPS).collect()
}
