//! Speed of compiled games, beside loops written by hand.
//!
//! `cargo bench -p rulec-benches` times random games of bundled games.
//! `cargo run --release -p rulec-benches -- --help` compares with the figures of the original engine of S3 Games.

pub mod hand;

rulec_runtime::game!("../../games/s3/frogs.s3");
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
