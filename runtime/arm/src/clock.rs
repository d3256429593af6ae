//! Time: the real one, and one that only moves when somebody waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tells the time since some beginning, and waits.
pub trait Clock: Send + Sync {
    /// Time since the beginning.
    fn now(&self) -> Duration;

    /// Waits for so long.
    fn sleep(&self, time: Duration);
}

/// A clock that several parts of a program look at.
pub type SharedClock = Arc<dyn Clock>;

/// The clock on the wall; it begins when it is made.
#[derive(Debug)]
pub struct RealClock {
    start: Instant,
}

impl RealClock {
    /// A clock that begins now.
    pub fn shared() -> SharedClock {
        Arc::new(RealClock {
            start: Instant::now(),
        })
    }
}

impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// A clock that moves by as much as somebody waits, at once: hours of simulated motion take no time.
#[derive(Clone, Debug, Default)]
pub struct SimClock {
    micros: Arc<AtomicU64>,
}

impl SimClock {
    /// A clock that stands at 0.
    pub fn new() -> SimClock {
        SimClock::default()
    }

    /// The same clock for those who ask for any.
    pub fn shared(&self) -> SharedClock {
        Arc::new(self.clone())
    }
}

impl Clock for SimClock {
    fn now(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::SeqCst))
    }

    fn sleep(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
    }
}
