//! Arms that speak G-code. Dialects differ, so a dialect is a table: what to send, and what the answers look like.
//!
//! Lines are answered one by one, so there is never more than one under way. Templates hold `{name}` for numbers:
//! `{x} {y} {z}` in millimetres, `{turn}` in degrees, `{j0}` to `{j5}` in degrees, `{f}` the speed in millimetres (or
//! degrees) a minute, `{n}` the number of the line.

use std::time::Duration;

use serde::Deserialize;

use crate::port::{Answer, Latch, Port, Stopper, Tries};
use crate::{
    Arm, Caps, Fault, Grip, Ident, Link, Motion, Point, Reading, SharedClock, Stop, Ticket,
};

/// A dialect, as its TOML file has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GcodeProfile {
    /// Name for people.
    pub name: String,
    /// What comes before every line, such as `#{n} `; nothing where lines are not numbered.
    #[serde(default)]
    pub prefix: String,
    /// What every answer begins with, such as `${n} `.
    #[serde(default)]
    pub reply: String,
    /// The answer to a line that was understood.
    pub ok: String,
    /// Beginnings of answers that refuse a line.
    pub errors: Vec<String>,
    /// Lines that tell of a restart.
    #[serde(default)]
    pub restarts: Vec<String>,
    /// Beginnings of lines that come by themselves and mean nothing here.
    #[serde(default)]
    pub reports: Vec<String>,
    /// Asks who is there.
    pub hello: String,
    /// Lines sent when the motors are switched on.
    pub enable: Vec<String>,
    /// Lines sent when they are switched off.
    pub disable: Vec<String>,
    /// Lines that bring the arm to the pose that is always safe.
    pub home: Vec<String>,
    /// Goes to a point.
    #[serde(default)]
    pub to_point: Option<String>,
    /// Goes to angles.
    #[serde(default)]
    pub to_angles: Option<String>,
    /// Closes the gripper.
    pub close: Vec<String>,
    /// Opens the gripper.
    pub open: Vec<String>,
    /// How to ask whether the arm rests.
    pub idle: Idle,
    /// Bytes that stop the arm in its pose, sent as they are; absent where it cannot.
    #[serde(default)]
    pub hold: Option<String>,
    /// Bytes that switch the motors off.
    #[serde(default)]
    pub limp: Option<String>,
    /// Least and greatest coordinates in millimetres, by axis x, y, z.
    #[serde(default)]
    pub space: Vec<(f64, f64)>,
    /// Least and greatest angles in degrees, by joint.
    #[serde(default)]
    pub angles: Vec<(f64, f64)>,
    /// Where the arm comes to rest after homing, in millimetres or degrees by the same axes; what speeds are worked out from.
    pub home_at: Vec<f64>,
    /// Seconds that homing takes at most.
    pub home_seconds: u64,
    /// Seconds that a motion of the gripper takes.
    pub grip_seconds: f64,
}

/// How to ask whether the arm rests.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idle {
    /// What is sent.
    pub ask: String,
    /// Whether the question is a line of its own with a prefix and an end; else a byte outside of lines.
    pub line: bool,
    /// What the answer holds while the arm rests.
    pub rests: String,
    /// What it holds while the arm moves.
    pub moves: String,
    /// What it holds after an alarm.
    #[serde(default)]
    pub alarm: Option<String>,
}

const PROFILES: [(&str, &str); 3] = [
    ("uarm", include_str!("../../profiles/uarm.toml")),
    ("mirobot", include_str!("../../profiles/mirobot.toml")),
    ("grbl", include_str!("../../profiles/grbl.toml")),
];

