//! Calibration, step by step: the arm answers, goes home, is led to a few places; the corners of the table are marked in
//! the camera's picture. Every step is saved when it is done, so that an interrupted calibration goes on where it was.

use std::path::Path;
use std::time::Duration;

use rulec_arm::sequence::{Pace, Runner, Step};
use rulec_arm::{Arm, Clock, Fault};
use rulec_vision::Scene;

use crate::rig::Touch;
use crate::{Rig, RigError};

/// Who leads the arm: reads what the wizard says and types lines.
pub trait Prompt {
    /// Shows a line.
    fn say(&mut self, text: &str);

    /// Reads a line; nothing when there are no more.
    fn line(&mut self) -> Option<String>;
}

/// Why a calibration did not come to its end. What was done before is saved.
#[derive(Debug, thiserror::Error)]
pub enum WizardError {
    /// The arm.
    #[error("the arm: {0}")]
    Arm(#[from] Fault),
    /// What is known does not fit together, or cannot be saved.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// The person stopped.
    #[error("stopped; what was done is saved, and the next calibration goes on there")]
    Stopped,
}

/// The keys of the original for one degree less and more of each angle.
const KEYS: [(char, usize, f64); 10] = [
    ('q', 0, -1.0),
    ('a', 0, 1.0),
    ('w', 1, -1.0),
    ('s', 1, 1.0),
    ('e', 2, -1.0),
    ('d', 2, 1.0),
    ('r', 3, -1.0),
    ('f', 3, 1.0),
    ('t', 4, -1.0),
    ('g', 4, 1.0),
];

/// Time of a motion by a key.
const JOG: Duration = Duration::from_millis(250);
/// From where the arm is led to the first place, in degrees.
const MIDDLE: [f64; 5] = [0.0, -10.0, 6.0, -60.0, 0.0];

/// A calibration.
pub struct Wizard<'a> {
    /// What the camera knows of the game.
    pub scene: &'a Scene,
    /// What is found out.
    pub rig: &'a mut Rig,
    /// Where it is saved.
    pub file: &'a Path,
    /// The arm.
    pub arm: &'a mut dyn Arm,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Who leads the arm.
    pub prompt: &'a mut dyn Prompt,
}

