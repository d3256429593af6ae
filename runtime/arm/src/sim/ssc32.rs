//! A simulated SSC-32.

use std::time::Duration;

use super::{Device, Outbox, Slide, Trouble};
use crate::Ssc32Profile;
use crate::driver::ssc32::Channel;

const CHANNELS: usize = 32;
/// What a command without a time takes, and a servo whose place the controller does not know.
const JUMP: Duration = Duration::from_millis(300);
const DELAY: Duration = Duration::from_micros(100);

/// A simulated SSC-32 with an arm on it.
pub struct Ssc32Device {
    profile: Ssc32Profile,
    version: String,
    line: Vec<u8>,
    /// Where the servos are, as pulses.
    servos: Vec<Slide>,
    /// The pulses that were asked for last.
    pulses: Vec<i32>,
    /// Whether the controller sends a pulse.
    driven: Vec<bool>,
    /// Servos that something blocks; the controller does not know.
    stuck: Vec<bool>,
    busy: Duration,
    out: Outbox,
    violations: Vec<String>,
}

impl Ssc32Device {
    /// A controller that just got its power; the arm lies somewhere.
    pub fn new(profile: Ssc32Profile, version: &str) -> Ssc32Device {
        Ssc32Device {
            profile,
            version: version.to_owned(),
            line: Vec::new(),
            servos: vec![Slide::at_rest(1400.0); CHANNELS],
            pulses: vec![0; CHANNELS],
            driven: vec![false; CHANNELS],
            stuck: vec![false; CHANNELS],
            busy: Duration::ZERO,
            out: Outbox::default(),
            violations: Vec::new(),
        }
    }

    fn command(&mut self, line: &str, now: Duration) {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let line = line.to_ascii_uppercase();
        if line == "VER" {
            let answer = format!("{}\r", self.version);
            self.out.push(now, answer);
        } else if line == "Q" {
            let moving = now < self.busy;
            self.out.push(now, if moving { "+" } else { "." });
        } else if let Some(channel) = line.strip_prefix("QP").and_then(channel) {
            let pulse = match self.driven[channel] {
                // A blocked servo gets its pulses all the same.
                true if self.stuck[channel] => f64::from(self.pulses[channel]),
                true => self.servos[channel].value(now),
                false => 0.0,
            };
            self.out
                .push(now + DELAY, vec![(pulse / 10.0).round() as u8]);
        } else if let Some(channel) = line.strip_prefix("STOP").and_then(channel) {
            // The controller goes on saying that it moves until the time of the motion is over.
            self.servos[channel].stop(now);
        } else if line.starts_with('#') {
            self.group(&line, now);
        }
    }

    /// A group of servos that move together; a group that cannot be read is ignored as a whole.
    fn group(&mut self, line: &str, now: Duration) {
        let Some((moves, time)) = group(line) else {
            return;
        };
        for &(channel, pulse) in &moves {
            if pulse == 0 {
                self.driven[channel] = false;
                self.servos[channel].stop(now);
                continue;
            }
            self.check(channel, pulse);
            let known = std::mem::replace(&mut self.driven[channel], true);
            let time = match known {
                true => time.unwrap_or(JUMP),
                false => time.unwrap_or(JUMP).min(JUMP),
            };
            self.pulses[channel] = pulse;
            if !self.stuck[channel] {
                self.servos[channel].go(f64::from(pulse), now, time);
            }
        }
        if moves.iter().any(|(_, pulse)| *pulse != 0) {
            self.busy = now + time.unwrap_or(JUMP);
        }
    }

    fn check(&mut self, channel: usize, pulse: i32) {
        let joint = self
            .profile
            .joints
            .iter()
            .find(|joint| usize::from(joint.number) == channel);
        let range = match joint {
            Some(joint) => joint.min..=joint.max,
            None => 500..=2500,
        };
        if !range.contains(&pulse) {
            self.violations
                .push(format!("channel {channel}: pulse {pulse}"));
        }
    }

    fn gripper(&self, now: Duration) -> f64 {
        self.servos[usize::from(self.profile.gripper)].value(now)
    }
}

fn channel(text: &str) -> Option<usize> {
    text.parse().ok().filter(|channel| *channel < CHANNELS)
}

/// Channels with their pulses, and the time of the whole motion.
type Group = (Vec<(usize, i32)>, Option<Duration>);

/// The servos and pulses of `#0P1500#1P1600T3000`, and the time.
fn group(line: &str) -> Option<Group> {
    let (line, time) = match line.split_once('T') {
        Some((head, ms)) => (head, Some(Duration::from_millis(ms.parse().ok()?))),
        None => (line, None),
    };
    let mut moves = Vec::new();
    for part in line.split('#').skip(1) {
        let (number, pulse) = part.split_once('P')?;
        let pulse = pulse.split('S').next()?;
        moves.push((channel(number)?, pulse.parse().ok()?));
    }
    Some((moves, time))
}

impl Device for Ssc32Device {
    fn receive(&mut self, bytes: &[u8], now: Duration) {
        for byte in bytes {
            match byte {
                b'\r' => {
                    let line =
                        String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                    self.command(&line, now);
                }
                // A controller has little memory for a line.
                other if self.line.len() < 512 => self.line.push(*other),
                _ => self.line.clear(),
            }
        }
    }

    fn output(&mut self, now: Duration) -> Vec<u8> {
        self.out.take(now)
    }

    fn due(&self) -> Option<Duration> {
        self.out.due()
    }

    fn joints(&self, now: Duration) -> Vec<f64> {
        let angle =
            |joint: &Channel| joint.angle(self.servos[usize::from(joint.number)].value(now));
        self.profile.joints.iter().map(angle).collect()
    }

    fn is_gripping(&self, now: Duration) -> bool {
        let middle = f64::from(self.profile.closed + self.profile.open) / 2.0;
        self.driven[usize::from(self.profile.gripper)] && self.gripper(now) > middle
    }

    fn is_moving(&self, now: Duration) -> bool {
        self.servos.iter().any(|servo| servo.is_moving(now))
    }

    /// This controller knows nothing of its servos: one that is blocked or too hot just stays where it is.
    fn suffer(&mut self, trouble: Trouble, now: Duration) {
        match trouble {
            Trouble::Reboot => {
                self.servos.iter_mut().for_each(|servo| servo.stop(now));
                self.driven.fill(false);
                self.stuck.fill(false);
                self.busy = now;
                self.line.clear();
                self.out.restart();
            }
            Trouble::Overload(joint) | Trouble::Hot(joint) => {
                let channel = self
                    .profile
                    .joints
                    .get(joint)
                    .map(|j| usize::from(j.number));
                if let Some(channel) = channel {
                    self.servos[channel].stop(now);
                    self.stuck[channel] = true;
                }
            }
            Trouble::Mute => self.out.silence(),
        }
    }

    fn violations(&self) -> &[String] {
        &self.violations
    }
}
