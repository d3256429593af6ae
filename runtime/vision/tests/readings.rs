//! Simulated readings of whole games: how often a person is asked, and that nothing wrong is ever taken silently.

mod support;

use rulec_cli::scene;
use rulec_vision::Caution;
use rulec_vision::table::Conditions;
use rulec_vision::trial::{Tally, trial};

/// How many frames are read in all: 100 000 in the long run.
fn count(short: u64) -> u64 {
    let long = std::env::var("RULEC_LONG").is_ok_and(|long| long == "1");
    if long { 100_000 } else { short }
}

fn read(level: f64, games: &[&str], count: u64) -> Tally {
    let mut all = Tally::default();
    for name in games {
        let game = support::game(name);
        let scene = scene::scene(&game);
        let conditions = Conditions::ROUGH.times(level);
        let count = count.div_ceil(games.len() as u64);
        let start = std::time::Instant::now();
        let tally = trial(
            &game,
            &scene,
            conditions,
            &Caution::default(),
            count,
            1,
            &mut |_| {},
        );
        let tally = tally.expect("the rules are right");
        println!("{name} at {level}: {tally:?} in {:?}", start.elapsed());
        all.add(&tally);
    }
    all
}

#[test]
fn moves_are_read_right_in_a_rough_light() {
    let tally = read(1.0, &["frogs", "tic_tac_toe", "connect_four"], count(2_000));
    assert_eq!(tally.wrong, 0);
    assert!(tally.right * 1000 >= tally.readings * 999, "{tally:?}");
}

#[test]
fn nothing_wrong_is_taken_in_twice_as_rough_a_light() {
    let tally = read(2.0, &["frogs", "tic_tac_toe", "connect_four"], count(600));
    assert_eq!(tally.wrong, 0);
    assert!(tally.right * 3 >= tally.readings, "{tally:?}");
}
