//! Where the arm reaches things: the part of a robot game that belongs to one table and one arm.

use std::collections::BTreeMap;
use std::path::Path;

use rulec_arm::kinematics::{self, HAND, TURN};
use rulec_arm::sequence::Step;
use rulec_arm::{Caps, Fault, Motor, Point, Ssc32Profile};
use rulec_vision::Scene;
use serde::{Deserialize, Serialize};

/// How the arm gets to a spot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Reach {
    /// Angles in degrees: above the spot, and at it.
    Angles {
        /// Above the spot.
        above: Vec<f64>,
        /// At it.
        at: Vec<f64>,
    },
    /// A point in centimetres, right, away and up from the base of the arm.
    Point(Point),
}

/// A slot beside the board, for pieces that are taken or wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Name for people.
    pub name: String,
    /// Name of the piece or kind that lies there at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// How the arm gets there.
    pub reach: Reach,
}

/// A place that the arm was led to by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Touch {
    /// Name of the place.
    pub place: String,
    /// The angles at it, in degrees.
    pub angles: Vec<f64>,
}

/// Which arm, and how to talk to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSetup {
    /// `ssc32`, `ssc32-2017`, `sts`, or a dialect of G-code: `uarm`, `mirobot`, `grbl`.
    pub driver: String,
    /// A serial port such as `/dev/ttyUSB0`, or `tcp:host:port`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Speed of a serial port, if not the usual one of the driver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baud: Option<u32>,
    /// Bus servos by joint, as LeRobot's calibration files have them; the gripper is called `gripper`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub motors: BTreeMap<String, Motor>,
}

impl Default for ArmSetup {
    fn default() -> ArmSetup {
        ArmSetup {
            driver: "ssc32".to_owned(),
            port: None,
            baud: None,
            motors: BTreeMap::new(),
        }
    }
}

/// Where the arm reaches the places of a game and the slots beside the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// By place of the scene; nothing where nobody said.
    pub places: Vec<Option<Reach>>,
    /// The slots beside the board.
    pub slots: Vec<Slot>,
    /// The arm.
    pub arm: ArmSetup,
    /// Corners of the table in the scene and in the camera's picture.
    pub corners: Vec<((f64, f64), (f64, f64))>,
    /// Where the arm was led to.
    pub touches: Vec<Touch>,
}

/// What a rig is saved as.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RigFile {
    version: u32,
    game: String,
    #[serde(default)]
    arm: ArmSetup,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    corners: Vec<((f64, f64), (f64, f64))>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    touches: Vec<Touch>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    places: BTreeMap<String, Reach>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    slots: Vec<Slot>,
}

/// The version of rig files that is written; others are not read.
pub(crate) const VERSION: u32 = 1;

/// What is wrong with a rig.
#[derive(Debug, thiserror::Error)]
pub enum RigError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// The file does not hold what it should.
    #[error("{0}: {1}")]
    Content(String, String),
    /// The arm cannot go where a place is.
    #[error("the arm cannot go to {place} ({pose}): {fault}")]
    Place {
        /// The place or slot.
        place: String,
        /// `above` or `at`.
        pose: &'static str,
        /// Why.
        fault: Fault,
    },
    /// The arm reaches none of the places.
    #[error(
        "nobody said where the arm reaches the places: give `robot=` in the rules, or calibrate with a rig file"
    )]
    Nowhere,
}

impl Rig {
    /// A rig of what the rules say alone.
    pub fn new(places: Vec<Option<Reach>>) -> Rig {
        Rig {
            places,
            slots: Vec::new(),
            arm: ArmSetup::default(),
            corners: Vec::new(),
            touches: Vec::new(),
        }
    }

