//! A robot without hardware: a simulated table under a simulated camera, a simulated controller whose arm moves the pieces
//! of that table, and a person who plays and makes mistakes, all on a clock that does not wait.

mod person;
mod world;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rulec_arm::sequence::Pace;
use rulec_arm::sim::{Device, SimLink, Ssc32Device, StsDevice, Trouble, WireFault};
use rulec_arm::{
    Arm, Clock, Link, Recorder, SharedClock, SimClock, Ssc32, Ssc32Profile, Stop, Sts, StsProfile,
    WireLog,
};
use rulec_core::Rng;
use rulec_search::State;
use rulec_vision::Scene;
use rulec_vision::table::Conditions;

use crate::journal::Journal;
use crate::{Ending, Eye, EyeFault, Hand, Rig, Session, Settings, Sight, Tableau};

pub use person::SimPerson;
pub use world::{Mishap, PlainEye, World};

/// Something that goes wrong in a game, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Incident {
    /// A hand stays in view.
    HandStays,
    /// Nobody moves for long.
    NobodyMoves,
    /// What is seen of a place cannot be made out.
    Fog,
    /// A piece is put where no rule allows it.
    Illegal,
    /// Two moves are made at once.
    TwoMoves,
    /// A piece is put beside the middle of its place.
    OffCentre,
    /// A piece lies beside all places.
    Stray,
    /// The board is changed while the robot thinks.
    Bump,
    /// The start position is not right.
    WrongStart,
    /// The gripper misses once.
    Miss,
    /// The gripper misses again and again.
    MissAlways,
    /// The gripper loses the piece.
    Drop,
    /// The piece comes to lie on another place.
    WrongPlace,
    /// An answer of the controller is lost.
    LostByte,
    /// An answer is garbled.
    Garbage,
    /// The cable is pulled.
    Unplugged,
    /// The controller says nothing any more.
    Mute,
    /// The controller starts anew in a motion.
    Reboot,
    /// A joint is blocked.
    Overload,
    /// The emergency stop, cleared after it.
    EStop,
    /// The emergency stop, and nobody clears it.
    EStopForGood,
    /// The camera gives no pictures for a while.
    Blind,
    /// The camera gives no pictures any more.
    BlindForGood,
}

/// All that can go wrong.
pub const INCIDENTS: [Incident; 23] = [
    Incident::HandStays,
    Incident::NobodyMoves,
    Incident::Fog,
    Incident::Illegal,
    Incident::TwoMoves,
    Incident::OffCentre,
    Incident::Stray,
    Incident::Bump,
    Incident::WrongStart,
    Incident::Miss,
    Incident::MissAlways,
    Incident::Drop,
    Incident::WrongPlace,
    Incident::LostByte,
    Incident::Garbage,
    Incident::Unplugged,
    Incident::Mute,
    Incident::Reboot,
    Incident::Overload,
    Incident::EStop,
    Incident::EStopForGood,
    Incident::Blind,
    Incident::BlindForGood,
];

impl Incident {
    /// What the robot must say or ask, one of these, when it happens; nothing where it gets over it by itself.
    pub fn answers(self) -> &'static [&'static str] {
        match self {
            Incident::HandStays => &["hand"],
            Incident::NobodyMoves => &["waiting"],
            Incident::Fog => &["ask-which"],
            Incident::Illegal => &["illegal", "two-moves"],
            Incident::TwoMoves => &["two-moves"],
            Incident::OffCentre => &["straighten"],
            Incident::Stray => &["illegal", "restore", "two-moves"],
            Incident::Bump | Incident::WrongStart => &["restore"],
            Incident::Miss => &["again"],
            Incident::MissAlways | Incident::Drop => &["restore"],
            // The other place may be the one that the piece came from.
            Incident::WrongPlace => &["restore", "again"],
            // A controller that knows nothing of its servos leaves it to the camera.
            Incident::Overload => &["arm-fault", "restore", "again"],
            Incident::LostByte | Incident::Garbage => &[],
            Incident::Unplugged | Incident::Mute | Incident::Reboot => &["arm-fault"],
            Incident::EStop | Incident::EStopForGood => &["e-stop"],
            Incident::Blind | Incident::BlindForGood => &["eye-fault"],
        }
    }

    /// Whether the game ends with it.
    pub fn is_final(self) -> bool {
        matches!(self, Incident::EStopForGood | Incident::BlindForGood)
    }

    /// Whether it happens while the arm works.
    fn is_of_the_arm(self) -> bool {
        matches!(
            self,
            Incident::OffCentre
                | Incident::Bump
                | Incident::Miss
                | Incident::MissAlways
                | Incident::Drop
                | Incident::WrongPlace
                | Incident::LostByte
                | Incident::Garbage
                | Incident::Unplugged
                | Incident::Mute
                | Incident::Reboot
                | Incident::Overload
                | Incident::EStop
                | Incident::EStopForGood
        )
    }
}

