//! What a position is worth by the moves from it, where tables tell of what they lead to.

use rulec_core::{ChoiceSet, Outcome};

use super::{Endgames, probe::Probe, table::Value};
use crate::AnyState;

/// Plies that are searched forward where no table tells of a position.
pub(super) const DEEPEST: u32 = 40;

/// What the moves of a position make it worth, and how many were made; positions that no table tells are searched up to `DEEPEST`.
pub(super) fn after_moves<'g>(
    tables: &Endgames,
    state: &(dyn AnyState<'g> + 'g),
    depth: u32,
    (probe, made): (&mut Probe, &mut u64),
) -> Result<Value, String> {
    let mut moves = Vec::new();
    let listed = state.moves(ChoiceSet::All, &mut moves);
    if listed.is_err() || depth > DEEPEST {
        return Err(format!("`{}` cannot be searched", state.text()));
    }
    let mover = state.player().unwrap_or(0) as u8;
    let mut best: Option<Value> = None;
    for code in moves {
        let mut next = state.fork();
        next.play(code, None);
        *made += 1;
        let value = match next.outcome() {
            Some(end) => result(end).ok_or_else(|| format!("`{}` is a fault", next.text()))?,
            None => match tables.look(&*next, probe) {
                Some(value) => value,
                None => after_moves(tables, &*next, depth + 1, (probe, made))?,
            },
        };
        let value = match value {
            Value::Win { player, plies } => Value::win(player, plies.saturating_add(1)),
            value => value,
        };
        if best.is_none_or(|best| is_better(value, best, mover)) {
            best = Some(value);
        }
    }
    best.ok_or_else(|| format!("`{}` has no moves", state.text()))
}

/// Whether a player prefers a value: a quick win, then a draw, then a late loss.
fn is_better(value: Value, than: Value, player: u8) -> bool {
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
