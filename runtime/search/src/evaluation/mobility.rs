//! Mobility: how many moves players have to choose from, each as if he were on turn.

use rulec_core::{ChoiceSet, Game, MoveList, OpenPlay};

/// By how many moves the first player has more to choose from than the second one; 0 where it is not known what the other one could do, or a
/// rule runs into a fault. `other` is room for the position in which he is on turn.
pub(crate) fn mobility<G: Game + OpenPlay>(
    game: &G,
    state: &G::State,
    other: &mut Option<G::State>,
    moves: &mut MoveList<G::Move>,
) -> i64 {
    let Some(player) = game.player(state) else {
        return 0;
    };
    match other {
        Some(other) => other.clone_from(state),
        None => *other = Some(state.clone()),
    }
    let Some(other) = other.as_mut() else {
        return 0;
    };
    if !game.hand_over(other) {
        return 0;
    }
    let mut count = |state: &G::State| game.count_moves(state, ChoiceSet::Distinct, moves);
    match (count(state), count(other)) {
        (Ok(own), Ok(others)) if player == 0 => own as i64 - others as i64,
        (Ok(own), Ok(others)) => others as i64 - own as i64,
        _ => 0,
    }
}
