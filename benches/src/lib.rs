//! Speed of compiled games, beside loops written by hand.
//!
//! `cargo bench -p rulec-benches` times random games of bundled games.
//! `cargo run --release -p rulec-benches -- --help` compares with the figures of the original engine of S3 Games.

pub mod hand;

rulec_runtime::game!("../../games/s3/frogs.s3");
rulec_runtime::game!("../../games/bbgel/ladders.bbgel");
rulec_runtime::game!("../../games/s3/reversi.s3");
rulec_runtime::game!("../../games/s3/tic_tac_toe.s3");
