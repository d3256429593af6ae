//! Games of this project, interpreted.

use std::path::Path;

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;

pub(crate) fn game(name: &str) -> InterpretedGame {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
    let file = root.join(format!("{name}.s3"));
    let rules = Rules::open_with(&file, &[], &[], "all").expect("the file is there");
    InterpretedGame::new(rules.output.expect("the rules are right").lowered).expect("sound")
}
