//! SSC-32 and SSC-32U servo controllers, with the arm of the S3 Games (Lynxmotion AL5D) as the profile.
//!
//! Commands are ASCII and end with a carriage return: `#<channel>P<pulse>[T<ms>]`, several channels as one group.
//! `VER` tells the version, `Q` answers `.` (idle) or `+` (moving), `QP<channel>` one byte, the pulse in units of 10
//! microseconds. `STOP<channel>` stops a servo where it is, `#<channel>P0` releases it. After a stop `Q` goes on saying
//! `+` until the time of the motion is over, so it is not believed then.

use std::time::Duration;

use crate::port::{Answer, Latch, Port, Stopper, Tries};
use crate::{Arm, Caps, Fault, Grip, Ident, Link, Motion, Reading, SharedClock, Stop, Ticket};

/// Pulses of one channel: `neutral + per_degree * angle`, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Number of the channel, 0 to 31.
    pub number: u8,
    /// Pulse of angle 0.
    pub neutral: f64,
    /// Microseconds for each degree, negative where the servo is mounted the other way.
    pub per_degree: f64,
    /// Least pulse.
    pub min: i32,
    /// Greatest pulse.
    pub max: i32,
}

impl Channel {
    /// The pulse of an angle in degrees, cut off towards 0 to whole microseconds, without a bound.
    pub fn free_pulse(&self, angle: f64) -> i32 {
        (self.neutral + self.per_degree * angle) as i32
    }

    /// The pulse of an angle in degrees, brought into the bounds as the original does.
    pub fn pulse(&self, angle: f64) -> i32 {
        self.free_pulse(angle).clamp(self.min, self.max)
    }

    /// The angle of a pulse, in degrees.
    pub fn angle(&self, pulse: f64) -> f64 {
        (pulse - self.neutral) / self.per_degree
    }

    /// Least and greatest angle, in degrees.
    pub fn limits(&self) -> (f64, f64) {
        let ends = [
            self.angle(f64::from(self.min)),
            self.angle(f64::from(self.max)),
        ];
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    }
}

/// An arm on an SSC-32.
#[derive(Clone, Debug, PartialEq)]
pub struct Ssc32Profile {
    /// Name for people.
    pub name: String,
    /// The joints.
    pub joints: Vec<Channel>,
    /// Channel of the gripper.
    pub gripper: u8,
    /// Pulse of the closed gripper.
    pub closed: i32,
    /// Pulse of the open gripper.
    pub open: i32,
    /// Time of a motion of the gripper.
    pub grip_time: Duration,
    /// The pose in which the original starts. Getting there from an unknown pose is a strain.
    pub init: Vec<f64>,
    /// The pose out of the camera's sight. Its angles may lie beyond the bounds; the pulses do not.
    pub home: Vec<f64>,
    /// Time of a motion to [`Ssc32Profile::home`] or [`Ssc32Profile::init`].
    pub home_time: Duration,
}

impl Ssc32Profile {
    /// The arm of the S3 Games of 2013, bit for bit.
    pub fn original() -> Ssc32Profile {
        let joint = |number| Channel {
            number,
            neutral: 1500.0,
            per_degree: 10.0,
            min: 600,
            max: 2400,
        };
        let elbow = Channel {
            neutral: 1800.0,
            per_degree: -10.0,
            min: 900,
            ..joint(2)
        };
        Ssc32Profile {
            name: "Lynxmotion AL5D on SSC-32 (S3 Games 2013)".to_owned(),
            joints: vec![joint(0), joint(1), elbow, joint(3), joint(4)],
            gripper: 5,
            closed: 2000,
            open: 1000,
            grip_time: Duration::from_millis(2000),
            init: vec![0.0; 5],
            home: vec![0.0, 53.0, -76.0, -101.0, 13.0],
            home_time: Duration::from_millis(3000),
        }
    }

    /// The arm of the fork of 2017: a gentler grip, and the hand turned at the start.
    pub fn fork_2017() -> Ssc32Profile {
        Ssc32Profile {
            name: "Lynxmotion AL5D on SSC-32 (S3 Games 2017)".to_owned(),
            closed: 1800,
            init: vec![0.0, 0.0, 0.0, 0.0, 85.0],
            ..Ssc32Profile::original()
        }
    }

    /// The command of a pose without its carriage return, with every pulse in its bounds.
    pub fn pose(&self, angles: &[f64], time: Duration) -> String {
        let servos = self.joints.iter().zip(angles);
        let mut text: String = servos
            .map(|(channel, angle)| format!("#{} P{} ", channel.number, channel.pulse(*angle)))
            .collect();
        text.push_str(&format!("T{}", time.as_millis()));
        text
    }

