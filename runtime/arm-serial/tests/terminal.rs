//! Arms on a pseudo-terminal: a thread plays the controller, the driver opens the other end by its name.
#![cfg(unix)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rulec_arm::sequence::{Pace, Runner, Step};
use rulec_arm::sim::{self, Device, Ssc32Device, StsDevice, Trouble};
use rulec_arm::{Arm, Fault, RealClock, SharedClock, Ssc32, Ssc32Profile, Stop, Sts, StsProfile};
use serialport::{SerialPort, TTYPort};

/// Motions of a tenth of a second, so that tests do not wait; a busy machine has its time.
const QUICK: Pace = Pace {
    pose: Duration::from_millis(100),
    rest: Duration::from_millis(1),
    poll: Duration::from_millis(5),
    patience: (2, Duration::from_secs(60)),
};

/// A controller on one end of a pseudo-terminal.
struct Controller<D> {
    device: Arc<Mutex<D>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// The clock that its motions go by.
    clock: SharedClock,
    /// The name of the other end.
    name: String,
    /// Held so that the other end may be opened and closed.
    _slave: TTYPort,
}

impl<D: Device + 'static> Controller<D> {
    /// Runs a controller whose answers go through `tamper`.
    fn new(device: D, tamper: impl FnMut(Vec<u8>) -> Vec<u8> + Send + 'static) -> Controller<D> {
        let (mut master, slave) = TTYPort::pair().expect("a pseudo-terminal");
        master
            .set_timeout(Duration::from_millis(2))
            .expect("a timeout");
        let name = slave.name().expect("a name");
        let device = Arc::new(Mutex::new(device));
        let stop = Arc::new(AtomicBool::new(false));
        let (served, stopped) = (Arc::clone(&device), Arc::clone(&stop));
        let clock = RealClock::shared();
        let time = Arc::clone(&clock);
        let thread = std::thread::spawn(move || {
            let over = || stopped.load(Ordering::SeqCst);
            // When the other end is gone there is nothing left to do.
            let _ = sim::serve(&served, &mut master, &*time, tamper, over);
        });
        Controller {
            device,
            stop,
            thread: Some(thread),
            clock,
            name,
            _slave: slave,
        }
    }

    fn is_moving(&self) -> bool {
        let device = self.device.lock().unwrap();
        device.is_moving(self.clock.now())
    }

    /// Pulls the cable: the controller's end closes.
    fn unplug(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the controller ends");
        }
    }
}

impl<D> Drop for Controller<D> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn quick_profile() -> Ssc32Profile {
    Ssc32Profile {
        home_time: Duration::from_millis(100),
        grip_time: Duration::from_millis(100),
        ..Ssc32Profile::original()
    }
}

fn ssc32(
    tamper: impl FnMut(Vec<u8>) -> Vec<u8> + Send + 'static,
) -> (Controller<Ssc32Device>, Ssc32) {
    let profile = quick_profile();
    let controller = Controller::new(Ssc32Device::new(profile.clone(), "SSC32-V2.01XE"), tamper);
    let clock = RealClock::shared();
    let link = rulec_arm_serial::open(&controller.name, 115_200, Arc::clone(&clock)).unwrap();
    (controller, Ssc32::new(Box::new(link), clock, profile))
}

fn ready(arm: &mut dyn Arm) -> Result<(), Fault> {
    arm.connect()?;
    arm.enable(true)?;
    let clock = RealClock::shared();
    let mut runner = Runner::new(arm, &*clock, QUICK);
    runner.step(&Step::Home)?;
    runner.wait()
}

fn go(arm: &mut dyn Arm) -> Result<(), Fault> {
    go_at(arm, QUICK)
}

/// A motion of so long that only a stop ends it while a test looks.
const SLOW: Pace = Pace {
    pose: Duration::from_secs(60),
    ..QUICK
};

fn go_at(arm: &mut dyn Arm, pace: Pace) -> Result<(), Fault> {
    let clock = RealClock::shared();
    let mut runner = Runner::new(arm, &*clock, pace);
    runner.step(&Step::Angles(vec![10.0, -10.0, 6.0, -30.0, 20.0]))?;
    runner.wait()
}

/// Every fault must be told within the deadline of a request, three tries of at most half a second each; the rest is
/// for a busy machine. A motion that nobody stops takes longer.
fn within<T>(what: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = what();
    assert!(
        begun.elapsed() < Duration::from_secs(45),
        "a deadline was missed"
    );
    result
}

