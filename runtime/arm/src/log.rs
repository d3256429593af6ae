//! What went over a line, as a record that can be played back.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Link, SharedClock};

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To the controller.
    Tx,
    /// From the controller.
    Rx,
    /// The line failed.
    Lost,
}

/// Bytes that went over a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When, in microseconds since the beginning of the clock.
    pub micros: u64,
    /// Which way.
    pub way: Direction,
    /// The bytes in hex; of a lost line the message.
    pub bytes: String,
}

/// Bytes in hex without blanks.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| {
        text.get(at..at + 2)
            .and_then(|two| u8::from_str_radix(two, 16).ok())
    };
    match text.len() % 2 {
        0 => (0..text.len()).step_by(2).map(digit).collect(),
        _ => None,
    }
}

impl Entry {
    /// The bytes that went; nothing for a lost line or a record that is damaged.
    pub fn raw(&self) -> Option<Vec<u8>> {
        match self.way {
            Direction::Lost => None,
            Direction::Tx | Direction::Rx => unhex(&self.bytes),
        }
    }
}

/// A record that grows, shared with whoever writes it down.
#[derive(Clone, Debug, Default)]
pub struct WireLog {
    entries: Arc<Mutex<Vec<Entry>>>,
}

impl WireLog {
    /// An empty record.
    pub fn new() -> WireLog {
        WireLog::default()
    }

    fn push(&self, entry: Entry) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
    }

    /// Takes what was recorded since the last time.
    pub fn take(&self) -> Vec<Entry> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut entries)
    }
}

/// A line that writes down what goes over it.
pub struct Recorder<L> {
    inner: L,
    clock: SharedClock,
    log: WireLog,
}

impl<L: Link> Recorder<L> {
    /// Records what goes over `inner`.
    pub fn new(inner: L, clock: SharedClock, log: WireLog) -> Recorder<L> {
        Recorder { inner, clock, log }
    }

    fn note(&self, way: Direction, bytes: String) {
        let micros = u64::try_from(self.clock.now().as_micros()).unwrap_or(u64::MAX);
        self.log.push(Entry { micros, way, bytes });
    }
}

impl<L: Link> Link for Recorder<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.note(Direction::Tx, hex(bytes));
        self.inner
            .send(bytes)
            .inspect_err(|error| self.note(Direction::Lost, error.to_string()))
    }

    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()> {
        let before = into.len();
        let result = self.inner.receive(into, wait);
        match &result {
            Ok(()) if into.len() > before => self.note(Direction::Rx, hex(&into[before..])),
            Ok(()) => {}
            Err(error) => self.note(Direction::Lost, error.to_string()),
        }
        result
    }
}

/// A line that answers as a record says, and fails where something else is sent than was.
pub struct Replay {
    entries: Vec<Entry>,
    next: usize,
    clock: SharedClock,
}

impl Replay {
    /// Plays a record back. The clock should be one that only moves when waited on.
    pub fn new(entries: Vec<Entry>, clock: SharedClock) -> Replay {
        Replay {
            entries,
            next: 0,
            clock,
        }
    }

    /// Entries that were not played yet.
    pub fn left(&self) -> usize {
        self.entries.len() - self.next
    }
}

impl Link for Replay {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let sent = hex(bytes);
        match self.entries.get(self.next) {
            Some(entry) if entry.way == Direction::Tx && entry.bytes == sent => {
                self.next += 1;
                match self.entries.get(self.next) {
                    // The record of a send that failed.
                    Some(lost) if lost.way == Direction::Lost && lost.micros == entry.micros => {
                        self.next += 1;
                        Err(io::Error::other(lost.bytes.clone()))
                    }
                    _ => Ok(()),
                }
            }
            expected => {
                let expected = expected.map_or("nothing more".to_owned(), |e| e.bytes.clone());
                let message =
                    format!("the record goes on with {expected}, but {sent} was to be sent");
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }

    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()> {
        let now = self.clock.now();
        match self.entries.get(self.next) {
            Some(entry) if entry.way != Direction::Tx => {
                let at = Duration::from_micros(entry.micros);
                if at > now + wait {
                    self.clock.sleep(wait);
                    return Ok(());
                }
                self.clock.sleep(at.saturating_sub(now));
                self.next += 1;
                match (entry.way, unhex(&entry.bytes)) {
                    (Direction::Rx, Some(bytes)) => {
                        into.extend(bytes);
                        Ok(())
                    }
                    _ => Err(io::Error::other(entry.bytes.clone())),
                }
            }
            _ => {
                self.clock.sleep(wait);
                Ok(())
            }
        }
    }
}
