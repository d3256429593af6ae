//! Counting sequences of moves, the standard check of a move generator.
//!
//! Moves that differ only in which of several pieces that are alike they name lead to the same counts. So one of them is
//! played, and counts as often as there are such; [`Task::one_by_one`] plays each of them.

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

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Greatest length of a sequence.
    pub depth: u32,
    /// What a sequence is counted in.
    pub unit: Unit,
    /// Which moves are counted.
    pub choices: ChoiceSet,
    /// Whether each move is played, even if another one is shown to lead to the same counts: slow, to check that.
    pub one_by_one: bool,
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

    pub(crate) fn edges(&mut self, ply: usize, count: u64) {
        self.depths[ply] = self.depths[ply].saturating_add(count);
    }

    /// Adds the counts of a state that `ply` moves lead to, in `times` ways, beyond that state itself.
    fn merge_below(&mut self, ply: usize, other: &Perft, times: u64) {
        for (sum, n) in self.depths[ply + 1..].iter_mut().zip(&other.depths[1..]) {
            *sum = sum.saturating_add(n.saturating_mul(times));
        }
        for (sum, counts) in self.ended[ply..].iter_mut().zip(&other.ended) {
            sum.merge_times(counts, times);
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
    let task = Task {
        depth,
        unit: Unit::Move,
        choices,
        one_by_one: false,
    };
    single_moves(game, state, &task)
}

/// Counts as [`count`] does what is asked for, moves or decisions.
pub(crate) fn single_moves<G: OpenPlay>(game: &G, state: &G::State, task: &Task) -> Perft {
    let mut perft = Perft::new(task.depth);
    let depth = task.depth as usize;
    let mut walk = Walk {
        game,
        choices: task.choices,
        weighs: !task.one_by_one && has_weights(game, task.choices),
        depth,
        perft: &mut perft,
    };
    if task.unit == Unit::Decision && game.info().has_chance {
        walk.perft.depths[0] = 0;
        walk.decide(state, 1, 0, 0);
    } else if depth > 0 {
        let mut lists = Vec::new();
        lists.resize_with(depth, Listed::new);
        walk.visit(state, 1, 0, &mut lists);
    }
    perft
}

/// Counts the sequences of up to `depth` decisions from `state` on, with every result of the draws between them and right
/// after the last one: draws are no moves here. [`Perft::endless`] tells when draws go on and on.
pub fn decisions<G: OpenPlay>(game: &G, state: &G::State, depth: u32, choices: ChoiceSet) -> Perft {
    let task = Task {
        depth,
        unit: Unit::Decision,
        choices,
        one_by_one: false,
    };
    single_moves(game, state, &task)
}

/// Whether several of the moves may be shown to lead to the same counts.
fn has_weights<G: OpenPlay>(game: &G, choices: ChoiceSet) -> bool {
    let info = game.info();
    choices == ChoiceSet::All && info.exact_classes && !info.alike.is_empty()
}

/// How many of some legal moves each of them stands for, itself among them: those that lead to equal futures, all told by the
/// first of them; 0 for the others.
///
/// Moves are taken for equal if the rules call them so and they have one number: then there are as many numbers as
/// [`Game::distinct_moves`](rulec_core::Game::distinct_moves) lists moves.
pub(crate) fn weights<G: OpenPlay>(game: &G, state: &G::State, moves: &[G::Move]) -> Vec<u64> {
    let alone = || vec![1; moves.len()];
    let none = game.info().move_count;
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(moves.len());
    for (at, &mv) in moves.iter().enumerate() {
        match game.move_index(mv) {
            number if number < none => order.push((number, at)),
            _ => return alone(),
        }
    }
    order.sort_unstable();
    let groups = order.chunk_by(|(one, _), (other, _)| one == other);
    let distinct = game.count_moves(state, ChoiceSet::Distinct, &mut MoveList::new());
    if distinct != Ok(groups.clone().count()) {
        return alone();
    }
    let mut weights = vec![0; moves.len()];
    for group in groups {
        weights[group[0].1] = group.len() as u64;
    }
    weights
}

/// Moves of a state, with room for those of the next one.
struct Listed<M> {
    moves: MoveList<M>,
    weights: Vec<u64>,
}

impl<M> Listed<M> {
    fn new() -> Self {
        Self {
            moves: MoveList::new(),
            weights: Vec::new(),
        }
    }
}

struct Walk<'a, G> {
    game: &'a G,
    choices: ChoiceSet,
    /// Whether one move is played for all that lead to the same.
    weighs: bool,
    depth: usize,
    perft: &'a mut Perft,
}

