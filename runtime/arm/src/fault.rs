//! What can go wrong with an arm.

use std::io;
use std::time::Duration;

/// Why an arm did not do what it was asked for. After a fault its pose is not to be relied on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The line to the controller is gone.
    #[error("the line to the arm is gone ({0}): check cable and power")]
    Disconnected(String),
    /// The controller did not answer.
    #[error("no answer to {what} within {} ms, asked {tries} times", after.as_millis())]
    Timeout {
        /// What was asked.
        what: &'static str,
        /// How long was waited for each answer.
        after: Duration,
        /// How often it was asked.
        tries: u8,
    },
    /// The controller answered something that is no answer.
    #[error("the answer to {what} makes no sense: {}", shown(bytes))]
    BadFrame {
        /// What was asked.
        what: &'static str,
        /// What came.
        bytes: Vec<u8>,
    },
    /// A joint was asked to go where it cannot or must not.
    #[error("joint {joint} was asked for {asked:.1}, allowed are {min:.1} to {max:.1}")]
    Limit {
        /// Number of the joint, from 0.
        joint: usize,
        /// What was asked, in degrees (cartesian arms: centimetres along axis `joint`).
        asked: f64,
        /// Least allowed.
        min: f64,
        /// Greatest allowed.
        max: f64,
    },
    /// A point that the arm cannot reach.
    #[error("the arm cannot reach ({0:.1}, {1:.1}, {2:.1}) cm")]
    Unreachable(f64, f64, f64),
    /// A servo is blocked by a load.
    #[error("joint {0} is overloaded: free it and look for what blocks it")]
    Overload(usize),
    /// A servo is too hot.
    #[error("joint {joint} is too hot ({celsius} degrees Celsius): let it cool down")]
    Hot {
        /// Number of the joint, from 0.
        joint: usize,
        /// Its temperature in degrees Celsius, 0 where the controller does not tell.
        celsius: i32,
    },
    /// The supply voltage of a servo is out of range.
    #[error("the supply voltage at joint {0} is out of range: check the power supply")]
    Voltage(usize),
    /// A joint did not arrive.
    #[error("joint {0} did not arrive in time")]
    Stalled(usize),
    /// The controller started anew and forgot where its servos are.
    #[error("the controller restarted by itself: the arm must be homed before it moves again")]
    Rebooted,
    /// The pose is unknown, or the motors are not calibrated.
    #[error("the pose of the arm is not known: home it first")]
    NotCalibrated,
    /// The motors are off.
    #[error("the motors are switched off")]
    NotEnabled,
    /// The controller is another one than expected.
    #[error("this is not the arm that the profile describes: {0}")]
    WrongDevice(String),
    /// The controller refused a command.
    #[error("the controller refused: {0}")]
    Refused(String),
    /// This kind of arm cannot do that.
    #[error("this arm cannot {0}")]
    Unsupported(&'static str),
    /// The emergency stop is set.
    #[error("the emergency stop is set")]
    EStop,
}

impl Fault {
    /// Whether asking again may help.
    pub fn is_passing(&self) -> bool {
        matches!(self, Fault::Timeout { .. } | Fault::BadFrame { .. })
    }

    /// Whether a command never reached the controller, so that the arm is where it was.
    pub fn before_motion(&self) -> bool {
        matches!(
            self,
            Fault::Limit { .. } | Fault::Unreachable(..) | Fault::Unsupported(_)
        )
    }

    /// A fault of the line.
    pub(crate) fn of_io(error: &io::Error) -> Fault {
        Fault::Disconnected(error.to_string())
    }
}

const SHOWN: usize = 24;

/// Bytes for people: printable text as it is, others in hex; the beginning only.
fn shown(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(SHOWN)];
    let text = head.escape_ascii().to_string();
    match bytes.len() > SHOWN {
        true => format!("`{text}`... ({} bytes)", bytes.len()),
        false => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_to_look_for() {
        let bytes = vec![0xff; 30];
        let fault = Fault::BadFrame { what: "Q", bytes };
        assert!(fault.to_string().ends_with("... (30 bytes)"), "{fault}");
        let gone = Fault::of_io(&io::Error::other("unplugged"));
        assert_eq!(
            gone.to_string(),
            "the line to the arm is gone (unplugged): check cable and power"
        );
        assert!(!gone.is_passing() && fault.is_passing());
    }
}
