//! Simulated controllers: what answers on the other end of a line, with a model of where the joints are, and with
//! everything that goes wrong with real ones.

mod gcode;
mod ssc32;
mod sts;
mod wire;

use std::time::Duration;

pub use gcode::GcodeDevice;
pub use ssc32::Ssc32Device;
pub use sts::StsDevice;
pub use wire::{Saboteur, SimLink, WireFault, serve};

/// Something that goes wrong inside a controller or an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It starts anew: motors off, poses forgotten; whatever else was wrong is over.
    Reboot,
    /// A joint is blocked by a load.
    Overload(usize),
    /// A joint gets too hot.
    Hot(usize),
    /// It says nothing any more until it starts anew.
    Mute,
}

/// A simulated controller with its arm.
pub trait Device: Send {
    /// Takes what came over the line.
    fn receive(&mut self, bytes: &[u8], now: Duration);

    /// Gives what is to go back by now.
    fn output(&mut self, now: Duration) -> Vec<u8>;

    /// When the next output is due, if something is under way.
    fn due(&self) -> Option<Duration>;

    /// Where the joints are (of cartesian arms the coordinates in centimetres, as [`Point`](crate::Point) counts them).
    fn joints(&self, now: Duration) -> Vec<f64>;

    /// Whether the gripper is closed, or closing and more than half closed.
    fn is_gripping(&self, now: Duration) -> bool;

    /// Whether anything moves.
    fn is_moving(&self, now: Duration) -> bool;

    /// Something goes wrong.
    fn suffer(&mut self, trouble: Trouble, now: Duration);

    /// Moves that were ordered beyond what the arm may do, for people; there should be none.
    fn violations(&self) -> &[String];
}

/// Something that goes from one value to another at constant speed.
#[derive(Clone, Copy, Debug)]
struct Slide {
    from: f64,
    to: f64,
    start: Duration,
    end: Duration,
}

impl Slide {
    fn at_rest(value: f64) -> Slide {
        Slide {
            from: value,
            to: value,
            start: Duration::ZERO,
            end: Duration::ZERO,
        }
    }

    fn value(&self, now: Duration) -> f64 {
        if now >= self.end {
            return self.to;
        }
        let whole = (self.end - self.start).as_secs_f64();
        let part = now.saturating_sub(self.start).as_secs_f64() / whole;
        self.from + (self.to - self.from) * part
    }

    fn is_moving(&self, now: Duration) -> bool {
        now < self.end
    }

    fn go(&mut self, to: f64, now: Duration, time: Duration) {
        *self = Slide {
            from: self.value(now),
            to,
            start: now,
            end: now + time,
        };
    }

    fn stop(&mut self, now: Duration) {
        *self = Slide::at_rest(self.value(now));
    }
}

/// Output that is not due yet.
#[derive(Debug, Default)]
struct Outbox {
    waiting: Vec<(Duration, Vec<u8>)>,
    mute: bool,
}

impl Outbox {
    fn push(&mut self, at: Duration, bytes: impl Into<Vec<u8>>) {
        if !self.mute {
            self.waiting.push((at, bytes.into()));
        }
    }

    fn take(&mut self, now: Duration) -> Vec<u8> {
        let mut out = Vec::new();
        while self.waiting.first().is_some_and(|(at, _)| *at <= now) {
            out.extend(self.waiting.remove(0).1);
        }
        out
    }

    fn due(&self) -> Option<Duration> {
        self.waiting.first().map(|(at, _)| *at)
    }

    fn silence(&mut self) {
        self.mute = true;
        self.waiting.clear();
    }

    fn restart(&mut self) {
        *self = Outbox::default();
    }
}
