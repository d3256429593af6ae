//! Pictures of positions: `rulec render` against files that were looked at.

use std::process::{Command, Stdio};

use crate::corpus;

/// A picture, its rules, and the moves before it.
const PICTURES: [(&str, &str, &str); 4] = [
    // The board is turned, because black is to move.
    ("chess", "games/bgc/chess.json", "4,1 4,3; 2,6 2,4; 6,0 5,2"),
    (
        "draughts",
        "games/bgc/english_draughts.json",
        "2,2 3,3; 5,5 4,4",
    ),
    ("hexguard", "games/bgc/hexguard.json", ""),
    ("three_camps", "games/bgc/three_camps.json", ""),
];

#[test]
fn positions_are_drawn_as_before() {
    let folder = corpus::root().join("compiler/cli/tests/pictures");
    for (name, rules, moves) in PICTURES {
        let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["render", rules, "--after", moves, "--svg", "-"])
            .current_dir(corpus::root())
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let drawn = String::from_utf8(output.stdout).expect("SVG is text");
        let file = folder.join(format!("{name}.svg"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, &drawn).expect("the picture can be written");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            drawn == kept,
            "{name} looks different; UPDATE_EXPECT=1 keeps what is drawn now"
        );
    }
}