/// How a simulated game went.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its end.
    pub ending: Ending,
    /// Everything that was said and asked, as words for the kinds.
    pub said: Vec<&'static str>,
    /// What went wrong on purpose.
    pub happened: Vec<Incident>,
    /// What must not be: positions believed that are not there, motions beyond limits, silence after an incident.
    pub defects: Vec<String>,
    /// Moves that were played.
    pub moves: u32,
    /// Simulated time.
    pub time: Duration,
}

/// A simulated game.
pub struct Simulation<'a> {
    /// What the camera knows.
    pub scene: &'a Scene,
    /// What the arm knows.
    pub rig: &'a Rig,
    /// How it is played.
    pub settings: Settings,
    /// Which arm.
    pub arm: SimArm,
    /// How hard reading is; nothing for an eye that looks through the camera's picture at the table itself.
    pub conditions: Option<Conditions>,
    /// What goes wrong, and at which turn of a person or the arm, from 0.
    pub incidents: Vec<(u32, Incident)>,
    /// Whether everything that is said goes to the terminal.
    pub aloud: bool,
    /// Where what happens is written down.
    pub journal: Journal,
    /// What lies where when the game goes on from a later position, and how often it was taken up again.
    pub resumed: Option<(Tableau, u64)>,
}

/// A simulated arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimArm {
    /// The arm of the S3 Games on an SSC-32.
    Ssc32,
    /// Bus servos.
    Sts,
}

/// Makes the eye that reads pictures of a simulated table.
pub type EyeMaker<'a> = &'a dyn Fn(&Scene, Shared) -> Box<dyn Eye>;

/// A world that arm, eye and person share.
pub type Shared = Arc<Mutex<World>>;

pub(crate) fn locked(world: &Shared) -> std::sync::MutexGuard<'_, World> {
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An eye that sees what `world` lets through: no picture while it is blind, a hand while one is in view.
struct Shutter {
    world: Shared,
    inner: Box<dyn Eye>,
}

impl Eye for Shutter {
    fn look(&mut self) -> Result<Sight, EyeFault> {
        let seen = locked(&self.world).tick();
        match seen {
            Ok(None) => self.inner.look(),
            Ok(Some(sight)) => Ok(sight),
            Err(fault) => Err(fault),
        }
    }

    fn picture(&self) -> Option<String> {
        self.inner.picture()
    }
}