/// The stop that follows a fault reaches the controller soon.
fn comes_to_rest<D: Device + 'static>(controller: &Controller<D>) {
    let begun = Instant::now();
    while controller.is_moving() {
        assert!(
            begun.elapsed() < Duration::from_secs(45),
            "the arm is not held"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_ssc32_works_on_a_terminal() {
    let (controller, mut arm) = ssc32(|bytes| bytes);
    assert_eq!(arm.connect().unwrap().firmware, "SSC32-V2.01XE");
    ready(&mut arm).unwrap();
    go(&mut arm).unwrap();
    let read = arm.read().unwrap().joints.unwrap();
    assert!((read[0] - 10.0).abs() < 1.1, "{read:?}");
    assert!(controller.device.lock().unwrap().violations().is_empty());
}

#[test]
fn bus_servos_work_on_a_terminal_at_their_speed() {
    let profile = StsProfile::so101();
    let controller = Controller::new(StsDevice::new(&profile), |bytes| bytes);
    let clock = RealClock::shared();
    let link = rulec_arm_serial::open(&controller.name, 1_000_000, Arc::clone(&clock)).unwrap();
    let mut arm = Sts::new(Box::new(link), clock, profile);
    assert_eq!(arm.connect().unwrap().firmware, "3.9");
    arm.enable(true).unwrap();
    assert!(!controller.is_moving());
    arm.home().unwrap();
    let fault = go(&mut arm).err();
    assert!(matches!(fault, None | Some(Fault::Stalled(_))), "{fault:?}");
}

#[test]
fn a_port_that_does_not_exist_is_told_with_those_that_do() {
    let error = rulec_arm_serial::open("/dev/no-such-port", 9600, RealClock::shared()).err();
    let text = error.expect("there is none").to_string();
    assert!(
        text.starts_with("cannot open /dev/no-such-port") && text.contains("there "),
        "{text}"
    );
}

#[test]
fn an_unplugged_arm_is_told_and_does_not_panic() {
    let (mut controller, mut arm) = ssc32(|bytes| bytes);
    ready(&mut arm).unwrap();
    controller.unplug();
    let fault = within(|| go(&mut arm).unwrap_err());
    assert!(
        matches!(fault, Fault::Disconnected(_) | Fault::Timeout { .. }),
        "{fault}"
    );
    let again = within(|| go(&mut arm).unwrap_err());
    assert!(
        matches!(again, Fault::Disconnected(_) | Fault::NotCalibrated),
        "{again}"
    );
    let _ = arm.stop(Stop::Hold);
}

#[test]
fn garbage_and_half_frames_are_told_and_the_arm_is_held() {
    type Tamper = fn(Vec<u8>) -> Vec<u8>;
    let kinds: [(&str, Tamper); 3] = [
        ("garbage", |_| vec![0x13, 0x80, 0x00, 0x7f]),
        ("half", |bytes| bytes[..bytes.len() / 2].to_vec()),
        ("nothing", |_| Vec::new()),
    ];
    for (name, tamper) in kinds {
        let broken = Arc::new(AtomicBool::new(false));
        let now = Arc::clone(&broken);
        let (controller, mut arm) = ssc32(move |bytes| match now.load(Ordering::SeqCst) {
            true => tamper(bytes),
            false => bytes,
        });
        ready(&mut arm).unwrap();
        broken.store(true, Ordering::SeqCst);
        let fault = within(|| go_at(&mut arm, SLOW).unwrap_err());
        assert!(fault.is_passing(), "{name}: {fault}");
        comes_to_rest(&controller);
        broken.store(false, Ordering::SeqCst);
        assert_eq!(
            go(&mut arm),
            Err(Fault::NotCalibrated),
            "{name}: an unknown pose is not left"
        );
        ready(&mut arm).unwrap();
        go(&mut arm).unwrap();
    }
}

#[test]
fn a_restart_in_a_motion_is_told() {
    let profile = StsProfile::so101();
    let controller = Controller::new(StsDevice::new(&profile), |bytes| bytes);
    let clock = RealClock::shared();
    let link = rulec_arm_serial::open(&controller.name, 1_000_000, Arc::clone(&clock)).unwrap();
    let mut arm = Sts::new(Box::new(link), Arc::clone(&clock), profile);
    arm.connect().unwrap();
    arm.enable(true).unwrap();
    arm.home().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    controller
        .device
        .lock()
        .unwrap()
        .suffer(Trouble::Reboot, controller.clock.now());
    let ticket = rulec_arm::Ticket {
        number: 1,
        time: Duration::from_secs(4),
    };
    assert_eq!(within(|| arm.poll(ticket)), Err(Fault::Rebooted));
    let refused = arm.move_joints(&[0.0; 5], Duration::from_secs(1));
    assert!(refused.is_err(), "it moves from an unknown pose");
}

#[test]
fn an_emergency_stop_from_another_thread_does_not_wait_for_an_answer() {
    // The controller says nothing, so that the driver waits for an answer all the time.
    let silent = Arc::new(AtomicBool::new(false));
    let now = Arc::clone(&silent);
    let (asked, waits) = std::sync::mpsc::channel();
    let (controller, mut arm) = ssc32(move |bytes| match now.load(Ordering::SeqCst) {
        true => {
            // Nobody hears it once there is a stop.
            let _ = asked.send(());
            Vec::new()
        }
        false => bytes,
    });
    ready(&mut arm).unwrap();
    silent.store(true, Ordering::SeqCst);
    let stopper = arm.stopper();
    let stop = std::thread::spawn(move || {
        waits.recv().expect("the driver asks");
        stopper.stop(Stop::Hold)
    });
    let clock = RealClock::shared();
    let mut runner = Runner::new(&mut arm, &*clock, SLOW);
    runner
        .step(&Step::Angles(vec![10.0, -10.0, 6.0, -30.0, 20.0]))
        .unwrap();
    let fault = within(|| runner.wait().unwrap_err());
    assert_eq!(fault, Fault::EStop);
    stop.join().unwrap().unwrap();
    comes_to_rest(&controller);
}
