//! Visiting every state that can be reached, breadth first.

use std::hash::BuildHasher;

use rulec_core::{
    BuildKeyHasher, ChanceList, ChoiceSet, Game, Identities, MoveList, Outcome, Reason, Silent,
    Turn,
};

use crate::{
    Progress, ResultCounts,
    orbit::{self, Orbits},
};

/// What to visit.
#[derive(Clone, Copy, Debug)]
pub struct ExploreLimits {
    /// When two states are the same, an index into `GameInfo::identities`.
    pub identity: usize,
    /// The moves that are followed.
    pub choices: ChoiceSet,
    /// Moves from the start at most.
    pub depth: Option<u32>,
    /// States at most. A layer that would exceed them is left out.
    pub states: u64,
    /// What to keep of the way.
    pub keep: Keep,
    /// Whether positions are the same that symmetries take to each other.
    pub orbits: Orbits,
}

/// What an exploration keeps beside its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// The way to the first state in which somebody has won; the exploration stops there.
    WayToWin,
    /// Which move of which state leads to which state.
    Graph,
}

/// The states that were visited, numbered in the order in which they were found, and what leads from each to
/// which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// For each state its mover, or how the game ended there.
    pub states: Vec<Result<usize, Outcome>>,
    /// For each state where its edges begin; one more at the end.
    pub begins: Vec<usize>,
    /// The move and the state it leads to, state by state.
    pub edges: Vec<(u64, u32)>,
}

