//! The program `rulec-robot`: what it says, refuses, writes down and plays again; the calibration of an arm.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use rulec_arm::sim::{SimLink, Ssc32Device};
use rulec_arm::{SimClock, Ssc32, Ssc32Profile};
use rulec_robot::wizard::{Prompt, Wizard, WizardError};
use rulec_robot::{Reach, Rig};
use rulec_robot_cli::Board;
use rulec_vision::colour::Rgb;
use rulec_vision::table::{Conditions, Table};
use rulec_vision::{Calibration, Frame};

fn game(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(file)
}

fn robot(file: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulec-robot"))
        .arg(game(file))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of its own for a test, away when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder =
            std::env::temp_dir().join(format!("rulec-robot-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_dry_run_says_every_pose_and_needs_no_arm() {
    let output = robot(
        "s3/frogs.s3",
        &["--dry-run", "--bot", "random", "--seed", "3"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("gardener plays "), "{text}");
    assert!(
        text.contains("\n  carry ") && text.contains("\n    close the gripper"),
        "{text}"
    );
    assert!(
        text.contains("-10.8 -10.9 4.2 -83.3 85.0") || text.contains("10.8 -10.9"),
        "{text}"
    );
    assert!(text.contains("the game is over: "), "{text}");
}

#[test]
fn a_simulated_game_is_written_down_and_plays_again() {
    let scratch = Scratch::new("log");
    let log = scratch.path("game.jsonl");
    let shared = ["--bot", "uct:50", "--seed", "4"];
    let first = robot(
        "robot/tic_tac_toe.s3",
        &[&["--sim", "--log", &log], &shared[..]].concat(),
    );
    assert!(
        first.status.success(),
        "{}{}",
        stdout(&first),
        stderr(&first)
    );
    let again = robot("robot/tic_tac_toe.s3", &["--replay", &log]);
    assert!(
        stdout(&again).starts_with("the same as then, to the end"),
        "{}{}",
        stdout(&again),
        stderr(&again)
    );
    // Another answer of the controller, and the game goes another way.
    let text = std::fs::read_to_string(&log)
        .expect("a log")
        .replacen("535343", "585858", 1);
    std::fs::write(&log, text).expect("a log");
    let other = robot("robot/tic_tac_toe.s3", &["--replay", &log]);
    assert_eq!(other.status.code(), Some(1));
    assert!(
        stdout(&other).starts_with("not the same as then"),
        "{}",
        stdout(&other)
    );
    let wrong = robot("robot/crossing.s3", &["--replay", &log]);
    assert!(
        stderr(&wrong).contains("is of other rules"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn a_game_whose_log_was_cut_off_goes_on_from_its_last_move() {
    let scratch = Scratch::new("resume");
    let log = scratch.path("game.jsonl");
    let shared = ["--sim", "--bot", "uct:50", "--seed", "4"];
    let first = robot(
        "robot/tic_tac_toe.s3",
        &[&shared[..], &["--log", &log]].concat(),
    );
    assert!(first.status.success(), "{}", stderr(&first));
    let finished = robot(
        "robot/tic_tac_toe.s3",
        &[&shared[..], &["--resume", &log]].concat(),
    );
    assert!(
        stderr(&finished).contains("nothing to go on with"),
        "{}",
        stderr(&finished)
    );
    let whole = std::fs::read_to_string(&log).expect("a log");
    let moves = whole.match_indices("{\"what\":\"move\"");
    let third = moves.map(|(at, _)| at).nth(2).expect("three moves");
    // In the middle of a line, some lines behind the third move, as a killed program leaves it.
    let lines = whole[third..].match_indices('\n').map(|(at, _)| third + at);
    let cut = lines.skip(5).step_by(4).take(3).map(|at| at + 9);
    for cut in cut {
        std::fs::write(&log, &whole[..cut]).expect("a log");
        let again = robot("robot/tic_tac_toe.s3", &["--replay", &log]);
        let told = stdout(&again);
        assert!(again.status.success(), "{told}{}", stderr(&again));
        assert!(told.contains("it breaks off after "), "{told}");
        let rest = robot(
            "robot/tic_tac_toe.s3",
            &[&shared[..], &["--resume", &log]].concat(),
        );
        assert!(rest.status.success(), "{}{}", stdout(&rest), stderr(&rest));
        let again = robot("robot/tic_tac_toe.s3", &["--replay", &log]);
        let told = stdout(&again);
        assert!(
            told.starts_with("the same as then, to the end"),
            "{told}{}",
            stderr(&again)
        );
    }
}

#[test]
fn what_cannot_be_done_is_told() {
    for (arguments, told) in [
        (&["--camera", "dir:/nowhere"][..], "cannot read /nowhere"),
        (&["--camera", "/no/camera 0"], "cannot start /no/camera"),
        (&[], "name a camera with --camera"),
        (
            &["--dry-run", "--driver", "sts3"],
            "there is no driver `sts3`; there are ssc32",
        ),
        (&["--rig", "/nowhere.toml", "--sim"], "/nowhere.toml"),
        (&["--replay", "/nowhere.jsonl"], "/nowhere.jsonl"),
        (
            &["--dry-run", "--driver", "grbl"],
            "the angles of another arm",
        ),
    ] {
        let output = robot("s3/frogs.s3", arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(
            stderr(&output).contains(told),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(
        robot("s3/frogs.s3", &["--sim", "--dry-run"]).status.code(),
        Some(2)
    );
    let nowhere = robot("s3/nim.s3", &["--dry-run"]);
    assert!(
        stderr(&nowhere).contains("nobody said where the arm reaches"),
        "{}",
        stderr(&nowhere)
    );
}

#[cfg(unix)]
#[test]
fn a_program_gives_the_pictures_that_colours_are_learnt_from() {
    let scratch = Scratch::new("camera");
    let board = Board::load(&game("robot/tic_tac_toe.s3")).expect("the rules are right");
    let mut table = Table::new(&board.scene, Conditions::ROUGH, 3);
    let mut rig = board.rig.clone();
    rig.corners = table.corners();
    let text = rig.to_toml(&board.scene).expect("a rig");
    std::fs::write(scratch.path("rig.toml"), text).expect("written");
    let picture = table.frame().to_png().expect("pixels");
    std::fs::write(scratch.path("table.png"), picture).expect("written");
    let script = format!(
        "while read -r line; do cat {}; done",
        scratch.path("table.png")
    );
    std::fs::write(scratch.path("camera.sh"), script).expect("written");
    let output = robot(
        "robot/tic_tac_toe.s3",
        &[
            "--rig",
            &scratch.path("rig.toml"),
            "--camera",
            &format!("sh {}", scratch.path("camera.sh")),
            "--calibration",
            &scratch.path("colours.json"),
        ],
    );
    // The table is read; only then there is no arm.
    assert!(
        stderr(&output).contains("name the port of the arm"),
        "{}",
        stderr(&output)
    );
    let colours = std::fs::read_to_string(scratch.path("colours.json")).expect("they were learnt");
    let known: Calibration = serde_json::from_str(&colours).expect("a calibration");
    assert_eq!(
        known.palette.looks.iter().flatten().count(),
        board.scene.looks.len()
    );
    // A table that shows something else is refused.
    let empty = Frame::new(known.size.0, known.size.1, Rgb([160; 3]));
    let png = empty.to_png().expect("pixels");
    std::fs::write(scratch.path("table.png"), png).expect("written");
    let output = robot(
        "robot/tic_tac_toe.s3",
        &[
            "--rig",
            &scratch.path("rig.toml"),
            "--camera",
            &format!("cmd:cat {}", scratch.path("table.png")),
        ],
    );
    assert!(
        stderr(&output).contains("the table does not look as it should"),
        "{}",
        stderr(&output)
    );
}

/// Types lines, one after the other.
struct Script(std::vec::IntoIter<String>, Vec<String>);

impl Prompt for Script {
    fn say(&mut self, text: &str) {
        self.1.push(text.to_owned());
    }

    fn line(&mut self) -> Option<String> {
        self.0.next()
    }
}

/// The keys that lead the arm from one pose to another, and Enter.
fn keys(from: &[f64], to: &[f64]) -> Vec<String> {
    let pairs = ["qa", "ws", "ed", "rf", "tg"];
    let mut lines = Vec::new();
    for (pair, (from, to)) in pairs.iter().zip(from.iter().zip(to)) {
        let mut left = to - from;
        while left.abs() > 1e-9 {
            let part = left.clamp(-45.0, 45.0);
            let key = &pair[usize::from(part > 0.0)..][..1];
            lines.push(format!("{key}{}", part.abs()));
            left -= part;
        }
    }
    lines.push(String::new());
    lines
}

fn lead(
    board: &Board,
    rig: &mut Rig,
    file: &str,
    lines: Vec<String>,
) -> (Result<(), WizardError>, Vec<String>) {
    let clock = SimClock::new();
    let profile = Ssc32Profile::original();
    let device = Arc::new(Mutex::new(Ssc32Device::new(
        profile.clone(),
        "SSC32-V2.01XE",
    )));
    let link = SimLink::new(device, rulec_arm::SharedClock::clone(&clock.shared()));
    let mut arm = Ssc32::new(Box::new(link), clock.shared(), profile);
    let mut prompt = Script(lines.into_iter(), Vec::new());
    let result = Wizard {
        scene: &board.scene,
        rig,
        file: file.as_ref(),
        arm: &mut arm,
        clock: &clock,
        prompt: &mut prompt,
    }
    .run();
    (result, prompt.1)
}

#[test]
fn an_arm_that_is_led_to_three_places_finds_the_others() {
    let scratch = Scratch::new("wizard");
    let file = scratch.path("rig.toml");
    let board = Board::load(&game("s3/frogs.s3")).expect("the rules are right");
    let known = board.rig.places.clone();
    let at = |name: &str| match &known[board.scene.place(name).expect("a place")] {
        Some(Reach::Angles { at, .. }) => at.clone(),
        other => panic!("{other:?}"),
    };
    // The row's far ends first, then its middle; the person goes away after the first.
    let middle = [0.0, -10.0, 6.0, -60.0, 0.0];
    let (first, last, mid) = (at("s(1)"), at("s(7)"), at("s(4)"));
    let mut rig = Rig::new(vec![None; board.scene.places.len()]);
    let mut lines = vec![String::new()];
    let order = wizard_order(&board, &scratch);
    assert_eq!(order.len(), 3, "{order:?}");
    let pose = |name: &str| match name {
        "s(1)" => first.clone(),
        "s(7)" => last.clone(),
        _ => mid.clone(),
    };
    lines.extend(keys(&middle, &pose(&order[0])));
    let (stopped, _) = lead(&board, &mut rig, &file, lines);
    assert!(matches!(stopped, Err(WizardError::Stopped)));

    let mut again = Rig::new(vec![None; board.scene.places.len()]);
    again
        .load(&board.scene, file.as_ref())
        .expect("what was done is saved");
    assert_eq!(again.touches.len(), 1);
    let mut lines = vec![String::new(), "nonsense".to_owned()];
    lines.extend(keys(&pose(&order[0]), &pose(&order[1])));
    lines.extend(keys(&pose(&order[1]), &pose(&order[2])));
    for (x, y) in [(10, 10), (600, 10), (600, 400), (10, 400)] {
        lines.push(format!("{x} {y}"));
    }
    let (done, said) = lead(&board, &mut again, &file, lines);
    done.unwrap_or_else(|error| panic!("{error}\n{}", said.join("\n")));
    assert!(
        said.iter()
            .any(|line| line.starts_with("a key and perhaps a number"))
    );
    for (place, known) in known.iter().enumerate() {
        let (Some(Reach::Angles { above: a, at: b }), Some(Reach::Angles { above: c, at: d })) =
            (&again.places[place], known)
        else {
            panic!("place {place} is not found");
        };
        let off = a
            .iter()
            .chain(b)
            .zip(c.iter().chain(d))
            .map(|(a, b)| (a - b).abs());
        let off = off.fold(0.0, f64::max);
        assert!(off < 1.0, "place {place} is off by {off} degrees");
    }
    let mut saved = Rig::new(vec![None; board.scene.places.len()]);
    saved.load(&board.scene, file.as_ref()).expect("a rig");
    assert_eq!(saved, again);
    assert_eq!(saved.corners.len(), 4);
}

/// The places that the wizard asks for, in its order.
fn wizard_order(board: &Board, scratch: &Scratch) -> Vec<String> {
    let mut rig = Rig::new(vec![None; board.scene.places.len()]);
    let lines = vec![String::new(); 8];
    let (_, said) = lead(board, &mut rig, &scratch.path("order.toml"), lines);
    let asked = said
        .iter()
        .filter_map(|line| line.strip_prefix("lead the gripper to "));
    asked.map(str::to_owned).collect()
}

#[test]
fn rigs_of_other_games_and_versions_are_refused() {
    let scratch = Scratch::new("rig");
    let board = Board::load(&game("s3/frogs.s3")).expect("the rules are right");
    let text = board.rig.to_toml(&board.scene).expect("a text");
    for (from, to, told) in [
        ("version = 1", "version = 7", "version 7"),
        ("game = \"frogs\"", "game = \"chess\"", "it is for `chess`"),
        ("[places.\"s(1)\"]", "[places.\"s(9)\"]", "no place `s(9)`"),
        (
            "version = 1",
            "version = 1\nspeed = 3",
            "unknown field `speed`",
        ),
        ("above = [", "above = [\"x\", ", "rig.toml"),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        let file = scratch.path("rig.toml");
        std::fs::write(&file, text.replacen(from, to, 1)).expect("a file");
        let error = board
            .rig
            .clone()
            .load(&board.scene, file.as_ref())
            .expect_err("it is wrong");
        assert!(error.to_string().contains(told), "{error}");
    }
    let mut wrong = board.rig.clone();
    if let Some(Reach::Angles { at, .. }) = &mut wrong.places[2] {
        at[1] = -95.0;
    }
    let profile = Ssc32Profile::original();
    let link = SimLink::new(
        Arc::new(Mutex::new(Ssc32Device::new(profile.clone(), "SSC32"))),
        SimClock::new().shared(),
    );
    let arm = Ssc32::new(Box::new(link), SimClock::new().shared(), profile);
    let errors = wrong
        .check(&board.scene, rulec_arm::Arm::caps(&arm))
        .expect_err("it is wrong");
    let told = errors[0].to_string();
    assert!(told.contains("s(3)") && told.contains("-95.0"), "{told}");
}
