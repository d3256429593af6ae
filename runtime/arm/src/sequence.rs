//! Motions one after the other, each when the one before is over.

use std::time::Duration;

use crate::{Arm, Clock, Fault, Grip, Motion, Point, Stop, Ticket};

/// One motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// To angles, in degrees.
    Angles(Vec<f64>),
    /// To a point, with the hand turned by so many degrees.
    Point(Point, f64),
    /// Open or close the gripper.
    Grip(Grip),
    /// To the pose out of the camera's sight.
    Home,
}

/// How long things take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Time of a motion to a pose.
    pub pose: Duration,
    /// Rest after each motion was asked for.
    pub rest: Duration,
    /// Time between two questions whether a motion is over.
    pub poll: Duration,
    /// How many times its time a motion may take, and so much more, before it counts as stalled.
    pub patience: (u32, Duration),
}

impl Pace {
    /// Times of the S3 Games.
    pub const ORIGINAL: Pace = Pace {
        pose: Duration::from_millis(3000),
        rest: Duration::from_millis(700),
        poll: Duration::from_millis(500),
        patience: (2, Duration::from_secs(2)),
    };
}

/// Runs motions and remembers which one is under way.
pub struct Runner<'a> {
    arm: &'a mut dyn Arm,
    clock: &'a dyn Clock,
    pace: Pace,
    guarded: bool,
    under_way: Option<(Ticket, Duration)>,
}

impl<'a> Runner<'a> {
    /// A runner on an arm that may be moving, such as to its first pose.
    pub fn new(arm: &'a mut dyn Arm, clock: &'a dyn Clock, pace: Pace) -> Runner<'a> {
        Runner {
            arm,
            clock,
            pace,
            guarded: false,
            under_way: None,
        }
    }

    /// Asks the controller before every motion whether it still knows its pose. The original does not; a controller that
    /// restarted between two motions jumps then.
    pub fn guarded(mut self) -> Runner<'a> {
        self.guarded = true;
        self
    }

    /// Tells of a motion that was begun elsewhere.
    pub fn after(mut self, ticket: Ticket) -> Runner<'a> {
        self.under_way = Some((ticket, self.clock.now()));
        self
    }

    /// Waits until nothing moves.
    ///
    /// # Errors
    /// [`Fault::Stalled`] if that takes much too long; else what the arm reports. The arm is held then.
    pub fn wait(&mut self) -> Result<(), Fault> {
        let Some((ticket, begun)) = self.under_way.take() else {
            return Ok(());
        };
        let (times, more) = self.pace.patience;
        let end = begun + ticket.time * times + more;
        loop {
            match self.arm.poll(ticket) {
                Ok(Motion::Done) => return Ok(()),
                Ok(Motion::Moving) if self.clock.now() >= end => {
                    return Err(self.held(Fault::Stalled(0)));
                }
                Ok(Motion::Moving) => self.clock.sleep(self.pace.poll),
                Err(fault) => return Err(self.held(fault)),
            }
        }
    }

    /// Begins a motion as soon as the one before is over.
    ///
    /// # Errors
    /// As [`Runner::wait`]; a pose beyond the limits is refused before anything of it moves.
    pub fn step(&mut self, step: &Step) -> Result<(), Fault> {
        self.wait()?;
        if self.guarded
            && let Err(fault) = self.arm.read()
        {
            return Err(self.held(fault));
        }
        let begun = match step {
            Step::Angles(angles) => self.arm.move_joints(angles, self.pace.pose),
            Step::Point(point, turn) => self.arm.move_to(*point, *turn, self.pace.pose),
            Step::Grip(grip) => self.arm.grip(*grip),
            Step::Home => self.arm.home(),
        };
        match begun {
            Ok(ticket) => {
                self.under_way = Some((ticket, self.clock.now()));
                Ok(())
            }
            Err(fault) if fault.before_motion() => Err(fault),
            Err(fault) => Err(self.held(fault)),
        }
    }

    /// Motions with a rest after each.
    ///
    /// # Errors
    /// As [`Runner::step`].
    pub fn steps(&mut self, steps: &[Step]) -> Result<(), Fault> {
        for step in steps {
            self.step(step)?;
            self.clock.sleep(self.pace.rest);
        }
        Ok(())
    }

    /// Holds the arm after a fault. That may fail too; the first fault is the one to report.
    fn held(&mut self, fault: Fault) -> Fault {
        let _ = self.arm.stop(Stop::Hold);
        fault
    }
}
