//! What travels over the wire, byte for byte.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rulec_arm::sequence::{Pace, Runner, Step};
use rulec_arm::sim::{Device, GcodeDevice, SimLink, Ssc32Device};
use rulec_arm::sts::{self, Instruction, register};
use rulec_arm::{
    Arm, Clock, Direction, GcodeArm, GcodeProfile, Grip, Link, Point, Recorder, SimClock, Ssc32,
    Ssc32Profile, WireLog,
};
use serde_json::Value;

fn hex(bytes: &[u8]) -> String {
    let text: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    text.join(" ")
}

/// A file of the corpus; nothing, said aloud, where there is no corpus and this is not CI.
fn corpus(path: &str) -> Option<Value> {
    let folder = std::env::var("RULEC_CORPUS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus").into());
    let file = format!("{folder}/{path}");
    match std::fs::read_to_string(&file) {
        Ok(text) => Some(serde_json::from_str(&text).expect("the corpus holds JSON")),
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
            panic!("the corpus is missing: {path}: {error}")
        }
        Err(_) => {
            eprintln!("skipped, no corpus: {path}");
            None
        }
    }
}

#[test]
fn feetech_packets() {
    let cases = [
        (sts::packet(1, Instruction::Ping, &[]), "FF FF 01 02 01 FB"),
        (
            sts::packet(1, Instruction::Read, &[56, 2]),
            "FF FF 01 04 02 38 02 BE",
        ),
        (
            sts::packet(6, Instruction::Write, &[40, 1]),
            "FF FF 06 04 03 28 01 C9",
        ),
        (
            sts::packet(1, Instruction::Write, &[42, 0, 8]),
            "FF FF 01 05 03 2A 00 08 C4",
        ),
        (
            sts::packet(1, Instruction::Write, &[55, 0]),
            "FF FF 01 04 03 37 00 C0",
        ),
        (
            sts::packet(2, Instruction::RegWrite, &[42, 0, 4]),
            "FF FF 02 05 04 2A 00 04 C6",
        ),
        (
            sts::packet(sts::BROADCAST, Instruction::Action, &[]),
            "FF FF FE 02 05 FA",
        ),
        (
            sts::sync_write(register::GOAL_POSITION, &[(1, 2048), (2, 1024), (3, 3072)]),
            "FF FF FE 0D 83 2A 02 01 00 08 02 00 04 03 00 0C 27",
        ),
        (
            sts::sync_read(register::PRESENT_POSITION, &[1, 2, 3, 4, 5, 6]),
            "FF FF FE 0A 82 38 02 01 02 03 04 05 06 26",
        ),
        (sts::status(1, 0, &[0xff, 0x07]), "FF FF 01 04 00 FF 07 F4"),
        (sts::status(6, 0x20, &[]), "FF FF 06 02 20 D7"),
    ];
    for (bytes, golden) in cases {
        assert_eq!(hex(&bytes), golden);
    }
}

#[test]
fn feetech_status_is_read_back() {
    let bytes = [0xff, 0xff, 1, 4, 0, 0xff, 7, 0xf4];
    let rulec_arm::Answer::Done((status, used)) = sts::read_status(&bytes) else {
        panic!("the packet is whole")
    };
    assert_eq!((status.id, status.error, used), (1, 0, 8));
    assert_eq!(
        u16::from_le_bytes([status.params[0], status.params[1]]),
        2047
    );
    for end in 0..bytes.len() {
        assert_eq!(sts::read_status(&bytes[..end]), rulec_arm::Answer::More);
    }
    for at in [0, 1, 4, 5, 6, 7] {
        let mut broken = bytes;
        broken[at] ^= 1;
        assert_eq!(
            sts::read_status(&broken),
            rulec_arm::Answer::Bad,
            "byte {at}"
        );
    }
    assert_eq!(
        (
            sts::signed(0x8005, 15),
            sts::signed(5, 15),
            sts::signed(0x0405, 10)
        ),
        (-5, 5, -5)
    );
}

#[test]
fn pulses_of_the_original() {
    let Some(cases) = corpus("s3/oracle/robot/pulse_golden.json") else {
        return;
    };
    let cases = cases.as_array().expect("a list");
    assert!(cases.len() >= 10);
    for case in cases {
        let angles: Vec<f64> = case["angles"]
            .as_array()
            .expect("angles")
            .iter()
            .filter_map(Value::as_f64)
            .collect();
        for profile in [Ssc32Profile::original(), Ssc32Profile::fork_2017()] {
            let time = Duration::from_millis(3000);
            assert_eq!(
                profile.pose(&angles, time),
                case["command"].as_str().expect("a text")
            );
        }
    }
}

/// What went over a line, as the transcript of the original has it: a row for each command and each byte of answers.
fn rows(log: &WireLog) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for entry in log.take() {
        let text = String::from_utf8(entry.raw().expect("bytes")).expect("ASCII");
        match entry.way {
            Direction::Tx => rows.push(("TX".to_owned(), text)),
            Direction::Rx => rows.extend(text.chars().map(|c| ("RX".to_owned(), c.to_string()))),
            Direction::Lost => panic!("the line is whole"),
        }
    }
    rows
}