    /// The first angle that lies beyond its bounds.
    ///
    /// # Errors
    /// [`Fault::Limit`] if there is one, or there are not as many angles as joints.
    pub fn check(&self, angles: &[f64]) -> Result<(), Fault> {
        if angles.len() != self.joints.len() {
            return Err(Fault::Unsupported(
                "take another number of angles than it has joints",
            ));
        }
        for (joint, (channel, angle)) in self.joints.iter().zip(angles).enumerate() {
            let (min, max) = channel.limits();
            if !angle.is_finite() || channel.pulse(*angle) != channel.free_pulse(*angle) {
                return Err(Fault::Limit {
                    joint,
                    asked: *angle,
                    min,
                    max,
                });
            }
        }
        Ok(())
    }

    fn grip(&self, grip: Grip) -> String {
        let pulse = match grip {
            Grip::Close => self.closed,
            Grip::Open => self.open,
        };
        format!("#{} P{pulse} T{}", self.gripper, self.grip_time.as_millis())
    }
}

/// Least share of its time that a motion takes, where the pose changes; less tells of a controller that forgot it.
const EARLY: f64 = 0.9;
const QUERY: Tries = Tries::of_ms(250);
/// A group that takes longer than the controller counts.
const LONGEST: Duration = Duration::from_millis(65_535);

/// An arm on an SSC-32.
pub struct Ssc32 {
    profile: Ssc32Profile,
    caps: Caps,
    port: Port,
    stopper: Stopper,
    enabled: bool,
    /// What was asked last, if the controller knows its pose.
    pose: Option<Vec<f64>>,
    gripped: Option<Grip>,
    motions: u32,
    started: Duration,
    changed: bool,
}

impl Ssc32 {
    /// An arm on a line; nothing is sent yet.
    pub fn new(link: Box<dyn Link>, clock: SharedClock, profile: Ssc32Profile) -> Ssc32 {
        let port = Port::new(link, clock);
        let mut channels: Vec<u8> = profile.joints.iter().map(|joint| joint.number).collect();
        channels.push(profile.gripper);
        let stopper = port.stopper(move |how| vec![stop_bytes(&channels, how)]);
        let caps = Caps {
            name: profile.name.clone(),
            joints: profile.joints.len(),
            limits: profile.joints.iter().map(Channel::limits).collect(),
            cartesian: false,
            feedback: false,
            hold: true,
            limp: true,
        };
        Ssc32 {
            profile,
            caps,
            port,
            stopper,
            enabled: false,
            pose: None,
            gripped: None,
            motions: 0,
            started: Duration::ZERO,
            changed: false,
        }
    }

    /// The profile.
    pub fn profile(&self) -> &Ssc32Profile {
        &self.profile
    }

    /// Goes to the pose in which the original starts, from wherever the arm is.
    ///
    /// # Errors
    /// As [`Arm::home`].
    pub fn init(&mut self) -> Result<Ticket, Fault> {
        let (pose, time) = (self.profile.init.clone(), self.profile.home_time);
        self.go(&pose, time)
    }

    fn go(&mut self, angles: &[f64], time: Duration) -> Result<Ticket, Fault> {
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        if time > LONGEST {
            return Err(Fault::Unsupported("move for longer than 65 seconds"));
        }
        let line = self.profile.pose(angles, time) + "\r";
        // Whether it arrives is unknown until the line has taken it.
        let before = self.pose.take();
        let begun = self.port.clock().now();
        self.port.send(line.as_bytes())?;
        self.changed = before.is_some_and(|before| before != angles);
        self.pose = Some(angles.to_vec());
        Ok(self.ticket(time, begun))
    }

    /// A ticket for a motion that began then at the earliest.
    fn ticket(&mut self, time: Duration, begun: Duration) -> Ticket {
        self.motions = self.motions.wrapping_add(1);
        self.started = begun;
        Ticket {
            number: self.motions,
            time,
        }
    }

    fn lose(&mut self) {
        self.pose = None;
        self.gripped = None;
    }

    /// The pulse of a channel in microseconds, 0 while it has none.
    fn pulse(&mut self, channel: u8) -> Result<u32, Fault> {
        let line = format!("QP{channel}\r");
        let byte = self
            .port
            .request("QP", line.as_bytes(), QUERY, &mut |input| match input {
                [] => Answer::More,
                [byte] => Answer::Done(*byte),
                _ => Answer::Bad,
            })?;
        Ok(u32::from(byte) * 10)
    }
}

fn stop_bytes(channels: &[u8], how: Stop) -> Vec<u8> {
    let line = |channel: &u8| match how {
        Stop::Hold => format!("STOP{channel}\r"),
        Stop::Limp => format!("#{channel}P0\r"),
    };
    channels.iter().map(line).collect::<String>().into_bytes()
}

/// The version ends with a carriage return and is printable.
fn version(input: &[u8]) -> Answer<String> {
    // The original skips bytes of value 255, which some ports deliver at opening.
    let text: Vec<u8> = input.iter().copied().filter(|byte| *byte != 255).collect();
    match text.split_last() {
        Some((b'\r', line)) if line.iter().all(|byte| (b' '..=b'~').contains(byte)) => {
            Answer::Done(String::from_utf8_lossy(line).into_owned())
        }
        _ if text.iter().any(|byte| !matches!(byte, b' '..=b'~' | b'\r')) => Answer::Bad,
        _ => Answer::More,
    }
}