impl<G: OpenPlay> Walk<'_, G> {
    /// Counts what follows a state that `ply` moves lead to, in `times` ways.
    fn visit(&mut self, state: &G::State, times: u64, ply: usize, lists: &mut [Listed<G::Move>]) {
        let Some((list, deeper)) = lists.split_first_mut() else {
            return;
        };
        let last = ply + 1 == self.depth;
        let turn = self.game.turn(state);
        let listed = match turn {
            Turn::Over => {
                return self.perft.ended[ply].add_many(self.game.outcome(state), times);
            }
            Turn::Chance => {
                self.list_results(state, &mut list.moves);
                Ok(list.moves.len())
            }
            Turn::Decide(_) if last => {
                (self.game).count_moves(state, self.choices, &mut list.moves)
            }
            Turn::Decide(_) => self.list_moves(state, &mut list.moves),
        };
        match listed {
            Ok(0) => return self.end_open(state, times, ply),
            Ok(count) => (self.perft).edges(ply + 1, times.saturating_mul(count as u64)),
            Err(fault) => return self.end(times, ply, Reason::Fault(fault)),
        }
        if last {
            return;
        }
        let weighs = self.weigh(state, turn, list);
        for (at, &mv) in list.moves.iter().enumerate() {
            let weight = if weighs { list.weights[at] } else { 1 };
            if weight > 0 {
                let mut child = state.clone();
                // Whether somebody can move then is seen when the moves are listed.
                self.game.play_open(&mut child, mv);
                self.visit(&child, times.saturating_mul(weight), ply + 1, deeper);
            }
        }
    }

    /// Counts what follows a state that `ply` decisions and then `drawn` draws lead to, in `times` ways.
    fn decide(&mut self, state: &G::State, times: u64, ply: usize, drawn: usize) {
        let turn = self.game.turn(state);
        let mut list = Listed::new();
        let mut next = (ply, 0);
        if turn == Turn::Chance {
            self.perft.endless |= drawn == LONGEST_CHAIN;
            next.1 = drawn + 1;
            self.list_results(state, &mut list.moves);
        } else {
            self.perft.edges(ply, times);
            if ply == self.depth {
                return;
            }
            if turn == Turn::Over {
                return self.perft.ended[ply].add_many(self.game.outcome(state), times);
            }
            match self.list_moves(state, &mut list.moves) {
                Ok(0) => return self.end(times, ply, Reason::Stuck),
                Ok(_) => next.0 = ply + 1,
                Err(fault) => return self.end(times, ply, Reason::Fault(fault)),
            }
        }
        let weighs = self.weigh(state, turn, &mut list);
        for (at, &mv) in list.moves.iter().enumerate() {
            if self.perft.endless {
                return;
            }
            let weight = if weighs { list.weights[at] } else { 1 };
            if weight > 0 {
                // On the heap, for chains of draws may be long.
                let mut child = Box::new(state.clone());
                self.game.play(&mut child, mv, &mut Silent);
                self.decide(&child, times.saturating_mul(weight), next.0, next.1);
            }
        }
    }

    /// Finds the weights of the moves that are listed; false where each counts for itself.
    fn weigh(&self, state: &G::State, turn: Turn, list: &mut Listed<G::Move>) -> bool {
        let weighs = self.weighs && turn != Turn::Chance;
        if weighs {
            list.weights = weights(self.game, state, &list.moves);
        }
        weighs
    }

    /// Counts a sequence after which nobody can move.
    fn end_open(&mut self, state: &G::State, times: u64, ply: usize) {
        let mut ended = state.clone();
        self.game.settle(&mut ended);
        let outcome = self.game.outcome(&ended);
        let stuck = || Outcome::nobody(Reason::Stuck);
        self.perft.ended[ply].add_many(Some(outcome.unwrap_or_else(stuck)), times);
    }

    fn end(&mut self, times: u64, ply: usize, reason: Reason) {
        self.perft.ended[ply].add_many(Some(Outcome::nobody(reason)), times);
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

/// Counts what a task asks for, on some threads, and for every first step the sequences of the greatest length alone.
///
/// `progress` is told how many parts in a thousand are done; when it says stop, the counts are not complete.
pub fn divide<'g>(
    start: &(dyn AnyState<'g> + 'g),
    task: &Task,
    threads: usize,
    progress: Progress<'_>,
) -> (Perft, Parts) {
    if task.unit == Unit::Decision {
        // What a first move is followed by cannot be told from what is drawn before it.
        return (start.perft(task), Vec::new());
    }
    let depth = task.depth;
    let mut total = Perft::new(depth);
    if depth == 0 {
        return (total, Vec::new());
    }
    let Some(firsts) = children(start, task, (0, 1), &mut total) else {
        return (total, Vec::new());
    };
    let mut parts = vec![0u64; firsts.len()];
    let mut jobs: Vec<Job<'g>> = Vec::new();
    for (index, step) in firsts.iter().enumerate() {
        let job = |ply, times, state| Job {
            index,
            ply,
            times,
            below: times * step.times(),
            state,
        };
        match depth {
            1 => parts[index] = 1,
            2..=3 => jobs.push(job(1, 1, step.state.fork())),
            _ => {
                let nexts = children(&*step.state, task, (1, step.times()), &mut total);
                let nexts = nexts.unwrap_or_default().into_iter();
                jobs.extend(nexts.map(|next| job(2, next.times(), next.state)));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((&mut total, &mut parts, progress));
    on_threads(threads.clamp(1, jobs.len().max(1)), &|| {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(job) = jobs.get(at) else {
                break;
            };
            let counts = job.state.perft(&Task {
                depth: depth - job.ply as u32,
                ..*task
            });
            let mut guard = lock(&shared);
            let (total, parts, progress) = &mut *guard;
            let deepest = counts.depths.last().copied().unwrap_or(0);
            let part = &mut parts[job.index];
            *part = part.saturating_add(deepest.saturating_mul(job.times));
            total.merge_below(job.ply, &counts, job.below);
            if !progress.go_on(at as u64 * 1000 / jobs.len() as u64) {
                next.store(jobs.len(), Relaxed);
            }
        }
    });
    let parts = firsts.into_iter().zip(parts);
    let parts = parts.flat_map(|(step, n)| step.paths.into_iter().map(move |path| (path, n)));
    (total, parts.collect())
}

/// A part of the work of [`divide`].
struct Job<'g> {
    /// The first step.
    index: usize,
    /// How many moves lead to the state.
    ply: usize,
    /// In how many ways they do after one first step,
    times: u64,
    /// and in how many after all first steps that are like it.
    below: u64,
    state: State<'g>,
}

/// A step, or several that lead to the same counts.
struct Step<'g> {
    /// The moves of each of them.
    paths: Vec<Vec<u64>>,
    /// Where the first of them leads.
    state: State<'g>,
}