impl Wizard<'_> {
    /// Goes through the steps that are not done yet.
    ///
    /// # Errors
    /// When the arm fails, what was found does not fit together, or the person stops.
    pub fn run(&mut self) -> Result<(), WizardError> {
        let wanted = corner_places(self.scene);
        let missing: Vec<usize> = wanted
            .iter()
            .copied()
            .filter(|at| {
                self.rig
                    .touches
                    .iter()
                    .all(|t| t.place != self.scene.places[*at].name)
            })
            .collect();
        if !missing.is_empty() {
            self.begin()?;
        }
        for place in missing {
            self.touch(place)?;
        }
        if self.rig.touches.len() < 3 {
            return Err(
                RigError::Content("the rig".to_owned(), "too few places".to_owned()).into(),
            );
        }
        self.rig.fit_touches(self.scene)?;
        if let Err(mut errors) = self.rig.check(self.scene, self.arm.caps()) {
            return Err(errors.remove(0).into());
        }
        self.save()?;
        self.corners()?;
        self.prompt
            .say("done: every place is within the arm's reach");
        Ok(())
    }

    fn save(&mut self) -> Result<(), WizardError> {
        Ok(self.rig.save(self.scene, self.file)?)
    }

    /// The arm answers and goes home.
    fn begin(&mut self) -> Result<(), WizardError> {
        let ident = self.arm.connect()?;
        self.prompt
            .say(&format!("the arm answers: {}", ident.firmware));
        self.prompt
            .say("move the arm clear of the board by hand, then press Enter: it goes home");
        self.line()?;
        self.arm.enable(true)?;
        let mut runner = Runner::new(self.arm, self.clock, Pace::ORIGINAL);
        runner.steps(&[Step::Home, Step::Home])?;
        runner.wait()?;
        self.prompt.say("q a  w s  e d  r f  t g turn the joints by -1 and +1 degree, `q10` by 10; Enter alone: here it is; `stop`");
        Ok(())
    }

    fn line(&mut self) -> Result<String, WizardError> {
        match self.prompt.line() {
            Some(line) if line.trim() != "stop" => Ok(line.trim().to_owned()),
            _ => Err(WizardError::Stopped),
        }
    }

    /// The arm is led to a place.
    fn touch(&mut self, place: usize) -> Result<(), WizardError> {
        let name = self.scene.places[place].name.clone();
        self.prompt.say(&format!("lead the gripper to {name}"));
        let mut angles = match self.rig.touches.last() {
            Some(touch) => touch.angles.clone(),
            None => MIDDLE.to_vec(),
        };
        self.go(&angles, Pace::ORIGINAL.pose)?;
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let Some((joint, by)) = jog(&line) else {
                self.prompt
                    .say("a key and perhaps a number, such as `w` or `w5`");
                continue;
            };
            let mut next = angles.clone();
            next[joint] += by;
            match self.go(&next, JOG) {
                Ok(()) => angles = next,
                Err(WizardError::Arm(fault @ Fault::Limit { .. })) => {
                    self.prompt.say(&fault.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        self.rig.touches.push(Touch {
            place: name,
            angles,
        });
        self.save()
    }

    fn go(&mut self, angles: &[f64], time: Duration) -> Result<(), WizardError> {
        let pace = Pace {
            pose: time,
            rest: Duration::ZERO,
            ..Pace::ORIGINAL
        };
        let mut runner = Runner::new(self.arm, self.clock, pace);
        runner.step(&Step::Angles(angles.to_vec()))?;
        Ok(runner.wait()?)
    }

    /// The corners of the table in the picture.
    fn corners(&mut self) -> Result<(), WizardError> {
        let (left, top, right, bottom) = self.scene.extent();
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let words = ["upper left", "upper right", "lower right", "lower left"];
        for (corner, word) in corners.into_iter().zip(words).skip(self.rig.corners.len()) {
            self.prompt.say(&format!("pixel of the {word} corner of the table in the picture, as `x y`; Enter alone: later"));
            loop {
                let line = self.line()?;
                if line.is_empty() {
                    return Ok(());
                }
                let numbers: Vec<f64> = line
                    .split([' ', ','])
                    .filter_map(|n| n.parse().ok())
                    .collect();
                if let [x, y] = numbers[..] {
                    self.rig.corners.push((corner, (x, y)));
                    self.save()?;
                    break;
                }
                self.prompt.say("two numbers, such as `120 64`");
            }
        }
        Ok(())
    }
}

/// What a key asks for: a joint, and by how many degrees.
fn jog(line: &str) -> Option<(usize, f64)> {
    let key = line.chars().next()?;
    let (_, joint, by) = KEYS.iter().find(|(known, ..)| *known == key)?;
    let times = match &line[key.len_utf8()..] {
        "" => 1.0,
        number => number
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|n| (0.0..=45.0).contains(n))?,
    };
    Some((*joint, by * times))
}

/// Up to four places far from each other: those at the corners of the board.
fn corner_places(scene: &Scene) -> Vec<usize> {
    let relevant = (0..scene.places.len()).filter(|at| scene.places[*at].relevant);
    let relevant: Vec<usize> = relevant.collect();
    let mut found = Vec::new();
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let value = |at: &usize| scene.places[*at].at.0 * x + scene.places[*at].at.1 * y;
        let best = relevant
            .iter()
            .copied()
            .max_by(|a, b| value(a).total_cmp(&value(b)));
        if let Some(best) = best.filter(|best| !found.contains(best)) {
            found.push(best);
        }
    }
    // A row has two ends only.
    if let Some(middle) = relevant
        .get(relevant.len() / 2)
        .filter(|at| !found.contains(at) && found.len() < 3)
    {
        found.push(*middle);
    }
    found
}
