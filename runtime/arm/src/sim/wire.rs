//! Lines to simulated controllers, on which bytes get lost.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Device;
use crate::{Clock, Link, SharedClock};

/// What goes wrong with an answer on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFault {
    /// It is lost.
    Lost,
    /// A bit of its middle byte is turned.
    Corrupt,
    /// Its second half is lost.
    Half,
    /// Noise comes in its place.
    Garbage,
    /// It comes late by so much.
    Late(Duration),
    /// The cable is pulled out.
    Unplugged,
}

/// What happens to the next answers, for whoever lets things go wrong while a line is in use.
#[derive(Clone, Debug, Default)]
pub struct Saboteur {
    state: Arc<Mutex<Sabotage>>,
}

#[derive(Debug, Default)]
struct Sabotage {
    next: VecDeque<WireFault>,
    unplugged: bool,
}

impl Saboteur {
    /// This happens to the answer after those that have something happen to them already.
    pub fn strike(&self, fault: WireFault) {
        locked(&self.state).next.push_back(fault);
    }

    /// Plugs the cable in again and leaves everything alone from now on.
    pub fn repent(&self) {
        *locked(&self.state) = Sabotage::default();
    }

    fn pull(&self) {
        locked(&self.state).unplugged = true;
    }

    fn is_unplugged(&self) -> bool {
        locked(&self.state).unplugged
    }

    fn next(&self) -> Option<WireFault> {
        locked(&self.state).next.pop_front()
    }
}

type Watcher<D> = Box<dyn FnMut(&mut D, Duration) + Send>;

/// A line to a simulated controller.
pub struct SimLink<D> {
    device: Arc<Mutex<D>>,
    clock: SharedClock,
    plan: VecDeque<(u64, WireFault)>,
    answers: u64,
    late: Vec<(Duration, Vec<u8>)>,
    saboteur: Saboteur,
    watcher: Option<Watcher<D>>,
}

fn locked<D>(device: &Mutex<D>) -> MutexGuard<'_, D> {
    device.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<D: Device> SimLink<D> {
    /// A line to a controller that others may look at too.
    pub fn new(device: Arc<Mutex<D>>, clock: SharedClock) -> SimLink<D> {
        SimLink {
            device,
            clock,
            plan: VecDeque::new(),
            answers: 0,
            late: Vec::new(),
            saboteur: Saboteur::default(),
            watcher: None,
        }
    }

    /// Lets things go wrong: with the answer of that number, from 0.
    pub fn with_faults(mut self, plan: impl IntoIterator<Item = (u64, WireFault)>) -> SimLink<D> {
        self.plan = plan.into_iter().collect();
        self
    }

    /// Who lets things go wrong on this line while it is in use.
    pub fn saboteur(&self) -> Saboteur {
        self.saboteur.clone()
    }

    /// Calls `watcher` whenever the line is used, so that a simulated table can follow the arm.
    pub fn watched(mut self, watcher: impl FnMut(&mut D, Duration) + Send + 'static) -> SimLink<D> {
        self.watcher = Some(Box::new(watcher));
        self
    }

    fn watch(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            watcher(&mut locked(&self.device), self.clock.now());
        }
    }

    fn check(&self) -> io::Result<()> {
        match self.saboteur.is_unplugged() {
            true => Err(io::Error::new(io::ErrorKind::BrokenPipe, "unplugged")),
            false => Ok(()),
        }
    }

    /// An answer after what happens to it on its way.
    fn deliver(&mut self, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let number = self.answers;
        self.answers += 1;
        let now = self.clock.now();
        let mut faults: Vec<WireFault> = self.saboteur.next().into_iter().collect();
        while let Some((_, fault)) = self.plan.pop_front_if(|(at, _)| *at <= number) {
            faults.push(fault);
        }
        for fault in faults {
            match fault {
                WireFault::Lost => bytes.clear(),
                WireFault::Corrupt => {
                    let middle = bytes.len() / 2;
                    if let Some(byte) = bytes.get_mut(middle) {
                        *byte ^= 0x10;
                    }
                }
                WireFault::Half => bytes.truncate(bytes.len() / 2),
                WireFault::Garbage => bytes = vec![0x00, 0xfe, 0x17, 0x80, 0x0d, 0x3f],
                WireFault::Late(time) => self.late.push((now + time, std::mem::take(&mut bytes))),
                WireFault::Unplugged => {
                    self.saboteur.pull();
                    self.check()?;
                }
            }
        }
        Ok(bytes)
    }

    fn overdue(&mut self) -> Vec<u8> {
        let now = self.clock.now();
        let (due, later) = std::mem::take(&mut self.late)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        self.late = later;
        let due: Vec<(Duration, Vec<u8>)> = due;
        due.into_iter().flat_map(|(_, bytes)| bytes).collect()
    }
}

impl<D: Device> Link for SimLink<D> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        locked(&self.device).receive(bytes, self.clock.now());
        self.watch();
        Ok(())
    }

    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()> {
        self.check()?;
        let end = self.clock.now() + wait;
        loop {
            self.watch();
            let now = self.clock.now();
            let mut bytes = self.overdue();
            let fresh = locked(&self.device).output(now);
            if !fresh.is_empty() {
                bytes.extend(self.deliver(fresh)?);
            }
            if !bytes.is_empty() {
                into.extend(bytes);
                return Ok(());
            }
            if now >= end {
                return Ok(());
            }
            let due = locked(&self.device).due().into_iter();
            let next = due.chain(self.late.iter().map(|(at, _)| *at)).min();
            let until = next.filter(|at| *at > now).map_or(end, |at| at.min(end));
            self.clock.sleep(until - now);
        }
    }
}

/// Lets a controller answer on a stream, such as the other end of a pseudo-terminal, until the stream fails or `stop`
/// says so.
pub fn serve<D: Device>(
    device: &Mutex<D>,
    stream: &mut (impl Read + Write),
    clock: &dyn Clock,
    mut tamper: impl FnMut(Vec<u8>) -> Vec<u8>,
    stop: impl Fn() -> bool,
) -> io::Result<()> {
    let mut buffer = [0; 256];
    while !stop() {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => locked(device).receive(&buffer[..count], clock.now()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        let out = locked(device).output(clock.now());
        if !out.is_empty() {
            stream.write_all(&tamper(out))?;
            stream.flush()?;
        }
    }
    Ok(())
}
