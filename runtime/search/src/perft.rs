//! Counting sequences of moves, the standard check of a move generator.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use rulec_core::{ChanceList, ChoiceSet, Fault, MoveList, OpenPlay, Outcome, Reason, Silent, Turn};

use crate::{
    AnyState, Progress, ResultCounts, State,
    parallel::{lock, on_threads},
};

/// Numbers of sequences of moves. The results of a draw count as moves.
/// A sequence that reaches an end of the game is not extended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Number of sequences of each length, from length 0 on.
    pub depths: Vec<u64>,
    /// How the sequences of each length that ended did so, from length 0 on. Ends at the greatest
    /// length are not looked for.
    pub ended: Vec<ResultCounts>,
    /// Whether more than [`LONGEST_CHAIN`] draws came after each other, with no decision between them, where draws are no
    /// moves: counting stopped there, and no number is complete.
    pub endless: bool,
}

/// How many draws in a row are followed to the next decision.
pub const LONGEST_CHAIN: usize = 256;

/// What a sequence is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Single moves.
    #[default]
    Move,
    /// Turns: all moves that a player makes in a row, see [`turns`](crate::turns).
    Turn,
    /// Decisions: draws are none, but all their results are followed, also right after the last decision.
    Decision,
}

impl Perft {
    pub(crate) fn new(depth: u32) -> Self {
        let mut depths = vec![0; depth as usize + 1];
        depths[0] = 1;
        Self {
            depths,
            ended: vec![ResultCounts::default(); depth as usize],
            endless: false,
        }
    }

    pub(crate) fn edges(&mut self, ply: usize, count: usize) {
        self.depths[ply] = self.depths[ply].saturating_add(count as u64);
    }

    /// Adds the counts of a state that `ply` moves lead to, beyond that state itself.
    fn merge_below(&mut self, ply: usize, other: &Perft) {
        for (sum, n) in self.depths[ply + 1..].iter_mut().zip(&other.depths[1..]) {
            *sum = sum.saturating_add(*n);
        }
        for (sum, counts) in self.ended[ply..].iter_mut().zip(&other.ended) {
            sum.merge(counts);
        }
    }

    /// How many sequences ended in each fault.
    pub fn faults(&self) -> Vec<(Fault, u64)> {
        let mut sum: BTreeMap<Fault, u64> = BTreeMap::new();
        for (fault, n) in self.ended.iter().flat_map(ResultCounts::faults) {
            *sum.entry(fault).or_insert(0) += n;
        }
        sum.into_iter().collect()
    }

    /// The ended sequences, by `length:label`.
    pub fn ended_by_label(&self) -> BTreeMap<String, u64> {
        let labelled = self.ended.iter().enumerate().flat_map(|(ply, counts)| {
            let counts = counts.by_label().into_iter();
            counts.map(move |(label, n)| (format!("{ply}:{label}"), n))
        });
        labelled.collect()
    }
}

/// Counts the sequences of up to `depth` moves from `state` on.
///
/// The last moves are counted without being played.
pub fn count<G: OpenPlay>(game: &G, state: &G::State, depth: u32, choices: ChoiceSet) -> Perft {
    let mut perft = Perft::new(depth);
    let mut lists: Vec<MoveList<G::Move>> = Vec::new();
    lists.resize_with(depth as usize, MoveList::new);
    let mut walk = Walk {
        game,
        choices,
        depth: depth as usize,
        perft: &mut perft,
    };
    if depth > 0 {
        walk.visit(state, 0, &mut lists);
    }
    perft
}

/// Counts the sequences of up to `depth` decisions from `state` on, with every result of the draws between them and right
/// after the last one: draws are no moves here. [`Perft::endless`] tells when draws go on and on.
pub fn decisions<G: OpenPlay>(game: &G, state: &G::State, depth: u32, choices: ChoiceSet) -> Perft {
    if !game.info().has_chance {
        return count(game, state, depth, choices);
    }
    let mut perft = Perft::new(depth);
    perft.depths[0] = 0;
    let mut walk = Walk {
        game,
        choices,
        depth: depth as usize,
        perft: &mut perft,
    };
    walk.decide(state, 0, 0);
    perft
}

struct Walk<'a, G> {
    game: &'a G,
    choices: ChoiceSet,
    depth: usize,
    perft: &'a mut Perft,
}

