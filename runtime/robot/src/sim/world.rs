//! What is on the simulated table, in the gripper and in front of the camera.

use std::time::Duration;

use rulec_arm::sequence::Step;
use rulec_arm::sim::{Device, Trouble};
use rulec_arm::{Caps, Latch};
use rulec_core::Rng;
use rulec_vision::table::{Conditions, Table};
use rulec_vision::{Frame, LookId, Scene, Standing};

use super::{Shared, locked};
use crate::{Eye, EyeFault, Reading, Rig, Sight};

/// What happens to the next piece that the gripper takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// It stays where it is.
    Miss,
    /// It falls off on the way and lies beside the places.
    Drop,
    /// It comes to lie on another empty place.
    WrongPlace,
}

/// What happens to the arm at one of the next uses of the line.
#[derive(Clone, Copy, Debug)]
enum Blow {
    Trouble(Trouble),
    EStop,
}

/// What is sent to stop the arm at this moment.
pub(super) type StopBytes = Box<dyn Fn() -> Vec<u8> + Send>;

/// Everything that is not the robot's program.
pub struct World {
    scene: Scene,
    rig: Rig,
    caps: Caps,
    table: Table,
    held: Option<usize>,
    gripping: bool,
    slots: Vec<Option<usize>>,
    mishaps: Vec<Mishap>,
    blow: Option<(u32, Blow)>,
    latch: Option<Latch>,
    stop: Option<StopBytes>,
    /// Looks during which a hand is in view.
    hand: u32,
    /// Looks until a person does something, and what the board looks like then.
    soon: Option<(u32, Standing)>,
    /// Looks during which the camera gives no picture.
    blind: u32,
    /// Places that cannot be made out, and for how many looks.
    fog: (Vec<usize>, u32),
    rng: Rng,
}

/// How far a joint may be from the pose at a place for the gripper to be there, in degrees; a point, in centimetres.
const NEAR: f64 = 3.0;
/// How far from the middle of its place a piece may be for the gripper, as a part of the distance to the next place.
const CENTRED: f64 = 0.3;

impl World {
    /// The table at the start of a game, under an arm with these abilities.
    pub fn new(scene: &Scene, rig: &Rig, caps: Caps, conditions: Conditions, seed: u64) -> World {
        World {
            scene: scene.clone(),
            rig: rig.clone(),
            caps,
            table: Table::new(scene, conditions, seed),
            held: None,
            gripping: false,
            slots: vec![None; rig.slots.len()],
            mishaps: Vec::new(),
            blow: None,
            latch: None,
            stop: None,
            hand: 0,
            soon: None,
            blind: 0,
            fog: (Vec::new(), 0),
            rng: Rng::new(seed, 3),
        }
    }

    pub(super) fn set_stop(&mut self, latch: Latch, bytes: StopBytes) {
        self.latch = Some(latch);
        self.stop = Some(bytes);
    }

    // --- The camera ---

    /// A look begins: nothing if there is a picture of the board, which shows no hand.
    pub(super) fn tick(&mut self) -> Result<Option<Sight>, EyeFault> {
        if self.blind > 0 {
            self.blind -= 1;
            return Err(EyeFault("no signal".to_owned()));
        }
        if self.hand > 0 {
            self.hand -= 1;
            return Ok(Some(Sight::Hand));
        }
        match self.soon.take() {
            Some((0, standing)) => self.table.arrange(&standing),
            Some((looks, standing)) => self.soon = Some((looks - 1, standing)),
            None => {}
        }
        Ok(None)
    }

    /// What the camera sees.
    pub fn frame(&mut self) -> Frame {
        self.table.frame()
    }

    /// The table.
    pub fn table(&mut self) -> &mut Table {
        &mut self.table
    }

    /// What really stands on each place.
    pub fn truth(&self) -> Vec<Option<LookId>> {
        (0..self.scene.places.len())
            .map(|at| self.table.look_on(at))
            .collect()
    }