#[test]
fn transcript_of_the_original() {
    let Some(golden) = corpus("s3/oracle/robot/frogs_s3_to_s4_2013.json") else {
        return;
    };
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let golden: Vec<(String, String)> = golden
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| (text(entry, "kind"), text(entry, "text")))
        .filter(|(kind, _)| kind == "TX" || kind == "RX")
        .collect();

    let clock = SimClock::new();
    let profile = Ssc32Profile::original();
    let device = Arc::new(Mutex::new(Ssc32Device::new(
        profile.clone(),
        "SSC32-V2.01XE",
    )));
    let log = WireLog::new();
    let link = SimLink::new(Arc::clone(&device), clock.shared());
    let link = Recorder::new(link, clock.shared(), log.clone());
    let mut arm = Ssc32::new(Box::new(link), clock.shared(), profile);
    arm.connect().unwrap();
    arm.enable(true).unwrap();
    let ticket = arm.init().unwrap();
    // The user of the recording clicked after a tenth of a second.
    clock.sleep(Duration::from_millis(101));
    let s3 = (
        [-13.0, -10.0, 6.0, -68.0, 90.0],
        [-13.0, -31.0, 6.0, -68.0, 90.0],
    );
    let s4 = (
        [-3.0, -10.0, 6.0, -68.0, -88.0],
        [-3.0, -31.0, 6.0, -68.0, -88.0],
    );
    let mut steps = Vec::new();
    for ((above, at), grip) in [(s3, Grip::Close), (s4, Grip::Open)] {
        steps.extend([
            Step::Angles(above.to_vec()),
            Step::Angles(at.to_vec()),
            Step::Grip(grip),
            Step::Angles(above.to_vec()),
        ]);
    }
    let mut runner = Runner::new(&mut arm, &clock, Pace::ORIGINAL).after(ticket);
    runner.steps(&steps).unwrap();
    runner.step(&Step::Home).unwrap();
    assert_eq!(rows(&log), golden);
    assert!(device.lock().unwrap().violations().is_empty());
}

#[test]
fn uarm_lines() {
    /// Takes down what is sent and answers every line.
    struct Wire(Arc<Mutex<Vec<u8>>>, Vec<u8>);
    impl Link for Wire {
        fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            let text = String::from_utf8_lossy(bytes);
            let number = text[1..].split(' ').next().unwrap_or_default();
            self.1 = format!("${number} ok\n").into_bytes();
            Ok(())
        }
        fn receive(&mut self, into: &mut Vec<u8>, _: Duration) -> io::Result<()> {
            into.append(&mut self.1);
            Ok(())
        }
    }
    let sent = Arc::new(Mutex::new(Vec::new()));
    let wire = Wire(Arc::clone(&sent), Vec::new());
    let clock = SimClock::new();
    let profile = GcodeProfile::named("uarm").unwrap();
    let mut arm = GcodeArm::new(Box::new(wire), clock.shared(), profile);
    arm.enable(true).unwrap();
    arm.home().unwrap();
    sent.lock().unwrap().clear();
    arm.count_from(25);
    // 3 cm to the right of and as high as where it homed: 30 mm in 0.36 s are 5000 mm a minute.
    let point = Point {
        x: 0.0,
        y: 18.0,
        z: 15.0,
    };
    arm.move_to(point, 0.0, Duration::from_millis(360)).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&sent.lock().unwrap()),
        "#25 G0 X180 Y0 Z150 F5000\n"
    );
}

#[test]
fn every_dialect_drives_its_simulated_arm() {
    for name in GcodeProfile::names() {
        let profile = GcodeProfile::named(name).unwrap();
        let clock = SimClock::new();
        let device = Arc::new(Mutex::new(GcodeDevice::new(profile.clone())));
        let link = SimLink::new(Arc::clone(&device), clock.shared());
        let mut arm = GcodeArm::new(Box::new(link), clock.shared(), profile);
        let target = match arm.caps().cartesian {
            true => Step::Point(
                Point {
                    x: 3.0,
                    y: 20.0,
                    z: 5.0,
                },
                0.0,
            ),
            false => Step::Angles(vec![10.0, -20.0, 30.0]),
        };
        arm.connect().unwrap();
        assert!(
            !device.lock().unwrap().is_moving(clock.now()),
            "{name} moved while connecting"
        );
        arm.enable(true).unwrap();
        let mut runner = Runner::new(&mut arm, &clock, Pace::ORIGINAL);
        runner
            .steps(&[Step::Home, target.clone(), Step::Grip(Grip::Close)])
            .unwrap();
        runner.wait().unwrap();
        let device = device.lock().unwrap();
        let there = match target {
            Step::Point(point, _) => vec![point.x, point.y, point.z],
            Step::Angles(angles) => angles,
            _ => unreachable!("one of the two"),
        };
        let here = device.joints(clock.now());
        let near = here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 1e-3);
        assert!(near, "{name}: {here:?}");
        assert!(
            device.is_gripping(clock.now()) && device.violations().is_empty(),
            "{name}"
        );
    }
}
