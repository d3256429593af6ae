//! Compiled games: crates on disk, programs in the cache.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use rulec_core::KeyHasher;

use crate::files;

/// The files of a crate, by their paths in it.
pub type CrateFiles = Vec<(String, String)>;

/// What is said where cargo cannot be started.
const NO_CARGO: &str = concat!(
    "cannot start cargo: compiling a game needs Rust ",
    env!("CARGO_PKG_RUST_VERSION"),
    " or newer (https://rustup.rs) and a C compiler (on Debian: apt-get install gcc libc6-dev); without them `rulec play`, \
     `serve`, `selfplay`, `search` and `solve` play the rules at once"
);

/// Where things are and how to compile.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The folder of the crate rulec-runtime.
    pub runtime: PathBuf,
    /// The target folder that all games share.
    pub target: PathBuf,
    /// Where compiled games and their crates are kept.
    pub cache: PathBuf,
    /// Fat link-time optimisation.
    pub lto: bool,
    /// All features of the processor at hand; programs are then for machines like this one.
    pub native_cpu: bool,
}

impl Toolchain {
    /// Finds the runtime and the cache.
    ///
    /// The runtime is the folder given, else that of the variable `RULEC_RUNTIME`, else `share/rulec/runtime` beside the
    /// folder of this program, as archives have it, else that of the checkout that this program was built from.
    ///
    /// # Errors
    /// When there is no runtime or no place for a cache.
    pub fn find(runtime: Option<&Path>, target: Option<&Path>, lto: bool) -> Result<Toolchain> {
        let cache = cache_folder()?;
        let target = target.map_or_else(|| cache.join("target"), Path::to_owned);
        Ok(Toolchain {
            runtime: find_runtime(runtime)?,
            target: absolute(&target)?,
            cache,
            lto,
            native_cpu: false,
        })
    }

    /// Compiles a game for the cache unless the cache has it already, and gives the program.
    ///
    /// `origin` is the rule file: each has one place in the cache. `make` writes the crate, given its package name.
    ///
    /// # Errors
    /// When the crate does not build: a defect of the compiler, or of the machine's setup.
    pub fn program(
        &self,
        origin: &Path,
        variant: &str,
        make: impl FnOnce(&str) -> Result<CrateFiles>,
    ) -> Result<PathBuf> {
        self.cached(origin, variant, make, program_name)
    }

    /// The same for a shared library.
    ///
    /// # Errors
    /// As [`Toolchain::program`].
    pub(crate) fn library(
        &self,
        origin: &Path,
        variant: &str,
        make: impl FnOnce(&str) -> Result<CrateFiles>,
    ) -> Result<PathBuf> {
        self.cached(origin, variant, make, library_name)
    }

    fn cached(
        &self,
        origin: &Path,
        variant: &str,
        make: impl FnOnce(&str) -> Result<CrateFiles>,
        file_name: fn(&str) -> String,
    ) -> Result<PathBuf> {
        let name = cache_name(origin, variant)?;
        let files = make(&name)?;
        let stamp = self.stamp(&files)?;
        let program = self.cache.join("bin").join(file_name(&name));
        let stamp_file = self.cache.join("bin").join(format!("{name}.stamp"));
        let _lock = self.lock(&name)?;
        if program.exists() && fs::read_to_string(&stamp_file).is_ok_and(|s| s == stamp) {
            return Ok(program);
        }
        let folder = self.cache.join("crates").join(&name);
        self.write_crate(&folder, &files)?;
        self.build(&folder, &name)?;
        let built = self.target_folder().join("release").join(file_name(&name));
        files::copy(&built, &program)?;
        files::write(&stamp_file, stamp.as_bytes())?;
        Ok(program)
    }