    /// The places whose piece is off their middle.
    fn off_centre(&self) -> Vec<usize> {
        let off = |at: &usize| {
            let place = &self.scene.places[*at];
            let disc = self
                .table
                .disc_on(*at)
                .map(|disc| self.table.discs()[disc].at);
            disc.is_some_and(|disc| distance(disc, place.at) > CENTRED * place.pitch)
        };
        (0..self.scene.places.len()).filter(off).collect()
    }

    /// Pieces that lie on no place.
    fn strays(&self) -> u32 {
        let on: Vec<usize> = (0..self.scene.places.len())
            .filter_map(|at| self.table.disc_on(at))
            .collect();
        let discs = self.table.discs().iter().enumerate();
        let stray = discs.filter(|(number, disc)| !disc.lifted && !on.contains(number));
        u32::try_from(stray.count()).unwrap_or(u32::MAX)
    }

    // --- What a person does ---

    /// The board looks like this after so many looks, the last ones with a hand in view.
    pub(super) fn arrange_soon(&mut self, standing: &Standing, after: u32, hand: u32) {
        match after {
            0 => {
                self.soon = None;
                self.arrange(standing);
            }
            _ => self.soon = Some((after, standing.clone())),
        }
        self.hand = hand;
    }

    /// A careful person puts everything as it should be, also what the gripper holds.
    pub(super) fn arrange(&mut self, standing: &Standing) {
        self.held = None;
        self.table.arrange(standing);
        let places = 0..self.scene.places.len();
        for place in places {
            if let Some(disc) = self.table.disc_on(place) {
                self.table.lower(disc, self.scene.places[place].at);
            }
        }
    }

    /// Somebody moves a piece from its place, or beside it.
    pub(super) fn shove(&mut self, place: usize, to: Option<usize>) {
        let Some(disc) = self.table.disc_on(place) else {
            return;
        };
        match to {
            Some(to) => self.table.lower_on(disc, to),
            None => {
                let corner = self.corner();
                self.table.lower(disc, corner);
            }
        }
    }

    /// A piece is put a good part of the way to the next place beside its middle.
    pub(super) fn push_off_centre(&mut self, place: usize) {
        let at = &self.scene.places[place];
        if let Some(disc) = self.table.disc_on(place) {
            self.table.lower(disc, (at.at.0, at.at.1 + 0.4 * at.pitch));
        }
    }

    /// All pieces to the middles of their places.
    pub(super) fn straighten(&mut self) {
        for place in self.off_centre() {
            if let Some(disc) = self.table.disc_on(place) {
                self.table.lower(disc, self.scene.places[place].at);
            }
        }
    }

    /// A point that is no place.
    fn corner(&self) -> (f64, f64) {
        let (left, top, _, _) = self.scene.extent();
        (left + 1.0, top + 1.0)
    }

    pub(super) fn keep_hand(&mut self, looks: u32) {
        self.hand = looks;
    }

    pub(super) fn blind(&mut self, looks: u32) {
        self.blind = looks;
    }

    pub(super) fn fog(&mut self, places: Vec<usize>, looks: u32) {
        self.fog = (places, looks);
    }

    pub(super) fn mishaps(&mut self, mishaps: &[Mishap]) {
        self.mishaps = mishaps.to_vec();
    }

    pub(super) fn trouble_soon(&mut self, uses: u32, trouble: Trouble) {
        self.blow = Some((uses, Blow::Trouble(trouble)));
    }

    pub(super) fn stop_soon(&mut self, uses: u32) {
        self.blow = Some((uses, Blow::EStop));
    }

    // --- The arm ---

    /// Follows the arm: takes and puts down pieces with it. Called whenever the line is used.
    pub(super) fn follow(&mut self, device: &mut dyn Device, now: Duration) {
        match self.blow.take() {
            Some((0, Blow::Trouble(trouble))) => device.suffer(trouble, now),
            Some((0, Blow::EStop)) => {
                if let Some(latch) = &self.latch {
                    latch.set();
                }
                if let Some(bytes) = &self.stop {
                    device.receive(&bytes(), now);
                }
            }
            Some((uses, blow)) if device.is_moving(now) => self.blow = Some((uses - 1, blow)),
            other => self.blow = other,
        }
        let gripping = device.is_gripping(now);
        if gripping == self.gripping {
            return;
        }
        self.gripping = gripping;
        let spot = self.spot(&device.joints(now));
        match gripping {
            true => self.take(spot),
            false => self.release(spot),
        }
    }

