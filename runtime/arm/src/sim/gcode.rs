//! A simulated controller that speaks a dialect of G-code.

use std::time::Duration;

use super::{Device, Outbox, Slide, Trouble};
use crate::GcodeProfile;

const ANSWER: Duration = Duration::from_millis(2);

/// A simulated controller with an arm on it.
pub struct GcodeDevice {
    profile: GcodeProfile,
    axes: Vec<Slide>,
    gripping: bool,
    alarm: bool,
    line: Vec<u8>,
    out: Outbox,
    violations: Vec<String>,
}

impl GcodeDevice {
    /// A controller that just got its power.
    pub fn new(profile: GcodeProfile) -> GcodeDevice {
        GcodeDevice {
            axes: profile
                .home_at
                .iter()
                .map(|at| Slide::at_rest(*at))
                .collect(),
            profile,
            gripping: false,
            alarm: false,
            line: Vec::new(),
            out: Outbox::default(),
            violations: Vec::new(),
        }
    }

    fn say(&mut self, text: &str, now: Duration) {
        self.out.push(now + ANSWER, format!("{text}\n"));
    }

    fn command(&mut self, line: &str, now: Duration) {
        let numbered = !self.profile.prefix.is_empty();
        let (number, line) = match line.strip_prefix('#').filter(|_| numbered) {
            Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
            None => ("", line),
        };
        let reply = self.profile.reply.replace("{n}", number);
        let known = |lines: &[String]| lines.iter().any(|own| own == line);
        if self.alarm && line != "$H" && line != "$X" && line != "M50" {
            let refusal = self.profile.errors[0].clone();
            return self.say(&format!("{reply}{refusal}9"), now);
        }
        if line == self.profile.idle.ask {
            let moving = self.is_moving(now);
            let idle = &self.profile.idle;
            let text = if moving { &idle.moves } else { &idle.rests };
            let text = format!("{reply}{} {text}", self.profile.ok);
            return self.say(&text, now);
        }
        if known(&self.profile.home) {
            self.alarm = false;
            let home = self.profile.home_at.clone();
            self.go(
                &home,
                Duration::from_secs(self.profile.home_seconds / 2),
                now,
            );
        } else if known(&self.profile.close) {
            self.gripping = true;
        } else if known(&self.profile.open) {
            self.gripping = false;
        } else if known(&self.profile.disable) {
            self.axes.iter_mut().for_each(|axis| axis.stop(now));
        } else if line.contains("G0 ") || line.contains("G1 ") {
            self.travel(line, now);
        }
        let ok = format!("{reply}{}", self.profile.ok);
        self.say(&ok, now);
    }

    fn travel(&mut self, line: &str, now: Duration) {
        let word = |letter: char| {
            let found = line.split(' ').find_map(|word| word.strip_prefix(letter));
            found.and_then(|number| number.parse::<f64>().ok())
        };
        let to: Vec<f64> = ['X', 'Y', 'Z'].into_iter().filter_map(word).collect();
        if to.len() != self.axes.len() {
            return;
        }
        let ranges = match self.profile.to_point {
            Some(_) => &self.profile.space,
            None => &self.profile.angles,
        };
        let outside = to
            .iter()
            .zip(ranges)
            .any(|(value, (min, max))| !(*min..=*max).contains(value));
        if outside {
            self.violations.push(line.to_owned());
        }
        let way = self.axes.iter().zip(&to);
        let way: f64 = way.map(|(axis, to)| (axis.value(now) - to).powi(2)).sum();
        let speed = word('F').unwrap_or(1000.0).max(1.0) / 60.0;
        self.go(&to, Duration::from_secs_f64(way.sqrt() / speed), now);
    }

    fn go(&mut self, to: &[f64], time: Duration, now: Duration) {
        for (axis, to) in self.axes.iter_mut().zip(to) {
            axis.go(*to, now, time);
        }
    }

    fn byte(&mut self, byte: u8, now: Duration) {
        let idle = self.profile.idle.clone();
        match byte {
            b'\n' => {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                self.command(line.trim(), now);
            }
            b'?' if !idle.line => {
                let text = match (self.alarm, self.is_moving(now)) {
                    (true, _) => idle.alarm.unwrap_or(idle.moves),
                    (false, true) => idle.moves,
                    (false, false) => idle.rests,
                };
                self.say(&format!("{text},MPos:0,0,0>"), now);
            }
            b'!' | 0x18 => {
                self.axes.iter_mut().for_each(|axis| axis.stop(now));
                self.alarm = true;
            }
            _ if self.line.len() < 256 => self.line.push(byte),
            _ => self.line.clear(),
        }
    }
}

impl Device for GcodeDevice {
    fn receive(&mut self, bytes: &[u8], now: Duration) {
        bytes.iter().for_each(|byte| self.byte(*byte, now));
    }

    fn output(&mut self, now: Duration) -> Vec<u8> {
        self.out.take(now)
    }

    fn due(&self) -> Option<Duration> {
        self.out.due()
    }

    fn joints(&self, now: Duration) -> Vec<f64> {
        let axes: Vec<f64> = self.axes.iter().map(|axis| axis.value(now)).collect();
        match (&self.profile.to_point, &axes[..]) {
            (Some(_), [x, y, z]) => vec![-y / 10.0 + 0.0, x / 10.0, z / 10.0],
            _ => axes,
        }
    }

    fn is_gripping(&self, _: Duration) -> bool {
        self.gripping
    }

    fn is_moving(&self, now: Duration) -> bool {
        self.axes.iter().any(|axis| axis.is_moving(now))
    }

    fn suffer(&mut self, trouble: Trouble, now: Duration) {
        match trouble {
            Trouble::Reboot => {
                self.axes.iter_mut().for_each(|axis| axis.stop(now));
                self.gripping = false;
                self.alarm = false;
                self.line.clear();
                self.out.restart();
                if let Some(greeting) = self.profile.restarts.first().cloned() {
                    self.say(&greeting, now);
                }
            }
            Trouble::Overload(_) | Trouble::Hot(_) => {
                self.axes.iter_mut().for_each(|axis| axis.stop(now));
                self.alarm = true;
            }
            Trouble::Mute => self.out.silence(),
        }
    }

    fn violations(&self) -> &[String] {
        &self.violations
    }
}
