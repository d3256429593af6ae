//! Whole games on a simulated table, with everything that goes wrong on real ones.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rulec_robot::journal::Journal;
use rulec_robot::sim::{
    EyeMaker, INCIDENTS, Incident, Shared, SimArm, Simulation, drawn_incidents,
};
use rulec_robot::{Settings, Side};
use rulec_robot_cli::{Board, simulated::picture_eye};
use rulec_vision::Scene;
use rulec_vision::table::Conditions;

fn board(file: &str) -> Board {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(file);
    Board::load(&path).expect("the rules are right")
}

fn long() -> bool {
    std::env::var("RULEC_LONG").is_ok_and(|long| long == "1")
}

fn settings(sides: &[Side], seed: u64) -> Settings {
    let bot = "random".parse().expect("a bot");
    Settings {
        sides: sides.to_vec(),
        patience: 20,
        give_up: Some(5_000),
        ..Settings::against_the_last(2, bot, seed)
    }
}

/// Plays games of these seeds and gives how often each incident happened.
fn games(
    board: &Board,
    sides: &[Side],
    seeds: std::ops::Range<u64>,
    pool: &[Incident],
    view: Option<Conditions>,
) -> BTreeMap<Incident, u32> {
    let make = |scene: &Scene, world: Shared| picture_eye(scene, world, None);
    let (mut happened, mut defects) = (BTreeMap::new(), Vec::new());
    for seed in seeds {
        let simulation = Simulation {
            resumed: None,
            scene: &board.scene,
            rig: &board.rig,
            settings: settings(sides, seed),
            arm: if seed % 3 == 2 {
                SimArm::Sts
            } else {
                SimArm::Ssc32
            },
            conditions: view,
            incidents: drawn_incidents(seed, pool),
            aloud: false,
            journal: Journal::none(),
        };
        let eye: Option<EyeMaker<'_>> = match view {
            Some(_) => Some(&make),
            None => None,
        };
        let report = simulation.play(rulec_search::start(&board.game), eye);
        for incident in report.happened {
            *happened.entry(incident).or_insert(0) += 1;
        }
        let named = report
            .defects
            .iter()
            .map(|d| format!("{} {seed}: {d}", board.scene.game));
        defects.extend(named);
    }
    assert!(defects.is_empty(), "{}", defects.join("\n"));
    happened
}

const BOTH: [Side; 2] = [Side::Person, Side::Arm];

#[test]
fn every_game_ends_as_it_should_whatever_goes_wrong() {
    // 50 games; 1 000 in the long run.
    let each = if long() { 400 } else { 20 };
    let mut happened: BTreeMap<Incident, u32> = BTreeMap::new();
    for (file, sides, count) in [
        ("robot/tic_tac_toe.s3", &BOTH[..], each),
        ("robot/crossing.s3", &BOTH[..], each),
        ("s3/frogs.s3", &BOTH[1..], each / 4),
        ("s3/frogs.s3", &BOTH[..1], each / 4),
    ] {
        let first = if file.contains("crossing") { 13 } else { 0 };
        for (incident, count) in games(&board(file), sides, first..first + count, &INCIDENTS, None)
        {
            *happened.entry(incident).or_insert(0) += count;
        }
    }
    eprintln!("{happened:?}");
    let never: Vec<&Incident> = INCIDENTS
        .iter()
        .filter(|i| !happened.contains_key(i))
        .collect();
    assert!(never.is_empty(), "never happened: {never:?}");
}

#[test]
fn the_whole_loop_with_pictures() {
    // The camera is a simulated one, with light, shadow, blur and noise of a bad room.
    let each = if long() { 60 } else { 3 };
    let pool: Vec<Incident> = INCIDENTS
        .into_iter()
        .filter(|i| *i != Incident::Fog)
        .collect();
    for (file, sides) in [
        ("robot/tic_tac_toe.s3", &BOTH[..]),
        ("robot/crossing.s3", &BOTH[..]),
        ("s3/frogs.s3", &BOTH[1..]),
    ] {
        let board = board(file);
        games(&board, sides, 0..each, &[], Some(Conditions::ROUGH));
        games(&board, sides, 0..each * 2, &pool, Some(Conditions::CALM));
    }
}

#[test]
fn incidents_are_spread_evenly() {
    let mut first: BTreeMap<Incident, u32> = BTreeMap::new();
    for seed in 0..INCIDENTS.len() as u64 * 10 {
        let drawn = drawn_incidents(seed, &INCIDENTS);
        assert!((1..=2).contains(&drawn.len()));
        *first.entry(drawn[0].1).or_insert(0) += 1;
    }
    assert_eq!(first.len(), INCIDENTS.len());
    assert_eq!(drawn_incidents(5, &[]), []);
}