    /// The spot that the gripper is at.
    fn spot(&self, joints: &[f64]) -> Option<usize> {
        let spots = 0..self.scene.places.len() + self.rig.slots.len();
        let near = spots.filter_map(|spot| {
            let [_, at] = self.rig.steps(&self.caps, spot, 0.0).ok()?;
            let target = match at {
                Step::Angles(angles) => angles,
                Step::Point(point, _) => vec![point.x, point.y, point.z],
                _ => return None,
            };
            let off = joints.iter().zip(&target).map(|(a, b)| (a - b).abs());
            Some((off.fold(0.0, f64::max), spot))
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (nearest.0 <= NEAR).then_some(nearest.1)
    }

    fn take(&mut self, spot: Option<usize>) {
        let Some(spot) = spot else {
            return;
        };
        if self.mishaps.first() == Some(&Mishap::Miss) {
            self.mishaps.remove(0);
            return;
        }
        let places = self.scene.places.len();
        if spot >= places {
            self.held = self.slots[spot - places].take();
            return;
        }
        if self.off_centre().contains(&spot) {
            return;
        }
        if let Some(disc) = self.table.disc_on(spot) {
            self.table.lift(disc);
            self.held = Some(disc);
        }
    }

    fn release(&mut self, spot: Option<usize>) {
        let Some(disc) = self.held.take() else {
            return;
        };
        let places = self.scene.places.len();
        let mishap = match self.mishaps.is_empty() {
            true => None,
            false => Some(self.mishaps.remove(0)),
        };
        let free = |world: &World, at: usize| world.table.disc_on(at).is_none();
        match (mishap, spot) {
            (Some(Mishap::WrongPlace), Some(spot)) => {
                let others: Vec<usize> = (0..places)
                    .filter(|at| *at != spot && free(self, *at))
                    .collect();
                match others.is_empty() {
                    true => self.drop_beside(disc),
                    false => {
                        let other = others[self.rng.below(others.len() as u32) as usize];
                        self.table.lower(disc, self.scene.places[other].at);
                    }
                }
            }
            (None, Some(spot)) if spot >= places => self.slots[spot - places] = Some(disc),
            (None, Some(spot)) if free(self, spot) => self.table.lower_on(disc, spot),
            _ => self.drop_beside(disc),
        }
    }

    fn drop_beside(&mut self, disc: usize) {
        let corner = self.corner();
        self.table.lower(disc, corner);
    }
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// An eye that looks at the table itself, not at a picture: quick, and as sure as told.
pub struct PlainEye {
    world: Shared,
    rng: Rng,
}

impl PlainEye {
    /// An eye on a world.
    pub fn new(world: Shared, seed: u64) -> PlainEye {
        PlainEye {
            world,
            rng: Rng::new(seed, 5),
        }
    }
}

impl Eye for PlainEye {
    fn look(&mut self) -> Result<Sight, EyeFault> {
        let mut world = locked(&self.world);
        let classes = world.scene.looks.len() + 1;
        let mut fit = Vec::new();
        for look in world.truth() {
            let own = look.map_or(0, |look| usize::from(look) + 1);
            let rng = &mut self.rng;
            let row = (0..classes).map(|class| match class == own {
                true => -rng.unit() * 0.3,
                false => -6.0 - rng.unit() * 2.0,
            });
            fit.push(row.collect::<Vec<f64>>());
        }
        if world.fog.1 > 0 {
            world.fog.1 -= 1;
            for place in world.fog.0.clone() {
                fit[place] = (0..classes).map(|_| -self.rng.unit() * 0.2).collect();
            }
        }
        Ok(Sight::Board(Reading {
            fit,
            off_centre: world.off_centre(),
            strays: world.strays(),
        }))
    }
}
