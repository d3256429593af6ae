//! `rulec`, the command.

use std::process::ExitCode;

/// Compiling makes and forgets small things all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    rulec_cli::main()
}