impl GcodeProfile {
    /// Names of the dialects that are known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PROFILES.iter().map(|(name, _)| *name)
    }

    /// A known dialect.
    pub fn named(name: &str) -> Option<GcodeProfile> {
        let (_, text) = PROFILES.iter().find(|(known, _)| *known == name)?;
        GcodeProfile::parse(text).ok()
    }

    /// A dialect of one's own.
    ///
    /// # Errors
    /// What is wrong with the text, for people.
    pub fn parse(text: &str) -> Result<GcodeProfile, String> {
        let profile: GcodeProfile = toml::from_str(text).map_err(|error| error.to_string())?;
        match (&profile.to_point, &profile.to_angles) {
            (None, None) => Err("neither `to_point` nor `to_angles` is given".to_owned()),
            (Some(_), _) if profile.space.len() != 3 => {
                Err("`to_point` wants three pairs in `space`".to_owned())
            }
            (None, Some(_)) if profile.angles.is_empty() => {
                Err("`to_angles` wants a pair for each joint in `angles`".to_owned())
            }
            _ => Ok(profile),
        }
    }

    fn axes(&self) -> &[(f64, f64)] {
        match self.to_point {
            Some(_) => &self.space,
            None => &self.angles,
        }
    }
}

/// Fills a template in. A number is written without needless zeros.
fn fill(template: &str, values: &[(&str, f64)]) -> String {
    let mut line = template.to_owned();
    for (name, value) in values {
        let text = format!("{:.3}", value + 0.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        line = line.replace(
            &format!("{{{name}}}"),
            if text == "-0" { "0" } else { text },
        );
    }
    line
}

const ANSWER: Tries = Tries::of_ms(500);
const JOINTS: [&str; 6] = ["j0", "j1", "j2", "j3", "j4", "j5"];

/// An arm that speaks G-code.
pub struct GcodeArm {
    profile: GcodeProfile,
    caps: Caps,
    port: Port,
    stopper: Stopper,
    line: u64,
    enabled: bool,
    /// Where the arm was sent last, by the axes of the profile; unknown before homing.
    at: Option<Vec<f64>>,
    motions: u32,
}

impl GcodeArm {
    /// An arm on a line; nothing is sent yet.
    pub fn new(link: Box<dyn Link>, clock: SharedClock, profile: GcodeProfile) -> GcodeArm {
        let port = Port::new(link, clock);
        let (hold, limp) = (profile.hold.clone(), profile.limp.clone());
        let stopper = port.stopper(move |how| {
            let chosen = match how {
                Stop::Hold => hold.as_ref().or(limp.as_ref()),
                Stop::Limp => limp.as_ref().or(hold.as_ref()),
            };
            chosen.iter().map(|text| text.as_bytes().to_vec()).collect()
        });
        let caps = Caps {
            name: profile.name.clone(),
            joints: profile
                .to_angles
                .as_ref()
                .map_or(0, |_| profile.angles.len()),
            limits: profile.angles.clone(),
            cartesian: profile.to_point.is_some(),
            feedback: false,
            hold: profile.hold.is_some(),
            limp: profile.limp.is_some(),
        };
        GcodeArm {
            profile,
            caps,
            port,
            stopper,
            line: 0,
            enabled: false,
            at: None,
            motions: 0,
        }
    }

    /// Sets the number of the next line, for talking on where somebody else stopped.
    pub fn count_from(&mut self, line: u64) {
        self.line = line.wrapping_sub(1);
    }

    /// Sends a line and gives what came with its `ok`. A line that moves by absolute numbers may be sent twice.
    fn run(&mut self, text: &str) -> Result<String, Fault> {
        self.line = self.line.wrapping_add(1);
        let number = [("n", self.line as f64)];
        let line = format!("{}{text}\n", fill(&self.profile.prefix, &number));
        let reply = fill(&self.profile.reply, &number);
        let profile = self.profile.clone();
        let parse = &mut |input: &[u8]| answer_to_line(&profile, &reply, input);
        let result = self.port.request("a line", line.as_bytes(), ANSWER, parse);
        if result.is_err() {
            self.at = None;
        }
        result
    }

    fn run_all(&mut self, lines: &[String]) -> Result<(), Fault> {
        lines.iter().try_for_each(|line| self.run(line).map(|_| ()))
    }

    fn ticket(&mut self, time: Duration) -> Ticket {
        self.motions = self.motions.wrapping_add(1);
        Ticket {
            number: self.motions,
            time,
        }
    }

    /// Goes to a place by the axes of the profile.
    fn go(
        &mut self,
        template: &str,
        to: &[f64],
        names: &[&str],
        turn: f64,
        time: Duration,
    ) -> Result<Ticket, Fault> {
        for (joint, (value, (min, max))) in to.iter().zip(self.profile.axes()).enumerate() {
            if !(*min..=*max).contains(value) {
                return Err(Fault::Limit {
                    joint,
                    asked: *value,
                    min: *min,
                    max: *max,
                });
            }
        }
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        let Some(from) = self.at.take() else {
            return Err(Fault::NotCalibrated);
        };
        let way = from
            .iter()
            .zip(to)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt();
        let minutes = time.as_secs_f64().max(0.1) / 60.0;
        let mut values: Vec<(&str, f64)> = names.iter().copied().zip(to.iter().copied()).collect();
        values.extend([
            ("turn", turn),
            ("f", (way / minutes).clamp(60.0, 20_000.0).round()),
        ]);
        self.run(&fill(template, &values))?;
        self.at = Some(to.to_vec());
        Ok(self.ticket(time))
    }
}

/// Looks through whole lines of input for the answer to a line.
fn answer_to_line(profile: &GcodeProfile, reply: &str, input: &[u8]) -> Answer<String> {
    let whole = input
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let Ok(text) = std::str::from_utf8(&input[..whole]) else {
        return Answer::Bad;
    };
    let mut said = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if profile
            .restarts
            .iter()
            .any(|mark| line.contains(mark.as_str()))
        {
            return Answer::Fault(Fault::Rebooted);
        }
        if profile
            .reports
            .iter()
            .any(|mark| line.starts_with(mark.as_str()))
        {
            continue;
        }
        let Some(answer) = line.strip_prefix(reply.trim_end()).map(str::trim_start) else {
            return Answer::Bad;
        };
        if let Some(rest) = answer.strip_prefix(profile.ok.as_str()) {
            said.push_str(rest.trim());
            return Answer::Done(said);
        }
        if profile
            .errors
            .iter()
            .any(|mark| answer.starts_with(mark.as_str()))
        {
            return Answer::Fault(Fault::Refused(line.to_owned()));
        }
        said.push_str(line);
        said.push('\n');
    }
    Answer::More
}

