//! Speed of compiled games, beside loops written by hand.
//!
//! `cargo run --release -p rulec-benches --bin ratios` compares compiled games with games written by hand, in one run.
//! `cargo bench -p rulec-benches` times the same with criterion.
//! `cargo run --release -p rulec-benches --bin instructions` counts instructions and compares them with a baseline.
//! `cargo run --release -p rulec-benches -- --help` compares with the figures of the original engine of S3 Games.

pub mod building;
pub mod hand;
pub mod morris;
pub mod watch;

/// Writes a file whole or not at all.
///
/// # Errors
/// Where the file system refuses.
pub fn write_whole(file: &std::path::Path, text: &str) -> std::io::Result<()> {
    let draft = file.with_extension("draft");
    std::fs::write(&draft, text)?;
    std::fs::File::open(&draft)?.sync_all()?;
    std::fs::rename(&draft, file)
}

rulec_runtime::game!("../../games/bgc/breakthrough.json");
rulec_runtime::game!("../../games/bgc/knightthrough.json");
rulec_runtime::game!("../../games/s3/connect_four.s3");
rulec_runtime::game!("../../games/gs5/around.txt");
rulec_runtime::game!("../../games/s3/frogs.s3");
rulec_runtime::game!("../../games/s3/gomoku.s3");
rulec_runtime::game!("../../games/bbgel/ladders.bbgel");
rulec_runtime::game!("../../games/s3/nine_mens_morris.s3");
rulec_runtime::game!("../../games/s3/reversi.s3");
rulec_runtime::game!("../../games/s3/tic_tac_toe.s3");

/// The same games from another language.
pub mod bgm {
    rulec_runtime::game!("../../games/bgm/nim.bgm");
    rulec_runtime::game!("../../games/bgm/tic_tac_toe.bgm");
}

/// Nim from s3, to compare with.
pub mod s3 {
    rulec_runtime::game!("../../games/s3/nim.s3");
}