    /// Reads what is known of a table and puts it over what the rules say.
    ///
    /// # Errors
    /// When the file cannot be read, is of another version or game, or names places that there are not.
    pub fn load(&mut self, scene: &Scene, path: &Path) -> Result<(), RigError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| RigError::File(name.clone(), e))?;
        let wrong = |what: String| RigError::Content(name.clone(), what);
        let file: RigFile = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if file.version != VERSION {
            let version = file.version;
            return Err(wrong(format!(
                "version {version}; this program reads {VERSION}"
            )));
        }
        if file.game != scene.game {
            return Err(wrong(format!(
                "it is for `{}`, not for `{}`",
                file.game, scene.game
            )));
        }
        for (place, reach) in file.places {
            let unknown = || wrong(format!("the game has no place `{place}`"));
            let at = scene.place(&place).ok_or_else(unknown)?;
            self.places[at] = Some(reach);
        }
        self.slots = file.slots;
        self.arm = file.arm;
        self.corners = file.corners;
        self.touches = file.touches;
        Ok(())
    }

    /// The text of a file that [`Rig::load`] reads.
    ///
    /// # Errors
    /// When a number cannot be written.
    pub fn to_toml(&self, scene: &Scene) -> Result<String, RigError> {
        let named = scene.places.iter().zip(&self.places);
        let known = named.filter_map(|(place, reach)| Some((place.name.clone(), reach.clone()?)));
        let file = RigFile {
            version: VERSION,
            game: scene.game.clone(),
            arm: self.arm.clone(),
            corners: self.corners.clone(),
            touches: self.touches.clone(),
            places: known.collect(),
            slots: self.slots.clone(),
        };
        toml::to_string(&file)
            .map_err(|error| RigError::Content("the rig".to_owned(), error.to_string()))
    }

    /// Saves the rig, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, scene: &Scene, path: &Path) -> Result<(), RigError> {
        let text = self.to_toml(scene)?;
        let file = |error| RigError::File(path.display().to_string(), error);
        rulec_search::files::write_whole(path, text.as_bytes()).map_err(file)
    }

    fn reach(&self, spot: usize) -> Option<&Reach> {
        match spot.checked_sub(self.places.len()) {
            None => self.places[spot].as_ref(),
            Some(slot) => self.slots.get(slot).map(|slot| &slot.reach),
        }
    }

    /// Whether the arm gets to a spot.
    pub fn reaches(&self, spot: usize) -> bool {
        self.reach(spot).is_some()
    }

    /// Above a spot and at it, as motions of an arm with these abilities. `deeper` is how much farther down than said the
    /// second goes, as a part of the way between both.
    ///
    /// # Errors
    /// When the arm cannot get there.
    pub fn steps(&self, caps: &Caps, spot: usize, deeper: f64) -> Result<[Step; 2], Fault> {
        let Some(reach) = self.reach(spot) else {
            return Err(Fault::Unsupported("get to a place that nobody showed it"));
        };
        let beyond = |above: f64, at: f64| at + (at - above) * deeper;
        match reach {
            Reach::Angles { above, at }
                if above.len() == caps.joints && at.len() == caps.joints =>
            {
                let pairs = above.iter().zip(at).zip(&caps.limits);
                let deep = |((above, at), (min, max)): ((&f64, &f64), &(f64, f64))| {
                    // Deeper than the limits is not deeper than the place, which was checked.
                    match deeper > 0.0 {
                        true => beyond(*above, *at).clamp(*min, *max),
                        false => *at,
                    }
                };
                let low = pairs.map(deep).collect();
                Ok([Step::Angles(above.clone()), Step::Angles(low)])
            }
            Reach::Angles { .. } => Err(Fault::Unsupported("take the angles of another arm")),
            Reach::Point(point) => {
                let high = Point {
                    z: point.z + HAND,
                    ..*point
                };
                let low = Point {
                    z: beyond(high.z, point.z).max(point.z - 1.0),
                    ..*point
                };
                if caps.cartesian {
                    return Ok([Step::Point(high, TURN), Step::Point(low, TURN)]);
                }
                let angles =
                    |point| kinematics::angles(point, TURN).map(|a| Step::Angles(a.to_vec()));
                Ok([angles(high)?, angles(low)?])
            }
        }
    }

    /// Checks every pose that the arm may be sent to, before anything moves.
    ///
    /// # Errors
    /// All that is wrong; at least one thing.
    pub fn check(&self, scene: &Scene, caps: &Caps) -> Result<(), Vec<RigError>> {
        let mut errors = Vec::new();
        let spots = self.places.len() + self.slots.len();
        for spot in (0..spots).filter(|spot| self.reaches(*spot)) {
            let place = crate::plan::spot_name(scene, self, spot);
            let fault = |pose, fault| RigError::Place {
                place: place.clone(),
                pose,
                fault,
            };
            match self.steps(caps, spot, 0.0) {
                Err(why) => errors.push(fault("at", why)),
                Ok(steps) => {
                    for (pose, step) in ["above", "at"].into_iter().zip(steps) {
                        if let Err(why) = within(caps, &step) {
                            errors.push(fault(pose, why));
                        }
                    }
                }
            }
        }
        if !(0..spots).any(|spot| self.reaches(spot)) {
            errors.push(RigError::Nowhere);
        }
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors),
        }
    }

    /// Works out where the arm reaches all places from three or more that it was led to: what is level on the table is level
    /// for the arm, so the arm's coordinates follow those of the scene by least squares.
    ///
    /// # Errors
    /// When there are fewer than three, they lie in a row, or a place is out of reach.
    pub fn fit_touches(&mut self, scene: &Scene) -> Result<(), RigError> {
        let wrong =
            |what: &str| RigError::Content("the touched places".to_owned(), what.to_owned());
        let mut rows = Vec::new();
        for touch in &self.touches {
            let place = scene
                .place(&touch.place)
                .ok_or_else(|| wrong("one is no place"))?;
            let angles: [f64; 5] = touch
                .angles
                .as_slice()
                .try_into()
                .map_err(|_| wrong("five angles each"))?;
            let point = kinematics::point(&angles);
            let (x, y) = scene.places[place].at;
            rows.push(([x, y, 1.0], [point.x, point.y, point.z]));
        }
        let all: Vec<(f64, f64)> = scene.places.iter().map(|place| place.at).collect();
        let shown: Vec<(f64, f64)> = rows.iter().map(|(from, _)| (from[0], from[1])).collect();
        if rows.len() < 3 || (in_a_row(&shown) && !in_a_row(&all)) {
            return Err(wrong(
                "at least three are needed, not in a row unless all places are",
            ));
        }
        let Some(map) = least_squares(&rows) else {
            return Err(wrong("they are all the same place"));
        };
        for (place, reach) in scene.places.iter().zip(&mut self.places) {
            let from = [place.at.0, place.at.1, 1.0];
            let to = |axis: usize| (0..3).map(|i| map[axis][i] * from[i]).sum::<f64>();
            let point = Point {
                x: to(0),
                y: to(1),
                z: to(2),
            };
            let poses =
                [point.z + HAND, point.z].map(|z| kinematics::angles(Point { z, ..point }, TURN));
            let [Ok(above), Ok(at)] = poses else {
                let fault = Fault::Unreachable(point.x, point.y, point.z);
                let place = place.name.clone();
                return Err(RigError::Place {
                    place,
                    pose: "at",
                    fault,
                });
            };
            *reach = Some(Reach::Angles {
                above: above.to_vec(),
                at: at.to_vec(),
            });
        }
        Ok(())
    }
}

