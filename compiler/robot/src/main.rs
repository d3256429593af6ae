//! The program `rulec-robot`.

use std::process::ExitCode;

fn main() -> ExitCode {
    rulec_robot_cli::main()
}
