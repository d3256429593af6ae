//! The code of mutants, as modules of one crate that rustc checks.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks the code of so many mutants, and tells of how many there was any.
///
/// # Errors
/// What rustc has against it.
pub(crate) fn check(out: &Path, most: u64) -> Result<usize, String> {
    let folder = out.join("code");
    let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    files.sort();
    files.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let mut modules = String::from("#![allow(warnings)]\n");
    for (number, file) in files.iter().enumerate() {
        // Writing to a text cannot fail.
        let _ = writeln!(
            modules,
            "#[path = {:?}] mod m{number};",
            file.display().to_string()
        );
    }
    let place = out.join("typed");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let write = |path: &str, text: &str| -> Result<(), String> {
        let path = place.join(path);
        let parent = path.parent().unwrap_or(&place);
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| error.to_string())
    };
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n")
    };
    let dependency = |name: &str| format!("rulec-{name} = {{ path = {:?} }}\n", runtime.join(name));
    write(
        "runtime/Cargo.toml",
        &format!(
            "{}[dependencies]\n{}{}",
            package("rulec-runtime"),
            dependency("core"),
            dependency("cpu")
        ),
    )?;
    write(
        "runtime/src/lib.rs",
        "pub use rulec_core::*;\npub use rulec_cpu as cpu;\n",
    )?;
    write(
        "Cargo.toml",
        &format!(
            "{}[workspace]\n\n[dependencies]\nrulec-runtime = {{ path = \"runtime\" }}\n",
            package("typed")
        ),
    )?;
    write("src/lib.rs", &modules)?;
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--offline"])
        .current_dir(&place)
        .env("CARGO_TARGET_DIR", place.join("target"))
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(files.len()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