/// A status outside of lines: everything up to the end of a line.
fn status_line(profile: &GcodeProfile, input: &[u8]) -> Answer<String> {
    let Some(end) = input.iter().position(|byte| *byte == b'\n') else {
        return Answer::More;
    };
    let Ok(line) = std::str::from_utf8(&input[..end]) else {
        return Answer::Bad;
    };
    let line = line.trim();
    if profile
        .restarts
        .iter()
        .any(|mark| line.contains(mark.as_str()))
    {
        return Answer::Fault(Fault::Rebooted);
    }
    match line.is_empty() || line == profile.ok {
        true => match status_line(profile, &input[end + 1..]) {
            Answer::Done(text) => Answer::Done(text),
            other => other,
        },
        false => Answer::Done(line.to_owned()),
    }
}

impl Arm for GcodeArm {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn connect(&mut self) -> Result<Ident, Fault> {
        self.enabled = false;
        self.at = None;
        // A controller that just got its power greets; that is no restart in the middle of work.
        self.port.discard()?;
        let hello = self.profile.hello.clone();
        let firmware = self.run(&hello)?;
        Ok(Ident {
            firmware: firmware.trim().to_owned(),
        })
    }

    fn enable(&mut self, on: bool) -> Result<(), Fault> {
        let lines = match on {
            true => self.profile.enable.clone(),
            false => self.profile.disable.clone(),
        };
        self.enabled = false;
        if !on {
            self.at = None;
        }
        self.run_all(&lines)?;
        self.enabled = on;
        Ok(())
    }

    fn home(&mut self) -> Result<Ticket, Fault> {
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        self.at = None;
        let lines = self.profile.home.clone();
        self.run_all(&lines)?;
        self.at = Some(self.profile.home_at.clone());
        Ok(self.ticket(Duration::from_secs(self.profile.home_seconds)))
    }

    fn move_joints(&mut self, angles: &[f64], time: Duration) -> Result<Ticket, Fault> {
        let (None, Some(template)) = (&self.profile.to_point, self.profile.to_angles.clone())
        else {
            return Err(Fault::Unsupported("be moved joint by joint"));
        };
        if angles.len() != self.profile.angles.len() {
            return Err(Fault::Unsupported(
                "take another number of angles than it has joints",
            ));
        }
        let names = &JOINTS[..angles.len().min(JOINTS.len())];
        self.go(&template, angles, names, 0.0, time)
    }

