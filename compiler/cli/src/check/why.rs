//! What stops the rules by which nothing was ever legal: the first condition that no candidate passes. And what kept ends of
//! the game from coming.
//!
//! More random games are played by the rules as they are written, and in some of their positions every candidate is tried that
//! the search for moves would try. Of all candidates the one that comes farthest tells. For ends some moves of these positions
//! are played, while the conditions before ends are watched.

use std::collections::BTreeMap;

use rulec_compiler::ir::{FamilyId, Game};
use rulec_compiler::source::Span;
use rulec_core::{ChanceList, Game as _};
use rulec_interp::{Barrier, Ends, Gate, Move, State, Turn};

use super::walk::{self, Amount};
use crate::interpreted::InterpretedGame;

/// Games that are played for it, what they may cost, and what looking may cost, in steps of the interpreter.
const GAMES: u64 = 40;
const WORK: u64 = 1_000_000;
const LOOKS: u64 = 3_000_000;
/// What watching ends may cost, and moves of a position that are played for it at most.
const WATCH: u64 = 1_000_000;
const MOVES: usize = 6;
/// Positions that are looked at, at most.
const POSITIONS: u64 = 300;
/// Moves after which fewer positions of a game are looked at.
const DENSE: u32 = 16;

/// What stops rules.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    /// For rules by which nothing was ever legal.
    pub(super) of_rules: BTreeMap<usize, Barrier>,
    /// For players who were to move and never had a legal move: what stops each rule when it is their turn, the one that
    /// comes farthest first.
    pub(super) of_players: BTreeMap<u32, Vec<Barrier>>,
    /// Positions that were looked at, of all and of those of each player.
    pub(super) positions: u64,
    pub(super) by_player: BTreeMap<u32, u64>,
}

/// What stops these rules at any time, and all rules when it is the turn of these players.
pub(super) fn barriers(lowered: &Game, seed: u64, rules: &[usize], players: &[u32]) -> Barriers {
    let mut found = Barriers::default();
    let game = match InterpretedGame::new(lowered.clone()) {
        Ok(game) if !(rules.is_empty() && players.is_empty()) => game,
        _ => return found,
    };
    let interp = game.interp();
    let mut stopped: BTreeMap<(u32, usize), Barrier> = BTreeMap::new();
    let mut spent = 0;
    let mut look = |state: &_, length: u32| {
        let Turn::Decide(on_turn) = interp.turn(state) else {
            return;
        };
        let sparse = !length.is_multiple_of(1 + length / DENSE);
        let idle: Vec<u32> = (on_turn.into_iter())
            .filter(|player| players.contains(player))
            .collect();
        let wanted = !idle.is_empty() || !(sparse || rules.is_empty());
        if !wanted || spent > LOOKS || found.positions >= POSITIONS {
            return;
        }
        let before = interp.steps();
        found.positions += 1;
        let mut explainer = interp.explainer(state);
        for family in 0..lowered.families.len() {
            let asked = rules.contains(&family);
            if !asked && idle.is_empty() {
                continue;
            }
            let Some(barrier) = explainer.barrier(FamilyId::from(family)) else {
                continue;
            };
            for player in &idle {
                let known = stopped.entry((*player, family));
                farther(known.or_insert_with(|| barrier.clone()), &barrier);
            }
            if asked {
                let known = found.of_rules.entry(family);
                farther(known.or_insert_with(|| barrier.clone()), &barrier);
            }
        }
        for player in idle {
            *found.by_player.entry(player).or_default() += 1;
        }
        spent += interp.steps() - before;
    };
    let amount = Amount::Quick {
        games: GAMES,
        work: WORK,
    };
    walk::play_looking(&game, seed, amount, &|_| true, &mut look);
    for ((player, _), barrier) in stopped {
        found.of_players.entry(player).or_default().push(barrier);
    }
    for list in found.of_players.values_mut() {
        list.sort_by_key(|barrier| (!barrier.written, std::cmp::Reverse(barrier.progress)));
    }
    found
}

/// What kept the ends of a game from coming, by their places; nothing of those that nothing led to.
pub(super) fn gates(lowered: &Game, seed: u64) -> BTreeMap<Span, Gate> {
    let Ok(game) = InterpretedGame::new(lowered.clone()) else {
        return BTreeMap::new();
    };
    let interp = game.interp();
    let mut ends = interp.ends();
    let mut spent = 0;
    let mut look = |state: &State, length: u32| {
        if spent <= WATCH {
            let before = interp.steps();
            try_moves(&game, state, length as usize, &mut ends);
            spent += interp.steps() - before;
        }
    };
    let amount = Amount::Quick {
        games: GAMES,
        work: WORK,
    };
    walk::play_looking(&game, seed, amount, &|_| true, &mut look);
    let gates = ends.gates().into_iter();
    gates.map(|gate| (gate.end, gate)).collect()
}

/// Plays some of the moves of a position, other ones at other lengths of the game.
fn try_moves(game: &InterpretedGame, state: &State, length: usize, ends: &mut Ends) {
    let interp = game.interp();
    let moves: Vec<Move> = match interp.turn(state) {
        Turn::Decide(_) => interp.legal_moves(state).unwrap_or(&[]).to_vec(),
        Turn::Chance => {
            let mut results = ChanceList::default();
            game.chance_outcomes(state, &mut results);
            results.iter().map(|(result, _)| *result).collect()
        }
        Turn::Over => Vec::new(),
    };
    let stride = 1 + moves.len() / MOVES;
    for mv in moves.into_iter().skip(length % stride).step_by(stride) {
        interp.play_watching(&mut state.clone(), mv, ends);
    }
}

/// Keeps the barrier that is farther.
fn farther(known: &mut Barrier, other: &Barrier) {
    if other.progress > known.progress {
        *known = other.clone();
    }
}
