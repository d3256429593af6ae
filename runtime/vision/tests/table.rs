//! The simulated table with games of this project.

mod support;

use std::path::Path;

use rulec_cli::scene;
use rulec_vision::table::{Conditions, Table, TableError};
use support::game;

#[test]
fn scenes_fit_together() {
    for name in [
        "frogs",
        "tic_tac_toe",
        "connect_four",
        "reversi",
        "nine_mens_morris",
    ] {
        let scene = scene::scene(&game(name));
        scene.check().expect(name);
        assert!(!scene.looks.is_empty(), "{name}");
    }
    let frogs = scene::scene(&game("frogs"));
    let looks: Vec<_> = frogs.standing().looks(&frogs);
    assert_eq!(
        looks,
        [Some(0), Some(0), Some(0), None, Some(1), Some(1), Some(1)]
    );
    assert_eq!(frogs.looks[1].blobs[0].range.hue, (340.0, 15.0));
    assert_eq!(frogs.places[2].camera, Some((231, 237)));
    let marks = scene::scene(&game("tic_tac_toe"));
    let trays = marks.places.iter().filter(|place| !place.relevant).count();
    assert_eq!(trays, 9);
}

#[test]
fn pieces_move_as_told() {
    let scene = scene::scene(&game("frogs"));
    let mut table = Table::new(&scene, Conditions::CALM, 1);
    assert_eq!(table.shift(3, 4), Err(TableError::Empty(3)));
    assert_eq!(table.shift(2, 4), Err(TableError::Taken(4)));
    table.shift(2, 3).expect("the place is free");
    assert_eq!((table.look_on(2), table.look_on(3)), (None, Some(0)));
    table.arrange(&scene.standing());
    assert_eq!((table.look_on(2), table.look_on(3)), (Some(0), None));
    assert_eq!(table.discs().len(), 6);
}

#[test]
fn frames_depend_on_the_seed_only() {
    let scene = scene::scene(&game("connect_four"));
    let frame = |seed| Table::new(&scene, Conditions::ROUGH, seed).frame();
    let first = frame(1);
    if let Some(folder) = std::env::var_os("VISION_SHOW") {
        let png = first.to_png().expect("it has pixels");
        std::fs::write(Path::new(&folder).join("frame.png"), png).expect("a folder");
    }
    assert_eq!(first, frame(1));
    assert_ne!(first, frame(2));
}
