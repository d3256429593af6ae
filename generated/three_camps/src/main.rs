//! The command line of the game.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    rulec_runtime::command::game_main(&three_camps::game::Game)
}
