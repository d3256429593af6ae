//! Random games by the thousand, and everything that is counted in them.
//!
//! Chance draws by its weights, players decide with equal chances. What the rules count
//! ([`Game::play`](rulec_core::Game::play) tells it) and measure ([`Observe::meters`]) is summed up; sums do not depend on the order of games, so the
//! report is the same for any number of threads and for both engines.

use std::collections::BTreeMap;
use std::ops::Range;

use rulec_core::{
    ChanceList, Event, Events, GameInfo, MoveArgs, MoveList, Observe, Outcome, Reason, Rng, Silent,
    Turn,
};

use crate::parallel::in_shares;
use crate::{AnyState, Progress, ResultCounts, Spent};

/// Where random numbers come from. Game `i` has a stream of its own, whatever thread plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    /// The generator of this crate, keyed by seed and game.
    Own,
    /// A linear congruential generator of 32 bits, seeded by the sum of seed and game; for comparison with recorded games.
    ///
    /// Its state starts at `seed * 2654435769`, a draw makes it `state * 1664525 + 1013904223`, all modulo 2^32, and the
    /// result of `n` equal ones is number `state * n / 2^32`. Games draw in the order of the rules.
    Lcg32,
}

/// Which games to simulate.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The run seed.
    pub seed: u64,
    /// The source of random numbers.
    pub dice: Dice,
    /// Decisions and draws after which a game is stopped.
    pub limit: u32,
    /// Whether every game is kept as a row.
    pub rows: bool,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub game: u64,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What was measured.
    pub meters: Vec<i64>,
}

/// What was counted and measured.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How the games ended.
    pub results: ResultCounts,
    /// For each meter how often it had each value at the end of a game, faults left out.
    pub meters: Vec<BTreeMap<i64, u64>>,
    /// For each counter and member how often it was counted.
    pub counters: Vec<Vec<u64>>,
    /// For each counter and member the games in which it was counted.
    pub games_with: Vec<Vec<u64>>,
    /// The games, if they are kept, in their order.
    pub rows: Vec<Row>,
    /// Time of all threads.
    pub spent: Spent,
}

impl Statistics {
    fn new(info: &GameInfo) -> Self {
        let zeros = || {
            let counters = info.counters.iter();
            counters
                .map(|counter| vec![0; counter.members.len()])
                .collect()
        };
        Self {
            meters: vec![BTreeMap::new(); info.meters.len()],
            counters: zeros(),
            games_with: zeros(),
            ..Self::default()
        }
    }

    fn merge(&mut self, other: Self) {
        self.results.merge(&other.results);
        for (sum, part) in self.meters.iter_mut().zip(other.meters) {
            for (value, count) in part {
                *sum.entry(value).or_default() += count;
            }
        }
        let pairs = [
            (&mut self.counters, other.counters),
            (&mut self.games_with, other.games_with),
        ];
        for (sums, parts) in pairs {
            for (sum, part) in sums.iter_mut().flatten().zip(parts.into_iter().flatten()) {
                *sum += part;
            }
        }
        self.rows.extend(other.rows);
        self.spent.merge(other.spent);
    }
}

/// Random numbers of one game.
enum Source {
    Own(Rng),
    Lcg(u32),
}

impl Source {
    fn new(job: &Job, game: u64) -> Self {
        match job.dice {
            Dice::Own => Self::Own(Rng::new(job.seed, game)),
            Dice::Lcg32 => {
                let seed = job.seed.wrapping_add(game) as u32;
                Self::Lcg(seed.wrapping_mul(2_654_435_769))
            }
        }
    }

    #[inline(always)]
    fn below(&mut self, n: u64) -> u64 {
        match self {
            Self::Own(rng) => rng.below64(n),
            Self::Lcg(state) => {
                *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((u128::from(*state) * u128::from(n)) >> 32) as u64
            }
        }
    }
}

/// Takes counts; those of the latest move wait until it is known that the move was no fault.
struct Counting {
    /// Where the members of each counter begin.
    begins: Vec<u32>,
    /// Counts of the latest move.
    latest: Vec<u32>,
    sums: Vec<u64>,
    /// The game in which each was counted last.
    seen: Vec<u64>,
    games_with: Vec<u64>,
    game: u64,
}

impl Events for Counting {
    const ACTIVE: bool = false;
    const COUNTS: bool = true;

    #[inline(always)]
    fn event(&mut self, _: Event) {}

    #[inline(always)]
    fn count(&mut self, counter: u32, member: u32) {
        if let Some(begin) = self.begins.get(counter as usize) {
            self.latest.push(begin + member);
        }
    }
}

impl Counting {
    fn new(info: &GameInfo) -> Self {
        let mut begins = Vec::new();
        let mut count = 0;
        for counter in info.counters {
            begins.push(count as u32);
            count += counter.members.len();
        }
        Self {
            begins,
            latest: Vec::new(),
            sums: vec![0; count],
            seen: vec![u64::MAX; count],
            games_with: vec![0; count],
            game: 0,
        }
    }

    /// Adds the counts of the latest move.
    #[inline]
    fn commit(&mut self) {
        for &index in &self.latest {
            let index = index as usize;
            self.sums[index] += 1;
            if self.seen[index] != self.game {
                self.seen[index] = self.game;
                self.games_with[index] += 1;
            }
        }
        self.latest.clear();
    }

