//! Tic-tac-toe with the command line that every game has: `tic_tac_toe perft 9`, `tic_tac_toe play --bot uct`.

mod game;

fn main() -> std::process::ExitCode {
    rulec_search::game_main(&game::TicTacToe)
}
