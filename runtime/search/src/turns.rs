//! Turns: all moves that a player makes in a row, such as the hops of a chain in draughts.

use std::{collections::BTreeMap, slice};

use rulec_core::{ChoiceSet, Fault, Game, MoveList, Outcome, Reason, Silent, Turn};

use crate::perft::Perft;

/// Moves of a turn at most; a longer one ends there.
pub const LONGEST_TURN: usize = 256;

/// A way to play a turn.
#[derive(Clone, Debug)]
pub struct End<G: Game> {
    /// The first move.
    pub first: G::Move,
    /// The moves after it.
    pub more: Vec<G::Move>,
    /// The position after the turn.
    pub state: G::State,
}

/// All ways to play the turn that is due, whoever decides. Of turns of several moves that lead to equal positions
/// only one is told.
///
/// A game for one player has no turns in this sense: each of its moves is one.
///
/// # Errors
/// The fault that a rule ran into while a move was tried.
pub fn turns<G: Game>(
    game: &G,
    state: &G::State,
    choices: ChoiceSet,
) -> Result<Vec<End<G>>, Fault> {
    let Turn::Decide(players) = game.turn(state) else {
        return Ok(Vec::new());
    };
    let mut walk = Walk {
        game,
        choices,
        mover: (game.info().players.len() > 1).then_some(players),
        path: Vec::new(),
        ends: Vec::new(),
    };
    walk.follow(state)?;
    let mut ends = walk.ends;
    merge(game, &mut ends);
    Ok(ends)
}

struct Walk<'a, G: Game> {
    game: &'a G,
    choices: ChoiceSet,
    /// Whose turn it is; nobody's where every move is a turn.
    mover: Option<u64>,
    path: Vec<G::Move>,
    ends: Vec<End<G>>,
}

impl<G: Game> Walk<'_, G> {
    fn follow(&mut self, state: &G::State) -> Result<(), Fault> {
        let mut list = MoveList::new();
        match self.choices {
            ChoiceSet::All => self.game.legal_moves(state, &mut list)?,
            ChoiceSet::Distinct => self.game.distinct_moves(state, &mut list)?,
        }
        if let ([], Some((&first, more))) = (&list[..], self.path.split_first()) {
            self.ends.push(End {
                first,
                more: more.to_vec(),
                state: state.clone(),
            });
        }
        for &mv in list.iter() {
            let mut next = state.clone();
            self.game.play(&mut next, mv, &mut Silent);
            let goes_on = self.mover.is_some_and(|mover| {
                self.game.turn(&next) == Turn::Decide(mover) && self.path.len() + 1 < LONGEST_TURN
            });
            self.path.push(mv);
            if goes_on {
                self.follow(&next)?;
            } else {
                self.ends.push(End {
                    first: self.path[0],
                    more: self.path[1..].to_vec(),
                    state: next,
                });
            }
            self.path.pop();
        }
        Ok(())
    }
}

/// Keeps one of several turns of several moves that lead to equal positions.
fn merge<G: Game>(game: &G, ends: &mut Vec<End<G>>) {
    if ends.iter().filter(|end| !end.more.is_empty()).count() < 2 {
        return;
    }
    let mut known: BTreeMap<u64, Vec<G::State>> = BTreeMap::new();
    ends.retain(|end| {
        if end.more.is_empty() {
            return true;
        }
        let same_key = known.entry(game.key(&end.state)).or_default();
        let fresh = !same_key.contains(&end.state);
        same_key.extend(fresh.then(|| end.state.clone()));
        fresh
    });
}

/// Counts the sequences of up to `depth` turns from `state` on. Results of draws count as turns.
pub fn count<G: Game>(game: &G, state: &G::State, depth: u32, choices: ChoiceSet) -> Perft {
    let mut perft = Perft::new(depth);
    visit(game, choices, slice::from_ref(state), 0, &mut perft);
    perft
}

fn visit<G: Game>(
    game: &G,
    choices: ChoiceSet,
    states: &[G::State],
    ply: usize,
    perft: &mut Perft,
) {
    if ply == perft.ended.len() {
        return;
    }
    for state in states {
        let next: Result<Vec<G::State>, Fault> = match game.turn(state) {
            Turn::Over => {
                perft.ended[ply].add(game.outcome(state));
                continue;
            }
            Turn::Chance => Ok(results(game, state)),
            Turn::Decide(_) => turns(game, state, choices)
                .map(|ends| ends.into_iter().map(|end| end.state).collect()),
        };
        let reason = match next {
            Ok(next) if !next.is_empty() => {
                perft.edges(ply + 1, next.len() as u64);
                visit(game, choices, &next, ply + 1, perft);
                continue;
            }
            Ok(_) => Reason::Stuck,
            Err(fault) => Reason::Fault(fault),
        };
        perft.ended[ply].add(Some(Outcome::nobody(reason)));
    }
}

fn results<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut list = rulec_core::ChanceList::new();
    game.chance_outcomes(state, &mut list);
    let after = |&(mv, _): &(G::Move, u64)| {
        let mut next = state.clone();
        game.play(&mut next, mv, &mut Silent);
        next
    };
    list.iter().map(after).collect()
}
