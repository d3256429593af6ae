//! Games between computer players, counted and recorded.
//!
//! Game `i` depends on the job and on `i` alone, so records are the same for any number of threads, any division in shards and any
//! interruption. Players with a time are the exception.

mod book;
mod choose;
mod flight;
mod folder;
mod images;
mod play;
mod record;
mod samples;
mod sketch;
mod told;
mod traits;

use std::{
    collections::BTreeMap,
    io,
    ops::Range,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

pub use book::{Opening, read_book};
pub use choose::{Noise, Temperature};
pub use folder::{Place, Shards, is_complete, play_to_files};
pub use images::Images;
pub use samples::{Samples, cell_bytes, is_complete as samples_are_complete, planes_json};
pub use sketch::Sketch;
pub use told::ToldGames;
pub use traits::Traits;

use flight::Flight;
use play::{Keep, Played, play};

use crate::{
    AnyState, Bot, Progress, ResultCounts, Stopwatch,
    parallel::{lock, on_threads},
    playout::Tally,
};

/// How games are played. Game `i` depends on it and on `i` alone, unless a player is bound by time.
pub struct SelfplayJob<'g> {
    /// The run seed.
    pub seed: u64,
    /// Plies after which a game is stopped.
    pub limit: u32,
    /// Who plays, from player 1 on and then again from the first; at least one.
    pub bots: Vec<Bot>,
    /// Who sits where in each game of a round, by number of the bot; the games of a round begin alike. Nothing where every bot
    /// keeps its seat.
    pub seats: Vec<Vec<usize>>,
    /// How boldly moves are drawn from what searches find.
    pub temperature: Temperature,
    /// Noise in that.
    pub noise: Option<Noise>,
    /// Games begin with these in turn; with the start of the game if there are none.
    pub openings: Vec<Opening<'g>>,
    /// Random plies before the bots begin, least and greatest number.
    pub random_plies: (u32, u32),
}

/// The games of a round in which every bot has every seat as often, and every two that meet do so both ways.
///
/// All choices of bots for the seats are taken; with more than two seats each in turn from every one of them on, and backwards.
pub fn all_seats(bots: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut chosen = vec![Vec::new()];
    for bot in 0..bots {
        let more = chosen.iter().filter(|row: &&Vec<usize>| row.len() < seats);
        let more: Vec<Vec<usize>> = more.map(|row| [&row[..], &[bot]].concat()).collect();
        chosen.extend(more);
    }
    chosen.retain(|row| row.len() == seats);
    chosen.sort();
    let mut rows = Vec::new();
    for row in chosen {
        let turned = |row: &[usize], by: usize| [&row[by..], &row[..by]].concat();
        rows.extend((0..seats).map(|by| turned(&row, by)));
        if seats > 2 {
            let back: Vec<usize> = row.iter().rev().copied().collect();
            rows.extend((0..seats).map(|by| turned(&back, by)));
        }
    }
    rows
}

/// As many games as there are bots, in which each has every seat once, the next bot always to the left.
pub fn rotated_seats(bots: usize, seats: usize) -> Vec<Vec<usize>> {
    let bots = bots.max(1);
    let row = |shift: usize| (0..seats).map(|seat| (seat + shift) % bots).collect();
    (0..bots).map(row).collect()
}

impl SelfplayJob<'_> {
    /// The bot that has a seat in a game.
    pub fn bot(&self, game: u64, seat: usize) -> usize {
        let row = game.checked_rem(self.seats.len() as u64);
        let taken = row.and_then(|row| self.seats[row as usize].get(seat));
        taken.copied().unwrap_or(seat % self.bots.len().max(1))
    }

    /// The number of the round of a game: games of a round begin alike, with other seats.
    pub fn round(&self, game: u64) -> u64 {
        game / (self.seats.len() as u64).max(1)
    }
}

/// The statistics of self-play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfplayReport {
    /// Of all games.
    pub tally: Tally,
    /// The results of each bot in each seat.
    pub bots: Vec<Vec<ResultCounts>>,
    /// Games that are repetitions of others. Nothing is counted where moves are not kept.
    pub repeated: Sketch,
    /// What the games were like, where that is asked for.
    pub traits: Traits,
}

