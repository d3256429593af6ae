//! A simulated bus of Feetech STS servos.

use std::time::Duration;

use super::{Device, Outbox, Slide, Trouble};
use crate::driver::sts::{Instruction, Motor, Status, StsProfile, read_status, register, status};
use crate::port::Answer;

const REGISTERS: usize = 128;
/// Time of a byte at a million baud, and what a servo needs to answer.
const ANSWER: Duration = Duration::from_micros(200);
const OVERLOAD: u8 = 0x20;
const HEAT: u8 = 0x04;

struct Servo {
    motor: Motor,
    registers: [u8; REGISTERS],
    prepared: Option<Vec<u8>>,
    position: Slide,
    error: u8,
}

impl Servo {
    fn new(motor: Motor, model: u16) -> Servo {
        let mut registers = [0; REGISTERS];
        registers[0] = 3;
        registers[1] = 9;
        registers[3..5].copy_from_slice(&model.to_le_bytes());
        registers[5] = motor.id;
        registers[55] = 1;
        Servo {
            motor,
            registers,
            prepared: None,
            position: Slide::at_rest(2000.0),
            error: 0,
        }
    }

    fn word(&self, address: u8) -> u16 {
        let at = usize::from(address);
        u16::from_le_bytes([self.registers[at], self.registers[at + 1]])
    }

    fn is_on(&self) -> bool {
        self.registers[usize::from(register::TORQUE_ENABLE.0)] != 0
    }

    fn refresh(&mut self, now: Duration) {
        let position = self.position.value(now).round().max(0.0) as u16;
        self.registers[56..58].copy_from_slice(&position.to_le_bytes());
        self.registers[62] = 74;
        self.registers[63] = if self.error & HEAT != 0 { 81 } else { 33 };
        self.registers[66] = u8::from(self.position.is_moving(now));
    }

    fn read(&mut self, address: u8, count: u8, now: Duration) -> Option<Vec<u8>> {
        self.refresh(now);
        let at = usize::from(address);
        self.registers
            .get(at..at + usize::from(count))
            .map(<[u8]>::to_vec)
    }

    /// Writes registers; a goal sets the servo going. Says what goal lies beyond the range.
    fn write(&mut self, address: u8, values: &[u8], now: Duration) -> Option<u16> {
        let at = usize::from(address);
        if let Some(target) = self.registers.get_mut(at..at + values.len()) {
            target.copy_from_slice(values);
        }
        let touches = |(first, count): (u8, u8)| {
            address < first + count && u16::from(first) < u16::from(address) + values.len() as u16
        };
        let (goal, switch) = (
            touches(register::GOAL_POSITION),
            touches(register::TORQUE_ENABLE),
        );
        if switch && !self.is_on() {
            self.position.stop(now);
        }
        if !(goal || switch) || !self.is_on() {
            return None;
        }
        let target = self.word(register::GOAL_POSITION.0);
        let way = (f64::from(target) - self.position.value(now)).abs();
        let speed = match self.word(register::GOAL_VELOCITY.0) {
            0 => 3400,
            speed => speed,
        };
        let time = Duration::from_secs_f64(way / f64::from(speed));
        self.position.go(f64::from(target), now, time);
        let range = self.motor.range_min..=self.motor.range_max;
        (!range.contains(&target) && way > 0.5).then_some(target)
    }
}

/// A simulated bus of servos with an arm on it.
pub struct StsDevice {
    servos: Vec<Servo>,
    joints: usize,
    closed: f64,
    open: f64,
    input: Vec<u8>,
    out: Outbox,
    violations: Vec<String>,
}

impl StsDevice {
    /// Servos that just got their power.
    pub fn new(profile: &StsProfile) -> StsDevice {
        let motors = profile.joints.iter().chain([&profile.gripper]);
        StsDevice {
            servos: motors
                .map(|motor| Servo::new(*motor, profile.model))
                .collect(),
            joints: profile.joints.len(),
            closed: f64::from(profile.closed),
            open: f64::from(profile.open),
            input: Vec::new(),
            out: Outbox::default(),
            violations: Vec::new(),
        }
    }

    fn answer(&mut self, at: usize, params: &[u8], now: Duration) {
        let servo = &self.servos[at];
        let bytes = status(servo.motor.id, servo.error, params);
        self.out.push(now + ANSWER, bytes);
    }

