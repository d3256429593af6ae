//! What every arm can be asked for.

use std::time::Duration;

use crate::Fault;
use crate::port::{Latch, Stopper};

/// A point in centimetres: to the right of the arm's base, away from it, above the table.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// To the right, negative to the left.
    pub x: f64,
    /// Away from the base.
    pub y: f64,
    /// Above the table.
    pub z: f64,
}

/// What an arm can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Name for people.
    pub name: String,
    /// Joints without the gripper; 0 where joints cannot be commanded.
    pub joints: usize,
    /// Least and greatest angle of each joint, in degrees.
    pub limits: Vec<(f64, f64)>,
    /// Whether points can be commanded.
    pub cartesian: bool,
    /// Whether the controller tells where the joints really are.
    pub feedback: bool,
    /// Whether the arm can be stopped so that it keeps its pose.
    pub hold: bool,
    /// Whether the motors can be switched off.
    pub limp: bool,
}

/// What answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// What the controller says of itself.
    pub firmware: String,
}

/// A motion under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Number of the motion, from 1.
    pub number: u32,
    /// How long it should take.
    pub time: Duration,
}

/// What became of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// It goes on.
    Moving,
    /// It is over.
    Done,
}

/// What the gripper should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// Take hold.
    Close,
    /// Let go.
    Open,
}

/// How to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Keep the pose. Where the arm cannot, it becomes limp.
    Hold,
    /// Switch the motors off; the arm may sink.
    Limp,
}

/// What an arm tells of itself. What it cannot tell is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Angles of the joints, in degrees.
    pub joints: Option<Vec<f64>>,
    /// Where the gripper is.
    pub point: Option<Point>,
    /// How far the gripper is closed, 0 open to 1 closed.
    pub grip: Option<f64>,
    /// Greatest load of a joint, as a share of what it bears.
    pub load: Option<f64>,
    /// Greatest temperature, in degrees Celsius.
    pub celsius: Option<i32>,
    /// Whether something moves.
    pub moving: Option<bool>,
}

/// An arm and its controller.
pub trait Arm: Send {
    /// What it can do.
    fn caps(&self) -> &Caps;

    /// Talks to the controller for the first time; moves nothing and switches nothing on.
    ///
    /// # Errors
    /// When nobody answers, or something else than expected.
    fn connect(&mut self) -> Result<Ident, Fault>;

    /// Switches the motors on, so that they hold what pose they have, or off.
    ///
    /// # Errors
    /// When the controller cannot be reached or refuses.
    fn enable(&mut self, on: bool) -> Result<(), Fault>;

    /// Goes to a pose that is always safe, out of the camera's sight, also from an unknown one. Only after this other
    /// motions are accepted.
    ///
    /// # Errors
    /// When the controller cannot be reached or refuses.
    fn home(&mut self) -> Result<Ticket, Fault>;

    /// Moves all joints, by angles in degrees.
    ///
    /// # Errors
    /// [`Fault::Limit`] before anything moves; else when the controller cannot be reached or refuses.
    fn move_joints(&mut self, angles: &[f64], time: Duration) -> Result<Ticket, Fault>;

    /// Moves the gripper to a point, with the hand kept upright and turned by so many degrees.
    ///
    /// # Errors
    /// [`Fault::Unsupported`] where the arm only knows joints; else as [`Arm::move_joints`].
    fn move_to(&mut self, point: Point, turn: f64, time: Duration) -> Result<Ticket, Fault> {
        let _ = (point, turn, time);
        Err(Fault::Unsupported("go to a point by itself"))
    }

    /// Opens or closes the gripper.
    ///
    /// # Errors
    /// When the controller cannot be reached or refuses.
    fn grip(&mut self, grip: Grip) -> Result<Ticket, Fault>;

    /// Asks what became of a motion.
    ///
    /// # Errors
    /// What the controller says went wrong, or when it cannot be reached.
    fn poll(&mut self, ticket: Ticket) -> Result<Motion, Fault>;

    /// Asks for what the arm can tell of itself.
    ///
    /// # Errors
    /// When the controller cannot be reached.
    fn read(&mut self) -> Result<Reading, Fault>;

    /// Stops the arm and forgets its pose.
    ///
    /// # Errors
    /// When the controller cannot be reached.
    fn stop(&mut self, how: Stop) -> Result<(), Fault>;

    /// What stops the arm from another thread, also while a request is under way.
    fn stopper(&self) -> Stopper;

    /// The latch that refuses motion while it is set.
    fn latch(&self) -> Latch;
}
