//! What a position is worth by the moves from it, where tables tell of what they lead to.

use rulec_core::Outcome;

use super::table::Value;

/// Whether a player prefers a value: a quick win, then a draw, then a late loss.
pub(super) fn is_better(value: Value, than: Value, player: u8) -> bool {
    let worth = |value: Value| match value {
        Value::Win { player: p, plies } if p == player => 100_000 - i64::from(plies),
        Value::Win { plies, .. } => -100_000 + i64::from(plies),
        Value::Draw | Value::None => 0,
    };
    worth(value) > worth(than)
}

/// What an end is worth; nothing for a fault.
pub(super) fn result(outcome: Outcome) -> Option<Value> {
    if is_fault(outcome) {
        return None;
    }
    Some(match (outcome.payoff(0), outcome.payoff(1)) {
        (first, second) if first > second => Value::win(0, 0),
        (first, second) if first < second => Value::win(1, 0),
        _ => Value::Draw,
    })
}

pub(super) fn is_fault(outcome: Outcome) -> bool {
    matches!(outcome.reason, rulec_core::Reason::Fault(_))
}