impl Graph {
    /// The moves of a state and the states that they lead to.
    pub fn moves(&self, state: usize) -> &[(u64, u32)] {
        &self.edges[self.begins[state]..self.begins[state + 1]]
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exploration {
    /// Number of states that are new at each distance from the start, from 0 on.
    pub new_states: Vec<u64>,
    /// How the games in the new states of each distance ended. One shorter than `new_states` unless
    /// complete: the last layer was made but not looked at.
    pub terminals: Vec<ResultCounts>,
    /// Whether every state that can be reached was visited.
    pub complete: bool,
    /// The moves of a shortest way to a win, where one was wanted and found.
    pub way: Option<Vec<u64>>,
    /// The graph of the states, empty unless wanted. States of the last layer have no edges unless complete.
    pub graph: Graph,
    /// The encodings of the states, kept with the graph.
    seen: Seen,
}

impl Exploration {
    /// Number of states visited.
    pub fn states(&self) -> u64 {
        self.new_states.iter().sum()
    }

    /// The number in [`Exploration::graph`] of the state with an encoding, see [`orbit::encode`]; nothing where it was not visited.
    pub fn number(&self, encoding: &[u8]) -> Option<u32> {
        self.seen.number(encoding)
    }
}

/// Visits the states that can be reached from `start`; the results of a draw count as moves.
///
/// `progress` is told the number of states; when it says stop, the layer at work is left out.
pub fn explore<G: Identities>(
    game: &G,
    start: &G::State,
    limits: &ExploreLimits,
    progress: Progress<'_>,
) -> Exploration {
    let mut visit = Visit {
        game,
        limits,
        progress,
        seen: Seen::default(),
        parents: Vec::new(),
        graph: Graph::default(),
        moves: MoveList::new(),
        bytes: Vec::new(),
        merging: orbit::merging(game.info(), limits.orbits),
    };
    visit.insert(start, u32::MAX, 0);
    let mut found = Exploration {
        new_states: vec![1],
        ..Exploration::default()
    };
    match limits.keep == Keep::WayToWin && is_win(game.outcome(start)) {
        true => found.way = Some(Vec::new()),
        false => visit.run(start, &mut found),
    }
    if limits.keep == Keep::Graph {
        found.seen = visit.seen;
    }
    found.graph = visit.graph;
    found.graph.begins.push(found.graph.edges.len());
    found
}

fn is_win(outcome: Option<Outcome>) -> bool {
    outcome.is_some_and(|o| o.is_won())
}
const MOST_STATES: u64 = u32::MAX as u64 - 1;

enum Step {
    Done,
    Stopped,
    Won(Vec<u64>),
}

struct Visit<'a, 'p, G: Game> {
    game: &'a G,
    limits: &'a ExploreLimits,
    progress: Progress<'p>,
    seen: Seen,
    /// Where each state was reached from and by which move, only kept when a way is wanted.
    parents: Vec<(u32, u64)>,
    graph: Graph,
    moves: MoveList<G::Move>,
    bytes: Vec<u8>,
    /// The symmetries that merge states.
    merging: Vec<usize>,
}

impl<G: Identities> Visit<'_, '_, G> {
    fn run(&mut self, start: &G::State, found: &mut Exploration) {
        let mut layer = vec![start.clone()];
        while !layer.is_empty() {
            let depth = found.new_states.len() - 1;
            let last = self
                .limits
                .depth
                .is_some_and(|limit| depth >= limit as usize);
            let mut next = Vec::new();
            let mut ends = ResultCounts::default();
            match self.layer(&layer, last, &mut next, &mut ends) {
                Step::Done => found.terminals.push(ends),
                Step::Stopped => return,
                Step::Won(way) => return found.way = Some(way),
            }
            if !next.is_empty() {
                found.new_states.push(next.len() as u64);
            }
            layer = next;
        }
        found.complete = true;
    }

    /// Follows all moves of one layer. With `probe`, the first new state stops it: the layer is the last
    /// that is wanted, and the only question is whether it completes the states.
    fn layer(
        &mut self,
        layer: &[G::State],
        probe: bool,
        next: &mut Vec<G::State>,
        ends: &mut ResultCounts,
    ) -> Step {
        let first = self.seen.len() - layer.len() as u32;
        for (parent, state) in (first..).zip(layer) {
            let outcome = self.list(state);
            self.note(state, outcome);
            if let Some(outcome) = outcome {
                ends.add(Some(outcome));
                continue;
            }
            for index in 0..self.moves.len() {
                let mv = self.moves[index];
                let mut child = state.clone();
                self.game.play(&mut child, mv, &mut Silent);
                if !self.insert(&child, parent, self.game.move_code(mv)) {
                    continue;
                }
                if probe || u64::from(self.seen.len()) > self.limits.states.min(MOST_STATES) {
                    return Step::Stopped;
                }
                if self.limits.keep == Keep::WayToWin && is_win(self.game.outcome(&child)) {
                    return Step::Won(way(&self.parents));
                }
                next.push(child);
            }
            if !self.progress.go_on(u64::from(self.seen.len())) {
                return Step::Stopped;
            }
        }
        Step::Done
    }

    /// Begins the entry of a state in the graph.
    fn note(&mut self, state: &G::State, outcome: Option<Outcome>) {
        if self.limits.keep == Keep::Graph {
            let mover = self.game.player(state).unwrap_or(0);
            self.graph.states.push(outcome.map_or(Ok(mover), Err));
            self.graph.begins.push(self.graph.edges.len());
        }
    }

    /// Lists what can happen in a state; its outcome where nothing can.
    fn list(&mut self, state: &G::State) -> Option<Outcome> {
        self.moves.clear();
        let listed = match self.game.turn(state) {
            Turn::Over => {
                return self
                    .game
                    .outcome(state)
                    .or(Some(Outcome::nobody(Reason::Stuck)));
            }
            Turn::Chance => {
                let mut results = ChanceList::new();
                self.game.chance_outcomes(state, &mut results);
                self.moves.extend(results.iter().map(|&(mv, _)| mv));
                Ok(())
            }
            Turn::Decide(_) => match self.limits.choices {
                ChoiceSet::All => self.game.legal_moves(state, &mut self.moves),
                ChoiceSet::Distinct => self.game.distinct_moves(state, &mut self.moves),
            },
        };
        match listed {
            Err(fault) => Some(Outcome::fault(fault)),
            Ok(()) => self
                .moves
                .is_empty()
                .then_some(Outcome::nobody(Reason::Stuck)),
        }
    }

    /// Notes a state; whether it is new.
    fn insert(&mut self, state: &G::State, parent: u32, code: u64) -> bool {
        self.bytes.clear();
        let identity = self.limits.identity;
        (self.game).least_identity(state, identity, &self.merging, &mut self.bytes);
        let (index, new) = self.seen.insert(&self.bytes);
        match self.limits.keep {
            Keep::WayToWin if new => self.parents.push((parent, code)),
            Keep::Graph if parent != u32::MAX => self.graph.edges.push((code, index)),
            _ => {}
        }
        new
    }
}

/// The moves from the start to the last state that was noted.
fn way(parents: &[(u32, u64)]) -> Vec<u64> {
    let mut codes = Vec::new();
    let mut at = parents.last();
    while let Some(&(parent, code)) = at.filter(|(parent, _)| *parent != u32::MAX) {
        codes.push(code);
        at = parents.get(parent as usize);
    }
    codes.reverse();
    codes
}

/// A set of byte strings, all in one buffer, found by open addressing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    /// Index plus one of a string in the lower half, 0 for none, and the lower half of its hash in the upper: another string is
    /// rarely looked at, and none to make the table larger. A power of two long, at most half full.
    slots: Vec<u64>,
}

impl Seen {
    /// Number of strings.
    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The index of a string.
    fn number(&self, bytes: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slot(BuildKeyHasher.hash_one(bytes), |seen, index| {
            seen.get(index) == bytes
        });
        (self.slots[slot] as u32).checked_sub(1)
    }

    /// A string by its index.
    fn get(&self, index: u32) -> &[u8] {
        let index = index as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[begin as usize..self.ends[index] as usize]
    }

    /// Adds a string; its index, and whether it is new.
    pub(crate) fn insert(&mut self, bytes: &[u8]) -> (u32, bool) {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = BuildKeyHasher.hash_one(bytes);
        let slot = self.slot(hash, |seen, index| seen.get(index) == bytes);
        if self.slots[slot] != 0 {
            return (self.slots[slot] as u32 - 1, false);
        }
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u64);
        self.slots[slot] = hash << 32 | u64::from(self.len());
        (self.len() - 1, true)
    }

    /// The place of the string with a hash that `is_it`, or the free place where it belongs.
    #[inline]
    fn slot(&self, hash: u64, is_it: impl Fn(&Self, u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let hash = hash as u32;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let may_be_it = (slot >> 32) as u32 == hash;
            if slot == 0 || may_be_it && is_it(self, slot as u32 - 1) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = vec![0; (self.slots.len() * 2).max(64)];
        let filled = std::mem::replace(&mut self.slots, larger);
        for slot in filled.into_iter().filter(|slot| *slot != 0) {
            let at = self.slot(slot >> 32, |_, _| false);
            self.slots[at] = slot;
        }
    }
}
