//! Games on a simulated table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use rulec_robot::journal::Journal;
use rulec_robot::sim::{
    EyeMaker, INCIDENTS, Incident, Report, Shared, SimArm, Simulation, drawn_incidents,
};
use rulec_robot::{Camera, Eye, EyeFault, PictureEye};
use rulec_vision::table::Conditions;
use rulec_vision::{Eyes, Frame, Scene};
use serde_json::json;

use crate::{Beginning, Board, CommandLine, settings};

/// The camera above a simulated table.
struct SimCamera(Shared);

impl Camera for SimCamera {
    fn frame(&mut self) -> Result<Frame, EyeFault> {
        let mut world = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(world.frame())
    }
}

/// An eye that reads pictures of a simulated table, whose colours it learns from the start position.
pub fn picture_eye(scene: &Scene, world: Shared, folder: Option<PathBuf>) -> Box<dyn Eye> {
    let learnt = {
        let mut world = world
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let corners = world.table().corners();
        let frame = world.frame();
        Eyes::learn(scene, &corners, &frame, &scene.standing())
    };
    match learnt {
        Ok(eyes) => Box::new(PictureEye::new(SimCamera(world), eyes, folder)),
        Err(error) => Box::new(Blind(error.to_string())),
    }
}

/// An eye that could not be opened.
struct Blind(String);

impl Eye for Blind {
    fn look(&mut self) -> Result<rulec_robot::Sight, EyeFault> {
        Err(EyeFault(self.0.clone()))
    }
}

/// Incidents that an eye on pictures sees as such; a place that cannot be made out needs the plain eye.
fn pool(line: &CommandLine) -> Vec<Incident> {
    let plain = line.view == "table";
    match line.faults.as_str() {
        "all" => INCIDENTS
            .into_iter()
            .filter(|i| plain || *i != Incident::Fog)
            .collect(),
        _ => Vec::new(),
    }
}

/// Plays simulated games, tells how they went, and whether all went as they should.
///
/// # Errors
/// When the command line does not fit together, or a file cannot be written.
pub fn run(line: &CommandLine, board: &Board) -> Result<bool> {
    let arm = match board.rig.arm.driver.as_str() {
        "ssc32" | "ssc32-2017" => SimArm::Ssc32,
        "sts" => SimArm::Sts,
        other => bail!("there is no simulated table for the driver `{other}`: ssc32 or sts"),
    };
    if let Some(folder) = &line.pictures {
        std::fs::create_dir_all(folder)?;
    }
    let conditions = match line.view.as_str() {
        "rough" => Some(Conditions::ROUGH),
        "calm" => Some(Conditions::CALM),
        _ => None,
    };
    let incidents = pool(line);
    let (mut defects, mut endings, mut last) = (Vec::new(), BTreeMap::new(), None);
    let mut happened: BTreeMap<String, u64> = BTreeMap::new();
    for game in 0..line.games {
        let mut settings = settings(line, board);
        settings.seed = line.seed.wrapping_add(game);
        let beginning = match game {
            0 => crate::beginning(line, board, &mut settings)?,
            _ => Beginning {
                state: rulec_engines::interpreted(&board.game),
                resumed: None,
                journal: Journal::none(),
            },
        };
        let simulation = Simulation {
            scene: &board.scene,
            rig: &board.rig,
            incidents: drawn_incidents(settings.seed, &incidents),
            settings,
            arm,
            conditions,
            aloud: line.games == 1 && !line.json,
            journal: beginning.journal,
            resumed: beginning.resumed,
        };
        let folder = line.pictures.clone();
        let make = move |scene: &Scene, world: Shared| picture_eye(scene, world, folder.clone());
        let eye: Option<EyeMaker<'_>> = match conditions {
            Some(_) => Some(&make),
            None => None,
        };
        let report = simulation.play(beginning.state, eye);
        for incident in &report.happened {
            *happened.entry(format!("{incident:?}")).or_insert(0) += 1;
        }
        defects.extend(
            report
                .defects
                .iter()
                .map(|defect| format!("game {game}: {defect}")),
        );
        *endings.entry(report.ending.text()).or_insert(0_u64) += 1;
        last = Some(report);
    }
    tell(line, &defects, &endings, &happened, last.as_ref())?;
    Ok(defects.is_empty())
}

fn tell(
    line: &CommandLine,
    defects: &[String],
    endings: &BTreeMap<String, u64>,
    happened: &BTreeMap<String, u64>,
    last: Option<&Report>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    if line.json {
        let value = json!({
            "games": line.games,
            "endings": endings,
            "incidents": happened,
            "defects": defects,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    match last.filter(|_| line.games == 1) {
        Some(report) => writeln!(
            out,
            "{} moves in {} simulated seconds",
            report.moves,
            report.time.as_secs()
        )?,
        None => {
            writeln!(out, "{} games", line.games)?;
            for (ending, count) in endings {
                writeln!(out, "{count:6}  {ending}")?;
            }
            for (incident, count) in happened {
                writeln!(out, "{count:6}  with {incident}")?;
            }
        }
    }
    for defect in defects {
        writeln!(out, "DEFECT {defect}")?;
    }
    Ok(())
}
