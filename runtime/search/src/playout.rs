//! Random games and their statistics.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use rulec_core::{ChoiceSet, Game, MoveList, Playout, PlayoutSums, RandomStreams};

use crate::{AnyState, Progress, ResultCounts, Spent, parallel::in_shares};

/// Which random games to play. Game `i` draws from `Rng::new(seed, i)`, whatever thread plays it.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutJob {
    /// The run seed.
    pub seed: u64,
    /// Plies after which a game is stopped.
    pub limit: u32,
    /// The moves that are drawn from.
    pub choices: ChoiceSet,
}

/// Statistics of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How the games ended.
    pub results: ResultCounts,
    /// Plies, summed over the games.
    pub plies: u64,
    /// Legal moves, summed over the plies at which they were counted.
    pub moves: u64,
    /// Plies at which the legal moves were counted.
    pub counted: u64,
    /// Plies of the shortest game.
    pub shortest: Option<u32>,
    /// Plies of the longest game.
    pub longest: u32,
    /// Time of all threads.
    pub spent: Spent,
}

impl Tally {
    /// Counts one game.
    pub fn add(&mut self, game: &Playout) {
        self.results.add(game.outcome);
        self.plies += u64::from(game.plies);
        self.moves += game.moves;
        self.counted += u64::from(game.counted);
        self.shortest = Some(self.shortest.map_or(game.plies, |n| n.min(game.plies)));
        self.longest = self.longest.max(game.plies);
    }

    fn add_sums(&mut self, sums: &PlayoutSums) {
        self.results.merge(&sums.results());
        self.plies += sums.plies;
        self.moves += sums.moves;
        self.counted += sums.counted;
        if sums.shortest <= sums.longest {
            self.shortest = Some(
                self.shortest
                    .map_or(sums.shortest, |n| n.min(sums.shortest)),
            );
        }
        self.longest = self.longest.max(sums.longest);
    }

    /// Adds the games of `other`.
    pub fn merge(&mut self, other: &Tally) {
        self.results.merge(&other.results);
        self.plies += other.plies;
        self.moves += other.moves;
        self.counted += other.counted;
        self.shortest = self.shortest.into_iter().chain(other.shortest).min();
        self.longest = self.longest.max(other.longest);
        self.spent.merge(other.spent);
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.total()
    }

    /// Mean number of plies of a game.
    pub fn mean_length(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }
}

/// Plays the games of some streams from `start` and counts them.
pub fn play_streams<G: Game>(
    game: &G,
    start: &G::State,
    job: &PlayoutJob,
    streams: Range<u64>,
    tally: &mut Tally,
) {
    let mut buffer = MoveList::new();
    let mut sums = PlayoutSums::default();
    let games = RandomStreams {
        seed: job.seed,
        streams,
        limit: job.limit,
        choices: job.choices,
    };
    game.random_playouts(start, &games, &mut buffer, &mut sums);
    tally.add_sums(&sums);
}

/// When to stop playing random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After so many games.
    Games(u64),
    /// After so much time.
    Time(Duration),
}

/// Plays random games on some threads. The statistics, times aside, depend only on the job and on the number of
/// games played.
///
/// `progress` is told the number of finished games.
pub fn playouts<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &PlayoutJob,
    until: Until,
    threads: usize,
    progress: Progress<'_>,
) -> Tally {
    let (games, deadline) = match until {
        Until::Games(games) => (games, None),
        Until::Time(time) => (u64::MAX, Instant::now().checked_add(time)),
    };
    let play = |streams: Range<u64>| {
        let mut tally = Tally::default();
        start.playouts(job, streams, &mut tally);
        tally
    };
    let add = |(total, progress): &mut (Tally, Progress<'_>), tally: Tally| {
        total.merge(&tally);
        progress.go_on(total.games())
    };
    let sum = (Tally::default(), progress);
    let ((mut tally, _), spent) = in_shares(threads, games, deadline, sum, &play, &add);
    tally.spent.merge(spent);
    tally
}