impl Simulation<'_> {
    /// Plays it. `state` is the start of the game, or the position from which it goes on; `eye` makes an eye for pictures, where pictures are wanted.
    pub fn play(&self, state: State<'_>, eye: Option<EyeMaker<'_>>) -> Report {
        match self.arm {
            SimArm::Ssc32 => {
                let profile = Ssc32Profile::original();
                let device = Ssc32Device::new(profile.clone(), "SSC32-V2.01XE");
                self.play_on(state, eye, device, |link, clock| {
                    Box::new(Ssc32::new(link, clock, profile.clone()))
                })
            }
            SimArm::Sts => {
                let profile = StsProfile::so101();
                let device = StsDevice::new(&profile);
                self.play_on(state, eye, device, |link, clock| {
                    Box::new(Sts::new(link, clock, profile.clone()))
                })
            }
        }
    }

    fn play_on<D: Device + 'static>(
        &self,
        state: State<'_>,
        eye: Option<EyeMaker<'_>>,
        device: D,
        make: impl Fn(Box<dyn Link>, SharedClock) -> Box<dyn Arm>,
    ) -> Report {
        let clock = SimClock::new();
        let device = Arc::new(Mutex::new(device));
        let seed = self.settings.seed;
        let conditions = self.conditions.unwrap_or(Conditions::CALM);
        // The arm is made twice: what it can do must be known before there is a world for its line.
        let idle = Box::new(SimLink::new(Arc::clone(&device), clock.shared()));
        let caps = make(idle, clock.shared()).caps().clone();
        let world = World::new(self.scene, self.rig, caps, conditions, seed);
        let world: Shared = Arc::new(Mutex::new(world));
        let watched = Arc::clone(&world);
        let link = SimLink::new(Arc::clone(&device), clock.shared())
            .watched(move |device: &mut D, now| locked(&watched).follow(device, now));
        let saboteur = link.saboteur();
        let wire = WireLog::new();
        let link: Box<dyn Link> = Box::new(Recorder::new(link, clock.shared(), wire.clone()));
        let arm = make(link, clock.shared());
        let stop: Box<dyn Fn() -> Vec<u8> + Send> = {
            let stopper = arm.stopper();
            Box::new(move || stopper.bytes(Stop::Hold).concat())
        };
        locked(&world).set_stop(arm.latch(), stop);
        let mut hand = Hand::new(arm, clock.shared(), Pace::ORIGINAL);
        let inner = match eye {
            Some(make) => make(self.scene, Arc::clone(&world)),
            None => Box::new(PlainEye::new(Arc::clone(&world), seed)),
        };
        let mut eye = Shutter {
            world: Arc::clone(&world),
            inner,
        };
        let mut person = SimPerson::new(
            self.scene,
            state.fork(),
            Arc::clone(&world),
            saboteur,
            self.settings.clone(),
            self.incidents.clone(),
            self.aloud,
        );
        if let Some((table, _)) = &self.resumed {
            locked(&world).arrange(&table.standing);
            person.stands(&table.standing);
        }
        person.prepare();
        let session = Session::new(
            self.scene,
            self.rig,
            state,
            &mut eye,
            Some(&mut hand),
            &mut person,
            clock.shared(),
            self.settings.clone(),
        )
        .record(self.journal.clone(), Some(wire));
        let mut session = match &self.resumed {
            Some((table, times)) => session.resumed(table.clone(), *times),
            None => session,
        };
        let ending = session.run();
        let mut report = person.report(ending, clock.now());
        let device = device.lock().unwrap_or_else(PoisonError::into_inner);
        report.defects.extend(
            device
                .violations()
                .iter()
                .map(|v| format!("beyond the limits: {v}")),
        );
        report
    }
}

/// What goes wrong in a game of this seed: each of the incidents comes up equally often over the seeds, alone or with a
/// second one.
pub fn drawn_incidents(seed: u64, pool: &[Incident]) -> Vec<(u32, Incident)> {
    let mut rng = Rng::new(seed, 7);
    let mut found = BTreeSet::new();
    if let Some(first) = pool.get((seed % pool.len().max(1) as u64) as usize) {
        found.insert((rng.below(2), *first));
        if rng.below(2) == 0 {
            let second = pool[rng.below(pool.len() as u32) as usize];
            found.insert((2 + rng.below(2), second));
        }
    }
    found.into_iter().collect()
}

/// What happens to the wire or the controller in an incident.
pub(crate) fn strike(incident: Incident) -> Option<Result<WireFault, Trouble>> {
    match incident {
        Incident::LostByte => Some(Ok(WireFault::Lost)),
        Incident::Garbage => Some(Ok(WireFault::Garbage)),
        Incident::Unplugged => Some(Ok(WireFault::Unplugged)),
        Incident::Mute => Some(Err(Trouble::Mute)),
        Incident::Reboot => Some(Err(Trouble::Reboot)),
        Incident::Overload => Some(Err(Trouble::Overload(1))),
        _ => None,
    }
}