    fn move_to(&mut self, point: Point, turn: f64, time: Duration) -> Result<Ticket, Fault> {
        let Some(template) = self.profile.to_point.clone() else {
            return Err(Fault::Unsupported("go to a point by itself"));
        };
        // The base of these arms looks along x; ours looks along y, in centimetres.
        let to = [point.y * 10.0, -point.x * 10.0, point.z * 10.0];
        self.go(&template, &to, &["x", "y", "z"], turn, time)
    }

    fn grip(&mut self, grip: Grip) -> Result<Ticket, Fault> {
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        let lines = match grip {
            Grip::Close => self.profile.close.clone(),
            Grip::Open => self.profile.open.clone(),
        };
        self.run_all(&lines)?;
        Ok(self.ticket(Duration::from_secs_f64(
            self.profile.grip_seconds.clamp(0.0, 60.0),
        )))
    }

    fn poll(&mut self, _: Ticket) -> Result<Motion, Fault> {
        let idle = self.profile.idle.clone();
        let said = match idle.line {
            true => self.run(&idle.ask)?,
            false => {
                let profile = self.profile.clone();
                let parse = &mut |input: &[u8]| status_line(&profile, input);
                let said = self
                    .port
                    .request("a status", idle.ask.as_bytes(), ANSWER, parse);
                said.inspect_err(|_| self.at = None)?
            }
        };
        if idle.alarm.is_some_and(|mark| said.contains(&mark)) {
            self.at = None;
            return Err(Fault::Refused(said));
        }
        match (said.contains(&idle.moves), said.contains(&idle.rests)) {
            (true, _) => Ok(Motion::Moving),
            (false, true) => Ok(Motion::Done),
            (false, false) => {
                self.at = None;
                Err(Fault::BadFrame {
                    what: "a status",
                    bytes: said.into_bytes(),
                })
            }
        }
    }

    fn read(&mut self) -> Result<Reading, Fault> {
        let moving = match self.at {
            Some(_) => {
                let ticket = Ticket {
                    number: self.motions,
                    time: Duration::ZERO,
                };
                Some(self.poll(ticket)? == Motion::Moving)
            }
            None => None,
        };
        Ok(Reading {
            moving,
            ..Reading::default()
        })
    }

    fn stop(&mut self, how: Stop) -> Result<(), Fault> {
        self.at = None;
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
    fn every_profile_reads() {
        for (name, text) in PROFILES {
            GcodeProfile::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert!(GcodeProfile::parse("name = 1").is_err());
    }

    #[test]
    fn numbers_are_written_plainly() {
        let values = [("x", 180.0), ("y", -0.0), ("z", 12.3456)];
        assert_eq!(fill("G0 X{x} Y{y} Z{z}", &values), "G0 X180 Y0 Z12.346");
    }

    #[test]
    fn answers_are_matched_by_number() {
        let uarm = GcodeProfile::named("uarm").unwrap();
        let answer = |text: &str| answer_to_line(&uarm, "$25 ", text.as_bytes());
        assert_eq!(answer("$25 ok\n"), Answer::Done(String::new()));
        assert_eq!(
            answer("@3 X1 Y2 Z3\n$25 ok V1\n"),
            Answer::Done("V1".to_owned())
        );
        assert_eq!(answer("$25 o"), Answer::More);
        assert_eq!(answer("$24 ok\n"), Answer::Bad);
        let refused = Answer::Fault(Fault::Refused("$25 E22".to_owned()));
        assert_eq!(answer("$25 E22\n"), refused);
        assert_eq!(answer("\u{1}\n"), Answer::Bad);
    }

    #[test]
    fn a_restart_is_a_fault() {
        let mirobot = GcodeProfile::named("mirobot").unwrap();
        let answer = answer_to_line(&mirobot, "", b"Using reset pos!\nok\n");
        assert_eq!(answer, Answer::Fault(Fault::Rebooted));
        assert_eq!(
            status_line(&mirobot, b"Using reset pos!\n"),
            Answer::Fault(Fault::Rebooted)
        );
    }
}