impl SelfplayReport {
    fn new(seats: usize, bots: usize) -> Self {
        Self {
            bots: vec![vec![ResultCounts::default(); seats]; bots],
            ..Self::default()
        }
    }

    /// The mean payoff of a bot over its seats and games.
    pub fn mean_payoff(&self, bot: usize) -> f64 {
        let seats = &self.bots[bot];
        let sum = |(seat, results): (usize, &ResultCounts)| {
            results.mean_payoff(seat) * results.total() as f64
        };
        let sum: f64 = seats.iter().enumerate().map(sum).sum();
        let total: u64 = seats.iter().map(ResultCounts::total).sum();
        sum / total.max(1) as f64
    }

    fn add(
        &mut self,
        job: &SelfplayJob<'_>,
        index: u64,
        playout: &rulec_core::Playout,
        key: Option<u64>,
    ) {
        self.tally.add(playout);
        let seats = self.bots.first().map_or(0, Vec::len);
        for seat in 0..seats {
            self.bots[job.bot(index, seat)][seat].add(playout.outcome);
        }
        if let Some(key) = key {
            self.repeated.add(key);
        }
    }
}

/// Takes finished games in their order.
pub trait Sink: Send {
    /// The next game.
    ///
    /// # Errors
    /// When it cannot be kept: then no more games are played.
    fn game(&mut self, game: Finished) -> io::Result<()>;
}

/// A finished game.
pub struct Finished {
    /// Number of the game.
    pub index: u64,
    /// How long it was and how it ended.
    pub playout: rulec_core::Playout,
    /// Its record; empty unless moves are kept.
    pub line: String,
    /// Its training samples; empty unless they are kept.
    pub samples: Samples,
}

/// Games that a thread takes at once at most, and the time that they should take.
const LARGEST_BLOCK: u64 = 256;
const BLOCK_TIME: Duration = Duration::from_millis(10);

/// Blocks of games that may wait for an earlier one, for each thread.
const AHEAD: usize = 16;

struct Shared<'s> {
    report: SelfplayReport,
    /// Games that are finished, those of earlier runs among them.
    done: u64,
    /// The position of the next block in its turn.
    next: u64,
    waiting: BTreeMap<u64, (u64, Vec<Finished>)>,
    /// Whether a thread is writing; it writes all blocks whose turn comes meanwhile.
    writing: bool,
    failure: Option<io::Error>,
    progress: Progress<'s>,
    stopped: bool,
}

/// Plays games between bots on some threads.
///
/// # Errors
/// When writing a file fails.
pub fn selfplay<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    games: Range<u64>,
    threads: usize,
    progress: Progress<'_>,
) -> io::Result<SelfplayReport> {
    let keep = Keep {
        moves: false,
        samples: false,
        traits: false,
    };
    let seats = start.info().players.len();
    let report = SelfplayReport::new(seats, job.bots.len());
    run(start, job, &[games], threads, keep, None, report, progress)
}

/// As [`selfplay`], and finds out what the games are like.
///
/// # Errors
/// None but that `progress` stops it.
pub fn watch<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    games: Range<u64>,
    threads: usize,
    progress: Progress<'_>,
) -> io::Result<SelfplayReport> {
    let keep = Keep {
        moves: true,
        samples: false,
        traits: true,
    };
    let seats = start.info().players.len();
    let report = SelfplayReport::new(seats, job.bots.len());
    run(start, job, &[games], threads, keep, None, report, progress)
}

/// As [`selfplay`], and tells of every game in its order.
///
/// # Errors
/// Those of `sink`.
pub fn selfplay_with<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    games: Range<u64>,
    threads: usize,
    sink: &mut dyn Sink,
    progress: Progress<'_>,
) -> io::Result<SelfplayReport> {
    let keep = Keep {
        moves: false,
        samples: false,
        traits: false,
    };
    let seats = start.info().players.len();
    let report = SelfplayReport::new(seats, job.bots.len());
    run(
        start,
        job,
        &[games],
        threads,
        keep,
        Some(sink),
        report,
        progress,
    )
}

