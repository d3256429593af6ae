//! States, moves and results as JSON.

use rulec_core::{Fault, GameInfo, Outcome, Reason, Turn, bits::bits64};
use serde_json::{Map, Value, json};

use crate::AnyState;

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
    let family = state.about().families.get(family).map_or("", |f| f.name);
    json!({ "text": state.move_text(code), "family": family, "args": args })
}