impl<G: OpenPlay> Walk<'_, G> {
    fn visit(&mut self, state: &G::State, ply: usize, lists: &mut [MoveList<G::Move>]) {
        let Some((list, deeper)) = lists.split_first_mut() else {
            return;
        };
        let last = ply + 1 == self.depth;
        let listed = match self.game.turn(state) {
            Turn::Over => return self.perft.ended[ply].add(self.game.outcome(state)),
            Turn::Chance => {
                self.list_results(state, list);
                Ok(list.len())
            }
            Turn::Decide(_) if last => self.game.count_moves(state, self.choices, list),
            Turn::Decide(_) => self.list_moves(state, list),
        };
        match listed {
            Ok(0) => return self.end_open(state, ply),
            Ok(count) => self.perft.edges(ply + 1, count),
            Err(fault) => return self.end(ply, Reason::Fault(fault)),
        }
        if !last {
            for &mv in list.iter() {
                let mut child = state.clone();
                // Whether somebody can move then is seen when the moves are listed.
                self.game.play_open(&mut child, mv);
                self.visit(&child, ply + 1, deeper);
            }
        }
    }

    /// Counts what follows a state that `ply` decisions and then `drawn` draws lead to.
    fn decide(&mut self, state: &G::State, ply: usize, drawn: usize) {
        let turn = self.game.turn(state);
        let mut list = MoveList::new();
        let mut next = (ply, 0);
        if turn == Turn::Chance {
            self.perft.endless |= drawn == LONGEST_CHAIN;
            next.1 = drawn + 1;
            self.list_results(state, &mut list);
        } else {
            self.perft.edges(ply, 1);
            if ply == self.depth {
                return;
            }
            if turn == Turn::Over {
                return self.perft.ended[ply].add(self.game.outcome(state));
            }
            match self.list_moves(state, &mut list) {
                Ok(0) => return self.end(ply, Reason::Stuck),
                Ok(_) => next.0 = ply + 1,
                Err(fault) => return self.end(ply, Reason::Fault(fault)),
            }
        }
        for &mv in list.iter() {
            if self.perft.endless {
                return;
            }
            // On the heap, for chains of draws may be long.
            let mut child = Box::new(state.clone());
            self.game.play(&mut child, mv, &mut Silent);
            self.decide(&child, next.0, next.1);
        }
    }

    /// Counts a sequence after which nobody can move.
    fn end_open(&mut self, state: &G::State, ply: usize) {
        let mut ended = state.clone();
        self.game.settle(&mut ended);
        let outcome = self.game.outcome(&ended);
        let stuck = || Outcome::nobody(Reason::Stuck);
        self.perft.ended[ply].add(Some(outcome.unwrap_or_else(stuck)));
    }

    fn end(&mut self, ply: usize, reason: Reason) {
        self.perft.ended[ply].add(Some(Outcome::nobody(reason)));
    }

    #[inline]
    fn list_moves(&self, state: &G::State, list: &mut MoveList<G::Move>) -> Result<usize, Fault> {
        list.clear();
        match self.choices {
            ChoiceSet::All => self.game.legal_moves(state, list)?,
            ChoiceSet::Distinct => self.game.distinct_moves(state, list)?,
        }
        Ok(list.len())
    }

    #[cold]
    fn list_results(&self, state: &G::State, list: &mut MoveList<G::Move>) {
        let mut results = ChanceList::new();
        self.game.chance_outcomes(state, &mut results);
        list.clear();
        list.extend(results.iter().map(|&(mv, _)| mv));
    }
}

/// The first moves of sequences, and the number of sequences of the full length that begin so.
pub type Parts = Vec<(Vec<u64>, u64)>;

/// Counts as [`count`] does, on some threads, and for every first step the sequences of length `depth` alone.
///
/// `progress` is told how many parts in a thousand are done; when it says stop, the counts are not complete.
pub fn divide<'g>(
    start: &(dyn AnyState<'g> + 'g),
    depth: u32,
    unit: Unit,
    choices: ChoiceSet,
    threads: usize,
    progress: Progress<'_>,
) -> (Perft, Parts) {
    if unit == Unit::Decision {
        // What a first move is followed by cannot be told from what is drawn before it.
        return (start.perft(depth, unit, choices), Vec::new());
    }
    let mut total = Perft::new(depth);
    if depth == 0 {
        return (total, Vec::new());
    }
    let Some(firsts) = children(start, unit, choices, 0, &mut total) else {
        return (total, Vec::new());
    };
    let mut parts = vec![0u64; firsts.len()];
    let mut jobs = Vec::new();
    for (index, (_, state)) in firsts.iter().enumerate() {
        match depth {
            1 => parts[index] = 1,
            2..=3 => jobs.push((index, 1, state.fork())),
            _ => {
                let nexts = children(&**state, unit, choices, 1, &mut total).unwrap_or_default();
                jobs.extend(nexts.into_iter().map(|(_, next)| (index, 2, next)));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((&mut total, &mut parts, progress));
    on_threads(threads.clamp(1, jobs.len().max(1)), &|| {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some((index, ply, state)) = jobs.get(at) else {
                break;
            };
            let counts = state.perft(depth - *ply as u32, unit, choices);
            let mut guard = lock(&shared);
            let (total, parts, progress) = &mut *guard;
            let deepest = counts.depths.last().copied().unwrap_or(0);
            parts[*index] = parts[*index].saturating_add(deepest);
            total.merge_below(*ply, &counts);
            if !progress.go_on(at as u64 * 1000 / jobs.len() as u64) {
                next.store(jobs.len(), Relaxed);
            }
        }
    });
    let paths = firsts.into_iter().map(|(path, _)| path);
    (total, paths.zip(parts).collect())
}

/// The states that one step leads to, counted in `total`, with the moves of the step; `None` at an end.
fn children<'g>(
    state: &(dyn AnyState<'g> + 'g),
    unit: Unit,
    choices: ChoiceSet,
    ply: usize,
    total: &mut Perft,
) -> Option<Vec<(Vec<u64>, State<'g>)>> {
    let after = |code: u64| {
        let mut child = state.fork();
        child.play(code, None);
        (vec![code], child)
    };
    let found = match state.turn() {
        Turn::Over => Err(state.outcome()),
        Turn::Chance => Ok(state
            .results()
            .iter()
            .map(|&(code, _)| after(code))
            .collect()),
        Turn::Decide(_) => {
            let steps = match unit {
                Unit::Turn => state.turns(choices),
                Unit::Move | Unit::Decision => {
                    let mut codes = Vec::new();
                    let listed = state.moves(choices, &mut codes);
                    listed.map(|()| codes.into_iter().map(after).collect())
                }
            };
            steps.map_err(|fault| Some(Outcome::fault(fault)))
        }
    };
    let found = found.and_then(|steps: Vec<(Vec<u64>, State<'g>)>| match steps.is_empty() {
        true => Err(Some(Outcome::nobody(Reason::Stuck))),
        false => Ok(steps),
    });
    match found {
        Ok(steps) => {
            total.edges(ply + 1, steps.len());
            Some(steps)
        }
        Err(outcome) => {
            total.ended[ply].add(outcome);
            None
        }
    }
}