/// Plays the games of some ranges and adds them to the report; each goes to the sink in its order.
#[expect(
    clippy::too_many_arguments,
    reason = "one call, one caller for each kind of output"
)]
fn run<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    ranges: &[Range<u64>],
    threads: usize,
    keep: Keep,
    sink: Option<&mut dyn Sink>,
    report: SelfplayReport,
    progress: Progress<'_>,
) -> io::Result<SelfplayReport> {
    let info = start.info();
    let threads = threads.max(1);
    let run = Run {
        start,
        job,
        ranges,
        total: ranges.iter().map(|r| r.end.saturating_sub(r.start)).sum(),
        keep,
        in_flight: flight::games_in_flight(job, info),
        threads,
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        sinks: sink.is_some(),
        sink: Mutex::new(sink),
        shared: Mutex::new(Shared {
            done: report.tally.games(),
            report,
            next: 0,
            waiting: BTreeMap::new(),
            writing: false,
            failure: None,
            progress,
            stopped: false,
        }),
        turn: Condvar::new(),
    };
    on_threads(threads, &|| {
        let watch = Stopwatch::start();
        let mut part = SelfplayReport::new(info.players.len(), job.bots.len());
        match run.in_flight {
            1 => run.play_blocks(&mut part),
            _ => run.play_together(&mut part),
        }
        part.tally.spent = watch.spent();
        if flight::judges_elsewhere(job, info) {
            part.tally.spent.cpu = None;
        }
        lock(&run.shared).report.merge(&part);
    });
    let shared = run.shared.into_inner();
    let shared = shared.unwrap_or_else(PoisonError::into_inner);
    match shared.failure {
        Some(failure) => Err(failure),
        None if shared.stopped => Err(io::ErrorKind::Interrupted.into()),
        None => Ok(shared.report),
    }
}

/// What the threads that play games have in common.
struct Run<'r, 'g, 's, 'k> {
    start: &'r (dyn AnyState<'g> + 'g),
    job: &'r SelfplayJob<'g>,
    ranges: &'r [Range<u64>],
    /// Games of all ranges.
    total: u64,
    keep: Keep,
    /// Games that a thread plays at the same time.
    in_flight: usize,
    threads: usize,
    /// The position among all games of the next one that nobody plays yet.
    next: AtomicU64,
    stop: AtomicBool,
    /// Whether somebody takes games.
    sinks: bool,
    sink: Mutex<Option<&'k mut dyn Sink>>,
    shared: Mutex<Shared<'s>>,
    turn: Condvar,
}

