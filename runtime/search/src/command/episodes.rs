//! Commands of games in episodes.

use std::io::{self, Write};

use clap::Args;

use super::Error;
use crate::AnyState;
use crate::episode::captive::{self, Request, USAGE};

/// Arguments of `captive`.
#[derive(Args, Clone, Debug)]
#[command(after_help = USAGE)]
pub struct CaptiveArgs {
    /// What to play, and options as `name=value`
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

pub(super) fn captive<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &CaptiveArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let request = Request::parse(&args.args).map_err(|text| Error::User(format!("{text}\n{USAGE}")))?;
    run(start, &request, out)
}

/// Serves what a request asks for.
fn run<'g>(
    start: &(dyn AnyState<'g> + 'g),
    request: &Request,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let result = match &request.listen {
        Some(address) => captive::listen(start, request, address, out),
        None => captive::serve(start, request, &mut io::stdin().lock(), out),
    };
    result.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => Error::User(error.to_string()),
        _ => Error::Io(error),
    })
}
