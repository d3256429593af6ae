//! Requests with deadlines over a line that an emergency stop can use at any time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Fault, Link, SharedClock, Stop};

/// The emergency stop: once set it stays so until it is cleared on purpose.
#[derive(Clone, Debug, Default)]
pub struct Latch {
    set: Arc<AtomicBool>,
}

impl Latch {
    /// A latch that is not set.
    pub fn new() -> Latch {
        Latch::default()
    }

    /// Sets it.
    pub fn set(&self) {
        self.set.store(true, Ordering::SeqCst);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.set.load(Ordering::SeqCst)
    }

    /// Clears it.
    pub fn clear(&self) {
        self.set.store(false, Ordering::SeqCst);
    }
}

/// How often and how long a request waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    /// How often it is asked at most, at least once.
    pub count: u8,
    /// How long is waited for each answer.
    pub wait: Duration,
}

impl Tries {
    /// Asks three times and waits so many milliseconds each time.
    pub const fn of_ms(ms: u64) -> Tries {
        Tries {
            count: 3,
            wait: Duration::from_millis(ms),
        }
    }

    /// Asks once only: for what must not be done twice.
    pub const fn once(self) -> Tries {
        Tries { count: 1, ..self }
    }
}

/// What the bytes that have come so far mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// More must come.
    More,
    /// This.
    Done(T),
    /// They are no answer.
    Bad,
    /// The controller says that something is wrong.
    Fault(Fault),
}

/// Longest piece of waiting during which nobody else can use the line, so that a stop is never held up longer.
const SLICE: Duration = Duration::from_millis(20);
/// More input than this without an answer in it is noise.
const NOISE: usize = 4096;

type SharedLink = Arc<Mutex<Box<dyn Link>>>;

/// A line shared with the emergency stop.
pub struct Port {
    link: SharedLink,
    clock: SharedClock,
    latch: Latch,
}

fn locked(link: &SharedLink) -> MutexGuard<'_, Box<dyn Link>> {
    link.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Port {
    /// A port over a line.
    pub fn new(link: Box<dyn Link>, clock: SharedClock) -> Port {
        Port {
            link: Arc::new(Mutex::new(link)),
            clock,
            latch: Latch::new(),
        }
    }

    /// The latch that refuses what moves the arm.
    pub fn latch(&self) -> Latch {
        self.latch.clone()
    }

    /// The clock of deadlines.
    pub fn clock(&self) -> &SharedClock {
        &self.clock
    }

    /// Sends a command that has no answer.
    ///
    /// # Errors
    /// When the line is gone or the latch is set.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if self.latch.is_set() {
            return Err(Fault::EStop);
        }
        let sent = locked(&self.link).send(bytes);
        sent.map_err(|error| Fault::of_io(&error))
    }

    /// Sends a request and waits for its answer, again if none comes or it makes no sense.
    ///
    /// What came before is thrown away: a late answer to an earlier request is none to this one.
    ///
    /// # Errors
    /// When the line is gone, the latch is set, no answer comes in time, or it is a fault.
    pub fn request<T>(
        &mut self,
        what: &'static str,
        bytes: &[u8],
        tries: Tries,
        parse: &mut dyn FnMut(&[u8]) -> Answer<T>,
    ) -> Result<T, Fault> {
        let mut last = None;
        for _ in 0..tries.count.max(1) {
            self.discard()?;
            self.send(bytes)?;
            match self.answer(what, tries, parse) {
                Err(fault) if fault.is_passing() => last = Some(fault),
                result => return result,
            }
        }
        Err(last.unwrap_or(Fault::Timeout {
            what,
            after: tries.wait,
            tries: tries.count,
        }))
    }

    fn answer<T>(
        &mut self,
        what: &'static str,
        tries: Tries,
        parse: &mut dyn FnMut(&[u8]) -> Answer<T>,
    ) -> Result<T, Fault> {
        let end = self.clock.now() + tries.wait;
        let mut input = Vec::new();
        loop {
            match parse(&input) {
                Answer::Done(value) => return Ok(value),
                Answer::Fault(fault) => return Err(fault),
                Answer::Bad => return Err(Fault::BadFrame { what, bytes: input }),
                Answer::More if input.len() > NOISE => {
                    return Err(Fault::BadFrame { what, bytes: input });
                }
                Answer::More => {}
            }
            let left = end.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Err(match input.is_empty() {
                    true => Fault::Timeout {
                        what,
                        after: tries.wait,
                        tries: tries.count,
                    },
                    false => Fault::BadFrame { what, bytes: input },
                });
            }
            let received = locked(&self.link).receive(&mut input, left.min(SLICE));
            received.map_err(|error| Fault::of_io(&error))?;
            if self.latch.is_set() {
                return Err(Fault::EStop);
            }
        }
    }

    /// Throws away what has come and nobody asked for; gives it for those who look for messages in it.
    ///
    /// # Errors
    /// When the line is gone.
    pub fn discard(&mut self) -> Result<Vec<u8>, Fault> {
        let mut input = Vec::new();
        let received = locked(&self.link).receive(&mut input, Duration::ZERO);
        received.map_err(|error| Fault::of_io(&error))?;
        Ok(input)
    }

    /// What stops the arm from any thread, by the bytes that `bytes` gives.
    pub(crate) fn stopper(
        &self,
        bytes: impl Fn(Stop) -> Vec<Vec<u8>> + Send + Sync + 'static,
    ) -> Stopper {
        Stopper {
            link: Arc::clone(&self.link),
            latch: self.latch.clone(),
            bytes: Arc::new(bytes),
        }
    }
}

/// Stops an arm, from any thread and without its driver.
#[derive(Clone)]
pub struct Stopper {
    link: SharedLink,
    latch: Latch,
    bytes: Arc<dyn Fn(Stop) -> Vec<Vec<u8>> + Send + Sync>,
}

impl Stopper {
    /// Sets the latch and sends what stops the arm.
    ///
    /// # Errors
    /// When the line is gone; the latch is set all the same.
    pub fn stop(&self, how: Stop) -> Result<(), Fault> {
        self.latch.set();
        self.send(how)
    }

    /// What is sent to stop the arm.
    pub fn bytes(&self, how: Stop) -> Vec<Vec<u8>> {
        (self.bytes)(how)
    }

    /// Sends what stops the arm and leaves the latch alone.
    pub(crate) fn send(&self, how: Stop) -> Result<(), Fault> {
        let mut link = locked(&self.link);
        for bytes in (self.bytes)(how) {
            link.send(&bytes).map_err(|error| Fault::of_io(&error))?;
        }
        Ok(())
    }
}
