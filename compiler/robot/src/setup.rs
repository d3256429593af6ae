//! Arms, cameras and rigs from what the rules and the command line say.

use std::path::Path;

use anyhow::{Context, Result, bail};
use rulec_arm::{
    Arm, GcodeArm, GcodeProfile, Link, Point, SharedClock, Ssc32, Ssc32Profile, Sts, StsProfile,
    TcpLink,
};
use rulec_arm_serial::baud;
use rulec_cli::interpreted::InterpretedGame;
use rulec_compiler::ir::ArmPose;
use rulec_robot::{ArmSetup, Camera, Reach, Rig};
use rulec_vision::{Eyes, Scene};

/// Where the rules say that the arm reaches places.
pub fn rig(game: &InterpretedGame, scene: &Scene) -> Rig {
    let ir = game.interp().game();
    let mut places = vec![None; scene.places.len()];
    for look in &ir.presentation.places {
        let name = ir.domain(look.domain).member(look.member);
        if let (Some(at), Some(pose)) = (scene.place(&name), &look.arm) {
            places[at] = Some(match *pose {
                ArmPose::Angles(angles) => Reach::Angles {
                    above: angles[..5].to_vec(),
                    at: angles[5..].to_vec(),
                },
                ArmPose::Position([x, y, z]) => Reach::Point(Point { x, y, z }),
            });
        }
    }
    Rig::new(places)
}

/// What makes an arm from the line to it.
pub type ArmMaker = Box<dyn Fn(Box<dyn Link>, SharedClock) -> Box<dyn Arm>>;

/// The arm of a driver, and the usual speed of its port.
///
/// # Errors
/// When no driver has that name, or its motors are not known.
pub fn driver(setup: &ArmSetup) -> Result<(ArmMaker, u32)> {
    if let Some(profile) = GcodeProfile::named(&setup.driver) {
        let make: ArmMaker =
            Box::new(move |link, clock| Box::new(GcodeArm::new(link, clock, profile.clone())));
        return Ok((make, baud::COMMON));
    }
    let ssc32 = |profile: Ssc32Profile| -> ArmMaker {
        Box::new(move |link, clock| Box::new(Ssc32::new(link, clock, profile.clone())))
    };
    Ok(match setup.driver.as_str() {
        "ssc32" => (ssc32(Ssc32Profile::original()), baud::COMMON),
        "ssc32-2017" => (ssc32(Ssc32Profile::fork_2017()), baud::COMMON),
        "sts" => {
            let profile = bus_servos(setup)?;
            let make: ArmMaker =
                Box::new(move |link, clock| Box::new(Sts::new(link, clock, profile.clone())));
            (make, baud::FEETECH)
        }
        other => {
            let known: Vec<&str> = GcodeProfile::names().collect();
            bail!(
                "there is no driver `{other}`; there are ssc32, ssc32-2017, sts, {}",
                known.join(", ")
            )
        }
    })
}

/// Bus servos with the motors of the rig, by the order of their numbers.
fn bus_servos(setup: &ArmSetup) -> Result<StsProfile> {
    let mut profile = StsProfile::so101();
    if setup.motors.is_empty() {
        return Ok(profile);
    }
    let Some(gripper) = setup.motors.get("gripper") else {
        bail!("the motors of the rig have no `gripper`");
    };
    profile.gripper = *gripper;
    let joints = setup.motors.iter().filter(|(name, _)| *name != "gripper");
    profile.joints = joints.map(|(_, motor)| *motor).collect();
    profile.joints.sort_by_key(|motor| motor.id);
    if profile.joints.len() != profile.home.len() {
        bail!(
            "the rig has {} joints; five are known how to move",
            profile.joints.len()
        );
    }
    Ok(profile)
}

/// The line to the arm.
///
/// # Errors
/// When no port is named, or it cannot be opened.
pub fn line(setup: &ArmSetup, usual: u32, clock: SharedClock) -> Result<Box<dyn Link>> {
    let Some(port) = &setup.port else {
        let ports = match rulec_arm_serial::ports().join(", ") {
            none if none.is_empty() => "this machine has no serial port".to_owned(),
            some => format!("this machine has {some}"),
        };
        bail!("name the port of the arm with --port or in the rig ({ports}), or play with --sim");
    };
    if let Some(address) = port.strip_prefix("tcp:") {
        let link = TcpLink::connect(address, clock);
        return Ok(Box::new(
            link.with_context(|| format!("cannot reach {address}"))?,
        ));
    }
    let speed = setup.baud.unwrap_or(usual);
    Ok(Box::new(rulec_arm_serial::open(port, speed, clock)?))
}

/// Eyes from a file, or from what the camera sees of the start position, which is saved then.
///
/// # Errors
/// When nobody marked the corners, or the table does not show the start position.
pub fn eyes(
    scene: &Scene,
    rig: &Rig,
    camera: &mut dyn Camera,
    file: Option<&Path>,
) -> Result<Eyes> {
    if let Some(file) = file.filter(|file| file.exists()) {
        let text = std::fs::read_to_string(file)?;
        let known = serde_json::from_str(&text)
            .with_context(|| format!("{} is no calibration", file.display()))?;
        return Ok(Eyes::open(scene, known)?);
    }
    if rig.corners.len() < 4 {
        bail!("the rig lacks the corners of the table in the picture: calibrate with --calibrate");
    }
    let frame = camera.frame()?;
    let eyes = Eyes::learn(scene, &rig.corners, &frame, &scene.standing())?;
    if let Some(file) = file {
        let text = serde_json::to_string_pretty(eyes.calibration())?;
        rulec_robot::save(file, text.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(eyes)
}