    /// Writes a crate that builds by itself.
    ///
    /// It gets the lock file of the runtime's workspace, so that its dependencies are those that are on the machine
    /// already.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_crate(&self, folder: &Path, files: &CrateFiles) -> Result<()> {
        for (path, text) in files {
            let path = folder.join(path);
            files::make_folder(path.parent().unwrap_or(folder))?;
            files::write_if_changed(&path, text.as_bytes())?;
        }
        let lock = self.runtime.parent().map(|root| root.join("Cargo.lock"));
        let present = folder.join("Cargo.lock");
        match lock {
            Some(lock) if lock.exists() && is_newer(&lock, &present) => {
                files::write(&present, &fs::read(&lock)?)
            }
            _ => Ok(()),
        }
    }

    /// Builds a crate and gives the path of its program in the target folder.
    ///
    /// # Errors
    /// When cargo is missing or fails.
    pub fn build(&self, folder: &Path, name: &str) -> Result<PathBuf> {
        self.build_as(folder, name, "release")
    }

    /// The same with another profile of the crate's manifest.
    pub(crate) fn build_as(&self, folder: &Path, name: &str, profile: &str) -> Result<PathBuf> {
        let spinner = spinner(&format!("compiling {name}"));
        let built = self.cargo_with(folder, &["build", "--profile", profile]);
        spinner.finish_and_clear();
        built?;
        Ok(self.target_folder().join(profile).join(program_name(name)))
    }

    /// Checks the types of a crate.
    pub(crate) fn check(&self, folder: &Path, profile: &str) -> Result<()> {
        self.cargo_with(folder, &["check", "--profile", profile])
    }

    /// The target folder; that of native programs is another one, or each build of the other kind would compile the runtime anew.
    fn target_folder(&self) -> PathBuf {
        match self.native_cpu {
            true => self.target.join("native-cpu"),
            false => self.target.clone(),
        }
    }

    /// Runs cargo on a crate: offline, unless packages are missing on this machine.
    fn cargo_with(&self, folder: &Path, command: &[&str]) -> Result<()> {
        let offline = self.cargo(folder, command, &["--offline"])?;
        let errors = String::from_utf8_lossy(&offline.stderr);
        let output = match !offline.status.success() && errors.contains("--offline") {
            true => self.cargo(folder, command, &[])?,
            false => offline,
        };
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            bail!(
                "the generated crate in {} does not build:\n{told}{}",
                folder.display(),
                missing_tool(&told)
            );
        }
        Ok(())
    }

    fn cargo(
        &self,
        folder: &Path,
        command: &[&str],
        extra: &[&str],
    ) -> Result<std::process::Output> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut process = Command::new(cargo);
        process
            .args(command)
            .args(["--quiet", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.target_folder())
            .args(extra)
            .stdin(Stdio::null());
        if self.lto {
            process.args(["--config", "profile.release.lto=\"fat\""]);
        }
        if self.native_cpu {
            process.args(["--config", "build.rustflags=[\"-Ctarget-cpu=native\"]"]);
        }
        // Settings of an outer cargo that runs this program are about that program.
        for variable in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_TARGET",
            "RUSTC_WORKSPACE_WRAPPER",
        ] {
            process.env_remove(variable);
        }
        process.output().context(NO_CARGO)
    }

    /// What a program in the cache is made from, in one word.
    fn stamp(&self, files: &CrateFiles) -> Result<String> {
        let mut hasher = KeyHasher::new();
        for (path, text) in files {
            hasher.write(path.as_bytes());
            hasher.write(text.as_bytes());
        }
        let mut sources = Vec::new();
        list_sources(&self.runtime, &mut sources)?;
        sources.sort();
        for path in sources {
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            hasher.write(&bytes);
        }
        let link = if self.lto { "fat" } else { "thin" };
        let cpu = if self.native_cpu { " native" } else { "" };
        let version = env!("CARGO_PKG_VERSION");
        Ok(format!("{version} {link}{cpu} {:016x}", hasher.finish()))
    }

    /// Held while a program is compiled and copied, so that two of one name do not mix.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub(crate) fn lock(&self, name: &str) -> Result<File> {
        let folder = self.cache.join("bin");
        files::make_folder(&folder)?;
        let path = folder.join(format!("{name}.lock"));
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        file.lock()
            .with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(file)
    }
}

/// The path of the runtime as the manifest of a crate in `folder` names it: relative if both lie in one checkout,
/// so that the checkout can be moved.
pub(crate) fn runtime_path(runtime: &Path, folder: &Path) -> String {
    let root = runtime.parent().unwrap_or(runtime);
    let path = match folder.strip_prefix(root) {
        Ok(inside) => {
            let up: PathBuf = inside.components().map(|_| "..").collect();
            up.join(runtime.strip_prefix(root).unwrap_or(runtime))
        }
        Err(_) => runtime.to_owned(),
    };
    path.to_string_lossy().replace('\\', "/")
}

/// The absolute form of a path that need not exist.
///
/// # Errors
/// When the present folder is unknown.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("no such path: {}", path.display()))
}

/// The name of a program file.
pub(crate) fn program_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// The name of a shared library.
pub(crate) fn library_name(name: &str) -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}{}{DLL_SUFFIX}", name.replace('-', "_"))
}

