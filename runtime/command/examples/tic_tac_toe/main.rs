//! Tic-tac-toe with the command line that every game has: `tic_tac_toe perft 9`, `tic_tac_toe play --bot uct`.

#[path = "../../../search/examples/tic_tac_toe/game.rs"]
mod game;

fn main() -> std::process::ExitCode {
    rulec_command::game_main(&game::TicTacToe)
}
