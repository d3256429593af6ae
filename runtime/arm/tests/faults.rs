//! Whatever goes wrong on the line or in the controller is a typed fault within the deadline, and the arm is held.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rulec_arm::sequence::{Pace, Runner, Step};
use rulec_arm::sim::{Device, GcodeDevice, SimLink, Ssc32Device, StsDevice, Trouble, WireFault};
use rulec_arm::{
    Arm, Clock, Fault, GcodeArm, GcodeProfile, Grip, Link, Motion, Point, Recorder, Replay,
    SharedClock, SimClock, Ssc32, Ssc32Profile, Stop, Sts, StsProfile, WireLog,
};

/// A simulated arm of each family.
struct Bench {
    name: &'static str,
    clock: SimClock,
    device: Arc<Mutex<dyn Device>>,
    arm: Box<dyn Arm>,
    there: Step,
}

fn bench<D: Device + 'static>(
    name: &'static str,
    device: D,
    faults: &[(u64, WireFault)],
    there: Step,
    make: impl Fn(Box<dyn Link>, SharedClock) -> Box<dyn Arm>,
) -> Bench {
    let clock = SimClock::new();
    let device = Arc::new(Mutex::new(device));
    let link = SimLink::new(Arc::clone(&device), clock.shared()).with_faults(faults.to_vec());
    let arm = make(Box::new(link), clock.shared());
    Bench {
        name,
        clock,
        device,
        arm,
        there,
    }
}

fn benches(faults: &[(u64, WireFault)]) -> Vec<Bench> {
    let ssc32 = Ssc32Profile::original();
    let sts = StsProfile::so101();
    let uarm = GcodeProfile::named("uarm").unwrap();
    let mirobot = GcodeProfile::named("mirobot").unwrap();
    let angles = Step::Angles(vec![-13.0, -10.0, 6.0, -40.0, 30.0]);
    let point = Step::Point(
        Point {
            x: 3.0,
            y: 20.0,
            z: 5.0,
        },
        0.0,
    );
    vec![
        bench(
            "ssc32",
            Ssc32Device::new(ssc32.clone(), "SSC32-V2.01XE"),
            faults,
            angles.clone(),
            |link, clock| Box::new(Ssc32::new(link, clock, ssc32.clone())),
        ),
        bench(
            "sts",
            StsDevice::new(&sts),
            faults,
            angles,
            |link, clock| Box::new(Sts::new(link, clock, sts.clone())),
        ),
        bench(
            "uarm",
            GcodeDevice::new(uarm.clone()),
            faults,
            point.clone(),
            |link, clock| Box::new(GcodeArm::new(link, clock, uarm.clone())),
        ),
        bench(
            "mirobot",
            GcodeDevice::new(mirobot.clone()),
            faults,
            point,
            |link, clock| Box::new(GcodeArm::new(link, clock, mirobot.clone())),
        ),
    ]
}

/// Connects, homes, goes somewhere and grips.
fn work(bench: &mut Bench) -> Result<(), Fault> {
    bench.arm.connect()?;
    bench.arm.enable(true)?;
    let there = bench.there.clone();
    let mut runner = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL);
    runner.steps(&[Step::Home, there, Step::Grip(Grip::Close), Step::Home])?;
    runner.wait()
}

#[test]
fn all_arms_work_and_connecting_moves_nothing() {
    for mut bench in benches(&[]) {
        let before = bench.device.lock().unwrap().joints(bench.clock.now());
        bench.arm.connect().unwrap();
        let motion = bench.arm.move_joints(&[0.0; 5], Duration::from_secs(1));
        assert!(
            motion.is_err(),
            "{} moves although it is not enabled",
            bench.name
        );
        bench.clock.sleep(Duration::from_secs(5));
        assert_eq!(
            bench.device.lock().unwrap().joints(bench.clock.now()),
            before,
            "{}",
            bench.name
        );
        work(&mut bench).unwrap_or_else(|fault| panic!("{}: {fault}", bench.name));
        assert!(bench.device.lock().unwrap().violations().is_empty());
    }
}

#[test]
fn a_fault_on_the_line_at_any_time_is_survived_or_told() {
    let kinds = [
        WireFault::Lost,
        WireFault::Corrupt,
        WireFault::Half,
        WireFault::Garbage,
        WireFault::Late(Duration::from_millis(700)),
        WireFault::Unplugged,
    ];
    let (mut survived, mut told) = (0, 0);
    for fault in kinds {
        for at in 0..60 {
            for mut bench in benches(&[(at, fault)]) {
                match work(&mut bench) {
                    Ok(()) => survived += 1,
                    Err(fault) => {
                        told += 1;
                        assert!(!fault.to_string().is_empty());
                    }
                }
                let device = bench.device.lock().unwrap();
                assert!(
                    device.violations().is_empty(),
                    "{}: {:?}",
                    bench.name,
                    device.violations()
                );
                // No deadline is longer than the work itself and a stalled motion.
                assert!(
                    bench.clock.now() < Duration::from_secs(120),
                    "{}",
                    bench.name
                );
            }
        }
    }
    assert!(
        survived > 500 && told > 100,
        "{survived} survived, {told} told"
    );
}