fn is_moving(input: &[u8]) -> Answer<bool> {
    let mut input = input.iter().filter(|byte| **byte != 255);
    match (input.next(), input.next()) {
        (None, _) => Answer::More,
        (Some(b'.'), None) => Answer::Done(false),
        (Some(b'+'), None) => Answer::Done(true),
        _ => Answer::Bad,
    }
}

impl Arm for Ssc32 {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn connect(&mut self) -> Result<Ident, Fault> {
        self.enabled = false;
        self.lose();
        let firmware = self
            .port
            .request("VER", b"VER\r", Tries::of_ms(500), &mut version)?;
        match firmware.starts_with("SSC32") {
            true => Ok(Ident { firmware }),
            false => Err(Fault::WrongDevice(firmware)),
        }
    }

    /// The controller has no switch for its motors: they hold from the first pulse on.
    fn enable(&mut self, on: bool) -> Result<(), Fault> {
        if self.port.latch().is_set() && on {
            return Err(Fault::EStop);
        }
        self.enabled = on;
        if !on {
            self.lose();
            self.stopper.send(Stop::Limp)?;
        }
        Ok(())
    }

    fn home(&mut self) -> Result<Ticket, Fault> {
        let (pose, time) = (self.profile.home.clone(), self.profile.home_time);
        self.go(&pose, time)
    }

    fn move_joints(&mut self, angles: &[f64], time: Duration) -> Result<Ticket, Fault> {
        self.profile.check(angles)?;
        if self.enabled && self.pose.is_none() {
            return Err(Fault::NotCalibrated);
        }
        self.go(angles, time)
    }

    fn grip(&mut self, grip: Grip) -> Result<Ticket, Fault> {
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        let line = self.profile.grip(grip) + "\r";
        let begun = self.port.clock().now();
        self.port.send(line.as_bytes())?;
        self.changed = self.gripped.is_some_and(|before| before != grip);
        self.gripped = Some(grip);
        let time = self.profile.grip_time;
        Ok(self.ticket(time, begun))
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Motion, Fault> {
        if self.pose.is_none() {
            return Err(Fault::NotCalibrated);
        }
        let moving = self.port.request("Q", b"Q\r", QUERY, &mut is_moving);
        if moving.is_err() {
            self.lose();
        }
        if moving? {
            return Ok(Motion::Moving);
        }
        // The answer may have been long on its way, or be that to a question that was asked again.
        let ran = self.port.clock().now().saturating_sub(self.started);
        let early = ran < ticket.time.mul_f64(EARLY);
        if self.changed && early && ticket.number == self.motions {
            self.lose();
            return Err(Fault::Rebooted);
        }
        Ok(Motion::Done)
    }

    /// What pulses the controller sends: it does not know where the servos are, but forgets the pulses with its power.
    fn read(&mut self) -> Result<Reading, Fault> {
        let channels: Vec<Channel> = self.profile.joints.clone();
        let mut joints = Vec::new();
        for channel in &channels {
            let pulse = self.pulse(channel.number)?;
            if pulse == 0 && self.pose.is_some() {
                self.lose();
                return Err(Fault::Rebooted);
            }
            joints.push(channel.angle(f64::from(pulse)));
        }
        if self.gripped.is_some() && self.pulse(self.profile.gripper)? == 0 {
            self.lose();
            return Err(Fault::Rebooted);
        }
        Ok(Reading {
            joints: Some(joints),
            ..Reading::default()
        })
    }

    fn stop(&mut self, how: Stop) -> Result<(), Fault> {
        self.lose();
        self.stopper.send(how)
    }

    fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    fn latch(&self) -> Latch {
        self.port.latch()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_beyond_the_bounds_are_refused_and_the_pulse_clamps() {
        let profile = Ssc32Profile::original();
        assert_eq!(profile.joints[2].limits(), (-60.0, 90.0));
        assert_eq!(profile.check(&[90.0, -90.0, -60.0, 0.0, 0.0]), Ok(()));
        for (joint, angle) in [(0, 91.0), (2, -61.0), (4, f64::NAN)] {
            let mut angles = [0.0; 5];
            angles[joint] = angle;
            let fault = profile.check(&angles).unwrap_err();
            assert!(matches!(fault, Fault::Limit { joint: j, .. } if j == joint));
        }
        assert!(profile.check(&[0.0; 4]).is_err());
        assert_eq!(profile.joints[2].pulse(-76.0), 2400);
    }

    #[test]
    fn answers_are_told_from_noise() {
        assert_eq!(is_moving(b"\xff."), Answer::Done(false));
        assert_eq!(is_moving(b"+"), Answer::Done(true));
        assert_eq!(is_moving(b"+."), Answer::Bad);
        assert_eq!(is_moving(b"x"), Answer::Bad);
        assert_eq!(version(b"SSC32-V2"), Answer::More);
        assert_eq!(version(b"\xffA\r"), Answer::Done("A".to_owned()));
        assert_eq!(version(b"\x00\r"), Answer::Bad);
    }
}
