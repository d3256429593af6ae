//! Counting how games end.

use std::collections::BTreeMap;

use rulec_core::{Fault, Outcome, Reason};

/// How often each result occurred. Equal games give equal counts in whatever order they are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Sorted by `order`.
    counts: Vec<(Option<Outcome>, u64)>,
}

/// Counts of a few results that wait to be added: games of a few moves would spend their time looking for their result.
#[derive(Debug, Default)]
pub(crate) struct RecentResults([(Option<Outcome>, u64); RecentResults::SLOTS]);

impl RecentResults {
    const SLOTS: usize = 8;

    /// Counts one game; another result that has the same slot goes to `counts` first.
    #[inline(always)]
    pub(crate) fn add(&mut self, outcome: Option<Outcome>, counts: &mut ResultCounts) {
        let slot = outcome.map_or(Self::SLOTS - 1, |o| {
            o.winners as usize + usize::from(o.reason != Reason::Win) * 4
        });
        let (held, count) = &mut self.0[slot % Self::SLOTS];
        if *held != outcome {
            counts.add_many(*held, *count);
            (*held, *count) = (outcome, 0);
        }
        *count += 1;
    }

    /// Adds what waits.
    pub(crate) fn add_to(self, counts: &mut ResultCounts) {
        for (outcome, count) in self.0 {
            counts.add_many(outcome, count);
        }
    }
}

impl ResultCounts {
    /// Counts one game; `None` is one that was stopped at a limit.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        self.add_many(outcome, 1);
    }

    /// Counts `n` games that ended alike.
    pub(crate) fn add_many(&mut self, outcome: Option<Outcome>, n: u64) {
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
    pub(crate) fn merge_times(&mut self, other: &Self, times: u64) {
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