impl Step<'_> {
    fn times(&self) -> u64 {
        self.paths.len() as u64
    }
}

/// The states that one step leads to, counted in `total` as following `ply` moves made in `times` ways; `None` at an end.
fn children<'g>(
    state: &(dyn AnyState<'g> + 'g),
    task: &Task,
    (ply, times): (usize, u64),
    total: &mut Perft,
) -> Option<Vec<Step<'g>>> {
    let after = |codes: &[u64]| {
        let mut child = state.fork();
        child.play(codes[0], None);
        Step {
            paths: codes.iter().map(|code| vec![*code]).collect(),
            state: child,
        }
    };
    let found = match state.turn() {
        Turn::Over => Err(state.outcome()),
        Turn::Chance => {
            let results = state.results();
            Ok(results.iter().map(|&(code, _)| after(&[code])).collect())
        }
        Turn::Decide(_) => {
            let steps = match task.unit {
                Unit::Turn => state.turns(task.choices).map(|turns| {
                    let step = |(path, state)| Step {
                        paths: vec![path],
                        state,
                    };
                    turns.into_iter().map(step).collect()
                }),
                Unit::Move | Unit::Decision => {
                    let kinds = state.kinds_of_moves(task);
                    kinds.map(|kinds| kinds.iter().map(|codes| after(codes)).collect())
                }
            };
            steps.map_err(|fault| Some(Outcome::fault(fault)))
        }
    };
    let found = found.and_then(|steps: Vec<Step<'g>>| match steps.is_empty() {
        true => Err(Some(Outcome::nobody(Reason::Stuck))),
        false => Ok(steps),
    });
    match found {
        Ok(steps) => {
            let count: u64 = steps.iter().map(Step::times).sum();
            total.edges(ply + 1, times.saturating_mul(count));
            Some(steps)
        }
        Err(outcome) => {
            total.ended[ply].add_many(outcome, times);
            None
        }
    }
}

/// The moves that a task counts, those together that are shown to lead to the same counts, each told by its packed form.
///
/// # Errors
/// The fault that a rule ran into.
pub(crate) fn kinds_of_moves<G: OpenPlay>(
    game: &G,
    state: &G::State,
    task: &Task,
) -> Result<Vec<Vec<u64>>, Fault> {
    let mut moves = MoveList::new();
    match task.choices {
        ChoiceSet::All => game.legal_moves(state, &mut moves)?,
        ChoiceSet::Distinct => game.distinct_moves(state, &mut moves)?,
    }
    let code = |mv: &G::Move| game.move_code(*mv);
    if task.one_by_one || !has_weights(game, task.choices) {
        return Ok(moves.iter().map(|mv| vec![code(mv)]).collect());
    }
    let weights = weights(game, state, &moves);
    let first = |at: &usize| weights[*at] > 0;
    let alone = weights.iter().all(|weight| *weight == 1);
    let group = |at: usize| -> Vec<u64> {
        let own = |mv: &&G::Move| game.move_index(**mv) == game.move_index(moves[at]);
        match alone {
            true => vec![code(&moves[at])],
            false => moves.iter().filter(own).map(code).collect(),
        }
    };
    Ok((0..moves.len()).filter(first).map(group).collect())
}
