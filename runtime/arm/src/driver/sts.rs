//! Feetech STS bus servos, such as those of the SO-100 and SO-101.
//!
//! A packet is `FF FF id length instruction parameters checksum`, a status packet has an error byte in place of the
//! instruction; the length counts parameters and two more, the checksum is the complement of the sum from `id` on.
//! Values are little-endian, a turn has 4096 steps.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::port::{Answer, Latch, Port, Stopper, Tries};
use crate::{Arm, Caps, Fault, Grip, Ident, Link, Motion, Reading, SharedClock, Stop, Ticket};

/// The id that all servos listen to.
pub const BROADCAST: u8 = 0xfe;

/// What a packet asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Is somebody there?
    Ping = 0x01,
    /// Read registers.
    Read = 0x02,
    /// Write registers.
    Write = 0x03,
    /// Write registers when [`Instruction::Action`] comes.
    RegWrite = 0x04,
    /// Do what was prepared.
    Action = 0x05,
    /// Read the same registers of several servos.
    SyncRead = 0x82,
    /// Write the same registers of several servos.
    SyncWrite = 0x83,
}

/// Registers: address, and number of bytes.
pub mod register {
    /// Version of the firmware, two numbers.
    pub const FIRMWARE: (u8, u8) = (0, 2);
    /// Model, 777 for the STS3215.
    pub const MODEL: (u8, u8) = (3, 2);
    /// Delay of answers, in units of 2 microseconds.
    pub const RETURN_DELAY: (u8, u8) = (7, 1);
    /// Greatest torque, in thousandths.
    pub const MAX_TORQUE: (u8, u8) = (16, 2);
    /// Current that protection begins at.
    pub const PROTECTION_CURRENT: (u8, u8) = (28, 2);
    /// Torque while overloaded, in percent.
    pub const OVERLOAD_TORQUE: (u8, u8) = (36, 1);
    /// Whether the motor is on.
    pub const TORQUE_ENABLE: (u8, u8) = (40, 1);
    /// Where to go, in steps.
    pub const GOAL_POSITION: (u8, u8) = (42, 2);
    /// How fast, in steps a second.
    pub const GOAL_VELOCITY: (u8, u8) = (46, 2);
    /// Whether the registers that survive are protected.
    pub const LOCK: (u8, u8) = (55, 1);
    /// Where the servo is: position, velocity, load, voltage, temperature.
    pub const PRESENT: (u8, u8) = (56, 8);
    /// Where the servo is, in steps.
    pub const PRESENT_POSITION: (u8, u8) = (56, 2);
    /// Whether it moves.
    pub const MOVING: (u8, u8) = (66, 1);
}

/// A packet to the servos.
pub fn packet(id: u8, instruction: Instruction, params: &[u8]) -> Vec<u8> {
    framed(id, instruction as u8, params)
}

/// A packet of a servo.
pub fn status(id: u8, error: u8, params: &[u8]) -> Vec<u8> {
    framed(id, error, params)
}

fn framed(id: u8, second: u8, params: &[u8]) -> Vec<u8> {
    // A packet of the protocol never has more than 250 parameters; a longer one would not be read by anybody.
    let length = u8::try_from(params.len() + 2).unwrap_or(u8::MAX);
    let mut bytes = vec![0xff, 0xff, id, length, second];
    bytes.extend_from_slice(params);
    bytes.push(checksum(&bytes[2..]));
    bytes
}

/// The complement of the sum of the bytes between the head and the checksum.
pub fn checksum(bytes: &[u8]) -> u8 {
    !bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte))
}

/// A write of the same register of several servos.
pub fn sync_write(register: (u8, u8), values: &[(u8, u16)]) -> Vec<u8> {
    let mut params = vec![register.0, register.1];
    for (id, value) in values {
        params.push(*id);
        params.extend_from_slice(&value.to_le_bytes()[..usize::from(register.1.min(2))]);
    }
    packet(BROADCAST, Instruction::SyncWrite, &params)
}

/// A read of the same registers of several servos.
pub fn sync_read(register: (u8, u8), ids: &[u8]) -> Vec<u8> {
    let mut params = vec![register.0, register.1];
    params.extend_from_slice(ids);
    packet(BROADCAST, Instruction::SyncRead, &params)
}

/// A status packet as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Who sent it.
    pub id: u8,
    /// Error bits: 1 voltage, 2 angle sensor, 4 heat, 8 current, 32 overload.
    pub error: u8,
    /// What was read.
    pub params: Vec<u8>,
}

