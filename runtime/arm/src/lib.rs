//! Robot arms: what travels over the wire, drivers for three families of controllers, and simulated controllers.
//!
//! Nothing here needs a system library. A serial port comes from the crate `rulec-arm-serial`; everything else works
//! on any [`Read`](std::io::Read) and [`Write`](std::io::Write), see [`Stream`].
//!
//! Three promises hold for every [`Arm`]: [`Arm::connect`] moves nothing, every request has a deadline and a bounded
//! number of tries, and nothing is sent any more once the [`Latch`] is set, except what stops the arm.

mod arm;
mod clock;
mod driver;
mod fault;
pub mod kinematics;
mod link;
mod log;
mod port;
pub mod sequence;
pub mod sim;

pub use arm::{Arm, Caps, Grip, Ident, Motion, Point, Reading, Stop, Ticket};
pub use clock::{Clock, RealClock, SharedClock, SimClock};
pub use driver::gcode::{GcodeArm, GcodeProfile};
pub use driver::ssc32::{Ssc32, Ssc32Profile};
pub use driver::sts::{self, Motor, Sts, StsProfile};
pub use fault::Fault;
pub use link::{Link, Stream, TcpLink};
pub use log::{Direction, Entry, Recorder, Replay, WireLog};
pub use port::{Answer, Latch, Port, Stopper, Tries};