/// Whether a motion stays within what the arm may do.
fn within(caps: &Caps, step: &Step) -> Result<(), Fault> {
    let Step::Angles(angles) = step else {
        return Ok(());
    };
    for (joint, (angle, (min, max))) in angles.iter().zip(&caps.limits).enumerate() {
        if !(*min..=*max).contains(angle) {
            return Err(Fault::Limit {
                joint,
                asked: *angle,
                min: *min,
                max: *max,
            });
        }
    }
    Ok(())
}

/// Whether points lie in a row, or on one spot.
fn in_a_row(points: &[(f64, f64)]) -> bool {
    let Some(first) = points.first() else {
        return true;
    };
    let from = |p: &(f64, f64)| (p.0 - first.0, p.1 - first.1);
    let length = |p: &(f64, f64)| p.0.hypot(p.1);
    let ways: Vec<(f64, f64)> = points.iter().map(from).collect();
    let Some(far) = ways
        .iter()
        .copied()
        .max_by(|a, b| length(a).total_cmp(&length(b)))
    else {
        return true;
    };
    let across = |p: &(f64, f64)| (p.0 * far.1 - p.1 * far.0).abs();
    ways.iter()
        .all(|p| across(p) <= 0.05 * length(&far).powi(2))
}

/// Far less than any square of a coordinate.
const SMALL: f64 = 1e-4;

/// The linear map from the first triples to the second that is off by the least squares; none if the first are flat.
fn least_squares(rows: &[([f64; 3], [f64; 3])]) -> Option<[[f64; 3]; 3]> {
    let mut normal = [[0.0; 6]; 3];
    for (i, row) in normal.iter_mut().enumerate() {
        // Of places in a row nothing is known across it, and nothing needed: the smallest map will do.
        row[i] = SMALL;
    }
    for (from, to) in rows {
        for i in 0..3 {
            for j in 0..3 {
                normal[i][j] += from[i] * from[j];
                normal[i][3 + j] += from[i] * to[j];
            }
        }
    }
    for i in 0..3 {
        let pivot = (i..3).max_by(|a, b| normal[*a][i].abs().total_cmp(&normal[*b][i].abs()))?;
        normal.swap(i, pivot);
        let scale = normal[i][i];
        if scale.abs() < SMALL / 2.0 {
            return None;
        }
        normal[i].iter_mut().for_each(|value| *value /= scale);
        for other in (0..3).filter(|other| *other != i) {
            let factor = normal[other][i];
            let row = normal[i];
            normal[other]
                .iter_mut()
                .zip(row)
                .for_each(|(value, own)| *value -= factor * own);
        }
    }
    let mut map = [[0.0; 3]; 3];
    for axis in 0..3 {
        for i in 0..3 {
            map[axis][i] = normal[i][3 + axis];
        }
    }
    Some(map)
}