/// Reads the status packet at the beginning of the input, and how many bytes it has.
pub fn read_status(input: &[u8]) -> Answer<(Status, usize)> {
    let head = [0xff, 0xff];
    let known = input.len().min(2);
    if input[..known] != head[..known] {
        return Answer::Bad;
    }
    let (Some(&id), Some(&length)) = (input.get(2), input.get(3)) else {
        return Answer::More;
    };
    let end = usize::from(length) + 4;
    if length < 2 {
        return Answer::Bad;
    }
    let Some(frame) = input.get(..end) else {
        return Answer::More;
    };
    if checksum(&frame[2..end - 1]) != frame[end - 1] {
        return Answer::Bad;
    }
    let status = Status {
        id,
        error: frame[4],
        params: frame[5..end - 1].to_vec(),
    };
    Answer::Done((status, end))
}

/// A number with its sign in bit `sign`, the way some registers have it.
pub fn signed(raw: u16, sign: u8) -> i32 {
    let magnitude = i32::from(raw & !(1 << sign));
    match raw >> sign & 1 {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// A motor, with the names of LeRobot's calibration files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// Its number on the bus.
    pub id: u8,
    /// 1 if its angle counts the other way, else 0.
    pub drive_mode: u8,
    /// What the servo itself subtracts from its raw position, in steps.
    pub homing_offset: i32,
    /// Least position, in steps.
    pub range_min: u16,
    /// Greatest position, in steps.
    pub range_max: u16,
}

const TURN: f64 = 4096.0;
const MIDDLE: f64 = 2048.0;

impl Motor {
    fn sign(&self) -> f64 {
        match self.drive_mode {
            0 => 1.0,
            _ => -1.0,
        }
    }

    /// The position of an angle in degrees, where 0 is the middle of the turn; not bounded.
    pub fn steps(&self, angle: f64) -> f64 {
        (MIDDLE + self.sign() * angle * TURN / 360.0).round()
    }

    /// The angle of a position, in degrees.
    pub fn angle(&self, steps: f64) -> f64 {
        self.sign() * (steps - MIDDLE) * 360.0 / TURN
    }

    fn limits(&self) -> (f64, f64) {
        let ends = [
            self.angle(f64::from(self.range_min)),
            self.angle(f64::from(self.range_max)),
        ];
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    }
}

/// An arm of bus servos.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StsProfile {
    /// Name for people.
    pub name: String,
    /// The joints.
    pub joints: Vec<Motor>,
    /// The gripper.
    pub gripper: Motor,
    /// Position of the closed gripper, in steps.
    pub closed: u16,
    /// Position of the open gripper, in steps.
    pub open: u16,
    /// The pose that is always safe, in degrees.
    pub home: Vec<f64>,
    /// Expected model number.
    pub model: u16,
}

impl StsProfile {
    /// An SO-101 whose motors turn over their whole range; calibration narrows it.
    pub fn so101() -> StsProfile {
        let motor = |id| Motor {
            id,
            drive_mode: 0,
            homing_offset: 0,
            range_min: 1024,
            range_max: 3072,
        };
        StsProfile {
            name: "SO-101 with Feetech STS3215".to_owned(),
            joints: (1..=5).map(motor).collect(),
            gripper: motor(6),
            closed: 1600,
            open: 2600,
            home: vec![0.0, -80.0, 80.0, 60.0, 0.0],
            model: 777,
        }
    }

    fn ids(&self) -> Vec<u8> {
        let all = self.joints.iter().chain([&self.gripper]);
        all.map(|motor| motor.id).collect()
    }
}

/// Answers take the time of their bytes and what a busy computer needs; only those that are lost are waited for so long.
const QUERY: Tries = Tries::of_ms(250);
/// Time of a motion of the gripper and of homing.
const GRIP_TIME: Duration = Duration::from_millis(1000);
const HOME_TIME: Duration = Duration::from_millis(4000);
/// How far from its goal a joint may come to rest, in steps (about 1.5 degrees).
const ARRIVED: f64 = 17.0;
/// A gripper that closes on a piece does not arrive, and need not.
const FREE: f64 = f64::INFINITY;

type Positions = Arc<Mutex<Vec<u16>>>;

/// An arm of bus servos.
pub struct Sts {
    profile: StsProfile,
    caps: Caps,
    port: Port,
    stopper: Stopper,
    ids: Vec<u8>,
    /// Where the servos were when they were last asked; what an emergency stop holds.
    seen: Positions,
    goals: Vec<u16>,
    enabled: bool,
    homed: bool,
    motions: u32,
}

