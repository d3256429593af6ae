//! Counting how games end, and how long they are.

use std::collections::BTreeMap;

use crate::{Fault, Outcome, Playout, Reason};

/// How often each result occurred. Equal games give equal counts in whatever order they are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Sorted by `order`.
    counts: Vec<(Option<Outcome>, u64)>,
}

impl ResultCounts {
    /// Counts one game; `None` is one that was stopped at a limit.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        self.add_many(outcome, 1);
    }

    /// Counts `n` games that ended alike.
    pub fn add_many(&mut self, outcome: Option<Outcome>, n: u64) {
        if n == 0 {
            return;
        }
        match self.counts.iter_mut().find(|(o, _)| *o == outcome) {
            Some((_, count)) => *count = count.saturating_add(n),
            None => {
                let at = self
                    .counts
                    .partition_point(|(o, _)| order(*o) < order(outcome));
                self.counts.insert(at, (outcome, n));
            }
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.merge_times(other, 1);
    }

    /// Adds the counts of `other`, each `times` times.
    pub fn merge_times(&mut self, other: &Self, times: u64) {
        for &(outcome, n) in &other.counts {
            self.add_many(outcome, n.saturating_mul(times));
        }
    }

    /// Number of games counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, n)| n).sum()
    }

    /// Number of games whose outcome satisfies `test`; `None` is a game stopped at a limit.
    pub fn count(&self, test: impl Fn(Option<Outcome>) -> bool) -> u64 {
        self.counts
            .iter()
            .filter(|(o, _)| test(*o))
            .map(|(_, n)| n)
            .sum()
    }

    /// The faults that ended games, and how often.
    pub fn faults(&self) -> impl Iterator<Item = (Fault, u64)> {
        self.counts
            .iter()
            .filter_map(|(outcome, n)| match outcome.map(|o| o.reason) {
                Some(Reason::Fault(fault)) => Some((fault, *n)),
                _ => None,
            })
    }

    /// The mean payoff of one player; games stopped at a limit count as if nobody had won.
    pub fn mean_payoff(&self, player: usize) -> f64 {
        let payoff = |o: Option<Outcome>| o.map_or(0.5, |o| o.payoff(player));
        let sum: f64 = self
            .counts
            .iter()
            .map(|(o, n)| payoff(*o) * *n as f64)
            .sum();
        sum / self.total().max(1) as f64
    }

    /// The counts by the labels of the results ([`Outcome::label`]), `limit` for games stopped there.
    pub fn by_label(&self) -> BTreeMap<String, u64> {
        let mut labels = BTreeMap::new();
        for (outcome, n) in &self.counts {
            let label = outcome.map_or_else(|| "limit".to_owned(), |o| o.label());
            *labels.entry(label).or_insert(0) += n;
        }
        labels
    }
}

/// Sums over random games: how they ended, and how long they were.
///
/// Made for games of a few moves, which take no longer than it takes to look for their result among all: counts of a few
/// results wait in slots, each till another result needs it.
#[derive(Clone, Debug)]
pub struct PlayoutSums {
    waiting: [(Option<Outcome>, u64); SLOTS],
    results: ResultCounts,
    /// Moves played, draws not counted.
    pub plies: u64,
    /// Legal moves, summed over the plies at which they were counted.
    pub moves: u64,
    /// Plies at which the legal moves were counted.
    pub counted: u64,
    /// Plies of the shortest game; `u32::MAX` if there was none.
    pub shortest: u32,
    /// Plies of the longest game.
    pub longest: u32,
}

const SLOTS: usize = 8;

impl Default for PlayoutSums {
    fn default() -> Self {
        Self {
            waiting: [(None, 0); SLOTS],
            results: ResultCounts::default(),
            plies: 0,
            moves: 0,
            counted: 0,
            shortest: u32::MAX,
            longest: 0,
        }
    }
}

impl PlayoutSums {
    /// Adds a game.
    #[inline(always)]
    pub fn add(&mut self, game: &Playout) {
        let slot = game.outcome.map_or(SLOTS - 1, |o| {
            o.winners as usize + usize::from(o.reason != Reason::Win) * 4
        });
        let (held, count) = &mut self.waiting[slot % SLOTS];
        if *held != game.outcome {
            self.results.add_many(*held, *count);
            (*held, *count) = (game.outcome, 0);
        }
        *count += 1;
        self.plies += u64::from(game.plies);
        self.moves += game.moves;
        self.counted += u64::from(game.counted);
        self.shortest = self.shortest.min(game.plies);
        self.longest = self.longest.max(game.plies);
    }

    /// How the games ended.
    pub fn results(&self) -> ResultCounts {
        let mut results = self.results.clone();
        for (outcome, count) in self.waiting {
            results.add_many(outcome, count);
        }
        results
    }
}

/// A fixed order of results.
fn order(outcome: Option<Outcome>) -> (&'static str, u16, u64) {
    let Some(Outcome { reason, winners }) = outcome else {
        return ("", 0, 0);
    };
    let site = match reason {
        Reason::Fault(fault) => fault.site,
        _ => 0,
    };
    (reason.word(), site, winners)
}
