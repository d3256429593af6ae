//! `verify`: checks a certificate of `solve`.

use std::{fs, io::Write, path::PathBuf};

use clap::Args;
use rulec_search::{AnyState, numbers::parse_count, verify};
use serde_json::json;

use super::{Error, Ticker, emit};

/// Arguments of `verify`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  verify proof.cert\n  verify proof.cert --json\n\n\
    Checks a certificate of `solve` by following it, without solving. Exit code 1 tells that it does not hold."
)]
pub struct VerifyArgs {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    /// Positions to look at at most
    #[arg(long, value_name = "N", default_value = "100M", value_parser = parse_count)]
    pub states: u64,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn verify<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &VerifyArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let path = args.certificate.display();
    let text = fs::read_to_string(&args.certificate)
        .map_err(|e| Error::User(format!("cannot read {path}: {e}")))?;
    let mut ticker = Ticker::new();
    let found = verify::verify(start, &text, args.states, &mut |positions| {
        ticker.tell(|| format!("{positions} positions"));
        true
    });
    let found = found.map_err(|e| Error::Refuted(format!("{path} does not hold: {e}")))?;
    let value = || {
        json!({
            "holds": true,
            "claim": found.claim,
            "start": found.start,
            "from_start": found.from_start,
            "positions": found.positions,
        })
    };
    let text = || {
        let from = match found.from_start {
            true => String::new(),
            false => format!(" from `{}`", found.start),
        };
        format!(
            "it holds{from}: {} ({} positions)\n",
            found.claim, found.positions
        )
    };
    emit(out, args.json, value, text)
}