impl Sts {
    /// An arm on a line; nothing is sent yet.
    pub fn new(link: Box<dyn Link>, clock: SharedClock, profile: StsProfile) -> Sts {
        let port = Port::new(link, clock);
        let ids = profile.ids();
        let seen: Positions = Arc::default();
        let (all, known) = (ids.clone(), Arc::clone(&seen));
        let stopper = port.stopper(move |how| stop_packets(&all, &known, how));
        let caps = Caps {
            name: profile.name.clone(),
            joints: profile.joints.len(),
            limits: profile.joints.iter().map(Motor::limits).collect(),
            cartesian: false,
            feedback: true,
            hold: true,
            limp: true,
        };
        Sts {
            profile,
            caps,
            port,
            stopper,
            ids,
            seen,
            goals: Vec::new(),
            enabled: false,
            homed: false,
            motions: 0,
        }
    }

    /// The answer of a servo with so many bytes: another one is a late one to an earlier question.
    fn ask(
        &mut self,
        what: &'static str,
        id: u8,
        bytes: &[u8],
        count: u8,
    ) -> Result<Vec<u8>, Fault> {
        let joint = self.joint_of(id);
        self.port
            .request(what, bytes, QUERY, &mut |input| match read_status(input) {
                Answer::Done((status, used)) if status.id == id && used == input.len() => {
                    match fault_of(joint, status.error) {
                        Some(fault) => Answer::Fault(fault),
                        None if status.params.len() == usize::from(count) => {
                            Answer::Done(status.params)
                        }
                        None => Answer::Bad,
                    }
                }
                Answer::Done(_) | Answer::Bad => Answer::Bad,
                Answer::More => Answer::More,
                Answer::Fault(fault) => Answer::Fault(fault),
            })
    }

    fn write(&mut self, id: u8, register: (u8, u8), value: u16) -> Result<(), Fault> {
        let mut params = vec![register.0];
        params.extend_from_slice(&value.to_le_bytes()[..usize::from(register.1.min(2))]);
        let bytes = packet(id, Instruction::Write, &params);
        self.ask("a write", id, &bytes, 0).map(|_| ())
    }

    fn read_one(&mut self, id: u8, register: (u8, u8)) -> Result<Vec<u8>, Fault> {
        let bytes = packet(id, Instruction::Read, &[register.0, register.1]);
        self.ask("a read", id, &bytes, register.1)
    }

    /// The registers of all servos, in the order of their ids.
    fn read_all(&mut self, register: (u8, u8)) -> Result<Vec<Vec<u8>>, Fault> {
        let (ids, bytes) = (self.ids.clone(), sync_read(register, &self.ids));
        let parse = &mut |input: &[u8]| all_statuses(&ids, register.1, input);
        self.port.request("sync read", &bytes, QUERY, parse)
    }

    /// Where all servos are, also for the emergency stop.
    fn positions(&mut self) -> Result<Vec<u16>, Fault> {
        let rows = self.read_all(register::PRESENT_POSITION)?;
        let found: Vec<u16> = rows.iter().map(|row| word(row)).collect();
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = found.clone();
        Ok(found)
    }

    fn joint_of(&self, id: u8) -> usize {
        self.ids.iter().position(|known| *known == id).unwrap_or(0)
    }

    /// Sends all servos named by index to goals so that they arrive together.
    fn go(&mut self, goals: &[(usize, u16)], time: Duration) -> Result<Ticket, Fault> {
        if !self.enabled {
            return Err(Fault::NotEnabled);
        }
        let here = self.positions()?;
        let seconds = time.as_secs_f64().max(0.1);
        let speed = |at: usize, goal: u16| {
            let way = (f64::from(goal) - f64::from(signed(here[at], 15))).abs();
            // 0 would mean as fast as it can.
            (way / seconds).ceil().clamp(1.0, 3400.0) as u16
        };
        let ids = self.ids.clone();
        let speeds: Vec<_> = goals
            .iter()
            .map(|&(at, goal)| (ids[at], speed(at, goal)))
            .collect();
        let targets: Vec<_> = goals.iter().map(|&(at, goal)| (ids[at], goal)).collect();
        self.port
            .send(&sync_write(register::GOAL_VELOCITY, &speeds))?;
        self.port
            .send(&sync_write(register::GOAL_POSITION, &targets))?;
        if self.goals.len() != ids.len() {
            self.goals = here;
        }
        for &(at, goal) in goals {
            self.goals[at] = goal;
        }
        self.motions = self.motions.wrapping_add(1);
        Ok(Ticket {
            number: self.motions,
            time,
        })
    }