#[test]
fn an_unplugged_cable_is_told_at_once() {
    for mut bench in benches(&[(3, WireFault::Unplugged)]) {
        let fault = work(&mut bench).unwrap_err();
        assert!(
            matches!(fault, Fault::Disconnected(_)),
            "{}: {fault}",
            bench.name
        );
    }
}

#[test]
fn a_controller_that_restarts_in_a_motion_is_noticed() {
    for mut bench in benches(&[]) {
        work(&mut bench).unwrap();
        let there = bench.there.clone();
        let mut runner = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL);
        runner.step(&there).unwrap();
        bench.clock.sleep(Duration::from_millis(100));
        bench
            .device
            .lock()
            .unwrap()
            .suffer(Trouble::Reboot, bench.clock.now());
        let fault = runner.wait().unwrap_err();
        assert_eq!(fault, Fault::Rebooted, "{}", bench.name);
        let again = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL).step(&there);
        assert!(
            matches!(again, Err(Fault::NotCalibrated | Fault::NotEnabled)),
            "{}: moves from an unknown pose: {again:?}",
            bench.name
        );
    }
}

#[test]
fn a_mute_controller_is_a_timeout() {
    for mut bench in benches(&[]) {
        work(&mut bench).unwrap();
        let there = bench.there.clone();
        let begun = bench.clock.now();
        bench.device.lock().unwrap().suffer(Trouble::Mute, begun);
        let mut runner = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL);
        let fault = runner
            .step(&there)
            .and_then(|()| runner.wait())
            .unwrap_err();
        assert!(
            matches!(fault, Fault::Timeout { tries: 3, .. }),
            "{}: {fault}",
            bench.name
        );
        assert!(
            bench.clock.now() - begun < Duration::from_secs(2),
            "{}",
            bench.name
        );
    }
}

#[test]
fn a_blocked_joint_of_a_bus_servo_is_told_and_the_arm_held() {
    let mut bench = benches(&[]).remove(1);
    work(&mut bench).unwrap();
    for (trouble, expected) in [
        (Trouble::Overload(2), Fault::Overload(2)),
        (
            Trouble::Hot(1),
            Fault::Hot {
                joint: 1,
                celsius: 0,
            },
        ),
    ] {
        bench
            .device
            .lock()
            .unwrap()
            .suffer(Trouble::Reboot, bench.clock.now());
        bench.arm.enable(true).unwrap();
        let there = bench.there.clone();
        let mut runner = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL);
        runner.step(&Step::Home).unwrap();
        runner.wait().unwrap();
        runner.step(&there).unwrap();
        bench.clock.sleep(Duration::from_millis(300));
        bench
            .device
            .lock()
            .unwrap()
            .suffer(trouble, bench.clock.now());
        assert_eq!(runner.wait(), Err(expected));
        bench.clock.sleep(Duration::from_secs(1));
        assert!(!bench.device.lock().unwrap().is_moving(bench.clock.now()));
    }
}

#[test]
fn the_emergency_stop_works_from_elsewhere_and_stays() {
    for mut bench in benches(&[]) {
        work(&mut bench).unwrap();
        let stopper = bench.arm.stopper();
        let there = bench.there.clone();
        let mut runner = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL);
        runner.step(&there).unwrap();
        bench.clock.sleep(Duration::from_millis(200));
        let stopped = std::thread::spawn(move || stopper.stop(Stop::Hold))
            .join()
            .unwrap();
        stopped.unwrap();
        assert_eq!(runner.wait(), Err(Fault::EStop), "{}", bench.name);
        bench.clock.sleep(Duration::from_secs(3));
        assert!(
            !bench.device.lock().unwrap().is_moving(bench.clock.now()),
            "{}",
            bench.name
        );
        for _ in 0..2 {
            let refused =
                Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL).step(&Step::Home);
            assert!(
                refused.is_err(),
                "{} moves although it is stopped",
                bench.name
            );
        }
        bench.arm.latch().clear();
        let again = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL).step(&there);
        assert!(again.is_err(), "{} moves from an unknown pose", bench.name);
    }
}