    fn find(&self, id: u8) -> Option<usize> {
        self.servos.iter().position(|servo| servo.motor.id == id)
    }

    fn write(&mut self, at: usize, address: u8, values: &[u8], now: Duration) {
        if let Some(goal) = self.servos[at].write(address, values, now) {
            self.violations.push(format!("servo {at}: position {goal}"));
        }
    }

    fn packet(&mut self, packet: &Status, now: Duration) {
        // The byte that is an error in an answer is the instruction in a request.
        let (instruction, params) = (packet.error, &packet.params[..]);
        let is = |wanted: Instruction| instruction == wanted as u8;
        if is(Instruction::SyncRead) {
            let [address, count, ids @ ..] = params else {
                return;
            };
            for at in ids
                .iter()
                .filter_map(|id| self.find(*id))
                .collect::<Vec<_>>()
            {
                if let Some(values) = self.servos[at].read(*address, *count, now) {
                    self.answer(at, &values, now);
                }
            }
        } else if is(Instruction::SyncWrite) {
            let [address, count, rows @ ..] = params else {
                return;
            };
            for row in rows.chunks_exact(usize::from(*count) + 1) {
                if let Some(at) = self.find(row[0]) {
                    self.write(at, *address, &row[1..], now);
                }
            }
        } else if is(Instruction::Action) {
            for at in 0..self.servos.len() {
                if let Some(prepared) = self.servos[at].prepared.take() {
                    self.write(at, prepared[0], &prepared[1..], now);
                }
            }
        } else if let Some(at) = self.find(packet.id) {
            self.single(at, instruction, params, now);
        }
    }

    fn single(&mut self, at: usize, instruction: u8, params: &[u8], now: Duration) {
        let is = |wanted: Instruction| instruction == wanted as u8;
        match params {
            [] if is(Instruction::Ping) => self.answer(at, &[], now),
            [address, count] if is(Instruction::Read) => {
                if let Some(values) = self.servos[at].read(*address, *count, now) {
                    self.answer(at, &values, now);
                }
            }
            [address, values @ ..] if is(Instruction::Write) => {
                self.write(at, *address, values, now);
                self.answer(at, &[], now);
            }
            [_, _, ..] if is(Instruction::RegWrite) => {
                self.servos[at].prepared = Some(params.to_vec());
                self.answer(at, &[], now);
            }
            _ => {}
        }
    }
}

impl Device for StsDevice {
    fn receive(&mut self, bytes: &[u8], now: Duration) {
        self.input.extend_from_slice(bytes);
        while !self.input.is_empty() {
            match read_status(&self.input) {
                Answer::Done((packet, used)) => {
                    self.input.drain(..used);
                    self.packet(&packet, now);
                }
                Answer::More if self.input.len() < 300 => break,
                // Servos look for the next head.
                _ => drop(self.input.remove(0)),
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
        let joints = self.servos.iter().take(self.joints);
        joints
            .map(|servo| servo.motor.angle(servo.position.value(now)))
            .collect()
    }

    fn is_gripping(&self, now: Duration) -> bool {
        let gripper = &self.servos[self.joints];
        let part = (gripper.position.value(now) - self.open) / (self.closed - self.open);
        gripper.is_on() && part > 0.5
    }

    fn is_moving(&self, now: Duration) -> bool {
        self.servos
            .iter()
            .any(|servo| servo.position.is_moving(now))
    }

    fn suffer(&mut self, trouble: Trouble, now: Duration) {
        match trouble {
            Trouble::Reboot => {
                for servo in &mut self.servos {
                    servo.position.stop(now);
                    servo.registers[usize::from(register::TORQUE_ENABLE.0)] = 0;
                    servo.error = 0;
                }
                self.input.clear();
                self.out.restart();
            }
            Trouble::Overload(joint) | Trouble::Hot(joint) => {
                if let Some(servo) = self.servos.get_mut(joint) {
                    servo.position.stop(now);
                    servo.registers[usize::from(register::TORQUE_ENABLE.0)] = 0;
                    servo.error |= match trouble {
                        Trouble::Hot(_) => HEAT,
                        _ => OVERLOAD,
                    };
                }
            }
            Trouble::Mute => self.out.silence(),
        }
    }

    fn violations(&self) -> &[String] {
        &self.violations
    }
}