/// The limits of the arm of the S3 Games, for checks without an arm.
pub(crate) fn original_limits() -> Caps {
    let profile = Ssc32Profile::original();
    Caps {
        name: profile.name.clone(),
        joints: profile.joints.len(),
        limits: profile.joints.iter().map(|joint| joint.limits()).collect(),
        cartesian: false,
        feedback: false,
        hold: true,
        limp: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_vision::Place;

    /// Places at these coordinates of the board's picture.
    fn scene(places: &[(f64, f64)]) -> Scene {
        let place = |(number, at): (usize, &(f64, f64))| Place {
            name: format!("p({number})"),
            kind: String::new(),
            at: *at,
            pitch: 60.0,
            camera: None,
            relevant: true,
        };
        Scene {
            game: "test".to_owned(),
            places: places.iter().enumerate().map(place).collect(),
            looks: Vec::new(),
            pieces: Vec::new(),
            start: vec![None; places.len()],
            values: Vec::new(),
        }
    }

    /// Where the arm would be led to for a coordinate of the picture: 60 pixels are 3.5 cm.
    fn touch(number: usize, (x, y): (f64, f64)) -> Touch {
        let point = Point {
            x: x * 3.5 / 60.0,
            y: 24.0 - y * 3.5 / 60.0,
            z: 0.0,
        };
        Touch {
            place: format!("p({number})"),
            angles: kinematics::angles(point, TURN).expect("in reach").to_vec(),
        }
    }

    const SQUARE: [(f64, f64); 5] = [
        (0.0, 0.0),
        (60.0, 0.0),
        (0.0, 60.0),
        (60.0, 60.0),
        (120.0, 90.0),
    ];

    #[test]
    fn places_follow_from_three_of_them() {
        let scene = scene(&SQUARE);
        let mut rig = Rig::new(vec![None; SQUARE.len()]);
        rig.touches = (0..3).map(|at| touch(at, SQUARE[at])).collect();
        rig.fit_touches(&scene).expect("they span the board");
        for (at, reach) in rig.places.iter().enumerate() {
            let Some(Reach::Angles { at: found, .. }) = reach else {
                panic!("place {at} is not found")
            };
            let expected = touch(at, SQUARE[at]).angles;
            let off = found
                .iter()
                .zip(&expected)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(off < 0.05, "place {at} is off by {off} degrees");
        }
        assert!(rig.check(&scene, &original_limits()).is_ok());
    }

    #[test]
    fn too_few_places_or_a_row_of_them_do_not_do() {
        let scene = scene(&SQUARE);
        let row = [(0.0, 0.0), (30.0, 0.0), (60.0, 0.0)];
        for touches in [
            vec![touch(0, SQUARE[0]), touch(1, SQUARE[1])],
            vec![touch(0, SQUARE[0]), touch(1, SQUARE[1]), touch(1, row[1])],
            vec![touch(0, SQUARE[0]); 3],
        ] {
            let mut rig = Rig::new(vec![None; SQUARE.len()]);
            rig.touches = touches;
            assert!(rig.fit_touches(&scene).is_err());
        }
    }

    #[test]
    fn all_places_out_of_reach_are_told_before_anything_moves() {
        let scene = scene(&SQUARE[..3]);
        let point = |y, z| Some(Reach::Point(Point { x: 0.0, y, z }));
        let rig = Rig::new(vec![point(40.0, 0.0), point(20.0, 0.0), point(-5.0, 0.0)]);
        let errors = rig
            .check(&scene, &original_limits())
            .expect_err("two are wrong");
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            told[0].contains("p(0)") && told[0].contains("cannot reach"),
            "{told:?}"
        );
        assert!(told[1].contains("p(2)"), "{told:?}");
        let nothing = Rig::new(vec![None; 3]).check(&scene, &original_limits());
        assert!(matches!(
            nothing.expect_err("nothing")[..],
            [RigError::Nowhere]
        ));
    }
}
