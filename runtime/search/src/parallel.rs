//! Threads and clocks.

use std::{
    fs,
    ops::Range,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// Runs `work` on so many threads, this one among them, and returns when all are done.
///
/// Where the system gives no more threads, fewer do the work.
pub(crate) fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// The same for work that has to know how many threads there are: it is told its number among them and how many the system gave.
pub(crate) fn on_known_threads(threads: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    let given: OnceLock<usize> = OnceLock::new();
    let given = &given;
    thread::scope(|scope| {
        let mut count = 1;
        while count < threads {
            let index = count;
            let begin = move || work(index, *given.wait());
            if thread::Builder::new().spawn_scoped(scope, begin).is_err() {
                break;
            }
            count += 1;
        }
        work(0, *given.get_or_init(|| count));
    });
}

/// Games that a thread takes at once, at most, and the time that they should take.
const LARGEST_SHARE: u64 = 1 << 14;
const SHARE_TIME: Duration = Duration::from_millis(20);

/// Does the work of the numbers below `count` on some threads, in shares of neighbours that grow while they are quick.
///
/// `work` does a share, and `add` adds what it made to the sum and tells whether to go on. Nothing but the first share is begun
/// after the deadline: a thread may get its turn only then. Gives the sum and the time of all threads.
pub(crate) fn in_shares<T, S: Send>(
    threads: usize,
    count: u64,
    deadline: Option<Instant>,
    sum: S,
    work: &(dyn Fn(Range<u64>) -> T + Sync),
    add: &(dyn Fn(&mut S, T) -> bool + Sync),
) -> (S, Spent) {
    let next = AtomicU64::new(0);
    let shared = Mutex::new((sum, Spent::default()));
    on_threads(threads.max(1), &|| {
        let watch = Stopwatch::start();
        let mut share = 1;
        loop {
            let first = next.fetch_add(share, Relaxed).min(count);
            let last = (first + share).min(count);
            let late = || first > 0 && deadline.is_some_and(|end| Instant::now() >= end);
            if first == last || late() {
                break;
            }
            let begun = Instant::now();
            let part = work(first..last);
            share = match begun.elapsed() < SHARE_TIME {
                true => (share * 2).min(LARGEST_SHARE),
                false => (share / 2).max(1),
            };
            if !add(&mut lock(&shared).0, part) {
                next.store(count, Relaxed);
            }
        }
        lock(&shared).1.merge(watch.spent());
    });
    shared.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The number of threads that the machine runs at once.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get())
}

/// Locks; a panic elsewhere ends the program anyhow, so a poisoned lock needs no second report.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time that work took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Seconds that passed, summed over threads.
    pub wall: f64,
    /// Seconds of processor time, summed over threads; `None` where the system does not tell.
    pub cpu: Option<f64>,
}

impl Spent {
    /// The seconds that speeds refer to: processor time where it is known.
    pub fn seconds(&self) -> f64 {
        self.cpu.unwrap_or(self.wall)
    }

    /// Which clock [`Spent::seconds`] reads: `cpu` or `wall`.
    pub fn clock(&self) -> &'static str {
        if self.cpu.is_some() { "cpu" } else { "wall" }
    }

    /// Adds the time of other work.
    pub fn merge(&mut self, other: Spent) {
        if self.wall == 0.0 {
            *self = other;
        } else if other.wall > 0.0 {
            self.wall += other.wall;
            self.cpu = self.cpu.zip(other.cpu).map(|(a, b)| a + b);
        }
    }
}

/// Measures the work of one thread.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    wall: Instant,
    cpu: Option<u64>,
}

impl Stopwatch {
    /// Starts measuring this thread.
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu: thread_nanoseconds(),
        }
    }

    /// What this thread spent since the start. Processor time is told only for work that is long enough for it.
    pub fn spent(&self) -> Spent {
        let wall = self.wall.elapsed().as_secs_f64();
        let both = self
            .cpu
            .zip(thread_nanoseconds())
            .filter(|_| wall >= SHORTEST);
        Spent {
            wall,
            cpu: both.map(|(start, now)| now.saturating_sub(start) as f64 * 1e-9),
        }
    }
}

/// Seconds of work for which processor time, which is counted in ticks of some milliseconds, is exact enough.
const SHORTEST: f64 = 0.1;

/// Processor time of this thread so far, exact to a tick, where Linux tells it.
fn thread_nanoseconds() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let fields: Vec<u64> = text
        .split_ascii_whitespace()
        .map_while(|f| f.parse().ok())
        .collect();
    match fields[..] {
        // A running thread has had a time slice; a kernel that counts nothing shows none.
        [running, _, slices, ..] if slices > 0 => Some(running),
        _ => None,
    }
}
