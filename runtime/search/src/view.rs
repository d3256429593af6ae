//! States, moves and results as JSON and as words.

use rulec_core::{ChoiceSet, Fault, GameInfo, Outcome, Reason, Turn, bits::bits64};
use serde_json::{Map, Value, json};

use crate::AnyState;

/// The moves that what merges positions exactly must follow: one of each class where classes are shown to be exact, else all.
pub fn exact_moves(info: &GameInfo) -> ChoiceSet {
    match info.exact_classes {
        true => ChoiceSet::Distinct,
        false => ChoiceSet::All,
    }
}

/// Whether it is shown that positions that are equal under an identity have equal futures.
pub fn is_exact(info: &GameInfo, identity: usize) -> bool {
    identity == info.future || identity == 0 && info.exact_equality
}

/// Who acts: the number of the player from 1 (several where several may), `chance`, or null.
pub fn turn_json(turn: Turn) -> Value {
    match turn {
        Turn::Over => Value::Null,
        Turn::Chance => "chance".into(),
        Turn::Decide(players) => {
            let mut numbers: Vec<usize> = bits64(players).map(|p| p + 1).collect();
            match numbers.len() {
                1 => numbers.remove(0).into(),
                _ => numbers.into(),
            }
        }
    }
}

/// Who acts, for people.
pub fn turn_text(info: &GameInfo, turn: Turn) -> String {
    match turn {
        Turn::Over => "the game is over".to_owned(),
        Turn::Chance => "chance".to_owned(),
        Turn::Decide(players) => {
            let names: Vec<String> = bits64(players).map(|p| player_text(info, p)).collect();
            names.join(" or ")
        }
    }
}

/// The name of a player; its number too where the name does not say it.
pub fn player_text(info: &GameInfo, player: usize) -> String {
    match info.players.get(player) {
        Some(name) if name.ends_with(&(player + 1).to_string()) => (*name).to_owned(),
        Some(name) => format!("{name} (player {})", player + 1),
        None => format!("player {}", player + 1),
    }
}

/// A result: `{"reason", "winner", "scores"}`, `"winners"` where there are several, and `"fault"` where there is one.
///
/// `None` is a game that was stopped at a limit.
pub fn outcome_json(info: &GameInfo, outcome: Option<Outcome>, scores: &[i64]) -> Value {
    let outcome = outcome.unwrap_or(Outcome::nobody(Reason::Limit));
    let winner = match (outcome.winner(), outcome.reason) {
        (Some(winner), _) => (winner + 1).into(),
        (None, Reason::Draw) if outcome.winners == 0 => 0.into(),
        _ => Value::Null,
    };
    let mut object = Map::new();
    object.insert("reason".to_owned(), outcome.reason.word().into());
    object.insert("winner".to_owned(), winner);
    if outcome.winners.count_ones() > 1 {
        let winners: Vec<usize> = bits64(outcome.winners).map(|p| p + 1).collect();
        object.insert("winners".to_owned(), winners.into());
    }
    object.insert("scores".to_owned(), scores.into());
    if let Reason::Fault(fault) = outcome.reason {
        object.insert("fault".to_owned(), fault_json(info, fault));
    }
    Value::Object(object)
}

/// A fault: its site in the rules, or only its number where the game does not know it.
pub fn fault_json(info: &GameInfo, fault: Fault) -> Value {
    match info.faults.get(usize::from(fault.site)) {
        Some(site) => json!({
            "site": fault.site,
            "code": site.code,
            "message": site.message,
            "origin": site.origin,
        }),
        None => json!({ "site": fault.site }),
    }
}

/// A move: `{"text", "family", "args"}`.
pub fn move_json<'g>(state: &(dyn AnyState<'g> + 'g), code: u64) -> Value {
    let (family, args) = state.move_args(code);
    let family = state.info().families.get(family).map_or("", |f| f.name);
    json!({ "text": state.move_text(code), "family": family, "args": args })
}

/// The moves that can be made: legal ones, or the results of a draw.
///
/// # Errors
/// The fault that a rule ran into.
pub fn options<'g>(state: &(dyn AnyState<'g> + 'g), choices: ChoiceSet) -> Result<Vec<u64>, Fault> {
    let mut moves = Vec::new();
    match state.turn() {
        Turn::Over => {}
        Turn::Chance => moves.extend(state.results().iter().map(|&(code, _)| code)),
        Turn::Decide(_) => state.moves(choices, &mut moves)?,
    }
    Ok(moves)
}
