//! Compares compiled rule sets of gs5 with the original server: attempts of a random player per second of processor time,
//! boards and starts of episodes included.
//!
//! Usage: `cargo run --release -p rulec-benches --bin episodes -- [EPISODES]`. The rule sets are those of the corpus
//! (`$RULEC_CORPUS`, else `../shared/corpus`) for which the original was measured. It judges nothing: it prints a table.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use rulec_cli::{Rules, Toolchain};
use serde_json::Value;

/// Rule set or trial list, and attempts per second of processor time of the original engine (Java 17, without the printing of
/// the protocol).
const ORIGINAL: &[(&str, f64)] = &[
    ("rules/FDCL/basic/ccw.txt", 71_814.0),
    ("rules/pk/colOrd_nearby.txt", 199_608.0),
    ("rules/pk/position_A.txt", 361_207.0),
    ("rules/vm/gs5-example06.txt", 156_461.0),
    ("trial-lists/vm/gs5-example05/trial_1.csv", 53_634.0),
    ("trial-lists/vm/jigsaw-05/trial_1.csv", 91_575.0),
];

fn main() -> Result<()> {
    let episodes = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "1000000".to_owned());
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from("../shared/corpus"),
    };
    let root = root.join("gs5");
    if !root.is_dir() {
        bail!("there is no corpus at {}", root.display());
    }
    let tools = Toolchain::find(None, None, false)?;
    println!(
        "rule set                                   episodes/s   attempts/s   accepted/s     original    ratio"
    );
    for (name, original) in ORIGINAL {
        println!(
            "{}",
            row(&tools, &root.join(name), name, *original, &episodes)?
        );
    }
    Ok(())
}

fn row(
    tools: &Toolchain,
    file: &Path,
    name: &str,
    original: f64,
    episodes: &str,
) -> Result<String> {
    let program = Rules::open(file, "all")?.program(tools)?;
    let output = Command::new(&program)
        .args(["attempts", "--json", "--episodes", episodes])
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let found: Value = serde_json::from_slice(&output.stdout)?;
    let speed = |key: &str| found[key].as_f64().unwrap_or(0.0);
    let attempts = speed("attempts_per_second");
    Ok(format!(
        "{name:<42} {:>10.0} {attempts:>12.0} {:>12.0} {original:>12.0} {:>8.0}",
        speed("episodes_per_second"),
        speed("accepted_per_second"),
        attempts / original
    ))
}
