//! A robot that plays board games: it looks at the board, finds the move that was made, thinks, moves the arm, and looks
//! again.
//!
//! - [`Rig`]: where the arm reaches places, where taken pieces go; saved as TOML, made by the [`wizard`]
//! - [`plan()`]: the physical actions of a move, in an order in which they can be done
//! - [`Eye`]: what sees the board; [`decode()`]: which of the possible positions that is
//! - [`Person`]: who plays with the robot and helps where it cannot go on
//! - [`Session`]: a game from the first look to its end
//! - [`Watch`]: the emergency stop, apart from all of this
//! - [`journal`]: what happened, as a file that can be played back
//! - [`sim`]: a table, an arm and a person who makes mistakes, on a clock that does not wait
//!
//! Nothing here needs a system library.

mod decode;
mod eye;
mod hand;
pub mod journal;
mod person;
mod pictures;
mod plan;
mod rig;
mod session;
pub mod sim;
mod watch;
pub mod wizard;

pub use decode::{Verdict, decode};
pub use eye::{Eye, EyeFault, Reading, Sight};
pub use hand::Hand;
pub use person::{Answer, Choice, Message, Person, Question, Terminal};
pub use pictures::{Camera, PictureEye};
pub use plan::{Action, PlanError, Tableau, plan};
pub use rig::{ArmSetup, Reach, Rig, RigError, Slot, Touch};
pub use rulec_search::files::write_whole as save;
pub use session::{Ending, Session, Settings, Side, catch_up};
pub use watch::{Cause, Watch};