    /// The goals of angles, each within its range.
    fn goals(&self, angles: &[f64]) -> Result<Vec<(usize, u16)>, Fault> {
        if angles.len() != self.profile.joints.len() {
            return Err(Fault::Unsupported(
                "take another number of angles than it has joints",
            ));
        }
        let goal = |(joint, (motor, angle)): (usize, (&Motor, &f64))| {
            let steps = motor.steps(*angle);
            let range = f64::from(motor.range_min)..=f64::from(motor.range_max);
            let (min, max) = motor.limits();
            match range.contains(&steps) {
                true => Ok((joint, steps as u16)),
                false => Err(Fault::Limit {
                    joint,
                    asked: *angle,
                    min,
                    max,
                }),
            }
        };
        self.profile
            .joints
            .iter()
            .zip(angles)
            .enumerate()
            .map(goal)
            .collect()
    }

    /// Limits of the gripper that keep it from burning, written with the motor off.
    fn spare_the_gripper(&mut self) -> Result<(), Fault> {
        let id = self.profile.gripper.id;
        self.write(id, register::LOCK, 0)?;
        self.write(id, register::MAX_TORQUE, 500)?;
        self.write(id, register::PROTECTION_CURRENT, 250)?;
        self.write(id, register::OVERLOAD_TORQUE, 25)?;
        self.write(id, register::LOCK, 1)
    }

    /// Whether a motor was switched off behind our back.
    fn is_off(&mut self) -> Result<bool, Fault> {
        let rows = self.read_all(register::TORQUE_ENABLE)?;
        Ok(rows.iter().any(|row| row[0] == 0))
    }

    fn lose(&mut self) {
        self.homed = false;
        self.goals.clear();
    }
}

/// Packets that stop all servos: at the positions last seen, or with the motors off.
fn stop_packets(ids: &[u8], seen: &Positions, how: Stop) -> Vec<Vec<u8>> {
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let values = |register, value: &dyn Fn(usize) -> u16| {
        let values: Vec<(u8, u16)> = ids
            .iter()
            .enumerate()
            .map(|(at, id)| (*id, value(at)))
            .collect();
        sync_write(register, &values)
    };
    match how {
        Stop::Hold if seen.len() == ids.len() => {
            vec![values(register::GOAL_POSITION, &|at| seen[at])]
        }
        Stop::Hold | Stop::Limp => vec![values(register::TORQUE_ENABLE, &|_| 0)],
    }
}