/// A spinner on the terminal; nothing where nobody looks.
pub(crate) fn spinner(message: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// A package name for a variant of a rule file: its own name, and a mark of where it lies and which variant it is.
fn cache_name(origin: &Path, variant: &str) -> Result<String> {
    let origin = absolute(origin)?;
    let mut hasher = KeyHasher::new();
    hasher.write(origin.to_string_lossy().as_bytes());
    if !variant.is_empty() {
        hasher.write(variant.as_bytes());
    }
    Ok(format!(
        "{}-{:08x}",
        package_name(&origin),
        hasher.finish() >> 32
    ))
}

/// A package name made from the name of a rule file.
pub(crate) fn package_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut name: String = stem
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "game_");
    }
    name
}

/// What to install, if that is what the build failed for.
fn missing_tool(told: &str) -> &'static str {
    const LINKER: &str = "\nhelp: a C compiler is missing, which links programs; on Debian: apt-get install gcc libc6-dev\n";
    const RUST: &str = concat!(
        "\nhelp: this Rust is too old; games need ",
        env!("CARGO_PKG_RUST_VERSION"),
        " or newer: rustup update\n"
    );
    const CRATES: &str = "\nhelp: packages that all games need are fetched once, with the first game; that takes a network\n";
    let causes = [
        ("linker `", LINKER),
        ("requires rustc", RUST),
        ("is not supported by the following package", RUST),
        ("failed to download", CRATES),
        ("Could not resolve host", CRATES),
    ];
    let cause = causes.iter().find(|(sign, _)| told.contains(sign));
    cause.map_or("", |(_, help)| help)
}

fn find_runtime(given: Option<&Path>) -> Result<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../runtime")
        .canonicalize()
        .ok();
    let candidates = [
        given.map(Path::to_owned),
        std::env::var_os("RULEC_RUNTIME").map(PathBuf::from),
        shared(),
        checkout,
    ];
    let Some(folder) = candidates.into_iter().flatten().next() else {
        bail!(
            "cannot find the crate rulec-runtime, which compiled games are built on: keep the checkout or the archive that rulec came \
             from together, or name the folder `runtime` of a checkout with --runtime or in RULEC_RUNTIME"
        );
    };
    if !folder.join("Cargo.toml").exists() {
        bail!("{} is not the crate rulec-runtime", folder.display());
    }
    absolute(&folder)
}

/// The runtime that an archive brings along, beside the folder of its programs.
fn shared() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?.canonicalize().ok()?;
    let folder = program.parent()?.parent()?.join("share/rulec/runtime");
    folder.join("Cargo.toml").exists().then_some(folder)
}

fn cache_folder() -> Result<PathBuf> {
    rulec_search::files::cache_folder()
        .context("there is no folder for caches: name one in RULEC_CACHE")
}

/// The manifests and sources of the runtime, without its tests.
fn list_sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !["target", "tests", "benches"].contains(&&*name) {
            list_sources(&path, found)?;
        } else if [".rs", ".html", ".json"]
            .iter()
            .any(|end| name.ends_with(end))
            || name == "Cargo.toml"
        {
            found.push(path);
        }
    }
    Ok(())
}

fn is_newer(path: &Path, than: &Path) -> bool {
    let date = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    date(path) > date(than)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_have_usable_names() {
        for (file, name) in [
            ("games/Frogs.s3", "frogs"),
            ("nine men's.s3", "nine_men_s"),
            ("8-puzzle.s3", "game_8_puzzle"),
            ("ö.s3", "game__"),
        ] {
            assert_eq!(package_name(Path::new(file)), name);
        }
        let [one, two] = ["a/x.s3", "b/x.s3"].map(|f| cache_name(Path::new(f), "").unwrap());
        assert_ne!(one, two);
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(missing_tool("error: linker `cc` not found").contains("gcc"));
        assert!(
            missing_tool("error: rustc 1.70.0 is not supported by the following package:")
                .contains("rustup update")
        );
        assert_eq!(missing_tool("error[E0308]: mismatched types"), "");
    }

    #[test]
    fn the_runtime_is_relative_inside_the_checkout() {
        let path = |folder| runtime_path(Path::new("/src/rulec/runtime"), Path::new(folder));
        assert_eq!(path("/src/rulec/generated/frogs"), "../../runtime");
        assert_eq!(path("/elsewhere/frogs"), "/src/rulec/runtime");
    }
}
