//! Where bots think: beside requests, never before them, and each in its turn.
//!
//! A search gets a thread of its own with a low priority, so that a request that comes in while all processors think is
//! answered at once. So many at most run at a time; the others wait in a queue. A search that has run for a while lets the
//! first of those that wait go on, so that a search of ten minutes does not keep a hundred quick ones waiting.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::problem::Problem;

/// Time that a search runs before it lets others go on.
const SLICE: Duration = Duration::from_millis(50);
/// The most searches that may wait when a request asks for one more.
const MOST_WAITING: u64 = 256;

/// The threads that think.
#[derive(Clone)]
pub(crate) struct Thinkers {
    queue: Arc<Queue>,
}

/// Who runs and who waits. Turns are numbers that are given in the order of asking.
struct Queue {
    state: Mutex<Line>,
    moved: Condvar,
}

struct Line {
    /// How many more may run.
    free: usize,
    /// The number of the next that asks, and of the next that runs.
    last: u64,
    first: u64,
}

impl Queue {
    fn line(&self) -> std::sync::MutexGuard<'_, Line> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is the turn of who asks now.
    fn enter(&self) {
        let mut line = self.line();
        let mine = line.last;
        line.last += 1;
        while line.free == 0 || line.first != mine {
            line = self
                .moved
                .wait(line)
                .unwrap_or_else(PoisonError::into_inner);
        }
        line.free -= 1;
        line.first += 1;
        drop(line);
        // With several free at once, the next one may run too.
        self.moved.notify_all();
    }

    fn leave(&self) {
        self.line().free += 1;
        self.moved.notify_all();
    }

    fn somebody_waits(&self) -> bool {
        self.waiting() > 0
    }

    fn waiting(&self) -> u64 {
        let line = self.line();
        line.last - line.first
    }
}

/// The right to think.
pub(crate) struct Turns {
    queue: Option<Arc<Queue>>,
    since: Instant,
    /// Nobody waits for the result any more.
    gone: Arc<AtomicBool>,
}

/// Whoever waits for a result: says so when it goes away.
struct Waits(Arc<AtomicBool>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Turns {
    /// For what is so quick that nobody has to wait for it.
    pub(crate) fn free() -> Turns {
        Turns {
            queue: None,
            since: Instant::now(),
            gone: Arc::default(),
        }
    }

    fn take(queue: &Arc<Queue>, gone: Arc<AtomicBool>) -> Turns {
        queue.enter();
        Turns {
            queue: Some(Arc::clone(queue)),
            since: Instant::now(),
            gone,
        }
    }

    /// Lets others go on where it has been a while; comes back when it is this one's turn again. False when nobody waits
    /// for the result any more.
    pub(crate) fn pass(&mut self) -> bool {
        if let Some(queue) = &self.queue
            && self.since.elapsed() >= SLICE
        {
            if queue.somebody_waits() {
                queue.leave();
                queue.enter();
            }
            self.since = Instant::now();
        }
        !self.gone.load(Ordering::Relaxed)
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        if let Some(queue) = &self.queue {
            queue.leave();
        }
    }
}

impl Thinkers {
    /// So many think at a time, one at least.
    pub(crate) fn new(count: usize) -> Thinkers {
        Thinkers {
            queue: Arc::new(Queue {
                state: Mutex::new(Line {
                    free: count.max(1),
                    last: 0,
                    first: 0,
                }),
                moved: Condvar::new(),
            }),
        }
    }

    /// Carries out work that thinks, unless too many wait already.
    ///
    /// # Errors
    /// When there is no place in the queue.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Turns) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        match self.queue.waiting() < MOST_WAITING {
            true => self.think(work).await,
            false => Err(Problem::new(
                503,
                "busy",
                "too many wait for a search already; ask again later",
            )),
        }
    }

    /// Carries out work that thinks.
    ///
    /// # Errors
    /// When it breaks off, or the machine has no thread for it.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Turns) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (tell, told) = oneshot::channel();
        let queue = Arc::clone(&self.queue);
        let gone = Arc::new(AtomicBool::new(false));
        let _waits = Waits(Arc::clone(&gone));
        let thread = std::thread::Builder::new().name("thinker".to_owned());
        let spawned = thread.spawn(move || {
            step_back();
            let mut turns = Turns::take(&queue, gone);
            if tell.is_closed() {
                return;
            }
            let result = work(&mut turns);
            drop(turns);
            // Whoever asked may be gone.
            let _ = tell.send(result);
        });
        let failed = |_| Problem::new(500, "failed", "the request could not be carried out");
        spawned.map_err(|error| {
            Problem::new(503, "busy", format!("no thread to think in: {error}"))
        })?;
        told.await.map_err(failed)
    }
}

/// How much nicer than requests: about a ninth of their share where both want a processor, and never before them.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Gives this thread a low priority, where threads have their own.
fn step_back() {
    // Without it the thread is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_long_search_lets_others_go_on() {
        let thinkers = Thinkers::new(1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let done = Arc::new(AtomicUsize::new(0));
        runtime.block_on(async {
            let at = Arc::clone(&done);
            // It ends only when ten others, which begin after it, have had their turn.
            let long = thinkers.think(move |turns| {
                while at.load(Ordering::SeqCst) < 10 {
                    turns.pass();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let quick = async {
                for _ in 0..10 {
                    let at = Arc::clone(&done);
                    let told = thinkers.think(move |_| at.fetch_add(1, Ordering::SeqCst));
                    assert!(told.await.is_ok());
                }
            };
            let (long, ()) = tokio::join!(long, quick);
            assert!(long.is_ok());
        });
        // A search that breaks off is an error, and its turn is free again.
        runtime.block_on(async {
            let broken: Result<(), Problem> = thinkers.think(|_| panic!("on purpose")).await;
            assert_eq!(broken.err().map(|problem| problem.status), Some(500));
            assert_eq!(thinkers.think(|_| 7).await.ok(), Some(7));
        });
    }
}