fn word(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// The status packets of all ids, in this order.
fn all_statuses(ids: &[u8], count: u8, mut input: &[u8]) -> Answer<Vec<Vec<u8>>> {
    let mut rows = Vec::new();
    for (joint, id) in ids.iter().enumerate() {
        match read_status(input) {
            Answer::Done((status, used)) if status.id == *id => {
                if let Some(fault) = fault_of(joint, status.error) {
                    return Answer::Fault(fault);
                }
                if status.params.len() != usize::from(count) {
                    return Answer::Bad;
                }
                rows.push(status.params);
                input = &input[used..];
            }
            Answer::Done(_) | Answer::Bad => return Answer::Bad,
            Answer::More => return Answer::More,
            Answer::Fault(fault) => return Answer::Fault(fault),
        }
    }
    match input.is_empty() {
        true => Answer::Done(rows),
        false => Answer::Bad,
    }
}

/// The worst of the errors that a status tells.
fn fault_of(joint: usize, error: u8) -> Option<Fault> {
    match error {
        0 => None,
        _ if error & 0x28 != 0 => Some(Fault::Overload(joint)),
        _ if error & 0x04 != 0 => Some(Fault::Hot { joint, celsius: 0 }),
        _ if error & 0x01 != 0 => Some(Fault::Voltage(joint)),
        _ => Some(Fault::Refused(format!(
            "servo {joint} reports error {error:#04x}"
        ))),
    }
}

impl Arm for Sts {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    /// Every servo must answer, be of the expected model and have the same firmware.
    fn connect(&mut self) -> Result<Ident, Fault> {
        self.enabled = false;
        self.lose();
        let mut firmware: Option<Vec<u8>> = None;
        for id in self.ids.clone() {
            self.ask("ping", id, &packet(id, Instruction::Ping, &[]), 0)?;
            let model = word(&self.read_one(id, register::MODEL)?);
            if model != self.profile.model {
                return Err(Fault::WrongDevice(format!(
                    "servo {id} is of model {model}"
                )));
            }
            let version = self.read_one(id, register::FIRMWARE)?;
            match &firmware {
                Some(first) if *first != version => {
                    let message = format!("servo {id} has another firmware than the first");
                    return Err(Fault::WrongDevice(message));
                }
                _ => firmware = Some(version),
            }
        }
        let version = firmware.unwrap_or_default();
        let version: Vec<String> = version.iter().map(ToString::to_string).collect();
        Ok(Ident {
            firmware: version.join("."),
        })
    }

    fn enable(&mut self, on: bool) -> Result<(), Fault> {
        if !on {
            self.enabled = false;
            self.lose();
            return self.stopper.send(Stop::Limp);
        }
        if !self.enabled {
            self.spare_the_gripper()?;
        }
        // The goal becomes where the arm is, so that switching on moves nothing.
        let here = self.positions()?;
        let goals: Vec<(u8, u16)> = self.ids.iter().copied().zip(here.iter().copied()).collect();
        self.port
            .send(&sync_write(register::GOAL_POSITION, &goals))?;
        for id in self.ids.clone() {
            self.write(id, register::TORQUE_ENABLE, 1)?;
        }
        self.goals = here;
        self.enabled = true;
        Ok(())
    }

    fn home(&mut self) -> Result<Ticket, Fault> {
        let goals = self.goals(&self.profile.home)?;
        if self.enabled && self.is_off()? {
            self.enabled = false;
            return Err(Fault::Rebooted);
        }
        let ticket = self.go(&goals, HOME_TIME)?;
        self.homed = true;
        Ok(ticket)
    }

    fn move_joints(&mut self, angles: &[f64], time: Duration) -> Result<Ticket, Fault> {
        let goals = self.goals(angles)?;
        if self.enabled && !self.homed {
            return Err(Fault::NotCalibrated);
        }
        self.go(&goals, time)
    }

    fn grip(&mut self, grip: Grip) -> Result<Ticket, Fault> {
        let goal = match grip {
            Grip::Close => self.profile.closed,
            Grip::Open => self.profile.open,
        };
        let gripper = self.ids.len() - 1;
        self.go(&[(gripper, goal)], GRIP_TIME)
    }

    fn poll(&mut self, _: Ticket) -> Result<Motion, Fault> {
        let result = self.progress();
        if result.is_err() {
            self.lose();
        }
        result
    }

    fn read(&mut self) -> Result<Reading, Fault> {
        let rows = self.read_all(register::PRESENT)?;
        let position = |row: &Vec<u8>| f64::from(signed(word(row), 15));
        let joints = rows.iter().zip(&self.profile.joints);
        let load = |row: &Vec<u8>| f64::from(signed(word(&row[4..]), 10).abs()) / 1000.0;
        let gripper = rows.last().map_or(0.0, position);
        let span = f64::from(self.profile.closed) - f64::from(self.profile.open);
        Ok(Reading {
            joints: Some(
                joints
                    .map(|(row, motor)| motor.angle(position(row)))
                    .collect(),
            ),
            point: None,
            grip: Some((gripper - f64::from(self.profile.open)) / span),
            load: rows.iter().map(load).reduce(f64::max),
            celsius: rows.iter().map(|row| i32::from(row[7])).max(),
            moving: None,
        })
    }

    fn stop(&mut self, how: Stop) -> Result<(), Fault> {
        self.lose();
        // Fresh positions hold better; where nobody answers, those last seen must do.
        if how == Stop::Hold && !self.port.latch().is_set() {
            let _ = self.positions();
        }
        self.stopper.send(how)
    }

    fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    fn latch(&self) -> Latch {
        self.port.latch()
    }
}

impl Sts {
    /// Whether the servos still move; at rest they must be on and where they should be.
    fn progress(&mut self) -> Result<Motion, Fault> {
        let moving = self.read_all(register::MOVING)?;
        let here = self.positions()?;
        if moving.iter().any(|row| row[0] != 0) {
            return Ok(Motion::Moving);
        }
        if self.is_off()? {
            self.enabled = false;
            return Err(Fault::Rebooted);
        }
        let gripper = self.ids.len() - 1;
        for (joint, (at, goal)) in here.iter().zip(&self.goals).enumerate() {
            let allowed = if joint == gripper { FREE } else { ARRIVED };
            let off = f64::from(signed(*at, 15)) - f64::from(*goal);
            if off.abs() > allowed {
                return Err(Fault::Stalled(joint));
            }
        }
        Ok(Motion::Done)
    }
}
