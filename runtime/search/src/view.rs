//! States, moves and results as words, and with the feature `programs` as JSON.

#[cfg(feature = "programs")]
mod json;

use rulec_core::{ChoiceSet, Fault, GameInfo, Turn, bits::bits64};

#[cfg(feature = "programs")]
pub use json::{fault_json, move_json, outcome_json, turn_json};

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