impl<'s> Run<'_, '_, 's, '_> {
    /// Plays games one after the other, in blocks of neighbours.
    fn play_blocks(&self, part: &mut SelfplayReport) {
        let mut size = 1;
        while !self.stop.load(Relaxed) {
            let first = self.next.fetch_add(size, Relaxed).min(self.total);
            let last = (first + size).min(self.total);
            if first == last {
                break;
            }
            let begun = Instant::now();
            let mut ready = Vec::new();
            for position in first..last {
                let index = at(self.ranges, position);
                let game = play(self.start, self.job, index, self.keep);
                ready.extend(self.finish(part, index, game));
            }
            size = match begun.elapsed() < BLOCK_TIME {
                true => (size * 2).min(LARGEST_BLOCK),
                false => (size / 2).max(1),
            };
            let guard = lock(&self.shared);
            let guard = wait_while(guard, &self.turn, |s| {
                s.next != first && s.is_full(self.threads * AHEAD)
            });
            self.hand_in(guard, first..last, ready);
        }
    }

    /// Plays games in flight.
    fn play_together(&self, part: &mut SelfplayReport) {
        let most = self.threads * AHEAD * self.in_flight;
        let mut flight = Flight::new(self.start, self.job, self.keep, self.in_flight);
        let mut more = true;
        while !self.stop.load(Relaxed) {
            while more && flight.has_room() {
                let guard = lock(&self.shared);
                if !flight.is_empty() && guard.is_full(most) {
                    break;
                }
                // Who has nothing in flight can wait: an earlier game that the others wait for is another thread's.
                drop(wait_while(guard, &self.turn, |s| s.is_full(most)));
                let position = self.next.fetch_add(1, Relaxed);
                more = position < self.total;
                if more {
                    flight.begin(position, at(self.ranges, position));
                }
            }
            if flight.is_empty() {
                break;
            }
            for (position, game) in flight.go_on() {
                let index = at(self.ranges, position);
                let ready = self.finish(part, index, game).into_iter().collect();
                self.hand_in(lock(&self.shared), position..position + 1, ready);
            }
        }
    }

    /// Counts a game that has ended, and makes of it what the sink takes.
    fn finish(&self, part: &mut SelfplayReport, index: u64, mut game: Played) -> Option<Finished> {
        let key = self
            .keep
            .moves
            .then(|| record::key(game.given.as_deref(), game.moves.iter().map(String::as_str)));
        part.add(self.job, index, &game.playout, key);
        if let Some(traits) = game.traits.take() {
            part.traits.merge(&traits);
        }
        self.sinks.then(|| Finished {
            index,
            playout: game.playout,
            line: match self.keep.moves {
                true => record::line(self.start.info(), self.job, index, &game),
                false => String::new(),
            },
            samples: std::mem::take(&mut game.samples),
        })
    }

    /// Hands in the games of some neighbouring positions; all whose turn has come are written.
    fn hand_in<'m>(
        &'m self,
        mut guard: MutexGuard<'m, Shared<'s>>,
        positions: Range<u64>,
        ready: Vec<Finished>,
    ) {
        guard
            .waiting
            .insert(positions.start, (positions.end, ready));
        guard.done += positions.end - positions.start;
        let done = guard.done;
        let go_on = guard.progress.go_on(done);
        guard.stopped |= !go_on;
        let guard = write_ready(&self.shared, guard, &self.sink, &self.turn);
        self.turn.notify_all();
        if guard.failure.is_some() || guard.stopped {
            self.stop.store(true, Relaxed);
        }
    }
}

fn wait_while<'a, T>(
    guard: MutexGuard<'a, T>,
    turn: &Condvar,
    test: impl Fn(&T) -> bool,
) -> MutexGuard<'a, T> {
    turn.wait_while(guard, |shared| test(shared))
        .unwrap_or_else(PoisonError::into_inner)
}

/// The number at a position of the ranges, one after the other.
fn at(ranges: &[Range<u64>], position: u64) -> u64 {
    let mut rest = position;
    for range in ranges {
        let len = range.end.saturating_sub(range.start);
        if rest < len {
            return range.start + rest;
        }
        rest -= len;
    }
    rest
}

impl Shared<'_> {
    /// Whether so many blocks wait for an earlier one, and shall be written at all.
    fn is_full(&self, most: usize) -> bool {
        self.waiting.len() >= most && self.failure.is_none() && !self.stopped
    }

    /// The block whose turn it is, if it is there.
    fn take_next(&mut self) -> Option<Vec<Finished>> {
        let (last, ready) = self.waiting.remove(&self.next)?;
        self.next = last;
        Some(ready)
    }
}

/// Writes the blocks whose turn has come, unless another thread does. Nobody waits for the disk but the one who writes.
fn write_ready<'m, 's>(
    shared: &'m Mutex<Shared<'s>>,
    mut guard: MutexGuard<'m, Shared<'s>>,
    sink: &Mutex<Option<&mut (dyn Sink + '_)>>,
    turn: &Condvar,
) -> MutexGuard<'m, Shared<'s>> {
    if guard.writing {
        return guard;
    }
    guard.writing = true;
    while let Some(ready) = guard.take_next() {
        let failed = guard.failure.is_some();
        drop(guard);
        let written = match &mut *lock(sink) {
            Some(sink) if !failed => ready.into_iter().try_for_each(|game| sink.game(game)),
            _ => Ok(()),
        };
        guard = lock(shared);
        if let Err(failure) = written {
            guard.failure.get_or_insert(failure);
        }
        turn.notify_all();
    }
    guard.writing = false;
    guard
}

impl SelfplayReport {
    /// Adds other games of the same job.
    fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        for (seats, others) in self.bots.iter_mut().zip(&other.bots) {
            for (results, other) in seats.iter_mut().zip(others) {
                results.merge(other);
            }
        }
        self.repeated.merge(&other.repeated);
        self.traits.merge(&other.traits);
    }
}