    /// Ends a game: a move that ended in a fault has not happened.
    fn end(&mut self, broken: bool) {
        if broken {
            self.latest.clear();
        }
        self.commit();
    }
}

/// The move at a place in the order of moves.
fn nth<M: Copy>(moves: &mut [(u64, M)], place: usize) -> Option<M> {
    if place >= moves.len() {
        return None;
    }
    let (_, (_, mv), _) = moves.select_nth_unstable_by_key(place, |(order, _)| *order);
    Some(*mv)
}

/// Plays the games of some numbers and counts.
pub fn simulate_streams<G: MoveArgs + Observe>(
    game: &G,
    start: &G::State,
    job: &Job,
    games: Range<u64>,
    statistics: &mut Statistics,
) {
    let info = game.info();
    *statistics = Statistics::new(info);
    let mut counting = Counting::new(info);
    let mut results = ChanceList::new();
    let mut moves = MoveList::new();
    let mut order = Vec::new();
    let mut meters = Vec::new();
    for number in games {
        counting.game = number;
        let mut state = start.clone();
        let mut source = Source::new(job, number);
        let mut stops = 0;
        let outcome = loop {
            let mv = match game.turn(&state) {
                Turn::Over => break game.outcome(&state),
                _ if stops == job.limit => break None,
                Turn::Chance => {
                    results.clear();
                    game.chance_outcomes(&state, &mut results);
                    let mut rest = source.below(results.total());
                    let found = results.iter().find(|(_, weight)| {
                        let found = rest < *weight;
                        rest = rest.wrapping_sub(*weight);
                        found
                    });
                    found.map(|(mv, _)| *mv)
                }
                Turn::Decide(_) => {
                    moves.clear();
                    if let Err(fault) = game.legal_moves(&state, &mut moves) {
                        break Some(Outcome::fault(fault));
                    }
                    order.clear();
                    order.extend(moves.iter().map(|mv| (game.move_order(*mv), *mv)));
                    nth(&mut order, source.below(moves.len() as u64) as usize)
                }
            };
            let Some(mv) = mv else {
                break game.outcome(&state);
            };
            stops += 1;
            counting.commit();
            match G::COUNTS {
                true => game.play(&mut state, mv, &mut counting),
                false => game.play(&mut state, mv, &mut Silent),
            }
        };
        let broken = outcome.is_some_and(|outcome| matches!(outcome.reason, Reason::Fault(_)));
        counting.end(broken);
        meters.clear();
        game.meters(&state, &mut meters);
        if !broken {
            for (histogram, value) in statistics.meters.iter_mut().zip(&meters) {
                *histogram.entry(*value).or_default() += 1;
            }
        }
        statistics.results.add(outcome);
        if job.rows {
            statistics.rows.push(Row {
                game: number,
                outcome,
                meters: meters.clone(),
            });
        }
    }
    let (mut sums, mut with) = (counting.sums.iter(), counting.games_with.iter());
    for cell in statistics.counters.iter_mut().flatten() {
        *cell = sums.next().copied().unwrap_or(0);
    }
    for cell in statistics.games_with.iter_mut().flatten() {
        *cell = with.next().copied().unwrap_or(0);
    }
}

/// Simulates games on some threads; `progress` is told how many are finished.
pub fn simulate<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &Job,
    games: u64,
    threads: usize,
    progress: Progress<'_>,
) -> Statistics {
    let play = |streams: Range<u64>| {
        let mut part = Statistics::default();
        start.simulate(job, streams, &mut part);
        part
    };
    let add = |(total, progress): &mut (Statistics, Progress<'_>), part: Statistics| {
        total.merge(part);
        progress.go_on(total.results.total())
    };
    let sum = (Statistics::new(start.info()), progress);
    let ((mut statistics, _), spent) = in_shares(threads, games, None, sum, &play, &add);
    statistics.spent.merge(spent);
    statistics.rows.sort_by_key(|row| row.game);
    statistics
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting() -> Counting {
        Counting {
            begins: vec![0, 2],
            latest: Vec::new(),
            sums: vec![0; 3],
            seen: vec![u64::MAX; 3],
            games_with: vec![0; 3],
            game: 0,
        }
    }

    #[test]
    fn games_are_counted_once_and_events_as_often_as_they_happen() {
        let mut counting = counting();
        for (game, members) in [(0, [1, 1]), (1, [1, 0])] {
            counting.game = game;
            for member in members {
                counting.count(0, member);
                counting.commit();
            }
            counting.end(false);
        }
        counting.count(1, 0);
        counting.end(false);
        assert_eq!(counting.sums, [1, 3, 1]);
        assert_eq!(counting.games_with, [1, 2, 1]);
    }

    #[test]
    fn a_move_that_ends_in_a_fault_counts_nothing() {
        let mut counting = counting();
        counting.count(0, 0);
        counting.commit();
        counting.count(0, 1);
        counting.end(true);
        counting.end(false);
        assert_eq!(counting.sums, [1, 0, 0]);
        assert_eq!(counting.games_with, [1, 0, 0]);
    }
}
