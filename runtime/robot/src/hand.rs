//! The arm, and how it carries a piece.

use rulec_arm::sequence::{Pace, Runner, Step};
use rulec_arm::{Arm, Caps, Fault, Grip, Latch, SharedClock};

use crate::Rig;

/// An arm with its times.
pub struct Hand {
    arm: Box<dyn Arm>,
    clock: SharedClock,
    pace: Pace,
}

/// How far an arm that tells its angles may be from where it was sent, in degrees.
const AMISS: f64 = 3.0;

impl Hand {
    /// An arm that nobody talked to yet.
    pub fn new(arm: Box<dyn Arm>, clock: SharedClock, pace: Pace) -> Hand {
        Hand { arm, clock, pace }
    }

    /// What the arm can do.
    pub fn caps(&self) -> &Caps {
        self.arm.caps()
    }

    /// The latch of its emergency stop.
    pub fn latch(&self) -> Latch {
        self.arm.latch()
    }

    /// Finds the controller, switches the motors on, and goes home with an open gripper.
    ///
    /// # Errors
    /// When something of that fails; the arm is held then.
    pub fn start(&mut self) -> Result<String, Fault> {
        let ident = self.arm.connect()?;
        self.arm.enable(true)?;
        let mut runner = Runner::new(&mut *self.arm, &*self.clock, self.pace).guarded();
        // Twice: a controller that forgot where its servos are jumps at the first order.
        runner.steps(&[Step::Home, Step::Home, Step::Grip(Grip::Open)])?;
        runner.wait()?;
        Ok(ident.firmware)
    }

    /// The motions that carry a piece from one spot to another and go home.
    ///
    /// # Errors
    /// When the arm cannot go there.
    pub fn motions(
        caps: &Caps,
        rig: &Rig,
        from: usize,
        to: usize,
        deeper: f64,
    ) -> Result<Vec<Step>, Fault> {
        let mut steps = Vec::new();
        for (spot, grip, deeper) in [(from, Grip::Close, deeper), (to, Grip::Open, 0.0)] {
            let [above, at] = rig.steps(caps, spot, deeper)?;
            steps.extend([above.clone(), at, Step::Grip(grip), above]);
        }
        steps.push(Step::Home);
        Ok(steps)
    }

    /// Carries a piece from one spot to another, goes home and waits until it is there.
    ///
    /// # Errors
    /// Before anything moves when the arm cannot go there; else what went wrong, with the arm held.
    pub fn carry(&mut self, rig: &Rig, from: usize, to: usize, deeper: f64) -> Result<(), Fault> {
        let steps = Hand::motions(self.arm.caps(), rig, from, to, deeper)?;
        let mut runner = Runner::new(&mut *self.arm, &*self.clock, self.pace).guarded();
        runner.steps(&steps)?;
        runner.wait()?;
        self.check(&steps)
    }

    /// Whether the arm still knows its pose, as far as it tells.
    fn check(&mut self, steps: &[Step]) -> Result<(), Fault> {
        let read = match self.arm.read() {
            Ok(read) => read,
            Err(Fault::Unsupported(_)) => return Ok(()),
            Err(fault) => return Err(fault),
        };
        // Home may lie beyond the limits of angles; only a pose that was ordered as such can be compared.
        let (Some(joints), Some(Step::Angles(asked))) = (read.joints, steps.last()) else {
            return Ok(());
        };
        match joints
            .iter()
            .zip(asked)
            .position(|(a, b)| (a - b).abs() > AMISS)
        {
            Some(joint) => Err(Fault::Stalled(joint)),
            None => Ok(()),
        }
    }
}

/// A motion in words, with the angles it goes to.
pub(crate) fn step_text(step: &Step) -> String {
    let angles = |angles: &Vec<f64>| {
        let angles: Vec<String> = angles.iter().map(|angle| format!("{angle:.1}")).collect();
        angles.join(" ")
    };
    match step {
        Step::Angles(a) => format!("to {}", angles(a)),
        Step::Point(p, turn) => format!(
            "to ({:.1}, {:.1}, {:.1}) cm, turned {turn:.0}",
            p.x, p.y, p.z
        ),
        Step::Grip(Grip::Close) => "close the gripper".to_owned(),
        Step::Grip(Grip::Open) => "open the gripper".to_owned(),
        Step::Home => "home".to_owned(),
    }
}