#[test]
fn an_angle_beyond_the_limits_sends_nothing() {
    for mut bench in benches(&[]) {
        work(&mut bench).unwrap();
        let before = bench.device.lock().unwrap().joints(bench.clock.now());
        let beyond = match bench.there {
            Step::Point(point, turn) => Step::Point(Point { x: 90.0, ..point }, turn),
            _ => Step::Angles(vec![0.0, 0.0, 170.0, 0.0, 0.0]),
        };
        let refused = Runner::new(&mut *bench.arm, &bench.clock, Pace::ORIGINAL).step(&beyond);
        assert!(
            matches!(refused, Err(Fault::Limit { .. })),
            "{}: {refused:?}",
            bench.name
        );
        bench.clock.sleep(Duration::from_secs(5));
        assert_eq!(
            bench.device.lock().unwrap().joints(bench.clock.now()),
            before
        );
    }
}

#[test]
fn a_record_plays_back() {
    let profile = Ssc32Profile::original();
    let run = |link: Box<dyn Link>, clock: &SimClock| {
        let mut arm = Ssc32::new(link, clock.shared(), profile.clone());
        arm.connect()?;
        arm.enable(true)?;
        let mut runner = Runner::new(&mut arm, clock, Pace::ORIGINAL);
        runner.steps(&[
            Step::Home,
            Step::Angles(vec![10.0; 5]),
            Step::Grip(Grip::Close),
        ])?;
        runner.wait()
    };
    let faults = [(4, WireFault::Garbage), (9, WireFault::Unplugged)];
    let clock = SimClock::new();
    let device = Arc::new(Mutex::new(Ssc32Device::new(
        profile.clone(),
        "SSC32-V2.01XE",
    )));
    let log = WireLog::new();
    let link = SimLink::new(device, clock.shared()).with_faults(faults);
    let link = Recorder::new(link, clock.shared(), log.clone());
    let first = run(Box::new(link), &clock);
    let entries = log.take();
    assert!(entries.len() > 10 && first.is_err());

    let again = SimClock::new();
    let replay = Replay::new(entries.clone(), again.shared());
    assert_eq!(run(Box::new(replay), &again), first);
    assert_eq!(again.now(), clock.now());

    let mut other = entries;
    other[0].bytes = "00".to_owned();
    let clock = SimClock::new();
    let replay = Replay::new(other, clock.shared());
    let fault = run(Box::new(replay), &clock).unwrap_err();
    assert!(
        fault.to_string().contains("the record goes on with 00"),
        "{fault}"
    );
}

#[test]
fn a_motion_that_ends_while_an_answer_is_missed_is_no_restart() {
    let clock = SimClock::new();
    let profile = Ssc32Profile::original();
    let device = Ssc32Device::new(profile.clone(), "SSC32-V2.01XE");
    let link = SimLink::new(Arc::new(Mutex::new(device)), clock.shared());
    let saboteur = link.saboteur();
    let mut arm = Ssc32::new(Box::new(link), clock.shared(), profile);
    arm.connect().unwrap();
    arm.enable(true).unwrap();
    let home = arm.home().unwrap();
    clock.sleep(Duration::from_secs(5));
    assert_eq!(arm.poll(home), Ok(Motion::Done));
    let there = [10.0, -10.0, 6.0, -30.0, 20.0];
    let ticket = arm.move_joints(&there, Duration::from_secs(1)).unwrap();
    clock.sleep(Duration::from_millis(850));
    saboteur.strike(WireFault::Lost);
    assert_eq!(arm.poll(ticket), Ok(Motion::Done));
}

#[test]
fn an_arm_behind_a_network_works_and_its_loss_is_told() {
    use rulec_arm::{RealClock, TcpLink};
    use std::sync::atomic::{AtomicBool, Ordering};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let over = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&over);
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let wait = Some(Duration::from_millis(2));
        stream.set_read_timeout(wait).unwrap();
        let profile = Ssc32Profile::original();
        let device = Mutex::new(Ssc32Device::new(profile, "SSC32-V2.01XE"));
        let clock = RealClock::shared();
        let stopped = || stop.load(Ordering::SeqCst);
        rulec_arm::sim::serve(&device, &mut stream, &*clock, |bytes| bytes, stopped)
    });
    let clock = RealClock::shared();
    let link = TcpLink::connect(&address, Arc::clone(&clock)).unwrap();
    let mut arm = Ssc32::new(Box::new(link), clock, Ssc32Profile::original());
    assert_eq!(arm.connect().unwrap().firmware, "SSC32-V2.01XE");
    arm.enable(true).unwrap();
    let ticket = arm.home().unwrap();
    assert!(arm.poll(ticket).is_ok());
    over.store(true, Ordering::SeqCst);
    server.join().unwrap().unwrap();
    let fault = arm.poll(ticket).unwrap_err();
    assert!(matches!(fault, Fault::Disconnected(_)), "{fault}");
}
