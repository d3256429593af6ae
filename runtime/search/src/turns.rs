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
/// only one is told. Where a turn can do nothing but go round, it ends where it first comes back.
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
        met: Met::default(),
        round: None,
    };
    walk.follow(state)?;
    let mut ends = walk.ends;
    if ends.is_empty() {
        ends.extend(walk.round);
    }
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
    /// Positions within the turn. What follows on one of them is told once, so chains that go round come to an end.
    met: Met<G>,
    /// The first way back to a position within the turn.
    round: Option<End<G>>,
}

/// Positions that have been met, by their keys.
struct Met<G: Game>(BTreeMap<u64, Vec<G::State>>);

impl<G: Game> Default for Met<G> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<G: Game> Met<G> {
    /// Whether the position is met for the first time.
    fn is_new(&mut self, game: &G, state: &G::State) -> bool {
        let same_key = self.0.entry(game.key(state)).or_default();
        let fresh = !same_key.contains(state);
        same_key.extend(fresh.then(|| state.clone()));
        fresh
    }
}

impl<G: Game> Walk<'_, G> {
    fn end(&self, state: G::State) -> Option<End<G>> {
        let (&first, more) = self.path.split_first()?;
        Some(End {
            first,
            more: more.to_vec(),
            state,
        })
    }

    fn follow(&mut self, state: &G::State) -> Result<(), Fault> {
        let mut list = MoveList::new();
        match self.choices {
            ChoiceSet::All => self.game.legal_moves(state, &mut list)?,
            ChoiceSet::Distinct => self.game.distinct_moves(state, &mut list)?,
        }
        if list.is_empty() {
            self.ends.extend(self.end(state.clone()));
            return Ok(());
        }
        if self.mover.is_some() && !self.met.is_new(self.game, state) {
            self.round = self.round.take().or_else(|| self.end(state.clone()));
            return Ok(());
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
                self.ends.extend(self.end(next));
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
    let mut known = Met::default();
    ends.retain(|end| end.more.is_empty() || known.is_new(game, &end.state));
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
