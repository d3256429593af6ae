//! `rulec`, the command.

use std::process::ExitCode;

fn main() -> ExitCode {
    rulec_cli::main()
}
